"""`verify_file`: what the command `verify` promises of a file by a stranger, kept from Python too."""

from __future__ import annotations

import doctest
import gzip
import json
import os
import subprocess
import sys
import time
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from attrs.exceptions import FrozenInstanceError

from beliefsearch import Limits, ProblemError, verify_file
from beliefsearch.cli import main
from beliefsearch.cli.output import as_option
from beliefsearch.errors import InvalidPlanError, PluginError
from beliefsearch.results import FileVerdict
from beliefsearch.running.limits import resident_memory
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

from ..toys import method, toy
from ..waiting import once_begun

DEVIL = {"problem": "devil", "parameters": {"n": 2}, "plan": [[0, 1], [0], [0, 1]], "cost": 3, "version": 1}
"""By the puzzle's source: diagonal, one, diagonal."""
TURN = {"problem": "./turnstile.py", "parameters": {}, "plan": ["go"], "cost": 1, "version": 1}


def save(data: dict[str, Any], name: str = "plan.json", **changes: Any) -> str:
    Path(name).write_text(json.dumps({**data, **changes}))
    return name


def write_turnstile(results: str = "['end']") -> Path:
    """The puzzle, and the mark that it leaves when it is run."""
    mark = Path("mark").resolve()
    puzzle = toy("puzzle").replace("Puzzle", "Turnstile") + method("results", f"return {results}")
    Path("turnstile.py").write_text(f"from pathlib import Path\nPath({str(mark)!r}).touch()\n{puzzle}")
    return mark


def test_a_plan_that_holds_is_told_with_what_was_found(folder: Path) -> None:
    verdict = verify_file(save(DEVIL, lower_bound=3))
    assert (verdict.holds, verdict.decided, verdict.complaint) == (True, True, "")
    assert (verdict.about, verdict.cost, verdict.bound, verdict.value) == ("devil (n=2)", 3, None, None)
    assert verdict.lines[1] == "that no plan costs less than 3 is claimed, not proved"
    with pytest.raises(FrozenInstanceError):
        verdict.holds = False  # type: ignore[misc]  # that is the point


def test_what_does_not_hold_is_told_with_the_reason(folder: Path) -> None:
    verdict = verify_file(save(DEVIL, plan=[[0, 1], [0]], cost=2))
    assert not verdict.holds
    assert verdict.decided
    assert verdict.complaint == verdict.lines[-1]
    assert "the state may be TT" in verdict.complaint
    assert verdict.cost is None


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(words)
    code = end.value.code
    assert isinstance(code, int)
    return code


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("run", "devil", "--n", "2", "--certificate"), {"cost": 3, "bound": 3}),
        (("prove", "devil", "--n", "3", "--certificate"), {"cost": None, "bound": float("inf")}),
        (("run", "monty-hall", "--output"), {"value": Fraction(2, 3)}),
    ],
)
def test_python_and_the_command_line_say_the_same(
    folder: Path, words: tuple[str, ...], found: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words, "file.json") in (0, 1)  # a proof that there is no plan is found, and 1 says so
    capsys.readouterr()
    verdict = verify_file("file.json")
    assert run("verify", "file.json") == 0
    assert capsys.readouterr().out.splitlines() == [f"{verdict.about}: {line}" for line in verdict.lines]
    assert {name: getattr(verdict, name) for name in found} == found


# What a file may do.


@pytest.mark.parametrize("name", ["./turnstile.py", "turnstile.py", "turnstile:Turnstile", "turnstile", "os:system"])
def test_a_file_runs_no_code_that_the_caller_did_not_name(folder: Path, name: str) -> None:
    mark = write_turnstile()
    with pytest.raises(PluginError, match=r"plan\.json"):
        verify_file(save(TURN, problem=name))
    assert not mark.exists()


def test_code_is_trusted_by_name_by_class_or_as_a_problem(folder: Path) -> None:
    from beliefsearch.tools import load_problem_class

    mark = write_turnstile()
    by_name = verify_file(save(TURN), problem="./turnstile.py")
    assert by_name.holds
    assert by_name.about == "./turnstile.py"
    assert mark.exists()
    cls: Any = load_problem_class("./turnstile.py")
    assert verify_file(Path("plan.json"), problem=cls).holds
    by_instance = verify_file("plan.json", problem=cls())
    assert by_instance.holds
    assert by_instance.about == "Turnstile"


