"""Checks of problem classes, without running their code, for mistakes that would silently change the problem."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any, TypeVar, get_args, get_origin
from weakref import WeakSet

from attrs import field

from ..errors import ProblemError
from .base import BaseProblem
from .hooks import HOOKS, hook_of, methods_of
from .problem import BeliefProblem
from .stochastic import StochasticProblem

# The similarity of two names, from 0 to 1, from which on one is taken for a misspelling of the other.
_ALIKE = 0.85
# The type of a field in a class that no decorator of attrs was applied to.
_UNMADE = type(field())
# Classes found free of mistakes: the check takes longer than a small search.
_LOOKED_THROUGH: WeakSet[type[BaseProblem[Any, Any]]] = WeakSet()


def refuse_slips(cls: type[BaseProblem[Any, Any]]) -> None:
    """Raise a `ProblemError` that names the mistake if a problem class has one of these mistakes."""
    if cls in _LOOKED_THROUGH:
        return
    complaint = (
        without_goal(cls)
        or forgotten_decorator(cls)
        or swapped_percepts(cls)
        or misspelt_percepts(cls)
        or percepts_without_odds(cls)
        or undeclared_hook(cls)
    )
    if complaint is not None:
        raise ProblemError(complaint)
    _LOOKED_THROUGH.add(cls)


def without_goal(cls: type[BaseProblem[Any, Any]]) -> str | None:
    """Advice for an author who says nowhere when the player has won; None if all is well."""
    says = (getattr(cls, name, None) is not getattr(BeliefProblem, name) for name in ("is_goal", "goal_sets"))
    return None if any(says) else f"{cls.__name__} lacks is_goal(state): whether the player has won there"


def forgotten_decorator(cls: type[BaseProblem[Any, Any]]) -> str | None:
    """Advice for an author who gave fields to a class without an attrs decorator; None if all is well."""
    for base in cls.__mro__:
        name = next((name for name, value in vars(base).items() if isinstance(value, _UNMADE)), None)
        if name is not None:
            return f"{base.__name__}.{name} is a field without a value; did you forget @frozen above the class?"
    return None


def swapped_percepts(cls: type[BaseProblem[Any, Any]]) -> str | None:
    """Advice for an author whose `percepts` seems to take the action first; None if all is well."""
    if not issubclass(cls, BeliefProblem):
        return None
    code = getattr(cls.percepts, "__code__", None)
    if code is None or code.co_argcount != 3:  # self, state and action
        return None
    names = code.co_varnames[1:3]
    first, second = names
    by_name = "action" in first.lower() and "action" not in second.lower()
    by_name = by_name or ("state" in second.lower() and "state" not in first.lower())
    if by_name or _types_are_swapped(cls, names):
        return (
            f"{cls.__name__}.percepts({first}, {second}) seems to take the action first; "
            "the order is percepts(state, action), as everywhere"
        )
    return None


def misspelt_percepts(cls: type[BaseProblem[Any, Any]]) -> str | None:
    """Advice for an author who declared percepts but misspelt the method's name; None if all is well."""
    if not issubclass(cls, BeliefProblem) or cls.percepts is not BeliefProblem.percepts:
        return None
    bases = [base for kind in cls.__mro__ for base in getattr(kind, "__orig_bases__", ())]
    declared = [get_args(base)[2] for base in bases if get_origin(base) is BeliefProblem]
    if not declared or declared[0] in (None, type(None), Any) or isinstance(declared[0], TypeVar):
        return None
    near = _own_method(cls, BeliefProblem, ("percept", "perceptions", "perceive", "observations"))
    if near is None:
        return None
    return f"{cls.__name__} has percepts of a type, and a method {near}(); it must be called percepts(state, action)"


def percepts_without_odds(cls: type[BaseProblem[Any, Any]]) -> str | None:
    """Advice for an author of a stochastic problem whose percepts would never be asked for; None if all is well."""
    if not issubclass(cls, StochasticProblem) or cls.percept_distribution is not StochasticProblem.percept_distribution:
        return None
    names = ("percepts", "percept", "percepts_distribution", "percept_distributions", "observations", "perceive")
    near = _own_method(cls, StochasticProblem, names)
    if near is None:
        return None
    return (
        f"{cls.__name__} has a method {near}(); in a stochastic problem it must be called percept_distribution(state, "
        "action), and give pairs (probability, percept)"
    )


