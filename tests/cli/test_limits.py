"""`--time-limit`, `--memory-limit` and Ctrl-C, whatever a command is doing."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from ..answers import stdout
from ..conftest import Run
from ..examples import thorough
from ..toys import hooked, method, toy

# Instances that are too large even to be made, or to be asked the first question.
HUGE = (
    "reset-word --cerny 10000000000",
    "wumpus --rows 100000 --cols 100000",
    "lost-robot --rows 100000 --cols 100000",
    "lost-robot --cols 99999999999999999999",
    "devil --n 20 --solver search",
    "flip-exactly-k --n 40 --k 17 --coins numbered",
    "counterfeit-coin --coins 200",
    "riddler-flips --flips 1000000000",
    "monty-hall --doors 100000000",
)


@pytest.mark.few(5)
@pytest.mark.parametrize("words", HUGE)
def test_run_ends_in_time(words: str, process: Run) -> None:
    code, out, err = process("run", *words.split(), "--time-limit", "0.1", "--memory-limit", "2GB", "--quiet")
    assert code == 3
    assert "undecided" in out + err
    assert " 0 reached" not in out
    assert "the time limit of 0.1 s was reached" in out + err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["describe", "check", "show", "explain", "prove", "simulate"])
def test_every_command_ends_in_time(command: str, process: Run) -> None:
    code, out, err = process(command, "reset-word", "--cerny", 10**10, "--time-limit", "0.1")
    assert code == 3
    # A busy machine may take as long to import it.
    assert re.search(r"the time limit of 0\.1 s was reached while the puzzle was being (made|imported)", out + err)


def test_a_memory_limit_is_heard_while_a_puzzle_is_made(process: Run) -> None:
    assert "143 MiB" in stdout(process("run", "reset-word", "--cerny", 10**10, "--memory-limit", "150MB"), 3)
    assert "limit of 1,000 bytes was" in stdout(
        process("run", "reset-word", "--cerny", 10**10, "--memory-limit", "1KB"), 3
    )


# The limit that a command has of its own is looked at, and then shortened.
SHORTENED = """
import sys
from beliefsearch.cli import main
from beliefsearch.cli.commands import describe
assert describe.command._seconds == 5
describe.command._seconds = 0.2
main(sys.argv[1:])
"""


def test_describe_has_a_limit_of_its_own(folder: Path) -> None:
    began = time.monotonic()
    line = [sys.executable, "-c", SHORTENED, "describe", "reset-word", "--cerny", str(10**10)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (3, "")
    assert "automaton" in done.stdout  # the story is told all the same
    assert "No instance" in done.stdout
    assert "the time limit of 0.2 s was reached" in done.stdout
    assert time.monotonic() - began < 60


def test_run_prints_a_document_even_where_no_puzzle_could_be_made(process: Run) -> None:
    import json

    code, out, _ = process("run", "reset-word", "--cerny", 10**10, "--time-limit", "0.1", "--format", "json")
    document = json.loads(out)
    assert code == 3
    assert (document["status"], document["plan"], document["parameters"]["cerny"]) == ("undecided", None, 10**10)
    assert "the time limit of 0.1 s" in document["reason"]


def test_run_prints_the_document_of_all_states_where_no_puzzle_could_be_made(cli: Run) -> None:
    import json

    document = json.loads(stdout(cli("run", "sliding-tiles", "--all", "--format", "json", "--time-limit", "1e-9"), 3))
    assert (document["status"], document["distances"], document["unsolvable"]) == ("undecided", {}, None)
    assert "the time limit of 1e-09 s" in document["reason"]


@pytest.mark.parametrize("command", ["analyse", "describe", "explain", "plans", "show", "view"])
def test_ctrl_c_ends_the_work_on_a_puzzle_as_a_limit_does(command: str, cli: Run, folder: Path) -> None:
    pressed = method("format_state", "raise KeyboardInterrupt") + method("format_action", "raise KeyboardInterrupt")
    (folder / "narrow.py").write_text(toy("narrow") + pressed)
    page = ("--no-browser", "--output", "page.html") if command == "view" else ()
    code, out, err = cli(command, "./narrow.py", *page)
    assert code == 3
    assert "it was interrupted" in out + err


def test_ctrl_c_is_told_while_a_plan_is_listed_for_games(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.cli.renderers.plan.construction_result", Mock(side_effect=KeyboardInterrupt))
    code, _, err = cli("simulate", "devil", "--n", 4, "--solver", "construct")
    assert (code, err) == (3, "beliefsearch: undecided, it was interrupted\n")


def _hear_ctrl_c() -> None:
    """A shell starts what it runs in the background with the signal ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.few(3)
