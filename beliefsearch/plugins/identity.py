"""Detection of states that are compared by identity: equal only to themselves, whatever they contain.

A class that defines neither `__eq__` nor `__hash__` makes such states. A search takes two with equal contents for
different states. A state that changes during the search still looks like the same state, so that the search seems to
return to where it was, and may conclude that there is no plan.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any
from weakref import WeakSet

from ..errors import IdentityWarning, ProblemError
from ..kinds import is_stochastic, possible_game
from ..model.belief import initial_states, no_tick, successors
from ..model.checked import checked_initial_distribution
from ..model.stochastic import AnyProblem
from ..model.values import listed

# The most such states that are checked before a search.
_LOOKED_AT = 1000
_ADVICE = "use a frozen class, a tuple or a frozenset"
# CPython's flag of classes written in Python; built-in ones (None, functions) lack it.
_HEAP_TYPE = 1 << 9
_told: WeakSet[type] = WeakSet()


def warn_of_identity(problem: AnyProblem[Any, Any], tick: Callable[[], None] = no_tick) -> None:
    """Warn, once for each type, if states are compared by identity.

    Raises `ProblemError` if, for one of the first thousand states, two equal calls give different answers, or a call
    changes the state. `tick` is called for each of them, and raises to stop.
    """
    # Not `possible_game`: its initial states call `is_terminal`, for which an author may have to list all states.
    game: Any = problem
    chance = is_stochastic(problem)
    start = checked_initial_distribution(game)[0][1] if chance else next(iter(initial_states(game)), None)
    kind = _compared_by_identity(start)
    if kind is None:
        return
    if kind not in _told:
        _told.add(kind)
        warnings.warn(
            f"states of {type(problem).__name__} are compared by identity: {compared_by_identity([start])}",
            IdentityWarning,
            stacklevel=3,
        )
    complaint = identity_complaint(problem, tick=tick)
    if complaint is not None:
        raise ProblemError(complaint)


def identity_complaint(
    problem: AnyProblem[Any, Any], most: int = _LOOKED_AT, tick: Callable[[], None] = no_tick
) -> str | None:
    """Say how states compared by identity change, or differ at the second call; None if they do not.

    O(states looked at, times their actions); nothing if no start is such a state.
    """
    problem = possible_game(problem)
    starts = list(islice(initial_states(problem), most))
    kind = next(filter(None, map(_compared_by_identity, starts)), None)
    if kind is None:
        return None
    advice = f"{kind.__name__} is compared by identity; {_ADVICE}"
    if starts != list(islice(initial_states(problem), most)):
        return f"the start of {type(problem).__name__} is another state when it is asked for again, because {advice}"
    frontier = list(dict.fromkeys(starts))
    met = set(frontier)
    for state in frontier:  # grows while it is walked
        tick()
        before = _content(state)
        actions = tuple(listed(problem.actions(state)))
        for action in actions:
            call = f"{type(problem).__name__}, {problem.format_action(action)} in {state!r}:"
            results = list(successors(problem, state, action))
            after = [_content(result) for result in results]
            if _content(state) != before:
                return f"{call} asking for the results changes the state itself; {advice}"
            again = list(successors(problem, state, action))
            if results != again or after != [_content(result) for result in again]:
                return f"{call} the results are others when they are asked for again; {advice}"
            for result in results:
                if result not in met and len(frontier) < most:
                    met.add(result)
                    frontier.append(result)
        if actions != tuple(problem.actions(state)):
            return f"{type(problem).__name__}.actions({state!r}) gives another list at the second call; {advice}"
    return None


def compared_by_identity(states: Iterable[object]) -> str | None:
    """Advice for an author some of whose states are compared by identity; None if none are."""
    kind = next(filter(None, map(_compared_by_identity, states)), None)
    return None if kind is None else f"{kind.__name__} defines neither __eq__ nor __hash__; {_ADVICE}"


def _compared_by_identity(state: object) -> type | None:
    """The type of `state`, or of a member of a tuple or set, if it is compared by identity."""
    if isinstance(state, (tuple, frozenset)):
        return next(filter(None, map(_compared_by_identity, state)), None)
    kind = type(state)
    by_identity = kind.__hash__ is object.__hash__ and bool(kind.__flags__ & _HEAP_TYPE)
    return kind if by_identity and not isinstance(state, type) else None


def _content(state: object) -> object:
    """The contents of a state as text, to detect changes."""
    if isinstance(state, (tuple, frozenset)):
        return tuple(map(_content, state))
    given = [getattr(base, "__slots__", ()) for base in type(state).__mro__]
    slots = [name for names in given for name in ([names] if isinstance(names, str) else names) if hasattr(state, name)]
    held = {**{name: getattr(state, name) for name in slots}, **getattr(state, "__dict__", {})}
    return {name: repr(value) for name, value in held.items()} or repr(state)
