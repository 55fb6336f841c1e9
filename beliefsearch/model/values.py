"""Authors' values of any type: whether they are hashable, their text, and their conversion to numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

Value = TypeVar("Value")


def is_hashable(value: object) -> bool:
    """Whether `value` may be a state or an action; a tuple that contains a list, for example, may not."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def stable_text(value: object) -> str:
    """`str(value)`, but with the members of sets in order, so that the text is the same in every run."""
    return value if isinstance(value, str) else _stable_repr(value)


def _stable_repr(value: object) -> str:
    if type(value) in (set, frozenset):
        assert isinstance(value, (set, frozenset))
        return "{" + ", ".join(sorted(map(_stable_repr, value))) + "}"
    if type(value) is tuple:
        return "(" + ", ".join(map(_stable_repr, value)) + (",)" if len(value) == 1 else ")")
    return repr(value) if isinstance(value, str) else str(value)


def in_stable_order(answer: Iterable[Value]) -> Iterable[Value]:
    """An author's collection in its own order; a set, whose order differs from run to run, is sorted by text."""
    return sorted(answer, key=stable_text) if isinstance(answer, (set, frozenset)) else answer


def listed(items: Iterable[Value]) -> Sequence[Value]:
    """All of `items` as a list, made by Python code, which a limit can interrupt; `list` runs in C."""
    return items if isinstance(items, (list, tuple)) else [item for item in items]  # noqa: C416  # see above


def is_among(value: object, items: Iterable[object]) -> bool:
    """Whether `items` hold `value`; without an `in` of their own they are searched by Python code, see `listed`."""
    return value in items if hasattr(items, "__contains__") else any(item == value for item in items)


def totals(pairs: Iterable[tuple[Any, Value]]) -> dict[Value, Any]:
    """The sum of the weights of each value, from pairs of a weight and a value; in order of first mention."""
    sums: dict[Value, Any] = {}
    for weight, value in pairs:
        sums[value] = sums.get(value, 0) + weight
    return sums


def as_number(value: Any) -> Any:
    """`value` as a Python number if it is a number of another library.

    Numbers of an array have a fixed width: their sums overflow, or lose digits.
    """
    if type(value) in (int, float):
        return value
    item = getattr(value, "item", None)
    return item() if callable(item) and getattr(value, "ndim", None) == 0 else value


def is_exact(value: object) -> bool:
    """Whether `value` is a whole number or a fraction, so that arithmetic is exact."""
    if type(value) is int:
        return True
    if type(value) is float:
        return False
    from fractions import Fraction  # imported late: most problems have none

    return isinstance(value, Fraction)


def whole(number: Value) -> Value | int:
    """A number, as an int if it is whole."""
    value: Any = number
    return int(value) if value % 1 == 0 else number  # which infinity is not
