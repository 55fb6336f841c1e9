"""The devil's coin game: win blindfolded, whatever the devil does to the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_, le

from beliefsearch import ArrayHook, BeliefProblem, Construction, ConstructionHook, KnownAnswer, PotentialHook

from ._arrangements import count_classes, distinct_permutations
from ._construction_checks import is_forced
from ._devil_texts import chain_text, doubling_text, trap_text
from ._doubling import can_be_doubled, doubled_move
from ._invariant_chain import InvariantChain, chain_for
from ._turning_trap import find_trap

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Cost: TypeAlias = int | Fraction

Coins: TypeAlias = str
"""The coins in order round the table, one letter each: `HTTT`. With more than two faces, digits: `0120`."""

Move: TypeAlias = frozenset[int] | tuple[int, ...]
"""The positions to flip. With more than two faces, how far to turn the coin at each position."""

_FACES = "0123456789abcdefghijklmnopqrstuvwxyz"


@frozen
class DevilProblem(
    BeliefProblem[Coins, Move, None], ConstructionHook[Move], ArrayHook[Coins, Move], PotentialHook[Coins]
):
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
        metadata={"option": "canonical", "help": "one state and one move for all that turn into each other"},
    )
    table: Literal["cyclic", "dihedral", "symmetric"] = field(
        default="cyclic",
        validator=in_(("cyclic", "dihedral", "symmetric")),
        metadata={"help": "what the devil may do: turn the table, also flip it over, or permute the coins at will"},
    )
    faces: int = field(
        default=2,
        validator=[ge(2), le(len(_FACES))],
        metadata={"help": "faces of a coin; with more than two a move says how far to turn each coin"},
    )
    goal: Literal["all-heads", "all-same"] = field(
        default="all-heads",
        validator=in_(("all-heads", "all-same")),
        metadata={"help": "what all coins must show at once: heads (face 0), or merely the same"},
    )
    lamping: bool = field(
        default=False, metadata={"help": "of the plan that is known without a search: make it by doubling tables"}
    )

    @lamping.validator
    def _check_doubling(self, attribute: object, value: bool) -> None:
        if value and not self._may_be_doubled:
            raise ValueError(
                "the plan made by doubling tables is for two faces, all heads, a table that is cyclic or dihedral, "
                "and a number of coins that is a power of two"
            )

    @property
    def _may_be_doubled(self) -> bool:
        """Whether Lamping's plan is one for this table."""
        return (
            self.faces == 2
            and self.goal == "all-heads"
            and can_be_doubled(self.n)
            and (self.table != "symmetric" or self.n <= 2)
        )

    @property
    def symbols(self) -> str:
        """How the faces are written; the first is heads."""
        return "HT" if self.faces == 2 else _FACES[: self.faces]

    def has_adversary(self) -> bool:
        """The devil does not want you to win."""
        return True

    def initial_states(self) -> Iterator[Coins]:
        return map("".join, product(self.symbols, repeat=self.n))

    def actions(self, state: Coins) -> tuple[Move, ...]:
        return self._moves

    def results(self, state: Coins, action: Move) -> list[Coins]:
        if self.is_goal(state):
            return [state]  # the game has stopped
        return [self._turn_faces(coins, action) for coins in self.arrangements(state)]

    def flip(self, coins: Coins, move: Collection[int]) -> Coins:
        """The coins after `move`, if the table stays as it is; won coins stay as they are, for the game has stopped.

        `flip`, `rotations` and `canonical` are the functions of these names in P. Norvig's notebook.
        """
        if self.is_goal(coins):
            return coins
        return self._turn_faces(coins, frozenset(move) if self.faces == 2 else tuple(move))

    def rotations(self, coins: Coins) -> list[Coins]:
        """All turns of the table: different sequences, `coins` itself first, then turned a place further each."""
        return list(dict.fromkeys(coins[turn:] + coins[:turn] for turn in range(len(coins))))

    def is_goal(self, state: Coins) -> bool:
        if self.goal == "all-same":
            return state == state[0] * self.n
        return state == self.symbols[0] * self.n

    def canonical(self, state: Coins) -> Coins:
        """The alphabetically first of all the devil can make of the coins; the coins themselves unless `reduced`."""
        if not self.reduced:
            return state
        if self.table == "symmetric":
            return "".join(sorted(state, key=self.symbols.index))
        # Faces are numbered in the order of their symbols, which is the alphabetical one.
        return min(self.arrangements(state))

    def arrangements(self, coins: Coins) -> list[Coins]:
        """Everything the devil can make of `coins` without flipping any: distinct, in a fixed order."""
        if self.table == "symmetric":
            return list(distinct_permutations(coins))
        turns = self.rotations(coins)
        if self.table == "dihedral":
            turns += [coins[::-1] for coins in turns]
        return list(dict.fromkeys(turns))

    def describe_step(self, state: Coins, action: Move, result: Coins) -> str:
        if self.is_goal(state):
            return ""
        arranged = next(coins for coins in self.arrangements(state) if self._turn_faces(coins, action) == result)
        return f"the devil makes it {arranged}"

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

    def potential(self, state: Coins) -> Cost:
        """How many arrangements of the coins `state` stands for, shared among the sides they may end on.

        Of all arrangements that are possible, a move wins from one: the one it undoes. So as many moves are
        needed as there are arrangements; with all coins merely equal as goal, one for every F of them.
        """
        if self.is_goal(state):
            return 0
        count = len(self.arrangements(state)) if self.reduced else 1
        return count if self.goal == "all-heads" else Fraction(count, self.faces)

    def construction(self) -> Construction[Move]:
        """The answer for any number of coins, by the theorem.

        With F faces the player can force the goal if there is one coin, or if F is a power of a prime p and what
        may be done to the table forms a group whose order is a power of p, too. He then needs F^N - 1 moves, or
        F^(N-1) - 1 if it is enough that all coins are equal. In all other cases he cannot force either.
        """
        states = count_classes(self.n, self.faces, self.table) if self.reduced else self.faces**self.n
        trap = find_trap(self.n, self.faces, self.table)
        if trap is not None:
            return Construction(None, self._no_move, trap.evidence, states, trap_text(trap))
        text = chain_text(self._chain, lambda level: self.format_action(self._move_of_level(level)))
        if self._may_be_doubled and self.n > 1:
            text += "\n" + doubling_text(self.n, made_so=self.lamping or self.n == 2)  # for two coins both are the same
        return Construction(self._forced_length, self._move_at, self._chain.evidence, states, text, self.lamping)

    def check_construction(self, evidence: Mapping[str, Any]) -> int | None:
        """As `ConstructionHook.check_construction`.

        That no sequence is shorter needs no evidence. A devil who does nothing makes every move a bijection of
        the arrangements, so a move wins from at most one that was not yet won; from F, with all equal as goal.
        """
        return self._forced_length if is_forced(evidence, self.n, self.faces, self.table) else None

    @property
    def _forced_length(self) -> int:
        """How many moves are needed, if any number is enough."""
        return int(self.faces ** (self.n - (self.goal == "all-same"))) - 1

    @property
    def _chain(self) -> InvariantChain:
        """The levels of moves with which the player wins, if he can."""
        return chain_for(self.n, self.faces, from_constants=self.goal == "all-same", first_of_class=self.reduced)

    def _move_at(self, place: int) -> Move:
        """The move of the constructed plan at `place`, counted from 0; it is legal also when `reduced`."""
        if not 0 <= place < self._forced_length:
            raise IndexError(f"the plan has no move at place {place}")
        return self._move_of_level(self._chain.level_of(place + 1))

    def _move_of_level(self, level: int) -> Move:
        if self.lamping:
            return self._move_of(self.canonical(self._coins_of(doubled_move(self.n, level))))
        turn = self._chain.word(level)
        return frozenset(_places(turn)[1]) if self.faces == 2 else turn

    def _no_move(self, place: int) -> Move:
        raise IndexError("there is no plan, so it has no moves")

    def all_states(self) -> tuple[Coins, ...]:
        return self._representatives if self.reduced else tuple(self.initial_states())

    def all_results(self, action: Move) -> NDArray[np.integer[Any]]:
        """By number of a state: the numbers of all arrangements of it, with the move done."""
        arranged, number_of, goals = self._arrays
        turn = [int(place in action) for place in range(self.n)] if isinstance(action, frozenset) else list(action)
        results = number_of[_added(arranged, turn, self.faces)]
        results[goals] = goals[:, None]  # the game has stopped
        return results

    @cached_property
    def _arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The arrangements of each state as numbers in base F; the state each number stands for; the goals."""
        import numpy as np

        digits = str.maketrans(self.symbols, _FACES[: self.faces])
        states = self.all_states()
        rows = [[int(coins.translate(digits), self.faces) for coins in self.arrangements(s)] for s in states]
        width = max(map(len, rows))
        arranged = np.array([row + row[:1] * (width - len(row)) for row in rows])
        number_of = np.empty(self.faces**self.n, dtype=np.int64)
        if self.reduced:
            number_of[arranged] = np.arange(len(states))[:, None]
        else:
            number_of[:] = np.arange(len(states))
        return arranged, number_of, np.array([number for number, s in enumerate(states) if self.is_goal(s)])

    @cached_property
    def _representatives(self) -> tuple[Coins, ...]:
        """One state of each class, in alphabetical order."""
        return tuple(sorted({self.canonical(coins) for coins in self.initial_states()}, key=self._face_numbers))

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        """All moves, fewest positions first; or one of each class, read off the canonical sequences.

        In both cases this is the published order, on which the published plans depend.
        """
        if self.reduced:
            return tuple(map(self._move_of, self._representatives))
        turns = sorted(product(range(self.faces), repeat=self.n), key=lambda turn: (_places(turn), turn))
        return tuple(frozenset(_places(turn)[1]) if self.faces == 2 else turn for turn in turns)

    def _move_of(self, coins: Coins) -> Move:
        """The move that is written as `coins`: an H is to be flipped; face f is turned F - 1 - f on."""
        turn = tuple(self.faces - 1 - face for face in self._face_numbers(coins))
        return frozenset(_places(turn)[1]) if self.faces == 2 else turn

    def _coins_of(self, move: Move) -> Coins:
        """The inverse of `_move_of`."""
        if isinstance(move, frozenset):
            return "".join("H" if place in move else "T" for place in range(self.n))
        return "".join(self.symbols[self.faces - 1 - amount] for amount in move)

    def _face_numbers(self, coins: Coins) -> tuple[int, ...]:
        return tuple(map(self.symbols.index, coins))

    def _turn_faces(self, coins: Coins, move: Move) -> Coins:
        if isinstance(move, frozenset):
            flipped = list(coins)
            for position in move:
                flipped[position] = "T" if coins[position] == "H" else "H"
            return "".join(flipped)
        symbols = self.symbols
        faces = zip(self._face_numbers(coins), move, strict=True)
        return "".join(symbols[(face + turn) % self.faces] for face, turn in faces)


def _added(arranged: NDArray[np.int64], turn: list[int], faces: int) -> NDArray[np.int64]:
    """Numbers in base F with F-ary digits `turn` added place by place, without carrying."""
    if faces == 2:
        return arranged ^ int("".join(map(str, turn)), 2)
    added = arranged * 0
    for place, amount in enumerate(reversed(turn)):
        unit = faces**place
        added += (arranged // unit + amount) % faces * unit
    return added


def _positions(move: Move) -> Iterable[int]:
    return sorted(move) if isinstance(move, frozenset) else move


def _places(turn: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """How many coins this turns, and at which positions: the order in which moves are tried."""
    places = tuple(position for position, amount in enumerate(turn) if amount)
    return len(places), places
