"""Numbers and lists in sentences."""

from __future__ import annotations

from collections.abc import Sequence

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MOST_NAMED = 8


def counted(count: int, thing: str) -> str:
    """`three coins`, `one coin`, `no coins`, `1,024 coins`."""
    number = _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"
    return f"{number} {thing}{'' if count == 1 else 's'}"


def listed(things: Sequence[object]) -> str:
    """`1`, `1 and 2`, `1, 2 and 3`; of many only the first and the last."""
    named = [str(thing) for thing in things]
    if len(named) > _MOST_NAMED:
        named = [", ".join([*named[: _MOST_NAMED - 2], "..."]), named[-1]]
    return " and ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))
