"""How reached states can be had again: a checkpoint keeps no states of an author, only how each was reached.

A state is named by its number, in the order in which states were reached, so that whatever it was reached from has a
smaller one. An action is named by its place among the actions of a state in which it was done.

What a best-first search keeps of the states it has reached, in memory, and in a checkpoint.

What a search from both ends keeps of the states it has reached, in memory, and in a checkpoint.

What a breadth-first search keeps of the states it has reached, in memory, and in a checkpoint.

The numbers of reached states, in the order in which they were reached, without a table of all of them.

Searches hand on the very objects under which they have entered states. So a state is found by what it is, not by what
it equals, and the author's code is not asked.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import compress, count, islice
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from ...model.base import Action, Cost, State
from ...model.hooks import ReversibleProblem
from ...model.problem import Problem
from ...model.values import listed
from ...running.number_codec import array_of, number_of, numbers_in, text_of
from ...running.run import Record
from ...running.store.checkpoint import Checkpoint
from .dominance import Dominance
from .preferred_actions import ActionOrder, Untried
from .search_tree import Frontier, Parents

if TYPE_CHECKING:
    from numpy.typing import NDArray

NumbersOf: TypeAlias = "Callable[[Iterable[State]], NDArray[Any]]"

"""Gives the numbers of states, as a row."""


class NumbersInOrder(Generic[State]):
    """The numbers of states that are asked for in their order, over all calls: one walk along `reached`.

    Raises `StoreError` for another order, which only a damaged store leads to.
    """

    def __init__(self, reached: Iterable[State], checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        self._left = iter(reached)
        self._number, self._last = 0, next(self._left)

    def __call__(self, states: Iterable[State]) -> NDArray[Any]:
        import numpy as np  # most searches do without

        return np.fromiter(self._of(states), np.int64)

    def _of(self, states: Iterable[State]) -> Iterator[int]:
        number, last = self._number, self._last
        for state in states:
            if state is not last:
                for last in self._left:
                    number += 1
                    if last is state:
                        break
                else:
                    raise self._checkpoint.damaged()
            yield number
        self._number, self._last = number, last


class NumbersByIdentity(Generic[State]):
    """The numbers of states in any order; of those in `again` there may be other objects that equal them."""

    def __init__(self, reached: Collection[State], again: Container[State]) -> None:
        import numpy as np

        ids = np.fromiter(map(id, reached), np.uint64, len(reached))
        self._number = np.argsort(ids)  # by the order of ids
        self._ids = ids[self._number]
        is_again = map(again.__contains__, reached) if again else ()
        self.again = dict(compress(zip(reached, count()), is_again))
        """The numbers of the states in `again`."""

    def __call__(self, states: Iterable[State]) -> NDArray[Any]:
        import numpy as np

        wanted = [*states]
        ids = np.fromiter(map(id, wanted), np.uint64, len(wanted))
        places = np.searchsorted(self._ids, ids).clip(max=len(self._ids) - 1)
        numbers: NDArray[Any] = self._number[places]
        for other in np.flatnonzero(self._ids[places] != ids).tolist():
            numbers[other] = self.again[wanted[other]]
        return numbers


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


class BestFirstTables(Generic[State, Action]):
    """The tables of a best-first search, which `save` keeps and `go_on` fills again.

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
        self.dominance = dominance
        self._problem = problem
        self._first: dict[State, tuple[State, Action]] = {}  # of states reached more cheaply since: how they were first
        self._done_in: dict[Action, State] = {}  # by action of a cheaper way: where it was done
        if checkpoint is not None:
            self._checkpoint = checkpoint
            self._again: ReachedAgain[State, Action] = ReachedAgain(problem, checkpoint)
            self._log = None if dominance is None else LoggedDominance(dominance)
            self.dominance = self._log

    def note_cheaper_way(self, child: State, state: State, action: Action) -> None:
        """Remember how `child` was reached before it is entered that `action` leads to it from `state`."""
        step = self.parents[child]
        if step is not None:
            self._first.setdefault(child, step)
        self._done_in.setdefault(action, state)

    def save(self, record: Record[State, Action], generated: int, last_key: Cost) -> None:
        """Keep everything, between two expansions."""
        import numpy as np  # most searches do without

        again, checkpoint = self._again, self._checkpoint
        numbers = NumbersByIdentity(self.g_of, self._first)
        done = [(state, action) for action, state in self._done_in.items()]
        begun = again.begun
        steps = [*islice(filter(None, self.parents.values()), begun, None)]
        for child, number in numbers.again.items():
            if number > begun:
                steps[number - begun - 1] = self._first[child]
        rows = again.new_rows(steps, numbers, done)
        changed = [(child, *step) for child in self._first if (step := self.parents[child]) is not None]
        waiting = [*self.frontier.by_key()]
        successes = self.in_order.successes
        checkpoint.save(
            {**record.kept(), "generated": generated, "last_key": text_of(last_key)},
            {
                "costs": array_of(self.g_of.values()),
                "changed": numbers(child for child, _, _ in changed),
                "changed-from": numbers(state for _, state, _ in changed),
                "changed-by": again.numbers(action for _, _, action in changed),
                "keys": array_of([key for key, _, _ in waiting]),
                "key-costs": array_of([minus_g for _, minus_g, _ in waiting]),
                "waiting-by-key": np.array([len(states) for _, _, states in waiting], np.int64),
                "waiting": numbers(state for _, _, states in waiting for state in states),
                "untried": numbers(self.untried),
                "untried-after": np.array([left.after for left in self.untried.values()], dtype=np.int64),
                "untried-last": again.numbers(left.last for left in self.untried.values()),
                **({} if self._log is None else self._log.kept(numbers)),
            },
            {
                **rows,
                "estimates": array_of([*islice(self.h_of.values(), checkpoint.rows("estimates"), None)]),
                "successes": again.numbers(islice(successes, checkpoint.rows("successes"), None)),
            },
        )

    def go_on(self, record: Record[State, Action]) -> tuple[int, Any]:
        """Fill the tables with what was kept; returns how many were generated, and the last key."""
        again, checkpoint = self._again, self._checkpoint
        demand = checkpoint.demand
        record.go_on(checkpoint)  # first: what is proved stands even if a limit ends the rest
        states, steps = again.states(record.tick)
        costs = costs_in(checkpoint, "costs")
        estimates = [h for piece in checkpoint.pieces("estimates") for h in costs_of(checkpoint, piece)]
        demand(len(states) == len(costs) == len(estimates) and min(estimates) >= 0 <= min(costs) < inf)
        self.g_of.update(zip(states, costs, strict=True))
        self.h_of.update(zip(states, estimates, strict=True))
        self.parents.update(zip(states, steps, strict=True))
        self._take_cheaper_ways(states)
        self._take_frontier(states)
        self._take_untried(states)
        if self._log is not None:
            self._log.go_on(checkpoint, states)
        try:
            return checkpoint.number("generated"), number_of((checkpoint.kept or {}).get("last_key"))
        except ValueError:
            raise checkpoint.damaged() from None

    def _take_cheaper_ways(self, states: list[State]) -> None:
        checkpoint, actions = self._checkpoint, self._again.actions
        columns = [
            numbers_from(checkpoint, name, below)
            for name, below in (("changed", len(states)), ("changed-from", len(states)), ("changed-by", len(actions)))
        ]
        checkpoint.demand(len(set(map(len, columns))) == 1)
        for child, state, action in zip(*columns, strict=True):
            checkpoint.demand(child)
            self.note_cheaper_way(states[child], states[state], actions[action])
            self.parents[states[child]] = states[state], actions[action]
        if columns[0]:
            self._check_ways(states)

    def _check_ways(self, states: list[State]) -> None:
        """Check that whoever walks back from any state comes to the start."""
        well = {states[0]}
        for state in states:
            walked = []
            while state not in well:
                walked.append(state)
                self._checkpoint.demand(len(walked) <= len(states))
                step = self.parents[state]
                assert step is not None, "only the start has none"
                state = step[0]
            well.update(walked)

    def _take_frontier(self, states: list[State]) -> None:
        checkpoint = self._checkpoint
        keys, minus_gs = costs_in(checkpoint, "keys"), costs_in(checkpoint, "key-costs")
        waiting = numbers_from(checkpoint, "waiting", len(states))
        counts = numbers_from(checkpoint, "waiting-by-key", len(waiting) + 1)
        checkpoint.demand(len(keys) == len(minus_gs) == len(counts) and sum(counts) == len(waiting))
        both = [*zip(keys, minus_gs, strict=True)]
        checkpoint.demand(all(counts) and both == sorted(set(both)))
        rest = iter(waiting)
        for (key, minus_g), size in zip(both, counts, strict=True):
            for number in islice(rest, size):
                self.frontier.add(key, -minus_g, states[number])

    def _take_untried(self, states: list[State]) -> None:
        checkpoint, actions = self._checkpoint, self._again.actions
        successes = [number for piece in checkpoint.pieces("successes") for number in piece.tolist()]
        checkpoint.demand(all(type(number) is int and 0 <= number < len(actions) for number in successes))
        numbers = numbers_from(checkpoint, "untried", len(states))
        after = numbers_from(checkpoint, "untried-after", len(successes) + 1)
        last = numbers_from(checkpoint, "untried-last", len(actions))
        checkpoint.demand(len(numbers) == len(after) == len(last))
        ranked = self.in_order.go_on([actions[number] for number in successes], frozenset(after))
        for number, time, action in zip(numbers, after, last, strict=True):
            state = states[number]
            actions_in = partial(self._problem.actions, state)
            self.untried[state] = self.in_order.untried(actions_in, ranked[time], time, actions[action])


