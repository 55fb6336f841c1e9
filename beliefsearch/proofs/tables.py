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
from ..verify.listed_game import ListedGame, chance_game
from ..verify.policy import table_of_policy
from .cost_tables import plan_table, proof_table
from .mean_table import mean_table


def tables_of(
    listed: ListedGame, document: Mapping[str, Any], tick: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """The certificate with hints for what a plan file claims and proves, as read from JSON.

    Raises
    ------
    InvalidProofError
        If there is no table for one of the two, or the file is not right.
    """
    plan: Any = document.get("plan")
    proof: Any = document.get("proof")
    kind = plan.get("kind") if isinstance(plan, dict) else None
    tables: list[dict[str, Any]] = []
    try:
        if kind == "policy":
            tables.append(table_of_policy(listed, plan, tick))
        elif kind == "policy-graph":
            chances = chance_game(listed)
            tables.append(graph_table(listed, chances, plan, tick))
            tables += [planes_table(listed, chances, plan, proof, tick)] if proof else []
        else:
            means = document.get("objective") == "expected"
            tables += [plan_table(listed, plan, tick, means=means)] if plan is not None else []
            tables += [(mean_table if means else proof_table)(listed, proof, tick)] if proof else []
    except (InvalidPlanError, UnreadableError) as error:
        raise InvalidProofError(listed.named(error)) from None
    except (KeyError, IndexError, TypeError) as error:
        raise InvalidProofError(f"the file is not right: {type(error).__name__} {error}") from None
    if not tables:
        raise InvalidProofError("the file has neither a plan nor a proof")
    return {"format": "beliefsearch-certificate", "version": 1, "tables": tables}
