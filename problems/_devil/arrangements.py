"""Permutations of a word, and the number of classes of words that a table's symmetries make equal."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, gcd


def distinct_permutations(word: str) -> Iterator[str]:
    """Every order of the letters once; a letter that comes earlier in `word` goes first."""
    if not word:
        yield ""
    for letter in dict.fromkeys(word):
        for rest in distinct_permutations(word.replace(letter, "", 1)):
            yield letter + rest


def count_classes(n: int, faces: int, table: str) -> int:
    """The number of classes of words of n letters out of `faces`, up to the symmetries of the table.

    By Burnside's lemma: the mean, over the group of the table, of the number of words that stay as they are.

    Examples
    --------
    >>> [count_classes(n, 2, "cyclic") for n in (1, 2, 3, 4, 5, 6, 8, 12)]
    [2, 3, 4, 6, 8, 14, 36, 352]
    """
    if table == "symmetric":
        return comb(n + faces - 1, faces - 1)  # a class is how often each letter comes
    turned: int = sum(faces ** gcd(n, turn) for turn in range(n))
    if table == "cyclic":
        return turned // n
    # A reflection of an odd number of places leaves one of them alone; of an even number, none or two.
    smaller: int = faces ** ((n + 1) // 2)
    larger: int = faces ** (n // 2 + 1)
    return (turned + (n // 2) * (smaller + larger) + (n % 2) * smaller) // (2 * n)
