"""Pairs of futures: what they cost, and the words that merge or tell them apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...running.limits import Budget
from ..compiled.jit import kernel
from .kernels import COUNTED, NEVER, Futures

_BYTES_OF_PAIR = 28  # of two futures in their order, while costs are looked for
_MOST_LISTED = 300_000  # pairs that cost the most
_LARGEST_LIST, _MOST_WORDS = 160_000_000, 1 << 14  # bytes of the words that are listed for pairs, and how many are


def with_costs(f: Futures, budget: Budget, tick: Callable[[], None]) -> Futures:
    """Find what each pair costs, and list the dearest."""
    count = f.after.shape[1]
    budget.require_room(_BYTES_OF_PAIR * count**2, "what pairs of futures cost")
    costs = np.full((count, count), NEVER, np.uint16)
    np.fill_diagonal(costs, 0)
    i, j = np.tril_indices(count, -1)
    waiting, left, length = i * count + j, len(i), 1
    while left and length < NEVER:
        tick()
        kept = costs_of_pairs(f, length, costs, waiting, left)
        if kept == left:
            break
        left, length = kept, length + 1
    dear = np.minimum(costs[i, j], COUNTED).astype(np.int64)
    over = len(dear) - np.cumsum(np.bincount(dear, minlength=COUNTED + 1))[:COUNTED]
    chosen = np.flatnonzero(dear > np.argmax(over <= _MOST_LISTED))
    chosen = chosen[np.argsort(-dear[chosen], kind="stable")]
    listed = np.array([i[chosen], j[chosen]], np.int32)
    counts = np.minimum(over, 1 << 30).astype(np.int32)
    return f._replace(costs=costs, dear=np.hstack([np.array([counts, counts]), listed]))


def with_words(f: Futures, longest: int, budget: Budget, tick: Callable[[], None]) -> Futures:
    """List the words of at most so many actions that merge or tell apart each pair, as long as there is room."""
    actions, count = f.after.shape
    words, length, bits = f.words, f.length, actions**f.length
    while length < longest and actions > 1 and actions * bits <= _MOST_WORDS:
        size = -(-actions * bits // 64)
        if 8 * size * count**2 > _LARGEST_LIST:
            break
        tick()
        budget.require_room(8 * size * count**2, "the words that tell pairs of futures apart")
        shorter = words if length else np.zeros((count, count, 1), np.uint64)
        words = np.zeros((count, count, size), np.uint64)
        after, percepts = np.ascontiguousarray(f.after.T), np.ascontiguousarray(f.percepts.T)
        longer_words(after, percepts, f.merging, shorter, bits, words)
        length, bits = length + 1, actions * bits
    return f._replace(words=words, length=length)


@kernel
def costs_of_pairs(f: Futures, length: int, costs: Any, waiting: Any, count: int) -> int:
    """Give the cost `length` to those of the first `count` pairs waiting that have it; returns how many wait on.

    A pair has it if some action tells it apart or leads to a pair that costs less; to 0 where the two become one.
    """
    kept, states = 0, f.percepts.shape[1]
    for place in range(count):
        i, j = waiting[place] // states, waiting[place] % states
        for action in range(f.percepts.shape[0]):
            said, other = f.percepts[action, i], f.percepts[action, j]
            if said < 0 or other < 0:
                continue
            if said != other or costs[f.after[action, i], f.after[action, j]] < length:
                costs[i, j] = costs[j, i] = length
                break
        if costs[i, j] == NEVER:
            waiting[kept] = waiting[place]
            kept += 1
    return kept


@kernel
def longer_words(after: Any, percepts: Any, merging: bool, shorter: Any, bits: int, longer: Any) -> None:
    """List the words that merge or tell apart each pair, given those of one action less, which have so many `bits`.

    Tables are by future and action here, since all actions of a pair are looked at together.
    """
    states, actions = percepts.shape
    for i in range(states):
        for j in range(i + 1):
            for action in range(actions):
                one, other = after[i, action], after[j, action]
                is_told = percepts[i, action] != percepts[j, action]
                is_one = one == other
                if (
                    one < 0
                    or other < 0
                    or (is_one and not (is_told or merging))
                    or (bits == 1 and not (is_told or is_one))
                ):
                    continue
                for part in range(shorter.shape[2]):
                    some = shorter[one, other, part]
                    if is_told or is_one:
                        some = ~np.uint64(0)
                        if bits - 64 * part < 64:
                            some >>= np.uint64(64 - bits + 64 * part)
                    at = action * bits + 64 * part
                    to, by = at >> 6, np.uint64(at & 63)
                    longer[i, j, to] |= some << by
                    if by and some >> (np.uint64(64) - by):
                        longer[i, j, to + 1] |= some >> (np.uint64(64) - by)
            longer[j, i] = longer[i, j]
