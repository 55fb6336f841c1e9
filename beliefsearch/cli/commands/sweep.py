"""`beliefsearch sweep`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import click

from ...errors import BeliefSearchError
from ...planner.sweep import _MOST_INSTANCES, SweepRow, sweep
from ...plugins.conformance.check import mistakes_named
from ...plugins.installed import reader_of
from ...plugins.options import Option, file_options, options_of
from ...running.limits import hard_memory_limit
from .. import SOLVED, UNDECIDED, hear_interrupts
from ..options import report_options
from ..output import emit, emit_lines, form_to_write, message, write_file
from ..problem_command import OF_CLICK, ProblemCommand, for_users
from ..progress import Progress
from ..renderers.sweep_table import FOOT, Swept, sweep_file, sweep_lines
from ..search_options import SearchOptions, search_options
from ..selected_problem import files_read

_FORMS = ("text", "csv", "json", "png")
_NUMBER = r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?:/\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?:\.\.({_NUMBER}))?")
_TRUTH = {"yes": True, "true": True, "no": False, "false": False}


def read_values(option: Option, text: str) -> tuple[list[object], bool]:
    """Return the values in the text of an option, as written in files, and whether it is a range or a list.

    Values stand between commas; a comma that belongs to a value stands in brackets, or behind a backslash. Of a number
    there are ranges, `A..B`, by steps of 1, and `A..B..STEP`; both ends belong to it if the steps hit them. What cannot
    be read, or cannot be a value of the option, raises a `ValueError` that says why in one line.
    """
    if option.joined and "\\," not in text:
        settings = _combined(option, text)
        return [*map(option.value, settings)], len(settings) > 1
    parts = [part.replace("\\,", ",").strip() for part in _parted(text)]
    values: list[object] = []
    ranged = False
    for part in parts:
        match = _RANGE.fullmatch(part) if option.kind not in (bool, str) and not option.choices else None
        if match is None:
            values.append(_written(option, part))
            continue
        ranged = True
        first, last = _fraction(match[1]), _fraction(match[2])
        step = _fraction(match[3] or "1")
        if step <= 0:
            raise ValueError(f"the step of {part!r} is not above 0")
        values += [value for _, value in values_between(option, first, last, step)]
    for value in values:
        option.value(value)
    if len(set(values)) < len(values):
        raise ValueError(f"{text!r} names a value twice")
    return values, ranged or len(parts) > 1


def _parted(text: str) -> list[str]:
    """Return the texts between commas outside of brackets that have no backslash before them."""
    parts, depth = [""], 0
    for place, letter in enumerate(text):
        depth = max(0, depth + (letter in "([{") - (letter in ")]}"))
        if letter == "," and not depth and text[place - 1 : place] != "\\":
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _combined(option: Option, text: str) -> list[str]:
    """Return all settings of several names that `N=1..5,K=2,4` means; PRISM writes N=1:5, or N=1:STEP:5."""
    choices: dict[str, list[str]] = {}
    name = ""
    for part in text.split(","):
        before, sign, value = part.rpartition("=")
        name = before.strip() if sign else name
        ends = value.strip().split(":")
        match = _RANGE.fullmatch(value.strip() if len(ends) == 1 else "..".join([ends[0], ends[-1], *ends[1:-1]]))
        found = [value.strip()]
        if match is not None:
            first, last, step = map(_fraction, (match[1], match[2], match[3] or "1"))
            if step <= 0:
                raise ValueError(f"the step of {part!r} is not above 0")
            numbers = [number for number, _ in values_between(option, first, last, step)]
            found = [str(number if number.denominator == 1 else float(number)) for number in numbers]
        choices.setdefault(name, []).extend(found)
    if prod(map(len, choices.values())) > _MOST_INSTANCES:
        raise ValueError(f"a sweep has at most {_MOST_INSTANCES:,} instances")
    named = ([f"{name}={value}" if name else value for value in values] for name, values in choices.items())
    return [",".join(setting) for setting in product(*named)]


def values_between(option: Option, first: Fraction, last: Fraction, step: Fraction) -> list[tuple[Fraction, object]]:
    """Return the numbers from `first` to `last`, up or down by `step`, as written for the option.

    A `ValueError` if they are too many, or the option takes whole numbers and some are not.
    """
    count = int(abs(last - first) / step) + 1
    if count > _MOST_INSTANCES:
        raise ValueError(f"a sweep goes from one value to another in at most {_MOST_INSTANCES:,} steps")
    stride = step if last >= first else -step
    places = [first + stride * number for number in range(count)]
    if option.kind is int:
        if any(place.denominator > 1 for place in places):
            raise ValueError("it takes whole numbers; choose a range and a step of whole numbers")
        return [(place, int(place)) for place in places]
    return [(place, float(place) if option.kind is float else str(place)) for place in places]


def _written(option: Option, text: str) -> object:
    """Return one value, as written in files."""
    if option.kind is bool:
        if text.lower() not in _TRUTH:
            raise ValueError(f"{text!r} is not yes or no")
        return _TRUTH[text.lower()]
    if option.kind in (int, float):
        try:
            return option.kind(text)
        except ValueError:
            kind = "a whole number" if option.kind is int else "a number"
            raise ValueError(f"{text!r} is not {kind}, nor a range such as 1..12 or 0..10..2") from None
    return text


def _fraction(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):  # such as 1.5/2
        raise ValueError(f"{text!r} is not a number such as 0.5 or 1/2") from None


class _SweepCommand(ProblemCommand):
    """A command for many instances: the problem's options take ranges and lists; the callback receives `swept`."""

    def problem_options(self, cls: Any) -> list[tuple[click.Option, Option]]:
        made = []
        for fixed, option in super().problem_options(cls):
            names = [name for name in fixed.opts if name.startswith("--")]
            hint = "|".join(option.choices) or ("yes|no" if option.kind is bool else fixed.type.name.upper())
            # What is true or false may come without a value.
            alone: dict[str, Any] = {"is_flag": False, "flag_value": "yes"} if option.kind is bool else {}
            several: dict[str, Any] = {"multiple": bool(option.joined), "callback": fixed.callback}
            text = click.Option(
                [f"problem_{option.field}", names[0]],
                type=click.Path() if option.is_file else str,  # a path is completed by the shell
                required=fixed.required,
                metavar=f"{hint}[,...]",
                help=fixed.help,
                **alone,
                **several,
            )
            made.append((text, option))
            if option.kind is bool:
                off = click.Option([f"without_{option.field}", *fixed.secondary_opts], is_flag=True, hidden=True)
                made.append((off, option))
        return made

    def invoke(self, ctx: click.Context) -> Any:
        cls = ctx.meta["problem class"]
        varying: dict[str, Sequence[object]] = {}
        fixed: dict[str, object] = dict(ctx.meta["given"])
        typed = []
        for made, option in ctx.meta["problem options"]:
            text = ctx.params.pop(made.name)
            if made.is_flag and text:
                fixed[option.name] = False
                typed.append(made.opts[0])
            elif not made.is_flag and text is not None:
                try:
                    values, is_list = read_values(option, text)
                except ValueError as error:
                    raise click.UsageError(f"{made.opts[0]}: {error}") from None
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
            able = [option for option in options_of(cls) if option.name not in ctx.meta["given"]]
            names = ", ".join(f"--{one.name}{' NAME=1..12' if one.joined else ''}" for one in able) or "none"
            how = "with a range such as 1..12 or a list such as 1,2,4"
            raise BeliefSearchError(f"say which option varies, {how}; {reference} has {names}")
        title = " ".join([reference, *typed, *(["--blindfold"] if blindfold else [])])
        name, search = reader_of(reference) or reference, SearchOptions.taken_from(ctx)
        ctx.params["swept"] = Swept(name, cls, varying, fixed, title, blindfold, search)
        with for_users(), mistakes_named(cls, lambda: None, apart_from=OF_CLICK):
            return click.Command.invoke(self, ctx)


