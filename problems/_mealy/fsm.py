"""Machines in files of FSMlib, which are lists of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from beliefsearch import ProblemError

from .._source import Source
from .kiss import Rows

_TYPES = {1: "DFSM", 2: "Mealy", 3: "Moore", 4: "DFA"}
_MOST = 10_000_000  # transitions, said in line 2: more than a file of the largest size can hold
_WITH_STATE_OUTPUTS, _WITH_OUTPUTS = (1, 3, 4), (1, 2)


def read_fsm(source: Source) -> Rows:
    """The machine in a file of FSMlib; raises `ProblemError`, with the line, where it is none.

    Line 1 has its type (1 DFSM, 2 Mealy, 3 Moore, 4 DFA), line 2 the numbers of states, inputs and outputs, line 3 the
    greatest number of states. Then come the outputs of the states, those of the transitions, and the next states, as
    far as the type has them, each line beginning with the number of the state. Less than 0 is no transition. States,
    inputs and outputs are called by their numbers. What a state shows is seen on arriving there.
    """
    lines = _Lines(source)
    types = ", ".join(f"{number} {name}" for number, name in _TYPES.items())
    kind = lines.numbers(1, f"the type ({types})")[0]
    if kind not in _TYPES:
        raise lines.error(f"the type of the machine should be one of {types}, not {kind}")
    states, inputs, *outputs = lines.numbers(2, "how many states and inputs there are, and outputs")[:3]
    if min(states, inputs) < 1 or states * inputs > _MOST:
        raise lines.error(f"a machine of {states} states and {inputs} inputs is not read")
    lines.numbers(1, "the greatest number of states")
    most = outputs[0] if outputs else math.inf
    shown = lines.block(states, 1, "output", most) if kind in _WITH_STATE_OUTPUTS else None
    said = lines.block(states, inputs, "output for each input", most) if kind in _WITH_OUTPUTS else None
    rows: Rows = {}
    for state, row in enumerate(lines.block(states, inputs, "next state for each input", states)):
        found = rows[str(state)] = {}
        for given, after in enumerate(row):
            if after >= 0:
                parts = ([said[state][given]] if said else []) + ([shown[after][0]] if shown else [])
                found[str(given)] = [(str(after), " ".join(map(str, parts)))]
    return rows


class _Lines:
    """Reads lines of whole numbers, and says in which one something is wrong."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines = source.text.splitlines(keepends=True)
        self._next = 0

    def error(self, complaint: str, word: int = 0) -> ProblemError:
        """The error to be raised about a word of the line read last, or its end."""
        line = "".join(self._lines[self._next - 1 : self._next])
        places = [*(match.start() for match in re.finditer(r"\S+", line)), len(line.rstrip())]
        place = sum(map(len, self._lines[: self._next - 1])) + places[min(word, len(places) - 1)]
        return self._source.error(place, f"{complaint} (a file of FSMlib)")

    def numbers(self, least: int, meaning: str) -> Sequence[int]:
        """The numbers of the next line, so many at least."""
        expected = f"{least} whole number{'s' * (least != 1)}: {meaning}"
        self._next += 1
        if self._next > len(self._lines):
            raise self.error(f"here the file ends, and should have {expected}")
        words = self._lines[self._next - 1].split()
        wrong = next(
            (place for place, word in enumerate(words) if not re.fullmatch(r"[+-]?\d{1,18}", word)), len(words)
        )
        if wrong < max(least, len(words)):
            raise self.error(f"here should be {expected}", wrong)
        return [*map(int, words)]

    def block(self, states: int, width: int, meaning: str, below: float) -> list[Sequence[int]]:
        """The numbers behind that of each state, each below a limit."""
        found: list[Sequence[int]] = [()] * states
        for _ in range(states):
            state, *row = self.numbers(width + 1, f"a state and its {meaning}")
            if not 0 <= state < states or found[state]:
                raise self.error(f"{state} is not the number of another state; they are 0 to {states - 1}")
            found[state] = row[:width]
            wrong = next((place for place, number in enumerate(found[state], 1) if number >= below), None)
            if wrong is not None:
                kind = "state" if "state" in meaning else "output"
                raise self.error(f"there is no {kind} {row[wrong - 1]}; they are 0 to {below - 1}", wrong)
        return found
