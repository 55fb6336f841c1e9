"""Layers, optimal plans and dominated beliefs, against brute force that lists every plan there is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb, inf
from typing import Any, TypeAlias

import networkx as nx
import pytest
from hypothesis import given, settings

from beliefsearch import BeliefSearchError, Problem, solve
from beliefsearch.graph import analyse, belief_graph, dominated_beliefs, layers, optimal_plans, plan_graph, state_graph
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.river_crossing import RiverCrossingProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..answers import stdout
from ..benchmarks.reference import canonical_belief, update
from ..conftest import Run
from ..contingent_problems import SightedTable, sighted_problems, worst_costs
from ..examples import examples
from ..random_problems import TableBeliefProblem, TableProblem, belief_problems, plain_problems
from ..toys.made import made

Belief: TypeAlias = frozenset[Any]
Step: TypeAlias = tuple[Belief, str, Belief]


def cheapest_plans(
    start: Belief, follow: Callable[[Belief], Iterator[tuple[str, Fraction, Belief]]], is_goal: Callable[[Belief], bool]
) -> tuple[Fraction | float, list[tuple[Step, ...]]]:
    """The least cost, and every plan of that cost that comes to no belief twice: depth-first over all of them."""
    best: Fraction | float = inf
    plans: list[tuple[Step, ...]] = []

    def walk(belief: Belief, met: frozenset[Belief], cost: Fraction, steps: tuple[Step, ...]) -> None:
        nonlocal best, plans
        if is_goal(belief):
            if cost < best:
                best, plans = cost, []
            if cost == best:
                plans.append(steps)
            return
        for action, price, after in follow(belief):
            if after not in met and cost + price <= best:
                walk(after, met | {after}, cost + price, (*steps, (belief, action, after)))

    walk(start, frozenset((start,)), Fraction(0), ())
    return best, plans


def of_table(problem: TableBeliefProblem) -> tuple[Any, Any, Any]:
    """Start, successors and goal test by the definition."""

    def follow(belief: Belief) -> Iterator[tuple[str, Fraction, Belief]]:
        for action in sorted(set.intersection(*(set(problem.table[s]) for s in belief))):
            after = frozenset(result for s in belief for result in problem.table[s][action])
            yield action, max(Fraction(problem.action_cost(s, action)) for s in belief), after

    return frozenset(problem.starts), follow, lambda belief: any(belief <= goals for goals in problem.goals)


def of_plain(problem: TableProblem) -> tuple[Any, Any, Any]:
    def follow(belief: Belief) -> Iterator[tuple[str, Fraction, Belief]]:
        (state,) = belief
        for action, result in problem.table[state].items():
            yield action, Fraction(problem.action_cost(state, action)), frozenset((result,))

    return frozenset((problem.start,)), follow, lambda belief: belief <= problem.goals


def compare(problem: Any, start: Belief, follow: Any, is_goal: Any) -> None:
    graph = belief_graph(problem)
    belief_of = {node: frozenset(map(int, data["members"])) for node, data in graph.nodes(data=True)}
    found = optimal_plans(graph)
    cost, plans = cheapest_plans(start, follow, is_goal)
    assert found.cost == cost
    edges = {(belief_of[t], graph.edges[t, h, k]["action"], belief_of[h]) for t, h, k in found.edges}
    listed = {step for plan in plans for step in plan}
    passed = [{start, *(after for _, _, after in plan)} for plan in plans]
    always = set.intersection(*passed) if passed else set()
    if found.count == inf:
        # Some plan may go round: then the plans that do not are fewer, and their edges are among those found.
        assert not nx.is_directed_acyclic_graph(nx.MultiDiGraph(list(found.edges)))
        assert plans
        assert listed <= edges
    else:
        assert found.count == len(plans)
        assert edges == listed
    assert {belief_of[node] for node in found.bottlenecks} == always
    if plans:
        order = [start, *(after for _, _, after in plans[0])]
        assert [belief_of[node] for node in found.bottlenecks] == [belief for belief in order if belief in always]


@given(problem=belief_problems())
@settings(max_examples=examples(60))
def test_optimal_plans_of_sensorless_problems(problem: TableBeliefProblem) -> None:
    compare(problem, *of_table(problem))


@given(problem=plain_problems())
@settings(max_examples=examples(60))
def test_optimal_plans_of_plain_problems(problem: TableProblem) -> None:
    compare(problem, *of_plain(problem))


def test_a_circle_that_costs_nothing_makes_infinitely_many_plans() -> None:
    costs = {(0, "a"): 0, (1, "a"): 0, (1, "b"): 1, (0, "b"): 1}
    problem = TableProblem(0, ({"a": 1, "b": 2}, {"a": 0, "b": 2}, {}), frozenset({2}), costs)
    found = optimal_plans(belief_graph(problem))
    assert (found.cost, found.count, found.bottlenecks) == (1, inf, (0, 2))
    assert len(found.edges) == 4


@pytest.mark.parametrize("n", [1, 2, 4])
def test_optimal_plans_of_the_devil(n: int) -> None:
    start = canonical_belief(map("".join, product("HT", repeat=n)))
    moves = [[place for place in range(n) if coins[place] == "H"] for coins in start]
    won = frozenset({"H" * n})
    distance, ways = {start: 0}, {start: 1}
    frontier = [start]
    for belief in frontier:  # breadth-first; counts are complete when a belief's turn comes
        for after in () if belief == won else (update(belief, move) for move in moves):
            if after not in distance:
                distance[after] = distance[belief] + 1
                ways[after] = 0
                frontier.append(after)
            if distance[after] == distance[belief] + 1:
                ways[after] += ways[belief]
    found = optimal_plans(belief_graph(DevilProblem(n=n)))
    assert (found.cost, found.count) == (distance[won], ways[won])
    assert found.cost == 2**n - 1


def test_three_coins_have_no_plan() -> None:
    found = optimal_plans(belief_graph(DevilProblem(n=3)))
    assert (found.cost, found.count, found.edges, found.bottlenecks) == (inf, 0, frozenset(), ())


@pytest.mark.parametrize(("story", "cost", "count"), [("wolf-goat-cabbage", 7, 2), ("missionaries", 11, 4)])
def test_crossings_have_the_published_number_of_optimal_plans(story: str, cost: int, count: int) -> None:
    # Pressman and Singmaster (1989), and many others: the wolf has two solutions, the missionaries have four.
    found = optimal_plans(belief_graph(RiverCrossingProblem(story=story)))
    assert (found.cost, found.count) == (cost, count)


# From one corner to the other.
GRID = made(
    Problem,
    initial_state=(0, 0),
    actions=lambda state: [name for name, place in zip("xy", state, strict=True) if place < 40],
    result=lambda state, action: (state[0] + 1, state[1]) if action == "x" else (state[0], state[1] + 1),
    is_goal=lambda state: state == (40, 40),
)


def test_many_plans_are_counted_exactly() -> None:
    found = optimal_plans(belief_graph(GRID))
    assert (found.cost, found.count, len(found.bottlenecks)) == (80, comb(80, 40), 2)


@given(problem=belief_problems())
def test_layers_and_dominated_beliefs(problem: TableBeliefProblem) -> None:
    graph = belief_graph(problem)
    beliefs = {node: frozenset(data["members"]) for node, data in graph.nodes(data=True)}
    cost = {node: Fraction(data["g"]) for node, data in graph.nodes(data=True)}
    assert {node: g for g, nodes in layers(graph).items() for node in nodes} == cost
    assert list(layers(graph)) == sorted(set(cost.values()))
    found = dominated_beliefs(graph)
    assert set(found) == {n for n in graph if any(beliefs[m] < beliefs[n] and cost[m] <= cost[n] for m in graph)}
    assert all(beliefs[small] < beliefs[large] and cost[small] <= cost[large] for large, small in found.items())


@pytest.mark.parametrize("analyse", [optimal_plans, dominated_beliefs])
def test_where_plans_are_no_paths_that_is_said(analyse: Any) -> None:
    lamp = SightedTable(
        (0, 1), ({"a": (0,)}, {"a": (1,)}), (frozenset({1}),), {("a", state): ("xy"[state],) for state in (0, 1)}
    )
    for graph in (belief_graph(lamp), state_graph(MontyHallProblem())):
        with pytest.raises(BeliefSearchError, match="several others, by percepts or by chance"):
            analyse(graph)


def test_a_graph_that_is_not_complete_has_no_count() -> None:
    with pytest.raises(BeliefSearchError, match="not complete: the limit of 5 nodes"):
        optimal_plans(belief_graph(DevilProblem(n=4), max_nodes=5))


def test_a_plan_is_the_only_optimal_one_of_its_own_graph() -> None:
    devil = DevilProblem(n=4)
    found = optimal_plans(plan_graph(devil, solve(devil).require_plan()))
    assert (found.cost, found.count, found.bottlenecks) == (15, 1, tuple(range(16)))


@given(problem=sighted_problems())
def test_costs_to_the_goal_are_those_of_bellman(problem: SightedTable) -> None:
    least = worst_costs(problem)
    graph = belief_graph(problem)
    for _, data in graph.nodes(data=True):
        cost = least[frozenset(map(int, data["members"]))]
        assert data.get("cost_to_go", inf) == pytest.approx(float(cost)) if cost else data["cost_to_go"] == 0


@given(problem=belief_problems())
def test_an_analysis_counts_what_there_is(problem: TableBeliefProblem) -> None:
    graph = belief_graph(problem)
    found = analyse(graph)
    start, follow, is_goal = of_table(problem)
    beliefs: dict[Belief, None] = {start: None}
    for belief in (waiting := [start]):
        for _, _, after in () if is_goal(belief) else follow(belief):
            if after not in beliefs:
                beliefs[after] = None
                waiting.append(after)
    winnable = {belief for belief in beliefs if cheapest_plans(belief, follow, is_goal)[1]}
    assert found.nodes == len(beliefs)
    assert found.winnable == len(winnable)
    assert sum(found.counts.values()) == found.nodes
    assert Counter(size for (_, size), count in found.counts.items() for _ in range(count)) == Counter(
        map(len, beliefs)
    )
    largest = {frozenset(map(int, graph.nodes[node]["members"])) for node in found.largest or ()}
    assert largest == {belief for belief in winnable if not any(belief < other for other in winnable)}
    assert found.dominated == len(dominated_beliefs(graph))


def test_arrangements_are_the_states_without_symmetry() -> None:
    for n in (3, 4):
        graph = belief_graph(DevilProblem(n=n))
        for _, data in graph.nodes(data=True):
            turns = {board[i:] + board[:i] for board in data["members"] for i in range(n)}
            assert data["arrangements"] == len(turns)
    assert "arrangements" not in belief_graph(DevilProblem(n=3, reduced=False)).nodes[0]
    assert "arrangements" not in belief_graph(DevilProblem(n=9), max_nodes=1).nodes[0], "too many to be looked at"


def test_where_percepts_decide_plans_are_not_counted() -> None:
    found = analyse(belief_graph(VacuumProblem(sensing="local")))
    assert (found.plans, found.dominated, found.winnable) == (None, None, 13)
    assert analyse(belief_graph(DevilProblem(n=3))).winnable == 0
    assert analyse(belief_graph(SlidingTilesProblem(rows=2, cols=2))).plans is None, "it begins at every start"
    assert analyse(belief_graph(DevilProblem(n=8), max_nodes=3)).winnable is None


def test_the_command_says_it(cli: Run) -> None:
    out = stdout(cli("analyse", "river-crossing", "--story", "missionaries"))
    assert "15 states" in out
    assert "4 plans have the least cost, 11." in out
    document = json.loads(stdout(cli("analyse", "devil", "--n", 4, "--format", "json")))
    assert (document["nodes"], document["optimal_plans"], document["cost"], document["dominated"]) == (22, 2, 15, 2)
    assert stdout(cli("analyse", "devil", "--n", 2, "--format", "csv")).splitlines()[1:] == [
        "0,3,1",
        "1,2,1",
        "2,2,1",
        "3,1,1",
    ]
    assert cli("analyse", "devil", "--n", 8, "--max-nodes", 5)[0] == 3
    code, _, err = cli("analyse", "gambler")
    assert code == 2
    assert "sees every state" in err
    assert "2 plans have the least cost, 4." in stdout(cli("explain", "vacuum"))
