"""What an author writes: the three kinds of problem.

======================  =========================================================================
`Problem`               deterministic and fully observable; a plan is a sequence of actions
`BeliefProblem`         several states may be the true one, an action may have several results,
                        percepts may tell states apart or be absent (*sensorless*)
`StochasticProblem`     results have probabilities; maximise an expected utility
======================  =========================================================================

There is one transition model: a `Problem` is a `BeliefProblem` with one start and one result of each action.

What is required is abstract, so a class that forgets a method fails when it is constructed. The
optional hooks all have a default. States and actions are hashable values of the author's own types.

Semantics, the same for every kind:

- An action is applicable in a belief when it is applicable in every state of it.
- Goal states are not absorbing. A game that stops when it is won says so in its own results.
- An applicable action has at least one result; none at all is a `ProblemError`.
- The order of actions is significant and deterministic, and states that share actions list them in
  the same relative order; so the same call always gives the same answer.
- Costs are not negative.

The words are those of Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition,
chapters 3, 4 and 16.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from attrs import frozen

from ..errors import ProblemError
from .values import stable_text

if TYPE_CHECKING:
    from fractions import Fraction
    from typing import TypeAlias

    from numpy.typing import NDArray

    Cost: TypeAlias = int | float | Fraction
    Number: TypeAlias = int | float | Fraction

__all__ = [
    "Action",
    "BaseProblem",
    "BeliefProblem",
    "Construction",
    "KnownAnswer",
    "ObservableProblem",
    "Percept",
    "Problem",
    "ReversibleProblem",
    "State",
]

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)
Percept = TypeVar("Percept", bound=Hashable)


@frozen
class KnownAnswer:
    """The answer to an instance of a puzzle, from a source or by brute force; nothing a solver of ours has found.

    Attributes
    ----------
    options
        The puzzle's options by their names on the command line, with values as they stand in plan files.
    answer
        The least cost, infinite if only a cyclic plan wins; of a stochastic problem the value; None: there is no
        plan.
    objective
        Which cost it is, "worst" or "expected".
    blindfold
        Whether a plain problem is played blindfolded.
    """

    options: Mapping[str, int | float | str]
    answer: Number | None
    objective: str = "worst"
    blindfold: bool = False


class BaseProblem(ABC, Generic[State, Action]):
    """What every kind of problem shares: actions, symmetry, and how things are written and read.

    Attributes
    ----------
    known_answers
        Answers to small instances, for tests and for whoever reads about the puzzle (default: none).
    """

    known_answers: ClassVar[Sequence[KnownAnswer]] = ()

    @abstractmethod
    def actions(self, state: State) -> Iterable[Action]:
        """The actions applicable in `state`, without repetition, in a deterministic order."""

    def canonical(self, state: State) -> State:
        """The representative of all states equivalent to `state` (default: itself).

        Two states are equivalent when the same actions apply to both, cost the same and lead to
        equivalent states, and when both or neither are goals. Solvers then search representatives
        only; the checker in `beliefsearch.verify.sequence` never relies on this hook.
        """
        return state

    def format_state(self, state: State) -> str:
        """`state` as one line of text (default: `stable_text`)."""
        return stable_text(state)

    def format_action(self, action: Action) -> str:
        """`action` as one line of text; different actions must read differently (default: `stable_text`)."""
        return stable_text(action)

    def draw_state(self, state: State) -> str:
        """A picture of `state`, possibly of several lines (default: `format_state`)."""
        return self.format_state(state)

    def draw_action(self, action: Action) -> str:
        """`action` as a cell of a table, where alignment helps the eye (default: `format_action`)."""
        return self.format_action(action)

    def node_number(self, state: State) -> int | None:
        """The number of `state` where the puzzle's source numbers them, for exported graphs (default: None)."""
        return None

    def describe_step(self, state: State, action: Action, result: State) -> str:
        """What happened between `state` and `result`, for somebody watching (default: nothing)."""
        return ""

    def parse_state(self, text: str) -> State:
        """The state that `text` stands for: the inverse of `format_state`.

        Raises
        ------
        ValueError
            If `text` stands for no state. The default reads nothing.
        """
        raise ValueError(f"{type(self).__name__} does not say how to read a state")

    def parse_action(self, text: str) -> Action:
        """The action that `text` stands for: at least the inverse of `format_action`.

        The text of an applicable action is understood without this hook; it is for shorthands.

        Raises
        ------
        ValueError
            If `text` stands for no action. The default reads nothing.
        """
        raise ValueError(f"{type(self).__name__} does not say how to read an action")


