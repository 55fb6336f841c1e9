"""Codes of nodes: a step of a breadth-first search as functions of arrays of codes, and the spaces of states.

A node is a row of 64-bit words. A *run* is an array of codes in ascending order without repetitions. Codes of several
words are in lexicographic order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...errors import ProblemError
from ...model.checked import asked_of_codes
from ...model.hooks import CodeHook, ReversibleCodeHook

Codes: TypeAlias = NDArray[np.uint64]
"""Nodes, one a row: unsigned 64-bit integers of shape (nodes, words)."""

Flags: TypeAlias = NDArray[np.bool_]
"""One for each node."""


class Space(Protocol):
    """A graph whose nodes, states or beliefs, are codes.

    It can be pickled, so that a cluster can send it to its workers. All arrays are C-contiguous; no receiver changes
    them.

    A code has `words` words. If codes have one word and are dense, all of them lie below `bound`; otherwise it is None.
    """

    words: int
    bound: int | None
    actions: int

    def starts(self) -> Codes:
        """Return the codes at which the exploration begins."""

    def successors(self, codes: Codes) -> Codes:
        """Return the successors of these nodes under all actions, in any order, repetitions allowed."""

    def results(self, codes: Codes, action: int) -> tuple[Codes, NDArray[np.intp]]:
        """Return the successors of these nodes under one action, and the row of the node that each follows."""

    def goals(self, codes: Codes) -> Flags:
        """Mark the nodes that are goals."""

    def values(self, codes: Codes) -> list[Any]:
        """Return the values of these codes: states, or beliefs as frozensets of states."""


_ALL_BUT_16 = np.uint64(48)


def unique(codes: Codes) -> Codes:
    """Return the run of these codes, shape (nodes, words); it takes the memory of `codes` once or twice more."""
    ordered = _sorted(codes)
    return ordered[_firsts(ordered)]


def union(runs: Sequence[Codes]) -> Codes:
    """Return the union of one or more runs, about four times as fast as `unique` would."""
    ordered = _sorted(np.concatenate(runs), "stable")
    return ordered[_firsts(ordered)]


def parts(codes: Codes, count: int) -> list[Codes]:
    """Divide codes into `count` parts of about the same size, at most 65,536, by a hash that is the same everywhere.

    Codes keep their order, so that the parts of a run are runs.
    """
    if count == 1:
        return [codes]
    places = ((hashes(codes) >> _ALL_BUT_16) * np.uint64(count) >> np.uint64(16)).astype(np.uint16)
    ordered = codes[np.argsort(places, kind="stable")]
    ends = np.cumsum(np.bincount(places, minlength=count)).tolist()
    return [ordered[start:end] for start, end in pairwise([0, *ends])]


def absent(codes: Codes, reached: Codes) -> Codes:
    """Return the codes of one run that are not in another."""
    if not len(codes) or not len(reached):
        return codes
    if codes.shape[1] == 1:
        places = np.searchsorted(reached[:, 0], codes[:, 0])
        places[places == len(reached)] = 0
        new: Flags = reached[places, 0] != codes[:, 0]
        return codes[new]
    both = np.concatenate([reached, codes])
    order = np.lexsort(both.T[::-1])  # stable: a reached code stands before its equal
    return both[order[_firsts(both[order]) & (order >= len(reached))]]


def merged(first: Codes, second: Codes) -> Codes:
    """Return the union of two runs that have no code in common."""
    return _sorted(np.concatenate([first, second]), "stable")


def least(codes: Codes, most: int) -> Codes:
    """Return the run of the least codes, at most `most` of them."""
    found = codes[:0]
    piece = max(most, 1 << 16)
    for start in range(0, len(codes), piece):
        others = codes[start : start + piece]
        if found.shape == (most, 1) and most:  # drops most of the rest before it is sorted
            others = others[others[:, 0] < found[-1]]
        found = unique(np.concatenate([found, others]))[:most]
    return found


def hashes(codes: Codes) -> NDArray[np.uint64]:
    """Hash each code to 64 well-mixed bits, as `bitset_kernels.hash_of` does."""
    mixed = np.zeros(len(codes), dtype=np.uint64)
    for word in range(codes.shape[1]):
        mixed ^= codes[:, word]
        mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
    return mixed


def _sorted(codes: Codes, kind: Literal["quicksort", "stable"] = "quicksort") -> Codes:
    """Sort codes in ascending order; the kind "stable" is faster for codes that consist of a few runs."""
    if codes.shape[1] == 1:
        return np.sort(codes, axis=0, kind=kind)
    return codes[np.lexsort(codes.T[::-1])]


def _firsts(codes: Codes) -> Flags:
    """Mark, among codes in ascending order, each that differs from the one before it."""
    new = np.ones(len(codes), dtype=np.bool_)
    if len(codes):
        np.any(codes[1:] != codes[:-1], axis=1, out=new[1:])
    return new


# The number of goals for which the author's predecessors are compared with his successors.
_SOME_GOALS = 64


class StateSpace:
    """All canonical states that are reachable from the initial states; see `Space`.

    Raises `ProblemError` if an answer of the author's methods does not have the form that the hook asks for.
    """

    _first = "codes"  # the author's method that gives the first codes

    def __init__(self, problem: CodeHook[Any, Any]) -> None:
        self.problem = problem
        self._actions: Sequence[Any] = tuple(problem.all_actions())
        self.actions = len(self._actions)
        self.bound = problem.code_bound()
        self._starts = self._first_codes()
        self.words = self._starts.shape[1]
        if self.bound is not None and self.words != 1:
            raise ProblemError(f"{self._name}.code_bound() gave {self.bound}, but its codes have {self.words} words")
        if not isinstance(self.bound, int | None):
            raise ProblemError(f"{self._name}.code_bound() gave {self.bound!r}; it must give a whole number or None")
        self._below(self._first, self._starts)

    @property
    def _name(self) -> str:
        return type(self.problem).__name__

    def _first_codes(self) -> Codes:
        problem: Any = self.problem
        starts = dict.fromkeys(problem.canonical(state) for state in problem.initial_states())
        return self._checked(self._first, problem.codes(list(starts)), len(starts))

    def _checked(self, method: str, codes: Any, count: int | None = None, words: int | None = None) -> Codes:
        """Return the answer of a method of the author's; raise `ProblemError` unless it is an array of codes."""
        form = f"unsigned 64-bit integers of shape ({'n' if count is None else count}, {words or 'words'})"
        fits = isinstance(codes, np.ndarray) and codes.dtype == np.uint64 and codes.ndim == 2 and codes.shape[1] > 0
        if not fits or (count is not None and len(codes) != count) or (words and codes.shape[1] != words):
            given = f"{codes.dtype} of shape {codes.shape}" if isinstance(codes, np.ndarray) else repr(codes)
            raise ProblemError(f"{self._name}.{method}() gave {given}; it must give {form}")
        return np.require(codes, requirements=("C", "W"))  # it may be a view of codes that were given

    def _below(self, method: str, codes: Codes) -> Codes:
        """Return codes that are checked to be below the author's bound, because kernels do not check their indices."""
        if self.bound is not None and len(codes) and int(codes.max()) >= self.bound:
            raise ProblemError(
                f"{self._name}.{method}() gave the code {int(codes.max())}, but code_bound() is {self.bound}"
            )
        return codes

    def starts(self) -> Codes:
        """Return the codes of the initial states."""
        return self._starts

    def successors(self, codes: Codes) -> Codes:
        """Return the successors of these states under all actions, action by action."""
        found = [self.results(codes, action)[0] for action in range(self.actions)]
        return np.concatenate(found) if found else codes[:0]

    def results(self, codes: Codes, action: int) -> tuple[Codes, NDArray[np.intp]]:
        """Return the successors of these states under one action, and the row of the state that each follows."""
        answer = asked_of_codes(self.problem, "results_of", codes, self._actions[action])
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise ProblemError(f"{self._name}.results_of() must give codes, and where the action applies or None")
        results = self._checked("results_of", answer[0], len(codes), self.words)
        applies = answer[1]
        if applies is None:
            return self._below("results_of", results), np.arange(len(codes))
        if not isinstance(applies, np.ndarray) or applies.dtype != np.bool_ or applies.shape != (len(codes),):
            given = f"{applies.dtype} of shape {applies.shape}" if isinstance(applies, np.ndarray) else repr(applies)
            form = f"None, or an array of bool of shape ({len(codes)},)"
            raise ProblemError(f"{self._name}.results_of() says by {given} where the action applies; it must be {form}")
        return self._below("results_of", results[applies]), np.flatnonzero(applies)

    def goals(self, codes: Codes) -> Flags:
        """Mark the states that are goals; the author's method is called for each state."""
        problem: Any = self.problem
        return np.array([problem.is_goal(state) for state in self.values(codes)], dtype=np.bool_)

    def values(self, codes: Codes) -> list[Any]:
        """Return the states of these codes."""
        return list(asked_of_codes(self.problem, "states_of", codes))


