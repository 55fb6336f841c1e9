"""Tables that cannot be won blindfolded, because the devil can keep the coins on a cycle unequal.

Let what may be done to the table move q > 1 places round in a cycle, and let r > 1 divide the number of faces,
where q and r have no common divisor. Look at the sides of those q coins modulo r only. If they are not all
equal, then, whatever the move, they still are not after it, if before it the devil either leaves the table
alone or turns it so once. For suppose that both make them equal. Then what turning once changes is the same
amount c at every place of the cycle. Over the cycle changes add up to 0, so q c = 0, and c = 0 since q has an
inverse modulo r. But then each coin was equal to the next one, all round the cycle.

Nor need q and r be coprime, if only m > 1 divides q and has no common divisor with r. For then add up, modulo r, the
sides of every m-th coin of the cycle: these m sums move round as the coins do, a move adds something to each, and they
are equal if the coins are. So the devil can keep the sums unequal in the same way. That is why a table of N coins that
he can turn by one place only is lost like one that he can turn at will: N is a power of r, or some m divides it.

If there is no such cycle then F, the number of faces, is a power of a prime p, and the order of the group a
power of p; or there is one coin. Otherwise some primes q, of the order of the group, and r, of F, differ, and
an element of order q (Cauchy) is such a cycle or several. Those cases are won: see `invariant_chain.py`.
"""

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from . import groups
from .moves import coprime_part, prime_factors


@frozen
class TurningTrap:
    """The devil's permutation that keeps coins unequal.

    `products` is how it is made of the generators of the group, where these are no named ones; see
    `groups.of_prime_order`.
    """

    modulus: int  # the prime r
    cycles: list[list[int]]  # of places, each moved to the next one; all cycles have the same prime length q
    products: list[tuple[int, int]] | None = None

    def turns_by(self, most: int) -> bool:
        """Whether a table is turned so by no more than so many places, either way."""
        n = sum(map(len, self.cycles))  # a turn moves every coin
        shift = (self.cycles[0][1] - self.cycles[0][0]) % n
        return min(shift, n - shift) <= most

    @property
    def sums(self) -> int:
        """The number m of sums that are kept unequal; as many as a cycle has coins if these themselves are."""
        return coprime_part(len(self.cycles[0]), self.modulus)

    @property
    def evidence(self) -> dict[str, Any]:
        """The evidence for the checker."""
        made = {} if self.products is None else {"products": list(map(list, self.products))}
        return {"argument": "trap", "modulus": self.modulus, "cycles": self.cycles, **made}


def find_trap(n: int, faces: int, group: str, turn_by: int | None) -> TurningTrap | None:
    """A trap with the shortest cycles that may be turned so far, or None if there is none."""
    found = _find_trap(n, faces, group)
    if found is None or turn_by is None or found.turns_by(turn_by):
        return found
    modulus = next(prime for prime in prime_factors(faces) if coprime_part(n, prime) > 1)
    return TurningTrap(modulus, [list(range(n))])


def _find_trap(n: int, faces: int, group: str) -> TurningTrap | None:
    named = group in groups.KNOWN
    # Large groups mostly have a trap, which needs no order; only to know that there is none takes the order.
    found = None if named else _trap(n, faces, group, groups.likely_primes(groups.generators(group, n), n))
    if found is not None:
        return found
    return _trap(
        n, faces, group, (2, 3) if group == groups.PERMUTATIONS and n > 2 else prime_factors(groups.order(group, n))
    )


def _trap(n: int, faces: int, group: str, lengths: Iterable[int]) -> TurningTrap | None:
    """A trap whose cycles have one of these prime lengths, which divide the order of the group."""
    for length in lengths:
        for modulus in prime_factors(faces):
            if length == modulus:
                continue
            if group in groups.KNOWN:
                return TurningTrap(modulus, _cycles(n, length, group))
            made_by = groups.generators(group, n)
            products = groups.of_prime_order(made_by, n, length)
            return TurningTrap(modulus, groups.cycles(groups.product_of(made_by, n, products)), products)
    return None


def _cycles(n: int, length: int, group: str) -> list[list[int]]:
    """Cycles of a prime length, which divides the order of a named group."""
    if group == groups.PERMUTATIONS:
        return [list(range(length))]
    if n % length == 0:
        return [list(range(start, n, n // length)) for start in range(n // length)]
    return [[place, n - 1 - place] for place in range(n // 2)]  # turned over; the middle coin stays
