"""What the starts in a belief cost together at the least, as far as it is known."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from ..engine.bits.contingent_view import BitsetContingentView
from ..engine.bits.exploration import MOST_ASKED
from ..engine.compiled.observed_model import ObservedModel
from ..engine.compiled.partition_view import PartitionView
from ..engine.compiled.partitions import Partitions, divided_model
from ..model.problem import Cost
from ..running.record import Record
from ..solvers.and_or.expected import ExpectedCosts
from ..solvers.and_or.partitions import LeastTotals
from ..solvers.and_or.without_recursion import without_recursion
from ..verify.proof_game import ENDED, Game, Weights
from ..verify.proof_symmetry import classes
from ..views.and_or import AndOrProblem, Outcomes
from .symmetries import KnownSymmetries

# In place of an infinite total: more than is ever asked for.
_NEVER = 10**100


class Totals(ABC):
    """Lower bounds on what the starts in a belief cost together, which rise when more is asked."""

    @abstractmethod
    def known(self, belief: Weights) -> int:
        """What is known so far."""

    @abstractmethod
    def find(self, belief: Weights, wanted: int) -> int:
        """Find out whether it is as much as `wanted`; the bound that is known then."""


def totals_of(game: Game, symmetries: KnownSymmetries, tick: Callable[[], None]) -> Totals:
    """The quickest way to such bounds that the game allows."""
    # Its tables are made with the puzzle's hooks, and soon found out not to be for this game.
    view: BitsetContingentView[Any, Any] = BitsetContingentView(game.problem, tick)
    divided = divided_model(view, tick, MOST_ASKED)
    if divided is not None:
        _, partitions = divided
        if partitions.can_be_won() and len(partitions.starts) == len(game.states):
            return DividedTotals(game, *divided, tick)
    return SearchedTotals(game, symmetries, tick)


class SearchedTotals(Totals):
    """Bounds by the search for least expected costs, without the puzzle's own symmetries and estimates."""

    def __init__(self, game: Game, symmetries: KnownSymmetries, tick: Callable[[], None]) -> None:
        self._game = game
        view = _GameView(game, symmetries, tick)
        record: Record[Weights, int] = Record("expected-and-or", view, None, None)
        self._costs = ExpectedCosts(view, view.at_least, record)

    def known(self, belief: Weights) -> int:
        bound = self._costs.lower_bound(belief)
        return _NEVER if bound == math.inf else math.ceil(bound * _count(belief))

    def find(self, belief: Weights, wanted: int) -> int:
        without_recursion(self._costs.find_cost(belief, Fraction(wanted - 1, _count(belief))))
        return self.known(belief)


class DividedTotals(Totals):
    """Bounds by branch and bound on sets of starts, where actions do no more than tell these apart.

    The search makes use of the puzzle's hooks: if they are wrong no proof is found.
    """

    def __init__(
        self, game: Game, model: ObservedModel[Any, Any], partitions: Partitions[Any], tick: Callable[[], None]
    ) -> None:
        self._game = game
        view: PartitionView[Any, Any] = PartitionView(model, partitions, tick)
        self._sets = view.sets
        place_of = {model.states[number]: place for place, number in enumerate(partitions.starts.tolist())}
        self._places = np.array([place_of[state] for state in game.states])
        self._nodes: dict[Weights, bytes] = {}
        record: Record[bytes, Any] = Record("expected-partitions", view, None, None)
        self._search = LeastTotals(view, record)

    def known(self, belief: Weights) -> int:
        return max(self._search.lower.get(self._node(belief), 0), self._game.at_least(belief))

    def find(self, belief: Weights, wanted: int) -> int:
        if len(belief) > self._sets.most_obvious and self.known(belief) < wanted:
            self._search.find(self._node(belief), wanted - 1)
        return self.known(belief)

    def _node(self, belief: Weights) -> bytes:
        node = self._nodes.get(belief)
        if node is None:
            places = np.sort(self._places[[state for state, _ in belief]])
            node = self._nodes[belief] = self._sets.of(places)
        return node


class _GameView(AndOrProblem[Weights, int]):
    """The game in numbers as an AND-OR problem; where it has ended, no belief is left."""

    def __init__(self, game: Game, symmetries: KnownSymmetries, tick: Callable[[], None]) -> None:
        self._game = game
        self._symmetries = symmetries
        self._tick = tick

    def initial_node(self) -> Weights:
        return self._game.start

    def is_goal(self, node: Weights) -> bool:
        return not node or self._game.is_won(node)

    def at_least(self, node: Weights) -> Cost:
        return Fraction(self._game.at_least(node), _count(node))

    def actions(self, node: Weights) -> Iterable[int]:
        kept = self._symmetries.fixing(node)
        numbers = np.arange(len(self._game.actions))
        distinct = classes([self._symmetries.actions(each) for each in kept], len(numbers)) == numbers
        return self._game.applicable(node, distinct)

    def outcomes(self, node: Weights, action: int) -> Outcomes[Weights]:
        self._tick()
        parts = [part for _, part in self._game.parts(node, action)]
        return tuple(enumerate(parts if self._ending(node, action) == 0 else [*parts, frozenset()]))

    def shares(self, node: Weights, action: int, outcomes: Outcomes[Weights]) -> tuple[Fraction, ...]:
        sizes = [times * _count(part) for times, part in self._game.parts(node, action)]
        ending = self._ending(node, action)
        return tuple(Fraction(size, _count(node)) for size in (sizes if ending == 0 else [*sizes, ending]))

    def action_cost(self, node: Weights, action: int) -> Fraction:
        return Fraction(self._game.cost(node, action), _count(node))

    def has_unit_costs(self) -> bool:
        return False

    def _ending(self, node: Weights, action: int) -> int:
        """How many starts end by this action."""
        return sum(weight for state, weight in node if self._game.results[state, action] == ENDED)


def _count(belief: Weights) -> int:
    return sum(weight for _, weight in belief)
