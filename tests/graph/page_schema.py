"""What page data must look like, whatever problem it is of: types, ranges of numbers and lengths of columns."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import accumulate
from math import isfinite
from typing import Any


class Parts(HTMLParser):
    """The elements of a page that hold text: what is inside each script and style, and the policy."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self.policy = ""
        self.title = ""
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self._open: tuple[str, dict[str, str | None], list[str]] | None = None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        if tag in ("script", "style", "title"):
            self._open = tag, given, []

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._open[2].append(data)

    def handle_endtag(self, tag: str) -> None:
        if self._open is None or tag != self._open[0]:
            return
        _, given, pieces = self._open
        text = "".join(pieces)
        if tag == "script":
            self.scripts.append((given, text))
        elif tag == "style":
            self.styles.append(text)
        else:
            self.title = text
        self._open = None


def data_of(page: str) -> Any:
    """The data in a page, as its script reads them."""
    ((_, text),) = [script for script in Parts(page).scripts if script[0].get("id") == "data"]
    return unpacked(json.loads(text))


def unpacked(data: Any) -> Any:
    """Page data with columns, texts and drawings written out, as scripts/unpack.js does it."""
    shapes = data.pop("shapes")
    data = written_out(data)
    names = data["states"]["names"]
    for graph in data["graphs"]:
        nodes = graph["nodes"]
        nodes["members"] = [[entry] if isinstance(entry, int) else entry for entry in nodes["members"]]
        nodes["text"] = [
            text if isinstance(text, str) else (names[members[0]] if text == 0 else f"{size:,} states")
            for text, size, members in zip(nodes["text"], nodes["size"], nodes["members"], strict=True)
        ]
    data["drawings"] = [
        [width, height, "".join(map(shapes.__getitem__, parts))] for width, height, parts in data["drawings"]
    ]
    return data


def written_out(value: Any) -> Any:
    """A value with all columns in it written out."""
    if isinstance(value, list):
        return list(map(written_out, value)) if value and isinstance(value[0], dict) else value
    if not isinstance(value, dict):
        return value
    if "runs" in value:
        pairs = zip(value["runs"][::2], value["runs"][1::2], strict=True)
        return [entry for entry, count in pairs for _ in range(count)]
    if "steps" in value:
        return list(accumulate(written_out(value["steps"])))
    return {key: written_out(inner) for key, inner in value.items()}


def checked(data: Any) -> Any:
    """The same data, checked to be as a page needs them."""
    assert set(data) == {
        *("version", "title", "summary", "story", "kind", "adversary", "answer", "why", "notes", "drawings", "states"),
        *("actions", "percepts", "start", "goal_sets", "moves", "values", "policy", "plan", "graphs", "odds", "costs"),
        "certificate",
    }
    assert data["version"] == 1
    assert data["kind"] in ("plain", "sensorless", "contingent", "stochastic")
    assert isinstance(data["adversary"], bool)
    texts([data[name] for name in ("title", "summary", "story")])
    texts(data["why"])
    texts(data["notes"])
    _answer(data["answer"])
    for width, height, shapes in data["drawings"]:
        assert width > 0 < height
        assert isinstance(shapes, str)
    assert len({json.dumps(row) for row in data["drawings"]}) == len(data["drawings"])
    tables = Sizes(data)
    columns(data["states"], names=texts, drawing=tables.drawing, goal=bits)
    columns(data["actions"], names=texts, words=texts, marks=tables.drawing)
    columns(data["percepts"], names=texts)
    assert data["percepts"]["names"][0] == ""
    assert len(set(data["start"])) == len(tables.state(data["start"]))
    if data["odds"] is not None:
        shares(data["odds"])
        assert len(data["odds"]) == len(data["start"])
        assert abs(sum(data["odds"]) - 1) < 1e-9
    for goals in data["goal_sets"] or ():
        tables.state(goals)
    if data["moves"] is not None:
        assert isinstance(data["moves"]["whole"], bool)
        columns(
            {name: column for name, column in data["moves"].items() if column is not None and name != "whole"},
            state=tables.state,
            action=tables.action,
            result=tables.state,
            percept=tables.percept,
            cost=numbers,
            **({} if data["moves"]["probability"] is None else {"probability": shares}),
            **({} if data["moves"]["reward"] is None else {"reward": lambda paid: isinstance(paid, float)}),
        )
    if data["values"] is not None:
        columns(data["values"], text=texts, number=lambda column: numbers([n for n in column if n is not None]))
        assert len(data["values"]["text"]) == len(data["states"]["names"])
    if data["policy"] is not None:
        assert len(tables.action(data["policy"], least=-1)) == len(data["states"]["names"])
    assert (data["values"] is None) == (data["policy"] is None)
    if data["plan"] is not None:
        _plan(data["plan"], tables)
    for graph in data["graphs"]:
        _graph(graph, tables)
    return data


