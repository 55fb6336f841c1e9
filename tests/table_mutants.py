"""Certificates of tables for random small problems, changed at random, and what is true of them by brute force."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from functools import singledispatch
from random import Random
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch.engine.compiled.bitset_words import members_of_words
from beliefsearch.errors import InvalidProofError, Unfit
from beliefsearch.heuristics.potential import find_potential
from beliefsearch.plans.encoding import encode_state
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.proofs.finder import _potential_proof, unreduced
from beliefsearch.proofs.game_documents import game_document
from beliefsearch.proofs.prove import prove
from beliefsearch.proofs.tables import tables_of
from beliefsearch.verify import asked_game
from beliefsearch.verify.checker import Claim

from .contingent_problems import SightedTable, least_mean_cost, sighted_problems, wins_in_the_end, worst_costs
from .mirrored_problems import mirrored_problems
from .random_games import TableGame, best_values
from .random_pomdps import TablePomdp, value_between
from .random_problems import ACTIONS, TableBeliefProblem, exact_belief_costs


def written(data: Any) -> Any:
    """Data as they come back from a file."""
    return json.loads(json.dumps(data))


def certificate(problem: Any, objective: str = "worst", many: int = asked_game.MANY) -> tuple[Any, Any] | None:
    """The listed game and the certificate of what `solve` and `prove` find; None if there is no table for it.

    With so many actions those are looked at together that leave a part of a belief as it is.
    """
    with patch.object(asked_game, "MANY", many):
        return _certificate(problem, objective)


def _certificate(problem: Any, objective: str) -> tuple[Any, Any] | None:
    answer = solve(problem, objective=objective) if objective == "expected" else solve(problem)
    try:
        document: Any = prove(problem, answer).document(name="table", parameters={})
    except Unfit:  # a policy of a game that is seen is its own proof
        document = plan_document(answer, problem, name="table", parameters={})
    try:
        listed, tables = tables_of(problem, json.loads(json.dumps(document)))
    except InvalidProofError:
        return None
    return written(game_document(listed)), written(tables)


def weights_certificate(problem: TableBeliefProblem) -> tuple[Any, Any] | None:
    """The certificate of the best weights that a linear program finds, which may prove less than the least cost."""
    view, graph = unreduced(problem, lambda: None, lambda number: None, 10_000)
    found = find_potential(graph, members_of_words(view.model.initial))
    if found is None:
        return None
    proof = _potential_proof(problem, view, found)
    states = [encode_state(problem, state) for state in view.model.states]
    listed, tables = tables_of(problem, {"proof": {**proof, "states": states}})
    return written(game_document(listed)), written(tables)


@singledispatch
def truth(problem: Any) -> Callable[[Claim], bool]:
    """By brute force: whether a claim is true."""
    raise TypeError(f"there is no brute force for a {type(problem).__name__}")


def _of_costs(
    worst: float | Fraction, wins: Callable[[], bool], mean: Callable[[], float | Fraction] = lambda: 0
) -> Callable[[Claim], bool]:
    def is_true(claim: Claim) -> bool:
        if claim.about == "mean":
            assert claim.value is not None
            return claim.value <= mean() if claim.side == ">=" else claim.value >= mean()
        if claim.kind == "lost" or claim.value is None:
            return wins() == (claim.kind != "lost")
        return claim.value <= worst if claim.side == ">=" else claim.value >= worst

    return is_true


@truth.register
def _sighted(problem: SightedTable) -> Callable[[Claim], bool]:
    worst = worst_costs(problem)[frozenset(problem.starts)]
    return _of_costs(worst, lambda: wins_in_the_end(problem), lambda: least_mean_cost(problem))


@truth.register
def _blind(problem: TableBeliefProblem) -> Callable[[Claim], bool]:
    worst = exact_belief_costs(problem)[frozenset(problem.starts)]
    return _of_costs(worst, lambda: worst < math.inf)  # who perceives nothing wins nothing by trying again


def _of_values(low: Fraction, high: Fraction) -> Callable[[Claim], bool]:
    def is_true(claim: Claim) -> bool:
        assert claim.value is not None
        if claim.side == "=":
            return low <= claim.value <= high
        return claim.value <= high if claim.side == ">=" else claim.value >= low

    return is_true


@truth.register
def _partly_seen(problem: TablePomdp) -> Callable[[Claim], bool]:
    return _of_values(*value_between(problem, 4))


@truth.register
def _seen(problem: TableGame) -> Callable[[Claim], bool]:
    values = best_values(problem)
    value = sum((Fraction(p) * values[s] for p, s in problem.initial_distribution()), Fraction(0))
    return _of_values(value, value)


def certain_problems() -> st.SearchStrategy[SightedTable]:
    """Problems in which only the start is uncertain, for which means are counted; some have a symmetry."""
    return sighted_problems(deterministic=True) | sighted_problems(deterministic=True).map(_plain) | mirrored_problems()


def _plain(problem: SightedTable) -> SightedTable:
    """The problem with every action in every state, at a cost of 1, so that counting says much."""
    table = tuple({action: row.get(action, (here,)) for action in ACTIONS} for here, row in enumerate(problem.table))
    return SightedTable(problem.starts, table, problem.goals, problem.sights)


def mutant(tables: Any, random: Random) -> Any:
    """A certificate with one or two random changes."""
    changed = deepcopy(tables)
    for _ in range(random.choice((1, 1, 2))):
        with suppress(TypeError, ValueError, LookupError, AttributeError):  # one change may stand in the way of another
            random.choice(_CHANGES)(random.choice(changed["tables"]), random)
    return changed


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in data, as what holds it and its key there."""
    for key, inner in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(inner, (dict, list)):
            yield from places(inner)


