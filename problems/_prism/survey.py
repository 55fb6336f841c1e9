"""All states of a model that can come up, and what the graph of them alone says about reaching a goal."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Set
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
        for name in ("hopeful", "avoidable", "inevitable", "sure", "_into"):
            self.__dict__.pop(name, None)

    @property
    def met(self) -> Set[State]:
        """All states, in the order in which they were met."""
        return self._met.keys()

    def __contains__(self, state: object) -> bool:
        return state in self._met

    def __len__(self) -> int:
        return len(self._met)

    @cached_property
    def hopeful(self) -> set[State]:
        """The states from which a goal can be reached, goals included."""
        return self.reaching(self._goals())

    @cached_property
    def avoidable(self) -> set[State]:
        """The states from which some strategy, of a player who sees everything, keeps from goals with certainty.

        C. Baier and J.-P. Katoen, "Principles of Model Checking" (2008), 10.6.1. From the others every strategy comes
        to a goal with a positive probability: none stays among them for ever.
        """
        lost = self._goals()
        self._give_up(lost, set(), {state: len(found) for state, found in self.moves.items()})
        return self._met.keys() - lost

    @cached_property
    def inevitable(self) -> set[State]:
        """The states from which every strategy comes to a goal with certainty."""
        return self._met.keys() - self.reaching(set(self.avoidable))

    @cached_property
    def sure(self) -> Mapping[State, Moves]:
        """By state: the actions after which a player who sees everything can still reach a goal with certainty.

        A state that is missing is a goal, or the goal is not certain there whatever is done.
        """
        lost: set[State] = set()
        barred: set[tuple[State, str]] = set()
        choices = {state: len(found) for state, found in self.moves.items()}
        while more := self._met.keys() - self.reaching(self._goals(), barred) - lost:
            lost |= more
            self._give_up(lost, barred, choices, more)
        return {
            state: {action: outcomes for action, outcomes in found.items() if (state, action) not in barred}
            for state, found in self.moves.items()
            if state not in lost
        }

    def _give_up(
        self,
        lost: set[State],
        barred: set[tuple[State, str]],
        choices: dict[State, int],
        newly: Iterable[State] | None = None,
    ) -> None:
        """Bar the actions that may lead to a lost state, and lose the states where none is left, until no more are."""
        frontier = list(lost if newly is None else newly)
        while frontier:
            for pair in self._into.get(frontier.pop(), ()):
                if pair in barred:
                    continue
                barred.add(pair)
                state = pair[0]
                choices[state] -= 1
                if not choices[state] and state not in lost:
                    lost.add(state)
                    frontier.append(state)

    def _goals(self) -> set[State]:
        return {state for state in self._met if self._is_goal(state)}

    def reaching(self, reached: set[State], barred: Container[tuple[State, str]] = ()) -> set[State]:
        """The states from which one of `reached` can be reached without the barred actions, and these."""
        frontier = list(reached)
        while frontier:
            for pair in self._into.get(frontier.pop(), ()):
                state = pair[0]
                if state not in reached and pair not in barred:
                    reached.add(state)
                    frontier.append(state)
        return reached

    @cached_property
    def _into(self) -> Mapping[State, list[tuple[State, str]]]:
        """By state: from where, and by which actions, the game may come there."""
        into: dict[State, list[tuple[State, str]]] = {}
        for state, found in self.moves.items():
            for action, outcomes in found.items():
                for _, after in outcomes:
                    into.setdefault(after, []).append((state, action))
        return into
