"""Models of PRISM, also partially observable ones: reach a goal, and stay safe on the way."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from beliefsearch import ProblemError, StochasticProblem
from beliefsearch.errors import DataWarning
from beliefsearch.hooks import ChanceArrayHook, ChanceRows, Question
from beliefsearch.tools import read_data_file

from .._mealy.reader import read_automaton
from .._prism.automaton import model_of
from .._prism.expressions import State
from .._prism.game import BEFORE, Game
from .._prism.machine import Machine, Outcomes, Rewards
from .._prism.parser import given_constants, read_model
from .._prism.properties import TRUE, PropertyList, chosen, read_properties, read_property
from .._prism.question import Asker, Meant, named
from .._prism.syntax import Expression, Model, Value
from .._source import Source

GOAL = "goal"
_SAFE = "notbad"  # what models with pits and crashes call the states without


@frozen
class PrismFileProblem(StochasticProblem[State, str, tuple[Any, ...]], ChanceArrayHook[State, str]):
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
    A file of Graphviz, `.dot`, holds a machine with probabilities, whose outputs are labels and whose inputs are
    actions; the structure `steps` counts these.
    Where there are several initial states each is equally likely, and the first action, `begin`, shows which values
    are observed there; a filter may let the player choose one of them instead.

    Source
    ------
    D. Parker, G. Norman, M. Kwiatkowska, the PRISM language; with observables: G. Norman, D. Parker, X. Zou,
    "Verification and control of partially observable probabilistic systems" (2017).
    """

    file: Path = field(converter=Path, metadata={"help": "the model"})
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
        self._starts, self._listed  # noqa: B018  # mistakes are found now
        if self.asked is not None or self.property_file is None:
            self._meant  # noqa: B018

    def initial_state(self) -> State:
        return self._game.start

    def actions(self, state: State) -> Iterable[str]:
        return tuple(self._game.moves(state))

    def outcomes(self, state: State, action: str) -> Outcomes:
        return self._game.moves(state)[action]

    def arrays(self, tick: Callable[[int], None]) -> ChanceRows[State, str] | None:
        if not self.sees_state():
            return None
        self._game.tick = tick
        survey = self._game.survey
        if survey.listing is None:
            return None
        from .._prism.arrays import rows_of

        return rows_of(self._game, survey, self.reward)

    def percept_distribution(self, state: State, action: str) -> tuple[tuple[int, tuple[Any, ...]]]:
        return ((1, self._percept(state)),)

    def _percept(self, state: State) -> tuple[Any, ...]:
        return tuple([observed(state) for observed in self._observed])

    def sees_state(self) -> bool:
        return self._model.type != "pomdp"

    def is_terminal(self, state: State) -> bool:
        return state != BEFORE and self._game.ended(state) is not None

    def utility(self, state: State) -> int:
        return self._game.utility(state)

    def reward(self, state: State, action: str) -> Any:
        rewards = self._meant.rewards
        if rewards is None or state == BEFORE:
            return 0
        try:
            paid = self._game.paid(rewards, state, action)
        except ArithmeticError as error:
            where = f"the reward of {action} in the state {self.format_state(state)}"
            raise ProblemError(f"{self.file}: {where}: {error}") from None
        return paid if self._meant.is_large else -paid

    def minimizes_cost(self) -> bool:
        return not self._meant.is_large

    def allows_improper(self) -> bool:
        return self._meant.rewards is None and not self.sees_state()

    def is_goal(self, state: State) -> bool:
        return state != BEFORE and self._game.is_won(state)

    def question(self) -> Question | None:
        meant = self._meant
        if not meant.text:
            return None
        settled, because = self._game.settled
        keeping = self._game.keeping
        return Question(meant.text, meant.asks_for, meant.holds, settled, because, meant.of_opposite, keeping)

    def questions(self) -> Mapping[str, Any]:
        if self.property_file is None or self.asked is not None:
            return {}
        found: dict[str, Any] = {}
        for name in self._listed.properties:
            try:
                found[name] = evolve(self, property=name)
            except ProblemError as error:
                found[name] = error
        return found

    # How states and percepts are written and read.

    def format_state(self, state: State) -> str:
        return self._game.text_of(state)

    def parse_state(self, text: str) -> State:
        return self._game.state_of(text)

    def format_percept(self, percept: tuple[Any, ...]) -> str:
        if not self._model.observables or self.sees_state():
            return self.format_state(percept)
        names = [observable.name for observable in self._model.observables]
        called = self._machine.called
        return " ".join(f"{name}={called(name, value)}" for name, value in zip(names, percept, strict=True))

    # What the file says.

    @cached_property
    def _source(self) -> Source:
        return Source(self.file, read_data_file(self.file))

    @cached_property
    def _model(self) -> Model:
        if self.file.suffix.lower() in (".dot", ".gv"):
            return model_of(self.file, read_automaton(self._source))
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
    def _starts(self) -> tuple[State, ...]:
        return tuple(self._machine.starts())

    @cached_property
    def _game(self) -> Game:
        return Game(self.file, self._model.type, self._machine, self._starts, self._meant, self._percept)

    @cached_property
    def _observed(self) -> list[Callable[[State], Any]]:
        return [self._machine.names.compiled(observable.value).run for observable in self._model.observables]

    @cached_property
    def _meant(self) -> Meant:
        """The meaning of the question: by a property, or by labels and a reward structure."""
        asker = Asker(self._model, self._machine, self._starts, self._listed, self._given)
        if self.asked is None and self.property_file is None:
            return self._by_labels()
        source, typed = self._property_source, self._typed
        if self.property_file is None:
            return asker.question(read_property(typed), typed)
        if self.asked is None:
            names = list(self._listed.properties)
            if len(names) != 1:
                there = f"has the properties {', '.join(names)}; choose one by --property NAME"
                there = there if names else "has no property; write one there, such as `Pmax=? [ F x=1 ]`"
                raise ProblemError(f"{self.property_file} {there}")
            return asker.question(chosen(self._listed, names[0], str(self.property_file)), source)
        if self.asked not in self._listed.properties and not self.asked.replace("_", "").isalnum():
            return asker.question(read_property(typed), typed)
        return asker.question(chosen(self._listed, self.asked, str(self.property_file)), source)

    def _by_labels(self) -> Meant:
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
        return Meant(goal, names.boolean(safe), is_large, rewards=paid, surely=paid is not None)
