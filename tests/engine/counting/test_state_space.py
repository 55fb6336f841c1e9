"""What authors give as codes is looked at before kernels work on it, which would not look."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from beliefsearch import ProblemError
from beliefsearch.tools import explore

from .coded_table import CodedTable

# Four states in a row, of which the last is won; their codes are their numbers.
TABLE = tuple({"a": min(state + 1, 3), **({"b": state - 1} if state else {})} for state in range(4))
ROW = {"table": TABLE, "words": tuple((state,) for state in range(4)), "won": frozenset({3}), "bound": 4}


def changed(method: str, change: Callable[[Any], Any]) -> dict[str, Any]:
    """A method that gives something else than it did."""
    given = getattr(CodedTable, method)
    return {method: lambda self, *arguments: change(given(self, *arguments))}


WRONG: list[tuple[str, Callable[[Any], Any], str]] = [
    ("codes", lambda codes: codes.astype(int), "codes() gave int64 of shape (1, 1); it must give unsigned 64-bit"),
    ("codes", lambda codes: codes[:, 0], "codes() gave uint64 of shape (1,)"),
    ("codes", lambda codes: codes + np.uint64(4), "codes() gave the code 4, but code_bound() is 4"),
    ("results_of", lambda answer: (answer[0] + np.uint64(9), answer[1]), "results_of() gave the code 10, but"),
    ("code_bound", lambda bound: 3, "goal_codes() gave the code 3, but code_bound() is 3"),
    ("code_bound", float, "code_bound() gave 4.0; it must give a whole number or None"),
    ("results_of", lambda answer: answer[0], "results_of() must give codes, and where the action applies"),
    ("results_of", lambda answer: (answer[0].tolist(), answer[1]), "results_of() gave [[1]]; it must give"),
    ("results_of", lambda answer: (answer[0][:0], answer[1]), "results_of() gave uint64 of shape (0, 1)"),
    ("results_of", lambda answer: (answer[0], np.ones(0, bool)), "results_of() says by bool of shape (0,) where the"),
    ("results_of", lambda answer: (answer[0], np.ones(1, int)), "results_of() says by int64 of shape (1,) where the"),
    ("results_of", lambda answer: (answer[0], [True]), "results_of() says by [True] where the action applies"),
    ("goal_codes", list, "goal_codes() gave [array("),
    ("origins_of", lambda codes: codes + np.uint64(9), "origins_of() gave the code 1"),
    ("origins_of", lambda codes: codes[:, 0], "origins_of() gave uint64 of shape ("),
    ("origins_of", lambda codes: codes[:-1], "origins_of() lacks a state from which the action 'a' leads to"),
]


@pytest.mark.parametrize(("method", "change", "complaint"), WRONG, ids=[case[2] for case in WRONG])
def test_wrong_codes_are_refused(method: str, change: Callable[[Any], Any], complaint: str) -> None:
    wrong: Any = type("Wrong", (CodedTable,), changed(method, change))
    with pytest.raises(ProblemError) as refused:
        explore(wrong(**ROW), backward=complaint.startswith(("goal_codes", "origins_of")), engine="compiled")
    assert f"Wrong.{complaint}" in str(refused.value)


@pytest.mark.parametrize(
    ("method", "backward", "engine"),
    [("results_of", False, "compiled"), ("origins_of", True, "compiled"), ("origins_of", True, "naive")],
)
def test_codes_that_are_given_cannot_be_changed(method: str, backward: bool, engine: str) -> None:
    def changing(self: Any, codes: Any, action: str) -> Any:
        codes ^= np.uint64(1)
        return getattr(CodedTable, method)(self, codes, action)

    wrong: Any = type("Wrong", (CodedTable,), {method: changing})
    with pytest.raises(ProblemError, match=rf"Wrong\.{method}\(\) changes the codes that it is given; it must work on"):
        explore(wrong(**ROW), backward=backward, engine=engine)


def test_what_stands_in_rows_in_which_an_action_does_not_apply_is_not_looked_at() -> None:
    def spoilt(answer: Any) -> Any:
        results, applies = answer
        return (results, None) if applies is None else (np.where(applies[:, None], results, np.uint64(77)), applies)

    problem: Any = type("Spoilt", (CodedTable,), changed("results_of", spoilt))
    for backward in (False, True):
        assert explore(problem(**ROW), backward=backward, engine="compiled").layers == (1, 1, 1, 1)
