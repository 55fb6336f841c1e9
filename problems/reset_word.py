"""Reset words: bring an automaton to a known state without seeing it."""

from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge, optional

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.tools import read_data_file

from ._pictures.automata import automaton, letter

Automaton: TypeAlias = tuple[tuple[int, ...], ...]
"""The next state, by state and by letter."""

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@frozen
class ResetWordProblem(BeliefProblem[int, str, None]):
    """Find a shortest word that takes an automaton to one state, whichever it was in.

    Story
    -----
    A machine has N states and a keyboard of K letters, and no display. Each letter takes every state to
    some state. You do not know which state it is in. Which word leaves it in a state that you know?

    Formal model
    ------------
    States are numbers, actions are letters, results are deterministic, there are no percepts and every
    letter costs 1. All states are possible at the start. The goal is a property of the belief: that it
    has a single member, whichever that is.

    Source
    ------
    J. Cerny 1964; M. Volkov, "Synchronizing automata and the Cerny conjecture" (2008).

    Known answers
    -------------
    Cerny's automaton of n states takes (n - 1)^2 letters: 9 for n = 4, 81 for n = 10. It is conjectured
    that no automaton that can be reset takes more.
    """

    known_answers = (
        KnownAnswer({"cerny": 4}, 9),
        KnownAnswer({"cerny": 10}, 81),
    )

    cerny: int | None = field(
        default=None, validator=optional(ge(1)), metadata={"help": "Cerny's automaton with N states; default: 4"}
    )
    random: int | None = field(
        default=None, validator=optional(ge(1)), metadata={"help": "a random automaton with N states"}
    )
    letters: int = field(default=2, validator=ge(1), metadata={"help": "letters of the random automaton"})
    seed: int = field(default=0, metadata={"help": "the seed of the random automaton"})
    automaton: Path | None = field(default=None, metadata={"help": "a file: K and N, then K targets for each state"})

    def __attrs_post_init__(self) -> None:
        if sum(given is not None for given in (self.cerny, self.random, self.automaton)) > 1:
            raise ValueError("cerny, random and automaton exclude each other; give one of them")
        self.table  # noqa: B018  # a file that cannot be read is refused now

    def initial_states(self) -> range:
        return range(len(self.table))

    def actions(self, state: int) -> tuple[str, ...]:
        return self._alphabet

    def results(self, state: int, action: str) -> tuple[int]:
        return (self.table[state][self._letter_numbers[action]],)

    def goal_sets(self) -> tuple[frozenset[int], ...]:
        return tuple(frozenset((state,)) for state in self.initial_states())

    @cached_property
    def table(self) -> Automaton:
        """The automaton."""
        if self.automaton is not None:
            return read_automaton(self.automaton)
        if self.random is not None:
            return random_automaton(self.random, self.letters, self.seed)
        return cerny_automaton(4 if self.cerny is None else self.cerny)

    @cached_property
    def _alphabet(self) -> tuple[str, ...]:
        count = len(self.table[0])
        return tuple(_ALPHABET[:count]) if count <= len(_ALPHABET) else tuple(f"letter{i}" for i in range(count))

    @cached_property
    def _letter_numbers(self) -> dict[str, int]:
        return {letter: number for number, letter in enumerate(self._alphabet)}

    # How states and actions are written and read.

    def parse_action(self, text: str) -> str:
        if text not in self._letter_numbers:
            raise ValueError(f"{text!r} is not a letter from {self._alphabet[0]} to {self._alphabet[-1]}")
        return text

    def parse_state(self, text: str) -> int:
        if not text.isdecimal() or int(text) >= len(self.table):
            raise ValueError(f"{text!r} is not a state from 0 to {len(self.table) - 1}")
        return int(text)

    def describe_action(self, action: str) -> str:
        return f"Type {action}"

    # How states, beliefs and letters are drawn.

    def svg_state(self, state: int) -> Drawing:
        return automaton(len(self.table), (state,))

    def svg_belief(self, states: Collection[int]) -> Drawing:
        """Tokens on the states that are possible."""
        return automaton(len(self.table), frozenset(states))

    def svg_action(self, action: str) -> Drawing:
        number = self._letter_numbers[action]
        return letter([targets[number] for targets in self.table], action)


def cerny_automaton(size: int) -> Automaton:
    """Cerny's automaton: letter a turns a cycle, letter b only takes the last state to the first."""
    return tuple(((state + 1) % size, 0 if state == size - 1 else state) for state in range(size))


def random_automaton(size: int, letters: int, seed: int) -> Automaton:
    """An automaton with random targets, drawn uniformly."""
    chance = Random(seed)
    return tuple(tuple(chance.randrange(size) for _ in range(letters)) for _ in range(size))


def read_automaton(path: Path) -> Automaton:
    """The automaton in a text file: K and N, then for each of N states its K targets, all between white space.

    Raises
    ------
    ValueError
        If it cannot be read, or says too little, too much or something impossible; names the place.
    """
    try:
        words = read_data_file(path).split()
    except ValueError as error:
        raise ValueError(f"automaton: {error}") from error
    wrong = next((word for word in words if not (word.isascii() and word.isdecimal() and len(word) < 10)), None)
    if wrong is not None:
        raise ValueError(f"automaton: {str(path)!r} has {wrong[:20]!r} where a whole number should be")
    numbers = [int(word) for word in words]
    if len(numbers) < 2 or not numbers[0] or not numbers[1]:
        raise ValueError(f"automaton: {str(path)!r} should begin with the numbers of letters and of states, at least 1")
    letters, size, *targets = numbers
    for place, target in enumerate(targets[: letters * size]):
        if target >= size:
            state, letter = divmod(place, letters)
            raise ValueError(
                f"automaton: letter {letter} of state {state} leads to {target}, but states go from 0 to {size - 1}"
            )
    if len(targets) != letters * size:
        state, letter = divmod(len(targets), letters)
        lack = f"the first that is missing is letter {letter} of state {state}" if len(targets) < letters * size else ""
        raise ValueError(
            f"automaton: {str(path)!r} has {len(targets)} targets, but {letters} letters and {size} states need "
            f"{letters * size}" + (f"; {lack}" if lack else "")
        )
    return tuple(tuple(targets[state * letters : (state + 1) * letters]) for state in range(size))
