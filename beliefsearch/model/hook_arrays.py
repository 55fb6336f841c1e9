"""Whole stochastic problems as NumPy arrays, in the three forms that `ChanceArrayHook` may give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from attrs import frozen

from .base import Action, Number, Percept, State

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


@frozen(eq=False)
class PerceptChanceArrays(Generic[State, Action, Percept]):
    """A whole partially observable problem as NumPy arrays, for n states in which the game goes on.

    Arrays of integers, and of objects that are whole numbers or fractions, are kept exact.

    Attributes
    ----------
    states
        Every state that can come up and is not terminal, once; their places are their numbers. It may be lazy.
    start
        The numbers of the states in which the game may begin, integers of shape (m,), and their probabilities, which
        can be broadcast to that shape.
    outcomes
        By action, in the order in which states list them: the numbers of the states that may follow, integers of
        shape (n,) or (n, k), and their probabilities, which can be broadcast to that shape. Instead of a terminal
        state stands -1: there the game is over, and worth nothing more. Rows of states in which the action does not
        apply are not looked at.
    rewards
        By action: what it earns in each state, shape (n,). An action that is left out earns nothing.
    percepts
        By action: for each state in which it may arrive, the place in `percept_rows` of what is perceived then;
        integers of shape (n,), or one for all. With an action that is left out it is the first row.
    percept_rows
        The distributions of percepts that occur, each as pairs of a probability and a percept, each percept once.
    applicable
        By action: the states in which it applies; bool, shape (n,). An action that is left out applies everywhere.
    """

    states: Sequence[State]
    start: tuple[NDArray[Any], NDArray[Any]]
    outcomes: Mapping[Action, tuple[NDArray[Any], NDArray[Any]]]
    rewards: Mapping[Action, NDArray[Any]]
    percepts: Mapping[Action, NDArray[Any]]
    percept_rows: Sequence[Sequence[tuple[Number, Percept]]]
    applicable: Mapping[Action, NDArray[Any]] = {}


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


AnyArrays: TypeAlias = (
    "ChanceArrays[State, Action] | ChanceRows[State, Action] | PerceptChanceArrays[State, Action, Any] | None"
)
"""Layers of a game without cycles; rows of one whose states are seen; or a partially observable problem."""
