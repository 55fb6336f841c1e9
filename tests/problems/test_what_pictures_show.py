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


def test_the_devil_hides_coins_unless_only_one_arrangement_is_left() -> None:
    problem = puzzle("devil")(n=4)
    assert texts(problem.svg_belief({"HHHT", "HHHH"})) == ["?"] * 4 + ["2", "possible"]
    assert texts(problem.svg_belief({"HHHT"})) == list("HHHT")


def test_a_coin_of_several_faces_shows_its_number_and_how_far_it_is_turned() -> None:
    problem = puzzle("devil")(n=3, faces=4)
    assert texts(problem.svg_state("013")) == ["0", "1", "3"]
    assert len(circles(problem.svg_state("013"), "bright")) == 1
    assert texts(problem.svg_action((0, 1, 3))) == ["+1", "+3"]
    assert problem.describe_action((0, 1, 3)) == "Turn coin 1 by 1 and coin 2 by 3"


def test_a_board_shows_what_all_possible_boards_agree_on() -> None:
    tails = puzzle("nine-tails")(start="HHHTTTHHH")
    assert texts(tails.svg_belief({"HHHTTTHHH", "HHHTTTTTH"})) == list("HHHTTT??H")
    tiles = puzzle("sliding-tiles")(start="1 2 3 4 5 6 7 0 8")
    boards = {bytes([1, 2, 3, 4, 5, 6, 7, 0, 8]), bytes([1, 2, 3, 4, 5, 6, 0, 7, 8])}
    assert texts(tiles.svg_belief(boards)) == ["1", "2", "3", "4", "5", "6", "?", "?", "8"]


def test_lit_lamps_of_a_large_board_are_bright() -> None:
    problem = puzzle("lights-out")(rows=12, cols=12)
    state = "0" * 13 + "110" + "0" * 128
    assert cells(problem.svg_state(state), "bright") == {(1, 1), (2, 1)}


@pytest.mark.parametrize("size", [5, 16])
def test_the_robots_shadow_lies_on_the_cells_of_the_belief(size: int) -> None:
    problem = puzzle("lost-robot")(rows=size, cols=size + 1)
    belief = {(x, y) for x, y in problem.initial_states() if (x * x + 3 * y) % 4}
    # Columns count from the west, rows from the north.
    assert cells(problem.svg_belief(belief), "blue") == {(x - 1, size - y) for x, y in belief}


def test_a_large_room_has_a_shadow_on_each_block_with_a_possible_cell() -> None:
    problem = puzzle("lost-robot")(rows=96, cols=96)
    assert cells(problem.svg_belief({(1, 96), (2, 95), (96, 1), (95, 1)}), "blue") == {(0, 0), (47, 47)}


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


def test_felt_glasses_are_shown_and_the_others_are_not() -> None:
    problem = puzzle("four-glasses")()
    felt = {("UUDU", (0, 2)), ("UDDD", (0, 2)), ("UDDU", (0, 2))}
    assert texts(problem.svg_belief(felt)) == ["U", "?", "D", "?", "3", "possible"]
    assert texts(problem.svg_belief({("UUDU", ()), ("UUDD", ())}))[:4] == ["?"] * 4


def test_suspects_are_told_from_good_coins() -> None:
    problem = puzzle("counterfeit-coin")(coins=5)
    picture = problem.svg_belief({(1, "heavy"), (2, "light"), (3, "light"), (3, "heavy")})
    assert [len(circles(picture, colour)) for colour in ("bad-soft", "blue-soft", "card", "felt")] == [1, 1, 1, 2]
    assert texts(problem.svg_action(((1, 2), (4, 5)))) == ["1", "2", "4", "5"]
    assert problem.describe_action(((1, 2), (4, 5))) == "Weigh 1 and 2 against 4 and 5"


def test_a_peg_has_the_colours_that_are_possible() -> None:
    problem = puzzle("mastermind")(pegs=3, colours=4)
    assert texts(problem.svg_belief({"121", "123"})) == ["1", "1", "2", "2", "?", "1", "3"]
    assert texts(problem.svg_state("121!")) == ["1", "1", "2", "2", "1", "1"]


