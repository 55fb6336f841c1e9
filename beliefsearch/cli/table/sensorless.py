"""An interactive sensorless game: the referee knows the true state, the player only a belief."""

from __future__ import annotations

from typing import Any

from ...games.plan import wins_by_state
from ...plans.wording import plural
from .game import TableGame


class SensorlessTableGame(TableGame):
    """A sensorless game in progress, whose end is announced; parameters as for `TableGame`."""

    def _rings(self, state: Any) -> bool:
        # The state is won, and nothing changes it any more.
        return (
            wins_by_state(self._problem)
            and self._problem.is_goal(state)
            and all(set(self._problem.results(state, action)) == {state} for action in self._problem.actions(state))
        )

    def _situation(self) -> str:
        return f"You do not see the state; {self._possible()}."

    def _possible(self) -> str:
        """How many states are possible now."""
        alike = " up to symmetry" if self._problem.overrides("canonical") else ""
        return f"{plural(len(self._members(self._turns[-1][1])), 'state')} possible{alike}"

    def _members(self, known: Any) -> list[Any]:
        return list(self._view.members(known))
