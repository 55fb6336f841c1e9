"""Drawings and pictures from the command line: which problems have which, and what stands in the way."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ..answers import assert_one_line, stdout
from .conftest import Run


@pytest.mark.parametrize(
    "problem", ["devil --n 4", "four-glasses", "nine-tails --start HHHTTTHHH", "gambler --goal 6 --capital 3"]
)
def test_the_answer_is_drawn_for_every_kind(cli: Run, folder: Path, problem: str) -> None:
    code, out, err = cli("export", *problem.split(), "--output", "plan.svg")
    assert (code, out) == (0, "")
    assert err == f"plan.svg: the answer to {problem}, svg\n"
    texts = [element.text for element in ElementTree.parse(folder / "plan.svg").iter()]
    assert problem in texts


def test_a_saved_plan_is_drawn_and_png_needs_no_ending(cli: Run, folder: Path) -> None:
    pytest.importorskip("resvg_py")
    assert cli("run", "devil", "--n", 2, "--output", "plan.json")[0] == 0
    assert cli("export", "devil", "--n", 2, "--plan", "plan.json", "--format", "png", "--output", "x")[0] == 0
    assert (folder / "x").read_bytes().startswith(b"\x89PNG")


def test_what_has_no_plan_has_the_verdict_and_no_file(cli: Run, folder: Path) -> None:
    assert "unsolvable" in stdout(cli("export", "devil", "--n", 3, "--output", "x.svg"), 1)
    assert not (folder / "x.svg").exists()


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
    ("words", "told"),
    [
        ("export devil --output x.bmp", "say --format graphml, gexf, dot, json, png, svg, pomdp or html"),
        ("export devil --output nowhere/x.svg", "there is no folder"),
        ("export devil --output x.svg --no-plan", "--no-plan goes with graphs"),
        ("export nine-tails --output x.svg --tree", "--tree goes with graphs"),
        ("export nine-tails --output x.svg", "no board to start from was given"),
        ("show nine-tails --start HHHTTTHHH --output x.png", "always knows the state"),
        ("show four-glasses --output x.svg", "may branch"),
        ("show monty-hall --output x.svg", "export draws the policy"),
        ("show devil --output nowhere/x.svg", "there is no folder"),
        ("run devil --profile x.txt", "a profile is written as .png or .svg"),
        ("run devil --profile nowhere/x.png", "there is no folder"),
        ("run monty-hall --profile x.png", "--profile plays no part"),
        ("run nine-tails --all --profile x.png", "leave --all out"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_one_line(cli: Run, folder: Path, words: str, told: str) -> None:
    assert_one_line(cli(*words.split()), told)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("library", "words"),
    [
        ("resvg_py", "export devil --output x.png"),
        ("matplotlib", "show devil --output x.png"),
        ("matplotlib", "run devil --profile x.png"),
    ],
)
def test_a_library_that_is_missing_is_named_with_the_way_to_get_it(
    cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, library: str, words: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert_one_line(cli(*words.split()), "pip install 'beliefsearch[plot]'")
    assert list(folder.iterdir()) == []
