"""`beliefsearch run`: Nine Tails against brute force and the published boards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

import pytest

from ..answers import assert_one_line, stdout
from .conftest import Run

# Published: how many of the 512 boards take 0, 1, ..., 9 moves when any coin may be taken.
ANY_COIN_HISTOGRAM = [1, 9, 36, 84, 126, 126, 84, 36, 9, 1]


CROSSES = [[i for i in range(9) if abs(i // 3 - place // 3) + abs(i % 3 - place % 3) <= 1] for place in range(9)]


def flip_cross(board: str, place: int) -> str:
    return "".join(("H" if c == "T" else "T") if i in CROSSES[place] else c for i, c in enumerate(board))


def distances_to_all_tails(only_heads: bool, weighted: bool) -> dict[str, int]:
    """Dijkstra's algorithm, backwards from all tails, written out for nine coins."""
    distances: dict[str, int] = {}
    frontier = [(0, "T" * 9)]
    while frontier:
        distance, board = heappop(frontier)
        if board in distances:
            continue
        distances[board] = distance
        for place in range(9):
            before = flip_cross(board, place)
            if not only_heads or before[place] == "H":
                heappush(frontier, (distance + (len(CROSSES[place]) if weighted else 1), before))
    return distances


def test_nine_tails_prints_the_three_boards_of_the_published_path(cli: Run) -> None:
    out = stdout(cli("run", "nine-tails", "--start", "HHHTTTHHH"))
    _, _, body = out.partition("\n")
    assert re.findall(r"\b[HT]{9}\b", body) == ["HHHTTTHHH", "HHHTHTTTT", "TTTTTTTTT"]


def test_nine_tails_pictures_are_the_boards_row_by_row(cli: Run) -> None:
    _, out, _ = cli("run", "nine-tails", "--start", "HHHTTTHHH")
    rows = re.findall(r"^ *([HT] [HT] [HT])$", out, re.MULTILINE)
    assert "".join(rows).replace(" ", "") == "HHHTTTHHH" + "HHHTHTTTT" + "TTTTTTTTT"


@pytest.mark.parametrize("legal", ["heads", "any"])
@pytest.mark.parametrize("weights", ["none", "flips"])
def test_all_gives_the_histogram_that_brute_force_finds(
    run_json: Callable[..., tuple[int, Any]], legal: str, weights: str
) -> None:
    distances = distances_to_all_tails(legal == "heads", weights == "flips")
    code, found = run_json("nine-tails", "--all", "--legal", legal, "--weights", weights)
    assert code == 0
    assert {int(cost): count for cost, count in found["distances"].items()} == Counter(distances.values())
    assert found["unsolvable"] == 512 - len(distances)


def test_all_prints_the_published_histogram(cli: Run) -> None:
    out = stdout(cli("run", "nine-tails", "--all", "--legal", "any"))
    rows = re.findall(r"^ *(\d+) +(\d+)\b", out, re.MULTILINE)
    assert [(int(cost), int(count)) for cost, count in rows] == list(enumerate(ANY_COIN_HISTOGRAM))


@pytest.mark.parametrize("legal", ["heads", "any"])
@pytest.mark.parametrize("start", ["HHHTTTHHH", "HHHHHHHHH", "THTHTHTHT", "HTTTTTTTT"])
def test_weights_make_a_move_cost_the_coins_it_flips(
    run_json: Callable[..., tuple[int, Any]], legal: str, start: str
) -> None:
    expected = distances_to_all_tails(legal == "heads", weighted=True).get(start)
    code, found = run_json("nine-tails", "--start", start, "--legal", legal, "--weights", "flips")
    assert (code, found["cost"]) == (1 if expected is None else 0, expected)
    if expected is not None:
        assert sum(len(CROSSES[3 * row + col]) for row, col in found["plan"]) == expected


def test_all_is_refused_for_a_problem_that_cannot_be_walked_backwards(cli: Run) -> None:
    assert_one_line(cli("run", "devil", "--all"), "backwards")


def test_nine_tails_asks_for_the_start_on_a_terminal_until_it_is_right(
    cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["HHX", "hhhttthhh"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda prompt: next(answers))
    code, out, err = cli("run", "nine-tails")
    assert code == 0
    assert "solved in 2 actions" in out
    assert "HHX" in err
    assert next(answers, "none left") == "none left"
