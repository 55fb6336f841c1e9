"""Doubling: how a plan for N two-faced coins gives one for 2N coins, and why it wins.

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

from __future__ import annotations


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