def test_possible_numbers_are_filled() -> None:
    problem = puzzle("hidden-number")(limit=16)
    picture = problem.svg_belief({(2, 0, "no"), (7, 0, "no")})
    assert cells(picture, "bright") == {(1, 0), (2, 1)}
    assert texts(picture)[-1] == "answer: no, 2 possible"


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
    assert problem.describe_action("FG") == "Farmer and goat cross"


def test_a_host_who_does_not_know_may_have_shown_the_car() -> None:
    knowing, ignorant = puzzle("monty-hall")(), puzzle("monty-hall")(host="ignorant")
    goats = [problem.svg_state((1, (3,), "goat")).svg(theme=None).count("<g ") for problem in (knowing, ignorant)]
    assert goats == [2, 1]
    assert texts(knowing.svg_state((1, (3,), ""))) == ["1", "2", "3"]


def test_heaps_have_as_many_counters_as_they_say() -> None:
    problem = puzzle("nim")()
    chips = problem.svg_state(((2, 5), "")).svg(theme=None).count('fill="var(--bright)"')
    assert chips == 7
    assert problem.svg_action((2, 5)).svg(theme=None).count('stroke="var(--accent)"') == 2
    assert "You" in texts(problem.svg_state(((), "you")))


def test_tokens_lie_on_the_states_that_are_possible() -> None:
    problem = puzzle("reset-word")(cerny=5)
    around = Drawing.ring(5, radius=42 - 8.5)
    assert circles(problem.svg_belief({1, 4}), "bright") == [pytest.approx(around[i], abs=0.01) for i in (1, 4)]


def test_chips_and_scores() -> None:
    gambler = puzzle("gambler")(goal=10, capital=3)
    assert gambler.svg_state(4).svg(theme=None).count('fill="var(--bright)"') == 4
    assert texts(gambler.svg_action(3)) == ["stake 3"]
    riddler = puzzle("riddler-flips")()
    assert texts(riddler.svg_state((37, -4))) == ["A", "±1", "B", "±2", "−4", "37 of 100 flips"]


def test_a_maze_has_its_walls_and_shadows_where_the_grid_has_them() -> None:
    problem = puzzle("maze")(grid=".#+/..-")
    picture = problem.svg_belief({(0, 0), (1, 1)})
    assert cells(picture, "felt") == {(0, 0), (2, 0), (0, 1), (1, 1), (2, 1)}
    assert cells(picture, "blue") == {(0, 0), (1, 1)}


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
    assert problem.describe_action("check-2") == "Check rock 2"


def test_parts_that_may_have_failed_are_crossed_out_faintly() -> None:
    problem = puzzle("machine-repair")()
    drawn_as = [problem.svg_belief(belief).svg(theme=None) for belief in ({0}, {2}, {1, 2})]
    assert [text.count('stroke="var(--bad)"') for text in drawn_as] == [0, 4, 4]
    assert [text.count("opacity") for text in drawn_as] == [0, 0, 2]


def test_the_tiger_is_hidden_unless_it_is_known_where_it_is() -> None:
    problem = puzzle("tiger")()
    hidden, seen = (problem.svg_belief(sides).svg(theme=None).count("<g ") for sides in ({"left", "right"}, {"left"}))
    assert (hidden, seen) == (0, 2)
    assert problem.describe_action("open-left") == "Open the left door"


def test_the_car_in_the_fog_is_hidden_unless_it_is_known_where_it_is() -> None:
    problem = puzzle("noisy-monty-hall")()
    beliefs: tuple[set[tuple[int, int, int]], ...] = ({(1, 2, 0), (3, 2, 0)}, {(1, 2, 3)}, {(1, 2, 3), (3, 2, 3)})
    assert [problem.svg_belief(belief).svg(theme=None).count("<g ") for belief in beliefs] == [0, 2, 0]


def test_the_thing_that_was_meant_is_marked_until_it_was_named() -> None:
    problem = puzzle("twenty-questions")(odds="1 1 1 1")
    assert [texts(problem.svg_belief(belief))[-1] for belief in ({2}, {1, 3}, {None})] == [
        "thing 2",
        "2 possible",
        "named",
    ]
    assert problem.describe_action(frozenset({3, 2})) == "Ask whether it is one of 2 and 3"
