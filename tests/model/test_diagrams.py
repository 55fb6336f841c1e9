"""Decision diagrams against tables of all assignments."""

from __future__ import annotations

from itertools import product
from math import inf
from typing import Any, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch.model.base import Cost
from beliefsearch.model.belief import no_tick
from beliefsearch.model.diagrams import FALSE, TRUE, Costs, Diagram, Diagrams, count_kept, holds, kept

from ..examples import examples

VARIABLES = 4
ALL = [*product((False, True), repeat=VARIABLES)]

Table: TypeAlias = "tuple[Cost, ...]"
"""By assignment what it costs."""

tables = st.lists(st.sampled_from((0, 1, 2, 5, inf)), min_size=len(ALL), max_size=len(ALL)).map(tuple)
sets = st.lists(st.booleans(), min_size=len(ALL), max_size=len(ALL)).map(tuple)


def costs_of(diagrams: Diagrams, table: Table) -> Costs:
    """The function by its definition, one assignment after the other."""
    found: Costs = (0, FALSE)
    for values, cost in zip(ALL, table, strict=True):
        here: Diagram = TRUE
        for variable, value in enumerate(values):
            here = diagrams.both(here, diagrams.literal(2 * variable + (not value)))
        found = diagrams.choose(here, (cost, TRUE) if cost < inf else (0, FALSE), found)
    return found


def set_of(diagrams: Diagrams, members: tuple[bool, ...]) -> Diagram:
    return costs_of(diagrams, tuple(0 if member else inf for member in members))[1]


def table_of(diagrams: Diagrams, costs: Costs) -> Table:
    """What it costs in each assignment, asked one by one."""
    singles = (tuple(other == values for other in ALL) for values in ALL)
    return tuple(diagrams.most(set_of(diagrams, single), costs) for single in singles)


@given(test=sets, one=tables, other=tables)
@settings(max_examples=examples(8))
def test_costs_are_combined_as_tables_are(test: tuple[bool, ...], one: Table, other: Table) -> None:
    diagrams = Diagrams(no_tick)
    where, first, second = set_of(diagrams, test), costs_of(diagrams, one), costs_of(diagrams, other)
    assert table_of(diagrams, first) == one
    chosen = tuple(a if yes else b for yes, a, b in zip(test, one, other, strict=True))
    highest = tuple(map(max, one, other))
    assert diagrams.choose(where, first, second) == costs_of(diagrams, chosen)  # equal functions have equal numbers
    assert diagrams.highest(first, second) == costs_of(diagrams, highest)
    assert table_of(diagrams, diagrams.highest(first, second)) == highest
    if any(test):
        assert diagrams.most(where, first) == max(cost for yes, cost in zip(test, one, strict=True) if yes)


@given(one=sets, other=sets)
@settings(max_examples=examples(20))
def test_sets_are_combined_as_sets_are(one: tuple[bool, ...], other: tuple[bool, ...]) -> None:
    diagrams = Diagrams(no_tick)
    first, second = set_of(diagrams, one), set_of(diagrams, other)
    both = [a and b for a, b in zip(one, other, strict=True)]
    assert diagrams.both(first, second) == set_of(diagrams, tuple(both))
    assert diagrams.complement(first) == set_of(diagrams, tuple(not a for a in one))
    assert diagrams.count(first, VARIABLES) == sum(one)
    true = [frozenset(n for n, value in enumerate(values) if value) for values in ALL]
    assert [diagrams.includes(first, values) for values in true] == [*one]
    member = diagrams.common_member(first, second)
    assert (member is None) == (not any(both))
    assert member is None or both[true.index(member)]


_MEMBERS = st.lists(st.lists(st.integers(0, 2 * VARIABLES - 1), max_size=2).map(tuple), max_size=4)


@given(rules=st.lists(st.tuples(st.sampled_from(("or", "oneof")), _MEMBERS), max_size=4))
@settings(max_examples=examples(40))
def test_rules_are_kept_where_so_many_members_hold(rules: list[tuple[str, Any]]) -> None:
    def keeps(values: tuple[bool, ...], rule: tuple[str, Any]) -> bool:
        true = sum(all(values[literal >> 1] != literal & 1 for literal in member) for member in rule[1])
        return true == 1 if rule[0] == "oneof" else true > 0

    diagrams = Diagrams(no_tick)
    for rule in rules:
        assert holds(diagrams, rule) == set_of(diagrams, tuple(keeps(values, rule) for values in ALL))
    truth = [all(keeps(values, rule) for rule in rules) for values in ALL]
    assert kept(diagrams, rules) == set_of(diagrams, tuple(truth))
    assert count_kept(VARIABLES, rules, 1_000) == sum(truth)
    assert count_kept(VARIABLES, rules, 0) in (None, 0, 2**VARIABLES)


def test_a_thousand_variables_are_no_deeper_than_a_few() -> None:
    count = 5_000
    rules = [("or", [(2 * number,), (2 * number + 2,)]) for number in range(count - 1)]
    before, words = 1, 2  # without two zeros in a row
    for _ in range(count - 1):
        before, words = words, before + words
    assert count_kept(count, rules, 10**6) == words
