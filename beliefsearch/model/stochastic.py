"""Stochastic problems: actions have random outcomes, and the player sees every state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, TypeAlias

from .problem import Action, BaseProblem, BeliefProblem, Number, State


class StochasticProblem(BaseProblem[State, Action]):
    """A fully observable problem with random outcomes; the answer maximises the expected utility.

    Required: `initial_state`, `actions`, `outcomes`, `is_terminal`, `utility`. Optional: what every kind of problem
    shares, and the hooks in `beliefsearch.model.hooks`.

    The player sees every state, and gets the utility of the terminal state in which the game ends; nothing is
    paid on the way and nothing is discounted. So what counts are the policies under which the game ends with
    certainty, and from every state that can come up the game must be able to come to an end.
    """

    @abstractmethod
    def initial_state(self) -> State:
        """Where the game begins."""

    @abstractmethod
    def outcomes(self, state: State, action: Action) -> Iterable[tuple[Number, State]]:
        """Pairs (probability, state) that sum to 1; floats or exact fractions, kept as given."""

    @abstractmethod
    def is_terminal(self, state: State) -> bool:
        """Whether the game is over in `state`; then its actions are ignored."""

    @abstractmethod
    def utility(self, state: State) -> Number:
        """The utility of the terminal `state`."""


AnyProblem: TypeAlias = BeliefProblem[State, Action, Any] | StochasticProblem[State, Action]
"""A problem of any kind."""
