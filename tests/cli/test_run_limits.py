"""`beliefsearch run`: limits, interruptions, closed pipes and progress."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..answers import read_json, stdout, stdout_alone
from ..conftest import Run
from ..examples import thorough
from ..waiting import once_begun
from .processes import Result, interrupt

ENDLESS_SEARCHES = [
    ("./endless.py",),
    ("./endless.py", "--solver", "uniform-cost"),
    ("./endless.py", "--solver", "astar"),
    ("./endless.py", "--solver", "greedy"),
    ("./endless.py", "--solver", "ida-star"),
    ("./doubling.py",),
    ("./starts.py:Sensorless",),
    ("./starts.py:Plain", "--blindfold"),
    ("./starts.py:EndlessResults",),
]


@pytest.mark.few(4)
@pytest.mark.parametrize("words", ENDLESS_SEARCHES, ids=" ".join)
def test_the_time_limit_stops_any_search_in_time(cli: Run, plugins: None, words: tuple[str, ...]) -> None:
    def run(seconds: float) -> Any:
        code, out, err = cli("run", *words, "--time-limit", seconds, "--format", "json", "--quiet")
        assert code == 3
        assert f"the time limit of {seconds:g} s was reached" in out + err
        return json.loads(out)

    found = once_begun(lambda found: "imported" not in found["reason"], run, 0.1)
    assert (found["status"], found["plan"], found["cost"]) == ("undecided", None, None)
    assert found["stats"]["seconds"] > 0


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "words",
    [("doubling.py",), ("starts.py:Sensorless",), ("starts.py:EndlessResults",), ("starts.py:Plain", "--blindfold")],
    ids=" ".join,
)
def test_the_time_limit_stops_the_naive_engine_in_time(folder: Path, plugins: None, words: tuple[str, ...]) -> None:
    # In a process of its own: where the limit is not kept, memory would run out with the whole test run.
    limits = ("--time-limit", "0.1", "--memory-limit", "1GB")  # the first of which is reached, on a busy machine too
    line = [sys.executable, "-m", "beliefsearch", "run", *words, "--engine", "naive", *limits]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 3
    assert "undecided, the time limit of 0.1 s was reached" in done.stdout + done.stderr


def test_a_search_stopped_by_the_clock_tells_its_bound_and_statistics(cli: Run, plugins: None) -> None:
    def run(seconds: float) -> Any:
        code, out, _ = cli("run", "./endless.py", "--time-limit", seconds, "--format", "json", "--output", "found.json")
        assert code == 3
        return json.loads(out)

    found = once_begun(lambda found: found["stats"]["expanded"] > 1000, run)
    # In a tree with three children a node, layer d is finished when 1 + 3 + ... + 3^d nodes are expanded,
    # and then no plan has fewer than d + 2 actions.
    layers = 0
    while sum(3**depth for depth in range(layers + 1)) <= found["stats"]["expanded"]:
        layers += 1
    assert found["lower_bound"] == layers + 1
    assert layers >= 5
    assert found["stats"]["generated"] > found["stats"]["expanded"]
    assert read_json("found.json") == found


@pytest.mark.parametrize("words", [("--notches", "3", "./slow.py"), ("./slow.py", "--notches", "3")], ids=" ".join)
def test_a_limit_during_the_import_leaves_an_undecided_answer(cli: Run, folder: Path, words: tuple[str, ...]) -> None:
    (folder / "slow.py").write_text("import time\n\ntime.sleep(60)\n")
    reason = "the time limit of 0.02 s was reached while the puzzle was being imported"
    code, out, err = cli("run", *words, "--time-limit", 0.02, "--format", "json")
    found = json.loads(out)
    assert (code, found["status"], found["plan"], found["reason"], err) == (3, "undecided", None, reason, "")
    assert found["stats"]["seconds"] >= 0.02
    code, out, err = cli("run", *words, "--time-limit", 0.02)
    assert (code, out, err) == (3, f"./slow.py --notches 3: undecided, {reason}\n", "")


def test_identify_leaves_an_undecided_answer_too(cli: Run, folder: Path) -> None:
    (folder / "car.csv").write_text("fault,lamp\nnone,on\nfuse,off\n")
    code, out, _ = cli("identify", "car.csv", "--time-limit", 1e-6, "--format", "json")
    assert (code, json.loads(out)["status"]) == (3, "undecided")


def test_a_problem_that_is_solved_in_time_is_not_troubled_by_the_limits(cli: Run) -> None:
    assert "15" in stdout(cli("run", "devil", "--n", 4, "--time-limit", 60, "--memory-limit", "4GiB"))


MEASURE_PEAK = """
import re, sys
from pathlib import Path
from beliefsearch.cli import main
try:
    main(sys.argv[1:])
finally:
    peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]
    print(int(peak) * 1024, file=sys.stderr)
