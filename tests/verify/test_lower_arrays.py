"""The check of long tables with NumPy: it says what `check_lower` says, and nothing that is false."""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch.errors import InvalidProofError
from beliefsearch.plans.proof_words import proof_text
from beliefsearch.proofs import cores
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.exhaustion import exhaustion
from beliefsearch.proofs.finder import unreduced
from beliefsearch.proofs.packed_tables import listed_table, packed
from beliefsearch.verify import lower_arrays
from beliefsearch.verify.asked_game import AskedGame
from beliefsearch.verify.checker import Claim, UnreadableError, WrongError, check_lower
from beliefsearch.verify.lower_arrays import INFINITE, NONE, LowerArrays, check_lower_arrays, unpacked
from beliefsearch_problems.reset_word import ResetWordProblem

from ..examples import examples
from ..proofs.test_laws import long_problem
from ..random_problems import TableBeliefProblem, exact_belief_costs, states_that_come_up
from .test_verify_proof import Endless


def names_of(problem: TableBeliefProblem, states: list[int]) -> list[str]:
    """The actions that can come up."""
    return sorted({name for s in states for name in problem.table[s]})


def random_table(states: int, actions: int, chance: Random) -> LowerArrays:
    """A table made up at random: many of its entries hold, and few tables."""
    count = chance.randint(1, 6)
    beliefs = [chance.sample(range(states), chance.randint(1, states)) for _ in range(count)]
    values = [chance.choice([0, 1, 1, 1, 2, 3, INFINITE]) for _ in range(count)]
    reasons = [[chance.choice([NONE, NONE, *range(count), count]) for _ in range(actions)] for _ in range(count)]
    return arrays(beliefs, values, reasons, chance.randrange(count))


def arrays(beliefs: list[list[int]], values: list[int], reasons: list[list[int]], root: int) -> LowerArrays:
    columns = ([*map(len, beliefs)], [s for belief in beliefs for s in belief], values, reasons)
    made: Any = (*(np.array(column, np.uint32) for column in columns), root)
    return LowerArrays(*made)


def good_table(problem: TableBeliefProblem, states: list[int]) -> LowerArrays | None:
    """A table of all beliefs and what has to be paid; None where costs are no whole numbers."""
    costs = exact_belief_costs(problem)
    every = [belief for belief in costs if belief and belief <= {*states}]
    number = {belief: j for j, belief in enumerate(every)}
    rows = []
    for belief in every:
        row = []
        for name in names_of(problem, states):
            applies = all(name in problem.table[s] for s in belief)
            image = frozenset(t for s in belief for t in problem.table[s][name]) if applies else frozenset()
            row.append(number[image] if applies and costs[belief] > 0 else NONE)
        rows.append(row)
    place = {s: k for k, s in enumerate(states)}
    values = [INFINITE if costs[b] == math.inf else int(costs[b]) for b in every]
    if any(costs[b] not in (value, math.inf) for b, value in zip(every, values, strict=True)):
        return None
    return arrays([[place[s] for s in b] for b in every], values, rows, number[frozenset(problem.starts)])


def said(check: Any) -> Claim | str:
    try:
        found: Claim = check()
    except (WrongError, UnreadableError) as error:
        return str(error)
    return found


def both(problem: TableBeliefProblem, states: list[int], table: LowerArrays) -> tuple[Any, Any]:
    """What the two checks say of a table."""
    actions = names_of(problem, states)
    game = AskedGame(problem, {"states": states, "actions": actions})
    game.walk()
    listed = listed_table(table, lambda a, s: s < len(states) and actions[a] in problem.table[states[s]])
    again = unpacked(packed(table), len(actions))
    return said(lambda: check_lower(game, listed)), said(lambda: check_lower_arrays(game, again, len(states)))


