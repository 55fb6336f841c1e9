"""`beliefsearch export`: graphs that networkx reads back without loss."""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from itertools import accumulate, product
from pathlib import Path
from typing import Any, TypeAlias

import networkx as nx
import pytest
from attrs import frozen

from ..answers import assert_one_line
from ..conftest import Run
from ..examples import thorough
from ..problems.layers import layers
from ..toys import toy
from .test_show import turns, update

Members: TypeAlias = tuple[str, ...]

FORMATS = ["json", "graphml", "gexf", "dot"]

TOLLS = toy("tolls")


@frozen
class Node:
    size: int
    g: float
    goal: bool
    on_plan: bool


@frozen
class Read:
    """A graph read back: nodes by members, edges as (members, members, action, cost)."""

    nodes: dict[Members, Node]
    edges: set[tuple[Members, Members, str, Any]]
    number_of_edges: int


def plain(value: Any) -> Any:
    """A value of a DOT file, in which everything is text; the documented escapes undone."""
    if not isinstance(value, str):
        return value
    if value.startswith('"') and value.endswith('"') and len(value) > 1:
        return re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL)
    return value


def number(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return Fraction(value) if "/" in value else float(value)


def yes(value: Any) -> bool:
    assert value in (True, False, "true", "false")
    return value in (True, "true")


def read(path: Path, form: str) -> Read:
    graph: Any
    if form == "json":
        graph = nx.node_link_graph(json.loads(path.read_text()), edges="edges")
    elif form == "graphml":
        graph = nx.read_graphml(path)
    elif form == "gexf":
        graph = nx.read_gexf(path)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # pydot uses old names of pyparsing
            graph = nx.nx_pydot.read_dot(path)
    members_of: dict[Hashable, Members] = {}
    nodes: dict[Members, Node] = {}
    for name, data in graph.nodes(data=True):
        members = plain(data["members"])
        members_of[name] = tuple(members if isinstance(members, list) else json.loads(members))
        size, g, goal, on_plan = (plain(data[key]) for key in ("size", "g", "goal", "on_plan"))
        assert members_of[name] not in nodes, "a belief is one node"
        nodes[members_of[name]] = Node(int(size), number(g), yes(goal), yes(on_plan))
    edges = [
        (members_of[tail], members_of[head], plain(data["action"]), number(plain(data["cost"])))
        for tail, head, data in graph.edges(data=True)
    ]
    return Read(nodes, set(edges), len(edges))


def devil_graph() -> Read:
    """Everything reachable with four coins, by the definition; a goal is not left again."""
    all_four, cross, pair, three = [0, 1, 2, 3], [0, 2], [0, 1], [0, 1, 2]
    moves = [all_four, three, pair, cross, [0], []]
    half = [all_four, cross, all_four, pair, all_four, cross, all_four]
    start = frozenset(min(turns("".join(coins))) for coins in product("HT", repeat=4))
    on_plan = set(accumulate([*half, three, *half], update, initial=start))  # the published plan

    def following(belief: frozenset[str]) -> list[frozenset[str]]:
        return [] if belief == {"HHHH"} else [update(belief, move) for move in moves]

    def key(belief: frozenset[str]) -> Members:
        return tuple(sorted(belief))

    depths = {belief: depth for depth, layer in enumerate(layers([start], following)) for belief in layer}
    edges = {
        (key(belief), key(child), "{" + ", ".join(map(str, move)) + "}", 1)
        for belief in depths
        for move, child in zip(moves, following(belief), strict=False)
    }
    nodes = {
        key(belief): Node(len(belief), depth, belief == {"HHHH"}, belief in on_plan) for belief, depth in depths.items()
    }
    return Read(nodes, edges, len(edges))


@pytest.mark.parametrize("form", [thorough(form) if form == "dot" else form for form in FORMATS])  # read in seconds
def test_every_format_holds_all_beliefs_with_what_they_carry(cli: Run, folder: Path, form: str) -> None:
    code, out, _ = cli("export", "devil", "--n", 4, "--format", form, "--output", "graph")
    assert (code, out) == (0, "")
    found = read(folder / "graph", form)
    expected = devil_graph()
    assert {tuple(sorted(members)): node for members, node in found.nodes.items()} == expected.nodes
    assert {
        (tuple(sorted(tail)), tuple(sorted(head)), action, cost) for tail, head, action, cost in found.edges
    } == expected.edges
    assert found.number_of_edges == expected.number_of_edges


@pytest.mark.parametrize("form", FORMATS)
def test_costs_of_every_kind_come_back_exactly(cli: Run, folder: Path, form: str) -> None:
    (folder / "tolls.py").write_text(TOLLS)
    assert cli("export", "./tolls.py", "--format", form, "--output", "graph")[0] == 0
    found = read(folder / "graph", form)
    assert {(action, cost) for tail, _, action, cost in found.edges if tail == ("1",)} == {
        ("whole", 2),
        ("float", 0.1),
        ("fraction", Fraction(1, 3)),
        ("nothing", 0),
    }
    assert found.number_of_edges == 8, "parallel edges are kept"
    assert {members: node.g for members, node in found.nodes.items()} == {("0",): 0, ("1",): 1, ("2",): 1}


@pytest.mark.parametrize("form", FORMATS)
def test_the_format_is_told_by_the_name_of_the_file(cli: Run, folder: Path, form: str) -> None:
    assert cli("export", "devil", "--n", 2, "--output", f"graph.{form}")[0] == 0
    assert len(read(folder / f"graph.{form}", form).nodes) >= 4


def test_the_same_call_writes_the_same_file(cli: Run, folder: Path) -> None:
    for name in ("first.json", "second.json"):
        cli("export", "devil", "--output", name)
    assert (folder / "first.json").read_bytes() == (folder / "second.json").read_bytes()


def test_the_whole_graph_of_nine_tails_has_every_board(cli: Run, folder: Path) -> None:
    assert cli("export", "nine-tails", "--all", "--legal", "any", "--output", "boards.json")[0] == 0
    found = read(folder / "boards.json", "json")
    assert set(found.nodes) == {("".join(board),) for board in product("HT", repeat=9)}
    assert found.number_of_edges == 511 * 9, "all boards but the goal have nine moves"
    assert [members for members, node in found.nodes.items() if node.goal] == [("T" * 9,)]


def test_the_states_of_a_plain_problem_are_its_nodes(cli: Run, folder: Path) -> None:
    assert cli("export", "nine-tails", "--start", "HHHTTTHHH", "--output", "boards.json")[0] == 0
    found = read(folder / "boards.json", "json")
    on_plan = {members[0] for members, node in found.nodes.items() if node.on_plan}
    assert on_plan == {"HHHTTTHHH", "HHHTHTTTT", "TTTTTTTTT"}
    assert all(node.size == 1 for node in found.nodes.values())
    assert {members[0]: node.g for members, node in found.nodes.items() if node.on_plan} == {
        "HHHTTTHHH": 0,
        "HHHTHTTTT": 1,
        "TTTTTTTTT": 2,
    }


def test_a_problem_that_cannot_be_won_is_exported_without_a_plan(cli: Run, folder: Path) -> None:
    assert cli("export", "devil", "--n", 3, "--output", "graph.json")[0] == 0
    found = read(folder / "graph.json", "json")
    assert len(found.nodes) == 2, "the two beliefs that can be reached with three coins"
    assert not any(node.on_plan and node.g > 0 for node in found.nodes.values())
    assert not any(node.goal for node in found.nodes.values())


def test_a_graph_that_a_limit_cut_short_is_undecided_and_says_so(cli: Run, folder: Path) -> None:
    code, _, err = cli("export", "devil", "--max-nodes", 5, "--output", "graph.json")
    assert code == 3
    assert "not complete" in err
    assert len(read(folder / "graph.json", "json").nodes) == 5


def test_the_tree_of_nine_tails_has_every_board_with_its_number_and_distance(cli: Run, folder: Path) -> None:
    code, _, err = cli("export", "nine-tails", "--tree", "--output", "tree.graphml")
    assert (code, err) == (0, "tree.graphml: 512 nodes, 511 edges, graphml\n")
    graph: Any = nx.read_graphml(folder / "tree.graphml")
    found = {data["label"]: (data["number"], data["distance"]) for _, data in graph.nodes(data=True)}
    assert found["TTTTTTTTT"] == (511, 0)
    assert found["HHHTTTHHH"] == (56, 2)
    assert max(graph.out_degree(node) for node in graph) == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("devil --tree", "devil cannot be walked backwards, which --tree needs"),
        ("nine-tails --blindfold --tree", "cannot be walked backwards"),
        ("nine-tails --tree --max-nodes 5", "--max-nodes does not go with --tree"),
    ],
)
def test_there_are_trees_of_problems_that_can_be_walked_backwards_only(cli: Run, words: str, complaint: str) -> None:
    assert_one_line(cli("export", *words.split(), "--output", "tree.json"), complaint)


