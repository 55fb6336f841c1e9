"""How reached states can be had again: a checkpoint keeps no states of an author, only how each was reached.

A state is named by its number, in the order in which states were reached, so that whatever it was reached from has a
smaller one. An action is named by its place among the actions of a state in which it was done.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic

from ...model.problem import Action, Cost, Problem, State
from ...model.values import listed
from ...running.checkpoint import Checkpoint
from ...running.kept_numbers import array_of, numbers_in
from .dominance import Dominance
from .reached_numbers import NumbersOf

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ReachedAgain(Generic[State, Action]):
    """The names of actions, for one search; made anew, or from what a checkpoint has kept under `name`."""

    def __init__(self, problem: Problem[State, Action], checkpoint: Checkpoint, name: str = "reached") -> None:
        self._problem = problem
        self._checkpoint = checkpoint
        self._name = name
        self._number_of: dict[Action, int] = {}
        self._owners: list[tuple[int, int]] = []  # by action: the number of a state, and its place there
        self.actions: list[Action] = []
        """By number."""

    def number(self, action: Action, state: State, number_of_state: int) -> int:
        """The number of an action, which is done in a state with this number."""
        number = self._number_of.get(action)
        if number is None:
            place = listed(self._problem.actions(state)).index(action)
            number = self._number_of[action] = len(self.actions)
            self.actions.append(action)
            self._owners.append((number_of_state, place))
        return number

    def numbers(self, actions: Iterable[Action]) -> NDArray[Any]:
        """The numbers of actions that have one, as a row."""
        import numpy as np

        return np.fromiter(map(self._number_of.__getitem__, actions), np.int64)

    def new_rows(
        self,
        steps: Sequence[tuple[State, Action]],
        numbers: NumbersOf[State],
        others: Collection[tuple[State, Action]] = (),
    ) -> dict[str, NDArray[Any]]:
        """How further states were reached, in their order: each the state before it, and the action between.

        Actions of `others` get numbers after these: where they were done may have been reached later.
        """
        import numpy as np

        # There are millions of steps, and few actions: each is looked up once, and numbered where it is new.
        before = numbers(map(itemgetter(0), steps))
        try:
            between = self.numbers(map(itemgetter(1), steps))
        except KeyError:
            each = zip(steps, before.tolist(), strict=True)
            between = np.fromiter((self.number(action, state, number) for (state, action), number in each), np.int64)
        for (state, action), number in zip(others, numbers(state for state, _ in others).tolist(), strict=True):
            self.number(action, state, number)
        begun = self._checkpoint.rows(f"{self._name}-actions")
        return {
            self._name: np.stack((before, between), axis=1),
            f"{self._name}-actions": np.array(self._owners[begun:], dtype=np.int64).reshape(-1, 2),
        }

    @property
    def begun(self) -> int:
        """How many states beside the start have been kept so far."""
        return self._checkpoint.rows(self._name)

    def states(self, tick: Callable[[], None]) -> tuple[list[State], list[tuple[State, Action] | None]]:
        """The states that were kept, worked out anew, and how each was reached, None for the start.

        Raises `StoreError` if the rows lead astray; O(states) calls of the author's code.
        """
        problem, demand = self._problem, self._checkpoint.demand
        owners = [row for piece in self._rows(f"{self._name}-actions") for row in piece]
        states = [problem.initial_state()]
        steps: list[tuple[State, Action] | None] = [None]
        seen = set(states)
        known: dict[int, Action] = {}
        last, here = -1, frozenset[Action]()

        def action_by(number: int) -> Action:
            demand(0 <= number < len(owners))
            owner, place = owners[number]
            demand(0 <= owner < len(states))
            actions = listed(problem.actions(states[owner]))
            demand(0 <= place < len(actions))
            return actions[place]

        for piece in self._rows(self._name):
            for before, number in piece:
                tick()
                demand(0 <= before < len(states))
                if number not in known:
                    known[number] = action_by(number)
                action = known[number]
                if before != last:
                    last, here = before, frozenset(listed(problem.actions(states[before])))
                demand(action in here)
                state = problem.result(states[before], action)
                demand(state not in seen)
                seen.add(state)
                states.append(state)
                steps.append((states[before], action))
        self.actions = [known[number] if number in known else action_by(number) for number in range(len(owners))]
        self._number_of = {action: number for number, action in enumerate(self.actions)}
        self._owners = [(owner, place) for owner, place in owners]
        demand(len(self._number_of) == len(owners))
        return states, steps

    def _rows(self, name: str) -> Iterable[list[list[int]]]:
        """The pieces of rows of two whole numbers."""
        for piece in self._checkpoint.pieces(name):
            self._checkpoint.demand(piece.ndim == 2 and piece.shape[1] == 2 and piece.dtype.kind == "i")
            yield piece.tolist()


class LoggedDominance(Generic[State]):
    """Dominance that remembers what was added to it, for a checkpoint."""

    def __init__(self, dominance: Dominance[State]) -> None:
        self._dominance = dominance
        self.added: dict[State, Cost] = {}
        self.dominates = dominance.dominates

    def add(self, state: State, g: Cost) -> None:
        """Add a kept state."""
        self.added[state] = g
        self._dominance.add(state, g)

    def kept(self, numbers: NumbersOf[State]) -> dict[str, NDArray[Any]]:
        """The arrays that a checkpoint keeps of it."""
        return {
            "undominated": numbers(self.added),
            "undominated-costs": array_of(self.added.values()),
        }

    def go_on(self, checkpoint: Checkpoint, states: list[State]) -> None:
        """Add what was added before."""
        costs = costs_in(checkpoint, "undominated-costs")
        numbers = numbers_from(checkpoint, "undominated", len(states))
        checkpoint.demand(len(costs) == len(numbers))
        for number, cost in zip(numbers, costs, strict=True):
            self.add(states[number], cost)


def numbers_from(checkpoint: Checkpoint, name: str, below: int) -> list[int]:
    """The numbers in an array that was saved, checked to be at least 0, and less than `below`."""
    array = checkpoint.array(name)
    checkpoint.demand(array.ndim == 1 and array.dtype.kind == "i")
    checkpoint.demand(not len(array) or (int(array.min()) >= 0 and int(array.max()) < below))
    found: list[int] = array.tolist()
    return found


def costs_in(checkpoint: Checkpoint, name: str) -> list[Any]:
    """The costs in an array that was saved."""
    return costs_of(checkpoint, checkpoint.array(name))


def costs_of(checkpoint: Checkpoint, array: NDArray[Any]) -> list[Any]:
    """The costs in an array that was read."""
    try:
        return numbers_in(array)
    except (ValueError, OverflowError):
        raise checkpoint.damaged() from None
