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
from collections.abc import Callable, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any, Generic

from ...model.base import Action
from ...model.problem import Problem
from ...plans.result import SearchResult
from ...running.run import Record
from ...running.store.checkpoint import Checkpoint
from .search_tree import plan_cost

if TYPE_CHECKING:
    from numpy.typing import NDArray


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

    @abstractmethod
    def to_keep(self, name: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the saved part of this side beside its steps: a state, and arrays whose names begin with `name`."""

    @abstractmethod
    def _take_kept(self, checkpoint: Checkpoint, name: str, state: dict[str, Any]) -> None:
        """Take up what `to_keep` gave; the steps are there already."""

    def new_rows(self, checkpoint: Checkpoint, name: str) -> dict[str, NDArray[Any]]:
        """The steps that have not been kept yet: by set its origin and action, layer after layer."""
        import numpy as np

        known = checkpoint.rows(f"{name}-steps")
        new: list[Any] = [np.zeros((0, 2), dtype=np.int64)]
        for origins, actions in self._steps:
            if known > 0:
                known -= len(origins)
            else:
                new.append(np.column_stack([origins, actions]).astype(np.int64).reshape(-1, 2))
        return {f"{name}-steps": np.concatenate(new)}

    def go_on(self, checkpoint: Checkpoint, name: str) -> None:
        """Take up what was kept; this side must be as it was at the beginning."""
        import numpy as np

        with checkpoint.sound():
            state = (checkpoint.kept or {})[name]
            rows = np.concatenate([np.zeros((0, 2), dtype=np.int64), *checkpoint.pieces(f"{name}-steps")])
            begin = 0
            for length in state["lengths"]:
                origins, actions = rows[begin : begin + length].T
                self._steps.append((origins.astype(np.int32), actions.astype(np.int32)))
                begin += length
            self.kept += begin
            self._max_size = state["max_size"]
            self._take_kept(checkpoint, name, state)

    def _state(self) -> dict[str, Any]:
        """The part of the state that is the same in all forms of a side."""
        return {"lengths": [len(origins) for origins, _ in self._steps], "max_size": self._max_size}


def layered_search(
    ahead: Side[Action],
    behind: Side[Action],
    meeting: Callable[[], tuple[int, int] | None],
    next_side: Callable[[Side[Action], Side[Action]], Side[Action] | None],
    record: Record[Any, Action],
    view: Problem[Any, Action],
    save: Callable[[], None] | None = None,
) -> SearchResult[Action] | None:
    """Advance one side after the other until a set ahead lies inside a set behind.

    The first layers are the initial belief and the maximal goal sets, or later layers. `meeting` finds a set of the
    last layer ahead inside one of the last layer behind; no other layers need be looked at: a meeting with them would
    have been found earlier. Between advances no plan has fewer than d + e + 1 actions, for the depths d and e of the
    sides.
    When `next_side` gives None the search is left where it is, and there is no result. `save` is called after each
    advance.
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
        if save is not None:
            save()
    plan = ahead.path(met[0]) + behind.path(met[1])
    return record.solved(plan, plan_cost(view, plan), ahead.depth + behind.depth if unit_costs else 0)


def cheaper_side(ahead: Side[Action], behind: Side[Action]) -> Side[Action]:
    """The side whose next layer is cheaper: pruning compares every new set with every known one."""
    return ahead if len(ahead) * ahead.known <= len(behind) * behind.known else behind


def save_sides(checkpoint: Checkpoint, record: Record[Any, Any], sides: Mapping[str, Side[Any]], **state: Any) -> None:
    """Keep these sides, by name, the record, and a state."""
    arrays: dict[str, Any] = {}
    rows: dict[str, Any] = {}
    for name, side in sides.items():
        state[name], own = side.to_keep(name)
        arrays |= own
        rows |= side.new_rows(checkpoint, name)
    checkpoint.save({**record.kept(), **state}, arrays, rows)
