"""`beliefsearch export`: graphs that are read back without loss."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import accumulate, product
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.graph import read_graph

from ..benchmarks.reference import canonical_belief, update
from ..conftest import Run
from ..problems.layers import layers
from ..toys import toy

FORMATS = ["json", "graphml", "gexf", "dot"]

TOLLS = toy("tolls")


def test_all_beliefs_are_written_with_what_they_carry(cli: Run, folder: Path) -> None:
    """By the definition; a goal is not left again. Files hold the same in every format: tests/graph."""
    assert cli("export", "devil", "--n", 4, "--output", "graph.json")[:2] == (0, "")
    all_four, cross, pair, three = [0, 1, 2, 3], [0, 2], [0, 1], [0, 1, 2]
    moves = [all_four, three, pair, cross, [0], []]
    half = [all_four, cross, all_four, pair, all_four, cross, all_four]
    start = canonical_belief(map("".join, product("HT", repeat=4)))
    on_plan = set(accumulate([*half, three, *half], update, initial=start))  # the published plan

    def following(belief: frozenset[str]) -> list[frozenset[str]]:
        return [] if belief == {"HHHH"} else [update(belief, move) for move in moves]

    depths = {belief: depth for depth, layer in enumerate(layers([start], following)) for belief in layer}
    graph = read_graph("graph.json")
    beliefs = {node: frozenset(data["members"]) for node, data in graph.nodes(data=True)}
    assert {beliefs[n]: (d["size"], d["g"], d["goal"], d["on_plan"]) for n, d in graph.nodes(data=True)} == {
        belief: (len(belief), depth, belief == {"HHHH"}, belief in on_plan) for belief, depth in depths.items()
    }
    edges = Counter((beliefs[t], beliefs[h], d["action"], d["cost"]) for t, h, d in graph.edges(data=True))
    assert edges == Counter(
        (belief, child, "{" + ", ".join(map(str, move)) + "}", 1)
        for belief in depths
        for move, child in zip(moves, following(belief), strict=False)
    )


@pytest.mark.parametrize("form", FORMATS)
def test_costs_of_every_kind_come_back_exactly(cli: Run, folder: Path, form: str) -> None:
    (folder / "tolls.py").write_text(TOLLS)
    assert cli("export", "./tolls.py", "--output", f"graph.{form}")[0] == 0  # the format is told by the name
    graph = read_graph(f"graph.{form}")
    costs = {d["action"]: d["cost"] for t, _, d in graph.edges(data=True) if graph.nodes[t]["members"] == ["1"]}
    assert costs == {"whole": 2, "float": 0.1, "fraction": "1/3", "nothing": 0}
    assert graph.number_of_edges() == 8, "parallel edges are kept"
    assert [(data["members"], data["g"]) for _, data in graph.nodes(data=True)] == [(["0"], 0), (["1"], 1), (["2"], 1)]


def test_the_same_call_writes_the_same_file(cli: Run, folder: Path) -> None:
    for name in ("first.json", "second.json"):
        cli("export", "devil", "--output", name)
    assert (folder / "first.json").read_bytes() == (folder / "second.json").read_bytes()


def test_the_states_of_a_plain_problem_are_its_nodes(cli: Run, folder: Path) -> None:
    assert cli("export", "nine-tails", "--start", "HHHTTTHHH", "--output", "boards.json")[0] == 0
    nodes = [data for _, data in read_graph("boards.json").nodes(data=True)]
    on_plan = {data["members"][0]: data["g"] for data in nodes if data["on_plan"]}
    assert on_plan == {"HHHTTTHHH": 0, "HHHTHTTTT": 1, "TTTTTTTTT": 2}
    assert all(data["size"] == 1 for data in nodes)


def test_a_problem_that_cannot_be_won_is_exported_without_a_plan(cli: Run, folder: Path) -> None:
    assert cli("export", "devil", "--n", 3, "--output", "graph.json")[0] == 0
    nodes = [data for _, data in read_graph("graph.json").nodes(data=True)]
    assert len(nodes) == 2, "the two beliefs that can be reached with three coins"
    assert not any(data["goal"] or (data["on_plan"] and data["g"]) for data in nodes)


def test_a_graph_that_a_limit_cut_short_is_undecided_and_says_so(cli: Run, folder: Path) -> None:
    code, _, err = cli("export", "devil", "--max-nodes", 5, "--output", "graph.json")
    assert code == 3
    assert "not complete" in err
    assert len(read_graph("graph.json")) == 5


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
