"""Plug-ins with one bug each: what `beliefsearch check` must find."""

from __future__ import annotations

from . import chance, hooks, model, pictures

BUGS = [*model.BUGS, *hooks.BUGS, *chance.BUGS, *pictures.BUGS]
