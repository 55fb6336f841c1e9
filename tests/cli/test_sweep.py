"""`beliefsearch sweep`."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ..answers import assert_one_line, read_json, stdout, stdout_alone
from ..conftest import Run
from ..examples import thorough
from ..problems.test_devil import CANONICAL_SEQUENCES, LENGTHS
from ..toys import method, toy
from ..waiting import once_begun

BROKEN = (
    "from attrs import field, frozen\n"
    + toy("walk").replace("class", "@frozen\nclass")
    + "\n    n: int = field(default=3)\n"
    + method("actions", "if self.n == STOP:\n            raise ERROR\n        return ['on']")
    + method("is_goal", "return state == self.n")
)
SHORT = BROKEN.replace("state + 1", "min(state + 1, 5)")


@pytest.mark.parametrize("most", [9, thorough(12)])
def test_the_published_table_line_by_line(cli: Run, most: int) -> None:
    head, *lines = stdout_alone(cli("sweep", "devil", "--n", f"1..{most}")).splitlines()
    assert head.split() == ["n", "verdict", "cost", "states", "starts", "seconds"]
    words = [line.split() for line in lines]
    assert [int(row[0]) for row in words] == list(range(1, most + 1))
    assert [row[2] if row[1] == "solved" else "" for row in words] == [
        "" if LENGTHS[n] is None else str(LENGTHS[n]) for n in range(1, most + 1)
    ]
    assert {row[1] for row in words} == {"solved", "unsolvable"}
    assert [int(row[-3]) for row in words] == [CANONICAL_SEQUENCES[n] for n in range(1, most + 1)]
    assert [row[-2] for row in words] == [f"{2**n:,}" for n in range(1, most + 1)]


@pytest.mark.parametrize(
    ("words", "length"),
    [
        (f"./stairs.py --stairs {10**30} --broken yes,no", "10^30"),
        thorough("devil --n 3,16", "65,535"),
        thorough("devil --n 15,16", "65,535"),
    ],
)
def test_closed_forms_are_used_where_run_uses_them(cli: Run, folder: Path, words: str, length: str) -> None:
    (folder / "stairs.py").write_text(toy("stairs"))
    out = stdout(cli("sweep", *words.split()))
    assert [line.split()[1:3] for line in out.splitlines()[1:]][1] == ["solved", length]
    assert "unsolvable" in out.splitlines()[1]


def test_errors_call_the_puzzle_as_it_was_typed(cli: Run) -> None:
    assert_one_line(cli("sweep", "devil", "--n", "0..3"), "error: devil refuses these options: 'n' must be")


def test_csv_and_json(cli: Run, folder: Path) -> None:
    words = ("sweep", "devil", "--n", "2..3", "--canonical", "yes,no", "--goal", "all-heads")
    _, out, _ = cli(*words, "--format", "csv")
    rows = list(csv.DictReader(out.splitlines()))
    assert [(row["n"], row["canonical"], row["status"], row["cost"], row["states"]) for row in rows] == [
        ("2", "yes", "solved", "3", "3"),
        ("2", "no", "solved", "3", "4"),
        ("3", "yes", "unsolvable", "", "4"),
        ("3", "no", "unsolvable", "", "8"),
    ]
    _, out, _ = cli(*words, "--format", "json")
    document = json.loads(out)
    assert (document["problem"], document["parameters"]) == ("devil", {"goal": "all-heads"})
    assert [(row["options"]["canonical"], row["cost"], row["starts"]) for row in document["rows"]] == [
        (True, 3, 4),
        (False, 3, 4),
        (True, None, 8),
        (False, None, 8),
    ]
    code, out, err = cli(*words, "--output", "table.json")
    assert (code, err) == (0, "table.json: 4 of 4 instances, json\n")
    assert len(out.splitlines()) == 5, "the table is printed as well"
    assert len(read_json("table.json")["rows"]) == 4
    assert cli(*words, "--output", "table.png")[2] == "table.png: 4 of 4 instances, png\n"


def test_a_limit_is_for_each_instance_and_an_undecided_one_shows_its_bound(cli: Run, folder: Path) -> None:
    (folder / "walk.py").write_text(BROKEN.replace("STOP", "-1"))
    out = stdout(
        once_begun(
            lambda found: ">= 0 " not in found[1],
            lambda seconds: cli("sweep", "./walk.py", "--n=-2,3", "--time-limit", seconds),
            0.05,
        ),
        3,
    )
    _, undecided, solved = out.splitlines()
    assert undecided.split()[:3] == ["-2", "undecided", ">="]
    assert int(undecided.split()[3]) > 0
    assert re.search(r"the time limit of [\d.]+ s was reached", undecided)
    assert solved.split()[:3] == ["3", "solved", "3"]


def test_ctrl_c_leaves_the_lines_so_far(cli: Run, folder: Path) -> None:
    (folder / "walk.py").write_text(SHORT.replace("STOP", "3").replace("ERROR", "KeyboardInterrupt"))
    code, out, err = cli("sweep", "./walk.py", "--n", "1..4", "--format", "json", "--quiet")
    assert code == 3
    assert [row["cost"] for row in json.loads(out)["rows"]] == [1, 2]
    assert err == "interrupted: 2 of 4 instances were not decided\n"


def test_mistakes_of_the_plug_in_are_one_line(cli: Run, folder: Path) -> None:
    (folder / "walk.py").write_text(SHORT.replace("STOP", "2").replace("ERROR", 'ValueError("odd")'))
    code, out, err = cli("sweep", "./walk.py", "--n", "1..4")
    assert (code, err.count("\n")) == (2, 1)
    assert "odd" in err
    assert len(out.splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("devil", "say which option varies"),
        ("devil --n 4", "say which option varies"),
        ("devil --n 4", "devil has --n, --canonical"),
        ("devil --n 0..3", "'n' must be >= 1"),
        ("devil --n 1..x", "--n: '1..x' is not a whole number, nor a range"),
        ("devil --told heads,tails", "--told: 'tails' is not one of"),
        ("devil --n 1..2 --format png", "say which with --output"),
        ("devil --n 1..2 --output table.doc", "tells no format"),
        ("devil --n 1..2 --blindfold", "nothing to blindfold"),
        ("sliding-tiles --rows 2 --estimate misplaced,manhattan", "say --start"),
        ("devil --n 1..2 --solver nosuch", "no solver called"),
    ],
)
def test_mistakes_of_the_user_are_one_line(cli: Run, words: str, complaint: str) -> None:
    code, _, err = cli("sweep", *words.split())
    assert (code, err.count("\n")) == (2, 1)
    assert complaint in err


def test_flags_have_one_value_as_elsewhere(cli: Run) -> None:
    for flag, states in (("--canonical", "3"), ("--no-canonical", "4")):
        code, out, _ = cli("sweep", "devil", "--n", "2..2", flag)
        assert (code, out.splitlines()[1].split()[3]) == (0, states)


def test_what_is_known_within_bounds_is_told_as_run_tells_it(cli: Run) -> None:
    out = stdout(cli("run", "random-devil", "--n", 3))
    least, most = re.findall(r"cost at least (\S+) and at most (\S+)\n", out)[0]
    lines = stdout_alone(cli("sweep", "random-devil", "--n", "2,3")).splitlines()
    assert [line.split()[:-2] for line in lines[1:]] == [
        ["2", "solved", "cost", "1.5"],
        ["3", "solved", "cost", least, "to", most],
    ]
    assert len(set(map(len, lines))) == 1, "the columns are as wide"
    (row,) = json.loads(cli("sweep", "random-devil", "--n", "3..3", "--format", "json")[1])["rows"]
    low, value, high = (Fraction(row[name]) for name in ("lower_bound", "value", "upper_bound"))
    assert low <= value <= high
    assert low <= -5 <= high


def test_the_picture_of_costs_that_are_expected_shows_them_as_costs() -> None:
    from beliefsearch.graph.plots.policy_charts import sweep_table_picture
    from beliefsearch.tools import sweep

    figure: Any = sweep_table_picture(list(sweep("random-devil", {"n": [1, 2]})), "a title")
    assert figure.axes[0].get_ylabel() == "cost"
    assert list(figure.axes[0].get_lines()[0].get_ydata()) == [0.5, 1.5]


def test_the_picture_has_a_curve_for_each_combination_of_the_other_options() -> None:
    from beliefsearch.graph.plots.policy_charts import sweep_table_picture
    from beliefsearch.tools import sweep

    rows = list(sweep("devil", {"n": [1, 2, 3, 4, 8], "canonical": [True]}))
    figure: Any = sweep_table_picture(rows, "a title")
    cost, seconds = figure.axes
    assert (cost.get_title(), cost.get_ylabel(), seconds.get_xlabel()) == ("a title", "cost", "n")
    solved, lost = cost.get_lines()
    assert list(zip(solved.get_xdata(), solved.get_ydata(), strict=True)) == [(1, 1), (2, 3), (4, 15), (8, 255)]
    assert list(lost.get_xdata()) == [3]
    assert cost.get_yscale() == "log"
    assert len(seconds.get_lines()[0].get_xdata()) == 5
