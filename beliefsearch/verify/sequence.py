"""The verdict on a sequence of actions: a replay by the definition of a belief transition.

Every possible start is led to a goal, whatever results come up, and each action applies in every state that is possible
where it stands. The belief, the set of all states that may be the true one, is followed from the start through
`results`, state by state; at the end it must lie inside a goal set. Percepts are not looked at. As a table of
`checker` a long sequence would not fit into memory; a long replay is one of arrays (`sequence_arrays`), and where the
starts are too many to be listed it is done factor by factor (`sequence_factored`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

from ..errors import InvalidPlanError
from ..model.base import Cost
from ..model.shown import is_said_to_be, shown_cost
from ..plans.encoding import ActionReader, Json
from ..plans.steps import inapplicable
from .asked_game import PlayedGame
from .sequence_factored import factored_belief
from .verdict import PlanVerdict

if TYPE_CHECKING:
    from .sequence_factored import FactoredBelief

# Arrays take over once this many members of beliefs have been followed without, all steps together, about as long as it
# takes to import NumPy. Beliefs with fewer members than the second number do not count.
_FOLLOWED_PLAINLY = 200_000
_SMALL = 500


def check_sequence(problem: Any, plan: Iterable[Any], *, claimed_cost: Cost | None = None) -> PlanVerdict:
    """Replay the actions of `plan` from every possible start through every possible result; see `check_plan`."""
    return check_read_sequence(problem, lambda _: enumerate(plan, 1), claimed_cost)


def check_sequence_file(problem: Any, plan: Iterable[Json], claimed_cost: Cost | None) -> PlanVerdict:
    """`check_sequence` for a plan in a plan file; raises `InvalidPlanError`, which says which step, as that does."""
    reader: ActionReader[Any, Any] = ActionReader(problem)

    def actions(belief: Callable[[], Iterable[Any]]) -> Iterable[tuple[int, Any]]:
        for step, entry in enumerate(plan, 1):
            try:
                yield step, reader.read(entry, belief())
            except InvalidPlanError as error:
                raise InvalidPlanError(f"step {step}: {error} that applies here") from None

    return check_read_sequence(problem, actions, claimed_cost)


def check_read_sequence(
    problem: Any,
    read: Callable[[Callable[[], Iterable[Any]]], Iterable[tuple[int, Any]]],
    claimed_cost: Cost | None = None,
) -> PlanVerdict:
    """`check_sequence` for numbered actions that `read` reads; it is given what tells the belief of the moment."""
    factored = factored_belief(problem)
    replay = _Replay(problem) if factored is None else _FactoredReplay(problem, factored)
    return replay.run(read(replay.possible), claimed_cost)


class _FactoredReplay:
    """The beliefs of the factors while a plan is replayed."""

    def __init__(self, problem: Any, belief: FactoredBelief[Any, Any]) -> None:
        self._problem, self._belief = problem, belief

    def possible(self) -> Iterable[Any]:
        """Return a state that may be the true one."""
        return (self._belief.state,)

    def run(self, plan: Iterable[tuple[int, Any]], claimed_cost: Cost | None) -> PlanVerdict:
        largest, steps = self._belief.largest, 0
        cost: Cost = 0
        for steps, action in plan:  # the number of the last step is reported
            cost += self._belief.advance(steps, action)
            largest = max(largest, self._belief.largest)
        lost = self._belief.lost()
        complaint = "" if lost is None else _escaped(*lost, steps)
        return _verdict(self._problem, complaint, steps, self._problem.count_starts(), cost, claimed_cost, largest)


class _Replay:
    """The belief while a plan is replayed: the numbers of all states that may be the true one."""

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self.game = PlayedGame(problem, blind=True)
        self.members: Any = [*self.game.start]

    def run(self, plan: Iterable[tuple[int, Any]], claimed_cost: Cost | None) -> PlanVerdict:
        starts = largest = len(self.members)
        followed = steps = 0
        cost: Cost = 0
        advance: Callable[[int, int, Any], Cost] = self._advance
        for steps, action in plan:  # the number of the last step is reported
            try:
                number = self.game.number_of_action(action)
            except TypeError:
                raise InvalidPlanError(f"step {steps}: {action!r:.60} is no action: it is not hashable") from None
            followed += len(self.members) if len(self.members) >= _SMALL else 0
            if followed > _FOLLOWED_PLAINLY and advance == self._advance:
                advance = self._with_arrays()
            cost += advance(steps, number, action)
            largest = max(largest, len(self.members))
        complaint = ""
        if not self.game.is_won([*map(int, self.members)]):
            states = [*self.possible()]
            left_out = [[state for state in states if state not in goals] for goals in self._problem.goal_sets()]
            complaint = _escaped(self._problem, min(left_out, key=len, default=states), steps)
        return _verdict(self._problem, complaint, steps, starts, cost, claimed_cost, largest)

    def possible(self) -> Iterable[Any]:
        """Return the states that may be the true one."""
        return map(self.game.named_states.met, self.members)

    def _advance(self, step: int, number: int, action: Any) -> Cost:
        """Do an action, and return its cost."""
        rows = self.game.steps[number]
        if barred := [self.game.named_states.met(s) for s in self.members if rows[s] is None]:
            raise InvalidPlanError(inapplicable(self._problem, f"step {step}", action, barred))
        cost = self.game.cost(number, self.members)
        self.members = [*{t for s in self.members for _, results in rows[s] for t in results}]
        return cost

    def _with_arrays(self) -> Callable[[int, int, Any], Cost]:
        """Represent the belief as an array of numbers from here on."""
        from .sequence_arrays import ArrayReplay

        replay = ArrayReplay(self.game, self.members)

        def advance(step: int, number: int, action: Any) -> Cost:
            cost = replay.advance(step, number, action)
            self.members = replay.members
            return cost

        return advance


def _verdict(
    problem: Any, complaint: str, steps: int, starts: int, cost: Cost, claimed_cost: Cost | None, largest: int
) -> PlanVerdict:
    shown = shown_cost(problem, cost)
    if not complaint and claimed_cost is not None and not is_said_to_be(claimed_cost, cost):
        complaint = f"the plan wins, but costs {shown}, not {claimed_cost} as the file says"
    return PlanVerdict(not complaint, complaint, steps, starts, shown, None, False, largest, cost)


def _escaped(problem: Any, outside: Collection[Any], steps: int) -> str:
    """A state, of those outside of a goal, that keeps the last belief from being one."""
    when = f"after step {steps}, the last," if steps else "at the start, where the plan ends,"
    example = min(problem.format_state(state) for state in outside)
    more = len(outside) - 1
    others = f", or one {f'of {more} more such states' if more > 1 else 'more such state'}" if more else ""
    return f"{when} the state may be {example}, which is no goal{others}"
