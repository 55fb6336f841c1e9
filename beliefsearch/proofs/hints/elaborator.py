"""Elaborator: makes the tables that `verify` asks for, which imports nothing of it and checks them.

It is a `verify.hints.Hints`. What it needs is imported by the kind of table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...errors import InvalidProofError
from ...model.belief import no_tick
from ...verify.checker import UnreadableError, WrongError
from .policy_tables import values_table as values_table
from .pomdp_tables import graph_table as graph_table
from .pomdp_tables import planes_table as planes_table


def proof_table(problem: Any, proof: Mapping[str, Any], tick: Callable[[], None] = no_tick) -> Mapping[str, Any]:
    """A proof that lists states or beliefs as a table; any other as it is.

    Raises `InvalidProofError` if it is malformed, or some step has no reason.
    """
    from .proof_tables import LISTED, table_of_proof

    kind = proof.get("kind")
    if kind == "exhaustion":
        from .exhaustion_tables import listed_bounds  # with NumPy, and kernels

        try:
            proof = listed_bounds(problem, proof, tick)
        except (WrongError, UnreadableError) as error:
            raise InvalidProofError(str(error)) from None
        kind = proof["kind"]
    if kind == "capacity" and "states" not in proof:
        from .capacity_hints import best_capacity

        return best_capacity(problem, proof, tick)
    return table_of_proof(problem, proof, tick) if isinstance(kind, str) and kind in LISTED else proof
