"""`beliefsearch plans`."""

from __future__ import annotations

import json
from itertools import chain
from math import isqrt
from random import Random

import click

from ...errors import NoSolutionError
from ...graph.stream import with_commas
from ...plans.encoding import number_to_json
from ...plans.wording import length_text, number_text, plural
from ...running.alarm import doing
from .. import SOLVED, UNSOLVABLE
from ..options import Choice, Whole
from ..output import emit_lines
from ..problem_command import ProblemCommand
from ..selected_problem import Asked

_LISTED = 10
"""Of so many plans all are listed, even if nobody asks."""


@click.command("plans", cls=ProblemCommand)
@click.option("--all", "everything", is_flag=True, help="List all of them, one a line, however many.")
@click.option("--draw", type=Whole(1), metavar="N", help="Draw N of them, each as likely as the others.")
@click.option("--seed", type=int, help="Draw the same plans with the same seed.")
@click.option("--format", "form", type=Choice(("text", "json")), default="text", help="text or json  [default: text]")
def command(asked: Asked, everything: bool, draw: int | None, seed: int | None, form: str) -> int:
    """Count the plans of least cost for PROBLEM, whose plans are sequences of actions.

    They are listed if they are ten at most; --all lists any number, and --draw some by lot.

    Exit code 1: there is no plan; 3: a limit was reached.
    """
    from ...planner.shortest_plans import find_shortest_plans

    asked.require("list shortest plans")
    try:
        budget = asked.budget
        found = doing("plans were being counted", budget, lambda: find_shortest_plans(asked.problem, budget))
    except NoSolutionError as error:
        emit_lines([f"{asked.title}: {error}"])
        return UNSOLVABLE
    lot = Random(seed)
    shown = (found.draw(lot) for _ in range(draw)) if draw else iter(found)
    listed = everything or draw or found.count <= _LISTED
    texts = ([asked.problem.format_action(action) for action in plan] for plan in (shown if listed else ()))
    if form == "json":
        head = json.dumps(asked.document({"cost": number_to_json(found.cost), "count": found.count}))
        emit_lines(chain([f'{head[:-1]}, "plans": ['], with_commas(map(json.dumps, texts)), ["]}"]))
        return SOLVED
    alike = (
        "; of moves that are alike one counts, with --no-canonical each" if asked.parameters.get("canonical") else ""
    )
    emit_lines([f"{asked.title}: {_count_text(found.count)} of cost {number_text(found.cost)}{alike}"])
    emit_lines(f"  {'  '.join(actions)}" for actions in texts)
    return SOLVED


def _count_text(number: int) -> str:
    """Return the number of plans in words; of a large one without large primes its factors, too."""
    text = plural(number, "shortest plan") if number < 10**18 else f"{length_text(number)} shortest plans"
    factors, rest = [], number
    for prime in (p for p in range(2, 1000) if all(p % d for d in range(2, isqrt(p) + 1))):
        power = 0
        while rest % prime == 0:
            rest //= prime
            power += 1
        factors += [f"{prime}^{power}" if power > 1 else str(prime)] if power else []
    return f"{text}, {' * '.join(factors)}," if number > 1000 and rest == 1 else text
