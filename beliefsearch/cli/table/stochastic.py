"""An interactive game of a stochastic problem: the player sees every state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from attrs import evolve

from ...errors import BeliefSearchError
from ...games.policy import Dice
from ...plans.wording import plural
from ...running.limits import Budget
from ..answers.policy import solve_chance
from ..chosen import Chosen
from ..search_options import SearchOptions
from .game import TableGame


class StochasticTableGame(TableGame):
    """A game of a stochastic problem in progress; its commands are those of other games, and `value`."""

    HELP = """\
Type an action, or # and its number in the list of `actions`, such as #1. Or one of these:
  actions   list the actions you can take
  hint      show a best next action
  value     show the expected utility from here, and after each action
  undo      take back the last action
  quit      leave the game"""

    def __init__(self, chosen: Chosen, search: SearchOptions, chance: Random) -> None:
        self._chosen = chosen
        self._dice: Dice[Any, Any] = Dice(chosen.problem, chance)
        self._policy: Any = None
        super().__init__(chosen.problem, search, chance)

    def _make_view(self) -> Any:
        return self._problem

    def _first_state(self) -> Any:
        return self._view.initial_state()

    def farewell(self) -> str:
        return f"The state was {self._problem.format_state(self._true_state())}."

    def _words(self) -> dict[str, Callable[[], str]]:
        return {**super()._words(), "value": self._value}

    def _tell_belief(self) -> str:
        return f"You see the state: {self._problem.format_state(self._true_state())}"

    def _actions(self) -> list[Any]:
        state = self._true_state()
        return [] if self._is_over(state) else list(self._problem.actions(state))

    def _is_over(self, state: Any) -> bool:
        return bool(self._problem.is_terminal(state))

    def _act(self, action: Any) -> str:
        before = self._true_state()
        after = self._dice.throw(before, action)
        self._turns.append((after, after))
        event = self._problem.describe_step(before, action, after)
        lines = [f"{event}: {self._situation()}" if event else self._situation()]
        self._end_if_won(lines)
        return "\n".join(lines)

    def _end_if_won(self, lines: list[str]) -> None:
        state = self._true_state()
        if self._is_over(state):
            self.over = True
            steps = plural(len(self._turns) - 1, "action")
            lines.append(f"The game is over, after {steps}: utility {self._problem.utility(state)}.")

    def _hint(self) -> str:
        best: str = self._problem.format_action(self._best().action(self._true_state()))
        return best

    def _value(self) -> str:
        policy, state = self._best(), self._true_state()
        lines = [f"{float(policy.value(state)):.6g} with the best actions"]
        for action in self._actions():
            value = float(policy.worth(self._problem, state, action))
            lines.append(f"{value:.6g} after {self._problem.format_action(action)}")
        return "\n".join(lines)

    def _best(self) -> Any:
        """The best policy, computed on first use."""
        if self._policy is None:
            # The player may have thought for long: the limits count from now on.
            result = solve_chance(evolve(self._chosen, budget=Budget(self._search.limits())), self._search)
            if result.value is None:
                raise BeliefSearchError(f"No policy was found: {result.reason}")
            self._policy = result.policy
        return self._policy
