"""Certificates as tables with hints: for each step of a proof the entry that justifies it.

This is the prover's side of `verify/checker.py` and need not be trusted: whatever the checker would have to look for is
looked for here, in a listed game. `docs/certificate-format.md` specifies the tables.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ..errors import InvalidPlanError, InvalidProofError
from ..verify.checker import UnreadableError, WrongError
from ..verify.horizon import LayeredGame
from ..verify.policy import DEFAULT_PRECISION, entries_of, policy_of
from ..verify.pomdp_file import graph_of_file
from ..verify.proof import OF_THEIR_OWN, TABLES, names_of, table_of
from .cost_tables import lower_of_all, plan_of_listed
from .game_documents import listed_game
from .hints import elaborator
from .renumbered import places_of, renumbered

# A packed table with more entries stays packed: as a list it would take a gigabyte.
_MOST_LISTED = 5_000_000


def tables_of(
    problem: Any, document: Mapping[str, Any], tick: Callable[[], None] = lambda: None
) -> tuple[Any, dict[str, Any]]:
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
        proof = elaborator.proof_table(problem, proof, tick)
    listed = listed_game(problem, tick)
    plan: Any = document.get("plan")
    listed, tables = _tables(listed, plan, proof, str(document.get("objective")), tick)
    return listed, {"format": "beliefsearch-certificate", "version": 1, "tables": tables}


def _tables(
    listed: Any, plan: Any, proof: Any, objective: str, tick: Callable[[], None]
) -> tuple[Any, list[dict[str, Any]]]:
    """The game that the tables are about, and the tables."""
    kind = plan.get("kind") if isinstance(plan, dict) else None
    tables: list[dict[str, Any]] = []
    try:
        if kind == "policy":
            tables.append(_table_of_policy(listed, plan, tick))
        elif kind == "policy-graph":
            graph = graph_of_file(listed, plan, tick)
            has_ends = "left" in graph or listed.discount < 1
            tables.append(graph if has_ends else elaborator.graph_table(listed, graph, tick))
            if proof and "left" in tables[0]:
                game: Any = LayeredGame(listed, plan["horizon"])
                # First, as it asks for a plane of each layer: else a file might name a horizon without end.
                tables.append(elaborator.planes_table(listed, game, plan, proof, tick))
                _add_layers(tables[0], game)
                layers = range(1, plan["horizon"] + 1)
                names = (json.dumps([left, json.loads(text)]) for left in layers for text in listed.numbers["states"])
                game.numbers = {**listed.numbers, "states": {name: place for place, name in enumerate(names)}}
                return game, tables
            if proof:
                tables.append(elaborator.planes_table(listed, listed, plan, proof, tick))
        else:
            means = objective == "expected"
            tables += [plan_of_listed(listed, plan, tick, means=means)] if plan is not None else []
            if proof:
                tables.append(_table_of(listed, proof, tick))
    except (InvalidPlanError, WrongError, UnreadableError) as error:
        raise InvalidProofError(listed.named(error)) from None
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise InvalidProofError(f"the file is not right: {type(error).__name__} {error}") from None
    if not tables:
        raise InvalidProofError("the file has neither a plan nor a proof")
    return listed, tables


def _add_layers(table: dict[str, Any], game: LayeredGame) -> None:
    """Make of a table `graph` one of a game that ends by itself, where the actions left are ranks."""
    left = table.pop("left")
    for node, k in zip(table["nodes"], left, strict=True):
        size = len(node[2])
        node[2] = [None] * (size * (k - 1)) + node[2] + [None] * (game.states - size * k)
    if game.discount == 1:
        table["ranks"] = [
            [None if value is None else k for value in node[2]] for node, k in zip(table["nodes"], left, strict=True)
        ]


def _table_of_policy(game: Any, plan: Mapping[str, Any], tick: Callable[[], None]) -> dict[str, Any]:
    """The table `values` of a policy in a plan file."""
    entries = entries_of(plan)
    policy = policy_of(game, entries)
    values = [Fraction(entries[text][1]) for text in game.numbers["states"]]
    precision = DEFAULT_PRECISION * max(map(abs, values), default=Fraction(0))
    table = elaborator.values_table(game, policy, values, precision, tick)
    if table is None:
        raise InvalidPlanError("no bounds near the values of the policy were found")
    return table


def _table_of(game: Any, proof: Mapping[str, Any], tick: Callable[[], None]) -> dict[str, Any]:
    """The table of a proof in the numbers of the game, not packed; of a kind of its own that of all beliefs."""
    kind = str(proof.get("kind"))
    if "table" not in proof and kind in OF_THEIR_OWN:
        return lower_of_all(game, tick)
    if isinstance(proof.get("kind"), str) and kind not in TABLES:
        raise InvalidProofError(f"its kind is {kind!r:.40}, of which there are no tables")
    table = table_of(proof)
    names = names_of(proof) if "table" in proof else {}
    if "packed" not in table:
        return renumbered(game, table, names)
    if table.get("entries", 0) > _MOST_LISTED:
        raise InvalidProofError(f"it has {table['entries']:,} entries, and {_MOST_LISTED:,} are listed at the most")
    from ..verify.lower_arrays import unpacked  # with NumPy
    from .packed_tables import listed_table

    states, actions, _ = places_of(game, names)
    lists = listed_table(unpacked(table, len(actions)), lambda a, s: game.steps[actions[a]][states[s]] is not None)
    return renumbered(game, lists, names)
