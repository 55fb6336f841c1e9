"""Monty Hall in the fog: the host opens a door, and you may mistake which."""

from collections.abc import Collection
from fractions import Fraction
from typing import TypeAlias

from attrs import field, frozen

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._fractions import as_fraction, is_chance
from ._pictures.doors import Doors

Stage: TypeAlias = tuple[int, int, int]
"""The door of the car, the door that was picked (0: none yet), the door that was taken in the end (0: none yet)."""

_DOORS = (1, 2, 3)


@frozen
class NoisyMontyHallProblem(StochasticProblem[Stage, int, int]):
    """Pick a door, see the host open another through the fog, and decide which door to take.

    Story
    -----
    Behind one of three doors is a car, behind the others are goats. You pick a door, and the host, who knows where the
    car is, opens another one with a goat. But there is fog: now and then you take one of the two doors that you did not
    pick for the other. Is it still better to change?

    Formal model
    ------------
    A state is the door of the car, which you do not see, and the doors that you have chosen so far. The car is behind
    each door with the same probability; of two doors with goats the host opens either with probability 1/2. What is
    perceived after the first choice is the door that he opened, rightly with the probability `--sight`, otherwise the
    other door that you did not pick. The second choice ends the game: the utility is 1 for the car, 0 for a goat.

    Source
    ------
    After S. Selvin, "A problem in probability" (The American Statistician 29, 1975).

    Known answers
    -------------
    With the sight p, at least 1/2, changing to the door that seems closed wins with 2 p / 3, by Bayes' rule, and
    staying with 1/3; so 2/3 without fog, 3/5 for p = 9/10, and 1/3 for p = 1/2, where it makes no difference.
    """

    known_answers = (
        KnownAnswer({}, Fraction(3, 5), horizon=2),
        KnownAnswer({"sight": "1"}, Fraction(2, 3), horizon=2),
        KnownAnswer({"sight": "1/2"}, Fraction(1, 3), horizon=2),
    )

    sight: Fraction = field(
        default=Fraction(9, 10),
        converter=as_fraction,
        validator=is_chance,
        metadata={"help": "the probability of seeing rightly which door is opened"},
    )

    def initial_distribution(self) -> list[tuple[Fraction, Stage]]:
        return [(Fraction(1, 3), (car, 0, 0)) for car in _DOORS]

    def actions(self, state: Stage) -> tuple[int, ...]:
        return _DOORS

    def outcomes(self, state: Stage, action: int) -> list[tuple[int, Stage]]:
        car, picked, _ = state
        return [(1, (car, picked, action) if picked else (car, action, 0))]

    def percept_distribution(self, state: Stage, action: int) -> list[tuple[Fraction, int]]:
        """The door that seems open."""
        car, picked, taken = state
        if taken:
            return [(Fraction(1), taken)]
        others = [door for door in _DOORS if door != picked]
        if car == picked:
            return [(Fraction(1, 2), door) for door in others]
        return [(1 - self.sight if door == car else self.sight, door) for door in others]

    def is_terminal(self, state: Stage) -> bool:
        return state[2] != 0

    def utility(self, state: Stage) -> int:
        return int(state[2] == state[0])

    # How states, actions and percepts are written, read and drawn.

    def format_state(self, state: Stage) -> str:
        car, picked, taken = state
        parts = [f"car {car}", f"picked {picked}" if picked else "", f"took {taken}" if taken else ""]
        return ", ".join(filter(None, parts))

    def format_action(self, action: int) -> str:
        return f"door {action}"

    def parse_action(self, text: str) -> int:
        """The number of a door, with or without the word."""
        return int(text.removeprefix("door"))

    def format_percept(self, percept: int) -> str:
        return f"door {percept} seems open"

    def describe_action(self, action: int) -> str:
        return f"Choose door {action}"

    def svg_state(self, state: Stage) -> Drawing:
        """The doors, and the car behind one; once a door is taken, what is behind that."""
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[Stage]) -> Drawing:
        """All that is certain of the car, of the door that was picked, and of the one that was taken."""
        cars, picks, ends = ({state[part] for state in states} for part in range(3))
        behind = dict.fromkeys(cars, "car") if len(cars) == 1 else {}
        if len(ends) == 1 and (taken := min(ends)):
            behind[taken] = "goat" if taken not in cars else "car" if len(cars) == 1 else ""
        return Doors(3).drawn(behind, min(picks) if len(picks) == 1 else 0)

    def svg_action(self, action: int) -> Drawing:
        return Doors(3).framed(action)
