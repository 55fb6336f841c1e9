"""Words that are fixed beforehand: what their outputs have told so far, as groups of states not yet told apart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import frozen

Member: TypeAlias = tuple[str, str]
"""A state that may be the one now, and what is to be known of it, as far as that is not the state itself."""
Groups: TypeAlias = frozenset[frozenset[Member]]
"""The states that may be now, those together that have said the same so far."""
_THIS = "*"  # marks the state whose word is sought
RESET = "back to the start"
"""The input, of no machine, that brings it back to the state that it was in at the start."""


@frozen
class GroupGame:
    """The game of a word: its states are groups, with one at the start, and it is over when no group has two marks.

    `target` is the state whose own word is sought: then there is one group, that of all which have said the same.
    Without `may_merge` two states of a group must not become one. With `goes_back` marks are the states at the start,
    to which it may go back.
    """

    rows: Mapping[str, Mapping[str, Sequence[tuple[str, str]]]]
    starts: Sequence[str]
    may_merge: bool
    is_complete: bool
    goes_back: bool = False
    target: str | None = None

    def initial(self) -> Groups:
        if self.target is not None:
            return frozenset([frozenset((state, _THIS if state == self.target else "") for state in self.starts)])
        return frozenset([frozenset((state, state if self.goes_back else "") for state in self.starts)])

    def actions(self, groups: Groups) -> list[str]:
        rows = [self.rows[now] for group in groups for now, _ in group]
        if not rows:
            return []
        found = [given for given in rows[0] if all(given in row for row in rows)]
        if not self.may_merge:
            found = [given for given in found if not any(self._merges(group, given) for group in groups)]
        return [*found, RESET] if self.goes_back else found

    def result(self, groups: Groups, given: str) -> Groups:
        found: list[frozenset[Member]] = []
        for group in groups:
            parts: dict[str, set[Member]] = {}
            for now, mark in group:
                after, output = (mark, "") if given == RESET and self.goes_back else self.rows[now][given][0]
                parts.setdefault(output, set()).add((after, mark))
            found += map(frozenset, parts.values())
        if self.target is not None:
            found = [part for part in found if any(mark for _, mark in part)]
        return frozenset(part for part in found if not (self.is_complete and self._is_known(part)))

    def is_over(self, groups: Groups) -> bool:
        return all(map(self._is_known, groups))

    def _is_known(self, group: Iterable[Member]) -> bool:
        place = 1 if self.goes_back or self.target is not None else 0
        return len({member[place] for member in group}) == 1

    def _merges(self, group: Iterable[Member], given: str) -> bool:
        after = [self.rows[now][given][0] for now, _ in group]
        return len({*after}) < len(after)


_NO_GROUPS = "(all are known)"


def format_groups(groups: Groups) -> str:
    """Groups parted by bars, `a, b from s | c`: the states now, or with their marks; as JSON if names are like that."""
    lists = sorted(sorted([now, mark] if mark else [now] for now, mark in group) for group in groups)
    if any(set(name) & set(" ,|[") or not name for group in lists for member in group for name in member):
        return json.dumps(lists, ensure_ascii=False)
    return " | ".join(", ".join(" from ".join(member) for member in group) for group in lists) or _NO_GROUPS


def parse_groups(text: str) -> Groups:
    """The inverse; raises `ValueError`."""
    try:
        if text.startswith("["):
            lists: Any = json.loads(text)
        else:
            parts = [] if text == _NO_GROUPS else text.split("|")
            lists = [[member.strip().split(" from ") for member in part.split(",")] for part in parts]
        groups = frozenset(
            frozenset((str(now), str(mark[0]) if mark else "") for now, *mark in group) for group in lists
        )
    except (TypeError, ValueError, RecursionError):
        groups = frozenset([frozenset()])
    if not all(groups) or any(
        not now or " " in now for group in groups for now, _ in group if not text.startswith("[")
    ):
        raise ValueError("it should be groups of states, such as s1, s2 | s3")
    return groups
