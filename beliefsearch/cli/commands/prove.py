"""`beliefsearch prove`."""

from __future__ import annotations

from pathlib import Path

import click

from ...errors import BeliefSearchError
from ...kinds import Kind
from .. import CODES
from ..options import FILE, Choice
from ..output import check_writable, emit, message
from ..plan_source import solve_selected
from ..problem_command import ProblemCommand
from ..problem_options import exact_option
from ..renderers.exports import game_path, list_game, write_tables
from ..search_options import search_options, store_options
from ..selected_problem import Asked


@click.command("prove", cls=ProblemCommand)
@search_options
@store_options
@click.option("--certificate", type=FILE, help="Write the proof; `verify FILE` checks it.")
@click.option(
    "--format",
    "form",
    type=Choice(["plan", "game"]),
    default="plan",
    help="The format of the certificate: a plan file, or as `game` tables with a hint for each step, and beside them "
    "the game in numbers, NAME.game.json; for these `verify` needs no puzzle.",
)
@click.option(
    "--upper-only",
    is_flag=True,
    help="Of a partially observable stochastic problem: prove only that no policy attains more, without a policy.",
)
@exact_option
def command(asked: Asked, certificate: Path | None, form: str, upper_only: bool) -> int:
    """Solve PROBLEM and find a proof of the answer that can be checked without trusting the search.

    The limits begin anew for the proof. Exit code 0: solved, and proved optimal; 1: proved unsolvable; 3: neither, but
    a lower bound may be proved.
    """
    asked.require("prove")
    check_writable(certificate, asked.inputs())
    if form == "game":
        check_writable(game_path(certificate), asked.inputs())
    asked.spare_store(certificate)
    if certificate is not None:
        asked.check_can_be_saved()
    if form == "game":
        list_game(asked)  # too large a game is refused before the search, which may take an hour
    if upper_only and (asked.kind is not Kind.POMDP or form == "game"):
        raise BeliefSearchError("--upper-only is for partially observable stochastic problems, and for plan files")
    answer = solve_selected(asked, small_only=False)
    proof = answer.prove(upper_only=upper_only)
    emit(answer.proved(proof))
    if certificate is not None and proof.data is not None:
        proved = answer.with_proof(proof)
        if form == "game":
            return max(CODES[proof.status.value], write_tables(proved, proof, certificate))
        proved.write_certificate(certificate, proof.data)
    elif certificate is not None:
        message(f"{certificate}: not written, since there is no proof")
    return CODES[proof.status.value]
