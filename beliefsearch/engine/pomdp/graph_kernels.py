"""Kernels on a graph of beliefs without a discount: expanding, sweeps from below and above, and what is often met.

A belief that is expanded has branches by action, as in `belief_tree.py`, and `paid` has what its actions earn at once,
`NEVER` where one does not apply. A mixture is expanded as if its only action were to draw one of its parts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...solvers.pomdp.joint import NEVER, RULED_OUT
from ..compiled.jit import inner_kernel, kernel
from . import belief_tree as tables
from .belief_tree import Rows, Tree, Vectors

FRONTIER, EXPANDED, GRID, MIXTURE = range(4)
"""The kinds of beliefs: not expanded, expanded from the start, a point of a grid, a mean of such points."""

BY_PLANES, BY_PARTS = -1, -2
"""What shows an upper bound, if it is no point."""

_TIE = 1e-9
# Weights in a mixture below this are rounding.
_LEAST_WEIGHT = 1e-13


class Notes(NamedTuple):
    """Notes of the search by belief, beside the tree.

    Its `kind`; what shows its upper bound: a point that is a part of it, or `BY_PLANES`, or `BY_PARTS`, the branches
    from `first_part` to `last_part` to points of a grid that is so `fine`; what each action earns at once, `paid`, and
    would be worth to a discounted player who soon sees all, `hints`; and the actions of three policies, or -1: that of
    the lower bound (-1: go on by the vector), that of the upper bound, and the discounted one.
    """

    kind: Any
    shown: Any
    first_part: Any
    last_part: Any
    fine: Any
    paid: Any
    hints: Any
    lower: Any
    upper: Any
    dive: Any


@kernel
def expand(
    todo: Any, rows: Rows, tree: Tree, notes: Notes, dense: Any, hints: Any, percepts: int, counters: Any
) -> Any:
    """Expand these beliefs; returns how many were, and which table is full."""
    actions = rows.rewards.shape[0]
    for done in range(len(todo)):
        belief = todo[done]
        why = tables.branch(belief, rows, tree, dense, percepts, counters)
        if why != tables.USED_UP:
            return done, why
        best = NEVER
        for action in range(actions):
            paid, hint = 0.0, 0.0
            for entry in range(tree.begin[belief], tree.end[belief]):
                paid += tree.shares[entry] * rows.rewards[action, tree.states[entry]]
                hint += tree.shares[entry] * hints[action, tree.states[entry]]
            if paid <= RULED_OUT or tree.worth[belief, action] <= RULED_OUT:
                paid = hint = NEVER
            notes.paid[belief, action], notes.hints[belief, action] = paid, hint
            if hint > best:
                best = hint
                notes.dive[belief] = action
        notes.kind[belief] = EXPANDED
    return len(todo), tables.USED_UP


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
        if old >= 0 and _worth(belief, old, links, high) >= best - _TIE:
            continue
        top = 2 * NEVER
        for action in range(notes.paid.shape[1]):
            hint = notes.hints[belief, action]
            if hint > top and _worth(belief, action, links, high) >= best - _TIE:
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


@kernel
def compare_vectors(
    beliefs: Any, tree: Tree, vectors: Vectors, homes: Any, classes: Any, choice: Any, since: int
) -> None:
    """Raise lower bounds by the vectors from number `since` on that belong to the class of the belief's states."""
    for belief in beliefs:
        begin, end = tree.begin[belief], tree.end[belief]
        home = classes[tree.states[begin]]
        for number in range(since, len(homes)):
            if homes[number] != home and homes[number] >= 0:
                continue
            worth = 0.0
            for entry in range(begin, end):
                worth += tree.shares[entry] * vectors.values[number, tree.states[entry]]
            if worth > tree.low[belief] and worth > RULED_OUT:
                tree.low[belief], tree.vector[belief] = worth, number
                choice[belief] = -1


