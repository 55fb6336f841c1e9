"""Contents of a model file as they are written, with places as offsets; and its numbers, exact where they can be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import field, frozen

Value: TypeAlias = bool | int | float | Fraction
MOST_BITS = 4096
"""Numbers of more bits are refused: a few lines could ask for one that fills the memory."""
_MOST_EXPONENT = 400


class ImpossibleNumber(ArithmeticError):
    """A number that there is not, or that is too large."""


def read_number(text: str) -> Value:
    """The number with this text, exactly; raises `ImpossibleNumber` if it is too large."""
    if len(text) > _MOST_EXPONENT:
        raise ImpossibleNumber(f"the number {text[:20]}... has too many digits")
    exponent = text.lower().partition("e")[2]
    if not exponent and "." not in text:
        return int(text)
    if exponent and (len(exponent) > 4 or abs(int(exponent)) > _MOST_EXPONENT):
        raise ImpossibleNumber(f"the number {text} is out of measure")
    value: Value = plain(Fraction(text))
    return value


def plain(value: Any) -> Any:
    """A number, as an int if it is a whole fraction; raises `ImpossibleNumber` if it is too large."""
    if type(value) is int:
        if value.bit_length() > MOST_BITS:
            raise ImpossibleNumber("a number becomes too large")
        return value
    if type(value) is Fraction:
        if value.denominator == 1:
            return plain(value.numerator)
        if value.numerator.bit_length() + value.denominator.bit_length() > MOST_BITS:
            raise ImpossibleNumber("a number becomes too large")
        return value
    if not math.isfinite(value):
        raise ImpossibleNumber("a number becomes infinite, or no number")
    return value


def times(left: Any, right: Any) -> Any:
    """The product."""
    return plain(left * right)


def divided(left: Any, right: Any) -> Any:
    """The quotient, exact unless one of them is a float."""
    if right == 0:
        raise ImpossibleNumber("division by zero")
    if isinstance(left, float) or isinstance(right, float):
        return plain(left / right)
    return plain(Fraction(left) / right)


def remainder(left: int, right: int) -> int:
    """The rest of a division by a positive number; never negative."""
    if right <= 0:
        raise ImpossibleNumber(f"mod by {right}, which is not positive")
    return left % right


def power(base: Any, exponent: Any) -> Any:
    """A power; exact if the exponent is whole."""
    if type(exponent) is int:
        if base == 0 and exponent < 0:
            raise ImpossibleNumber("division by zero")
        if type(base) is not float:
            size = max(abs(base.numerator).bit_length(), base.denominator.bit_length())
            if size > 1 and abs(exponent) * size > 2 * MOST_BITS:
                raise ImpossibleNumber("a power becomes too large")
            return plain(base**exponent if exponent >= 0 else 1 / Fraction(base) ** -exponent)
    try:
        value = float(base) ** float(exponent)
    except (OverflowError, ZeroDivisionError):
        raise ImpossibleNumber("a power becomes too large") from None
    if isinstance(value, complex):
        raise ImpossibleNumber("a root of a negative number")
    return plain(value)


def logarithm(value: Any, base: Any) -> Any:
    """The logarithm; exact if it is whole."""
    if value <= 0 or base <= 0 or base == 1:
        raise ImpossibleNumber(f"there is no logarithm of {value} to the base {base}")
    found = _natural_logarithm(value) / _natural_logarithm(base)
    near = round(found)
    return near if abs(near) < _MOST_EXPONENT and Fraction(base) ** near == value else found


def _natural_logarithm(value: Any) -> float:
    """Also of a fraction that is too near 0 for a float."""
    return math.log(value.numerator) - math.log(value.denominator) if type(value) is Fraction else math.log(value)


def rounded(value: Any) -> int:
    """The nearest whole number; halves are rounded up."""
    whole: int = math.floor(value + Fraction(1, 2))
    return whole


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
    """An outcome with its probability; None: for certain."""

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
    called: Mapping[str, Sequence[str]] = field(factory=dict)
    """By variable: what its values from 0 on are called, if they have names."""
