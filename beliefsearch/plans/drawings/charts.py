"""A small histogram as a drawing."""

from __future__ import annotations

from collections.abc import Mapping

from ...model.canvas.drawing import Drawing
from .parts import SMALL

_WIDTH, _HEIGHT, _LEFT, _BELOW = 420.0, 130.0, 46.0, 30.0
_MOST_BARS = 40


def draw_bars(counts: Mapping[float, int], across: str) -> Drawing:
    """A bar for each number, at its place; many numbers that lie closely share one."""
    whole = Drawing(_WIDTH, _HEIGHT)
    low, high = min(counts), max(counts)
    whole_numbers = all(number == int(number) for number in counts) and high - low < _MOST_BARS
    bins = int(high - low) + 1 if whole_numbers else min(_MOST_BARS, len(counts))
    width = 1.0 if whole_numbers else (high - low) / max(1, bins - 1) or 1.0
    heights = [0] * bins
    for number, count in counts.items():
        heights[min(bins - 1, round((number - low) / width))] += count
    room, floor = _WIDTH - _LEFT - 10, _HEIGHT - _BELOW
    step, most = room / bins, max(heights)
    for place, count in enumerate(heights):
        tall = (floor - 12) * count / most
        side = min(0.84 * step, 30)
        whole.rectangle(_LEFT + (place + 0.5) * step - side / 2, floor - tall, side, tall, fill="accent")
    whole.line(_LEFT, floor, _WIDTH - 10, floor, stroke="soft")
    for place in sorted({0, bins // 2, bins - 1}):
        whole.text(_LEFT + (place + 0.5) * step, floor + 9, f"{low + place * width:g}", size=SMALL, fill="soft")
    whole.text(_LEFT + room / 2, _HEIGHT - 7, across, size=SMALL, fill="soft")
    whole.text(_LEFT - 6, 12, f"{most:,}", size=SMALL, anchor="end", fill="soft")
    return whole
