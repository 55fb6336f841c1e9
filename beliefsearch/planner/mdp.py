"""Stochastic problems: the choice of solver, by components or by arrays, and partial answers at a limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from ..errors import BeliefSearchError, Worded
from ..kinds import Kind
from ..model.checked import checked_discount, checked_initial_distribution
from ..model.hook_arrays import ChanceArrays, ChanceRows
from ..model.hooks import ChanceArrayHook
from ..model.stochastic import StochasticProblem
from ..plans.policy import Policy, PolicyResult
from ..plans.result import SearchStats, Status
from ..running.run import Run
from ..solvers.mdp.backward_induction import decide_by_layers
from ..solvers.mdp.component_arrays import components_in_order
from ..solvers.mdp.mdp_model import ChanceModel, Decisions, decide, explore, may_collect
from .closed_form import infinite_result
from .options import MdpOptions
from .solver_table import SOLVERS

# Linear equations of more states than this may take long and much room; then `auto` iterates values.
_MANY = 2000
# What NumPy may take when it is loaded, in bytes; it ends the process if it does not get it.
_ARRAYS = 2**27


class PolicySearch:
    """One search for a policy, with all that it has found so far."""

    def __init__(self, problem: StochasticProblem[Any, Any], options: MdpOptions, run: Run) -> None:
        self._problem = problem
        self._name = options.solver
        self._use_arrays = options.use_arrays
        self._tolerance = options.tolerance
        self._budget = run.budget
        self._observer = run.listener
        self._begun = run.budget.seconds()
        self._model: ChanceModel[Any, Any] = ChanceModel()
        self._found: Decisions | None = None
        self._counted = 0  # states that the author has listed

    def _count(self, states: int) -> None:
        self._counted = states
        self._budget.tick()
        if self._observer is not None:
            self._observer.numbered(states)

    def search(self) -> PolicyResult[Any, Any]:
        """Solve by the author's arrays if there are any and the solver allows; else component by component."""
        problem = self._problem
        on_the_way = problem.overrides("reward") or problem.overrides("discount")  # of which arrays say nothing
        one_start = len(checked_initial_distribution(problem)) == 1
        by_layers = one_start and not on_the_way and self._name in ("auto", "backward-induction")
        given = None
        if self._use_arrays and isinstance(problem, ChanceArrayHook):
            if by_layers:
                self._budget.require_room(_ARRAYS, "NumPy")
            given = problem.arrays(self._count)
        if by_layers and isinstance(given, ChanceArrays):
            return self._by_layers(given)
        return self._by_components(given if isinstance(given, ChanceRows) else None)

    def _by_layers(self, arrays: ChanceArrays[Any, Any]) -> PolicyResult[Any, Any]:
        """Solve by backward induction on the author's arrays."""
        problem = self._problem
        if self._observer is not None:
            self._observer.numbered(len(arrays.states))
        start = problem.canonical(problem.initial_state())
        try:
            first = arrays.states.index(start)
        except ValueError:
            raise BeliefSearchError(f"{type(problem).__name__}.arrays() lacks the initial state {start!r}") from None
        found = decide_by_layers(problem, arrays, first, self._tolerance, self._budget.tick)
        return evolve(found, stats=evolve(found.stats, seconds=self._budget.seconds() - self._begun))

    def _by_components(self, rows: ChanceRows[Any, Any] | None) -> PolicyResult[Any, Any]:
        """Solve component by component, those with a cycle by the chosen solver."""
        problem, model, tick = self._problem, self._model, self._budget.tick
        if rows is not None:
            model.take(rows, checked_discount(problem))
        if (endless := infinite_result(problem)) is not None:
            return endless
        if rows is not None:
            self._budget.check_expanded(model.utilities.count(None) - 1)
        else:
            explore(problem, model, self._budget, self._observer)
        if self._observer is not None:
            self._observer.numbered(len(model.states))
        self._found = found = Decisions(problem, model, self._tolerance, tick)
        used = "backward-induction" if self._name == "auto" else self._name
        for component, cyclic in components_in_order(model, tick):
            if not cyclic:
                if model.utilities[component[0]] is None:
                    decide(found, component[0])
                continue
            used = self._for_cycle(component)
            decide_component = SOLVERS[used].functions[Kind.STOCHASTIC]
            decide_component(found, component)
        policy = self._policy(found, range(len(model.states)))
        return PolicyResult(Status.SOLVED, policy.start_value(problem), policy, used, stats=self._stats())

    def undecided(self, reason: str) -> PolicyResult[Any, Any]:
        """Return the undecided result at a limit, with the values of the states decided so far."""
        policy: Policy[Any, Any] | None = None
        model, found = self._model, self._found
        if found is not None:
            decided = [
                place
                for place, value in enumerate(found.values)
                if value is not None and (found.choices[place] is not None or model.utilities[place] is not None)
            ]
            policy = self._policy(found, decided)
        elif self._counted:
            reason = f"{reason} after {self._counted:,} states were listed"
        return PolicyResult(Status.UNDECIDED, None, policy, self._name, reason, self._stats())

    def _policy(self, found: Decisions, places: Sequence[int]) -> Policy[Any, Any]:
        model = self._model
        states, values = [model.states[place] for place in places], [found.values[place] for place in places]
        choices = [(place, found.choices[place]) for place in places]
        actions = [None if choice is None else model.actions[place][choice] for place, choice in choices]
        return Policy(states, actions, values, self._problem.canonical)

    def _for_cycle(self, component: list[int]) -> str:
        """Return the solver for a component with a cycle."""
        model = self._model
        if self._name == "backward-induction":
            state = self._problem.format_state(model.states[min(component)])
            raise BeliefSearchError(
                Worded(
                    "backward induction is for games that never come back to a state, and this one may come back to "
                    "{state}; [solver=policy-iteration] solves it",
                    state=state,
                )
            )
        if self._name == "value-iteration" and model.exact:
            raise BeliefSearchError(
                Worded(
                    "value iteration approaches the value and never says it exactly; with fractions use "
                    "[solver=policy-iteration]"
                )
            )
        if self._name != "auto":
            return self._name
        few = model.exact or len(component) <= _MANY or may_collect(model, component)
        return "policy-iteration" if few else "value-iteration"

    def _stats(self) -> SearchStats:
        model = self._model
        return SearchStats(
            expanded=sum(map(bool, model.actions)),
            generated=model.generated,
            reached=max(len(model.states), self._counted),
            seconds=self._budget.seconds() - self._begun,
        )