def _own_method(cls: type, interface: type, names: tuple[str, ...]) -> str | None:
    """Return the first method with one of these names that the author defines; None if there is none."""
    own = (name for kind in cls.__mro__ if kind.__module__ != interface.__module__ for name in vars(kind))
    return next((name for name in own if name in names), None)


def misspelt_methods(cls: type[BaseProblem[Any, Any]]) -> Iterator[str]:
    """Advice for an author about each public method that nothing in the class calls, and that may be misspelt."""
    from difflib import SequenceMatcher  # only `check` asks for this

    package = __name__.partition(".")[0]
    ours = [kind for kind in cls.__mro__ if kind.__module__.partition(".")[0] == package]
    known = {name for kind in ours for name in vars(kind) if not name.startswith("_")}
    known |= {name for hook, kind in HOOKS.items() if issubclass(cls, kind) for name in hook.__abstractmethods__}
    own = [(name, _function(value)) for kind in cls.__mro__ if kind not in ours for name, value in vars(kind).items()]
    codes = [value.__code__ for _, value in own if isinstance(value, FunctionType)]
    for code in codes:  # grows while it is walked
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    called = {name for code in codes for name in code.co_names}
    for name, value in dict(own).items():
        if name.startswith("_") or name in known | called or not isinstance(value, FunctionType):
            continue
        likeness = {other: SequenceMatcher(None, _bare(name), _bare(other)).ratio() for other in sorted(known)}
        nearest = max(likeness, key=likeness.__getitem__)
        if likeness[nearest] >= _ALIKE:
            hook = hook_of(nearest, cls)
            of_hook = f" (of {hook.__name__})" if hook else ""
            yield f"{cls.__name__}.{name}() is called nowhere in the class; did you mean {nearest}(){of_hook}?"


def _function(value: Any) -> Any:
    """The function inside a static or class method or a property of either kind; else the value."""
    return next((getattr(value, name) for name in ("__func__", "fget", "func") if hasattr(value, name)), value)


def _bare(name: str) -> str:
    return name.lower().replace("_", "")


def undeclared_hook(cls: Any) -> str | None:
    """Advice for an author whose hook would never be called; None if all is well."""
    bases = {*cls.__mro__}  # `issubclass` of an abstract class would be slow: it looks through all its subclasses
    for hook, kind in HOOKS.items():
        if hook in bases and kind not in bases:
            return f"{cls.__name__} is derived from {hook.__name__}, which is for a {kind.__name__} only"
    missing = [
        (name, hook)
        for hook, kind in HOOKS.items()
        if kind in bases and hook not in bases
        for name in methods_of(hook)
        if callable(getattr(cls, name, None))
    ]
    if not missing:
        return None
    name, hook = min(missing, key=lambda method: method[0])
    return (
        f"{cls.__name__} has a method {name}(), which belongs to a hook; derive the class from "
        f"{hook.__name__} as well (from beliefsearch.hooks import {hook.__name__})"
    )


def _types_are_swapped(cls: type[BeliefProblem[Any, Any, Any]], names: tuple[str, str]) -> bool:
    """Whether the annotations are those of `results(state, action)` in reverse order."""
    written = _annotations(cls.percepts)
    others = getattr(cls.results, "__code__", None)
    if others is None or others.co_argcount != 3 or "state" in names[0].lower():
        return False
    known = _annotations(cls.results)
    state, action = (known.get(name) for name in others.co_varnames[1:3])
    given = tuple(written.get(name) for name in names)
    return None not in (state, action) and state != action and given == (action, state)


def _annotations(function: Any) -> dict[str, str]:
    """Annotations as text, so that none need be resolved."""
    written = getattr(function, "__annotations__", {})
    return {name: value if isinstance(value, str) else repr(value) for name, value in written.items()}
