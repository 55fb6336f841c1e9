"""Problems of unified-planning as planning files, and the translation of their plans in both directions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from unified_planning.model import ContingentProblem, FNode, InstantaneousAction, SensingAction
from unified_planning.model.fluent import get_all_fluent_exp
from unified_planning.plans import ActionInstance, ContingentPlan, ContingentPlanNode, SequentialPlan

from ..errors import ProblemError
from ..plans.plan import Plan
from ..plans.plan_text import ANY, NO, YES, TextPlan, TextStep
from ..plugins.loading import load_problem_class
from ..plugins.options import make_problem

_END = "the end"
_TAKEN = {"and", "or", "not", "imply", "forall", "exists", "when", "oneof", "unknown", "increase", "either", "object"}
"""Keywords of planning files, which cannot be names."""


class UnsupportedError(ProblemError):
    """The problem has a feature that planning files lack."""


class WrittenProblem:
    """A problem of the library as a planning file; it translates plans and their actions in both directions."""

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self._words: dict[tuple[str, str], str] = {}
        self._names: dict[str, str] = {}
        self._hidden = {part.arg(0) if part.is_not() else part for part in getattr(problem, "hidden_fluents", ())}
        self.has_metric = bool(problem.quality_metrics)
        self._text = "\n".join((*self._domain(), *self._task()))

    def problem(self, plan: Sequence[ActionInstance] | None = None) -> Any:
        """Return the problem with all useful actions; or with those of a plan, even useless ones."""
        reader = load_problem_class("pddl")
        with TemporaryDirectory(prefix="beliefsearch-") as folder:
            path = Path(folder) / "problem.pddl"
            path.write_text(self._text, encoding="utf-8")
            only = {} if plan is None else reader.options_for_plan(map(self.action_text, plan))
            return make_problem(reader, {"file": str(path), **only})  # reads the file before the folder is deleted

    def action_text(self, instance: ActionInstance) -> str:
        """Return the file's text for an action instance."""
        names = [self._word("object", parameter.object().name) for parameter in instance.actual_parameters]
        return " ".join((self._word("action", instance.action.name), *names))

    def instance_of(self, action: str) -> ActionInstance:
        """Return the action instance for an action of the file."""
        head, *names = action.split(" ")
        manager = self._problem.environment.expression_manager
        parameters = tuple(manager.ObjectExp(self._problem.object(self._names[name])) for name in names)
        return ActionInstance(self._problem.action(self._names[head]), parameters)

    # Names: each name of the library gets a unique word that files may have.

    def _word(self, kind: str, name: str) -> str:
        if (kind, name) not in self._words:
            word = re.sub(r"[^a-z0-9_-]", "_", name.lower())
            while not word[:1].isalpha() or word in self._names or word in _TAKEN:
                word = f"{kind[0]}_{word}"
            self._words[kind, name] = word
            self._names[word] = name
        return self._words[kind, name]

    def _typed(self, things: Iterable[tuple[str, Any]]) -> str:
        """Return a list of words in parentheses, each with its type."""
        found = []
        for word, kind in things:
            if kind is not None and not kind.is_user_type():
                raise UnsupportedError(f"parameters of type {kind} are not supported")
            found.append(word if kind is None else f"{word} - {self._word('type', kind.name)}")
        return f"({' '.join(found)})"

    def _variables(self, kind: str, variables: Iterable[Any]) -> str:
        return self._typed((f"?{self._word(kind, each.name)}", each.type) for each in variables)

    # Formulas.

    def _formula(self, exp: FNode) -> str:
        if exp.is_bool_constant():
            return "(and)" if exp.is_true() else "(or)"
        if exp.is_fluent_exp() and exp.type.is_bool_type():
            return self._atom(exp)
        if exp.is_equals():
            return f"(= {' '.join(map(self._term, exp.args))})"
        parts = [self._formula(part) for part in exp.args]
        if exp.is_and() or exp.is_or() or exp.is_not():
            head = "and" if exp.is_and() else "or" if exp.is_or() else "not"
            return f"({head} {' '.join(parts)})"
        if exp.is_implies():
            return f"(imply {parts[0]} {parts[1]})"
        if exp.is_iff():
            return f"(and (imply {parts[0]} {parts[1]}) (imply {parts[1]} {parts[0]}))"
        if exp.is_exists() or exp.is_forall():
            head = "exists" if exp.is_exists() else "forall"
            return f"({head} {self._variables('variable', exp.variables())} {parts[0]})"
        raise UnsupportedError(f"the condition {exp} is not supported")

    def _atom(self, exp: FNode) -> str:
        return f"({' '.join((self._word('fluent', exp.fluent().name), *map(self._term, exp.args)))})"

    def _term(self, exp: FNode) -> str:
        if exp.is_object_exp():
            return self._word("object", exp.object().name)
        if exp.is_parameter_exp():
            return f"?{self._word('parameter', exp.parameter().name)}"
        if exp.is_variable_exp():
            return f"?{self._word('variable', exp.variable().name)}"
        raise UnsupportedError(f"{exp} is not supported where an object is expected")

    # The domain.

    def _domain(self) -> Iterator[str]:
        problem = self._problem
        yield "(define (domain domain)"
        yield f"(:types {self._typed((self._word('type', kind.name), kind.father) for kind in problem.user_types)[1:]}"
        fluents = [fluent for fluent in problem.fluents if fluent.type.is_bool_type()]
        predicates = (
            f"({self._word('fluent', fluent.name)} {self._variables('parameter', fluent.signature)[1:]}"
            for fluent in fluents
        )
        yield f"(:predicates {' '.join(predicates)})"
        costs = self._costs()
        for action in problem.actions:
            yield from self._action(action, costs.get(action.name, ""))
        yield ")"

    def _action(self, action: Any, cost: str) -> Iterator[str]:
        if not isinstance(action, InstantaneousAction) or action.simulated_effect is not None:
            raise UnsupportedError(f"the action {action.name} is of a kind that is not supported")
        observed = action.observed_fluents if isinstance(action, SensingAction) else []
        if len(observed) > 1:
            raise UnsupportedError(f"the action {action.name} observes {len(observed)} fluents at once, and not one")
        yield f"(:action {self._word('action', action.name)}"
        yield f" :parameters {self._variables('parameter', action.parameters)}"
        yield f" :precondition (and {' '.join(map(self._formula, action.preconditions))})"
        yield from (f" :observe {self._formula(fluent)}" for fluent in observed)
        yield f" :effect (and {' '.join(map(self._effect, action.effects))} {cost}))"

    def _effect(self, effect: Any) -> str:
        if not effect.is_assignment() or not effect.fluent.type.is_bool_type():
            raise UnsupportedError(f"the effect {effect} is not supported")
        atom, value = self._atom(effect.fluent), self._formula(effect.value)
        found = f"(and (when {value} {atom}) (when (not {value}) (not {atom})))"
        if effect.value.is_bool_constant():
            found = atom if effect.value.is_true() else f"(not {atom})"
        if not effect.condition.is_true():
            found = f"(when {self._formula(effect.condition)} {found})"
        return f"(forall {self._variables('variable', effect.forall)} {found})" if effect.forall else found

    def _costs(self) -> Mapping[str, str]:
        """Return the cost effect of each action; empty if the metric counts the actions."""
        metrics = self._problem.quality_metrics
        if len(metrics) > 1:
            raise UnsupportedError("more than one quality metric is not supported")
        if not metrics or metrics[0].is_minimize_sequential_plan_length():
            return {}
        if not metrics[0].is_minimize_action_costs():
            raise UnsupportedError(f"the metric {metrics[0]} is not supported")
        found: dict[str, str] = {}
        for action in self._problem.actions:
            cost = metrics[0].get_action_cost(action)
            if cost is None:
                continue
            if not cost.is_fluent_exp() and not (cost.is_constant() and cost.constant_value() >= 0):
                raise UnsupportedError(f"the cost {cost} of the action {action.name} is not supported")
            amount = self._atom(cost) if cost.is_fluent_exp() else str(Fraction(cost.constant_value()))
            found[action.name] = f"(increase (total-cost) {amount})"
        return found

    # The task.

    def _task(self) -> Iterator[str]:
        problem = self._problem
        yield "(define (problem task) (:domain domain)"
        things = ((self._word("object", thing.name), thing.type) for thing in problem.all_objects)
        yield f"(:objects {self._typed(things)[1:]}"
        yield f"(:init {' '.join(self._facts())})"
        yield f"(:goal (and {' '.join(map(self._formula, problem.goals))}))"
        if self.has_metric and problem.quality_metrics[0].is_minimize_action_costs():
            yield "(:metric minimize (total-cost))"
        yield ")"

    def _facts(self) -> Iterator[str]:
        problem = self._problem
        for fluent in problem.fluents:
            default = problem.fluents_defaults.get(fluent)
            for exp in get_all_fluent_exp(problem, fluent):
                value = problem.initial_value(exp)
                if not fluent.type.is_bool_type():
                    if value is not None and value.is_constant():
                        yield f"(= {self._atom(exp)} {Fraction(value.constant_value())})"
                elif exp in self._hidden:
                    # For a hidden fluent the library returns the default as if it were a fact of the problem.
                    if value is not None and value.is_true() and value != default:
                        yield self._atom(exp)
                elif value is None:
                    raise UnsupportedError(f"the initial value of {exp} is not defined, and it is not hidden")
                elif value.is_true():
                    yield self._atom(exp)
        if isinstance(problem, ContingentProblem):
            for head, constraints in (("or", problem.or_constraints), ("oneof", problem.oneof_constraints)):
                yield from (f"({head} {' '.join(map(self._formula, constraint))})" for constraint in constraints)

    # Plans.

    def plan_back(self, found: Plan[str, Any]) -> Any:
        """Return a plan as an object of the library: a tree for a contingent problem, else a sequence."""
        if not isinstance(self._problem, ContingentProblem):
            return SequentialPlan([self.instance_of(action) for action in found], self._problem.environment)
        manager = self._problem.environment.expression_manager
        made: dict[int, ContingentPlanNode] = {}
        for number in found.bottom_up:
            node = found.nodes[number]
            if node.action is None:
                continue
            made[number] = ContingentPlanNode(self.instance_of(node.action))
            observed = _observed(made[number].action_instance)
            for percept, target in node.branches:
                tells = {} if observed is None else {observed: manager.Bool(not str(percept).startswith("not "))}
                if target in made:
                    made[number].add_child(tells, made[target])
        return ContingentPlan(made.get(0), self._problem.environment)

    def plan_text(self, plan: Any) -> tuple[TextPlan, list[ActionInstance]]:
        """Return a plan as text with steps numbered from 0, and the action instance of each step."""
        if isinstance(plan, SequentialPlan):
            actions = list(plan.actions)
            steps = [TextStep(n, str(n), self.action_text(each), {ANY: str(n + 1)}) for n, each in enumerate(actions)]
            return TextPlan(tuple(steps), branches=True), actions
        nodes = [] if plan.root_node is None else [plan.root_node]
        number_of = {id(node): number for number, node in enumerate(nodes)}
        for node in nodes:  # grows while it is walked
            for _, child in node.children:
                if number_of.setdefault(id(child), len(nodes)) == len(nodes):
                    nodes.append(child)
        steps = []
        for number, node in enumerate(nodes):
            observed = _observed(node.action_instance)
            then: dict[str, str] = {}
            for label, tells in ((ANY, None),) if observed is None else ((YES, True), (NO, False)):
                fitting = (
                    str(number_of[id(child)])
                    for told, child in node.children
                    if tells is None or all(key == observed and value.is_true() == tells for key, value in told.items())
                )
                then[label] = next(fitting, _END)
            steps.append(TextStep(number, str(number), self.action_text(node.action_instance), then))
        return TextPlan(tuple(steps), branches=True), [node.action_instance for node in nodes]


def _observed(instance: ActionInstance) -> FNode | None:
    """Return the fluent that an action instance observes; None if it observes none."""
    if not isinstance(instance.action, SensingAction):
        return None
    manager = instance.action.environment.expression_manager
    parameters = zip(instance.action.parameters, instance.actual_parameters, strict=True)
    values = {manager.ParameterExp(name): value for name, value in parameters}
    return instance.action.observed_fluents[0].substitute(values)
