"""Models of PRISM, also partially observable ones: reach a goal, and stay safe on the way."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import field, frozen

from beliefsearch import ProblemError, StochasticProblem
from beliefsearch.errors import DataWarning
from beliefsearch.tools import read_data_file

from .._prism.expressions import State
from .._prism.machine import CHANCE, Machine, Outcomes, Rewards, text
from .._prism.parser import given_constants, read_model
from .._prism.survey import Moves, Survey
from .._prism.syntax import Expression, Model
from .._source import Source

BEGIN = "begin"
"""The only action before it is known in which of several initial states the game begins."""

_BEFORE: State = ()  # where it is done

_SAFE = "notbad"  # what models with pits and crashes call the states without


@frozen
class PrismFileProblem(StochasticProblem[State, str, tuple[Any, ...]]):
    """Reach the goal of a model in the language of PRISM, staying safe on the way.

    Story
    -----
    A robot moves, wheels slip and sensors tell little: a model of PRISM says with what probabilities. What is the
    greatest probability of reaching the goal and of staying safe until then? Can it be done almost surely?

    Formal model
    ------------
    A state is the values of all variables. An action is a choice: a label, with one command of each module that has
    it; where there are several such choices in a state the second is called `label#2`. A command without a label is
    called after its module, in brackets. A `pomdp` shows the values of its observables, an `mdp` and a `dtmc` the
    state.
    The game is over at the goal, with utility 1; and where it is lost, with utility 0: where the safe label does not
    hold, where nothing can be done, and where the goal cannot be reached any more. So the value is a probability.
    With a reward structure it is the expected sum of rewards until the goal, which only policies have that
    reach the goal almost surely and stay safe; actions after which that is impossible are left out.
    Where there are several initial states each is equally likely, and the first action, `begin`, shows which values
    are observed there.

    Source
    ------
    D. Parker, G. Norman, M. Kwiatkowska, the PRISM language; with observables: G. Norman, D. Parker, X. Zou,
    "Verification and control of partially observable probabilistic systems" (2017).
    """

    file: Path = field(metadata={"help": "the model"})
    const: str = field(
        default="", metadata={"help": "the value of a constant that the model leaves open: N=6", "joined": ","}
    )
    goal_label: str = field(default="goal", metadata={"help": "the label of states to be reached"})
    safe_label: str | None = field(
        default=None,
        metadata={
            "help": 'the label of states to be kept to; "" for none; default: "notbad", if the model has it, '
            "and a warning says so"
        },
    )
    rewards: str | None = field(
        default=None, metadata={"help": 'a reward structure, "" for one without a name, whose sum is to be large'}
    )
    costs: str | None = field(
        default=None, metadata={"help": 'a reward structure, "" for one without a name, whose sum is to be small'}
    )

    def __attrs_post_init__(self) -> None:
        if self.rewards is not None and self.costs is not None:
            raise ValueError("rewards and costs exclude each other; give one of them")
        self._start, self._is_goal, self._is_safe, self._rewards  # noqa: B018  # mistakes are found now

    def initial_state(self) -> State:
        return self._start

    def actions(self, state: State) -> Iterable[str]:
        return tuple(self._moves(state))

    def outcomes(self, state: State, action: str) -> Outcomes:
        return self._moves(state)[action]

    def percept_distribution(self, state: State, action: str) -> tuple[tuple[int, tuple[Any, ...]]]:
        return ((1, tuple([observed(state) for observed in self._observed])),)

    def sees_state(self) -> bool:
        return self._model.type != "pomdp"

    def is_terminal(self, state: State) -> bool:
        return state != _BEFORE and (self._is_over(state) or (not self._has_rewards and not self._is_hopeful(state)))

    def utility(self, state: State) -> int:
        return int(not self._has_rewards and self.is_goal(state))

    def reward(self, state: State, action: str) -> Any:
        if self._rewards is None or state == _BEFORE:
            return 0
        try:
            paid = self._paid(self._rewards, state, action)
        except ArithmeticError as error:
            where = f"the reward of {action} in the state {self.format_state(state)}"
            raise ProblemError(f"{self.file}: {where}: {error}") from None
        return paid if self.costs is None else -paid

    def minimizes_cost(self) -> bool:
        return self.costs is not None

    def _paid(self, rewards: Rewards, state: State, action: str) -> Any:
        paid = rewards.of_state(state)
        if action == CHANCE and self._model.type == "dtmc":
            choices = self._machine.choices(state)
            return paid + sum(rewards.of_choice(state, choice) for choice in choices) * Fraction(1, len(choices))
        return paid + rewards.of_choice(state, action)

    def is_goal(self, state: State) -> bool:
        return state != _BEFORE and self._is_goal(state)

    # How states and percepts are written and read.

    def format_state(self, state: State) -> str:
        return "(before the start)" if state == _BEFORE else self._machine.text_of(state)

    def parse_state(self, text: str) -> State:
        words = text.replace(",", " ").split()
        return self._machine.state_of(dict(word.partition("=")[::2] for word in words))

    def format_percept(self, percept: tuple[Any, ...]) -> str:
        if not self._model.observables or self.sees_state():
            return self.format_state(percept)
        names = [observable.name for observable in self._model.observables]
        return " ".join(f"{name}={text(value)}" for name, value in zip(names, percept, strict=True))

    # What the file says.

    @cached_property
    def _source(self) -> Source:
        return Source(self.file, read_data_file(self.file))

    @cached_property
    def _model(self) -> Model:
        return read_model(self._source)

    @cached_property
    def _machine(self) -> Machine:
        return Machine(self._source, self._model, given_constants(str(self.file), self._model.constants, self.const))

    @cached_property
    def _starts(self) -> tuple[State, ...]:
        return tuple(self._machine.starts())

    @cached_property
    def _start(self) -> State:
        return self._starts[0] if len(self._starts) == 1 else _BEFORE

    @cached_property
    def _observed(self) -> list[Callable[[State], Any]]:
        return [self._machine.names.compiled(observable.value).run for observable in self._model.observables]

    @cached_property
    def _is_goal(self) -> Callable[[State], bool]:
        return self._machine.names.boolean(self._label(self.goal_label, "goal-label")).run

    @cached_property
    def _is_safe(self) -> Callable[[State], bool]:
        name = self.safe_label
        if name is None and _SAFE in self._model.labels:
            name = _SAFE
            warnings.warn(
                f'{self.file.name}: the game is lost where the label "{_SAFE}" does not hold; with --safe-label "" it '
                f"goes on there, and with --safe-label {_SAFE} nothing is said of it",
                DataWarning,
                stacklevel=2,
            )
        if not name:
            return lambda state: True
        return self._machine.names.boolean(self._label(name, "safe-label")).run

    def _label(self, name: str, option: str) -> Expression:
        label: Expression = _named(self._model.labels, name, f"{self.file} has no label", option)
        return label

    @property
    def _has_rewards(self) -> bool:
        return self.rewards is not None or self.costs is not None

    @cached_property
    def _rewards(self) -> Rewards | None:
        name = self.rewards if self.costs is None else self.costs
        if name is None:
            return None
        option = "rewards" if self.costs is None else "costs"
        structure = _named(self._model.rewards, name, f"{self.file} has no reward structure", option)
        return Rewards(self._machine, structure)

    # What can come up.

    @cached_property
    def _survey(self) -> Survey:
        return Survey(self._machine.successors, self._is_goal, self._is_over, self._starts)

    @cached_property
    def _sure_moves(self) -> dict[State, Moves]:
        found = self._survey.surely()
        lost = [state for state in self._starts if state not in found and not self._is_goal(state)]
        if lost:
            raise ProblemError(
                f"{self.file}: the goal cannot be reached with certainty from {self.format_state(lost[0])}, so that "
                "rewards until then have no expected value; leave --rewards and --costs out"
            )
        return found

    def _is_over(self, state: State) -> bool:
        return self._is_goal(state) or not self._is_safe(state)

    def _is_hopeful(self, state: State) -> bool:
        if state not in self._survey:
            self._survey.add((state,))
        return state in self._survey.hopeful

    def _moves(self, state: State) -> Moves:
        if state == _BEFORE:
            share = Fraction(1, len(self._starts))
            return {BEGIN: tuple((share, start) for start in self._starts)}
        if state not in self._survey:
            self._survey.add((state,))
        moves = self._sure_moves if self._has_rewards else self._survey.moves
        return moves.get(state, {})


def _named(table: Mapping[str, Any], name: str, lacking: str, option: str) -> Any:
    """What goes by a name in the file."""
    if name not in table:
        known = ", ".join(known or '""' for known in table) or "none at all"
        raise ProblemError(f"{lacking} {name!r}; it has {known}: choose one by --{option}")
    return table[name]
