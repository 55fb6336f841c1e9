"""What a best-first search keeps of the states it has reached, in memory, and in a checkpoint."""

from __future__ import annotations

from functools import partial
from itertools import islice
from math import inf
from typing import Any, Generic

from ...model.problem import Action, Cost, Problem, State
from ...running.checkpoint import Checkpoint
from ...running.kept_numbers import array_of, number_of, text_of
from ...running.record import Record
from .action_order import ActionOrder, Untried
from .dominance import Dominance
from .frontier import Frontier
from .parents import Parents
from .reached_again import LoggedDominance, ReachedAgain, costs_in, costs_of, numbers_from
from .reached_numbers import NumbersByIdentity


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
        for (key, minus_g), count in zip(both, counts, strict=True):
            for number in islice(rest, count):
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
