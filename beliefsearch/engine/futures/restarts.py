"""Plans of words that each begin at the start: the separating words of a machine that can be brought back to it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, product
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

_MOST_TOLD = 1_000_000  # pairs of starts by words among which cheap ones are looked for
_BREADTH, _BRANCHES = 30, 8  # sets of words of one cost that are gone on with, and words of one length for each
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
            kept = [one for one, other in zip(found, [*found[1:], ()], strict=False) if other[: len(one)] != one]
            kept = _cheapest(tables, kept, record.tick)
            reason = f"{len(kept):,} words tell them apart, which need not be the fewest inputs"
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


def _cheapest(
    tables: FutureTables[Any], known: list[tuple[int, ...]], tick: Callable[[], None]
) -> list[tuple[int, ...]]:
    """Words that tell all starts apart, of few actions in all: these, or others where pairs and words are few.

    Sets of words are gone through in the order of their costs, of each cost those that leave the fewest pairs.
    """
    one, other = np.triu_indices(len(tables.starts), 1)
    most = _MOST_TOLD // max(len(one), 1)
    words, told = [*known], list[NDArray[np.bool_]]()
    for length in count(1):
        if len(tables.after) ** length > most or length > max(map(len, known), default=0) + 1:
            break
        words += product(range(len(tables.after)), repeat=length)
    if len(words) == len(known):
        return known
    for word in words:
        tick()
        now, differ = tables.starts, np.zeros(len(one), np.bool_)
        for a in word:
            said, now = tables.percepts[a][now], tables.after[a][now]
            differ |= said[one] != said[other]
        told.append(differ)
    table, costs = np.array(told), np.array([1 + len(word) for word in words])
    best = sum(map(len, known)) + len(known)
    layers: dict[int, dict[bytes, tuple[int, ...]]] = {0: {np.zeros(len(one), np.bool_).tobytes(): ()}}
    for cost in range(best):
        layer = layers.pop(cost, {})
        for done in sorted(layer, key=lambda done: -done.count(1))[:_BREADTH]:
            tick()
            is_told = np.frombuffer(done, np.bool_)
            if is_told.all():
                return [words[k] for k in layer[done]]
            gains = table[:, ~is_told].sum(axis=1)
            for price in np.unique(costs).tolist():
                for k in np.argsort(np.where(costs == price, -gains, 1), kind="stable")[:_BRANCHES].tolist():
                    if costs[k] == price and gains[k]:
                        layers.setdefault(cost + price, {}).setdefault(
                            (is_told | table[k]).tobytes(), (*layer[done], k)
                        )
    return known


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
