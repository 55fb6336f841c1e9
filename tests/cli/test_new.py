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
def test_the_new_file_passes_the_check_and_runs(cli: Run, folder: Path, kind: tuple[str, ...]) -> None:
    assert "my_puzzle.py" in stdout_alone(cli("new", "my-puzzle", *kind))
    assert sorted(path.name for path in folder.iterdir()) == ["my_puzzle.py", "test_my_puzzle.py"]
    assert cli("check", "./my_puzzle.py")[0] == 0
    assert cli("run", "./my_puzzle.py")[0] == 0
    assert cli("describe", "./my_puzzle.py")[0] == 0


def test_the_new_sensorless_puzzle_takes_a_step_for_every_square_but_one(cli: Run) -> None:
    cli("new", "corridor")
    for squares in (1, 2, 5, 9):
        code, out, _ = cli("run", "./corridor.py", "--squares", squares, "--format", "json")
        assert (code, json.loads(out)["plan"]) == (0, ["right"] * (squares - 1))


def test_the_new_plain_puzzle_measures_four_litres_in_six_steps(cli: Run) -> None:
    cli("new", "jugs", "--kind", "plain")
    code, out, _ = cli("run", "./jugs.py", "--format", "json")
    assert (code, json.loads(out)["cost"]) == (0, 6)
    code, out, _ = cli("run", "./jugs.py", "--litres", 6, "--format", "json")
    assert (code, json.loads(out)["status"]) == (1, "unsolvable")


def test_the_new_contingent_puzzle_halves_the_numbers_with_every_guess(cli: Run) -> None:
    cli("new", "guess", "--kind", "contingent")
    for limit in (1, 2, 3, 4, 7, 8, 20):
        code, out, _ = cli("run", "./guess.py", "--limit", limit, "--format", "json")
        assert (code, json.loads(out)["cost"]) == (0, limit.bit_length())


def test_a_move_of_the_new_observable_puzzle_gains_two_steps_at_the_worst(cli: Run) -> None:
    """By induction: a jump, of two steps or three, is as good as the shorter of them; the last step is one alone."""
    cli("new", "river", "--kind", "observable")
    for stones in (1, 2, 3, 4, 5, 10, 11):
        code, out, _ = cli("run", "./river.py", "--stones", stones, "--format", "json")
        assert (code, json.loads(out)["cost"]) == (0, stones // 2 + 1)


@pytest.mark.parametrize(("rolls", "value"), [(1, "7/2"), (2, "17/4"), (3, "14/3")])
def test_the_new_stochastic_puzzle_rolls_on_while_that_is_worth_more(cli: Run, rolls: int, value: str) -> None:
    cli("new", "die", "--kind", "stochastic")
    code, out, _ = cli("run", "./die.py", "--rolls", rolls, "--format", "json")
    assert (code, json.loads(out)["value"]) == (0, value)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_found_for_the_new_puzzle_is_saved_verified_and_played(cli: Run, kind: str) -> None:
    cli("new", "my-puzzle", "--kind", kind)
    cli("run", "./my_puzzle.py", "--output", "plan.json")
    assert cli("verify", "plan.json", "--problem", "./my_puzzle.py")[0] == 0
    assert cli("play", "./my_puzzle.py", "--watch", "--seed", 1)[0] == 0
    assert cli("simulate", "./my_puzzle.py", "--games", 5, "--seed", 1)[0] == 0


@pytest.mark.parametrize(("name", "file"), [("puzzle", "puzzle.py"), ("Four Glasses", "four_glasses.py")])
def test_the_file_is_called_as_a_module_would_be(cli: Run, folder: Path, name: str, file: str) -> None:
    assert cli("new", name)[0] == 0
    assert (folder / file).is_file()


def test_a_file_that_exists_is_left_alone(cli: Run, folder: Path) -> None:
    (folder / "mine.py").write_text("precious = True\n")
    assert_one_line(cli("new", "mine"), "mine.py")
    assert (folder / "mine.py").read_text() == "precious = True\n"


def test_force_replaces_a_file_that_exists(cli: Run, folder: Path) -> None:
    (folder / "mine.py").write_text("precious = False\n")
    assert cli("new", "mine", "--force")[0] == 0
    assert cli("check", "./mine.py")[0] == 0


@pytest.mark.parametrize(
    "name", ["", "3coins", "class", "Lambda", "a/b", "../up", "naïve", "a.b", "x;y", "---", "a\nb"]
)
def test_a_name_that_no_module_can_have_is_refused(cli: Run, folder: Path, name: str) -> None:
    assert_one_line(cli("new", "--", name))
    assert list(folder.iterdir()) == []
    assert not (folder.parent / "up.py").exists()


@pytest.mark.parametrize(
    "name",
    ["json", "JSON", "json.py", "random", "sys", "numpy", "attrs", "click", "beliefsearch", "beliefsearch-problems"],
)
def test_a_name_that_would_hide_another_module_is_refused_with_the_reason(cli: Run, folder: Path, name: str) -> None:
    assert_one_line(cli("new", name), "would hide the module")
    assert list(folder.iterdir()) == []
    assert cli("new", name, "--force")[0] == 2


@pytest.mark.parametrize("name", ["class", "Import", "match", "case"])
def test_a_word_of_python_is_refused_as_one(cli: Run, folder: Path, name: str) -> None:
    assert_one_line(cli("new", name), "word of Python's own")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_new_file_is_short(cli: Run, folder: Path, kind: str) -> None:
    cli("new", "mine", "--kind", kind)
    assert len((folder / "mine.py").read_text().splitlines()) < 50


def test_what_is_printed_names_four_commands_and_the_first_three_do_what_they_say(cli: Run) -> None:
    _, out, _ = cli("new", "my-puzzle")
    lines = [line.strip() for line in out.splitlines() if line.startswith("  ")]
    assert [line.split()[:3] for line in lines] == [
        ["beliefsearch", "run", "./my_puzzle.py"],
        ["beliefsearch", "play", "./my_puzzle.py"],
        ["beliefsearch", "check", "./my_puzzle.py"],
        ["python", "-m", "pytest"],
    ]
    assert cli("check", "./my_puzzle.py")[0] == 0


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


def test_who_answers_nothing_on_a_terminal_gets_no_file(
    cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert (code, err) == (0, "note: an installed puzzle is called water-jugs, too; yours is ./water_jugs.py\n")
    assert "wrote water_jugs.py" in out


@pytest.mark.parametrize("name", ["my-puzzle", "my_puzzle"])
def test_whoever_forgets_that_the_puzzle_is_a_file_is_reminded(cli: Run, name: str) -> None:
    cli("new", "my-puzzle")
    assert_one_line(cli("run", name), "there is no problem called", "did you mean './my_puzzle.py'?")


def test_a_name_too_long_for_a_file_is_no_problem(cli: Run) -> None:
    assert_one_line(cli("run", "x" * 5000), "there is no problem called")
