"""An interactive game of a contingent problem: the player perceives something after each action."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from ...model.belief import Belief, perceived
from ...plans.wording import plural
from ...views.contingent import FrozensetContingentView
from .game import HINT_SECONDS
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
        problem: Any = self._problem
        try:
            action = problem.parse_action(text)
        except ValueError:
            return super()._read(text)
        # Of equivalent actions the view has only some, and a player may want another.
        if all(action in problem.actions(state) for state in self._turns[-1][1]):
            return action
        return super()._read(text)

    def _act(self, action: Any) -> str:
        problem: Any = self._problem
        state, known = self._turns[-1]
        after, percept, following = self._respond(state, known, action)
        self._turns.append((after, following))
        self._perceived = (*self._perceived[: len(self._turns) - 1], problem.format_percept(percept))
        lines = [self._situation()]
        self._end_if_won(lines)
        return "\n".join(lines)

    def _respond(self, state: Any, known: Belief[Any], action: Any) -> tuple[Any, Any, Belief[Any]]:
        """The state after the action, its percept, and the belief after both."""
        problem: Any = self._problem
        after = self._result(state, action)
        percept = self._chance.choice(perceived(problem, after, action))
        return after, percept, self._view.after(known, action, percept)

    def _situation(self) -> str:
        percept = self._perceived[len(self._turns) - 1]
        return f"{f'You perceive: {percept}. ' if percept else ''}{self._possible()}."

    def _hint(self) -> str:
        from ...running.limits import Budget
        from ...solving.contingent import solve_from

        problem: Any = self._problem
        limits = self._search.limits()
        budget = Budget(evolve(limits, seconds=limits.seconds or HINT_SECONDS))
        result = solve_from(problem, self._turns[-1][1], budget)
        if result.plan is None:
            return "There is no way to win from here." if result.reason is None else f"No hint found: {result.reason}."
        plan = result.require_conditional_plan()
        if plan.nodes[0].is_end:
            return "You have won already."
        action = problem.format_action(plan.nodes[0].action)
        if plan.is_cyclic:
            return f"{action}, and keep trying"
        return f"{action}, and then {plural(int(plan.depth) - 1, 'more action')} at the most"
