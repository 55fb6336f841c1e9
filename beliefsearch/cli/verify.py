"""`beliefsearch verify`."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import Any

import click

from ..errors import InvalidPlanError, PluginError, ProblemError
from ..problem import StochasticProblem
from . import DOES_NOT_HOLD, HOLDS
from .constructing import MOST_DIGITS
from .output import emit
from .plans import read_plan_file

__all__ = ["command"]


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> int:
    """Check a saved plan or a certificate by the definition, exactly.

    A plan is replayed over every possible start and every result; a proof is checked step by step. No
    solver takes part. Exit code 0: it holds; 1: it does not, and this says what is wrong first.
    """
    from ..options import make_problem
    from ..plugins import load_problem_class
    from .problem_command import build_problem, explain

    sys.set_int_max_str_digits(MOST_DIGITS)
    saved = read_plan_file(file, proof_will_do=True)
    cls = load_problem_class(_locate(saved.problem, file))
    problem: Any = None
    try:
        problem = build_problem(make_problem(cls, saved.parameters), saved.blindfold, saved.belief)
        lines, holds = _check(problem, saved)
    except (InvalidPlanError, ProblemError) as error:
        raise InvalidPlanError(f"{str(file)!r}: {error}") from error
    except (Exception, SystemExit) as error:
        complaint = explain(error, cls, problem)
        if complaint is None:
            raise
        raise PluginError(complaint) from error
    parameters = " ".join(f"{name}={value}" for name, value in saved.parameters.items() if value is not None)
    belief = "" if saved.belief is None else f"beginning with {' '.join(saved.belief)}"
    notes = ", ".join(filter(None, (parameters, "blindfolded" if saved.blindfold else "", belief)))
    title = f"{saved.problem} ({notes})" if notes else saved.problem
    for line in lines:
        emit(f"{title}: {line}")
    return HOLDS if holds else DOES_NOT_HOLD


def _check(problem: Any, saved: Any) -> tuple[list[str], bool]:
    """What there is to say of the file, and whether all of it holds."""
    if isinstance(problem, StochasticProblem) or (isinstance(saved.plan, dict) and saved.plan.get("kind") == "policy"):
        from .chance import check_policy

        return check_policy(problem, saved)
    lines = []
    if saved.plan is not None and saved.status == "unsolvable":
        return ["the file does not hold: it has a plan, which is not that there is no plan, as it says"], False
    if saved.plan is None and saved.status == "solved" and saved.proof.get("kind") != "construction":
        return ["the proof does not hold: the file says solved, but has no plan"], False
    if isinstance(saved.plan, dict) or (saved.plan is not None and saved.objective != "worst"):
        from .conditional import check_conditional

        text, holds = check_conditional(problem, saved)
        if not holds:
            return [text], False
        lines.append(text)
    elif saved.plan is not None:
        from ..verify import check_plan_file

        found = check_plan_file(problem, saved.plan, saved.cost)
        if not found.holds:
            return [f"the plan does not hold: {found.complaint}"], False
        lines.append(_plan_text(found))
    if saved.proof is not None:
        text, holds = _check_proof(problem, saved)
        lines.append(text)
        return lines, holds
    if saved.cost is not None and saved.lower_bound is not None and saved.lower_bound > saved.cost:
        return [*lines, f"but no plan is said to cost less than {saved.lower_bound}, and this one does"], False
    return lines, True


def _plan_text(found: Any) -> str:
    from .report import plural

    starts = "the only start" if found.starts == 1 else f"all {found.starts:,} starts"
    win = "wins" if found.steps == 1 else "win"
    return f"the plan holds: {plural(found.steps, 'action')} {win} from {starts}, cost {found.cost}"


def _check_proof(problem: Any, saved: Any) -> tuple[str, bool]:
    from ..verify_proof import InvalidProofError, check_proof, rules_out_trying
    from .proving import proof_text

    try:
        bound = check_proof(problem, saved.proof)
    except InvalidProofError as error:
        return f"the proof does not hold: {error}", False
    claimed = math.inf if saved.status == "unsolvable" else saved.lower_bound or 0
    if bound < claimed:
        there = "that there is no plan" if claimed == math.inf else f"a bound of {claimed}"
        return f"the proof does not hold: it proves that no plan costs less than {bound}, not {there}", False
    means = proof_text(saved.proof)
    if saved.status != "unsolvable" and saved.objective == "expected":
        return "the proof does not hold: it is about the worst case, and the file about the expected cost", False
    if bound == math.inf and not rules_out_trying(problem, saved.proof["kind"]):
        if saved.status == "unsolvable":
            return "the proof does not hold: by keeping on trying the player might win all the same", False
        return f"the proof holds: no plan is sure to win within a certain number of actions; it is {means}", True
    if bound == math.inf:
        if saved.status == "solved":
            return "the proof does not hold: it proves that there is no plan, but the file says solved", False
        return f"the proof holds: there is no plan; it is {means}", True
    if saved.plan is None and saved.proof["kind"] == "construction":
        if saved.cost != bound:
            return f"the proof does not hold: the shortest plan costs {bound}, not {saved.cost}", False
        return f"the proof holds: the shortest plan takes {_length(bound)} actions; it is {means}", True
    return f"the proof holds: no plan costs less than {bound}; it is {means}", True


def _length(bound: Any) -> str:
    from ..closed_form import length_text

    return length_text(bound) if isinstance(bound, int) else str(bound)


def _locate(reference: str, file: Path) -> str:
    """The problem's reference; a plug-in file that is not here may lie beside the plan file."""
    path = reference.partition(".py")[0] + ".py"
    if reference.startswith(path) and not os.path.exists(path) and (file.parent / path).exists():
        return str(file.parent / reference)
    return reference
