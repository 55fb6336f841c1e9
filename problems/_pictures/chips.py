"""Chips in stacks, counters in heaps, and a score after some of many flips with the coins to choose from."""

from collections.abc import Mapping, Sequence
from math import ceil, sqrt

from attrs import frozen

from beliefsearch import Drawing

from .parts import put_ring

_MOST = 100  # of more chips each stands for several
_STRIP = 80.0  # below it there is text


@frozen
class Stacks:
    """Room for so many chips."""

    goal: int

    @property
    def _worth(self) -> int:
        """The worth of a chip."""
        return ceil(self.goal / _MOST)

    def drawn(self, capital: int) -> Drawing:
        """So many chips; the places of those that are missing are dashed."""
        drawing = Drawing().rectangle(0.6, 0.6, 98.8, 98.8, r=7, fill="felt", stroke="line")
        chips = ceil(self.goal / self._worth)
        high = min(10, ceil(sqrt(chips)) + 1)
        stacks = ceil(chips / high)
        across, thick = min(90 / stacks, 20), min(68 / high, 8)
        have = ceil(capital / self._worth)
        for stack in range(stacks):
            x = 50 + across * (stack - stacks / 2) + 0.08 * across
            there = min(high, chips - stack * high)
            filled = max(0, min(there, have - stack * high))
            if filled < there:
                frame = x, _STRIP - 4 - thick * there, 0.84 * across, thick * there
                drawing.rectangle(*frame, r=0.3 * thick, fill="none", stroke="soft", width=0.6, dashed=1.5)
            for chip in range(filled):
                put_chip(drawing, x, _STRIP - 4 - thick * (chip + 1), 0.84 * across, thick)
        text = f"{capital:,} of {self.goal:,}"
        return drawing.text(6, 89, text, size=_fitting(text, 48), anchor="start", bold=True)

    def staked(self, stake: int) -> Drawing:
        """The stake, in the corner."""
        text = f"stake {stake:,}"
        return Drawing().text(94, 89, text, size=_fitting(text, 36), anchor="end", bold=True, fill="accent")


def _fitting(text: str, width: float) -> float:
    """The font size in which a bold text is not wider than this, and not larger than usual."""
    return min(9, width / (0.62 * len(text)))


def put_chip(drawing: Drawing, x: float, y: float, width: float, height: float) -> None:
    """A chip seen from the side."""
    edge = min(0.8, 0.1 * height)
    drawing.rectangle(
        x, y + 0.05 * height, width, 0.9 * height, r=0.3 * height, fill="bright", stroke="bright-edge", width=edge
    )


@frozen
class HeapsOfCounters:
    """Room for so many heaps of at most so many counters, with a line for what is taken."""

    heaps: int
    most: int

    @property
    def _pitch(self) -> tuple[float, float]:
        across = min(92 / self.heaps, 24)
        return across, min(66 / self.most, 0.5 * across)

    def drawn(self, heaps: Sequence[int], taker: str = "") -> Drawing:
        """The heaps, or who took the last counter."""
        drawing = Drawing().rectangle(0.6, 0.6, 98.8, 98.8, r=7, fill="felt", stroke="line")
        drawing.line(4, _STRIP, 96, _STRIP, stroke="line", width=1.2)
        across, thick = self._pitch
        wide = min(0.8 * across, 2.6 * thick) if self.most <= 40 else 0.8 * across
        for place, count in enumerate(heaps):
            x = 50 + across * (place - (len(heaps) - 1) / 2)
            if sum(heaps) <= _MOST:
                for counter in range(count):
                    put_chip(drawing, x - wide / 2, _STRIP - 1 - thick * (counter + 1), wide, thick)
            else:
                put_chip(drawing, x - wide / 2, _STRIP - 1 - thick * count, wide, thick * count)
            if across >= 7:
                size = min(7, 0.6 * across)
                drawing.text(x, _STRIP - 1.5 - thick * count - 0.7 * size, count, size=size, fill="soft")
        if taker:
            drawing.text(50, 38, taker, size=16, bold=True).text(50, 56, "took the last one", size=9, fill="soft")
        return drawing

    def taken(self, count: int, size: int) -> Drawing:
        """The number that is taken, and the size of the heap."""
        drawing = Drawing()
        if size > 12:
            return drawing.text(50, 90, f"{count:,} from {size:,}", size=9, bold=True, fill="accent")
        step = min(9, 88 / size)
        for number in range(size):
            x = 50 + step * (number - (size - 1) / 2)
            drawing.circle(x, 90, 0.36 * step, fill="bright", stroke="bright-edge", width=0.6)
            if number >= size - count:
                drawing.circle(x, 90, 0.44 * step, fill="none", stroke="accent", width=0.16 * step)
        return drawing


_R = 13.0


def _places(coins: Mapping[str, int]) -> dict[str, tuple[float, float]]:
    return {coin: (50 + 44 * (number - (len(coins) - 1) / 2), 20) for number, coin in enumerate(coins)}


def score(made: int, flips: int, points: int, coins: Mapping[str, int]) -> Drawing:
    """The coins with what each wins or loses, the score, and how much of the game is over."""
    drawing = Drawing().rectangle(0.6, 0.6, 98.8, 98.8, r=7, fill="felt", stroke="line")
    for coin, (x, y) in _places(coins).items():
        drawing.circle(x, y, _R, fill="dark", stroke="dark-edge", width=1.3)
        drawing.text(x, y - 3, coin, size=13, fill="on-dark", bold=True)
        drawing.text(x, y + 6.5, f"±{coins[coin]}", size=6, fill="on-dark")
    over = made == flips
    ink = "bright-edge" if over and points > 0 else "bad" if over else "ink"
    written = f"{points:+}" if points else "0"
    drawing.text(50, 57, written.replace("-", "−"), size=min(26, 130 / len(written)), bold=True, fill=ink)
    drawing.rectangle(8, 80, 84, 5, r=2.5, fill="card", stroke="line", width=0.8)
    if made:
        drawing.rectangle(8, 80, max(5, 84 * made / flips), 5, r=2.5, fill="bright" if points > 0 else "dark")
    return drawing.text(50, 92, f"{made:,} of {flips:,} flips", size=6.5, fill="soft")


def chosen(coin: str, coins: Mapping[str, int]) -> Drawing:
    """A ring round a coin."""
    drawing = Drawing()
    put_ring(drawing, *_places(coins)[coin], _R)
    return drawing
