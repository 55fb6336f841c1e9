"""What an author of a stochastic problem must give, what stands by default, and the two adapters."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import ProblemError, StochasticProblem, simulate, solve
from beliefsearch.kinds import Kind, kind_of
from beliefsearch.model.belief import applicable_actions, initial_belief, outcomes
from beliefsearch.model.chance import Over, Possible, Stop, Stopped, Uniform
from beliefsearch.model.distribution import Distribution, begin, step
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nim import NimProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..random_pomdps import TablePomdp, pomdps
from ..toys.made import made

HALF = Fraction(1, 2)


# Toss a coin: two parameters, as authors write where states are seen.
COIN = made(
    StochasticProblem,
    initial_state="start",
    actions=["toss"],
    outcomes=[(HALF, "heads"), (HALF, "tails")],
    is_terminal=lambda state: state != "start",
    utility=lambda state: int(state == "heads"),
)


def test_where_nothing_is_said_of_percepts_the_state_is_seen() -> None:
    coin = COIN
    assert kind_of(coin) is Kind.STOCHASTIC
    assert list(coin.initial_distribution()) == [(1, "start")]
    assert list(coin.percept_distribution("heads", "toss")) == [(1, "heads")]
    assert (coin.reward("start", "toss"), coin.discount()) == (0, 1)
    assert [coin.is_goal(state) for state in ("start", "heads", "tails")] == [False, True, False]
    assert kind_of(TigerProblem()) is Kind.POMDP


def test_a_class_needs_a_beginning_and_something_to_be_won() -> None:
    class Lost(StochasticProblem[str, str, str]):
        def actions(self, state: str) -> Iterable[str]:
            return ()

        def outcomes(self, state: str, action: str) -> Iterable[tuple[int, str]]:
            return ()

    class Worthless(Lost):
        def initial_state(self) -> str:
            return "here"

    class Paid(Worthless):
        def reward(self, state: str, action: str) -> int:
            return 1

    with pytest.raises(TypeError, match=r"Lost with neither initial_state nor initial_distribution"):
        Lost()
    with pytest.raises(TypeError, match=r"Worthless with neither utility nor reward"):
        Worthless()
    assert Paid().is_goal("here") is False


def test_several_starts_are_no_initial_state() -> None:
    with pytest.raises(ProblemError, match="may begin in 2 states"):
        TigerProblem().initial_state()


def broken(answers: dict[str, Any]) -> Any:
    """What an author may get wrong, one thing at a time."""
    return made(
        StochasticProblem,
        initial_distribution=[(HALF, "left"), (HALF, "right")],
        actions=["listen"],
        outcomes=lambda state, _: [(1, state)],
        percept_distribution=lambda state, _: answers.get("percepts", [(1, state)]),
        reward=lambda *_: answers.get("reward", 1),
        discount=lambda: answers.get("discount", 1),
    )


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({"percepts": [(HALF, "a")]}, r"percept_distribution\('left', 'listen'\) gave probabilities that sum to 1/2"),
        ({"percepts": [(2, "a"), (-1, "b")]}, "the probability -1"),
        ({"percepts": [(1, [])]}, "not hashable"),
        ({"percepts": [3]}, r"no pair \(probability, percept\)"),
        ({"reward": "much"}, r"reward\('left', 'listen'\) gave 'much'; it must be a finite number"),
        ({"reward": float("nan")}, "finite number"),
        ({"discount": 2}, "discount is above 0 and at most 1"),
        ({"discount": 0}, "discount is above 0 and at most 1"),
    ],
)
def test_answers_that_break_the_contract_are_told(answers: dict[str, Any], told: str) -> None:
    with pytest.raises(ProblemError, match=told):
        solve(broken(answers), horizon=2)


# Distributions.


def test_distributions_are_values() -> None:
    one, other = Distribution({"a": HALF, "b": HALF}), Distribution({"b": HALF, "a": HALF})
    assert one == other
    assert len({one, other}) == 1
    assert one != {"a": HALF, "b": HALF}
    assert one["a"] == HALF
    assert list(one) == ["a", "b"]


@given(pomdps(everywhere=False), st.data())
def test_a_step_by_bayes_rule(problem: TablePomdp, data: st.DataObject) -> None:
    """The probability of each course of two actions is that of the step times that of the state in it."""
    ((_, belief),) = begin(problem).percepts.values()
    action = data.draw(st.sampled_from(applicable_actions(problem, belief)))
    after = step(problem, belief, action)
    joint: dict[tuple[int, int], Any] = {}
    for state, share in belief.items():
        for chance, result in problem.outcomes(state, action):
            for seen, percept in () if problem.is_terminal(result) else problem.percepts[result, action]:
                joint[percept, result] = joint.get((percept, result), Fraction(0)) + share * chance * seen
    found: dict[Any, Any] = {
        (percept, state): chance * share
        for percept, (chance, then) in after.percepts.items()
        for state, share in then.items()
    }
    assert found == {key: weight for key, weight in joint.items() if weight}
    assert after.ended + sum(chance for chance, _ in after.percepts.values()) == 1
    pairs = [
        (share * chance, end) for state, share in belief.items() for chance, end in problem.outcomes(state, action)
    ]
    assert after.utility == sum(weight * problem.utility(end) for weight, end in pairs if problem.is_terminal(end))


# What is possible.


@given(pomdps(discounted=False, everywhere=False))
def test_possible_is_the_support_of_what_is_likely(problem: TablePomdp) -> None:
    possible: Possible[int, str] = Possible(problem)
    ((_, belief),) = begin(problem).percepts.values()
    assert initial_belief(possible) == frozenset(belief)
    for action in applicable_actions(problem, belief):
        expected: dict[Any, frozenset[int]] = {
            percept: frozenset(then) for percept, (_, then) in step(problem, belief, action).percepts.items()
        }
        found = {percept: frozenset(states) for percept, states in outcomes(possible, belief, action).items()}
        for over in Over:
            ended = found.pop(over, frozenset())
            assert all(problem.is_terminal(state) for state in ended)
            assert all(possible.is_goal(state) == (over is Over.WON) for state in ended)
            assert all(not list(possible.actions(state)) for state in ended)
        assert found == expected


# What is equally likely.


def test_uniform_stops_where_the_player_has_won() -> None:
    game = Uniform(DevilProblem(n=2))
    assert kind_of(game) is Kind.POMDP
    starts = list(game.initial_distribution())
    assert sum(chance for chance, _ in starts) == 1
    assert Stop(0) in game.actions("HH")
    assert Stop(0) not in game.actions("HT")
    assert list(game.outcomes("HH", Stop(0))) == [(1, Stopped())]
    assert game.is_terminal(Stopped())
    assert (game.reward("HT", frozenset({0})), game.reward("HH", Stop(0))) == (-1, 0)
    assert [game.format_action(Stop(place)) for place in (0, 1)] == ["stop", "stop in goal set 2"]


def test_uniform_may_end_in_the_first_goal_state_as_simulate_counts() -> None:
    devil = DevilProblem(n=2)
    game = Uniform(devil, until="won")
    assert not any(isinstance(action, Stop) for action in game.actions("HH"))
    assert game.is_terminal("HH")
    # 1/4 each: won before, after one move, two and three.
    assert solve(game, precision=1e-9).value == -Fraction(3, 2)
    plan = solve(devil).require_plan()
    assert simulate(devil, plan, games=4000, seed=1).mean == pytest.approx(1.5, abs=0.1)
    assert solve(Uniform(devil), precision=1e-9).value == -3
    with pytest.raises(ValueError, match="not one of known, won"):
        Uniform(devil, until="never")
    with pytest.raises(ValueError, match="won by knowing"):
        Uniform(CounterfeitCoinProblem(), until="won")


def test_uniform_sees_what_the_player_sees() -> None:
    assert kind_of(Uniform(NineTailsProblem("HT", rows=1, cols=2))) is Kind.STOCHASTIC
    assert kind_of(Uniform(NimProblem())) is Kind.STOCHASTIC


@pytest.mark.parametrize(
    ("problem", "horizon"), [(VacuumProblem(squares=2, sensing="local"), 5), (VacuumProblem(squares=2), 6)]
)
def test_uniform_has_the_least_mean_cost(problem: Any, horizon: int) -> None:
    """With enough actions for every start the value is minus the least expected cost."""
    least: Any = solve(problem, objective="expected")
    assert solve(Uniform(problem), horizon=horizon).value == -least.cost


def test_a_percept_that_is_none_is_called_nothing() -> None:
    assert COIN.format_percept(None) == "nothing"
    assert COIN.format_percept("heads") == "heads"
