"""Files in PomdpX: the same problem as from Cassandra's format, factors with wildcards, and what is refused."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import ProblemError, solve
from beliefsearch.errors import DataWarning
from beliefsearch_problems.files.pomdp import PomdpFileProblem
from beliefsearch_problems.files.pomdpx import PomdpxFileProblem

from ...answers import assert_one_line, stdout
from ...conftest import Run
from ...proofs.test_vector_policies import THREE, TIGER, as_xml


def chance_table(variable: str, parents: str, *entries: tuple[str, str]) -> str:
    lines = "".join(
        f"<Entry><Instance>{instance}</Instance><ProbTable>{table}</ProbTable></Entry>\n" for instance, table in entries
    )
    return (
        f"<CondProb><Var>{variable}</Var><Parent>{parents}</Parent><Parameter type='TBL'>\n{lines}</Parameter>"
        "</CondProb>\n"
    )


def reward_table(parents: str, *entries: tuple[str, str]) -> str:
    return chance_table("r", parents, *entries).replace("CondProb", "Func").replace("ProbTable", "ValueTable")


def file_of(variables: str, start: str, moves: str, seen: str, rewards: str, discount: str = "0.95") -> str:
    return (
        f"<?xml version='1.0' encoding='ISO-8859-1'?>\n<pomdpx version='1.0' id='test'>\n<Discount> {discount} "
        f"</Discount>\n<Variable>\n{variables}\n<RewardVar vname='r'/>\n</Variable>\n<InitialStateBelief>{start}"
        f"</InitialStateBelief>\n<StateTransitionFunction>{moves}</StateTransitionFunction>\n<ObsFunction>{seen}"
        f"</ObsFunction>\n<RewardFunction>{rewards}</RewardFunction>\n</pomdpx>\n"
    )


TIGER_X = file_of(
    "<StateVar vnamePrev='t0' vnameCurr='t1'><ValueEnum>left right</ValueEnum></StateVar>\n"
    "<ObsVar vname='o'><ValueEnum>growl-left growl-right</ValueEnum></ObsVar>\n"
    "<ActionVar vname='a'><ValueEnum>listen open-left open-right</ValueEnum></ActionVar>",
    chance_table("t0", "null", ("-", "uniform")),
    chance_table("t1", "a t0", ("* - -", "uniform"), ("listen - -", "identity")),
    chance_table("o", "a t1", ("* * -", "0.5 0.5"), ("listen - -", "0.85 0.15 0.15 0.85")),
    reward_table("a t0", ("* *", "10"), ("listen *", "-1"), ("open-left left", "-100"), ("open-right right", "-100")),
)
# The rover of the format's own tutorial: three places, of which the last is the end; a rock at the left, good or bad.
ROVER = file_of(
    "<StateVar vnamePrev='rock0' vnameCurr='rock1' fullyObs='false'><ValueEnum>good bad</ValueEnum></StateVar>\n"
    "<StateVar vnamePrev='rover0' vnameCurr='rover1' fullyObs='true'><NumValues>3</NumValues></StateVar>\n"
    "<ObsVar vname='o'><ValueEnum>ogood obad</ValueEnum></ObsVar>\n"
    "<ActionVar vname='a'><ValueEnum>west east sample check</ValueEnum></ActionVar>",
    chance_table("rover0", "null", ("-", "0 1 0")) + chance_table("rock0", "null", ("-", "uniform")),
    chance_table("rock1", "a rover0 rock0", ("* * - -", "identity"), ("sample s0 * -", "0 1"))
    + chance_table(
        "rover1",
        "a rover0",
        ("* - -", "identity"),
        ("west s1 -", "1 0 0"),
        ("east s0 -", "0 1 0"),
        ("east s1 -", "0 0 1"),
    ),
    chance_table(
        "o", "a rover1 rock1", ("* * * -", "1 0"), ("check s0 - -", "identity"), ("check s1 - -", "0.8 0.2 0.2 0.8")
    ),
    reward_table("a rover0 rock0", ("sample s0 -", "10 -10"), ("sample s1 *", "-100"))
    + reward_table("a rover0 rover1", ("east s1 s2", "10"), ("east s1 s1", "1")),
)


def read(text: str, **options: Any) -> PomdpxFileProblem:
    Path("x.pomdpx").write_text(text)
    return PomdpxFileProblem(file=Path("x.pomdpx"), **options)


def test_it_is_the_problem_of_the_other_format(folder: Path) -> None:
    Path("t.pomdp").write_text(TIGER)
    other, ours = PomdpFileProblem(file=Path("t.pomdp")), read(TIGER_X)
    assert ours.numbering() == other.numbering()
    assert list(ours.initial_distribution()) == list(other.initial_distribution())
    for action in other.numbering().actions:
        for state in other.numbering().states:
            assert ours.outcomes(state, action) == other.outcomes(state, action)
            assert ours.percept_distribution(state, action) == other.percept_distribution(state, action)
            assert ours.reward(state, action) == other.reward(state, action)


def test_factors_are_multiplied(folder: Path) -> None:
    rover = read(ROVER)
    numbering = rover.numbering()
    assert numbering.states == ("s0,good", "s0,bad", "s1,good", "s1,bad", "s2,good", "s2,bad")
    assert numbering.percepts == ("ogood,s0", "ogood,s1", "ogood,s2", "obad,s0", "obad,s1", "obad,s2")
    half = Fraction(1, 2)
    assert list(rover.initial_distribution()) == [(half, "s1,good"), (half, "s1,bad")]
    assert list(rover.outcomes("s0,good", "sample")) == [(1, "s0,bad")]
    assert list(rover.outcomes("s1,good", "sample")) == [(1, "s1,good")]
    seen = [(Fraction(1, 5), "ogood,s1"), (Fraction(4, 5), "obad,s1")]
    assert list(rover.percept_distribution("s1,bad", "check")) == seen
    rewards = [rover.reward(state, "sample") for state in numbering.states[:4]]
    assert rewards == [10, -10, -100, -100]
    assert rover.reward("s1,good", "east") == 10
    assert [rover.is_terminal(state) for state in numbering.states] == [False] * 4 + [True] * 2


def test_its_value_is_that_of_the_best_plan(folder: Path) -> None:
    """West, where the rock can be seen; if it is good sample it; then east twice: 0.95 (or 0.95^2) later."""
    west = Fraction(95, 100)
    # After west nothing is seen of the rock; check tells. With a good rock: sample at step 2, east at 3 and 4.
    best = half(west**2 * 10 + west**4 * 10, west**3 * 10)
    at_once = Fraction(10)  # east at once
    sampled = half(west * 10 + west**3 * 10, -west * 10 + west**3 * 10)
    # A check from afar, right in four of five: then go west and sample, or east.
    checked = half(
        Fraction(4, 5) * (west**2 * 10 + west**4 * 10) + Fraction(1, 5) * west * 10,
        Fraction(4, 5) * west * 10 + Fraction(1, 5) * (-(west**2) * 10 + west**4 * 10),
    )
    lower, upper = solve(read(ROVER)).bounds
    assert float(lower) - 1e-9 <= max(best, at_once, sampled, checked) <= float(upper) + 1e-9


def half(good: Fraction, bad: Fraction) -> Fraction:
    return (good + bad) / 2


def test_vectors_of_blocks_are_those_of_mixed_observability(folder: Path, cli: Run) -> None:
    """A vector for each place: check, then do what was seen; from SARSOP's numbering of fully observed variables."""
    Path("x.pomdpx").write_text(ROVER)
    entries = [(1, 1, "10 10"), (2, 0, "9 -9"), (1, 0, "0 0"), (0, 2, "0 0")]
    vectors = "".join(f'<Vector action="{a}" obsValue="{x}">{values}</Vector>' for a, x, values in entries)
    Path("x.policy").write_text(
        f'<Policy><AlphaVector vectorLength="2" numObsValue="3" numVectors="4">{vectors}</AlphaVector></Policy>'
    )
    told = stdout(cli("verify", "--policy", "x.policy", "--problem", "x.pomdpx"))
    assert "attains at least 10 on average" in told


