"""One end of a layered search in plain Python, over any view: the definition for the compiled one.

Regression: sensorless search backwards from the goal sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from ...belief_space.sensorless import BeliefView, Node
from ...model.base import Action
from ...plans.result import SearchResult
from ...running.run import Record, Run
from ...running.store.checkpoint import Checkpoint
from .antichains import Side, cheaper_side, layered_search, save_sides

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ListedSide(Side[Action], Generic[Node, Action]):
    """One end of a layered search, its sets in lists; `backwards` is that of the goal.

    Dominated sets of the `first` layer are dropped. `tick` is called now and then, and raises to stop.
    """

    def __init__(
        self, view: BeliefView[Node, Any, Action], first: list[Node], *, backwards: bool, tick: Callable[[], None]
    ) -> None:
        super().__init__(view.all_actions(), backwards=backwards)
        self._view = view
        self._tick = tick
        self._known: list[Node] = []
        self._number_of: dict[Node, int] = {}  # of the known sets, among all that were kept
        self.layer: list[Node] = []
        self._take([(belief, 0, 0) for belief in first])

    def advance(self) -> int:
        new = list(self._preimages() if self._backwards else self._images())
        self._steps.append(self._take(new))
        return len(new)

    def _images(self) -> Iterator[tuple[Node, int, int]]:
        number_of = {action: number for number, action in enumerate(self._actions)}
        for origin, belief in enumerate(self.layer):
            numbers = sorted(number_of[action] for action in self._view.actions(belief))
            for number in numbers:
                self._tick()
                yield self._view.result(belief, self._actions[number]), origin, number

    def _preimages(self) -> Iterator[tuple[Node, int, int]]:
        for origin, belief in enumerate(self.layer):
            for number, action in enumerate(self._actions):
                self._tick()
                preimage = self._view.preimage(belief, action)
                if preimage is not None:
                    yield preimage, origin, number

    def _dominated(self, belief: Node, by: list[Node]) -> bool:
        self._tick()
        includes = self._view.includes
        if self._backwards:
            return any(includes(other, belief) for other in by)
        return any(includes(belief, other) for other in by)

    def _take(self, new: list[tuple[Node, int, int]]) -> tuple[list[int], list[int]]:
        """Make the undominated of these sets the new layer; return their origins."""
        size = self._view.size
        new.sort(key=lambda entry: size(entry[0]), reverse=self._backwards)  # stable: the earlier of equals stays
        layer: list[Node] = []
        origins: list[int] = []
        actions: list[int] = []
        for belief, origin, action in new:
            self._max_size = max(self._max_size, size(belief))
            if not self._dominated(belief, self._known) and not self._dominated(belief, layer):
                layer.append(belief)
                origins.append(origin)
                actions.append(action)
        older = [belief for belief in self._known if not self._dominated(belief, layer)]
        numbers = [*(self._number_of[belief] for belief in older), *range(self.kept, self.kept + len(layer))]
        self._known = older + layer
        self._number_of = dict(zip(self._known, numbers, strict=True))
        self.layer = layer
        self.kept += len(layer)
        return origins, actions

    def to_keep(self, name: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        import numpy as np

        known = [self._number_of[belief] for belief in self._known]
        return self._state(), {f"{name}-known": np.array(known, np.int64)}

    def _take_kept(self, checkpoint: Checkpoint, name: str, state: dict[str, Any]) -> None:
        """Work the sets of all layers out anew."""
        step: Any = self._view.preimage if self._backwards else self._view.result
        kept = list(self.layer)
        for origins, actions in self._steps:
            layer = []
            for origin, number in zip(origins, actions, strict=True):
                self._tick()
                layer.append(step(self.layer[int(origin)], self._actions[int(number)]))
            kept += layer
            self.layer = layer
        numbers = checkpoint.array(f"{name}-known").tolist()
        self._known = [kept[number] for number in numbers]
        self._number_of = dict(zip(self._known, numbers, strict=True))


def listed_sides(
    view: BeliefView[Node, Any, Action], tick: Callable[[], None]
) -> tuple[ListedSide[Node, Action], ListedSide[Node, Action], Callable[[], tuple[int, int] | None]]:
    """Both ends of a search of `view`, and the function that finds where they meet."""
    behind = ListedSide(view, view.goal_beliefs(), backwards=True, tick=tick)
    ahead = ListedSide(view, [view.initial_state()], backwards=False, tick=tick)

    def meeting() -> tuple[int, int] | None:
        for i, small in enumerate(ahead.layer):
            tick()
            for j, large in enumerate(behind.layer):
                if view.includes(large, small):
                    return i, j
        return None

    return ahead, behind, meeting


Sides: TypeAlias = Callable[
    [Any, Callable[[], None]], tuple[Side[Any], Side[Any], Callable[[], tuple[int, int] | None]]
]
"""Makes both ends of a search from a view and a tick, and the function that finds where they meet."""


def regression_search(view: Any, *, sides: Sides = listed_sides, run: Run | None = None) -> SearchResult[Any]:
    """Find a plan with the fewest actions, backwards from the goal sets through maximal pre-images.

    `view` is a `BeliefView`: with unit costs the plan is optimal, otherwise nothing is claimed of its cost. `sides` is
    how sets of states are represented; the observer hears of layers, not of single sets. See `belief_layers`. A state
    that can come up is needed for the goal sets to mean anything, so all states are explored first. A run with a
    checkpoint goes on from the last layers that were saved, and saves more.
    """
    return _search("regression", view, lambda ahead, behind: behind, sides, run)


def bidirectional_belief_search(view: Any, *, sides: Sides = listed_sides, run: Run | None = None) -> SearchResult[Any]:
    """Find a plan with the fewest actions from both ends, always advancing the cheaper side.

    For parameters see `regression_search`.
    """
    return _search("bidirectional", view, cheaper_side, sides, run)


def _search(
    name: str, view: Any, next_side: Callable[[Side[Action], Side[Action]], Side[Action]], sides: Sides, run: Run | None
) -> SearchResult[Action]:
    record: Record[Any, Action] = Record(name, view, run)
    checkpoint = record.checkpoint
    with record:
        ahead, behind, meeting = sides(view, record.tick)
        record.watch(lambda: ahead.kept + behind.kept)
        both = {"ahead": ahead, "behind": behind}
        if checkpoint is not None and checkpoint.kept:
            record.go_on(checkpoint)  # first: what is proved stands even if a limit ends the rest
            for end, side in both.items():
                side.go_on(checkpoint, end)

        def save() -> None:
            if checkpoint is not None and checkpoint.due():
                save_sides(checkpoint, record, both)

        try:
            result = layered_search(ahead, behind, meeting, next_side, record, view, save)
            assert result is not None, "there is always a next side"
            return result
        finally:
            view.max_belief_size = max(view.max_belief_size, ahead.max_size())
    return record.undecided()
