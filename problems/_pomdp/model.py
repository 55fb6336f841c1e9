"""Model that a file in Cassandra's format stands for: rows and rewards; and from where a game can end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TypeAlias

from attrs import define, field

from beliefsearch import ProblemError

from .._source import Source
from .rows import MadeRow, Repairs, Row, RowSettings, sum_unless_one
from .sections import Contents, read_contents
from .words import ANY

Rows: TypeAlias = Sequence[Sequence[Row]]
"""By action a row for each state."""
# So many entries, or rows, take some seconds and some hundred megabytes.
_MOST_ENTRIES = 20_000_000
# Rows of at most so many entries are kept once.
_SMALL = 4


@define
class FileModel:
    """The rows and rewards of a file, by numbers, and the names that belong to the numbers."""

    states: Mapping[str, int]
    actions: Mapping[str, int]
    percepts: Mapping[str, int]  # empty: the state is seen
    discount: Fraction
    start: Row
    _results: Rows
    _seen: Rows  # by action, and by the state where one arrives; none where the state is seen
    _contents: Contents

    def result_row(self, action: int, state: int) -> Row:
        """How probable each result is."""
        return self._results[action][state]

    def percept_row(self, action: int, state: int) -> Row:
        """How probable each percept is on arriving in a state."""
        return self._seen[action][state]

    def reward(self, action: int, state: int) -> Fraction:
        """The mean reward; costs are negative."""
        seen = self._seen[action] if self._seen else ()
        value = self._contents.rewards.expected(action, state, self.result_row(action, state), seen)
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
    making = _Making(contents, Repairs(source.path.name, strict))
    size = len(contents.states) * len(contents.actions)
    if size > _MOST_ENTRIES:
        why = f"{size:,} pairs of a state and an action are too many; at most {_MOST_ENTRIES:,} can be read"
        raise making.error(contents.declared["states"], why)
    start = making.checked("`start:`", MadeRow(contents.start or {}, contents.declared.get("start", ANY), 0), ANY)
    contents.start = start
    results = making.rows("T", contents.results)
    seen = making.rows("O", contents.seen) if contents.percepts else []
    making.repairs.tell()
    discount = Fraction(1) if contents.discount is None else contents.discount
    return FileModel(contents.states, contents.actions, contents.percepts, discount, start, results, seen, contents)


@define
class _Making:
    """Rows while they are made, and what was repaired of them."""

    contents: Contents
    repairs: Repairs
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
                    row = self.checked(f"`{section}: {action} : {state}`", found, number)
                before = found
                of_action.append(row)
            made.append(of_action)
        return made

    def checked(self, what: str, made: MadeRow, action: int) -> Row:
        """The row, if it sums to 1, perhaps when it was divided by its sum."""
        row, at = made.row, made.last
        self._entries += made.steps
        if self._entries > _MOST_ENTRIES:
            raise self.error(max(at, 0), f"these are too many probabilities: more than {_MOST_ENTRIES:,} so far")
        if at == ANY and sum_unless_one(row) is not None:
            at = self.contents.declared["actions"]
            at += action if str(action) not in self.contents.actions else 0
            raise self.error(at, f"nothing in the file says what the probabilities of {what} are")
        repaired = self.repairs.checked(row, what, partial(self.contents.words.place, at), partial(self.error, at))
        if repaired is not row or len(row) > _SMALL:
            return repaired
        # Most rows occur often. Numbers that are written alike are one object, and fractions take long to compare.
        return self._known.setdefault((*row, *map(id, row.values())), row)


def reaching(steps: Iterable[tuple[int, Iterable[int]]], goals: Iterable[int]) -> set[int]:
    """The states from which one of some can be reached by these steps, each from a state to several; linear in them."""
    before: dict[int, list[int]] = {}
    for state, results in steps:
        for result in results:
            before.setdefault(result, []).append(state)
    found, frontier = set(goals), [*goals]
    for state in frontier:  # grows while it is walked
        new = set(before.get(state, ())) - found
        found |= new
        frontier += new
    return found


def endless_pairs(
    result_row: Callable[[int, int], Row], actions: int, states: int, ends: Set[int]
) -> Mapping[int, Collection[int]]:
    """By state, the actions of no policy under which the game ends with certainty; states without any are left out.

    `result_row` gives the row of an action and a state. An action is one of these if it may lead where none of `ends`
    can be reached any more; and then also if only such actions would lead on from there. O(n m) at the most for n
    states and m entries of all rows; mostly two passes.
    """

    def pairs() -> Iterable[tuple[int, int]]:  # no list: they may be twenty million
        return product(range(actions), range(states))

    endless: dict[int, set[int]] = {}
    while True:
        left = ((state, result_row(action, state)) for action, state in pairs() if action not in endless.get(state, ()))
        can_end = reaching(left, ends)
        size = sum(map(len, endless.values()))
        for action, state in pairs():
            if not can_end.issuperset(result_row(action, state)):
                endless.setdefault(state, set()).add(action)
        if sum(map(len, endless.values())) == size:
            return endless
