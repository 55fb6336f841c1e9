"""Make `docs/catalogue.md`: a page of all our puzzles, with answers that are computed anew.

`python docs/make_catalogue.py` writes the page; `tests/test_catalogue.py` compares it with what would be written.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from inspect import cleandoc
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefsearch import Blindfolded, KnownAnswer, load_problem_class
from beliefsearch.kinds import Kind, is_stochastic, kind_of
from beliefsearch.plugins.installed import list_problems
from beliefsearch.plugins.options import Option, options_of
from beliefsearch.testing.checks import computed_answer, problem_of

if TYPE_CHECKING:
    from beliefsearch.model.base import Number

PAGE = Path(__file__).with_name("catalogue.md")

_INTRODUCTION = """\
# Catalogue

Every puzzle that comes with beliefsearch, with its kind, options and source, and some instances with their answers.
What the answers were compared with is a source or a brute force, not a search of ours; each puzzle's text names it:
`beliefsearch describe NAME`.

This page is made by `python docs/make_catalogue.py`, which solves every instance. A test keeps it up to date.

"""


def puzzles() -> Iterator[tuple[str, str, Any]]:
    """Our own puzzles: name, one-line summary, class."""
    for listing in list_problems():
        if listing.distribution.split()[0] == "beliefsearch":
            yield listing.name, listing.summary or "", load_problem_class(listing.name)


def computed_answers(cls: Any) -> list[Number | None]:
    """For each of the puzzle's known answers what beliefsearch finds, written as in `KnownAnswer`.

    Raises
    ------
    RuntimeError
        If an answer is not proved.
    """
    return [computed_answer(problem_of(cls, known), known) for known in cls.known_answers]


def catalogue(answers_of: Callable[[Any], list[Number | None]] = computed_answers) -> str:
    """The whole page; `answers_of` gives the answers of a class."""
    entries = list(puzzles())
    contents = [f"- [`{name}`](#{name}): {_kinds(cls)}" for name, _, cls in entries]
    bodies = ["\n" + _entry(name, summary, cls, answers_of(cls)) for name, summary, cls in entries]
    return _INTRODUCTION + "\n".join(contents) + "\n" + "".join(bodies)


def _entry(name: str, summary: str, cls: Any, answers: list[Number | None]) -> str:
    options = [_row(f"`{_spelt(option)}`", option.help, _default(option)) for option in options_of(cls)]
    instances = []
    for known, answer in zip(cls.known_answers, answers, strict=True):
        problem = problem_of(cls, known)
        instances.append(_row(f"`{_command(name, known)}`", _kind(problem), _answer_text(problem, known, answer)))
    lines = [f"## {name}", "", summary, "", f"Source: {_section(cls, 'Source')}", ""]
    lines += ["| option | meaning | default |", "|---|---|---|", *options, ""]
    lines += ["| command | kind | answer |", "|---|---|---|", *instances, ""]
    return "\n".join(lines)


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _spelt(option: Option) -> str:
    return f"--{option.name}/--no-{option.name}" if option.kind is bool else f"--{option.name}"


def _default(option: Option) -> str:
    if option.required:
        return "required"
    if option.kind is bool:
        return "yes" if option.default else "no"
    written = option.written_default()
    return f"`{written}`" if isinstance(written, (int, float, str)) else ""


def _kinds(cls: Any) -> str:
    return ", ".join(dict.fromkeys(_kind(problem_of(cls, known)) for known in cls.known_answers))


def _kind(problem: Any) -> str:
    return "blindfolded" if isinstance(problem, Blindfolded) else kind_of(problem).value


def _section(cls: Any, title: str) -> str:
    """A section of the docstring, as one line."""
    _, _, rest = cleandoc(cls.__doc__).partition(f"\n{title}\n{'-' * len(title)}\n")
    lines = rest.split("\n\n")[0].splitlines()
    return " ".join(lines)


def _command(name: str, known: KnownAnswer) -> str:
    words = ["beliefsearch", "run", name]
    for option, value in known.options.items():
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        else:
            words += [f"--{option}", str(value)]
    if known.blindfold:
        words.append("--blindfold")
    if known.horizon is not None:
        words += ["--horizon", str(known.horizon)]
    if known.objective != "worst":
        words += ["--objective", known.objective]
    return shlex.join(words)


def _answer_text(problem: Any, known: KnownAnswer, answer: Number | None) -> str:
    if known.within:
        return f"value {known.answer}, within {known.within:g}"
    if is_stochastic(problem):
        return f"value {answer}"
    if answer is None:
        return "no plan"
    if answer == inf:
        return "only a cyclic plan"
    if known.objective == "expected":
        return f"{answer} in the mean"
    return f"at most {answer}" if kind_of(problem) is Kind.CONTINGENT else str(answer)


if __name__ == "__main__":
    PAGE.write_text(catalogue(), encoding="utf-8")
