"""Proofs by capacity with what the checker does not look for: states that may come up, and sorts of them.

States are of a sort that need equally many ends: as far as can be seen they can do the same things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from ...errors import InvalidProofError
from ...model.belief import initial_states, perceived, successors
from ...model.checked import checked_cost
from ...model.hooks import BeliefClassHook, DistinctActionsHook
from ...model.problem import BeliefProblem
from ...plans.encoding import encode_state
from ...verify.proof_capacity import check_capacity

# What an action may do with a state: for each percept the results, or their sorts.
_Way: TypeAlias = "frozenset[tuple[frozenset[Any], int]]"


def capacity_proofs(
    problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None]
) -> Iterator[dict[str, Any]]:
    """The proof with states: each by itself; then together as they are won together, with sorts.

    Raises `InvalidProofError` if actions cost anything but 1, or are not known to be distinct.
    """
    if proof.get("actions") not in (None, "distinct"):
        raise InvalidProofError(
            f"its field 'actions' should be 'distinct', or left out, but is {proof['actions']!r:.40}"
        )
    distinct = proof.get("actions") is not None
    universe = _universe(problem, list(dict.fromkeys(initial_states(problem))), tick, distinct=distinct)
    listed = {**proof, "states": [encode_state(problem, state) for state in universe]}
    yield listed
    ways: dict[Any, set[_Way]] = {state: set() for state in universe}
    for action, states in _actions(problem, universe, distinct=distinct).items():
        for state in states:
            tick()
            ways[state].add(_counted(map(frozenset, _follow(problem, state, action).values())))
    if all(sum(count for _, count in way) == 1 for own in ways.values() for way in own):
        yield {**listed, "together": True}
    else:
        sort_of = _sorts(problem, ways, distinct=distinct)
        yield {**listed, "together": True, "sorts": [sort_of[state] for state in universe]}


def best_capacity(
    problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None]
) -> Mapping[str, Any]:
    """The one of the proofs that proves most."""
    return max(capacity_proofs(problem, proof, tick), key=lambda listed: check_capacity(problem, listed, tick))


def _universe(
    problem: BeliefProblem[Any, Any, Any], starts: list[Any], tick: Callable[[], None], *, distinct: bool
) -> dict[Any, None]:
    """All states that can come up before the game is won, in an order in which they do."""
    goal_sets = list(problem.goal_sets())
    known: dict[Any, list[int]] = {}

    def around(state: Any) -> list[int]:
        if state not in known:
            known[state] = [number for number, goals in enumerate(goal_sets) if state in goals]
        return known[state]

    universe = dict.fromkeys(starts)
    new = list(universe)
    # By action and percept: the results so far while they are won, and the goal sets that have them all.
    won: dict[Any, tuple[set[int], list[Any]]] = {}
    while new:
        met: dict[Any, None] = {}
        asked = universe if distinct else new  # as other actions may be named of more states
        for action, states in _actions(problem, asked, distinct=distinct).items():
            for state in states:
                tick()
                for percept, results in _follow(problem, state, action).items():
                    together = won.get((action, percept))
                    if together is None:
                        together = won[action, percept] = set(around(next(iter(results)))), []
                    candidates, waiting = together
                    waiting += results
                    for result in results if candidates else ():
                        candidates.intersection_update(around(result))
                    if not candidates:
                        met.update(dict.fromkeys(waiting))
                        waiting.clear()
        new = [state for state in met if state not in universe]
        universe.update(dict.fromkeys(new))
    return universe


def _follow(problem: BeliefProblem[Any, Any, Any], state: Any, action: Any) -> dict[Any, set[Any]]:
    """The results of an action in a state, by percept."""
    if checked_cost(problem, state, action) != 1:
        raise InvalidProofError("capacities are for problems in which every action costs 1")
    found: dict[Any, set[Any]] = {}
    for result in successors(problem, state, action):
        for percept in perceived(problem, result, action):
            found.setdefault(percept, set()).add(result)
    return found


def _actions(problem: BeliefProblem[Any, Any, Any], universe: Iterable[Any], *, distinct: bool) -> dict[Any, list[Any]]:
    """The actions, or of each class one, and the states that they apply in."""
    states = list(universe)
    if not distinct:
        found: dict[Any, list[Any]] = {}
        for state in states:
            for action in problem.actions(state):
                found.setdefault(action, []).append(state)
        return found
    named = problem.distinct_actions(frozenset(states)) if isinstance(problem, DistinctActionsHook) else None
    if named is None:
        raise InvalidProofError(f"{type(problem).__name__} does not say which actions are distinct")
    same = problem.actions(states[0])
    if any(problem.actions(state) != same for state in states):
        raise InvalidProofError("capacities by distinct actions are for problems with the same actions in every state")
    return dict.fromkeys(named, states)


def _counted(things: Iterable[Any]) -> frozenset[tuple[Any, int]]:
    return frozenset(Counter(things).items())


def _sorts(problem: BeliefProblem[Any, Any, Any], ways: Mapping[Any, set[_Way]], *, distinct: bool) -> dict[Any, int]:
    """The sort of each state, whose name is that of its class; states that are not listed are of one more sort."""
    if not distinct:
        named: dict[Any, Any] = {state: (state,) for state in ways}
    elif isinstance(problem, BeliefClassHook):
        named = {state: (problem.belief_class(frozenset({state})),) for state in ways}
    else:
        named = dict.fromkeys(ways, ())
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
