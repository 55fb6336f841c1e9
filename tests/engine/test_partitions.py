"""Problems in which actions only tell starts apart, as a table: which problems are of this kind, and what it says."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import evolve
from hypothesis import given

from beliefsearch import BeliefProblem
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.compiled.observed_model import ObservedModel
from beliefsearch.engine.guessing.outcome_table import OutcomeTable, table_from
from beliefsearch.engine.guessing.ways import count_parts
from beliefsearch_problems.battleship import BattleshipProblem
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.hidden_number import HiddenNumberProblem
from beliefsearch_problems.lost_robot import LostRobotProblem
from beliefsearch_problems.mastermind import MastermindProblem

from ..contingent_problems import SightedTable, least_mean_cost, sighted_problems


def partitions(problem: BeliefProblem[Any, Any, Any]) -> OutcomeTable[Any] | None:
    return table_from(ObservedModel(BitsetContingentView(problem)))


def table_of(problem: BeliefProblem[Any, Any, Any]) -> OutcomeTable[Any]:
    found = partitions(problem)
    assert found is not None
    return found


def test_sizes_and_parts_are_those_of_the_definition() -> None:
    found = table_of(MastermindProblem(pegs=3, colours=3))
    members = np.array([0, 2, 3, 7, 11, 19, 26])
    sizes = np.zeros((len(found.actions), len(found.percepts)), dtype=np.int32)
    count_parts(found.table, members, sizes)
    for row in range(len(found.actions)):
        parts = dict(found.split(members, row))
        assert {outcome: len(part) for outcome, part in parts.items()} == {
            outcome: size for outcome, size in enumerate(sizes[row].tolist()) if size
        }
        for outcome, part in parts.items():
            assert part.tolist() == [start for start in members.tolist() if found.table[row, start] == outcome]


def test_problems_in_which_more_happens_have_no_table() -> None:
    for problem in (
        BattleshipProblem(cells=5, ship=2, goal="sink"),  # a hit is marked
        CounterfeitCoinProblem(3, find="coin"),  # several starts are one goal
        FourGlassesProblem(),
        HiddenNumberProblem(4, lies=1),
        LostRobotProblem(2, 2, sensors="walls"),
    ):
        assert partitions(problem) is None, problem


def pairs(actions: str, states: int) -> Iterable[tuple[str, int]]:
    return ((action, state) for action in actions for state in range(states))


def knocking(sights: dict[tuple[str, int], tuple[str, ...]], goals: tuple[frozenset[int], ...]) -> SightedTable:
    """Two doors, one of which opens (states 2 and 3); a and b knock at them."""
    return SightedTable(
        (0, 1),
        ({"a": (2,), "b": (0,)}, {"a": (1,), "b": (3,)}, {"a": (2,), "b": (2,)}, {"a": (3,), "b": (3,)}),
        goals,
        sights,
    )


OPEN, SHUT = ("y",), ("x",)
SEEN: Any = {(action, state): OPEN if state > 1 else SHUT for action, state in pairs("ab", 4)}
TOGETHER, APART = (frozenset({2, 3}),), (frozenset({2}), frozenset({3}))


def test_a_state_that_is_won_unnoticed_makes_no_table() -> None:
    unseen: Any = dict.fromkeys(pairs("ab", 4), SHUT)
    for sights, goals, is_table in ((SEEN, TOGETHER, True), (SEEN, APART, True), (unseen, TOGETHER, False)):
        assert (partitions(knocking(sights, goals)) is not None) == is_table
    assert partitions(knocking(SEEN, (frozenset({2}),))) is None


def test_where_an_action_does_not_apply_there_is_no_table() -> None:
    rows: Any = ({"a": (2,), "b": (0,)}, {"a": (2,)}, {})
    assert partitions(SightedTable((0, 1), rows, (frozenset({2}),), dict.fromkeys(pairs("ab", 3), SHUT))) is None


def test_costs_are_whole_and_the_same_for_all_starts() -> None:
    doors = knocking(SEEN, TOGETHER)
    priced: Any = {(state, action): 2 if action == "a" else 3 for action, state in pairs("ab", 4)}
    assert table_of(evolve(doors, costs=priced)).costs.tolist() == [2, 3]
    for price in (1, Fraction(1, 2)):
        assert partitions(evolve(doors, costs=priced | {(0, "a"): price})) is None


@given(problem=sighted_problems(deterministic=True))
def test_whether_there_is_a_plan_can_be_told_from_the_table(problem: SightedTable) -> None:
    if len(set(map(problem.canonical, problem.starts))) == len(problem.starts):
        found = partitions(problem)
        assert found is None or found.can_be_won() == (least_mean_cost(problem) < math.inf)
