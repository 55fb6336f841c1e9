"""The wumpus: fetch the gold from a small cave, alive, going by smell and draught."""

import math
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import BeliefProblem, Drawing, KnownAnswer

from ._pictures.mazes import cave
from ._pictures.parts import COMPASS, edge_arrow
from ._pictures.rooms import Room

Cell: TypeAlias = tuple[int, int]
"""X from the west and Y from the south, both from 1."""

Senses: TypeAlias = tuple[str, ...]
"""What is perceived at once, such as `("stench", "glitter")`; nothing is the empty tuple."""

_STEPS: dict[str, Cell] = {"North": (0, 1), "East": (1, 0), "South": (0, -1), "West": (-1, 0)}
_GRAB = "Grab"
_SHOTS = {f"Shoot {name}": step for name, step in _STEPS.items()}
_ACTIONS = (*_STEPS, _GRAB, *_SHOTS)
_ENTRANCE: Cell = (1, 1)


class Cave(NamedTuple):
    """A state: where everything is. Once the agent is dead nothing else matters: see `DEAD`."""

    agent: Cell | None
    """None: dead."""
    wumpus: Cell | None
    """None: killed."""
    pits: tuple[Cell, ...]
    """In order of X, then of Y."""
    gold: Cell | None
    """None: the agent has it."""
    arrows: int


DEAD = Cave(None, None, (), None, 0)


