"""From which beliefs a player who keeps trying gets on in *every* state that may be the true one.

In the graph of beliefs it is enough that some state of a belief leads on; but the player may be in another, and
then keep trying for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..solvers.and_or_graph import AndOrGraph
from .bitset import bit_numbers
from .bitset_contingent_view import BitsetContingentView

__all__ = ["beliefs_to_keep_to"]


def beliefs_to_keep_to(view: BitsetContingentView[Any, Any]) -> set[int]:
    """The beliefs from which a player who may choose by lot, and keep trying, wins with certainty in the end.

    Every belief that can come up is taken; then, again and again, those are crossed out in which, for some state of
    it, no way to a won belief is left that is made of actions all of whose outcomes remain. Whoever does no other
    action, and each of these now and then, wins from what remains in the end, and nobody wins from the rest.

    Notes
    -----
    O(n m) for n beliefs and m ways from a state of a belief to one of the next. K. Chatterjee, L. Doyen,
    T. Henzinger and J.-F. Raskin, "Algorithms for omega-regular games with imperfect information" (2007).
    """
    beliefs = AndOrGraph(view, [view.initial_node()]).nodes
    won = {belief for belief in beliefs if view.is_goal(belief)}
    ways = {belief: list(_ways(view, belief)) for belief in beliefs if belief not in won}
    remaining = set(beliefs)
    while True:
        into: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for belief in remaining - won:
            for following, moves in ways[belief]:
                if remaining.issuperset(following):
                    for state, reached in moves:
                        into.setdefault(reached, []).append((belief, state))
        frontier = [(belief, state) for belief in remaining & won for state in bit_numbers(belief)]
        able = set(frontier)
        for place in frontier:  # grows while it is walked: backwards
            for before in into.get(place, ()):
                if before not in able:
                    able.add(before)
                    frontier.append(before)
        kept = {belief for belief in remaining if all((belief, state) in able for state in bit_numbers(belief))}
        if kept == remaining:
            return kept
        remaining = kept


def _ways(
    view: BitsetContingentView[Any, Any], belief: int
) -> Iterator[tuple[list[int], list[tuple[int, tuple[int, int]]]]]:
    """By action: the beliefs that may follow, and from each state the belief and the state it may lead to."""
    for action in view.actions(belief):
        after = dict(view.outcomes(belief, action))
        moves = [
            (state, (after[percept], reached))
            for state in bit_numbers(belief)
            for percept, reached in view.follows(state, action)
        ]
        yield list(after.values()), moves
