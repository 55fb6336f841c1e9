"""Checking proofs about the least expected cost where only the start is uncertain: beliefs with what they cost.

By the definition alone, as `proof.py`, which describes this kind with the others. Costs are counted over all starts
together, in whole numbers; the mean is that total by the number of starts. `docs/proofs.md` has the argument.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.values import whole
from ..plans.encoding import encode_action, encode_state
from .integer_problem import Game, Weights, normalised
from .proof_fields import fraction, list_of
from .proof_states import States
from .proof_symmetry import classes, fixes, read_symmetries

if TYPE_CHECKING:
    from numpy.typing import NDArray


def check_mean_bounds(states: States, proof: Mapping[str, Any]) -> Cost:
    """Check every total that that of the initial belief rests on, and return the mean that it comes to."""
    game = Game(states.problem)
    listing = _Listing(game, proof)
    met = {game.start}
    frontier = [game.start]
    for belief in frontier:  # grows while it is walked
        if belief not in listing.totals:
            continue
        total = listing.totals[belief]
        if game.is_won(belief):
            raise InvalidProofError(f"the belief {game.text(belief)} is won, but has a bound")
        for action in game.too_low(belief, total, listing.distinct_actions(belief)):
            found = game.cost(belief, action)
            for times, part in game.parts(belief, action):
                least = game.at_least(part)
                if listing.totals.get(part, 0) > least:
                    least = listing.totals[part]
                    if part not in met:
                        met.add(part)
                        frontier.append(part)
                found += times * least
            if found < total:
                raise InvalidProofError(
                    f"the belief {game.text(belief)} has the bound {game.in_costs(total)} for all its starts together, "
                    f"but action {game.problem.format_action(game.actions[action])} and what is known of what follows "
                    f"come to {game.in_costs(found)}"
                )
    total = max(listing.totals.get(game.start, 0), game.at_least(game.start))
    return whole(Fraction(game.in_costs(total)) / len(game.start))


class _Listing:
    """The beliefs that a proof lists, each with its total and the symmetries that are said to fix it."""

    def __init__(self, game: Game, proof: Mapping[str, Any]) -> None:
        self._game = game
        written = [json.dumps(encode_state(game.problem, state)) for state in game.states]
        numbers = _numbers(proof, "states", written)
        actions: Sequence[int] = ()
        if proof.get("symmetries"):
            texts = [json.dumps(encode_action(game.problem, action)) for action in game.actions]
            actions = _numbers(proof, "actions", texts)
            if len(actions) < len(texts) or len(numbers) < len(written):
                raise InvalidProofError("a proof with symmetries must list all states and actions that can come up")
        self._symmetries = read_symmetries(game, proof, numbers, actions)
        self.totals: dict[Weights, int] = {}
        self._kept_by: dict[Weights, tuple[int, ...]] = {}
        self._distinct: dict[tuple[int, ...], NDArray[Any]] = {}
        for entry in list_of(proof, "beliefs"):
            match entry:
                case [list(members), total, *rest] if members and len(rest) <= 1:
                    self._add(members, fraction(total), rest[0] if rest else [], numbers)
                case _:
                    raise InvalidProofError(
                        f"an entry of 'beliefs' should be a list of states, a bound and a list of symmetries, "
                        f"not {entry!r:.40}"
                    )

    def _add(self, members: list[Any], total: Fraction, symmetries: Any, numbers: Sequence[int]) -> None:
        weights: dict[int, int] = {}
        for member in members:
            place, weight = member if isinstance(member, list) and len(member) == 2 else (member, 1)
            if type(place) is not int or not 0 <= place < len(numbers) or type(weight) is not int or weight < 1:
                raise InvalidProofError(f"{member!r:.40} is neither the number of a state nor that with a weight")
            if weights.setdefault(numbers[place], weight) != weight:
                raise InvalidProofError(f"a belief has the state {place} with two weights")
        if not isinstance(symmetries, list) or not set(map(type, symmetries)) <= {int}:
            raise InvalidProofError(f"{symmetries!r:.40} is not a list of numbers of symmetries")
        if not all(0 <= number < len(self._symmetries) for number in symmetries):
            raise InvalidProofError(f"{symmetries!r:.40} are not the numbers of {len(self._symmetries)} symmetries")
        divisor, belief = normalised(weights)
        # What a plan costs is a whole number, so it may be rounded up.
        self.totals[belief] = math.ceil(total * self._game.unit / divisor)
        self._kept_by[belief] = tuple(symmetries)

    def distinct_actions(self, belief: Weights) -> NDArray[Any]:
        """Mark, by action, the first of those that the named symmetries make alike in a belief."""
        kept = self._kept_by[belief]
        for number in kept:
            if not fixes(self._symmetries[number], belief):
                raise InvalidProofError(f"symmetry {number} changes the belief {self._game.text(belief)}")
        if kept not in self._distinct:
            images = [self._symmetries[number].actions for number in kept]
            numbers = np.arange(len(self._game.actions))
            self._distinct[kept] = classes(images, len(numbers)) == numbers
        return self._distinct[kept]


def _numbers(proof: Mapping[str, Any], key: str, texts: Collection[str]) -> list[int]:
    """The numbers in the game of what a proof lists in this field."""
    number_of = {text: number for number, text in enumerate(texts)}
    if len(number_of) < len(texts):
        raise InvalidProofError("two states or two actions have the same text")
    found: list[int] = []
    for entry in list_of(proof, key):
        number = number_of.pop(json.dumps(entry), None)
        if number is None:
            raise InvalidProofError(f"of its {key!r}, {entry!r:.40} cannot come up, or is listed more than once")
        found.append(number)
    return found
