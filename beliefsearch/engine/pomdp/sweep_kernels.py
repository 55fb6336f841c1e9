"""Kernels that sweep over a graph of beliefs: bounds from below and above, the best actions, and what is often met."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...solvers.pomdp.joint import NEVER, RULED_OUT
from ..compiled.jit import inner_kernel, kernel
from .belief_tree import Tree
from .graph_kernels import EXPANDED, Notes

TIE = 1e-9
"""Actions that are worth less than this apart are as good as each other."""


class _Links(NamedTuple):
    """Arrays of the tree to go back along it: passed on whole, its many arrays would take most of the time."""

    first: Any
    ends: Any
    chances: Any
    next: Any
    paid: Any


@inner_kernel
def _links(tree: Tree, paid: Any) -> _Links:
    return _Links(tree.first_branch, tree.branch_end, tree.chances, tree.next, paid)


@inner_kernel
def _first_of(belief: int, action: int, links: _Links) -> int:
    first: int = links.first[belief] if action == 0 else links.ends[belief, action - 1]
    return first


@inner_kernel
def _worth(belief: int, action: int, links: _Links, value: Any) -> float:
    total: float = links.paid[belief, action]
    if total > RULED_OUT:
        first = _first_of(belief, action, links)
        for place in range(first, links.ends[belief, action]):
            total += links.chances[place] * value[links.next[place]]
    return total


@inner_kernel
def _best(belief: int, links: _Links, value: Any) -> float:
    best = NEVER
    for action in range(links.paid.shape[1]):
        best = max(best, _worth(belief, action, links, value))
    return best


@kernel
def sweep_up(order: Any, value: Any, choice: Any, tree: Tree, paid: Any, gain: float, least: float, most: int) -> Any:
    """Raise values from below until a sweep changes less than `least`, or so often; returns how often, and the change.

    An action is noted where it is a strict gain only: so the actions make progress, and never wait for each other.
    """
    links, change = _links(tree, paid), 0.0
    for sweep in range(most):
        change = 0.0
        for belief in order:
            best = before = value[belief]
            for action in range(paid.shape[1]):
                worth = _worth(belief, action, links, value)
                if worth > best + gain and worth > RULED_OUT:
                    best = worth
                    choice[belief] = action
            if best > before:
                change = max(change, best - before)
                value[belief] = best
        if change < least:
            return sweep + 1, change
    return most, change


@kernel
def sweep_unpaid(order: Any, kept: Any, choice: Any, low: Any, tree: Tree, paid: Any, most: int) -> Any:
    """Take out beliefs from which every action may cost something; returns the sweeps, and how many went out last.

    Where none are left to be taken out, who does the actions chosen pays nothing for ever.
    """
    links, lost = _links(tree, paid), 0
    for sweep in range(most):
        lost = 0
        for belief in order:
            if not kept[belief]:
                continue
            choice[belief] = -1
            for action in range(paid.shape[1]):
                stays = links.paid[belief, action] == 0.0
                first = _first_of(belief, action, links)
                for place in range(first, links.ends[belief, action]):
                    other = links.next[place]
                    stays = stays and (kept[other] or low[other] == 0.0)
                if stays:
                    choice[belief] = action
                    break
            if choice[belief] < 0:
                kept[belief] = False
                lost += 1
        if lost == 0:
            return sweep + 1, 0
    return most, lost


@kernel
def sweep_down(order: Any, value: Any, tree: Tree, paid: Any, least: float, most: int) -> Any:
    """Lower values to what follows from the others; as `sweep_up`."""
    links, change = _links(tree, paid), 0.0
    for sweep in range(most):
        change = 0.0
        for belief in order:
            best = _best(belief, links, value)
            if best < value[belief]:
                change = max(change, value[belief] - best)
                value[belief] = best
        if change < least:
            return sweep + 1, change
    return most, change


@kernel
def sweep_check(order: Any, value: Any, cap: Any, tree: Tree, paid: Any, step: float, slack: float, most: int) -> Any:
    """Raise values below what follows to a multiple of `step`; returns the sweeps, and how many were raised last."""
    links, raised = _links(tree, paid), 0
    for sweep in range(most):
        raised = 0
        for belief in order:
            best = _best(belief, links, value)
            if best > value[belief] + slack and value[belief] < cap[belief]:
                value[belief] = min(cap[belief], np.ceil((best - slack) / step) * step)
                raised += 1
        if raised == 0:
            return sweep + 1, 0
    return most, raised


@kernel
def mark_best(order: Any, high: Any, tree: Tree, notes: Notes) -> None:
    """Give an action to beliefs without one, or whose action is not the best any more; hints decide ties."""
    links = _links(tree, notes.paid)
    for belief in order:
        best = _best(belief, links, high)
        old = notes.upper[belief]
        if old >= 0 and _worth(belief, old, links, high) >= best - TIE:
            continue
        top = 2 * NEVER
        for action in range(notes.paid.shape[1]):
            hint = notes.hints[belief, action]
            if hint > top and _worth(belief, action, links, high) >= best - TIE:
                top = hint
                notes.upper[belief] = action


@kernel
def occupancy(choice: Any, kind: Any, tree: Tree, met: Any, least: float, most_turns: int) -> None:
    """Add up in `met` how often each belief is met from the start on, by pushing probabilities along."""
    size, links = len(met), _links(tree, np.zeros((0, 0)))
    rest, waits = np.zeros(size), np.zeros(size, np.bool_)
    queue = np.empty(size + 1, np.int64)
    head, tail = 0, 1
    queue[0] = 0
    rest[0] = 1.0
    waits[0] = True
    for _ in range(most_turns):
        if head == tail:
            break
        belief = queue[head]
        head = (head + 1) % (size + 1)
        waits[belief] = False
        mass = rest[belief]
        rest[belief] = 0.0
        met[belief] += mass
        action = choice[belief]
        if action < 0 or kind[belief] != EXPANDED:
            continue
        first = _first_of(belief, action, links)
        for place in range(first, links.ends[belief, action]):
            other = links.next[place]
            rest[other] += mass * links.chances[place]
            if rest[other] > least and not waits[other]:
                waits[other] = True
                queue[tail] = other
                tail = (tail + 1) % (size + 1)


@kernel
def nearly_best(order: Any, near: Any, high: Any, tree: Tree, paid: Any, loss: float, most: int) -> int:
    """Raise `near` to the greatest weight of a way to each belief; returns the number of sweeps.

    The weight of a way is the product of its chances, and e times less for each `loss` by its actions.
    """
    links = _links(tree, paid)
    for sweep in range(most):
        raised = False
        for belief in order:
            if near[belief] <= 0.0:
                continue
            best = _best(belief, links, high)
            for action in range(paid.shape[1]):
                worth = _worth(belief, action, links, high)
                if worth <= RULED_OUT:
                    continue
                weight = near[belief] * np.exp(min(0.0, worth - best) / loss)
                for place in range(_first_of(belief, action, links), links.ends[belief, action]):
                    other = links.next[place]
                    if weight * links.chances[place] > near[other] * 1.001 + 1e-30:
                        near[other] = weight * links.chances[place]
                        raised = True
        if not raised:
            return sweep + 1
    return most
