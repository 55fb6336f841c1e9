"""Toy problems in a few lines: by method what it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def made(*kinds: type[Any], **answers: Any) -> Any:
    """A problem of these kinds; an answer is a function of what is asked, or is always the same."""
    return derived(*kinds, **answers)()


def derived(*kinds: type[Any], **answers: Any) -> Any:
    """The class of such problems."""
    return type("Made", kinds, {n: answer if n == "__doc__" else _method(answer) for n, answer in answers.items()})


def _method(answer: Any) -> Callable[..., Any]:
    return lambda _, *asked: answer(*asked) if callable(answer) else answer