@kernel
def unpaid_vectors(
    rows: Rows, vectors: Vectors, first: int, homes: Any, members: Any, bounds: Any, floor: float, sweeps: int
) -> int:
    """Lower vectors, from `first` on, to the floor in states from which something may ever be paid.

    They begin at 0 there, and are sound at the end only: 0 is left where the policy pays nothing for ever.
    """
    size = vectors.values.shape[1]
    for sweep in range(sweeps):
        lowered = 0
        for number in range(len(homes) - 1, first - 1, -1):
            action = vectors.actions[number]
            for place in range(bounds[homes[number]], bounds[homes[number] + 1]):
                state = members[place]
                if vectors.values[number, state] < 0.0:
                    continue
                row = action * size + state
                pays = rows.rewards[action, state] < 0.0
                for entry in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
                    target = rows.to_states[entry]
                    arriving = rows.percept_rows[action * size + target]
                    for seen in range(rows.percept_pointers[arriving], rows.percept_pointers[arriving + 1]):
                        after = vectors.successors[number, rows.percept_numbers[seen]]
                        possible = rows.to_weights[entry] * rows.percept_weights[seen] > 0.0
                        pays = pays or (possible and vectors.values[after, target] < 0.0)
                if pays:
                    vectors.values[number, state] = floor
                    lowered += 1
        if lowered == 0:
            return sweep + 1
    return sweeps


@kernel
def policy_vectors(
    rows: Rows, vectors: Vectors, first: int, homes: Any, members: Any, bounds: Any, sweeps: int, least: float
) -> int:
    """Raise vectors, from `first` on, of nodes that may follow each other in circles, to what they are worth.

    States of a class are `members` from one of the `bounds` to the next. Returns the number of sweeps over entries.
    """
    size = vectors.values.shape[1]
    for sweep in range(sweeps):
        most = 0.0
        for number in range(len(homes) - 1, first - 1, -1):
            action = vectors.actions[number]
            for place in range(bounds[homes[number]], bounds[homes[number] + 1]):
                state = members[place]
                row = action * size + state
                worth = rows.rewards[action, state]
                for entry in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
                    target = rows.to_states[entry]
                    arriving = rows.percept_rows[action * size + target]
                    for seen in range(rows.percept_pointers[arriving], rows.percept_pointers[arriving + 1]):
                        after = vectors.successors[number, rows.percept_numbers[seen]]
                        chance = rows.to_weights[entry] * rows.percept_weights[seen]
                        worth += chance * vectors.values[after, target]
                if worth > vectors.values[number, state]:
                    most = max(most, worth - vectors.values[number, state])
                    vectors.values[number, state] = worth
        if most < least:
            return sweep + 1
    return sweeps


@kernel
def climb(rows: Rows, choice: Any, home: int, classes: Any, applies: Any, start: Any, best: Any, sweeps: int) -> int:
    """Try all actions for one class of a policy without memory, and keep the best; returns how many sweeps that took.

    `best` has what the policy is worth at the start, and in the sum over all states; at first too little.
    """
    actions, size = rows.rewards.shape
    chosen, done = choice[home], 0
    for action in range(actions):
        if not applies[action, home] or (action == chosen and best[0] > RULED_OUT):
            continue
        before, choice[home] = choice[home], action
        values = np.zeros(size)
        for _ in range(sweeps):
            done += 1
            change = 0.0
            for state in range(size):
                row = choice[classes[state]] * size + state
                worth = rows.rewards[choice[classes[state]], state]
                for entry in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
                    worth += rows.to_weights[entry] * values[rows.to_states[entry]]
                change = max(change, abs(worth - values[state]))
                values[state] = worth
            if change < 1e-6:
                break
        worth, total = (start * values).sum(), values.sum()
        if worth > best[0] + _TIE or (worth >= best[0] - _TIE and total > best[1] + _TIE):
            best[0], best[1] = worth, total
        else:
            choice[home] = before
    return done


@kernel
def sweep_planes(
    planes: Any, cap: Any, groups: Any, starts: Any, states: Any, weights: Any, rewards: Any, step: float, slack: float
) -> float:
    """Raise the planes of the fast informed bound to what follows from them; returns the greatest change.

    With a `step` only what is too low by more than `slack` is raised, to a multiple of it.
    """
    actions, size = planes.shape
    most = 0.0
    for row in range(actions * size):
        action, state = row // size, row % size
        if rewards[action, state] <= RULED_OUT:
            continue
        worth = rewards[action, state]
        for group in range(groups[row], groups[row + 1]):
            best = NEVER
            for plane in range(actions):
                here = 0.0
                for entry in range(starts[group], starts[group + 1]):
                    here += weights[entry] * planes[plane, states[entry]]
                best = max(best, here)
            worth += best
        before = planes[action, state]
        if step > 0.0:
            if worth > before + slack and before < cap[action, state]:
                planes[action, state] = min(cap[action, state], np.ceil((worth - slack) / step) * step)
                most = 1.0
        elif worth > before:
            most = max(most, worth - before)
            planes[action, state] = worth
    return most


