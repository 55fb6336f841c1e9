"""The page of a problem: its data for every puzzle and kind, its limits, and the file they are put into."""

from __future__ import annotations

import json
import re
from importlib.metadata import entry_points
from math import inf
from typing import Any

import pytest
from hypothesis import given

from beliefsearch import Blindfolded, Limits, Status, solve
from beliefsearch.errors import InvalidPlanError, LimitError
from beliefsearch.graph import belief_graph
from beliefsearch.graph.page import answer, beliefs, columns, tables
from beliefsearch.graph.page.build import PAGES, made_page, page_data, page_html
from beliefsearch.graph.page.tables import packed
from beliefsearch.kinds import Kind
from beliefsearch.model.belief import initial_belief, outcomes
from beliefsearch.page import problem_page
from beliefsearch.plugins.options import build_problem, make_problem
from beliefsearch.running.limits import Budget
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.mastermind import MastermindProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.rock_sample import RockSampleProblem
from beliefsearch_problems.tiger import TigerProblem

from ..contingent_problems import SightedTable, sighted_problems, worst_costs
from ..random_problems import (
    TableBeliefProblem,
    TableProblem,
    belief_problems,
    exact_belief_costs,
    exact_costs,
    plain_problems,
)
from ..toys.made import derived
from .page_schema import checked, data_of, unpacked

LIBRARY = {entry.name: entry for entry in entry_points(group="beliefsearch.problems")}

# Puzzles whose smallest known answers take seconds, with options for which they take none.
SMALLER: dict[str, dict[str, Any]] = {
    "counterfeit-coin": {"coins": 3},
    "lost-robot": {"rows": 3, "cols": 3},
    "gambler": {"goal": 10, "capital": 5},
    "penny-shapes": {"start": "ooo", "goal": "oo/o"},
    "machine-repair": {},  # without a horizon, so it is discounted
}


# Puzzles of whose known answers the first takes long, with the number of a quicker one.
QUICK = {"coin-triangle": 2, "pocket-cube": 4, "robber": 4, "wordle": 1, "wumpus": 2}


def page_of(problem: Any, **options: Any) -> Any:
    return checked(data_of(problem_page(problem, **options)))


def test_there_is_a_page_for_every_kind() -> None:
    assert set(PAGES) == set(Kind)


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_the_page_of_every_puzzle_keeps_the_schema(name: str) -> None:
    cls = LIBRARY[name].load()
    known = cls.known_answers[QUICK.get(name, 0)]
    options = SMALLER.get(name, dict(known.options))
    problem = build_problem(make_problem(cls, options), known.blindfold, None)
    data = page_of(problem)
    assert data["summary"]
    assert data["story"]
    assert data["graphs"]
    assert not set(data["states"]["drawing"]) & {-1}
    if name not in SMALLER and known.objective == "worst" and data["answer"]["cost"] is not None:
        answer = float(known.answer)
        # Where the source has only bounds, so has the solver: it stops once they are near enough.
        near = known.within + 1e-3 * abs(answer) if known.within else None
        assert data["answer"]["cost"] == pytest.approx(answer, rel=0 if near else None, abs=near)


def rest_by_belief(graph: Any, names: list[str]) -> dict[frozenset[int], float]:
    """What a page says of the costs to the end, by what is known."""
    nodes = graph["nodes"]
    assert graph["complete"]
    return {
        frozenset(int(names[state]) for state in states): inf if rest is None else rest
        for states, rest in zip(nodes["members"], nodes["rest"], strict=True)
    }


@given(plain_problems())
def test_pages_of_plain_problems(problem: TableProblem) -> None:
    data = page_of(problem)
    (graph,) = data["graphs"]
    expected = belief_graph(problem)
    assert len(graph["nodes"]["layer"]) == len(expected)
    assert len(graph["edges"]["from"]) == expected.number_of_edges()
    exact = exact_costs(problem)
    for (state,), rest in rest_by_belief(graph, data["states"]["names"]).items():
        assert rest == exact[state]


@given(belief_problems() | sighted_problems())
def test_pages_of_problems_of_beliefs(problem: TableBeliefProblem | SightedTable) -> None:
    data = page_of(problem)
    graph = data["graphs"][-1]
    assert graph["name"] == "beliefs"
    exact: Any = worst_costs(problem) if isinstance(problem, SightedTable) else exact_belief_costs(problem)
    for belief, rest in rest_by_belief(graph, data["states"]["names"]).items():
        assert rest == pytest.approx(float(exact[belief]))
    assert_moves_give_the_graph(data, graph)


