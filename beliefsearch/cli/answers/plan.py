"""Plans on the command line: of plain problems, sensorless ones, and those with percepts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import frozen

from ...errors import BeliefSearchError
from ...kinds import is_plain
from ...plans.result import SearchResult
from ...plans.wording import plural
from ...solving.closed_form import FEW_STATES
from .. import CODES
from ..chosen import Chosen
from ..output import message
from ..plans import plan_for
from ..search_options import SearchOptions
from .answer import Answer, Answers
from .closed_form import ClosedFormAnswer, checked_construction
from .report import plan_lines, result_text, verdict_text

__all__ = ["PlanAnswer", "PlanAnswers"]


@frozen
class PlanAnswer(Answer):
    """What a search for a plan found."""

    value: SearchResult[Any]

    @property
    def code(self) -> int:
        return CODES[self.value.status.value]

    @property
    def needs_proof(self) -> bool:
        return self.value.plan is not None

    def heading(self) -> str:
        return verdict_text(self.chosen, self.value)

    def text(self) -> str:
        return result_text(self.chosen, self.value)

    def certify(self, path: Path, search: SearchOptions) -> None:
        proof = self.prove(search)
        if proof.data is None:
            message(f"no certificate was written: {proof.text}")
            return
        self.write_certificate(path, proof.data)
        message(f"{path}: {proof.text}")


class PlanAnswers(Answers):
    """Where the answer is a plan."""

    def solve(
        self,
        chosen: Chosen,
        search: SearchOptions,
        *,
        few_states: int = FEW_STATES,
        places: tuple[int, int] | None = None,
    ) -> Answer:
        found = checked_construction(chosen, search, few_states)
        if found is not None:
            return ClosedFormAnswer(chosen, found, places)
        if places is not None:
            raise BeliefSearchError("--moves goes with a construction, whose plan may be too long to list")
        return PlanAnswer(chosen, search.search(chosen))

    def plan(self, chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Any:
        return plan_for(chosen, search, plan_file)

    def heading(self, chosen: Chosen, plan: Any, plan_file: Path) -> str:
        if plan.is_conditional:
            raise BeliefSearchError(
                "the plan branches on percepts, so it is no sequence; `show` has a table of its steps"
            )
        return f"{chosen.title}: a plan of {plural(len(plan), 'action')} from {str(plan_file)!r}"

    def table(self, chosen: Chosen, plan: Any, width: int, output: Path | None, *, everything: bool) -> Iterable[str]:
        from ...proofs.trace import trace
        from .belief_table import belief_table
        from .conditional import decision_table

        if plan.is_conditional:
            return decision_table(chosen.problem, plan)
        if is_plain(chosen.problem):
            return plan_lines(chosen.problem, plan)
        steps = trace(chosen.problem, plan)
        return belief_table(chosen.problem, plan, ([*step.states] for step in steps), width)
