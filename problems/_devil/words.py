"""Words as vectors modulo a prime: what they span, and which of them a group of permutations leaves alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .groups import Permutation


def words_of_levels(
    group: Sequence[Permutation], n: int, prime: int, *, from_constants: bool
) -> Iterator[tuple[int, ...]]:
    """Words, lowest level first, each changed by the group only by sums of those before it, modulo `prime`.

    They make all words, together with those of equal sides if it is `from_constants`. The order of the group must be a
    power of the prime: then of what is left of all words it leaves some alone.
    """
    known = Echelon(prime)
    if from_constants:
        known.add([1] * n)
    while known.rank < n:
        for word in known.fixed_by(group, n):
            if known.add(word):
                yield word


class Echelon:
    """The span of some words modulo a prime, by Gauss's elimination."""

    def __init__(self, prime: int) -> None:
        self.prime = prime
        self._rows: dict[int, list[int]] = {}  # by the place of their first 1

    @property
    def rank(self) -> int:
        """The dimension."""
        return len(self._rows)

    def rest(self, word: Sequence[int]) -> list[int]:
        """What is left of a word, 0 if it lies in the span."""
        left = list(word)
        for pivot, row in self._rows.items():
            if factor := left[pivot] % self.prime:
                left = [(a - factor * b) % self.prime for a, b in zip(left, row, strict=True)]
        return [side % self.prime for side in left]

    def add(self, word: Sequence[int]) -> bool:
        """Add a word, and say whether it is new."""
        left = self.rest(word)
        pivot = next((place for place, side in enumerate(left) if side), None)
        if pivot is None:
            return False
        inverse = pow(left[pivot], -1, self.prime)
        row = [side * inverse % self.prime for side in left]
        for other, old in self._rows.items():
            if factor := old[pivot]:
                self._rows[other] = [(a - factor * b) % self.prime for a, b in zip(old, row, strict=True)]
        self._rows[pivot] = row
        return True

    def fixed_by(self, group: Sequence[Permutation], n: int) -> list[tuple[int, ...]]:
        """Words that span those which a group changes only by words of the span."""
        changes = []  # by place, what the generators change of the word with a 1 there
        for place in range(n):
            unit = [int(place == other) for other in range(n)]
            moved = ([a - b for a, b in zip((unit[q] for q in p), unit, strict=True)] for p in group)
            changes.append([side for change in moved for side in self.rest(change)])
        equations = Echelon(self.prime)
        for equation in zip(*changes, strict=True):
            equations.add(equation)
        bound = equations._rows
        free = [place for place in range(n) if place not in bound]
        found = []
        for place in free:
            word = [0] * n
            word[place] = 1
            for pivot, row in bound.items():
                word[pivot] = -row[place] % self.prime
            found.append(tuple(word))
        return found
