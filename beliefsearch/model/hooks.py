"""Hooks: optional methods for authors, each group a class to derive from besides the problem class.

A puzzle names its hooks after the kind of problem it is::

    class DevilProblem(BeliefProblem[Coins, Move, None], ArrayHook[Coins, Move], PotentialHook[Coins]):

Then all methods of a hook are required: a class with half of it fails when an object is made of it. A method with
the name of a hook's in a class that is not derived from it is refused. Whether an author gave a hook is asked by
`isinstance`. If it depends on a parameter, `all_states`, `construction`, `arrays`, `distinct_actions`, `restart`,
`adaptively`, `factors` and `plot_position` may give None, "not for this one"; a potential may be 0, the class of a
belief the belief itself, and the future of a state the state.

No hook changes an answer; `beliefsearch check` tries each on the smallest instances. To add one, write its class here,
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
"""The hooks, each with the kind of problem that it is for."""
HOLDS_FROM: dict[type, Callable[[Any, Sequence[Any]], bool]] = {}
"""By hook: whether what a problem's says is also true of the problem with these states as its initial belief."""
Class = TypeVar("Class", bound=ABCMeta)


def hook_for(
    kind: ABCMeta, holds_from: Callable[[Any, Sequence[Any]], bool] = lambda problem, states: False
) -> Callable[[Class], Class]:
    """Enter a class among the hooks of a kind of problem; `holds_from` as in `HOLDS_FROM`, by default never."""

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

    Where `heuristic` bounds what must be paid from one state, this bounds what must be paid because there are so
    many: a belief of a thousand states cannot be won by one action if an action wins from one state at a time.
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

        Two actions are equivalent in a belief when a symmetry of the problem maps the belief to itself and the
        one action to the other: then what may follow one is, up to that symmetry, what may follow the other.
        None: all of them. What may leave each state of `belief` as it is, with one and the same percept, need not be
        among them. If they are given one by one, as by a generator, the first are taken for the most promising ones.
        """


@hook_for(BeliefProblem, _always)
class BeliefClassHook(ABC, Generic[State]):
    """Symmetry between beliefs in a contingent problem: only one of each class of equivalent beliefs is solved."""

    @abstractmethod
    def belief_class(self, belief: frozenset[State]) -> Hashable:
        """A value that is equal for beliefs that a symmetry of the problem maps to each other.

        Where `canonical` replaces one state at a time, this looks at all of a belief: the same permutation has
        been applied to every state of it. When in doubt give different values (`belief` itself always does, unless
        `distinct_actions` makes use of the symmetry); two beliefs of one class must cost the same to win.
        """


@hook_for(BeliefProblem, _always)
class SymmetryHook(ABC, Generic[State, Action]):
    """Symmetries of the whole problem, from which proofs become short; each is checked, state by state."""

    @abstractmethod
    def symmetries(self) -> Iterable[tuple[Callable[[State], State], Callable[[Action], Action]]]:
        """Some symmetries, of which others are made by doing one after the other: what becomes of states and actions.

        A symmetry gives states and actions other names and changes nothing else: an action that applies in a state
        costs the same as its image in the image, leads to the images of its results, and what is perceived alike is
        so there too. No two states, and no two actions, have one image, and goal sets are mapped to goal sets.
        """


@hook_for(BeliefProblem, _always)
class FutureHook(ABC, Generic[State]):
    """Futures of states, without what is only remembered; beliefs are then sets of futures."""

    @abstractmethod
    def future(self, state: State) -> Hashable:
        """The state without what is only remembered.

        States with one future have the same actions, whose results have one future and the same percepts.
        """

    @abstractmethod
    def sought(self, state: State) -> Hashable:
        """The thing to be known: the game is won as soon as all states that are possible agree in it.

        It is the future of the state, or something that no action changes.
        """


@hook_for(BeliefProblem)
class RestartHook(ABC, Generic[State, Action, Percept]):
    """An action that brings every state back to where it began: words that tell pairs apart are then a plan."""

    @abstractmethod
    def restart(self) -> tuple[Action, BeliefProblem[State, Action, Percept]] | None:
        """The action, and the problem without it, which has futures; what is sought is where a state began.

        None if there is no such action.
        """


@hook_for(BeliefProblem)
class PresetHook(ABC, Generic[State, Action, Percept]):
    """The same game played by percepts, for words that are fixed beforehand: they are found on its futures."""

    @abstractmethod
    def adaptively(self) -> BeliefProblem[State, Action, Percept] | None:
        """The problem in which actions may depend on percepts; a plan here is a plan there that does not use them.

        None if there is no such problem.
        """

    def told(self) -> Sequence[State]:
        """The starts each of which is to be told from all others there, by a word of its own; none: all by one word.

        The problem is about one, or else there are as many questions, which `run` answers at once.
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
    """Parts of the state that evolve by themselves: then a belief is one small belief for each, whatever their number.

    Machines in parallel are an example: each goes its own way, and is a factor. Factors may overlap.
    """

    @abstractmethod
    def factors(self) -> Sequence[Factor[Action]] | None:
        """The factors; None if there are none.

        The contract: what an action leads to in a factor depends on the state of that factor alone; an action applies
        in a state if and only if it applies in each factor that has to do with it; it costs the same in all states; a
        belief is a goal if and only if it is one in each factor; and the initial belief of a factor are the states in
        which the starts of the whole problem have it. Without percepts results may depend on each other between
        factors. With percepts factors are *blocks*: every combination of starts of theirs is a start, every combination
        of results is a result, and what is perceived after an action is told by one of them, while None is in others.
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
        How many actions the plan has, all of cost 1, and no plan has fewer; None: there is no plan.
    action_at
        The action of the plan at a place, counted from 0; the plan may be far too long to list.
    evidence
        JSON values from which `check_construction` re-establishes all of this.
    states
        How many states the problem has: up to some thousands a small search is tried first.
    explanation
        Why it is so, in a few lines of text.
    asked_for
        Whether the problem's own options ask for this plan, so that none is searched for even where that is quick.
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

        Evidence is what stands in a certificate, and may be wrong in any way. Nothing that `construction`
        computed may be relied on.

        Raises
        ------
        ValueError
            If it proves nothing; the text is the first thing that is wrong with it.
        """


def has_closed_form(problem: object) -> TypeGuard[ConstructionHook[Any]]:
    """Whether the class of a problem states a closed form of its own.

    One that it inherits is true of the class that states it, or first extends it to a whole problem. It is not relied
    on where a subclass changes anything else than how states and actions look.
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


# Names by which a class shows itself, and says what is known of it.
_LOOKS = {*vars(Presentation), "known_answers"}


@hook_for(StochasticProblem)
class ChanceArrayHook(ABC, Generic[State, Action]):
    """A whole stochastic problem as arrays, much faster than calls state by state."""

    @abstractmethod
    def arrays(self, tick: Callable[[int], None]) -> AnyArrays[State, Action]:
        """The whole problem as arrays of the form that suits it; None if this instance has none.

        `tick` may be called now and then with the number of states that were found: it hears limits.
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
    """The hook to which a method of this name belongs in a problem class; None if it belongs to none."""
    for hook, kind in HOOKS.items():
        if issubclass(cls, kind) and method in methods_of(hook):
            return hook
    return None


def methods_of(hook: ABCMeta) -> list[str]:
    """The methods that a hook asks for besides those of its kind of problem and of the hook that it extends."""
    return [name for name in vars(hook) if name in hook.__abstractmethods__]
