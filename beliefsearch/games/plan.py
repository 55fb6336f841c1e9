"""Games: a plan played against chance, as often as you like.

A simulation shows, it does not prove: `verify.py` follows every result, this module one at a time.
Games are played with the problem's own states, without `canonical`, so that every listed result is as
likely as it should be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, Generic

from attrs import frozen

from ..errors import InvalidPlanError
from ..model.belief import initial_belief, initial_states, is_goal_belief, predict, successors
from ..model.problem import Action, BeliefProblem, State
from ..running.alarm import stopped_within
from ..running.limits import Budget

__all__ = [
    "Game",
    "Simulation",
    "choose_result",
    "draw_starts",
    "is_long",
    "listed_results",
    "play_game",
    "possible_starts",
    "simulate",
    "wins_by_state",
]


# So many actions are done by the plain loop, in all games together, in about the time it takes to load NumPy.
_PLAYED_PLAINLY = 100_000


@frozen
class Game(Generic[State, Action]):
    """One game.

    Attributes
    ----------
    states
        The true states, one more than there are actions.
    actions
        The actions played: the whole plan, or as much of it as was played when the game stopped.
    won_after
        The number of actions after which the state was a goal and stayed one; None if the last state
        is no goal. Where the problem overrides `goal_sets` what counts is the belief: then it is all of them,
        if they lead the initial belief to a goal.
    """

    states: tuple[State, ...]
    actions: tuple[Action, ...]
    won_after: int | None


@frozen
class Simulation(Generic[State]):
    """Many games.

    Attributes
    ----------
    games
        How many were played.
    won_after
        By number of actions: how many games were won after so many.
    lost_from
        The starts of the games that were not won.
    stopped
        Why there are not as many as were asked for; None if there are.
    """

    games: int
    won_after: dict[int, int]
    lost_from: tuple[State, ...]
    stopped: str | None = None


def possible_starts(problem: BeliefProblem[State, Action, Any]) -> list[State]:
    """Every state that the game may start from: one for a plain problem."""
    return list(dict.fromkeys(initial_states(problem)))


def choose_result(problem: BeliefProblem[State, Action, Any], state: State, action: Action, chance: Random) -> State:
    """What happens when `action` is done in `state`: each listed result is equally likely; raises as the list does."""
    return chance.choice(listed_results(problem, state, action))


def listed_results(problem: BeliefProblem[State, Action, Any], state: State, action: Action) -> list[State]:
    """Everything that `action` may lead to in `state`, as often as the author lists it.

    Raises
    ------
    InvalidPlanError
        If the action does not apply to the state.
    """
    if action not in problem.actions(state):
        raise InvalidPlanError(
            f"the action {problem.format_action(action)} does not apply to {problem.format_state(state)}"
        )
    return list(successors(problem, state, action))


def play_game(
    problem: BeliefProblem[State, Action, Any],
    plan: Iterable[Action],
    start: State,
    chance: Random,
) -> Game[State, Action]:
    """Play `plan` from `start`, drawing every result by `chance`."""
    actions = tuple(plan)
    states = _draw_states(problem, actions, start, chance)
    return Game(states, actions, _won_after(problem, states, _leads_to_goal(problem, actions)))


def _draw_states(
    problem: BeliefProblem[State, Action, Any],
    actions: Sequence[Action],
    start: State,
    chance: Random,
) -> tuple[State, ...]:
    states = [start]
    for action in actions:
        states.append(choose_result(problem, states[-1], action, chance))
    return tuple(states)


def wins_by_state(problem: BeliefProblem[State, Action, Any]) -> bool:
    """Whether the true state alone tells if the game is won; not so where `goal_sets` is overridden."""
    return not problem.overrides("goal_sets")


def _won_after(
    problem: BeliefProblem[State, Action, Any],
    states: Sequence[State],
    leads_to_goal: bool,
) -> int | None:
    if not wins_by_state(problem):
        return len(states) - 1 if leads_to_goal else None
    won = None
    for step in reversed(range(len(states))):
        if not problem.is_goal(states[step]):
            break
        won = step
    return won


def _leads_to_goal(problem: BeliefProblem[State, Action, Any], plan: Iterable[Action]) -> bool:
    """Whether the player knows at the end of `plan` that the game is won, where that is what counts."""
    if wins_by_state(problem):
        return False
    belief = initial_belief(problem)
    for action in plan:
        belief = predict(problem, belief, action)
    return is_goal_belief(problem, belief)


def simulate(
    problem: BeliefProblem[State, Action, Any],
    plan: Sequence[Action],
    *,
    games: int,
    seed: int | None = None,
    every_start: bool = False,
    starts: Sequence[State] | None = None,
    tell: Callable[[int, int], None] = lambda games, actions: None,
    budget: Budget | None = None,
) -> Simulation[State]:
    """Play `plan` many times.

    Parameters
    ----------
    problem, plan
        What to play, and how.
    games
        How many games: in all, from starts drawn at random, or from each start.
    seed
        Makes the games repeatable.
    every_start
        Whether to play so many games from each possible start.
    starts
        The starts to play from; by default all that are possible.
    tell
        Told now and then how many games are finished, and how many actions have been done in all.
    budget
        Limits; None for none.

    Returns
    -------
    Simulation
        Of all games; after a limit or Ctrl-C, of those that were finished until then.
    """
    chance = Random(seed)
    starts = possible_starts(problem) if starts is None else starts
    won_after: Counter[int] = Counter()
    lost: list[State] = []

    def play() -> None:
        leads_to_goal = _leads_to_goal(problem, plan)
        if is_long(games * len(plan) * (len(starts) if every_start else 1)):
            from .arrays import Lengths, play_sequence

            play_sequence(
                lambda state, action: listed_results(problem, state, action),
                problem.is_goal if wins_by_state(problem) else leads_to_goal,
                plan,
                starts,
                games,
                chance,
                every_start=every_start,
                found=Lengths(won_after, lost),
                tell=tell,
            )
        else:
            for played, start in enumerate(draw_starts(starts, games, chance, every_start), 1):
                won = _won_after(problem, _draw_states(problem, plan, start, chance), leads_to_goal)
                if won is None:
                    lost.append(start)
                else:
                    won_after[won] += 1
                tell(played, played * len(plan))

    stopped = stopped_within(budget or Budget(), play)
    return Simulation(won_after.total() + len(lost), dict(sorted(won_after.items())), tuple(lost), stopped)


def is_long(actions: int) -> bool:
    """Whether so many actions, in all games together, are worth arrays."""
    return actions > _PLAYED_PLAINLY


def draw_starts(starts: Sequence[State], games: int, chance: Random, every_start: bool) -> Iterator[State]:
    """The starts of so many games, drawn at random; or so many games from every start."""
    if every_start:
        return (start for start in starts for _ in range(games))
    return (chance.choice(starts) for _ in range(games))