class BackwardSpace(StateSpace):
    """All canonical states from which a goal can be reached: the search goes backward from the goals."""

    problem: ReversibleCodeHook[Any, Any]
    _first = "goal_codes"

    def __init__(self, problem: ReversibleCodeHook[Any, Any]) -> None:
        super().__init__(problem)
        self._check_origins()

    def _check_origins(self) -> None:
        """Raise `ProblemError` unless some goals are origins of their own successors: lacking ones spoil the counts."""
        goals = self._starts[:_SOME_GOALS]
        for action in range(self.actions):
            after, rows = super().results(goals, action)
            origins = unique(self._origins(unique(after), action))
            if len(unique(np.concatenate([origins, goals[rows]]))) > len(origins):
                raise ProblemError(
                    f"{self._name}.origins_of() lacks a state from which the action {self._actions[action]!r} leads to "
                    "one of those that it was given; check says more"
                )

    def _first_codes(self) -> Codes:
        return unique(self._checked(self._first, self.problem.goal_codes()))

    def successors(self, codes: Codes) -> Codes:
        """Return the predecessors of these states under all actions, action by action."""
        found = [self._origins(codes, action) for action in range(self.actions)]
        return np.concatenate(found) if found else codes[:0]

    def results(self, codes: Codes, action: int) -> tuple[Codes, NDArray[np.intp]]:
        """Return the predecessors of these states under one action, and the row of the state that follows each."""
        origins = self._origins(codes, action)
        after, _ = super().results(origins, action)
        both = np.concatenate([codes, after])
        order = np.lexsort(both.T[::-1])  # stable: each code stands before the results that are equal to it
        rows = np.maximum.accumulate(np.where(order < len(codes), np.arange(len(order)), 0))
        of_result = np.empty(len(order), dtype=np.intp)
        of_result[order] = order[rows]
        return origins, of_result[len(codes) :]

    def _origins(self, codes: Codes, action: int) -> Codes:
        origins = asked_of_codes(self.problem, "origins_of", codes, self._actions[action])
        return self._below("origins_of", self._checked("origins_of", origins, words=self.words))
