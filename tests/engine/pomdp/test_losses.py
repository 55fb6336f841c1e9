"""Bounds where a loss is put off for ever if that can be done, against brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from beliefsearch import Limits, StochasticProblem, solve
from beliefsearch.errors import DoesNotHoldError, ProblemError
from beliefsearch.plans.policy_files import policy_graph_plan
from beliefsearch.proofs import pomdp_graph_bounds
from beliefsearch.proofs.hints import elaborator
from beliefsearch.proofs.pomdp_bounds import prove_bounds
from beliefsearch.proofs.pomdp_graph_bounds import GraphProof
from beliefsearch.running.limits import Budget, LimitReached
from beliefsearch.verify.checker import WrongError, check_planes
from beliefsearch.verify.pomdp_file import PomdpOfFile

from .test_belief_graph import TINY, Shuffled, bounds_of, following


class Avoiding(Shuffled):
    """The first end is lost, and who never comes to it loses nothing; actions risk it, mix states or move them."""

    def __init__(self, seed: int, n: int, actions: int, percepts: int) -> None:
        super().__init__(seed, n, actions, percepts)
        random = Random(1000 + seed)
        for state, action in product(range(n), range(actions)):
            kind = random.choice(["move", "mix", "risk", "risk"])
            if kind == "move":
                row = [(Fraction(1), random.randrange(n))]
            elif kind == "mix":
                u, v = random.sample(range(n), 2)
                p = Fraction(random.randint(1, 9), 10)
                row = [(p, u), (1 - p, v)]
            else:
                weights = [random.randint(1, 3), random.choice([0, 0, 1]), random.randint(0, 4), random.randint(2, 6)]
                ends = [n, n + 1, *random.sample(range(n), 2)]
                row = [(Fraction(w, sum(weights)), t) for w, t in zip(weights, ends, strict=True) if w]
            self.rows[state, action] = row

    def utility(self, state: int) -> int:
        return -int(state == self.n)

    def minimizes_cost(self) -> bool:
        return True

    def allows_improper(self) -> bool:
        return True


def within(p: Shuffled, belief: Any, depth: int, memo: dict[Any, float]) -> float:
    """The least probability of a loss within so many actions."""
    key = tuple(round(share, 10) for share in belief), depth
    if key not in memo:
        found = [following(p, belief, action) for action in range(p.k if depth else 0)]
        worth = [lost + sum(mass * within(p, part, depth - 1, memo) for mass, part in parts) for lost, parts in found]
        memo[key] = min(worth, default=0.0)
    return memo[key]


def lost_by(p: Shuffled, chosen: Any, nodes: int) -> Any:
    """The probability of a loss, by state and node, if `chosen` has an action and the next node by node and percept."""
    size = p.n * nodes
    steps, lost = np.zeros((size, size)), np.zeros(size)
    for state, node in product(range(p.n), range(nodes)):
        action, after = chosen[node, p.seen[state]]
        for chance, target in p.rows[state, action]:
            if target == p.n:
                lost[state * nodes + node] += float(chance)
            elif target < p.n:
                steps[state * nodes + node, target * nodes + after] += float(chance)
    may = lost > 0
    for _ in range(size):
        may |= steps @ may > 0
    some = np.flatnonzero(may)
    found = np.zeros(size)
    found[some] = np.linalg.solve(np.eye(len(some)) - steps[np.ix_(some, some)], lost[some])
    return found.reshape(p.n, nodes)


def least_lost(p: Shuffled, nodes: int) -> float:
    """What policies of so many nodes lose at the least, or some of them if they are many."""
    random, choices = Random(0), list(product(range(p.k), range(nodes)))
    pairs = list(product(range(nodes), range(max(p.seen) + 1)))
    every = product(choices, repeat=len(pairs))
    some = ([random.choice(choices) for _ in pairs] for _ in range(500))
    best = 1.0
    for chosen in every if len(choices) ** len(pairs) <= 500 else some:
        found = lost_by(p, dict(zip(pairs, chosen, strict=True)), nodes)
        for first, node in product(range(p.k), range(nodes)):
            total = 0.0
            for state in range(p.n):
                for chance, target in p.rows[state, first]:
                    total += float(chance) / p.n * (found[target, node] if target < p.n else target == p.n)
            best = min(best, total)
    return best


@pytest.mark.few(12)
@pytest.mark.parametrize("seed", range(60))
def test_losses_lie_between_those_of_few_actions_and_those_of_small_policies(seed: int) -> None:
    problem = Avoiding(seed, 3 + seed % 2, 2 + seed % 3, 1 + seed % 2)
    start = tuple([1 / problem.n] * problem.n)
    least, memo = 0.0, dict[Any, float]()
    for depth in range(1, 30):
        least = within(problem, start, depth, memo)
        if len(memo) > 3000:
            break
    most = min(least_lost(problem, nodes) for nodes in (1, 2))
    result: Any = solve(problem, precision=1e-6, limits=Limits(expanded=1500))
    upper, lower = (-bound for bound in bounds_of(result))
    assert lower <= most + TINY
    assert upper >= least - TINY
    assert upper - lower <= 2e-6


class Waiting(StochasticProblem[int, str, None]):
    """It costs something to wait, for ever if nobody goes home."""

    def __init__(self, paid: int) -> None:
        self.paid = paid

    def initial_distribution(self) -> Any:
        return [(Fraction(1, 2), 0), (Fraction(1, 2), 1)]

    def actions(self, state: int) -> Any:
        return ["wait", "go"]

    def outcomes(self, state: int, action: str) -> Any:
        return [(1, state if action == "wait" else 2)]

    def percept_distribution(self, state: int, action: str) -> Any:
        return [(1, None)]

    def is_terminal(self, state: int) -> bool:
        return state == 2

    def reward(self, state: int, action: str) -> int:
        return self.paid if action == "wait" else -3

    def allows_improper(self) -> bool:
        return True


def test_who_may_wait_for_ever_at_no_cost_never_goes() -> None:
    result: Any = solve(Waiting(0))
    assert (result.value, result.policy.actions) == (0, ["wait"])


@pytest.mark.parametrize("paid", [-1, 1])
def test_what_has_no_meaning_without_an_end_is_refused(paid: int) -> None:
    with pytest.raises(ProblemError, match="nothing but costs is paid, by actions that may end the game"):
        solve(Waiting(paid))
    with pytest.raises(ProblemError, match="compiled, without a store"):
        solve(Waiting(0), engine="naive")


@pytest.mark.few(8)
@pytest.mark.parametrize("seed", range(30))
def test_the_proof_of_what_must_be_lost_holds_and_tells_as_much(seed: int) -> None:
    problem = Avoiding(seed, 3 + seed % 2, 2 + seed % 3, 1 + seed % 2)
    result: Any = solve(problem, precision=1e-6, limits=Limits(expanded=1500))
    proved, proof = prove_bounds(problem, result, Budget())
    assert isinstance(proof, dict)
    game = PomdpOfFile(problem, policy_graph_plan(result.policy, problem), elaborator, lambda: None)
    assert (game.lower(), game.upper(proof)) == (proved.lower_bound, proved.upper_bound)
    assert float(proved.upper_bound or 0) <= float(result.upper_bound or 0) + 1e-8


def test_a_proof_without_ranks_or_for_proper_policies_does_not_do() -> None:
    problem = Avoiding(11, 4, 4, 2)
    result: Any = solve(problem, precision=1e-6)
    _, proof = prove_bounds(problem, result, Budget())
    assert isinstance(proof, dict)
    game = PomdpOfFile(problem, policy_graph_plan(result.policy, problem), elaborator, lambda: None)
    _, table = game.planes(proof)
    assert table["points"]
    low = [[[[state, 1] for state in range(4)], -1, [[a, o, [0, "1/1000"]] for a in range(4) for o in range(2)]]]
    with pytest.raises(WrongError, match=r"too low|less than that share"):
        check_planes(game.game, {**table, "points": low, "ranks": [table["ranks"][0], [0]]})
    game.game.improper = False
    with pytest.raises(DoesNotHoldError, match="may never end"):
        game.lower()


@pytest.mark.parametrize("stopped", ["follow", "check"])
def test_whatever_ends_a_proof_there_is_one_by_planes(stopped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Avoiding(11, 4, 4, 2)
    result: Any = solve(problem, precision=1e-6)

    def stop(*_: Any) -> Any:
        raise LimitReached("enough")

    if stopped == "follow":
        monkeypatch.setattr(GraphProof, "_follow", stop)
    else:
        monkeypatch.setattr(PomdpOfFile, "lower", stop)
    proved, proof = prove_bounds(problem, result, Budget())
    monkeypatch.undo()
    assert isinstance(proof, dict)
    assert proof["points"] == []
    game = PomdpOfFile(problem, policy_graph_plan(result.policy, problem), elaborator, lambda: None)
    assert (game.lower(), game.upper(proof)) == (proved.lower_bound, proved.upper_bound)
    assert (proved.lower_bound, float(result.upper_bound or 0)) < (proved.upper_bound, float(proved.upper_bound or 0))


def test_a_proof_has_as_many_points_as_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Avoiding(19, 4, 3, 2)
    result: Any = solve(problem, precision=1e-6, limits=Limits(expanded=1500))
    counts, uppers = [], []
    for share in (0.0, 0.5, 100.0):
        monkeypatch.setattr(pomdp_graph_bounds, "_SHARE_FOR_FOLLOWING", share / 1e3)
        proof: Any = prove_bounds(problem, result, Budget(Limits(seconds=1000)))[1]
        game = PomdpOfFile(problem, policy_graph_plan(result.policy, problem), elaborator, lambda: None)
        counts.append(len(proof["points"]))
        uppers.append(game.upper(proof))
    assert counts[0] == 0 < counts[-1]
    assert uppers == sorted(uppers, reverse=True)
    assert float(uppers[-1]) < float(uppers[0])
