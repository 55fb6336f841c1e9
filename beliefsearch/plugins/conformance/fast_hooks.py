"""How the conformance suite checks hooks that take the place of work: arrays, potentials and closed forms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, TypeAlias

from ...engine.bits.sensorless_view import BitsetView
from ...model.belief import initial_states
from ...model.checked import checked_potential
from ...model.hooks import ArrayHook, Construction, PotentialHook
from ...model.problem import BeliefProblem
from ...running.limits import Outgrown
from ...solvers.path.breadth_first import breadth_first_search
from ...verify.plan import check_plan
from ...views.sensorless import SensorlessView

Transitions: TypeAlias = "Mapping[Any, Mapping[Any, Iterable[Any]]]"

# Potentials are checked along at most this many beliefs; potentials and the array hook with this many actions.
_MANY_BELIEFS = 200
_MANY_ACTIONS = 200
# An array hook with more states than this is not looked at.
_MOST_LISTED = 1 << 20
# A closed form is compared with a search if that takes no more elementary steps, about a tenth of a second's worth, and
# its plan is replayed if that takes no more steps of single states.
_MOST_SEARCHED = 1_000_000
_MOST_REPLAYED = 100_000


def potential_complaint(problem: BeliefProblem[Any, Any, Any], starts: Iterable[Any]) -> str | None:
    """What is wrong with `potential`, if anything: compares its sums before and after actions."""
    if not isinstance(problem, PotentialHook):
        return None
    hook = problem
    view = SensorlessView(problem)
    frontier = [frozenset(map(problem.canonical, starts))]
    met = set(frontier)

    def total(belief: frozenset[Any]) -> Any:
        return sum(checked_potential(hook, state) for state in belief)

    for belief in frontier:  # grows while it is walked: breadth-first
        before = total(belief)
        for action in islice(view.actions(belief), _MANY_ACTIONS):
            after = view.result(belief, action)
            drop, cost = before - total(after), view.action_cost(belief, action)
            if drop > cost and not math.isclose(drop, cost):
                return f"action {action!r} costs {cost} and lowers the sum over {view.format_state(belief)} by {drop}"
            if after not in met and len(frontier) < _MANY_BELIEFS:
                met.add(after)
                frontier.append(after)
    return None


def construction_complaint(problem: Any) -> str | None:
    """What is wrong with the closed form, if anything: by its own checker, by the definition, and by a small search."""
    found = problem.construction()
    if found is None:
        return None
    if not isinstance(found, Construction):
        return f"construction() gave {found!r:.80}; it must give a Construction or None"
    try:
        length = problem.check_construction(found.evidence)
    except ValueError as error:
        return f"check_construction() refuses the evidence of construction(): {error}"
    if length != found.length:
        return f"construction() says {found.length}, and check_construction() proves {length} from its evidence"
    starts = len(list(islice(initial_states(problem), _MOST_REPLAYED)))
    if length is not None and length * starts <= _MOST_REPLAYED:
        verdict = check_plan(problem, map(found.action_at, range(length)))
        if not verdict.holds:
            return f"its plan of {length} actions does not win: {verdict.complaint}"
    if not problem.is_sensorless() or not problem.has_unit_costs():
        return None
    with suppress(Outgrown):
        # A plain problem is the belief problem whose beliefs have one state.
        result = breadth_first_search(BitsetView(problem, allowance=_MOST_SEARCHED))
        if result.cost != (math.inf if length is None else length):
            there_is = "there is no plan" if result.cost == math.inf else f"a plan of {result.cost} actions wins"
            return f"it says {'that there is no plan' if length is None else f'{length} actions'}, and {there_is}"
    return None


def array_hook_complaint(problem: BeliefProblem[Any, Any, Any], transitions: Transitions) -> str | None:
    """Where the array hook differs from the transitions given state by state; None if nowhere."""
    listed: Any = problem.all_states() if isinstance(problem, ArrayHook) else None
    if not isinstance(problem, ArrayHook) or listed is None:
        return None
    if not isinstance(listed, Sequence):
        return f"all_states() gave {listed!r}; it must give a sequence, such as a tuple"
    if len(listed) > _MOST_LISTED:
        return None
    number_of = {state: number for number, state in enumerate(listed)}
    if len(number_of) < len(listed):
        twice = next(state for number, state in enumerate(listed) if number_of[state] != number)
        return f"all_states() lists {twice!r} more than once"
    for state in map(problem.canonical, transitions):
        if state not in number_of:
            return f"all_states() lacks {state!r}, which can come up"
    for action in islice(dict.fromkeys(action for row in transitions.values() for action in row), _MANY_ACTIONS):
        answer: Any = problem.all_results(action)
        rows = answer.tolist() if hasattr(answer, "tolist") else list(answer)
        if len(rows) != len(listed):
            return f"all_results({action!r}) has {len(rows)} rows for {len(listed)} states"
        for state, by_action in transitions.items():
            if action in by_action and problem.canonical(state) == state:
                expected = set(map(problem.canonical, by_action[action]))
                complaint = _row_complaint(rows[number_of[state]], listed, expected)
                if complaint is not None:
                    return f"all_results({action!r}) for state {state!r} {complaint}"
    return None


def _row_complaint(row: Sequence[int], listed: Sequence[Any], expected: set[Any]) -> str | None:
    outside = [number for number in row if not 0 <= number < len(listed)]
    if outside:
        return f"gives the number {outside[0]}, but states go from 0 to {len(listed) - 1}"
    given = {listed[number] for number in row}
    for state in given - expected:
        return f"gives {state!r}, which is not among results()"
    for state in expected - given:
        return f"lacks {state!r}, which is among results()"
    return None
