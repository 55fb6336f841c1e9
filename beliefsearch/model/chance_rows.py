"""Hook for stochastic problems whose states are seen: the whole problem as arrays, row by row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic

from attrs import frozen

from .base import Action, Number, State
from .hooks import hook_for
from .stochastic import StochasticProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray


@frozen(eq=False)
class ChanceRows(Generic[State, Action]):
    """A whole stochastic problem as NumPy arrays: n states, m moves of them, and k outcomes of these.

    A move is an action in a state. Moves stand in the order of their states, and outcomes in the order of their moves.
    In contrast to `ChanceArrays` the game may come back to a state, and actions may apply in few states.

    Attributes
    ----------
    states
        Every state that can come up, each canonical one once, the initial ones first; their places are their numbers.
    starts
        How many states are initial.
    moves
        The number of the first move of each state, and m behind them, shape (n + 1,). Terminal states have none.
    names, actions
        Every action once; and by move the place of its action there, shape (m,).
    outcomes
        The number of the first outcome of each move, and k behind them, shape (m + 1,).
    results
        By outcome the number of the state that follows, shape (k,); no move has one twice.
    numbers
        Every number that is mentioned.
    chances, rewards, utilities
        Places in `numbers`: of probabilities above 0 by outcome, of rewards by move, and of what each terminal state is
        worth, shapes (k,), (m,) and (n,).
    """

    states: Sequence[State]
    starts: int
    moves: NDArray[Any]
    names: Sequence[Action]
    actions: NDArray[Any]
    outcomes: NDArray[Any]
    results: NDArray[Any]
    numbers: Sequence[Number]
    chances: NDArray[Any]
    rewards: NDArray[Any]
    utilities: NDArray[Any]


@hook_for(StochasticProblem)
class ChanceRowHook(ABC, Generic[State, Action]):
    """A whole stochastic problem as arrays, also one that may come back to a state, faster than state by state."""

    @abstractmethod
    def rows(self, tick: Callable[[int], None]) -> ChanceRows[State, Action] | None:
        """The whole problem as arrays; None if this instance has none.

        `tick` is to be called now and then with the number of states that were found: it hears limits.
        """
