"""Certificates as tables with hints, and the listed game beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import BeliefSearchError, InvalidProofError
from ...plans.json_stream import json_pieces
from ...running.alarm import doing
from .. import UNDECIDED
from ..output import check_writable, message, write_file
from ..plan_source import document_from_file
from ..selected_problem import Asked
from .answer import Answer

if TYPE_CHECKING:
    from ...plans.plan_writer import Proof
    from ...verify.listed_game import ListedGame


def game_path(certificate: Path | None) -> Path:
    """The file of the listed game beside a certificate.

    Raises
    ------
    BeliefSearchError
        If there is no name of a certificate, or it is compressed.
    """
    if certificate is None:
        raise BeliefSearchError("--format game writes two files; say --certificate FILE")
    if certificate.suffix == ".gz":
        raise BeliefSearchError(f"{str(certificate)!r}: tables are not compressed; take a name without .gz")
    return certificate.with_suffix(".game.json")


def list_game(asked: Asked) -> ListedGame:
    """The game in numbers; an error if it is too large for that."""
    from ...verify.listed_game import listed_game

    return doing("the game was being listed", asked.budget, lambda: listed_game(asked.problem, asked.budget.tick))


def write_tables(answer: Answer, proof: Proof[Any], listed: ListedGame, path: Path) -> int:
    """Write a certificate as tables, and the game; the exit code says whether there are any."""
    document = json.loads(b"".join(json_pieces(answer.document(proof.data))))
    return _write_both(answer.asked.anew(), listed, document, game_path(path), path)


def rewrite_tables(asked: Asked, plan_file: Path, game: Path) -> int:
    """Write the certificate in a plan file as tables, NAME.certificate.json, and the game beside it."""
    listed, certificate = list_game(asked), game.with_suffix(".certificate.json")
    check_writable(certificate, (*asked.inputs(), game))
    return _write_both(asked, listed, document_from_file(plan_file, asked), game, certificate)


def _write_both(asked: Asked, listed: ListedGame, document: Any, game: Path, certificate: Path) -> int:
    from ...proofs.tables import tables_of

    budget = asked.budget
    try:
        tables = doing("hints were looked for", budget, lambda: tables_of(listed, document, budget.tick))
    except InvalidProofError as error:
        message(f"no tables were written: {error}")
        return UNDECIDED
    sizes = []
    for name, data in ((game, listed.document), (certificate, tables)):
        text = json.dumps({**data, "title": asked.title}, separators=(",", ":"))
        write_file(name, f"{text}\n")
        sizes.append(f"{name}, {len(text) / 1000:,.1f} kB")
    kinds = " and ".join(table["kind"] for table in tables["tables"])
    message(f"the game: {sizes[0]}; the tables {kinds}: {sizes[1]}; `verify --game` and any other checker check them")
    return 0
