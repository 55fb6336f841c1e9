"""Games of a plan, a sequence or a conditional plan, against chance.

A simulation proves nothing: the checker follows every result, a game only one. Games are played with the problem's own
states, without `canonical`, which would change the probabilities of results. The plain loop is the definition;
`vectorised.py` plays many games at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial, reduce
from random import Random
from typing import Any, Generic, TypeAlias

from attrs import evolve

from ..errors import BeliefSearchError, InvalidPlanError
from ..model.base import Action, State
from ..model.belief import (
    Belief,
    initial_belief,
    initial_states,
    is_goal_belief,
    outcomes,
    perceived,
    predict,
    successors,
)
from ..model.problem import BeliefProblem
from ..plans.plan import ConditionalPlan
from ..running.alarm import stopped_within
from ..running.limits import Budget
from .game import Game, ManyGames, Simulation, Turn

# The number of actions, in all games together, that the plain loop does in the time it takes to load NumPy.
_PLAYED_PLAINLY = 100_000
# A game of a cyclic plan is given up after this many turns.
_MOST_TURNS = 100_000

_Position: TypeAlias = tuple[State, int, Belief[State]]


def possible_starts(problem: BeliefProblem[State, Action, Any]) -> list[State]:
    """Every state that the game may start from: one for a plain problem."""
    return list(dict.fromkeys(initial_states(problem)))


def choose_result(problem: BeliefProblem[State, Action, Any], state: State, action: Action, chance: Random) -> State:
    """A random result of `action` in `state`; each listed result is equally likely. Raises as `listed_results` does."""
    return chance.choice(listed_results(problem, state, action))


def listed_results(problem: BeliefProblem[State, Action, Any], state: State, action: Action) -> list[State]:
    """The results of `action` in `state`, with the author's repetitions; `InvalidPlanError` if it does not apply."""
    if action not in problem.actions(state):
        raise InvalidPlanError(
            f"the action {problem.format_action(action)} does not apply to {problem.format_state(state)}"
        )
    return list(successors(problem, state, action))


def wins_by_state(problem: BeliefProblem[State, Action, Any]) -> bool:
    """Whether the true state alone decides if the game is won; not if `goal_sets` is overridden."""
    return not problem.overrides("goal_sets")


class _SequencePlayer(Generic[State, Action]):
    """Does the actions of a sequence one after the other."""

    def __init__(self, problem: BeliefProblem[State, Action, Any], plan: Iterable[Action]) -> None:
        self._problem = problem
        self._plan = tuple(plan)
        self._by_state = wins_by_state(problem)
        self.length = len(self._plan)
        # Only used with goal sets: whether the player knows at the end that the game is won.
        self._leads_to_goal = not self._by_state and is_goal_belief(
            problem, reduce(partial(predict, problem), self._plan, initial_belief(problem))
        )

    def play(self, start: State, chance: Random) -> Game[State, Action, Any]:
        states = [start]
        for action in self._plan:
            states.append(choose_result(self._problem, states[-1], action, chance))
        won_after: int | None = len(self._plan)
        if self._by_state:
            until = len(states)
            while until and self._problem.is_goal(states[until - 1]):
                until -= 1
            won_after = until if until < len(states) else None
        elif not self._leads_to_goal:
            won_after = None
        return Game(start, tuple(map(Turn, self._plan, states[1:])), won_after)

    def play_many(self, starts: Sequence[State], many: ManyGames[State]) -> None:
        from .vectorised import play_sequence

        results = partial(listed_results, self._problem)
        goal = self._problem.is_goal if self._by_state else self._leads_to_goal
        play_sequence(results, goal, self._plan, starts, many)

    def learn(self, belief: Belief[State], turn: Turn[State, Action, Any]) -> Belief[State]:
        return predict(self._problem, belief, turn.action)


