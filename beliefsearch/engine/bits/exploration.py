"""All reachable states of a belief problem and the results of all actions in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from ...model.belief import initial_states
from ...model.problem import Action, BeliefProblem
from ...running.limits import LimitReached, Outgrown
from .numbered_model import NumberedModel

After = TypeVar("After")

Transitions: TypeAlias = dict[Action, dict[int, tuple[int, ...]]]
"""By action, by number of a state in which it applies: the numbers of its results."""

# The number of states whose actions are asked for at a time.
_CHUNK = 1024


def explore(model: NumberedModel[Any, Action], most: int | None = None) -> Transitions[Action]:
    """Number every reachable state, and find the results of each of its actions (see `explore_by`)."""
    return explore_by(model, model.results, most)


def explore_by(
    model: NumberedModel[Any, Action], follow: Callable[[int, Action], Iterable[After]], most: int | None = None
) -> dict[Action, dict[int, tuple[After, ...]]]:
    """Number every reachable state, and gather what follows each of its actions, such as numbers of results.

    `follow` numbers the results.

    Raises `Outgrown` beyond `most` pairs of a state and an action, and `LimitReached`, which says how many states were
    found and what to do, if a limit, or memory, ends it. O(states + transitions) calls of the author's code, and as
    much memory.
    """
    transitions: dict[Action, dict[int, tuple[After, ...]]] = {}
    done = asked = 0
    try:
        model.initial_belief()
        while done < len(model.states):
            numbers = range(done, min(done + _CHUNK, len(model.states)))
            for number, actions in zip(numbers, model.action_lists(numbers), strict=True):
                asked += len(actions)
                if most is not None and asked > most:
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


def has_more_pairs(problem: BeliefProblem[Any, Any, Any], most: int) -> bool:
    """Whether there are more pairs of a start and an action of the first start than `most`."""
    starts = list(islice(initial_states(problem), most + 1))
    actions = most // len(starts)
    return len(list(islice(problem.actions(starts[0]), actions + 1))) > actions
