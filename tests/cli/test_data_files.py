"""Data files of problems: which are read, which a plan file may name, and when they have changed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.plugins.data_files import MOST_BYTES
from beliefsearch.tools import read_data_file

from ..answers import assert_one_line, stdout_alone
from ..conftest import Run
from ..toys import toy

CERNY_4 = "2 4\n1 0\n2 1\n3 2\n0 0\n"
"""By Cerny 1964 its shortest reset word has 9 letters."""


@pytest.fixture
def machine(folder: Path) -> Path:
    """A machine in the current folder, and a plan for it beside it."""
    (folder / "machine.txt").write_text(CERNY_4)
    return folder / "machine.txt"


@pytest.fixture
def plan(cli: Run, folder: Path, machine: Path) -> dict[str, Any]:
    assert cli("run", "reset-word", "--automaton", "machine.txt", "--output", "plan.json")[0] == 0
    data: dict[str, Any] = json.loads((folder / "plan.json").read_text())
    return data


def save(folder: Path, plan: dict[str, Any], name: str, path: str, **changes: Any) -> None:
    parameters = {**plan["parameters"], "automaton": path}
    (folder / name).write_text(json.dumps({**plan, "parameters": parameters, **changes}))


def test_the_plan_file_records_what_was_in_the_data_file(cli: Run, machine: Path, plan: dict[str, Any]) -> None:
    assert plan["parameters"]["automaton"] == "machine.txt"
    assert plan["data_files"] == {"automaton": hashlib.sha256(CERNY_4.encode()).hexdigest()}
    assert plan["version"] == 1
    assert "9 actions win from all 4 starts" in stdout_alone(cli("verify", "plan.json"))


def test_it_is_found_beside_the_plan_file_from_anywhere(
    cli: Run, folder: Path, plan: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert cli("verify", "../plan.json")[0] == 0
    Path("machine.txt").write_text("not this one")
    assert cli("verify", "../plan.json")[0] == 0


@pytest.mark.parametrize("kind", ["--output", "--certificate"])
def test_a_plan_written_elsewhere_names_a_data_file_below_it_from_there(
    cli: Run, folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "data").mkdir()
    (folder / "work").mkdir()
    (folder / "data" / "machine.txt").write_text(CERNY_4)
    monkeypatch.chdir(folder / "work")
    words = ("run", "reset-word", "--automaton", "../data/machine.txt", kind, "../plan.json")
    assert cli(*words)[0] == 0
    assert json.loads((folder / "plan.json").read_text())["parameters"]["automaton"] == "data/machine.txt"
    assert cli("verify", "../plan.json")[0] == 0


def test_a_changed_data_file_is_told_apart_from_a_wrong_plan(cli: Run, machine: Path, plan: dict[str, Any]) -> None:
    machine.write_text(CERNY_4.replace("3 2", "2 2"))
    assert_one_line(cli("verify", "plan.json"), "the file machine.txt has changed since the plan was made")
    words = ("reset-word", "--automaton", "machine.txt", "--plan", "plan.json")
    assert_one_line(cli("show", *words), "the file machine.txt has changed since the plan was made")
    assert_one_line(cli("simulate", *words), "has changed")


def test_a_file_of_old_which_has_no_hash_is_still_verified(cli: Run, folder: Path, plan: dict[str, Any]) -> None:
    del plan["data_files"]
    (folder / "old.json").write_text(json.dumps(plan))
    assert cli("verify", "old.json")[0] == 0
    assert cli("show", "reset-word", "--automaton", "machine.txt", "--plan", "old.json")[0] == 0


@pytest.mark.parametrize("field", [[], {"automaton": 1}, {"automaton": "abc"}, {"automaton": "G" * 64}, "x"])
def test_a_field_without_hashes_is_refused(cli: Run, folder: Path, plan: dict[str, Any], field: object) -> None:
    (folder / "plan.json").write_text(json.dumps({**plan, "data_files": field}))
    assert_one_line(cli("verify", "plan.json"), "data_files")


@pytest.mark.parametrize(
    "path",
    [
        "../machine.txt",
        "{outside}/machine.txt",
        "sub/../../machine.txt",
        "link.txt",
        "linked/machine.txt",
        "sub/far.txt",
    ],
)
@pytest.mark.parametrize("has_hash", [True, False])
def test_a_plan_file_stays_in_its_folder(
    cli: Run, folder: Path, plan: dict[str, Any], path: str, has_hash: bool
) -> None:
    inside = folder / "inside"
    (inside / "sub").mkdir(parents=True)
    (inside / "link.txt").symlink_to(folder / "machine.txt")
    (inside / "sub" / "far.txt").symlink_to("../../machine.txt")
    (inside / "linked").symlink_to(folder)
    if not has_hash:
        del plan["data_files"]
    save(inside, plan, "plan.json", path.format(outside=folder))
    assert_one_line(cli("verify", "inside/plan.json"), "--data automaton=", "does not lie beside it or below")
    # The user may name it.
    assert cli("verify", "inside/plan.json", "--data", "automaton=machine.txt")[0] == 0
    assert cli("verify", "inside/plan.json", "--data", f"--automaton={folder}/machine.txt")[0] == 0


def test_links_within_the_folder_are_followed(cli: Run, folder: Path, plan: dict[str, Any]) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "link.txt").symlink_to("../machine.txt")
    save(folder, plan, "linked.json", "sub/link.txt")
    assert cli("verify", "linked.json")[0] == 0


@pytest.mark.parametrize("path", ["gone.txt", "", ".", "machine.txt/", "a\0b", "loop"])
def test_a_name_of_no_file_is_told_in_one_line(cli: Run, folder: Path, plan: dict[str, Any], path: str) -> None:
    (folder / "loop").symlink_to("loop")
    save(folder, plan, "bad.json", path)
    if path != "machine.txt/":  # which Python takes for the file
        assert_one_line(cli("verify", "bad.json"), "bad.json")
    del plan["data_files"]
    save(folder, plan, "bad.json", path)
    assert cli("verify", "bad.json")[0] == (0 if path == "machine.txt/" else 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--data", "automaton"), "automaton=../machine.txt"),
        (("--data", "=x"), "=x"),
        (("--data", "letters=machine.txt"), "'letters'"),
        (("--data", "automaton=gone.txt"), "gone.txt"),
        (("--data", "automaton=other.txt"), "the file other.txt has changed"),
    ],
)
def test_a_data_file_that_the_user_names_wrongly(
    cli: Run, folder: Path, plan: dict[str, Any], words: tuple[str, ...], said: str
) -> None:
    (folder / "other.txt").write_text(CERNY_4 + "\n")
    assert_one_line(cli("verify", "plan.json", *words), said)


def make(kind: str, path: Path) -> Path:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        return Path("/dev/zero")
    elif kind == "too large":
        with path.open("wb") as stream:
            stream.truncate(MOST_BYTES + 1)
    return path


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
@pytest.mark.parametrize(
    ("kind", "said"),
    [("pipe", "a pipe"), ("folder", "a folder"), ("device", "a device"), ("too large", "4 MiB (4,194,304 bytes)")],
)
@pytest.mark.parametrize("puzzle", ["reset-word --automaton", "lost-robot --map", "./toy.py --where"])
def test_what_is_no_ordinary_file_is_refused(cli: Run, folder: Path, kind: str, said: str, puzzle: str) -> None:
    (folder / "toy.py").write_text(TOY)
    path = make(kind, folder / "data")
    assert_one_line(cli("run", *puzzle.split(), path), said, str(path))
    with pytest.raises(ValueError, match="cannot read"):
        read_data_file(path)
    if kind != "device" and puzzle.startswith("reset"):
        document = {"problem": "reset-word", "parameters": {"automaton": "data"}, "plan": [], "version": 1}
        (folder / "plan.json").write_text(json.dumps(document))
        assert_one_line(cli("verify", "plan.json"), said)


def test_a_device_costs_no_memory(folder: Path) -> None:
    limited = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)); "
    code = limited + "from beliefsearch.cli import main; main(['run', 'reset-word', '--automaton', '/dev/zero'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "/dev/zero" in done.stderr


def test_the_size_that_is_allowed_is_read_and_told(cli: Run, folder: Path) -> None:
    text = "x" * MOST_BYTES
    (folder / "large.txt").write_text(text)
    assert read_data_file(folder / "large.txt") == text
    assert "4 MiB" in cli("verify", "--help")[1]
    assert "4 MiB" in " ".join(cli("run", "reset-word", "--help")[1].split())


def test_text_is_read_whatever_ends_its_lines_and_other_bytes_are_refused(folder: Path) -> None:
    (folder / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read_data_file(folder / "a.txt") == "one\ntwo\nthree\n"
    (folder / "b.txt").write_bytes(b"ab\xff")
    with pytest.raises(ValueError, match=r"b\.txt.*byte 2.*UTF-8"):
        read_data_file(folder / "b.txt")


TOY = toy("toy")
