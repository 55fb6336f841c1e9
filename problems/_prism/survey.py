"""Reaching a goal, as far as the graph of states alone tells, state by state: the definition, for a few thousand."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

from attrs import frozen


@frozen(eq=False)
class Survey:
    """Numbered states, of which some are goals, their moves and what may follow; nothing follows a goal."""

    number_of: dict[Any, int]
    moves: list[int]
    """By state: its first move, and how many there are of all."""
    results: list[list[int]]
    """By move: the states that may follow."""
    goals: list[bool]
    listing: ClassVar[None] = None

    def number(self, state: Any) -> int | None:
        """The number of a state; None if it cannot come up."""
        return self.number_of.get(state)

    def states(self, numbers: Iterable[int]) -> list[Any]:
        """The states with some numbers."""
        states = list(self.number_of)
        return [states[number] for number in numbers]

    @cached_property
    def hopeful(self) -> list[bool]:
        """Marks of the states from which a goal can be reached, goals included."""
        return self.reaching(self.goals)

    @cached_property
    def avoidable(self) -> list[bool]:
        """Marks of the states from which some strategy, of a player who sees everything, surely keeps from goals.

        C. Baier and J.-P. Katoen, "Principles of Model Checking" (2008), 10.6.1. From the others every strategy comes
        to a goal with a positive probability: none stays among them for ever.
        """
        lost, barred = list(self.goals), [False] * len(self.results)
        self._give_up(lost, barred, self._choices(), _marked(lost))
        return [not is_lost for is_lost in lost]

    @cached_property
    def inevitable(self) -> list[bool]:
        """Marks of the states from which every strategy comes to a goal with certainty."""
        return [not reaches for reaches in self.reaching(self.avoidable)]

    @property
    def sure(self) -> list[bool]:
        """Marks of the states from which a player who sees all can reach a goal with certainty, goals included."""
        return self._sure[0]

    @property
    def sure_moves(self) -> list[bool]:
        """Marks of the moves after which he still can."""
        return self._sure[1]

    @cached_property
    def _sure(self) -> tuple[list[bool], list[bool]]:
        lost, barred, choices = [False] * len(self.goals), [False] * len(self.results), self._choices()
        while True:
            reaches = self.reaching(self.goals, barred)
            more = [state for state, is_lost in enumerate(lost) if not is_lost and not reaches[state]]
            if not more:
                break
            for state in more:
                lost[state] = True
            self._give_up(lost, barred, choices, more)
        still = [not barred[move] and not lost[state] for move, state in enumerate(self._owners)]
        return [not is_lost for is_lost in lost], still

    def _give_up(self, lost: list[bool], barred: list[bool], choices: list[int], frontier: list[int]) -> None:
        """Bar the moves that may lead to a lost state, and lose the states where none is left, until no more are."""
        while frontier:
            for move in self._into[frontier.pop()]:
                if barred[move]:
                    continue
                barred[move] = True
                state = self._owners[move]
                choices[state] -= 1
                if not choices[state] and not lost[state]:
                    lost[state] = True
                    frontier.append(state)

    def reaching(self, marks: Sequence[bool], barred: Sequence[bool] | None = None) -> list[bool]:
        """Marks of the states from which a marked one can be reached without the barred moves, and of these."""
        reached, frontier = list(marks), _marked(marks)
        while frontier:
            for move in self._into[frontier.pop()]:
                state = self._owners[move]
                if not reached[state] and not (barred and barred[move]):
                    reached[state] = True
                    frontier.append(state)
        return reached

    def _choices(self) -> list[int]:
        """The number of moves of each state."""
        return [end - first for first, end in pairwise(self.moves)]

    @cached_property
    def _owners(self) -> list[int]:
        """The state of each move."""
        return [state for state, choices in enumerate(self._choices()) for _ in range(choices)]

    @cached_property
    def _into(self) -> list[list[int]]:
        """The moves by which the game may come to each state."""
        into: list[list[int]] = [[] for _ in self.goals]
        for move, results in enumerate(self.results):
            for result in results:
                into[result].append(move)
        return into


def walked(
    moves_of: Callable[[Any], Iterable[Iterable[Any]]],
    is_goal: Callable[[Any], bool],
    starts: Iterable[Any],
    tick: Callable[[int], None] = lambda states: None,
) -> Survey:
    """Find what can come up from some states, which are numbered first.

    `moves_of` lists what may follow each move; `tick` hears how many states were found, and raises to stop.
    """
    number_of = {state: number for number, state in enumerate(starts)}
    moves, results, goals = [0], list[list[int]](), list[bool]()
    states = list(number_of)
    for state in states:  # grows while it is walked
        tick(len(states))
        goals.append(is_goal(state))
        for after in moves_of(state) if not goals[-1] else ():
            for result in after:
                if result not in number_of:
                    number_of[result] = len(states)
                    states.append(result)
            results.append([number_of[result] for result in after])
        moves.append(len(results))
    return Survey(number_of, moves, results, goals)


def _marked(marks: Sequence[bool]) -> list[int]:
    return [number for number, mark in enumerate(marks) if mark]
