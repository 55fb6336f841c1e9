"""The gambler's problem: reach a fortune by stakes on a coin."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._fractions import as_fraction
from ._pictures.chips import Stacks

if TYPE_CHECKING:
    from attrs import Attribute


def _chance(_: object, __: Attribute[Any], value: Any) -> None:
    if not isinstance(value, Fraction) or not 0 < value < 1:
        raise ValueError(f"--p must be a probability between 0 and 1, both excluded, not {value}")


@frozen
class GamblerProblem(StochasticProblem[int, int]):
    """Turn a small fortune into a large one by stakes on a coin, before it is lost.

    Story
    -----
    A gambler has some capital, of which any whole part may be staked on the toss of a coin: heads doubles the
    stake, tails loses it. The game ends when the capital reaches the goal, or is gone. How much is to be
    staked?

    Formal model
    ------------
    A state is the capital; an action is a stake, from 1 to what is there or to what is missing, if that is
    less. With probability `p` the stake is won, otherwise lost. The utility is 1 at the goal and 0 with
    nothing left, so the value of a state is the chance to reach the goal. The game may come back to a state,
    and the number of stakes has no bound.

    `--exact` reckons with fractions; `p` is then taken as it is typed, such as 2/5 or 0.4.

    Source
    ------
    L. Dubins and L. Savage, "How to Gamble If You Must" (1965); R. Sutton and A. Barto, "Reinforcement
    Learning", 2nd edition, example 4.3.

    Known answers
    -------------
    With p = 0.4 and the goal 100, bold play is best: everything, or what is missing. From 50 the goal is
    reached with probability 0.4, from 25 with 0.16 and from 75 with 0.64. A fair coin makes all stakes
    equally good: the chance is capital / goal. With p above 1/2 the smallest stakes are best, and with
    r = (1 - p) / p the chance is (1 - r^capital) / (1 - r^goal).
    """

    known_answers = (
        KnownAnswer({"exact": True}, Fraction(2, 5)),
        KnownAnswer({"capital": 25, "exact": True}, Fraction(4, 25)),
        KnownAnswer({"goal": 10, "capital": 3, "p": "1/2", "exact": True}, Fraction(3, 10)),
    )

    goal: int = field(default=100, validator=ge(2), metadata={"help": "the capital to be reached"})
    capital: int = field(default=50, validator=ge(1), metadata={"help": "the capital at the start"})
    p: Fraction = field(
        default=Fraction(2, 5),
        converter=as_fraction,
        validator=_chance,
        metadata={"help": "the probability of heads, such as 0.4 or 2/5"},
    )
    exact: bool = field(default=False, metadata={"help": "compute with fractions instead of floats"})

    @capital.validator
    def _below_goal(self, _: Attribute[int], value: int) -> None:
        if value >= self.goal:
            raise ValueError(f"--capital must be below the goal of {self.goal}, not {value}")

    def initial_state(self) -> int:
        return self.capital

    def actions(self, state: int) -> range:
        return range(1, min(state, self.goal - state) + 1)

    def outcomes(self, state: int, action: int) -> list[tuple[float | Fraction, int]]:
        wins, loses = (self.p, 1 - self.p) if self.exact else (float(self.p), 1 - float(self.p))
        return [(wins, state + action), (loses, state - action)]

    def is_terminal(self, state: int) -> bool:
        return state in (0, self.goal)

    def utility(self, state: int) -> int:
        return int(state == self.goal)

    # How states and actions are written and read.

    def draw_state(self, state: int) -> str:
        return f"capital {state} of {self.goal}"

    def describe_step(self, state: int, action: int, result: int) -> str:
        return f"{result - state:+}"

    def parse_state(self, text: str) -> int:
        return int(text)

    def parse_action(self, text: str) -> int:
        return int(text)

    def describe_action(self, action: int) -> str:
        return f"Stake {action:,}"

    # How capital and stakes are drawn.

    def svg_state(self, state: int) -> Drawing:
        return Stacks(self.goal).drawn(state)

    def svg_action(self, action: int) -> Drawing:
        return Stacks(self.goal).staked(action)
