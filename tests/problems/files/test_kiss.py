"""Tables of KISS2: bits that are left open against all that they stand for, and what is refused."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import ProblemError, solve
from beliefsearch_problems._mealy import kiss
from beliefsearch_problems._mealy.machine import MachineProblem
from beliefsearch_problems._mealy.reader import Machine, read_machine
from beliefsearch_problems._source import Source

from ...examples import examples
from ..test_machines import least_inputs

Line = tuple[str, str, str, str]


def machine(text: str, name: str = "some.kiss2") -> Machine:
    return read_machine(Source(Path(name), text))


def written_out(lines: list[Line], states: list[str]) -> Machine:
    """Every bit vector as an input of its own, with every bit vector that may be said."""

    def vectors(cube: str) -> list[str]:
        return ["".join(bits) for bits in product(*("01" if bit == "-" else bit for bit in cube))]

    rows: dict[str, dict[str, list[tuple[str, str]]]] = {state: {} for state in states}
    for cube, tail, head, output in lines:
        for state, given_, after, said in product(
            states if tail == "*" else [tail], vectors(cube), states if head == "*" else [head], vectors(output)
        ):
            rows[state].setdefault(given_, []).append((after, said))
    return rows


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Line], list[str]]:
    states = ["a", "b", "c"][: draw(st.integers(2, 3))]
    cube = st.text("01-", min_size=2, max_size=2)
    some = st.sampled_from([*states, "*"])
    line = st.tuples(cube, some, some, cube)
    whole = [("--", state, draw(st.sampled_from(states)), draw(cube)) for state in states]
    return [*draw(st.lists(line, max_size=3)), *whole], states


@given(table=tables())
@settings(max_examples=examples(20))
def test_open_bits_stand_for_all_that_they_may_be(table: tuple[list[Line], list[str]]) -> None:
    lines, states = table
    text = ".start_kiss\n.i 2\n.o 2 # bits\n" + "\n".join(map(" ".join, lines)) + "\n.end_kiss\nanything\n"
    found, everything = machine(text), written_out(lines, states)
    assert {*found} == {*states}
    for options in ({}, {"find": "start"}, {"outputs": "unseen"}):
        assert solve(MachineProblem(found, **options)).cost == least_inputs(everything, **options)


def test_a_wide_table_is_read_by_the_bits_that_matter() -> None:
    text = f".r b\n{'-' * 60} a b 0{'-' * 40}\n1{'-' * 59} b a 1{'-' * 40}\n"
    assert machine(text, "some.KISS") == {
        "b": {"1" + "-" * 59: [("a", "1" + "-" * 40)]},
        "a": {"0" + "-" * 59: [("b", "0" + "-" * 40)], "1" + "-" * 59: [("b", "0" + "-" * 40)]},
    }


def test_a_table_and_a_list_of_lines_are_one_machine() -> None:
    table = machine("0 S0 S1 1\n1 S0 S0 0\n0 S1 S0 1\n1 S1 S1 -\n".join((".i 1\n.o 1\n", ".e\n")))
    lines = "S0 -- 0 / 1 -> S1\nS0 -- 1 / 0 -> S0\nS1 -- 0 / 1 -> S0\nS1 -- 1 / 0 -> S1\nS1 -- 1 / 1 -> S1\n"
    assert table == machine(lines, "some.kiss") == machine("0 S0 S1 1\n1 S0 S0 0\n0 S1 S0 1\n1 S1 S1 -\n")
    assert machine("0 -- a / x -> 0\n", "some.kiss2") == {"0": {"a": [("0", "x")]}}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (".i 1\n0 a b\n", "line 2, column 1: a line of a table should be four words: an input of 0, 1 and -"),
        (".i 1\n\n2 a b 0\n", "line 3, column 1: the input '2' should be of 0, 1 and - only"),
        (".o 2\n0 a b 0\n", "line 2, column 1: the output '0' has 1 bits; `.o` says 2"),
        (".i 2\n00 a b 0\n0 a b 0\n", "line 3, column 1: the input '0' has 1 bits; `.i` says 2"),
        (".i x\n", "line 1, column 1: behind .i one whole number should come"),
        (".i 1\n.r c\n0 a b 0\n", "line 2, column 1: no line is about the state 'c', though the machine begins there"),
        (".i 1\n.type fr\n", "line 2, column 1: '.type' is not read in a table of KISS2; leave that line out"),
        (".i 1\n.e\n0 a b 0\n", "there is no transition, that is, no line of four words"),
        (".i 1\n0 a b\x1b 0\n", "line 2, column 1: a line of a table should be four words"),
        (".i 40\n" + "".join(f"{'-' * k}1{'-' * (39 - k)} s{k} s0 0\n" for k in range(40)), "too many inputs"),
        (f".i 1\n{chr(10).join('- * * ' + str(k % 2) for k in range(130))}\n"
         + "".join(f"- s{k} * -\n" for k in range(130)), "too many transitions"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kiss, "_MOST_PARTS", 1 << 10)
    monkeypatch.setattr(kiss, "_MOST", 1 << 14)
    with pytest.raises(ProblemError) as raised:
        machine(text)
    assert str(raised.value).startswith("some.kiss2")
    assert complaint in str(raised.value)
