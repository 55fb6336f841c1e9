"""Packaging: a wheel of this checkout, installed in an empty environment next to somebody else's plug-in.

No package index is asked. What the wheel needs is linked from where these tests find it, and only that.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from importlib.metadata import distribution
from pathlib import Path
from typing import TypeAlias

import pytest
from packaging.requirements import Requirement

from beliefsearch import __version__
from beliefsearch.plugins.installed import GROUP

from .toys import toy

Result: TypeAlias = "subprocess.CompletedProcess[str]"

CHECKOUT = Path(__file__).parent.parent
_LEFT_BEHIND = (".git", ".venv", "venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis")

PLUGIN = toy("puzzle").replace("Puzzle", "Turnstile")


def run(*line: object, folder: Path) -> Result:
    # What this process was told about where to find modules must not help the new environment.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(word) for word in line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def need(done: Result) -> str:
    assert done.returncode == 0, f"{' '.join(done.args)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def third_party_wheel(folder: Path) -> Path:
    """A wheel as any build tool would make it, by hand."""
    info = "turnstile_puzzle-2.0.dist-info"
    files = {
        "turnstile_puzzle.py": PLUGIN,
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: turnstile-puzzle\nVersion: 2.0\n"
        "Requires-Dist: beliefsearch\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[{GROUP}]\nturnstile = turnstile_puzzle:Turnstile\n",
    }
    record = [
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip('=')},{len(text)}"
        for name, text in files.items()
    ]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,"]) + "\n"
    path = folder / "turnstile_puzzle-2.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
    return path


# The backend is the one of the tests' extra: to fetch it takes longer than to build.
BUILD = ("-m", "pip", "wheel", "--no-build-isolation", "--no-index")


def needed(requirements: Iterable[str]) -> set[str]:
    """The names of all packages that these requirements come to, one through another."""
    found: set[str] = set()
    waiting = list(requirements)
    while waiting:
        requirement = Requirement(waiting.pop())
        if requirement.name not in found and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            found.add(requirement.name)
            waiting += distribution(requirement.name).requires or ()
    return found


def link(names: Iterable[str], modules: Path) -> None:
    """Put installed packages into another environment, with their metadata and without their commands."""
    for name in names:
        package = distribution(name)
        for top in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            (modules / top).symlink_to(str(package.locate_file(top)))


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder far from the checkout."""
    return tmp_path_factory.mktemp("packaging")


@pytest.fixture(scope="module")
def wheel(workshop: Path) -> Path:
    """The wheel of this checkout, built from a copy so that nothing is left behind here."""
    copy = workshop / "checkout"
    shutil.copytree(CHECKOUT, copy, ignore=shutil.ignore_patterns(*_LEFT_BEHIND))
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(workshop)!r})"  # which is what pip calls
    need(run(sys.executable, "-c", build, folder=copy))
    (built,) = workshop.glob("beliefsearch-*.whl")
    return built


@pytest.fixture(scope="module")
def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def python(workshop: Path, wheel: Path) -> Path:
    """The Python of a new environment in which the wheel and somebody else's plug-in are installed."""
    environment = workshop / "environment"
    need(run(sys.executable, "-m", "venv", "--without-pip", environment, folder=workshop))
    interpreter = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        requirements = re.findall(r"^Requires-Dist: (.+)$", archive.read(metadata).decode(), re.MULTILINE)
    modules = need(run(interpreter, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=workshop))
    link(needed(requirements), Path(modules.strip()))
    # What is imported is compiled then.
    install = ("install", "--no-compile", "--no-index", wheel, third_party_wheel(workshop))
    need(run(sys.executable, "-m", "pip", "--python", interpreter, *install, folder=workshop))
    return interpreter


@pytest.fixture(scope="module")
def installed(python: Path, workshop: Path) -> Callable[..., Result]:
    """Run the installed command."""

    def call(*words: str) -> Result:
        return run(python.with_name("beliefsearch"), *words, folder=workshop)

    return call


def test_the_wheel_holds_the_two_packages_and_nothing_else(contents: set[str]) -> None:
    tops = {name.partition("/")[0] for name in contents}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"beliefsearch", "beliefsearch_problems"}


def test_the_wheel_holds_every_module_of_the_checkout(contents: set[str]) -> None:
    for folder, package in (("beliefsearch", "beliefsearch"), ("problems", "beliefsearch_problems")):
        modules = {path.relative_to(CHECKOUT / folder).as_posix() for path in (CHECKOUT / folder).rglob("*.py")}
        assert modules
        assert {f"{package}/{module}" for module in modules} <= contents


def test_the_wheel_says_that_it_is_typed_and_under_which_licence(contents: set[str]) -> None:
    assert {"beliefsearch/py.typed", "beliefsearch_problems/py.typed"} <= contents
    assert any(name.endswith("LICENSE") for name in contents)


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {__version__}\n" in (CHECKOUT / "CITATION.cff").read_text()


@pytest.mark.thorough
def test_our_puzzles_and_the_one_of_a_third_party_are_listed(installed: Callable[..., Result]) -> None:
    lines = {line.split()[0]: line for line in need(installed("list")).splitlines()}
    assert {"devil", "lights-out", "nine-tails", "turnstile", "vacuum"} <= lines.keys()
    assert "Go to the end." in lines["turnstile"]
    assert "turnstile-puzzle 2.0" in lines["turnstile"]


