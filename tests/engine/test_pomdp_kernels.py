"""The kernels for POMDPs: what they find is what NumPy finds, and they can be stopped at any time."""

from __future__ import annotations

import _thread
from random import Random
from threading import Timer
from typing import Any

import numpy as np
import pytest

from beliefsearch import Limits, StochasticProblem, solve
from beliefsearch.engine.pomdp.first_bounds import swept_bounds
from beliefsearch.engine.pomdp.hsvi import CompiledTrials
from beliefsearch.engine.pomdp.seen_blocks import seen_blocks
from beliefsearch.running.limits import Budget, LimitReached, resident_memory
from beliefsearch.running.run import Run
from beliefsearch.solvers.pomdp.arrays import PomdpArrays, arrays_of
from beliefsearch.solvers.pomdp.blind_policies import first_policies
from beliefsearch.solvers.pomdp.fast_informed_bound import fast_informed_bound
from beliefsearch.solvers.pomdp.joint import JointRows
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
def test_kernels_bound_what_numpy_bounds(seed: int) -> None:
    given = arrays(noise(5, seed))
    plain, compiled = TrialSearch(given, 0, few_backups()), CompiledTrials(given, 0, few_backups())
    first = compiled.bounds
    assert first == pytest.approx(plain.bounds, rel=1e-9)
    for run in (plain.run, compiled.run):
        with pytest.raises(LimitReached):
            run()
    (low, high), (lower, upper) = plain.bounds, compiled.bounds
    assert max(low, lower) <= min(high, upper)
    assert upper - lower < 0.7 * (first[1] - first[0])


def seen_first(size: int = 6, seed: int = 1) -> Any:
    """Two floors, each with states of its own; which floor it is shows, what else is known only by noise."""
    inner = noise(size, seed)

    def outcomes(state: tuple[int, int], action: int) -> Any:
        floor, place = state
        return [(chance, ((floor + action) % 2, after)) for chance, after in inner.outcomes(place + floor, action)]

    return made(
        StochasticProblem,
        initial_distribution=lambda: [(chance, (state % 2, state)) for chance, state in inner.initial_distribution()],
        actions=range(3),
        outcomes=outcomes,
        percept_distribution=lambda state, action: [
            (chance, (state[0], seen)) for chance, seen in inner.percept_distribution(state[1], action)
        ],
        reward=lambda state, action: inner.reward(state[0] + state[1], action),
        discount=0.9,
    )


@pytest.mark.parametrize("problem", [noise(4, 5), seen_first(4, 2), seen_first(5, 3)], ids=["one", "two", "more"])
def test_every_bound_holds(problem: Any) -> None:
    """No vector says more than its own step back, no point less than the step back from all bounds, and none cross."""
    search = CompiledTrials(arrays(problem), 0, Run.of(Limits(expanded=150)))
    with pytest.raises(LimitReached):
        search.run()
    count, beliefs = search.belief_count, search._search.beliefs
    assert (beliefs.low[:count] <= beliefs.high[:count] + 1e-9).all()
    found, given = search.found(), search._arrays
    assert found.homes is None or len(found.homes[0].bounds) > 2
    (columns, there), joint = found.columns, JointRows.of(given)
    for node, action in enumerate(found.actions.tolist()):
        following = np.full((given.O, given.S), np.nan)
        for percept in range(given.O):
            after = int(found.successors[node, percept])
            if after >= 0:
                following[percept, columns[after][there[after]]] = found.vectors[after][there[after]]
        for column in np.flatnonzero(there[node]).tolist():
            row = action * given.S + int(columns[node, column])
            entries = slice(joint.bounds[row], joint.bounds[row + 1])
            values = following[joint.entry_percepts[entries], joint.states[entries]]
            backed = joint.rewards.ravel()[row] + given.discount * float(joint.weights[entries] @ values)
            assert found.vectors[node, column] <= backed + 1e-9
    tree = bounds_by_tree(joint, given, depth=3)
    lower, upper = search.bounds
    assert lower <= tree[1] + 1e-9
    assert tree[0] <= upper + 1e-9


def bounds_by_tree(joint: JointRows, given: PomdpArrays, depth: int) -> tuple[float, float]:
    """Bounds on the value of the start by brute force: all that may happen in so many actions, then the extremes."""
    rewards = joint.rewards
    tail = [float(extreme) / (1 - given.discount) for extreme in (rewards.min(), rewards.max())]

    def bound(belief: Any, left: int, rest: float) -> Any:
        if not left:
            return rest
        earned, chances, after = joint.successors(belief)
        return max(
            float(earned[action])
            + given.discount
            * sum(
                chances[action, seen] * bound(after[action, seen], left - 1, rest)
                for seen in range(given.O)
                if chances[action, seen] > 0
            )
            for action in range(given.A)
        )

    low, high = (bound(given.start / given.start.sum(), depth, rest) for rest in tail)
    return low, high


@pytest.mark.parametrize("problem", [seen_first(4, 2), seen_first(6, 4), noise(4, 1)], ids=["two", "more", "one"])
def test_blocks_are_those_of_the_definition(problem: Any) -> None:
    given = arrays(problem)
    blocks, joint = seen_blocks(given, lambda: None), JointRows.of(given)
    label = {state: {state} for state in range(given.S)}
    start = np.flatnonzero(given.start).tolist()
    changed = True
    while changed:  # merge what must be merged, two at a time, as the definition has it
        changed = False
        for group in [start, *map(sorted, label.values())]:
            for action in range(given.A):
                for percept in range(given.O):
                    after = {
                        int(joint.states[entry])
                        for state in group
                        for entry in range(*joint.bounds[action * given.S + state :][:2])
                        if joint.entry_percepts[entry] == percept
                    }
                    merged = set().union(*(label[state] for state in after)) if after else set()
                    if any(label[state] != merged for state in after):
                        changed = True
                        label.update(dict.fromkeys(merged, merged))
    expected = {tuple(sorted(members)) for members in label.values()}
    cuts = zip(blocks.bounds[:-1].tolist(), blocks.bounds[1:].tolist(), strict=True)
    got = [tuple(blocks.members[begin:end].tolist()) for begin, end in cuts]
    assert set(got[: len(expected)]) == expected
    together = any(set(start) <= set(members) for members in expected)
    assert got[len(expected) :] == ([] if together else [tuple(start)])


def test_sweeps_find_what_numpy_finds() -> None:
    given = arrays(noise(6, 2))
    joint = JointRows.of(given)
    planes, blind, _ = swept_bounds(given, lambda: None)
    assert planes == pytest.approx(fast_informed_bound(given, joint, lambda: None), rel=1e-5)
    assert blind.vectors == pytest.approx(first_policies(given, joint, lambda: None).vectors, rel=1e-5)


def test_sweeps_that_are_stopped_give_bounds() -> None:
    given = arrays(noise(6, 2))
    planes, blind, _ = swept_bounds(given, lambda: None)
    for most in (0, 3, 60, 250):
        looks = iter(range(most))

        def tick(looks: Any = looks) -> None:
            if next(looks, None) is None:
                raise LimitReached("enough")

        above, below, stop = swept_bounds(given, tick)
        assert isinstance(stop, LimitReached)
        assert (above >= planes - 1e-5).all()
        assert (below.vectors <= blind.vectors + 1e-5).all()


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
