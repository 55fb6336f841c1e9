"""`beliefsearch explore`."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from beliefsearch.cli.renderers.text import belief_sample
from beliefsearch.kinds import Kind
from beliefsearch_problems.devil import DevilProblem

from ..answers import assert_one_line, read_json, stdout, stdout_alone
from ..conftest import Run
from ..test_kinds import ON_THE_LINE
from ..toys import method, toy
from .processes import interrupt


def test_json(cli: Run) -> None:
    out = stdout_alone(cli("explore", "nim", "--heaps", "3,4", "--backward", "--format", "json"))
    document = json.loads(out)
    assert document.pop("seconds") >= 0
    parameters = document.pop("parameters")
    assert parameters["heaps"] == "3,4"
    assert document == {
        "problem": "nim",
        "blindfold": False,
        "nodes": "states",
        "backward": True,
        "layers": [1, 4, 3, 1, 1],
        "total": 10,
        "complete": True,
        "eccentricity": 4,
        "last": ["3 4"],
        "cut_off": 3,
        "reason": None,
        "version": 1,
    }
    _, out, _ = cli("explore", "devil", "--n", 2, "--belief", "HH HT", "--format", "json")
    document = json.loads(out)
    assert (document["nodes"], document["belief"], document["layers"][0]) == ("beliefs", ["HH", "HT"], 1)
    assert all(isinstance(belief, list) for belief in document["last"])


def test_csv_and_files(cli: Run, folder: Path) -> None:
    _, out, _ = cli("explore", "river-crossing", "--format", "csv")
    assert [int(row["states"]) for row in csv.DictReader(out.splitlines())] == [1, 1, 1, 2, 2, 1, 1, 1]
    for name, form in {"layers.csv": "csv", "layers.json": "json", "layers.txt": "text"}.items():
        code, shown, err = cli("explore", "river-crossing", "--output", name)
        assert (code, err) == (0, f"{name}: the counts, {form}\n")
        assert shown.startswith("river-crossing: 10 states")
    assert (folder / "layers.csv").read_text() == out
    assert read_json("layers.json")["total"] == 10
    assert (folder / "layers.txt").read_text() == shown
    cli("explore", "river-crossing", "--output", "layers.png")
    assert (folder / "layers.png").read_bytes().startswith(b"\x89PNG")
    cli("explore", "river-crossing", "--output", "layers", "--format", "svg")
    assert "<svg" in (folder / "layers").read_text()


def test_long_beliefs_are_shown_in_part_and_spaces_are_told_apart(cli: Run) -> None:
    assert "  3 heavy, 3 light\n" in cli("explore", "counterfeit-coin", "--coins", 4)[1]
    problem = DevilProblem(n=2)
    texts = sorted(problem.initial_states())
    assert belief_sample(problem, texts, 11) == " ".join(texts) == "HH HT TH TT"
    assert belief_sample(problem, texts, 10) == "4 states"
    many = DevilProblem(n=6)
    for width in range(20, 100):
        shown = belief_sample(many, list(many.initial_states()), width)
        number, _, some = shown.partition(": ")
        assert (number, len(shown) <= width) == ("64 states", True)
        if some:
            assert some.split() == [*sorted(many.initial_states())[: len(some.split()) - 1], "..."]
    assert len(shown) > 80


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
def test_every_kind_of_problem(kind: Kind, cli: Run) -> None:
    words = ON_THE_LINE[kind].split()
    out = stdout_alone(cli("explore", *words))
    assert ("states" if kind in (Kind.PLAIN, Kind.STOCHASTIC) else "belief") in out.splitlines()[0]
    found = cli("explore", *words, "--backward")
    if kind in (Kind.STOCHASTIC, Kind.POMDP):
        assert_one_line(found, f"chance decides how far the goal is in {words[0]}")
    else:
        assert found[0] == 0


def test_whoever_walks_back_needs_no_start(cli: Run) -> None:
    assert stdout(cli("explore", "nine-tails", "--backward")).startswith("nine-tails --backward: 512 states")
    assert_one_line(cli("explore", "sliding-tiles", "--rows", 2), "say --start")
    code, _, err = cli("explore", "nine-tails", "--backward", "--start", "HHHHHHHHH")
    assert (code, err) == (0, "note: --start is ignored here, because every start is possible\n")
    # Where it cannot be walked back the start counts.
    stdout_alone(cli("explore", "nim", "--heaps", "1,2", "--backward"))


def test_blindfolded(cli: Run) -> None:
    out = stdout(cli("explore", "nine-tails", "--rows", 2, "--cols", 2, "--blindfold"))
    assert out.startswith("nine-tails --rows 2 --cols 2 --blindfold: ")
    assert "beliefs" in out.splitlines()[2]


def test_files_of_puzzles_and_of_the_field(cli: Run, folder: Path, plugins: None) -> None:
    out = stdout(cli("explore", "./counter.py", "--time-limit", "0.1"), 3)
    assert out.startswith("./counter.py: undecided, the time limit of 0.1 s was reached; ")
    cli("export", "tiger", "--output", "tiger.pomdp")
    document = json.loads(stdout(cli("explore", "tiger.pomdp", "--format", "json")))
    assert (document["problem"], document["nodes"]) == ("pomdp", "beliefs")
    assert len(document["data_files"]["file"]) == 64


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "words",
    ["./endless.py", "./doubling.py --backward", "./starts.py:Sensorless", "reset-word --cerny 10000000000 --backward"],
)
def test_a_time_limit_is_heard(words: str, process: Run, plugins: None) -> None:
    began = time.monotonic()
    code, out, err = process("explore", *words.split(), "--time-limit", "0.1", "--quiet")
    assert code == 3, err
    assert "undecided, the time limit of 0.1 s was reached" in out + err
    assert "Traceback" not in err
    assert time.monotonic() - began < 30


def test_a_memory_limit_is_heard(process: Run, plugins: None) -> None:
    code, out, _ = process("explore", "./endless.py", "--memory-limit", "50MB", "--quiet", "--format", "json")
    document = json.loads(out)
    assert (code, document["complete"], document["eccentricity"]) == (3, False, None)
    assert "48 MiB" in document["reason"]
    assert document["layers"] == [3**distance for distance in range(len(document["layers"]))]


def test_what_was_stopped_before_anything_was_counted(process: Run, folder: Path) -> None:
    words = ("explore", "reset-word", "--cerny", 10**10, "--time-limit", "0.1")
    code, out, _ = process(*words, "--format", "json")
    document = json.loads(out)
    assert (code, document["nodes"], document["layers"], document["total"]) == (3, None, [], 0)
    code, out, _ = process(*words)
    assert (code, out.endswith("; nothing is counted\n")) == (3, True)
    (folder / "slow.py").write_text(toy("walk") + method("initial_state", "__import__('time').sleep(60)"))
    code, out, err = process("explore", "./slow.py", "--time-limit", "0.1", "--output", "layers.png")
    assert (code, err) == (3, "no picture was written: nothing is counted\n")
    assert "the time limit of 0.1 s was reached; nothing is counted" in out
    assert not (folder / "layers.png").exists()


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_leaves_what_is_complete(folder: Path, plugins: None) -> None:
    code, out, err = interrupt(folder, "explore", "./endless.py", "--format", "csv", "--quiet")
    assert (code, err) == (3, "undecided, it was interrupted\n")
    counts = [int(row["states"]) for row in csv.DictReader(out.splitlines())]
    assert counts == [3**distance for distance in range(len(counts))]


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_killed_it_is_gone_on_with_and_counts_the_same(cli: Run, folder: Path) -> None:
    words = ["explore", "pancakes", "--start", "1,2,3,4,5,6,7,8,9", "--store", "kept", "--quiet"]
    with subprocess.Popen([sys.executable, "-m", "beliefsearch", *words], stdout=subprocess.DEVNULL) as running:
        manifest = Path("kept", "manifest.json")
        began = time.monotonic()
        while time.monotonic() - began < 30 and not (manifest.exists() and '"counts":[1,8' in manifest.read_text()):
            time.sleep(0.002)
        running.kill()
    assert_one_line(cli(*words), "'kept' holds a search of ", "add --resume to go on")
    out = stdout(cli(*words, "--resume", "--format", "json"))
    # The number of stacks at each distance: OEIS A092113.
    assert json.loads(out)["layers"] == [1, 8, 56, 391, 2278, 10666, 38015, 93585, 132697, 79379, 5804]


# A limit may come between opening a file or a folder and the `with` that closes it; then the collector does.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_was_stopped_says_how_to_go_on(cli: Run, folder: Path) -> None:
    words = ("explore", "reset-word", "--cerny", "9", "--store", "kept", "--time-limit")
    seconds = 0.1
    code, out, err = cli(*words, seconds)
    while code == 3:
        if "nothing is counted" not in out:
            assert err == "'kept' holds what was counted; the same command with --resume goes on from there\n"
        seconds *= 1.5
        code, out, err = cli(*words, seconds, "--resume")
    assert code == 0, err
    assert out.startswith("reset-word --cerny 9: 511 beliefs, the farthest 72 actions from the start\n")


def test_without_dask_it_says_what_to_install(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "beliefsearch.engine.counting.cluster", raising=False)  # by another test
    found = cli("explore", "river-crossing", "--engine", "dask", "--store", "kept")
    assert_one_line(found, "pip install 'beliefsearch[cluster]'")
    assert [*folder.iterdir()] == []


def test_long_chains_are_shortened_on_the_terminal(cli: Run, folder: Path) -> None:
    endless = method("is_goal", "return False") + method("result", "return min(state + 1, 1499)")
    (folder / "chain.py").write_text(toy("walk") + endless)
    out = stdout(cli("explore", "./chain.py", "--output", "chain.csv"))
    assert "  ... 1,470 more; --output FILE writes them all ...\n" in out
    assert len((folder / "chain.csv").read_text().splitlines()) == 1501