class ReachedEnds(Generic[State, Action]):
    """The states reached from the start, `ahead`, and from the goals, `behind`, each with the next one towards its end.

    Of each state behind that is no goal there is also its place among the predecessors of the next one.
    """

    def __init__(self, problem: ReversibleProblem[State, Action], checkpoint: Checkpoint | None) -> None:
        self.ahead: Parents[State, Action] = {}  # towards the start: state -> (parent, action from it)
        self.behind: Parents[State, Action] = {}  # towards a goal: state -> (child, action to it)
        self.places = array("L")
        self._problem = problem
        if checkpoint is not None:
            self._checkpoint = checkpoint
            self._again: ReachedAgain[State, Action] = ReachedAgain(problem, checkpoint)

    def save(
        self,
        record: Record[State, Action],
        turn: bool,
        depths: tuple[int, int],
        generated: int,
        forward: list[State],
        backward: list[State],
        next_layer: list[State],
    ) -> None:
        """Keep everything, between two expansions; `turn` is whether `next_layer` is the next one ahead."""
        import numpy as np  # most searches do without

        again, checkpoint = self._again, self._checkpoint
        ahead, behind = NumbersInOrder(self.ahead, checkpoint), NumbersInOrder(self.behind, checkpoint)
        begun = checkpoint.rows("behind")
        rows = again.new_rows([*islice(filter(None, self.ahead.values()), again.begun, None)], ahead)
        back = behind(map(itemgetter(0), islice(filter(None, self.behind.values()), begun, None)))
        checkpoint.save(
            {
                **record.kept(),
                "turn": int(turn),
                "ahead_depth": depths[0],
                "behind_depth": depths[1],
                "generated": generated,
            },
            {
                "forward": ahead(forward),
                "backward": behind(backward),
                "next": (ahead if turn else behind)(next_layer),
            },
            {**rows, "behind": np.stack((back, np.array(self.places[begun:], np.int64)), axis=1)},
        )

    def go_on(self, record: Record[State, Action]) -> tuple[bool, int, int, int, list[State], list[State], list[State]]:
        """Take up what was kept: the arguments of `save`, in their order, the depths one by one."""
        checkpoint = self._checkpoint
        record.go_on(checkpoint)  # first: what is proved stands even if a limit ends the rest
        ahead, steps = self._again.states(record.tick)
        self.ahead.clear()  # for the start is another object now
        self.ahead.update(zip(ahead, steps, strict=True))
        behind = self._states_behind(record)
        turn = bool(checkpoint.number("turn", 1))
        forward = [ahead[number] for number in numbers_from(checkpoint, "forward", len(ahead))]
        backward = [behind[number] for number in numbers_from(checkpoint, "backward", len(behind))]
        own = ahead if turn else behind
        next_layer = [own[number] for number in numbers_from(checkpoint, "next", len(own))]
        depths = checkpoint.number("ahead_depth"), checkpoint.number("behind_depth")
        return turn, *depths, checkpoint.number("generated"), forward, backward, next_layer

    def _states_behind(self, record: Record[State, Action]) -> list[State]:
        """The states behind, in their order: the goals are there already."""
        checkpoint, demand = self._checkpoint, self._checkpoint.demand
        states = list(self.behind)
        last = -1
        here: Sequence[tuple[State, Action]] = ()
        for piece in checkpoint.pieces("behind"):
            demand(piece.ndim == 2 and piece.shape[1] == 2 and piece.dtype.kind == "i")
            for child, place in piece.tolist():
                record.tick()
                demand(0 <= child < len(states))
                if child != last:
                    last, here = child, listed(self._problem.predecessors(states[child]))
                demand(0 <= place < len(here))
                state, action = here[place]
                demand(state not in self.behind)
                self.behind[state] = states[child], action
                self.places.append(place)
                states.append(state)
        return states


