"""The one-line checks: they pass for sound puzzles, and say of broken ones what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, ClassVar

import pytest
from attrs import evolve
from hypothesis import given

from beliefsearch import BeliefProblem, Blindfolded, Drawing, KnownAnswer, Problem, ProblemError, testing
from beliefsearch.errors import LimitError
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.lights_out import LightsOutProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..contingent_problems import SightedTable, sighted_problems
from ..random_games import TableGame
from ..random_problems import TableBeliefProblem, belief_problems, exact_belief_costs
from ..toys.made import derived, made


class Squares(BeliefProblem[int, str, None]):
    """Three squares in a row; the last one wins."""

    def initial_states(self) -> Iterable[int]:
        return range(3)

    def actions(self, state: int) -> Iterable[str]:
        return ("left", "right")

    def results(self, state: int, action: str) -> Iterable[int]:
        return [max(state - 1, 0) if action == "left" else min(state + 1, 2)]

    def is_goal(self, state: int) -> bool:
        return state == 2


# From sources: D. Gale's glasses, the devil's coins, M. vos Savant's doors; by hand: the vacuum of Russell and Norvig.
@pytest.mark.parametrize(
    ("problem", "answer"),
    [
        (DevilProblem(n=2), 3),
        (DevilProblem(n=3), None),
        (DevilProblem(n=4), 15),
        (FourGlassesProblem(), 5),
        (MontyHallProblem(), Fraction(2, 3)),
        (VacuumProblem(), 4),
        (VacuumProblem(sensing="local"), 3),
        (VacuumProblem(sensing="local", variant="slippery"), math.inf),
        (NineTailsProblem("HH", rows=1, cols=2), 1),
        (Blindfolded(LightsOutProblem(rows=1, cols=2)), None),
        (Squares(), 2),
    ],
    ids=lambda value: repr(value).partition(" object at ")[0],
)
def test_brute_force_finds_what_is_known(problem: Any, answer: object) -> None:
    assert testing.brute_force_answer(problem) == answer
    testing.check_against_brute_force(problem)


def test_the_gambler_has_the_chance_of_a_bold_player() -> None:
    """By hand, with p = 2/5 and half of the goal: one stake of all, or nothing better."""
    assert testing.brute_force_answer(GamblerProblem(goal=4, capital=2)) == pytest.approx(0.4)
    testing.check_against_brute_force(GamblerProblem(goal=5, capital=3))


@given(belief_problems())
def test_brute_force_agrees_with_the_one_over_tables(problem: TableBeliefProblem) -> None:
    expected = exact_belief_costs(problem)[frozenset(problem.starts)]
    found = testing.brute_force_answer(problem)
    assert (math.inf if found is None else found) == expected


@given(sighted_problems())
def test_brute_force_agrees_with_the_solver_where_there_are_percepts(problem: SightedTable) -> None:
    testing.check_against_brute_force(problem)


def test_who_may_be_in_a_state_that_leads_nowhere_does_not_win_by_trying() -> None:
    # "a" leads from 2 to the goal now and then, and from 0 nowhere; nothing tells which of them it is.
    sights = {("a", 0): ("x",), ("a", 1): ("y",), ("a", 2): ("x",)}
    table: tuple[dict[str, tuple[int, ...]], ...] = ({"a": (0,)}, {"a": (1,)}, {"a": (1, 2)})
    problem = SightedTable((0, 2), table, (frozenset({1}),), sights)
    assert testing.brute_force_answer(problem) is None
    assert testing.brute_force_answer(evolve(problem, starts=(2,))) == math.inf
    for one in (problem, evolve(problem, starts=(2,))):
        testing.check_against_brute_force(one)


@pytest.mark.parametrize(
    ("table", "ends", "complaint"),
    [
        (({"a": ((1, 0),)},), (), "never ends"),
        (({"a": ((0.5, 1), (0.5, 2))}, {"a": ((1, 1),)}), (5,), "never ends: from the state 1 no"),
        (({"a": ((1, 1),)}, {}), (), r"actions\(1\) gave none"),
    ],
)
def test_brute_force_names_what_is_wrong_with_a_game_of_chance(table: Any, ends: Any, complaint: str) -> None:
    with pytest.raises(ProblemError, match=complaint):
        testing.brute_force_answer(TableGame(table, ends))


def test_brute_force_refuses_what_is_too_large() -> None:
    with pytest.raises(LimitError, match="more than 5 beliefs"):
        testing.check_against_brute_force(DevilProblem(n=4), most=5)
    with pytest.raises(LimitError, match="more than 3 states"):
        testing.brute_force_answer(GamblerProblem(), most=3)


TOO_HIGH = derived(Squares, heuristic=lambda state: {0: 2, 1: 9, 2: 0}[state])


# From 0 to 3: by 1 in two steps, by 2 in two that cost more.
DETOUR = made(
    Problem,
    initial_state=0,
    actions=lambda state: {0: ("cheap", "dear"), 1: ("on",), 2: ("on",), 3: ()}[state],
    result=lambda _, action: {"cheap": 1, "dear": 2, "on": 3}[action],
    is_goal=lambda state: state == 3,
    action_cost=lambda _, action: 5 if action == "dear" else 1,
    heuristic=lambda state: {1: 50}.get(state, 0),
)


CONFUSED = derived(Squares, canonical=0)


def test_brute_force_names_both_answers_and_the_methods_to_blame() -> None:
    with pytest.raises(AssertionError, match=r"brute force finds 2, but solve\(\) finds 6; look at heuristic\(\)$"):
        testing.check_against_brute_force(DETOUR)
    with pytest.raises(AssertionError, match=r"brute force finds 2, but .* finds that there is no plan.*canonical\(\)"):
        testing.check_against_brute_force(CONFUSED())


def test_rules_that_are_broken_are_all_named_with_the_case_and_the_reason() -> None:
    testing.check_rules(Squares())
    testing.check_rules(DevilProblem(n=3))
    with pytest.raises(AssertionError) as raised:
        testing.check_rules(TOO_HIGH())
    assert "breaks 1 of the rules" in str(raised.value)
    assert "estimates: heuristic() is never above the true cost" in str(raised.value)
    assert "heuristic(1) is 9, above the true cost 1" in str(raised.value)
    assert "why: A search drops" in str(raised.value)


MISSPELT = derived(Squares, heuristics=0)


def test_a_misspelt_method_is_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"did you mean heuristic\(\)"):
        testing.check_rules(MISSPELT())


class Wrong(Squares):
    known_answers: ClassVar[Any] = (KnownAnswer({}, 2), KnownAnswer({}, 3))


class Hopeless(Squares):
    known_answers: ClassVar[Any] = (KnownAnswer({}, None),)


def test_a_known_answer_that_is_not_found_is_told_with_the_one_that_is() -> None:
    testing.check_known_answers(VacuumProblem)
    testing.check_known_answers(MontyHallProblem)
    with pytest.raises(AssertionError, match=r"Wrong\(\): the known answer is 3, but solve\(\) finds 2"):
        testing.check_known_answers(Wrong)
    with pytest.raises(AssertionError, match=r"the known answer is that there is no plan, but solve\(\) finds 2"):
        testing.check_known_answers(Hopeless)
    with pytest.raises(AssertionError, match=r"Squares has no known answers; add known_answers = \(KnownAnswer\("):
        testing.check_known_answers(Squares)


class Drawn(Squares):
    def svg_state(self, state: int) -> Drawing:
        return Drawing(10 + self.more * state, 10).text(5, 5, state)

    def describe_action(self, action: str) -> str:
        return self.sentence

    more, sentence = 0, "Go on"


class Wider(Drawn):
    more = 1


class Stopping(Drawn):
    sentence = "Go on."


def test_pictures_that_do_not_fit_together_are_told_with_the_state() -> None:
    testing.check_drawings(Squares())
    testing.check_drawings(Drawn())
    testing.check_drawings(GamblerProblem(), most=80)  # more than are drawn
    with pytest.raises(AssertionError, match=r"svg_state\(1\) is 11 x 10, but that of another state is 10 x 10"):
        testing.check_drawings(Wider())
    with pytest.raises(AssertionError, match=r"describe_action\('left'\) gave 'Go on\.'"):
        testing.check_drawings(Stopping())


# A step may slip, and whoever sees that can try again; from the first square of the last it may also lead into a hole.
SEEN = {("step", square): (str(square),) for square in range(4)}
SLIPPERY = SightedTable((0,), ({"step": (0, 1)}, {"step": (1, 2)}, {}, {}), (frozenset({2}),), SEEN)
OPPOSED = evolve(SLIPPERY, adversary=True)
TRAPPED = evolve(SLIPPERY, table=({"step": (0, 1, 3)}, *SLIPPERY.table[1:]))


def test_plans_that_keep_trying_are_told_from_none() -> None:
    for problem, answer in ((SLIPPERY, math.inf), (OPPOSED, None), (TRAPPED, None)):
        assert testing.brute_force_answer(problem) == answer
        testing.check_against_brute_force(problem)


HALF = Fraction(1, 2)
# Double or quits on a fair coin, from 2 to 4 and to 8, which is worth 1 more.
COINS = TableGame(
    ({"bet": ((HALF, 2), (HALF, 1)), "stop": ((1, 3),)}, {"bet": ((HALF, 2), (HALF, 5)), "stop": ((1, 4),)}),
    (0, 2, 4, 9),
)


def test_the_value_of_a_game_that_ends_is_exact() -> None:
    """By hand: to go on to 8 is worth 9/4, to stop at once 2."""
    assert testing.brute_force_answer(COINS) == Fraction(9, 4)
    testing.check_against_brute_force(COINS)


def test_what_is_checked_does_not_depend_on_hooks() -> None:
    devil = DevilProblem(n=3)
    assert testing.brute_force_answer(devil) == testing.brute_force_answer(evolve(devil, reduced=False))
