"""Mealy machines in files of Graphviz: what is read, what is refused and where, and names of every sort."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import ProblemError, check_problem, solve
from beliefsearch.cli import main
from beliefsearch_problems._mealy.machine import MachineProblem
from beliefsearch_problems._mealy.reader import Machine, read_machine
from beliefsearch_problems._source import Source
from beliefsearch_problems.files.mealy import MealyFileProblem

from ...answers import assert_one_line
from ...conftest import Run
from ...examples import examples

COFFEE: Machine = {
    "off": {"coin": (("on", "beep"),), "push": (("off", ""),)},
    "on": {"coin": (("on", ""),), "push": (("off", "coffee"), ("on", "fail"))},
}


def machine(text: str) -> Machine:
    return read_machine(Source(Path("some.dot"), text))


def edge(label: str) -> Machine:
    return machine(f"digraph {{ a -> b [label={label}] }}")


@pytest.mark.parametrize(
    "text",
    [
        """digraph coffee { off -> on [label="coin/beep"]; off -> off [label="push/"]
           on -> on [label=" coin / "]; on -> off [label="push/coffee"]; on -> on [label="push/fail"] }""",
        # Lists of attributes, comments, numbers and strings in pieces; who shows what is passed over.
        """# made by nobody
           DiGraph "coffee" { graph [rankdir=LR, size="1,1"]; node [shape=circle label="/x"] label = "a / b";
           __start0 [label="" shape=none]; __start0 -> off; /* -> */ anybody -> off [label=""] // arrows
           "off":n -> on:s:w [color="red", label="coin/" + "beep"; weight=-1.5][penwidth=.5,];
           off -> "off" [xlabel="a/b", label="push\\
/"] on -> on [label="coin/"] on -> off[label="push/coffee"];;
           on -> on [label="no/", label=<push<br/>/<!-- > --> <b>fail</b>>] }""",
        # A label for all edges that say none, within brackets.
        """digraph { subgraph cluster_0 { edge [label="push/"]; off -> off } off -> on [label="coin/beep"]
           subgraph { { edge [label="coin/"] on -> on } EDGE [label="push/fail"] on -> on }
           on -> off [label="push/coffee"] }""",
    ],
)
def test_what_is_read(text: str) -> None:
    found = machine(text)
    assert {state: {put: set(found[state][put]) for put in found[state]} for state in found} == {
        state: {put: set(COFFEE[state][put]) for put in COFFEE[state]} for state in COFFEE
    }


@pytest.mark.parametrize(
    ("label", "given", "output"),
    [
        ('"a/b/c"', "a", "b/c"),
        ('" press  it \\n / \\l it said \\"no\\" "', "press it", 'it said "no"'),
        (r'"\\n/\x"', r"\n", r"\x"),
        ("<a &amp; b/<i>&lt;c&gt;</i>d>", "a & b", "<c> d"),
        ("<x <font color='/'>/</font> y<BR ALIGN='LEFT'/>z>", "x", "y z"),
        ("<x<br/>y>", "x", "y"),
        ("< <b>x\nx</b><br />y / z<br/>>", "x x", "y / z"),
        ("<x<br/>/ y>", "x", "y"),
        ("<x\n2<br/>or so<br/>/y>", "x 2 or so", "y"),
        ('"é/ж"', "é", "ж"),
    ],
)
def test_labels(label: str, given: str, output: str) -> None:
    assert edge(label) == {"a": {given: (("b", output),)}, "b": {}}


def test_inputs_of_one_line_of_html_are_so_many_transitions() -> None:
    text = "digraph { a -> b [label=<x | y z|w<br />Alert (fatal) / closed>]; a -> a [label=<v<br/>ok>]; }"
    row = dict.fromkeys(("x", "y z", "w"), (("b", "Alert (fatal) / closed"),))
    assert machine(text) == {"a": {**row, "v": (("a", "ok"),)}, "b": {}}


def test_only_the_arrow_to_the_initial_state_is_left_out() -> None:
    text = 'digraph { __start -> a [label="x/0"]; __start1 -> a [label=x]; "" -> a; __starter -> a [label="x/0"] }'
    assert machine(text) == {"__starter": {"x": (("a", "0"),)}, "a": {}}


def test_a_chain_has_its_label_on_each_edge() -> None:
    assert machine('digraph { a -> b -> 1.5 [label="x/0"] }') == {
        "a": {"x": (("b", "0"),)},
        "b": {"x": (("1.5", "0"),)},
        "1.5": {},
    }


@pytest.mark.parametrize(
    ("text", "place", "complaint"),
    [
        ("", "1, column 1", "the word digraph should come here, not the end of the file"),
        ("\n graph { a -- b }", "2, column 2", "the graph has no directions; a machine is a digraph"),
        ("digraph { a -- b }", "1, column 13", "the edge has no direction; write -> in a digraph"),
        (
            'digraph {\n a -> b [label="x"]; a -> b [label="y/0"] }',
            "2, column 16",
            "the label 'x' has no slash, and others have one; a machine has labels input/output",
        ),
        (
            'digraph { a -> b [label="y/0"]; a -> b [label=<x<br/>y<br/>z>] }',
            "1, column 47",
            "the label 'x y z' has no slash, and others",
        ),
        ('digraph { a -> b [label="( / push(x)"]; }', "1, column 25", "'( / push(x)' is of an automaton with a stack"),
        ('digraph { a [label="\x1b"]; a -> b [label=x] }', "1, column 20", r"'\x1b' is no name: it cannot be printed"),
        ("digraph { a -> b [label=<x| <br/>y>] }", "1, column 25", "the label '/y' has no input before the slash"),
        ('digraph { a -> b [label=" /y"] }', "1, column 25", "the label '/y' has no input before the slash"),
        (
            r'digraph { a -> b [label="x/0\ny/1"] }',
            "1, column 25",
            "several transitions from 'x' on stand in one label",
        ),
        ('digraph { edge [label="x/0"]; a -> {b c} }', "1, column 36", "edges from or to a subgraph are not read"),
        ("digraph { a -> subgraph s {b} }", "1, column 16", "edges from or to a subgraph are not read"),
        ("digraph { {a} -> b }", "1, column 15", "edges from or to a subgraph are not read"),
        ("digraph { subgraph s; }", "1, column 20", "the subgraph 's' is referred to, which is not read"),
        ('digraph { a -> b [label="x/0"]; b -> a }', "1, column 33", "this edge has no label, though 'b' is a state"),
        (
            'strict digraph { a -> b [label="x/0"]; a -> b [label="y/0"] }',
            "1, column 40",
            "a strict graph has one edge from 'a' to 'b', and this is another",
        ),
        ("digraph { node -> b }", "1, column 16", "the name of a state should come here, not '->'"),
        ("digraph { a -> edge }", "1, column 16", "not 'edge', a word of the language; write it between quotation"),
        ("digraph { <a> -> b }", "1, column 11", "the name of a state should come here, not 'a'"),
        ("digraph { a -> b [=] }", "1, column 19", "the name of an attribute should come here, not '='"),
        ("digraph { a [b] }", "1, column 15", "'=' should come here, not ']'"),
        ("digraph { a [b=] }", "1, column 16", "a value should come here, not ']'"),
        ('digraph { a ["b" + c] }', "1, column 20", "a text between quotation marks should come here, not 'c'"),
        ("digraph { a", "1, column 12", "'}' should come here, not the end of the file"),
        ("digraph { } digraph { }", "1, column 13", "the end of the file should come here, not 'digraph'"),
        ("digraph { a } }", "1, column 15", "the end of the file should come here, not '}'"),
        ("digraph { a ! }", "1, column 13", "'!' has no meaning here"),
        ("digraph { /* a }", "1, column 11", "the comment that begins here does not end"),
        ('digraph { a [b="c\\"', "1, column 16", "the text that begins with this quotation mark does not end"),
        ("digraph { a [b=<<c>", "1, column 16", "the HTML that begins with this bracket does not end"),
        ("digraph { a [b=<<!-->>", "1, column 16", "the HTML that begins with this bracket does not end"),
        ('digraph { "" -> a [label="x/0"] }', "1, column 11", "the name of a state is empty here"),
        ('digraph { a -> "\x1b" [label="x/0"] }', "1, column 11", r"'\x1b' is no name: it cannot be printed"),
        ("digraph { a -> b [label=<x/&#8238;>] }", "1, column 25", r"'\u202e' is no name: it cannot be printed"),
    ],
)
def test_what_is_refused(text: str, place: str, complaint: str) -> None:
    with pytest.raises(ProblemError) as raised:
        machine(text)
    assert str(raised.value).startswith(f"some.dot, line {place}: ")
    assert complaint in str(raised.value)


@pytest.mark.parametrize("text", ["digraph { }", "digraph { a; b -> c; __start0 -> a [label=x] }"])
def test_a_graph_without_transitions_is_refused(text: str) -> None:
    with pytest.raises(ProblemError, match=r"some\.dot: there is no edge with a label; a machine has labels"):
        machine(text)


@pytest.mark.parametrize(
    "begin", ["{" * 20_000, "a [b=<" + "<" * 50_000, '"' + "\\n" * 50_000, "/*/" * 50_000, "a" * 50_000, "[" * 9999]
)
def test_what_goes_on_and_on_is_refused_soon(begin: str) -> None:
    with pytest.raises(ProblemError, match=r"some\.dot, line 1, column "):
        machine("digraph {" + begin)


def test_subgraphs_may_be_nested_at_will() -> None:
    nested = "{" * 5_000 + 'a -> a [label="x/0"]' + "}" * 5_000
    assert machine(f"digraph {{ {nested} }}") == {"a": {"x": (("a", "0"),)}}


NAMES = st.text("a1 \",'.[:-é", min_size=1, max_size=4).map(lambda name: " ".join(name.split())).filter(bool)


@given(names=st.lists(NAMES, min_size=2, max_size=3, unique=True), inputs=st.sets(NAMES, min_size=1, max_size=2))
@settings(max_examples=examples(15))
def test_names_of_all_sorts_are_read_as_they_are_written(names: list[str], inputs: set[str]) -> None:
    def quoted(name: str) -> str:
        return name.replace('"', '\\"')

    table = {
        state: {put: ((names[number - 1], ("", put, state)[number]),) for put in sorted(inputs)}
        for number, state in enumerate(names)
    }
    lines = [
        f'"{quoted(state)}" -> "{quoted(after)}" [label="{quoted(put)}/{quoted(output)}"];'
        for state, row in table.items()
        for put, ((after, output),) in row.items()
    ]
    assert machine("\n".join(("digraph {", *lines, "}"))) == table
    for options in ({}, {"find": "start"}, {"outputs": "unseen"}):
        report = check_problem(MachineProblem(table, **options))
        assert report.passed, report.violations


def test_states_are_typed_as_they_are_shown() -> None:
    coffee = MachineProblem(COFFEE, find="start")
    state = ("off", "no, no coffee", "on")
    assert coffee.format_state(state) == 'off, said "no, no coffee", began in on'
    assert coffee.parse_state(coffee.format_state(state)) == state
    assert coffee.parse_state(" off ") == ("off", "", "off")
    assert MachineProblem({"a, b": {}}).parse_state("a, b") == ("a, b", "", "")
    assert MachineProblem(COFFEE).parse_state("off") == ("off", "", "")
    for problem, text, complaint in (
        (coffee, "of", "no state 'of'"),
        (coffee, "off, on", "it should be the name of a state"),
        (MachineProblem(COFFEE), "off, began in on", "with --find start only"),
        (MachineProblem(COFFEE, outputs="unseen"), "off, said beep", "outputs are unseen"),
        (MachineProblem(COFFEE), r'off, said "\u009b31m"', r"the output '\\x9b31m' cannot be printed"),
        (MachineProblem(COFFEE), r'off, said "\ud800"', r"the output '\\ud800' cannot be printed"),
    ):
        with pytest.raises(ValueError, match=complaint):
            problem.parse_state(text)


def test_a_file_is_run_and_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    long = "and so on " * 30
    text = f"""digraph {{
        "not in use" -> "in use" [label="put a coin in/{long}"]; "in use" -> "in use" [label="put a coin in/"];
        "in use" -> "not in use" [label="{long}/\\"\\""]; "not in use" -> "not in use" [label="{long}/"]; }}"""
    Path("coffee.GV").write_text(text)
    for options in ((), ("--find", "start"), ("--outputs", "unseen")):
        for words in (("run", "coffee.GV", *options, "--output", "plan.json"), ("verify", "plan.json")):
            with pytest.raises(SystemExit) as ended:
                main(list(words))
            assert ended.value.code == 0, capsys.readouterr().err
        assert "the plan holds" in capsys.readouterr().out
        assert json.loads(Path("plan.json").read_text())["problem"] == "gv"
    assert solve(MealyFileProblem(Path("coffee.GV"))).cost == 1


def test_large_files_and_other_encodings_are_refused(tmp_path: Path) -> None:
    def refused(data: bytes) -> str:
        (tmp_path / "some.dot").write_bytes(data)
        with pytest.raises(ValueError, match=r"some\.dot") as raised:
            MealyFileProblem(tmp_path / "some.dot")
        return str(raised.value)

    assert "is not of a text in UTF-8" in refused(b'digraph { "\xe4" -> b [label="x/0"] }')
    with (tmp_path / "some.dot").open("wb") as file:
        file.truncate(64 * 2**20 + 1)
    with pytest.raises(ValueError, match="it is larger than 64 MiB"):
        MealyFileProblem(tmp_path / "some.dot")


def test_an_option_that_names_states_is_not_empty(cli: Run, folder: Path) -> None:
    (folder / "lamp.kiss").write_text("off -- push / click -> on\non -- push / clack -> off\n")
    for command in ("run", "sweep"):
        assert_one_line(cli(command, "lamp.kiss", "--states", ""), "'--states': it is empty")
