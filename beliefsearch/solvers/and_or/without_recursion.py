"""Functions that call themselves, without Python's limit on how deeply: they are written as generators."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias, TypeVar

Value = TypeVar("Value")

Calls: TypeAlias = Generator["Calls[Any]", Any, Value]
"""A function that gives a `Value`; where it would call another such function it yields the call."""


def without_recursion(call: Calls[Value]) -> Value:
    """What `call` gives. The calls that wait for one another are kept on a list, as deep as memory goes."""
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
