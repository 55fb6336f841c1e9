"""The checker of plans as text: which actions they mean, whether they hold, and if not, where and from which start.

Whether a plan holds is found by the checkers of sequences and of conditional plans. If it does not, the starts are
halved until one is left from which it fails, and the plan is followed from there, for whoever wants to mend it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic

from attrs import Factory, define

from ..errors import InvalidPlanError, suggestion
from ..kinds import require
from ..model.adapters import starting_from
from ..model.base import Action, State
from ..model.belief import Belief, initial_belief, initial_states, is_goal_belief, outcomes
from ..model.problem import BeliefProblem
from ..model.values import is_among
from ..plans.encoding import is_alike
from ..plans.plan import Plan
from ..plans.plan_text import TextPlan, TextRule, TextStep, bare, facts_of, son_for
from ..plans.wording import plural
from .conditional import check_node_plan, read_node_plan
from .sequence import check_read_sequence
from .verdict import DoesNotHoldError, FileVerdict, PlanVerdict

_MOST_COMPARED = 1000
_MOST_FACTS = 12


class UnreadableActionError(InvalidPlanError):
    """Nothing in the problem has the name that a text gives."""


def check_plan_text(problem: BeliefProblem[Any, Any, Any], plan: TextPlan) -> FileVerdict:
    """Follow a plan from every possible start through every possible result and percept.

    Raises `UnreadableActionError` if a line names something that is no action of the problem.
    """
    require("check a plan", problem)
    try:
        found = _check(problem, plan)
        complaint = found.complaint
    except UnreadableActionError:
        raise
    except InvalidPlanError as error:
        complaint = str(error)
    if complaint:
        line = f"the plan does not hold: {_blame(problem, plan) or complaint}"
        return FileVerdict(False, line, lines=(line,))
    starts = "the only start" if found.starts == 1 else f"all {found.starts:,} starts"
    if found.cyclic:
        line = f"the plan holds: it keeps trying, and from every state it meets from {starts} the goal can be reached"
    elif plan.branches:
        line = f"the plan holds: {plural(found.steps, 'step')} win from {starts}, cost {found.cost} at the most"
    else:
        win = "wins" if found.steps == 1 else "win"
        line = f"the plan holds: {plural(found.steps, 'action')} {win} from {starts}, cost {found.cost}"
    return FileVerdict(True, "", lines=(line,), cost=found.cost)


def read_text_plan(problem: BeliefProblem[Any, Any, Any], plan: TextPlan) -> Plan[Any, Any]:
    """The plan that a text means, without steps that are never come to; raises as `check_plan_text` does."""
    require("check a plan", problem)
    if plan.branches:
        return read_node_plan(problem, _Steps(problem, plan))
    actions: list[Any] = []

    def noted(action: Any) -> Any:
        actions.append(action)
        return action

    check_read_sequence(problem, lambda belief: ((n, noted(a)) for n, a in _sequence(problem, plan, belief)))
    return Plan.of_sequence(actions)


def _check(problem: BeliefProblem[Any, Any, Any], plan: TextPlan) -> PlanVerdict:
    if plan.branches:
        return check_node_plan(problem, _Steps(problem, plan))
    return check_read_sequence(problem, lambda belief: _sequence(problem, plan, belief))


def _sequence(
    problem: BeliefProblem[Any, Any, Any], plan: TextPlan, belief: Callable[[], Iterable[Any]]
) -> Iterator[tuple[int, Any]]:
    names = _Names(problem)
    for number, step in enumerate(plan.steps, 1):
        yield number, names.action(step.action, step.line, belief())


@define
class _Names(Generic[State, Action]):
    """The actions that texts mean."""

    problem: BeliefProblem[State, Action, Any]
    _known: dict[str, Action] = Factory(dict)

    def action(self, text: str, line: int, belief: Iterable[State]) -> Action:
        """The action of this text: one that applies in some state, or else one that the problem knows."""
        if text in self._known:
            return self._known[text]
        names: dict[str, Action] = {}
        for state in islice(belief, 100):  # most problems have the same actions in all states
            names |= {self.problem.format_action(action): action for action in self.problem.actions(state)}
        meant = [name for name in names if name in (text, bare(text))]
        meant = meant or [name for name in names if is_alike(bare(text), name)]
        if len(meant) != 1:
            self._known[text] = self._parsed(text, line, names)
        else:
            self._known[text] = names[meant[0]]
        return self._known[text]

    def known(self, text: str) -> Action | None:
        """The action of a text that has been read; None otherwise."""
        return self._known.get(text)

    def _parsed(self, text: str, line: int, names: Iterable[str]) -> Action:
        try:
            return self.problem.parse_action(bare(text))
        except ValueError as error:
            if self.problem.overrides("parse_action"):
                raise UnreadableActionError(f"line {line}: {error}") from None
            hint = suggestion(bare(text), names)
            said = f"line {line}: no action {bare(text)!r} applies there{f'; {hint}' if hint else ''}"
            raise DoesNotHoldError(said) from None


class _Steps(Generic[State, Action]):
    """A plan of a text as a graph of nodes, which are numbered as they come up."""

    def __init__(self, problem: BeliefProblem[State, Action, Any], plan: TextPlan) -> None:
        self._problem, self._names = problem, _Names(problem)
        self._is_policy, self._branches = bool(plan.rules), plan.branches
        steps = [*_rules_as_steps(problem, plan.rules, self._names)] if plan.rules else plan.steps
        self._by_name = {step.name: step for step in steps}
        self._places: list[str] = []
        self._number_of: dict[str, int] = {}
        self._node(steps[0].name if steps else "")

    def is_end(self, node: int) -> bool:
        """Whether nothing is done any more."""
        return self._places[node] not in self._by_name

    def does(self, node: int, action: Any) -> bool:
        """Whether this is the action of the node, which has been come to."""
        return bool(self._names.known(self._by_name[self._places[node]].action) == action)

    def action(self, node: int, belief: Iterable[State]) -> Action:
        """Return what is done."""
        step = self._by_name[self._places[node]]
        return self._names.action(step.action, step.line, belief)

    def follow(self, node: int, percept: Any) -> int | None:
        """Return the node after a percept."""
        if not self._branches:
            return self._node(str(node + 2))
        target = son_for(self._problem.format_percept(percept), self._by_name[self._places[node]].then)
        return None if target is None else self._node(target)

    def place(self, node: int) -> str:
        """Return what messages call a node that is no end."""
        if self._is_policy:
            return f"the rule on line {self._by_name[self._places[node]].line}"
        return f"step {self._places[node]}" if self._branches else f"action {self._places[node]}"

    def _node(self, place: str) -> int:
        if place not in self._number_of:
            self._number_of[place] = len(self._places)
            self._places.append(place)
        return self._number_of[place]


def _rules_as_steps(
    problem: BeliefProblem[Any, Any, Any], rules: Sequence[TextRule], names: _Names[Any, Any]
) -> Iterator[TextStep]:
    """A step for each state in which a rule is carried out, called by the state; raises where that is not known."""
    waiting = [initial_belief(problem)]
    known = {*waiting}
    for belief in waiting:  # grows while it is walked
        found = {_rule_for(problem.format_state(state), rules) for state in belief}
        if len(found) > 1:
            raise DoesNotHoldError("the policy goes by states, and the state is not known; is the player to see it?")
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


def _called(problem: BeliefProblem[Any, Any, Any], belief: Iterable[Any]) -> str:
    return " or ".join(sorted(map(problem.format_state, belief)))


def _rule_for(state: str, rules: Iterable[TextRule]) -> TextRule | None:
    """The rule that lists just the facts of a state, or else the first that fits."""
    facts = facts_of(state)
    fitting = [rule for rule in rules if rule.true <= facts and rule.false.isdisjoint(facts)]
    return next((rule for rule in fitting if rule.true == facts), fitting[0] if fitting else None)


def _blame(problem: BeliefProblem[Any, Any, Any], plan: TextPlan) -> str | None:
    """Say what goes wrong first from a start from which the plan fails; None if it fails from no start alone."""
    every = starts = [*initial_states(problem)]
    worst = _failing(problem, plan)
    while len(starts) > 1:
        half = len(starts) // 2
        parts = (starts[:half], starts[half:])
        failing = next((part for part in parts if _failing(starting_from(problem, part), plan) >= worst), None)
        if failing is None:
            return None
        starts = failing
    complaint = _first_failure(starting_from(problem, starts), plan)
    if complaint is None or len(every) == 1:
        return complaint
    return f"{complaint}, from the start where {_told_apart(problem, starts[0], every)}"


def _failing(problem: BeliefProblem[Any, Any, Any], plan: TextPlan) -> int:
    """Say how badly a plan fails: 0, it holds; 1, it ends where nothing is won; 2, it cannot be followed."""
    try:
        return int(not _check(problem, plan).holds)
    except InvalidPlanError:
        return 2


def _first_failure(problem: BeliefProblem[Any, Any, Any], plan: TextPlan) -> str | None:
    """Follow a plan breadth-first until something goes wrong, and say what; None if nothing does."""
    steps = _Steps(problem, plan)
    seen_on_the_way: dict[tuple[int, Belief[Any]], tuple[str, ...]] = {(0, initial_belief(problem)): ()}
    waiting = [*seen_on_the_way]
    for node, belief in waiting:  # grows while it is walked
        seen = seen_on_the_way[node, belief]
        after = f", after {', '.join(seen)}" if seen else ""
        order = sorted(belief, key=problem.format_state)
        try:
            if steps.is_end(node):
                lost = next((state for state in order if not is_goal_belief(problem, frozenset((state,)))), None)
                if lost is not None:
                    if plan.rules:
                        return f"no rule fits the state {problem.format_state(lost)}{after}"
                    return f"at the end{after}{',' if after else ''} {problem.missing(lost)}"
                continue
            action = steps.action(node, belief)
        except DoesNotHoldError as error:
            return f"{error}{after}"
        name = f"{steps.place(node)}, ({bare(problem.format_action(action))})"
        for state in order:
            if not is_among(action, problem.actions(state)):
                return f"{name}: {problem.missing(state, action)}{after}"
        for percept, states in outcomes(problem, belief, action).items():
            target = steps.follow(node, percept)
            text = problem.format_percept(percept)
            if target is None:
                return f"{name}: {text} may be perceived, and there is no branch for it{after}"
            situation = (target, frozenset(states))
            if situation not in seen_on_the_way:
                more = (
                    (f"{bare(problem.format_action(action))}: {text}",) if percept is not None and plan.branches else ()
                )
                seen_on_the_way[situation] = (*seen, *more)
                waiting.append(situation)
    return None


def _told_apart(problem: BeliefProblem[Any, Any, Any], start: Any, every: Sequence[Any]) -> str:
    """Name a start by those of its facts that other starts lack; or if it has none, by what is false in it only."""
    others = [facts_of(problem.format_state(state)) for state in every[:_MOST_COMPARED]]
    facts = facts_of(problem.format_state(start))
    own = sorted(facts - frozenset.intersection(*others))
    told = own or [f"not {fact}" for fact in sorted(frozenset().union(*others) - facts)]
    return ", ".join(told[:_MOST_FACTS]) + (", ..." if len(told) > _MOST_FACTS else "")
