"""Plan of a command, from a search or from a plan file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ..errors import BeliefSearchError, InvalidPlanError, ProblemError
from ..model.hooks import Construction
from ..planner.closed_form import FEW_STATES, checked_construction, construction_result
from ..planner.solve import answer
from ..plans.result import SearchResult, Status
from ..plans.wording import MOST_DIGITS
from ..plugins.files.trust import check_made_for
from ..running.alarm import doing
from ..running.observer import Observer
from ..running.run import Run
from . import CODES
from .output import emit, message
from .progress import Progress
from .renderers.text import verdict_text
from .search_options import SearchOptions, StoreOptions
from .selected_problem import Chosen, belief_typed

plan_option = click.option(
    "--plan",
    "plan_file",
    type=click.Path(path_type=Path),
    help="Take the plan from a file that `run --output` wrote, instead of searching for one.",
)


def closed_form(chosen: Chosen, search: SearchOptions, few_states: int = FEW_STATES) -> Construction[Any] | None:
    """The checked closed form to be used instead of a search; None for a search."""
    sys.set_int_max_str_digits(MOST_DIGITS)
    return doing(
        "the puzzle's closed form was being checked",
        chosen.budget,
        lambda: checked_construction(chosen.problem, search.request(), called=chosen.reference, few_states=few_states),
    )


def search_for_plan(
    chosen: Chosen, search: SearchOptions, also: Observer | None = None, store: StoreOptions | None = None
) -> Any:
    """The result of a search within the limits of the command, which shows progress on standard error.

    `also` hears of its layers; `store` says where it is kept, if anywhere.
    """
    kept = None if store is None else store.kept
    with Progress(search.quiet, also) as progress:
        result = answer(chosen.problem, search.request(), Run(chosen.budget, progress, kept), None)
    if kept is not None and result.status is Status.UNDECIDED:
        where = repr(str(kept.directory))
        message(
            f"{where} holds {kept.holds}; the same command with --resume goes on from there"
            if kept.holds
            else f"{where} holds nothing of the search yet; the same command with --resume begins anew"
        )
    return result


def solved(chosen: Chosen, search: SearchOptions) -> SearchResult[Any]:
    """The answer to the chosen problem: in closed form, its plan listed, or by a search."""
    found = closed_form(chosen, search)
    if found is None:
        result: SearchResult[Any] = search_for_plan(chosen, search)
        return result
    return doing("the plan was being listed", chosen.budget, lambda: construction_result(found))


def distances(chosen: Chosen, search: SearchOptions, option: str) -> Any:
    """The costs from all states, by one backward search with progress, which `option` asks for."""
    from ..model.hooks import ReversibleProblem
    from ..solvers.path.distance_table import distance_table

    if not isinstance(chosen.problem, ReversibleProblem):
        raise BeliefSearchError(
            f"{chosen.reference} cannot be walked backwards, which {option} needs (see ReversibleProblem)"
        )
    with Progress(search.quiet) as progress:
        return distance_table(chosen.problem, budget=chosen.budget, observer=progress)


def plan_for(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Any:
    """The plan to be shown or played; if the search finds none, prints the verdict and ends the command."""
    if plan_file is not None:
        return plan_from_file(plan_file, chosen)

    result = solved(chosen, search)
    if result.plan is None:
        emit(verdict_text(chosen, result))
        raise click.exceptions.Exit(CODES[result.status.value])
    return result.plan


def _demand_made_for(path: Path, file: Any, chosen: Chosen) -> None:
    """Refuse a plan file that is not about the instance that the user chose, and say what it is about."""
    try:
        same_belief = frozenset(file.belief or ()) == frozenset(chosen.belief or ())
        made_for = (file.blindfold, same_belief) == (chosen.blindfold, True) and check_made_for(
            chosen.cls,
            chosen.name,
            (chosen.parameters, chosen.data_files),
            file.problem,
            (file.parameters, file.data_files),
        )
    except (InvalidPlanError, ProblemError) as error:
        raise InvalidPlanError(f"{str(path)!r}: {error}") from error
    if not made_for:
        said = " ".join(f"--{name} {value}" for name, value in file.parameters.items() if value is not None)
        blind = " --blindfold" if file.blindfold else ""
        belief = "" if file.belief is None else f" {belief_typed(file.belief)}"
        raise InvalidPlanError(f"{str(path)!r} holds a plan for something else: {file.problem} {said}{blind}{belief}")


def plan_from_file(path: Path, chosen: Chosen) -> Any:
    """The plan in a file, or the policy; raises `InvalidPlanError` if it has none for this problem."""
    from ..plans.plan_reader import read_plan_file
    from ..plugins.files.saved import read_plan

    def read() -> Any:
        file = read_plan_file(path)
        _demand_made_for(path, file, chosen)
        try:
            return read_plan(chosen.problem, file.plan)
        except InvalidPlanError as error:
            raise InvalidPlanError(f"{str(path)!r}: {error}") from None

    return doing("the plan was being read", chosen.budget, read)
