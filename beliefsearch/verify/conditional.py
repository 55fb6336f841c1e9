"""The verdict on a conditional plan, which is followed through all that may happen.

Whatever happens, the player comes to an end of the plan, and only with a belief that lies in a goal set; or, if the
plan keeps trying, an end can still be reached from everywhere on it, in every state that is possible there, so that it
is reached with certainty where results come by chance (strong cyclic planning: A. Cimatti, M. Pistore, M. Roveri and
P. Traverso, Artificial Intelligence 147, 2003). Against an adversary that is no win.

The proofs are those of `check_plan` in `checker`. Here the members of a node are the very belief that comes to it, and
ranks are the turns in which states were found to come to an end.
Where the starts are too many to be listed, the plan is followed block by block (`conditional_factored`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import Any, TypeAlias

from attrs import evolve, frozen

from ..errors import InvalidPlanError
from ..model.base import Cost
from ..model.belief import no_tick
from ..model.factor import Factor
from ..model.hooks import FactoredHook, blocks_of
from ..model.reachability import steps_to
from ..model.shown import is_said_to_be, shown_cost
from ..model.values import whole
from ..plans.node_plans import NodePlan
from ..plans.steps import DoesNotHoldError, inapplicable
from ..plans.wording import plural
from .asked_game import PlayedGame
from .checker import Game
from .numbered import Numbered
from .verdict import PlanVerdict

# Up to so many starts are listed, and the whole belief is followed.
_FEW_STARTS = 2_000

Option: TypeAlias = tuple[int, dict[int, int]]
"""An action, and by percept the place that follows."""

Ranks: TypeAlias = list[dict[int, int]]
"""By place and state a number that falls along some course to an end; no number where none can be reached."""


@frozen
class Course:
    """A plan that was followed: at each place a node of it, with the belief that comes to it.

    `options` has by place what is done, nothing at an end. `complaint` says which end is not won.
    """

    nodes: Sequence[int]
    beliefs: Sequence[Sequence[int]]
    options: Sequence[Sequence[Option]]
    complaint: str

    def ends_first(self) -> list[int] | None:
        """Return the places, each after all that it leads to; None if it leads back to some."""
        after = {j: [k for _, places in of_place for k in places.values()] for j, of_place in enumerate(self.options)}
        try:
            return [*TopologicalSorter(after).static_order()]
        except CycleError:
            return None


def follow(game: Any, plan: NodePlan, tick: Callable[[], None] = no_tick) -> Course:
    """Follow a plan through a game that has names, through all that may happen.

    Raises `InvalidPlanError` where an action does not apply, and `DoesNotHoldError` where a branch is missing.
    """
    places: Numbered[tuple[int, frozenset[int]]] = Numbered([(0, frozenset(game.start))])
    options: list[list[Option]] = []
    complaint = ""
    for node, belief in places.items:  # grows while it is walked
        tick()
        options.append([])
        if not plan.is_end(node):
            options[-1].append(_step(game, plan, node, belief, places))
        elif not complaint and not game.is_won([*belief]):
            states = sorted(game.named_states.words(game.named_states.met(s)) for s in belief)
            more = f" or {plural(len(states) - 1, 'other')}" if len(states) > 1 else ""
            complaint = f"the plan ends in node {node}, where the state may be {states[0]}{more}, which is not won"
    return Course(
        [node for node, _ in places.items], [sorted(belief) for _, belief in places.items], options, complaint
    )


def _step(game: Any, plan: NodePlan, node: int, belief: frozenset[int], places: Numbered[Any]) -> Option:
    """The action at a node, and by percept the place that follows."""
    states, percepts = game.named_states, game.named_percepts
    done = plan.action(node, (states.met(s) for s in belief))
    action = game.number_of_action(done)
    if barred := [states.met(s) for s in belief if game.steps[action][s] is None]:
        raise DoesNotHoldError(inapplicable(game.problem, f"node {node}", done, barred))
    after: dict[int, int] = {}
    outcomes = game.outcomes(action, belief)
    for percept in sorted(outcomes, key=lambda percept: percepts.words(percepts.met(percept))):
        target = plan.follow(node, percepts.met(percept))
        if target is None:
            raise DoesNotHoldError(
                f"node {node}: after {game.named_actions.words(done)} the percept "
                f"{percepts.words(percepts.met(percept))} may come, and there is no branch for it"
            )
        after[percept] = places.number((target, frozenset(outcomes[percept])))
    return action, after


def costs(game: Game, course: Course, order: Iterable[int]) -> tuple[list[Any], list[dict[int, Any]] | None]:
    """Return by place the most that may be paid to the end, and by state what is paid from it if that is certain.

    Each place of `order` comes after all that it leads to.
    """
    values: list[Any] = [0] * len(course.beliefs)
    means: list[dict[int, Any]] = [dict.fromkeys(members, 0) for members in course.beliefs]
    certain = True
    for j in order:
        for action, after in course.options[j]:
            values[j] = game.cost(action, course.beliefs[j]) + max(values[k] for k in after.values())
            for s in course.beliefs[j] if certain else ():
                ((percept, (result, *others)), *more) = game.steps[action][s] or ()
                certain = certain and not others and not more
                means[j][s] = game.cost(action, [s]) + means[after[percept]][result]
    return values, means if certain else None


def ranks_of(
    game: Game,
    beliefs: Sequence[Sequence[int]],
    options: Sequence[Sequence[Option]],
    tick: Callable[[], None] = no_tick,
) -> Ranks:
    """Rank the states of beliefs by the turn in which they are found to come to an end, by some of the options."""
    after = [{*chain.from_iterable(places.values() for _, places in of_place)} for of_place in options]
    ends = [j for j, of_place in enumerate(options) if not of_place]
    near = steps_to(ends, ((j, k) for j, following in enumerate(after) for k in following))
    ranks: Ranks = [
        {} if of_place else dict.fromkeys(members, 0) for members, of_place in zip(beliefs, options, strict=True)
    ]
    waiting = sorted((j for j, following in enumerate(after) if following), key=lambda j: near.get(j, len(after)))
    turn, gained = 0, True
    while gained and waiting:
        gained = False
        for j in waiting:
            tick()
            turn += 1
            known = ranks[j]
            new = [s for s in beliefs[j] if s not in known and _leads_on(game, s, options[j], ranks)]
            known.update(dict.fromkeys(new, turn))
            gained = gained or bool(new)
        waiting = [j for j in waiting if len(ranks[j]) < len(beliefs[j])]
    return ranks


def _leads_on(game: Game, state: int, options: Iterable[Option], ranks: Ranks) -> bool:
    """Whether one of the options may lead from a state to one that is known to come to an end."""
    for action, after in options:
        for percept, results in game.steps[action][state] or ():
            if not ranks[after[percept]].keys().isdisjoint(results):
                return True
    return False


def _circle(game: PlayedGame, course: Course) -> str:
    """A state of a node from which no end of the plan can be reached; empty if there is none."""
    for node, members, known in zip(
        course.nodes, course.beliefs, ranks_of(game, course.beliefs, course.options), strict=True
    ):
        if stuck := [game.named_states.met(s) for s in members if s not in known]:
            state = min(map(game.named_states.words, stuck))
            return f"the plan goes round in circles: from node {node}, if the state is {state}, it never ends"
    return ""


def check_node_plan(problem: Any, plan: NodePlan, claimed: Cost | None = None, objective: str = "worst") -> PlanVerdict:
    """Follow a plan from every possible start through every possible result and percept.

    Raises `InvalidPlanError` if an action does not apply where it stands, or a percept may come for which there is no
    branch. `claimed` is what it is said to cost, None if nothing is said. Time is linear in the members of the beliefs
    at each node, each with its results; a plan may share nodes between beliefs, so that these are more than its nodes.
    """
    if objective not in ("worst", "expected"):
        raise InvalidPlanError(f"the objective {objective!r:.40} is neither 'worst' nor 'expected'")
    blocks = many_blocks_of(problem)
    found = _followed(problem, plan) if blocks is None else _followed_by_blocks(problem, blocks, plan)
    paid = found.exact_cost if objective == "worst" else found.expected_cost
    if not found.holds or claimed is None or (paid is not None and is_said_to_be(claimed, paid)):
        return found
    costs = found.cost if objective == "worst" else paid
    says = "its expected cost is unknown" if paid is None else f"costs {costs}"
    return evolve(found, holds=False, complaint=f"the plan wins, but {says}, not {claimed} as the file says")


def _followed(problem: Any, plan: NodePlan) -> PlanVerdict:
    game = PlayedGame(problem)
    course = follow(game, plan)
    order = course.ends_first()
    complaint = course.complaint or (_circle(game, course) if order is None else "")
    exact: Cost = math.inf
    expected: Cost | None = None
    if not complaint and order is not None:
        values, means = costs(game, course, order)
        exact = values[0]
        expected = None if means is None else whole(Fraction(sum(means[0].values()), len(game.start)))
    elif not complaint and problem.has_adversary():
        complaint = "the plan keeps trying, and an adversary can make it do so for ever"
    cost = shown_cost(problem, exact)
    steps = len({node for node, of_place in zip(course.nodes, course.options, strict=True) if of_place})
    largest = max(map(len, course.beliefs))
    is_cyclic = cost == math.inf
    return PlanVerdict(not complaint, complaint, steps, len(game.start), cost, expected, is_cyclic, largest, exact)


def _followed_by_blocks(problem: Any, blocks: Sequence[Factor[Any]], plan: NodePlan) -> PlanVerdict:
    from .conditional_factored import FollowedBlocks

    followed = FollowedBlocks(problem, blocks, plan)
    exact = followed.cost()
    followed.follow_one_course()
    steps, starts, cost = len(followed.steps), problem.count_starts(), shown_cost(problem, exact)
    return PlanVerdict(True, "", steps, starts, cost, None, False, followed.largest, exact)


def many_blocks_of(problem: Any) -> Sequence[Factor[Any]] | None:
    """The blocks of a problem with percepts and more starts than are listed; None of any other."""
    blocks = blocks_of(problem)
    many = blocks is not None and isinstance(problem, FactoredHook) and problem.count_starts() > _FEW_STARTS
    return blocks if many else None


def readable(problem: Any) -> Any:
    """The problem in which the actions of a plan are looked up."""
    if (blocks := many_blocks_of(problem)) is None:
        return problem
    from .conditional_factored import AnyAction

    return AnyAction(problem, blocks)
