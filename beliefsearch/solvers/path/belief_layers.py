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

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence, Sized
from typing import Any, Generic

from ...model.problem import Action, Problem
from ...plans.result import SearchResult
from ...running.record import Record
from .parents import plan_cost


class Side(ABC, Generic[Action]):
    """One end of the search: its layers so far, each an antichain.

    This is the seam between the search and how sets are represented: `advance` expands the last layer,
    makes the new sets unique, and drops those that are dominated.
    """

    layer: Sized
    """The sets of the last layer."""
    _known: Sized  # the sets of all layers that are not dominated

    def __init__(self, actions: Sequence[Action], *, backwards: bool) -> None:
        self._actions = actions
        self._backwards = backwards
        self._steps: list[tuple[Any, Any]] = []  # by layer: the origins of its sets, and the actions from there
        self._max_size = 0
        self.kept = 0
        """The sets of all layers."""

    @abstractmethod
    def advance(self) -> int:
        """Make the next layer; returns how many sets were generated for it."""

    def __len__(self) -> int:
        return len(self.layer)

    @property
    def known(self) -> int:
        """The sets of all layers that are not dominated."""
        return len(self._known)

    @property
    def depth(self) -> int:
        """The steps from this end to the sets of the last layer."""
        return len(self._steps)

    def max_size(self) -> int:
        """The number of members of the largest set."""
        return self._max_size

    def path(self, number: int) -> tuple[Action, ...]:
        """The actions between this end and this set of the last layer, in the order of the plan."""
        path = []
        for origins, actions in reversed(self._steps):
            path.append(self._actions[int(actions[number])])
            number = int(origins[number])
        return tuple(path if self._backwards else reversed(path))


def layered_search(
    ahead: Side[Action],
    behind: Side[Action],
    meeting: Callable[[], tuple[int, int] | None],
    next_side: Callable[[Side[Action], Side[Action]], Side[Action] | None],
    record: Record[Any, Action],
    view: Problem[Any, Action],
) -> SearchResult[Action] | None:
    """Advance one side after the other until a set ahead lies inside a set behind.

    The first layers are the initial belief and the maximal goal sets, or later layers. `meeting` finds a set of the
    last layer ahead inside one of the last layer behind; no other layers need be looked at: a meeting with them would
    have been found earlier. Between advances no plan has fewer than d + e + 1 actions, for the depths d and e of the
    sides.
    When `next_side` gives None the search is left where it is, and there is no result.
    """
    unit_costs = view.has_unit_costs()
    while (met := meeting()) is None:
        steps = ahead.depth + behind.depth
        waiting = len(ahead) + len(behind)
        record.add(0, 0, waiting)
        record.finish_layer(steps + 1 if unit_costs else 0, waiting)
        side = next_side(ahead, behind)
        if side is None:
            return None
        record.look_up(waiting, len(side))
        expanded = len(side)
        record.add(expanded, side.advance(), 0)
        if not len(side):
            return record.unsolvable()
    plan = ahead.path(met[0]) + behind.path(met[1])
    return record.solved(plan, plan_cost(view, plan), ahead.depth + behind.depth if unit_costs else 0)


def cheaper_side(ahead: Side[Action], behind: Side[Action]) -> Side[Action]:
    """The side whose next layer is cheaper: pruning compares every new set with every known one."""
    return ahead if len(ahead) * ahead.known <= len(behind) * behind.known else behind
