"""The checker of policy graphs: a lower bound on what is expected of a policy, and so on what can be attained at all.

Each node of the graph has an action, for each percept the node that follows, and for some states a number. Suppose
that for every node and every state s with a number V

1. the action applies in s, and each result with each percept that may come leads to a node with a number for the
   result, or ends the game;
2. V is at most the reward plus the discount times the mean of those numbers, or of utilities at the end;
3. if nothing is discounted: the end can be reached, if the node and the state can come up together.

Then the policy is worth at least what its first node says of the starts, in the mean. For by 1 it always says what to
do, and by 2 the numbers of the first node are at most what is expected of n actions plus, for what is not over by
then, the discounted mean of numbers n actions later. There are finitely many numbers, and their discounted weight tends
to 0: by the discount, or by 3, since from each of the finitely many pairs that can come up the game ends within some
number of actions with some probability, and so ends with certainty.

Of a game with a horizon, that is of so many actions, condition 1 does not ask where the last of them leads, and 3 is
not needed: each node is come to with one number of actions left only, so the numbers are those of a tree.

All is reckoned in whole numbers. Where probabilities have no common denominator of moderate length, a mean is rounded
down, which can only refuse what is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from ..errors import InvalidPlanError
from ..model.reachability import reaching
from ..plans.policy_files import steps_left
from ..plans.wording import float_text
from .integer_pomdp import ValueGame, Weights, common_denominator
from .verdict import DoesNotHoldError
from .whole_arrays import whole_array, wide_enough

if TYPE_CHECKING:
    from numpy.typing import NDArray

# So many numbers are worked with at a time.
_MOST_AT_ONCE = 500_000


@frozen(eq=False)
class WrittenGraph:
    """A policy graph as it stands in a file.

    By node the number of its action; by node and percept the successor, -1 for none; by node and state the value, to be
    divided by `unit`, where it is `known`. In a game with a horizon some nodes are the `last`: nothing is paid after.
    """

    actions: Sequence[int]
    successors: NDArray[np.int64]
    values: NDArray[Any]
    known: NDArray[np.bool_]
    unit: int
    last: NDArray[np.bool_]
    horizon: int | None


def read_graph(game: ValueGame, plan: Mapping[str, Any], tick: Callable[[], None]) -> WrittenGraph:
    """The graph in the field `plan` of a file; raises `InvalidPlanError` if it cannot be read as one."""
    nodes: Any = plan.get("nodes")
    unit: Any = plan.get("unit")
    if not isinstance(nodes, list):
        raise InvalidPlanError(f"the field 'nodes' of its plan should be a list, but is {nodes!r:.40}")
    if not _is_whole(unit) or unit < 1:
        raise InvalidPlanError(f"the field 'unit' of its plan should be a whole number above 0, but is {unit!r:.40}")
    actions: list[int] = []
    # Arrays are made of what has been read: a file of empty nodes would ask for far more memory than its size.
    successors: list[NDArray[np.int64]] = []
    known: list[NDArray[np.bool_]] = []
    rows = []
    for place, node in enumerate(nodes):
        tick()
        if not isinstance(node, list) or len(node) != 3:
            raise InvalidPlanError(f"node {place} of its plan is {node!r:.40}, not [action, nodes, values]")
        action, following, values = node
        actions.append(game.action_number(action, f"node {place} of its plan"))
        _require_list(place, "nodes", following, len(game.percepts), "percept")
        for target in following:
            if target is not None and (not _is_whole(target) or not 0 <= target < len(nodes)):
                raise InvalidPlanError(f"in node {place} of its plan {target!r:.40} is not the number of a node")
        successors.append(np.array([-1 if target is None else target for target in following], np.int64))
        _require_list(place, "values", values, len(game.states), "state")
        for value in values:
            if value is not None and not _is_whole(value):
                raise InvalidPlanError(f"in node {place} of its plan the value {value!r:.40} is no whole number")
        known.append(np.array([value is not None for value in values], np.bool_))
        rows.append(whole_array([0 if value is None else value for value in values]))
    dtype = np.result_type(np.int64, *{row.dtype for row in rows}) if rows else np.dtype(np.int64)
    shape = len(nodes), len(game.states)
    table = np.zeros(shape, dtype)
    for place, row in enumerate(rows):
        table[place] = row
    to = np.array(successors, np.int64).reshape(len(nodes), len(game.percepts))
    left = steps_left(plan, [[int(target) for target in row if target >= 0] for row in successors])
    last = np.zeros(len(nodes), np.bool_) if left is None else np.array([steps == 1 for steps in left], np.bool_)
    given = np.array(known, np.bool_).reshape(shape)
    return WrittenGraph(actions, to, table, given, unit, last, plan.get("horizon"))


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _require_list(place: int, what: str, written: object, length: int, each: str) -> None:
    if not isinstance(written, list) or len(written) != length:
        raise InvalidPlanError(f"in node {place} of its plan the {what} should be a list with an entry for each {each}")


def prove_lower(game: ValueGame, graph: WrittenGraph, tick: Callable[[], None]) -> Fraction:
    """Return a proved lower bound of the graph; raises `DoesNotHoldError` if a condition above is violated.

    O(nodes * (outcomes + percepts)) operations on whole numbers.
    """
    if graph.horizon == 0:
        return game.start_value
    if game.start and not graph.actions:
        raise DoesNotHoldError("it has no nodes, but the game is not over at the start")
    for state in game.start:
        if not graph.known[0, state]:
            raise DoesNotHoldError(
                f"node 0, where it begins, has no value for {game.state(state)}, which may be the start"
            )
    largest = max(1, int(graph.values.max(initial=0)), -int(graph.values.min(initial=0)))
    by_action: dict[int, list[int]] = {}
    for node, action in enumerate(graph.actions):
        by_action.setdefault(action, []).append(node)
    for action, nodes in by_action.items():
        step = _Step(game, action, largest, graph.unit)
        at_once = max(1, _MOST_AT_ONCE // max(1, step.entries))
        for first in range(0, len(nodes), at_once):
            tick()
            step.check(graph, np.array(nodes[first : first + at_once]))
    if game.discount == 1 and graph.horizon is None:
        _require_ends(game, graph, tick)
    return game.start_value + sum(
        (chance * int(graph.values[0, state]) / graph.unit for state, chance in game.start.items()), Fraction(0)
    )


class _Rows:
    """Rows of weights, one after the other, to sum over each."""

    def __init__(self, rows: Sequence[Weights]) -> None:
        self.totals = [row.total for row in rows]
        self.places = np.array([place for row in rows for place, _ in row.pairs], np.int64)
        self.weights = whole_array([weight for row in rows for _, weight in row.pairs])
        lengths = np.array([len(row.pairs) for row in rows], np.int64)
        self.starts = np.cumsum(lengths) - lengths
        self.filled = lengths > 0

    def sums(self, numbers: NDArray[Any], dtype: type) -> NDArray[Any]:
        """Return, by row, the sum of weights times `numbers`, by which `dtype` cannot overflow; along the last axis."""
        found = np.zeros((*numbers.shape[:-1], len(self.filled)), dtype)
        if self.filled.any():
            products: NDArray[Any] = numbers.astype(dtype) * self.weights.astype(dtype)
            found[..., self.filled] = np.add.reduceat(products, self.starts[self.filled], axis=-1)
        return found

    def some(self, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return, by row, whether one of the flags is set."""
        found = np.zeros((*flags.shape[:-1], len(self.filled)), np.bool_)
        if self.filled.any():
            found[..., self.filled] = np.logical_or.reduceat(flags, self.starts[self.filled], axis=-1)
        return found


