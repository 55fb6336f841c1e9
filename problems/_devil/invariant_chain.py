"""Winning blindfolded: levels of moves such that a turn of the table changes a move only by lower levels.

Sides are the numbers modulo F = p^k, p prime, so that a state or a move of N coins is a word, a vector over Z/F,
and moves add up. Let H be the group of what may be done to the table. Let V_0 be the words of won states: all
heads, {0}; or all words with equal sides, which H leaves alone. Wanted are words g_0, g_1, ..., g_(m-1) such
that, where V_v is what sums of g_0, ..., g_(v-1) and words of V_0 make,

- p g_v is in V_v, so that V_(v+1) is V_v and p - 1 sets like it, the classes g_v + V_v, 2 g_v + V_v, ...;
- whatever H does to g_v changes it only by a word of V_v;
- V_m is everything.

Then the *ruler sequence*, whose move number t is g_v for the largest p^v that divides t, wins: it consists of p
copies of the ruler sequence below level v, with g_v between them. The copies only add words of V_v, and so,
modulo V_v, whatever the devil does, they leave a state of V_(v+1) where it is, while each g_v moves it on to the
next of p classes; so one of the copies starts in V_v itself, and wins by induction. In all it has p^m - 1 moves.

If the order of H is a power of p there are always such words. For of things whose number is a power of p such a group
leaves alone a number that p divides; so modulo p and V_v it leaves some words alone besides 0. They are found by
elimination (`moves.py`), and done for p^(k-1) times the words, then for p^(k-2) times, down to 1 times. If H does
nothing at all, the words with one side that is 1 will do, p being F itself, prime or not.

On a cyclic table of N = p^e places such words are the *derivatives* of a word, what it says less what it says
one place before: as polynomials, multiples by 1 - x. Modulo p the N-th derivative of every word is
(1 - x)^N = 1 - x^N = 0, and the (N-1)-th of x^j is the word of ones, which is not. Words whose derivative
number j + 1 vanishes, but not number j, are of *depth* j + 1: turning such a word changes it by a word of less
depth. With k > 1 the levels run through the depths for p^(k-1) times the words, then for p^(k-2) times, down
to 1 times: what is left when a level is repeated p times is a word of the multiple before. A reflection keeps
the words of every depth together, too, and changes none by more than their sign: for p = 2 it is no harm.

Sources: R. Bar Yehuda, T. Etzion and S. Moran, "Rotating-table games and derivatives of words" (1993);
P. Kagey, "Spinning switches on a wreath product" (2023).

Doubling: how a plan for N two-faced coins gives one for 2N coins, and why it wins.

Let the moves o_1, ..., o_k win with N coins. For 2N, let d_i flip what o_i flips *in both halves* of the table,
and s_i flip it in the first half *and leave the second half alone*. With d for d_1 d_2 ... d_k, the sequence

    d s_1 d s_2 ... s_k d

wins. For look at the XOR of each coin and the one opposite: N bits, on a table that turns as the coins do. The
moves d_i flip both of such a pair, and so leave its XOR as it is; the moves s_i flip one of it, and so they play
o_1, ..., o_k with the XORs, however the table is turned. So after one of the s_i, or before the first, all XORs
are 0. Then opposite coins are alike, and the d that follows plays o_1, ..., o_k with the pairs, and wins. Of k moves
that makes k (k + 1) + k = (k + 1)^2 - 1: from 1 coin and its single move 1, 3, 15, 255, ... which is 2^N - 1.

Turning the table over keeps opposite coins opposite, so it makes no difference.

Source: John Lamping, in P. Norvig's notebook "The Devil and the Coin Flip Game".
"""

from functools import lru_cache
from typing import Any

from attrs import frozen

from .groups import KNOWN, generators, order
from .moves import prime_factors, words_of_levels


