"""Jobs in threads: all of them are done, and told in their order."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from beliefsearch.engine.counting.executors import GivenUp, Threads, heed


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("jobs", [0, 1, 2, 3, 4, 50])
def test_every_job_is_done_once_and_told_in_its_order(workers: int, jobs: int) -> None:
    assert list(Threads(workers).map(lambda job: job * job, iter(range(jobs)))) == [job * job for job in range(jobs)]


def test_few_jobs_are_made_ahead() -> None:
    made = []

    def jobs() -> Iterator[int]:
        for job in range(100):
            made.append(job)
            yield job

    for number, _ in enumerate(Threads(2).map(str, jobs())):
        assert len(made) <= number + 8


def test_a_job_that_takes_long_hears_that_nobody_waits_for_it() -> None:
    heard = []
    begun = threading.Event()

    def job(number: int) -> int:
        if number:
            begun.set()
        assert begun.wait(20)
        deadline = time.monotonic() + 20
        try:
            while number and time.monotonic() < deadline:
                heed()
                time.sleep(0.001)
        except GivenUp:
            heard.append(number)
            raise
        return number

    results = Threads(2).map(job, [0, 1])
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]  # as when whoever asks is interrupted
    assert heard == [1]
    heed()