def test_who_loses_by_not_seeing_is_told_from_which_starts() -> None:
    rows: Any = ({"on": (1, 2)}, {"left": (4,), "right": (3,)}, {"left": (3,), "right": (4,)}, {}, {})
    unseen = {(action, state): ("-",) for action in ("on", "left", "right") for state in range(5)}
    doors = SightedTable((0,), rows, (frozenset({4}),), unseen)
    for problem, said in (
        (CounterfeitCoinProblem(coins=2), "for fewer starts a plan exists"),
        (doors, "even if it is known that the start is 0"),
    ):
        assert any(said in reason for reason in page_of(problem)["why"])


def assert_moves_give_the_graph(data: Any, graph: Any) -> None:
    """What a page works out from `moves` alone is what stands in the graph."""
    moves, nodes = data["moves"], graph["nodes"]
    rows: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for state, action, result, percept in zip(
        moves["state"], moves["action"], moves["result"], moves["percept"], strict=True
    ):
        rows.setdefault((state, action), []).append((percept, result))
    columns = (graph["edges"][name] for name in ("from", "action", "percept", "to"))
    for tail, action, percept, head in zip(*columns, strict=True):
        after = {result for state in nodes["members"][tail] for seen, result in rows[state, action] if seen == percept}
        assert after == set(nodes["members"][head])


def test_the_devils_page_shows_what_is_known_at_each_step() -> None:
    devil = DevilProblem(n=4)
    data = page_of(devil, title="devil --n 4")
    assert (data["title"], data["kind"], data["adversary"]) == ("devil --n 4", "sensorless", devil.has_adversary())
    assert data["answer"] == {
        "text": "solved in 15 actions, proved optimal",
        "status": "solved",
        "cost": 15,
        "optimal": True,
    }
    assert "States that are equivalent count as one." in data["notes"]
    assert data["why"][0].startswith("The moves, one a level")
    plan, names = data["plan"], data["states"]["names"]
    assert (plan["size"][0], plan["size"][-1]) == (6, 1)
    assert {names[state] for state in plan["belief"][0]} == {"HHHH", "HHHT", "HHTT", "HTHT", "HTTT", "TTTT"}
    assert [names[state] for state in plan["belief"][-1]] == ["HHHH"]
    assert plan["action"][-1] == -1
    assert plan["next"] == {"node": list(range(15)), "percept": [0] * 15, "child": list(range(1, 16))}
    (graph,) = data["graphs"]
    assert (graph["name"], graph["complete"], len(graph["nodes"]["layer"])) == ("beliefs", True, 22)
    assert sum(graph["nodes"]["on_plan"]) == 16
    assert sum(graph["edges"]["on_plan"]) == 15
    # The plan's costs to the end, one after the other.
    along = sorted(rest for rest, on in zip(graph["nodes"]["rest"], graph["nodes"]["on_plan"], strict=True) if on)
    assert along == list(range(16))


def test_results_that_are_equivalent_are_as_likely_as_they_are_many() -> None:
    data = page_of(DevilProblem(n=4))
    moves, names, acts = data["moves"], data["states"]["names"], data["actions"]["names"]
    rows = zip(moves["state"], moves["action"], moves["result"], moves["probability"], strict=True)
    after = {names[r]: p for s, a, r, p in rows if (names[s], acts[a]) == ("HHHT", "{0}")}
    # Of four turns of the table one brings the tail under the hand.
    assert after == {"HHHH": 0.25, "HHTT": 0.5, "HTHT": 0.25}


def test_the_page_of_a_contingent_problem_has_its_plan_and_its_beliefs() -> None:
    data = page_of(FourGlassesProblem())
    plan, everything = data["graphs"]
    assert (plan["name"], everything["name"]) == ("plan", "beliefs")
    assert set(plan["nodes"]["on_plan"]) == {1}
    assert plan["nodes"]["rest"][0] == everything["nodes"]["rest"][0] == data["answer"]["cost"] == 5
    ends = [node for node, action in enumerate(data["plan"]["action"]) if action == -1]
    assert all(plan["nodes"]["goal"][node] for node in ends)
    assert len(data["percepts"]["names"]) > 1


