"""The outcome table of a guessing game: the outcome of each action for each start.

In a guessing game actions only distinguish starts or win them. Mastermind is one: a guess changes nothing about the
secret, but it is answered; and a secret that is guessed is won. A belief then is a set of starts, an action splits it
into blocks by the percept, and no block is ever joined to another again. So neither results nor percepts need be looked
up while such a problem is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Generic, TypeAlias

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from ...belief_space.and_or import AndOrProblem
from ...belief_space.and_or import Outcomes as NodesAfter
from ...model.base import Action, Cost, State
from ...model.belief import no_tick
from ...model.checked import checked_cost
from ...model.hooks import DistinctActionsHook, states_in_arrays
from ...model.values import whole
from ...running.limits import EffortExceeded
from ..bits.contingent import BitsetContingentView
from ..bits.numbered_model import MOST_ASKED
from ..compiled.bitset_words import members_of_words
from ..compiled.observed_model import ObservedModel, Outcomes, observed_model
from .listed_percepts import most_won_within

Places: TypeAlias = NDArray[np.int64]
"""Starts, by their places in the table, ascending."""

# A larger table is not made, in entries; and where costs differ, each is asked for.
_LARGEST = 1 << 28
_MOST_COSTS = 1 << 20
_MOST_OUTCOMES = 1 << 16
# So that sums over all starts stay far from what 64 bits hold.
_HIGHEST_COST = 1 << 20
# To ask for the symmetries of a smaller set would take longer than it saves.
_FEW = 20


@frozen(eq=False)
class OutcomeTable(Generic[Action]):
    """The outcome of each action for each start; all starts are different, and every action applies to all of them.

    Starts that no action tells apart and need not be told apart are one; `alike` has the numbers in the model of those
    that it stands for.

    A *node* is a set of starts: their places in the table, ascending, as bytes. `starts` are the numbers of the
    possible starts in the model, ascending. `actions` are in the model's order, and `percepts` are by number of an
    outcome: an outcome is a percept together with whether it wins, so one percept may belong to two outcomes, though
    never of one action. `table` has the shape (actions, starts), in C order, uint8 or uint16; its outcomes from `won`
    on are won. `costs` are whole numbers of 1/`unit`. `knowing_wins` says whether a belief of one start is won: the
    goal is to know it; otherwise one must act to win. `distinct_actions` gives, for a set of starts, the numbers of
    some actions, at least one of each class of equivalent ones, or None for all. `tick` is called before each piece of
    work that may take long, and raises to stop it.
    """

    starts: NDArray[np.intp]
    actions: Sequence[Action]
    percepts: Sequence[Any]
    table: NDArray[Any]
    won: int
    costs: NDArray[np.int64]
    knowing_wins: bool
    alike: Sequence[NDArray[np.intp]] = field(kw_only=True)
    unit: int = field(default=1, kw_only=True)
    distinct_actions: Callable[[Places], list[int] | None] = lambda places: None
    tick: Callable[[], None] = no_tick

    @alike.default
    def _each_alone(self) -> Sequence[NDArray[np.intp]]:
        return [self.starts[place : place + 1] for place in range(len(self.starts))]

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        """The number of the model's starts that each stands for."""
        return np.array([len(some) for some in self.alike], dtype=np.int64)

    def weight(self, node: bytes) -> int:
        """Return the number of the model's starts in a node."""
        return int(self.weights[self.places(node)].sum())

    def split(self, members: Places, action: int) -> list[tuple[int, Places]]:
        """Return the blocks of a set of starts under an action: pairs of an outcome and the starts that have it."""
        outcomes = self.table[action, members]
        order = np.argsort(outcomes, kind="stable")
        found, first = np.unique(outcomes[order], return_index=True)
        return list(zip(found.tolist(), np.split(members[order], first[1:]), strict=True))

    def can_be_won(self) -> bool:
        """Whether some plan wins from all starts.

        Where one must act, each start needs an action that wins it: doing all of these in turn is a plan. Where it is
        enough to know, it is enough that every two starts are distinguished by some action.
        """
        if not self.knowing_wins:
            return bool((self.table >= self.won).any(axis=0).all())
        columns = np.ascontiguousarray(self.table.T)
        return len({column.tobytes() for column in columns}) == len(columns)

    @cached_property
    def _type(self) -> np.dtype[Any]:
        return np.dtype(np.uint16 if len(self.starts) <= 1 << 16 else np.uint32)

    def node(self, places: NDArray[Any]) -> bytes:
        """Return the node of the starts at these places, which ascend."""
        return places.astype(self._type).tobytes()

    def places(self, node: bytes) -> Places:
        """Return the places of the starts in a node."""
        return np.frombuffer(node, dtype=self._type).astype(np.int64)

    def size(self, node: bytes) -> int:
        """Return the number of starts in a node."""
        return len(node) // self._type.itemsize

    def floors(
        self, by_size: NDArray[np.int64], sizes: NDArray[np.int64], most_parts: int, lightest: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return, by size and number of blocks, the least total of an action that makes so many blocks at the most.

        `lightest` has by number the weight of so many of the lightest starts.

        The bound by size is first made convex from below: its steps in ascending order. Then equal blocks are the best.
        """
        convex = np.concatenate([[0], np.cumsum(np.sort(np.diff(by_size)))])
        parts = np.maximum(np.arange(most_parts + 1), 1)
        each, larger = np.divmod(np.maximum(sizes - self.most_won, 0)[:, np.newaxis], parts)
        next_size = np.minimum(each + 1, len(convex) - 1)
        floors: NDArray[np.int64] = (parts - larger) * convex[each] + larger * convex[next_size]
        return floors + lightest[sizes][:, np.newaxis] * self.least_cost

    def totals_by_size(self, sizes: NDArray[np.int32], lightest: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return, by number of starts, the least total cost of that many of a set whose `lightest` weigh so much.

        `sizes` has the sizes of the blocks by row, in the last column the number of starts won. No more than `most`
        starts can be won within so many actions, so the others take one more.
        """
        counts = np.arange(len(lightest))
        total = np.zeros(len(counts), dtype=np.int64)
        for most in most_won_within(sizes[:, :-1], sizes[:, -1], len(lightest) - 1, self.knowing_wins):
            total += lightest[np.maximum(0, counts - most)]
        if self.knowing_wins:
            total[1] = 0
        return total * self.least_cost

    @cached_property
    def most_won(self) -> int:
        """The most starts that one action wins."""
        return int((self.table >= self.won).sum(axis=1).max())

    @cached_property
    def least_cost(self) -> int:
        """The least cost of an action."""
        return int(self.costs.min())

    @cached_property
    def cheapest_winner(self) -> Places:
        """Return, by start, the first action of the least cost that wins it; -1 if none does."""
        winner = np.full(len(self.starts), -1)
        for row in np.flatnonzero(self.costs == self.least_cost)[::-1].tolist():
            winner[self.table[row] >= self.won] = row
        return winner

    @cached_property
    def most_obvious(self) -> int:
        """The largest size of a base case: a set whose best action is plain, and whose total is the bound by size.

        If actions win one start at a time, and a cheapest one wins each: of one start that one; of two either, since
        the other start is won next, and not both can be won at once.
        """
        if self.knowing_wins:
            return 1
        return 0 if (self.cheapest_winner < 0).any() else 2 if self.most_won == 1 else 1


def outcome_table_of(
    view: BitsetContingentView[State, Action], tick: Callable[[], None], most_pairs: int | None
) -> tuple[ObservedModel[State, Action], OutcomeTable[Action]] | None:
    """Return the arrays of a view and its outcome table; None if there is no table, or if it would take too much.

    No more pairs of a state and an action than `most_pairs` are asked about one by one. The author's arrays are not
    counted.
    """
    asked = most_pairs if states_in_arrays(view.problem) is None else None
    try:
        model = observed_model(view, tick, asked)
    except EffortExceeded:
        return None
    table = table_from(model, tick)
    return None if table is None else (model, table)


def table_from(model: ObservedModel[State, Action], tick: Callable[[], None] = no_tick) -> OutcomeTable[Action] | None:
    """Return the outcome table of a problem; None if the problem is no guessing game, or too large.

    It is one if every action applies to all starts, costs the same exact number in each and gives each one percept; if
    it leaves each start as it is, or wins it, and the percept says which; and if either no start is a goal, or each is
    one alone or with those that nothing tells from it, and then nothing ever changes.

    O(actions * starts) array operations. The first start that is moved ends the work, so that problems of other kinds
    are found out quickly.
    """
    starts = members_of_words(model.initial)
    shape = len(model.actions), len(starts)
    if not model.actions or shape[0] * shape[1] > _LARGEST or (model.initial & ~model.applicable).any():
        return None
    knowing_wins = _knowing_wins(model, starts)
    if knowing_wins is None:
        return None
    table = np.zeros(shape, dtype=np.uint8)
    number_of: dict[int, int] = {}  # by twice the number of a percept, and one more if it wins
    for row, outcomes in enumerate(model.outcomes()):
        codes = _codes(model, starts, outcomes)
        if codes is None or (knowing_wins and (codes & 1).any()):
            return None
        occur = np.unique(codes)
        if (occur[1:] >> 1 == occur[:-1] >> 1).any():
            return None  # who perceives this does not know whether it is won
        numbers = np.array([number_of.setdefault(code, len(number_of)) for code in occur.tolist()])
        if len(number_of) > 256 and table.dtype == np.uint8:
            table = table.astype(np.uint16)
        if len(number_of) > _MOST_OUTCOMES:
            return None
        table[row] = numbers[np.searchsorted(occur, codes)]
    prices = _costs(model, starts)
    unit = lcm(*(price.denominator for price in prices or ()))
    if prices is None or max(prices) * unit > _HIGHEST_COST:
        return None
    alike = [starts[place : place + 1] for place in range(len(starts))]
    if knowing_wins:
        alike = _alike(model, starts)
        of_group = np.repeat(np.arange(len(alike)), [len(some) for some in alike])
        places = np.searchsorted(starts, np.concatenate(alike))
        starts = np.array([some[0] for some in alike], dtype=np.intp)
        first = np.searchsorted(members_of_words(model.initial), starts)
        if any((row[places] != row[first][of_group]).any() for row in table):
            return None
        table = np.ascontiguousarray(table[:, first])
    percepts = model.percepts
    place_of = model.place_of_percept()
    # In the order of percepts, but what is won last.
    in_order = sorted(number_of, key=lambda code: (code & 1, place_of[code >> 1]))
    renumbered = np.zeros(len(in_order), dtype=table.dtype)
    renumbered[[number_of[code] for code in in_order]] = np.arange(len(in_order))
    for row in range(len(table)):
        table[row] = renumbered[table[row]]
    return OutcomeTable(
        starts,
        model.actions,
        tuple(percepts[place_of[code >> 1]] for code in in_order),
        table,
        sum(not code & 1 for code in in_order),
        np.array([int(price * unit) for price in prices], dtype=np.int64),
        knowing_wins,
        unit=unit,
        distinct_actions=lambda places: _distinct_actions(model, alike, places),
        tick=tick,
        alike=alike,
    )


def _alike(model: ObservedModel[Any, Any], starts: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return the starts that lie together in a goal set, in the order of the first of each."""
    within = {members_of_words(goal & model.initial).tobytes(): None for goal in model.goals}
    groups = (np.frombuffer(numbers, dtype=starts.dtype) for numbers in within if numbers)
    return sorted(groups, key=lambda some: int(some[0]))


def _distinct_actions(
    model: ObservedModel[Any, Any], alike: Sequence[NDArray[np.intp]], places: Places
) -> list[int] | None:
    """Return the numbers of the actions that the author's `distinct_actions` gives for a set of starts."""
    if not isinstance(model.problem, DistinctActionsHook) or len(places) < _FEW:
        return None
    starts = np.concatenate([alike[place] for place in places.tolist()])
    given = model.problem.distinct_actions(frozenset(model.states[start] for start in starts.tolist()))
    return None if given is None else [model.number_of_action[action] for action in given]


def _knowing_wins(model: ObservedModel[Any, Any], starts: NDArray[np.intp]) -> bool | None:
    """Decide whether each start is in one goal set, or alone; False if none is in any; None for anything else."""
    around = model.goals_of[starts + 1] - model.goals_of[starts]
    if not around.any():
        return False
    within = [len(members_of_words(goal & model.initial)) for goal in model.goals]
    return True if around.all() and (max(within) == 1 or (around == 1).all()) else None


def _codes(model: ObservedModel[Any, Any], starts: NDArray[np.intp], outcomes: Outcomes) -> NDArray[np.int64] | None:
    """Return, by start, twice the number of the percept, plus one if it is won; None if a start does anything else."""
    here = np.searchsorted(outcomes.states, starts)
    if (outcomes.lengths[here] != 1).any():
        return None
    place = (np.cumsum(outcomes.lengths) - outcomes.lengths)[here]
    seen, reached = outcomes.percepts[place].astype(np.int64), outcomes.results[place]
    moved = reached != starts
    for percept in np.unique(seen[moved]).tolist():
        # Whoever perceives it must have won, whichever of them it is.
        together = np.unique(reached[moved & (seen == percept)])
        inside = model.goals[:, together >> 6] >> (together & 63).astype(np.uint64) & np.uint64(1)
        if not inside.all(axis=1).any():
            return None
    codes: NDArray[np.int64] = 2 * seen + moved
    return codes


def _costs(model: ObservedModel[Any, Action], starts: NDArray[np.intp]) -> list[int | Fraction] | None:
    """Return the cost of each action; None if it is not the same for all starts, or a float."""
    if model.problem.has_unit_costs():
        return [1] * len(model.actions)
    if len(model.actions) * len(starts) > _MOST_COSTS:
        return None
    costs: list[int | Fraction] = []
    for action in model.actions:
        cost, *others = {checked_cost(model.problem, model.states[start], action) for start in starts.tolist()}
        if others or isinstance(cost, float):
            return None
        costs.append(cost)
    return costs


WON = b""
"""The node in which nothing is left to do."""


class GuessingGame(AndOrProblem[bytes, Action], Generic[State, Action]):
    """A problem with an outcome table; see there for its nodes."""

    def __init__(self, model: ObservedModel[State, Action], table: OutcomeTable[Action]) -> None:
        self.table = table
        self.place_of: dict[State, int] = {
            model.states[number]: place for place, some in enumerate(table.alike) for number in some.tolist()
        }
        self._problem = model.problem
        self._number_of_action = model.number_of_action
        self._texts = [self._problem.format_percept(percept) for percept in table.percepts]

    def initial_node(self) -> bytes:
        return self._node(np.arange(len(self.table.starts)))

    def is_goal(self, node: bytes) -> bool:
        return node == WON

    def actions(self, node: bytes) -> Sequence[Action]:
        return self.table.actions

    def outcomes(self, node: bytes, action: Action) -> NodesAfter[bytes]:
        parts = self._split(node, self._number_of_action[action])
        found = sorted(parts, key=lambda pair: self._texts[pair[0]])
        return tuple((self.table.percepts[outcome], part) for outcome, part in found)

    def action_cost(self, node: bytes, action: Action) -> Cost:
        return self.in_costs(int(self.table.costs[self._number_of_action[action]]))

    def in_costs(self, total: int, starts: int = 1) -> Cost:
        """Return what a number of units comes to, or its mean over so many starts."""
        return whole(Fraction(total, starts * self.table.unit))

    def has_unit_costs(self) -> bool:
        return self._problem.has_unit_costs()

    def base_action(self, node: bytes) -> int | None:
        """Return the number of the best action of a base case (see `OutcomeTable.most_obvious`); None for others."""
        if self.table.size(node) > self.table.most_obvious:
            return None
        return int(self.table.cheapest_winner[self.table.places(node)[0]])

    def parts(self, node: bytes, action: int) -> list[bytes]:
        """Return the blocks that the action with this number makes of a node, without what is won."""
        return [part for _, part in self._split(node, action) if part != WON]

    def _split(self, node: bytes, action: int) -> list[tuple[int, bytes]]:
        """Return the outcomes of an action, by number, and the nodes after them."""
        return [
            (outcome, WON if outcome >= self.table.won else self._node(part))
            for outcome, part in self.table.split(self.table.places(node), action)
        ]

    def _node(self, starts: NDArray[Any]) -> bytes:
        """Return the node of some starts; a single one may be won since it is known."""
        return WON if self.table.knowing_wins and len(starts) == 1 else self.table.node(starts)


def game_of(
    view: BitsetContingentView[Any, Action], tick: Callable[[], None], most_pairs: int | None = MOST_ASKED
) -> GuessingGame[Any, Action] | None:
    """Return the game of a view; None as of `outcome_table_of`."""
    found = outcome_table_of(view, tick, most_pairs)
    return None if found is None else GuessingGame(*found)
