"""Types of options, and options that many commands have: limits on time and memory, and the form of a report."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import BeliefSearchError, suggestion
from ..running.limits import Limits, machine_memory

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # before click 8.2 it is not generic


class Choice(_Choice):
    """One of some values, as `click.Choice` takes it; for a mistyped value the error names the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            hint = suggestion(str(value), self.choices)
            text = f"{error.message} {hint.capitalize()}" if hint else error.message
            raise click.BadParameter(text, ctx, param) from None


class Whole(click.IntRange):
    """A whole number, as `click.IntRange` takes it; what is none is not called an invalid range."""

    name = "integer"


class _Read(click.Path):
    """The path of a file that is read; a pipe will do, but a device may never end."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path: Any = super().convert(value, param, ctx)
        if os.path.exists(path) and (path.is_char_device() or path.is_block_device()):
            raise BeliefSearchError(f"cannot read {str(path)!r}: it is a device")
        return path


FILE: Any = click.Path(path_type=Path)
"""The path of a file."""
READ: Any = _Read(path_type=Path)
"""The path of a file with a plan, a policy or a proof."""

_Callback = TypeVar("_Callback", bound=Callable[..., Any])

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]i?|)b?", text.lower())
    size = math.ceil(float(match[1]) * _UNITS[match[2]]) if match else 0
    if not size:
        raise click.BadParameter(f"{text!r} is not a size such as 500MB, 2GiB or a number of bytes.")
    return size


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise click.BadParameter(f"{text!r} is not a number of seconds above 0.")
    return seconds


def with_options(callback: _Callback, *options: Callable[[_Callback], _Callback]) -> _Callback:
    """Give a command these options, which its help lists in this order."""
    for option in reversed(options):
        callback = option(callback)
    return callback


def report_options(
    forms: Sequence[str],
    output: str,
    form: str = "What to write, or without --output to print; by default as the file name says.",
) -> Callable[[_Callback], _Callback]:
    """Give a command the options `--format`, one of `forms`, and `--output`, with these helps."""
    return lambda callback: with_options(
        callback,
        click.option("--format", "form", type=Choice(forms), help=form),
        click.option("--output", type=FILE, help=output),
    )


def limit_options(callback: _Callback) -> _Callback:
    """Give a command the options `--time-limit` and `--memory-limit`."""
    return with_options(
        callback,
        click.option(
            "--time-limit",
            type=_seconds,
            metavar="N",
            help="Give up after N seconds; a search and the proof of its answer have N each.",
        ),
        click.option(
            "--memory-limit",
            type=_size,
            metavar="SIZE",
            help="Give up before using more memory than SIZE, such as 500MB; by default 90% of the machine's memory.",
        ),
    )


def limits_of(time_limit: float | None, memory_limit: int | None) -> Limits:
    """Return the limits; the default memory limit is 90% of the machine's memory."""
    if memory_limit is None:
        machine = machine_memory()
        memory_limit = None if machine is None else machine * 9 // 10
    return Limits(seconds=time_limit, memory=memory_limit)
