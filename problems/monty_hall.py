"""Monty Hall: three doors, one car, and a host who opens a door."""

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._pictures.doors import Doors

Stage: TypeAlias = tuple[int, tuple[int, ...], str]
"""The door that was picked (0: none yet), the doors the host has opened, and how it ended: `car`, `goat` or nothing."""

_START: Stage = (0, (), "")


@frozen
class MontyHallProblem(StochasticProblem[Stage, int]):
    """Pick a door, see the host open others, and decide whether to stay with it.

    Story
    -----
    Behind one of N doors is a car, behind the others are goats. You pick a door. The host, who knows where the
    car is, opens K of the other doors, all with goats; then you may stay with your door or take another one that
    is closed. Is it better to change?

    Formal model
    ------------
    An action is the number of a door, from 1. The car is behind each door with the same probability; the host
    opens each choice of K doors that he may open with the same probability. A state is what the player has seen:
    the door picked and the doors opened. What the last choice wins is worked out from that by Bayes' rule, over
    all places of the car. The utility is 1 for the car and 0 for a goat. With `--host ignorant` the host does not
    know where the car is either, and opens any K of the other doors: if the car is behind one, the game is lost.

    Source
    ------
    S. Selvin, "A problem in probability" (The American Statistician 29, 1975); J. Rosenthal, "Monty Hall, Monty
    Fall, Monty Crawl" (Math Horizons, 2008), for the host who does not know.

    Known answers
    -------------
    2/3, by changing; (N - 1) / (N (N - 1 - K)) for N doors of which K are opened. With an ignorant host changing
    makes no difference, and the chance is 1/N.
    """

    known_answers = (
        KnownAnswer({}, Fraction(2, 3)),
        KnownAnswer({"host": "ignorant"}, Fraction(1, 3)),
        KnownAnswer({"doors": 5, "opened": 2}, Fraction(2, 5)),
    )

    doors: int = field(default=3, validator=ge(3), metadata={"help": "number of doors, N"})
    opened: int = field(default=1, validator=ge(0), metadata={"help": "how many doors the host opens, K"})
    host: Literal["knowing", "ignorant"] = field(
        default="knowing",
        validator=in_(("knowing", "ignorant")),
        metadata={"help": "whether the host knows where the car is, and never opens that door"},
    )

    def __attrs_post_init__(self) -> None:
        if self.opened > self.doors - 2:
            raise ValueError(f"opened: of {self.doors} doors the host can open {self.doors - 2} at the most")

    def initial_state(self) -> Stage:
        return _START

    def actions(self, state: Stage) -> list[int]:
        return [door for door in range(1, self.doors + 1) if door not in state[1]]

    def outcomes(self, state: Stage, action: int) -> list[tuple[Fraction, Stage]]:
        picked, opened, _ = state
        cars = range(1, self.doors + 1)
        if not picked:
            others = [door for door in cars if door != action]
            found: dict[Stage, Fraction] = {}
            for doors in combinations(others, self.opened):
                for car in cars:
                    after = (action, doors, "goat" if car in doors else "")
                    chance = self._chance_to_open(doors, action, car) / self.doors
                    found[after] = found.get(after, Fraction(0)) + chance
            return [(chance, after) for after, chance in found.items() if chance]
        # The car is behind a closed door: each counts by how likely it made what the host did.
        weights = {car: self._chance_to_open(opened, picked, car) for car in cars if car not in opened}
        wins = weights[action] / sum(weights.values())
        ends = [(wins, (action, opened, "car")), (1 - wins, (action, opened, "goat"))]
        return [(chance, after) for chance, after in ends if chance]

    def _chance_to_open(self, doors: tuple[int, ...], picked: int, car: int) -> Fraction:
        """The probability that the host opens exactly these doors, given where the car is."""
        if self.host == "ignorant":
            return Fraction(1, comb(self.doors - 1, self.opened))
        goats = self.doors - 1 - (car != picked)
        return Fraction(car not in doors, comb(goats, self.opened))

    def is_terminal(self, state: Stage) -> bool:
        return state[2] != ""

    def utility(self, state: Stage) -> int:
        return int(state[2] == "car")

    # How states and actions are written and read.

    def format_state(self, state: Stage) -> str:
        """The door picked, the doors opened, the end: `picked 1, opened 3, car`."""
        picked, opened, end = state
        parts = [
            f"picked {picked}" if picked else "start",
            f"opened {' '.join(map(str, opened))}" if opened else "",
            end,
        ]
        return ", ".join(filter(None, parts))

    def format_action(self, action: int) -> str:
        return f"door {action}"

    def parse_action(self, text: str) -> int:
        """The number of a door, with or without the word."""
        return int(text.removeprefix("door"))

    def describe_action(self, action: int) -> str:
        return f"Choose door {action}"

    # How doors are drawn.

    def svg_state(self, state: Stage) -> Drawing:
        """The doors that are open, and what is behind them as far as the state tells."""
        picked, opened, end = state
        # A host who does not know may have opened the door of the car: the game is lost, behind whichever it is.
        goats = self.host == "knowing" or end != "goat"
        behind = dict.fromkeys(opened, "goat" if goats else "")
        return Doors(self.doors).drawn({**behind, picked: end} if end else behind, picked)

    def svg_action(self, action: int) -> Drawing:
        return Doors(self.doors).framed(action)
