"""What pictures of the puzzles show is so: possible states, what is known, what was done."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from beliefsearch import Drawing
from beliefsearch.tools import load_problem_class

SVG = "{http://www.w3.org/2000/svg}"

# To find a puzzle by its name, all that is installed is looked through.
puzzle: Any = cache(load_problem_class)


def circles(drawing: Drawing, fill: str) -> list[tuple[float, float]]:
    """The middles of circles of a colour."""
    found = ElementTree.fromstring(drawing.svg(theme=None)).iter(f"{SVG}circle")
    return [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in found if c.get("fill") in (fill, f"var(--{fill})")]


def cells(drawing: Drawing, fill: str) -> set[tuple[int, int]]:
    """The squares of a colour, by column and row, of boards drawn in units of squares."""
    squares = set()
    for path in ElementTree.fromstring(drawing.svg(theme=None)).iter(f"{SVG}path"):
        if path.get("fill") == f"var(--{fill})":
            for column, row, count in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path.attrib["d"]):
                squares |= {(int(column) + i, int(row)) for i in range(int(count))}
    return squares


def texts(drawing: Drawing) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(drawing.svg(theme=None)).iter(f"{SVG}text")]


# What is drawn of a state, an action or a belief: by puzzle and its options.
Drawn = tuple[str, dict[str, Any], str, Any]
PEGS = {"pegs": 3, "colours": 4}
DEVIL: tuple[str, dict[str, Any]] = ("devil", {"n": 3, "faces": 4})
GAMBLER: tuple[str, dict[str, Any]] = ("gambler", {"goal": 10, "capital": 3})
MAZE: Drawn = ("maze", {"grid": ".#+/..-"}, "belief", {(0, 0), (1, 1)})
LAMPS = "0" * 13 + "110" + "0" * 128
HARD: Drawn = ("hidden-number", {"limit": 16}, "belief", {(2, 0, "no"), (7, 0, "no")})
BOARDS = {bytes([1, 2, 3, 4, 5, 6, 7, 0, 8]), bytes([1, 2, 3, 4, 5, 6, 0, 7, 8])}
FELT = {("UUDU", (0, 2)), ("UDDD", (0, 2)), ("UDDU", (0, 2))}

# The first texts in a picture, from the left.
TEXTS: list[tuple[Drawn, list[str]]] = [
    (("devil", {"n": 4}, "belief", {"HHHT", "HHHH"}), ["?", "?", "?", "?", "2", "possible"]),
    (("devil", {"n": 4}, "belief", {"HHHT"}), list("HHHT")),
    ((*DEVIL, "state", "013"), ["0", "1", "3"]),
    ((*DEVIL, "action", (0, 1, 3)), ["+1", "+3"]),
    (("nine-tails", {"start": "HHHTTTHHH"}, "belief", {"HHHTTTHHH", "HHHTTTTTH"}), list("HHHTTT??H")),
    (("sliding-tiles", {"start": "1 2 3 4 5 6 7 0 8"}, "belief", BOARDS), list("123456??8")),
    (("four-glasses", {}, "belief", FELT), ["U", "?", "D", "?", "3", "possible"]),
    (("four-glasses", {}, "belief", {("UUDU", ()), ("UUDD", ())}), list("????")),
    (("mastermind", PEGS, "belief", {"121", "123"}), ["1", "1", "2", "2", "?", "1", "3"]),
    (("mastermind", PEGS, "state", "121!"), ["1", "1", "2", "2", "1", "1"]),
    (("monty-hall", {}, "state", (1, (3,), "")), ["1", "2", "3"]),
    (("nim", {}, "state", ((), "you")), ["You"]),
    ((*GAMBLER, "action", 3), ["stake 3"]),
    (("riddler-flips", {}, "state", (37, -4)), ["A", "±1", "B", "±2", "−4", "37 of 100 flips"]),
]
# How often a text is in a drawing.
COUNTED: list[tuple[Drawn, str, int]] = [
    (("monty-hall", {}, "state", (1, (3,), "goat")), "<g ", 2),
    (("monty-hall", {"host": "ignorant"}, "state", (1, (3,), "goat")), "<g ", 1),  # it may have been the car
    (("nim", {}, "state", ((2, 5), "")), 'fill="var(--bright)"', 7),
    (("nim", {}, "action", (2, 5)), 'stroke="var(--accent)"', 2),
    ((*GAMBLER, "state", 4), 'fill="var(--bright)"', 4),
    *((("machine-repair", {}, "belief", belief), "var(--bad)", n) for belief, n in (({0}, 0), ({2}, 4), ({1, 2}, 4))),
    *((("machine-repair", {}, "belief", belief), "opacity", n) for belief, n in (({2}, 0), ({1, 2}, 2))),
    (("tiger", {}, "belief", {"left", "right"}), "<g ", 0),
    (("tiger", {}, "belief", {"left"}), "<g ", 2),
    (("noisy-monty-hall", {}, "belief", {(1, 2, 0), (3, 2, 0)}), "<g ", 0),
    (("noisy-monty-hall", {}, "belief", {(1, 2, 3)}), "<g ", 2),
    (("noisy-monty-hall", {}, "belief", {(1, 2, 3), (3, 2, 3)}), "<g ", 0),
    (HARD, "answer: no, 2 possible", 1),
    *(
        (("twenty-questions", {"odds": "1 1 1 1"}, "belief", belief), f">{said}<", 1)
        for belief, said in (({2}, "thing 2"), ({1, 3}, "2 possible"), ({None}, "named"))
    ),
]
# The squares of a colour.
COLOURED: list[tuple[Drawn, str, set[tuple[int, int]]]] = [
    (("lights-out", {"rows": 12, "cols": 12}, "state", LAMPS), "bright", {(1, 1), (2, 1)}),
    (
        # In a large room a block is shadowed that has a possible cell.
        ("lost-robot", {"rows": 96, "cols": 96}, "belief", {(1, 96), (2, 95), (96, 1), (95, 1)}),
        "blue",
        {(0, 0), (47, 47)},
    ),
    (HARD, "bright", {(1, 0), (2, 1)}),
    (MAZE, "felt", {(0, 0), (2, 0), (0, 1), (1, 1), (2, 1)}),
    (MAZE, "blue", {(0, 0), (1, 1)}),
]
SENTENCES: list[tuple[str, dict[str, Any], Any, str]] = [
    (*DEVIL, (0, 1, 3), "Turn coin 1 by 1 and coin 2 by 3"),
    ("counterfeit-coin", {"coins": 5}, ((1, 2), (4, 5)), "Weigh 1 and 2 against 4 and 5"),
    ("river-crossing", {}, "FG", "Farmer and goat cross"),
    ("rock-sample", {}, "check-2", "Check rock 2"),
    ("tiger", {}, "open-left", "Open the left door"),
    ("twenty-questions", {"odds": "1 1 1 1"}, frozenset({3, 2}), "Ask whether it is one of 2 and 3"),
]


def drawing_of(drawn: Drawn) -> Drawing:
    name, options, what, shown = drawn
    found: Drawing = getattr(puzzle(name)(**options), f"svg_{what}")(shown)
    return found


def test_texts_counts_and_colours_of_pictures() -> None:
    for drawn, expected in TEXTS:
        assert texts(drawing_of(drawn))[: len(expected)] == expected, drawn
    for drawn, text, count in COUNTED:
        assert drawing_of(drawn).svg(theme=None).count(text) == count, drawn
    for drawn, colour, squares in COLOURED:
        assert cells(drawing_of(drawn), colour) == squares, drawn
    for name, options, action, sentence in SENTENCES:
        assert puzzle(name)(**options).describe_action(action) == sentence


def test_the_devils_heads_are_bright_and_tails_dark() -> None:
    problem = puzzle("devil")(n=4)
    around = Drawing.ring(4, radius=28.45)
    for state in problem.initial_states():
        picture = problem.svg_state(state)
        for side, letter in (("bright", "H"), ("dark", "T")):
            places = [at for at, face in zip(around, state, strict=True) if face == letter]
            assert circles(picture, side) == [pytest.approx(at, abs=0.01) for at in places]


def test_the_devils_move_has_a_ring_round_each_coin_named() -> None:
    problem = puzzle("devil")(n=4)
    rings = circles(problem.svg_action(frozenset({1, 3})), "none")
    around = Drawing.ring(4, radius=28.45)
    assert rings == [pytest.approx(around[1], abs=0.01), pytest.approx(around[3], abs=0.01)]


@pytest.mark.parametrize("size", [5, 16])
def test_the_robots_shadow_lies_on_the_cells_of_the_belief(size: int) -> None:
    problem = puzzle("lost-robot")(rows=size, cols=size + 1)
    belief = {(x, y) for x, y in problem.initial_states() if (x * x + 3 * y) % 4}
    # Columns count from the west, rows from the north.
    assert cells(problem.svg_belief(belief), "blue") == {(x - 1, size - y) for x, y in belief}


def test_the_walls_that_are_felt_are_drawn_where_the_robot_may_be() -> None:
    def felt(*places: tuple[int, int]) -> int:
        picture = puzzle("lost-robot")(rows=4, cols=4, sensors="walls").svg_belief(places)
        return len(list(ElementTree.fromstring(picture.svg(theme=None)).iter(f"{SVG}line")))

    wall_in_the_west, corner, middle = (1, 2), (1, 1), (2, 2)
    alone = felt(middle)
    assert [felt(wall_in_the_west), felt(corner)] == [alone + 1, alone + 2]
    # Two cells with the same walls; and two with different ones, of which nothing has been felt yet.
    assert [felt((1, 2), (1, 3)), felt((1, 2), (2, 2))] == [2, 0]


def test_walls_are_where_the_map_has_them(tmp_path: Any) -> None:
    (tmp_path / "map.txt").write_text("####\n#.##\n#..#\n####\n")
    problem = puzzle("lost-robot")(map=tmp_path / "map.txt", goal=(2, 2))
    assert cells(problem.svg_state((2, 2)), "felt") == {(1, 1), (1, 2), (2, 2)}


def test_suspects_are_told_from_good_coins() -> None:
    problem = puzzle("counterfeit-coin")(coins=5)
    picture = problem.svg_belief({(1, "heavy"), (2, "light"), (3, "light"), (3, "heavy")})
    assert [len(circles(picture, colour)) for colour in ("bad-soft", "blue-soft", "card", "felt")] == [1, 1, 1, 2]
    assert texts(problem.svg_action(((1, 2), (4, 5)))) == ["1", "2", "4", "5"]


def test_dirt_that_is_certain_is_solid_and_other_dirt_is_faint() -> None:
    problem = puzzle("vacuum")(squares=3)
    paths = [
        path.attrib
        for path in ElementTree.fromstring(problem.svg_belief({(0, "**."), (1, "*..")}).svg(theme=None)).iter(
            f"{SVG}path"
        )
        if path.get("stroke") == "var(--brown)"
    ]
    assert [(path.get("opacity"), path["d"].count("h0")) for path in paths] == [(None, 6), ("0.35", 6)]


def test_a_dead_agent_is_crossed_out() -> None:
    problem = puzzle("wumpus")()
    start = next(iter(problem.initial_states()))
    dead = problem.results(start._replace(agent=(1, 2), wumpus=(1, 3)), "North")[0]
    crosses = [problem.svg_belief(belief).svg(theme=None).count('stroke="var(--bad)"') for belief in ([dead], [start])]
    assert crosses == [2, 0]


def test_travellers_stand_on_their_bank() -> None:
    problem = puzzle("river-crossing")()
    picture = problem.svg_state(("WC", "FG", "right"))
    at = {
        text.text: float(text.attrib["x"]) < 50
        for text in ElementTree.fromstring(picture.svg(theme=None)).iter(f"{SVG}text")
    }
    assert at == {"W": True, "C": True, "F": False, "G": False}


def test_tokens_lie_on_the_states_that_are_possible() -> None:
    problem = puzzle("reset-word")(cerny=5)
    around = Drawing.ring(5, radius=42 - 8.5)
    assert circles(problem.svg_belief({1, 4}), "bright") == [pytest.approx(around[i], abs=0.01) for i in (1, 4)]


def test_he_who_runs_away_is_faint_where_he_may_be() -> None:
    problem = puzzle("tag")(grid="../..")
    heads = [len(circles(problem.svg_belief({((0, 0), (1, 1)), ((0, 0), (1, 0))}), who)) for who in ("blue", "bad")]
    assert heads == [1, 2]
    assert problem.svg_belief({((0, 0), (1, 1)), ((0, 0), (1, 0))}).svg().count("opacity") == 4


def test_rocks_are_shown_as_far_as_they_are_known() -> None:
    problem = puzzle("rock-sample")()
    here, rocks = (0, 2), ((True, True, False, False), (True, False, False, True))
    picture = problem.svg_belief({(*here, good) for good in rocks}).svg(theme=None)
    outlines = re.findall(r'<polygon [^>]*fill="var\(--([a-z]+)\)"', picture)
    assert outlines == ["bright", "card", "dark", "card"]
