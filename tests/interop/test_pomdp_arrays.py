"""POMDPs as arrays: those of the file, in its order, from every format; and what has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from beliefsearch import ProblemError
from beliefsearch.tools import read_pomdp

from ..problems.files.test_drn_files import MAZE
from ..problems.files.test_pomdpx_files import TIGER_X
from ..proofs.test_vector_policies import TIGER

BLINKING = """\
@type: POMDP
@reward_models
gain
@nr_states
2
@model
state 0 {7} [0] init
\taction stay [0]
\t\t0 : 1
\taction go [2]
\t\t0 : 0.25
\t\t1 : 0.75
state 1 {0} [0]
\taction stay [3]
\t\t1 : 1
\taction go [0]
\t\t0 : 1
"""


@pytest.mark.parametrize(("name", "text"), [("t.pomdp", TIGER), ("t.pomdpx", TIGER_X)])
def test_the_arrays_are_those_of_the_file(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    tiger = read_pomdp(name)
    assert tiger.states == ("left", "right")
    assert tiger.actions == ("listen", "open-left", "open-right")
    assert tiger.percepts == ("growl-left", "growl-right")
    assert tiger.start.tolist() == [0.5, 0.5]
    assert tiger.T.tolist() == [[[1, 0], [0, 1]], [[0.5, 0.5]] * 2, [[0.5, 0.5]] * 2]
    assert tiger.O.tolist() == [[[0.85, 0.15], [0.15, 0.85]], [[0.5, 0.5]] * 2, [[0.5, 0.5]] * 2]
    assert tiger.R.tolist() == [[-1, -1], [-100, 10], [10, -100]]
    assert tiger.discount == 0.95
    assert read_pomdp(folder / name, discount=0.5).discount == 0.5


def test_a_drn_file_has_arrays_of_one_of_its_reward_models(folder: Path) -> None:
    (folder / "x.drn").write_text(BLINKING)
    blinking = read_pomdp("x.drn", rewards="gain", discount="1/2")
    assert (blinking.states, blinking.actions, blinking.percepts) == (("0", "1"), ("stay", "go"), ("0", "7"))
    assert blinking.start.tolist() == [1, 0]
    assert blinking.T.tolist() == [[[1, 0], [0, 1]], [[0.25, 0.75], [1, 0]]]
    assert blinking.O.tolist() == [[[0, 1], [1, 0]]] * 2
    assert blinking.R.tolist() == [[0, 3], [2, 0]]
    assert blinking.discount == 0.5
    assert read_pomdp("x.drn", costs="gain").R.tolist() == [[0, -3], [-2, 0]]


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("x.txt", "", "no reader claims the ending"),
        ("x.drn", MAZE.replace(" target", " goal"), "needs rewards= or costs=, and every action"),
        ("x.pomdp", "states: 2\nactions: 1\nT: * identity\n", "holds no POMDP whose states"),
        ("x.pomdp", "states: 2\n", "x.pomdp, line 1"),
        ("none.pomdp", None, "none.pomdp"),
        (
            "x.pomdp",
            "states: 20000\nactions: 1\nobservations: 1\nT: * identity\nO: * uniform\n",
            "too large for arrays",
        ),
    ],
)
def test_what_has_no_arrays_is_told_in_a_line(folder: Path, name: str, text: str | None, why: str) -> None:
    if text is not None:
        (folder / name).write_text(text)
    with pytest.raises(ProblemError) as caught:
        read_pomdp(name)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
