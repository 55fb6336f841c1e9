"""Adapters: a problem turned into another problem, such as one that begins with another belief."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from ..errors import BeliefSearchError
from .base import Action, BaseProblem, Cost, Percept, Presentation, State
from .belief import initial_states, no_tick, successors
from .checked import checked_cost
from .hooks import HOLDS_FROM, ArrayHook
from .problem import BeliefProblem, Problem
from .reachability import walk
from .stochastic import AnyProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray


def handed_on(name: str) -> Any:
    """An adapter's method that calls the method of the same name of its `problem`."""

    def method(self: Any, *arguments: Any) -> Any:
        return getattr(self.problem, name)(*arguments)

    return method


class SamePlay(BeliefProblem[State, Action, Percept]):
    """An adapter that hands on the actions, results and goals of its `problem`, and nothing that is optional."""

    problem: BeliefProblem[State, Action, Any]

    def actions(self, state: State) -> Iterable[Action]:
        return self.problem.actions(state)

    def results(self, state: State, action: Action) -> Iterable[State]:
        return self.problem.results(state, action)

    def is_goal(self, state: State) -> bool:
        return self.problem.is_goal(state)


class SameLooks(Presentation[State, Action]):
    """An adapter with the same states and actions: hands on how they are written, read and drawn."""

    problem: Presentation[State, Action]


for _look in [name for name in vars(Presentation) if not name.startswith("_")]:
    setattr(SameLooks, _look, handed_on(_look))


class _SeenOtherwise(SameLooks[State, Action], BeliefProblem[State, Action, Any]):
    """An adapter with the same states: hands on goals, estimates, and how they look."""

    problem: Problem[State, Action]

    def overrides(self, method: str) -> bool:
        return self.problem.overrides(method)

    def is_goal(self, state: State) -> bool:
        return self.problem.is_goal(state)

    def heuristic(self, state: State) -> Cost:
        return self.problem.heuristic(state)

    def canonical(self, state: State) -> State:
        return self.problem.canonical(state)

    has_unit_costs = handed_on("has_unit_costs")
    has_heuristic = handed_on("has_heuristic")


class Quotient(_SeenOtherwise[State, Action], Problem[State, Action]):
    """A plain problem up to symmetry: every state is replaced by its `canonical` representative.

    Equivalent states have the same actions, so a plan found here is a plan of the problem itself.
    """

    def __init__(self, problem: Problem[State, Action]) -> None:
        self.problem = problem

    def initial_state(self) -> State:
        return self.problem.canonical(self.problem.initial_state())

    def actions(self, state: State) -> Iterable[Action]:
        return self.problem.actions(state)

    def result(self, state: State, action: Action) -> State:
        return self.problem.canonical(self.problem.result(state, action))

    def action_cost(self, state: State, action: Action) -> Cost:
        return self.problem.action_cost(state, action)


@frozen
class Blindfolded(_SeenOtherwise[State, Action], BeliefProblem[State, Action, None], ArrayHook[State, Action]):
    """A plain problem played blindfolded, from any of its possible starts, until a bell rings.

    The game stops as soon as it is won: nothing changes a goal state. An action that is illegal in a
    state does nothing there. In a problem of unit costs every turn costs 1; otherwise an action that
    does nothing costs nothing.

    Parameters
    ----------
    problem
        The problem to be played; it must list its `possible_starts`.

    Notes
    -----
    The blindfolded player may try, in any state, every action that is legal in some state that can
    come up. To know these, the first use explores everything reachable from the possible starts.
    """

    problem: Problem[State, Action]
    tick: Callable[[], None] = field(default=no_tick, eq=False, repr=False)

    def initial_states(self) -> Iterable[State]:
        return self.problem.possible_starts()

    def actions(self, state: State) -> Iterable[Action]:
        return self._all_actions

    def results(self, state: State, action: Action) -> Iterable[State]:
        return (self.problem.result(state, action) if self._changes(state, action) else state,)

    def action_cost(self, state: State, action: Action) -> Cost:
        if self.problem.has_unit_costs():
            return 1
        return checked_cost(self.problem, state, action) if self._changes(state, action) else 0

    def _changes(self, state: State, action: Action) -> bool:
        return not self.problem.is_goal(state) and action in self.problem.actions(state)

    def is_sensorless(self) -> bool:
        return True

    def all_states(self) -> Sequence[State] | None:
        return self.problem.all_states() if isinstance(self.problem, ArrayHook) else None

    def all_results(self, action: Action) -> NDArray[Any]:
        """The results of the problem, except that a state in which the action is not legal leads to itself."""
        import numpy as np

        assert isinstance(self.problem, ArrayHook), "it has listed its states"
        results = np.array(self.problem.all_results(action))  # a copy, as it is going to be changed
        if results.ndim != 2 or len(results) != len(self._legal):
            return results  # whoever asked will complain
        unchanged = [number for number, legal in enumerate(self._legal) if action not in legal]
        results[unchanged] = [[number] for number in unchanged]
        return results

    @cached_property
    def _legal(self) -> list[frozenset[Action]]:
        """Return, by number of a state in the array hook, the actions that are legal there."""
        none: frozenset[Action] = frozenset()
        states = self.all_states()
        if states is None:
            return []
        return [none if self.problem.is_goal(state) else frozenset(self.problem.actions(state)) for state in states]

    @cached_property
    def _all_actions(self) -> tuple[Action, ...]:
        """All actions legal in some state that can come up, in the order in which they are met."""
        actions: dict[Action, None] = {}

        def results(state: State) -> Iterator[State]:
            for action in () if self.problem.is_goal(state) else self.problem.actions(state):
                self.tick()
                actions[action] = None
                yield self.problem.result(state, action)

        deque(walk(initial_states(self, self.tick), results), maxlen=0)
        return tuple(actions)


