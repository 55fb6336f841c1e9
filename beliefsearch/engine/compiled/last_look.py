"""The last actions of a search from both ends, all at once: sets expanded without pruning, and compared in pieces."""

from __future__ import annotations

from collections.abc import Callable

from ...model.problem import Action
from .side import ArraySide, meeting_of
from .side_costs import QUERIES_AT_ONCE, SideCosts


def last_look(
    ahead: ArraySide[Action],
    behind: ArraySide[Action],
    length: int,
    costs: SideCosts,
    count: Callable[[int, int], None],
    *,
    begin: int = 0,
    known: tuple[Action, ...] = (),
    looked: Callable[[int, tuple[Action, ...]], None] = lambda sets, plan: None,
) -> tuple[Action, ...] | None:
    """A plan of exactly `length` actions, or with `costs.every_length` a shortest one of at most so many, or None.

    `count` is called with the sets expanded and generated, `looked` now and then with the number of sets ahead from
    which no other plan goes on, and the plan found there, or none; with these two, `begin` and `known`, it goes on.
    """
    rest = length - ahead.depth - behind.depth
    _, steps = costs.last_look(len(ahead), len(behind), rest)
    far = behind.grown(0, len(behind))
    for _ in range(steps):
        expanded, generated = len(far), far.advance()
        if not begin:  # else they have been counted
            count(expanded, generated)
        met = meeting_of(ahead, far) if costs.every_length else None
        if met is not None:
            return ahead.path(met[0]) + far.path(met[1])
    far.sort_by_size()
    rest -= steps
    plan = known or None
    piece = max(1, QUERIES_AT_ONCE // min(len(ahead.model.actions) ** min(rest, 64), QUERIES_AT_ONCE))
    if known:
        rest = len(known) - ahead.depth - far.depth - 1
    for start in range(begin, len(ahead), piece):
        near = ahead.grown(start, start + piece)
        for step in range(rest + 1):
            if step:
                count(len(near), near.advance())
            met = meeting_of(near, far) if costs.every_length or step == rest else None
            if met is not None:
                plan = near.path(met[0]) + far.path(met[1])
                if not costs.every_length:
                    return plan
                rest = step - 1  # of the other pieces only shorter plans are of interest
                break
        looked(min(start + piece, len(ahead)), plan or ())
    return plan
