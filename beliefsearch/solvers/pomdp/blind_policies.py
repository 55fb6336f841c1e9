"""The first lower bounds on the values of beliefs: the values of policies that need no search.

A blind policy does one action for ever (M. Hauskrecht, JAIR 13, 2000, section 4.2). Where that may be impossible, or
never ends a game without a discount, there are policies that know which states are possible. One that comes to the
end whatever happens is looked for, the smallest sets first. If there is none, policies are drawn that have a clock,
too: among enough random choices there is one that ends the game with certainty wherever a random player would. Their
graphs are small where few sets of states can come up.
"""

from __future__ import annotations

from functools import cache, partial
from heapq import heappop, heappush
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from attrs import frozen

from .arrays import with_room
from .joint import NEVER, RULED_OUT, JointRows
from .markov_chain import Chain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .arrays import Floats, Integers, PomdpArrays

PERIODS = (1, 2, 3, 5, 8, 13, 21)
"""The periods of the clock that are tried, in this order."""
DRAWS = 4
"""The number of random policies for each period."""
Belief: TypeAlias = tuple[int, ...]
"""The possible states, in ascending order."""
# The largest graph, in nodes times states.
_MOST_NUMBERS = 4_000_000
# So many actions are tried in sets of states for a way that is sure to come to the end.
_MOST_WAYS = 20_000
# The share by which values are lowered, for rounding.
_ROUNDING = 1e-13


@frozen(eq=False)
class FirstPolicies:
    """Nodes of policy graphs: `vectors` by node and state (`NEVER`: not to be used there), `actions`, `successors`."""

    vectors: Floats
    actions: Integers
    successors: Integers


def first_policies(arrays: PomdpArrays, joint: JointRows, tick: Callable[[], None]) -> FirstPolicies:
    """The blind policies, and a random policy for the start if no blind one may be used there.

    If none is found, no node has a value at the start: the lower bound is minus infinity.
    """
    blind = _blind(arrays, joint, tick)
    start = np.flatnonzero(arrays.start)
    if (blind.vectors[:, start] > RULED_OUT).all(axis=1).any():
        return blind
    leads_to = cache(partial(next_sets, joint))
    first = tuple(start.tolist())

    def draws(random: Random) -> Callable[[Belief, int], int]:
        """Choose among the actions that apply, but not so as to come, in one step, to where none does."""

        def drawn(states: Belief, time: int) -> int:
            able = _common(joint, states)
            random.shuffle(able)
            safe = (act for act in able if all(_common(joint, after) for after in leads_to(states, act).values()))
            return next(safe, -1)

        return drawn

    ways = _ways_to_the_end(joint, first, leads_to, tick) if joint.discount == 1 else None
    chosen: list[tuple[int, Callable[[Belief, int], int]]] = [(1, lambda states, time: ways[states])] if ways else []
    for period in PERIODS:
        chosen += [(period, draws(Random(100 * period + draw))) for draw in range(1 if period == 1 else DRAWS)]
    for period, choose in chosen:
        found = _policy(arrays, joint, first, period, choose, leads_to, tick)
        if found is None:
            return blind
        if (found.vectors[0, start] > RULED_OUT).all():
            return FirstPolicies(
                np.concatenate([found.vectors, blind.vectors]),
                np.concatenate([found.actions, blind.actions]),
                np.concatenate([found.successors, blind.successors + len(found.actions)]),
            )
    return blind


def _ways_to_the_end(
    joint: JointRows, first: Belief, leads_to: Callable[[Belief, int], Mapping[int, Belief]], tick: Callable[[], None]
) -> dict[Belief, int] | None:
    """Return an action for each of some sets of states, after which the game is sure to end; None without `first`.

    A set has one as soon as all that may follow the action have one. The smallest sets are looked at first, the latest
    of these before the others: what is known for certain is nearest to the end.
    """
    found: dict[Belief, int] = {}
    before: dict[Belief, list[Any]] = {first: []}  # [how many that may follow have none yet, a set, the action]
    waiting = [(len(first), 0, first)]
    looked = 0
    while waiting and first not in found and looked < _MOST_WAYS:
        belief = heappop(waiting)[-1]
        for action in _common(joint, belief):
            tick()
            looked += 1
            after = {*leads_to(belief, action).values()}
            for following in after - before.keys():
                before[following] = []
                heappush(waiting, (len(following), -len(before), following))
            way: list[Any] = [sum(following not in found for following in after), belief, action]
            for following in after:
                before[following].append(way)
            ended = [] if way[0] else [way]
            for _, earlier, choice in ended:  # grows while it is walked
                if earlier not in found:
                    found[earlier] = choice
                    for later in before[earlier]:
                        later[0] -= 1
                        if not later[0]:
                            ended.append(later)
    return found if first in found else None


def _blind(arrays: PomdpArrays, joint: JointRows, tick: Callable[[], None]) -> FirstPolicies:
    """The policy graph with a node for each action, which leads to itself."""
    size, actions = arrays.S, arrays.A
    vectors = np.full((actions, size), NEVER)
    for action in range(actions):
        tick()
        rows = np.arange(action * size, (action + 1) * size)
        rewards = joint.rewards.ravel()
        chain = Chain.choosing(arrays.to_pointers, arrays.to_states, arrays.to_weights, rewards, rows)
        _evaluate(chain, joint.discount, vectors[action])
    return FirstPolicies(vectors, np.arange(actions), np.repeat(np.arange(actions)[:, None], arrays.O, axis=1))


