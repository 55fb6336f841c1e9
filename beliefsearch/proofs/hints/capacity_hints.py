"""Proofs by capacity with what the checker does not look for: states that may come up, and sorts of them.

States are of a sort that need equally many ends: as far as can be seen they can do the same things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from ...errors import InvalidProofError
from ...model.problem import BeliefProblem
from ...verify.checker import UnreadableError, WrongError
from ...verify.proof_capacity import CapacityGame, check_capacity

# What an action may do with a state: for each percept the results, or their sorts.
_Way: TypeAlias = "frozenset[tuple[frozenset[Any], int]]"


def capacity_proofs(
    problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None]
) -> Iterator[dict[str, Any]]:
    """The proof with states: each by itself; then together as they are won together, with sorts.

    Raises `InvalidProofError` if distinct actions cost anything but 1, or are not known to be distinct.
    """
    try:
        yield from _proofs(CapacityGame(problem, proof, (), tick), proof)
    except (WrongError, UnreadableError) as error:
        raise InvalidProofError(str(error)) from None


def _proofs(game: CapacityGame, proof: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    universe, states = _universe(game), game.named_states
    listed = {**proof, "states": [states.text(states.met(s)) for s in universe]}
    yield listed
    ways: dict[int, set[_Way]] = {s: set() for s in universe}
    for action in game.among(universe):
        for s, row in game.rows(action, universe):
            ways[s].add(_counted(frozenset(results) for _, results in row))
    if all(sum(count for _, count in way) == 1 for own in ways.values() for way in own):
        yield {**listed, "together": True}
    else:
        sort_of = _sorts(game, ways)
        yield {**listed, "together": True, "sorts": [sort_of[s] for s in universe]}


def best_capacity(
    problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None]
) -> Mapping[str, Any]:
    """The one of the proofs that proves most."""
    return max(capacity_proofs(problem, proof, tick), key=lambda listed: check_capacity(problem, listed, tick))


def _universe(game: CapacityGame) -> dict[int, None]:
    """All states that can come up before the game is won, in an order in which they do."""
    universe = dict.fromkeys(game.starts)
    new = list(universe)
    # By action and percept: the results so far while they are won, and the goal sets that have them all.
    won: dict[tuple[int, int], tuple[set[int], list[int]]] = {}
    while new:
        met: dict[int, None] = {}
        asked = universe if game.distinct else new  # as other actions may be named of more states
        for action in game.among(asked):
            for _, row in game.rows(action, asked):
                for percept, results in row:
                    candidates, waiting = won.setdefault((action, percept), ({*game.goals_around(results[0])}, []))
                    waiting += results
                    for result in results if candidates else ():
                        candidates.intersection_update(game.goals_around(result))
                    if not candidates:
                        met.update(dict.fromkeys(waiting))
                        waiting.clear()
        new = [s for s in met if s not in universe]
        universe.update(dict.fromkeys(new))
    return universe


def _counted(things: Iterable[Any]) -> frozenset[tuple[Any, int]]:
    return frozenset(Counter(things).items())


def _sorts(game: CapacityGame, ways: Mapping[int, set[_Way]]) -> dict[int, int]:
    """The sort of each state, whose name is that of its class; states that are not listed are of one more sort."""
    named = {s: game.class_of(s) if game.distinct else s for s in ways}
    sorts: dict[Any, int] = dict.fromkeys(named.values(), 0)
    while True:
        # States are of different sorts as long as they can do different things, by the sorts known.
        outside = max(sorts.values()) + 1
        sort_of = {state: sorts[name] for state, name in named.items()}
        does: dict[Any, set[_Way]] = {name: set() for name in sorts}
        for state, own in ways.items():
            does[named[state]].update(_by_sorts(way, sort_of, outside) for way in own)
        places: dict[Any, int] = {}
        finer = {name: places.setdefault((sorts[name], frozenset(does[name])), len(places)) for name in sorts}
        if len(places) == outside:
            break
        sorts = finer
    return sort_of


def _by_sorts(way: _Way, sort_of: Mapping[Any, int], outside: int) -> _Way:
    """Return the effect of an action, with the sorts of results for the results."""
    found: Counter[frozenset[int]] = Counter()
    for results, count in way:
        found[frozenset(sort_of.get(result, outside) for result in results)] += count
    return frozenset(found.items())