@frozen
class WumpusProblem(BeliefProblem[Cave, str, Senses]):
    """Fetch the gold from a dark cave and come back alive, guided by smell and draught.

    Story
    -----
    In one cell of a cave lives the wumpus, which eats whoever comes in; other cells are bottomless pits.
    Somewhere lies the gold. The agent enters in the corner. Next to the wumpus it smells a stench, next to
    a pit it feels a breeze, and where the gold lies it sees a glitter. It has one arrow, which flies
    straight on to the wall and kills the wumpus if that is on its way; then a scream is heard. Which plan
    is certain to bring the gold to the entrance?

    Formal model
    ------------
    Cells are X,Y from the south-west corner 1,1, the entrance. A state is the cells of the agent, the
    wumpus, the pits and the gold, and the number of arrows left. At the start the agent stands at the entrance
    and has perceived nothing there: so neither the wumpus nor a pit is there or in a cell next to it, and
    the gold is not there. Wumpus and pits are in different cells, the gold is in no pit, but it may lie
    where the wumpus is. All that agrees with this is possible.

    North, East, South and West go to the next cell, where there is one; entering a pit or the cell of the
    live wumpus is death, one state without actions. Grab takes the gold where it lies. Shoot needs an arrow and a
    live wumpus, and a cell in its direction. Every action costs 1. The percept after an action is what
    holds of stench, breeze and glitter at the agent's cell, and scream after a shot that hit; a dead
    wumpus does not smell. The goal is to be at the entrance with the gold.

    This departs from the book in what it leaves out (turning, bumping, climbing out, a corpse that smells) and in
    that it asks for certainty: the book's caves of 4 x 4 with any number of pits cannot always be won.

    Source
    ------
    Russell and Norvig, "Artificial Intelligence: A Modern Approach", 4th edition, section 7.2; after the
    computer game by G. Yob, 1973.

    Known answers
    -------------
    Found by brute force over beliefs. 3 x 3 with one pit: at most 14 actions, and as many without a pit;
    no plan without an arrow, since the wumpus may lie on the gold, and none with two pits. 2 rows of 4
    with one pit take two arrows: 14. 2 rows of 3 with one pit: 10; 3 rows of 4 with one: 20; 2 x 2 without: 6.
    """

    known_answers = (
        KnownAnswer({}, 14),
        KnownAnswer({"rows": 2, "cols": 3}, 10),
        KnownAnswer({"rows": 2, "cols": 2, "pits": 0}, 6),
        KnownAnswer({"rows": 2, "cols": 4, "arrows": 2}, 14),
        KnownAnswer({"arrows": 0}, None),
    )

    rows: int = field(default=3, validator=ge(1), metadata={"help": "cells from south to north"})
    cols: int = field(default=3, validator=ge(1), metadata={"help": "cells from west to east"})
    pits: int = field(default=1, validator=ge(0), metadata={"help": "number of pits"})
    arrows: int = field(default=1, validator=ge(0), metadata={"help": "number of arrows"})

    def __attrs_post_init__(self) -> None:
        room = len(self._risky)
        if room <= self.pits:
            raise ValueError(
                f"pits: only {room} cells of a cave of {self.rows} x {self.cols} are neither the entrance nor next to "
                f"it, too few for the wumpus and {self.pits} pits; enlarge rows or cols, or take fewer pits"
            )

    def initial_states(self) -> Iterator[Cave]:
        for wumpus in self._risky:
            for pits in combinations([cell for cell in self._risky if cell != wumpus], self.pits):
                for gold in self._neighbours:
                    if gold != _ENTRANCE and gold not in pits:
                        yield Cave(_ENTRANCE, wumpus, pits, gold, self.arrows)

    def actions(self, state: Cave) -> list[str]:
        if state.agent is None:
            return []
        around = self._neighbours[state.agent]
        found = list(around)
        if state.gold == state.agent:
            found.append(_GRAB)
        if state.arrows and state.wumpus is not None:
            found += [f"Shoot {direction}" for direction in around]
        return found

    def results(self, state: Cave, action: str) -> tuple[Cave]:
        assert state.agent is not None  # the dead do nothing
        if action == _GRAB:
            return (state._replace(gold=None),)
        if action in _SHOTS:
            hit = state.wumpus in set(self._ahead(state.agent, _SHOTS[action]))
            return (state._replace(wumpus=None if hit else state.wumpus, arrows=state.arrows - 1),)
        cell = self._neighbours[state.agent][action]
        return (DEAD if cell == state.wumpus or cell in state.pits else state._replace(agent=cell),)

    def percepts(self, state: Cave, action: str) -> tuple[Senses]:
        if state.agent is None:
            return (("death",),)
        around = self._neighbours[state.agent].values()
        senses = {
            "stench": state.wumpus in around,
            "breeze": any(cell in state.pits for cell in around),
            "glitter": state.gold == state.agent,
            "scream": action in _SHOTS and state.wumpus is None,
        }
        return (tuple(sense for sense, perceived in senses.items() if perceived),)

    def is_goal(self, state: Cave) -> bool:
        return state.agent == _ENTRANCE and state.gold is None

    @cached_property
    def _neighbours(self) -> dict[Cell, dict[str, Cell]]:
        """The neighbour of a cell, by cell and by direction."""
        cells = [(x, y) for x in range(1, self.cols + 1) for y in range(1, self.rows + 1)]
        return {
            (x, y): {
                name: (x + east, y + north) for name, (east, north) in _STEPS.items() if (x + east, y + north) in cells
            }
            for x, y in cells
        }

    @cached_property
    def _risky(self) -> tuple[Cell, ...]:
        """The cells of which nothing is known at the start."""
        safe = {_ENTRANCE, *self._neighbours[_ENTRANCE].values()}
        return tuple(cell for cell in self._neighbours if cell not in safe)

    def _ahead(self, cell: Cell, step: Cell) -> Iterator[Cell]:
        """The cells beyond `cell` in a direction, up to the wall."""
        while (cell := (cell[0] + step[0], cell[1] + step[1])) in self._neighbours:
            yield cell

    # How states and actions are written and read.

    def format_percept(self, percept: Senses | None) -> str:
        return ", ".join(percept or ()) or "nothing"

    def format_state(self, state: Cave) -> str:
        """The cave as text: `at 1,1; wumpus 2,3; pits 3,1; gold 3,3; arrows 1`."""
        if state.agent is None:
            return "dead"
        pits = " ".join(map(_written, state.pits)) or "none"
        wumpus = "dead" if state.wumpus is None else _written(state.wumpus)
        gold = "taken" if state.gold is None else _written(state.gold)
        return f"at {_written(state.agent)}; wumpus {wumpus}; pits {pits}; gold {gold}; arrows {state.arrows}"

    def parse_state(self, text: str) -> Cave:
        if text.strip() == "dead":
            return DEAD
        parts = dict(zip(("at", "wumpus", "pits", "gold", "arrows"), text.split(";"), strict=False))
        said = {}
        for name, part in parts.items():
            words = part.split()
            said[name] = words[1:] if words[:1] == [name] else []
        if not all(map(said.get, ("at", "wumpus", "pits", "gold", "arrows"))) or not said["arrows"][0].isdecimal():
            raise ValueError(f"{text!r} is not like 'at 1,1; wumpus 2,3; pits 3,1; gold 3,3; arrows 1', or 'dead'")
        return Cave(
            agent=self._read(said["at"][0]),
            wumpus=None if said["wumpus"] == ["dead"] else self._read(said["wumpus"][0]),
            pits=() if said["pits"] == ["none"] else tuple(sorted(map(self._read, said["pits"]))),
            gold=None if said["gold"] == ["taken"] else self._read(said["gold"][0]),
            arrows=int(said["arrows"][0]),
        )

    def draw_state(self, state: Cave) -> str:
        """The cave, north at the top: `@` the agent, `W` the wumpus, `P` pits, `G` the gold."""
        if state.agent is None:
            return "dead"
        marks = (("@", (state.agent,)), ("W", (state.wumpus,)), ("P", state.pits), ("G", (state.gold,)))
        lines = []
        for y in range(self.rows, 0, -1):
            row = ("".join(mark for mark, cells in marks if (x, y) in cells) or "." for x in range(1, self.cols + 1))
            lines.append("".join(f"{cell:4}" for cell in row).rstrip())
        return "\n".join(lines)

    def parse_action(self, text: str) -> str:
        """An action by name or by the beginnings of its words: `n`, `g`, `s w` for Shoot West."""
        words = text.lower().split()
        for action in _ACTIONS:
            names = action.lower().split()
            if len(names) == len(words) and all(map(str.startswith, names, words)):
                return action
        raise ValueError(f"{text!r} is not {', '.join(_ACTIONS[:5])}, or Shoot and a direction")

    def _read(self, text: str) -> Cell:
        """A cell from `2,3`."""
        x, _, y = text.partition(",")
        if not x.isdecimal() or not y.isdecimal() or (int(x), int(y)) not in self._neighbours:
            raise ValueError(f"{text!r} is not a cell such as 1,1, and at most {self.cols},{self.rows}")
        return int(x), int(y)

    def describe_action(self, action: str) -> str:
        if action == _GRAB:
            return "Grab the gold"
        return f"Shoot {action.split()[1].lower()}" if action in _SHOTS else f"Go {action.lower()}"

    # How the cave, beliefs and actions are drawn.

    def svg_state(self, state: Cave) -> Drawing:
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[Cave]) -> Drawing:
        """Everything where it may be: solid if it certainly is there, else faint."""
        living = [state for state in states if state.agent is not None]
        seen = {
            "pit": Counter(cell for state in living for cell in state.pits),
            "wumpus": Counter(state.wumpus for state in living if state.wumpus is not None),
            "gold": Counter(state.gold for state in living if state.gold is not None),
            "agent": Counter(state.agent for state in living if state.agent is not None),
        }
        chances = {
            thing: {cell: count == len(states) for cell, count in sorted(cells.items())}
            for thing, cells in seen.items()
        }
        arrows = min((state.arrows for state in living), default=0)
        dead = not living or (None if len(living) < len(states) else False)
        return cave(self._picture, chances, arrows=arrows, dead=dead)

    def svg_action(self, action: str) -> Drawing | None:
        if action == _GRAB:
            return None
        shot = action in _SHOTS
        way = COMPASS[action.split()[-1]]
        return edge_arrow(self._picture.width, self._picture.height, way, twice=shot)

    @cached_property
    def _picture(self) -> Room:
        return Room(self.cols, self.rows)

    # For speed: how far it is at least.

    def heuristic(self, state: Cave) -> float:
        """The steps to the gold and back to the entrance, and one to grab it; infinite if the agent is dead."""
        if state.agent is None:
            return math.inf
        if state.gold is None:
            return _distance(state.agent, _ENTRANCE)
        return _distance(state.agent, state.gold) + 1 + _distance(state.gold, _ENTRANCE)


def _distance(one: Cell, other: Cell) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _written(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"
