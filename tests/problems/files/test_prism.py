"""Models of PRISM as problems: what is perceived, when it is over, what is paid; and published sizes."""

from __future__ import annotations

import os
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import ProblemError, Status, solve
from beliefsearch.errors import DataWarning
from beliefsearch.graph import WinningRegion, winning_region
from beliefsearch.model.chance import Possible
from beliefsearch.tools import load_problem_class
from beliefsearch_problems.files.prism import PrismFileProblem

from ...answers import stdout
from ...conftest import Run
from ...field_files import PRISM
from ...toys import path_of

pytestmark = pytest.mark.filterwarnings("ignore:.*notbad:beliefsearch.errors.DataWarning")

FOLDER = Path(os.environ.get("BELIEFSEARCH_PRISM", "no models"))
"""The models of gridworld-by-storm; without them their tests are skipped."""

CORRIDOR = "\n" + PRISM.replace("N = 3;", "N;")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "corridor.nm").write_text(CORRIDOR)
    return tmp_path / "corridor.nm"


def written(folder: Path, text: str, **options: Any) -> PrismFileProblem:
    (folder / "some.nm").write_text(text)
    return PrismFileProblem(folder / "some.nm", **options)


def reached(problem: PrismFileProblem) -> list[Any]:
    states = [problem.initial_state()]
    for state in states:
        if not problem.is_terminal(state):
            pairs = [pair for action in problem.actions(state) for pair in problem.outcomes(state, action)]
            states += dict.fromkeys(after for _, after in pairs if after not in states)
    return states


def test_states_actions_and_percepts(model: Path) -> None:
    problem = PrismFileProblem(model, "N=3")
    start = problem.initial_state()
    assert problem.format_state(start) == "placed=false at=1 bumped=false"
    assert problem.parse_state(problem.format_state(start)) == start
    assert not problem.sees_state()
    assert list(problem.actions(start)) == ["place"]
    one, two = (True, 1, False), (True, 2, False)
    half = Fraction(1, 2)
    assert problem.outcomes(start, "place") == ((half, one), (half, two))
    assert list(problem.actions(two)) == ["forth", "back", "wait"]
    end = (True, 3, False)
    assert problem.outcomes(two, "forth") == ((Fraction(9, 10), end), (Fraction(1, 10), two))
    assert [problem.percept_distribution(state, "forth") for state in (one, two, end)] == [
        ((1, (False, 0)),),
        ((1, (False, 1)),),
        ((1, (False, 2)),),
    ]
    assert problem.format_percept((False, 2)) == "bumped=false light=2"
    assert problem.is_terminal(end)
    assert (problem.is_goal(end), problem.utility(end)) == (True, 1)
    pit = (True, 0, False)
    assert problem.is_terminal(pit)
    assert (problem.is_goal(pit), problem.utility(pit)) == (False, 0)
    assert not problem.is_terminal(one)
    assert len(reached(problem)) == 5


def test_other_labels_say_when_it_is_over(model: Path) -> None:
    problem = PrismFileProblem(model, "N=4", goal_label="second", safe_label="goal")
    assert problem.is_goal((True, 2, False))
    assert problem.is_terminal((True, 1, False))  # the only safe place is the end
    assert PrismFileProblem(model, "N=4", goal_label="second").is_terminal((True, 0, False))


def test_without_its_label_no_state_is_unsafe(tmp_path: Path) -> None:
    problem = written(tmp_path, CORRIDOR.replace('"notbad"', '"dry"'), const="N=3")
    assert not problem.is_terminal((True, 0, False))
    assert PrismFileProblem(tmp_path / "some.nm", "N=3", safe_label="dry").is_terminal((True, 0, False))


def test_a_label_that_is_taken_as_safe_is_told_and_can_be_switched_off(model: Path) -> None:
    with pytest.warns(DataWarning, match=r'corridor.nm: the game is lost where the label "notbad" .* --safe-label ""'):
        assert PrismFileProblem(model, "N=3").is_terminal((True, 0, False))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert PrismFileProblem(model, "N=3", safe_label="notbad").is_terminal((True, 0, False))
        assert not PrismFileProblem(model, "N=3", safe_label="").is_terminal((True, 0, False))


def test_no_safe_label_is_saved_as_none(cli: Run, folder: Path) -> None:
    (folder / "corridor.nm").write_text(CORRIDOR)
    code, out, err = cli("run", "corridor.nm", "--const", "N=3", "--objective", "almost-sure")
    assert (code, "notbad" in err) == (0, True)
    words = ("--const", "N=3", "--safe-label", "", "--objective", "almost-sure", "--output", "plan.json")
    code, out, err = cli("run", "corridor.nm", *words, "--quiet")
    assert (code, err) == (0, "")
    assert "--safe-label ''" in out
    assert "the plan holds" in stdout(cli("verify", "plan.json"))


