"""A machine that wears out unseen: when to look inside, and when to replace it."""

from collections.abc import Collection
from fractions import Fraction
from math import comb

from attrs import field, frozen

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._fractions import DISCOUNT, as_fraction, is_chance, is_discount
from ._pictures.machines import machine

_PARTS = 2


@frozen
class MachineRepairProblem(StochasticProblem[int, str, str]):
    """Run a machine whose parts fail unseen, and decide when to test a product, look inside, or replace it.

    Story
    -----
    A machine makes a product with two inner parts, either of which may fail. With failed parts more products
    are poor, but one sees that only by examining them. You may go on making products, examine each one, stop and look
    inside, repairing what has failed, or replace the machine. What pays best?

    Formal model
    ------------
    A state is the number of failed parts, at first 0. `make` and `examine` run the machine: each good part fails
    with the probability `--wear`, and then each failed part spoils the product with probability 1/2. A good product
    brings 1. `examine` costs 1/4 and says whether the product is good. `inspect` stops the machine, costs 1/2 and 1 for
    each failed part, and repairs them; `replace` costs 2; after both the machine is as new. Rewards are discounted
    by 0.95. With `--discounted 1`, as in the paper, the game has no end and needs a horizon.

    Source
    ------
    R. Smallwood, E. Sondik, "The optimal control of partially observable Markov processes over a finite horizon"
    (Operations Research 21, 1973).

    Known answers
    -------------
    From a new machine, not discounted, 0.9025 in one step and 1.721525 in two, by hand: make twice.
    """

    known_answers = (
        KnownAnswer({"discounted": "1"}, Fraction(9025, 10_000), horizon=1),
        KnownAnswer({"discounted": "1"}, Fraction(1_721_525, 1_000_000), horizon=2),
    )

    wear: Fraction = field(
        default=Fraction(1, 10),
        converter=as_fraction,
        validator=is_chance,
        metadata={"help": "the probability that a part fails while a product is made"},
    )
    discounted: Fraction = field(
        default=Fraction(95, 100), converter=as_fraction, validator=is_discount, metadata=DISCOUNT
    )

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> tuple[str, ...]:
        return ("make", "examine", "inspect", "replace")

    def outcomes(self, state: int, action: str) -> list[tuple[Fraction, int]]:
        if action in ("inspect", "replace"):
            return [(Fraction(1), 0)]
        parts = _PARTS - state
        return [
            (comb(parts, failing) * self.wear**failing * (1 - self.wear) ** (parts - failing), state + failing)
            for failing in range(parts + 1)
        ]

    def percept_distribution(self, state: int, action: str) -> list[tuple[Fraction, str]]:
        if action != "examine":
            return [(Fraction(1), "nothing")]
        good = Fraction(1, 2**state)
        return [(good, "good product"), (1 - good, "poor product")]

    def reward(self, state: int, action: str) -> Fraction:
        if action == "inspect":
            return Fraction(-1, 2) - state
        if action == "replace":
            return Fraction(-2)
        products = sum(chance / 2**failed for chance, failed in self.outcomes(state, action))
        return products - Fraction(1, 4) if action == "examine" else Fraction(products)

    def discount(self) -> Fraction:
        return self.discounted

    def format_state(self, state: int) -> str:
        return f"{state} failed"

    def parse_state(self, text: str) -> int:
        """The number of failed parts, with or without the word."""
        return int(text.removesuffix("failed"))

    def describe_action(self, action: str) -> str:
        return {
            "make": "Make a product",
            "examine": "Make a product and examine it",
            "inspect": "Look inside and repair",
            "replace": "Replace the machine",
        }[action]

    # How the machine is drawn.

    def svg_state(self, state: int) -> Drawing:
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[int]) -> Drawing:
        """The parts that have failed, faintly crossed out where they only may have."""
        return machine(_PARTS, min(states), max(states))
