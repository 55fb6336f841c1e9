"""Tables of plans: what is possible at each node, what it costs from there, and how an end comes nearer.

A plan that goes wrong is told of here, with the step and the state; that one holds is for the checker to say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import Any, TypeAlias

from attrs import frozen

from ...model.belief import no_tick
from ...model.reachability import steps_to, walk
from ...plans.plan import ConditionalPlan, PlanNode
from ...plans.steps import inapplicable
from ...plans.wording import plural
from ..checker import Game
from ..numbered import Numbered, written
from ..plan_reader import NodePlan
from ..verdict import DoesNotHoldError

Table: TypeAlias = dict[str, Any]
_Beliefs: TypeAlias = Sequence[Sequence[int]]
_Options: TypeAlias = Sequence[Sequence[list[int]]]


@frozen
class PlanTable:
    """The table `plan` of a plan, and where in the plan each of its nodes stands; or what is wrong with the plan."""

    table: Table
    at: Sequence[int]
    complaint: str = ""


def plan_table(game: Any, plan: NodePlan, tick: Callable[[], None] = no_tick) -> PlanTable:
    """Follow a plan through a game that has names, through all that may happen.

    Raises `DoesNotHoldError` where an action does not apply, or a branch is missing.
    """
    places = Numbered([(0, frozenset(game.start))])
    options: list[list[list[int]]] = []
    complaint = ""
    for node, belief in places.items:  # grows while it is walked
        tick()
        options.append([])
        if not plan.is_end(node):
            options[-1].append(_option(game, plan, node, belief, places))
        elif not complaint and not game.is_won([*belief]):
            states = sorted(game.named_states.words(game.named_states.met(s)) for s in belief)
            more = f" or {plural(len(states) - 1, 'other')}" if len(states) > 1 else ""
            complaint = f"the plan ends in node {node}, where the state may be {states[0]}{more}, which is not won"
    at = [node for node, _ in places.items]
    beliefs = [sorted(belief) for _, belief in places.items]
    try:  # each place behind all that it leads to, so that the first one comes last
        order = [*TopologicalSorter({j: row[0][2::2] if row else [] for j, row in enumerate(options)}).static_order()]
    except CycleError:  # it keeps trying
        ranks = ranks_of_plan(game, beliefs, options)
        complaint = complaint or _circle(game, beliefs, ranks, at)
        return PlanTable(_table(beliefs, options, ranks=ranks), at, complaint)
    order.reverse()
    number = {place: k for k, place in enumerate(order)}
    moved = [
        [[a, *(number[x] if i % 2 else x for i, x in enumerate(row))] for a, *row in of_node] for of_node in options
    ]
    beliefs, options = [beliefs[place] for place in order], [moved[place] for place in order]
    table = _table(beliefs, options, **_costs(game, beliefs, options))
    return PlanTable(table, [at[place] for place in order], complaint)


def _option(game: Any, plan: NodePlan, node: int, belief: frozenset[int], places: Numbered[Any]) -> list[int]:
    """The action at a node, and by percept the place that follows."""
    states, percepts = game.named_states, game.named_percepts
    done = plan.action(node, (states.met(s) for s in belief))
    action = game.number_of_action(done)
    if barred := [states.met(s) for s in belief if game.steps[action][s] is None]:
        raise DoesNotHoldError(inapplicable(game.problem, f"node {node}", done, barred))
    row = [action]
    outcomes = game.outcomes(action, belief)
    for percept in sorted(outcomes, key=lambda percept: percepts.words(percepts.met(percept))):
        target = plan.follow(node, percepts.met(percept))
        if target is None:
            raise DoesNotHoldError(
                f"node {node}: after {game.named_actions.words(done)} the percept "
                f"{percepts.words(percepts.met(percept))} may come, and there is no branch for it"
            )
        row += [percept, places.number((target, frozenset(outcomes[percept])))]
    return row


def _circle(game: Any, beliefs: _Beliefs, ranks: Sequence[Sequence[int | None]], at: Sequence[int]) -> str:
    """A state of a node from which no end of the plan can be reached; empty if there is none."""
    for node, members, of_node in zip(at, beliefs, ranks, strict=True):
        stuck = [s for s, rank in zip(members, of_node, strict=True) if rank is None]
        if stuck:
            state = min(game.named_states.words(game.named_states.met(s)) for s in stuck)
            return f"the plan goes round in circles: from node {node}, if the state is {state}, it never ends"
    return ""


def _table(beliefs: _Beliefs, options: _Options, values: Sequence[Any] = (), **more: Any) -> Table:
    written_values = map(written, values) if values else [None] * len(beliefs)
    nodes = [[*node] for node in zip(beliefs, options, written_values, strict=True)]
    return {"kind": "plan", "root": 0, "nodes": nodes, **{name: rows for name, rows in more.items() if rows}}


def _costs(game: Game, beliefs: _Beliefs, options: _Options) -> dict[str, Any]:
    """Return by node the most that may be paid to the end, and by member what is paid from it if that is certain."""
    values: list[Any] = [0] * len(beliefs)
    means: list[dict[int, Any]] = [dict.fromkeys(members, 0) for members in beliefs]
    certain = True
    for j in reversed(range(len(beliefs))):
        for action, *branches in options[j]:
            after = dict(zip(branches[::2], branches[1::2], strict=True))
            values[j] = game.cost(action, beliefs[j]) + max(values[k] for k in after.values())
            for s in beliefs[j] if certain else ():
                ((percept, (result, *others)), *more) = game.steps[action][s] or ()
                certain = certain and not others and not more
                means[j][s] = game.cost(action, [s]) + means[after[percept]][result]
    return {"values": values, "means": [[*map(written, row.values())] for row in means] if certain else None}


def ranks_of_plan(
    game: Game, beliefs: _Beliefs, options: _Options, tick: Callable[[], None] = no_tick
) -> list[list[int | None]]:
    """For each node and member a number that falls along some course to an end; None if it never comes.

    These are the turns in which nodes were looked at when a member was first known to come to an end.
    """
    after = [[(row[0], dict(zip(row[1::2], row[2::2], strict=True))) for row in of_node] for of_node in options]
    ranks: list[dict[int, int]] = [
        {} if of_node else dict.fromkeys(members, 0) for members, of_node in zip(beliefs, options, strict=True)
    ]
    waiting, turn, gained = nearest_first([row[2::2] for row in of_node] for of_node in options), 0, True
    while gained and waiting:
        gained = False
        for j in waiting:
            tick()
            turn += 1
            known = ranks[j]
            new = [s for s in beliefs[j] if s not in known and _leads_on(game, s, after[j], ranks)]
            known.update(dict.fromkeys(new, turn))
            gained = gained or bool(new)
        waiting = [j for j in waiting if len(ranks[j]) < len(beliefs[j])]
    return [[of_node.get(s) for s in members] for of_node, members in zip(ranks, beliefs, strict=True)]


def _leads_on(game: Game, state: int, options: Any, ranks: Sequence[Mapping[int, int]]) -> bool:
    """Whether one of the options may lead from a state to one that is known to come to an end."""
    for action, after in options:
        for percept, results in game.steps[action][state] or ():
            if not ranks[after[percept]].keys().isdisjoint(results):
                return True
    return False


def nearest_first(options: Iterable[Iterable[Iterable[int]]]) -> list[int]:
    """The nodes where something is done, those first that may come to an end soonest; options are nodes that follow."""
    after = [{*chain.from_iterable(of_node)} for of_node in options]
    ends = (j for j, of_node in enumerate(after) if not of_node)
    steps = steps_to(ends, ((j, k) for j, of_node in enumerate(after) for k in of_node))
    return sorted((j for j, of_node in enumerate(after) if of_node), key=lambda j: steps.get(j, len(after)))


def belief_text(members: Sequence[int]) -> str:
    """A belief in words: one state of it, and how many others there are."""
    more = f" or {plural(len(members) - 1, 'other')}" if len(members) > 1 else ""
    return f"state {members[0]}{more}"


def followed_plan(game: Any, made: PlanTable) -> ConditionalPlan[Any, Any]:
    """The plan of a table, without the nodes that are never come to."""
    nodes = made.table["nodes"]
    number: Numbered[int] = Numbered()
    actions: dict[int, Any] = {}
    branches: dict[int, dict[Any, int]] = defaultdict(dict)
    for j in walk([0], lambda j: nodes[j][1][0][2::2] if nodes[j][1] else ()):
        number.number(made.at[j])
        for action, *after in nodes[j][1]:
            actions[made.at[j]] = game.named_actions.met(action)
            for percept, k in zip(after[::2], after[1::2], strict=True):
                branches[made.at[j]][game.named_percepts.met(percept)] = made.at[k]
    return ConditionalPlan(
        tuple(
            PlanNode(actions.get(node), tuple((o, number.number(k)) for o, k in branches[node].items()))
            for node in number.items
        )
    )
