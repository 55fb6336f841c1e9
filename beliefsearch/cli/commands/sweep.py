"""`beliefsearch sweep`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import asdict

from ...errors import BeliefSearchError, PluginError
from ...plugins.options import Option, options_of
from ...running.observer import Observer
from .. import SOLVED, UNDECIDED, hear_interrupts
from ..answers.sweep_table import SweepTable, Swept, sweep_file
from ..choice import Choice
from ..output import check_writable, emit, message, write_file
from ..problem_command import ProblemCommand
from ..search_options import SearchOptions, search_options

if TYPE_CHECKING:
    from ...solving.sweep import SweepRow

_SUFFIXES = {".txt": "text", ".csv": "csv", ".json": "json", ".png": "png"}


class _SweepCommand(ProblemCommand):
    """A command for many instances: the problem's options take ranges and lists; the callback receives `swept`."""

    def problem_options(self, cls: Any) -> list[tuple[click.Option, Option]]:
        made = []
        for fixed, option in super().problem_options(cls):
            names = [name for name in fixed.opts if name.startswith("--")]
            hint = "|".join(option.choices) or ("yes|no" if option.kind is bool else fixed.type.name.upper())
            made.append((_text_option(f"problem_{option.field}", names[0], f"{hint}[,...]", fixed, option), option))
            if option.kind is bool:
                off = click.Option([f"without_{option.field}", *fixed.secondary_opts], is_flag=True, hidden=True)
                made.append((off, option))
        return made

    def invoke(self, ctx: click.Context) -> Any:
        cls = ctx.meta["problem class"]
        varying: dict[str, Sequence[object]] = {}
        fixed: dict[str, object] = {}
        typed = []
        for made, option in ctx.meta["problem options"]:
            text = ctx.params.pop(made.name)
            if made.is_flag:
                if text:
                    fixed[option.name] = False
                    typed.append(made.opts[0])
            elif text is not None:
                values, is_list = _read(made, option, text)
                if is_list:
                    varying[option.name] = values
                else:
                    fixed[option.name] = values[0]
                typed.append(f"{made.opts[0]} {text}")
        reference, blindfold = ctx.params.pop("reference"), ctx.params.pop("blindfold")
        if ctx.params.pop("belief") is not None:
            raise BeliefSearchError("--belief is for a single instance, not for a sweep")
        hear_interrupts()
        if not varying:
            names = ", ".join(f"--{option.name}" for option in options_of(cls))
            raise BeliefSearchError(
                f"say which option varies, with a range such as 1..12 or a list such as 1,2,4; "
                f"{reference} has {names or 'none'}"
            )
        title = " ".join([reference, *typed, *(["--blindfold"] if blindfold else [])])
        ctx.params["swept"] = Swept(reference, cls, varying, fixed, title, blindfold)
        try:
            return click.Command.invoke(self, ctx)
        except (BeliefSearchError, click.ClickException, click.Abort):
            raise
        except (Exception, SystemExit) as error:
            from ...plugins.conformance.check import mistake_in

            complaint = mistake_in(error, cls, None)
            if complaint is None:
                raise
            raise PluginError(complaint) from error


def _text_option(name: str, spelled: str, hint: str, fixed: click.Option, option: Option) -> click.Option:
    """The option with its value as text; a true-or-false option may come without a value."""
    alone: dict[str, Any] = {"is_flag": False, "flag_value": "yes"} if option.kind is bool else {}
    return click.Option(
        [name, spelled], type=str, default=None, required=fixed.required, metavar=hint, help=fixed.help, **alone
    )


def _read(made: click.Option, option: Option, text: str) -> tuple[list[object], bool]:
    from ...solving.sweep import read_values

    try:
        return read_values(option, text)
    except ValueError as error:
        raise click.UsageError(f"{made.opts[0]}: {error}") from None


@click.command("sweep", cls=_SweepCommand)
@search_options
@click.option(
    "--format",
    "form",
    type=Choice(["text", "csv", "json", "png"]),
    help="By default as the file name says, or text without a file.",
)
@click.option("--output", type=click.Path(path_type=Path), help="Also write the table, or a picture, to this file.")
def command(swept: Swept, search: SearchOptions, form: str | None, output: Path | None) -> int:
    """Solve many instances of PROBLEM, and print a line for each as soon as it is ready.

    Options of PROBLEM take a range (--n 1..12, --n 2..20..2) or a list (--table cyclic,dihedral); limits count for
    each instance anew. Exit code 0: every instance is decided; 3: some are not, or Ctrl-C ended it.
    """
    if form is None:
        form = "text" if output is None else _SUFFIXES.get(output.suffix)
        if form is None and output is not None:
            raise BeliefSearchError(f"the name {output.name!r} tells no format; say --format text, csv, json or png")
    if form == "png" and output is None:
        raise BeliefSearchError("a picture goes to a file; say which with --output")
    if form == "png":
        from ...graph.pictures import require_matplotlib

        require_matplotlib()
    check_writable(output)
    table = SweepTable(swept, "text" if output is not None else str(form))
    rows: list[SweepRow] = []
    interrupted = False
    try:
        instances = _rows(swept, search)
        for line in table.head():
            emit(line)
        for row in instances:
            rows.append(row)
            for line in table.row(row):
                emit(line)
    except KeyboardInterrupt:
        interrupted = True
    for line in table.foot():
        emit(line)
    if output is not None:
        write_file(output, sweep_file(swept, rows, str(form)))
        message(f"{output}: {len(rows):,} of {_count(swept):,} instances, {form}")
    if interrupted:
        message(f"interrupted: {_count(swept) - len(rows):,} of {_count(swept):,} instances were not decided")
    return UNDECIDED if interrupted or any(row.status.value == "undecided" for row in rows) else SOLVED


def _count(swept: Swept) -> int:
    return prod(map(len, swept.varying.values()))


class _Relay(Observer):
    """Passes the events of a search on to the current progress line."""

    shown: Any = None

    def numbered(self, states: int) -> None:
        self.shown.numbered(states)

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        self.shown.layer_finished(bound, frontier, reached)

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        self.shown.progressed(bound, expanded, frontier, reached)


def _rows(swept: Swept, search: SearchOptions) -> Iterator[SweepRow]:
    """The rows, each with a progress line of its own while it is computed; values are checked at once."""
    from ...running.limits import hard_memory_limit
    from ...solving.sweep import sweep
    from ..progress import Progress

    relay = _Relay()
    rows = sweep(
        swept.problem_class,
        swept.varying,
        swept.fixed,
        blindfold=swept.blindfold,
        **asdict(search.request()),
        limits=search.limits(),
        observer=relay,
    )

    def shown() -> Iterator[SweepRow]:
        while True:
            with Progress(search.quiet) as relay.shown, hard_memory_limit(search.memory_limit):
                row = next(rows, None)
            if row is None:
                return
            yield row

    return shown()
