"""Layered search on sets of states from both ends: minimal images forwards, maximal pre-images backwards.

Doing an action in a belief gives its *image*. The *pre-image* of a set B under an action are the states
in which the action applies and all of whose results lie in B; so regression from the goal sets finds,
after e steps, the sets from all of which e actions are sure to win. A plan exists when an image lies
inside a pre-image.

A set is *dominated*, and dropped, when another one serves as well: ahead, a set that contains one reached
with no more actions; behind, a set inside one reached with no more actions. This never loses the fewest
actions: whatever wins from a belief wins from its subsets. So both sides are antichains, a layer a step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from ...model.problem import Action, Problem
from ...plans.result import SearchResult
from ...running.record import Record
from .parents import plan_cost

_Action_co = TypeVar("_Action_co", covariant=True)


class Side(Protocol[_Action_co]):
    """One end of the search: its layers so far, each an antichain.

    This is the seam between the search and how sets are represented: `advance` expands the last layer,
    makes the new sets unique, and drops those that are dominated.
    """

    def __len__(self) -> int:
        """The sets of the last layer."""

    @property
    def known(self) -> int:
        """The sets of all layers that are not dominated."""

    @property
    def kept(self) -> int:
        """The sets of all layers."""

    def advance(self) -> int:
        """Make the next layer; returns how many sets were generated for it."""

    def path(self, number: int) -> tuple[_Action_co, ...]:
        """The actions between this end and this set of the last layer, in the order of the plan."""

    def max_size(self) -> int:
        """The number of members of the largest set."""


def layered_search(
    ahead: Side[Action],
    behind: Side[Action],
    meeting: Callable[[], tuple[int, int] | None],
    next_side: Callable[[Side[Action], Side[Action]], Side[Action]],
    record: Record[Any, Action],
    view: Problem[Any, Action],
) -> SearchResult[Action]:
    """Advance one side after the other until a set ahead lies inside a set behind.

    The first layers are the initial belief and the maximal goal sets. `meeting` finds a set of the last layer ahead
    inside one of the last layer behind; no other layers need be looked at: a meeting with them would have been found
    earlier. Between advances no plan has fewer than d + e + 1 actions, for the depths d and e of the sides.
    """
    unit_costs = view.has_unit_costs()
    expanded = generated = steps = most = 0
    while (met := meeting()) is None:
        waiting = len(ahead) + len(behind)
        most = max(most, waiting)
        record.tally(expanded, generated, most)
        record.finish_layer(steps + 1 if unit_costs else 0, waiting)
        side = next_side(ahead, behind)
        record.look_up(waiting, len(side))
        expanded += len(side)
        generated += side.advance()
        steps += 1
        if not len(side):
            record.tally(expanded, generated, most)
            return record.unsolvable()
    record.tally(expanded, generated, most)
    plan = ahead.path(met[0]) + behind.path(met[1])
    return record.solved(plan, plan_cost(view, plan), steps if unit_costs else 0)


def cheaper_side(ahead: Side[Action], behind: Side[Action]) -> Side[Action]:
    """The side whose next layer is cheaper: pruning compares every new set with every known one."""
    return ahead if len(ahead) * ahead.known <= len(behind) * behind.known else behind


def path_of(number: int, steps: Sequence[tuple[Any, Any]]) -> list[int]:
    """The actions, by number, from the last layer back to the first; `steps` has origins and actions."""
    path = []
    for origins, actions in reversed(steps):
        path.append(int(actions[number]))
        number = int(origins[number])
    return path
