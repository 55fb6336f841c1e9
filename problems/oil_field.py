"""The oil field: a survey before a block is bought, and what it is worth."""

from fractions import Fraction
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._fractions import as_fraction
from ._pictures.coins import strip

Field: TypeAlias = tuple[int, int]
"""The block with the oil, from 1; and how many surveys are left, -1 if it is all over."""


@frozen
class OilFieldProblem(StochasticProblem[Field, str, str]):
    """Buy one of several blocks of an oil field, perhaps after a survey of one of them.

    Story
    -----
    One of several blocks of the sea holds oil, which is worth as much as all blocks cost together; nobody knows which.
    You may buy a block. Before that a seismologist offers to find out whether there is oil in the block that you name.
    How much should you pay for that?

    Formal model
    ------------
    A state is the block with the oil, at first each with the same probability, and how many surveys are left. To survey
    a block costs `--price`; you perceive `oil` or `dry`. To buy one costs the worth of the oil divided by the number of
    blocks, and brings the oil if it is there; to leave brings nothing. Either ends it.

    Source
    ------
    Russell and Norvig, 4th edition, section 16.6.1, for the value of information.

    Known answers
    -------------
    Without a survey nothing can be gained. With n blocks and oil worth C the survey of a block is worth C / n, as much
    as the block costs: that is gained if it is done for nothing, and nothing if it has that price.
    """

    known_answers = (
        KnownAnswer({"surveys": 0}, 0),
        KnownAnswer({}, Fraction(1)),
        KnownAnswer({"blocks": 5, "worth": "10"}, Fraction(2)),
        KnownAnswer({"price": "1"}, 0),
    )

    blocks: int = field(default=3, validator=ge(2), metadata={"help": "number of blocks"})
    worth: Fraction = field(default=Fraction(3), converter=as_fraction, metadata={"help": "what the oil is worth"})
    surveys: int = field(default=1, validator=ge(0), metadata={"help": "how many surveys there may be"})
    price: Fraction = field(default=Fraction(0), converter=as_fraction, metadata={"help": "what a survey costs"})

    def __attrs_post_init__(self) -> None:
        if self.worth <= 0 or self.price < 0:
            raise ValueError("the oil should be worth more than nothing, and a survey not cost less than nothing")

    def initial_distribution(self) -> list[tuple[Fraction, Field]]:
        return [(Fraction(1, self.blocks), (block, self.surveys)) for block in range(1, self.blocks + 1)]

    def actions(self, state: Field) -> list[str]:
        verbs = ("survey", "buy") if state[1] else ("buy",)
        return [f"{verb} {block}" for verb in verbs for block in range(1, self.blocks + 1)] + ["leave"]

    def outcomes(self, state: Field, action: str) -> list[tuple[int, Field]]:
        block, left = state
        return [(1, (block, left - 1 if action.startswith("survey") else -1))]

    def percept_distribution(self, state: Field, action: str) -> list[tuple[int, str]]:
        if not action.startswith("survey"):
            return [(1, "nothing")]
        return [(1, "oil" if action == f"survey {state[0]}" else "dry")]

    def reward(self, state: Field, action: str) -> Fraction:
        if action == "leave":
            return Fraction(0)
        if action.startswith("survey"):
            return -self.price
        return (self.worth if action == f"buy {state[0]}" else 0) - self.worth / self.blocks

    def is_terminal(self, state: Field) -> bool:
        return state[1] < 0

    # How states are written, read and drawn.

    def format_state(self, state: Field) -> str:
        return f"oil in {state[0]}, " + ("over" if state[1] < 0 else f"surveys left: {state[1]}")

    def parse_state(self, text: str) -> Field:
        for block in range(1, self.blocks + 1):
            for left in range(-1, self.surveys + 1):
                if text == self.format_state((block, left)):
                    return block, left
        raise ValueError(f"{text!r} is no block and number of surveys, such as 'oil in 1, surveys left: 0'")

    def describe_action(self, action: str) -> str:
        verb, _, block = action.partition(" ")
        return f"{verb.capitalize()} block {block}" if block else "Leave"

    def svg_state(self, state: Field) -> Drawing:
        return strip(["o" if block == state[0] else "." for block in range(1, self.blocks + 1)], bright="o")
