"""Pictures and pages: drawings from the command line, and `view`, which shows a page in the browser."""

from __future__ import annotations

import re
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest

from beliefsearch.cli.commands.export import command as export
from beliefsearch.page import problem_page
from beliefsearch_problems.devil import DevilProblem

from ..answers import assert_one_line, stdout
from ..conftest import Run
from ..graph.page_schema import checked, data_of
from ..test_kinds import ON_THE_LINE
from ..toys import method, toy
from ..waiting import once_begun

NO_BROWSER = "there is no browser to show the page; it is the file"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that the browser was given."""
    given: list[str] = []

    def open_(address: str) -> bool:
        given.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", open_)
    return given


@pytest.mark.parametrize("line", ON_THE_LINE.values(), ids=[kind.value for kind in ON_THE_LINE])
def test_export_writes_a_page_of_every_kind(cli: Run, folder: Path, line: str) -> None:
    code, out, err = cli("export", *line.split(), "--output", "page.html")
    text = (folder / "page.html").read_text(encoding="utf-8")
    assert (code, out) == (0, "")
    assert err == f"page.html: a page of {len(text) / 1000:,.0f} kB, html\n"
    assert checked(data_of(text))["title"].split()[0] == line.split()[0]


def test_a_page_from_the_command_line_is_that_of_python(cli: Run, folder: Path) -> None:
    assert cli("export", "devil", "--n", 4, "--format", "html", "--output", "page")[0] == 0
    title = "devil --n 4"
    assert (folder / "page").read_text(encoding="utf-8") == problem_page(DevilProblem(n=4), title=title)


def test_view_writes_and_opens_a_page(
    cli: Run, folder: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = cli("view", "devil", "--n", 2, "--output", "page.html")
    path = (folder / "page.html").resolve()
    assert (code, out, err) == (0, "", f"{path}: the page, in the browser\n")
    assert opened == [path.as_uri()]
    checked(data_of(path.read_text(encoding="utf-8")))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    assert cli("view", "devil", "--n", 2)[0] == 0
    (path,) = folder.glob("beliefsearch*")
    assert path.name.startswith("beliefsearch-devil-")
    assert opened[1:] == [path.resolve().as_uri()]


def test_view_without_a_browser_says_where_the_page_is(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    code, out, err = cli("view", "devil", "--n", 2, "--output", "page.html")
    path = folder.resolve() / "page.html"
    assert (code, out, err) == (2, "", f"beliefsearch: error: {NO_BROWSER} {str(path)!r}\n")
    checked(data_of(path.read_text(encoding="utf-8")))
    code, _, err = cli("view", "devil", "--n", 2, "--output", "other.html", "--no-browser")
    assert (code, err) == (0, f"{folder.resolve() / 'other.html'}: the page\n")


def test_a_saved_plan_is_shown_without_a_search(cli: Run, folder: Path) -> None:
    cli("run", "devil", "--n", 2, "--output", "plan.json")
    code, _, _ = cli("export", "devil", "--n", 2, "--plan", "plan.json", "--output", "page.html")
    data = checked(data_of((folder / "page.html").read_text(encoding="utf-8")))
    assert code == 0
    assert data["answer"]["text"] == "a plan of 3 actions"
    assert len(data["plan"]["action"]) == 4
    assert_one_line(
        cli("view", "devil", "--n", 4, "--plan", "plan.json", "--no-browser"),
        "holds a plan for something else: devil --n 2",
    )


def test_a_page_without_a_plan_and_with_few_nodes(cli: Run, folder: Path) -> None:
    assert cli("view", "devil", "--n", 4, "--no-plan", "--max-nodes", 5, "--output", "a.html", "--no-browser")[0] == 0
    data = checked(data_of((folder / "a.html").read_text(encoding="utf-8")))
    assert data["plan"] is None
    assert len(data["graphs"][0]["nodes"]["layer"]) == 5


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("export devil --n 4 --all", "--all goes with graphs, but this is a page"),
        ("export sliding-tiles --tree", "--tree goes with graphs, but this is a page"),
        ("export gambler --picture value", "the format html does not fit this picture; say --format png or svg"),
        (
            "export devil --n 2 --plan p --no-plan",
            "--plan is the plan that the page shows; it does not go with --no-plan",
        ),
        ("export sliding-tiles --rows 2", "no board to start from was given"),
        ("view sliding-tiles --rows 2", "no board to start from was given"),
        ("view devil --n 2 --max-nodes 0", "'--max-nodes': 0 is not in the range x>=1"),
        ("view devil --n 2 --plan missing.json", "missing.json"),
    ],
)
def test_what_does_not_go_with_a_page(cli: Run, folder: Path, line: str, complaint: str) -> None:
    form = ["--format", "html"] if line.startswith("export") else ["--no-browser"]
    assert_one_line(cli(*line.split(), *form, "--output", "page.html"), complaint)
    assert not (folder / "page.html").exists()


@pytest.mark.parametrize("command", ["export", "view"])
def test_a_file_that_cannot_be_written_is_named_before_the_search(cli: Run, folder: Path, command: str) -> None:
    (folder / "there").mkdir()
    for name, complaint in {"there": "it is a folder", "nowhere/page.html": "there is no folder"}.items():
        code, _, err = cli(command, "mastermind", "--output", name, *(["--format", "html"] * (command == "export")))
        assert (code, complaint in err) == (2, True)


@pytest.mark.parametrize("command", ["export --format html", "view --no-browser"])
def test_a_limit_leaves_no_page(cli: Run, folder: Path, command: str) -> None:
    name, *more = command.split()
    code, _, err = cli(name, "mastermind", "--time-limit", 0.1, *more, "--output", "page.html", "--quiet")
    assert (code, err.count("\n")) == (3, 1)
    assert "undecided, the time limit of 0.1 s was reached" in err
    assert not list(folder.iterdir())
    being_made = "while the page was being made; --max-nodes makes a smaller one"
    code, _, err = once_begun(
        lambda found: being_made in found[2],
        lambda seconds: cli(
            name, "mastermind", "--time-limit", seconds, *more, "--output", "page.html", "--no-plan", "--quiet"
        ),
    )
    assert (code, being_made in err) == (3, True)
    assert not list(folder.iterdir())


def test_what_has_no_plan_has_the_verdict_and_a_page_but_no_drawing(cli: Run, folder: Path) -> None:
    code, _, _ = cli("export", "devil", "--n", 3, "--solver", "search", "--output", "page.html")
    data = checked(data_of((folder / "page.html").read_text(encoding="utf-8")))
    assert (code, data["answer"]["text"]) == (0, "unsolvable; it is proved that no plan is sure to win")
    assert "unsolvable" in stdout(cli("export", "devil", "--n", 3, "--output", "x.svg"), 1)
    assert not (folder / "x.svg").exists()


def test_a_drawing_that_is_none_is_one_line(cli: Run, folder: Path) -> None:
    (folder / "dark.py").write_text(toy("walk") + method("svg_state", "return '<svg/>'"))
    code, _, err = cli("view", "./dark.py", "--no-browser", "--output", "page.html")
    assert code == 2
    assert err == "beliefsearch: error: Walk.svg_state(0) gave '<svg/>'; it must give a Drawing\n"
    assert not (folder / "page.html").exists()
    out = stdout(cli("check", "./dark.py"), 1)
    assert re.search("^broken +drawings .*svg_state", out, re.IGNORECASE | re.MULTILINE | re.DOTALL)


def test_import_of_the_page_waits_for_the_page(modules_after: Callable[..., tuple[int, set[str]]]) -> None:
    code, modules = modules_after("view", "--help")
    assert code == 0
    assert not {name for name in modules if name.startswith("beliefsearch.graph.page")}
    assert not {"numpy", "networkx", "matplotlib"} & modules


def test_view_has_no_option_that_export_lacks_but_for_the_browser() -> None:
    from beliefsearch.cli.commands.view import command as view

    names = {param.name for param in view.params} - {param.name for param in export.params}
    assert names == {"no_browser"}


# Drawings: which problems have which, and what stands in the way.


def test_a_saved_plan_is_drawn_and_png_needs_no_ending(cli: Run, folder: Path) -> None:
    pytest.importorskip("resvg_py")
    assert cli("run", "devil", "--n", 2, "--output", "plan.json")[0] == 0
    assert cli("export", "devil", "--n", 2, "--plan", "plan.json", "--format", "png", "--output", "x")[0] == 0
    assert (folder / "x").read_bytes().startswith(b"\x89PNG")


def test_the_beliefs_of_show_as_a_picture(cli: Run, folder: Path) -> None:
    code, out, err = cli("show", "devil", "--n", 2, "--output", "beliefs.svg")
    assert (code, err) == (0, "beliefs.svg: beliefs, svg\n")
    assert len(out.splitlines()) == 4
    assert (folder / "beliefs.svg").read_bytes().startswith(b"<?xml")


def test_the_profile_of_run(cli: Run, folder: Path) -> None:
    code, out, err = cli("run", "devil", "--n", 4, "--solver", "bfs", "--profile", "search.png")
    assert (code, err) == (0, "search.png: profile, png\n")
    assert "solved in 15 actions" in out
    assert (folder / "search.png").read_bytes().startswith(b"\x89PNG")
    code, out, err = cli("run", "four-glasses", "--solver", "and-or-graph", "--profile", "none.png")
    assert (code, "solved" in out) == (0, True)
    assert err == "no profile was written: the search went through no layers; --solver bfs does\n"
    assert not (folder / "none.png").exists()


@pytest.mark.parametrize(
    ("library", "words"),
    [
        ("resvg_py", "export devil --output x.png"),
        ("matplotlib", "show devil --output x.png"),
        ("matplotlib", "run devil --profile x.png"),
        # Before the search, of which there would be a line on standard error.
        ("matplotlib", "export gambler --picture value --output x.png"),
        ("matplotlib", "export gambler --picture sweep --vary p --from 1/4 --to 1/2 --output x.svg"),
    ],
)
def test_a_library_that_is_missing_is_named_with_the_way_to_get_it(
    cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, library: str, words: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert_one_line(cli(*words.split()), "pip install 'beliefsearch[plot]'")
    assert list(folder.iterdir()) == []
