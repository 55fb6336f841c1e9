"""Checking proofs by weights: each action lowers their sum over the belief by at most its cost, or not at all.

By the definition alone, as `proof.py`, which says why these kinds, `potential` and `ray`, prove what they claim.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.checked import checked_cost
from ..model.values import whole
from ..plans.encoding import encode_action
from .proof_fields import fraction, index_in, list_of, triples_of
from .proof_states import States


def check_potential(states: States, proof: Mapping[str, Any], *, ray: bool = False) -> Cost:
    """Check the flows, and return the sum of the weights over the initial belief, or infinity for a `ray`."""
    number_of = states.numbered(proof)
    weights = [whole(fraction(entry)) for entry in list_of(proof, "weights", len(number_of))]
    flows: dict[str, dict[int, Cost]] = {}  # by pair of states; as one number, for there may be millions
    size = len(weights)
    for entry in list_of(proof, "flows"):
        triples = triples_of(entry)
        flow: dict[int, Cost] = {
            index_in(s, weights) * size + index_in(t, weights): whole(fraction(amount)) for s, t, amount in triples
        }
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
        raise InvalidProofError("a flow leads from a state to one that the action does not lead to")
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


def check_ray(states: States, proof: Mapping[str, Any]) -> Cost:
    """Check that the sum of the weights never falls, and return infinity."""
    return check_potential(states, proof, ray=True)


def _rounded_up(states: States, total: Fraction) -> Cost:
    """The bound, rounded up if every action costs 1, as every plan then costs a whole number."""
    if states.all_cost_one:
        return math.ceil(total)
    return whole(total)
