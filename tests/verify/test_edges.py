"""Edges of the checkers that no file of a search reaches."""

from __future__ import annotations

import pytest

from beliefsearch.verify.checker import UnreadableError
from beliefsearch.verify.region import _sets


def test_a_number_of_a_state_or_an_action_is_below_their_count() -> None:
    assert _sets({"sets": [[0, 2], []]}, "sets", 3) == [[0, 2], []]
    for entry in ([3], [-1], [True], [0, 0], 7):
        with pytest.raises(UnreadableError):
            _sets({"sets": [entry]}, "sets", 3)
