"""SVG as text: colours by name, styles, numbers and texts, all of them checked and none able to do anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import isfinite

# By name: the colour on paper, and in the dark.
PALETTE: Mapping[str, tuple[str, str]] = {
    "ink": ("#26241f", "#ebe7df"),
    "soft": ("#706a60", "#a19b90"),
    "line": ("#cfc8ba", "#4a4d55"),
    "felt": ("#efeae0", "#2b2d33"),
    "card": ("#fffefb", "#1e2024"),
    "bright": ("#d9a32e", "#e3b04b"),
    "bright-edge": ("#a87710", "#f1cd80"),
    "on-bright": ("#4a3300", "#3a2800"),
    "dark": ("#454b57", "#5b6271"),
    "dark-edge": ("#2d323c", "#7d8595"),
    "on-dark": ("#eef0f4", "#f2f3f6"),
    "accent": ("#0d7a6c", "#5cc7b5"),
    "accent-soft": ("#d9ece8", "#1f3a37"),
    "bad": ("#b3402e", "#ea8a78"),
    "bad-soft": ("#f6dfda", "#472822"),
    "blue": ("#3f6fb0", "#86aee6"),
    "blue-soft": ("#dbe7f6", "#22344d"),
    "green": ("#4c8a3c", "#8cc77a"),
    "brown": ("#8a5a34", "#c89a70"),
}

# Our own words for them: a text of an author's class may be written otherwise than it compares.
_PAINTS = {"none": "none"} | {name: f"var(--{name})" for name in PALETTE}
FONTS = {"sans": "system-ui, sans-serif", "mono": "ui-monospace, Menlo, Consolas, monospace"}
# Not `html.escape`: its module takes longer to load than all of this package.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
# Quotes in texts are escaped, so this is never part of one.
_COLOUR = re.compile(r'"var\(--([a-z-]+)\)"')


def coloured(shapes: str, theme: str | None) -> str:
    """Shapes with the colours of a theme written out: "light" or "dark", else `ValueError`; None leaves variables."""
    if theme not in ("light", "dark", None):
        raise ValueError(f"theme is light, dark or None, not {theme!r}")
    if theme is None:
        return shapes
    return _COLOUR.sub(lambda name: f'"{PALETTE[name[1]][theme == "dark"]}"', shapes)


def styled(style: Mapping[str, str | float | bool]) -> str:
    """Fill, stroke, line width, dashes and opacity as attributes."""
    written = ""
    for name, value in style.items():
        if name in ("fill", "stroke"):
            paint = _PAINTS.get(str(value))
            if paint is None:
                raise ValueError(f"{name} {value!r} is no colour; there are none, {', '.join(PALETTE)}")
            written += f' {name}="{paint}"'
        elif name == "width":
            written += f' stroke-width="{size_text(value)}"'
        elif name == "opacity":
            if not 0 <= as_number(value) <= 1:
                raise ValueError(f"opacity goes from 0 to 1, and is not {value!r}")
            written += "" if value == 1 else f' opacity="{size_text(value)}"'
        elif name == "dashed":
            dash = size_text(3 if value is True else value)
            written += f' stroke-dasharray="{dash} {dash}"' if value else ""
        elif name == "round":
            written += ' stroke-linecap="round" stroke-linejoin="round"' if value else ""
        else:
            raise ValueError(f"a shape has fill, stroke, width, opacity, dashed and round, not {name!r}")
    return written


def as_number(value: object) -> float:
    """A finite number of any type as a float; raises `ValueError` if it is none, as text, which `float` would read."""
    try:
        found = float("nan") if isinstance(value, (str, bytes)) else float(value)  # type: ignore[arg-type]  # or an error
    except (TypeError, ValueError, OverflowError):
        found = float("nan")
    if not isfinite(found):
        raise ValueError(f"{value!r} is no number to draw with")
    return found


def number_text(value: object) -> str:
    """A number as SVG has it, with two places at most."""
    return _number_text(value if type(value) in (int, float) else as_number(value))


# The same places are drawn at again and again.
@lru_cache(maxsize=1 << 14)
def _number_text(value: float) -> str:
    written = f"{as_number(value):.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def size_text(value: object) -> str:
    """A number that is not negative."""
    written = number_text(value)
    if written.startswith("-"):
        raise ValueError(f"{value!r} is no size to draw with")
    return written


def point_list(points: Iterable[tuple[float, float]]) -> str:
    """Points as in the attribute of a figure: `1,2 3,4`."""
    return " ".join(f"{number_text(x)},{number_text(y)}" for x, y in points)


def printable(text: str) -> str:
    """`text` escaped for XML, without the characters that XML cannot hold."""
    text = str.__str__(text)  # without what an author's own class of texts does
    if not text.isprintable():
        from unicodedata import category

        text = "".join("\ufffd" if category(c) in ("Cc", "Cs", "Cn") else c for c in text)
    return text.translate(_ESCAPES)


def text_width(text: str) -> float:
    """About how wide `text` is in a monospaced font, in font sizes."""
    if text.isascii():
        return 0.6 * len(text)
    from unicodedata import category, east_asian_width

    return 0.6 * sum(0 if category(c) in ("Mn", "Me") else 2 if east_asian_width(c) in "WF" else 1 for c in text)
