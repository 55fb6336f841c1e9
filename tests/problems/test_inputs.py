"""How puzzles look and read: pictures and texts of all states, and texts and options that are refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from beliefsearch import ProblemError
from beliefsearch.plugins.options import make_problem
from beliefsearch.tools import load_problem_class
from beliefsearch_problems.lost_robot import parse_walls
from beliefsearch_problems.nim import parse_heaps
from beliefsearch_problems.robber import parse_edges
from beliefsearch_problems.vacuum import parse_floor, parse_sight

# To find a puzzle by its name, all that is installed is looked through.
puzzle: Any = cache(load_problem_class)


def made(name: str, *arguments: Any, **options: Any) -> Any:
    return puzzle(name)(*arguments, **options)


# By what reads them: texts that mean the same.
READ: list[tuple[Any, Any, list[str]]] = [
    (made("counterfeit-coin", coins=4, reference=1).parse_action, ((1, 2), (3, 5)), ["1 2 against 3 5", "5, 3 - 2, 1"]),
    (made("devil", n=4).parse_action, {0, 2}, ["{0, 2}", "0,2", "0 2", "02", "{0,2}"]),
    (made("devil", n=4).parse_action, frozenset(), ["{}"]),
    (made("devil", n=12, reduced=False).parse_action, {3, 11}, ["11 3"]),
    (made("devil", n=1, faces=12).parse_action, (11,), ["(11)"]),
    (made("devil", n=2, faces=3, reduced=False).parse_action, (0, 2), ["(0, 2)"]),
    (made("egg-drop").parse_state, (3, 2), ["3"]),
    (made("flip-exactly-k", 4, 3).parse_action, (2, 1), ["2", "2 tails and 1 head"]),
    (made("flip-exactly-k", 4, 3).parse_action, (1, 2), ["1 tail and 2 heads"]),
    (made("flip-exactly-k", 4, 3).parse_action, (0, 3), ["3 heads"]),
    (made("flip-exactly-k", 4, 3).parse_state, "HTTT", ["ttht"]),
    (made("flip-exactly-k", 4, 3, "numbered").parse_state, "TTHT", ["ttht"]),
    (made("flip-exactly-k", 4, 3, "numbered").parse_action, (1, 2, 4), ["4 1,2"]),
    (made("four-glasses").parse_action, ("feel", (0, 1)), ["feel 1 2", "f12", "F 3, 0"]),
    (made("four-glasses").parse_action, ("turn", (1, 3)), ["turn 3 1"]),
    (made("four-glasses").parse_action, ("turn", ()), ["turn none", "t"]),
    (made("four-glasses", look=0).parse_action, ("turn", (0, 1)), ["turn 2 3"]),
    (made("hidden-number", limit=8).parse_action, 3, ["at most 3?", "3"]),
    (made("hidden-number", limit=3, questions="sets").parse_action, {1, 3}, ["one of 3, 1?", "1 3"]),
    (parse_walls, ("North", "West"), ["n W", "WN", "W, N"]),
    (parse_walls, (), ["none"]),
    (made("mastermind", colours=6).parse_action, "1126", [" 1 1 2 6 "]),
    (made("nim").parse_action, (2, 5), ["2 from 5", "2 5"]),
    (made("nim").parse_action, (5, 5), ["5 From 5"]),
    (made("riddler-flips").parse_action, "B", [" b ", "coin B"]),
    (made("riddler-flips").parse_state, (3, -2), ["(3, -2)"]),
    (made("river-crossing").parse_action, "FG", ["g, f"]),
    (made("river-crossing", "missionaries").parse_action, "MC", ["cm"]),
    (made("river-crossing", "jealous-husbands").parse_action, "Aa", ["aA"]),
    (made("river-crossing", "missionaries").parse_state, ("MMCC", "MC", "left"), ["MMCC [boat]~~~ MC"]),
    (made("river-crossing", "missionaries").parse_state, ("MMCC", "MC", "right"), ["cmcm~~~[boat]cm"]),
    (made("river-crossing", "missionaries").parse_state, ("", "MMMCCC", "right"), ["- ~~~[boat] MMMCCC"]),
    (made("river-crossing", "missionaries").parse_state, ("MMMCCC", "", "left"), ["MMMCCC[boat]~"]),
    (made("sliding-tiles").parse_state, bytes([8, 6, 7, 2, 5, 4, 3, 0, 1]), ["867254301", "8,6,7, 2,5,4, 3,0,1"]),
    (made("ten-heads", at_once=True).parse_action, (3, 2), ["turn rt"]),
    (made("ten-heads", at_once=True).parse_action, (0, 3), ["Move and turn L"]),
    (made("ten-heads", at_once=True).parse_state, ((6, 1), (0, 0), (0, 0), (4, 2)), ["1/6 l, 2/4 rt"]),
    (parse_sight, (1, "*"), ["b dirty", "2, Dirty"]),
    (parse_sight, (0, "."), ["A clean"]),
    (parse_floor, (1, ".*"), [".[*]"]),
    (made("water-jugs", tap=True).parse_action, (0, 2), ["fill 2"]),
    (made("water-jugs", tap=True).parse_action, (3, 0), ["empty 3"]),
    (made("wordle", first=3).parse_state, "apple!", ["apple!"]),
    (made("wumpus").parse_action, "North", ["n"]),
    (made("wumpus").parse_action, "South", ["S"]),
    (made("wumpus").parse_action, "Shoot West", ["s w"]),
]


def test_what_is_typed_is_understood() -> None:
    for parse, meant, texts in READ:
        for text in texts:
            assert parse(text) == meant, text


# By what reads them, with what is said: texts that are refused, with bars between them.
TEXTS: list[tuple[Any, str, str]] = [
    (made("battleship").parse_state, "such as '1-3', or with hits '1-3, hit 1'", "|9-11|4-7|4-6, hit 7|4-6, miss 5|x"),
    (made("battleship").parse_action, "cell from 1 to 10", "|0|11|x"),
    (made("coin-triangle", rows=2).parse_state, r"such as '.o./oo/.'", "|.o./oo/|.o./oo/o|.x./xx/."),
    (made("coin-triangle", rows=2).parse_action, "such as '1 to 3'", "|1|0 to 3|1 to 7|a to b"),
    (made("counterfeit-coin", coins=4).parse_state, "is not a coin from 1 to 4", "5 heavy|1|heavy"),
    (
        made("counterfeit-coin", coins=4, reference=1).parse_action,
        "does not put as many coins",
        "1 2 against 3|1 against 6|1 against 1|1 2|one against 2|",
    ),
    (made("devil").parse_action, "not a list of numbers", "0 4|x|0 x|0;1|-1"),
    (made("devil", n=2, faces=3).parse_action, "each of the 2 coins", "1"),
    (made("egg-drop").parse_state, "such as 'floor 0, 1 egg'", "|floor 16, 2 eggs|floor 3, 3 eggs|a|1 2 3|-1"),
    (made("egg-drop").parse_action, "floor from 1 to 15", "|0|16|x"),
    (made("flip-exactly-k", 4, 3).parse_action, "does not say how many", "|x|4|2 tails"),
    (made("flip-exactly-k", 4, 3, "numbered").parse_action, "different places", "1,2|1,2,2|0,1,2|3,4,5|1,2,x|"),
    (made("flip-exactly-k", 4, 3).parse_state, "row of 4 coins", "HHTTT"),
    (
        made("four-glasses").parse_action,
        "is not 'feel' with 2 places or 'turn' with some of them",
        "feel 1|feel 1 2 3|feel 0 4|turn 0 1 2|0 1||feel none",
    ),
    (made("four-glasses", look=0).parse_action, "is not 'turn' with places", "feel 2 3"),
    (made("four-glasses").parse_state, "is not 4 letters U and D", "UUU|UUUX|[U]UUU|[U][U][U]U"),
    (made("fox").parse_action, "hole from 1 to 5", "|0|6|x|1 2"),
    (made("fox").parse_state, "or 'caught'", "|0|6|x|1 2"),
    (made("hidden-number", limit=8).parse_action, "is not a number from 1 to 7", "8|0|1 2|x|"),
    (made("hidden-number", limit=8).parse_state, "is not a number from 1 to 8", "9"),
    (made("hidden-number", limit=3, questions="sets").parse_action, "is not a list of some, but not all", "1 2 3|4||x"),
    (made("keypad").parse_state, "'000 after 00'", "|01|0112|012|011 after|011 after 010|011 01|011 before 0"),
    (made("keypad").parse_action, "one of the keys 01", "|2|01|x"),
    (made("knights-swap").parse_state, r"such as 'b.b/.../w.w'", "|b.b/.../w..|b.b/.../w.w/.|x.b/.../w.w"),
    (made("knights-swap").parse_action, r"such as 'a1-b3'", "|a1|a1-a2|a1-b3-c1|d1-b2|b2-a4"),
    (parse_walls, "such as 'N W', or 'none'", "|  |NX|no"),
    (made("mastermind", colours=6).parse_action, "is not 4 letters from 1 to 6", "112|1127|11266|"),
    (made("mastermind", distinct=True).parse_action, "'1 1 2 3' has a colour twice", "1 1 2 3"),
    (made("nim").parse_state, "no position", "|3 x|0 1|-1|over"),
    (parse_heaps, "such as '3 4 5'", "|3 x|0 1|-1|over"),
    (made("nim").parse_action, "such as '2 from 5'", "|2|6 from 5|0 from 5|a from 5|2 from from 5 3"),
    (made("pancakes").parse_action, "from 2 to 5", "|1|6|x|-2"),
    (made("pancakes").parse_state, r"such as .3 1 2.|every size from 1 to 5 once", "|1 2 3 4|1 2 3 4 4|a|-1 2 3 4 5"),
    (made("pocket-cube", turns="quarter").parse_action, "none of the turns U U' R", "|R R|D|R2"),
    (made("pocket-cube").parse_state, "should be the 24 stickers", "|UUUU RRRR FFFF DDDD LLLL BBB"),
    (
        made("pocket-cube").parse_state,
        "no piece of a cube is left that has D, L and X",
        "UUUU RRRR FFFF DDDD LLLL BBBX",
    ),
    (made("pocket-cube").parse_state, "no piece of a cube is left", "UUUU LLLL FFFF DDDD RRRR BBBB"),
    (made("pocket-cube").parse_state, "hold the cube so", "RRRR DDDD FFFF LLLL UUUU BBBB"),
    (made("pocket-cube").parse_state, "a corner was twisted", "UUUF URRR FRFF DDDD LLLL BBBB"),
    (made("riddler-flips").parse_action, "neither A nor B", "C"),
    (made("riddler-flips", only="b").parse_action, "'A' is not B", "A"),
    (made("river-crossing", "missionaries").parse_state, "not two banks", "MMMCCC|MMMCCC ~~~ -"),
    (made("river-crossing", "missionaries").parse_state, "everybody once", "MMMCCC [boat]~~~ M|MMCC [boat]~~~ M"),
    (made("river-crossing", "missionaries").parse_state, "no 'X' among MMMCCC", "MMMCCX [boat]~~~ -"),
    (made("river-crossing").parse_action, "farmer among them", "WG"),
    (made("river-crossing").parse_action, "no load", ""),
    (made("river-crossing").parse_action, "1 to 2", "FWG"),
    (made("river-crossing").parse_action, "no 'X'", "FX"),
    (
        made("robber").parse_state,
        "such as 'cops 1 1, caught'",
        "|robber|robber 10|caught|cops 1, caught|cops 1 10, caught",
    ),
    (made("robber").parse_action, "place from 1 to 9", "|1|1 2 3|0 1|1 10|a b"),
    (parse_edges, "such as '1-2 2-3 2-4'", "|1|1-2-3|a-b|1--2"),
    (made("sliding-tiles").parse_action, "up, down, left, right", "|x|leftwards"),
    (made("ten-heads").parse_state, "such as '3/10 left'", "|3/10|11/10 left|3/10 above|x/10 left|3/9 left"),
    (made("ten-heads").parse_action, "such as 'move left'", "|left|move|shake left|move and turn left|move middle"),
    (made("water-jugs").parse_action, "as '1 to 2'", "|1|1 to 4|1 to 1|0 to 1|tap to 1|fill 1|1 2 3"),
    (made("water-jugs").parse_state, r"in jugs of 8 5 3|such as '8 5 3'", "|8|9 0 0|a b c|0 0 -1"),
    (parse_sight, "such as 'A dirty'", "|A|dirty A|A filthy|0 dirty|AB dirty"),
    (parse_floor, "brackets", "|**|[**]|[*]x|[]|[*][*]"),
    (made("wumpus").parse_action, "Shoot and a direction", "|shoot|x|n e"),
    (made("wumpus").parse_state, "is not like", "|at 1,1|at 1,1; wumpus; pits none; gold taken; arrows 1"),
    (made("wumpus").parse_state, "is not like", "at 1,1; wumpus dead; pits none; gold taken; arrows x"),
    (made("wumpus").parse_state, "'4,1' is not a cell", "at 4,1; wumpus dead; pits none; gold taken; arrows 1"),
    (made("wordle", first=3).parse_state, "is not one of the", "spoon|apple!!"),
    (made("wordle", first=3).parse_action, "is not one of the", "xyzzy"),
]


@pytest.mark.parametrize(
    ("parse", "said", "text"), [(parse, said, text) for parse, said, texts in TEXTS for text in texts.split("|")]
)
def test_what_is_no_state_or_action_is_refused(parse: Any, said: str, text: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse(text)


# By puzzle: options that are refused, each for what is said, or else with its own name.
OPTIONS: dict[str, list[dict[str, Any] | tuple[dict[str, Any], str]]] = {
    "battleship": [{"cells": 0}, {"cells": 201}, {"ship": 0}, {"ship": 11}, {"goal": "sail"}],
    "coin-triangle": [{"rows": 0}, {"rows": 9}, {"rule": "flying"}, {"board": "round"}],
    "counterfeit-coin": [{"coins": 0}, {"reference": -1}, {"kind": "gold"}],
    "egg-drop": [{"floors": -1}, {"floors": 1001}, {"eggs": 0}],
    "flip-exactly-k": [({"n": 3, "k": 4}, "k must be at most n")],
    "four-glasses": [({"look": 5}, "5 glasses cannot be felt"), {"look": -1}],
    "fox": [{"holes": 0}, {"layout": "heap"}, {"nights": "sleeps"}],
    "hidden-number": [{"limit": 0}, {"lies": -1}],
    "keypad": [{"keys": 0}, {"keys": 11}, {"code": 0}, {"code": 10**12}, {"code": 17}],
    "knights-swap": [{"rows": 1}, {"cols": 1}, {"rows": 9}, {"cols": 9}, {"place": "centre"}],
    "lost-robot": [({"find": "place", "goal": (1, 1)}, "leave out goal or find")],
    "mastermind": [
        ({"colours": 3, "distinct": True}, "4 pegs need as many distinct colours, not 3"),
        ({"pegs": 7, "colours": 6}, "make more than 50,000 codes"),
        ({"pegs": 10**9, "colours": 10}, "make more than 50,000 codes"),
        *({"pegs": 0}, {"colours": 36}),
    ],
    "nim": [{"heaps": ()}, {"heaps": (3, 0)}, {"heaps": (-1,)}],
    "nine-tails": [
        ({"start": "HHX"}, "'X' at place 3"),
        ({"start": "HHHH"}, "4 letters, but 3 x 3 cells need 9"),
        ({"start": ""}, "0 letters"),
        ({"start": "H" * 10}, "10 letters"),
    ],
    "pancakes": [{"start": start} for start in ((), (1, 1), (2, 3), (0, 1), (1, -2), tuple(range(1, 62)))],
    "pocket-cube": [
        ({"scramble": ("R", "D")}, "'D' is no turn"),
        ({"scramble": ("R3",)}, "'R3' is no"),
        {"turns": "all"},
    ],
    "river-crossing": [
        ({"pairs": 3}, "none in wolf-goat-cabbage"),
        ({"story": "jealous-husbands", "pairs": 27}, "letters for 26"),
        ({"story": "jealous-husbands", "pairs": 26, "boat": 20}, "boat: there are .* ways to fill it"),
        ({"story": "missionaries", "pairs": 1001}, "1000 or fewer"),
        ({"story": "missionaries", "pairs": 0}, "pairs"),
        *({"boat": 0}, {"story": "bridge"}),
    ],
    "robber": [
        *({"n": 0}, {"n": 30}, {"rows": 0}, {"cops": 0}, {"cops": 40}, {"graph": "knot"}),
        *({"edges": ()}, {"edges": ((1, 1),)}, {"edges": ((1, 3),)}, {"edges": ((0, 1),)}, {"edges": ((1, 10**9),)}),
    ],
    "sliding-tiles": [
        ({"start": "1 2 3"}, "3 numbers, but 3 x 3 cells need 9"),
        ({"start": ""}, "0 numbers"),
        ({"start": "1 2 3 4 5 6 7 8 8"}, "8 more than once"),
        ({"start": "1 2 3 4 5 6 7 8 9"}, "'9' at place 9"),
        ({"start": "1 2 x 4 5 6 7 8 0"}, "'x' at place 3"),
        ({"start": "1 2 ² 4 5 6 7 8 0"}, "'²' at place 3"),
        *({"rows": 0}, {"cols": -1}, ({"rows": 16, "cols": 17}, "more than 256"), {"estimate": "magic"}),
    ],
    "ten-heads": [{"coins": 0}, {"coins": 101}, {"heads": -1}, {"heads": 11}],
    "vacuum": [
        ({"seen": (2, "*")}, "there is no square C; with 2 squares the last is B"),
        ({"start": (0, "***")}, "has 3 squares, not 2"),
        ({"start": (0, "**"), "seen": (0, "*")}, "exclude each other"),
    ],
    "water-jugs": [
        *({"jugs": ()}, {"jugs": (0, 3)}, {"jugs": (1,) * 7}),
        *({"goal": (9, 0, 0)}, {"goal": (1, 1)}, {"start": (9, 0, 0)}),
    ],
}
OPTIONS["wumpus"] = [
    ({"pits": 6}, "too few for the wumpus and 6 pits"),
    ({"rows": 1, "cols": 2, "pits": 0}, "only 0 cells of a cave of 1 x 2"),
]
# The same, as they are typed.
TYPED: list[tuple[str, dict[str, Any], str]] = [
    ("gambler", {"goal": 1}, "goal"),
    ("gambler", {"capital": 0}, "capital"),
    ("gambler", {"capital": 100}, "--capital must be below the goal of 100"),
    ("gambler", {"p": "0"}, "--p must be a probability between 0 and 1"),
    ("gambler", {"p": "7/5"}, "not 7/5"),
    ("maze", {"grid": "x"}, "'x' is none of"),
    ("maze", {"grid": "+"}, "no free cell"),
    ("maze", {"slip": "0.6"}, "at most 1/2"),
    ("monty-hall", {"doors": 2}, "doors"),
    ("monty-hall", {"opened": 2}, "1 at the most"),
    ("riddler-flips", {"flips": -1}, "flips"),
    ("riddler-flips", {"p-a": "1.5"}, "--p-a must be a probability, from 0 to 1, not 3/2"),
    ("riddler-flips", {"p-b": "-1/2"}, "--p-b must be a probability"),
    ("riddler-flips", {"p-b": "nan"}, "--p-b"),
    ("riddler-flips", {"value-a": 0}, "value_a"),
    ("riddler-flips", {"state": "5"}, "'5' is not F,S"),
    ("riddler-flips", {"state": "101,0"}, "must be from 0 to 100"),
    ("riddler-flips", {"state": "2,10"}, "after 2 flips the score is never 10"),
    ("riddler-flips", {"state": "0,7"}, "after 0 flips the score is never 7"),
    ("riddler-flips", {"only": "c"}, "'c' is not one of a, b"),
    ("rock-sample", {"rocks": 17}, "no room for 17 rocks"),
    ("rock-sample", {"size": 9, "rocks": 21}, "too many states"),
    ("tag", {"grid": "#"}, "no free cell"),
    ("tag", {"grid": "?"}, "is none of"),
    ("tiger", {"accuracy": "1.5"}, "between 0 and 1"),
    ("tiger", {"discounted": "0"}, "above 0 and at most 1"),
    ("twenty-questions", {"odds": "1 x"}, "whole numbers above 0"),
    ("twenty-questions", {"odds": "1 " * 13}, "too many questions"),
]


@pytest.mark.parametrize(("name", "options"), [(name, options) for name, many in OPTIONS.items() for options in many])
def test_bad_options(name: str, options: Any) -> None:
    options, said = options if isinstance(options, tuple) else (options, next(iter(options)))
    with pytest.raises(ValueError, match=said):
        made(name, **options)


@pytest.mark.parametrize(("name", "written", "told"), TYPED)
def test_parameters_out_of_range_are_told(name: str, written: dict[str, Any], told: str) -> None:
    with pytest.raises(ProblemError, match=told):
        make_problem(puzzle(name), written)
