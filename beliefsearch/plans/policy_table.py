"""A policy as rows of a table: the values of all actions, the best ones, and their lead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Generic

from attrs import frozen

from ..model.base import Action, Number, State
from ..model.checked import checked_initial_distribution, checked_outcomes
from ..model.reachability import walk
from ..model.stochastic import StochasticProblem
from .policy import ROUNDING, Policy


@frozen
class ActionWorth(Generic[State, Action]):
    """An action, its expected utility if the policy is followed after it, and its outcomes."""

    action: Action
    value: Number
    outcomes: tuple[tuple[Number, State, Number], ...]  # each a probability, a state and the value of that


@frozen
class PolicyRow(Generic[State, Action]):
    """A row: a state that is not terminal, with its actions and their values, in the problem's order."""

    state: State
    action: Action  # of the policy
    value: Number  # by the policy
    best: tuple[Action, ...]  # all actions of the highest value, up to `Policy.slack`
    runner_up: ActionWorth[State, Action] | None  # the best action but the policy's, the first of several
    actions: tuple[ActionWorth[State, Action], ...]

    @property
    def tied(self) -> bool:
        """Whether several actions are equally good."""
        return len(self.best) > 1

    @property
    def margin(self) -> Number | None:
        """Return the lead of the policy's action over the best other one: 0 if equally good; None if there is no other.

        It is below 0 if the policy is not optimal.
        """
        if self.runner_up is None:
            return None
        if {self.action, self.runner_up.action} <= set(self.best):
            return 0
        return next(worth.value for worth in self.actions if worth.action == self.action) - self.runner_up.value


def policy_row(
    problem: StochasticProblem[State, Action], policy: Policy[State, Action], state: State
) -> PolicyRow[State, Action]:
    """The row of one state that is not terminal; `BeliefSearchError` if the policy lacks it or a successor."""
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
        # The first of several equally good actions, although rounding may favour another.
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
    rows: dict[State, PolicyRow[State, Action]] = {}

    def results(state: State) -> Iterator[State]:
        for worth in rows[state].actions if state in rows else ():
            yield from (policy.canonical(result) for _, result, _ in worth.outcomes)

    starts = (policy.canonical(state) for _, state in checked_initial_distribution(problem))
    for state in walk(starts, results):
        if not problem.is_terminal(state):
            rows[state] = policy_row(problem, policy, state)
            yield rows[state]


@frozen
class BestActions(Generic[Action]):
    """The number of reachable, not terminal states, up to `canonical`, in which each set of actions is best."""

    sets: Mapping[tuple[Action, ...], int]  # the actions in the problem's order, the most frequent sets first
    rounding: float  # the relative difference up to which actions are equally good (see `Policy.slack`)

    @property
    def one(self) -> int:
        """The number of states in which a single action is best."""
        return sum(count for actions, count in self.sets.items() if len(actions) == 1)

    @property
    def several(self) -> int:
        """The number of states in which several actions are equally good."""
        return sum(count for actions, count in self.sets.items() if len(actions) > 1)


def best_actions_of(problem: StochasticProblem[State, Action], policy: Policy[State, Action]) -> BestActions[Action]:
    """Count the states in which each set of actions is best, by array operations if the solver used them.

    The value of an action is that of doing it once and following the policy afterwards. If the game may come back to a
    state, a policy that always takes another best action there may never end the game.
    """
    rounding = 0 if policy.exact else ROUNDING
    counts: Mapping[tuple[Action, ...], int]
    if policy.tally is not None:
        counts = policy.tally(policy.slack)
    else:
        choosing = (state for state in policy.states if not problem.is_terminal(state))
        counts = Counter(tuple(policy.best_actions(problem, state)) for state in choosing)
    # The order must not depend on the way of counting.
    order = sorted(counts.items(), key=lambda entry: (-entry[1], [problem.format_action(a) for a in entry[0]]))
    return BestActions(dict(order), rounding)
