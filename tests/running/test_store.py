"""The directory of a search: what was committed is there, whatever ended the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beliefsearch.errors import StoreError
from beliefsearch.running.limits import LimitReached
from beliefsearch.running.store.directory import Store
from beliefsearch.running.store.npy_files import read_array, write_array

from .stores import NUMBERS, SUBJECT, files


def test_what_was_committed_is_there_again(place: Path) -> None:
    with Store(place, SUBJECT, resume=True) as store:
        assert store.state == {"depth": 0}
        assert store.read("layers/0000").tolist() == NUMBERS.tolist()
        mapped = read_array(store.path("layers/0000"), mapped=True)
        assert mapped.tolist() == NUMBERS.tolist()
        assert not mapped.flags.writeable


@pytest.mark.parametrize("resume", [False, True])
def test_a_store_begins_in_a_missing_and_in_an_empty_directory(tmp_path: Path, resume: bool) -> None:
    for place in (tmp_path, tmp_path / "a" / "b"):
        with Store(place, SUBJECT, resume=resume) as store:
            assert store.state is None


@pytest.mark.parametrize("array", [NUMBERS.reshape(5, 2), NUMBERS[:0], np.array([[True]]), np.float64(3) * NUMBERS])
def test_arrays_of_all_kinds_are_kept(tmp_path: Path, array: Any) -> None:
    with Store(tmp_path, SUBJECT, resume=False) as store:
        store.write("a", array)
        store.commit({}, ["a"])
    with Store(tmp_path, SUBJECT, resume=True) as store:
        for mapped in (False, True):
            found = read_array(store.path("a"), mapped=mapped)
            assert (found.dtype, found.shape, found.tolist()) == (array.dtype, array.shape, array.tolist())


def test_of_a_store_in_which_nothing_was_committed_nothing_is_left(tmp_path: Path) -> None:
    for place in (tmp_path / "a" / "b", tmp_path):
        with Store(place, SUBJECT, resume=False) as store:
            store.write("layers/0000", NUMBERS)
        assert [*tmp_path.iterdir()] == []


def test_what_the_commit_does_not_keep_is_deleted_and_other_peoples_notes_are_not(place: Path) -> None:
    (place / "notes.txt").write_text("mine")
    (place / "mine").mkdir()
    others = ["layers/0009.npy", "mine/thesis.npy", "notes.txt", "results-1.npy"]
    for name in (others[0], others[1], others[3]):
        np.save(place / name, NUMBERS)
    with Store(place, SUBJECT, resume=True) as store:
        store.write("layers/0001", NUMBERS)
        store.write("layers/0002", NUMBERS)
        store.commit({"depth": 1}, ["layers/0001"])
        assert files(place) == sorted(["beliefsearch.lock", "layers/0001.kept.npy", "manifest.json", *others])


def test_what_was_not_committed_is_gone_after_a_kill(place: Path) -> None:
    program = f"""
import os, signal, sys
import numpy as np
from pathlib import Path
from beliefsearch.running.store.directory import Store
store = Store(Path({str(place)!r}), {SUBJECT!r}, resume=True)
store.write("layers/0001", np.arange(5))
(store.path("layers/0002").parent / ("0002.kept.npy." + "0" * 16 + ".part")).write_bytes(b"half")
(store.directory / ("manifest.json." + "0" * 16 + ".part")).write_bytes(b"half")
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == -signal.SIGKILL
    assert len(files(place)) == 6
    with Store(place, SUBJECT, resume=True) as store:
        assert store.state == {"depth": 0}
        assert files(place) == ["beliefsearch.lock", "layers/0000.kept.npy", "manifest.json"]


def test_an_interrupted_replacement_loses_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(folder: Path) -> None:
        if '"depth":1' in (place / "manifest.json").read_text():  # which the store does not know yet
            raise KeyboardInterrupt

    with Store(place, SUBJECT, resume=True) as store:
        store.write("layers/0001", NUMBERS[:3])
        monkeypatch.setattr("beliefsearch.running.store.directory._make_last", interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.commit({"depth": 1}, ["layers/0001"])
        monkeypatch.undo()
        assert store.read("layers/0000").tolist() == NUMBERS.tolist()
    with Store(place, SUBJECT, resume=True) as store:
        assert store.state == {"depth": 1}
        assert store.read("layers/0001").tolist() == NUMBERS[:3].tolist()
        assert not (place / "layers" / "0000.kept.npy").exists()


def test_a_committed_array_is_not_written_over(place: Path) -> None:
    with Store(place, SUBJECT, resume=True) as store:
        with pytest.raises(ValueError, match="was committed"):
            store.write("layers/0000", NUMBERS)
        assert store.read("layers/0000").tolist() == NUMBERS.tolist()


def test_a_search_goes_on_only_if_that_is_asked_for(place: Path) -> None:
    with pytest.raises(StoreError, match=r"holds a search of devil; add resume"):
        Store(place, SUBJECT, resume=False)
    Store(place, SUBJECT, resume=True).close()  # the lock was let go


def test_a_store_killed_before_its_first_manifest_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "beliefsearch.lock").touch()
    (tmp_path / f"manifest.json.{'0' * 16}.part").write_text('{"for')
    with Store(tmp_path, SUBJECT, resume=True) as store:
        assert store.state is None
        assert files(tmp_path) == ["beliefsearch.lock", "manifest.json"]


