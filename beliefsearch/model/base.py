"""Base of every problem: formats, drawings and descriptions of states and actions; every method has a default."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from attrs import frozen

from ..errors import ProblemError
from .canvas.drawing import Drawing
from .values import stable_text

if TYPE_CHECKING:
    from fractions import Fraction

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)
# A larger belief is drawn as its first states and the number of the others.
_MOST_DRAWN = 12


class Presentation(ABC, Generic[State, Action]):
    """The optional methods by which a problem shows itself to people, in text and in pictures."""

    def format_state(self, state: State) -> str:
        """`state` as one line of text (default: `stable_text`)."""
        return stable_text(state)

    def format_belief(self, states: Collection[State]) -> str:
        """Return a belief as one line of text (default: empty, and its states are listed)."""
        return ""

    def describe_starts(self, count: int) -> str:
        """Return the starts as the end of "the plan wins from" (default: their number)."""
        return "the only start" if count == 1 else f"all {count:,} starts"

    def format_action(self, action: Action) -> str:
        """`action` as one line of text, different for different actions (default: `stable_text`)."""
        return stable_text(action)

    def draw_state(self, state: State) -> str:
        """A picture of `state` in text, possibly of several lines (default: `format_state`)."""
        return self.format_state(state)

    def draw_action(self, action: Action) -> str:
        """`action` as a cell of a table, perhaps padded for alignment (default: `format_action`)."""
        return self.format_action(action)

    def svg_state(self, state: State) -> Drawing:
        """A picture of `state`; every state has the same canvas (default: `draw_state` in a box)."""
        return Drawing.text_box(self.draw_state(state))

    def svg_action(self, action: Action) -> Drawing | None:
        """Draw a mark for `action` over a state or a belief, on the same canvas; None: nothing (default)."""
        return None

    def svg_belief(self, states: Collection[State]) -> Drawing:
        """Draw a belief, in one picture: any of `states` may be the true one.

        A canvas of the same size as that of a state lets `svg_action` be drawn over it. Default: the state itself if
        there is one, otherwise a small picture of each, of at most 12.
        """
        drawn = [self.svg_state(state) for state, _ in zip(states, range(_MOST_DRAWN), strict=False)]
        if len(drawn) == 1:
            return drawn[0]
        small = Drawing.side_by_side(drawn, gap=0.08 * max((drawing.width for drawing in drawn), default=1))
        if len(states) <= _MOST_DRAWN:
            return small
        whole = Drawing(small.width, 1.08 * small.height).place(small)
        size = 0.06 * small.height
        return whole.text(small.width / 2, 1.04 * small.height, f"and {len(states) - _MOST_DRAWN} more", size=size)

    def describe_action(self, action: Action) -> str:
        """Describe an action of the player in a short sentence without a full stop (default: `format_action`)."""
        return self.format_action(action)

    def describe_step(self, state: State, action: Action, result: State) -> str:
        """Describe what happened between `state` and `result`, as text for a watcher (default: empty)."""
        return ""

    def missing(self, state: State, action: Action | None = None) -> str:
        """Say in a few words why `action` does not apply to `state`; without an action, why `state` is no goal.

        The default gives no reason, only the fact, with `format_state`.
        """
        text = self.format_state(state)
        return f"the state may be {text}, which is no goal" if action is None else f"it does not apply to {text}"

    def node_number(self, state: State) -> int | None:
        """The number of `state` in the puzzle's source, for exported graphs (default: None)."""
        return None

    def parse_state(self, text: str) -> State:
        """The state with this text: the inverse of `format_state`.

        Raises
        ------
        ValueError
            If `text` stands for no state. The default reads nothing.
        """
        raise ValueError(f"{type(self).__name__} has no parse_state(), so it cannot read a state")

    def parse_action(self, text: str) -> Action:
        """The action with this text: at least the inverse of `format_action`.

        The text of an applicable action is understood without this hook; it is for shorthands.

        Raises
        ------
        ValueError
            If `text` stands for no action. The default reads nothing.
        """
        raise ValueError(f"{type(self).__name__} has no parse_action(), so it cannot read an action")


Cost: TypeAlias = "int | float | Fraction"
Number: TypeAlias = "int | float | Fraction"
Percept = TypeVar("Percept", bound=Hashable)


@lru_cache(maxsize=256)  # asked at every step of a search
def _first_with(cls: type, method: str) -> type:
    """The first of the classes that `cls` is derived from to have `method`."""
    return next(kind for kind in reversed(cls.__mro__) if method in vars(kind))


@frozen
class KnownAnswer:
    """The answer to an instance of a puzzle, from a source or by brute force, never from a solver of this package.

    Attributes
    ----------
    options
        Values by option, which is an argument of the class; as the class takes them, or as text on the command line.
    answer
        The least cost, infinite if only a cyclic plan wins; the value of a stochastic problem; None: there is no plan.
    objective
        The cost that is minimised, "worst" or "expected".
    blindfold
        Whether a plain problem is played blindfolded.
    within
        The largest error of the figure in the source; 0 if the figure is exact.
    horizon
        The number of actions after which a partially observable problem ends, if the answer is for a finite horizon.
    """

    options: Mapping[str, Any]
    answer: Number | None
    objective: str = "worst"
    blindfold: bool = False
    within: float = 0
    horizon: int | None = None


class BaseProblem(Presentation[State, Action]):
    """Base class of every kind of problem: actions, symmetry and presentation.

    Attributes
    ----------
    known_answers
        Answers to small instances, for tests and for whoever reads about the puzzle (default: none).
    """

    known_answers: ClassVar[Sequence[KnownAnswer]] = ()

    @classmethod
    def options_for_plan(cls, actions: Iterable[str]) -> Mapping[str, object]:
        """Options under which a problem has all actions of a plan, given as texts, and few others (default: none).

        `verify` makes such a problem to check the plan of another planner.
        """
        return {}

    @abstractmethod
    def actions(self, state: State) -> Iterable[Action]:
        """The actions applicable in `state`, without repetition, in a deterministic order."""

    def overrides(self, method: str) -> bool:
        """Whether the author overrides the optional `method`; an adapter asks its problem."""
        default = getattr(_first_with(type(self), method), method)
        # Asked of the object: an author may have given it a function of its own.
        return getattr(getattr(self, method), "__func__", None) is not default

    def canonical(self, state: State) -> State:
        """The representative of all states equivalent to `state` (default: itself).

        Two states are equivalent when the same actions apply to both, cost the same and lead to
        equivalent states, and when both or neither are goals. Solvers then search representatives
        only; the checker in `beliefsearch.verify.sequence` never relies on this hook.
        """
        return state

    def _repr_html_(self) -> str:
        """Return a picture of the initial belief with the parameters, for notebooks."""
        from .canvas.html import problem_box

        return problem_box(self)


@frozen
class StatesWith(Container[State], Generic[State]):
    """States of which `key` is this value, which is hashable: of many such sets a state's own are found at once."""

    key: Callable[[State], Hashable]
    value: Hashable

    def __contains__(self, state: Any) -> bool:
        return self.key(state) == self.value


@frozen
class StatesWhere(Container[State], Generic[State]):
    """States for which `problem.is_goal` holds, as a container that only answers `in`."""

    problem: Any

    def __contains__(self, state: object) -> bool:
        answer: bool | None = self.problem.is_goal(state)
        if answer is None:
            raise ProblemError(
                f"{type(self.problem).__name__}.is_goal({state!r}) gave None; it must give True or False "
                "(was a return forgotten?)"
            )
        return answer
