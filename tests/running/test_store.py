"""The directory of a search: killed, damaged, foreign, locked or malicious."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beliefsearch.errors import StoreError
from beliefsearch.running import store_lock
from beliefsearch.running.array_files import read_array, write_array
from beliefsearch.running.limits import LimitReached
from beliefsearch.running.store import Store, manifest_of

SUBJECT = {"problem": "devil", "parameters": {"n": 4}, "command": "explore"}
NUMBERS = np.arange(10, dtype=np.uint64)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store with one committed array."""
    with Store(tmp_path / "kept", SUBJECT, resume=False) as store:
        store.write("layers/0000", NUMBERS)
        store.commit({"depth": 0}, ["layers/0000"])
    return tmp_path / "kept"


def files(place: Path) -> list[str]:
    return sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())


def edit(place: Path, **changes: Any) -> None:
    manifest = place / "manifest.json"
    document = {**json.loads(manifest.read_text()), **changes}
    del document["checksum"]
    manifest.write_bytes(manifest_of(document))


def test_what_was_committed_is_there_again(place: Path) -> None:
    with Store(place, SUBJECT, resume=True) as store:
        assert store.state == {"depth": 0}
        assert store.read("layers/0000").tolist() == NUMBERS.tolist()
        mapped = store.read("layers/0000", mapped=True)
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
            found = store.read("a", mapped=mapped)
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
from beliefsearch.running.store import Store
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


def test_an_interruption_as_the_manifest_is_replaced_loses_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(folder: Path) -> None:
        if '"depth":1' in (place / "manifest.json").read_text():  # which the store does not know yet
            raise KeyboardInterrupt

    with Store(place, SUBJECT, resume=True) as store:
        store.write("layers/0001", NUMBERS[:3])
        monkeypatch.setattr("beliefsearch.running.store._make_last", interrupt)
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
    with pytest.raises(StoreError, match=r"holds a search of devil; add --resume"):
        Store(place, SUBJECT, resume=False)
    Store(place, SUBJECT, resume=True).close()  # the lock was let go


def test_another_search_is_refused_and_the_difference_named(place: Path) -> None:
    before = files(place)
    with pytest.raises(StoreError, match=r"there parameters\.n is 4, here 5"):
        Store(place, {**SUBJECT, "parameters": {"n": 5}}, resume=True)
    with pytest.raises(StoreError, match=r"there solver is null, here astar"):
        Store(place, {**SUBJECT, "solver": "astar"}, resume=True)
    assert files(place) == before


def test_a_directory_with_other_files_is_refused_and_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("all of it")
    with pytest.raises(StoreError, match=r"no store, and not empty: it holds 'thesis\.tex'"):
        Store(tmp_path, SUBJECT, resume=True)
    assert files(tmp_path) == ["thesis.tex"]


def test_a_store_killed_before_its_first_manifest_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "beliefsearch.lock").touch()
    (tmp_path / f"manifest.json.{'0' * 16}.part").write_text('{"for')
    with Store(tmp_path, SUBJECT, resume=True) as store:
        assert store.state is None
        assert files(tmp_path) == ["beliefsearch.lock", "manifest.json"]


def test_two_processes_are_told_apart_by_the_lock(place: Path) -> None:
    program = f"""
import sys
from pathlib import Path
from beliefsearch.running.store import Store
with Store(Path({str(place)!r}), {SUBJECT!r}, resume=True) as store:
    print("open", flush=True)
    sys.stdin.read()
"""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(StoreError, match=rf"in use by process {other.pid} on {os.uname().nodename}; wait"):
            Store(place, SUBJECT, resume=True)
        other.kill()
        other.wait()
    Store(place, SUBJECT, resume=True).close()  # a lock ends with its process


def test_what_a_lock_file_says_is_not_trusted(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_lock, "_locked", lambda file: False)
    for said, shown in (
        (b"\x1b[2J", "another process"),
        (b'{"pid": 1, "host": "a\\u001b\\nb"}', r"process 1 on a\\x1b\\nb"),
        (b"[" * 900, "another process"),
    ):
        (place / "beliefsearch.lock").write_bytes(said)
        with pytest.raises(StoreError, match=f"in use by {shown}; wait"):
            Store(place, SUBJECT, resume=True)


