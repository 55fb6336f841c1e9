"""`run` and `prove` with --store and --resume: what is gone on with, what is refused, what is left after a fault."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import prove, solve
from beliefsearch.errors import BeliefSearchError, StoreError
from beliefsearch.running.limits import Limits
from beliefsearch.running.store import directory as store_file
from beliefsearch.running.store.checkpoint import Checkpoint
from beliefsearch.running.store.directory import Store, manifest_of
from beliefsearch_problems.devil import DevilProblem

from ..answers import assert_one_line
from ..conftest import Run

# Some hundred expansions, so many that it is worth while to save.
COINS = ("run", "nine-tails", "--start", "HTHHHHHTT", "--weights", "flips", "--solver", "ucs", "--quiet")
KEPT = ("--store", "kept")


@pytest.fixture
def due(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes searches save at their tenth opportunity; and then something else happens, if that is asked for."""

    def set_up(then: Callable[[], object] = bool) -> None:
        asked = 0

        def is_due(checkpoint: Checkpoint) -> bool:
            nonlocal asked
            asked += 1
            if asked == 11:
                then()
            return asked == 10

        monkeypatch.setattr(Checkpoint, "due", is_due)

    return set_up


def interrupted() -> bool:
    raise KeyboardInterrupt


def without_seconds(path: str) -> Any:
    found = json.loads(Path(path).read_text())
    del found["stats"]["seconds"]
    return found


def files(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def test_ctrl_c_says_how_to_go_on_and_then_it_goes_on(cli: Run, due: Callable[..., None]) -> None:
    assert cli(*COINS, "--output", "whole.json")[0] == 0
    due(interrupted)
    code, out, err = cli(*COINS, *KEPT)
    assert code == 3
    assert "undecided" in out
    assert err == "'kept' holds the search up to 9 expansions; the same command with --resume goes on from there\n"
    assert_one_line(cli(*COINS, *KEPT), "'kept' holds a search of nine-tails; add --resume to go on")
    assert cli(*COINS, *KEPT, "--resume", "--output", "rest.json")[0] == 0
    assert without_seconds("rest.json") == without_seconds("whole.json")


def test_a_search_that_is_over_answers_at_once(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("devil", "--n", 4, "--solver", "search", "--quiet", *KEPT)
    first = cli("run", *words, "--output", "first.json")
    assert first[0] == 0
    monkeypatch.setattr("beliefsearch.planner.path.search_sensorless", lambda *_: pytest.fail("it searches again"))
    assert cli("run", *words, "--resume", "--output", "again.json") == first
    assert Path("again.json").read_bytes() == Path("first.json").read_bytes()
    assert cli("prove", *words, "--resume", "--certificate", "proof.json")[0] == 0
    assert cli("verify", "proof.json")[0] == 0
    assert solve(DevilProblem(n=4), solver="search", store="kept", resume=True).cost == 15


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (("--n", 3), "there parameters.n is 4, here 3"),
        (("--n", 4, "--group", "klein"), "there parameters.group is turns, here klein"),
        (("--n", 4, "--engine", "naive"), "there search.engine is auto, here naive"),
    ],
)
def test_another_search_is_refused(other: tuple[Any, ...], said: str, cli: Run) -> None:
    assert cli("run", "devil", "--n", 4, "--solver", "search", *KEPT)[0] == 0
    before = files(Path("kept"))
    assert_one_line(cli("run", "devil", *other, "--solver", "search", *KEPT, "--resume"), said, "'kept'")
    assert files(Path("kept")) == before


def test_a_puzzle_that_was_changed_is_refused(cli: Run) -> None:
    Path("word.txt").write_text("2 3\n1 1\n2 1\n0 2\n")
    words = ("run", "reset-word", "--automaton", "word.txt", "--quiet", *KEPT)
    assert cli(*words)[0] == 0
    Path("moved.txt").write_bytes(Path("word.txt").read_bytes())
    assert cli("run", "reset-word", "--automaton", "moved.txt", "--quiet", *KEPT, "--resume")[0] == 0
    Path("word.txt").write_text("2 3\n1 1\n2 2\n0 2\n")
    assert_one_line(cli(*words, "--resume"), "there parameters.automaton.sha256 is", "choose another directory")


