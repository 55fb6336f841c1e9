"""Certificates as tables with hints: for each step of a proof the entry that justifies it.

This is the prover's side of `verify/checker.py` and need not be trusted: whatever the checker would have to look for is
looked for here, in a listed game. `docs/certificate-format.md` specifies the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import InvalidPlanError, InvalidProofError
from ..verify.checker import UnreadableError
from ..verify.hints.pomdp_tables import graph_table, planes_table
from ..verify.hints.proof_tables import LISTED, table_of_proof
from ..verify.listed_game import ListedGame, listed_game
from ..verify.policy import table_of_policy
from .cost_tables import plan_table, proof_table


def as_table(problem: Any, proof: Mapping[str, Any], tick: Callable[[], None] = lambda: None) -> Mapping[str, Any]:
    """A proof that lists states or beliefs as a table; any other as it is. Raises as `table_of_proof`."""
    return table_of_proof(problem, proof, tick) if proof.get("kind") in LISTED else proof


def tables_of(
    problem: Any, document: Mapping[str, Any], tick: Callable[[], None] = lambda: None
) -> tuple[ListedGame, dict[str, Any]]:
    """The listed game, and the certificate with hints for what a plan file claims and proves, as read from JSON.

    Raises
    ------
    InvalidProofError
        If there is no table for one of the two, or the file is not right.
    ProblemError
        If the game is too large to be listed.
    """
    proof: Any = document.get("proof")
    if proof:
        proof = as_table(problem, proof, tick)
    listed = listed_game(problem, tick, names=proof if proof and "table" in proof else None)
    return listed, _certificate(listed, document.get("plan"), proof, str(document.get("objective")), tick)


def _certificate(listed: ListedGame, plan: Any, proof: Any, objective: str, tick: Callable[[], None]) -> dict[str, Any]:
    kind = plan.get("kind") if isinstance(plan, dict) else None
    tables: list[dict[str, Any]] = []
    try:
        if kind == "policy":
            tables.append(table_of_policy(listed, plan, tick))
        elif kind == "policy-graph":
            chances = listed.game()
            tables.append(graph_table(listed, chances, plan, tick))
            tables += [planes_table(listed, chances, plan, proof, tick)] if proof else []
        else:
            means = objective == "expected"
            tables += [plan_table(listed, plan, tick, means=means)] if plan is not None else []
            if proof:
                tables.append(proof["table"] if "table" in proof else proof_table(listed, proof, tick))
    except (InvalidPlanError, UnreadableError) as error:
        raise InvalidProofError(listed.named(error)) from None
    except (KeyError, IndexError, TypeError) as error:
        raise InvalidProofError(f"the file is not right: {type(error).__name__} {error}") from None
    if not tables:
        raise InvalidProofError("the file has neither a plan nor a proof")
    return {"format": "beliefsearch-certificate", "version": 1, "tables": tables}
