"""Answer of a command, from a closed form, a search or a plan file, by the kind of the problem."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from ..errors import BeliefSearchError, DoesNotHoldError, InvalidPlanError, ProblemError, about_file
from ..kinds import Kind, is_stochastic
from ..model.hooks import Construction, has_closed_form
from ..planner.closed_form import checked_construction
from ..planner.options import SearchRequest
from ..planner.solve import answer
from ..plans.result import CONSTRUCT, Status
from ..plans.wording import MOST_DIGITS
from ..plugins.files.trust import check_made_for
from ..plugins.installed import reader_of
from ..running.alarm import doing
from ..running.limits import Budget, Limits
from ..running.observer import Observer
from ..running.run import Run
from . import DOES_NOT_HOLD, SOLVED, UNDECIDED
from .options import READ
from .output import emit, message
from .progress import Progress
from .renderers.plan import Answer, ClosedFormAnswer
from .selected_problem import Asked, belief_typed, read_typed_plan, say_how_read

plan_option = click.option(
    "--plan",
    "plan_file",
    type=READ,
    metavar="PLAN",
    help="Instead of searching for a plan, take it from a file that `run --output` wrote or another planner, or as it "
    "is typed: its actions, parted by semicolons.",
)


def check_solver(asked: Asked) -> None:
    """Refuse the solver `construct` where there is no closed form; and let numbers have many digits from now on."""
    if asked.search.request.solver == CONSTRUCT:
        asked.require("answer in closed form")
    sys.set_int_max_str_digits(MOST_DIGITS)


def answer_class(kind: Kind) -> type[Answer]:
    """Return the class that finds, reads and shows answers to problems of a kind; the others are not loaded."""
    if kind is Kind.STOCHASTIC:
        from .renderers.policy import PolicyAnswer

        return PolicyAnswer
    if kind is Kind.POMDP:
        from .renderers.policy_graph import PolicyGraphAnswer

        return PolicyGraphAnswer
    return Answer


def solve_selected(
    asked: Asked,
    *,
    small_only: bool = True,
    places: tuple[int, int] | None = None,
    also: Observer | None = None,
    request: SearchRequest | None = None,
) -> Answer:
    """Return the answer, by a search with progress, or in closed form if that would take long.

    `small_only` says whether the search ends where it is no small one, if there is a closed form. `places` are the
    actions to be shown of a plan in closed form; `also` is an observer of the layers; `request` says how to search
    where the command's options do not.
    """
    check_solver(asked)
    check = partial(checked_construction, asked.problem, asked.search.request)
    what = (
        "the puzzle's closed form was being checked" if has_closed_form(asked.problem) else "the puzzle was being made"
    )
    found = doing(what, asked.budget, check)
    if found is not None:
        return ClosedFormAnswer(asked, found, places)
    no_moves = BeliefSearchError("--moves goes with a construction, whose plan may be too long to list")
    if places is not None and not has_closed_form(asked.problem):
        raise no_moves
    kept = asked.store
    instead = partial(check, few_states=0) if small_only else None
    costs = is_stochastic(asked.problem) and asked.problem.minimizes_cost()
    with Progress(asked.search.quiet, also, costs=costs) as progress:
        run = evolve(Run(asked.budget, progress, kept), instead=instead)
        result = answer(asked.problem, request or asked.search.request, run, None)
    if isinstance(result, Construction):
        return ClosedFormAnswer(asked, result, places)
    if places is not None:
        raise no_moves
    if kept is not None and result.status is Status.UNDECIDED:
        then = "goes on from there" if kept.holds else "begins anew"
        holds = kept.holds or "nothing of the search yet"
        message(f"{str(kept.directory)!r} holds {holds}; the same command with --resume {then}")
    shown = answer_class(asked.kind)(asked, result)
    is_own_code = reader_of(asked.reference) is None and not {".", ":"}.isdisjoint(asked.reference)
    if shown.code == UNDECIDED and is_own_code and not asked.search.quiet:
        message(f"its states may be endless: `beliefsearch explore {asked.reference}` tells if new ones keep coming")
    return shown


def solve_listed(asked: Asked) -> Answer:
    """Return the answer with its plan listed, also if it is in closed form.

    For a policy of states the solver alone is asked for: options of other searches play no part, and are not refused.
    """
    request = SearchRequest(asked.search.request.solver) if asked.kind is Kind.STOCHASTIC else None
    return solve_selected(asked, request=request).listed()


def plan_or_exit(asked: Asked) -> tuple[Any, Budget]:
    """Return the plan or the policy, from a file or a search; if there is none, print that and end the command.

    The budget is that of what is done with it: see `budget_after`.
    """
    if asked.plan_file is not None:
        if asked.kind is Kind.STOCHASTIC:  # whose exact values may have many digits
            sys.set_int_max_str_digits(MOST_DIGITS)
        return plan_from_file(asked.plan_file, asked), asked.budget
    answer = solve_listed(asked)
    if answer.plan is None:
        emit(answer.heading())
        raise click.exceptions.Exit(answer.code)
    say_if_undecided(answer)
    return answer.plan, budget_after(answer)


def say_if_undecided(answer: Answer) -> None:
    """Say of a policy that it is the best so far, where a limit ended the search for a better one."""
    if answer.code == UNDECIDED:
        message(f"{answer.heading()}; this is the best policy so far")


def budget_after(answer: Answer) -> Budget:
    """Return the budget of what is done with an answer: that of the command, which ran while it was searched for.

    After a limit the best so far is used, in as much time again. It takes little memory, whether or not that is full.
    """
    asked = answer.asked
    return Budget(Limits(seconds=asked.search.time_limit)) if answer.code == UNDECIDED else asked.budget


def distances(asked: Asked, option: str) -> Any:
    """Return the costs from all states, by one backward search with progress, which `option` asks for."""
    from ..model.hooks import ReversibleProblem
    from ..solvers.path.distance_table import distance_table

    if not isinstance(asked.problem, ReversibleProblem):
        why = f"cannot be walked backwards, which {option} needs (see ReversibleProblem)"
        raise BeliefSearchError(f"{asked.reference} {why}")
    with Progress(asked.search.quiet) as progress:
        return distance_table(asked.problem, budget=asked.budget, observer=progress)


def _demand_made_for(path: Path, file: Any, asked: Asked) -> None:
    """Refuse a plan file that is not about the instance that the user selected, and say what it is about."""
    try:
        # The moves of a plan from all starts may be tried from any belief.
        same_belief = file.belief is None or frozenset(file.belief) == frozenset(asked.belief or ())
        same_game = (file.blindfold, same_belief) == (asked.blindfold, True)
        ours, theirs = (asked.parameters, asked.data_files), (file.parameters, file.data_files)
        made_for = same_game and check_made_for(asked.cls, asked.name, ours, file.problem, theirs)
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
    from ..plans.plan_reader import bytes_of, read_plan_file

    def read() -> Any:
        _demand_made_for(path, read_plan_file(path, proof_will_do=True), asked)
        return json.loads(bytes_of(path))

    return doing("the file was being read", asked.budget, read)


def plan_from_file(path: Path, asked: Asked) -> Any:
    """Return the plan or policy in a file, or a typed plan; raise `InvalidPlanError` if it is not for this problem.

    If it cannot be followed, print why and end the command.
    """

    def read() -> Any:
        if not path.exists() and (";" in str(path) or not path.suffix):
            asked.require("type a plan")
            return read_typed_plan(asked.problem, str(path), asked.budget.tick)
        from ..plans.plan_reader import read_plan_file
        from ..plans.plan_text import text_plan_in
        from ..plugins.files.saved import read_plan

        if path.suffix != ".json" and (text := text_plan_in(path)) is not None:
            asked.require("check a plan")
            reading: Any = partial(_read_text, asked.problem, text)
        else:
            file = read_plan_file(path)
            _demand_made_for(path, file, asked)
            reading = partial(read_plan, asked.problem, file.plan)
        try:
            return reading()
        except DoesNotHoldError:
            raise
        except InvalidPlanError as error:
            raise InvalidPlanError(about_file(path, error)) from None

    try:
        return doing("the plan was being read", asked.budget, read)
    except DoesNotHoldError as failure:
        what = "policy" if is_stochastic(asked.problem) else "plan"
        emit(f"{asked.title}: the {what} does not hold: {failure}")
        raise click.exceptions.Exit(DOES_NOT_HOLD) from None


def _read_text(problem: Any, text: Any) -> Any:
    """Read the plan of a text, and say of actions that stand for others how they are read."""
    from ..plugins.files.plan_files import read_text_plan

    known: dict[str, Any] = {}
    plan = read_text_plan(problem, text, known)
    for written, action in known.items():
        say_how_read(problem, written, action)
    return plan
