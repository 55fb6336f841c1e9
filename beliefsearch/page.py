"""Interactive pages of problems; the names stand in `page.pyi`."""

from ._doors import Door

Door.open(__name__)
