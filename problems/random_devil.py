"""The devil's coin game against chance: the table is turned at random, and flips may fail."""

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, optional

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._devil.looks import CoinLooks
from ._devil.table import Coins, Move, Told, is_whole
from ._fractions import as_fraction, is_chance

Table: TypeAlias = "Coins | tuple[Coins, int]"
"""The coins; and the number of moves that are left, if there are only so many."""


@frozen
class RandomDevilProblem(CoinLooks, StochasticProblem[Table, Move, Told]):
    """Win the devil's coin game blindfolded, while he turns the table without thinking.

    Story
    -----
    As in the devil's coin game: N coins on a round table, which you do not see, and each turn you name positions to
    flip. But the devil turns the table by chance, each way with the same probability; his fingers are clumsy, too, so
    that a flip fails now and then. How many moves do you need on average until all coins show heads? Or how likely are
    you to win if there are only so many moves?

    Formal model
    ------------
    A state is a string of N faces; each is the start with the same probability. A move is a set of positions. Before it
    the table is arranged in one of the ways that `--group` allows, all as likely; then each of the coins at
    those positions is flipped, or with the probability `--slip` it is not. The game is over once the goal shows. Each
    move costs 1. With `--within T` moves are free, but there are only T of them, and the value is the probability to
    win. What you are `--told` after each move you perceive, else nothing. `--canonical` keeps one of all states and
    moves that turn into each other.

    Source
    ------
    After P. Norvig, "The Devil and the Coin Flip Game" (notebook, 2019-2020).

    Known answers
    -------------
    Two coins take 3/2 moves on average, four 15/2: a shortest plan against the devil wins from every arrangement after
    another number of moves, from 0 to 2^N - 1. Three coins, which the devil never loses, can be won against chance:
    within 1, 2, ... 8 moves with the probability 1/4, 3/8, 1/2, 7/12, 2/3, 13/18, 7/9, 22/27 (by brute force). If a
    flip fails with the probability 1/10, two coins take 1.798 moves on average.
    """

    known_answers = (
        KnownAnswer({"n": 2}, Fraction(-3, 2), within=1e-3),
        KnownAnswer({"n": 2, "slip": "1/10"}, -1.798, within=2e-3),
        KnownAnswer({"n": 3, "within": 1}, Fraction(1, 4)),
        KnownAnswer({"n": 3, "within": 2}, Fraction(3, 8)),
        KnownAnswer({"n": 3, "within": 4}, Fraction(7, 12)),
    )

    slip: Fraction = field(
        default=Fraction(0),
        converter=as_fraction,
        validator=is_chance,
        metadata={"help": "the probability that the flip of a coin fails"},
    )
    within: int | None = field(
        default=None,
        validator=optional([is_whole, ge(0)]),
        metadata={"help": "how many moves there are; without it, enough"},
    )

    def initial_distribution(self) -> list[tuple[Fraction, Table]]:
        every = Fraction(1, self.faces**self.n)
        return self._added((every, self._table(coins, self.within)) for coins in self.all_coins())

    def actions(self, state: Table) -> tuple[Move, ...]:
        return self.moves

    def outcomes(self, state: Table, action: Move) -> list[tuple[Fraction, Table]]:
        coins, left = _parts(state)
        arranged = self.equally_likely(coins)
        moved = (
            (share / len(arranged), self.turn_faces(one, flips))
            for one in arranged
            for share, flips in self._flips(action)
        )
        return self._added((share, self._table(after, None if left is None else left - 1)) for share, after in moved)

    def percept_distribution(self, state: Table, action: Move) -> list[tuple[int, Told]]:
        return [(1, self.tell(_parts(state)[0]))]

    def is_terminal(self, state: Table) -> bool:
        coins, left = _parts(state)
        return left == 0 or self.is_won(coins)

    def is_goal(self, state: Table) -> bool:
        return self.is_won(_parts(state)[0])

    def utility(self, state: Table) -> int:
        return int(self.within is not None and self.is_won(_parts(state)[0]))

    def reward(self, state: Table, action: Move) -> int:
        return -1 if self.within is None else 0

    def minimizes_cost(self) -> bool:
        return self.within is None

    # How states are written, read and drawn: as coins, and the moves that are left.

    def format_state(self, state: Table) -> str:
        coins, left = _parts(state)
        return coins if left is None else f"{coins} {left}"

    def parse_state(self, text: str) -> Any:
        if self.within is None:
            return super().parse_state(text)
        coins, _, left = text.partition(" ")
        if not left.isdecimal() or int(left) > self.within:
            raise ValueError(f"{text!r} is not {self.n} letters and the number of moves that are left, as HT 1")
        return super().parse_state(coins), int(left)

    def svg_state(self, state: Table) -> Drawing:
        return super().svg_state(_parts(state)[0])

    def svg_belief(self, states: Collection[Table]) -> Drawing:
        return super().svg_belief({_parts(state)[0] for state in states})

    def canonical(self, state: Table) -> Table:
        coins, left = _parts(state)
        return self._table(coins, left)

    def _flips(self, move: Move) -> Iterator[tuple[Fraction, Move]]:
        """Yield what may become of a move, with probabilities: each of its flips may fail."""
        amounts = [int(place in move) for place in range(self.n)] if isinstance(move, frozenset) else list(move)
        chances = [((1 - self.slip, amount), (self.slip, 0)) if amount else ((Fraction(1), 0),) for amount in amounts]
        for chosen in product(*chances):
            share = Fraction(1)
            for chance, _ in chosen:
                share *= chance
            if share:
                yield share, self.move_by([amount for _, amount in chosen])

    def _table(self, coins: Coins, left: int | None) -> Table:
        first = self.pattern(coins) if self.is_reduced else coins
        return first if left is None else (first, left)

    def _added(self, pairs: Iterable[tuple[Fraction, Table]]) -> list[tuple[Fraction, Table]]:
        """The probabilities of each state taken together."""
        found: dict[Table, Fraction] = {}
        for share, state in pairs:
            found[state] = found.get(state, Fraction(0)) + share
        return [(share, state) for state, share in found.items()]


def _parts(state: Table) -> tuple[Coins, int | None]:
    """The coins, and the moves that are left if there are only so many."""
    return (state, None) if isinstance(state, str) else state
