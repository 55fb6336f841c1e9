"""Counterfeit coins and a digital scale: find out which bags hold them."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from itertools import chain, combinations_with_replacement, product
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge, optional

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.hooks import DistinctActionsHook

from ._pictures.coins import HIDDEN, strip
from ._pictures.parts import agreed, listed

Bags: TypeAlias = str  # by bag, whether its coins are good or counterfeit: `ggcg`
Weighing: TypeAlias = tuple[int, ...]  # how many coins of each bag are put on the scale


@frozen
class DigitalScaleProblem(BeliefProblem[Bags, Weighing, int], DistinctActionsHook[Bags, Weighing]):
    """Find the bags with counterfeit coins by a scale that says by how much coins are too light.

    Story
    -----
    Some of four coins are counterfeit, nobody knows how many, and each of those weighs a gram less than a good one. A
    digital scale says what the coins on it weigh together. How few weighings tell for certain which are counterfeit? Or
    there are bags with several coins each, all good or all counterfeit, and you may take of each as many as you like.

    Formal model
    ------------
    A state says for each bag whether it is good or counterfeit; with `--counterfeit K`, exactly K are. An action puts
    some coins of each bag on the scale; it costs 1 and changes nothing. The percept is how many counterfeit coins lie
    on it. The goal is to know the state.

    Source
    ------
    H. Shapiro and N. Fine, "Counterfeit coins" (American Mathematical Monthly 67, 1960), for single coins; M. Gardner,
    "Mathematical Puzzles and Diversions" (1959), for ten stacks of coins of which one is counterfeit.

    Known answers
    -------------
    Four coins take three weighings, five take four. One weighing finds the counterfeit one of ten stacks: take no coin
    of the first, one of the second, and so on. Of three bags with four coins each it finds all: take 1, 2 and 4.
    """

    known_answers = (
        KnownAnswer({}, 3),
        KnownAnswer({"bags": 5}, 4),
        KnownAnswer({"bags": 6, "coins": 5, "counterfeit": 1}, 1),
        KnownAnswer({"bags": 3, "coins": 4}, 1),
    )

    bags: int = field(default=4, validator=ge(1), metadata={"help": "number of bags"})
    coins: int = field(default=1, validator=ge(1), metadata={"help": "coins in each bag"})
    counterfeit: int | None = field(
        default=None, validator=optional(ge(0)), metadata={"help": "how many bags are counterfeit, if that is known"}
    )

    def __attrs_post_init__(self) -> None:
        if self.counterfeit is not None and self.counterfeit > self.bags:
            raise ValueError(f"counterfeit: there are {self.bags} bags, so {self.counterfeit} cannot be counterfeit")

    def initial_states(self) -> Iterator[Bags]:
        every = map("".join, product("gc", repeat=self.bags))
        return (bags for bags in every if self.counterfeit in (None, bags.count("c")))

    def actions(self, state: Bags) -> Amounts:
        return Amounts(self.bags, self.coins)

    def results(self, state: Bags, action: Weighing) -> tuple[Bags]:
        return (state,)

    def percepts(self, state: Bags, action: Weighing) -> tuple[int]:
        return (sum(coins for coins, kind in zip(action, state, strict=True) if kind == "c"),)

    def goal_sets(self) -> list[frozenset[Bags]]:
        return [frozenset((state,)) for state in self.initial_states()]

    # How states and weighings are written, read and drawn.

    def parse_state(self, text: str) -> Bags:
        if len(text) != self.bags or text not in self.initial_states():
            raise ValueError(f"{text!r} is not {self.bags} letters, g for good and c for counterfeit")
        return text

    def format_action(self, action: Weighing) -> str:
        return " ".join(map(str, action))

    def describe_action(self, action: Weighing) -> str:
        return f"Weigh {listed([f'{n} of bag {bag}' for bag, n in enumerate(action, 1) if n])}"

    def svg_state(self, state: Bags) -> Drawing:
        return strip(state, bright="g")

    def svg_belief(self, states: Collection[Bags]) -> Drawing:
        return strip(agreed(states, HIDDEN), bright="g")

    # For speed: bags of which the same is known are interchangeable.

    def distinct_actions(self, belief: frozenset[Bags]) -> Iterator[Weighing]:
        """Yield the same amounts of interchangeable bags in one order only; the most different amounts first."""
        sorts: list[list[int]] = []
        for bag in range(self.bags):
            alike = (sort for sort in sorts if all(_exchanged(state, bag, sort[0]) in belief for state in belief))
            if (sort := next(alike, None)) is None:
                sorts.append(sort := [])
            sort.append(bag)
        amounts = (combinations_with_replacement(range(self.coins + 1), len(sort)) for sort in sorts)
        places = list(chain(*sorts))
        chosen = (dict(zip(places, chain(*numbers), strict=True)) for numbers in product(*amounts))
        weighings = (tuple(coins[bag] for bag in range(self.bags)) for coins in chosen)
        yield from sorted(weighings, key=lambda weighing: -len(set(weighing)))


def _exchanged(state: Bags, one: int, other: int) -> Bags:
    return "".join(state[{one: other, other: one}.get(bag, bag)] for bag in range(len(state)))


@frozen
class Amounts(Container[Weighing], Iterable[Weighing]):
    """All weighings: numbers from 0 to `most`, so many as there are `kinds`; there may be far too many to list them."""

    kinds: int
    most: int

    def __iter__(self) -> Iterator[Weighing]:
        return product(range(self.most + 1), repeat=self.kinds)

    def __contains__(self, chosen: object) -> bool:
        if not isinstance(chosen, tuple) or len(chosen) != self.kinds:
            return False
        return all(type(number) is int and 0 <= number <= self.most for number in chosen)
