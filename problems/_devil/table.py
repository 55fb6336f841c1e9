"""Coins on a table that is turned: the options that the devil's games have in common, and their rules."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import product
from math import comb
from typing import Any, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, le, optional

from beliefsearch.errors import meant

from . import groups
from .moves import DIGITS, distinct_permutations, places_turned

Coins: TypeAlias = str
"""The coins in order round the table, one letter each: `HTTT`. With more than two faces, digits: `0120`."""
Move: TypeAlias = frozenset[int] | tuple[int, ...]
"""The positions to flip. With more than two faces, how far to turn the coin at each position."""
Told: TypeAlias = str | int | None
"""What the player is told after a move."""
_TOLD = ("heads", "parity", "pattern", "equal")


# The validators of attrs hand over the whole field besides their message, and compare a text with a number.


def is_whole(_: object, attribute: Any, value: object) -> None:
    """A validator: a whole number."""
    if not hasattr(value, "__index__"):
        raise ValueError(f"{attribute.name!r} must be a whole number, not {value!r:.40}")


def one_of(*names: str) -> Callable[[object, Any, object], None]:
    """Make a validator: one of some names."""

    def is_one(_: object, attribute: Any, value: object) -> None:
        if value not in names:
            hint = meant(str(value), names)
            raise ValueError(f"{attribute.name!r} must be one of {', '.join(names)}, not {value!r:.40}{hint}")

    return is_one


@frozen(slots=False)
class CoinTable(ABC):
    """Coins on a table: what may be done to them, and when the player has won."""

    n: int = field(default=4, validator=[is_whole, ge(1)], metadata={"help": "number of coins on the table"})
    reduced: bool = field(
        default=True,
        metadata={"option": "canonical", "help": "keep only one of all states and moves that turn into each other"},
    )
    group: str = field(
        default=groups.TURNS, converter=groups.group_name, metadata={**groups.OPTION, "formerly": "table"}
    )
    faces: int = field(
        default=2,
        validator=[is_whole, ge(2), le(len(DIGITS))],
        metadata={"help": "faces of a coin; with more than two a move says how far to turn each coin"},
    )
    goal: str = field(
        default="all-heads",
        metadata={"help": "what must show at once: all-heads (face 0), all-same, or at least so many heads: 3-heads"},
    )
    turn_by: int | None = field(
        default=None,
        validator=optional([is_whole, ge(0)]),
        metadata={"help": "the table is turned by no more than so many places, either way"},
    )
    flip_at_most: int | None = field(
        default=None,
        validator=optional([is_whole, ge(0)]),
        metadata={"help": "a move flips no more than so many coins"},
    )
    told: Literal["heads", "parity", "pattern", "equal"] | None = field(
        default=None,
        validator=optional(one_of(*_TOLD)),
        metadata={
            "help": "what you are told after each move: how many heads there are, whether that is even, how the coins "
            "lie (up to what may be done to the table), or whether all are equal"
        },
    )

    def __attrs_post_init__(self) -> None:
        groups.generators(self.group, self.n)  # refuses what is none
        if self.goal not in ("all-heads", "all-same") and not 1 <= self.least_heads <= self.n:
            so_many = [f"{number}-heads" for number in range(1, self.n + 1)]
            hint = "" if self.least_heads else meant(self.goal, ["all-heads", "all-same", *so_many])
            there = f"all-heads, all-same, and 1-heads to {self.n}-heads for so many"
            raise ValueError(f"goal: {self.goal!r:.40} is none of {there}{hint}")
        if self.turn_by is not None and self.group != groups.TURNS:
            raise ValueError("turn-by: how far the table is turned means something for the group of turns only")

    @property
    def symbols(self) -> str:
        """The symbols of the faces; the first is heads."""
        return "HT" if self.faces == 2 else DIGITS[: self.faces]

    @property
    def least_heads(self) -> int:
        """The number of heads that must show; 0 if the goal is none of that kind."""
        number, _, heads = self.goal.partition("-")
        if self.goal == "all-heads":
            return self.n
        is_number = number.isascii() and number.isdecimal() and len(number) < 10
        return int(number) if heads == "heads" and is_number else 0

    def is_won(self, coins: Coins) -> bool:
        """Whether the coins show what they must."""
        if self.goal == "all-same":
            return coins == coins[0] * self.n
        return coins.count(self.symbols[0]) >= self.least_heads

    @cached_property
    def count_won(self) -> int:
        """The number of arrangements that are won."""
        if self.goal == "all-same":
            return self.faces
        numbers = range(self.least_heads, self.n + 1)
        return sum(comb(self.n, heads) * (self.faces - 1) ** (self.n - heads) for heads in numbers)

    def all_coins(self) -> Iterator[Coins]:
        """Every arrangement, in alphabetical order."""
        return map("".join, product(self.symbols, repeat=self.n))

    def tell(self, coins: Coins) -> Told:
        """Return the answer to what the player asks for."""
        heads = coins.count(self.symbols[0])
        match self.told:
            case "heads":
                return heads
            case "parity":
                return "odd" if heads % 2 else "even"
            case "pattern":
                return self.pattern(coins)
            case "equal":
                return "equal" if coins == coins[0] * self.n else "unequal"
        return None

    # What may be done to the table.

    def arrangements(self, coins: Coins) -> list[Coins]:
        """All distinct arrangements that can be made of `coins` without flipping any, in a fixed order."""
        if self.turn_by is not None:
            return list(dict.fromkeys(self.equally_likely(coins)))
        if self.group == groups.PERMUTATIONS:
            return list(distinct_permutations(coins))
        if self.group in (groups.TURNS, groups.REFLECTIONS):
            turned = self.rotations(coins)
            if self.group == groups.REFLECTIONS:
                turned = list(dict.fromkeys([*turned, *(coins[::-1] for coins in turned)]))
            return turned
        return groups.arrangements(coins, groups.generators(self.group, self.n))

    def equally_likely(self, coins: Coins) -> list[Coins]:
        """The arrangements if chance decides, some of them perhaps several times."""
        if self.turn_by is None:
            return self.arrangements(coins)  # the permutations of a group make each of them equally often
        turns = range(-self.turn_by, self.turn_by + 1) if 2 * self.turn_by < self.n else range(self.n)
        return [coins[turn % self.n :] + coins[: turn % self.n] for turn in turns]

    def rotations(self, coins: Coins) -> list[Coins]:
        """The distinct rotations of `coins`, beginning with `coins` itself."""
        count, twice = len(coins), coins + coins
        return [twice[turn : turn + count] for turn in range(twice.find(coins, 1))]  # until it looks as at first

    def pattern(self, coins: Coins) -> Coins:
        """The alphabetically first arrangement that can be made of `coins`."""
        if self.turn_by is not None:
            return min(self.rotations(coins))
        if self.group == groups.PERMUTATIONS:
            return "".join(sorted(coins, key=self.symbols.index))
        # Faces are numbered in the order of their symbols, which is the alphabetical one.
        return min(self.arrangements(coins))

    @property
    def is_reduced(self) -> bool:
        """Whether one stands for all that turn into each other: not if the table is not turned at will."""
        return self.reduced and self.turn_by is None

    @abstractmethod
    def canonical(self, state: Any) -> Any:
        """The arrangement that stands for `state`: its pattern if they are reduced."""

    # Moves. Coins stand for the move that is written as they are: an H is to be flipped; face f is turned F - 1 - f on.
    # So moves turn into each other just as coins do, and the first coins of a class give the first move.

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """All moves, fewest positions first; or one of each class, read off the canonical coins.

        In both cases this is the published order, on which the published plans depend.
        """
        most = self.n if self.flip_at_most is None else self.flip_at_most
        if self.is_reduced:
            coins = (self._amounts(coins) for coins in self.representatives)
            return tuple(self.move_by(amounts) for amounts in coins if self.n - amounts.count(0) <= most)
        turns = sorted(product(range(self.faces), repeat=self.n), key=lambda turn: (places_turned(turn), turn))
        return tuple(self.move_by(turn) for turn in turns if self.n - turn.count(0) <= most)

    @cached_property
    def representatives(self) -> tuple[Coins, ...]:
        """One state of each class, in alphabetical order."""
        seen: set[Coins] = set()
        first = []
        for coins in self.all_coins():
            if coins not in seen:
                first.append(coins)
                seen.update(self.arrangements(coins))
        return tuple(first)

    def turn_faces(self, coins: Coins, move: Move) -> Coins:
        """The coins after a move, if nothing is done to the table."""
        if isinstance(move, frozenset):
            flipped = list(coins)
            for position in move:
                flipped[position] = "T" if coins[position] == "H" else "H"
            return "".join(flipped)
        symbols = self.symbols
        faces = zip(map(symbols.index, coins), move, strict=True)
        return "".join(symbols[(face + turn) % self.faces] for face, turn in faces)

    def move_of(self, coins: Coins) -> Move:
        """The move that `coins` encode."""
        return self.move_by(self._amounts(coins))

    def _amounts(self, coins: Coins) -> tuple[int, ...]:
        return tuple(self.faces - 1 - self.symbols.index(face) for face in coins)

    def coins_of(self, move: Move) -> Coins:
        """The inverse of `move_of`."""
        if isinstance(move, frozenset):
            return "".join("H" if place in move else "T" for place in range(self.n))
        return "".join(self.symbols[self.faces - 1 - amount] for amount in move)

    def move_by(self, turn: Sequence[int]) -> Move:
        """The move that turns each coin by its entry."""
        return frozenset(places_turned(tuple(turn))[1]) if self.faces == 2 else tuple(turn)

    def count_flipped(self, move: Move) -> int:
        """The number of coins that a move changes."""
        return len(move) if isinstance(move, frozenset) else self.n - move.count(0)
