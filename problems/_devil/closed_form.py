"""Answer to the devil's game for any number of coins, by the theorem: its checker, and its arguments in words."""

from collections.abc import Callable, Mapping
from typing import Any

from beliefsearch.hooks import Construction, ConstructionHook

from . import groups
from .checks import is_forced
from .invariant_chain import InvariantChain, can_be_doubled, chain_for, doubled_move
from .looks import CoinLooks
from .moves import count_classes
from .table import Move
from .turning_trap import TurningTrap, find_trap

_MOST_LISTED = 8
_MOST_PLACES = 12
_MOST_PERMUTED = 6
_MOST_ORDERED = 40
"""Of more coins the order of a group is not said: to find it takes long."""

_MOST_CANONICAL = 24
"""Of more coins nobody lists the legal moves, and a class may have very many."""


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
    """Explain how Lamping doubles plans for half as many coins to one for `n`; `made_so`: the plan shown is this."""
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
    """Explain how the devil keeps some coins unequal for ever."""
    cycle = trap.cycles[0]
    shown = ", ".join(map(str, cycle if len(cycle) <= _MOST_PLACES else [*cycle[:3], "...", cycle[-1]]))
    taken = f"Take their faces modulo {trap.modulus}."
    if trap.sums < len(cycle):
        taken = f"Add up, modulo {trap.modulus}, the faces of those that lie {trap.sums} apart: {trap.sums} sums."
    return (
        f"The devil can move the coins at {shown} round, each to the next one's place.\n"
        f"{taken} If they are not all equal, no move makes them so both when he leaves the table alone\n"
        f"and when he first moves them on once: else all {trap.sums} would have changed by the same amount, which is"
        f" 0 because {trap.sums} times\n"
        f"it is 0 modulo {trap.modulus}, and each would have been equal to the next. So they need never be all equal."
    )


class DevilClosedForm(CoinLooks, ConstructionHook[Move]):
    """The answer by the theorem, for a group of permutations and a goal of equal coins.

    With F faces the player can force the goal if there is one coin, or nothing is done to the table, or if F is a power
    of a prime p and the order of the group is a power of p, too. He then needs F^N - 1 moves, or
    F^(N-1) - 1 if it is enough that all coins are equal. In all other cases he cannot force either.
    """

    meddle: int | None
    cost: str
    lamping: bool

    def construction(self) -> Construction[Move] | None:
        """The answer; None if the rules are others."""
        if not self._is_classic:
            return None
        states = count_classes(self.n, self.faces, self.group) if self.is_reduced else self.faces**self.n
        trap = find_trap(self.n, self.faces, self.group, self.turn_by)
        if trap is not None:
            # Of permutations at will a search for a proof lists all arrangements, however few classes there are.
            takes_long = self.turn_by is not None or (self.group == groups.PERMUTATIONS and self.n > _MOST_PERMUTED)
            text = self._of_group(trap_text(trap))
            return Construction(None, _no_move, trap.evidence, states, text, takes_long)
        text = chain_text(self._chain, lambda level: self.format_action(self._move_of_level(level)))
        if self.may_be_doubled and self.n > 1:
            text += "\n" + doubling_text(self.n, made_so=self.lamping or self.n == 2)  # for two coins both are the same
        explanation = self._of_group(text)
        return Construction(self._forced_length, self._move_at, self._chain.evidence, states, explanation, self.lamping)

    def check_construction(self, evidence: Mapping[str, Any]) -> int | None:
        """As `ConstructionHook.check_construction`.

        That no sequence is shorter needs no evidence. A devil who does nothing makes every move a bijection of
        the arrangements, so a move wins from at most one that was not yet won; from F, with all equal as goal.
        """
        if not self._is_classic:
            raise ValueError("the theorem is about the game without other rules than its group and its goal")
        same = self.goal == "all-same"
        forced = is_forced(evidence, self.n, self.faces, self.group, self.turn_by, from_constants=same)
        return self._forced_length if forced else None

    @property
    def _is_classic(self) -> bool:
        """Whether the theorem is about this game: but for the group and the goal, the devil's game as it was told."""
        limits = (self.flip_at_most, self.told, self.meddle or None)
        return (
            limits == (None,) * 3
            and self.turn_by != 0
            and self.goal in ("all-heads", "all-same")
            and self.cost == "moves"
        )

    @property
    def may_be_doubled(self) -> bool:
        """Whether Lamping's plan works for this table."""
        turned = self.group in (groups.TURNS, groups.REFLECTIONS) or (self.group == groups.PERMUTATIONS and self.n <= 2)
        return (
            self._is_classic
            and self.turn_by is None
            and self.faces == 2
            and self.goal == "all-heads"
            and turned
            and can_be_doubled(self.n)
        )

    def _of_group(self, text: str) -> str:
        """An explanation with the order of a group that is not known by its name."""
        if self.group in groups.KNOWN or self.n > _MOST_ORDERED:
            return text
        return f"The devil's group has the order {groups.order(self.group, self.n):,}.\n{text}"

    @property
    def _forced_length(self) -> int:
        """The least number of moves that wins, if the player can force a win."""
        return int(self.faces ** (self.n - (self.goal == "all-same"))) - 1

    @property
    def _chain(self) -> InvariantChain:
        """The levels of moves with which the player wins, if he can force a win."""
        return chain_for(
            self.n, self.faces, self.group, from_constants=self.goal == "all-same", first_of_class=self.is_reduced
        )

    def _move_at(self, place: int) -> Move:
        """The move of the constructed plan at `place`, counted from 0; it is also legal if `reduced`."""
        if not 0 <= place < self._forced_length:
            raise IndexError(f"the plan has no move at place {place}")
        return self._move_of_level(self._chain.level_of(place + 1))

    def _move_of_level(self, level: int) -> Move:
        if self.lamping:
            return self.move_of(self.canonical(self.coins_of(doubled_move(self.n, level))))
        move = self.move_by(self._chain.word(level))
        if self._chain.words is None or self.n > _MOST_CANONICAL:
            return move
        return self.move_of(self.canonical(self.coins_of(move)))


def _no_move(place: int) -> Move:
    raise IndexError("there is no plan, so it has no moves")