def test_a_puzzle_with_a_changed_base_is_refused(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("new", "kept_jugs.py", "--kind", "plain")[0] == 0
    name = "KeptJugsProblem"
    more = f'from kept_jugs import {name}\n\n\nclass More({name}):\n    """More."""\n'
    Path("more_jugs.py").write_text(more)
    run = ("run", "./more_jugs.py:More", "--quiet", *KEPT)
    assert cli(*run)[0] == 0
    assert cli(*run, "--resume")[0] == 0
    Path("more_jugs.py").write_text(f"{more}\n")
    assert_one_line(cli(*run, "--resume"), "'kept' holds another search: the source of More has changed since")
    Path("more_jugs.py").write_text(more)
    monkeypatch.syspath_prepend(folder)
    assert cli("run", "more_jugs:More", *run[2:], "--resume")[0] == 0  # it is the same by another name
    Path("kept_jugs.py").write_text(Path("kept_jugs.py").read_text() + "\n")
    assert_one_line(cli(*run, "--resume"), "the source of the module kept_jugs has changed since")
    for module in ("more_jugs", "kept_jugs"):
        monkeypatch.delitem(sys.modules, module)


def test_an_exploration_and_a_search_are_told_apart(cli: Run) -> None:
    words = ("devil", "--n", 4, "--quiet")
    assert cli("run", *words, "--solver", "search", "--store", "searched")[0] == 0
    assert cli("explore", *words, "--store", "counted")[0] == 0
    assert_one_line(
        cli("explore", *words, "--store", "searched", "--resume"),
        "'searched' holds a search for a plan, and not an exploration; choose another directory",
    )
    assert_one_line(
        cli("run", *words, "--store", "counted", "--resume"),
        "'counted' holds an exploration, and not a search for a plan; choose another directory",
    )


def test_another_belief_is_named(cli: Run) -> None:
    words = ("explore", "reset-word", "--cerny", 4, "--quiet", *KEPT)
    assert cli(*words)[0] == 0
    some = (*words, "--belief", "0 1 2")
    assert_one_line(cli(*some, "--resume"), 'there is no belief, here belief "(')
    coins = ("explore", "nine-tails", "--start", "HTHHHHHTT", "--quiet", "--store", "coins")
    assert cli(*coins)[0] == 0
    code, _, err = cli(*coins, "--blindfold", "--resume")
    assert code == 2
    assert "there is no blindfold, here blindfold; choose" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "wumpus"), "a search for a conditional plan, which wumpus needs, cannot be kept"),
        (("prove", "wumpus"), "a search for a conditional plan"),
        (("run", "gambler"), "a search for a policy"),
        (("run", "tiger", "--horizon", 2), "the solver finite-horizon takes no store"),
        (("run", "tiger", "--solver", "finite-horizon", "--horizon", 2), "the solver finite-horizon takes no store"),
        (("run", "nine-tails", "--all"), "the search of --all is not kept"),
        ((*COINS, "--resume", "--profile", "search.svg"), "--profile is about a whole search"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_made(words: tuple[Any, ...], said: str, cli: Run) -> None:
    assert_one_line(cli(*words, *KEPT), said)
    assert not Path("kept").exists()


def test_a_full_disk_ends_a_search_early(cli: Run, due: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    due()
    with monkeypatch.context() as full:
        full.setattr(store_file, "write_array", no_space)
        code, out, _ = cli(*COINS, *KEPT)
    assert code == 3
    assert "undecided" in out
    assert "there is no space left in 'kept'; make some and resume" in out
    assert cli(*COINS, *KEPT, "--resume")[0] == 0


def test_only_one_process_may_use_a_store(cli: Run) -> None:
    with Store(Path("kept"), {"problem": "mine"}, resume=False):
        before = files(Path("kept"))
        assert_one_line(cli(*COINS, *KEPT), "kept' is in use by process", str(os.getpid()))
        assert files(Path("kept")) == before


def test_a_damaged_snapshot_is_named_and_nothing_is_deleted(cli: Run, due: Callable[..., None]) -> None:
    due(interrupted)
    assert cli(*COINS, *KEPT)[0] == 3
    snapshots = sorted(Path("kept").rglob("*.npy"))
    assert snapshots
    for path in snapshots:
        whole = path.read_bytes()
        path.write_bytes(whole[:-1])
        before = files(Path("kept"))
        assert_one_line(cli(*COINS, *KEPT, "--resume"), path.name, "damaged")
        assert files(Path("kept")) == before
        path.write_bytes(whole)
    assert cli(*COINS, *KEPT, "--resume")[0] == 0


def test_prove_keeps_its_search_from_python(tmp_path: Path, due: Callable[..., None]) -> None:
    place = tmp_path / "kept"
    proof = prove(DevilProblem(n=3), store=place)
    assert prove(DevilProblem(n=3), store=place, resume=True).data == proof.data
    with pytest.raises(StoreError, match="resume"):
        prove(DevilProblem(n=3), store=place, limits=Limits(seconds=60))
    with pytest.raises(BeliefSearchError, match="the answer is there already"):
        prove(DevilProblem(n=3), proof.answer, store=place)
    with pytest.raises(BeliefSearchError, match="say where it is kept"):
        prove(DevilProblem(n=3), resume=True)


def edit(change: Callable[[Any], object]) -> None:
    """Change what a store says, as somebody would who renews its checksum."""
    manifest = Path("kept/manifest.json")
    document = json.loads(manifest.read_text())
    del document["checksum"]
    change(document["state"])
    manifest.write_bytes(manifest_of(document))


@pytest.mark.parametrize("value", [63, [63], [["a", 1]], [[7, 1]], [[[], 1]], {"a": 1}])
def test_arrays_that_are_not_there_are_refused(value: Any, cli: Run, due: Callable[..., None]) -> None:
    due(interrupted)
    assert cli(*COINS, *KEPT)[0] == 3

    def change(state: Any) -> None:
        (kept,) = (search for search in state["searches"].values() if search["grown"])
        kept["grown"] = dict.fromkeys(kept["grown"], value)

    edit(change)
    assert_one_line(cli(*COINS, *KEPT, "--resume"), "kept'", "damaged")


def test_no_result_is_written_over_what_is_kept(cli: Run) -> None:
    kept = ("prove", "devil", "--n", 2, "--solver", "bfs", "--store", "kept", "--quiet")
    assert cli(*kept)[0] == 0
    before = Path("kept/manifest.json").read_bytes()
    Path("there").symlink_to("kept", target_is_directory=True)
    for name in ("kept/manifest.json", "there/beliefsearch.lock", "kept/layers/mine.kept.npy"):
        Path(name).parent.mkdir(exist_ok=True)
        for words in ((*kept, "--certificate"), ("run", *kept[1:], "--output")):
            assert_one_line(cli(*words, name, "--resume"), "is a file of the store itself")
    assert Path("kept/manifest.json").read_bytes() == before
    assert cli(*kept, "--resume", "--certificate", "kept/four.json")[0] == 0
    assert cli("verify", "kept/four.json")[0] == 0
    assert cli(*kept, "--resume")[0] == 0
