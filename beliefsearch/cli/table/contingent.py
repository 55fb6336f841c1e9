"""An interactive game of a contingent problem: the player perceives something after each action."""

from __future__ import annotations

from typing import Any

from ...model.belief import Belief, perceived
from ...plans.wording import plural
from ...running.limits import Budget
from ...solving.contingent import solve_from
from ...views.contingent import FrozensetContingentView
from .game import no_hint
from .sensorless import SensorlessTableGame


class _Knowledge(FrozensetContingentView[Any, Any]):
    """The player's belief, and what may follow from it."""

    def initial_state(self) -> Belief[Any]:
        """The belief at the beginning."""
        return self.initial_node()

    def after(self, belief: Belief[Any], action: Any, percept: Any) -> Belief[Any]:
        """The belief after `action` and then `percept`."""
        return next(known for perceived, known in self.outcomes(belief, action) if perceived == percept)


class ContingentTableGame(SensorlessTableGame):
    """A game of a contingent problem in progress; parameters as for `TableGame`."""

    _perceived: tuple[str, ...] = ("",)
    """The percepts as text, turn by turn."""

    def _make_view(self) -> _Knowledge:
        return _Knowledge(self._problem)

    def _read(self, text: str) -> Any:
        try:
            action = self._problem.parse_action(text)
        except ValueError:
            return super()._read(text)
        # Of equivalent actions the view has only some, and a player may want another.
        if all(action in self._problem.actions(state) for state in self._turns[-1][1]):
            return action
        return super()._read(text)

    def _act(self, action: Any) -> str:
        state, known = self._turns[-1]
        after, percept, following = self._respond(state, known, action)
        self._turns.append((after, following))
        self._perceived = (*self._perceived[: len(self._turns) - 1], self._problem.format_percept(percept))
        lines = [self._situation()]
        self._end_if_won(lines)
        return "\n".join(lines)

    def _respond(self, state: Any, known: Belief[Any], action: Any) -> tuple[Any, Any, Belief[Any]]:
        """The state after the action, its percept, and the belief after both."""
        after = self._result(state, action)
        percept = self._chance.choice(perceived(self._problem, after, action))
        return after, percept, self._view.after(known, action, percept)

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
