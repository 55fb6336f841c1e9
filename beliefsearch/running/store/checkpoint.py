"""Checkpoints of a search, so that it can be killed at any moment and resumed.

A solver is given a `Checkpoint` and knows nothing of files. It asks now and then whether a save is `due`, and then
saves a small state, as JSON, and arrays. Of an array that only grows it saves the new rows. When the solver begins, it
looks for a state in `kept`. A save replaces the one before atomically.

A planner may try several searches for one answer. `Checkpoints` has a checkpoint for each, by name, and the answer once
it is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from ...errors import StoreError
from ...plans.wording import plural
from ..graceful_stop import LastSave

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .directory import Store

# Seconds until the first save, and between two later ones: a search that is killed early has little to lose.
_FIRST = 1.0
_INTERVAL = 10.0
# The interval after a save is at least so many times the duration of the save.
_SHARE = 20.0
# Keys of counts in saved states, and the words for what they count.
_COUNTS = {"expanded": "expansion", "trials": "trial"}


class Checkpoints:
    """Checkpoints of all the searches for one answer, in one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._begun = monotonic()
        self._of: dict[str, Checkpoint] = {}
        state = store.state or {"searches": {}, "answer": None, "seconds": 0.0, "serial": 0}
        if not state.keys() >= {"searches", "answer", "seconds", "serial"}:
            raise store.damaged()
        self._searches: dict[str, dict[str, Any]] = state["searches"]
        self.answer: dict[str, Any] | None = state["answer"]
        """The answer as it was given to `finish`; None if there is none yet."""
        self.seconds_before: float = state["seconds"]
        """The seconds that earlier processes have searched, up to the last save."""
        self._serial: int = state["serial"]
        self.last_save = LastSave(self._hurry)
        """Lets the search save once more when it is to be stopped."""
        self.holds = self._in_words()
        """Description of the unfinished search in the store; empty if there is none."""

    def of(self, name: str) -> Checkpoint:
        """Return the checkpoint of the search with this name (letters, digits, hyphens)."""
        if name not in self._of:
            self._of[name] = Checkpoint(self, self._store, name, self._searches.setdefault(name, _nothing()))
        return self._of[name]

    def finish(self, answer: Mapping[str, Any]) -> None:
        """Keep the answer; nothing else is needed any more."""
        self.answer = dict(answer)
        self._searches.clear()
        self._of.clear()
        self.commit()

    def commit(self) -> None:
        """Commit the present states of all searches, with their arrays."""
        keep = [
            file
            for kept in self._searches.values()
            for file in (
                *kept["arrays"].values(),
                *(file for files in kept["grown"].values() for file, _ in files),
                *kept["files"],
            )
        ]
        seconds = self.seconds_before + monotonic() - self._begun
        state = {"searches": self._searches, "answer": self.answer, "seconds": seconds, "serial": self._serial}
        self._store.commit(state, keep)
        self.holds = self._in_words()

    def _in_words(self) -> str:
        words = ""
        for state in (kept["state"] for kept in self._searches.values() if kept["state"] and not kept["over"]):
            words = "what was saved"
            for name, thing in _COUNTS.items():
                if type(count := state.get(name)) is int:
                    words = f"the search up to {plural(count, thing)}"
        return words

    def _hurry(self) -> None:
        """Make every search save the next time that it asks."""
        for checkpoint in self._of.values():
            checkpoint.next_save = 0.0

    def damaged(self) -> StoreError:
        """Make the error for a state that cannot have been saved here."""
        return self._store.damaged()

    def write(self, search: str, name: str, array: NDArray[Any]) -> str:
        """Write an array under a new name, which is returned."""
        self._serial += 1
        file = f"{search}/{name}-{self._serial}"
        self._store.write(file, array)
        return file


