"""Guesses upper bounds on the value of any policy: numbers by state whose mean no action raises.

Nothing here is trusted: the checker checks what comes of it. States that the game never comes back to are decided from
the end back to the start, rounded upwards. Of the others, taken component by component:

- between states of an *end component*, a set that actions exist never to leave which earn and cost nothing, one may go
  to and fro. There the function has to be constant; they become one state, with the actions that may lead out. After
  this every way of playing leaves the component.
- Let v be what a policy is worth there and n how many actions it takes on average; v + e n falls by e with each action
  of the policy, for some very small e, and so leaves room for rounding. While another action makes it rise, the policy
  is changed: policy iteration (R. Howard, 1960), for a game in which each action earns e.
- Where the equations of a policy are too many and too dense, v is what the file says and n is approached from below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from typing import Any, TypeAlias

from ...model.reachability import components
from ...running.limits import EffortExceeded
from ...solvers.mdp.policy_iteration import eliminate

Row: TypeAlias = "tuple[int, tuple[tuple[int, int], ...], Any]"
"""An action: a total, pairs of a weight and the number of a state, and the total times the reward.

What the weights lack of the total is the chance that the game ends, worth nothing: a discount. Totals and weights are
whole numbers, and here rewards are, too.
"""

# An action of a component: the sum of its weights, what leaves the component, and what stays in it.
_Inner: TypeAlias = "tuple[int, int, list[tuple[int, int]]]"

_SLACK = 2**16  # what an action earns, in units of the last place
_MOST_POLICIES = 1000
_MOST_REPLACED = 3_000_000  # entries of equations, before they count as dense
_MOST_APPROACHED = 20_000_000  # outcomes looked at, to find how long games are


def guess_above(
    rows: Sequence[Sequence[Row]],
    chosen: Sequence[int],
    values: Sequence[int],
    tick: Callable[[], None],
) -> list[int] | None:
    """Guess, by state, a whole number above the value of every policy that ends the game; None if none is found.

    `rows` has the actions of each state; `chosen` the place of an action for each, along which the game must end with
    certainty; `values` what all states are said to be worth.
    """
    high = [0] * len(rows)

    def successors(state: int) -> Iterator[int]:
        return (result for _, outcomes, _ in rows[state] for _, result in outcomes)

    for component, cyclic in components(len(rows), successors, tick):
        state = component[0]
        if not cyclic:
            high[state] = max(
                -(-(sum(weight * high[result] for weight, result in outcomes) + gain) // total)
                for total, outcomes, gain in rows[state]
            )
        elif not _Component(rows, chosen, values, component, high, tick).decide():
            return None
    return high


def end_components(
    rows: Sequence[Sequence[Row]], states: Sequence[int], tick: Callable[[], None]
) -> Iterator[list[int]]:
    """The maximal end components: sets of states that the player can walk through for ever, for nothing.

    L. de Alfaro, "Formal Verification of Probabilistic Systems" (1997), algorithm 3.1. What actions may leave is taken
    out, and then the states that are left without any, until nothing changes but by falling into parts.
    """
    parts = [list(states)]
    while parts:
        part = parts.pop()
        left = set(part)
        users: dict[int, list[tuple[int, int]]] = {}
        inner: dict[int, set[int]] = {}  # by state: the places of the actions that do not leave
        for state in part:
            tick()
            inner[state] = set()
            for place, (total, outcomes, gain) in enumerate(rows[state]):
                stays = total == sum(weight for weight, _ in outcomes)
                if not gain and stays and all(result in left for _, result in outcomes):
                    inner[state].add(place)
                    for _, result in outcomes:
                        users.setdefault(result, []).append((state, place))
        lost = [state for state in part if not inner[state]]
        for state in lost:  # grows while it is walked
            left.discard(state)
            for user, place in users.get(state, ()):
                if place in inner[user]:
                    inner[user].discard(place)
                    if not inner[user]:
                        lost.append(user)
        if not left:
            continue
        rest = [state for state in part if state in left]
        number = {state: place for place, state in enumerate(rest)}
        following = [
            [number[result] for place in inner[state] for _, result in rows[state][place][1]] for state in rest
        ]
        split = [[rest[place] for place in piece] for piece, _ in components(len(rest), following.__getitem__, tick)]
        if len(split) == 1:
            yield rest
        else:
            parts += split


class _Component:
    """A component with a cycle; the states it leads to are decided in `high`.

    Its end components are single nodes; so each node stands for some states.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[Row]],
        chosen: Sequence[int],
        values: Sequence[int],
        component: Sequence[int],
        high: list[int],
        tick: Callable[[], None],
    ) -> None:
        self._high = high
        self._tick = tick
        self._dense = False
        merged = list(end_components(rows, component, tick))
        alone = set(component).difference(*merged)
        self._nodes: list[list[int]] = [*merged, *([state] for state in component if state in alone)]
        node_of = {state: node for node, states in enumerate(self._nodes) for state in states}
        self._actions: list[list[_Inner]] = []
        self._policy: list[int] = []  # by node: the place of an action
        self._said = [max(values[state] for state in states) for states in self._nodes]
        for node, states in enumerate(self._nodes):
            tick()
            actions: list[_Inner] = []
            first = 0
            for state in states:
                for place, (all_of_it, outcomes, constant) in enumerate(rows[state]):
                    inner = []
                    for weight, result in outcomes:
                        at = node_of.get(result)
                        if at is None:
                            constant += weight * high[result]
                        elif at == node:  # what comes back at once changes nothing: it only takes another try
                            all_of_it -= weight
                        else:
                            inner.append((weight, at))
                    if all_of_it:
                        if place == chosen[state]:
                            first = len(actions)
                        actions.append((all_of_it, constant, inner))
            self._actions.append(actions)
            self._policy.append(first)

    def decide(self) -> bool:
        """Write the guess for this component into `high`, if there is one."""
        guess = self._by_policies()
        if guess is None and self._dense:
            guess = self._by_length()
        if guess is None:
            return False
        for states, number in zip(self._nodes, guess, strict=True):
            for state in states:
                self._high[state] = number
        return True

    def _by_policies(self) -> list[int] | None:
        """The guess by policy iteration; None if the equations are dense or rounding is too coarse."""
        for _ in range(_MOST_POLICIES):
            guess = self._worth()
            if guess is None:
                return None
            better = self._better(guess)
            if not better:
                return guess
            if all(self._policy[node] == place for node, place in better.items()):
                return None
            for node, place in better.items():
                self._policy[node] = place
        return None

    def _better(self, guess: Sequence[int]) -> dict[int, int]:
        """Return, by node, the best action that raises the mean of `guess`; nodes without one are left out."""
        better: dict[int, int] = {}
        for node, actions in enumerate(self._actions):
            self._tick()
            most, of = guess[node], 1
            for place, (total, worth, inner) in enumerate(actions):
                for weight, result in inner:  # a sum() of so few takes longer
                    worth += weight * guess[result]
                if worth * of > most * total:
                    most, of = worth, total
                    better[node] = place
        return better

    def _worth(self) -> list[int] | None:
        """The value of the policy when each action earns a little; None if the equations are dense or it may stay.

        Each result is right to nearly as many digits as are reckoned with, however slowly the game leaves.
        """
        leaving_ones = self._leaving()
        if not leaving_ones:  # the policy earns more and more, for ever
            return None
        base = min(constant // (total - sum(weight for weight, _ in inner)) for total, constant, inner in leaving_ones)
        rows: dict[int, dict[int, Any]] = {}
        exits: dict[int, Any] = {}
        earned: dict[int, Any] = {}
        largest = max(abs(constant) for _, constant, _ in leaving_ones)
        digits = len(str(largest)) + len(str(len(self._nodes))) + 25
        with localcontext(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])):
            for node, place in enumerate(self._policy):
                total, constant, inner = self._actions[node][place]
                row = rows[node] = {}
                for weight, result in inner:
                    row[result] = row.get(result, Decimal(0)) + Decimal(weight) / total
                leaving = total - sum(weight for weight, _ in inner)
                exits[node] = Decimal(leaving) / total
                earned[node] = Decimal(constant - base * leaving) / total + _SLACK
            try:
                solved = eliminate(rows, earned, exits, self._tick, _MOST_REPLACED)
            except EffortExceeded:
                self._dense = True
                return None
            if not all(number.is_finite() for number in solved.values()):  # from some nodes it never leaves
                return None
            return [base + int(solved[node]) for node in range(len(rows))]

    def _leaving(self) -> list[_Inner]:
        """The actions of the policy that may lead out of the component."""
        chosen = [actions[place] for actions, place in zip(self._actions, self._policy, strict=True)]
        return [action for action in chosen if sum(weight for weight, _ in action[2]) < action[0]]

    def _by_length(self) -> list[int] | None:
        """The file's values plus their largest error times the number of actions to come; None if that takes long."""
        shares = [
            [[(weight / total, result) for weight, result in inner] for total, _, inner in actions]
            for actions in self._actions
        ]
        looks = sum(len(inner) + 1 for actions in shares for inner in actions)
        length = [0.0] * len(shares)
        for _ in range(_MOST_APPROACHED // looks):
            rise = 0.0
            for node, actions in enumerate(shares):
                self._tick()
                new = 1 + max(sum(p * length[result] for p, result in inner) for inner in actions)
                rise = max(rise, new - length[node])
                length[node] = new
            # Then 1 + the mean of `length` is nowhere more than `length` and a quarter.
            if rise <= 0.25:
                break
        else:
            return None
        misses = [
            -(-(constant + sum(weight * self._said[result] for weight, result in inner)) // total) - self._said[node]
            for node, actions in enumerate(self._actions)
            for total, constant, inner in actions
        ]
        miss = max(0, *misses) + 2
        times = [int(2 * number * _SLACK) + 1 for number in length]
        return [said + miss * many // _SLACK for said, many in zip(self._said, times, strict=True)]
