"""The checker of evidence about the devil's game, which trusts nobody who wrote it.

Why the two arguments are sound is in `invariant_chain.py` and `turning_trap.py`; here is what they rest on.
"""

from collections.abc import Mapping
from itertools import pairwise, product
from typing import Any, TypeGuard

from . import groups
from .moves import Echelon, coprime_part

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_FEW_STATES = 5000


def is_forced(
    evidence: Mapping[str, Any], n: int, faces: int, group: str, turn_by: int | None, *, from_constants: bool
) -> bool:
    """Whether `evidence` proves that the player can force equal coins; otherwise it proves that he cannot.

    If the devil turns the table by no more than some number of places, he can do less, so what forces equal coins still
    does; and the permutation of a trap must be such a turn. Raises ValueError, with the first thing that is wrong with
    it, if it proves neither.
    """
    argument: object = evidence.get("argument")
    if argument == "one coin":
        _check_fields(evidence)
        if n != 1:
            raise ValueError(f"there are {n} coins, not one")
    elif argument == "derivatives":
        _check_fields(evidence, "prime", "word")
        _check_derivatives(evidence["prime"], evidence["word"], n, faces, group)
    elif argument == "levels":
        _check_fields(evidence, "base", "words")
        _check_levels(evidence["base"], evidence["words"], n, faces, group, from_constants)
    elif argument == "trap":
        _check_fields(evidence, "modulus", "cycles", *(["products"] if group not in groups.KNOWN else []))
        _check_trap(evidence["modulus"], evidence["cycles"], evidence.get("products"), n, faces, group)
        if turn_by is not None and not _turns_by(_permutation(evidence["cycles"], n), turn_by):
            raise ValueError(f"the cycles are no turn by at most {turn_by} places")
    else:
        raise ValueError(f"{argument!r:.40} is no argument: it should be one coin, derivatives, levels or trap")
    return argument != "trap"


def _check_fields(evidence: Mapping[str, Any], *expected: str) -> None:
    for name in expected:
        if name not in evidence:
            raise ValueError(f"the field {name!r} is missing")
    for name in evidence:
        if name != "argument" and name not in expected:
            raise ValueError(f"the field {name!r:.40} does not belong to the argument {evidence['argument']!r}")


def _check_derivatives(prime: object, word: object, n: int, faces: int, group: str) -> None:
    """Check that the derivatives of `word` are a chain for this table, and that the faces fit it.

    By itself, that the last of n derivatives vanishes, but not the one before it, makes all of them independent:
    the lowest in a sum that vanishes would become the last but one, alone, when the sum is derived. So
    they span all words, those of the last j of them are kept by turning, and turning changes no derivative but by
    the next ones.
    """
    _require_base(prime, faces)
    assert isinstance(prime, int)
    if group not in groups.KNOWN or (group == groups.PERMUTATIONS and n > 2):
        raise ValueError(f"derivatives are about turning, and the group {group} does something else")
    if group == groups.REFLECTIONS and n > 2 and prime != 2:
        raise ValueError(f"turning the table over changes the sign of derivatives, which matters modulo {prime}")
    if not isinstance(word, str) or len(word) != n or not set(word) <= set(_DIGITS[:prime]):
        raise ValueError(f"the field 'word' should be {n} digits below {prime}, but is {word!r:.40}")
    derived = bytes(map(_DIGITS.index, word))
    for order in range(n):
        if not any(derived):
            raise ValueError(f"derivative {order} of the word is 0, so they cannot make all moves")
        derived = _derivative(derived, prime)
    if any(derived):
        raise ValueError(f"derivative {n} of the word is not 0, so there is no lowest one")


def _require_base(prime: object, faces: int) -> None:
    """Raise an error unless this is a prime, and the number of faces a power of it."""
    # The division rejects a number above the faces before anybody looks for its factors.
    if not _is_whole(prime, least=2) or faces % prime or any(prime % divisor == 0 for divisor in range(2, prime)):
        raise ValueError(f"the base should be a prime that divides {faces}, but is {prime!r:.40}")
    if all(prime**power != faces for power in range(1, faces)):
        raise ValueError(f"{faces} faces are not a power of {prime}")


