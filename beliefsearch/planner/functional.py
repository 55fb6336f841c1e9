"""Functions that search: `search` without a problem class, and one for each algorithm, such as `astar(problem)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from attrs import frozen

from ..model.base import Action, Cost, State
from ..model.problem import Problem
from ..plans.policy import PolicyResult
from ..plans.result import SearchResult
from ..running.limits import Limits
from ..running.observer import Observer
from .solve import solve


@frozen
class FunctionProblem(Problem[State, Action], Generic[State, Action]):
    """A plain problem made from functions by `search`."""

    start: State
    goal_test: Callable[[State], bool]
    actions_of: Callable[[State], Iterable[Action]]
    result_of: Callable[[State, Action], State]
    cost_of: Callable[[State, Action], Cost] | None = None
    estimate_of: Callable[[State], Cost] | None = None

    def initial_state(self) -> State:
        return self.start

    def actions(self, state: State) -> Iterable[Action]:
        return self.actions_of(state)

    def result(self, state: State, action: Action) -> State:
        return self.result_of(state, action)

    def is_goal(self, state: State) -> bool:
        return self.goal_test(state)

    def action_cost(self, state: State, action: Action) -> Cost:
        return 1 if self.cost_of is None else self.cost_of(state, action)

    def has_unit_costs(self) -> bool:
        return self.cost_of is None

    def heuristic(self, state: State) -> Cost:
        return 0 if self.estimate_of is None else self.estimate_of(state)

    def has_heuristic(self) -> bool:
        return self.estimate_of is not None


def search(
    start: State,
    goal: State | Callable[[State], bool],
    actions: Iterable[Action] | Callable[[State], Iterable[Action]],
    result: Callable[[State, Action], State],
    *,
    cost: Callable[[State, Action], Cost] | None = None,
    heuristic: Callable[[State], Cost] | None = None,
    solver: str = "auto",
    limits: Limits | None = None,
) -> SearchResult[Action]:
    """Find a cheapest sequence of actions from `start` to `goal`.

    The search does not care what a state is: give it beliefs (frozensets, with a `result` that
    predicts) and it searches without seeing. The first four arguments may be given by name or by their
    place; the order is that of `search` in P. Norvig's notebook.

    Parameters
    ----------
    start
        The initial state.
    goal
        The goal state, or a function that tells whether a state is one.
    actions
        The actions, or a function that lists those applicable in a state.
    result
        The state that follows an action.
    cost
        What an action costs in a state; default: 1.
    heuristic
        A lower bound on the cost from a state to a goal; default: none.
    solver, limits
        As for `solve`.

    Examples
    --------
    >>> search(start=1, goal=10, actions=["double", "increment"],
    ...        result=lambda n, action: 2 * n if action == "double" else n + 1).plan
    ('double', 'double', 'increment', 'double')
    """
    if callable(goal):
        goal_test = goal
    else:
        goal_state = goal

        def goal_test(state: State) -> bool:
            return state == goal_state

    if callable(actions):
        actions_of = actions
    else:
        all_actions = tuple(actions)

        def actions_of(state: State) -> Iterable[Action]:
            return all_actions

    problem = FunctionProblem(start, goal_test, actions_of, result, cost, heuristic)
    return solve(problem, solver=solver, limits=limits)


_Result = TypeVar("_Result", covariant=True)


@frozen
class Algorithm(Generic[_Result]):
    """Solver of this name as a function; the view of a problem that it searches is chosen by the problem's kind."""

    name: str

    def __call__(
        self, problem: Any, *, limits: Limits | None = None, observer: Observer | None = None, **options: Any
    ) -> _Result:
        """Solve a problem; the options are those of `solve` that go with the solver, such as `heuristic`."""
        found: Any = solve(problem, solver=self.name, limits=limits, observer=observer, **options)
        return found  # type: ignore[no-any-return]  # which is what the solver finds


breadth_first: Algorithm[SearchResult[Any]] = Algorithm("breadth-first")
uniform_cost: Algorithm[SearchResult[Any]] = Algorithm("uniform-cost")
astar: Algorithm[SearchResult[Any]] = Algorithm("astar")
weighted_astar: Algorithm[SearchResult[Any]] = Algorithm("weighted-astar")
anytime_weighted_astar: Algorithm[SearchResult[Any]] = Algorithm("anytime-weighted-astar")
greedy_best_first: Algorithm[SearchResult[Any]] = Algorithm("greedy-best-first")
ida_star: Algorithm[SearchResult[Any]] = Algorithm("ida-star")
iterative_deepening: Algorithm[SearchResult[Any]] = Algorithm("iterative-deepening")
depth_first: Algorithm[SearchResult[Any]] = Algorithm("depth-first")
bidirectional: Algorithm[SearchResult[Any]] = Algorithm("bidirectional")
regression: Algorithm[SearchResult[Any]] = Algorithm("regression")
and_or: Algorithm[SearchResult[Any]] = Algorithm("and-or")
and_or_graph: Algorithm[SearchResult[Any]] = Algorithm("and-or-graph")
alpha_beta: Algorithm[SearchResult[Any]] = Algorithm("alpha-beta")
closed_loop_greedy: Algorithm[SearchResult[Any]] = Algorithm("closed-loop-greedy")
expected_and_or: Algorithm[SearchResult[Any]] = Algorithm("expected-and-or")
backward_induction: Algorithm[PolicyResult[Any, Any]] = Algorithm("backward-induction")
policy_iteration: Algorithm[PolicyResult[Any, Any]] = Algorithm("policy-iteration")
value_iteration: Algorithm[PolicyResult[Any, Any]] = Algorithm("value-iteration")
finite_horizon: Algorithm[PolicyResult[Any, Any]] = Algorithm("finite-horizon")
belief_graph: Algorithm[PolicyResult[Any, Any]] = Algorithm("belief-graph")
hsvi: Algorithm[PolicyResult[Any, Any]] = Algorithm("heuristic-search-value-iteration")
