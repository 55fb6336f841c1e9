"""Options that are whole numbers within bounds."""

from __future__ import annotations

import click


class Whole(click.IntRange):
    """A whole number, as `click.IntRange` takes it; what is none is not called an invalid range."""

    name = "integer"
