"""The pictures of all puzzles: well-formed, small, all of an instance on one canvas; and that they show what is so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import pytest

from beliefsearch import Blindfolded, Drawing, StochasticProblem
from beliefsearch.plugins.installed import list_problems
from beliefsearch.plugins.options import make_problem
from beliefsearch.tools import load_problem_class

SVG = "{http://www.w3.org/2000/svg}"

# To find a puzzle by its name, all that is installed is looked through.
puzzle: Any = cache(load_problem_class)

# Beside the known answers: large, thin, and with what only some options bring.
MORE: dict[str, list[dict[str, Any]]] = {
    "counterfeit-coin": [{"coins": 1}, {"coins": 40, "reference": 3}, {"coins": 1000, "kind": "light"}],
    "devil": [
        *({"n": 1}, {"n": 64}, {"n": 2048}, {"n": 3, "faces": 5, "canonical": False}),
        *({"n": 5, "table": "symmetric"}, {"n": 12, "table": "dihedral", "canonical": False}),
    ],
    "flip-exactly-k": [{"n": 1, "k": 1}, {"n": 100, "k": 7}, {"n": 20, "k": 3, "coins": "numbered"}, {"n": 2000}],
    "four-glasses": [{"n": 1, "look": 1}, {"n": 7, "look": 6}, {"n": 9, "look": 0}],
    "gambler": [{"goal": 2, "capital": 1}, {"goal": 1_000_000}],
    "hidden-number": [{"limit": 1}, {"limit": 1_000_000, "lies": 1}, {"limit": 12, "lies": 3, "questions": "sets"}],
    "lights-out": [{"rows": 1, "cols": 1}, {"rows": 3, "cols": 12}, {"rows": 30, "cols": 30}],
    "lost-robot": [
        {"rows": 1, "cols": 1, "find": "place"},
        {"rows": 1, "cols": 30},
        {"rows": 300, "cols": 200, "sensors": "walls"},
    ],
    "mastermind": [{}, {"pegs": 1, "colours": 35}, {"pegs": 12, "colours": 2}, {"pegs": 3, "colours": 30}],
    "monty-hall": [{"doors": 13, "opened": 2}, {"doors": 4, "opened": 0, "host": "ignorant"}],
    "nim": [{"heaps": "1"}, {"heaps": "1 2 " * 15}, {"heaps": "60 70"}],
    "nine-tails": [{"rows": 1, "cols": 9, "start": "HTHTHTHTH"}, {"rows": 30, "cols": 30, "start": "HTT" * 300}],
    "reset-word": [{"cerny": 1}, {"cerny": 2}, {"random": 50, "letters": 30}, {"cerny": 3000}],
    "riddler-flips": [{"flips": 0}, {"flips": 3, "value-a": 1000, "value-b": 70_000}],
    "river-crossing": [
        {"story": "missionaries", "pairs": 200, "boat": 4},
        *({"story": "jealous-husbands", **more} for more in ({"pairs": 26}, {"pairs": 9, "boat": 3})),
    ],
    "sliding-tiles": [
        {"rows": 1, "cols": 2, "start": "1 0"},
        {"rows": 12, "cols": 11, "start": " ".join(map(str, range(131, -1, -1)))},
    ],
    "vacuum": [{"squares": 1}, {"squares": 10, "sensing": "local"}, {"squares": 30, "start": "*.*[.]" + "*." * 13}],
    "grid-world": [{"grid": "#.+/.-.", "start": "2 1"}],
    "machine-repair": [{}],
    "maze": [{}, {"grid": "..#+/#.-./...."}],
    "noisy-monty-hall": [{}],
    "random-devil": [{"n": 3, "faces": 3}, {"within": 2}],
    "rock-sample": [{}, {"size": 3, "rocks": 2}],
    "tag": [{"grid": "../.."}],
    "tiger": [{}],
    "twenty-questions": [{}],
    "wumpus": [{"rows": 2, "cols": 12, "pits": 0}, {"rows": 4, "cols": 4, "pits": 2, "arrows": 9}],
    "battleship": [{"cells": 40, "ship": 7}, {"cells": 14, "ship": 2}, {"goal": "locate"}],
    "egg-drop": [{"floors": 60, "eggs": 1}, {"floors": 2, "eggs": 7}, {"floors": 0}],
    "fox": [{"holes": 40}, {"holes": 1}, {"layout": "ring"}],
    "keypad": [{"keys": 10, "code": 1}, {"keys": 4, "code": 2}],
    "knights-swap": [{"rows": 2, "cols": 4}],
    "pancakes": [{"start": "-3 1 2", "burnt": True}],
    "pocket-cube": [{"scramble": "F2 U2", "turns": "half"}],
    "robber": [{"graph": "path", "n": 7, "cops": 1}, {"graph": "spider", "n": 1}, {"graph": "cycle"}, {"rows": 2}],
    "ten-heads": [{"coins": 3, "heads": 1, "at-once": True}, {"coins": 100}],
    "water-jugs": [{"jugs": "5 3", "goal": "4", "tap": True}],
    "wordle": [{"first": 1}],
    "coin-triangle": [{"rows": 2, "rule": "touching"}],
    **{name: [] for name in ("penney", "silver-dollar", "star-coins", "tait-coins", "coin-turning", "romania")},
    **{name: [] for name in ("coins-in-a-line", "frogs-and-toads", "penny-shapes")},
    "biased-coin": [{"coins": 9}],
    "digital-scale": [{"bags": 1}],
    "fair-coin": [{"longest": 16}],
}
INSTANCES = [
    pytest.param(name, options, blindfold, id=f"{name} {options}")
    for name in MORE
    for options, blindfold in [
        *((known.options, known.blindfold) for known in puzzle(name).known_answers),
        *((options, False) for options in MORE[name]),
    ]
]


def first_states(problem: Any, most: int) -> list[Any]:
    """The starts and what comes of them, breadth first; no more than so many starts and states in all."""
    chance = isinstance(problem, StochasticProblem)
    begun = (state for _, state in problem.initial_distribution()) if chance else problem.initial_states()
    starts = list(islice(begun, max(1, most // 2)))
    found = dict.fromkeys(starts)
    layer = starts
    while layer and len(found) < most:
        # A table of many coins can be turned in many ways, and a move be made in very many.
        nexts = []
        for state in layer[:20]:
            for act in [] if chance and problem.is_terminal(state) else islice(problem.actions(state), 20):
                if chance:
                    nexts += [result for _, result in problem.outcomes(state, act)]
                else:
                    nexts += islice(problem.results(state, act), 10)
        layer = [state for state in dict.fromkeys(nexts) if state not in found]
        found.update(dict.fromkeys(layer))
    return list(found)[:most]


def some_actions(problem: Any, states: Sequence[Any]) -> Iterator[Any]:
    """Actions of some of the states."""
    for state in states[:: max(1, len(states) // 5)]:
        if not (isinstance(problem, StochasticProblem) and problem.is_terminal(state)):
            yield from islice(problem.actions(state), 15)


def instance(name: str, options: dict[str, Any], *, blindfold: bool) -> Any:
    """The instance, with its moves not listed where there are too many of them."""
    problem: Any = make_problem(puzzle(name), options)
    if name == "devil" and problem.n > 12:
        return FewMoves(problem)
    return Blindfolded(problem) if blindfold else problem


class FewMoves:
    """A devil's game of many coins, of which only a few moves are looked at."""

    def __init__(self, problem: Any) -> None:
        self._problem = problem

    def __getattr__(self, name: str) -> Any:
        return getattr(self._problem, name)

    def actions(self, state: str) -> list[frozenset[int]]:
        return [frozenset(), frozenset({0}), frozenset(range(0, self._problem.n, 3)), frozenset(range(self._problem.n))]

    def results(self, state: str, action: frozenset[int]) -> list[str]:
        return [self._problem.flip(state, action)]


