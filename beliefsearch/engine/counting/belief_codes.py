"""Codes of the beliefs of a problem: bit sets of numbered states as rows of words, expanded by compiled kernels.

An action applies in a belief if it applies in every state of it. Without percepts the successor of a belief is its
image, the set of all results; with percepts there is one successor for each percept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.belief import no_tick
from ...model.problem import BeliefProblem
from ..bits.contingent import BitsetContingentView
from ..compiled.array_model import ArrayModel, CompiledModel
from ..compiled.bitset_kernels import RelationTables, images, includes, is_goal, list_members
from ..compiled.bitset_words import Words, members_of_words
from ..compiled.jit import kernel
from ..compiled.observed_model import ObservedModel, OutcomeRows
from .codes import Codes, Flags

_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)
_ONE = np.uint64(1)
_LOW = np.int64(63)

# With more states than this a bound of 2^states is too large to be of use.
_MOST_BOUNDED = 40


class BeliefSpace:
    """All reachable beliefs of a problem; see `Space`.

    The caller wraps a problem with chance (`model.chance.Possible`), and one whose percepts are ignored
    (`Blindfolded`). All states are numbered when the space is made. `tick` is called now and then and raises to stop;
    `numbered` is called with the number of states so far. `model`, for a problem without percepts, is one that the
    caller has made already.

    Raises `ProblemError` if the problem breaks its contract, and `TooManyStates` if it has percepts and more pairs of a
    state and an action than an array should have.
    """

    def __init__(
        self,
        problem: BeliefProblem[Any, Any, Any],
        tick: Callable[[], None] = no_tick,
        numbered: Callable[[int], None] = lambda states: None,
        model: CompiledModel[Any, Any] | None = None,
    ) -> None:
        # The space keeps arrays only and not the model, so that it can be pickled.
        self._transitions: RelationTables | OutcomeRows
        self._side_by_side: NDArray[np.uint64] | None = None
        if problem.is_sensorless():
            known: ArrayModel[Any, Any] = model or CompiledModel(problem, tick, numbered)
            assert isinstance(known, CompiledModel)
            self._transitions = forward = known.forward
            if known.width == 1 and len(forward.tables):  # the entries of a byte under all actions lie side by side
                self._side_by_side = np.ascontiguousarray(forward.tables[..., 0].transpose(1, 2, 0))
        else:
            known = ObservedModel(BitsetContingentView(problem, tick, numbered), tick)
            self._transitions = known.rows
            self._percepts = len(known.percepts)
        self._rules = known.rules
        self.words = known.width
        self.actions = len(known.actions)
        self.bound = 2 ** len(known.states) if len(known.states) <= _MOST_BOUNDED else None
        self._states: Sequence[Any] = known.states
        self._initial = known.initial

    def starts(self) -> Codes:
        """The initial belief."""
        return self._initial[np.newaxis].copy()

    def successors(self, codes: Codes) -> Codes:
        """Return the successors of these beliefs under all actions and percepts, belief by belief."""
        if self._side_by_side is None:
            return self._following(codes, 0, self.actions)[0]
        applicable, everywhere = self._rules[:2]
        return one_word_images(self._side_by_side, applicable, everywhere, codes)

    def results(self, codes: Codes, action: int) -> tuple[Codes, NDArray[Any]]:
        """Return the successors of these beliefs under one action, and the row of the belief that each follows."""
        return self._following(codes, action, action + 1)

    def _following(self, codes: Codes, first: int, end: int) -> tuple[Codes, NDArray[Any]]:
        """Return the successors under the actions from `first` to below `end`, and the row of each one's parent."""
        transitions, applicable = self._transitions, self._rules.applicable
        if not isinstance(transitions, OutcomeRows):
            out, traced, _ = images(transitions, applicable, first, end, codes)
            return out, traced
        found, rows = [codes[:0]], [np.zeros(0, dtype=np.intp)]
        done = 0
        room = (end - first) * (max(1, self._percepts) + 2 * len(codes))  # enough for all successors of one belief
        while done < len(codes):
            out, origins, expanded = split(transitions, applicable, self._percepts, first, end, codes[done:], room)
            found.append(out)
            rows.append(origins + done)
            done += expanded
        return np.concatenate(found), np.concatenate(rows)

    def goals(self, codes: Codes) -> Flags:
        """Mark the beliefs that lie in a goal set."""
        return goal_flags(*self._rules[2:], codes)

    def values(self, codes: Codes) -> list[Any]:
        """The beliefs as frozensets of states."""
        return [frozenset(self._states[number] for number in members_of_words(code)) for code in codes]


@kernel
def goal_flags(goals: Words, goals_of: NDArray[np.int64], goals_around: NDArray[np.int64], beliefs: Words) -> Flags:
    """Mark the beliefs that lie in a goal set; see `is_goal`."""
    found = np.empty(len(beliefs), dtype=np.bool_)
    for row in range(len(beliefs)):
        found[row] = is_goal(goals, goals_of, goals_around, beliefs[row])
    return found


@kernel
def one_word_images(tables: NDArray[np.uint64], applicable: Words, everywhere: bool, beliefs: Words) -> Words:
    """Return the images of beliefs of one word under all actions.

    The byte tables have the shape (bytes, 256, actions), so that a look-up for all actions is in one place of memory.
    """
    places, actions = tables.shape[0], tables.shape[2]
    out = np.empty((beliefs.shape[0] * actions, 1), dtype=np.uint64)
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
    return out[:count]


@kernel
def split(
    transitions: OutcomeRows, applicable: Words, percepts: int, first: int, end: int, beliefs: Words, room: int
) -> Any:
    """Return the successors of the first beliefs, as many as there is room for.

    Also returns the row of each successor's parent, and the number of beliefs that are expanded.
    """
    offsets, percept_of, result_of = transitions
    count = 0
    width = beliefs.shape[1]
    out, origins = np.empty((room, width), dtype=np.uint64), np.empty(room, dtype=np.intp)
    members = np.empty(64 * width, dtype=np.int64)
    place_of = np.empty(percepts, dtype=np.int64)  # by percept, its last row of `out`; below `begun` it is an old one
    place_of[:] = -1
    for origin in range(beliefs.shape[0]):
        if count + (end - first) * percepts > room:
            return out[:count], origins[:count], origin
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
    return out[:count], origins[:count], beliefs.shape[0]
