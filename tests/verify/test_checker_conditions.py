"""Every condition of the checker of tables: a case that breaks it alone, and that a checker without it lets pass."""

# ruff: noqa: E501  # a case a line

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.verify import checker
from beliefsearch.verify.checker import ChanceGame, Claim, Planes, UnreadableError, WrongError, check, check_planes
from beliefsearch.verify.plane_sums import PlaneSums, bounds_by_sums

FILE = Path(str(checker.__file__))

# From 0 to 1 to 2, which wins; the other action only keeps 1.
_WAY = {
    "format": "beliefsearch-game", "version": 1, "kind": "beliefs", "states": 3, "percepts": 1, "starts": [0, 1],
    "goals": [[2]], "actions": [{"steps": [[1, 0], [2, 0], [2, 0]]}, {"steps": [None, [1, 0], None]}],
}  # fmt: skip
_TRAP = {**_WAY, "starts": [1], "actions": [{"steps": [[0, 0], [0, 0, 1, 1], None]}], "percepts": 2}
_CIRCLE = {**_WAY, "starts": [0], "actions": [{"to": [0, 0, 2], "see": [0, 0, 0], "costs": [1, 2, "1/2"]}]}
_STAY = {
    **_WAY,
    "actions": [{"to": [1, 2, 2], "see": [0, 0, 0], "costs": [2, 2, 2]}, {"to": [0, 2, 2], "see": [0, 0, 0]}],
}
# One state: the first action pays 1 and ends the game half of the time, the others pay nothing: one ends it, one never.
_COIN = {
    "format": "beliefsearch-game", "version": 1, "kind": "chance", "states": 1, "percepts": 1, "seen": True, "discount": 1,
    "start": [[0, 1]], "start_value": 0, "actions": [[[1, 2, 0, 0, 1]], [[0, 1]], [[0, 1, 0, 0, 1]], [None]],
}  # fmt: skip
_FOG = {**_COIN, "seen": False}

# All is lost after two actions; one may wait for ever, or lose.
_DOOM = {**_FOG, "improper": True, "states": 2, "actions": [[[0, 1, 1, 0, 1], [-1, 1]]]}
# From the first state half of the games come to the second, by another percept; it ends in a loss.
_HALF = {**_DOOM, "percepts": 2, "actions": [[[0, 2, 1, 0, 1, 0, 1, 1], [-1, 1]]]}
# The same by one percept; there is another way from the first state.
_WAYS = {**_DOOM, "actions": [[[0, 2, 0, 0, 1, 1, 0, 1], [-1, 1]], [[0, 1, 1, 0, 1], None]]}
_LAST = {**_DOOM, "actions": [[[-1, 1, 1, 0, 1], [0, 1]]]}
_GAIN = {**_DOOM, "actions": [[[1, 1], [0, 1, 1, 0, 1]]]}
_IDLE = {**_FOG, "improper": True, "actions": [[[0, 1, 0, 0, 1]], [[-1, 1]]]}
# The first action pays 1 once and then leads nowhere; the other one ends the game, in three steps.
_AWAY = {
    **_FOG, "states": 3,
    "actions": [[[1, 1, 1, 0, 1], [0, 1, 1, 0, 1], [0, 1, 2, 0, 1]], [[0, 1, 1, 0, 1], [0, 1, 2, 0, 1], [0, 1]]],
}  # fmt: skip
_LINE = {**_WAY, "states": 4, "starts": [0], "goals": [[3]], "actions": [{"to": [1, 2, 3, 3], "see": [0, 0, 0, 0]}]}
_TWO = {
    **_WAY,
    "states": 2,
    "starts": [0],
    "goals": [[1]],
    "actions": [{"to": [0, 1], "see": [0, 0]}, {"to": [0, 1], "see": [0, 1]}],
    "percepts": 2,
}
# Both starts look alike, and so does what follows, of which one is won.
_PAIR = {**_WAY, "states": 4, "starts": [0, 1], "actions": [{"to": [2, 3, 2, 2], "see": [0, 0, 0, 0]}]}
_PLAN = {"kind": "plan", "root": 0, "nodes": [[[0, 1], [[0, 0, 1]], 2], [[1, 2], [[0, 0, 2]], 1], [[2], [], 0]]}
# The first action may keep 0 and 1 apart from what is won, the second does not apply everywhere.
_WIDE = {
    **_WAY, "states": 4, "percepts": 2, "goals": [[2], [3]], "actions": [
        {"steps": [[0, 0, 1, 0, 3, 1], [2, 1], [2, 0], None], "costs": [1, 3, 0, None]},
        {"steps": [None, [1, 0], [2, 0], [2, 0, 2, 1]]},
    ],
}  # fmt: skip
# Beside so high a cost infinity is no float for Python.
_DEAR = {
    **_WAY,
    "starts": [0],
    "goals": [[1]],
    "actions": [{"to": [1, 0, 2], "see": [0, 0, 0], "costs": [10**400] * 3}],
}
# No list is as long as the numbers that a game may have.
_LARGE = {**_WAY, "states": 2**40 - 1, "percepts": 2**40 - 1, "goals": [], "actions": []}
_PAID = {
    **_WAY,
    "starts": [0],
    "actions": [{"to": [1, 2, 2], "see": [0, 0, 0], "costs": ["1/2", 1, 1]}, {"steps": [None] * 3}],
}
_APART = {**_WAY, "percepts": 2, "actions": [{"to": [1, 2, 2], "see": [0, 1, 1], "costs": [2, 1, 1]}]}
_TRY = {**_WAY, "percepts": 2, "actions": [{"steps": [[0, 0, 1, 0], [2, 1], None]}]}
# Two states: the first action goes on in half of all cases, the second ends the game.
_DISCOUNTED = {
    **_COIN, "states": 2, "discount": "2/3", "start": [[0, "1/2"], [1, 0]], "start_value": "1/4",
    "actions": [[[1, 2, 1, 0, 1], ["1/2", 3, 0, 0, 1, 1, 0, 1]], [[0, 1], None]],
}  # fmt: skip
# What is perceived says which state it is; the start is certain to be the first.
_PARTED = {
    **_DISCOUNTED, "seen": False, "percepts": 2, "start": [[0, 1]],
    "actions": [[[1, 2, 1, 0, 1], ["1/2", 3, 0, 1, 1, 1, 0, 1]], [[0, 1], None]],
}  # fmt: skip
# Fractions of which the common denominator is longer than `MOST_WEIGHT`.
_PRIMES = [2, 3**8_500, 5**5_700, 7**4_800, 11**3_900]
_LONG = {**_COIN, "states": 5, "actions": [[[0, 1]] * 5]}
_AGAIN = {**_COIN, "states": 2, "actions": [[[1, 2, 0, 0, 1, 1, 0, 1], [0, 1]]]}  # perhaps
# Two actions guess the state, the third pays a little and says in three of four cases which it is.
_TIGER = {
    **_FOG, "states": 2, "percepts": 2, "discount": "1/2", "start": [[0, "3/8"], [1, "5/8"]], "start_value": "1/4",
    "actions": [
        [[1, 1], [-3, 1]], [[-3, 1], [1, 1]],
        [["1/4", 4, 0, 0, 3, 0, 1, 1], ["1/4", 4, 1, 0, 1, 1, 1, 3]], [[0, 1], None],
    ],
}  # fmt: skip
_SIDES = [[20, -16], [-16, 20], [12, 12], [0, None]]
# The first action leads to where none applies in all states, and in the last state none applies.
_STUCK = {
    **_FOG, "states": 3, "discount": "1/2", "start": [[0, 1], [1, 0]],
    "actions": [[[0, 2, 0, 0, 1, 1, 0, 1], None, None], [None, [1, 1], None]],
}  # fmt: skip
_FINE = {**_FOG, "states": 2, "discount": "1/2", "actions": [[[0, 1, 0, 0, 1], [0, 1, 1, 0, 1]]]}
# Whoever is in the state 0, 1 or 2 wins by its action and else stays; the first action makes all three one.
_THREE = {
    **_WAY, "states": 5, "percepts": 2, "starts": [0, 1, 2], "goals": [[3]], "actions": [
        {"to": [4, 4, 4, 3, 4], "see": [0, 0, 0, 0, 0]}, {"to": [3, 1, 2, 3, 4], "see": [1, 0, 0, 0, 0]},
        {"to": [0, 3, 2, 3, 4], "see": [0, 1, 0, 0, 0]}, {"to": [0, 1, 3, 3, 4], "see": [0, 0, 1, 0, 0]},
    ],
}  # fmt: skip
_TURN = {"states": [1, 2, 0], "actions": [0, 2, 3, 1]}
_TURN_AND_SWAP = [_TURN, {"states": [1, 0], "actions": [0, 2, 1, 3]}, {"product": [0, 1]}]
_MERGED = {**_WAY, "states": 5, "goals": [[4]], "actions": [{"to": [2, 2, 3, 4, 4], "see": [0, 0, 0, 0, 0]}]}
_MIRROR = {
    **_WAY,
    "states": 2,
    "percepts": 2,
    "goals": [],
    "actions": [{"to": [0, 1], "see": [0, 1]}, {"to": [0, 1], "see": [0, 0]}],
}
_NESTED = {
    **_WAY, "states": 6, "starts": [0, 1, 4], "goals": [[2], [2, 3]],
    "actions": [{"to": [2, 3, 2, 3, 5, 5], "see": [0, 0, 0, 0, 0, 0]}],
}  # fmt: skip


