"""A score after some of many flips, and the coins to choose from."""

from __future__ import annotations

from collections.abc import Mapping

from beliefsearch import Drawing

from .marks import put_ring

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
