"""The graph of a search: its nodes, its plan, and files that are read back without loss."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from beliefsearch import Limits, solve
from beliefsearch.engine.views import view_of
from beliefsearch.graph.graph_files import FORMATS
from beliefsearch.running.limits import Budget
from beliefsearch.solvers import distance_table
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

from ..problems.test_plain_puzzles import brute_force_distances
from ..random_problems import TableBeliefProblem
from ..toys.made import derived
from .built import graph_text, search_graph, tree_graph

# Texts that are hard on file formats: quotes, escapes, tags, separators, and characters that XML lacks.
ODD = [
    *('say "hi"', "it's", "back\\slash", "ends in \\", 'both \\"', "\\n is no newline", "new\nline", "bell\\u0007"),
    *("<a & b>", "a, b; c: d", "[1, 2]", "{x}|<y>", "tab\there", "bell\x07", "zero\x00", "escape\x1b[0m", "delete\x7f"),
    *("next\x85line", "ligne séparée\u2028", "日本 é", "emoji 😈", "  spaces  ", " lead", "", "true", "12"),
]


# States and actions with names that file formats trip over: go to any state, and stay there.
oddly_named = derived(
    TableBeliefProblem, format_state=lambda state: ODD[state % len(ODD)], format_action=lambda action: ODD[int(action)]
)


def odd_graph() -> nx.MultiDiGraph[int]:
    size = len(ODD)
    leave: dict[str, tuple[int, ...]] = {str(number): (size + number,) for number in range(size)}
    stay: list[dict[str, tuple[int, ...]]] = [{str(number): (size + number,)} for number in range(size)]
    problem = oddly_named(tuple(range(size)), (*[leave] * size, *stay), (frozenset({size + 3}),))
    graph = search_graph(view_of(problem), solve(problem).require_plan())
    assert {tuple(data["members"]) for _, data in graph.nodes(data=True)} == {tuple(ODD), *((text,) for text in ODD)}
    assert graph.number_of_edges() == 2 * size - 1, "each, and to stay, but at the goal"
    return graph


def test_g_is_the_least_cost_also_where_costs_differ() -> None:
    costs = {(0, "a"): 5, (0, "b"): 1, (1, "b"): 1}
    problem = TableBeliefProblem((0,), ({"a": (2,), "b": (1,)}, {"b": (2,)}, {}), (frozenset({2}),), costs)
    graph = search_graph(view_of(problem))
    assert {data["label"]: data["g"] for _, data in graph.nodes(data=True)} == {"0": 0, "1": 1, "2": 2}


def test_what_is_stopped_says_so() -> None:
    few = search_graph(view_of(DevilProblem(n=4)), max_nodes=3)
    assert (few.number_of_nodes(), few.graph["complete"]) == (3, False)
    assert "3 nodes" in few.graph["stopped"]
    late, devil = Budget(Limits(seconds=1e-9)), DevilProblem(n=4)
    problem = NineTailsProblem()
    for graph in (
        search_graph(view_of(devil, budget=late), solve(devil).require_plan(), budget=late),
        tree_graph(problem, distance_table(problem, budget=late)),
    ):
        assert not graph.graph["complete"]
        assert "time limit" in graph.graph["stopped"]


def read_back(text: str, file_format: str, folder: Path) -> Any:
    """Read by networkx; what a format can only say as text is turned back into values."""
    path = folder / f"graph.{file_format}"
    path.write_text(text, encoding="utf-8")
    if file_format == "json":
        return nx.node_link_graph(json.loads(text), edges="edges")
    if file_format == "dot":
        graph = nx.nx_pydot.read_dot(path)
        values: Iterable[dict[str, Any]] = [data for _, data in graph.nodes(data=True)]
        for data in [*values, *(data for _, _, data in graph.edges(data=True))]:
            for key, value in data.items():
                if value.startswith('"'):
                    data[key] = re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL)
                else:
                    data[key] = json.loads(value)
    else:
        graph = nx.read_graphml(path) if file_format == "graphml" else nx.read_gexf(path)
    for _, data in graph.nodes(data=True):
        data["members"] = json.loads(data["members"])
    return graph


def devil_graph() -> nx.MultiDiGraph[int]:
    return search_graph(view_of(DevilProblem(n=4)), solve(DevilProblem(n=4)).require_plan())


@pytest.mark.parametrize("make", [odd_graph, devil_graph])
@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning:pydot")  # pydot's affair, not ours
def test_a_file_is_read_back_without_loss(file_format: str, make: Callable[[], Any], tmp_path: Path) -> None:
    graph = make()
    again = read_back(graph_text(graph, file_format), file_format, tmp_path)
    assert len(again) == len(graph)
    for node, data in graph.nodes(data=True):
        read = again.nodes[str(node) if str(node) in again else node]
        for key in ("members", "size", "g", "goal", "on_plan"):
            assert read[key] == data[key]
            assert type(read[key]) is type(data[key])
    assert edges_of(again) == edges_of(graph)


PICTURES = {0x2400 + code: code for code in range(32)}


def edges_of(graph: Any) -> list[tuple[int, int, str, int, bool]]:
    # XML has no control characters; their pictures stand for them.
    return sorted(
        (int(tail), int(head), data["action"].translate(PICTURES), data["cost"], data["on_plan"])
        for tail, head, data in graph.edges(data=True)
    )


def test_the_tree_leads_every_board_to_the_target_in_the_fewest_moves() -> None:
    problem = NineTailsProblem()
    graph = tree_graph(problem, distance_table(problem))
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (512, 511)
    distances = brute_force_distances("heads", "none")  # all 512 boards lead there
    assert {data["label"]: data["distance"] for _, data in graph.nodes(data=True)} == distances
    for child, parent, data in graph.edges(data=True):
        board, after = (graph.nodes[node] for node in (child, parent))
        assert after["distance"] == board["distance"] - 1
        assert problem.result(board["label"], tuple(map(int, data["action"].split(",")))) == after["label"]
    assert [data["label"] for _, data in graph.nodes(data=True) if data["goal"]] == ["T" * 9]


def test_nodes_carry_the_numbers_of_the_textbook() -> None:
    # The first coin is the highest bit, H = 0, T = 1.
    problem = NineTailsProblem()
    for graph in (
        search_graph(view_of(problem), roots=problem.possible_starts()),
        tree_graph(problem, distance_table(problem)),
    ):
        numbers = {data["label"]: data["number"] for _, data in graph.nodes(data=True)}
        assert sorted(numbers.values()) == list(range(512))
        assert (numbers["HHHTTTHHH"], numbers["THHHHHHHH"], numbers["TTTTTTTTT"]) == (0b000111000, 256, 511)
    assert "number" not in search_graph(view_of(DevilProblem(n=2))).nodes[0]