def _start(game: Any, total: int) -> dict[str, Any]:
    """The table that by counting alone all starts together pay so much."""
    start = [[s, 1] for s in game["starts"]]
    return {"kind": "mean", "root": 0, "beliefs": [start], "totals": [total], "reasons": [[[], []]]}


# What counting says of these games is just so much: by few states that end, by percepts, by costs.
_COUNTED: list[tuple[int, dict[str, Any]]] = [
    (12, {"states": 5, "percepts": 3, "starts": [0, 1, 2, 3], "goals": [[4]], "actions": [{"to": [0, 1, 2, 3, 4], "see": [0, 0, 0, 0, 0]}, {"steps": [[4, 2], [1, 0], [2, 1], None, None]}]}),
    (5, {"states": 2, "percepts": 2, "starts": [0, 1], "goals": [[0], [1]], "actions": [{"steps": [None, [1, 1]]}, {"steps": [[0, 0], [1, 0]]}, {"steps": [[0, 1], None]}]}),
    (13, {"states": 6, "percepts": 1, "starts": [0, 1, 2, 4], "goals": [[2]], "actions": [{"steps": [None, [5, 0], None, [4, 0], [4, 0], [4, 0]], "costs": [2, 2, 3, 2, 1, 1]}, {"steps": [[1, 0], None, None, [3, 0], [4, 0], [5, 0]], "costs": [2, 2, 2, 3, 1, 2]}, {"to": [2, 0, 0, 0, 1, 2], "see": [0, 0, 0, 0, 0, 0], "costs": [2, 3, 1, 3, 3, 1]}]}),
    (5, {"states": 6, "percepts": 2, "starts": [1, 4, 5], "goals": [[0, 1, 4]], "actions": [{"to": [4, 0, 4, 2, 1, 3], "see": [0, 0, 1, 1, 1, 1]}]}),
    (14, {"states": 5, "percepts": 1, "starts": [0, 1, 2, 4], "goals": [[4], [3]], "actions": [{"to": [4, 1, 0, 3, 2], "see": [0, 0, 0, 0, 0]}]}),
    (7, {"states": 4, "percepts": 3, "starts": [1, 2, 3], "goals": [[0, 1, 2], [3], [2]], "actions": [{"to": [0, 1, 2, 3], "see": [0, 2, 2, 2]}]}),
    (0, {"states": 4, "percepts": 3, "starts": [0, 1], "goals": [[0, 1, 2], [1, 3], [1, 3]], "actions": [{"steps": [None, [0, 2], None, [1, 0]]}]}),
    (1, {"states": 4, "percepts": 3, "starts": [2], "goals": [[0], [1]], "actions": [{"to": [0, 2, 3, 1], "see": [0, 2, 2, 1]}, {"to": [3, 3, 1, 2], "see": [2, 1, 1, 1]}]}),
]  # fmt: skip
_HOLD: dict[str, tuple[Any, Any]] = {
    "wide": (_WIDE, {"kind": "lower", "root": 0, "beliefs": [[0, 1], [0], [2, 1], [2]], "values": ["16/2", 5, 1, 0], "reasons": [[0, 1], [0, 1], [0, -1, 0, -1], []]}),
    "dear": ({**_DEAR, "goals": [[2]]}, {"kind": "lower", "root": 0, "beliefs": [[0], [1]], "values": [None, None], "reasons": [[0, 1], [0, 0]]}),
    "dear plan": (_DEAR, {"kind": "plan", "root": 0, "nodes": [[[0], [[0, 0, 2]], 10**400], [[0], [[0, 0, 3]], None], [[1], [], 0], [[1], [], None]]}),
    "large": (_LARGE, {"kind": "lower", "root": 0, "beliefs": [[0]], "values": [None], "reasons": [[]]}),
    "high rank": ({**_TRAP, "goals": []}, {"kind": "lost", "root": 0, "beliefs": [[1], [0]], "ranks": [2**49 - 1, 2], "reasons": [[[[0, 1]]], [[[0, 1]]]]}),
    "paid": (_PAID, {"kind": "flows", "weights": ["1/2", "1/2", 0], "flows": [[[0, 1, "1/2"], [1, 2, "1/2"], [1, 2, 0]], []]}),
    "rounded": ({**_WAY, "starts": [0]}, {"kind": "flows", "weights": ["1/2", "1/2", 0], "flows": [[[0, 1, "1/2"], [1, 2, "1/2"]], [[1, 1, "1/2"]]]}),
    "more": ({**_WAY, "starts": [0]}, _PLAN),
    "apart": (_APART, {"kind": "plan", "root": 0, "nodes": [[[0, 1], [[0, 0, 1, 1, 2]], 3], [[1], [[0, 1, 2]], 1], [[2], [], 0]], "means": [[3, 1], [1], [0]]}),
    "nothing": ({**_FOG, "states": 2**40 - 1, "percepts": 2**40 - 1, "start": [], "start_value": "1/2", "actions": []}, {"kind": "graph", "unit": 2**4096 - 1, "nodes": []}),
    "over": (_FOG, {"kind": "graph", "unit": 1, "nodes": [], "left": []}),
    "long ago": (_FOG, {"kind": "graph", "unit": 1, "nodes": [[1, [None], [0]]], "left": [2**49 - 1]}),
    "again": (_AGAIN, {"kind": "values", "high": [2, 0], "low": [2, 0], "policy": [0, 0], "ranks": [1, 0]}),
    "doom": (_DOOM, {"kind": "planes", "unit": 1, "planes": [[-1, -1]], "points": [[[[0, 1]], -1, [[0, 0, [1, 1]]]], [[[1, 1]], -1, []]], "ranks": [[[1, 0]], [1, 0]]}),
    "doom, by a part": (_DOOM, {"kind": "planes", "unit": 1, "planes": [[-1, -1]], "points": [[[[0, 1]], -1, [[0, 0, [1, "1/2"]]]], [[[1, 1]], -1, []]], "ranks": [[[1, 0]], [0, None]]}),
    "half": (_HALF, {"kind": "planes", "unit": 1, "planes": [[-1, -1]], "points": [[[[0, 1]], -1, [[0, 0, [1, "1/2"]], [0, 1, [0, "1/2"]]]], [[[1, 1]], -1, []]], "ranks": [[[1, 0]], [1, 0]]}),
    "ways": (_WAYS, {"kind": "planes", "unit": 1, "planes": [[-1, -1], [-1, None]], "points": [], "ranks": [[[1, 0], [1, None]], []]}),
    "last": (_LAST, {"kind": "planes", "unit": 1, "planes": [[-1, 0]], "points": [[[[0, 1]], -1, [[0, 0, [1, 1]]]], [[[1, 1]], 0, []]], "ranks": [[[0, None]], [0, None]]}),
    "gain": (_GAIN, {"kind": "planes", "unit": 1, "planes": [[1, 0]], "points": []}),
    "doom, one may end": (_DOOM, {"kind": "planes", "unit": 1, "planes": [[-1, -1]], "points": [[[[0, 1], [1, 1]], -1, [[0, 0, [1, 1]]]], [[[1, 1]], -1, []]], "ranks": [[[1, 0]], [0, 0]]}),
    "doom, two points": (_DOOM, {"kind": "planes", "unit": 1, "planes": [[-1, -1]], "points": [[[[0, 1]], -1, [[0, 0, [1, "1/2", 2, "1/2"]]]], [[[1, 1]], -1, []], [[[1, 1]], -1, []]], "ranks": [[[1, 0]], [1, 0, 1]]}),
    "doom, or not": (_DOOM, {"kind": "planes", "unit": 1, "planes": [[0, -1]], "points": [[[[0, 1]], 0, [[0, 0, -2]]]], "ranks": [[[None, None]], [None]]}),
    "idle": (_IDLE, {"kind": "planes", "unit": 1, "planes": [[0], [-1]], "points": [[[[0, 1]], 0, [[0, 0, [0, 1]]]]], "ranks": [[[None], [None]], [None]]}),
    "idle policy": (_IDLE, {"kind": "graph", "unit": 1, "nodes": [[0, [0], [-1]]], "ranks": [[None]]}),
    "improper": ({**_FOG, "improper": True}, {"kind": "planes", "unit": 1, "planes": [[2], [2], [2], [None]], "points": []}),
    "again, unseen": ({**_AGAIN, "seen": False}, {"kind": "graph", "unit": 1, "nodes": [[0, [0], [2, 0]]], "ranks": [[1, 0]]}),
    "tiger": (_TIGER, {"kind": "planes", "unit": 8, "planes": _SIDES, "points": [
        [[[0, 1], [1, 2]], 6, [[2, 0, -2], [2, 1, -2]]],
        [[[0, 1]], 8, [[2, 0, -2], [2, 1, -2]]],
        [[[1, 1]], 8, [[2, 0, -2], [2, 1, -2]]],
        [[[0, 2], [1, 2]], 7, [[2, 0, [1, 1]], [2, 1, [2, 1]]]],
    ]}),
    "tiger's planes": (_TIGER, {"kind": "planes", "unit": 8, "planes": _SIDES, "points": []}),
    "tiger's corners": (_TIGER, {"kind": "planes", "unit": 8, "planes": [*_SIDES[:2], [16, 16], [0, None]], "points": [[[[0, 1]], 21, []], [[[1, 1]], 8, [[2, 0, -2], [2, 1, -2]]]]}),
    "tiger, left": ({**_TIGER, "start": [[0, 1]]}, {"kind": "planes", "unit": 8, "planes": _SIDES, "points": [[[[0, 1], [1, 1]], 9, []]]}),
    "stuck": (_STUCK, {"kind": "planes", "unit": 1, "planes": [[-4, None, None], [None, 1, None]], "points": [[[[0, 1]], -5, [[0, 0, [0, "1/4"]]]], [[[2, 1]], 0, []]]}),
    "no game": ({**_FOG, "states": 0, "start": [], "actions": []}, {"kind": "planes", "unit": 1, "planes": [], "points": []}),
    "fine": (_FINE, {"kind": "planes", "unit": 2**4096 - 1, "planes": [[8, 8]], "points": [[[[0, 2**4096 - 1]], 6, []], [[[1, 1]], 7, [[0, 0, [1, f"1/{2**4096 - 1}"]]]]]}),
    "no weight": ({**_COIN, "start": [[0, 0]]}, {"kind": "values", "high": [3], "low": [2], "policy": [0], "ranks": [0]}),
    "discounted": (_DISCOUNTED, {"kind": "values", "high": ["51/38", "39/38"], "low": ["5/4", 1], "policy": [0, 0]}),
    "long": (_LONG, {"kind": "values", "high": [f"1/{p}" for p in _PRIMES], "low": [f"-1/{p}" for p in _PRIMES], "policy": [0] * 5, "ranks": [0] * 5}),
    "seen states": (_PARTED, {"kind": "graph", "unit": 38, "nodes": [[0, [1, 0], [51, None]], [0, [1, 0], [None, 39]]]}),
    **{f"counted {k}": ({**_WAY, **game}, _start(game, total)) for k, (total, game) in enumerate(_COUNTED)},
    "three": (_THREE, {"kind": "mean", "root": 0, "beliefs": [[[0, 1], [1, 1], [2, 1]], [[1, 1], [2, 1]]], "totals": [6, 3], "reasons": [[[0], [[1, 0, 1]]], [[2], []]], "symmetries": _TURN_AND_SWAP}),
    "merged": (_MERGED, {"kind": "mean", "root": 0, "beliefs": [[[0, 1], [1, 1]], [[2, 1]], [[2, 2]]], "totals": [6, 2, 4], "reasons": [[[], [[0, 0, 1]]], [[], []], [[], []]]}),
    "mirror": (_MIRROR, {**_start(_MIRROR, 2), "symmetries": [{"states": [1, 0], "actions": [0, 1]}]}),
    "nested": (_NESTED, {**_start(_NESTED, 3), "symmetries": [{"states": [1, 0, 3, 2], "actions": [0]}]}),
    "not needed": (_LINE, {**_start(_LINE, 2), "reasons": [[[], [[0, 0, 0]]]]}),
    "try": (_TRY, {"kind": "plan", "root": 0, "nodes": [[[0, 1], [[0, 0, 0, 1, 1]], None], [[2], [], None]], "ranks": [[2, 1], [0]]}),
    "lower": (_WAY, {"kind": "lower", "root": 0, "beliefs": [[0], [1]], "values": [2, 1], "reasons": [[0, 1], [0, -1, 0, 1]]}),
    # The second action leaves 0 as it is, so an entry that includes it needs no reason there.
    "parts": (_STAY, {"kind": "lower", "root": 0, "beliefs": [[0, 1], [0]], "values": [2, 1], "reasons": [[0, -1], [0, -1]], "parts": [[1], [1]]}),
    "lost": (_TRAP, {"kind": "lost", "root": 1, "beliefs": [[0], [1]], "ranks": [0, 1], "reasons": [[[[0, 0]]], [[[0, 0]]]]}),
    "flows": (_WAY, {"kind": "flows", "weights": [1, 1, 0], "flows": [[[0, 1, 1], [1, 2, 1]], [[1, 1, 1]]]}),
    "ray": (_CIRCLE, {"kind": "flows", "weights": [1, 0, 0], "flows": [[[0, 0, 1]]], "ray": True}),
    "plan": (_WAY, _PLAN),
    "trying": (_WAY, {**_PLAN, "ranks": [[2, 2], [1, 1], [0]]}),
    "mean": (_LINE, {"kind": "mean", "root": 0, "beliefs": [[[0, 1]], [[1, 1]]], "totals": [3, 2], "reasons": [[[], [[0, 0, 1]]], [[], []]], "symmetries": [{"states": [0, 1, 2, 3], "actions": [0]}]}),
    "even": (_TWO, {"kind": "mean", "root": 0, "beliefs": [[[0, 1]]], "totals": [1], "reasons": [[[], []]], "symmetries": []}),
    "pair": (_PAIR, {"kind": "mean", "root": 0, "beliefs": [[[0, 1], [1, 1]], [[2, 1], [3, 1]], [[2, 1]]], "totals": [4, 2, 0], "reasons": [[[], [[0, 0, 1]]], [[], []], [[], []]]}),
    "means": (_LINE, {"kind": "plan", "root": 0, "nodes": [[[0], [[0, 0, 1]], 3], [[1], [[0, 0, 2]], 2], [[2], [[0, 0, 3]], 1], [[3], [], 0]], "means": [[3], [2], [1], [0]]}),
    "values": (_COIN, {"kind": "values", "high": [2], "low": [2], "policy": [0], "ranks": [0]}),
    "graph": (_FOG, {"kind": "graph", "unit": 1, "nodes": [[0, [0], [2]]], "ranks": [[0]]}),
    "endless": (_FOG, {"kind": "graph", "unit": 1, "nodes": [[2, [0], [0]]], "ranks": [[None]]}),
    "gone on": (_AWAY, {"kind": "graph", "unit": 1, "nodes": [[0, [1], [1, None, None]], [0, [1], [None, 0, None]]], "ranks": [[1, None, None], [None, 0, None]]}),
    "as the planes": ({**_FOG, "discount": "1/2"}, {"kind": "planes", "unit": 8, "planes": [[24], [24], [24], [None]], "points": [[[[0, 1]], 24, [[0, 0, [0, 1]]]]]}),
    "two shares": ({**_FOG, "discount": "1/2"}, {"kind": "planes", "unit": 8, "planes": [[24], [24], [24], [None]], "points": [[[[0, 1]], 13, [[0, 0, [0, "1/8", 0, "1/8"]]]]]}),
    "within": (_FOG, {"kind": "graph", "unit": 2, "nodes": [[0, [1], [3]], [0, [None], [2]]], "left": [2, 1]}),
    "planes": ({**_FOG, "discount": "1/2"}, {"kind": "planes", "unit": 8, "planes": [[24], [24], [24], [None]], "points": [[[[0, 1]], 13, [[0, 0, [0, "1/4"]]]]]}),
}  # fmt: skip

