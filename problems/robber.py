"""The invisible robber: cops on a graph catch somebody whom they never see."""

from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import ceil, cos, hypot, pi, sin, sqrt
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import BeliefProblem, Drawing, KnownAnswer

Cops: TypeAlias = tuple[int, ...]
"""The places of all cops, in order; before they are placed, there are none."""

Pursuit: TypeAlias = tuple[Cops, int]
"""The cops, and the place of the robber."""

Graph: TypeAlias = tuple[tuple[int, int], ...]
"""Edges, each the smaller number first."""

_CAUGHT = 0
_MOST_PLACES = 60
_MOST_ORDERS = 20_000
_SHAPES = ("path", "cycle", "complete", "grid", "spider")


def parse_edges(text: str) -> Graph:
    """Edges from `1-2 2-3`."""
    pairs = [word.split("-") for word in text.replace(",", " ").split()]
    if not pairs or not all(len(pair) == 2 and all(end.isdecimal() for end in pair) for pair in pairs):
        raise ValueError("it should be pairs of places, such as '1-2 2-3 2-4'")
    return tuple(tuple(sorted(map(int, pair))) for pair in pairs)  # type: ignore[misc]  # pairs, as was just seen


def format_edges(edges: Graph) -> str:
    """The inverse of `parse_edges`."""
    return " ".join(f"{one}-{other}" for one, other in edges)


