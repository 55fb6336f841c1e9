"""A balance, and below it numbered coins with what is suspected of each."""

from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from beliefsearch import Drawing

from .parts import fitted, put_ring

_MOST = 400  # of more coins only every second, third, ... is drawn
_MOST_ON_PAN = 12
_LETTER = 2.9
_TOP, _HIGH = 50.0, 48.0  # where the coins lie

# By what is suspected: the coin, its edge, and its number.
_LOOKS = {
    "heavy": ("bad-soft", "bad", "bad"),
    "light": ("blue-soft", "blue", "blue"),
    "either": ("card", "soft", "ink"),
    "good": ("felt", "line", "soft"),
}


@frozen
class CoinsToWeigh:
    """So many coins, numbered from 1, and a balance."""

    count: int

    @property
    def _step(self) -> int:
        return -(-self.count // _MOST)

    def _places(self) -> tuple[dict[int, tuple[float, float]], float]:
        """The middle of each coin that is drawn, and their radius."""
        shown = range(1, self.count + 1, self._step)
        columns, pitch = fitted(len(shown), 96, _HIGH)
        pitch = min(pitch, 18)
        rows = -(-len(shown) // columns)
        left, top = 50 - columns * pitch / 2, _TOP + (_HIGH - rows * pitch) / 2
        places = {
            coin: (left + pitch * (i % columns + 0.5), top + pitch * (i // columns + 0.5))
            for i, coin in enumerate(shown)
        }
        return places, 0.4 * pitch

    def drawn(self, suspects: Mapping[int, str]) -> Drawing:
        """An empty balance, and the coins: `heavy`, `light`, `either`; those not in `suspects` are good."""
        drawing = _balance()
        places, r = self._places()
        if r < 2:
            for kind, (_, edge, _) in _LOOKS.items():
                drawing.dots([at for coin, at in places.items() if suspects.get(coin, "good") == kind], r, fill=edge)
            return drawing
        for coin, (x, y) in places.items():
            kind = suspects.get(coin, "good")
            fill, edge, ink = _LOOKS[kind]
            dash = 0.3 * r if kind == "either" else 0
            drawing.circle(x, y, r, fill=fill, stroke=edge, width=min(1.1, 0.16 * r), dashed=dash)
            # A weight hangs down, a balloon rises.
            turn = {"heavy": 1, "light": -1}.get(kind, 0)
            if r >= _LETTER:
                size = 0.95 * r if turn == 0 else 0.82 * r
                drawing.text(x, y - 0.24 * turn * r, coin, size=size, fill=ink, bold=kind != "good")
                if turn:
                    tip, back = y + 0.8 * turn * r, y + 0.4 * turn * r
                    drawing.polygon([(x, tip), (x - 0.36 * r, back), (x + 0.36 * r, back)], fill=edge)
        return drawing

    def weighed(self, pans: Sequence[Collection[int]]) -> Drawing:
        """Coins on the two pans, and rings round them where they lie."""
        drawing = Drawing()
        places, r = self._places()
        for side, pan in zip((22, 78), pans, strict=True):
            _put_on_pan(drawing, side, sorted(pan))
            for coin in pan:
                if coin in places:
                    put_ring(drawing, *places[coin], r)
        return drawing


def _balance() -> Drawing:
    """A balance with nothing on it."""
    drawing = Drawing()
    drawing.line(50, 6, 50, 43, stroke="soft", width=2, round=True)
    drawing.polygon([(40, 45.5), (60, 45.5), (53, 41), (47, 41)], fill="soft")
    drawing.line(22, 9, 78, 9, stroke="soft", width=2, round=True).circle(50, 9, 3, fill="soft")
    for x in (22, 78):
        drawing.polyline([(x - 16, 34), (x, 9), (x + 16, 34)], stroke="line", width=0.8)
        bowl = [(x - 18, 34), (x - 16, 42), (x + 16, 42), (x + 18, 34)]
        drawing.curve(bowl, fill="felt", stroke="soft", width=1.2, round=True)
        drawing.line(x - 18, 34, x + 18, 34, stroke="soft", width=1.2, round=True)
    return drawing


def _put_on_pan(drawing: Drawing, x: float, coins: Sequence[int]) -> None:
    """Coins in a heap on a pan; of very many only how many."""
    if len(coins) > _MOST_ON_PAN:
        drawing.text(x, 28, f"{len(coins):,} coins", size=6.5, fill="accent", bold=True)
        return
    columns = 2 if len(coins) <= 4 else 4
    r = 5.2 if columns == 2 else 3.7
    for i, coin in enumerate(coins):
        row, column = divmod(i, columns)
        count = min(columns, len(coins) - row * columns)
        across, up = x + 2.1 * r * (column - (count - 1) / 2), 33.2 - r * (1 + 2.0 * row)
        drawing.circle(across, up, r, fill="accent-soft", stroke="accent", width=0.18 * r)
        drawing.text(across, up, coin, size=r * (1.05 if coin < 100 else 0.8), fill="accent", bold=True)
