"""`beliefsearch run`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from ...errors import BeliefSearchError
from ...running.limits import Budget, LimitReached
from .. import SOLVED, UNDECIDED, UNSOLVABLE
from ..answers.closed_form import checked_construction, construction_document, construction_text, parse_places
from ..output import check_writable, emit, write_file
from ..problem_command import Chosen, ProblemCommand
from ..search_options import SearchOptions, search_options

__all__ = ["command"]


def _places(text: str) -> tuple[int, int]:
    try:
        return parse_places(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _say_undecided(chosen: Chosen, reason: str, options: Mapping[str, Any]) -> None:
    """The verdict on a puzzle that could not be made within the limits."""
    from ...plans.result import SearchResult, SearchStats, Status
    from ..answers.proof import document_of
    from ..answers.report import verdict_text

    seconds = SearchStats(seconds=chosen.budget.seconds())
    solver: str = options["solver"]
    result: SearchResult[Any] = SearchResult(Status.UNDECIDED, None, None, 0, solver, reason=reason, stats=seconds)
    emit(json.dumps(document_of(chosen, result)) if options["form"] == "json" else verdict_text(chosen, result))


@click.command("run", cls=ProblemCommand, startless="all_states", when_stopped=_say_undecided)
@search_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="What to print.")
@click.option("--output", type=click.Path(path_type=Path), help="Write the result, with the whole plan, as JSON.")
@click.option(
    "--certificate", type=click.Path(path_type=Path), help="Write the result with a proof of it, which `verify` checks."
)
@click.option(
    "--moves", type=_places, metavar="A..B", help="Of a constructed plan, which may be very long: the moves to print."
)
@click.option("--all", "all_states", is_flag=True, help="The cost from every state, by one search backwards.")
def command(
    chosen: Chosen,
    search: SearchOptions,
    form: str,
    output: Path | None,
    certificate: Path | None,
    moves: tuple[int, int] | None,
    all_states: bool,
) -> int:
    """Solve PROBLEM and print the plan, or the proof that there is none.

    Exit code 0: solved; 1: proved unsolvable; 3: undecided, a limit was reached.
    """
    check_writable(output, chosen.inputs())
    check_writable(certificate, chosen.inputs())
    if form == "json" or output is not None or certificate is not None:
        chosen.check_can_be_saved()
    if chosen.by_chance:
        from ..answers.policy import run_chance

        return run_chance(
            chosen, search, form, output, certificate, {"--moves": moves is not None, "--all": all_states}
        )
    if all_states:
        if certificate is not None:
            raise BeliefSearchError("--certificate goes with one start, and --all is about every start")
        return _run_all(chosen, search, form, output)

    found = checked_construction(chosen, search)
    if found is not None:
        return _run_construction(chosen, found, form, output, certificate, moves)
    if moves is not None:
        raise BeliefSearchError("--moves goes with a construction, whose plan may be too long to list")

    from ...plans.result import Status
    from ..answers.proof import document_of
    from ..answers.report import result_text

    result = search.search(chosen)
    _publish(chosen, form, output, lambda: document_of(chosen, result), lambda: result_text(chosen, result))
    if certificate is not None:
        _certify(chosen, search, result, certificate)
    return {Status.SOLVED: SOLVED, Status.UNSOLVABLE: UNSOLVABLE, Status.UNDECIDED: UNDECIDED}[result.status]


def _run_construction(
    chosen: Chosen, found: Any, form: str, output: Path | None, certificate: Path | None, moves: tuple[int, int] | None
) -> int:
    lines = list(construction_text(chosen, found, moves))
    if certificate is not None:
        from ..answers.proof import json_bytes

        document = chosen.as_saved(construction_document(chosen, found, proof=True), certificate)
        write_file(certificate, json_bytes(document, certificate))
    _publish(chosen, form, output, lambda: construction_document(chosen, found, proof=False), lambda: "\n".join(lines))
    return UNSOLVABLE if found.length is None else SOLVED


def _certify(chosen: Chosen, search: SearchOptions, result: Any, path: Path) -> None:
    """Write a certificate of the result; the result stands, whether or not there is a proof of it."""
    from ...verify.proof import proof_text
    from ..answers.proof import proof_for, write_certificate
    from ..output import message

    proof = proof_for(chosen, result, search)
    if isinstance(proof, str):
        message(f"no certificate was written: {proof}")
        return
    write_certificate(path, chosen, result, proof)
    message(f"{path}: {proof_text(proof)}")


def _publish(
    chosen: Chosen,
    form: str,
    output: Path | None,
    document: Callable[[], dict[str, Any]],
    text: Callable[[], str],
) -> None:
    """Write the file that was asked for, and print the result in the form that was asked for."""
    # The file first: if the reader of standard output goes away, it is there all the same.
    if output is not None:
        write_file(output, json.dumps(chosen.as_saved(document(), output), indent=1) + "\n")
    emit(json.dumps(document()) if form == "json" else text())


def _run_all(chosen: Chosen, search: SearchOptions, form: str, output: Path | None) -> int:
    from ...model.hooks import ReversibleProblem
    from ...plans.file import identity_fields
    from ...solvers.path.distance_table import distance_table
    from ..answers.report import distances_text
    from ..progress import Progress

    problem = chosen.problem
    if not isinstance(problem, ReversibleProblem):
        raise BeliefSearchError(
            f"{chosen.reference} cannot be walked backwards, which --all needs (see ReversibleProblem)"
        )
    with Progress(search.quiet) as progress:
        table = distance_table(problem, budget=chosen.budget, observer=progress)
        unsolvable = None
        if table.stopped is None:
            unsolvable = _count_unsolvable(problem, table.distances, chosen.budget)
    histogram = table.histogram()
    document: dict[str, Any] = {
        "problem": chosen.reference,
        **identity_fields(chosen.parameters, chosen.data_files),
        "status": "solved" if table.stopped is None else "undecided",
        "reason": table.stopped,
        "distances": {str(cost): count for cost, count in histogram.items()},
        "unsolvable": unsolvable,
        "version": 1,
    }
    _publish(
        chosen, form, output, lambda: document, lambda: distances_text(chosen, histogram, unsolvable, table.stopped)
    )
    return SOLVED if table.stopped is None else UNDECIDED


def _count_unsolvable(problem: Any, distances: Mapping[Any, Any], budget: Budget) -> int | None:
    """How many possible starts have no way to a goal; None if that cannot be told."""
    from ...errors import ProblemError
    from ...running.alarm import call_within

    def count() -> int:
        return sum(state not in distances for state in problem.possible_starts())

    try:
        return call_within(budget, count)
    except (ProblemError, LimitReached, KeyboardInterrupt, MemoryError):
        return None
