"""Properties of PRISM: how they are written, what they mean by brute force, mistakes in them, and by commands."""

from __future__ import annotations

import csv
import json
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beliefsearch import BeliefSearchError, ProblemError, Status, solve
from beliefsearch.plans.plan_writer import question_fields
from beliefsearch.plans.policy_files import policy_plan
from beliefsearch.proofs.check import check_policy_file
from beliefsearch.running.alarm import Stopped
from beliefsearch_problems.files.prism import PrismFileProblem

from ...answers import assert_one_line, stdout
from ...conftest import Run
from ...field_files import PRISM

FOLDER = Path(os.environ.get("BELIEFSEARCH_PRISM") or Path(__file__).parents[4] / "shared" / "benchmarks" / "prism")
"""Models with Storm's answers; without them their tests are skipped."""
_PUBLISHED = FOLDER / "expected.json"
_FEW = 1200  # states of models that are asked by default

MDP = """mdp
const int N;
module m
    x : [0..N];
    [a] x=0 -> 1/2 : (x'=1) + 1/2 : (x'=2);
    [b] x=0 -> (x'=3);
    [wait] x=0 -> true;
    [go] x=1 -> 0.3 : (x'=3) + 0.7 : (x'=2);
endmodule
label "goal" = x=3;
label "pit" = x=2;
rewards "fuel" [a] true : 2; [b] true : 7; [go] true : 1; endrewards
rewards [wait] true : 1; endrewards
"""


@pytest.fixture
def folder_of_model(folder: Path) -> Path:
    (folder / "some.nm").write_text(MDP)
    return folder


def answer(folder: Path, text: str, *, model: str = MDP, const: str = "N=3", **options: Any) -> Any:
    """The answer to a property: a number, or whether it holds."""
    (folder / "some.nm").write_text(model)
    problem = PrismFileProblem(folder / "some.nm", const, property=text, **options)
    return answer_to(problem)


def answer_to(problem: PrismFileProblem) -> Any:
    question = problem.question()
    assert question is not None
    result = solve(problem)
    assert result.status is Status.SOLVED
    if question.settled == inf:
        holds = question.holds(inf, inf)
        return inf if holds is None else holds
    assert result.value is not None
    value: Any = -result.value if problem.minimizes_cost() else result.value
    assert question.settled in (None, value)
    verdict = check_policy_file(problem, policy_plan(result.require_policy(), problem), str(Fraction(result.value)))
    assert verdict.holds
    assert not verdict.error
    holds = question.holds(value, value)
    return value if holds is None else holds