@click.command("sweep", cls=_SweepCommand)
@search_options
@report_options(
    _FORMS,
    "Also write the table, or a picture, to this file.",
    form="By default as the file name says, or text without a file.",
)
def command(swept: Swept, form: str | None, output: Path | None) -> int:
    """Solve many instances of PROBLEM, and print a line for each as soon as it is ready.

    Options of PROBLEM take a range (--n 1..12, --n 2..20..2) or a list (--told heads,parity); limits count for
    each instance anew. Exit code 0: every instance is decided; 3: some are not, or Ctrl-C ended it.
    """
    cls = swept.problem_class
    data = [path for name in file_options(cls) for path in (swept.fixed.get(name), *swept.varying.get(name, ()))]
    form = form_to_write(form, output, _FORMS, files_read(cls, data))
    printed = "text" if output is not None else form
    rows: list[SweepRow] = []
    wanted = prod(map(len, swept.varying.values()))
    interrupted = False
    try:
        for line in sweep_lines(swept, printed, _rows(swept, rows)):
            emit(line)
    except KeyboardInterrupt:
        interrupted = True
    emit_lines(FOOT.get(printed, ()))
    if output is not None:
        write_file(output, sweep_file(swept, rows, form))
        message(f"{output}: {len(rows):,} of {wanted:,} instances, {form}")
    if interrupted:
        message(f"interrupted: {wanted - len(rows):,} of {wanted:,} instances were not decided")
    return UNDECIDED if interrupted or any(row.status.value == "undecided" for row in rows) else SOLVED


def _rows(swept: Swept, done: list[SweepRow]) -> Iterator[SweepRow]:
    """Return the rows, each with a progress line of its own while it is computed; values are checked at once.

    Those that are there are put into `done`.
    """
    search = swept.search
    progress = Progress(search.quiet)
    how: Any = {**search.request.options, "solver": search.request.solver, "blindfold": swept.blindfold}
    cls, varying = swept.problem_class, swept.varying
    rows = sweep(cls, varying, swept.fixed, **how, limits=search.limits(), observer=progress)

    def shown() -> Iterator[SweepRow]:
        while True:
            with progress, hard_memory_limit(search.memory_limit):
                row = next(rows, None)
            if row is None:
                return
            done.append(row)
            yield row

    return shown()