TRAPS = """
mdp
module m
    x : [0..5];
    [a] x=0 -> 0.5 : (x'=1) + 0.5 : (x'=5);
    [b] x=0 -> (x'=2);
    [c] x=0 -> (x'=5);
    [on] x=1 -> (x'=3);
    [on] x=3 -> (x'=1);
    [d] x=5 & false -> true;
endmodule
label "goal" = x=5;
rewards "all" x=0 : 3; [a] true : 1/3; [c] x=0 : 8; endrewards
"""


def test_where_no_goal_can_be_reached_the_game_is_over(tmp_path: Path) -> None:
    problem = written(tmp_path, TRAPS)
    assert problem.sees_state()
    assert not problem.is_terminal((0,))
    for trap in ((1,), (2,), (3,)):  # a circle without an end, and a state in which nothing can be done
        assert problem.is_terminal(trap)
        assert problem.utility(trap) == 0
    assert problem.is_terminal((5,))


def test_rewards_are_paid_until_the_goal_by_who_surely_reaches_it(tmp_path: Path) -> None:
    problem = written(tmp_path, TRAPS, rewards="all")
    assert list(problem.actions((0,))) == ["c"]
    assert problem.reward((0,), "c") == 11
    assert problem.reward((0,), "a") == Fraction(10, 3)
    assert problem.utility((5,)) == 0
    assert PrismFileProblem(problem.file, costs="all").reward((0,), "c") == -11


def test_a_reward_that_cannot_be_reckoned_is_told_with_its_state(tmp_path: Path) -> None:
    text = CORRIDOR.replace("placed : 1/2;", "placed : log(10, 3); true : pow(10, 390);")
    problem = written(tmp_path, text, costs="steps", const="N=3")
    with pytest.raises(ProblemError, match=r"some.nm: the reward of back in the state placed=true .*: int too large"):
        problem.reward((True, 1, False), "back")


def test_rewards_of_a_chain_are_means(tmp_path: Path) -> None:
    text = """dtmc module m x : [0..1]; [a] x=0 -> (x'=1); [] x=0 -> true; endmodule
    label "goal" = x=1; rewards [a] true : 4; [] true : 1; x=0 : 1; endrewards"""
    problem = written(tmp_path, text, rewards="")
    assert problem.outcomes((0,), "step") == ((Fraction(1, 2), (1,)), (Fraction(1, 2), (0,)))
    assert problem.reward((0,), "step") == Fraction(7, 2)


def test_reward_structures_without_names(tmp_path: Path) -> None:
    text = TRAPS.replace('rewards "all"', "rewards") + "rewards [c] true : 2; endrewards"
    assert written(tmp_path, text, rewards="").reward((0,), "c") == 11
    assert written(tmp_path, text, rewards="2").reward((0,), "c") == 2
    with pytest.raises(ProblemError, match="has no reward structure 'all'; it has \"\", 2: choose one by --costs"):
        written(tmp_path, text, costs="all")


def test_a_goal_that_is_not_certain_has_no_rewards(tmp_path: Path) -> None:
    problem = written(tmp_path, TRAPS.replace("[c] x=0 -> (x'=5);", ""), rewards="all")
    with pytest.raises(ProblemError, match="cannot be reached with certainty from x=0"):
        problem.actions((0,))


def test_several_initial_states_are_seen_after_the_first_action(tmp_path: Path) -> None:
    text = """pomdp observables seen endobservables
    module m x : [0..4]; seen : bool; [go] x > 1 -> (x'=x-1); endmodule
    init x > 1 & seen = (x = 4) endinit
    label "goal" = x = 1;"""
    problem = written(tmp_path, text)
    start = problem.initial_state()
    assert problem.format_state(start) == "(before the start)"
    assert list(problem.actions(start)) == ["begin"]
    third = Fraction(1, 3)
    states = [(2, False), (3, False), (4, True)]
    assert list(problem.outcomes(start, "begin")) == [(third, state) for state in states]
    assert [problem.percept_distribution(state, "begin")[0][1] for state in states] == [(False,), (False,), (True,)]
    assert not problem.is_terminal(start)
    assert not problem.is_goal(start)
    assert problem.reward(start, "begin") == 0


