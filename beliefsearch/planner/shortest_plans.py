"""All plans of least cost: how many there are, each of them, and one drawn so that each is as likely."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import count
from math import inf
from random import Random
from typing import Any, Generic

from attrs import field, frozen

from ..engine.views import view_of
from ..errors import BeliefSearchError, NoSolutionError
from ..kinds import require
from ..model.base import Action, Cost
from ..model.belief import no_tick
from ..model.problem import BeliefProblem
from ..model.values import whole
from ..running.alarm import known_within
from ..running.limits import Budget, Limits


@frozen(eq=False)
class ShortestPlans(Generic[Action]):
    """All plans of least cost of a problem whose plans are sequences of actions.

    Iterated, it gives each plan once, as a tuple of actions; the order is that of the problem's actions. There may be
    more plans than anybody can list: they are made one after the other.

    Attributes
    ----------
    cost
        The cost of each of these plans.
    count
        The number of plans; plans that differ in an action are different, also if it leads to the same.
    nodes
        The number of states, or beliefs, that they come through.
    """

    cost: Cost
    count: int
    nodes: int
    _steps: list[list[tuple[Action, int]]] = field(repr=False)  # by node: actions of plans, and the nodes that follow
    _counts: list[int] = field(repr=False)  # by node: of how many ways to the end it is the beginning

    def __iter__(self) -> Iterator[tuple[Action, ...]]:
        stack: list[Iterator[tuple[Action, int]]] = [iter(self._steps[0])]
        if not self._steps[0]:
            yield ()
        actions: list[Action] = []
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                if actions:
                    actions.pop()
                continue
            action, following = step
            if self._steps[following]:
                actions.append(action)
                stack.append(iter(self._steps[following]))
            else:
                yield (*actions, action)

    def weighted(self, weight: Callable[[Action], int]) -> int:
        """Return the number of plans if each action stands for `weight` of them, as for those that symmetry leaves out.

        >>> from beliefsearch_problems.devil import DevilProblem
        >>> table = DevilProblem(n=4)
        >>> plans = shortest_plans(table)  # with one move of each class, whose number is that of its arrangements
        >>> plans.count, plans.weighted(lambda move: len(table.arrangements(table.coins_of(move))))
        (1, 2048)
        """
        return _ways(self._steps, weight, no_tick)[0]

    def draw(self, lot: Random) -> tuple[Action, ...]:
        """Draw a plan, each with the same probability."""
        actions: list[Action] = []
        node = 0
        while self._steps[node]:
            place = lot.randrange(self._counts[node])
            for action, following in self._steps[node]:
                place -= self._counts[following]
                if place < 0:
                    actions.append(action)
                    node = following
                    break
        return tuple(actions)


def shortest_plans(problem: BeliefProblem[Any, Action, Any], *, limits: Limits | None = None) -> ShortestPlans[Action]:
    """Find all plans of least cost of a plain or sensorless problem.

    A* goes on until nothing is left that could be on a way of least cost; then ways are counted from the end back to
    the start. A plan ends as soon as it wins.

    Parameters
    ----------
    problem
        A plain or sensorless problem. Its own estimates are used, if it has any.
    limits
        When to give up.

    Returns
    -------
    ShortestPlans
        The plans, as a graph: one node a state or belief, however many plans come through it.

    Raises
    ------
    NoSolutionError
        If there is no plan.
    BeliefSearchError
        If plans may branch; or if they are endlessly many, since actions that cost nothing lead round in a circle.
    LimitError
        If a limit was reached.

    Notes
    -----
    Time and memory are linear in the nodes whose cost and estimate together are no more than the least cost, times the
    actions. After R. Dechter and J. Pearl, "Generalized best-first search strategies and the optimality of A*" (Journal
    of the ACM 32, 1985), which are the nodes that every such search has to look at.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> plans = shortest_plans(DevilProblem(n=4, reduced=False))
    >>> plans.count, plans.cost
    (2048, 15)
    >>> [[sorted(move) for move in plan] for plan in shortest_plans(DevilProblem(n=2, reduced=False))]
    [[[0, 1], [0], [0, 1]], [[0, 1], [1], [0, 1]]]
    """
    require("list shortest plans", problem)
    budget = Budget(limits)
    return known_within(budget, "the shortest plans are not known", lambda: find_shortest_plans(problem, budget))


def find_shortest_plans(problem: Any, budget: Budget) -> ShortestPlans[Any]:
    """Find them within a budget, of which a limit is raised as it comes."""
    return _Search(problem, budget).plans()


class _Search:
    """Nodes by their number, with their exact costs."""

    def __init__(self, problem: BeliefProblem[Any, Any, Any], budget: Budget) -> None:
        self.tick = budget.tick
        self.view: Any = view_of(problem, budget=budget)
        self.nodes: list[Any] = []
        self.number: dict[Any, int] = {}
        self.costs: list[int | Fraction] = []
        self.estimates: list[Any] = []
        self.estimate: Callable[[Any], Any] = self.view.heuristic if self.view.has_heuristic() else lambda node: 0
        self.steps: dict[int, list[tuple[Any, int, int | Fraction]]] = {}

    def meet(self, node: Any, cost: int | Fraction) -> int | None:
        """The number of a node if this is the cheapest way to it so far."""
        number = self.number.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
            self.costs.append(cost)
            estimate = self.estimate(node)
            self.estimates.append(estimate if estimate == inf else whole(Fraction(estimate)))
        elif cost < self.costs[number]:
            self.costs[number] = cost
        else:
            return None
        return number

    def plans(self) -> ShortestPlans[Any]:
        view, order = self.view, count()
        waiting: list[tuple[Any, int, int, int | Fraction]] = []

        def wait(number: int | None) -> None:
            if number is not None and self.estimates[number] != inf:
                cost = self.costs[number]
                heappush(waiting, (cost + self.estimates[number], next(order), number, cost))

        wait(self.meet(view.initial_state(), 0))
        least: int | Fraction | None = None
        unit = view.has_unit_costs()
        goals: set[int] = set()
        while waiting and (least is None or waiting[0][0] <= least):
            self.tick()
            _, _, number, cost = heappop(waiting)
            if cost > self.costs[number]:
                continue  # there was a cheaper way
            node = self.nodes[number]
            if view.is_goal(node):
                least = cost if least is None else min(least, cost)
                goals.add(number)
                continue
            if number not in self.steps:
                self.steps[number] = []
                for action in view.actions(node):
                    self.tick()
                    price = 1 if unit else whole(Fraction(view.action_cost(node, action)))
                    after = view.result(node, action)
                    new = self.meet(after, cost + price)
                    self.steps[number].append((action, self.number[after], price))
                    wait(new)
            else:  # met again at a lower cost
                for _, following, price in self.steps[number]:
                    wait(self.meet(self.nodes[following], cost + price))
        if least is None:
            raise NoSolutionError("there is no plan, and so no shortest one")
        return self.counted(least, {goal for goal in goals if self.costs[goal] == least})

    def counted(self, least: int | Fraction, goals: set[int]) -> ShortestPlans[Any]:
        """Count ways, from the ends back to the start."""
        before: dict[int, list[int]] = defaultdict(list)
        for number, steps in self.steps.items():
            for following in {k for _, k, price in steps if self.costs[k] == self.costs[number] + price}:
                before[following].append(number)
        useful = set(goals)
        for number in (found := list(goals)):  # grows while it is walked
            self.tick()
            more = [k for k in before[number] if k not in useful]
            useful.update(more)
            found += more
        place = {number: j for j, number in enumerate(sorted(useful))}  # the start was met first
        graph = [
            [
                (action, place[k])
                for action, k, price in self.steps.get(number, ())
                if number not in goals and k in useful and self.costs[k] == self.costs[number] + price
            ]
            for number in place
        ]
        try:
            counts = _ways(graph, lambda action: 1, self.tick)
        except CycleError:
            raise BeliefSearchError(
                "the plans of least cost are endlessly many: actions that cost nothing lead round in a circle"
            ) from None
        return ShortestPlans(whole(least), counts[0], len(place), graph, counts)


def _ways(steps: list[list[tuple[Any, int]]], weight: Callable[[Any], int], tick: Callable[[], None]) -> list[int]:
    """Count, by node, the ways to the end, each as often as the product of its actions' weights."""
    counts = [1] * len(steps)
    for node in TopologicalSorter({n: [k for _, k in after] for n, after in enumerate(steps)}).static_order():
        tick()
        if steps[node]:
            counts[node] = sum(weight(action) * counts[k] for action, k in steps[node])
    return counts
