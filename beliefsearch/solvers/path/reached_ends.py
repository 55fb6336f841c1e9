"""What a search from both ends keeps of the states it has reached, in memory, and in a checkpoint."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice
from operator import itemgetter
from typing import Generic

from ...model.hooks import ReversibleProblem
from ...model.problem import Action, State
from ...model.values import listed
from ...running.checkpoint import Checkpoint
from ...running.record import Record
from .parents import Parents
from .reached_again import ReachedAgain, numbers_from
from .reached_numbers import NumbersInOrder


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