class _Step:
    """Outcomes of an action, with conditions 1 and 2 for the nodes that have it."""

    def __init__(self, game: ValueGame, action: int, largest: int, unit: int) -> None:
        self._game = game
        self._action = action
        outcomes, rewards = game.outcomes[action], game.rewards[action]
        self._applies = np.array([row is not None for row in outcomes])
        self._states = np.flatnonzero(self._applies)
        arrived = [state for state, row in enumerate(game.perceived[action]) if row is not None]
        place_of = {state: place for place, state in enumerate(arrived)}
        perceived = [row for row in game.perceived[action] if row is not None]
        self._perceived = _Rows(perceived)
        self._arrived = np.repeat(np.array(arrived, np.int64), [len(row.pairs) for row in perceived])
        rows = [row for row in outcomes if row is not None]
        self._outcomes = _Rows(
            [Weights(row.total, [(place_of[state], weight) for state, weight in row.pairs]) for row in rows]
        )
        self.entries = max(len(self._arrived), len(self._outcomes.places), len(outcomes))
        self._fineness = common_denominator(self._perceived.totals)
        self._exact = all(self._fineness % total == 0 for total in self._perceived.totals)
        most_total = max(self._perceived.totals, default=1)
        mean = largest * self._fineness
        self._narrow = wide_enough(max(most_total * largest, mean) if self._exact else most_total * mean)
        self._wide = wide_enough(max(self._outcomes.totals) * mean)
        # Left-hand side, and constant and factor of the right-hand side, by state in which the action applies.
        self._scales, self._constants, self._factors = [], [], []
        discount = game.discount
        for row, reward in zip(rows, (reward for reward in rewards if reward is not None), strict=True):
            scale = discount.denominator * row.total * self._fineness
            self._scales.append(scale * reward.denominator)
            self._constants.append(unit * reward.numerator * scale)
            self._factors.append(discount.numerator * reward.denominator)

    def check(self, graph: WrittenGraph, nodes: NDArray[np.int64]) -> None:
        known = graph.known[nodes]
        self._complain(nodes, known & ~self._applies, lambda *_: "where its action does not apply")
        following = graph.successors[nodes][:, self._perceived.places]
        unknown = (following < 0) | ~graph.known[following, self._arrived]
        lost = unknown & ~graph.last[nodes][:, None]
        lost_after = self._outcomes.some(self._perceived.some(lost)[:, self._outcomes.places])
        full = np.zeros(known.shape, np.bool_)
        full[:, self._states] = lost_after
        self._complain(nodes, known & full, lambda *_: "from where a percept may lead to no node with a value")
        # What is lost counts for nothing, and no state with a value comes there; nor does what follows the last action.
        values = np.where(unknown, 0, graph.values[following, self._arrived])
        sums = self._perceived.sums(values, self._narrow)
        totals = np.array(self._perceived.totals, object)
        if self._exact:
            means = sums * (self._fineness // totals).astype(self._narrow)
        else:
            means = sums * self._fineness // totals
        sums = self._outcomes.sums(means[:, self._outcomes.places], self._wide).astype(object)
        left = graph.values[nodes][:, self._states].astype(object) * np.array(self._scales, object)
        right = np.array(self._constants, object) + np.array(self._factors, object) * sums
        full = np.zeros(known.shape, np.bool_)
        full[:, self._states] = left > right
        place_of = {int(state): place for place, state in enumerate(self._states)}

        def worth(row: int, state: int) -> str:
            place = place_of[state]
            value = Fraction(int(graph.values[nodes[row], state]), graph.unit)
            most = Fraction(right[row, place], self._scales[place] * graph.unit)
            return f"as {float_text(value)}, but its action is worth {float_text(most)} there at the most"

        self._complain(nodes, known & full, worth)

    def _complain(self, nodes: NDArray[np.int64], wrong: NDArray[np.bool_], why: Callable[[int, int], str]) -> None:
        if wrong.any():
            row, state = (int(place) for place in np.argwhere(wrong)[0])
            name = self._game.state(state)
            raise DoesNotHoldError(f"node {nodes[row]} gives a value for the state {name} {why(row, state)}")


def _require_ends(game: ValueGame, graph: WrittenGraph, tick: Callable[[], None]) -> None:
    """Check condition 3, going through the pairs of a node and a state that can come up."""
    over = (-1, -1)
    met: dict[tuple[int, int], None] = dict.fromkeys((0, state) for state in game.start)
    edges: list[tuple[tuple[int, int], tuple[int, int]]] = []
    waiting = list(met)
    for pair in waiting:  # grows while it is walked
        tick()
        for target in _after(game, graph, *pair):
            edges.append((pair, target))
            if target != over and target not in met:
                met[target] = None
                waiting.append(target)
    ends = reaching([over], edges)
    stuck = next((pair for pair in waiting if pair not in ends), None)
    if stuck is not None:
        node, state = stuck
        raise DoesNotHoldError(f"from node {node} in the state {game.state(state)} on, it never ends the game")


def _after(game: ValueGame, graph: WrittenGraph, node: int, state: int) -> Iterator[tuple[int, int]]:
    """The pairs that may follow, and (-1, -1) if the game may be over then."""
    action = graph.actions[node]
    row = game.outcomes[action][state]
    assert row is not None  # by condition 1
    if sum(weight for _, weight in row.pairs) < row.total:
        yield -1, -1
    for result, _ in row.pairs:
        perceived = game.perceived[action][result]
        assert perceived is not None
        for percept, _ in perceived.pairs:
            yield int(graph.successors[node, percept]), result
