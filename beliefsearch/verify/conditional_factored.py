"""A conditional plan followed block by block, where the starts are too many to be listed.

By the contract of `FactoredHook` a belief is the product of what is possible in each block, and stays one after each
action and percept. So it is followed by the definition, with a frozenset of states for each block. A part of the plan
that has been followed to its ends need not be followed again from a belief that agrees in all blocks with which the
actions of that part have to do, if the others, which stay as they are, are won. That the blocks say the same as the
problem is the author's claim, which `check` tests; here one course of the whole game is followed besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from attrs import define, field

from ..errors import ProblemError
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
from ..model.hooks import Factor
from ..plans.node_plans import NodePlan
from ..plans.steps import DoesNotHoldError, require_applicable
from .sequence import left_out

Beliefs: TypeAlias = "tuple[Belief[Any], ...]"
"""What is possible in each block."""


class AnyAction:
    """A problem in any state of which all actions apply: whoever reads a plan looks there for what one is called."""

    def __init__(self, problem: Any, blocks: Sequence[Factor[Any]]) -> None:
        self._problem = problem
        self._actions = tuple(dict.fromkeys(action for block in blocks for action in block.actions))

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
    cost: Cost
    touched: int
    waiting: list[tuple[int, Beliefs]]
    longest: Cost = 0


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
    _known: dict[int, dict[int, dict[Beliefs, Cost]]] = field(factory=dict)
    _outcomes: dict[Any, list[tuple[Any, Belief[Any]]]] = field(factory=dict)
    _won: dict[tuple[int, Belief[Any]], bool] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._own = [frozenset(block.actions) for block in self.blocks]

    def cost(self) -> Cost:
        """Follow the plan through all that may happen, and return the most that it costs."""
        start = tuple(initial_belief(block.problem) for block in self.blocks)
        if (found := self._found(0, start)) is not None:
            return found[1]
        path = [self._place(0, start)]
        under_way = {(0, start)}
        while True:
            place = path[-1]
            if not place.waiting:
                path.pop()
                under_way.remove((place.node, place.beliefs))
                total = place.cost + place.longest
                key = self._key(place.beliefs, place.touched)
                self._known.setdefault(place.node, {}).setdefault(place.touched, {})[key] = total
                if not path:
                    return total
            elif (found := self._found(*place.waiting[-1])) is not None:
                place.waiting.pop()
                place.touched |= found[0]
                place.longest = max(place.longest, found[1])
            elif place.waiting[-1] in under_way:
                raise ProblemError(
                    f"the plan goes from node {place.node} back to where it was before; where the starts are too many "
                    "to be listed nobody can tell whether a plan that keeps trying holds"
                )
            else:
                under_way.add(place.waiting[-1])
                path.append(self._place(*place.waiting[-1]))

    def follow_one_course(self) -> None:
        """Follow the whole game along one course; raises `ProblemError` if the blocks do not say the same."""
        state, node = next(initial_states(self.problem)), 0
        beliefs = tuple(initial_belief(block.problem) for block in self.blocks)
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
            if block.of(state) not in belief:
                raise left_out(self.problem, place, state)

    def _place(self, node: int, beliefs: Beliefs) -> _Place:
        if self.plan.is_end(node):
            place = next(place for place, belief in enumerate(beliefs) if not self._is_won(place, belief))
            state = min(map(self.blocks[place].problem.format_state, beliefs[place]))
            raise DoesNotHoldError(f"the plan ends in node {node}, where the state may be {state}, which is not won")
        action = self.plan.action(node, beliefs[0])
        touched = sum(1 << place for place, own in enumerate(self._own) if action in own)
        if not touched:
            raise DoesNotHoldError(f"node {node}: {self.problem.format_action(action)} is no action of the problem")
        cost = max(
            belief_cost(block.problem, belief, action)
            for block, belief, own in zip(self.blocks, beliefs, self._own, strict=True)
            if action in own
        )
        waiting, targets = [], self.steps.setdefault(node, (action, {}))[1]
        for percept, words, after in self._after(node, action, beliefs):
            target = self.plan.follow(node, percept)
            if target is None:
                raise DoesNotHoldError(
                    f"node {node}: after {self.problem.format_action(action)} the percept {words} may come, and there "
                    "is no branch for it"
                )
            targets[percept] = target
            waiting.append((target, after))
        return _Place(node, beliefs, cost, touched, waiting)

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
            self.largest = max(self.largest, len(belief))
        if not told:
            return [(None, "None", tuple(new))]
        words = self.blocks[teller].problem.format_percept
        return [(percept, words(percept), (*new[:teller], one, *new[teller + 1 :])) for percept, one in told]

    def _outcomes_of(self, node: int, place: int, action: Any, belief: Belief[Any]) -> list[tuple[Any, Belief[Any]]]:
        found = self._outcomes.get((place, action, belief))
        if found is None:
            problem = self.blocks[place].problem
            require_applicable(problem, f"node {node}", action, belief, DoesNotHoldError)
            branches = outcomes(problem, belief, action)
            found = [(percept, frozenset(branches[percept])) for percept in branches]
            self._outcomes[place, action, belief] = found
        return found

    def _found(self, node: int, beliefs: Beliefs) -> tuple[int, Cost] | None:
        """Return the blocks that matter to the plan from a node, and the most that it costs, if it is known to win."""
        lost = sum(1 << place for place, belief in enumerate(beliefs) if not self._is_won(place, belief))
        if self.plan.is_end(node):
            return None if lost else (0, 0)
        for touched, known in self._known.get(node, {}).items():
            if not lost & ~touched and (cost := known.get(self._key(beliefs, touched))) is not None:
                return touched, cost
        return None

    def _key(self, beliefs: Beliefs, touched: int) -> Beliefs:
        return tuple(belief for place, belief in enumerate(beliefs) if touched >> place & 1)

    def _is_won(self, place: int, belief: Belief[Any]) -> bool:
        found = self._won.get((place, belief))
        if found is None:
            found = self._won[place, belief] = is_goal_belief(self.blocks[place].problem, belief)
        return found
