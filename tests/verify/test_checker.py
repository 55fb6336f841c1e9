"""The checker of tables: what it accepts is true, by brute force; it stands alone, and a second checker agrees."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from beliefsearch.verify import checker, mean_bits
from beliefsearch.verify.asked_game import AskedGame
from beliefsearch.verify.checker import (
    Claim,
    Game,
    UnreadableError,
    WrongError,
    check,
    check_mean,
    conclusion,
    main,
    read_json,
)
from beliefsearch.verify.mean_bits import BitCounting
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.tiger import TigerProblem

from ..contingent_problems import SightedTable, sighted_problems
from ..examples import examples
from ..random_games import games, never_ends
from ..random_pomdps import pomdps
from ..random_problems import belief_problems
from ..table_mutants import certain_problems, certificate, mutant, places, truth, weights_certificate
from .test_checker_conditions import holding, names_that_hold

FILE = Path(str(checker.__file__))
ROOT = Path(__file__).parent.parent.parent
SCRIPT = FILE.with_suffix(".js")

PROBLEMS = st.one_of(
    belief_problems(),
    sighted_problems(),
    sighted_problems(deterministic=True),
    games().filter(lambda game: not never_ends(game)),
    pomdps(),
    pomdps(discounted=False),
)

MUTANTS = 10
"""Of each certificate."""


@settings(max_examples=examples(120))
@given(PROBLEMS, st.integers(0, 2**32))
def test_what_holds_is_true_and_so_is_what_holds_of_a_changed_certificate(problem: Any, seed: int) -> None:
    assert_true(problem, certificate(problem, many=1 + seed % 2 * 300), Random(seed))


@settings(max_examples=examples(80))
@given(belief_problems(), st.integers(0, 2**32))
def test_so_is_what_weights_prove(problem: Any, seed: int) -> None:
    assert_true(problem, weights_certificate(problem), Random(seed))


@settings(max_examples=examples(80))
@given(certain_problems(), st.integers(0, 2**32))
def test_so_are_means(problem: Any, seed: int) -> None:
    assert_true(problem, certificate(problem, "expected"), Random(seed))


@settings(max_examples=examples(40))
@given(certain_problems(), st.integers(0, 2**32), st.sampled_from((255, 3, 2)))
def test_counting_in_bits_says_the_same(problem: Any, seed: int, many: int) -> None:
    """Of a certificate and of mutants, of the problem itself as of the list, and if percepts are not told apart."""
    made, random = certificate(problem, "expected"), Random(seed)
    assert made is not None
    game, tables = made
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mean_bits, "_MANY", many)
        for changed in (tables, *(mutant(tables, random) for _ in range(MUTANTS))):
            for table in changed["tables"] if isinstance(changed["tables"], list) else ():
                if isinstance(table, dict) and table.get("kind") == "mean":
                    asked = AskedGame(problem, game["names"])
                    assert _mean(Game(game), table, None) == _mean(Game(game), table, BitCounting)
                    assert _mean(Game(game), table, None) == _mean(asked, table, BitCounting)


def _mean(game: Game, table: Any, count_in: Any) -> Any:
    try:
        return check_mean(game, table, count_in)
    except (WrongError, UnreadableError) as error:
        return type(error)


def assert_true(problem: Any, made: tuple[Any, Any] | None, random: Random) -> None:
    """Assert that a certificate holds, and that whatever holds is true: of it and of mutants."""
    if made is None:
        return
    game, tables = made
    is_true = truth(problem)
    claims = check(game, tables)
    assert all(map(is_true, claims)), claims
    for _ in range(MUTANTS):
        changed = mutant(tables, random)
        try:
            claims = check(game, changed)
        except (WrongError, UnreadableError):
            continue
        assert all(map(is_true, claims)), (changed, claims)


@settings(max_examples=examples(60))
@given(st.one_of(belief_problems(), sighted_problems()))
def test_the_tables_prove_the_least_cost(problem: Any) -> None:
    made = certificate(problem)
    assert made is not None
    claims = check(*made)
    assert {claim.side for claim in claims} <= {">=", "<="}
    if len(claims) == 2 and claims[0].value is not None:
        assert conclusion(claims) == "so that is optimal"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_second_checker_agrees(tmp_path: Path) -> None:
    """On every certificate and every mutant: both refuse, or both accept and claim the same."""
    cases: list[tuple[Any, Any]] = []

    @settings(max_examples=examples(60))
    @given(st.one_of(PROBLEMS, certain_problems()), st.integers(0, 2**32))
    def collect(problem: Any, seed: int) -> None:
        made = certificate(problem, _objective(problem), many=1 + seed % 2 * 300)
        if made is not None:
            random = Random(seed)
            cases.extend((made[0], tables) for tables in (made[1], *(mutant(made[1], random) for _ in range(MUTANTS))))

    collect()
    (tmp_path / "cases.json").write_text(json.dumps([[json.dumps(part) for part in case] for case in cases]))
    says = subprocess.run(
        ["node", "-e", _ALL, str(SCRIPT), str(tmp_path / "cases.json")], capture_output=True, text=True, check=True
    )
    theirs = json.loads(says.stdout)
    assert len(theirs) == len(cases) > 100
    for (game, tables), answer in zip(cases, theirs, strict=True):
        assert _ours(game, tables) == answer, (game, tables)


def _objective(problem: Any) -> str:
    """The mean, if only the start is uncertain."""
    if not isinstance(problem, SightedTable):
        return "worst"
    results = (results for row in problem.table for results in row.values())
    certain = all(len(some) == 1 for some in (*results, *problem.sights.values()))
    return "expected" if certain else "worst"


_ALL = """
const { check, text } = require(process.argv[1]);
const cases = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(cases.map(([game, tables]) => {
  try {
    return check(game, tables).map(([kind, side, value]) => [kind, side, value && text(value)]);
  } catch (error) {
    return null;
  }
})));
"""


def _ours(game: Any, tables: Any) -> Any:
    try:
        return [
            [claim.kind, claim.side.replace("=", ">=") if claim.side == "=" else claim.side, _text(claim)]
            for claim in check(game, tables)
        ]
    except (WrongError, UnreadableError):
        return None


def _text(claim: Claim) -> str | None:
    return None if claim.value is None else "infinity" if claim.value == checker.INFINITE else str(claim.value)


@settings(max_examples=examples(40))
@given(st.one_of(PROBLEMS, certain_problems()))
def test_files_keep_the_schema(problem: Any) -> None:
    made = certificate(problem, _objective(problem))
    for data in made or ():
        _SCHEMA.validate(data)


_SCHEMA = Draft202012Validator(json.loads((ROOT / "docs" / "certificate-format.schema.json").read_text()))


def test_it_stands_on_the_standard_library_alone_and_is_short() -> None:
    tree = ast.parse(FILE.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
    assert all(node.level == 0 for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    length = len(FILE.read_text(encoding="utf-8").splitlines())
    assert length <= 1000
    assert f"one file of {length:,} lines" in (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")


def test_it_runs_by_itself(tmp_path: Path) -> None:
    game, tables = _files(tmp_path)
    words = [sys.executable, "-I", "-S", str(FILE), str(game), str(tables)]
    says = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (says.returncode, says.stdout.splitlines()[-1]) == (0, "so that is optimal")
    if shutil.which("node"):
        says = subprocess.run(["node", str(SCRIPT), str(game), str(tables)], capture_output=True, text=True, check=True)
        assert says.stdout.splitlines() == ["holds: plan: <= 3", "holds: flows: >= 3"]


def _files(folder: Path) -> tuple[Path, Path]:
    made = certificate(DevilProblem(n=2))
    assert made is not None
    paths = folder / "game.json", folder / "tables.json"
    for path, data in zip(paths, made, strict=True):
        path.write_text(json.dumps(data))
    return paths


def test_a_mistake_is_named_by_its_entry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, tables = _files(tmp_path)
    wrong = json.loads(tables.read_text())
    wrong["tables"][0]["nodes"][1][2] = 1
    tables.write_text(json.dumps(wrong))
    assert main([str(game), str(tables)]) == 1
    assert capsys.readouterr().out == "does not hold: an option of node 1 costs 2 which is more than its value\n"


_HEAD = '{"format": "beliefsearch-certificate", "version": 1, "tables": [%s]}'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[" * 200_000, "cannot be read"),
        ('{"a": ' * 50_000, "cannot be read"),
        ('{"format": 1, "format": 2}', "a field twice"),
        ('{"format": 1e999999999}', "no exact number"),
        ('{"format": 1.5}', "no exact number"),
        ('{"format": NaN}', "no exact number"),
        ('{"format": ' + "9" * 100_000 + "}", "too many digits"),
        ("\ufeff{}", "cannot be read"),
        ("null", "none of the format"),
        ('{"format": "beliefsearch-certificate", "version": 2}', "none of the format"),
        (_HEAD % "", "no table"),
        (_HEAD % '{"kind": ["plan"]}', "none such is about"),
        (_HEAD % '{"kind": "values"}', "none such is about a game of beliefs"),
        (_HEAD % '{"kind": "plan"}', "lacks the field 'root'"),
    ],
)  # fmt: skip
def test_what_is_no_certificate_is_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    game, tables = _files(tmp_path)
    tables.write_text(text, encoding="utf-8")
    assert main([str(game), str(tables)]) == 2
    said = capsys.readouterr().out
    assert complaint in said
    assert len(said.splitlines()) == 1
    assert len(said) < 500


@settings(max_examples=examples(150))
@given(
    st.sampled_from((DevilProblem(n=2), MontyHallProblem(), TigerProblem(), *names_that_hold())),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_odd_things_in_the_place_of_any_part_raise_no_other_errors(problem: Any, in_game: bool, seed: int) -> None:
    if str(problem) not in _MADE:
        _MADE[str(problem)] = holding(problem) if isinstance(problem, str) else certificate(problem)
    made, random = _MADE[str(problem)], Random(seed)
    files = deepcopy(made)
    box, key = random.choice(list(places(files[not in_game])))
    box[key] = random.choice(_ODD)
    with suppress(WrongError, UnreadableError):
        check(*files)


_MADE: dict[str, Any] = {}
_ODD: list[Any] = [None, True, -1, 2**70, "x", "1/0", "1e9", "-2/4", [], [[]], {}, {"a": 1}, [None], "9" * 50, [0, 0]]


def test_a_value_is_a_fraction_and_nothing_is_rounded(tmp_path: Path) -> None:
    claims = check(*(certificate(DevilProblem(n=3)) or (0, 0)))
    assert [claim.value for claim in claims] == [checker.INFINITE]
    path = tmp_path / "long.json"
    path.write_text(json.dumps({"n": 10**400}))
    assert read_json(str(path)) == {"n": 10**400}
    assert checker.number("6/4", "it") == Fraction(3, 2)
