"""POMDPs and MDPs out of files that number what there is: what their readers share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from attrs import field, frozen
from attrs.validators import optional

from beliefsearch import StochasticProblem
from beliefsearch.tools import Numbering, read_data_file

from .._fractions import DISCOUNT, as_fraction, is_discount
from .._source import Source
from .model import endless_pairs
from .rows import Row

Pairs: TypeAlias = Sequence[tuple[Fraction, str]]
"""Probabilities, each with the name of a state or an observation."""

# A hundred thousand states are written in so much.
_MOST_BYTES = 64 * 2**20


@frozen
class NumberedProblem(StochasticProblem[str, str, str]):
    """A problem out of a file, whose model has rows by the numbers of actions and states."""

    file: Path = field(converter=Path, metadata={"help": "the file", "most_bytes": _MOST_BYTES})
    strict: bool = field(default=False, metadata={"help": "refuse rows that do not sum to 1 exactly"})
    discounted: Fraction | None = field(
        default=None,
        converter=as_fraction,
        validator=optional(is_discount),
        metadata={"option": "discount", "help": f"{DISCOUNT['help']}; default: what the file says"},
    )

    def __attrs_post_init__(self) -> None:
        self._model  # noqa: B018  # a file that cannot be read is refused now

    def initial_distribution(self) -> Pairs:
        return self._pairs(self._model.start, self._states)

    def actions(self, state: str) -> Sequence[str]:
        return self._ending.get(state, self._actions)

    def outcomes(self, state: str, action: str) -> Pairs:
        model = self._model
        return self._pairs(model.result_row(model.actions[action], model.states[state]), self._states)

    def percept_distribution(self, state: str, action: str) -> Pairs:
        model = self._model
        if not model.percepts:
            return ((Fraction(1), state),)
        return self._pairs(model.percept_row(model.actions[action], model.states[state]), self._percepts)

    def sees_state(self) -> bool:
        """Whether there are no observations."""
        return not self._model.percepts

    def is_terminal(self, state: str) -> bool:
        """Whether no action leaves the state, and nothing is paid there."""
        if state not in self._over:
            model, number = self._model, self._model.states[state]
            stays = all([*model.result_row(action, number)] == [number] for action in range(len(model.actions)))
            self._over[state] = stays and not any(self.reward(state, action) for action in self._actions)
        return self._over[state]

    def reward(self, state: str, action: str) -> Fraction:
        pair = (state, action)
        if pair not in self._rewards:
            self._rewards[pair] = self._model.reward(self._model.actions[action], self._model.states[state])
        return self._rewards[pair]

    def discount(self) -> Fraction:
        return self._model.discount if self.discounted is None else self.discounted

    def minimizes_cost(self) -> bool:
        """Whether the file says so, as `values: cost` does."""
        return bool(self._model.is_cost)

    def node_number(self, state: str) -> int:
        return int(self._model.states[state])

    def numbering(self) -> Numbering[str, str, str] | None:
        return Numbering(self._states, self._actions, self._percepts)

    def parse_state(self, text: str) -> str:
        if text not in self._model.states:
            raise ValueError(f"{text!r} is no state of {self.file.name}")
        return text

    @property
    def _source(self) -> Source:
        """What is in the file; comments may be in any language and encoding."""
        return Source(self.file, read_data_file(self.file, most_bytes=_MOST_BYTES, strict=False))

    @abstractmethod
    def _read(self) -> Any:
        """Read the file into what has the attributes of `FileModel`."""

    @cached_property
    def _model(self) -> Any:
        return self._read()

    @cached_property
    def _states(self) -> Sequence[str]:
        return (*self._model.states,)

    @cached_property
    def _actions(self) -> Sequence[str]:
        return (*self._model.actions,)

    @cached_property
    def _percepts(self) -> Sequence[str]:
        return (*self._model.percepts,)

    @cached_property
    def _over(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _ending(self) -> Mapping[str, Sequence[str]]:
        """Without a discount, the actions in states where some cannot be part of any way to a certain end.

        After these the game may be where it cannot end any more. If it begins there, nothing is gained by knowing.
        """
        model = self._model
        ends = (
            {model.states[state] for state in self._states if self.is_terminal(state)} if self.discount() == 1 else ()
        )
        if not ends:
            return {}
        endless = endless_pairs(model.result_row, len(self._actions), len(self._states), ends)
        if any(len(endless.get(state, ())) == len(self._actions) for state in model.start):
            return {}
        return {
            self._states[state]: tuple(name for action, name in enumerate(self._actions) if action not in left_out)
            for state, left_out in endless.items()
            if len(left_out) < len(self._actions)
        }

    @cached_property
    def _rewards(self) -> dict[tuple[str, str], Fraction]:
        return {}

    @cached_property
    def _named(self) -> dict[tuple[int, int], tuple[Row, Pairs]]:
        """By the identities of a row, which many states may share, and of its names: the row, kept, and its pairs."""
        return {}

    def _pairs(self, row: Row, names: Sequence[str]) -> Pairs:
        """A row as pairs of a probability and a name, made when it is asked for first."""
        key = (id(row), id(names))
        known = self._named.get(key)
        if known is None:
            pairs = tuple((probability, names[number]) for number, probability in sorted(row.items()))
            known = self._named[key] = (row, pairs)
        return known[1]
