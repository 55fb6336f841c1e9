"""Searches that are stopped, by a limit or by Ctrl-C, say why and keep what they know."""

from __future__ import annotations

import math
import re
from itertools import count

import pytest

from beliefsearch import BeliefProblem, Limits, Observer, Problem, Status, solve
from beliefsearch.errors import LimitError, NoSolutionError
from beliefsearch.running.run import Record
from beliefsearch.solvers import distance_table
from beliefsearch_problems.lights_out import LightsOutProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

from ..toys.made import made
from ..waiting import once_begun

# The integers, walked upwards for ever.
ENDLESS = made(Problem, initial_state=0, actions=["next"], result=lambda state, _: state + 1, is_goal=False)


def test_a_time_limit_stops_an_endless_search_with_a_bound() -> None:
    result = once_begun(
        lambda result: result.lower_bound > 0, lambda seconds: solve(ENDLESS, limits=Limits(seconds=seconds))
    )
    assert result.status is Status.UNDECIDED
    limit = re.fullmatch(r"the time limit of ([\d.]+) s was reached", result.reason or "")
    assert limit
    assert float(limit[1]) <= result.stats.seconds
    assert 0 < result.lower_bound < math.inf
    with pytest.raises(LimitError, match="time limit"):
        result.require_plan()


def test_a_memory_limit_that_is_reached_already_stops_at_once() -> None:
    result = solve(ENDLESS, limits=Limits(memory=1))
    assert result.status is Status.UNDECIDED
    assert result.reason is not None
    assert "memory limit" in result.reason
    assert result.stats.seconds < 5


def test_a_limit_also_holds_while_the_initial_belief_is_built() -> None:
    everything = made(BeliefProblem, initial_states=count, actions=[], results=lambda state, _: [state], is_goal=False)
    result = solve(everything, limits=Limits(seconds=0.1))
    assert result.status is Status.UNDECIDED
    assert result.stats.seconds < 5


def test_ctrl_c_leaves_a_result_with_what_is_known() -> None:
    class Interrupt(Observer):
        def expanded(self, state: int, g: int) -> None:
            if state == 50:
                raise KeyboardInterrupt

    result = solve(ENDLESS, observer=Interrupt())
    assert result.status is Status.UNDECIDED
    assert result.reason == "it was interrupted"
    assert result.lower_bound == 51


def test_a_distance_table_has_a_limit_too_and_tells_of_states_without_a_way() -> None:
    from beliefsearch.running.limits import Budget

    stopped = distance_table(NineTailsProblem(rows=4, cols=4), budget=Budget(Limits(seconds=0.01)))
    assert stopped.stopped == "the time limit of 0.01 s was reached"
    complete = distance_table(NineTailsProblem(rows=4, cols=4))
    assert complete.stopped is None
    assert stopped.distances.items() <= complete.distances.items()
    with pytest.raises(LimitError, match="not known"):
        stopped.plan(max(complete.distances, key=lambda board: complete.distances[board]))
    table = distance_table(LightsOutProblem(rows=2, cols=3))
    with pytest.raises(NoSolutionError, match="no way"):
        table.plan("100000")


def test_ctrl_c_while_a_kernel_is_called_is_heard_as_such() -> None:
    # Python then says that the kernel gave a result with an exception set, perhaps more than once.
    record: Record[int, str] = Record("test", None)
    with record:
        try:
            try:
                raise KeyboardInterrupt
            except KeyboardInterrupt as interrupt:
                raise SystemError("unpickling") from interrupt
        except SystemError as error:
            raise SystemError("a kernel") from error
    assert record.undecided().reason == "it was interrupted"
