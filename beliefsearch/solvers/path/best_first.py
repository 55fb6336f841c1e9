"""Best-first search, the core of A*, weighted A*, greedy and uniform-cost search."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from heapq import heappop, heappush

from ...model.checked import checked_cost, checked_estimate
from ...model.problem import Action, Cost, Problem, State
from ...plans.result import SearchResult
from ...running.record import Record
from .action_order import ActionOrder
from .dominance import Dominance
from .estimate import Heuristic
from .parents import Parents, plan_to

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
    """
    unit_costs = problem.has_unit_costs()
    # Looked up once: the loop runs millions of times.
    result, generate = problem.result, record.generate
    g_of: dict[State, Cost] = {}
    h_of: dict[State, Cost] = {}
    parents: Parents[State, Action] = {}
    # Entries: key, -g (the larger g first), age, state. Ages differ, so states are never compared.
    frontier: list[tuple[Cost, Cost, int, State]] = []
    expanding: list[State] = []  # the state whose successors are being generated waits too
    untried: dict[State, Iterator[Action]] = {}  # of the states in the frontier that are expanded in part
    in_order: ActionOrder[Action] = ActionOrder()

    def least_f() -> Cost:
        in_hand = min((g_of[state] + h_of[state] for state in expanding), default=math.inf)
        if priority_is_bound:
            # The least key is the least g + h; an entry that was overtaken can only make it smaller.
            return min(in_hand, frontier[0][0]) if frontier else in_hand
        if not reopen:
            return 0  # nothing is known but the estimate of the start, which the record has already
        waiting = (h_of[state] - minus_g for _, minus_g, _, state in frontier if g_of[state] == -minus_g)
        return min(in_hand, min(waiting, default=math.inf))

    def bound_when_stopped() -> Cost:
        # Whoever set a time limit does not want to wait until a huge frontier is looked through.
        quick = priority_is_bound or len(frontier) < _LARGE_FRONTIER
        return least_f() if quick else 0

    with record:
        start = problem.initial_state()
        record.watch(g_of.__len__, final_bound=bound_when_stopped)
        g_of[start] = 0
        parents[start] = None
        h = h_of[start] = checked_estimate(problem, start, heuristic)
        if h < math.inf:
            record.lower_bound = h
            frontier.append((priority(0, h), 0, 0, start))
            if dominance is not None:
                dominance.add(start, 0)
        age = 0
        last_key: Cost = -1
        while frontier:
            expanding[:] = [frontier[0][3]]  # before it leaves the frontier: Ctrl-C may come in between
            key, minus_g, _, state = heappop(frontier)
            g = -minus_g
            if g != g_of[state]:
                continue  # overtaken by a cheaper way
            actions = untried.pop(state, None)
            if actions is None:
                if problem.is_goal(state):
                    return record.solved(plan_to(state, parents), g, least_f())
                if key > last_key:
                    last_key = key
                    record.finish_layer(key if priority_is_bound else 0, len(frontier))
                record.expand(state, g, len(frontier))
                actions = in_order(problem.actions(state))
            for action in actions:
                child = result(state, action)
                child_g = g + (1 if unit_costs else checked_cost(problem, state, action))
                generate(state, action, child, child_g)
                known_g = g_of.get(child)
                if known_g is None:
                    h = h_of[child] = checked_estimate(problem, child, heuristic)
                elif not reopen or child_g >= known_g:
                    continue
                else:
                    h = h_of[child]
                    untried.pop(child, None)  # what was tried there was tried at a higher cost
                g_of[child] = child_g
                parents[child] = (state, action)
                if h == math.inf:
                    continue
                if dominance is not None:
                    if dominance.dominates(child, child_g):
                        continue
                    dominance.add(child, child_g)
                age += 1
                child_key = priority(child_g, h)
                heappush(frontier, (child_key, -child_g, age, child))
                if child_key <= key:
                    in_order.succeeded(action)
                    untried[state] = actions
                    age += 1
                    heappush(frontier, (key, minus_g, age, state))
                    break
            expanding.clear()
        return record.unsolvable()
    return record.undecided()
