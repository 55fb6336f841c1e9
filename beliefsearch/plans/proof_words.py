"""Descriptions of proofs in a few words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

_TABLES = frozenset({"lower", "lost", "flows", "mean"})

_WEIGHTS = "weights of {weights} states, with a sum that no action lowers"
ARGUMENTS: Mapping[str, str] = {
    "potential": f"{_WEIGHTS} by more than it costs",
    "ray": _WEIGHTS,
    "distances": "the distances of {beliefs} states for a player who sees everything",
    "trap": "a trap of {beliefs} states, which the player cannot be sure to leave",
    "exhaustion": "a list of {ahead} beliefs ahead and {behind} sets behind",
    "capacity": "by the number of states that the percepts of a plan can tell apart{if}",
    "belief-bounds": "the bounds of {beliefs} beliefs",
    "lost-beliefs": "a list of {beliefs} beliefs that are lost",
    "mean-bounds": "the bounds of {beliefs} beliefs, and of all others by how many states they have",
    "factors": "the sum of the bounds of {parts} parts, each of one factor or more",
    "value-bounds": "planes of {planes} actions and {points} points",
    "construction": "a closed form{by} which the puzzle's own checker accepts",
}
"""Descriptions of the arguments of proofs, by name; a name in braces stands for the length of that list."""


def argument_of(proof: Mapping[str, Any]) -> str:
    """The name of the argument of a proof, in `ARGUMENTS`."""
    kind = str(proof["kind"])
    if kind not in _TABLES:
        return kind
    table = proof["table"]
    if kind == "flows":
        return "ray" if table.get("ray") else "potential"
    if kind in ("lost", "mean"):
        return {"lost": "lost-beliefs", "mean": "mean-bounds"}[kind]
    if "packed" in table or any(len(members) > 1 for members in table["beliefs"]):
        return "belief-bounds"
    return "distances" if any(value is not None for value in table["values"]) else "trap"


def lengths_of(proof: Mapping[str, Any]) -> dict[str, str]:
    """The lengths of the lists of a proof, by name; the number of weights that are not 0."""
    table = proof["table"] if str(proof["kind"]) in _TABLES else {}  # a proof of another kind may have anything there
    lists = {**proof, **table}
    lists.setdefault("beliefs", lists.get("states"))
    if "packed" in table:
        lists["beliefs"] = range(table["entries"])
    words = {name: f"{len(value):,}" for name, value in lists.items() if isinstance(value, Collection)}
    weights = lists.get("weights")
    return {**words, "weights": f"{sum(map(bool, weights)):,}" if isinstance(weights, Collection) else ""}


def about_sum(proof: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
    """The only part of a proof about several factors side by side, and their number; any other proof itself, and 0."""
    parts = proof.get("parts") if proof["kind"] == "factors" else None
    if isinstance(parts, list) and len(parts) == 1 and isinstance(parts[0].get("factor"), list):
        return parts[0]["proof"], len(parts[0]["factor"])
    return proof, 0


def proof_text(proof: Mapping[str, Any]) -> str:
    """Describe a proof in a few words."""
    inner, factors = about_sum(proof)
    if factors:
        return f"{proof_text(inner)}, of {factors} factors side by side"
    evidence = proof.get("evidence")
    argument = evidence.get("argument") if isinstance(evidence, dict) else None
    words = lengths_of(proof)
    words["if"] = ", if distinct_actions() leaves out no class of actions" if "actions" in proof else ""
    words["by"] = f", by the argument {argument!r}," if isinstance(argument, str) else ""
    return filled(ARGUMENTS[argument_of(proof)], defaultdict(lambda: "0", words))  # a list may be left out


def filled(text: str, words: Mapping[str, Any]) -> str:
    """A text with words in its braces, and one of anything in the singular."""
    singular = {" have": " has", " are": " is"}
    one = re.compile(r"\b1 (?!has\b)(\w+)s\b( have\b| are\b)?")
    return one.sub(lambda match: f"1 {match[1]}{singular.get(match[2], '')}", text.format_map(words))
