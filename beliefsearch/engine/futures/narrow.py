"""Plans and words that are found soon, where to prove the shortest takes long: greedily, or by few actions a set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...plans.plan import ConditionalPlan
from ...running.limits import EffortExceeded
from ...solvers.contingent.plan_graph import plan_graph
from .bounded import BoundedSearch, Groups, one_group
from .memo import NOT_WON

PATIENCE = 100_000_000
"""Elementary steps that are taken before, and for each plan better than the one before."""

_NEAR = 5  # actions above the bound: where a plan has twice as many, twice the patience is had for a better one

# Elementary steps for words of one length; and lists of groups that are gone on with, at least and at the most.
_STEPS, _BREADTH = 8_000_000, (16, 1000)
_LEAST_BREADTH = 2  # once patience is at an end, for as long again


def good_plans(search: BoundedSearch, least: int) -> Iterator[ConditionalPlan[Any, Any]]:
    """Yield plans of fewer and fewer actions as long as one is soon found, but not of fewer than `least`.

    There must be one that is found greedily. It is bettered by the one, two, four, ... finest actions of each set.
    """
    tables, width = search.tables, 1
    plan = plan_graph(tables, tables.initial_node(), search.choose_greedily)
    yield plan
    while plan.depth > least and width < 2 * len(tables.percepts):
        with search.aside(PATIENCE * max(1, (int(plan.depth) - least) // _NEAR)):
            try:
                while plan.depth > least and search.within(tables.starts, int(plan.depth) - 1, width):
                    shorter = plan_graph(tables, tables.initial_node(), search.choose)
                    if shorter.depth >= plan.depth:  # made of actions that are remembered from longer plans
                        break
                    plan = shorter
                    yield plan
            except EffortExceeded:
                break
        width *= 2


def good_words(search: BoundedSearch, keep: int, least: int) -> Iterator[list[int]]:
    """Yield a word that wins from all starts, and a shorter one if it is far above the bound; none if not soon found.

    No word has fewer actions than `least`. See `BoundedSearch.word_within`.
    """
    breadth = int(np.clip(_STEPS // search.tables.after.size, *_BREADTH))
    word = _good_word(search, keep, breadth, NOT_WON, PATIENCE)
    if word is not None:
        yield word
        if len(word) >= least + 2 * _NEAR:  # else it is rather proved that none is shorter
            word = _good_word(search, keep, 2 * breadth, len(word), 2 * PATIENCE)
            if word is not None:
                yield word


def _good_word(search: BoundedSearch, keep: int, breadth: int, below: int, patience: int) -> list[int] | None:
    """A word of fewer actions than `below`, by those that leave the fewest pairs each time; None if not soon found."""
    starts, steps, seen = search.tables.starts, 0, set[int]()
    beam: list[tuple[Groups, list[int]]] = [(one_group(starts), [])]
    while beam and len(beam[0][1]) + 1 < below and steps < 2 * patience:
        if steps > patience:
            breadth = _LEAST_BREADTH
        found = []
        for place, (groups, word) in enumerate(beam):
            search.tick()
            steps += len(groups[0]) * len(search.tables.percepts)
            for action, (left, number) in enumerate(zip(*search.pairs_after(groups, keep), strict=True)):
                if left == 0:
                    return [*word, action]
                if left > 0:
                    found.append((left, number, place, action))
        after: list[tuple[Groups, list[int]]] = []
        for _, number, place, action in sorted(found):
            if number not in seen and len(after) < breadth:
                seen.add(number)
                groups, word = beam[place]
                after.append((search.groups_after(groups, action, keep), [*word, action]))
        beam = after
    return None
