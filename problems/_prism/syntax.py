"""What a model file says, as it is written: nothing is worked out yet. Places are offsets in the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from attrs import field, frozen

from .numbers import Value


@frozen
class Literal:
    """A number or a Boolean."""

    value: Value
    type: str
    at: int
    depth: int = 0


@frozen
class Name:
    """A constant, a variable or a formula."""

    name: str
    at: int
    depth: int = 0


@frozen
class Apply:
    """An operator or a function with its arguments; `depth` is how deep expressions are nested in it."""

    operator: str
    arguments: tuple[Expression, ...]
    at: int
    depth: int = field(init=False)

    @depth.default
    def _deeper(self) -> int:
        return 1 + max(argument.depth for argument in self.arguments)


Expression: TypeAlias = Literal | Name | Apply


@frozen
class Constant:
    """A constant; without a value it is open."""

    name: str
    type: str
    value: Expression | None
    at: int


@frozen
class Variable:
    """A variable: Boolean, or whole numbers between two bounds."""

    name: str
    low: Expression | None
    high: Expression | None
    start: Expression | None
    at: int

    @property
    def is_bool(self) -> bool:
        """Whether it has no bounds."""
        return self.low is None


@frozen
class Assignment:
    """A variable and its next value."""

    variable: str
    value: Expression
    at: int


@frozen
class Branch:
    """What may happen with some probability; None: for certain."""

    probability: Expression | None
    assignments: tuple[Assignment, ...]
    at: int


@frozen
class Command:
    """A command; its label is empty if it has none."""

    label: str
    guard: Expression
    branches: tuple[Branch, ...]
    at: int


Renaming: TypeAlias = tuple[Mapping[str, str], ...]
"""What becomes of names, one table after the other."""


@frozen
class Module:
    """A module; `renaming` is to be applied to everything in it."""

    name: str
    variables: tuple[Variable, ...]
    commands: tuple[Command, ...]
    at: int
    renaming: Renaming = ()


def renamed(name: str, renaming: Renaming) -> str:
    """The name that stands for a name."""
    for table in renaming:
        name = table.get(name, name)
    return name


@frozen
class RewardItem:
    """A reward in the states where a guard holds; `label` None: of the state, else of an action with that label."""

    label: str | None
    guard: Expression
    value: Expression


@frozen
class Observable:
    """An observable with a name."""

    name: str
    value: Expression


@frozen
class Model:
    """A whole file."""

    type: str
    constants: Mapping[str, Constant]
    formulas: Mapping[str, Expression]
    labels: Mapping[str, Expression]
    globals: tuple[Variable, ...]
    modules: tuple[Module, ...]
    start: Expression | None
    observables: tuple[Observable, ...]
    rewards: Mapping[str, tuple[RewardItem, ...]]
    start_at: int = 0
