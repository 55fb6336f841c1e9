"""Problems in which actions only tell starts apart, as one table: what each action shows of each start.

Mastermind is one: a guess changes nothing about the secret, but it is answered; and a secret that is guessed is won.
A belief then is a set of starts, an action divides it into parts by what is perceived, and no part is ever joined to
another again. So neither results nor percepts need be looked up while such a problem is searched.

Sets of starts as bytes, and what all ways to divide them share: the table, and what it says of small sets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeAlias

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...model.base import Action, State
from ...model.checked import checked_cost
from ...model.hooks import states_in_arrays
from ...running.limits import Outgrown
from ..bits.contingent import BitsetContingentView
from ..compiled.bitset_words import members_of_words
from ..compiled.jit import kernel
from ..compiled.observed_model import ObservedModel, Outcomes, observed_model

# A larger table is not made, in entries; and where costs differ, each is asked for.
_LARGEST = 1 << 28

_MOST_COSTS = 1 << 20

_MOST_OUTCOMES = 1 << 16

# So that sums over all starts stay far from what 64 bits hold.
_HIGHEST_COST = 1 << 20


@frozen(eq=False)
class Partitions(Generic[Action]):
    """What each action shows of each start; all starts are different, and every action applies to all of them.

    Attributes
    ----------
    starts
        The numbers of the possible starts in the model, ascending; a start's place here is its number below.
    actions
        By number, in the model's order.
    percepts
        By number of an outcome: what is perceived. An outcome is a percept together with whether it wins, so one
        percept may belong to two outcomes, though never of one action.
    table
        The outcome of each action for each start: uint8 or uint16, shape (actions, starts), in C order.
    won
        Outcomes from this number on are won: whoever perceives one has nothing left to do.
    costs
        What each action costs, in whole numbers; int64, shape (actions,).
    knowing_wins
        Whether a belief of one start is won: the goal is to know it. Otherwise one must act to win.
    """

    starts: NDArray[np.intp]
    actions: Sequence[Action]
    percepts: Sequence[Any]
    table: NDArray[Any]
    won: int
    costs: NDArray[np.int64]
    knowing_wins: bool

    def sizes(self, members: NDArray[np.int64]) -> NDArray[np.int32]:
        """How many of these starts have each outcome of each action: shape (actions, outcomes).

        O(actions * members). For sets larger than some thousands, `table` should be taken in pieces.
        """
        found = np.zeros((len(self.actions), len(self.percepts)), dtype=np.int32)
        count_parts(self.table, members, found)
        return found

    def split(self, members: NDArray[np.int64], action: int) -> list[tuple[int, NDArray[np.int64]]]:
        """The parts of a set of starts under an action: pairs of an outcome and the starts that have it, ascending."""
        outcomes = self.table[action, members]
        order = np.argsort(outcomes, kind="stable")
        found, first = np.unique(outcomes[order], return_index=True)
        return list(zip(found.tolist(), np.split(members[order], first[1:]), strict=True))

    def can_be_won(self) -> bool:
        """Whether some plan wins from all starts.

        Where one must act, each start needs an action that wins it: doing all of these in turn is a plan. Where it is
        enough to know, it is enough that every two starts are told apart by some action.
        """
        if not self.knowing_wins:
            return bool((self.table >= self.won).any(axis=0).all())
        columns = np.ascontiguousarray(self.table.T)
        return len({column.tobytes() for column in columns}) == len(columns)


def bounds_by_size(sizes: NDArray[np.int32], members: int, knowing_wins: bool) -> NDArray[np.int64]:
    """By number of starts: how many actions that many, of a set of so many `members`, take together at the least.

    `sizes` has the sizes of the parts by way, in the last column how many are won. No more than `most` starts can be
    won by so many actions, so the others take one more.
    """
    counts = np.arange(members + 1)
    total = np.zeros(len(counts), dtype=np.int64)
    most = 0
    while most < members:
        total += np.maximum(0, counts - most)
        within = np.minimum(sizes[:, :-1], max(most, int(knowing_wins))).sum(axis=1)
        most = int((within + sizes[:, -1]).max())
    if knowing_wins:
        total[1] = 0
    return total


@kernel
def count_parts(table: NDArray[Any], members: NDArray[np.int64], sizes: NDArray[np.int32]) -> None:
    """Add to `sizes`, by row of `table` and outcome, how many of `members` have it."""
    for row in range(table.shape[0]):
        for member in members:
            sizes[row, table[row, member]] += 1


def divided_model(
    view: BitsetContingentView[State, Action], tick: Callable[[], None], most_pairs: int | None
) -> tuple[ObservedModel[State, Action], Partitions[Action]] | None:
    """A view as arrays with the table of its problem; None if there is no table, or if it would take too much.

    No more pairs of a state and an action than `most_pairs` are asked about one by one. What the author gives in arrays
    is not asked for.
    """
    asked = most_pairs if states_in_arrays(view.problem) is None else None
    try:
        model = observed_model(view, tick, asked)
    except Outgrown:
        return None
    partitions = partitions_of(model)
    return None if partitions is None else (model, partitions)


def partitions_of(model: ObservedModel[State, Action]) -> Partitions[Action] | None:
    """The table of a problem; None if the problem is not of this kind, or too large.

    It is of this kind if every action applies to all starts, costs the same whole number in each and gives each one
    percept; if it leaves each start as it is, or wins it, and the percept says which; and if either no start is a goal,
    or each is one alone, and then nothing ever changes.

    Notes
    -----
    O(actions * starts) array operations. The first start that is moved ends the work, so that problems of other kinds
    are found out quickly.
    """
    starts = members_of_words(model.initial)
    shape = len(model.actions), len(starts)
    if not model.actions or shape[0] * shape[1] > _LARGEST or not _all_apply(model):
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
    costs = _costs(model, starts)
    if costs is None:
        return None
    percepts = model.percepts
    place_of = model.place_of_percept()
    # In the order of percepts, but what is won last.
    in_order = sorted(number_of, key=lambda code: (code & 1, place_of[code >> 1]))
    renumbered = np.zeros(len(in_order), dtype=table.dtype)
    renumbered[[number_of[code] for code in in_order]] = np.arange(len(in_order))
    for row in range(len(table)):
        table[row] = renumbered[table[row]]
    return Partitions(
        starts,
        model.actions,
        tuple(percepts[place_of[code >> 1]] for code in in_order),
        table,
        sum(not code & 1 for code in in_order),
        costs,
        knowing_wins,
    )


def _all_apply(model: ObservedModel[Any, Any]) -> bool:
    """Whether every action applies in every start."""
    return not (model.initial & ~model.applicable).any()


def _knowing_wins(model: ObservedModel[Any, Any], starts: NDArray[np.intp]) -> bool | None:
    """Whether each start is a goal alone; False if none is in a goal set; None for anything else."""
    around = model.goals_of[starts + 1] - model.goals_of[starts]
    if not around.any():
        return False
    within = [len(members_of_words(goal & model.initial)) for goal in model.goals]
    return True if around.all() and max(within) == 1 else None


def _codes(model: ObservedModel[Any, Any], starts: NDArray[np.intp], outcomes: Outcomes) -> NDArray[np.int64] | None:
    """By start: twice the number of the percept, and one more if it is won; None if some start does anything else."""
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


def _costs(model: ObservedModel[Any, Action], starts: NDArray[np.intp]) -> NDArray[np.int64] | None:
    """The cost of each action, if it is the same whole number for all starts."""
    costs = np.ones(len(model.actions), dtype=np.int64)
    if model.problem.has_unit_costs():
        return costs
    if len(costs) * len(starts) > _MOST_COSTS:
        return None
    for row, action in enumerate(model.actions):
        found = {checked_cost(model.problem, model.states[start], action) for start in starts.tolist()}
        cost = found.pop()
        if found or not isinstance(cost, int) or cost > _HIGHEST_COST:
            return None
        costs[row] = cost
    return costs


Places: TypeAlias = NDArray[np.int64]

"""Starts, by their places in the table."""


@frozen(eq=False)
class StartSets:
    """What all divisions of one problem share: its table, and sets of starts as bytes.

    Attributes
    ----------
    partitions
        The table.
    distinct_actions
        Of the actions in a set of starts, given by their places, the numbers of some, at least one of each class of
        equivalent ones; None: all.
    tick
        Called before each piece of work that may take long; raises to stop it.
    """

    partitions: Partitions[Any]
    distinct_actions: Callable[[Places], list[int] | None]
    tick: Callable[[], None]

    @cached_property
    def _type(self) -> np.dtype[Any]:
        return np.dtype(np.uint16 if len(self.partitions.starts) <= 1 << 16 else np.uint32)

    def of(self, places: NDArray[Any]) -> bytes:
        """The set of the starts at these places of the table, which ascend."""
        return places.astype(self._type).tobytes()

    def places(self, members: bytes) -> Places:
        """The places in the table of the starts in a set."""
        return np.frombuffer(members, dtype=self._type).astype(np.int64)

    def size(self, members: bytes) -> int:
        return len(members) // self._type.itemsize

    def floors(self, by_size: NDArray[np.int64], sizes: NDArray[np.int64], most_parts: int) -> NDArray[np.int64]:
        """By size and number of parts: the least total of an action that makes so many parts, at the most.

        The bound by size is first made convex from below: its steps in ascending order. Then equal parts are the best.
        """
        convex = np.concatenate([[0], np.cumsum(np.sort(np.diff(by_size)))])
        parts = np.maximum(np.arange(most_parts + 1), 1)
        each, larger = np.divmod(np.maximum(sizes - self.most_won, 0)[:, np.newaxis], parts)
        next_size = np.minimum(each + 1, len(convex) - 1)
        floors: NDArray[np.int64] = (parts - larger) * convex[each] + larger * convex[next_size]
        return floors + sizes[:, np.newaxis] * self.least_cost

    @cached_property
    def most_won(self) -> int:
        """The most starts that one action wins."""
        return int((self.partitions.table >= self.partitions.won).sum(axis=1).max())

    @cached_property
    def least_cost(self) -> int:
        return int(self.partitions.costs.min())

    @cached_property
    def cheapest_winner(self) -> Places:
        """By start: the first action of the least cost that wins it; -1 if none does."""
        winner = np.full(len(self.partitions.starts), -1)
        for row in np.flatnonzero(self.partitions.costs == self.least_cost)[::-1].tolist():
            winner[self.partitions.table[row] >= self.partitions.won] = row
        return winner

    @cached_property
    def most_obvious(self) -> int:
        """In sets of no more starts than this it is plain to see what is best, and the bound by size is the total.

        If actions win one start at a time, and a cheapest one wins each: of one start that one; of two either, since
        the other start is won next, and not both can be won at once.
        """
        if self.partitions.knowing_wins:
            return 1
        return 0 if (self.cheapest_winner < 0).any() else 2 if self.most_won == 1 else 1
