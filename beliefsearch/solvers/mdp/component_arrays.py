"""A strongly connected component of an MDP as arrays, and policies of it in floats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ...model.reachability import components
from .mdp_model import ChanceModel, Decisions

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST_GAIN = 1e-11
"""The least gain of a change in floats, relative to the largest value; less may be rounding."""

_MOST_ROUNDS = 1000
_MANY_STATES = 50_000  # components of fewer states are found in less time than it takes to load SciPy
_SWEEPS = 10
_ROUNDING = 1e-9
"""A bound on the rounding error of a sum, relative to the sizes of its terms; it suffices for a million terms."""


@frozen(eq=False)
class ComponentArrays:
    """The actions of a component, state by state, in floats.

    `shares` and `numbers` have the discounted probability and the result of each outcome inside of the component,
    action by action; each action has a first one of probability 0. By action: `fixed` is its reward plus the value of
    outcomes outside, `rewarded` the size of its reward, and `magnitude` the sum of the sizes of these terms; `leaving`
    is whether it may leave the component, `starts` the place of its first outcome, and `owner` that of its state.
    `by_state` is the first action of each state.
    """

    component: list[int]
    shares: NDArray[Any]
    numbers: NDArray[Any]
    fixed: NDArray[Any]
    rewarded: NDArray[Any]
    magnitude: NDArray[Any]
    leaving: NDArray[Any]
    starts: NDArray[Any]
    by_state: NDArray[Any]
    owner: NDArray[Any]
    outside: list[Any]
    """The values of outcomes outside of the component."""

    @classmethod
    def of(cls, found: Decisions, component: list[int]) -> ComponentArrays:
        """List the actions of the component; the states that it leads to are decided already."""
        import numpy as np

        model = found.model
        discount: Any = model.discount
        place_of = {state: place for place, state in enumerate(component)}
        shares: list[Any] = []
        numbers: list[int] = []
        by_action: list[tuple[Any, ...]] = []  # `fixed`, `rewarded`, `magnitude`, `leaving` and `starts`
        by_state: list[int] = []
        outside: list[Any] = []
        for state in component:
            found.tick()
            by_state.append(len(by_action))
            for outcomes, reward in zip(model.outcomes[state], model.rewards[state], strict=True):
                start, others = len(numbers), len(outside)
                numbers.append(0)  # of probability 0: `reduceat` has no empty rows
                shares.append(0.0)
                constant: Any = reward
                size: Any = abs(float(reward))
                for probability, result in outcomes:
                    share: Any = discount * probability
                    if result in place_of:
                        numbers.append(place_of[result])
                        shares.append(share)
                    else:
                        value: Any = found.values[result]
                        constant += share * value
                        size += abs(float(value))
                        outside.append(value)
                by_action.append((constant, abs(reward), size, len(outside) > others, start))
        fixed, rewarded, magnitude, leaving, starts = zip(*by_action, strict=True)
        owner = np.repeat(np.arange(len(component)), np.diff([*by_state, len(by_action)]))
        return cls(
            component,
            np.array(shares, float),
            np.array(numbers),
            np.array(fixed, float),
            np.array(rewarded, float),
            np.array(magnitude),
            np.array(leaving),
            np.array(starts),
            np.array(by_state),
            owner,
            outside,
        )

    def worth(self, values: NDArray[Any]) -> NDArray[Any]:
        """The values of all actions."""
        import numpy as np

        return self.fixed + np.add.reduceat(self.shares * values[self.numbers], self.starts)

    def choose_best(self, chosen: NDArray[Any], worth: NDArray[Any], best: NDArray[Any], risen: NDArray[Any]) -> None:
        """Choose the first best action of each state whose value has risen."""
        import numpy as np

        attained = np.flatnonzero((worth == best[self.owner]) & risen[self.owner])
        chosen[self.owner[attained][::-1]] = attained[::-1]

    def ways_out(self, actions: NDArray[Any]) -> NDArray[Any]:
        """Return for each state one of these actions on a shortest path out of the component; -1 if there is none."""
        import numpy as np

        from ..sparse_rows import spans

        real = np.flatnonzero(self.shares > 0)
        doers = np.repeat(np.arange(len(self.starts)), np.diff(np.append(self.starts, len(self.shares))))[real]
        order = np.argsort(self.numbers[real], kind="stable")  # by result
        doers, ends = doers[order], np.cumsum(np.bincount(self.numbers[real], minlength=len(self.component)))
        way = np.full(len(self.component), -1)
        found = np.flatnonzero(self.leaving & actions)
        while len(found):
            states, first = np.unique(self.owner[found], return_index=True)
            way[states] = found[first]
            begins = np.append(0, ends)[states]
            into = doers[spans(begins, ends[states] - begins)]
            into = into[actions[into] & (way[self.owner[into]] < 0)]
            found = np.unique(into)
        return way

    def perhaps_better(self, values: NDArray[Any]) -> NDArray[Any]:
        """List the actions that may be better than the values of their states; for others rounding is too small."""
        import numpy as np

        worth = self.worth(values)
        sizes = self.magnitude + np.add.reduceat(self.shares * abs(values[self.numbers]), self.starts)
        better: NDArray[Any] = np.flatnonzero(
            worth > values[self.owner] - _ROUNDING * (sizes + abs(values[self.owner]))
        )
        return better

    def evaluated(self, chosen: NDArray[Any]) -> NDArray[Any]:
        """The values of states under these actions."""
        import numpy as np

        from ..sparse_rows import entries_of
        from .linear_equations import solved

        counts, entries = entries_of(np.append(self.starts, len(self.numbers)), chosen)
        bounds = np.append(0, np.cumsum(counts))
        return solved(bounds, self.numbers[entries], self.shares[entries], self.fixed[chosen])


def components_in_order(model: ChanceModel[Any, Any], tick: Callable[[], None]) -> Iterator[tuple[list[int], bool]]:
    """Like `model.reachability.components`, by SciPy if the author gave arrays of many states."""
    rows, count = model.rows, len(model.states)
    if rows is None or count < _MANY_STATES:
        yield from components(count, model.successors, tick)
        return
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ends = rows.outcomes[rows.moves]
    edges = csr_array((np.ones(len(rows.results), np.int8), rows.results, ends), shape=(count, count))
    parts, label = connected_components(edges, connection="strong")
    origins = np.repeat(np.arange(count), np.diff(ends))
    before, after = label[origins], label[rows.results]
    if (before < after).any():
        label, before, after = parts - 1 - label, parts - 1 - before, parts - 1 - after
    if (before < after).any():  # SciPy documents no order of components
        yield from components(count, model.successors, tick)
        return
    sizes = np.bincount(label, minlength=parts)
    cyclic = sizes > 1
    cyclic[label[origins[origins == rows.results]]] = True
    states, first = np.argsort(label, kind="stable").tolist(), 0
    for size, has_cycle in zip(sizes.tolist(), cyclic.tolist(), strict=True):
        tick()
        yield states[first : first + size], has_cycle
        first += size


def nearly_best(arrays: ComponentArrays, chosen: NDArray[Any], tick: Callable[[], None]) -> NDArray[Any]:
    """Return nearly optimal actions: modified policy iteration in floats, from `chosen` on.

    No sweep lowers the values of a policy, so that the argument in `value_iteration` holds here, too.
    """
    import numpy as np

    chosen = chosen.copy()
    for _ in range(_MOST_ROUNDS):  # rounding errors might lead to a cycle
        values = arrays.evaluated(chosen)
        for sweep in range(_SWEEPS):
            tick()
            worth = arrays.worth(values)
            best = np.maximum.reduceat(worth, arrays.by_state)
            risen = best > values + _LEAST_GAIN * max(abs(values).max(), arrays.rewarded[chosen].max(), 1e-300)
            if not risen.any():  # also if values are NaN
                if not sweep:
                    return chosen
                break
            arrays.choose_best(chosen, worth, best, risen)
            values = np.where(risen, best, values)
    return chosen
