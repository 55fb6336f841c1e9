"""Hooks: optional methods for authors, each group a class to derive from besides the problem class.

A puzzle names its hooks after the kind of problem it is::

    class DevilProblem(BeliefProblem[Coins, Move, None], ArrayHook[Coins, Move], PotentialHook[Coins]):

The abstract methods of a hook are required: a class that lacks one cannot be instantiated. A problem class that has a
method of a hook without deriving from the hook is refused. The framework recognises a hook by `isinstance`.

A hook may apply to some instances only. For the others `all_states`, `construction`, `arrays`, `distinct_actions`,
`restart`, `adaptively`, `factors` and `plot_position` return None, `potential` returns 0, `belief_class` the belief
itself and `future` the state itself.

No hook changes an answer; `beliefsearch check` tries each on the smallest instances. To add one, write its class here
and its rule in `plugins/conformance/hooks/`; the table in `docs/hooks.md` is made from the docstrings.
"""

from __future__ import annotations

from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeGuard, TypeVar

from attrs import frozen

from .base import Action, Cost, Percept, Presentation, State
from .factor import Factor, Facts
from .problem import BeliefProblem, Problem
from .stochastic import StochasticProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .hook_arrays import AnyArrays


HOOKS: dict[ABCMeta, ABCMeta] = {}
"""The kind of problem that each hook is for."""
HOLDS_FROM: dict[type, Callable[[Any, Sequence[Any]], bool]] = {}
"""For each hook a predicate: do a problem's answers stay true if its initial belief is replaced by these states?"""
Class = TypeVar("Class", bound=ABCMeta)


def hook_for(
    kind: ABCMeta, holds_from: Callable[[Any, Sequence[Any]], bool] = lambda problem, states: False
) -> Callable[[Class], Class]:
    """Register a class as a hook for a kind of problem, with its predicate for `HOLDS_FROM` (default: never)."""

    def enter(cls: Class) -> Class:
        HOOKS[cls] = kind
        HOLDS_FROM[cls] = holds_from
        return cls

    return enter


def _always(problem: Any, states: Sequence[Any]) -> bool:
    return True


def _if_listed(problem: Any, states: Sequence[Any]) -> bool:
    listed = frozenset(problem.all_states() or ())
    return all(problem.canonical(state) in listed for state in states)


@hook_for(Problem)
class ReversibleProblem(Problem[State, Action]):
    """A plain problem that can also be walked backwards from its goals."""

    @abstractmethod
    def goal_states(self) -> Iterable[State]:
        """Every goal state."""

    @abstractmethod
    def predecessors(self, state: State) -> Iterable[tuple[State, Action]]:
        """Every pair of a state and an applicable action whose result is `state`."""


@hook_for(BeliefProblem, _always)
class PotentialHook(ABC, Generic[State]):
    """A lower bound on the cost from a belief: the sum of the potentials of its states.

    A `heuristic` bounds the cost of one state; a potential bounds the cost that comes from the number of states. If
    each action wins from at most one state, a belief of a thousand states takes at least a thousand actions.
    """

    @abstractmethod
    def potential(self, state: State) -> Cost:
        """The contribution of `state` to the bound.

        The contract: not negative, 0 where the player has won, and no action lowers the sum over a belief by more
        than it costs.
        """


@hook_for(BeliefProblem, _always)
class DistinctActionsHook(ABC, Generic[State, Action]):
    """Symmetry between actions in a contingent problem: only one of each class of equivalent actions is tried."""

    @abstractmethod
    def distinct_actions(self, belief: frozenset[State]) -> Iterable[Action] | None:
        """Return at least one of each class of equivalent actions among those that apply in every state of `belief`.

        Two actions are equivalent in a belief when a symmetry of the problem maps the belief to itself and one action
        to the other: their outcomes are then the same up to that symmetry. None stands for all actions. Actions that
        may change nothing and tell nothing can be left out. A generator yields the most promising actions first.
        """


