"""Games of a conditional plan against chance. As in `games.py`, a simulation shows and does not prove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any, Generic

from attrs import frozen

from .belief import Belief, initial_belief, is_goal_belief, outcomes, perceived
from .conditional_plan import ConditionalPlan
from .errors import InvalidPlanError
from .games import Simulation, choose_result, draw_starts, possible_starts
from .problem import Action, BeliefProblem, Percept, State

__all__ = ["SightedGame", "SightedTurn", "play_conditional", "simulate_conditional"]


@frozen
class SightedTurn(Generic[State, Action, Percept]):
    """What was done, what came of it, and what the player perceived."""

    action: Action
    state: State
    percept: Percept | None


@frozen
class SightedGame(Generic[State, Action, Percept]):
    """One game.

    Attributes
    ----------
    start
        The first state.
    turns
        What happened thereafter.
    won
        Whether the plan came to its end, and the player knew then that the game was won.
    """

    start: State
    turns: tuple[SightedTurn[State, Action, Percept], ...]
    won: bool


class _Referee(Generic[State, Action]):
    """Knows what a player who follows the plan knows; works each belief out once."""

    def __init__(self, problem: BeliefProblem[State, Action, Any], plan: ConditionalPlan[Action, Any]) -> None:
        self._problem = problem
        self._plan = plan
        self.initial: Belief[State] = initial_belief(problem)
        self._after: dict[tuple[Belief[State], Any], dict[Any, Belief[State]]] = {}

    def after(self, belief: Belief[State], action: Action, percept: Any) -> Belief[State]:
        key = belief, action
        if key not in self._after:
            found = outcomes(self._problem, belief, action)
            self._after[key] = {told: frozenset(states) for told, states in found.items()}
        return self._after[key][percept]

    def play(self, start: State, chance: Random, most_turns: int) -> SightedGame[State, Action, Any]:
        problem, plan = self._problem, self._plan
        node, state, belief = 0, start, self.initial
        turns: list[SightedTurn[State, Action, Any]] = []
        while not plan.nodes[node].is_end and len(turns) < most_turns:
            action: Any = plan.nodes[node].action
            state = choose_result(problem, state, action, chance)
            percept = chance.choice(perceived(problem, state, action))
            turns.append(SightedTurn(action, state, percept))
            try:
                node = plan.follow(node, percept)
            except KeyError:
                raise InvalidPlanError(
                    f"after {problem.format_action(action)} the percept {problem.format_percept(percept)} came, "
                    "and the plan has no branch for it"
                ) from None
            belief = self.after(belief, action, percept)
        won = plan.nodes[node].is_end and is_goal_belief(problem, belief)
        return SightedGame(start, tuple(turns), won)


# A plan that keeps trying is given up after so many turns.
_MOST_TURNS = 100_000


def play_conditional(
    problem: BeliefProblem[State, Action, Percept],
    plan: ConditionalPlan[Action, Any],
    start: State,
    chance: Random,
    *,
    most_turns: int = _MOST_TURNS,
) -> SightedGame[State, Action, Percept]:
    """Play `plan` from `start`; results and percepts are drawn by `chance`, each as likely as the others.

    Raises
    ------
    InvalidPlanError
        If an action does not apply, or a percept comes for which the plan has no branch.
    """
    return _Referee(problem, plan).play(start, chance, most_turns)


def simulate_conditional(
    problem: BeliefProblem[State, Action, Any],
    plan: ConditionalPlan[Action, Any],
    *,
    games: int,
    seed: int | None = None,
    every_start: bool = False,
    most_turns: int = _MOST_TURNS,
) -> Simulation[State]:
    """Play `plan` many times; parameters and result as for `beliefsearch.games.simulate`."""
    chance = Random(seed)
    referee = _Referee(problem, plan)
    won_after: Counter[int] = Counter()
    lost: list[State] = []
    starts: Iterator[State] = draw_starts(possible_starts(problem), games, chance, every_start)
    with suppress(KeyboardInterrupt):
        for start in starts:
            game = referee.play(start, chance, most_turns)
            if game.won:
                won_after[len(game.turns)] += 1
            else:
                lost.append(start)
    return Simulation(won_after.total() + len(lost), dict(sorted(won_after.items())), tuple(lost))
