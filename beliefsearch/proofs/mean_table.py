"""The table `mean` of bounds of the mean: which entry is which part of which entry."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import InvalidProofError
from ..verify.checker import Counting, Game
from ..verify.listed_game import ListedGame


def mean_table(listed: ListedGame, proof: Mapping[str, Any], tick: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """The table of a proof of the kind `mean-bounds`.

    Raises
    ------
    InvalidProofError
        If actions do not always apply and cost 1, or are not certain.
    """
    game = listed.game()
    if not game.counts_actions():
        raise InvalidProofError("there is a table of means only where actions cost 1 and always apply")
    states = [listed.states[json.dumps(state)] for state in proof["states"]]
    beliefs: list[dict[int, int]] = []
    totals, fixing = [], []
    for members, total, *rest in proof["beliefs"]:
        pairs = (member if isinstance(member, list) else (member, 1) for member in members)
        beliefs.append({states[place]: weight for place, weight in pairs})
        totals.append(total)
        fixing.append(rest[0] if rest else [])
    counting = Counting(game)
    start = dict.fromkeys(sorted(game.start), 1)
    if start not in beliefs:  # counting alone is the proof
        beliefs.append(start)
        totals.append(0 if game.is_won([*start]) else counting.least[len(start)])
        fixing.append([])
    number = {frozenset(belief.items()): j for j, belief in enumerate(beliefs)}
    reasons = []
    for belief, total, kept in zip(beliefs, totals, fixing, strict=True):
        tick()
        named = []
        for action in range(len(game.steps)):
            if sum(belief.values()) + counting.of(action, belief) >= total:
                continue
            for percept, part in _parts(game, action, belief).items():
                times = math.gcd(*part.values())
                j = number.get(frozenset((s, w // times) for s, w in part.items()))
                if j is not None and times * totals[j] > counting.least[sum(part.values())]:
                    named.append([action, percept, j])
        reasons.append([kept, named])
    table = {"kind": "mean", "root": number[frozenset(start.items())], "totals": totals, "reasons": reasons}
    table["beliefs"] = [[[s, w] for s, w in belief.items()] for belief in beliefs]
    if proof.get("symmetries"):
        table["symmetries"] = _symmetries(game, listed, proof, states)
    return table


def _parts(game: Game, action: int, belief: Mapping[int, int]) -> dict[int, dict[int, int]]:
    """Return, by percept, the weights of what follows."""
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for s, weight in belief.items():
        percept, result = game.only(action, s)
        found[percept][result] = found[percept].get(result, 0) + weight
    return found


def _symmetries(game: Game, listed: ListedGame, proof: Mapping[str, Any], states: list[int]) -> list[Any]:
    """The symmetries of all states of the game: of those after the end by where they come from."""
    places = [listed.actions[json.dumps(action)] for action in proof["actions"]]
    found: list[Any] = []
    for entry in proof["symmetries"]:
        if "product" in entry:
            found.append({"product": entry["product"]})
            continue
        actions = list(range(len(game.steps)))
        for place, image in enumerate(entry["actions"]):
            actions[places[place]] = places[image]
        moved = {states[place]: states[image] for place, image in enumerate(entry["states"])}
        frontier = list(moved)
        for s in frontier:  # grows while it is walked
            for action, other in enumerate(actions):
                result = game.only(action, s)[1]
                if result not in moved:
                    moved[result] = game.only(other, moved[s])[1]
                    frontier.append(result)
        found.append({"states": [moved[s] for s in range(game.states)], "actions": actions})
    return found
