"""The lock of a store: held by one process at a time, and let go by everybody."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from beliefsearch.errors import StoreError
from beliefsearch.running.limits import LimitReached
from beliefsearch.running.store import lock as store_lock
from beliefsearch.running.store.directory import Store
from beliefsearch.running.store.lock import DirectoryLock

from .stores import NUMBERS, SUBJECT


def test_two_processes_are_told_apart_by_the_lock(place: Path) -> None:
    program = f"""
import sys
from pathlib import Path
from beliefsearch.running.limits import LimitReached
from beliefsearch.running.store.directory import Store
from beliefsearch.running.store.lock import DirectoryLock
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


@pytest.mark.parametrize("content", ["", "\0" * 40, '{"pid": 1, "host": "a"}'])
def test_a_lock_that_a_failure_left_is_taken(place: Path, content: str) -> None:
    (place / "beliefsearch.lock").write_text(content)
    with Store(place, SUBJECT, resume=True):
        assert json.loads((place / "beliefsearch.lock").read_text())["pid"] == os.getpid()


def test_a_lock_ended_by_a_signal_is_finalised_in_silence(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)
    lock = DirectoryLock.__new__(DirectoryLock)  # as if a signal had come at the first line of __init__
    del lock
    assert not said
    DirectoryLock(place).acquire()  # nobody has it, so it is released
    Store(place, SUBJECT, resume=True).close()


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


def _stop(*_: object) -> None:
    raise LimitReached("the time is over")


@pytest.mark.parametrize("moment", ["socket.gethostname", "os.fstat", "json.dumps"])
def test_whoever_is_stopped_at_the_lock_has_it_not(place: Path, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    with monkeypatch.context() as stopped:
        stopped.setattr(f"beliefsearch.running.store.lock.{moment}", _stop)
        lock = DirectoryLock(place)
        with pytest.raises(LimitReached):
            lock.acquire()
    Store(place, SUBJECT, resume=True).close()


def test_whoever_is_stopped_while_closing_a_store_lets_go_of_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(place, SUBJECT, resume=True)
    with monkeypatch.context() as stopped:
        stopped.setattr(Store, "_sweep", _stop)
        with pytest.raises(LimitReached):
            store.close()
    Store(place, SUBJECT, resume=True).close()


def test_a_lock_is_let_go_of_once_even_if_that_is_interrupted(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []

    def close(file: int) -> None:
        closed.append(file)
        _stop()

    lock = DirectoryLock(place)
    lock.acquire()
    with monkeypatch.context() as interrupted:
        interrupted.setattr("beliefsearch.running.store.lock.os.close", close)
        with pytest.raises(LimitReached):
            lock.release()
        lock.release()
    assert len(closed) == 1
    os.close(closed[0])
