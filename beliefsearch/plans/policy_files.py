"""Policies in plan files: an entry for each state, or for each node of a policy graph, in multiples of a unit."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..errors import DoesNotHoldError, InvalidPlanError
from ..model.base import Action, Number, Percept, State
from ..model.checked import (
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_utility,
)
from ..model.exact import exact, rounded
from ..model.reachability import walk
from ..model.stochastic import StochasticProblem
from ..model.values import listed, whole
from .encoding import Json, encode_action, encode_percept, encode_state, number_from_json, number_to_json
from .policy import Policy, PolicyGraph


def steps_left(plan: Mapping[str, Any], following: Sequence[Iterable[int]]) -> tuple[int, ...] | None:
    """Return the number of actions left at each node of a policy graph with a horizon; None for one without.

    `following` has the successors of each node. Raises `InvalidPlanError` if the horizon is no number of actions, or a
    node is reached with several numbers of actions left, or not at all.
    """
    horizon = plan.get("horizon")
    if horizon is None:
        return None
    if type(horizon) is not int or horizon < 0 or (horizon == 0) != (not following):
        raise InvalidPlanError(f"the horizon of its plan should be how many actions it has, but is {horizon!r:.40}")
    left = {0: horizon} if horizon else {}
    waiting = list(left)
    for place in waiting:  # grows while it is walked
        for target in following[place]:
            if target not in left:
                left[target] = left[place] - 1
                waiting.append(target)
            if left[target] != left[place] - 1 or left[target] < 1:
                raise InvalidPlanError(f"node {target} of its plan is come to with several numbers of actions left")
    if len(left) < len(following):
        raise InvalidPlanError("its plan has a horizon, and a node that is never come to")
    return tuple(left[place] for place in range(len(following)))


# If the common denominator of the values has more than 256 bits, they are rounded down to multiples of 2^-64.
_MOST_BITS, _ROUNDED_BITS = 256, 64
# Values of a node are written as pairs if at most one state in so many has one.
_FEW = 8


def policy_graph_plan(
    graph: PolicyGraph[State, Action, Percept],
    problem: StochasticProblem[State, Action, Percept],
    come_up: tuple[Sequence[State], Sequence[Percept]] | None = None,
) -> dict[str, Json]:
    """The field `plan` of a plan file: the reachable states, the percepts, and the nodes, beginning with the start.

    `come_up` has the states and percepts if the search knows them; otherwise they are explored.
    """
    states, percepts = come_up or _states_and_percepts(problem)
    order = [graph.start, *(node for node in range(len(graph)) if node != graph.start)] if len(graph) else []
    place_of = {node: place for place, node in enumerate(order)}
    place_of_state = {state: place for place, state in enumerate(states)}
    unit = _unit(value for values in graph.values for value in values.values())
    nodes: list[Json] = []
    for node in order:
        following = graph.successors[node]
        targets: list[Json] = [place_of[following[key]] if key in following else None for key in percepts]
        whole: dict[int, int] = {}
        for state, value in graph.values[node].items():
            if state in place_of_state:
                numerator, denominator = value.as_integer_ratio()
                whole[place_of_state[state]] = numerator * unit // denominator
        few = _FEW * len(whole) < len(states)  # most states are impossible in most nodes
        values: list[Json] = [[place, number] for place, number in sorted(whole.items())]
        dense: list[Json] = [whole.get(place) for place in range(0 if few else len(states))]
        nodes.append([encode_action(problem, graph.actions[node]), targets, values if few else dense])
    end: dict[str, Json] = {}
    if graph.steps is not None:
        end["horizon"] = graph.steps[graph.start] if len(graph) else 0
    return {
        "kind": "policy-graph",
        **end,
        "states": [encode_state(problem, state) for state in states],
        "percepts": [encode_percept(problem, percept) for percept in percepts],
        "unit": unit,
        "nodes": nodes,
    }


def values_by_state(written: Any, count: int) -> Any:
    """The values of a node by state, None if a state has none; they may be written as pairs of state and value."""
    if not (type(written) is list and written and all(type(pair) is list and len(pair) == 2 for pair in written)):
        return written
    found: list[Any] = [None] * count
    for place, value in written:
        if type(place) is not int or not 0 <= place < count or found[place] is not None:
            return written
        found[place] = value
    return found


def _unit(values: Iterable[Number]) -> int:
    unit = 1
    for value in values:
        unit = math.lcm(unit, value.as_integer_ratio()[1])
        if unit.bit_length() > _MOST_BITS:
            return 1 << _ROUNDED_BITS
    return unit


def attained(plan: Mapping[str, Any], problem: StochasticProblem[Any, Any, Any]) -> Number | None:
    """Return the exact value of the start that a policy graph in a plan file states; None if it states none."""
    total = Fraction(0)
    chances = Fraction(0)
    by_text = {json.dumps(state): place for place, state in enumerate(plan["states"])}
    values = values_by_state(plan["nodes"][0][2], len(by_text)) if plan["nodes"] else None
    for chance, state in checked_initial_distribution(problem):
        chances += Fraction(chance)
        if problem.is_terminal(state):
            total += Fraction(chance) * Fraction(checked_utility(problem, state))
            continue
        value = 0 if plan.get("horizon") == 0 else None
        if values is not None:
            value = values[by_text[json.dumps(encode_state(problem, state))]]
        if value is None:
            return None
        total += Fraction(chance) * Fraction(value, plan["unit"])
    return whole(total / chances)


def rounded_out(lower: Number | None, upper: Number | None) -> tuple[Number | None, Number | None]:
    """Bounds as floats, the lower one rounded down and the upper one up; whole or equal ones stay as they are."""
    if lower is None or upper is None or lower != upper:
        lower = lower if lower is None else rounded(lower, -math.inf)
        upper = upper if upper is None else rounded(upper, math.inf)
    return lower, upper


def relative_gap(lower: Number, upper: Number) -> Number:
    """Return the gap between bounds relative to the larger of their absolute values, rounded up if it is a float."""
    gap = exact(upper) - exact(lower)
    return rounded(Fraction(gap) / max(abs(exact(lower)), abs(exact(upper))), math.inf) if gap else 0


def _states_and_percepts(
    problem: StochasticProblem[State, Action, Percept],
) -> tuple[Sequence[State], Sequence[Percept]]:
    """Return the reachable states that are not terminal, breadth-first, and the percepts that may come in these."""
    percepts: dict[Percept, None] = {}

    def results(state: State) -> Iterator[State]:
        for action in () if problem.is_terminal(state) else listed(problem.actions(state)):
            for _, result in checked_outcomes(problem, state, action):
                yield result
                if not problem.is_terminal(result):
                    arriving = checked_percept_distribution(problem, result, action)
                    percepts.update((percept, None) for _, percept in arriving)

    starts = (state for _, state in checked_initial_distribution(problem))
    return [state for state in walk(starts, results) if not problem.is_terminal(state)], list(percepts)


def policy_plan(policy: Policy[State, Action], problem: StochasticProblem[State, Action]) -> dict[str, Json]:
    """The field `plan` of a plan file: the policy in every reachable state that is not terminal.

    States are not replaced by their `canonical` ones.
    """
    entries: list[Json] = []
    for state in _states(problem):
        if problem.is_terminal(state):
            continue
        action = encode_action(problem, policy.action(state))
        entries.append([encode_state(problem, state), action, number_to_json(policy.value(state))])
    return {"kind": "policy", "states": entries}


def _states(problem: StochasticProblem[State, Action]) -> list[State]:
    """Every reachable state, breadth-first."""

    def results(state: State) -> Iterator[State]:
        for action in () if problem.is_terminal(state) else problem.actions(state):
            for _, result in checked_outcomes(problem, state, action):
                yield result

    return list(walk((state for _, state in checked_initial_distribution(problem)), results))


def policy_from_plan(plan: Mapping[str, Any], problem: StochasticProblem[State, Action]) -> Policy[State, Action]:
    """Read the policy in a plan file, without checking that it is optimal.

    Raises `DoesNotHoldError` if the entry of a state is missing, or names no action that applies there.
    """
    written = plan.get("states") if plan.get("kind") == "policy" else None
    if not isinstance(written, list) or not all(isinstance(entry, list) and len(entry) == 3 for entry in written):
        raise InvalidPlanError("it holds no policy, but the answer to this problem is one")
    by_state = {json.dumps(state): (action, value) for state, action, value in written}
    states = _states(problem)
    actions: list[Action | None] = []
    values: list[Number] = []
    for state in states:
        if problem.is_terminal(state):
            actions.append(None)
            values.append(checked_utility(problem, state))
            continue
        action, value = by_state.get(json.dumps(encode_state(problem, state)), (None, None))
        key = json.dumps(action)
        matching = [known for known in problem.actions(state) if json.dumps(encode_action(problem, known)) == key]
        if len(matching) != 1:
            raise DoesNotHoldError(f"in the state {problem.format_state(state)} it names no action that applies")
        actions.append(matching[0])
        values.append(number_from_json(value, f"the value of {problem.format_state(state)}"))
    return Policy(states, actions, values, lambda state: state)
