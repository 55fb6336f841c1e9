"""Model that a file in Storm's explicit format (DRN) lists: a state with its choices after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial

from attrs import define, field

from beliefsearch import ProblemError

from .._pomdp.rows import Repairs, Row
from .._pomdp.words import Numbers
from .._source import Source, quoted

_TYPES = ("DTMC", "MDP", "POMDP")
_SECTIONS = ("@value_type", "@parameters", "@placeholders", "@reward_models", "@nr_states", "@nr_choices")
_STATE = re.compile(r"state\s+(\d+)\s*(?:\{(\d+)\})?\s*(?:\[([^\]]*)\])?\s*(.*)", re.ASCII)
_ACTION = re.compile(r"action\s+(.*?)\s*(?:\[([^\]]*)\])?", re.ASCII)
_MOST_DIGITS = 9
_NO_LABEL = "__NOLABEL__"
_ONE = Fraction(1)


@define
class Choice:
    """What may be done in a state: where it leads, and what is paid for it by reward model."""

    row: Row
    rewards: Sequence[Fraction]


@define(eq=False, slots=False)
class ListedModel:
    """What `FileModel` has, by states with their choices by name; choices have a state's own rewards.

    Whoever asks chooses the reward model that is `paid`, and whether it `is_cost`.
    """

    kind: str
    reward_models: Sequence[str]
    choices: list[dict[str, Choice]] = field(factory=list)
    labels: dict[str, list[int]] = field(factory=dict)
    seen: list[int] = field(factory=list)  # by state the number of the observation; of a POMDP only
    paid: int | None = None
    is_cost: bool = False
    discount: Fraction = _ONE

    @cached_property
    def states(self) -> Mapping[str, int]:
        """Their numbers as text."""
        return {str(state): state for state in range(len(self.choices))}

    @cached_property
    def actions(self) -> Mapping[str, int]:
        """All names of choices, in the order in which they occur."""
        return {name: number for number, name in enumerate(dict.fromkeys(n for by in self.choices for n in by))}

    @cached_property
    def percepts(self) -> Mapping[str, int]:
        """The numbers of observations as text."""
        return {str(observation): number for number, observation in enumerate(sorted({*self.seen}))}

    @cached_property
    def start(self) -> Row:
        """The states with the label init, equally likely."""
        starts = self.labels.get("init", ())
        return dict.fromkeys(starts, Fraction(1, len(starts) or 1))

    def result_row(self, action: int, state: int) -> Row:
        """How probable each result is; where the action cannot be done it leads to what is no state."""
        choice = self._choice(action, state)
        return self._nowhere if choice is None else choice.row

    def percept_row(self, action: int, state: int) -> Row:
        """What is perceived in a state."""
        return self._percept_rows[state]

    def reward(self, action: int, state: int) -> Fraction:
        """What is paid for a choice; costs are negative."""
        choice = self._choice(action, state)
        value = Fraction(0) if choice is None or self.paid is None else choice.rewards[self.paid]
        return -value if self.is_cost else value

    def _choice(self, action: int, state: int) -> Choice | None:
        return self.choices[state].get(self._names[action])

    @cached_property
    def _names(self) -> Sequence[str]:
        return [*self.actions]

    @cached_property
    def _nowhere(self) -> Row:
        return {len(self.choices): _ONE}

    @cached_property
    def _percept_rows(self) -> Sequence[Row]:
        return [{self.percepts[str(observation)]: _ONE} for observation in self.seen]


def read_drn(source: Source, *, strict: bool = False) -> ListedModel:
    """Read a file whole; raises `ProblemError`, with the line."""
    reading = _Reading(source, Repairs(source.path.name, strict))
    model = reading.model()
    reading.repairs.tell()
    return model


class _Reading:
    """The reading of one file, line by line."""

    def __init__(self, source: Source, repairs: Repairs) -> None:
        self._source, self.repairs = source, repairs
        self._numbers = Numbers()
        self._at = 0

    def _error(self, complaint: str) -> ProblemError:
        return self._source.error(self._at, complaint)

    def _lines(self) -> Iterator[str]:
        for at, line in self._source.lines("//"):
            self._at = at
            yield line

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
        if match[2] is not None:
            model.seen.append(self._whole(match[2]))
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
        name = next(name for name in (label, *(f"{label}#{n}" for n in range(2, len(here) + 3))) if name not in here)
        rewards = [one + other for one, other in zip(paid, self._rewards(match[2], model), strict=True)]
        row: dict[int, Fraction] = {}
        here[name] = Choice(row, rewards)
        return row

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
        if row is not None:
            place = partial(self._source.place, self._at)
            row.update(self.repairs.checked(row, "the action before", place, self._error))

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
