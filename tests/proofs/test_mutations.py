"""Certificates of every kind with one change each: no change makes one prove more than is true.

What is true comes from the sources named in the puzzles' own tests, or from brute force there.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache, lru_cache, partial
from random import Random
from typing import Any

import pytest

from beliefsearch import BeliefProblem, Blindfolded, solve
from beliefsearch.engine.compiled.bitset_words import members_of_words, words_of_bytes
from beliefsearch.engine.compiled.sensorless import CompiledView
from beliefsearch.errors import InvalidPlanError, InvalidProofError, ProblemError
from beliefsearch.heuristics.full_observability import perfect_sight_distances
from beliefsearch.heuristics.potential import find_potential
from beliefsearch.heuristics.state_graph import BeliefSetting
from beliefsearch.hooks import ConstructionHook
from beliefsearch.model.adapters import Unreduced
from beliefsearch.model.belief import no_tick
from beliefsearch.model.factor import FactorSum
from beliefsearch.plans.proof_words import ARGUMENTS, argument_of
from beliefsearch.proofs.belief_bounds import contingent_proof
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.exhaustion import exhaustion
from beliefsearch.proofs.factors import factors_proof
from beliefsearch.proofs.finder import find_proof
from beliefsearch.proofs.hints.elaborator import proof_table
from beliefsearch.proofs.hints.proof_tables import LISTED
from beliefsearch.proofs.mean import mean_proof
from beliefsearch.running.run import Run
from beliefsearch.tools import load_problem_class
from beliefsearch.verify.proof import TABLES, objective_of

from ..engine.test_factored import Parts
from ..examples import thorough

# Bounds of the values of policies are changed elsewhere.
KINDS = [kind for kind in ARGUMENTS if kind != "value-bounds"]
MUTANTS = 200
"""Of each certificate."""


class Ferry(BeliefProblem[int, str, None]):
    """Get to the bank, 0, wherever you are: a boat goes one pier on for 1/2, a raft two for 5/4, walking is 3."""

    def initial_states(self) -> Iterable[int]:
        return range(5)

    def actions(self, state: int) -> Iterable[str]:
        return ("boat", "raft", "walk")

    def results(self, state: int, action: str) -> Iterable[int]:
        if action == "walk":
            return [0]
        return [max(0, state - (1 if action == "boat" else 2))] if state != 4 or action == "raft" else [4, 3]

    def is_goal(self, state: int) -> bool:
        return state == 0

    def action_cost(self, state: int, action: str) -> Fraction:
        return {"boat": Fraction(1, 2), "raft": Fraction(5, 4), "walk": Fraction(3)}[action]


class Staircase(BeliefProblem[int, str, None], ConstructionHook[str]):
    """Come down a staircase in the dark, from whichever of five stairs; the author knows how."""

    def initial_states(self) -> Iterable[int]:
        return range(5)

    def actions(self, state: int) -> Iterable[str]:
        return ("down", "up")

    def results(self, state: int, action: str) -> Iterable[int]:
        return [max(0, state - 1) if action == "down" else min(4, state + 1)]

    def is_goal(self, state: int) -> bool:
        return state == 0

    def construction(self) -> None:
        return None

    def check_construction(self, evidence: Any) -> int | None:
        stairs = evidence.get("from top")
        if not isinstance(stairs, list) or len(stairs) != 5 or stairs != list(range(4, -1, -1)):
            raise ValueError("these are not the stairs")
        if any(isinstance(stair, bool) for stair in stairs):
            raise ValueError("these are no numbers")
        return 4


# The ferry by hand: from pier 4 the boat may stay where it is, so one needs the raft (to 2, 5/4) and two boats (1),
# 9/4 in all; walking costs more, 3. And this brings every other pier to the bank as well.
FERRY_COST = Fraction(9, 4)

# By brute force.
MASTERMIND_MEAN, COINS_MEAN = Fraction(45, 16), Fraction(12, 5)


def _states(view: CompiledView[Any, Any]) -> list[Any]:
    return [list(state) if isinstance(state, tuple) else state for state in view.model.states]


def _number(value: Any) -> Any:
    if value == math.inf:
        return None
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else str(exact)


def _setting(problem: Any) -> tuple[CompiledView[Any, Any], Any, Any]:
    view: CompiledView[Any, Any] = CompiledView(Unreduced(problem), no_tick)
    return view, BeliefSetting(view, no_tick).graph(None), members_of_words(view.model.initial)


def weights_proof(problem: Any) -> dict[str, Any]:
    """The potential, or ray, of the linear program, as it stands in a certificate."""
    view, graph, initial = _setting(problem)
    found = find_potential(graph, initial)
    assert found is not None
    actions = view.model.actions
    return {
        "kind": "ray" if found.is_ray else "potential",
        "states": _states(view),
        "weights": [_number(weight) for weight in found.weights],
        "flows": [
            {
                "action": sorted(actions[a]) if isinstance(actions[a], frozenset) else actions[a],
                "flow": [[s, t, _number(amount)] for (s, t), amount in flow.items()],
            }
            for a, flow in found.flows.items()
        ],
    }


def distances_proof(problem: Any) -> dict[str, Any]:
    """What a player would need who sees everything."""
    view, graph, _ = _setting(problem)
    distances = perfect_sight_distances(graph)
    return {
        "kind": "distances",
        "states": _states(view),
        "distances": [_number(distance) for distance in distances.tolist()],
    }


def exhaustion_proof(problem: Any, bound: float) -> dict[str, Any]:
    """Lists of beliefs and sets, though there may be a shorter proof."""
    view, _, _ = _setting(problem)
    found = exhaustion(view, bound, no_tick)
    assert found is not None
    return {**found, "states": _states(view)}


def every_belief(problem: Any) -> dict[str, Any]:
    """Every belief that can be reached, where none is won, as a list that is too long for memory has them."""
    view, _, _ = _setting(problem)
    beliefs = [view.initial_state()]
    for belief in beliefs:  # grows while it is walked
        after = (view.result(belief, action) for action in view.actions(belief))
        beliefs += dict.fromkeys(one for one in after if one not in beliefs)
    goals = [members_of_words(words_of_bytes(goals)).tolist() for goals in view.goal_beliefs()]
    return {
        "kind": "exhaustion",
        "states": _states(view),
        "bound": None,
        "reach": None,
        "depth": 0,
        "ahead": [[members_of_words(words_of_bytes(belief)).tolist(), 0] for belief in beliefs],
        "behind": [[goal, 0] for goal in goals],
    }


def by_capacity(problem: Any) -> dict[str, Any]:
    """The states and sorts of the capacity of actions."""
    return {**proof_table(problem, {"kind": "capacity"})}


def puzzle(name: str, **options: Any) -> Any:
    return load_problem_class(name)(**options)


def blindfolded(name: str, **options: Any) -> Any:
    return Blindfolded(puzzle(name, **options))


def found(problem: Any, bound: Any) -> dict[str, Any]:
    proof = find_proof(problem, bound, Run())
    assert proof is not None
    return proof


def stairs() -> Parts:
    """Three staircases in the dark: `a` goes down in the first, `b` in the second, and both do in the third.

    From the third or a lower stair, the second and the first: that takes `a` three times, at 1 each, and `b` twice, at
    2 each; and the third is down then.
    """
    down: Any = [{n: (max(0, n - 1),) for n in range(top)} for top in (4, 3, 2)]
    tables = [{"a": down[0]}, {"b": down[1]}, {"a": down[2], "b": down[2]}]
    return Parts([(n, 2, 1) for n in range(4)], tables, [[0]] * 3, {"a": 1, "b": 2})


STAIRS = 3 * 1 + 2 * 2


def by_factors(problem: Any) -> dict[str, Any] | None:
    return factors_proof(problem, problem.factors(), STAIRS, Run(), partial(find_proof, run=Run()))


# By name: the problem, the kind of proof, the true cost, and how the proof is made.
CERTIFICATES: dict[str, tuple[Callable[[], Any], str, float | Fraction, Callable[[Any], dict[str, Any] | None]]] = {
    "devil 2": (lambda: puzzle("devil", n=2), "potential", 3, lambda p: found(p, 3)),
    "devil 3": (lambda: puzzle("devil", n=3), "trap", math.inf, lambda p: found(p, math.inf)),
    "devil 4": (lambda: puzzle("devil", n=4), "potential", 15, lambda p: found(p, 15)),
    "devil 6": (lambda: puzzle("devil", n=6), "trap", math.inf, lambda p: found(p, math.inf)),
    "devil 4 all-same": (lambda: puzzle("devil", n=4, goal="all-same"), "potential", 7, lambda p: found(p, 7)),
    "devil 3 ray": (lambda: puzzle("devil", n=3), "ray", math.inf, weights_proof),
    "devil 3 distances": (lambda: puzzle("devil", n=3), "distances", math.inf, distances_proof),
    "devil 3 listed": (lambda: puzzle("devil", n=3), "exhaustion", math.inf, every_belief),
    "devil 2 listed": (lambda: puzzle("devil", n=2), "belief-bounds", 3, lambda p: exhaustion_proof(p, 3)),
    "vacuum 3": (lambda: puzzle("vacuum", squares=3), "belief-bounds", 7, lambda p: found(p, 7)),
    "Cerny 5": (lambda: puzzle("reset-word", cerny=5), "belief-bounds", 16, lambda p: found(p, 16)),
    "lights-out 1x4 blindfolded": (
        lambda: blindfolded("lights-out", rows=1, cols=4),
        "potential",
        15,
        lambda p: found(p, 15),
    ),
    "lights-out 2x2": (
        lambda: puzzle("lights-out", rows=2, cols=2, start="1111"),
        "distances",
        4,
        lambda p: found(p, 4),
    ),
    "lights-out 2x3": (
        lambda: puzzle("lights-out", rows=2, cols=3, start="100000"),
        "trap",
        math.inf,
        lambda p: found(p, math.inf),
    ),
    "coins by capacity": (lambda: puzzle("counterfeit-coin", coins=4, reference=1), "capacity", 2, by_capacity),
    "a lie by capacity": (
        lambda: puzzle("hidden-number", limit=4, lies=1, questions="sets"),
        "capacity",
        5,
        by_capacity,
    ),
    "ferry": (Ferry, "belief-bounds", FERRY_COST, lambda p: exhaustion_proof(p, 9 / 4)),
    "ferry's weights": (Ferry, "potential", FERRY_COST, weights_proof),
    "ferry with sight": (Ferry, "distances", FERRY_COST, distances_proof),
    "vacuum 3 with a local sensor": (
        lambda: puzzle("vacuum", squares=3, sensing="local", variant="erratic"),
        "belief-bounds",
        7,
        lambda p: found(p, 7),
    ),
    "four glasses": (lambda: puzzle("four-glasses", look=2), "belief-bounds", 5, lambda p: found(p, 5)),
    "four glasses, one felt": (
        lambda: puzzle("four-glasses", look=1),
        "belief-bounds",
        math.inf,
        lambda p: contingent_proof(p, math.inf, Run()),
    ),
    "wumpus without an arrow": (
        lambda: puzzle("wumpus", rows=2, cols=3, arrows=0),
        "lost-beliefs",
        math.inf,
        lambda p: found(p, math.inf),
    ),
    "Mastermind 2x4": (
        lambda: puzzle("mastermind", pegs=2, colours=4),
        "mean-bounds",
        MASTERMIND_MEAN,
        lambda p: mean_proof(p, MASTERMIND_MEAN, Run()),
    ),
    "five coins, in the mean": (
        lambda: puzzle("counterfeit-coin", coins=5),
        "mean-bounds",
        COINS_MEAN,
        lambda p: mean_proof(p, COINS_MEAN, Run()),
    ),
    "three staircases": (stairs, "factors", STAIRS, by_factors),
    "staircase": (
        Staircase,
        "construction",
        4,
        lambda p: {"kind": "construction", "evidence": {"from top": [4, 3, 2, 1, 0]}},
    ),
}


def as_a_table(prove: Callable[[Any], dict[str, Any] | None]) -> Callable[[Any], dict[str, Any] | None]:
    return lambda problem: {**proof_table(problem, prove(problem) or {})}


def as_a_list(proof: dict[str, Any] | None) -> dict[str, Any]:
    """A proof about a mean as it was written before there were tables."""
    assert proof is not None
    table = proof["table"]
    rows = zip(table["beliefs"], table["totals"], table["reasons"], strict=True)
    listed = {name: proof[name] for name in ("states", "actions")} | {"symmetries": table.get("symmetries", [])}
    return {"kind": "mean-bounds", **listed, "beliefs": [[pairs, total, fixing] for pairs, total, (fixing, _) in rows]}


def listed_mean(mean: Fraction) -> Callable[[Any], dict[str, Any]]:
    return lambda problem: as_a_list(mean_proof(problem, mean, Run()))


CERTIFICATES |= {
    "Mastermind 2x4, a list": (*CERTIFICATES["Mastermind 2x4"][:3], listed_mean(MASTERMIND_MEAN)),
    "five coins, a list": (*CERTIFICATES["five coins, in the mean"][:3], listed_mean(COINS_MEAN)),
}
CERTIFICATES |= {
    f"{name}, a table": (make, kind, cost, as_a_table(prove))
    for name, (make, kind, cost, prove) in CERTIFICATES.items()
    if kind in LISTED and kind != "mean-bounds"  # which is found as a table
}


@cache
def certificate(name: str) -> tuple[Any, str]:
    """The problem and its proof as JSON text."""
    make, _, _, prove = CERTIFICATES[name]
    problem = make()
    return problem, json.dumps(prove(problem), allow_nan=False)


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value: what it is in, and its key or number there."""
    keys: Iterable[Any] = node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        yield node, key
        if isinstance(node[key], (dict, list)):
            yield from places(node[key])


