"""The checker of proofs about the mean: what is true on games small enough to see it, and each way to say too much."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import pytest

from beliefsearch.errors import InvalidPlanError, InvalidProofError, ProblemError
from beliefsearch.plans.wording import number_text
from beliefsearch.proofs.check import check_proof
from beliefsearch.verify import checker

from ..contingent_problems import SightedTable, least_mean_cost

Rows: TypeAlias = tuple[dict[str, int], ...]
"""By state: what its actions lead to."""


def game(
    starts: tuple[int, ...],
    table: Rows,
    goals: tuple[set[int], ...],
    seen: Mapping[tuple[str, int], str] | None = None,
    costs: Mapping[tuple[int, str], int | Fraction] | None = None,
) -> SightedTable:
    """A game in which all looks alike but for what is `seen`, and an action costs 1 but for what stands in `costs`."""
    pairs = [(state, action) for state, row in enumerate(table) for action in row]
    sights = {(action, state): ("-",) for _, action in pairs for state in range(len(table))}
    return SightedTable(
        starts,
        tuple({action: (result,) for action, result in row.items()} for row in table),
        tuple(map(frozenset, goals)),
        sights | {pair: (sight,) for pair, sight in (seen or {}).items()},
        dict.fromkeys(pairs, 1) | dict(costs or {}),
    )


def mean(problem: SightedTable, beliefs: list[Any], **fields: Any) -> Any:
    """What a proof with these beliefs establishes; states and actions have their own numbers, unless they are given."""
    proof = {"kind": "mean-bounds", "states": list(range(len(problem.table))), "beliefs": beliefs, **fields}
    return check_proof(problem, json.loads(json.dumps(proof)))


# Three stairs down to 0, and the player sees where he stands.
STAIRS = game((1, 2, 3), ({}, {"a": 0}, {"a": 1}, {"a": 2}), ({0},), {("a", n): str(n) for n in range(4)})


def test_totals_are_counted_over_all_starts() -> None:
    assert least_mean_cost(STAIRS) == 2
    beliefs = [[[0, 1, 2], 6], [[0], 1], [[1], 2]]
    assert mean(STAIRS, beliefs, states=[1, 2, 3]) == 2
    with pytest.raises(InvalidProofError, match="comes to 6 which is less than 7"):
        mean(STAIRS, [[[0, 1, 2], 7], *beliefs[1:]], states=[1, 2, 3])
    with pytest.raises(InvalidProofError, match="comes to 2 which is less than 3"):
        mean(STAIRS, [*beliefs[:2], [[1], 3]], states=[1, 2, 3])


@pytest.mark.parametrize("form", [tuple, list, iter, frozenset])
def test_authors_may_answer_in_any_form(form: Callable[[Iterable[Any]], Iterable[Any]]) -> None:
    class Stairs(SightedTable):
        def results(self, state: int, action: str) -> Any:
            return form(super().results(state, action))

        def percepts(self, state: int, action: str) -> Any:
            return form(super().percepts(state, action))

    problem = Stairs(*(getattr(STAIRS, name) for name in ("starts", "table", "goals", "sights", "costs")))
    assert mean(problem, [[[0, 1, 2], 6], [[0], 1], [[1], 2]], states=[1, 2, 3]) == 2


@pytest.mark.parametrize("answer", ["0", [], 0, [[0]]])
def test_odd_answers_are_mistakes_of_the_author(answer: Any) -> None:
    class Odd(SightedTable):
        def results(self, state: int, action: str) -> Any:
            return answer

    problem = Odd(*(getattr(STAIRS, name) for name in ("starts", "table", "goals", "sights", "costs")))
    with pytest.raises(ProblemError, match="results"):
        mean(problem, [], states=[])


def test_what_is_not_listed_is_counted() -> None:
    # One start ends by the first action, and there are two other percepts: so the others take two actions at the least.
    assert mean(STAIRS, [], states=[]) == Fraction(5, 3)
    # What does not come up is not looked at.
    assert mean(STAIRS, [[[2], 100]], states=[1, 2, 3]) == Fraction(5, 3)


# Each of the following proofs would say too much, were one thing not looked at.


def test_a_won_belief_has_no_bound() -> None:
    # `a` wins from 0; not from 1, and the player does not feel the difference, unless he looks before.
    table: Rows = ({"look": 0, "a": 2}, {"look": 1, "a": 3}, {}, {"a": 4}, {})
    problem = game((0, 1), table, ({2}, {4}), {("look", 0): "x", ("a", 4): "z"})
    with pytest.raises(InvalidProofError, match="comes to 1 which is less than 6"):
        mean(problem, [[[0, 1], 9], [[2, 3], 7], [[0], 6], [[2], 5], [[1], 2]], states=[0, 1, 2, 3])
    assert least_mean_cost(problem) == Fraction(5, 2)
    assert mean(problem, [[[0, 1], 5], [[2, 3], 3], [[1], 2]], states=[0, 1, 2, 3]) == Fraction(5, 2)


def test_where_states_become_one_many_end_together() -> None:
    problem = game((0, 1, 2, 3), ({"a": 4},) * 4 + ({"a": 5}, {}), ({5},), {("a", 5): "won"})
    assert mean(problem, [], states=[]) == 1 <= least_mean_cost(problem) == 2
    # To be sure they do: what is listed has weights, and the total of a belief is that of its parts times theirs.
    assert mean(problem, [[[0, 1, 2, 3], 8], [[4], 1]], states=[0, 1, 2, 3, 4]) == 2
    with pytest.raises(InvalidProofError, match="comes to 8 which is less than 9"):
        mean(problem, [[[0, 1, 2, 3], 9], [[4], 1]], states=[0, 1, 2, 3, 4])
    with pytest.raises(InvalidProofError, match="comes to 1 which is less than 2"):
        mean(problem, [[[0, 1, 2, 3], 9], [[[4, 4]], 5]], states=[0, 1, 2, 3, 4])


def test_many_may_end_together_by_a_percept_after_which_the_game_may_go_on() -> None:
    # Four of the starts end together; where the fifth leads to later is perceived like that, and is not won.
    table: Rows = (*({"a": 5 + n} for n in range(5)), {}, {}, {}, {}, {"a": 10}, {"a": 11}, {})
    seen = {("a", 9): "y", ("a", 11): "z"}
    problem = game((0, 1, 2, 3, 4), table, ({5, 6, 7, 8}, {11}), seen)
    assert mean(problem, [], states=[]) <= least_mean_cost(problem) == Fraction(7, 5)


EXCHANGED = {"actions": ["a", "b"], "symmetries": [{"states": [0], "actions": [1, 0]}]}


def test_actions_that_cost_differently_are_not_exchanged() -> None:
    problem = game((0,), ({"a": 1, "b": 1}, {}), ({1},), costs={(0, "a"): 3})
    with pytest.raises(InvalidProofError, match="symmetry 0 is none"):
        mean(problem, [[[0], 3, [0]]], states=[0], **EXCHANGED)
    same = game((0,), ({"a": 1, "b": 1}, {}), ({1},), costs={(0, "a"): 3, (0, "b"): 3})
    assert mean(same, [[[0], 3, [0]]], states=[0], **EXCHANGED) == 3


def test_actions_that_lead_elsewhere_are_not_exchanged() -> None:
    problem = game((0,), ({"a": 0, "b": 1}, {}), ({1},))
    with pytest.raises(InvalidProofError, match="symmetry 0 is none"):
        mean(problem, [[[0], 5, [0]]], states=[0], **EXCHANGED)


def test_actions_that_apply_elsewhere_are_not_exchanged() -> None:
    problem = game((0, 1), ({"look": 0, "a": 2, "b": 2}, {"look": 1, "b": 2}, {}), ({2},), {("look", 0): "x"})
    beliefs = [[[0, 1], 7, [0]], [[0], 1], [[1], 4, [0]]]
    symmetry = {"states": [0, 1], "actions": [0, 2, 1]}
    with pytest.raises(InvalidProofError, match="symmetry 0 is none"):
        mean(problem, beliefs, states=[0, 1], actions=["look", "a", "b"], symmetries=[symmetry])


def test_actions_that_tell_other_states_apart_are_not_exchanged() -> None:
    # Know which of four it is: `a` and `b` tell two pairs apart each, and `c` is dear.
    rows = tuple({"a": n, "b": n, "c": n} for n in range(4))
    seen = {("a", 1): "x", ("a", 0): "x", ("b", 0): "x", ("b", 2): "x"} | {("c", n): str(n) for n in range(4)}
    problem = game((0, 1, 2, 3), rows, ({0}, {1}, {2}, {3}), seen, {(n, "c"): 10 for n in range(4)})
    beliefs = [[[0, 1, 2, 3], 40, [0]], [[0, 1], 20, [0]], [[2, 3], 20, [0]]]
    symmetry = {"states": [0, 1, 2, 3], "actions": [1, 0, 2]}
    assert least_mean_cost(problem) == 2
    with pytest.raises(InvalidProofError, match="symmetry 0 is none"):
        mean(problem, beliefs, states=[0, 1, 2, 3], actions=["a", "b", "c"], symmetries=[symmetry])
    # With the states in the middle exchanged it is one, and fixes the belief of all four; the pairs it does not fix.
    symmetry["states"] = [0, 2, 1, 3]
    true = [[[0, 1, 2, 3], 8, [0]], [[0, 1], 2], [[2, 3], 2]]
    assert mean(problem, true, states=[0, 1, 2, 3], actions=["a", "b", "c"], symmetries=[symmetry]) == 2
    with pytest.raises(InvalidProofError, match="symmetry 0 changes it"):
        mean(problem, beliefs, states=[0, 1, 2, 3], actions=["a", "b", "c"], symmetries=[symmetry])


def test_goal_sets_are_among_what_must_not_change() -> None:
    # From 0 and 1 `b` wins, and `a` does not; 2 is there so that neither ends the game by itself.
    first, second = {"a": 3, "b": 5, "look": 0}, {"a": 4, "b": 6, "look": 1}
    table: Rows = (first, second, {"a": 7, "b": 8, "look": 2}, *({"w": 9},) * 6, {})
    dear = {(state, "w"): 10 for state in range(3, 9)}
    problem = game((0, 1, 2), table, ({5, 6}, {9}), {("look", 2): "y"}, dear)
    beliefs = [[[0, 1, 2], 33, [0]], [[0, 1], 22, [0]], [[2], 11, [0]], [[3, 4], 20], [[3, 4, 7], 30], [[7], 10]]
    symmetry = {"states": [0, 1, 2, 5, 6, 3, 4, 8, 7], "actions": [1, 0, 2, 3]}
    assert least_mean_cost(problem) == Fraction(16, 3)
    with pytest.raises(InvalidProofError, match="symmetry 0 is none"):
        mean(problem, beliefs, states=list(range(9)), actions=["a", "b", "look", "w"], symmetries=[symmetry])


def test_a_symmetry_fixes_a_belief_with_its_weights() -> None:
    # Two of three starts become 1, and one 0; then `a` is cheap in 0, and `b` in 1. Two others look the same mirrored.
    row = ({"a": 6, "b": 6}, {"a": 6, "b": 6})
    first = {"look": 0, "peep": 0, "m": 0}
    table = (
        *row,
        *({**first, "look": n, "peep": n, "m": result} for n, result in ((2, 0), (3, 1), (4, 1), (5, 0))),
        {},
    )
    costs: dict[tuple[int, str], int | Fraction] = {(0, "a"): 1, (1, "a"): 5, (0, "b"): 5, (1, "b"): 1}
    for state in range(2, 6):
        costs |= {(state, "m"): 0, (state, "look"): Fraction(1, 4), (state, "peep"): Fraction(1, 4)}
    problem = game((2, 3, 4, 5), table, ({6},), {("look", 5): "x", ("peep", 4): "x"}, costs)
    singles: list[Any] = [[[0], 1], [[1], 1], [[4], 1], [[5], 1]]
    beliefs = [[[2, 3, 4, 5], "39/4", [0]], [[2, 3, 4], "31/4"], [[0, 1], 6], [[2, 3], 6], *singles]
    symmetry = {"states": [1, 0, 3, 2, 5, 4], "actions": [1, 0, 3, 2, 4]}
    fields = {"actions": ["look", "peep", "a", "b", "m"], "symmetries": [{**symmetry, "actions": [1, 0, 3, 2, 4]}]}
    assert least_mean_cost(problem) == Fraction(9, 4)
    with pytest.raises(InvalidProofError, match="symmetry 0 changes it"):
        mean(problem, [*beliefs, [[0, [1, 2]], 11, [0]]], states=list(range(6)), **fields)
    true = [[[2, 3, 4, 5], 9, [0]], [[2, 3, 4], 7], [[0, 1], 6], [[2, 3], 6], [[0, [1, 2]], 7], *singles]
    assert mean(problem, true, states=list(range(6)), **fields) == Fraction(9, 4)


def test_where_more_than_the_start_is_uncertain_nothing_is_proved() -> None:
    noisy = SightedTable((0,), ({"a": (0, 1)}, {}), (frozenset({1}),), {("a", 0): ("x",), ("a", 1): ("x",)})
    blurred = SightedTable((0,), ({"a": (0,)}, {}), (frozenset({1}),), {("a", 0): ("x", "y")})
    for problem in (noisy, blurred):
        with pytest.raises(InvalidProofError, match="only the start is uncertain"):
            mean(problem, [], states=[])


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"beliefs": [[[0, 0, [0, 2]], 1]]}, "with two weights"),
        ({"beliefs": [[[[0, 0]], 1]]}, "a weight is 0"),
        ({"beliefs": [[[[0, True]], 1]]}, "a weight is True"),
        ({"beliefs": [[[True], 1]]}, "a state is True"),
        ({"beliefs": [[[3], 1]]}, "a state is 3"),
        ({"beliefs": [[[-1], 1]]}, "a state is -1"),
        ({"beliefs": [[[], 1]]}, "a belief has no states"),
        ({"beliefs": [[[0], 1, [], 0]]}, "belief 0 has the length 4"),
        ({"beliefs": [[[0], None]]}, "not negative"),
        ({"beliefs": [[[0], -1]]}, "not negative"),
        ({"beliefs": [[[0], 1, [0]]]}, "a symmetry is 0 and no number below 0"),
        ({"beliefs": [[[0], 1, [True]]]}, "a symmetry is True"),
        ({"states": [1, 1]}, "more than once"),
        ({"states": [0], "beliefs": [[[0], 1]]}, "cannot come up"),
        ({"symmetries": [{"states": [0, 1, 2], "actions": [0]}]}, "'actions' should be a list"),
        ({"symmetries": [{"states": [0, 1, 2], "actions": [0]}], "actions": []}, "all states and actions"),
        ({"symmetries": [{"states": [0, 1, 1], "actions": [0]}], "actions": ["a"]}, "is no permutation"),
        ({"symmetries": [{"states": [0, 1, 2.0], "actions": [0]}], "actions": ["a"]}, "symmetry 0 is 2.0"),
        ({"symmetries": [{"states": [0, 2], "actions": [0]}], "actions": ["a"]}, "symmetry 0 is 2"),
        ({"symmetries": [{"states": [0, 1, 2], "actions": [1]}], "actions": ["a"]}, "symmetry 0 is 1"),
        ({"symmetries": [{"states": [1, 0, 2], "actions": [0]}], "actions": ["a"]}, "symmetry 0 is none"),
        ({"symmetries": [{"states": [3, 1, 2, 0], "actions": [0]}], "actions": ["a"]}, "to what cannot come up"),
        ({"symmetries": [{"product": [0, 0]}], "actions": ["a"]}, "symmetry 0 is 0"),
        ({"symmetries": [{"product": [-1, 0]}], "actions": ["a"]}, "symmetry 0 is -1"),
        (
            {"symmetries": [{"states": [0, 1, 2], "actions": [0]}, {"product": [False, 0]}], "actions": ["a"]},
            "symmetry 1 is False",
        ),
        ({"symmetries": [3], "actions": ["a"]}, "symmetry 0 is no object"),
        ({"symmetries": [{"states": 3, "actions": [0]}], "actions": ["a"]}, "states is no list"),
    ],
)
def test_what_is_no_proof_is_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidPlanError, match=complaint):
        mean(STAIRS, **{"beliefs": [], "states": [1, 2, 3], **changes})


def test_numbers_too_large_for_a_machine_are_added_exactly() -> None:
    dear = 10**30
    prices = {(n, "a"): dear + n for n in range(1, 4)}
    problem = game((1, 2, 3), ({}, {"a": 0}, {"a": 1}, {"a": 2}), ({0},), {("a", n): str(n) for n in range(4)}, prices)
    beliefs = [[[0, 1, 2], 6 * dear + 10], [[0], dear + 1], [[1], 2 * dear + 3]]
    assert mean(problem, beliefs, states=[1, 2, 3]) == least_mean_cost(problem)
    with pytest.raises(InvalidProofError, match="comes to"):
        mean(problem, [[[0, 1, 2], 6 * dear + 11], *beliefs[1:]], states=[1, 2, 3])


def test_products_that_would_fill_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    mirror = {"states": list(range(3)), "actions": [0]}
    fields = {"actions": ["a"], "symmetries": [mirror, *[{"product": [0, 0]}] * 9]}
    assert mean(STAIRS, [], states=[1, 2, 3], **fields) == Fraction(5, 3)
    monkeypatch.setattr(checker, "MOST_IMAGES", 39)
    with pytest.raises(InvalidProofError, match="too many images"):
        mean(STAIRS, [], states=[1, 2, 3], **fields)


def test_a_bound_too_large_for_a_float_is_told() -> None:
    giant = Fraction(10**400 + 1, 2)
    assert number_text(giant) == str(giant)
