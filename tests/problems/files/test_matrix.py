"""Matrices of hypotheses and tests: all trees tried by brute force, Huffman's code, large ones, and bad ones."""

from __future__ import annotations

import heapq
import re
import warnings
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from beliefsearch import BeliefSearchError, Limits, solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.guessing.branch_and_bound import LeastTotals, expected_partitions_search
from beliefsearch.engine.guessing.outcome_table import game_of
from beliefsearch.engine.guessing.small_sets import SmallTotals
from beliefsearch.errors import DataWarning
from beliefsearch.model.belief import no_tick
from beliefsearch.planner.interleaved_and_or import Turn, Turns
from beliefsearch.verify.plan import check_plan
from beliefsearch_problems.files.matrix import MatrixFileProblem

from ...answers import assert_one_line, stdout
from ...conftest import Run


def matrix(rows: Sequence[Sequence[str]], priors: Sequence[Any] = (), costs: Sequence[Any] = ()) -> MatrixFileProblem:
    """Write a matrix to a file in the current folder and read it."""
    lines = [f"h,{','.join(f't{test}' for test in range(len(rows[0])))}{',prior' * bool(priors)}"]
    lines += [f"h{number},{','.join(row)}{f',{priors[number]}' if priors else ''}" for number, row in enumerate(rows)]
    lines += [f"cost,{','.join(map(str, costs))}{',' * bool(priors)}"] * bool(costs)
    Path("m.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return MatrixFileProblem(Path("m.csv"))


def least(
    rows: Sequence[Sequence[str]], priors: Sequence[Fraction], costs: Sequence[Fraction | int]
) -> tuple[Fraction, Fraction | int]:
    """Return the least mean and the least worst-case cost, over all trees of tests."""

    @cache
    def of(some: tuple[int, ...]) -> tuple[Fraction, Fraction | int]:
        if len({tuple(rows[one]) for one in some}) == 1:
            return Fraction(0), 0
        weight = sum((priors[one] for one in some), Fraction(0))
        found = []
        for test, cost in enumerate(costs):
            parts: dict[str, list[int]] = {}
            for one in some:
                parts.setdefault(rows[one][test], []).append(one)
            if len(parts) > 1:
                after = [of(tuple(part)) for part in parts.values()]
                found.append((cost * weight + sum(mean for mean, _ in after), cost + max(worst for _, worst in after)))
        return min(mean for mean, _ in found), min(worst for _, worst in found)

    mean, worst = of(tuple(range(len(rows))))
    return mean / sum(priors), worst


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("small", [True, False])
def test_trees_are_the_best_of_all(seed: int, small: bool, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not small:  # sets are split on arrays then, as large ones are
        monkeypatch.setattr(SmallTotals, "find", lambda *_: None)
    chance = Random(seed)
    size, tests, outcomes = chance.randint(2, 9), chance.randint(2, 8), chance.choice([2, 2, 3])
    rows = [[chance.choice("abc"[:outcomes]) for _ in range(tests)] for _ in range(size)]
    priors = [Fraction(chance.choice([1, 1, 2, 3, 5, 10]), chance.choice([1, 1, 2])) for _ in rows]
    costs = [Fraction(chance.choice([2, 2, 3, 6]), chance.choice([1, 2])) if seed % 2 else 1 for _ in range(tests)]
    problem, (mean, worst) = matrix(rows, priors, costs), least(rows, priors, costs)
    assert solve(problem, objective="expected", solver="expected-partitions").cost == mean
    if small:
        assert solve(problem, objective="expected").cost == mean
        assert solve(problem).cost == worst


@pytest.mark.parametrize("odds", [(1, 1, 2, 3, 5, 8), (1,) * 7, (40, 20, 20, 10, 5, 5)])
def test_with_all_tests_the_mean_is_that_of_huffmans_code(odds: tuple[int, ...], folder: Path) -> None:
    rows = [
        [
            "yes" if one in some else "no"
            for size in range(1, len(odds))
            for some in combinations(range(len(odds)), size)
        ]
        for one in range(len(odds))
    ]
    weights, total = [*odds], 0
    heapq.heapify(weights)
    while len(weights) > 1:
        joined = heapq.heappop(weights) + heapq.heappop(weights)
        total += joined
        heapq.heappush(weights, joined)
    found: Any = solve(matrix(rows, odds), objective="expected", solver="expected-partitions")
    assert found.cost == found.lower_bound == Fraction(total, sum(odds))


@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_answers_are_proved(objective: str, cli: Run, folder: Path) -> None:
    chance = Random(1)
    rows = [[chance.choice("ab") for _ in range(9)] for _ in range(14)]
    matrix(rows, [chance.choice([1, 2, 5]) for _ in rows])
    stdout(cli("identify", "m.csv", "--objective", objective, "--certificate", "c.json"))
    assert "the proof holds" in stdout(cli("verify", "c.json"))


def large(costs: Sequence[Any] = ()) -> Any:
    chance = Random(2)
    rows = [[chance.choice("aaaaaab") for _ in range(40)] for _ in range(80)]
    problem = matrix(rows, [chance.choice([1, 2, 3]) for _ in rows], costs)
    return problem, BitsetContingentView(problem, no_tick)


def test_a_stopped_search_for_the_mean_has_a_tree_and_a_bound(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem, view = large()

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt  # as by Ctrl-C

    monkeypatch.setattr(LeastTotals, "find", stop)
    game = game_of(view, no_tick)
    assert game is not None
    found: Any = expected_partitions_search(game)
    assert 6 < found.lower_bound < found.cost  # eighty things and yes-no questions take more than six
    verdict = check_plan(problem, found.plan)
    assert (verdict.holds, verdict.expected_cost) == (True, found.cost)


@pytest.mark.parametrize("objective", ["worst", "expected"])
@pytest.mark.parametrize("costs", [(), ("1", "2", "3"), ("1/2", "1.25")])
def test_whenever_a_search_is_stopped_it_has_a_tree(
    objective: str, costs: Sequence[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped where the first search begins, which is what the tree must not wait for."""

    def stop(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt  # as by Ctrl-C

    monkeypatch.setattr(Turns, "search", stop)
    monkeypatch.setattr("beliefsearch.planner.contingent.search_for_mean", stop)
    problem, _ = large([costs[test % len(costs)] for test in range(40)] if costs else ())
    found: Any = solve(problem, objective=objective)
    assert found.cost > 0
    verdict: Any = check_plan(problem, found.plan)
    assert (verdict.holds, verdict.expected_cost if objective == "expected" else verdict.cost) == (True, found.cost)


def test_a_tree_as_cheap_as_the_bound_ends_the_search(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.planner.contingent._on_table", lambda *_: pytest.fail("it went on"))
    chance = Random(7)
    rows = [[chance.choice("ab") for _ in range(60)] for _ in range(140)]
    found: Any = solve(matrix(rows, costs=[1 + test % 2 for test in range(60)]))
    assert found.cost == found.lower_bound == 8  # more than 128 things and yes-no questions
    assert check_plan(found.problem, found.plan).cost == 8


def test_which_hypotheses_are_alike_is_told(folder: Path) -> None:
    Path("m.csv").write_text("h;a\nx;1\ny;1\nz;2\n", encoding="utf-8-sig")
    with pytest.warns(DataWarning, match="no test tells these apart, so they are taken together: x and y"):
        problem = MatrixFileProblem(Path("m.csv"))
    assert solve(problem).cost == 1


BAD = {
    "line 3: 2 cells, where the first line has 3": "h,a,b\nx,1,2\ny,1\n",
    "line 3: the cell of the test 'b' is empty": "h,a,b\nx,1,2\ny,1,\n",
    "line 1: the test 'a' stands there twice": "h,a,a\nx,1,2\n",
    "line 1: a test has no name": "h,a,\nx,1,2\n",
    "line 1: several columns are called 'prior'": "h,a,prior,Prior\nx,1,2,3\n",
    "line 3: 'x' stands in line 2 already": "h,a\nx,1\nx,2\n",
    "line 2: the first cell is empty": "h,a\n,1\n",
    "line 2: '-2' in column 'prior' is no number": "h,a,prior\nx,1,-2\n",
    "line 3: '1e99' in column 'a' is no number": "h,a\nx,1\ncost,1e99\n",
    "line 2: unexpected end of data": 'h,a\nx,"1\n',
    "the priors come to 1,000,001 equally likely parts": "h,a,prior\nx,1,0.000001\ny,2,1\n",
    "the priors have too many denominators": "h,a,prior\n" + "".join(f"x{k},{k},1/{10**14 + k}\n" for k in range(9)),
    "write less into a cell": f"h,a\nx,{'1' * 200_000}\n",
    "it has no hypothesis that is possible": "h,a,prior\nx,1,0\n",
    "byte 0 is not of a text in UTF-8": b"\xff\xfe,a",
    "it must have the name of a column": "",
}


@pytest.mark.parametrize(("told", "text"), BAD.items())
def test_bad_files(told: str, text: str | bytes, cli: Run, folder: Path) -> None:
    Path("m.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BeliefSearchError, match=re.escape(told)):
        stdout_or_raise(cli("identify", "m.csv"))


def stdout_or_raise(found: tuple[int, str, str]) -> None:
    """Raise what a command said, which is one line."""
    assert_one_line(found)
    raise BeliefSearchError(found[2])


def test_a_column_or_row_that_is_asked_for_must_be_there(cli: Run, folder: Path) -> None:
    Path("m.csv").write_text("h,a,odds\nx,1,2\ny,2,1\nprice,3,\n")
    assert_one_line(cli("identify", "m.csv", "--prior", "odd"), "no column is called 'odd'; did you mean 'odds'?")
    assert_one_line(cli("identify", "m.csv", "--prior", "odds", "--cost", "z"), "no row is called 'z'")


def test_tabulators_part_the_columns_of_a_tsv(cli: Run, folder: Path) -> None:
    """Of three hypotheses one is twice as likely: four starts, which `verify` counts as what they stand for."""
    Path("m.tsv").write_text("h\ta,b,c,d\tprior\nx\t1,5\t2\ny\t2\t1\nz\t3\t1\n")
    stdout(cli("identify", "m.tsv", "--certificate", "c.json"))
    assert "1 step win from all 3 hypotheses" in stdout(cli("verify", "c.json"))


def test_who_gives_a_file_is_told_of_no_methods(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.planner.contingent.keep_early_tree", lambda *_: None)
    monkeypatch.setattr("beliefsearch.planner.contingent._FIRST", (Turn(False, 500),))
    chance = Random(7)
    problem = matrix([[chance.choice("ab") for _ in range(60)] for _ in range(200)], costs=[2, 3] * 30)
    found = solve(problem, limits=Limits(expanded=12))
    assert "tried before" in str(found.reason)
    assert str(found.reason).endswith("more time may help")


def test_other_problems_are_refused(cli: Run) -> None:
    assert "'devil' is no matrix" in cli("identify", "devil")[2]
