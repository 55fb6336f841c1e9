"""Codes of the beliefs of a problem: sets of numbered states as rows of words, walked by compiled kernels.

An action applies in a belief when it applies in every state of it. Where nothing is perceived the belief that follows
is the set of all results, its image; otherwise one belief follows for each percept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...model.belief import no_tick
from ...model.problem import BeliefProblem
from ..bits.contingent import BitsetContingentView
from ..compiled.array_model import CompiledModel
from ..compiled.bitset_kernels import RelationTables, image, includes, is_goal, list_members
from ..compiled.bitset_words import Words, members_of_words
from ..compiled.jit import kernel
from ..compiled.observed_model import ObservedModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .codes import Codes, Flags

_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)


class Images:
    """Images of sets of states under the actions of a model; has its arrays, and can be pickled."""

    def __init__(self, model: CompiledModel[Any, Any]) -> None:
        self._relations = forward = model.forward
        self._applicable = model.applicable
        self._everywhere = model.applies_everywhere
        self._side_by_side: NDArray[np.uint64] | None = None
        if model.width == 1 and len(forward.tables):  # what a byte leads to under all actions lies side by side
            self._side_by_side = np.ascontiguousarray(forward.tables[..., 0].transpose(1, 2, 0))

    def successors(self, codes: Codes) -> Codes:
        """Return all images, belief by belief."""
        if self._side_by_side is None:
            return self.results(codes, 0, len(self._applicable))[0]
        out: Codes = np.empty((len(codes) * len(self._applicable), 1), dtype=np.uint64)
        count = one_word_images(self._side_by_side, self._applicable, self._everywhere, codes, out)
        return out[:count]

    def results(self, codes: Codes, first: int, end: int) -> tuple[Codes, NDArray[np.intp]]:
        """Return the images under the actions from `first` to before `end`, and the rows from which they come."""
        room = len(codes) * (end - first)
        out: Codes = np.empty((room, codes.shape[1]), dtype=np.uint64)
        rows = np.empty(room, dtype=np.intp)
        count = images(self._relations, self._applicable, first, end, codes, out, rows)
        return out[:count], rows[:count]


@kernel
def images(
    relations: RelationTables,
    applicable: Words,
    first: int,
    end: int,
    beliefs: Words,
    out: Words,
    rows: NDArray[np.intp],
) -> int:
    """Write the images of beliefs to `out`, and the rows from which they come; returns how many they are."""
    count = 0
    for row in range(beliefs.shape[0]):
        for action in range(first, end):
            if includes(applicable[action], beliefs[row]):
                image(relations, action, beliefs[row], out[count])
                rows[count] = row
                count += 1
    return count


@kernel
def one_word_images(tables: NDArray[np.uint64], applicable: Words, everywhere: bool, beliefs: Words, out: Words) -> int:
    """Write the images of beliefs of one word under all actions to `out`; `tables` are side by side."""
    places, actions = tables.shape[0], tables.shape[2]
    count = 0
    for row in range(beliefs.shape[0]):
        belief = beliefs[row, 0]
        for action in range(actions):
            if everywhere or belief & ~applicable[action, 0] == 0:
                found = np.uint64(0)
                rest = belief
                for place in range(places):
                    found |= tables[place, rest & _BYTE, action]
                    rest >>= _EIGHT
                out[count, 0] = found
                count += 1
    return count


_ONE = np.uint64(1)
_LOW = np.int64(63)


class PerceivedParts:
    """Beliefs after the actions of a model, by percept; has the model's arrays, and can be pickled."""

    def __init__(self, model: ObservedModel[Any, Any]) -> None:
        self._arrays = *model.rows, model.applicable
        self._percepts, self._actions = len(model.percepts), len(model.actions)

    def successors(self, codes: Codes) -> Codes:
        """Return all of them, belief by belief."""
        return self.results(codes, 0, self._actions)[0]

    def results(self, codes: Codes, first: int, end: int) -> tuple[Codes, NDArray[np.intp]]:
        """Return the successors under the actions from `first` to before `end`, and the rows from which they come."""
        found: list[Codes] = []
        rows: list[NDArray[np.intp]] = []
        done = 0
        least = max(1, (end - first) * self._percepts)  # room for what may follow one belief
        room = least + 2 * len(codes) * (end - first)
        while done < len(codes):
            out: Codes = np.empty((room, codes.shape[1]), dtype=np.uint64)
            origins = np.empty(room, dtype=np.intp)
            count, expanded = split(*self._arrays, self._percepts, first, end, codes[done:], out, origins)
            found.append(out[:count])
            rows.append(origins[:count] + done)
            done += expanded
        if not found:
            return codes[:0], np.zeros(0, dtype=np.intp)
        return np.concatenate(found), np.concatenate(rows)


