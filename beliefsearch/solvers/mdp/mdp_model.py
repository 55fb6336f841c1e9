"""A stochastic problem with numbered states, an MDP, and the decisions of a solver so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Generic, TypeAlias

from attrs import define, field

from ...errors import EndlessError, ProblemError
from ...model.base import Action, Number, State
from ...model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_reward,
    checked_utility,
)
from ...model.hook_arrays import ChanceRows
from ...model.reachability import reaching
from ...model.stochastic import StochasticProblem
from ...model.values import is_exact, is_hashable, listed
from ...running.limits import Budget, LimitReached
from ...running.observer import Observer
from .backward_induction import LazySequence

Outcomes: TypeAlias = "tuple[tuple[Number, int], ...]"
"""Probabilities above 0 with numbers of states, each number once."""


@define
class ChanceModel(Generic[State, Action]):
    """The reachable states up to `canonical`, numbered in the order of discovery.

    By state: the `actions` that apply, none in a terminal state; the `outcomes` and `rewards` of these; the `utilities`
    of terminal states, else None. The first `starts` states are the initial ones. `exact` is whether all numbers are
    whole numbers and fractions; `generated` counts outcomes, repetitions included.
    """

    states: list[State] = field(factory=list)
    number_of: dict[State, int] = field(factory=dict)
    actions: list[tuple[Action, ...]] = field(factory=list)
    outcomes: list[tuple[Outcomes, ...]] = field(factory=list)
    rewards: list[tuple[Number, ...]] = field(factory=list)
    utilities: list[Number | None] = field(factory=list)
    discount: Number = 1
    exact: bool = True
    generated: int = 0
    starts: int = 1
    rows: ChanceRows[State, Action] | None = None
    """The author's arrays, if the model was made from them."""

    def take(self, rows: ChanceRows[State, Action], discount: Number) -> None:
        """Fill the model from the author's arrays."""
        count, numbers, moves = len(rows.states), rows.numbers, rows.moves.tolist()

        def by_state(items: list[Any]) -> Any:
            return LazySequence(count, lambda state: items[moves[state] : moves[state + 1]])

        chances, rewards = ([numbers[place] for place in places.tolist()] for places in (rows.chances, rows.rewards))
        pairs = list(zip(chances, rows.results.tolist(), strict=True))
        self.states, self.starts, self.discount, self.rows = list(rows.states), rows.starts, discount, rows
        self.actions = by_state([rows.names[place] for place in rows.actions.tolist()])
        self.rewards = by_state(rewards)
        self.outcomes = by_state([tuple(pairs[first:end]) for first, end in pairwise(rows.outcomes.tolist())])
        self.utilities = [
            numbers[worth] if first == end else None
            for (first, end), worth in zip(pairwise(moves), rows.utilities.tolist(), strict=True)
        ]
        self.generated = len(pairs)
        used = {*rows.chances.tolist(), *rows.rewards.tolist(), *rows.utilities.tolist()}
        self.exact = is_exact(discount) and all(is_exact(numbers[place]) for place in used)

    def append(
        self,
        actions: tuple[Action, ...] = (),
        outcomes: tuple[Outcomes, ...] = (),
        rewards: tuple[Number, ...] = (),
        utility: Number | None = None,
    ) -> None:
        """Add the actions, outcomes and rewards of the next state, or the utility if it is terminal."""
        self.actions.append(actions)
        self.outcomes.append(outcomes)
        self.rewards.append(rewards)
        self.utilities.append(utility)

    def successors(self, state: int) -> Iterator[int]:
        """The numbers of all successors of a state, possibly repeated."""
        return (result for outcomes in self.outcomes[state] for _, result in outcomes)


def explore(
    problem: StochasticProblem[State, Action],
    model: ChanceModel[State, Action],
    budget: Budget,
    observer: Observer | None = None,
    *,
    most: int | None = None,
    use_canonical: bool = True,
) -> None:
    """Fill an empty `model` with all reachable states, breadth-first, calling the author's methods once for each.

    Unless `use_canonical` is False, equivalent states are one. After a limit the model has the states explored so far.
    `most` is another limit, on the number of explored states. Raises `ProblemError` if the problem breaks its contract:
    probabilities that do not sum to 1, a utility or a reward that is no number, a state that is not hashable, or not
    terminal and without actions.
    """
    states, number_of = model.states, model.number_of

    def number(state: State) -> int:
        state = problem.canonical(state) if use_canonical else state
        found = number_of.get(state)
        if found is None:
            found = number_of[state] = len(states)
            states.append(state)
        return found

    for start in _starts(problem):
        number(start)
    model.discount = checked_discount(problem)
    model.exact = is_exact(model.discount)
    rewarding = problem.overrides("reward")
    model.starts = len(states)
    expanded = 0
    for place, state in enumerate(states):  # grows while it is walked
        budget.tick()
        if most is not None and place >= most:
            raise LimitReached(f"the limit of {most} nodes was reached")
        if observer is not None and not place & 1023:
            observer.numbered(len(states))
        if problem.is_terminal(state):
            utility = checked_utility(problem, state)
            model.exact = model.exact and is_exact(utility)
            model.append(utility=utility)
            continue
        budget.check_expanded(expanded)
        expanded += 1
        actions = tuple(listed(problem.actions(state)))
        if not actions:
            raise ProblemError(
                f"{type(problem).__name__}.actions({state!r}) gave none, and the state is not terminal: "
                "there the game would stand still"
            )
        by_action, rewards = [], []
        for action in actions:
            merged: dict[int, Number] = {}
            for probability, result in checked_outcomes(problem, state, action):
                model.generated += 1
                model.exact = model.exact and is_exact(probability)
                known = number(result)
                merged[known] = merged.get(known, 0) + probability
            reward = checked_reward(problem, state, action) if rewarding else 0
            model.exact = model.exact and is_exact(reward)
            rewards.append(reward)
            by_action.append(tuple((probability, known) for known, probability in merged.items()))
        model.append(actions, tuple(by_action), tuple(rewards))
    if observer is not None:
        observer.numbered(len(states))


