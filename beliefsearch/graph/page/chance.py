"""Page data of stochastic problems: the states, what they are worth, and the best policy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...plans.wording import plural, value_text
from ...running.limits import Budget, LimitReached
from ...solvers.mdp.model import ChanceModel, explore
from .answer import Told
from .layers import Looks, Step, graph_data, walk
from .tables import ALIKE, MOST_MOVES, Tables, json_number

# A policy that never ends is followed by so many steps.
_LONGEST = 500

# So many times as many states as a graph may have are looked at, so that a game can be played where the graph is cut.
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
            self.budget.tick()  # which raises if it was the budget's
            complete = False
        self.looked_at = len(model.utilities)
        everything = walk(0, self.steps, self.most_nodes, self.budget.tick)
        everything.complete &= complete
        tables.states(model.states[: self.looked_at])
        start = [0]
        if not everything.complete:
            self.notes.append(f"The graph shows the first {plural(len(everything.nodes), 'state')}: there are more.")
        moves = self.moves() if complete else None
        if moves is None:
            self.notes.append("There are too many states and outcomes for the page to play the game.")
        followed = walk(0, self.best_steps, self.most_nodes, self.budget.tick)
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
        states = tables.known_states
        values = [self.value(state) for state in states]
        choices = (self.choice_in(state) for state in states)
        policy = None if self.policy is None else [-1 if act is None else tables.action(act) for act in choices]
        tables.draw_first(self.journey())
        rows = tables.page_data()
        return {
            **rows,
            "start": start,
            "goal_sets": None,
            "moves": moves,
            "values": None
            if self.policy is None
            else {
                "text": ["" if value is None else value_text(value) for value in values],
                "number": [None if value is None else json_number(value) for value in values],
            },
            "policy": policy,
            "plan": None,
            "graphs": graphs,
            "notes": self.notes + tables.drawing_notes(),
        }

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
        """What the policy does in a state; None if nothing is known, or the game is over."""
        return self.choice_in(self.model.states[number])

    def choice_in(self, state: Any) -> Any:
        """`choice` of the state itself."""
        return self.policy.action(state) if self.policy is not None and self.policy.knows(state) else None

    def value(self, state: Any) -> Any:
        """What a state is worth; None if that is not known."""
        return self.policy.value(state) if self.policy is not None and self.policy.knows(state) else None

    def moves(self) -> dict[str, Any] | None:
        """A row for each state, action and outcome; None if they are too many."""
        model, tables = self.model, self.tables
        rows = [
            (number, action, result, probability)
            for number in range(self.looked_at)
            for action, outcomes in zip(model.actions[number], model.outcomes[number], strict=True)
            for probability, result in outcomes
        ]
        if len(rows) > MOST_MOVES:
            return None
        return {
            "state": [row[0] for row in rows],
            "action": [tables.action(row[1]) for row in rows],
            "result": [row[2] for row in rows],
            "percept": [0] * len(rows),
            "probability": [float(row[3]) for row in rows],
            "cost": [0] * len(rows),
        }
