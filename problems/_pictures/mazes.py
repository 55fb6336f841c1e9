"""Boards that somebody walks over: a cave, a maze with a treasure and a pit, a game of tag, a field of rocks."""

from collections.abc import Collection, Mapping

from beliefsearch import Drawing

from .parts import MARGIN, ink_on, put_cross, put_ring
from .rooms import Place, Room, put_robot

_FAINT = 0.4


def put_pit(drawing: Drawing, x: float, y: float, r: float, *, opacity: float = 1) -> None:
    drawing.circle(x, y, 0.95 * r, fill="on-bright", stroke="brown", width=0.22 * r, opacity=opacity)


def put_wumpus(drawing: Drawing, x: float, y: float, r: float, *, opacity: float = 1) -> None:
    beast = Drawing(20, 20).polygon([(3, 9), (3, 0), (9, 5)], fill="bad")
    beast.polygon([(17, 9), (17, 0), (11, 5)], fill="bad")
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
            x, y = x + right * room.size, y + down * room.size
            put(drawing, x, y, 0.22 * room.size, opacity=1 if certain else _FAINT)
    for number in range(min(arrows, 5)):
        x = 12.0 + 10 * number
        drawing.arrow(x, room.height - 3, x + 8, room.height - 3, stroke="soft", width=0.9)
    if dead is not False:
        put_cross(drawing, room.width / 2, room.height / 2, 22, opacity=1 if dead else _FAINT)
    return drawing


_MOST_PEOPLE = 30  # more are dots
_LETTER = 1.2


def room_of(grid: str) -> Room:
    """The room of a text whose rows stand between slashes, from the top; `#` is a wall."""
    rows = grid.split("/")
    free = {
        (column, len(rows) - row)
        for row, marks in enumerate(rows)
        for column, mark in enumerate(marks, 1)
        if mark != "#"
    }
    return Room(max(map(len, rows)), len(rows), frozenset(free))


def place_of(room: Room, cell: tuple[int, int]) -> Place:
    """The place in the room of a cell by row and column, both from 0, from the top left."""
    return cell[1] + 1, room.rows - cell[0]


def maze(room: Room, walker: Collection[Place], things: Mapping[Place, str]) -> Drawing:
    """A maze with somebody in one of some places, and by place a thing there: `gold` or `pit`."""
    drawing = room.with_robot(next(iter(walker))) if len(walker) == 1 else room.with_shadows(walker)
    for place, thing in things.items():
        x, y = room.middle(place)
        put = put_gold if thing == "gold" else put_pit
        if place in walker:  # in the corner, so that both are seen
            put(drawing, x + 0.3 * room.size, y - 0.3 * room.size, 0.16 * room.size)
        else:
            put(drawing, x, y, 0.32 * room.size)
    return drawing


def tag(room: Room, you: Collection[Place], him: Collection[Place]) -> Drawing:
    """You and the one who runs away, solid in a place that is certain; he is caught if he is nowhere."""
    drawing = room.empty()
    if not him:
        x, y, r = room.width / 2, room.height / 2, min(14, 0.36 * room.height)
        drawing.circle(x, y, r, fill="card")
        put_ring(drawing, x, y, r)
        _put_person(drawing, x - 0.35 * r, y, 0.5 * r, "blue", 1)
        return _put_person(drawing, x + 0.35 * r, y, 0.5 * r, "bad", 1)
    for places, colour, aside in ((you, "blue", -0.21), (him, "bad", 0.21)):
        middles = [room.middle(place) for place in sorted(places)]
        at = [(x + aside * room.size, y) for x, y in middles]
        if len(at) > _MOST_PEOPLE:
            drawing.dots(at, 0.16 * room.size, fill=colour, opacity=_FAINT)
        else:
            for x, y in at:
                _put_person(drawing, x, y, 0.36 * room.size, colour, 1 if len(at) == 1 else _FAINT)
    return drawing


def field(room: Room, rover: Collection[Place], rocks: Mapping[Place, bool | None]) -> Drawing:
    """A field with a way out in the east: the rover, outside if it is nowhere; by place whether a rock is good."""
    drawing = room.empty()
    east = room.width - MARGIN + 0.75
    drawing.line(east, MARGIN, east, room.height - MARGIN, stroke="bright", width=1.5)
    for number, (place, good) in enumerate(rocks.items(), 1):
        x, y = _rock_at(room, place)
        _put_rock(drawing, x, y, 0.27 * room.size, number, good)
    for place in sorted(rover):
        x, y = room.middle(place)
        opacity = 1 if len(rover) == 1 else _FAINT
        put_robot(drawing, x - 0.2 * room.size, y - 0.2 * room.size, 0.27 * room.size, opacity=opacity)
    if not rover:
        put_robot(drawing, room.width - 0.45 * MARGIN, room.height / 2, 0.4 * MARGIN)
    return drawing


def checked(room: Room, place: Place) -> Drawing:
    """A ring round a rock."""
    drawing = Drawing(room.width, room.height)
    put_ring(drawing, *_rock_at(room, place), 0.27 * room.size)
    return drawing


def _rock_at(room: Room, place: Place) -> tuple[float, float]:
    """The place at which a rock is drawn: beside the rover."""
    x, y = room.middle(place)
    return x + 0.17 * room.size, y + 0.17 * room.size


def _put_rock(drawing: Drawing, x: float, y: float, r: float, number: int, good: bool | None) -> None:
    """A rock: bright if it is good, dark if it is bad, an outline if that is not known."""
    outline = ((-1, 0.5), (-0.8, -0.4), (-0.1, -0.9), (0.7, -0.6), (1, 0.3), (0.5, 0.8), (-0.5, 0.85))
    points = [(x + r * across, y + r * down) for across, down in outline]
    if good is None:
        drawing.polygon(points, fill="card", stroke="soft", width=0.12 * r, dashed=0.3 * r)
    else:
        look = "bright" if good else "dark"
        drawing.polygon(points, fill=look, stroke=f"{look}-edge", width=0.12 * r)
    ink = "soft" if good is None else ink_on("bright" if good else "dark")
    if r > _LETTER:
        drawing.text(x, y, number, size=r, fill=ink, bold=True)


def _put_person(drawing: Drawing, x: float, y: float, r: float, colour: str, opacity: float) -> Drawing:
    """Somebody: a head and shoulders; if that would be very small, a dot."""
    if r < 1:
        return drawing.circle(x, y, r, fill=colour, opacity=opacity)
    drawing.circle(x, y - 0.5 * r, 0.38 * r, fill=colour, opacity=opacity)
    shoulders = [(-0.55, 0.9), (-0.5, -0.2), (0.5, -0.2), (0.55, 0.9)]
    points = [(x + r * across, y + r * down) for across, down in shoulders]
    return drawing.curve(points, fill=colour, stroke="none", opacity=opacity)
