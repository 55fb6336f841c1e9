"""Matrices of hypotheses and tests in CSV: which tests to make, one after the other, to know which hypothesis holds."""

from __future__ import annotations

import csv
import math
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from beliefsearch import BeliefProblem, ProblemError
from beliefsearch.errors import DataWarning, suggestion
from beliefsearch.hooks import PerceptArrayHook
from beliefsearch.tools import read_data_file

from .._source import quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_BYTES = 64 * 2**20
_MOST_PARTS = 20_000
_LARGEST = 10**15  # denominator
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15}|/[1-9][0-9]{0,14})?")
_DELIMITERS = "\t;,"


@frozen
class MatrixFileProblem(BeliefProblem[int, str, str], PerceptArrayHook[int, str, str]):
    """Find out which hypothesis holds by tests, from a matrix in CSV.

    Story
    -----
    A machine does not work, a patient is ill, somebody thinks of an animal. What it may be is known, and what each test
    would show then. Which test should come first, and which after what was seen?

    Formal model
    ------------
    The first line has the names of the tests, the first column those of the hypotheses, and a cell what the test shows
    if the hypothesis holds. A column called `prior` has the odds of the hypotheses, in proportion; a row called `cost`
    what each test costs, else 1. Columns are parted by commas, semicolons or tabulators, whichever the first line has.
    A state is a hypothesis; one that is k times as likely is k states. An action is a test. The game is won when only
    one hypothesis is left; those that no test tells apart count as one.

    Source
    ------
    L. Hyafil, R. Rivest, "Constructing optimal binary decision trees is NP-complete" (1976).

    Known answers
    -------------
    Those of the files. If there is a test for every set of hypotheses, Huffman's code has the least mean.
    """

    file: Path = field(
        converter=Path, metadata={"help": "the matrix, whose name ends in .csv or .tsv", "most_bytes": _MOST_BYTES}
    )
    prior: str = field(default="prior", metadata={"help": "the column that has the odds of the hypotheses"})
    cost: str = field(default="cost", metadata={"help": "the row that has the costs of the tests"})
    _matrix: _Matrix = field(init=False, repr=False, eq=False)

    @_matrix.default
    def _in_file(self) -> _Matrix:
        text = read_data_file(self.file, most_bytes=_MOST_BYTES)
        return _Matrix(self.file, text, self.prior.lower(), self.cost.lower())

    def initial_states(self) -> Sequence[int]:
        return range(len(self._matrix.states))

    def actions(self, state: int) -> Sequence[str]:
        return self._matrix.tests

    def results(self, state: int, action: str) -> tuple[int]:
        return (state,)

    def percepts(self, state: int, action: str) -> tuple[str]:
        matrix = self._matrix
        return (matrix.rows[matrix.states[state]][matrix.place[action]],)

    def is_sensorless(self) -> bool:
        return False

    def goal_sets(self) -> Sequence[frozenset[int]]:
        """Return the sets of states in which it is known which hypothesis holds, or which that are alike."""
        return self._matrix.goals

    def action_cost(self, state: int, action: str) -> Fraction | int:
        return self._matrix.costs[self._matrix.place[action]]

    def has_unit_costs(self) -> bool:
        return self._matrix.has_unit_costs

    def format_state(self, state: int) -> str:
        matrix = self._matrix
        number = state - matrix.first[matrix.states[state]]
        return matrix.names[matrix.states[state]] + (f" ({number + 1})" if number else "")

    def format_belief(self, states: Collection[int]) -> str:
        """Return the names of the hypotheses, each once."""
        return " or ".join(self._matrix.names[row] for row in sorted({self._matrix.states[state] for state in states}))

    def describe_starts(self, count: int) -> str:
        """Count hypotheses, which may be several starts."""
        names = len(self._matrix.names)
        return super().describe_starts(count) if names == 1 else f"all {names:,} hypotheses"

    def parse_state(self, text: str) -> int:
        if text not in self._texts:
            raise ValueError(f"{text!r} is no hypothesis of {self.file.name}")
        return self._texts[text]

    def all_states(self) -> Sequence[int]:
        return self.initial_states()

    def all_results(self, action: str) -> NDArray[Any]:
        return self._still

    def all_percepts(self, action: str) -> tuple[Sequence[str], NDArray[Any]]:
        import numpy as np

        column = [row[self._matrix.place[action]] for row in self._matrix.rows]
        values = list(dict.fromkeys(column))
        place_of = {value: place for place, value in enumerate(values)}
        return values, np.array([place_of[shown] for shown in column])[self._matrix.states, np.newaxis]

    @cached_property
    def _texts(self) -> dict[str, int]:
        return {self.format_state(state): state for state in self.initial_states()}

    @cached_property
    def _still(self) -> NDArray[Any]:
        import numpy as np

        return np.arange(len(self._matrix.states))[:, np.newaxis]


