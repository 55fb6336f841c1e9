"""Winning regions: the beliefs from which a player can win almost surely, with the safe actions of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Generic

from attrs import field, frozen

from ..errors import BeliefSearchError
from ..model.base import Action, State
from .encoding import Json, encode_action, encode_state
from .plan_reader import REGION


@frozen(eq=False)
class WinningRegion(Generic[State, Action]):
    """All reachable beliefs from which a player can win almost surely, with probability 1.

    An action is safe in such a belief if it applies in all its states and every percept leads to such a belief again.
    A player who does only safe actions, and each of them again and again, wins almost surely. After any other action
    this is no longer possible, so the region is the least restrictive *shield*. A won belief has no safe actions.

    Attributes
    ----------
    states
        The states of these beliefs, in the order of their texts.
    actions
        The actions that are safe somewhere, in the order of their texts.
    beliefs
        The beliefs, each as the numbers of its states, in ascending order; small beliefs come first.
    safe
        By belief, the numbers of its safe actions; none if it is won.
    start
        The number of the initial belief; None if it is not in the region.
    problem
        The problem that was given to `winning_region`; for `save`.
    """

    states: Sequence[State]
    actions: Sequence[Action]
    beliefs: Sequence[tuple[int, ...]]
    safe: Sequence[tuple[int, ...]]
    start: int | None
    problem: Any = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.beliefs)

    def __contains__(self, belief: object) -> bool:
        return isinstance(belief, Iterable) and self._number(belief) is not None

    def safe_actions(self, belief: Iterable[State]) -> tuple[Action, ...]:
        """The safe actions of a belief; none if it is won.

        Raises
        ------
        BeliefSearchError
            If it is not in the region.
        """
        number = self._number(belief)
        if number is None:
            raise BeliefSearchError("from this belief nobody can win almost surely, or it cannot come up")
        return tuple(self.actions[action] for action in self.safe[number])

    def members(self, number: int) -> frozenset[State]:
        """The states of the belief with this number."""
        return frozenset(self.states[state] for state in self.beliefs[number])

    def _number(self, belief: Iterable[Any]) -> int | None:
        return self._numbers.get(frozenset(belief))

    @cached_property
    def _numbers(self) -> dict[frozenset[State], int]:
        return {self.members(number): number for number in range(len(self.beliefs))}


def region_of(
    problem: Any,
    states: Sequence[State],
    actions: Sequence[Action],
    beliefs: Iterable[tuple[Sequence[int], Sequence[int]]],
    start: Sequence[int],
) -> WinningRegion[State, Action]:
    """The region of these beliefs, each with its safe actions, in an order that does not depend on the numbering.

    `beliefs` and `start` list indices into `states`; safe actions are indices into `actions`.
    """
    found = list(beliefs)
    by_text = _order(sorted({place for belief, _ in found for place in belief}), states, problem.format_state)
    by_name = _order(sorted({place for _, safe in found for place in safe}), actions, problem.format_action)
    listed = sorted(
        (tuple(sorted(map(by_text.__getitem__, belief))), tuple(sorted(map(by_name.__getitem__, safe))))
        for belief, safe in found
    )
    listed.sort(key=lambda entry: len(entry[0]))
    numbers = {belief: number for number, (belief, _) in enumerate(listed)}
    first = tuple(sorted(by_text[place] for place in start)) if all(place in by_text for place in start) else ()
    return WinningRegion(
        tuple(states[place] for place in by_text),
        tuple(actions[place] for place in by_name),
        tuple(belief for belief, _ in listed),
        tuple(safe for _, safe in listed),
        numbers.get(first),
    )


def _order(places: list[int], values: Sequence[Any], text: Any) -> dict[int, int]:
    """New numbers for the values with these indices, in the order of their texts."""
    ordered = sorted(places, key=lambda place: text(values[place]))
    return {place: number for number, place in enumerate(ordered)}


def region_plan(region: WinningRegion[State, Action], problem: Any) -> dict[str, Json]:
    """The field `plan` of a plan file that holds a region."""
    return {
        "kind": REGION,
        "states": [encode_state(problem, state) for state in region.states],
        "actions": [encode_action(problem, action) for action in region.actions],
        "beliefs": [list(belief) for belief in region.beliefs],
        "safe": [list(safe) for safe in region.safe],
        "start": region.start,
    }