def test_who_sees_enough_gets_there_almost_surely(model: Path) -> None:
    for size in (3, 5):
        result = solve(Possible(PrismFileProblem(model, f"N={size}")))
        assert result.status is Status.SOLVED
        assert result.require_conditional_plan().is_cyclic  # it may slip any number of times
        assert result.plan == solve(Possible(PrismFileProblem(model, f"N={size}")), engine="naive").plan


def test_who_cannot_tell_the_pit_from_the_exit_does_not(tmp_path: Path) -> None:
    text = """pomdp observables endobservables
    module m x : [0..2] init 1; side : bool; placed : bool;
    [place] !placed -> 0.5 : (placed'=true) + 0.5 : (placed'=true) & (side'=true);
    [left] placed & x=1 -> (x'=side?0:2);
    [right] placed & x=1 -> (x'=side?2:0);
    endmodule
    label "goal" = x=2; label "notbad" = x>0;"""
    assert solve(Possible(written(tmp_path, text))).status is Status.UNSOLVABLE
    assert solve(Possible(written(tmp_path, text.replace("observables endobs", "observables side endobs")))).cost == 2


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({}, "leaves N open; give --const N=..."),
    ({"const": "N"}, "--const N: give a name and a number"),
    ({"const": "N=two"}, "--const N=two: give a name and a number"),
    ({"const": "N=3,N=4"}, "N is given twice"),
    ({"const": "N=3.5"}, "N is a whole number, so it cannot be 7/2"),
    ({"const": "N=true"}, "N is a whole number, so it cannot be true"),
    ({"const": "N=3,M=4"}, "leaves no constant 'M' open; it leaves N open"),
    ({"const": "N=3,slip=0.5"}, "itself gives slip a value"),
    ({"const": "N=3", "goal_label": "exit"}, "has no label 'exit'; it has goal, notbad, second"),
    ({"const": "N=3", "safe_label": "dry"}, "has no label 'dry'"),
    ({"const": "N=3", "rewards": "fuel"}, "has no reward structure 'fuel'; it has steps, "),
    ({"const": "N=3", "rewards": "steps", "costs": "steps"}, "rewards and costs exclude each other"),
]


@pytest.mark.parametrize(("options", "said"), MISTAKES, ids=[said for _, said in MISTAKES])
def test_wrong_options_are_one_line(model: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises((ProblemError, ValueError)) as caught:
        PrismFileProblem(model, **options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["at=1", "placed=no at=1 bumped=false", "placed=true at=9 bumped=false", "word"])
def test_a_text_that_is_no_state_is_refused(model: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"is|gives"):
        PrismFileProblem(model, "N=3").parse_state(text)


SIZES = [("obstacle", "N=6", 37, 4), ("obstacle", "N=8", 65, 4), ("rocks2", "N=4", 331, 65), ("rocks2", "N=6", 816, 74)]


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the models are not there")
@pytest.mark.parametrize(("name", "const", "states", "observations"), SIZES)
def test_published_sizes(name: str, const: str, states: int, observations: int) -> None:
    problem = PrismFileProblem(FOLDER / f"{name}.nm", const)
    found = reached(problem)
    assert len(found) == states
    assert len({problem.percept_distribution(state, "") for state in found}) == observations


@pytest.mark.skipif(not (FOLDER / "pomdp").is_dir(), reason="the models are not there")
def test_published_values() -> None:
    nrp = PrismFileProblem(FOLDER / "pomdp" / "nrp" / "nrp.prism", "K=8", goal_label="unfair")
    assert solve(nrp).value == Fraction(1, 8)
    maze = PrismFileProblem(FOLDER / "pomdp" / "maze2" / "maze2.prism", safe_label="", costs="")
    assert solve(maze).value == Fraction(-74, 13)


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the models are not there")
@pytest.mark.parametrize("size", [6, 7])
def test_the_published_model_is_the_puzzle_that_was_written_by_hand(size: int) -> None:
    puzzle: Any = load_problem_class(str(path_of("obstacle")))
    by_hand: WinningRegion[Any, Any] = winning_region(puzzle(n=size))
    problem = PrismFileProblem(FOLDER / "obstacle.nm", f"N={size}")
    region = winning_region(problem)

    def places(belief: frozenset[Any]) -> frozenset[Any]:
        return frozenset((across, down) for started, across, down, _ in belief if started)

    beliefs = {places(region.members(number)) for number in range(len(region))} - {frozenset()}
    assert beliefs == {by_hand.members(number) for number in range(len(by_hand))}
    assert (region.start is None) == (by_hand.start is None)
