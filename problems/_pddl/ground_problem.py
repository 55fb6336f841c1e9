"""Ground tasks as problems whose states are numbers: bit n says whether atom n is true."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from beliefsearch import BeliefProblem
from beliefsearch.errors import meant

from .grounding import GroundTask, name_of
from .steps import Applicable, Goal, Step, steps_of

_BETWEEN_ATOMS = re.compile(r",(?![^()]*\))")


class GroundProblem(BeliefProblem[int, str, str]):
    """A problem by its ground task; the starts are left to others."""

    @property
    @abstractmethod
    def _task(self) -> GroundTask:
        """The task."""

    def actions(self, state: int) -> Sequence[str]:
        return self._applicable.names(state)

    def results(self, state: int, action: str) -> Sequence[int]:
        return self._steps[action].results(state)

    def is_goal(self, state: int) -> bool:
        return self._goal.holds(state)

    def percepts(self, state: int, action: str) -> Sequence[str | None]:
        tells = self._steps[action].tells(state)
        return (None if tells is None else f"{'' if tells else 'not '}{self._observed[action]}",)

    def is_sensorless(self) -> bool:
        """Whether no action tells anything."""
        return not self._observed

    def action_cost(self, state: int, action: str) -> Fraction | int:
        return self._costs[action]

    def has_unit_costs(self) -> bool:
        return self._has_unit_costs

    def format_state(self, state: int) -> str:
        return ", ".join(name for place, name in enumerate(self._atoms) if state >> place & 1) or "nothing"

    def parse_state(self, text: str) -> int:
        known = {name: place for place, name in enumerate(self._atoms)}
        names = [] if text == "nothing" else [name.strip() for name in _BETWEEN_ATOMS.split(text)]
        if "" in names:
            raise ValueError("an atom is missing at a comma; a state that contains spaces goes in quotes")
        unknown = [name for name in names if name not in known]
        if unknown:
            hint = meant(unknown[0], known)
            raise ValueError(f"{unknown[0]!r} is no atom of the task that changes or matters{hint}")
        return sum({1 << known[name] for name in names})

    def missing(self, state: int, action: str | None = None) -> str:
        """Name the clause of the goal or of the precondition that does not hold."""
        step = None if action is None else self._steps.get(action)  # none can be done that is no step
        clauses = self._task.goal if action is None else [] if step is None else step.action.clauses
        lacking = next((clause for clause in clauses if not Goal((clause,)).holds(state)), None)
        if lacking is None:
            return super().missing(state, action)
        literals = [f"(not {self._as_pddl(lit)})" if lit & 1 else self._as_pddl(lit) for lit in lacking]
        text = literals[0] if len(literals) == 1 else f"(or {' '.join(literals)})"
        return f"{'the goal' if action is None else 'precondition'} {text} does not hold"

    def _as_pddl(self, literal: int) -> str:
        return f"({' '.join(self._task.atoms[literal >> 1])})"

    @cached_property
    def _steps(self) -> dict[str, Step]:
        return steps_of(self._task)

    @cached_property
    def _observed(self) -> dict[str, str]:
        """By action the formula that it observes, as text."""
        return {action.name: action.observed for action in self._task.actions if action.observe is not None}

    @cached_property
    def _applicable(self) -> Applicable:
        return Applicable(self._steps)

    @cached_property
    def _goal(self) -> Goal:
        return Goal(self._task.goal)

    @cached_property
    def _atoms(self) -> list[str]:
        return [*map(name_of, self._task.atoms)]

    @cached_property
    def _costs(self) -> dict[str, Fraction | int]:
        return {one.name: one.cost.numerator if one.cost.denominator == 1 else one.cost for one in self._task.actions}

    @cached_property
    def _has_unit_costs(self) -> bool:
        return all(cost == 1 for cost in self._costs.values())
