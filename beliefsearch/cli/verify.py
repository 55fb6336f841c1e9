"""`beliefsearch verify`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from ..errors import InvalidPlanError, PluginError, ProblemError
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
    from ..verify_file import check_file
    from .problem_command import build_problem, explain

    sys.set_int_max_str_digits(MOST_DIGITS)
    saved = read_plan_file(file, proof_will_do=True)
    cls = load_problem_class(_locate(saved.problem, file))
    problem: Any = None
    try:
        problem = build_problem(make_problem(cls, saved.parameters), saved.blindfold)
        verdict = check_file(problem, saved)
    except (InvalidPlanError, ProblemError) as error:
        raise InvalidPlanError(f"{str(file)!r}: {error}") from error
    except (Exception, SystemExit) as error:
        complaint = explain(error, cls, problem)
        if complaint is None:
            raise
        raise PluginError(complaint) from error
    parameters = " ".join(f"{name}={value}" for name, value in saved.parameters.items() if value is not None)
    notes = ", ".join(filter(None, (parameters, "blindfolded" if saved.blindfold else "")))
    title = f"{saved.problem} ({notes})" if notes else saved.problem
    for line in verdict.lines:
        emit(f"{title}: {line}")
    return HOLDS if verdict.holds else DOES_NOT_HOLD


def _locate(reference: str, file: Path) -> str:
    """The problem's reference; a plug-in file that is not here may lie beside the plan file."""
    path = reference.partition(".py")[0] + ".py"
    if reference.startswith(path) and not os.path.exists(path) and (file.parent / path).exists():
        return str(file.parent / reference)
    return reference
