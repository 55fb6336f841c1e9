"""Page data of stochastic problems: the states or beliefs, their values, and the best policy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from ...model.chance import Over, without_chance
from ...model.checked import (
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
)
from ...model.distribution import begin
from ...model.values import totals
from ...plans.plan import ConditionalPlan, PlanNode
from ...plans.policy import PolicyGraph, start_text
from ...plans.wording import not_over_text, plural, telling_of, value_text
from ...running.limits import Budget, LimitReached
from ...solvers.mdp.mdp_model import ChanceModel, explore
from ...solvers.pomdp.listing import pomdp_model
from .answer import Told
from .beliefs import BeliefPage
from .columns import Looks, Step, graph_data, moves_data, walk
from .tables import ALIKE, MOST_MOVES, Tables, json_number

# The most steps for which the policy is followed, since it may never end.
_LONGEST = 500

# The ratio of explored states to the most nodes of the graph, so that a game can go on where the graph ends.
_LOOKED_AT = 2


def chance_page(problem: Any, told: Told, budget: Budget, most_nodes: int) -> dict[str, Any]:
    """The parts of page data that depend on the problem, for stochastic problems."""
    return _ChancePage(problem, told, budget, most_nodes).data()


class _ChancePage:
    """A page in the making."""

    def __init__(self, problem: Any, told: Told, budget: Budget, most_nodes: int) -> None:
        self.problem, self.policy, self.most_nodes, self.budget = problem, told.policy, most_nodes, budget
        self.tables = Tables(problem, problem.is_terminal, budget.tick)
        self.model: ChanceModel[Any, Any] = ChanceModel()
        self.notes = [ALIKE] if problem.overrides("canonical") else []

    def data(self) -> dict[str, Any]:
        """The whole page."""
        model, tables = self.model, self.tables
        try:
            explore(self.problem, model, self.budget, most=_LOOKED_AT * self.most_nodes)
            complete = True
        except LimitReached:
            self.budget.tick()  # raises if the limit was that of the budget, not of `most`
            complete = False
        self.looked_at = len(model.utilities)
        # The page shows one of several starts; the player sees which one it is.
        first = model.number_of[self.problem.canonical(self.problem.initial_state())]
        if model.starts > 1:
            self.notes.append(f"The game begins at {start_text(self.problem)}.")
        everything = walk(first, self.steps, self.most_nodes, self.budget.tick)
        everything.complete &= complete
        tables.states(model.states[: self.looked_at])
        if not everything.complete:
            self.notes.append(f"The graph shows the first {plural(len(everything.nodes), 'state')}: there are more.")
        moves = self.moves() if complete else None
        if moves is None:
            self.notes.append("There are too many states and outcomes for the page to play the game.")
        followed = walk(first, self.best_steps, self.most_nodes, self.budget.tick)
        on_plan = set() if self.policy is None else set(followed.nodes)
        looks = Looks(
            size=lambda number: 1,
            members=lambda number, most: [model.states[number]],
            is_goal=lambda number: number < self.looked_at and model.utilities[number] is not None,
            on_plan=on_plan.__contains__,
            action=self.choice,
            on_step=lambda number, step: number in on_plan and step.action == self.choice(number),
            rest=lambda number: -1,
        )
        graphs = []
        if 1 < len(on_plan) < len(everything.nodes):
            graphs.append(graph_data(tables, "plan", "The states that the best policy comes to", followed, looks))
        graphs.append(graph_data(tables, "states", "All states", everything, looks))
        known: dict[str, Any] = {}
        if self.policy is not None:
            states = tables.known_states
            values = [self.policy.value(state) if self.policy.knows(state) else None for state in states]
            values = list(map(telling_of(self.problem).value, values))
            texts = ["" if value is None else value_text(value) for value in values]
            numbers = [None if value is None else json_number(value) for value in values]
            actions = map(self.choice, map(model.number_of.__getitem__, states))
            known["values"] = {"text": texts, "number": numbers}
            known["policy"] = list(map(tables.action_or_none, actions))
        tables.draw_first(self.journey())
        return tables.page_data(self.notes, start=[first], moves=moves, graphs=graphs, **known)

    def steps(self, number: int) -> Any:
        """The outcomes of all actions in a state."""
        if number >= self.looked_at:
            return
        for action, outcomes in zip(self.model.actions[number], self.model.outcomes[number], strict=True):
            for probability, result in outcomes:
                if result < self.looked_at:
                    yield Step(action, None, result, probability)

    def best_steps(self, number: int) -> Any:
        """The outcomes of the policy's action."""
        chosen = self.choice(number)
        return (step for step in self.steps(number) if chosen is not None and step.action == chosen)

    def journey(self) -> Iterator[Any]:
        """The states of the journey that is shown first, and what else might have come: the likeliest results."""
        been, number = {0}, 0
        for _ in range(_LONGEST):
            yield self.model.states[number]
            likeliest = sorted(self.best_steps(number), key=lambda step: -step.probability)
            yield from (self.model.states[step.target] for step in likeliest)
            number = next((step.target for step in likeliest if step.target not in been), -1)
            if number < 0:
                return
            been.add(number)

    def choice(self, number: int) -> Any:
        """Return the policy's action in a state; None if the policy does not cover it, or the game is over."""
        state = self.model.states[number]
        return self.policy.action(state) if self.policy is not None and self.policy.knows(state) else None

    def moves(self) -> dict[str, Any] | None:
        """A row for each state, action and outcome; None if there are too many."""
        model = self.model
        rows = [
            (number, action, result, None, probability, 0)
            for number in range(self.looked_at)
            for action, outcomes in zip(model.actions[number], model.outcomes[number], strict=True)
            for probability, result in outcomes
        ]
        return None if len(rows) > MOST_MOVES else moves_data(self.tables, rows, odds=True)


