"""Policy graphs as files of other POMDP solvers: vectors and graphs, which `verify --policy` reads, and controllers.

States, actions and percepts have the numbers of the problem's own file. Each node of the graph becomes an alpha vector.
In a state in which the node must not be used, the vector has a lower bound on the value of every policy, so that it
never exceeds the true value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ..errors import BeliefSearchError
from ..model.numbering import numbering_of
from ..plans.policy import PolicyGraph
from ..running.limits import Budget

_Policy = PolicyGraph[Any, Any, Any]


def policy_lines(problem: Any, policy: _Policy, budget: Budget) -> Iterator[str]:
    """The lines of a file `.policy`, as SARSOP writes it."""
    vectors = [*_vectors(problem, policy, budget)]
    length = len(numbering_of(problem).states)
    yield '<?xml version="1.0" encoding="ISO-8859-1"?>'
    yield '<Policy version="0.1" type="value">'
    yield f'<AlphaVector vectorLength="{length}" numObsValue="1" numVectors="{len(vectors)}">'
    for action, values in vectors:
        yield f'<Vector action="{action}" obsValue="0">{values} </Vector>'
    yield "</AlphaVector> </Policy>"


def alpha_lines(problem: Any, policy: _Policy, budget: Budget) -> Iterator[str]:
    """The lines of a file `.alpha`, as pomdp-solve writes it; the nodes have the order of `pg_lines`."""
    for action, values in _vectors(problem, policy, budget):
        yield from (str(action), values, "")


def pg_lines(problem: Any, policy: _Policy, budget: Budget) -> Iterator[str]:
    """The lines of a file `.pg`, as pomdp-solve writes it."""
    for place, (action, following) in enumerate(_nodes(problem, policy)):
        yield f"{place} {action}  {' '.join('-' if target is None else str(target) for target in following)}"


def controller_lines(problem: Any, policy: _Policy, budget: Budget) -> Iterator[str]:
    """The lines of a controller in JSON, as PAYNT writes it for models of Storm.

    Its action depends on the memory and the present percept. So its memory is the previous node of the graph: in memory
    m + 1 with percept z it does the action of the node after m and z. In memory 0 nothing has been done yet.
    """
    numbering, nodes = numbering_of(problem), [*_nodes(problem, policy)]
    first: list[int | None] = [0] * len(numbering.percepts)
    moves = [[k or 0 for k in following] for following in (first, *(following for _, following in nodes))]
    document = {
        "num_nodes": len(moves),
        "num_observations": len(first),
        "action_function": [[nodes[k][0] for k in following] for following in moves],
        "update_function": [[k + 1 for k in following] for following in moves],
        "action_labels": [problem.format_action(action) for action in numbering.actions],
        "observation_labels": [problem.format_percept(percept) for percept in numbering.percepts],
    }
    yield json.dumps(document)


def _nodes(problem: Any, policy: _Policy) -> Iterator[tuple[int, list[int | None]]]:
    """Yield the action and the successors of each node, the start first; all by number, successors by percept."""
    numbering = numbering_of(problem)
    action_of = {action: number for number, action in enumerate(numbering.actions)}
    place_of = {node: place for place, node in enumerate(_order(policy))}
    for node in place_of:
        following = policy.successors[node]
        yield (
            action_of[policy.action(node)],
            [place_of[following[percept]] if percept in following else None for percept in numbering.percepts],
        )


def _order(policy: _Policy) -> list[int]:
    return [policy.start, *(node for node in range(len(policy)) if node != policy.start)]


def _vectors(problem: Any, policy: _Policy, budget: Budget) -> Iterator[tuple[int, str]]:
    """Yield the number of each node's action, and its values by state as text; costs are positive."""
    numbering = numbering_of(problem)
    if problem.discount() == 1 or policy.steps is not None:
        raise BeliefSearchError("vectors say what is worth how much for ever, with a discount below 1; choose pg")
    action_of = {action: number for number, action in enumerate(numbering.actions)}
    going_on = [state for state in numbering.states if not problem.is_terminal(state)]
    least = min((problem.reward(state, action) for state in going_on for action in problem.actions(state)), default=0)
    usual = {
        **dict.fromkeys(numbering.states, 0),
        **dict.fromkeys(going_on, min(least, 0) / (1 - Fraction(problem.discount()))),
    }
    sign = -1 if problem.minimizes_cost() else 1
    for node in _order(policy):
        budget.tick()
        values = {**usual, **policy.values[node]}
        yield (
            action_of[policy.action(node)],
            " ".join(repr(sign * float(values[state])) for state in numbering.states),
        )
