"""Bounds without a discount, against brute force and known answers."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from beliefsearch import Limits, PolicyResult, StochasticProblem, solve
from beliefsearch.plans.policy_files import policy_graph_plan
from beliefsearch.proofs.hints import elaborator
from beliefsearch.proofs.pomdp_bounds import prove_bounds
from beliefsearch.running.limits import Budget
from beliefsearch.verify.pomdp_file import PomdpOfFile

TINY = 1e-9


class Shuffled(StochasticProblem[int, int, int]):
    """A few states, a goal and a loss; actions that only shuffle or mix states make end components."""

    def __init__(self, seed: int, n: int, actions: int, percepts: int) -> None:
        random = Random(seed)
        self.n, self.k = n, actions
        self.seen = [random.randrange(percepts) for _ in range(n)]
        self.rows: dict[tuple[int, int], Any] = {}
        for a in range(actions):
            kind = random.choice(["shuffle", "mix", "risk"]) if a else "risk"
            places = random.sample(range(n), n)
            for s in range(n):
                if kind == "shuffle":
                    row = [(Fraction(1), places[s])]
                elif kind == "mix":
                    u, v = random.sample(range(n), 2)
                    p = Fraction(random.randint(1, 9), 10)
                    row = [(p, u), (1 - p, v)]
                else:
                    weights = [random.randint(0, 4) for _ in range(3)] + [random.randint(1, 5)]
                    ends = [n, n + 1, *random.sample(range(n), 2)]
                    row = [(Fraction(w, sum(weights)), t) for w, t in zip(weights, ends, strict=True) if w]
                self.rows[s, a] = row

    def initial_distribution(self) -> Any:
        return [(Fraction(1, self.n), s) for s in range(self.n)]

    def actions(self, state: int) -> Any:
        return range(self.k)

    def outcomes(self, state: int, action: int) -> Any:
        return self.rows[state, action]

    def percept_distribution(self, state: int, action: int) -> Any:
        return [(Fraction(1), self.seen[state])]

    def is_terminal(self, state: int) -> bool:
        return state >= self.n

    def utility(self, state: int) -> int:
        return int(state == self.n)

    def reward(self, state: int, action: int) -> int:
        return 0


def following(p: Shuffled, belief: Any, action: int) -> tuple[float, list[tuple[float, tuple[float, ...]]]]:
    """The probability of the goal at once, and what may follow with its probability."""
    goal = 0.0
    parts: dict[int, list[float]] = {}
    for state, share in enumerate(belief):
        for chance, target in p.rows[state, action] if share else ():
            if target == p.n:
                goal += share * float(chance)
            elif target < p.n:
                parts.setdefault(p.seen[target], [0.0] * p.n)[target] += share * float(chance)
    return goal, [(sum(part), tuple(weight / sum(part) for weight in part)) for part in parts.values()]


def from_below(p: Shuffled, belief: Any, depth: int, memo: dict[Any, float]) -> float:
    """The value of so many actions."""
    key = tuple(round(share, 10) for share in belief), depth
    if key not in memo:
        best = 0.0
        for action in range(p.k) if depth else ():
            goal, parts = following(p, belief, action)
            best = max(best, goal + sum(mass * from_below(p, part, depth - 1, memo) for mass, part in parts))
        memo[key] = best
    return memo[key]


def corners(belief: Any, fine: int) -> list[tuple[float, tuple[float, ...]]]:
    """The belief as a mean of beliefs whose shares have this denominator (Freudenthal's triangulation)."""
    sums = [sum(belief[i:]) * fine for i in range(len(belief))]
    base = [int(total + 1e-9) for total in sums]
    rest = [total - whole for total, whole in zip(sums, base, strict=True)]
    found, last = [], 1.0
    order: list[int | None] = [*sorted(range(len(base)), key=lambda i: -rest[i]), None]
    for i in order:
        weight = last - (0.0 if i is None else rest[i])
        if weight > 1e-12:
            found.append((weight, tuple((a - b) / fine for a, b in zip(base, [*base[1:], 0], strict=True))))
        if i is not None:
            last = rest[i]
            base[i] += 1
    return found


def from_above(p: Shuffled, start: Any, fine: int) -> float:
    """The value if each belief were a mean of beliefs of a grid: the least solution from below."""
    rows: dict[Any, list[tuple[float, list[tuple[float, Any]]]]] = {}
    waiting = [start]
    while waiting:
        belief = waiting.pop()
        if belief in rows:
            continue
        rows[belief] = []
        for action in range(p.k):
            goal, parts = following(p, belief, action)
            row = [(mass * weight, corner) for mass, part in parts for weight, corner in corners(part, fine)]
            rows[belief].append((goal, row))
            waiting.extend(corner for _, corner in row)
    value: dict[Any, float] = dict.fromkeys(rows, 0.0)
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for belief, by_action in rows.items():
            best = max(goal + sum(weight * value[corner] for weight, corner in row) for goal, row in by_action)
            change = max(change, best - value[belief])
            value[belief] = max(value[belief], best)
    return float(value[start])


def bounds_of(result: PolicyResult[Any, Any]) -> tuple[float, float]:
    assert result.lower_bound is not None
    assert result.upper_bound is not None
    return float(result.lower_bound), float(result.upper_bound)


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(17))
def test_bounds_contain_what_brute_force_finds(seed: int) -> None:
    problem = Shuffled(seed, 3 + seed % 2, 2 + seed % 3, 1 + seed % 2)
    start = tuple([1 / problem.n] * problem.n)
    least = 0.0
    memo: dict[Any, float] = {}
    for depth in range(1, 30):
        least = from_below(problem, start, depth, memo)
        if len(memo) > 3000:
            break
    most = from_above(problem, start, 10 if problem.n == 3 else 5)
    limits = Limits(expanded=1500)
    result: Any = solve(problem, solver="belief-graph", precision=1e-6, limits=limits)
    lower, upper = bounds_of(result)
    assert lower <= most + TINY
    assert upper >= least - TINY
    assert lower <= upper
    game = PomdpOfFile(problem, policy_graph_plan(result.policy, problem), elaborator, lambda: None)
    assert game.lower() >= lower - TINY
    proved, proof = prove_bounds(problem, result, Budget())
    assert isinstance(proof, dict)
    assert game.upper(proof) == proved.upper_bound
    if seed not in (5, 14, 15, 16):  # there a circle closes up to rounding only
        assert proved.upper_bound <= upper + 1e-9