REFUSED = [
    (("listen - -", "listn - -"), "'listn' is no value of a, which has listen, open-left, open-right"),
    (("0.85 0.15 0.15", "0.85 0.15"), "3 numbers stand here, and 4 are wanted"),
    (("0.85 0.15 0.15", "0.85 0.25 0.15"), "the probabilities of o for a=listen, t1=left sum to 1.1, not to 1"),
    (("0.85 0.15", "1.85 0.15"), "a probability, from 0 to 1, should stand here, not '1.85'"),
    (("<Var>o</Var><Parent>a t1", "<Var>o</Var><Parent>a t2"), "'t2' is no variable that can stand here"),
    (("<Var>t1</Var>", "<Var>t0</Var>"), "'t0' should have no table here; there are t1"),
    (("* - -</Instance><ProbTable>uniform", "* * *</Instance><ProbTable>uniform"), "`uniform` needs an instance"),
    (("type='TBL'", "type='ADD'"), "parameters of the type 'ADD' are not read"),
    (("type='TBL'", "type='DD'"), "<Parameter> lacks <DAG>"),
    (("<Discount> 0.95", "<Discount> 1.5"), "the discount is a number above 0 and at most 1"),
    (("left right", "left left"), "should be names, at least one, no two the same"),
    (("<ValueEnum>growl-left growl-right</ValueEnum>", "<NumValues>99999999</NumValues>"), "from 1 to 1,000,000"),
    (("<Discount> 0.95 </Discount>", ""), "<pomdpx> lacks <Discount>"),
    (("<pomdpx", "<!DOCTYPE x SYSTEM 'http://example.org'><pomdpx"), "it has a document type"),
    (("</pomdpx>", ""), "it is no XML"),
]


