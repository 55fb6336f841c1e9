"""What a breadth-first search keeps of the states it has reached, in memory, and in a checkpoint."""

from __future__ import annotations

from itertools import islice
from typing import Generic

from ...model.problem import Action, Problem, State
from ...running.checkpoint import Checkpoint
from ...running.record import Record
from .dominance import Dominance
from .parents import Parents
from .reached_again import LoggedDominance, ReachedAgain, numbers_from
from .reached_numbers import NumbersInOrder


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
