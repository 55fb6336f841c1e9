"""Policy iteration: evaluate a policy, improve it where an action is strictly better, and repeat.

Policy evaluation in a component: the linear equations v = r + P v of its states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...model.reachability import components
from .component_arrays import nearly_best
from .mdp_model import Decisions, first_choices, may_collect, require_leaving, worth

# Floats of more states than this are left to SciPy, which is then worth loading.
_SMALL = 60
# An exact policy of more states is looked for in floats before.
_MANY = 500


def evaluate(found: Decisions, choices: Mapping[int, int]) -> dict[int, Any]:
    """Return, by state of a component, the expected reward under these actions; others are decided already.

    Without a discount the game must leave the component with certainty; then the equations have exactly one solution.
    A discount is as good as a chance to leave for nothing. Exact if all numbers
    are: elimination in O(n^3), but near n for components like chains. Floats of large components are solved by SciPy's
    sparse LU decomposition.
    """
    model, values = found.model, found.values
    rows: dict[int, dict[int, Any]] = {}
    constants: dict[int, Any] = {}
    exits: dict[int, Any] = {}  # the probability of leaving the component
    for state, place in choices.items():
        discount: Any = model.discount
        rows[state], constants[state], exits[state] = {}, model.rewards[state][place], 1 - discount
        for probability, result in model.outcomes[state][place]:
            if result in choices:
                rows[state][result] = discount * probability
            else:
                constants[state] += discount * probability * values[result]
                exits[state] += discount * probability
    if model.exact:
        return _by_components(rows, constants, exits, found.tick)
    if len(rows) <= _SMALL:
        return _eliminate(rows, constants, exits, found.tick)
    return _solve_sparse(rows, constants)


def _by_components(
    rows: dict[int, dict[int, Any]], constants: dict[int, Any], exits: dict[int, Any], tick: Callable[[], None]
) -> dict[int, Any]:
    """Solve the equations of one component after the other: those of a policy have fewer links than the actions."""
    solved: dict[int, Any] = {}
    states = list(rows)
    place_of = {state: place for place, state in enumerate(states)}

    def successors(place: int) -> Iterable[int]:
        return (place_of[other] for other in rows[states[place]])

    for places, cyclic in components(len(states), successors, tick):
        members = {states[place] for place in places}
        for state in members:
            row = rows[state]
            for other in [other for other in row if other not in members]:
                share = row.pop(other)
                constants[state] += share * solved[other]
                exits[state] += share
        if not cyclic:
            solved[states[places[0]]] = constants[states[places[0]]]
            continue
        inside = {states[place]: rows[states[place]] for place in places}
        solved |= _eliminate(inside, constants, exits, tick)
    return solved


def _eliminate(
    rows: dict[int, dict[int, Any]], constants: dict[int, Any], exits: dict[int, Any], tick: Callable[[], None]
) -> dict[int, Any]:
    """Gaussian elimination, states with the fewest links first; each equation reads state = constant + row.

    Nothing is ever subtracted: the probability of not staying is the sum of all others. So floats lose no digits,
    however long the game stays. (W. Grassmann, M. Taksar and D. Heyman, 1985.)
    """
    used_by: dict[int, set[int]] = {state: set() for state in rows}
    for state, row in rows.items():
        for other in row:
            used_by[other].add(state)
    order = sorted(rows, key=lambda state: len(rows[state]) * len(used_by[state]))
    for state in order:
        row = rows[state]
        stays = row.pop(state, 0)
        if stays:
            # A whole number divided by one would be a float; a probability below 1 is never a whole number.
            leaves = exits[state] + sum(row.values())
            constants[state] /= leaves
            exits[state] /= leaves
            for other in row:
                row[other] /= leaves
        used_by[state].discard(state)
        for other in row:
            used_by[other].discard(state)
        for user in used_by[state]:
            tick()
            share = rows[user].pop(state)
            constants[user] += share * constants[state]
            exits[user] += share * exits[state]
            for other, probability in row.items():
                rows[user][other] = rows[user].get(other, 0) + share * probability
                used_by[other].add(user)
    solved: dict[int, Any] = {}
    for state in reversed(order):  # what is left of a row was eliminated later
        solved[state] = constants[state] + sum(p * solved[other] for other, p in rows[state].items())
    return solved


def _solve_sparse(rows: dict[int, dict[int, Any]], constants: dict[int, Any]) -> dict[int, Any]:
    import numpy as np
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import spsolve

    place_of = {state: place for place, state in enumerate(rows)}
    entries = [(place_of[state], place_of[other], p) for state, row in rows.items() for other, p in row.items()]
    across, down, shares = zip(*entries, strict=True) if entries else ((), (), ())
    inside = csc_array((np.array(shares, float), (across, down)), shape=(len(rows), len(rows)))
    solution = spsolve((eye_array(len(rows)) - inside).tocsc(), np.array([constants[state] for state in rows], float))
    return dict(zip(rows, solution.tolist(), strict=True))


def decide_by_policies(found: Decisions, component: list[int]) -> None:
    """Decide the states of a component with a cycle; the states it leads to are decided already.

    R. Howard, "Dynamic Programming and Markov Processes" (1960). Where nothing is discounted, a policy
    under which the game may go on for ever is worth nothing definite. The first policy leaves the component
    with certainty, and so does each that follows. For suppose the new one kept the game in a closed set C of
    states. By the old values v, the new action of a state is worth at least v(state), and more where it was
    changed. In the long run the game would visit the states of C with fixed frequencies, and by these the
    mean of v before a step and after it are the same; so what is won on the way is not below 0 on average, and above
    0 if a state of C was changed. If nothing can be won on the way, none was, and the old policy kept the game in C as
    well. Else this is looked at, and `ProblemError` raised if rewards can be collected for ever.

    With exact numbers each policy is strictly better than the one before, so the last one is reached and is
    optimal. Of many states the first one is found by the same steps in floats. With floats a change must be worth more
    than the tolerance times the largest value around.
    """
    model, values = found.model, found.values
    choices = first_choices(found, component)
    collecting = may_collect(model, component)
    around: list[Any] = [values[result] for state in component for result in model.successors(state)]
    around += (reward for state in component for reward in model.rewards[state])
    scale: Any = max(abs(value) for value in around if value is not None)
    least_gain: Any = 0 if model.exact else found.tolerance * scale
    if model.exact and len(component) > _MANY:
        choices = nearly_best(found, component, choices)
    solved = evaluate(found, choices)
    while True:
        for state, value in solved.items():
            values[state] = value
        changed = {}
        for state in component:
            found.tick()
            best = values[state] + least_gain
            for place in range(len(model.actions[state])):
                value = worth(model, state, place, values)
                if value > best:
                    best, changed[state] = value, place
        if not changed:
            break
        if collecting:
            require_leaving(found, {**choices, **changed})
        better = evaluate(found, {**choices, **changed})
        if not any(better[state] > solved[state] + least_gain / 2 for state in component):
            break  # what looked better was rounding
        choices, solved = {**choices, **changed}, better
    for state, place in choices.items():
        found.choices[state] = place
