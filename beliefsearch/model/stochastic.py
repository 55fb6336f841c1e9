"""Stochastic problems: actions have random outcomes; the player sees every state, or percepts with probabilities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from attrs import frozen

from ..errors import ProblemError
from .base import Action, BaseProblem, Number, State
from .problem import BeliefProblem
from .values import stable_text

if TYPE_CHECKING:
    from random import Random
    from typing import Self

    from typing_extensions import TypeVar

    Percept = TypeVar("Percept", bound=Hashable, default=Any)
else:
    from .base import Percept

# An author defines at least one method of each pair.
_ONE_OF = (("initial_state", "initial_distribution"), ("utility", "reward"))


class World(ABC, Generic[State, Action]):
    """A game that is played elsewhere, such as in an environment of another library."""

    @abstractmethod
    def begin(self, state: State | None = None) -> State:
        """Begin a new game and return its first state: `state` if given, without a reset if the game is in it."""

    @abstractmethod
    def do(self, action: Action) -> tuple[Number, State]:
        """Do an action; return the reward and the state that follows."""


class StochasticProblem(BaseProblem[State, Action], Generic[State, Action, Percept]):
    """A problem with random outcomes; the answer maximises the expected, perhaps discounted, reward.

    Required: `actions`, `outcomes`, and one of each pair: `initial_state` or `initial_distribution`, `utility` or
    `reward`. If the state is not always seen, also `percept_distribution`. Optional: the other methods of this class
    and its bases, and the hooks in `beliefsearch.model.hooks`. The type of percepts may be left out if every state is
    seen: `StochasticProblem[State, Action]`.

    The value of a terminal state is its utility. The value of any other state is the maximum, over its actions, of
    the reward plus `discount` times the expected value of the next state. With a discount of 1 only proper policies
    count, under which the game ends with probability 1, and every reachable state must have one; unless the problem
    `allows_improper` policies.

    In a terminal state the game is over. Whether the player is told so does not change the best policy: after the end
    nothing matters, so a player who is not told may act as if the game went on.
    """

    def __class_getitem__(cls, parameters: Any) -> Any:
        if isinstance(parameters, tuple) and len(parameters) == 2 and cls is StochasticProblem:
            parameters = (*parameters, Any)
        return super().__class_getitem__(parameters)  # type: ignore[misc]  # mypy does not know Generic's

    def __new__(cls, *_: Any, **__: Any) -> Self:
        for pair in _ONE_OF:
            if all(getattr(cls, name) is getattr(StochasticProblem, name) for name in pair):
                # As for a class that lacks an abstract method.
                raise TypeError(f"Can't instantiate abstract class {cls.__name__} with neither {' nor '.join(pair)}")
        return super().__new__(cls)

    @abstractmethod
    def outcomes(self, state: State, action: Action) -> Iterable[tuple[Number, State]]:
        """Pairs (probability, state) that sum to 1; floats or exact fractions, kept as given."""

    def initial_state(self) -> State:
        """Return the state in which the game begins.

        Default: the only state of `initial_distribution`. If there are several and the player sees the state: the
        likeliest that is not terminal.

        Raises
        ------
        ProblemError
            By the default, if there are several initial states and the player does not see the state.
        """
        states: dict[State, Any] = {}
        for probability, state in self.initial_distribution():
            if probability:
                states[state] = states.get(state, 0) + probability
        if len(states) != 1 and not (states and self.sees_state()):
            raise ProblemError(
                f"{type(self).__name__} may begin in {len(states)} states; initial_distribution() has them"
            )
        return max(states, key=lambda state: (not self.is_terminal(state), states[state]))

    def initial_distribution(self) -> Iterable[tuple[Number, State]]:
        """Pairs (probability, state) of where the game begins (default: in `initial_state`)."""
        return ((1, self.initial_state()),)

    def percept_distribution(self, state: State, action: Action) -> Iterable[tuple[Number, Percept]]:
        """Pairs (probability, percept) on arriving in `state` by `action` (default: the state is seen).

        Nothing is perceived before the first action; but where the state is seen, it is seen from the start.
        """
        seen: Any = state
        return ((1, seen),)

    def sees_state(self) -> bool:
        """Whether the player always knows the state (default: whether `percept_distribution` is not overridden).

        A start that is not seen needs a percept, too: `percept_distribution` says what is perceived later.
        """
        return not self.overrides("percept_distribution")

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over in `state`; then its actions are ignored (default: it never is)."""
        return False

    def utility(self, state: State) -> Number:
        """The utility of the terminal `state` (default: 0)."""
        return 0

    def reward(self, state: State, action: Action) -> Number:
        """The expected reward for doing `action` in `state`; a cost is a negative reward (default: 0)."""
        return 0

    def minimizes_cost(self) -> bool:
        """Whether rewards are negative costs, so that answers are printed as costs (default: False)."""
        return False

    def discount(self) -> Number:
        """Return the worth of a reward of 1 that comes an action later: above 0, and at most 1 (default: 1)."""
        return 1

    def allows_improper(self) -> bool:
        """Whether improper policies count, under which the game may never end; they earn their rewards (default: no).

        Only for problems whose state is not seen, with discount 1 and rewards of one sign. If rewards are negative,
        only actions that may end the game may have one.
        """
        return False

    def numbering(self) -> Numbering[State, Action, Percept] | None:
        """Return the order in which a file numbers states, actions and percepts (default: None, there is no file)."""
        return None

    def question(self) -> Question | None:
        """Return the question that the value answers, in the words of its field (default: None, there is none)."""
        return None

    def questions(self) -> Mapping[str, Any]:
        """Return the questions to choose from, by name, if a file leaves open which one is meant (default: none).

        Each is the problem that asks it, or the `ProblemError` that says why it cannot be asked.
        """
        return {}

    def world(self, chance: Random) -> World[State, Action] | None:
        """Return the world in which simulated games are played, with `chance` as its generator of random numbers.

        Default: None, and results are drawn from `outcomes`.
        """
        return None

    def is_goal(self, state: State) -> bool:
        """Whether the player has won in `state`, which is terminal then.

        By default: a terminal state of positive utility; where there are no utilities, any terminal state.
        """
        return self.is_terminal(state) and (not self.overrides("utility") or self.utility(state) > 0)

    def format_percept(self, percept: Percept) -> str:
        """`percept` as a line of text, different for different percepts (default: `stable_text`, None is "nothing")."""
        return "nothing" if percept is None else stable_text(percept)


