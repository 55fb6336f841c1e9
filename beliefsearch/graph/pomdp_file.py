"""Whole problems as files in Cassandra's format of POMDPs and MDPs, which other solvers read.

What has been written and read again is the same problem. A game that is over stays in one state for ever, where nothing
is paid; the utility of the state in which it ended is paid on the way there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from .. import __version__
from ..errors import ProblemError
from ..model.checked import PROBABILITIES_MISS
from ..model.stochastic import StochasticProblem
from ..model.values import is_exact
from ..running.limits import Budget
from ..solvers.pomdp.model import PomdpModel, pomdp_model
from .pomdp_every_action import Table, trap_of, with_every_action

# Numbers that have no finite decimals, or very many, are written with so many digits.
_DIGITS = 30
_MOST_DECIMALS = 300

# Words that readers of the format know; a name is none of them.
_KEYWORDS = {
    *("discount", "values", "states", "actions", "observations", "start", "include", "exclude", "T", "O", "R"),
    *("reward", "cost", "uniform", "identity", "reset"),
}
_LONGEST_NAME = 40

_NEVER = Fraction(0)


def pomdp_lines(problem: Any, title: str, budget: Budget) -> Iterator[str]:
    """The lines of a file that holds `problem`, of any kind; a `BeliefProblem` as one in which all is equally likely.

    `title` goes into a comment. Raises `ProblemError` if the problem breaks its contract, is over before it begins at
    another value than 0, or has actions that cannot be written, see `pomdp_every_action`; and what stops a search.
    """
    if not isinstance(problem, StochasticProblem):
        from ..model.chance import Uniform

        problem = Uniform(problem)
    model = pomdp_model(problem, budget)
    if model.start_value:
        raise ProblemError(
            f"the game may be over at its start, with a mean value of {model.start_value}, which the format cannot say"
        )
    if not model.states:
        raise ProblemError("the game is over at its start, so there is nothing to be written")
    return _Writer(problem, model, with_every_action(problem, model, budget), budget).lines(title)


class _Writer:
    """The lines of one file."""

    def __init__(
        self,
        problem: StochasticProblem[Any, Any, Any],
        model: PomdpModel[Any, Any, Any],
        tables: tuple[Table, Table, Table],
        budget: Budget,
    ) -> None:
        self._model = model
        self._outcomes, self._rewards, self._percepts = tables
        self._budget = budget
        self._sees_state = problem.sees_state()
        self._states = _names(map(problem.format_state, model.states), "s")
        self._actions = _names(map(problem.format_action, model.actions), "a")
        self._seen = _names(map(problem.format_percept, model.percepts), "o") or ["nothing"]
        self._rounded = 0
        self._legend = [
            f"# {name}: {text!r}"
            for names, values, form in (
                (self._states, model.states, problem.format_state),
                (self._actions, model.actions, problem.format_action),
                (self._seen, () if self._sees_state else model.percepts, problem.format_percept),
            )
            for name, value in zip(names, values, strict=False)
            if name != (text := form(value))
        ]
        # Where a game that is over stays; of problems that never end there is none.
        self._over = len(model.states)
        self._start = self._distribution(model.start)
        self._results = [[self._distribution(row) for row in rows] for rows in self._outcomes]
        self._trap = trap_of(model)
        met = {number for rows in (*self._results, [self._start]) for row in rows for number in row}
        if self._trap in met:
            self._states = _names([*self._states, "over", "trap"], "s")
        elif self._over in met:
            self._states = _names([*self._states, "over"], "s")

    def lines(self, title: str) -> Iterator[str]:
        body = [*self._body()]
        yield f"# {' '.join(title.split())}, written by beliefsearch {__version__}"
        if self._rounded:
            yield f"# Numbers rounded to {_DIGITS} digits, since they have no finite decimals: {self._rounded:,}"
        yield from self._legend
        yield from body

    def _body(self) -> Iterator[str]:
        yield f"discount: {self._number(self._model.discount)}"
        yield "values: reward"
        sections = {"states": self._states, "actions": self._actions, "observations": self._seen}
        for section, names in sections.items():
            if section != "observations" or not self._sees_state:
                yield f"{section}: {' '.join(names)}"
        yield self._start_line()
        yield ""
        for action, rows in enumerate(self._results):
            for state, row in enumerate(rows):
                self._budget.tick()
                yield from self._row(f"T: {self._actions[action]} : {self._states[state]}", row, self._states)
        for name in self._states[self._over :]:
            yield f"T: * : {name} : {name} 1"
        yield ""
        if not self._sees_state:
            for state in range(len(self._states)):
                yield from self._percept_rows(state)
            yield ""
        yield from self._reward_lines()

    def _start_line(self) -> str:
        if len(set(self._start.values())) == 1:
            names = " ".join(self._states[state] for state in sorted(self._start))
            return f"start: {names}" if len(self._start) == 1 else f"start include: {names}"
        likely = self._written(self._start)
        return f"start: {' '.join(_text(likely.get(state, _NEVER)) for state in range(len(self._states)))}"

    def _percept_rows(self, state: int) -> Iterator[str]:
        """What is perceived on arriving in a state: after most actions the same, and what differs behind that."""
        rows = [
            self._distribution(rows[state]) if state < self._over and rows[state] else {} for rows in self._percepts
        ]
        counts = Counter(tuple(row.items()) for row in rows if row)
        usual = dict(counts.most_common(1)[0][0]) if counts else {0: Fraction(1)}
        name = self._states[state]
        yield from self._row(f"O: * : {name}", usual, self._seen)
        for action, row in enumerate(rows):
            if row and row != usual:
                differing = {**dict.fromkeys(usual, _NEVER), **row}
                yield from self._row(f"O: {self._actions[action]} : {name}", differing, self._seen)

    def _reward_lines(self) -> Iterator[str]:
        """The rewards: first the one that occurs most often, then all others."""
        stars = " : *" if self._sees_state else " : * : *"
        counts = Counter(value for rows in self._rewards for value in rows)
        usual = counts.most_common(1)[0][0]
        if usual:
            yield f"R: * : *{stars} {self._number(usual)}"
        for place, name in enumerate(self._states[self._over :], self._over):
            if usual or place == self._trap:
                yield f"R: * : {name}{stars} {-1 if place == self._trap else 0}"
        for action, values in enumerate(self._rewards):
            for state, value in enumerate(values):
                self._budget.tick()
                if value != usual:
                    yield f"R: {self._actions[action]} : {self._states[state]}{stars} {self._number(value)}"

    def _row(self, prefix: str, row: dict[int, Fraction], names: Sequence[str]) -> Iterator[str]:
        if len(row) == len(names) > 1 and len(set(row.values())) == 1:
            yield f"{prefix} uniform"
            return
        for column, probability in sorted(self._written(row).items()):
            yield f"{prefix} : {names[column]} {_text(probability)}"

    def _written(self, row: dict[int, Fraction]) -> dict[int, Fraction]:
        """The row with finite decimals, which sum to 1."""
        return _summing_to_1({column: self._decimal(probability) for column, probability in row.items()})

    def _distribution(self, row: Iterable[tuple[int, Any]]) -> dict[int, Fraction]:
        """The row exactly, with what is missing of 1 as the probability that the game is over."""
        pairs = [*row]
        exact = {number: _exactly(probability) for number, probability in pairs}
        missing = 1 - sum(exact.values(), _NEVER)
        if missing and (missing > PROBABILITIES_MISS or all(is_exact(probability) for _, probability in pairs)):
            exact[self._over] = missing
        return _summing_to_1(exact)

    def _number(self, value: Any) -> str:
        return _text(self._decimal(_exactly(value)))

    def _decimal(self, value: Fraction) -> Fraction:
        """The value, or if it has no finite decimals the nearest that has few."""
        decimals = _decimals(value)
        if decimals is not None and decimals <= _MOST_DECIMALS:
            return value
        self._rounded += 1
        return Fraction(Context(prec=_DIGITS).divide(Decimal(value.numerator), Decimal(value.denominator)))


def _summing_to_1(row: dict[int, Fraction]) -> dict[int, Fraction]:
    """The row, with what rounding took from its sum put to its largest entry."""
    largest = max(row, key=row.__getitem__)
    return {**row, largest: row[largest] + 1 - sum(row.values(), _NEVER)}


def _exactly(value: Any) -> Fraction:
    """The number that a person would write: of a float its shortest decimals."""
    return Fraction(value) if is_exact(value) else Fraction(repr(value))


def _decimals(value: Fraction) -> int | None:
    """How many decimals a number has; None if they are without end."""
    rest = value.denominator
    powers = {2: 0, 5: 0}
    for prime in powers:
        while rest % prime == 0:
            rest //= prime
            powers[prime] += 1
    return max(powers.values()) if rest == 1 else None


def _text(value: Fraction) -> str:
    """A number with finite decimals, with all of them."""
    decimals = _decimals(value) or 0
    digits = str(abs(value.numerator) * 10**decimals // value.denominator).rjust(decimals + 1, "0")
    whole, rest = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
    return f"{'-' * (value < 0)}{whole}{'.' * bool(rest)}{rest}"


def _names(texts: Iterable[str], letter: str) -> list[str]:
    """For each text a name that readers of the format take, and no two the same."""
    names: dict[str, None] = {}
    numbers: Counter[str] = Counter()
    for number, text in enumerate(texts):
        short = re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_")[:_LONGEST_NAME]
        if not short[:1].isalpha() or short in _KEYWORDS:
            short = f"{letter}{short or number}"
        name = short
        while name in names:
            numbers[short] += 1
            name = f"{short}-{numbers[short] + 1}"
        names[name] = None
    return [*names]
