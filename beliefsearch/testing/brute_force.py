"""The answer to a small problem by brute force: all beliefs are listed, and costs improved until nothing changes.

It uses the definition of a belief only (`model/belief.py`), and shares no code with the engine, solvers and heuristics.
It calls no optional method of a problem, neither `canonical` nor `heuristic`.
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
# By action: its reward, and its outcomes with their probabilities.
_Chances: TypeAlias = "list[tuple[Number, tuple[tuple[Number, Any], ...]]]"
# The values of a cyclic game of chance are improved until they change by less than this.
_STILL = 1e-13
# The most outcomes that all these improvements may look at.
_MOST_STEPS = 20_000_000


def brute_force_answer(problem: AnyProblem[Any, Any], *, most: int = 10_000) -> Number | None:
    """Return the answer to a small problem, found without any solver.

    Parameters
    ----------
    problem
        A problem of any kind.
    most
        The most reachable beliefs (of a stochastic problem: states) that are allowed.

    Returns
    -------
    Number or None
        As in `KnownAnswer`: the least worst-case cost, infinity if only a plan that keeps trying wins, None if no plan
        does; for a stochastic problem the value. It is exact if costs, rewards and probabilities are, except for a
        game that may return to a state: its value is a float, approximated from below up to rounding.

    Raises
    ------
    LimitError
        If there are more beliefs or states.
    ProblemError
        If the problem breaks its contract.

    Notes
    -----
    It solves Bellman's equations by repeated improvement, in O(n² m) for n beliefs with m pairs of an action and an
    outcome each (Russell and Norvig, 4th edition, sections 4.3, 4.4 and 17.2). A plan that keeps trying exists if the
    initial belief belongs to the largest set of beliefs with this property: from each state of each belief the goal can
    be reached by actions that never leave the set. A path from some state of the belief is not enough, because the true
    state may be another one (Cimatti, Pistore, Roveri and Traverso, "Weak, strong, and strong cyclic planning via
    symbolic model checking", 2003).

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
    return _least_cost(problem, most)  # type: ignore[arg-type]  # every other kind is a belief problem


def _least_cost(problem: BeliefProblem[Any, Any, Any], most: int) -> Number | None:
    """Return the least worst-case cost of the initial belief, as in `brute_force_answer`."""
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
    """Return the actions of each reachable belief with costs and outcomes; None for a goal belief."""
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
    """Return the least worst-case cost of each belief, by value iteration."""
    costs: dict[Belief[Any], Cost] = {belief: 0 if here is None else math.inf for belief, here in steps.items()}
    backwards = [*steps.items()][::-1]  # mostly successors before their parents, which saves rounds
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
    """Whether a plan that keeps trying wins from every state of `start`, see the notes of `brute_force_answer`."""
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
    """Return the possible pairs of the next belief and the next true state after these actions in the state `state`."""
    return {
        (following[percept], result)
        for action, _, following in steps
        for result in successors(problem, state, action)
        for percept in perceived(problem, result, action)
    }


def _value(problem: StochasticProblem[Any, Any], most: int) -> Number:
    """Return the value of the game, by backward induction if no state comes again, else by value iteration."""
    starts = checked_initial_distribution(problem)
    chances, values = _all_chances(problem, [state for _, state in starts], most)
    discount: Any = checked_discount(problem)
    if not values and discount == 1:
        raise ProblemError("the game never ends: no terminal state can be reached")
    follows = {state: [after for _, row in rows for _, after in row] for state, rows in chances.items()}
    try:
        for state in TopologicalSorter(follows).static_order():
            if state in chances:
                values[state] = _best(chances[state], values, discount)
    except CycleError:
        if discount == 1:
            _require_ends(problem, follows, values)
        _iterate_values(chances, values, discount)
    return _mean(starts, values)  # type: ignore[no-any-return]  # a number


def _all_chances(
    problem: StochasticProblem[Any, Any], starts: Iterable[Any], most: int
) -> tuple[dict[Any, _Chances], dict[Any, Number]]:
    """Return the rewards and outcomes of each reachable state, and the utility of each terminal one."""
    chances: dict[Any, _Chances] = {}
    values: dict[Any, Number] = {}
    frontier = list(dict.fromkeys(starts))
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
    return chances, values


def _mean(row: Iterable[tuple[Number, Any]], values: Mapping[Any, Number]) -> Any:
    return sum(chance * values[after] for chance, after in row)


def _best(rows: _Chances, values: Mapping[Any, Number], discount: Any) -> Any:
    return max(reward + discount * _mean(row, values) for reward, row in rows)


def _require_ends(
    problem: StochasticProblem[Any, Any], follows: Mapping[Any, list[Any]], terminal: Iterable[Any]
) -> None:
    """Raise `ProblemError` if a state cannot reach a terminal one: an endless game has no value."""
    ending = set(terminal)
    size = -1
    while size < len(ending):
        size = len(ending)
        ending.update(state for state, after in follows.items() if not ending.isdisjoint(after))
    endless = next((state for state in follows if state not in ending), None)
    if endless is not None:
        shown = problem.format_state(endless)
        raise ProblemError(f"the game never ends: from the state {shown} no terminal state can be reached") from None


def _iterate_values(chances: Mapping[Any, _Chances], values: dict[Any, Number], discount: Any) -> None:
    """Add the values of all states to those of the terminal ones, by value iteration from a lower bound."""
    rewards = [float(reward) for rows in chances.values() for reward, _ in rows]
    if any(rewards) and discount == 1:
        raise ProblemError("brute force adds up rewards if no state comes again, or with a discount") from None
    # A lower bound of all values. Without rewards a value is a mean of utilities, and a discount shrinks it towards 0.
    worst = min([float(value) for value in values.values()] or [0.0])
    if any(rewards):
        worst = min(worst, 0.0) + min([*rewards, 0.0]) / (1 - float(discount))
    elif discount < 1:
        worst = min(worst, 0.0)
    values.update(dict.fromkeys(chances, worst))
    outcomes_each = sum(len(row) for rows in chances.values() for _, row in rows)
    left = _MOST_STEPS
    while left > 0:
        change = 0.0
        for state in reversed(chances):
            value = _best(chances[state], values, discount)
            change = max(change, float(value - values[state]))
            values[state] = value
        if change < _STILL:
            return
        left -= outcomes_each
    raise LimitError("brute force is for small instances: the values of this one do not settle") from None
