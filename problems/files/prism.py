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
from .._prism.properties import TRUE, PropertyList, chosen, read_properties, read_property
from .._prism.question import Asker, Question, named
from .._prism.survey import Moves, Survey
from .._prism.syntax import Expression, Model, Value
from .._source import Source

BEGIN = "begin"
"""The only action before it is known in which of several initial states the game begins."""

_BEFORE: State = ()  # where it is done

STAY = "stay"
"""What is done where nothing can be done, while steps are counted."""
_STEPS = "steps"  # how many were done, as it stands in a state

GOAL = "goal"
_SAFE = "notbad"  # what models with pits and crashes call the states without


@frozen
class PrismFileProblem(StochasticProblem[State, str, tuple[Any, ...]]):
    """Reach the goal of a model in the language of PRISM, staying safe on the way.

    Story
    -----
    A robot moves, wheels slip and sensors tell little: a model of PRISM says with what probabilities. What is the
    greatest probability of reaching the goal and of staying safe until then? Can it be done almost surely? Or whatever
    else a property asks.

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
    A property of the P or R operator is asked by `property`, alone or by its name in a property file. Then
    probabilities may be made small, too, and the game is over as soon as it makes no difference any more what is done.
    Where steps are counted a state says how many were done.
    Where there are several initial states each is equally likely, and the first action, `begin`, shows which values
    are observed there; a filter may let the player choose one of them instead.

    Source
    ------
    D. Parker, G. Norman, M. Kwiatkowska, the PRISM language; with observables: G. Norman, D. Parker, X. Zou,
    "Verification and control of partially observable probabilistic systems" (2017).
    """

    file: Path = field(metadata={"help": "the model"})
    const: str = field(
        default="", metadata={"help": "the value of a constant that the model leaves open: N=6", "joined": ","}
    )
    goal_label: str = field(default=GOAL, metadata={"help": "the label of states to be reached"})
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

    asked: str | None = field(
        default=None,
        alias="property",
        metadata={
            "option": "property",
            "help": "a property of PRISM, such as 'Pmax=? [ F x=3 ]', or the name of one in the property file",
        },
    )
    property_file: Path | None = field(
        default=None, metadata={"help": "a file of properties; without --property `run` answers all of them"}
    )

    def __attrs_post_init__(self) -> None:
        if self.rewards is not None and self.costs is not None:
            raise ValueError("rewards and costs exclude each other; give one of them")
        if self.asked is not None or self.property_file is not None:
            others = {"rewards": self.rewards, "costs": self.costs, "safe-label": self.safe_label}
            others["goal-label"] = None if self.goal_label == GOAL else self.goal_label
            for name, value in others.items():
                if value is not None:
                    raise ValueError(f"a property says what is asked; leave --{name} out")
        self._start  # noqa: B018  # mistakes are found now
        if self.asked is not None or self.property_file is None:
            self._question  # noqa: B018

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
        return state != _BEFORE and self._ended(state) is not None

    def utility(self, state: State) -> int:
        if self._question.rewards is not None:
            return 0
        comes = bool(self._ended(state)) != self._question.complement
        return int(comes) if self._question.is_large else -int(comes)

    def reward(self, state: State, action: str) -> Any:
        rewards = self._question.rewards
        if rewards is None or state == _BEFORE:
            return 0
        try:
            paid = self._paid(rewards, state, action)
        except ArithmeticError as error:
            where = f"the reward of {action} in the state {self.format_state(state)}"
            raise ProblemError(f"{self.file}: {where}: {error}") from None
        return paid if self._question.is_large else -paid

    def minimizes_cost(self) -> bool:
        return not self._question.is_large

    def _paid(self, rewards: Rewards, state: State, action: str) -> Any:
        paid = rewards.of_state(state)
        if action == CHANCE and self._model.type == "dtmc":
            choices = self._machine.choices(state)
            return paid + sum(rewards.of_choice(state, choice) for choice in choices) * Fraction(1, len(choices))
        return paid + rewards.of_choice(state, action)

    def is_goal(self, state: State) -> bool:
        if self._question.hinders:  # it is won where the goal is not reached any more
            return state != _BEFORE and self._ended(state) == 0
        return state != _BEFORE and self._is_goal(state)

    # How states and percepts are written and read.

    def format_state(self, state: State) -> str:
        if state == _BEFORE:
            return "(before the start)"
        width = len(self._machine.variables)
        counted = "".join(f" {self._counter}={steps}" for steps in state[width:])
        return self._machine.text_of(state[:width]) + counted

    def parse_state(self, text: str) -> State:
        words = dict(word.partition("=")[::2] for word in text.replace(",", " ").split())
        if not self._question.counts_steps:
            return self._machine.state_of(words)
        steps = words.pop(self._counter, "0")
        if not (steps.isdecimal() and len(steps) < 8 and int(steps) <= self._last_step):
            raise ValueError(f"{self._counter} is a whole number from 0 to {self._last_step}, not {steps!r}")
        return (*self._machine.state_of(words), int(steps))

    @cached_property
    def _counter(self) -> str:
        """What the number of steps is called in a state."""
        return _STEPS if _STEPS not in self._machine.variables else f"{_STEPS}#"

    @property
    def _last_step(self) -> int:
        """How far steps are counted."""
        return self._question.low if self._question.high is None else self._question.high

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
        constants = self._model.constants
        return Machine(self._source, self._model, {n: v for n, v in self._given.items() if n in constants})

    @cached_property
    def _given(self) -> Mapping[str, Value]:
        return given_constants(str(self.file), self._model.constants, self.const, self._listed.constants)

    @cached_property
    def _listed(self) -> PropertyList:
        """The property file."""
        return PropertyList({}) if self.property_file is None else read_properties(self._property_source)

    @cached_property
    def _property_source(self) -> Source:
        """The property file; without one, or where it is not meant, what was typed."""
        if self.property_file is None:
            return self._typed
        return Source(self.property_file, read_data_file(self.property_file))

    @property
    def _typed(self) -> Source:
        return Source(Path("--property"), self.asked or "")

    @cached_property
    def _machine_starts(self) -> tuple[State, ...]:
        return tuple(self._machine.starts())

    @cached_property
    def _starts(self) -> tuple[State, ...]:
        """The initial states; where steps are counted, with none done."""
        return tuple((*state, 0) if self._question.counts_steps else state for state in self._machine_starts)

    @cached_property
    def _start(self) -> State:
        return self._starts[0] if len(self._starts) == 1 else _BEFORE

    @cached_property
    def _observed(self) -> list[Callable[[State], Any]]:
        return [self._machine.names.compiled(observable.value).run for observable in self._model.observables]

    @cached_property
    def _question(self) -> Question:
        """What is asked: by a property, or by labels and a reward structure."""
        asker = Asker(self._model, self._machine, self._machine_starts, self._listed, self._given)
        if self.asked is None and self.property_file is None:
            return self._by_labels()
        source, typed = self._property_source, self._typed
        if self.property_file is None:
            return asker.question(read_property(typed), typed)
        if self.asked is None:
            names = list(self._listed.properties)
            if len(names) != 1:
                there = f"has the properties {', '.join(names)}" if names else "has no property"
                raise ProblemError(f"{self.property_file} {there}; choose one by --property NAME")
            return asker.question(chosen(self._listed, names[0], str(self.property_file)), source)
        if self.asked not in self._listed.properties and not self.asked.isidentifier():
            return asker.question(read_property(typed), typed)
        return asker.question(chosen(self._listed, self.asked, str(self.property_file)), source)

    def _by_labels(self) -> Question:
        """The question that labels and a reward structure ask."""
        names, model = self._machine.names, self._model
        lacking = f"{self.file} has no label"
        goal = names.boolean(named(model.labels, self.goal_label, lacking, "goal-label"))
        safe: Expression = TRUE
        name = self.safe_label
        if name is None and _SAFE in model.labels:
            name = _SAFE
            warnings.warn(
                f'{self.file.name}: the game is lost where the label "{_SAFE}" does not hold; with --safe-label "" it '
                f"goes on there, and with --safe-label {_SAFE} nothing is said of it",
                DataWarning,
                stacklevel=2,
            )
        if name:
            safe = named(model.labels, name, lacking, "safe-label")
        rewards, option = (self.rewards, "rewards") if self.costs is None else (self.costs, "costs")
        paid = None
        if rewards is not None:
            structure = named(model.rewards, rewards, f"{self.file} has no reward structure", option)
            paid = Rewards(self._machine, structure)
        is_large = self.costs is None
        return Question(goal.run, names.boolean(safe).run, is_large, rewards=paid, surely=paid is not None)

    # What can come up.

    def _is_goal(self, state: State) -> bool:
        question = self._question
        return bool(question.goal(state)) and (not question.counts_steps or state[-1] >= question.low)

    def _is_over(self, state: State) -> bool:
        question = self._question
        if question.goal(state) and (not question.counts_steps or state[-1] >= question.low):
            return True
        return not question.safe(state) or (question.high is not None and state[-1] >= question.high)

    def _successors(self, state: State) -> Moves:
        if not self._question.counts_steps:
            return self._machine.successors(state)
        found = self._machine.successors(state) or {STAY: ((1, state),)}
        steps = min(state[-1] + 1, self._last_step)
        return {
            action: tuple((chance, (*after[:-1], steps)) for chance, after in outcomes)
            for action, outcomes in found.items()
        }

    @cached_property
    def _survey(self) -> Survey:
        return Survey(self._successors, self._is_goal, self._is_over, self._starts)

    def _ended(self, state: State) -> int | None:
        """1 where the goal is reached, 0 where it is not any more, None where the game goes on.

        The graph of states tells where it cannot be reached, and for who hinders it where he can keep from it.
        """
        if self._is_over(state):
            return int(self._is_goal(state))
        if self._question.rewards is not None:
            return None
        survey = self._known(state)
        if self._question.hinders and self.sees_state() and state in survey.avoidable:
            return 0
        if self._question.hinders and state in survey.inevitable:
            return 1
        return None if state in survey.hopeful else 0

    def _known(self, state: State) -> Survey:
        if state not in self._survey:
            self._survey.add((state,))
        return self._survey

    def _moves(self, state: State) -> Moves:
        if state == _BEFORE:
            return self._first_moves
        survey = self._known(state)
        return (self._sure_moves if self._question.surely else survey.moves).get(state, {})

    @property
    def _sure_moves(self) -> Mapping[State, Moves]:
        if self._missed and not self._question.text:
            raise ProblemError(
                f"{self.file}: the goal cannot be reached with certainty from {self.format_state(self._missed[0])}, so "
                "that rewards until then have no expected value; leave --rewards and --costs out"
            )
        return self._survey.sure

    @property
    def _missed(self) -> list[State]:
        """The initial states from which rewards are infinite, since the goal may never be reached."""
        survey = self._survey
        if self._question.surely:
            return [state for state in self._starts if state not in survey.sure and not self._is_goal(state)]
        return [state for state in self._starts if state not in survey.inevitable]

    @cached_property
    def _first_moves(self) -> Moves:
        """What may be done before the start: nothing but to begin; or where one may be chosen, to begin there."""
        starts = self._starts
        if not self._question.picks:
            return {BEGIN: tuple((Fraction(1, len(starts)), start) for start in starts)}
        if self._question.surely:
            starts = tuple(state for state in starts if state not in self._missed)
        return {f"{BEGIN}#{n + 1}" if n else BEGIN: ((1, start),) for n, start in enumerate(starts)}
