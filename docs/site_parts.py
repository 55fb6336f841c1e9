"""Parts of the site that are made while it is built: pages from elsewhere, tables, the gallery, the reference.

In a page, a comment that names a part stands for it, so that on GitHub the page reads as text all the same.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache, partial
from html import escape
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from make_architecture import TABLES
from make_catalogue import catalogue, puzzles

from beliefsearch import KnownAnswer, Limits, solve
from beliefsearch._doors import public_names
from beliefsearch.kinds import Kind, kind_of
from beliefsearch.model.belief import initial_belief
from beliefsearch.model.canvas.svg import PALETTE
from beliefsearch.page import problem_page
from beliefsearch.testing.checks import problem_of
from beliefsearch.tools import Possible

if TYPE_CHECKING:
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

DOCS = Path(__file__).parent
ROOT = DOCS.parent

_PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
"""Pages of the site whose text lies outside this folder."""

_CHAPTERS = {
    "beliefsearch": "Problems, solving and checking",
    "beliefsearch.hooks": "Hooks of problems",
    "beliefsearch.solvers": "Algorithms by name",
    "beliefsearch.results": "Classes of results",
    "beliefsearch.tools": "Tools",
    "beliefsearch.graph": "Graphs",
    "beliefsearch.plot": "Pictures",
    "beliefsearch.page": "Pages",
    "beliefsearch.errors": "Errors",
}
"""The chapters of the Python reference, by door."""

_DOOR_OF = {name: door for door, names in reversed(public_names().items()) for name in names}
"""By public name the door to find it at; the main door comes first."""

_INSTANCES: dict[str, dict[str, Any]] = {
    "lights-out": {"rows": 3, "cols": 3},
    "mastermind": {"pegs": 3, "colours": 4},
    "nine-tails": {"start": "HHHTTTHHH"},
    "riddler-flips": {"flips": 30},
    "sliding-tiles": {"rows": 2, "cols": 3, "start": "4 5 0 1 2 3"},
}
"""Instances for the gallery where the one by default has no start, or makes a page of many megabytes."""

_SEARCHES: dict[str, dict[str, Any]] = {"tag": {"precision": 0.6}}
"""Options of the search for a page where the one by default takes minutes."""

_SECONDS = 300
"""The time for one page of the gallery; a page that takes longer is an error of the build."""


def complete(app: Sphinx, docname: str, content: list[str]) -> None:
    """Put the parts into a page that has been read, in place of the comments that name them."""
    made: dict[str, Callable[[], str]] = {**parts(), "gallery": lambda: _gallery(app.config.gallery_only)}
    text = re.sub(r"^<!-- text of: (\S+) -->$", lambda match: _outside(DOCS / match[1]), content[0], flags=re.MULTILINE)
    text = re.sub(r"^<!-- made: (\w+) -->$", lambda match: made[match[1]](), text, flags=re.MULTILINE)
    content[0] = re.sub(r"\]\((?:\.\./)?([A-Z]+\.md)\b", lambda match: f"]({_PAGES.get(match[1], match[1])}", text)


def parts() -> dict[str, Callable[[], str]]:
    """Return the functions that make the parts, by the names in the comments, but for the gallery."""
    tables = {name: partial(_table, lines) for name, lines in TABLES.items()}
    return {**tables, "api": _reference, "catalogue": catalogue}


def _table(lines: Callable[[], Iterator[str]]) -> str:
    return "\n".join(lines())


def with_parts(app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """Return the pages to be read at every build: their parts may have changed where they themselves did not."""
    texts = {page.stem: page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")}
    return [name for name, text in texts.items() if re.search(r"^<!-- (text of|made): ", text, re.MULTILINE)]


def _outside(path: Path) -> str:
    """Return the text of a page that lies above this folder, with links as from within it."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"\[([^]]*)\]\(LICENSE\)", r"\1", text)
    return re.sub(r"\]\(docs/", "](", text)


# The gallery.


