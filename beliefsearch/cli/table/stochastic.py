"""A game against chance at the table: the player sees every state."""

from __future__ import annotations

from random import Random
from typing import Any

from attrs import evolve

from ...errors import BeliefSearchError
from ...plans.wording import plural
from ..chosen import Chosen
from ..search_options import SearchOptions
from .game import TableGame

__all__ = ["ChanceGame"]

_HELP = """\
Say an action, or # and its number in the list that `actions` gives, such as #1. Besides:
  actions   what you can do
  hint      a best next action
  value     what can be expected from here, by you and for each action
  undo      take the last action back
  quit      leave the game"""


class ChanceGame(TableGame):
    """A game of a stochastic problem in progress; what is said and read is as in other games.

    Parameters
    ----------
    chosen
        What is played.
    search
        How the best policy is found, for hints.
    chance
        Draws the outcomes.
    """

    def __init__(self, chosen: Chosen, search: SearchOptions, chance: Random) -> None:
        from ...games.policy import Dice

        problem: Any = chosen.problem
        self._problem = problem
        self._chosen = chosen
        self._search = search
        self._dice: Dice[Any, Any] = Dice(problem, chance)
        self._states = [problem.initial_state()]
        self._policy: Any = None
        self.over = False

    def welcome(self, title: str) -> str:
        lines = [title, "Say an action, or `help` for what else you can say.", self._situation()]
        actions = self._actions()
        if actions:
            lines.insert(2, f"An action reads like this: {self._problem.format_action(actions[0])}")
        self._end_if_over(lines)
        return "\n".join(lines)

    def prompt(self) -> str:
        return f"{len(self._states)}> "

    def farewell(self) -> str:
        return f"The state was {self._problem.format_state(self._states[-1])}."

    def say(self, line: str) -> str:
        words = {"": lambda: _HELP, "help": lambda: _HELP, "?": lambda: _HELP, "value": self._value}
        answer = words.get(line.lower())
        if line.lower() == "belief":
            return "You see the state: " + self._problem.format_state(self._states[-1])
        return answer() if answer is not None else super().say(line)

    def _actions(self) -> list[Any]:
        state, problem = self._states[-1], self._problem
        return [] if self._is_over(state) else list(problem.actions(state))

    def _is_over(self, state: Any) -> bool:
        problem: Any = self._problem
        return bool(problem.is_terminal(state))

    def _act(self, action: Any) -> str:
        before = self._states[-1]
        self._states.append(self._dice.throw(before, action))
        told = self._problem.describe_step(before, action, self._states[-1])
        lines = [f"{told}: {self._situation()}" if told else self._situation()]
        self._end_if_over(lines)
        return "\n".join(lines)

    def _end_if_over(self, lines: list[str]) -> None:
        problem: Any = self._problem
        if self._is_over(self._states[-1]):
            self.over = True
            steps = plural(len(self._states) - 1, "action")
            lines.append(f"The game is over, after {steps}: utility {problem.utility(self._states[-1])}.")

    def _situation(self) -> str:
        return self._problem.draw_state(self._states[-1])

    def _hint(self) -> str:
        return self._problem.format_action(self._best().action(self._states[-1]))

    def _value(self) -> str:
        problem: Any = self._problem
        policy, state = self._best(), self._states[-1]
        lines = [f"{float(policy.value(state)):.6g} with the best actions"]
        lines += [
            f"{float(policy.value_after(problem.outcomes(state, action))):.6g} after {problem.format_action(action)}"
            for action in self._actions()
        ]
        return "\n".join(lines)

    def _best(self) -> Any:
        """The best policy, found when it is first asked for."""
        from ...running.limits import Budget
        from ..answers.policy import solve_chance

        if self._policy is None:
            # The player may have thought for long: the limits count from now on.
            result = solve_chance(evolve(self._chosen, budget=Budget(self._search.limits())), self._search)
            if result.value is None:
                raise BeliefSearchError(f"I do not know: {result.reason}")
            self._policy = result.policy
        return self._policy

    def _undo(self) -> str:
        if len(self._states) == 1:
            raise BeliefSearchError("there is nothing to undo")
        self._states.pop()
        return self._situation()
