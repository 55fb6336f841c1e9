"""Graph files as other programs need them: the rules of their schemas, the look of nodes, and large graphs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tracemalloc
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given

from beliefsearch import solve
from beliefsearch.engine.views import view_of
from beliefsearch.graph import belief_graph
from beliefsearch.graph.build import searched_graph
from beliefsearch.graph.graph_files import FORMATS, GraphFile
from beliefsearch.graph.search_graph import TreeStream, search_walk
from beliefsearch.graph.stream import GraphStream, as_stream
from beliefsearch.plans.result import plan_of
from beliefsearch.running.limits import Budget
from beliefsearch.solvers import distance_table
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem

from ..conftest import Run
from ..random_problems import TableBeliefProblem, TableProblem, belief_problems
from ..toys import method, toy
from ..toys.made import derived
from ..waiting import once_begun
from .built import graph_text, search_graph

GEXF, VIZ = "{http://www.gexf.net/1.2draft}", "{http://www.gexf.net/1.2draft/viz}"
GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"

# What the schemas say of the elements that we write: the attributes that must be there, those that may be, and
# what may stand inside. (Orders: GraphML has keys before graphs and data anywhere; GEXF lets all of these mix.)
GEXF_RULES: Mapping[str, tuple[set[str], set[str], set[str]]] = {
    "gexf": ({"version"}, {"variant"}, {"meta", "graph"}),
    "meta": (set(), {"lastmodifieddate"}, {"creator", "keywords", "description"}),
    "creator": (set(), set(), set()),
    "description": (set(), set(), set()),
    "graph": (
        set(),
        {"defaultedgetype", "idtype", "mode", "start", "end", "timeformat"},
        {"attributes", "nodes", "edges"},
    ),
    "attributes": ({"class"}, {"mode", "start", "end"}, {"attribute"}),
    "attribute": ({"id", "title", "type"}, set(), {"default", "options"}),
    "nodes": (set(), {"count"}, {"node"}),
    "node": ({"id"}, {"label", "start", "end", "pid"}, {"attvalues", "color", "position", "size", "shape"}),
    "edges": (set(), {"count"}, {"edge"}),
    "edge": ({"id", "source", "target"}, {"label", "type", "weight"}, {"attvalues", "color", "thickness", "shape"}),
    "attvalues": (set(), set(), {"attvalue"}),
    "attvalue": ({"for", "value"}, {"start", "end"}, set()),
    "color": ({"r", "g", "b"}, set(), set()),  # the schema has `a` too, and we do not
    "position": ({"x", "y", "z"}, set(), set()),
    "size": ({"value"}, set(), set()),
    "thickness": ({"value"}, set(), set()),
}
GRAPHML_RULES: Mapping[str, tuple[set[str], set[str], set[str]]] = {
    "graphml": (set(), set(), {"desc", "key", "data", "graph"}),
    "key": ({"id"}, {"for", "attr.name", "attr.type"}, {"desc", "default"}),
    "graph": ({"edgedefault"}, {"id"}, {"desc", "data", "node", "edge"}),
    "node": ({"id"}, set(), {"desc", "data"}),
    "edge": ({"source", "target"}, {"id", "directed"}, {"desc", "data"}),
    "data": ({"key"}, {"id"}, set()),
}
TYPES: Mapping[str, Callable[[str], object]] = {
    "boolean": {"true": True, "false": False}.__getitem__,
    "long": lambda text: re.fullmatch(r"-?\d+", text) and -(2**63) <= int(text) < 2**63,
    "double": lambda text: text in ("INF", "-INF", "NaN") or re.fullmatch(r"-?[0-9.]+([eE][-+]?\d+)?", text),
    "string": lambda text: True,
}

HARD = ["]]>", "<![CDATA[", "lone \ud800", "\ufffe", "\r\n", "]", "}; x -> y", "# //", "/* */", "-->", "x" * 100_000]


def exported(problem: Any, *, with_plan: bool = True) -> GraphStream:
    plan = plan_of(solve(problem)) if with_plan else None
    return searched_graph(problem, plan, Budget(), max_nodes=None, all_starts=False)


def walked(problem: Any, **options: Any) -> GraphStream:
    return search_walk(problem, budget=Budget(), at_once=False, **options)


# A graph of every sort, as `export` writes it.
SORTS: Mapping[str, Callable[[], GraphStream]] = {
    "plain": lambda: exported(NineTailsProblem(start="HHHTTTHHH")),
    "sensorless": lambda: exported(DevilProblem(n=4)),
    "plan": lambda: exported(CounterfeitCoinProblem(coins=4)),
    "and-or": lambda: exported(CounterfeitCoinProblem(coins=4), with_plan=False),
    "chance": lambda: exported(MontyHallProblem()),
    "floats": lambda: exported(RiddlerFlipsProblem(flips=3)),
    "tree": lambda: TreeStream(NineTailsProblem(), distance_table(NineTailsProblem())),
    "hard": lambda: walked(view_of(hard_problem())),
    "stopped": lambda: walked(view_of(DevilProblem(n=4)), max_nodes=5),
    "nothing": lambda: walked(view_of(DevilProblem(n=4)), max_nodes=0),
    "costs": lambda: walked(WEIGHED(0, ({"a": 1, "b": 2}, {}, {}), frozenset({2}))),
}


@pytest.fixture(params=SORTS)
def graph(request: pytest.FixtureRequest) -> GraphStream:
    return SORTS[request.param]()


# A cost that is no whole number, and one of more than 64 bits.
WEIGHED: Any = derived(TableProblem, action_cost=lambda _, action: {"a": 0.1, "b": 10**30}[action])


class Hard(TableBeliefProblem):
    def format_state(self, state: int) -> str:
        return HARD[state]

    def format_action(self, action: str) -> str:
        return HARD[int(action)]


def hard_problem() -> Hard:
    row: dict[str, tuple[int, ...]] = {str(number): (number,) for number in range(len(HARD))}
    return Hard(tuple(range(len(HARD))), tuple(row for _ in HARD), (frozenset({3}),))


def check_rules(root: Any, rules: Mapping[str, tuple[set[str], set[str], set[str]]]) -> None:
    """Each element has the attributes that it must have, no others, and holds only what it may."""
    for element in root.iter():
        must, may, inside = rules[bare(element.tag)]
        found = {name for name in element.attrib if not name.startswith("{")}
        assert must <= found <= must | may, element.tag
        assert {bare(child.tag) for child in element} <= inside


def bare(tag: str) -> str:
    return tag.partition("}")[2]


def test_gexf_keeps_the_rules_of_its_schema(graph: GraphStream) -> None:
    root = ElementTree.fromstring(graph_text(graph, "gexf"))
    check_rules(root, GEXF_RULES)
    for element in root.iter():
        space = VIZ if bare(element.tag) in ("color", "position", "size", "thickness") else GEXF
        assert element.tag.startswith(space)
    nodes = {node.attrib["id"] for node in root.iter(f"{GEXF}node")}
    edges = list(root.iter(f"{GEXF}edge"))
    assert (len(nodes), len(edges)) == (graph.number_of_nodes(), graph.number_of_edges())
    assert {edge.attrib[end] for edge in edges for end in ("source", "target")} <= nodes
    assert len({edge.attrib["id"] for edge in edges}) == len(edges)
    for thing in ("node", "edge"):
        (declared,) = (one for one in root.iter(f"{GEXF}attributes") if one.attrib["class"] == thing)
        types = {attribute.attrib["id"]: attribute.attrib["type"] for attribute in declared}
        for element in root.iter(f"{GEXF}{thing}"):
            (values,) = element.findall(f"{GEXF}attvalues")
            assert len({value.attrib["for"] for value in values}) == len(values)
            for value in values:
                assert TYPES[types[value.attrib["for"]]](value.attrib["value"]) is not None
    for colour in root.iter(f"{VIZ}color"):
        assert all(0 <= int(part) <= 255 for part in colour.attrib.values())


def test_graphml_keeps_the_rules_of_its_schema(graph: GraphStream) -> None:
    root = ElementTree.fromstring(graph_text(graph, "graphml"))
    check_rules(root, GRAPHML_RULES)
    order = [bare(child.tag) for child in root]
    assert order == sorted(order, key=["key", "graph"].index), "keys come before the graph"
    keys = {key.attrib["id"]: key.attrib for key in root.iter(f"{GRAPHML}key")}
    assert len(keys) == order.count("key")
    for element in root.iter():
        data = element.findall(f"{GRAPHML}data")
        assert len({one.attrib["key"] for one in data}) == len(data)
        for one in data:
            key = keys[one.attrib["key"]]
            assert key["for"] == bare(element.tag)
            assert TYPES[key["attr.type"]](one.text or "") is not None
    names = [(key["for"], key["attr.name"]) for key in keys.values()]
    assert len(set(names)) == len(names)
    nodes = {node.attrib["id"] for node in root.iter(f"{GRAPHML}node")}
    ends = {edge.attrib[end] for edge in root.iter(f"{GRAPHML}edge") for end in ("source", "target")}
    assert all(re.fullmatch(r"[\w.:-]+", node) for node in nodes), "an NMTOKEN"
    assert ends <= nodes


def test_dot_has_no_word_that_gephi_takes_for_a_node(graph: GraphStream) -> None:
    # Its reader knows words, texts in quotes with backslashes, and brackets; a word outside of them is a node.
    text = graph_text(graph, "dot")
    head, text = text.split("\n", 1)
    assert head == f"// {json.dumps(graph.about)}"
    token = re.compile(r'"(?:\\.|[^"\\])*"|[^\s\[\]{}>/*,"=;-]+|\S', re.DOTALL)
    depth, outside = 0, []
    for part in token.findall(text):
        depth += (part == "[") - (part == "]")
        assert depth in (0, 1)
        if depth == 0 and part not in "[]":
            outside.append(part)
    assert outside[:2] == ["digraph", "{"]
    assert outside[-1] == "}"
    words = [part for part in outside[2:-1] if part not in "->;"]
    assert all(word.isdecimal() for word in words)
    assert len(words) == graph.number_of_nodes() + 2 * graph.number_of_edges()
    assert not re.search(r"\d!|<<|^\s*(node|edge|graph)\b", re.sub(r'"(?:\\.|[^"\\])*"', '""', text), re.MULTILINE)
    for pos in re.findall(r' pos="([^"]*)"', text):
        assert len([float(part) for part in pos.split(",")]) == 2
    for colour in re.findall(r' color="([^"]*)"', text):
        assert all(0 <= float(part) <= 1 for part in colour.split(" "))


def test_graphviz_reads_dot_and_keeps_the_places(graph: GraphStream, tmp_path: Path) -> None:
    neato = shutil.which("neato")
    if neato is None:
        pytest.skip("Graphviz is not installed")
    path = tmp_path / "graph.dot"
    path.write_bytes(b"".join(GraphFile(graph, "dot")))
    words = [neato, "-n", "-Tplain", "-Gsplines=false", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    assert "rror" not in done.stderr
    rows = [line.split(" ") for line in done.stdout.splitlines() if line.startswith(("node ", "edge "))]
    found = {row[1]: (float(row[2]), float(row[3])) for row in rows if row[0] == "node"}
    assert sum(row[0] == "edge" for row in rows) == graph.number_of_edges()
    written = {node["id"]: (node["x"], node["y"]) for node in json.loads(graph_text(graph, "json"))["nodes"]}
    assert found.keys() == set(map(str, written))
    # Inches from the lower left corner there, of 72 points; points from the middle of the first layer here.
    for node, (x, y) in found.items():
        first, other = written[0], written[int(node)]
        assert x - found["0"][0] == pytest.approx((other[0] - first[0]) / 72, abs=0.01)
        assert y - found["0"][1] == pytest.approx((other[1] - first[1]) / 72, abs=0.01)


def test_igraph_reads_graphml(graph: GraphStream, tmp_path: Path) -> None:
    igraph = pytest.importorskip("igraph", reason="igraph is not installed; it is in the extra `test`")
    path = tmp_path / "graph.graphml"
    path.write_bytes(b"".join(GraphFile(graph, "graphml")))
    read = igraph.Graph.Read_GraphML(str(path))
    assert (read.vcount(), read.ecount()) == (graph.number_of_nodes(), graph.number_of_edges())
    assert read.is_directed()
    if read.vcount():
        shown = [node["color"] for node in json.loads(graph_text(graph, "json"))["nodes"]]
        assert read.vs["color"] == shown
        actions = [row["action"] for _, _, row in graph.edges()]
        assert len(set(read.es["action"])) == len(set(actions))


@given(problem=belief_problems())
def test_nodes_may_be_described_at_once_or_when_they_are_written(problem: TableBeliefProblem) -> None:
    at_once = as_stream(search_graph(view_of(problem)))
    for form in ("graphml", "dot"):
        texts = [graph_text(graph, form) for graph in (at_once, walked(view_of(problem)))]
        assert sorted(texts[0].splitlines()) == sorted(texts[1].splitlines())


def test_nodes_stand_in_layers_from_the_start_downwards() -> None:
    graph = belief_graph(DevilProblem(n=4), solve(DevilProblem(n=4)))
    nodes = json.loads(graph_text(graph, "json"))["nodes"]
    heights: dict[int, list[float]] = {}
    for node in nodes:
        heights.setdefault(node["g"], []).append(node["y"])
    assert all(len(set(layer)) == 1 for layer in heights.values())
    falling = [heights[g][0] for g in sorted(heights)]
    steps = {above - below for above, below in pairwise(falling)}
    assert falling[0] == 0
    assert len(steps) == 1
    assert min(steps) > 0
    for g in heights:
        across = [node["x"] for node in nodes if node["g"] == g]
        assert sum(across) == pytest.approx(0), "from the middle"
        assert across == sorted(set(across)), "in their order, and nobody stands on another"


def test_sizes_and_colours_tell_the_belief_and_its_part(tmp_path: Path) -> None:
    path = tmp_path / "graph.gexf"
    path.write_text(graph_text(belief_graph(DevilProblem(n=4), solve(DevilProblem(n=4))), "gexf"), encoding="utf-8")
    read: Any = nx.read_gexf(path)
    nodes = [data for _, data in read.nodes(data=True)]
    by_size = sorted((data["size"], data["viz"]["size"]) for data in nodes)
    assert len({look for _, look in by_size}) == len({size for size, _ in by_size}), "a diameter for each size"
    assert [look for _, look in by_size] == sorted(look for _, look in by_size), "larger beliefs are larger"
    colours = {
        part: {tuple(data["viz"]["color"][name] for name in "rgb") for data in nodes if part == part_of(data)}
        for part in ("goal", "start", "plan", "other")
    }
    assert all(len(shown) == 1 for shown in colours.values())
    assert len(set().union(*colours.values())) == 4
    edges = list(ElementTree.parse(path).iter(f"{GEXF}edge"))
    drawn = [edge.attrib["label"] for edge in edges if edge.find(f"{VIZ}color") is not None]
    assert drawn == [data["action"] for *_, data in read.edges(data=True) if data["on_plan"]]


def part_of(data: Mapping[str, Any]) -> str:
    return "goal" if data["goal"] else "start" if data["g"] == 0 else "plan" if data["on_plan"] else "other"


def test_labels_are_short_and_the_text_is_whole() -> None:
    text = graph_text(search_graph(view_of(hard_problem())), "json")
    read = json.loads(text)
    assert {node["label"] for node in read["nodes"] if node["size"] == 1} == {*HARD[:-1], "1 states"}
    assert [node["members"] for node in read["nodes"] if node["members"] == [HARD[-1]]]
    root = ElementTree.fromstring(graph_text(search_graph(view_of(hard_problem())), "gexf"))
    assert max(len(element.attrib["label"]) for element in root.iter() if "label" in element.attrib) == 200


@pytest.mark.few(2)
@pytest.mark.parametrize("form", FORMATS)
def test_a_file_is_never_in_memory_as_a_whole(form: str) -> None:
    size = 1500
    table = tuple({str(number): (4 * state + number) % size for number in range(4)} for state in range(size))
    graph = walked(TableProblem(0, table, frozenset()))
    length = sum(map(len, GraphFile(graph, form)))  # and what is loaded once is loaded
    tracemalloc.start()
    assert sum(map(len, GraphFile(graph, form))) == length
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < length / 2


def test_a_walk_makes_no_object_of_networkx(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a graph of networkx was made")

    monkeypatch.setattr(nx.MultiDiGraph, "__init__", refuse)
    for words in ("devil", "nine-tails --all", "nine-tails --tree", "counterfeit-coin --coins 4 --no-plan"):
        code, _, err = cli("export", *words.split(), "--output", "graph.gexf")
        assert (code, "nodes" in err) == (0, True)


SLOW = (
    toy("walk")
    + method("result", "return min(state + 1, 1000)")
    + method("is_goal", "return False")
    + method("format_state", "CLAUSE\n        return str(state)")
)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("clause", "code", "words"),
    [
        ("__import__('time').sleep(0.01)", 3, "while the file was being written; --max-nodes makes a smaller graph"),
        ("if state == 999: raise ValueError('no words for it')", 2, "no words for it"),
        ("if state == 999: raise KeyboardInterrupt", 3, "interrupted"),
    ],
)
def test_a_file_without_end_is_not_begun(cli: Run, folder: Path, form: str, clause: str, code: int, words: str) -> None:
    (folder / "slow.py").write_text(SLOW.replace("CLAUSE", clause))
    line = ("export", "./slow.py", "--no-plan", "--format", form, "--output", "graph")

    def run(seconds: float) -> tuple[int, str, str]:
        (folder / "graph").write_text("as before")
        return cli(*line, *(("--time-limit", seconds) if "sleep" in clause else ()))

    found, out, err = once_begun(lambda found: words in found[1] + found[2], run)
    assert found == code
    assert words in out + err
    assert (folder / "graph").read_text() == "as before"
    assert not list(folder.glob(".*part"))


@pytest.mark.few(2)
@pytest.mark.parametrize("form", FORMATS)
def test_a_stopped_walk_is_written_whole(cli: Run, folder: Path, form: str) -> None:
    # Where it is stopped does not depend on how busy the machine is: Ctrl-C comes at a state, not at a time.
    interrupt = "if state == 300:\n            __import__('_signal').raise_signal(2)\n        return min("
    (folder / "slow.py").write_text(SLOW.replace("CLAUSE", "pass").replace("return min(", interrupt))
    code, _, err = cli("export", "./slow.py", "--no-plan", "--format", form, "--output", "graph")
    assert code == 3
    assert "the graph is not complete: it was interrupted" in err
    text = (folder / "graph").read_text()
    assert text.rstrip().endswith({"graphml": "</graphml>", "gexf": "</gexf>", "dot": "}", "json": "]}"}[form])
