"""Model that a file in Storm's explicit format (DRN) lists: a state with its choices after the other."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from attrs import define, field

from beliefsearch import ProblemError
from beliefsearch.errors import DataWarning

from .._pomdp.model import TOLERANCE
from .._pomdp.rows import Row, divided, sum_unless_one
from .._pomdp.words import Numbers
from .._source import Source, quoted

_TYPES = ("DTMC", "MDP", "POMDP")
_SECTIONS = ("@value_type", "@parameters", "@placeholders", "@reward_models", "@nr_states", "@nr_choices")
_STATE = re.compile(r"state\s+(\d+)\s*(?:\{(\d+)\})?\s*(?:\[([^\]]*)\])?\s*(.*)", re.ASCII)
_ACTION = re.compile(r"action\s+(.*?)\s*(?:\[([^\]]*)\])?", re.ASCII)
_MOST_DIGITS = 9
_NO_LABEL = "__NOLABEL__"


@define
class Choice:
    """What may be done in a state: where it leads, and what is paid for it by reward model."""

    row: dict[int, Fraction]
    rewards: Sequence[Fraction]


@define(eq=False)
class ListedModel:
    """States with their choices by name, labels and, of a POMDP, observations; choices have a state's own rewards."""

    kind: str
    reward_models: Sequence[str]
    choices: list[dict[str, Choice]] = field(factory=list)
    observations: list[int] = field(factory=list)
    labels: dict[str, list[int]] = field(factory=dict)

    @property
    def actions(self) -> Mapping[str, int]:
        """All names of choices, in the order in which they occur."""
        return {name: number for number, name in enumerate(dict.fromkeys(n for by in self.choices for n in by))}


def read_drn(source: Source, *, strict: bool = False) -> ListedModel:
    """Read a file whole; raises `ProblemError`, with the line."""
    return _Reading(source, strict).model()


