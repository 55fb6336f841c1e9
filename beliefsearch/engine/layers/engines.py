"""Who does the work: an engine carries out a function for many jobs, here or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from attrs import frozen

Job = TypeVar("Job")
Result = TypeVar("Result")


class Engine(Protocol):
    """Carries out jobs that do not depend on each other."""

    workers: int
    """How many jobs are carried out at the same time."""
    far: bool
    """Whether other processes do them: then to hand one out takes some milliseconds, and little work is done here."""

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of the jobs, in their order. What a job writes must not harm if it is carried out twice."""
        ...


@frozen
class Together(Generic[Job]):
    """Several jobs as one."""

    jobs: tuple[Job, ...]


def each(function: Callable[[Job], Result], together: Together[Job]) -> list[Result]:
    """The results of all the jobs, one after the other."""
    return [function(job) for job in together.jobs]


class Serial:
    """One job after the other, in this process."""

    workers = 1
    far = False

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of the jobs, in their order."""
        return (function(job) for job in jobs)
