"""More ways to run the command line: as a process of its own, and with what it printed read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from ..answers import write_json
from ..conftest import Run
from ..toys import method, toy
from .processes import NO_FILE, Result, starter

Filed: TypeAlias = Callable[..., dict[str, Any]]
RunJson: TypeAlias = Callable[..., tuple[int, Any]]

# Runs commands, and says after each on a line of standard output which modules are loaded.
_AND_TELL_MODULES = """
import json, sys
from beliefsearch.cli import main
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as end:
        print("\\nMODULES", json.dumps([end.code, sorted(sys.modules)]))
"""


# What these commands load, all commands that limits stop find loaded.
_LIMITED = (
    NO_FILE,
    ("run", "reset-word", "--cerny", "2", "--quiet"),
    ("show", "devil", "--n", "2"),
    ("simulate", "devil", "--n", "2", "--games", "1"),
)


@contextmanager
def started(folder: Path, warm: Sequence[Sequence[str]]) -> Iterator[Callable[..., Result]]:
    """Runs commands in the current folder and in processes of their own; `warm` as for `starter`, where that can be."""
    if hasattr(os, "fork"):
        with starter(folder, warm=warm) as forks:
            yield forks
        return

    def run(*words: str) -> Result:
        line = [sys.executable, "-m", "beliefsearch", *words]
        return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)

    yield run


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Result]]:
    """Run a command in the current folder and in a process of its own."""
    with started(tmp_path_factory.mktemp("starter"), _LIMITED) as run:
        yield run


@pytest.fixture
def process(folder: Path, start: Callable[..., Result]) -> Run:
    """Run a command in a fresh folder and in a process of its own: exit code, standard output, standard error."""

    def run(*words: object) -> tuple[int, str, str]:
        done = start(*map(str, words))
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def modules_after_each(folder: Path) -> Callable[..., Iterator[tuple[int, set[str]]]]:
    """Run commands in a process of their own, and tell the exit code of each and the modules that are loaded then."""

    def run(*commands: str) -> Iterator[tuple[int, set[str]]]:
        words = json.dumps([command.split() for command in commands])
        line = [sys.executable, "-c", _AND_TELL_MODULES, words]
        done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.DEVNULL)
        for told in done.stdout.splitlines():
            mark, _, found = told.partition("MODULES ")
            if found and not mark:
                code, modules = json.loads(found)
                yield code, set(modules)

    return run


@pytest.fixture
def modules_after(modules_after_each: Callable[..., Iterator[tuple[int, set[str]]]]) -> Callable[..., Any]:
    """Run a command in a process of its own, and tell its exit code and the modules it has loaded."""

    def run(*words: object) -> tuple[int, set[str]]:
        (found,) = modules_after_each(" ".join(map(str, words)))
        return found

    return run


@pytest.fixture
def talk(cli: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Play a game, saying the given lines: exit code, what the game said, standard error."""

    def run(lines: list[str], *words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))
        return cli("play", *words)

    return run


# It counts to three thousand.
COUNTER = toy("walk") + method("actions", "return ['one more']") + method("is_goal", "return state == 3000")

# Never won, and never at an end: a tree in which every node has three children. After a while it leaves a
# mark, so that others know when it is under way.
ENDLESS = toy("endless")

# Its beliefs double at every step: soon a single one takes longer than any limit.
DOUBLING = toy("doubling")

ENDLESS_STARTS = toy("endless_starts")


@pytest.fixture
def plugins(folder: Path) -> None:
    for name, source in (
        ("counter", COUNTER),
        ("endless", ENDLESS),
        ("doubling", DOUBLING),
        ("starts", ENDLESS_STARTS),
    ):
        (folder / f"{name}.py").write_text(source)


@pytest.fixture
def run_json(cli: Run) -> RunJson:
    """Run with `--format json`: the exit code and the object."""

    def run(*words: object) -> tuple[int, Any]:
        code, out, _ = cli("run", *words, "--format", "json", "--quiet")
        return code, json.loads(out)

    return run


@pytest.fixture(scope="module")
def known() -> dict[tuple[object, ...], str]:
    """Each file as its command wrote it."""
    return {}


@pytest.fixture
def filed(cli: Run, folder: Path, known: dict[tuple[object, ...], str]) -> Filed:
    """Write a plan file or a certificate with changes: what it holds; a field that becomes "gone" is left out."""

    def write(option: str, *words: object, name: str = "file.json", **changes: Any) -> dict[str, Any]:
        if (option, *words) not in known:
            code, _, err = cli("run", *words, option, name)
            assert code in (0, 1)
            assert option == "--output" or name in err
            known[option, *words] = (folder / name).read_text()
        data = {**json.loads(known[option, *words]), **changes}
        data = {field: value for field, value in data.items() if value != "gone"}
        write_json(name, data)
        return data

    return write
