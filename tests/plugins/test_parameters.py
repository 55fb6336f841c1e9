"""Parameters in files: they identify an instance, whatever becomes of the defaults of its class."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Optional

import attrs
import pytest
from attrs import Factory, field, fields, frozen

from beliefsearch import Problem, ProblemError
from beliefsearch.errors import PluginError
from beliefsearch.plugins.installed import list_problems
from beliefsearch.plugins.options import make_problem, options_of, parameters_of
from beliefsearch.tools import load_problem_class

from ..answers import assert_one_line
from ..conftest import Run
from ..toys import toy

NAMES = [listing.name for listing in list_problems() if listing.distribution.startswith("beliefsearch ")]


class Colour(Enum):
    RED = "red"
    GREEN = "green"


@frozen
class Place:
    row: int
    col: int

    @classmethod
    def read(cls, text: str) -> Place:
        row, col = text.split(":")
        return cls(int(row), int(col))

    def text(self) -> str:
        return f"{self.row}:{self.col}"


@frozen
class Toy(Problem[int, str]):
    """A problem with options of every type."""

    flag: bool = True
    count: int = 3
    ratio: float = 0.1
    limit: float = math.inf
    word: str = "one"
    maybe: int | None = None
    perhaps: Optional[str] = None  # noqa: UP045  # written as some do
    mode: Literal["slow", "fast"] = "fast"
    faces: Literal[2, 6] = 6
    colour: Colour = Colour.GREEN
    share: Fraction = Fraction(1, 3)
    where: Path = Path("here/there")
    place: Place | None = field(default=None, metadata={"parse": Place.read, "format": Place.text})
    other: Place = field(default=Place(1, 2), metadata={"parse": Place.read, "format": Place.text})
    steps: tuple[int, ...] = field(
        default=(2, 3),
        metadata={
            "parse": lambda text: tuple(map(int, text.split(","))),
            "format": lambda steps: ",".join(map(str, steps)),
        },
    )
    fresh: str = Factory(lambda: "new")
    double: int = Factory(lambda self: 2 * self.count, takes_self=True)
    named: str = field(default="x", alias="called", metadata={"option": "short"})

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> list[str]:
        return ["go"]

    def result(self, state: int, action: str) -> int:
        return 1

    def is_goal(self, state: int) -> bool:
        return state == 1


def other_defaults(cls: Any) -> Any:
    """The same class in a later version, in which each default that can be has become another one."""
    changed: dict[type, Any] = {
        bool: lambda v: not v,
        int: lambda v: v + 1,
        float: lambda v: 0.75,
        str: lambda v: v + "x",
    }

    def transform(_: type, attributes: list[Any]) -> list[Any]:
        made = []
        for attribute in attributes:
            default: Any = attribute.default
            if isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a class, whatever its type says
                default = Factory(lambda self: -77, takes_self=True) if default.takes_self else Factory(lambda: "newer")
            elif type(default) in changed and default is not attrs.NOTHING:
                default = changed[type(default)](default)
            made.append(attribute.evolve(default=default))
        return made

    return attrs.make_class(
        cls.__name__, {}, bases=(cls,), frozen=True, slots=False, field_transformer=transform, collect_by_mro=True
    )


def through_a_file(parameters: Mapping[str, object]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(parameters, allow_nan=False))
    return data


def values(problem: Any) -> dict[str, Any]:
    return {each.name: getattr(problem, each.name) for each in fields(type(problem)) if each.init}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_names_every_option_of_every_installed_puzzle(name: str) -> None:
    cls: Any = load_problem_class(name)
    later: Any = other_defaults(cls)
    given: list[Mapping[str, object]] = [{}, *(known.options for known in cls.known_answers)]
    for written in given:
        try:
            problem = make_problem(cls, written)
        except ProblemError:
            continue  # an option that is required
        parameters = parameters_of(options_of(cls), written, problem)
        assert parameters.keys() == {option.name for option in options_of(cls)}
        again = make_problem(cls, through_a_file(parameters))
        assert values(again) == values(problem)
        assert values(make_problem(later, through_a_file(parameters))) == values(problem)


def test_a_file_names_every_option_of_a_plugin_too() -> None:
    problem: Any = Toy()
    parameters = parameters_of(options_of(Toy), {}, problem)
    assert parameters == {
        "flag": True,
        "count": 3,
        "ratio": 0.1,
        "limit": "inf",
        "word": "one",
        "maybe": None,
        "perhaps": None,
        "mode": "fast",
        "faces": "6",
        "colour": "green",
        "share": "1/3",
        "where": "here/there",
        "place": None,
        "other": "1:2",
        "steps": "2,3",
        "fresh": "new",
        "double": 6,
        "short": "x",
    }
    assert make_problem(Toy, through_a_file(parameters)) == problem
    later: Any = make_problem(other_defaults(Toy), through_a_file(parameters))
    assert values(later) == values(problem)
    assert values(make_problem(other_defaults(Toy), {})) != values(problem)


def test_none_is_a_value_where_the_type_says_so_whatever_the_default() -> None:
    @frozen
    class Later(Toy):
        maybe: int | None = 8
        place: Place | None = field(default=Place(5, 5), metadata={"parse": Place.read, "format": Place.text})

    problem: Any = make_problem(Later, through_a_file(parameters_of(options_of(Toy), {}, Toy())))
    assert (problem.maybe, problem.place) == (None, None)


def test_a_default_that_depends_on_other_options_is_written_as_it_came_out() -> None:
    problem: Any = make_problem(Toy, {"count": 5})
    assert parameters_of(options_of(Toy), {"count": 5}, problem)["double"] == 10
    assert make_problem(Toy, {"count": 5, "double": None}) == problem  # as in files of old


def test_a_default_that_no_text_gives_is_an_error_when_a_file_is_written() -> None:
    @frozen
    class Wordless(Toy):
        steps: tuple[int, ...] = field(
            default=(2, 3), metadata={"parse": lambda text: tuple(map(int, text.split(",")))}
        )

    with pytest.raises(PluginError, match=r"--steps cannot be written.*'format'"):
        parameters_of(options_of(Wordless), {}, Wordless())
    assert parameters_of(options_of(Wordless), {"steps": "1,3"}, Wordless())["steps"] == "1,3"


WORDLESS = toy("wordless")


@pytest.mark.parametrize(
    "words", [["run", "--output", "p"], ["run", "--format", "json"], ["prove", "--certificate", "p"]]
)
def test_that_is_told_before_the_search_begins(cli: Run, words: list[str]) -> None:
    Path("wordless.py").write_text(WORDLESS)
    command, *options = words
    found = cli(command, "./wordless.py", *options)
    assert_one_line(found, "--steps")
    assert "search has begun" not in found[2]
    assert "search has begun" in cli(command, "./wordless.py")[2]
    assert "cannot be written" not in cli(command, "./wordless.py", *options, "--steps", "1,2")[2]


@pytest.mark.parametrize("written", ["Infinity", "nan", "1e3", "INF"])
def test_a_float_is_a_number_or_infinite_and_no_other_text(written: str) -> None:
    with pytest.raises(ProblemError, match="is not a number"):
        make_problem(Toy, {"limit": written})
