"""Proofs about the least expected cost: the beliefs to list, with totals, so that the checker is convinced.

Bounds by the checker's own arrays and its own counting need not be listed. A belief is listed with the largest total
that the beliefs that lead to it ask for; and the outcomes of an action are asked for no more than is lacking.

Lower bounds of the total cost of the starts in a belief.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

import numpy as np

from ..belief_space.and_or import AndOrProblem, Outcomes
from ..engine.bits.contingent import BitsetContingentView
from ..engine.guessing.branch_and_bound import LeastTotals, least_totals
from ..model.base import Cost
from ..model.exact import exact
from ..model.problem import BeliefProblem
from ..plans.encoding import Json
from ..running.run import Record, Run
from ..solvers.contingent.expected_cost import ExpectedCosts
from ..solvers.trampoline import without_recursion
from ..verify.numbered import written
from .hints.mean_table import Belief
from .mean_game import Game
from .symmetries import KnownSymmetries

# In place of an infinite total: more than is ever asked for.
_NEVER = 10**100


class Totals(ABC):
    """Lower bounds on the total cost of the starts in a belief, which rise when more is asked."""

    @abstractmethod
    def known(self, belief: Belief) -> int:
        """Return the bound known so far."""

    @abstractmethod
    def find(self, belief: Belief, wanted: int) -> int:
        """Search until the bound is as much as `wanted`, or cannot be; return the bound that is known then."""


def totals_of(game: Game, symmetries: KnownSymmetries, tick: Callable[[], None]) -> Totals:
    """Return the quickest search for such bounds that the game allows."""
    # Its tables are made with the puzzle's hooks, and soon found not to be for this game.
    view: BitsetContingentView[Any, Any] = BitsetContingentView(game.problem, tick)
    search = least_totals(view, tick)
    fits = search is not None and len(search.game.place_of) == len(game.states)
    if search is not None and fits and search.game.table.unit == game.unit:
        return GuessingTotals(game, search)
    return SearchedTotals(game, symmetries, tick)


class SearchedTotals(Totals):
    """Bounds by the search for least expected costs, without the puzzle's own symmetries and estimates."""

    def __init__(self, game: Game, symmetries: KnownSymmetries, tick: Callable[[], None]) -> None:
        self._game = game
        view = _GameView(game, symmetries, tick)
        record: Record[Belief, int] = Record("expected-and-or", view)
        self._costs = ExpectedCosts(view, view.at_least, record)

    def known(self, belief: Belief) -> int:
        bound = self._costs.lower_bound(belief)
        return _NEVER if bound == math.inf else math.ceil(bound * _count(belief))

    def find(self, belief: Belief, wanted: int) -> int:
        without_recursion(self._costs.find_cost(belief, Fraction(wanted - 1, _count(belief))))
        return self.known(belief)


class GuessingTotals(Totals):
    """Bounds by branch and bound on sets of starts, for a guessing game.

    The search makes use of the puzzle's hooks: if they are wrong no proof is found.
    """

    def __init__(self, game: Game, search: LeastTotals[Any]) -> None:
        self._game = game
        self._search = search
        self._table = search.game.table
        self._places = np.array([search.game.place_of[state] for state in game.states])
        self._nodes: dict[Belief, bytes] = {}

    def known(self, belief: Belief) -> int:
        return max(self._search.lower.get(self._node(belief), 0), self._game.at_least(belief))

    def find(self, belief: Belief, wanted: int) -> int:
        if self._table.size(self._node(belief)) > self._table.most_obvious and self.known(belief) < wanted:
            self._search.find(self._node(belief), wanted - 1)
        return self.known(belief)

    def _node(self, belief: Belief) -> bytes:
        node = self._nodes.get(belief)
        if node is None:
            places = np.unique(self._places[[state for state, _ in belief]])
            node = self._nodes[belief] = self._table.node(places)
        return node


class _GameView(AndOrProblem[Belief, int]):
    """The game in numbers as an AND-OR problem; where it has ended, no belief is left."""

    def __init__(self, game: Game, symmetries: KnownSymmetries, tick: Callable[[], None]) -> None:
        self._game = game
        self._symmetries = symmetries
        self._tick = tick

    def initial_node(self) -> Belief:
        return self._game.start

    def is_goal(self, node: Belief) -> bool:
        return not node or self._game.is_won(node)

    def at_least(self, node: Belief) -> Cost:
        return Fraction(self._game.at_least(node), _count(node))

    def actions(self, node: Belief) -> Iterable[int]:
        return self._game.applicable(node, self._symmetries.distinct(self._symmetries.fixing(node)))

    def outcomes(self, node: Belief, action: int) -> Outcomes[Belief]:
        self._tick()
        parts = [part for _, _, part in self._game.parts(node, action)]
        return tuple(enumerate(parts if self._game.ending(node, action) == 0 else [*parts, frozenset()]))

    def shares(self, node: Belief, action: int, outcomes: Outcomes[Belief]) -> tuple[Fraction, ...]:
        sizes = [times * _count(part) for _, times, part in self._game.parts(node, action)]
        ending = self._game.ending(node, action)
        return tuple(Fraction(size, _count(node)) for size in (sizes if ending == 0 else [*sizes, ending]))

    def action_cost(self, node: Belief, action: int) -> Fraction:
        return Fraction(self._game.cost(node, action), _count(node))

    def has_unit_costs(self) -> bool:
        return False


def _count(belief: Belief) -> int:
    return sum(weight for _, weight in belief)


