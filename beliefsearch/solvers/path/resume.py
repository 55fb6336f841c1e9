"""Saved searches over states: the steps to the reached states, by which they are made again.

No state of an author's is saved, only how each was reached: the number of the state before it, in the order in which
states were reached, and the number of the action between, which is named by its place among the actions of a state.
Searches hand on the very objects under which they have entered states, so a state is numbered by its identity, and the
author's code is not asked.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from math import isfinite
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic
from zlib import crc32

from ...model.base import Action, Cost, State
from ...model.exact import exact
from ...model.problem import Problem
from ...model.values import listed, stable_text
from ...running.number_codec import array_of, number_of, numbers_in, text_of
from ...running.run import Record
from ...running.store.checkpoint import Checkpoint
from .dominance import Dominance
from .preferred_actions import ActionOrder, Untried
from .search_tree import Frontier, Parents

if TYPE_CHECKING:
    from numpy.typing import NDArray


# So many states must be made again as they were.
_SAMPLE = 64


class Numbers(Generic[State]):
    """Numbers of reached states; of those in `again` there may be other objects that equal them."""

    def __init__(self, reached: Collection[State], again: Container[State] = ()) -> None:
        import numpy as np  # most searches do without

        ids = np.fromiter(map(id, reached), np.uint64, len(reached))
        self._number = np.argsort(ids)
        self._ids = ids[self._number]
        self.again = {state: number for number, state in enumerate(reached) if state in again} if again else {}

    def __call__(self, states: Iterable[State]) -> NDArray[Any]:
        import numpy as np

        wanted = [*states]
        ids = np.fromiter(map(id, wanted), np.uint64, len(wanted))
        places = np.searchsorted(self._ids, ids).clip(max=len(self._ids) - 1)
        numbers: NDArray[Any] = self._number[places]
        for other in np.flatnonzero(self._ids[places] != ids).tolist():
            numbers[other] = self.again[wanted[other]]
        return numbers


class ReachedStates(Generic[State, Action]):
    """States reached from the start, each with the step that led to it, and the numbers of actions.

    `first` has, of states reached more cheaply since, the first step. `dominance` remembers what was added to it.
    """

    def __init__(
        self,
        problem: Problem[State, Action],
        parents: Parents[State, Action],
        checkpoint: Checkpoint | None,
        dominance: Dominance[State] | None = None,
    ) -> None:
        self.parents = parents
        self.first: dict[State, tuple[State, Action]] = {}
        self.actions: list[Action] = []
        self.undominated: dict[State, Cost] = {}
        self.dominance = dominance
        self._problem = problem
        self._checkpoint: Any = checkpoint
        self._number_of: dict[Action, int] = {}
        self._owners: list[tuple[int, int]] = []  # by action: the number of a state, and its place there
        if checkpoint is not None and dominance is not None:
            self._add, self._dominates, self.dominance = dominance.add, dominance.dominates, self

    def dominates(self, state: State, g: Cost) -> bool:
        return self._dominates(state, g)

    def add(self, state: State, g: Cost) -> None:
        self.undominated[state] = g
        self._add(state, g)

    def action_numbers(self, actions: Iterable[Action]) -> NDArray[Any]:
        """Return the numbers of actions that have one."""
        import numpy as np

        return np.fromiter(map(self._number_of.__getitem__, actions), np.int64)

    def save(
        self,
        record: Record[State, Action],
        state: dict[str, Any],
        lists: Mapping[str, Iterable[State]],
        arrays: Callable[[], dict[str, Any]] = dict,
        rows: Callable[[], dict[str, Any]] = dict,
        others: Collection[tuple[State, Action]] = (),
        numbers: Numbers[State] | None = None,
    ) -> None:
        """Save everything, between two expansions: lists of states by number, other arrays, and rows that are new."""
        import numpy as np

        checkpoint, numbers = self._checkpoint, numbers or Numbers(self.parents, self.first)
        begun = checkpoint.rows("reached")
        steps = [*islice(filter(None, self.parents.values()), begun, None)]
        for child, number in numbers.again.items():
            if number > begun:
                steps[number - begun - 1] = self.first[child]
        # There are millions of steps, and few actions: each is looked up once, and numbered where it is new.
        before = numbers(map(itemgetter(0), steps))
        try:
            between = self.action_numbers(map(itemgetter(1), steps))
        except KeyError:
            self._name(steps, before)
            between = self.action_numbers(map(itemgetter(1), steps))
        self._name(others, numbers(origin for origin, _ in others))
        owners = np.array(self._owners[checkpoint.rows("reached-actions") :], dtype=np.int64).reshape(-1, 2)
        if self.undominated:
            lists = {**lists, "undominated": self.undominated}
        costs = {"undominated-costs": array_of(self.undominated.values())} if self.undominated else {}
        checkpoint.save(
            {**record.kept(), **state, "sample": self._sample()},
            {**{name: numbers(some) for name, some in lists.items()}, **costs, **arrays()},
            {"reached": np.stack((before, between), axis=1), "reached-actions": owners, **rows()},
        )

    def _sample(self) -> int:
        """Return a checksum of the first states."""
        return crc32("\n".join(stable_text(state) for state in islice(self.parents, _SAMPLE)).encode())

    def _name(self, steps: Collection[tuple[State, Action]], numbers: NDArray[Any]) -> None:
        """Number the actions of steps from states with these numbers."""
        for (state, action), number in zip(steps, numbers.tolist(), strict=True):
            if action not in self._number_of:
                self._number_of[action] = len(self.actions)
                self.actions.append(action)
                self._owners.append((number, listed(self._problem.actions(state)).index(action)))

    def restore(self, record: Record[State, Action]) -> list[State]:
        """Make the saved states again; O(states) calls of the author's code."""
        problem, checkpoint = self._problem, self._checkpoint
        record.go_on(checkpoint)  # first: what is proved stands even if a limit ends the rest
        self._owners = [
            (owner, place) for piece in checkpoint.pieces("reached-actions") for owner, place in piece.tolist()
        ]
        states = [problem.initial_state()]
        self.parents.clear()  # for the start is another object now
        self.parents[states[0]] = None
        known: dict[int, Action] = {}
        for piece in checkpoint.pieces("reached"):
            for before, number in piece.tolist():
                record.tick()
                if number not in known:
                    known[number] = self._action(number, states)
                state = problem.result(states[before], known[number])
                self.parents[state] = states[before], known[number]
                states.append(state)
        # The fingerprint covers the puzzle's module, and not modules that it imports: what they changed is seen here.
        checkpoint.demand(len(self.parents) == len(states) and checkpoint.kept.get("sample") in (None, self._sample()))
        numbers = range(len(self._owners))
        self.actions = [known[number] if number in known else self._action(number, states) for number in numbers]
        self._number_of = {action: number for number, action in enumerate(self.actions)}
        if self.dominance is not None:
            for state, cost in zip(self.listed("undominated", states), self.costs("undominated-costs"), strict=True):
                self.add(state, cost)
        return states

    def _action(self, number: int, states: list[State]) -> Action:
        owner, place = self._owners[number]
        return listed(self._problem.actions(states[owner]))[place]

    def listed(self, name: str, states: Sequence[Any]) -> list[Any]:
        """Return the states, or other things, whose numbers were saved under a name."""
        return [states[number] for number in self._checkpoint.array(name).tolist()]

    def costs(self, name: str) -> list[Any]:
        """Return the costs that were saved under a name."""
        return _exactly(numbers_in(self._checkpoint.array(name)))


