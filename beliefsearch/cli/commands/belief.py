"""`beliefsearch belief`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import BeliefSearchError
from ...kinds import is_stochastic
from ...plans.encoding import encode_state, number_to_json
from ...plans.wording import number_order, number_text, plural
from ...running.alarm import doing
from .. import SOLVED
from ..options import report_options
from ..output import form_to_write
from ..problem_command import ProblemCommand
from ..renderers.text import Report
from ..selected_problem import Asked, read_action, read_percept

if TYPE_CHECKING:
    from ...simulation.filtering import Filtered

_FORMS = ("text", "json", "csv")
_PERCEPT = "percept "


@click.command("belief", cls=ProblemCommand)
@click.option(
    "--after",
    default="",
    metavar="ACTIONS",
    help='Actions, and after each what was perceived, if that is known: "listen; percept left; listen".',
)
@report_options(_FORMS, "Write the result to this file.", "text, json or csv; by default as the file name says.")
def command(asked: Asked, after: str, form: str | None, output: Path | None) -> int:
    """Say which states are possible in PROBLEM after given actions and percepts, and how likely they are.

    Nothing is searched for: this is filtering. A percept that is left out may have been any. Of a game against chance
    probabilities are exact, and it is also said how likely all those percepts were.
    """
    form = form_to_write(form, output, _FORMS, asked.inputs())
    report = doing("the belief was being worked out", asked.budget, lambda: _report(asked, after))
    report.write(form, output)
    return SOLVED


def _report(asked: Asked, after: str) -> Report:
    problem, found = asked.problem, _after(asked, after)
    chances = found.likelihood is not None

    def lines() -> Iterator[str]:
        likely = f"; these percepts had the probability {number_text(found.likelihood)}" if chances else ""
        yield f"{asked.title}: {plural(len(found.states), 'state')}{likely if _PERCEPT in after else ''}"
        for state, chance in found.states.items():
            over = ", where the game is over" if is_stochastic(problem) and problem.is_terminal(state) else ""
            yield f"  {problem.format_state(state)}" + (f"  {number_text(chance)}{over}" if chances else "")

    def fields() -> dict[str, Any]:
        states = {"states": [encode_state(problem, state) for state in found.states]}
        odds = {"probabilities": list(map(str, found.states.values())), "likelihood": str(found.likelihood)}
        return {**states, **(odds if chances else {})}

    heads = ("state", "probability") if chances else ("state",)
    values = ((problem.format_state(s), number_to_json(c) if c is not None else c) for s, c in found.states.items())
    return Report(asked, [*lines()], fields, [heads, *(row[: len(heads)] for row in values)])


def _after(asked: Asked, text: str) -> Filtered:
    """Filter by the actions and percepts in a text; each is read where it stands, since others may apply elsewhere."""
    from ...simulation.filtering import UNSAID, advance, begin, possible_actions, possible_percepts

    problem, tick = asked.problem, asked.budget.tick
    before = now = begin(problem, tick)
    action: Any = None
    is_open = False  # whether nothing is said yet of the percept of the last action
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        if entry.startswith(_PERCEPT):
            if not is_open:
                raise BeliefSearchError(f"{entry!r} stands behind no action; write ACTION; percept PERCEPT")
            possible = {problem.format_percept(p): p for p in possible_percepts(problem, before.states, action)}
            known = {name: possible[name] for name in sorted(possible, key=number_order)}
            percept = read_percept(entry.removeprefix(_PERCEPT).strip(), known)
            now, is_open = advance(problem, before, action, percept, tick), False
            continue
        before = now
        texts = {problem.format_action(possible): possible for possible in possible_actions(problem, now.states)}
        action = read_action(problem, entry, texts)
        now, is_open = advance(problem, before, action, UNSAID, tick), True
    return now