@hook_for(BeliefProblem, _always)
class BeliefClassHook(ABC, Generic[State]):
    """Symmetry between beliefs in a contingent problem: only one of each class of equivalent beliefs is solved."""

    @abstractmethod
    def belief_class(self, belief: frozenset[State]) -> Hashable:
        """A value that is equal for beliefs that a symmetry of the problem maps to each other.

        `canonical` replaces each state by itself; this hook compares whole beliefs, under one symmetry for all their
        states. Two beliefs of one class must cost the same to win. When in doubt give different values; `belief`
        itself is always right, unless `distinct_actions` makes use of the symmetry.
        """


@hook_for(BeliefProblem, _always)
class SymmetryHook(ABC, Generic[State, Action]):
    """Symmetries of the whole problem, from which proofs become short; each is checked, state by state."""

    @abstractmethod
    def symmetries(self) -> Iterable[tuple[Callable[[State], State], Callable[[Action], Action]]]:
        """Generators of the group of symmetries, each a map of states and a map of actions.

        A symmetry renames states and actions and changes nothing else. Both maps are injective. If an action applies in
        a state, its image applies in the image of the state, costs the same, and leads to the images of the results.
        Results with equal percepts have images with equal percepts, and goal sets are mapped to goal sets.
        """


@hook_for(BeliefProblem, _always)
class FutureHook(ABC, Generic[State]):
    """Futures: states without their memory of the past, which beliefs may consist of instead."""

    @abstractmethod
    def future(self, state: State) -> Hashable:
        """The part of a state that decides what can still happen.

        States with the same future have the same actions, whose results have the same future and the same percepts.
        """

    @abstractmethod
    def sought(self, state: State) -> Hashable:
        """The property of the state that must become known: the game is won when all states of the belief agree in it.

        It is the future of the state, or something that no action changes.
        """


@hook_for(BeliefProblem)
class RestartHook(ABC, Generic[State, Action, Percept]):
    """An action that takes every state back to its start, so that words which distinguish pairs make up a plan."""

    @abstractmethod
    def restart(self) -> tuple[Action, BeliefProblem[State, Action, Percept]] | None:
        """The action, and the problem without it, which has futures and seeks the start of each state.

        None if there is no such action.
        """


@hook_for(BeliefProblem)
class PresetHook(ABC, Generic[State, Action, Percept]):
    """The adaptive version of a problem about preset words, whose futures the search for words uses."""

    @abstractmethod
    def adaptively(self) -> BeliefProblem[State, Action, Percept] | None:
        """The problem in which actions may depend on percepts; its plans that do not are the plans of this problem.

        None if there is no such problem.
        """

    def told(self) -> Sequence[State]:
        """Starts that are each to be distinguished from all others by a word of their own; empty: one word for all.

        The problem is about one of them, or it asks one question for each, which `run` answers at once.
        """
        return ()


@hook_for(BeliefProblem, _if_listed)
class ArrayHook(ABC, Generic[State, Action]):
    """The results of an action in all states at once, much faster than calls state by state."""

    @abstractmethod
    def all_states(self) -> Sequence[State] | None:
        """Every canonical state that can come up, once; its index is its number in `all_results`.

        None: not for this instance.
        """

    @abstractmethod
    def all_results(self, action: Action) -> NDArray[Any]:
        """The results of `action` in every state: row i lists the numbers of the results of state number i.

        An integer array of shape (states, k), where k is the most results a state has; shorter rows repeat
        a result. Results are given by their canonical states. Rows of states in which `action` does not
        apply are not looked at, but must hold numbers of states.
        """


@hook_for(BeliefProblem, _if_listed)
class PerceptArrayHook(ArrayHook[State, Action], Generic[State, Action, Percept]):
    """The percepts after an action in all states at once, besides its results."""

    @abstractmethod
    def all_percepts(self, action: Action) -> tuple[Sequence[Percept | None], NDArray[Any]]:
        """Return the percepts of `action` for each result: a list of values, and for each result places in that list.

        The places are an integer array of shape (states, k), where k is the most percepts a state has; shorter
        rows repeat a place. Rows of states to which `action` does not lead are not looked at, but must hold places
        in the values. Only for problems in which equivalent states (`canonical`) give the same percepts.
        """