def _exactly(costs: Iterable[Any]) -> list[Any]:
    """Return costs without rounding; stores begun before have floats."""
    return [exact(cost) if type(cost) is float and isfinite(cost) else cost for cost in costs]


class BestFirstTables(Generic[State, Action]):
    """Tables of a best-first search, which `save` writes and `go_on` fills again.

    States that a search goes on from were reached in the same order as before, each for the first time in the same
    way: so a view that numbers what it meets gives the same numbers.
    """

    def __init__(
        self, problem: Problem[State, Action], dominance: Dominance[State] | None, checkpoint: Checkpoint | None
    ) -> None:
        self.g_of: dict[State, Cost] = {}
        self.h_of: dict[State, Cost] = {}
        self.parents: Parents[State, Action] = {}
        self.frontier: Frontier[State] = Frontier()
        self.untried: dict[State, Untried[Action]] = {}  # of the states in the frontier that are expanded in part
        self.in_order: ActionOrder[Action] = ActionOrder()
        self.unit = 1  # how many units of the costs make 1 (see `CostScale`)
        self._problem = problem
        self._checkpoint: Any = checkpoint
        self._reached: ReachedStates[State, Action] = ReachedStates(problem, self.parents, checkpoint, dominance)
        self.dominance = self._reached.dominance
        self._done_in: dict[Action, State] = {}  # by action of a cheaper way: where it was done

    def note_cheaper_way(self, child: State, state: State, action: Action) -> None:
        """Remember how `child` was reached before it is entered that `action` leads to it from `state`."""
        step = self.parents[child]
        if step is not None:
            self._reached.first.setdefault(child, step)
        self._done_in.setdefault(action, state)

    def save(self, record: Record[State, Action], generated: int, last_key: Cost) -> None:
        """Save everything, between two expansions."""
        import numpy as np

        reached, rows = self._reached, self._checkpoint.rows
        changed = [(child, *step) for child in reached.first if (step := self.parents[child]) is not None]
        waiting = [*self.frontier.by_key()]
        number, successes, untried = reached.action_numbers, self.in_order.successes, self.untried.values()
        # Of as many states as were reached, and of the start; an array of large numbers has other rows.
        estimated = rows("reached") + 1 if rows("estimates") else 0
        reached.save(
            record,
            {"generated": generated, "last_key": text_of(last_key), "unit": text_of(self.unit)},
            {
                "changed": [child for child, _, _ in changed],
                "changed-from": [state for _, state, _ in changed],
                "waiting": (state for _, _, states in waiting for state in states),
                "untried": self.untried,
            },
            lambda: {
                "costs": array_of(self.g_of.values()),
                "changed-by": number(action for _, _, action in changed),
                "keys": array_of([key for key, _, _ in waiting]),
                "key-costs": array_of([minus_g for _, minus_g, _ in waiting]),
                "waiting-by-key": np.array([len(states) for _, _, states in waiting], np.int64),
                "untried-after": np.array([left.after for left in untried], dtype=np.int64),
                "untried-last": number(left.last for left in untried),
            },
            lambda: {
                "estimates": array_of([*islice(self.h_of.values(), estimated, None)]),
                "successes": number(islice(successes, rows("successes"), None)),
            },
            [(state, action) for action, state in self._done_in.items()],
            Numbers(self.g_of, reached.first),
        )

    def go_on(self, record: Record[State, Action]) -> tuple[int, Any]:
        """Fill the tables with what was saved; returns how many were generated, and the last key."""
        reached, checkpoint = self._reached, self._checkpoint
        states = reached.restore(record)
        estimates = [h for piece in checkpoint.pieces("estimates") for h in _exactly(numbers_in(piece))]
        self.g_of.update(zip(states, reached.costs("costs"), strict=True))
        self.h_of.update(zip(states, estimates, strict=True))
        cheaper = (reached.listed("changed", states), reached.listed("changed-from", states))
        for child, state, action in zip(*cheaper, reached.listed("changed-by", reached.actions), strict=True):
            self.note_cheaper_way(child, state, action)
            self.parents[child] = state, action
        waiting = iter(reached.listed("waiting", states))
        counts = checkpoint.array("waiting-by-key").tolist()
        for key, minus_g, count in zip(reached.costs("keys"), reached.costs("key-costs"), counts, strict=True):
            for state in islice(waiting, count):
                self.frontier.add(key, -minus_g, state)
        successes = [reached.actions[number] for piece in checkpoint.pieces("successes") for number in piece.tolist()]
        after = checkpoint.array("untried-after").tolist()
        ranked = self.in_order.go_on(successes, frozenset(after))
        last = reached.listed("untried-last", reached.actions)
        for state, time, action in zip(reached.listed("untried", states), after, last, strict=True):
            self.untried[state] = self.in_order.untried(
                partial(self._problem.actions, state), ranked[time], time, action
            )
        saved = checkpoint.kept or {}
        self.unit = number_of(saved.get("unit", "1"))  # older stores have none
        return checkpoint.number("generated"), *_exactly([number_of(saved["last_key"])])


def steps_behind(
    problem: Any, checkpoint: Any, behind: Parents[State, Action], places: array[int], tick: Callable[[], None]
) -> list[State]:
    """Make again the states from which goals are reached, in their order; the goals are there already."""
    states = list(behind)
    last = -1
    before: Sequence[tuple[State, Action]] = ()
    for piece in checkpoint.pieces("behind"):
        for child, place in piece.tolist():
            tick()
            if child != last:  # states before one state come one after the other
                last, before = child, listed(problem.predecessors(states[child]))
            state, action = before[place]
            behind[state] = states[child], action
            places.append(place)
            states.append(state)
    checkpoint.demand(len(behind) == len(states))
    return states


def new_steps_behind(
    checkpoint: Any, behind: Parents[State, Action], places: array[int], numbers: Numbers[State]
) -> Any:
    """Return the rows of the backward states that were not saved yet."""
    import numpy as np

    begun = checkpoint.rows("behind")
    back = numbers(map(itemgetter(0), islice(filter(None, behind.values()), begun, None)))
    return np.stack((back, np.array(places[begun:], np.int64)), axis=1)