def test_a_place_where_no_directory_can_be_made_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "under"):
        with pytest.raises(StoreError, match=r"cannot use .* as a store: a file is where there"):
            Store(place, SUBJECT, resume=False)

    def refuse(*arguments: Any, **options: Any) -> None:
        raise OSError(30, "Read-only file system")

    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StoreError, match="Read-only file system"):
        Store(tmp_path / "empty", SUBJECT, resume=False)


def test_a_full_disk_is_a_limit_and_loses_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    with Store(place, SUBJECT, resume=True) as store:
        store.write("layers/0001", NUMBERS)
        monkeypatch.setattr("numpy.lib.format.write_array_header_1_0", full)
        with pytest.raises(LimitReached, match=r"there is no space left in .*; make some and resume"):
            store.write("layers/0002", NUMBERS)
        monkeypatch.undo()
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(LimitReached, match="no space left"):
            store.commit({"depth": 1}, ["layers/0001"])
        assert store.state == {"depth": 0}
        assert "layers/0000.kept.npy" in files(place)
        monkeypatch.undo()
        store.commit({"depth": 1}, ["layers/0001"])
    with Store(place, SUBJECT, resume=True) as store:
        assert store.state == {"depth": 1}
        assert files(place) == ["beliefsearch.lock", "layers/0001.kept.npy", "manifest.json"]


def test_a_commit_takes_arrays_that_others_wrote_and_refuses_those_that_nobody_wrote(place: Path) -> None:
    with Store(place, SUBJECT, resume=True) as store:
        write_array(store.path("layers/0001"), NUMBERS)
        store.commit({"depth": 1}, ["layers/0001"])
        with pytest.raises(StoreError, match=r"0002\.kept\.npy': it is lacking"):
            store.commit({"depth": 2}, ["layers/0002"])
        assert store.read("layers/0001").tolist() == NUMBERS.tolist()


WRITER = """
import sys
import numpy as np
from pathlib import Path
from beliefsearch.running.store.directory import Store
with Store(Path(sys.argv[1]), {"problem": "squares"}, resume=True) as store:
    turn = 0 if store.state is None else store.state["turn"]
    print("open", flush=True)
    while True:
        turn += 1
        for part in range(3):
            store.write(f"turns/{turn:06}-{part}", np.full(100 * turn % 977, turn))
        store.commit({"turn": turn}, [f"turns/{turn:06}-{part}" for part in range(3)])
"""


def test_killed_at_any_moment_it_is_as_after_a_commit(tmp_path: Path) -> None:
    place, seen, random, kills = tmp_path / "kept", -1, np.random.default_rng(5), 0
    while kills < 3 or (seen < 1 and kills < 30):  # on a busy machine the first may come before all commits
        kills += 1
        with subprocess.Popen([sys.executable, "-c", WRITER, str(place)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
            time.sleep(random.uniform(0, 0.05))
            writer.kill()
        with Store(place, {"problem": "squares"}, resume=True) as store:
            turn = 0 if store.state is None else store.state["turn"]
            assert turn >= seen
            for part in range(3 if turn else 0):
                assert store.read(f"turns/{turn:06}-{part}").tolist() == [turn] * (100 * turn % 977)
            assert len(files(place)) == 2 + 3 * (turn > 0)
        seen = turn
    assert seen > 0


def test_where_nothing_was_committed_nothing_is_left_even_by_who_was_killed(tmp_path: Path) -> None:
    place = tmp_path / "a" / "kept"
    with Store(place, SUBJECT, resume=False):
        (place / "layers").mkdir()  # as a process that is killed now leaves it
        (place / "layers" / "0000.kept.npy").write_bytes(b"half of it")
    assert files(tmp_path) == [] == os.listdir(tmp_path)
    with Store(place, SUBJECT, resume=False):
        (place / "mine.txt").write_text("mine")
    assert "manifest.json" in files(place)
    with Store(place, SUBJECT, resume=True) as store:
        assert store.state is None
