"""The vacuum world: clean every square, with or without sensors."""

from collections.abc import Collection, Iterable
from functools import partial
from itertools import product
from math import inf
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.hooks import Factor, FactoredHook

from ._pictures.machines import Floor as FloorPicture
from ._pictures.parts import edge_arrow
from ._vacuum_square import OneSquare, Square, with_place

Floor: TypeAlias = tuple[int, str]
"""The square the vacuum is on, from 0 at the left, and the squares: `*` dirty, `.` clean."""

Sight: TypeAlias = tuple[int, str]
"""The vacuum's square, and what is perceived: that square, or with full sensing all squares."""

Act: TypeAlias = Literal["Left", "Right", "Suck"]

_ACTS: tuple[Act, ...] = ("Left", "Right", "Suck")
_DIRT = {"*": "dirty", ".": "clean"}
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def parse_floor(text: str) -> Floor:
    """A floor of any length from `*[.]*`."""
    floor = text.replace("[", "").replace("]", "")
    place = text.find("[")
    if not floor or not set(floor) <= {"*", "."} or text != _written((place, floor)):
        raise ValueError("it should be a row of * and ., with brackets around the vacuum's square, such as [*]*")
    return place, floor


def parse_sight(text: str) -> Sight:
    """A square and its dirt from `A dirty`; squares beyond Z have numbers, AA would be 27."""
    words = text.replace(",", " ").split()
    if len(words) == 2:
        square, dirt = words[0].upper(), words[1].lower()
        place = _LETTERS.index(square) if square in list(_LETTERS) else int(square) - 1 if square.isdecimal() else -1
        for mark, name in _DIRT.items():
            if dirt == name and place >= 0:
                return place, mark
    raise ValueError(
        "it should be a square and 'dirty' or 'clean', such as 'A dirty'; squares are A, B, C from the left"
    )


def _written(floor: Floor) -> str:
    place, squares = floor
    return f"{squares[:place]}[{squares[place]}]{squares[place + 1 :]}"


