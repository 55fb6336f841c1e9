"""A cave: what lives, lies and gapes in its cells, solid where it is certain and faint where it may be."""

from __future__ import annotations

from collections.abc import Mapping

from beliefsearch import Drawing

from .marks import put_cross
from .rooms import Place, Room, put_robot

_FAINT = 0.4


def put_pit(drawing: Drawing, x: float, y: float, r: float, *, opacity: float = 1) -> None:
    drawing.circle(x, y, 0.95 * r, fill="on-bright", stroke="brown", width=0.22 * r, opacity=opacity)


def put_wumpus(drawing: Drawing, x: float, y: float, r: float, *, opacity: float = 1) -> None:
    beast = (
        Drawing(20, 20).polygon([(3, 9), (3, 0), (9, 5)], fill="bad").polygon([(17, 9), (17, 0), (11, 5)], fill="bad")
    )
    beast.circle(10, 11, 8, fill="bad").circle(7, 9.5, 1.7, fill="card").circle(13, 9.5, 1.7, fill="card")
    beast.polyline([(5.5, 14), (7.75, 16), (10, 14), (12.25, 16), (14.5, 14)], stroke="card", width=1.3)
    drawing.place(beast, x - r, y - r, scale=r / 10, opacity=opacity)


def put_gold(drawing: Drawing, x: float, y: float, r: float, *, opacity: float = 1) -> None:
    points = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
    drawing.polygon(points, fill="bright", stroke="bright-edge", width=0.18 * r, opacity=opacity)


# By thing: how it is drawn, and where in its cell, in sides of a cell from the middle.
_THINGS = {
    "pit": (put_pit, -0.23, -0.23),
    "wumpus": (put_wumpus, 0.23, -0.23),
    "gold": (put_gold, 0.23, 0.25),
    "agent": (put_robot, -0.23, 0.21),
}


def cave(room: Room, chances: Mapping[str, Mapping[Place, bool]], *, arrows: int, dead: bool | None) -> Drawing:
    """The cave: by kind of thing the places where it may be, and whether it certainly is there.

    `dead`: whether the agent certainly is (True), perhaps (None), or not.
    """
    drawing = room.empty()
    for kind, places in chances.items():
        put, right, down = _THINGS[kind]
        for place, certain in places.items():
            x, y = room.middle(place)
            put(
                drawing, x + right * room.size, y + down * room.size, 0.22 * room.size, opacity=1 if certain else _FAINT
            )
    for number in range(min(arrows, 5)):
        x = 12.0 + 10 * number
        drawing.arrow(x, room.height - 3, x + 8, room.height - 3, stroke="soft", width=0.9)
    if dead is not False:
        put_cross(drawing, room.width / 2, room.height / 2, 22, opacity=1 if dead else _FAINT)
    return drawing