class Checkpoint:
    """Checkpoint of one search.

    A search that writes its files itself uses it like a `Store`, by the methods of the same names.
    """

    def __init__(self, checkpoints: Checkpoints, store: Store, name: str, kept: dict[str, Any]) -> None:
        self._checkpoints = checkpoints
        self._store = store
        self.directory = store.directory
        self.path, self.write, self.read, self.room = store.path, store.write, store.read, store.room
        self._name = name
        self._kept = kept
        self._begun = monotonic()
        self.next_save = self._begun + _FIRST
        self._last = checkpoints.last_save
        self._last.asked = self._begun

    @property
    def kept(self) -> dict[str, Any] | None:
        """Return the state that was saved last; None if there is none."""
        return self._kept["state"] or None

    @property
    def is_over(self) -> bool:
        """Whether the search was given up, see `give_up`."""
        return bool(self._kept["over"])

    def due(self) -> bool:
        """Whether it is time to save; if so the caller saves at once, since the duration is measured from here."""
        self._last.asked = now = monotonic()
        return now >= self.next_save

    def save(
        self,
        state: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]] | None = None,
        new_rows: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        """Replace the saved state, which is not empty, and the arrays; raises a stop that was put off until then.

        `new_rows` has rows to append to growing arrays; a growing array that is not named is dropped.
        """
        kept = self._kept
        # Nothing is changed before everything is written: a limit may interrupt this at any moment.
        written = {name: self._checkpoints.write(self._name, name, array) for name, array in (arrays or {}).items()}
        grown = {}
        for name, rows in (new_rows or {}).items():
            more = [[self._checkpoints.write(self._name, name, rows), len(rows)]] if len(rows) else []
            grown[name] = [*kept["grown"].get(name, []), *more]
        kept.update(state=dict(state), arrays=written, grown=grown)
        self._checkpoints.commit()
        now = monotonic()
        seconds = now - self._last.asked
        self.next_save = now + max(min(now - self._begun, _INTERVAL), _SHARE * seconds)
        self._last.saved(seconds)

    def give_up(self, state: Mapping[str, Any]) -> None:
        """Replace what was saved by a state, which is not empty, and the fact that this search did not suffice."""
        self._kept.update(_nothing(), state=dict(state), over=True)
        self._checkpoints.commit()

    def sequel(self, name: str) -> Checkpoint:
        """Return the checkpoint of the search that takes over from this one."""
        return self._checkpoints.of(name)

    @property
    def state(self) -> dict[str, Any] | None:
        """Return the state of the last commit."""
        return self.kept

    def commit(self, state: Mapping[str, Any], keep: Iterable[str]) -> None:
        """Make this state and these arrays those of the search; its others are deleted."""
        before, last = dict(self._kept), self._store.state
        self._kept.update(_nothing(), state=dict(state), files=list(keep))
        try:
            self._checkpoints.commit()
        except BaseException:
            if self._store.state is last:  # otherwise the interruption came after the commit
                self._kept.update(before)
            raise

    def rows(self, name: str) -> int:
        """Count the saved rows of a growing array."""
        return sum(rows for _, rows in self._kept["grown"].get(name, []))

    def pieces(self, name: str) -> Iterator[NDArray[Any]]:
        """Yield a growing array piece by piece, in order."""
        for file, _ in self._kept["grown"].get(name, []):
            yield self._store.read(file)

    def array(self, name: str) -> NDArray[Any]:
        """Return an array that was saved whole."""
        with self.sound():
            return self._store.read(self._kept["arrays"][name])

    def number(self, name: str) -> int:
        """Return a whole number in the state, at least 0."""
        value = (self.kept or {}).get(name)
        if type(value) is not int or value < 0:
            raise self.damaged()
        return value

    @contextmanager
    def sound(self) -> Iterator[None]:
        """Raise `StoreError` if restoring fails within this block: the state is damaged."""
        try:
            yield
        except (KeyError, IndexError, ValueError, TypeError, OverflowError) as error:
            raise self.damaged() from error

    def demand(self, holds: object) -> None:
        """Raise a StoreError unless a condition on the saved state holds."""
        if not holds:
            raise self.damaged()

    def demand_version(self, holds: object) -> None:
        """Raise a StoreError unless the saved state has the form of this version."""
        if not holds:
            raise self._store.outdated()

    def damaged(self) -> StoreError:
        """Make the error for a state that cannot have been saved here."""
        return self._store.damaged()


def _nothing() -> dict[str, Any]:
    return {"state": {}, "arrays": {}, "grown": {}, "files": [], "over": False}
