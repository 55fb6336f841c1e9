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
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .belief import initial_states, successors
from .encoding import encode_action, encode_state
from .errors import InvalidPlanError
from .problem import BeliefProblem, Problem, checked_cost

if TYPE_CHECKING:
    from .problem import Cost

__all__ = ["PROOFS", "InvalidProofError", "check_proof"]


class InvalidProofError(InvalidPlanError):
    """A proof proves nothing; the message is the first thing that is wrong with it."""


def check_proof(problem: Problem[Any, Any] | BeliefProblem[Any, Any, Any], proof: Mapping[str, Any]) -> Cost:
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
    return PROOFS[kind](_States(problem), proof)


class _States:
    """The states of a problem by the definition, and how a certificate refers to them."""

    def __init__(self, problem: Problem[Any, Any] | BeliefProblem[Any, Any, Any]) -> None:
        self.problem = problem
        self.goal_sets = list(problem.goal_sets()) if isinstance(problem, BeliefProblem) else None

    @cached_property
    def starts(self) -> list[Any]:
        """The possible starts."""
        if isinstance(self.problem, BeliefProblem):
            return list(dict.fromkeys(initial_states(self.problem)))
        return [self.problem.initial_state()]

    def results(self, state: Any, action: Any) -> list[Any]:
        if isinstance(self.problem, BeliefProblem):
            return list(dict.fromkeys(successors(self.problem, state, action)))
        return [self.problem.result(state, action)]

    def is_won(self, state: Any) -> bool:
        if self.goal_sets is None:
            return self.problem.is_goal(state)
        return any(state in goals for goals in self.goal_sets)

    def text(self, state: Any) -> str:
        return json.dumps(encode_state(self.problem, state))

    def numbered(self, proof: Mapping[str, Any]) -> dict[Any, int]:
        """Every state that can come up, with its number in the proof, which must list them all and no others."""
        written = _list(proof, "states")
        number_of = {json.dumps(entry): number for number, entry in enumerate(written)}
        if len(number_of) < len(written):
            raise InvalidProofError("it lists a state more than once")
        found: dict[Any, int] = {}
        frontier: list[Any] = []

        def meet(states: list[Any]) -> None:
            for state in states:
                if state not in found:
                    number = number_of.pop(self.text(state), None)
                    if number is None:
                        raise InvalidProofError(
                            f"it lacks the state {self.problem.format_state(state)}, which can come up"
                        )
                    found[state] = number
                    frontier.append(state)

        meet(self.starts)
        for state in frontier:  # grows while it is walked
            for action in self.problem.actions(state):
                meet(self.results(state, action))
        if number_of:
            raise InvalidProofError(f"it lists the state {next(iter(number_of))}, which cannot come up")
        return found


def _check_potential(states: _States, proof: Mapping[str, Any], *, ray: bool = False) -> Cost:
    number_of = states.numbered(proof)
    weights = [_fraction(entry) for entry in _list(proof, "weights", len(number_of))]
    flows: dict[str, dict[tuple[int, int], Fraction]] = {}
    for entry in _list(proof, "flows"):
        flow = {(_index(s, weights), _index(t, weights)): _fraction(amount) for s, t, amount in _triples(entry)}
        flows[json.dumps(entry.get("action"))] = flow
    problem = states.problem
    won = {number for state, number in number_of.items() if states.is_won(state)}
    if any(weights[number] for number in won):
        raise InvalidProofError("a won state has a weight")
    inflow: dict[str, dict[int, Fraction]] = {}
    dearest: dict[str, Cost] = {}
    used = 0
    for state, number in number_of.items():
        for action in problem.actions(state):
            key = json.dumps(encode_action(problem, action))
            cost = checked_cost(problem, state, action)
            dearest[key] = min(dearest.get(key, cost), cost)
            if number in won:
                continue
            out = Fraction(0)
            into = inflow.setdefault(key, {})
            for result in states.results(state, action):
                amount = flows.get(key, {}).get((number, number_of[result]))
                if amount is not None:
                    used += 1
                    out += amount
                    target = -1 if number_of[result] in won else number_of[result]
                    into[target] = into.get(target, Fraction(0)) + amount
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
    total = sum((weights[number_of[state]] for state in states.starts), Fraction(0))
    if not ray:
        return _rounded_up(problem, total)
    if not total:
        raise InvalidProofError("the weights of the possible starts are all 0")
    return math.inf


