"""Plug-ins: where problems are found, and how attrs fields become options."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from beliefsearch.cli import main
from beliefsearch.errors import PluginError, ProblemError, UnknownProblemError
from beliefsearch.plugins.loading import GROUP, list_problems, load_problem_class
from beliefsearch.plugins.options import make_problem, options_of, parameters_of

Install: TypeAlias = Callable[..., None]

PUZZLE = '''
from beliefsearch import BeliefProblem


class Puzzle(BeliefProblem[str, str, None]):
    """Go to the end."""

    def initial_states(self):
        return ["here"]

    def actions(self, state):
        return ["go"]

    def results(self, state, action):
        return ["end"]

    def is_goal(self, state):
        return state == "end"
'''
SECOND = '''

class Second(Puzzle):
    """Go to the end again."""
'''

OPTIONS = '''
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Literal, Optional

from attrs import Factory, field, frozen
from attrs.validators import ge, in_

from beliefsearch import Problem


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Place:
    def __init__(self, row, col):
        self.row, self.col = row, col

    def __eq__(self, other):
        return (self.row, self.col) == (other.row, other.col)

    def __str__(self):
        return f"{self.row}:{self.col}"

    @classmethod
    def read(cls, text):
        row, colon, col = text.partition(":")
        if not colon:
            raise ValueError(f"{text!r} is not a place such as 1:2")
        return cls(int(row), int(col))


@frozen
class Options(Problem[int, str]):
    """Options of every type."""

    flag: bool = field(default=False, metadata={"help": "a thing to switch on"})
    shut: bool = True
    count: int = field(default=3, validator=ge(1), metadata={"help": "how many there are"})
    ratio: float = 0.5
    word: str = "one"
    maybe: int | None = None
    perhaps: Optional[str] = None
    mode: Literal["slow", "fast"] = field(default="slow", validator=in_(("slow", "fast")))
    faces: Literal[2, 6] = 6
    colour: Colour = Colour.RED
    share: Fraction = Fraction(1, 2)
    where: Path = Path("here")
    place: Place = field(default=Place(1, 2), metadata={"parse": Place.read})
    long_name: int = 7
    _hidden: int = field(default=8)
    renamed: int = field(default=9, metadata={"option": "short"})
    format: str = "plain"  # the command has an option of this name
    table: dict = Factory(dict)  # no text can give it: for Python callers only
    derived: int = field(init=False, default=5)

    def initial_state(self):
        return 0

    def actions(self, state):
        return ["go"]

    def result(self, state, action):
        return 1

    def is_goal(self, state):
        return state == 1
'''
# The words that set an option, its name in files, and its value there.
SETTINGS: list[tuple[list[str], str, object]] = [
    (["--flag"], "flag", True),
    (["--no-flag"], "flag", False),
    (["--no-shut"], "shut", False),
    (["--count", "4"], "count", 4),
    (["--ratio", "0.25"], "ratio", 0.25),
    (["--ratio", "2"], "ratio", 2.0),
    (["--word", "two words"], "word", "two words"),
    (["--word", ""], "word", ""),
    (["--maybe", "0"], "maybe", 0),
    (["--perhaps", "yes"], "perhaps", "yes"),
    (["--mode", "fast"], "mode", "fast"),
    (["--faces", "2"], "faces", "2"),
    (["--colour", "green"], "colour", "green"),
    (["--share", "3/4"], "share", "3/4"),
    (["--where", "there/now"], "where", "there/now"),
    (["--place", "3:4"], "place", "3:4"),
    (["--long-name", "70"], "long-name", 70),
    (["--hidden", "80"], "hidden", 80),
    (["--short", "90"], "short", 90),
    (["--problem-format", "fancy"], "format", "fancy"),
]
DEFAULTS = {
    "flag": False,
    "shut": True,
    "count": 3,
    "ratio": 0.5,
    "word": "one",
    "maybe": None,
    "perhaps": None,
    "mode": "slow",
    "faces": "6",
    "colour": "red",
    "share": "1/2",
    "where": "here",
    "place": "1:2",
    "long-name": 7,
    "hidden": 8,
    "short": 9,
    "format": "plain",
}
REFUSALS: list[tuple[list[str], list[str]]] = [
    (["--count", "0"], ["count", "0"]),
    (["--count", "many"], ["--count", "many"]),
    (["--ratio", "half"], ["--ratio", "half"]),
    (["--mode", "medium"], ["--mode", "medium", "slow", "fast"]),
    (["--faces", "3"], ["--faces", "3"]),
    (["--colour", "blue"], ["--colour", "blue", "green"]),
    (["--share", "1/0"], ["--share", "1/0"]),
    (["--share", "half"], ["--share", "half"]),
    (["--place", "12"], ["--place", "12", "1:2"]),
    (["--table", "{}"], ["--table"]),
    (["--derived", "1"], ["--derived"]),
    (["--flag=yes"], ["--flag"]),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], folder: Path) -> Callable[..., tuple[int, str, str]]:
    """Run a command in this process: exit code, standard output, standard error."""

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main(words)
        assert isinstance(end.value.code, int)
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return run


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Make distributions that seem to be installed: metadata with entry points, and a module."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    before = set(sys.modules)

    def make(distribution: str, points: dict[str, str], module: str = "", source: str = "") -> None:
        info = site / f"{distribution.replace('-', '_')}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n")
        lines = [f"[{GROUP}]", *(f"{name} = {target}" for name, target in points.items())]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        if module:
            (site / f"{module}.py").write_text(source)

    yield make
    for name in set(sys.modules) - before:
        if name.startswith("third_"):
            del sys.modules[name]


# Files and modules.


@pytest.mark.parametrize("reference", ["{0}/puzzle.py", "{0}/puzzle.py:Puzzle", "puzzle.py", "./puzzle.py"])
def test_a_file_is_found_with_and_without_the_name_of_its_class(folder: Path, reference: str) -> None:
    (folder / "puzzle.py").write_text(PUZZLE)
    assert load_problem_class(reference.format(folder)).__name__ == "Puzzle"


@pytest.mark.parametrize("name", ["Puzzle", "Second"])
def test_a_file_that_defines_several_problems_needs_the_name_of_a_class(folder: Path, name: str) -> None:
    (folder / "puzzle.py").write_text(PUZZLE + SECOND)
    assert load_problem_class(f"puzzle.py:{name}").__name__ == name
    with pytest.raises(PluginError, match=r"several.*Puzzle.*Second"):
        load_problem_class("puzzle.py")


def test_a_problem_that_a_file_only_imports_does_not_count_as_its_own(folder: Path) -> None:
    (folder / "third_base.py").write_text(PUZZLE)
    (folder / "puzzle.py").write_text("from third_base import Puzzle" + SECOND)
    assert load_problem_class("puzzle.py").__name__ == "Second"


def test_an_abstract_helper_does_not_count_as_a_problem(folder: Path) -> None:
    helper = "from beliefsearch import Problem\nclass Helper(Problem[int, int]):\n    pass\n"
    (folder / "puzzle.py").write_text(helper + PUZZLE)
    assert load_problem_class("puzzle.py").__name__ == "Puzzle"
    with pytest.raises(PluginError, match=r"Helper.*lacks.*is_goal"):
        load_problem_class("puzzle.py:Helper")


def test_a_file_may_have_helpers_beside_it_and_leaves_the_path_as_it_was(folder: Path) -> None:
    (folder / "third_helper.py").write_text(PUZZLE)
    (folder / "sub").mkdir()
    (folder / "sub" / "third_beside.py").write_text("NAME = 'found'\n")
    (folder / "sub" / "puzzle.py").write_text(PUZZLE + "\n\nfrom third_beside import NAME\nassert NAME == 'found'\n")
    before = list(sys.path)
    assert load_problem_class("sub/puzzle.py").__name__ == "Puzzle"
    assert sys.path == before


def test_two_files_of_one_name_in_two_folders_are_two_plugins(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "puzzle.py").write_text(PUZZLE.replace("class Puzzle", f"class {name.title()}"))
    assert load_problem_class("one/puzzle.py").__name__ == "One"
    assert load_problem_class("two/puzzle.py").__name__ == "Two"


def test_a_module_is_found_by_its_name_and_the_class(folder: Path) -> None:
    (folder / "third_module.py").write_text(PUZZLE + SECOND)
    assert load_problem_class("third_module:Second").__name__ == "Second"
    assert load_problem_class("beliefsearch_problems.devil:DevilProblem").__name__ == "DevilProblem"


@pytest.mark.parametrize(
    ("reference", "complaint"),
    [
        ("gone.py", "gone.py"),
        ("gone.py:Puzzle", "gone.py"),
        ("third_gone:Puzzle", "third_gone"),
        ("puzzle.py:Gone", "Gone.*Puzzle"),
        ("puzzle.py:annotations", "annotations"),
        ("./puzzle.txt", "puzzle.txt"),
        ("./", "folder|file"),
        ("beliefsearch_problems.gone:Gone", "beliefsearch_problems.gone"),
    ],
)
def test_what_is_not_there_is_named(folder: Path, reference: str, complaint: str) -> None:
    (folder / "puzzle.py").write_text("from __future__ import annotations\n" + PUZZLE)
    (folder / "puzzle.txt").write_text(PUZZLE)
    with pytest.raises(PluginError, match=complaint):
        load_problem_class(reference)


def test_a_plugin_that_fails_to_import_says_what_and_why(folder: Path) -> None:
    (folder / "puzzle.py").write_text("import third_that_is_nowhere\n" + PUZZLE)
    with pytest.raises(PluginError, match=r"puzzle.py.*third_that_is_nowhere"):
        load_problem_class("puzzle.py")


# Installed plug-ins.


def listed() -> dict[str, Any]:
    return {listing.name: listing for listing in list_problems()}


def test_an_installed_plugin_is_listed_with_its_summary_and_its_distribution(install: Install) -> None:
    install("third-party", {"puzzle": "third_party:Puzzle"}, "third_party", PUZZLE)
    listing = listed()["puzzle"]
    assert (listing.target, listing.summary, listing.distribution, listing.rivals) == (
        "third_party:Puzzle",
        "Go to the end.",
        "third-party 1.5",
        (),
    )
    assert "third_party" not in sys.modules
    assert {"devil", "lights-out", "nine-tails", "vacuum"} <= set(listed())


def test_an_installed_plugin_is_loaded_by_its_name(install: Install) -> None:
    install("third-party", {"puzzle": "third_party:Second"}, "third_party", PUZZLE + SECOND)
    assert load_problem_class("puzzle").__name__ == "Second"


def test_the_command_line_lists_describes_and_runs_an_installed_plugin(
    install: Install, cli: Callable[..., tuple[int, str, str]]
) -> None:
    install("third-party", {"puzzle": "third_party:Puzzle"}, "third_party", PUZZLE)
    code, out, _ = cli("run", "puzzle", "--format", "json", "--output", "plan.json")
    assert (code, json.loads(out)["plan"]) == (0, ["go"])
    assert cli("verify", "plan.json")[0] == 0
    assert "Go to the end." in cli("describe", "puzzle")[1]
    line = next(line for line in cli("list")[1].splitlines() if line.startswith("puzzle "))
    assert "Go to the end." in line
    assert "third-party 1.5" in line


@pytest.mark.parametrize(
    ("source", "summary", "reason"),
    [
        ("raise RuntimeError('out of order')\n" + PUZZLE, "Go to the end.", "RuntimeError: out of order"),
        ("import third_that_is_nowhere\n" + PUZZLE, "Go to the end.", "third_that_is_nowhere"),
        (PUZZLE + "\ndef broken(:\n", None, "line"),
        (PUZZLE.replace("Puzzle", "Other"), None, "Puzzle"),
        ("", None, "Puzzle"),
        (None, None, "third_broken"),
    ],
    ids=["raises", "lacks an import", "syntax error", "no such class", "empty", "no such module"],
)
def test_a_broken_plugin_is_listed_and_says_why_when_asked_for_and_stops_no_other(
    install: Install,
    cli: Callable[..., tuple[int, str, str]],
    source: str | None,
    summary: str | None,
    reason: str,
) -> None:
    install("broken-one", {"broken": "third_broken:Puzzle"}, "third_broken" if source is not None else "", source or "")
    install("good-one", {"good": "third_good:Puzzle"}, "third_good", PUZZLE)
    assert listed()["broken"].summary == summary
    code, out, err = cli("list")
    assert (code, err) == (0, "")
    assert {"broken", "good", "devil"} <= {line.split()[0] for line in out.splitlines()}
    code, out, err = cli("run", "broken")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "broken" in err
    assert reason in err
    assert cli("run", "good")[0] == 0


def test_a_name_that_two_distributions_claim_is_reported_when_asked_for(
    install: Install, cli: Callable[..., tuple[int, str, str]]
) -> None:
    install("first-one", {"puzzle": "third_first:Puzzle", "other": "third_first:Puzzle"}, "third_first", PUZZLE)
    install("second-one", {"puzzle": "third_second:Puzzle"}, "third_second", PUZZLE)
    assert {listed()["puzzle"].distribution, *listed()["puzzle"].rivals} == {"first-one 1.5", "second-one 1.5"}
    with pytest.raises(PluginError) as caught:
        load_problem_class("puzzle")
    for culprit in ("puzzle", "first-one", "second-one", "third_first:Puzzle", "third_second:Puzzle"):
        assert culprit in str(caught.value)
    code, out, err = cli("run", "puzzle")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert load_problem_class("other").__name__ == "Puzzle"
    assert load_problem_class("third_second:Puzzle").__name__ == "Puzzle"
    line = next(line for line in cli("list")[1].splitlines() if line.startswith("puzzle "))
    assert "first-one" in line
    assert "second-one" in line


def test_a_name_of_ours_that_another_claims_too_is_reported(install: Install) -> None:
    install("rival", {"devil": "third_rival:Puzzle"}, "third_rival", PUZZLE)
    with pytest.raises(PluginError, match="rival"):
        load_problem_class("devil")


@pytest.mark.parametrize(
    ("name", "near"), [("devli", "devil"), ("Devil", "devil"), ("ninetails", "nine-tails"), ("vaccum", "vacuum")]
)
def test_an_unknown_name_is_answered_with_the_nearest_known_one(name: str, near: str) -> None:
    with pytest.raises(UnknownProblemError, match=f"did you mean '{near}'"):
        load_problem_class(name)


# Options.


@pytest.fixture
def options_class(folder: Path) -> Any:
    (folder / "options.py").write_text(OPTIONS)
    return load_problem_class("options.py")


def test_every_field_that_a_text_can_give_is_an_option_with_its_default(options_class: Any) -> None:
    options = {option.name: option for option in options_of(options_class)}
    assert {name: option.written_default() for name, option in options.items()} == DEFAULTS
    assert options["count"].help == "how many there are"
    assert list(options["mode"].choices) == ["slow", "fast"]
    assert list(options["colour"].choices) == ["red", "green"]
    assert not any(option.required for option in options.values())


@pytest.mark.parametrize(("words", "name", "value"), SETTINGS, ids=[" ".join(words) for words, _, _ in SETTINGS])
def test_an_option_of_every_type_is_read_written_to_a_file_and_read_again(
    cli: Callable[..., tuple[int, str, str]], folder: Path, words: list[str], name: str, value: object
) -> None:
    (folder / "options.py").write_text(OPTIONS)
    code, out, err = cli("run", "./options.py", *words, "--format", "json", "--output", "plan.json")
    assert (code, err) == (0, "")
    expected = {**DEFAULTS, name: value}
    assert json.loads(out)["parameters"] == expected
    assert type(json.loads(out)["parameters"][name]) is type(value)
    code, out, err = cli("verify", "plan.json", "--problem", "./options.py")
    assert (code, err) == (0, "")


def test_options_arrive_as_values_of_their_types(options_class: Any) -> None:
    values = {"colour": "green", "faces": "2", "share": "3/4", "where": "x", "place": "3:4", "maybe": None}
    problem: Any = make_problem(options_class, values)
    assert (problem.colour.name, problem.faces, problem.share, problem.where, problem.maybe) == (
        "GREEN",
        2,
        Fraction(3, 4),
        Path("x"),
        None,
    )
    assert (problem.place.row, problem.place.col) == (3, 4)
    assert parameters_of(options_of(options_class), values) == {**DEFAULTS, **values}


@pytest.mark.parametrize(("words", "culprits"), REFUSALS, ids=[" ".join(words) for words, _ in REFUSALS])
def test_a_value_that_an_option_cannot_have_is_named_in_one_line(
    cli: Callable[..., tuple[int, str, str]], folder: Path, words: list[str], culprits: list[str]
) -> None:
    (folder / "options.py").write_text(OPTIONS)
    code, out, err = cli("run", "./options.py", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "bug of beliefsearch" not in err
    for culprit in culprits:
        assert culprit in err


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("flag", 1),
        ("flag", "yes"),
        ("count", "3"),
        ("count", 3.5),
        ("count", True),
        ("ratio", "0.5"),
        ("word", 1),
        ("mode", "medium"),
        ("mode", ["slow"]),
        ("colour", "blue"),
        ("share", "half"),
    ],
)
def test_a_file_that_holds_another_type_is_refused(options_class: Any, name: str, written: object) -> None:
    option = next(option for option in options_of(options_class) if option.name == name)
    with pytest.raises(ValueError, match=re.escape(str(written))):
        option.value(written)


def test_a_required_option_must_be_given(cli: Callable[..., tuple[int, str, str]], folder: Path) -> None:
    source = "from attrs import frozen\n" + PUZZLE.replace("class", "@frozen\nclass") + "\n    size: int\n"
    (folder / "puzzle.py").write_text(source)
    code, out, err = cli("run", "./puzzle.py")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "size" in err
    assert cli("run", "./puzzle.py", "--size", "4")[0] == 0


def test_options_may_stand_before_the_problem_too(cli: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = cli("run", "--n", "2", "devil", "--format", "json")
    assert (code, json.loads(out)["parameters"]["n"]) == (0, 2)


def test_a_class_without_attrs_has_no_options_and_runs(cli: Callable[..., tuple[int, str, str]], folder: Path) -> None:
    (folder / "puzzle.py").write_text(PUZZLE)
    assert options_of(load_problem_class("puzzle.py")) == []
    code, out, _ = cli("run", "./puzzle.py", "--format", "json")
    assert (code, json.loads(out)["parameters"]) == (0, {})


@pytest.mark.parametrize("command", ["run", "show", "check"])
def test_help_tells_the_options_of_the_problem(
    cli: Callable[..., tuple[int, str, str]], folder: Path, command: str
) -> None:
    (folder / "options.py").write_text(OPTIONS)
    code, out, err = cli(command, "./options.py", "--help")
    assert (code, err) == (0, "")
    text = " ".join(out.split())
    assert "--count INTEGER how many there are [default: 3]" in text
    assert "--flag / --no-flag a thing to switch on" in text
    assert "[slow|fast]" in text
    assert "[red|green]" in text


def test_an_error_of_a_validator_is_a_problem_error_of_one_line(options_class: Any) -> None:
    with pytest.raises(ProblemError, match="count") as caught:
        make_problem(options_class, {"count": 0})
    assert "\n" not in str(caught.value)


def test_annotations_that_are_postponed_are_understood(folder: Path) -> None:
    (folder / "options.py").write_text("from __future__ import annotations\n" + OPTIONS)
    options = {option.name: option for option in options_of(load_problem_class("options.py"))}
    assert {name: option.written_default() for name, option in options.items()} == DEFAULTS


def test_a_class_that_inherits_options_has_them_too(folder: Path) -> None:
    (folder / "options.py").write_text(OPTIONS + "\n\n@frozen\nclass More(Options):\n    extra: int = 1\n")
    cls: Any = load_problem_class("options.py:More")
    assert {option.name for option in options_of(cls)} == {*DEFAULTS, "extra"}
    problem: Any = make_problem(cls, {"extra": 2, "count": 4})
    assert (problem.extra, problem.count) == (2, 4)