class _ConditionalPlayer(Generic[State, Action]):
    """Follows the branches of the percepts and keeps the belief; each belief is computed once."""

    def __init__(self, problem: BeliefProblem[State, Action, Any], plan: ConditionalPlan[Action, Any]) -> None:
        self._problem = problem
        self._plan = plan
        self._initial: Belief[State] = initial_belief(problem)
        self._after: dict[tuple[Belief[State], Any], dict[Any, Belief[State]]] = {}
        # The depth of the plan; games of a cyclic plan take about as many actions as it has steps.
        self.length = plan.steps if plan.is_cyclic else int(plan.depth)

    def _know(self, belief: Belief[State], action: Action, percept: Any) -> Belief[State]:
        key = belief, action
        if key not in self._after:
            found = outcomes(self._problem, belief, action)
            self._after[key] = {percept: frozenset(states) for percept, states in found.items()}
        if percept not in self._after[key]:
            raise BeliefSearchError("the game has begun in a state that was not possible")
        return self._after[key][percept]

    def _follow(self, node: int, action: Action, percept: Any) -> int:
        try:
            return self._plan.follow(node, percept)
        except KeyError:
            problem = self._problem
            raise InvalidPlanError(
                f"after {problem.format_action(action)} the percept {problem.format_percept(percept)} came, "
                "and the plan has no branch for it"
            ) from None

    def play(self, start: State, chance: Random) -> Game[State, Action, Any]:
        position: _Position[State] = (start, 0, self._initial)
        turns: list[Turn[State, Action, Any]] = []
        while self._verdict(position) is None and len(turns) < _MOST_TURNS:
            state, node, belief = position
            action: Any = self._plan.nodes[node].action
            state = choose_result(self._problem, state, action, chance)
            percept = chance.choice(perceived(self._problem, state, action))
            turns.append(Turn(action, state, percept))
            position = state, self._follow(node, action, percept), self._know(belief, action, percept)
        return Game(start, tuple(turns), len(turns) if self._verdict(position) else None)

    # Arguments of `play_conditional`. A position is a state, a node, and the player's belief.

    def _arrivals(self, position: _Position[State]) -> list[_Position[State]]:
        state, node, belief = position
        action: Any = self._plan.nodes[node].action
        return [(result, node, belief) for result in listed_results(self._problem, state, action)]

    def _follows(self, arrival: _Position[State]) -> list[_Position[State]]:
        state, node, belief = arrival
        action: Any = self._plan.nodes[node].action
        percepts = perceived(self._problem, state, action)
        return [(state, self._follow(node, action, p), self._know(belief, action, p)) for p in percepts]

    def _verdict(self, position: _Position[State]) -> bool | None:
        _, node, belief = position
        return is_goal_belief(self._problem, belief) if self._plan.nodes[node].is_end else None

    def play_many(self, starts: Sequence[State], many: ManyGames[State]) -> None:
        from .vectorised import play_conditional

        begin = [(start, 0, self._initial) for start in starts]
        games: Any = evolve(many, lost_from=[])  # in positions
        try:
            play_conditional(begin, self._arrivals, self._follows, self._verdict, _MOST_TURNS, games)
        finally:
            many.lost_from.extend(start for start, _, _ in games.lost_from)

    def learn(self, belief: Belief[State], turn: Turn[State, Action, Any]) -> Belief[State]:
        return self._know(belief, turn.action, turn.percept)


def _player(
    problem: BeliefProblem[State, Action, Any], plan: Iterable[Action]
) -> _SequencePlayer[State, Action] | _ConditionalPlayer[State, Action]:
    """Choose the player: `play` plays one game, and `play_many` many games on arrays.

    `learn` updates the belief after a turn, and `length` estimates the number of actions of a game.
    """
    if isinstance(plan, ConditionalPlan):
        return _ConditionalPlayer(problem, plan)
    return _SequencePlayer(problem, plan)


def play_plan(
    problem: BeliefProblem[State, Action, Any],
    plan: Iterable[Action],
    start: State | None,
    chance: Random,
    *,
    beliefs: bool = False,
) -> Game[State, Action, Any]:
    """Play `plan` from `start`, or from a random start; results and percepts are equally likely."""
    player = _player(problem, plan)
    game = player.play(chance.choice(possible_starts(problem)) if start is None else start, chance)
    if not beliefs:
        return game
    belief, turns = initial_belief(problem), []
    for turn in game.turns:
        belief = player.learn(belief, turn)
        turns.append(evolve(turn, belief=belief))
    return evolve(game, turns=tuple(turns))


def simulate_plan(
    problem: BeliefProblem[State, Action, Any], plan: Iterable[Action], many: ManyGames[State], budget: Budget
) -> Simulation[State]:
    """Play `plan` many times."""

    def play() -> None:
        player = _player(problem, plan)
        starts = possible_starts(problem) if many.starts is None else many.starts
        if many.games * player.length * (len(starts) if many.every_start else 1) > _PLAYED_PLAINLY:
            player.play_many(starts, many)
            return
        actions = 0
        for played, start in enumerate(many.begin(starts), 1):
            game = player.play(start, many.chance)
            actions += len(game.turns)
            if game.won_after is None:
                many.lost_from.append(start)
            else:
                many.won_after[game.won_after] += 1
            many.tell(played, actions)

    stopped = stopped_within(budget, play)
    return Simulation(dict(sorted(many.won_after.items())), tuple(many.lost_from), stopped)
