"""Groups of what may be done to the table: permutations of the places, by its name or by generators.

A permutation is a tuple p: the coin at place p[j] comes to place j.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import factorial, lcm, prod
from random import Random
from typing import TypeAlias

from beliefsearch.errors import meant

Permutation: TypeAlias = tuple[int, ...]
TURNS, REFLECTIONS, PERMUTATIONS = "turns", "reflections", "permutations"
KNOWN = (TURNS, REFLECTIONS, PERMUTATIONS)
"""Groups of any size, of which all is known by their names."""
_OTHER_WORDS = {"cyclic": TURNS, "dihedral": REFLECTIONS, "symmetric": PERMUTATIONS}

_NAMED: dict[str, Callable[[int], list[Permutation]]] = {
    TURNS: lambda n: [_turn(n, 1)],
    REFLECTIONS: lambda n: [_turn(n, 1), tuple(reversed(range(n)))],
    PERMUTATIONS: lambda n: [_turn(n, 1), (1, 0, *range(2, n)) if n > 1 else (0,)],
    "half-turns": lambda n: [_half_turn(n)],
    "klein": lambda n: _klein(n),
    "none": lambda n: [],
}


def group_name(text: str) -> str:
    """The name of a group in our words, or its generators as they are."""
    return _OTHER_WORDS.get(text, text)


OPTION = {
    "parse": group_name,
    "help": "what may be done to the table before the flips: turns, reflections (turn it, also turn it over), "
    "permutations (of the coins, at will), half-turns, klein (four coins, exchanged in pairs), none, or what the "
    "permutations make that are given by their cycles, such as '(0 1 2)(3 4), (0 1)'",
}
"""Of a field with a group."""


@lru_cache(maxsize=16)
def generators(group: str, n: int) -> tuple[Permutation, ...]:
    """The permutations of n places that generate a group; raises ValueError if the text says none of so many places."""
    if group in _NAMED:
        return tuple(_NAMED[group](n))
    parts = re.split(r"\s*[,;]\s*(?=\()", group.strip())
    return tuple(_permutation(part, n) for part in parts)


def _permutation(text: str, n: int) -> Permutation:
    if not re.fullmatch(r"(\(\s*\d+([\s,]+\d+)*\s*\)\s*)+", text):
        there = f"{', '.join(_NAMED)}, and no permutation by its cycles, such as (0 1)(2 3)"
        raise ValueError(f"group: {text!r:.60} is none of {there}{meant(text, _NAMED)}")
    comes_from = list(range(n))
    seen: set[int] = set()
    for cycle in re.findall(r"\(([^()]*)\)", text):
        places = [int(word) for word in cycle.replace(",", " ").split()]
        for place in places:
            if place >= n:
                raise ValueError(f"group: there is no place {place!s:.12}; the {n} coins lie at 0 to {n - 1}")
            if place in seen:
                raise ValueError(f"group: the place {place} comes twice in {text!r:.60}; two permutations take a comma")
            seen.add(place)
        for place, following in zip(places, [*places[1:], places[0]], strict=True):
            comes_from[following] = place
    return tuple(comes_from)


def _turn(n: int, steps: int) -> Permutation:
    return tuple((place + steps) % n for place in range(n))


def _half_turn(n: int) -> Permutation:
    if n % 2:
        raise ValueError(f"group: a table with {n} coins has no half turn; their number must be even")
    return _turn(n, n // 2)


def _klein(n: int) -> list[Permutation]:
    if n != 4:
        raise ValueError(f"group: klein exchanges four coins in pairs, and there are {n}; give cycles for more")
    return [(1, 0, 3, 2), (2, 3, 0, 1)]


def after(first: Permutation, second: Permutation) -> Permutation:
    """Do one permutation, and then another."""
    return tuple(first[place] for place in second)


def arrangements(coins: str, group: Sequence[Permutation]) -> list[str]:
    """All arrangements that the group makes of `coins`, beginning with these."""
    found = {coins: None}
    for arranged in (waiting := [coins]):  # grows while it is walked
        for permutation in group:
            moved = "".join([arranged[place] for place in permutation])
            if moved not in found:
                found[moved] = None
                waiting.append(moved)
    return list(found)


def elements(group: str, n: int) -> list[Permutation]:
    """All permutations of a group."""
    made_by, found = generators(group, n), {tuple(range(n)): None}
    for permutation in (waiting := list(found)):  # grows while it is walked
        for made in (after(permutation, maker) for maker in made_by):
            if made not in found:
                found[made] = None
                waiting.append(made)
    return list(found)


@lru_cache(maxsize=16)
def order(group: str, n: int) -> int:
    """The number of permutations in a group.

    For generators by D. Knuth, "Efficient representation of perm groups" (Combinatorica 11, 1991): for each place k,
    permutations that leave the places before k as they are, one for each place to which k may come.
    """
    known = {TURNS: n, REFLECTIONS: 2 * n if n > 2 else n, PERMUTATIONS: factorial(n)}
    if group in known:
        return known[group]
    to: list[dict[int, Permutation]] = [{place: tuple(range(n))} for place in range(n)]
    made_by: list[list[Permutation]] = [[] for _ in range(n)]
    waiting: list[tuple[int, Permutation]] = []

    def rest(level: int, permutation: Permutation) -> Permutation | None:
        """The permutation followed by one that brings the place back; None if none is known that does."""
        back = to[level].get(permutation[level])
        return None if back is None else after(_inverse(back), permutation)

    def enter(level: int, permutation: Permutation) -> None:
        made_by[level].append(permutation)
        waiting.extend((level, after(permutation, known)) for known in list(to[level].values()))

    for generator in generators(group, n):
        enter(0, generator)
    while waiting:
        level, permutation = waiting.pop()
        left = rest(level, permutation)
        if left is None:
            to[level][permutation[level]] = permutation
            waiting.extend((level, after(maker, permutation)) for maker in made_by[level])
            continue
        sifted: Permutation | None = left
        for below in range(level + 1, n):
            sifted = rest(below, sifted) if sifted is not None else None
        if sifted is None:
            enter(level + 1, left)
    return prod(map(len, to))


def _inverse(permutation: Permutation) -> Permutation:
    found = [0] * len(permutation)
    for place, image in enumerate(permutation):
        found[image] = place
    return tuple(found)


def cycles(permutation: Permutation) -> list[list[int]]:
    """The cycles of two places or more: the coin at each goes to the next."""
    becomes, seen, found = _inverse(permutation), set[int](), []
    for place in range(len(permutation)):
        cycle = []
        while place not in seen:
            seen.add(place)
            cycle.append(place)
            place = becomes[place]
        if len(cycle) > 1:
            found.append(cycle)
    return found


def likely_primes(group: Sequence[Permutation], n: int) -> list[int]:
    """Primes that divide the orders of some products by lot, and so the order of the group; quick for large groups."""
    lot, made, found = Random(0), [tuple(range(n)), *group], set[int]()
    for permutation in made[1:]:
        found.update(map(len, cycles(permutation)))
    for _ in range(50 if group else 0):
        made.append(after(lot.choice(made), lot.choice(made)))
        found.update(map(len, cycles(made[-1])))
    return [
        prime
        for prime in range(2, n + 1)
        if all(prime % d for d in range(2, prime)) and any(not k % prime for k in found)
    ]


def of_prime_order(group: Sequence[Permutation], n: int, prime: int) -> list[tuple[int, int]]:
    """Products of permutations, the last of them of prime order; there must be one in the group.

    Each entry is the numbers of two factors: 0 is what changes nothing, then come the generators, then the products.
    """
    lot, made, pairs = Random(0), [tuple(range(n)), *group], list[tuple[int, int]]()

    def multiply(first: int, second: int) -> int:
        made.append(after(made[first], made[second]))
        pairs.append((first, second))
        return len(made) - 1

    last = 1
    while (times := lcm(*map(len, cycles(made[last])))) % prime:
        last = last + 1 if last < len(group) else multiply(lot.randrange(len(made)), lot.randrange(len(made)))
    power, square = 0, last
    for digit in reversed(f"{times // prime:b}"):  # the product so often, by squares
        if digit == "1":
            power = multiply(power, square)
        square = multiply(square, square)
    return _needed(pairs, power, len(group) + 1)


def _needed(pairs: Sequence[tuple[int, int]], last: int, count: int) -> list[tuple[int, int]]:
    """Those products that the last one is made of, numbered anew behind the `count` factors that are given."""
    needed = {last}
    for number in range(last, count - 1, -1):
        if number in needed:
            needed |= set(pairs[number - count])
    new = {number: number for number in range(count)}
    chosen: list[tuple[int, int]] = []
    for number in sorted(needed - set(range(count))):
        new[number] = count + len(chosen)
        first, second = pairs[number - count]
        chosen.append((new[first], new[second]))
    return chosen


def product_of(group: Sequence[Permutation], n: int, pairs: Sequence[Sequence[int]]) -> Permutation:
    """The last of some products, as `of_prime_order` gives them; raises ValueError at a factor that comes later."""
    made = [tuple(range(n)), *group]
    for pair in pairs:
        if len(pair) != 2 or not all(type(factor) is int and 0 <= factor < len(made) for factor in pair):
            raise ValueError(f"{pair!r:.40} is no product of two of {len(made)} permutations")
        made.append(after(made[pair[0]], made[pair[1]]))
    return made[-1]
