"""A component of an MDP as arrays, and policies of it in floats."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from attrs import frozen

from .mdp_model import Decisions, staying

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST_GAIN = 1e-11
"""Of the largest value, what a change in floats must gain; less may be rounding."""

_MOST_ROUNDS = 1000


@frozen(eq=False)
class ComponentArrays:
    """The actions of a component, state by state, in floats.

    By outcome inside of the component, those of one action after the other: its share and the place of what follows;
    each action has a first one of probability 0. By action: `fixed`, its reward and what outcomes outside are worth,
    the place of its first outcome (`starts`), and that of its state (`owner`). By state: its first action (`by_state`).
    """

    component: list[int]
    shares: NDArray[Any]
    numbers: NDArray[Any]
    fixed: NDArray[Any]
    rewarded: NDArray[Any]
    starts: NDArray[Any]
    by_state: NDArray[Any]
    owner: NDArray[Any]
    outside: list[Any]
    """The values of outcomes outside of the component."""

    @classmethod
    def of(cls, found: Decisions, component: list[int]) -> ComponentArrays:
        """List the actions of the component; what it leads to is decided already."""
        import numpy as np

        model, tick = found.model, found.tick
        discount: Any = model.discount
        place_of = {state: place for place, state in enumerate(component)}
        probabilities: list[Any] = []
        results: list[int] = []
        constants: list[Any] = []  # by action: what outcomes outside of the component are worth
        action_starts: list[int] = []  # by action: its first outcome inside; by state: its first action
        state_starts: list[int] = []
        on_the_way: list[Any] = []  # the sizes of rewards
        outside: list[Any] = []
        for state in component:
            tick()
            state_starts.append(len(constants))
            for outcomes, reward in zip(model.outcomes[state], model.rewards[state], strict=True):
                # An outcome of probability 0 for each action, as reduceat knows no empty rows.
                action_starts.append(len(results))
                results.append(0)
                probabilities.append(0.0)
                constant: Any = reward
                on_the_way.append(abs(reward))
                for probability, result in outcomes:
                    if result in place_of:
                        results.append(place_of[result])
                        probabilities.append(discount * probability)
                    else:
                        value: Any = found.values[result]
                        constant += discount * probability * value
                        outside.append(value)
                constants.append(constant)
        owner = np.repeat(np.arange(len(component)), np.diff([*state_starts, len(constants)]))
        return cls(
            component,
            np.array(probabilities, float),
            np.array(results),
            np.array(constants, float),
            np.array(on_the_way, float),
            np.array(action_starts),
            np.array(state_starts),
            owner,
            outside,
        )

    def worth(self, values: NDArray[Any]) -> NDArray[Any]:
        """The values of all actions."""
        import numpy as np

        worth: NDArray[Any] = self.fixed + np.add.reduceat(self.shares * values[self.numbers], self.starts)
        return worth

    def choose_best(self, chosen: NDArray[Any], worth: NDArray[Any], best: NDArray[Any], risen: NDArray[Any]) -> None:
        """Give each state that has risen the first of the actions that are worth what its best one is."""
        import numpy as np

        attained = np.flatnonzero((worth == best[self.owner]) & risen[self.owner])
        chosen[self.owner[attained][::-1]] = attained[::-1]

    def evaluated(self, chosen: NDArray[Any]) -> NDArray[Any]:
        """The values of states if these actions are done, by SciPy's sparse LU decomposition."""
        import numpy as np
        from scipy.sparse import csc_array, eye_array
        from scipy.sparse.linalg import MatrixRankWarning, spsolve

        ends = np.append(self.starts[1:], len(self.numbers))
        lengths = (ends - self.starts)[chosen]
        rows = np.repeat(np.arange(len(chosen)), lengths)
        entries = np.arange(lengths.sum()) + np.repeat(self.starts[chosen] - np.cumsum(lengths) + lengths, lengths)
        inside = csc_array((self.shares[entries], (rows, self.numbers[entries])), shape=(len(chosen),) * 2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MatrixRankWarning)  # the values are no numbers then
            values: NDArray[Any] = spsolve((eye_array(len(chosen)) - inside).tocsc(), self.fixed[chosen])
        return values


def nearly_best(found: Decisions, component: list[int], choices: dict[int, int]) -> dict[int, int]:
    """An action for each state, nearly the best ones: policy iteration in floats, from `choices` on.

    Under them the game leaves the component with certainty, as it does under `choices`; else these are given back.
    """
    import numpy as np

    arrays = ComponentArrays.of(found, component)
    by_state = arrays.by_state
    chosen = by_state + np.array([choices[state] for state in component])
    for _ in range(_MOST_ROUNDS):  # rounding might go round in circles
        found.tick()
        values = arrays.evaluated(chosen)
        worth = arrays.worth(values)
        best = np.maximum.reduceat(worth, by_state)
        risen = best > values + _LEAST_GAIN * max(abs(values).max(), arrays.rewarded[chosen].max(), 1e-300)
        if not risen.any():  # as where values are no numbers
            break
        arrays.choose_best(chosen, worth, best, risen)
    better = dict(zip(component, (chosen - by_state).tolist(), strict=True))
    leaves = found.model.discount < 1 or staying(found, better) is None
    return better if leaves else choices
