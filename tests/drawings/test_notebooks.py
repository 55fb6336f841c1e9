"""What notebooks show: small, well-formed, escaped, without identifiers, scripts and global styles."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest

from beliefsearch import Limits, Problem, explain, play_game, prove, simulate, solve, trace
from beliefsearch.graph import belief_graph, plan_graph, state_graph
from beliefsearch.results import ConditionalPlan
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.vacuum import VacuumProblem

FOUR, EIGHT, THREE = DevilProblem(n=4), DevilProblem(n=8), DevilProblem(n=3)
GLASSES, DOORS = FourGlassesProblem(), MontyHallProblem()

SHOWN: dict[str, Callable[[], Any]] = {
    "sensorless problem": lambda: FOUR,
    "contingent problem": lambda: GLASSES,
    "stochastic problem": lambda: DOORS,
    "plain problem without a start": NineTailsProblem,
    "result": lambda: solve(FOUR),
    "long result": lambda: solve(EIGHT),
    "no plan": lambda: solve(THREE),
    "stopped": lambda: solve(EIGHT, solver="bfs", limits=Limits(expanded=3)),
    "conditional result": lambda: solve(GLASSES),
    "plan": lambda: solve(FOUR).plan,
    "long plan": lambda: solve(EIGHT).plan,
    "conditional plan": lambda: solve(GLASSES).plan,
    "policy": lambda: solve(DOORS).policy,
    "policy result": lambda: solve(DOORS),
    "trace": lambda: trace(FOUR, solve(FOUR)),
    "long trace": lambda: trace(EIGHT, solve(EIGHT)),
    "conditional trace": lambda: trace(GLASSES, solve(GLASSES)),
    "policy's trace": lambda: trace(DOORS, solve(DOORS)),
    "reasons": lambda: explain(FOUR),
    "reasons for none": lambda: explain(THREE),
    "reasons for a policy": lambda: explain(DOORS),
    "proof": lambda: prove(FOUR),
    "simulation": lambda: simulate(FOUR, solve(FOUR), games=50, seed=1),
    "simulation of a policy": lambda: simulate(DOORS, solve(DOORS), games=50, seed=1),
    "game": lambda: play_game(GLASSES, solve(GLASSES), seed=1),
    "graph of beliefs": lambda: belief_graph(FOUR, solve(FOUR)),
    "and-or graph": lambda: belief_graph(GLASSES),
    "graph of states": lambda: state_graph(DOORS),
    "graph of a plan": lambda: plan_graph(GLASSES, solve(GLASSES)),
    "cut graph": lambda: belief_graph(EIGHT, max_nodes=5),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown_is_small_and_harmless(name: str) -> None:
    value = SHOWN[name]()
    written = value._repr_html_()
    assert len(written) < 70_000
    for element in ElementTree.fromstring(written).iter():
        tag = element.tag.rpartition("}")[2]
        assert tag not in ("script", "style", "link", "iframe", "img", "use", "defs")
        assert not {key for key in element.attrib if key in ("id", "class", "href") or key.startswith("on")}
    assert len(repr(value)) < 1_500 or "trace" in name or name in ("reasons", "game"), repr(value)


def test_a_problem_whose_code_fails_is_shown_without_a_picture() -> None:
    class Broken(Problem[int, int]):
        def __repr__(self) -> str:
            return "<Broken & co>"

        def initial_state(self) -> int:
            raise ValueError("no start")

        def actions(self, state: int) -> list[int]:
            return []

        def result(self, state: int, action: int) -> int:
            return state

        def is_goal(self, state: int) -> bool:
            return False

    assert "&lt;Broken &amp; co&gt;" in Broken()._repr_html_()
    assert "<svg" not in Broken()._repr_html_()


def test_plans_print_in_a_line() -> None:
    plan = solve(GLASSES).plan
    assert isinstance(plan, ConditionalPlan)
    assert repr(plan) == "<conditional plan: 27 steps, at most 10 actions, the first ('feel', (0, 1))>"
    assert repr(solve(EIGHT).plan) == "<plan of 255 actions, the first frozenset({0, 1, 2, 3, 4, 5, 6, 7})>"
    assert "plan=<15 actions>" in repr(solve(FOUR))
    assert "plan=None" in repr(solve(THREE))
    assert repr(solve(DOORS).policy) == "<policy of 19 states>"


def test_a_shown_graph_is_a_graph_of_networkx_like_any_other() -> None:
    graph = belief_graph(FOUR)
    assert isinstance(graph, nx.MultiDiGraph)
    again = pickle.loads(pickle.dumps(graph))
    assert nx.utils.graphs_equal(graph, again)
    assert nx.utils.graphs_equal(graph, graph.copy())
    assert nx.node_link_data(graph, edges="edges") == nx.node_link_data(nx.MultiDiGraph(graph), edges="edges")
    assert "not complete" in belief_graph(EIGHT, max_nodes=5)._repr_html_()  # type: ignore[attr-defined]


def test_a_small_graph_has_its_labels_and_a_wide_one_has_dots() -> None:
    small: Any = belief_graph(VacuumProblem())
    labels = [data["label"] for _, data in small.nodes(data=True) if len(data["label"]) < 15]
    assert labels
    assert all(f">{label}</text>" in small._repr_html_() for label in labels)
    wide: Any = belief_graph(DevilProblem(n=4))
    assert "</text>" not in wide._repr_html_()
    assert wide._repr_html_().count("<circle") == len(wide)
