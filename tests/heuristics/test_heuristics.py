"""Heuristics of beliefs against exact distances, and their tables against brute force."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given

from beliefsearch import Limits, Status, solve
from beliefsearch.belief_space.sensorless import BeliefView, SensorlessView
from beliefsearch.engine.bits.sensorless import BitsetView
from beliefsearch.engine.compiled.sensorless import CompiledView
from beliefsearch.errors import MovedNameWarning
from beliefsearch.heuristics.registry import HEURISTICS, RENAMED, heuristics_of
from beliefsearch.heuristics.state_graph import BeliefSetting
from beliefsearch.hooks import PotentialHook
from beliefsearch.kinds import Kind
from beliefsearch.proofs.finder import find_proof
from beliefsearch.running.limits import Budget, TooDear
from beliefsearch.running.run import Run
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem

from ..random_problems import (
    TableBeliefProblem,
    belief_problems,
    belief_steps,
    exact_belief_costs,
    large_belief_problem,
    least_costs,
    states_that_come_up,
)
from ..toys.made import derived

# Of an author's own nobody knows.
CONSISTENT = [name for name in heuristics_of(Kind.SENSORLESS) if name not in ("best", "own")]
deterministic_problems = belief_problems(most_results=1)


def make(name: str, view: BeliefView[Any, Any, Any]) -> Callable[[Any], Any]:
    return HEURISTICS[name][Kind.SENSORLESS](BeliefSetting(view, lambda: None), None)


def beliefs_that_may_come_up(problem: TableBeliefProblem) -> list[frozenset[int]]:
    """Every set of states that come up, whether or not it comes up itself."""
    states = states_that_come_up(problem)
    return [belief for belief in exact_belief_costs(problem) if belief <= states]


def forced_costs(problem: TableBeliefProblem) -> dict[int, Any]:
    """By state: what a player who sees must pay against an adversary."""

    def ways(state: int) -> Iterator[tuple[Any, Iterable[int]]]:
        return ((problem.action_cost(state, action), after) for action, after in problem.table[state].items())

    return least_costs(range(len(problem.table)), ways, problem.is_goal)


def close(estimate: float, exact: float, problem: TableBeliefProblem) -> bool:
    """Equal; where costs are no whole numbers, at most a billionth below."""
    whole = problem.costs is None or all(cost == int(cost) for cost in problem.costs.values())
    return estimate == exact if whole else estimate <= exact and math.isclose(estimate, exact, rel_tol=1e-8)


@given(problem=belief_problems())
def test_no_estimate_of_any_belief_is_above_the_true_cost(problem: TableBeliefProblem) -> None:
    exact = exact_belief_costs(problem)
    beliefs = beliefs_that_may_come_up(problem)
    for name in heuristics_of(Kind.SENSORLESS):
        estimate = make(name, SensorlessView(problem))
        for belief in beliefs:
            assert 0 <= estimate(belief) <= exact[belief], (name, belief)


@given(problem=belief_problems())
def test_no_action_lowers_a_consistent_heuristic_by_more_than_it_costs(problem: TableBeliefProblem) -> None:
    states = states_that_come_up(problem)
    steps = [step for step in belief_steps(problem) if step[0] <= states]
    for name in CONSISTENT:
        estimate = make(name, SensorlessView(problem))
        for belief, action, following, price in steps:
            assert float(price) + estimate(following) >= estimate(belief) - 1e-7, (name, belief, action)


def test_the_consistent_heuristics_are_those_that_know_only_the_transitions() -> None:
    assert set(CONSISTENT) == {"full-observability", "pairwise", "potential", "none"}


@given(problem=belief_problems())
def test_perfect_sight_is_the_game_against_an_adversary(problem: TableBeliefProblem) -> None:
    forced = forced_costs(problem)
    estimate = make("full-observability", SensorlessView(problem))
    for belief in beliefs_that_may_come_up(problem):
        assert close(estimate(belief), max(forced[state] for state in belief), problem)


@given(problem=deterministic_problems)
def test_pairs_are_exact_for_two_states_where_actions_have_one_result(problem: TableBeliefProblem) -> None:
    exact = exact_belief_costs(problem)
    estimate = make("pairwise", SensorlessView(problem))
    for belief in beliefs_that_may_come_up(problem):
        within = [exact[frozenset((s, t))] for s in belief for t in belief]
        assert close(estimate(belief), max(within), problem)


@given(problem=belief_problems())
def test_pairs_are_never_below_perfect_sight_and_best_is_the_largest(problem: TableBeliefProblem) -> None:
    view = SensorlessView(problem)
    names = ("own", "full-observability", "pairwise", "potential", "best")
    own, sight, pairs, potential, best = (make(name, view) for name in names)
    for belief in beliefs_that_may_come_up(problem):
        assert pairs(belief) >= sight(belief)
        assert best(belief) == max(own(belief), sight(belief), pairs(belief), potential(belief))


@given(problem=belief_problems())
def test_the_author_s_estimate_is_the_largest_of_a_state_or_the_sum_of_potentials(problem: TableBeliefProblem) -> None:
    estimate = make("own", SensorlessView(problem))
    for belief in beliefs_that_may_come_up(problem):
        largest = max(problem.heuristic(state) for state in belief)
        total: Any = sum(problem.potential(state) for state in belief) if isinstance(problem, PotentialHook) else 0
        if problem.has_unit_costs():
            total = math.ceil(total)
        assert estimate(belief) == max(largest, total)


@given(problem=belief_problems())
def test_an_estimate_does_not_depend_on_how_beliefs_are_represented(problem: TableBeliefProblem) -> None:
    views: list[BeliefView[Any, Any, Any]] = [SensorlessView(problem), BitsetView(problem), CompiledView(problem)]
    estimates = [(name, [make(name, view) for view in views]) for name in heuristics_of(Kind.SENSORLESS)]
    beliefs = [view.initial_state() for view in views]
    for _ in range(8):
        for name, of_views in estimates:
            first, *others = (estimate(belief) for estimate, belief in zip(of_views, beliefs, strict=True))
            assert others == [first, first], name
        actions = list(views[0].actions(beliefs[0]))
        if not actions:
            break
        beliefs = [view.result(belief, actions[-1]) for view, belief in zip(views, beliefs, strict=True)]


@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_large_beliefs_are_those_of_brute_force(seed: int) -> None:
    # More members than are looked up pair by pair.
    problem = large_belief_problem(seed, 80, letters=2)
    table, goals = problem.table, problem.goals
    names = sorted({name for row in table for name in row})
    distance = {
        frozenset((s, t)): 0 for s in range(80) for t in range(80) if any(s in won and t in won for won in goals)
    }
    frontier = list(distance)
    causes: dict[frozenset[int], list[frozenset[int]]] = {}
    for s in range(80):
        for t in range(s + 1):
            for name in names:
                if name in table[s] and name in table[t]:
                    after = frozenset(table[s][name] + table[t][name])
                    causes.setdefault(after, []).append(frozenset((s, t)))
    for pair in frontier:
        for before in causes.get(pair, ()):
            if before not in distance:
                distance[before] = distance[pair] + 1
                frontier.append(before)
    states = sorted(states_that_come_up(problem))
    estimate = make("pairwise", SensorlessView(problem))
    for belief in (states, states[:60], states[20:], states[::3], states[:1]):
        true = max(distance.get(frozenset((s, t)), math.inf) for s in belief for t in belief)
        assert estimate(frozenset(belief)) == true
    assert len(states) > 50


TRAP = TableBeliefProblem((0, 1), ({"a": (1, 2)}, {"a": (1,)}, {"a": (0,)}), (frozenset({1}),))
"""From state 0 an adversary leads to 2 and back for ever."""


@pytest.mark.parametrize("name", ["full-observability", "pairwise", "best"])
@pytest.mark.parametrize("engine", ["naive", "bits", "compiled"])
def test_a_trap_is_proved_without_an_expansion(name: str, engine: str) -> None:
    result = solve(TRAP, heuristic=name, engine=engine)
    assert (result.status, result.stats.expanded) == (Status.UNSOLVABLE, 0)


def test_best_does_without_tables_that_are_too_dear() -> None:
    setting = BeliefSetting(SensorlessView(TRAP), lambda: None)
    for name in ("full-observability", "pairwise", "potential"):
        with pytest.raises(TooDear):
            HEURISTICS[name][Kind.SENSORLESS](setting, 0)
    assert HEURISTICS["best"][Kind.SENSORLESS](setting, 0)(frozenset({0})) == 0
    assert HEURISTICS["best"][Kind.SENSORLESS](setting, None)(frozenset({0})) == math.inf


@pytest.mark.parametrize("engine", ["naive", "bits", "compiled"])
def test_a_state_that_is_lost_may_have_an_infinite_potential(engine: str) -> None:
    # From 0 `a` wins and `b` is lost. A sum over a belief without the lost state has no part of it.
    lost = derived(TableBeliefProblem, PotentialHook, potential=lambda state: (1, 0, math.inf)[state])
    problem = lost((0,), ({"b": (2,), "a": (1,)}, {"a": (1,)}, {"b": (2,)}), (frozenset({1}),))
    result = solve(problem, solver="astar", heuristic="own", engine=engine)
    assert (result.require_plan(), result.stats.generated) == (("a",), 2)
    view = {"naive": SensorlessView, "bits": BitsetView, "compiled": CompiledView}[engine](problem)
    start = view.initial_state()
    assert view.heuristic(view.result(start, "b")) == math.inf
    assert view.heuristic(view.result(start, "a")) == 0
    assert view.heuristic(start) == 1


def test_a_time_limit_holds_while_a_linear_program_is_solved() -> None:
    solve(DevilProblem(n=2), solver="astar", heuristic="potential")  # loads the libraries
    # Without a limit the program of this one takes many seconds.
    result = solve(DevilProblem(n=11), solver="astar", heuristic="potential", limits=Limits(seconds=0.3))
    assert result.status is Status.UNDECIDED
    assert result.reason == "the time limit of 0.3 s was reached"
    assert result.stats.seconds < 5


@pytest.mark.parametrize("left", [math.inf, 1.25])
def test_the_linear_program_is_told_how_long_it_may_take(monkeypatch: pytest.MonkeyPatch, left: float) -> None:
    import scipy.optimize

    told = []
    linprog = scipy.optimize.linprog

    def spy(*arguments: Any, **options: Any) -> Any:
        told.append(options["options"].get("time_limit", math.inf))
        return linprog(*arguments, **options)

    monkeypatch.setattr(scipy.optimize, "linprog", spy)
    problem = large_belief_problem(3, 12)
    setting = BeliefSetting(SensorlessView(problem), lambda: None, lambda: left)
    HEURISTICS["potential"][Kind.SENSORLESS](setting, None)
    monkeypatch.setattr(Budget, "seconds_left", lambda budget: left)
    find_proof(problem, 10**6, Run())
    assert len(told) >= 2
    assert set(told) == {left}


def test_standard_output_is_free_of_what_the_solver_of_linear_programs_prints(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    import scipy.optimize

    linprog = scipy.optimize.linprog

    def noisy(*arguments: Any, **options: Any) -> Any:
        os.write(1, b"a warning of HiGHS\n")
        return linprog(*arguments, **options)

    monkeypatch.setattr(scipy.optimize, "linprog", noisy)
    assert solve(DevilProblem(n=2), solver="astar", heuristic="potential").cost == 3
    os.write(1, b"the answer\n")
    out, err = capfd.readouterr()
    assert (out, set(err.splitlines())) == ("the answer\n", {"a warning of HiGHS"})


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_old_names_are_understood_with_a_line_that_says_the_new_one(old: str, new: str) -> None:
    problem = CounterfeitCoinProblem(coins=4) if new == "information-bound" else DevilProblem(n=2)
    with pytest.warns(MovedNameWarning, match=f"the heuristic {old} is now called {new}"):
        result = solve(problem, heuristic=old)
    again = solve(problem, heuristic=new)
    assert (result.plan, result.heuristic, result.stats.expanded) == (again.plan, new, again.stats.expanded)