# Without `parse_state`, this many reachable states are searched for one with the same text.
_LOOKED_THROUGH = 100_000

# Optional methods, whose answers do not depend on the initial belief. For hooks, `HOLDS_FROM` decides.
_METHODS = [
    name
    for kind in (Presentation, BaseProblem, BeliefProblem)
    for name, value in vars(kind).items()
    if callable(value)
    and not (name.startswith("_") or name == "overrides" or name in BeliefProblem.__abstractmethods__)
]


class StartingFrom(SamePlay[State, Action, Percept]):
    """A belief problem with another initial belief, made by `starting_from`."""

    def __init__(self, problem: BeliefProblem[State, Action, Percept], belief: Sequence[State]) -> None:
        self.problem = problem
        self.belief = tuple(belief)

    def initial_states(self) -> Iterable[State]:
        return self.belief


def starting_from(
    problem: BeliefProblem[State, Action, Percept], belief: Iterable[State]
) -> StartingFrom[State, Action, Percept]:
    """The same problem with `belief` as its initial belief; raises `BeliefSearchError` if that is empty.

    Hooks are recognised by the class of a problem, so this makes a class that derives from the problem's hooks.
    """
    states = tuple(dict.fromkeys(belief))
    if not states:
        raise BeliefSearchError("a belief has at least one state; none was given")
    kind = type(problem)
    given: Any = problem
    hold: list[Any] = [hook for hook, holds in HOLDS_FROM.items() if isinstance(given, hook) and holds(given, states)]
    hooks = [hook for hook in hold if not any(hook in other.__mro__[1:] for other in hold)]  # bases come with these
    names = [name for name in _METHODS if problem.overrides(name)]
    names += [name for hook in hooks for name in hook.__abstractmethods__]
    methods = {name: handed_on(name) for name in names}
    made: type[StartingFrom[State, Action, Percept]] = type(
        kind.__name__, (StartingFrom, *hooks), {"__doc__": kind.__doc__, **methods}
    )
    return made(problem, states)


def read_state(
    problem: AnyProblem[State, Any], text: str, walked: BeliefProblem[State, Any, Any] | None = None
) -> State:
    """The state whose text is `text`; raises `BeliefSearchError` if there is none.

    The author's `parse_state` reads it. Without one, it is the first reachable state whose `format_state` is the text.
    For a stochastic problem `walked` is its version without probabilities, on which states are reached.
    """
    if problem.overrides("parse_state"):
        try:
            return problem.parse_state(text)
        except ValueError as error:
            raise BeliefSearchError(f"{text!r} is no state: {error}") from None
    found: BeliefProblem[State, Any, Any] = walked or problem  # type: ignore[assignment]  # see the docstring
    for state in islice(states_of(found), _LOOKED_THROUGH):
        if problem.format_state(state) == text:
            return state
    author: Any = problem
    while isinstance(author, (Blindfolded, StartingFrom)):
        author = author.problem
    example = problem.format_state(next(states_of(found)))
    raise BeliefSearchError(
        f"{text!r} is no state that can come up in {type(author).__name__}; one is written {example!r}"
    )


def states_of(problem: BeliefProblem[State, Any, Any]) -> Iterator[State]:
    """Every reachable state, breadth-first; not only canonical ones, since a user may name any."""

    def results(state: State) -> Iterator[State]:
        return (result for action in problem.actions(state) for result in successors(problem, state, action))

    return walk(initial_states(problem), results)


@frozen
class Unreduced(SamePlay[State, Action, Any]):
    """A problem without its percepts, symmetry and hooks, for proofs, which must not rely on them."""

    problem: BeliefProblem[State, Action, Any]

    initial_states = handed_on("initial_states")
    goal_sets = handed_on("goal_sets")
    action_cost = handed_on("action_cost")
    has_unit_costs = handed_on("has_unit_costs")


class UnreducedContingent(Unreduced[State, Action]):
    """A contingent problem without symmetry and hooks."""

    def percepts(self, state: State, action: Action) -> Iterable[Any]:
        return self.problem.percepts(state, action)

    is_sensorless = handed_on("is_sensorless")
    format_percept = handed_on("format_percept")
