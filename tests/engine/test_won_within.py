"""The worst case on a table of partitions: the costs of brute force and of the plain search, plans, limits, reasons."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import Limits, check_plan, solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.guessing.bounded_and_or import Cores, WonWithin, packed
from beliefsearch.engine.guessing.outcome_table import OutcomeTable
from beliefsearch.engine.guessing.ways import distinguishing_action
from beliefsearch.engine.guessing.worst_case import search_on_table, table_of_starts
from beliefsearch.model.belief import no_tick
from beliefsearch.plans.result import Status
from beliefsearch.proofs.belief_bounds import contingent_proof
from beliefsearch.proofs.check import check_proof
from beliefsearch.running.run import Run
from beliefsearch.solvers.trampoline import without_recursion
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.mastermind import MastermindProblem
from beliefsearch_problems.wordle import WordleProblem


@st.composite
def tables(draw: Any) -> OutcomeTable[int]:
    """Tables in which each action wins any of the starts, or none, and some action tells every two apart."""
    actions, starts = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    knowing = draw(st.booleans())
    most = 2 if knowing else 3  # outcome 3 is won
    rows = draw(
        st.lists(st.lists(st.integers(0, most), min_size=starts, max_size=starts), min_size=actions, max_size=actions)
    )
    # So that there is a plan.
    rows += [
        [3 if start == one and not knowing else int(start == one) for start in range(starts)] for one in range(starts)
    ]
    table = np.array(rows, dtype=np.uint8)
    costs = np.ones(len(rows), dtype=np.int64)
    return OutcomeTable(np.arange(starts), range(len(rows)), tuple("abcd"), table, 3, costs, knowing)


def least(found: OutcomeTable[int], members: tuple[int, ...]) -> int:
    """The least number of actions to win a set, by the definition."""
    known: dict[tuple[int, ...], int] = {}

    def wins(some: tuple[int, ...], actions: int) -> bool:
        if len(some) == found.knowing_wins or not some:
            return True
        if not actions or known.get(some, 0) > actions:
            return False
        for row in found.table.tolist():
            parts: dict[int, tuple[int, ...]] = {}
            for start in some:
                if row[start] < found.won:
                    parts[row[start]] = (*parts.get(row[start], ()), start)
            if all(part != some and wins(part, actions - 1) for part in parts.values()):
                return True
        known[some] = actions + 1
        return False

    return next(actions for actions in range(20) if wins(members, actions))


@given(found=tables(), by_cores_alone=st.booleans())
def test_as_many_actions_are_needed_as_by_the_definition(found: OutcomeTable[int], by_cores_alone: bool) -> None:
    known = WonWithin(found, by_cores_alone=by_cores_alone)
    every = tuple(range(len(found.starts)))
    for size in range(1, len(every) + 1):
        for some in combinations(every, size):
            needed = least(found, some)
            for actions in range(needed + 2):
                core = without_recursion(known.lost(np.array(some), actions))
                assert (core is None) == (actions >= needed)
                if core is not None:
                    assert set(core.tolist()) <= set(some)
                    assert least(found, tuple(core.tolist())) > actions


@given(found=tables())
def test_every_reason_is_true_and_rests_on_others_that_are_listed(found: OutcomeTable[int]) -> None:
    every = np.arange(len(found.starts))
    cost = least(found, tuple(every.tolist()))
    if cost < 1:
        return
    known = WonWithin(found, by_cores_alone=True)
    core = without_recursion(known.lost(every, cost - 1))
    assert core is not None
    reasons = known.why_lost(core, cost - 1)
    assert max(reasons.values()) == cost
    for members, bound in reasons.items():
        assert least(found, members) >= bound
        for row in found.table:
            assert bound <= 1 or any(
                len({int(row[start]) for start in part}) == 1 and row[part[0]] < found.won and value >= bound - 1
                for part, value in reasons.items()
                if set(part) <= set(members)
            )


@given(rows=st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=2, max_size=7))
def test_what_is_not_told_apart_is_cut_down_as_far_as_possible(rows: list[list[int]]) -> None:
    table, won = np.array(rows, dtype=np.uint16), 4

    def apart(members: list[int]) -> list[int]:
        columns = [[value for value in table[members, action].tolist() if value < won] for action in range(4)]
        return [action for action, column in enumerate(columns) if len(set(column)) == len(column)]

    chosen = np.zeros(len(rows), dtype=np.bool_)
    action = distinguishing_action(table, won, chosen)
    if action >= 0:
        assert action in apart(list(range(len(rows))))
    else:
        members = np.flatnonzero(chosen).tolist()
        assert not apart(members)
        assert all(apart([*members[:place], *members[place + 1 :]]) for place in range(len(members)))


def test_few_cores_are_chosen_that_rule_out_what_is_asked() -> None:
    cores = Cores(70, 130)
    flags = np.eye(130, dtype=np.bool_)
    for number in range(65):  # each rules out two actions, and the last one all of the first hundred
        cores.add(packed(np.arange(70) == number), packed(flags[2 * number] | flags[2 * number + 1]), ())
    cores.add(packed(np.arange(70) < 3), packed(np.arange(130) < 100), ())
    every = np.arange(len(cores))
    asked = np.arange(130) < 102
    assert cores.few_that_rule_out(every, packed(asked)).tolist() == [65, 50]
    assert cores.useless_with(101).tolist() == [50]
    assert cores.inside(packed(np.arange(70) < 3), every).tolist() == [0, 1, 2, 65]
    assert cores.members(np.array([65, 50])).tolist() == [0, 1, 2, 50]


INSTANCES: list[tuple[Any, int, int, int]] = [
    (MastermindProblem(3, 4), 4, 24, 1032),
    (CounterfeitCoinProblem(5), 3, 6, 54),
    (WordleProblem(first=30), 3, 7, 277),
]


@pytest.mark.parametrize(("problem", "cost", "expanded", "generated"), INSTANCES, ids=lambda value: str(value)[:20])
def test_cost_plan_and_counts(problem: Any, cost: int, expanded: int, generated: int) -> None:
    result = search_on_table(*with_table(problem))
    assert (result.cost, result.lower_bound, result.engine) == (cost, cost, "compiled")
    assert solve(problem, solver="and-or").cost == cost
    assert check_plan(problem, result).cost == cost
    assert (result.stats.expanded, result.stats.generated) == (expanded, generated)


def test_what_a_search_has_found_is_its_proof(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("bat cat hat mat rat dot dog dig big bag")
    problem: Any = WordleProblem(answers=words)
    result = search_on_table(*with_table(problem))
    assert result.grounds is not None
    assert max(result.grounds.bounds.values()) == result.cost == 5
    handed_over: Any = contingent_proof(problem, 5, Run(), result.grounds)
    assert handed_over is not None
    assert {value for _, value in handed_over["beliefs"]} == set(result.grounds.bounds.values())
    assert check_proof(problem, handed_over) == 5
    assert contingent_proof(problem, 6, Run(), result.grounds) is None
    # What was found of another problem is no proof of this one.
    other: Any = WordleProblem(first=5)
    assert contingent_proof(other, 5, Run(), result.grounds) is None
    by_symmetry = search_on_table(*with_table(MastermindProblem(2, 3)))
    assert by_symmetry.grounds is None


def with_table(problem: Any) -> tuple[Any, Any]:
    view: Any = BitsetContingentView(problem)
    return view, table_of_starts(view, no_tick)


def test_cores_that_rule_out_one_action_of_each_class_are_not_enough() -> None:
    problem: Any = MastermindProblem(pegs=2, colours=4)
    _, table = with_table(problem)
    every = np.arange(16)
    known = WonWithin(table, by_cores_alone=True)
    assert without_recursion(known.lost(every, 3)) is not None  # nobody wins within three guesses, and cores say why
    firsts = [table.actions.index(guess) for guess in problem.distinct_actions(frozenset(problem.initial_states()))]
    asked = np.zeros(16, dtype=np.bool_)
    asked[firsts] = True
    cores = known._of(2)
    few = cores.members(cores.few_that_rule_out(np.arange(len(cores)), packed(asked)))
    # By symmetry all guesses are like these two; but the union of the cores for these is won by another guess.
    assert len(firsts) == 2
    assert without_recursion(known.lost(few, 3)) is None
    with_symmetry = WonWithin(table, distinct=lambda members: np.array(firsts) if len(members) == 16 else None)
    core = without_recursion(with_symmetry.lost(every, 3))
    assert core is not None
    assert without_recursion(WonWithin(table).lost(core, 3)) is not None


def test_a_limit_stops_it_with_the_bound_so_far() -> None:
    problem: Any = MastermindProblem(3, 4)
    result = search_on_table(*with_table(problem), run=Run.of(Limits(expanded=10)))
    assert (result.status, result.stats.expanded, result.lower_bound) == (Status.UNDECIDED, 10, 4)
    assert result.reason == "the limit of 10 expanded states was reached"


def test_what_cannot_be_told_apart_is_lost() -> None:
    table = np.zeros((2, 3), dtype=np.uint8)
    assert not OutcomeTable(
        np.arange(3), "ab", "p", table, 1, np.ones(2, dtype=np.int64), knowing_wins=True
    ).can_be_won()


def test_large_problems_are_searched_on_the_table() -> None:
    problem = MastermindProblem(pegs=4, colours=5)
    result = solve(problem)
    assert (result.solver, result.engine, result.cost, result.optimal) == ("and-or", "compiled", 5, True)
    assert check_plan(problem, result).cost == 5
    assert solve(problem, engine="bits", limits=Limits(expanded=3)).engine == "bits"
