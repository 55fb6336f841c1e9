"""The options of a problem class as click options, prompts for those that were left out, and completions of files."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import NOTHING

from ..errors import ProblemError
from ..plugins.data_files import size_text
from ..plugins.installed import list_problems, reader_of
from ..plugins.options import Option, make_problem, options_of
from ..running.alarm import doing
from ..running.limits import Budget
from .options import Choice
from .output import is_terminal, message, piped_line

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SECONDS = 2.0
"""So long a shell waits for a puzzle to be imported, whose options it completes."""
# Seconds to wait for a line in a pipe that nobody may ever write to.
_PATIENCE = 5.0
# An answer in a pipe has no more rows.
_MOST_ROWS = 100

_START: Any = {"metavar": "STATE", "help": "The true state at the start; the initial belief stays the same."}
_EXACT: Any = {"is_flag": True, "help": "Print all digits of values and bounds, or the fraction, where chance decides."}
start_option = click.option("--start", "--true-start", "true_start", **_START)
exact_option = click.option("--exact", "exact", **_EXACT)
# What they are called where the problem has an option of the same name.
_RENAMED = {
    "--start": click.Option(["--true-start", "true_start"], **_START),
    "--exact": click.Option(["--exact-values", "exact"], **_EXACT),
}


def beside(params: list[click.Parameter], options: list[Option]) -> list[click.Parameter]:
    """The parameters of a command, renamed where the problem has options of the same names."""
    renamed = {name: _RENAMED[name] for option in options if (name := f"--{option.name}") in _RENAMED}
    return [next((renamed[name] for name in param.opts if name in renamed), param) for param in params]


def find_reference(args: list[str], params: list[click.Parameter]) -> str | None:
    """PROBLEM: the first word that is neither an option nor the value of one.

    Options that are not the command's own must be the problem's, which is not known yet. The word behind
    such an option is most likely its value, so it is PROBLEM only if no other word can be.
    """
    own = [param for param in params if isinstance(param, click.Option)]
    flags = {"-h", "--help"}.union(*(param.opts for param in own if param.is_flag))
    valued = set().union(*(param.opts for param in own if not param.is_flag))
    unlikely = None
    before = ""
    for word in args:
        if word.startswith("-") and len(word) > 1:
            before = word
            continue
        if before not in valued:
            if not before or before in flags or "=" in before:
                return word
            unlikely = unlikely or word
        before = ""
    return unlikely


def click_options(cls: Any, params: list[click.Parameter], all_optional: bool) -> list[tuple[click.Option, Option]]:
    """The options of a problem class, each with its click option, renamed if the command has one of that name."""
    taken = {name for param in params if isinstance(param, click.Option) for name in param.opts}
    taken |= {"--help", "--debug"}
    taken -= set(_RENAMED)  # a problem's own goes before
    made = []
    for option in options_of(cls):
        name = option.name if f"--{option.name}" not in taken else f"problem-{option.name}"
        made.append((_click_option(name, option, option.required and not option.prompt and not all_optional), option))
    return made


def _click_option(name: str, option: Option, required: bool) -> click.Option:
    declaration = f"--{name}/--no-{name}" if option.kind is bool else f"--{name}"
    # A type of the problem's own is text here; its own function reads it when the problem is made.
    kind: Any = option.kind if option.kind in (int, float) else click.Path() if option.is_file else str
    default = option.written_default()
    more = f"; an ordinary file of at most {size_text(option.most_bytes)}" if option.is_file else ""
    more += "; may be given several times" if option.joined else ""
    many: Any = {}
    if option.joined or default == "":
        many = {"multiple": bool(option.joined), "callback": partial(_filled, option.joined)}
    if default is not None and default is not NOTHING and default != "":
        text = default if option.kind is not bool else f"--{name}" if default else f"--no-{name}"
        more += f"  [default: {text}]"
    kind = None if option.kind is bool else Choice(list(option.choices)) if option.choices else kind
    names, told = [f"problem_{option.field}", declaration], option.help + more
    return click.Option(names, type=kind, default=None, required=required, help=told, **many)


def _filled(separator: str, ctx: click.Context, param: click.Parameter, given: Any) -> str | None:
    """Return an option, perhaps given several times, as one text; None if it was left out, an error if it is empty."""
    if given == "" or (separator and "" in given):
        raise click.BadParameter("it is empty; leave the option out, or give it a value.", ctx, param)
    return separator.join(given) or None if separator else given


def as_typed(name: str, written: object) -> str:
    """An option of a problem as the user would type it."""
    if isinstance(written, bool):
        return name if written else name.replace("--", "--no-", 1)
    return f"{name} {shlex.quote(str(written))}"


def make_or_ask(
    cls: Any, options: list[tuple[click.Option, Option]], written: dict[str, object], startless: bool, budget: Budget
) -> Any:
    """The problem; options with a prompt that were left out are asked for, on a terminal or in a pipe."""

    def make(given: dict[str, object]) -> Any:
        return doing("the puzzle was being made", budget, lambda: make_problem(cls, given))

    missing = [(made, option) for made, option in options if option.prompt and option.name not in written]
    if startless or not missing:
        return make(written)
    if not is_terminal(sys.stdin):
        return _make_from_pipe(make, missing, written)
    if not any(option.required for _, option in missing):
        make(written)  # options that are wrong anyway should not wait for an answer
    while True:
        began = budget.seconds()
        answers = {option.name: click.prompt(option.prompt or "", type=made.type, err=True) for made, option in missing}
        budget.without(budget.seconds() - began)
        try:
            problem = make({**written, **answers})
        except ProblemError as error:
            message(str(error))
        else:
            written.update(answers)
            return problem


def _make_from_pipe(
    make: Callable[[dict[str, object]], Any], missing: list[tuple[click.Option, Option]], written: dict[str, object]
) -> Any:
    """The problem, with the options that were left out as standard input has them; `written` takes them over.

    A line that the problem refuses as the only answer, and as text, may be the first row of several.
    """
    answers: dict[str, Any] = {}
    for made, option in missing:
        line = piped_line(_PATIENCE)
        if line is None or not line.strip():
            break
        try:
            answers[option.name] = made.type.convert(line.strip(), made, None)
        except click.BadParameter as error:
            raise ProblemError(f"{made.opts[0]}, read from standard input: {error.message}") from None
    is_text = [type(answer) for answer in answers.values()] == [str]
    for _ in range(_MOST_ROWS if is_text else 0):
        with suppress(ProblemError):
            problem = make({**written, **answers})
            written.update(answers)
            return problem
        row = (piped_line(0) or "").strip()
        if not row:
            break
        answers = {name: f"{rows} {row}" for name, rows in answers.items()}
    written.update(answers)
    return make(written)


def complete_problem(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Installed names, files of Python and of readers, and if there are none of these, folders."""
    from click.shell_completion import CompletionItem

    named = [CompletionItem(listing.name, help=listing.summary) for listing in list_problems(incomplete)]
    files = [CompletionItem(path) for path in _entries(incomplete) if path.endswith(".py") or reader_of(path)]
    # First, because bash then forgets what it was given before.
    return [CompletionItem(incomplete, type="dir"), *named, *files]


def complete_data_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A file behind `OPTION=`; some shells give the whole word, some what stands behind the sign."""
    from click.shell_completion import CompletionItem

    option, sign, path = incomplete.partition("=")
    if not sign:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(f"{option}={entry}") for entry in _entries(path)]


def _entries(incomplete: str) -> Iterator[str]:
    """The files and folders whose paths begin so, as they would be typed."""
    folder, slash, start = incomplete.rpartition("/")
    with suppress(OSError):
        for name in sorted(os.listdir(Path(folder + slash))):
            if name.startswith(start) and (start or not name.startswith(".")):
                yield f"{folder}{slash}{name}"