class _Matrix:
    """A matrix that was read: names, tests, costs, and by state the row of its hypothesis."""

    def __init__(self, path: Path, text: str, prior: str, cost: str) -> None:
        self._path, self._cost = path, cost
        (_, header), *lines = [*self._lines(text)] or [(1, [])]
        self._require("column", prior, "prior", header[1:])
        self._require("row", cost, "cost", [cells[0] for _, cells in lines])
        columns = [place for place in range(1, len(header)) if header[place].lower() != prior]
        at_prior = [place for place in range(1, len(header)) if header[place].lower() == prior]
        self.tests = tuple(header[place] for place in columns)
        if not columns:
            raise self._error(1, "it must have the name of a column and the names of the tests: fault,lamp,horn")
        if "" in self.tests or len(at_prior) > 1:
            said = "a test has no name" if "" in self.tests else f"several columns are called {quoted(prior)}"
            raise self._error(1, f"{said}; name each column once")
        self.place = {test: place for place, test in enumerate(self.tests)}
        twice = next((test for place, test in enumerate(self.tests) if self.place[test] > place), None)
        if twice is not None:
            raise self._error(1, f"the test {quoted(twice)} stands there twice; name each once")
        self.names: list[str] = []
        self.rows: list[list[str]] = []
        self.costs: list[Fraction | int] = [1] * len(columns)
        priors: list[Fraction] = []
        seen: dict[str, int] = {}
        for line, cells in lines:
            if len(cells) != len(header):
                raise self._error(line, f"{len(cells)} cells, where the first line has {len(header)}")
            name = cells[0]
            if not name or name in seen:
                said = f"{quoted(name)} stands in line {seen[name]} already" if name else "the first cell is empty"
                raise self._error(line, f"{said}; name each hypothesis once")
            seen[name] = line
            for place in columns:
                if not cells[place]:
                    raise self._error(
                        line, f"the cell of the test {quoted(header[place])} is empty; write what it shows"
                    )
            if name.lower() == cost:
                self.costs = [self._number(line, cells[place], header[place]) for place in columns]
                continue
            odds = Fraction(self._number(line, cells[at_prior[0]], prior) if at_prior else 1)
            if odds:  # else it cannot be
                self.names.append(name)
                self.rows.append([cells[place] for place in columns])
                priors.append(odds)
        if not self.names:
            raise ProblemError(f"{path}: it has no hypothesis that is possible")
        self.has_unit_costs = set(self.costs) == {1}
        self.states = [row for row, parts in enumerate(self._parts(priors)) for _ in range(parts)]
        self.first = {row: state for state, row in reversed([*enumerate(self.states)])}
        alike: dict[tuple[str, ...], list[int]] = {}
        for state, row in enumerate(self.states):
            alike.setdefault(tuple(self.rows[row]), []).append(state)
        self.goals = tuple(map(frozenset, alike.values()))
        self._tell(alike.values())

    def _lines(self, text: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the numbers of lines that are not empty, and their cells without spaces around."""
        first = text.lstrip("\n").partition("\n")[0]
        delimiter = "\t" if self._path.suffix.lower() == ".tsv" else max(_DELIMITERS, key=first.count)
        rows = csv.reader(StringIO(text), delimiter=delimiter, strict=True, skipinitialspace=True)
        try:
            for cells in rows:
                if any(cell.strip() for cell in cells):
                    yield rows.line_num, [cell.strip() for cell in cells]
        except csv.Error as error:
            remedy = "write less into a cell" if "larger than" in str(error) else "close each quote"
            raise self._error(rows.line_num, f"{error}; {remedy}") from None

    def _require(self, what: str, name: str, usual: str, names: Sequence[str]) -> None:
        """Refuse a name that was given, and is not the usual one, if nothing has it."""
        known = [one.lower() for one in names]
        if name != usual and name not in known:
            hint = suggestion(name, known) or "write its name as it stands in the file"
            raise ProblemError(f"{self._path}: no {what} is called {quoted(name)}; {hint}")

    def _error(self, line: int, complaint: str) -> ProblemError:
        return ProblemError(f"{self._path}, line {line}: {complaint}")

    def _number(self, line: int, text: str, column: str) -> Fraction | int:
        """Return the number in a cell, which is not negative."""
        if not _NUMBER.fullmatch(text):
            raise self._error(
                line, f"{quoted(text)} in column {quoted(column)} is no number from 0 on, such as 3 or 0.25"
            )
        number = Fraction(text)
        return int(number) if number.denominator == 1 else number

    def _parts(self, priors: Sequence[Fraction]) -> Iterable[int]:
        """Return how many states, all equally likely, each hypothesis comes to."""
        unit = 1
        for prior in priors:
            unit = math.lcm(unit, prior.denominator)
            if unit > _MOST_PARTS * _LARGEST:  # then each comes to more parts than all may
                raise ProblemError(f"{self._path}: the priors have too many denominators; round them to three decimals")
        parts = [int(prior * unit) for prior in priors]
        common = math.gcd(*parts)
        if sum(parts) // common > _MOST_PARTS:
            raise ProblemError(
                f"{self._path}: the priors come to {sum(parts) // common:,} equally likely parts, and "
                f"{_MOST_PARTS:,} are the most; round them, such as to three decimals"
            )
        return [part // common for part in parts]

    def _tell(self, alike: Iterable[Sequence[int]]) -> None:
        """Warn of hypotheses that no test tells apart."""
        names = [list(dict.fromkeys(self.names[self.states[state]] for state in states)) for states in alike]
        joined = [" and ".join(some) for some in names if len(some) > 1]
        if joined:
            more = f"; and {len(joined) - 3} more such groups" if len(joined) > 3 else ""
            told = f"no test tells these apart, so they are taken together: {'; '.join(joined[:3])}{more}"
            warnings.warn(f"{self._path.name}: {told}", DataWarning, stacklevel=2)