class ReachedLayers(Generic[State, Action]):
    """The states reached, in their order, each with how it was reached."""

    def __init__(
        self,
        problem: Problem[State, Action],
        start: State,
        dominance: Dominance[State] | None,
        checkpoint: Checkpoint | None,
    ) -> None:
        self.reached: Parents[State, Action] = {start: None}
        self.dominance = dominance
        if checkpoint is not None:
            self._checkpoint = checkpoint
            self._again: ReachedAgain[State, Action] = ReachedAgain(problem, checkpoint)
            self._log = None if dominance is None else LoggedDominance(dominance)
            self.dominance = self._log

    def save(
        self,
        record: Record[State, Action],
        depth: int,
        generated: int,
        waiting: list[State],
        next_layer: list[State],
    ) -> None:
        """Keep everything, between two expansions; of the layer of this depth these states are `waiting`."""
        again, reached = self._again, self.reached
        numbers = NumbersInOrder(reached, self._checkpoint)  # who was expanded, who waits, who is next
        rows = again.new_rows([*islice(filter(None, reached.values()), again.begun, None)], numbers)
        self._checkpoint.save(
            {**record.kept(), "depth": depth, "generated": generated},
            {
                "waiting": numbers(waiting),
                "next": numbers(next_layer),
                **({} if self._log is None else self._log.kept(NumbersInOrder(reached, self._checkpoint))),
            },
            rows,
        )

    def go_on(self, record: Record[State, Action]) -> tuple[int, int, list[State], list[State]]:
        """Take up what was kept; returns the depth, how many were generated, who waits, and the next layer so far."""
        checkpoint = self._checkpoint
        record.go_on(checkpoint)  # first: what is proved stands even if a limit ends the rest
        states, steps = self._again.states(record.tick)
        self.reached.clear()  # for the start is another object now
        self.reached.update(zip(states, steps, strict=True))
        waiting = [states[number] for number in numbers_from(checkpoint, "waiting", len(states))]
        next_layer = [states[number] for number in numbers_from(checkpoint, "next", len(states))]
        if self._log is not None:
            self._log.go_on(checkpoint, states)
        return checkpoint.number("depth"), checkpoint.number("generated"), waiting, next_layer