def _evaluate(chain: Chain, discount: float, into: Floats) -> None:
    """Write the values of a chain where it may be used, lowered by bounds on rounding errors."""
    values, sound = chain.value(discount, chain.rewards > RULED_OUT)
    if not sound.any():
        return
    if discount < 1:
        missing = float((values - chain.rewards - discount * chain.after(values))[sound].max())
        values -= max(missing, 0.0) / (1 - discount)
    into[sound] = values[sound] - _ROUNDING * np.abs(values[sound])


def _policy(
    arrays: PomdpArrays,
    joint: JointRows,
    first: Belief,
    period: int,
    choose: Callable[[Belief, int], int],
    leads_to: Callable[[Belief, int], Mapping[int, Belief]],
    tick: Callable[[], None],
) -> FirstPolicies | None:
    """Return the graph of a policy that knows the possible states and the time modulo `period`; None if too large."""
    size = arrays.S
    found = unfolded(first, period, choose, leads_to, _MOST_NUMBERS // size, tick)
    if found is None:
        return None
    nodes, actions, following = found
    vectors = np.full((len(nodes), size), NEVER)
    _evaluate_graph(joint, [states for states, _ in nodes], actions, following, vectors)
    successors = np.zeros((len(nodes), arrays.O), np.int64)
    for node, after_percept in enumerate(following):
        successors[node, list(after_percept)] = list(after_percept.values())
    return FirstPolicies(vectors, np.maximum(actions, 0), successors)


def unfolded(
    first: Belief,
    period: int,
    choose: Callable[[Belief, int], int],
    leads_to: Callable[[Belief, int], Mapping[int, Belief]],
    most: int,
    tick: Callable[[], None],
) -> tuple[list[tuple[Belief, int]], list[int], list[dict[int, int]]] | None:
    """The graph of a policy that chooses by the possible states and a clock of this period; None if over `most` nodes.

    Returns the nodes, their actions, -1 for none, and the next node for each percept.
    """
    number_of = {(first, 0): 0}
    nodes = [(first, 0)]
    actions: list[int] = []
    following: list[dict[int, int]] = []
    for states, time in nodes:  # grows while it is walked
        tick()
        if len(nodes) > most:
            return None
        action = choose(states, time)
        actions.append(action)
        following.append({})
        for percept, after in leads_to(states, action).items() if action >= 0 else ():
            next_node = after, (time + 1) % period
            following[-1][percept] = number_of.setdefault(next_node, len(nodes))
            if following[-1][percept] == len(nodes):
                nodes.append(next_node)
    return nodes, actions, following


def _common(joint: JointRows, states: tuple[int, ...]) -> list[int]:
    """The actions that apply in all of these states."""
    return np.flatnonzero((joint.rewards[:, list(states)] > RULED_OUT).all(axis=1)).tolist()


def next_sets(joint: JointRows, states: tuple[int, ...], action: int) -> dict[int, tuple[int, ...]]:
    """The possible percepts after an action in one of these states, each with the states possible then."""
    found: dict[int, set[int]] = {}
    for state in states:
        row = action * joint.rewards.shape[1] + state
        for group in range(joint.groups[row], joint.groups[row + 1]):
            after = joint.states[joint.starts[group] : joint.starts[group + 1]].tolist()
            found.setdefault(int(joint.percepts[group]), set()).update(after)
    return {percept: tuple(sorted(after)) for percept, after in sorted(found.items())}


def _evaluate_graph(
    joint: JointRows, sets: list[tuple[int, ...]], actions: list[int], following: list[dict[int, int]], into: Floats
) -> None:
    """Write the values of a policy graph by node and state, for the states that are possible in the node."""
    number_of: dict[tuple[int, int], int] = {}
    for node, states in enumerate(sets):
        for state in states:
            number_of[node, state] = len(number_of)
    pointers, targets, weights, rewards = [0], [], [], []
    for node, state in number_of:
        action = actions[node]
        if action >= 0:
            row = action * joint.rewards.shape[1] + state
            for group in range(joint.groups[row], joint.groups[row + 1]):
                after = following[node][int(joint.percepts[group])]
                for entry in range(joint.starts[group], joint.starts[group + 1]):
                    targets.append(number_of[after, int(joint.states[entry])])
                    weights.append(float(joint.weights[entry]))
        rewards.append(float(joint.rewards[action, state]) if action >= 0 else NEVER)
        pointers.append(len(targets))
    chain = Chain(np.array(pointers), np.array(targets, np.int64), np.array(weights), np.array(rewards))
    values = np.full(len(number_of), NEVER)
    _evaluate(chain, joint.discount, values)
    nodes, states = zip(*number_of, strict=True)
    into[list(nodes), list(states)] = values


def policy_graph_from(
    root: int, arrays: PomdpArrays, actions: Integers, successors: Integers, instead: Integers
) -> tuple[list[int], Integers]:
    """Return the vectors reachable from `root`, which comes first, and their places among these by percept.

    `instead` has for each vector one that dominates it, or itself. It is not used without a discount: there each vector
    must lead to older ones, and at last to one that is known to end the game. An impossible percept leads to the node
    itself; a successor of -1 stays.
    """

    def lasting(number: int) -> int:
        while arrays.discount < 1 and instead[number] != number:
            number = int(instead[number])
        return number

    nodes = [lasting(root)]
    place_of = {nodes[0]: 0}
    renumbered = np.zeros((0, arrays.O), np.int64)
    for place, node in enumerate(nodes):  # grows while it is walked
        renumbered = with_room(renumbered, place + 1)
        renumbered[place] = place
        for percept in np.flatnonzero(arrays.possible[actions[node]]):
            if successors[node, percept] < 0:
                renumbered[place, percept] = -1
                continue
            following = lasting(int(successors[node, percept]))
            if following not in place_of:
                place_of[following] = len(nodes)
                nodes.append(following)
            renumbered[place, percept] = place_of[following]
    return nodes, renumbered[: len(nodes)]
