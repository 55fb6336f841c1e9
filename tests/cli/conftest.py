"""Ways to run the command line: in this process, which is fast, or as a process of its own.

All give a triple: exit code, standard output, standard error. The current folder is a fresh one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from beliefsearch.cli import main

Run: TypeAlias = Callable[..., tuple[int, str, str]]

# Runs a command, then says on the last line of standard output which modules that has loaded.
_AND_TELL_MODULES = """
import json, sys
from beliefsearch.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    print(json.dumps([end.code, sorted(sys.modules)]))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], folder: Path) -> Run:
    """Run a command in this process."""

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        assert isinstance(end.value.code, int), "an exit code is a number"
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return run


@pytest.fixture
def process(folder: Path) -> Run:
    """Run a command in a process of its own."""

    def run(*words: object) -> tuple[int, str, str]:
        line = [sys.executable, "-m", "beliefsearch", *map(str, words)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def modules_after(folder: Path) -> Callable[..., tuple[int, set[str]]]:
    """Run a command in a process of its own, and tell its exit code and the modules it has loaded."""

    def run(*words: object) -> tuple[int, set[str]]:
        line = [sys.executable, "-c", _AND_TELL_MODULES, *map(str, words)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.DEVNULL)
        code, modules = json.loads(done.stdout.splitlines()[-1])
        return code, set(modules)

    return run
