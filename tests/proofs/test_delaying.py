"""The adversary where the player can win: against him a best plan takes its worst case, and no play takes less."""

from __future__ import annotations

import math
from functools import cache
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch.proofs.explanations import adversary as delaying
from beliefsearch.proofs.explanations.adversary import DelayingAdversary
from beliefsearch.results import ConditionalPlan
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.mastermind import MastermindProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..contingent_problems import SightedTable, is_won, outcomes, price, shared_actions, sighted_problems, worst_costs
from ..examples import thorough
from ..problems.contingent_brute_force import with_hooks

# The actions that a best plan takes in the worst case, as published, or None: by brute force.
GAMES: list[Any] = [
    (DevilProblem(n=2, reduced=False), 3),
    (DevilProblem(n=4), 15),
    (FourGlassesProblem(), 10),
    thorough(CounterfeitCoinProblem(coins=12), 3),
    (CounterfeitCoinProblem(coins=3), None),
    (MastermindProblem(pegs=2, colours=3), None),
    thorough(MastermindProblem(pegs=3, colours=4), None),
    (VacuumProblem(sensing="local"), None),
    (VacuumProblem(sensing="local", variant="erratic"), None),
]


def start_of(problem: Any) -> frozenset[Any]:
    return frozenset(map(problem.canonical, problem.initial_states()))


@cache
def published(problem: Any, actions: int | None) -> float:
    return with_hooks(problem).least(20) if actions is None else actions


@pytest.mark.parametrize(("problem", "actions"), GAMES, ids=lambda value: repr(value)[:60])
def test_the_best_plan_takes_its_worst_case(problem: Any, actions: int | None) -> None:
    plan: Any = solve(problem).plan
    adversary: DelayingAdversary[Any, Any] = DelayingAdversary(problem)
    belief, count, node = start_of(problem), 0, 0
    history: list[tuple[Any, Any]] = []
    while not is_won(problem, belief):
        action = plan.nodes[node].action if isinstance(plan, ConditionalPlan) else plan[count]
        answer = adversary.answer(belief, action)
        assert not answer.is_guess
        node = plan.follow(node, answer.percept) if isinstance(plan, ConditionalPlan) else 0
        belief = answer.belief
        history.append((action, answer.percept))
        count += 1
        assert problem.canonical(adversary.made_up_state(history)) in belief
    assert count == published(problem, actions)


@pytest.mark.parametrize(("problem", "actions"), GAMES, ids=lambda value: repr(value)[:60])
def test_no_player_at_random_is_quicker(problem: Any, actions: int | None) -> None:
    least = published(problem, actions)
    adversary: DelayingAdversary[Any, Any] = DelayingAdversary(problem)
    actions_of = {state: list(problem.actions(state)) for state in start_of(problem)}
    large = len(next(iter(actions_of.values()))) > 1000
    for seed in range(2 if large else 5):
        chance = Random(seed)
        belief, count = start_of(problem), 0
        while not is_won(problem, belief) and count < 2 * least:
            # In the large games every action applies everywhere, and to intersect them takes long.
            known = actions_of[min(belief, key=repr)] if large else shared_actions(problem, belief)
            belief = adversary.answer(belief, chance.choice(known)).belief
            count += 1
        assert count >= least


@given(sighted_problems(), st.randoms(use_true_random=False))
def test_what_is_answered_costs_most(problem: SightedTable, chance: Random) -> None:
    costs = worst_costs(evolve(problem, adversary=True))
    adversary: DelayingAdversary[int, str] = DelayingAdversary(problem)
    belief = start_of(problem)
    spent: Any = 0
    least = costs[belief]
    for _ in range(8):
        actions = shared_actions(problem, belief)
        if is_won(problem, belief) or not actions:
            break
        action = chance.choice(actions)
        spent += price(problem, belief, action)
        options = {
            percept: frozenset(map(problem.canonical, known))
            for percept, known in outcomes(problem, belief, action).items()
        }
        answer = adversary.answer(belief, action)
        assert options[answer.percept] == answer.belief
        worst = max(costs[known] for known in options.values())
        assert costs[answer.belief] == worst
        assert answer.cost in (None, worst)
        assert (answer.cost is None) == (len(options) == 1)
        belief = answer.belief
        assert spent + costs[belief] >= least
    if is_won(problem, belief):
        assert spent >= least


def test_where_costs_are_too_much_to_work_out_the_largest_belief_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delaying, "_GRAPH", 10)
    monkeypatch.setattr(delaying, "_SEARCH", 10)
    problem: Any = CounterfeitCoinProblem(coins=12)
    action = next(iter(problem.actions(next(iter(problem.initial_states())))))
    adversary: DelayingAdversary[Any, Any] = DelayingAdversary(problem)
    answer = adversary.answer(start_of(problem), action)
    largest = max(map(len, outcomes(problem, start_of(problem), action).values()))
    assert (len(answer.belief), answer.cost, answer.is_guess) == (largest, None, True)
    assert adversary.made_up_state([(action, answer.percept)]) in answer.belief


def test_where_the_graph_is_too_large_each_belief_is_searched_from(monkeypatch: pytest.MonkeyPatch) -> None:
    problem: Any = CounterfeitCoinProblem(coins=8)
    action = problem.parse_action("1 against 2")
    known = DelayingAdversary(problem).answer(start_of(problem), action)
    monkeypatch.setattr(delaying, "_GRAPH", 10)
    assert DelayingAdversary(problem).answer(start_of(problem), action) == known
    assert not known.is_guess


def test_a_game_that_cannot_be_won_from_some_belief_is_lost_there() -> None:
    problem: Any = CounterfeitCoinProblem(coins=2)
    adversary: DelayingAdversary[Any, Any] = DelayingAdversary(problem)
    answer = adversary.answer(start_of(problem), problem.parse_action("1 against 2"))
    assert answer.cost == math.inf
