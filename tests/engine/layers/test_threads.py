"""Jobs in threads: all of them are done, and told in their order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from beliefsearch.engine.layers.threads import Threads


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
