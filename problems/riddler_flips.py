"""Riddler Flips: choose between a timid coin and a bold one, flip after flip, and end above zero."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_, optional

from beliefsearch import Drawing, KnownAnswer, StochasticProblem
from beliefsearch.hooks import ChanceArrayHook, ChanceArrays, PlotHook

from ._fractions import as_fraction
from ._pictures.chips import chosen, score
from ._score_arrays import Score, score_arrays

if TYPE_CHECKING:
    from attrs import Attribute

Coin: TypeAlias = Literal["A", "B"]


def _score(value: Any) -> Any:
    """`F,S` as flips and score."""
    if not isinstance(value, str):
        return value
    match = re.fullmatch(r"\s*\(?\s*(\d+)\s*[,\s]\s*([+-]?\d+)\s*\)?\s*", value)
    if match is None:
        raise ValueError(f"{value!r} is not F,S: flips made and the score, such as 99,0")
    return int(match[1]), int(match[2])


def _probability(_: object, attribute: Attribute[Any], value: Any) -> None:
    if not isinstance(value, Fraction) or not 0 <= value <= 1:
        name = attribute.name.replace("_", "-")
        raise ValueError(f"--{name} must be a probability, from 0 to 1, not {value}")


@frozen
class RiddlerFlipsProblem(StochasticProblem[Score, Coin], ChanceArrayHook[Score, Coin], PlotHook[Score]):
    """Flip one of two coins a hundred times, of your choice each time, and end with a positive score.

    Story
    -----
    Two coins and 100 flips. Each time you choose the coin and see how it falls. Coin A wins or loses 1 point,
    coin B wins or loses 2. You start with 0 points and win the game if you end with more than 0. How do you
    play, and how likely are you to win?

    Formal model
    ------------
    A state is the number of flips made and the score; an action is the coin to flip next, A or B. A flip of
    coin A adds `value-a` with probability `p-a` and subtracts it otherwise, and so with B. After `flips`
    flips the game is over, and its utility is 1 if the score is positive and 0 otherwise: so the value of a
    state is the chance of winning from there.

    `--only a` plays with coin A alone, `--only b` with coin B alone. `--state` begins elsewhere, in a state that the
    coins of the game can lead to.

    `--exact` reckons with fractions; probabilities are then taken as they are typed, such as 1/3 or 0.1.

    Source
    ------
    The Riddler Classic of 21 February 2020, FiveThirtyEight.

    Known answers
    -------------
    100 flips are won with probability 0.6403174472759772, with one fair coin alone 0.46020538130641064. From
    a score of 0 before the last flip it is 1/2. Games of 1, 4 and 6 flips: 1/2, 9/16 and 37/64.
    """

    known_answers = (
        KnownAnswer({"flips": 4, "exact": True}, Fraction(9, 16)),
        KnownAnswer({"flips": 6, "exact": True}, Fraction(37, 64)),
        KnownAnswer({"state": "99,0"}, Fraction(1, 2)),
        KnownAnswer({}, 0.6403174472759772),
        KnownAnswer({"only": "a"}, 0.46020538130641064),
        KnownAnswer({"only": "b", "exact": True}, Fraction(2**100 - comb(100, 50), 2**101)),
    )

    flips: int = field(default=100, validator=ge(0), metadata={"help": "flips in the game"})
    p_a: Fraction = field(
        default=Fraction(1, 2),
        converter=as_fraction,
        validator=_probability,
        metadata={"help": "the probability that coin A wins, such as 0.5 or 1/2"},
    )
    p_b: Fraction = field(
        default=Fraction(1, 2),
        converter=as_fraction,
        validator=_probability,
        metadata={"help": "the probability that coin B wins"},
    )
    value_a: int = field(default=1, validator=ge(1), metadata={"help": "points that coin A wins or loses"})
    value_b: int = field(default=2, validator=ge(1), metadata={"help": "points that coin B wins or loses"})
    only: Literal["a", "b"] | None = field(
        default=None,
        validator=optional(in_(("a", "b"))),
        metadata={"help": "play with this coin only"},
    )
    state: Score | None = field(
        default=None,
        converter=_score,
        validator=optional(lambda self, _, value: self._check_state(value)),
        metadata={"help": "start elsewhere: flips made and the score, such as 99,0", "parse": str},
    )
    exact: bool = field(default=False, metadata={"help": "compute with fractions instead of floats"})

    def initial_state(self) -> Score:
        return (0, 0) if self.state is None else self.state

    def actions(self, state: Score) -> tuple[Coin, ...]:
        return ("A", "B") if self.only is None else ("A",) if self.only == "a" else ("B",)

    def outcomes(self, state: Score, action: Coin) -> list[tuple[float | Fraction, Score]]:
        made, score = state
        value = self._value(action)
        wins, loses = self._chances(action)
        return [(wins, (made + 1, score + value)), (loses, (made + 1, score - value))]

    def is_terminal(self, state: Score) -> bool:
        return state[0] == self.flips

    def utility(self, state: Score) -> int:
        return int(state[1] > 0)

    def _value(self, coin: Coin) -> int:
        return self.value_a if coin == "A" else self.value_b

    def _chances(self, coin: Coin) -> tuple[float | Fraction, float | Fraction]:
        """The probabilities that the coin wins and that it loses."""
        p = self.p_a if coin == "A" else self.p_b
        return (p, 1 - p) if self.exact else (float(p), 1 - float(p))

    # Which scores can come up, and may be started from.

    def _check_state(self, value: object) -> None:
        if not isinstance(value, tuple) or len(value) != 2 or not all(type(part) is int for part in value):
            raise ValueError(f"--state must be flips made and a score, such as 99,0, not {value!r}")
        if not 0 <= value[0] <= self.flips:
            raise ValueError(f"--state {value[0]},{value[1]}: the flips made must be from 0 to {self.flips}")
        if not self._can_come_up(*value):
            flips = f"{value[0]} flip{'' if value[0] == 1 else 's'}"
            alone = "" if self.only is None else f" of coin {self.only.upper()} alone"
            raise ValueError(
                f"--state {value[0]},{value[1]} cannot come up: after {flips}{alone} the score is never {value[1]}"
            )

    def _can_come_up(self, made: int, score: int) -> bool:
        """Whether `flips` flips of this game's coins can give `score`, however unlikely."""
        if self.only is not None:
            steps, rest = divmod(abs(score), self._value("A" if self.only == "a" else "B"))
            return rest == 0 and steps <= made and (made - steps) % 2 == 0
        # Wins less losses of A; what is left of the flips comes in pairs of a win and a loss.
        for wins in range(-made, made + 1):
            others, rest = divmod(score - wins * self.value_a, self.value_b)
            spare = made - abs(wins) - abs(others)
            if rest == 0 and spare >= 0 and spare % 2 == 0:
                return True
        return False

    # How states and actions are written and read.

    def format_state(self, state: Score) -> str:
        return f"{state[0]},{state[1]}"

    def parse_state(self, text: str) -> Score:
        made, score = _score(text)
        return made, score

    def draw_state(self, state: Score) -> str:
        return f"after {state[0]} of {self.flips} flips: score {state[1]}"

    def describe_step(self, state: Score, action: Coin, result: Score) -> str:
        return f"{result[1] - state[1]:+}"

    def parse_action(self, text: str) -> Coin:
        for coin in self.actions(self.initial_state()):
            if text.strip().upper() in (coin, f"COIN {coin}"):
                return coin
        raise ValueError(f"{text!r} is {'neither A nor B' if self.only is None else f'not {self.only.upper()}'}")

    def describe_action(self, action: Coin) -> str:
        return f"Flip coin {action}"

    # How scores and coins are drawn.

    def svg_state(self, state: Score) -> Drawing:
        return score(state[0], self.flips, state[1], self._coins)

    def svg_action(self, action: Coin) -> Drawing:
        return chosen(action, self._coins)

    @property
    def _coins(self) -> dict[str, int]:
        """The points that each coin that may be flipped wins or loses."""
        return {coin: self._value(coin) for coin in self.actions(self.initial_state())}

    # For plots and for speed.

    def plot_position(self, state: Score) -> Score:
        return state

    def plot_labels(self) -> tuple[str, str, str]:
        return ("flips made", "score", "chance of winning")

    def arrays(self, tick: Callable[[int], None]) -> ChanceArrays[Score, Coin] | None:
        coins = {coin: (self._value(coin), self._chances(coin)) for coin in self.actions(self.initial_state())}
        return score_arrays(self.initial_state(), self.flips, coins, exact=self.exact)
