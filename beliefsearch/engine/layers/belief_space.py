"""The beliefs of a problem as codes: sets of numbered states as rows of words, walked by compiled kernels.

An action applies in a belief when it applies in every state of it. Where nothing is perceived the belief that follows
is the set of all results; otherwise one belief follows for each percept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...model.belief import no_tick
from ...model.problem import BeliefProblem
from ..bits.contingent_view import BitsetContingentView
from ..compiled.jit import kernel
from ..compiled.kernels import is_goal
from ..compiled.model import CompiledModel
from ..compiled.observed_model import ObservedModel
from ..compiled.words import members_of_words
from .images import Images
from .perceived_parts import PerceivedParts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..compiled.words import Words
    from .space import Codes, Flags

# With so many states there is no saying how many beliefs there may be.
_MOST_BOUNDED = 40


class BeliefSpace:
    """All beliefs that can come up; see `Space`.

    Chance is to be forgotten first (`model.chance.Possible`), and who plays blindfolded to be said (`Blindfolded`). All
    states are numbered when the space is made: `tick` is called now and then and raises to stop, `numbered` with the
    number of states so far.

    Raises `ProblemError` if the problem breaks its contract, and `TooManyStates` if it has percepts and there are more
    pairs of a state and an action than an array should have. A model that was made before is taken if it is given: of a
    problem without percepts.
    """

    nodes = "beliefs"

    def __init__(
        self,
        problem: BeliefProblem[Any, Any, Any],
        tick: Callable[[], None] = no_tick,
        numbered: Callable[[int], None] = lambda states: None,
        model: CompiledModel[Any, Any] | ObservedModel[Any, Any] | None = None,
    ) -> None:
        self._steps: Images | PerceivedParts
        if problem.is_sensorless():
            model = model if isinstance(model, CompiledModel) else CompiledModel(problem, tick, numbered)
            self._steps = Images(model)
        else:
            model = ObservedModel(BitsetContingentView(problem, tick, numbered), tick)
            self._steps = PerceivedParts(model)
        self.words = model.width
        self.actions = len(model.actions)
        self.bound = 2 ** len(model.states) if len(model.states) <= _MOST_BOUNDED else None
        self._states: Sequence[Any] = model.states
        self._initial = model.initial
        self._goals = model.goals, model.goals_of, model.goals_around

    def fits(self, codes: Codes) -> bool:
        """Whether these are sets of states, and none is empty."""
        last = np.uint64((1 << (len(self._states) - 1) % 64 + 1) - 1)  # the bits of states in the last word
        return not (codes[:, -1] & ~last).any() and bool(codes.any(axis=1).all())

    def starts(self) -> Codes:
        """The initial belief."""
        return self._initial[np.newaxis].copy()

    def successors(self, codes: Codes) -> Codes:
        """What follows these beliefs under all actions and percepts."""
        return self._steps.successors(codes)

    def results(self, codes: Codes, action: int) -> tuple[Codes, NDArray[np.intp]]:
        """What follows these beliefs under one action, and of each result the row of the belief that it follows."""
        return self._steps.results(codes, action)

    def goals(self, codes: Codes) -> Flags:
        """Which of these beliefs lie in a goal set."""
        return goal_flags(*self._goals, codes)

    def values(self, codes: Codes) -> list[Any]:
        """The beliefs as frozensets of states."""
        return [frozenset(self._states[number] for number in members_of_words(code)) for code in codes]


@kernel
def goal_flags(goals: Words, goals_of: NDArray[np.int64], goals_around: NDArray[np.int64], beliefs: Words) -> Flags:
    """Which of many beliefs lie in a goal set; see `kernels.is_goal`."""
    found = np.empty(len(beliefs), dtype=np.bool_)
    for row in range(len(beliefs)):
        found[row] = is_goal(goals, goals_of, goals_around, beliefs[row])
    return found
