"""The stages of a belief transition, by examples worked out by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, ProblemError, check_problem, solve
from beliefsearch.belief_space.sensorless import SensorlessView
from beliefsearch.kinds import Kind
from beliefsearch.model.base import BaseProblem
from beliefsearch.model.belief import (
    applicable_actions,
    belief_cost,
    initial_belief,
    is_goal_belief,
    possible_percepts,
    predict,
    successors,
    update,
)
from beliefsearch.model.reachability import merged_order, reachable_states
from beliefsearch.planner.solver_table import SOLVERS
from beliefsearch_problems.devil import DevilProblem

from ..random_problems import TableBeliefProblem, TableProblem, exact_costs, plain_problems
from ..toys.made import derived
from .test_hooks import Plain


class Corridor(BeliefProblem[int, str, str]):
    """Squares 0 to 3; the walker slips now and then, and feels the wall at either end."""

    def initial_states(self) -> Iterable[int]:
        return range(4)

    def actions(self, state: int) -> Iterable[str]:
        return ["left", "right", "rest"] if state < 3 else ["left", "rest"]

    def results(self, state: int, action: str) -> Iterable[int]:
        if action == "rest":
            return [state]
        step = 1 if action == "right" else -1
        return [state, max(state + step, 0)]

    def percepts(self, state: int, action: str) -> Iterable[str]:
        if action == "rest":
            return ["calm"]
        return ["wall"] if state in (0, 3) else ["open"]

    def is_goal(self, state: int) -> bool:
        return state == 3

    def action_cost(self, state: int, action: str) -> int:
        return state


def test_the_stages_of_a_transition() -> None:
    corridor = Corridor()
    assert initial_belief(corridor) == {0, 1, 2, 3}
    predicted = predict(corridor, frozenset({1, 2}), "right")
    assert predicted == {1, 2, 3}
    assert possible_percepts(corridor, predicted, "right") == {"wall", "open"}
    assert update(corridor, predicted, "right", "wall") == {3}
    assert update(corridor, predicted, "right", "open") == {1, 2}
    assert possible_percepts(corridor, predicted, "rest") == {"calm"}
    assert not corridor.is_sensorless()


def test_an_action_applies_to_a_belief_when_it_applies_to_every_member() -> None:
    corridor = Corridor()
    assert applicable_actions(corridor, frozenset({0, 1})) == ["left", "right", "rest"]
    assert applicable_actions(corridor, frozenset({0, 3})) == ["left", "rest"]


def test_an_action_costs_in_a_belief_what_it_costs_at_worst() -> None:
    assert belief_cost(Corridor(), frozenset({0, 2}), "left") == 2


def test_a_belief_is_a_goal_inside_one_goal_set_not_across_two() -> None:
    problem = TableBeliefProblem((0, 1), ({}, {}), (frozenset({0}), frozenset({1})))
    assert is_goal_belief(problem, frozenset({0}))
    assert is_goal_belief(problem, frozenset({1}))
    assert not is_goal_belief(problem, frozenset({0, 1}))


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ([], "gave no state"),
        ("HT", "gave 'HT'; it must give a collection"),
        (None, "gave None; it must give a collection"),
        ([[1]], r"gave \[1\], which is not hashable"),
    ],
)
def test_results_that_break_the_contract_are_named_with_state_and_action(answer: Any, complaint: str) -> None:
    broken = derived(Corridor, results=answer)
    with pytest.raises(ProblemError, match=rf"Made\.results\(2, 'left'\) {complaint}"):
        list(successors(broken(), 2, "left"))


def test_a_problem_without_a_start_is_refused() -> None:
    nowhere = derived(Corridor, initial_states=lambda: iter(()))
    with pytest.raises(ProblemError, match=r"Made\.initial_states\(\) gave no state"):
        initial_belief(nowhere())


def test_a_class_that_forgets_a_method_cannot_be_constructed() -> None:
    class Forgetful(BeliefProblem[int, str, None]):
        def initial_states(self) -> Iterable[int]:
            return [0]

    with pytest.raises(TypeError, match="actions"):
        Forgetful()  # type: ignore[abstract]


@given(st.permutations("abcdef"), st.lists(st.sets(st.sampled_from("abcdef")), min_size=1))
def test_a_merged_order_agrees_with_every_list(order: list[str], sets: list[set[str]]) -> None:
    lists = [tuple(action for action in order if action in chosen) for chosen in sets]
    merged = merged_order(lists)
    assert sorted(merged) == sorted(set().union(*sets))
    for actions in lists:
        assert tuple(action for action in merged if action in actions) == actions
    assert merged_order(lists * 2) == merged


def test_lists_without_a_common_order_are_merged_in_the_order_of_first_mention() -> None:
    assert merged_order([("a", "b"), ("c",), ("b", "a", "d")]) == ("a", "b", "c", "d")
    assert merged_order([("b", "a")]) == ("b", "a")
    assert merged_order([()]) == ()


def test_all_states_that_can_come_up_are_found_up_to_symmetry_with_their_actions() -> None:
    # Every arrangement of three coins is that of 0, 1, 2 or 3 tails.
    states = reachable_states(DevilProblem(n=3))
    assert sorted(states) == ["HHH", "HHT", "HTT", "TTT"]
    assert {len(actions) for actions in states.values()} == {4}
    walk = TableBeliefProblem((1,), ({}, {"a": (2,)}, {"a": (1, 2), "b": (1,)}), (frozenset({0}),))
    assert reachable_states(walk) == {1: ("a",), 2: ("a", "b")}


@given(plain_problems())
def test_a_plain_problem_is_the_belief_problem_with_one_start_and_one_result(problem: TableProblem) -> None:
    assert isinstance(problem, BeliefProblem)
    assert problem.is_sensorless()
    assert initial_belief(problem) == {problem.start}
    for state, row in enumerate(problem.table):
        belief = frozenset({state})
        assert applicable_actions(problem, belief) == list(row)
        assert is_goal_belief(problem, belief) == (state in problem.goals)
        for action, result in row.items():
            assert predict(problem, belief, action) == {result}
    search = SOLVERS["uniform-cost"].functions[Kind.PLAIN]
    assert search is not None
    assert search(SensorlessView(problem)).cost == exact_costs(problem)[problem.start]


@pytest.mark.parametrize(
    ("start", "following", "call"),
    [([0], 1, r"initial_state\(\) gave \[0\]"), (0, [1], r"result\(0, 'a'\) gave \[1\]")],
)
def test_what_is_wrong_is_said_of_the_method_that_the_author_wrote(start: Any, following: Any, call: str) -> None:
    methods = {"initial_state": lambda self: start, "actions": lambda self, state: ["a"]}
    problem: Any = type("Plain", (Plain,), {**methods, "result": lambda self, state, action: following})()
    with pytest.raises(ProblemError, match=rf"Plain\.{call}, which is not hashable"):
        solve(problem)
    with pytest.raises(ProblemError, match=rf"Plain\.{call}, which is not hashable"):
        reachable_states(problem)


def test_what_is_of_no_kind_has_no_rules_and_is_not_searched() -> None:
    class Kindless(BaseProblem[int, str]):
        def actions(self, state: int) -> Iterable[str]:
            return ["a"]

    with pytest.raises(ProblemError, match="is no problem"):
        check_problem(Kindless())
    with pytest.raises(ProblemError, match="is no problem"):
        solve(Kindless())  # type: ignore[call-overload]


def test_predict_takes_equivalent_states_for_one_if_asked() -> None:
    devil = DevilProblem(n=3)
    belief, action = frozenset({"HHT"}), frozenset({0})
    each = {board for turn in range(3) for board in ["HHTHHT"[turn : turn + 3]]}
    flipped = {("T" if board[0] == "H" else "H") + board[1:] for board in each}
    assert predict(devil, belief, action) == flipped
    assert predict(devil, belief, action, canonical=True) == {devil.canonical(board) for board in flipped} != flipped
