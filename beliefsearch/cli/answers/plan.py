"""Plans as answers: of plain, sensorless and contingent problems."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import frozen

from ...errors import BeliefSearchError
from ...kinds import is_plain
from ...plans.wording import plural
from .. import CODES
from ..chosen import Chosen
from ..output import message
from ..plans import plan_for
from ..search_options import SearchOptions
from ..store_options import StoreOptions
from .answer import Answer
from .report import plan_lines, statistics_line, verdict_text


@frozen
class PlanAnswer(Answer):
    """What a search for a plan found."""

    @property
    def code(self) -> int:
        return CODES[self.value.status.value]

    def heading(self) -> str:
        return verdict_text(self.chosen, self.value)

    def text(self) -> str:
        from .conditional import plan_tree

        lines, plan = [self.heading(), ""], self.value.plan
        if plan is not None:
            write = plan_tree if plan.is_conditional else plan_lines
            steps = [*write(self.chosen.problem, plan)]
            if steps:  # a game that is won already takes none
                lines += [*steps[:-1], steps[-1].rstrip("\n"), ""]
        return "\n".join([*lines, statistics_line(self.value)])

    def why_none_is_cheaper(self, search: SearchOptions) -> str | None:
        proof = None if self.value.plan is None else self.prove(search)
        return None if proof is None or proof.data is None else proof.text

    def certify(self, path: Path, search: SearchOptions, store: StoreOptions | None = None) -> None:
        proof = self.prove(search, store)
        if proof.data is None:
            message(f"no certificate was written: {proof.text}")
            return
        self.write_certificate(path, proof.data)
        message(f"{path}: {proof.text}")

    @staticmethod
    def plan(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Any:
        return plan_for(chosen, search, plan_file)

    @staticmethod
    def saved_heading(chosen: Chosen, plan: Any, plan_file: Path) -> str:
        if plan.is_conditional:
            raise BeliefSearchError(
                "the plan is conditional, not a sequence of actions; `show` has a table of its steps"
            )
        return f"{chosen.title}: a plan of {plural(len(plan), 'action')} from {str(plan_file)!r}"

    @staticmethod
    def table(chosen: Chosen, plan: Any, width: int, output: Path | None, *, everything: bool) -> Iterable[str]:
        from ...proofs.trace import trace
        from .belief_table import belief_table
        from .conditional import decision_table

        if plan.is_conditional:
            return decision_table(chosen.problem, plan)
        if is_plain(chosen.problem):
            return plan_lines(chosen.problem, plan)
        return belief_table(chosen.problem, plan, ([*step.states] for step in trace(chosen.problem, plan)), width)
