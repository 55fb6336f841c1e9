"""Moves from one place to another, as they are written and typed."""

from typing import ClassVar


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
