"""Policies in plan files: an entry for each state with an action."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import InvalidPlanError
from ..model.checked import checked_outcomes, checked_utility
from ..model.problem import Action, Number, State
from ..model.stochastic import StochasticProblem
from .encoding import Json, encode_action, encode_state, number_from_json, number_to_json
from .policy import Policy


def policy_plan(policy: Policy[State, Action], problem: StochasticProblem[State, Action]) -> dict[str, Json]:
    """The field `plan` of a plan file: the policy in every reachable state that is not terminal.

    States are written as they come up, without `canonical`.
    """
    entries: list[Json] = []
    for state in _states(problem):
        if problem.is_terminal(state):
            continue
        action = encode_action(problem, policy.action(state))
        entries.append([encode_state(problem, state), action, number_to_json(policy.value(state))])
    return {"kind": "policy", "states": entries}


def _states(problem: StochasticProblem[State, Action]) -> list[State]:
    """Every state that can come up, breadth-first."""
    states = [problem.initial_state()]
    met = set(states)
    for state in states:  # grows while it is walked
        for action in () if problem.is_terminal(state) else problem.actions(state):
            for _, result in checked_outcomes(problem, state, action):
                if result not in met:
                    met.add(result)
                    states.append(result)
    return states


def policy_from_plan(plan: Mapping[str, Any], problem: StochasticProblem[State, Action]) -> Policy[State, Action]:
    """Read the policy in a plan file, without checking that it is optimal.

    Raises `InvalidPlanError` if the entry of a state is missing, or names no action that applies there.
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
            raise InvalidPlanError(f"in the state {problem.format_state(state)} it names no action that applies")
        actions.append(matching[0])
        values.append(number_from_json(value, f"the value of {problem.format_state(state)}"))
    return Policy(states, actions, values, lambda state: state)
