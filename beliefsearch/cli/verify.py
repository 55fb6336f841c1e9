"""`beliefsearch verify`."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import click

from ..data_files import SIZE_TEXT
from ..errors import InvalidPlanError, PluginError, ProblemError
from ..problem import StochasticProblem
from . import DOES_NOT_HOLD, HOLDS, hear_interrupts
from .constructing import MOST_DIGITS
from .output import emit
from .plans import read_plan_file

__all__ = ["command"]


class _DataFile(click.ParamType[tuple[str, Path]]):
    """`OPTION=PATH`, or with the dashes, `--OPTION=PATH`."""

    name = "OPTION=FILE"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Path]:
        name, equals, path = value.partition("=")
        if not equals or not name or not path:
            self.fail(f"{value!r} should be the name of an option and a file, such as automaton=../machine.txt")
        return name.removeprefix("--"), Path(path)


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--problem",
    "reference",
    metavar="PROBLEM",
    help="Check the file against this problem, whose code may be run: ./turnstile.py, or module:ClassName. A file "
    "by itself can only name installed problems.",
)
@click.option(
    "--data",
    "data_files",
    type=_DataFile(),
    multiple=True,
    help="Where the data file of one of the problem's options is, such as automaton=../machine.txt. A file by itself "
    f"can only name those beside it or below. Ordinary files of at most {SIZE_TEXT}.",
)
def command(file: Path, reference: str | None, data_files: tuple[tuple[str, Path], ...]) -> int:
    """Check a saved plan or a certificate by the definition, exactly.

    A plan is replayed over every possible start and every result; a proof is checked step by step. No
    solver takes part. To open a file runs no code but that of installed problems. Exit code 0: it holds;
    1: it does not, and this says what is wrong first.
    """
    from ..options import make_problem
    from ..trust import class_for_file, parameters_with_files
    from .problem_command import build_problem, explain

    hear_interrupts()
    sys.set_int_max_str_digits(MOST_DIGITS)
    saved = read_plan_file(file, proof_will_do=True)
    try:
        cls = class_for_file(saved.problem, file.parent, reference)
    except InvalidPlanError as error:
        raise InvalidPlanError(f"{str(file)!r}: {error}") from error
    except PluginError as error:
        if reference is not None:
            raise  # the user's own doing
        raise PluginError(f"{str(file)!r}: {error}") from error
    problem: Any = None
    try:
        parameters = parameters_with_files(cls, saved.parameters, saved.data_files, file.parent, dict(data_files))
        problem = build_problem(make_problem(cls, parameters), saved.blindfold, saved.belief)
        lines, holds = _check(problem, saved)
    except (InvalidPlanError, ProblemError) as error:
        raise InvalidPlanError(f"{str(file)!r}: {error}") from error
    except (Exception, SystemExit) as error:
        complaint = explain(error, cls, problem)
        if complaint is None:
            raise
        raise PluginError(complaint) from error
    written = " ".join(f"{name}={value}" for name, value in saved.parameters.items() if value is not None)
    belief = "" if saved.belief is None else f"beginning with {' '.join(saved.belief)}"
    notes = ", ".join(filter(None, (written, "blindfolded" if saved.blindfold else "", belief)))
    name = saved.problem if reference is None else reference
    title = f"{name} ({notes})" if notes else name
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