@hook_for(BeliefProblem)
class FactoredHook(ABC, Generic[State, Action]):
    """Factors: parts of the state that evolve independently, so that a belief is one small belief for each factor.

    Machines in parallel are an example: each is a factor. Factors may overlap.
    """

    @abstractmethod
    def factors(self) -> Sequence[Factor[Action]] | None:
        """The factors; None if there are none.

        The contract:

        - the results of an action in a factor depend on the state of that factor alone;
        - an action applies in a state if and only if it applies in each factor that has it among its actions;
        - an action costs the same in all states;
        - a belief is a goal if and only if it is a goal in each factor;
        - the initial belief of a factor is the projection of the initial belief of the whole problem.

        Without percepts, the results in different factors may depend on each other. With percepts, factors are
        *blocks*: every combination of their starts is a start, every combination of their results is a result, and
        after an action one of them has the percept, and the others None.
        """

    @abstractmethod
    def count_starts(self) -> int:
        """Count the starts of the whole problem, which may be too many for `initial_states` to list."""

    def facts(self) -> Facts[Action] | None:
        """The states of the whole problem as sets of facts, where something is perceived (default: None)."""
        return None


@hook_for(Problem)
class CodeHook(ABC, Generic[State, Action]):
    """States as 64-bit words, and the results of an action in many states at once: for counting them all.

    Codes are an array of unsigned 64-bit integers of shape (states, words), where every state of the problem has the
    same number of words. Different canonical states have different codes.
    """

    @abstractmethod
    def codes(self, states: Sequence[State]) -> NDArray[Any]:
        """The codes of canonical states, one row each."""

    @abstractmethod
    def states_of(self, codes: NDArray[Any]) -> Sequence[State]:
        """The states with these codes: the inverse of `codes`."""

    @abstractmethod
    def code_bound(self) -> int | None:
        """A number that no code reaches, if a code is one word and the codes fill much of what lies below; else None.

        With it a state takes two bits of memory, where it takes 8 bytes or more without.
        """

    @abstractmethod
    def all_actions(self) -> Sequence[Action]:
        """Every action that applies in some state, once."""

    @abstractmethod
    def results_of(self, codes: NDArray[Any], action: Action) -> tuple[NDArray[Any], NDArray[Any] | None]:
        """The codes of the canonical results of `action`, row by row; and in which rows it applies, None for in all.

        Rows in which `action` does not apply are not looked at. Several threads may ask at the same time.
        """


@hook_for(Problem)
class ReversibleCodeHook(CodeHook[State, Action], Generic[State, Action]):
    """States as 64-bit words, of a problem that can also be walked backwards from its goals."""

    @abstractmethod
    def goal_codes(self) -> NDArray[Any]:
        """The code of every goal state, one row each."""

    @abstractmethod
    def origins_of(self, codes: NDArray[Any], action: Action) -> NDArray[Any]:
        """The codes of all states in which `action` applies and leads to one of these, in any order."""


@frozen
class Construction(Generic[Action]):
    """An author's answer in closed form, with evidence that can be checked.

    Attributes
    ----------
    length
        The number of actions of a shortest plan, all of cost 1; None: there is no plan.
    action_at
        The action of the plan at a place, counted from 0; the plan may be far too long to list.
    evidence
        JSON values from which `check_construction` proves all of this again.
    states
        The number of states of the problem; up to some thousands a small search is tried first.
    explanation
        The reason, in a few lines of text.
    asked_for
        Whether the problem's own options ask for this plan, so that even a small search is not tried.
    """

    length: int | None
    action_at: Callable[[int], Action]
    evidence: Mapping[str, Any]
    states: int
    explanation: str
    asked_for: bool = False


