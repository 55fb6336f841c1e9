"""Rules about `FutureHook`, `PresetHook` and `RestartHook`: futures decide what follows."""

from __future__ import annotations

from typing import Any

from ....model.belief import initial_states, perceived
from ....model.hooks import FutureHook, PresetHook, RestartHook
from ..rule import Broken, NotHere, Transitions, evenly, given, rule, tell_if_partly

# The most states that are looked at.
_MANY = 2_000


@rule(
    "futures",
    "what applies, follows and is perceived depends on future() alone; sought() is that, or never changes",
    FutureHook,
    why="A search takes states with one future for the same, and would find plans that do not win.",
)
def check_futures(problem: Any, transitions: Transitions) -> None:
    """Check that states of one future agree in what follows, and that `sought` is the future or never changes."""
    seen: dict[Any, tuple[Any, Any]] = {}
    looked_at = evenly(list(transitions), _MANY)
    for state in looked_at:
        follows = {
            action: {(problem.future(after), tuple(perceived(problem, after, action))) for after in results}
            for action, results in transitions[state].items()
        }
        other, known = seen.setdefault(problem.future(state), (state, follows))
        if any(known[action] != follows[action] for action in known.keys() & follows.keys()) or (
            {*problem.actions(state)} != {*problem.actions(other)}
        ):
            raise Broken(f"is {problem.future(state)!r:.60} of {other!r:.60} too, of which other things follow", state)
    steps = [(state, after) for state in looked_at for results in transitions[state].values() for after in results]
    is_future = all(problem.sought(after) == problem.future(after) for _, after in steps)
    if not is_future and any(problem.sought(state) != problem.sought(after) for state, after in steps):
        raise Broken("sought() is not the future, and is changed by actions")
    tell_if_partly(looked_at, transitions, "states")


@rule(
    "presets",
    "adaptively() has the starts' number of futures, and the actions that apply at the start",
    PresetHook,
    why="Words are found on the futures of that problem, and would not win here.",
)
def check_presets(problem: Any, transitions: Transitions) -> None:
    """Check that the adaptive problem has all actions of the start."""
    played = given(problem.adaptively())
    there = set.intersection(*({*played.actions(state)} for state in initial_states(played)))
    for state in initial_states(problem):
        more = {*problem.actions(state)} - there
        if more:
            raise Broken(f"has the action {more.pop()!r:.60}, which adaptively() has not", state)


@rule(
    "restarts",
    "the action of restart() brings back to a start all that its other problem leads to",
    RestartHook,
    why="Plans made of words that each begin at the start would not win.",
)
def check_restarts(problem: Any, transitions: Transitions) -> None:
    """Check that the action applies wherever it is seen, and leads to one start."""
    action, _ = given(problem.restart())
    if problem.is_sensorless():  # the restart cannot bring back a start: states hold the percepts so far
        raise NotHere
    starts = {*initial_states(problem)}
    for state, by_action in transitions.items():
        if len({*by_action.get(action, ())} & starts) != 1:
            raise Broken(f"{action!r:.60} does not lead to one start", state, action)
