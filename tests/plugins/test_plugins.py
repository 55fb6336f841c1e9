"""Plug-ins: where problems are found."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from beliefsearch.errors import PluginError
from beliefsearch.plugins.installed import GROUP, list_problems
from beliefsearch.plugins.loading import load_problem_class

from ..answers import assert_one_line, stdout_alone
from ..conftest import Run
from ..toys import toy

Install: TypeAlias = Callable[..., None]

PUZZLE = toy("puzzle")
SECOND = '''

class Second(Puzzle):
    """Go to the end again."""
'''


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Make distributions that seem to be installed: metadata with entry points, and a module."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    before = set(sys.modules)

    def make(distribution: str, points: dict[str, str], module: str = "", source: str = "") -> None:
        info = site / f"{distribution.replace('-', '_')}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n")
        lines = [f"[{GROUP}]", *(f"{name} = {target}" for name, target in points.items())]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        if module:
            (site / f"{module}.py").write_text(source)

    yield make
    for name in set(sys.modules) - before:
        if name.startswith("third_"):
            del sys.modules[name]


# Files and modules.


@pytest.mark.parametrize("reference", ["{0}/puzzle.py", "{0}/puzzle.py:Puzzle", "puzzle.py", "./puzzle.py"])
def test_a_file_is_found_with_and_without_the_name_of_its_class(folder: Path, reference: str) -> None:
    (folder / "puzzle.py").write_text(PUZZLE)
    assert load_problem_class(reference.format(folder)).__name__ == "Puzzle"


@pytest.mark.parametrize("name", ["Puzzle", "Second"])
def test_a_file_that_defines_several_problems_needs_the_name_of_a_class(folder: Path, name: str) -> None:
    (folder / "puzzle.py").write_text(PUZZLE + SECOND)
    assert load_problem_class(f"puzzle.py:{name}").__name__ == name
    with pytest.raises(PluginError, match=r"several.*Puzzle.*Second"):
        load_problem_class("puzzle.py")


def test_a_problem_that_a_file_only_imports_does_not_count_as_its_own(folder: Path) -> None:
    (folder / "third_base.py").write_text(PUZZLE)
    (folder / "puzzle.py").write_text("from third_base import Puzzle" + SECOND)
    assert load_problem_class("puzzle.py").__name__ == "Second"


def test_an_abstract_helper_does_not_count_as_a_problem(folder: Path) -> None:
    helper = "from beliefsearch import Problem\nclass Helper(Problem[int, int]):\n    pass\n"
    (folder / "puzzle.py").write_text(helper + PUZZLE)
    assert load_problem_class("puzzle.py").__name__ == "Puzzle"
    with pytest.raises(PluginError, match=r"Helper.*lacks.*is_goal"):
        load_problem_class("puzzle.py:Helper")


def test_a_file_may_have_helpers_beside_it_and_leaves_the_path_as_it_was(folder: Path) -> None:
    (folder / "third_helper.py").write_text(PUZZLE)
    (folder / "sub").mkdir()
    (folder / "sub" / "third_beside.py").write_text("NAME = 'found'\n")
    (folder / "sub" / "puzzle.py").write_text(PUZZLE + "\n\nfrom third_beside import NAME\nassert NAME == 'found'\n")
    before = list(sys.path)
    assert load_problem_class("sub/puzzle.py").__name__ == "Puzzle"
    assert sys.path == before


def test_two_files_of_one_name_in_two_folders_are_two_plugins(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "puzzle.py").write_text(PUZZLE.replace("class Puzzle", f"class {name.title()}"))
    assert load_problem_class("one/puzzle.py").__name__ == "One"
    assert load_problem_class("two/puzzle.py").__name__ == "Two"


def test_a_module_is_found_by_its_name_and_the_class(folder: Path) -> None:
    (folder / "third_module.py").write_text(PUZZLE + SECOND)
    assert load_problem_class("third_module:Second").__name__ == "Second"
    assert load_problem_class("beliefsearch_problems.devil:DevilProblem").__name__ == "DevilProblem"


@pytest.mark.parametrize(
    ("reference", "complaint"),
    [
        ("gone.py", "gone.py"),
        ("gone.py:Puzzle", "gone.py"),
        ("third_gone:Puzzle", "third_gone"),
        ("puzzle.py:Gone", "Gone.*Puzzle"),
        ("puzzle.py:annotations", "annotations"),
        ("./puzzle.txt", "puzzle.txt"),
        ("./", "folder|file"),
        ("beliefsearch_problems.gone:Gone", "beliefsearch_problems.gone"),
    ],
)
def test_what_is_not_there_is_named(folder: Path, reference: str, complaint: str) -> None:
    (folder / "puzzle.py").write_text("from __future__ import annotations\n" + PUZZLE)
    (folder / "puzzle.txt").write_text(PUZZLE)
    with pytest.raises(PluginError, match=complaint):
        load_problem_class(reference)


# Installed plug-ins.


def listed() -> dict[str, Any]:
    return {listing.name: listing for listing in list_problems()}


def test_an_installed_plugin_is_listed_with_its_summary_and_its_distribution(install: Install) -> None:
    install("third-party", {"puzzle": "third_party:Puzzle"}, "third_party", PUZZLE)
    listing = listed()["puzzle"]
    assert (listing.target, listing.summary, listing.distribution, listing.rivals) == (
        "third_party:Puzzle",
        "Go to the end.",
        "third-party 1.5",
        (),
    )
    assert "third_party" not in sys.modules
    assert {"devil", "lights-out", "nine-tails", "vacuum"} <= set(listed())


def test_an_installed_plugin_is_loaded_by_its_name(install: Install) -> None:
    install("third-party", {"puzzle": "third_party:Second"}, "third_party", PUZZLE + SECOND)
    assert load_problem_class("puzzle").__name__ == "Second"


def test_the_command_line_lists_describes_and_runs_an_installed_plugin(install: Install, cli: Run) -> None:
    install("third-party", {"puzzle": "third_party:Puzzle"}, "third_party", PUZZLE)
    code, out, _ = cli("run", "puzzle", "--format", "json", "--output", "plan.json")
    assert (code, json.loads(out)["plan"]) == (0, ["go"])
    assert cli("verify", "plan.json")[0] == 0
    assert "Go to the end." in cli("describe", "puzzle")[1]
    line = next(line for line in cli("list")[1].splitlines() if line.startswith("puzzle "))
    assert "Go to the end." in line
    assert "third-party 1.5" in line


@pytest.mark.parametrize(
    ("source", "summary", "reason"),
    [
        ("raise RuntimeError('out of order')\n" + PUZZLE, "Go to the end.", "RuntimeError: out of order"),
        ("import third_that_is_nowhere\n" + PUZZLE, "Go to the end.", "third_that_is_nowhere"),
        (PUZZLE + "\ndef broken(:\n", "Go to the end.", "line"),  # to list it is not to parse it
        (PUZZLE.replace("Puzzle", "Other"), None, "Puzzle"),
        ("", None, "Puzzle"),
        (None, None, "third_broken"),
    ],
    ids=["raises", "lacks an import", "syntax error", "no such class", "empty", "no such module"],
)
def test_a_broken_plugin_is_listed_and_says_why_when_asked_for_and_stops_no_other(
    install: Install, cli: Run, source: str | None, summary: str | None, reason: str
) -> None:
    install("broken-one", {"broken": "third_broken:Puzzle"}, "third_broken" if source is not None else "", source or "")
    install("good-one", {"good": "third_good:Puzzle"}, "third_good", PUZZLE)
    assert listed()["broken"].summary == summary
    out = stdout_alone(cli("list"))
    assert {"broken", "good", "devil"} <= {line.split()[0] for line in out.splitlines()}
    assert_one_line(cli("run", "broken"), "broken", reason)
    assert cli("run", "good")[0] == 0


def test_a_name_that_two_distributions_claim_is_reported_when_asked_for(install: Install, cli: Run) -> None:
    install("first-one", {"puzzle": "third_first:Puzzle", "other": "third_first:Puzzle"}, "third_first", PUZZLE)
    install("second-one", {"puzzle": "third_second:Puzzle"}, "third_second", PUZZLE)
    assert {listed()["puzzle"].distribution, *listed()["puzzle"].rivals} == {"first-one 1.5", "second-one 1.5"}
    with pytest.raises(PluginError) as caught:
        load_problem_class("puzzle")
    for culprit in ("puzzle", "first-one", "second-one", "third_first:Puzzle", "third_second:Puzzle"):
        assert culprit in str(caught.value)
    assert_one_line(cli("run", "puzzle"))
    assert load_problem_class("other").__name__ == "Puzzle"
    assert load_problem_class("third_second:Puzzle").__name__ == "Puzzle"
    line = next(line for line in cli("list")[1].splitlines() if line.startswith("puzzle "))
    assert "first-one" in line
    assert "second-one" in line


def test_a_name_of_ours_that_another_claims_too_is_reported(install: Install) -> None:
    install("rival", {"devil": "third_rival:Puzzle"}, "third_rival", PUZZLE)
    with pytest.raises(PluginError, match="rival"):
        load_problem_class("devil")


def test_a_file_that_was_just_changed_is_read_as_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.py"
    for answer in ("1", "2"):  # as long as before, and in the same second
        path.write_text(f"{PUZZLE}\nANSWER = {answer}\n")
        cls = load_problem_class(str(path))
        assert int(answer) == sys.modules[cls.__module__].ANSWER
    assert not (tmp_path / "__pycache__").exists()
