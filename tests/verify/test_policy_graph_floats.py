"""The checker of policy graphs on games in floats: what is meant by them, and to which side sums are rounded."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from beliefsearch import StochasticProblem

from ..random_pomdps import Pairs, TablePomdp
from .test_policy_graph import HALF, ONE, look_once, verdict


class Floats(StochasticProblem[str, str, str]):
    """Three floats that miss 1 by a rounding, for outcomes and percepts; and a start that may be over."""

    def initial_distribution(self) -> list[tuple[float, str]]:
        return [(0.1, "on"), (0.2, "over"), (0.7, "off")]

    def actions(self, state: str) -> list[str]:
        return ["go"]

    def outcomes(self, state: str, action: str) -> list[tuple[float, str]]:
        return [(0.1, "on"), (0.2, "off"), (0.7, "over"), (0, "never")]

    def percept_distribution(self, state: str, action: str) -> list[tuple[float, str]]:
        return [(0.7, "a"), (0.2, "b"), (0.1, "c"), (0.0, "d")]

    def is_terminal(self, state: str) -> bool:
        return state in ("over", "never")

    def utility(self, state: str) -> float:
        return 1.0


def of_floats(value: int, unit: int, upper: int) -> Any:
    document = look_once()
    document |= {"lower_bound": None, "upper_bound": None}
    document["plan"] |= {
        "states": ["on", "off"],
        "percepts": ["a", "b", "c"],
        "unit": unit,
        "nodes": [["go", [0, 0, 0], [value, value]]],
    }
    document["proof"] |= {"actions": ["go"], "unit": unit, "planes": [[upper, upper]], "points": []}
    return document


def test_of_floats_the_game_is_meant_in_which_each_is_divided_by_their_sum() -> None:
    assert Fraction(0.1) + Fraction(0.2) + Fraction(0.7) != 1
    found = verdict(Floats(), of_floats(1, 1, 1))
    assert (found.attained, found.unattained) == (ONE, ONE)
    assert not verdict(Floats(), of_floats(10**30 + 1, 10**30, 10**30 + 1)).holds
    assert not verdict(Floats(), of_floats(10**30 - 1, 10**30, 10**30 - 1)).holds


def many_floats(size: int) -> TablePomdp:
    """Percepts with so many sums of floats that they have no common denominator of moderate length."""

    def row(place: int) -> Any:
        first = 0.1 + place * 0.0071
        return ((first, 0), (0.37 - first / 7, 1), (round(0.63 - first * 6 / 7, 12), 2))

    table: Any = tuple(
        {"a": (state % 3, ((HALF, (state + 1) % size), (HALF, (state * 7 + 3) % size)))} for state in range(size)
    )
    start: Pairs = ((ONE, 0),)
    return TablePomdp(start, table, {(state, "a"): row(state) for state in range(size)}, (), HALF)


def test_floats_without_a_common_denominator_of_moderate_length() -> None:
    from beliefsearch.planner.solve import solve
    from beliefsearch.proofs.prove import prove

    problem = many_floats(60)
    document: Any = prove(problem, solve(problem)).document(name="x", parameters={})
    found = verdict(problem, document)
    assert found.holds
    assert found.attained is not None
    assert found.unattained is not None
    assert 0 <= found.unattained - found.attained < Fraction(1, 10**6)
    for node in document["plan"]["nodes"]:
        node[2] = [value + document["plan"]["unit"] // 1000 for value in node[2]]
    assert not verdict(problem, document).holds
