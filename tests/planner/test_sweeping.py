"""Sweeps: the published table of the devil's game, and how values of options are read."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from attrs import field, frozen
from attrs.validators import instance_of

from beliefsearch import BeliefSearchError, KnownAnswer, Limits, Problem, ProblemError, Status
from beliefsearch.cli.commands.sweep import read_values
from beliefsearch.plugins.options import options_of
from beliefsearch.testing.checks import computed_answer, problem_of
from beliefsearch.tools import Count, load_problem_class, sweep
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem
from beliefsearch_problems.water_jugs import WaterJugsProblem


@frozen
class Named(Problem[int, str]):
    """Walk so far."""

    max_moves: int = field(validator=instance_of(int))

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> list[str]:
        return ["on"]

    def result(self, state: int, action: str) -> int:
        return state + 1

    def is_goal(self, state: int) -> bool:
        return state == self.max_moves


def test_several_options_vary_the_last_one_fastest_and_others_are_fixed() -> None:
    rows = list(sweep(DevilProblem, {"n": [1, 2], "canonical": [True, False]}, {"goal": "all-same"}))
    assert [tuple(row.options.values()) for row in rows] == [(1, True), (1, False), (2, True), (2, False)]
    # One coin is always like itself; two coins are made equal by turning one of them.
    assert [row.cost for row in rows] == [0, 0, 1, 1]


def test_values_are_those_of_the_class_or_text_and_names_those_of_either() -> None:
    answers = [KnownAnswer({"jugs": jugs}, 7) for jugs in ((8, 5, 3), "8 5 3")]
    assert [computed_answer(problem_of(WaterJugsProblem, known), known) for known in answers] == [7, 7]
    for name in ("max_moves", "max-moves"):
        assert [row.options[name] for row in sweep(Named, {name: [2, 3]})] == [2, 3]
        assert [row.cost for row in sweep(Named, {name: [2, 3]})] == [2, 3]
    with pytest.raises(ProblemError, match="is not a whole number"):
        sweep(Named, {"max_moves": [(1, 2)]})


def test_a_row_is_given_before_the_next_instance_is_looked_at() -> None:
    asked = []

    class Told(DevilProblem):  # type: ignore[misc]  # puzzles are untyped for importers
        def is_goal(self, state: str) -> Any:
            asked.append(self.n)
            return super().is_goal(state)

    rows = sweep(Told, {"n": [2, 4]})
    assert next(rows).cost == 3
    assert set(asked) == {2}
    assert next(rows).cost == 15


def test_an_undecided_instance_has_its_bound_and_the_sweep_goes_on() -> None:
    rows = list(sweep("devil", {"n": [8, 2]}, solver="breadth-first", limits=Limits(expanded=50)))
    assert [row.status for row in rows] == [Status.UNDECIDED, Status.SOLVED]
    assert rows[0].cost is None
    assert rows[0].lower_bound is not None
    assert 0 < rows[0].lower_bound <= 255


def test_stochastic_problems_have_a_value() -> None:
    # One flip of a fair coin, whichever, ends above zero half the time.
    (row,) = sweep(RiddlerFlipsProblem, {"flips": [1]})
    assert (row.value, row.cost, row.lower_bound) == (Fraction(1, 2), None, None)


def test_a_plain_problem_may_be_played_blindfolded() -> None:
    rows = sweep(NineTailsProblem, {"rows": [1, 2]}, {"cols": 2, "legal": "any"}, blindfold=True)
    assert [(row.cost, row.starts) for row in rows] == [(math.inf, Count(4)), (15, Count(16))]


def test_what_is_refused_is_refused_before_the_first_row() -> None:
    with pytest.raises(ProblemError, match="'n' must be >= 1"):
        sweep("devil", {"n": [1, 0]})
    with pytest.raises(ProblemError, match="nothing to blindfold"):
        sweep("devil", {"n": [1]}, blindfold=True)
    nothing: list[dict[str, list[object]]] = [{}, {"n": []}]
    for varying in nothing:
        with pytest.raises(BeliefSearchError, match="several values"):
            sweep("devil", varying)
    with pytest.raises(BeliefSearchError, match="at most 100,000 instances"):
        sweep("devil", {"n": range(1, 100_002)})


def test_ctrl_c_ends_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(DevilProblem):  # type: ignore[misc]  # puzzles are untyped for importers
        def actions(self, state: str) -> Any:
            if self.n == 3:
                raise KeyboardInterrupt
            return super().actions(state)

    rows = sweep(Interrupted, {"n": [2, 3, 4]})
    assert next(rows).cost == 3
    with pytest.raises(KeyboardInterrupt):
        next(rows)


def option(name: str, puzzle: str = "devil") -> Any:
    return next(option for option in options_of(load_problem_class(puzzle)) if option.name == name)


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("n", "1..4", [1, 2, 3, 4]),
        ("n", "4..1", [4, 3, 2, 1]),
        ("n", "2..9..3", [2, 5, 8]),
        ("n", "1,2,4", [1, 2, 4]),
        ("n", "1..3, 8", [1, 2, 3, 8]),
        ("n", "4..4", [4]),
        ("canonical", "yes,no", [True, False]),
        ("told", "heads,parity", ["heads", "parity"]),
    ],
)
def test_ranges_and_lists(name: str, text: str, values: list[object]) -> None:
    assert read_values(option(name), text) == (values, True)


def test_fractions_are_written_exactly_and_one_value_is_no_list() -> None:
    assert read_values(option("p-a", "riddler-flips"), "0..1..1/4") == (["0", "1/4", "1/2", "3/4", "1"], True)
    assert read_values(option("p-a", "riddler-flips"), "0..0.3..0.1")[0] == ["0", "1/10", "1/5", "3/10"]
    assert read_values(option("n"), "7") == ([7], False)
    assert read_values(option("start", "nine-tails"), "HH\\,TT") == (["HH,TT"], False)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("n", "1..x", "'1..x' is not a whole number, nor a range"),
        ("n", "", "'' is not a whole number"),
        ("n", "1..4..0", "not above 0"),
        ("n", "1..2..1/2", "takes whole numbers"),
        ("n", "1..1000000", "at most 100,000"),
        ("n", "1,1", "twice"),
        ("n", "1/0..3", "'1/0' is not a number"),
        ("canonical", "maybe", "'maybe' is not yes or no"),
        ("told", "heads,tails", "'tails' is not one of"),
    ],
)
def test_what_cannot_be_read_is_refused(name: str, text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_values(option(name), text)