def test_a_graph_is_the_same_with_arrays(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("export", "devil", "--n", 6, "--no-plan", "--output", "bits.json")[0] == 0
    monkeypatch.setattr("beliefsearch.graph.build._MANY", 10)
    assert cli("export", "devil", "--n", 6, "--no-plan", "--output", "arrays.json")[0] == 0
    bits, arrays = (json.loads((folder / name).read_text()) for name in ("bits.json", "arrays.json"))

    def edges(graph: Any) -> Counter[tuple[Any, ...]]:
        members = {node["id"]: tuple(sorted(node["members"])) for node in graph["nodes"]}
        links = graph.get("edges") or graph["links"]
        return Counter((members[edge["source"]], edge["action"], members[edge["target"]]) for edge in links)

    assert edges(bits) == edges(arrays)


@pytest.mark.parametrize(
    ("words", "beliefs", "edges"),
    [("vacuum", 12, {"Left", "Right", "Suck"}), ("vacuum --sensing local", 13, {"Suck: A, clean"})],
)
def test_the_graph_of_beliefs_is_drawn(cli: Run, folder: Path, words: str, beliefs: int, edges: set[str]) -> None:
    _, out, err = cli("export", *words.split(), "--no-plan", "--output", "graph.svg")
    svg = (folder / "graph.svg").read_text(encoding="utf-8")
    assert (out, err) == ("", f"graph.svg: the graph of {words}, svg\n")
    assert len(re.findall(r'<rect [^>]*rx="8"[^>]*stroke=', svg)) == beliefs
    assert all(f">{edge}</text>" in svg for edge in edges)
    assert cli("export", *words.split(), "--no-plan", "--max-nodes", 3, "--output", "few.svg")[0] == 0
    assert "the first 3 beliefs; the others are left out" in (folder / "few.svg").read_text(encoding="utf-8")
    assert cli("export", "gambler", "--no-plan", "--output", "graph.svg")[0] == 2
    assert cli("export", "tiger", "--no-plan", "--output", "graph.svg")[0] == 0


def test_that_equivalent_states_count_as_one_is_said(cli: Run, folder: Path) -> None:
    _, _, err = cli("export", "devil", "--n", 5, "--no-plan", "--output", "graph.json")
    assert "2 nodes" in err
    assert "equivalent states count as one, with --no-canonical each counts" in err
    _, _, err = cli("export", "devil", "--n", 5, "--no-canonical", "--no-plan", "--output", "graph.json")
    assert "47 nodes" in err
    assert "equivalent" not in err


def test_a_tree_is_drawn_with_a_dot_for_each_state(cli: Run, folder: Path) -> None:
    assert cli("export", "nine-tails", "--tree", "--output", "tree.svg")[0] == 0
    svg = (folder / "tree.svg").read_text(encoding="utf-8")
    assert svg.count("<circle") == 512
    assert svg.count("<polyline") == 511
    cli("export", "nine-tails", "--rows", 2, "--cols", 2, "--tree", "--output", "small.svg")
    assert all(f">{''.join(board)}</text>" in (folder / "small.svg").read_text() for board in product("HT", repeat=4))
