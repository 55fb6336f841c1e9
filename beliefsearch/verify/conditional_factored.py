"""A conditional plan followed block by block, where the starts are too many to be listed.

By the contract of `FactoredHook` a belief is the product of what is possible in each block, and stays one after each
action and percept. So it is followed by the definition, with a frozenset of states for each block. A part of the plan
that has been followed to its ends need not be followed again from a belief that agrees in all blocks with which the
actions of that part have to do, if the others, which stay as they are, are won; the block that is fixed may be in any
state for which costs of this part are known. That the blocks say the same as the problem is the author's claim, which
`check` tests; here one course of the whole game is followed besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, TypeAlias

from attrs import define, field

from ..errors import DoesNotHoldError, ProblemError
from ..model.base import Cost
from ..model.belief import (
    Belief,
    belief_cost,
    initial_belief,
    initial_states,
    is_goal_belief,
    outcomes,
    perceived,
    successors,
)
from ..model.diagrams import Costs
from ..model.factor import Factor
from ..model.fixed_beliefs import FixedBeliefs
from ..plans.node_plans import NodePlan, no_branch, require_applicable
from .sequence import left_out

Beliefs: TypeAlias = "tuple[Any, ...]"
"""What is possible in each block: a frozenset, or a diagram in the block that is fixed."""


class AnyAction:
    """A problem in any state of which all actions apply: whoever reads a plan looks there for what one is called."""

    def __init__(self, problem: Any, blocks: Sequence[Factor[Any]]) -> None:
        self._problem = problem
        own = (action for block in blocks for action in block.actions)
        self._actions = tuple(dict.fromkeys([*own, *problem.actions(next(initial_states(problem)))]))

    def actions(self, state: Any) -> Sequence[Any]:
        """All of them."""
        return self._actions

    def __getattr__(self, name: str) -> Any:
        return getattr(self._problem, name)


@define
class _Place:
    """A node of the plan with a belief, what may follow, and what is known of the plan from there."""

    node: int
    beliefs: Beliefs
    action: Any
    cost: Cost
    touched: int
    waiting: list[tuple[Any, int, Beliefs]]
    """Percepts, and what follows them."""
    after: list[tuple[Any, Costs]] = field(factory=list)
    """Percepts that were followed, and the costs from there."""


@define
class FollowedBlocks:
    """A plan that is followed; raises `DoesNotHoldError` where it goes wrong."""

    problem: Any
    blocks: Sequence[Factor[Any]]
    plan: NodePlan
    steps: dict[int, tuple[Any, dict[Any, int]]] = field(factory=dict)
    """By node that was come to and has an action: this, and where percepts lead."""
    largest: int = 0
    """The members of the largest belief of a block."""
    _own: list[frozenset[Any]] = field(init=False)
    _fixed: FixedBeliefs[Any] = field(init=False)
    _fixed_place: int | None = field(init=False)
    _known: dict[int, dict[int, dict[Beliefs, list[Costs]]]] = field(factory=dict)
    _outcomes: dict[Any, list[tuple[Any, Any]]] = field(factory=dict)
    _won: dict[tuple[int, Any], bool] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._own = [frozenset(block.actions) for block in self.blocks]
        self._fixed = FixedBeliefs(self.blocks)
        self._fixed_place = next((place for place, block in enumerate(self.blocks) if block.fixed), None)

    def cost(self) -> Cost:
        """Follow the plan through all that may happen, and return the most that it costs."""
        start = self._start()
        if (found := self._found(0, start)) is not None:
            return self._most(start, found[1])
        path = [self._place(0, start)]
        under_way = {(0, start)}
        while True:
            place = path[-1]
            if not place.waiting:
                path.pop()
                under_way.remove((place.node, place.beliefs))
                costs = self._fixed.costs_before(place.action, place.cost, place.after)
                known = self._known.setdefault(place.node, {}).setdefault(place.touched, {})
                known.setdefault(self._key(place.beliefs, place.touched), []).append(costs)
                if not path:
                    return self._most(start, costs)
                continue
            percept, node, beliefs = place.waiting[-1]
            if (found := self._found(node, beliefs)) is not None:
                place.waiting.pop()
                place.touched |= found[0]
                place.after.append((percept, found[1]))
            elif (node, beliefs) in under_way:
                raise ProblemError(
                    f"the plan goes from node {place.node} back to where it was before; where the starts are too many "
                    "to be listed nobody can tell whether a plan that keeps trying holds"
                )
            else:
                under_way.add((node, beliefs))
                path.append(self._place(node, beliefs))

    def follow_one_course(self) -> None:
        """Follow the whole game along one course; raises `ProblemError` if the blocks do not say the same."""
        state, node = next(initial_states(self.problem)), 0
        beliefs = self._start()
        self._compare(state, beliefs)
        while not self.plan.is_end(node):
            action = self.plan.action(node, (state,))
            require_applicable(self.problem, f"node {node}", action, [state], DoesNotHoldError)
            state = next(iter(successors(self.problem, state, action)))
            percept = perceived(self.problem, state, action)[0]
            after = [one for told, _, one in self._after(node, action, beliefs) if told == percept]
            if not after:
                name = type(self.problem).__name__
                raise ProblemError(f"{name}.factors(): no factor tells {self.problem.format_percept(percept)}")
            (beliefs,) = after
            self._compare(state, beliefs)
            target = self.plan.follow(node, percept)
            assert target is not None, "the plan was followed through all percepts"
            node = target

    def _compare(self, state: Any, beliefs: Beliefs) -> None:
        for place, (block, belief) in enumerate(zip(self.blocks, beliefs, strict=True)):
            own = block.of(state)
            if not (self._fixed.includes(belief, own) if block.fixed else own in belief):
                raise left_out(self.problem, place, state)

    def _start(self) -> Beliefs:
        return tuple(self._fixed.start if block.fixed else initial_belief(block.problem) for block in self.blocks)

    def _most(self, beliefs: Beliefs, costs: Costs) -> Cost:
        return self._fixed.most(self._fixed.start if self._fixed_place is None else beliefs[self._fixed_place], costs)

    def _place(self, node: int, beliefs: Beliefs) -> _Place:
        if self.plan.is_end(node):
            place = next(place for place, belief in enumerate(beliefs) if not self._is_won(place, belief))
            problem, belief = self.blocks[place].problem, beliefs[place]
            lost = [self._fixed.state_lost(belief)] if place == self._fixed_place else belief
            state = min(problem.format_state(state) for state in lost)
            raise DoesNotHoldError(f"the plan ends in node {node}, where the state may be {state}, which is not won")
        action = self.plan.action(node, beliefs[0])
        places = [place for place, own in enumerate(self._own) if action in own]
        if places:
            cost = max(self._cost(place, beliefs[place], action) for place in places)
        else:  # it applies everywhere, and changes nothing, if it is an action
            start = next(initial_states(self.problem))
            require_applicable(self.problem, f"node {node}", action, [start], DoesNotHoldError)
            cost = belief_cost(self.problem, frozenset((start,)), action)
        waiting, targets = [], self.steps.setdefault(node, (action, {}))[1]
        for percept, words, after in self._after(node, action, beliefs):
            target = self.plan.follow(node, percept)
            if target is None:
                raise no_branch(node, self.problem.format_action(action), words)
            targets[percept] = target
            waiting.append((percept, target, after))
        return _Place(node, beliefs, action, cost, sum(1 << place for place in places), waiting)

    def _cost(self, place: int, belief: Any, action: Any) -> Cost:
        problem = self.blocks[place].problem
        states = frozenset((self._fixed.state_in(belief),)) if place == self._fixed_place else belief
        return belief_cost(problem, states, action)

    def _after(self, node: int, action: Any, beliefs: Beliefs) -> list[tuple[Any, str, Beliefs]]:
        """Return what may be perceived, with its words, and what is possible in each block then."""
        new = list(beliefs)
        told: list[tuple[Any, Belief[Any]]] = []
        teller = 0
        for place, (belief, own) in enumerate(zip(beliefs, self._own, strict=True)):
            if action not in own:
                continue
            found = self._outcomes_of(node, place, action, belief)
            new[place] = found[0][1]
            if [percept for percept, _ in found] != [None]:
                if told:
                    raise ProblemError(f"{type(self.problem).__name__}.factors(): two factors tell of one action")
                told, teller = found, place
            self.largest = max(self.largest, 0 if place == self._fixed_place else len(belief))
        if not told:
            return [(None, "nothing", tuple(new))]
        words = self.blocks[teller].problem.format_percept
        return [(percept, words(percept), (*new[:teller], one, *new[teller + 1 :])) for percept, one in told]

    def _outcomes_of(self, node: int, place: int, action: Any, belief: Any) -> list[tuple[Any, Any]]:
        found = self._outcomes.get((place, action, belief))
        if found is None:
            problem = self.blocks[place].problem
            if place == self._fixed_place:
                without = self._fixed.state_without(belief, action)
                require_applicable(
                    problem, f"node {node}", action, () if without is None else (without,), DoesNotHoldError
                )
                found = self._fixed.outcomes(belief, action)
            else:
                require_applicable(problem, f"node {node}", action, belief, DoesNotHoldError)
                branches = outcomes(problem, belief, action)
                found = [(percept, frozenset(branches[percept])) for percept in branches]
            self._outcomes[place, action, belief] = found
        return found

    def _found(self, node: int, beliefs: Beliefs) -> tuple[int, Costs] | None:
        """Return the blocks that matter to the plan from a node, and what it costs, if it is known to win."""
        lost = sum(1 << place for place, belief in enumerate(beliefs) if not self._is_won(place, belief))
        if self.plan.is_end(node):
            return None if lost else (0, self._fixed.costs_at_end)
        if self._fixed_place is not None:
            lost &= ~(1 << self._fixed_place)  # which the costs tell
        for touched, known in self._known.get(node, {}).items():
            for costs in () if lost & ~touched else known.get(self._key(beliefs, touched), ()):
                if self._most(beliefs, costs) < inf:
                    return touched, costs
        return None

    def _key(self, beliefs: Beliefs, touched: int) -> Beliefs:
        fixed = self._fixed_place
        return tuple(belief for place, belief in enumerate(beliefs) if touched >> place & 1 and place != fixed)

    def _is_won(self, place: int, belief: Any) -> bool:
        found = self._won.get((place, belief))
        if found is None:
            is_fixed = place == self._fixed_place
            found = self._fixed.is_won(belief) if is_fixed else is_goal_belief(self.blocks[place].problem, belief)
            self._won[place, belief] = found
        return found