ODD: list[Any] = [None, True, False, -1, 0, 1, 2, 1.5, 0.0, -0.5, 1e308, 10**6, 10**30, 10**400]
ODD += ["", "x", "1/2", "1/0", "-1", "1e40", "nan", "inf", "0x1", [], [0], [[]], [[0], 0], {}, {"kind": "trap"}]
STRANGE_STATES: list[Any] = ["HH", "HHH", "TTT", "HTHT", "1111", [0, 0], 7, "[.].", [[0, 1], 0]]


def mutant(text: str, other: str, chance: Random) -> tuple[str, dict[str, Any]]:
    """One change to a proof: its name, and what comes of it."""
    proof: dict[str, Any] = json.loads(text)
    everywhere = list(places(proof))
    # A field of the proof as often as a number deep inside a list.
    home, key = chance.choice([(proof, name) for name in proof] if chance.random() < 0.2 else everywhere)
    lists = [node[name] for node, name in everywhere if isinstance(node[name], list) and node[name]]
    some = chance.choice(lists)
    place = chance.randrange(len(some))
    numbers = [(node, name) for node, name in everywhere if isinstance(node[name], int)]
    change = chance.choice(
        ["drop", "drop", "duplicate", "swap", "add", "odd", "kind", "other", "state", "bound", "number", "number"]
    )
    if change == "drop":
        del home[key]
    elif change == "duplicate":
        some.insert(place, deepcopy(some[place]))
    elif change == "swap":
        where = chance.randrange(len(some))
        some[place], some[where] = some[where], some[place]
    elif change == "add":
        some.append(deepcopy(chance.choice(STRANGE_STATES + ODD)))
    elif change == "odd":
        home[key] = deepcopy(chance.choice(ODD))
    elif change == "kind":
        proof["kind"] = chance.choice([*KINDS, *TABLES])
    elif change == "other":
        strange = json.loads(other)
        field = chance.choice(list(strange))
        proof[field] = strange[field]
    elif change == "state" and isinstance(proof.get("states"), list):
        proof["states"][chance.randrange(len(proof["states"]))] = deepcopy(chance.choice(STRANGE_STATES))
    elif change == "bound" and "bound" in proof:
        field = chance.choice(["bound", "reach", "depth"])
        proof[field] = None if proof[field] is None or chance.random() < 0.2 else 1 + Fraction(proof[field])
        proof[field] = proof[field] if proof[field] is None else _number(proof[field])
    elif numbers:
        node, name = chance.choice(numbers)
        node[name] = chance.choice([node[name] + 1, node[name] - 1, -node[name], 2 * node[name] + 1])
    return change, proof


