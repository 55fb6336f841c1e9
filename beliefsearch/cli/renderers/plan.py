"""Plans as answers: of plain, sensorless and contingent problems.

Answers in closed form on the command line: plans that may be too long to list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from ...errors import BeliefSearchError
from ...kinds import is_plain
from ...planner.closed_form import construction_proof
from ...plans.result import MOST_LISTED
from ...plans.verdict import construction_verdict
from ...plans.wording import length_text, plural
from .. import CODES, SOLVED, UNSOLVABLE
from ..output import in_words, message
from ..plan_source import plan_for
from ..search_options import SearchOptions, StoreOptions
from ..selected_problem import Chosen
from .answer import Answer
from .text import plan_lines, statistics_line, verdict_text

if TYPE_CHECKING:
    from ...plans.plan_writer import Proof


@frozen
class PlanAnswer(Answer):
    """Answer that is a plan, or that there is none."""

    @property
    def code(self) -> int:
        return CODES[self.value.status.value]

    def heading(self) -> str:
        return verdict_text(self.chosen, self.value)

    def text(self) -> str:
        from .conditional_plan import plan_tree

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
            message(f"no certificate was written: {in_words(proof.text)}")
            return
        self.write_certificate(path, proof.data)
        message(f"{path}: {in_words(proof.text)}")

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
        from ...proofs.explanations.trace import trace
        from .conditional_plan import belief_table, decision_table

        if plan.is_conditional:
            return decision_table(chosen.problem, plan)
        if is_plain(chosen.problem):
            return plan_lines(chosen.problem, plan)
        return belief_table(chosen.problem, plan, ([*step.states] for step in trace(chosen.problem, plan)), width)


_SHOWN = 20


@frozen
class ClosedFormAnswer(PlanAnswer):
    """A checked construction, with the places in the plan that `--moves` asked for."""

    places: tuple[int, int] | None = None

    def __attrs_post_init__(self) -> None:
        length = self.value.length
        if length is not None and self.places is not None and self.places[1] > length:
            asked = f"--moves asks for move {self.places[1]:,}"
            raise BeliefSearchError(f"{asked}, but the plan has {length_text(length)}")

    @property
    def code(self) -> int:
        return UNSOLVABLE if self.value.length is None else SOLVED

    def heading(self) -> str:
        """The verdict, followed by the author's argument, or by the first actions of a plan too long to count."""
        from ...proofs.explanations.explain import MOST_COUNTED

        length = self.value.length
        return self._verdict() if length is not None and 0 < length <= MOST_COUNTED else self.text()

    def _verdict(self) -> str:
        return f"{self.chosen.title}: {construction_verdict(self.value)}"

    def _lines(self) -> Iterator[str]:
        """The answer, and the actions at the places that were asked for."""
        found, length = self.value, self.value.length
        yield self._verdict()
        yield ""
        if length is None:
            yield from found.explanation.splitlines()
            return
        first, last = self.places or (1, min(_SHOWN, length))
        width = len(str(last))
        for place in range(first, last + 1):
            yield f"  {place:{width}}  {self.chosen.problem.format_action(found.action_at(place - 1))}"
        if last < length and self.places is None:
            yield f"  ... {length_text(length - last)} more; --moves A..B shows any of them ..."

    def text(self) -> str:
        return "\n".join(self._lines())

    def proved(self, proof: Proof[Any]) -> str:
        return self.text()

    def why_none_is_cheaper(self, search: SearchOptions) -> None:
        return None  # the argument says so

    def certify(self, path: Path, search: SearchOptions, store: StoreOptions | None = None) -> None:
        self.write_certificate(path, construction_proof(self.value))


def parse_places(text: str) -> tuple[int, int]:
    """The places `A..B`, or a single one, that `--moves` asks for."""
    match = re.fullmatch(r"(\d{1,4000})(?:\.\.(\d{1,4000}))?", text.strip())
    first = int(match[1]) if match else 0
    last = int(match[2] or match[1]) if match else 0
    if not 1 <= first <= last:
        raise click.BadParameter(
            f"{text!r} is not a place such as 7, or a range of places such as 1..20, counted from 1"
        )
    if last - first >= MOST_LISTED:
        raise click.BadParameter(f"{text!r} is more than {MOST_LISTED:,} moves at a time")
    return first, last