@kernel
def split(
    offsets: NDArray[np.int64],
    percept_of: NDArray[np.int32],
    result_of: NDArray[np.int32],
    applicable: Words,
    percepts: int,
    first: int,
    end: int,
    beliefs: Words,
    out: Words,
    origins: NDArray[np.intp],
) -> Any:
    """Write what follows `beliefs` to `out` while there is room for one more belief's; returns how many of both."""
    count = 0
    width = beliefs.shape[1]
    members = np.empty(64 * width, dtype=np.int64)
    place_of = np.empty(percepts, dtype=np.int64)  # by percept: the row of `out`, if it is one of this action's
    place_of[:] = -1
    for origin in range(beliefs.shape[0]):
        if count + (end - first) * percepts > out.shape[0]:
            return count, origin
        belief = beliefs[origin]
        size = list_members(belief, members)
        for action in range(first, end):
            if not includes(applicable[action], belief):
                continue
            begun = count
            for place in range(size):
                row = members[place] * applicable.shape[0] + action
                for entry in range(offsets[row], offsets[row + 1]):
                    percept = percept_of[entry]
                    if place_of[percept] < begun:
                        place_of[percept] = count
                        origins[count] = origin
                        for word in range(width):
                            out[count, word] = 0
                        count += 1
                    result = np.int64(result_of[entry])
                    out[place_of[percept], result >> 6] |= _ONE << np.uint64(result & _LOW)
    return count, beliefs.shape[0]


# With so many states there is no saying how many beliefs there may be.
_MOST_BOUNDED = 40


class BeliefSpace:
    """All beliefs that can come up; see `Space`.

    Chance is to be forgotten first (`model.chance.Possible`), and who plays blindfolded to be said (`Blindfolded`). All
    states are numbered when the space is made: `tick` is called now and then and raises to stop, `numbered` with the
    number of states so far.

    Raises `ProblemError` if the problem breaks its contract, and `TooManyStates` if it has percepts and there are more
    pairs of a state and an action than an array should have. A model that was made before is taken if it is given: of a
    problem without percepts.
    """

    def __init__(
        self,
        problem: BeliefProblem[Any, Any, Any],
        tick: Callable[[], None] = no_tick,
        numbered: Callable[[int], None] = lambda states: None,
        model: CompiledModel[Any, Any] | ObservedModel[Any, Any] | None = None,
    ) -> None:
        self._steps: Images | PerceivedParts
        if problem.is_sensorless():
            model = model if isinstance(model, CompiledModel) else CompiledModel(problem, tick, numbered)
            self._steps = Images(model)
        else:
            model = ObservedModel(BitsetContingentView(problem, tick, numbered), tick)
            self._steps = PerceivedParts(model)
        self.words = model.width
        self.actions = len(model.actions)
        self.bound = 2 ** len(model.states) if len(model.states) <= _MOST_BOUNDED else None
        self._states: Sequence[Any] = model.states
        self._initial = model.initial
        self._goals = model.goals, model.goals_of, model.goals_around

    def starts(self) -> Codes:
        """The initial belief."""
        return self._initial[np.newaxis].copy()

    def successors(self, codes: Codes) -> Codes:
        """Return the successors of these beliefs under all actions and percepts."""
        return self._steps.successors(codes)

    def results(self, codes: Codes, action: int) -> tuple[Codes, NDArray[np.intp]]:
        """Return the successors of these beliefs under one action, and the row of the belief that each follows."""
        return self._steps.results(codes, action, action + 1)

    def goals(self, codes: Codes) -> Flags:
        """Mark the beliefs that lie in a goal set."""
        return goal_flags(*self._goals, codes)

    def values(self, codes: Codes) -> list[Any]:
        """The beliefs as frozensets of states."""
        return [frozenset(self._states[number] for number in members_of_words(code)) for code in codes]


@kernel
def goal_flags(goals: Words, goals_of: NDArray[np.int64], goals_around: NDArray[np.int64], beliefs: Words) -> Flags:
    """Mark the beliefs that lie in a goal set; see `kernels.is_goal`."""
    found = np.empty(len(beliefs), dtype=np.bool_)
    for row in range(len(beliefs)):
        found[row] = is_goal(goals, goals_of, goals_around, beliefs[row])
    return found
