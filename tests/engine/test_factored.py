"""Factored beliefs: random problems of small parts, against frozensets of whole states."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from math import inf
from operator import itemgetter
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, Limits, Status, check_plan, check_problem, prove, solve
from beliefsearch.engine.factored.relaxed_plans import RelaxedPlans
from beliefsearch.engine.factored.view import FactoredView
from beliefsearch.errors import BeliefSearchError, InvalidPlanError, InvalidProofError, ProblemError
from beliefsearch.heuristics import factored
from beliefsearch.heuristics.factored import factored_bounds, shared_bounds
from beliefsearch.hooks import Factor, FactoredHook
from beliefsearch.model.factor import FactorSum
from beliefsearch.planner import path
from beliefsearch.plans.plan_text import read_plan_text
from beliefsearch.plans.result import SearchResult
from beliefsearch.plugins.files.plan_files import check_plan_text
from beliefsearch.proofs import finder
from beliefsearch.proofs.factors import factors_proof
from beliefsearch.proofs.hints.elaborator import proof_table
from beliefsearch.running.limits import EffortExceeded
from beliefsearch.running.observer import Observer
from beliefsearch.running.run import Run
from beliefsearch.solvers.path.lazy_best_first import lazy_best_first_search
from beliefsearch.solvers.path.windows import by_shorter_windows
from beliefsearch.verify import sequence as replay
from beliefsearch.verify.proof import check_proof
from beliefsearch_problems.vacuum import VacuumProblem

from .test_limits import a_little_more

# By action, and by state in which it applies, where it leads.
Table = dict[str, dict[int, tuple[int, ...]]]


class Part(BeliefProblem[int, str, None]):
    """A part by its table; actions that are not in it leave it alone."""

    def __init__(self, starts: Sequence[int], table: Table, won: Sequence[int], prices: dict[str, int]) -> None:
        self.starts, self.table, self.won, self.prices = starts, table, won, prices

    def initial_states(self) -> Sequence[int]:
        return self.starts

    def actions(self, state: int) -> list[str]:
        return [action for action, rows in self.table.items() if state in rows]

    def results(self, state: int, action: str) -> tuple[int, ...]:
        return self.table[action][state]

    def is_goal(self, state: int) -> bool:
        return state in self.won

    def action_cost(self, state: int, action: str) -> int:
        return self.prices[action]


class Parts(BeliefProblem[tuple[int, ...], str, None], FactoredHook[tuple[int, ...], str]):
    """Several parts, of which some combinations may be true at the start."""

    def __init__(self, starts: list[tuple[int, ...]], tables: list[Table], won: Any, prices: dict[str, int]) -> None:
        self.starts, self.prices = starts, prices
        columns = [sorted({start[place] for start in starts}) for place in range(len(tables))]
        self.parts = [Part(*each, prices) for each in zip(columns, tables, won, strict=True)]

    def initial_states(self) -> list[tuple[int, ...]]:
        return self.starts

    def actions(self, state: tuple[int, ...]) -> list[str]:
        def applies(action: str) -> bool:
            pairs = zip(self.parts, state, strict=True)
            return all(own in part.table[action] for part, own in pairs if action in part.table)

        return [action for action in self.prices if applies(action)]

    def results(self, state: tuple[int, ...], action: str) -> list[tuple[int, ...]]:
        pairs = zip(self.parts, state, strict=True)
        return [*product(*(part.table[action][own] if action in part.table else (own,) for part, own in pairs))]

    def is_goal(self, state: tuple[int, ...]) -> bool:
        return all(part.is_goal(own) for part, own in zip(self.parts, state, strict=True))

    def action_cost(self, state: tuple[int, ...], action: str) -> int:
        return self.prices[action]

    def factors(self) -> list[Factor[str]]:
        return [Factor(part, tuple(part.table), itemgetter(place)) for place, part in enumerate(self.parts)]

    def count_starts(self) -> int:
        return len(self.starts)


@st.composite
def parts(draw: Any) -> Parts:
    """Draw a problem of up to three parts of up to three states."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    names = "abcd"[: draw(st.integers(1, 4))]
    tables = []
    for size in sizes:
        states = st.integers(0, size - 1)
        results = st.lists(states, min_size=1, max_size=2, unique=True).map(tuple)
        rows = st.dictionaries(states, results, min_size=1)
        tables.append(draw(st.dictionaries(st.sampled_from(names), rows, min_size=1)))
    used = [name for name in names if any(name in table for table in tables)]
    whole = [*product(*map(range, sizes))]
    starts = draw(st.lists(st.sampled_from(whole), min_size=1, unique=True))
    won = [draw(st.lists(st.integers(0, size - 1), min_size=1, unique=True)) for size in sizes]
    return Parts(starts, tables, won, {name: draw(st.integers(0, 2)) for name in used})