def _check_ray(states: _States, proof: Mapping[str, Any]) -> Cost:
    return _check_potential(states, proof, ray=True)


def _check_distances(states: _States, proof: Mapping[str, Any]) -> Cost:
    number_of = states.numbered(proof)
    # What is no number in JSON, infinity, is null.
    entries = _list(proof, "distances", len(number_of))
    distances: list[Cost] = [math.inf if entry is None else _fraction(entry) for entry in entries]
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


def _check_trap(states: _States, proof: Mapping[str, Any]) -> Cost:
    inside = {json.dumps(entry) for entry in _list(proof, "states")}
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


def _check_exhaustion(states: _States, proof: Mapping[str, Any]) -> Cost:
    number_of = states.numbered(proof)
    model = _SetModel(states, number_of)
    bound, reach, depth = (_limit(proof, key) for key in ("bound", "reach", "depth"))
    if reach + depth < bound:
        raise InvalidProofError(f"a reach of {reach} and a depth of {depth} do not make the bound {bound}")
    if depth and not states.problem.has_unit_costs():
        raise InvalidProofError("it lists sets behind, which is for problems whose costs are 1")
    ahead = _Cover(_valued_sets(proof, "ahead", len(number_of)), ahead=True)
    behind = _Cover(_valued_sets(proof, "behind", len(number_of)), ahead=False)
    if not ahead.covers(sum(1 << number_of[state] for state in states.starts), 0):
        raise InvalidProofError("the initial belief is not covered")
    if not all(behind.covers(goals, 0) for goals in model.goal_sets):
        raise InvalidProofError("a goal set is not covered")
    for members, value in behind.entries:
        for action in model.actions if value < depth else ():
            before = model.preimage(members, action)
            if before and not behind.covers(before, value + 1):
                raise InvalidProofError(f"a set from which action {model.name(action)} leads on is not covered")
    for members, value in ahead.entries:
        if behind.covers(members, bound - value, strictly=True):
            raise InvalidProofError(f"a belief that costs {value} may be won for less than {bound} in all")
        for action in model.applicable(members) if value < reach else ():
            price = value + Fraction(model.cost(members, action))
            if price < bound and not ahead.covers(model.image(members, action), price):
                raise InvalidProofError(f"a belief that action {model.name(action)} leads to is not covered")
    return bound if isinstance(bound, float) else _whole(bound)


class _Cover:
    """Sets with costs, and whether one of them covers another set at no more than a given cost."""

    def __init__(self, entries: list[tuple[int, Fraction]], *, ahead: bool) -> None:
        self.entries = entries
        self._ahead = ahead
        self._exact: dict[int, Fraction] = {}
        for members, value in entries:
            self._exact[members] = min(value, self._exact.get(members, value))

    def covers(self, members: int, cost: Cost, *, strictly: bool = False) -> bool:
        exact = self._exact.get(members)
        if exact is not None and (exact < cost or (exact == cost and not strictly)):
            return True
        for other, value in self.entries:
            outside = other & ~members if self._ahead else members & ~other
            if not outside and (value < cost or (value == cost and not strictly)):
                return True
        return False


class _SetModel:
    """Sets of numbered states as bit sets, and what actions make of them."""

    def __init__(self, states: _States, number_of: Mapping[Any, int]) -> None:
        problem = states.problem
        self.actions: list[Any] = []
        self._problem = problem
        self._state = {number: state for state, number in number_of.items()}
        self._images: dict[Any, dict[int, int]] = {}
        for state, number in number_of.items():
            for action in problem.actions(state):
                rows = self._images.setdefault(action, {})
                rows[number] = sum(1 << number_of[result] for result in states.results(state, action))
        self.actions = list(self._images)
        self._domain = {action: sum(1 << number for number in rows) for action, rows in self._images.items()}
        sets: Sequence[Any] = states.goal_sets if states.goal_sets is not None else [_Won(states)]
        masks = [sum(1 << number for state, number in number_of.items() if state in goals) for goals in sets]
        self.goal_sets = [mask for mask in masks if mask]

    def name(self, action: Any) -> str:
        return self._problem.format_action(action)

    def applicable(self, members: int) -> list[Any]:
        return [action for action in self.actions if not members & ~self._domain[action]]

    def image(self, members: int, action: Any) -> int:
        rows = self._images[action]
        image = 0
        for number in _bits(members):
            image |= rows[number]
        return image

    def preimage(self, members: int, action: Any) -> int:
        return sum(1 << number for number, image in self._images[action].items() if not image & ~members)

    def cost(self, members: int, action: Any) -> Cost:
        if self._problem.has_unit_costs():
            return 1
        return max(checked_cost(self._problem, self._state[number], action) for number in _bits(members))