@pytest.mark.parametrize(("change", "why"), REFUSED)
def test_what_is_wrong_is_named_with_its_place(folder: Path, change: tuple[str, str], why: str) -> None:
    assert change[0] in TIGER_X
    with pytest.raises(ProblemError, match=r"x.pomdpx, line \d+, column \d+: ") as caught:
        read(TIGER_X.replace(*change, 1))
    assert why in str(caught.value)


def test_tables_in_a_circle_are_refused(folder: Path) -> None:
    with pytest.raises(ProblemError, match="the tables of t1 depend on each other in a circle"):
        read(TIGER_X.replace("<Parent>a t0</Parent>", "<Parent>a t1</Parent>", 1))


def test_rounded_rows_are_divided_or_refused(folder: Path) -> None:
    text = TIGER_X.replace("0.85 0.15 0.15 0.85", "0.85 0.15005 0.15 0.85")
    told = r"line 19, column 14: the probabilities of o for a=listen, t1=left sum to 1.00005; divided by that"
    with pytest.warns(DataWarning, match=told):
        problem = read(text)
    assert sum(chance for chance, _ in problem.percept_distribution("left", "listen")) == 1
    with pytest.raises(ProblemError, match=r"sum to 1\.00005, and --strict wants 1 exactly"):
        read(text, strict=True)


def test_commands_know_the_ending(folder: Path, cli: Run) -> None:
    Path("x.pomdpx").write_text(TIGER_X)
    Path("t.policy").write_text(as_xml(THREE))
    assert "x.pomdpx --discount 0.5: value" in stdout(cli("run", "x.pomdpx", "--discount", "0.5", "--quiet"))
    told = stdout(cli("verify", "--policy", "t.policy", "--problem", "x.pomdpx"))
    assert "attains at least 19.3713683" in told
    assert "[reads FILE.pomdpx]" in stdout(cli("list"))
    Path("x.pomdpx").write_text("")
    assert_one_line(cli("run", "x.pomdpx"), "x.pomdpx, line 1, column 1: it is no XML")


