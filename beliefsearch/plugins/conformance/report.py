"""What the conformance suite found: its rules, and the report."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from .rule import hook_rules

FOR_ALL = {
    "start": "there is a start, and starts are hashable",
    "actions": "actions are hashable and listed once, the same at every call",
    "order": "states list the actions they share in the same relative order",
    "text": "different actions of a state have different texts, and parse_ is the inverse of format_",
    "results": "every applicable action has results, hashable, the same at every call",
    "identity": "states with the same contents are equal, and states never change: none is compared by identity",
    "goals": "is_goal gives True or False, the same at every call",
    "symmetry": "canonical() gives an equivalent state, and gives that state itself again",
    "drawings": "svg_state() and svg_belief() draw, all states on one canvas, and svg_action() draws over them",
}
OF_BELIEFS = {
    "costs": "costs are numbers that are not negative",
    "unit-costs": "where has_unit_costs() holds, every cost is 1",
    "estimates": "heuristic() is never above the true cost, and never negative",
    "percepts": "there is a percept in every state, percepts(state, action), and different percepts read differently",
}
OF_CHANCE = {
    "chance": "the probabilities of the outcomes sum to 1, and are the same at every call",
    "utility": "the utility of every terminal state is a finite number, the same at every call",
    "ending": "where the game goes on there is an action, and from every state it can come to an end",
}
OF_HOOKS = {rule.name: rule.meaning for rule in hook_rules()}

RULES = {**FOR_ALL, **OF_BELIEFS, **OF_CHANCE, **OF_HOOKS}
"""The rules by name."""


@frozen
class Violation:
    """A rule that was broken, by its name in `RULES`, and what was found, with the state and the action."""

    rule: str
    complaint: str


@frozen
class Report:
    """What the conformance suite found.

    Attributes
    ----------
    violations
        The rules broken, the first case of each.
    applied
        The names of the rules that apply to this kind of problem.
    states
        How many states were looked at.
    complete
        Whether these are all that can be reached.
    partly
        By rule: what was looked at, where that was not everything.
    advice
        What seems to be a slip, although no rule is broken.
    stopped
        What stopped the suite before it had looked at all rules; None if nothing did.
    """

    violations: tuple[Violation, ...]
    applied: frozenset[str]
    states: int
    complete: bool
    partly: Mapping[str, str]
    advice: tuple[str, ...]
    stopped: str | None = None

    @property
    def passed(self) -> bool:
        """Whether all rules were checked and none is broken."""
        return not self.violations and self.stopped is None
