"""The checker of proofs: a bound, or that there is no plan, established anew from a certificate.

It stands on the definition alone: no `canonical`, no floats. A proof is data, and may be wrong in any way; each check
stops at the first thing that is wrong.
The kinds of proof, and why each proves what it claims:

`potential`
    Weights of states, and for each action a flow that shows that doing it lowers the sum of the weights
    over a belief by no more than the action costs. A won belief has the sum 0, so no plan costs less than
    the sum over the initial belief.
`ray`
    The same with flows of nothing into won states: the sum never falls, so there is no plan.
`distances`
    A number for each state, 0 where it is won, and never above what an action costs and the largest number
    of its results: even a player who sees the state cannot win for less. If it is infinite, nobody wins at all.
`trap`
    States that are not won, a possible start among them; every action has a result among them.
`capacity`
    Nothing but the kind: each action has few percepts, so plans of few actions cannot tell all states apart
    that they must. Where the actions are too many to be listed, it says that those which the author calls distinct
    are to be taken for all, and so asks for more trust.
`belief-bounds`
    Beliefs, each with a bound; none that has one is won, and every action costs so much that with the bound of
    one of its outcomes, by percept, it is no less than that. What is not listed has the largest bound of the listed
    beliefs that it includes, or 0: whatever wins from a belief wins from a part of it, at no greater cost.
`lost-beliefs`
    Beliefs, each with a rank, none won. Every action has an outcome of a lower rank, or has only outcomes of
    this one: then nobody wins for certain, not even by keeping on trying.
`mean-bounds`
    Of problems in which only the start is uncertain. Beliefs, each with what its starts cost together at the least:
    none is won, and every action costs so much that with the bounds of all its outcomes it is no less than that. What
    is not listed has a bound by counting. Of actions that a symmetry of the belief exchanges one is enough.
`construction`
    Whatever the puzzle's author has a checker for (`check_construction`), which is to be trusted as far as
    the puzzle itself: about the length of the shortest plan, or that there is none.
`exhaustion`
    Beliefs *ahead*, each with a cost, of which every belief that can be reached includes one that is no
    dearer, as far as a `reach`; and sets *behind*, of which one includes every set that is won by no more
    than k actions, for every k up to a `depth` (which is 0, and the sets are the goal sets, unless all costs are
    1). No belief ahead lies in a set behind for less than the bound. Reach and depth together make it; or where costs
    are 1 and a `rest` is left, fewer actions than that lead from no belief at the reach into a set at the depth.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.checked import checked_cost
from ..model.hooks import has_closed_form
from ..model.problem import BeliefProblem
from ..model.reachability import is_certain
from ..model.values import whole
from .proof_beliefs import check_belief_bounds, check_lost_beliefs
from .proof_capacity import check_capacity
from .proof_exhaustion import check_exhaustion
from .proof_fields import fraction, list_of
from .proof_states import States
from .proof_weights import check_potential, check_ray


def check_proof(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any]) -> Cost:
    """The lower bound that `proof` establishes; it is infinite if there is no plan.

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

    Examples
    --------
    Whoever sees the two coins of the devil needs an action, unless all heads are up already:

    >>> from beliefsearch_problems.devil import DevilProblem
    >>> states = ["HH", "HT", "TH", "TT"]
    >>> check_proof(DevilProblem(n=2), {"kind": "distances", "states": states, "distances": [0, 1, 1, 1]})
    1
    >>> check_proof(DevilProblem(n=2), {"kind": "distances", "states": states, "distances": [0, 1, 1, 2]})
    Traceback (most recent call last):
    ...
    beliefsearch.errors.InvalidProofError: state TT has the distance 2, but action {0, 1} costs 1 and leads to ...
    """
    kind = proof.get("kind")
    if not isinstance(kind, str) or kind not in PROOFS:
        raise InvalidProofError(f"its kind is {kind!r:.40}, not one of {', '.join(PROOFS)}")
    if not PROOFS[kind].contingent and not problem.is_sensorless():
        raise InvalidProofError(f"its kind {kind!r} is about players who perceive nothing; this problem is contingent")
    return PROOFS[kind].check(States(problem), proof)


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
        """Whether one of these is in the trap; adds those that are to the frontier, once."""
        some = False
        for state in candidates:
            key = states.text(state)
            if key in inside:
                some = True
                if key not in met:
                    met[key] = state
                    frontier.append(state)
                elif met[key] != state:
                    raise InvalidProofError(f"two states have the same text {key}")
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
    if not has_closed_form(problem):
        raise InvalidProofError(f"{type(problem).__name__} brings no checker for constructions")
    try:
        length = problem.check_construction(evidence)
    except ValueError as error:
        raise InvalidProofError(str(error)) from None
    return math.inf if length is None else length


def _check_mean_bounds(states: States, proof: Mapping[str, Any]) -> Cost:
    from .proof_mean import check_mean_bounds  # with NumPy

    return check_mean_bounds(states, proof)


class ProofKind(NamedTuple):
    """A kind of proof.

    `check` gives the bound that such a proof establishes, or raises `InvalidProofError`; `says` what it is, in a few
    words, in which a name in braces stands for the length of that list. If it is not `contingent`, it is about sums
    over beliefs, or sets of beliefs, which a percept would split. `rules_out_trying` is whether an infinite bound means
    that nobody wins by keeping on trying either: most kinds prove only that no plan is sure to win within a certain
    number of actions.
    """

    check: Callable[[States, Mapping[str, Any]], Cost]
    says: str
    contingent: bool = True
    rules_out_trying: bool = False
    objective: str = "worst"


_WEIGHTS = "weights of {weights} states, with a sum that no action lowers"
PROOFS: Mapping[str, ProofKind] = {
    "potential": ProofKind(check_potential, f"{_WEIGHTS} by more than it costs", contingent=False),
    "ray": ProofKind(check_ray, _WEIGHTS, contingent=False),
    "distances": ProofKind(_check_distances, "the distances of {states} states for a player who sees everything"),
    "trap": ProofKind(_check_trap, "a trap of {states} states, which the player cannot be sure to leave"),
    "exhaustion": ProofKind(
        check_exhaustion, "a list of {ahead} beliefs ahead and {behind} sets behind", contingent=False
    ),
    "capacity": ProofKind(check_capacity, "by the number of states that the percepts of a plan can tell apart{if}"),
    "belief-bounds": ProofKind(check_belief_bounds, "the bounds of {beliefs} beliefs"),
    "lost-beliefs": ProofKind(check_lost_beliefs, "a list of {beliefs} beliefs that are lost", rules_out_trying=True),
    "mean-bounds": ProofKind(
        _check_mean_bounds,
        "the bounds of {beliefs} beliefs, and of all others by how many states they have",
        objective="expected",
    ),
    "construction": ProofKind(
        _check_construction, "a closed form{by} which the puzzle's own checker accepts", rules_out_trying=True
    ),
}
"""The kinds of proof by name; the top of this file says why each proves what it claims."""


def rules_out_trying(problem: BeliefProblem[Any, Any, Any], kind: str) -> bool:
    """Whether an infinite bound by this kind of proof also rules out plans that keep trying.

    Against an adversary, without percepts, or where only the start is uncertain, that wins nothing anyway.
    """
    known = problem.is_sensorless() or problem.has_adversary() or PROOFS[kind].rules_out_trying
    return known or is_certain(problem)


def proof_text(proof: Mapping[str, Any]) -> str:
    """Describe a proof in a few words."""
    evidence = proof.get("evidence")
    argument = evidence.get("argument") if isinstance(evidence, dict) else None
    words = {name: f"{len(value):,}" for name, value in proof.items() if isinstance(value, Collection)}
    weights = proof.get("weights")
    words["weights"] = f"{sum(1 for weight in weights if weight):,}" if isinstance(weights, Collection) else ""
    words["if"] = ", if distinct_actions() leaves out no class of actions" if "actions" in proof else ""
    words["by"] = f", by the argument {argument!r}," if isinstance(argument, str) else ""
    return PROOFS[proof["kind"]].says.format_map(defaultdict(lambda: "0", words))  # a list may be left out
