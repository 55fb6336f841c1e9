"""Policy graphs, the answers to partially observable stochastic problems: found, read from a file, and shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click
from attrs import evolve, frozen

from ...plans.result import Status
from ...plans.verdict import bounds_verdict
from ...plans.wording import plural
from .. import CODES
from ..output import emit, in_words, message
from ..plan_source import plan_from_file, search_for_plan
from ..search_options import SearchOptions, StoreOptions
from ..selected_problem import Chosen
from .answer import Answer
from .text import shown_number

if TYPE_CHECKING:
    from ...plans.plan_writer import Proof
    from ...plans.policy import PolicyGraph, PolicyResult
    from ...proofs.explanations.explanation import GraphReasons

_BAR = 20
_MOST_STATES = 5
_MOST_LINES = 30


@frozen
class PolicyGraphAnswer(Answer):
    """The best policy graph that was found, and the bounds on the value."""

    value: PolicyResult[Any, Any]
    indent: ClassVar[int | None] = None

    @property
    def code(self) -> int:
        return CODES[self.value.status.value]

    def heading(self) -> str:
        return f"{self.chosen.title}: {bounds_verdict(self.value)}"

    def text(self) -> str:
        result, problem = self.value, self.chosen.problem
        lines = [self.heading(), ""]
        graph: Any = result.policy
        if graph is not None and len(graph):
            action = problem.format_action(graph.action(graph.start))
            lines += [f"At the start: {action}", f"The policy has {plural(len(graph), 'node')}.", ""]
        lines.append(f"{result.solver}: {result.stats.summary}")
        return "\n".join(lines)

    @staticmethod
    def plan(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Any:
        return graph_for(chosen, search, plan_file)

    @staticmethod
    def saved_heading(chosen: Chosen, plan: Any, plan_file: Path) -> str:
        return f"{chosen.title}: a policy of {plural(len(plan), 'node')}\n"

    @staticmethod
    def table(chosen: Chosen, plan: Any, width: int, output: Path | None, *, everything: bool) -> Iterator[str]:
        return course_lines(chosen.problem, plan, width)

    def certify(self, path: Path, search: SearchOptions, store: StoreOptions | None = None) -> None:
        """As for plans: a proof is looked for, and if there is none, the file has the policy alone."""
        proof = self.prove(search, store)
        if self.value.policy is None:
            message(f"no certificate was written: {in_words(proof.text)}")
            return
        self.write_proved(path, proof)
        message(
            f"{path}: the policy, which `verify` checks, and "
            + ("no proof: " * (proof.data is None))
            + in_words(proof.text)
        )

    def write_proved(self, path: Path, proof: Proof[Any]) -> None:
        proved: Any = proof.answer
        evolve(self, value=proved).write_certificate(path, proof.data)


def graph_for(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> PolicyGraph[Any, Any, Any]:
    """The policy graph to play, from a file or a search; if none is found, prints the verdict and ends the command."""
    if plan_file is not None:
        graph: PolicyGraph[Any, Any, Any] = plan_from_file(plan_file, chosen)
        return graph
    result: PolicyResult[Any, Any] = search_for_plan(chosen, search)
    policy: Any = result.policy
    if policy is None:
        emit(f"{chosen.title}: {bounds_verdict(result)}")
        raise click.exceptions.Exit(CODES[Status.UNDECIDED.value])
    return policy  # type: ignore[no-any-return]  # which is a graph


def course_lines(problem: Any, graph: PolicyGraph[Any, Any, Any], width: int) -> Iterator[str]:
    """The lines of `show`: what is likely at each step of the most likely course, as bars."""
    from ...proofs.explanations.trace import trace

    rows = trace(problem, graph).rows
    if not rows:
        yield "The game is over at the start."
        return
    yield "What is likely, along the percepts that are most likely:"
    for row in rows:
        yield ""
        yield from (line[:width] for line in belief_lines(problem, row.likely))
        if row.action is None:
            return
        then = "the game is over"
        if row.chance:
            then = f"{problem.format_percept(row.percept)} ({shown_number(row.chance)})"
        yield f"{row.number + 1:3}. {problem.format_action(row.action)}: {then}"[:width]


def belief_lines(problem: Any, likely: Any) -> Iterator[str]:
    """The most likely states, each with a bar as long as it is likely."""
    order = sorted(likely, key=lambda state: -likely[state])
    names = [problem.format_state(state) for state in order[:_MOST_STATES]]
    widest = max(map(len, names))
    for state, name in zip(order, names, strict=False):
        share = float(likely[state])
        yield f"     {name:{widest}}  {share:6.1%}  {'#' * max(round(share * _BAR), 1)}"
    if len(order) > _MOST_STATES:
        rest = sum(float(likely[state]) for state in order[_MOST_STATES:])
        yield f"     and {plural(len(order) - _MOST_STATES, 'more state')}, {rest:.1%} together"


def graph_reasons_lines(problem: Any, reasons: GraphReasons, everything: bool) -> Iterator[str]:
    """List the value of each action at the start, and the percepts that may follow."""
    yield "What is likely at the start:"
    yield from belief_lines(problem, reasons.likely)
    yield ""
    yield "What each action is worth at the start, if the policy goes on with the best of its nodes:"
    lines = _worth_lines(problem, reasons)
    yield from lines if everything else islice(lines, _MOST_LINES)
    left = sum(1 for _ in lines)
    if left:
        yield f"  ... and {left:,} more lines; --all shows them"


def _worth_lines(problem: Any, reasons: GraphReasons) -> Iterator[str]:
    text = problem.format_action
    known = [worth for worth in reasons.worths if worth.value is not None]
    for worth in sorted(known, key=lambda worth: (worth.action != reasons.action, -(worth.value or 0))):
        how = ", the policy's" if worth.action == reasons.action else ""
        yield f"  {text(worth.action)}: {shown_number(worth.value)}{how}; {shown_number(worth.reward)} of it at once"
        for percept, chance, action, value in worth.after:
            then = "" if action is None else f": {shown_number(value)}, then {text(action)}"
            yield f"    {shown_number(chance)}  {problem.format_percept(percept)}{then}"
    for worth in reasons.worths:
        if worth.value is None:
            yield f"  {text(worth.action)}: not known, the policy never does that here"
