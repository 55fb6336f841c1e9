"""Best-first search, the core of A*, weighted A*, greedy and uniform-cost search."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from ...model.base import Action, Cost, State
from ...model.checked import checked_estimate
from ...model.problem import Problem
from ...plans.result import SearchResult
from ...running.run import Record
from .cost_scale import CostScale
from .dominance import Dominance
from .heuristic import Heuristic, no_estimate
from .preferred_actions import Untried
from .resume import BestFirstTables
from .search_tree import plan_to

_LARGE_FRONTIER = 200_000


def best_first_search(
    problem: Problem[State, Action],
    heuristic: Heuristic[State],
    priority: Callable[[Cost, Cost], Cost],
    record: Record[State, Action],
    *,
    priority_is_bound: bool,
    reopen: bool = True,
    dominance: Dominance[State] | None = None,
    below: Cost = inf,
) -> SearchResult[Action]:
    """Expand a state of least `priority(g, h)`, again and again, until that state is a goal.

    `heuristic` gives h, a lower bound on the cost to a goal, infinite where there is no way. `priority` makes g and h
    into the key of the frontier; ties go to the larger g, then to the older entry. With `priority_is_bound` the least
    key in the frontier is a lower bound (it is g + h), so that the bound is known at every moment and not only at the
    end. With `reopen` a state is taken up again when it is reached more cheaply.

    With `reopen` the lower bound of the result is the least g + h in the frontier: some state of a cheapest plan
    always waits there with its true g, so the bound holds for every admissible h and any priority. Without, it is the
    estimate of the initial state.

    Russell and Norvig, 4th edition, figure 3.7, with its table of reached states; an entry of the
    frontier that was overtaken by a cheaper one is skipped when it comes up.

    Expansion is lazy: successors are evaluated one at a time, and as soon as one keeps the key of its
    parent it is as good as anything in the frontier, so the parent waits, with the same key, for its other
    actions to be tried. Actions that have led on before are tried first. With thousands of actions and a
    good heuristic nearly all of the work is saved; where no successor keeps the key nothing changes.
    (Partial expansion: Yoshizumi, Miura and Ishida 2000.)

    Costs and estimates are counted in the units of a `CostScale`, which are whole numbers: sums are exact, and of two
    ways to a state none is the cheaper by a rounding. What is told to the record is turned back.

    With `priority_is_bound` what cannot lead to a plan that costs less than `below`, if that is no float, is left out;
    if there is none, the result is undecided, and the lower bound `below`.

    With a checkpoint it goes on from what was kept, in the same order, and keeps how far it has come.
    """
    checkpoint = record.checkpoint
    unit_costs = problem.has_unit_costs()
    # Looked up once: the loop runs millions of times.
    actions_in, result, is_goal = problem.actions, problem.result, problem.is_goal
    expand, report_every = record.expand, record.report_every
    blind = heuristic is no_estimate
    generated = 0
    tables: BestFirstTables[State, Action] = BestFirstTables(problem, dominance, checkpoint)
    g_of, h_of, parents, untried = tables.g_of, tables.h_of, tables.parents, tables.untried
    frontier, in_order, dominance = tables.frontier, tables.in_order, tables.dominance
    keys, add, pop, known_cost = frontier.keys, frontier.add, frontier.pop, g_of.get
    successes = in_order.successes
    due = None if checkpoint is None else checkpoint.due

    def proved() -> Cost:
        in_hand = min((g_of[state] + h_of[state] for state in frontier.in_hand), default=inf)
        if priority_is_bound:
            # The least key is the least g + h; an entry that was overtaken can only make it smaller.
            return max(last_key, min(in_hand, keys[0][0]) if keys else in_hand)
        if not reopen:
            return 0  # nothing is known but the estimate of the start, which the record has already
        waiting = (h_of[state] + g for g, state in frontier if g_of[state] == g)
        return min(in_hand, min(waiting, default=inf))

    def bound_when_stopped() -> Cost:
        # Whoever set a time limit does not want to wait until a huge frontier is looked through.
        quick = priority_is_bound or frontier.size < _LARGE_FRONTIER
        return number(proved()) if quick else 0

    last_key: Cost = -1
    is_heard = record.is_heard
    scale = CostScale()
    number, price, in_units = scale.number, scale.price(), scale.estimate

    with record:
        state = child = start = problem.initial_state()
        action: Action
        record.watch(
            g_of.__len__,
            count_generated=lambda: generated,
            latest=lambda: (state, action, child),
            final_bound=bound_when_stopped,
        )
        if checkpoint is not None and checkpoint.kept:
            with checkpoint.sound():
                generated, last_key = tables.go_on(record)
            scale = CostScale(tables.unit)
        else:
            g_of[start] = 0
            parents[start] = None
            estimate = checked_estimate(problem, start, heuristic)
            scale = CostScale.of(problem, start, estimate)
            tables.unit = scale.unit
            h = h_of[start] = scale.estimate(estimate)
            if h < inf:
                record.lower_bound = scale.number(h)
                add(priority(0, h), 0, start)
                if dominance is not None:
                    dominance.add(start, 0)
        number, price, in_units = scale.number, scale.price(), scale.estimate
        plain, one = scale.unit == 1, scale.unit
        most = inf if isinstance(below, float) else scale.units(below)  # floats may be rounded
        record.number = number
        report_at = generated + report_every
        while keys:
            if due is not None and due():
                record.lower_bound = max(record.lower_bound, number(proved()))
                tables.save(record, generated, last_key)
            key, minus_g = keys[0]
            state, g = pop(), -minus_g
            if g != g_of[state]:
                continue  # overtaken by a cheaper way
            before = untried.pop(state, None) if untried else None
            if before is None:
                if is_goal(state):
                    return record.solved(plan_to(state, parents), number(g), number(proved()))
                if key > last_key:
                    last_key = key
                    if plain or is_heard:  # else it is turned back in the end
                        record.finish_layer(number(key) if priority_is_bound else 0, frontier.size)
                expand(state, g, frontier.size)
                after = len(successes)
                left = in_order(actions_in(state)) if after else iter(actions_in(state))
            else:
                left, after = before.left, before.after
            child_g = g + one
            for action in left:
                child = result(state, action)
                if not unit_costs:
                    child_g = g + price(problem, state, action)
                generated += 1
                if generated == report_at:
                    report_at += report_every
                    record.generate(state, action, child, child_g)
                known_g = known_cost(child)
                if known_g is None:
                    h = 0 if blind else checked_estimate(problem, child, heuristic)
                    if type(h) is not int or not plain:
                        h = in_units(h)
                    h_of[child] = h
                elif child_g >= known_g or not reopen:
                    continue
                else:
                    h = h_of[child]
                    untried.pop(child, None)  # what was tried there was tried at a higher cost
                    if due is not None:
                        tables.note_cheaper_way(child, state, action)
                g_of[child] = child_g
                parents[child] = (state, action)
                if h == inf or child_g + h >= most:
                    continue
                if dominance is not None:
                    if dominance.dominates(child, child_g):
                        continue
                    dominance.add(child, child_g)
                child_key = priority(child_g, h)
                add(child_key, child_g, child)
                if child_key <= key:
                    in_order.succeeded(action)
                    untried[state] = Untried(left, after, action)
                    add(key, g, state)
                    break
            frontier.in_hand = ()
        if most == inf:
            return record.unsolvable()
        record.lower_bound = max(record.lower_bound, below)
    return record.undecided()
