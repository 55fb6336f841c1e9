"""Graphs in layers, from left to right: of cards with a picture and a few words each, or of dots."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import islice, pairwise
from math import sqrt
from typing import Any

from attrs import frozen

from ...model.canvas.drawing import Drawing
from ..wording import plural
from .layered_layout import Edge, Point, layered
from .parts import LINE, NORMAL, SMALL, cut, fitted, sheet, width_of, wrapped, write

MOST_CARDS = 60
"""The most cards in a drawing: those nearest to the start."""
_MARGIN = 16.0
_WORDS = 112.0  # the width of the words beside a picture
_PICTURE, _END_PICTURE = 76.0, 52.0
_LONGEST_LABEL = 150.0
_LANE, _MOST_LANES = 18.0, 12  # for lines that lead back


@frozen
class Card:
    """A node: its picture, a short remark, and the text of its action or, at an end, of the result."""

    picture: Drawing | None
    remark: str
    text: str
    end: bool = False

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        if self.picture is None:
            return 34, 22
        picture = _END_PICTURE if self.end else _PICTURE
        return picture + _WORDS + 22, picture + 12


def breadth_first(
    starts: Iterable[Any], visit: Callable[[Any], tuple[Card, Iterable[tuple[Hashable, str]]]], most: int
) -> tuple[list[Card], list[tuple[int, int, str]], list[Any]]:
    """Visit at most so many nodes of a graph; return their cards, the edges, and all nodes that were met.

    `visit` makes the card of a node, and gives its edges, each as the node that follows and a label.
    """
    met = list(dict.fromkeys(starts))
    places = {node: place for place, node in enumerate(met)}
    cards: list[Card] = []
    edges: list[tuple[int, int, str]] = []
    for node in islice(met, most):  # grows while it is walked
        card, following = visit(node)
        cards.append(card)
        for target, label in following:
            if target not in places:
                places[target] = len(met)
                met.append(target)
            edges.append((places[node], places[target], label))
    return cards, edges, met


def draw_breadth_first(
    starts: Iterable[Any],
    visit: Callable[[Any], tuple[Card, Iterable[tuple[Hashable, str]]]],
    most: int,
    title: str,
    noun: str,
) -> Drawing:
    """Draw at most so many nodes of a graph, see `breadth_first`; a note counts them, as so many `noun`s."""
    cards, edges, met = breadth_first(starts, visit, most)
    shown = len(cards)
    note = "" if shown == len(met) else f"the first {plural(shown, noun)}; the others are left out"
    return draw_cards(cards, edges, title, note)


def draw_cards(cards: Sequence[Card], edges: Sequence[tuple[int, int, str]], title: str, note: str = "") -> Drawing:
    """The graph; edges are two nodes and a text, and those between the same nodes share a line.

    An edge to a node without a card ends at three dots of its own.
    """
    cards, edges = _with_ends(cards, edges)
    texts: dict[tuple[int, int], list[str]] = {}
    for tail, head, text in edges:
        texts.setdefault((tail, head), []).append(text)
    labels = {edge: cut(", ".join(filter(None, said)), _LONGEST_LABEL, NORMAL) for edge, said in texts.items()}
    widest = max((width_of(label, NORMAL) for label in labels.values()), default=0)
    layout = layered([card.size for card in cards], labels, across=widest + 56, apart=12)
    back = {edge: number for number, edge in enumerate(edge for edge in labels if edge not in layout.ways)}
    below = layout.height + _LANE * min(len(back), _MOST_LANES)
    whole, head_room = sheet(max(layout.width + 2 * _MARGIN, 260), below + 2 * _MARGIN, title, note)
    top = head_room + _MARGIN

    def at(point: Point) -> Point:
        return point[0] + _MARGIN, point[1] + top

    for edge, label in labels.items():
        if edge in back:
            lane = layout.height + _LANE * (back[edge] % _MOST_LANES + 0.8)
            points, middle = _way_back(edge, cards, layout.corners, lane)
            whole.polyline(list(map(at, points)), stroke="soft", width=1.2, dashed=True)
            x, y = at(points[-1])
            whole.polygon([(x, y), (x - 3.5, y + 7), (x + 3.5, y + 7)], fill="soft")
        else:
            points, middle = _way_on(edge, cards, layout.corners, layout.ways[edge])
            whole.curve(list(map(at, points)), stroke="soft", width=1.4)
            x, y = at(points[-1])
            whole.polygon([(x, y), (x - 7, y - 3.5), (x - 7, y + 3.5)], fill="soft")
        if label:
            x, y = at(middle)
            wide = width_of(label, NORMAL) + 6
            whole.rectangle(x - wide / 2, y - 8, wide, 16, r=4, fill="card", opacity=0.9)
            whole.text(x, y, label, size=NORMAL, fill="ink")
    for card, corner in zip(cards, layout.corners, strict=True):
        _draw_card(whole, card, *at(corner))
    return whole


def _with_ends(
    cards: Sequence[Card], edges: Sequence[tuple[int, int, str]]
) -> tuple[list[Card], list[tuple[int, int, str]]]:
    """The graph with a card without a picture for each edge that leads to a node without a card."""
    whole, kept = list(cards), []
    for tail, head, text in edges:
        if head >= len(cards):
            head = len(whole)
            whole.append(Card(None, "", ""))
        kept.append((tail, head, text))
    return whole, kept


def _way_back(
    edge: tuple[int, int], cards: Sequence[Card], corners: Sequence[Point], lane: float
) -> tuple[list[Point], Point]:
    """The line of an edge that leads back, below all cards; and the place of its words."""
    (x1, y1), (wide, high) = corners[edge[0]], cards[edge[0]].size
    (x2, y2), (wide2, high2) = corners[edge[1]], cards[edge[1]].size
    start, end = (x1 + 0.7 * wide, y1 + high), (x2 + 0.3 * wide2, y2 + high2)
    return [start, (start[0], lane), (end[0], lane), end], (start[0] - 0.35 * wide, lane)


def _way_on(
    edge: tuple[int, int], cards: Sequence[Card], corners: Sequence[Point], way: Sequence[Point]
) -> tuple[list[Point], Point]:
    """The curve of an edge that leads forward, and the place of its words."""
    (x1, y1), (wide, high) = corners[edge[0]], cards[edge[0]].size
    (x2, y2), (_, high2) = corners[edge[1]], cards[edge[1]].size
    stations = [(x1 + wide, y1 + high / 2), *way, (x2, y2 + high2 / 2)]
    points = stations[:1]
    for number, (before, after) in enumerate(pairwise(stations)):
        if number % 2:  # across a layer, straight
            points += [before, after, after]
        else:
            half = (before[0] + after[0]) / 2
            points += [(half, before[1]), (half, after[1]), after]
    # Nearer to the end of the first piece than to its beginning, where the edges of a node lie close together.
    before, after = stations[0], stations[1]
    t = 0.62
    rise = 3 * t**2 * (1 - t) + t**3
    along = 3 * t * (1 - t) ** 2 * 0.5 + 3 * t**2 * (1 - t) * 0.5 + t**3
    return points, (before[0] + along * (after[0] - before[0]), before[1] + rise * (after[1] - before[1]))


def _draw_card(whole: Drawing, card: Card, x: float, y: float) -> None:
    wide, high = card.size
    colours = {"fill": "accent-soft", "stroke": "accent"} if card.end else {"fill": "card", "stroke": "line"}
    whole.rectangle(x, y, wide, high, r=8, width=1.2, **colours)
    if card.picture is None:
        whole.text(x + wide / 2, y + high / 2, "…", size=16, fill="soft")
        return
    size = high - 12
    fitted(whole, card.picture, x + 6, y + 6, size, size)
    lines = wrapped(card.text, _WORDS, NORMAL, 2 if card.end else 4)
    rest = LINE * (SMALL * bool(card.remark) + NORMAL * len(lines))
    left, upper = x + size + 14, y + (high - rest) / 2
    if card.remark:
        write(whole, [cut(card.remark, _WORDS, SMALL)], left, upper, size=SMALL, fill="soft")
        upper += LINE * SMALL
    write(whole, lines, left, upper, bold=card.end)


MOST_NODES, MOST_EDGES = 120, 400
"""A larger graph is not drawn."""
_SMALLEST, _LARGEST = 5.0, 16.0
# Labels are cut to a width, and left out where the drawing would be wider than a page.
_NODE_LABEL, _WIDEST = 90.0, 900.0


def draw_nodes(
    sizes: Mapping[int, float],
    edges: Mapping[Edge, bool],
    goals: Collection[int],
    chosen: Collection[int],
    labels: Mapping[int, str],
    widest: float = _WIDEST,
) -> Drawing:
    """The graph as dots: `sizes` of nodes by number, and `edges` with whether the plan uses them.

    `chosen` are the nodes on the plan. Labels stand below the nodes, unless the drawing would be wider than `widest`.
    """
    numbers = {node: place for place, node in enumerate(sizes)}
    most = max(sizes.values(), default=1)
    sides = [_SMALLEST + (_LARGEST - _SMALLEST) * sqrt(size / most) for size in sizes.values()]
    named = [cut(labels[node], _NODE_LABEL, SMALL) for node in sizes] if labels else [""] * len(sides)
    below = LINE * SMALL if labels else 0
    wides = [max(side, width_of(text, SMALL)) for side, text in zip(sides, named, strict=True)]
    links = {(numbers[tail], numbers[head]): marked for (tail, head), marked in edges.items() if tail != head}
    boxes = [(wide, side + below) for wide, side in zip(wides, sides, strict=True)]
    layout = layered(boxes, links, across=26, apart=5)
    if labels and layout.width + 16 > widest:
        return draw_nodes(sizes, edges, goals, chosen, {})
    whole = Drawing(layout.width + 16, layout.height + 16)
    middles = [
        (x + wide / 2 + 8, y + side / 2 + 8) for (x, y), wide, side in zip(layout.corners, wides, sides, strict=True)
    ]
    for (tail, head), marked in sorted(links.items(), key=lambda link: link[1]):
        if (tail, head) not in layout.ways and not marked:
            continue  # it leads back, across everything
        points = [middles[tail], *((x + 8, y + 8) for x, y in layout.ways.get((tail, head), ())), middles[head]]
        plain: dict[str, str | float | bool] = {"stroke": "soft", "width": 0.6, "opacity": 0.6}
        whole.polyline(points, **({"stroke": "accent", "width": 1.8} if marked else plain))
    for node, side, text, (x, y) in zip(sizes, sides, named, middles, strict=True):
        fill = "bright" if node in goals else "accent" if node in chosen else "dark"
        whole.circle(x, y, side / 2, fill=fill)
        if text:
            whole.text(x, y + side / 2 + below / 2, text, size=SMALL, fill="ink")
    return whole
