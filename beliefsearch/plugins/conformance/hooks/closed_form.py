"""The rule about `ConstructionHook`: its plan wins, and no shorter one does."""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import islice
from typing import Any

from ....engine.bits.sensorless import BitsetView
from ....model.belief import initial_states
from ....model.hooks import Construction, ConstructionHook
from ....running.limits import EffortExceeded
from ....solvers.path.astar import astar_search
from ....solvers.path.breadth_first import breadth_first_search
from ....verify.plan import check_plan
from ..rule import Broken, Partly, Transitions, given, rule

# A closed form is compared with a search if that takes no more elementary steps: a tenth of a second's worth, or with
# the author's estimate, which another rule is about, two seconds' worth. Its plan is replayed if that takes no more
# steps of single states.
_MOST_SEARCHED, _MOST_ESTIMATED = 1_000_000, 20_000_000
_MOST_REPLAYED = 100_000


@rule(
    "construct",
    "construction() gives a plan that wins, and none is shorter; check_construction() agrees",
    ConstructionHook,
    why="Large instances are answered by the closed form and not by a search.",
)
def check_construction(problem: Any, transitions: Transitions) -> None:
    """Check the closed form: by its own checker, by the definition, and by a small search."""
    found = given(problem.construction())
    if not isinstance(found, Construction):
        raise Broken(f"construction() gave {found!r:.80}; it must give a Construction or None")
    try:
        length = problem.check_construction(found.evidence)
    except ValueError as error:
        raise Broken(f"check_construction() refuses the evidence of construction(): {error}") from error
    if length != found.length:
        raise Broken(f"construction() says {found.length}, and check_construction() proves {length} from its evidence")
    left_out = []
    starts = len(list(islice(initial_states(problem), _MOST_REPLAYED)))
    if length is not None and length * starts > _MOST_REPLAYED:
        left_out.append("its plan was not replayed")
    elif length is not None:
        verdict = check_plan(problem, (found.action_at(place) for place in range(length)))
        if not verdict.holds:
            raise Broken(f"its plan of {length} actions does not win: {verdict.complaint}")
    try:
        # A plain problem is the belief problem whose beliefs have one state.
        cost = _least_cost(problem) if problem.is_sensorless() and problem.has_unit_costs() else None
    except EffortExceeded:
        left_out.append("no search was made to compare it with")
    else:
        if cost not in (None, math.inf if length is None else length):
            there_is = "there is no plan" if cost == math.inf else f"a plan of {cost} actions wins"
            complaint = f"it says {'that there is no plan' if length is None else f'{length} actions'}, and {there_is}"
            raise Broken(complaint)
    if left_out:
        raise Partly(f"this is large: {' and '.join(left_out)}")


def _least_cost(problem: Any) -> Any:
    with suppress(EffortExceeded):
        return breadth_first_search(BitsetView(problem, allowance=_MOST_SEARCHED)).cost
    view = BitsetView(problem, allowance=_MOST_ESTIMATED)
    if not view.has_heuristic():
        raise EffortExceeded
    return astar_search(view, view.heuristic).cost
