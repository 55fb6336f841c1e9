"""Checks of a problem in one line each, for its author's tests.

It also has the functions that compute the known answers of a problem class again.
"""

from __future__ import annotations

import math
import warnings
from contextlib import suppress
from typing import Any

from ..kinds import is_stochastic
from ..model.adapters import Blindfolded
from ..model.base import BaseProblem, KnownAnswer, Number
from ..model.stochastic import AnyProblem
from ..model.values import is_exact
from ..planner.solve import solve
from ..plans.policy import PRECISION, PolicyResult
from ..plans.result import SearchResult, Status
from ..plugins.conformance.check import check_problem
from ..plugins.conformance.hooks.pictures import check_drawing
from ..plugins.conformance.report import REASONS, RULES
from ..plugins.conformance.rule import Broken, Partly
from ..plugins.options import problem_with
from ..verify.plan import check_plan
from .brute_force import brute_force_answer
from .strategies import reached

_ANY = KnownAnswer({}, None)


def problem_of(problem_class: Any, known: KnownAnswer) -> Any:
    """Return the instance of a known answer."""
    problem: Any = problem_with(problem_class, known.options)
    return Blindfolded(problem) if known.blindfold else problem


def computed_answer(problem: Any, known: KnownAnswer = _ANY) -> Number | None:
    """Return the answer of `solve` in the form of `KnownAnswer`; raise `RuntimeError` if it is not proved."""
    if is_stochastic(problem):
        return solve(problem, horizon=known.horizon).value
    result: SearchResult[Any] = solve(problem, objective=known.objective)
    if result.status is Status.UNSOLVABLE:
        return None
    if not result.optimal:
        raise RuntimeError(f"{problem} was not decided: {result.reason}")
    return result.cost


# The tolerance for values of games of chance, which are floats that were summed up in different orders.
_RELATIVE = 1e-9
_ABSOLUTE = 1e-12
# The tolerance for games that may return to a state, whose value brute force approximates from below.
_NEAR = 1e-6
# Optional methods that change the answer only by mistake.
_SUSPECTS = ("canonical", "heuristic", "potential", "predecessors", "all_results", "distinct_actions", "belief_class")


def check_rules(problem: BaseProblem[Any, Any], *, max_states: int = 1000) -> None:
    """Fail unless a problem keeps every rule of its interface, which `beliefsearch check` tests, too.

    Parameters
    ----------
    problem
        A problem of any kind, with options that make it small.
    max_states
        The most states that are examined.

    Raises
    ------
    AssertionError
        Names each rule that is broken, with the state and the action, and the reason for the rule.

    Notes
    -----
    The oracle is the contract of the interface (the table of rules in the reference). A method whose name seems to be
    misspelt gives a warning.
    """
    __tracebackhide__ = True
    report = check_problem(problem, max_states=max_states)
    for advice in report.advice:
        warnings.warn(advice, stacklevel=2)
    broken = [
        f"{violation.rule}: {RULES[violation.rule]}\n  {violation.complaint}\n  why: {REASONS[violation.rule]}"
        for violation in report.violations
    ]
    if broken:
        raise AssertionError("\n".join([f"{_called(problem)} breaks {len(broken)} of the rules", *broken]))


def check_known_answers(problem_class: type[BaseProblem[Any, Any]]) -> None:
    """Fail unless `solve` finds each of a class's `known_answers`, and there is at least one.

    Parameters
    ----------
    problem_class
        The class, not an instance.

    Raises
    ------
    AssertionError
        Names the options, the known answer and the computed answer.

    Notes
    -----
    The oracle is the author's source: a book, a proof, a count by hand. Floats may differ by one part in 10^9.
    """
    __tracebackhide__ = True
    name = problem_class.__name__
    if not problem_class.known_answers:
        raise AssertionError(
            f"{name} has no known answers; add known_answers = (KnownAnswer({{options}}, answer),) with at least one "
            "answer from a source, a proof, or a count by hand"
        )
    for known in problem_class.known_answers:
        options = " ".join(f"{option}={value}" for option, value in known.options.items())
        called = f"{name}({options}){' blindfolded' * known.blindfold}"
        try:
            found = computed_answer(problem_of(problem_class, known), known)
        except RuntimeError as error:
            raise AssertionError(f"{called}: the known answer is {_said(known.answer)}, but {error}") from None
        if not _is_known(found, known):
            raise AssertionError(
                f"{called}: the known answer is {_said(known.answer)}, but solve() finds {_said(found)}"
            )


