"""Tables of a proof in the numbers of a listed game, which are the same whatever is proved of the game."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from ..verify.asked_game import AskedGame
from ..verify.checker import WrongError


def renumbered(game: AskedGame, table: Mapping[str, Any], names: Mapping[str, Collection[Any]]) -> dict[str, Any]:
    """A table of a problem without probabilities, whose numbers stand for these names, in the numbers of `game`.

    Raises `WrongError` if a name cannot come up, or symmetries exchange actions that `game` has in another order:
    reasons are given for the first of these only.
    """
    states, actions, percepts = places_of(game, names)
    if all(places == [*range(len(places))] for places in (states, actions, percepts)):
        return dict(table)
    if table["kind"] == "flows":
        weights = dict(zip(states, table["weights"], strict=True))
        flows = {
            action: [[states[s], states[t], amount] for s, t, amount in flow]
            for action, flow in zip(actions, table["flows"], strict=True)
        }
        return {**table, "weights": _in_order(weights), "flows": _in_order(flows)}
    if table["kind"] == "mean":
        if "symmetries" in table and actions != sorted(actions):
            raise WrongError("it has symmetries of actions that come up in another order in the game")
        weighted = [[[states[s], weight] for s, weight in members] for members in table["beliefs"]]
        reasons = [
            [fixing, [[actions[a], percepts[o], entry] for a, o, entry in named]] for fixing, named in table["reasons"]
        ]
        symmetries = [
            {"states": _moved(states, entry["states"]), "actions": _moved(actions, entry["actions"])}
            if "states" in entry
            else entry
            for entry in table.get("symmetries", ())
        ]
        return {**table, "beliefs": weighted, "reasons": reasons, **({"symmetries": symmetries} if symmetries else {})}
    beliefs = [sorted(states[s] for s in members) for members in table["beliefs"]]
    before = {action: number for number, action in enumerate(actions)}
    reasons = []
    for members, row, parts in zip(beliefs, table["reasons"], table.get("parts", beliefs), strict=True):
        chosen = [beliefs[part] for part in parts] if "parts" in table else []
        able = [*game.moving(members, chosen)] if row else []
        if table["kind"] == "lost":
            each: list[Any] = [[[[percepts[o], entry] for o, entry in pairs]] for pairs in row]
        else:
            each = [[percepts[o], entry] for o, entry in zip(row[::2], row[1::2], strict=True)]
        of_action = dict(zip(sorted(able, key=before.__getitem__), each, strict=True))
        reasons.append([hint for action in able for hint in of_action[action]])
    return {**table, "beliefs": beliefs, "reasons": reasons}


def places_of(game: AskedGame, names: Mapping[str, Collection[Any]]) -> list[list[int]]:
    """The numbers in the game of states, actions and percepts, by the places of their names.

    Those that no list names follow in order. Raises `WrongError` if a name cannot come up, or comes twice.
    """
    found = []
    for part in game.parts:
        known = game.numbers[f"{part.kind}s"]
        texts = [*map(json.dumps, names.get(f"{part.kind}s", ()))]
        if len({*texts}) < len(texts):
            raise WrongError(f"it lists {part.one} more than once")
        if (lacking := next((text for text in texts if text not in known), None)) is not None:
            raise WrongError(f"{part.one} is listed that cannot come up: {lacking:.60}")
        found.append([known[text] for text in {**dict.fromkeys(texts), **known}])
    return found


def _in_order(by_number: Mapping[int, Any]) -> list[Any]:
    return [by_number[number] for number in range(len(by_number))]


def _moved(places: list[int], images: list[int]) -> list[int]:
    """The image of each, of a permutation of the first ones before they had these places."""
    image = {number: number for number in places}
    image.update((places[number], places[other]) for number, other in enumerate(images))
    return _in_order(image)
