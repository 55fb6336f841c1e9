"""Model that a file in Cassandra's format stands for: rows and rewards; and from where a game can end."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence, Set
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from attrs import define, field

from beliefsearch import ProblemError
from beliefsearch.errors import DataWarning

from .._source import Source
from .rows import MadeRow, Row, RowSettings, divided, sum_unless_one
from .sections import Contents, read_contents
from .words import ANY

Rows: TypeAlias = Sequence[Sequence[Row]]
"""By action a row for each state."""
TOLERANCE = Fraction(1, 10_000)
"""What a sum may miss of 1: numbers that were rounded to four digits or more."""
# So many entries, or rows, take some seconds and some hundred megabytes.
_MOST_ENTRIES = 20_000_000
# Rows of at most so many entries are kept once.
_SMALL = 4
# So many repairs are told one by one.
_FEW = 3


@define
class FileModel:
    """The rows and rewards of a file, by numbers, and the names that belong to the numbers."""

    states: Mapping[str, int]
    actions: Mapping[str, int]
    percepts: Mapping[str, int]  # empty: the state is seen
    discount: Fraction
    start: Row
    results: Rows
    seen: Rows  # by action, and by the state where one arrives; none where the state is seen
    _contents: Contents

    def reward(self, action: int, state: int) -> Fraction:
        """The mean reward; costs are negative."""
        seen = self.seen[action] if self.seen else ()
        value = self._contents.rewards.expected(action, state, self.results[action][state], seen)
        return -value if self.is_cost else value

    @property
    def is_cost(self) -> bool:
        """Whether what the file calls rewards are costs."""
        return bool(self._contents.is_cost)


def read_model(source: Source, *, strict: bool = False) -> FileModel:
    """Read a file whole.

    Rows whose sum misses 1 by rounding are divided by it, and a `DataWarning` says so; with `strict` they are refused,
    as are rows that miss more. Raises ProblemError, with line and column.
    """
    contents = read_contents(source)
    making = _Making(source, contents, strict)
    size = len(contents.states) * len(contents.actions)
    if size > _MOST_ENTRIES:
        why = f"{size:,} pairs of a state and an action are too many; at most {_MOST_ENTRIES:,} can be read"
        raise making.error(contents.declared["states"], why)
    start = making.checked("start:", MadeRow(contents.start or {}, contents.declared.get("start", ANY), 0), ANY)
    contents.start = start
    results = making.rows("T", contents.results)
    seen = making.rows("O", contents.seen) if contents.percepts else []
    making.tell()
    discount = Fraction(1) if contents.discount is None else contents.discount
    return FileModel(contents.states, contents.actions, contents.percepts, discount, start, results, seen, contents)


@define
class _Making:
    """Rows while they are made, and what was repaired of them."""

    source: Source
    contents: Contents
    strict: bool
    repairs: list[tuple[str, int, Fraction]] = field(factory=list)  # what, the word where it stands, its sum
    _entries: int = 0
    _known: dict[tuple[int, ...], Row] = field(factory=dict)

    def error(self, at: int, complaint: str) -> ProblemError:
        return self.contents.words.error(at, complaint)

    def rows(self, section: str, settings: RowSettings) -> Rows:
        """The rows of all actions and states."""
        states = [*self.contents.states]
        made: list[list[Row]] = []
        for action, number in self.contents.actions.items():
            of_action: list[Row] = []
            before = row = None
            for state, found in zip(states, settings.rows(number, len(states)), strict=True):
                if found is not before or row is None:
                    row = self.checked(f"{section}: {action} : {state}", found, number)
                before = found
                of_action.append(row)
            made.append(of_action)
        return made

    def checked(self, what: str, made: MadeRow, action: int) -> Row:
        """The row, if it sums to 1, perhaps when it was divided by its sum."""
        row = made.row
        self._entries += made.steps
        if self._entries > _MOST_ENTRIES:
            raise self.error(max(made.last, 0), f"these are too many probabilities: more than {_MOST_ENTRIES:,} so far")
        total = sum_unless_one(row)
        if total is not None:
            self._judge(what, made, action, total)
            return divided(row, total)
        if len(row) > _SMALL:
            return row
        # Most rows occur often. Numbers that are written alike are one object, and fractions take long to compare.
        return self._known.setdefault((*row, *map(id, row.values())), row)

    def _judge(self, what: str, made: MadeRow, action: int, total: Fraction) -> None:
        """Refuse a row that does not sum to 1, or note that it will be divided by its sum."""
        at = made.last
        if at == ANY:
            at = self.contents.declared["actions"]
            at += action if str(action) not in self.contents.actions else 0
            raise self.error(at, f"nothing in the file says what the probabilities of `{what}` are")
        if abs(total - 1) > TOLERANCE:
            raise self.error(at, f"the probabilities of `{what}` sum to {_said(total)}, not to 1")
        if self.strict:
            raise self.error(at, f"the probabilities of `{what}` sum to {_said(total)}, and --strict wants 1 exactly")
        self.repairs.append((what, at, total))

    def tell(self) -> None:
        """Say which rows were divided by their sums: each, or if there are many, the first and the worst."""
        warn = partial(warnings.warn, category=DataWarning, stacklevel=2)
        name = self.source.path.name
        place = self.contents.words.place
        if len(self.repairs) <= _FEW:
            for what, at, total in self.repairs:
                warn(f"{name}, {place(at)}: the probabilities of `{what}` sum to {_said(total)}; divided by that")
            return
        what, at, total = self.repairs[0]
        worst = max((total for *_, total in self.repairs), key=lambda total: abs(total - 1))
        warn(
            f"{name}: {len(self.repairs):,} rows do not sum to 1, and were divided by their sums; the first is "
            f"`{what}` ({place(at)}) with {_said(total)}, the worst sums to {_said(worst)}; --strict refuses them"
        )


def _said(total: Fraction) -> str:
    """A sum as a decimal that shows by how much it misses 1."""
    missing = float(total - 1)
    text = f"{1 + missing:.15g}"
    return text if text != "1" else f"1 {'+' if missing > 0 else '-'} {abs(missing):.1g}"


def endless_pairs(results: Sequence[Sequence[Row]], ends: Set[int]) -> Mapping[int, Collection[int]]:
    """By state, the actions of no policy under which the game ends with certainty; states without any are left out.

    `results` has a row by action and state. An action is one of these if it may lead where none of `ends` can be
    reached any more; and then also if only such actions would lead on from there. O(n m) at the most for n states and
    m entries of all rows; mostly two passes.
    """
    endless: dict[int, set[int]] = {}
    while True:
        before: dict[int, list[int]] = {}  # by state: from where it can be reached
        for action, rows in enumerate(results):
            for state, row in enumerate(rows):
                if action not in endless.get(state, ()):
                    for result in row:
                        before.setdefault(result, []).append(state)
        can_end = set(ends)
        frontier = [*ends]
        for state in frontier:  # grows while it is walked
            new = set(before.get(state, ())) - can_end
            can_end |= new
            frontier += new
        size = sum(map(len, endless.values()))
        for action, rows in enumerate(results):
            for state, row in enumerate(rows):
                if not can_end.issuperset(row):
                    endless.setdefault(state, set()).add(action)
        if sum(map(len, endless.values())) == size:
            return endless
