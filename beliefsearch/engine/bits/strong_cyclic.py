"""Beliefs from which a player who keeps trying makes progress in *every* possible state, and the plan for it.

In the graph of beliefs it is enough that some state of a belief leads on; but the player may be in another, and
then keep trying for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...model.reachability import reaching
from ...plans.plan import ConditionalPlan, PlanNode
from ...solvers.path.search_tree import Parents, plan_to
from .bitset import bit_numbers
from .contingent import BitsetContingentView


def beliefs_to_keep_to(view: BitsetContingentView[Any, Any], tick: Callable[[], None]) -> set[int]:
    """Return the beliefs from which a player who keeps trying, with random choices, wins with probability 1.

    Every belief that can come up is taken; then, again and again, those are crossed out in which, for some state of
    it, no way to a won belief is left that is made of actions all of whose outcomes remain. Whoever does no other
    action, and each of these now and then, wins from what remains in the end, and nobody wins from the rest. Actions
    that are equivalent in a belief (`distinct_actions`) are all taken: they need not be so for each of its states.

    O(n m) for n beliefs and m ways from a state of a belief to one of the next. K. Chatterjee, L. Doyen,
    T. Henzinger and J.-F. Raskin, "Algorithms for omega-regular games with imperfect information" (2007).
    """
    won: set[int] = set()
    ways: dict[int, list[tuple[list[int], list[tuple[int, tuple[int, int]]]]]] = {}
    beliefs = [view.initial_node()]
    remaining = set(beliefs)
    for belief in beliefs:  # grows while it is walked
        tick()
        if view.is_goal(belief):
            won.add(belief)
            continue
        ways[belief] = []  # by action: the beliefs that may follow and, for each state, the pairs it may lead to
        for action in view.model.actions(belief):
            after = dict(view.outcomes(belief, action))
            moves = [
                (state, (after[percept], reached))
                for state in bit_numbers(belief)
                for percept, reached in view.follows(state, action)
            ]
            ways[belief].append((list(after.values()), moves))
        new = dict.fromkeys(node for following, _ in ways[belief] for node in following if node not in remaining)
        remaining.update(new)
        beliefs += new
    while True:
        tick()
        steps = (
            ((belief, state), reached)
            for belief in remaining - won
            for following, moves in ways[belief]
            if remaining.issuperset(following)
            for state, reached in moves
        )
        able = reaching(((belief, state) for belief in remaining & won for state in bit_numbers(belief)), steps)
        kept = {belief for belief in remaining if all((belief, state) in able for state in bit_numbers(belief))}
        if kept == remaining:
            return kept
        remaining = kept


def plan_for_every_state(
    view: BitsetContingentView[Any, Any], kept: set[int], tick: Callable[[], None]
) -> ConditionalPlan[Any, Any]:
    """Return a cyclic plan that makes progress in every state of every belief of `beliefs_to_keep_to`.

    What is tried depends on the belief and on how many actions have been done, in rounds. A round is put together
    for one pair of a belief and a state after the other: follow the pair, with luck, through what the round has so
    far, and append the shortest way from there to a won belief. So wherever a round begins, it may win; and as long
    as it does not, the next one begins.

    A round has at most as many actions as there are pairs, squared; the plan a step for each of them and each belief
    that may be met then.
    """
    won = {belief for belief in kept if view.is_goal(belief)}
    safe = {
        belief: [
            action
            for action in view.model.actions(belief)
            if kept.issuperset(after for _, after in view.outcomes(belief, action))
        ]
        for belief in kept - won
    }

    def follow(belief: int, state: int, action: Any) -> list[tuple[int, int]]:
        after = dict(view.outcomes(belief, action))
        return [(after[percept], reached) for percept, reached in view.follows(state, action)]

    def way_from(pair: tuple[int, int]) -> tuple[Any, ...]:
        came_by: Parents[tuple[int, int], Any] = {pair: None}
        frontier = [pair]
        for here in frontier:  # grows while it is walked: a shortest way
            tick()
            if here[0] in won:
                break
            for action in safe[here[0]]:
                for there in follow(*here, action):
                    if there not in came_by:
                        came_by[there] = here, action
                        frontier.append(there)
        return plan_to(here, came_by)

    def choose(belief: int, wanted: Any) -> Any:
        return wanted if wanted in safe[belief] else safe[belief][0]

    tour: list[Any] = []
    for belief in sorted(kept - won):
        for state in bit_numbers(belief):
            pair = belief, state
            for wanted in tour:
                tick()
                if pair[0] in won:
                    break
                pair = follow(*pair, choose(pair[0], wanted))[0]
            tour += way_from(pair)
    number_of: dict[tuple[int, int] | None, int] = {}
    places: list[tuple[int, int] | None] = []

    def number(belief: int, time: int) -> int:
        place = None if belief in won else (belief, time % len(tour))
        if place not in number_of:
            number_of[place] = len(places)
            places.append(place)
        return number_of[place]

    number(view.initial_node(), 0)
    nodes: list[PlanNode[Any, Any]] = []
    for place in places:  # grows while it is walked
        tick()
        if place is None:
            nodes.append(PlanNode(None))
            continue
        belief, time = place
        action = choose(belief, tour[time])
        branches = tuple((percept, number(child, time + 1)) for percept, child in view.outcomes(belief, action))
        nodes.append(PlanNode(action, branches))
    return ConditionalPlan(tuple(nodes))
