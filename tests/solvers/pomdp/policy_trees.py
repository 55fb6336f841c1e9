"""The value of a partially observable problem by trying every policy there is; shares no code with the package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from ...random_pomdps import TablePomdp

Tree: TypeAlias = "tuple[str, Mapping[int, Any]] | None"
"""What to do, and by percept the tree that goes on; None where nothing is done any more."""


def trees(problem: TablePomdp, horizon: int) -> Iterator[Tree]:
    """Every policy for so many actions, of actions that apply everywhere."""
    if horizon == 0:
        yield None
        return
    names = sorted(set.intersection(*(set(row) for row in problem.table)))
    percepts = sorted({percept for pairs in problem.percepts.values() for _, percept in pairs})
    later = list(trees(problem, horizon - 1))
    for name in names:
        for chosen in product(later, repeat=len(percepts)):
            yield name, dict(zip(percepts, chosen, strict=True))


def worth(problem: TablePomdp, tree: Tree, state: int) -> Fraction:
    """What a tree is worth from a state, by following everything that may happen."""
    if problem.is_terminal(state):
        return Fraction(problem.utility(state))
    if tree is None:
        return Fraction(0)
    name, later = tree
    reward, outcomes = problem.table[state][name]
    total = Fraction(reward)
    for chance, result in outcomes:
        if problem.is_terminal(result):
            total += problem.factor * chance * problem.utility(result)
            continue
        for seen, percept in problem.percepts[result, name]:
            total += problem.factor * chance * seen * worth(problem, later[percept], result)
    return total


def best_value(problem: TablePomdp, horizon: int) -> Fraction:
    """The greatest expected reward of all policies."""
    return max(
        sum((chance * worth(problem, tree, state) for chance, state in problem.start), Fraction(0))
        for tree in trees(problem, horizon)
    )
