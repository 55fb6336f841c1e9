"""Columns of a page: graphs in layers, plans, and the moves with which the page computes beliefs and plays the game."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import define, field, frozen

from ...engine.bits.bitset import bit_numbers
from ...engine.bits.contingent import BitsetContingentView
from ...kinds import is_plain
from ...model.belief import perceived, successors
from ...model.checked import written_cost
from ...model.values import totals
from ...running.limits import EffortExceeded
from .tables import MOST_EDGES, MOST_MOVES, MOST_STATES, Tables, json_number, most_members, name_text


@frozen
class Step:
    """An edge: an action, a percept, the node that follows, and its probability if there are probabilities."""

    action: Any
    percept: Any
    target: Hashable
    probability: Any = None


@define
class Layers:
    """The nodes of a graph, breadth-first, and its edges."""

    nodes: list[Any] = field(factory=list)
    layer: list[int] = field(factory=list)  # by node: the fewest steps from the first one
    edges: list[tuple[int, Step, int]] = field(factory=list)  # between the numbers of two nodes
    complete: bool = True  # whether all nodes and edges are there


def walk(
    root: Hashable,
    steps: Callable[[Any], Iterable[Step]],
    most_nodes: int,
    tick: Callable[[], None],
    *,
    or_nothing: bool = False,
) -> Layers:
    """The graph from `root`, breadth-first, up to `most_nodes`, or until `steps` raises `EffortExceeded`.

    With `or_nothing` the walk ends at the first node for which there is no room.
    """
    found, number_of = Layers([root], [0]), {root: 0}
    try:
        for number, node in enumerate(found.nodes):  # grows while it is walked
            tick()
            for step in steps(node):
                if len(found.edges) >= MOST_EDGES:
                    raise EffortExceeded
                target = number_of.get(step.target)
                if target is None and len(found.nodes) >= most_nodes:
                    found.complete = False
                    if or_nothing:
                        return found
                    continue
                if target is None:
                    target = number_of[step.target] = len(found.nodes)
                    found.nodes.append(step.target)
                    found.layer.append(found.layer[number] + 1)
                found.edges.append((number, step, target))
    except EffortExceeded:
        found.complete = False
    return found


@frozen
class Looks:
    """Properties of the nodes of a graph, as functions."""

    size: Callable[[Any], int]  # the number of states
    members: Callable[[Any, int], list[Any]]  # the first states, up to some number
    is_goal: Callable[[Any], bool]  # whether the game is over there
    on_plan: Callable[[Any], bool]
    action: Callable[[Any], Any]  # of the plan; None if there is none
    on_step: Callable[[Any, Step], bool]  # whether a step from a node is on the plan
    rest: Callable[[Any], Any]  # the cost to the goal; -1 if it is unknown, None if there is no way


def graph_data(tables: Tables, name: str, title: str, found: Layers, looks: Looks) -> dict[str, Any]:
    """The graph in page data."""
    sizes = [looks.size(node) for node in found.nodes]
    most = most_members("node", sizes)
    chances = [step.probability for _, step, _ in found.edges]
    members = [looks.members(node, most) for node in found.nodes]
    return {
        "name": name,
        "title": title,
        "complete": found.complete,
        "nodes": {
            "layer": found.layer,
            "size": sizes,
            "members": [tables.states(belief) for belief in members],
            "goal": [int(looks.is_goal(node)) for node in found.nodes],
            "on_plan": [int(looks.on_plan(node)) for node in found.nodes],
            "rest": [looks.rest(node) for node in found.nodes],
            "action": [tables.action_or_none(looks.action(node)) for node in found.nodes],
            "picture": [-1] * len(sizes),
            "text": [
                name_text(tables.problem, "format_state", states[0]) if size == 1 else f"{size:,} states"
                for size, states in zip(sizes, members, strict=True)
            ],
        },
        "edges": {
            "from": [number for number, _, _ in found.edges],
            "to": [target for _, _, target in found.edges],
            "action": [tables.action(step.action) for _, step, _ in found.edges],
            "percept": [tables.percept(step.percept) for _, step, _ in found.edges],
            "on_plan": [int(looks.on_step(found.nodes[number], step)) for number, step, _ in found.edges],
            "probability": None if None in chances else list(map(float, chances)),
        },
    }


def plan_data(
    tables: Tables,
    actions: Sequence[Any],
    branches: Iterable[tuple[int, Any, int]],
    beliefs: Sequence[Sequence[int]] = (),
    sizes: Sequence[int] = (),
    pictures: Sequence[int] = (),
) -> dict[str, Any]:
    """The plan in page data: the action and belief of each step, and the branches with their percepts."""
    listed = [(number, tables.percept(percept), child) for number, percept, child in branches]
    unknown = [-1] * len(actions)
    return {
        "root": 0,
        "action": [tables.action_or_none(action) for action in actions],
        "belief": beliefs or [[] for _ in actions],
        "size": sizes or unknown,
        "picture": pictures or unknown,
        "next": {key: [branch[place] for branch in listed] for place, key in enumerate(("node", "percept", "child"))},
    }


# From this number of moves on, their total is extrapolated.
_MANY = MOST_MOVES // 4

Odds: TypeAlias = "Callable[[Any, Any], Iterable[tuple[Any, Any, Any]]]"
"""The outcomes of an action in a state: a result, a percept, and the probability of both."""

Move: TypeAlias = tuple[int, Any, int, Any, Any, Any]
"""A state, an action, a result, a percept, the probability of both, and the cost of the action."""


def moves_data(
    tables: Tables, moves: Sequence[Move], *, odds: bool, reward: list[float] | None = None, whole: bool = True
) -> dict[str, Any]:
    """Moves in page data; `odds` is whether they have probabilities, `whole` whether they are all moves of the game."""
    return {
        "state": [move[0] for move in moves],
        "action": [tables.action(move[1]) for move in moves],
        "result": [move[2] for move in moves],
        "percept": [tables.percept(move[3]) for move in moves],
        "probability": [float(move[4]) for move in moves] if odds else None,
        "cost": [move[5] for move in moves],
        "reward": reward,
        "whole": whole,
    }


@frozen
class Moves:
    """Moves of a game, with which a page can play it.

    Probabilities are those of `odds`, or equal for all results and percepts that the author lists; they are left out if
    all outcomes of each action are equally likely. `reward` is that of a state, an action and a result.
    """

    view: BitsetContingentView[Any, Any]
    tables: Tables
    tick: Callable[[], None]
    odds: Odds | None
    reward: Callable[[Any, Any, Any], float] | None

    def everywhere(self) -> dict[str, Any] | None:
        """A row for each reachable state, action, result and percept; None if there are too many."""
        problem, model = self.view.problem, self.view.model
        rows: list[Move] = []
        ends_at_goals = is_plain(problem)
        for number, state in enumerate(model.states):  # grows while it is walked
            if ends_at_goals and problem.is_goal(state):
                continue
            (actions,) = model.action_lists(range(number, number + 1))
            for action in actions:
                if len(rows) > MOST_MOVES or len(model.states) > MOST_STATES:
                    return None
                rows += self._rows(number, action)
            if len(rows) > _MANY and len(rows) * len(model.states) > 4 * MOST_MOVES * (number + 1):
                return None  # extrapolated: there will be too many
        return None if len(rows) > MOST_MOVES else self._data(rows, whole=True)

    def along(self, steps: Iterable[tuple[int, Any]]) -> dict[str, Any] | None:
        """The rows for some steps, each an action done in a belief; None if there are too many."""
        pairs = dict.fromkeys((number, action) for belief, action in steps for number in bit_numbers(belief))
        rows: list[Move] = []
        for number, action in pairs:
            rows += self._rows(number, action)
            if len(rows) > MOST_MOVES:
                return None
        return self._data(rows, whole=False)

    def in_graph(self, steps: Iterable[tuple[int, Any, int]]) -> dict[str, Any]:
        """The rows for some steps of a plain problem, each a node, an action, and the node that follows."""
        view, steps = self.view, list(dict.fromkeys(steps))
        nodes = (node for step in steps for node in (step[0], step[2]))
        number_of = {node: self.tables.state(view.members(node)[0]) for node in nodes}
        rows = [
            (number_of[node], action, number_of[result], None, None, json_number(view.action_cost(node, action)))
            for node, action, result in steps
        ]
        return moves_data(self.tables, rows, odds=False, whole=False)

    def _rows(self, number: int, action: Any) -> list[Move]:
        """Return the rows of an action in a state, with the state numbers of the model."""
        problem, model = self.view.problem, self.view.model
        state = model.states[number]
        odds = (self.odds or self._alike)(state, action)
        shares = totals((share, (model.number(result), percept)) for result, percept, share in odds)
        cost = json_number(written_cost(problem, state, action))
        return [(number, action, result, percept, share, cost) for (result, percept), share in shares.items()]

    def _alike(self, state: Any, action: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Return the outcomes if all results are equally likely, and all percepts of each result."""
        results = tuple(successors(self.view.problem, state, action, self.tick))
        for result in results:
            percepts = perceived(self.view.problem, result, action)
            share = len(results) * len(percepts)
            yield from ((result, percept, 1 if share == 1 else Fraction(1, share)) for percept in percepts)

    def _data(self, rows: list[Move], *, whole: bool) -> dict[str, Any]:
        """Return the rows as page data, with the state numbers of the page."""
        known, pays = self.view.model.states, self.reward
        numbers = self.tables.states(known)
        ways: dict[tuple[int, Any], set[Any]] = {}
        for number, action, _, _, share, _ in rows:
            ways.setdefault((number, action), set()).add(share)
        uneven = any(len(shares) > 1 for shares in ways.values())
        paid = pays and [pays(known[number], action, known[result]) for number, action, result, *_ in rows]
        moves = [(numbers[row[0]], row[1], numbers[row[2]], *row[3:]) for row in rows]
        return moves_data(self.tables, moves, odds=uneven, reward=paid, whole=whole)

    def goal_sets(self) -> list[list[int]] | None:
        """Return the listed states of each goal set; None if single states decide whether a belief is won."""
        if not self.view.problem.overrides("goal_sets"):
            return None
        states, listed = self.view.model.states, set(self.tables.known_states)
        goals = ([states[number] for number in members] for members in self.view.model.goal_members)
        return [[self.tables.state(state) for state in goal if state in listed] for goal in goals]