def normal(value: Any) -> Any:
    """A JSON value without regard to the order of lists and to what stands in them twice: as a text."""
    if isinstance(value, dict):
        return "{" + ", ".join(sorted(f"{key}: {normal(item)}" for key, item in value.items())) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(sorted({normal(item) for item in value})) + "]"
    return _text(value)


_text = lru_cache(maxsize=None, typed=True)(json.dumps)


@pytest.mark.parametrize("name", CERTIFICATES)
def test_a_certificate_proves_what_is_known(name: str) -> None:
    problem, text = certificate(name)
    _, kind, cost, _ = CERTIFICATES[name]
    proof = json.loads(text)
    assert argument_of(proof) == kind or name == "devil 3 distances, a table"  # all are infinite
    bound = check_proof(problem, proof)
    # The weights and the distances of the ferry are too weak to prove all of the cost.
    assert bound == cost if not name.startswith(("ferry ", "ferry's weights")) else 0 < bound <= cost


def judge(problem: Any, proof: dict[str, Any]) -> float | Fraction | None:
    """The bound; None if the proof is rejected, as it should be."""
    try:
        return check_proof(problem, proof)
    except (InvalidPlanError, ProblemError) as refusal:
        said = str(refusal)
    assert said
    assert "\n" not in said
    return None