@given(problem=parts())
def test_factored_searches_find_what_frozensets_find(problem: Parts) -> None:
    truth = solve(problem, engine="naive", solver="uniform-cost")
    assert "factors" not in [violation.rule for violation in check_problem(problem).violations]
    asked: list[dict[str, Any]] = [{}, {"solver": "astar"}, {"solver": "astar", "dominance": True}]
    summed = FactorSum(problem.factors())
    found = solve(summed, engine="naive", solver="uniform-cost")
    assert (found.status, found.cost) == (truth.status, truth.cost)
    for options in (*asked, {"solver": "uniform-cost"}):
        found = solve(problem, engine="factored", **options)
        assert (found.status, found.cost, found.lower_bound) == (truth.status, truth.cost, truth.lower_bound), options
        if found.plan is not None:
            assert check_plan(problem, found.plan, claimed_cost=truth.cost).holds
    greedy = solve(problem, engine="factored", solver="greedy-best-first")
    assert greedy.status is truth.status
    if greedy.plan is not None:
        assert check_plan(problem, greedy.plan, claimed_cost=greedy.cost).holds


@given(problem=parts(), effort=st.sampled_from((0, 1_000_000)))
def test_no_bound_is_above_the_least_cost(problem: Parts, effort: int) -> None:
    view = FactoredView(problem, problem.factors())
    bound = factored_bounds(view, lambda: None, effort)
    truth = solve(problem, engine="naive", solver="uniform-cost")
    least = inf if truth.cost is None else truth.cost
    assert bound(view.initial_state()) <= least
    shares = shared_bounds(view, lambda: None, effort)
    assert sum(bound for _, _, bound in shares) <= least
    paid = [action for _, actions, _ in shares for action in actions]
    assert len(paid) == len({*paid})


def test_tables_grow_by_near_factors_that_raise_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """All three parts are too many; the walker's bound is raised by the door, and not by the lamp."""
    lamp: Table = {"switch": {0: (1,), 1: (0,)}, "go": {0: (0,), 1: (1,)}}
    door: Table = {"open": {0: (1,), 1: (1,)}, "go": {1: (1,)}}
    walker: Table = {"go": {0: (1,), 1: (1,)}}
    prices = dict.fromkeys(("switch", "open", "go"), 1)
    problem = Parts([(0, 0, 0)], [lamp, door, walker], [(0, 1), (0, 1), (1,)], prices)
    made = factored._table

    def few(view: Any, places: tuple[int, ...], most: int, tick: Any) -> Any:
        return made(view, places, most, tick) if len(places) < 3 else None

    monkeypatch.setattr(factored, "_table", few)
    view = FactoredView(problem, problem.factors())
    assert factored_bounds(view, lambda: None, 1_000_000)(view.initial_state()) == 2


def test_bounds_take_few_steps_however_many_actions_the_states_have() -> None:
    """Each of many states has all of many actions: listing these is work, too."""
    asked = 0

    class Walk(BeliefProblem[int, int, None]):
        def initial_states(self) -> range:
            return range(3_000)

        def actions(self, state: int) -> range:
            nonlocal asked
            asked += 1
            return range(1_000)

        def results(self, state: int, action: int) -> tuple[int]:
            return (min(state + action, 2_999),)

        def is_goal(self, state: int) -> bool:
            return state == 2_999

    class Lone(Walk, FactoredHook[int, int]):
        def count_starts(self) -> int:
            return 3_000

        def factors(self) -> tuple[Factor[int], ...]:
            return (Factor(Walk(), range(1_000), lambda state: state),)

    problem = Lone()
    view = FactoredView(problem, problem.factors())
    asked = 0
    assert factored_bounds(view, lambda: None, 0)(view.initial_state()) == 0
    assert asked <= 2_000 * 20 // 1_000 + 1


