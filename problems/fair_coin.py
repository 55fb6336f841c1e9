"""Von Neumann's fair coin: make a fair toss out of a coin that nobody trusts."""

from fractions import Fraction
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import in_

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._fractions import as_fraction
from ._pictures.coins import strip

State: TypeAlias = tuple[int, str]
"""After how many flips you begin again, 0 before that is agreed; and the flips, or `heads` or `tails` in the end."""

_CALLED = ("heads", "tails")


@frozen
class FairCoinProblem(StochasticProblem[State, str, State]):
    """Make a fair toss with few flips of a coin that may be biased.

    Story
    -----
    Two teams toss for the kick-off, with a coin that may be bent. Nobody knows how likely it shows heads, but it must
    be fair all the same. Von Neumann's way: flip twice; HT counts as heads and TH as tails, after HH or TT begin again.
    How many flips does that take on average? And if you begin again only after four flips, or eight?

    Formal model
    ------------
    A state is the rule and the flips. The first action is to agree after how many flips to begin again, at most
    `--longest`; after that the only action is to flip, which costs 1. The toss is over if, of the flips in blocks of 2,
    4, 8, ..., the second half of the last block is not as the first: then what the block begins with is called. With
    its halves exchanged it would be as likely, whatever the bias, and the other side would be called.

    Source
    ------
    J. von Neumann, "Various techniques used in connection with random digits" (1951); W. Hoeffding and G. Simons,
    "Unbiased coin tossing with a biased coin" (Annals of Mathematical Statistics 41, 1970), for longer sequences.

    Known answers
    -------------
    Von Neumann's way takes 1 / (p q) flips on average, if heads have the probability p and tails q: 4 with a fair coin,
    9/2 if p is 1/3 and 16/3 if it is 1/4. With four flips HHTT and TTHH decide as well, so it takes (2 + 2 (p^2 + q^2))
    / (1 - p^4 - q^4), by hand: 24/7 with a fair coin.
    """

    known_answers = (
        KnownAnswer({}, -4),
        KnownAnswer({"p": "1/3"}, Fraction(-9, 2)),
        KnownAnswer({"p": "1/4"}, Fraction(-16, 3)),
        KnownAnswer({"longest": 4}, Fraction(-24, 7)),
    )

    p: Fraction = field(
        default=Fraction(1, 2), converter=as_fraction, metadata={"help": "the probability that the coin shows heads"}
    )
    longest: int = field(
        default=2, validator=in_((2, 4, 8, 16)), metadata={"help": "after how many flips at the most you begin again"}
    )

    def __attrs_post_init__(self) -> None:
        if not 0 < self.p < 1:
            raise ValueError(f"p: a coin that never shows one side makes no toss, so {self.p} is not between 0 and 1")

    def initial_state(self) -> State:
        return 0, ""

    def actions(self, state: State) -> list[str]:
        return ["flip"] if state[0] else [f"up to {flips}" for flips in (2, 4, 8, 16) if flips <= self.longest]

    def outcomes(self, state: State, action: str) -> list[tuple[Fraction, State]]:
        most, flips = state
        if action != "flip":
            return [(Fraction(1), (int(action.split()[-1]), ""))]
        return [(self.p, (most, _after(flips + "H", most))), (1 - self.p, (most, _after(flips + "T", most)))]

    def reward(self, state: State, action: str) -> int:
        return -1 if action == "flip" else 0

    def minimizes_cost(self) -> bool:
        return True

    def is_terminal(self, state: State) -> bool:
        return state[1] in _CALLED

    # How states are written, read and drawn.

    def format_state(self, state: State) -> str:
        return f"up to {state[0]}: {state[1] or 'no flip'}" if state[0] else "start"

    def parse_state(self, text: str) -> State:
        rule, _, flips = text.partition(": ")
        most = rule.removeprefix("up to ")
        if text == "start":
            return self.initial_state()
        if most not in ("2", "4", "8", "16") or (flips not in (*_CALLED, "no flip") and set(flips) - set("HT")):
            raise ValueError(f"{text!r} is neither 'start' nor rule and flips, such as 'up to 4: HH'")
        return int(most), flips.replace("no flip", "")

    def describe_action(self, action: str) -> str:
        return "Flip the coin" if action == "flip" else f"Agree on {action} flips"

    def svg_state(self, state: State) -> Drawing:
        flips = {"heads": "H", "tails": "T"}.get(state[1], state[1])
        return strip(flips.ljust(self.longest, "."))


def _after(flips: str, most: int) -> str:
    """The state after some flips: one side is called, or all begins again, or they go on."""
    size = 1
    while len(flips) % (2 * size) == 0:
        first, second = flips[-2 * size : -size], flips[-size:]
        if first != second:
            return _CALLED[first > second]
        size *= 2
    return "" if len(flips) == most else flips
