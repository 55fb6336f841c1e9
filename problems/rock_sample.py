"""RockSample: a rover that senses from afar which rocks are worth a visit."""

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import cached_property
from math import hypot
from typing import Any, TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import Drawing, KnownAnswer, StochasticProblem
from beliefsearch.hooks import ChanceArrayHook, PerceptChanceArrays

from ._fractions import DISCOUNT, as_fraction, is_discount
from ._pictures import mazes
from ._pictures.parts import COMPASS, agreed, edge_arrow
from ._pictures.rooms import Room

Rocks: TypeAlias = tuple[bool, ...]
"""By rock, whether it is good."""
Rover: TypeAlias = "tuple[int, int, Rocks] | None"
"""Column and row of the rover, both from 0, from the bottom left, and the rocks; None once it has left the field."""

_MOVES = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
# The maps of the paper and of the programs that are compared on them: rocks, and where the rover begins.
_MAPS = {
    (4, 4): (((3, 1), (2, 1), (1, 3), (1, 0)), (0, 2)),
    (5, 5): (((2, 4), (0, 4), (3, 3), (2, 2), (4, 1)), (0, 2)),
    (7, 8): (((2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6)), (0, 3)),
}
# How far the sensor reaches: at this distance it is right three times in four.
_HALF = 20


