"""Proofs on the command line: finding one for a result, saying what it is, writing certificates."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...running.limits import STOPS, Budget
from ..output import write_file
from ..problem_command import Chosen
from ..search_options import SearchOptions

if TYPE_CHECKING:
    from ...plans.result import SearchResult

__all__ = ["document_of", "json_bytes", "proof_for", "write_certificate"]


def proof_for(chosen: Chosen, result: SearchResult[Any], search: SearchOptions) -> dict[str, Any] | str:
    """A proof of the lower bound of a result, or why there is none. The limits count anew."""
    from ...proofs import find_proof
    from ...running.alarm import call_within
    from ...running.limits import Outgrown
    from ..progress import Progress

    if result.objective == "expected" and result.plan is not None:
        return "there is no kind of proof for expected costs; their plans can be checked all the same"
    if not result.lower_bound and result.plan is None:
        return "no bound is claimed that needs a proof"
    budget, bound = Budget(search.limits()), result.lower_bound
    try:
        with Progress(search.quiet) as progress:
            found = call_within(
                budget,
                lambda: find_proof(chosen.problem, bound, budget.tick, progress.numbered, budget.seconds_left),
            )
    except STOPS as stop:
        return f"no proof was found before {budget.why(stop)}"
    except Outgrown:
        return "the problem has too many states for a proof that lists them"
    if found is None:
        return "none of the kinds of proof there are was found"
    if isinstance(bound, float) and bound < math.inf:
        # Sums of floats are rounded, and proofs are exact: one that proves a hair less would be refused.
        from ...verify.proof import InvalidProofError, check_proof

        try:
            proved = call_within(budget, lambda: check_proof(chosen.problem, found))
        except InvalidProofError:
            return "none was found that holds exactly; costs that are fractions can be proved"
        except STOPS as stop:
            return f"no proof was checked before {budget.why(stop)}"
        if proved < bound:
            return f"it is proved only that no plan costs less than {float(proved)}, a rounding below the bound"
    return found


def write_certificate(path: Path, chosen: Chosen, result: Any, proof: Mapping[str, Any]) -> None:
    """Write the plan file with the proof in it; compressed if the name ends in `.gz`."""
    document = document_of(chosen, result, proof)
    write_file(path, json_bytes(chosen.as_saved(document, path), path))


def document_of(chosen: Chosen, result: Any, proof: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The plan file for a result of any kind, or a construction; with a proof it is a certificate."""
    from ...plans.document import plan_document

    return plan_document(
        result,
        chosen.problem,
        name=chosen.reference,
        parameters=chosen.parameters,
        blindfold=chosen.blindfold,
        data_files=chosen.data_files,
        belief=chosen.belief,
        proof=proof,
    )


def json_bytes(document: Mapping[str, Any], path: Path) -> bytes:
    """The object as it stands in a file of this name: compressed if the name ends in `.gz`."""
    data = json.dumps(document).encode() + b"\n"
    return gzip.compress(data, mtime=0) if path.suffix == ".gz" else data
