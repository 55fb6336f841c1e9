"""Interactive games of contingent problems, and games against an adversary who delays the win by fixing no state."""

from __future__ import annotations

from random import Random
from typing import Any

from ...belief_space.contingent import FrozensetContingentView
from ...model.belief import Belief, perceived
from ...planner.contingent import solve_from
from ...plans.wording import plural
from ...proofs.explanations.adversary import DelayingAdversary
from ...running.limits import Budget
from ..selected_problem import Asked
from .game import SensorlessTableGame, no_hint


class ContingentTableGame(SensorlessTableGame):
    """Game of a contingent problem in progress; parameters as for `TableGame`."""

    _perceived: tuple[str, ...] = ("",)
    """The percepts as text, turn by turn."""

    def _make_view(self) -> FrozensetContingentView[Any, Any]:
        return FrozensetContingentView(self._problem)

    def _first_known(self) -> Belief[Any]:
        known: Belief[Any] = self._view.initial_node()
        return known

    def _read(self, text: str) -> Any:
        try:
            action = self._problem.parse_action(text)
        except ValueError:
            return super()._read(text)
        # Of equivalent actions the view has only some, and a player may want another.
        if all(action in self._problem.actions(state) for state in self._turns[-1][1]):
            return action
        return super()._read(text)

    def _advance(self, action: Any) -> list[str]:
        after, percept, following = self._respond(*self._turns[-1], action)
        self._turns.append((after, following))
        self._perceived = (*self._perceived[: len(self._turns) - 1], self._problem.format_percept(percept))
        return [self._situation()]

    def _respond(self, state: Any, known: Belief[Any], action: Any) -> tuple[Any, Any, Belief[Any]]:
        """Return the state after the action, its percept, and the belief after both."""
        after = self._result(state, action)
        percept = self._chance.choice(perceived(self._problem, after, action))
        return after, percept, dict(self._view.outcomes(known, action))[percept]

    def _situation(self) -> str:
        percept, known = self._perceived[len(self._turns) - 1], self._members(self._turns[-1][1])
        if percept:
            return f"You perceive: {percept}. {self._possible()}."
        # Before anything is perceived the player may know the state all the same, as where he sees all of them.
        return f"The state is {self._problem.format_state(known[0])}." if len(known) == 1 else f"{self._possible()}."

    def _hint(self) -> str:
        result = solve_from(self._problem, self._turns[-1][1], Budget(self._hint_limits()))
        if result.plan is None:
            return no_hint(result)
        plan = result.require_conditional_plan()
        if plan.nodes[0].is_end:
            return "You have won already."
        action = self._problem.format_action(plan.nodes[0].action)
        if plan.is_cyclic:
            return f"{action}, and keep trying"
        return f"{action}, and then {plural(int(plan.depth) - 1, 'more action')} at the most"


class DelayedGame(SensorlessTableGame):
    """Sensorless game against this adversary; parameters as for `TableGame`.

    There is no true state. In its place a turn has the actions and percepts until then.
    """

    RULE = "The adversary fixes no state: you win once you would win in every state that is still possible."

    def __init__(self, asked: Asked, chance: Random) -> None:
        self._delaying: DelayingAdversary[Any, Any] = DelayingAdversary(asked.problem)
        super().__init__(asked, chance)

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
    """Contingent game against this adversary, who chooses the percepts."""

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
        why = "What you need after each percept is too much to work out, so this is the one that leaves most states."
        return f"({why})\n{super()._situation()}"
