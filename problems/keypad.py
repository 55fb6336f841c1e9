"""The keypad: open a lock without an enter key by as few key presses as possible."""

from collections.abc import Collection, Iterator
from itertools import product
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge, le

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.hooks import PotentialHook

Lock: TypeAlias = tuple[str, str]
"""The code, and the last keys pressed, fewer than the code has; both are empty once the lock is open."""

_KEYS = "0123456789"
_OPEN: Lock = ("", "")
_MOST_CODES = 100_000
_LISTED = 27


@frozen
class KeypadProblem(BeliefProblem[Lock, str, None], PotentialHook[Lock]):
    """Open a lock whose keypad has no enter key, without knowing the code.

    Story
    -----
    A lock opens as soon as the last k keys that were pressed are its code, whatever was pressed before. You do
    not know the code, and nobody is there to ask. So every key may end one try and belong to the next. Which
    presses are sure to open the lock, and how few can they be?

    Formal model
    ------------
    A state is the code and the last k - 1 keys pressed. An action is a key; it costs 1. The lock opens when these keys
    and the new one are the code, and then stays open. Every code is possible at the start. There are no percepts: to
    hear that it has opened would end the game and tell nothing else. A press opens at most one code, so the number of
    codes still possible bounds the presses from below (`potential`).

    Source
    ------
    N. G. de Bruijn, "A combinatorial problem" (Proceedings of the Koninklijke Nederlandse Akademie van Wetenschappen
    49, 1946); before him C. Flye Sainte-Marie, L'Intermédiaire des Mathématiciens 1 (1894).

    Known answers
    -------------
    n^k + k - 1 presses for n keys and codes of k: no press but the first k - 1 is wasted. They are a cycle of de Bruijn
    cut open, of which there are (n!)^(n^(k - 1)) / n^k.
    """

    known_answers = (
        KnownAnswer({"keys": 1, "code": 3}, 3),
        KnownAnswer({"keys": 2, "code": 2}, 5),
        KnownAnswer({}, 10),
        KnownAnswer({"keys": 3, "code": 2}, 10),
        KnownAnswer({"keys": 2, "code": 4}, 19),
        KnownAnswer({"keys": 10, "code": 1}, 10),
    )

    keys: int = field(default=2, validator=[ge(1), le(len(_KEYS))], metadata={"help": "keys on the pad, from 0 on"})
    code: int = field(default=3, validator=ge(1), metadata={"help": "how many keys the code has"})

    def __attrs_post_init__(self) -> None:
        # The second test alone would compute a power as large as somebody likes.
        if self.code > _MOST_CODES or self.keys**self.code > _MOST_CODES:
            raise ValueError(f"code: more than {_MOST_CODES:,} codes are too many; choose fewer keys or a shorter code")

    def initial_states(self) -> Iterator[Lock]:
        return (("".join(code), "") for code in product(self._symbols, repeat=self.code))

    def actions(self, state: Lock) -> tuple[str, ...]:
        return tuple(self._symbols)

    def results(self, state: Lock, action: str) -> tuple[Lock]:
        code, pressed = state
        if state == _OPEN or pressed + action == code:
            return (_OPEN,)
        return ((code, (pressed + action)[-(self.code - 1) :] if self.code > 1 else ""),)

    def is_goal(self, state: Lock) -> bool:
        return state == _OPEN

    @property
    def _symbols(self) -> str:
        return _KEYS[: self.keys]

    # How states and actions are written, read and drawn.

    def format_state(self, state: Lock) -> str:
        """The code, and what was pressed last: `011`, `011 after 01`, `open`."""
        code, pressed = state
        return f"{code} after {pressed}" if pressed else code or "open"

    def parse_state(self, text: str) -> Lock:
        words = text.split()
        if words == ["open"]:
            return _OPEN
        if len(words) in (1, 3) and set("".join(words[::2])) <= set(self._symbols) and words[1::2] in ([], ["after"]):
            code, pressed = words[0], "".join(words[2:])
            if len(code) == self.code > len(pressed):
                return code, pressed
        example = self._symbols[0] * self.code
        raise ValueError(
            f"{text!r} is not 'open' or a code of {self.code} out of {self._symbols}, such as {example!r}, and the at "
            f"most {self.code - 1} keys pressed last, such as '{example} after {example[1:]}'"
        )

    def parse_action(self, text: str) -> str:
        if len(text.strip()) == 1 and text.strip() in self._symbols:
            return text.strip()
        raise ValueError(f"{text!r} is not one of the keys {self._symbols}")

    def describe_action(self, action: str) -> str:
        return f"Press {action}"

    def describe_step(self, state: Lock, action: str, result: Lock) -> str:
        return "the lock opens" if result == _OPEN != state else ""

    def svg_state(self, state: Lock) -> Drawing:
        """The keypad, and above it the code behind glass and the keys pressed last."""
        code, pressed = state
        drawing = self._pad()
        if state == _OPEN:
            return _shackle(drawing, 86, 12).text(8, 14, "open", size=13, fill="accent", anchor="start", bold=True)
        size = min(13, 110 / self.code)
        drawing.text(8, 10, code, size=size, fill="bright-edge", anchor="start", bold=True, mono=True)
        return drawing.text(8, 25, pressed, size=size, fill="soft", anchor="start", mono=True)

    def svg_belief(self, states: Collection[Lock]) -> Drawing:
        """The keypad, with the codes that are still possible, or how many they are."""
        if len(states) == 1:
            return self.svg_state(next(iter(states)))
        codes = sorted({code for code, _ in states if code})
        drawing = self._pad()
        if len(codes) * (self.code + 1) <= 3 * _LISTED:
            size = 9.0
            across = max(1, int(92 / (0.6 * size * (self.code + 1))))
            lines = [codes[start : start + across] for start in range(0, len(codes), across)]
            size = min(size, 28 / len(lines) / 1.05)
            for number, line in enumerate(lines):
                y = 17 + 1.05 * size * (number - (len(lines) - 1) / 2)
                drawing.text(50, y, " ".join(line), size=size, fill="bright-edge", mono=True)
            return drawing
        return drawing.text(50, 17, f"{len(codes):,} codes", size=14, fill="bright-edge", bold=True)

    def svg_action(self, action: str) -> Drawing:
        x, y = self._places[int(action)]
        size = self._size
        return (
            Drawing()
            .circle(x, y, 0.5 * size, fill="accent", opacity=0.4)
            .circle(x, y, 0.5 * size, fill="none", stroke="accent", width=2.5)
        )

    def _pad(self) -> Drawing:
        drawing = Drawing().rectangle(1, 1, 98, 98, r=10, fill="felt", stroke="line")
        drawing.rectangle(5, 3, 90, 29, r=4, fill="card", stroke="line")
        size = self._size
        for key, (x, y) in zip(self._symbols, self._places, strict=True):
            drawing.rectangle(x - 0.42 * size, y - 0.42 * size, 0.84 * size, 0.84 * size, r=0.15 * size, fill="dark")
            drawing.text(x, y, key, size=0.5 * size, fill="on-dark", bold=True)
        return drawing

    @property
    def _size(self) -> float:
        """The distance between keys."""
        return min(30, 90 / self._across, 62 / -(-self.keys // self._across))

    @property
    def _across(self) -> int:
        return self.keys if self.keys <= 3 else 2 if self.keys == 4 else 3 if self.keys <= 6 else 5

    @property
    def _places(self) -> list[tuple[float, float]]:
        """The middles of the keys."""
        across, size = self._across, self._size
        lines = -(-self.keys // across)
        places = (divmod(key, across) for key in range(self.keys))
        return [(50 + (x - (across - 1) / 2) * size, 65 + (y - (lines - 1) / 2) * size) for y, x in places]

    # For speed: how many presses there must be at least.

    def heuristic(self, state: Lock) -> int:
        """The number of keys that the code lacks at least: those that do not continue what was pressed."""
        code, pressed = state
        for known in range(min(len(pressed), self.code), 0, -1):
            if pressed.endswith(code[:known]):
                return self.code - known
        return self.code if code else 0

    def potential(self, state: Lock) -> int:
        """1 for a lock that is not open: each press opens it for at most one code."""
        return int(state != _OPEN)


def _shackle(drawing: Drawing, x: float, y: float) -> Drawing:
    """An open padlock."""
    drawing.curve([(x - 5, y + 6), (x - 5, y - 9), (x + 5, y - 9), (x + 5, y - 3)], stroke="accent", width=2.5)
    return drawing.rectangle(x - 8, y + 5, 16, 12, r=2, fill="accent")
