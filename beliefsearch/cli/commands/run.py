"""`beliefsearch run`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from ...errors import BeliefSearchError, ProblemError
from ...kinds import is_stochastic
from ...model.belief import initial_states
from ...model.distribution import begin
from ...model.hooks import PresetHook
from ...plans.policy import PolicyResult
from ...plans.result import SearchResult, SearchStats, Status
from ...plans.wording import plural
from ...running.alarm import Stopped, call_within, doing
from ...running.limits import LimitReached
from ...running.observer import Profile
from ...running.run import Run
from .. import CODES, ERROR, SOLVED, UNDECIDED, UNSOLVABLE
from ..options import FILE, Choice
from ..output import check_different, check_writable, emit, emit_lines, message, write_file
from ..plan_source import distances, solve_selected
from ..problem_command import ProblemCommand, for_user, known_so_far
from ..problem_options import exact_option
from ..progress import Progress
from ..renderers.plan import Answer, parse_places
from ..renderers.text import bars
from ..search_options import search_options, store_options
from ..selected_problem import Asked


def say_undecided(asked: Asked, reason: str, options: Mapping[str, Any]) -> None:
    """Print the verdict if a limit was reached while the puzzle was being made."""
    seconds = SearchStats(seconds=asked.budget.seconds())
    solver = asked.search.request.solver
    if options["all_states"]:
        from ...solvers.path.distance_table import DistanceTable

        _publish_distances(asked, options["form"], None, DistanceTable({}, {}, reason))
        return
    answer = Answer(asked, SearchResult(Status.UNDECIDED, None, None, 0, solver, reason=reason, stats=seconds))
    emit(json.dumps(answer.document()) if options["form"] == "json" else answer.heading())
    if options["certificate"] is not None:
        message(f"no certificate was written: {reason}")


def _say_known(answer: Answer, form: str) -> int:
    """Print the verdict and the bounds if a limit was reached while they were being proved."""
    emit(json.dumps(answer.document()) if form == "json" else answer.heading())
    return answer.code


@click.command("run", cls=ProblemCommand, startless="all_states", when_stopped=say_undecided)
@search_options
@store_options
@click.option(
    "--format",
    "form",
    type=Choice(["text", "json", "csv"]),
    default="text",
    help="What to print; csv is for the answers to all questions of a file.",
)
@click.option(
    "--plan-format",
    type=Choice(["pddl"]),
    help="Print the plan as planners do: one action a line; one that branches as a tree of Contingent-FF, or where the "
    "player sees the states, as a policy of PRP. The verdict is a comment. `verify --plan` reads it.",
)
@click.option(
    "--output",
    type=FILE,
    help="Write the result, with the whole plan, as JSON; with --plan-format the plan as printed.",
)
@click.option(
    "--certificate",
    type=FILE,
    help="Write the result with a proof that `verify` can check; for the proof the limits begin anew.",
)
@click.option(
    "--moves",
    type=parse_places,
    metavar="A..B",
    help="Of a plan in closed form, perhaps a very long one: the moves to print.",
)
@click.option("--profile", type=FILE, help="Write a picture of the search, layer by layer, as .png or .svg.")
@click.option("--all", "all_states", is_flag=True, help="The cost from every state, by one backward search.")
@exact_option
def command(
    asked: Asked,
    form: str,
    plan_format: str | None,
    output: Path | None,
    certificate: Path | None,
    moves: tuple[int, int] | None,
    profile: Path | None,
    all_states: bool,
) -> int:
    """Solve PROBLEM and print the plan, or the proof that there is none.

    Exit code 0: solved; 1: proved unsolvable; 3: undecided, a limit was reached.
    """
    if plan_format is not None:
        asked.refuse("search with", {"plan_format": True})
        if form != "text" or all_states:
            raise BeliefSearchError("--plan-format says what is printed; leave --format and --all out")
    if questions := _questions(asked):
        given: dict[str, Any] = {"--output": output, "--certificate": certificate, "--moves": moves}
        given |= {"--profile": profile, "--all": all_states or None, "--store": asked.store}
        of_one = [option for option, value in given.items() if value is not None]
        if of_one and len(questions) > 1:
            count = len(questions)
            raise BeliefSearchError(
                f"{of_one[0]} is about one question, and the file holds {count}; {_how_to_ask(asked)}"
            )
        if not of_one:
            return _run_questions(asked, form, questions)
    if form == "csv":
        raise BeliefSearchError("--format csv is for the answers to all questions of a file; choose text or json")
    check_writable(output, asked.inputs())
    check_writable(certificate, asked.inputs())
    asked.spare_store(output, certificate, profile)
    check_different({"--output": output, "--certificate": certificate, "--profile": profile})
    if form == "json" or output is not None or certificate is not None:
        asked.check_can_be_saved()
    if profile is not None:
        _check_profile(asked, profile, all_states)
    asked.refuse("search with", {"moves": moves is not None, "all": all_states})
    if all_states:
        if certificate is not None:
            raise BeliefSearchError("--certificate is about one start and --all about every start; leave one out")
        if asked.store is not None:
            raise BeliefSearchError("the search of --all is not kept; leave --store out, or see `explore --backward`")
        return _publish_distances(asked, form, output, distances(asked, "--all"))
    if profile is not None and asked.store is not None and asked.store.resume:
        raise BeliefSearchError("--profile is about a whole search, and --resume does the rest of one; leave one out")
    layers = None if profile is None else Profile()
    answer = solve_selected(asked, places=moves, also=layers)
    if certificate is not None and answer.proves_what_there_is:
        with known_so_far(partial(_say_known, answer, form)):
            answer = answer.certified(certificate)
        certificate = None  # what is printed is what is proved
    if plan_format is not None:
        _publish_plan(answer, output)
    else:
        _publish(asked, form, output, answer.document, answer.text)
    if profile is not None and layers is not None:
        _write_profile(asked, layers, profile)
    if certificate is not None:
        answer.certify(certificate)
    return answer.code


def _questions(asked: Asked) -> Mapping[str, Any]:
    """Return what may be asked, where that is left open."""
    problem = asked.problem
    if not is_stochastic(problem):
        starts = problem.told() if isinstance(problem, PresetHook) else ()
        played: Any = problem.adaptively() if len(starts) > 1 else None
        return {} if played is None else {played.format_state(start): start for start in starts}
    return doing("the questions were being read", asked.budget, asked.problem.questions)


def _how_to_ask(asked: Asked) -> str:
    """Return how one of several questions is asked, as the problem says when it is asked as if there were one."""
    begun = begin if is_stochastic(asked.problem) else initial_states
    try:
        doing("the questions were being read", asked.budget, partial(begun, asked.problem))
    except ProblemError as error:
        return for_user(error)
    return "name it"


def _run_questions(asked: Asked, form: str, questions: Mapping[str, Any]) -> int:
    """Answer all questions, within the limits of the command."""
    from ..renderers.question_table import QuestionRow, question_lines

    if form == "json":
        asked.check_can_be_saved()
    codes = {SOLVED}
    if not is_stochastic(asked.problem):
        return _run_told(asked, form, questions)
    refused = [question for question in questions.values() if isinstance(question, ProblemError)]
    if len(refused) == len(questions):
        none = f"none of the {len(refused)} questions can be asked; the first: " if len(refused) > 1 else ""
        raise BeliefSearchError(f"{none}{for_user(refused[0])}")

    def rows() -> Iterator[QuestionRow]:
        for name, problem in questions.items():
            begun = asked.budget.seconds()
            try:
                if isinstance(problem, ProblemError):
                    raise problem
                answer = solve_selected(evolve(asked, problem=problem, instance=problem))
            except ProblemError as error:
                codes.add(ERROR)
                yield QuestionRow(name, None, None, asked.budget.seconds() - begun, for_user(error))
                continue
            except Stopped as stop:  # outside the search; what is printed ends all the same
                codes.add(UNDECIDED)
                result: Any = PolicyResult(Status.UNDECIDED, None, None, asked.search.request.solver, stop.reason)
            else:
                codes.add(answer.code)
                result = answer.value
            yield QuestionRow(name, problem, result, asked.budget.seconds() - begun, exact=asked.search.exact)

    emit_lines(question_lines(asked.document({}), form, rows(), questions))
    return next(code for code in (ERROR, UNDECIDED, SOLVED) if code in codes)


def _run_told(asked: Asked, form: str, questions: Mapping[str, Any]) -> int:
    """Answer, of each start, by which word it is told from the others."""
    from ...planner.path import each_told
    from ..renderers.question_table import ToldRow, question_lines

    if asked.search.request.solver != "auto":
        raise BeliefSearchError("words for all states are found in one way; leave --solver out, or name one --state")
    with Progress(asked.search.quiet) as progress:
        search = each_told(asked.problem, Run(asked.budget, progress))
        found = doing("the words were sought", asked.budget, lambda: [*search])
    rows = [ToldRow(name, asked.problem, result) for name, (_, result) in zip(questions, found, strict=True)]
    emit_lines(question_lines(asked.document({}), form, rows, questions))
    codes = {CODES[row.result.status.value] for row in rows}
    return next(code for code in (UNDECIDED, SOLVED, UNSOLVABLE) if code in codes)


def _publish(
    asked: Asked, form: str, output: Path | None, document: Callable[[], dict[str, Any]], text: Callable[[], str]
) -> None:
    """Write the file, if there is to be one, and print the result in this form."""
    written = document() if form == "json" or output is not None else {}
    # The file first: if the reader of standard output goes away, it is there all the same.
    if output is not None:
        indent = None if is_stochastic(asked.problem) else 1  # a policy may have millions of lines
        write_file(output, json.dumps(asked.as_saved(written, output), indent=indent) + "\n")
    emit(json.dumps(written) if form == "json" else text())


def _publish_plan(answer: Answer, output: Path | None) -> None:
    """Print the plan as other planners write it; so it is written to the file, if there is to be one and a plan."""
    text = answer.plan_text()
    if output is not None and answer.code == SOLVED:
        write_file(output, f"{text}\n")
    elif output is not None:
        message(f"{output}: not written, since there is no plan")
    emit(text)


def _publish_distances(asked: Asked, form: str, output: Path | None, table: Any) -> int:
    """Publish the histogram of `--all`."""
    unsolvable = None  # of the possible starts, if that can be decided
    if table.stopped is None:
        starts, known = asked.problem.possible_starts, table.distances
        with suppress(ProblemError, LimitReached, KeyboardInterrupt, MemoryError):
            unsolvable = call_within(asked.budget, lambda: sum(state not in known for state in starts()))
    histogram = table.histogram()
    fields: dict[str, Any] = {
        "status": "solved" if table.stopped is None else "undecided",
        "reason": table.stopped,
        "distances": {str(cost): count for cost, count in histogram.items()},
        "unsolvable": unsolvable,
    }
    solvable = plural(sum(histogram.values()), "state")
    if table.stopped is not None:
        line = f"undecided, {table.stopped}; {solvable} at the distances that are known"
    elif unsolvable is None:
        line = f"{solvable} can be solved"
    else:
        line = f"{solvable} can be solved, {unsolvable:,} cannot"
    text = "\n".join([f"{asked.title} --all: {line}", "", *bars(histogram, heads=("cost", "states"))])
    _publish(asked, form, output, lambda: asked.document(fields), lambda: text)
    return SOLVED if table.stopped is None else UNDECIDED


def _check_profile(asked: Asked, path: Path, all_states: bool) -> None:
    """Check before the search that its profile can be written."""
    from ...graph.plots.policy_charts import PICTURE_FORMATS, require_matplotlib

    asked.refuse("search with", {"profile": True})
    if all_states:
        raise BeliefSearchError("--profile is about one search from the start; leave --all out")
    if path.suffix[1:] not in PICTURE_FORMATS:
        raise BeliefSearchError(f"the name {path.name!r} tells no format; a profile is written as .png or .svg")
    check_writable(path, asked.inputs())
    require_matplotlib()


def _write_profile(asked: Asked, profile: Profile, path: Path) -> None:
    """Write the picture, or say why there is none; the answer is the same without it."""
    from ...graph.plots.plan_charts import profile_picture
    from ...graph.plots.policy_charts import picture_bytes

    if not profile.points:
        message("no profile was written: the search went through no layers; --solver bfs does")
        return
    form = path.suffix[1:]
    write_file(path, picture_bytes(profile_picture(profile, asked.title), form))
    message(f"{path}: profile, {form}")