def diagram(tag: str, variable: str, parents: str, dag: str, templates: str = "") -> str:
    return (
        f"<{tag}><Var>{variable}</Var><Parent>{parents}</Parent><Parameter type='DD'><DAG>{dag}</DAG>{templates}"
        f"</Parameter></{tag}>"
    )


def node(variable: str, **edges: str) -> str:
    inside = "".join(f"<Edge val='{value.replace('_', '-')}'>{part}</Edge>" for value, part in edges.items())
    return f"<Node var='{variable}'>{inside}</Node>"


def sub(kind: str, **more: str) -> str:
    return f"<SubDAG type='{kind}' {' '.join(f'{name}={value!r}' for name, value in more.items())}/>"


def end(number: object) -> str:
    return f"<Terminal>{number}</Terminal>"


HEARD = node(
    "t1",
    left=node("o", growl_left=end("0.85"), growl_right=end("0.15")),
    right=node("o", growl_left=end("0.15"), growl_right=end("0.85")),
)
ANY_DOOR, ANY_SOUND, EAR = sub("uniform", var="t1"), sub("uniform", var="o"), sub("template", idref="ear")
TIGER_DD = file_of(
    TIGER_X.partition("<Variable>\n")[2].partition("\n<RewardVar")[0],
    diagram("CondProb", "t0", "null", sub("uniform", var="t0")),
    diagram(
        "CondProb",
        "t1",
        "a t0",
        node(
            "a",
            listen=sub("persistent", var="t1"),
            open_left=sub("uniform", var="t1"),
            open_right=sub("uniform", var="t1"),
        ),
    ),
    diagram(
        "CondProb",
        "o",
        "a t1",
        node(
            "a",
            listen=sub("template", idref="ear"),
            open_left=sub("uniform", var="o"),
            open_right=sub("uniform", var="o"),
        ),
        f"<SubDAGTemplate id='ear'>{HEARD}</SubDAGTemplate>",
    ),
    diagram(
        "Func",
        "r",
        "a t0",
        node(
            "a",
            listen=end(-1),
            open_left=node("t0", left=end(-100), right=end(10)),
            open_right=node("t0", left=end(10), right=end(-100)),
        ),
    ),
)

EARS = "<SubDAGTemplate id='ear'>"


def test_decision_diagrams_are_the_tables_that_they_stand_for(folder: Path) -> None:
    tables, diagrams = read(TIGER_X), read(TIGER_DD)
    for state in tables.numbering().states:
        for action in ("listen", "open-left", "open-right"):
            assert tables.outcomes(state, action) == diagrams.outcomes(state, action)
            assert tables.reward(state, action) == diagrams.reward(state, action)
            assert tables.percept_distribution(state, action) == diagrams.percept_distribution(state, action)
    assert tables.initial_distribution() == diagrams.initial_distribution()


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("val='listen'", "val='hear'", "'hear' is no value of a"),
        ("<Edge val='listen'><Terminal>-1</Terminal></Edge>", "", "lacks an <Edge> for the value 'listen' of a"),
        ("idref='ear'", "idref='eye'", "there is no template 'eye'"),
        ("<Node var='t1'>", "<Node var='a'>", "'a' is no variable that is still open here"),
        ("<SubDAGTemplate id='ear'>", f"<SubDAGTemplate id='ear'>{end(0)}", "needs one <Node>"),
        (
            "<Edge val='listen'>",
            f"<Edge val='listen'>{end(0)}</Edge><Edge val='listen'>",
            "a second <Edge> has the val 'listen'",
        ),
        (
            "<SubDAGTemplate id='ear'>",
            f"<SubDAGTemplate id='ear'>{end(0)}</SubDAGTemplate><SubDAGTemplate id='ear'>",
            "a second",
        ),
        (f"<DAG>{sub('uniform', var='t0')}", f"<DAG>{sub('persistent', var='t0')}", "'persistent' cannot stand here"),
        (
            HEARD,
            node("t1", left=end(1), right=sub("persistent", var="o")),
            "a <SubDAG> of the type 'persistent' cannot stand here",
        ),
        ("type='persistent'", "type='constant'", "of the type 'constant' cannot stand here"),
        ("<Terminal>0.85</Terminal>", "<Terminal>much</Terminal>", "a number should stand here, not 'much'"),
    ],
)
def test_bad_diagrams(before: str, after: str, told: str, cli: Run, folder: Path) -> None:
    assert before in TIGER_DD
    Path("x.pomdpx").write_text(TIGER_DD.replace(before, after, 1))
    assert_one_line(cli("run", "x.pomdpx"), told)


