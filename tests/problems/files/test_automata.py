"""Automata, Moore machines and machines with probabilities in files of Graphviz, made complete and minimal, too."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from beliefsearch import ProblemError, check_problem, solve
from beliefsearch.cli import main
from beliefsearch.errors import DataWarning
from beliefsearch_problems._mealy.minimal import completed, merged
from beliefsearch_problems._mealy.reader import Automaton, Machine, read_automaton, read_machine
from beliefsearch_problems._source import Source
from beliefsearch_problems.files.mealy import MealyFileProblem
from beliefsearch_problems.files.prism import PrismFileProblem

from ...examples import examples

FOLDER = Path(__file__).parents[4] / "shared" / "benchmarks" / "machines"
FILES = sorted(FOLDER.glob("*.dot"))

# Cerny's automaton of four states, whose shortest reset word has 9 letters; one state is accepting.
CERNY = """digraph { start -> q0; q0 [shape=doublecircle];
    q0 -> q1 [label=b] q1 -> q2 [label=b] q2 -> q3 [label=b] q3 -> q0 [label=b]
    q0 -> q1 [label=a] q1 -> q1 [label=a] q2 -> q2 [label=a] q3 -> q3 [label=a] }"""
# A car on ice: from s0 `go` slips, and `walk` takes long.
MDP = """digraph { s0 [label=home]; s1 [label=ditch]; s2 [label="work__warm"]; __start0 -> s0 [label=""];
    s0 -> s1 [label="go:0.25"]; s0 -> s2 [label="go:.75"]; s0 -> s0 [label="walk:0.5"]; s0 -> s2 [label="walk:0.5"];
    s1 -> s1 [label="go:1.0"]; s1 -> s0 [label="walk:1e-01"]; s1 -> s1 [label="walk:0.9"];
    s2 -> s2 [label="go:1.0"]; s2 -> s2 [label="walk:1.0"]; }"""


def automaton(text: str) -> Automaton:
    return read_automaton(Source(Path("some.dot"), text))


def machine(text: str) -> Machine:
    return read_machine(Source(Path("some.dot"), text))


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "some.dot"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('digraph { a [label="{ a | 0 }"]; b [label="{b|x|y}" shape=circle]; a -> b -> a [label=i] }', ["0", "x|y"]),
        ('digraph { node [shape=Mrecord]; a [label="a|0"]; b [label="b|1"]; a -> b -> a [label=i] }', ["0", "1"]),
        ("digraph { a -> b -> a [label=i]; b [peripheries=2] }", ["rejected", "accepted"]),
        # As AutomataLib draws Moore machines.
        ('digraph { a [shape=circle label="0 / 0"]; b [shape=circle label="1 / "]; a -> b -> a [label=i] }', ["0", ""]),
        # As the manual of Graphviz draws them: shapes of the nodes that are named next.
        ("digraph { node [shape=doublecircle]; b; node [shape=box]; a -> b -> a [label=i] }", ["rejected", "accepted"]),
        ("digraph { { node [shape=doublecircle]; a } a -> b -> a [label=i]; }", ["accepted", "rejected"]),
    ],
)  # fmt: skip
def test_outputs_at_states_are_seen_on_arriving(text: str, shown: list[str]) -> None:
    assert machine(text) == {"a": {"i": (("b", shown[1]),)}, "b": {"i": (("a", shown[0]),)}}


def test_labels_of_states_are_outputs_only_if_some_are_alike() -> None:
    edges = "a -> b -> c -> a [label=i]"
    assert automaton(f"digraph {{ a [label=x] b [label=y] c [label=x] {edges} }}").shown == {
        "a": "x",
        "b": "y",
        "c": "x",
    }
    assert automaton(f"digraph {{ a [label=x] b [label=y] c [label=z] {edges} }}").shown == {}
    assert automaton(f"digraph {{ {edges} }}").shown == {}


def test_a_reset_word_of_an_automaton(tmp_path: Path) -> None:
    path = written(tmp_path, CERNY)
    assert solve(MealyFileProblem(path, find="synchronizing")).cost == 9
    assert solve(MealyFileProblem(path, find="distinguishing", preset=True)).cost == 3


def test_probabilities_are_looked_at_by_one_reader_and_not_by_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, MDP)
    with pytest.raises(SystemExit) as ended:
        main(["run", str(path), "--find", "homing"])
    assert ended.value.code == 0
    assert "probabilities are not looked at" in capsys.readouterr().err
    words = ["run", "prism", "--file", str(path), "--property", 'Pmax=? [ F<=1 "work" ]']
    with pytest.raises(SystemExit) as ended:
        main([*words, "--output", str(tmp_path / "plan.json")])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "probability 3/4" in out
    assert "state=s0 output=home steps=0: go" in out
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(tmp_path / "plan.json")])
    assert ended.value.code == 0


def test_an_arrow_and_labels_make_a_model(tmp_path: Path) -> None:
    problem = PrismFileProblem(written(tmp_path, MDP), goal_label="work", costs="steps")
    assert solve(problem).value == -2  # by walking
    state = problem.initial_state()
    assert problem.format_state(state) == "state=s0 output=home"
    assert problem.parse_state("state=s0 output=home") == state
    with pytest.raises(ValueError, match="nothing that output may be is called 'hom'"):
        problem.parse_state("state=s0 output=hom")
    assert dict(problem.outcomes(state, "go")).keys() == {Fraction(1, 4), Fraction(3, 4)}
    assert check_problem(problem).passed


def test_states_are_seen_if_outputs_tell_them(tmp_path: Path) -> None:
    hidden = """digraph { __start0 -> a; a -> b [label="x/m:0.5"]; a -> c [label="x/m:0.5"]; b -> d [label="x/won:1"];
        b -> a [label="y/m:1"]; c -> d [label="y/won:1"]; c -> a [label="x/m:1"]; d -> d [label="x/m:1"]; }"""
    path = written(tmp_path, hidden)
    problem = PrismFileProblem(path, property='Pmax=? [ F<=2 "won" ]')
    assert not problem.sees_state()
    assert solve(problem).value == Fraction(1, 2)
    path = written(tmp_path, hidden.replace("x/m:0.5", "x/first:0.5", 1))
    assert solve(PrismFileProblem(path, property='Pmax=? [ F<=2 "won" ]')).value == 1


def test_a_chain_has_no_inputs(tmp_path: Path) -> None:
    chain = """digraph { a [label=h] b [label=t]; __start0 -> a;
        a -> a [label=0.75]; a -> b [label="0.25"]; b -> b [label=1.0]; }"""
    path = written(tmp_path, chain)
    assert solve(PrismFileProblem(path, property='P=? [ F<=2 "t" ]')).value == Fraction(7, 16)
    with pytest.warns(DataWarning, match="probabilities are not looked at"):
        assert [*MealyFileProblem(path).machine["a"]] == ["step"]


@st.composite
def chances(draw: st.DrawFn) -> dict[str, dict[str, dict[tuple[str, str], Fraction]]]:
    states = "pqr"
    told = st.tuples(st.sampled_from(states), st.sampled_from("no"))
    outcomes = st.dictionaries(told, st.integers(1, 9), min_size=1, max_size=3)
    rows = st.fixed_dictionaries({"x": outcomes}, optional={"y": outcomes})
    drawn = {state: draw(rows) for state in states}
    return {
        state: {
            given_: {told: Fraction(n, sum(ways.values())) for told, n in ways.items()} for given_, ways in row.items()
        }
        for state, row in drawn.items()
    }


@given(rows=chances(), steps=st.integers(1, 4))
@settings(max_examples=examples(10))
def test_values_are_those_of_the_definition(tmp_path_factory: pytest.TempPathFactory, rows: Any, steps: int) -> None:
    """The best player who sees outputs and knows the start, by recursion on the probabilities of states."""

    def best(weights: dict[str, Fraction], left: int) -> Fraction:
        inputs = set.intersection(*(set(rows[state]) for state in weights))
        if not left:
            return Fraction(0)
        values = [Fraction(0)]
        for put in inputs:
            after: dict[str, dict[str, Fraction]] = {"n": {}, "o": {}}
            for state, weight in weights.items():
                for (head, output), chance in rows[state][put].items():
                    after[output][head] = after[output].get(head, Fraction(0)) + weight * chance
            going_on = best(after["n"], left - 1) if after["n"] else Fraction(0)
            values.append(sum(after["o"].values(), going_on))
        return max(values)

    edges = [
        f'{tail} -> {head} [label="{put}/{output}:{float(chance)!r}"];'
        for tail, row in rows.items()
        for put, ways in row.items()
        for (head, output), chance in ways.items()
    ]
    path = written(tmp_path_factory.mktemp("chances"), "\n".join(("digraph { __start0 -> p;", *edges, "}")))
    assume(automaton(path.read_text()).has_chances)
    assume(any(output == "o" for row in rows.values() for ways in row.values() for _, output in ways))
    problem = PrismFileProblem(path, property=f'Pmax=? [ F<={steps} "o" ]')
    result = solve(problem)
    assert float(result.value) == pytest.approx(float(best({"p": Fraction(1)}, steps)), abs=1e-9)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (MDP.replace("__start0 -> s0", "__start0 -> s7"), "no arrow, such as `__start0 -> s0`, says which state"),
        (MDP.replace("go:.75", "go:.5"), "column 21: the probabilities of 'go' in 's0' sum to 0.75, not 1"),
        ("digraph { __start0 -> a; a -> a -> b [label=x] }", "what follows 'x' in 'a' has no probabilities, such as"),
    ],
)  # fmt: skip
def test_models_that_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ProblemError) as raised:
        PrismFileProblem(written(tmp_path, text))
    assert complaint in str(raised.value)


def test_outputs_that_look_like_probabilities_are_outputs() -> None:
    assert machine('digraph { a -> b [label="x/t:0.5"]; b -> a [label="x/t:1"] }')["a"]["x"] == (("b", "t:0.5"),)
    assert machine("digraph { a -> b [label=0]; a -> a [label=1]; b [shape=doublecircle] }")["a"].keys() == {"0", "1"}
    assert machine('digraph { a -> b [label="x/0"]; a -> a [label="x/1"] }')["a"]["x"] == (("b", "0"), ("a", "1"))


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    states = "pqrs"[: draw(st.integers(1, 4))]
    answers = st.lists(st.tuples(st.sampled_from(states), st.sampled_from("01")), min_size=1, max_size=2, unique=True)
    row = st.fixed_dictionaries({"x": answers}, optional={"y": answers})
    return {state: draw(row) for state in states}


@given(table=machines())
@settings(max_examples=examples(20))
def test_states_that_do_the_same_are_merged(table: Machine) -> None:
    """States are told apart by table filling: some input is missing, or some outcome has none like it."""
    apart: set[tuple[str, str]] = set()

    def differ(left: str, right: str) -> bool:
        return table[left].keys() != table[right].keys() or any(
            all(said != output or (after, other) in apart for other, output in table[right][put])
            for put in table[left]
            for after, said in table[left][put]
        )

    for _ in range(len(table) ** 2):
        apart.update([(a, b) for a, b in product(table, table) if differ(a, b) or differ(b, a)])
    kept, same = merged(table)
    assert {*kept} | {*same} == {*table}
    assert all((state, one) not in apart for state, one in same.items())
    assert all((left, right) in apart for left, right in product(kept, kept) if left != right)
    assert merged(kept) == (kept, {})
    full = completed(table)
    assert all(full[state][put] == table[state].get(put, ((state, ""),)) for state, put in product(table, full["p"]))


def test_what_was_merged_and_completed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = 'digraph { a -> b [label="x/0"]; b -> a [label="x/0"]; c -> a [label="x/1"]; c -> c [label="y/2"] }'
    path = written(tmp_path, text)
    alike = "some.dot: state 'b' does what 'a' does"
    with pytest.warns(DataWarning, match=f"{alike}; nothing tells them apart, and --merge counts them as one"):
        assert solve(MealyFileProblem(path)).cost == math.inf
    for words in (("--merge",), ("--merge", "--complete")):
        with pytest.raises(SystemExit) as ended:
            main(["run", str(path), "--find", "distinguishing", *words])
        assert ended.value.code == 0
        assert f"{alike}; 2 of 3 are left" in capsys.readouterr().err
    with pytest.raises(ValueError, match="state 'a' has no input 'y'"), pytest.warns(DataWarning):
        MealyFileProblem(path, find="separating")
    assert solve(MealyFileProblem(path, find="synchronizing", complete=True)).cost == math.inf


@pytest.mark.skipif(not FILES, reason="there is no folder of machines")
@pytest.mark.filterwarnings("ignore::beliefsearch.errors.DataWarning")
def test_all_files_of_the_field_are_read() -> None:
    refused = [path.name for path in FILES if path.name != "arithmetics.dot" and not MealyFileProblem(path).machine]
    assert refused == []
    for path in (*FOLDER.glob("*.kiss"), *FOLDER.glob("*.kiss2")):
        assert len(MealyFileProblem(path).machine) > 1


@pytest.mark.skipif(not FILES, reason="there is no folder of machines")
@pytest.mark.parametrize("version", ["097e", "098m", "098s", "098u", "100", "101k", "102", "110pre1"])
def test_a_list_of_lines_and_its_graph_are_one_machine(version: str) -> None:
    graph, lines = (MealyFileProblem(FOLDER / f"server_{version}.dot{ending}") for ending in ("", ".kiss"))

    def shape(table: Machine, first: str) -> list[list[tuple[str, int, str]]]:
        """Follow the inputs in order from the first state: states are called by when they are found."""
        found = [first]
        rows = []
        for state in found:  # grows while it is walked
            row = []
            for put in sorted(table[state]):
                ((after, output),) = table[state][put]
                if after not in found:
                    found.append(after)
                row.append((put, found.index(after), output))
            rows.append(row)
        return rows

    assert shape(graph.machine, "s0") == shape(lines.machine, "0")


# Questions of AALpy's evaluations, with the answers of PRISM that its authors publish (`get_correct_prop_values`).
BY_PRISM = {
    "first_grid": {
        'F<12 "goal"': 0.96217534,
        '!"grass" U<=14 "goal"': 0.64992749568,
        '!"sand" U<=16 "goal"': 0.691176574688,
    },
    "second_grid": {
        'F<15 "goal"': 0.93480795088125,
        'F<13 "goal"': 0.67119477,
        '!"mud" U<=18 "goal"': 0.9742903305241055,
        '!"sand" U<=20 "goal"': 0.14244219329051103,
    },
    "shared_coin": {
        'F ("finished" & "c1_heads" & "c2_tails")': 0.10694382182657244,
        'F ("finished" & "c1_tails" & "c2_tails")': 0.5555528623795738,
        '!"five" U "finished"': 0.3333324384052837,
        '!"four" U "finished"': 0.42857002816478273,
        'F<40 ("finished" & "c1_heads" & "c2_tails")': 0.001708984375,
        'F<40 ("finished" & "c1_tails" & "c2_tails")': 0.266845703125,
        '!"five" U<40 "finished"': 0.244384765625,
        '!"four" U<40 "finished"': 0.263427734375,
    },
    "slot_machine": {'F "Pr10"': 0.36380049887344645, 'F "Pr2"': 0.6445910164135946, 'F "Pr0"': 1, 'G<10 !"end"': 0.25},
    "mqtt": {
        'F<5 "c2_Pub_c2_my_topic_bye"': 0.9612,
        'F<5 "c1_crash"': 0.3439,
        'F<11 "c1_crash"': 0.6513215599,
        'F<17 "c1_crash"': 0.814697981114816,
        '!"c2_crash" U<12 "c2_Pub_c2_my_topic_messageQos1"': 0.729,
    },
    "tcp": {
        'F<5 "crash"': 0.19,
        'F<11 "crash"': 0.56953279,
        'F<17 "crash"': 0.77123207545039,
        'F<23 "crash"': 0.8784233454094308,
    },
    "bluetooth": {
        'F<5 "crash"': 0.168,
        'F<11 "crash"': 0.5572338,
        'F<20 "crash"': 0.8284632739463244,
        'F<3 "no_response"': 0.36,
        'F<11 "no_response"': 0.8926258176,
        'F<20 "no_response"': 0.9855884811924145,
    },
}


@pytest.mark.skipif(not FILES, reason="there is no folder of machines")
@pytest.mark.parametrize("name", BY_PRISM)
@pytest.mark.few(3)
def test_questions_about_learned_machines_have_the_answers_of_prism(name: str) -> None:
    for path, expected in BY_PRISM[name].items():
        problem = PrismFileProblem(FOLDER / f"{name}.dot", property=f"Pmax=? [ {path} ]")
        # By iteration, which PRISM stops when little changes, where there is no bound on the steps.
        assert float(solve(problem).value) == pytest.approx(expected, abs=1e-12 if "<" in path else 5e-6), path
