"""Results of searches and explorations: frozen values with their invariants enforced.

"Unsolvable" and "undecided" are results like "solved", not exceptions. `UNSOLVABLE` is a claim of
proof; a search that a limit stopped is `UNDECIDED` and reports the lower bound it had reached.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Generic

from attrs import field, frozen

from ..errors import LimitError, NoSolutionError
from ..model.base import Action, Cost
from ..model.canvas.html import box, line, table
from .plan import ConditionalPlan, Plan
from .wording import number_text, plural

CONSTRUCT = "construct"
"""The solver's name in the result of a closed form."""
MOST_LISTED = 100_000
"""The largest number of actions of a plan in closed form that is listed."""


@frozen(eq=False)
class Grounds:
    """Justification of a lower bound, from which a proof is made: see `proofs/belief_bounds.py`.

    `evidence` makes evidence for the problem's own checker, perhaps of a lower bound, given the seconds that the check
    may take. `cores` makes bounds by set of states, or returns None if there are too many.
    """

    problem: Any = field(repr=False)
    bounds: Mapping[tuple[Any, ...], Cost] = field(repr=False)  # on the worst-case cost, by set of states
    evidence: Callable[..., Mapping[str, Any] | None] | None = field(default=None, repr=False)
    cores: Callable[[], Mapping[tuple[Any, ...], Cost] | None] | None = field(default=None, repr=False)


class Status(Enum):
    """The verdict of a search."""

    SOLVED = "solved"
    """A plan was found."""
    UNSOLVABLE = "unsolvable"
    """It is proved that there is no plan."""
    UNDECIDED = "undecided"
    """A limit, or the user, stopped the search before it could decide."""


@frozen
class SearchStats:
    """The statistics of a search; its counts are exact and the same on every machine.

    Attributes
    ----------
    expanded
        States whose successors were generated.
    generated
        Successors generated, repetitions included.
    reached
        Different states seen, the initial one included.
    max_frontier
        The largest number of states that waited for expansion at one time.
    max_belief_size
        The size of the largest belief; 1 if the state is always known, or each factor was listed alone.
    seconds
        Wall-clock time.
    """

    expanded: int = 0
    generated: int = 0
    reached: int = 0
    max_frontier: int = 0
    max_belief_size: int = 1
    seconds: float = 0.0

    @property
    def summary(self) -> str:
        """The counts and the time in one line; the time alone where a limit ended a search that counted nothing."""
        if not self.reached:
            return f"{self.seconds:.2f} s"
        belief = f", largest belief {plural(self.max_belief_size, 'state')}" if self.max_belief_size > 1 else ""
        return (
            f"{self.expanded:,} expanded, {self.generated:,} generated, {self.reached:,} reached{belief}, "
            f"{self.seconds:.2f} s"
        )


def _as_plan(plan: Sequence[Action] | None) -> Plan[Action, Any] | None:
    return plan if plan is None or isinstance(plan, Plan) else Plan.of_sequence(plan)


