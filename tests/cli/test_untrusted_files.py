"""Plan files by strangers: to open one runs no code that the user did not name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from beliefsearch.plugins.installed import GROUP

from ..examples import thorough
from ..toys import toy
from .conftest import started
from .processes import NO_FILE, Result

Start: TypeAlias = Callable[..., Result]

# Whoever runs this leaves a mark; and it is a problem, so that nothing else stops the attack.
EVIL = "from pathlib import Path\nPath({mark!r}).touch()\n" + toy("puzzle").replace("Puzzle", "Evil")
TURNSTILE = toy("puzzle").replace("Puzzle", "Turnstile")


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Run a command in a process that has loaded no puzzle: what it imports is looked for where the traps lie."""
    with started(tmp_path_factory.mktemp("starter"), [NO_FILE]) as run:
        yield run


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "somewhere" / "mark"


@pytest.fixture
def here(tmp_path: Path, mark: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, full of traps."""
    mark.parent.mkdir()
    folder = tmp_path / "here"
    folder.mkdir()
    evil = EVIL.format(mark=str(mark))
    for name in ("evil.py", "devil.py", "attr.py", "numpy.py", "click.py", "ijson.py", "third_evil.py"):
        (folder / name).write_text(evil)
    for package in ("beliefsearch_problems", "package"):
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text(evil)
        (folder / package / "devil.py").write_text(evil.replace("Evil", "DevilProblem"))
    for kind, metadata in (("egg-info", "PKG-INFO"), ("dist-info", "METADATA")):
        info = folder / f"stranger_{kind[:3]}-1.0.{kind}"
        info.mkdir()
        (info / metadata).write_text(f"Metadata-Version: 2.1\nName: stranger-{kind[:3]}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(
            f"[{GROUP}]\nplanted = third_evil:Evil\nplanted-{kind[:3]} = evil:Evil\n"
        )
    monkeypatch.chdir(folder)
    return folder


def plan_for(problem: str, **changes: Any) -> str:
    data = {"problem": problem, "parameters": {}, "status": "solved", "cost": 1, "plan": ["go"], "version": 1}
    return json.dumps({**data, **changes})


def command(way: str, *words: object, **environment: str) -> Result:
    """Run the program as a process of its own, started in one of several ways."""
    starts = {
        "module": ["-m", "beliefsearch"],
        "script": [str(Path(sys.executable).with_name("beliefsearch"))],
        "code": ["-c", "import sys; from beliefsearch.cli import main; main(sys.argv[1:])"],
    }
    line = [sys.executable, *starts[way], *map(str, words)]
    known = {**os.environ, **environment}
    return subprocess.run(
        line, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL, env=known
    )


def no_traceback(done: Result) -> None:
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1


NAMES = [
    "./evil.py",
    "evil.py",
    "evil.py:Evil",
    "{here}/evil.py",
    "{here}/evil.py:Evil",
    "../here/evil.py",
    "evil:Evil",
    "evil",
    "third_evil",
    "third_evil:Evil",
    "package:Evil",
    "package.devil:DevilProblem",
    "beliefsearch_problems.devil:DevilProblem",
    "this:anything",
    "os:system",
    "planted",
    "planted-egg",
    "planted-dis",
    "devil.py",
    "./devil",
    "devil:Evil",
    " devil",
    "devil ",
    "DEVIL",
    "",
    ".",
    "devil\u0000",
    "devil\n",
    "\u001b[2Jevil.py",
    "--problem=./evil.py",
]


@pytest.mark.few(10)
@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_file_names_installed_puzzles_and_nothing_else(here: Path, start: Start, mark: Path, name: str) -> None:
    (here / "plan.json").write_text(plan_for(name.format(here=here)))
    done = start("verify", "plan.json")
    assert not mark.exists()
    assert (done.returncode, done.stdout) == (2, "")
    assert "plan.json" in done.stderr
    assert "--problem" in done.stderr
    assert "\u001b" not in done.stderr
    no_traceback(done)


# Verifies each of its arguments, and says with which exit codes.
VERIFIES_ALL = """
import sys
from beliefsearch.cli import main
for file in sys.argv[1:]:
    try:
        main(["verify", file])
    except SystemExit as end:
        print(end.code)
"""


@pytest.mark.parametrize("way", ["code", "script"])
def test_nor_does_the_empty_entry_of_the_path_help(here: Path, mark: Path, way: str) -> None:
    names = ("planted", "planted-egg", "evil:Evil", "./evil.py", "evil", "third_evil:Evil")
    for number, name in enumerate(names):
        (here / f"plan{number}.json").write_text(plan_for(name))
    script = mark.with_name("verify_all.py")
    script.write_text(VERIFIES_ALL)
    known = os.environ if way == "code" else {**os.environ, "PYTHONPATH": os.pathsep}
    line = [sys.executable, *(["-c", VERIFIES_ALL] if way == "code" else [script])]
    files = [f"plan{number}.json" for number in range(len(names))]
    done = subprocess.run([*line, *files], capture_output=True, text=True, timeout=60, check=False, env=known)
    assert not mark.exists()
    assert done.stdout.split() == ["2"] * len(names)
    assert [text in line for text, line in zip(files, done.stderr.splitlines(), strict=True)] == [True] * len(names)


@pytest.mark.parametrize("start", ["module", "script", "code"])
def test_an_installed_puzzle_is_the_installed_one_whatever_lies_here(here: Path, mark: Path, start: str) -> None:
    plan = [[0, 1], [0], [0, 1]]
    (here / "plan.json").write_text(plan_for("devil", parameters={"n": 2}, plan=plan, cost=3))
    done = command(start, "verify", "plan.json")
    assert not mark.exists()
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 actions win from all 4 starts" in done.stdout


@pytest.mark.parametrize("name", ["devil", thorough("evil.py"), "./evil.py", "planted", thorough("evil:Evil")])
def test_nothing_beside_the_plan_file_is_imported_either(
    here: Path, mark: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (here / "plan.json").write_text(plan_for(name, parameters={}))
    done = command("module", "verify", "here/plan.json")
    assert not mark.exists()
    assert done.returncode in (0, 1, 2)
    no_traceback(done)


@pytest.mark.few(8)
@pytest.mark.parametrize(
    "words", [("show",), ("play", "--watch"), ("simulate", "--games", "1"), ("explain",)], ids=lambda words: words[0]
)
@pytest.mark.parametrize("name", ["./evil.py", "evil:Evil", "planted", "./other.py", "devil"])
def test_a_plan_for_something_else_runs_nothing(
    here: Path, start: Start, mark: Path, words: tuple[str, ...], name: str
) -> None:
    (here / "turnstile.py").write_text(TURNSTILE)
    (here / "plan.json").write_text(plan_for(name))
    done = start(words[0], "./turnstile.py", *words[1:], "--plan", "plan.json")
    assert not mark.exists()
    assert (done.returncode, done.stdout) == (2, "")
    assert "something else" in done.stderr
    no_traceback(done)


def test_a_policy_for_something_else_is_told_apart(here: Path, start: Start, mark: Path) -> None:
    game = ("gambler", "--goal", "4", "--capital", "2")
    start("run", *game, "--output", "policy.json")
    data = json.loads((here / "policy.json").read_text())
    (here / "plan.json").write_text(json.dumps({**data, "problem": "./evil.py"}))
    assert start("simulate", *game, "--games", "1", "--plan", "policy.json").returncode == 0
    done = start("simulate", *game, "--games", "1", "--plan", "plan.json")
    assert not mark.exists()
    assert (done.returncode, done.stdout) == (2, "")
    assert "something else" in done.stderr


@pytest.mark.parametrize(
    "name", ["./turnstile.py", "old/turnstile.py", "turnstile.py:Turnstile", "turnstile:Turnstile"]
)
def test_code_that_the_user_names_is_run_by_any_name_in_the_plan(here: Path, start: Start, name: str) -> None:
    (here / "turnstile.py").write_text(TURNSTILE)
    (here / "plan.json").write_text(plan_for(name))
    for words in (
        ("verify", "plan.json", "--problem", "./turnstile.py"),
        ("show", "./turnstile.py", "--plan", "plan.json"),
    ):
        done = start(*words)
        assert (done.returncode, done.stderr) == (0, "")


def test_what_would_have_to_run_is_named_with_the_way_to_allow_it(here: Path, start: Start) -> None:
    (here / "turnstile.py").write_text(TURNSTILE)
    (here / "plan.json").write_text(plan_for("./turnstile.py"))
    done = start("verify", "plan.json")
    assert "'./turnstile.py'" in done.stderr
    assert "--problem ./turnstile.py" in done.stderr
    os.chdir(here.parent)
    assert "--problem here/turnstile.py" in start("verify", "here/plan.json").stderr


def test_a_file_about_an_installed_puzzle_is_not_checked_against_another(here: Path, start: Start) -> None:
    (here / "turnstile.py").write_text(TURNSTILE)
    (here / "plan.json").write_text(plan_for("devil"))
    done = start("verify", "plan.json", "--problem", "./turnstile.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'devil'" in done.stderr
    assert "something else" in done.stderr
    plan = plan_for("devil", parameters={"n": 2}, plan=[[0, 1], [0], [0, 1]], cost=3)
    (here / "plan.json").write_text(plan)
    for same in ("devil", "beliefsearch_problems.devil:DevilProblem"):
        assert start("verify", "plan.json", "--problem", same).returncode == 0


def test_a_plan_with_other_parameters_is_still_told_apart(here: Path, start: Start) -> None:
    (here / "plan.json").write_text(plan_for("devil", parameters={"n": 2}, plan=[[0, 1], [0], [0, 1]], cost=3))
    assert start("show", "devil", "--n", "2", "--plan", "plan.json").returncode == 0
    assert "something else" in start("show", "devil", "--plan", "plan.json").stderr