@frozen
class Construction(Generic[Action]):
    """What an author knows of the answer without any search, with evidence that can be checked.

    Attributes
    ----------
    length
        How many actions the plan has, all of cost 1, and no plan has fewer; None: there is no plan.
    action_at
        The action of the plan at a place, counted from 0; the plan may be far too long to list.
    evidence
        JSON values from which `check_construction` re-establishes all of this.
    states
        How many states the problem has: up to some thousands a search is as quick.
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


@frozen
class _StatesWhere(Container[State], Generic[State]):
    """The states for which `problem.is_goal` holds, as a container that is never listed."""

    problem: BeliefProblem[State, Any, Any]

    def __contains__(self, state: object) -> bool:
        answer: bool | None = self.problem.is_goal(state)  # type: ignore[arg-type]  # Container wants object
        if answer is None:
            raise ProblemError(
                f"{type(self.problem).__name__}.is_goal({state!r}) gave None; it must give True or False "
                "(was a return forgotten?)"
            )
        return answer


class BeliefProblem(BaseProblem[State, Action], Generic[State, Action, Percept]):
    """A problem whose player may not know the state: nondeterministic, partially observable, or both."""

    @abstractmethod
    def initial_states(self) -> Iterable[State]:
        """The initial belief: every state that may be the true one at the start (at least one)."""

    @abstractmethod
    def results(self, state: State, action: Action) -> Iterable[State]:
        """Every state that may follow when `action` is done in `state`: at least one.

        In simulated games each listed result is equally likely, so one listed twice is twice as likely.
        """

    def percepts(self, state: State, action: Action) -> Iterable[Percept | None]:
        """What the player may perceive on arriving in `state` by `action`: at least one percept.

        The default is the single percept None: the problem is *sensorless*. Several percepts mean
        that sensing is noisy.
        """
        return (None,)

    def has_adversary(self) -> bool:
        """Whether results are chosen by somebody who wants the player to lose; by default they come by chance.

        Against chance a plan that keeps trying wins in the end; against an adversary it may never do so, and is
        no plan at all. Where a plan is sure to win within a certain number of actions, this makes no difference.
        """
        return False

    def format_percept(self, percept: Percept | None) -> str:
        """`percept` as one line of text; different percepts must read differently (default: `stable_text`)."""
        return stable_text(percept)

    def is_sensorless(self) -> bool:
        """Whether the player perceives nothing (default: `percepts` is not overridden)."""
        return type(self).percepts is BeliefProblem.percepts

    def construction(self) -> Construction[Action] | None:
        """The answer in closed form, for authors who know one (default: None)."""
        return None

    def check_construction(self, evidence: Mapping[str, Any]) -> int | None:
        """The length of the shortest plan, or None for no plan, as `evidence` proves it.

        Evidence is what stands in a certificate, and may be wrong in any way. Nothing that `construction`
        computed may be relied on.

        Raises
        ------
        ValueError
            If it proves nothing; the text is the first thing that is wrong with it.
        """
        raise ValueError(f"{type(self).__name__} brings no checker for constructions")

    def goal_sets(self) -> Iterable[Container[State]]:
        """The maximal sets of states in which the player has won.

        A belief is a goal when it lies inside one of them. By default there is one set, the states
        for which `is_goal` holds; "know which state it is" would be one singleton a state. A subset
        of a goal belief is therefore always a goal belief.
        """
        return (_StatesWhere(self),)

    def potential(self, state: State) -> Cost:
        """The share of `state` in a lower bound on the cost from a belief, which is the sum over its states.

        Where `heuristic` bounds what must be paid from one state, this bounds what must be paid because there
        are so many: a belief of a thousand states cannot be won by one action if an action wins from one state
        at a time. The contract: not negative, 0 where the player has won, and no action lowers the sum over a
        belief by more than it costs. (Default: 0.)
        """
        return 0

    def has_potential(self) -> bool:
        """Whether the author gave a `potential`; override both where that depends on a parameter."""
        return type(self).potential is not BeliefProblem.potential

    def distinct_actions(self, belief: frozenset[State]) -> Iterable[Action] | None:
        """Of the actions that apply in every state of `belief`, at least one of each class of equivalent ones.

        Two actions are equivalent in a belief when a symmetry of the problem maps the belief to itself and the
        one action to the other: then what may follow one is, up to that symmetry, what may follow the other.
        For problems with percepts and many actions that differ in names only. None (the default): all of them.
        """
        return None

    def belief_class(self, belief: frozenset[State]) -> Hashable:
        """A value that is the same for beliefs that a symmetry of the problem maps to each other.

        What it takes to win from one of them is then worked out once. Where `canonical` replaces one state at
        a time, this looks at all of a belief: the same permutation has been applied to every state of it. When
        in doubt give different values; two beliefs of one class must cost the same to win. (Default: `belief`.)
        """
        return belief

    @abstractmethod
    def is_goal(self, state: State) -> bool:
        """Whether the player has won in `state`; of no account where `goal_sets` is overridden."""

    def action_cost(self, state: State, action: Action) -> Cost:
        """What doing `action` in `state` costs: a finite number, not negative (default: 1)."""
        return 1

    def has_unit_costs(self) -> bool:
        """Whether every action costs exactly 1, so that cost and number of actions agree.

        True unless `action_cost` is overridden; override both when that depends on a parameter.
        """
        return type(self).action_cost is BeliefProblem.action_cost

    def heuristic(self, state: State) -> Cost:
        """A lower bound on the cost from `state` to a goal; infinite if there is no way (default: 0).

        In a belief problem: on what it costs a player who *knows* that the state is `state`.
        """
        return 0

    def has_heuristic(self) -> bool:
        """Whether the author gave a `heuristic`, so that an informed solver is worth choosing."""
        return type(self).heuristic is not BeliefProblem.heuristic

    def all_states(self) -> Sequence[State] | None:
        """Every state that can come up, each canonical one once; their places are their numbers in `all_results`.

        With `all_results` this is the *array hook*: for authors who can give the results of an action in all
        states at once, which is much faster than asking state by state. It is optional; by default there is
        none, and it never changes an answer.
        """
        return None

    def has_array_hook(self) -> bool:
        """Whether the author gave `all_states`; override it where that depends on a parameter."""
        return type(self).all_states is not BeliefProblem.all_states

    def all_results(self, action: Action) -> NDArray[Any]:
        """The results of `action` in every state at once: row i lists the numbers of those of state number i.

        An integer array of shape (states, k), where k is the most results a state has; shorter rows repeat
        a result. Results are given by their canonical states. Rows of states in which `action` does not
        apply are not looked at, but must hold numbers of states.
        """
        raise ProblemError(f"{type(self).__name__} defines all_states() but not all_results()")


class ObservableProblem(BeliefProblem[State, Action, State]):
    """A nondeterministic problem whose player sees every state: the percept is the state.

    What an author writes is `initial_state`, `actions`, `results` and `is_goal`.
    """

    @abstractmethod
    def initial_state(self) -> State:
        """Where the game begins."""

    def initial_states(self) -> Iterable[State]:
        return (self.initial_state(),)

    def percepts(self, state: State, action: Action) -> Iterable[State | None]:
        return (state,)

    def format_percept(self, percept: State | None) -> str:
        return "nothing" if percept is None else self.format_state(percept)


class Problem(BeliefProblem[State, Action, None]):
    """A deterministic, fully observable problem: a shortest-path problem on a graph nobody listed.

    It is the belief problem with one start and one result of each action: its belief always has one state, and
    nothing is left to perceive.
    """

    @abstractmethod
    def initial_state(self) -> State:
        """Where the search begins."""

    @abstractmethod
    def result(self, state: State, action: Action) -> State:
        """The state that follows when `action` is done in `state`."""

    def initial_states(self) -> Iterable[State]:
        return (self.initial_state(),)

    def results(self, state: State, action: Action) -> Iterable[State]:
        return (self.result(state, action),)

    def is_sensorless(self) -> bool:
        return True

    def possible_starts(self) -> Iterable[State]:
        """Every state the game may start from; needed to play it blindfolded.

        Raises
        ------
        ProblemError
            By default: the author lists no starts.
        """
        raise ProblemError(
            f"{type(self).__name__} does not list its possible starts, so it cannot be played "
            "blindfolded; define possible_starts()"
        )


class ReversibleProblem(Problem[State, Action]):
    """A plain problem that can also be walked backwards from its goals."""

    @abstractmethod
    def goal_states(self) -> Iterable[State]:
        """Every goal state."""

    @abstractmethod
    def predecessors(self, state: State) -> Iterable[tuple[State, Action]]:
        """Every pair of a state and an action applicable there whose result is `state`."""
