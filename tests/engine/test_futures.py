"""Searches on sets of futures: partitions against their definition, and stacks and memories that are full."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from beliefsearch.engine.futures import bounded, narrow
from beliefsearch.engine.futures.memo import new_memo
from beliefsearch.engine.futures.pairs import with_words
from beliefsearch.engine.futures.partitions import NEVER_APART, partitions
from beliefsearch.engine.futures.search import search_futures, search_word
from beliefsearch.engine.futures.tables import future_tables
from beliefsearch.running.run import Record, Run
from beliefsearch_problems._mealy.machine import MachineProblem
from beliefsearch_problems._mealy.reader import Machine

from ..examples import examples
from ..problems.test_machine_questions import answers, machines, random_machine


def words_apart(machine: Machine, one: str, other: str) -> int:
    """The length of the shortest word that two states answer differently, where each has every input."""
    for length in range(1, len(machine) + 1):
        words = [""]
        for _ in range(length):
            words = [word + given_input for word in words for given_input in machine[one]]
        for word in words:
            first, second = answers(machine, word, one), answers(machine, word, other)
            assert first is not None
            assert second is not None
            if first[0] != second[0]:
                return length
    return NEVER_APART


@given(machine=machines())
@settings(max_examples=examples(15))
def test_partitions_say_when_each_pair_is_told_apart(machine: Machine) -> None:
    if len({frozenset(row) for row in machine.values()}) > 1:
        return
    tables = future_tables(MachineProblem(machine, find="distinguishing"), lambda: None)
    assert tables is not None
    found = partitions(tables, lambda: None, valid=False)
    lengths = {}
    for pair in combinations(tables.starts.tolist(), 2):
        names = [str(tables.futures[number]) for number in pair]
        lengths[pair] = words_apart(machine, *names)
        assert found.first_apart(np.array(pair)) == lengths[pair]
        for rounds in range(found.rounds + 1):
            classes = found.classes(rounds)[list(pair)]
            assert (classes[0] == classes[1]) == (lengths[pair] > rounds)
    last, rounds = found.last_apart(tables.starts)
    assert rounds == max(lengths.values()) == lengths[min(last.tolist()), max(last.tolist())]
    assert found.rounds_of(*np.array([*lengths]).T).tolist() == [*lengths.values()]


@given(machine=machines())
@settings(max_examples=examples(10))
def test_the_words_listed_are_those_that_decide_a_pair(machine: Machine) -> None:
    def is_decided(one: str, other: str, word: tuple[str, ...], *, merging: bool) -> bool:
        for given_input in word:
            if given_input not in machine[one] or given_input not in machine[other]:
                return False
            ((one, said),), ((other, also_said),) = machine[one][given_input], machine[other][given_input]
            if said != also_said or one == other:
                return said != also_said or merging
        return False

    for find in ("homing", "distinguishing"):
        problem = MachineProblem(machine, find=find)
        tables = future_tables(problem, lambda: None)
        assert tables is not None
        found = bounded.BoundedSearch(tables, Record("and-or", problem, Run()), Run().budget).futures
        for length in (1, 3, 5):
            found = with_words(found, length, Run().budget, lambda: None)
            assert found.length == (length if len(tables.actions_) > 1 else 0)
            words = [*product(map(str, tables.actions_), repeat=found.length)]
            for i, j in combinations(range(len(machine)) if found.length else (), 2):
                bits = [int(part) for part in found.words[i, j]]
                one, other = str(tables.futures[i]), str(tables.futures[j])
                for number, word in enumerate(words):
                    is_listed = bool(bits[number // 64] >> number % 64 & 1)
                    assert is_listed == is_decided(one, other, word, merging=find == "homing")


@pytest.mark.parametrize("find", ["homing", "distinguishing"])
def test_a_search_that_is_given_more_room_gives_the_same_answer(find: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    size = 14  # one input turns, the other tells a single state
    machine = {
        f"s{k:02}": {"turn": [(f"s{(k + 1) % size:02}", "0")], "ask": [(f"s{k:02}", str(int(k == 0)))]}
        for k in range(size)
    }
    for preset in (False, True):
        problem = MachineProblem(machine, find=find, preset=preset)
        search = search_word if preset else search_futures
        found = search(problem, Run())
        with monkeypatch.context() as patch:
            patch.setattr(bounded, "_ROOM", 8)
            patch.setattr(bounded, "_SLICE", 100)
            patch.setattr(bounded, "new_memo", lambda size=16: new_memo(size))
            again = search(problem, Run())
        assert found is not None
        assert again is not None
        assert found.cost == again.cost == found.lower_bound == again.lower_bound == 2 * size - 3
        assert found.plan == again.plan


def test_a_word_far_above_the_bound_is_followed_by_a_shorter_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narrow, "_BREADTH", (1, 1))
    monkeypatch.setattr(narrow, "_NEAR", 1)
    machine = random_machine(states=40, inputs=3, outputs=2)
    problem = MachineProblem(machine, find="homing")
    tables = future_tables(problem, lambda: None)
    assert tables is not None
    search = bounded.BoundedSearch(tables, Record("iterative-deepening", problem, Run()), Run().budget)
    lengths = []
    for word in narrow.good_words(search, 2, 0):
        lengths.append(len(word))
        inputs = [tables.actions_[a] for a in word]
        ends = {found for state in machine if (found := answers(machine, inputs, state)) is not None}
        assert len(dict(ends)) == len(ends)
    assert len(lengths) == 2
    assert lengths[0] > lengths[1]
    assert [len(word) for word in narrow.good_words(search, 2, lengths[0] - 1)] == lengths[:1]
