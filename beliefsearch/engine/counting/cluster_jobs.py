"""Work of a cluster's worker: one job of a function that came as bytes."""

from __future__ import annotations

import hashlib
import pickle
import socket
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import frozen

from ...errors import BeliefSearchError
from ...running.limits import LimitReached


@frozen
class Refused:
    """Reason for a job that was not done, where it is of no use to try it again."""

    kind: type[BaseException]
    text: str

    def error(self) -> BaseException:
        """The exception anew: its class may want other arguments than its text."""
        error = self.kind.__new__(self.kind, self.text)
        assert isinstance(error, BaseException)
        return error


def keep(function: bytes) -> bytes:
    """The function itself, as a job: the scheduler then sends it to each worker once, and again if that dies."""
    return function


def carry_out(function: bytes, job: bytes) -> Any:
    """The result of a pickled function for a pickled job, or why there is none; other errors are for others to see."""
    try:
        return _unpickled(function)(_loaded(job))
    except (BeliefSearchError, LimitReached, MemoryError) as error:
        return Refused(type(error), str(error))
    except StopIteration as error:  # which no future can hold
        raise RuntimeError("a problem's code raised StopIteration") from error
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror or error}, on the machine {socket.gethostname()}") from error


@lru_cache(maxsize=1)
def _unpickled(function: bytes) -> Callable[[Any], Any]:
    """One for all jobs of a step: it holds what is explored, which may be large."""
    return _loaded(function)  # type: ignore[no-any-return]


def _loaded(data: bytes) -> Any:
    try:
        return pickle.loads(data)
    except ImportError as error:
        raise BeliefSearchError(
            f"a worker of the cluster cannot load what it is to do ({error}); install the same packages there as here"
        ) from error


def manifest_seen(path: str) -> str | None:
    """A digest of the file as this machine sees it; None if there is none."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None
