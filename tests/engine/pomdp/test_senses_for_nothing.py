"""Costs until the end where senses cost nothing: the same belief comes up again, and actions need knowledge."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from random import Random
from typing import Any

import pytest

from beliefsearch import Limits, StochasticProblem, solve
from beliefsearch.cli.progress import Progress
from beliefsearch.model.belief import no_tick
from beliefsearch.proofs.pomdp_bounds import prove_bounds
from beliefsearch.running.limits import Budget
from beliefsearch.solvers.pomdp.arrays import arrays_of
from beliefsearch.solvers.pomdp.blind_policies import first_policies
from beliefsearch.solvers.pomdp.joint import JointRows
from beliefsearch.solvers.pomdp.listing import pomdp_model

State = tuple[int, int, bool]


class Fetching(StochasticProblem[State, str, str]):
    """A key lies in one of some rooms of a tree; it is to be fetched. To look costs nothing, and so may a walk."""

    def __init__(self, rooms: int, seed: int, *, free_walks: bool) -> None:
        random = Random(seed)
        self.rooms = range(rooms)
        self.cost: dict[tuple[int, int], int] = {}
        for room in self.rooms[1:]:
            door = random.randrange(room)
            for way in (room, door), (door, room):
                self.cost[way] = random.choice([0, 1, 2] if free_walks else [1, 2, 5])
        self.asks = random.sample(self.rooms[1:], rooms // 2)

    def initial_distribution(self) -> Any:
        return [(Fraction(1, len(self.rooms) - 1), (0, key, False)) for key in self.rooms[1:]]

    def is_terminal(self, state: State) -> bool:
        return state[0] == 0 and state[2]

    def actions(self, state: State) -> Iterable[str]:
        here, key, has = state
        yield from (f"walk {there}" for room, there in self.cost if room == here)
        yield "look"
        if here == 0:
            yield from (f"ask {room}" for room in self.asks)
        if here == key and not has:
            yield "take"

    def outcomes(self, state: State, action: str) -> Any:
        here, key, has = state
        after = (int(action.split()[1]), key, has) if action[0] == "w" else (here, key, has or action == "take")
        return [(Fraction(1), after)]

    def reward(self, state: State, action: str) -> int:
        if action[0] == "w":
            return -self.cost[state[0], int(action.split()[1])]
        return {"look": 0, "take": -2}.get(action, -1)

    def percept_distribution(self, state: State, action: str) -> Any:
        asked = state[0] if action == "look" else int(action.split()[1]) if action[0] == "a" else None
        return [(Fraction(1), "nothing" if asked is None else "yes" if asked == state[1] else "no")]


def least_cost(problem: Fetching) -> Fraction:
    """The least mean cost, by sweeps from above over all sets of states that can come up: without a plan it is much."""
    first = frozenset(state for _, state in problem.initial_distribution())
    ways: dict[frozenset[State], list[tuple[int, list[frozenset[State]]]]] = {}
    waiting = [first]
    for belief in waiting:
        if belief in ways or any(map(problem.is_terminal, belief)):
            continue
        ways[belief] = []
        for action in set.intersection(*(set(problem.actions(state)) for state in belief)):
            seen: dict[str, set[State]] = {}
            for state in belief:
                after = problem.outcomes(state, action)[0][1]
                seen.setdefault(problem.percept_distribution(after, action)[0][1], set()).add(after)
            following = [frozenset(states) for states in seen.values()]
            ways[belief].append((-problem.reward(next(iter(belief)), action), following))
            waiting += following
    much = Fraction(10**6)
    values = dict.fromkeys(chain(ways, waiting), much)
    values.update({belief: Fraction(0) for belief in values if belief not in ways})
    changed = True
    while changed:
        changed = False
        for belief, found in ways.items():
            best = min(cost + sum(len(a) * values[a] for a in after) / Fraction(len(belief)) for cost, after in found)
            changed |= best < values[belief]
            values[belief] = min(values[belief], best)
    return values[first]


@pytest.mark.parametrize("free_walks", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_least_cost_is_found_and_proved(seed: int, free_walks: bool) -> None:
    problem = Fetching(5, seed, free_walks=free_walks)
    expected = float(least_cost(problem))
    for solver in ("auto", "belief-graph", *(() if free_walks else ("heuristic-search-value-iteration",))):
        for engine in ("compiled", *(() if free_walks or solver == "belief-graph" else ("naive",))):
            limits = Limits(expanded=20_000)
            result: Any = solve(problem, solver=solver, engine=engine, precision=1e-6, limits=limits)
            assert -result.upper_bound <= expected * (1 + 1e-9)
            assert -result.lower_bound >= expected * (1 - 1e-9)
            assert result.upper_bound - result.lower_bound <= 2e-6 * expected
    proved, proof = prove_bounds(problem, result, Budget())
    assert proof
    assert expected * (1 - 1e-4) <= -float(proved.upper_bound or 0) <= expected * (1 + 1e-9)


def test_trials_say_that_they_go_in_circles() -> None:
    problem = Fetching(5, 2, free_walks=True)
    result: Any = solve(problem, engine="naive", solver="heuristic-search-value-iteration", limits=Limits(seconds=20))
    assert result.reason.endswith("or the game can be kept going at no cost")
    assert -result.upper_bound <= least_cost(problem) <= -result.lower_bound


def test_a_policy_is_known_at_once_that_comes_to_the_end() -> None:
    arrays = arrays_of(pomdp_model(Fetching(12, 0, free_walks=True), Budget()))
    first = first_policies(arrays, JointRows.of(arrays), no_tick)
    assert (first.vectors[0][arrays.start > 0] > -100).all()


def test_progress_tells_that_no_policy_is_known() -> None:
    line = Progress(quiet=True, costs=True)
    line.narrowed(float("-inf"), -1.5, 7)
    assert line.__rich__() == "0 s: cost at least 1.5, no policy yet, 7 beliefs met"