@pytest.mark.skipif(sys.platform == "win32", reason="this system has no such signals")
@pytest.mark.parametrize("delay", [0.1, 0.2, 0.3, 0.4, 0.5])
def test_ctrl_c_while_things_are_imported_leaves_no_traceback(delay: float, folder: Path) -> None:
    line = [sys.executable, "-m", "beliefsearch", "run", "devil", "--n", "20", "--solver", "search", "--quiet"]
    running = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_hear_ctrl_c)
    time.sleep(delay)
    running.send_signal(signal.SIGINT)
    try:
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    if "site" in err or "frozen" in err:
        pytest.skip("Python itself had not started yet")
    assert running.returncode in (130, 3)  # the second once the search has begun
    assert "Traceback" not in err
    # On standard error if nothing is known yet, as at a limit.
    assert running.returncode == 130 or "it was interrupted" in out + err


_SWALLOWS = """
        import sys, time
        said = "here"
        while True:
            try:
                print(said, file=sys.stderr, flush=True)
                while True:
                    time.sleep(0.01)
            except BaseException:
                said = "swallowed"
"""


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no such signals")
@pytest.mark.parametrize("last", ["SIGINT", "SIGTERM"])
def test_a_second_signal_ends_what_swallows_the_first(last: str, folder: Path) -> None:
    (folder / "narrow.py").write_text(toy("narrow") + method("canonical", _SWALLOWS.strip()))
    line = [sys.executable, "-m", "beliefsearch", "explore", "narrow.py", "--quiet"]
    running = subprocess.Popen(line, stderr=subprocess.PIPE, text=True, preexec_fn=_hear_ctrl_c)
    assert running.stderr is not None
    try:
        assert running.stderr.readline() == "here\n"
        running.send_signal(signal.SIGINT)
        assert running.stderr.readline() == "swallowed\n"
        time.sleep(0.6)
        running.send_signal(getattr(signal, last))
        assert running.wait(timeout=30) == -getattr(signal, last)
    finally:
        running.kill()
        running.communicate()


@pytest.mark.parametrize("limit", [("--time-limit", "0.1"), ("--memory-limit", "150MB")])
def test_verify_ends_in_time_whatever_is_asked_for(
    limit: tuple[str, str], cli: Run, process: Run, folder: Path
) -> None:
    assert cli("run", "reset-word", "--cerny", 4, "--output", "plan.json")[0] == 0
    text = (folder / "plan.json").read_text()
    assert '"cerny": 4' in text
    (folder / "plan.json").write_text(text.replace('"cerny": 4', f'"cerny": {10**10}'))
    code, out, err = process("verify", "plan.json", *limit)
    assert (code, out) == (3, "")
    assert re.search(r"was reached while the puzzle was being (made|imported)|memory ran out", err)
    assert "Traceback" not in err


def test_verify_ends_in_time_while_a_file_that_never_ends_is_read(process: Run) -> None:
    code, _, err = process("verify", "/dev/zero", "--time-limit", "0.1", "--memory-limit", "500MB")
    assert code in (2, 3)
    assert "Traceback" not in err


ENDLESS = hooked(toy("soon_won"), "ConstructionHook") + method("construction", "return None")
ENDLESS += method("check_construction", "return None")
METHODS = ["is_sensorless", "has_unit_costs", "construction", "canonical", "format_action"]
MISTAKES = {
    "while it is imported": "\nwhile True:\n    pass\n",
    **{name: method(name, "while True:\n            pass") for name in METHODS},
}

QUICK = ("while it is imported", "has_unit_costs", "canonical")


@pytest.mark.parametrize("command", ["run", thorough("check")])
@pytest.mark.parametrize("mistake", [name if name in QUICK else thorough(name) for name in MISTAKES])
def test_no_method_of_a_puzzle_keeps_a_command_for_ever(mistake: str, command: str, process: Run, folder: Path) -> None:
    (folder / "endless.py").write_text(ENDLESS + MISTAKES[mistake])
    began = time.monotonic()
    code, _, err = process(command, "./endless.py", "--time-limit", "0.1")
    assert code in (0, 1, 3)  # 0 and 1: where that method is not asked
    assert time.monotonic() - began < 30  # without the limit it would go on for ever
    assert "Traceback" not in err
    assert "bug" not in err


@pytest.mark.parametrize(
    ("hook", "command"), [("actions(self, state)", "check"), ("percepts(self, state, action)", "check")]
)
def test_what_never_ends_in_c_is_looked_through_by_us(hook: str, command: str, process: Run, folder: Path) -> None:
    endless = f"\nfrom itertools import count\nEndlessProblem.{hook.partition('(')[0]} = lambda *_: count()\n"
    (folder / "endless.py").write_text(ENDLESS + endless)
    code, _, err = process(command, "./endless.py", "--time-limit", "0.1")
    assert code == 3, err
    assert "time limit" in err
