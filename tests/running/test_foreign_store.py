"""A store that was damaged, or made by somebody else, or with files of others: nothing is run, read or deleted."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beliefsearch.errors import StoreError
from beliefsearch.running.store.directory import Store
from beliefsearch.running.store.npy_files import read_array

from .stores import NUMBERS, SUBJECT, edit, files


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


def test_a_header_in_which_something_is_missing_is_damage(tmp_path: Path) -> None:
    """NumPy's reader takes it for Python, and stops with an error of the tokenizer."""
    file = tmp_path / "rows.npy"
    np.save(file, np.arange(5))
    whole = file.read_bytes()
    for begin in range(10, 60):
        file.write_bytes(whole[:begin] + whole[begin + 10 :])
        with pytest.raises(StoreError, match="is damaged"):
            read_array(file)


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
    shapes = ["(1152921504606846976,)", "(4294967296, 4294967296)", "(" * 400 + ")" * 400]
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


def test_the_directory_itself_may_be_a_link(place: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(place)
    with Store(tmp_path / "link", SUBJECT, resume=True) as store:
        assert store.state == {"depth": 0}


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", "[" * 100_000, "9" * 10_000])
def test_a_manifest_that_is_none_is_refused(place: Path, text: str) -> None:
    (place / "manifest.json").write_text(text)
    with pytest.raises(StoreError, match="damaged"):
        Store(place, SUBJECT, resume=True)
    assert "layers/0000.kept.npy" in files(place)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
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


def test_a_directory_with_another_manifest_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "my extension"}')
    for others in (["manifest.json"], ["beliefsearch.lock", "manifest.json"]):
        with pytest.raises(StoreError, match="no manifest of a store"):
            Store(tmp_path, SUBJECT, resume=True)
        assert files(tmp_path) == others
        (tmp_path / "beliefsearch.lock").write_text("mine")
    assert (tmp_path / "beliefsearch.lock").read_text() == "mine"