def odds_page(problem: Any, told: Told, budget: Budget, most_nodes: int) -> dict[str, Any]:
    """The parts of page data that depend on the problem, for partially observable ones."""

    def odds(state: Any, action: Any) -> Iterator[tuple[Any, Any, Any]]:
        for chance, result in checked_outcomes(problem, state, action):
            if problem.is_terminal(result):
                yield result, Over.WON if problem.is_goal(result) else Over.LOST, chance
                continue
            for seen, percept in checked_percept_distribution(problem, result, action):
                yield result, percept, chance * seen

    telling = telling_of(problem)

    def reward(state: Any, action: Any, result: Any) -> float:
        ended = checked_utility(problem, result) if problem.is_terminal(result) else 0
        return float(telling.reward(checked_reward(problem, state, action) + ended))

    plan = None if told.graph is None or not len(told.graph) else _as_plan(problem, told.graph, budget)
    page = BeliefPage(without_chance(problem, going_on=True), evolve(told, plan=plan), budget, most_nodes, odds)
    ended = begin(problem, budget.tick).ended
    if ended:
        page.notes.append(f"What is shown is so if {not_over_text(ended)}.")
    if page.is_too_large():
        return page.outline()
    page.reward = reward
    data = page.data()
    starts = checked_initial_distribution(problem)
    likely = totals((chance, page.tables.state(problem.canonical(state))) for chance, state in starts)
    shares = [likely.get(number, 0) for number in data["start"]]
    return {**data, "odds": [float(share / sum(shares)) for share in shares]}  # given that the game is not over at once


def _as_plan(problem: Any, graph: PolicyGraph[Any, Any, Any], budget: Budget) -> ConditionalPlan[Any, Any]:
    """A policy graph as a plan, which ends when the game is over or the policy has no next node."""
    percepts = pomdp_model(problem, budget).percepts
    end = len(graph)
    nodes = []
    for node in range(end):
        targets = graph.successors[node]
        branches = [(percept, targets.get(percept, end)) for percept in percepts]
        nodes.append(PlanNode(graph.action(node), (*branches, *((over, end) for over in Over))))
    first, start = nodes[0], graph.start  # swapped, since a plan begins with node 0
    if start:
        moved = {0: start, start: 0}
        nodes[0], nodes[start] = nodes[start], first
        nodes = [
            PlanNode(node.action, tuple((percept, moved.get(target, target)) for percept, target in node.branches))
            for node in nodes
        ]
    return ConditionalPlan((*nodes, PlanNode(None)))
