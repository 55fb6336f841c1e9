"""A component of an MDP as arrays, and policies of it in floats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ...model.reachability import components
from .mdp_model import ChanceModel, Decisions

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST_GAIN = 1e-11
"""Of the largest value, what a change in floats must gain; less may be rounding."""

_MOST_ROUNDS = 1000
_MANY_STATES = 50_000  # of fewer states the components are found in less time than it takes to load SciPy
_SWEEPS = 10
_ROUNDING = 1e-9
"""Of what a sum is made of, more than its rounding: a millionth of that is lost by each of its terms at most."""


@frozen(eq=False)
class ComponentArrays:
    """The actions of a component, state by state, in floats.

    By outcome inside of the component, those of one action after the other: its share and the place of what follows;
    each action has a first one of probability 0. By action: `fixed`, its reward and what outcomes outside are worth,
    and at most how much in all (`magnitude`); whether it may leave the component (`leaving`); the place of its first
    outcome (`starts`), and that of its state (`owner`). By state: its first action (`by_state`).
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
        sizes: list[float] = []
        leaving: list[bool] = []
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
                size: Any = float(abs(constant))
                before = len(outside)
                for probability, result in outcomes:
                    if result in place_of:
                        results.append(place_of[result])
                        probabilities.append(discount * probability)
                    else:
                        value: Any = found.values[result]
                        constant += discount * probability * value
                        outside.append(value)
                        size += abs(float(value))
                constants.append(constant)
                sizes.append(size)
                leaving.append(len(outside) > before)
        owner = np.repeat(np.arange(len(component)), np.diff([*state_starts, len(constants)]))
        return cls(
            component,
            np.array(probabilities, float),
            np.array(results),
            np.array(constants, float),
            np.array(on_the_way, float),
            np.array(sizes),
            np.array(leaving),
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

    def ways_out(self, actions: NDArray[Any]) -> NDArray[Any]:
        """Return by state one of these actions on a shortest way out of the component; -1 where there is none."""
        import numpy as np

        real = np.flatnonzero(self.shares > 0)
        doers = np.repeat(np.arange(len(self.starts)), np.diff(np.append(self.starts, len(self.shares))))[real]
        order = np.argsort(self.numbers[real], kind="stable")  # by what follows
        doers, ends = doers[order], np.cumsum(np.bincount(self.numbers[real], minlength=len(self.component)))
        way = np.full(len(self.component), -1)
        found = np.flatnonzero(self.leaving & actions)
        while len(found):
            states, first = np.unique(self.owner[found], return_index=True)
            way[states] = found[first]
            begins = np.append(0, ends)[states]
            sizes = ends[states] - begins
            into = doers[np.arange(sizes.sum()) + np.repeat(begins - np.cumsum(sizes) + sizes, sizes)]
            into = into[actions[into] & (way[self.owner[into]] < 0)]
            found = np.unique(into)
        return way

    def perhaps_better(self, values: NDArray[Any]) -> NDArray[Any]:
        """List the actions that may be worth more than their states: of the others rounding cannot hide it."""
        import numpy as np

        worth = self.worth(values)
        sizes = self.magnitude + np.add.reduceat(self.shares * abs(values[self.numbers]), self.starts)
        better: NDArray[Any] = np.flatnonzero(
            worth > values[self.owner] - _ROUNDING * (sizes + abs(values[self.owner]))
        )
        return better

    def evaluated(self, chosen: NDArray[Any]) -> NDArray[Any]:
        """The values of states if these actions are done."""
        import numpy as np

        from .linear_equations import solved

        ends = np.append(self.starts[1:], len(self.numbers))
        lengths = (ends - self.starts)[chosen]
        entries = np.arange(lengths.sum()) + np.repeat(self.starts[chosen] - np.cumsum(lengths) + lengths, lengths)
        bounds = np.append(0, np.cumsum(lengths))
        return solved(bounds, self.numbers[entries], self.shares[entries], self.fixed[chosen])


def components_in_order(model: ChanceModel[Any, Any], tick: Callable[[], None]) -> Iterator[tuple[list[int], bool]]:
    """As `model.reachability.components`, by SciPy if the author gave arrays of many states."""
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
    if (before < after).any():  # SciPy does not promise the order that its algorithm has
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
    """Nearly the best actions: policy iteration in floats, from `chosen` on, with some sweeps of values in between.

    From the values of a policy no sweep lowers any, so that what is shown in `value_iteration` holds here.
    """
    import numpy as np

    chosen = chosen.copy()
    for _ in range(_MOST_ROUNDS):  # rounding might go round in circles
        values = arrays.evaluated(chosen)
        for sweep in range(_SWEEPS):
            tick()
            worth = arrays.worth(values)
            best = np.maximum.reduceat(worth, arrays.by_state)
            risen = best > values + _LEAST_GAIN * max(abs(values).max(), arrays.rewarded[chosen].max(), 1e-300)
            if not risen.any():  # as where values are no numbers
                if not sweep:
                    return chosen
                break
            arrays.choose_best(chosen, worth, best, risen)
            values = np.where(risen, best, values)
    return chosen