@given(problem=parts(), letters=st.text("abcd", max_size=5))
def test_replays_by_factors_say_what_the_whole_says(problem: Parts, letters: str) -> None:
    plan = [letter for letter in letters if letter in problem.prices]

    def verdict() -> tuple[Any, ...]:
        try:
            found = check_plan(problem, plan)
        except InvalidPlanError as error:
            return (str(error).partition(":")[0],)
        return found.holds, found.steps, found.starts, found.cost

    whole = verdict()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay, "_FEW_STARTS", 0)
        assert verdict() == whole


def test_a_plan_for_more_starts_than_can_be_listed() -> None:
    squares = 20
    found = solve(VacuumProblem(squares=squares), solver="greedy", engine="factored")
    assert found.plan is not None
    verdict = check_plan(VacuumProblem(squares=squares), found.plan)
    assert verdict.holds
    assert verdict.starts == squares << squares
    short = solve(VacuumProblem(squares=squares), solver="anytime", limits=Limits(expanded=600))
    assert short.cost == 3 * squares - 2  # known, see the puzzle
    assert not check_plan(VacuumProblem(squares=squares), short.require_plan()[:-1]).holds


def test_windows_gather_what_stands_far_apart_in_a_plan() -> None:
    # A lamp walks 0-1-2, by "a" and back by "b", where "c" would lead to 2 at once; two others are turned on between.
    walks: Table = {"a": {0: (1,), 1: (2,)}, "b": {2: (1,), 1: (0,)}, "c": {0: (2,)}}
    lamps: list[Table] = [{name: {0: (1,)}} for name in "de"]
    problem = Parts([(0, 0, 0)], [walks, *lamps], [[2], [1], [1]], dict.fromkeys("abcde", 1))
    view = FactoredView(problem, problem.factors())
    guide = RelaxedPlans(view)
    asked: list[tuple[Any, int]] = []

    def search(window: Any, guide: Any, below: Any) -> Any:
        asked.append((window.initial_state(), below))
        return lazy_best_first_search(window, guide, weight=1.0, below=below)

    plans = [*by_shorter_windows(view, ("a", "d", "e", "a"), guide.towards, search, view.applies, lambda: None)]
    assert plans[-1:] == [("d", "e", "c")]  # "a" and "a" were a window behind "d" and "e"
    assert asked[0] == (view.after(view.after(view.initial_state(), view.number_of["d"]), view.number_of["e"]), 2)
    # What is the cheapest stays.
    assert [*by_shorter_windows(view, ("c", "d", "e"), guide.towards, search, view.applies, lambda: None)] == []


def test_no_plan_costs_less_than_nothing() -> None:
    free = Parts([(0,)], [{"a": {0: (0,)}}], [[0]], {"a": 0})
    view = FactoredView(free, free.factors())
    guide = RelaxedPlans(view)
    assert lazy_best_first_search(view, guide.by_cost, weight=1.0, below=0).plan is None
    search = partial(lazy_best_first_search, weight=1.0)
    found = by_shorter_windows(
        view, ("a",), guide.towards, lambda w, g, below: search(w, g, below=below), view.applies, lambda: None
    )
    assert [*found] == []


