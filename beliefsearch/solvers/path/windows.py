"""Making plans shorter window by window: parts of a plan are replaced by cheaper ones that the rest can follow.

What belongs together stands far apart in many a plan. So a window is gathered first: from an action on those behind it
that cannot be done before it as well, or are the same once more. F. H. Siddiqui and P. Haslum, "Continuing plan quality
optimisation" (2015).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeAlias

from ...model.base import Action, Cost, State
from ...model.problem import Problem
from ...plans.result import SearchResult
from .lazy_best_first import Guide
from .search_tree import plan_cost
from .shortening import Applies, rest_that_wins

# How many actions windows have, in turn, and of how many behind its first one a window is gathered, per action.
_SIZES = (4, 8, 16, 32)
_LOOKAHEAD = 8

Towards: TypeAlias = "Callable[[State, Sequence[Action]], tuple[Guide[State, Action], Callable[[State], bool]]]"
"""Makes the guide to states from which some actions win, as from one that is given, and a quick test for them.

What the test refuses is not looked at; of others it is tried whether the actions win.
"""


class Window(Problem[State, Action], Generic[State, Action]):
    """The problem to come from a state to one from which the rest of a plan wins, or what can be done of it."""

    def __init__(
        self,
        problem: Problem[State, Action],
        start: State,
        rest: Sequence[Action],
        applies: Applies[State, Action],
        may_win: Callable[[State], bool],
    ) -> None:
        self._problem, self._start, self._rest, self._applies = problem, start, rest, applies
        self._may_win = may_win

    def initial_state(self) -> State:
        return self._start

    def is_goal(self, state: State) -> bool:
        return self._may_win(state) and self.rest_from(state) is not None

    def actions(self, state: State) -> Iterable[Action]:
        return self._problem.actions(state)

    def result(self, state: State, action: Action) -> State:
        return self._problem.result(state, action)

    def action_cost(self, state: State, action: Action) -> Cost:
        return self._problem.action_cost(state, action)

    def has_unit_costs(self) -> bool:
        return self._problem.has_unit_costs()

    def rest_from(self, state: State) -> list[Action] | None:
        """Return what can be done of the rest, if that wins."""
        return rest_that_wins(self._problem, state, self._rest, self._applies)


def by_shorter_windows(
    problem: Problem[State, Action],
    plan: Sequence[Action],
    towards: Towards[State, Action],
    search: Callable[[Window[State, Action], Guide[State, Action], Cost], SearchResult[Action] | None],
    applies: Applies[State, Action],
    tick: Callable[[], None],
) -> Iterator[tuple[Action, ...]]:
    """Yield better and better plans.

    `search` looks, with a guide, for a plan of a window that costs less than the window's.
    """
    kept = list(plan)
    for size in _SIZES:
        state, place = problem.initial_state(), 0
        while place < len(kept):
            tick()
            before, inside, behind = _gathered(problem, state, kept[place:], size, applies)
            start = _after(problem, state, before)
            guide, may_win = towards(_after(problem, start, inside), behind)
            window = Window(problem, start, behind, applies, may_win)
            found = search(window, guide, plan_cost(window, tuple(inside)))
            if found is not None and found.plan is not None:
                new = found.plan.as_sequence()
                kept[place:] = [*before, *new, *(window.rest_from(_after(problem, start, new)) or ())]
                yield tuple(kept)
            else:
                state = problem.result(state, kept[place])
                place += 1
        if size >= len(kept):
            return


def _gathered(
    problem: Problem[State, Action], state: State, plan: Sequence[Action], size: int, applies: Applies[State, Action]
) -> tuple[list[Action], list[Action], list[Action]]:
    """Return what can be done before the first action of a plan, a window that begins with it, and what is behind."""
    before: list[Action] = []
    inside = [plan[0]]
    end = problem.result(state, plan[0])
    most = min(len(plan), _LOOKAHEAD * size)
    for place in range(1, most):
        if len(inside) == size:
            return before, inside, list(plan[place:])
        action = plan[place]
        after = problem.result(end, action)
        if action not in inside and applies(state, action):
            first = problem.result(state, action)
            if _leads_to(problem, first, inside, after, applies):
                before.append(action)
                state, end = first, after
                continue
        inside.append(action)
        end = after
    return before, inside, list(plan[most:])


def _leads_to(
    problem: Problem[State, Action], state: State, plan: Iterable[Action], end: State, applies: Applies[State, Action]
) -> bool:
    for action in plan:
        if not applies(state, action):
            return False
        state = problem.result(state, action)
    return state == end


def _after(problem: Problem[State, Action], state: State, plan: Iterable[Action]) -> State:
    for action in plan:
        state = problem.result(state, action)
    return state
