"""Answers as commands print them: their base, plans, and closed forms, whose plans may be too long to list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click
from attrs import evolve, frozen

from ...errors import BeliefSearchError
from ...kinds import is_plain
from ...planner.closed_form import construction_proof, construction_result
from ...plans.plan_reader import file_bytes
from ...plans.result import MOST_LISTED, SearchResult
from ...plans.verdict import construction_verdict, result_verdict
from ...plans.wording import length_text, plural
from ...running.alarm import doing
from ...running.run import Run
from .. import CODES, SOLVED, UNSOLVABLE
from ..output import in_words, message, write_file
from ..progress import Progress
from ..selected_problem import Asked
from .text import plan_lines

if TYPE_CHECKING:
    from ...plans.plan_writer import Proof

# Of a plan in closed form so many actions are shown.
_SHOWN = 20


@frozen
class Answer:
    """Answer to the selected problem, as commands print it: a plan, or that there is none; others derive from it."""

    asked: Asked
    value: Any  # the answer as the functions of `beliefsearch` give and take it: a result, or a closed form

    @property
    def code(self) -> int:
        """The exit code."""
        return CODES[self.value.status.value]

    @property
    def plan(self) -> Any:
        """The plan or the policy; None if there is none."""
        return self.value.plan

    def listed(self) -> Answer:
        """Return the answer with its plan listed."""
        return self

    def heading(self) -> str:
        """Return the verdict that `explain` gives reasons for."""
        verdict = result_verdict(self.value, plain=is_plain(self.asked.problem))
        return f"{self.asked.title}: {verdict}"

    def text(self) -> str:
        """Return the verdict, the plan and the statistics."""
        from .conditional_plan import plan_tree

        lines, plan = [self.heading(), ""], self.value.plan
        if plan is not None:
            write = plan_tree if plan.is_conditional else plan_lines
            steps = [*write(self.asked.problem, plan)]
            if steps:  # a game that is won already takes none
                lines += [*steps[:-1], steps[-1].rstrip("\n"), ""]
        result = self.value
        named = result.solver if result.heuristic is None else f"{result.solver} with heuristic {result.heuristic}"
        engine = "" if result.engine is None else f", engine {result.engine}"
        return "\n".join([*lines, f"{named}{engine}: {result.stats.summary}"])

    def plan_text(self) -> str:
        """Return the plan as other planners write it, with the verdict as a comment."""
        from ...plans.plan_text import plan_lines

        answer = self.listed()
        lines = plan_lines(self.asked.problem, answer.plan) if answer.plan is not None else ()
        return "\n".join([f"; {answer.heading()}", *lines])

    @staticmethod
    def saved_heading(asked: Asked, plan: Any) -> str:
        """Return the first line of `explain` for a plan from a file."""
        size = plural(plan.steps, "step" if plan.is_conditional else "action")
        return f"{asked.title}: a plan of {size} from {str(asked.plan_file)!r}"

    @staticmethod
    def table(asked: Asked, plan: Any, width: int, output: Path | None, *, everything: bool) -> Iterable[str]:
        """Yield the lines of `show`; all of them are written to `output` too, if that is a file."""
        from ...proofs.explanations.trace import trace
        from .conditional_plan import belief_table, decision_table

        if plan.is_conditional:
            return decision_table(asked.problem, plan)
        if is_plain(asked.problem):
            return plan_lines(asked.problem, plan)
        return belief_table(asked.problem, plan, ([*step.states] for step in trace(asked.problem, plan)), width)

    def document(self, proof: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the plan file; with a proof it is a certificate."""
        return self.asked.plan_document(self.value, proof)

    proves_what_there_is: ClassVar[bool] = False
    """Whether there is a proof to be made although Ctrl-C ended the search; another Ctrl-C ends that, too."""

    def prove(self, *, upper_only: bool = False) -> Proof[Any]:
        """Find a proof of the answer, showing progress, or say why there is none. The limits start again.

        A list that outgrows memory goes on in the store of the search, if there is one.
        """
        from ...proofs.prove import prove_answer, unproved

        asked = self.asked
        if asked.budget.is_interrupted and not self.proves_what_there_is:
            return unproved(asked.problem, self.value)
        kept = None if asked.store is None else evolve(asked.store)  # nothing of it is held yet
        with Progress(asked.search.quiet, doing="looking for a proof") as progress:
            run = Run(asked.anew().budget, progress, kept)
            proof = prove_answer(asked.problem, self.value, run, asked.search.request, upper_only=upper_only)
        if kept is not None and proof.data is None and kept.holds:
            message(
                f"{str(kept.directory)!r} holds a part of the proof; the same command with --resume goes on from there"
            )
        return proof

    def proved(self, proof: Proof[Any]) -> str:
        """Return the output of `prove`."""
        return f"{self.with_proof(proof).heading()}\nproof: {in_words(proof.text)}"

    def why_none_is_cheaper(self) -> str:
        """Return the proof that no plan costs less, in words; empty if there is none or the answer shows it already."""
        if not isinstance(self.value, SearchResult) or self.value.plan is None:
            return ""
        from ...proofs.explanations.argument import argument

        return argument(self.prove())

    def certified(self, path: Path) -> Answer:
        """Return the answer that the certificate of `run` proves, if it must be written before anything is printed."""
        return self

    def certify(self, path: Path) -> None:
        """Write the certificate of `run` if a proof is found; the answer is the same without it."""
        proof = self.prove()
        if proof.data is None:
            message(f"no certificate was written: {in_words(proof.text)}")
            return
        self.with_proof(proof).write_certificate(path, proof.data)
        message(f"{path}: {in_words(proof.text)}")

    def with_proof(self, proof: Proof[Any]) -> Answer:
        """Return the answer as the proof has it, whose bounds may be others."""
        proved: Any = proof.answer
        return evolve(self, value=proved)

    def write_certificate(self, path: Path, proof: Mapping[str, Any] | None) -> None:
        """Write the plan file with the proof in it; compressed if the name ends in `.gz`."""
        document = self.asked.as_saved(self.document(proof), path)
        write_file(path, file_bytes(document, path))