AnyProblem: TypeAlias = BeliefProblem[State, Action, Any] | StochasticProblem[State, Action, Any]
"""A problem of any kind."""
ALMOST_SURE = "almost-sure"
"""The objective of winning with probability 1: only what is possible counts, and not how probable it is."""


@frozen
class Numbering(Generic[State, Action, Percept]):
    """All states, actions and percepts that a file has, in its order; numbers count from 0.

    Attributes
    ----------
    states
        Also unreachable and terminal ones. The problem gives outcomes and percepts of actions there, too; their reward
        is 0.
    actions, percepts
        All of them; no percepts if the state is seen.
    """

    states: Sequence[State]
    actions: Sequence[Action]
    percepts: Sequence[Percept]


def numbering_of(problem: Any) -> Numbering[Any, Any, Any]:
    """The numbering of a problem; raises `ProblemError` unless the problem is a file of a POMDP."""
    found: Numbering[Any, Any, Any] | None = problem.numbering() if hasattr(problem, "numbering") else None
    if found is None or not found.percepts:
        raise ProblemError(
            "policies of other solvers go by the numbers that states, actions and percepts have in a POMDP's file, "
            "and so the problem should be such a file, as `beliefsearch export` writes"
        )
    return found


@frozen
class Question:
    """A question about the value of a stochastic problem.

    Attributes
    ----------
    text
        The question in the notation of its field, in one line.
    asks_for
        Name of the value, such as `probability`.
    holds
        Whether the comparison in the question is true of every value between a lower and an upper bound; None if they
        do not decide it, or there is no comparison. Bounds are costs if the problem minimises costs.
    settled
        The value, a cost likewise, if the graph of states alone decides it; it may be infinite.
    because
        The reason for that, as the end of a sentence.
    of_opposite
        Whether the problem is about the complementary event, so that the answer is 1 minus its value.
    keeping
        The actions that avoid the goal for ever, by state: where there are some, the state is terminal.
    """

    text: str
    asks_for: str = "value"
    holds: Callable[[Any, Any], bool | None] = lambda least, most: None
    settled: Number | None = None
    because: str = ""
    of_opposite: bool = False
    keeping: Callable[[Any], Sequence[Any]] = lambda state: ()