class Sizes:
    """How long the tables are, by which numbers in other columns are judged."""

    def __init__(self, data: Any) -> None:
        self._sizes = {name: len(data[name]["names"]) for name in ("states", "actions", "percepts")}
        self._drawings = len(data["drawings"])

    def state(self, column: Sequence[Any]) -> Sequence[Any]:
        return places(column, self._sizes["states"])

    def action(self, column: Sequence[Any], least: int = 0) -> Sequence[Any]:
        return places(column, self._sizes["actions"], least)

    def percept(self, column: Sequence[Any]) -> Sequence[Any]:
        return places(column, self._sizes["percepts"])

    def drawing(self, column: Sequence[Any]) -> Sequence[Any]:
        return places(column, self._drawings, -1)


def columns(table: Any, **rules: Any) -> int:
    """Columns of one length, each kept by its rule; gives the length."""
    assert set(rules) == set(table)
    for name, rule in rules.items():
        rule(table[name])
    (length,) = {len(column) for column in table.values()}
    return int(length)


def places(column: Sequence[Any], size: int, least: int = 0) -> Sequence[Any]:
    assert all(type(place) is int and least <= place < size for place in column)
    return column


def texts(column: Sequence[Any]) -> None:
    assert all(isinstance(text, str) for text in column)


def bits(column: Sequence[Any]) -> None:
    assert set(column) <= {0, 1}
    assert all(type(bit) is int for bit in column)


def numbers(column: Sequence[Any]) -> None:
    assert all(type(number) in (int, float) and isfinite(number) for number in column)


def shares(column: Sequence[Any]) -> None:
    numbers(column)
    assert all(0 < share <= 1 for share in column)


def _answer(answer: Any) -> None:
    assert set(answer) == {"text", "status", "cost", "optimal"}
    texts([answer["text"]])
    assert answer["status"] in ("solved", "unsolvable", "undecided")
    numbers([] if answer["cost"] is None else [answer["cost"]])
    assert isinstance(answer["optimal"], bool)
    assert not re.search(r"\n", answer["text"])


def _plan(plan: Any, tables: Sizes) -> None:
    following = plan.pop("next")
    assert plan.pop("root") == 0
    nodes = columns(
        plan,
        action=lambda column: tables.action(column, least=-1),
        belief=lambda column: [tables.state(states) for states in column],
        size=lambda column: places(column, 10**9, -1),
        picture=tables.drawing,
    )
    assert nodes > 0
    for states, size in zip(plan["belief"], plan["size"], strict=True):
        assert len(set(states)) == len(states) <= max(size, 0)
    columns(
        following,
        node=lambda column: places(column, nodes),
        percept=tables.percept,
        child=lambda column: places(column, nodes),
    )
    # What is done goes on somewhere, unless the plan was cut; an end does not.
    assert all(plan["action"][node] != -1 for node in following["node"])
    plan.update(next=following, root=0)


def _graph(graph: Any, tables: Sizes) -> None:
    assert set(graph) == {"name", "title", "complete", "nodes", "edges"}
    assert graph["name"] in ("beliefs", "plan", "states")
    assert isinstance(graph["complete"], bool)
    nodes = columns(
        graph["nodes"],
        layer=lambda column: places(column, 10**6),
        size=lambda column: places(column, 10**9, 1),
        members=lambda column: [tables.state(states) for states in column],
        goal=bits,
        on_plan=bits,
        rest=lambda column: numbers([cost for cost in column if cost is not None]),
        action=lambda column: tables.action(column, least=-1),
        picture=tables.drawing,
        text=texts,
    )
    edges = graph["edges"]
    columns(
        {name: column for name, column in edges.items() if column is not None},
        **{"from": lambda column: places(column, nodes), "to": lambda column: places(column, nodes)},
        action=tables.action,
        percept=tables.percept,
        on_plan=bits,
        **({} if edges["probability"] is None else {"probability": shares}),
    )
    # Layers are those of a walk: every node but the first is one step behind another.
    layer = graph["nodes"]["layer"]
    assert layer[0] == 0
    assert layer == sorted(layer)
    entered = {to: min(layer[to], layer[frm] + 1) for frm, to in zip(edges["from"], edges["to"], strict=True)}
    assert all(number in entered for number in range(1, nodes))
    assert all(layer[to] <= layer[frm] + 1 for frm, to in zip(edges["from"], edges["to"], strict=True))
