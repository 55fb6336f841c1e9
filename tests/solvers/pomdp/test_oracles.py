"""The exact solvers of partially observable problems agree with trying every policy, and with each other."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from beliefsearch import BeliefSearchError, Limits, Status, simulate, solve
from beliefsearch.model.distribution import begin
from beliefsearch.running.limits import Budget
from beliefsearch.solvers.pomdp.arrays import arrays_of
from beliefsearch.solvers.pomdp.pomdp_model import pomdp_model
from beliefsearch_problems.machine_repair import MachineRepairProblem
from beliefsearch_problems.noisy_monty_hall import NoisyMontyHallProblem
from beliefsearch_problems.rock_sample import RockSampleProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.twenty_questions import TwentyQuestionsProblem

from ...examples import examples
from ...random_pomdps import TablePomdp, pomdps
from ...reference.belief_mdp import BeliefMdp, Ended
from ...reference.incremental_pruning import incremental_pruning
from .policy_trees import best_value


@given(pomdps())
def test_the_finite_horizon_is_the_best_of_all_policies(problem: TablePomdp) -> None:
    for horizon in range(3):
        assert solve(problem, horizon=horizon).value == best_value(problem, horizon)


@given(pomdps(discounted=False, everywhere=False))
def test_the_value_is_that_of_the_policy_graph_state_by_state(problem: TablePomdp) -> None:
    result = solve(problem, horizon=3)
    graph = result.require_policy_graph()
    first = begin(problem)
    ((_, likely),) = first.percepts.values()
    assert graph.value(graph.start, likely) == result.value


@settings(max_examples=examples(8))
@given(pomdps())
def test_incremental_pruning_agrees_with_the_finite_horizon(problem: TablePomdp) -> None:
    arrays = arrays_of(pomdp_model(problem, Budget()))
    for horizon in (1, 2):
        vectors = incremental_pruning(arrays, horizon, Budget())
        assert float((vectors @ arrays.start).max()) == pytest.approx(float(solve(problem, horizon=horizon).value or 0))


@given(pomdps(everywhere=False))
def test_the_view_says_what_may_follow_a_belief(problem: TablePomdp) -> None:
    view: BeliefMdp[int, str] = BeliefMdp(problem)
    belief: Any = view.initial_state()
    for action in view.actions(belief):
        outcomes = list(view.outcomes(belief, action))
        assert sum(chance for chance, _ in outcomes) == 1
        by_state: dict[int, Fraction] = {}
        ended = Fraction(0)
        for chance, then in outcomes:
            if isinstance(then, Ended):
                ended += Fraction(chance) * Fraction(then.utility)
                continue
            assert sum(then.values()) == 1
            for state, share in then.items():
                by_state[state] = by_state.get(state, Fraction(0)) + Fraction(chance) * Fraction(share)
        predicted: dict[int, Fraction] = {}
        over = Fraction(0)
        for state, share in belief.items():
            for chance, result in problem.outcomes(state, action):
                if problem.is_terminal(result):
                    over += share * chance * problem.utility(result)
                elif chance:
                    predicted[result] = predicted.get(result, Fraction(0)) + share * chance
        assert by_state == predicted
        assert ended == over


def test_what_there_is_for_seen_states_runs_on_beliefs() -> None:
    """Where few beliefs can come up policy iteration over them is exact."""
    assert solve(BeliefMdp(NoisyMontyHallProblem())).value == Fraction(3, 5)
    assert solve(BeliefMdp(TwentyQuestionsProblem(odds="3 2 1"))).value == -Fraction(3, 2)


def test_counts_of_the_finite_horizon() -> None:
    """Exact counts, which guard that equal beliefs are one: nine after two actions, and not 81."""
    stats = solve(TigerProblem(), horizon=3).stats
    assert (stats.expanded, stats.generated) == (9, 54)


def test_a_game_without_an_end_needs_a_horizon_for_the_exact_solver() -> None:
    with pytest.raises(BeliefSearchError, match="give a horizon"):
        solve(TigerProblem(), solver="finite-horizon")


def test_limits_are_heard() -> None:
    result = solve(RockSampleProblem(), horizon=8, limits=Limits(seconds=0.2))
    assert result.status is Status.UNDECIDED
    assert "time limit" in (result.reason or "")
    result = solve(MachineRepairProblem(), horizon=8, limits=Limits(expanded=3))
    assert result.reason == "the limit of 3 expanded states was reached"


def test_a_limit_leaves_a_policy_within_the_bounds() -> None:
    result = solve(TigerProblem(), limits=Limits(expanded=30))
    graph = result.require_policy_graph()
    assert result.status is Status.UNDECIDED
    assert result.lower_bound is not None
    assert result.upper_bound is not None
    mean = simulate(TigerProblem(), graph, games=300, seed=1)
    assert result.lower_bound - 4 * mean.standard_error <= mean.mean <= result.upper_bound + 4 * mean.standard_error
    with pytest.raises(BeliefSearchError, match="is a policy graph"):
        result.require_policy()


def test_arrays_that_lack_actions_are_refused_by_incremental_pruning() -> None:
    problem = TablePomdp(
        ((Fraction(1), 0),),
        ({"a": (0, ((Fraction(1), 1),))}, {"a": (0, ((Fraction(1), 1),)), "b": (1, ((Fraction(1), 1),))}),
        {(state, name): ((Fraction(1), 0),) for state in (0, 1) for name in "ab"},
        (),
        Fraction(1, 2),
    )
    with pytest.raises(ValueError, match="every action must apply"):
        incremental_pruning(arrays_of(pomdp_model(problem, Budget())), 1, Budget())
