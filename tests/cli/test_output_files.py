"""Writing files: whole or not at all, nothing else touched, and every name that the system takes."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from beliefsearch import BeliefSearchError
from beliefsearch.cli.output import check_writable, write_file

from ..answers import assert_one_line
from ..conftest import Run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and pipes as on Unix")


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_planted_link_is_not_followed_into_another_file(folder: Path) -> None:
    (folder / "precious").write_text("mine")
    for name in (".plan.json.part", ".plan.json.tmp", ".beliefsearch-.part"):
        (folder / name).symlink_to("precious")
    before = {path.name for path in folder.iterdir()}
    write_file(folder / "plan.json", "plan")
    assert (folder / "precious").read_text() == "mine"
    assert (folder / "plan.json").read_text() == "plan"
    assert {path.name for path in folder.iterdir()} == {*before, "plan.json"}


def test_what_a_link_points_to_is_written_and_the_link_stays(folder: Path) -> None:
    (folder / "far").mkdir()
    (folder / "far" / "real").write_text("old")
    (folder / "link").symlink_to("far/real")
    (folder / "dangling").symlink_to("far/new")
    for name, target in (("link", "real"), ("dangling", "new")):
        check_writable(folder / name)
        write_file(folder / name, name)
        assert (folder / name).is_symlink()
        assert (folder / "far" / target).read_text() == name
    assert {path.name for path in (folder / "far").iterdir()} == {"real", "new"}


def test_links_that_lead_nowhere_are_told(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "lost").symlink_to("gone/file")
    for name in ("loop", "lost"):
        with pytest.raises(BeliefSearchError, match=name):
            write_file(folder / name, "x")
        assert (folder / name).is_symlink()
    with pytest.raises(BeliefSearchError, match="there is no folder"):
        check_writable(folder / "lost")


@pytest.mark.usefixtures("umask")
def test_permissions_are_kept_and_new_files_obey_the_umask(folder: Path) -> None:
    write_file(folder / "new", "x")
    assert mode(folder / "new") == 0o640
    for wanted in (0o600, 0o666, 0o755):
        (folder / "old").write_text("x")
        (folder / "old").chmod(wanted)
        write_file(folder / "old", "y")
        assert mode(folder / "old") == wanted
        assert (folder / "old").read_text() == "y"


@pytest.mark.parametrize(
    "name",
    ["a" * 255, "ä" * 127, ".hidden", "...", " ", "-x", "a\nb", os.fsdecode(b"\xff\xfe"), os.fsdecode(b"\xe9" * 255)],
)
def test_any_name_that_the_system_takes_will_do(cli: Run, folder: Path, name: str) -> None:
    try:
        (folder / name).touch()
    except OSError:
        pytest.skip("not this system")
    (folder / name).unlink()
    for content in ("one", "two"):
        check_writable(folder / name)
        write_file(folder / name, content)
        assert (folder / name).read_text() == content
    assert [path.name for path in folder.iterdir()] == [name]
    if not name.startswith("-"):
        assert cli("run", "vacuum", "--output", name)[0] == 0
        assert cli("verify", name)[0] == 0


def test_a_name_that_is_too_long_is_told(cli: Run, folder: Path) -> None:
    assert_one_line(cli("run", "vacuum", "--output", "a" * 256), "too long")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, OSError(28, "No space left on device")])
def test_nothing_is_left_if_it_is_broken_off(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    (folder / "plan.json").write_text("old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises((KeyboardInterrupt, SystemExit, BeliefSearchError)):
        write_file(folder / "plan.json", "new")
    assert [path.name for path in folder.iterdir()] == ["plan.json"]
    assert (folder / "plan.json").read_text() == "old"


def test_a_file_is_written_in_place_if_none_can_be_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "plan.json").write_text("old and longer")
    opened = os.open

    def refuse(path: object, flags: int, *mode: int) -> int:
        if flags & os.O_EXCL:
            raise PermissionError(13, "Permission denied")
        return opened(path, flags, *mode)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refuse)
    write_file(folder / "plan.json", "new")
    assert (folder / "plan.json").read_text() == "new"
    with pytest.raises(BeliefSearchError, match="denied"):
        write_file(folder / "other.json", "new")


def test_a_file_of_which_one_may_not_write_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "plan.json").write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(BeliefSearchError, match="denied"):
        write_file(folder / "plan.json", "new")
    assert (folder / "plan.json").read_text() == "old"


def test_pipes_and_devices_are_written_as_they_are(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append((folder / "pipe").read_bytes()))
    reader.start()
    write_file(folder / "pipe", "through")
    reader.join(10)
    assert heard == [b"through"]
    write_file(Path("/dev/null"), "x")
    assert not Path("/dev/null").is_file()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no such name")
@pytest.mark.parametrize("kind", ["pipe", "file", "appended"])
def test_standard_output_can_be_named(folder: Path, kind: str) -> None:
    line = [sys.executable, "-m", "beliefsearch", "run", "vacuum", "--output", "/dev/stdout", "--quiet"]
    (folder / "out").write_text("before\n")
    with (folder / "out").open("ab" if kind == "appended" else "wb") as stream:
        target = subprocess.PIPE if kind == "pipe" else stream
        done = subprocess.run(line, stdout=target, stderr=subprocess.PIPE, text=True, timeout=60, check=True)
    text = done.stdout if kind == "pipe" else (folder / "out").read_text()
    start = "before\n{" if kind == "appended" else "{"
    assert text.startswith(start)
    assert '"version": 1\n}\nvacuum: solved in 4 actions' in text
    assert Path("/dev/stdout").exists()


WRITER = """
import sys
from pathlib import Path
from beliefsearch.cli.output import write_file
for _ in range(200):
    write_file(Path("shared"), sys.argv[1] * 50_000)
