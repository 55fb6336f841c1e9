"""Searches for conditional plans in turns: they go on where they were, and say in the end what was tried."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import Limits, Status, check_plan, solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.heuristics.contingent import best
from beliefsearch.planner import contingent as contingent_solving
from beliefsearch.planner import guessing_games
from beliefsearch.planner.interleaved_and_or import Turn, Turns, WholeGraph
from beliefsearch.running.limits import Budget, EffortExceeded, LimitReached
from beliefsearch.running.run import Run
from beliefsearch.solvers.contingent.and_or_graph import and_or_graph_search
from beliefsearch.solvers.contingent.ldfs import BoundedSearch
from beliefsearch_problems._mealy.machine import MachineProblem
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.hidden_number import HiddenNumberProblem
from beliefsearch_problems.lost_robot import LostRobotProblem
from beliefsearch_problems.mastermind import MastermindProblem

from ..contingent_problems import SightedTable, sighted_problems, worst_costs
from ..examples import examples
from ..random_problems import TableBeliefProblem
from ..toys.contingent import LOOK, STUCK, Boxes


@given(problem=sighted_problems(), allowance=st.integers(30, 400))
@settings(max_examples=examples(60))
def test_a_search_that_goes_on_finds_what_it_would_have_found(problem: SightedTable, allowance: int) -> None:
    least = worst_costs(problem)[frozenset(problem.starts)]
    view: BitsetContingentView[int, str] = BitsetContingentView(problem)
    search = BoundedSearch(view, lambda belief: 0)
    bounds = [search.lower_bound]
    for turn in range(1, 1_000):  # growing, or the dearest single step would never be done
        view.set_allowance(turn * allowance)
        with suppress(EffortExceeded):
            result = search.run()
            break
        bounds.append(search.lower_bound)
        assert bounds[-2] <= bounds[-1] <= least
    assert (result.lower_bound, result.cost) == (least, least)
    assert all(search.known_bound(1 << view.model.number(state)) <= least for state in problem.starts)


@given(
    problem=sighted_problems(), allowances=st.lists(st.integers(1, 300), min_size=1, max_size=4), whole=st.booleans()
)
@settings(max_examples=examples(60))
def test_turns_agree_however_small_they_are(problem: SightedTable, allowances: list[int], whole: bool) -> None:
    turns = [Turn((place % 2 == 0) == whole, allowance) for place, allowance in enumerate(allowances)]
    view: BitsetContingentView[int, str] = BitsetContingentView(problem)
    found = Turns(view, WholeGraph(view, "bits", Run()), Run()).search(*turns, Turn(False, None))
    assert found.lower_bound == worst_costs(problem)[frozenset(problem.starts)]


def test_turns_that_do_not_suffice_are_outgrown() -> None:
    view: BitsetContingentView[int, int] = BitsetContingentView(Boxes(6))
    with pytest.raises(EffortExceeded):
        Turns(view, WholeGraph(view, "bits", Run()), Run()).search(Turn(False, 10), Turn(True, 10))


def test_once_no_plan_is_sure_to_end_only_the_graph_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    run = BoundedSearch.run

    def counted(search: Any) -> Any:
        runs.append(search)
        return run(search)

    monkeypatch.setattr(BoundedSearch, "run", counted)
    tried: list[str] = []
    view: BitsetContingentView[int, str] = BitsetContingentView(STUCK)
    result = Turns(view, WholeGraph(view, "bits", Run()), Run(), tried=tried).search(
        Turn(False, 1_000), Turn(True, 1), Turn(False, None)
    )
    assert (result.solver, result.cost, len(runs)) == ("and-or-graph", math.inf, 1)
    assert tried == ["within bounds, which showed that no plan is sure to end"]


def test_it_is_said_once_that_no_plan_is_sure_to_end() -> None:
    tried: list[str] = []
    view: BitsetContingentView[int, str] = BitsetContingentView(STUCK)
    turns = Turns(view, WholeGraph(view, "bits", Run()), Run(), tried=tried)
    with pytest.raises(EffortExceeded):
        turns.search(Turn(False, 1_000), Turn(True, 1))
    assert turns.search(Turn(False, 1_000), Turn(False, None)).cost == math.inf
    assert tried == ["within bounds, which showed that no plan is sure to end", "the whole graph within 1 steps"]


@pytest.mark.parametrize(
    ("problem", "cost", "expanded", "generated", "reached"),
    [
        (CounterfeitCoinProblem(12), 3, 7, 114, 20),
        (MastermindProblem(3, 4), 4, 95, 2_868, 374),
        # The start twice, within 1 and within 2, with 4 outcomes; l with 2 until it is won, and r with 3.
        (LOOK, 2, 2 + 1 + 1, 2 * 4 + 2 + 3, 6),
    ],
)
def test_small_problems_take_a_bounded_search(
    problem: Any, cost: int, expanded: int, generated: int, reached: int
) -> None:
    result = solve(problem)
    stats = result.stats
    assert (result.solver, result.cost) == ("and-or", cost)
    assert (stats.expanded, stats.generated, stats.reached) == (expanded, generated, reached)


def test_a_graph_is_given_up_as_soon_as_it_is_foreseen_to_be_too_large() -> None:
    view: BitsetContingentView[Any, Any] = BitsetContingentView(HiddenNumberProblem(limit=60, lies=1))
    view.set_allowance(1_000_000)
    with pytest.raises(EffortExceeded):
        and_or_graph_search(view)
    assert view.steps_left() > 600_000
    # Many nodes wait in between, but there is room for them.
    view = BitsetContingentView(LostRobotProblem(12, 12, sensors="walls", find="place"))
    view.set_allowance(260_000)
    assert and_or_graph_search(view).stats.expanded == 3_106
    assert view.steps_left() < 60_000


def test_pairs_are_looked_at_early_where_nothing_is_known_without_them() -> None:
    def made(problem: Any, allowance: int) -> set[str]:
        view: BitsetContingentView[Any, Any] = BitsetContingentView(problem)
        best(view, allowance)
        return {make.__name__ for make, estimate in view.estimates.items() if estimate is not None}

    # One percept in each cell, and nobody who is told a cell need do anything: only pairs know of the way to the ends.
    table = {str(here): {"x": [(str(min(here + 1, 9)), str(here == 9))]} for here in range(10)}
    machine = MachineProblem(table, find="start")
    assert "_pairs" not in made(machine, 300_000)
    assert "_pairs" in made(machine, 5_000_000)
    # What percepts can tell is a bound of 11.
    assert made(HiddenNumberProblem(limit=100, lies=1), 5_000_000) == {"capacity", "perfect_sight"}


def test_a_stopped_search_says_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contingent_solving, "keep_early_tree", lambda *_: None)
    monkeypatch.setattr(contingent_solving, "_FIRST", (Turn(False, 500), Turn(True, 1_000, arrays=False)))
    result = solve(Boxes(40), limits=Limits(expanded=12))
    assert result.status is Status.UNDECIDED
    assert result.reason == (
        "the limit of 12 expanded states was reached; tried before: within bounds for 500 steps, the whole "
        "graph within 1,000 steps; more time may help, or what the puzzle lacks: canonical(), heuristic(), "
        "belief_class()"
    )
    assert solve(Boxes(2), limits=Limits(expanded=0)).reason == "the limit of 0 expanded states was reached"


@pytest.mark.parametrize("later", [Turn(True, None), Turn(False, None)])
def test_a_search_stopped_in_a_later_turn_gives_an_earlier_plan(later: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    # OEIS A325908: seven comparisons are enough for 12 numbers; a glance at 13 sees a plan of 8.
    problem = HiddenNumberProblem(limit=13, lies=1)
    view: BitsetContingentView[Any, Any] = BitsetContingentView(problem)
    run = Run.of(Limits(expanded=50))
    turns = Turns(view, WholeGraph(view, "bits", run), run)
    with suppress(EffortExceeded):
        turns.search(Turn(False, 20_000))

    def stopped(*_: Any, **__: Any) -> Any:
        raise LimitReached("no time")

    # As if between two searches, where no search of its own hears of the limit.
    if later.whole:
        monkeypatch.setattr(WholeGraph, "search", stopped)
    else:
        monkeypatch.setattr(Turns, "_search_within", stopped)
    result = turns.search(later)
    assert (result.status, result.cost, result.lower_bound, result.reason) == (Status.SOLVED, 8, 7, "no time")
    assert check_plan(problem, result.require_conditional_plan()).holds


def test_a_stopped_whole_graph_gives_the_plan_seen_at_a_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contingent_solving, "_FIRST", (Turn(False, 16_000), *contingent_solving._FIRST[1:]))
    problem = HiddenNumberProblem(limit=13, lies=1)
    result = solve(problem, limits=Limits(expanded=60))
    assert result.solver == "and-or-graph"
    assert (result.status, result.cost, result.lower_bound) == (Status.SOLVED, 8, 8)
    assert result.reason is not None
    assert check_plan(problem, result.require_conditional_plan()).holds


def test_a_stopped_search_without_sight_says_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from beliefsearch.planner import path

    monkeypatch.setattr(path, "_SMALL", 50)
    monkeypatch.setattr(path, "_EXPLORED", 5)
    size = 9
    rows: Any = tuple({"turn": ((here + 1) % size,), "push": ((here + (here == 0)) % size,)} for here in range(size))
    result = solve(TableBeliefProblem(tuple(range(size)), rows, (frozenset((0,)),)), limits=Limits(expanded=20))
    assert result.status is Status.UNDECIDED
    assert "tried before: the engine bits for 50 steps, the engine compiled for 5 pairs of a state" in str(
        result.reason
    )


def test_a_search_stopped_between_two_engines_counts_what_the_first_one_did(monkeypatch: pytest.MonkeyPatch) -> None:
    from beliefsearch.planner import path
    from beliefsearch.running.limits import Budget

    def stopped(self: Budget) -> None:
        raise LimitReached("no time")

    monkeypatch.setattr(path, "_SMALL", 10_000)
    monkeypatch.setattr(Budget, "require_kernels", stopped)
    result: Any = solve(DevilProblem(n=8), solver="search")
    assert (result.status, result.solver, result.engine) == (Status.UNDECIDED, "astar", "bits")
    assert result.stats.expanded > 0
    # The puzzle has a potential, which is the estimate that was used.
    assert result.reason == "no time; tried before: the engine bits for 10,000 steps; more time may help"


class Endless(Boxes):
    """Boxes with so many actions that to list them would take for ever; all but the first change something."""

    asked = 0

    def actions(self, state: int) -> Iterator[int]:
        for action in itertools.count():
            type(self).asked += 1
            yield action

    def results(self, state: int, action: int) -> list[int]:
        return [state if not action else state + 1]


class Long(Endless):
    """The same with a thousand actions."""

    def actions(self, state: int) -> Any:
        return range(1_000)

    def results(self, state: int, action: int) -> list[int]:
        type(self).asked += 1
        return super().results(state, action)


@pytest.mark.parametrize(("kind", "asked"), [(Endless, 4_000 // 4 + 1), (Long, 2)])
def test_a_table_is_asked_for_action_by_action(
    kind: type[Endless], asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "asked", 0)
    monkeypatch.setattr(guessing_games, "MOST_ASKED", 4_000)
    view: BitsetContingentView[int, int] = BitsetContingentView(kind(4))
    assert not guessing_games.may_be_guessing_game(view)
    assert kind.asked == asked


@pytest.mark.parametrize("objective", ["worst", "expected"])
@pytest.mark.parametrize("engine", ["naive", "bits"])
def test_an_interruption_ends_all_turns(objective: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = itertools.count(1)
    whole: Any = LostRobotProblem.results

    def results(problem: Any, state: Any, action: Any) -> Any:
        if next(asked) == 20:
            raise KeyboardInterrupt
        return whole(problem, state, action)

    monkeypatch.setattr(LostRobotProblem, "results", results)
    found: Any = solve(LostRobotProblem(), objective=objective, engine=engine)
    assert (found.status, found.reason) == (Status.UNDECIDED, "it was interrupted")
    assert next(asked) < 30


def test_a_part_of_a_budget_that_is_interrupted_interrupts_the_whole() -> None:
    whole = Budget()
    part = whole.part(0.5, expanded=3)
    assert (part.limits.expanded, Budget(Limits(expanded=2)).part(1, 3).limits.expanded) == (3, 2)
    part.tick()
    assert part.why(KeyboardInterrupt()) == "it was interrupted"
    for budget in (part, whole, whole.part(0.5)):  # nor is a search begun anew
        with pytest.raises(LimitReached, match="it was interrupted"):
            budget.tick()
