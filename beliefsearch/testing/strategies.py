"""Hypothesis strategies for one's own problem: its states, actions and beliefs, and walks through it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

from attrs import frozen

from ..errors import BeliefSearchError, ProblemError
from ..kinds import is_stochastic, possible_game
from ..model.base import Action, Percept, State
from ..model.belief import Belief, applicable_actions, initial_belief, is_goal_belief, perceived, successors, update
from ..model.problem import BeliefProblem
from ..model.stochastic import AnyProblem
from ..model.values import listed
from ..simulation.game import Turn

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy


@frozen
class Walk(Generic[State, Action, Percept]):
    """A walk through a problem by a player who does not see the state.

    Attributes
    ----------
    start
        The true state at the beginning.
    turns
        The actions, each with the true state and the percept that followed, and the belief after it.
    """

    start: State
    turns: tuple[Turn[State, Action, Percept], ...]


def reached(problem: AnyProblem[State, Action], most: int) -> dict[State, dict[Action, tuple[State, ...]]]:
    """Return the first `most` reachable states in breadth-first order, with their actions and results."""
    game = possible_game(problem)
    frontier = list(dict.fromkeys(game.initial_states()))[:most]
    met = set(frontier)
    found: dict[State, dict[Action, tuple[State, ...]]] = {}
    for state in frontier:  # grows while it is walked
        found[state] = {action: tuple(successors(game, state, action)) for action in listed(game.actions(state))}
        for results in found[state].values():
            for result in results:
                if result not in met and len(frontier) < most:
                    met.add(result)
                    frontier.append(result)
    return found


def states(problem: AnyProblem[State, Any], *, most: int = 1000) -> SearchStrategy[State]:
    """Return a strategy for the reachable states of a problem of any kind.

    Parameters
    ----------
    problem
        The problem, of any kind.
    most
        The most states; if there are more, the first ones in breadth-first order are taken.

    Notes
    -----
    It shrinks towards the initial states. The states are found when the strategy is made, by one call of `results`
    (`outcomes`) for each state and action.

    Examples
    --------
    >>> from hypothesis import given
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> @given(states(DevilProblem(n=3)))
    ... def test_there_are_three_coins(table):
    ...     assert len(table) == 3
    >>> test_there_are_three_coins()
    """
    strategy: SearchStrategy[State] = _hypothesis().sampled_from([*reached(problem, most)])
    return strategy


def actions(problem: AnyProblem[State, Action], *, most: int = 1000) -> SearchStrategy[tuple[State, Action]]:
    """Return a strategy for pairs of a reachable state and an action that applies there; arguments as in `states`.

    Raises `ProblemError` if no action applies anywhere.
    """
    pairs = [(state, action) for state, by_action in reached(problem, most).items() for action in by_action]
    if not pairs:
        raise ProblemError(f"in {type(problem).__name__} no action applies in any state that can come up")
    strategy: SearchStrategy[tuple[State, Action]] = _hypothesis().sampled_from(pairs)
    return strategy


def walks(problem: AnyProblem[State, Action], *, most_turns: int = 10) -> SearchStrategy[Walk[State, Action, Any]]:
    """Return a strategy for walks from an initial state by actions that apply in the whole belief, up to the goal.

    Parameters
    ----------
    problem
        The problem, of any kind. In a stochastic one the player sees every state.
    most_turns
        The greatest length of a walk.

    Notes
    -----
    Results and percepts are drawn from all that the problem lists. It shrinks towards short walks from the first
    initial state by first actions. By the definition of a belief, each belief of the walk contains the true state.
    """
    game = possible_game(problem)
    known = initial_belief(game)
    starts = list(dict.fromkeys(game.initial_states()))
    strategies = _hypothesis()

    def walk(draw: DrawFn) -> Walk[State, Action, Any]:
        state = start = draw(strategies.sampled_from(starts))
        belief = known
        turns: list[Turn[State, Action, Any]] = []
        for _ in range(draw(strategies.integers(0, most_turns))):
            possible = [] if is_goal_belief(game, belief) else _common(game, state, belief)
            if not possible:
                break
            action = draw(strategies.sampled_from(possible))
            state = draw(strategies.sampled_from([*successors(game, state, action)]))
            percept = draw(strategies.sampled_from(perceived(game, state, action)))
            predicted = frozenset(after for before in belief for after in successors(game, before, action))
            belief = update(game, predicted, action, percept)
            turns.append(Turn(action, state, percept, belief))
        return Walk(start, tuple(turns))

    strategy: SearchStrategy[Walk[State, Action, Any]] = strategies.composite(walk)()
    return strategy


def beliefs(problem: BeliefProblem[State, Any, Any], *, most_turns: int = 10) -> SearchStrategy[Belief[State]]:
    """Return a strategy for reachable beliefs, each at the end of a walk; the arguments are as in `walks`.

    Raises `ProblemError` for a stochastic problem, whose player sees every state.
    """
    if is_stochastic(problem):
        raise ProblemError(f"the player sees every state of {type(problem).__name__}, so there are no beliefs")
    first = initial_belief(problem)
    return walks(problem, most_turns=most_turns).map(
        lambda walk: first if not walk.turns else walk.turns[-1].belief or first
    )


def _common(game: BeliefProblem[Any, Any, Any], state: Any, belief: Belief[Any]) -> list[Any]:
    """Return the actions that apply in all states of `belief`, in the order in which the true state lists them."""
    everywhere = set(applicable_actions(game, belief))
    return [action for action in listed(game.actions(state)) if action in everywhere]


def _hypothesis() -> Any:
    """Import `hypothesis.strategies`; raise an error with the command that installs it if it is missing."""
    try:
        from hypothesis import strategies
    except ImportError:
        raise BeliefSearchError(
            "the strategies of beliefsearch.testing need hypothesis: pip install hypothesis"
        ) from None
    return strategies
