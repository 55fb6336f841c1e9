"""Penney's game: choose three flips of a coin that come before those of the other player."""

from fractions import Fraction
from itertools import product
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import matches_re

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._fractions import as_fraction, is_chance
from ._pictures.coins import strip

State: TypeAlias = tuple[str, str]
"""The pattern that you have chosen, empty before; and the last flips, no more than a pattern has."""


@frozen
class PenneyProblem(StochasticProblem[State, str, State]):
    """Choose some flips of a coin that come before those that the other player has chosen.

    Story
    -----
    The other player names three flips of a coin, such as HHH. You name three others. A coin is flipped until one of the
    two comes up: whoever named it wins. What do you name, and how likely are you to win?

    Formal model
    ------------
    A state is your pattern, and the last flips. The first action names a pattern, another one than the other player's,
    whose length it has; then the only action is to flip. The game is over once one of the two has come up; the utility
    is 1 if it is yours, else 0.

    Source
    ------
    W. Penney, "Penney-Ante" (Journal of Recreational Mathematics 2, 1969); M. Gardner, "Mathematical Games" (Scientific
    American, October 1974).

    Known answers
    -------------
    Against HHH name THH and win with the probability 7/8, against HHT THH with 3/4, against HTH HHT and against HTT HHT
    with 2/3: put before the first two of his the opposite of the second. Of two flips against HH TH wins with 3/4.
    """

    known_answers = (
        KnownAnswer({}, Fraction(7, 8)),
        KnownAnswer({"theirs": "HHT"}, Fraction(3, 4)),
        KnownAnswer({"theirs": "HTH"}, Fraction(2, 3)),
        KnownAnswer({"theirs": "HTT"}, Fraction(2, 3)),
        KnownAnswer({"theirs": "HH"}, Fraction(3, 4)),
    )

    theirs: str = field(
        default="HHH", validator=matches_re("[HT]{2,12}"), metadata={"help": "the other player's flips"}
    )
    heads: Fraction = field(
        default=Fraction(1, 2),
        converter=as_fraction,
        validator=is_chance,
        metadata={"help": "the probability of heads"},
    )

    def initial_state(self) -> State:
        return "", ""

    def actions(self, state: State) -> list[str]:
        if state[0]:
            return ["flip"]
        patterns = map("".join, product("HT", repeat=len(self.theirs)))
        return [pattern for pattern in patterns if pattern != self.theirs]

    def outcomes(self, state: State, action: str) -> list[tuple[Fraction, State]]:
        mine, flips = state
        if not mine:
            return [(Fraction(1), (action, ""))]
        chances = ((self.heads, "H"), (1 - self.heads, "T"))
        return [(chance, (mine, (flips + face)[-len(mine) :])) for chance, face in chances if chance]

    def is_terminal(self, state: State) -> bool:
        return bool(state[0]) and state[1] in (state[0], self.theirs)

    def utility(self, state: State) -> int:
        return int(state[1] == state[0])

    # How states are written, read and drawn.

    def format_state(self, state: State) -> str:
        return f"{state[0]}: {state[1] or 'no flip'}" if state[0] else "start"

    def parse_state(self, text: str) -> State:
        mine, _, flips = text.partition(": ")
        if text == "start":
            return self.initial_state()
        if len(mine) != len(self.theirs) or set(mine + flips.replace("no flip", "")) - set("HT"):
            raise ValueError(f"{text!r} is neither 'start' nor your pattern and the last flips, such as 'THH: HT'")
        return mine, flips.replace("no flip", "")

    def describe_action(self, action: str) -> str:
        return "Flip the coin" if action == "flip" else f"Name {action}"

    def svg_state(self, state: State) -> Drawing:
        return strip(state[1].rjust(len(self.theirs), "."))
