"""The counterfeit coin: find it with a balance."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from functools import cached_property
from itertools import chain, combinations, product
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.hooks import BeliefClassHook, DistinctActionsHook

from ._pictures.balances import CoinsToWeigh
from ._pictures.parts import listed

Kind: TypeAlias = Literal["heavy", "light"]

Fault: TypeAlias = tuple[int, Kind]
"""The counterfeit coin, and whether it is heavy or light."""

Weighing: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The coins on the two pans, in order; the lowest coin of all is on the left."""

Tilt: TypeAlias = Literal["left heavy", "right heavy", "balance"]

_Counts: TypeAlias = tuple[int, int, int]
"""How many coins that may be heavy or light, that may be heavy, and that may be light."""

_KINDS: dict[str, tuple[Kind, ...]] = {"unknown": ("heavy", "light"), "heavy": ("heavy",), "light": ("light",)}


@frozen
class CounterfeitCoinProblem(
    BeliefProblem[Fault, Weighing, Tilt], DistinctActionsHook[Fault, Weighing], BeliefClassHook[Fault]
):
    """Find the counterfeit coin among good ones with a balance.

    Story
    -----
    One of N coins is counterfeit: it is heavier or lighter than the others, which weigh the same. A balance
    with two pans tells which side is heavier, or that both weigh the same. How many weighings find the coin
    for certain, and say whether it is heavy or light?

    Formal model
    ------------
    A state is the counterfeit coin and its kind. An action puts as many coins on each pan; it costs 1, and
    changes nothing. The percept is `left heavy`, `right heavy` or `balance`. The goal is to know the state, or,
    with `--find coin`, the coin. Coins are numbered from 1; those after the N-th are the `--reference` coins,
    which are known to be good. Exchanging the pans is no other weighing, so the lowest coin is on the left.

    Source
    ------
    F. J. Dyson, "The problem of the pennies" (Mathematical Gazette 30, 1946).

    Known answers
    -------------
    In k weighings: (3^k - 3) / 2 coins, and the kind is known as well, so 12 in 3; (3^k - 1) / 2, if there is
    a reference coin, or if only the coin must be found, so 13 in 3. If all know that it is heavy: 3^k.
    Two coins cannot be told apart without a reference coin.
    """

    known_answers = (
        KnownAnswer({"coins": 12}, 3),
        KnownAnswer({"coins": 13, "find": "coin"}, 3),
        KnownAnswer({"coins": 13, "reference": 1}, 3),
        KnownAnswer({"coins": 9, "kind": "heavy"}, 2),
        KnownAnswer({"coins": 2}, None),
    )

    coins: int = field(default=12, validator=ge(1), metadata={"help": "number of coins, one of which is counterfeit"})
    kind: Literal["unknown", "heavy", "light"] = field(
        default="unknown",
        validator=in_(("unknown", "heavy", "light")),
        metadata={"help": "what is known of the counterfeit coin: nothing, that it is heavy, or that it is light"},
    )
    find: Literal["coin-and-kind", "coin"] = field(
        default="coin-and-kind",
        validator=in_(("coin-and-kind", "coin")),
        metadata={"help": "what must be known in the end: the coin and whether it is heavy or light, or the coin"},
    )
    reference: int = field(
        default=0, validator=ge(0), metadata={"help": "number of further coins, which are known to be good"}
    )

    def initial_states(self) -> Iterator[Fault]:
        return product(range(1, self.coins + 1), _KINDS[self.kind])

    def actions(self, state: Fault) -> Weighings:
        return self._weighings

    def results(self, state: Fault, action: Weighing) -> tuple[Fault]:
        return (state,)

    def percepts(self, state: Fault, action: Weighing) -> tuple[Tilt]:
        coin, kind = state
        left, right = action
        if coin in left:
            return ("left heavy" if kind == "heavy" else "right heavy",)
        if coin in right:
            return ("right heavy" if kind == "heavy" else "left heavy",)
        return ("balance",)

    def goal_sets(self) -> tuple[frozenset[Fault], ...]:
        return self._goal_sets

    @cached_property
    def _goal_sets(self) -> tuple[frozenset[Fault], ...]:
        faults = list(self.initial_states())
        if self.find == "coin-and-kind":
            return tuple(frozenset((fault,)) for fault in faults)
        return tuple(frozenset(fault for fault in faults if fault[0] == coin) for coin in range(1, self.coins + 1))

    @cached_property
    def _weighings(self) -> Weighings:
        return Weighings(self.coins + self.reference)

    # How states and actions are written and read.

    def format_state(self, state: Fault) -> str:
        return f"{state[0]} {state[1]}"

    def parse_state(self, text: str) -> Fault:
        """The coin and its kind, such as `7 heavy`."""
        for state in self.initial_states():
            if text.split() == [str(state[0]), state[1]]:
                return state
        kinds = " or ".join(_KINDS[self.kind])
        raise ValueError(f"{text!r} is not a coin from 1 to {self.coins} and {kinds}, such as '1 {kinds.split()[0]}'")

    def format_action(self, action: Weighing) -> str:
        return " against ".join(" ".join(map(str, pan)) for pan in action)

    def parse_action(self, text: str) -> Weighing:
        """The coins on the two pans, with `against`, `-`, `|` or `v` between them."""
        for between in ("against", "|", "v"):
            text = text.replace(between, "-")
        pans = [pan.replace(",", " ").split() for pan in text.split("-")]
        if len(pans) == 2 and all(word.isdecimal() for pan in pans for word in pan):
            weighing = _weighing(*(list(map(int, pan)) for pan in pans))
            if weighing in self._weighings:
                return weighing
        raise ValueError(
            f"{text!r} does not put as many coins on each pan, each at most once and from 1 to {self._weighings.coins},"
            " such as '1 2 against 3 4'"
        )

    def describe_action(self, action: Weighing) -> str:
        return f"Weigh {' against '.join(map(listed, action))}"

    # How states, beliefs and weighings are drawn.

    def svg_state(self, state: Fault) -> Drawing:
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[Fault]) -> Drawing:
        """An empty balance, and what is suspected of each coin."""
        suspects: dict[int, str] = {}
        for coin, kind in states:
            suspects[coin] = "either" if suspects.get(coin, kind) != kind else kind
        return CoinsToWeigh(self._weighings.coins).drawn(suspects)

    def svg_action(self, action: Weighing) -> Drawing:
        return CoinsToWeigh(self._weighings.coins).weighed(action)

    # For speed: coins of which the same is known are interchangeable.

    def distinct_actions(self, belief: frozenset[Fault]) -> Iterator[Weighing]:
        """One weighing for each choice of how many coins of each sort go on each pan, the most informative first.

        The sorts are: may be heavy or light, may be heavy, may be light, known to be good. Coins of a sort are
        interchangeable. Good coins fill up one pan only, since on both they would say no more; and weighings
        that tell nothing, of good coins alone, are left out.
        """
        both, heavy, light, good = self._sorted_coins(belief)
        sorts = (both, heavy, light)
        sizes = (len(both), len(heavy), len(light))
        least = -(-len(belief) // 3)  # what the largest of three outcomes must have
        for left, right in chain(_even(sizes, len(good), least), _others(sizes, len(good), least)):
            pans = (
                [coin for sort, count in zip(sorts, left, strict=True) for coin in sort[:count]],
                [
                    coin
                    for sort, skip, count in zip(sorts, left, right, strict=True)
                    for coin in sort[skip : skip + count]
                ],
            )
            lighter = min(pans, key=len)
            lighter += good[: abs(len(pans[0]) - len(pans[1]))]
            yield _weighing(*pans)

    def belief_class(self, belief: frozenset[Fault]) -> tuple[int, int, int]:
        """The number of coins of each sort, up to exchanging heavy and light."""
        both, heavy, light, _ = map(len, self._sorted_coins(belief))
        return both, max(heavy, light), min(heavy, light)

    def _sorted_coins(self, belief: frozenset[Fault]) -> tuple[list[int], list[int], list[int], list[int]]:
        """The coins that may be heavy or light, only heavy, only light, and neither; each list in order."""
        sorts: tuple[list[int], list[int], list[int], list[int]] = ([], [], [], [])
        for coin in range(1, self._weighings.coins + 1):
            heavy, light = (coin, "heavy") in belief, (coin, "light") in belief
            sorts[0 if heavy and light else 1 if heavy else 2 if light else 3].append(coin)
        return sorts


@frozen
class Weighings(Container[Weighing], Iterable[Weighing]):
    """All weighings of `coins` coins with equally many on each pan; too many to list unless `coins` is small.

    Attributes
    ----------
    coins
        How many there are, numbered from 1.
    """

    coins: int

    def __iter__(self) -> Iterator[Weighing]:
        for pan in range(1, self.coins // 2 + 1):
            for lowest, *others in combinations(range(1, self.coins + 1), 2 * pan):
                for partners in combinations(others, pan - 1):
                    yield (lowest, *partners), tuple(coin for coin in others if coin not in partners)

    def __contains__(self, action: object) -> bool:
        if not (isinstance(action, tuple) and len(action) == 2 and all(isinstance(pan, tuple) for pan in action)):
            return False
        left, right = action
        coins = left + right
        return (
            len(left) == len(right) > 0
            and all(type(coin) is int and 1 <= coin <= self.coins for coin in coins)
            and len(set(coins)) == len(coins)
            and action == _weighing(left, right)
        )


def _weighing(first: Iterable[int], second: Iterable[int]) -> Weighing:
    """The weighing of `left` against `right`, in standard form."""
    left, right = sorted((tuple(sorted(first)), tuple(sorted(second))))
    return left, right


def _even(sizes: _Counts, good: int, most: int) -> Iterator[tuple[_Counts, _Counts]]:
    """The number of coins of each sort on each pan, if no outcome may have more than `most` possible faults.

    In the order of what is on the left, and then on the right. Not all choices are gone through, which may be far too
    many: where five of the six numbers are given, those that are possible for the sixth are an interval.
    """
    both, heavy, light = sizes
    faults = 2 * both + heavy + light
    for both_left, heavy_left, light_left in product(*(range(size + 1) for size in sizes)):
        left = (both_left, heavy_left, light_left)
        if not any(left):
            continue
        for both_right in range(min(both_left, both - both_left) + 1):
            tilts_left = both_left + both_right + heavy_left
            tilts_right = both_left + both_right + light_left
            for heavy_right in range(min(heavy - heavy_left, most - tilts_right) + 1):
                room = sum(left) - both_right - heavy_right  # until the pans have equally many
                fewest = max(0, room - good, faults - most - tilts_left - tilts_right - heavy_right)
                for light_right in range(fewest, min(light - light_left, most - tilts_left, room + good) + 1):
                    right = (both_right, heavy_right, light_right)
                    if left >= right:  # else the same with the pans exchanged
                        yield left, right


def _others(sizes: _Counts, good: int, most: int) -> Iterator[tuple[_Counts, _Counts]]:
    """The same for all others, those first whose largest outcome is the smallest."""
    faults = 2 * sizes[0] + sizes[1] + sizes[2]
    ranked = []
    for (both_left, both_right), (heavy_left, heavy_right), (light_left, light_right) in product(*map(_pairs, sizes)):
        left, right = (both_left, heavy_left, light_left), (both_right, heavy_right, light_right)
        if left < right or not any(left) or abs(sum(left) - sum(right)) > good:
            continue  # the same with the pans exchanged; nothing; or it cannot be filled up
        tilts_left = both_left + heavy_left + both_right + light_right
        tilts_right = both_left + light_left + both_right + heavy_right
        largest = max(tilts_left, tilts_right, faults - tilts_left - tilts_right)
        if largest > most:
            ranked.append((largest, left, right))
    yield from ((left, right) for _, left, right in sorted(ranked))


def _pairs(count: int) -> list[tuple[int, int]]:
    """All ways to put some of `count` coins on the left pan and some on the right, as pairs of numbers."""
    return [(left, right) for left in range(count + 1) for right in range(count + 1 - left)]