def test_the_page_of_a_game_of_chance_tells_values_and_the_policy() -> None:
    data = page_of(MontyHallProblem())
    start = data["start"][0]
    assert (data["values"]["text"][start], data["values"]["number"][start]) == (
        "2/3, about 0.6666666666666666",
        pytest.approx(2 / 3),
    )
    followed, everything = data["graphs"]
    assert (followed["name"], everything["name"]) == ("plan", "states")
    assert len(followed["nodes"]["layer"]) == sum(everything["nodes"]["on_plan"])
    sums: dict[tuple[int, int], float] = {}
    for state, action, share in zip(
        data["moves"]["state"], data["moves"]["action"], data["moves"]["probability"], strict=True
    ):
        sums[state, action] = sums.get((state, action), 0) + share
    assert sums == pytest.approx(dict.fromkeys(sums, 1))


def test_goal_sets_are_told_where_it_is_not_enough_that_each_state_is_a_goal() -> None:
    assert page_of(MastermindProblem(pegs=1, colours=3))["goal_sets"] is None
    found = page_of(make_problem(LIBRARY["counterfeit-coin"].load(), {"coins": 3}))
    assert found["goal_sets"]
    assert {state for goals in found["goal_sets"] for state in goals} <= set(range(len(found["states"]["names"])))


def test_an_unsolvable_problem_has_a_page_that_says_why() -> None:
    lost = page_of(DevilProblem(n=3))
    assert lost["answer"]["status"] == "unsolvable"
    assert lost["plan"] is None
    assert any("trap" in reason for reason in lost["why"])
    assert lost["graphs"][0]["nodes"]["rest"][0] is None
    stuck = page_of(TableProblem(start=0, table=({"a": 1}, {}), goals=frozenset()))
    assert stuck["answer"]["text"] == "unsolvable; it is proved that there is no plan"
    (why,) = stuck["why"]
    assert why == (
        "No goal can be reached: 2 states can be reached, all of them were looked at, and none is a goal. In 1 of them "
        "no action is possible."
    )


def test_a_blindfolded_problem_or_one_without_a_docstring_has_a_page() -> None:
    data = page_of(Blindfolded(NineTailsProblem(rows=2, cols=2)))
    assert data["kind"] == "sensorless"
    assert len(data["start"]) == 16

    class Bare(TableBeliefProblem):
        pass

    Bare.__doc__ = None
    data = page_of(Bare((0, 1), ({"a": (1,)}, {"a": (1,)}), (frozenset({1}),)))
    assert (data["summary"], data["story"]) == ("", "")


def test_a_page_without_a_plan_or_with_one_from_elsewhere() -> None:
    data = checked(data_of(made_page(DevilProblem(n=4), None, Budget(None), title="x")))
    assert data["answer"] == {"text": "no plan was searched for", "status": "undecided", "cost": None, "optimal": False}
    assert (data["plan"], data["why"]) == (None, [])
    assert len(data["graphs"]) == 1
    devil = DevilProblem(n=2)
    both, one = frozenset({0, 1}), frozenset({0})
    data = page_of(devil, result=(both, one, both))
    assert data["answer"]["text"] == "a plan of 3 actions"
    assert data["plan"]["size"] == [3, 2, 2, 1]
    with pytest.raises(InvalidPlanError, match="the plan ends at node 1, where the game need not be won"):
        problem_page(devil, (both,))


def test_a_plan_too_long_to_list_is_shown_as_far_as_it_goes() -> None:
    data = page_of(DevilProblem(n=64))
    assert data["answer"]["text"].startswith("solved in 2^64 - 1 actions")
    assert data["answer"]["cost"] is None, "no number of JavaScript"
    assert len(data["plan"]["action"]) == tables.MOST_STEPS
    assert set(data["plan"]["size"]) == {-1}
    assert (data["graphs"], data["start"]) == ([], [])
    assert any("too many for a page" in note for note in data["notes"])
    assert any("first 2,000 steps" in note for note in data["notes"])


def test_a_graph_that_is_too_large_is_cut_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = NineTailsProblem("HHHTTTTT", rows=2, cols=4)
    whole = page_of(problem)
    cut = checked(data_of(made_page(problem, None, Budget(None), title="x", max_nodes=30)))
    (graph,) = cut["graphs"]
    assert (graph["complete"], len(graph["nodes"]["layer"])) == (False, 30)
    assert set(graph["nodes"]["rest"]) == {-1}
    assert graph["nodes"]["text"] == whole["graphs"][0]["nodes"]["text"][:30]
    assert any("too large: the first 30 nodes" in note for note in cut["notes"])
    monkeypatch.setattr(columns, "MOST_EDGES", 300)
    few = page_of(problem)
    assert [(graph["name"], graph["complete"]) for graph in few["graphs"]] == [("plan", True)]
    assert "The graph of all states is left out, because it is too large." in few["notes"]