def _leaves(table: Any) -> list[tuple[Any, Any]]:
    return [(box, key) for box, key in places(table) if not isinstance(box[key], (dict, list)) and key != "kind"]


def _another_number(table: Any, random: Random) -> None:
    leaves = _leaves(table)
    box, key = random.choice(leaves)
    now = box[key]
    near = Fraction(now) if re.fullmatch(r"-?\d+(/[1-9]\d*)?", str(now)) else Fraction(0)
    choices = [
        near + 1,
        near - 1,
        2 * near,
        near / 2,
        near + Fraction(1, 1000),
        Fraction(0),
        Fraction(random.randrange(5)),
    ]
    found = random.choice(choices)
    other, place = random.choice(leaves)
    box[key] = random.choice((_exact(found), _exact(found), None, other[place]))


def _exact(number: Fraction) -> Any:
    return number.numerator if number.denominator == 1 else str(number)


def _swap(table: Any, random: Random) -> None:
    (box, key), (other, place) = random.choices([at for at in places(table) if at[1] != "kind"], k=2)
    box[key], other[place] = deepcopy(other[place]), deepcopy(box[key])


def _lists(table: Any) -> list[Any]:
    return [box[key] for box, key in places(table) if isinstance(box[key], list) and box[key]]


def _drop(table: Any, random: Random) -> None:
    of = random.choice(_lists(table) or [[0]])
    del of[random.randrange(len(of))]


def _double(table: Any, random: Random) -> None:
    of = random.choice(_lists(table) or [[0]])
    of.insert(random.randrange(len(of) + 1), deepcopy(random.choice(of)))


def _claim_more(table: Any, random: Random) -> None:
    """Raise all values, or lower them: whatever is not tied to the game would then prove anything."""
    by = random.choice((-1, 1))
    for name in ("values", "high", "low", "weights", "totals"):
        if name in table:
            table[name] = [_exact(Fraction(v) + by) if v is not None else v for v in table[name]]
    for node in table.get("nodes", ()):
        if table["kind"] == "graph":
            node[2] = [v if v is None else v + by * table["unit"] for v in node[2]]
        elif node[2] is not None:
            node[2] = _exact(Fraction(node[2]) + by)
    for point in table.get("points", ()):
        point[1] += by * table["unit"]


def _no_ranks(table: Any, random: Random) -> None:
    table.pop("ranks", None)


def _root(table: Any, random: Random) -> None:
    if "root" in table:
        table["root"] = random.randrange(len(table.get("beliefs") or table["nodes"]))


_CHANGES = (_another_number, _another_number, _another_number, _swap, _drop, _double, _claim_more, _no_ranks, _root)
