"""The game of a large model for the checker, for which the author is not asked once more: rows are made from the model.

So a proof is made in less time than it takes to list all states. Whoever verifies it asks the problem itself.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import ProblemError
from ..model.exact import exact
from ..plans.encoding import encode_action
from ..solvers.pomdp.arrays import NEVER
from ..solvers.pomdp.pomdp_model import PomdpModel
from ..verify.checker import MOST_WEIGHT, ChanceGame
from ..verify.numbered import NamedGame


class ModelGame(NamedGame, ChanceGame):
    """The game of an exact model with arrays, in the order in which a plan lists states and percepts.

    Its rows are made as they are asked for.
    """

    def __init__(self, problem: Any, model: PomdpModel[Any, Any, Any], plan: Mapping[str, Any]) -> None:
        super().__init__(problem)
        written = plan["states"], [encode_action(problem, action) for action in model.actions], plan["percepts"]
        keys = zip(("states", "actions", "percepts"), written, strict=True)
        self.numbers = {key: {json.dumps(name): number for number, name in enumerate(names)} for key, names in keys}
        self._model = model
        self.exact, self.largest_utility = True, Fraction(0)
        self.states, self.percepts = len(written[0]), max(1, len(written[2]))
        self.seen, self.improper = problem.sees_state(), model.improper
        self.discount, self.start_value = Fraction(model.discount), Fraction(model.start_value)
        places = model.places()
        numbers = np.flatnonzero(np.array(places[0]) >= 0)
        self.start = [(places[0][state], Fraction(chance)) for state, chance in model.start]
        self.rows = [_Rows(model, action, numbers.tolist(), places) for action in range(len(model.actions))]
        rewards = model.arrays.rewards[:, numbers]
        self._rewards = rewards[rewards > NEVER]

    def named(self, message: object) -> str:
        """A message of the checker, with names; these are made for it, since messages are rare."""
        states, percepts = self._model.come_up()
        for part, things in zip(self.parts, (states, self._model.actions, percepts), strict=True):
            for thing in things:
                part.number(thing)
        return super().named(message)

    def signs(self) -> tuple[bool, bool]:
        """Return whether no reward is below 0; and whether none is above 0 where policies may go on for ever."""
        return bool((self._rewards >= 0).all()), self.improper and bool((self._rewards <= 0).all())


class _Rows:
    """The rows of an action by place of the state; those that are asked for alone are kept."""

    def __init__(
        self, model: PomdpModel[Any, Any, Any], action: int, numbers: Sequence[int], places: Sequence[Any]
    ) -> None:
        self._model, self._action, self._numbers, self._places = model, action, numbers, places
        self._known: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Any]:
        return map(self._made, range(len(self)))

    def __getitem__(self, place: int) -> Any:
        if place not in self._known:
            self._known[place] = self._made(place)
        return self._known[place]

    def _made(self, place: int) -> Any:
        model, action, state = self._model, self._action, self._numbers[place]
        outcomes, reward = model.outcomes[action][state], model.rewards[action][state]
        if outcomes is None or reward is None:
            return None
        shares: list[tuple[int, int, Any]] = [
            (result, percept, chance * likely)
            for result, chance in outcomes
            for percept, likely in model.percept_rows[action][result]
        ]
        total = math.lcm(*(share.denominator for _, _, share in shares))
        if total >= MOST_WEIGHT:
            name = f"action {model.actions[action]} in state {model.states[state]}"
            raise ProblemError(f"the numbers of the problem are too long to be checked: {name}")
        states, percepts = self._places
        return exact(reward), total, [(states[t], percepts[o], int(share * total)) for t, o, share in shares]
