"""`beliefsearch verify`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import InvalidPlanError, PluginError, ProblemError
from ...plans.wording import MOST_DIGITS, quoted
from ...plugins.data_files import SIZE_TEXT
from .. import DOES_NOT_HOLD, HOLDS, hear_interrupts
from ..limits import Stopped, doing, limit_options, limits_of
from ..output import emit
from ..plans import read_plan_file

if TYPE_CHECKING:
    from ...running.limits import Budget

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
@limit_options
def command(
    file: Path,
    reference: str | None,
    data_files: tuple[tuple[str, Path], ...],
    time_limit: float | None,
    memory_limit: int | None,
) -> int:
    """Check a saved plan or a certificate by the definition, exactly.

    A plan is replayed over every possible start and every result; a proof is checked step by step. No
    solver takes part. To open a file runs no code but that of installed problems. Exit code 0: it holds;
    1: it does not, and this says what is wrong first; 3: a limit was reached before that was known.
    """
    from ...running.limits import Budget, hard_memory_limit

    hear_interrupts()
    limits = limits_of(time_limit, memory_limit)
    with hard_memory_limit(limits.memory):
        return _verify(file, reference, dict(data_files), Budget(limits))


def _verify(file: Path, reference: str | None, data_files: dict[str, Path], budget: Budget) -> int:
    from ...plugins.options import make_problem
    from ...plugins.trust import class_for_file, parameters_with_files
    from ...verify.file import check_file
    from ..chosen import build_problem
    from ..problem_command import explain

    sys.set_int_max_str_digits(MOST_DIGITS)
    saved = doing("the file was being read", budget, lambda: read_plan_file(file, proof_will_do=True))
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
        parameters = parameters_with_files(cls, saved.parameters, saved.data_files, file.parent, data_files)

        def make() -> Any:
            return build_problem(make_problem(cls, parameters), saved.blindfold, saved.belief)

        problem = doing("the puzzle was being made", budget, make)
        verdict = doing("the file was being checked", budget, lambda: check_file(problem, saved, budget.tick))
    except (InvalidPlanError, ProblemError) as error:
        raise InvalidPlanError(f"{str(file)!r}: {error}") from error
    except Stopped:
        raise
    except (Exception, SystemExit) as error:
        complaint = explain(error, cls, problem)
        if complaint is None:
            raise
        raise PluginError(complaint) from error
    written = " ".join(f"{name}={quoted(value)}" for name, value in saved.parameters.items() if value is not None)
    belief = "" if saved.belief is None else f"beginning with {' '.join(map(quoted, saved.belief))}"
    notes = ", ".join(filter(None, (written, "blindfolded" if saved.blindfold else "", belief)))
    name = saved.problem if reference is None else reference
    title = f"{name} ({notes})" if notes else name
    for line in verdict.lines:
        emit(f"{title}: {line}")
    return HOLDS if verdict.holds else DOES_NOT_HOLD
