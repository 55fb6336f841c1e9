"""Jobs in threads: each is done once, and the results come in their order."""

from __future__ import annotations

import pytest

from beliefsearch.engine.layers.threads import Threads


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_every_job_is_done_and_in_order(workers: int) -> None:
    for count in range(12):
        assert list(Threads(workers).map(lambda job: job * job, iter(range(count)))) == [
            job * job for job in range(count)
        ]
