"""All reachable states of a belief problem and the results of all actions in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from ...model.belief import initial_states, no_tick
from ...model.hooks import states_in_arrays
from ...model.problem import Action, BeliefProblem
from ...running.limits import LimitReached, Outgrown
from .numbered_model import NumberedModel

After = TypeVar("After")

Transitions: TypeAlias = dict[Action, dict[int, tuple[int, ...]]]
"""By action, by number of a state in which it applies: the numbers of its results."""

MOST_ASKED = 2_000_000
"""Pairs of a state and an action that are asked about one by one, at the most, to make a table of what actions tell."""

# The number of states whose actions are asked for at a time.
_CHUNK = 1024


def explore(model: NumberedModel[Any, Action], most_pairs: int | None = None) -> Transitions[Action]:
    """Number every reachable state, and find the results of each of its actions (see `explore_by`)."""
    return explore_by(model, model.results, most_pairs)


def explore_by(
    model: NumberedModel[Any, Action], follow: Callable[[int, Action], Iterable[After]], most_pairs: int | None = None
) -> dict[Action, dict[int, tuple[After, ...]]]:
    """Number every reachable state, and gather what follows each of its actions, such as numbers of results.

    `follow` numbers the results.

    Raises `Outgrown` beyond `most_pairs` pairs of a state and an action, and `LimitReached`, which says how many states
    were found and what to do, if a limit, or memory, ends it. O(states + transitions) calls of the author's code, and
    as much memory.
    """
    transitions: dict[Action, dict[int, tuple[After, ...]]] = {}
    done = asked = 0
    try:
        model.initial_belief()
        while done < len(model.states):
            numbers = range(done, min(done + _CHUNK, len(model.states)))
            for number, actions in zip(numbers, model.action_lists(numbers), strict=True):
                asked += len(actions)
                if most_pairs is not None and asked > most_pairs:
                    raise Outgrown
                for action in actions:
                    rows = transitions.setdefault(action, {})
                    rows[number] = tuple(follow(number, action))
            done = numbers.stop
    except (LimitReached, MemoryError) as stop:
        transitions.clear()
        reason = "memory ran out" if isinstance(stop, MemoryError) else str(stop) or "a limit was reached"
        raise LimitReached(
            f"{reason} while the states were being numbered; {len(model.states):,} had been found and {done:,} of them "
            "explored. Make the puzzle smaller, raise the limit, or let canonical() name one state for all that are "
            "equivalent"
        ) from None
    return transitions


class StartPairs:
    """The pairs of a start and an action of the first start, counted no further than somebody asks."""

    def __init__(self, problem: BeliefProblem[Any, Any, Any], tick: Callable[[], None] = no_tick) -> None:
        self._tick = tick
        self._new_starts = initial_states(problem, tick)
        first = next(self._new_starts)
        self._starts = 1
        actions = problem.actions(first)
        self._actions, self._new_actions = 0, iter(actions)
        if isinstance(actions, Sized):
            self._actions, self._new_actions = len(actions), iter(())

    def exceed(self, most: int) -> bool:
        """Whether there are more than `most`."""
        self._starts += _counted(self._new_starts, most + 1 - self._starts)
        actions = most // self._starts
        self._actions += _counted(self._ticked(self._new_actions), actions + 1 - self._actions)
        return self._actions > actions

    def _ticked(self, actions: Iterator[Any]) -> Iterator[Any]:
        for action in actions:
            self._tick()
            yield action


def _counted(things: Iterator[Any], most: int) -> int:
    """How many of these things there are, up to `most`; they are gone then, and no others."""
    return sum(1 for _ in islice(things, max(0, most)))


def has_more_in_arrays(problem: BeliefProblem[Any, Any, Any], most_pairs: int) -> bool:
    """Whether the author gives more pairs of a start and an action in arrays, which nobody should ask one by one."""
    return states_in_arrays(problem) is not None and StartPairs(problem).exceed(most_pairs)