def _check_levels(base: object, words: object, n: int, faces: int, group: str, from_constants: bool) -> None:
    """Check that each word is changed by the group only by sums of those before it, and that all make all words.

    These are words modulo a prime, of whose powers the faces are one; or, where the group does nothing, words of one 1.
    Equal sides, where these are the goal, need not be made.
    """
    made_by = groups.generators(group, n)
    still = all(permutation == tuple(range(n)) for permutation in made_by)
    if not still:
        _require_base(base, faces)
    elif base != faces:
        raise ValueError(f"the field 'base' should be {faces}, the number of faces, but is {base!r:.40}")
    if not isinstance(words, list) or len(words) != n - from_constants:
        raise ValueError(f"the field 'words' should be a list of {n - from_constants} words, but is {words!r:.40}")
    known = None if still or not isinstance(base, int) else Echelon(base)
    if known is not None and from_constants:
        known.add([1] * n)
    for place, word in enumerate(words):
        if not isinstance(word, list) or len(word) != n or not all(_is_whole(side, least=0) for side in word):
            raise ValueError(f"word {place} should be {n} numbers, but is {word!r:.40}")
        if known is None:
            if sorted(word) != [0] * (n - 1) + [1] or word in words[:place]:
                raise ValueError(f"word {place} should have a 1 where no other has it, and else 0")
            continue
        for permutation in made_by:
            changed = [word[source] - side for source, side in zip(permutation, word, strict=True)]
            if any(known.rest(changed)):
                raise ValueError(f"the group changes word {place} by more than the words before it")
        if not known.add(word):
            raise ValueError(f"word {place} is a sum of those before it")


def _derivative(word: bytes, prime: int) -> bytes:
    """The word minus itself turned by one place, modulo `prime`; one byte for each digit."""
    negative = (word[-1:] + word[:-1]).translate(bytes(-side % prime for side in range(256)))
    # One sum of long numbers adds all places at once: sides are below 36, so no byte carries into the next.
    total = int.from_bytes(word, "big") + int.from_bytes(negative, "big")
    return total.to_bytes(len(word), "big").translate(bytes(side % prime for side in range(256)))


def _check_trap(modulus: object, cycles: object, products: object, n: int, faces: int, group: str) -> None:
    """Check that the devil may permute the coins this way, and that it keeps sums over the first cycle unequal."""
    if not _is_whole(modulus, least=2) or faces % modulus:
        raise ValueError(f"the field 'modulus' should be a divisor of {faces} above 1, but is {modulus!r:.40}")
    becomes = _permutation(cycles, n)
    if not _belongs(becomes, products, group):
        raise ValueError(f"the cycles are nothing that the group {group} does to a table")
    assert isinstance(cycles, list)
    length = len(cycles[0])
    sums = coprime_part(length, modulus)
    if sums == 1:
        raise ValueError(f"no divisor of {length}, the length of the first cycle, has none in common with {modulus}")
    if modulus**sums <= _FEW_STATES:
        _try_every_move(sums, modulus)


def _permutation(cycles: object, n: int) -> list[int]:
    """The place to which each of n places goes."""
    if not isinstance(cycles, list) or not cycles:
        raise ValueError(f"the field 'cycles' should be a list of cycles, but is {cycles!r:.40}")
    becomes = list(range(n))
    seen: set[int] = set()
    for cycle in cycles:
        if not isinstance(cycle, list) or len(cycle) < 2:
            raise ValueError(f"a cycle should be a list of two places or more, but one is {cycle!r:.40}")
        for place in cycle:
            if not _is_whole(place, least=0) or place >= n or place in seen:
                raise ValueError(f"{place!r:.40} in a cycle is not one of {n} places, or it comes twice")
            seen.add(place)
        for place, following in pairwise([*cycle, cycle[0]]):
            becomes[place] = following
    return becomes


def _belongs(becomes: list[int], products: object, group: str) -> bool:
    """Whether the devil may do this permutation to the table."""
    n = len(becomes)
    if group not in groups.KNOWN:
        if not isinstance(products, list) or not all(isinstance(pair, list) for pair in products):
            raise ValueError(f"the field 'products' should be a list of pairs, but is {products!r:.40}")
        comes_from = groups.product_of(groups.generators(group, n), n, products)
        return all(becomes[source] == place for place, source in enumerate(comes_from))
    turn = all(after == (becomes[0] + place) % n for place, after in enumerate(becomes))
    reflection = all(after == (becomes[0] - place) % n for place, after in enumerate(becomes))
    return turn or group == groups.PERMUTATIONS or (group == groups.REFLECTIONS and reflection)


def _turns_by(becomes: list[int], most: int) -> bool:
    """Whether a turn is by no more than so many places."""
    return min(becomes[0], len(becomes) - becomes[0]) <= most


def _try_every_move(length: int, modulus: int) -> None:
    """Check without algebra that sums along the cycle can be kept unequal, from every state and by every move."""
    for sides in product(range(modulus), repeat=length):
        if len(set(sides)) == 1:
            continue
        turned = sides[-1:] + sides[:-1]
        # All other moves already leave the coins unequal if the table is left alone.
        for level in range(modulus):
            move = [level - side for side in sides]
            if len({(side + amount) % modulus for side, amount in zip(turned, move, strict=True)}) == 1:
                raise ValueError(f"{sides} on the first cycle is not safe from the move {move}")


def _is_whole(value: object, *, least: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
