"""The devil's coin game: win blindfolded, whatever the devil does to the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Literal

from attrs import field, frozen
from attrs.validators import ge, in_, le

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.hooks import PotentialHook

from ._devil.arrays import DevilArrays
from ._devil.closed_form import DevilClosedForm
from ._devil.moves import DIGITS, Coins, Move, distinct_permutations
from ._pictures import coins as pictures
from ._pictures.parts import counted, listed


@frozen
class DevilProblem(DevilClosedForm, DevilArrays, BeliefProblem[Coins, Move, None], PotentialHook[Coins]):
    """Win the devil's coin game blindfolded, however he turns the table.

    Story
    -----
    N coins lie evenly spaced on a round table. You are blindfolded and do not know which of them show
    heads. Each turn you name positions to flip; the devil may first turn the table as he likes, and then
    flips the coins that are now at those positions. You win, and the game stops, as soon as all coins
    show heads. Name a shortest sequence of moves that is guaranteed to win.

    Formal model
    ------------
    A state is a string of N faces; every string is a possible start. A move is a set of positions. Its
    results are all turns of the state with those positions flipped; a won state only leads to itself.
    There are no percepts and every move costs 1. States that differ by a turn of the table are
    equivalent, since the devil may turn it anyway: `--canonical` keeps the alphabetically first of
    them, and likewise only one move of each class is legal, {0} but not {1}.

    Variants: what the devil may do to the table (turn it, also turn it over, or permute the coins as he
    likes); coins with F faces, where a move says how far to turn each; all coins merely equal as goal.

    Source
    ------
    P. Norvig, "The Devil and the Coin Flip Game" (notebook, 2019-2020); R. Bar Yehuda, T. Etzion and
    S. Moran, "Rotating-table games and derivatives of words" (1993). That a number with an odd factor is lost,
    and how a plan for N coins makes one for 2N (`--lamping`): John Lamping, in the notebook.

    Known answers
    -------------
    N = 1, 2, 4, 8 take 1, 3, 15, 255 moves, 2^N - 1; N = 3, 5, 6, 7, 9, 10, 11, 12 cannot be won, nor
    can any N that is not a power of two. Four coins made equal, cyclic table: 7 moves. Two coins of
    four faces: 15 moves; of three faces: impossible.
    """

    known_answers = (
        KnownAnswer({"n": 2}, 3),
        KnownAnswer({"n": 3}, None),
        KnownAnswer({"n": 4}, 15),
        KnownAnswer({"n": 6}, None),
        KnownAnswer({"n": 8}, 255),
        KnownAnswer({"goal": "all-same"}, 7),
        KnownAnswer({"n": 2, "faces": 4}, 15),
        KnownAnswer({"n": 2, "faces": 3}, None),
    )

    n: int = field(default=4, validator=ge(1), metadata={"help": "number of coins on the table"})
    reduced: bool = field(
        default=True,
        metadata={"option": "canonical", "help": "keep only one of all states and moves that turn into each other"},
    )
    table: Literal["cyclic", "dihedral", "symmetric"] = field(
        default="cyclic",
        validator=in_(("cyclic", "dihedral", "symmetric")),
        metadata={"help": "what the devil may do: turn the table, also flip it over, or permute the coins at will"},
    )
    faces: int = field(
        default=2,
        validator=[ge(2), le(len(DIGITS))],
        metadata={"help": "faces of a coin; with more than two a move says how far to turn each coin"},
    )
    goal: Literal["all-heads", "all-same"] = field(
        default="all-heads",
        validator=in_(("all-heads", "all-same")),
        metadata={"help": "what all coins must show at once: heads (face 0), or merely the same"},
    )
    lamping: bool = field(default=False, metadata={"help": "make the plan in closed form by doubling tables"})

    @lamping.validator
    def _check_doubling(self, attribute: object, value: bool) -> None:
        if value and not self._may_be_doubled:
            raise ValueError(
                "the plan made by doubling tables is for two faces, all heads, a table that is cyclic or dihedral, "
                "and a number of coins that is a power of two"
            )

    def initial_states(self) -> Iterator[Coins]:
        return map("".join, product(self.symbols, repeat=self.n))

    def actions(self, state: Coins) -> tuple[Move, ...]:
        return self._moves

    def results(self, state: Coins, action: Move) -> list[Coins]:
        if self.is_goal(state):
            return [state]  # the game has stopped
        return [self._turn_faces(coins, action) for coins in self.arrangements(state)]

    def is_goal(self, state: Coins) -> bool:
        if self.goal == "all-same":
            return state == state[0] * self.n
        return state == self.symbols[0] * self.n

    def has_adversary(self) -> bool:
        """The devil does not want you to win."""
        return True

    @property
    def symbols(self) -> str:
        """The symbols of the faces; the first is heads."""
        return "HT" if self.faces == 2 else DIGITS[: self.faces]

    def arrangements(self, coins: Coins) -> list[Coins]:
        """All distinct arrangements that the devil can make of `coins` without flipping any, in a fixed order."""
        if self.table == "symmetric":
            return list(distinct_permutations(coins))
        turns = self.rotations(coins)
        if self.table == "dihedral":
            turns = list(dict.fromkeys([*turns, *(coins[::-1] for coins in turns)]))
        return turns

    def rotations(self, coins: Coins) -> list[Coins]:
        """The distinct rotations of `coins`, beginning with `coins` itself."""
        count, twice = len(coins), coins + coins
        return [twice[turn : turn + count] for turn in range(twice.find(coins, 1))]  # until it looks as at first

    def _turn_faces(self, coins: Coins, move: Move) -> Coins:
        if isinstance(move, frozenset):
            flipped = list(coins)
            for position in move:
                flipped[position] = "T" if coins[position] == "H" else "H"
            return "".join(flipped)
        symbols = self.symbols
        faces = zip(self._face_numbers(coins), move, strict=True)
        return "".join(symbols[(face + turn) % self.faces] for face, turn in faces)

    def flip(self, coins: Coins, move: Collection[int]) -> Coins:
        """The coins after `move` if the table is not turned; won coins do not change, as the game has stopped.

        `flip`, `rotations` and `canonical` are the functions of these names in P. Norvig's notebook.
        """
        if self.is_goal(coins):
            return coins
        return self._turn_faces(coins, frozenset(move) if self.faces == 2 else tuple(move))

    # How states and actions are written and read.

    def format_action(self, action: Move) -> str:
        text = ", ".join(map(str, _positions(action)))
        return f"{{{text}}}" if self.faces == 2 else f"({text})"

    def draw_action(self, action: Move) -> str:
        if self.faces > 2 or self.n > 10:
            return self.format_action(action)
        return "".join(str(i) if i in action else " " for i in range(self.n))

    def parse_action(self, text: str) -> Move:
        """Positions in any usual notation: `{0, 2}`, `0,2`, `0 2`, or `02` for up to ten coins.

        With `--canonical` any move is understood as the one of its class: the devil may turn the table anyway.
        """
        words = text.strip("{}() ").replace(",", " ").split()
        if len(words) == 1 and self.n <= 10 and (self.faces == 2 or len(words[0]) == self.n):
            words = list(words[0])
        numbers = tuple(int(word) for word in words if word.isdecimal())
        below = self.n if self.faces == 2 else self.faces
        if len(numbers) < len(words) or any(number >= below for number in numbers):
            raise ValueError(f"{text!r} is not a list of numbers from 0 to {below - 1}, such as '0 1'")
        if self.faces > 2 and len(numbers) != self.n:
            raise ValueError(f"{text!r} should say for each of the {self.n} coins how far to turn it")
        move: Move = frozenset(numbers) if self.faces == 2 else numbers
        return self._move_of(self.canonical(self._coins_of(move)))

    def parse_state(self, text: str) -> Coins:
        if len(text) != self.n or not set(text) <= set(self.symbols):
            raise ValueError(f"{text!r} is not {self.n} letters out of {self.symbols}")
        return text

    def describe_step(self, state: Coins, action: Move, result: Coins) -> str:
        if self.is_goal(state):
            return ""
        arranged = next(coins for coins in self.arrangements(state) if self._turn_faces(coins, action) == result)
        return f"the devil makes it {arranged}"

    def describe_action(self, action: Move) -> str:
        if not isinstance(action, frozenset):
            turns = [f"coin {place} by {turn}" for place, turn in enumerate(action) if turn]
            return f"Turn {listed(turns)}" if turns else "Turn no coin"
        if len(action) == self.n > 1:
            return "Flip both coins" if self.n == 2 else f"Flip all {counted(self.n, 'coin')}"
        places = f": {listed(sorted(action))}" if action else ""
        return f"Flip {counted(len(action), 'coin')}{places}"

    # How states, beliefs and moves are drawn.

    def svg_state(self, state: Coins) -> Drawing:
        return self._table.drawn(state, bright=self.symbols[0])

    def svg_belief(self, states: Collection[Coins]) -> Drawing:
        """Coins nobody sees: after a turn of the table a coin is known only if all are alike."""
        if len(states) == 1:
            return self.svg_state(*states)
        return self._table.hidden(len(states))

    def svg_action(self, action: Move) -> Drawing:
        if isinstance(action, frozenset):
            return self._table.ringed(action)
        return self._table.turned(action)

    @cached_property
    def _table(self) -> pictures.Coins:
        return pictures.table(self.n)

    # For speed: states that are equivalent, and how many moves there must be at least. Which moves are equivalent, the
    # answer in closed form, and arrays are in the folder `_devil`.

    def canonical(self, state: Coins) -> Coins:
        """The alphabetically first arrangement that the devil can make; the coins themselves unless `reduced`."""
        if not self.reduced:
            return state
        if self.table == "symmetric":
            return "".join(sorted(state, key=self.symbols.index))
        # Faces are numbered in the order of their symbols, which is the alphabetical one.
        return min(self.arrangements(state))

    def potential(self, state: Coins) -> int | Fraction:
        """The number of arrangements that `state` stands for, divided by the number of equal sides that win.

        Of all arrangements that are possible, a move wins from one: the one it undoes. So as many moves are
        needed as there are arrangements; with all coins merely equal as goal, one for every F of them.
        """
        if self.is_goal(state):
            return 0
        count = len(self.arrangements(state)) if self.reduced else 1
        return count if self.goal == "all-heads" else Fraction(count, self.faces)


def _positions(move: Move) -> Iterable[int]:
    return sorted(move) if isinstance(move, frozenset) else move
