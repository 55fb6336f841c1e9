"""Long replays: arrays say what frozensets say, word for word."""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import BeliefSearchError, check_plan, solve
from beliefsearch.verify import sequence as verify
from beliefsearch.verify import sequence_arrays as verify_replay
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

from ..random_problems import ACTIONS, TableBeliefProblem, TableProblem, belief_problems, large_belief_problem

PACKAGE = Path(verify.__file__).parent


def verdict(problem: Any, plan: Iterable[Any], claimed: Any = None, *, after: float, most_bytes: int = 2**29) -> str:
    """What the checker says if arrays take over `after` so many members."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify, "_FOLLOWED_PLAINLY", after)
        patch.setattr(verify, "_SMALL", 0)
        patch.setattr(verify_replay, "_MOST_BYTES", most_bytes)
        try:
            return repr(check_plan(problem, plan, claimed_cost=claimed))
        except BeliefSearchError as error:
            return f"{type(error).__name__}: {error}"


def agreed(problem: Any, plan: Iterable[Any], claimed: Any = None) -> str:
    plan = list(plan)
    plain = verdict(problem, plan, claimed, after=math.inf)
    for after in (-1, 1, 10):
        for most_bytes in (0, 2**29):
            assert verdict(problem, plan, claimed, after=after, most_bytes=most_bytes) == plain
    return plain


plans = st.lists(st.sampled_from(ACTIONS), max_size=8)


@given(problem=belief_problems(), plan=plans, claimed=st.none() | st.integers(0, 4))
def test_both_ways_agree_on_small_problems(problem: TableBeliefProblem, plan: list[str], claimed: int | None) -> None:
    agreed(problem, plan, claimed)


@pytest.mark.parametrize("unit_costs", [True, False])
@pytest.mark.parametrize("most_results", [1, 5])
@pytest.mark.parametrize("word", ["a" * 30, "abc" * 10, "aabaac"])
def test_both_ways_agree_on_larger_ones(word: str, most_results: int, unit_costs: bool) -> None:
    problem = large_belief_problem(7, 300, most_results=most_results, unit_costs=unit_costs)
    said = agreed(problem, word)
    assert ("does not apply" in said) == ("b" in word)


def test_both_ways_agree_on_puzzles_and_on_plans_that_are_cut_short() -> None:
    devil = DevilProblem(n=4)
    plan = solve(devil).require_plan()
    assert "holds=True" in agreed(devil, plan, 15)
    assert "may be TTTT" in agreed(devil, plan[:-1])
    assert "does not apply to HHHTHTTTT" in agreed(NineTailsProblem("HHHTTTHHH"), [(2, 1), (2, 0)])
    assert "holds=True" in agreed(NineTailsProblem("HHHTTTHHH"), solve(NineTailsProblem("HHHTTTHHH")).require_plan())


def test_an_action_that_does_not_apply_names_the_same_state_always() -> None:
    # 9 and 10 are asked in some order; "10" is written first.
    table = tuple({"a": 10 - number % 2} if number < 9 else {} for number in range(11))
    problem = TableBeliefProblem(
        tuple(range(9)), tuple({a: (t,) for a, t in row.items()} for row in table), (frozenset({0}),)
    )
    assert "step 2: the action a does not apply to 10, which" in agreed(problem, "aa")


def test_what_leads_to_the_same_states_at_another_price_is_told_apart() -> None:
    row: dict[str, tuple[int, ...]] = {"a": (2,)}
    table = (row, row, row)
    costs = {(0, "a"): 1, (1, "a"): 5, (2, "a"): 2}
    assert "cost=9" in agreed(TableBeliefProblem((0, 1), table, (frozenset({2}),), costs), "aaa")
    assert "cost=5" in agreed(TableBeliefProblem((0,), table, (frozenset({2}),), costs), "aaa")


def test_plain_problems_are_followed_too() -> None:
    ring = TableProblem(0, ({"a": 1}, {"a": 2}, {"a": 0}), frozenset({1}))
    assert "holds=True" in agreed(ring, "a" * 31)
    assert "may be 2" in agreed(ring, "a" * 32)


def test_results_are_asked_once_for_each_state_and_action() -> None:
    asked: list[tuple[int, str]] = []

    class Counted(TableBeliefProblem):
        def results(self, state: int, action: str) -> Iterable[int]:
            asked.append((state, action))
            return super().results(state, action)

    table: tuple[dict[str, tuple[int, ...]], ...] = tuple(
        {"a": (state * 2 % 50,), "b": ((state + 1) % 50,)} for state in range(50)
    )
    problem = Counted(tuple(range(50)), table, (frozenset({0}),))
    for after in (-1, 60, 130):
        asked.clear()
        verdict(problem, "abababababbbaa", after=after)
        assert len(asked) == len(set(asked)) > 60


def test_short_replays_import_no_numpy_and_long_ones_nothing_that_searches(
    modules_after_python: Callable[[str], set[str]],
) -> None:
    start = (
        "from beliefsearch import check_plan; from beliefsearch_problems.devil import DevilProblem; "
        "moves = [frozenset({0, 1}), frozenset({0}), frozenset({0, 1})]; "
    )
    assert "numpy" not in modules_after_python(start + "check_plan(DevilProblem(n=2), moves * 1000)")
    modules = modules_after_python(start + "check_plan(DevilProblem(n=10), [frozenset()] * 300)")
    assert "numpy" in modules
    rooms = {name.split(".")[1] for name in modules if name.startswith("beliefsearch.")}
    assert not rooms & {"solvers", "engine", "views", "solving", "heuristics", "proofs", "jit"}


@pytest.fixture
def modules_after_python() -> Callable[[str], set[str]]:
    """The modules that are loaded after a program has run."""
    import subprocess

    def run(program: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", f"{program}; import sys; print(*sys.modules)"],
            check=True,
            capture_output=True,
            text=True,
        )
        return set(done.stdout.split())

    return run


@pytest.mark.parametrize("module", ["sequence", "sequence_arrays", "asked_game"])
def test_the_replay_asks_nothing_that_it_should_not_trust(module: str) -> None:
    tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
    asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not asked & {"heuristic", "potential", "canonical", "all_states", "all_results", "has_unit_costs"}