@pytest.mark.parametrize("damage", ["cut", "longer", "empty", "gone", "other kind", "text", "fortran", "objects"])
def test_a_damaged_array_is_named_when_the_store_is_opened(place: Path, damage: str) -> None:
    file = place / "layers" / "0000.kept.npy"
    whole = file.read_bytes()
    if damage == "gone":
        file.unlink()
    elif damage == "other kind":
        np.save(file, NUMBERS.astype(np.int64))
    elif damage == "fortran":
        np.save(file, np.asfortranarray(NUMBERS.reshape(5, 2)))
    elif damage == "objects":
        np.save(file, np.array([object, {}], dtype=object), allow_pickle=True)
    else:
        file.write_bytes({"cut": whole[:-1], "longer": whole + b"x", "empty": b"", "text": b"hello"}[damage])
    with pytest.raises(StoreError, match=r"0000\.kept\.npy"):
        Store(place, SUBJECT, resume=True)


class Bomb:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (self.path, "ran")


def test_nothing_in_a_store_is_run(place: Path, tmp_path: Path) -> None:
    bomb = pickle.dumps(Bomb(tmp_path / "trace"))
    for content in (
        bomb,
        b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}".ljust(118),
    ):
        (place / "layers" / "0000.kept.npy").write_bytes(content + bomb)
        with pytest.raises(StoreError, match="damaged"):
            Store(place, SUBJECT, resume=True)
    assert not (tmp_path / "trace").exists()


def test_a_huge_shape_allocates_nothing(place: Path) -> None:
    shapes = ["(1152921504606846976,)", "(4294967296, 4294967296)", "(-1,)", "(" * 400 + ")" * 400]
    shapes += ["(0, 1000000000000000000000000000000)", "(0, 1152921504606846976)", f"({'1,' * 90})", f"(0,{'1,' * 90})"]
    for shape in shapes:
        header = f"{{'descr': '<u8', 'fortran_order': False, 'shape': {shape}, }}".ljust(1009) + "\n"
        file = place / "layers" / "0000.kept.npy"
        file.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        edit(place, files={"layers/0000": ["<u8", 1152921504606846976]})
        with pytest.raises(StoreError, match="damaged"):
            Store(place, SUBJECT, resume=True)
        with pytest.raises(StoreError, match="damaged"):
            read_array(file)


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/passwd", "layers/../../outside", "a/b/c", "", ".", "a\n", "A", "a\0", "\u0661", "-a"]
)
def test_a_name_does_not_lead_out_of_the_directory(place: Path, tmp_path: Path, name: str) -> None:
    np.save(tmp_path / "outside.kept.npy", NUMBERS)
    edit(place, files={name: ["<u8", 10]})
    with pytest.raises(StoreError, match="no name of a file"):
        Store(place, SUBJECT, resume=True)
    assert (tmp_path / "outside.kept.npy").exists()


def test_links_in_a_store_are_not_followed(place: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "0000.kept.npy", NUMBERS)
    np.save(tmp_path / "0007.kept.npy", NUMBERS)
    (place / "layers" / "0000.kept.npy").unlink()
    (place / "layers" / "0000.kept.npy").symlink_to(tmp_path / "0000.kept.npy")
    with pytest.raises(StoreError, match="symbolic link"):
        Store(place, SUBJECT, resume=True)
    (place / "layers" / "0000.kept.npy").unlink()
    (place / "layers").rmdir()
    (place / "layers").symlink_to(tmp_path)
    with pytest.raises(StoreError, match="symbolic link"):
        Store(place, SUBJECT, resume=True)
    edit(place, files={})
    Store(place, SUBJECT, resume=True).close()  # what is left over is deleted, but not behind a link
    assert (tmp_path / "0007.kept.npy").exists()
    for name in ("beliefsearch.lock", "manifest.json"):
        (place / name).rename(tmp_path / name)
        (place / name).symlink_to(tmp_path / name)
        with pytest.raises(StoreError, match="symbolic link"):
            Store(place, SUBJECT, resume=True)
        (place / name).unlink()
        (tmp_path / name).rename(place / name)


def test_the_directory_itself_may_be_a_link(place: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(place)
    with Store(tmp_path / "link", SUBJECT, resume=True) as store:
        assert store.state == {"depth": 0}


def test_a_pipe_in_place_of_a_file_is_refused(place: Path) -> None:
    (place / "manifest.json").unlink()
    os.mkfifo(place / "manifest.json")
    with pytest.raises(StoreError, match="no ordinary file"):
        Store(place, SUBJECT, resume=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        "9" * 10_000,
    ],
)
def test_a_manifest_that_is_none_is_refused(place: Path, text: str) -> None:
    (place / "manifest.json").write_text(text)
    with pytest.raises(StoreError, match="damaged"):
        Store(place, SUBJECT, resume=True)
    assert "layers/0000.kept.npy" in files(place)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"subject": []}, "damaged"),
        ({"state": 3}, "damaged"),
        ({"files": {"a": 3}}, "damaged"),
        ({"files": {"a": ["<u8", float("inf")]}}, "damaged"),
        ({"version": 1}, "another version"),
    ],
)
def test_a_manifest_that_says_what_none_says_is_refused(place: Path, changes: dict[str, Any], said: str) -> None:
    edit(place, **changes)
    with pytest.raises(StoreError, match=said):
        Store(place, SUBJECT, resume=True)
    assert "layers/0000.kept.npy" in files(place)


