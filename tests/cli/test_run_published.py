"""`beliefsearch run`: the published answers of the devil's game and of Nine Tails."""

from __future__ import annotations

import re
from collections import Counter
from math import inf

import pytest

from ..answers import stdout, stdout_alone
from ..conftest import Run
from ..examples import thorough
from ..problems.test_devil import LENGTHS, PLAN_2, PLAN_4_ALL_MOVES, PLAN_4_CANONICAL
from ..problems.test_plain_puzzles import brute_force_distances
from .conftest import RunJson

REACHABLE_BELIEFS = {3: 2, 5: 2, 6: 4, 7: 2, 9: 2, 10: 4, 11: 2, 12: 22}
PUBLISHED = {
    ("2", "--canonical"): PLAN_2,
    ("2", "--no-canonical"): PLAN_2,
    ("4", "--canonical"): PLAN_4_CANONICAL,
    ("4", "--no-canonical"): PLAN_4_ALL_MOVES,
}
# Published: the variants of the game, by table, faces, goal and n.
VARIANTS = [
    ("dihedral", 2, "all-heads", 4, 15),
    ("symmetric", 2, "all-heads", 2, 3),
    ("symmetric", 2, "all-heads", 4, None),
    ("cyclic", 2, "all-same", 4, 7),
    ("cyclic", 3, "all-heads", 2, None),
    ("cyclic", 4, "all-heads", 2, 15),
]


@pytest.mark.parametrize(("n", "length"), [thorough(*known) if known[0] > 9 else known for known in LENGTHS.items()])
def test_devil_has_the_published_verdict_for_every_number_of_coins(
    run_json: RunJson, n: int, length: int | None
) -> None:
    code, found = run_json("devil", "--n", n)
    if length is None:
        answer = [found[name] for name in ("status", "plan", "cost", "optimal")]
        assert (code, answer) == (1, ["unsolvable", None, None, False])
        _, exhausted = run_json("devil", "--n", n, "--solver", "breadth-first", "--engine", "compiled")
        assert (exhausted["status"], exhausted["stats"]["reached"]) == ("unsolvable", REACHABLE_BELIEFS[n])
    else:
        answer = [found[name] for name in ("status", "cost", "lower_bound", "optimal")]
        assert (code, answer) == (0, ["solved", length, length, True])
        assert len(found["plan"]) == length


@pytest.mark.parametrize(("options", "plan"), PUBLISHED.items())
def test_devil_finds_the_published_plan_move_for_move(
    run_json: RunJson, options: tuple[str, str], plan: list[list[int]]
) -> None:
    n, canonical = options
    code, found = run_json("devil", "--n", n, canonical)
    assert code == 0
    assert found["plan"] == plan


def test_devil_is_canonical_with_four_coins_unless_told_otherwise(run_json: RunJson) -> None:
    _, found = run_json("devil")
    assert found["plan"] == PUBLISHED["4", "--canonical"]


def test_text_lists_the_fifteen_moves_in_order(cli: Run) -> None:
    out = stdout_alone(cli("run", "devil", "--n", 4))
    moves = [[int(place) for place in re.findall(r"\d", text)] for text in re.findall(r"\{(.*)\}", out)]
    assert moves == PUBLISHED["4", "--canonical"]


@pytest.mark.parametrize(("table", "faces", "goal", "n", "length"), VARIANTS)
def test_variants_of_the_devil_have_the_published_lengths(
    run_json: RunJson, table: str, faces: int, goal: str, n: int, length: int | None
) -> None:
    code, found = run_json("devil", "--n", n, "--group", table, "--faces", faces, "--goal", goal)
    assert (code, found["status"]) == ((1, "unsolvable") if length is None else (0, "solved"))
    assert found["cost"] == length


# Nine Tails, against brute force and the published boards.


# Published: how many of the 512 boards take 0, 1, ..., 9 moves when any coin may be taken.
ANY_COIN_HISTOGRAM = [1, 9, 36, 84, 126, 126, 84, 36, 9, 1]


CROSSES = [[i for i in range(9) if abs(i // 3 - place // 3) + abs(i % 3 - place % 3) <= 1] for place in range(9)]


def test_nine_tails_prints_the_three_boards_of_the_published_path(cli: Run) -> None:
    _, _, body = stdout(cli("run", "nine-tails", "--start", "HHHTTTHHH")).partition("\n")
    assert re.findall(r"\b[HT]{9}\b", body) == ["HHHTTTHHH", "HHHTHTTTT", "TTTTTTTTT"]


def test_nine_tails_pictures_are_the_boards_row_by_row(cli: Run) -> None:
    _, out, _ = cli("run", "nine-tails", "--start", "HHHTTTHHH")
    rows = re.findall(r"^ *([HT] [HT] [HT])$", out, re.MULTILINE)
    assert "".join(rows).replace(" ", "") == "HHHTTTHHH" + "HHHTHTTTT" + "TTTTTTTTT"


@pytest.mark.parametrize("legal", ["heads", "any"])
@pytest.mark.parametrize("weights", ["none", "flips"])
def test_all_gives_the_histogram_that_brute_force_finds(run_json: RunJson, legal: str, weights: str) -> None:
    exact = brute_force_distances(legal, weights)
    distances = {board: distance for board, distance in exact.items() if distance < inf}
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
def test_weights_make_a_move_cost_the_coins_it_flips(run_json: RunJson, legal: str, start: str) -> None:
    exact = brute_force_distances(legal, "flips")[start]
    expected = None if exact == inf else exact
    code, found = run_json("nine-tails", "--start", start, "--legal", legal, "--weights", "flips")
    assert (code, found["cost"]) == (1 if expected is None else 0, expected)
    if expected is not None:
        assert sum(len(CROSSES[3 * row + col]) for row, col in found["plan"]) == expected


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