def _starts(problem: StochasticProblem[State, Any]) -> list[State]:
    """Return the initial states."""
    if problem.overrides("initial_distribution"):
        return [state for _, state in checked_initial_distribution(problem)]
    start = problem.initial_state()
    if not is_hashable(start):
        raise ProblemError(f"{type(problem).__name__}.initial_state() gave {start!r}, which is not hashable")
    return [start]


@define
class Decisions:
    """The solved part of an MDP: `values` of the decided states, at first the terminal ones, and `choices` there.

    A choice is the place of an action among those of its state; it is None in other states. With floats, a relative
    gain of at most `tolerance` does not count. `tick` raises to stop.
    """

    problem: StochasticProblem[Any, Any]
    model: ChanceModel[Any, Any]
    tolerance: float
    tick: Callable[[], None]
    values: list[Any] = field(init=False)
    choices: list[int | None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.values = [*self.model.utilities]
        self.choices = [None] * len(self.model.states)


def worth(model: ChanceModel[Any, Any], state: int, place: int, values: Sequence[Any]) -> Any:
    """Return the value of an action: its reward, and the discounted expected value after it.

    Arithmetic on fractions is slow, so multiplications by 1 and additions of 0 are avoided. (A probability or a
    discount that is a whole number is 1.)
    """
    total: Any = None
    for probability, result in model.outcomes[state][place]:
        part = values[result] if type(probability) is int else probability * values[result]
        total = part if total is None else total + part
    if type(model.discount) is not int:
        total = model.discount * total
    reward = model.rewards[state][place]
    return total if type(reward) is int and not reward else reward + total


def decide(found: Decisions, state: int) -> None:
    """Decide a state all of whose outcomes are decided: choose the first of the best actions."""
    model = found.model
    best: Any = None
    choice = None
    for place in range(len(model.actions[state])):
        value = worth(model, state, place, found.values)
        if best is None or value > (best if model.exact else best + found.tolerance * abs(best)):
            choice = place
        if best is None or value > best:
            best = value
    found.values[state], found.choices[state] = best, choice


def first_choices(found: Decisions, component: list[int]) -> dict[int, int]:
    """An action for each state of a component; without a discount those of `_leaving_choices`."""
    return _leaving_choices(found, component) if found.model.discount == 1 else dict.fromkeys(component, 0)


def may_collect(model: ChanceModel[Any, Any], component: list[int]) -> bool:
    """Whether there are positive rewards and no discount, so that rewards might be collected for ever."""
    return model.discount == 1 and any(reward > 0 for state in component for reward in model.rewards[state])


def staying(found: Decisions, choices: dict[int, int]) -> int | None:
    """Return a state of a component from which the game can never leave it by these choices; None if there is none."""
    edges = [(state, result) for state, place in choices.items() for _, result in found.model.outcomes[state][place]]
    leaving = reaching([result for _, result in edges if result not in choices], edges)
    return next((state for state in choices if state not in leaving), None)


def require_leaving(found: Decisions, choices: dict[int, int]) -> None:
    """Raise `EndlessError` if the game can never leave a component from some state by these choices."""
    stuck = staying(found, choices)
    if stuck is not None:
        name = found.problem.format_state(found.model.states[stuck])
        raise EndlessError(
            f"the value is infinite: from the state {name} on, rewards can be "
            "collected for ever; give a discount() below 1"
        )


def _leaving_choices(found: Decisions, component: list[int]) -> dict[int, int]:
    """An action for each state of a component, such that the game leaves the component with probability 1.

    From every state there is a path out of the component along these actions. Within as many steps as there are states
    it is followed with a probability above some bound, so never to leave has probability 0. Raises `EndlessError` if no
    action leads out of the component: the game never ends.
    """
    inside = set(component)
    choices: dict[int, int] = {}
    leads_to: dict[int, list[tuple[int, int]]] = {}
    frontier = []
    for state in component:
        for place, outcomes in enumerate(found.model.outcomes[state]):
            for _, result in outcomes:
                if result in inside:
                    leads_to.setdefault(result, []).append((state, place))
                elif state not in choices:
                    choices[state] = place
                    frontier.append(state)
    if not frontier:
        name = found.problem.format_state(found.model.states[min(component)])
        raise EndlessError(
            f"the game never ends: from the state {name}, which can come up, no terminal state can be reached"
        )
    for result in frontier:  # grows while it is walked: breadth-first, backwards
        for state, place in leads_to.get(result, ()):
            if state not in choices:
                choices[state] = place
                frontier.append(state)
    return choices
