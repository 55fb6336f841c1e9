"""Rules about hooks: the decorator with which files in `hooks/` register them, and how these files are found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeAlias, TypeVar

from attrs import frozen

from ...model.hooks import HOOKS
from ...model.problem import BeliefProblem

Item = TypeVar("Item")
Transitions: TypeAlias = "Mapping[Any, Mapping[Any, tuple[Any, ...]]]"
Check: TypeAlias = "Callable[[Any, Transitions], object]"
"""Function that checks a rule for a problem and its known results, by state and action.

It raises `Broken`, `NotHere` or `Partly`. Its work is bounded, whatever the size of the problem.
"""


class Broken(Exception):
    """Raised if a rule is broken; `about` is the state that breaks it, or the state and the action."""

    def __init__(self, complaint: str, *about: Any) -> None:
        super().__init__(complaint)
        self.about = about


def broken_if(complaint: str | None) -> None:
    """Raise `Broken` if there is a complaint."""
    if complaint is not None:
        raise Broken(complaint)


class NotHere(Exception):
    """Raised by a rule about a hook that returns None, "not for this instance"."""


def given(answer: Any) -> Any:
    """Return the answer of a hook; raises `NotHere` if it is None."""
    if answer is None:
        raise NotHere
    return answer


class Partly(Exception):
    """Raised by a rule that found no violation but did not look at everything; the text says what it looked at."""


@frozen
class HookRule:
    """A rule about hooks: for problems with one of them."""

    name: str
    meaning: str
    hooks: tuple[type, ...]
    check: Check
    if_sound: bool  # whether it makes sense only if no other rule is broken
    why: str  # the consequence of breaking it, as a sentence


_FOUND: dict[str, HookRule] = {}


def rule(name: str, meaning: str, *hooks: type, why: str, if_sound: bool = False) -> Callable[[Check], Check]:
    """Register a function as the check of a rule; see `HookRule`."""

    def enter(check: Check) -> Check:
        _FOUND[name] = HookRule(name, meaning, hooks, check, if_sound, why)
        return check

    return enter


def hook_rules() -> list[HookRule]:
    """All rules about hooks, in the order of the hooks; those for sound problems last."""
    folder = import_module(f"{__package__}.hooks")
    for module in iter_modules(folder.__path__):
        import_module(f"{folder.__name__}.{module.name}")
    places: list[type] = [*HOOKS]
    return sorted(_FOUND.values(), key=lambda found: (found.if_sound, places.index(found.hooks[0])))


def evenly(items: Sequence[Item], most: int, first: int = 0) -> Sequence[Item]:
    """At most so many of the items, evenly spread, beginning with the one at the place `first`."""
    size = len(items)
    return items if size <= most else [items[(first + place * size // most) % size] for place in range(most)]


def tell_if_partly(looked_at: Sequence[Any], every: Collection[Any], what: str = "actions") -> None:
    """Raise `Partly` if not all actions, or states, were looked at."""
    if len(looked_at) < len(every):
        raise Partly(f"{'for ' * (what == 'actions')}{len(looked_at):,} of {len(every):,} {what}")


def shortened(problem: BeliefProblem[Any, Any, Any], belief: Iterable[Any]) -> str:
    """A belief as text, with its first six states."""
    texts = sorted(problem.format_state(state) for state in belief)
    return "{" + ", ".join(texts[:6]) + (", ..." if len(texts) > 6 else "") + "}"