SPELLINGS = {
    'Pmax=? [ F "goal" ]': 1,
    'Pmin=? [ F "goal" ]': 0,
    "Pmax=?[F x=3]": 1,
    "P max =? [ F (x=3) ];": 1,
    "Pmax=? [ (F x=3) ]": 1,
    "Pmax=? [ true U x=3 ]": 1,
    'Pmax=? [ !"pit" U x=3 & N>2 ]': 1,
    "Pmax=? [ !(x=2) U ((x=3)) ]": 1,
    "Pmax=? [ F x=1 ]": Fraction(1, 2),
    "Pmax=? [ G x!=3 ]": 1,
    "Pmin=? [ G !(x=3) ]": 0,
    "Pmax=? [ !(F x=3) ]": 1,
    "Pmax=? [ ! F x=3 ]": 1,
    "Pmax=? [ X x=1 ]": Fraction(1, 2),
    "Pmin=? [ X x=1 | x=0 ]": 0,
    "Pmax=? [ X x=1 | x=0 ]": 1,
    "Pmax=? [ F<=1 x=3 ]": 1,
    "Pmax=? [ F<1 x=3 ]": 0,
    "Pmax=? [ F<=(N-2) x=3 ]": 1,
    "Pmax=? [ F=2 x=1 ]": Fraction(1, 2),
    "Pmax=? [ F[2,N] x=1 ]": Fraction(1, 2),
    "Pmax=? [ F>=2 x=1 ]": Fraction(1, 2),
    "Pmax=? [ F>1 x=1 ]": Fraction(1, 2),
    "Pmax=? [ G<=2 x<2 ]": 1,
    "Pmax=? [ x<1 U<=2 x=2 ]": Fraction(1, 2),
    "Pmax=? [ x<2 W x=2 ]": 1,
    "Pmin=? [ x<2 W x=2 ]": 0,
    "Pmin=? [ x=3 R x!=2 ]": Fraction(3, 20),
    "Pmin=? [ x=3 R x<4 ]": 1,
    'Rmin=? [ F "goal" ]': 7,  # of the first structure
    'R{"fuel"}min=? [ F "goal" ]': 7,
    'R{"fuel"}max=? [ F "goal" ]': inf,
    'R{"fuel"}max=? [ F x>1 ]': inf,
    'R{"fuel"}min=? [ F x>1 ]': Fraction(5, 2),
    "R{1}min=? [ F x>1 ]": Fraction(5, 2),
    "R{2}min=? [ F x>1 ]": 0,
    'R{""}min=? [ F x=3 ]': 0,
    'R{"fuel"}min=? [ F x=2 ]': inf,
    "P>=1 [ F x>0 ]": False,
    "P>=0 [ F x=3 ]": True,
    "P>0 [ F x=3 ]": False,
    "P<=1/2 [ F x=1 ]": True,
    "P<0.5 [ F x=1 ]": False,
    "Pmax>=1 [ F x=3 ]": True,
    'R{"fuel"}>=2.5 [ F x>1 ]': True,
    'R{"fuel"}>2.5 [ F x>1 ]': False,
    'R{"fuel"}<=100 [ F x=3 ]': False,
    "Pmax=? [ F min(x, N) = 3 => x > 2 ]": 1,
    'Pmax=? [ F "deadlock" ]': 1,
    'Pmin=? [ "init" U x=3 ]': 0,
    'filter(max, Pmax=? [ F x=1 ], "init")': Fraction(1, 2),
    'filter(state, Pmax=? [ F x=1 ], "init")': Fraction(1, 2),
    'filter(forall, P<=1/2 [ F x=1 ], "init")': True,
}


@pytest.mark.parametrize("text", SPELLINGS)
def test_spellings(tmp_path: Path, text: str) -> None:
    assert answer(tmp_path, text) == SPELLINGS[text]


