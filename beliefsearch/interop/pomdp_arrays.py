"""POMDP files as NumPy arrays, for programs with solvers of their own."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from ..errors import ProblemError
from ..kinds import Kind, kind_of
from ..plugins.installed import given_by
from ..plugins.loading import load_problem_class
from ..plugins.options import make_problem
from ..running.limits import Budget, Limits
from ..solvers.pomdp.arrays import NEVER, arrays_of
from ..solvers.pomdp.listing import numbered_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The most numbers of an array, which then takes a gigabyte.
_MOST = 2**27


@frozen(eq=False)
class PomdpTables:
    """A POMDP as arrays of floats; states, actions and percepts have the order of their file.

    Attributes
    ----------
    states, actions, percepts
        Their names.
    start
        By state, its probability at the beginning.
    T
        By action, state and next state, the probability.
    O
        By action, next state and percept, the probability.
    R
        By action and state, the mean reward, below 0 for a cost; minus infinity if the action does not apply.
    discount
        The worth of a reward of 1 that comes an action later.
    """

    states: Sequence[Any]
    actions: Sequence[Any]
    percepts: Sequence[Any]
    start: NDArray[np.float64]
    T: NDArray[np.float64]
    O: NDArray[np.float64]  # noqa: E741  # as in every book
    R: NDArray[np.float64]
    discount: float


def read_pomdp(
    path: str | PathLike[str],
    *,
    discount: float | str | None = None,
    rewards: str | None = None,
    costs: str | None = None,
    limits: Limits | None = None,
) -> PomdpTables:
    r"""Read the POMDP in a .pomdp, .pomdpx or .drn file as arrays.

    Parameters
    ----------
    path
        The file.
    discount
        The discount, instead of that of the file.
    rewards, costs
        For a .drn file, the reward model whose sum is maximized, or the one whose sum is minimized. One of them is
        needed, and every action must apply in every state.
    limits
        The limits at which it gives up.

    Raises
    ------
    ProblemError
        If the file cannot be read, has no POMDP, or has one that is too large for arrays.

    Examples
    --------
    >>> from pathlib import Path
    >>> size = Path("coin.pomdp").write_text(
    ...     "discount: 0.9\nvalues: reward\nstates: heads tails\nactions: toss\nobservations: quiet\n"
    ...     "T: toss uniform\nO: toss uniform\nR: toss : heads : * : * 1\n"
    ... )
    >>> tables = read_pomdp("coin.pomdp")
    >>> tables.states, tables.T.shape, tables.R.tolist(), tables.discount
    (('heads', 'tails'), (1, 2, 2), [[1.0, 0.0]], 0.9)
    """
    name = str(path)
    options: dict[str, object] = {**given_by(name)}
    if not options:
        raise ProblemError(f"no reader claims the ending of {name!r}; .pomdp, .pomdpx and .drn are read")
    chosen = {"discount": discount, "rewards": rewards, "costs": costs}
    options.update((option, str(value)) for option, value in chosen.items() if value is not None)
    problem: Any = make_problem(load_problem_class(name), options)
    numbering = problem.numbering() if kind_of(problem) is Kind.POMDP else None
    if numbering is None:
        drn = "; a .drn file needs rewards= or costs=, and every action in every state"
        needed = drn if name.endswith(".drn") else ""
        raise ProblemError(f"{name!r} holds no POMDP whose states, actions and percepts have numbers{needed}")
    states, actions, percepts = (tuple(names) for names in (numbering.states, numbering.actions, numbering.percepts))
    entries = len(actions) * len(states) * max(len(states), len(percepts))
    if entries > _MOST:
        raise ProblemError(f"{name!r} is too large for arrays: one would have {entries:,} numbers, more than {_MOST:,}")
    rows = arrays_of(numbered_model(problem, numbering, Budget(limits)), endless=False)
    table = np.zeros((rows.A * rows.S, rows.S))
    table[np.repeat(np.arange(len(table)), np.diff(rows.to_pointers)), rows.to_states] = rows.to_weights
    seen = np.zeros((len(rows.percept_pointers) - 1, rows.O))
    seen[np.repeat(np.arange(len(seen)), np.diff(rows.percept_pointers)), rows.percept_numbers] = rows.percept_weights
    return PomdpTables(
        states,
        actions,
        percepts,
        rows.start,
        table.reshape(rows.A, rows.S, rows.S),
        seen[rows.percept_rows].reshape(rows.A, rows.S, rows.O),
        np.where(rows.rewards > NEVER, rows.rewards, -np.inf),
        rows.discount,
    )
