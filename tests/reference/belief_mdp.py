"""A partially observable stochastic problem as one whose states, seen by the player, are distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeAlias

from attrs import frozen

from beliefsearch.errors import ProblemError
from beliefsearch.model.base import Action, Number, State
from beliefsearch.model.belief import applicable_actions, no_tick
from beliefsearch.model.checked import checked_discount
from beliefsearch.model.distribution import Distribution, Step, begin, step
from beliefsearch.model.stochastic import StochasticProblem
from beliefsearch.model.values import is_exact, whole


@frozen
class Ended:
    """The game is over, and what that is worth on average."""

    utility: Number


BeliefState: TypeAlias = "Distribution[State] | Ended"


class BeliefMdp(StochasticProblem[Any, Action], Generic[State, Action]):
    """Belief MDP of a partially observable problem: a problem whose every state is a distribution, and is seen.

    States are distributions over states of the problem, and `Ended`. By the definition in `model/distribution.py`
    and nothing else: the oracle for all that is faster. What may come up may be infinitely many.

    Parameters
    ----------
    problem
        The partially observable problem.
    tick
        Called before each piece of work that may take long; raises to stop it.
    """

    def __init__(self, problem: StochasticProblem[State, Action, Any], tick: Callable[[], None] = no_tick) -> None:
        self.problem = problem
        self._tick = tick
        self._steps: dict[tuple[Distribution[State], Action], Step[State, Any]] = {}

    def initial_state(self) -> BeliefState[State]:
        first = begin(self.problem, self._tick)
        if first.ended not in (0, 1):
            raise ProblemError(
                f"{type(self.problem).__name__} is over at the beginning with probability {first.ended}; as a problem "
                "over beliefs it must begin with one belief"
            )
        return first.percepts[None][1] if first.percepts else Ended(first.utility)

    def actions(self, state: BeliefState[State]) -> Iterable[Action]:
        assert isinstance(state, Distribution), "the game goes on"
        return applicable_actions(self.problem, state, self._tick)

    def step(self, state: Distribution[State], action: Action) -> Step[State, Any]:
        """Return the outcomes of an action, percept by percept."""
        known = self._steps.get((state, action))
        if known is None:
            known = self._steps[state, action] = step(self.problem, state, action, self._tick)
        return known

    def outcomes(self, state: BeliefState[State], action: Action) -> Iterable[tuple[Number, BeliefState[State]]]:
        assert isinstance(state, Distribution), "the game goes on"
        after = self.step(state, action)
        over = [(after.ended, Ended(_share(after.utility, after.ended)))] if after.ended else []
        return [*over, *after.percepts.values()]

    def reward(self, state: BeliefState[State], action: Action) -> Number:
        assert isinstance(state, Distribution), "the game goes on"
        return self.step(state, action).reward

    def discount(self) -> Number:
        return checked_discount(self.problem)

    def is_terminal(self, state: BeliefState[State]) -> bool:
        return isinstance(state, Ended)

    def utility(self, state: BeliefState[State]) -> Number:
        assert isinstance(state, Ended), "the game is over"
        return state.utility

    def format_action(self, action: Action) -> str:
        return self.problem.format_action(action)

    def format_state(self, state: BeliefState[State]) -> str:
        if isinstance(state, Ended):
            return f"over, worth {state.utility}"
        return ", ".join(f"{self.problem.format_state(known)}: {chance}" for known, chance in state.items())


def _share(number: Any, of: Any) -> Number:
    """A quotient, which is exact if both numbers are."""
    if is_exact(number) and is_exact(of):
        from fractions import Fraction  # most problems have no use for it

        number = Fraction(number)
    quotient: Number = whole(number / of)
    return quotient