@pytest.mark.thorough
def test_a_puzzle_of_others_runs_and_keeps_the_contract(installed: Callable[..., Result], workshop: Path) -> None:
    found = json.loads(need(installed("run", "turnstile", "--format", "json", "--output", "turnstile.json")))
    assert found["plan"] == ["go"]
    need(installed("verify", "turnstile.json"))
    need(installed("check", "turnstile"))


@pytest.mark.thorough
def test_the_plain_install_does_all_that_is_promised(
    installed: Callable[..., Result], python: Path, workshop: Path
) -> None:
    lines = need(installed("run", "devil", "--n", "4")).splitlines()
    moves = [line.split(maxsplit=1) for line in lines if "{" in line]
    assert [int(number) for number, _ in moves] == list(range(1, 16))
    assert moves[7][1] == "{0, 1, 2}"
    assert "15 actions" in need(run(python, "-m", "beliefsearch", "run", "devil", folder=workshop))
    need(installed("new", "corridor"))
    assert "solved" in need(installed("run", "./corridor.py"))
    for form in ("graphml", "gexf", "dot", "json"):
        need(installed("export", "devil", "--n", "2", "--output", f"graph.{form}"))
        assert (workshop / f"graph.{form}").stat().st_size > 0
    need(run(sys.executable, "-m", "pip", "--python", python, "check", folder=workshop))
    assert "ModuleNotFoundError" in run(python, "-c", "import problems", folder=workshop).stderr


@pytest.mark.thorough
def test_our_puzzles_can_be_imported_under_their_own_name(python: Path, workshop: Path) -> None:
    code = "import beliefsearch_problems.devil as d; print(len(list(d.DevilProblem(n=3).initial_states())), d.__file__)"
    count, file = need(run(python, "-c", code, folder=workshop)).split()
    assert count == "8"
    assert not Path(file).is_relative_to(CHECKOUT)
    assert Path(file).is_relative_to(workshop)


@pytest.fixture(scope="module")
def published(installed: Callable[..., Result], python: Path, workshop: Path) -> list[str]:
    """What the page on publishing a puzzle does, line by line, in the same environment; the last outputs."""
    page = (CHECKOUT / "docs" / "howto-publish.md").read_text(encoding="utf-8")
    (toml,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    build, install = (block.splitlines() for block in re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    folder = workshop / "dark-corridor"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(toml)
    need(run(python.with_name("beliefsearch"), "new", "dark-corridor", folder=folder))
    programs: dict[str, list[object]] = {
        "python3": [sys.executable],
        "try/bin/pip": [sys.executable, "-m", "pip", "--python", python],
        "try/bin/beliefsearch": [python.with_name("beliefsearch")],
    }
    outputs = []
    for line in [*build, *install]:
        program, *words = line.split()
        words = [*BUILD, *words[3:]] if words[:3] == ["-m", "pip", "wheel"] else words
        if words[:2] != ["-m", "venv"] and words[-1] != "path/to/beliefsearch":  # both are there
            outputs.append(need(run(*programs[program], *words, folder=folder)))
    return outputs[2:]


@pytest.mark.thorough
def test_a_puzzle_published_as_the_page_says_is_listed_solved_and_verified(published: list[str]) -> None:
    listing, solution, verdict, report = published
    (line,) = (line for line in listing.splitlines() if line.startswith("dark-corridor "))
    assert "Reach the last square of a corridor in the dark." in line
    page = (CHECKOUT / "docs" / "howto-publish.md").read_text(encoding="utf-8")
    assert " ".join(line.split()) in {" ".join(shown.split()) for shown in page.splitlines()}
    assert "solved in 6 actions" in solution
    assert "6 actions win from all 7 starts" in verdict
    assert "0 rules broken" in report


@pytest.mark.thorough
def test_its_tests_are_not_installed(published: list[str], python: Path, workshop: Path) -> None:
    found = "from importlib.util import find_spec as f; print(f('dark_corridor') and 1, f('test_dark_corridor'))"
    assert need(run(python, "-c", found, folder=workshop)) == "1 None\n"


@pytest.mark.thorough
def test_it_runs_installed_the_other_way(
    python: Path, workshop: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # as everybody has it: kernels go where the package puts them
    monkeypatch.setenv("XDG_CACHE_HOME", str(workshop / "cache"))
    modules = Path(
        need(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=workshop)).strip()
    )
    if not (modules / "setuptools").exists():
        link(["setuptools"], modules)
    options = ("--no-deps", "--no-index", "--no-build-isolation")
    pip = (sys.executable, "-m", "pip", "--python", python, "install", *options)

    def works() -> None:
        command = python.with_name("beliefsearch")
        assert "devil" in need(run(command, "list", folder=workshop))
        solved = ("run", "reset-word", "--random", "12", "--engine", "compiled")
        assert "engine compiled" in need(run(command, *solved, folder=workshop))

    works()
    for again in (("--editable", workshop / "checkout"), ("--force-reinstall", wheel)):
        need(run(*pip, *again, folder=workshop))
        assert (modules / "beliefsearch").exists() == (again[1] == wheel), "nothing is left behind"
        works()
