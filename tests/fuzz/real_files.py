"""The real files that are changed: what they are made by, who reads them, and what is true of their problems."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from ..field_files import ICE, KISS, MACHINE, MAP, MEALY, POMDP, PRISM, WORDS
from ..problems.files.test_drn_files import MAZE
from ..problems.files.test_pomdpx_files import TIGER_X

TEXTS = {
    "weather.pomdp": POMDP,
    "tiger.pomdpx": TIGER_X,
    "maze.drn": MAZE,
    "robot.nm": PRISM,
    "coffee.dot": MEALY,
    "lights.kiss2": KISS,
    "ice.dot": ICE,
    "machine.txt": MACHINE,
    "room.txt": MAP,
    "words.txt": WORDS,
}

_LIMITS = ("--time-limit", "2", "--memory-limit", "500M")
_QUIET = ("--quiet", *_LIMITS)

# What reads a file of a problem, without the problem and with FILE for the file.
READERS: dict[str, tuple[tuple[str, ...], ...]] = {
    name: (
        ("run", *words, *_QUIET, "--output", "result.json"),
        ("describe", *words, *_LIMITS),
        ("check", *words, "--states", "100", *_LIMITS),
        ("export", *words, "--no-plan", "--max-nodes", "100", "--output", "graph.json", *_QUIET),
        ("show", *words, *_QUIET),
        ("prove", *words, *_QUIET, "--certificate", "result.json"),
    )
    for name, words in {
        "weather.pomdp": ("FILE.pomdp",),
        "tiger.pomdpx": ("FILE.pomdpx",),
        "maze.drn": ("FILE.drn", "--goal-label", "target", "--costs", "steps"),
        "robot.nm": ("FILE.nm",),
        "coffee.dot": ("FILE.dot",),
        "lights.kiss2": ("FILE.kiss2",),
        "ice.dot": ("prism", "--file", "FILE", "--goal-label", "work"),
        "machine.txt": ("reset-word", "--automaton", "FILE"),
        "room.txt": ("lost-robot", "--map", "FILE"),
        "words.txt": ("wordle", "--answers", "FILE"),
    }.items()
}
READERS["guesses.txt"] = (("run", "wordle", "--first", "5", "--guesses", "FILE", *_QUIET),)
TEXTS["guesses.txt"] = WORDS.upper()


class Saved(NamedTuple):
    """A file that a command writes about a problem, and between which numbers its best answer lies.

    That is the least cost, infinite if nobody wins, or with `is_value` the largest value. They come from the puzzles'
    sources; the value of a POMDP is by another's solver, or lies within what two of ours agree upon.
    """

    writes: str
    problem: tuple[str, ...]
    least: Fraction | float
    most: Fraction | float
    is_value: bool = False


def _exactly(writes: str, *problem: str, cost: Fraction | float) -> Saved:
    return Saved(writes, problem, cost, cost)


_SLIPPERY = ("vacuum", "--squares", "2", "--sensing", "local", "--variant", "slippery")

SAVED: dict[str, Saved] = {
    "potential": _exactly("prove", "devil", "--n", "4", cost=15),
    "trap": _exactly("prove", "devil", "--n", "3", cost=math.inf),
    "distances": _exactly("prove", "water-jugs", cost=7),
    "exhaustion": _exactly("prove", "vacuum", "--squares", "2", cost=4),
    "automaton": _exactly("prove", "reset-word", "--automaton", "machine.txt", cost=9),
    "belief-bounds": _exactly("prove", "battleship", "--cells", "5", "--ship", "2", cost=4),
    "capacity": _exactly("prove", "counterfeit-coin", "--coins", "4", "--reference", "1", cost=2),
    "mean-bounds": _exactly("prove", "hidden-number", "--limit", "6", "--objective", "expected", cost=Fraction(8, 3)),
    "conditional": _exactly("run", "four-glasses", cost=5),
    "policy": Saved("run", ("monty-hall",), Fraction(2, 3), Fraction(2, 3), is_value=True),
    "policy-graph": Saved("prove", ("tiger",), 19.3, 19.4, is_value=True),
    "cyclic": _exactly("run", *_SLIPPERY, cost=math.inf),
    "region": _exactly("export --region", *_SLIPPERY, cost=math.inf),
}

# What reads such a file.
USERS: tuple[tuple[str, ...], ...] = (
    ("verify", "FILE", *_LIMITS),
    ("show", "PROBLEM", "--plan", "FILE", *_QUIET),
    ("explain", "PROBLEM", "--plan", "FILE", *_QUIET),
    ("simulate", "PROBLEM", "--plan", "FILE", "--games", "2", *_QUIET),
    ("play", "PROBLEM", "--watch", "--plan", "FILE", *_QUIET),
    ("export", "PROBLEM", "--plan", "FILE", "--output", "graph.svg", "--max-nodes", "100", *_QUIET),
    ("view", "PROBLEM", "--plan", "FILE", "--no-browser", "--output", "page.html", "--max-nodes", "100", *_QUIET),
)

# Commands that read texts of states, and what such texts look like.
STATE_TEXTS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("devil", "--n", "3"): ("HHT", "HTT", "H", "T"),
    ("vacuum", "--squares", "2"): ("1 **", "0 *.", "*", "."),
    ("lost-robot", "--rows", "3", "--cols", "3"): ("1,1", "3,3", ",", "0"),
    ("wumpus",): ("row 1", "column", "gold", "1,1"),
    ("tiger",): ("left", "right", "tiger left"),
    ("counterfeit-coin", "--coins", "3"): ("1 heavy", "2 light", "heavy"),
    ("river-crossing",): ("farmer", "wolf", "|", "-"),
    ("sliding-tiles", "--rows", "2", "--cols", "2"): ("3 2 1 0", "0", "1"),
    ("nim",): ("3 4 5", "1", "0"),
}
STATE_OPTIONS: tuple[tuple[str, ...], ...] = (
    ("run", "PROBLEM", "--belief", "TEXT", *_QUIET),
    ("simulate", "PROBLEM", "--games", "1", "--start", "TEXT", *_QUIET),
    ("show", "PROBLEM", "--debug", "--at", "TEXT", *_LIMITS),
    ("describe", "PROBLEM", "--belief", "TEXT", *_LIMITS),
    ("play", "PROBLEM", "--watch", "--true-start", "TEXT", *_QUIET),
)