@given(problem=parts(), letters=st.text("abcd", max_size=6))
def test_windows_of_plans_give_cheaper_plans(problem: Parts, letters: str) -> None:
    view = FactoredView(problem, problem.factors())
    plan = tuple(letter for letter in letters if letter in problem.prices)
    whole = plan + tuple(solve(problem, engine="naive", solver="uniform-cost").plan or ())
    state, done = view.initial_state(), []
    for action in whole:
        if view.applies(state, action):
            done.append(action)
            state = view.result(state, action)
    if not view.is_goal(state):
        return
    costs = [sum(problem.prices[action] for action in done)]
    search = partial(lazy_best_first_search, weight=1.0)
    for better in by_shorter_windows(
        view,
        done,
        RelaxedPlans(view).towards,
        lambda window, guide, below: search(window, guide, below=below),
        view.applies,
        lambda: None,
    ):
        costs.append(sum(problem.prices[action] for action in better))
        assert check_plan(problem, better, claimed_cost=costs[-1]).holds
    assert costs == sorted(set(costs), reverse=True)


def test_bounds_of_factors_are_proved_and_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    # Three dials from 0 to 3 that nobody sees, each with a button of its own, and one button that does nothing much.
    turns: dict[int, tuple[int, ...]] = {state: (min(state + 1, 3),) for state in range(4)}
    stays: dict[int, tuple[int, ...]] = {state: (state,) for state in range(4)}
    tables: list[Table] = [{name: turns, "z": stays} for name in "abc"]
    apart: list[Table] = [{name: turns} for name in "abc"]
    starts = [*product(range(4), repeat=3)]
    prices = dict.fromkeys("abcz", 1)
    monkeypatch.setattr(finder, "_FEW_STARTS", 0)
    problem = Parts(starts, apart, [[3]] * 3, dict.fromkeys("abc", 1))
    proof = prove(problem)
    assert (proof.bound, proof.data and proof.data["kind"]) == (9, "factors")
    assert proof.data is not None
    assert check_proof(problem, proof.data) == 9
    parts = list(proof.data["parts"])
    assert check_proof(problem, {"kind": "factors", "parts": parts[1:]}) == 6
    for wrong, complaint in (
        (parts[:1] * 2, "counted twice"),
        ([{**parts[0], "factor": 3}], "one of 3 factors"),
        ([{"factor": 0}], "one of 3 factors"),
        ([{"factor": True, "proof": parts[0]["proof"]}], "one of 3 factors"),
        ([{"factor": 0, "proof": {"kind": "lower"}}], "factor 0: "),
    ):
        with pytest.raises(InvalidProofError, match=complaint):
            check_proof(problem, {"kind": "factors", "parts": wrong})
    tied = Parts(starts, tables, [[3]] * 3, prices)  # z would be counted three times
    with pytest.raises(InvalidProofError, match="both have to do with z"):
        check_proof(tied, {"kind": "factors", "parts": parts})
    with pytest.raises(InvalidProofError, match="has no factors"):
        check_proof(problem.parts[0], {"kind": "factors", "parts": parts})


@given(problem=parts())
def test_what_is_proved_of_factors_together_is_true(problem: Parts) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finder, "_FEW_STARTS", 0)
        found = prove(problem)
    truth = solve(problem, engine="naive", solver="uniform-cost")
    assert found.bound == (inf if truth.cost is None else truth.cost)
    if found.data is not None:
        assert check_proof(problem, found.data) >= found.bound


def test_factors_that_share_actions_are_proved_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "_FEW_STARTS", 0)
    # Two dials in the dark, turned by a; once b must be pressed, which turns the first one back.
    turns: dict[int, tuple[int, ...]] = {state: (min(state + 1, 3),) for state in range(4)}
    back: dict[int, tuple[int, ...]] = {state: (max(state - 1, 0),) for state in range(4)}
    stays: dict[int, tuple[int, ...]] = {state: (state,) for state in range(4)}
    tables: list[Table] = [{"a": turns, "b": back}, {"a": turns, "b": stays}, {"b": {0: (1,)}}]
    tied = Parts([*product(range(4), range(4), (0,))], tables, [[3], [3], [1]], {"a": 1, "b": 1})
    proof = prove(tied)
    assert proof.data is not None
    (part,) = proof.data["parts"]
    assert (proof.bound, part["factor"]) == (4, [0, 2])  # b first, by which the first dial is back, and three turns
    assert proof.text.endswith("of 2 factors side by side")
    alone = {"kind": "factors", "parts": [{**part, "factor": [0, 1]}]}
    for wrong, complaint in (
        ({"kind": "factors", "parts": [part, part]}, "counted twice"),
        ({"kind": "factors", "parts": [{**part, "factor": []}]}, "one of 3 factors, or some"),
        ({"kind": "factors", "parts": [{**part, "factor": [0, True]}]}, "one of 3 factors, or some"),
        (alone, "factor .0, 1.: "),
    ):
        with pytest.raises(InvalidProofError, match=complaint):
            check_proof(tied, wrong)


