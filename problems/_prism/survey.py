"""All states of a model that can come up, and from which of them the goal can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from .expressions import State
from .machine import Outcomes

Moves: TypeAlias = Mapping[str, Outcomes]
"""By action: what may follow."""


class Survey:
    """The states of a model, found from the initial ones; beyond those where `is_over` holds it does not go."""

    def __init__(
        self,
        successors: Callable[[State], Moves],
        is_goal: Callable[[State], bool],
        is_over: Callable[[State], bool],
        starts: Iterable[State],
    ) -> None:
        self._successors = successors
        self._is_goal = is_goal
        self._is_over = is_over
        self.moves: dict[State, Moves] = {}  # by state that is not over
        self.hopeful: frozenset[State] = frozenset()  # those from which a goal can be reached
        self._met: dict[State, None] = {}
        self.add(starts)

    def add(self, starts: Iterable[State]) -> None:
        """Find what can come up from other states, too."""
        before = len(self._met)
        self._met.update(dict.fromkeys(starts))
        frontier = list(self._met)[before:]
        for state in frontier:  # grows while it is walked
            if self._is_over(state):
                continue
            self.moves[state] = found = self._successors(state)
            for outcomes in found.values():
                for _, after in outcomes:
                    if after not in self._met:
                        self._met[after] = None
                        frontier.append(after)
        self.hopeful = frozenset(self._reaching(self.moves))

    def __contains__(self, state: object) -> bool:
        return state in self._met

    def __len__(self) -> int:
        return len(self._met)

    def surely(self) -> dict[State, Moves]:
        """By state: the actions after which a player who sees everything can still reach a goal with certainty.

        A state that is missing is a goal, or the goal is not certain there whatever is done.
        """
        kept = {state: dict(moves) for state, moves in self.moves.items()}
        while True:
            reaching = self._reaching(kept)
            left = {
                state: {
                    action: outcomes
                    for action, outcomes in moves.items()
                    if all(after in reaching for _, after in outcomes)
                }
                for state, moves in kept.items()
                if state in reaching
            }
            if sum(map(len, left.values())) == sum(map(len, kept.values())):
                return {state: moves for state, moves in left.items() if moves}
            kept = left

    def _reaching(self, moves: Mapping[State, Moves]) -> set[State]:
        """The states from which a goal can be reached by these actions, goals included."""
        into: dict[State, list[State]] = {}
        for state, found in moves.items():
            for outcomes in found.values():
                for _, after in outcomes:
                    into.setdefault(after, []).append(state)
        reached = {state for state in self._met if self._is_goal(state)}
        frontier = list(reached)
        while frontier:
            for state in into.get(frontier.pop(), ()):
                if state not in reached:
                    reached.add(state)
                    frontier.append(state)
        return reached
