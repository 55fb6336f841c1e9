"""Problems in which chance decides, and the player sees every state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from attrs import frozen

from .problem import Action, BaseProblem, BeliefProblem, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .problem import Number

__all__ = ["AnyProblem", "ChanceArrays", "StochasticProblem"]


@frozen(eq=False)
class ChanceArrays(Generic[State, Action]):
    """A whole stochastic problem that always comes to an end, as NumPy arrays: n states in layers.

    Every outcome of an action lies in a later layer than the state in which the action was done, so that
    backward induction is one pass of array operations a layer.

    Attributes
    ----------
    states
        Every state that can come up, each canonical one once; their places are their numbers. It may be
        lazy. The initial state should stand near the beginning.
    layers
        The number of the first state of each layer, in ascending order, beginning with 0.
    terminal
        Whether each state is terminal; bool, shape (n,).
    utilities
        What each terminal state is worth, shape (n,); what stands elsewhere is not looked at. Fractions in
        arrays of objects are kept exact.
    outcomes
        By action, in the order in which states list them: the numbers of the states that may follow,
        integers of shape (n, k), and their probabilities, which can be broadcast to that shape. Rows of
        states in which the action does not apply, and of terminal states, are not looked at.
    applicable
        By action: the states in which it applies; bool, shape (n,). An action that is left out applies in
        every state that is not terminal.
    """

    states: Sequence[State]
    layers: Sequence[int]
    terminal: NDArray[Any]
    utilities: NDArray[Any]
    outcomes: Mapping[Action, tuple[NDArray[Any], NDArray[Any]]]
    applicable: Mapping[Action, NDArray[Any]] = {}


class StochasticProblem(BaseProblem[State, Action]):
    """A fully observable problem in which chance decides; maximise the expected utility.

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
        """Whether the game is over in `state`; then its actions are of no account."""

    @abstractmethod
    def utility(self, state: State) -> Number:
        """What the terminal `state` is worth."""

    def arrays(self) -> ChanceArrays[State, Action] | None:
        """The whole problem as arrays, for authors who want speed (default: None). It never changes an answer."""
        return None

    def has_array_hook(self) -> bool:
        """Whether the author gave `arrays`."""
        return type(self).arrays is not StochasticProblem.arrays

    def plot_position(self, state: State) -> tuple[int, int] | None:
        """Where `state` lies in a picture, across and up; None leaves it out (default: None)."""
        return None

    def plot_labels(self) -> tuple[str, str, str]:
        """What pictures write: across, up, and beside the value of a state."""
        return ("", "", "expected utility")


AnyProblem: TypeAlias = BeliefProblem[State, Action, Any] | StochasticProblem[State, Action]
"""A problem of any kind."""
