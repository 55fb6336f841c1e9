"""The answer to a small problem by brute force: all beliefs are drawn, and costs improved until nothing changes.

It stands on the definition of a belief alone (`model/belief.py`), and shares nothing with engine, solvers, heuristics
or any hook: neither `canonical` nor `heuristic` is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeAlias

from ..errors import LimitError, ProblemError
from ..kinds import is_stochastic
from ..model.base import Cost, Number
from ..model.belief import (
    Belief,
    applicable_actions,
    belief_cost,
    initial_belief,
    is_goal_belief,
    outcomes,
    perceived,
    successors,
)
from ..model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_reward,
    checked_utility,
)
from ..model.problem import BeliefProblem
from ..model.stochastic import AnyProblem, StochasticProblem

# An action, its cost, and by percept the belief that follows.
_Step: TypeAlias = "tuple[Any, Cost, Mapping[Any, Belief[Any]]]"
# By action: its reward, and its outcomes.
_Chances: TypeAlias = "list[tuple[Number, tuple[tuple[Number, Any], ...]]]"
# Where a game of chance may come back to a state, values are improved until they change by less than this, but not
# more often than so many times all together.
_STILL = 1e-13
_MOST_STEPS = 20_000_000


def brute_force_answer(problem: AnyProblem[Any, Any], *, most: int = 10_000) -> Number | None:
    """The answer to a small problem, found without any solver.

    Parameters
    ----------
    problem
        A problem of any kind.
    most
        How many beliefs (of a stochastic problem: states) may come up at most.

    Returns
    -------
    Number or None
        As in `KnownAnswer`: the least cost in the worst case, infinite if only a plan that keeps trying wins, None if
        no plan does; of a stochastic problem the value. Exact where costs, rewards and probabilities are, except the
        value of a game that may come back to a state: that is a float, from below, as near as sums of floats come.

    Raises
    ------
    LimitError
        If there are more beliefs, or states.
    ProblemError
        If the problem breaks its contract.

    Notes
    -----
    Bellman's equations by repeated improvement, O(n² m) for n beliefs and m pairs of an action and an outcome each.
    Source: Russell and Norvig, 4th edition, sections 4.3, 4.4 and 17.2; for plans that keep trying, the largest set of
    beliefs from each of which, in each of its states, the goal can be reached by actions that never leave the set;
    that some state leads on is not enough, as the player may be in another (Cimatti, Pistore, Roveri and
    Traverso, "Weak, strong, and strong cyclic planning via symbolic model checking", 2003).

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> brute_force_answer(DevilProblem(n=2)), brute_force_answer(DevilProblem(n=3))
    (3, None)
    """
    if is_stochastic(problem):
        if not problem.sees_state():
            raise ProblemError(
                f"the states of {type(problem).__name__} are not seen, and there may be no end of what can be known; "
                "give known answers with a horizon instead"
            )
        return _value(problem, most)
    return _least_cost(problem, most)  # type: ignore[arg-type]  # what is not stochastic is a belief problem


def _least_cost(problem: BeliefProblem[Any, Any, Any], most: int) -> Number | None:
    """The least cost in the worst case."""
    start = initial_belief(problem)
    steps = _all_steps(problem, start, most)
    cost = _least_costs(steps)[start]
    if cost < math.inf:
        return cost
    keeps_trying = not problem.has_adversary() and _can_keep_trying(problem, steps, start)
    return math.inf if keeps_trying else None


def _all_steps(
    problem: BeliefProblem[Any, Any, Any], start: Belief[Any], most: int
) -> dict[Belief[Any], list[_Step] | None]:
    """Return, by belief that can come up, each action's cost and outcomes; None where the player has won."""
    steps: dict[Belief[Any], list[_Step] | None] = {}
    frontier = [start]
    met = {start}
    for belief in frontier:  # grows while it is walked
        if is_goal_belief(problem, belief):
            steps[belief] = None
            continue
        here = steps[belief] = []
        for action in applicable_actions(problem, belief):
            following = {percept: frozenset(part) for percept, part in outcomes(problem, belief, action).items()}
            here.append((action, belief_cost(problem, belief, action), following))
            frontier += [after for after in dict.fromkeys(following.values()) if after not in met]
            met.update(following.values())
            if len(met) > most:
                raise LimitError(f"brute force is for small instances: this one has more than {most:,} beliefs")
    return steps


