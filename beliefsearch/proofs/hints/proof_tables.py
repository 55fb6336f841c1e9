"""Proofs that list states or beliefs with numbers, made into tables: which entry is the reason of which step.

This is looked for here, by asking the problem, and need not be trusted. Files of before the tables hold such proofs,
and so do the finders of proofs; docs/files.md describes the kinds.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from ...errors import InvalidProofError
from ...model.base import Cost
from ...model.values import whole
from ...verify.asked_game import AskedGame
from ...verify.checker import UnreadableError, WrongError, fields, index, items, rows_of
from ...verify.numbered import Numbered, list_of, written
from .list_fields import fraction
from .mean_table import mean_table

Members: TypeAlias = "frozenset[int]"


def table_of_proof(problem: Any, proof: Mapping[str, Any], tick: Callable[[], None]) -> dict[str, Any]:
    """The proof as a table, with the names of what its numbers stand for.

    Raises
    ------
    InvalidProofError
        If it is malformed, or some step has no reason.
    """
    listed = list_of(proof, "states")
    try:
        game = AskedGame(problem, {name: list_of(proof, name) for name in ("states", "actions") if name in proof}, tick)
    except (WrongError, UnreadableError) as error:
        raise InvalidProofError(str(error)) from None
    try:
        table = LISTED[proof["kind"]](game, proof, len(listed))
    except (WrongError, UnreadableError) as error:
        raise InvalidProofError(game.named(error)) from None
    states, actions, percepts = (part.listing() for part in game.parts)
    used = _used(table) or len(states)
    seen = {} if problem.is_sensorless() else {"percepts": percepts}
    return {"kind": table["kind"], "states": states[:used], "actions": actions, **seen, "table": table}


def _used(table: Mapping[str, Any]) -> int:
    """So many of the first states are named by a table of beliefs; else 0."""
    members = [s for members in table.get("beliefs", ()) for s in members]
    moved = (len(symmetry.get("states", ())) for symmetry in table.get("symmetries", ()))
    return max((*moved, *(1 + (s[0] if table["kind"] == "mean" else s) for s in members)), default=0)


# Weights.


def _flows(game: AskedGame, proof: Mapping[str, Any], count: int) -> dict[str, Any]:
    if game.states > count:  # with so many starts
        raise WrongError(f"it lacks the state {count}, which can come up")
    weights = [whole(fraction(entry)) for entry in list_of(proof, "weights", count)]
    flows: dict[str, list[list[Any]]] = {}
    for entry in (fields(entry, "a flow", "action flow") for entry in list_of(proof, "flows")):
        triples = rows_of(entry["flow"], "flow", 3)
        flows[json.dumps(entry["action"])] = [[s, t, written(whole(fraction(amount)))] for s, t, amount in triples]
    game.walk(count)
    ordered = [flows.pop(text, []) for text in game.named_actions.texts()]
    if flows:
        raise InvalidProofError(f"a flow is by the action {next(iter(flows)):.60}, which there is not")
    return {
        "kind": "flows",
        "ray": proof["kind"] == "ray",
        "weights": [written(weight) for weight in weights],
        "flows": ordered,
    }


# Bounds.


def _distances(game: AskedGame, proof: Mapping[str, Any], count: int) -> dict[str, Any]:
    # Infinity, which is no number in JSON, is null.
    bounds = [_bound(entry) for entry in list_of(proof, "distances", count)]
    return lower_table(game, {frozenset([s]): bound for s, bound in enumerate(bounds)})


def _trap(game: AskedGame, proof: Mapping[str, Any], count: int) -> dict[str, Any]:
    return lower_table(game, {frozenset([s]): math.inf for s in range(count)})


def _belief_bounds(game: AskedGame, proof: Mapping[str, Any], count: int) -> dict[str, Any]:
    return lower_table(game, {members: _bound(value) for members, value in _beliefs(proof, count)})


def _bound(entry: Any) -> Cost:
    return math.inf if entry is None else whole(fraction(entry))


def _beliefs(proof: Mapping[str, Any], count: int) -> Iterator[tuple[Members, Any]]:
    for j, (states, value) in enumerate(rows_of(proof.get("beliefs"), "belief", 2)):
        members = frozenset(index(s, count, f"a state of belief {j}") for s in items(states, f"belief {j}"))
        if members:  # others say nothing
            yield members, value


class _Bounds:
    """Listed beliefs with their bounds."""

    def __init__(self, bounds: Mapping[Members, Cost]) -> None:
        self.values = {members: bound for members, bound in bounds.items() if bound > 0}
        count = Counter(s for members in self.values for s in members)
        # Each by that of its states which the fewest others have.
        self._filed: dict[int, list[Members]] = {}
        for members in self.values:
            self._filed.setdefault(min(members, key=lambda s: (count[s], s)), []).append(members)

    def inside(self, belief: Collection[int]) -> Iterator[Members]:
        """The listed beliefs all of whose states are in this one."""
        as_set = frozenset(belief)
        return (members for s in belief for members in self._filed.get(s, ()) if members <= as_set)

    def best(self, belief: Collection[int]) -> Members | None:
        """The listed belief inside this one with the largest bound."""
        return max(self.inside(belief), key=self.values.__getitem__, default=None)


def lower_table(game: AskedGame, bounds: Mapping[Members, Cost]) -> dict[str, Any]:
    """The listed beliefs that the start needs, with their bounds and reasons."""
    known = _Bounds(bounds)
    root = known.best(game.start)
    if root is None:  # nothing is claimed
        start = min(game.start)
        return {"kind": "lower", "root": 0, "beliefs": [[start]], "values": [0], "reasons": [[]]}
    entries = Numbered([root])
    reasons, parts = [], []
    for members in entries.items:  # grows while it is walked
        chosen: list[Members] = []
        if game.has_many_actions(members):
            chosen = _parts(game, known, members)
        row: list[int] = []
        for action in game.moving([*members], [[*part] for part in chosen]):
            percept, entry = _reason(game, known, members, action)
            row += [percept, -1 if entry is None else entries.number(entry)]
        reasons.append(row)
        parts.append([entries.number(part) for part in chosen])
    table = {
        "kind": "lower",
        "root": 0,
        "beliefs": [sorted(members) for members in entries.items],
        "values": [written(known.values[members]) for members in entries.items],
        "reasons": reasons,
    }
    return {**table, "parts": parts} if any(parts) else table


def _reason(game: AskedGame, known: _Bounds, members: Members, action: int) -> tuple[int, Members | None]:
    """The outcome of an action, by percept, and the entry inside it that makes the action dear enough."""
    bound, cost = known.values[members], game.cost(action, members)
    needed = bound if bound == math.inf else bound - cost
    if needed <= 0:
        return 0, None
    outcomes = {percept: frozenset(outcome) for percept, outcome in game.outcomes(action, members).items()}
    for percept, outcome in outcomes.items():
        if known.values.get(outcome, 0) >= needed:
            return percept, outcome
    best: tuple[Cost, int, Members | None] = 0, 0, None
    for percept, outcome in outcomes.items():
        entry = known.best(outcome)
        if entry is not None and known.values[entry] > best[0]:
            best = known.values[entry], percept, entry
            if best[0] >= needed:
                return percept, entry
    raise InvalidProofError(
        f"the belief {_text(game, members)} has the bound {bound}, but action {game.named_actions.name(action)} "
        f"costs {cost} and leads to bounds of at most {best[0]}"
    )


def _parts(game: AskedGame, known: _Bounds, members: Members) -> list[Members]:
    """Listed parts of a belief that together leave few actions of use: those that leave no part as it is."""
    least = known.values[members] - 1
    inside = (part for part in known.inside(members) if known.values[part] >= least)
    found: list[Members] = []
    moving, left = game.moves([*members]), math.inf
    # Small bounds are those of small parts, of which an action moves fewer.
    for part in sorted(inside, key=lambda part: (known.values[part], len(part))):
        moving &= game.moves([*part])
        count = int(moving.sum())
        if count < left:
            left = count
            found.append(part)
        if not count:
            break
    return found


def _text(game: AskedGame, members: Iterable[int]) -> str:
    shown = sorted(game.named_states.name(s) for s in members)
    return "{" + ", ".join(shown[:5]) + (", ..." if len(shown) > 5 else "") + "}"


# Lost beliefs.


def _lost(game: AskedGame, proof: Mapping[str, Any], count: int) -> dict[str, Any]:
    ranks = {members: _bound(value) for members, value in _beliefs(proof, count)}
    order = {rank: place for place, rank in enumerate(sorted({*ranks.values()}))}  # whole numbers, as they may be none
    rank = {members: order[value] for members, value in ranks.items() if value < math.inf}
    start = frozenset(game.start)
    if start not in rank:
        raise InvalidProofError("the initial belief is not listed")
    entries = Numbered([start])
    reasons: list[list[list[list[int]]]] = []
    for members in entries.items:  # grows while it is walked
        reasons.append([])
        for action in game.applicable([*members]):
            outcomes = {percept: frozenset(after) for percept, after in game.outcomes(action, members).items()}
            lowest = min(outcomes.items(), key=lambda pair: rank.get(pair[1], math.inf))
            needed = [lowest] if rank.get(lowest[1], math.inf) < rank[members] else outcomes.items()
            for _, after in needed:
                if rank.get(after, math.inf) > rank[members]:
                    raise InvalidProofError(
                        f"from the belief {_text(game, members)} action {game.named_actions.name(action)} may lead to "
                        f"{_text(game, after)}, which is not shown to be lost"
                    )
            reasons[-1].append([[percept, entries.number(after)] for percept, after in needed])
    return {
        "kind": "lost",
        "root": 0,
        "beliefs": [sorted(members) for members in entries.items],
        "ranks": [rank[members] for members in entries.items],
        "reasons": reasons,
    }


LISTED: Mapping[str, Callable[[AskedGame, Mapping[str, Any], int], dict[str, Any]]] = {
    "potential": _flows,
    "ray": _flows,
    "distances": _distances,
    "trap": _trap,
    "belief-bounds": _belief_bounds,
    "lost-beliefs": _lost,
    "mean-bounds": mean_table,
}
"""By kind of proof: the table, of so many listed states."""