def test_a_bound_by_some_of_the_parts_that_share_actions_is_accepted() -> None:
    # Three bombs are defused by a, b and c, each of which makes the floor wet, on which all can be done.
    defused: dict[int, tuple[int, ...]] = {0: (1,), 1: (1,)}
    tables: list[Table] = [{name: defused} for name in "abc"] + [dict.fromkeys("abc", defused)]
    starts = [(*which, 0) for which in product((0, 1), repeat=3)]
    bombs = Parts(starts, tables, [[1]] * 3 + [[0, 1]], dict.fromkeys("abc", 1))
    for bound in (1, 2, 3):
        proof = factors_proof(bombs, bombs.factors(), bound, Run(), partial(finder.find_proof, run=Run()))
        assert check_proof(bombs, proof or {}) == bound


def test_parts_that_share_no_action_are_searched_apart() -> None:
    # Of eight dials each has a button of its own; together they have 4**8 combinations, on the way 255**8 beliefs.
    turns: dict[int, tuple[int, ...]] = {state: (min(state + 1, 3),) for state in range(4)}
    names = "abcdefgh"
    prices = {name: place + 1 for place, name in enumerate(names)}
    starts: list[tuple[int, ...]] = [(0,) * 8, (2,) * 8, (1,) + (3,) * 7]
    problem = Parts(starts, [{name: turns} for name in names], [[3]] * 8, prices)
    found = solve(problem, solver="anytime", limits=Limits(expanded=500))
    assert (found.cost, found.lower_bound) == (3 * sum(prices.values()), found.cost)
    assert check_plan(problem, found.require_plan(), claimed_cost=found.cost).holds
    assert found.stats.max_belief_size == 3
    two = solve(Parts([start[:2] for start in starts], [{"a": turns}, {"b": turns}], [[3]] * 2, prices))
    assert (two.engine, two.cost, two.stats.max_belief_size) == ("bits", 9, 1)  # of the sum of two, not of both
    hopeless = Parts(starts, [{name: turns} for name in names], [[3]] * 7 + [[0]], prices)
    assert solve(hopeless, solver="anytime", limits=Limits(expanded=500)).status is Status.UNSOLVABLE


def test_a_factor_that_cannot_be_won_beside_one_that_is_dear() -> None:
    problem = Parts([(0, 0)], [{"a": {0: (1,), 1: (1,)}}, {"b": {0: (0,)}}], [[1], [1]], {"a": 10**400, "b": 1})
    listed = {"kind": "distances", "states": [0, 1], "distances": [10**400, 0]}, {"kind": "trap", "states": [0]}
    proofs = [proof_table(part, proof) for part, proof in zip(problem.parts, listed, strict=True)]
    written = [{"factor": place, "proof": proof} for place, proof in enumerate(proofs)]
    assert check_proof(problem, {"kind": "factors", "parts": written[:1]}) == 10**400
    assert check_proof(problem, {"kind": "factors", "parts": written}) == inf


def test_relaxed_plans_by_hand() -> None:
    # From the left of two dirty squares, both to be cleaned: Suck, Right, Suck, of which Suck and Right come first.
    problem = VacuumProblem(squares=2, start=(0, "**"))
    view = FactoredView(problem, problem.factors() or ())
    (cost, size), first = RelaxedPlans(view).by_cost(view.initial_state())
    assert (cost, size, sorted(first)) == (3, 2, ["Right", "Suck"])
    assert RelaxedPlans(view).by_goals(view.initial_state()) == ((2, 2), first)


