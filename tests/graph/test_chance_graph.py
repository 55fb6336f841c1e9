"""The graph of a game of chance: its states and what may follow them, what the best policy does, and its files."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest

from beliefsearch import Limits, StochasticProblem, solve
from beliefsearch.graph.search_graph import policy_graph
from beliefsearch.running.limits import Budget
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem

from ..random_games import TableGame
from .built import graph_text

HALF = Fraction(1, 2)
# To and fro between 0 and 1 until somebody wins; "stop" takes less at once.
TO_AND_FRO = TableGame(({"go": ((HALF, 1), (HALF, 3)), "stop": ((1, 2),)}, {"go": ((HALF, 0), (HALF, 2))}), (1, 4))


def graph_of(problem: StochasticProblem[Any, Any], **options: Any) -> nx.MultiDiGraph[int]:
    return policy_graph(problem, solve(problem).require_policy(), **options)


def nodes_of(graph: Any) -> dict[int, dict[str, Any]]:
    return dict(graph.nodes(data=True))


def test_a_game_with_a_cycle() -> None:
    # v0 = v1 / 2 + 2 and v1 = v0 / 2 + 1 / 2, so v0 = 3 and v1 = 2; a fraction is text, also where it is whole.
    graph = graph_of(TO_AND_FRO)
    assert nodes_of(graph) == {
        0: node("0", 0, "3", action="go", best=["go"]),
        1: node("1", 1, "2", action="go", best=["go"]),
        2: node("3", 1, 4, utility=4),
        3: node("2", 1, 1, utility=1),
    }
    edges = sorted((t, h, d["action"], d["probability"], d["on_policy"]) for t, h, d in graph.edges(data=True))
    assert edges == [
        (0, 1, "go", "1/2", True),
        (0, 2, "go", "1/2", True),
        (0, 3, "stop", 1, False),
        (1, 0, "go", "1/2", True),
        (1, 3, "go", "1/2", True),
    ]
    assert {data["label"] for _, _, data in graph.edges(data=True)} == {"go: 1/2", "stop: 1"}
    assert graph.graph == {"complete": True, "stopped": ""}


def node(state: str, g: int, value: int | str, action: str = "", best: Any = (), **others: Any) -> dict[str, Any]:
    plain = {"state": state, "g": g, "value": value, "terminal": bool(others), "on_policy": True}
    return {**plain, "action": action, "best": list(best), "label": state, **others}


def test_without_a_policy_only_ends_have_a_value() -> None:
    graph = policy_graph(TO_AND_FRO)
    assert [data.get("value") for _, data in graph.nodes(data=True)] == [None, None, 4, 1]
    assert not any(data["on_policy"] or data["action"] for _, data in graph.nodes(data=True))
    assert not any(data["on_policy"] for _, _, data in graph.edges(data=True))


def test_the_flips_by_brute_force() -> None:
    flips = 8
    after = {score: Fraction(score > 0) for score in range(-2 * flips, 2 * flips + 1)}
    values = {f"{flips},{score}": value for score, value in after.items()}
    for made in reversed(range(flips)):
        after = {s: max(after[s + d] + after[s - d] for d in (1, 2)) / 2 for s in range(-2 * made, 2 * made + 1)}
        values.update({f"{made},{score}": value for score, value in after.items()})
    del values["1,0"]  # which cannot come up
    graph = graph_of(RiddlerFlipsProblem(flips=flips, exact=True))
    assert {data["state"]: Fraction(data["value"]) for _, data in graph.nodes(data=True)} == values
    for number, data in graph.nodes(data=True):
        made, score = map(int, data["state"].split(","))
        assert (data["g"], data["terminal"]) == (made, made == flips)
        steps = {"A": 1, "B": 2}
        edges = [(d["action"], graph.nodes[h]["state"], d["probability"]) for _, h, d in graph.edges(number, data=True)]
        expected = [(c, f"{made + 1},{score + sign * step}", "1/2") for c, step in steps.items() for sign in (1, -1)]
        assert sorted(edges) == (sorted(expected) if made < flips else [])


@pytest.mark.parametrize("with_policy", [True, False])
def test_a_graph_that_is_stopped_says_so(with_policy: bool) -> None:
    problem = RiddlerFlipsProblem(flips=9)
    policy = solve(problem).require_policy() if with_policy else None
    graph = policy_graph(problem, policy, max_nodes=7)
    whole = policy_graph(problem, policy)
    assert len(graph) == 7
    assert nodes_of(graph).items() <= nodes_of(whole).items()
    assert set(graph.edges) == {edge for edge in whole.edges if max(edge[:2]) < 7}
    assert graph.graph == {"complete": False, "stopped": "the limit of 7 nodes was reached"}
    late = Budget(Limits(seconds=1e-9))
    assert "time limit" in policy_graph(problem, policy, budget=late).graph["stopped"]


@pytest.mark.thorough
def test_a_hundred_flips_are_written_as_graph() -> None:
    graph = graph_of(RiddlerFlipsProblem())
    assert (len(graph), graph.number_of_edges()) == (20_300, 4 * 19_899)
    again = json.loads(graph_text(graph, "json"))
    assert len(again["nodes"]) == 20_300
    assert sum(len(data["best"]) == 2 for data in again["nodes"]) == 17_061
