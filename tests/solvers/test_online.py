"""The agent that learns the map: its walks become cheapest ones, by distances that networkx finds."""

from __future__ import annotations

from random import Random
from typing import Any

import networkx as nx
import pytest

from beliefsearch import BeliefSearchError, Limits
from beliefsearch.errors import LimitError
from beliefsearch.tools import OnlineAgent
from beliefsearch_problems.romania import RomaniaProblem

from ..random_problems import TableProblem


def strongly_connected(seed: int) -> TableProblem:
    """A ring of states with more ways between them, so that the goal can be reached from everywhere."""
    lot = Random(seed)
    count = lot.randint(2, 7)
    table: list[dict[str, int]] = [{"on": (state + 1) % count} for state in range(count)]
    for state in range(count):
        table[state] |= {name: lot.randrange(count) for name in "abc"[: lot.randint(0, 3)]}
    costs = {(state, name): lot.randint(1, 5) for state in range(count) for name in table[state]}
    return TableProblem(start=0, table=tuple(table), goals=frozenset({lot.randrange(count)}), costs=costs)


@pytest.mark.parametrize("seed", range(40))
def test_walks_become_cheapest(seed: int) -> None:
    problem = strongly_connected(seed)
    graph: Any = nx.DiGraph()
    for state, actions in enumerate(problem.table):
        for name, after in actions.items():
            cost = problem.action_cost(state, name)
            if not graph.has_edge(state, after) or graph[state][after]["weight"] > cost:
                graph.add_edge(state, after, weight=cost)
    (goal,) = problem.goals
    least = nx.shortest_path_length(graph, 0, goal, weight="weight")
    agent = OnlineAgent(problem)
    for _ in range(200):
        last = agent.walk()
    state, paid = 0, 0
    for action in last:
        paid += problem.action_cost(state, action)
        state = problem.result(state, action)
    assert (paid, state) == (least, goal)
    to_goal = nx.shortest_path_length(graph, target=goal, weight="weight")
    assert all(estimate <= to_goal[state] for state, estimate in agent.estimates.items())


def test_it_asks_only_where_its_own_actions_lead() -> None:
    asked: list[tuple[str, str]] = []

    def result(_: Any, state: str, action: str) -> str:
        asked.append((state, action))
        return action  # the city to which the road leads

    watched: Any = type("Watched", (RomaniaProblem,), {"result": result})()
    walk = OnlineAgent(watched).walk("Lugoj")
    assert [action for _, action in asked] == walk
    assert walk[-1] == "Bucharest"


def test_dead_ends_and_limits() -> None:
    stuck = TableProblem(start=0, table=({"a": 1}, {}), goals=frozenset())
    with pytest.raises(BeliefSearchError, match="nothing can be done in 1"):
        OnlineAgent(stuck).walk()
    endless = TableProblem(start=0, table=({"a": 1}, {"a": 0}), goals=frozenset())
    with pytest.raises(LimitError):
        OnlineAgent(endless).walk(limits=Limits(seconds=0.05))
