"""Pages with made-up data, as large as wanted or without some part: what no puzzle gives in a second."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

from beliefsearch.graph.page.build import page_html

_STATES = 64


def made_page(*, nodes: int, layers: int = 6, actions: int = 10, without: str = "") -> str:
    """A page with a graph of `nodes` nodes whose plan goes down its first nodes, one in each layer."""
    return page_html(made_data(nodes, layers, actions, without))


def made_data(nodes: int, layers: int, actions: int, without: str) -> dict[str, Any]:
    """Its data."""
    random = Random(nodes)
    # A node in each layer, and the others anywhere but in the first.
    layer = sorted([*range(layers), *(random.randrange(1, layers) for _ in range(nodes - layers))])
    firsts = [layer.index(number) for number in range(layers)]
    members = [sorted(random.sample(range(_STATES), random.randint(1, 8))) for _ in layer]
    graph = _graph(random, layer, firsts, members, actions)
    moves = {
        "whole": True,
        "state": [state for state in range(_STATES) for _ in range(actions)],
        "action": [action for _ in range(_STATES) for action in range(actions)],
        "result": [(state + action) % _STATES for state in range(_STATES) for action in range(actions)],
        "percept": [0] * (_STATES * actions),
        "probability": None,
        "cost": [1] * (_STATES * actions),
    }
    beliefs = [members[node] for node in firsts]
    bare = without == "beliefs"  # as on the page of a problem with too many states
    plan = {
        "root": 0,
        "action": [*(number % actions for number in range(layers - 1)), -1],
        "belief": [[] for _ in firsts] if bare else beliefs,
        "size": [-1] * layers if bare else list(map(len, beliefs)),
        "picture": [-1] * layers,
        "next": {"node": [*range(layers - 1)], "percept": [0] * (layers - 1), "child": [*range(1, layers)]},
    }
    drawn = without != "drawings"
    return {
        "version": 1,
        "title": f"made --nodes {nodes}",
        "summary": "A page that was made up.",
        "story": "",
        "kind": "sensorless",
        "adversary": False,
        "costs": False,
        "certificate": None,
        "answer": {"text": "solved", "status": "solved", "cost": layers - 1, "optimal": True},
        "why": [],
        "notes": ["What is missing is left out."],
        "drawings": [[100, 100, '<circle cx="50" cy="50" r="40" fill="var(--bright)"/>']] if drawn else [],
        "states": {
            "names": [f"state {number}" for number in range(_STATES)],
            "drawing": [0 if drawn else -1] * _STATES,
            "goal": [int(number == 0) for number in range(_STATES)],
        },
        "actions": {
            "names": [f"action {number}" for number in range(actions)],
            "words": [f"do action {number}" for number in range(actions)],
            "marks": [-1] * actions,
        },
        "percepts": {"names": [""]},
        "start": [] if bare else members[0],
        "goal_sets": None,
        "moves": None if bare or without == "moves" else moves,
        "values": None,
        "policy": None,
        "plan": None if without == "plan" else plan,
        "graphs": [] if without in ("graphs", "beliefs") else [graph],
    }


def _graph(
    random: Random, layer: list[int], firsts: list[int], members: list[list[int]], actions: int
) -> dict[str, Any]:
    """A graph with about four edges from every node to the layer below, and the plan down the first ones."""
    planned = set(firsts)
    below = {number: [node for node, at in enumerate(layer) if at == number + 1] for number in set(layer)}
    edges = [(a, b, number % actions, 1) for number, (a, b) in enumerate(pairwise(firsts))]
    for node, at in enumerate(layer):
        targets = below[at]
        edges += [(node, random.choice(targets), random.randrange(actions), 0) for _ in range(3 if targets else 0)]
    return {
        "name": "beliefs",
        "title": "All beliefs",
        "complete": False,
        "nodes": {
            "layer": layer,
            "size": list(map(len, members)),
            "members": members,
            "goal": [int(states == [0]) for states in members],
            "on_plan": [int(node in planned) for node in range(len(layer))],
            "rest": [-1] * len(layer),
            "action": [-1] * len(layer),
            "text": [f"{len(states)} states" for states in members],
        },
        "edges": {
            "from": [edge[0] for edge in edges],
            "to": [edge[1] for edge in edges],
            "action": [edge[2] for edge in edges],
            "percept": [0] * len(edges),
            "on_plan": [edge[3] for edge in edges],
            "probability": None,
        },
    }
