"""Words that mean nothing together: each line is refused in one line that says why, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..answers import assert_one_line
from ..conftest import Run

REFUSED = [
    # Stochastic problems.
    ("run riddler-flips --state 1", "F,S"),
    ("run riddler-flips --solver astar", "'astar'; there are backward-induction"),
    ("run riddler-flips --heuristic own", "--heuristic plays no part"),
    ("run riddler-flips --engine bits", "--engine plays no part"),
    ("run riddler-flips --dominance", "--dominance plays no part"),
    ("run riddler-flips --weight 2", "--weight plays no part"),
    ("run riddler-flips --all", "--all plays no part"),
    ("run riddler-flips --moves 1..2", "--moves plays no part"),
    ("run riddler-flips --solver construct", "closed form"),
    ("run riddler-flips --blindfold", "blindfold"),
    ("run gambler --solver dp", "may come back to 50"),
    ("run gambler --exact --solver vi", "policy-iteration"),
    ("prove riddler-flips", "answer is a policy"),
    ("export riddler-flips --output x.dot --picture value", "say --format png or svg"),
    ("export riddler-flips --output x.json --picture policy", "say --format png or svg"),
    (
        "export riddler-flips --output x.txt",
        "say --format graphml, gexf, dot, json, png, svg, pomdp, julia, game, policy, alpha, pg, controller or html",
    ),
    ("export riddler-flips --output x.dot --all", "--all is for plain problems"),
    ("export riddler-flips --output x.png --no-plan", "there are no beliefs"),
    ("export riddler-flips --output x.png --max-nodes 5", "--max-nodes goes with graphs"),
    ("show riddler-flips --output x.txt", "a table is written as .csv or .json"),
    ("show vacuum --output x.csv", "--output goes with stochastic problems"),
    ("show vacuum --all", "--all goes with stochastic problems"),
    ("run riddler-flips --state 1,0", "--state 1,0 cannot come up: after 1 flip the score is never 0"),
    ("export riddler-flips --output x.png --steps 4", "--steps goes with --picture sweep"),
    ("export riddler-flips --output x.png --picture sweep", "say with --vary"),
    ("export riddler-flips --output x.png --vary colour", "flips, p-a, p-b, value-a, value-b"),
    ("export riddler-flips --output x.png --vary exact", "flips, p-a, p-b, value-a, value-b"),
    ("export riddler-flips --output x.png --vary p-a", "--from a number"),
    ("export riddler-flips --output x.png --vary p-a --from 0 --to 1/0", "--to a number"),
    ("export riddler-flips --output x.png --vary p-a --from 0 --to 0", "one value to another"),
    ("export riddler-flips --flips 3 --output x.png --vary p-a --from 0 --to 2", "--p-a must be a probability"),
    ("export riddler-flips --output x.png --vary flips --from 0 --to 5 --steps 4", "whole numbers"),
    ("export riddler-flips --output x.png --vary flips --from 0 --to 1000000", "100,000 steps"),
    ("export devil --output x.png --picture value", "stochastic"),
    ("export gambler --picture value --output x.png", "plot_position"),
    # Partially observable ones.
    ("run tiger --precision 2", "the precision must be at least 0 and below 1"),
    ("run tiger --solver finite-horizon", "give a --horizon"),
    ("run tiger --solver astar", "this is no problem for 'astar'"),
    ("run tiger --heuristic best", "--heuristic plays no part"),
    ("run devil --precision 0.1", "--precision plays no part"),
    ("run gambler --horizon 3", "--horizon plays no part"),
    ("run machine-repair --discounted 1", "the game never ends"),
    ("run random-devil --n 2 --slip 1", "it needs a discount below 1, or a --horizon"),
    ("play tiger --belief left", "how likely each start is"),
    ("show tiger --all", "--all is for policies of states"),
    # Pictures.
    (
        "export devil --output x.bmp",
        "say --format graphml, gexf, dot, json, png, svg, pomdp, julia, game, policy, alpha, pg, controller or html",
    ),
    ("export devil --output nowhere/x.svg", "there is no folder"),
    ("export devil --output x.svg --no-plan --all", "--all goes with graphs"),
    ("export nine-tails --rows 4 --output x.svg --tree", "4,096 states, and 2,000 can be drawn"),
    ("export sliding-tiles --rows 2 --output x.svg", "no board to start from was given"),
    ("show nine-tails --start HHHTTTHHH --output x.png", "always knows the state"),
    ("show four-glasses --output x.svg", "may branch"),
    ("show monty-hall --output x.svg", "export draws the policy"),
    ("show devil --output nowhere/x.svg", "there is no folder"),
    ("run devil --profile x.txt", "a profile is written as .png or .svg"),
    ("run devil --profile nowhere/x.png", "there is no folder"),
    ("run monty-hall --profile x.png", "--profile plays no part"),
    ("run nine-tails --all --profile x.png", "leave --all out"),
    ("export devil --tree --output x.json", "devil cannot be walked backwards, which --tree needs"),
    ("export nine-tails --blindfold --tree --output x.json", "cannot be walked backwards"),
    ("export nine-tails --tree --max-nodes 5 --output x.json", "--max-nodes does not go with --tree"),
    # `explore`.
    ("explore river-crossing --engine nive", "Did you mean 'naive'?"),
    ("explore nim --engine compiled", "gives no codes of its states (see CodeHook)"),
    ("explore river-crossing --resume", "--resume goes on with what --store DIR holds; give that, too"),
    ("explore river-crossing --engine dask", "give a directory, --store DIR"),
    ("explore river-crossing --engine naive --store kept", "leave --store or --engine out"),
    ("explore river-crossing --workers 2 --store kept", "--workers goes with --engine dask"),
    ("explore river-crossing --engine dask --store kept --workers 0", "not in the range"),
    ("explore river-crossing --engine dask --store kept --workers 1 --scheduler tcp://x:1", "not both"),
    ("explore gambler --store kept", "leave --store and --engine out"),
    ("explore devil --store kept --backward", "leave --store and --engine out, or --backward"),
    ("explore nim --store kept", "(see CodeHook)"),
    ("explore river-crossing --format png", "say which with --output"),
    ("explore river-crossing --output layers.xls", "tells no format; say --format text, json, csv, png or svg"),
    ("explore river-crossing --output no/layers.csv", "there is no folder"),
    ("explore river-crossing --blindfold", "does not list its possible starts"),
    ("explore devil --blindfold", "nothing to blindfold"),
    ("explore river-crossing --belief x", "sees every state"),
    ("explore devil --n 4 --time-limit 0", "not a number of seconds"),
    ("explore devil --solver bfs", "No such option '--solver'"),
    # Starts and beliefs.
    ("show devil --n 2 --belief HX", "'HX'"),
    ("show devil --n 2 --belief=", "at least one"),
    ("show devil --n 2 --belief='HT", "quotation"),
    ("show river-crossing --belief x", "sees every state"),
    ("run riddler-flips --belief x", "sees every state"),
    ("play devil --n 2 --start HX", "'HX'"),
    ("play devil --n 2 --belief HT --start TT", "'TT'"),
    ("play devil --n 3 --adversary --start HHT", "adversary"),
    ("play lights-out --rows 2 --cols 3 --adversary", "no adversary can keep"),
    ("play river-crossing --adversary", "no adversary can keep"),
    ("play gambler --adversary", "against chance"),
    ("simulate riddler-flips --start 0", "--start"),
    # What goes with nothing else.
    ("run lights-out --all --certificate proof.json", "--certificate"),
    ("run vacuum --moves 1", "construction"),
    ("run devil --all", "backwards"),
    ("run devil --store=", "--store needs a directory"),
    ("run devil --resume", "--resume goes on with what --store DIR holds; give that, too"),
    ("run vacuum --solver construct", "no construction"),
    ("prove vacuum --solver construct", "no construction"),
    ("explain vacuum --solver construct", "no construction"),
    ("run devil --n 3..5", "'3..5' is not a valid integer. `sweep` takes ranges."),
    ("explore devil --workers two", "Invalid value for '--workers': 'two' is not a valid integer."),
    ("simulate devil --n 2 --format png", "--output"),
    ("simulate devil --n 2 --output nowhere/games.csv", "nowhere"),
    ("run devil --n 3 --certificate nowhere/proof.json", "nowhere"),
    ("prove devil --n 3 --certificate nowhere/proof.json", "nowhere"),
    ("play devil --n 3 --watch --adversary", "--watch"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED)
def test_what_cannot_be_is_told_in_one_line(cli: Run, folder: Path, words: str, told: str) -> None:
    assert_one_line(cli(*words.split()), told)
    assert list(folder.iterdir()) == []


def test_users_of_a_file_are_told_of_the_file_and_not_what_its_reader_might_do(cli: Run, folder: Path) -> None:
    (folder / "coin.dot").write_text('digraph { a -> b [label="x/0"]; b -> a [label="x/1"]; }')
    for words, told in {
        ("run", "coin.dot", "--all"): "coin.dot cannot be walked backwards, which --all needs",
        ("run", "coin.dot", "--blindfold"): "coin.dot is no plain problem, so there is nothing to blindfold",
    }.items():
        code, _, err = cli(*words)
        assert (code, err) == (2, f"beliefsearch: error: {told}\n")


def test_a_game_of_some_actions_ends_after_them(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "listen")
    code, out, _ = cli("play", "tiger", "--horizon", "2")
    assert (code, "Over after 2 actions" in out, "Over after 3 actions" in out) == (0, True, False)