MISTAKES = {
    'Pmax=? [ F "gaol" ]': r"--property, line 1, column 12: there is no label \"gaol\"; did you mean '\"goal\"'",
    'R{"fule"}min=? [ F x=3 ]': "column 3: the model has no reward structure \"fule\"; did you mean 'fuel'",
    "R{3}min=? [ F x=3 ]": 'column 3: the model has no reward structure "3"; it has "fuel", ""',
    "Pmax=? [ F xx=3 ]": "nothing is called 'xx'",
    "Pmax=? [ F x ]": "true or false should stand here, not a whole number",
    "P=? [ F x=3 ]": r"P=\? is for a dtmc, and this model has choices; write Pmin=\? or Pmax=\?",
    "P>=2 [ F x=3 ]": "2 is no probability",
    "P>=x [ F x=3 ]": "must not depend on the state",
    "Pmax=? [ F<=x x=3 ]": "a bound on the steps is a whole number",
    "Pmax=? [ F[3,2] x=3 ]": "no number of steps lies within this bound",
    "Pmax=? [ F 1/(x-x)=3 ]": "division by zero",
    "Pmax=? [ x=3 ]": "a path formula such as F is missing here",
    "Pmax=? [ G F x=3 ]": "nested temporal operators are not read",
    "Pmax=? [ F (G x=3) ]": "nested temporal operators are not read",
    "Pmax=? [ x=1 & F x=3 ]": "nested temporal operators are not read",
    "Pmax=? [ F P>=1 [ F x=3 ] ]": "nested operators, here P, are not read",
    "S=? [ x=3 ]": "the operator S is not read",
    "E [ F x=3 ]": "the operator E is not read",
    "Rmax=? [ S ]": "rewards of the kind S are not read",
    "Rmax=? [ C<=3 ]": "rewards of the kind C are not read",
    "Rmax=? [ F<=3 x=3 ]": "of rewards only `F ...`",
    "filter(sum, Pmax=? [ F x=3 ])": "the filter 'sum' is not read",
    "filter(max, Pmax=? [ F x=3 ])": 'of filters only those over "init" are read',
    '"init" => P>=1 [ F x=3 ]': "should begin with P or R",
    "P>=1 [ F x=3 ] & P>=1 [ F x=1 ]": "properties joined by & are not read",
    "Pmax=? [ F x=3": "should come here, not the end of the file",
    "p1": "a property, such as `Pmax=?",
    "Pmax=? F x=3": "'\\[' should come here",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_one_line_with_their_place(tmp_path: Path, text: str) -> None:
    with pytest.raises(ProblemError, match=MISTAKES[text]) as caught:
        answer(tmp_path, text)
    assert "\n" not in str(caught.value)
    assert "--property, line 1, column" in str(caught.value)


def test_chains_have_no_strategies(tmp_path: Path) -> None:
    chain = MDP.replace("mdp", "dtmc")
    assert answer(tmp_path, "P=? [ F x=3 ]", model=chain) == Fraction(23, 40)  # a or b, each as likely, or wait
    assert answer(tmp_path, "P>=0.5 [ F x=3 ]", model=chain) is True
    assert answer(tmp_path, 'R{"fuel"}=? [ F x>1 ]', model=chain) == Fraction(19, 4)
    assert answer(tmp_path, 'R{"fuel"}=? [ F x=3 ]', model=chain) == inf
    with pytest.raises(ProblemError, match="Pmax is for models with choices, and a dtmc has none; write P"):
        answer(tmp_path, "Pmax=? [ F x=3 ]", model=chain)


def test_several_initial_states_need_a_filter(tmp_path: Path) -> None:
    text = """dtmc module m x : [0..3]; [] x=1 -> 1/4 : (x'=3) + 3/4 : (x'=0); [] x=2 -> (x'=3); endmodule
    init x=1 | x=2 endinit rewards x>0 : 1; endrewards"""
    for kind, expected in {"max": 1, "min": Fraction(1, 4), "avg": Fraction(5, 8)}.items():
        assert answer(tmp_path, f'filter({kind}, P=? [ F x=3 ], "init")', model=text, const="") == expected
    assert answer(tmp_path, "P>=1/4 [ F x=3 ]", model=text, const="") is True  # for all of them
    assert answer(tmp_path, "P>=1/2 [ F x=3 ]", model=text, const="") is False
    assert answer(tmp_path, 'filter(min, R=? [ F x=3 ], "init")', model=text, const="") == 1
    assert answer(tmp_path, 'filter(max, R=? [ F x=3 ], "init")', model=text, const="") == inf
    with pytest.raises(ProblemError, match=r"2 initial states; write filter\(max, ..., \"init\"\)"):
        answer(tmp_path, "P=? [ F x=3 ]", model=text, const="")
    with pytest.raises(ProblemError, match=r"the min over 2 initial states .* write filter\(max, ...\)"):
        answer(tmp_path, 'filter(min, Pmax=? [ F x=3 ], "init")', model=text.replace("dtmc", "mdp"), const="")


def test_steps_are_part_of_the_state(tmp_path: Path) -> None:
    (tmp_path / "some.nm").write_text(MDP)
    problem = PrismFileProblem(tmp_path / "some.nm", "N=3", property="Pmax=? [ F<=2 x=1 ]")
    start = problem.initial_state()
    assert problem.format_state(start) == "x=0 steps=0"
    assert problem.parse_state("x=1, steps=2") == (1, 2)
    with pytest.raises(ValueError, match="steps is a whole number from 0 to 2"):
        problem.parse_state("x=1 steps=3")


# Random models, by brute force: every strategy without memory, and every horizon step by step.

N = 5
_Chain = Sequence[Sequence[tuple[float, int]]]


def random_model(seed: int) -> tuple[str, list[list[tuple[list[tuple[Fraction, int]], int]]]]:
    """A model as text, and by state its actions: outcomes and reward; the last two states may be dead ends."""
    draw = random.Random(seed)
    actions: list[list[tuple[list[tuple[Fraction, int]], int]]] = []
    for state in range(N):
        own = []
        for _ in range(draw.choice((1, 2, 2, 3)) if state < N - 2 else draw.choice((0, 1))):
            after = draw.sample(range(N), draw.choice((1, 2, 3)))
            own.append(([(Fraction(1, len(after)), target) for target in after], draw.choice((0, 0, 1, 3))))
        actions.append(own)
    lines = ["mdp", "module m", f"x : [0..{N - 1}];"]
    rewards = []
    for state, own in enumerate(actions):
        for number, (outcomes, reward) in enumerate(own):
            targets = " + ".join(f"{chance} : (x'={target})" for chance, target in outcomes)
            lines.append(f"[a{number}] x={state} -> {targets};")
            rewards.append(f"[a{number}] x={state} : {reward};")
    return "\n".join([*lines, "endmodule", "rewards", *rewards, "endrewards"]), actions


def strategies(actions: Any) -> Iterator[Any]:
    """Every choice of an action for each state; a dead end stays where it is."""
    yield from product(*([*own] or [([(Fraction(1), state)], 0)] for state, own in enumerate(actions)))


def reach(chain: Any, goal: set[int], safe: set[int]) -> list[float]:
    """By state: the probability of coming to the goal along safe states."""
    able = set(goal)
    while more := {s for s in safe - able if any(t in able for _, t in chain[s][0])}:
        able |= more
    inner = sorted(able - goal)
    matrix, right = np.eye(len(inner)), np.zeros(len(inner))
    for place, state in enumerate(inner):
        for chance, target in chain[state][0]:
            if target in goal:
                right[place] += float(chance)
            elif target in able:
                matrix[place, inner.index(target)] -= float(chance)
    found = dict(zip(inner, np.linalg.solve(matrix, right), strict=True))
    return [1.0 if state in goal else float(found.get(state, 0)) for state in range(N)]


def rewards_until(chain: Any, goal: set[int]) -> float:
    """The expected reward from state 0 until the goal; infinite where that is not certain."""
    chances = reach(chain, goal, set(range(N)))
    sure = [state for state in range(N) if chances[state] > 1 - 1e-9 and state not in goal]
    if 0 in goal:
        return 0.0
    if 0 not in sure:
        return inf
    matrix, right = np.eye(len(sure)), np.array([float(chain[state][1]) for state in sure])
    for place, state in enumerate(sure):
        for chance, target in chain[state][0]:
            if target in sure:
                matrix[place, sure.index(target)] -= float(chance)
    return float(np.linalg.solve(matrix, right)[sure.index(0)])


def within(actions: Any, goal: set[int], safe: set[int], low: int, high: int, best: Callable[..., float]) -> float:
    """The probability of coming to the goal after `low` steps and within `high`, backwards."""
    values = [0.0] * N
    for steps in range(high, -1, -1):
        ahead = values
        values = []
        for state, own in enumerate(actions):
            options = [outcomes for outcomes, _ in own] or [[(1, state)]]
            if state in goal and steps >= low:
                values.append(1.0)
            elif state not in safe or steps == high:
                values.append(0.0)
            else:
                values.append(best(sum(float(p) * ahead[t] for p, t in outcomes) for outcomes in options))
    return values[0]


@pytest.mark.parametrize("many", [500, 0])  # components of more states are solved in floats first
@pytest.mark.parametrize("seed", range(20))
def test_random_models_by_brute_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, many: int) -> None:
    monkeypatch.setattr("beliefsearch.solvers.mdp.policy_iteration._MANY", many)
    model, actions = random_model(seed)
    everything = set(range(N))
    goal, safe = {N - 1}, everything - {N - 2}
    text = {frozenset(goal): f"x={N - 1}", frozenset(safe): f"x!={N - 2}"}
    is_goal, is_safe = text[frozenset(goal)], text[frozenset(safe)]
    chains = [*strategies(actions)]
    expected: dict[str, float] = {}
    for word, best in {"min": min, "max": max}.items():
        worst = min if word == "max" else max
        expected[f"P{word}=? [ F {is_goal} ]"] = best(reach(c, goal, everything)[0] for c in chains)
        expected[f"P{word}=? [ {is_safe} U {is_goal} ]"] = best(reach(c, goal, safe)[0] for c in chains)
        expected[f"P{word}=? [ G {is_safe} ]"] = 1 - worst(reach(c, {N - 2}, everything)[0] for c in chains)
        expected[f"P{word}=? [ {is_safe} W {is_goal} ]"] = 1 - worst(
            reach(c, {N - 2}, everything - goal)[0] for c in chains
        )
        expected[f"R{word}=? [ F {is_goal} ]"] = best(rewards_until(c, goal) for c in chains)
        expected[f"P{word}=? [ {is_safe} U<=3 {is_goal} ]"] = within(actions, goal, safe, 0, 3, best)
        expected[f"P{word}=? [ F[2,4] {is_goal} ]"] = within(actions, goal, everything, 2, 4, best)
        expected[f"P{word}=? [ X {is_goal} ]"] = within(actions, goal, everything, 1, 1, best)
    for asked, value in expected.items():
        assert float(answer(tmp_path, asked, model=model, const="")) == pytest.approx(value, abs=1e-9), asked


