"""The arguments for the two answers to the devil's game, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .invariant_chain import InvariantChain
    from .turning_trap import TurningTrap

_MOST_LISTED = 8
_MOST_PLACES = 12


def chain_text(chain: InvariantChain, written: Callable[[int], str]) -> str:
    """The moves of the plan, how often each occurs, and why they win; `written` is the move of a level as text."""
    top, base = chain.levels - 1, chain.base
    if top < 0:
        return "Every arrangement is won before the first move."
    count = f"{base**chain.power} arrangements" if chain.from_constants else "one arrangement"
    shortest = f"No sequence is shorter: if the devil does nothing, a move wins from at most {count} not yet won."
    if top == 0:
        return f"The only move is {written(0)}, {base - 1} times: it meets every case there is.\n{shortest}"
    if chain.levels <= _MOST_LISTED and chain.n <= _MOST_PLACES:
        moves = "The moves, one a level, lowest level first: " + "; ".join(map(written, range(chain.levels))) + "."
    else:
        turned = [sum(map(bool, chain.word(level))) for level in (0, 1, top)]
        moves = (
            f"There are {chain.levels} moves, one a level: level 0 is to turn {turned[0]} coins, level 1"
            f" {turned[1]}, and so on; level {top} is to turn {turned[2]}."
        )
    often = f"{base}^({top} - v)" if base == 2 else f"{base - 1} * {base}^({top} - v)"
    return (
        f"{moves}\n"
        f"Move number t, from 1, is of level v if {base}^v divides t and {base}^(v+1) does not: {often} times in all.\n"
        "Whatever the devil does to the table changes the move of a level only by moves of the levels below. So the\n"
        f"moves below level v, done {base} times with the move of level v in between, meet every case of level v.\n"
        f"{shortest}"
    )


def doubling_text(n: int, *, made_so: bool) -> str:
    """How Lamping doubles a plan for half as many coins to one for `n`; `made_so`: the plan shown is this one."""
    half = n // 2
    if half == 1:
        made, wins, middle = "3", "single move that wins with 1 coin", ""
    elif half <= 16:
        made, wins = f"{2**n - 1:,}", f"{2**half - 1:,} that win with {half} coins"
        middle = f" s2 d ... s{2**half - 1} d"
    else:
        made, wins, middle = f"2^{n:,} - 1", f"2^{half:,} - 1 that win with {half:,} coins", " s2 d s3 d ..."
    start = f"These {made} moves come from" if made_so else f"Another plan of {made} moves is made out of"
    return (
        f"{start} the {wins} (John Lamping): d s1 d{middle}, where d is the moves for {half:,},\n"
        "each doubled: made in both halves of the table; and s1, s2, ... are the same, made in the first half only.\n"
        "Look at the XOR of each coin and the one opposite: d leaves them as they are; s1, s2, ... win the smaller\n"
        "game with them. Once all are 0 opposite coins are alike, and the next d wins the smaller game with the pairs."
        + ("" if made_so else "\n--lamping makes the plan that way.")
    )


def trap_text(trap: TurningTrap) -> str:
    """How the devil keeps some coins unequal for ever."""
    cycle = trap.cycles[0]
    shown = ", ".join(map(str, cycle if len(cycle) <= _MOST_PLACES else [*cycle[:3], "...", cycle[-1]]))
    return (
        f"The devil can move the coins at {shown} round, each to the next one's place.\n"
        f"Take their faces modulo {trap.modulus}. If they are not all equal, no move makes them so both when he leaves"
        " the table alone\n"
        f"and when he first moves them on once: else all {len(cycle)} would have changed by the same amount, which is"
        f" 0 because {len(cycle)} times\n"
        f"it is 0 modulo {trap.modulus}, and each would have been equal to the next. So they need never be all equal."
    )
