"""A problem without probabilities as the checker reads a game: what is needed is asked for when it is needed.

By the definition in `model.belief` and `model.checked`; `canonical` and the hooks have no say.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..model.belief import initial_states, no_tick, perceived, successors
from ..model.checked import checked_cost
from ..model.exact import exact
from ..model.values import is_among, listed
from .checker import BARRED, Game, Number, Step, WrongError
from .numbered import NamedGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .unmoved import Unmoved

MANY = 256
"""With so many actions in a state they are looked at together."""

_LISTS = {tuple, list}


@frozen(eq=False)
class _Able:
    """The actions that apply, in order and as a set."""

    numbers: tuple[int, ...]
    as_set: frozenset[int]


def _alone(answers: list[Any]) -> list[Any]:
    """The items of lists of one item each; raises `TypeError` or `ValueError` if there are others."""
    if not {*map(type, answers)} <= _LISTS:
        raise TypeError
    return [item for (item,) in answers]


class _Rows(dict[int, Any]):
    """Effects of an action, by state; a row is asked for when it is first looked at."""

    def __init__(self, ask: Callable[[int], Any]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, state: int) -> Any:
        found = self[state] = self._ask(state)
        return found


class AskedGame(NamedGame, Game):
    """A plain, sensorless or contingent problem, in numbers.

    Parameters
    ----------
    problem
        Whose own methods are asked.
    names
        The `states`, `actions` and `percepts` that a file lists, by their texts; all others are numbered after these,
        in the order in which they come up.
    tick
        Called now and then; may raise to stop.

    Notes
    -----
    Each action is asked about in a state at most once. The methods of `Game` are overridden where the whole list of
    rows would be needed. `goals` are there after `walk`, and so are `costs` where they are not 1.
    """

    def __init__(
        self, problem: Any, names: Mapping[str, Any] | None = None, tick: Callable[[], None] = no_tick
    ) -> None:
        super().__init__(problem, names)
        self.tick = tick
        self.steps: Any = [self._rows(a) for a in range(len(self.named_actions.items))]
        self._blind = problem.is_sensorless()
        self._has_costs = problem.overrides("action_cost")
        self._goal_sets = list(problem.goal_sets())
        self._around: dict[int, tuple[int, ...]] = {}
        self._able: dict[int, _Able] = {}
        self._ables: dict[frozenset[int], _Able] = {}
        self._last: tuple[Any, _Able] = None, _Able((), frozenset())
        self._unmoved: dict[_Able, Unmoved] = {}
        self._paid: dict[tuple[int, int], Number] = {}
        self.costs: Any = [{}] if self._has_costs else []
        self._shared: dict[Any, Step] = {}
        self.starts = [*dict.fromkeys(map(self.named_states.number, initial_states(problem, tick)))]
        self.start = {*self.starts}
        self._count()

    # What the checker asks.

    def is_won(self, members: Sequence[int]) -> bool:
        """Whether a belief, which is not empty, lies inside a goal set."""
        won = set(self.goals_around(members[0]))
        for s in members:
            if not won:
                return False
            won.intersection_update(self.goals_around(s))
        return bool(won)

    def applicable(self, members: Sequence[int]) -> Iterator[int]:
        """The actions that apply in all states of a belief."""
        first, *others = dict.fromkeys(map(self._able_in, members))
        return (a for a in first.numbers if all(a in able.as_set for able in others)) if others else iter(first.numbers)

    def moving(self, members: Sequence[int], parts: Sequence[Sequence[int]]) -> Iterator[int]:
        """The actions that apply in a belief, but those that cost 1 in all of a part, and leave it as it is."""
        if not parts:
            return self.applicable(members)
        if not self.has_many_actions(members):
            return super().moving(members, parts)
        numbers = self._able_in(members[0]).numbers
        found = self.moves(parts[0])
        for part in parts[1:]:
            found &= self.moves(part)
        return (numbers[place] for place in found.nonzero()[0].tolist())

    def has_many_actions(self, members: Iterable[int]) -> bool:
        """Whether all of these states have the same actions, and so many that they are looked at together."""
        able = {id(found): found for found in map(self._able_in, members)}
        return len(able) == 1 and all(len(found.numbers) >= MANY for found in able.values())

    def moves(self, part: Sequence[int]) -> NDArray[np.bool_]:
        """Mark, of many actions in order, those that do not cost 1 or do not leave these states as they are."""
        able = self._able_in(part[0])
        if able not in self._unmoved:
            from .unmoved import Unmoved  # with NumPy

            self._unmoved[able] = Unmoved(self.problem, [self.named_actions.met(a) for a in able.numbers])
        return self._unmoved[able].move((s, self.named_states.met(s)) for s in part)

    def outcome(self, action: int, members: Iterable[int], percept: int) -> set[int]:
        """One of the outcomes; empty if that percept cannot come."""
        first, *others = members
        if others:
            return super().outcome(action, members, percept)
        # Where states stand alone, each is asked about once: to keep what it says of hundreds of thousands takes room.
        row = self.steps[action].get(first) or self._asked(action, first)
        return {t for seen, results in row or () if seen == percept for t in results}

    def cost(self, action: int, members: Iterable[int]) -> Number:
        """The cost of an action in a belief in which it applies."""
        return max(self.paid(action, s) for s in members) if self._has_costs else 1

    def ways(self, state: int) -> tuple[list[int], list[int]]:
        """Percepts and results by action in a state where they are certain; BARRED where one does not apply."""
        self.tick()
        asked, able = self.named_states.met(state), self._able_in(state).numbers
        actions = [self.named_actions.items[a] for a in able]
        results_of, percepts_of = self.problem.results, self.problem.percepts
        try:
            results = _alone([results_of(asked, action) for action in actions])
            pairs = () if self._blind else zip(results, actions, strict=True)
            percepts = _alone([percepts_of(result, action) for result, action in pairs]) or [None] * len(actions)
            found = self.named_percepts.numbers(percepts), self.named_states.numbers(results)
        except (TypeError, ValueError):  # not hashable, or not one: asked one by one, it is said what is wrong
            return super().ways(state)
        self._count()
        if len(able) == len(self.steps):
            return found
        see, to = [BARRED] * len(self.steps), [BARRED] * len(self.steps)
        for a, o, t in zip(able, *found, strict=True):
            see[a], to[a] = o, t
        return see, to

    # What the problem says.

    def _able_in(self, state: int) -> _Able:
        """The actions that apply in a state; the same object for all states that have the same ones."""
        found = self._able.get(state)
        if found is None:
            answer = self.problem.actions(self.named_states.met(state))
            if answer is not self._last[0] or not isinstance(answer, tuple):
                numbers = frozenset(self.number_of_action(action) for action in listed(answer))
                self._last = answer, self._ables.setdefault(numbers, _Able(tuple(sorted(numbers)), numbers))
            found = self._able[state] = self._last[1]
        return found

    def paid(self, action: int, state: int) -> Number:
        """The cost of an action in a state in which it applies."""
        if not self._has_costs:
            return 1
        found = self._paid.get((action, state))
        if found is None:
            found = self._paid[action, state] = self._price(action, state)
        return found

    def taken(self, action: int, state: int) -> tuple[Step | None, Number]:
        """Ask what an action may lead to, None if it does not apply, and what it costs; nothing of it is kept."""
        row = self.steps[action].pop(state, None) or self._asked(action, state)
        return row, self._price(action, state) if row and self._has_costs else 1

    def _price(self, action: int, state: int) -> Number:
        cost: Number = exact(checked_cost(self.problem, self.named_states.met(state), self.named_actions.met(action)))
        return cost

    def number_of_action(self, action: Any) -> int:
        number = self.named_actions.number(action)
        if number == len(self.steps):
            self.steps.append(self._rows(number))
        return number

    def _rows(self, action: int) -> _Rows:
        return _Rows(lambda state: self._kept(self._asked(action, state)))

    def _kept(self, step: Step | None) -> Step | None:
        return step and self._shared.setdefault(step, step)

    def _applies(self, action: int, state: int) -> bool:
        return action in self._able_in(state).as_set

    def _asked(self, action: int, state: int) -> Step | None:
        if not self._applies(action, state):
            return None
        self.tick()
        asked, done = self.named_states.met(state), self.named_actions.met(action)
        results = {t: self.named_states.number(t) for t in successors(self.problem, asked, done, self.tick)}
        found: Step
        if self._blind:
            found = ((self.named_percepts.number(None), tuple(results.values())),)
        else:
            by_percept: dict[int, list[int]] = {}
            for result, number in results.items():
                for percept in dict.fromkeys(perceived(self.problem, result, done)):
                    by_percept.setdefault(self.named_percepts.number(percept), []).append(number)
            found = tuple([(percept, tuple(those)) for percept, those in by_percept.items()])
        self._count()
        return found

    def goals_around(self, state: int) -> tuple[int, ...]:
        """The numbers of the goal sets in which a state is."""
        found = self._around.get(state)
        if found is None:
            asked = self.named_states.met(state)
            found = self._around[state] = tuple(k for k, goals in enumerate(self._goal_sets) if asked in goals)
        return found

    def _count(self) -> None:
        self.states = len(self.named_states.items)
        self.percepts = max(1, len(self.named_percepts.items))

    # The whole game.

    def walk(self, most_states: float = math.inf) -> None:
        """Ask for every action in every state that can come up.

        Raises `WrongError` if a file lists more than can come up, or if more than `most_states` can.
        """
        frontier = [*self.starts]
        met = {*frontier}
        for s in frontier:  # grows while it is walked
            for a in self._able_in(s).numbers:
                for _, results in self.steps[a][s]:
                    new = [t for t in dict.fromkeys(results) if t not in met]
                    met.update(new)
                    frontier += new
                if self.states > most_states:
                    raise WrongError(f"it lacks the state {most_states}, which can come up")
        for part in self.parts:
            if (text := part.unmet()) is not None:
                raise WrongError(f"{part.one} is listed that cannot come up: {text:.60}")
        around = [*map(self.goals_around, range(self.states))]
        sets = range(len(self._goal_sets))
        self.goals = [frozenset(s for s, known in enumerate(around) if k in known) for k in sets]
        self.costs = []  # by state only where an action applies
        for a, rows in enumerate(self.steps):
            paid = {s: self.paid(a, s) for s, row in rows.items() if row is not None}
            self.costs.append(None if all(cost == 1 for cost in paid.values()) else paid)


class PlayedGame(AskedGame):
    """A problem of which a plan is played: each action is asked about alone, since all may be too many to list."""

    def __init__(self, problem: Any, *, blind: bool = False) -> None:
        super().__init__(problem)
        self._blind = self._blind or blind  # percepts are not looked at
        self._last_answer: tuple[int, Any, bool] = -1, (), False

    def _applies(self, action: int, state: int) -> bool:
        answer = self.problem.actions(self.named_states.met(state))
        known, last, applies = self._last_answer
        if known != action or answer is not last or type(answer) is not tuple:  # many states share one of thousands
            applies = is_among(self.named_actions.met(action), answer)
            self._last_answer = action, answer, applies
        return applies
