"""The size of an instance: its starts, actions and states, counted as far as limits allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from attrs import evolve, frozen

from ..errors import ProblemError
from ..kinds import Kind, kind_of
from ..model.adapters import Blindfolded
from ..model.belief import initial_states, successors
from ..model.checked import checked_initial_distribution
from ..model.hooks import ArrayHook, ReversibleProblem
from ..model.problem import BeliefProblem, Problem
from ..model.reachability import components
from ..model.stochastic import AnyProblem, StochasticProblem
from ..model.values import listed
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, Limits
from ..solvers.mdp.mdp_model import ChanceModel, explore
from ..solvers.pomdp.listing import pomdp_model

# More actions are not counted: some puzzles have more than anybody could list.
_MOST_ACTIONS = 100_000
# States without symmetry may be many times those with it. Beyond so many pairs of a state and an action, about a
# second's worth, they are not counted to the end.
_MOST_ASKED = 2**15


@frozen
class Count:
    """A count, or a lower bound of it unless `complete`."""

    number: int
    complete: bool = True


@frozen
class Facts:
    """The kind and size of an instance; a count that could not be begun is None.

    Attributes
    ----------
    kind
        "plain", "sensorless", "contingent", "stochastic" or "partially observable".
    reversible
        Whether a plain problem can be searched backwards.
    first_start
        The start of a plain or stochastic problem, or the first of the possible starts, as text.
    no_start
        Why a plain problem has no start, in words; then `states` are those from all possible starts.
    starts, canonical_starts
        The possible starts of a belief problem, and how many of them differ up to symmetry.
    actions
        The actions that apply in `first_start`.
    states
        The states that can come up, up to symmetry (`canonical`). So a belief problem has at most two to the power of
        this number of beliefs.
    unreduced_states
        The states that can come up, without symmetry.
    terminal
        How many states of a stochastic problem are terminal.
    recurring
        To how many of its states the game may come back.
    percepts
        How many percepts a partially observable problem has; its `states` are those that are not terminal.
    stopped
        What stopped the counting, in words; None if nothing did.
    """

    kind: str
    reversible: bool = False
    first_start: str | None = None
    no_start: str | None = None
    starts: Count | None = None
    canonical_starts: int | None = None
    actions: Count | None = None
    states: Count | None = None
    unreduced_states: Count | None = None
    terminal: int | None = None
    recurring: int | None = None
    percepts: int | None = None
    stopped: str | None = None


def describe(
    problem: AnyProblem[Any, Any],
    *,
    limits: Limits | None = None,
    most: int | None = None,
    unreduced: bool = True,
    budget: Budget | None = None,
) -> Facts:
    """Count the starts, actions and states of a problem.

    Parameters
    ----------
    problem
        The problem, of any kind.
    limits
        When to stop; then counts are as far as they got.
    most
        How many starts, and how many pairs of a state and an action, are looked at; None for any number. Of a
        stochastic problem all states are looked at.
    unreduced
        Whether to count the states without symmetry too. That takes longer, and ends after 32,768 pairs.
    budget
        Limits that run already, instead of `limits`.

    Raises
    ------
    ProblemError
        If it is no problem, or is caught breaking its contract.

    Notes
    -----
    Where the author lists all states (`all_states`), they are taken from there.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> facts = describe(DevilProblem(n=8))
    >>> facts.starts.number, facts.states.number, facts.unreduced_states.number
    (256, 36, 256)
    """
    kind = kind_of(problem)
    running = budget or Budget(limits)
    try:
        return call_within(running, lambda: _COUNTERS[kind](problem, running, most, unreduced))
    except STOPS as stop:
        return Facts(kind.value, stopped=running.why(stop))


def _count_beliefs(problem: BeliefProblem[Any, Any, Any], budget: Budget, most: int | None, unreduced: bool) -> Facts:
    facts = Facts(kind_of(problem).value)
    if isinstance(problem, Blindfolded):
        problem = evolve(problem, tick=budget.tick)
    starts: dict[Any, None] = {}
    representatives: dict[Any, None] = {}
    try:
        for state in initial_states(problem, budget.tick):
            if most is not None and len(starts) >= most and state not in starts:
                return evolve(facts, starts=Count(len(starts), complete=False), stopped=f"more than {most:,} starts")
            starts[state] = representatives[problem.canonical(state)] = None
    except STOPS as stop:
        return evolve(facts, starts=Count(len(starts), complete=False), stopped=budget.why(stop))
    first = next(iter(starts))
    facts = evolve(
        facts, first_start=problem.format_state(first), starts=Count(len(starts)), canonical_starts=len(representatives)
    )
    try:
        facts = evolve(facts, actions=_count_actions(problem, first))
        return _count_states(problem, starts, budget, most, facts, unreduced)
    except STOPS as stop:  # while actions were gathered
        return evolve(facts, stopped=budget.why(stop))


def _count_plain(problem: Problem[Any, Any], budget: Budget, most: int | None, unreduced: bool) -> Facts:
    facts = Facts(Kind.PLAIN.value, reversible=isinstance(problem, ReversibleProblem))
    starts: Iterable[Any]
    try:
        start = problem.initial_state()
        starts = (start,)
        facts = evolve(facts, first_start=problem.format_state(start), actions=_count_actions(problem, start))
    except ProblemError as error:
        facts = evolve(facts, no_start=str(error))
        try:
            starts = problem.possible_starts()
        except ProblemError:
            return facts
    return _count_states(problem, starts, budget, most, facts, unreduced)


def _count_states(
    problem: BeliefProblem[Any, Any, Any],
    starts: Iterable[Any],
    budget: Budget,
    most: int | None,
    facts: Facts,
    unreduced: bool,
) -> Facts:
    """The facts, with the numbers of states up to symmetry and without it."""
    # In a plain problem the hook lists the states of every start, and there is one here.
    is_plain = kind_of(problem) is Kind.PLAIN
    all_states = problem.all_states() if isinstance(problem, ArrayHook) and not is_plain else None
    if all_states is not None:
        facts = evolve(facts, states=Count(len(all_states)))
    else:
        count, stopped = _walk(problem, (problem.canonical(state) for state in starts), problem.canonical, budget, most)
        facts = evolve(facts, states=count, stopped=stopped)
    if not unreduced or facts.stopped is not None:
        return facts
    if not problem.overrides("canonical"):
        return evolve(facts, unreduced_states=facts.states)
    most = _MOST_ASKED if most is None else min(most, _MOST_ASKED)
    count, stopped = _walk(problem, starts, lambda state: state, budget, most)
    return evolve(facts, unreduced_states=count, stopped=stopped)


def _walk(
    problem: BeliefProblem[Any, Any, Any],
    starts: Iterable[Any],
    canonical: Callable[[Any], Any],
    budget: Budget,
    most: int | None,
) -> tuple[Count, str | None]:
    """Count the states that can come up, breadth-first; also returns what stopped the walk."""
    found: dict[Any, None] = {}
    asked = 0
    try:
        for state in starts:
            budget.tick()
            found[state] = None
        frontier = list(found)
        for state in frontier:  # grows while it is walked
            for action in problem.actions(state):
                budget.tick()
                asked += 1
                if most is not None and asked > most:
                    return Count(len(found), complete=False), f"more than {most:,} pairs of a state and an action"
                for after in successors(problem, state, action, budget.tick):
                    result = canonical(after)
                    if result not in found:
                        found[result] = None
                        frontier.append(result)
    except STOPS as stop:
        return Count(len(found), complete=False), budget.why(stop)
    return Count(len(found)), None


def _count_actions(problem: Any, state: Any) -> Count:
    count = len(list(islice(problem.actions(state), _MOST_ACTIONS + 1)))
    return Count(min(count, _MOST_ACTIONS), complete=count <= _MOST_ACTIONS)


def _count_stochastic(problem: StochasticProblem[Any, Any], budget: Budget, most: int | None, unreduced: bool) -> Facts:
    facts = Facts(Kind.STOCHASTIC.value)
    model: ChanceModel[Any, Any] = ChanceModel()
    try:
        start = problem.initial_state()
        if not problem.is_terminal(start):
            actions = Count(len(listed(problem.actions(start))))
            facts = evolve(facts, first_start=problem.format_state(start), actions=actions)
        explore(problem, model, budget)
        parts = components(len(model.states), model.successors, budget.tick)
        recurring = sum(len(component) for component, cycle in parts if cycle)
    except STOPS as stop:
        return evolve(facts, states=Count(len(model.states), complete=False), stopped=budget.why(stop))
    terminal = len(model.states) - sum(map(bool, model.actions))
    return evolve(facts, states=Count(len(model.states)), terminal=terminal, recurring=recurring)


def _count_pomdp(problem: StochasticProblem[Any, Any, Any], budget: Budget, most: int | None, unreduced: bool) -> Facts:
    facts = Facts(Kind.POMDP.value)
    try:
        starts = [state for _, state in checked_initial_distribution(problem)]
        first = problem.format_state(starts[0])
        facts = evolve(facts, first_start=first, starts=Count(len(starts)))
        if not problem.is_terminal(starts[0]):
            facts = evolve(facts, actions=Count(len(listed(problem.actions(starts[0])))))
        model = pomdp_model(problem, budget)
    except STOPS as stop:
        return evolve(facts, stopped=budget.why(stop))
    return evolve(facts, states=Count(len(model.states)), percepts=len(model.percepts))


_COUNTERS: Mapping[Kind, Callable[[Any, Budget, int | None, bool], Facts]] = {
    Kind.PLAIN: _count_plain,
    Kind.SENSORLESS: _count_beliefs,
    Kind.CONTINGENT: _count_beliefs,
    Kind.STOCHASTIC: _count_stochastic,
    Kind.POMDP: _count_pomdp,
}
