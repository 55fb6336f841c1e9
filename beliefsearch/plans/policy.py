"""Policies of states, policy graphs for players who do not see the state, and the result that holds either."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic

from attrs import field, frozen

from ..errors import BeliefSearchError, DoesNotHoldError, LimitError
from ..model.base import Action, Number, Percept, State
from ..model.canvas.html import box, table
from ..model.checked import checked_discount, checked_initial_distribution, checked_reward
from ..model.stochastic import StochasticProblem
from ..model.values import as_number, is_exact, stable_text
from .result import SearchStats, Status
from .wording import Telling, plural, telling_of, value_text


@frozen(eq=False, repr=False)
class PolicyGraph(Generic[State, Action, Percept]):
    """Policy as a graph (a *finite-state controller*): each node has an action, and a next node for each percept.

    Attributes
    ----------
    actions
        The action of each node.
    successors
        The next node of each node for each percept that may come.
    values
        The expected reward of each node from each state on. The node must not be used in states that are missing.
    start
        The node in which the game begins.
    steps
        The number of actions left at each node; None if the horizon is infinite.
    """

    actions: Sequence[Action]
    successors: Sequence[Mapping[Percept, int]]
    values: Sequence[Mapping[State, Number]]
    start: int = 0
    steps: Sequence[int] | None = None

    def action(self, node: int) -> Action:
        """Return the action of a node."""
        return self.actions[node]

    def follow(self, node: int, percept: Percept) -> int:
        """The next node.

        Raises
        ------
        DoesNotHoldError
            If the policy does not say what to do after that percept.
        """
        try:
            return self.successors[node][percept]
        except KeyError:
            raise DoesNotHoldError(f"the policy says nothing about the percept {percept!r}") from None

    def value(self, node: int, belief: Mapping[State, Number]) -> Number | None:
        """The expected reward of a node in a belief; None if the node must not be used there."""
        values = self.values[node]
        if not all(state in values for state in belief):
            return None
        total: Any = sum(probability * values[state] for state, probability in belief.items())
        number: Number = total
        return number

    def best_node(self, belief: Mapping[State, Number], done: int = 0) -> int | None:
        """The node of the highest value in a belief, the first of several; None if none may be used there.

        With a finite horizon only nodes count that have as many actions left as the game after `done` actions.
        """
        best: int | None = None
        most: Any = None
        for node in range(len(self)):
            if self.steps is not None and self.steps[node] != self.steps[self.start] - done:
                continue
            value = self.value(node, belief)
            if value is not None and (most is None or value > most):
                best, most = node, value
        return best

    def __len__(self) -> int:
        return len(self.actions)

    def __repr__(self) -> str:
        return f"<policy graph of {plural(len(self), 'node')}>"

    def notebook_part(self) -> str:
        """The graph as HTML: the first nodes with their actions and successors."""
        rows = (
            (
                node,
                stable_text(action),
                ", ".join(f"{stable_text(percept)}: {target}" for percept, target in following.items()),
            )
            for node, (action, following) in enumerate(zip(self.actions, self.successors, strict=True))
        )
        return table(rows, ("node", "action", "then"), len(self))

    def _repr_html_(self) -> str:
        """For notebooks: the first nodes with their actions and successors."""
        return box(f"Policy graph of {plural(len(self), 'node')}", self.notebook_part())


PRECISION = 1e-3
"""The default gap between the bounds on the value of a partially observable problem, relative to the larger bound."""
ROUNDING = 1e-12
"""The relative difference from the best value up to which an action counts as best, with floats; see `slack`."""


def start_text(problem: StochasticProblem[Any, Any]) -> str:
    """Name the initial state, which the player sees, or the likeliest one of several."""
    start, count = problem.format_state(problem.initial_state()), len(checked_initial_distribution(problem))
    return f"the start, {start}" if count == 1 else f"the likeliest of {count:,} starts, {start}"


@frozen(eq=False, repr=False)
class Policy(Generic[State, Action]):
    """The best action in each state, and its expected utility.

    Attributes
    ----------
    states
        The states that the policy covers, up to `canonical`.
    choices
        The action in each of `states`; None in a terminal state.
    values
        The expected utility of each of `states`, under this policy.
    canonical
        The problem's function from a state to its representative.
    tally
        A function that counts by arrays the states in which each set of actions is best, given `slack`; None if the
        solver has no arrays.
    """

    states: Sequence[State] = field(repr=False)
    choices: Sequence[Any] = field(repr=False)
    values: Sequence[Any] = field(repr=False)
    canonical: Callable[[State], State] = field(repr=False)
    tally: Callable[[Callable[[Any], Any]], Mapping[tuple[Action, ...], int]] | None = field(default=None, repr=False)

    def action(self, state: State) -> Action:
        """The best action in `state`, the first of several equally good ones; None if `state` is terminal.

        Raises
        ------
        BeliefSearchError
            If the policy does not cover the state: it is unreachable, or the search was stopped too early.
        """
        action: Action = self.choices[self._place(state)]
        return action

    def value(self, state: State) -> Number:
        """The expected utility from `state` on; raises as `action` does."""
        value: Number = as_number(self.values[self._place(state)])
        return value

    def value_after(self, outcomes: Iterable[tuple[Number, State]]) -> Number:
        """The expected utility after an action with these outcomes, not discounted; raises as `action` does."""
        # An outcome of probability 0 is unreachable, so the policy need not cover it.
        return sum(probability * self.value(result) for probability, result in outcomes if probability)

    def start_value(self, problem: StochasticProblem[State, Action]) -> Number:
        """The expected utility of the game: the mean of the values of its starts; raises as `action` does."""
        return self.value_after(checked_initial_distribution(problem))

    def worth(self, problem: StochasticProblem[State, Action], state: State, action: Action) -> Number:
        """Return the value of doing `action` in `state` and following the policy then; raises as `action` does."""
        after: Any = self.value_after(problem.outcomes(state, action))
        reward: Any = checked_reward(problem, state, action)
        discount: Any = checked_discount(problem)
        number: Number = reward + discount * after
        return number

    def best_actions(self, problem: StochasticProblem[State, Action], state: State) -> list[Action]:
        """All best actions in `state`, up to `slack`; raises as `action` does."""
        worth = {action: self.worth(problem, state, action) for action in problem.actions(state)}
        best: Any = max(worth.values())
        least = best - self.slack(best)
        return [action for action, value in worth.items() if value >= least]

    def slack(self, value: Any) -> Any:
        """Return the largest difference from the best value at which an action counts as equally good.

        It is 0 if all numbers are exact. With floats it is the share `ROUNDING` of the value; or, if there are values
        of both signs, of the largest absolute value, since small sums may then consist of rounding errors. `value` may
        be an array.
        """
        if self.exact:
            return 0
        return ROUNDING * (abs(value) if self._largest is None else self._largest)

    @cached_property
    def exact(self) -> bool:
        """Whether all values are whole numbers or fractions."""
        return all(is_exact(as_number(value)) for value in self.values)

    @cached_property
    def _largest(self) -> float | None:
        """The largest absolute value if there are values of both signs."""
        low, high = float(min(self.values)), float(max(self.values))
        return max(-low, high) if low < 0 < high else None

    def knows(self, state: State) -> bool:
        """Whether the policy covers `state`."""
        return self.canonical(state) in self._places

    def items(self) -> Iterator[tuple[State, Action, Number]]:
        """Every state with its action and its value."""
        for place, state in enumerate(self.states):
            yield state, self.choices[place], as_number(self.values[place])

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<policy of {plural(len(self.states), 'state')}>"

    def notebook_part(self) -> str:
        """The policy as HTML: the first states with their actions and values."""
        rows = (
            (stable_text(state), "" if action is None else stable_text(action), value_text(value))
            for state, action, value in self.items()
        )
        return table(rows, ("state", "action", "value"), len(self))

    def _repr_html_(self) -> str:
        """For notebooks: the first states with their actions and values."""
        return box(f"Policy of {plural(len(self), 'state')}", self.notebook_part())

    @cached_property
    def _places(self) -> Mapping[State, int]:
        # Made on demand: a sweep asks each of thousands of policies for one value only.
        return {state: place for place, state in enumerate(self.states)}

    def _place(self, state: State) -> int:
        place = self._places.get(self.canonical(state))
        if place is None:
            raise BeliefSearchError(f"the policy says nothing about the state {state!r}")
        return place


@frozen(eq=False)
class PolicyResult(Generic[State, Action]):
    """The result of solving a stochastic problem, with the best policy that was found.

    Attributes
    ----------
    status
        `SOLVED` or `UNDECIDED`.
    value
        The value of the policy; None unless solved.
    policy
        The best policy; a `PolicyGraph` if the state is not always seen. If undecided: a `Policy` of the states whose
        value is final, or the best graph so far; None if there is none.
    solver
        The name of the solver.
    reason
        Why an undecided search stopped, in words.
    stats
        The statistics of the search.
    lower_bound
        The value of the policy graph, up to rounding. None: no bound is known, or every state is seen, so that the
        value is found with the policy.
    upper_bound
        No policy attains more, up to rounding.
    found
        The data of a search from which `prove` makes a certificate of the bounds.
    problem
        The problem that was given to `solve`; for `save`.

    Raises
    ------
    ValueError
        When constructed against the invariants: solved if and only if there is a value, and then a policy and no
        reason; and the lower bound is not above the upper one.
    """

    status: Status
    value: Number | None
    # Any stands for a policy graph, whose type of percepts this class does not know.
    policy: Policy[State, Action] | Any | None
    solver: str
    reason: str | None = None
    stats: SearchStats = field(factory=SearchStats)
    lower_bound: Number | None = None
    upper_bound: Number | None = None
    found: Any = field(default=None, repr=False)
    problem: Any = field(default=None, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        status, lower, upper = self.status, self.lower_bound, self.upper_bound
        if status is Status.UNSOLVABLE:
            raise ValueError("a stochastic problem always has a best policy, so it is solved or undecided")
        if (self.value is not None) != (status is Status.SOLVED):
            raise ValueError(f"a result is solved if and only if it has a value: {status}, value {self.value!r}")
        if self.policy is None and status is Status.SOLVED:
            raise ValueError("a result that is solved has a policy")
        if (self.reason is not None) != (status is Status.UNDECIDED):
            raise ValueError(f"a result has a reason if and only if it is undecided: {status}, {self.reason!r}")
        if lower is not None and upper is not None and not lower <= upper:
            raise ValueError(f"the lower bound {lower!r} is above the upper bound {upper!r}")

    def require_policy(self) -> Policy[State, Action]:
        """The best policy of a problem in which every state is seen, or an error if there is none.

        Raises
        ------
        BeliefSearchError
            If not every state is seen, so that the answer is a policy graph.
        LimitError
            If the search stopped before it knew.
        """
        policy = self.require_answer()
        if isinstance(policy, PolicyGraph):
            raise BeliefSearchError("the answer is a policy graph; require_policy_graph() gives it")
        return policy

    def require_policy_graph(self) -> PolicyGraph[State, Action, Any]:
        """The best policy graph found; raises as `require_policy` does.

        A search that was stopped has one, too; `lower_bound` and `upper_bound` tell how good it is.
        """
        policy = self.require_answer()
        if not isinstance(policy, PolicyGraph):
            raise BeliefSearchError("the answer is a policy of states; require_policy() gives it")
        return policy

    def require_answer(self) -> Policy[State, Action] | Any:
        """The best policy, of either form; raises `LimitError` if the search stopped too early.

        The policy graph of an undecided search is an answer; its policy of states is none, since it lacks some states.
        """
        if self.policy is None or not (self.status is Status.SOLVED or isinstance(self.policy, PolicyGraph)):
            raise LimitError(f"the search was stopped ({self.reason}) before it found the best policy")
        return self.policy

    def _repr_html_(self) -> str:
        """For notebooks: the value, the policy and what the search did."""
        solved = self.status is Status.SOLVED
        facts = [("found by", self.solver), ("work", self.stats.summary)]
        title = f"Undecided: {self.reason}"
        if solved:
            telling = Telling() if self.problem is None else telling_of(self.problem)
            title = f"Solved: the {telling.called} is {value_text(telling.value(self.value))}"
        return box(title, table(facts), "" if self.policy is None else self.policy.notebook_part())

    @property
    def has_bounds(self) -> bool:
        """Whether this is the result of a partially observable problem, with bounds and a policy graph."""
        return self.upper_bound is not None or (isinstance(self.policy, PolicyGraph) and len(self.policy) > 0)

    @property
    def bounds(self) -> tuple[Any, Any]:
        """Bounds on the value; None where none is known."""
        if self.lower_bound is None and self.upper_bound is None:
            return self.value, self.value
        return self.lower_bound, self.upper_bound

    @property
    def exact(self) -> bool:
        """Whether the value is a whole number or a fraction, computed without rounding."""
        return is_exact(self.value)
