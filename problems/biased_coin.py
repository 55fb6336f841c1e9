"""Coins that look alike, one of them biased: flip some, and say which."""

from fractions import Fraction
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._fractions import as_fraction, is_chance
from ._pictures.coins import strip

State: TypeAlias = tuple[int, int]
"""Which coin is biased, from 1; and how many flips are left, or -1 after you have named it, -2 after another."""


@frozen
class BiasedCoinProblem(StochasticProblem[State, str, str]):
    """Find out by some flips which of several coins is biased.

    Story
    -----
    One of two coins shows heads three times in four, the other one is fair, and they look alike. You may flip one of
    them, or the other, a few times in all, and then name the biased one. Which do you flip, and how sure are you?

    Formal model
    ------------
    A state is the biased coin, and how many flips are left; at first each coin is as likely. An action flips a coin, as
    long as flips are left, or names one. After a flip you perceive heads or tails. To be right is worth 1.

    Source
    ------
    R. Bradt and S. Karlin, "On the design and comparison of certain dichotomous experiments" (Annals of Mathematical
    Statistics 27, 1956), for two coins; Russell and Norvig, exercises of the chapter on uncertainty, for two heads.

    Known answers
    -------------
    By the binomial distribution: without a flip 1/2, after one 5/8, after two 21/32. If the biased coin has two heads,
    `--heads 1`: of n coins one that showed heads k times, whenever it was flipped, has them with the probability
    2^k / (2^k + n - 1), as `belief` says; and of two coins it is found by k flips with the probability 1 - 1 / 2^(k+1).
    """

    known_answers = (
        KnownAnswer({}, Fraction(21, 32)),
        KnownAnswer({"flips": 0}, Fraction(1, 2)),
        KnownAnswer({"flips": 1}, Fraction(5, 8)),
        KnownAnswer({"flips": 3, "heads": "1"}, Fraction(15, 16)),
    )

    coins: int = field(default=2, validator=ge(1), metadata={"help": "number of coins"})
    heads: Fraction = field(
        default=Fraction(3, 4),
        converter=as_fraction,
        validator=is_chance,
        metadata={"help": "the probability that the biased coin shows heads"},
    )
    flips: int = field(default=2, validator=ge(0), metadata={"help": "how many flips there are in all"})

    def initial_distribution(self) -> list[tuple[Fraction, State]]:
        return [(Fraction(1, self.coins), (coin, self.flips)) for coin in range(1, self.coins + 1)]

    def actions(self, state: State) -> list[str]:
        numbers = range(1, self.coins + 1)
        return [f"{verb} {coin}" for verb in ("flip", "name")[not state[1] :] for coin in numbers]

    def outcomes(self, state: State, action: str) -> list[tuple[int, State]]:
        biased, left = state
        verb, coin = action.split()
        if verb == "flip":
            return [(1, (biased, left - 1))]
        return [(1, (biased, -1 if int(coin) == biased else -2))]

    def percept_distribution(self, state: State, action: str) -> list[tuple[Fraction, str]]:
        verb, coin = action.split()
        if verb == "name":
            return [(Fraction(1), "nothing")]
        heads = self.heads if int(coin) == state[0] else Fraction(1, 2)
        return [(chance, side) for chance, side in ((heads, "heads"), (1 - heads, "tails")) if chance]

    def is_terminal(self, state: State) -> bool:
        return state[1] < 0

    def utility(self, state: State) -> int:
        return int(state[1] == -1)

    # How states are written, read and drawn.

    def format_state(self, state: State) -> str:
        biased, left = state
        return f"{biased}, " + ("right" if left == -1 else "wrong" if left == -2 else f"{left} flips left")

    def parse_state(self, text: str) -> State:
        coin, _, rest = text.partition(", ")
        left = {"right": -1, "wrong": -2} | {f"{n} flips left": n for n in range(self.flips + 1)}
        if not coin.isdecimal() or not 1 <= int(coin) <= self.coins or rest not in left:
            raise ValueError(f"{text!r} is not the biased coin and the flips that are left, such as '1, 2 flips left'")
        return int(coin), left[rest]

    def describe_action(self, action: str) -> str:
        return f"{action.split()[0].capitalize()} coin {action.split()[1]}"

    def svg_state(self, state: State) -> Drawing:
        """The coins, the biased one bright."""
        return strip(["!" if coin == state[0] else "?" for coin in range(1, self.coins + 1)], bright="!")
