"""The real files, made once, and commands held to limits of time and memory."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.cli import main

from ..cli.processes import Starter, starter
from .real_files import SAVED, TEXTS
from .trying import quickly, rounds

# Seconds of computing, and bytes of memory of its own: each command has limits of its own well below.
_LIMITS = {"RLIMIT_CPU": 15, "RLIMIT_DATA": 3 << 30, "RLIMIT_FSIZE": 1 << 28}


@pytest.fixture(scope="session")
def real_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all real files; those that a command writes are called NAME.json."""
    folder = tmp_path_factory.mktemp("real")
    before = Path.cwd()
    os.chdir(folder)
    try:
        for name, text in TEXTS.items():
            Path(name).write_text(text, encoding="utf-8")
        for name, saved in SAVED.items():
            command, *more = saved.writes.split()
            option = "--certificate" if command == "prove" else "--output"
            with redirect_stdout(StringIO()), pytest.raises(SystemExit):
                main([command, *saved.problem, *more, option, f"{name}.json", "--quiet"])
            assert Path(f"{name}.json").exists()
    finally:
        os.chdir(before)
    return folder


@pytest.fixture(scope="session")
def commands(real_files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Starter]:
    """Run a command in the current folder, in a process that finds everything loaded and is held to limits."""
    if not hasattr(os, "fork"):
        pytest.skip("this system cannot fork")
    warm = [["verify", str(real_files / f"{name}.json")] for name in SAVED]
    warm += [["run", str(real_files / name)] for name in ("weather.pomdp", "robot.nm", "coffee.dot")]
    warm.append(["show", "devil", "--n", "2"])
    # What kernels need, and those that searches with a store call.
    warm.append(["run", "reset-word", "--cerny", "4", "--engine", "compiled"])
    warm.append(["prove", "robber", "--graph", "complete", "--n", "4", "--cops", "2", "--engine", "compiled"])
    warm += [["explore", "lights-out", "--rows", "2", "--cols", "2"], ["run", "tiger", "--time-limit", "0.1"]]
    with starter(tmp_path_factory.mktemp("commands"), warm=warm, limits=_LIMITS) as started:
        yield started


@pytest.fixture
def bench(tmp_path: Path, real_files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, the current one, with the data that saved files name."""
    shutil.copy(real_files / "machine.txt", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    return tmp_path


@pytest.fixture(params=["few", pytest.param("many", marks=pytest.mark.thorough)])
def trying(request: pytest.FixtureRequest) -> Any:
    """Call something with examples of these strategies: a few, or for as long as `--fuzz-seconds` says."""
    if request.param == "few":
        return quickly
    seconds = request.config.getoption("--fuzz-seconds")
    return lambda target, strategies: rounds(target, strategies, seconds)