PRISM = Path(os.environ.get("BELIEFSEARCH_PRISM") or Path(__file__).parents[4] / "shared" / "benchmarks" / "prism")
KNOWN = PRISM / "pomdp" / "expected.json"
ROWS: list[dict[str, Any]] = json.loads(KNOWN.read_text()) if KNOWN.exists() else []


@pytest.mark.few(4)
@pytest.mark.filterwarnings("ignore::beliefsearch.errors.DataWarning")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{Path(row['model']).stem} {row['const']}")
def test_bounds_agree_with_those_of_others(row: dict[str, Any]) -> None:
    from beliefsearch_problems.files.prism import PrismFileProblem

    costs = "steps" if row["property"].startswith("R") else None
    problem = PrismFileProblem(KNOWN.parent / row["model"], row["const"], costs=costs)
    result: Any = solve(problem, solver="belief-graph", limits=Limits(expanded=2000))
    lower, upper = bounds_of(result)
    if costs:
        lower, upper = -upper, -lower
    assert lower <= row["storm_above"] + 1e-4
    assert upper >= row["storm_below"] - 1e-4


SURE = [
    row
    for row in ROWS
    if row["storm_above"] == 1 and Path(row["model"]).stem in ("mazetasks", "obstacle", "refuel", "rocks2")
]


@pytest.mark.filterwarnings("ignore::beliefsearch.errors.DataWarning")
@pytest.mark.parametrize("row", SURE, ids=lambda row: Path(row["model"]).stem)
def test_what_can_be_won_almost_surely_is_worth_1(row: dict[str, Any]) -> None:
    from beliefsearch_problems.files.prism import PrismFileProblem

    problem = PrismFileProblem(KNOWN.parent / row["model"], row["const"])
    result: Any = solve(problem, solver="belief-graph")
    assert result.value == 1
    proved, proof = prove_bounds(problem, result, Budget())
    assert isinstance(proof, dict)
    assert (proved.lower_bound, proved.upper_bound) == (1, 1)