def test_what_does_not_go_with_factors_is_told() -> None:
    refused: list[tuple[VacuumProblem, dict[str, Any], str]] = [
        (VacuumProblem(), {"engine": "factored", "solver": "regression"}, "goes back"),
        (VacuumProblem(), {"engine": "factored", "heuristic": "pairwise"}, "choose the heuristic best or none"),
        (VacuumProblem(variant="erratic"), {"engine": "factored"}, "with factors"),
        (VacuumProblem(variant="erratic"), {"solver": "anytime"}, "with factors"),
    ]
    for problem, options, complaint in refused:
        with pytest.raises(BeliefSearchError, match=complaint):
            solve(problem, **options)


def test_an_anytime_search_that_is_stopped_gives_its_best_plan() -> None:
    problem = VacuumProblem(squares=12)
    found = solve(problem, engine="factored", limits=Limits(expanded=3_000))
    assert found.status is Status.SOLVED
    assert found.cost == 34
    assert found.lower_bound <= 34
    assert found.reason is not None


@pytest.mark.parametrize("bits", [20, 10**9])
def test_turns_on_factors_agree_however_small_they_are(monkeypatch: pytest.MonkeyPatch, bits: int) -> None:
    for name, most in {"_SMALL": 10, "_SOME_SECONDS": bits, "_ENOUGH_BELIEFS": 0, "_EXPLORED": 5}.items():
        monkeypatch.setattr(path, name, most)
    told = Heard()
    found = solve(VacuumProblem(squares=5), observer=told)
    assert (found.cost, found.lower_bound, found.reason) == (13, 13, None)  # 3 n - 2, see the puzzle
    assert told.costs == sorted({*told.costs}, reverse=True)  # none is told twice
    assert told.costs[-1] == 13


class Heard(Observer):
    """Takes down the costs of plans."""

    def __init__(self) -> None:
        self.costs: list[int] = []

    def improved(self, cost: int, bound: int) -> None:
        self.costs.append(cost)


def test_costs_that_go_by_states_are_refused() -> None:
    class Dear(Parts):
        def action_cost(self, state: tuple[int, ...], action: str) -> int:
            return self.parts[0].action_cost(state[0], action)

    class DearPart(Part):
        def action_cost(self, state: int, action: str) -> int:
            return 10 if state == 0 and action == "step" else 1

    table: Table = {"step": {n: (n + 1,) for n in range(3)}, "jump": {0: (1,)}}
    problem = Dear([(0,)], [table], [[3]], {"step": 1, "jump": 1})
    problem.parts = [DearPart([0], table, [3], problem.prices)]
    assert solve(problem, engine="bits").cost == 3
    with pytest.raises(ProblemError, match=r"step costs 10? in one state and 10? in another, which is not for"):
        solve(problem, engine="factored")


def test_a_plan_as_text_with_no_action_of_the_problem_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "_FEW_STARTS", 0)
    problem = Parts([(0,), (1,)], [{"reset": {0: (0,), 1: (0,)}}], [[0]], {"reset": 1})
    for text, complaint in {"reset": "", "nonsense\nreset": "line 1: no action 'nonsense' applies there"}.items():
        assert check_plan_text(problem, read_plan_text(text)).complaint.endswith(complaint)
        assert check_plan_text(problem, read_plan_text(text)).holds == (not complaint)


def test_too_little_memory_for_kernels_is_what_is_told() -> None:
    found = solve(VacuumProblem(squares=20), limits=a_little_more(2**26))
    assert found.status is Status.UNDECIDED
    assert "leaves no room for compiled kernels" in str(found.reason)


def test_a_worse_plan_of_a_later_search_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = VacuumProblem(squares=3)
    best = solve(problem, engine="bits")
    costs = iter([best.cost, 90, 70])

    def attempt(*arguments: Any) -> SearchResult[Any]:
        found: SearchResult[Any] = evolve(best, cost=next(costs, 99), lower_bound=1)
        if found.cost == 99:
            return found
        exceeded = EffortExceeded()
        exceeded.stopped = found
        raise exceeded

    monkeypatch.setattr(path, "_attempt", attempt)
    assert solve(problem).cost == best.cost
