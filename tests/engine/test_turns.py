"""The kinds of trials share the work by what they gain for it."""

from __future__ import annotations

import math

import pytest

from beliefsearch.engine.pomdp.turns import BY_LOT, Turns


def shares(rates: list[float], work: list[int], trials: int = 3000) -> list[float]:
    """How a search shares its work whose trials of each kind gain this much for a step, and take so many steps."""
    turns, gap, spent = Turns(), 1.0, [0, 0, 0]
    for _ in range(trials):
        kind = turns.next()
        after = gap * math.exp(-rates[kind] * work[kind])
        turns.after(kind, work[kind], (gap, after), changed=rates[kind] > 0)
        spent[kind] += work[kind]
        gap = after if after > 1e-200 else 1.0
    return [share / sum(spent) for share in spent]


@pytest.mark.parametrize("best", range(len(BY_LOT)))
@pytest.mark.parametrize("dear", range(len(BY_LOT)))
def test_the_kind_that_gains_most_for_its_work_gets_most_of_it(best: int, dear: int) -> None:
    rates, work = [1e-8] * 3, [100_000] * 3
    rates[best], work[dear] = 5e-8, 2_000_000
    if best != 0:
        rates[0] = 0.0  # or coarse ones, which begin, do not become slow
    found = shares(rates, work)
    assert found[best] == max(found) > 0.7


def test_coarse_trials_go_on_alone_while_they_gain() -> None:
    assert shares([1e-8, 1e-7, 1e-7], [100_000] * 3) == [1, 0, 0]


def test_a_kind_that_gains_nothing_is_tried_all_the_same() -> None:
    found = shares([0.0, 1e-8, 0.0], [100_000] * 3)
    assert all(0.01 < share < 0.1 for share in (found[0], found[2]))


def test_a_round_is_over_when_all_kinds_were_tried() -> None:
    turns, kinds = Turns(), []
    while not turns.round_is_over():
        kinds.append(turns.next())
        turns.after(kinds[-1], 1000, (1.0, 1.0), changed=False)
    assert kinds == [0, 0, 1, 2]  # coarse ones, and then all
    assert not turns.round_is_over()


def test_the_choice_is_made_by_its_numbers_alone() -> None:
    one, other = Turns(), Turns()
    for number in range(50):
        other.numbers[:] = one.numbers
        assert one.next() == other.next()
        one.after(one.next(), 10**6 * (1 + number % 3), (1.0, 0.9), changed=number % 4 > 0)


def test_trials_that_change_nothing_for_long_leave_numbers_that_can_be_counted_with() -> None:
    turns = Turns()
    for number in range(5000):
        changed = number % 20 == 0
        turns.after(turns.next(), 40, (1.0, 0.999 if changed else 1.0), changed=changed)
    assert turns.numbers.max() <= 5000 * 40
