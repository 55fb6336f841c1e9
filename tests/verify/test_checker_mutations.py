"""Mutation testing of the checker of tables: a case of test_checker_conditions.py notices any change of it.

A mutant that survives is either listed here with the reason why it may, or a case is missing.
"""

from __future__ import annotations

import ast
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from random import Random
from types import CodeType, FrameType, ModuleType
from typing import Any, NamedTuple

import pytest

from .test_checker_conditions import FILE, every_case, holding

_ELSEWHERE = {"main", "read_json", "shown", "conclusion"}
"""Functions that read and print; test_checker.py has their tests."""

_SECONDS = 0.5
"""A mutant that computes for longer than that is taken to go on for ever."""

_OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.Mult,),
    ast.LShift: (ast.RShift,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
_PAIRS = ("min", "max"), ("any", "all"), ("issuperset", "issubset"), ("numerator", "denominator")
_NAMES = {name: other for pair in _PAIRS for name, other in (pair, pair[::-1])}

_SURVIVE = {
    "only the complaint": ["index: limit = ", "require: raise WrongError", "check_graph: worth, claimed = "],
    "quicker, with the same answer": [
        "Planes: if [not witness => False]:",
        "number: ...found.numerator if [found.denominator == 1 => False]",
        "number: ...found.denominator == [1 => 0]",
        "Counting: [frontier += ",
        "Counting: [going.update(",
        "Counting: near = [(o, t) for o, t in zip(see, to, strict=True) if [around[t] => True]]",
        "Counting: ...[all((costs is None for costs in game.costs)) => False] else self.see",
    ],
    "any number may be the unit, and fractions of it are no mistake": [
        "check_values: common, discount = ([1 => 2], ",
        "check_values: [common = math.lcm(common, v.denominator) if common < MOST_WEIGHT else common => ]",
        "check_values: for v in bounds[[0 => ",
        "check_values: for v in bounds[0] + bounds[[1 => 0]]:",
        "check_values: ...if [common < MOST_WEIGHT => ",
        "check_values: ...if common <[ => =] MOST_WEIGHT",
        "check_values: ...if common [< => >=] MOST_WEIGHT",
        "check_values: ...else [1 => 2]",
        "check_values: ...(v * unit)).denominator == [1 => 0]",
    ],
    "there is only one": [
        "Game: ...len(row) == len(row[[0 => -1]][1]) == 1",
        "Game: return ([row[[0 => -1]][0] for row in rows]",
        "Game: ...[row[[0 => -1]][1][0] for row in rows])",
        "Game: ...[row[0][1][[0 => -1]] for row in rows])",
        "check_flows: ...a[ny => ll]((target in results for _, results in row or ()))",
    ],
    "any of them will do, since all have to agree": [
        "Game: ...self.goals_around(members[[0 => -1]])",
        "Game: (percept, _), *_ = self.steps[action][part[[0 => -1]]]",
        "symmetries_of: images_of = operator.itemgetter([0 => -1], *image)",
    ],
    "it makes no difference to what is refused before or after": [
        "check_mean: ...index(w, [1 => 2] << 60, 'a weight')",  # the weights are too many in sum
        "check_mean: ...index(w, 1 << 6[0 => 1], 'a weight')",
        "check_mean: ...index(w, 1 << [60 => 59], 'a weight')",
        "check_flows: ...default=[0 => 1])",  # an action that never applies has no flows
        "check_plan: (percept, (t, *others)), *more = rows[s] or ((",  # it applies
        "Planes: there = ...repeat([0 => -1])",  # a share is above 0
    ],
    "it is never used": [
        "Counting: ...for c in costs or [1] if c is not None), default=[",  # no action applies
        "Counting: ...count + 1 [- => +] len(self.least)",  # bounds of more starts than there are
        "Counting: ...count + [1 => 2] - len(self.least)",
        "check_planes: found = ...start, [1 => ",  # the scale without a share
        "check_planes: found = ...start, 1, []), bounds.upper(sums, start, [1 => ",
        "Planes: parts = [*self.after(",  # what shorter sums need
    ],
    "above 0 a rank has to fall, and then no loss allows the value": [
        "check_graph: [require(not losses or value <= 0",
        "check_graph: require(not losses or value <[= => ] 0",
        "check_graph: require(not losses or value <= [0 => ",
    ],
    "without a number there is no reward either, and that counts as losses": [
        "check_planes: ...min(numbers, default=[0 => "
    ],
    "one character of a number more or less": ["number: ...len(data) >[ => =] MOST_DIGITS"],
}
"""By reason the mutants that may survive: how the line begins, or after dots what is in it, with the change."""

_ENTRIES = {entry for those in _SURVIVE.values() for entry in those}

_FEW_IMAGES = 24
"""The limit of images of symmetries in these tests: so many has the case that is called "three"."""


class Mutant(NamedTuple):
    """A change of a function, or a class: what is put where."""

    function: ast.FunctionDef | ast.ClassDef
    statement: ast.AST  # in which it is
    holder: Any  # a node or a list
    place: Any  # the name of a field, or the place in the list
    new: Any

    @contextmanager
    def made(self) -> Iterator[None]:
        """The tree with the change."""
        put = self.holder.__setitem__ if isinstance(self.holder, list) else partial(setattr, self.holder)
        old = self.holder[self.place] if isinstance(self.holder, list) else getattr(self.holder, self.place)
        put(self.place, self.new)
        try:
            yield
        finally:
            put(self.place, old)

    def __str__(self) -> str:
        before = after = _line(self.statement)
        if not isinstance(self.new, ast.Pass):
            with self.made():
                after = _line(self.statement)
        if before == after:
            return f"{self.function.name}: [{before} => ]"
        first = _alike(before, after)
        end = _alike(before[first:][::-1], after[first:][::-1])
        old, new = before[first : len(before) - end], after[first : len(after) - end]
        return f"{self.function.name}: {before[:first]}[{old} => {new}]{before[len(before) - end :]}"


def _alike(first: str, second: str) -> int:
    """So many characters at the beginning are the same."""
    return next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def _line(statement: ast.AST) -> str:
    """A statement as text; of one with others inside the first line."""
    lines = ast.unparse(statement).splitlines()
    return lines[0] if hasattr(statement, "body") else " ".join(map(str.strip, lines))


def _mutants(function: ast.FunctionDef | ast.ClassDef) -> Iterator[Mutant]:
    """All the changes of a function, or of a class, in order."""

    def within(node: ast.AST, statement: ast.AST) -> Iterator[Mutant]:
        inner = node if isinstance(node, ast.stmt) else statement
        for holder, place, new in _changes(node):
            yield Mutant(function, holder[place] if isinstance(new, ast.Pass) else inner, holder, place, new)
        for child in ast.iter_child_nodes(node):
            if child not in _texts_and_types(node):
                yield from within(child, inner)

    yield from within(function, function)


def _texts_and_types(node: ast.AST) -> list[Any]:
    """Parts that say nothing about what holds: annotations, complaints, and `strict` for what has been looked at."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("require", "unreadable"):
        return node.args[node.func.id == "require" :]
    if isinstance(node, ast.Call):
        return [keyword for keyword in node.keywords if keyword.arg == "strict"]
    return [getattr(node, "annotation", None), getattr(node, "returns", None)]


def _changes(node: ast.AST) -> Iterator[tuple[Any, Any, Any]]:
    """The changes in a node: where, and what is put there."""
    if isinstance(node, ast.Compare):
        yield from ((node.ops, i, new()) for i, op in enumerate(node.ops) for new in _OPERATORS[type(op)])
    if isinstance(node, (ast.BoolOp, ast.BinOp, ast.AugAssign)):
        yield from ((node, "op", new()) for new in _OPERATORS[type(node.op)])
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield node, "value", not node.value
        elif isinstance(node.value, int):
            yield from ((node, "value", node.value + by) for by in (1, -1))
    if isinstance(node, ast.Name) and node.id in _NAMES:
        yield node, "id", _NAMES[node.id]
    if isinstance(node, ast.Attribute) and node.attr in _NAMES:
        yield node, "attr", _NAMES[node.attr]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, "operand", ast.UnaryOp(ast.Not(), node.operand)
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield from ((node, "test", ast.Constant(value)) for value in (True, False))
    if isinstance(node, ast.comprehension):
        yield from ((node.ifs, i, ast.Constant(True)) for i in range(len(node.ifs)))
    for statements in (getattr(node, "body", None), getattr(node, "orelse", None)):
        for i, statement in enumerate(statements if isinstance(statements, list) else ()):
            documents = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign, ast.Continue)) and not documents:
                yield statements, i, ast.Pass()


class _LateError(BaseException):
    """A mutant computes for too long."""


@contextmanager
def _limit() -> Iterator[None]:
    def late(number: int, frame: FrameType | None) -> None:
        raise _LateError

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)  # of this process alone, however busy the machine
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Mutations:
    """The checker as a tree, the cases, and its answers."""

    def __init__(self) -> None:
        self._tree = ast.parse(FILE.read_text(encoding="utf-8"))
        self._code = {statement: _compiled(statement) for statement in self._tree.body}
        game, tables = holding("three")
        more = deepcopy(tables)
        more["tables"][0]["symmetries"] += more["tables"][0]["symmetries"][:1]
        self._cases = [*every_case(), (game, more), (game, None)]
        checker = self._module({})
        self._answers = [_answer(checker, *case) for case in self._cases]

    def mutants(self) -> Iterator[Mutant]:
        """Every change of a function or a class."""
        for statement in self._tree.body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name not in _ELSEWHERE:
                yield from _mutants(statement)

    def _module(self, other: dict[ast.stmt, CodeType]) -> ModuleType:
        """The checker, with other code for some of its statements."""
        module = ModuleType("mutated_checker")
        sys.modules[module.__name__] = module  # the annotations are looked up there
        for code in ({**self._code, **other}).values():
            exec(code, module.__dict__)
        module.__dict__["MOST_IMAGES"] = _FEW_IMAGES
        return module

    def survives(self, mutant: Mutant) -> bool:
        """Whether all cases are answered as before."""
        try:
            with _limit(), mutant.made():
                module = self._module({mutant.function: _compiled(mutant.function)})
                pairs = zip(self._cases, self._answers, strict=True)
                return all(_answer(module, *case) == answer for case, answer in pairs)
        except (_LateError, Exception):  # not even a checker any more
            return False


def _compiled(statement: ast.stmt) -> CodeType:
    return compile(ast.fix_missing_locations(ast.Module([statement], [])), "mutated_checker", "exec")


def _answer(module: ModuleType, game: Any, tables: Any) -> Any:
    """The claims, or the name of the error."""
    try:
        return [tuple(claim) for claim in module.check(game, tables)]
    except Exception as error:
        return type(error).__name__


def _reasons(mutant: Mutant) -> list[str]:
    """The entries of `_SURVIVE` that are about it."""
    text, found = str(mutant), []
    for entry in _ENTRIES:
        first, dots, part = entry.partition("...")
        if text.startswith(first) and (part in text if dots else True):
            found.append(entry)
    return found


def _is_condition(mutant: Mutant) -> bool:
    """Whether it leaves out what would stop the checker."""
    return isinstance(mutant.new, ast.Pass) and _line(mutant.statement).startswith(("require(", "unreadable("))


def test_some_changes_are_noticed() -> None:
    """All conditions that are left out, and a few of the other changes."""
    mutations = Mutations()
    mutants = list(mutations.mutants())
    conditions = [mutant for mutant in mutants if _is_condition(mutant)]
    assert len(conditions) > 70
    few = Random(7).sample(mutants, 30)
    changed = [mutant for mutant in conditions + few if not _reasons(mutant)]
    assert [str(mutant) for mutant in changed if mutations.survives(mutant)] == []


@pytest.mark.thorough
def test_every_change_is_noticed_or_listed() -> None:
    mutations = Mutations()
    mutants = list(mutations.mutants())
    assert len(mutants) > 1400
    survivors = [mutant for mutant in mutants if mutations.survives(mutant)]
    assert [str(mutant) for mutant in survivors if not _reasons(mutant)] == []
    noticed = [str(mutant) for mutant in mutants if _reasons(mutant) and mutant not in survivors]
    assert noticed == [], "these are listed and noticed"
    assert {entry for mutant in survivors for entry in _reasons(mutant)} == _ENTRIES, "entries are about no mutant"
