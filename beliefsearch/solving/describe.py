"""How large an instance is: its starts, its actions and its states, counted as far as limits allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from attrs import evolve, frozen

from ..errors import ProblemError
from ..model.adapters import Blindfolded
from ..model.belief import initial_states, no_tick, successors
from ..model.hooks import ArrayHook, ReversibleProblem
from ..model.problem import BeliefProblem, Problem
from ..running.limits import LimitReached

__all__ = ["Count", "Facts", "describe"]

# More actions are not counted: some puzzles have more than anybody could list.
_MOST_ACTIONS = 100_000
# States without symmetry may be many times those with it. Beyond so many pairs of a state and an action, about a
# second's worth, they are not counted to the end.
_MOST_ASKED = 2**15


@frozen
class Count:
    """A number of things, or, unless `complete`, how many there are at least."""

    number: int
    complete: bool = True


@frozen
class Facts:
    """What kind of problem an instance is, and how large. What could not be counted at all is None.

    Attributes
    ----------
    kind
        "plain", "sensorless" or "partially observable".
    reversible
        Whether a plain problem can be walked backwards.
    first_start
        The start of a plain problem, or the first of the possible starts, as text.
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
    stopped: str | None = None


def describe(
    problem: BeliefProblem[Any, Any, Any],
    *,
    tick: Callable[[], None] = no_tick,
    most: int | None = None,
    unreduced: bool = True,
) -> Facts:
    """Count the starts, actions and states of a plain problem or a belief problem.

    Parameters
    ----------
    problem
        The problem. Of one that is stochastic, `solve_stochastic` tells the number of states.
    tick
        Called at each step; raises the signal of a `Budget` to stop. Then counts are as far as they got.
    most
        How many starts, and how many pairs of a state and an action, are looked at; None for any number.
    unreduced
        Whether to count the states without symmetry too. That takes longer, and ends after 32,768 pairs.

    Raises
    ------
    ProblemError
        If the problem is of another kind, or is caught breaking its contract.

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
    if isinstance(problem, Problem):
        return _count_plain(problem, tick, most, unreduced)
    if isinstance(problem, BeliefProblem):
        return _count_beliefs(problem, tick, most, unreduced)
    raise ProblemError(f"{type(problem).__name__} is neither a plain problem nor a belief problem")


def _count_beliefs(
    problem: BeliefProblem[Any, Any, Any], tick: Callable[[], None], most: int | None, unreduced: bool
) -> Facts:
    facts = Facts(kind="sensorless" if problem.is_sensorless() else "partially observable")
    if isinstance(problem, Blindfolded):
        problem = evolve(problem, tick=tick)
    starts: dict[Any, None] = {}
    representatives: dict[Any, None] = {}
    try:
        for state in initial_states(problem, tick):
            if most is not None and len(starts) >= most and state not in starts:
                return evolve(facts, starts=Count(len(starts), complete=False), stopped=f"more than {most:,} starts")
            starts[state] = representatives[problem.canonical(state)] = None
    except LimitReached as stop:
        return evolve(facts, starts=Count(len(starts), complete=False), stopped=str(stop))
    first = next(iter(starts))
    facts = evolve(
        facts,
        first_start=problem.format_state(first),
        starts=Count(len(starts)),
        canonical_starts=len(representatives),
    )
    try:
        facts = evolve(facts, actions=_count_actions(problem, first))
        return _count_states(problem, starts, tick, most, facts, unreduced)
    except LimitReached as stop:  # while actions were gathered
        return evolve(facts, stopped=str(stop))


def _count_plain(problem: Problem[Any, Any], tick: Callable[[], None], most: int | None, unreduced: bool) -> Facts:
    facts = Facts(kind="plain", reversible=isinstance(problem, ReversibleProblem))
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
    return _count_states(problem, starts, tick, most, facts, unreduced)


def _count_states(
    problem: BeliefProblem[Any, Any, Any],
    starts: Iterable[Any],
    tick: Callable[[], None],
    most: int | None,
    facts: Facts,
    unreduced: bool,
) -> Facts:
    """The facts with the numbers of states, up to symmetry and without it."""
    # In a plain problem the hook lists the states of every start, and there is one here.
    listed = None if isinstance(problem, Problem) or not isinstance(problem, ArrayHook) else problem.all_states()
    if listed is not None:
        facts = evolve(facts, states=Count(len(listed)))
    else:
        count, stopped = _walk(problem, map(problem.canonical, starts), problem.canonical, tick, most)
        facts = evolve(facts, states=count, stopped=stopped)
    if not unreduced or facts.stopped is not None:
        return facts
    if not problem.overrides("canonical"):
        return evolve(facts, unreduced_states=facts.states)
    most = _MOST_ASKED if most is None else min(most, _MOST_ASKED)
    count, stopped = _walk(problem, starts, lambda state: state, tick, most)
    return evolve(facts, unreduced_states=count, stopped=stopped)


def _walk(
    problem: BeliefProblem[Any, Any, Any],
    starts: Iterable[Any],
    canonical: Callable[[Any], Any],
    tick: Callable[[], None],
    most: int | None,
) -> tuple[Count, str | None]:
    """How many states can come up, breadth-first; and what stopped the walk."""
    found: dict[Any, None] = {}
    asked = 0
    try:
        for state in starts:
            tick()
            found[state] = None
        frontier = list(found)
        for state in frontier:  # grows while it is walked
            for action in problem.actions(state):
                tick()
                asked += 1
                if most is not None and asked > most:
                    return Count(len(found), complete=False), f"more than {most:,} pairs of a state and an action"
                for result in map(canonical, successors(problem, state, action, tick)):
                    if result not in found:
                        found[result] = None
                        frontier.append(result)
    except LimitReached as stop:
        return Count(len(found), complete=False), str(stop)
    return Count(len(found)), None


def _count_actions(problem: Any, state: Any) -> Count:
    count = len(list(islice(problem.actions(state), _MOST_ACTIONS + 1)))
    return Count(min(count, _MOST_ACTIONS), complete=count <= _MOST_ACTIONS)
