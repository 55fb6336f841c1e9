"""The silver dollar game without the dollar: push coins to the left, by turns, and make the last move."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from attrs import field, frozen

from beliefsearch import Drawing, KnownAnswer, ObservableProblem

from ._pictures.coins import strip
from ._typed import FromTo

Position: TypeAlias = tuple[str, Literal["", "you", "opponent"]]
"""The strip when it is your turn, `o` for a coin, and who made the last move, if there is none any more."""
Push: TypeAlias = tuple[int, int]  # from which square to which


@frozen
class SilverDollarProblem(FromTo, ObservableProblem[Position, Push]):
    """Push coins along a strip by turns with an opponent, and make the last move.

    Story
    -----
    Some coins lie on a strip of squares, one a square. You and an opponent take turns to push a coin to the left, as
    far as you like, but not over another coin. Who makes the last move wins. You begin. Can you win?

    Formal model
    ------------
    A state is the strip when it is your turn, and who moved last once no coin can be pushed. An action pushes a coin;
    its results are what the opponent's replies make of the strip. You see them. Every move of yours costs 1.

    Source
    ------
    E. Berlekamp, J. Conway and R. Guy, "Winning Ways" (1982), chapter 15, after N. de Bruijn.

    Known answers
    -------------
    Count the free squares to the left of the last coin, of the last but two, and so on, up to the next coin or the end.
    You can win if and only if these numbers, added in base 2 without carrying, do not make 0: of `.o..o`, whose
    only number is 2, but not of `..oo`, whose is 0, nor of `.o.o.o`, with 1 and 1.
    """

    known_answers = (
        KnownAnswer({"coins": "..oo"}, None),
        KnownAnswer({"coins": ".o.o.o"}, None),
        KnownAnswer({"coins": ".o"}, 1),
        KnownAnswer({"coins": "....o"}, 1),
        KnownAnswer({"coins": ".o..o"}, 2),
    )

    coins: str = field(default="..o..o...o", metadata={"help": "the strip, o for a coin and . for a free square"})

    @coins.validator
    def _check_strip(self, attribute: object, value: str) -> None:
        if not value or set(value) - set(".o"):
            raise ValueError(f"coins: {value!r} is no strip such as '..o...o'")

    def initial_state(self) -> Position:
        return self.coins, "" if ".o" in self.coins else "opponent"

    def actions(self, state: Position) -> list[Push]:
        return list(_pushes(state[0]))

    def results(self, state: Position, action: Push) -> list[Position]:
        left = _pushed(state[0], action)
        if ".o" not in left:
            return [(left, "you")]
        replies = dict.fromkeys(_pushed(left, reply) for reply in _pushes(left))
        return [(coins, "" if ".o" in coins else "opponent") for coins in replies]

    def is_goal(self, state: Position) -> bool:
        return state[1] == "you"

    def has_adversary(self) -> bool:
        """The opponent wants to win, too."""
        return True

    # How states and actions are written, read and drawn.

    def format_state(self, state: Position) -> str:
        return f"{state[0]} over: {state[1]}" if state[1] else state[0]

    def parse_state(self, text: str) -> Position:
        coins, _, last = text.partition(" over: ")
        if len(coins) != len(self.coins) or set(coins) - set(".o") or (".o" in coins) == bool(last):
            raise ValueError(f"{text!r} is no strip of {len(self.coins)} squares")
        return coins, "you" if last == "you" else "opponent" if last else ""

    def describe_action(self, action: Push) -> str:
        return f"Push the coin on square {action[0] + 1} to square {action[1] + 1}"

    def svg_state(self, state: Position) -> Drawing:
        return strip(state[0], bright="o")


def _pushes(coins: str) -> Iterator[Push]:
    """Yield every move, the nearest squares first."""
    for place, square in enumerate(coins):
        target = place - 1
        while square == "o" and target >= 0 and coins[target] == ".":
            yield place, target
            target -= 1


def _pushed(coins: str, push: Push) -> str:
    squares = list(coins)
    place, target = push
    squares[place], squares[target] = ".", "o"
    return "".join(squares)
