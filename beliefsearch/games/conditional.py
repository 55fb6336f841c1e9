"""Games of a conditional plan against chance. As in `games.py`, a simulation shows and does not prove.

The plain loop is the definition; where there is much to play, `array_games.py` plays many games at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Generic, TypeAlias

from attrs import frozen

from ..errors import InvalidPlanError
from ..model.belief import Belief, initial_belief, is_goal_belief, outcomes, perceived
from ..model.problem import Action, BeliefProblem, Percept, State
from ..plans.plan import ConditionalPlan
from ..running.alarm import stopped_within
from ..running.limits import Budget
from .plan import Simulation, choose_result, draw_starts, is_long, listed_results, possible_starts

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


_Position: TypeAlias = tuple[State, int, Belief[State]]


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

    def follow(self, node: int, action: Action, percept: Any) -> int:
        try:
            return self._plan.follow(node, percept)
        except KeyError:
            problem = self._problem
            raise InvalidPlanError(
                f"after {problem.format_action(action)} the percept {problem.format_percept(percept)} came, "
                "and the plan has no branch for it"
            ) from None

    # What `array_games.play_branching` asks. A position is a state, a node, and what the player knows.

    def arrivals(self, position: _Position[State]) -> list[tuple[State, int, Belief[State]]]:
        state, node, belief = position
        action: Any = self._plan.nodes[node].action
        return [(result, node, belief) for result in listed_results(self._problem, state, action)]

    def follows(self, arrival: _Position[State]) -> list[_Position[State]]:
        state, node, belief = arrival
        action: Any = self._plan.nodes[node].action
        told = perceived(self._problem, state, action)
        return [(state, self.follow(node, action, p), self.after(belief, action, p)) for p in told]

    def verdict(self, position: _Position[State]) -> bool | None:
        _, node, belief = position
        return is_goal_belief(self._problem, belief) if self._plan.nodes[node].is_end else None

    def play(self, start: State, chance: Random, most_turns: int) -> SightedGame[State, Action, Any]:
        problem, plan = self._problem, self._plan
        node, state, belief = 0, start, self.initial
        turns: list[SightedTurn[State, Action, Any]] = []
        while not plan.nodes[node].is_end and len(turns) < most_turns:
            action: Any = plan.nodes[node].action
            state = choose_result(problem, state, action, chance)
            percept = chance.choice(perceived(problem, state, action))
            turns.append(SightedTurn(action, state, percept))
            node = self.follow(node, action, percept)
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
    starts: Sequence[State] | None = None,
    tell: Callable[[int, int], None] = lambda games, actions: None,
    budget: Budget | None = None,
) -> Simulation[State]:
    """Play `plan` many times; parameters and result as for `beliefsearch.games.plan.simulate`."""
    chance = Random(seed)
    referee = _Referee(problem, plan)
    starts = possible_starts(problem) if starts is None else starts
    won_after: Counter[int] = Counter()
    lost: list[State] = []
    # How long games take is not known beforehand: as many actions as a plan is deep, or about as many as it has steps.
    length = plan.steps if plan.is_cyclic else int(plan.depth)

    def play() -> None:
        if is_long(games * length * (len(starts) if every_start else 1)):
            from .arrays import Lengths, play_branching

            found: Lengths[_Position[State]] = Lengths(won_after)
            try:
                play_branching(
                    [(start, 0, referee.initial) for start in starts],
                    referee.arrivals,
                    referee.follows,
                    referee.verdict,
                    games,
                    chance,
                    every_start=every_start,
                    most_turns=most_turns,
                    found=found,
                    tell=tell,
                )
            finally:
                lost.extend(start for start, _, _ in found.lost_from)
        else:
            actions = 0
            for played, start in enumerate(draw_starts(starts, games, chance, every_start), 1):
                game = referee.play(start, chance, most_turns)
                actions += len(game.turns)
                if game.won:
                    won_after[len(game.turns)] += 1
                else:
                    lost.append(start)
                tell(played, actions)

    stopped = stopped_within(budget or Budget(), play)
    return Simulation(won_after.total() + len(lost), dict(sorted(won_after.items())), tuple(lost), stopped)