@pytest.mark.parametrize(("limit", "most"), [("_MOST_WORK", 500), ("_MOST_ASKED", 20)])
def test_beliefs_of_too_much_work_are_left_out(monkeypatch: pytest.MonkeyPatch, limit: str, most: int) -> None:
    monkeypatch.setattr(beliefs, limit, most)
    data = page_of(FourGlassesProblem())
    assert [graph["name"] for graph in data["graphs"]] == ["plan"]
    assert set(data["graphs"][0]["nodes"]["rest"]) == {-1}
    assert "The graph of all beliefs is left out, because it is too large." in data["notes"]


def test_moves_drawings_and_steps_that_are_too_many_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MOST_MOVES", 20)
    monkeypatch.setattr(beliefs, "MOST_STEPS", 4)
    monkeypatch.setattr(tables, "MOST_DRAWN", 2_000)
    data = page_of(DevilProblem(n=4))
    assert data["moves"] is None
    assert len(data["plan"]["action"]) == 4
    assert data["plan"]["action"][-1] != -1
    assert data["plan"]["next"]["node"] == [0, 1, 2]
    assert -1 in data["states"]["drawing"]
    text = " ".join(data["notes"])
    assert "too many states and results" in text
    assert "the first 4 steps are shown" in text
    assert "there is no room" in text


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "problem",
    [DevilProblem(n=4), FourGlassesProblem(), GamblerProblem(goal=10, capital=5), NineTailsProblem("HHHTTT", rows=2)],
)
def test_the_same_call_gives_the_same_page(problem: Any) -> None:
    assert problem_page(problem) == problem_page(problem)


@pytest.mark.thorough
def test_pages_are_small() -> None:
    page = problem_page(DevilProblem(n=8))
    (graph,) = data_of(page)["graphs"]
    assert len(graph["nodes"]["layer"]) > 3_000
    assert len(page) < 4_000_000
    assert len(problem_page(DevilProblem(n=4))) < 400_000


def test_a_large_graph_asks_for_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    glasses = FourGlassesProblem()
    result = solve(glasses)
    (reason,) = page_of(glasses, result=result)["why"]
    assert reason.startswith("Why no plan costs less: 59 beliefs have a bound, the start one of 5.")
    monkeypatch.setattr(answer, "_MOST_PROVED", 50)
    assert page_of(glasses, result=result)["why"] == []
    assert not any("trap" in reason for reason in page_of(DevilProblem(n=6))["why"])


def test_limits_are_heard() -> None:
    with pytest.raises(LimitError, match=r"there is no page: the time limit of 0\.\d+ s was reached"):
        problem_page(MastermindProblem(), limits=Limits(seconds=0.2))
    devil = DevilProblem(n=8)
    result = solve(devil)
    assert result.status is Status.SOLVED
    with pytest.raises(LimitError, match="there is no page"):
        problem_page(devil, result, limits=Limits(seconds=0.01))


def test_numbers_that_javascript_lacks_do_not_come_into_a_page() -> None:
    assert tables.json_number(2**53) is None
    assert tables.json_number(float("inf")) is None
    assert tables.json_number(10**400) is None
    assert tables.json_number(0.5) == 0.5
    assert tables.json_number(3.0) == 3
    with pytest.raises(ValueError, match="JSON"):
        page_html({"title": "x", "number": float("nan")})
    steps: tuple[dict[str, tuple[int, ...]], ...] = ({"a": (1,)}, {"a": (1,)})
    data = page_of(TableBeliefProblem((0,), steps, (frozenset({1}),), {(0, "a"): 2**60, (1, "a"): 1}))
    assert data["graphs"][0]["nodes"]["rest"] == [-1, 0]
    assert data["moves"] is None
    assert any("Costs are too large" in note for note in data["notes"])


@pytest.mark.parametrize("problem", [DevilProblem(n=5), FourGlassesProblem(), GamblerProblem(goal=30, capital=5)])
def test_packed_data_are_shorter_and_mean_the_same(problem: Any) -> None:
    data = page_data(problem, solve(problem), "x", Budget(None))
    short = packed(data)
    assert unpacked(json.loads(json.dumps(short))) == data
    assert len(json.dumps(short)) < 0.75 * len(json.dumps(data))


