"""Policies: the answers to stochastic problems."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import frozen

from ...plans.wording import value_text
from .. import SOLVED, UNDECIDED
from ..chosen import Chosen
from ..output import message, write_file
from ..plans import NoPlan
from ..search_options import SearchOptions
from .answer import Answer
from .policy import policy_for
from .policy_text import policy_text, table_file, table_lines, verdict_line

if TYPE_CHECKING:
    from ...plans.policy import PolicyResult

_MOST_ROWS = 40


@frozen
class PolicyAnswer(Answer):
    """The best policy, or the part of it that was found. A saved policy needs no other certificate."""

    value: PolicyResult[Any, Any]
    indent: ClassVar[int | None] = None

    @property
    def code(self) -> int:
        return UNDECIDED if self.value.value is None else SOLVED

    def heading(self) -> str:
        return verdict_line(self.chosen, self.value) + ("" if self.value.value is None else "\n")

    def text(self) -> str:
        return policy_text(self.chosen, self.value)

    @staticmethod
    def plan(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Any:
        policy = policy_for(chosen, search, plan_file)
        if policy is None:
            raise NoPlan(UNDECIDED)
        return policy

    @staticmethod
    def saved_heading(chosen: Chosen, plan: Any, plan_file: Path) -> str:
        problem: Any = chosen.problem
        return f"{chosen.title}: value {value_text(plan.value(problem.initial_state()))}\n"

    @staticmethod
    def table(chosen: Chosen, plan: Any, width: int, output: Path | None, *, everything: bool) -> Iterator[str]:
        from ...proofs.trace import trace

        problem: Any = chosen.problem
        start = problem.initial_state()
        if problem.is_terminal(start):
            yield f"The game is over at the start, {problem.format_state(start)}: utility {problem.utility(start)}"
        rows = trace(problem, plan).rows
        if output is not None:
            write_file(output, table_file(chosen, rows, as_csv=output.suffix == ".csv"))
            message(f"{output}: {len(rows):,} states")
        shown = rows if everything else rows[:_MOST_ROWS]
        if shown:
            yield from table_lines(problem, shown, width)
        if len(rows) > len(shown):
            yield f"... and {len(rows) - len(shown):,} more states; --all shows them, --output FILE writes them all"