def check_against_brute_force(problem: AnyProblem[Any, Any], *, most: int = 10_000) -> None:
    """Fail unless `solve` finds the same answer as brute force, and its plan wins by the definition.

    Parameters
    ----------
    problem
        A problem of any kind, with options that make it small.
    most
        The most reachable beliefs (of a stochastic problem: states) that are allowed.

    Raises
    ------
    AssertionError
        Gives both answers and the methods of the class that may be to blame, or the state in which the plan fails.
    LimitError
        If the instance is too large for brute force.

    Notes
    -----
    The oracle is `brute_force_answer`, which examines all beliefs and calls no hook. So the check finds a `heuristic`
    that is too high, a `canonical` that confuses states, and arrays that disagree with the methods.
    """
    __tracebackhide__ = True
    expected = brute_force_answer(problem, most=most)
    result = solve(problem)
    if isinstance(result, PolicyResult):
        found, near = result.value, _RELATIVE if is_exact(expected) and result.exact else _NEAR
    else:
        found, near = computed_answer(problem), _RELATIVE
    if not _equal(found, expected, near):
        suspects = [name for name in _SUSPECTS if callable(getattr(problem, name, None)) and _is_own(problem, name)]
        blame = f"; look at {', '.join(f'{name}()' for name in suspects)}" if suspects else ""
        raise AssertionError(
            f"{_called(problem)}: brute force finds {_said(expected)}, but solve() finds {_said(found)}{blame}"
        )
    if not isinstance(result, PolicyResult) and result.plan is not None:
        verdict = check_plan(problem, result.plan, claimed_cost=result.cost)  # type: ignore[arg-type]  # no stochastic one
        if not verdict.holds:
            raise AssertionError(f"{_called(problem)}: the plan of solve() does not win: {verdict.complaint}")


def check_drawings(problem: AnyProblem[Any, Any], *, most: int = 1000) -> None:
    """Fail unless the pictures of a problem can be drawn and are consistent.

    Parameters
    ----------
    problem
        A problem of any kind.
    most
        The most states that are walked through; some of them are drawn.

    Raises
    ------
    AssertionError
        Names the state or the action, and the fault of its picture or its sentence.

    Notes
    -----
    The oracle is the contract of `svg_state`, `svg_action`, `svg_belief` and `describe_action`. A `Drawing` is not
    empty, the same at every call and of one size for all states, and not all states look the same. A sentence is one
    line without a full stop. If the author draws nothing, the default boxes of text are checked.
    """
    __tracebackhide__ = True
    with suppress(Partly):
        try:
            check_drawing(problem, reached(problem, most))
        except Broken as broken:
            raise AssertionError(f"{_called(problem)}: {broken}") from None


def _is_known(found: Number | None, known: KnownAnswer) -> bool:
    """Whether an answer agrees with the known one, up to the tolerance `within` and the precision of `solve`."""
    if not known.within or found is None or known.answer is None:
        return _equal(found, known.answer, _RELATIVE)
    answer: Any = known.answer
    near: bool = abs(found - answer) <= known.within + PRECISION * abs(answer)
    return near


def _equal(found: Number | None, expected: Number | None, near: float) -> bool:
    if found is None or expected is None:
        return found is expected
    if is_exact(found) and is_exact(expected):
        return found == expected
    return math.isclose(found, expected, rel_tol=near, abs_tol=max(_ABSOLUTE, near / 1000))


def _is_own(problem: Any, method: str) -> bool:
    """Whether a method is the author's and not inherited from this package."""
    home: Any = next((kind for kind in type(problem).__mro__ if method in vars(kind)), object)
    return not home.__module__.startswith("beliefsearch.")


def _called(problem: Any) -> str:
    return repr(problem) if len(repr(problem)) <= 100 else type(problem).__name__


def _said(answer: Number | None) -> str:
    if answer is None:
        return "that there is no plan"
    return "a plan that keeps trying" if answer == math.inf else str(answer)
