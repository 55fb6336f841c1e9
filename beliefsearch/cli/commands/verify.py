"""`beliefsearch verify`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ...errors import BeliefSearchError
from ...plans.wording import MOST_DIGITS
from ...plugins.data_files import size_text
from ...running.alarm import doing
from ...running.limits import Budget
from .. import DOES_NOT_HOLD, HOLDS, UNDECIDED, hear_interrupts
from ..options import FILE, limit_options, limits_of
from ..output import emit_lines, message
from ..problem_options import complete_data_file, complete_problem


def _data_file(text: str) -> tuple[str, Path]:
    """`OPTION=PATH`, or with the dashes, `--OPTION=PATH`."""
    name, _, path = text.partition("=")
    if not name or not path:
        raise click.BadParameter(f"{text!r} should be OPTION=FILE, such as automaton=../machine.txt")
    return name.removeprefix("--"), Path(path)


@click.command("verify")
@click.argument("file", type=FILE)
@click.option(
    "--problem",
    "reference",
    metavar="PROBLEM",
    shell_complete=complete_problem,
    help="Check the file against this problem, whose code may be run: ./turnstile.py, or module:ClassName. By default "
    "only installed problems are used.",
)
@click.option(
    "--data",
    "data_files",
    type=_data_file,
    metavar="OPTION=FILE",
    shell_complete=complete_data_file,
    multiple=True,
    help="The data file of one of the problem's options, such as automaton=../machine.txt. By default only data files "
    f"in the folder of FILE or below are read. Ordinary files of at most {size_text()}, unless the option allows more.",
)
@click.option(
    "--game",
    type=FILE,
    metavar="GAME",
    help="Check FILE, a certificate of tables, against this listed game (`prove --format game` writes both); no puzzle "
    "is asked.",
)
@limit_options
def command(
    file: Path,
    reference: str | None,
    data_files: tuple[tuple[str, Path], ...],
    game: Path | None,
    time_limit: float | None,
    memory_limit: int | None,
) -> int:
    """Check a saved plan or a certificate by the definition, exactly.

    A plan is replayed over every possible start and every result; a proof is checked step by step. No
    solver takes part. Opening a file runs only the code of installed problems. Exit code 0: it holds;
    1: it does not, and the first mistake is printed; 3: a limit was reached first.
    """
    from ...plugins.files.verify_file import verify_file

    hear_interrupts()
    if game is not None:
        if reference is not None or data_files:
            raise BeliefSearchError("with --game no puzzle is asked; leave --problem and --data away")
        return _check_tables(game, file, Budget(limits_of(time_limit, memory_limit)))
    verdict = verify_file(file, problem=reference, data=dict(data_files), limits=limits_of(time_limit, memory_limit))
    emit_lines(f"{verdict.about}: {line}" for line in verdict.lines)
    if not verdict.decided:
        message(f"beliefsearch: undecided, {verdict.complaint}")
        return UNDECIDED
    return HOLDS if verdict.holds else DOES_NOT_HOLD


def _check_tables(game: Path, file: Path, budget: Budget) -> int:
    """Check a certificate of tables."""
    sys.set_int_max_str_digits(MOST_DIGITS)
    from ...verify.checker import UnreadableError, WrongError, check, conclusion, read_json

    try:
        claims = doing("the tables were being checked", budget, lambda: check(*map(read_json, map(str, (game, file)))))
    except WrongError as error:
        emit_lines([f"{file}: it does not hold: {error}"])
        return DOES_NOT_HOLD
    except UnreadableError as error:
        raise BeliefSearchError(str(error)) from None
    together = conclusion(claims)
    emit_lines(f"{file}: the table {claim.kind} holds: {claim.text}" for claim in claims)
    if together is not None:
        emit_lines([f"{file}: {together}"])
    return HOLDS
