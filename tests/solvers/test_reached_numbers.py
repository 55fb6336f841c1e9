"""The numbers of reached states, found without a table of all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from beliefsearch.errors import StoreError
from beliefsearch.running.store.checkpoint import Checkpoint, Checkpoints
from beliefsearch.running.store.directory import Store
from beliefsearch.solvers.path.resume import NumbersByIdentity, NumbersInOrder

STATES = [(number, "state") for number in range(6)]


@pytest.fixture
def checkpoint(tmp_path: Path) -> Checkpoint:
    with Store(tmp_path / "kept", {"problem": "none"}, resume=False) as store:
        return Checkpoints(store).of("search")


def test_one_walk_numbers_what_comes_in_order(checkpoint: Checkpoint) -> None:
    numbers = NumbersInOrder(STATES, checkpoint)
    assert numbers([STATES[0], STATES[0], STATES[2]]).tolist() == [0, 0, 2]
    assert numbers([]).tolist() == []
    assert numbers([STATES[2], STATES[5], STATES[5]]).tolist() == [2, 5, 5]


def test_another_order_is_no_order_of_a_search(checkpoint: Checkpoint) -> None:
    with pytest.raises(StoreError, match="is damaged, or the puzzle has changed"):
        NumbersInOrder(STATES, checkpoint)([STATES[3], STATES[1]])


def test_states_are_numbered_in_any_order_and_so_are_their_equals() -> None:
    equal = (4, "".join(["st", "ate"]))
    assert equal == STATES[4]
    assert equal is not STATES[4]
    numbers = NumbersByIdentity(STATES, {equal, STATES[1]})
    assert numbers([STATES[5], equal, STATES[0], STATES[4], STATES[5]]).tolist() == [5, 4, 0, 4, 5]
    assert numbers([]).tolist() == []
    assert numbers.again == {STATES[1]: 1, STATES[4]: 4}
    with pytest.raises(KeyError):
        numbers([(7, "state")])
