"""Many games on arrays, against the loop that plays them one by one, which is the definition."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given

from beliefsearch import BeliefProblem, Status, simulate, solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.plans.plan import ConditionalPlan, PlanNode
from beliefsearch.simulation import plan_games as games_module
from beliefsearch.simulation.game import Simulation
from beliefsearch.simulation.plan_games import play_plan
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..contingent_problems import SightedTable, moves, sighted_problems
from ..random_problems import TableBeliefProblem, belief_problems

GAMES = 400


class Single(TableBeliefProblem):
    """A table whose one goal set is told by the state, as it is by default."""

    goal_sets = BeliefProblem.goal_sets  # type: ignore[assignment]


def both_ways(play: Callable[[], Simulation[int]]) -> tuple[Simulation[int], Simulation[int]]:
    """The same games by the loop, and on arrays."""
    kept = games_module._PLAYED_PLAINLY
    try:
        games_module._PLAYED_PLAINLY = 10**9
        one_by_one = play()
        games_module._PLAYED_PLAINLY = -1
        return one_by_one, play()
    finally:
        games_module._PLAYED_PLAINLY = kept


def exact_lengths(problem: TableBeliefProblem, plan: str, start: int) -> dict[int | None, float]:
    """How likely it is that the game is won after so many actions: by adding up every course it may take."""
    likely: dict[tuple[int, int | None], float] = {(start, 0 if problem.is_goal(start) else None): 1.0}
    for step, action in enumerate(plan, 1):
        after: dict[tuple[int, int | None], float] = {}
        for (state, since), share in likely.items():
            results = problem.table[state][action]
            for result in results:
                now = (step if since is None else since) if problem.is_goal(result) else None
                after[result, now] = after.get((result, now), 0) + share / len(results)
        likely = after
    lengths: dict[int | None, float] = {}
    for (_, since), share in likely.items():
        lengths[since] = lengths.get(since, 0) + share
    return lengths


def assert_fits(told: Simulation[int], exact: dict[int | None, float]) -> None:
    found: dict[int | None, int] = dict(told.won_after.items())
    if told.lost_from:
        found[None] = len(told.lost_from)
    assert set(found) <= set(exact)
    # Each count lies within six standard deviations, and one for good measure, of what is expected.
    for length, share in exact.items():
        expected = share * told.games
        assert abs(found.get(length, 0) - expected) < 6 * (expected * (1 - share)) ** 0.5 + 1


@given(belief_problems())
def test_the_lengths_are_as_likely_as_they_should_be(drawn: TableBeliefProblem) -> None:
    problem = Single(drawn.starts, drawn.table, drawn.goals)
    plan = "abca"
    start = problem.starts[0]
    for seed in range(3):
        try:
            exact = exact_lengths(problem, plan, start)
        except KeyError:
            with pytest.raises(InvalidPlanError, match="does not apply"):
                both_ways(lambda: simulate(problem, plan, games=5_000, seed=0, starts=[start]))
            return
        for told in both_ways(lambda s=seed: simulate(problem, plan, games=GAMES, seed=s, starts=[start])):  # type: ignore[misc]
            assert told.games == GAMES
            assert_fits(told, exact)


def test_a_result_listed_twice_is_twice_as_likely() -> None:
    problem = Single((0,), ({"a": (0, 1, 1)}, {"a": (1,)}), (frozenset({1}),))
    _, told = both_ways(lambda: simulate(problem, "a", games=9_000, seed=0))
    assert abs(told.won_after[1] - 6_000) < 6 * 45  # standard deviation 45


def test_without_chance_the_games_are_exactly_the_same() -> None:
    vacuum = VacuumProblem(2)
    for plan in (["Suck"], ["Suck", "Right", "Suck"], []):
        one_by_one, told = both_ways(lambda p=plan: simulate(vacuum, p, games=3, every_start=True, seed=0))  # type: ignore[misc]
        assert one_by_one == told
    tails = NineTailsProblem("HHHTTTHHH")
    plan = solve(tails).require_plan()
    one_by_one, told = both_ways(lambda: simulate(tails, plan, games=3, seed=0))
    assert one_by_one == told


def test_where_the_belief_decides_all_games_are_won_or_none() -> None:
    table: tuple[dict[str, tuple[int, ...]], ...] = ({"right": (1,)}, {"right": (2,)}, {"right": (2,)})
    problem = TableBeliefProblem((0, 1, 2), table, tuple(frozenset({square}) for square in range(3)))
    for plan in (["right", "right"], ["right"]):
        one_by_one, told = both_ways(lambda p=plan: simulate(problem, p, games=9, every_start=True))  # type: ignore[misc]
        assert one_by_one == told


def test_batches_lose_no_game_and_a_seed_repeats_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from beliefsearch.simulation import vectorised as array_games

    problem = Single((0, 1), ({"a": (0, 1)}, {"a": (1,)}), (frozenset({1}),))
    monkeypatch.setattr(array_games, "_BATCH_GAMES", 7)
    monkeypatch.setattr(games_module, "_PLAYED_PLAINLY", -1)
    told: list[tuple[int, int]] = []

    def play(seed: int) -> Simulation[int]:
        return simulate(problem, "aa", games=50, every_start=True, seed=seed, tell=lambda *at: told.append(at))

    outcome = play(-5)
    assert outcome.games == 100
    assert outcome.won_after[0] == 50, "from the goal itself"
    assert (told[-1], len(told)) == ((100, 200), 15)
    assert play(-5) == outcome
    assert play(6) != outcome


def test_results_that_take_too_much_room_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from beliefsearch.simulation import vectorised as array_games

    problem = Single((0,), ({"a": (1,), "b": (0,)}, {"a": (0,), "b": (1,)}), (frozenset({1}),))
    monkeypatch.setattr(array_games, "_MOST_BYTES", 0)
    _, told = both_ways(lambda: simulate(problem, "ababa", games=10, seed=0))
    assert told.won_after == {5: 10}


def exact_sighted(problem: SightedTable, plan: ConditionalPlan[str, str], start: int, turns: int) -> dict[int, float]:
    """How likely a win after so many actions is, for as many as are looked at."""
    likely = {(start, 0): 1.0}
    lengths: dict[int, float] = {}
    for turn in range(turns + 1):
        after: dict[tuple[int, int], float] = {}
        for (state, node), share in likely.items():
            step = plan.nodes[node]
            if step.is_end:
                lengths[turn] = lengths.get(turn, 0) + share
                continue
            results = list(problem.results(state, step.action or ""))
            for result in results:
                percepts = list(problem.percepts(result, step.action or ""))
                for percept in percepts:
                    key = result, plan.follow(node, percept)
                    after[key] = after.get(key, 0) + share / len(results) / len(percepts)
        likely = after
    return lengths


@given(sighted_problems())
def test_conditional_plans_have_lengths_as_likely_as_they_should_be(problem: SightedTable) -> None:
    result = solve(problem)
    if result.status is not Status.SOLVED:
        return
    plan = result.require_conditional_plan()
    start = problem.starts[0]
    exact = exact_sighted(problem, plan, start, 40)
    for told in both_ways(lambda: simulate(problem, plan, games=GAMES, seed=1, starts=[start])):
        assert (told.games, told.lost_from) == (GAMES, ())
        for length, share in exact.items():
            spread = (share * (1 - share) * GAMES) ** 0.5
            assert abs(told.won_after.get(length, 0) - share * GAMES) < 6 * spread + 1
        assert {length for length in told.won_after if length <= 40} <= set(exact)
    assert moves(problem, start, "a") is not None


DOOR = SightedTable(
    (0,), ({"a": (0, 1, 2)}, {"a": (0, 1, 2)}, {}), (frozenset({2}),), {("a", s): ("xxy"[s],) for s in range(3)}
)


def test_games_on_arrays_are_given_up_and_lost_and_refused_as_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    push = ConditionalPlan((PlanNode("a", (("x", 0), ("y", 1))), PlanNode[str, str](None)))
    with monkeypatch.context() as patch:
        patch.setattr(games_module, "_MOST_TURNS", 1)
        for told in both_ways(lambda: simulate(DOOR, push, games=900, seed=3)):
            assert abs(told.won_after[1] - 300) < 90
            assert told.won_after[1] + len(told.lost_from) == 900
            assert set(told.lost_from) == {0}
    hasty = ConditionalPlan((PlanNode("a", (("x", 1), ("y", 1))), PlanNode[str, str](None)))
    for told in both_ways(lambda: simulate(DOOR, hasty, games=900, seed=2)):
        assert abs(told.won_after[1] - 300) < 90
    blind = ConditionalPlan((PlanNode("a", (("y", 1),)), PlanNode[str, str](None)))
    with pytest.raises(InvalidPlanError, match="after a the percept x came, and the plan has no branch for it"):
        both_ways(lambda: simulate(DOOR, blind, games=100, seed=0))


@given(sighted_problems())
def test_every_turn_is_one_that_may_come(problem: SightedTable) -> None:
    result = solve(problem)
    if result.status is not Status.SOLVED:
        return
    plan = result.require_conditional_plan()
    for start in problem.starts:
        game = play_plan(problem, plan, start, Random(start))
        assert (game.start, game.lost) == (start, False)
        state = start
        for turn in game.turns:
            assert (turn.percept, turn.state) in set(moves(problem, state, turn.action))
            state = turn.state


def test_an_interrupt_leaves_the_games_that_were_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    from beliefsearch.simulation import vectorised as array_games

    problem = Single((0,), ({"a": (0, 1)}, {"a": (1,)}), (frozenset({1}),))
    monkeypatch.setattr(array_games, "_BATCH_GAMES", 10)
    monkeypatch.setattr(games_module, "_PLAYED_PLAINLY", -1)

    def stop(games: int, actions: int) -> None:
        if games == 20:
            raise KeyboardInterrupt

    assert simulate(problem, "aaa", games=100, seed=Random(1).randrange(9), tell=stop).games == 20