@frozen
class SearchResult(Generic[Action]):
    """The result of a search: the verdict, and the plan or the reason for having none.

    Attributes
    ----------
    status
        The verdict.
    plan
        The actions from the initial state to a goal, or a conditional plan if there are percepts; None unless solved.
        Actions may be given as any sequence.
    cost
        The cost of the plan by the objective; infinite if unsolvable, or if the plan is cyclic; None if undecided.
    lower_bound
        No plan costs less than this; infinite if unsolvable, or if only cyclic plans win.
    solver, heuristic, engine
        Names; `heuristic` is None if the solver takes none, `engine` for a plain problem.
    reason
        Why an undecided search stopped, or why there is no plan, in words.
    stats
        The statistics of the search.
    exact
        The cost and the lower bound without rounding, if `cost` and `lower_bound` are rounded to floats.
    objective
        The meaning of the cost: "worst", the highest that may be paid, or "expected", the mean over equally likely
        starts.
    grounds
        The justification of the lower bound, if the search gives one; for `prove`.
    problem
        The problem that was given to `solve`; for `save`.

    Raises
    ------
    ValueError
        When constructed against the invariants: solved if and only if there is a plan, with a cost that is finite
        unless the plan is cyclic, and a lower bound that is not above that cost.
    """

    status: Status
    plan: Plan[Action, Any] | None = field(converter=_as_plan, repr=lambda plan: plan and f"<{plan.summary}>")
    cost: Cost | None
    lower_bound: Cost
    solver: str
    exact: tuple[Cost | None, Cost] | None = field(default=None, repr=False, eq=False)
    heuristic: str | None = None
    engine: str | None = None
    reason: str | None = None
    stats: SearchStats = SearchStats()
    objective: str = "worst"
    grounds: Grounds | None = field(default=None, repr=False, eq=False)
    problem: Any = field(default=None, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        status, plan, cost, bound = self.status, self.plan, self.cost, self.lower_bound
        if (plan is not None) != (status is Status.SOLVED):
            raise ValueError(f"a result is solved if and only if it has a plan: {status}, plan {plan!r}")
        keeps_trying = plan is not None and plan.is_cyclic
        fits = {
            Status.SOLVED: cost is not None and cost >= 0 and (cost == math.inf) == keeps_trying,
            Status.UNSOLVABLE: cost == math.inf,
            Status.UNDECIDED: cost is None,
        }
        if not fits[status]:
            raise ValueError(f"a result that is {status.value} cannot have the cost {cost!r}")
        if not bound >= 0:  # also catches NaN
            raise ValueError(f"a lower bound is a number that is not negative, not {bound!r}")
        if cost is not None and bound > cost:
            raise ValueError(f"the lower bound {bound!r} is above the cost {cost!r}")
        if status is Status.UNSOLVABLE and bound != math.inf:
            raise ValueError(f"no plan at all has an infinite lower bound, not {bound!r}")
        if status is Status.UNDECIDED and bound == math.inf:
            raise ValueError("an infinite lower bound decides: the problem is unsolvable")

    def _repr_html_(self) -> str:
        """For notebooks: the verdict, the plan and what the search did."""
        facts = [
            ("cost", None if self.plan is None else number_text(self.cost)),
            ("no plan costs less than", number_text(self.lower_bound) if self.cost != self.lower_bound else None),
            ("undecided because", self.reason),
            ("found by", " ".join(filter(None, (self.solver, self.heuristic and f"with heuristic {self.heuristic}")))),
            ("work", self.stats.summary),
        ]
        title = {
            Status.SOLVED: "Solved, proved optimal" if self.optimal else "Solved",
            Status.UNSOLVABLE: "Unsolvable: it is proved that there is no plan",
            Status.UNDECIDED: "Undecided",
        }[self.status]
        if self.plan is None:
            return box(title, table((name, text) for name, text in facts if text is not None))
        hint = line("trace(problem, result) shows what is known at each step.")
        parts = table((name, text) for name, text in facts if text is not None), self.plan.notebook_part(), hint
        return box(f"{title}: {self.plan.summary}", *parts)

    @property
    def optimal(self) -> bool:
        """Whether the plan is proved to be a cheapest one."""
        return self.status is Status.SOLVED and self.cost == self.lower_bound

    def require_plan(self) -> tuple[Action, ...]:
        """The plan as a sequence of actions, or an error if there is none.

        Raises
        ------
        NoSolutionError
            If there is none, or only a conditional one, which is no sequence.
        LimitError
            If the search stopped before it knew.
        """
        plan = self.require_answer()
        if plan.is_conditional:
            raise NoSolutionError("the plan depends on percepts; require_conditional_plan() gives it")
        return plan.as_sequence()

    def require_conditional_plan(self) -> ConditionalPlan[Action, Any]:
        """The plan as a conditional plan, to which a sequence is converted; raises as `require_plan` does."""
        return self.require_answer().as_conditional()

    def require_answer(self) -> Plan[Action, Any]:
        """The plan, conditional or not; raises as `require_plan` does where there is none."""
        if self.plan is not None:
            return self.plan
        if self.status is Status.UNSOLVABLE:
            raise NoSolutionError("the problem is proved unsolvable, so there is no plan")
        raise LimitError(f"the search was stopped ({self.reason}) before it found a plan")


def plan_of(answer: Any) -> Any:
    """The plan or policy in a result of `solve`, which raises if it has none; anything else is returned as it is."""
    return answer.require_answer() if hasattr(answer, "require_answer") else answer


@frozen
class Exploration:
    """Numbers of states or beliefs at each distance from the start, or to the goal.

    Attributes
    ----------
    nodes
        The kind of the nodes: "states" or "beliefs".
    layers
        The numbers of nodes at distance 0, 1, 2, ...; they are exact, also if the exploration was stopped.
    complete
        Whether there are no other nodes.
    backward
        Whether distances are to the goal, and not from the start.
    last
        Some nodes of the last layer: states, or frozensets of states.
    cut_off
        The number of nodes that are reachable from the start and cannot reach the goal, if nodes reachable from the
        start were counted by distance to the goal. Otherwise 0.
    reason
        Why the exploration was stopped; None if it is complete.
    seconds
        The time of all processes that took part.
    """

    nodes: str
    layers: tuple[int, ...]
    complete: bool
    backward: bool = False
    last: tuple[Any, ...] = ()
    cut_off: int = 0
    reason: str | None = None
    seconds: float = field(default=0.0, eq=False)

    @property
    def total(self) -> int:
        """Return the number of all nodes that were counted."""
        return sum(self.layers)

    @property
    def eccentricity(self) -> int | None:
        """The largest distance; None if the exploration was stopped, or nothing was counted."""
        return len(self.layers) - 1 if self.complete and self.layers else None
