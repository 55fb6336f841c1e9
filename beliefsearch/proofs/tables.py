"""Certificates as tables with hints: for each step of a proof the entry that justifies it.

This is the prover's side of `verify/checker.py` and need not be trusted: whatever the checker would have to look for is
looked for here, in a listed game. `docs/certificate-format.md` specifies the tables.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from attrs import frozen

from ..errors import InvalidPlanError, InvalidProofError
from ..verify.checker import UnreadableError
from ..verify.hints.pomdp_tables import graph_table, planes_table
from ..verify.hints.proof_tables import LISTED, table_of_proof
from ..verify.layered_game import LayeredGame
from ..verify.listed_game import ListedGame, listed_game
from ..verify.numbered import written
from ..verify.policy import table_of_policy
from .cost_tables import lower_of_all, plan_table

# A packed table with more entries stays packed: as a list it would take a gigabyte.
_MOST_LISTED = 5_000_000


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
    plan: Any = document.get("plan")
    certificate = _certificate(listed, plan, proof, str(document.get("objective")), tick)
    horizon = plan.get("horizon") if isinstance(plan, dict) else None
    return (listed if not proof or horizon is None else _layered(listed, horizon)), certificate


def _certificate(listed: ListedGame, plan: Any, proof: Any, objective: str, tick: Callable[[], None]) -> dict[str, Any]:
    kind = plan.get("kind") if isinstance(plan, dict) else None
    tables: list[dict[str, Any]] = []
    try:
        if kind == "policy":
            tables.append(table_of_policy(listed, plan, tick))
        elif kind == "policy-graph":
            chances = listed.game()
            tables.append(graph_table(listed, chances, plan, tick))
            if proof and "left" in tables[0]:
                game = LayeredGame(chances, plan["horizon"])
                tables = [_layered_graph(tables[0], game), planes_table(listed, game, plan, proof, tick)]
            elif proof:
                tables.append(planes_table(listed, chances, plan, proof, tick))
        else:
            means = objective == "expected"
            tables += [plan_table(listed, plan, tick, means=means)] if plan is not None else []
            if proof:
                tables.append(_listed_table(listed, proof) if "table" in proof else lower_of_all(listed.game(), tick))
    except (InvalidPlanError, UnreadableError) as error:
        raise InvalidProofError(listed.named(error)) from None
    except (KeyError, IndexError, TypeError) as error:
        raise InvalidProofError(f"the file is not right: {type(error).__name__} {error}") from None
    if not tables:
        raise InvalidProofError("the file has neither a plan nor a proof")
    return {"format": "beliefsearch-certificate", "version": 1, "tables": tables}


def _layered(listed: ListedGame, horizon: int) -> ListedGame:
    """The game of so many actions as one that ends by itself; a state is named after the number of actions left."""
    game = LayeredGame(listed.game(), horizon)
    texts = list(listed.states)
    names = [json.dumps([left, json.loads(text)]) for left in range(1, horizon + 1) for text in texts]
    rows = ([row and [written(row[0]), row[1], *chain.from_iterable(row[2])] for row in rows] for rows in game.rows)
    parts = {"states": game.states, "start": [[state, written(share)] for state, share in game.start]}
    listing = _Layers({**listed.listing.document(), **parts, "actions": list(rows)})
    return ListedGame(listing, {name: place for place, name in enumerate(names)}, listed.actions, listed.percepts)


@frozen
class _Layers:
    data: dict[str, Any]

    def document(self) -> dict[str, Any]:
        """The game as it stands in a file."""
        return self.data


def _layered_graph(table: dict[str, Any], game: LayeredGame) -> dict[str, Any]:
    """The table `graph` in a game that ends by itself, where the actions left are ranks."""
    left = table.pop("left")
    for node, k in zip(table["nodes"], left, strict=True):
        size = len(node[2])
        node[2] = [None] * (size * (k - 1)) + node[2] + [None] * (game.states - size * k)
    if game.discount == 1:
        table["ranks"] = [
            [None if value is None else k for value in node[2]] for node, k in zip(table["nodes"], left, strict=True)
        ]
    return table


def _listed_table(listed: ListedGame, proof: Any) -> dict[str, Any]:
    """The table of a proof, not packed."""
    table: dict[str, Any] = proof["table"]
    if "packed" not in table:
        return table
    if table.get("entries", 0) > _MOST_LISTED:
        raise InvalidProofError(f"it has {table['entries']:,} entries, and {_MOST_LISTED:,} are listed at the most")
    from ..verify.packed_lower import listed_table, unpacked  # with NumPy

    steps = listed.game().steps
    return listed_table(unpacked(table, len(steps)), lambda a, s: steps[a][s] is not None)
