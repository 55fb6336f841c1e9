"""Graph files read back: the same graph in every format, and the same analysis of what other readers give."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from beliefsearch import BeliefSearchError, Problem, solve
from beliefsearch.graph import (
    belief_graph,
    dominated_beliefs,
    layers,
    optimal_plans,
    plan_graph,
    read_graph,
    state_graph,
)
from beliefsearch.graph.graph_files import FORMATS
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem
from beliefsearch_problems.river_crossing import RiverCrossingProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..contingent_problems import SightedTable, sighted_problems
from ..random_problems import TableBeliefProblem, belief_problems
from ..toys.made import made
from .built import graph_text

TIGER = TigerProblem()


# States whose texts are hard on file formats.
AWKWARD = made(
    Problem,
    initial_state='a "b" \\ {c}, [d]; <e> & true',
    actions=["1", 'say "x"\\', "true"],
    result=lambda _, action: "17" if action == "1" else "false",
    is_goal=lambda state: state == "17",
    action_cost=lambda *_: Fraction(1, 3),
)


GRAPHS = [
    belief_graph(AWKWARD, max_nodes=2),
    belief_graph(DevilProblem(n=4)),
    belief_graph(VacuumProblem(), solve(VacuumProblem())),
    belief_graph(VacuumProblem(sensing="local"), max_nodes=3),
    plan_graph(CounterfeitCoinProblem(coins=3), solve(CounterfeitCoinProblem(coins=3))),
    state_graph(RiddlerFlipsProblem(flips=2), solve(RiddlerFlipsProblem(flips=2))),
    plan_graph(TIGER, solve(TIGER, horizon=2)),
]


def written(graph: Any, form: str, folder: str | Path) -> Path:
    path = Path(folder) / f"graph.{form}"
    path.write_text(graph_text(graph, form), encoding="utf-8")
    return path


def content(graph: Any) -> Any:
    return dict(graph.graph), dict(graph.nodes(data=True)), list(graph.edges(keys=True, data=True))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("graph", GRAPHS, ids=range(len(GRAPHS)))
def test_a_file_gives_back_the_graph(graph: Any, form: str, tmp_path: Path) -> None:
    assert content(read_graph(written(graph, form, tmp_path))) == content(graph)


@pytest.mark.parametrize("form", FORMATS)
@given(problem=belief_problems() | sighted_problems())
def test_graphs_of_all_problems_come_back(problem: TableBeliefProblem | SightedTable, form: str) -> None:
    graph = belief_graph(problem)
    with TemporaryDirectory() as folder:
        assert content(read_graph(written(graph, form, folder))) == content(graph)


def test_analysis_takes_what_other_readers_give(tmp_path: Path) -> None:
    graph = belief_graph(RiverCrossingProblem(story="missionaries"))
    others: tuple[Any, ...] = (
        nx.read_graphml(written(graph, "graphml", tmp_path)),
        nx.read_gexf(written(graph, "gexf", tmp_path)),
        read_graph(written(graph, "dot", tmp_path)),
    )
    for foreign in others:
        assert optimal_plans(foreign) == optimal_plans(graph)
        assert layers(foreign) == layers(graph)
    devil = belief_graph(DevilProblem(n=4))
    read: Any = nx.read_graphml(written(devil, "graphml", tmp_path))
    assert dominated_beliefs(read) == dominated_beliefs(devil) != {}


def test_states_come_with_the_problem(tmp_path: Path) -> None:
    devil = DevilProblem(n=2)
    graph = read_graph(written(belief_graph(devil), "graphml", tmp_path), devil)
    assert graph.nodes[0]["states"] == tuple(map(devil.parse_state, graph.nodes[0]["members"]))
    vacuum = VacuumProblem()
    graph = read_graph(written(belief_graph(AWKWARD), "gexf", tmp_path), AWKWARD)
    assert graph.nodes[0]["states"] == (AWKWARD.initial_state(),)
    with pytest.raises(BeliefSearchError, match="a state that the problem does not know"):
        read_graph(written(belief_graph(AWKWARD), "gexf", tmp_path), vacuum)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("graph.json", "[]"),
        ("graph.json", "{"),
        ("graph.graphml", "<graphml>"),
        ("graph.graphml", "no XML"),
        ("graph.gexf", '<gexf version="1.2"/>'),
        ("graph.dot", "digraph { a -> b; }"),
        ("graph.txt", ""),
    ],
)
def test_other_files_are_refused(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BeliefSearchError, match=name.replace(".", r"\.")):
        read_graph(tmp_path / name)


def test_graphs_of_others_are_refused_by_name() -> None:
    with pytest.raises(BeliefSearchError, match="from node 1 to 2 has no 'action'"):
        optimal_plans(nx.MultiDiGraph([(1, 2)]))
    with pytest.raises(BeliefSearchError, match="node 1 has no 'g'"):
        layers(nx.MultiDiGraph([(1, 2)]))
    with pytest.raises(BeliefSearchError, match="no node 99"):
        optimal_plans(belief_graph(DevilProblem(n=2)), start=99)
