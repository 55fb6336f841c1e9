"""Interactive games against an adversary who delays the player's win by never fixing the true state."""

from __future__ import annotations

from random import Random
from typing import Any

from ...model.belief import Belief
from ...model.problem import BeliefProblem
from ...proofs.delaying import DelayingAdversary
from ..search_options import SearchOptions
from .contingent import ContingentTableGame
from .sensorless import SensorlessTableGame


class DelayedGame(SensorlessTableGame):
    """A sensorless game against this adversary; parameters as for `TableGame`.

    In place of the true state, which there is none of, a turn has what was done and perceived until then.
    """

    RULE = "The adversary fixes no state: you win once you would win in every state that is still possible."

    def __init__(self, problem: BeliefProblem[Any, Any, Any], search: SearchOptions, chance: Random) -> None:
        self._delaying: DelayingAdversary[Any, Any] = DelayingAdversary(problem)
        super().__init__(problem, search, chance)

    def welcome(self, title: str) -> str:
        first, *rest = super().welcome(title).split("\n")
        return "\n".join([first, self.RULE, *rest])

    def _first_state(self) -> Any:
        return ()

    def _result(self, state: Any, action: Any) -> Any:
        return (*state, (action, None))

    def _rings(self, state: Any) -> bool:
        return False

    def _true_state(self) -> Any:
        return self._delaying.made_up_state(self._turns[-1][0])


class DelayedContingentGame(DelayedGame, ContingentTableGame):
    """A contingent game against this adversary, who chooses the percepts."""

    RULE = (
        "The adversary fixes no state: he chooses what you perceive, so that in the worst case you need as long as "
        "can be, and you win only when it is certain that you do."
    )

    _is_guess = False

    def _respond(self, state: Any, known: Belief[Any], action: Any) -> tuple[Any, Any, Belief[Any]]:
        answer = self._delaying.answer(known, action)
        self._is_guess = answer.is_guess
        return (*state, (action, answer.percept)), answer.percept, answer.belief

    def _situation(self) -> str:
        if not self._is_guess:
            return super()._situation()
        self._is_guess = False
        return (
            "(What you need after each percept is too much to work out, so this is the one that leaves most states.)\n"
            + super()._situation()
        )
