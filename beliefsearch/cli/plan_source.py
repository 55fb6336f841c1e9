"""Answer of a command, from a closed form, a search or a plan file."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..errors import BeliefSearchError, InvalidPlanError, ProblemError, about_file
from ..kinds import is_stochastic
from ..model.hooks import Construction
from ..planner.closed_form import FEW_STATES, checked_construction
from ..planner.options import SearchRequest
from ..planner.solve import answer
from ..plans.result import CONSTRUCT, Status
from ..plans.wording import MOST_DIGITS
from ..plugins.files.trust import check_made_for
from ..running.alarm import doing
from ..running.limits import Budget
from ..running.observer import Observer
from ..running.run import Run
from . import DOES_NOT_HOLD, SOLVED
from .output import message
from .progress import Progress
from .selected_problem import Asked, belief_typed
from .typed_actions import read_typed_plan

plan_option = click.option(
    "--plan",
    "plan_file",
    type=click.Path(path_type=Path),
    metavar="PLAN",
    help="Instead of searching for a plan, take it from a file that `run --output` wrote, or as it is typed: its "
    "actions, parted by semicolons.",
)


def check_solver(asked: Asked) -> None:
    """Refuse the solver `construct` where there is no closed form; and let numbers have many digits from now on."""
    if asked.search.solver == CONSTRUCT:
        asked.require("answer in closed form")
    sys.set_int_max_str_digits(MOST_DIGITS)


def closed_form(asked: Asked, few_states: int = FEW_STATES) -> Construction[Any] | None:
    """Return the checked closed form to be used instead of a search; None for a search."""
    check_solver(asked)
    return doing(
        "the puzzle's closed form was being checked",
        asked.budget,
        lambda: checked_construction(
            asked.problem, asked.search.request(), called=asked.reference, few_states=few_states
        ),
    )


def search_for_plan(asked: Asked, also: Observer | None = None, request: SearchRequest | None = None) -> Any:
    """Return the result of a search within the limits of the command, and show progress on standard error.

    `also` is an observer of the layers; `request` says how to search where the command's options do not.
    """
    kept = asked.store.kept
    with Progress(asked.search.quiet, also) as progress:
        result = answer(asked.problem, request or asked.search.request(), Run(asked.budget, progress, kept), None)
    if kept is not None and result.status is Status.UNDECIDED:
        where = repr(str(kept.directory))
        message(
            f"{where} holds {kept.holds}; the same command with --resume goes on from there"
            if kept.holds
            else f"{where} holds nothing of the search yet; the same command with --resume begins anew"
        )
    return result


def distances(asked: Asked, option: str) -> Any:
    """Return the costs from all states, by one backward search with progress, which `option` asks for."""
    from ..model.hooks import ReversibleProblem
    from ..solvers.path.distance_table import distance_table

    if not isinstance(asked.problem, ReversibleProblem):
        raise BeliefSearchError(
            f"{asked.reference} cannot be walked backwards, which {option} needs (see ReversibleProblem)"
        )
    with Progress(asked.search.quiet) as progress:
        return distance_table(asked.problem, budget=asked.budget, observer=progress)


def _demand_made_for(path: Path, file: Any, asked: Asked) -> None:
    """Refuse a plan file that is not about the instance that the user selected, and say what it is about."""
    try:
        # The moves of a plan from all starts may be tried from any belief.
        same_belief = file.belief is None or frozenset(file.belief) == frozenset(asked.belief or ())
        made_for = (file.blindfold, same_belief) == (asked.blindfold, True) and check_made_for(
            asked.cls,
            asked.name,
            (asked.parameters, asked.data_files),
            file.problem,
            (file.parameters, file.data_files),
        )
    except (InvalidPlanError, ProblemError) as error:
        raise InvalidPlanError(about_file(path, error)) from error
    if not made_for:
        said = " ".join(f"--{name} {value}" for name, value in file.parameters.items() if value is not None)
        blind = " --blindfold" if file.blindfold else ""
        belief = "" if file.belief is None else f" {belief_typed(file.belief)}"
        raise InvalidPlanError(f"{str(path)!r} holds a plan for something else: {file.problem} {said}{blind}{belief}")


def code_of_plan(asked: Asked, plan: Any, budget: Budget) -> int:
    """Return the exit code of a command that shows a plan; of one from a file that does not win it says so."""
    from ..verify.plan import check_plan

    if asked.plan_file is None or is_stochastic(asked.problem):
        return SOLVED
    check = doing("the plan was being checked", budget, lambda: check_plan(asked.problem, plan))
    if check.holds:
        return SOLVED
    message(f"{asked.plan_file}: the plan does not win: {check.complaint}")
    return DOES_NOT_HOLD


def document_from_file(path: Path, asked: Asked) -> Any:
    """Return a plan file or certificate as read from JSON; raise `InvalidPlanError` if it is about another problem."""
    from ..plans.json_stream import file_source
    from ..plans.plan_reader import read_plan_file

    def read() -> Any:
        _demand_made_for(path, read_plan_file(path, proof_will_do=True), asked)
        with file_source(path)() as stream:
            return json.load(stream)

    return doing("the file was being read", asked.budget, read)


def plan_from_file(path: Path, asked: Asked) -> Any:
    """Return the plan or policy in a file, or a typed plan; raise `InvalidPlanError` if it is not for this problem."""
    if not path.exists() and (";" in str(path) or not path.suffix):
        asked.require("type a plan")
        typed = partial(read_typed_plan, asked.problem, str(path), asked.budget.tick)
        return doing("the plan was being read", asked.budget, typed)
    from ..plans.plan_reader import read_plan_file
    from ..plugins.files.saved import read_plan

    def read() -> Any:
        file = read_plan_file(path)
        _demand_made_for(path, file, asked)
        try:
            return read_plan(asked.problem, file.plan)
        except InvalidPlanError as error:
            raise InvalidPlanError(about_file(path, error)) from None

    return doing("the plan was being read", asked.budget, read)
