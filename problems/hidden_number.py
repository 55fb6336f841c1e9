"""The hidden number: find it by questions, some of which are answered by lies."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations, groupby, product
from math import comb
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.hooks import BeliefClassHook, DistinctActionsHook, PerceptArrayHook

from ._pictures.numbers import Numbers
from ._pictures.parts import counted, listed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Answer: TypeAlias = Literal["", "yes", "no"]

Game: TypeAlias = tuple[int, int, Answer]
"""The hidden number, the number of lies so far, and the last answer, None at the start."""

Question: TypeAlias = int | frozenset[int]
"""Is it at most this number? Or: is it one of these?"""

_Suspects: TypeAlias = dict[int, tuple[int, ...]]

_Asked: TypeAlias = "Mapping[int, int]"
"""How many numbers are asked after, by the fewest lies so far."""


@frozen
class HiddenNumberProblem(
    BeliefProblem[Game, Question, Answer],
    DistinctActionsHook[Game, Question],
    BeliefClassHook[Game],
    PerceptArrayHook[Game, Question, Answer],
):
    """Find a number by yes-or-no questions, some of whose answers may be lies.

    Story
    -----
    Somebody thinks of a number from 1 to N and answers questions such as "is it at most 7?" with yes or no.
    At most L of the answers may be lies. How many questions are needed to know the number for certain?

    Formal model
    ------------
    A state is the number, the number of lies so far, and the last answer, which is the percept. A question costs
    1. It is answered truly, or, if there is a lie left, by a lie. The goal is to know the number; whether lies
    were told need not be known. Questions are comparisons ("at most 7?"), or, with `--questions sets`, after any
    set of numbers ("one of 2, 3, 5?"), which is the game of Ulam and Rényi.

    Source
    ------
    S. M. Ulam, "Adventures of a Mathematician" (1976); A. Pelc, "Solution of Ulam's problem on searching with
    a lie" (J. Combinatorial Theory A 44, 1987).

    Known answers
    -------------
    Without lies the logarithm of N to the base 2, rounded up. With one lie and sets the least q with
    N (q + 1) <= 2^q for even N, and N (q + 1) + q - 1 <= 2^q for odd N: 25 for a million. With comparisons 4, 7,
    12, 22, 40, 76 are the largest N for 5, 6, 7, 8, 9, 10 questions (OEIS A325908), with sets 4, 8, 16, 28, 50,
    92 (OEIS A286496).
    """

    known_answers = (
        KnownAnswer({"limit": 16}, 4),
        KnownAnswer({"limit": 100}, 7),
        KnownAnswer({"limit": 7, "lies": 1}, 6),
        KnownAnswer({"limit": 8, "lies": 1}, 7),
        KnownAnswer({"limit": 8, "lies": 1, "questions": "sets"}, 6),
    )

    limit: int = field(default=16, validator=ge(1), metadata={"help": "the largest number it may be, N"})
    lies: int = field(default=0, validator=ge(0), metadata={"help": "how many answers may be lies, L"})
    questions: Literal["comparisons", "sets"] = field(
        default="comparisons",
        validator=in_(("comparisons", "sets")),
        metadata={"help": "what may be asked: whether it is at most some number, or whether it is in some set"},
    )

    def initial_states(self) -> Iterator[Game]:
        return ((number, 0, "") for number in range(1, self.limit + 1))

    def actions(self, state: Game) -> SetQuestions | range:
        return self._questions

    def results(self, state: Game, action: Question) -> list[Game]:
        number, lies, _ = state
        truth = self._truth(number, action)
        results: list[Game] = [(number, lies, truth)]
        if lies < self.lies:
            results.append((number, lies + 1, "no" if truth == "yes" else "yes"))
        return results

    def _truth(self, number: int, action: Question) -> Answer:
        return "yes" if (number in action if isinstance(action, frozenset) else number <= action) else "no"

    def percepts(self, state: Game, action: Question) -> tuple[Answer]:
        number, _, answer = state
        # Without lies the answer can be told from a state in which it is left out.
        return (answer if answer or self.lies else self._truth(number, action),)

    def goal_sets(self) -> tuple[frozenset[Game], ...]:
        return self._goal_sets

    @cached_property
    def _goal_sets(self) -> tuple[frozenset[Game], ...]:
        answers: tuple[Answer, ...] = ("", "yes", "no")
        lies = range(self.lies + 1)
        return tuple(
            frozenset((number, told, answer) for told in lies for answer in answers)
            for number in range(1, self.limit + 1)
        )

    @cached_property
    def _questions(self) -> SetQuestions | range:
        # That it is at most the limit need not be asked.
        return SetQuestions(self.limit) if self.questions == "sets" else range(1, self.limit)

    # How states and actions are written and read.

    def format_state(self, state: Game) -> str:
        """The number; then the lies and the last answer: `7, 1 lie, yes`."""
        number, lies, answer = state
        return ", ".join([str(number), *([f"{lies} {'lie' if lies == 1 else 'lies'}", answer] if answer else [])])

    def parse_state(self, text: str) -> Game:
        for state in sorted(frozenset().union(*self._goal_sets)):
            if self.format_state(state) == text.strip():
                return state
        raise ValueError(f"{text!r} is not a number from 1 to {self.limit}, or one such as '1, 0 lies, yes'")

    def format_action(self, action: Question) -> str:
        if isinstance(action, frozenset):
            return f"one of {', '.join(map(str, sorted(action)))}?"
        return f"at most {action}?"

    def parse_action(self, text: str) -> Question:
        """The number or the numbers, with or without the words."""
        words = text.strip().removeprefix("at most").removeprefix("one of").rstrip("?").replace(",", " ").split()
        if words and all(word.isdecimal() for word in words):
            numbers = frozenset(map(int, words))
            question: Question = numbers if self.questions == "sets" else min(numbers)
            if question in self._questions and (self.questions == "sets" or len(words) == 1):
                return question
        if self.questions == "sets":
            raise ValueError(f"{text!r} is not a list of some, but not all, of the numbers from 1 to {self.limit}")
        raise ValueError(f"{text!r} is not a number from 1 to {self.limit - 1}")

    def describe_action(self, action: Question) -> str:
        if isinstance(action, frozenset):
            return f"Ask whether it is one of {listed(sorted(action))}"
        return f"Ask whether it is at most {action}"

    # How states, beliefs and questions are drawn.

    def svg_state(self, state: Game) -> Drawing:
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[Game]) -> Drawing:
        """The numbers that it may be, fainter if that takes more lies."""
        fewest: dict[int, int] = {}
        for number, lies, _ in states:
            fewest[number] = min(lies, fewest.get(number, lies))
        answers = {answer for _, _, answer in states}
        texts = [f"answer: {answer}" for answer in answers if answer and len(answers) == 1]
        if len(states) == 1 and self.lies:
            texts += [counted(lies, "lie").replace("no lies", "no lie") for lies in fewest.values()]
        elif len(fewest) > 1:
            texts.append(f"{len(fewest):,} possible")
        return self._picture.drawn(fewest, ", ".join(texts), most_lies=self.lies)

    def svg_action(self, action: Question) -> Drawing:
        return self._picture.asked(action if isinstance(action, frozenset) else range(1, action + 1))

    @cached_property
    def _picture(self) -> Numbers:
        return Numbers(self.limit)

    # For speed: numbers of which the same is known are interchangeable, as far as questions allow.

    def canonical(self, state: Game) -> Game:
        """The state without the last answer, which no longer matters."""
        return state[0], state[1], ""

    def distinct_actions(self, belief: frozenset[Game]) -> Iterator[Question]:
        """One question for each way to divide the numbers that are still possible; the most even first.

        Sets are the same if they have as many of the numbers after so many lies, or all others of them. Those that
        have about half of the numbers of every sort come before all others.
        Questions that leave no doubt about the true answer are left out: they tell nothing.
        """
        if self.questions == "comparisons" and not self.lies:
            yield from _middle_first(sorted(number for number, _, _ in belief))
            return
        suspects = _lies_by_number(belief)
        if self.questions == "comparisons":
            yield from self._most_even_first(suspects, self._cuts(suspects))
        else:
            for halved in (True, False):
                yield from self._most_even_first(suspects, self._shares(suspects, halved=halved))

    def _most_even_first(self, suspects: _Suspects, ways: Iterable[tuple[Question, _Asked]]) -> Iterator[Question]:
        """The questions by the answers that may follow, counted with their lies, after a yes or a no.

        Each is given with how many numbers it asks after, by the fewest lies so far.
        """
        told = Counter(min(lies) for lies in suspects.values())
        answers, after_a_lie = self._patterns(told)
        gains = [one - other for one, other in zip(answers, after_a_lie, strict=True)]
        total = sum(count * (answers[lies] + after_a_lie[lies]) for lies, count in told.items())
        least = sum(count * after_a_lie[lies] for lies, count in told.items())
        ranked = []
        for place, (question, asked) in enumerate(ways):
            yes = least + sum(count * gains[lies] for lies, count in asked.items())
            ranked.append((max(yes, total - yes), place, question))
        return (question for _, _, question in sorted(ranked, key=lambda entry: entry[:2]))

    def _patterns(self, told: Counter[int]) -> tuple[list[int], list[int]]:
        """The number of ways to lie from the next question on, by lies so far, and after a lie in answer to it.

        With as many questions as are needed at the least for all numbers, `told` by lies, to have theirs.
        """
        left = range(self.lies, -1, -1)
        for count in itertools.count():
            ways = [sum(comb(count, lies) for lies in range(most + 1)) for most in left]
            if sum(many * ways[lies] for lies, many in told.items()) <= 2 ** (count + 1):
                return ways, [*ways[1:], 0]
        raise AssertionError("some number of questions is enough")

    def all_states(self) -> list[Game] | None:
        """All numbers if there are no lies; else what is perceived is not told by a state without the last answer."""
        return None if self.lies else [*self.initial_states()]

    def all_results(self, action: Question) -> NDArray[np.integer[Any]]:
        return self._numbers

    def all_percepts(self, action: Question) -> tuple[tuple[Answer, Answer], NDArray[np.integer[Any]]]:
        import numpy as np

        if isinstance(action, frozenset):
            untrue = np.ones(self.limit, dtype=np.int8)
            untrue[[number - 1 for number in action]] = 0
        else:
            untrue = (self._numbers[:, 0] >= action).view(np.int8)
        return ("yes", "no"), untrue.reshape(-1, 1)

    @cached_property
    def _numbers(self) -> NDArray[np.int32]:
        """The numbers of all states without lies, of which each is the only result in itself."""
        import numpy as np

        return np.arange(self.limit, dtype=np.int32).reshape(-1, 1)

    def belief_class(self, belief: frozenset[Game]) -> tuple[object, ...]:
        """The possible numbers of lies for each possible number: in order up to reversal, or for sets, counted."""
        if not self.lies:
            return (len({number for number, _, _ in belief}),)
        suspects = _lies_by_number(belief)
        if self.questions == "sets":
            return tuple(sorted(Counter(suspects.values()).items()))
        runs = tuple((lies, len(list(run))) for lies, run in groupby(suspects.values()))
        return min(runs, runs[::-1])

    def _cuts(self, suspects: _Suspects) -> Iterator[tuple[Question, _Asked]]:
        """A comparison between every two neighbouring possible numbers."""
        asked: dict[int, int] = {}
        for number in list(suspects)[:-1]:
            fewest = min(suspects[number])
            asked[fewest] = asked.get(fewest, 0) + 1
            yield number, asked

    def _shares(self, suspects: _Suspects, *, halved: bool) -> Iterator[tuple[Question, _Asked]]:
        """A set for each choice of how many numbers of each sort it has; numbers with equal lies are of one sort.

        Either those that have half of each sort, or one number more or less, or all others.
        """
        sorts: dict[tuple[int, ...], list[int]] = {}
        for number, lies in suspects.items():
            sorts.setdefault(lies, []).append(number)
        sizes = [len(sort) for sort in sorts.values()]
        about_half = [range(max(0, size // 2 - 1), min(size, (size + 1) // 2 + 1) + 1) for size in sizes]
        for counts in product(*(about_half if halved else (range(size + 1) for size in sizes))):
            others = tuple(size - count for size, count in zip(sizes, counts, strict=True))
            if not (any(counts) and any(others) and counts <= others):
                continue
            if not halved and all(count in about for count, about in zip(counts, about_half, strict=True)):
                continue
            asked: dict[int, int] = {}
            for lies, count in zip(sorts, counts, strict=True):
                asked[min(lies)] = asked.get(min(lies), 0) + count
            chosen = (numbers[:count] for numbers, count in zip(sorts.values(), counts, strict=True))
            yield frozenset(number for numbers in chosen for number in numbers), asked


@frozen
class SetQuestions(Container[frozenset[int]], Iterable[frozenset[int]]):
    """The questions for all sets of numbers except the empty and the full set, which are too many to list.

    Attributes
    ----------
    limit
        Numbers go from 1 to this.
    """

    limit: int

    def __iter__(self) -> Iterator[frozenset[int]]:
        numbers = range(1, self.limit + 1)
        return (frozenset(chosen) for size in range(1, self.limit) for chosen in combinations(numbers, size))

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, frozenset)
            and 0 < len(action) < self.limit
            and all(type(number) is int and 1 <= number <= self.limit for number in action)
        )


def _middle_first(numbers: list[int]) -> Iterator[int]:
    """The comparisons between neighbours among these numbers, which are in order; the most even first."""
    for fewer in range(len(numbers) // 2, 0, -1):
        yield numbers[fewer - 1]
        if 2 * fewer < len(numbers):
            yield numbers[-fewer - 1]


def _lies_by_number(belief: frozenset[Game]) -> _Suspects:
    """The possible numbers of lies so far, by possible number, in order."""
    lies: dict[int, set[int]] = {}
    for number, told, _ in belief:
        lies.setdefault(number, set()).add(told)
    return {number: tuple(sorted(lies[number])) for number in sorted(lies)}
