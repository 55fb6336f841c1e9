"""Policy iteration: evaluate a policy, improve it where an action is strictly better, and repeat.

Policy evaluation in a component: the linear equations v = r + P v of its states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from math import inf
from typing import Any

from ...model.reachability import components
from ...running.limits import EffortExceeded
from .component_arrays import ComponentArrays, nearly_best
from .mdp_model import Decisions, first_choices, may_collect, require_leaving, staying, worth
from .small_gains import add_up, has_rare, in_fractions, warn

# The most states whose equations are solved without NumPy, in floats.
_SMALL = 60
# For more states, exact policy iteration begins with a policy that was found in floats.
_MANY = 500


def evaluate(found: Decisions, choices: Mapping[int, int]) -> dict[int, Any]:
    """Return the expected reward of each state of a component under these actions; other states are decided already.

    Without a discount the game must leave the component with probability 1, so that the equations have exactly one
    solution. A discount acts like a probability of leaving without reward. The result is exact if all numbers are:
    elimination takes O(n^3), but nearly O(n) for components like chains. Large components in floats are solved by NumPy
    or SciPy.
    """
    model = found.model
    if model.exact:
        return _by_components(found, choices)
    equations = _equations(found, choices, found.values)
    return eliminate(*equations, found.tick) if len(choices) <= _SMALL else _in_floats(*equations[:2])


def _equations(
    found: Decisions, choices: Mapping[int, int], values: Any
) -> tuple[dict[int, dict[int, Any]], dict[int, Any], dict[int, Any]]:
    """Return, by state, its probabilities of states of `choices`, its constant, and the probability of leaving."""
    model = found.model
    rows: dict[int, dict[int, Any]] = {}
    constants: dict[int, Any] = {}
    exits: dict[int, Any] = {}
    for state, place in choices.items():
        discount: Any = model.discount
        rows[state], constants[state], exits[state] = {}, model.rewards[state][place], 1 - discount
        for probability, result in model.outcomes[state][place]:
            if result in choices:
                rows[state][result] = discount * probability
            else:
                constants[state] += discount * probability * values[result]
                exits[state] += discount * probability
    return rows, constants, exits


def _by_components(found: Decisions, choices: Mapping[int, int]) -> dict[int, Any]:
    """Solve the equations component by component: those of a policy are smaller than those of all actions."""
    model, values = found.model, found.values  # changed in place: exact values only rise
    states = list(choices)
    place_of = {state: place for place, state in enumerate(states)}

    def successors(place: int) -> Iterable[int]:
        outcomes = model.outcomes[states[place]][choices[states[place]]]
        return (place_of[result] for _, result in outcomes if result in place_of)

    for places, cyclic in components(len(states), successors, found.tick):
        members = {states[place]: choices[states[place]] for place in places}
        if cyclic:
            for state, value in eliminate(*_equations(found, members, values), found.tick).items():
                values[state] = value
        else:
            for state, choice in members.items():
                values[state] = worth(model, state, choice, values)
    return {state: values[state] for state in states}


def eliminate(
    rows: dict[int, dict[int, Any]],
    constants: dict[int, Any],
    exits: dict[int, Any],
    tick: Callable[[], None],
    most: float = inf,
) -> dict[int, Any]:
    """Gaussian elimination, states with the fewest links first; each equation is v(state) = constant + row.

    Nothing is ever subtracted: 1 minus the probability of staying is computed as the sum of all other probabilities. So
    floats lose no digits, however long the game stays. (W. Grassmann, M. Taksar and D. Heyman, 1985.) Raises
    `EffortExceeded` if more than `most` entries are replaced.
    """
    used_by: dict[int, set[int]] = {state: set() for state in rows}
    for state, row in rows.items():
        for other in row:
            used_by[other].add(state)
    waiting = [(len(row) * len(used_by[state]), state) for state, row in rows.items()]
    heapify(waiting)
    order: dict[int, None] = {}
    while waiting:
        links, state = heappop(waiting)
        row = rows[state]
        if state in order or links != len(row) * len(used_by[state]):
            continue  # an old entry
        order[state] = None
        stays = row.pop(state, 0)
        if stays:
            # `leaves` is no whole number, so that the division of a whole number by it is exact.
            leaves = exits[state] + sum(row.values())
            constants[state] /= leaves
            exits[state] /= leaves
            for other in row:
                row[other] /= leaves
        used_by[state].discard(state)
        for other in row:
            used_by[other].discard(state)
        most -= len(used_by[state]) * (len(row) + 1)
        if most < 0:
            raise EffortExceeded
        for user in used_by[state]:
            tick()
            share = rows[user].pop(state)
            constants[user] += share * constants[state]
            exits[user] += share * exits[state]
            for other, probability in row.items():
                rows[user][other] = rows[user].get(other, 0) + share * probability
                used_by[other].add(user)
        for changed in {*used_by[state], *row}:
            heappush(waiting, (len(rows[changed]) * len(used_by[changed]), changed))
    solved: dict[int, Any] = {}
    for state in reversed(order):  # a row has only states that were eliminated later
        solved[state] = constants[state] + sum(p * solved[other] for other, p in rows[state].items())
    return solved


def _in_floats(rows: dict[int, dict[int, Any]], constants: dict[int, Any]) -> dict[int, Any]:
    import numpy as np

    from .linear_equations import solved

    place_of = {state: place for place, state in enumerate(rows)}
    targets = np.array([place_of[other] for row in rows.values() for other in row], np.int64)
    shares = np.array([share for row in rows.values() for share in row.values()], float)
    bounds = np.cumsum([0, *map(len, rows.values())])
    values = solved(bounds, targets, shares, np.array([constants[state] for state in rows], float))
    return dict(zip(rows, values.tolist(), strict=True))


def decide_by_policies(found: Decisions, component: list[int]) -> None:
    """Decide the states of a component with a cycle; the states it leads to are decided already.

    R. Howard, "Dynamic Programming and Markov Processes" (1960). Without a discount, a policy under which the game may
    go on for ever has no definite value. The first policy leaves the component with probability 1, and so does each
    later one. For suppose a new policy kept the game in a closed set C of states. By the old values v, the new action
    of a state is worth at least v(state), and more if it was changed. In the long run the game visits the states of C
    with fixed frequencies, under which the mean of v before and after a step is the same. So the mean reward is at
    least 0, and above 0 if the action of a state in C was changed. If no reward is positive, none was changed, and the
    old policy kept the game in C as well, a contradiction. If rewards may be positive, each new policy is checked, and
    `ProblemError` raised if it collects rewards for ever.

    With exact numbers each policy is strictly better than the one before, so the iteration ends with an optimal one.
    For many states the first policy is found by the same steps in floats. With floats a change must gain more than the
    tolerance times the largest value around. Smaller gains may add up where the game stays long; few states are then
    decided in fractions, and of many it is said.
    """
    model, values = found.model, found.values
    arrays = ComponentArrays.of(found, component) if model.exact and len(component) > _MANY else None
    choices = first_choices(found, component) if arrays is None else _first_of_many(found, arrays)
    collecting = may_collect(model, component)
    least_gain: Any = 0 if model.exact else found.tolerance * _scale(found, component)
    few = len(component) <= _SMALL
    solved = evaluate(found, choices)
    while True:
        for state, value in solved.items():
            values[state] = value
        changed: dict[int, int] = {}
        best: dict[int, Any] = {}
        for state, place in _to_be_tried(found, component, choices, arrays):
            value = worth(model, state, place, values)
            if value > (best[state] if state in best else values[state] + least_gain):
                best[state], changed[state] = value, place
        if not changed:
            break
        if not model.exact and (few or not collecting) and _keeps_in(found, {**choices, **changed}):
            break  # the gain may be a rounding error
        if collecting:
            require_leaving(found, {**choices, **changed})
        better = evaluate(found, {**choices, **changed})
        if not any(better[state] > solved[state] + least_gain / 2 for state in component):
            break  # the gain was a rounding error
        choices, solved = {**choices, **changed}, better
    for state, place in choices.items():
        found.choices[state] = place
    if model.exact or not (few or has_rare(model, component)) or not add_up(found, choices, least_gain):
        return
    if not few:
        warn()
        return
    exact = in_fractions(found, component)
    decide_by_policies(exact, [*range(len(component))])
    for number, state in enumerate(component):
        values[state], found.choices[state] = float(exact.values[number]), exact.choices[number]


def _keeps_in(found: Decisions, choices: dict[int, int]) -> bool:
    """Whether values are not defined by these choices: the game may go on for ever, and nothing is discounted."""
    return found.model.discount == 1 and staying(found, choices) is not None


def _scale(found: Decisions, component: list[int]) -> Any:
    """The largest value or reward around a component."""
    model = found.model
    around: list[Any] = [found.values[result] for state in component for result in model.successors(state)]
    around += (reward for state in component for reward in model.rewards[state])
    return max(abs(value) for value in around if value is not None)


def _first_of_many(found: Decisions, arrays: ComponentArrays) -> dict[int, int]:
    """A nearly optimal action for each state; without a discount the game leaves the component under them."""
    import numpy as np

    by_state, endless = arrays.by_state, found.model.discount == 1
    first = arrays.ways_out(np.ones(len(arrays.starts), bool)) if endless else by_state
    if first.min() < 0:
        return first_choices(found, arrays.component)  # raises the error
    chosen = nearly_best(arrays, first, found.tick)
    marked = np.zeros(len(arrays.starts), bool)
    marked[chosen] = True
    if endless and arrays.ways_out(marked).min() < 0:
        chosen = first
    return dict(zip(arrays.component, (chosen - by_state).tolist(), strict=True))


def _to_be_tried(
    found: Decisions, component: list[int], choices: Mapping[int, int], arrays: ComponentArrays | None
) -> Iterator[tuple[int, int]]:
    """The states and actions that may be better than the chosen ones."""
    if arrays is None:
        for state in component:
            found.tick()
            yield from ((state, place) for place in range(len(found.model.actions[state])) if place != choices[state])
        return
    import numpy as np

    some = arrays.perhaps_better(np.array([float(found.values[state]) for state in component]))
    owners = arrays.owner[some]
    for owner, place in zip(owners.tolist(), (some - arrays.by_state[owners]).tolist(), strict=True):
        found.tick()
        if place != choices[component[owner]]:
            yield component[owner], place
