"""Playing a plan or a policy against chance, once or many times, for problems of every kind.

The plan or policy is given; to play one from a file, no solver is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias, overload

from attrs import frozen

from ..errors import InvalidPlanError
from ..kinds import Kind, kind_of
from ..model.base import Action, State
from ..model.problem import BeliefProblem
from ..model.stochastic import AnyProblem, StochasticProblem
from ..plans.policy import Policy, PolicyGraph, PolicyResult
from ..plans.result import SearchResult, plan_of
from ..running.limits import Budget, Limits
from .game import Game, ManyGames, PolicySimulation, Simulation
from .plan_games import play_plan, possible_starts, simulate_plan
from .policy_games import play_policy, possible_beginnings, simulate_policy

_AnyPolicy: TypeAlias = Policy[State, Action] | PolicyGraph[State, Action, Any] | PolicyResult[State, Action]


@frozen
class Player:
    """Player of problems of one kind: possible starts, one game, and many games."""

    starts: Callable[[Any], list[Any]]
    play: Callable[..., Any]
    simulate: Callable[..., Any]


_BY_PLAN = Player(possible_starts, play_plan, simulate_plan)
_BY_POLICY = Player(possible_beginnings, play_policy, simulate_policy)

PLAYERS: Mapping[Kind, Player] = {
    Kind.PLAIN: _BY_PLAN,
    Kind.SENSORLESS: _BY_PLAN,
    Kind.CONTINGENT: _BY_PLAN,
    Kind.STOCHASTIC: _BY_POLICY,
    Kind.POMDP: _BY_POLICY,
}


def _player_and_plan(problem: object, answer: object) -> tuple[Player, Any]:
    player = PLAYERS[kind_of(problem)]
    if answer is None:
        raise InvalidPlanError(f"there is nothing to play {type(problem).__name__} by: the plan, or policy, is None")
    return player, plan_of(answer)


def play_game(
    problem: AnyProblem[State, Action],
    plan: Iterable[Action] | _AnyPolicy[State, Action] | SearchResult[Action] | None,
    *,
    seed: int | None = None,
    start: State | None = None,
    beliefs: bool = False,
) -> Game[State, Action, Any]:
    """Play a plan, or a policy, once against chance.

    Parameters
    ----------
    problem
        A problem of any kind.
    plan
        A sequence of actions or a conditional plan; for a stochastic problem a policy, or a policy graph if the state
        is not always seen; or the result that holds it.
    seed
        The same seed gives the same game.
    start
        The true initial state, one of the possible ones; by default a random one. The player's initial belief stays the
        same. A policy of states may start from any state that it covers.
    beliefs
        Whether to record the player's belief after each turn.

    Returns
    -------
    Game
        The game, turn by turn.

    Raises
    ------
    InvalidPlanError
        If there is no plan, if an action does not apply, or if a percept comes for which the plan has no branch.
    BeliefSearchError
        If a policy says nothing about a state that comes up.

    Examples
    --------
    >>> from beliefsearch import solve
    >>> from beliefsearch_problems.vacuum import VacuumProblem
    >>> vacuum = VacuumProblem(squares=2)
    >>> game = play_game(vacuum, solve(vacuum).plan, seed=1)
    >>> game.won_after, [turn.action for turn in game.turns]
    (4, ['Left', 'Suck', 'Right', 'Suck'])
    """
    player, plan = _player_and_plan(problem, plan)
    if start is not None and kind_of(problem) is not Kind.STOCHASTIC and start not in player.starts(problem):
        raise InvalidPlanError(f"the game has begun in a state that was not possible, {start!r}")
    return player.play(problem, plan, start, Random(seed), beliefs=beliefs)  # type: ignore[no-any-return]  # by kind


@overload
def simulate(
    problem: StochasticProblem[State, Action, Any],
    plan: _AnyPolicy[State, Action] | None,
    *,
    games: int = ...,
    seed: int | None = ...,
    every_start: bool = ...,
    starts: Sequence[State] | None = ...,
    limits: Limits | None = ...,
    budget: Budget | None = ...,
    tell: Callable[[int, int], None] = ...,
) -> PolicySimulation: ...
@overload
def simulate(
    problem: BeliefProblem[State, Action, Any],
    plan: Iterable[Action] | SearchResult[Action] | None,
    *,
    games: int = ...,
    seed: int | None = ...,
    every_start: bool = ...,
    starts: Sequence[State] | None = ...,
    limits: Limits | None = ...,
    budget: Budget | None = ...,
    tell: Callable[[int, int], None] = ...,
) -> Simulation[State]: ...
def simulate(
    problem: AnyProblem[State, Action],
    plan: Iterable[Action] | _AnyPolicy[State, Action] | SearchResult[Action] | None,
    *,
    games: int = 1000,
    seed: int | None = None,
    every_start: bool = False,
    starts: Sequence[State] | None = None,
    limits: Limits | None = None,
    budget: Budget | None = None,
    tell: Callable[[int, int], None] = lambda games, actions: None,
) -> Simulation[State] | PolicySimulation:
    """Play a plan, or a policy, many times against chance.

    Parameters
    ----------
    problem, plan
        As for `play_game`.
    games
        The number of games in all, from random starts, or from each start.
    seed
        The same seed gives the same games.
    every_start
        Whether to play that many games from each start.
    starts
        The starts to play from; by default all possible ones. One that is listed twice is twice as likely.
    limits
        Limits of time and memory.
    budget
        Limits that run already, in their place.
    tell
        Called now and then with the number of finished games and of all actions so far.

    Returns
    -------
    Simulation, PolicySimulation
        The games; after a limit or Ctrl-C, those that were finished. A `PolicySimulation`, which has utilities, for a
        stochastic problem.

    Raises
    ------
    InvalidPlanError, BeliefSearchError
        As by `play_game`.

    Notes
    -----
    Results and percepts are equally likely, and one that the author lists twice is twice as likely; outcomes of a
    stochastic problem have their probabilities. A game of a cyclic plan is given up after 100,000 actions, and counts
    as lost. A game of a policy graph is given up after as many, but is not lost. A discounted game ends when the
    discount for the next reward is below a millionth.

    Examples
    --------
    >>> from beliefsearch import solve
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> devil = DevilProblem(n=2)
    >>> outcome = simulate(devil, solve(devil).plan, games=250, every_start=True, seed=1)
    >>> outcome.games, outcome.lost, sorted(outcome.won_after)
    (1000, 0, [0, 1, 2, 3])
    """
    budget = budget or Budget(limits)
    player, plan = _player_and_plan(problem, plan)
    many: ManyGames[State] = ManyGames(games, Random(seed), every_start, starts, tell)
    return player.simulate(problem, plan, many, budget)  # type: ignore[no-any-return]  # by kind
