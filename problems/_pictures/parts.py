"""Parts of pictures: what is known of a row, marks that mean the same everywhere, numbers and lists in sentences."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeVar

from beliefsearch import Drawing

Thing = TypeVar("Thing")


def agreed(rows: Iterable[Sequence[Thing]], unknown: Thing) -> list[Thing]:
    """The entry that all rows have at each place, or `unknown`; stops as soon as nothing is left to agree on."""
    others = iter(rows)
    first = next(others, ())
    known = list(range(len(first)))
    for row in others:
        if not known:
            break
        known = [place for place in known if row[place] == first[place]]
    found = [unknown] * len(first)
    for place in known:
        found[place] = first[place]
    return found


def fitted(count: int, width: float, height: float) -> tuple[int, float]:
    """In how many columns `count` squares fit best into a rectangle, and how large they may be."""
    best = (1, 0.0)
    for columns in range(1, count + 1):
        rows = -(-count // columns)
        size = min(width / columns, height / rows)
        if size > best[1]:
            best = (columns, size)
        elif width / columns < best[1]:  # more columns only make them smaller
            break
    return best if count else (1, min(width, height))


Direction = Literal["up", "right", "down", "left"]
COMPASS: dict[str, Direction] = {"North": "up", "East": "right", "South": "down", "West": "left"}
MARGIN = 8.0
"""What pictures with directions leave free round a board."""


def ink_on(colour: str) -> str:
    """The colour of letters on a thing of some colour, in every theme."""
    return f"on-{colour}" if colour in ("bright", "dark") else "card"


def put_square(
    drawing: Drawing, x: float, y: float, side: float, *, r: float = 0, **look: str | float | bool
) -> Drawing:
    """A square whose upper left corner is at (x, y); `r`, a share of its side, rounds the corners."""
    return drawing.rectangle(x, y, side, side, r=r * side, **look)


def put_ring(drawing: Drawing, x: float, y: float, r: float) -> None:
    """A ring round a thing of radius r that is chosen."""
    drawing.circle(x, y, 1.13 * r, fill="none", stroke="accent", width=max(0.8, 0.22 * r))


def put_cross(drawing: Drawing, x: float, y: float, r: float, *, opacity: float = 1) -> None:
    """A cross: dead, or lost."""
    for side in (1, -1):
        drawing.line(x - r, y - side * r, x + r, y + side * r, stroke="bad", width=0.4 * r, round=True, opacity=opacity)


def edge_arrow(
    width: float, height: float, direction: Direction, *, twice: bool = False, fill: str = "accent"
) -> Drawing:
    """An arrow at the edge of a canvas that somebody or something goes to; `twice`: a thing flies there."""
    drawing = Drawing(width, height)
    for tip in (0.8, 3.8) if twice else (1.5,):
        depth = 3.4 if twice else 5.5
        # How far in from the edge, and how far from its middle.
        for_each = [(tip, 0.0), (tip + depth, 9.0), (tip + depth, -9.0)]
        middle = width / 2 if direction in ("up", "down") else height / 2
        points = [(middle + aside, depth) for depth, aside in for_each]
        if direction == "down":
            points = [(x, height - y) for x, y in points]
        elif direction == "left":
            points = [(y, x) for x, y in points]
        elif direction == "right":
            points = [(width - y, x) for x, y in points]
        drawing.polygon(points, fill=fill)
    return drawing


def put_count(drawing: Drawing, x: float, y: float, count: int, *, size: float = 11) -> None:
    """Write how many states are possible."""
    size = min(size, 2.8 * size / len(f"{count:,}"))
    drawing.text(x, y - 0.15 * size, f"{count:,}", size=size, fill="soft", bold=True)
    drawing.text(x, y + 0.7 * size, "possible", size=max(3.5, 0.48 * size), fill="soft")


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MOST_NAMED = 8


def counted(count: int, thing: str) -> str:
    """`three coins`, `one coin`, `no coins`, `1,024 coins`."""
    number = _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"
    return f"{number} {thing}{'' if count == 1 else 's'}"


def listed(things: Sequence[object]) -> str:
    """`1`, `1 and 2`, `1, 2 and 3`; of many only the first and the last."""
    named = [str(thing) for thing in things]
    if len(named) > _MOST_NAMED:
        named = [", ".join([*named[: _MOST_NAMED - 2], "..."]), named[-1]]
    return " and ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))
