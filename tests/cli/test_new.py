"""`beliefsearch new`."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import beliefsearch

from ..answers import assert_one_line, stdout_alone
from ..conftest import Run

KINDS = ("plain", "sensorless", "contingent", "observable", "stochastic", "pomdp")


@pytest.mark.parametrize("kind", [(), *(("--kind", kind) for kind in KINDS)], ids=" ".join)
def test_the_new_file_is_checked_run_saved_verified_and_played(cli: Run, folder: Path, kind: tuple[str, ...]) -> None:
    assert "my_puzzle.py" in stdout_alone(cli("new", "my-puzzle", *kind))
    assert sorted(path.name for path in folder.iterdir()) == ["my_puzzle.py", "test_my_puzzle.py"]
    assert len((folder / "my_puzzle.py").read_text().splitlines()) < 50
    for line in ("check", "run --output plan.json", "describe", "play --watch --seed 1", "simulate --games 5 --seed 1"):
        command, *options = line.split()
        assert cli(command, "./my_puzzle.py", *options)[0] == 0, line
    assert cli("verify", "plan.json", "--problem", "./my_puzzle.py")[0] == 0


# Observable, by induction: a jump, of two steps or three, is as good as the shorter one; the last step is one alone.
@pytest.mark.parametrize(
    ("kind", "field", "answers"),
    [
        ("sensorless --squares", "plan", {squares: ["right"] * (squares - 1) for squares in (1, 2, 5, 9)}),
        ("plain --litres", "cost", {4: 6, 6: None}),
        ("contingent --limit", "cost", {limit: limit.bit_length() for limit in (1, 2, 3, 4, 7, 8, 20)}),
        ("observable --stones", "cost", {stones: stones // 2 + 1 for stones in (1, 2, 3, 4, 5, 10, 11)}),
        ("stochastic --rolls", "value", {1: "7/2", 2: "17/4", 3: "14/3"}),
    ],
)
def test_the_answers_of_the_new_puzzles(cli: Run, kind: str, field: str, answers: dict[int, object]) -> None:
    name, option = kind.split()
    cli("new", "puzzle", "--kind", name)
    for size, answer in answers.items():
        code, out, _ = cli("run", "./puzzle.py", option, size, "--format", "json")
        assert (code, json.loads(out)[field]) == (int(answer is None), answer)


@pytest.mark.parametrize(("name", "file"), [("puzzle", "puzzle.py"), ("Four Glasses", "four_glasses.py")])
def test_the_file_is_called_as_a_module_would_be(cli: Run, folder: Path, name: str, file: str) -> None:
    assert cli("new", name)[0] == 0
    assert (folder / file).is_file()


def test_a_file_that_exists_is_left_alone(cli: Run, folder: Path) -> None:
    (folder / "mine.py").write_text("precious = True\n")
    assert_one_line(cli("new", "mine"), "mine.py")
    assert (folder / "mine.py").read_text() == "precious = True\n"
    assert cli("new", "mine", "--force")[0] == 0
    assert cli("check", "./mine.py")[0] == 0


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("", "3coins", "class", "Lambda", "a/b", "../up", "naïve", "a.b", "x;y", "---", "a\nb"), ""),
        (("class", "Import", "match", "case"), "word of Python's own"),
        (("json", "JSON", "json.py", "random", "numpy", "click", "beliefsearch-problems"), "would hide the module"),
    ],
)
def test_a_name_that_cannot_be_had_is_refused(cli: Run, folder: Path, names: tuple[str, ...], said: str) -> None:
    for name in names:
        assert_one_line(cli("new", "--", name), said)
        assert cli("new", "--force", "--", name)[0] == 2
        assert list(folder.iterdir()) == []
        assert not (folder.parent / "up.py").exists()


@pytest.mark.thorough
def test_the_tests_of_all_new_puzzles_pass_under_plain_pytest_ruff_and_mypy(cli: Run, folder: Path) -> None:
    for kind in KINDS:
        cli("new", f"my-{kind}", "--kind", kind)
    # A process of its own: what this one was told of plug-ins and folders must not help.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment["MYPYPATH"] = str(Path(beliefsearch.__file__).parents[1])
    run = {"capture_output": True, "text": True, "timeout": 120, "check": False, "env": environment}
    plain = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:benchmark", "-W", "error"]
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", *plain], **run)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout
    assert "29 passed" in done.stdout
    ruff = (("ruff", "check", "--isolated", "--select", "E,F,W,I,B,UP"), ("ruff", "format", "--check", "--isolated"))
    for words in (*ruff, ("mypy", "--strict", "--follow-imports=silent")):
        done = subprocess.run([sys.executable, "-m", *words, "."], **run)  # type: ignore[call-overload]
        assert done.returncode == 0, done.stdout + done.stderr


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_kind_is_asked_for(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("sensless\ncontingent\n"))
    code, out, err = cli("new", "guess")
    assert code == 0
    assert "wrote guess.py" in out
    for kind in KINDS:
        assert f"  {kind} " in err
    assert "Did you mean 'sensorless'?" in err
    assert "def percepts" in (folder / "guess.py").read_text()
    monkeypatch.setattr(sys, "stdin", Terminal("\n"))
    assert cli("new", "corridor")[0] == 0
    assert "corridor in the dark" in (folder / "corridor.py").read_text()


def test_who_answers_nothing_gets_no_file(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    assert cli("new", "guess")[0] == 130
    assert list(folder.iterdir()) == []


def test_tests_that_exist_are_left_alone_and_nothing_else_is_written(cli: Run, folder: Path) -> None:
    (folder / "test_mine.py").write_text("precious = True\n")
    assert_one_line(cli("new", "mine"), "test_mine.py")
    assert [path.name for path in folder.iterdir()] == ["test_mine.py"]
    assert (folder / "test_mine.py").read_text() == "precious = True\n"


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_an_error_in_one_line(cli: Run, folder: Path) -> None:
    folder.chmod(0o500)
    try:
        assert_one_line(cli("new", "mine"), "mine.py", "permission denied")
    finally:
        folder.chmod(0o700)


def test_a_folder_in_the_place_of_the_file_is_an_error_in_one_line(cli: Run, folder: Path) -> None:
    (folder / "test_mine.py").mkdir()
    assert_one_line(cli("new", "mine"), "test_mine.py", "folder")
    assert [path.name for path in folder.iterdir()] == ["test_mine.py"]


def test_a_name_that_an_installed_puzzle_has_is_allowed_but_told(cli: Run) -> None:
    code, out, err = cli("new", "Water Jugs")
    told = "note: 'Water Jugs' is called water_jugs, since a module has such a name\n"
    assert (code, err) == (0, f"{told}note: an installed puzzle is called water-jugs, too; yours is ./water_jugs.py\n")
    assert "wrote water_jugs.py" in out


@pytest.mark.parametrize("name", ["my-puzzle", "my_puzzle"])
def test_whoever_forgets_that_the_puzzle_is_a_file_is_reminded(cli: Run, name: str) -> None:
    cli("new", "my-puzzle")
    assert_one_line(cli("run", name), "there is no problem called", "did you mean './my_puzzle.py'?")


def test_a_name_too_long_for_a_file_is_no_problem(cli: Run) -> None:
    assert_one_line(cli("run", "x" * 5000), "there is no problem called")
