"""Rules about `FactoredHook`: the factors together, and the rules of `Facts`, agree with the whole problem."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

from ....model.belief import initial_states, is_goal_belief, perceived, successors
from ....model.checked import checked_cost
from ....model.diagrams import TRUE
from ....model.factor import Factor, FixedStates
from ....model.fixed_beliefs import FixedBeliefs
from ....model.hooks import FactoredHook
from ....model.partial_states import PartialStates, StateRules, all_hold
from ..rule import Broken, Transitions, broken_if, evenly, given, rule, tell_if_partly

# The most states that are looked at.
_MANY = 1_000


@rule(
    "factors",
    "factors() give, together, the starts, actions, results, percepts, costs and goals of the problem",
    FactoredHook,
    why="A search that goes from one small belief to the next in each factor would find plans that do not win.",
)
def check_factors(problem: Any, transitions: Transitions) -> None:
    """Compare each factor with the whole problem."""
    factors: list[Factor[Any]] = list(given(problem.factors()))
    starts = set(initial_states(problem))
    fixed = [place for place, factor in enumerate(factors) if factor.fixed is not None]
    if len(fixed) > 1:
        raise Broken(f"factors {fixed} are fixed, and one may be")
    if len(starts) != problem.count_starts():
        raise Broken(f"count_starts() gave {problem.count_starts()}, and there are {len(starts)}")
    for place, factor in enumerate(factors):
        local = set(initial_states(factor.problem))
        if local != set(map(factor.of, starts)):
            raise Broken(f"factor {place} has other starts than the whole")
        if factor.fixed is not None:
            _check_fixed(place, factor, factor.fixed, local)
    looked_at = evenly(list(transitions), _MANY)
    if not problem.is_sensorless():
        _check_blocks(problem, factors, {state: transitions[state] for state in looked_at})
    prices: dict[Any, Any] = {}
    for state in looked_at:
        _check_state(problem, factors, state, transitions[state])
        for action in transitions[state]:
            cost = checked_cost(problem, state, action)
            if prices.setdefault(action, cost) != cost:
                raise Broken(f"{action!r} in {state!r} costs {cost}, and elsewhere {prices[action]}", state, action)
    _check_goals(problem, factors, looked_at)
    tell_if_partly(looked_at, transitions, "states")


def _check_fixed(place: int, factor: Factor[Any], fixed: FixedStates[Any], states: set[Any]) -> None:
    """Check that the rules of a factor agree with its problem in every state."""
    sets = FixedBeliefs([factor])
    count = sets.diagrams.count(sets.start, fixed.count)
    if count != len(states):
        raise Broken(f"factor {place}: {count} starts keep its rules, and not {len(states)}")
    for state in states:
        true = fixed.true_in(state)
        if fixed.state_of(true) != state:
            raise Broken(f"factor {place}: {state!r} is not what state_of() gives")
        if not sets.includes(sets.start, state):
            raise Broken(f"factor {place}: {state!r} breaks its rules")
        if sets.diagrams.includes(sets.goal, true) != is_goal_belief(factor.problem, frozenset((state,))):
            raise Broken(f"factor {place}: its rules say something else of {state!r} as a goal", state)
        here = set(factor.problem.actions(state))
        for action in factor.actions:
            if sets.diagrams.includes(sets.needs.get(action, TRUE), true) != (action in here):
                raise Broken(f"factor {place}: its rules say another thing of {action!r} in {state!r}", state, action)
            if action not in here:
                continue
            told = {percept for percept, part in sets.outcomes(sets.start, action) if sets.includes(part, state)}
            if told != set(perceived(factor.problem, state, action)):
                raise Broken(f"factor {place}: {action!r} in {state!r} tells another thing by its rules", state, action)
            if set(successors(factor.problem, state, action)) != {state}:
                raise Broken(f"factor {place} is fixed, and {action!r} changes {state!r}", state, action)


def _check_state(problem: Any, factors: list[Factor[Any]], state: Any, by_action: Any) -> None:
    applicable = set(problem.actions(state))
    for place, factor in enumerate(factors):
        local, own = factor.of(state), set(factor.actions)
        here = set(factor.problem.actions(local))
        if here - own:
            action = (here - own).pop()
            raise Broken(f"{action!r} in {state!r}: factor {place} says it has nothing to do with it", state, action)
        if applicable & own - here:
            action = (applicable & own - here).pop()
            raise Broken(f"{action!r} in {state!r} applies, and not in factor {place}", state, action)
        for action, results in by_action.items():
            after = {local} if action not in own else set(successors(factor.problem, local, action))
            if after != {factor.of(result) for result in results}:
                raise Broken(f"{action!r} in {state!r} has other results in factor {place}", state, action)
            if action in own and checked_cost(factor.problem, local, action) != checked_cost(problem, state, action):
                raise Broken(f"{action!r} in {state!r} has another cost in factor {place}", state, action)
    everywhere: set[Any] = set().union(*(factor.actions for factor in factors))
    for factor in factors:
        everywhere -= set(factor.actions) - set(factor.problem.actions(factor.of(state)))
    if everywhere - applicable:
        action = (everywhere - applicable).pop()
        raise Broken(f"{action!r} in {state!r} applies in all factors, and not in the whole", state, action)


def _check_blocks(problem: Any, factors: list[Factor[Any]], transitions: Transitions) -> None:
    """Check that factors are independent, and that one of them has the percepts of each action."""
    combined = prod(len(set(initial_states(factor.problem))) for factor in factors)
    if combined != problem.count_starts():
        message = f"the starts of the factors combine to {combined}, and not {problem.count_starts()}"
        raise Broken(f"something is perceived, and {message}")
    teller: dict[Any, int] = {}
    for state, by_action in transitions.items():
        for action, results in by_action.items():
            own = [(place, factor) for place, factor in enumerate(factors) if action in factor.actions]
            combined = prod(len(set(successors(factor.problem, factor.of(state), action))) for _, factor in own)
            if combined != len(set(results)):
                raise Broken(f"{action!r} in {state!r} has results that do not combine freely", state, action)
            for result in results:
                said: set[Any] = {None}
                for place, factor in own:
                    told = set(perceived(factor.problem, factor.of(result), action))
                    if told != {None}:
                        said = told
                        if teller.setdefault(action, place) != place:
                            raise Broken(f"factors {teller[action]} and {place} tell of {action!r}", state, action)
                if set(perceived(problem, result, action)) != said:
                    raise Broken(f"{action!r} leads to {result!r}, and no factor tells its percepts", state, action)


def _check_goals(problem: Any, factors: list[Factor[Any]], states: Any) -> None:
    """Check that single states, and pairs, are won in the whole if they are in each factor."""
    goals = [list(problem.goal_sets()), *(list(factor.problem.goal_sets()) for factor in factors)]
    for pair in [*((state, state) for state in states), *pairwise(states)]:
        whole = any(all(state in goal for state in pair) for goal in goals[0])
        parts = all(
            any(all(factor.of(state) in goal for state in pair) for goal in own)
            for factor, own in zip(factors, goals[1:], strict=True)
        )
        if whole != parts:
            here = " and ".join(sorted({repr(state) for state in pair}))
            raise Broken(f"{here}: won in the whole, and not in each factor, or the other way round", pair[0])


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
    tell_if_partly(looked_at, transitions, "states")
