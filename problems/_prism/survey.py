"""All states of a model that can come up, and what the graph of them alone says about reaching a goal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
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
        for name in ("hopeful", "avoidable", "inevitable", "sure"):
            self.__dict__.pop(name, None)

    def __contains__(self, state: object) -> bool:
        return state in self._met

    def __len__(self) -> int:
        return len(self._met)

    @cached_property
    def hopeful(self) -> set[State]:
        """The states from which a goal can be reached, goals included."""
        return self._reaching(self.moves, self._goals())

    @cached_property
    def avoidable(self) -> set[State]:
        """The states from which some strategy, of a player who sees everything, keeps from goals with certainty.

        C. Baier and J.-P. Katoen, "Principles of Model Checking" (2008), 10.6.1. From the others every strategy comes
        to a goal with a positive probability: none stays among them for ever.
        """
        choices = {state: len(found) for state, found in self.moves.items() if found}
        into = self._into(self.moves)
        lost = self._goals()
        frontier = list(lost)
        counted: set[tuple[State, str]] = set()  # actions that may lead to a lost state
        while frontier:
            for pair in into.get(frontier.pop(), ()):
                if pair in counted:
                    continue
                counted.add(pair)
                state = pair[0]
                choices[state] -= 1
                if not choices[state]:
                    lost.add(state)
                    frontier.append(state)
        return self._met.keys() - lost

    @cached_property
    def inevitable(self) -> set[State]:
        """The states from which every strategy comes to a goal with certainty."""
        return self._met.keys() - self._reaching(self.moves, set(self.avoidable))

    @cached_property
    def sure(self) -> Mapping[State, Moves]:
        """By state: the actions after which a player who sees everything can still reach a goal with certainty.

        A state that is missing is a goal, or the goal is not certain there whatever is done.
        """
        kept = {state: dict(moves) for state, moves in self.moves.items()}
        goals = self._goals()
        while True:
            reaching = self._reaching(kept, set(goals))
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

    def _goals(self) -> set[State]:
        return {state for state in self._met if self._is_goal(state)}

    def _reaching(self, moves: Mapping[State, Moves], reached: set[State]) -> set[State]:
        """The states from which one of `reached` can be reached by these actions, and these."""
        into = self._into(moves)
        frontier = list(reached)
        while frontier:
            for state, _ in into.get(frontier.pop(), ()):
                if state not in reached:
                    reached.add(state)
                    frontier.append(state)
        return reached

    def _into(self, moves: Mapping[State, Moves]) -> Mapping[State, list[tuple[State, str]]]:
        """By state: from where, and by which actions, the game may come there."""
        into: dict[State, list[tuple[State, str]]] = {}
        for state, found in moves.items():
            for action, outcomes in found.items():
                for _, after in outcomes:
                    into.setdefault(after, []).append((state, action))
        return into
