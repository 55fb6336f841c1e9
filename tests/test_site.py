"""The site: built strictly and without a network, with links that lead somewhere; and its notebooks, executed."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote

import pytest

from beliefsearch._doors import public_names

from .examples import thorough

DOCS = Path(__file__).parent.parent / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.md"))
LIVE = ("devil", "monty-hall")
"""The puzzles whose pages are made here; the site has all of them."""

# The others take seconds.
EXECUTED = [path if path.stem == "nine-tails" else thorough(path) for path in NOTEBOOKS]


class Page(HTMLParser):
    """Links of a page: to files that it loads, to other pages, and the places in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.names.add(given.get("id", ""))
        if "src" in given:
            self.loads.append(given["src"])
        if tag == "link" and given.get("rel") not in ("search", "index", "next", "prev", "canonical"):
            self.loads.append(given["href"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, without most of the gallery's pages and without the output of notebooks."""
    for module in ("sphinx", "furo", "myst_nb"):
        pytest.importorskip(module, reason="no Sphinx: pip install -e '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    build = ["-nW", "--keep-going", "-q", "-d", str(folder / "read"), "-b", "html"]
    settings = ["-D", "nb_execution_mode=off", "-D", f"gallery_only={','.join(LIVE)}"]
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    # The collector has nothing to find in a process that ends soon, and looking for it takes a quarter of the time.
    sphinx = "import gc, sys; gc.disable(); from sphinx.cmd.build import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", sphinx, *build, *settings, str(DOCS), str(folder / "site")],
        env={**os.environ, **nowhere},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "site"


def pages_of(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html")) if path.parent.name != "gallery"}


@pytest.mark.thorough
def test_the_site_is_whole_and_asks_nobody(site: Path) -> None:
    pages = pages_of(site)
    written = {path.relative_to(DOCS).with_suffix(".html") for path in [*DOCS.glob("*.md"), *NOTEBOOKS]}
    assert {path.relative_to(site) for path in pages} >= written
    for path, page in pages.items():
        assert [load for load in page.loads if re.match(r"\w+:|//", load) and not load.startswith("data:")] == []
        for link in [*page.loads, *page.links]:
            if re.match(r"\w+:", link):
                continue
            target, _, place = unquote(unescape(link)).partition("#")
            file = (path.parent / target.partition("?")[0]).resolve() if target else path
            assert file.exists(), (path.name, link)
            if place and file in pages:
                assert place in pages[file].names, (path.name, link)


@pytest.mark.thorough
def test_the_styles_load_nothing(site: Path) -> None:
    for style in site.rglob("*.css"):
        assert re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)\"']+", style.read_text(encoding="utf-8")) == []


@pytest.mark.thorough
def test_the_reference_has_every_public_name(site: Path) -> None:
    public = {name for names in public_names().values() for name in names} - {"__version__"}
    assert public - {name.rpartition(".")[2] for name in Page(site / "api.html").names} == set()


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import the module that makes the parts of the site."""
    monkeypatch.syspath_prepend(str(DOCS))
    return import_module("site_parts")


def test_every_part_that_a_page_names_can_be_made(parts: ModuleType) -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    named = set(re.findall(r"^<!-- made: (\w+) -->$", pages, re.MULTILINE))
    makers = parts.parts()
    assert named == {"gallery", *makers}
    made = {name: make() for name, make in makers.items()}
    assert all(made.values())
    public = {name for names in public_names().values() for name in names} - {"__version__"}
    assert {
        name for name in public if not re.search(rf":: beliefsearch[.\w]*\.{name}$", made["api"], re.MULTILINE)
    } == set()


def test_every_puzzle_has_a_card(parts: ModuleType) -> None:
    gallery = parts._gallery("")
    assert gallery.count('<a class="card"') == gallery.count("<svg") == len(list(parts.puzzles()))


@pytest.mark.thorough
def test_the_gallery_leads_to_live_pages(site: Path) -> None:
    shown = (site / "gallery.html").read_text(encoding="utf-8")
    for name in LIVE:
        assert f'href="gallery/{name}.html"><svg' in shown
        assert "Content-Security-Policy" in (site / "gallery" / f"{name}.html").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_notebooks_are_there_for_jupyter(site: Path) -> None:
    for notebook in NOTEBOOKS:
        page = Page(site / "notebooks" / f"{notebook.stem}.html")
        assert f"{notebook.stem}.ipynb" in page.links
        cells = json.loads((site / "notebooks" / f"{notebook.stem}.ipynb").read_text(encoding="utf-8"))["cells"]
        code = [
            re.sub(r"^%.*$", "", "".join(cell["source"]), flags=re.M) for cell in cells if cell["cell_type"] == "code"
        ]
        assert [text.strip() for text in code] == [text.strip() for text in cells_of(notebook)]


# Notebooks. They are executed here cell by cell, which needs no kernel, and only here.


def cells_of(notebook: Path) -> Iterator[str]:
    """Yield the code of a notebook's cells, without commands of the notebook."""
    for match in re.finditer(
        r"^```\{code-cell\} ipython3\n(.*?)^```$", notebook.read_text(encoding="utf-8"), re.M | re.S
    ):
        yield re.sub(r"^%.*$", "", match[1], flags=re.MULTILINE)


def run_cell(code: str, names: dict[str, Any], place: str) -> Any:
    """Execute a cell and return the value of its last line."""
    body = ast.parse(code).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, type_ignores=[]), place, "exec"), names)
    return None if not isinstance(last, ast.Expr) else eval(compile(ast.Expression(last.value), place, "eval"), names)


@pytest.mark.parametrize("notebook", EXECUTED, ids=lambda path: path.stem)
def test_notebooks(notebook: Path, folder: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    for number, code in enumerate(cells_of(notebook), 1):
        value = run_cell(code, names, f"{notebook.name}, cell {number}")
        if hasattr(value, "savefig"):
            value.savefig(BytesIO(), format="svg")
            shown.append("figure")
        elif picture := getattr(value, "_repr_html_", None) or getattr(value, "_repr_svg_", None):
            shown.append(picture())
            assert "<script" not in shown[-1]
    assert len(shown) >= 5, "a notebook shows what it is about"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_of_notebooks_lead_somewhere(notebook: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", notebook.read_text(encoding="utf-8"))
    assert [link for link in links if not (notebook.parent / link).exists()] == []
