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
