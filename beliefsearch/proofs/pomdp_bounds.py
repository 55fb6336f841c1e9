"""Proofs of the upper bound on the value of a POMDP: what a search has found in floats, made to hold in whole numbers.

The lower bound is proved by the policy graph, once its values are rounded (`solvers/pomdp/exact_policy_values.py`). Of
the upper bound the proof lists planes and points, which `pomdp_makers.py` makes in one way after the other until one
holds; `check_planes` in `verify/checker.py` has the conditions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from attrs import evolve

from ..errors import DoesNotHoldError, InvalidProofError
from ..model.stochastic import StochasticProblem
from ..model.values import whole
from ..plans.encoding import Json
from ..plans.policy import PolicyGraph, PolicyResult
from ..plans.policy_files import attained, policy_graph_plan
from ..plans.result import Status
from ..plans.verdict import BOUND_ALONE
from ..running.limits import STOPS, Budget
from ..running.observer import Observer
from ..solvers.pomdp.arrays import PomdpArrays, arrays_of
from ..solvers.pomdp.listing import pomdp_model
from ..solvers.pomdp.pomdp_model import PomdpModel
from ..solvers.pomdp.trials import BY_PLANES, FoundBounds
from ..verify.pomdp_file import PomdpOfFile
from .hints import elaborator
from .horizon_bounds import LayeredMaker, LayersMaker, bounds_of_layers, layered_arrays
from .pomdp_game import ModelGame
from .pomdp_graph_bounds import GraphProof
from .pomdp_makers import LOOSER, FractionMaker, Maker

_Proved: TypeAlias = tuple[dict[str, Json], Fraction]
_MOST_FRACTIONS = 5_000
# After a search that was stopped, the proof may take some seconds, or this share of the time that the search took; but
# no more than that share of what the limits leave.
_LEAST_SECONDS, _SHARE_OF_SEARCH, _SHARE_OF_LIMIT = 2.0, 0.5, 0.8
# The checker keeps a value for each node and state. Of larger models it is left to `verify`: values have room enough.
_MOST_VALUES = 5_000_000
# To check the policy and all planes takes less than this share of the time that listing the problem took.
_CHECK_OF_LISTING = 0.4


def prove_bounds(
    problem: StochasticProblem[Any, Any, Any],
    result: PolicyResult[Any, Any],
    budget: Budget,
    observer: Observer | None = None,
    *,
    upper_only: bool = False,
) -> tuple[PolicyResult[Any, Any], dict[str, Json] | str]:
    """A result with a policy graph and bounds that can be proved, and the proof; or why there is none, as text.

    The policy graph is a proof of the lower bound; with `upper_only` there is none. Raises `LimitReached` within a
    budget.
    """
    policy: Any = result.policy
    layered = policy is not None and policy.steps is not None
    if upper_only and layered:
        return result, "in a game with a horizon a bound from above is proved beside a policy only"
    is_over = policy is not None and not len(policy) and result.found is None  # at the start: nothing is left to bound
    if not (isinstance(result.found, FoundBounds) or layered or is_over) or (policy is None and not upper_only):
        needed = "planes and points" if upper_only else "planes and points, and a policy"
        return result, f"a proof needs {needed}, which this search did not find"
    began = budget.seconds()
    known = result.found.model if isinstance(result.found, FoundBounds) else None
    model = known or pomdp_model(problem, budget, observer)
    arrays = arrays_of(model, endless=not layered)
    graph: Any = PolicyGraph((), (), ()) if upper_only else policy
    plan: dict[str, Any] = policy_graph_plan(graph, problem, model.come_up())
    found: Any = result.found
    base = layers = None
    if layered:
        if not any(None not in by_state for by_state in model.rewards):
            return result, "with a horizon a proof needs an action that applies everywhere, in a game that begins"
        horizon = plan["horizon"]
        if not isinstance(found, FoundBounds):
            layers, found = found, bounds_of_layers(model, arrays, found, horizon)
        base, arrays = arrays, layered_arrays(arrays, horizon)
    listing = budget.seconds()
    large = model.exact and model.arrays is not None and not layered
    made = ModelGame(problem, model, plan) if large else None
    game = PomdpOfFile(problem, plan, elaborator, budget.tick, made)
    checking = _CHECK_OF_LISTING * (budget.seconds() - listing)
    limit = math.inf
    if result.status is Status.UNDECIDED:
        searched = max(_LEAST_SECONDS, _SHARE_OF_SEARCH * result.stats.seconds)
        limit = min(began + searched, budget.seconds() + _SHARE_OF_LIMIT * budget.seconds_left()) - checking

    def seconds_left() -> float:
        return min(limit - budget.seconds(), budget.seconds_left())

    lefts = seconds_left, budget.seconds_left
    if is_over:
        nothing: dict[str, Json] = {"kind": "value-bounds", "unit": 1, "actions": [], "planes": [], "points": []}
        proofs = iter([(nothing, game.planes(nothing)[0])])
    else:
        proofs = _upper_proofs(problem, game, model, arrays, found, base, layers, budget.tick, *lefts)
    reached: Any = None if upper_only else attained(plan, problem)  # as the plan says; checked if there is time for it
    proved = None
    try:
        if found is not None and found.shown is not None:
            proved = next(proofs, None)
        if not upper_only and (not large or len(plan["nodes"]) * len(plan["states"]) <= _MOST_VALUES):
            reached = game.lower()
        proved = next(proofs, proved)
    except DoesNotHoldError as failure:
        return result, f"the values of the policy do not hold exactly: {failure}"
    except STOPS:
        if proved is None:
            raise
    if proved is None:
        return result, "no proof that was tried holds exactly"
    proof, upper = proved
    if upper_only:
        alone = evolve(
            result,
            status=Status.UNDECIDED,
            value=None,
            policy=graph,
            reason=result.reason or BOUND_ALONE,
            lower_bound=None,
        )
        return evolve(alone, upper_bound=whole(upper)), proof
    value = None if result.value is None else whole(reached)
    return evolve(result, value=value, lower_bound=whole(reached), upper_bound=whole(upper)), proof


def _upper_proofs(
    problem: StochasticProblem[Any, Any, Any],
    game: PomdpOfFile,
    model: PomdpModel[Any, Any, Any],
    arrays: PomdpArrays,
    found: FoundBounds,
    base: PomdpArrays | None,
    layers: Any,
    tick: Callable[[], None],
    seconds_left: Callable[[], float],
    limit_left: Callable[[], float],
) -> Iterator[_Proved]:
    """Proofs of the upper bound that was found, in the numbers of a game, and what they prove, those that hold.

    Of a graph of beliefs the first one is by planes alone, and soon made: whatever ends the search for another.
    """
    kind: Any = Maker if base is None else partial(LayeredMaker, base)
    looser = () if found.goes_on else LOOSER
    makers: list[Callable[[], Any]] = [partial(kind, model, arrays, found, more, tick, seconds_left) for more in looser]
    by_graph = partial(GraphProof, problem, game, model, tick=tick, seconds_left=limit_left)
    if found.shown is not None:
        makers.append(partial(by_graph, found))
    numbers = arrays.rewards.size + sum(len(states) for states, _, _ in found.points)
    if model.exact and base is not None and layers is not None:
        makers.insert(0, partial(LayersMaker, base, model, arrays, found, layers, tick))
    elif model.exact and numbers <= _MOST_FRACTIONS and not found.goes_on:
        makers.insert(0, partial(FractionMaker, model, arrays, evolve(found, witnesses=None), 1, tick))
    if found.shown is not None:
        makers.insert(0, partial(by_graph, evolve(found, shown=None)))
    for maker in makers:
        with suppress(InvalidProofError):
            made = maker()
            proof, upper = made.proof(problem, game.plan), made.proved()
            if upper is None:
                upper, table = game.planes(proof)
                proof = _with_shares(proof, game, table)
            yield proof, upper


def _with_shares(proof: dict[str, Json], game: PomdpOfFile, table: Mapping[str, Any]) -> dict[str, Json]:
    """Write beside each witness which share of it counts, as the table has it, so that no checker need ask."""
    lists: Any = proof["actions"], game.plan["percepts"], proof["points"]
    actions = [game.game.numbers["actions"][json.dumps(action)] for action in lists[0]]
    percepts = [game.game.numbers["percepts"][json.dumps(percept)] for percept in lists[1]]
    for (_, _, witnesses), (_, _, hinted) in zip(lists[2], table["points"], strict=True):
        found = {(a, o): witness for a, o, witness in hinted}
        for triple in witnesses:
            triple[2] = found.get((actions[triple[0]], percepts[triple[1]]), BY_PLANES)
    return proof
