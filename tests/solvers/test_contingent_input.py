"""Searches for conditional plans: what does not go together, and percepts that are none."""

from __future__ import annotations

from typing import Any

import pytest

from beliefsearch import BeliefSearchError, ProblemError, solve

from ..toys.contingent import LOOK, Boxes


class Percepts(Boxes):
    """Boxes whose author made a mistake."""

    def __init__(self, answer: Any) -> None:
        super().__init__(3)
        self.answer = answer

    def percepts(self, state: int, action: int) -> Any:
        return self.answer


@pytest.mark.parametrize("engine", ["naive", "bits"])
@pytest.mark.parametrize("objective", ["worst", "expected"])
@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ((), "gave no percept"),
        ([], "gave no percept"),
        ("seen", "it must give a collection of percepts"),
        (7, "it must give a collection of percepts"),
        (None, "it must give a collection of percepts"),
        (([1],), "not hashable"),
    ],
)
def test_bad_percepts_are_named(engine: str, objective: str, answer: Any, complaint: str) -> None:
    with pytest.raises(ProblemError, match=complaint) as caught:
        solve(Percepts(answer), engine=engine, objective=objective)
    assert "\n" not in str(caught.value)
    assert "Percepts.percepts(" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "kind", "complaint"),
    [
        ({"objective": "best"}, BeliefSearchError, "no objective called 'best'; there are worst, expected"),
        ({"solver": "breadth-first"}, ProblemError, "breadth-first never branch on percepts.*choose and-or or and-or"),
        ({"solver": "bfs"}, ProblemError, "breadth-first never branch"),
        ({"solver": "regression"}, ProblemError, "regression never branch"),
        ({"solver": "and-or", "objective": "expected"}, BeliefSearchError, "choose expected-and-or"),
        ({"solver": "expected-and-or"}, BeliefSearchError, "finds the least expected cost"),
        ({"engine": "compiled", "solver": "and-or"}, BeliefSearchError, "has and-or-graph, and no and-or; choose bits"),
        ({"engine": "compiled", "objective": "expected"}, BeliefSearchError, "no solver for the expected cost"),
        ({"engine": "compiled", "heuristic": "own"}, BeliefSearchError, "takes no heuristic; leave it out"),
        ({"engine": "compiled", "dominance": True}, BeliefSearchError, "takes no dominance; leave it out"),
        ({"heuristic": "potential"}, ProblemError, "potential bounds plans that never branch"),
        (
            {"heuristic": "information-bound", "solver": "and-or-graph"},
            BeliefSearchError,
            "and-or-graph takes no heuristic",
        ),
        ({"heuristic": "full-observability", "engine": "naive"}, BeliefSearchError, "needs the engine bits"),
        ({"weight": 2.0}, BeliefSearchError, "weight plays no part in a problem with conditional plans"),
    ],
)
def test_what_does_not_go_together_is_told(options: dict[str, Any], kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind, match=complaint) as caught:
        solve(LOOK, **options)
    assert "\n" not in str(caught.value)
