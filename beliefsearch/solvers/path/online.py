"""Online search: an agent that acts before it knows the map, and learns from where its actions lead."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Generic

from attrs import define, field

from ...errors import BeliefSearchError, LimitError
from ...model.base import Action, Cost, State
from ...model.checked import checked_cost, checked_estimate
from ...model.problem import Problem
from ...running.alarm import call_within
from ...running.limits import STOPS, Budget, Limits
from .heuristic import Heuristic


@define
class OnlineAgent(Generic[State, Action]):
    """A learning real-time A* agent (LRTA*), which keeps its estimates from one walk to the next.

    Korf, "Real-time heuristic search" (Artificial Intelligence 42, 1990); Russell and Norvig, 4th edition, section
    4.5.3. It knows the actions of the state it is in, and what they cost, but where one leads only once it was done.
    On a finite map from which the goal can always be reached each walk gets there; with an admissible estimate the
    walks become cheapest ones in the end.

    Parameters
    ----------
    problem
        A plain problem. `result` is asked only for actions that are done.
    heuristic
        An admissible estimate, by default the problem's own.

    Attributes
    ----------
    estimates
        By state that was met: how far the goal is at the least, as far as it was learnt.
    results
        By state and action that was done: the state that followed.

    Examples
    --------
    >>> from beliefsearch_problems.romania import RomaniaProblem
    >>> agent = OnlineAgent(RomaniaProblem())
    >>> [len(agent.walk()) for _ in range(6)], agent.walk()
    ([9, 9, 11, 5, 4, 4], ['Sibiu', 'Rimnicu', 'Pitesti', 'Bucharest'])
    """

    problem: Problem[State, Action]
    heuristic: Heuristic[State] | None = None
    estimates: dict[State, Cost] = field(factory=dict)
    results: dict[tuple[State, Action], State] = field(factory=dict)

    def walk(self, start: State | None = None, *, limits: Limits | None = None) -> list[Action]:
        """Walk to a goal, from the initial state or another one, and return the actions that were done.

        Raises
        ------
        BeliefSearchError
            In a state without actions, or once it is learnt that there is no way to a goal.
        LimitError
            If a limit or Ctrl-C came first; what was learnt is kept.
        """
        budget = Budget(limits)
        try:
            return call_within(budget, lambda: self._walk(start, budget.tick))
        except STOPS as stop:
            raise LimitError(f"the walk came to no end: {budget.why(stop)}") from None

    def _walk(self, start: State | None, tick: Callable[[], None]) -> list[Action]:
        problem = self.problem
        state: Any = problem.initial_state() if start is None else start
        done: list[Action] = []
        while not problem.is_goal(state):
            tick()
            action, worth = self._best(state)
            if worth == inf:
                raise BeliefSearchError(f"no way leads to a goal from {problem.format_state(state)}")
            self.estimates[state] = max(self._estimate(state), worth)
            self.results[state, action] = problem.result(state, action)
            done.append(action)
            state = self.results[state, action]
        return done

    def _hope(self, state: State) -> Cost:
        """The estimate before anything was learnt."""
        estimate: Callable[[State], Cost] = self.heuristic or self.problem.heuristic
        return checked_estimate(self.problem, state, estimate)

    def _estimate(self, state: State) -> Cost:
        known = self.estimates.get(state)
        return self._hope(state) if known is None else known

    def _best(self, state: State) -> tuple[Action, Cost]:
        """The first of the actions that seem cheapest; of one that was not done it is hoped that it is on the way."""
        choices: list[tuple[Cost, Action]] = []
        for action in self.problem.actions(state):
            if (state, action) not in self.results:
                choices.append((self._hope(state), action))
            else:
                after = self.results[state, action]
                choices.append((checked_cost(self.problem, state, action) + self._estimate(after), action))
        if not choices:
            raise BeliefSearchError(f"nothing can be done in {self.problem.format_state(state)}, which is no goal")
        worth, action = min(choices, key=lambda choice: choice[0])
        return action, worth
