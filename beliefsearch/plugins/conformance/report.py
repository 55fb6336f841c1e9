"""Report of the conformance suite, and its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from .rule import hook_rules

FOR_ALL = {
    "start": "there is a start, and starts are hashable",
    "actions": "actions are hashable and listed once, the same at every call",
    "order": "states list the actions they share in the same relative order",
    "text": "different states, and actions of one state, are written differently; parse_ is the inverse of format_",
    "results": "every applicable action has results, hashable, the same at every call",
    "identity": "states with the same contents are equal, and states never change: none is compared by identity",
    "goals": "is_goal gives True or False, the same at every call",
    "symmetry": "canonical() gives an equivalent state, and gives that state itself again",
    "drawings": "pictures are Drawings on one canvas that show something; describe_action() is a line without a stop",
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
    "rewards": "the reward for every action is a finite number, the same at every call",
    "odds": "the probabilities of percepts sum to 1, and are the same at every call; different ones read differently",
    "ending": "where the game goes on there is an action, and from every state it can come to an end, or it discounts",
}
OF_HOOKS = {rule.name: rule.meaning for rule in hook_rules()}
RULES = {**FOR_ALL, **OF_BELIEFS, **OF_CHANCE, **OF_HOOKS}
"""The rules by name."""

REASONS = {
    "start": "A search begins with every state that may be the true one. With none there is nothing to win.",
    "actions": "A plan names actions, so each is a value that can be looked up, and is found again.",
    "order": "Of several best plans you get the one that is met first. A fixed order makes it the same in every run.",
    "text": "You and plan files name an action or a state by its text. Two with one text cannot be told apart.",
    "results": "Some state must follow, or a plan would win because nothing happens any more. A proof holds only for "
    "results that stay as they are.",
    "identity": "A search asks whether it has seen a state before. States that are equal only to themselves are always "
    "new, and one that changes is taken for another.",
    "goals": "What is not True counts as not won. A return that was forgotten gives None, and nothing is ever won.",
    "symmetry": "A search looks at one of each class of equivalent states. If they are not, its answer is for another "
    "game.",
    "drawings": "Pictures of one plan are laid over each other and shown one after the other, and a sentence is put "
    "together of what an action is called.",
    "costs": "A search takes it that no plan becomes cheaper by going on.",
    "unit-costs": "Where all costs are 1 nobody asks for them: the plan with fewest actions is called the cheapest.",
    "estimates": "A search drops what seems too dear. With an estimate that is too high it drops the best plan.",
    "percepts": "A state in which nothing, not even None, is perceived would be ruled out. Branches of a plan are told "
    "apart by the text of the percept.",
    "chance": "Values are sums over all that may happen. What is missing or counted twice makes them wrong.",
    "utility": "What a game is worth is reckoned back from its ends.",
    "rewards": "What a game is worth is the sum of what is paid in it.",
    "odds": "What is likely is worked out from how likely each percept is; branches are told apart by its text.",
    "ending": "Without a discount only a game that comes to an end is worth anything.",
    **{rule.name: rule.why for rule in hook_rules()},
}
"""The reason for each rule: the consequence of breaking it."""


@frozen
class Violation:
    """A violation of a rule, which is given by its name in `RULES`."""

    rule: str
    complaint: str  # in one line
    about: tuple[Any, ...] = ()  # the state, or the state and the action; empty if it is about no single one


NOT_LOOKED_AT = "not looked at"
"""The beginning of a text in `Report.partly` about a rule that was skipped as a whole."""


@frozen
class Report:
    """Findings of the conformance suite."""

    violations: tuple[Violation, ...]  # the first violation of each broken rule
    applied: frozenset[str]  # the names of the rules that apply to this kind of problem
    states: int  # the number of states looked at
    complete: bool  # whether these are all reachable states
    partly: Mapping[str, str]  # by rule: the part that was looked at, if it was not everything
    advice: tuple[str, ...]  # probable slips, although no rule is broken
    stopped: str | None = None  # the limit that stopped the suite before it had checked all rules

    def skipped(self, rule: str) -> bool:
        """Whether a rule was not checked at all; `partly` says why."""
        return self.partly.get(rule, "").startswith(NOT_LOOKED_AT)

    @property
    def passed(self) -> bool:
        """Whether all rules were checked and none is broken."""
        return not self.violations and self.stopped is None
