"""Factors of small numbers."""

from __future__ import annotations


def prime_factors(number: int) -> list[int]:
    """The primes that divide a positive number, in order."""
    primes, candidate = [], 2
    while candidate * candidate <= number:
        if number % candidate == 0:
            primes.append(candidate)
            while number % candidate == 0:
                number //= candidate
        candidate += 1
    return primes + [number] * (number > 1)