"""


def test_of_two_writers_the_file_is_always_one_whole(folder: Path) -> None:
    write_file(folder / "shared", "a" * 50_000)
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, letter]) for letter in "ab"]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        text = (folder / "shared").read_text()
        assert text == text[:1] * 50_000
        seen.add(text[0])
    assert [writer.returncode for writer in writers] == [0, 0]
    assert seen == {"a", "b"}
    assert [path.name for path in folder.iterdir()] == ["shared"]


def test_what_was_just_read_is_not_overwritten(cli: Run, folder: Path) -> None:
    cli("new", "dark-room")
    source = (folder / "dark_room.py").read_text()
    assert_one_line(cli("run", "./dark_room.py", "--output", "dark_room.py"), "choose another name")
    assert (folder / "dark_room.py").read_text() == source
    (folder / "machine.txt").write_text("2 2  1 0  1 1\n")
    before = (folder / "machine.txt").read_text()
    assert cli("run", "reset-word", "--automaton", "machine.txt", "--output", "machine.txt")[0] == 2
    assert (folder / "machine.txt").read_text() == before


def test_no_picture_and_no_table_replaces_the_plan_or_the_puzzle_it_is_about(cli: Run, folder: Path) -> None:
    for puzzle, plan in ((("devil", "--n", 2), "plan.json"), (("monty-hall",), "policy.json")):
        assert cli("run", *puzzle, "--output", plan)[0] == 0
        before = (folder / plan).read_bytes()
        (folder / "link.json").unlink(missing_ok=True)
        (folder / "link.json").symlink_to(plan)
        lines: list[tuple[object, ...]] = [
            *(("export", *puzzle, "--format", form) for form in ("html", "svg", "dot")),
            ("view", *puzzle, "--no-browser"),
            ("simulate", *puzzle, "--games", 2),
        ]
        if puzzle == ("monty-hall",):
            lines.append(("show", *puzzle))
        for line in lines:
            for output in (plan, "link.json"):
                code, out, err = cli(*line, "--plan", plan, "--output", output)
                assert (code, out) == (2, ""), line
                assert "is one of the input files" in err
                assert (folder / plan).read_bytes() == before
    cli("new", "dark-room")
    source = (folder / "dark_room.py").read_text()
    for line in (("simulate",), ("sweep", "--format", "csv")):
        assert cli(line[0], "./dark_room.py", *line[1:], "--output", "dark_room.py", "--squares", 3)[0] == 2
    assert (folder / "dark_room.py").read_text() == source


def test_two_results_do_not_go_to_one_file(cli: Run, folder: Path) -> None:
    (folder / "link.png").symlink_to("one.png")
    for first, second in (("--output", "--profile"), ("--output", "--certificate"), ("--certificate", "--profile")):
        assert_one_line(
            cli("run", "devil", "--n", 2, first, "one.png", second, "link.png"),
            f"{first} and {second} are the same file",
        )
        assert not (folder / "one.png").exists()
    assert cli("run", "devil", "--n", 2, "--output", os.devnull, "--certificate", os.devnull)[0] == 0
