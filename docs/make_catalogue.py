"""Catalogue of our puzzles: the list in `docs/catalogue.md`, and below it on the site an entry for each.

`python docs/make_catalogue.py` writes the list. `site_parts.py` puts the entries into the page of the site; their
answers are those of `known_answers`, which `tests/test_catalogue.py` compares with the answers of a search.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from inspect import cleandoc
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefsearch import Blindfolded, KnownAnswer
from beliefsearch.kinds import Kind, is_stochastic, kind_of
from beliefsearch.plugins.installed import list_problems
from beliefsearch.plugins.options import Option, options_of
from beliefsearch.testing.checks import computed_answer, problem_of
from beliefsearch.tools import load_problem_class

if TYPE_CHECKING:
    from beliefsearch.model.base import Number

PAGE = Path(__file__).with_name("catalogue.md")


def puzzles() -> Iterator[tuple[str, str, Any]]:
    """Yield our own puzzles: name, one-line summary, class."""
    for listing in list_problems():
        if listing.distribution.split()[0] == "beliefsearch":
            yield listing.name, listing.summary or "", load_problem_class(listing.name)


def computed_answers(cls: Any) -> list[Number | None]:
    """Return the answers that beliefsearch finds for the puzzle's known answers, written as in `KnownAnswer`.

    Raises
    ------
    RuntimeError
        If an answer is not proved.
    """
    return [computed_answer(problem_of(cls, known), known) for known in cls.known_answers]


def with_list(page: str) -> str:
    """Return the page with its list of puzzles as they are now."""
    lines = "".join(f"- `{name}`, {_kinds(cls)}: {summary}\n" for name, summary, cls in puzzles())
    before, _, rest = page.partition("<!-- list -->\n")
    return f"{before}<!-- list -->\n\n{lines}\n<!-- end -->{rest.partition('<!-- end -->')[2]}"


def catalogue() -> str:
    """Return an entry for each puzzle: its source, its options, and instances with their answers."""
    return "\n".join(_entry(name, summary, cls) for name, summary, cls in puzzles())


def _entry(name: str, summary: str, cls: Any) -> str:
    options = [_row(f"`{_spelt(option)}`", option.help, _default(option)) for option in options_of(cls)]
    instances = []
    for known in cls.known_answers:
        problem = problem_of(cls, known)
        instances.append(_row(f"`{_command(name, known)}`", _kind(problem), _answer_text(problem, known)))
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
    """Return a section of the docstring as one line."""
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


def _answer_text(problem: Any, known: KnownAnswer) -> str:
    if known.within:
        return f"value {known.answer}, within {known.within:g}"
    if is_stochastic(problem):
        return f"value {known.answer}"
    if known.answer is None:
        return "no plan"
    if known.answer == inf:
        return "only a cyclic plan"
    if known.objective == "expected":
        return f"{known.answer} in the mean"
    return f"at most {known.answer}" if kind_of(problem) is Kind.CONTINGENT else str(known.answer)


if __name__ == "__main__":
    PAGE.write_text(with_list(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
