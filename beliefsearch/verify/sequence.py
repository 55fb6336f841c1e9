"""The verdict on a sequence of actions: a replay by the definition of a belief transition.

Every possible start is led to a goal, whatever results come up, and each action applies in every state that is possible
where it stands. The belief, the set of all states that may be the true one, is followed from the start through
`results`, state by state; at the end it must lie inside a goal set. Percepts are not looked at. As a table of
`checker` a long sequence would not fit into memory; a long replay is one of arrays (`sequence_arrays`), and where the
starts are too many to be listed each factor is replayed by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import DoesNotHoldError, InvalidPlanError, ProblemError
from ..model.base import Cost
from ..model.belief import initial_states, successors
from ..model.checked import checked_cost
from ..model.exact import exact
from ..model.factor import Factor
from ..model.hooks import factors_of
from ..plans.encoding import ActionReader, Json
from ..plans.node_plans import inapplicable, require_applicable
from ..plans.wording import is_said_to_be, shown_cost
from .asked_game import PlayedGame
from .verdict import PlanVerdict

if TYPE_CHECKING:
    from .sequence_arrays import Tables

# Arrays take over once this many members of beliefs have been followed without, all steps together, about as long as it
# takes to import NumPy. Beliefs with fewer members than the second number do not count.
_FOLLOWED_PLAINLY = 200_000
_SMALL = 500
# Up to so many starts are listed, and the whole belief is followed.
_FEW_STARTS = 50_000


def check_sequence_file(problem: Any, plan: Iterable[Json], claimed_cost: Cost | None) -> PlanVerdict:
    """Replay a plan in a plan file; raises `InvalidPlanError`, which says which step."""
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
    """Replay numbered actions from every possible start through every possible result.

    `read` yields them, and is given what tells the belief of the moment.
    """
    factors = many_factors(problem)
    replay = _Replay(problem) if factors is None else _FactoredReplay(problem, factors)
    largest, steps = replay.size, 0
    cost: Cost = 0
    for steps, action in read(replay.possible):  # the number of the last step is reported
        cost += replay.advance(steps, action)
        largest = max(largest, replay.size)
    complaint, shown = replay.escaped(steps), shown_cost(problem, cost)
    if not complaint and claimed_cost is not None and not is_said_to_be(claimed_cost, cost):
        complaint = f"the plan wins, but costs {shown}, not {claimed_cost} as the file says"
    return PlanVerdict(not complaint, complaint, steps, replay.starts, shown, None, False, largest, cost)


class _Replay:
    """The belief while a plan is replayed: the numbers of all states that may be the true one."""

    def __init__(self, problem: Any) -> None:
        self.problem = problem
        self.game = PlayedGame(problem, blind=True)
        self.members: Any = self.game.start  # a set, or an array as soon as there are tables
        self.starts = len(self.members)
        self._followed = 0
        self._tables: Tables | None = None

    @property
    def size(self) -> int:
        """The members of the belief."""
        return len(self.members)

    def possible(self) -> Iterable[Any]:
        """Return the states that may be the true one."""
        return map(self.game.named_states.met, self.members)

    def may_be(self, state: Any) -> bool:
        """Whether a state may be the true one."""
        return self.game.named_states.number(state) in self.members

    def advance(self, step: int, action: Any) -> Cost:
        """Do an action, and return its cost; raises `InvalidPlanError` if it does not apply everywhere."""
        game = self.game
        try:
            number = game.number_of_action(action)
        except TypeError:
            raise InvalidPlanError(f"step {step}: {action!r:.60} is no action: it is not hashable") from None
        self._followed += self.size if self.size >= _SMALL else 0
        if self._followed > _FOLLOWED_PLAINLY and self._tables is None:
            from .sequence_arrays import Tables

            self._tables = Tables(game, self.members)
        tables, rows = self._tables, game.steps[number]
        found: dict[int, Any] = {s: rows[s] for s in self.members} if tables is None else tables.asked(number)
        if barred := [game.named_states.met(s) for s, row in found.items() if row is None]:
            raise DoesNotHoldError(inapplicable(self.problem, f"step {step}", action, barred))
        if tables is None:
            cost = game.cost(number, self.members)
            self.members = {t for row in found.values() for _, results in row for t in results}
        else:
            cost = tables.follow(number)
            self.members = tables.members
        return cost

    def escaped(self, steps: int) -> str:
        """Say which state keeps the belief, the last, from being won; empty if none does."""
        if self.game.is_won([*map(int, self.members)]):
            return ""
        states = [*self.possible()]
        left_out = [[state for state in states if state not in goals] for goals in self.problem.goal_sets()]
        outside = min(left_out, key=len, default=states)
        when = f"after step {steps}, the last," if steps else "at the start, where the plan ends,"
        example = min(self.problem.format_state(state) for state in outside)
        more = len(outside) - 1
        others = f", or one {f'of {more} more such states' if more > 1 else 'more such state'}" if more else ""
        return f"{when} the state may be {example}, which is no goal{others}"


class _FactoredReplay:
    """The beliefs of all factors while a plan is replayed, and one state that may be the true one.

    By the contract of `FactoredHook` an action applies in a belief if and only if it applies, in each factor that has
    to do with it, in all states that are possible there; these evolve by themselves; and the belief is won if and only
    if it is in each factor. That the factors say the same as the problem is the author's claim, which `check` tests;
    here one course of the whole game is followed besides, and its states must be among those of the factors.
    """

    def __init__(self, problem: Any, factors: Sequence[Factor[Any]]) -> None:
        self.problem, self.starts = problem, problem.count_starts()
        self._factors = [(factor, frozenset(factor.actions), _Replay(factor.problem)) for factor in factors]
        self._state = next(initial_states(problem))
        self._compare()

    @property
    def size(self) -> int:
        """The members of the largest belief of a factor."""
        return max(replay.size for _, _, replay in self._factors)

    def possible(self) -> Iterable[Any]:
        """Return a state that may be the true one."""
        return (self._state,)

    def advance(self, step: int, action: Any) -> Cost:
        """Do an action, as `_Replay` does."""
        require_applicable(self.problem, f"step {step}", action, [self._state], DoesNotHoldError)
        paid: list[Cost] = [exact(checked_cost(self.problem, self._state, action))]
        paid += [replay.advance(step, action) for _, own, replay in self._factors if action in own]
        self._state = next(successors(self.problem, self._state, action))
        self._compare()
        return max(paid)

    def escaped(self, steps: int) -> str:
        """Say which state of the first factor that is not won keeps it from that."""
        return next(filter(None, (replay.escaped(steps) for _, _, replay in self._factors)), "")

    def _compare(self) -> None:
        for place, (factor, _, replay) in enumerate(self._factors):
            if not replay.may_be(factor.of(self._state)):
                raise left_out(self.problem, place, self._state)


def many_factors(problem: Any) -> Sequence[Factor[Any]] | None:
    """The factors of a problem that has more starts than are listed; None if it has none, or few starts."""
    factors = factors_of(problem)
    return factors if factors is not None and problem.count_starts() > _FEW_STARTS else None


def left_out(problem: Any, place: int, state: Any) -> ProblemError:
    """The error that a factor says a state is impossible to which a course of the whole game leads."""
    return ProblemError(
        f"{type(problem).__name__}: factor {place} is not what it should be: it leaves out "
        f"{problem.format_state(state)}, which is possible; `beliefsearch check` may say why"
    )
