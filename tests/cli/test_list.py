"""`beliefsearch list`."""

from __future__ import annotations

from inspect import getdoc

import pytest

from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.lights_out import LightsOutProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..answers import stdout_alone
from ..conftest import Run

OURS = {
    "devil": DevilProblem,
    "lights-out": LightsOutProblem,
    "nine-tails": NineTailsProblem,
    "vacuum": VacuumProblem,
}


@pytest.mark.parametrize("name", OURS)
def test_every_puzzle_is_listed_with_the_first_line_of_its_docstring(cli: Run, name: str) -> None:
    out = stdout_alone(cli("list"))
    summary = (getdoc(OURS[name]) or "").splitlines()[0]
    assert summary
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert lines[name].startswith(summary)


def test_puzzles_are_listed_in_the_order_of_their_names(cli: Run) -> None:
    names = [line.split()[0] for line in cli("list")[1].splitlines()]
    assert names == sorted(names)
    assert set(OURS) <= set(names)


def test_other_commands_work_in_the_same_process_after_listing(cli: Run) -> None:
    assert cli("list")[0] == 0
    assert cli("list")[0] == 0
    assert cli("run", "devil", "--n", 2)[0] == 0
