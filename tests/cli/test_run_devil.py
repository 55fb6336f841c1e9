"""`beliefsearch run`: the published answers of the devil's game."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from ..answers import stdout_alone
from ..examples import thorough
from .conftest import Run

# Norvig's notebook about the devil's game; None: cannot be won.
SHORTEST = {1: 1, 2: 3, 3: None, 4: 15, 5: None, 6: None, 7: None, 8: 255, 9: None, 10: None, 11: None, 12: None}
REACHABLE_BELIEFS = {3: 2, 5: 2, 6: 4, 7: 2, 9: 2, 10: 4, 11: 2, 12: 22}
_ALL, _CROSS, _PAIR = [0, 1, 2, 3], [0, 2], [0, 1]
_HALF = [_ALL, _CROSS, _ALL, _PAIR, _ALL, _CROSS, _ALL]
PUBLISHED = {
    ("2", "--canonical"): [[0, 1], [0], [0, 1]],
    ("2", "--no-canonical"): [[0, 1], [0], [0, 1]],
    ("4", "--canonical"): [*_HALF, [0, 1, 2], *_HALF],
    ("4", "--no-canonical"): [*_HALF, [0], *_HALF],
}
# Likewise: the variants of the game, by table, faces, goal and n.
VARIANTS = [
    ("dihedral", 2, "all-heads", 4, 15),
    ("symmetric", 2, "all-heads", 2, 3),
    ("symmetric", 2, "all-heads", 4, None),
    ("cyclic", 2, "all-same", 4, 7),
    ("cyclic", 3, "all-heads", 2, None),
    ("cyclic", 4, "all-heads", 2, 15),
]


@pytest.mark.parametrize(("n", "length"), [thorough(*known) if known[0] > 9 else known for known in SHORTEST.items()])
def test_devil_has_the_published_verdict_for_every_number_of_coins(
    run_json: Callable[..., tuple[int, Any]], n: int, length: int | None
) -> None:
    code, found = run_json("devil", "--n", n)
    if length is None:
        assert (code, found["status"], found["plan"], found["cost"], found["optimal"]) == (
            1,
            "unsolvable",
            None,
            None,
            False,
        )
        _, exhausted = run_json("devil", "--n", n, "--solver", "breadth-first", "--engine", "compiled")
        assert (exhausted["status"], exhausted["stats"]["reached"]) == ("unsolvable", REACHABLE_BELIEFS[n])
    else:
        assert (code, found["status"], found["cost"], found["lower_bound"], found["optimal"]) == (
            0,
            "solved",
            length,
            length,
            True,
        )
        assert len(found["plan"]) == length


@pytest.mark.parametrize(("options", "plan"), PUBLISHED.items())
def test_devil_finds_the_published_plan_move_for_move(
    run_json: Callable[..., tuple[int, Any]], options: tuple[str, str], plan: list[list[int]]
) -> None:
    n, canonical = options
    code, found = run_json("devil", "--n", n, canonical)
    assert code == 0
    assert found["plan"] == plan


def test_devil_is_canonical_with_four_coins_unless_told_otherwise(run_json: Callable[..., tuple[int, Any]]) -> None:
    _, found = run_json("devil")
    assert found["plan"] == PUBLISHED["4", "--canonical"]


def test_text_lists_the_fifteen_moves_in_order(cli: Run) -> None:
    out = stdout_alone(cli("run", "devil", "--n", 4))
    moves = [[int(place) for place in re.findall(r"\d", text)] for text in re.findall(r"\{(.*)\}", out)]
    assert moves == PUBLISHED["4", "--canonical"]


@pytest.mark.parametrize(("table", "faces", "goal", "n", "length"), VARIANTS)
def test_variants_of_the_devil_have_the_published_lengths(
    run_json: Callable[..., tuple[int, Any]], table: str, faces: int, goal: str, n: int, length: int | None
) -> None:
    code, found = run_json("devil", "--n", n, "--table", table, "--faces", faces, "--goal", goal)
    assert (code, found["status"]) == ((1, "unsolvable") if length is None else (0, "solved"))
    assert found["cost"] == length
