"""The reached beliefs of a breadth-first search as a bitmap: a bit for each set of states.

With n states a belief is a number below 2^n, and the bit of that number tells whether it has been reached. Only the
waiting beliefs are listed. Parents are kept as bits, too: a bit for each expanded belief and action, in the order in
which successors are generated, tells whether the successor was new. So the k-th bit that is set belongs to the k-th
belief reached, and its place tells the parent and the action.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...running.store.checkpoint import Checkpoint
from .array_model import CompiledModel, Rules
from .bitset_kernels import bits_of, is_goal
from .bitset_words import Words, members_of_words
from .hashed_visited import EXHAUSTED, FULL, GOAL, PAUSED, Counters, ListedBeliefs, Outcome
from .jit import kernel

_ZERO, _ONE, _SIX, _EIGHT = (np.uint64(number) for number in (0, 1, 6, 8))
_LOW, _BYTE = np.uint64(63), np.uint64(255)


@kernel
def expand_mapped(
    tables: NDArray[np.uint64],
    rules: Rules,
    largest_goal: int,
    waiting: Words,
    reached: Words,
    steps: Words,
    counters: Counters,
    most_expanded: int,
    most_generated: int,
) -> tuple[int, tuple[int, ...]]:
    """Do the same as `expand_any_width` on the arrays of `MappedBeliefs`, and fill `steps`, which is all zero.

    Pauses also if `steps` has no room for one more belief. The only branch that the processor cannot predict is whether
    a belief is new; so it looks up many bits of the map at the same time.
    """
    applicable, applies_everywhere, goals, goals_of, goals_around = rules
    head, count, layer_end, depth, generated, max_frontier, max_size = counters
    pause = generated + most_generated
    actions, places = tables.shape[0], tables.shape[1]
    most_expanded = min(most_expanded, head + steps.size * 64 // actions)
    last = np.uint64(waiting.size - 1)
    step = _ZERO
    outcome = EXHAUSTED
    while head < count and outcome == EXHAUSTED:
        if head == layer_end:
            layer_end = count
            depth += 1
        if generated >= pause or head >= most_expanded:
            outcome = PAUSED
            break
        if count + actions - head > waiting.size:
            outcome = FULL
            break
        belief = waiting[np.uint64(head) & last]
        max_frontier = max(max_frontier, count - head)
        head += 1
        for action in range(actions):
            here = step
            step += _ONE
            if not applies_everywhere and belief & ~applicable[action, 0] != 0:
                continue
            generated += 1
            child = _ZERO
            rest = belief
            for place in range(places):
                child |= tables[action, place, rest & _BYTE, 0]
                rest >>= _EIGHT
            word, bit = child >> _SIX, _ONE << (child & _LOW)
            if reached[word] & bit != 0:
                continue
            reached[word] |= bit
            steps[here >> _SIX] |= _ONE << (here & _LOW)
            slot = np.uint64(count) & last
            waiting[slot] = child
            count += 1
            size = int(bits_of(child))
            max_size = max(max_size, size)
            if size <= largest_goal and is_goal(goals, goals_of, goals_around, waiting[slot : slot + _ONE]):
                outcome = GOAL
                break
    return outcome, (head, count, layer_end, depth, generated, max_frontier, max_size)


# Beliefs that are entered into the map at a time when a list becomes a map.
_PIECE = 1 << 16

# The most bits of `steps` that one call of the kernel may need; it pauses long before.
_LONGEST = 1 << 26

# Words of the steps of a stretch whose set bits are listed together.
_BLOCK = 1 << 10


class MappedBeliefs:
    """All reached beliefs as bits of `map`, and those that wait as a ring buffer; with the methods of `ListedBeliefs`.

    Place p of the search's queue is `waiting[p % len(waiting)]`; the length of `waiting` is a power of 2.
    """

    def __init__(self, model: CompiledModel[Any, Any], counters: Counters) -> None:
        self._model = model
        self.counters = counters
        self._largest_goal = int(np.bitwise_count(model.goals).max(initial=0))
        self._stretches: list[_Stretch] = []
        head, count = self.counters[:2]
        self.waiting: Words = np.empty(1 << (count - head + len(model.actions)).bit_length(), dtype=np.uint64)
        self.map: Words = np.zeros(max(1, (1 << len(model.states)) // 64), dtype=np.uint64)

    def take_over(self, listed: ListedBeliefs) -> None:
        """Enter the beliefs of `listed`, which gives up its arrays."""
        head, count = self.counters[:2]
        actions = len(self._model.actions)
        beliefs, parents, via = listed.release()[:3]
        steps: Words = np.zeros(-(-head * actions // 64), dtype=np.uint64)
        for piece in _pieces(1, count):
            _set_bits(steps, parents[piece].astype(np.uint64) * np.uint64(actions) + via[piece])
        self._stretches = [_Stretch(0, 1, steps, actions)]
        del parents, via
        self.waiting[np.arange(head, count) % len(self.waiting)] = beliefs[head:count, 0]
        for piece in _pieces(0, count):
            _set_bits(self.map, beliefs[piece, 0])

    @staticmethod
    def pays(model: CompiledModel[Any, Any], listed: ListedBeliefs) -> bool:
        """Whether a map takes no more memory than a list with twice the room, for the same number of beliefs."""
        if model.width > 1 or not len(model.forward.tables):
            return False
        beliefs = 2 * len(listed.visited.beliefs)
        steps = beliefs * len(model.actions) // 8
        return (1 << len(model.states)) // 8 + 8 * beliefs + steps <= listed.nbytes_with_room

    @property
    def nbytes(self) -> int:
        return self.map.nbytes + self.waiting.nbytes + sum(stretch.steps.nbytes for stretch in self._stretches)

    @property
    def is_full(self) -> bool:
        head, count = self.counters[:2]
        return count - head + len(self._model.actions) > len(self.waiting)

    def make_room(self) -> None:
        """Make room for twice as many waiting beliefs."""
        head, count = self.counters[:2]
        room = len(self.waiting)
        waiting: Words = np.empty(2 * room, dtype=np.uint64)
        for start in range(head - head % room, count, room):  # from one such place to the next nothing wraps around
            begin, end = max(head, start), min(count, start + room)
            there, here = begin % (2 * room), begin % room
            waiting[there : there + end - begin] = self.waiting[here : here + end - begin]
        self.waiting = waiting

    def expand_next(self, most_expanded: int, most_generated: int) -> Outcome:
        model, actions = self._model, len(self._model.actions)
        head, count = self.counters[:2]
        steps: Words = np.zeros(-(-(min(most_generated, _LONGEST) + actions) // 64), dtype=np.uint64)
        outcome, counters = expand_mapped(
            model.forward.tables,
            model.rules,
            self._largest_goal,
            self.waiting,
            self.map,
            steps,
            self.counters,
            most_expanded,
            most_generated,
        )
        self.counters = Counters(*counters)
        used = -(-(self.counters.head - head) * actions // 64)
        self._stretches.append(_Stretch(head, count, steps[:used].copy(), actions))
        return Outcome(outcome)

    def to_save(self, checkpoint: Checkpoint) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
        head, count = self.counters[:2]
        new = self._stretches[checkpoint.rows("stretches") :]
        rows = [(one.first_expanded, one.first_reached, len(one.steps)) for one in new]
        waiting = self.waiting[np.arange(head, count) % len(self.waiting)]
        return {"map": self.map, "waiting": waiting}, {
            "stretches": np.array(rows, dtype=np.int64).reshape(-1, 3),
            "steps": np.concatenate([np.zeros(0, dtype=np.uint64), *(one.steps for one in new)]),
        }

    def restore(self, checkpoint: Checkpoint) -> None:
        head, count = self.counters[:2]
        self.waiting[np.arange(head, count) % len(self.waiting)] = checkpoint.array("waiting")
        self.map = checkpoint.array("map")
        steps = np.concatenate([np.zeros(0, dtype=np.uint64), *checkpoint.pieces("steps")])
        begin = 0
        for piece in checkpoint.pieces("stretches"):
            for first_expanded, first_reached, length in piece.tolist():
                part = steps[begin : begin + length].copy()
                self._stretches.append(_Stretch(first_expanded, first_reached, part, len(self._model.actions)))
                begin += length

    def path_to_last(self) -> list[int]:
        place = self.counters.reached - 1
        path = []
        for stretch in reversed(self._stretches):
            while place >= stretch.first_reached:
                place, action = stretch.step_to(place)
                path.append(action)
        return path[::-1]


class _Stretch:
    """The steps from successive beliefs: a bit for each belief and action tells whether the successor was new."""

    def __init__(self, first_expanded: int, first_reached: int, steps: Words, actions: int) -> None:
        self.first_reached = first_reached
        self.steps = steps
        self.first_expanded = first_expanded
        self._actions = actions
        news = np.cumsum(np.bitwise_count(steps), dtype=np.int64)[_BLOCK - 1 :: _BLOCK]
        self._before = [0, *news.tolist()]  # how many bits are set before each block
        self._block = -1
        self._news: NDArray[np.intp] = np.zeros(0, dtype=np.intp)

    def step_to(self, place: int) -> tuple[int, int]:
        """Return the place of the parent of the belief at `place`, and the number of the action from there."""
        rank = place - self.first_reached
        block = bisect_right(self._before, rank) - 1
        if block != self._block:  # listed once, because a plan may go through many beliefs of a block
            words = self.steps[block * _BLOCK : (block + 1) * _BLOCK]
            self._block, self._news = block, members_of_words(words) + block * _BLOCK * 64
        parent, action = divmod(int(self._news[rank - self._before[block]]), self._actions)
        return self.first_expanded + parent, action


def _pieces(start: int, end: int) -> Iterator[slice]:
    for begin in range(start, end, _PIECE):
        yield slice(begin, min(begin + _PIECE, end))


def _set_bits(bits: Words, numbers: NDArray[Any]) -> None:
    """Set the bits with these numbers."""
    numbers = numbers.astype(np.uint64)
    np.bitwise_or.at(bits, (numbers >> _SIX).astype(np.intp), _ONE << (numbers & _LOW))
