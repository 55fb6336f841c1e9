"""A stochastic problem whose state is seen and whose start is random: it is seen from the start."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from beliefsearch import BeliefSearchError, PolicyResult, StochasticProblem, load, save, simulate, solve, verify_file
from beliefsearch.graph import winning_region
from beliefsearch.page import problem_page
from beliefsearch.testing import brute_force_answer

from ..conftest import Run


@frozen
class Cabs(StochasticProblem[int, str]):
    """A cab begins at some corner of a street, and is paid 20 at its end.

    A step leads one corner on or two and costs 1, a jump two and costs 3.
    """

    length: int = 5
    ended: bool = False
    exact: bool = True

    def initial_distribution(self) -> list[tuple[Any, int]]:
        share = Fraction(1, self.length) if self.exact else 1 / self.length
        return [(share, corner) for corner in range(self.ended, self.length + self.ended)]

    def actions(self, state: int) -> list[str]:
        return ["step", "jump"]

    def outcomes(self, state: int, action: str) -> list[tuple[Any, int]]:
        half: Any = Fraction(1, 2) if self.exact else 0.5
        if action == "step":
            return [(half, state + 1), (half, min(state + 2, self.length))]
        return [(1, min(state + 2, self.length))]

    def is_terminal(self, state: int) -> bool:
        return state == self.length

    def utility(self, state: int) -> int:
        return 20

    def reward(self, state: int, action: str) -> int:
        return -1 if action == "step" else -3


def by_hand(problem: Cabs) -> Fraction:
    """What is left to pay, corner by corner from the end."""
    worth = [Fraction(20), max(Fraction(20) - 1, Fraction(20) - 3)]
    for _ in range(2, problem.length + 1):
        worth.append(max((worth[-1] + worth[-2]) / 2 - 1, worth[-2] - 3))
    left = [problem.length - corner for corner in range(problem.ended, problem.length + problem.ended)]
    return sum(map(worth.__getitem__, left), Fraction(0)) / len(left)


PROBLEMS = [Cabs(), Cabs(ended=True), Cabs(4, exact=False), Cabs(3, ended=True, exact=False)]


@pytest.mark.parametrize("problem", PROBLEMS, ids=repr)
def test_its_value_is_the_mean_of_its_starts(problem: Cabs, tmp_path: Path) -> None:
    value = by_hand(problem)
    for solver in ("auto", "policy-iteration"):
        result = solve(problem, solver=solver)
        assert result.value == (value if problem.exact else pytest.approx(float(value)))
        assert result.require_policy().start_value(problem) == result.value
    assert brute_force_answer(problem) == pytest.approx(float(value))
    path = tmp_path / "cabs.json"
    save(result, path)
    verdict = verify_file(path, problem=problem)
    assert verdict.holds, verdict.complaint
    again = load(path, problem=problem)
    assert isinstance(again, PolicyResult)
    assert again.value == result.value
    lie = json.loads(path.read_text())
    path.write_text(json.dumps({**lie, "value": 20}))
    assert not verify_file(path, problem=problem).holds
    games = simulate(problem, result.policy, games=4000, seed=1)
    assert float(games.mean) == pytest.approx(float(value), abs=0.5)


def test_a_known_start_is_needed_to_win_almost_surely() -> None:
    for ask in (lambda: solve(Cabs(), objective="almost-sure"), lambda: winning_region(Cabs())):
        with pytest.raises(BeliefSearchError, match="Cabs has several"):
            ask()


def test_every_command_says_where_it_begins(cli: Run, folder: Path) -> None:
    source = Path(__file__).read_text().partition("def by_hand")[0]
    lines = [line for line in source.splitlines() if not line.startswith(("from ..", "import pytest"))]
    (folder / "cabs.py").write_text("\n".join(lines))
    code, out, _ = cli("run", "./cabs.py:Cabs")
    value = str(by_hand(Cabs()))
    assert (code, f"value {value}" in out) == (0, True), out
    assert "At the likeliest of 5 starts, 0: " in out
    for command in ("show", "explain", "describe", "simulate", "check"):
        assert cli(command, "./cabs.py:Cabs")[0] == 0
    assert "(the state is seen, from the start)" in cli("check", "./cabs.py:Cabs")[1]
    assert "(the first percept comes after the first action)" in cli("check", "tiger")[1]
    assert "(nothing is ever perceived)" in cli("check", "devil", "--n", 2)[1]


def test_its_page_and_its_graph_begin_with_one_start() -> None:
    assert "The game begins at the likeliest of 5 starts, 0." in problem_page(Cabs())