class _Won:
    """The won states of a plain problem, as a goal set."""

    def __init__(self, states: _States) -> None:
        self._states = states

    def __contains__(self, state: object) -> bool:
        return self._states.is_won(state)


def _check_construction(states: _States, proof: Mapping[str, Any]) -> Cost:
    problem, evidence = states.problem, proof.get("evidence")
    if not isinstance(evidence, dict):
        raise InvalidProofError(f"its field 'evidence' should be an object, but is {evidence!r:.40}")
    if not isinstance(problem, BeliefProblem):
        raise InvalidProofError("constructions are for belief problems")
    try:
        length = problem.check_construction(evidence)
    except ValueError as error:
        raise InvalidProofError(str(error)) from None
    return math.inf if length is None else length


PROOFS: Mapping[str, Callable[[_States, Mapping[str, Any]], Cost]] = {
    "potential": _check_potential,
    "ray": _check_ray,
    "distances": _check_distances,
    "trap": _check_trap,
    "exhaustion": _check_exhaustion,
    "construction": _check_construction,
}


def _bits(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest


def _whole(value: Fraction) -> Cost:
    """A whole number as an int."""
    return int(value) if value.denominator == 1 else value


def _rounded_up(problem: Any, total: Fraction) -> Cost:
    """A plan of actions that cost 1 costs a whole number."""
    if problem.has_unit_costs():
        return math.ceil(total)
    return _whole(total)


def _list(data: Mapping[str, Any], key: str, length: int | None = None) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise InvalidProofError(f"its field {key!r} should be a list, but is {value!r:.40}")
    if length is not None and len(value) != length:
        raise InvalidProofError(f"its field {key!r} has {len(value)} entries for {length} states")
    return value


def _triples(entry: Any) -> list[Any]:
    flow = entry.get("flow") if isinstance(entry, dict) else None
    if not isinstance(flow, list) or not all(isinstance(item, list) and len(item) == 3 for item in flow):
        raise InvalidProofError("a flow should be an object with an action and a list of [from, to, amount]")
    return flow


def _index(value: Any, of: Sequence[Any]) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < len(of):
        raise InvalidProofError(f"{value!r:.40} is not the number of a state")
    return value


def _fraction(value: Any) -> Fraction:
    """A number that is not negative: a whole one, or text such as `3/4`."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return Fraction(value)
    if isinstance(value, str) and len(value) < 1000:
        try:
            number = Fraction(value)
        except (ValueError, ZeroDivisionError):
            number = Fraction(-1)
        if number >= 0:
            return number
    raise InvalidProofError(f"{value!r:.40} should be a number that is not negative, such as 3 or '3/4'")


def _valued_sets(proof: Mapping[str, Any], key: str, states: int) -> list[tuple[int, Fraction]]:
    """Sets of states as bit sets, each with a cost."""
    found = []
    for entry in _list(proof, key) if key in proof else []:
        if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], list) or not entry[0]:
            raise InvalidProofError(f"an entry of {key!r} should be a list of states and a cost, but is {entry!r:.40}")
        numbers = [_index(number, range(states)) for number in entry[0]]
        found.append((sum(1 << number for number in set(numbers)), _fraction(entry[1])))
    return found


def _limit(proof: Mapping[str, Any], key: str) -> Fraction | float:
    """A number that is not negative; null is infinity, which JSON lacks."""
    return math.inf if proof.get(key) is None else _fraction(proof[key])
