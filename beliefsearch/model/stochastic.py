"""Stochastic problems: actions have random outcomes; the player sees every state, or percepts with probabilities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from ..errors import ProblemError
from .base import Action, BaseProblem, Number, State
from .problem import BeliefProblem
from .question import Question
from .values import stable_text

if TYPE_CHECKING:
    from random import Random
    from typing import Self

    from typing_extensions import TypeVar

    from .numbering import Numbering

    Percept = TypeVar("Percept", bound=Hashable, default=Any)
else:
    from .base import Percept

# Of each pair an author gives at least one method: where the game begins, and what it is about.
_ONE_OF = (("initial_state", "initial_distribution"), ("utility", "reward"))


class World(ABC, Generic[State, Action]):
    """A game that is played elsewhere, such as in an environment of another library."""

    @abstractmethod
    def begin(self, state: State | None = None) -> State:
        """Begin anew, and return where; in `state` if that is given, unless the game is there already."""

    @abstractmethod
    def do(self, action: Action) -> tuple[Number, State]:
        """Do an action, and return what was paid for it, and the state that follows."""


class StochasticProblem(BaseProblem[State, Action], Generic[State, Action, Percept]):
    """A problem with random outcomes; the answer maximises the expected, perhaps discounted, reward.

    Required: `actions`, `outcomes`, and one of each pair: `initial_state` or `initial_distribution`, `utility` or
    `reward`. Where not every state is seen, `percept_distribution`. Optional: what follows these here, what every kind
    of problem shares, and the hooks in `beliefsearch.model.hooks`. The type of percepts may be left out where every
    state is seen: `StochasticProblem[State, Action]`.

    The value of a state is the utility of a terminal one; of any other the greatest, over its actions, of the reward
    plus `discount` times the mean value of what follows. Without a discount below 1 only proper policies count, under
    which the game ends with certainty, and from every state that can come up it must be able to come to an end; unless
    the problem `allows_improper` ones.

    In a terminal state the game is over. Whether the player is told so makes no difference to what he should do: if
    it is over, nothing matters any more, so he may as well go on as if it were not.
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

        By default the only state of `initial_distribution`; of several, if the player sees it, the likeliest in which
        the game is not over.

        Raises
        ------
        ProblemError
            By default: if the game may begin in several states, and the player does not see in which.
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
        """Whether policies count, too, under which the game may never end, by what is earned on the way (default: no).

        For problems whose state is not seen, without a discount, and with rewards of one sign. Costs, negative rewards,
        must be paid only by actions that may end the game.
        """
        return False

    def numbering(self) -> Numbering[State, Action, Percept] | None:
        """Return the order in which other programs number what there is (default: None, as the problem has no file)."""
        return None

    def question(self) -> Question | None:
        """Return the question that the value answers, in the words of its field (default: None, there is none)."""
        return None

    def questions(self) -> Mapping[str, Any]:
        """Return what may be asked instead, where that is left open (default: nothing).

        By name: the problem that asks it, or the `ProblemError` that says why it cannot be asked.
        """
        return {}

    def world(self, chance: Random) -> World[State, Action] | None:
        """Return where simulated games are played instead, which draws by `chance` (default: None, by `outcomes`)."""
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
