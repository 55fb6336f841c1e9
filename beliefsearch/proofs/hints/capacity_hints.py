"""Proofs by capacity with what the checker does not look for: states that may come up, and sorts of them.

States are of a sort that need equally many ends: as far as can be seen they can do the same things.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from ...errors import InvalidProofError
from ...heuristics.percept_information import refined
from ...model.problem import BeliefProblem
from ...verify.checker import UnreadableError, WrongError
from ...verify.proof_capacity import CapacityGame, check_capacity


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
    named = {s: (game.class_of(s) if game.distinct else s,) for s in universe}
    ways: dict[Hashable, set[Any]] = {name: set() for name in named.values()}  # what actions may do, by class
    for action in game.among(universe):
        for s, row in game.rows(action, universe):
            ways[named[s]].add(tuple(results for _, results in row))
    if all(len(way) == 1 for own in ways.values() for way in own):
        yield {**listed, "together": True}
    else:
        sorts, _ = refined(named, ways)
        yield {**listed, "together": True, "sorts": [sorts[named[s]] for s in universe]}


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
