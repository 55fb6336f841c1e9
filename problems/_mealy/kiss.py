"""Machines in files of KISS: a transition a line, or the tables of KISS2 as SIS and other logic synthesis have them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import product

from attrs import evolve, frozen

from beliefsearch import ProblemError
from beliefsearch.errors import DataWarning

from .._source import Source, quoted

Rows = dict[str, dict[str, list[tuple[str, str]]]]
_LINE = re.compile(r"(\S+) -- (.*?) / (.*?) -> (\S+)")
_FORM = "`state -- input / output -> state`"
_ROW = "four words: an input of 0, 1 and -, a state, the next state and an output"
_NUMBERS = frozenset({".i", ".o", ".p", ".s"})
_PASSED = frozenset({".start_kiss", ".model", ".inputs", ".outputs", ".ilb", ".ob", ".code", ".latch", ".latch_order"})
_ENDS = frozenset({".e", ".end", ".end_kiss"})
_ANY = frozenset({"*", "ANY"})
_MOST_PARTS = 1 << 15
_MOST = 1 << 20  # transitions


def read_kiss(source: Source) -> Rows:
    """The machine of lines `state -- input / output -> state`, or of a table, which begins with a point or a bit.

    Raises `ProblemError`, with the line, at any other.
    """
    first = next((text for _, text in source.lines()), "")
    if " -- " not in first and first.startswith((".", "#", "0", "1", "-")):
        return _Table(source).rows()
    rows: Rows = {}
    for at, text in source.lines():
        match = _LINE.fullmatch(text)
        if match is None or not text.isprintable():
            other = "; a table of KISS2 begins with its numbers, such as `.i 2`" if text.startswith(".") else ""
            raise source.error(at, f"a line should be {_FORM}, not {quoted(text)}{other}")
        tail, given, output, head = (" ".join(part.split()) for part in match.groups())
        outcomes = rows.setdefault(tail, {}).setdefault(given, [])
        rows.setdefault(head, {})
        if (head, output) not in outcomes:
            outcomes.append((head, output))
    if not rows:
        raise ProblemError(f"{source.path}: there is no transition, a line {_FORM}")
    return rows


@frozen
class _Transition:
    """A line of a table."""

    cube: str
    tail: str
    head: str
    output: str


class _Table:
    """A table of KISS2: its lines, and the machine in which each line is as many transitions as it stands for.

    An input is a cube in which no state makes a difference. A bit of output that a line leaves open may be either: the
    outcomes are the cubes into which the outputs of all states divide it, so far as some state tells them apart. A next
    state `*` may be any; the lines of a state `*` are those of all states.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._widths: dict[str, int] = {}
        self._lines: list[_Transition] = []
        reset, reset_at = "", 0
        for at, text in source.lines():
            head, *words = text.partition("#")[0].split() or [""]
            if head in _ENDS:
                break
            if head == ".r" and len(words) == 1:
                reset, reset_at = words[0], at
            elif head in _NUMBERS:
                if not re.fullmatch("[0-9]{1,9}", " ".join(words)):
                    raise source.error(at, f"behind {head} one whole number should come")
                self._widths[head] = int(words[0])
            elif head.startswith(".") and head not in _PASSED:
                raise source.error(at, f"{quoted(head)} is not read in a table of KISS2; leave that line out")
            elif head and not head.startswith("."):
                self._lines.append(self._transition([head, *words], at))
        named = [name for line in self._lines for name in (line.tail, line.head)]
        self._states = [name for name in dict.fromkeys(named) if name not in _ANY]
        if not self._states:
            raise ProblemError(f"{source.path}: there is no transition, that is, no line of {_ROW}")
        count = len(self._lines)
        if self._widths.get(".p", count) != count:
            text = f"{source.path.name}: .p says {self._widths['.p']:,} lines of the table; there are {count:,}"
            warnings.warn(text, DataWarning, stacklevel=2)
        if reset and reset not in self._states:
            raise source.error(reset_at, f"no line is about the state {quoted(reset)}, though the machine begins there")

    def _transition(self, words: Sequence[str], at: int) -> _Transition:
        text = " ".join(words)
        if len(words) != 4 or not text.isprintable():
            raise self._source.error(at, f"a line of a table should be {_ROW}; this is {quoted(text)}")
        line = _Transition(*words)
        for bits, name, number in ((line.cube, "the input", ".i"), (line.output, "the output", ".o")):
            if not set(bits) <= set("01-"):
                raise self._source.error(at, f"{name} {quoted(bits)} should be of 0, 1 and - only")
            width = self._widths.setdefault(number, len(bits))
            if width != len(bits):
                raise self._source.error(at, f"{name} {quoted(bits)} has {len(bits)} bits; `{number}` says {width}")
        return line

    def rows(self) -> Rows:
        """The machine."""
        states = self._states
        rows: Rows = {state: {} for state in states}
        seen: set[frozenset[_Transition]] = set()
        effects = [evolve(line, cube="") for line in self._lines]
        left = _MOST
        for cube, members in self._parts([line.cube for line in self._lines], "inputs"):
            meant = frozenset(effects[number] for number in members)
            if meant in seen:
                continue
            seen.add(meant)
            said = self._said(sorted({line.output for line in meant}))
            found: dict[str, set[tuple[str, str]]] = {}
            for line in meant:
                heads = states if line.head in _ANY else [line.head]
                for tail in states if line.tail in _ANY else [line.tail]:
                    found.setdefault(tail, set()).update(product(heads, said[line.output]))
            left -= sum(map(len, found.values()))
            if left < 0:
                raise self._too_many("transitions")
            for tail, outcomes in found.items():
                rows[tail][cube] = sorted(outcomes)
        return rows

    def _said(self, written: Sequence[str]) -> dict[str, list[str]]:
        """By each output that is written, those that may be told from each other and that it may be."""
        found: dict[str, list[str]] = {output: [] for output in written}
        for cube, members in self._parts(written, "outputs"):
            for number in members:
                found[written[number]].append(cube)
        return found

    def _parts(self, cubes: Sequence[str], things: str) -> Iterator[tuple[str, list[int]]]:
        """Cubes that overlap in no other way than by lying inside one of these, with the numbers of those."""
        waiting = [("", [*range(len(cubes))])]
        ends = [len(cube.rstrip("-")) for cube in cubes]
        found = 0
        while waiting:
            begun, members = waiting.pop()
            place = len(begun)
            cares = [number for number in members if ends[number] > place]
            if not cares:
                found += 1
                if found > _MOST_PARTS:
                    raise self._too_many(things)
                yield begun.ljust(len(cubes[0]), "-"), members
                continue
            for bit in "10" if any(cubes[number][place] != "-" for number in cares) else "-":
                inside = [number for number in members if cubes[number][place] in ("-", bit) or bit == "-"]
                if inside:
                    waiting.append((begun + bit, inside))

    def _too_many(self, things: str) -> ProblemError:
        return ProblemError(
            f"{self._source.path}: the bits that its lines leave open stand for too many {things}; say what they are, "
            "or leave out those that do not matter"
        )
