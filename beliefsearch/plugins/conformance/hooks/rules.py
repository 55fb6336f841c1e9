"""Rule about the rules of `Facts`: they say of every state and action what the problem says."""

from __future__ import annotations

from typing import Any

from ....model.belief import perceived
from ....model.hooks import FactoredHook
from ....model.partial_states import PartialStates, StateRules, all_hold
from ..rule import Broken, Partly, Transitions, broken_if, evenly, given, rule

# So many states are looked at.
_MANY = 1_000


@rule(
    "rules",
    "the rules of facts() say what applies, what follows, what is told of it and what is won",
    FactoredHook,
    why="A plan would be taken to win from states from which it does not.",
)
def check_rules(problem: Any, transitions: Transitions) -> None:
    """Compare actions, results, percepts and goals by the rules with those of the problem."""
    rules: StateRules[Any] = given(given(problem.facts()).rules)
    partial = PartialStates(rules)
    broken_if(None if problem.sees_state() else "the player does not see the state")
    looked_at = evenly(list(transitions), _MANY)
    costs: dict[Any, Any] = {}
    for state in looked_at:
        bits = rules.bits(state)
        if all_hold(bits, rules.goal) != problem.is_goal(state):
            raise Broken(f"the rules say something else of {state!r} as a goal", state)
        applicable = {action for action, needs in rules.needs.items() if all_hold(bits, needs)}
        for action in applicable.symmetric_difference(transitions[state]):
            raise Broken(f"the rules say another thing of {action!r} in {state!r}", state, action)
        for action, results in transitions[state].items():
            if costs.setdefault(action, cost := problem.action_cost(state, action)) != cost:
                raise Broken(f"{action!r} in {state!r} costs {cost}, and {costs[action]} elsewhere", state, action)
            if {*map(rules.bits, results)} != {*partial.results(bits, action)}:
                raise Broken(f"{action!r} in {state!r} has other results by the rules", state, action)
            told = {(perceived(problem, one, action), rules.bits(one) & rules.told[action]) for one in results}
            if len({percepts for percepts, _ in told} | {bits for _, bits in told}) != 2 * len({*results}):
                raise Broken(f"{action!r} in {state!r} does not tell its results apart as the rules say", state, action)
    if len(looked_at) < len(transitions):
        raise Partly(f"{len(looked_at):,} of {len(transitions):,} states")
