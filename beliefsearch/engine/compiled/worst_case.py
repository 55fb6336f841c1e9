"""The least worst-case cost where actions only tell starts apart, on one table: the costs of `and_or_search`."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve

from ...model.hooks import DistinctActionsHook
from ...model.problem import Action, Cost, State
from ...plans.result import SearchResult
from ...running.limits import Budget
from ...running.observer import Observer
from ...running.record import Record
from ...solvers.and_or.plan_graph import plan_graph
from ...solvers.and_or.without_recursion import without_recursion
from ..bits.bitset import bit_numbers, mask_of
from ..bits.contingent_view import BitsetContingentView
from .partitions import Partitions, divided_model
from .won_within import WonWithin

if TYPE_CHECKING:
    from .won_within import Starts


def table_of_starts(
    view: BitsetContingentView[Any, Action], tick: Callable[[], None], most_pairs: int | None = None
) -> Partitions[Action] | None:
    """What each action shows of each start, if that is all there is to the problem, and every action costs 1.

    Without an array hook no more pairs of a state and an action than `most_pairs` are asked for.
    """
    found = divided_model(view, tick, most_pairs)
    return found[1] if found is not None and (found[1].costs == 1).all() else None


def search_on_table(
    view: BitsetContingentView[State, Action],
    partitions: Partitions[Action],
    *,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action]:
    """Find a conditional plan of least worst-case cost for a problem with such a table, all of whose actions cost 1.

    What is expanded are sets of starts, each for a number of actions that are left; generated are the actions that
    were tried one by one. Nothing is won by trying again what has been tried, so unsolvable is final.
    """
    record: Record[Any, Action] = Record("and-or", view, budget, observer)
    with record:
        return evolve(_search(view, partitions, record), engine="compiled")
    return evolve(record.undecided(), engine="compiled")


def _search(
    view: BitsetContingentView[State, Action], partitions: Partitions[Action], record: Record[Any, Action]
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
        actions = view.actions(mask_of(partitions.starts[members].tolist()))
        return np.array(sorted(number_of_action[action] for action in actions), dtype=np.intp)

    known = WonWithin(partitions, expand, distinct)
    record.watch(lambda: len(known))
    every = np.arange(len(partitions.starts))
    while depth < len(known.capacities) - 1 and known.capacities[depth] < len(every):
        depth += 1
    record.finish_layer(depth, 0)
    while without_recursion(known.lost(every, depth)) is not None:
        depth += 1
        record.finish_layer(depth, 0)
    record.tally(expanded, known.generated, depth)

    def choose(belief: int) -> Action:
        numbers = np.fromiter(bit_numbers(belief), dtype=np.intp)
        return partitions.actions[known.first_action(np.searchsorted(partitions.starts, numbers))]

    return record.solved(plan_graph(view, root, choose), depth, depth)


def cores_of(
    view: BitsetContingentView[Any, Any], bound: Cost, tick: Callable[[], None]
) -> dict[tuple[int, ...], int] | None:
    """Why no plan costs less than `bound`: sets of states, by number in the view, each with a lower bound.

    None for problems of another kind, or if there is such a plan.
    """
    partitions = table_of_starts(view, tick)
    if partitions is None or not partitions.can_be_won() or bound < 1:
        return None
    known = WonWithin(partitions, lambda actions: tick(), by_cores_alone=True)
    actions = ceil(bound) - 1
    core = without_recursion(known.lost(np.arange(len(partitions.starts)), actions))
    if core is None:
        return None
    return {
        tuple(partitions.starts[list(some)].tolist()): value for some, value in known.why_lost(core, actions).items()
    }