Change = tuple[str, Any]
"""A place, with dots, and what is put there; `...` takes away what is there."""


def changed(data: Any, path: str, value: Any) -> Any:
    """The same data with a change."""
    data = deepcopy(data)
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    inner = data
    for key in way:
        inner = inner[key]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return data


# Two starts that nothing tells apart.
_ALIKE: tuple[Change, ...] = (("game.starts", [0, 1]), ("game.actions", [{"to": [0, 1], "see": [0, 0]}]), ("beliefs", [[[0, 1], [1, 1]]]), ("symmetries", [{"states": [1, 0], "actions": [0]}]))  # fmt: skip
_SWAP: tuple[Change, ...] = (*_ALIKE, ("game.goals", []))
_NO_END: tuple[Change, ...] = ("game.goals", []), ("game.actions", [{"steps": [[1, 0], [0, 0], None]}])
_GONE: tuple[Change, ...] = tuple((name, ...) for name in ("root", "beliefs", "values", "reasons"))
_OTHER: tuple[Change, ...] = (*_GONE, ("kind", "graph"), ("unit", 1), ("nodes", []))

# The case, changes of its table, after "game." of its game, after "file." of the file; and what is complained of.
_CASES: list[tuple[str, tuple[Change, ...], str]] = [
    ("lower", (("root", ...),), "lacks the field 'root'"),
    ("lower", (("rooot", 0),), "unknown field 'rooot'"),
    ("lower", (("reasons.0", 5),), "is no list"),
    ("lower", (("game.actions.0", 5),), "is no object"),
    ("lower", (("values", [2]),), "has the length 1"),
    ("lower", (("root", 2),), "no number below 2"),
    ("lower", (("root", True),), "no number below 2"),
    ("lower", (("values.0", "1.5"),), "no whole number or fraction"),
    ("lower", (("values.0", 2.0),), "no whole number or fraction"),
    ("lower", (("beliefs.1", []),), "entry 1 has no states"),
    ("lower", (("beliefs.1", [2]), ("reasons.1", [0, -1]), ("game.actions.0.steps.0", [2, 0])), "entry 1: it is won"),
    ("lower", (("reasons.0", [0, 0]), ("values.0", 1)), "entry 0 is not inside the outcome"),
    ("lower", (("values.0", 3),), "comes to 2 which is less than 3"),
    ("lower", (("reasons.0", [0, 1, 0, 1]),), "more reasons than actions"),
    ("lower", (("reasons.0", [0, 1, None]),), "more reasons than actions"),
    ("lower", (("game.starts", [1]),), "not inside the start"),
    ("even", (("beliefs", [[[0, 1]], [[0, 1], [1, 1]]]), ("totals", [1, 9]), ("reasons", [[[], []], [[], []]])), "entry 1 is no belief with weights"),
    ("endless", (("nodes.0.2", [1]),), "the policy may never end the game"),
    ("endless", (("game.actions.0", [[0, 1, 0, 0, 1]]), ("game.actions.1", [[0, 1, 0, 0, 1]])), "the policy may never end the game"),
    ("gone on", (("game.actions.1.0", None),), "the policy may never end the game"),
    ("gone on", (("game.actions.1.1", [0, 1, 1, 0, 1]),), "the policy may never end the game"),
    ("gone on", (("game.actions.1.2", [0, 1, 2, 0, 1]),), "the policy may never end the game"),
    ("endless", (("game.actions.1", [[-1, 1]]),), "the policy may never end the game"),
    ("parts", (("values.1", "1/2"),), "entry 1 is no part of it, or has too low a value"),
    ("parts", (("parts.1", [0]), ("values.1", 2)), "entry 0 is no part of it"),
    ("parts", (("parts.0", [2]),), "no number below 2"),
    ("parts", (("parts.0", []),), "a percept is None"),
    ("parts", (("game.actions.1.costs", ["1/2", 1, 1]),), "a percept is None"),
    ("parts", (("game.actions.1.to.0", 1),), "a percept is None"),
    ("lost", (("game.goals", [[0]]),), "entry 0: it is won"),
    ("lost", (("reasons.1", [[[1, 0]]]),), "entry 0 is not the outcome"),
    ("lost", (("ranks", [1, 0]), ("reasons.1", [[[0, 0], [1, 1]]])), "has a higher rank"),
    ("lost", (("ranks", [0, 0]),), "is not shown to be lost"),
    ("lost", (("reasons.1", [[]]),), "is not shown to be lost"),
    ("lost", (("reasons.0", [[[0, 0]], [[0, 0]]]),), "more reasons than actions"),
    ("lost", (("reasons.0", [[[0, 0]], None]),), "more reasons than actions"),
    ("lost", (("root", 0),), "the root is not the start"),
    ("flows", (*_NO_END, ("weights", [1, 1, -1]), ("flows", [[[0, 1, 1], [1, 0, 1]]])), "below 0"),
    ("flows", (("game.percepts", 2),), "where something is perceived"),
    ("flows", (("weights", [1, 1, 1]),), "won state 2 has a weight"),
    ("ray", (("ray", 1),), "neither true nor false"),
    ("flows", (("flows.0", [[0, 1, 1], [1, 2, 1], [2, 2, 1]]), ("game.actions.0.costs", [2, 2, 2])), "begins nowhere"),
    ("flows", (("flows.0", [[0, 2, 1], [1, 2, 0], [1, 2, 1]]), ("game.actions.0.costs", [2, 2, 2])), "leads to no result"),
    ("flows", (("flows.0", [[1, 2, 1]]),), "not all of state 0 flows out"),
    ("flows", (("weights.0", 2), ("flows.0.0.2", 2)), "too much flows into state 1"),
    ("flows", (("weights", [1, 2, 0]), ("flows", [[[0, 1, 1], [1, 2, 2]], [[1, 1, 2]]])), "too much flows into won states"),
    ("ray", (("weights", [0, 0, 0]), ("flows", [[]])), "no weight is at the start"),
    ("plan", (("nodes.2.0", [1, 2]),), "node 2: it is an end, and not won"),
    ("plan", (("nodes.2.2", -1),), "a value below 0"),
    ("plan", (("nodes.0.1", [[0, 0, 1], [0, 0, 1]]),), "several options"),
    ("plan", (("nodes.0.1", [[1, 0, 1]]),), "action 1 does not apply"),
    ("plan", (("nodes.0.1", [[0]]),), "no branch for percept 0"),
    ("plan", (("nodes.1.0", [1]),), "lacks what may come"),
    ("plan", (("nodes.0", [[1, 2], [[0, 0, 2]], 1]), ("nodes.1", [[0, 1], [[0, 0, 0]], 2]), ("root", 1)), "does not come later"),
    ("plan", (("nodes.0.2", 1),), "more than its value"),
    ("trying", (("ranks.0", [2, 1]),), "no rank falls"),
    ("trying", (("ranks.0", [2]),), "has the length 1"),
    ("plan", (("root", 1),), "a start is not in the root"),
    ("plan", (("nodes.0.2", None),), "no finite cost"),
    ("plan", (("nodes.0.1", [[0, 0, 1, 0, 1]]),), "no node by percept"),
    ("mean", (("game.percepts", 2), ("game.actions", [{"steps": [[1, 0, 1, 1], [2, 0], [3, 0], None]}])), "not only the start is uncertain: state 0"),
    ("mean", (("beliefs.1", [[1, 1], [1, 1]]),), "no belief with weights"),
    ("mean", (("beliefs.1", [[1, 2]]), ("totals.1", 4), ("reasons.0", [[], []]), ("totals.0", 2)), "no belief with weights"),
    ("even", (("beliefs", [[[0, 1]], [[1, 1]]]), ("totals", [1, 1]), ("reasons", [[[], []], [[], []]])), "entry 1: it cannot come up"),
    ("pair", (("totals.2", 1),), "entry 2: it is won"),
    ("mean", (("symmetries.0.states", [1, 0, 2, 3]),), "symmetry 0 is none: action 0"),
    ("even", (("symmetries", [{"states": [1, 0], "actions": [0, 1]}]),), "symmetry 0 is none: it leads to what cannot come up"),
    ("even", (("game.starts", [0, 1]), ("beliefs", [[[0, 1], [1, 1]]]), ("symmetries", [{"states": [0, 1], "actions": [1, 0]}])), "symmetry 0 is none: action 0"),
    ("even", (("game.actions.0.costs", [2, 1]), ("symmetries", [{"states": [0, 1], "actions": [1, 0]}])), "symmetry 0 is none: action 0"),
    ("even", _ALIKE, "it moves a goal"),
    ("mean", (("symmetries.0.states", [3, 3, 3, 3]),), "no permutation"),
    ("even", (*_SWAP, ("beliefs", [[[0, 1], [1, 1]], [[0, 1]]]), ("totals", [1, 1]), ("reasons", [[[], []], [[0], []]])), "entry 1: symmetry 0 changes it"),
    ("mean", (("reasons.0", [[], [[0, 0, 0]]]),), "entry 0 is not the outcome"),
    ("mean", (("totals.0", 4),), "it comes to 3 which is less than 4"),
    ("mean", (("root", 1),), "the root is not the start"),
    ("means", (("ranks", [[3], [2], [1], [0]]),), "has no means"),
    ("means", (("means.3", [-1]),), "a mean is below 0"),
    ("means", (("means.0", [2]),), "the mean of state 0 is less than 3"),
    ("means", (("game.percepts", 2), ("game.actions.0", {"steps": [[1, 0, 1, 1], [2, 0], [3, 0], None]}), ("nodes.0.1", [[0, 0, 1, 1, 1]])), "is not certain"),
    ("values", (("game.seen", False),), "needs a player who sees"),
    ("values", (("ranks", ...),), "there have to be ranks"),
    ("values", (("policy", [3]), ("low", [-9])), "the policy's action does not apply"),
    ("values", (("high", [1]), ("low", [0])), "'high' is too low"),
    ("values", (("low", [3]),), "'low' is too high"),
    ("values", (("policy", [2]),), "may never end"),
    ("graph", (("unit", 0), ("nodes.0.2", [0]), ("game.actions.0.0.0", 0)), "unit is 0"),
    ("graph", (("nodes.0.2", ["2/1"]),), "no whole number"),
    ("graph", (("nodes.0.0", 3),), "does not apply in state 0"),
    ("graph", (("nodes", [[0, [1], [2]], [0, [0], [None]]]), ("ranks", [[0], [0]])), "it leads to no value for state 0"),
    ("graph", (("nodes.0.2", [3]),), "the value is 3, and it is worth 5/2"),
    ("graph", (("nodes.0.0", 2),), "may never end"),
    ("graph", (("nodes", []), ("ranks", [])), "there is no node"),
    ("within", (("left", [3, 1]),), "does not fall by 1"),
    ("within", (("nodes.0.1", [0]),), "does not fall by 1"),
    ("within", (("nodes.1.2", [3]),), "the value is 3/2, and it is worth 1"),
    ("within", (("left", ...),), "ranks are missing"),
    ("graph", (("nodes.0.2", [None]),), "no value for the start"),
    ("planes", (("unit", 0),), "unit is 0"),
    ("planes", (("game.states", 2**39), ("game.actions", []), ("planes", []), ("points", [])), "there is no action"),
    ("planes", (("game.seen", True),), "may attain more"),
    ("planes", (("planes.0", [1]),), "the plane of action 0 in state 0: the value is too low"),
    ("planes", (("points.0.1", 1),), "point 0, action 0: the value is too low"),
    ("planes", (("game.actions", [[None]]), ("planes", [[None]]), ("points", [])), "no action applies at the start"),
    ("planes", (("planes.3", [0]),), "not of whole numbers where its action applies"),
    ("planes", (("points.0.0", [[0, 1], [0, 1]]),), "point 0 is no point"),
    ("planes", (("points.0.2", [[0, 0, [0, -1]]]),), "is not above 0"),
    ("planes", (("points.0.2", [[0, 0, [0, f"1/{2**4096}"]]]),), "or too long"),
    ("planes", (("points.0.2", [[0, 0, [0, 1]]]),), "there is less than that share"),
    ("plan", (("game.starts", []),), "the game has no start"),
    ("lower", (("game.actions.0.costs", [-1, 1, 1]), ("values", [0, 0]), ("reasons", [[], []])), "a cost of action 0 is below 0"),
    ("ray", (("game.actions.0.costs", [1, 1, None]),), "is infinite"),
    ("lower", (("game.actions.0.steps.2", [[2], 0]),), "no list of results and percepts"),
    ("lower", (("game.actions.0.steps.2", []),), "no list of results and percepts"),
    ("values", (("game.seen", 1),), "neither true nor false"),
    ("values", (("game.discount", 2), ("high", [0]), ("low", [0]), ("game.actions", [[[0, 1]]])), "the discount"),
    ("values", (("game.start", [[0, 2]]),), "are more than 1"),
    ("planes", (("game.start", [[0, "1/2"], [0, "1/2"]]),), "a start is listed twice"),
    ("values", (("game.actions.1.0", [0]),), "is no row"),
    ("values", (("game.actions.1.0", [0, 1, 0]),), "has no triples"),
    ("values", (("game.actions.1.0", [0, 1, 0, 0, 2]), ("high", [0]), ("low", [0]), ("game.actions.0.0.0", 0)), "no probabilities"),
    ("values", (("game.version", 2),), "none of the format"),
    ("values", (("game.kind", "other"),), "of no known kind"),
    ("values", (("kind", "other"),), "none such is about a game of chance"),
    ("lower", _OTHER, "none such is about a game of beliefs"),
    ("lower", (("file.version", 2),), "none of the format"),
    ("lower", (("file.version", True),), "none of the format"),
    ("lower", (("file.rooot", 0),), "unknown field 'rooot'"),
    *((name, ((f"{part}rooot", 0),), "unknown field 'rooot'") for name in ("lost", "flows", "mean", "plan", "values", "graph", "planes") for part in ("", "game.")),
    ("even", (("game.actions.1", {"steps": [[0, 0, 0, 1], [1, 1]]}),), "not only the start is uncertain: state 0"),
    ("nothing", (("game.states", 2**40),), "no number below 2^40"),
    ("nothing", (("game.percepts", 2**40),), "no number below 2^40"),
    ("nothing", (("unit", 2**4096),), "no number below 2^4096"),
    ("discounted", (("game.discount", 0), ("high", [1, 1]), ("low", [0, 0])), "the discount"),
    ("discounted", (("game.start", [[0, "-1/4"], [1, "1/2"]]),), "is below 0"),
    ("discounted", (("high.0", "50/38"),), "'high' is too low"),
    ("discounted", (("low.1", "39/38"),), "'low' is too high"),
    ("discounted", (("high.1", 1),), "'high' is too low"),
    ("long", (("high.0", "-1/2"),), "'high' is too low"),
    ("seen states", (("nodes.0.2.0", 52),), "and it is worth"),
    ("seen states", (("nodes.1.2.1", 40),), "and it is worth"),
    ("seen states", (("unit", 2**4096), ("nodes", [[0, [0, 0], [0, 0]]])), "no number below 2^4096"),
    ("graph", (("ranks", ...),), "ranks are missing"),
    ("seen states", (("nodes.0.1", [1, 0, 0]),), "has the length 3"),
    *(("tiger", ((f"points.{j}.1", value),), "the value is too low") for j, value in ((0, 5), (1, 7), (2, 7), (3, 6))),
    *(("tiger", ((f"planes.{a}", plane),), "the value is too low") for a, plane in enumerate(([7, -16], [-25, 20], [12, 11], [-1, None]))),
    ("tiger", (("points.0.2", []),), "the value is too low"),
    ("tiger", (("points.0.0.0", [0, 1, 5]),), "has the length 3"),
    ("tiger", (("points.0.0", [[0, 1], [1, 0]]),), "point 0 is no point"),
    ("planes", (("points.0.2", [[0, 0, [0, 0]]]), ("points.0.1", 16)), "is not above 0"),
    ("planes", (("points.0.2", [[0, 0, [0, "-1/4"]]]), ("points.0.1", 16)), "is not above 0"),
    ("planes", (("points.0.2", [[0, 0, [0, "1/4", 0, "-1/8"]]]), ("points.0.1", 16)), "is not above 0"),
    ("planes", (("points.0.0", [[0, 4]]), ("points.0.1", 12)), "the value is too low"),
    ("fine", (("unit", 2**4096),), "no number below 2^4096"),
    ("fine", (("points.0.0.0.1", 2**4096),), "no number below 2^4096"),
    ("fine", (("points.1.2", [[0, 0, [1, f"1/{2**4096}"]]]),), "or too long"),
    ("fine", (("points.1.2", [[0, 0, [0, 1]]]), ("points.0.0", [[0, 1]])), "there is less than that share"),
    ("fine", (("points.0.0", [[0, 1], [1, 2]]), ("points.1.0", [[0, 1], [1, 1]]), ("points.1.2", [[0, 0, [0, 1]]])), "less than that share"),
    *((f"counted {k}", (("totals.0", total + 1),), "it is won" if total == 0 else "which is less than") for k, (total, _) in enumerate(_COUNTED)),
    ("three", (("reasons.0.0", [1]),), "comes to 5 which is less than 6"),
    ("three", (("reasons.0.0", [-2]),), "no number below 3"),
    ("three", (("reasons.1.0", [0]),), "entry 1: symmetry 0 changes it"),
    ("three", (("symmetries.0.rooot", 0),), "unknown field 'rooot'"),
    ("three", (("symmetries.2.rooot", 0),), "unknown field 'rooot'"),
    ("three", (("symmetries.2.product", [0, 1, 1]),), "has the length 3"),
    ("three", (("symmetries.2.product", [0, 2]),), "no number below 2"),
    ("three", (("symmetries.2.product", [0, -1]),), "no number below 2"),
    ("three", (("beliefs.1", [[1, 2], [2, 1]]), ("game.actions.0.to", [0, 1, 2, 3, 4])), "no belief with weights"),
    ("mean", (("game.percepts", 2), ("game.actions.0.see", [0, 0, 1, 1]), ("beliefs.1", [[0, 1], [1, 1], [2, 1]])), "no belief with weights"),
    ("merged", (("beliefs.2", []),), "no belief with weights"),
    ("merged", (("beliefs.2", [[2, 1], [3, 0]]), ("totals.2", 0)), "no belief with weights"),
    ("mirror", (("symmetries.0", {"states": [0, 1], "actions": [1, 0]}),), "symmetry 0 is none: action 1"),
    ("nested", (("game.goals", [[5], [2]]),), "it moves a goal"),
    ("within", (("left", [2**49, 2**49 - 1]),), "no number below 2^49"),
    ("within", (("nodes", [[0, [None], [2]]]), ("left", [0])), "does not fall by 1"),
    ("lower", (("root", -1),), "no number below 2"),
    ("lower", (("game.actions.0.steps.2", 5),), "is no list"),
    ("lower", (("game.actions.0.steps.2", [2, 0, 2]),), "no list of results and percepts"),
    ("large", (("game.states", 2**40),), "no number below 2^40"),
    ("large", (("game.percepts", 2**40),), "no number below 2^40"),
    ("wide", (("reasons.0", [1, 1]),), "entry 1 is not inside the outcome"),
    ("wide", (("reasons.1", [0, -3]),), "no number below 4"),
    ("parts", (("parts.0", [0]), ("values", [2, 1]), ("game.actions.1.to", [0, 2, 2])), "a percept is None"),
    ("lost", (("reasons.1", [[[0, -2]]]),), "no number below 2"),
    ("high rank", (("ranks.0", 2**49),), "no number below 2^49"),
    ("paid", (("flows.1", [[-3, 1, 1]]),), "no number below 3"),
    ("paid", (("flows.0.2", [1, 2, -1]), ("flows.0.1", [1, 2, "3/2"])), "is below 0"),
    ("paid", (("weights", [1, 1, 0]), ("flows.0", [[0, 1, 1], [1, 2, 1]])), "too much flows into won states"),
    ("flows", (("ray", True),), "too much flows into won states"),
    ("plan", (("game.actions.0.costs", [0, 0, 0]), ("nodes.0.1", [[0, 0, 0]]), ("nodes.0.0", [0, 1, 2])), "does not come later"),
    ("plan", (("nodes.0.0", [0]),), "a start is not in the root"),
    ("trying", (("ranks", [[1, 1], [0, 0], [-1]]),), "no rank falls"),
    ("doom", (("ranks.0", [[0, 0]]),), "the plane of action 0 in state 0: no rank falls"),
    ("ways", (("game.actions.1", [[0, 1, 0, 0, 1], None]), ("ranks.0.1", [2, None])), "the plane of action 1 in state 0: no rank falls"),
    ("gain", (("planes.0", [1, -1]),), "a number is below 0, and the game may never end"),
    ("doom", (("ranks.1", [0, 0]),), "point 0, action 0: no rank falls"),
    ("doom", (("points.0.2", [[0, 0, -2]]),), "a mean over states alone has no rank"),
    ("doom", (("ranks", ...),), "is no list"),
    ("doom", (("ranks.0", []),), "has the length 0"),
    ("doom", (("ranks.0.0", [1]),), "has the length 1"),
    ("doom", (("ranks.1", [1]),), "has the length 1"),
    ("doom", (("game.improper", 1),), "neither true nor false"),
    ("improper", (("game.seen", True),), "'improper' does not go with it"),
    ("improper", (("game.discount", "1/2"),), "'improper' does not go with it"),
    ("improper", (("game.actions.2", [[-1, 1, 0, 0, 1]]),), "a number is below 0, and the game may never end"),
    ("improper", (("game.actions.2", [[0, 1]]), ("planes.2", [-1])), "a number is below 0, and the game may never end"),
    ("idle policy", (("nodes.0.2", [1]),), "it is above 0"),
    ("idle policy", (("game.improper", False),), "may never end the game"),
    ("lower", (("file.tables", []),), "no table"),
    ("lower", (("file.tables", [5]),), "none such is about a game of beliefs"),
]  # fmt: skip