@frozen
class VacuumProblem(BeliefProblem[Floor, Act, Sight], FactoredHook[Floor, Act]):
    """Clean a row of squares with a vacuum that may sense neither dirt nor place.

    Story
    -----
    A vacuum cleaner stands on one of N squares in a row; any of them may be dirty. It can move left or
    right, where a wall stops it at the ends, and suck up the dirt of its square. It has no sensor at
    all. Which sequence of actions leaves every square clean, wherever it starts? And which plan does,
    if it sees the square it is on, but does not work as it should?

    Formal model
    ------------
    A state is the place of the vacuum and the dirt of every square; all N * 2^N are possible at the
    start. Actions are deterministic and cost 1. Nothing is perceived. A clean floor is the goal;
    nothing stops when it is reached.

    Variants: an erratic vacuum that sucks on a dirty square cleans it and sometimes one neighbour too, and on a
    clean square sometimes drops dirt there (`--variant erratic`); a slippery one sometimes stays where it
    is when it should move (`--variant slippery`). After each action the vacuum may see which square it is on
    and whether that is dirty (`--sensing local`), or the whole floor (`--sensing full`). What it saw
    before the first action is `--seen "A dirty"`; the whole floor is `--start "[*]*"`.

    Source
    ------
    Russell and Norvig, "Artificial Intelligence: A Modern Approach", 4th edition: sections 4.3.1 (erratic),
    4.3.3 (slippery), 4.4.1 (no sensing), 4.4.2 and 4.4.3 (local sensing).

    Known answers
    -------------
    2 squares take 4 actions, such as Right, Suck, Left, Suck; 3 take 7; N take 3N - 2. With 2 squares and
    full sensing from [*]*: erratic at most 3, Suck and, if B is still dirty, Right, Suck; slippery no number
    of actions suffices, since Right may fail any number of times, but a cyclic plan does. With local sensing, A being
    seen to be dirty: at most 3, Suck, Right and, if B is dirty, Suck. An erratic vacuum that senses nothing can
    clean nothing for certain. Found by brute force over beliefs: local sensing, nothing known at the
    start, 3, 6 and 8 actions for 2, 3 and 4 squares; erratic 4, 7 and 9.
    """

    known_answers = (
        KnownAnswer({"squares": 2}, 4),
        KnownAnswer({"squares": 3}, 7),
        KnownAnswer({"sensing": "local", "seen": "A dirty"}, 3),
        KnownAnswer({"sensing": "local", "squares": 4}, 8),
        KnownAnswer({"sensing": "full", "variant": "erratic", "start": "[*]*"}, 3),
        KnownAnswer({"sensing": "full", "variant": "slippery", "start": "[*]*"}, inf),
        KnownAnswer({"variant": "erratic"}, None),
    )

    squares: int = field(default=2, validator=ge(1), metadata={"help": "number of squares in the row"})
    sensing: Literal["none", "local", "full"] = field(
        default="none",
        validator=in_(("none", "local", "full")),
        metadata={"help": "what is seen after an action: nothing, the vacuum's square and its dirt, or everything"},
    )
    variant: Literal["deterministic", "erratic", "slippery"] = field(
        default="deterministic",
        validator=in_(("deterministic", "erratic", "slippery")),
        metadata={"help": "whether Suck may do more than it should, or moves may fail"},
    )
    seen: Sight | None = field(
        default=None,
        metadata={
            "help": "the vacuum's square at the start, such as 'A dirty'; default: unknown",
            "parse": parse_sight,
        },
    )
    start: Floor | None = field(
        default=None,
        metadata={"help": "the whole floor at the start, such as '[*]*'; default: unknown", "parse": parse_floor},
    )

    def __attrs_post_init__(self) -> None:
        if self.seen is not None and self.start is not None:
            raise ValueError("seen and start exclude each other; start already fixes what is seen")
        if self.seen is not None and self.seen[0] >= self.squares:
            raise ValueError(
                f"seen: there is no square {_name(self.seen[0])}; with {self.squares} squares the last is "
                f"{_name(self.squares - 1)}"
            )
        if self.start is not None and len(self.start[1]) != self.squares:
            raise ValueError(f"start: {_written(self.start)!r} has {len(self.start[1])} squares, not {self.squares}")

    def initial_states(self) -> Iterable[Floor]:
        if self.start is not None:
            return (self.start,)
        floors = map("".join, product("*.", repeat=self.squares))
        everything = ((place, floor) for floor in floors for place in range(self.squares))
        return (state for state in everything if self.seen in (None, _local(state)))

    def actions(self, state: Floor) -> tuple[Act, ...]:
        return _ACTS

    def results(self, state: Floor, action: Act) -> tuple[Floor, ...]:
        place, floor = state
        if action == "Suck":
            return tuple((place, after) for after in self._floors_after_sucking(place, floor))
        return tuple((after, floor) for after in self.places_after(place, action))

    def places_after(self, place: int, action: Act) -> tuple[int, ...]:
        """The squares where a move may lead."""
        moved = max(place - 1, 0) if action == "Left" else min(place + 1, self.squares - 1)
        return (moved, place) if self.variant == "slippery" and moved != place else (moved,)

    def _floors_after_sucking(self, place: int, floor: str) -> list[str]:
        clean = _with(floor, place, ".")
        if self.variant != "erratic":
            return [clean]
        if floor[place] == ".":
            return [floor, _with(floor, place, "*")]
        beside = (other for other in (place - 1, place + 1) if 0 <= other < self.squares and floor[other] == "*")
        return [clean, *(_with(clean, other, ".") for other in beside)]

    def percepts(self, state: Floor, action: Act) -> tuple[Sight | None]:
        if self.sensing == "none":
            return (None,)
        return (_local(state) if self.sensing == "local" else state,)

    def is_sensorless(self) -> bool:
        return self.sensing == "none"

    def is_goal(self, state: Floor) -> bool:
        return "*" not in state[1]

    def factors(self) -> list[Factor[Act]] | None:
        """Each square, with the place of the vacuum; none if it is erratic, or if sensors tell what is together."""
        if self.variant == "erratic" or not self.is_sensorless():
            return None
        return [
            Factor(Square(number, self._starts_of(number), self.places_after), _ACTS, partial(with_place, number))
            for number in range(self.squares)
        ]

    def _starts_of(self, number: int) -> list[OneSquare]:
        if self.start is not None:
            return [with_place(number, self.start)]
        everything = product(range(self.squares), "*.")
        seen = self.seen
        return [
            (at, dirt)
            for at, dirt in everything
            if seen is None or (at == seen[0] and (number != at or dirt == seen[1]))
        ]

    def count_starts(self) -> int:
        if self.start is not None:
            return 1
        known = self.seen is not None
        return 1 << (self.squares - 1) if known else self.squares << self.squares

    # How states and actions are written and read.

    def format_state(self, state: Floor) -> str:
        """The squares, the vacuum's own in brackets: `*[.]*`."""
        return _written(state)

    def format_percept(self, percept: Sight | None) -> str:
        """`A, dirty` or, with full sensing, the floor."""
        if percept is None:
            return "nothing"
        return _written(percept) if self.sensing == "full" else f"{_name(percept[0])}, {_DIRT[percept[1]]}"

    def parse_state(self, text: str) -> Floor:
        try:
            state = parse_floor(text)
        except ValueError:
            state = (0, "")
        if len(state[1]) != self.squares:
            raise ValueError(f"{text!r} is not a row of {self.squares} squares such as '[*]{'.' * (self.squares - 1)}'")
        return state

    def parse_action(self, text: str) -> Act:
        """An action by name or by the beginning of its name."""
        matching = [act for act in _ACTS if text and act.lower().startswith(text.lower())]
        if not matching:
            raise ValueError(f"{text!r} is not {', '.join(_ACTS)}, or the beginning of one")
        return matching[0]

    def describe_action(self, action: Act) -> str:
        return "Suck" if action == "Suck" else f"Go {action.lower()}"

    # How floors, beliefs and moves are drawn.

    def svg_state(self, state: Floor) -> Drawing:
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[Floor]) -> Drawing:
        """The vacuum's shadow on every square where it may be, and the dirt that may be there."""
        places = {place for place, _ in states}
        floors = {floor for _, floor in states}
        dirt = {
            square: len(marks) == 1
            for square, column in enumerate(zip(*floors, strict=True))
            if "*" in (marks := set(column))
        }
        return self._picture.drawn({place: len(places) == 1 for place in places}, dirt)

    def svg_action(self, action: Act) -> Drawing | None:
        if action == "Suck":
            return None
        return edge_arrow(self._picture.width, self._picture.height, "left" if action == "Left" else "right")

    @property
    def _picture(self) -> FloorPicture:
        return FloorPicture(tuple(map(_name, range(self.squares))))


def _local(state: Floor) -> Sight:
    return state[0], state[1][state[0]]


def _with(floor: str, place: int, mark: str) -> str:
    return floor[:place] + mark + floor[place + 1 :]


def _name(place: int) -> str:
    return _LETTERS[place] if place < len(_LETTERS) else str(place + 1)
