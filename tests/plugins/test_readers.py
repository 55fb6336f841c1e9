"""Readers: a file of the field is named instead of a puzzle, and its ending tells who reads it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from beliefsearch import verify_file
from beliefsearch.errors import PluginError
from beliefsearch.plugins.installed import READERS, list_problems, list_readers
from beliefsearch.tools import load_problem_class, sweep

from ..answers import assert_one_line, stdout
from ..conftest import Run

READER = '''
from pathlib import Path
from attrs import field, frozen
from beliefsearch import Problem
from beliefsearch.tools import read_data_file


@frozen
class Steps(Problem):
    """So many steps to the end, as a file says.

    It has more to say.
    """

    file: Path = field(metadata={"help": "the file"})
    size: int = field(default=1, metadata={"help": "the length of a step"})

    def __attrs_post_init__(self):
        self.length

    @property
    def length(self):
        return int(read_data_file(self.file))

    def initial_state(self):
        return 0

    def actions(self, state):
        return ("step",)

    def result(self, state, action):
        return min(state + self.size, self.length)

    def is_goal(self, state):
        return state >= self.length


class Deaf(Problem):
    """Takes no file."""

    initial_state = actions = result = is_goal = lambda self, *_: 0
'''


@pytest.fixture
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A distribution with readers that seems to be installed, and a file for one of them, in the current folder."""
    site = folder / "site"
    info = site / "third_readers-1.5.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: third-readers\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(
        f"[{READERS}]\nsteps = third_readers:Steps\ndeaf = third_readers:Deaf\ngone = third_gone:Gone\n"
    )
    (site / "third_readers.py").write_text(READER)
    (folder / "three.steps").write_text("3")
    monkeypatch.syspath_prepend(str(site))
    yield folder
    sys.modules.pop("third_readers", None)


@pytest.mark.parametrize("name", ["three.steps", "./three.steps", "THREE.STEPS", "there.is.none.steps"])
def test_the_ending_tells_the_class_and_the_file_is_not_opened(installed: Path, name: str) -> None:
    assert load_problem_class(name).__name__ == "Steps"


def test_a_file_is_run_described_and_said_to_be_the_problem(installed: Path, cli: Run) -> None:
    assert stdout(cli("run", "three.steps", "--size", 2)).startswith("three.steps --size 2: ")
    out = stdout(cli("describe", "three.steps"))
    assert out.startswith("three.steps: third_readers:Steps\n\nSo many steps")
    assert "--file" not in out
    assert "This instance: three.steps\n" in out
    assert_one_line(cli("run", "three.steps", "--file", "three.steps"), "--file")


def test_without_a_file_the_reader_itself_is_described(installed: Path, cli: Run) -> None:
    assert "--file" in stdout(cli("describe", "steps"))
    assert cli("run", "steps", "--file", "three.steps")[0] == 0


def test_a_saved_plan_names_the_reader_and_the_file(installed: Path, cli: Run) -> None:
    (installed / "sub").mkdir()
    plan = installed / "sub" / "plan.json"
    (installed / "three.steps").rename(installed / "sub" / "three.steps")
    assert cli("run", "sub/three.steps", "--output", plan)[0] == 0
    document = json.loads(plan.read_text())
    assert document["problem"] == "steps"
    assert document["parameters"] == {"file": "three.steps", "size": 1}
    assert len(document["data_files"]["file"]) == 64
    assert verify_file(plan).holds
    assert cli("verify", plan)[0] == 0
    assert cli("play", "sub/three.steps", "--watch", "--plan", plan)[0] == 0
    (installed / "sub" / "three.steps").write_text("4")
    assert_one_line(cli("verify", plan), "three.steps has changed")


def test_the_file_may_be_named_where_a_plan_is_verified(installed: Path, cli: Run) -> None:
    assert cli("run", "three.steps", "--output", "plan.json")[0] == 0
    (installed / "away").mkdir()
    (installed / "three.steps").rename(installed / "away" / "other.steps")
    assert cli("verify", "plan.json")[0] == 2
    out = stdout(cli("verify", "plan.json", "--problem", "away/other.steps"))
    assert out.startswith("steps (file=three.steps size=1): ")


def test_the_output_is_not_the_file_itself(installed: Path, cli: Run) -> None:
    assert_one_line(cli("run", "three.steps", "--output", "three.steps"), "one of the input files")
    assert (installed / "three.steps").read_text() == "3"


def test_a_sweep_has_one_file(installed: Path, cli: Run) -> None:
    assert [row.cost for row in sweep("three.steps", {"size": [1, 2, 3]})] == [3, 2, 1]
    out = stdout(cli("sweep", "three.steps", "--size", "1..3", "--format", "json"))
    assert json.loads(out)["problem"] == "steps"
    assert json.loads(out)["parameters"] == {"file": "three.steps"}


def test_readers_are_listed_apart_from_puzzles_and_in_one_list_by_the_command(installed: Path, cli: Run) -> None:
    assert {"steps", "deaf", "gone"} <= {listing.name for listing in list_readers()}
    assert "steps" not in {listing.name for listing in list_problems()}
    lines = {line.split()[0]: line for line in cli("list")[1].splitlines()}
    assert lines["steps"].endswith("So many steps to the end, as a file says. [reads FILE.steps] [third-readers 1.5]")
    assert "[reads FILE.gone]" in lines["gone"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("three.foo", r"cannot tell what 'three\.foo' is: no reader claims the ending '\.foo'.*\.deaf.*\.steps"),
        ("./three.foo", r"no reader claims the ending '\.foo'"),
        ("three.kiss3", 'to have it read by one of these, write kiss file="three.kiss3"'),
        ("three", "its name has no ending"),
        ("gone.foo", "there is no problem called 'gone.foo'"),
        ("./gone.foo", r"there is no file 'gone\.foo'"),
        ("some.deaf", r"deaf \(of third-readers 1\.5\) is no reader: Deaf has no field 'file'"),
        ("some.gone", "there is no module 'third_gone'"),
        ("three.steps:Steps", "three.steps"),
    ],
)
def test_what_cannot_be_read_is_named(installed: Path, name: str, complaint: str) -> None:
    for file in ("three.foo", "three.kiss3", "three"):
        (installed / file).write_text("")
    with pytest.raises(PluginError, match=complaint):
        load_problem_class(name)


def test_a_file_with_another_ending_is_given_to_a_reader_by_name(installed: Path, cli: Run) -> None:
    (installed / "three.foo").write_text("3")
    code, _, err = cli("run", "three.foo")
    assert code == 2
    assert err.endswith("; to have it read by one of these, write NAME --file three.foo\n")
    assert stdout(cli("run", "steps", "--file", "three.foo")).startswith("steps --file three.foo: solved in 3 actions")


def test_a_missing_file_is_one_line(installed: Path, cli: Run) -> None:
    assert_one_line(cli("run", "four.steps"), "cannot read 'four.steps'")