# Property files and commands.

FILE = """
// two questions with names, one without
const double p; const int k = 1+1;
label "end" = x=3 | "pit";
"first": Pmax=? [ F x=1 ]; // half
"second": P>=p [ F<=k "end" ];
"nested": Pmax=? [ F P>=1 [ X x=3 ] ];
Rmin=? [ F "goal" ]
"""


@pytest.fixture
def with_file(folder_of_model: Path) -> Path:
    (folder_of_model / "some.pctl").write_text(FILE)
    return folder_of_model


def test_a_property_file_is_answered_line_by_line(cli: Run, with_file: Path) -> None:
    words = ("run", "some.nm", "--const", "N=3", "--property-file", "some.pctl", "--quiet")
    code, out, _ = cli(*words, "--const", "p=0.5")
    assert code == 2  # one is refused
    lines = out.splitlines()
    assert lines[0] == "first   probability 1/2, about 0.5"
    assert lines[1] == "second  it does not hold; probability 0, as the graph of states shows"
    assert lines[2].startswith("nested  not asked: some.pctl, line 7, column 22: nested operators")
    assert lines[3] == '4       Rmin=? [ F "goal" ]: expected reward 7'
    code, out, _ = cli(*words, "--const", "p=0.5", "--format", "json")
    document = json.loads(out)
    assert [row["status"] for row in document["questions"]] == ["solved", "solved", "refused", "solved"]
    assert [row["answer"] for row in document["questions"]] == ["1/2", 0, None, 7]
    assert [row["holds"] for row in document["questions"]] == [None, False, None, None]
    code, out, _ = cli(*words, "--format", "csv")
    rows = [*csv.DictReader(out.splitlines())]
    assert [row["answer"] for row in rows] == ["1/2", "", "", "7"]
    assert "some.pctl, line 3, column 14: p has no value; give --const p=..." in rows[1]["reason"]


