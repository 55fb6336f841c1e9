"""The maximal winnable beliefs: against all sets of states by brute force."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings

from beliefsearch import BeliefSearchError, Limits
from beliefsearch.errors import LimitError
from beliefsearch.tools import winnable_beliefs
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem
from beliefsearch_problems.tiger import TigerProblem

from ..conftest import Run
from ..examples import examples
from ..random_problems import TableBeliefProblem, belief_problems, exact_belief_costs, states_that_come_up


@given(problem=belief_problems())
@settings(max_examples=examples(60))
def test_they_are_the_maximal_ones_of_all_sets(problem: TableBeliefProblem) -> None:
    states = states_that_come_up(problem)
    costs = exact_belief_costs(evolve(problem, costs=None))
    least = {belief: cost for belief, cost in costs.items() if belief <= states}
    won = [some for some, moves in least.items() if moves < math.inf]
    maximal = {some for some in won if not any(some < other for other in won)}
    found = winnable_beliefs(problem)
    assert set(found.beliefs) == maximal
    assert len(found) == len(maximal)
    assert all(least[belief] == moves for belief, moves in zip(found.beliefs, found.moves, strict=True))
    start = frozenset(problem.starts)
    assert (found.start is not None) == (least[start] < math.inf)
    assert found.start is None or start <= found.beliefs[found.start]


def test_the_devil_with_six_coins_is_beaten_from_what_looks_alike_after_two_places() -> None:
    found = winnable_beliefs(DevilProblem(n=6))
    assert [sorted(belief) for belief in found.beliefs] == [["HHHHHH", "HTHTHT", "TTTTTT"]]
    assert (found.moves, found.start) == ((3,), None)
    assert winnable_beliefs(DevilProblem(n=4)).moves == (15,)


def test_who_is_refused() -> None:
    for problem in (SlidingTilesProblem(), DevilProblem(told="heads"), TigerProblem()):
        with pytest.raises(BeliefSearchError):
            winnable_beliefs(problem)
    with pytest.raises(LimitError, match="not known"):
        winnable_beliefs(DevilProblem(n=12), limits=Limits(seconds=0.05))


def test_the_command_writes_them_as_json_and_as_a_picture(cli: Run, tmp_path: Path) -> None:
    assert cli("export", "devil", "--n", 6, "--region", "--output", tmp_path / "six.json")[0] == 0
    found: Any = json.loads((tmp_path / "six.json").read_text(encoding="utf-8"))
    assert found["winnable"] == [{"states": ["HHHHHH", "HTHTHT", "TTTTTT"], "moves": 3}]
    assert found["start"] is None
    assert cli("export", "fox", "--region", "--output", tmp_path / "fox.svg")[0] == 0
    assert "6 moves" in (tmp_path / "fox.svg").read_text(encoding="utf-8")
    code, _, err = cli("export", "devil", "--n", 6, "--region", "--output", tmp_path / "six.dot")
    assert (code, "json, svg or png" in err) == (2, True)


@pytest.mark.parametrize(
    ("plan", "code", "says"),
    [
        ("01; 0; {0, 1}", 0, ""),
        ("01; 0", 1, "after step 2, the last, the state may be TT, which is no goal"),
        ("01; 7", 2, "step 2: '7' is no action here; there are {0, 1}, {0}, {}"),
        (";", 1, "at the start, where the plan ends"),
    ],
)
def test_a_plan_can_be_typed(cli: Run, plan: str, code: int, says: str) -> None:
    found, _, err = cli("show", "devil", "--n", 2, "--plan", plan)
    assert found == code
    assert says in err


def test_a_typed_plan_is_a_sequence_of_actions_that_apply(cli: Run) -> None:
    assert cli("explain", "devil", "--n", 2, "--plan", "01; 0")[0] == 1
    code, _, err = cli("show", "tiger", "--plan", "listen;")
    assert (code, "no sequence of actions" in err) == (2, True)
    code, _, err = cli("show", "romania", "--plan", "Sibiu; Bucharest")
    assert (code, "step 2: 'Bucharest' is no action here" in err) == (2, True)


def test_a_picture_may_be_png(cli: Run, tmp_path: Path) -> None:
    assert cli("export", "devil", "--n", 6, "--region", "--output", tmp_path / "six.png")[0] == 0
    assert (tmp_path / "six.png").read_bytes().startswith(b"\x89PNG")
