"""Compiled relaxed plans: facts never cease to hold, and every state of every local belief is a *track* of its own.

A fact is reached in a track when an effect brings it about whose conditions are reached in that track. An action can be
done when each of its clauses is reached in all tracks of the clause's factor; then it is done in all tracks at once, so
a relaxed plan counts pairs of an action and a level. J. Hoffmann and B. Nebel, "The FF planning system" (2001); J.
Hoffmann and R. Brafman, "Conformant planning via heuristic forward search" (2006).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.jit import inner_kernel, kernel

FAR = 2**30
"""In place of a level: never reached."""

_Ints = NDArray[np.int64]


class RelaxedTask(NamedTuple):
    """The facts of all factors, what brings them about, and what waits for them.

    Facts and effects of a factor have numbers of their own; those of factor f begin at `first_fact[f]` among all.
    Of lists the part of number i is `values[starts[i] : starts[i + 1]]`.
    """

    first_fact: _Ints
    first_effect: _Ints
    effect_action: _Ints
    effect_factor: _Ints
    effect_fact: _Ints
    condition_starts: _Ints  # by effect: the facts under which it comes about
    conditions: _Ints
    waiting_starts: _Ints  # by fact among all: the effects that it is a condition of
    waiting: _Ints
    serving_starts: _Ints  # by fact among all: the clauses that it makes true
    serving: _Ints
    clause_factor: _Ints
    need_starts: _Ints  # by action: its clauses
    needs: _Ints
    user_starts: _Ints  # by clause: the actions that need it
    users: _Ints
    bringing_starts: _Ints  # by action: its effects
    bringing: _Ints
    goals: _Ints  # clauses
    costs: NDArray[np.float64]  # by action; what costs infinitely much is never done


class Tracks(NamedTuple):
    """The tracks: those of a factor follow each other, from `first[f]` on; `rows` has by track where its facts stand.

    The facts that hold in a track at first are `facts[fact_starts[row] : fact_starts[row + 1]]`. `fact_at` and
    `effect_at` have by track where its facts and effects begin among those of all tracks.
    """

    first: _Ints
    factor: _Ints
    rows: _Ints
    fact_at: _Ints
    effect_at: _Ints
    fact_starts: _Ints
    facts: _Ints


class Reached(NamedTuple):
    """Facts of tracks, by when and by which effect they were reached, and those that made clauses true.

    `queue` has them in the order in which they were reached, `queue_track` their tracks; `clause_at` has by clause
    where its tracks begin in `made_true`.
    """

    level: NDArray[np.int32]
    support: _Ints
    missing: NDArray[np.int32]  # by effect of a track: conditions that are not reached yet
    queue: _Ints
    queue_track: _Ints
    clause_at: _Ints
    made_true: _Ints


@inner_kernel
def _reach(reached: Any, fact: int, track: int, level: int, effect: int, tail: int) -> int:
    """Note that a fact of a track is reached, unless it was before; return the end of the queue."""
    if reached.level[fact] != FAR:
        return tail
    reached.level[fact] = level
    reached.support[fact] = effect
    reached.queue[tail] = fact
    reached.queue_track[tail] = track
    return tail + 1


@inner_kernel
def _do(task: Any, tracks: Any, reached: Any, action: int, level: int, tail: int) -> int:
    """Do an action for the first time: bring about the effects whose conditions are reached."""
    for place in range(task.bringing_starts[action], task.bringing_starts[action + 1]):
        effect = task.bringing[place]
        factor = task.effect_factor[effect]
        offset = effect - task.first_effect[factor]
        for track in range(tracks.first[factor], tracks.first[factor + 1]):
            if reached.missing[tracks.effect_at[track] + offset] == 0:
                fact = tracks.fact_at[track] + task.effect_fact[effect]
                tail = _reach(reached, fact, track, level + 1, effect, tail)
    return tail


@inner_kernel
def _forwards(task: Any, tracks: Any, reached: Any) -> bool:
    """Reach facts, level by level, until all goals are true; whether they are."""
    actions = len(task.need_starts) - 1
    clauses = len(task.clause_factor)
    unmet = np.empty(actions, np.int64)  # by action: clauses that are not true yet
    false_in = np.empty(clauses, np.int64)  # by clause: tracks in which it is not
    since = np.full(actions, FAR, np.int64)  # by action: the level from which it can be done
    is_goal = np.zeros(clauses, np.bool_)
    goals_left = 0
    zero: Any = np.int64(0)
    none: Any = np.int64(-1)
    tail: Any = zero
    for clause in range(clauses):
        false_in[clause] = reached.clause_at[clause + 1] - reached.clause_at[clause]
    for goal in task.goals:
        is_goal[goal] = True
        goals_left += 1
    for track in range(len(tracks.rows)):
        factor = tracks.factor[track]
        for effect in range(task.first_effect[factor], task.first_effect[factor + 1]):
            place = tracks.effect_at[track] + effect - task.first_effect[factor]
            reached.missing[place] = task.condition_starts[effect + 1] - task.condition_starts[effect]
        row = tracks.rows[track]
        for place in range(tracks.fact_starts[row], tracks.fact_starts[row + 1]):
            tail = _reach(reached, tracks.fact_at[track] + tracks.facts[place], track, zero, none, tail)
    for action in range(actions):
        unmet[action] = task.need_starts[action + 1] - task.need_starts[action] + np.isinf(task.costs[action])
        if unmet[action] == 0:
            since[action] = 0
            tail = _do(task, tracks, reached, action, zero, tail)
    head = 0
    while head < tail and goals_left > 0:
        fact, track = reached.queue[head], reached.queue_track[head]
        head += 1
        level: Any = np.int64(reached.level[fact])
        factor = tracks.factor[track]
        among_all = task.first_fact[factor] + fact - tracks.fact_at[track]
        for place in range(task.waiting_starts[among_all], task.waiting_starts[among_all + 1]):
            effect = task.waiting[place]
            at = tracks.effect_at[track] + effect - task.first_effect[factor]
            reached.missing[at] -= 1
            if reached.missing[at] == 0 and since[task.effect_action[effect]] <= level:
                brought = tracks.fact_at[track] + task.effect_fact[effect]
                tail = _reach(reached, brought, track, level + 1, effect, tail)
        for place in range(task.serving_starts[among_all], task.serving_starts[among_all + 1]):
            clause = task.serving[place]
            at = reached.clause_at[clause] + track - tracks.first[factor]
            if reached.made_true[at] >= 0:
                continue
            reached.made_true[at] = fact
            false_in[clause] -= 1
            if false_in[clause] > 0:
                continue
            if is_goal[clause]:
                goals_left -= 1
            for user in range(task.user_starts[clause], task.user_starts[clause + 1]):
                action = task.users[user]
                unmet[action] -= 1
                if unmet[action] == 0:
                    since[action] = level
                    tail = _do(task, tracks, reached, action, level, tail)
    return goals_left == 0


@inner_kernel
def _unmet(task: Any, reached: Any) -> int:
    """Count the goals that do not hold at first, in each track once."""
    found = 0
    for clause in task.goals:
        for at in range(reached.clause_at[clause], reached.clause_at[clause + 1]):
            found += reached.level[reached.made_true[at]] > 0
    return found


@inner_kernel
def _backwards(task: Any, tracks: Any, reached: Any, helpful: NDArray[np.bool_]) -> float:
    """Choose what brings about all that is needed, from the last level to the first; the cost of these actions."""
    actions = len(task.need_starts) - 1
    clauses = len(task.clause_factor)
    top = 0
    for clause in task.goals:
        for at in range(reached.clause_at[clause], reached.clause_at[clause + 1]):
            top = max(top, reached.level[reached.made_true[at]])
    chosen = np.zeros((top + 1, actions), np.bool_)
    is_needed = np.zeros(clauses, np.bool_)
    stack = np.empty(clauses, np.int64)  # needed clauses that were not looked at
    depth = 0
    first_of_level = np.full(top + 1, -1, np.int64)  # wanted facts of a level, in a list linked by `following`
    following = np.full(len(reached.level), -1, np.int64)
    is_wanted = np.zeros(len(reached.level), np.bool_)
    track_of = np.empty(len(reached.level), np.int64)
    for clause in task.goals:
        if not is_needed[clause]:
            is_needed[clause] = True
            stack[depth] = clause
            depth += 1
    cost = 0.0
    level = top
    while level > 0 or depth > 0:
        while depth > 0:
            depth -= 1
            clause = stack[depth]
            first = tracks.first[task.clause_factor[clause]]
            for at in range(reached.clause_at[clause], reached.clause_at[clause + 1]):
                fact = reached.made_true[at]
                if not is_wanted[fact]:
                    is_wanted[fact] = True
                    track_of[fact] = first + at - reached.clause_at[clause]
                    following[fact] = first_of_level[reached.level[fact]]
                    first_of_level[reached.level[fact]] = fact
        while level > 0 and first_of_level[level] == -1:
            level -= 1
        if level == 0:
            break
        fact = first_of_level[level]
        first_of_level[level] = following[fact]
        track, effect = track_of[fact], reached.support[fact]
        action = task.effect_action[effect]
        if not chosen[level, action]:
            chosen[level, action] = True
            cost += task.costs[action]
            helpful[action] |= level == 1
            for place in range(task.need_starts[action], task.need_starts[action + 1]):
                clause = task.needs[place]
                if not is_needed[clause]:
                    is_needed[clause] = True
                    stack[depth] = clause
                    depth += 1
        for place in range(task.condition_starts[effect], task.condition_starts[effect + 1]):
            fact = tracks.fact_at[track] + task.conditions[place]
            if not is_wanted[fact]:
                is_wanted[fact] = True
                track_of[fact] = track
                following[fact] = first_of_level[reached.level[fact]]
                first_of_level[reached.level[fact]] = fact
    return cost


@kernel
def relaxed_plan(task: RelaxedTask, tracks: Tracks) -> tuple[float, int, NDArray[np.bool_]]:
    """Return the cost of a relaxed plan, infinite if there is none; how many goals are left; and how it begins.

    Goals are counted in each track; the beginning is given by action.
    """
    facts = tracks.fact_at[len(tracks.rows)]
    clauses = len(task.clause_factor)
    clause_at = np.zeros(clauses + 1, np.int64)
    for clause in range(clauses):
        factor = task.clause_factor[clause]
        clause_at[clause + 1] = clause_at[clause] + tracks.first[factor + 1] - tracks.first[factor]
    reached = Reached(
        np.full(facts, FAR, np.int32),
        np.full(facts, -1, np.int64),
        np.empty(tracks.effect_at[len(tracks.rows)], np.int32),
        np.empty(facts, np.int64),
        np.empty(facts, np.int64),
        clause_at,
        np.full(clause_at[clauses], -1, np.int64),
    )
    helpful = np.zeros(len(task.need_starts) - 1, np.bool_)
    if not _forwards(task, tracks, reached):
        return np.inf, 0, helpful
    return _backwards(task, tracks, reached, helpful), _unmet(task, reached), helpful
