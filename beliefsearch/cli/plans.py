"""Where a command takes its plan from: a search, or a plan file."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from ..errors import InvalidPlanError, ProblemError
from ..model.hooks import Construction
from ..plans.plan import Plan
from ..plans.result import SearchResult, Status
from ..plans.wording import MOST_DIGITS
from ..running.alarm import doing
from ..solving.closed_form import FEW_STATES, checked_construction, construction_result
from . import SOLVED, UNDECIDED, UNSOLVABLE
from .chosen import Chosen
from .output import emit
from .search_options import SearchOptions

plan_option = click.option(
    "--plan",
    "plan_file",
    type=click.Path(path_type=Path),
    help="Take the plan from a file that `run --output` wrote, instead of searching for one.",
)


class NoPlan(Exception):
    """The search found no plan; the verdict has been printed and `code` is the exit code."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


def closed_form(chosen: Chosen, search: SearchOptions, few_states: int = FEW_STATES) -> Construction[Any] | None:
    """The checked closed form to be used instead of a search; None for a search."""
    sys.set_int_max_str_digits(MOST_DIGITS)
    return doing(
        "the puzzle's closed form was being checked",
        chosen.budget,
        lambda: checked_construction(chosen.problem, search.request(), called=chosen.reference, few_states=few_states),
    )


def search_for_plan(chosen: Chosen, search: SearchOptions) -> Any:
    """The result of a search within the limits of the command, which shows progress on standard error."""
    from ..solving.solve import solve_within
    from .progress import Progress

    with Progress(search.quiet) as progress:
        return solve_within(chosen.problem, search.request(), chosen.budget, progress)


def solved(chosen: Chosen, search: SearchOptions) -> SearchResult[Any]:
    """The answer to the chosen problem: in closed form, its plan listed, or by a search."""
    found = closed_form(chosen, search)
    if found is None:
        result: SearchResult[Any] = search_for_plan(chosen, search)
        return result
    return doing("the plan was being listed", chosen.budget, lambda: construction_result(found))


def plan_for(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Plan[Any, Any]:
    """The plan to be shown or played: a sequence, or a conditional plan if the problem is contingent.

    Raises
    ------
    NoPlan
        If the search finds none.
    InvalidPlanError
        If the file holds none.
    """
    if plan_file is not None:
        plan: Plan[Any, Any] = plan_from_file(plan_file, chosen)
        return plan

    from .answers.report import verdict_text

    result = solved(chosen, search)
    if result.plan is None:
        emit(verdict_text(chosen, result))
        raise NoPlan({Status.UNSOLVABLE: UNSOLVABLE, Status.UNDECIDED: UNDECIDED}.get(result.status, SOLVED))
    return result.plan


def demand_made_for(path: Path, file: Any, chosen: Chosen) -> None:
    """Refuse a plan file that is not about the instance that the user chose.

    Raises
    ------
    InvalidPlanError
        If it is; says about what.
    """
    from ..plugins.trust import check_made_for

    try:
        same_belief = frozenset(file.belief or ()) == frozenset(chosen.belief or ())
        made_for = (file.blindfold, same_belief) == (chosen.blindfold, True) and check_made_for(
            chosen.cls,
            chosen.reference,
            (chosen.parameters, chosen.data_files),
            file.problem,
            (file.parameters, file.data_files),
        )
    except (InvalidPlanError, ProblemError) as error:
        raise InvalidPlanError(f"{str(path)!r}: {error}") from error
    if not made_for:
        said = " ".join(f"--{name} {value}" for name, value in file.parameters.items() if value is not None)
        blind = " --blindfold" if file.blindfold else ""
        belief = "" if file.belief is None else f" --belief {shlex.quote(shlex.join(file.belief))}"
        raise InvalidPlanError(f"{str(path)!r} holds a plan for something else: {file.problem} {said}{blind}{belief}")


def plan_from_file(path: Path, chosen: Chosen) -> Any:
    """The plan in a file, or the policy.

    Raises
    ------
    InvalidPlanError
        If the file holds none for this problem; names it.
    """
    return doing("the plan was being read", chosen.budget, lambda: _read_plan(path, chosen))


def _read_plan(path: Path, chosen: Chosen) -> Any:
    from ..plans.file import read_plan_file
    from ..solving.saved_plan import read_plan

    file = read_plan_file(path)
    demand_made_for(path, file, chosen)
    try:
        return read_plan(chosen.problem, file.plan)
    except InvalidPlanError as error:
        raise InvalidPlanError(f"{str(path)!r}: {error}") from None
