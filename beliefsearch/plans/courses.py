"""Plans followed through all their outcomes, as tables `plan` for the checker, which trusts none of this.

Also the ranks of a strong cyclic plan or of a winning region: numbers that decrease along some path to an end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from graphlib import CycleError
from itertools import chain
from typing import Any, TypeAlias

from attrs import frozen

from ..errors import DoesNotHoldError, ProblemError
from ..model.belief import no_tick
from ..model.reachability import costs_to_ends, steps_to
from .encoding import exact_to_json
from .node_plans import NodePlan, inapplicable, no_branch
from .wording import plural

Option: TypeAlias = tuple[int, dict[int, int]]
"""An action, and the next place for each percept."""

Ranks: TypeAlias = list[dict[int, int]]
"""For each place and state a number that decreases along some path to an end; none if no end can be reached."""


@frozen
class Course:
    """A plan that was followed: each place is a node of it, with a belief in which it is reached.

    `options` has the action of each place, none at an end. `complaint` names an end that is not won.
    """

    nodes: Sequence[int]
    beliefs: Sequence[Sequence[int]]
    options: Sequence[Sequence[Option]]
    complaint: str


def follow(game: Any, plan: NodePlan, tick: Callable[[], None] = no_tick) -> Course:
    """Follow a plan through a game with names, through all its outcomes.

    Raises `InvalidPlanError` if an action does not apply, and `DoesNotHoldError` if a branch is missing.
    """
    start = 0, frozenset(game.start)
    number, places = {start: 0}, [start]
    options: list[list[Option]] = []
    complaint = ""
    for node, belief in places:  # grows while it is walked
        tick()
        options.append([])
        if not plan.is_end(node):
            action, after = _step(game, plan, node, belief)
            for place in after.values():
                if place not in number:
                    number[place] = len(places)
                    places.append(place)
            options[-1].append((action, {percept: number[place] for percept, place in after.items()}))
        elif not complaint and not game.is_won([*belief]):
            states = sorted(game.named_states.words(game.named_states.met(s)) for s in belief)
            more = f" or {plural(len(states) - 1, 'other')}" if len(states) > 1 else ""
            complaint = f"the plan ends in node {node}, where the state may be {states[0]}{more}, which is not won"
    return Course([node for node, _ in places], [sorted(belief) for _, belief in places], options, complaint)


def _step(
    game: Any, plan: NodePlan, node: int, belief: frozenset[int]
) -> tuple[int, dict[int, tuple[int, frozenset[int]]]]:
    """The action at a node, and the next node and belief for each percept."""
    states, percepts = game.named_states, game.named_percepts
    done = plan.action(node, (states.met(s) for s in belief))
    action = game.number_of_action(done)
    if barred := [states.met(s) for s in belief if game.steps[action][s] is None]:
        raise DoesNotHoldError(inapplicable(game.problem, f"node {node}", done, barred))
    after = {}
    outcomes = game.outcomes(action, belief)
    for percept in sorted(outcomes, key=lambda percept: percepts.words(percepts.met(percept))):
        target = plan.follow(node, percepts.met(percept))
        if target is None:
            raise no_branch(node, game.named_actions.words(done), percepts.words(percepts.met(percept)))
        after[percept] = target, frozenset(outcomes[percept])
    return action, after


def plan_table(
    game: Any,
    beliefs: Sequence[Sequence[int]],
    options: Sequence[Sequence[Option]],
    root: int = 0,
    tick: Callable[[], None] = no_tick,
    *,
    means: bool = True,
    keeps_trying: bool = False,
) -> tuple[dict[str, Any], list[int]]:
    """Return the table of the options in beliefs, and the place of each node of the table.

    The table has ranks if it `keeps_trying` or is cyclic. Otherwise it has worst-case costs, and with `means` also the
    cost from each state if all results and percepts are certain.
    """
    after = {j: [k for _, places in of_place for k in places.values()] for j, of_place in enumerate(options)}
    columns: dict[str, Sequence[dict[int, Any]]] = {}
    values: dict[int, Any] = {}
    with suppress(CycleError):
        values = {} if keeps_trying else costs_to_ends(after, lambda j: game.cost(options[j][0][0], beliefs[j]))
    order = [*values] or [*range(len(beliefs))]
    if not values:
        values = dict.fromkeys(order, math.inf)
        columns["ranks"] = ranks_of(game, beliefs, options, tick)
    else:
        if means and (paid := _means(game, beliefs, options, order)) is not None:
            columns["means"] = [{s: _written(mean) for s, mean in by_state.items()} for by_state in paid]
        order.reverse()  # an option leads to later nodes only
    number = {place: k for k, place in enumerate(order)}
    nodes = []
    for place in order:
        written = [
            [action, *chain.from_iterable((percept, number[k]) for percept, k in after.items())]
            for action, after in options[place]
        ]
        nodes.append([beliefs[place], written, _written(values[place])])
    by_member = {
        name: [[rows[place].get(s) for s in beliefs[place]] for place in order] for name, rows in columns.items()
    }
    return {"kind": "plan", "root": number[root], "nodes": nodes, **by_member}, order


def _written(number: Any) -> Any:
    try:
        return exact_to_json(number)
    except ValueError:  # more digits than Python writes
        raise ProblemError("the costs of the problem are too long to be checked") from None


def _means(
    game: Any, beliefs: Sequence[Sequence[int]], options: Sequence[Sequence[Option]], order: Iterable[int]
) -> list[dict[int, Any]] | None:
    """Return the cost from each state of each place, if all outcomes are certain.

    Each place of `order` comes after its successors.
    """
    means: list[dict[int, Any]] = [dict.fromkeys(members, 0) for members in beliefs]
    for j in order:
        for action, after in options[j]:
            for s in beliefs[j]:
                ((percept, (result, *others)), *more) = game.steps[action][s]
                if others or more:
                    return None
                means[j][s] = game.cost(action, [s]) + means[after[percept]][result]
    return means


def ranks_of(
    game: Any, beliefs: Sequence[Sequence[int]], options: Sequence[Sequence[Option]], tick: Callable[[], None] = no_tick
) -> Ranks:
    """Rank the states of each belief by the turn in which a path by the options to an end is found for them."""
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


def _leads_on(game: Any, state: int, options: Iterable[Option], ranks: Ranks) -> bool:
    """Whether one of the options may lead from a state to one that has a rank."""
    for action, after in options:
        for percept, results in game.steps[action][state] or ():
            if not ranks[after[percept]].keys().isdisjoint(results):
                return True
    return False
