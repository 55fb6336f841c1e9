"""Whole problems as files in Cassandra's format of POMDPs and MDPs, which other solvers read.

A problem that is written and read again is the same problem. The end of the game is an absorbing state without rewards;
the utility of a terminal state is a reward on the way there. Numbers are exact if they have finite decimals.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from attrs import define, field, frozen

from .. import __version__
from ..errors import ProblemError
from ..kinds import is_stochastic
from ..model.checked import PROBABILITIES_MISS
from ..model.values import is_exact
from ..running.limits import Budget
from ..solvers.pomdp.listing import pomdp_model
from ..solvers.pomdp.pomdp_model import Row
from .every_action import trap_of, with_every_action, without_still_states

DIGITS = 30
"""The number of digits of numbers without finite decimals, or with very many."""

_MOST_DECIMALS = 300

_NOTHING = Fraction(0)


@frozen
class WrittenRow:
    """A row of probabilities as text, by column in their order."""

    texts: Mapping[int, str]
    is_even: bool  # whether all of them are equal


@define
class Decimals:
    """Writer of numbers and rows; it caches rows, since most of them occur often."""

    rest: int  # the column that takes the rest of a row whose sum is below 1
    rounded: bool = False  # whether some number was rounded
    _known: dict[Row, WrittenRow] = field(factory=dict)

    def number(self, value: Any) -> str:
        """A number as text."""
        return _text(self._decimal(_exactly(value)))

    def row(self, row: Row) -> WrittenRow:
        """A row as text, whose numbers sum to 1."""
        known = self._known.get(row)
        if known is None:
            exact = {column: _exactly(probability) for column, probability in row}
            missing = 1 - sum(exact.values(), _NOTHING)
            if missing and (missing > PROBABILITIES_MISS or all(is_exact(probability) for _, probability in row)):
                exact[self.rest] = missing
            finite = {column: self._decimal(probability) for column, probability in exact.items()}
            # The largest entry takes the rounding errors, so that the sum is 1.
            largest = max(finite, key=finite.__getitem__)
            finite[largest] += 1 - sum(finite.values(), _NOTHING)
            texts = {column: _text(probability) for column, probability in sorted(finite.items())}
            known = self._known[row] = WrittenRow(texts, len(set(exact.values())) == 1)
        return known

    def _decimal(self, value: Fraction) -> Fraction:
        """The value, rounded to `DIGITS` digits if it has no finite decimals, or too many."""
        decimals = _decimals(value)
        if decimals is not None and decimals <= _MOST_DECIMALS:
            return value
        self.rounded = True
        return Fraction(Context(prec=DIGITS).divide(Decimal(value.numerator), Decimal(value.denominator)))


def _exactly(value: Any) -> Fraction:
    """The number as a person would write it: a float by its shortest decimals."""
    return Fraction(value) if is_exact(value) else Fraction(repr(value))


def _decimals(value: Fraction) -> int | None:
    """Count the decimals of a number; None if there are infinitely many."""
    rest = value.denominator
    powers = {2: 0, 5: 0}
    for prime in powers:
        while rest % prime == 0:
            rest //= prime
            powers[prime] += 1
    return max(powers.values()) if rest == 1 else None


def _text(value: Fraction) -> str:
    """A number with all its decimals, of which there are finitely many."""
    decimals = _decimals(value) or 0
    digits = str(abs(value.numerator) * 10**decimals // value.denominator).rjust(decimals + 1, "0")
    whole, rest = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
    return f"{'-' * (value < 0)}{whole}{'.' * bool(rest)}{rest}"


# Keywords of the format, which are no names.
_KEYWORDS = {
    *("discount", "values", "states", "actions", "observations", "start", "include", "exclude", "T", "O", "R"),
    *("reward", "cost", "uniform", "identity", "reset"),
}

_LONGEST_NAME = 40
_FIRST: Row = ((0, 1),)


def pomdp_lines(problem: Any, title: str, budget: Budget) -> Iterator[str]:
    """The lines of a file of `problem`, of any kind; a `BeliefProblem` becomes `Uniform`.

    `title` goes into a comment. Raises `ProblemError` if the problem breaks its contract, if the game may be over at
    the start with another value than 0, or if actions cannot be written, see `every_action.py`; and `LimitReached`.
    """
    return _Writer(problem, budget).lines(title)


class _Writer:
    """The lines of one file."""

    def __init__(self, problem: Any, budget: Budget) -> None:
        if not is_stochastic(problem):
            from ..model.chance import Uniform

            problem = Uniform(problem)
        self._model = model = without_still_states(pomdp_model(problem, budget))
        if model.start_value:
            value = f"with a mean value of {model.start_value}, which the format cannot say"
            raise ProblemError(f"the game may be over at its start, {value}")
        if not model.states:
            raise ProblemError("the game is over at its start, so there is nothing to be written")
        self._outcomes, self._rewards, self._percepts = with_every_action(problem, model, budget)
        self._budget = budget
        self._sees_state = problem.sees_state()
        self._sign = -1 if problem.minimizes_cost() else 1
        self._legend: list[str] = []  # comments on names that differ from the problem's texts
        self._states = self._named([problem.format_state(state) for state in model.states], "s")
        self._actions = self._named([problem.format_action(action) for action in model.actions], "a")
        seen = () if self._sees_state else model.percepts
        self._seen = self._named([problem.format_percept(percept) for percept in seen], "o") or ["nothing"]
        # The absorbing end of the game, and the trap; their names are written only if they can be reached.
        self._over, self._trap = len(model.states), trap_of(model)
        self._decimals = Decimals(self._over)
        self._start = self._decimals.row(model.start)
        self._results = [[self._decimals.row(row) for row in rows] for rows in self._outcomes]
        last = max(max(row.texts) for row in (self._start, *(row for rows in self._results for row in rows)))
        self._states += _names(["over", "trap"][: max(last + 1 - self._over, 0)], "s", self._states)

    def _named(self, texts: Iterable[str], letter: str) -> list[str]:
        texts = [*texts]
        names = _names(texts, letter)
        self._legend += [f"# {name}: {text!r}" for name, text in zip(names, texts, strict=True) if name != text]
        return names

    def lines(self, title: str) -> Iterator[str]:
        body = [*self._body()]
        yield f"# {' '.join(title.split())}, written by beliefsearch {__version__}"
        if self._decimals.rounded:
            yield f"# Numbers that have no finite decimals are rounded to {DIGITS} digits."
        yield from self._legend
        yield from body

    def _body(self) -> Iterator[str]:
        yield f"discount: {self._decimals.number(self._model.discount)}"
        yield "values: reward" if self._sign > 0 else "values: cost"
        yield f"states: {' '.join(self._states)}"
        yield f"actions: {' '.join(self._actions)}"
        if not self._sees_state:
            yield f"observations: {' '.join(self._seen)}"
        yield self._start_line()
        yield ""
        for action, rows in enumerate(self._results):
            for state, row in enumerate(rows):
                self._budget.tick()
                yield from _entries(f"T: {self._actions[action]} : {self._states[state]}", row, self._states)
        for name in self._states[self._over :]:
            yield f"T: * : {name} : {name} 1"
        yield ""
        if not self._sees_state:
            for state in range(len(self._states)):
                self._budget.tick()
                yield from self._percept_rows(state)
            yield ""
        yield from self._reward_lines()

    def _start_line(self) -> str:
        likely = self._start.texts
        if self._start.is_even:
            names = " ".join(self._states[state] for state in likely)
            return f"start: {names}" if len(likely) == 1 else f"start include: {names}"
        return f"start: {' '.join(likely.get(state, '0') for state in range(len(self._states)))}"

    def _percept_rows(self, state: int) -> Iterator[str]:
        """Yield the percepts on arriving in a state: those of most actions, then those of actions that differ."""
        rows: list[Row] = [rows[state] if state < self._over else () for rows in self._percepts]
        counts = Counter(row for row in rows if row)
        usual = counts.most_common(1)[0][0] if counts else _FIRST
        written = self._decimals.row(usual)
        yield from _entries(f"O: * : {self._states[state]}", written, self._seen)
        for action, row in enumerate(rows):
            if row and row != usual:
                differing = self._decimals.row(row)
                if not differing.is_even or len(differing.texts) < len(self._seen):
                    differing = WrittenRow({**dict.fromkeys(written.texts, "0"), **differing.texts}, False)
                yield from _entries(f"O: {self._actions[action]} : {self._states[state]}", differing, self._seen)

    def _reward_lines(self) -> Iterator[str]:
        """The rewards: first the one that occurs most often, then all others."""
        stars = " : *" if self._sees_state else " : * : *"
        rewards = [[self._sign * value for value in rows] for rows in self._rewards]
        counts = Counter(value for rows in rewards for value in rows)
        usual = counts.most_common(1)[0][0]
        if usual:
            yield f"R: * : *{stars} {self._decimals.number(usual)}"
        for place, name in enumerate(self._states[self._over :], self._over):
            if usual or place == self._trap:
                yield f"R: * : {name}{stars} {-self._sign if place == self._trap else 0}"
        for action, values in enumerate(rewards):
            for state, value in enumerate(values):
                self._budget.tick()
                if value != usual:
                    yield f"R: {self._actions[action]} : {self._states[state]}{stars} {self._decimals.number(value)}"


def _entries(prefix: str, row: WrittenRow, names: Sequence[str]) -> Iterator[str]:
    if row.is_even and len(row.texts) == len(names) > 1:
        yield f"{prefix} uniform"
        return
    for column, text in row.texts.items():
        yield f"{prefix} : {names[column]} {text}"


def _names(texts: Iterable[str], letter: str, taken: Collection[str] = ()) -> list[str]:
    """A name in the format for each text; names differ from each other and from those that are taken."""
    names: dict[str, None] = {}
    numbers: Counter[str] = Counter()
    taken = set(taken)
    for number, text in enumerate(texts):
        short = re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_")[:_LONGEST_NAME]
        if not short[:1].isalpha() or short in _KEYWORDS:
            short = f"{letter}{short or number}"
        name = short
        while name in names or name in taken:
            numbers[short] += 1
            name = f"{short}-{numbers[short] + 1}"
        names[name] = None
    return [*names]
