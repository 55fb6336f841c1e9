"""Random small POMDPs as tables, and bounds on their values by looking at all that may happen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

from attrs import frozen
from hypothesis import strategies as st

from beliefsearch import StochasticProblem

Pairs: TypeAlias = "tuple[tuple[Fraction, int], ...]"


class RewardTable:
    """What tables of rewards answer, seen or not; states from the last of the table on are terminal."""

    table: tuple[dict[str, tuple[Any, Any]], ...]
    utilities: tuple[int, ...]
    factor: Any

    def actions(self, state: int) -> Iterable[str]:
        return list(self.table[state])

    def outcomes(self, state: int, action: str) -> Any:
        return self.table[state][action][1]

    def is_terminal(self, state: int) -> bool:
        return state >= len(self.table)

    def utility(self, state: int) -> int:
        return self.utilities[state - len(self.table)]

    def reward(self, state: int, action: str) -> Any:
        return self.table[state][action][0]

    def discount(self) -> Any:
        return self.factor


@frozen
class TablePomdp(RewardTable, StochasticProblem[int, str, int]):
    """A problem given by tables; states from `terminal` on are terminal, and each is worth its `utilities`."""

    start: Pairs
    table: tuple[dict[str, tuple[int, Pairs]], ...]
    """By state that is not terminal: its actions, each with its reward and outcomes."""
    percepts: dict[tuple[int, str], Pairs]
    utilities: tuple[int, ...]
    factor: Fraction

    def initial_distribution(self) -> Pairs:
        return self.start

    def percept_distribution(self, state: int, action: str) -> Pairs:
        return self.percepts.get((state, action), ((Fraction(1), 0),))


# Made once: to make a strategy takes as long as to draw from it.
_WEIGHTS = st.integers(0, 3)
_REWARDS = st.integers(-5, 5)
_FACTORS = st.sampled_from((Fraction(1, 4), Fraction(1, 2)))


def shares(draw: st.DrawFn, numbers: list[int], least: Fraction = Fraction(0), of: int = 0) -> Pairs:
    """Random probabilities; that of the number `of` is at least `least`."""
    weights = [draw(_WEIGHTS) for _ in numbers]
    weights[draw(st.integers(0, len(numbers) - 1))] += 1
    chances = {
        number: Fraction(weight, sum(weights)) * (1 - least) for number, weight in zip(numbers, weights, strict=True)
    }
    if least:
        chances[of] = chances.get(of, Fraction(0)) + least
    return tuple((chance, number) for number, chance in chances.items() if chance)


@st.composite
def pomdps(draw: st.DrawFn, discounted: bool = True, everywhere: bool = True, ended: bool = False) -> TablePomdp:
    """Problems of at most three states, two or three actions and two percepts.

    Without a discount each action ends the game with probability 1/2 at least. If not `everywhere`, some actions apply
    in some states only, but the action "a" in all. With `ended` the game may be over at the start.
    """
    count, terminal = draw(st.integers(1, 3)), draw(st.integers(0 if discounted else 1, 2))
    numbers = list(range(count + terminal))
    names = "abc"[: draw(st.integers(2, 3))]
    ends = Fraction(0) if discounted else Fraction(1, 2)
    table = []
    for _ in range(count):
        able = [name for name in names if name == "a" or everywhere or draw(st.booleans())]
        table.append({name: (draw(_REWARDS), shares(draw, numbers, ends, count)) for name in able})
    percepts = {(state, name): shares(draw, [0, 1]) for state in range(count) for name in names}
    return TablePomdp(
        start=shares(draw, numbers if ended else list(range(count))),
        table=tuple(table),
        percepts=percepts,
        utilities=tuple(draw(_REWARDS) for _ in range(terminal)),
        factor=draw(_FACTORS) if discounted else Fraction(1),
    )


def value_between(problem: TablePomdp, horizon: int) -> tuple[Fraction, Fraction]:
    """Bounds on the value: all that may happen within so many actions, and the least and most that may follow.

    An action is worth between -10 and 10, with what it may end in.
    """
    step = problem.factor if problem.factor < 1 else Fraction(1, 2)
    rest = 10 * step**horizon / (1 - step)
    value = _Turns(problem).value(problem.start, horizon)
    return value - rest, value + rest


class _Turns:
    """What actions are worth and lead to, in whole numbers of a common unit: fractions would take ten times as long."""

    def __init__(self, problem: TablePomdp) -> None:
        worth: dict[tuple[int, str], Fraction] = {}
        following: dict[tuple[int, str], list[tuple[int, int, Fraction]]] = {}
        for state, row in enumerate(problem.table):
            for action, (reward, outcomes) in row.items():
                worth[state, action], following[state, action] = Fraction(reward), []
                for share, result in outcomes:
                    if problem.is_terminal(result):
                        worth[state, action] += problem.factor * share * problem.utility(result)
                        continue
                    for seen, percept in problem.percept_distribution(result, action):
                        following[state, action].append((percept, result, problem.factor * share * seen))
        numbers = [*worth.values(), *(share for turns in following.values() for _, _, share in turns)]
        self._unit = lcm(*(number.denominator for number in numbers))
        self._problem = problem
        self._worth = {turn: int(number * self._unit) for turn, number in worth.items()}
        self._following = {
            turn: [(percept, result, int(share * self._unit)) for percept, result, share in turns]
            for turn, turns in following.items()
        }

    def value(self, start: Pairs, horizon: int) -> Fraction:
        """What the start is worth within so many actions."""
        whole = lcm(*(chance.denominator for chance, _ in start))
        belief = {state: int(chance * whole) for chance, state in start if not self._problem.is_terminal(state)}
        over = sum(chance * self._problem.utility(state) for chance, state in start if self._problem.is_terminal(state))
        return over + Fraction(self._of(belief, horizon), whole * self._unit**horizon)

    def _of(self, belief: Mapping[int, int], horizon: int) -> int:
        """What a belief, given by weights, is worth within so many actions; with each the unit is smaller."""
        if not horizon or not belief:
            return 0
        common = set.intersection(*(set(self._problem.table[state]) for state in belief))
        return max(self._after(belief, action, horizon) for action in sorted(common))

    def _after(self, belief: Mapping[int, int], action: str, horizon: int) -> int:
        at_once = 0
        following: dict[int, dict[int, int]] = {}
        for state, weight in belief.items():
            at_once += weight * self._worth[state, action]
            for percept, result, share in self._following[state, action]:
                after = following.setdefault(percept, {})
                after[result] = after.get(result, 0) + weight * share
        later = sum(self._of(after, horizon - 1) for after in following.values())
        unit: int = self._unit ** (horizon - 1)
        return at_once * unit + later
