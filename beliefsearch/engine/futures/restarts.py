"""Plans of words that each begin at the start: the separating words of a machine that can be brought back to it."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ...model.belief import initial_states, perceived
from ...model.hooks import RestartHook
from ...plans.plan import ConditionalPlan, PlanNode
from ...plans.result import SearchResult
from ...plans.wording import plural
from ...running.run import Record, Run
from .partitions import NEVER_APART, Partitions, dividing_word, partitions
from .tables import FutureTables, future_tables

_FEW_PAIRS = 5_000  # of starts by actions: with fewer, other searches find the least cost where percepts are seen


def search_with_restarts(problem: Any, run: Run) -> SearchResult[Any] | None:
    """Find a plan of shortest words that tell starts apart, each from the start again; None of other or small problems.

    Where percepts are seen the words that a start meets on its way down the tree of divided sets are its own, and those
    of two starts have one that tells them apart (harmonized identifiers); else all words are gone through, without
    those with which others begin (a characterizing set). No plan costs less than the dearest pair of starts.
    """
    restart = problem.restart() if isinstance(problem, RestartHook) else None
    if restart is None:
        return None
    record: Record[Any, Any] = Record("separating-words", problem, run)
    with record:
        action, played = restart
        tables = future_tables(played, record.tick)
        if tables is None:
            return None
        if not problem.is_sensorless() and len(tables.starts) ** 2 * len(tables.after) < _FEW_PAIRS:
            return None
        apart = partitions(tables, record.tick, valid=False)
        pair, bound = apart.last_apart(tables.starts)
        if bound == NEVER_APART:
            names = ",".join(str(tables.futures[s]) for s in pair.tolist())
            return evolve(record.unsolvable(), engine="compiled", reason=f"{names} cannot be told apart")
        words = _words(tables, apart)
        many = len({*map(tuple, words.values())})
        longest = plural(bound, "action")
        reason = f"its {many:,} words of at most {longest} are the shortest for each set, not the fewest"
        if problem.is_sensorless():
            found = sorted({tuple(word) for word in words.values()})
            kept = [one for one, other in zip(found, [*found[1:], ()], strict=True) if other[: len(one)] != one]
            steps = [[tables.actions_[a] for a in word] for word in kept]
            plan: Any = [step for word in steps for step in [action, *word]][1:]
            return _answer(record.solved(plan, len(plan), bound), reason)
        first = next(iter(initial_states(problem)))
        plan = _plan(tables, words, action, next(iter(perceived(problem, first, action))))
        return _answer(record.solved(plan, int(plan.depth), bound), reason)
    return evolve(record.undecided(), engine="compiled")


def _answer(result: SearchResult[Any], reason: str) -> SearchResult[Any]:
    return evolve(result, engine="compiled", reason=None if result.optimal else reason)


def _words(tables: FutureTables[Any], apart: Partitions) -> dict[bytes, list[int]]:
    """The shortest word that divides each set of starts that comes up, all of them being divided so."""
    found: dict[bytes, list[int]] = {}
    waiting = [tables.starts]
    while waiting:
        members = waiting.pop()
        if len(members) > 1:
            word = found[members.tobytes()] = dividing_word(tables, apart, members, valid=False)
            waiting += [part for _, part in _divided(tables, members, word)]
    return found


def _divided(
    tables: FutureTables[Any], members: NDArray[np.int32], word: list[int]
) -> list[tuple[list[int], NDArray[np.int32]]]:
    """Divide starts by a word: what is perceived along it, and the starts of which it is so."""
    now, said = members, []
    for a in word:
        said.append(tables.percepts[a][now])
        now = tables.after[a][now]
    last = said[-1]
    return [([*(int(row[last == k][0]) for row in said)], members[last == k]) for k in np.unique(last).tolist()]


def _plan(
    tables: FutureTables[Any], words: dict[bytes, list[int]], action: Any, back: Any
) -> ConditionalPlan[Any, Any]:
    """The plan that goes through the words of the sets, the action and what is perceived by it between them."""
    if not words:
        return ConditionalPlan((PlanNode(None),))
    nodes: list[PlanNode[Any, Any] | None] = [None]
    end: int | None = None
    waiting = [(tables.starts, 0)]
    while waiting:
        members, at = waiting.pop()
        word = words[members.tobytes()]
        parts = _divided(tables, members, word)
        for place, a in enumerate(word[:-1]):
            nodes.append(None)
            nodes[at] = PlanNode(tables.actions_[a], ((tables.seen[a][parts[0][0][place]], len(nodes) - 1),))
            at = len(nodes) - 1
        branches = []
        for said, part in parts:
            if len(part) == 1 and end is not None:
                to = end
            else:
                to = len(nodes)
                nodes.append(None)
                if len(part) == 1:
                    end = to
                    nodes[to] = PlanNode(None)
                else:
                    nodes.append(None)
                    nodes[to] = PlanNode(action, ((back, to + 1),))
                    waiting.append((part, to + 1))
            branches.append((tables.seen[word[-1]][said[-1]], to))
        nodes[at] = PlanNode(tables.actions_[word[-1]], tuple(branches))
    return ConditionalPlan(tuple(node for node in nodes if node is not None))