@cache
def _exhibits() -> dict[str, tuple[Any, str, str]]:
    """Return by name an instance of each puzzle, its command line, and a line about it."""
    exhibits = {}
    for name, summary, cls in puzzles():
        options = _INSTANCES.get(name, {})
        title = shlex.join([name, *(word for option, value in options.items() for word in (f"--{option}", str(value)))])
        exhibits[name] = (problem_of(cls, KnownAnswer(options, None)), title, summary)
    return exhibits


def _chosen(only: str) -> Iterator[str]:
    return (name for name in _exhibits() if not only or name in only.split(","))


def _gallery(only: str) -> str:
    """Return a card for each puzzle, with a drawing that leads to its page."""
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
    """Return one drawing: the state at the start, or the belief there."""
    kind = kind_of(problem)
    if kind is Kind.STOCHASTIC:
        return str(problem.svg_state(problem.initial_state()).svg(theme=None))
    states = initial_belief(Possible(problem) if kind is Kind.POMDP else problem)
    return str(problem.svg_belief(sorted(states, key=problem.format_state)).svg(theme=None))


def write_live_pages(app: Sphinx, exception: Exception | None) -> None:
    """Write the pages that the gallery leads to."""
    if exception is not None or app.builder.name != "html":
        return
    folder = Path(app.outdir) / "gallery"
    folder.mkdir(exist_ok=True)
    for name in _chosen(app.config.gallery_only):
        (folder / f"{name}.html").write_text(_live_page(name), encoding="utf-8", newline="\n")


def _live_page(name: str) -> str:
    problem, title, _ = _exhibits()[name]
    limits = Limits(seconds=_SECONDS)
    result = solve(problem, limits=limits, **_SEARCHES[name]) if name in _SEARCHES else None
    return problem_page(problem, result, title=title, limits=limits)


# The notebooks, as files for Jupyter.


def offer_notebook(app: Sphinx, docname: str, content: list[str]) -> None:
    """Put a link to the notebook's file below the heading of its page."""
    if docname.startswith("notebooks/"):
        link = f'<p><a href="{docname.rpartition("/")[2]}.ipynb" download>Download this notebook for Jupyter</a></p>'
        content[0] = re.sub(
            r"^(# .*)$", rf"\1\n\n```{{raw}} html\n{link}\n```", content[0], count=1, flags=re.MULTILINE
        )


def write_notebooks(app: Sphinx, exception: Exception | None) -> None:
    """Write the files to which the pages of the notebooks link."""
    if exception is not None or app.builder.name != "html":
        return
    read = import_module("myst_nb.core.read").read_myst_markdown_notebook
    write = import_module("nbformat").write
    for path in (DOCS / "notebooks").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        links = re.compile(r"\]\(\.\./([\w-]+)\.md")  # the page of the notebook has the other pages beside it
        notebook = read(links.sub(r"](../\1.html", text))
        for number, cell in enumerate(notebook.cells):
            cell["id"] = f"cell-{number}"  # else they are drawn at random
        write(notebook, Path(app.outdir) / "notebooks" / f"{path.stem}.ipynb")


# The Python reference.


def _reference() -> str:
    """Return all public names with their docstrings, each at the name by which it is imported."""
    names = {door: [name for name in names if _DOOR_OF[name] == door] for door, names in public_names().items()}
    return "\n".join(line for door in _CHAPTERS for line in _chapter(door, names[door]))


def _chapter(door: str, names: list[str]) -> Iterator[str]:
    yield f"## {_CHAPTERS[door]}\n"
    yield "```{eval-rst}"
    module = import_module(door)
    found = {name: getattr(module, name) for name in names if name != "__version__"}
    for name, public in found.items():
        if not isinstance(public, type):
            yield f".. auto{'function' if isfunction(public) else 'data'}:: {door}.{name}\n"
    for name, public in found.items():
        if not isinstance(public, type):
            continue
        yield f".. autoclass:: {door}.{name}"
        if any(base.__name__ in _DOOR_OF for base in public.__bases__):
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
    if node.get("refdomain") != "py" or name not in _DOOR_OF:
        return None
    domain = env.domains["py"]
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", f"{_DOOR_OF[name]}.{name}", node, contnode)
