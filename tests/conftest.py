"""What all tests share: how hypothesis waits, what the garbage collector need not look at, a fresh folder, commands."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import TypeAlias

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

Run: TypeAlias = Callable[..., tuple[int, str, str]]

_TESTS = Path(__file__).parent
_MOST_MEMORY = 3 * 2**30
"""Bytes for each process of the suite."""

_FAILED = pytest.StashKey[bool]()

# The first example that meets a compiled kernel waits for the compiler, and a busy machine is no failure.
# By default so few examples, and each time the same, that the suite takes two minutes. `--hypothesis-profile=thorough`
# tries forty times as many, and others each time. (No explanations of failures: each line is traced for them.)
_PHASES = tuple(phase for phase in Phase if phase is not Phase.explain)
settings.register_profile("patient", deadline=None, max_examples=10, derandomize=True, phases=_PHASES)
settings.register_profile("thorough", deadline=None, max_examples=400, phases=_PHASES)
settings.load_profile("patient")


# Programs that tests start find the package compiled by those before them, as where Python is left to its defaults;
# to compile it anew takes each of some hundred as long as all else it does.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False  # and so do these tests: to rewrite the asserts of all of them takes seconds

# Where Ctrl-C is ignored, as behind `nohup` and in many scripts, so would it be by all programs that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No program that goes on for ever by design, and is not ended by a mistake, takes all memory of the machine with it.
if sys.platform == "linux":
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))

gc.disable()  # until all tests are found: they stay to the end, and to look through them takes a quarter of that time


def pytest_addoption(parser: pytest.Parser) -> None:
    """How long the tests take that could go on for ever, all of which are marked `thorough`."""
    group = parser.getgroup("beliefsearch")
    group.addoption("--fuzz-seconds", type=float, default=10.0, help="seconds of changes to each file [10]")
    group.addoption("--soak-seconds", type=float, default=60.0, help="seconds of the soak [60]")


def pytest_configure(config: pytest.Config) -> None:
    """Wait for no disk: that is for a power failure, which the tests that are about one make believe."""
    if not config.getoption("benchmark_only", default=False):
        os.fsync = lambda fd: None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let every second worker load the files of all tests from behind: it finds the other half ready, and so do others.

    The asserts of a file are rewritten when it is loaded first, and that is kept on disk.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if int(worker.removeprefix("gw")) % 2 == 0 or session.config.args != session.config.getini("testpaths"):
        return
    files = sorted(_TESTS.rglob("test_*.py"), reverse=True)
    for file in files[: len(files) // 2]:
        with suppress(Exception):  # what is wrong with it is told when it is collected
            import_module(".".join(file.relative_to(session.config.rootpath).with_suffix("").parts))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Take from the report of what went well all by which a test could be selected: a worker would send it."""
    report = yield
    if report.passed:
        report.keywords = {}
    item.stash[_FAILED] = report.failed or item.stash.get(_FAILED, False)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Let a worker tell how the call of a test ended, and of the rest what went wrong or took long.

    That is all of which the other process makes use, unless it has to name each test or to write a file about all.
    """
    option = item.config.option
    if not hasattr(item.config, "workerinput") or option.verbose > 0 or getattr(option, "xmlpath", None):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration >= option.durations_min:
            item.ihook.pytest_runtest_logreport(report=report)
    if nextitem is None:  # it was perhaps the last of all
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


# Tests that start processes or share what took long to make: an environment, the site, a browser.
_APART = (
    *("test_packaging.py", "test_site.py", "test_browser.py", "test_architecture.py", "test_style.py"),
    *("test_untrusted_files.py", "test_limits.py", "test_run_limits.py", "test_walks.py"),
)
# Tests that compile all the kernels, in the order in which they do; and those that take longest where none is compiled.
_COMPILING = ("engine", "heuristics")
_IN_NEED = ("test_startup.py", "test_catalogue.py", "test_docs.py")


def _leave_to_the_thorough_run(items: list[pytest.Item]) -> None:
    """Mark what `few` leaves out: of so many parameters those that are not evenly spread from the first to the last."""
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few"):
            families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for family in families.values():
        (number,) = family[0].get_closest_marker("few").args  # type: ignore[union-attr]  # it has one
        kept = {place * (len(family) - 1) // max(number - 1, 1) for place in range(number)}
        for place, item in enumerate(family):
            if place not in kept:
                item.add_marker("thorough")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None, None, None]:
    """Say what is left out, and bring what is left into order."""
    _leave_to_the_thorough_run(items)
    yield
    _put_in_order(items)


def _put_in_order(items: list[pytest.Item]) -> None:
    """Begin with the tests that compile, and the second half with those that stand apart.

    Each of two workers begins with a half: one compiles the kernels while the other has no use for them, and finds
    them compiled. And at the end, when one takes over what the other has left, that is nothing which takes long.
    """

    def place(path: Path) -> int:
        if path.name == "test_partitions.py" or set(_COMPILING) & set(path.relative_to(_TESTS).parts):
            return 0
        return 1 if path.name in _APART else 2 if path.name in _IN_NEED else 3

    places = {path: place(path) for path in {item.path for item in items}}
    compiling, apart, in_need, others = ([item for item in items if places[item.path] == number] for number in range(4))
    apart.sort(key=lambda item: _APART.index(item.path.name))
    # From behind: the solvers, and what checks the answers they find, need kernels too; the command line seldom does.
    rest = min(max(len(items) // 2 - len(compiling), 0), len(others))
    early, late = others[: len(others) - rest], others[len(others) - rest :]
    half = len(early) // 2
    items[:] = [*compiling, *late, *apart, *early[:half], *in_need, *early[half:]]


def pytest_collection_finish() -> None:
    """Let the collector pass over seven thousand tests, which stay to the end, and look less often for circles."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


_NUMBERS = count()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Path, None, None]:
    """A fresh folder, which is removed where the test passes: pytest's own, without a link to the latest of a name."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    path = tmp_path_factory.getbasetemp() / f"{name}{next(_NUMBERS)}"
    path.mkdir(mode=0o700)
    yield path
    if not request.node.stash[_FAILED]:
        shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], folder: Path) -> Run:
    """Run a command in this process, in a fresh folder: exit code, standard output, standard error."""

    def run(*words: object) -> tuple[int, str, str]:
        from beliefsearch.cli import main

        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        assert isinstance(end.value.code, int), "an exit code is a number"
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return run
