"""Rules about `CodeHook`, `ReversibleCodeHook` and `ReversibleProblem`: codes and steps back agree with `result`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ....model.hooks import CodeHook, ReversibleCodeHook, ReversibleProblem
from ....model.values import listed
from ..rule import Broken, Partly, Transitions, evenly, rule, tell_if_partly

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The most pairs of a state and an action that are looked at, which limits the number of actions.
_MANY_PAIRS = 100_000
# The most goals, and the most origins of an action, that are looked at.
_MOST_LISTED = 100_000
# The number of states whose origins are also compared alone, and not only together with all others.
_ALONE = 10


@rule(
    "codes",
    "states have different codes, states_of() is the inverse of codes(), and results_of() agrees with result()",
    CodeHook,
    why="To count states their codes are asked and never result(). If they differ, those of another game are counted.",
)
def check_codes(problem: Any, transitions: Transitions) -> None:
    """Check that the codes agree with the answers state by state."""
    states = list(dict.fromkeys(problem.canonical(state) for state in transitions))
    applicable = {state: frozenset(listed(problem.actions(state))) for state in states}
    actions = problem.all_actions()
    _check_actions(actions, applicable)
    looked_at = _some(actions, states)
    results: dict[Any, dict[Any, Any]] = {  # by state and action: the canonical state that follows
        state: {action: problem.canonical(problem.result(state, action)) for action in looked_at if action in applies}
        for state, applies in applicable.items()
    }
    every = list(dict.fromkeys([*states, *(result for by_action in results.values() for result in by_action.values())]))
    codes = problem.codes(every)
    _check_array("codes()", codes, len(every))
    _check_inverse(problem, every, codes)
    written = dict(zip(every, map(tuple, codes.tolist()), strict=True))
    for action in looked_at:
        _check_results(problem, action, codes[: len(states)], applicable, results, written)
    tell_if_partly(looked_at, actions)


@rule(
    "origins",
    "goal_codes() are the codes of all goals, and origins_of() is the inverse of results_of()",
    ReversibleCodeHook,
    why="Distances to the goal are counted with these alone. If they differ, they are the distances of another game.",
    if_sound=True,
)
def check_origins(problem: Any, transitions: Transitions) -> None:
    """Check that a step backwards is one forwards, and the other way round."""
    states = list(dict.fromkeys(problem.canonical(state) for state in transitions))
    codes = problem.codes(states)
    _check_goals(problem, states, codes)
    actions = problem.all_actions()
    looked_at = _some(actions, states)
    applies = cache(lambda state: frozenset(listed(problem.actions(state))))
    groups = [range(len(states)), *([place] for place in evenly(range(len(states)), _ALONE))]
    in_part = False
    for action in looked_at:
        leading: dict[Any, list[Any]] = {}  # by state: the known states from which the action leads to it
        for state in states:
            if action in applies(state):
                leading.setdefault(problem.canonical(problem.result(state, action)), []).append(state)
        for places in groups:
            origins = problem.origins_of(codes[list(places)], action)
            _check_array(f"origins_of(..., {action!r})", origins, None, codes.shape[1])
            if len(origins) > _MOST_LISTED:
                in_part = True
                continue
            targets = {states[place]: leading.get(states[place], ()) for place in places}
            _check_origins(problem, action, targets, problem.states_of(origins), applies)
    if in_part:
        raise Partly(f"not where an action leads from more than {_MOST_LISTED:,} states")
    tell_if_partly(looked_at, actions)


def _check_origins(
    problem: Any,
    action: Any,
    targets: Mapping[Any, Iterable[Any]],
    origins: Iterable[Any],
    applies: Callable[[Any], Collection[Any]],
) -> None:
    """Check that `origins` are those of `targets`, and include their known ones."""
    found = dict.fromkeys(origins)
    for known in targets.values():
        for origin in known:
            if origin not in found:
                complaint = f"origins_of(..., {action!r}) lacks {origin!r}, from which the action leads to one of them"
                raise Broken(complaint, origin, action)
    for origin in found:
        gives = f"origins_of(..., {action!r}) gives {origin!r}"
        if action not in applies(origin):
            raise Broken(f"{gives}, in which the action does not apply", origin, action)
        if problem.canonical(problem.result(origin, action)) not in targets:
            raise Broken(f"{gives}, from which the action leads elsewhere", origin, action)


def _some(actions: Sequence[Any], states: Collection[Any]) -> Sequence[Any]:
    """The actions to look at if there are so many states."""
    return evenly(actions, max(1, _MANY_PAIRS // max(1, len(states))))


def _check_actions(actions: Any, applicable: Mapping[Any, Iterable[Any]]) -> None:
    if not isinstance(actions, Sequence):
        raise Broken(f"all_actions() gave {actions!r}; it must give a sequence, such as a tuple")
    given = set(actions)
    if len(given) < len(actions):
        twice = next(action for place, action in enumerate(actions) if action in actions[:place])
        raise Broken(f"all_actions() lists {twice!r} more than once")
    for state, applies in applicable.items():
        lacking = next((action for action in applies if action not in given), None)
        if lacking is not None:
            raise Broken(f"all_actions() lacks {lacking!r}, which applies in {state!r}", state, lacking)


def _check_array(called: str, answer: Any, rows: int | None, words: int | None = None) -> None:
    """Check that an answer is an array of codes, with any number of rows or words if these are None."""
    import numpy as np

    if not isinstance(answer, np.ndarray):
        raise Broken(f"{called} gave {type(answer).__name__}; it must give a NumPy array")
    wanted = f"({'rows' if rows is None else rows}, {'words' if words is None else words})"
    fits = answer.ndim == 2 and rows in (None, len(answer)) and (answer.shape[1] == words if words else answer.shape[1])
    if answer.dtype != np.uint64 or not fits:
        raise Broken(f"{called} gave {answer.dtype} of shape {answer.shape}; it must give uint64 of shape {wanted}")


def _check_inverse(problem: Any, states: Sequence[Any], codes: NDArray[Any]) -> None:
    found: dict[tuple[int, ...], Any] = {}
    for state, code in zip(states, map(tuple, codes.tolist()), strict=True):
        if found.setdefault(code, state) != state:
            raise Broken(f"{found[code]!r} and {state!r} have the same code", state)
    again = problem.states_of(codes)
    if not isinstance(again, Sequence) or len(again) != len(states):
        raise Broken(f"states_of() must give a sequence of {len(states)} states for so many codes")
    for state, other in zip(states, again, strict=True):
        if state != other:
            raise Broken(f"states_of() gives {other!r} for the code of {state!r}", state)
    bound = problem.code_bound()
    if bound is None:
        return
    if not isinstance(bound, int) or codes.shape[1] > 1:
        raise Broken(f"code_bound() gave {bound!r}; it must give a whole number or, if codes have several words, None")
    largest = int(codes.max())
    if largest >= bound:
        state = states[codes[:, 0].tolist().index(largest)]
        raise Broken(f"the code of {state!r} is {largest}, and code_bound() is {bound}", state)


def _check_results(
    problem: Any,
    action: Any,
    codes: NDArray[Any],
    applicable: Mapping[Any, Collection[Any]],
    results: Mapping[Any, Mapping[Any, Any]],
    written: Mapping[Any, tuple[int, ...]],
) -> None:
    """Compare `results_of` with the results of an action, for all states and again in another order."""
    import numpy as np

    called = f"results_of(..., {action!r})"
    states = list(applicable)
    for order in (slice(None), slice(None, None, -1)):
        given = codes[order].copy()
        answer = problem.results_of(given, action)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise Broken(f"{called} must give the codes, and in which rows the action applies or None")
        after, applies = answer
        _check_array(called, after, *codes.shape)
        if not np.array_equal(given, codes[order]):
            raise Broken(f"{called} changes the codes that it is given; work on a copy")
        if applies is None:
            applies = np.ones(len(codes), bool)
        if not isinstance(applies, np.ndarray) or applies.dtype != bool or applies.shape != (len(codes),):
            complaint = f"{called} must say with True or False for each of {len(codes)} rows whether the action applies"
            raise Broken(complaint)
        for state, code, said in zip(states[order], map(tuple, after.tolist()), applies.tolist(), strict=True):
            if said != (action in applicable[state]):
                told = "applies" if said else "does not apply"
                raise Broken(f"{called} says that the action {told} in {state!r}, unlike actions()", state, action)
            if said and code != written[results[state][action]]:
                complaint = f"{called} for {state!r} is not the code of {results[state][action]!r}, which follows"
                raise Broken(complaint, state, action)


def _check_goals(problem: Any, states: Sequence[Any], codes: NDArray[Any]) -> None:
    goals = problem.goal_codes()
    _check_array("goal_codes()", goals, None, codes.shape[1])
    if len(goals) > _MOST_LISTED:
        raise Partly(f"not looked at: there are {len(goals):,} goals")
    listed_goals = set(map(tuple, goals.tolist()))
    if len(listed_goals) < len(goals):
        raise Broken("goal_codes() lists a code more than once")
    for state in problem.states_of(goals):
        if not problem.is_goal(state):
            raise Broken(f"goal_codes() has the code of {state!r}, which is no goal", state)
    for state, code in zip(states, map(tuple, codes.tolist()), strict=True):
        if code not in listed_goals and problem.is_goal(state):
            raise Broken(f"goal_codes() lacks the code of the goal {state!r}", state)


# The number of listed predecessors after which no more are compared.
_MANY_STEPS = 100_000


@rule(
    "backwards",
    "predecessors() is the inverse of result(), and goal_states() are all the goals",
    ReversibleProblem,
    why="A search from the goals back takes these steps for those of the game, and misses what they leave out.",
)
def check_backwards(problem: Any, transitions: Transitions) -> None:
    """Check that a step backwards is one forwards, and the other way round."""
    goals = set(problem.goal_states())
    before: dict[Any, set[Any]] = {}  # by state: its predecessors
    steps = looked_at = 0

    def steps_to(state: Any) -> set[Any]:
        nonlocal steps
        if state not in before:
            before[state] = set(listed(problem.predecessors(state)))
            steps += len(before[state])
        return before[state]

    for state, by_action in transitions.items():
        if problem.is_goal(state) != (state in goals):
            raise Broken(f"is_goal and goal_states() disagree about {state!r}", state)
        if steps > _MANY_STEPS:
            continue
        looked_at += 1
        for action, (result,) in by_action.items():
            if (state, action) not in steps_to(result):
                raise Broken(f"predecessors({result!r}) lacks ({state!r}, {action!r})", state, action)
        for parent, action in steps_to(state):
            if action not in problem.actions(parent) or problem.result(parent, action) != state:
                complaint = f"predecessors({state!r}) lists ({parent!r}, {action!r}), which leads elsewhere"
                raise Broken(complaint, parent, action)
    if looked_at < len(transitions):
        raise Partly(f"steps were compared in {looked_at:,} of {len(transitions):,} states")
