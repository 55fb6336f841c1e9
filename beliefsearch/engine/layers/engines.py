"""Who does the work: an engine carries out a function for many jobs, here or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


class Engine(Protocol):
    """Carries out jobs that do not depend on each other."""

    workers: int
    """How many jobs are carried out at the same time."""

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of the jobs, in their order. What a job writes must not harm if it is carried out twice."""
        ...


class Serial:
    """One job after the other, in this process."""

    workers = 1

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of the jobs, in their order."""
        return (function(job) for job in jobs)
