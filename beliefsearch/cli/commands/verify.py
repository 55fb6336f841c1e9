"""`beliefsearch verify`."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from ...errors import BeliefSearchError
from ...plans.vector_files import VECTOR_ENDINGS
from ...plans.wording import MOST_DIGITS
from ...plugins.data_files import size_text
from ...plugins.installed import given_by
from ...plugins.loading import load_problem_class
from ...running.alarm import doing
from ...running.limits import Budget
from .. import DOES_NOT_HOLD, HOLDS, UNDECIDED, hear_interrupts
from ..options import FILE, READ, limit_options, limits_of
from ..output import check_writable, emit_lines, message
from ..problem_options import click_options, complete_data_file, complete_problem


def _data_file(text: str) -> tuple[str, Path]:
    """`OPTION=PATH`, or with the dashes, `--OPTION=PATH`."""
    name, _, path = text.partition("=")
    if not name or not path:
        raise click.BadParameter(f"{text!r} should be OPTION=FILE, such as automaton=../machine.txt")
    return name.removeprefix("--"), Path(path)


class _VerifyCommand(click.Command):
    """A command that takes the options of the problem that `--problem` names."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = [after for word, after in pairwise([*args, ""]) if word == "--problem"]
        named += [word.partition("=")[2] for word in args if word.startswith("--problem=")]
        if named and named[-1] and not ctx.resilient_parsing:
            budget = Budget(limits_of(None, None))
            cls = doing("the puzzle was being imported", budget, lambda: load_problem_class(named[-1]))
            given = given_by(named[-1])
            made = [both for both in click_options(cls, self.params, True) if both[1].name not in given]
            ctx.meta["problem options"] = made
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if named or error.possibilities:
                raise
            told = f"{error.message} Options of a problem are known behind --problem PROBLEM."
            raise click.NoSuchOption(error.option_name, told, ctx=ctx) from None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *(option for option, _ in ctx.meta.get("problem options", ()))]

    def invoke(self, ctx: click.Context) -> Any:
        typed = {option.name: ctx.params.pop(made.name or "") for made, option in ctx.meta.get("problem options", ())}
        ctx.params["options"] = {name: value for name, value in typed.items() if value is not None}
        return super().invoke(ctx)


@click.command("verify", cls=_VerifyCommand)
@click.argument("file", type=READ, required=False)
@click.option(
    "--plan",
    "plan",
    type=READ,
    metavar="FILE",
    help="The same as FILE: a plan file, or with --problem the plan of another planner, as text.",
)
@click.option(
    "--policy",
    type=READ,
    metavar="FILE",
    help="The policy of another POMDP solver: SARSOP's .policy, or .alpha and .pg of pomdp-solve. It is proved what it "
    "is worth at least; --problem names the file that it was made for.",
)
@click.option("--certificate", type=FILE, help="Of a --policy: write the proof; `verify FILE` checks it.")
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
    type=READ,
    metavar="GAME",
    help="Check FILE, a certificate of tables, against this listed game (`prove --format game` writes both); no puzzle "
    "is asked.",
)
@limit_options
def command(
    file: Path | None,
    plan: Path | None,
    policy: Path | None,
    certificate: Path | None,
    reference: str | None,
    data_files: tuple[tuple[str, Path], ...],
    game: Path | None,
    time_limit: float | None,
    memory_limit: int | None,
    options: dict[str, object],
) -> int:
    """Check a saved plan or a certificate by the definition, exactly.

    A plan is replayed over every possible start and every result; a proof is checked step by step. No
    solver takes part. Opening a file runs only the code of installed problems. Exit code 0: it holds;
    1: it does not, and the first mistake is printed; 3: a limit was reached first.

    With --problem FILE may be a plan as the planners of the competitions write it: one action a line, perhaps
    numbered; a tree of Contingent-FF; or a policy of PRP. --problem takes the options of the problem, too.

    With --policy it proves what the policy of another POMDP solver is worth at least, and --certificate writes that.
    """
    from ...plugins.files.verify_file import verify_file

    hear_interrupts()
    given = [path for path in (file, plan, policy) if path is not None]
    if file is not None and len(given) == 2 and reference is None and given_by(str(file)):
        raise click.UsageError(f"the problem goes behind an option: --problem {file}")
    if len(given) != 1:
        raise click.UsageError("say which file to check, once: `verify FILE`, or `verify --plan FILE`")
    (file,) = given
    if policy is not None and policy.suffix.lower() not in VECTOR_ENDINGS:
        raise BeliefSearchError(f"the name of a policy ends in {', '.join(VECTOR_ENDINGS)}; {policy.name!r} does not")
    check_writable(certificate, [file, *([Path(reference)] if reference and given_by(reference) else [])])
    if game is not None:
        if reference is not None or data_files:
            raise BeliefSearchError("with --game no puzzle is asked; leave --problem and --data away")
        return _check_tables(game, file, Budget(limits_of(time_limit, memory_limit)))
    limits = limits_of(time_limit, memory_limit)
    data = dict(data_files)
    verdict = verify_file(file, problem=reference, data=data, options=options, limits=limits, certificate=certificate)
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
