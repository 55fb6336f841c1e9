"""All states of a model that can come up, and what may follow in them, as arrays: layer by layer.

`Machine.successors` defines what follows, state by state. Here each module's commands of an action are asked once for
the values of the variables that they read, what they do is a difference of codes, and modules are joined by arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property, partial
from math import prod
from operator import add, mul
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import define, field, frozen

from beliefsearch import ProblemError

from .expressions import Compiled, State
from .machine import CHANCE, STAY, Machine, Moves
from .names import Guarded
from .question import Meant
from .tables import Code, Columns, Lists, Numbers, Ranges, Table, bounds, size_of, spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_JOINED = 2**14
"""Commands are asked together if what they read has no more values."""
_MOST_VALUE = 10**18  # so that a variable fits into a word of 64 bits
_WRONG = -1
"""In place of an effect: it cannot be worked out, or a variable leaves its range."""
_NARROW = 24
"""A layer of fewer states is listed state by state."""


@frozen(eq=False)
class Listing:
    """States numbered breadth-first; moves stand in the order of their states, and outcomes in that of their moves."""

    code: Code
    codes: NDArray[Any]
    goals: NDArray[Any]  # marks of the states in which the goal is reached
    over: NDArray[Any]  # and of those in which the game is over, whatever the graph says
    number_of: dict[Any, int]  # by key of the code
    moves: NDArray[Any]  # by state: its first move, and how many there are of all
    names: list[str]
    actions: NDArray[Any]  # by move: the place of its name
    outcomes: NDArray[Any]  # by move: its first outcome, and how many there are of all
    results: NDArray[Any]
    chances: NDArray[Any]  # places in `numbers`
    numbers: Numbers

    def number(self, state: State) -> int | None:
        """The number of a state; None if it cannot come up."""
        return self.number_of.get(self.code.keys(np.array([self.code.of(state)], np.int64))[0])

    def states(self, numbers: NDArray[Any]) -> list[State]:
        """The states with some numbers."""
        return self.code.columns(self.codes[numbers]).states()

    @cached_property
    def owners(self) -> NDArray[Any]:
        """The state in which each move can be done."""
        return np.repeat(np.arange(len(self.codes)), np.diff(self.moves))


class Lister:
    """Lists a machine for a question; where steps are counted the last value of a state says how many were done."""

    def __init__(self, machine: Machine, meant: Meant, successors: Callable[[State], Moves]) -> None:
        self._last_step = (meant.low if meant.high is None else meant.high) if meant.counts_steps else None
        counter: Ranges = () if self._last_step is None else ((0, self._last_step),)
        machine.refuse_wide(_MOST_VALUE)
        self._machine = machine
        self._meant = meant
        self._successors = successors
        self._ranges = [*machine.ranges, *counter]
        self._code = Code(self._ranges)
        self._goal, self._safe = (
            Table(asked.reads, self._ranges, partial(_truth, asked)) for asked in (meant.goal, meant.safe)
        )
        self._numbers = Numbers()
        self._names: dict[str, int] = {CHANCE: 0, STAY: 1}
        self._choices = Lists(1)  # of effects, which are lists of a chance and a difference of codes
        self._effects = Lists(1 + self._code.words)
        self._groups = [(group.name, [self._tables(commands) for commands in group.parts]) for group in machine.groups]

    def listing(self, starts: Iterable[State], tick: Callable[[int], None]) -> Listing:
        """List what can come up from some states, but nothing behind those that are over; `tick` hears how many."""
        code, number_of = self._code, dict[Any, int]()
        layer = np.array([code.of(state) for state in starts], np.int64)
        number_of.update((key, number) for number, key in enumerate(code.keys(layer)))
        codes, steps, counts = [layer], list[_Step](), list["NDArray[Any]"]()
        goals, over = list["NDArray[Any]"](), list["NDArray[Any]"]()
        while len(layer):
            tick(len(number_of))
            columns, before = code.columns(layer), len(number_of)
            goals.append(self._goals(columns))
            over.append(self._over(columns, goals[-1]))
            going_on = np.flatnonzero(~over[-1])
            some = columns.among(going_on)
            step = self._one_by_one(some) if len(going_on) < _NARROW else self._together(some, layer[going_on])
            moves = np.zeros(len(layer), np.int64)
            moves[going_on] = np.bincount(step.rows, minlength=len(going_on))
            counts.append(moves)
            results = [number_of.setdefault(key, len(number_of)) for key in code.keys(step.after)]
            step.results = np.array(results, np.int64)
            new = np.flatnonzero(step.results >= before)
            layer = step.after[new[np.unique(step.results[new], return_index=True)[1]]]
            codes.append(layer)
            self._merge(step)
            steps.append(step)
        sizes = [np.bincount(step.owners, minlength=len(step.rows)) for step in steps]
        return Listing(
            code,
            np.concatenate(codes),
            np.concatenate(goals),
            np.concatenate(over),
            number_of,
            bounds(*counts),
            list(self._names),
            np.concatenate([step.names for step in steps]),
            bounds(*sizes),
            np.concatenate([step.results for step in steps]),
            np.concatenate([step.chances for step in steps]),
            self._numbers,
        )

    def _goals(self, columns: Columns) -> NDArray[Any]:
        found: NDArray[Any] = self._goal.of(columns) > 0
        return found if self._last_step is None else found & (columns[len(self._ranges) - 1] >= self._meant.low)

    def _over(self, columns: Columns, goals: NDArray[Any]) -> NDArray[Any]:
        found: NDArray[Any] = goals | (self._safe.of(columns) == 0)
        high = self._meant.high
        return found if high is None else np.logical_or(found, columns[len(self._ranges) - 1] >= high)

    def _named(self, group: str, number: int) -> int:
        """The place of the name of a choice, which in a chain has none of its own, even if its label is `stay`."""
        if self._machine.is_chain:
            return self._names[CHANCE]
        return self._name(f"{group}#{number + 1}" if number else group)

    def _name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    # State by state.

    def _one_by_one(self, columns: Columns) -> _Step:
        rows: list[int] = []
        names: list[int] = []
        owners: list[int] = []
        after: list[list[int]] = []
        chances: list[int] = []
        for row, state in enumerate(columns.states()):
            for name, outcomes in self._successors(state).items():
                owners += [len(rows)] * len(outcomes)
                after += [self._code.of(result) for _, result in outcomes]
                chances += [self._numbers.place(chance) for chance, _ in outcomes]
                rows.append(row)
                names.append(self._name(name))
        words = np.array(after, np.int64).reshape(len(after), self._code.words)
        moves, of, likely = np.array([rows, names], np.int64), np.array(owners, np.int64), np.array(chances, np.int64)
        return _Step(moves[0], moves[1], of, likely, words)

    # A layer at once.

    def _tables(self, commands: Sequence[Guarded]) -> list[Table]:
        """Tables of the choices that some commands give, in their order."""
        joined: list[list[Guarded]] = []
        reads: frozenset[int] = frozenset()
        for command in commands:
            together = reads | command.reads
            if not joined or prod(size_of(self._ranges[place]) for place in together) > _MOST_JOINED:
                joined.append([])
                together = command.reads
            joined[-1].append(command)
            reads = together
        return [
            Table(frozenset().union(*(c.reads for c in some)), self._ranges, partial(self._choice, some))
            for some in joined
        ]

    def _choice(self, commands: Sequence[Guarded], state: State) -> int:
        """The list of what each of the commands does that can be done in a state."""
        try:
            return self._choices.place(
                tuple((self._effect(command, state),) for command in commands if command.guard(state))
            )
        except (ProblemError, ArithmeticError):
            self._successors(state)  # which tells of it better; if it does not, another module has no command for this
            return self._choices.place(((_WRONG,),))

    def _effect(self, command: Guarded, state: State) -> int:
        found = []
        for chance, assigned in self._machine.effects(command, state, ""):
            words = [0] * self._code.words
            for place, value in assigned:
                word, stride = self._code.places[place]
                words[word] += (value - state[place]) * stride
            found.append((self._numbers.place(chance), *words))
        return self._effects.place(tuple(found))

    def _together(self, columns: Columns, codes: NDArray[Any]) -> _Step:
        """The moves in some states with these codes."""
        moves: list[tuple[NDArray[Any], ...]] = []
        outcomes: list[tuple[NDArray[Any], ...]] = []
        count = 0
        for name, parts in self._groups:
            rows, effects = self._chosen(parts, columns)
            if not len(rows):
                continue
            self._refuse_wrong(columns, rows, effects)
            begins = np.flatnonzero(np.diff(rows, prepend=-1))
            places = np.arange(len(rows)) - np.repeat(begins, np.diff(begins, append=len(rows)))
            named = [self._named(name, n) for n in range(int(places.max()) + 1)]
            moves.append((rows, np.array(named)[places]))
            owners, after, chances = self._done(codes[rows], effects)
            outcomes.append((owners + count, after, chances))
            count += len(rows)
        if self._last_step is not None:
            stuck = (
                np.setdiff1d(np.arange(len(columns)), np.concatenate([rows for rows, _ in moves]))
                if moves
                else np.arange(len(columns))
            )
            moves.append((stuck, np.full(len(stuck), self._names[STAY])))
            outcomes.append((np.arange(len(stuck)) + count, codes[stuck], np.zeros(len(stuck), np.int64)))
        if not moves:
            nothing = np.zeros(0, np.int64)
            return _Step(nothing, nothing, nothing, nothing, codes[:0])
        rows, names = map(np.concatenate, zip(*moves, strict=True))
        owners, after, chances = map(np.concatenate, zip(*outcomes, strict=True))
        order = np.argsort(rows, kind="stable")  # the moves of a state stand in the order of the groups
        rows, names = rows[order], names[order]
        place_of = np.empty_like(order)
        place_of[order] = np.arange(len(order))
        owners = place_of[owners]
        order = np.argsort(owners, kind="stable")
        owners, after, chances = owners[order], after[order], chances[order]
        if self._last_step is not None:
            word, stride = self._code.places[-1]
            after[:, word] += stride * (columns[len(self._ranges) - 1] < self._last_step)[rows[owners]]
        if self._machine.is_chain:  # all choices are equally likely, and one move
            sizes = np.bincount(rows, minlength=len(columns))
            shares = np.array(
                [self._numbers.place(Fraction(1, n) if n > 1 else 1) for n in range(int(sizes.max(initial=0)) + 1)]
            )
            chances = self._product(shares[sizes[rows[owners]]], chances)
            able = np.flatnonzero(sizes)
            owners = np.searchsorted(able, rows[owners])
            names = names[np.searchsorted(rows, able)]
            rows = able
        return _Step(rows, names, owners, chances, after)

    def _chosen(self, parts: Sequence[Sequence[Table]], columns: Columns) -> tuple[NDArray[Any], list[NDArray[Any]]]:
        """The state of each choice of an action, in order of the states, and what each part does."""
        rows = np.arange(len(columns))
        effects: list[NDArray[Any]] = []
        for tables in parts:
            able, at = np.unique(rows, return_inverse=True) if effects else (rows, rows)
            some = columns.among(able) if len(able) < len(columns) else columns
            found = [self._choices.items(table.of(some)) for table in tables]
            of = np.concatenate([owners for owners, _ in found])
            does = np.concatenate([effect[:, 0] for _, effect in found])
            if len(found) > 1:
                order = np.argsort(of, kind="stable")
                of, does = of[order], does[order]
            counts = np.bincount(of, minlength=len(able))
            which, place = spread((np.cumsum(counts) - counts)[at], counts[at])
            rows, effects = rows[which], [*(effect[which] for effect in effects), does[place]]
            if not len(rows):
                break
        return rows, effects

    def _refuse_wrong(self, columns: Columns, rows: NDArray[Any], effects: Sequence[NDArray[Any]]) -> None:
        """Raise `ProblemError` if a command does what is wrong, and no other module keeps it from being done."""
        for effect in effects:
            wrong = rows[effect == _WRONG]
            for state in columns.among(wrong[:1]).states():
                self._successors(state)  # which tells of it

    def _done(self, codes: NDArray[Any], effects: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
        """The outcomes of moves from states with these codes."""
        owners = np.arange(len(codes))
        chances = np.zeros(len(codes), np.int64)
        for effect in effects:
            which, done = self._effects.items(effect[owners])
            owners, codes = owners[which], codes[which] + done[:, 1:]
            chances = self._product(chances[which], done[:, 0])
        return owners, codes, chances

    def _product(self, left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
        """The product of chances, of which most are 1: the number at the place 0."""
        if not left.any():
            return right
        return self._numbers.joined(mul, left, right) if right.any() else left

    def _merge(self, step: _Step) -> None:
        """Put outcomes of a move with equal results together, where the first of them stands."""
        while True:
            keys = step.owners * (int(step.results.max(initial=0)) + 1) + step.results
            order = np.argsort(keys, kind="stable")
            same = np.flatnonzero(np.diff(keys[order]) == 0)
            if not len(same):
                return
            same = same[np.diff(same, prepend=-2) > 1]  # of several, two at a time
            first, second = order[same], order[same + 1]
            step.chances[first] = self._numbers.joined(add, step.chances[first], step.chances[second])
            for name in ("owners", "results", "chances"):
                setattr(step, name, np.delete(getattr(step, name), second))


@define(eq=False)
class _Step:
    """The moves of a layer: by move its state and its name; by outcome its move, what follows, and how likely."""

    rows: NDArray[Any]
    names: NDArray[Any]
    owners: NDArray[Any]
    chances: NDArray[Any]
    after: NDArray[Any]
    results: NDArray[Any] = field(init=False)


def _truth(asked: Compiled, state: State) -> int:
    return int(asked.run(state))
