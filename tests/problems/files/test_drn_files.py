"""Files in Storm's explicit format: the problem of Cassandra's format, what is asked of it, and what is refused."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import ProblemError, solve
from beliefsearch.errors import DataWarning
from beliefsearch_problems.files.drn import DrnFileProblem
from beliefsearch_problems.files.pomdp import PomdpFileProblem

from ...answers import assert_one_line, stdout
from ...conftest import Run

# The player is in one of two places, and cannot tell in which; the exit is to the left of the first.
MAZE = """\
// Exported by storm
// Original model type: POMDP
@type: POMDP
@parameters

@reward_models
steps luck
@nr_states
5
@nr_choices
8
@model
state 0 {0} [0, 0] init
//[s=-1\t& o=0]
\taction __NOLABEL__ [0, 0]
\t\t1 : 0.5
\t\t2 : 1/2
state 1 {1} [1, 0]
\taction left [0, 2]
\t\t3 : 1
\taction right [0, 0]
\t\t2 : 0.9
\t\t4 : 0.1
state 2 {1} [1, 0]
\taction left [0, 0]
\t\t1 : 1
\taction right [2, 0]
\t\t2 : 1
state 3 {2} [0, 0] target
\taction done [0, 0]
\t\t3 : 1
state 4 {2} [0, 0] pit deep
\taction done [0, 0]
\t\t4 : 1
"""
CHAIN = """\
@type: DTMC
@parameters
@nr_states
3
@model
state 0 init
\taction 0
\t\t1 : 0.25
\t\t0 : 0.5
\t\t2 : 0.25
state 1 goal
\taction 0
\t\t1 : 1
state 2
\taction 0
\t\t2 : 1
"""


def read(text: str, **options: Any) -> DrnFileProblem:
    Path("x.drn").write_text(text)
    return DrnFileProblem(file=Path("x.drn"), **options)


def test_what_is_asked_is_answered(folder: Path) -> None:
    """Left once is a win from the first place, left twice from both; each step in a place costs 1."""
    assert solve(read(MAZE, goal_label="target")).bounds == (1, 1)
    assert solve(read(MAZE, goal_label="target", costs="steps")).bounds == (Fraction(-3, 2), Fraction(-3, 2))
    # Whoever goes right comes to the pit from the first place in one of ten.
    lower, upper = solve(read(MAZE, goal_label="pit")).bounds
    assert float(lower) == pytest.approx(1, abs=2e-3)
    assert float(upper) == pytest.approx(1, abs=2e-3)
    # 2 for the luck on the way left, in the second or in the third action.
    luck = solve(read(MAZE, rewards="luck", discounted=Fraction(1, 2)))
    assert [float(bound) for bound in luck.bounds] == pytest.approx([0.5 * 0.5 * 2 + 0.5 * 0.25 * 2] * 2, rel=1e-3)


def test_a_chain_is_a_problem_whose_state_is_seen(folder: Path) -> None:
    assert solve(read(CHAIN)).value == Fraction(1, 2)
    mdp = MAZE.replace("POMDP\n@param", "MDP\n@param")
    for number in (0, 1, 2):
        mdp = mdp.replace(f" {{{number}}}", "")
    assert solve(read(mdp, goal_label="target", costs="steps")).value == Fraction(-3, 2)
    assert read(mdp, goal_label="target").sees_state()


def test_names_and_numbers_are_those_of_the_file(folder: Path) -> None:
    maze = read(MAZE, goal_label="target", costs="steps")
    assert list(maze.initial_distribution()) == [(1, "0")]
    assert list(maze.actions("0")) == ["action0"]
    assert list(maze.actions("2")) == ["left", "right"]
    assert list(maze.actions("1")) == ["left"]  # to the right the goal may be lost
    assert list(maze.percept_distribution("2", "left")) == [(1, "1")]
    assert [maze.reward("1", "left"), maze.reward("2", "right")] == [-1, -3]
    assert maze.numbering() is None  # not every action can be done everywhere


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_problem_of_the_other_format(folder: Path, seed: int) -> None:
    chances = random.Random(seed)
    lines = ["discount: 0.8", "values: reward", "states: 4", "actions: 2", "observations: 2", "start: 0"]
    drn = ["@type: POMDP", "@parameters", "", "@reward_models", "gain", "@nr_states", "4", "@nr_choices", "8", "@model"]
    for state in range(4):
        drn.append(f"state {state} {{{state % 2}}} [0]{' init' if state == 0 else ''}")
        for action in range(2):
            cuts = sorted(chances.randint(0, 10) for _ in range(3))
            row = [b - a for a, b in zip((0, *cuts), (*cuts, 10), strict=True)]
            reward = chances.randint(-5, 5)
            lines.append(f"T: {action} : {state} {' '.join(f'{part / 10:g}' for part in row)}")
            lines += [f"O: {action} : {state} : {state % 2} 1", f"R: {action} : {state} : * : * {reward}"]
            drn.append(f"\taction {action} [{reward}]")
            drn += [f"\t\t{target} : {part / 10:g}" for target, part in enumerate(row) if part]
    Path("x.pomdp").write_text("\n".join(lines) + "\n")
    ours = read("\n".join(drn) + "\n", rewards="gain", discounted=Fraction(4, 5))
    other = PomdpFileProblem(file=Path("x.pomdp"))
    assert ours.numbering() == other.numbering()
    for name in "0123":
        assert ours.is_terminal(name) == other.is_terminal(name)
        for move in "01":
            assert ours.outcomes(name, move) == other.outcomes(name, move)
            assert ours.percept_distribution(name, move) == other.percept_distribution(name, move)
            assert ours.reward(name, move) == other.reward(name, move)


REFUSED = [
    (("@type: POMDP", "@type: CTMC"), "line 3, column 1: models of the type 'CTMC' are not read"),
    (("@parameters\n", "@parameters\np q\n"), "line 5, column 1: a model with parameters, such as 'p q', is not read"),
    (("state 2 {1}", "state 7 {1}"), "line 24, column 1: state 2 should stand here"),
    (("state 2 {1}", "state 2"), "line 24, column 1: a state of a POMDP has an observation in braces"),
    (("2 : 0.9", "9 : 0.9"), "line 22, column 1: a state below 5, met once, and a probability should stand here"),
    (("2 : 0.9", "2 : p"), "line 22, column 1: a number should stand here, not 'p'"),
    (("2 : 0.9", "2 : 0.8"), "line 24, column 1: the probabilities of the action before sum to 0.9, not to 1"),
    (("@nr_states\n5", "@nr_states\n6"), "there are 5 states, and @nr_states says 6"),
    (("[0, 2]", "[2]"), "line 19, column 1: 1 rewards stand here, and @reward_models names 2"),
    (("@model", "@modl"), "'@modl' is not known"),
    (("@nr_states\n5\n", ""), "@nr_states should stand before @model"),
    (("\taction done [0, 0]\n\t\t4 : 1\n", ""), "state 4 has no action"),
    (("state 0 {0} [0, 0] init\n", "state 0 {0} [0, 0]\n"), "no state has the label init"),
    (("state 0 {0} [0, 0] init\n", ""), "line 14, column 1: an action of a state should stand here"),
]


@pytest.mark.parametrize(("change", "why"), REFUSED)
def test_what_is_wrong_is_named_with_its_line(folder: Path, change: tuple[str, str], why: str) -> None:
    assert change[0] in MAZE
    with pytest.raises(ProblemError, match=r"x.drn") as caught:
        read(MAZE.replace(*change, 1), goal_label="target")
    assert why in str(caught.value)


def test_rounded_rows_are_divided_or_refused(folder: Path) -> None:
    text = MAZE.replace("2 : 0.9", "2 : 0.90001")
    with pytest.warns(DataWarning, match=r"line 24, column 1: the probabilities of the action before sum to 1\.00001"):
        maze = read(text, goal_label="pit")
    assert sum(chance for chance, _ in maze.outcomes("1", "right")) == 1
    with pytest.raises(ProblemError, match=r"sum to 1\.00001, and --strict wants 1 exactly"):
        read(text, strict=True)


def test_commands_say_what_can_be_asked(folder: Path, cli: Run) -> None:
    Path("x.drn").write_text(MAZE)
    assert_one_line(cli("run", "x.drn"), "no state has the goal label 'goal'; other labels: target, pit, deep")
    assert_one_line(cli("run", "x.drn", "--costs", "time"), "no reward model 'time'; there are: steps, luck")
    assert_one_line(cli("run", "x.drn", "--costs", "steps", "--rewards", "luck"), "leave --rewards or --costs out")
    told = stdout(cli("run", "x.drn", "--goal-label", "target", "--costs", "steps", "--output", "p.json"))
    assert "cost 3/2" in told
    assert "costs at most 1.5" in stdout(cli("verify", "p.json"))
    assert "[reads FILE.drn]" in stdout(cli("list"))
