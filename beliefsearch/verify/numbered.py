"""Numbers for states, actions and percepts, in the order in which they come up, or as a file lists them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import filterfalse
from typing import Any, Generic, TypeVar

from ..errors import InvalidProofError, ProblemError
from ..model.exact import exact
from ..plans.encoding import encode_action, encode_percept, encode_state
from .checker import UnreadableError, WrongError

Item = TypeVar("Item", bound=Hashable)

UNLIMITED = 10**15
"""In memory a game is listed as far as that goes."""


def too_large(why: str) -> ProblemError:
    """The error that a game is too large to be listed."""
    return ProblemError(f"the game has {why}, too many to be listed; `verify` checks a proof without a list")


def written(number: Any) -> int | str | None:
    """A number as these files have it: a whole number, a fraction as text, null for infinity."""
    if number == math.inf:
        return None
    found = exact(number)
    return found if type(found) is int else str(found)


def list_of(data: Mapping[str, Any], key: str, length: int | None = None) -> list[Any]:
    """The list in this field, of length `length` if given."""
    value = data.get(key)
    if not isinstance(value, list):
        raise InvalidProofError(f"its field {key!r} should be a list, but is {value!r:.40}")
    if length is not None and len(value) != length:
        raise InvalidProofError(f"its field {key!r} has {len(value)} entries for {length} states")
    return value


class Numbered(Generic[Item]):
    """Items, numbered in the order in which they are first asked for."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self.items: list[Item] = []
        self._numbers: dict[Item, int] = {}
        for item in items:
            self.number(item)

    def number(self, item: Item) -> int:
        """The number of an item."""
        found = self._numbers.setdefault(item, len(self.items))
        if found == len(self.items):
            self.items.append(item)
        return found


class Named(Numbered[Any]):
    """Numbered states, actions or percepts of a problem, which have texts.

    The first numbers are for those that a file lists by their texts, as far as they come up.
    """

    def __init__(
        self, kind: str, text: Callable[[Any], Any], words: Callable[[Any], str], given: Iterable[Any]
    ) -> None:
        super().__init__()
        self.kind, self.text, self.words = kind, text, words
        texts = [json.dumps(entry) for entry in given]
        self._given = {entry: number for number, entry in enumerate(texts)}
        if len(self._given) < len(texts):
            raise UnreadableError(f"it lists {self.one} more than once")
        self.items += map(_NotMet, texts)

    def number(self, item: Any) -> int:
        """The number of an item; raises `WrongError` if it is written as another one that the file lists."""
        found = self._numbers.get(item)
        if found is None:
            found = self._given.get(json.dumps(self.text(item))) if self._given else None
            if found is None:
                found = len(self.items)
                self.items.append(item)
            elif isinstance(self.items[found], _NotMet):
                self.items[found] = item
            else:
                raise WrongError(f"two {self.kind}s are written alike, {json.dumps(self.text(item)):.60}")
            self._numbers[item] = found
        return found

    def numbers(self, items: Sequence[Any]) -> list[int]:
        """The numbers of many items."""
        for item in filterfalse(self._numbers.__contains__, items):
            self.number(item)
        return [*map(self._numbers.__getitem__, items)]

    @property
    def one(self) -> str:
        """One of them, in words."""
        return f"an {self.kind}" if self.kind == "action" else f"a {self.kind}"

    def met(self, number: int) -> Any:
        """The item of a number; raises `WrongError` if it is only in the file."""
        item = self.items[number]
        if isinstance(item, _NotMet):
            raise WrongError(f"{self.one} cannot come up where it is first needed: {item.text:.60}")
        return item

    def has_met(self, number: int) -> bool:
        """Whether something has come up, and is not only in the file."""
        return not isinstance(self.items[number], _NotMet)

    def unmet(self) -> str | None:
        """The text of something that is only in the file; None if there is nothing."""
        return next((item.text for item in self.items if isinstance(item, _NotMet)), None)

    def name(self, number: int) -> str:
        """The name that a message has; of a state of a game with a horizon, with the number of actions left."""
        before, place = divmod(number, max(1, len(self.items)))
        if before or place >= len(self.items):
            return f"{self.name(place)} with {before + 1} actions left" if self.items else str(number)
        item = self.items[number]
        return item.text if isinstance(item, _NotMet) else self.words(item)

    def listing(self) -> list[Any]:
        """All of them as a file lists them, by number."""
        return [json.loads(item.text) if isinstance(item, _NotMet) else self.text(item) for item in self.items]

    def texts(self) -> dict[str, int]:
        """Numbers by JSON text; two values that are written alike are an author's mistake."""
        found = {json.dumps(self.text(value)): number for number, value in enumerate(self.items)}
        if len(found) < len(self.items):
            raise ProblemError(f"two {self.kind}s of the problem are written alike, so no file can tell them apart")
        return found


class _NotMet:
    """Placeholder of something that a file lists, and that has not come up."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class NamedGame:
    """A game whose states, actions and percepts have names, and numbers in the order in which they come up.

    `numbers` has the number of each by its JSON text, as plan files have it, once all are listed.
    """

    numbers: Mapping[str, Mapping[str, int]]

    def __init__(self, problem: Any, names: Any = None) -> None:
        self.problem, names = problem, names or {}
        self.parts = self.named_states, self.named_actions, self.named_percepts = (
            Named("state", lambda s: encode_state(problem, s), problem.format_state, names.get("states", ())),
            Named("action", lambda a: encode_action(problem, a), problem.format_action, names.get("actions", ())),
            Named("percept", lambda p: encode_percept(problem, p), problem.format_percept, names.get("percepts", ())),
        )

    def number_all(self) -> None:
        """Note that all are listed; raises `ProblemError` if two are written alike."""
        self.numbers = {f"{part.kind}s": part.texts() for part in self.parts}

    def named(self, message: object) -> str:
        """A message of the checker, with states, actions and percepts by their names."""
        of_kind = {part.kind: part for part in self.parts}
        return _NUMBERED.sub(
            lambda match: f"{match[1]} {of_kind[match[1]].name(int(match[2]))}" if match[1] else match[0], str(message)
        )


_NUMBERED = re.compile(r"""\b(state|action|percept) (\d+)\b|(["'])(?:\\.|(?!\3).)*(?:\3|$)""")
"""A number with its kind; or text of a file, in quotes, perhaps cut short, in which such words mean nothing."""
