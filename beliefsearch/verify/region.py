"""The verdict on a winning region: every safe action stays in it, and from every state a goal stays in reach.

Who only does safe actions, and each of them now and then, wins with probability 1 from every belief of the region,
where results and percepts come by chance: the theorem of `check_plan` in `checker`, with ranks that `plans.courses`
finds, and that need not be trusted. That nobody wins from other beliefs, or after other actions, is not proved. A table
would take twice the time and the memory: of a region every option is followed anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import DoesNotHoldError, InvalidPlanError
from ..model.belief import no_tick
from ..plans.courses import Option, Ranks, ranks_of
from ..plans.wording import plural
from .asked_game import AskedGame
from .checker import UnreadableError, WrongError, index, items, require, unreadable


def check_region(problem: Any, written: Mapping[str, Any], tick: Callable[[], None] = no_tick) -> tuple[int, bool]:
    """Check a region in a plan file; returns how many beliefs it has, and whether the start is one of them.

    Raises `InvalidPlanError` if it is malformed, and `DoesNotHoldError` if it does not hold.
    """
    try:
        names = {kind: items(written.get(kind), f"its list of {kind}") for kind in ("states", "actions")}
        beliefs = _sets(written, "beliefs", len(names["states"]))
        safe = _sets(written, "safe", len(names["actions"]))
        if len(safe) != len(beliefs):
            unreadable(f"it has {len(beliefs)} beliefs, but safe actions of {len(safe)}")
        if not all(beliefs):
            unreadable("a belief has at least one state")
        game = AskedGame(problem, names, tick)
    except UnreadableError as error:
        raise InvalidPlanError(str(error)) from None
    except WrongError as error:
        raise DoesNotHoldError(str(error)) from None
    try:
        game.walk()
        _follow(game, beliefs, safe, tick)
        start = written.get("start")
        begins = type(start) is int and 0 <= start < len(beliefs) and game.start == {*beliefs[start]}
        require(begins or start is None, f"its start is said to be belief {start!r:.40}, which it is not")
    except WrongError as error:
        raise DoesNotHoldError(game.named(error)) from None
    return len(beliefs), begins


def _follow(
    game: AskedGame, beliefs: Sequence[Sequence[int]], safe: Sequence[Sequence[int]], tick: Callable[[], None]
) -> None:
    """Stop if the region does not hold: do the safe actions in every state of each belief."""
    number_of = {frozenset(belief): number for number, belief in enumerate(beliefs)}
    if len(number_of) < len(beliefs):
        raise InvalidPlanError("it lists a belief more than once")
    options: list[list[Option]] = []
    for members, actions in zip(beliefs, safe, strict=True):
        tick()
        won, options_here = game.is_won(members), []
        if won == bool(actions):
            what = "won, but it lists actions there" if won else "not won, and no action is listed there"
            require(False, f"{_text(members)} is {what}")
        for action in actions:
            able = game.steps[action]
            if barred := [s for s in members if able[s] is None]:
                require(False, f"action {action} does not apply in state {barred[0]}")
            after = {}
            for percept, outcome in game.outcomes(action, members).items():
                number = number_of.get(frozenset(outcome))
                if number is None:
                    where = f"action {action} in {_text(members)}"
                    require(False, f"{where} may lead to {_text(sorted(outcome))}, which is not listed")
                    continue
                after[percept] = number
            options_here.append((action, after))
        options.append(options_here)
    ranks = ranks_of(game, beliefs, options, tick)  # which need not be right: a state without one is found here, too
    for members, options_here, known in zip(beliefs, options, ranks, strict=True):
        tick()
        for s in members if options_here else ():
            if s not in known or not _falls(game, s, known[s], options_here, ranks):
                away = f"no listed actions lead to a won belief if the game is in state {s}"
                require(False, f"from {_text(members)} {away}")


def _falls(game: AskedGame, state: int, rank: int, options: Sequence[Option], ranks: Ranks) -> bool:
    """Whether some option may lead from a state of this rank to one of a lower rank."""
    for action, after in options:
        for percept, results in game.steps[action][state]:
            known = ranks[after[percept]]
            for t in results:
                if known.get(t, rank) < rank:
                    return True
    return False


def _text(members: Sequence[int]) -> str:
    """A belief in words: one state of it, and how many others there are."""
    more = f" or {plural(len(members) - 1, 'other')}" if len(members) > 1 else ""
    return f"state {members[0]}{more}"


def _sets(written: Mapping[str, Any], key: str, size: int) -> list[list[int]]:
    """The entries of a list: different numbers below `size`."""
    found = []
    for j, entry in enumerate(items(written.get(key), f"its list of {key}")):
        found.append(
            [index(k, size, f"a number in entry {j} of its list of {key}") for k in items(entry, f"entry {j}")]
        )
        if len(set(entry)) < len(entry):
            unreadable(f"entry {j} of its list of {key} has a number twice")
    return found