def _least_costs(steps: Mapping[Belief[Any], list[_Step] | None]) -> dict[Belief[Any], Cost]:
    costs: dict[Belief[Any], Cost] = {belief: 0 if here is None else math.inf for belief, here in steps.items()}
    backwards = [*steps.items()][::-1]  # ends are known first
    changed = True
    while changed:
        changed = False
        for belief, here in backwards:
            for _, cost, following in here or ():
                whole = cost + max(costs[after] for after in following.values())
                if whole < costs[belief]:
                    costs[belief] = whole
                    changed = True
    return costs


def _can_keep_trying(
    problem: BeliefProblem[Any, Any, Any], steps: Mapping[Belief[Any], list[_Step] | None], start: Belief[Any]
) -> bool:
    """Whether a plan that keeps trying wins against chance, whatever the true state is: see the notes above."""
    safe = set(steps)
    while True:
        ways = {
            (belief, state): _ways(problem, state, [step for step in here if safe.issuperset(step[2].values())])
            for belief, here in steps.items()
            if here is not None and belief in safe
            for state in belief
        }
        reaching = {(belief, state) for belief in safe if steps[belief] is None for state in belief}
        size = -1
        while size < len(reaching):
            size = len(reaching)
            reaching.update(pair for pair, following in ways.items() if not reaching.isdisjoint(following))
        left = {belief for belief in safe if all((belief, state) in reaching for state in belief)}
        if left == safe:
            return start in safe
        safe = left


def _ways(problem: BeliefProblem[Any, Any, Any], state: Any, steps: Iterable[_Step]) -> set[tuple[Belief[Any], Any]]:
    """Yield the outcomes of these actions where `state` is the true one: beliefs, with the true state then."""
    return {
        (following[percept], result)
        for action, _, following in steps
        for result in successors(problem, state, action)
        for percept in perceived(problem, result, action)
    }


def _value(problem: StochasticProblem[Any, Any], most: int) -> Number:
    """Return the value of the game, reckoned back from its ends, or by improving a bound from below."""
    starts = checked_initial_distribution(problem)
    chances: dict[Any, _Chances] = {}
    values: dict[Any, Number] = {}
    frontier = list(dict.fromkeys(state for _, state in starts))
    met = set(frontier)
    for state in frontier:  # grows while it is walked
        if problem.is_terminal(state):
            values[state] = checked_utility(problem, state)
            continue
        chances[state] = [
            (checked_reward(problem, state, action), checked_outcomes(problem, state, action))
            for action in problem.actions(state)
        ]
        if not chances[state]:
            raise ProblemError(f"{type(problem).__name__}.actions({state!r}) gave none, and the state is not terminal")
        for _, after in (pair for _, row in chances[state] for pair in row):
            if after not in met:
                met.add(after)
                frontier.append(after)
        if len(met) > most:
            raise LimitError(f"brute force is for small instances: this one has more than {most:,} states")

    discount: Any = checked_discount(problem)
    if not values and discount == 1:
        raise ProblemError("the game never ends: no terminal state can be reached")

    def mean(row: tuple[tuple[Number, Any], ...]) -> Any:
        return sum(chance * values[after] for chance, after in row)

    def best(state: Any) -> Any:
        return max(reward + discount * mean(row) for reward, row in chances[state])

    follows = {state: [after for _, row in rows for _, after in row] for state, rows in chances.items()}
    try:
        order = [state for state in TopologicalSorter(follows).static_order() if state in chances]
    except CycleError:
        rewards = [float(reward) for rows in chances.values() for reward, _ in rows]
        if any(rewards) and discount == 1:
            raise ProblemError("brute force adds up rewards if no state comes again, or with a discount") from None
        # Who never comes to an end gets nothing; so what the worst end is worth bounds every value from below.
        worst = min([float(value) for value in values.values()] or [0.0])
        if any(rewards):
            worst = min(worst, 0.0) + min([*rewards, 0.0]) / (1 - float(discount))
        elif discount < 1:
            worst = min(worst, 0.0)
        values.update(dict.fromkeys(chances, worst))
        left = _MOST_STEPS
        while left > 0:
            change = 0.0
            for state in reversed(chances):
                value = best(state)
                change = max(change, float(value - values[state]))
                values[state] = value
            if change < _STILL:
                return mean(starts)  # type: ignore[no-any-return]  # a number
            left -= sum(map(len, follows.values()))
        raise LimitError("brute force is for small instances: the values of this one do not settle") from None
    for state in order:
        values[state] = best(state)
    return mean(starts)  # type: ignore[no-any-return]  # a number
