"""A problem with an initial belief that the user chose, and reading the states of that belief."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from ..errors import BeliefSearchError
from .adapters import Blindfolded, SamePlay, handed_on
from .belief import initial_states, successors
from .hooks import HOLDS_FROM
from .presentation import Presentation
from .problem import Action, BaseProblem, BeliefProblem, Percept, State
from .stochastic import AnyProblem

# If the author gives no `parse_state`, this many reachable states are searched for one with the same text.
_LOOKED_THROUGH = 100_000

# What a problem says of states, actions and beliefs is true whatever the initial belief. Each hook says it for itself.
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

    Whether an author gave a hook is seen in the class, so this makes a class that has those of the author's.
    """
    states = tuple(dict.fromkeys(belief))
    if not states:
        raise BeliefSearchError("a belief has at least one state; none was given")
    kind = type(problem)
    given: Any = problem
    hold: list[Any] = [hook for hook, holds in HOLDS_FROM.items() if isinstance(given, hook) and holds(given, states)]
    hooks = [hook for hook in hold if not any(hook in other.__mro__[1:] for other in hold)]  # nor what these extend
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

    The author's `parse_state` reads it; where there is none, the first state that can come up whose `format_state`
    it is. Where chance decides, `walked` is the problem without it, by which states are found.
    """
    if problem.overrides("parse_state"):
        try:
            return problem.parse_state(text)
        except ValueError as error:
            raise BeliefSearchError(f"{text!r} is no state: {error}") from None
    found: BeliefProblem[State, Any, Any] = walked or problem  # type: ignore[assignment]  # as said above
    for state in islice(_states(found), _LOOKED_THROUGH):
        if problem.format_state(state) == text:
            return state
    author: Any = problem
    while isinstance(author, (Blindfolded, StartingFrom)):
        author = author.problem
    example = problem.format_state(next(_states(found)))
    raise BeliefSearchError(
        f"{text!r} is no state that can come up in {type(author).__name__}; one is written {example!r}"
    )


def _states(problem: BeliefProblem[State, Any, Any]) -> Iterator[State]:
    """Every state that can come up, breadth-first; not only canonical ones, since the user may mean any."""
    found = dict.fromkeys(initial_states(problem))
    frontier = list(found)
    yield from frontier
    for state in frontier:  # grows while it is walked
        for action in problem.actions(state):
            for result in successors(problem, state, action):
                if result not in found:
                    found[result] = None
                    frontier.append(result)
                    yield result
