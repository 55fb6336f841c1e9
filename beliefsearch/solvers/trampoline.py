"""Trampoline for recursive functions, written as generators, without Python's recursion limit."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias, TypeVar

Value = TypeVar("Value")

Calls: TypeAlias = Generator["Calls[Any]", Any, Value]
"""A recursive function that returns a `Value`; it yields each recursive call."""


def without_recursion(call: Calls[Value]) -> Value:
    """Run `call` and return its value; pending calls are kept on a list, limited only by memory."""
    waiting: list[Calls[Any]] = [call]
    answer: Any = None
    while waiting:
        try:
            waiting.append(waiting[-1].send(answer))
            answer = None
        except StopIteration as done:
            waiting.pop()
            answer = done.value
    return answer  # type: ignore[no-any-return]  # of the first call, which is the last to be done
