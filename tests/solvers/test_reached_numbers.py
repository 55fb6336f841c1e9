"""The numbers of reached states, found without a table of all of them."""

from __future__ import annotations

import pytest

from beliefsearch.solvers.path.resume import Numbers

STATES = [(number, "state") for number in range(6)]


def test_states_are_numbered_in_any_order_and_so_are_their_equals() -> None:
    equal = (4, "".join(["st", "ate"]))
    assert equal == STATES[4]
    assert equal is not STATES[4]
    numbers = Numbers(STATES, {equal, STATES[1]})
    assert numbers([STATES[5], equal, STATES[0], STATES[4], STATES[5]]).tolist() == [5, 4, 0, 4, 5]
    assert numbers([]).tolist() == []
    assert numbers.again == {STATES[1]: 1, STATES[4]: 4}
    with pytest.raises(KeyError):
        numbers([(7, "state")])