"""


@pytest.mark.few(2)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
@pytest.mark.parametrize(
    "words",
    [
        ("./endless.py",),
        thorough(("./endless.py", "--solver", "astar")),
        ("./doubling.py",),
        thorough(("./doubling.py", "--engine", "naive")),
        ("./starts.py:Sensorless",),
        thorough(("./starts.py:Plain", "--blindfold")),
    ],
    ids=" ".join,
)
def test_the_memory_limit_is_exceeded_by_a_tenth_at_most(folder: Path, plugins: None, words: tuple[str, ...]) -> None:
    line = [sys.executable, "-c", MEASURE_PEAK, "run", *words]
    limits = ("--memory-limit", "80MB", "--time-limit", "50", "--format", "json", "--quiet")
    done = subprocess.run([*line, *limits], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3, done.stderr
    found = json.loads(done.stdout)
    assert found["status"] == "undecided"
    assert "memory" in found["reason"]
    assert found["lower_bound"] >= 0
    assert found["stats"]["seconds"] > 0
    assert int(done.stderr) <= 88_000_000


# Interruptions.

SLOW_IMPORT = """
from pathlib import Path
from time import sleep
Path("under way").touch()
sleep(30)
"""


@pytest.mark.skipif(os.name == "nt", reason="a Ctrl-C of POSIX")
def test_ctrl_c_ends_a_search_quietly_with_the_bound_known_so_far(folder: Path, plugins: None) -> None:
    found = json.loads(stdout_alone(interrupt(folder, "run", "./endless.py", "--format", "json", "--quiet"), 3))
    assert found["status"] == "undecided"
    assert "interrupted" in found["reason"]
    assert found["lower_bound"] > 1
    assert found["stats"]["generated"] >= 19_000


@pytest.mark.skipif(os.name == "nt", reason="a Ctrl-C of POSIX")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("prove",), "proof: none was looked for, because the search was interrupted"),
        (("run", "--certificate", "proof.json"), "no certificate was written: none was looked for"),
    ],
    ids=["prove", "run"],
)
def test_one_ctrl_c_ends_all_and_no_proof_begins(
    words: tuple[str, ...], said: str, folder: Path, plugins: None
) -> None:
    code, out, err = interrupt(folder, words[0], "./endless.py", *words[1:], "--quiet")
    assert code == 3
    assert "it was interrupted" in out.splitlines()[0]
    assert said in out + err
    assert not (folder / "proof.json").exists()


def test_a_command_leaves_the_signals_to_whoever_calls_it(cli: Run) -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert cli("run", "devil", "--n", 2)[0] == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.skipif(os.name == "nt", reason="a Ctrl-C of POSIX")
def test_ctrl_c_outside_a_search_ends_quietly_too(folder: Path) -> None:
    (folder / "slow.py").write_text(SLOW_IMPORT)
    code, out, err = interrupt(folder, "run", "./slow.py")
    assert code not in (0, 1)
    assert out.strip() == ""
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 1


@pytest.mark.few(5)
@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("run", "devil"), 0),
        (("run", "devil", "--format", "json"), 0),
        (("run", "devil", "--n", "3"), 1),
        (("show", "devil"), 0),
        (("simulate", "devil", "--games", "10"), 0),
        (("play", "devil", "--watch"), 0),
        (("list",), 0),
        (("describe", "devil"), 0),
        (("check", "devil", "--n", "2"), 0),
        (("--help",), 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_closed_pipe_ends_every_command_quietly_and_keeps_its_exit_code(
    folder: Path, start: Callable[..., Result], words: tuple[str, ...], code: int
) -> None:
    done = start(*words, closed=True)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_closed_pipe_does_not_keep_the_file_from_being_written(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    line = [sys.executable, "-m", "beliefsearch", "run", "devil", "--output", "plan.json"]
    try:
        done = subprocess.run(line, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
    assert read_json("plan.json")["cost"] == 15


@pytest.mark.skipif(os.name == "nt", reason="redirections of a POSIX shell")
@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_a_standard_output_that_takes_nothing_is_no_traceback_and_no_bug(folder: Path, redirection: str) -> None:
    if redirection == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m beliefsearch run devil --n 2 {redirection}', sys.executable],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "bug" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1


# Progress.


def test_progress_goes_to_standard_error_in_plain_lines(
    cli: Run, plugins: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("beliefsearch.cli.progress._PLAIN_INTERVAL", 0.1)
    _, out, err = once_begun(
        lambda found: "lower bound" in found[2],
        lambda seconds: cli("run", "./endless.py", "--time-limit", seconds, "--format", "json"),
        0.3,
    )
    assert json.loads(out)["status"] == "undecided"
    assert "lower bound" in err
    assert "\x1b" not in out + err


def test_quiet_shows_no_progress(cli: Run, plugins: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.cli.progress._PLAIN_INTERVAL", 0.05)
    _, _, err = cli("run", "./endless.py", "--time-limit", 0.2, "--quiet")
    assert err == ""


def test_of_code_of_ones_own_it_is_said_that_its_states_may_be_endless(cli: Run, plugins: None) -> None:
    for command in ("run", "explain"):
        code, _, err = cli(command, "./endless.py", "--time-limit", 0.2)
        assert (code, "may be endless: `beliefsearch explore ./endless.py`" in err) == (3, True)
    code, _, err = cli("run", "reset-word", "--cerny", 30, "--solver", "bfs", "--engine", "bits", "--time-limit", 0.1)
    assert (code, "endless" in err) == (3, False)
