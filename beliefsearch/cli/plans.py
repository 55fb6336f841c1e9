"""Where a command takes its plan from: a search, or a plan file."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from ..errors import InvalidPlanError, ProblemError
from ..plans.plan import Plan
from ..running.alarm import doing
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

    from ..plans.result import Status
    from .answers.report import verdict_text

    result = search.solve(chosen)
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
