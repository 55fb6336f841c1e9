"""Rules about `SymmetryHook`, `DistinctActionsHook` and `BeliefClassHook`: equivalent things are equivalent."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from typing import Any

from ....belief_space.contingent import FrozensetContingentView
from ....model.base import Cost
from ....model.belief import Belief, applicable_actions, initial_states, perceived, successors
from ....model.checked import checked_cost
from ....model.hooks import BeliefClassHook, DistinctActionsHook, SymmetryHook
from ....running.limits import LimitReached, Limits
from ....running.run import Record, Run
from ....solvers.contingent.and_or_graph import AndOrGraph
from ..rule import Broken, Partly, Transitions, evenly, rule, shortened

# The most symmetries that are looked at, and the most actions in states with each.
_MANY_SYMMETRIES = 20
_MANY_STEPS = 20_000


@rule(
    "symmetries",
    "symmetries() give states and actions other names, and change nothing else",
    SymmetryHook,
    why="A proof that takes one action for another by them is refused, so that none is found.",
)
def check_symmetry(problem: Any, transitions: Transitions) -> None:
    """Check that symmetries only rename states and actions."""
    given = list(islice(problem.symmetries(), _MANY_SYMMETRIES + 1))
    actions = max((len(by_action) for by_action in transitions.values()), default=1)
    states = evenly(list(transitions), max(1, _MANY_STEPS // max(1, actions)))
    for number, (of_state, of_action) in enumerate(given[:_MANY_SYMMETRIES]):
        try:
            _check_change(problem, {state: transitions[state] for state in states}, of_state, of_action)
        except Broken as broken:
            raise Broken(f"symmetry {number} of symmetries() {broken}", *broken.about) from None
    if len(given) > _MANY_SYMMETRIES or len(states) < len(transitions):
        raise Partly(f"the first {_MANY_SYMMETRIES} symmetries, in {len(states):,} of {len(transitions):,} states")


def _check_change(
    problem: Any, transitions: Transitions, of_state: Callable[[Any], Any], of_action: Callable[[Any], Any]
) -> None:
    """Check that one symmetry only renames states, actions and percepts."""
    before: dict[Any, Any] = {}  # preimages of states, and of actions with their percepts, by image
    for state, by_action in transitions.items():
        image = of_state(state)
        if before.setdefault((image,), state) != state:
            raise Broken(f"maps {before[image,]!r} and {state!r} to the same state {image!r}", state)
        if _is_won(problem, state) != _is_won(problem, image):
            raise Broken(f"maps {state!r} to {image!r}, and only one of them is won", state)
        there = set(problem.actions(image))
        # Not the keys of `by_action`: if there are many actions, only some were done.
        if {of_action(action) for action in problem.actions(state)} != there:
            raise Broken(f"maps the actions of {state!r} to others than those of {image!r}", state)
        for action, results in by_action.items():
            other = of_action(action)
            said = f"maps {action!r} in {state!r} to {other!r} in {image!r}"
            if checked_cost(problem, state, action) != checked_cost(problem, image, other):
                raise Broken(f"{said}, which costs something else", state, action)
            if {of_state(result) for result in results} != set(successors(problem, image, other)):
                raise Broken(f"{said}, which leads to something else", state, action)
            for result in results:
                here = action, frozenset(perceived(problem, result, action))
                seen = frozenset(perceived(problem, of_state(result), other))
                if before.setdefault(here, seen) != seen or before.setdefault((here[0], seen, other), here) != here:
                    raise Broken(f"{said}, after which other states are perceived alike", state, action)


def _is_won(problem: Any, state: Any) -> bool:
    return any(state in goals for goals in problem.goal_sets())


# Larger graphs are not looked at: with more beliefs, or with more steps, a step being an action in one state of a
# belief. If the steps suffice for fewer than 10 beliefs, nothing is looked at.
_MOST_BELIEFS = 2000
_FEWEST_BELIEFS = 10
_MOST_STEPS = 1_000_000


@rule(
    "classes",
    "distinct_actions() leaves out no best action, and beliefs of one belief_class() cost the same to win",
    *(DistinctActionsHook, BeliefClassHook),
    why="A search leaves out the other actions, and takes what one belief costs for the cost of its whole class.",
    if_sound=True,
)
def check_class(problem: Any, transitions: Transitions) -> None:
    """Compare the least costs of beliefs, computed without the hooks, within each class."""
    starts = list(islice(initial_states(problem), _MOST_STEPS // _FEWEST_BELIEFS + 1))
    actions = len(list(islice(problem.actions(starts[0]), _MOST_STEPS)))
    most = min(_MOST_BELIEFS, _MOST_STEPS // max(1, actions * len(starts)))
    view = _WithoutClasses(problem)
    try:
        if most < _FEWEST_BELIEFS:
            raise LimitReached
        record: Record[Any, Any] = Record("and-or-graph", view, Run.of(Limits(expanded=most)))
        graph = AndOrGraph(view, [view.initial_node()], record)
    except LimitReached:
        raise Partly(f"not looked at: more beliefs than {most:,}") from None
    _, known = graph.least_costs()
    cost_of = {belief: known.get(number, math.inf) for belief, number in graph.number_of.items()}
    first_of_class: dict[Hashable, Belief[Any]] = {}
    for belief, cost in cost_of.items():
        alike = first_of_class.setdefault(view.class_of(belief), belief)
        if cost_of[alike] != cost:
            raise Broken(
                f"belief_class() is the same for {shortened(problem, alike)} and {shortened(problem, belief)}, "
                f"but from the first it costs {cost_of[alike]} to win, and from the second {cost}"
            )
        if not view.is_goal(belief):
            _check_distinct_actions(view, belief, cost_of)


def _check_distinct_actions(view: _WithoutClasses, belief: Belief[Any], cost_of: dict[Belief[Any], Cost]) -> None:
    problem = view.problem
    given = problem.distinct_actions(belief) if isinstance(problem, DistinctActionsHook) else None
    if given is None:
        return
    applicable = set(view.actions(belief))
    least: Cost = math.inf
    for action in given:
        if action not in applicable:
            raise Broken(f"distinct_actions() gives {action!r}, which does not apply in {shortened(problem, belief)}")
        worst = max(cost_of[child] for _, child in view.outcomes(belief, action))
        least = min(least, view.action_cost(belief, action) + worst)
    if least > cost_of[belief]:
        raise Broken(
            f"distinct_actions() leaves out what is best in {shortened(problem, belief)}: with those it gives it costs "
            f"{least} to win, with all actions {cost_of[belief]}"
        )


class _WithoutClasses(FrozensetContingentView[Any, Any]):
    """The view with all actions of each belief."""

    def actions(self, belief: Belief[Any]) -> Iterable[Any]:
        return applicable_actions(self.problem, self.members(belief))
