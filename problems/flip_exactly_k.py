"""Flip exactly k: turn all coins from tails to heads, k at a time."""

import math
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import combinations, product
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import Drawing, KnownAnswer
from beliefsearch.hooks import ReversibleProblem

from ._pictures import coins as pictures
from ._pictures.parts import agreed, counted, listed

Turn: TypeAlias = tuple[int, ...]
"""For indistinguishable coins the numbers of tails and heads turned; else their places, from 1."""


@frozen
class FlipExactlyKProblem(ReversibleProblem[str, Turn]):
    """Turn all coins from tails to heads when every move turns over exactly k of them.

    Story
    -----
    N coins lie on a table, all showing tails. A move turns over exactly K of them, whichever you like.
    Reach all heads in the fewest moves.

    Formal model
    ------------
    Which coin is which does not matter to somebody who sees them. So a state is a row of H and T with the heads first,
    and a move is how many of the K coins showed tails and how many heads. With `--coins numbered` a
    state is a row of H and T in which every coin has its place, and a move is K places.

    Played with `--blindfold`, every row is a possible start. Numbered coins are the better game then:
    with coins that look alike a move must be possible whatever they show.

    Source
    ------
    Folklore. "Coin Flipping - 4" of Early Family Math (earlyfamilymath.org) asks for the general rule;
    so does problem 3666 of LeetCode, "Minimum Operations to Equalize Binary String".

    Known answers
    -------------
    In m moves each coin is turned at most m times, and an odd number of times; any such numbers with the sum
    mK can be dealt out to the moves. So m moves do it if and only if mK is at least N, differs from it by
    an even number and, if m is even, is at most N(m - 1). Hence the answer is the least of:

    - the odd m that are at least N/K, if N - K is even;
    - the even m that are at least N/K and N/(N - K), if N is even and K < N.

    There is none if and only if N is odd and K is even. 5 coins, 3 at a time: 3 moves; 9 coins, 5 at a
    time: 3; 4 coins, 3 at a time: 4. Blindfolded with numbered coins 2^N - 1 moves if K is odd and less
    than N, one fewer than there are rows, as in a Gray code; otherwise not at all, but for a single coin.
    """

    known_answers = (
        KnownAnswer({"n": 5, "k": 3}, 3),
        KnownAnswer({"n": 9, "k": 5}, 3),
        KnownAnswer({"n": 4, "k": 3}, 4),
        KnownAnswer({"n": 5, "k": 2}, None),
        KnownAnswer({"n": 4, "k": 3, "coins": "numbered"}, 15, blindfold=True),
    )

    n: int = field(default=5, validator=ge(1), metadata={"help": "number of coins"})
    k: int = field(default=3, validator=ge(1), metadata={"help": "how many coins a move turns over, at most n"})
    coins: Literal["alike", "numbered"] = field(
        default="alike",
        validator=in_(("alike", "numbered")),
        metadata={"help": "whether a state is the number of heads only, or the side of each coin"},
    )

    def __attrs_post_init__(self) -> None:
        if self.k > self.n:
            raise ValueError(f"k: a move cannot turn over {self.k} of {self.n} coins; k must be at most n")

    def initial_state(self) -> str:
        return "T" * self.n

    def possible_starts(self) -> Iterator[str]:
        if self.coins == "alike":
            return map(self._row, range(self.n, -1, -1))
        return map("".join, product("HT", repeat=self.n))

    def actions(self, state: str) -> Iterable[Turn]:
        if self.coins == "numbered":
            return combinations(range(1, self.n + 1), self.k)
        tails = state.count("T")
        heads = self.n - tails
        return [(turned, self.k - turned) for turned in range(max(0, self.k - heads), min(tails, self.k) + 1)]

    def result(self, state: str, action: Turn) -> str:
        if self.coins == "alike":
            tails, heads = action
            return self._row(state.count("H") + tails - heads)
        row = list(state)
        for place in action:
            row[place - 1] = "H" if row[place - 1] == "T" else "T"
        return "".join(row)

    def is_goal(self, state: str) -> bool:
        return "T" not in state

    def _row(self, heads: int) -> str:
        return "H" * heads + "T" * (self.n - heads)

    # How states and actions are written and read.

    def format_action(self, action: Turn) -> str:
        if self.coins == "numbered":
            return ",".join(map(str, action))
        tails, heads = action
        return " and ".join(
            f"{count} {side}{'s' if count > 1 else ''}" for count, side in ((tails, "tail"), (heads, "head")) if count
        )

    def parse_action(self, text: str) -> Turn:
        """Places such as `1,3,5`; for indistinguishable coins the number of tails, with or without heads."""
        words = text.replace(",", " ").split()
        if self.coins == "numbered":
            turn = tuple(sorted({int(word) for word in words if word.isdecimal()}))
            if len(words) == len(turn) == self.k and turn[0] >= 1 and turn[-1] <= self.n:
                return turn
            raise ValueError(f"{text!r} is not {self.k} different places from 1 to {self.n}, such as '1,2,3'")
        if words and words[0].isdecimal() and int(words[0]) <= self.k:
            for tails in (int(words[0]), self.k - int(words[0])):
                turn = (tails, self.k - tails)
                if text in (words[0], self.format_action(turn)):
                    return turn
        raise ValueError(f"{text!r} does not say how many of the {self.k} coins show tails, such as '1'")

    def parse_state(self, text: str) -> str:
        """The row of coins; in any order if coins are indistinguishable."""
        row = text.strip().upper()
        if len(row) != self.n or not set(row) <= {"H", "T"}:
            raise ValueError(f"{text!r} is not a row of {self.n} coins, H or T")
        return row if self.coins == "numbered" else self._row(row.count("H"))

    def describe_action(self, action: Turn) -> str:
        if self.coins == "numbered":
            return f"Turn over {counted(self.k, 'coin')}: {listed(action)}"
        turned = [counted(count, side) for count, side in zip(action, ("tail", "head"), strict=True) if count]
        return f"Turn over {listed(turned)}"

    # How rows, beliefs and moves are drawn.

    def svg_state(self, state: str) -> Drawing:
        return self._rows.drawn(state)

    def svg_belief(self, states: Collection[str]) -> Drawing:
        """The coins that all possible rows agree on."""
        return self._rows.drawn("".join(agreed(states, "?")))

    def svg_action(self, action: Turn) -> Drawing | None:
        """Rings, unless coins are alike: then a move names no places."""
        return self._rows.ringed(place - 1 for place in action) if self.coins == "numbered" else None

    @cached_property
    def _rows(self) -> pictures.Coins:
        return pictures.in_rows(self.n)

    # For speed: the way back from the goal, and the answer in closed form as an estimate.

    def goal_states(self) -> list[str]:
        return ["H" * self.n]

    def predecessors(self, state: str) -> list[tuple[str, Turn]]:
        # Turning the same coins again undoes a move: what were tails then are heads now.
        alike = self.coins == "alike"
        return [(self.result(state, turn), turn[::-1] if alike else turn) for turn in self.actions(state)]

    def heuristic(self, state: str) -> float:
        """The exact least number of moves; infinite if there is no plan. See the known answers."""
        tails = state.count("T")
        if not tails:
            return 0
        return min(self._least_odd(tails), self._least_even(tails))

    def _least_odd(self, tails: int) -> float:
        """The least odd m such that m moves can turn each tail an odd and each head an even number of times."""
        if (tails - self.k) % 2:
            return math.inf
        # The most that m moves may turn is m for each of the tails and m - 1 for each of the heads.
        least = -(-tails // self.k)
        heads = self.n - tails
        if heads:
            if self.k == self.n:
                return math.inf
            least = max(least, -(-heads // (self.n - self.k)))
        return least | 1

    def _least_even(self, tails: int) -> float:
        """The same as `_least_odd` for even m: at most m - 1 turns of each tail and m of each head."""
        if tails % 2 or self.k == self.n:
            return math.inf
        least = max(-(-tails // self.k), -(-tails // (self.n - self.k)))
        return least + least % 2