def test_every_bit_of_a_manifest_counts(place: Path) -> None:
    manifest = place / "manifest.json"
    whole = manifest.read_bytes()
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        manifest.write_bytes(damaged)
        with pytest.raises(StoreError):
            Store(place, SUBJECT, resume=True)
    manifest.write_bytes(whole)
    Store(place, SUBJECT, resume=True).close()


def test_what_another_store_says_is_shown_without_control_characters(place: Path) -> None:
    edit(place, subject={"problem": "\x1b[2J\n", "\x07": 1})
    with pytest.raises(StoreError) as caught:
        Store(place, SUBJECT, resume=True)
    assert str(caught.value).isprintable()


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
        with pytest.raises(LimitReached, match=r"there is no space left in .*; make some and go on with --resume"):
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
from beliefsearch.running.store import Store
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
    place, seen, random = tmp_path / "kept", -1, np.random.default_rng(5)
    for _ in range(3):
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


def test_a_lock_that_is_somebody_elses_file_is_not_touched(tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("all of it")
    (tmp_path / "place").mkdir()
    lock = tmp_path / "place" / "beliefsearch.lock"
    os.link(precious, lock)
    for content in ("all of it", "", '{"pid": 1, "host": "a"}'):
        precious.write_text(content)
        with pytest.raises(StoreError, match="no lock of this program"):
            Store(tmp_path / "place", SUBJECT, resume=True)
        assert precious.read_text() == content
    precious.unlink()
    for content in ("mine", "[]", '{"pid": 1}', "{}" + " " * 2000):
        lock.write_text(content)
        with pytest.raises(StoreError, match="no lock of this program"):
            Store(tmp_path / "place", SUBJECT, resume=True)
        assert lock.read_text() == content
    assert files(tmp_path) == ["place/beliefsearch.lock"]


@pytest.mark.parametrize("content", ["", "\0" * 40, '{"pid": 1, "host": "a"}'])
def test_a_lock_that_a_failure_left_is_taken(place: Path, content: str) -> None:
    (place / "beliefsearch.lock").write_text(content)
    with Store(place, SUBJECT, resume=True):
        assert json.loads((place / "beliefsearch.lock").read_text())["pid"] == os.getpid()


def test_a_directory_with_another_manifest_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "my extension"}')
    for others in (["manifest.json"], ["beliefsearch.lock", "manifest.json"]):
        with pytest.raises(StoreError, match="no manifest of a store"):
            Store(tmp_path, SUBJECT, resume=True)
        assert files(tmp_path) == others
        (tmp_path / "beliefsearch.lock").write_text("mine")
    assert (tmp_path / "beliefsearch.lock").read_text() == "mine"


def test_a_link_that_leads_nowhere_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").symlink_to("nowhere")
    np.save(tmp_path / "data.npy", NUMBERS)
    with pytest.raises(StoreError, match="symbolic link"):
        Store(tmp_path, SUBJECT, resume=False)
    assert sorted(os.listdir(tmp_path)) == ["data.npy", "manifest.json"]


def test_who_lost_the_lock_neither_writes_nor_deletes(place: Path) -> None:
    with Store(place, SUBJECT, resume=True) as first:
        first.write("layers/0001", NUMBERS)
        (place / "beliefsearch.lock").unlink()
        with Store(place, SUBJECT, resume=True) as second:
            second.write("layers/0002", NUMBERS)
            with pytest.raises(StoreError, match="was deleted or replaced"):
                first.write("layers/0002", NUMBERS[:3])
            with pytest.raises(StoreError, match="was deleted or replaced"):
                first.commit({"depth": 1}, [])
            first.close()
            second.commit({"depth": 2}, ["layers/0002"])
    with Store(place, SUBJECT, resume=True) as store:
        assert store.state == {"depth": 2}
        assert store.read("layers/0002").tolist() == NUMBERS.tolist()


@pytest.mark.parametrize("shape", [f"0, {10**30}", f"{10**30}, 0", "0, " * 40, f"{2**61}, 0, 4"])
def test_an_empty_array_of_a_shape_that_no_array_has_is_refused(shape: str, tmp_path: Path) -> None:
    text = f"{{'descr': '<u8', 'fortran_order': False, 'shape': ({shape}), }}\n".encode()
    (tmp_path / "wrong.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text)
    with pytest.raises(StoreError, match="does not begin like an array"):
        read_array(tmp_path / "wrong.npy")
