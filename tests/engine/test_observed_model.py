"""Problems with percepts as arrays: what stands in them is what the definition says, with the hook and without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, ProblemError
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.compiled.bitset_words import mask_of_words
from beliefsearch.engine.compiled.observed_model import ObservedModel
from beliefsearch.hooks import PerceptArrayHook
from beliefsearch.running.limits import EffortExceeded
from beliefsearch_problems.mastermind import MastermindProblem

from ..contingent_problems import SightedTable, sighted_problems


@frozen
class HookedTable(SightedTable, PerceptArrayHook[int, str, str]):
    """A problem given by tables, with arrays; the last state is listed first, so that numbers are others."""

    def all_states(self) -> list[int]:
        return sorted({self.canonical(state) for state in range(len(self.table))}, reverse=True)

    def all_results(self, action: str) -> Any:
        listed = self.all_states()
        rows = [
            [listed.index(self.canonical(result)) for result in self.table[state].get(action, [state])]
            for state in listed
        ]
        return padded(rows)

    def all_percepts(self, action: str) -> tuple[list[str], Any]:
        values = ["never", *"zyx"]  # one that does not come up, and others in no order
        return values, padded([[values.index(sight) for sight in self.sights[action, s]] for s in self.all_states()])


def padded(rows: list[list[int]]) -> Any:
    width = max(map(len, rows))
    return np.array([row + row[-1:] * (width - len(row)) for row in rows])


def hooked(table: SightedTable) -> HookedTable:
    return HookedTable(
        table.starts, table.table, table.goals, table.sights, table.costs, table.adversary, table.twins, table.estimates
    )


def assert_model_is_right(model: ObservedModel[Any, Any], problem: BeliefProblem[Any, Any, Any]) -> None:
    """By the problem's own methods, state by state."""
    goal_sets = list(problem.goal_sets())
    actions = [list(problem.actions(state)) for state in model.states]
    assert set(model.actions) == {action for each in actions for action in each}
    assert mask_of_words(model.initial) == model.view.initial_node()
    for number, state in enumerate(model.states):
        word, bit = number >> 6, np.uint64(1 << (number & 63))
        around = [goal for goal, goals in enumerate(goal_sets) if state in goals]
        assert model.goals_around[model.goals_of[number] : model.goals_of[number + 1]].tolist() == around
        assert [goal for goal, row in enumerate(model.goals) if row[word] & bit] == around
        for place, action in enumerate(model.actions):
            applies = action in actions[number]
            assert bool(model.applicable[place, word] & bit) == applies
            row = slice(*model.rows.offsets[number * len(model.actions) + place :][:2])
            pairs = [
                (model.percepts[percept], model.states[result])
                for percept, result in zip(model.rows.percepts[row], model.rows.results[row], strict=True)
            ]
            expected = {
                (percept, problem.canonical(result))
                for result in (problem.results(state, action) if applies else ())
                for percept in problem.percepts(result, action)
            }
            assert len(pairs) == len(expected)
            assert set(pairs) == expected
    texts = [problem.format_percept(percept) for percept in model.percepts]
    assert texts == sorted(texts)
    assert set(model.rows.percepts.tolist()) == set(range(len(texts)))


@given(sighted_problems(), st.booleans())
def test_the_arrays_say_what_the_problem_says(problem: SightedTable, used_before: bool) -> None:
    for given_problem in (problem, hooked(problem)):
        view: Any = BitsetContingentView(given_problem)
        if used_before:  # so that states have numbers already, in the order in which they are met
            root = view.initial_node()
            for action in view.actions(root):
                view.outcomes(root, action)
        model = ObservedModel(view)
        assert_model_is_right(model, problem)
        assert set(model.states) <= set(map(problem.canonical, range(len(problem.table))))


def test_the_hook_is_asked_and_not_each_state(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    percepts = MastermindProblem.percepts

    def count(self: Any, state: str, action: str) -> Any:
        asked.append(action)
        return percepts(self, state, action)

    monkeypatch.setattr(MastermindProblem, "percepts", count)
    model = ObservedModel(BitsetContingentView(MastermindProblem(2, 4)))
    assert len(model.rows.percepts) == 32 * 16
    assert len(asked) == len(model.actions) == 16


WALK: Any = SightedTable(
    (0, 1), ({"a": (1,)}, {"a": (2,)}, {"a": (2,)}), (frozenset({2}),), {("a", state): ("x",) for state in range(3)}
)
WRONG: list[tuple[str, Any, str]] = [
    ("all_percepts", (["x"], [0, 0, 0]), r"all_percepts\('a'\) gave an array of shape \(3,\); it should be \(3, most"),
    ("all_percepts", (["x"], [[0], [1], [0]]), "numbers from 0 to 1; percepts go from 0 to 0"),
    ("all_percepts", (["x"], [[0.0], [0.0], [0.0]]), "float64; it should hold whole numbers"),
    ("all_percepts", (["x"], [[0], [0, 0], [0]]), "gave an array of shape"),
    ("all_percepts", [[0], [0], [0]], "must give a sequence of percepts and an array of places"),
    ("all_percepts", ([["x"]], [[0], [0], [0]]), r"gave \['x'\], which is not hashable"),
    ("all_percepts", (["y"], [[0], [0], [0]]), r"all_percepts\('a'\) disagrees with percepts\(\) about state 2"),
    ("all_results", [[0], [1], [2]], r"all_results\('a'\) disagrees with results\(\) about state 1"),
    ("all_results", [[0], [1], [3]], "numbers from 0 to 3; states go from 0 to 2"),
    ("all_states", [2, 1], r"all_states\(\) lacks 0, which can come up"),
    ("all_states", [2, 1, 0, 1], "lists 1, which is there already"),
]


@pytest.mark.parametrize(("method", "answer", "complaint"), WRONG)
def test_a_hook_that_breaks_its_contract_is_named(method: str, answer: Any, complaint: str) -> None:
    wrong: Any = type("Wrong", (HookedTable,), {method: lambda self, *about: answer})
    with pytest.raises(ProblemError, match=complaint) as error:
        list(ObservedModel(BitsetContingentView(wrong(WALK.starts, WALK.table, WALK.goals, WALK.sights))).outcomes())
    assert "\n" not in str(error.value)


def test_more_pairs_than_allowed_are_not_walked() -> None:
    walk: Any = BitsetContingentView(WALK)
    assert len(ObservedModel(walk, most_pairs=3).rows.offsets) == 4
    with pytest.raises(EffortExceeded):
        ObservedModel(BitsetContingentView(WALK), most_pairs=2)