def case(number: int) -> tuple[Any, Any, str]:
    """The game, the certificate, and the complaint."""
    name, changes, complaint = _CASES[number]
    game, table = _HOLD[name]
    parts = {"": table, "game.": game}
    for path, value in changes:
        part = "game." if path.startswith("game.") else ""
        if not path.startswith("file."):
            parts[part] = changed(parts[part], path.removeprefix(part), value)
    tables = _certificate(parts[""])
    for path, value in changes:
        if path.startswith("file."):
            tables = changed(tables, path.removeprefix("file."), value)
    return parts["game."], tables, complaint


def names_that_hold() -> list[str]:
    """Names for `holding`."""
    return list(_HOLD)


def holding(name: str) -> tuple[Any, Any]:
    """The game and the certificate of this name, which holds."""
    game, table = _HOLD[name]
    return game, _certificate(table)


def every_case() -> Iterator[tuple[Any, Any]]:
    """Games and certificates: those that hold, and those that do not."""
    yield from map(holding, names_that_hold())
    yield from (case(number)[:2] for number in range(len(_CASES)))


def _certificate(table: Any) -> Any:
    return {"format": "beliefsearch-certificate", "version": 1, "tables": [table]}


@pytest.mark.parametrize("name", names_that_hold())
def test_what_the_cases_begin_with_holds(name: str) -> None:
    assert len(check(*holding(name))) == 1


