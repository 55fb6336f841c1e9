"""`beliefsearch describe`."""

from __future__ import annotations

import re
from inspect import getdoc
from pathlib import Path

import pytest

from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

from ..answers import stdout, stdout_alone
from ..conftest import Run
from ..examples import thorough
from ..toys import toy

# Counted by hand and published: sequences of N coins that do not turn into each other.
CANONICAL_SEQUENCES = {2: 3, 3: 4, 4: 6, 5: 8, 6: 14, 7: 20, 8: 36, 9: 60, 10: 108, 11: 188, 12: 352}

ENDLESS = toy("endless_starts")


def about_this_instance(out: str) -> str:
    return out.partition("This instance")[2]


@pytest.mark.parametrize(
    ("n", "count"),
    [thorough(*known) if known[0] > 8 else known for known in CANONICAL_SEQUENCES.items()],
)
def test_the_numbers_of_starts_and_of_canonical_starts_are_told(cli: Run, n: int, count: int) -> None:
    out = stdout_alone(cli("describe", "devil", "--n", n))
    facts = about_this_instance(out)
    assert re.search(rf"(?<![\d,]){2**n:,} possible start", facts)
    assert re.search(rf"(?<![\d,]){count:,} of them up to symmetry", facts)
    assert re.search(rf"(?<![\d,]){count:,} action", facts), "there is one move for each canonical sequence"


def test_without_symmetry_no_symmetry_is_mentioned(cli: Run) -> None:
    _, out, _ = cli("describe", "devil", "--no-canonical")
    facts = about_this_instance(out)
    assert "16 possible starts" in facts
    assert "16 actions" in facts
    assert "symmetry" not in facts


@pytest.mark.parametrize(("name", "cls"), [("devil", DevilProblem), ("nine-tails", NineTailsProblem)])
def test_the_whole_docstring_is_told(cli: Run, name: str, cls: type) -> None:
    code, out, _ = cli("describe", name)
    text = getdoc(cls)
    assert text is not None
    assert code == 0
    assert text in out
    for heading in ("Story", "Formal model", "Source", "Known answers"):
        assert re.search(rf"^{heading}\n-+$", out, re.M)


def test_every_option_is_told_with_choices_and_default(cli: Run) -> None:
    _, out, _ = cli("describe", "devil")
    words = " ".join(out.split())
    assert re.search(r"--n INTEGER number of coins on the table \[default: 4\]", words)
    assert "--canonical / --no-canonical" in words
    assert "--table [cyclic|dihedral|symmetric]" in words
    assert re.search(r"--faces INTEGER .*?\[default: 2\]", words)
    assert "--goal [all-heads|all-same]" in words


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        ("vacuum --squares 3", "24 possible starts"),  # three places, two states of each square
        ("lights-out --rows 2 --cols 2", "4 actions"),
        ("lights-out --rows 2 --cols 2 --blindfold", "16 possible starts"),
        ("nine-tails --start HHHTTTHHH", "6 actions"),  # six coins show heads
        ("nine-tails --start HHHTTTHHH --legal any", "9 actions"),
        ("nine-tails", "backwards"),
    ],
)
def test_facts_of_the_instance_are_told(cli: Run, words: str, fact: str) -> None:
    out = stdout(cli("describe", *words.split()))
    assert fact in about_this_instance(out)


def test_nobody_waits_for_the_count_of_an_endless_number_of_starts(cli: Run, folder: Path) -> None:
    (folder / "endless.py").write_text(ENDLESS)
    out = stdout(cli("describe", "./endless.py:Sensorless", "--time-limit", 0.1))
    assert "more than" in about_this_instance(out)


@pytest.mark.parametrize(("n", "count"), [(4, 6), (6, 14), thorough(8, 36), thorough(12, 352)])
def test_the_numbers_of_states_and_of_beliefs_are_told(cli: Run, n: int, count: int) -> None:
    code, out, _ = cli("describe", "devil", "--n", n)
    facts = about_this_instance(out)
    assert code == 0
    assert f"  {count} states up to symmetry" in facts
    assert f"  2^{count} beliefs up to symmetry" in facts
    least = "at least " if n == 12 else ""
    assert f"  {least}{2**n:,} states without symmetry" in facts
    assert f"  {least}2^{2**n} beliefs without symmetry" in facts
    assert ("not everything was counted" in facts) == (n == 12)


def test_of_many_states_so_many_are_counted(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.planner.describe._MOST_ASKED", 100)
    facts = about_this_instance(cli("describe", "devil", "--n", 5)[1])
    assert "  8 states up to symmetry" in facts
    assert "  at least 32 states without symmetry" in facts
    assert "  at least 2^32 beliefs without symmetry" in facts
    assert "not everything was counted: more than 100 pairs of a state and an action" in facts


def test_a_plain_problem_has_states_and_no_beliefs(cli: Run) -> None:
    _, out, _ = cli("describe", "nine-tails")
    assert "512 states" in about_this_instance(out)
    assert "belief" not in about_this_instance(out)
