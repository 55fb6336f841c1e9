"""Known bounds: what the weights, the traps and the rays of real puzzles come to, with their sources in the puzzles."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from beliefsearch import Blindfolded, solve
from beliefsearch.engine.compiled.bitset_words import members_of_words
from beliefsearch.engine.compiled.sensorless import CompiledView
from beliefsearch.heuristics.potential import Potential, find_potential
from beliefsearch.heuristics.state_graph import BeliefSetting
from beliefsearch.model.belief import no_tick
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.explanations.adversary import find_adversary
from beliefsearch.proofs.explanations.explanation import count_actions, find_ruler
from beliefsearch.proofs.finder import find_proof
from beliefsearch.running.run import Run
from beliefsearch.tools import load_problem_class

from ..examples import thorough
from ..problems.test_registry import CASES


def devil(**options: Any) -> Any:
    return load_problem_class("devil")(**options)


def vacuum() -> Any:
    cls: Any = load_problem_class("vacuum")
    return cls(squares=3)


def lamps() -> Any:
    lights_out: Any = load_problem_class("lights-out")
    return Blindfolded(lights_out(rows=1, cols=4))


def root(problem: Any) -> Potential | None:
    view: CompiledView[Any, Any] = CompiledView(problem, no_tick)
    return find_potential(BeliefSetting(view, no_tick).graph(None), members_of_words(view.model.initial))


# By counting (see DevilProblem.potential): a move wins from one arrangement of 2^n - 1, or from two of 14 if it is
# enough that all coins are equal; a press of a button wins from one of 15 patterns of lamps.
ROOTS = [
    pytest.param(lambda: devil(n=4), 15, id="devil 4"),
    pytest.param(lambda: devil(n=8), 255, id="devil 8"),
    pytest.param(lambda: devil(n=4, goal="all-same"), 7, id="devil 4 all-same"),
    pytest.param(lamps, 15, id="lights-out 1x4 blindfolded"),
]


@pytest.mark.parametrize(("make", "total"), ROOTS)
def test_the_weights_of_the_linear_program_come_to_the_known_bound(make: Any, total: int) -> None:
    found = root(make())
    assert found is not None
    assert found.total == total
    assert not found.is_ray


@pytest.mark.parametrize(("make", "total"), ROOTS)
def test_with_this_estimate_a_search_goes_straight_to_the_goal(make: Any, total: int) -> None:
    result = solve(make(), solver="astar", heuristic="potential")
    assert result.cost == total
    assert result.stats.expanded <= total + 1


@pytest.mark.parametrize("n", [3, 6])
def test_where_the_devil_wins_there_is_a_ray(n: int) -> None:
    found = root(devil(n=n))
    assert found is not None
    assert found.is_ray
    assert found.total > 0
    # Nothing flows into the won state: what the weights lose in one place they gain in another.
    for flow in found.flows.values():
        assert sum(flow.values()) <= sum(found.weights)


def check_trap(n: int, trap: set[str]) -> None:
    """By the rules of the game alone: from every state of the trap every legal move may lead back into it."""
    assert trap
    assert "H" * n not in trap
    legal = [[place in move for place in range(n)] for move in devil(n=n).actions("")]
    # Of all moves that turn into each other one is legal.
    assert len({min("".join("FT"[not f] for f in m[i:] + m[:i]) for i in range(n)) for m in legal}) == len(legal)
    for coins in trap:
        turned = [coins[i:] + coins[:i] for i in range(n)]
        for move in legal:
            after = ("".join("HT"[(c == "H") == flip] for c, flip in zip(t, move, strict=True)) for t in turned)
            assert any(state in trap for state in after)


@pytest.mark.parametrize("n", [3, 5, 6, 7, thorough(9), thorough(10)])
def test_a_trap_is_found_where_the_number_of_coins_is_no_power_of_two(n: int) -> None:
    problem = devil(n=n)
    proof = find_proof(problem, math.inf, Run())
    assert proof is not None
    proof = json.loads(json.dumps(proof))
    assert proof["kind"] == "trap"
    assert check_proof(problem, proof) == math.inf
    if n < 9:
        check_trap(n, set(proof["states"]))


@pytest.mark.parametrize("small", [True, False])
def test_the_adversary_answers_every_action_with_a_result_in_the_trap(small: bool) -> None:
    problem = devil(n=6)
    adversary = find_adversary(problem, no_tick, small=small)
    assert adversary is not None
    check_trap(6, set(adversary.trap))
    for state, answers in adversary.strategy():
        assert [action for action, _ in answers] == list(problem.actions(state))
        for action, answer in answers:
            assert answer in adversary.trap
            assert answer in problem.results(state, action)


@pytest.mark.parametrize("make", [lambda: devil(n=4), vacuum])
def test_there_is_no_adversary_where_sight_would_win(make: Any) -> None:
    assert find_adversary(make(), no_tick, small=True) is None


@pytest.mark.few(31)
@pytest.mark.parametrize(("name", "options", "cost"), CASES)
def test_every_small_instance_of_every_puzzle_is_certified(name: str, options: dict[str, Any], cost: float) -> None:
    problem: Any = load_problem_class(name)(**options)
    proof = find_proof(problem, cost, Run())
    assert proof is not None
    assert check_proof(problem, json.loads(json.dumps(proof, allow_nan=False))) == cost


@pytest.mark.parametrize(
    ("name", "options"), [("nine-tails", {"rows": 2, "cols": 2}), ("lights-out", {"rows": 1, "cols": 3})]
)
def test_blindfolded_puzzles_are_certified(name: str, options: dict[str, Any]) -> None:
    problem: Any = Blindfolded(load_problem_class(name)(**options))
    cost = solve(problem, solver="breadth-first", engine="naive").cost
    assert cost is not None
    proof = find_proof(problem, cost, Run())
    assert proof is not None
    assert check_proof(problem, json.loads(json.dumps(proof))) == cost


# The structure of plans.


@pytest.mark.parametrize("base", [2, 3, 5])
def test_a_ruler_is_known_again(base: int) -> None:
    names = "abcd"

    def level(place: int) -> int:
        return 0 if place % base else 1 + level(place // base)

    plan = [names[level(place)] for place in range(1, base**3 + 1)]
    ruler = find_ruler(plan)
    assert ruler is not None
    assert (ruler.base, ruler.levels) == (base, tuple(names))
    assert count_actions(plan)[0] == ("a", base**3 - base**2)


@pytest.mark.parametrize("plan", ["abaaa", "abaaaba", "abaaabab"])
def test_levels_of_a_ruler_have_actions_of_their_own(plan: str) -> None:
    """Left, lever, left, left, left: whether 2 divides t once or twice says something, but it counts nothing."""
    assert find_ruler(plan) is None


@pytest.mark.parametrize("plan", ["", "a", "aaaa", "aabab", "abcabd" * 3])
def test_what_is_no_ruler_is_not_taken_for_one(plan: str) -> None:
    ruler = find_ruler(plan)
    if ruler is not None:  # such a plan may be one by another prime: then it is spelt out again
        levels = [0] * len(plan)
        for place in range(1, len(plan) + 1):
            rest = place
            while rest % ruler.base == 0:
                rest //= ruler.base
                levels[place - 1] += 1
        assert [ruler.levels[level] for level in levels] == list(plan)
    assert plan not in ("", "a", "aaaa") or ruler is None