def test_a_plain_game_with_too_many_moves_goes_as_far_as_its_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MOST_MOVES", 20)
    monkeypatch.setattr(columns, "MOST_EDGES", 100)
    data = page_of(NineTailsProblem("HTHTTTHTH"))
    rows = set(zip(data["moves"]["state"], data["moves"]["action"], data["moves"]["result"], strict=True))
    assert len(rows) == len(data["moves"]["state"])
    plan = data["plan"]
    for node, child in zip(plan["next"]["node"], plan["next"]["child"], strict=True):
        assert (plan["belief"][node][0], plan["action"][node], plan["belief"][child][0]) in rows
    assert "the game goes as far as the graphs go" in " ".join(data["notes"])


def test_a_game_with_too_many_moves_goes_along_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = MastermindProblem(pegs=2, colours=3)
    everywhere = page_of(problem)["moves"]
    monkeypatch.setattr(columns, "MOST_MOVES", len(everywhere["state"]) - 1)
    data = page_of(problem)
    names = data["states"]["names"], data["actions"]["names"], data["percepts"]["names"]
    table = data["moves"]
    rows = list(zip(table["state"], table["action"], table["result"], table["percept"], strict=True))
    assert not table["whole"]
    assert everywhere["whole"]
    expected = {
        (problem.format_state(state), problem.format_action(action))
        for belief, action in _along(problem, solve(problem).plan)
        for state in belief
    }
    assert {(names[0][state], names[1][action]) for state, action, _, _ in rows} == expected
    assert "it offers the actions of the plan" in " ".join(data["notes"])


def _along(problem: Any, plan: Any, step: int = 0, belief: Any = None) -> Any:
    """Beliefs and actions of a conditional plan, by the definition."""
    belief = initial_belief(problem) if belief is None else belief
    node = plan.nodes[step]
    if node.is_end:
        return
    yield belief, node.action
    after = dict(outcomes(problem, belief, node.action))
    for percept, child in node.branches:
        yield from _along(problem, plan, child, after[percept])


def test_beliefs_of_a_small_graph_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert -1 not in page_of(DevilProblem(n=4))["graphs"][0]["nodes"]["picture"]
    monkeypatch.setattr(beliefs, "_MOST_DRAWN_IN_GRAPH", 5)
    assert set(page_of(DevilProblem(n=4))["graphs"][0]["nodes"]["picture"]) == {-1}


def test_the_page_of_a_problem_about_costs_shows_costs() -> None:
    toll = derived(MontyHallProblem, minimizes_cost=True)
    paid, cost = (page_of(problem) for problem in (MontyHallProblem(), toll()))
    assert (paid["costs"], cost["costs"]) == (False, True)
    assert (paid["answer"]["text"][:9], cost["answer"]["text"][:9]) == ("value 2/3", "cost -2/3")
    assert [-number for number in paid["values"]["number"]] == cost["values"]["number"]


def test_a_partially_observable_page_has_rewards_and_few_nodes_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tiger = page_of(TigerProblem())
    names = tiger["actions"]["names"]
    paid = {
        names[action]: reward for action, reward in zip(tiger["moves"]["action"], tiger["moves"]["reward"], strict=True)
    }
    assert paid["listen"] == -1
    assert set(tiger["moves"]["reward"]) == {-1, -100, 10}
    assert tiger["graphs"][0]["title"] == "The plan"
    monkeypatch.setattr(beliefs, "_MOST_TAKEN_IN", 4)
    large = page_of(RockSampleProblem())
    first, whole = large["graphs"][:2]
    assert re.fullmatch(r"The first \d+ layers of the plan", first["title"])
    assert whole["title"] == "The plan"
    assert len(first["nodes"]["layer"]) < len(whole["nodes"]["layer"])
    assert first["nodes"]["layer"] == whole["nodes"]["layer"][: len(first["nodes"]["layer"])]


def test_a_limit_leaves_a_page_of_the_best_policy_so_far() -> None:
    page = data_of(problem_page(TigerProblem(), solve(TigerProblem(), precision=1e-9, limits=Limits(expanded=30))))
    assert "undecided" in page["answer"]["text"]
    assert page["plan"] is not None
