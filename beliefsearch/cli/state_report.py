"""One state, looked at closely: what the author's methods say of it, line by line, and which rules it breaks."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from ..kinds import is_stochastic, possible_game
from ..model.adapters import read_state
from ..model.belief import initial_states, perceived, successors
from ..model.hooks import PotentialHook
from ..model.values import listed
from ..plans.wording import plural
from ..plugins.conformance.check import check_problem
from ..plugins.conformance.report import Violation
from .selected_problem import Asked

# More actions of a state are not listed, and more results of one.
_MOST_ACTIONS = 60
_MOST_RESULTS = 20
# Of a belief with more starts, so many are shown.
_MOST_STARTS = 3


def state_lines(
    problem: Any, state: Any, violations: Sequence[Violation], *, actions: Iterable[Any] | None = None
) -> Iterator[str]:
    """A state, its actions and what may follow; a rule that is broken is told where it is broken.

    `actions` are those to be listed, by default all that apply. What an author's method raises is quoted in the place
    of its answer.
    """
    text = _answer(problem.format_state, state)
    yield _fact("state", text if text in (repr(state), str(state)) else f"{text}   {state!r}")
    picture = _answer(problem.draw_state, state).splitlines()
    if picture != [text]:
        yield from (_fact("picture" if number == 0 else "", line) for number, line in enumerate(picture))
    if problem.overrides("canonical"):
        asked = _answer(problem.canonical, state, said=repr)
        yield _fact("canonical", "the state itself" if asked == repr(state) else asked)
    yield from (_fact(name, value) for name, value in _values(problem, state))
    yield from _broken(violation for violation in violations if violation.about[1:] == ())
    shown, left_out = _shown(problem, state, actions)
    for action in shown:
        name = _answer(problem.format_action, action)
        sentence = f"   ({_answer(problem.describe_action, action)})" if problem.overrides("describe_action") else ""
        cost = "" if is_stochastic(problem) else f", cost {_answer(problem.action_cost, state, action)}"
        value = "" if name in (repr(action), str(action)) else f"   {action!r}"
        yield f"  action {name}{value}{cost}{sentence}"
        yield from (f"    {line}" for line in _results(problem, state, action))
        yield from _broken(v for v in violations if v.about[1:] == (action,))
    if left_out:
        yield f"  and {left_out:,} more actions"
    yield from _broken(v for v in violations if v.about[1:] and v.about[1] not in shown)


def debug_lines(asked: Asked, texts: Sequence[str]) -> Iterator[str]:
    """The debugger's view: some states by their texts, by default the first starts, each with the rules it breaks."""
    problem = asked.problem
    walked = possible_game(problem)
    states = [read_state(problem, text, walked) for text in texts] or [
        *islice(initial_states(walked), _MOST_STARTS + 1)
    ]
    for state in states[: len(texts) or _MOST_STARTS]:
        report = check_problem(problem, max_states=1, starts=(state,), budget=asked.budget)
        yield f"{asked.title}: {problem.format_state(state)}"
        here = [violation for violation in report.violations if violation.about[:1] == (state,)]
        yield from state_lines(problem, state, here)
        yield from _broken(violation for violation in report.violations if violation not in here)
        broken = len(report.violations)
        yield f"  {plural(broken, 'rule')} broken, of those that one state can break" if broken else "  no rule broken"
        yield ""
    if len(states) > _MOST_STARTS and not texts:
        yield "There are more starts; --at STATE looks at another state."
    yield "`beliefsearch check` looks at all states, and at what lies between them."


def command_for(title: str, problem: Any, state: Any) -> str:
    """The command line that looks at a state; `title` is the problem as one types it."""
    return f"beliefsearch show {title} --debug --at {shlex.quote(_answer(problem.format_state, state))}"


def _values(problem: Any, state: Any) -> Iterator[tuple[str, str]]:
    """Return the facts of the state alone: whether the game is won or over there, and estimates."""
    if is_stochastic(problem):
        over = _answer(problem.is_terminal, state, said=_yes_or_no)
        yield "over", over
        if over == "yes":
            yield "utility", _answer(problem.utility, state)
        return
    yield "won", _answer(lambda: any(state in goals for goals in problem.goal_sets()), said=_yes_or_no)
    if problem.has_heuristic():
        yield "heuristic", _answer(problem.heuristic, state)
    if isinstance(problem, PotentialHook):
        yield "potential", _answer(problem.potential, state)


def _shown(problem: Any, state: Any, actions: Iterable[Any] | None) -> tuple[list[Any], int]:
    """The actions to be listed, and how many more there are; those that apply, unless some are given."""
    try:
        every = [*listed(problem.actions(state) if actions is None else actions)]
    except Exception:
        return [], 0  # the rule about actions quotes what was raised
    if actions is None and is_stochastic(problem) and problem.is_terminal(state):
        return [], 0
    return every[:_MOST_ACTIONS], len(every[_MOST_ACTIONS:])


def _results(problem: Any, state: Any, action: Any) -> list[str]:
    """A line for each state that may follow, with its probability or what may be perceived there."""
    try:
        if is_stochastic(problem):
            pairs = [*listed(problem.outcomes(state, action))]
            lines = [f"-> {_answer(problem.format_state, after)}   probability {chance}" for chance, after in pairs]
        else:
            results = dict.fromkeys(successors(problem, state, action))
            lines = [f"-> {_answer(problem.format_state, r)}{_percepts(problem, r, action)}" for r in results]
    except Exception as error:
        return [_raised(error)]
    more = len(lines) - _MOST_RESULTS
    return lines if more <= 0 else [*lines[:_MOST_RESULTS], f"-> and {more:,} more"]


def _percepts(problem: Any, state: Any, action: Any) -> str:
    if problem.is_sensorless():
        return ""
    said = _answer(lambda: ", ".join(problem.format_percept(percept) for percept in perceived(problem, state, action)))
    return f"   perceived: {said}"


def _broken(violations: Iterable[Violation]) -> Iterator[str]:
    yield from (f"  BROKEN {violation.rule}: {violation.complaint}" for violation in violations)


def _yes_or_no(value: Any) -> str:
    return {"True": "yes", "False": "no"}.get(repr(value), repr(value))


def _fact(name: str, value: str) -> str:
    return f"  {name:9}  {value}".rstrip()


def _answer(method: Callable[..., Any], *arguments: Any, said: Callable[[Any], str] = str) -> str:
    """The answer of an author's method as text, or what it raised."""
    try:
        return said(method(*arguments))
    except Exception as error:
        return _raised(error)


def _raised(error: Exception) -> str:
    return f"(raises {type(error).__name__}: {' '.join(str(error).split())})"
