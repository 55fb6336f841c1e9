"""Both bounds on the value of a POMDP, from a file, by the definition and nothing else: slow, and without arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from beliefsearch import StochasticProblem
from beliefsearch.model.belief import applicable_actions
from beliefsearch.model.distribution import begin, step
from beliefsearch.plans.encoding import encode_action, encode_percept, encode_state

Belief = Mapping[Any, Any]


class NaiveFile:
    """A plan of kind `policy-graph`, with a proof of kind `value-bounds` if there is one, of an exact problem."""

    def __init__(self, problem: StochasticProblem[Any, Any, Any], plan: Any, proof: Any = None) -> None:
        self.problem = problem
        self.plan = plan
        self.proof = proof
        self.discount = Fraction(problem.discount())

    def text(self, state: Any) -> str:
        return json.dumps(encode_state(self.problem, state))

    def place(self, state: Any) -> int:
        return [json.dumps(entry) for entry in self.plan["states"]].index(self.text(state))

    def percept(self, percept: Any) -> int:
        text = json.dumps(encode_percept(self.problem, percept))
        return [json.dumps(entry) for entry in self.plan["percepts"]].index(text)

    def states(self) -> list[Any]:
        """All states that can come up and are not terminal."""
        found = [*begin(self.problem).percepts.get(None, (0, {}))[1]]
        for state in found:
            for action in self.problem.actions(state):
                for _, likely in step(self.problem, {state: 1}, action).percepts.values():
                    found += [result for result in likely if result not in found]
        return found

    # The lower bound.

    def value(self, node: int, state: Any) -> Fraction | None:
        number = self.plan["nodes"][node][2][self.place(state)]
        return None if number is None else Fraction(number, self.plan["unit"])

    def lower(self) -> Fraction | None:
        """What the policy is shown to attain at least; None if it is not."""
        first = begin(self.problem)
        total = Fraction(first.utility)
        pairs: list[tuple[int, Any]] = []
        for chance, likely in first.percepts.values():
            for state, share in likely.items():
                value = self.value(0, state) if self.plan["nodes"] else None
                if value is None:
                    return None
                total += Fraction(chance) * Fraction(share) * value
                pairs.append((0, state))
        for node in range(len(self.plan["nodes"])):
            for state in self.states():
                if self.value(node, state) is not None and not self._holds(node, state):
                    return None
        if self.discount == 1 and not self._ends(pairs):
            return None
        return total

    def _after(self, node: int, state: Any) -> Any:
        """The step of a node's action in a state, with the nodes that follow; None if it does not apply."""
        written = json.dumps(self.plan["nodes"][node][0])
        actions = [a for a in self.problem.actions(state) if json.dumps(encode_action(self.problem, a)) == written]
        if not actions:
            return None
        found = step(self.problem, {state: Fraction(1)}, actions[0])
        return found, [
            (self.plan["nodes"][node][1][self.percept(percept)], chance, likely)
            for percept, (chance, likely) in found.percepts.items()
        ]

    def _holds(self, node: int, state: Any) -> bool:
        after = self._after(node, state)
        if after is None:
            return False
        found, following = after
        total = Fraction(found.utility)
        for target, chance, likely in following:
            for result, share in likely.items():
                value = None if target is None else self.value(target, result)
                if value is None:
                    return False
                total += Fraction(chance) * Fraction(share) * value
        own = self.value(node, state)
        return own is not None and own <= found.reward + self.discount * total

    def _ends(self, pairs: list[tuple[int, Any]]) -> bool:
        after: dict[tuple[int, Any], list[tuple[int, Any]]] = {}
        ends = set()
        for pair in pairs:  # grows while it is walked
            found, following = self._after(*pair)
            after[pair] = [(target, result) for target, _, likely in following for result in likely]
            if found.ended:
                ends.add(pair)
            pairs += [target for target in after[pair] if target not in pairs]
        while True:
            more = ends | {pair for pair in pairs if any(target in ends for target in after[pair])}
            if more == ends:
                return ends == set(pairs)
            ends = more

    # The upper bound.

    def upper(self) -> Fraction | None:
        """What no policy is shown to attain more than; None if it is not."""
        unit = self.proof["unit"]
        texts = [json.dumps(entry) for entry in self.proof["actions"]]
        states = self.states()
        planes: dict[str, dict[Any, Fraction]] = {}
        for text, numbers in zip(texts, self.proof["planes"], strict=True):
            by_state = {state: numbers[self.place(state)] for state in states}
            planes[text] = {state: Fraction(value, unit) for state, value in by_state.items() if value is not None}
        by_place = {self.place(state): state for state in states}
        points: list[tuple[dict[Any, Fraction], Fraction, Any]] = []
        for weights, value, witnesses in self.proof["points"]:
            total = sum(weight for _, weight in weights)
            belief = {by_place[number]: Fraction(weight, total) for number, weight in weights}
            named: dict[Any, Any] = {}
            for a, o, witness in witnesses:
                if isinstance(witness, list):  # the share is of whole weights; here it is of beliefs
                    of_point = sum(weight for _, weight in self.proof["points"][witness[0]][0])
                    witness = witness[0], Fraction(witness[1]) * of_point / total
                named[texts[a], o] = witness
            points.append((belief, Fraction(value, unit), named))
        corners = {state: max(plane[state] for plane in planes.values() if state in plane) for state in states}
        for belief, value, _ in points:
            for state in belief:
                if len(belief) == 1:
                    corners[state] = min(corners[state], value)

        def bound(belief: Belief, witness: Any) -> Fraction | None:
            applying = [plane for plane in planes.values() if all(state in plane for state in belief)]
            if not applying:
                return None
            if witness == -2:
                return sum((weight * corners[state] for state, weight in belief.items()), Fraction(0))
            share, added = Fraction(0), Fraction(0)
            inside: dict[Any, Fraction] = {}
            if witness != -1:
                inside, value, _ = points[witness[0] if isinstance(witness, tuple) else witness]
                share = min(belief.get(state, Fraction(0)) / weight for state, weight in inside.items())
                if isinstance(witness, tuple):
                    assert witness[1] <= share, "there is not so much of that point"
                    share = witness[1]
                added = share * value
            rest = {state: weight - share * inside.get(state, 0) for state, weight in belief.items()}
            return added + max(sum((rest[state] * plane[state] for state in rest), Fraction(0)) for plane in applying)

        def worth(belief: Belief, text: str, action: Any, witnesses: Any) -> Fraction | None:
            found = step(self.problem, belief, action)
            total = Fraction(found.utility)
            for percept, (chance, likely) in found.percepts.items():
                witness = witnesses.get((text, self.percept(percept)), -1)
                if isinstance(witness, tuple):
                    witness = witness[0], witness[1] / Fraction(chance)
                after = bound(likely, witness)
                if after is None:
                    return None
                total += Fraction(chance) * after
            return Fraction(found.reward) + self.discount * total

        def too_low(belief: Belief, text: str, value: Fraction, witnesses: Any) -> bool:
            for action in applicable_actions(self.problem, belief):
                if json.dumps(encode_action(self.problem, action)) == text:
                    found = worth(belief, text, action, witnesses)
                    return found is not None and value < found
            return False

        for text, plane in planes.items():
            # Of one state the children by percept are bounded by the planes.
            if any(too_low({state: Fraction(1)}, text, value, {}) for state, value in plane.items()):
                return None
        for belief, value, witnesses in points:
            if any(too_low(belief, text, value, witnesses) for text in texts):
                return None
        first = begin(self.problem)
        total = Fraction(first.utility)
        for chance, likely in first.percepts.values():
            found = [bound(likely, witness) for witness in (-1, -2, 0)[: 3 if points else 2]]
            known = [value for value in found if value is not None]
            if not known:
                return None
            total += Fraction(chance) * min(known)
        return total