def test_a_file_about_something_else_is_not_checked(folder: Path) -> None:
    save(DEVIL)
    with pytest.raises(InvalidPlanError, match="something else"):
        verify_file("plan.json", problem="nine-tails")
    with pytest.raises(InvalidPlanError, match="something else"):
        verify_file("plan.json", problem=NineTailsProblem)
    with pytest.raises(InvalidPlanError, match="n=2, and the problem has n=3"):
        verify_file("plan.json", problem=DevilProblem(n=3))
    assert verify_file("plan.json", problem=DevilProblem(n=2)).holds
    wrong: Any = 7
    with pytest.raises(ProblemError, match="is no problem"):
        verify_file("plan.json", problem=wrong)
    not_a_problem: Any = int
    with pytest.raises(PluginError, match="int is no problem class"):
        verify_file("plan.json", problem=not_a_problem)


def test_data_files_lie_beside_the_file_or_are_named_by_the_caller(folder: Path) -> None:
    cerny = "2 4\n1 0\n2 1\n3 2\n0 0\n"
    Path("machine.txt").write_text(cerny)
    assert run("run", "reset-word", "--automaton", "machine.txt", "--output", "plan.json") == 0
    assert verify_file("plan.json").holds
    Path("inside").mkdir()
    data = json.loads(Path("plan.json").read_text())
    data["parameters"]["automaton"] = "../machine.txt"
    Path("inside/plan.json").write_text(json.dumps(data))
    with pytest.raises(InvalidPlanError, match="does not lie beside it or below"):
        verify_file("inside/plan.json")
    assert verify_file("inside/plan.json", data={"automaton": "machine.txt"}).holds
    Path("machine.txt").write_text(cerny.replace("3 2", "2 2"))
    with pytest.raises(InvalidPlanError, match="has changed"):
        verify_file("plan.json")


def test_all_data_files_that_are_lacking_are_named_at_once(folder: Path) -> None:
    Path("hidden.txt").write_text("bat cat hat")
    Path("others.txt").write_text("chm")
    words = ("--answers", "hidden.txt", "--guesses", "others.txt")
    assert run("run", "wordle", *words, "--output", "plan.json") == 0
    Path("inside").mkdir()
    inside = Path("plan.json").rename("inside/plan.json")
    with pytest.raises(InvalidPlanError, match="where the data files are: ") as caught:
        verify_file(inside)
    assert str(caught.value).endswith(": data={'answers': FILE} data={'guesses': FILE}")
    assert caught.value.worded(as_option).endswith(": --data answers=FILE --data guesses=FILE")
    with pytest.raises(InvalidPlanError, match=r"where the data file is: data={'guesses': FILE}$"):
        verify_file(inside, data={"answers": "hidden.txt"})
    data = json.loads(inside.read_text())
    data["parameters"] |= {"answers": "../hidden.txt", "guesses": "../others.txt"}
    inside.write_text(json.dumps(data))
    with pytest.raises(InvalidPlanError) as caught:
        verify_file(inside)
    assert str(caught.value).endswith("data={'answers': '../hidden.txt'} data={'guesses': '../others.txt'}")
    assert caught.value.worded(as_option).endswith("--data answers=../hidden.txt --data guesses=../others.txt")
    assert verify_file(inside, data={"answers": "hidden.txt", "guesses": "others.txt"}).holds


# Files that are none.


@pytest.mark.parametrize("path", ["gone.json", ".", "", "a\0b", "folder/gone.json", "/dev/null", "x" * 5000])
def test_what_cannot_be_read_is_told_in_one_line(folder: Path, path: str) -> None:
    with pytest.raises(InvalidPlanError) as caught:
        verify_file(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"version": 1, "version": 1}',
        '{"version": 2}',
        '{"problem": ' + "[" * 100_000,
        '{"problem": "devil", "parameters": {"n": ' + "9" * 200_000 + '}, "plan": [], "version": 1}',
        "\ud800".encode("utf-8", "surrogatepass"),
        gzip.compress(b"{", mtime=0)[:-4],
    ],
    ids=lambda text: repr(text)[:20],
)
def test_what_is_no_plan_file_is_told_in_one_line(folder: Path, text: str | bytes) -> None:
    Path("plan.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InvalidPlanError, match=r"plan\.json") as caught:
        verify_file("plan.json")
    assert "\n" not in str(caught.value)


# Limits.


def test_a_limit_leaves_it_undecided_and_never_holding(folder: Path) -> None:
    began = time.monotonic()
    save(DEVIL, problem="reset-word", parameters={"cerny": 10**10})
    verdict = verify_file("plan.json", limits=Limits(seconds=0.5))
    assert verdict == FileVerdict(
        False, "the time limit of 0.5 s was reached while the puzzle was being made", decided=False
    )
    assert time.monotonic() - began < 60


def test_a_limit_is_heard_while_a_giant_file_is_read(folder: Path) -> None:
    with Path("plan.json").open("w") as stream:
        stream.write('{"problem": "devil", "plan": [' + "[0], " * 3_000_000 + '[0]], "parameters": {}, "version": 1}')
    verdict = verify_file("plan.json", limits=Limits(seconds=0.2))
    assert not verdict.decided
    assert "the file was being read" in verdict.complaint


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="this system has no file that never ends")
def test_a_limit_is_heard_while_a_file_that_never_ends_is_read() -> None:
    verdict = verify_file("/dev/zero", limits=Limits(seconds=0.1, memory=resident_memory() + 2**26))
    assert (verdict.holds, verdict.decided) == (False, False)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no such limits")
