"""Search for the least worst-case cost of a guessing game on its outcome table; the costs of `and_or_search`."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

import numpy as np
from attrs import evolve

from ...model.base import Action, Cost, State
from ...model.hooks import DistinctActionsHook
from ...plans.result import Grounds, SearchResult
from ...running.run import Record, Run
from ...solvers.contingent.plan_graph import plan_graph
from ...solvers.trampoline import without_recursion
from ..bits.bitset import bit_numbers, mask_of
from ..bits.contingent import BitsetContingentView
from .bounded_and_or import Starts, WonWithin
from .outcome_table import OutcomeTable, outcome_table_of


def table_of_starts(
    view: BitsetContingentView[Any, Action], tick: Callable[[], None], most_pairs: int | None = None
) -> OutcomeTable[Action] | None:
    """Return the outcome table of a guessing game in which every action costs 1; None of other problems.

    Without an array hook no more pairs of a state and an action than `most_pairs` are asked for.
    """
    found = outcome_table_of(view, tick, most_pairs)
    return found[1] if found is not None and (found[1].costs == found[1].unit).all() else None


def search_on_table(
    view: BitsetContingentView[State, Action],
    partitions: OutcomeTable[Action],
    *,
    run: Run | None = None,
) -> SearchResult[Action]:
    """Find a conditional plan of least worst-case cost for a problem with such a table, all of whose actions cost 1.

    Sets of starts are expanded, each for a number of actions that are left; the actions that were tried one by one are
    generated. Nothing is won by a strong cyclic plan, so unsolvable is final.
    """
    record: Record[Any, Action] = Record("and-or", view, run)
    with record:
        return evolve(_search(view, partitions, record), engine="compiled")
    return evolve(record.undecided(), engine="compiled")


def _places(partitions: OutcomeTable[Any], belief: int) -> Starts:
    """Return the places in the table of the states in a belief."""
    return np.flatnonzero(np.isin(partitions.starts, np.fromiter(bit_numbers(belief), dtype=np.intp)))


def _search(
    view: BitsetContingentView[State, Action], partitions: OutcomeTable[Action], record: Record[Any, Action]
) -> SearchResult[Action]:
    root = view.initial_node()
    if not partitions.can_be_won():
        return record.unsolvable()
    number_of_action = {action: number for number, action in enumerate(partitions.actions)}
    expanded = depth = 0

    def expand(actions: int) -> None:
        nonlocal expanded
        record.tally(expanded, known.generated, depth)
        record.look_up(depth - actions)
        expanded += 1

    def distinct(members: Starts) -> Starts | None:
        if not isinstance(view.problem, DistinctActionsHook):
            return None
        actions = view.actions(
            mask_of(np.concatenate([partitions.alike[place] for place in members.tolist()]).tolist())
        )
        return np.array(sorted(number_of_action[action] for action in actions), dtype=np.intp)

    # Without symmetries cores alone are as quick, and are a proof; else the proof is found when it is asked for.
    alone = not isinstance(view.problem, DistinctActionsHook)
    known = WonWithin(partitions, expand, distinct, by_cores_alone=alone)
    grounds: Grounds | None = None
    record.watch(lambda: len(known))
    every = np.arange(len(partitions.starts))
    while depth < len(known.capacities) - 1 and known.capacities[depth] < len(every):
        depth += 1
    record.finish_layer(depth, 0)
    while (core := without_recursion(known.lost(every, depth))) is not None:
        if alone:
            grounds = Grounds(view.problem, _bounds_of_cores(view, partitions, known, core, depth))
        depth += 1
        record.finish_layer(depth, 0)
    record.tally(expanded, known.generated, depth)

    def choose(belief: int) -> Action:
        return partitions.actions[known.first_action(_places(partitions, belief))]

    return evolve(record.solved(plan_graph(view, root, choose), depth, depth), grounds=grounds)


def _bounds_of_cores(
    view: BitsetContingentView[Any, Any], partitions: OutcomeTable[Any], known: WonWithin, core: Starts, actions: int
) -> dict[tuple[Any, ...], Cost]:
    """Return the sets of states, each with a lower bound, that prove that the latest core cannot be won so soon."""
    states = [view.model.states[number] for number in partitions.starts.tolist()]
    return {tuple(states[place] for place in some): value for some, value in known.why_lost(core, actions).items()}


def cores_of(
    view: BitsetContingentView[Any, Any], bound: Cost, tick: Callable[[], None]
) -> dict[tuple[Any, ...], Cost] | None:
    """Return the sets of states, each with a lower bound, that prove that no plan costs less than `bound`.

    None for problems of another kind, or if there is such a plan.
    """
    partitions = table_of_starts(view, tick)
    if partitions is None or not partitions.can_be_won() or bound < 1:
        return None
    known = WonWithin(partitions, lambda actions: tick(), by_cores_alone=True)
    actions = ceil(bound) - 1
    core = without_recursion(known.lost(np.arange(len(partitions.starts)), actions))
    return None if core is None else _bounds_of_cores(view, partitions, known, core, actions)
