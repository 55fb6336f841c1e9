"""The parts of the site that are made while it is built: pages from outside this folder, the gallery, the reference.

In a page, a comment that names a part stands for it, so that on GitHub the page reads as text all the same.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from make_catalogue import puzzles

import beliefsearch
from beliefsearch import KnownAnswer, problem_page
from beliefsearch.kinds import Kind, kind_of
from beliefsearch.model.belief import initial_belief
from beliefsearch.model.canvas.svg import PALETTE
from beliefsearch.testing.checks import problem_of

if TYPE_CHECKING:
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

DOCS = Path(__file__).parent
ROOT = DOCS.parent

_PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
"""Pages of the site whose text lies outside this folder."""

_CHAPTERS = {
    "solving": "Finding an answer",
    "model": "Writing a puzzle",
    "plans": "Answers",
    "verify": "Checking answers",
    "proofs": "Reasons and proofs",
    "games": "Games",
    "graph": "Graphs and pages",
    "running": "Limits and observers",
    "solvers": "Tables of distances",
    "plugins": "Puzzles by name, and their rules",
    "errors": "Errors",
}
"""The chapters of the Python reference, by the room that a name comes from; other rooms come after them."""

_INSTANCES: dict[str, dict[str, Any]] = {
    "lights-out": {"rows": 3, "cols": 3},
    "mastermind": {"pegs": 3, "colours": 4},
    "nine-tails": {"start": "HHHTTTHHH"},
    "riddler-flips": {"flips": 30},
    "sliding-tiles": {"rows": 2, "cols": 3, "start": "4 5 0 1 2 3"},
}
"""Instances for the gallery where the one by default has no start, or makes a page of many megabytes."""


def complete(app: Sphinx, docname: str, content: list[str]) -> None:
    """Put the parts into a page that has been read, in place of the comments that name them."""
    parts: dict[str, Callable[[], str]] = {"gallery": lambda: _gallery(app.config.gallery_only), "api": _reference}
    text = re.sub(r"^<!-- text of: (\S+) -->$", lambda match: _outside(DOCS / match[1]), content[0], flags=re.MULTILINE)
    text = re.sub(r"^<!-- made: (\w+) -->$", lambda match: parts.get(match[1], lambda: "")(), text, flags=re.MULTILINE)
    content[0] = re.sub(r"\]\((?:\.\./)?([A-Z]+\.md)\b", lambda match: f"]({_PAGES.get(match[1], match[1])}", text)


def with_parts(app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """The pages to be read at every build: their parts may have changed where they themselves did not."""
    texts = {page.stem: page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")}
    return [name for name, text in texts.items() if re.search(r"^<!-- (text of|made): ", text, re.MULTILINE)]


def _outside(path: Path) -> str:
    """The text of a page that lies above this folder, with links as from within it."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"\[([^]]*)\]\(LICENSE\)", r"\1", text)
    return re.sub(r"\]\(docs/", "](", text)


# The gallery.


@cache
def _exhibits() -> dict[str, tuple[Any, str, str]]:
    """By name: an instance of each puzzle, how it is called on the command line, and a line about it."""
    exhibits = {}
    for name, summary, cls in puzzles():
        options = _INSTANCES.get(name, {})
        title = shlex.join([name, *(word for option, value in options.items() for word in (f"--{option}", str(value)))])
        exhibits[name] = (problem_of(cls, KnownAnswer(options, None)), title, summary)
    return exhibits


def _chosen(only: str) -> Iterator[str]:
    return (name for name in _exhibits() if not only or name in only.split(","))


def _gallery(only: str) -> str:
    """A card for each puzzle, with a drawing that leads to its page."""
    light, dark = ("".join(f"--{name}:{colours[place]};" for name, colours in PALETTE.items()) for place in (0, 1))
    cards = "".join(map(_card, _chosen(only)))
    return (
        "```{raw} html\n"
        f"<style>.gallery{{{light}}}\n"
        f'@media (prefers-color-scheme:dark){{body:not([data-theme="light"]) .gallery{{{dark}}}}}\n'
        f'body[data-theme="dark"] .gallery{{{dark}}}</style>\n'
        f'<div class="gallery">{cards}</div>\n'
        "```\n"
    )


def _card(name: str) -> str:
    problem, title, summary = _exhibits()[name]
    return (
        f'<a class="card" href="gallery/{name}.html">{_thumbnail(problem)}<b>{escape(name)}</b>'
        f"<span>{escape(summary)}</span>"
        f"<small>{escape(kind_of(problem).value)} · <code>{escape(title)}</code></small></a>"
    )


def _thumbnail(problem: Any) -> str:
    """One drawing: the state at the start, or what is known there."""
    if kind_of(problem) is Kind.STOCHASTIC:
        return str(problem.svg_state(problem.initial_state()).svg(theme=None))
    return str(problem.svg_belief(sorted(initial_belief(problem), key=problem.format_state)).svg(theme=None))


def write_live_pages(app: Sphinx, exception: Exception | None) -> None:
    """Write the pages that the gallery leads to."""
    if exception is not None or app.builder.name != "html":
        return
    folder = Path(app.outdir) / "gallery"
    folder.mkdir(exist_ok=True)
    for name in _chosen(app.config.gallery_only):
        problem, title, _ = _exhibits()[name]
        (folder / f"{name}.html").write_text(problem_page(problem, title=title), encoding="utf-8", newline="\n")


# The Python reference.


def _homes() -> dict[str, str]:
    """By public name: the module it comes from, as `__init__.pyi` says."""
    stub = (ROOT / "beliefsearch" / "__init__.pyi").read_text(encoding="utf-8")
    return {name: module for module, name in re.findall(r"^from \.(\S+) import (\w+)", stub, re.MULTILINE)}


def _reference() -> str:
    """All public names with their docstrings, each at the name by which it is imported."""
    by_room: dict[str, list[str]] = {room: [] for room in _CHAPTERS}
    for name, home in _homes().items():
        by_room.setdefault(home.partition(".")[0], []).append(name)
    return "\n".join(line for room, names in by_room.items() for line in _chapter(room, names))


def _chapter(room: str, names: list[str]) -> Iterator[str]:
    yield f"## {_CHAPTERS.get(room, room.capitalize())}\n"
    yield "```{eval-rst}"
    found = {name: getattr(beliefsearch, name) for name in names}
    yield from (f".. autofunction:: beliefsearch.{name}\n" for name in names if not isinstance(found[name], type))
    for name, public in found.items():
        if not isinstance(public, type):
            continue
        yield f".. autoclass:: beliefsearch.{name}"
        if any(base.__name__ in beliefsearch.__all__ for base in public.__bases__):
            yield "   :show-inheritance:"
        if not issubclass(public, BaseException):
            yield "   :members:"
        yield ""
    yield "```\n"


def join_names(app: Sphinx, what: str, name: str, about: object, options: Any, lines: list[str]) -> None:
    """Make one word of attributes that are explained together; of two the first would be taken for a type."""
    lines[:] = [line.replace(", ", "/") if re.fullmatch(r"\w+(, \w+)+", line) else line for line in lines]


def find_public_name(app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: Any) -> Any:
    """Lead a reference to a name inside the package to the public name that it has."""
    name = str(node.get("reftarget", "")).rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in beliefsearch.__all__:
        return None
    domain = env.domains["py"]
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", f"beliefsearch.{name}", node, contnode)