def test_a_memory_limit_is_heard_and_taken_back(folder: Path) -> None:
    save(DEVIL, problem="reset-word", parameters={"cerny": 10**10})
    code = (
        "import resource, sys; from beliefsearch import Limits, verify_file\n"
        "digits, before = sys.get_int_max_str_digits(), resource.getrlimit(resource.RLIMIT_DATA)\n"
        "verdict = verify_file('plan.json', limits=Limits(memory=80 * 10**6))\n"
        "assert not verdict.decided and not verdict.holds, verdict\n"
        "assert 'memory' in verdict.complaint, verdict\n"
        "assert (digits, before) == (sys.get_int_max_str_digits(), resource.getrlimit(resource.RLIMIT_DATA))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.parametrize("results", ["exec('while True: pass')", "[state for _ in iter(int, 1)]"])
def test_no_method_of_a_puzzle_keeps_it_for_ever(folder: Path, results: str) -> None:
    write_turnstile(results)
    save(TURN)
    verdict = once_begun(
        lambda verdict: "while the file was being checked" in verdict.complaint,
        lambda seconds: verify_file("plan.json", problem="./turnstile.py", limits=Limits(seconds=seconds)),
        0.05,
    )
    assert (verdict.holds, verdict.decided) == (False, False)
    assert "while the file was being checked" in verdict.complaint


def test_nor_does_a_puzzle_that_is_never_imported_to_the_end(folder: Path) -> None:
    Path("turnstile.py").write_text("while True:\n    pass\n")
    save(TURN)
    verdict = once_begun(
        lambda verdict: "imported" in verdict.complaint,
        lambda seconds: verify_file("plan.json", problem="./turnstile.py", limits=Limits(seconds=seconds)),
        0.05,
    )
    assert not verdict.decided
    assert "imported" in verdict.complaint


@pytest.mark.parametrize("results", ["1 / 0", "exit(0)", "[]", "None"])
def test_what_a_puzzle_does_wrong_is_its_own(folder: Path, results: str) -> None:
    write_turnstile(results)
    with pytest.raises((PluginError, InvalidPlanError), match="Turnstile"):
        verify_file(save(TURN), problem="./turnstile.py")


# What it stands on.


def test_it_loads_nothing_that_searches(folder: Path) -> None:
    save(DEVIL)
    code = (
        "import sys; from beliefsearch import verify_file; assert verify_file('plan.json').holds\n"
        "print([name for name in sys.modules if name.startswith('beliefsearch.')])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "beliefsearch.verify.sequence" in loaded
    for room in ("solvers", "engine", "heuristics", "solving", "views", "games", "proofs", "cli"):
        assert f"beliefsearch.{room}" not in loaded


@pytest.mark.parametrize("module", ["plugins.files.verify_file", "verify.plan", "proofs.check"])
def test_examples_in_docstrings(folder: Path, module: str) -> None:
    found = doctest.testmod(import_module(f"beliefsearch.{module}"), optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("cut.json", json.dumps(DEVIL, indent=1)[:-9], "it ends in the middle, in line 20"),
        ("cut.json", '{"a": "b', "it ends in the middle, in line 1"),
        ("empty.json", "", "it is empty"),
        ("odd.json", '{"a": 1,\n "b": x}', "line 2, column 7: Expecting value"),
        ("odd.json", '{"a": NaN}', "it is not JSON"),
        ("lamp.pomdp", "discount: 1", "is the file of a problem, and no plan file: `beliefsearch run` solves it"),
        ("lamp.py", "import beliefsearch", "'lamp.py' is the file of a problem"),
        ("some.plan", "hello", r"line 1, column 1: Expecting value; a plan as text is checked with the problem"),
    ],
)
def test_what_is_no_plan_file_is_told_with_its_place(folder: Path, name: str, text: str, told: str) -> None:
    Path(name).write_text(text)
    with pytest.raises(InvalidPlanError, match=told):
        verify_file(name)
