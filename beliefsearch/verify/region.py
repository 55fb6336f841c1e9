"""The verdict on a winning region: every safe action stays in it, and from every state a goal stays in reach.

Who only does safe actions, and each of them now and then, wins with probability 1 from every belief of the region,
where results and percepts come by chance: the theorem of `check_plan` in `checker`, with the order in which states are
found to come to an end as ranks. That nobody wins from other beliefs, or after other actions, is not proved. A table
would take twice the time and the memory: of a region every option is followed anyway, so nothing is left for hints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ..errors import InvalidPlanError
from ..model.belief import no_tick
from .asked_game import AskedGame
from .checker import UnreadableError, WrongError, require
from .hints.plan_tables import belief_text, nearest_first
from .numbered import UNLIMITED
from .verdict import DoesNotHoldError

_Options: TypeAlias = "list[tuple[int, dict[int, int]]]"
"""The safe actions of a belief, each with the number of the belief that follows, by percept."""


def check_region(problem: Any, written: Mapping[str, Any], tick: Callable[[], None] = no_tick) -> tuple[int, bool]:
    """Check a region in a plan file; returns how many beliefs it has, and whether the start is one of them.

    Raises `InvalidPlanError` if it is malformed, and `DoesNotHoldError` if it does not hold.
    """
    names = {kind: _list(written, kind) for kind in ("states", "actions")}
    beliefs = [_numbers(entry, len(names["states"])) for entry in _list(written, "beliefs")]
    safe = [_numbers(entry, len(names["actions"])) for entry in _list(written, "safe")]
    if len(safe) != len(beliefs):
        raise InvalidPlanError(f"it has {len(beliefs)} beliefs, but safe actions of {len(safe)}")
    if not all(beliefs):
        raise InvalidPlanError("a belief has at least one state")
    try:
        game = AskedGame(problem, names, tick)
    except UnreadableError as error:
        raise InvalidPlanError(str(error)) from None
    except WrongError as error:
        raise DoesNotHoldError(str(error)) from None
    try:
        game.walk(most=UNLIMITED)
        _Check(game, beliefs, tick).run(safe)
        start = written.get("start")
        begins = type(start) is int and 0 <= start < len(beliefs) and game.start == {*beliefs[start]}
        require(begins or start is None, f"its start is said to be belief {start!r:.40}, which it is not")
    except WrongError as error:
        raise DoesNotHoldError(game.named(error)) from None
    return len(beliefs), begins


class _Check:
    """The beliefs as bit sets, and what may follow by their safe actions."""

    def __init__(self, game: AskedGame, members: Sequence[list[int]], tick: Callable[[], None]) -> None:
        self._game, self._members, self._tick = game, members, tick
        self._beliefs = [sum(1 << s for s in belief) for belief in members]
        self._number_of = {belief: number for number, belief in enumerate(self._beliefs)}
        if len(self._number_of) < len(members):
            raise InvalidPlanError("it lists a belief more than once")
        # By action and state what may follow: percepts, each with the states that may come with it.
        self._rows: list[dict[int, tuple[tuple[int, int], ...]]] = [{} for _ in game.steps]

    def run(self, safe: Sequence[Sequence[int]]) -> None:
        """Stop if the region does not hold; `safe` are the actions by belief."""
        after = [self._follow(number, actions) for number, actions in enumerate(safe)]
        # By belief its states from which safe actions may lead to a won belief, as far as that is known.
        able = [0 if options else belief for belief, options in zip(self._beliefs, after, strict=True)]
        waiting = nearest_first([[*children.values()] for _, children in options] for options in after)
        while waiting:
            gained = False
            for number in waiting:
                self._tick()
                found = sum(1 << s for s in self._members[number] if self._leads_on(s, after[number], able))
                gained = gained or found != able[number]
                able[number] = found
            waiting = [number for number in waiting if able[number] != self._beliefs[number]]
            for number in waiting if not gained else ():
                stuck = next(s for s in self._members[number] if not able[number] >> s & 1)
                away = f"no listed actions lead to a won belief if the game is in state {stuck}"
                require(False, f"from {self._text(number)} {away}")

    def _follow(self, number: int, actions: Sequence[int]) -> _Options:
        """Do each safe action in every state of a belief."""
        self._tick()
        won = self._game.is_won(self._members[number])
        require(not won or not actions, f"{self._text(number)} is won, but it lists actions there")
        require(won or actions, f"{self._text(number)} is not won, and no action is listed there")
        options: _Options = []
        for action in actions:
            images: dict[int, int] = {}
            rows = self._rows[action]
            for s in self._members[number]:
                for percept, mask in rows[s] if s in rows else self._ask(action, s):
                    images[percept] = images.get(percept, 0) | mask
            for percept, image in images.items():
                after = self._number_of.get(image)
                if after is None:
                    outside = [s for s in range(image.bit_length()) if image >> s & 1]
                    where = f"action {action} in {self._text(number)}"
                    require(False, f"{where} may lead to {belief_text(outside)}, which is not listed")
                images[percept] = self._number_of[image]
            options.append((action, images))
        return options

    def _ask(self, action: int, state: int) -> tuple[tuple[int, int], ...]:
        step = self._game.steps[action][state]
        require(step is not None, f"action {action} does not apply in state {state}")
        found = tuple((percept, sum(1 << t for t in results)) for percept, results in step)
        self._rows[action][state] = found
        return found

    def _leads_on(self, state: int, options: _Options, able: Sequence[int]) -> bool:
        """Whether one of the options may lead from a state to one that is known to be able to go on."""
        for action, children in options:
            for percept, mask in self._rows[action][state]:
                if able[children[percept]] & mask:
                    return True
        return False

    def _text(self, number: int) -> str:
        return belief_text(self._members[number])


def _list(written: Mapping[str, Any], key: str) -> list[Any]:
    value = written.get(key)
    if not isinstance(value, list):
        raise InvalidPlanError(f"its plan should have a list {key!r}, but that is {value!r:.40}")
    return value


def _numbers(entry: Any, size: int) -> list[int]:
    """A list of different numbers below `size`."""
    if not isinstance(entry, list) or not all(type(number) is int and 0 <= number < size for number in entry):
        raise InvalidPlanError(f"{entry!r:.40} should be a list of whole numbers from 0 to {size - 1}")
    if len(set(entry)) < len(entry):
        raise InvalidPlanError(f"{entry!r:.40} has a number twice")
    return entry
