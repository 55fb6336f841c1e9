"""`beliefsearch verify`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from ..errors import InvalidPlanError, PluginError, ProblemError
from . import DOES_NOT_HOLD, HOLDS
from .output import emit
from .plans import read_plan_file

__all__ = ["command"]


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> int:
    """Check a saved plan by the definition, exactly, over every possible start and every result.

    No solver takes part. Exit code 0: the plan wins; 1: it does not, and this says which state escapes.
    """
    from ..options import make_problem
    from ..plugins import load_problem_class
    from ..verify import check_plan_file
    from .problem_command import build_problem, explain
    from .report import plural

    saved = read_plan_file(file)
    cls = load_problem_class(_locate(saved.problem, file))
    problem: Any = None
    try:
        problem = build_problem(make_problem(cls, saved.parameters), saved.blindfold)
        found = check_plan_file(problem, saved.plan, saved.cost)
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
    if not found.holds:
        emit(f"{title}: the plan does not hold: {found.complaint}")
        return DOES_NOT_HOLD
    starts = "the only start" if found.starts == 1 else f"all {found.starts:,} starts"
    win = "wins" if found.steps == 1 else "win"
    emit(f"{title}: the plan holds: {plural(found.steps, 'action')} {win} from {starts}, cost {found.cost}")
    return HOLDS


def _locate(reference: str, file: Path) -> str:
    """The problem's reference; a plug-in file that is not here may lie beside the plan file."""
    path = reference.partition(".py")[0] + ".py"
    if reference.startswith(path) and not os.path.exists(path) and (file.parent / path).exists():
        return str(file.parent / reference)
    return reference
