"""The rules about `CodeHook` and `ReversibleCodeHook`: each way to break them is found, with state and action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from beliefsearch import Problem, check_problem
from beliefsearch.hooks import ReversibleCodeHook

from ..toys.made import made

ONE = np.uint64(1)


class Ring(Problem[int, str], ReversibleCodeHook[int, str]):
    """Walk round eight squares, named from 0 and, for the same again, from 10; from 0 there is no way back."""

    def initial_state(self) -> int:
        return 0

    def canonical(self, state: int) -> int:
        return state % 10

    def actions(self, state: int) -> Sequence[str]:
        return ("on",) if state % 10 == 0 else ("back", "on")

    def result(self, state: int, action: str) -> int:
        return (state % 10 + (1 if action == "on" else 7)) % 8 + 10

    def is_goal(self, state: int) -> bool:
        return state % 10 in (3, 5)

    def codes(self, states: Sequence[int]) -> Any:
        return np.array(states, np.uint64)[:, None]

    def states_of(self, codes: Any) -> Sequence[int]:
        return [int(code) for code in codes[:, 0]]

    def code_bound(self) -> Any:
        return 8

    def all_actions(self) -> Sequence[str]:
        return ("back", "on")

    def results_of(self, codes: Any, action: str) -> Any:
        if action == "on":
            return (codes + ONE) & np.uint64(7), None
        return (codes - ONE) & np.uint64(7), codes[:, 0] > 0

    def goal_codes(self) -> Any:
        return self.codes([3, 5])

    def origins_of(self, codes: Any, action: str) -> Any:
        if action == "on":
            return (codes - ONE) & np.uint64(7)
        return ((codes + ONE) & np.uint64(7))[codes[:, 0] < 7]


def wide(self: Any, codes: Any, action: str) -> Any:
    after, applies = Ring.results_of(self, codes, action)
    return np.concatenate([after, after], axis=1), applies


def in_place(self: Any, codes: Any, action: str) -> Any:
    after, applies = Ring.results_of(self, codes, action)
    codes[:] = after
    return codes, applies


def by_first_row(self: Any, codes: Any, action: str) -> Any:
    after, applies = Ring.results_of(self, codes, action)
    return after if len(codes) and codes[0, 0] == 0 else after[::-1].copy(), applies


def with_flags(flags: Any) -> Callable[..., Any]:
    return lambda self, codes, action: (Ring.results_of(self, codes, action)[0], flags(codes))


def to_all(self: Any, codes: Any, action: str) -> Any:
    return self.codes([1, 2, 3, 4, 5, 6, 7])


BROKEN: list[tuple[str, dict[str, Any], str, tuple[Any, ...]]] = [
    ("codes", {"all_actions": lambda self: {"back", "on"}}, "all_actions() gave {", ()),
    ("codes", {"all_actions": lambda self: ("on", "back", "on")}, "all_actions() lists 'on' more than once", ()),
    ("codes", {"all_actions": lambda self: ("on",)}, "lacks 'back', which applies in 1", (1, "back")),
    ("codes", {"codes": lambda self, states: [[state] for state in states]}, "codes() gave list; it must give a", ()),
    ("codes", {"codes": lambda self, states: np.array(states)[:, None]}, "gave int64 of shape (8, 1); it must", ()),
    ("codes", {"codes": lambda self, states: np.array(states, np.uint64)}, "uint64 of shape (8,); it must give", ()),
    ("codes", {"codes": lambda self, states: np.zeros((8, 0), np.uint64)}, "uint64 of shape (8, 0); it must give", ()),
    ("codes", {"codes": lambda self, states: Ring.codes(self, states)[1:]}, "of shape (8, words)", ()),
    ("codes", {"codes": lambda self, states: Ring.codes(self, states) // 2}, "0 and 1 have the same code", (1,)),
    ("codes", {"states_of": lambda self, codes: [0] * len(codes)}, "states_of() gives 0 for the code of 1", (1,)),
    ("codes", {"states_of": lambda self, codes: []}, "states_of() must give a sequence of 8 states", ()),
    ("codes", {"code_bound": lambda self: 7}, "the code of 7 is 7, and code_bound() is 7", (7,)),
    ("codes", {"code_bound": lambda self: 8.0}, "code_bound() gave 8.0; it must give a whole number", ()),
    (
        "codes",
        {"results_of": lambda self, codes, action: codes},
        "results_of(..., 'back') must give the codes, and",
        (),
    ),
    ("codes", {"results_of": wide}, "uint64 of shape (8, 2); it must give uint64 of shape (8, 1)", ()),
    ("codes", {"results_of": in_place}, "results_of(..., 'back') changes the codes that it is given", ()),
    ("codes", {"results_of": by_first_row}, "results_of(..., 'back') for 7 is not the code of 6", (7, "back")),
    ("codes", {"results_of": with_flags(lambda codes: None)}, "'back') says that the action applies in 0", (0, "back")),
    (
        "codes",
        {"results_of": with_flags(lambda codes: codes[:, 0] > 1)},
        "'back') says that the action does not apply in 1",
        (1, "back"),
    ),
    ("codes", {"results_of": with_flags(lambda codes: codes > 0)}, "True or False for each of 8 rows", ()),
    ("codes", {"results_of": with_flags(lambda codes: codes[:, 0])}, "True or False for each of 8 rows", ()),
    (
        "codes",
        {"results_of": lambda self, codes, action: (codes, codes[:, 0] > 0)},
        "'back') for 1 is not",
        (1, "back"),
    ),
    ("codes", {"results_of": lambda self, codes, action: (codes / 0, None)}, "trying CodeHook: ", ()),
    ("origins", {"goal_codes": lambda self: [[3], [5]]}, "goal_codes() gave list", ()),
    ("origins", {"goal_codes": lambda self: self.codes([3])}, "goal_codes() lacks the code of the goal 5", (5,)),
    ("origins", {"goal_codes": lambda self: self.codes([3, 4, 5])}, "has the code of 4, which is no goal", (4,)),
    ("origins", {"goal_codes": lambda self: self.codes([3, 5, 3])}, "goal_codes() lists a code more than once", ()),
    ("origins", {"origins_of": lambda self, codes, action: None}, "'back') gave NoneType", ()),
    ("origins", {"origins_of": lambda self, codes, action: codes[:, 0]}, "uint64 of shape (8,)", ()),
    ("origins", {"origins_of": lambda self, codes, action: codes[:0]}, "'back') lacks 1, from which", (1, "back")),
    (
        "origins",
        {"origins_of": lambda self, codes, action: (codes + ONE) & np.uint64(7)},
        "'back') gives 0, in which the action does not apply",
        (0, "back"),
    ),
    ("origins", {"origins_of": to_all}, "'back') gives 2, from which the action leads elsewhere", (2, "back")),
]


def test_what_keeps_the_rules_passes() -> None:
    report = check_problem(Ring())
    assert report.passed, report.violations
    assert {"codes", "origins"} <= report.applied
    assert not report.partly


def test_of_an_exception_it_says_which_method_raised_it() -> None:
    class Helped(Ring):
        def results_of(self, codes: Any, action: str) -> Any:
            return self._half(codes)

        def _half(self, codes: Any) -> Any:
            return codes / None

    (violation,) = check_problem(Helped()).violations
    assert violation.complaint.startswith("trying CodeHook: results_of() raised TypeError: unsupported operand")


@pytest.mark.parametrize(("rule", "methods", "complaint", "about"), BROKEN, ids=[case[2] for case in BROKEN])
def test_what_is_broken_is_told(rule: str, methods: dict[str, Any], complaint: str, about: tuple[Any, ...]) -> None:
    broken: Any = type("Broken", (Ring,), methods)
    (violation,) = check_problem(broken()).violations
    assert violation.rule == rule
    assert complaint in violation.complaint
    assert violation.about == about


class TwoWords(Ring):
    """The same with a second word that never changes."""

    def codes(self, states: Sequence[int]) -> Any:
        return np.pad(super().codes(states), ((0, 0), (0, 1)), constant_values=7)

    def results_of(self, codes: Any, action: str) -> Any:
        after, applies = super().results_of(codes, action)
        return np.stack([after[:, 0], codes[:, 1]], axis=1), applies

    def origins_of(self, codes: Any, action: str) -> Any:
        return TwoWords.codes(self, super().origins_of(codes[:, :1], action)[:, 0])


def test_a_bound_is_for_codes_of_one_word() -> None:
    (violation,) = check_problem(TwoWords()).violations
    complaint = "code_bound() gave 8; it must give a whole number or, if codes have several words, None"
    assert violation.complaint == complaint
    boundless: Any = type("Boundless", (TwoWords,), {"code_bound": lambda self: None})
    assert check_problem(boundless()).passed


def test_of_many_actions_and_states_some_are_looked_at_and_the_report_says_so() -> None:
    # A line of many squares, with leaps of many lengths.
    size, leaps = np.uint64(100_003), range(1, 301)
    many = made(
        Ring,
        actions=leaps,
        canonical=lambda state: state,
        result=lambda state, action: (state + action) % 100_003,
        is_goal=True,
        code_bound=None,
        all_actions=leaps,
        results_of=lambda codes, action: ((codes + np.uint64(action)) % size, None),
        goal_codes=lambda: np.arange(100_003, dtype=np.uint64)[:, None],
        origins_of=lambda codes, action: (codes + size - np.uint64(action)) % size,
    )
    report = check_problem(many, max_states=500)
    assert report.passed, report.violations
    assert report.partly["codes"] == "for 200 of 300 actions"
    assert report.partly["origins"] == "not looked at: there are 100,003 goals"
