"""The table of kinds: every command works for every kind of problem, or refuses with the reason that stands there."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import BeliefSearchError, Limits, ProblemError, check_plan, prove, solve
from beliefsearch.cli.output import as_option
from beliefsearch.engine.views import view_of
from beliefsearch.errors import Unfit, Worded
from beliefsearch.graph import belief_graph
from beliefsearch.kinds import MISSING, Kind, Lacks, is_plain, is_stochastic, kind_of, require
from beliefsearch.planner.mismatches import Mismatch
from beliefsearch.plugins.options import build_problem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.nim import NimProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.vacuum import VacuumProblem

from .conftest import Run

PROBLEMS: dict[Kind, Any] = {
    Kind.PLAIN: NineTailsProblem("HHTT", rows=2, cols=2),
    Kind.SENSORLESS: DevilProblem(n=2),
    Kind.CONTINGENT: VacuumProblem(squares=2, sensing="local"),
    Kind.STOCHASTIC: GamblerProblem(goal=4, capital=2),
    Kind.POMDP: TigerProblem(),
}
ON_THE_LINE = {
    Kind.PLAIN: "nine-tails --rows 2 --cols 2 --start HHTT",
    Kind.SENSORLESS: "devil --n 2",
    Kind.CONTINGENT: "vacuum --squares 2 --sensing local",
    Kind.STOCHASTIC: "gambler --goal 4 --capital 2",
    Kind.POMDP: "tiger --discounted 0.75",
}
COMMANDS = (
    "describe",
    "run",
    "run --output plan.json",
    "show",
    "play --watch --seed 1",
    "simulate --games 3 --seed 1",
    "prove",
    "explain",
    "export --output graph.json",
    "check",
)

# How some capabilities are asked for from Python.
ASKED: dict[str, Callable[[Any], object]] = {
    "play blindfolded": lambda problem: build_problem(problem, True),
    "begin with a belief": lambda problem: build_problem(problem, False, ["any"]),
    "graph of beliefs": belief_graph,
    "search for a plan": view_of,
    "check a plan": lambda problem: check_plan(problem, ()),
    "prove": prove,
}


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
def test_the_kind_of_a_problem(kind: Kind) -> None:
    assert kind_of(PROBLEMS[kind]) is kind
    assert is_plain(PROBLEMS[kind]) == (kind is Kind.PLAIN)
    assert is_stochastic(PROBLEMS[kind]) == (kind in (Kind.STOCHASTIC, Kind.POMDP))


def test_an_observable_problem_is_contingent_and_a_blindfolded_one_sensorless() -> None:
    assert kind_of(NimProblem()) is Kind.CONTINGENT
    assert kind_of(VacuumProblem(squares=2)) is Kind.SENSORLESS
    assert kind_of(build_problem(NineTailsProblem(rows=2, cols=2), True)) is Kind.SENSORLESS
    for thing in ("devil", DevilProblem, None):
        with pytest.raises(ProblemError, match="is no problem"):
            kind_of(thing)


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works_or_says_what_the_table_says(command: str, kind: Kind, cli: Run, folder: Path) -> None:
    name, *options = command.split()
    code, _, err = cli(name, *ON_THE_LINE[kind].split(), *options)
    if code == 2:
        reasons = [missing[kind] for missing in MISSING.values() if kind in missing]
        texts = [Worded(reason.value, name="NAME", option="option").worded(as_option) for reason in reasons]
        assert any(re.search(re.escape(text).replace("NAME", ".+"), err) for text in texts), err
    else:
        assert code in (0, 1), err
    if command.startswith("run --output"):
        assert cli("verify", "plan.json")[0] == 0


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
@pytest.mark.parametrize("capability", MISSING)
def test_an_empty_cell_is_a_refusal_with_its_reason_and_a_full_one_is_none(capability: str, kind: Kind) -> None:
    reason = MISSING[capability].get(kind)
    if reason is None:
        require(capability, PROBLEMS[kind])
        return
    with pytest.raises(Unfit) as refused:
        require(capability, PROBLEMS[kind], "NAME")
    assert refused.value.code is reason
    asked = ASKED.get(capability)
    if asked is not None:
        with pytest.raises(Unfit) as from_python:
            asked(PROBLEMS[kind])
        assert from_python.value.code is reason
        assert type(PROBLEMS[kind]).__name__ in str(from_python.value)


def test_an_argument_is_worded_for_python_and_for_the_command_line() -> None:
    error = Unfit(Lacks.NO_PART, name="NAME {0} [option]", option="moves")
    assert str(error) == "moves plays no part in a stochastic problem such as NAME {0} [option]"
    assert error.worded(as_option) == f"--{error}"
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.code, str(copy), copy.worded(as_option)) == (error.code, str(error), f"--{error}")
    text = Worded("use [solver=policy-iteration], [store=DIR] or [{options}]", options=["max_nodes", "all"])
    assert text == 'use solver="policy-iteration", store=DIR or max_nodes, all'
    assert text.worded(as_option) == "use --solver policy-iteration, --store DIR or --max-nodes, --all"


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
def test_no_message_of_the_library_names_an_option_of_the_command_line(kind: Kind) -> None:
    for reason in Lacks:
        assert " --" not in Worded(reason.value, name="NAME", option="option")
    for options in (
        {"weight": 2},
        {"horizon": 2},
        {"heuristic": "information-bound"},
        {"engine": "compiled"},
        {"tolerance": 9},
    ):
        with suppress(Unfit):
            solve(PROBLEMS[kind], **options, limits=Limits(seconds=5))
            continue
        with pytest.raises(Unfit) as refused:
            solve(PROBLEMS[kind], **options)
        assert "--" not in str(refused.value)


def test_an_option_that_plays_no_part_is_one_error() -> None:
    with pytest.raises(Unfit) as refused:
        solve(PROBLEMS[Kind.POMDP], weight=2)
    assert refused.value.code is Mismatch.NO_PART
    assert str(refused.value) == (
        "weight plays no part in a partially observable stochastic problem such as TigerProblem, which takes engine, "
        "precision, horizon"
    )
    mistyped: dict[str, Any] = {"wieght": 2}
    with pytest.raises(BeliefSearchError, match="did you mean 'weight'"):
        solve(PROBLEMS[Kind.PLAIN], **mistyped)


def test_every_capability_of_the_table_is_asked_somewhere() -> None:
    package = Path(__file__).parent.parent / "beliefsearch"
    texts = " ".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py") if path.name != "kinds.py")
    # Those that go by an option are asked for by its name.
    asked = {capability.rpartition(" ")[0] if " with " in capability else capability for capability in MISSING}
    assert {capability for capability in asked if f'"{capability}' not in texts} == set()


def test_nobody_else_asks_for_the_class_of_a_problem() -> None:
    """Which kind it is, is decided in `kinds.py`; what an author gave beyond that is a hook, and another question."""
    package = Path(__file__).parent.parent / "beliefsearch"
    kinds = re.compile(r"\b(Problem|BeliefProblem|ObservableProblem|StochasticProblem)\b")
    texts = {
        path: path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py")) if path.name != "kinds.py"
    }
    asking = [
        f"{path.relative_to(package)}:{node.lineno}"
        for path, text in texts.items()
        if re.search(r"\b(isinstance|issubclass)\b", text) and kinds.search(text)  # to parse all takes seconds
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("isinstance", "issubclass")
        and kinds.search(ast.unparse(node.args[1]))
    ]
    # Those that are left look at classes, before there is a problem.
    assert len(asking) <= 3, asking