@frozen
class RockSampleProblem(StochasticProblem[Rover, str, str], ChanceArrayHook[Rover, str]):
    """A rover on a field of rocks: which are good, can be sensed from afar, the worse the farther.

    Story
    -----
    A rover drives over a square field on which there are rocks. Each is good or bad with the same probability. To
    sample a good rock brings 10, a bad one costs 10, and a rock that was sampled is bad from then on. The rover may
    check a rock from wherever it is, with a sensor that is the less reliable the farther the rock is. It brings
    10 to leave the field on the east side. Which rocks are worth a detour, and when is it worth looking first?

    Formal model
    ------------
    A state is the rover's cell and which rocks are good; the cell is known, the rocks are perceived by `check` only:
    at the distance d rightly with the probability (1 + 2^(-d / 20)) / 2. To bump into another side, and to sample where
    there is no rock, costs 100. Rewards are discounted by 0.95. Fields of 4 x 4 with 4 rocks, 5 x 5 with 5 and 7 x 7
    with 8 are as published; on others the rocks are spread evenly.

    Source
    ------
    T. Smith, R. Simmons, "Heuristic search value iteration for POMDPs" (UAI 2004).

    Known answers
    -------------
    On a field of one cell with a rock, by hand: check it, which is sure there; sample it if it is good; leave. That
    is 0.95 (10 / 2 + (10 + 0.95 10) / 2) = 14.0125, and to leave at once 10. Without rocks on 2 x 2 it is 0.95 10.
    """

    known_answers = (
        KnownAnswer({"size": 1, "rocks": 1}, 14.0125, within=1e-9),
        KnownAnswer({"size": 1, "rocks": 1}, Fraction(140_125, 10_000), horizon=3),
        KnownAnswer({"size": 2, "rocks": 0}, Fraction(95, 10), horizon=2),
    )

    size: int = field(default=4, validator=ge(1), metadata={"help": "columns and rows of the field"})
    rocks: int = field(default=4, validator=ge(0), metadata={"help": "number of rocks"})
    discounted: Fraction = field(
        default=Fraction(95, 100), converter=as_fraction, validator=is_discount, metadata=DISCOUNT
    )

    def __attrs_post_init__(self) -> None:
        if self.rocks > self.size**2:
            raise ValueError(f"rocks: a field of {self.size} x {self.size} has no room for {self.rocks} rocks")
        if self.rocks > 20:
            raise ValueError(f"rocks: with {self.rocks} there are too many states to begin with; take at most 20")

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The cells of the rocks."""
        if (self.size, self.rocks) in _MAPS:
            return _MAPS[self.size, self.rocks][0]
        cells = self.size**2
        # A step that has no factor in common with the number of cells meets each of them.
        step = next(step for step in range(3, 4 * cells + 4) if Fraction(step, cells).denominator == cells)
        return tuple(divmod(place * step % cells, self.size)[::-1] for place in range(1, self.rocks + 1))

    @cached_property
    def _start(self) -> tuple[int, int]:
        return _MAPS[self.size, self.rocks][1] if (self.size, self.rocks) in _MAPS else (0, self.size // 2)

    def initial_distribution(self) -> list[tuple[Fraction, Rover]]:
        share = Fraction(1, 2**self.rocks)
        rocks = [tuple(bool(number >> rock & 1) for rock in range(self.rocks)) for number in range(2**self.rocks)]
        return [(share, (*self._start, good)) for good in rocks]

    def actions(self, state: Rover) -> tuple[str, ...]:
        return self._actions

    @cached_property
    def _actions(self) -> tuple[str, ...]:
        return (*_MOVES, "sample", *(f"check-{rock}" for rock in range(1, self.rocks + 1)))

    def outcomes(self, state: Rover, action: str) -> list[tuple[int, Rover]]:
        assert state is not None, "the rover is on the field"
        x, y, good = state
        if action == "sample" and (x, y) in self.places:
            rock = self.places.index((x, y))
            return [(1, (x, y, (*good[:rock], False, *good[rock + 1 :])))]
        if action in _MOVES:
            across, up = _MOVES[action]
            if x + across == self.size:
                return [(1, None)]
            if x + across >= 0 and 0 <= y + up < self.size:
                return [(1, (x + across, y + up, good))]
        return [(1, state)]

    def percept_distribution(self, state: Rover, action: str) -> list[tuple[Fraction, str]]:
        if state is None or not action.startswith("check-"):
            return [(Fraction(1), "nothing")]
        x, y, good = state
        rock = int(action.removeprefix("check-")) - 1
        if (x, y, rock) not in self._sensors:  # few are asked about for very many states
            right = self._reliability(x, y, rock)
            self._sensors[x, y, rock] = right, 1 - right
        right, wrong = self._sensors[x, y, rock]
        seen, other = ("good", "bad") if good[rock] else ("bad", "good")
        return [(right, seen), (wrong, other)]

    @cached_property
    def _sensors(self) -> dict[tuple[int, int, int], tuple[Fraction, Fraction]]:
        """The probabilities that the sensor is right and wrong, by cell and rock, as far as it is known."""
        return {}

    def _reliability(self, x: int, y: int, rock: int) -> Fraction:
        """The probability that the sensor is right, to six digits, so that probabilities are exact fractions."""
        distance = hypot(x - self.places[rock][0], y - self.places[rock][1])
        return Fraction(round((1 + 2 ** (-distance / _HALF)) / 2 * 10**6), 10**6)

    def reward(self, state: Rover, action: str) -> int:
        assert state is not None, "the rover is on the field"
        x, y, good = state
        if action == "sample":
            return (10 if good[self.places.index((x, y))] else -10) if (x, y) in self.places else -100
        if action in _MOVES:
            across, up = _MOVES[action]
            if x + across == self.size:
                return 10
            return 0 if x + across >= 0 and 0 <= y + up < self.size else -100
        return 0

    def is_terminal(self, state: Rover) -> bool:
        return state is None

    def discount(self) -> Fraction:
        return self.discounted

    def arrays(self, tick: Callable[[int], None]) -> PerceptChanceArrays[Rover, str, str]:
        """A state has the number `cell * 2**rocks + good`, the cell of the rover counted row by row."""
        import numpy as np

        masks = 1 << self.rocks
        numbers = np.arange(self.size**2 * masks, dtype=np.int32)
        good = numbers % masks
        x, y = numbers // masks % self.size, numbers // masks // self.size
        one = np.array(1)
        outcomes, rewards, percepts = {}, {}, {}
        for action, (across, up) in _MOVES.items():
            inside = (x + across >= 0) & (x + across < self.size) & (y + up >= 0) & (y + up < self.size)
            leaves = x + across == self.size
            after = np.where(inside, numbers + (across + up * self.size) * masks, numbers)
            outcomes[action] = np.where(leaves, -1, after), one
            rewards[action] = np.where(leaves, 10, np.where(inside, 0, -100))
        after, reward = numbers.copy(), np.full(len(numbers), -100)
        rows: list[list[tuple[Fraction, str]]] = [[(Fraction(1), "nothing")]]
        for rock, (column, row) in enumerate(self.places):
            here, bit = (x == column) & (y == row), good >> rock & 1
            after[here] = numbers[here] & ~(1 << rock)
            reward[here] = np.where(bit[here], 10, -10)
            check = f"check-{rock + 1}"
            rights = [self._reliability(cell % self.size, cell // self.size, rock) for cell in range(self.size**2)]
            first_of = {right: len(rows) + 2 * place for place, right in enumerate(dict.fromkeys(rights))}
            for right in first_of:
                rows += ([(right, seen), (1 - right, other)] for seen, other in (("bad", "good"), ("good", "bad")))
            outcomes[check] = numbers, one
            percepts[check] = np.repeat([first_of[right] for right in rights], masks) + bit
        outcomes = {action: outcomes.get(action, (after, one)) for action in self._actions}
        start = self._number((*self._start, (False,) * self.rocks)) + np.arange(masks)
        share = np.array(Fraction(1, masks), object)
        return PerceptChanceArrays(
            _States(self), (start, share), outcomes, {**rewards, "sample": reward}, percepts, rows
        )

    def _number(self, state: Rover) -> int:
        assert state is not None, "the rover is on the field"
        x, y, good = state
        return ((y * self.size + x) << self.rocks) + sum(each << rock for rock, each in enumerate(good))

    def format_state(self, state: Rover) -> str:
        if state is None:
            return "left the field"
        x, y, good = state
        rocks = "".join("+" if each else "-" for each in good)
        return f"{x},{y} {rocks}".rstrip()

    def describe_action(self, action: str) -> str:
        if action.startswith("check-"):
            return f"Check rock {action.removeprefix('check-')}"
        return "Sample the rock" if action == "sample" else f"Go {action}"

    # How the field, beliefs and actions are drawn.

    def svg_state(self, state: Rover) -> Drawing:
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[Rover]) -> Drawing:
        """The rover, and which rocks are certainly good or bad."""
        there = [state for state in states if state is not None]
        good = agreed([state[2] for state in there], None) or [None] * self.rocks
        rocks = {(x + 1, y + 1): each for (x, y), each in zip(self.places, good, strict=True)}
        return mazes.field(self._picture, {(x + 1, y + 1) for x, y, _ in there}, rocks)

    def svg_action(self, action: str) -> Drawing | None:
        if action in _MOVES:
            return edge_arrow(self._picture.width, self._picture.height, COMPASS[action.capitalize()])
        if action == "sample":
            return None
        x, y = self.places[int(action.removeprefix("check-")) - 1]
        return mazes.checked(self._picture, (x + 1, y + 1))

    @cached_property
    def _picture(self) -> Room:
        return Room(self.size, self.size)


@frozen
class _States(Sequence[Rover]):
    """The states in which the rover is on the field, by number."""

    problem: RockSampleProblem

    def __len__(self) -> int:
        return self.problem.size**2 << self.problem.rocks

    def __getitem__(self, place: Any) -> Any:
        found = range(len(self))[place]
        return self._at(found) if isinstance(found, int) else [*map(self._at, found)]

    def _at(self, number: int) -> Rover:
        cell, good = divmod(number, 1 << self.problem.rocks)
        y, x = divmod(cell, self.problem.size)
        return x, y, tuple(bool(good >> rock & 1) for rock in range(self.problem.rocks))