@pytest.mark.parametrize("mutants", [MUTANTS // 8, thorough(MUTANTS)])
def test_no_change_makes_a_certificate_prove_more_than_is_true_and_nearly_all_are_noticed(mutants: int) -> None:
    """The share counts changes that are more than another order, or something said twice.

    Measured: 90 of 100 (belief-bounds 64, trap 74, exhaustion 87, others 93 to 96). The rest prove less, or say what is
    not looked at: a trap stays one if a state is added that cannot come up, and a belief has the bounds of its parts.
    Who makes another kind of a proof about the mean may well prove more, about the worst case.
    """
    tally: Counter[tuple[str, bool]] = Counter()
    for name, (_, kind, cost, _) in CERTIFICATES.items():
        problem, text = certificate(name)
        chance = Random(f"change {name}")
        others = [certificate(other)[1] for other in CERTIFICATES]
        same = normal(json.loads(text))
        for _ in range(mutants):
            change, changed = mutant(text, chance.choice(others), chance)
            bound = judge(problem, changed)
            if bound is not None and objective_of(changed) == objective_of({"kind": kind}):
                assert bound <= cost, (name, change, changed)
            if normal(changed) != same:
                tally[kind, bound is None] += 1
    assert tally.total() > 3500 * mutants // MUTANTS
    kinds = {kind for _, kind, _, _ in CERTIFICATES.values()}
    assert {*KINDS} == kinds
    share = {kind: tally[kind, True] / (tally[kind, True] + tally[kind, False]) for kind in kinds}
    assert sum(number for (_, rejected), number in tally.items() if rejected) / tally.total() > 0.85, share
    # Of lists that are made into tables first nobody minds what the table has no need of, nor how states are sorted.
    assert min(share.values()) > 0.4, share


def test_no_arrangement_of_parts_proves_more_than_is_true() -> None:
    """Whatever proofs stand in whatever parts, of factors that overlap, too, in any order and number."""
    problem = stairs()
    others = [json.loads(certificate(name)[1]) for name in CERTIFICATES]
    own = [dict(proof_table(part, found(part, bound))) for part, bound in zip(problem.parts, (3, 4, 1), strict=True)]
    by_overlap = own[2]
    assert check_proof(problem, {"kind": "factors", "parts": [{"factor": 2, "proof": by_overlap}]}) == 1
    chance, bounds = Random("parts"), Counter[Any]()
    for _ in range(400):
        proofs = [chance.choice(own if chance.random() < 0.9 else others) for _ in range(chance.randrange(4))]
        parts = [{"factor": chance.choice((0, 0, 1, 1, 2)), "proof": proof} for proof in proofs]
        if chance.random() < 0.1:
            parts = [{"factor": chance.randrange(3), "proof": {"kind": "factors", "parts": parts}}]
        bounds[judge(problem, {"kind": "factors", "parts": parts})] += 1
    assert max(bound for bound in bounds if bound is not None) == STAIRS
    assert bounds[None] > 200


def test_no_choice_of_factors_and_free_actions_proves_more_than_is_true() -> None:
    """Each part is proved as it is; whatever is free in it, parts that count an action twice are refused."""
    problem = stairs()
    chance, bounds, parts = Random("free"), Counter[Any](), []
    for places in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]):
        factors = [problem.factors()[place] for place in places]
        known = {action for factor in factors for action in factor.actions}
        for free in map(known.intersection, ("", "a", "b")):
            local = FactorSum(factors, free)
            proof = dict(proof_table(local, found(local, solve(local).cost)))
            parts.append({"factor": places, "free": [*free], "proof": proof})
    for _ in range(400):
        bounds[judge(problem, {"kind": "factors", "parts": chance.sample(parts, chance.randrange(1, 4))})] += 1
    assert max(bound for bound in bounds if bound is not None) == STAIRS
    assert 100 < bounds[None] < 300
    wrong = {**parts[-1], "free": ["c"]}
    with pytest.raises(InvalidProofError, match='"c" is free in a part, but no action'):
        check_proof(problem, {"kind": "factors", "parts": [wrong]})
