"""Trials under kernels that go on from a store know all that was found before."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from beliefsearch import Limits, solve
from beliefsearch_problems.rock_sample import RockSampleProblem


def test_a_search_that_met_many_beliefs_goes_on(tmp_path: Path) -> None:
    """There are more than a new table has places for: whoever looks for a free one in a full table looks for ever."""
    problem = RockSampleProblem(size=5, rocks=5)
    kept: Any = partial(solve, problem, engine="compiled", store=tmp_path / "store")
    first = kept(limits=Limits(expanded=2500))
    assert first.stats.reached > 5000
    found = kept(limits=Limits(expanded=2600), resume=True)
    assert found.stats.expanded > 2500
    assert first.lower_bound <= found.lower_bound <= found.upper_bound <= first.upper_bound
    assert len(found.found.witnesses.bounds) == len(found.found.points) + 1