# More pairs of a state and an action than this would keep the checker busy for minutes.
_MOST_PAIRS = 30_000_000


def mean_proof(problem: BeliefProblem[Any, Any, Any], mean: Cost, run: Run) -> dict[str, Json] | None:
    """Return a proof that no plan has an expected cost below `mean`; None if none is found.

    Raises `EffortExceeded` of too many states.
    """
    tick = run.tick
    game = Game(problem, tick, _MOST_PAIRS)
    run.observer.numbered(len(game.states))
    symmetries = KnownSymmetries(game, tick)
    totals = totals_of(game, symmetries, tick)
    total = math.ceil(exact(mean) * len(game.start) * game.unit)
    if total > 0 and (game.is_won(game.start) or totals.find(game.start, total) < total):
        return None
    listing = _Listing(game, symmetries, totals, tick)
    return listing.proof() if listing.asks(game.start, total) else None


class _Listing:
    """The beliefs that a proof needs, each with the total that it must cost."""

    def __init__(self, game: Game, symmetries: KnownSymmetries, totals: Totals, tick: Callable[[], None]) -> None:
        self._game = game
        self._symmetries = symmetries
        self._totals = totals
        self._tick = tick
        self._needed: dict[Belief, int] = {}
        self._kept_by: dict[Belief, list[int]] = {}
        self._too_low: dict[Belief, list[int]] = {}

    def asks(self, start: Belief, total: int) -> bool:
        """List the beliefs needed for `start` to cost this much; return whether that can be shown."""
        frontier: list[tuple[int, int, Belief, int]] = []

        def ask(belief: Belief, total: int) -> None:
            if total > max(self._game.at_least(belief), self._needed.get(belief, 0)):
                self._needed[belief] = total
                heappush(frontier, (-sum(weight for _, weight in belief), len(self._needed), belief, total))

        ask(start, total)
        while frontier:  # large ones first: of these, all that ask for them have been looked at
            _, _, belief, total = heappop(frontier)
            if total < self._needed[belief]:
                continue  # more has been asked for since
            kept = self._kept_by[belief] = self._symmetries.fixing(belief)
            self._too_low[belief] = self._game.too_low(belief, total, self._symmetries.distinct(kept))
            for action in self._too_low[belief]:
                self._tick()
                needed = self._from_parts(belief, action, total)
                if needed is None:
                    return False
                for part, least in needed:
                    ask(part, least)
        return True

    def _from_parts(self, belief: Belief, action: int, total: int) -> list[tuple[Belief, int]] | None:
        """Return the totals to ask of the outcomes of an action, so that it costs `total`; None if it costs less."""
        counted = [(times, part, self._game.at_least(part)) for _, times, part in self._game.parts(belief, action)]
        lacking = total - self._game.cost(belief, action) - sum(times * least for times, _, least in counted)
        found: list[tuple[Belief, int]] = []

        def use(bound: Callable[[Belief, int], int], ratio: Callable[[int, Belief, int], float]) -> None:
            """Ask of outcomes the cost that is lacking, as far as this bound goes, in the order of `ratio`."""
            nonlocal lacking, counted
            rest = []
            for times, part, least in sorted(counted, key=lambda entry: ratio(*entry)):
                wanted = least - (-lacking // times)
                got = min(bound(part, wanted), wanted) if lacking > 0 else least
                if got > least:
                    found.append((part, got))
                    lacking -= times * (got - least)
                rest.append((times, part, max(got, least)))
            counted = rest

        # What has been asked for already costs no more; then what gives much for its size; and then what is small.
        use(lambda part, _: self._needed.get(part, 0), lambda times, part, least: len(part))
        if lacking > 0:
            known = self._totals.known
            use(lambda part, _: known(part), lambda times, part, least: -times * (known(part) - least) / len(part))
        if lacking > 0:
            use(self._totals.find, lambda times, part, least: len(part))
        return None if lacking > 0 else found

    def proof(self) -> dict[str, Json]:
        """Return the proof as it stands in the certificate: a table with names."""
        game, symmetries = self._game, self._symmetries
        needed = self._needed
        needed.setdefault(game.start, game.at_least(game.start))
        number_of = {belief: number for number, belief in enumerate(needed)}
        reasons: list[Json] = []
        for belief in needed:
            self._tick()
            named: list[Json] = [
                [action, percept, number_of[part]]
                for action in self._too_low.get(belief, ())
                for percept, _, part in game.parts(belief, action)
                if needed.get(part, 0) > game.at_least(part)
            ]
            reasons.append([[symmetries.place(number) for number in self._kept_by.get(belief, ())], named])
        states = range(len(game.states)) if symmetries.written else sorted({s for belief in needed for s, _ in belief})
        place_of = {state: place for place, state in enumerate(states)}
        beliefs: list[Json] = [[[place_of[s], weight] for s, weight in sorted(belief)] for belief in needed]
        totals: list[Json] = [written(game.in_costs(total)) for total in needed.values()]
        table: dict[str, Json] = {
            "kind": "mean",
            "root": number_of[game.start],
            "beliefs": beliefs,
            "totals": totals,
            "reasons": reasons,
        }
        if symmetries.written:
            table["symmetries"] = symmetries.written
        listed, actions, percepts = (part.listing() for part in game.asked.parts)
        names = [listed[s] for s in game.counting.place]
        return {
            "kind": "mean",
            "states": [names[state] for state in states],
            "actions": actions,
            "percepts": percepts,
            "table": table,
        }
