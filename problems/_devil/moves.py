"""Words in numbers: permutations, classes and prime factors; and words as vectors modulo a prime."""

from collections.abc import Iterator, Sequence
from math import comb, gcd

from . import groups
from .groups import Permutation

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# Of larger groups the permutations are not listed to count the classes of words.
_MOST_LISTED = 50_000
_MANY_WORDS = 10**9


def places_turned(turn: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The sorting key of moves: the number of coins turned, then their positions."""
    places = tuple(position for position, amount in enumerate(turn) if amount)
    return len(places), places


def distinct_permutations(word: str) -> Iterator[str]:
    """Every order of the letters once; a letter that comes earlier in `word` goes first."""
    if not word:
        yield ""
    for letter in dict.fromkeys(word):
        for rest in distinct_permutations(word.replace(letter, "", 1)):
            yield letter + rest


def count_classes(n: int, faces: int, group: str) -> int:
    """The number of classes of words of n letters out of `faces`, up to the permutations of a group.

    By Burnside's lemma: the mean, over the group, of the number of words that stay as they are. For a group of more
    than 50,000 permutations that are not known by name, the least number there can be; of more than 10^9 words, theirs.

    Examples
    --------
    >>> [count_classes(n, 2, "turns") for n in (1, 2, 3, 4, 5, 6, 8, 12)]
    [2, 3, 4, 6, 8, 14, 36, 352]
    >>> count_classes(4, 2, "klein"), count_classes(5, 2, "(0 1)(2 3 4)")
    (7, 12)
    """
    if group == groups.PERMUTATIONS:
        return comb(n + faces - 1, faces - 1)  # a class is how often each letter comes
    if group in (groups.TURNS, groups.REFLECTIONS):
        turned: int = sum(faces ** gcd(n, turn) for turn in range(n))
        if group == groups.TURNS:
            return turned // n
        # A reflection of an odd number of places leaves one of them alone; of an even number, none or two.
        smaller: int = faces ** ((n + 1) // 2)
        larger: int = faces ** (n // 2 + 1)
        return (turned + (n // 2) * (smaller + larger) + (n % 2) * smaller) // (2 * n)
    if faces**n > _MANY_WORDS:
        return int(faces**n)  # to find the order of a large group takes long
    order = groups.order(group, n)
    if order > _MOST_LISTED:
        return max(1, int(faces**n) // order)
    fixed = (n - sum(len(cycle) - 1 for cycle in groups.cycles(p)) for p in groups.elements(group, n))
    return int(sum(faces**count for count in fixed)) // order


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


def coprime_part(number: int, modulus: int) -> int:
    """The largest divisor of a number that has no common divisor with a modulus.

    >>> coprime_part(12, 2), coprime_part(9, 2), coprime_part(8, 2)
    (3, 9, 1)
    """
    while (common := gcd(number, modulus)) > 1:
        number //= common
    return number


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
        """The rest of a word, 0 if it lies in the span."""
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