@kernel
def lower_by_points(some: Any, tree: Tree, notes: Notes, points: Any, bounds: Any, classes: Any, dense: Any) -> int:
    """Lower the upper bounds of beliefs by points of the same class that are a part of them; returns the work.

    A belief that is c times a point and a rest is worth at most c times the point and what planes say of the rest.
    The points of a class stand from one of the `bounds` to the next; `dense` is room to work in, zeros by state.
    """
    work = 0
    for belief in some:
        begin, end = tree.begin[belief], tree.end[belief]
        home = classes[tree.states[begin]]
        if bounds[home] == bounds[home + 1]:
            continue
        for entry in range(begin, end):
            dense[tree.states[entry]] = tree.shares[entry]
        for place in range(bounds[home], bounds[home + 1]):
            point = points[place]
            gain = tree.simple[point] - tree.high[point]
            if point == belief or gain <= tree.simple[belief] - tree.high[belief]:
                continue  # even if it were all of this belief
            needed = (tree.simple[belief] - tree.high[belief]) / gain
            share = 1.0
            for entry in range(tree.begin[point], tree.end[point]):
                work += 1
                share = min(share, dense[tree.states[entry]] / tree.shares[entry])
                if share <= needed:
                    break
            share *= 1 - 1e-12
            if share <= needed:
                continue
            rest = NEVER
            for plane in range(tree.worth.shape[1]):
                if tree.worth[belief, plane] > RULED_OUT:
                    rest = max(rest, tree.worth[belief, plane] - share * tree.worth[point, plane])
            bound = share * tree.high[point] + rest + 1e-14
            if bound < tree.high[belief]:
                tree.high[belief], notes.shown[belief] = bound, point
        for entry in range(begin, end):
            dense[tree.states[entry]] = 0.0
    return work


@kernel
def mix(todo: Any, fine: int, rows: Rows, tree: Tree, notes: Notes, counters: Any) -> Any:
    """Write beliefs as means of the corners of their cell in the grid of shares with the denominator `fine`.

    The cells are those of Freudenthal's triangulation. A belief that is a point of the grid stays as it is. Returns how
    many beliefs were looked at, and which table is full.
    """
    for done in range(len(todo)):
        belief = todo[done]
        begin = tree.begin[belief]
        size = tree.end[belief] - begin
        if counters[tables.ENTRIES] + (size + 1) * size + size > len(tree.states):
            return done, tables.NO_ENTRIES
        if counters[tables.BELIEFS] + size + 1 > len(tree.low):
            return done, tables.NO_BELIEFS
        if counters[tables.BRANCHES] + size + 1 > len(tree.next):
            return done, tables.NO_BRANCHES
        corner, rest = np.empty(size + 1, np.int64), np.empty(size)
        total = 0.0
        for k in range(size - 1, -1, -1):
            total += tree.shares[begin + k]
            scaled = total * fine if k else float(fine)
            corner[k] = np.int64(np.floor(scaled + 1e-12))
            rest[k] = max(scaled - corner[k], 0.0)
        corner[size] = 0
        order = np.argsort(-rest)
        if rest[order[0]] <= _LEAST_WEIGHT:
            notes.kind[belief] = GRID
            tree.first_branch[belief] = -1  # of a coarser grid it may have been a mixture
            continue
        first = counters[tables.BRANCHES]
        last = 1.0
        for turn in range(size + 1):
            weight = last - (rest[order[turn]] if turn < size else 0.0)
            if weight > _LEAST_WEIGHT:
                start = counters[tables.ENTRIES]
                count = 0
                for k in range(size):
                    share = corner[k] - corner[k + 1]
                    if share > 0:
                        tree.states[start + count] = tree.states[begin + k]
                        tree.shares[start + count] = share / fine
                        count += 1
                place = counters[tables.BRANCHES]
                tree.percepts[place], tree.chances[place] = 0, weight
                tree.next[place] = tables.number_of(start, count, rows, tree, counters)
                counters[tables.BRANCHES] += 1
            if turn < size:
                last = rest[order[turn]]
                corner[order[turn]] += 1
        notes.kind[belief] = MIXTURE
        notes.paid[belief, :] = NEVER
        notes.paid[belief, 0] = 0.0
        notes.upper[belief] = 0
        tree.branch_end[belief, :] = counters[tables.BRANCHES]
        tree.first_branch[belief] = first
    return len(todo), tables.USED_UP
