"""Coins in a line: take them from the ends, by turns with an opponent, and get enough."""

from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import deep_iterable, ge, min_len

from beliefsearch import Drawing, KnownAnswer, ObservableProblem

from ._pictures.coins import strip
from ._typed import number_list, numbers_in

State: TypeAlias = tuple[tuple[int, ...], int]
"""The coins that are left when it is your turn, and what yours are worth."""

End: TypeAlias = Literal["left", "right"]


def parse_coins(text: str) -> tuple[int, ...]:
    """Values from `5 3 7 10`, in this order."""
    return numbers_in(text, "the values of coins, such as '5 3 7 10'")


@frozen
class CoinsInALineProblem(ObservableProblem[State, End]):
    """Take coins from the ends of a line, by turns with an opponent, and get enough.

    Story
    -----
    Coins of different values lie in a line. You and an opponent take turns to take the coin at one of the two ends. You
    begin. How much can you be sure to get?

    Formal model
    ------------
    A state is the coins that are left when it is your turn, and the value of yours. An action takes the coin at an end;
    then the opponent takes one, and you see which. The goal is to have coins worth `--collect` in the end; by default
    half of all, rounded up. Every move of yours costs 1.

    Source
    ------
    P. Winkler, "Mathematical Puzzles: A Connoisseur's Collection" (2004), the first puzzle; the values below are those
    with which textbooks on dynamic programming tell it.

    Known answers
    -------------
    With an even number of coins you never get less than half: take all those at odd places, or all at even ones. Of
    5 3 7 10 you can be sure of 15 and no more, of 8 15 3 7 of 22 and no more.
    """

    known_answers = (
        KnownAnswer({}, 2),
        KnownAnswer({"collect": 15}, 2),
        KnownAnswer({"collect": 16}, None),
        KnownAnswer({"coins": "8 15 3 7", "collect": 22}, 2),
        KnownAnswer({"coins": "8 15 3 7", "collect": 23}, None),
    )

    coins: tuple[int, ...] = field(
        default=(5, 3, 7, 10),
        converter=tuple,
        validator=deep_iterable(ge(0), min_len(1)),
        metadata={"help": "their values, such as '5 3 7 10'", "parse": parse_coins, "format": number_list},
    )
    collect: int | None = field(
        default=None, metadata={"help": "what your coins shall be worth; by default half of all"}
    )

    def initial_state(self) -> State:
        return self.coins, 0

    def actions(self, state: State) -> list[End]:
        return ["left", "right"] if state[0] else []

    def results(self, state: State, action: End) -> list[State]:
        coins, mine = state
        left, mine = (coins[1:], mine + coins[0]) if action == "left" else (coins[:-1], mine + coins[-1])
        return list(dict.fromkeys([(left[1:], mine), (left[:-1], mine)]))

    def is_goal(self, state: State) -> bool:
        wanted = (sum(self.coins) + 1) // 2 if self.collect is None else self.collect
        return not state[0] and state[1] >= wanted

    def has_adversary(self) -> bool:
        """The opponent wants the coins, too."""
        return True

    # How states are written, read and drawn.

    def format_state(self, state: State) -> str:
        return f"{number_list(state[0]) or 'none left'}; you have {state[1]}"

    def parse_state(self, text: str) -> State:
        coins, _, mine = text.partition("; you have ")
        if not mine.isdecimal():
            raise ValueError(f"{text!r} is not such as {self.format_state(self.initial_state())!r}")
        return () if coins == "none left" else parse_coins(coins), int(mine)

    def parse_action(self, text: str) -> End:
        """`left` or `right`, or its first letter."""
        if not text or not any(end.startswith(text.lower()) for end in ("left", "right")):
            raise ValueError(f"{text!r} is neither left nor right")
        return "left" if "left".startswith(text.lower()) else "right"

    def describe_action(self, action: End) -> str:
        return f"Take the coin at the {action} end"

    def svg_state(self, state: State) -> Drawing:
        missing = len(self.coins) - len(state[0])
        return strip([*map(str, state[0]), *["."] * missing], bright="")
