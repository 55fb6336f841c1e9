"""`beliefsearch prove`."""

from __future__ import annotations

from pathlib import Path

import click

from .. import SOLVED, UNDECIDED, UNSOLVABLE
from ..output import check_writable, emit, write_file
from ..problem_command import Chosen, ProblemCommand
from ..search_options import SearchOptions, search_options

__all__ = ["command"]


@click.command("prove", cls=ProblemCommand)
@search_options
@click.option("--certificate", type=click.Path(path_type=Path), help="Write the proof, which `verify FILE` checks.")
def command(chosen: Chosen, search: SearchOptions, certificate: Path | None) -> int:
    """Solve PROBLEM and find a proof of the answer that can be checked without trusting the search.

    Exit code 0: solved, and proved optimal; 1: proved unsolvable; 3: no proof was found.
    """
    from ...plans.result import Status
    from ...verify.proof import proof_text
    from ..answers.closed_form import checked_construction, construction_document, construction_text
    from ..answers.proof import json_bytes, proof_for, write_certificate
    from ..answers.report import verdict_text

    check_writable(certificate, chosen.inputs())
    if certificate is not None:
        chosen.check_can_be_saved()
    found = checked_construction(chosen, search)
    if found is not None:
        for line in construction_text(chosen, found, None):
            emit(line)
        if certificate is not None:
            document = chosen.as_saved(construction_document(chosen, found, proof=True), certificate)
            write_file(certificate, json_bytes(document, certificate))
        return UNSOLVABLE if found.length is None else SOLVED
    result = search.search(chosen)
    proof = proof_for(chosen, result, search)
    emit(verdict_text(chosen, result))
    emit(f"proof: {proof if isinstance(proof, str) else proof_text(proof)}")
    if isinstance(proof, str):
        return UNDECIDED
    if certificate is not None:
        write_certificate(certificate, chosen, result, proof)
    if result.status is Status.UNSOLVABLE:
        return UNSOLVABLE
    return SOLVED if result.optimal else UNDECIDED