def agree(problem: TableBeliefProblem, states: list[int], table: LowerArrays, *, piece: int) -> bool:
    """Whether both accept a table; they do not differ, and accept nothing that is false."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lower_arrays, "_MARKS", piece)
        plain, quick = both(problem, states, table)
    assert isinstance(plain, Claim) == isinstance(quick, Claim) or "more reasons than actions" in str(quick)
    if isinstance(quick, Claim):
        assert quick == plain
        assert quick.value is not None
        assert quick.value <= exact_belief_costs(problem)[frozenset(problem.starts)]
    return isinstance(quick, Claim)


PRICES = st.sampled_from([None, [0, 1, 2, 3], [1, 2]])


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10**6), prices=PRICES, piece=st.sampled_from([1, 20, 1 << 22]))
def test_arrays_say_what_the_checker_says(seed: int, prices: Any, piece: int) -> None:
    problem, chance = long_problem(seed, prices), Random(seed)
    states = sorted(states_that_come_up(problem))
    table = good_table(problem, states)
    assert table is None or agree(problem, states, table, piece=piece)
    agree(problem, states, random_table(len(states), len(names_of(problem, states)), chance), piece=piece)
    for _ in range(10):
        if table is None:
            break
        field = chance.choice(["members", "values", "reasons"])
        column = getattr(table, field).copy()
        place = chance.randrange(column.size)
        column.flat[place] = chance.choice([0, 1, 2, len(states) - 1, NONE, len(table.sizes) - 1, len(table.sizes)])
        agree(problem, states, table._replace(**{field: column}), piece=piece)
        agree(problem, states, table._replace(root=chance.randrange(len(table.sizes))), piece=piece)


@pytest.fixture(scope="module")
def long_proof() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cores, "_FEW_ENTRIES", 0)
        view, _ = unreduced(ResetWordProblem(cerny=6), lambda: None)
        return exhaustion(view, 25, lambda: None)


def test_a_packed_proof_is_checked(long_proof: Any) -> None:
    problem = ResetWordProblem(cerny=6)
    assert check_proof(problem, long_proof) == 25
    entries = long_proof["table"]["entries"]
    assert proof_text(long_proof) == f"the bounds of {entries} beliefs"

    def refused(message: str, *, of: Any = problem, **changes: Any) -> None:
        with pytest.raises(InvalidProofError, match=message):
            check_proof(of, {**long_proof, **changes})

    table = long_proof["table"]

    def changed(**texts: Any) -> dict[str, Any]:
        return {**table, "packed": {**table["packed"], **texts}}

    refused("not in base64", table=changed(sizes=["?"]))
    refused("not in base64", table=changed(sizes=[3]))
    refused("sizes is no list", table=changed(sizes="AAAA"))
    refused("cannot be unpacked", table=changed(sizes=["AAAA"]))
    refused("do not have the length", table=changed(values=[table["packed"]["sizes"][0][:-8]]))
    refused("do not have the length", table={**table, "entries": entries - 1})
    refused("too short for 100,000,000 entries", table={**table, "entries": 10**8})
    refused("no number below", table={**table, "entries": 10**12})
    refused("no number below", table={**table, "root": entries})
    refused("unknown field", table={**table, "beliefs": []})
    refused("lacks the field", table={**table, "packed": {}})
    refused("no number below 3", states=long_proof["states"][:3])
    refused("do not have the length", actions=long_proof["actions"][:1])
    refused("listed that cannot come up", actions=[*long_proof["actions"][:1], "z"])


def test_no_changed_or_missing_byte_of_what_is_packed_does_harm(long_proof: Any) -> None:
    problem, table = ResetWordProblem(cerny=6), long_proof["table"]
    whole = b64decode("".join(table["packed"]["values"]))
    flipped = [whole[:k] + bytes([whole[k] ^ 1 << k % 8]) + whole[k + 1 :] for k in range(len(whole))]
    refused = 0
    for data in (*flipped, *(whole[:k] for k in range(len(whole))), whole + b"0"):
        packed_again = {**table["packed"], "values": [b64encode(data).decode()]}
        try:
            assert check_proof(problem, {**long_proof, "table": {**table, "packed": packed_again}}) == 25
        except InvalidProofError:
            refused += 1
    assert refused >= 2 * len(whole)  # a bit of the last byte may stand for nothing


def test_too_few_states_of_a_game_without_end_are_refused() -> None:
    table = packed(arrays([[0]], [1], [[NONE]], 0))
    with pytest.raises(InvalidProofError, match="lacks the state 2, which can come up"):
        check_proof(Endless(), {"kind": "lower", "states": [0, 1], "actions": ["on"], "table": table})


@pytest.mark.parametrize(("value", "holds"), [(1, True), (2, False)])
def test_costs_that_are_no_whole_numbers_are_rounded_down(value: int, holds: bool) -> None:
    way = TableBeliefProblem((0,), ({"on": (1,)}, {}), (frozenset({1}),), {(0, "on"): Fraction(3, 2)})
    said = str(both(way, [0, 1], arrays([[0]], [value], [[NONE]], 0))[1])
    assert ("no plan costs less than 1" in said) == holds
    assert ("comes to 1 which is less than 2" in said) != holds


def test_no_sum_of_costs_comes_to_infinity() -> None:
    """A way of three steps whose costs come to the number that stands for infinity."""
    table: tuple[dict[str, tuple[int, ...]], ...] = tuple({"on": (place + 1,)} for place in range(3))
    costs = {(0, "on"): 1, (1, "on"): 2**31 - 1, (2, "on"): 2**31 - 1}
    way = TableBeliefProblem((0,), (*table, {}), (frozenset({3}),), costs)
    game = AskedGame(way, {"states": [0, 1, 2], "actions": ["on"]})
    game.walk()
    lying = arrays([[0], [1], [2]], [INFINITE, INFINITE - 1, 2**31 - 1], [[1], [2], [NONE]], 0)
    with pytest.raises(WrongError, match="it comes to 4294967294 which is less than inf"):
        check_lower_arrays(game, lying, 3)
    right = arrays([[0], [1], [2]], [INFINITE - 1, INFINITE - 1, 2**31 - 1], [[1], [2], [NONE]], 0)
    assert check_lower_arrays(game, right, 3).value == INFINITE - 1