@hook_for(BeliefProblem)
class ConstructionHook(ABC, Generic[Action]):
    """The answer in closed form, and an independent checker of it."""

    @abstractmethod
    def construction(self) -> Construction[Action] | None:
        """The answer in closed form; None if this instance has none."""

    @abstractmethod
    def check_construction(self, evidence: Mapping[str, Any]) -> int | None:
        """Check `evidence`, and return the length of the shortest plan that it proves, or None for no plan.

        The evidence comes from a certificate and may be wrong in any way. The check must not rely on anything that
        `construction` computed.

        Raises
        ------
        ValueError
            If the evidence proves nothing; the text names the first mistake.
        """


def has_closed_form(problem: object) -> TypeGuard[ConstructionHook[Any]]:
    """Whether the class of a problem states a closed form of its own.

    An inherited closed form is true of the class that defines it, or of the first whole problem that uses it. It may be
    wrong for a subclass that overrides anything but the presentation of states and actions.
    """
    if not isinstance(problem, ConstructionHook):
        return False
    changed: set[str] = set()
    for cls in type(problem).__mro__:
        if "construction" in vars(cls):
            break
        bases = cls.__mro__[1:]
        if not any(issubclass(base, ConstructionHook) and not base.__abstractmethods__ for base in bases):
            break  # no base is a whole problem with a closed form
        changed |= {name for name in vars(cls) if any(name in vars(base) for base in bases)}
    return all(name.startswith(("__", "_abc_")) or name in _LOOKS for name in changed)


# A subclass that overrides only these is the same problem.
_LOOKS = {*vars(Presentation), "known_answers"}


@hook_for(StochasticProblem)
class ChanceArrayHook(ABC, Generic[State, Action]):
    """A whole stochastic problem as arrays, much faster than calls state by state."""

    @abstractmethod
    def arrays(self, tick: Callable[[int], None]) -> AnyArrays[State, Action]:
        """The whole problem as arrays of the form that suits it; None if this instance has none.

        `tick` may be called now and then with the number of states found so far; it raises if a limit is reached.
        """


@hook_for(StochasticProblem)
class PlotHook(ABC, Generic[State]):
    """The places of a stochastic problem's states in a picture, and its labels."""

    @abstractmethod
    def plot_position(self, state: State) -> tuple[int, int] | None:
        """The place of `state` in a picture as (across, up); None leaves it out."""

    @abstractmethod
    def plot_labels(self) -> tuple[str, str, str]:
        """The labels of a picture: horizontal axis, vertical axis, and value."""


def factors_of(problem: Any) -> Sequence[Factor[Any]] | None:
    """The factors of a sensorless problem; None if it has none."""
    given: Any = problem if isinstance(problem, FactoredHook) else None
    return None if given is None or not given.is_sensorless() else given.factors() or None


def blocks_of(problem: Any) -> Sequence[Factor[Any]] | None:
    """The factors of a problem with percepts; None if it has none."""
    given: Any = problem if isinstance(problem, FactoredHook) else None
    return None if given is None or given.is_sensorless() else given.factors() or None


def states_in_arrays(problem: BeliefProblem[Any, Any, Any]) -> Sequence[Any] | None:
    """The states that a problem lists for `PerceptArrayHook`; None if it gives no percepts in arrays."""
    return problem.all_states() if isinstance(problem, PerceptArrayHook) else None


def hook_of(method: str, cls: Any) -> ABCMeta | None:
    """The hook that has a method of this name, among the hooks for the kind of problem `cls`; None if there is none."""
    for hook, kind in HOOKS.items():
        if issubclass(cls, kind) and method in methods_of(hook):
            return hook
    return None


def methods_of(hook: ABCMeta) -> list[str]:
    """The abstract methods that a hook itself adds to its bases."""
    return [name for name in vars(hook) if name in hook.__abstractmethods__]
