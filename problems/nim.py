"""Nim: take counters from heaps, against an opponent who answers every move."""

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import deep_iterable, ge, in_, min_len

from beliefsearch import Drawing, KnownAnswer, ObservableProblem

from ._pictures.chips import HeapsOfCounters
from ._pictures.parts import counted
from ._typed import number_list, numbers_in

Heaps: TypeAlias = tuple[int, ...]
"""How many counters each heap has, the smallest heap first; empty heaps are left out."""

Position: TypeAlias = tuple[Heaps, Literal["", "you", "opponent"]]
"""The heaps when it is your turn, and who took the last counter, if it has been taken."""

Taking: TypeAlias = tuple[int, int]
"""How many counters to take, and the size of the heap to take them from."""


def parse_heaps(text: str) -> Heaps:
    """Heaps from `3 4 5`, in any order."""
    expected = "the numbers of counters, none of them 0, such as '3 4 5'"
    heaps = numbers_in(text, expected)
    if 0 in heaps:
        raise ValueError(f"it should be {expected}")
    return _in_order(heaps)


def _in_order(heaps: Iterable[int]) -> Heaps:
    return tuple(sorted(heaps))


@frozen
class NimProblem(ObservableProblem[Position, Taking]):
    """Take counters from heaps by turns with an opponent, and take the last one.

    Story
    -----
    Counters lie in heaps. You and an opponent take turns; each time one counter or more is taken, all from
    the same heap. Whoever takes the last counter of all wins. You begin. Can you win, whatever the opponent does,
    and after how many moves of yours at the most?

    Formal model
    ------------
    A state is the sizes of the heaps when it is your turn. An action takes some counters from a heap of some size. Its
    results are what the opponent's replies make of the rest: you do not know which one comes, but you see it.
    So a game against an opponent is a problem whose actions have several results and whose player sees every
    state. The goal is to have taken the last counter, or, with `--last loses`, to have left it to the opponent. Every
    move of yours costs 1.

    Source
    ------
    C. L. Bouton, "Nim, a game with a complete mathematical theory" (Annals of Mathematics 3, 1901).

    Known answers
    -------------
    Write the sizes in base 2 and add them without carrying. You can win if and only if the sum is not 0. With
    `--last loses` that is so too, unless no heap has more than one counter; then you win if their number is even. To
    win is to leave the sum 0: with two heaps of n and more than n counters, make them alike, and copy what the
    opponent does, which takes at most n + 1 moves. By brute force 3 4 5 takes at most 6.
    """

    known_answers = (
        KnownAnswer({}, 6),
        KnownAnswer({"heaps": "1 2 3"}, None),
        KnownAnswer({"heaps": "2 5"}, 3),
        KnownAnswer({"heaps": "1 1 1"}, 2),
        KnownAnswer({"heaps": "1 1 1", "last": "loses"}, None),
    )

    heaps: Heaps = field(
        default=(3, 4, 5),
        converter=_in_order,
        validator=deep_iterable(ge(1), min_len(1)),
        metadata={
            "help": "how many counters each heap has, such as '3 4 5'",
            "parse": parse_heaps,
            "format": number_list,
        },
    )
    last: Literal["wins", "loses"] = field(
        default="wins",
        validator=in_(("wins", "loses")),
        metadata={"help": "whether the player who takes the last counter wins or loses"},
    )

    def initial_state(self) -> Position:
        return self.heaps, ""

    def actions(self, state: Position) -> list[Taking]:
        return list(_takings(state[0]))

    def results(self, state: Position, action: Taking) -> list[Position]:
        left = _without(state[0], action)
        if not left:
            return [((), "you")]
        replies = dict.fromkeys(_without(left, reply) for reply in _takings(left))
        return [(heaps, "" if heaps else "opponent") for heaps in replies]

    def is_goal(self, state: Position) -> bool:
        return state[1] == ("you" if self.last == "wins" else "opponent")

    def has_adversary(self) -> bool:
        """The opponent wants to win, too."""
        return True

    # How states and actions are written and read.

    def format_state(self, state: Position) -> str:
        """The heaps, or who took the last counter: `3 4 5`, `over: you`."""
        heaps, taker = state
        return number_list(heaps) if heaps else f"over: {taker}"

    def parse_state(self, text: str) -> Position:
        for over in (((), "you"), ((), "opponent")):
            if text.strip() == self.format_state(over):
                return over
        try:
            return parse_heaps(text), ""
        except ValueError as error:
            raise ValueError(f"{text!r} is no position: {error}") from None

    def format_action(self, action: Taking) -> str:
        return f"{action[0]} from {action[1]}"

    def parse_action(self, text: str) -> Taking:
        """Read how many counters, and the size of the heap: `2 from 5`, `2 5`."""
        words = text.lower().replace("from", " ").split()
        if len(words) != 2 or not all(word.isdecimal() for word in words) or not 0 < int(words[0]) <= int(words[1]):
            raise ValueError(
                f"{text!r} does not say how many counters to take from a heap of how many, such as '2 from 5'"
            )
        return int(words[0]), int(words[1])

    def describe_action(self, action: Taking) -> str:
        count, size = action
        return f"Take {counted(count, 'counter')} from a heap of {size:,}"

    # How heaps and moves are drawn.

    def svg_state(self, state: Position) -> Drawing:
        heaps, taker = state
        return self._picture.drawn(heaps, {"you": "You", "opponent": "They"}.get(taker, ""))

    def svg_action(self, action: Taking) -> Drawing:
        return self._picture.taken(*action)

    @property
    def _picture(self) -> HeapsOfCounters:
        return HeapsOfCounters(len(self.heaps), max(self.heaps))


def _takings(heaps: Heaps) -> Iterator[Taking]:
    """Every move; heaps of the same size are alike."""
    return ((count, size) for size in dict.fromkeys(heaps) for count in range(1, size + 1))


def _without(heaps: Heaps, taking: Taking) -> Heaps:
    count, size = taking
    place = heaps.index(size)
    return _in_order(heap for heap in (*heaps[:place], size - count, *heaps[place + 1 :]) if heap)
