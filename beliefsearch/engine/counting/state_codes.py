"""The states of a problem as codes, from the hooks by which an author gives them (`CodeHook`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ProblemError
from ...model.checked import asked_of_codes
from ...model.hooks import CodeHook, ReversibleCodeHook
from .codes import Codes, Flags, unique

# From so many goals a step is made and taken back.
_SOME_GOALS = 64


class StateSpace:
    """All canonical states that can be reached from the start; see `Space`.

    Raises `ProblemError` if what the author's methods give has another form than the hook asks for.
    """

    _first = "codes"  # the method that gives those from which the walk begins

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
        """Return the answer of a method of the author's, if it is an array of codes."""
        form = f"unsigned 64-bit integers of shape ({'n' if count is None else count}, {words or 'words'})"
        fits = isinstance(codes, np.ndarray) and codes.dtype == np.uint64 and codes.ndim == 2 and codes.shape[1] > 0
        if not fits or (count is not None and len(codes) != count) or (words and codes.shape[1] != words):
            given = f"{codes.dtype} of shape {codes.shape}" if isinstance(codes, np.ndarray) else repr(codes)
            raise ProblemError(f"{self._name}.{method}() gave {given}; it must give {form}")
        return np.require(codes, requirements=("C", "W"))  # it may be a view of codes that were given

    def _below(self, method: str, codes: Codes) -> Codes:
        """Codes for which there is room in a table of as many as the author promised; kernels do not look."""
        if self.bound is not None and len(codes) and int(codes.max()) >= self.bound:
            raise ProblemError(
                f"{self._name}.{method}() gave the code {int(codes.max())}, but code_bound() is {self.bound}"
            )
        return codes

    def starts(self) -> Codes:
        """The code of the initial state."""
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
        """Mark the states that are goals, asked one by one."""
        problem: Any = self.problem
        return np.array([problem.is_goal(state) for state in self.values(codes)], dtype=np.bool_)

    def values(self, codes: Codes) -> list[Any]:
        """The states."""
        return list(asked_of_codes(self.problem, "states_of", codes))


class BackwardSpace(StateSpace):
    """All canonical states from which a goal can be reached, walked from the goals."""

    problem: ReversibleCodeHook[Any, Any]
    _first = "goal_codes"

    def __init__(self, problem: ReversibleCodeHook[Any, Any]) -> None:
        super().__init__(problem)
        self._go_and_come_back()

    def _go_and_come_back(self) -> None:
        """Raise `ProblemError` unless a step from some goals and back leads to them: lost origins are not counted."""
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
