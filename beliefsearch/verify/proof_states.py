"""The states that a proof refers to, numbered by asking the problem alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ..errors import InvalidProofError
from ..model.belief import initial_states, successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem
from ..plans.encoding import encode_state
from .proof_fields import list_of


class States:
    """The states of a problem by the definition, and their texts and numbers in a certificate."""

    def __init__(self, problem: BeliefProblem[Any, Any, Any]) -> None:
        self.problem = problem
        self.goal_sets = list(problem.goal_sets())
        self.all_cost_one = False
        """Whether every action of every state costs 1: known once all states have been numbered."""

    @cached_property
    def starts(self) -> list[Any]:
        """The possible starts."""
        return list(dict.fromkeys(initial_states(self.problem)))

    def results(self, state: Any, action: Any) -> list[Any]:
        return list(dict.fromkeys(successors(self.problem, state, action)))

    def is_won(self, state: Any) -> bool:
        return any(state in goals for goals in self.goal_sets)

    def text(self, state: Any) -> str:
        return json.dumps(encode_state(self.problem, state))

    def numbered(self, proof: Mapping[str, Any]) -> dict[Any, int]:
        """Every state that can come up with its number in the proof, which must list exactly these."""
        written = list_of(proof, "states")
        number_of = {json.dumps(entry): number for number, entry in enumerate(written)}
        if len(number_of) < len(written):
            raise InvalidProofError("it lists a state more than once")
        found: dict[Any, int] = {}
        frontier: list[Any] = []

        def meet(states: list[Any]) -> None:
            for state in states:
                if state not in found:
                    number = number_of.pop(self.text(state), None)
                    if number is None:
                        raise InvalidProofError(
                            f"it lacks the state {self.problem.format_state(state)}, which can come up"
                        )
                    found[state] = number
                    frontier.append(state)

        meet(self.starts)
        all_cost_one = True
        for state in frontier:  # grows while it is walked
            for action in self.problem.actions(state):
                meet(self.results(state, action))
                # Asked of each: what `has_unit_costs` says is the author's word.
                all_cost_one = all_cost_one and checked_cost(self.problem, state, action) == 1
        self.all_cost_one = all_cost_one
        if number_of:
            raise InvalidProofError(f"it lists the state {next(iter(number_of))}, which cannot come up")
        return found