@pytest.mark.parametrize("number", range(len(_CASES)))
def test_a_broken_condition_is_named(number: int) -> None:
    game, tables, complaint = case(number)
    with pytest.raises((WrongError, UnreadableError), match=None) as caught:
        check(game, tables)
    assert complaint in str(caught.value)


def test_shorter_sums_say_the_same() -> None:
    """Of tables `planes`, those that hold and those that do not."""
    said = set()
    for game, certificate in every_case():
        for table in certificate["tables"]:
            if game["kind"] == "chance" and table["kind"] == "planes":
                plain, shorter = (_answer(game, table, bounds_by) for bounds_by in (None, PlaneSums))
                assert plain == shorter
                said.add(type(plain))
    assert said == {Claim, str}


def test_numbers_of_thousands_of_digits_are_not_put_side_by_side() -> None:
    tables = ((game, table) for game, certificate in every_case() for table in certificate["tables"])
    game, table = next((g, t) for g, t in tables if g["kind"] == "chance" and t["kind"] == "planes" and t["points"])
    assert type(bounds_by_sums(ChanceGame(deepcopy(game)), table, False)) is PlaneSums
    places = ((plane, s) for plane in table["planes"] for s, v in enumerate(plane) if v is not None)
    plane, state = next(places)
    plane[state] = 10**4000
    plain, shorter = (_answer(game, table, bounds_by) for bounds_by in (None, bounds_by_sums))
    assert plain == shorter
    assert type(bounds_by_sums(ChanceGame(deepcopy(game)), table, False)) is Planes


def _answer(game: Any, table: Any, bounds_by: Any) -> Any:
    try:
        return check_planes(ChanceGame(deepcopy(game)), deepcopy(table), bounds_by)
    except (WrongError, UnreadableError) as error:
        return str(error)


def test_the_cases_are_json() -> None:
    assert all(json.loads(json.dumps(part)) == part for number in range(len(_CASES)) for part in case(number)[:2])
