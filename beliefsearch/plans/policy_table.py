"""A policy as rows for a table: the values of actions, which are best, and by how much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Generic

from attrs import frozen

from ..model.base import Action, Number, State
from ..model.checked import checked_initial_distribution, checked_outcomes
from ..model.stochastic import StochasticProblem
from .policy import ROUNDING, Policy


@frozen
class ActionWorth(Generic[State, Action]):
    """An action, its expected utility if the policy is followed after it, and what may follow it."""

    action: Action
    value: Number
    outcomes: tuple[tuple[Number, State, Number], ...]  # each a probability, a state and the value of that


@frozen
class PolicyRow(Generic[State, Action]):
    """A row: a state that is not terminal, with its actions and their values, in the problem's order."""

    state: State
    action: Action  # of the policy
    value: Number  # by the policy
    best: tuple[Action, ...]  # all that are worth the most, up to `Policy.slack`
    runner_up: ActionWorth[State, Action] | None  # the best that the policy does not take, the first of several
    actions: tuple[ActionWorth[State, Action], ...]

    @property
    def tied(self) -> bool:
        """Whether several actions are equally good."""
        return len(self.best) > 1

    @property
    def margin(self) -> Number | None:
        """Return the lead of the best action over the second best: 0 if equally good; None if there is only one.

        Below 0 for a policy that is not the best one.
        """
        if self.runner_up is None:
            return None
        if {self.action, self.runner_up.action} <= set(self.best):
            return 0
        return next(worth.value for worth in self.actions if worth.action == self.action) - self.runner_up.value


def policy_row(
    problem: StochasticProblem[State, Action], policy: Policy[State, Action], state: State
) -> PolicyRow[State, Action]:
    """The row of one state, which is not terminal; `BeliefSearchError` if the policy lacks it or what may follow."""
    worths = []
    for action in problem.actions(state):
        after = [(chance, result, policy.value(result)) for chance, result in checked_outcomes(problem, state, action)]
        worths.append(ActionWorth(action, policy.worth(problem, state, action), tuple(after)))
    taken = policy.action(state)
    best: Number = max(worth.value for worth in worths)
    least = best - policy.slack(best)
    others = [worth for worth in worths if worth.action != taken]
    return PolicyRow(
        state=state,
        action=taken,
        value=policy.value(state),
        best=tuple(worth.action for worth in worths if worth.value >= least),
        # Of several that are equally good the first, though rounding may favour another.
        runner_up=next((worth for worth in others if worth.value >= least), None)
        or max(others, key=lambda worth: worth.value, default=None),
        actions=tuple(worths),
    )


def policy_rows(
    problem: StochasticProblem[State, Action], policy: Policy[State, Action]
) -> Iterator[PolicyRow[State, Action]]:
    """The rows of all reachable states that are not terminal, breadth-first, up to the policy's `canonical`.

    Raises as `policy_row` does. Linear in the number of outcomes.
    """
    # A policy from a file knows the states as they come up.
    states = list(dict.fromkeys(policy.canonical(state) for _, state in checked_initial_distribution(problem)))
    met = set(states)
    for state in states:  # grows while it is walked
        if problem.is_terminal(state):
            continue
        row = policy_row(problem, policy, state)
        for worth in row.actions:
            for _, result, _ in worth.outcomes:
                known = policy.canonical(result)
                if known not in met:
                    met.add(known)
                    states.append(known)
        yield row


@frozen
class BestActions(Generic[Action]):
    """In how many states that can come up and are not terminal, up to `canonical`, each set of actions is best."""

    sets: Mapping[tuple[Action, ...], int]  # the actions in the problem's order, the most frequent sets first
    rounding: float  # actions that differ by no more than this share are equally good (see `Policy.slack`)

    @property
    def one(self) -> int:
        """In how many states a single action is best."""
        return sum(count for actions, count in self.sets.items() if len(actions) == 1)

    @property
    def several(self) -> int:
        """In how many states several actions are equally good."""
        return sum(count for actions, count in self.sets.items() if len(actions) > 1)


def best_actions_of(problem: StochasticProblem[State, Action], policy: Policy[State, Action]) -> BestActions[Action]:
    """Count the states in which each set of actions is best, by array operations where the policy was found by them.

    Where the game may come back to a state, an action is compared by what it is worth to do it once and to follow
    the policy from then on; who always takes another of the best actions may never end the game.
    """
    rounding = 0 if policy.exact else ROUNDING
    counts: Mapping[tuple[Action, ...], int]
    if policy.tally is not None:
        counts = policy.tally(policy.slack)
    else:
        choosing = (state for state in policy.states if not problem.is_terminal(state))
        counts = Counter(tuple(policy.best_actions(problem, state)) for state in choosing)
    # The order must not depend on how they were found.
    order = sorted(counts.items(), key=lambda entry: (-entry[1], [problem.format_action(a) for a in entry[0]]))
    return BestActions(dict(order), rounding)
