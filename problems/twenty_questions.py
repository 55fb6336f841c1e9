"""Twenty questions with odds: find out which thing is meant, the likely ones sooner."""

from collections.abc import Collection
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

from attrs import field, frozen

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._pictures.numbers import Numbers
from ._pictures.parts import listed

Thing: TypeAlias = "int | None"
"""The number of the thing, from 1; None once it was named."""
Question: TypeAlias = "frozenset[int] | int"
"""Whether it is among these; or that it is this one, which ends the game."""


@frozen
class TwentyQuestionsProblem(StochasticProblem[Thing, Question, bool]):
    """Ask yes-no questions until you know which thing is meant; some are more likely than others.

    Story
    -----
    Somebody thinks of one of a few things, of some more often than of others. You may ask whether it is among any that
    you name, and go on until you know. With good questions, how many does it take on average?

    Formal model
    ------------
    A state is the number of the thing; `--odds` are whole numbers in proportion to the probabilities. An action is a
    set of things, with the reward -1, after which one perceives whether the thing is among them; or to name
    the thing, which applies only if it is that one, and ends the game. A question and its opposite are the same
    question, so the first thing is in none.

    Source
    ------
    S. Zimmerman, "An optimal search procedure" (American Mathematical Monthly 66, 1959): the best questions are those
    of D. Huffman, "A method for the construction of minimum-redundancy codes" (Proceedings of the IRE 40, 1952).

    Known answers
    -------------
    Minus the mean length of a Huffman code: for odds of 4, 2, 2, 1, 1 it is 22/10, for eight that are equal 3.
    """

    known_answers = (
        KnownAnswer({}, -2.2, within=1e-9),
        KnownAnswer({}, Fraction(-22, 10), horizon=6),
        KnownAnswer({"odds": "1 1 1"}, Fraction(-5, 3), horizon=4),
    )

    odds: str = field(default="4 2 2 1 1", metadata={"help": "how often each thing is meant, as whole numbers"})

    def __attrs_post_init__(self) -> None:
        words = self.odds.split()
        if not words or not all(word.isdecimal() and int(word) > 0 for word in words):
            raise ValueError(f"odds: these are whole numbers above 0, such as 4 2 2 1 1, not {self.odds!r}")
        if len(words) > 12:
            raise ValueError(f"odds: for {len(words)} things there are too many questions; take at most 12")

    @cached_property
    def _shares(self) -> list[int]:
        return [int(word) for word in self.odds.split()]

    @cached_property
    def _questions(self) -> tuple[frozenset[int], ...]:
        others = range(2, len(self._shares) + 1)
        return tuple(frozenset(few) for size in range(1, len(others) + 1) for few in combinations(others, size))

    def initial_distribution(self) -> list[tuple[Fraction, Thing]]:
        total = sum(self._shares)
        return [(Fraction(share, total), thing) for thing, share in enumerate(self._shares, 1)]

    def actions(self, state: Thing) -> tuple[Question, ...]:
        assert state is not None, "it was not named yet"
        return (state, *self._questions)

    def outcomes(self, state: Thing, action: Question) -> list[tuple[int, Thing]]:
        return [(1, state if isinstance(action, frozenset) else None)]

    def percept_distribution(self, state: Thing, action: Question) -> list[tuple[int, bool]]:
        return [(1, isinstance(action, frozenset) and state in action)]

    def reward(self, state: Thing, action: Question) -> int:
        return -1 if isinstance(action, frozenset) else 0

    def is_terminal(self, state: Thing) -> bool:
        return state is None

    def format_state(self, state: Thing) -> str:
        return "named" if state is None else f"thing {state}"

    def format_action(self, action: Question) -> str:
        if isinstance(action, frozenset):
            return f"ask {' '.join(map(str, sorted(action)))}"
        return f"name {action}"

    def format_percept(self, percept: bool) -> str:
        return "yes" if percept else "no"

    def describe_action(self, action: Question) -> str:
        if isinstance(action, frozenset):
            return f"Ask whether it is {'one of ' * (len(action) > 1)}{listed(sorted(action))}"
        return f"Name {action}"

    # How things, beliefs and questions are drawn.

    def svg_state(self, state: Thing) -> Drawing:
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[Thing]) -> Drawing:
        """The things that it may be."""
        things = sorted(state for state in states if state is not None)
        text = "named" if not things else f"{len(things)} possible" if len(things) > 1 else f"thing {things[0]}"
        return self._picture.drawn(dict.fromkeys(things, 0), text)

    def svg_action(self, action: Question) -> Drawing:
        return self._picture.asked(action if isinstance(action, frozenset) else (action,))

    @cached_property
    def _picture(self) -> Numbers:
        return Numbers(len(self._shares))
