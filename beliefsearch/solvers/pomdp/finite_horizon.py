"""Finite horizon: the highest expected reward in a given number of actions, by expanding every reachable belief.

Backward induction over layers of beliefs, where equal beliefs are merged (Russell and Norvig, 4th edition, section
17.4.1, over beliefs). With fractions all numbers are exact. A game that is not over after the last action gets no
utility.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic

from attrs import define

from ...model.base import Action, Number, Percept, State
from ...model.belief import applicable_actions
from ...model.checked import (
    checked_discount,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
)
from ...model.distribution import Distribution, Step, begin, step
from ...model.stochastic import StochasticProblem
from ...model.values import whole
from ...plans.policy import PolicyGraph, PolicyResult
from ...plans.result import SearchStats, Status
from ...running.limits import EffortExceeded
from ...running.run import Run


def finite_horizon_search(
    problem: StochasticProblem[State, Action, Percept], horizon: int, run: Run, most: int | None = None
) -> PolicyResult[State, Action]:
    """Find the best policy for `horizon` actions, a graph that is empty if no action can be done.

    In the result `found` are the layers: by number of actions done, the reachable beliefs with their `Node`s.

    O(beliefs * actions) steps; the number of beliefs may grow exponentially with the horizon. Raises `LimitReached` at
    a limit, `EffortExceeded` if the beliefs will have more than `most` probabilities together or half of a time limit
    is over, and `ProblemError` if the problem breaks its contract.
    """
    return _Induction(problem, horizon, run, most).run()


# The growth of a layer from which on later layers are expected to grow as well.
_GROWS = 1.1


@define
class Node(Generic[State, Action, Percept]):
    """A belief with a number of actions left: the outcomes of each action, and the best one once that is known."""

    steps: Mapping[Action, Step[State, Percept]]
    value: Any = 0
    best: Any = None
    number: int = -1


class _Induction(Generic[State, Action, Percept]):
    def __init__(
        self, problem: StochasticProblem[State, Action, Percept], horizon: int, run: Run, most: int | None
    ) -> None:
        self._problem = problem
        self._horizon = horizon
        self._most = most
        self._budget = run.budget
        self._observer = run.observer
        self._discount: Any = checked_discount(problem)
        # By number of actions done: the beliefs that may have come up.
        self._layers: list[dict[Distribution[State], Node[State, Action, Percept]]] = []
        self._expanded = self._generated = self._size = 0

    def run(self) -> PolicyResult[State, Action]:
        first = begin(self._problem, self._budget.tick)
        beliefs = {belief: None for _, belief in first.percepts.values()}
        last = 0
        while beliefs and len(self._layers) < self._horizon:
            before, already = last, self._size
            beliefs = self._expand(beliefs)
            last = self._size - already
            left, grows = self._horizon - len(self._layers), last / before if before else 1.0
            if self._most is not None and grows > _GROWS and self._size + left * grows * last > self._most:
                raise EffortExceeded  # extrapolated: layers will be too large
        for done in reversed(range(len(self._layers))):
            for node in self._layers[done].values():
                self._decide(node, done)
        value: Any = first.utility
        graph: PolicyGraph[State, Action, Percept] = PolicyGraph((), (), (), steps=())
        if first.percepts and self._horizon:
            ((chance, belief),) = first.percepts.values()
            value += chance * self._layers[0][belief].value
            if self._layers[0][belief].best is not None:  # else no action applies
                graph = self._graph(belief)
        value = whole(value)
        stats = SearchStats(self._expanded, self._generated, self._expanded)
        return PolicyResult(
            Status.SOLVED,
            value,
            graph,
            "finite-horizon",
            stats=stats,
            lower_bound=value,
            upper_bound=value,
            found=self._layers,
        )

    def _expand(self, beliefs: Mapping[Distribution[State], None]) -> dict[Distribution[State], None]:
        """Expand a layer of beliefs, and return their successors."""
        layer: dict[Distribution[State], Node[State, Action, Percept]] = {}
        following: dict[Distribution[State], None] = {}
        budget = self._budget
        for belief in beliefs:
            budget.check_expanded(self._expanded)
            if self._most is not None and (self._size > self._most or budget.seconds() > budget.seconds_left()):
                raise EffortExceeded  # the other half of a time limit is for bounds
            self._expanded += 1
            tick = budget.tick
            actions = applicable_actions(self._problem, belief, tick)
            steps = {action: step(self._problem, belief, action, tick) for action in actions}
            layer[belief] = Node(steps)
            for after in steps.values():
                self._generated += len(after.percepts)
                self._size += sum(len(then) for _, then in after.percepts.values())
                following.update((then, None) for _, then in after.percepts.values())
        self._layers.append(layer)
        self._observer.numbered(self._expanded)
        return following

    def _decide(self, node: Node[State, Action, Percept], done: int) -> None:
        """Choose the first action of the highest value; if none applies, the value is 0."""
        self._budget.tick()
        later = self._layers[done + 1] if done + 1 < len(self._layers) else {}
        for action, after in node.steps.items():
            going_on: Any = after.utility
            for chance, belief in after.percepts.values() if later else ():
                going_on += chance * later[belief].value
            value = after.reward + self._discount * going_on
            if node.best is None or value > node.value:
                node.best, node.value = action, value

    def _graph(self, start: Distribution[State]) -> PolicyGraph[State, Action, Percept]:
        """The nodes reachable under the best actions, each with its values by state."""
        found: list[tuple[int, Distribution[State]]] = [(0, start)]
        self._layers[0][start].number = 0
        nodes: list[Node[State, Action, Percept]] = []
        successors: list[dict[Percept, int]] = []
        for done, belief in found:  # grows while it is walked
            node = self._layers[done][belief]
            nodes.append(node)
            targets: dict[Percept, int] = {}
            successors.append(targets)
            if node.best is None or done + 1 == self._horizon:
                continue
            for percept, (_, then) in node.steps[node.best].percepts.items():
                target = self._layers[done + 1][then]
                if target.best is None:
                    continue
                if target.number < 0:
                    target.number = len(found)
                    found.append((done + 1, then))
                targets[percept] = target.number
        values: list[dict[State, Number]] = [{} for _ in found]
        for number in reversed(range(len(found))):
            self._budget.tick()
            best: Any = nodes[number].best
            for state in found[number][1]:
                values[number][state] = self._value(state, best, successors[number], values)
        left = tuple(self._horizon - done for done, _ in found)
        return PolicyGraph(tuple(node.best for node in nodes), tuple(successors), tuple(values), steps=left)

    def _value(
        self, state: State, action: Action, targets: Mapping[Percept, int], values: list[dict[State, Number]]
    ) -> Number:
        """Return the expected value from `state` on, if `action` is done and percepts lead to these nodes."""
        problem = self._problem
        going_on: Any = 0
        for probability, result in checked_outcomes(problem, state, action):
            if problem.is_terminal(result):
                going_on += probability * checked_utility(problem, result)
                continue
            for chance, percept in checked_percept_distribution(problem, result, action) if targets else ():
                if percept in targets:
                    going_on += probability * chance * values[targets[percept]][result]
        reward: Any = checked_reward(problem, state, action)
        return whole(reward + self._discount * going_on)
