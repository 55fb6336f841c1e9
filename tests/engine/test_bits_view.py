"""The view of bit sets: what it may spend, and that nothing of it is left behind."""

from __future__ import annotations

import gc
from contextlib import suppress
from weakref import ref

import pytest

from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.bits.sensorless import BitsetView
from beliefsearch.running.limits import EffortExceeded
from beliefsearch.solvers.path.breadth_first import breadth_first_search
from beliefsearch_problems.reset_word import ResetWordProblem
from beliefsearch_problems.vacuum import VacuumProblem


def test_a_view_that_was_outgrown_is_freed_without_a_search_for_circles() -> None:
    on = gc.isenabled()
    gc.disable()
    try:
        view = BitsetView(ResetWordProblem(cerny=12), allowance=5_000)
        with pytest.raises(EffortExceeded):
            breadth_first_search(view)
        sighted = BitsetContingentView(VacuumProblem(sensing="local"))
        sighted.set_allowance(1)
        with pytest.raises(EffortExceeded):
            sighted.outcomes(sighted.initial_node(), "Suck")
        left: list[ref[object]] = [ref(view), ref(sighted)]
        del view, sighted
        assert [found() for found in left] == [None, None]
    finally:
        if on:
            gc.enable()


def test_an_allowance_counts_steps_and_can_be_lifted() -> None:
    view = BitsetView(ResetWordProblem(cerny=6), allowance=1_000)
    start = view.initial_state()
    asked = 0
    with suppress(EffortExceeded):
        while asked < 1_000:
            view.result(start, "a")
            asked += 1
    assert 0 < asked < 1_000
    view.set_allowance(None)
    assert view.result(start, "a") == start
