"""How puzzles look and read: pictures and texts of all states, and texts and options that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from beliefsearch import ProblemError
from beliefsearch.plugins.options import make_problem
from beliefsearch_problems.battleship import BattleshipProblem
from beliefsearch_problems.coin_triangle import CoinTriangleProblem
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.egg_drop import EggDropProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.fox import FoxProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.hidden_number import HiddenNumberProblem
from beliefsearch_problems.keypad import KeypadProblem
from beliefsearch_problems.knights_swap import KnightsSwapProblem
from beliefsearch_problems.mastermind import MastermindProblem
from beliefsearch_problems.maze import MazeProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.nim import NimProblem, parse_heaps
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.pancakes import PancakesProblem
from beliefsearch_problems.pocket_cube import PocketCubeProblem
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem
from beliefsearch_problems.river_crossing import RiverCrossingProblem
from beliefsearch_problems.robber import RobberProblem, parse_edges
from beliefsearch_problems.rock_sample import RockSampleProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem
from beliefsearch_problems.tag import TagProblem
from beliefsearch_problems.ten_heads import TenHeadsProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.twenty_questions import TwentyQuestionsProblem
from beliefsearch_problems.water_jugs import WaterJugsProblem
from beliefsearch_problems.wordle import WordleProblem

# By what reads them: texts that mean the same.
READ: list[tuple[Any, Any, list[str]]] = [
    (CounterfeitCoinProblem(coins=4, reference=1).parse_action, ((1, 2), (3, 5)), ["1 2 against 3 5", "5, 3 - 2, 1"]),
    (DevilProblem(n=4).parse_action, {0, 2}, ["{0, 2}", "0,2", "0 2", "02", "{0,2}"]),
    (DevilProblem(n=4).parse_action, frozenset(), ["{}"]),
    (DevilProblem(n=12, reduced=False).parse_action, {3, 11}, ["11 3"]),
    (DevilProblem(n=1, faces=12).parse_action, (11,), ["(11)"]),
    (DevilProblem(n=2, faces=3, reduced=False).parse_action, (0, 2), ["(0, 2)"]),
    (EggDropProblem().parse_state, (3, 2), ["3"]),
    (FourGlassesProblem().parse_action, ("feel", (0, 1)), ["feel 1 2", "f12", "F 3, 0"]),
    (FourGlassesProblem().parse_action, ("turn", (1, 3)), ["turn 3 1"]),
    (FourGlassesProblem().parse_action, ("turn", ()), ["turn none", "t"]),
    (FourGlassesProblem(look=0).parse_action, ("turn", (0, 1)), ["turn 2 3"]),
    (HiddenNumberProblem(limit=8).parse_action, 3, ["at most 3?", "3"]),
    (HiddenNumberProblem(limit=3, questions="sets").parse_action, {1, 3}, ["one of 3, 1?", "1 3"]),
    (MastermindProblem(colours=6).parse_action, "1126", [" 1 1 2 6 "]),
    (NimProblem().parse_action, (2, 5), ["2 from 5", "2 5"]),
    (NimProblem().parse_action, (5, 5), ["5 From 5"]),
    (RiddlerFlipsProblem().parse_action, "B", [" b ", "coin B"]),
    (RiddlerFlipsProblem().parse_state, (3, -2), ["(3, -2)"]),
    (RiverCrossingProblem().parse_action, "FG", ["g, f"]),
    (RiverCrossingProblem("missionaries").parse_action, "MC", ["cm"]),
    (RiverCrossingProblem("jealous-husbands").parse_action, "Aa", ["aA"]),
    (RiverCrossingProblem("missionaries").parse_state, ("MMCC", "MC", "left"), ["MMCC [boat]~~~ MC"]),
    (RiverCrossingProblem("missionaries").parse_state, ("MMCC", "MC", "right"), ["cmcm~~~[boat]cm"]),
    (RiverCrossingProblem("missionaries").parse_state, ("", "MMMCCC", "right"), ["- ~~~[boat] MMMCCC"]),
    (RiverCrossingProblem("missionaries").parse_state, ("MMMCCC", "", "left"), ["MMMCCC[boat]~"]),
    (SlidingTilesProblem().parse_state, bytes([8, 6, 7, 2, 5, 4, 3, 0, 1]), ["867254301", "8,6,7, 2,5,4, 3,0,1"]),
    (TenHeadsProblem(at_once=True).parse_action, (3, 2), ["turn rt"]),
    (TenHeadsProblem(at_once=True).parse_action, (0, 3), ["Move and turn L"]),
    (TenHeadsProblem(at_once=True).parse_state, ((6, 1), (0, 0), (0, 0), (4, 2)), ["1/6 l, 2/4 rt"]),
    (WaterJugsProblem(tap=True).parse_action, (0, 2), ["fill 2"]),
    (WaterJugsProblem(tap=True).parse_action, (3, 0), ["empty 3"]),
    (WordleProblem(first=3).parse_state, "apple!", ["apple!"]),
]


def test_what_is_typed_is_understood() -> None:
    for parse, meant, texts in READ:
        for text in texts:
            assert parse(text) == meant, text


# By what reads them, with what is said: texts that are refused.
TEXTS: list[tuple[Any, str, list[str]]] = [
    (
        BattleshipProblem().parse_state,
        "such as '1-3', or with hits '1-3, hit 1'",
        ["", "9-11", "4-7", "4-6, hit 7", "4-6, miss 5", "x"],
    ),
    (BattleshipProblem().parse_action, "cell from 1 to 10", ["", "0", "11", "x"]),
    (CoinTriangleProblem(rows=2).parse_state, r"such as '.o./oo/.'", ["", ".o./oo/", ".o./oo/o", ".x./xx/."]),
    (CoinTriangleProblem(rows=2).parse_action, "such as '1 to 3'", ["", "1", "0 to 3", "1 to 7", "a to b"]),
    (CounterfeitCoinProblem(coins=4).parse_state, "is not a coin from 1 to 4", ["5 heavy", "1", "heavy"]),
    (
        CounterfeitCoinProblem(coins=4, reference=1).parse_action,
        "does not put as many coins",
        ["1 2 against 3", "1 against 6", "1 against 1", "1 2", "one against 2", ""],
    ),
    (DevilProblem().parse_action, "not a list of numbers", ["0 4", "x", "0 x", "0;1", "-1"]),
    (DevilProblem(n=2, faces=3).parse_action, "each of the 2 coins", ["1"]),
    (
        EggDropProblem().parse_state,
        "such as 'floor 0, 1 egg'",
        ["", "floor 16, 2 eggs", "floor 3, 3 eggs", "a", "1 2 3", "-1"],
    ),
    (EggDropProblem().parse_action, "floor from 1 to 15", ["", "0", "16", "x"]),
    (
        FourGlassesProblem().parse_action,
        "is not 'feel' with 2 places or 'turn' with some of them",
        ["feel 1", "feel 1 2 3", "feel 0 4", "turn 0 1 2", "0 1", "", "feel none"],
    ),
    (FourGlassesProblem(look=0).parse_action, "is not 'turn' with places", ["feel 2 3"]),
    (FourGlassesProblem().parse_state, "is not 4 letters U and D", ["UUU", "UUUX", "[U]UUU", "[U][U][U]U"]),
    (FoxProblem().parse_action, "hole from 1 to 5", ["", "0", "6", "x", "1 2"]),
    (FoxProblem().parse_state, "or 'caught'", ["", "0", "6", "x", "1 2"]),
    (HiddenNumberProblem(limit=8).parse_action, "is not a number from 1 to 7", ["8", "0", "1 2", "x", ""]),
    (HiddenNumberProblem(limit=8).parse_state, "is not a number from 1 to 8", ["9"]),
    (
        HiddenNumberProblem(limit=3, questions="sets").parse_action,
        "is not a list of some, but not all",
        ["1 2 3", "4", "", "x"],
    ),
    (
        KeypadProblem().parse_state,
        "'000 after 00'",
        ["", "01", "0112", "012", "011 after", "011 after 010", "011 01", "011 before 0"],
    ),
    (KeypadProblem().parse_action, "one of the keys 01", ["", "2", "01", "x"]),
    (KnightsSwapProblem().parse_state, r"such as 'b.b/.../w.w'", ["", "b.b/.../w..", "b.b/.../w.w/.", "x.b/.../w.w"]),
    (KnightsSwapProblem().parse_action, r"such as 'a1-b3'", ["", "a1", "a1-a2", "a1-b3-c1", "d1-b2", "b2-a4"]),
    (MastermindProblem(colours=6).parse_action, "is not 4 letters from 1 to 6", ["112", "1127", "11266", ""]),
    (MastermindProblem(distinct=True).parse_action, "'1 1 2 3' has a colour twice", ["1 1 2 3"]),
    (NimProblem().parse_state, "no position", ["", "3 x", "0 1", "-1", "over"]),
    (parse_heaps, "such as '3 4 5'", ["", "3 x", "0 1", "-1", "over"]),
    (NimProblem().parse_action, "such as '2 from 5'", ["", "2", "6 from 5", "0 from 5", "a from 5", "2 from from 5 3"]),
    (PancakesProblem().parse_action, "from 2 to 5", ["", "1", "6", "x", "-2"]),
    (
        PancakesProblem().parse_state,
        r"such as .3 1 2.|every size from 1 to 5 once",
        ["", "1 2 3 4", "1 2 3 4 4", "a", "-1 2 3 4 5"],
    ),
    (PocketCubeProblem(turns="quarter").parse_action, "none of the turns U U' R", ["", "R R", "D", "R2"]),
    (PocketCubeProblem().parse_state, "should be the 24 stickers", ["", "UUUU RRRR FFFF DDDD LLLL BBB"]),
    (
        PocketCubeProblem().parse_state,
        "no piece of a cube is left that has D, L and X",
        ["UUUU RRRR FFFF DDDD LLLL BBBX"],
    ),
    (PocketCubeProblem().parse_state, "no piece of a cube is left", ["UUUU LLLL FFFF DDDD RRRR BBBB"]),
    (PocketCubeProblem().parse_state, "hold the cube so", ["RRRR DDDD FFFF LLLL UUUU BBBB"]),
    (PocketCubeProblem().parse_state, "a corner was twisted", ["UUUF URRR FRFF DDDD LLLL BBBB"]),
    (RiddlerFlipsProblem().parse_action, "neither A nor B", ["C"]),
    (RiddlerFlipsProblem(only="b").parse_action, "'A' is not B", ["A"]),
    (RiverCrossingProblem("missionaries").parse_state, "not two banks", ["MMMCCC", "MMMCCC ~~~ -"]),
    (RiverCrossingProblem("missionaries").parse_state, "everybody once", ["MMMCCC [boat]~~~ M", "MMCC [boat]~~~ M"]),
    (RiverCrossingProblem("missionaries").parse_state, "no 'X' among MMMCCC", ["MMMCCX [boat]~~~ -"]),
    (RiverCrossingProblem().parse_action, "farmer among them", ["WG"]),
    (RiverCrossingProblem().parse_action, "no load", [""]),
    (RiverCrossingProblem().parse_action, "1 to 2", ["FWG"]),
    (RiverCrossingProblem().parse_action, "no 'X'", ["FX"]),
    (
        RobberProblem().parse_state,
        "such as 'cops 1 1, caught'",
        ["", "robber", "robber 10", "caught", "cops 1, caught", "cops 1 10, caught"],
    ),
    (RobberProblem().parse_action, "place from 1 to 9", ["", "1", "1 2 3", "0 1", "1 10", "a b"]),
    (parse_edges, "such as '1-2 2-3 2-4'", ["", "1", "1-2-3", "a-b", "1--2"]),
    (SlidingTilesProblem().parse_action, "up, down, left, right", ["", "x", "leftwards"]),
    (
        TenHeadsProblem().parse_state,
        "such as '3/10 left'",
        ["", "3/10", "11/10 left", "3/10 above", "x/10 left", "3/9 left"],
    ),
    (
        TenHeadsProblem().parse_action,
        "such as 'move left'",
        ["", "left", "move", "shake left", "move and turn left", "move middle"],
    ),
    (
        WaterJugsProblem().parse_action,
        "as '1 to 2'",
        ["", "1", "1 to 4", "1 to 1", "0 to 1", "tap to 1", "fill 1", "1 2 3"],
    ),
    (WaterJugsProblem().parse_state, r"in jugs of 8 5 3|such as '8 5 3'", ["", "8", "9 0 0", "a b c", "0 0 -1"]),
    (WordleProblem(first=3).parse_state, "is not one of the", ["spoon", "apple!!"]),
    (WordleProblem(first=3).parse_action, "is not one of the", ["xyzzy"]),
]


@pytest.mark.parametrize(
    ("parse", "said", "text"), [(parse, said, text) for parse, said, texts in TEXTS for text in texts]
)
def test_what_is_no_state_or_action_is_refused(parse: Any, said: str, text: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse(text)


# By puzzle: options that are refused, each for what is said, or else with its own name.
OPTIONS: dict[Any, list[dict[str, Any] | tuple[dict[str, Any], str]]] = {
    BattleshipProblem: [{"cells": 0}, {"cells": 201}, {"ship": 0}, {"ship": 11}, {"goal": "sail"}],
    CoinTriangleProblem: [{"rows": 0}, {"rows": 9}, {"rule": "flying"}, {"board": "round"}],
    CounterfeitCoinProblem: [{"coins": 0}, {"reference": -1}, {"kind": "gold"}],
    EggDropProblem: [{"floors": -1}, {"floors": 1001}, {"eggs": 0}],
    FourGlassesProblem: [({"look": 5}, "5 glasses cannot be felt"), {"look": -1}],
    FoxProblem: [{"holes": 0}, {"layout": "heap"}, {"nights": "sleeps"}],
    HiddenNumberProblem: [{"limit": 0}, {"lies": -1}],
    KeypadProblem: [{"keys": 0}, {"keys": 11}, {"code": 0}, {"code": 10**12}, {"code": 17}],
    KnightsSwapProblem: [{"rows": 1}, {"cols": 1}, {"rows": 9}, {"cols": 9}, {"place": "centre"}],
    MastermindProblem: [
        ({"colours": 3, "distinct": True}, "4 pegs need as many distinct colours, not 3"),
        ({"pegs": 7, "colours": 6}, "make more than 50,000 codes"),
        ({"pegs": 10**9, "colours": 10}, "make more than 50,000 codes"),
        *({"pegs": 0}, {"colours": 36}),
    ],
    NimProblem: [{"heaps": ()}, {"heaps": (3, 0)}, {"heaps": (-1,)}],
    NineTailsProblem: [
        ({"start": "HHX"}, "'X' at place 3"),
        ({"start": "HHHH"}, "4 letters, but 3 x 3 cells need 9"),
        ({"start": ""}, "0 letters"),
        ({"start": "H" * 10}, "10 letters"),
    ],
    PancakesProblem: [{"start": start} for start in ((), (1, 1), (2, 3), (0, 1), (1, -2), tuple(range(1, 62)))],
    PocketCubeProblem: [
        ({"scramble": ("R", "D")}, "'D' is no turn"),
        ({"scramble": ("R3",)}, "'R3' is no"),
        {"turns": "all"},
    ],
    RiverCrossingProblem: [
        ({"pairs": 3}, "none in wolf-goat-cabbage"),
        ({"story": "jealous-husbands", "pairs": 27}, "letters for 26"),
        ({"story": "jealous-husbands", "pairs": 26, "boat": 20}, "boat: there are .* ways to fill it"),
        ({"story": "missionaries", "pairs": 1001}, "1000 or fewer"),
        ({"story": "missionaries", "pairs": 0}, "pairs"),
        *({"boat": 0}, {"story": "bridge"}),
    ],
    RobberProblem: [
        *({"n": 0}, {"n": 30}, {"rows": 0}, {"cops": 0}, {"cops": 40}, {"graph": "knot"}),
        *({"edges": ()}, {"edges": ((1, 1),)}, {"edges": ((1, 3),)}, {"edges": ((0, 1),)}, {"edges": ((1, 10**9),)}),
    ],
    SlidingTilesProblem: [
        ({"start": "1 2 3"}, "3 numbers, but 3 x 3 cells need 9"),
        ({"start": ""}, "0 numbers"),
        ({"start": "1 2 3 4 5 6 7 8 8"}, "8 more than once"),
        ({"start": "1 2 3 4 5 6 7 8 9"}, "'9' at place 9"),
        ({"start": "1 2 x 4 5 6 7 8 0"}, "'x' at place 3"),
        ({"start": "1 2 ² 4 5 6 7 8 0"}, "'²' at place 3"),
        *({"rows": 0}, {"cols": -1}, ({"rows": 16, "cols": 17}, "more than 256"), {"estimate": "magic"}),
    ],
    TenHeadsProblem: [{"coins": 0}, {"coins": 101}, {"heads": -1}, {"heads": 11}],
    WaterJugsProblem: [
        *({"jugs": ()}, {"jugs": (0, 3)}, {"jugs": (1,) * 7}),
        *({"goal": (9, 0, 0)}, {"goal": (1, 1)}, {"start": (9, 0, 0)}),
    ],
}
# The same, as they are typed.
TYPED: list[tuple[Any, dict[str, Any], str]] = [
    (GamblerProblem, {"goal": 1}, "goal"),
    (GamblerProblem, {"capital": 0}, "capital"),
    (GamblerProblem, {"capital": 100}, "--capital must be below the goal of 100"),
    (GamblerProblem, {"p": "0"}, "--p must be a probability between 0 and 1"),
    (GamblerProblem, {"p": "7/5"}, "not 7/5"),
    (MazeProblem, {"grid": "x"}, "'x' is none of"),
    (MazeProblem, {"grid": "+"}, "no free cell"),
    (MazeProblem, {"slip": "0.6"}, "at most 1/2"),
    (MontyHallProblem, {"doors": 2}, "doors"),
    (MontyHallProblem, {"opened": 2}, "1 at the most"),
    (RiddlerFlipsProblem, {"flips": -1}, "flips"),
    (RiddlerFlipsProblem, {"p-a": "1.5"}, "--p-a must be a probability, from 0 to 1, not 3/2"),
    (RiddlerFlipsProblem, {"p-b": "-1/2"}, "--p-b must be a probability"),
    (RiddlerFlipsProblem, {"p-b": "nan"}, "--p-b"),
    (RiddlerFlipsProblem, {"value-a": 0}, "value_a"),
    (RiddlerFlipsProblem, {"state": "5"}, "'5' is not F,S"),
    (RiddlerFlipsProblem, {"state": "101,0"}, "must be from 0 to 100"),
    (RiddlerFlipsProblem, {"state": "2,10"}, "after 2 flips the score is never 10"),
    (RiddlerFlipsProblem, {"state": "0,7"}, "after 0 flips the score is never 7"),
    (RiddlerFlipsProblem, {"only": "c"}, "'c' is not one of a, b"),
    (RockSampleProblem, {"rocks": 17}, "no room for 17 rocks"),
    (RockSampleProblem, {"size": 9, "rocks": 21}, "too many states"),
    (TagProblem, {"grid": "#"}, "no free cell"),
    (TagProblem, {"grid": "?"}, "is none of"),
    (TigerProblem, {"accuracy": "1.5"}, "between 0 and 1"),
    (TigerProblem, {"discounted": "0"}, "above 0 and at most 1"),
    (TwentyQuestionsProblem, {"odds": "1 x"}, "whole numbers above 0"),
    (TwentyQuestionsProblem, {"odds": "1 " * 13}, "too many questions"),
]


@pytest.mark.parametrize(("cls", "options"), [(cls, options) for cls, many in OPTIONS.items() for options in many])
def test_bad_options(cls: Any, options: Any) -> None:
    options, said = options if isinstance(options, tuple) else (options, next(iter(options)))
    with pytest.raises(ValueError, match=said):
        cls(**options)


@pytest.mark.parametrize(("cls", "written", "told"), TYPED)
def test_parameters_out_of_range_are_told(cls: Any, written: dict[str, Any], told: str) -> None:
    with pytest.raises(ProblemError, match=told):
        make_problem(cls, written)