@frozen
class ClosedFormAnswer(Answer):
    """Checked construction, with the places in the plan that `--moves` asks for."""

    places: tuple[int, int] | None = None

    def __attrs_post_init__(self) -> None:
        length = self.value.length
        if length is not None and self.places is not None and self.places[1] > length:
            wanted = f"--moves asks for move {self.places[1]:,}"
            raise BeliefSearchError(f"{wanted}, but the plan has {length_text(length)}")

    @property
    def code(self) -> int:
        return UNSOLVABLE if self.value.length is None else SOLVED

    def listed(self) -> Answer:
        result = doing("the plan was being listed", self.asked.budget, lambda: construction_result(self.value))
        return Answer(self.asked, result)

    def heading(self) -> str:
        """Return the verdict, followed by the author's argument, or by the first actions of a plan that is too long."""
        from ...proofs.explanations.explain import MOST_COUNTED

        length = self.value.length
        return next(self._lines()) if length is not None and 0 < length <= MOST_COUNTED else self.text()

    def _lines(self) -> Iterator[str]:
        """Yield the verdict, and the actions at the selected places."""
        found, length = self.value, self.value.length
        yield f"{self.asked.title}: {construction_verdict(found)}"
        yield ""
        if length is None:
            yield from found.explanation.splitlines()
            return
        first, last = self.places or (1, min(_SHOWN, length))
        width = len(str(last))
        for place in range(first, last + 1):
            yield f"  {place:{width}}  {self.asked.problem.format_action(found.action_at(place - 1))}"
        if last < length and self.places is None:
            yield f"  ... {length_text(length - last)} more; --moves A..B shows any of them ..."

    def text(self) -> str:
        return "\n".join(self._lines())

    def proved(self, proof: Proof[Any]) -> str:
        return self.text()

    def certify(self, path: Path) -> None:
        self.write_certificate(path, construction_proof(self.value))


def parse_places(text: str) -> tuple[int, int]:
    """Return the places `A..B`, or a single one, that `--moves` asks for."""
    match = re.fullmatch(r"(\d{1,4000})(?:\.\.(\d{1,4000}))?", text.strip())
    first = int(match[1]) if match else 0
    last = int(match[2] or match[1]) if match else 0
    if not 1 <= first <= last:
        wanted = "a place such as 7, or a range of places such as 1..20, counted from 1"
        raise click.BadParameter(f"{text!r} is not {wanted}")
    if last - first >= MOST_LISTED:
        raise click.BadParameter(f"{text!r} is more than {MOST_LISTED:,} moves at a time")
    return first, last
