"""Renderer of policy graphs, the answers to partially observable stochastic problems."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ...model.distribution import begin
from ...model.exact import rounded
from ...plans.verdict import bound_text, told_verdict
from ...plans.wording import not_over_text, plural, telling_of
from ..output import in_words, message
from ..selected_problem import Asked
from .plan import Answer
from .text import cut_short, shown_number

if TYPE_CHECKING:
    from ...plans.policy import PolicyResult
    from ...proofs.explanations.explanation import GraphReasons

_BAR = 20
_MOST_STATES = 5
_MOST_LINES = 30


@frozen
class PolicyGraphAnswer(Answer):
    """Best policy graph that was found, and the bounds on the value."""

    value: PolicyResult[Any, Any]

    proves_what_there_is = True

    @property
    def plan(self) -> Any:
        return self.value.policy or None  # an infinite value has no policy

    def heading(self) -> str:
        return f"{self.asked.title}: {told_verdict(self.asked.problem, self.value, exact=self.asked.search.exact)}"

    def text(self) -> str:
        result, problem = self.value, self.asked.problem
        lines = [self.heading(), ""]
        graph: Any = result.policy
        if graph is not None and len(graph):
            action = problem.format_action(graph.action(graph.start))
            lines += [f"At the start: {action}", f"The policy has {plural(len(graph), 'node')}.", ""]
        lines.append(f"{result.solver}: {result.stats.summary}")
        return "\n".join(lines)

    @staticmethod
    def saved_heading(asked: Asked, plan: Any) -> str:
        return f"{asked.title}: a policy of {plural(len(plan), 'node')}\n"

    @staticmethod
    def table(asked: Asked, plan: Any, width: int, output: Path | None, *, everything: bool) -> Iterator[str]:
        from ...proofs.explanations.trace import trace

        problem, rows = asked.problem, trace(asked.problem, plan).rows
        if not rows:
            yield "The game is over at the start."
            return
        ended = begin(problem).ended
        when = f", if {not_over_text(ended)}" if ended else ""
        yield f"What is likely, along the percepts that are most likely{when}:"
        for row in rows:
            yield ""
            yield from (line[:width] for line in belief_lines(problem, row.likely))
            if row.action is None:
                return
            then = "the game is over"
            if row.chance:
                then = f"{problem.format_percept(row.percept)} ({shown_number(row.chance)})"
            yield f"{row.number + 1:3}. {problem.format_action(row.action)}: {then}"[:width]

    def certified(self, path: Path) -> Answer:
        """Write the policy, with the proof of its bounds if one is found, and return the answer that it proves."""
        if self.value.policy is None:
            message(f"no certificate was written: {in_words(self.prove().text)}")
            return self
        self.write_certificate(path, None)  # first: whatever ends the search for a proof, the policy is there
        if self.value.upper_bound is None:  # an infinite value has neither a policy nor bounds
            message(f"{path}: the answer, which `verify` checks")
            return self
        proof = self.prove()
        proved = self.with_proof(proof)
        proved.write_certificate(path, proof.data)
        none, text = "no proof: " * (proof.data is None), in_words(proof.text)
        telling = telling_of(self.asked.problem)
        sign, limit = (-1, "at least") if telling.is_small else (1, "at most")
        bounds = (proof.bound, self.value.upper_bound)
        found, told = (bound_text(telling.value(rounded(most, inf)), sign) for most in bounds)
        less = "" if none or found == told else f"; it proves {limit} {found}, where the search says {told}"
        message(f"{path}: the policy, which `verify` checks, and {none}{text}{less}")
        return proved


def belief_lines(problem: Any, likely: Any) -> Iterator[str]:
    """Yield the most likely states, each with a bar for its probability."""
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
    """Yield the value of each action at the start, and the percepts that may follow."""
    when = f"if {not_over_text(reasons.ended)}" if reasons.ended else "at the start"
    yield f"What is likely {when}:"
    yield from belief_lines(problem, reasons.likely)
    yield ""
    of_actions = telling_of(problem).of_actions
    going_on = "the game is not over there and " if reasons.ended else ""
    condition = f"if {going_on}the policy goes on with the best of its nodes"
    yield f"{of_actions[0].upper()}{of_actions[1:]} at the start, {condition}:"
    yield from cut_short(_worth_lines(problem, reasons), _MOST_LINES, everything=everything)


def _worth_lines(problem: Any, reasons: GraphReasons) -> Iterator[str]:
    text, telling = problem.format_action, telling_of(problem)
    known = [worth for worth in reasons.worths if worth.value is not None]
    for worth in sorted(known, key=lambda worth: (worth.action != reasons.action, -(worth.value or 0))):
        how = ", the policy's" if worth.action == reasons.action else ""
        in_all, at_once = shown_number(telling.value(worth.value)), shown_number(telling.reward(worth.reward))
        part = "" if telling.of_opposite else f"; {at_once} of it at once"
        yield f"  {text(worth.action)}: {in_all}{how}{part}"
        for percept, chance, action, value in worth.after:
            then = "" if action is None else f": {shown_number(telling.value(value))}, then {text(action)}"
            yield f"    {shown_number(chance)}  {problem.format_percept(percept)}{then}"
    for worth in reasons.worths:
        if worth.value is None:
            yield f"  {text(worth.action)}: not known, the policy never does that here"
