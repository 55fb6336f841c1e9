"""Partially observable stochastic problems on the command line: everything that other kinds can do, or a reason."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from beliefsearch import solve
from beliefsearch.cli.progress import Progress
from beliefsearch.proofs import prove as prove_module
from beliefsearch_problems.random_devil import RandomDevilProblem

from ..answers import read_json, stdout
from ..conftest import Run
from ..waiting import once_begun

SHORT = ("tiger", "--horizon", "3")


def test_what_run_says_and_saves_is_verified_and_shown_and_played(cli: Run, folder: Path) -> None:
    out = stdout(cli("run", "tiger", "--output", "plan.json", "--certificate", "proof.json"))
    lower, upper = map(float, re.findall(r"value at least (\S+) and at most (\S+)", out)[0])
    assert lower <= 19.3721
    assert upper >= 19.3711
    assert upper - lower <= 1e-3 * upper
    assert "At the start: listen" in out
    assert "attains at least 19.36" in stdout(cli("verify", "plan.json"))
    assert "no policy attains more than 19.38" in stdout(cli("verify", "proof.json"))
    for command in ("show", "explain", "play --watch --seed 1", "simulate --games 20 --seed 1"):
        code, out, err = cli(*command.split(), "tiger", "--plan", "plan.json")
        assert (code, err) == (0, ""), command
        assert "listen" in out or "20 games" in out


def test_json_has_both_bounds(cli: Run) -> None:
    found: dict[str, Any] = json.loads(cli("run", "tiger", "--precision", "0.05", "--format", "json")[1])
    assert found["status"] == "solved"
    assert found["value"] == found["lower_bound"] <= 19.3721
    assert found["upper_bound"] >= 19.3711
    assert found["plan"]["kind"] == "policy-graph"


def test_a_limit_leaves_bounds_and_a_policy(cli: Run, folder: Path) -> None:
    out = stdout(
        once_begun(
            lambda found: "the value is at least" in found[1],
            lambda seconds: cli("run", "tiger", "--precision", 0, "--time-limit", seconds, "--output", "found.json"),
        ),
        3,
    )
    why = r"the time limit of [\d.]+ s was reached|no trial changes anything any more: [^;]+"
    assert re.search(rf"undecided, ({why}); the value is at least", out)
    found = read_json("found.json")
    assert found["status"] == "undecided"
    assert found["lower_bound"] < found["upper_bound"]


# A precision that floats cannot have, so that the search never ends with an answer.
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("show",), "What is likely, along the percepts"),
        (("explain",), "What each action is worth"),
        (("simulate", "--games", 10), "10 games"),
        (("play", "--watch", "--seed", 1), "in all"),
        (("export", "--output", "graph.json"), ""),
        (("export", "--output", "graph.svg"), ""),
        (("view", "--no-browser", "--output", "page.html"), ""),
    ],
    ids=lambda words: words[0] if isinstance(words, tuple) else "",
)
def test_a_limit_leaves_every_command_a_policy(cli: Run, folder: Path, command: tuple[object, ...], said: str) -> None:
    def run(seconds: object) -> tuple[int, str, str]:
        return cli(command[0], "tiger", "--precision", 0, "--time-limit", seconds, *command[1:])

    code, out, err = once_begun(
        lambda found: ("so far" in found[2] or "at least" in found[1]) and said in found[1], run
    )
    assert code == (3 if command == ("explain",) else 0)
    assert said in out
    assert re.search(r"the value is at least .* and at most ", out if command == ("explain",) else err)


def test_show_draws_and_explain_says_what_each_action_is_worth(cli: Run) -> None:
    out = stdout(cli("show", *SHORT))
    assert "     tiger left    50.0%  ##########\n" in out
    assert "  1. listen: growl left (1/2)\n" in out
    assert "     tiger left    85.0%  #################\n" in out
    out = stdout(cli("explain", *SHORT))
    assert "  listen: 11549/5000, the policy's; -1 of it at once\n" in out
    # After a door the policy has only nodes for those who have heard something.
    assert "  open-left: -15787/320; -45 of it at once\n" in out


def test_the_title_of_an_answer_has_the_length_of_the_game(cli: Run) -> None:
    assert stdout(cli("run", "tiger", "--horizon", 2)).startswith("tiger --horizon 2: value -39/20, about -1.95\n")
    assert stdout(cli("simulate", *SHORT, "--games", 2)).startswith("tiger --horizon 3: 2 games")


def test_watching_a_game(cli: Run) -> None:
    first, again = (cli("play", *SHORT, "--watch", "--seed", 5) for _ in range(2))
    assert first == again
    lines = first[1].splitlines()
    assert re.fullmatch(r" +0 +tiger (left|right)", lines[0])
    assert len(lines) == 5
    assert lines[-1].startswith("ended after 3 actions: ")


def test_playing_with_what_is_likely_until_it_ends(talk: Run) -> None:
    said = ["listen", "value", "hint", "belief", "undo", "open-left", "nothing", "quit"]
    code, out, err = talk(said, "tiger", "--horizon", "4", "--seed", 2)
    assert code == 0
    assert "What is likely:\n     tiger left    50.0%  ##########" in out
    assert "You perceive: growl left." in out
    assert "after open-left" in out
    assert re.search(r"-?\d+ so far, (10|-100) of it now", out)
    assert "no action here" in out + err
    assert "The state was tiger" in out
    out = stdout(talk(["door 1", "door 1"], "noisy-monty-hall", "--seed", 3))
    assert re.search(r"Over after 2 actions: [01] in all, not discounted.", out)


def test_simulating_says_the_mean_with_its_error(cli: Run) -> None:
    out = stdout(cli("simulate", *SHORT, "--games", 500, "--seed", 1))
    mean, error = map(float, re.findall(r"mean utility (\S+), standard error (\S+); the value is 2.3098", out)[0])
    assert abs(mean - 2.3098) < 4 * error


def test_exporting_the_policy_and_the_states(cli: Run, folder: Path) -> None:
    assert cli("export", *SHORT, "--output", "policy.json")[0] == 0
    policy = read_json("policy.json")
    assert policy["nodes"][0]["action"] == "listen"
    assert {edge["percept"] for edge in policy["edges"]} == {"growl left", "growl right"}
    assert cli("export", "tiger", "--no-plan", "--output", "states.json")[0] == 0
    states = read_json("states.json")
    assert {node["state"] for node in states["nodes"]} == {"tiger left", "tiger right"}
    assert {node["g"] for node in states["nodes"]} == {0}
    assert cli("export", *SHORT, "--output", "policy.svg")[0] == 0
    assert "growl left" in Path("policy.svg").read_text(encoding="utf-8")


def test_describing_and_sweeping(cli: Run) -> None:
    out = stdout(cli("describe", "tiger"))
    assert "a partially observable problem\n  2 possible starts\n  3 actions in the first of them, tiger left\n" in out
    assert "  2 states that are not terminal\n  2 percepts\n" in out
    out = stdout(cli("sweep", "tiger", "--accuracy", "0.6..0.9..0.1", "--horizon", 3))
    assert [line.split()[2] for line in out.splitlines()[1:5]] == ["-2.8525", "-2.8525", "-0.0728", "4.2953"]


@pytest.mark.parametrize("ended_by", ["interrupt", "limit"])
def test_the_policy_is_written_first(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, ended_by: str) -> None:
    def endless(problem: Any, result: Any, budget: Any, *others: Any, **options: Any) -> None:
        assert json.loads((folder / "proof.json").read_text())["plan"]["kind"] == "policy-graph"
        if ended_by == "interrupt":
            raise KeyboardInterrupt
        while True:
            budget.tick()

    monkeypatch.setattr("beliefsearch.proofs.pomdp_bounds.prove_bounds", endless)
    words = ("run", "tiger", "--certificate", "proof.json")

    def run(seconds: float) -> tuple[int, str, str]:
        return cli(*words, *(("--time-limit", seconds) if ended_by == "limit" else ()))

    code, _out, err = once_begun(lambda found: found[0] == 0, run, 2)
    assert code == 0
    assert "no proof was found before" in err
    assert "attains at least 19.36" in cli("verify", "proof.json")[1]


def test_bounds_of_an_interrupted_search_are_proved(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from beliefsearch.running.limits import EffortExceeded
    from beliefsearch.solvers.pomdp.plain_hsvi import TrialSearch

    whole = TrialSearch.run

    def interrupted(self: Any, most_backups: int | None = None) -> None:
        with suppress(EffortExceeded):
            whole(self, 20)
        raise KeyboardInterrupt

    monkeypatch.setattr(TrialSearch, "run", interrupted)
    code, out, _err = cli("run", "tiger", "--engine", "naive", "--certificate", "proof.json")
    assert code == 3
    assert "it was interrupted; the value is at least" in out
    code, checked, _ = cli("verify", "proof.json")
    assert "the proof holds: no policy attains more than" in checked


def test_a_proof_of_less_than_was_printed_says_so(cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = prove_module.prove_answer

    def prove_less(*arguments: Any, **options: Any) -> Any:
        proof = found(*arguments, **options)
        return evolve(proof, bound=proof.bound + 1)

    err = cli("run", "tiger", "--certificate", "proof.json")[2]
    assert "where the search says" not in err
    monkeypatch.setattr(prove_module, "prove_answer", prove_less)
    err = cli("run", "tiger", "--certificate", "proof.json")[2]
    assert re.search(r"; it proves at most 20\.38\d*, where the search says 19\.38\d*$", err.strip())


def test_a_blind_player_perceives_nothing(cli: Run, folder: Path) -> None:
    words = ("random-devil", "--n", "2")
    cli("export", *words, "--output", "policy.svg")
    texts = [cli(command, *words)[1] for command in ("show", "explain")] + [(folder / "policy.svg").read_text()]
    for text in texts:
        assert "None" not in text
        assert "nothing" in text


def test_a_cost_is_told_as_a_cost_and_what_it_is_conditioned_on_is_said(cli: Run, folder: Path) -> None:
    """Two coins show heads at the start one time in four, and the story counts that: 3/4 * 2 = 3/2."""
    words, start = ("random-devil", "--n", "2"), "the game is not over at the start (it is with the probability 1/4)"
    shown, explained = (stdout(cli(command, *words)) for command in ("show", "explain"))
    cli("view", *words, "--no-browser", "--output", "page.html")
    page = (folder / "page.html").read_text()
    for text in (shown, explained, page):
        assert f"if {start}" in text
    assert (
        f"If {start}, and the policy goes on with the best of its nodes, the actions cost: {{0, 1}} 2, {{0}} 2.16"
        in page
    )
    assert "is not over at the start" not in stdout(cli("explain", *SHORT))
    line = Progress(quiet=True, costs=True)
    line.narrowed(-2.5, -1.5, 7)
    assert "cost between 1.5 and 2.5, 7 beliefs met" in line.__rich__()


def test_a_notebook_tells_a_cost() -> None:
    assert "Solved: the cost is 3/2" in solve(RandomDevilProblem(n=2))._repr_html_()