@frozen
class RobberProblem(BeliefProblem[Pursuit, Cops, None]):
    """Catch an invisible robber who runs about on a graph.

    Story
    -----
    A robber hides in one of several places with ways between them. Some cops take up their posts; then cops and robber
    move in turn, each along one way or not at all. The cops never see the robber until one of them is in the same
    place. How many moves are sure to end in that?

    Formal model
    ------------
    A state is the places of the cops, who are all alike, and of the robber, or that the robber is caught. The first
    action places the cops, each other says where they go, each to a neighbouring place or staying. A robber who is
    where a cop comes is caught; any other moves, or stays, but never runs into a cop. There are no percepts. An action
    costs 1, the placing included. This is *zero-visibility cops and robber*; the least number of cops for which there
    is a plan is the zero-visibility cop number of the graph.

    Source
    ------
    R. Tošić, "Vertex-to-vertex search in a graph" (Graph Theory, Dubrovnik 1985); D. Dereniowski, D. Dyer, R. M.
    Tifenbach and B. Yang, "Zero-visibility cops and robber and the pathwidth of a graph" (Journal of Combinatorial
    Optimization 29, 2015).

    Known answers
    -------------
    The zero-visibility cop number is 1 of a path, 2 of a cycle, and half of n, rounded up, of a complete graph of n.
    How many actions it takes is by brute force: n on a path of n with one cop, half of n, rounded up, on a cycle of n
    with two, 7 on a grid of 3 x 3 with two.
    """

    known_answers = (
        KnownAnswer({}, 7),
        KnownAnswer({"graph": "path", "n": 6, "cops": 1}, 6),
        KnownAnswer({"graph": "cycle", "n": 6}, 3),
        KnownAnswer({"graph": "cycle", "n": 6, "cops": 1}, None),
        KnownAnswer({"graph": "complete", "n": 4}, 2),
        KnownAnswer({"graph": "complete", "n": 5}, None),
        KnownAnswer({"graph": "spider", "n": 2}, 5),
        KnownAnswer({"edges": "1-2 2-3 2-4", "cops": 1}, 5),
    )

    graph: Literal["path", "cycle", "complete", "grid", "spider"] = field(
        default="grid",
        validator=in_(_SHAPES),
        metadata={"help": "the shape of the graph; a spider has a body and --rows legs of --n places each"},
    )
    n: int = field(default=3, validator=ge(1), metadata={"help": "places of the graph, of each row or of each leg"})
    rows: int = field(default=3, validator=ge(1), metadata={"help": "rows of a grid, or legs of a spider"})
    cops: int = field(default=2, validator=ge(1), metadata={"help": "number of cops"})
    edges: Graph | None = field(
        default=None,
        metadata={
            "help": "instead of a shape: the ways between places numbered from 1, such as '1-2 2-3 2-4'",
            "parse": parse_edges,
            "format": format_edges,
        },
    )

    def __attrs_post_init__(self) -> None:
        if self.edges is None:
            size = self._size_of_shape
            if size > _MOST_PLACES:
                raise ValueError(f"n: a graph of {size:,} places is too large; choose at most {_MOST_PLACES}")
        elif self.edges:
            ends = {end for edge in self.edges for end in edge}
            if max(ends) > _MOST_PLACES or ends != set(range(1, max(ends) + 1)):
                raise ValueError(f"edges: number the places 1, 2, ... up to at most {_MOST_PLACES}, and leave none out")
            if any(one == other for one, other in self.edges):
                raise ValueError("edges: a way should lead from a place to another")
        else:
            raise ValueError("edges: there should be at least one, such as '1-2'")
        orders = 1
        for cop in range(self.cops):
            orders = orders * (len(self._beside) + cop) // (cop + 1)
            if orders > _MOST_ORDERS:
                raise ValueError(f"cops: {self.cops} are too many for {len(self._beside)} places; choose fewer")

    def initial_states(self) -> list[Pursuit]:
        return [((), place) for place in self._beside]

    def actions(self, state: Pursuit) -> list[Cops]:
        return self._orders(state[0])

    def results(self, state: Pursuit, action: Cops) -> list[Pursuit]:
        robber = state[1]
        if robber == _CAUGHT or robber in action:
            return [(action, _CAUGHT)]
        return [(action, place) for place in (robber, *self._beside[robber]) if place not in action]

    def is_goal(self, state: Pursuit) -> bool:
        return state[1] == _CAUGHT

    def has_adversary(self) -> bool:
        """The robber does not want to be caught."""
        return True

    def _orders(self, cops: Cops) -> list[Cops]:
        """The places where the cops may go; they are alike, so only the places count."""
        known = self._known_orders.get(cops)
        if known is None:
            if cops:
                ways = product(*((cop, *self._beside[cop]) for cop in cops))
                known = sorted({tuple(sorted(places)) for places in ways})
            else:
                known = list(combinations_with_replacement(self._beside, self.cops))
            self._known_orders[cops] = known
        return known

    @cached_property
    def _known_orders(self) -> dict[Cops, list[Cops]]:
        return {}

    @property
    def _size_of_shape(self) -> int:
        return {"grid": self.n * self.rows, "spider": self.n * self.rows + 1}.get(self.graph, self.n)

    @cached_property
    def _beside(self) -> dict[int, tuple[int, ...]]:
        """The neighbours of each place."""
        edges = set(self._edges_of_shape() if self.edges is None else self.edges)
        size = self._size_of_shape if self.edges is None else max(end for edge in edges for end in edge)
        ways = edges | {(other, one) for one, other in edges}
        return {place: tuple(sorted(end for start, end in ways if start == place)) for place in range(1, size + 1)}

    def _edges_of_shape(self) -> Iterator[tuple[int, int]]:
        n = self.n
        if self.graph == "complete":
            yield from combinations(range(1, n + 1), 2)
        elif self.graph == "spider":  # the body is 1
            for leg in range(self.rows):
                first = 2 + leg * n
                yield from pairwise((1, *range(first, first + n)))
        else:
            lines = self.rows if self.graph == "grid" else 1
            for line in range(lines):
                yield from pairwise(range(line * n + 1, line * n + n + 1))
            yield from ((place, place + n) for place in range(1, (lines - 1) * n + 1))
            if self.graph == "cycle" and n > 2:
                yield 1, n

    # How states and actions are written, read and drawn.

    def format_state(self, state: Pursuit) -> str:
        """The places of the cops and the robber: `robber 3`, `cops 2 5, robber 3`, `cops 2 5, caught`."""
        cops, robber = state
        where = "caught" if robber == _CAUGHT else f"robber {robber}"
        return f"cops {' '.join(map(str, cops))}, {where}" if cops else where

    def parse_state(self, text: str) -> Pursuit:
        words = text.lower().replace(",", " ").split()
        cops: list[str] = []
        if words[:1] == ["cops"]:
            cops, words = words[1 : self.cops + 1], words[self.cops + 1 :]
        robber = "0" if words == ["caught"] and cops else words[1] if len(words) == 2 and words[0] == "robber" else ""
        if robber.isdecimal() and all(cop.isdecimal() for cop in cops):
            state = (tuple(sorted(map(int, cops))), int(robber))
            if set(state[0]) <= self._beside.keys() and (state[1] in self._beside or words == ["caught"]):
                return state
        raise ValueError(
            f"{text!r} does not say where the robber is, such as 'robber 1', or that and where {self.cops} cops are, "
            f"such as 'cops {' '.join(['1'] * self.cops)}, caught', in places from 1 to {len(self._beside)}"
        )

    def format_action(self, action: Cops) -> str:
        return " ".join(map(str, action))

    def parse_action(self, text: str) -> Cops:
        words = text.replace(",", " ").split()
        if len(words) == self.cops and all(word.isdecimal() and int(word) in self._beside for word in words):
            return tuple(sorted(map(int, words)))
        raise ValueError(
            f"{text!r} does not say where {self.cops} cops go, each to a place from 1 to {len(self._beside)}"
        )

    def describe_action(self, action: Cops) -> str:
        places = " and ".join(filter(None, (", ".join(map(str, action[:-1])), str(action[-1]))))
        return f"The cop goes to {places}" if len(action) == 1 else f"The cops go to {places}"

    def describe_step(self, state: Pursuit, action: Cops, result: Pursuit) -> str:
        return "the robber is caught" if result[1] == _CAUGHT != state[1] else ""

    def svg_state(self, state: Pursuit) -> Drawing:
        return self.svg_belief([state])

    def svg_belief(self, states: Collection[Pursuit]) -> Drawing:
        """The graph, with the cops, and the robber wherever that may be."""
        robbers = {robber for _, robber in states}
        caught = robbers == {_CAUGHT}
        drawing = Drawing().rectangle(1, 1, 98, 98, r=10, fill="accent-soft" if caught else "felt", stroke="line")
        size = self._radius
        for place, others in self._beside.items():
            for other in others:
                if place < other:
                    drawing.line(*self._spots[place], *self._spots[other], stroke="soft", width=1.5)
        for place, (x, y) in self._spots.items():
            fill = "card" if place not in robbers else "bad" if len(robbers) == 1 else "bad-soft"
            edge = "bad" if place in robbers else "soft"
            drawing.circle(x, y, size, fill=fill, stroke=edge, width=0.15 * size)
            drawing.text(x, y, place, size=size, fill="card" if fill == "bad" else "soft")
        for cops in {cops for cops, _ in states}:
            for place in dict.fromkeys(cops):
                many = cops.count(place)
                self._put_cop(drawing, place, str(many) if many > 1 else "")
        if caught:
            drawing.text(50, 93, "caught", size=10, fill="accent", bold=True)
        return drawing

    def _put_cop(self, drawing: Drawing, place: int, text: str) -> None:
        (x, y), size = self._spots[place], self._radius
        drawing.circle(x, y, 0.95 * size, fill="blue").circle(x, y - 0.25 * size, 0.3 * size, fill="card")
        drawing.polygon(
            [(x - 0.55 * size, y + 0.6 * size), (x + 0.55 * size, y + 0.6 * size), (x, y - 0.2 * size)], fill="card"
        )
        if text:
            drawing.text(x + 1.1 * size, y - 1.1 * size, text, size=size, fill="blue", bold=True)

    def svg_action(self, action: Cops) -> Drawing:
        drawing = Drawing()
        for place in dict.fromkeys(action):
            x, y = self._spots[place]
            drawing.circle(x, y, 1.3 * self._radius, fill="none", stroke="accent", width=2.5)
        return drawing

    @property
    def _radius(self) -> float:
        """The size of a place as it is drawn."""
        spots = list(self._spots.values())
        return min((hypot(x - u, y - v) for (x, y), (u, v) in combinations(spots, 2)), default=30) * 0.3

    @cached_property
    def _spots(self) -> dict[int, tuple[float, float]]:
        """The spot where each place is drawn: in rows, round a ring, or along legs."""
        count = len(self._beside)
        if self.edges is None and self.graph in ("path", "grid"):
            # A long path is drawn like a line of text that is folded back and forth.
            across = self.n if self.graph == "grid" else ceil(sqrt(count)) if count > 6 else count
            step = 84 / max(across, ceil(count / across))
            lines = ceil(count / across)
            spots = {}
            for place in range(count):
                line, column = divmod(place, across)
                if self.graph == "path" and line % 2:
                    column = across - 1 - column
                spots[place + 1] = (50 + (column - (across - 1) / 2) * step, 50 + (line - (lines - 1) / 2) * step)
            return spots
        if self.edges is None and self.graph == "spider":
            spots = {1: (50.0, 50.0)}
            for number in range(count - 1):
                leg, place = divmod(number, self.n)
                angle, far = 2 * pi * leg / self.rows, 40 * (place + 1) / self.n
                spots[number + 2] = (50 + far * sin(angle), 50 - far * cos(angle))
            return spots
        radius = 38 if count > 1 else 0
        turns = [2 * pi * place / count for place in range(count)]
        return {place: (50 + radius * sin(turn), 50 - radius * cos(turn)) for place, turn in enumerate(turns, 1)}
