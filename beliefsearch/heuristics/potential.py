"""Potentials: weights of states whose sum over a belief is a lower bound, found by a linear program.

Every state that is not won has a weight w >= 0, and for each action there is a *flow*: from each such state s in which
the action applies, w(s) in all, to its results; into each such state t at most w(t); and into won states at most the
action's cost in all. Then no action lowers the sum of the weights over a belief by more than it costs, so this sum is a
consistent heuristic. A linear program finds the weights with the largest sum over the initial belief. If it is
unbounded, there are weights whose flows into won states are 0, so that the sum never falls: a *ray*, which proves that
there is no plan.

The program is solved in floats, and its weights are rounded to fractions. The flows are then computed again in whole
numbers. So a result is exact, or there is none.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ..model.base import Cost
from ..running.alarm import alarm_put_off
from ..running.limits import TooDear
from ..solvers.path.heuristic import no_estimate
from .state_graph import BeliefSetting, StateGraph

# Weights of the program are rounded to fractions with denominators up to this.
_LARGEST_DENOMINATOR = 10_000
_LARGEST_CAPACITY = 2**31 - 1
_LARGEST_SUM = 2**63 - 1
# Elementary steps of an allowance for each transition.
_STEPS_A_TRANSITION = 10_000


def potential(setting: BeliefSetting, allowance: int | None) -> Callable[[Any], Cost]:
    """Return the heuristic: the sum of the members' weights, rounded up if all costs are 1. It is consistent.

    It is infinite for beliefs of positive weight if the weights are a ray, and 0 if no exact potential was found.
    """
    found = find_potential(setting.graph(allowance), setting.initial())
    unit_costs = setting.seen.has_unit_costs()
    if found is None or not found.total:
        return no_estimate
    unit = math.lcm(*(weight.denominator for weight in found.weights))
    in_units = [int(weight * unit) for weight in found.weights]
    if sum(in_units) > _LARGEST_SUM:
        return no_estimate
    weights = np.array(in_units, dtype=np.int64)

    def estimate(belief: Any) -> Cost:
        total = int(weights[setting.numbers(belief)].sum())
        if found.is_ray:
            return math.inf if total else 0
        if unit_costs or not total % unit:
            return -(-total // unit)
        return Fraction(total, unit)

    return estimate


@frozen
class Potential:
    """Weights of states by number, 0 for won ones, and the flows that prove them, by action, state and result.

    No plan costs less than `total`, the sum of the weights over the initial belief. If the weights are a ray and the
    total is positive, there is no plan.
    """

    weights: tuple[Fraction, ...]
    flows: Mapping[int, Mapping[tuple[int, int], Fraction]]
    total: Fraction
    is_ray: bool


def find_potential(graph: StateGraph, initial: NDArray[np.intp]) -> Potential | None:
    """Find the potential with the largest sum over the members `initial` of the initial belief, or a ray.

    None if the solution could not be made exact, or if the initial belief is won or no action applies. The linear
    program has a variable for each state and each transition, and is solved by HiGHS through SciPy. Too many
    transitions for the graph's allowance raise `TooDear`.
    """
    if graph.allowance is not None and _STEPS_A_TRANSITION * len(graph.targets) > graph.allowance:
        raise TooDear
    program = _Program(graph, initial)
    if program.won[initial].all() or not any(program.lists):
        return None  # won states have no weight, and without actions there is no program
    graph.tick()
    weights = program.solve(ray=False)
    is_ray = weights is None
    if weights is None:
        weights = program.solve(ray=True)
    if weights is None:
        return None
    exact = [Fraction(float(weight)).limit_denominator(_LARGEST_DENOMINATOR) for weight in weights]
    return _with_flows(program, exact, initial, is_ray)


def potential_of(graph: StateGraph, initial: NDArray[np.intp], weights: Sequence[Fraction]) -> Potential | None:
    """Return the potential with these weights; None if no flows prove them."""
    return _with_flows(_Program(graph, initial), weights, initial, is_ray=False)


def _with_flows(
    program: _Program, weights: Sequence[Fraction], initial: NDArray[np.intp], is_ray: bool
) -> Potential | None:
    flows = {}
    for action, lists in enumerate(program.lists):
        program.graph.tick()
        if lists:
            found = _exact_flow(program, action, weights, Fraction(0) if is_ray else program.least_cost(action))
            if found is None:
                return None
            flows[action] = found
    return Potential(tuple(weights), flows, sum((weights[state] for state in initial), Fraction(0)), is_ray)


class _Program:
    """The linear program of a problem."""

    def __init__(self, graph: StateGraph, initial: NDArray[np.intp]) -> None:
        self.graph = graph
        self._initial = initial
        self.won: NDArray[np.bool_] = np.asarray(graph.goals.any(axis=0))
        # By action: the states that are not won in which it applies, each with its different results.
        self.lists: list[list[tuple[int, list[int]]]] = []
        for action, applies in enumerate(graph.applies):
            graph.tick()
            unwon, bounds = np.flatnonzero(applies & ~self.won).tolist(), graph.offsets[action]
            results = (np.unique(graph.targets[bounds[state] : bounds[state + 1]]).tolist() for state in unwon)
            self.lists.append([*zip(unwon, results, strict=True)])

    def least_cost(self, action: int) -> Fraction:
        """Return the least cost of `action` in any state."""
        return Fraction(float(self.graph.costs[action][self.graph.applies[action]].min()))

    def solve(self, *, ray: bool) -> NDArray[np.float64] | None:
        """Return the weights with the largest sum over the initial belief; None if it is unbounded.

        With `ray`, that sum is 1, and nothing flows into won states.
        """
        from scipy.optimize import linprog

        states = self.graph.states
        equal: list[tuple[int, int, int]] = []  # row, column, coefficient
        below: list[tuple[int, int, int]] = []
        limits: list[float] = []
        column = states
        row = 0
        for action, lists in enumerate(self.lists):
            self.graph.tick()
            first = len(limits)
            limits += [0.0] * states + [0.0 if ray else float(self.least_cost(action)) if lists else 0.0]
            below += [(first + t, t, -1) for t in range(states) if not self.won[t]]
            for state, results in lists:
                equal.append((row, state, -1))
                for t in results:
                    equal.append((row, column, 1))
                    below.append((first + (states if self.won[t] else t), column, 1))
                    column += 1
                row += 1
        objective = np.zeros(column)
        objective[self._initial] = -1
        upper = np.full(column, np.inf)
        upper[:states][self.won] = 0
        values = np.zeros(row)
        if ray:
            equal += [(row, int(state), 1) for state in self._initial]
            values = np.append(values, 1.0)
        self.graph.tick()
        seconds = self.graph.seconds_left()
        with alarm_put_off(), _standard_output_on_error():  # which ends by its own time limit
            answer = linprog(
                objective,
                A_ub=_matrix(below, len(limits), column),
                b_ub=limits,
                A_eq=_matrix(equal, len(values), column),
                b_eq=values,
                bounds=np.column_stack([np.zeros(column), upper]),
                method="highs",
                options={} if math.isinf(seconds) else {"time_limit": seconds},
            )
        self.graph.tick()
        unbounded = answer.status == 3 or answer.x is None
        return None if unbounded else np.maximum(answer.x[:states], 0)


@contextmanager
def _standard_output_on_error() -> Iterator[None]:
    """Send standard output to standard error: HiGHS prints some warnings there itself, in spite of its options."""
    try:
        kept = os.dup(1)
    except OSError:  # it is closed
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _matrix(entries: Iterable[tuple[int, int, int]], rows: int, columns: int) -> Any:
    """Return the sparse matrix with these entries, each a row, a column and a number."""
    from scipy.sparse import coo_array

    row, column, number = (np.array(part, dtype=np.int32) for part in zip(*entries, strict=True))
    return coo_array((number, (row, column)), shape=(rows, columns)).tocsr()


def _exact_flow(
    program: _Program, action: int, weights: Sequence[Fraction], into_won: Fraction
) -> dict[tuple[int, int], Fraction] | None:
    """Compute a flow for these weights as a maximum flow in whole numbers; None if there is none."""
    from scipy.sparse.csgraph import maximum_flow

    lists = program.lists[action]
    unit = math.lcm(into_won.denominator, *(weight.denominator for weight in weights))
    capacity = [int(weight * unit) for weight in weights]
    wanted = sum(capacity[state] for state, _ in lists)
    if wanted > _LARGEST_CAPACITY:
        return None
    # No edge carries more than the whole flow, and smaller capacities fit into 32 bits.
    capacity, most_won = [min(most, wanted) for most in capacity], min(int(into_won * unit), wanted)
    # Nodes: the source, the states the action is done in, the states it leads to, all won states as one, the sink.
    states = len(weights)
    won, sink = 2 * states + 1, 2 * states + 2
    edges = [(won, sink, most_won)]
    edges += [(1 + states + t, sink, capacity[t]) for t in range(states) if not program.won[t]]
    for state, results in lists:
        edges.append((0, 1 + state, capacity[state]))
        some_won = False
        for t in results:
            if not program.won[t]:
                edges.append((1 + state, 1 + states + t, capacity[state]))
            some_won |= bool(program.won[t])
        if some_won:
            edges.append((1 + state, won, capacity[state]))
    answer = maximum_flow(_matrix(edges, sink + 1, sink + 1), 0, sink)
    if answer.flow_value < wanted:
        return None
    flow = answer.flow.tocoo()
    amounts = {(int(i), int(j)): int(v) for i, j, v in zip(flow.row, flow.col, flow.data, strict=True) if v > 0}
    exact: dict[tuple[int, int], Fraction] = {}
    for state, results in lists:
        for t in results:
            key = (1 + state, won if program.won[t] else 1 + states + t)
            amount = amounts.pop(key, 0)  # the whole flow into won states goes to the first of them
            if amount:
                exact[state, t] = Fraction(amount, unit)
    return exact
