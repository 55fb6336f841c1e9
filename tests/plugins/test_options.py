"""Plug-ins: how attrs fields become options."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.errors import ProblemError
from beliefsearch.plugins.loading import load_problem_class
from beliefsearch.plugins.options import make_problem, options_of, parameters_of

from ..answers import assert_one_line, stdout_alone
from ..conftest import Run
from ..toys import toy

PUZZLE = toy("puzzle")

OPTIONS = toy("options")
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
    cli: Run, folder: Path, words: list[str], name: str, value: object
) -> None:
    (folder / "options.py").write_text(OPTIONS)
    out = stdout_alone(cli("run", "./options.py", *words, "--format", "json", "--output", "plan.json"))
    expected = {**DEFAULTS, name: value}
    assert json.loads(out)["parameters"] == expected
    assert type(json.loads(out)["parameters"][name]) is type(value)
    stdout_alone(cli("verify", "plan.json", "--problem", "./options.py"))


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
def test_a_value_that_cannot_be_is_named_in_one_line(
    cli: Run, folder: Path, words: list[str], culprits: list[str]
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


def test_a_required_option_must_be_given(cli: Run, folder: Path) -> None:
    source = "from attrs import frozen\n" + PUZZLE.replace("class", "@frozen\nclass") + "\n    size: int\n"
    (folder / "puzzle.py").write_text(source)
    assert_one_line(cli("run", "./puzzle.py"), "size")
    assert cli("run", "./puzzle.py", "--size", "4")[0] == 0


def test_options_may_stand_before_the_problem_too(cli: Run) -> None:
    code, out, _ = cli("run", "--n", "2", "devil", "--format", "json")
    assert (code, json.loads(out)["parameters"]["n"]) == (0, 2)


def test_a_class_without_attrs_has_no_options_and_runs(cli: Run, folder: Path) -> None:
    (folder / "puzzle.py").write_text(PUZZLE)
    assert options_of(load_problem_class("puzzle.py")) == []
    code, out, _ = cli("run", "./puzzle.py", "--format", "json")
    assert (code, json.loads(out)["parameters"]) == (0, {})


@pytest.mark.parametrize("command", ["run", "show", "check"])
def test_help_tells_the_options_of_the_problem(cli: Run, folder: Path, command: str) -> None:
    (folder / "options.py").write_text(OPTIONS)
    text = " ".join(stdout_alone(cli(command, "./options.py", "--help")).split())
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


def test_types_are_those_of_the_file_though_another_one_of_its_name_was_loaded_since(tmp_path: Path) -> None:
    source = PUZZLE.replace("class", "Mode = Literal[{modes}]\n@frozen\nclass") + "\n    mode: Mode\n"
    text = f"from __future__ import annotations\nfrom typing import Literal\nfrom attrs import frozen\n{source}"
    classes = []
    for folder, modes in (("old", "'slow', 'fast'"), ("new", "'loud'")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "modes.py").write_text(text.format(modes=modes))
        classes.append(load_problem_class(str(tmp_path / folder / "modes.py")))
    assert [[*option.choices] for cls in classes for option in options_of(cls)] == [["slow", "fast"], ["loud"]]
