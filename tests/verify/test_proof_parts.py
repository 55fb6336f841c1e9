"""Bounds of beliefs that rest on parts of beliefs: what is proved is true, whatever stands in the certificate."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import BeliefProblem
from beliefsearch.errors import InvalidProofError
from beliefsearch.proofs import belief_bounds as contingent
from beliefsearch.proofs.belief_bounds import _bounds_by_cores
from beliefsearch.proofs.check import check_proof
from beliefsearch.running.run import Run
from beliefsearch.verify import asked_game

from ..problems.contingent_brute_force import least_worst_cost, with_hooks


@frozen
class Told(BeliefProblem[int, int, int]):
    """Actions that only tell starts apart; or win them, which makes them negative."""

    rows: tuple[tuple[int, ...], ...]
    won: int

    def initial_states(self) -> range:
        return range(1, len(self.rows[0]) + 1)

    def actions(self, state: int) -> range:
        return range(len(self.rows) + 1)

    def results(self, state: int, action: int) -> list[int]:
        if action == len(self.rows):  # the last one wins one start
            return [-1 if state == 1 else state]
        return [-state if state > 0 and self.rows[action][state - 1] >= self.won else state]

    def percepts(self, state: int, action: int) -> list[int]:
        if action == len(self.rows):
            return [self.won if state == -1 else 0]
        return [self.rows[action][abs(state) - 1]]

    def is_goal(self, state: int) -> bool:
        return state < 0


@st.composite
def problems(draw: Any) -> Told:
    starts = draw(st.integers(2, 5))
    rows = draw(st.lists(st.tuples(*[st.integers(0, 2)] * starts), min_size=1, max_size=4))
    rows += [tuple(2 if start == one else 0 for start in range(starts)) for one in range(1, starts)]
    return Told(tuple(rows), 2)


WAYS = st.sampled_from([0, 10**9])  # from how many pairs on arrays are used: always, and never


def proof_of(problem: Told, bound: int) -> dict[str, Any]:
    found: Any = _bounds_by_cores(problem, bound, lambda: None)
    assert found is not None
    return found  # type: ignore[no-any-return]


def checked(problem: Told, proof: dict[str, Any], many: int) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asked_game, "MANY", many)
        return check_proof(problem, proof)


@given(problem=problems(), many=WAYS)
def test_the_cores_of_a_search_prove_its_bound(problem: Told, many: int) -> None:
    cost = int(least_worst_cost(problem))
    assert checked(problem, proof_of(problem, cost), many) == cost
    assert _bounds_by_cores(problem, cost + 1, lambda: None) is None


@given(problem=problems(), many=WAYS, data=st.data())
def test_no_other_certificate_proves_more(problem: Told, many: int, data: Any) -> None:
    cost = int(least_worst_cost(problem))
    proof = proof_of(problem, cost)
    for _ in range(data.draw(st.integers(1, 3))):
        entry = data.draw(st.sampled_from(proof["beliefs"]))
        change = data.draw(st.sampled_from(["raise", "drop", "shrink"]))
        if change == "raise":
            entry[1] += 1
        elif change == "drop":
            entry[1] = 0
        else:
            del entry[0][-1:]
    with suppress(InvalidProofError):
        assert checked(problem, proof, many) <= cost


@pytest.mark.parametrize("many", [0, 10**9])
def test_the_bound_of_a_part_is_not_more_than_is_left_after_every_action(many: int) -> None:
    problem = Told(((0, 0, 0), (0, 2, 0), (0, 0, 2)), 2)  # each of three starts has an action that wins it
    wrong = {"kind": "belief-bounds", "states": [1, 2, 3], "beliefs": [[[0, 1], 3], [[0], 1], [[1], 1]]}
    with pytest.raises(InvalidProofError, match="has the bound 3, but action"):
        checked(problem, wrong, many)


def test_where_the_graph_is_large_cores_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ((0, 0, 0, 0, 0, 1, 1, 0, 1), (0, 0, 1, 1, 0, 0, 0, 0, 0), (1, 0, 1, 0, 1, 1, 0, 1, 0))
    problem = Told((*rows, *(tuple(2 if start == one else 0 for start in range(9)) for one in range(1, 9))), 2)
    cost = with_hooks(problem).least(9)
    in_graph: Any = contingent.contingent_proof(problem, cost, Run())
    monkeypatch.setattr(contingent, "_SMALL", 10)
    by_cores: Any = contingent.contingent_proof(problem, cost, Run())
    assert in_graph["kind"] == by_cores["kind"] == "belief-bounds"
    for proof in (in_graph, by_cores):
        assert check_proof(problem, proof) == cost
        proof["beliefs"][0][1] += 1
        with pytest.raises(InvalidProofError, match=f"has the bound {cost + 1}, but action"):
            check_proof(problem, proof)
    assert in_graph != by_cores
