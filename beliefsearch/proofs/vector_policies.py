"""Values of policies that act by the greatest of some vectors, or by a graph: proved from below, in exact fractions.

The policy is followed from the start through the beliefs that come up, into a policy graph with a node for each
(`vector_beliefs.py`). Where that is left off a tail follows, a node of which is known what the policy is worth there
at least (`vector_tails.py`). The values of the graph, in floats, are lowered until they are no more than what follows,
with room for rounding; then the checker of policy graphs proves them.

Floats decide which vector is the greatest at a belief, and which beliefs are the same. So what is proved is the value
of the graph, whose policy is that of the vectors but for such ties.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from attrs import evolve, frozen

from ..errors import DoesNotHoldError, InvalidPlanError, ProblemError
from ..model.stochastic import numbering_of
from ..plans.policy import PolicyGraph, PolicyResult
from ..plans.policy_files import policy_graph_plan
from ..plans.result import SearchStats, Status
from ..plans.wording import plural
from ..solvers.pomdp.arrays import arrays_of
from ..solvers.pomdp.exact_policy_values import simple_fraction
from ..solvers.pomdp.joint import NEVER, RULED_OUT, JointRows
from ..solvers.pomdp.listing import numbered_model
from ..solvers.pomdp.markov_chain import Chain
from ..solvers.pomdp.policy_pairs import PolicyPairs
from ..verify.pomdp_file import PomdpOfFile
from .hints import elaborator
from .vector_beliefs import VectorBeliefs
from .vector_tails import Tails

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..model.stochastic import StochasticProblem
    from ..plans.vector_files import VectorPolicy
    from ..running.limits import Budget
    from ..solvers.pomdp.arrays import Floats, Integers, Truths
    from ..solvers.pomdp.pomdp_model import PomdpModel

PAIRS = 3_000, 12_000, 50_000, 200_000
"""So many pairs of a belief and a state that is likely in it are followed, as long as more gain much. To check the last
number exactly takes half a minute."""
# Less is not gained by going on; and once what the vectors claim is proved, less than the second is not worth it.
_LEAST_GAIN, _GAIN_AFTER_CLAIM = 1e-5, 1e-3
# For this share of the time that there is, beliefs are followed.
_SHARE_OF_TIME = 0.3
_BITS = 50
# Rounding of sums, as a share of the largest value; where it proves to be too little, more. First the values are tried
# as simple fractions, if they all are some.
_FRACTIONS = 0.0
_MARGINS = (_FRACTIONS, 1e-13, 1e-10, 1e-7)
_ENDLESS = "under this policy the game may go on for ever, and there is no discount"


def prove_vectors(
    problem: StochasticProblem[Any, Any, Any], policy: VectorPolicy, budget: Budget
) -> PolicyResult[Any, Any]:
    """Prove what a policy of vectors, or a graph, attains at least: the lower bound of the result, with its graph.

    Raises `InvalidPlanError` if it is a policy for another problem, and what a limit raises.
    """
    numbering = numbering_of(problem)
    _check_sizes(policy, len(numbering.states), len(numbering.actions), len(numbering.percepts))
    began = budget.seconds()
    model = numbered_model(problem, numbering, budget)
    over = np.array([problem.is_terminal(state) for state in model.states])
    sign = -1 if problem.minimizes_cost() else 1
    arrays = arrays_of(model)
    joint, start = JointRows.of(arrays), arrays.start
    if over[start > 0].all():
        raise ProblemError("the game is over before it begins, so there is nothing to be proved of a policy")
    # The game is over there, whatever is perceived then.
    silent = [[() if is_over else row for row, is_over in zip(rows, over, strict=True)] for rows in model.outcomes]
    ended = JointRows.of(arrays_of(evolve(model, outcomes=silent)))
    if policy.successors:
        graphs = iter([_of_nodes(ended, start, over, policy, budget)])
    else:
        graphs = _of_vectors(joint, start, over, policy, sign, budget)
    starts = np.flatnonzero(start)
    claimed = claimed_value(problem, policy)
    claim = math.inf if claimed is None else sign * claimed - float(model.start_value)
    evaluated, best = None, -math.inf
    for graph in graphs:
        tried = _Evaluated.of(graph, ended, starts, budget.tick)
        value, before = float(tried.values[: len(starts)] @ start[starts]), best
        if value > best:
            evaluated, best = tried, value
        if value - before <= (_LEAST_GAIN if best < claim else _GAIN_AFTER_CLAIM) * abs(value):
            break
    assert evaluated is not None
    found = lower = None
    for margin in _MARGINS:
        budget.tick()
        values = evaluated.lowered(margin)
        if None in values:
            continue
        found = evaluated.policy(model, over, values)
        try:
            lower = PomdpOfFile(problem, policy_graph_plan(found, problem), elaborator, budget.tick).lower()
            break
        except DoesNotHoldError:
            if margin == _MARGINS[-1]:
                raise
    stats = SearchStats(expanded=evaluated.graph.followed, seconds=budget.seconds() - began)
    reason = "no bound from above was looked for"
    return PolicyResult(Status.UNDECIDED, None, found, "vectors", reason, stats, lower_bound=lower)


def claimed_value(problem: StochasticProblem[Any, Any, Any], policy: VectorPolicy) -> float | None:
    """Return what vectors say that the game is worth, or costs, which nobody need believe; None of a graph."""
    if not policy.vectors or policy.blocks > 1:
        return None
    place_of = {state: place for place, state in enumerate(numbering_of(problem).states)}
    start = [(float(chance), place_of[state]) for chance, state in problem.initial_distribution()]
    sums = [sum(chance * vector.values[place] for chance, place in start) for vector in policy.vectors]
    return min(sums) if problem.minimizes_cost() else max(sums)


def _check_sizes(policy: VectorPolicy, states: int, actions: int, percepts: int) -> None:
    """Refuse a policy that cannot be one for a problem of this size."""
    other = "it is for another problem: this one has"
    length = len(policy.vectors[0].values) if policy.vectors else 0
    if policy.vectors and length * policy.blocks != states:
        blocks = "" if policy.blocks == 1 else f" for each of {policy.blocks:,} blocks"
        raise InvalidPlanError(f"{other} {plural(states, 'state')}, and its vectors have {length:,} values{blocks}")
    most = max((*policy.actions, *(vector.action for vector in policy.vectors)))
    if most >= actions:
        raise InvalidPlanError(f"{other} {plural(actions, 'action')}, from 0 to {actions - 1:,}, and it does {most:,}")
    if policy.successors and len(policy.successors[0]) != percepts:
        told = f"{plural(percepts, 'percept')}, and its nodes lead on after {len(policy.successors[0]):,}"
        raise InvalidPlanError(f"{other} {told}")


@frozen(eq=False)
class _Graph:
    """Policy graph, and what is known of its last nodes: by node and state what these attain at least."""

    actions: Integers
    successors: Integers
    tails: Floats
    followed: int


@frozen(eq=False)
class _Evaluated:
    """Policy graph with the pairs of a node and a state that come up, those of the start first, and their values."""

    graph: _Graph
    pairs: PolicyPairs  # with a discounted chain
    values: Floats
    left: Floats | float  # how many actions are to come, discounted

    @classmethod
    def of(cls, graph: _Graph, joint: JointRows, starts: Integers, tick: Callable[[], None]) -> _Evaluated:
        """Find the pairs that come up from some, numbered `node * S + state`, and solve their equations."""
        pairs = PolicyPairs.of(joint, starts, graph.actions, graph.successors, tick)
        chain = evolve(pairs.chain, weights=joint.discount * pairs.chain.weights)
        tail = pairs.nodes - (len(graph.actions) - len(graph.tails))
        known, values = tail >= 0, np.zeros(len(tail))
        values[known] = graph.tails[tail[known], pairs.states[known]]
        # Where the value is known the game ends with that, which is paid on the way there.
        rewards = np.stack([np.where(known, values, chain.rewards + chain.after(values)), ~known], axis=1)
        kept = ~(known[chain.sources()] | known[chain.targets])
        pointers = np.append(0, np.cumsum(kept))[chain.pointers]
        ended = Chain(pointers, chain.targets[kept], chain.weights[kept], rewards)
        if not ended.may_end().all():
            raise InvalidPlanError(_ENDLESS)
        values, left = ended.solve(1.0).T
        return cls(graph, evolve(pairs, chain=chain), values, left if joint.discount == 1 else 1 / (1 - joint.discount))

    def lowered(self, margin: float) -> list[Any]:
        """Return values that are no more than what follows, with room for rounding; None for what is no fraction."""
        scale = max(float(np.abs(self.values).max(initial=0)), 1e-100)
        if margin == _FRACTIONS:
            return [simple_fraction(value, scale) for value in self.values.tolist()]
        bits = max(0, _BITS - math.ceil(math.log2(scale + 1)))
        lowered: list[float] = self.pairs.lowered(self.values, self.left, bits, margin * scale).tolist()
        return lowered

    def policy(
        self, model: PomdpModel[Any, Any, Any], over: Truths, values: Sequence[Any]
    ) -> PolicyGraph[Any, Any, Any]:
        """Return the part of the graph that comes up, with these values of the pairs."""
        pairs, going_on = self.pairs, ~over[self.pairs.states]
        used, places = np.unique(pairs.nodes[going_on], return_inverse=True)
        place_of = np.full(len(self.graph.actions), -1)
        place_of[used] = np.arange(len(used))
        by_node: list[dict[Any, Any]] = [{} for _ in used]
        kept = np.flatnonzero(going_on).tolist()
        for number, place in zip(kept, places.tolist(), strict=True):
            by_node[place][model.states[pairs.states[number]]] = values[number]
        successors = [
            {
                model.percepts[percept]: int(place_of[k])
                for percept, k in enumerate(after)
                if k >= 0 and place_of[k] >= 0
            }
            for after in self.graph.successors[used].tolist()
        ]
        return PolicyGraph([model.actions[action] for action in self.graph.actions[used].tolist()], successors, by_node)


def _of_vectors(
    joint: JointRows, start: Floats, over: Truths, policy: VectorPolicy, sign: int, budget: Budget
) -> Iterator[_Graph]:
    """Follow vectors further and further, into a graph each time."""
    beliefs = VectorBeliefs(joint, start, over, policy, sign, budget.tick)
    enough = (1 - _SHARE_OF_TIME) * budget.seconds_left()

    def goes_on() -> bool:
        return budget.seconds_left() >= enough

    closed = made = False
    for pairs in PAIRS:
        if not closed and goes_on():
            closed = beliefs.follow(pairs, goes_on)
            if closed or beliefs.tails is not None:
                made = True
                yield _graph_of(beliefs, joint, closed, goes_on)
    if not made:
        yield _graph_of(beliefs, joint, closed, goes_on)  # says why there is none


def _graph_of(beliefs: VectorBeliefs, joint: JointRows, closed: bool, goes_on: Callable[[], bool]) -> _Graph:
    """Take as nodes the beliefs that were followed, and for others, unless all are `closed`, vectors and the worst."""
    followed = sorted(beliefs.following)
    node_of = {belief: node for node, belief in enumerate(followed)}
    count, percepts = len(beliefs.vector_actions), joint.percept_count
    first_vector = len(followed)
    worst = first_vector + count
    actions = np.concatenate([np.array(beliefs.chosen)[followed], beliefs.vector_actions, beliefs.vector_actions[:1]])
    successors = np.full((worst + 1, percepts), -1)
    tails = np.zeros((count + 1, joint.rewards.shape[1]))
    lowered = None
    if not closed:
        if beliefs.tails is None:
            told = f"more beliefs come up than the {len(followed):,} that were followed"
            raise InvalidPlanError(
                f"{told}, and without a discount below 1, and actions that apply everywhere, nothing bounds the rest"
            )
        tails[-1], successors[-1] = beliefs.tails.worst, worst
        lowered = beliefs.lowered(goes_on)
        if lowered is not None:
            tails[:-1], successors[first_vector:-1] = lowered[0], first_vector + lowered[1]

    def node(belief: int) -> int:
        if belief in node_of:
            return node_of[belief]
        states, shares = beliefs.belief(belief)
        vector = beliefs.greatest[belief]
        is_vector = lowered is not None and (tails[vector] - tails[-1])[states] @ shares > 0
        return first_vector + vector if is_vector else worst

    for place, belief in enumerate(followed):
        for percept, after in beliefs.following[belief]:
            successors[place, percept] = node(after)
    return _Graph(actions, successors, tails, len(followed))


def _of_nodes(joint: JointRows, start: Floats, over: Truths, policy: VectorPolicy, budget: Budget) -> _Graph:
    """Take the nodes of a policy graph, the one first with which the game is worth most.

    One more stands where a node does not say what follows: the worst way to go on, where that has a bound; else no node
    counts that may come there, nor one with which the game may go on for ever without a discount.
    """
    count, starts = len(policy.actions), np.flatnonzero(start)
    actions = np.append(policy.actions, policy.actions[0])
    nowhere: list[int | None] = [None] * joint.percept_count
    successors = np.array([[count if k is None else k for k in after] for after in (*policy.successors, nowhere)])
    is_bounded = bool((successors[:count] == count).any()) and Tails.apply(joint, used := np.unique(actions), over)
    tails = Tails(joint, used, over, budget.tick).worst[None] if is_bounded else np.zeros((0, len(start)))
    graph = _Graph(actions, successors, tails, count)
    codes = (np.arange(count)[:, None] * len(start) + starts).ravel()
    if is_bounded:
        values = _Evaluated.of(graph, joint, codes, budget.tick).values
    else:
        pairs = PolicyPairs.of(joint, codes, actions, successors, budget.tick)
        is_nowhere, cannot = pairs.nodes == count, pairs.chain.rewards <= RULED_OUT
        values, sound = pairs.chain.value(joint.discount, ~is_nowhere & ~cannot)
        values[~sound] = NEVER
    worth = values[: len(codes)].reshape(count, -1)
    worth = np.where((worth > RULED_OUT).all(axis=1), worth @ start[starts], NEVER)
    first = int(np.argmax(worth))
    if worth[first] == NEVER:
        _complain_of(pairs, is_nowhere, cannot)
    order = np.arange(count + 1)
    order[[0, first]] = first, 0
    return evolve(graph, actions=actions[order], successors=order[successors[order]])


def _complain_of(pairs: PolicyPairs, is_nowhere: Truths, cannot: Truths) -> NoReturn:
    """Say why no node of a graph can be the first: where it does not go on, or it must not."""
    chain = pairs.chain
    if is_nowhere.any():
        node = pairs.nodes[chain.sources()[is_nowhere[chain.targets]]].min()
        raise InvalidPlanError(f"node {node} does not say what follows a percept that may come")
    if cannot.any():
        raise InvalidPlanError(f"node {pairs.nodes[cannot].min()} has an action that does not apply in a state there")
    raise InvalidPlanError(_ENDLESS)