def drawn(drawing: Drawing) -> tuple[float, float]:
    """The canvas of a drawing that is found to be small and well-formed."""
    text = drawing.svg(theme=None)
    assert len(text) < 20_000
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    return drawing.width, drawing.height


@pytest.mark.few(80)
@pytest.mark.parametrize(("name", "options", "blindfold"), INSTANCES)
def test_everything_is_drawn_on_one_canvas(name: str, options: dict[str, Any], blindfold: bool) -> None:
    problem = instance(name, options, blindfold=blindfold)
    states = first_states(problem, 30)
    canvas = drawn(problem.svg_state(states[0]))
    assert 0.05 < canvas[1] / canvas[0] < 20
    for state in states:
        assert drawn(problem.svg_state(state)) == canvas
    for action in some_actions(problem, states):
        marks = problem.svg_action(action)
        assert marks is None or drawn(marks) == canvas
        said = problem.describe_action(action)
        assert said[0].isupper()
        assert said[-1] != "."
        assert "\n" not in said


@pytest.mark.few(80)
@pytest.mark.parametrize(("name", "options", "blindfold"), INSTANCES)
def test_a_large_belief_is_drawn_on_the_same_canvas(name: str, options: dict[str, Any], blindfold: bool) -> None:
    problem = instance(name, options, blindfold=blindfold)
    # A player who sees every state has beliefs of one state only.
    states = first_states(problem, 600 if problem.overrides("svg_belief") else 1)
    canvas = drawn(problem.svg_state(states[0]))
    for belief in (states[:2], states[1::3] or states, states):
        assert drawn(problem.svg_belief(frozenset(belief))) == canvas


@pytest.mark.parametrize("name", sorted(MORE))
def test_a_picture_is_the_same_every_time(name: str) -> None:
    known = puzzle(name).known_answers[0]
    one, other = (instance(name, known.options, blindfold=known.blindfold) for _ in range(2))
    states = first_states(one, 20)
    assert [one.svg_state(state).svg() for state in states] == [other.svg_state(state).svg() for state in states]
    if one.overrides("svg_belief"):
        assert one.svg_belief(states).svg() == other.svg_belief(frozenset(states)).svg()


def test_all_puzzles_are_looked_at() -> None:
    ours = [entry for entry in list_problems() if entry.target.startswith("beliefsearch_problems.")]
    # Readers of files draw what is in a file, and need one.
    assert set(MORE) == {entry.name for entry in ours if not entry.target.startswith("beliefsearch_problems.files.")}
