"""Why some tables cannot be won blindfolded: the devil can keep the coins on a cycle unequal.

Let what may be done to the table move q > 1 places round in a cycle, and let r > 1 divide the number of faces,
where q and r have no common divisor. Look at the sides of those q coins modulo r only. If they are not all
equal, then, whatever the move, they still are not after it, if before it the devil either leaves the table
alone or turns it so once. For suppose that both make them equal. Then what turning once changes is the same
amount c at every place of the cycle. Over the cycle changes add up to 0, so q c = 0, and c = 0 since q has an
inverse modulo r. But then each coin was equal to the next one, all round the cycle.

If there is no such cycle then F, the number of faces, is a power of a prime p, and the order of the group a
power of p; or there is one coin. Otherwise some primes q, of the order of the group, and r, of F, differ, and
an element of order q (Cauchy) is such a cycle or several. Those cases are won: see `invariant_chain.py`.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from .moves import prime_factors


@frozen
class TurningTrap:
    """The devil's permutation that keeps coins unequal.

    Attributes
    ----------
    modulus
        The prime r.
    cycles
        The places that are moved, each to the next one of its cycle; all cycles have the same prime length q.
    """

    modulus: int
    cycles: list[list[int]]

    @property
    def evidence(self) -> dict[str, Any]:
        """The evidence for the checker."""
        return {"argument": "trap", "modulus": self.modulus, "cycles": self.cycles}


def find_trap(n: int, faces: int, table: str) -> TurningTrap | None:
    """A trap with the shortest cycles, or None if there is none."""
    if n == 1:
        return None
    for length in (2, 3) if table == "symmetric" else prime_factors(n if table == "cyclic" or n == 2 else 2 * n):
        for modulus in prime_factors(faces):
            if length != modulus and length <= n:
                return TurningTrap(modulus, _cycles(n, length, table))
    return None


def _cycles(n: int, length: int, table: str) -> list[list[int]]:
    """Cycles of a prime length, which divides the order of the group of the table."""
    if table == "symmetric":
        return [list(range(length))]
    if n % length == 0:
        return [list(range(start, n, n // length)) for start in range(n // length)]
    return [[place, n - 1 - place] for place in range(n // 2)]  # turned over; the middle coin stays
