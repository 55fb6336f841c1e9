"""Minimax with alpha-beta pruning: the player wants a low cost, and whoever chooses the outcomes a high one.

D. Knuth and R. Moore, "An analysis of alpha-beta pruning" (Artificial Intelligence 6, 1975); Russell and Norvig, 4th
edition, section 5.2.3.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from typing import Generic, TypeVar

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action, Cost
from ...plans.result import SearchResult
from ...running.run import Record, Run
from ..trampoline import Calls, without_recursion
from .plan_graph import plan_graph

Node = TypeVar("Node", bound=Hashable)


def alpha_beta_search(problem: AndOrProblem[Node, Action], *, run: Run | None = None) -> SearchResult[Action]:
    """Find a conditional plan of least worst-case cost, the minimax value, depth-first.

    What costs more than a window is not looked at, and the window grows until the value lies in it, so that a long game
    does not hide a short win. A node that came before on the way counts as lost, since a plan that is sure to end comes
    back to none. Memory is linear in the nodes; time may be exponential in the length of the game.
    """
    record: Record[Node, Action] = Record("alpha-beta", problem, run)
    with record:
        root, search, window = problem.initial_node(), _Minimax(problem, record), 1.0
        while (value := without_recursion(search.value(root, 0, window, 0))) >= window:
            if value == inf:
                return record.unsolvable()
            record.finish_layer(value, 0)
            window = 2 * max(window, value)
        return record.solved(plan_graph(problem, root, search.chosen.__getitem__), value, value)
    return record.undecided()


class _Minimax(Generic[Node, Action]):
    """The search, with what it has proved.

    `chosen` has by node the action by which it costs no more than its upper bound, which follows from those of the
    outcomes at that time. So chosen actions lead to lower upper bounds, or to equal ones found earlier, and to an end.
    """

    def __init__(self, problem: AndOrProblem[Node, Action], record: Record[Node, Action]) -> None:
        self._problem, self._record = problem, record
        self._lower: dict[Node, Cost] = {}
        self._upper: dict[Node, Cost] = {}
        self.chosen: dict[Node, Action] = {}
        self._on_way: dict[Node, int] = {}  # to its depth
        self._led_back_to = inf  # the least depth of a node that was come back to since somebody asked
        record.watch(lambda: len(self._lower))

    def value(self, node: Node, alpha: Cost, beta: Cost, depth: int) -> Calls[Cost]:
        """The least worst-case cost if it lies between the two; else a lower bound above or an upper bound below."""
        if self._problem.is_goal(node):
            return 0
        if node in self._on_way:
            self._led_back_to = min(self._led_back_to, self._on_way[node])
            return inf
        lower, upper = self._lower.get(node, 0), self._upper.get(node, inf)
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        self._record.expand(node, depth, depth)
        before, self._led_back_to, self._on_way[node] = self._led_back_to, inf, depth
        best: Cost = inf
        for action in self._problem.actions(node):
            cost = yield self._worst(node, action, alpha, min(beta, best), depth)
            if cost < min(beta, self._upper.get(node, inf)):  # else not all of its outcomes need have been looked at
                self._upper[node], self.chosen[node] = cost, action
            best = min(best, cost)
            if best <= alpha:
                break  # whoever chooses the outcomes has something better elsewhere
        del self._on_way[node]
        # What was lost only since it led back to a node on the way may be won on another way.
        if best > alpha and self._led_back_to >= depth:
            self._lower[node] = max(lower, best)
        self._led_back_to = min(before, self._led_back_to if self._led_back_to < depth else inf)
        return best

    def _worst(self, node: Node, action: Action, alpha: Cost, beta: Cost, depth: int) -> Calls[Cost]:
        """The most that an action can cost, as far as it is below `beta`."""
        outcomes = self._problem.outcomes(node, action)
        self._record.generate_many(len(outcomes))
        paid = self._problem.action_cost(node, action)
        worst = paid
        for _, child in outcomes:
            if worst >= beta:
                break  # the player has something better
            worst = max(worst, paid + (yield self.value(child, max(alpha, worst) - paid, beta - paid, depth + 1)))
        return worst