@frozen
class InvariantChain:
    """The levels of moves that force a win with N = p^e coins of p^k faces, or with a single coin.

    With `first_of_class` the word of a level is the first, in the order of legal moves, of all that could take its
    place: the greatest, which therefore is the greatest of all its turns and reflections. Otherwise it is a derivative
    of a single one.
    """

    n: int  # number of places
    base: int  # the prime p; for a single coin the number of faces, prime or not, since nothing can be confused
    power: int  # the exponent k; 1 for a single coin
    from_constants: bool  # whether it is enough that all places are equal: V_0 is the words with equal places, not {0}
    first_of_class: bool
    # For a table that is not turned, or otherwise: the words of levels with the same multiple, lowest first.
    words: tuple[tuple[int, ...], ...] | None = None

    @property
    def depths(self) -> range:
        """The depths of the words of levels with the same multiple, lowest level first."""
        return range(2 if self.from_constants else 1, self.n + 1)

    @property
    def levels(self) -> int:
        """The number of levels; the plan has base^levels - 1 moves."""
        return self.power * len(self.depths)

    @property
    def evidence(self) -> dict[str, Any]:
        """The evidence for the checker."""
        if self.n == 1:
            return {"argument": "one coin"}
        if self.words is not None:
            return {"argument": "levels", "base": self.base, "words": list(map(list, self.words))}
        return {"argument": "derivatives", "prime": self.base, "word": "1" + "0" * (self.n - 1)}

    def level_of(self, number: int) -> int:
        """The level of move `number`, counted from 1: how often the base divides it."""
        level = 0
        while number % self.base == 0:
            number //= self.base
            level += 1
        return level

    def word(self, level: int) -> tuple[int, ...]:
        """The word of a level: how far its move turns each coin."""
        layer, place = divmod(level, len(self.depths))
        multiple, depth = self.base ** (self.power - 1 - layer), self.depths[place]
        faces = self.base**self.power
        if self.words is not None:
            return tuple(multiple * side for side in self.words[place])
        derived = _derivative(self.n, self.n - depth, self.base)
        if not self.first_of_class:
            return tuple(multiple * side for side in derived)
        if depth == 1:
            return (faces - multiple,) * self.n
        # Modulo p, words of depth j + 1 or less are multiples of x^j (1 - x)^(N-1-j), so that no two agree in the
        # first j + 1 places. The greatest starts with j + 1 times -1, but it is the word of -1, of depth 1. The
        # next has -2 in place j: it is the one below. Of what is the same modulo p, the greatest side is taken.
        turned = derived[1 - depth :] + derived[: 1 - depth]
        return tuple(faces - multiple * (1 + side) for side in turned)


def _derivative(n: int, order: int, prime: int) -> bytes:
    """The coefficients of (1 - x)^order modulo `prime` and x^n - 1, one byte each; `order` is below n."""
    word = bytes([1]) + bytes(n - 1)
    step = 1
    while order:
        # (1 - x)^s = 1 - x^s modulo p, where s is a power of p: one digit of the order in base p at a time.
        order, digit = divmod(order, prime)
        for _ in range(digit):
            turned = word[-step:] + word[:-step]
            word = bytes((side - before) % prime for side, before in zip(word, turned, strict=True))
        step *= prime
    return word


@lru_cache(maxsize=4)
def chain_for(n: int, faces: int, group: str, *, from_constants: bool, first_of_class: bool) -> InvariantChain:
    """The levels for `n` coins of `faces` faces.

    There is one coin, or the group does nothing, or its order and the number of faces are powers of the same prime.
    """
    made_by = generators(group, n)
    still = order(group, n) == 1
    base = faces if still else prime_factors(faces)[0]
    power = next(power for power in range(1, faces) if base**power >= faces)
    words = None
    if n > 1 and still:
        words = tuple(tuple(int(place == other) for other in range(n)) for place in range(from_constants, n))
    elif n > 1 and group not in KNOWN:
        words = tuple(words_of_levels(made_by, n, base, from_constants=from_constants))
    return InvariantChain(n, base, power, from_constants, first_of_class, words)


def can_be_doubled(n: int) -> bool:
    """Whether repeated doubling leads from one coin to `n` coins, that is, whether `n` is a power of two."""
    return n & (n - 1) == 0


def doubled_move(n: int, level: int) -> frozenset[int]:
    """The positions flipped by the doubled plan for `n` coins in moves whose number has exactly `level` factors 2.

    The plan for N coins has 2^N - 1 moves. In the one for 2N the numbers of the s_i are i times 2^N, and a d_i
    comes at i plus a multiple of 2^N. So the d_i are levels 0 to N - 1, and the s_i those from N on.
    """
    if n == 1:
        return frozenset([0])
    half = n // 2
    if level >= half:
        return doubled_move(half, level - half)
    return frozenset(place + side for place in doubled_move(half, level) for side in (0, half))
