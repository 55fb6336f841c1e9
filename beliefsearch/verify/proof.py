"""The checker of proofs: re-establishes a bound, or that there is no plan, from a certificate.

Like `verify.py` it stands on the definition alone: no solver, no engine, no view, no `canonical`, no
floats. A proof is data, and may be wrong in any way; each check stops at the first thing that is wrong.
The kinds of proof, and why each proves what it claims:

`potential`
    Weights of states, and for each action a flow that shows that doing it lowers the sum of the weights
    over a belief by no more than the action costs. A won belief has the sum 0, so no plan costs less than
    the sum over the initial belief.
`ray`
    The same with flows of nothing into won states: the sum never falls, so there is no plan.
`distances`
    A number for each state, 0 where it is won, and never above what an action costs and the largest number
    of its results: even with sight nobody wins for less. Where it is infinite, nobody wins at all.
`trap`
    States that are not won, a possible start among them; every action has a result among them.
`capacity`
    Nothing but the kind: so few percepts follow an action that plans of so many actions cannot tell so many
    states apart.
`belief-bounds`
    Beliefs, each with a bound; none that has one is won, and every action costs so much that with the bound of
    one of its outcomes, by percept, it is no less than that. What is not listed has the bound 0.
`lost-beliefs`
    Beliefs, each with a rank, none won. Every action has an outcome of a lower rank, or has only outcomes of
    this one: then nobody wins for certain, not even by keeping on trying.
`construction`
    Whatever the puzzle's author has a checker for (`check_construction`), which is to be trusted as far as
    the puzzle itself: about the length of the shortest plan, or that there is none.
`exhaustion`
    Beliefs *ahead*, each with a cost, of which every belief that can be reached includes one that is no
    dearer, as far as a `reach`; and sets *behind*, of which one includes every set that is won by no more
    than so many actions, up to a `depth` (which is 0, and the sets are the goal sets, unless all costs are
    1). Reach and depth together make the bound, and no belief ahead lies in a set behind for less than it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..errors import InvalidProofError
from ..model.checked import checked_cost
from ..model.hooks import ConstructionHook
from ..model.problem import BeliefProblem
from ..plans.encoding import encode_action
from .proof_beliefs import check_belief_bounds, check_lost_beliefs
from .proof_capacity import check_capacity
from .proof_exhaustion import check_exhaustion
from .reading import fraction, index_in, list_of, triples_of, whole
from .states import States

if TYPE_CHECKING:
    from ..model.problem import Cost

__all__ = ["PROOFS", "InvalidProofError", "check_proof", "rules_out_trying"]


def check_proof(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any]) -> Cost:
    """The lower bound that `proof` establishes; infinite: there is no plan.

    Parameters
    ----------
    problem
        The problem, by its options.
    proof
        What stands in a certificate (see the reference), as read from JSON.

    Raises
    ------
    InvalidProofError
        If it establishes nothing.
    ProblemError
        If the problem breaks its contract.

    Notes
    -----
    Linear in the transitions of the problem, or for an exhaustion in the listed sets times the actions.
    """
    kind = proof.get("kind")
    if not isinstance(kind, str) or kind not in PROOFS:
        raise InvalidProofError(f"its kind is {kind!r:.40}; there are {', '.join(PROOFS)}")
    if kind not in _FOR_ANY_PLAYER and not problem.is_sensorless():
        raise InvalidProofError(f"a proof of the kind {kind!r} is about players who perceive nothing, and here they do")
    return PROOFS[kind](States(problem), proof)


def _check_potential(states: States, proof: Mapping[str, Any], *, ray: bool = False) -> Cost:
    number_of = states.numbered(proof)
    weights = [whole(fraction(entry)) for entry in list_of(proof, "weights", len(number_of))]
    flows: dict[str, dict[int, Cost]] = {}  # by pair of states; as one number, for there may be millions
    size = len(weights)
    for entry in list_of(proof, "flows"):
        triples = triples_of(entry)
        flow = {index_in(s, weights) * size + index_in(t, weights): whole(fraction(amount)) for s, t, amount in triples}
        flows[json.dumps(entry.get("action"))] = flow
    problem = states.problem
    won = {number for state, number in number_of.items() if states.is_won(state)}
    if any(weights[number] for number in won):
        raise InvalidProofError("a won state has a weight")
    inflow: dict[str, dict[int, Cost]] = {}
    dearest: dict[str, Cost] = {}
    used = 0
    for state, number in number_of.items():
        for action in problem.actions(state):
            key = json.dumps(encode_action(problem, action))
            cost = checked_cost(problem, state, action)
            dearest[key] = min(dearest.get(key, cost), cost)
            if number in won:
                continue
            out: Cost = 0
            into = inflow.setdefault(key, {})
            for result in states.results(state, action):
                amount = flows.get(key, {}).get(number * size + number_of[result])
                if amount is not None:
                    used += 1
                    out += amount
                    target = -1 if number_of[result] in won else number_of[result]
                    into[target] = into.get(target, 0) + amount
            if out != weights[number]:
                raise InvalidProofError(
                    f"action {key}: {out} flows out of state {problem.format_state(state)}, "
                    f"whose weight is {weights[number]}"
                )
    if used < sum(map(len, flows.values())):
        raise InvalidProofError("something flows where no action leads")
    for key, into in inflow.items():
        for target, amount in into.items():
            limit: Cost = weights[target] if target >= 0 else 0 if ray else dearest[key]
            if amount > limit:
                where = f"state number {target}" if target >= 0 else "won states"
                raise InvalidProofError(f"action {key}: {amount} flows into {where}, where {limit} is allowed")
    total = Fraction(sum(weights[number_of[state]] for state in states.starts))
    if not ray:
        return _rounded_up(states, total)
    if not total:
        raise InvalidProofError("the weights of the possible starts are all 0")
    return math.inf


def _check_ray(states: States, proof: Mapping[str, Any]) -> Cost:
    return _check_potential(states, proof, ray=True)


def _check_distances(states: States, proof: Mapping[str, Any]) -> Cost:
    number_of = states.numbered(proof)
    # What is no number in JSON, infinity, is null.
    entries = list_of(proof, "distances", len(number_of))
    distances: list[Cost] = [math.inf if entry is None else whole(fraction(entry)) for entry in entries]
    problem = states.problem
    for state, number in number_of.items():
        if states.is_won(state):
            if distances[number]:
                raise InvalidProofError(f"the won state {problem.format_state(state)} has a distance")
            continue
        for action in problem.actions(state):
            most = max(distances[number_of[result]] for result in states.results(state, action))
            cost = checked_cost(problem, state, action)
            if distances[number] > (most if most == math.inf else most + Fraction(cost)):
                name = problem.format_action(action)
                raise InvalidProofError(
                    f"state {problem.format_state(state)} has the distance {distances[number]}, but action {name} "
                    f"costs {cost} and leads to distances of at most {most}"
                )
    return max(distances[number_of[state]] for state in states.starts)


def _check_trap(states: States, proof: Mapping[str, Any]) -> Cost:
    inside = {json.dumps(entry) for entry in list_of(proof, "states")}
    problem = states.problem
    met: dict[str, Any] = {}
    frontier: list[Any] = []

    def meet(candidates: list[Any]) -> bool:
        """Whether one of these is inside; such are to be looked at, once."""
        some = False
        for state in candidates:
            key = states.text(state)
            if key in inside:
                some = True
                if key not in met:
                    met[key] = state
                    frontier.append(state)
                elif met[key] != state:
                    raise InvalidProofError(f"two states are written {key}")
        return some

    if not meet(states.starts):
        raise InvalidProofError("no possible start is in the trap")
    for state in frontier:  # grows while it is walked
        if states.is_won(state):
            raise InvalidProofError(f"state {problem.format_state(state)} is in the trap, but it is won")
        for action in problem.actions(state):
            if not meet(states.results(state, action)):
                name = problem.format_action(action)
                raise InvalidProofError(
                    f"the trap leaks: action {name} leads out of it from {problem.format_state(state)}"
                )
    return math.inf


def _check_construction(states: States, proof: Mapping[str, Any]) -> Cost:
    problem, evidence = states.problem, proof.get("evidence")
    if not isinstance(evidence, dict):
        raise InvalidProofError(f"its field 'evidence' should be an object, but is {evidence!r:.40}")
    if not problem.has_unit_costs():
        raise InvalidProofError("constructions are for problems in which every action costs 1")
    if not isinstance(problem, ConstructionHook):
        raise InvalidProofError(f"{type(problem).__name__} brings no checker for constructions")
    try:
        length = problem.check_construction(evidence)
    except ValueError as error:
        raise InvalidProofError(str(error)) from None
    return math.inf if length is None else length


PROOFS: Mapping[str, Callable[[States, Mapping[str, Any]], Cost]] = {
    "potential": _check_potential,
    "ray": _check_ray,
    "distances": _check_distances,
    "trap": _check_trap,
    "exhaustion": check_exhaustion,
    "capacity": check_capacity,
    "belief-bounds": check_belief_bounds,
    "lost-beliefs": check_lost_beliefs,
    "construction": _check_construction,
}


# The others are about sums over beliefs, or sets of beliefs, which a percept would split.
_FOR_ANY_PLAYER = frozenset({"trap", "distances", "capacity", "belief-bounds", "lost-beliefs", "construction"})


def rules_out_trying(problem: BeliefProblem[Any, Any, Any], kind: str) -> bool:
    """Whether an infinite bound by this kind of proof means that nobody wins by keeping on trying either.

    Against an adversary, or without percepts, that wins nothing anyway. Otherwise most kinds prove only that no
    plan is sure to win within a certain number of actions.
    """
    if problem.is_sensorless() or problem.has_adversary():
        return True
    return kind in ("lost-beliefs", "construction")


def _rounded_up(states: States, total: Fraction) -> Cost:
    """A plan of actions that cost 1 costs a whole number."""
    if states.all_cost_one:
        return math.ceil(total)
    return whole(total)