class _Reading:
    """The reading of one file, line by line."""

    def __init__(self, source: Source, strict: bool) -> None:
        self._source, self._strict = source, strict
        self._numbers = Numbers()
        self._at = 0
        self._repaired: list[int] = []

    def _error(self, complaint: str) -> ProblemError:
        return ProblemError(f"{self._source.path}, line {self._at}: {complaint}")

    def _lines(self) -> Iterator[str]:
        for number, line in enumerate(self._source.text.splitlines(), 1):
            self._at = number
            text = line.partition("//")[0].strip()
            if text:
                yield text

    def model(self) -> ListedModel:
        lines = self._lines()
        kind, reward_models, count = self._head(lines)
        model = ListedModel(kind, reward_models)
        paid: Sequence[Fraction] = ()
        row: dict[int, Fraction] | None = None
        for line in lines:
            word = line.split(None, 1)[0]
            if word == "state":
                self._end_of_row(row)
                row, paid = None, self._state(line, model)
            elif word == "action":
                self._end_of_row(row)
                row = self._action(line, model, paid)
            elif row is None:
                raise self._error(f"a state or an action should stand here, not {quoted(line)}")
            else:
                self._transition(line, row, count)
        self._end_of_row(row)
        if len(model.choices) != count:
            raise self._error(f"there are {len(model.choices):,} states, and @nr_states says {count:,}")
        for state, choices in enumerate(model.choices):
            if not choices:
                raise self._error(f"state {state} has no action")
        if self._repaired:
            first, many = self._repaired[0], f"{len(self._repaired):,} rows"
            why = f"{many} do not sum to 1, and were divided by their sums; the first ends before line {first}"
            warnings.warn(f"{self._source.path.name}: {why}; --strict refuses them", DataWarning, stacklevel=2)
        return model

    def _head(self, lines: Iterator[str]) -> tuple[str, Sequence[str], int]:
        """Read what stands before the states: the type, the names of the reward models, and the number of states."""
        kind, reward_models, count = "", [], -1
        section = ""
        for line in lines:
            if not line.startswith("@"):
                if section == "@reward_models":
                    reward_models += line.split()
                elif section == "@nr_states":
                    count = self._whole(line)
                elif section in ("@parameters", "@placeholders"):
                    raise self._error(
                        f"a model with parameters, such as {quoted(line)}, is not read; give them values first"
                    )
                elif section != "@nr_choices":
                    raise self._error(f"a line such as @type: MDP should stand here, not {quoted(line)}")
                continue
            section, _, value = (part.strip() for part in line.partition(":"))
            if section == "@type":
                kind = value.upper()
                if kind not in _TYPES:
                    raise self._error(f"models of the type {quoted(value)} are not read; {', '.join(_TYPES)} are")
            elif section == "@model":
                if not kind or count < 0:
                    raise self._error(f"{'@nr_states' if kind else '@type'} should stand before @model")
                return kind, reward_models, count
            elif section not in _SECTIONS:
                raise self._error(f"{quoted(section)} is not known")
        raise self._error("the file ends, and there is no line @model")

    def _state(self, line: str, model: ListedModel) -> Sequence[Fraction]:
        match = _STATE.fullmatch(line)
        if match is None or self._whole(match[1]) != len(model.choices):
            raise self._error(f"state {len(model.choices)} should stand here, not {quoted(line)}")
        if (match[2] is None) == (model.kind == "POMDP"):
            raise self._error(
                f"a state of a {model.kind} has {'an' if model.kind == 'POMDP' else 'no'} observation in braces"
            )
        model.observations.append(self._whole(match[2] or "0"))
        for label in match[4].split():
            model.labels.setdefault(label.strip('"'), []).append(len(model.choices))
        model.choices.append({})
        return self._rewards(match[3], model)

    def _action(self, line: str, model: ListedModel, paid: Sequence[Fraction]) -> dict[int, Fraction]:
        match = _ACTION.fullmatch(line)
        if match is None or not model.choices or not match[1]:
            raise self._error(f"an action of a state should stand here, not {quoted(line)}")
        here = model.choices[-1]
        if here and model.kind == "DTMC":
            raise self._error("a state of a DTMC has one action")
        label = match[1].replace(_NO_LABEL, f"action{len(here)}")
        name, again = label, 2
        while name in here:
            name, again = f"{label}#{again}", again + 1
        rewards = [one + other for one, other in zip(paid, self._rewards(match[2], model), strict=True)]
        here[name] = Choice({}, rewards)
        return here[name].row

    def _transition(self, line: str, row: dict[int, Fraction], count: int) -> None:
        target, colon, chance = (part.strip() for part in line.partition(":"))
        state, value = self._whole(target), self._number(chance)
        if not colon or state >= count or state in row or not 0 <= value <= 1:
            raise self._error(
                f"a state below {count:,}, met once, and a probability should stand here, not {quoted(line)}"
            )
        if value:
            row[state] = value

    def _end_of_row(self, row: dict[int, Fraction] | None) -> None:
        total = None if row is None else sum_unless_one(row)
        if row is None or total is None:
            return
        if self._strict or abs(total - 1) > TOLERANCE:
            raise self._error(f"the probabilities of the action before sum to {float(total):.10g}, not to 1")
        self._repaired.append(self._at)
        row.update(divided(row, total))

    def _rewards(self, text: str | None, model: ListedModel) -> Sequence[Fraction]:
        found = [self._number(word.strip()) for word in text.split(",")] if text and text.strip() else []
        if found and len(found) != len(model.reward_models):
            raise self._error(f"{len(found)} rewards stand here, and @reward_models names {len(model.reward_models)}")
        return found or [Fraction(0)] * len(model.reward_models)

    def _number(self, word: str) -> Fraction:
        above, slash, below = word.partition("/")
        try:
            return self._numbers[above] / (self._numbers[below] if slash else 1)
        except (ValueError, ZeroDivisionError):
            raise self._error(f"a number should stand here, not {quoted(word)}") from None

    def _whole(self, word: str) -> int:
        if not (word.isascii() and word.isdecimal() and len(word) <= _MOST_DIGITS):
            raise self._error(f"a whole number should stand here, not {quoted(word)}")
        return int(word)


def reaching(model: ListedModel, goals: Sequence[int]) -> set[int]:
    """The states from which one of some can be reached; linear in the transitions."""
    before: dict[int, list[int]] = {}
    for state, choices in enumerate(model.choices):
        for choice in choices.values():
            for target in choice.row:
                before.setdefault(target, []).append(state)
    found, frontier = set(goals), [*goals]
    for state in frontier:  # grows while it is walked
        new = set(before.get(state, ())) - found
        found |= new
        frontier += new
    return found


def rows_of(model: ListedModel) -> list[list[Row]]:
    """By action and state the row; where the action cannot be done it leads to what is no state."""
    nowhere: Row = {len(model.choices): Fraction(1)}
    return [[choices[name].row if name in choices else nowhere for choices in model.choices] for name in model.actions]
