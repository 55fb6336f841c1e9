"""Kernels on bounds by state: vectors of policies on a graph of beliefs, and the planes of the fast informed bound."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...solvers.pomdp.joint import NEVER, RULED_OUT
from ..compiled.jit import kernel
from .belief_tree import Rows, Tree, Vectors
from .sweep_kernels import TIE

# Values that change by less in a sweep have settled.
_SETTLED = 1e-9


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
def policy_vectors(
    rows: Rows, vectors: Vectors, first: int, homes: Any, members: Any, bounds: Any, floor: float, sweeps: int
) -> int:
    """Raise vectors, from `first` on, of nodes that may follow each other in circles, to what they are worth.

    With a `floor` below 0 they are lowered to it instead, in states from which something may ever be paid: they begin
    at 0 there, and are sound at the end only: 0 is left where the policy pays nothing for ever. States of a class are
    `members` from one of the `bounds` to the next. Returns the number of sweeps over entries.
    """
    size = vectors.values.shape[1]
    for sweep in range(sweeps):
        most = 0.0
        for number in range(len(homes) - 1, first - 1, -1):
            action = vectors.actions[number]
            for place in range(bounds[homes[number]], bounds[homes[number] + 1]):
                state = members[place]
                here = vectors.values[number, state]
                if floor < 0.0 and here < 0.0:
                    continue
                row = action * size + state
                worth = rows.rewards[action, state]
                for entry in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
                    target = rows.to_states[entry]
                    arriving = rows.percept_rows[action * size + target]
                    for seen in range(rows.percept_pointers[arriving], rows.percept_pointers[arriving + 1]):
                        after = vectors.successors[number, rows.percept_numbers[seen]]
                        chance = rows.to_weights[entry] * rows.percept_weights[seen]
                        worth += chance * vectors.values[after, target]
                if floor < 0.0:
                    if worth < 0.0:  # neither what is paid nor what follows is ever above 0
                        most = 1.0
                        vectors.values[number, state] = floor
                elif worth > here:
                    most = max(most, worth - here)
                    vectors.values[number, state] = worth
        if most < _SETTLED:
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
        if worth > best[0] + TIE or (worth >= best[0] - TIE and total > best[1] + TIE):
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
