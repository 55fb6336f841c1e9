"""Drawings as PNG, by the library resvg."""

from __future__ import annotations

from ..errors import BeliefSearchError
from ..model.drawing import Drawing

_MOST_PIXELS = 60_000_000
_ZOOM = 2


def require_resvg() -> None:
    """Check before long work that a drawing can become a PNG.

    Raises
    ------
    BeliefSearchError
        If resvg is not installed.
    """
    try:
        import resvg_py  # noqa: F401  # only whether it is there
    except ImportError as error:
        raise BeliefSearchError(
            f"drawings as PNG need resvg-py, which is not installed ({error}); pip install 'beliefsearch[plot]', "
            "or say --format svg"
        ) from error


def drawing_png(drawing: Drawing) -> bytes:
    """The drawing as the bytes of a PNG file, two pixels for each unit or as many as there is room for."""
    require_resvg()
    import resvg_py

    zoom = min(_ZOOM, (_MOST_PIXELS / (drawing.width * drawing.height)) ** 0.5)
    svg = drawing.svg(width=drawing.width)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=max(1, round(drawing.width * zoom)),
            # Generic families are not told by the system here; these are what most systems have.
            sans_serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans Mono",
        )
    )
