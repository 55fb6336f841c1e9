"""`simulate` and `play_game`: for every kind of problem, against all courses that a game may take, added up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isnan
from typing import Any

import pytest

from beliefsearch import BeliefSearchError, Limits, Policy, ProblemError, play_game, simulate, solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.kinds import Kind, kind_of
from beliefsearch.model.chance import Possible
from beliefsearch.results import ConditionalPlan, PlanNode, Simulation
from beliefsearch.simulation.play import PLAYERS
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..contingent_problems import SightedTable, moves
from ..random_games import TableGame
from ..random_problems import TableBeliefProblem
from .test_array_games import DOOR, Single

THIRD, HALF = Fraction(1, 3), Fraction(1, 2)
GAMES = 6_000

PLAIN = NineTailsProblem("HHHTTTHHH")
# The goal is 2, which is left no more.
SENSORLESS = Single(
    (0, 2), ({"a": (0, 1), "b": (0, 2)}, {"a": (1, 2, 2), "b": (2,)}, {"a": (2,), "b": (2,)}), (frozenset({2}),)
)
TWICE = ConditionalPlan((PlanNode("a", (("x", 1), ("y", 2))), PlanNode("a", (("x", 2), ("y", 2))), PlanNode(None)))
STOCHASTIC = TableGame(
    ({"again": ((THIRD, 0), (HALF, 1), (Fraction(1, 6), 2))}, {"on": ((THIRD, 2), (2 * THIRD, 3))}), (5, 8)
)


def courses(
    state: Any, node: Any, step: Callable[[Any, Any], Mapping[tuple[Any, Any], Fraction] | None], share: Fraction
) -> dict[tuple[tuple[Any, ...], Any], Fraction]:
    """Every course of a game, its states and the last node, with its probability."""
    following = step(state, node)
    if following is None:
        return {((state,), node): share}
    found: dict[tuple[tuple[Any, ...], Any], Fraction] = {}
    for (after, to), likely in following.items():
        for (states, last), total in courses(after, to, step, share * likely).items():
            found[(state, *states), last] = found.get(((state, *states), last), Fraction(0)) + total
    return found


def counts(outcome: Simulation[int]) -> dict[int | None, int]:
    found: dict[int | None, int] = {None: outcome.lost} if outcome.lost else {}
    return found | dict(outcome.won_after.items())


def assert_fits(found: Mapping[Any, int], exact: Mapping[Any, Fraction], games: int) -> None:
    """Each count lies within five standard deviations of what is expected, and nothing else turns up."""
    assert sum(exact.values()) == 1
    assert set(found) <= set(exact)
    for outcome, share in exact.items():
        spread = (float(share * (1 - share)) * games) ** 0.5
        assert abs(found.get(outcome, 0) - float(share) * games) <= 5 * spread


def test_a_sequence_is_won_as_often_as_its_courses_say() -> None:
    plan = "aab"

    def step(state: int, done: int) -> dict[tuple[int, int], Fraction] | None:
        if done == len(plan):
            return None
        results = SENSORLESS.table[state][plan[done]]
        return {(result, done + 1): Fraction(results.count(result), len(results)) for result in results}

    for start in (0, 2):
        exact: dict[int | None, Fraction] = {}
        for (states, _), share in courses(start, 0, step, Fraction(1)).items():
            # Won after the action from which the state stays 2.
            held = next((at for at in range(4) if set(states[at:]) == {2}), None)
            exact[held] = exact.get(held, Fraction(0)) + share
        outcome = simulate(SENSORLESS, plan, games=GAMES, seed=start, starts=[start])
        assert_fits(counts(outcome), exact, GAMES)
        assert (outcome.games, set(outcome.lost_from), outcome.stopped) == (GAMES, {0} & {start}, None)
        assert outcome.won == GAMES - outcome.lost
        assert outcome.mean == sum(after * count for after, count in outcome.won_after.items()) / outcome.won


def test_a_conditional_plan_is_won_as_often_as_its_courses_say() -> None:
    def step(state: int, node: int) -> dict[tuple[int, int], Fraction] | None:
        if TWICE.nodes[node].is_end:
            return None
        came = list(moves(DOOR, state, "a"))
        return {(after, TWICE.follow(node, percept)): Fraction(1, len(came)) for percept, after in came}

    exact: dict[int | None, Fraction] = {}
    for (states, _), share in courses(0, 0, step, Fraction(1)).items():
        # The plan ends after the second push, whatever is perceived; then the door may still be closed.
        won = len(states) - 1 if states[-1] == 2 else None
        exact[won] = exact.get(won, Fraction(0)) + share
    assert exact == {1: THIRD, 2: Fraction(2, 9), None: Fraction(4, 9)}
    outcome = simulate(DOOR, TWICE, games=GAMES, seed=1)
    assert_fits(counts(outcome), exact, GAMES)


def test_a_policy_has_utilities_as_likely_as_its_courses_say() -> None:
    policy = solve(STOCHASTIC).require_policy()
    # The first state is left sooner or later: 1/2 to 1/6 for the second one and the end that is worth 5.
    second, five = Fraction(3, 4), Fraction(1, 4)
    exact = {5: five + second * THIRD, 8: second * 2 * THIRD}
    outcome = simulate(STOCHASTIC, policy, games=GAMES, seed=4)
    assert_fits(outcome.utilities, exact, GAMES)
    assert outcome.mean == pytest.approx(float(sum(u * share for u, share in exact.items())), abs=0.1)
    # From the second state, which the policy knows, as from the start.
    later = simulate(STOCHASTIC, policy, games=GAMES, seed=4, starts=[1])
    assert_fits(later.utilities, {5: THIRD, 8: 2 * THIRD}, GAMES)
    assert later.steps == GAMES


ANSWERS: dict[Kind, tuple[Any, Any]] = {
    Kind.PLAIN: (PLAIN, solve(PLAIN).plan),
    Kind.SENSORLESS: (DevilProblem(n=4), solve(DevilProblem(n=4)).plan),
    Kind.CONTINGENT: (DOOR, TWICE),
    Kind.STOCHASTIC: (STOCHASTIC, solve(STOCHASTIC).policy),
    Kind.POMDP: (TigerProblem(), solve(TigerProblem(), horizon=3).policy),
}


def test_the_mean_of_many_games_is_the_value() -> None:
    game = TableGame(({"again": ((THIRD, 0), (THIRD, 1), (THIRD, 2))},), (0, 6))
    told = simulate(game, solve(game).policy, games=20_000, seed=1)
    assert (told.games, list(told.utilities)) == (20_000, [0, 6])
    assert abs(told.mean - 3) < 4 * told.standard_error
    # Utilities of 0 and 6, equally likely, have the standard deviation 3; one step in three stays where it is.
    assert told.standard_error == pytest.approx(3 / 20_000**0.5, rel=0.01)
    assert told.steps / told.games == pytest.approx(1.5, abs=0.05)
    played = play_game(game, solve(game).policy, seed=5)
    states = [played.start, *(turn.state for turn in played.turns)]
    for before, turn in zip(states, played.turns, strict=False):
        assert turn.state in {result for _, result in game.outcomes(before, turn.action)}
    assert (states[0], played.utility) == (0, game.utility(states[-1]))


@pytest.mark.parametrize("reduced", [True, False])
def test_the_devil_loses_every_game_and_each_length_turns_up_about_equally_often(reduced: bool) -> None:
    devil = DevilProblem(n=4, reduced=reduced)
    outcome = simulate(devil, solve(devil), games=100, seed=1, every_start=True)
    assert (outcome.games, outcome.lost_from) == (1600, ())
    assert set(outcome.won_after) == set(range(16))
    # By the published law each of the 16 lengths is equally likely: 100 expected, standard deviation 10.
    assert all(abs(count - 100) < 6 * 10 for count in outcome.won_after.values())


def test_a_game_is_won_after_the_action_from_which_it_stays_won_and_lost_games_are_counted() -> None:
    # 0 -> 1 (a goal) -> 0 -> 1: won for good only at the end.
    problem = TableBeliefProblem((0,), ({"a": (1,)}, {"a": (0,)}), (frozenset({1}),))
    assert [play_game(problem, plan, seed=0).won_after for plan in ("aaa", "aa")] == [3, None]
    # One suck leaves the floor clean unless the other square is dirty: four of eight starts.
    outcome = simulate(VacuumProblem(2), ["Suck"], games=1, every_start=True, seed=0)
    assert (len(outcome.lost_from), outcome.games) == (4, 8)


def test_every_kind_can_be_played() -> None:
    assert set(PLAYERS) == set(ANSWERS) == set(Kind)
    assert {kind: kind_of(problem) for kind, (problem, _) in ANSWERS.items()} == {kind: kind for kind in Kind}


@pytest.mark.parametrize("kind", Kind)
def test_a_seed_repeats_games_and_none_is_not_played(kind: Kind) -> None:
    problem, answer = ANSWERS[kind]
    first, again = (play_game(problem, answer, seed=7, beliefs=True) for _ in range(2))
    assert first == again
    assert simulate(problem, answer, games=20, seed=7) == simulate(problem, answer, games=20, seed=7)
    assert simulate(problem, answer, games=3, seed=7).games == 3
    play: Any
    for play in (play_game, simulate):
        with pytest.raises(InvalidPlanError, match="is None"):
            play(problem, None)
        with pytest.raises(ProblemError, match="is no problem"):
            play("problem", answer)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("seed", range(4))
def test_the_belief_after_each_turn_is_what_can_be_known(kind: Kind, seed: int) -> None:
    problem, answer = ANSWERS[kind]
    game = play_game(problem, answer, seed=seed, beliefs=True)
    assert all(turn.belief is None for turn in play_game(problem, answer, seed=seed).turns)
    belief = frozenset(PLAYERS[kind].starts(problem))
    assert game.start in belief
    walked = Possible(problem) if kind is Kind.POMDP else problem
    for turn in game.turns:
        if kind is Kind.STOCHASTIC:
            belief = frozenset((turn.state,))
        else:
            results = {result for state in belief for result in walked.results(state, turn.action)}
            belief = frozenset(result for result in results if turn.percept in walked.percepts(result, turn.action))
        assert turn.belief == belief
        assert turn.state in belief


def test_a_game_is_won_lost_or_worth_something() -> None:
    assert [play_game(*ANSWERS[kind], seed=1).lost for kind in (Kind.PLAIN, Kind.SENSORLESS)] == [False, False]
    assert {play_game(DOOR, TWICE, seed=seed).lost for seed in range(20)} == {False, True}
    game = play_game(*ANSWERS[Kind.STOCHASTIC], seed=1)
    assert (game.won_after, game.lost, game.utility) == (None, False, STOCHASTIC.utility(game.turns[-1].state))


def test_the_start_may_be_chosen() -> None:
    devil, plan = ANSWERS[Kind.SENSORLESS]
    assert play_game(devil, plan, start="HHHH").won_after == 0
    assert simulate(devil, plan, starts=["HHHH"], games=9).won_after == {0: 9}
    assert play_game(*ANSWERS[Kind.STOCHASTIC], start=1, seed=0).turns[0].action == "on"
    with pytest.raises(BeliefSearchError, match="says nothing about the state 1"):
        play_game(STOCHASTIC, Policy((2, 3), (None, None), (5, 8), STOCHASTIC.canonical), start=1)
    seeing = SightedTable((0,), DOOR.table, DOOR.goals, {("a", s): ("xyz"[s],) for s in range(3)})
    with pytest.raises(InvalidPlanError, match="does not apply"):
        play_game(seeing, ConditionalPlan((PlanNode("b", (("x", 1),)), PlanNode[str, str](None))))


def test_a_conditional_plan_begins_in_a_state_that_is_possible() -> None:
    # Only from state 1, which is not possible at the start, one comes to 3 and perceives z.
    table: tuple[dict[str, tuple[int, ...]], ...] = ({"a": (2,)}, {"a": (3,)}, {}, {})
    problem = SightedTable((0,), table, (frozenset({2}),), {("a", s): ("xyxz"[s],) for s in range(4)})
    plan = ConditionalPlan((PlanNode("a", (("x", 1), ("z", 1))), PlanNode[str, str](None)))
    assert play_game(problem, plan).won_after == 1
    with pytest.raises(BeliefSearchError, match="begun in a state that was not possible"):
        play_game(problem, plan, start=1)


def test_limits_are_heard_and_leave_what_was_finished() -> None:
    outcome = simulate(PLAIN, [], games=10**9, limits=Limits(seconds=0.05))
    assert outcome.stopped == "the time limit of 0.05 s was reached"
    assert 0 <= outcome.games < 10**9
    assert isnan(simulate(DOOR, TWICE, games=0).mean)
