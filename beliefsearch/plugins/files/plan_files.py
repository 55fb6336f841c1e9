"""Plans of files, read for their problem: as the checkers read them, or as text, which is also checked.

Whether a plan as text holds is found by the checkers of sequences and of conditional plans. If it does not, the starts
are halved until one is left from which it fails first, and the plan is followed from there, for whoever wants to mend
it. If there are too many starts to list, a sequence is followed factor by factor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import inf
from typing import Any

from ...errors import DoesNotHoldError, InvalidPlanError
from ...kinds import require
from ...model.adapters import starting_from
from ...model.belief import Belief, initial_belief, initial_states, is_goal_belief, outcomes
from ...model.hooks import factors_of
from ...model.problem import BeliefProblem
from ...model.reachability import walk
from ...model.values import is_among
from ...plans.courses import follow
from ...plans.node_plans import NodePlan, WrittenPlan
from ...plans.partial_courses import PartialCourse, rules_of
from ...plans.plan import ConditionalPlan, Plan, PlanNode
from ...plans.plan_text import TextPlan, TextStep, bare, facts_of
from ...plans.policy import PolicyGraph
from ...plans.text_steps import Names, Steps, UnreadableActionError
from ...plans.wording import number_order, plural
from ...verify.asked_game import PlayedGame
from ...verify.chance_game import AskedChanceGame
from ...verify.checker import UnreadableError
from ...verify.conditional import check_node_plan, many_blocks_of, readable
from ...verify.conditional_factored import FollowedBlocks
from ...verify.numbered import Numbered
from ...verify.pomdp_file import graph_of_file
from ...verify.sequence import check_read_sequence, many_factors
from ...verify.verdict import FileVerdict, PlanVerdict

_MOST_COMPARED = 1000
_MOST_FACTS = 12
# In so many situations the first failure is looked for; else the checker's complaint has to do.
_MOST_SITUATIONS = 20_000


def check_plan_text(problem: BeliefProblem[Any, Any, Any], plan: TextPlan) -> FileVerdict:
    """Follow a plan from every possible start through every possible result and percept.

    Raises `UnreadableActionError` if a line names something that is no action of the problem.
    """
    require("check a plan", problem)
    known: dict[str, Any] = {}
    called = "the plan" if plan.steps or plan.rules else "the empty plan"
    try:
        found = _check(problem, plan, known, [])
        complaint = found.complaint
    except UnreadableActionError:
        raise
    except InvalidPlanError as error:
        complaint = str(error)
    if complaint:
        line = f"{called} does not hold: {_why(problem, plan, known, complaint)}"
        return FileVerdict(False, line, lines=(line,))
    starts = problem.describe_starts(found.starts)
    win = "wins" if found.steps == 1 else "win"
    if found.cyclic:
        line = f"the plan holds: it keeps trying, and from every state it meets from {starts} the goal can be reached"
    elif plan.branches:
        line = f"the plan holds: {plural(found.steps, 'step')} {win} from {starts}, cost {found.cost} at the most"
    else:
        line = f"{called} holds: {plural(found.steps, 'action')} {win} from {starts}, cost {found.cost}"
    return FileVerdict(True, "", lines=(line,), cost=found.cost)


def read_text_plan(
    problem: BeliefProblem[Any, Any, Any], plan: TextPlan, known: dict[str, Any] | None = None
) -> Plan[Any, Any]:
    """The plan that a text means, without steps that are never come to; raises as `check_plan_text` does.

    The actions that its texts mean are entered into `known`.

    Raises `DoesNotHoldError` if it cannot be followed, which says where, why, and from which start.
    """
    require("check a plan", problem)
    known = {} if known is None else known
    try:
        if plan.branches:
            return read_node_plan(problem, Steps(readable(problem), plan, known))
        _check(problem, plan, known, [])
        return Plan.of_sequence(known[step.action] for step in plan.steps)
    except UnreadableActionError:
        raise
    except InvalidPlanError as error:
        raise DoesNotHoldError(_why(problem, plan, known, str(error))) from None


def why_inapplicable(problem: BeliefProblem[Any, Any, Any], actions: Sequence[Any]) -> str:
    """Say why the last of these actions cannot be done, and from which start; the others can."""
    names = [problem.format_action(action) for action in actions]
    plan = TextPlan(tuple(TextStep(number, str(number), name) for number, name in enumerate(names, 1)))
    return _blame(problem, plan, dict(zip(names, actions, strict=True))) or f"{names[-1]} does not apply"


def _check(
    problem: BeliefProblem[Any, Any, Any], plan: TextPlan, known: dict[str, Any], met: list[TextStep]
) -> PlanVerdict:
    """Check a plan; `known` has the actions of texts that have been read, and is filled, as is `met` by a sequence."""
    if plan.branches:
        return check_node_plan(problem, Steps(readable(problem), plan, known))
    names = Names(problem, known)

    def read(belief: Callable[[], Iterable[Any]]) -> Iterator[tuple[int, Any]]:
        for step in plan.steps:
            met.append(step)
            yield int(step.name), names.action(step.action, step.line, belief())

    return check_read_sequence(problem, read)


def _why(problem: BeliefProblem[Any, Any, Any], plan: TextPlan, known: Mapping[str, Any], complaint: str) -> str:
    """Say what goes wrong first, and from which start, of a plan about which a checker complains."""
    if plan.branches and many_blocks_of(problem) is not None:
        return complaint
    if not plan.branches and many_factors(problem) is not None:
        return _blame_factors(problem, plan, known, complaint)
    return _blame(problem, plan, {}) or complaint


def _blame_factors(
    problem: BeliefProblem[Any, Any, Any], plan: TextPlan, known: Mapping[str, Any], complaint: str
) -> str:
    """Say how a sequence fails in one factor; `complaint` says whether it fails at a step or at its end."""
    step = re.match(r"step (\d+):", complaint)
    done = plan.steps[: int(step[1])] if step else plan.steps
    if any(one.action not in known for one in done):
        return complaint  # it names a line that is no action
    for factor in factors_of(problem) or ():
        own = frozenset(factor.actions)
        part = TextPlan(tuple(one for one in done if known[one.action] in own))
        if _failing(factor.problem, part, known) == len(part.steps) - (1 if step else 0):
            return _blame(factor.problem, part, known) or complaint
    if not step:
        return complaint
    action = known[done[-1].action]  # it applies in no state
    name = bare(problem.format_action(action))
    return f"action {step[1]}, ({name}): {problem.missing(next(initial_states(problem)), action)}"


def _blame(problem: BeliefProblem[Any, Any, Any], plan: TextPlan, known: Mapping[str, Any]) -> str | None:
    """Say what goes wrong first, from one of the starts from which it does; None if it fails from no start alone."""
    every = starts = [*initial_states(problem)]
    first = _failing(problem, plan, known)
    while len(starts) > 1:
        half = len(starts) // 2
        parts = (starts[:half], starts[half:])
        failing = next((part for part in parts if _failing(starting_from(problem, part), plan, known) == first), None)
        if failing is None:
            return None
        starts = failing
    found = _first_failure(problem if starts is every else starting_from(problem, starts), plan, known)
    if found is None or len(every) == 1:
        return None if found is None else found[1]
    return f"{found[1]}, from the start where {_told_apart(problem, starts[0], every)}"


def _failing(problem: BeliefProblem[Any, Any, Any], plan: TextPlan, known: Mapping[str, Any]) -> float:
    """Count the actions that are done until a plan fails, from whichever start it does so first; infinite if it holds.

    A sequence is followed by its checker, which is fast where there are many starts.
    """
    if plan.branches:
        found = _first_failure(problem, plan, known)
        return inf if found is None else found[0]
    met: list[TextStep] = []
    try:
        return inf if _check(problem, plan, {**known}, met).holds else len(met)
    except InvalidPlanError:
        return len(met) - 1


def _first_failure(
    problem: BeliefProblem[Any, Any, Any], plan: TextPlan, known: Mapping[str, Any]
) -> tuple[int, str] | None:
    """Follow a plan breadth-first until something fails: after how many actions, and what; None if nothing soon."""
    steps = Steps(problem, plan, {**known})
    on_the_way: dict[tuple[int, Belief[Any]], tuple[int, tuple[str, ...]]] = {(0, initial_belief(problem)): (0, ())}
    waiting = [*on_the_way]
    for node, belief in islice(waiting, _MOST_SITUATIONS):  # grows while it is walked
        done, seen = on_the_way[node, belief]
        after = f", after {', '.join(seen)}" if seen else ""
        order = sorted(belief, key=problem.format_state)
        try:
            if steps.is_end(node):
                lost = next((state for state in order if not is_goal_belief(problem, frozenset((state,)))), None)
                if lost is not None:
                    if plan.rules:
                        return done, f"no rule fits the state {problem.format_state(lost)}{after}"
                    return done, f"at the end{after}{',' if after else ''} {problem.missing(lost)}"
                continue
            action = steps.action(node, belief)
        except DoesNotHoldError as error:
            return done, f"{error}{after}"
        name = f"{steps.place(node)}, ({bare(problem.format_action(action))})"
        for state in order:
            if not is_among(action, problem.actions(state)):
                return done, f"{name}: {problem.missing(state, action)}{after}"
        for percept, states in outcomes(problem, belief, action).items():
            target = steps.follow(node, percept)
            text = problem.format_percept(percept)
            if target is None:
                return done, f"{name}: {text} may be perceived, and there is no branch for it{after}"
            situation = (target, frozenset(states))
            if situation not in on_the_way:
                is_told = percept is not None and plan.branches
                more = (f"{bare(problem.format_action(action))}: {text}",) if is_told else ()
                on_the_way[situation] = (done + 1, (*seen, *more))
                waiting.append(situation)
    return None


def _told_apart(problem: BeliefProblem[Any, Any, Any], start: Any, every: Sequence[Any]) -> str:
    """Name a start by its facts that not all starts share; or, if there are none, by facts that are false in it."""
    others = [facts_of(problem.format_state(state)) for state in every[:_MOST_COMPARED]]
    facts = facts_of(problem.format_state(start))
    own = sorted(facts - frozenset.intersection(*others), key=number_order)
    told = own or [f"not {fact}" for fact in sorted(frozenset().union(*others) - facts, key=number_order)]
    return ", ".join(told[:_MOST_FACTS]) + (", ..." if len(told) > _MOST_FACTS else "")


def read_conditional_plan(problem: Any, written: Mapping[str, Any]) -> ConditionalPlan[Any, Any]:
    """The plan in a plan file, without unreachable nodes; raises as `verify.conditional` does."""
    return read_node_plan(problem, WrittenPlan(readable(problem), written))


def read_node_plan(problem: Any, plan: NodePlan) -> ConditionalPlan[Any, Any]:
    """A plan followed node by node, as a conditional plan without unreachable nodes; raises likewise."""
    blocks, rules = many_blocks_of(problem), rules_of(problem)
    steps: dict[int, tuple[Any, dict[Any, int]]] = {}  # by node: the action, and the next node for each percept
    if blocks is not None:
        followed = FollowedBlocks(problem, blocks, plan)
        followed.cost()
        steps = followed.steps
    elif rules is not None:
        steps = PartialCourse(problem, rules, plan).steps
    else:
        game = PlayedGame(problem)
        course = follow(game, plan)
        for node, options in zip(course.nodes, course.options, strict=True):
            for action, places in options:
                _, branches = steps.setdefault(node, (game.named_actions.met(action), {}))
                branches |= {game.named_percepts.met(percept): course.nodes[place] for percept, place in places.items()}
    ends: tuple[Any, dict[Any, int]] = None, {}
    number = Numbered(walk([0], lambda node: steps.get(node, ends)[1].values()))
    nodes = []
    for node in number.items:
        action, branches = steps.get(node, ends)
        nodes.append(PlanNode(action, tuple((percept, number.number(target)) for percept, target in branches.items())))
    return ConditionalPlan(tuple(nodes))


def read_policy_graph(problem: Any, written: Mapping[str, Any]) -> PolicyGraph[Any, Any, Any]:
    """The policy graph in a plan file, without checking its values; raises `InvalidPlanError` if it is none."""
    game = AskedChanceGame(problem)
    try:
        table = graph_of_file(game, written)
    except UnreadableError as error:
        raise InvalidPlanError(game.named(error)) from None
    states, actions, percepts = (part.items for part in game.parts)
    unit, nodes = table["unit"], table["nodes"]
    return PolicyGraph(
        [actions[a] for a, _, _ in nodes],
        [{percepts[o]: k for o, k in enumerate(after) if k is not None} for _, after, _ in nodes],
        [{states[s]: Fraction(v, unit) for s, v in enumerate(values) if v is not None} for _, _, values in nodes],
        steps=table.get("left"),
    )