def test_what_is_printed_of_a_file_ends_at_a_limit(cli: Run, with_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be reached outside the search of a question."""

    def stop(asked: Any) -> Any:
        raise Stopped("the time limit of 1 s was reached while nothing was searched")

    monkeypatch.setattr("beliefsearch.cli.commands.run.solve_selected", stop)
    words = ("run", "some.nm", "--const", "N=3,p=0.5", "--property-file", "some.pctl", "--quiet")
    code, out, _ = cli(*words, "--format", "json")
    rows = json.loads(out)["questions"]
    assert [row["status"] for row in rows] == ["undecided", "undecided", "refused", "undecided"]
    assert rows[0]["reason"] == "the time limit of 1 s was reached while nothing was searched"
    code, out, _ = cli(*words)
    assert code == 2  # one is refused
    assert out.splitlines()[3].startswith("4       undecided, the time limit of 1 s was reached")


def test_one_of_a_file(cli: Run, with_file: Path) -> None:
    words = ("run", "some.nm", "--const", "N=3", "--property-file", "some.pctl", "--quiet")
    assert "probability 1/2" in stdout(cli(*words, "--property", "first"))
    assert "probability 7/20" not in stdout(cli(*words, "--property", 'Pmax=? [ F<=k "end" ]'))
    code, _, err = cli(*words, "--property", "first_")
    assert (code, "did you mean 'first'?" in err) == (2, True)
    code, _, err = cli(*words, "--property", "7")
    assert (code, "has no property of that name; it has first, second, nested, 4" in err) == (2, True)
    code, _, err = cli(*words, "--output", "plan.json")
    assert (code, "--output is about one question, and the file holds 4" in err) == (2, True)
    assert "choose one by --property NAME" in err
    Path("one.pctl").write_text("Pmax=? [ F x=1 ]")
    asked = ("some.nm", "--const", "N=3", "--property-file", "one.pctl")
    assert "probability 1/2" in stdout(cli("run", *asked, "--quiet", "--output", "plan.json"))
    assert "the policy holds" in stdout(cli("verify", "plan.json"))
    assert_one_line(cli("sweep", *asked), "say which option varies", "some.nm has --const NAME=1..12, ")
    code, _, err = cli("show", *words[1:])
    assert (code, "has the properties first, second, nested, 4; choose one by --property NAME" in err) == (2, True)


def test_saved_plans_say_the_property_and_are_verified(cli: Run, folder_of_model: Path) -> None:
    def run(asked: str) -> dict[str, Any]:
        stdout(cli("run", "some.nm", "--const", "N=3", "--property", asked, "--output", "plan.json", "--quiet"))
        document: dict[str, Any] = json.loads((folder_of_model / "plan.json").read_text())
        return document

    document = run("Pmin=? [ F x=2 ]")
    assert (document["question"], document["answer"]) == ("Pmin=? [ F x=2 ]", 0)
    document = run("P<=0.5 [ F x=1 ]")
    assert (document["answer"], document["holds"]) == ("1/2", True)
    said = stdout(cli("verify", "plan.json"))
    assert "the policy holds: the game has the probability 1/2, about 0.5, exactly" in said
    assert "P<=0.5 [ F x=1 ] holds" in said
    for name, lie in {"holds": False, "answer": 1, "question": "P<=1 [ F x=1 ]"}.items():
        (folder_of_model / "lie.json").write_text(json.dumps({**document, name: lie}))
        code, out, _ = cli("verify", "lie.json")
        assert (code, f"the file does not hold: its {name} is" in out) == (1, True)
    document = run('R{"fuel"}min=? [ F x=2 ]')
    assert (document["answer"], document["value"]) == ("infinite", None)
    assert "the answer holds: it is infinite, since from x=0 on no strategy" in stdout(cli("verify", "plan.json"))
    (folder_of_model / "lie.json").write_text(
        json.dumps({**document, "parameters": {**document["parameters"], "property": 'R{"fuel"}min=? [ F x=3 ]'}})
    )
    code, out, _ = cli("verify", "lie.json")
    assert (code, "the graph of states does not tell" in out) == (1, True)


@pytest.mark.parametrize("command", ["show", "simulate", "explain"])
def test_an_infinite_answer_has_no_policy(cli: Run, folder_of_model: Path, command: str) -> None:
    code, out, _ = cli(command, "some.nm", "--const", "N=3", "--property", 'R{"fuel"}min=? [ F x=2 ]', "--quiet")
    assert (code, "expected reward infinite" in out) == (0, True)


def test_other_options_do_not_go_with_a_property(cli: Run, folder_of_model: Path) -> None:
    code, _, err = cli("run", "some.nm", "--const", "N=3", "--property", "Pmax=? [ F x=3 ]", "--costs", "fuel")
    assert (code, "a property says what is asked; leave --costs out" in err) == (2, True)


def test_pomdps_get_bounds(cli: Run, folder: Path) -> None:
    (folder / "some.nm").write_text(PRISM)
    said = stdout(cli("run", "some.nm", "--property", 'Pmax=? [ F<=3 "goal" ]', "--quiet"))
    assert "probability at least 0.9 and" in said
    assert "it holds; probability" in stdout(cli("run", "some.nm", "--property", 'P<=0.95 [ F<=3 "goal" ]', "--quiet"))


def test_what_is_told_of_a_probability_is_no_cost(cli: Run, folder: Path) -> None:
    (folder / "stay.nm").write_text(STAYS)
    for asked, limit, better in (("Pmax=? [ G x=0 ]", "at least 1", "more"), ("Pmin=? [ G x=0 ]", "at most 0", "less")):
        words = ("stay.nm", "--property", asked, "--quiet")
        stdout(cli("run", *words, "--certificate", "plan.json"))
        said = stdout(cli("verify", "plan.json"))
        assert f"the probability is {limit}\n" in said
        assert f"no policy makes the probability {better} than {limit[-1]};" in said
        document = json.loads(stdout(cli("simulate", *words, "--games", "20", "--format", "json")))
        assert [0.0 <= end <= 1.0 for end in document["interval"]] == [True, True]
        assert document["mean"] == document["value"] == int(limit[-1])
        assert "The probability after each action" in stdout(cli("explain", *words))


def test_a_strategy_that_keeps_from_something_is_shown(cli: Run, folder: Path) -> None:
    (folder / "stay.nm").write_text(STAYS.replace("pomdp observables x endobservables", "mdp"))
    words = ("stay.nm", "--property", "Pmin=? [ F x=1 ]")
    sure = "It is sure from the start, x=0, by stay and so on"
    assert stdout(cli("show", *words)) == f"{sure}: outcome 0\n  x=0: stay\n"
    assert f"{sure}." in stdout(cli("run", *words))
    assert f"{sure}." in stdout(cli("explain", *words))
    assert stdout(cli("play", *words)).startswith("stay.nm --property 'Pmin=? [ F x=1 ]'\n")


def test_a_wrong_property_file_is_told_in_one_line(cli: Run, folder_of_model: Path) -> None:
    words = ("run", "some.nm", "--const", "N=3", "--property-file")
    assert_one_line(cli(*words, "some.nm"), "none of the ", "the first: some.nm, line 1, column 1: a property, such as")
    Path("none.pctl").write_text("const int k = 1;")
    assert_one_line(cli(*words, "none.pctl"), "none.pctl has no property; write one there")
    Path("other.pctl").write_text("Pmax=? [ F y=1 ]")
    assert_one_line(cli(*words, "other.pctl"), "error: other.pctl, line 1, column 12: nothing is called 'y'")


def published() -> Iterator[Any]:
    rows: list[Mapping[str, Any]] = json.loads(_PUBLISHED.read_text()) if _PUBLISHED.is_file() else []
    for row in rows:
        marks = [] if row["states"] <= _FEW else [pytest.mark.thorough]
        name = f"{row['model']}-{row['const']}-{row['property_file']}"
        yield pytest.param(row, marks=marks, id=name)


@pytest.mark.skipif(not _PUBLISHED.is_file(), reason="the models are not there")
@pytest.mark.parametrize("row", [*published()])
def test_published_answers(row: Mapping[str, Any]) -> None:
    model = FOLDER / row["model"]
    problem = PrismFileProblem(model, row["const"], property_file=model.parent / row["property_file"])
    result, question = solve(problem), problem.question()
    assert question is not None
    assert result.value is not None
    told: Any = -result.value if problem.minimizes_cost() else result.value
    if isinstance(row["value"], bool):
        assert question.holds(told, told) is row["value"]
    elif row["exact"]:
        assert told == Fraction(row["value"])
    else:
        assert float(told) == pytest.approx(row["value"], rel=1e-6)


STAYS = """pomdp observables x endobservables
module m x:[0..1]; [go] x=0 -> (x'=1); [stay] x=0 -> true; endmodule
label "goal" = x=1; rewards [go] true : 2; endrewards"""


def test_strategies_that_go_on_for_ever_count(tmp_path: Path) -> None:
    def answered(asked: str) -> Any:
        problem = PrismFileProblem(tmp_path / "stay.nm", property=asked)
        result: Any = solve(problem)
        fields = question_fields(problem, *result.bounds)
        return fields.get("holds", fields["answer"])

    (tmp_path / "stay.nm").write_text(STAYS)
    assert [answered(f"P{best}=? [ F x=1 ]") for best in ("min", "max")] == [0, 1]
    assert [answered(f"P{best}=? [ G x=0 ]") for best in ("min", "max")] == [0, 1]
    assert [answered(f"P{best}=? [ x=0 W x=1 ]") for best in ("min", "max")] == [1, 1]
    assert [answered(f"R{best}=? [ F x=1 ]") for best in ("min", "max")] == [2, "infinite"]
    assert [answered(f"P{asked}") for asked in ("<=0.5 [ G x=0 ]", ">=0.5 [ F x=1 ]")] == [False, False]
    assert [answered(f"Pmax{asked}") for asked in (">=1 [ G x=0 ]", ">=1 [ F x=1 ]")] == [True, True]
    assert answered('Pmin=? [ F<=3 "goal" ]') == 0
    with pytest.raises(BeliefSearchError, match="a horizon makes another game of it"):
        solve(PrismFileProblem(tmp_path / "stay.nm", property='Pmax=? [ F "goal" ]'), horizon=3)


def test_a_sweep_over_constants_tells_probabilities(cli: Run, folder_of_model: Path) -> None:
    asked = ("--property", "Pmax=? [ F x=min(N,3,min(N,3)) ]")
    two = stdout(cli("sweep", "some.nm", "--const", "N=3:2:5", *asked))
    assert [line.split()[:4] for line in two.splitlines()[1:]] == [
        [f"N={n}", "solved", "probability", "1"] for n in (3, 5)
    ]
    listed = stdout(cli("sweep", "some.nm", "--const", "N=3,4", "--property", "Pmin=? [ F x=2 ]", "--format", "csv"))
    assert [row["value"] for row in csv.DictReader(listed.splitlines())] == ["0", "0"]
    document = json.loads(stdout(cli("sweep", "some.nm", "--const", "N=3..4", *asked, "--format", "json")))
    assert [row["answer"] for row in document["rows"]] == [1, 1]
    code, _, err = cli("sweep", "some.nm", "--const", "N=5:0:6", *asked)
    assert (code, "the step of 'N=5:0:6' is not above 0" in err) == (2, True)
    chance = ("--property", "Pmin=? [ F x=2 | x=3 ]")
    games = stdout(cli("simulate", "some.nm", "--const", "N=3", *chance, "--games", "20"))
    assert "cost" not in games
    assert "outcome  games" in games


def test_a_file_that_is_not_there_is_told_in_few_words(cli: Run, folder: Path) -> None:
    code, _, err = cli("run", "nothing.nm")
    assert (code, err) == (2, "beliefsearch: error: cannot read 'nothing.nm': No such file or directory\n")


# Whether it is left or right is not seen, and after each step the game may be over.
LEFT_RIGHT = """pomdp observables seen endobservables
module m
  s : [0..3]; seen : [0..1];
  [l] s=0 -> 0.5:(s'=1) + 0.5:(s'=2); [r] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
  [l] s=1 -> 0.9:(s'=2) + 0.1:(s'=3); [r] s=1 -> 0.7:(s'=3) + 0.3:(s'=1);
  [l] s=2 -> 0.7:(s'=3) + 0.3:(s'=2); [r] s=2 -> 0.8:(s'=1) + 0.2:(s'=3);
  [l] s=3 -> true; [r] s=3 -> true;
endmodule
rewards "t" true : 1; endrewards"""


def test_the_most_that_can_be_earned_without_seeing_the_state(tmp_path: Path) -> None:
    def ask(model: str) -> Any:
        (tmp_path / "sides.nm").write_text(model)
        problem = PrismFileProblem(tmp_path / "sides.nm", property='R{"t"}max=? [ F s=3 ]')
        result: Any = solve(problem, precision=1e-6)
        return question_fields(problem, *result.bounds)["answer"] or result.bounds

    def earned(left: float, right: float, more: int, actions: int = 15) -> float:
        """The most within so many actions, if what is left then goes on for so many `more`."""
        if not actions:
            return more * (left + right)
        by_l, by_r = (0.0, 0.9 * left + 0.3 * right), (0.3 * left + 0.8 * right, 0.0)
        return left + right + max(earned(*after, more, actions - 1) for after in (by_l, by_r))

    lower, upper = ask(LEFT_RIGHT)
    assert 1 + earned(0.5, 0.5, 0) <= upper
    assert lower <= 1 + earned(0.5, 0.5, 10)  # as no action ends the game with less than a tenth
    assert upper - lower < 1e-4
    seen = LEFT_RIGHT.replace("0.9:(s'=2) + 0.1:(s'=3)", "(s'=2)").replace("0.8:(s'=1) + 0.2:(s'=3)", "(s'=1)")
    assert ask(seen) == "infinite"  # by l and r in turns, from the one of the two in which it is by chance
    shuffled = seen.replace("[l] s=1 -> (s'=2)", "[l] s=1 -> 0.5:(s'=1) + 0.5:(s'=2)")
    shuffled = shuffled.replace("[r] s=2 -> (s'=1)", "[r] s=2 -> 0.5:(s'=1) + 0.5:(s'=2)")
    with pytest.raises(ProblemError, match="whoever saw the states could keep from the goal, from s=0 seen=0 on"):
        ask(shuffled)
