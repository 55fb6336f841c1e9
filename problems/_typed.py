"""Values as they are written and typed: lists of whole numbers, and moves from one place to another."""

from collections.abc import Iterable
from typing import ClassVar


def numbers_in(text: str, expected: str, *, signed: bool = False) -> tuple[int, ...]:
    """Whole numbers between spaces or commas, at least one; a ValueError says what is `expected`."""
    words = text.replace(",", " ").split()
    if not words or not all((word.removeprefix("-") if signed else word).isdecimal() for word in words):
        raise ValueError(f"it should be {expected}")
    return tuple(map(int, words))


def number_list(numbers: Iterable[int]) -> str:
    """The inverse of `numbers_in`."""
    return " ".join(map(str, numbers))


class FromTo:
    """Actions that are pairs of places, which are numbered from 0 on and written from `first_place` on."""

    first_place: ClassVar[int] = 1

    def format_action(self, action: tuple[int, int]) -> str:
        return f"{action[0] + self.first_place} to {action[1] + self.first_place}"

    def parse_action(self, text: str) -> tuple[int, int]:
        """The two places: `3 to 4`, `3 4`."""
        words = text.replace("to", " ").split()
        if len(words) != 2 or not all(word.isdecimal() for word in words):
            raise ValueError(f"{text!r} does not say from which place to which, such as '3 to 4'")
        return int(words[0]) - self.first_place, int(words[1]) - self.first_place
