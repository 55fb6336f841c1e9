"""A short plan, for a search that then need only show that there is none shorter: a beam from the goals."""

from __future__ import annotations

from collections.abc import Callable
from math import log2

from ...model.problem import Action
from .set_model import LaterModel
from .side import ArraySide, Pruning, meeting_of
from .words import members_of_words

# Sets that a layer of the beam may generate, times their words: some milliseconds' worth.
_WIDEST = 1 << 15
_NARROWEST = 8
# The beam gives up after so many layers, for each state, in which the largest set has grown no larger.
_PATIENCE = 3


def short_plan(
    ahead: ArraySide[Action], model: LaterModel[Action], tick: Callable[[int], None], count: Callable[[int, int], None]
) -> tuple[Action, ...] | None:
    """A plan that goes on from a set of the last layer of `ahead`; None if the beam finds none.

    It keeps, of what wins in one action more, the largest sets only, some n log n for n states. `count` is called with
    the sets expanded and generated in each layer.
    """
    states = len(model.states)
    wide = min(int(states * log2(states + 1)), _WIDEST // (len(model.actions) * model.width))
    width = max(_NARROWEST, wide)
    beam = ArraySide(model, model.goals, backwards=True, tick=tick, pruning=Pruning.LAYER, most=width)
    largest = stale = 0
    while len(beam) and stale < _PATIENCE * states:
        met = meeting_of(ahead, beam)
        if met is not None:
            return ahead.path(met[0]) + beam.path(met[1])
        expanded = len(beam)
        count(expanded, beam.advance())
        now = len(members_of_words(beam.layer[0])) if len(beam) else 0
        stale = stale + 1 if now <= largest else 0
        largest = max(largest, now)
    return None
