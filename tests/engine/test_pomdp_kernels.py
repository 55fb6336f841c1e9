"""The kernels for POMDPs: what they find is what NumPy finds, and they can be stopped at any time."""

from __future__ import annotations

import _thread
from random import Random
from threading import Timer
from typing import Any

import pytest

from beliefsearch import Limits, StochasticProblem, solve
from beliefsearch.engine.pomdp.hsvi import CompiledTrials
from beliefsearch.running.limits import Budget, LimitReached, resident_memory
from beliefsearch.running.run import Run
from beliefsearch.solvers.pomdp.arrays import PomdpArrays, arrays_of
from beliefsearch.solvers.pomdp.listing import pomdp_model
from beliefsearch.solvers.pomdp.plain_hsvi import TrialSearch

from ..toys.made import made


def noise(size: int = 8, seed: int = 1) -> Any:
    """All is random: where actions lead, what is perceived, and what it is worth."""

    def chances(*key: int, size: int = size) -> list[tuple[float, int]]:
        random = Random(str((seed, key)))
        weights = [random.random() ** 3 for _ in range(size)]
        return [(weight / sum(weights), number) for number, weight in enumerate(weights)]

    return made(
        StochasticProblem,
        initial_distribution=lambda: chances(),
        actions=range(3),
        outcomes=chances,
        percept_distribution=lambda state, action: chances(state, action, 0, size=3),
        reward=lambda state, action: Random(str((seed, state, action))).uniform(-1, 1),
        discount=0.95,
    )


def arrays(problem: StochasticProblem[Any, Any, Any]) -> PomdpArrays:
    return arrays_of(pomdp_model(problem, Budget()))


def few_backups() -> Run:
    return Run.of(Limits(expanded=100))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_kernels_do_what_numpy_does(seed: int) -> None:
    given = arrays(noise(5, seed))
    plain, compiled = TrialSearch(given, 0, few_backups()), CompiledTrials(given, 0, few_backups())
    for run in (plain.run, compiled.run):
        with pytest.raises(LimitReached):
            run()
    assert compiled.bounds == pytest.approx(plain.bounds, rel=1e-6)
    assert compiled.trials == plain.trials
    assert compiled.backups == plain.backups
    assert compiled.belief_count == plain.belief_count


def test_a_search_ends_at_the_memory_limit() -> None:
    CompiledTrials(arrays(noise(3)), 0.5, Run()).run()  # kernels are loaded by now
    run = Run.of(Limits(memory=resident_memory() + 2**23, seconds=60))
    search = CompiledTrials(arrays(noise(40)), 0, run)
    with pytest.raises(LimitReached, match="memory limit"):
        search.run()
    lower, upper = search.bounds
    assert lower < upper
    assert search.found().lower == pytest.approx(lower)


@pytest.mark.parametrize("engine", ["naive", "compiled"])
def test_an_interrupt_is_heard(engine: str) -> None:
    solve(noise(3), engine=engine, precision=0.5)  # all is loaded by now
    timer = Timer(0.15, _thread.interrupt_main)
    timer.start()
    result = solve(noise(20), engine=engine, precision=0, limits=Limits(seconds=30))
    timer.join()
    assert result.reason == "it was interrupted"
    assert result.stats.seconds < 10
