"""Policies for players who do not see the state: graphs whose nodes are left along percepts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Generic

from attrs import field, frozen

from ..errors import BeliefSearchError
from ..model.notebook import MOST_LINES, box, left_out, table
from ..model.problem import Action, Number, Percept, State
from ..model.values import stable_text
from .wording import plural


@frozen(eq=False, repr=False)
class PolicyGraph(Generic[State, Action, Percept]):
    """What to do in each node, and by what is perceived then, where to go on (a *finite-state controller*).

    Attributes
    ----------
    actions
        By node, what to do.
    successors
        By node: for each percept that may come, the next node.
    values
        By node, the expected reward from each state on, as far as the node may be used there. Where a state is
        missing, it must not be.
    start
        The node in which the game begins.
    steps
        By node, how many actions the game has from there on; None if it has no finite horizon.
    """

    actions: Sequence[Action] = field()
    successors: Sequence[Mapping[Percept, int]] = field()
    values: Sequence[Mapping[State, Number]] = field()
    start: int = field(default=0)
    steps: Sequence[int] | None = field(default=None)

    def action(self, node: int) -> Action:
        """What to do in a node."""
        return self.actions[node]

    def follow(self, node: int, percept: Percept) -> int:
        """The next node.

        Raises
        ------
        BeliefSearchError
            If the policy does not say what to do after that percept.
        """
        try:
            return self.successors[node][percept]
        except KeyError:
            raise BeliefSearchError(f"the policy says nothing about the percept {percept!r}") from None

    def value(self, node: int, belief: Mapping[State, Number]) -> Number | None:
        """The expected reward from a node on, by what is likely; None where the node must not be used."""
        values = self.values[node]
        if not all(state in values for state in belief):
            return None
        total: Any = sum(probability * values[state] for state, probability in belief.items())
        number: Number = total
        return number

    def best_node(self, belief: Mapping[State, Number], done: int = 0) -> int | None:
        """The node of the greatest value for what is likely, the first of several; None if there is none.

        With a finite horizon it is one with so many actions left as after `done` actions.
        """
        best: int | None = None
        most: Any = None
        for node in range(len(self)):
            if self.steps is not None and self.steps[node] != self.steps[self.start] - done:
                continue
            value = self.value(node, belief)
            if value is not None and (most is None or value > most):
                best, most = node, value
        return best

    def __len__(self) -> int:
        return len(self.actions)

    def __repr__(self) -> str:
        return f"<policy graph of {plural(len(self), 'node')}>"

    def notebook_part(self) -> str:
        """The graph as HTML: the first nodes, with what is done and where each percept leads."""
        rows = (
            (
                str(node),
                stable_text(self.actions[node]),
                ", ".join(f"{stable_text(percept)}: {target}" for percept, target in self.successors[node].items()),
            )
            for node in range(len(self))
        )
        return table(islice(rows, MOST_LINES), ("node", "action", "then")) + left_out(len(self) - MOST_LINES)

    def _repr_html_(self) -> str:
        """For notebooks: the first nodes, with what is done and where each percept leads."""
        return box(f"Policy graph of {plural(len(self), 'node')}", self.notebook_part())