def test_a_template_that_names_itself_is_refused(cli: Run, folder: Path) -> None:
    loop = TIGER_DD.replace(
        f"<SubDAGTemplate id='ear'>{HEARD}", f"<SubDAGTemplate id='ear'>{sub('template', idref='ear')}"
    )
    Path("x.pomdpx").write_text(loop)
    assert_one_line(cli("run", "x.pomdpx"), "template 'ear'")


def chain(size: int, inner: str) -> str:
    """A file with so many variables, each of one value, and a template for each that goes on to the next."""
    names = [f"v{number}" for number in range(size)]
    states = "".join(f"<StateVar vnamePrev='{v}' vnameCurr='{v}x'><ValueEnum>a</ValueEnum></StateVar>" for v in names)
    steps = (node(v, a=sub("template", idref=f"t{number + 1}")) for number, v in enumerate(names))
    templates = "".join(f"<SubDAGTemplate id='t{n}'>{dag}</SubDAGTemplate>" for n, dag in enumerate([*steps, inner]))
    return file_of(
        f"{states}<ActionVar vname='do'><ValueEnum>go</ValueEnum></ActionVar>",
        "".join(chance_table(v, "null", ("-", "1")) for v in names),
        "".join(chance_table(f"{v}x", "null", ("-", "1")) for v in names),
        "",
        diagram("Func", "r", " ".join(names), sub("template", idref="t0"), templates),
        "0.5",
    )


def test_a_chain_of_many_templates_is_followed(cli: Run, folder: Path) -> None:
    (state,) = read(chain(1200, end(7))).numbering().states
    assert read(chain(1200, end(7))).reward(state, "go") == 7
    Path("x.pomdpx").write_text(chain(1200, node("v0", a=end(1))))
    assert_one_line(cli("run", "x.pomdpx"), "'v0' is no variable that is still open here; there are none")


def large(size: int) -> str:
    """A file in which one decision diagram stands for 2 to the power of `size` numbers."""
    names = [f"v{number}" for number in range(size)]
    tables = (chance_table("t0", "null", ("-", "uniform")), chance_table("t1", "t0", ("- -", "identity")))
    variables = "<StateVar vnamePrev='t0' vnameCurr='t1'><ValueEnum>a b</ValueEnum></StateVar>"
    variables += "".join(f"<ActionVar vname='{name}'><ValueEnum>on off</ValueEnum></ActionVar>" for name in names)
    return file_of(variables, *tables, "", diagram("Func", "r", " ".join(names), end(1)))


def test_limits_are_heard_while_a_diagram_is_written_out(cli: Run, folder: Path) -> None:
    Path("x.pomdpx").write_text(large(22))
    told = stdout(cli("run", "x.pomdpx", "--time-limit", "0.2"), code=3)
    assert re.search(r"the time limit of 0\.2 s was reached while the puzzle was being (made|imported)", told)


def test_an_interrupt_is_heard_while_a_diagram_is_written_out(
    cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*ranges: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("beliefsearch_problems._pomdpx.diagrams.product", interrupted)
    Path("x.pomdpx").write_text(large(4))
    code, _, told = cli("run", "x.pomdpx")
    assert (code, told) == (3, "beliefsearch: undecided, it was interrupted\n")
