"""Plans as text, followed node by node: finds the actions of the problem that the names in the text mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import islice, pairwise
from typing import Any, Generic

from attrs import define, evolve

from ..errors import DoesNotHoldError, InvalidPlanError, Worded, meant
from ..model.base import Action, State
from ..model.belief import initial_belief, is_goal_belief, outcomes
from ..model.partial_states import StateRules
from ..model.problem import BeliefProblem
from ..model.values import is_among
from .encoding import is_alike
from .partial_courses import PolicyCourse, rules_of
from .plan_text import ANY, TextPlan, TextRule, TextStep, bare, facts_of, observed, son_for


class UnreadableActionError(InvalidPlanError):
    """Error of a name in a text that no action of the problem has."""


@define
class Names(Generic[State, Action]):
    """Table of the actions that names in a text mean."""

    problem: BeliefProblem[State, Action, Any]
    _known: dict[str, Action]

    def action(self, text: str, line: int, belief: Iterable[State]) -> Action:
        """The action of this name: one that applies in some state, or else the one that `parse_action` returns."""
        if text in self._known:
            return self._known[text]
        names: dict[str, Action] = {}
        for state in islice(belief, 100):  # most problems have the same actions in all states
            names |= {self.problem.format_action(action): action for action in self.problem.actions(state)}
        meant = [name for name in names if name in (text, bare(text))]
        if not meant and not self.problem.overrides("parse_action"):
            meant = [name for name in names if is_alike(bare(text), name)]
        self._known[text] = names[meant[0]] if len(meant) == 1 else self._parsed(text, line, names)
        return self._known[text]

    def _parsed(self, text: str, line: int, names: Iterable[str]) -> Action:
        try:
            return self.problem.parse_action(bare(text))
        except ValueError as error:
            if self.problem.overrides("parse_action"):
                raise UnreadableActionError(f"line {line}: {error!s:.200}") from None
            said = f"line {line}: no action {bare(text)!r:.80} applies there{meant(bare(text), names)}"
            raise DoesNotHoldError(said) from None


class Steps(Generic[State, Action]):
    """A plan in a text as a graph of nodes, numbered in the order in which they are reached."""

    def __init__(self, problem: BeliefProblem[State, Action, Any], plan: TextPlan, known: dict[str, Action]) -> None:
        self._problem, self._names = problem, Names(problem, known)
        self._is_policy, self._branches = bool(plan.rules), plan.branches
        steps = [*_rules_as_steps(problem, plan.rules, self._names)] if plan.rules else plan.steps
        self._by_name = {step.name: step for step in steps}
        self._after = dict(pairwise([*self._by_name, ""]))  # the next step in a sequence
        self._places: list[str] = []
        self._formula_of: dict[str, str] = {}  # by step: what its first percept affirms or denies
        self._as_state = cache(partial(_as_state, problem))
        self._number_of: dict[str, int] = {}
        self._node(steps[0].name if steps else "")

    def is_end(self, node: int) -> bool:
        """Whether the plan ends at a node."""
        return self._places[node] not in self._by_name

    def action(self, node: int, belief: Iterable[State]) -> Action:
        """Return the action of a node."""
        step = self._by_name[self._places[node]]
        return self._names.action(step.action, step.line, belief)

    def follow(self, node: int, percept: Any) -> int | None:
        """Return the node after a percept."""
        place = self._places[node]
        if not self._branches:
            return self._node(self._after[place])
        text, then = self._problem.format_percept(percept), self._by_name[place].then
        formula, truth = observed(text)
        known = self._formula_of.setdefault(place, formula)
        target = son_for(text, then, truth if formula == known else ANY)
        if target is None:  # states list facts, perhaps in another order
            target = next((target for label, target in then.items() if self._as_state(label) == text), None)
        return None if target is None else self._node(target)

    def place(self, node: int) -> str:
        """Return the name of a node in messages, if it is no end."""
        if self._is_policy:
            return f"the rule on line {self._by_name[self._places[node]].line}"
        return f"step {self._places[node]}" if self._branches else f"action {self._places[node]}"

    def _node(self, place: str) -> int:
        if place not in self._number_of:
            self._number_of[place] = len(self._places)
            self._places.append(place)
        return self._number_of[place]


def _rules_as_steps(
    problem: BeliefProblem[Any, Any, Any], rules: Sequence[TextRule], names: Names[Any, Any]
) -> Iterator[TextStep]:
    """Yield a step for each reachable belief, named by its state; raises if its states have different rules."""
    rules = [evolve(rule, true=_as_shown(problem, rule.true)) for rule in rules]
    exact = rules_of(problem)
    if exact is not None:
        yield from _rules_as_partial_steps(problem, exact, rules, names)
        return
    waiting = [initial_belief(problem)]
    known = {*waiting}
    for belief in waiting:  # grows while it is walked
        found = {_rule_for(problem.format_state(state), rules) for state in belief}
        if len(found) > 1:
            told = "the policy goes by states, and the player does not see the state; of a .pddl file [seen] shows it"
            raise InvalidPlanError(Worded(told))
        rule = found.pop()
        if rule is None or is_goal_belief(problem, belief):
            continue
        action = names.action(rule.action, rule.line, belief)
        then: dict[str, str] = {}
        if all(is_among(action, problem.actions(state)) for state in belief):
            for percept, states in outcomes(problem, belief, action).items():
                after = frozenset(states)
                then[problem.format_percept(percept)] = _called(problem, after)
                waiting += [after] if after not in known else []
                known.add(after)
        yield TextStep(rule.line, _called(problem, belief), rule.action, then)


def _rules_as_partial_steps(
    problem: BeliefProblem[Any, Any, Any], exact: StateRules[Any], rules: Sequence[TextRule], names: Names[Any, Any]
) -> Iterator[TextStep]:
    """Yield a step for each partial state from which a policy leads on in the same way, named by its number."""
    bit_of = {fact: 1 << n for n, name in enumerate(exact.names) for fact in facts_of(name)}
    known = [rule for rule in rules if rule.true <= bit_of.keys() - rule.false]  # others never fit
    true = [sum(bit_of[fact] for fact in rule.true) for rule in known]
    false = [sum(bit_of.get(fact, 0) for fact in rule.false) for rule in known]
    fits = [(bits | others, bits) for bits, others in zip(true, false, strict=True)]

    def action(number: int, state: Any) -> Any:
        return names.action(known[number].action, known[number].line, (state,))

    course = PolicyCourse(problem, exact, fits, action)
    name_of = {id(place): str(number) for number, place in enumerate(course.places)}
    for place in course.places:
        if place.node < course.end:
            rule = known[place.node]
            then = {problem.format_percept(told): name_of[id(after)] for (told, _), after in place.then.items()}
            yield TextStep(rule.line, name_of[id(place)], rule.action, then)


def _called(problem: BeliefProblem[Any, Any, Any], belief: Iterable[Any]) -> str:
    return " or ".join(sorted(problem.format_state(state) for state in belief))


def _as_shown(problem: BeliefProblem[Any, Any, Any], facts: frozenset[str]) -> frozenset[str]:
    """The facts that appear in texts of states; others are left out there, as they always hold."""
    shown = facts_of(_as_state(problem, ", ".join(sorted(facts))))
    return shown if shown <= facts else facts


def _as_state(problem: BeliefProblem[Any, Any, Any], text: str) -> str:
    """A text as the problem writes the state that it says; as it is if that is none."""
    try:
        return problem.format_state(problem.parse_state(text))
    except ValueError:
        return text


def _rule_for(state: str, rules: Iterable[TextRule]) -> TextRule | None:
    """The first rule that fits."""
    facts = facts_of(state)
    return next((rule for rule in rules if rule.true <= facts and rule.false.isdisjoint(facts)), None)
