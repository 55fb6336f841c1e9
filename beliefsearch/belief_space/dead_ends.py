"""Dead ends as partial states, by delete relaxation, and the actions that they forbid.

Where literals never cease to hold, and every outcome comes about, what is reached only grows with what holds at first.
So a state from which the goal is not reached even then is a dead end, and so is every state that lacks the same
literals: those of which each needs another of them to come about. C. Muise, S. McIlraith and C. Beck, "Improved
non-deterministic planning by exploiting state relevance" (2012), drop literals one by one instead, and forbid pairs of
a partial state and an action; here an action is forbidden that may lead to a dead end wherever it applies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic

from ..model.base import Action
from ..model.partial_states import WHOLE, PartialStates


class DeadEnds(Generic[Action]):
    """Delete relaxation of a problem's rules: things that follow from any, or from all, of their sources.

    The first things are the literals; then come clauses, actions, effects and the goal.
    """

    def __init__(self, partial: PartialStates[Action]) -> None:
        self.forbidden: set[Action] = set()
        self._checked: dict[Action, int] = {}  # by how many were forbidden; again once these are twice as many
        self._partial = partial
        self._literals = range(2 * len(partial.rules.names))
        self._needs_all = [False] * len(self._literals)
        self._sources: list[list[int]] = [[] for _ in self._literals]
        self._leads_to: list[list[int]] = [[] for _ in self._literals]
        self._clauses: dict[Sequence[int], int] = {}
        self._never = self._new((), needs_all=False)
        needs = partial.rules.needs
        self._doing = {action: self._all_of(map(self._clause, clauses)) for action, clauses in needs.items()}
        for action, condition, literal in partial.effects:
            done = self._doing[action]
            self._lead(self._all_of((done, *condition)) if condition else done, literal)
        self._goal = self._all_of(map(self._clause, partial.rules.goal))
        pairs = zip(self._needs_all, self._sources, strict=True)
        self._missing = [len(sources) if needs_all else 1 for needs_all, sources in pairs]
        self._at_first = {thing: None for thing, missing in enumerate(self._missing) if not missing}

    def forbids(self, action: Action) -> bool:
        """Whether an action may lead to a dead end wherever it applies; if so, it is forbidden from now on."""
        number = len(self.forbidden)
        if action not in self.forbidden and self._checked.get(action, -1) * 2 < number:
            self._checked[action] = number
            surely = self._partial.surely_after(action)
            if any(self.parts_lost(value, parts) is not None for parts, value in surely):
                self.forbidden.add(action)
                self._missing[self._doing[action]] += 1
                self._lead(self._never, self._doing[action])
                self._at_first.pop(self._doing[action], None)
        return action in self.forbidden

    def parts_lost(self, state: int, known: int = WHOLE) -> int | None:
        """Return the parts for which a state is a dead end, of which these are known; None if it may be none."""
        missing = [*self._missing]  # by thing: sources without which it does not follow yet
        reached = [*self._at_first]
        reached += (one for one in self._literals if state >> (one >> 1) & 1 != one & 1 or not known >> (one >> 1) & 1)
        for thing in reached:
            missing[thing] = 0
        for thing in reached:  # grows while it is walked
            for target in self._leads_to[thing]:
                missing[target] -= 1
                if not missing[target]:
                    reached.append(target)
        if missing[self._goal] <= 0:
            return None
        lacking = self._never_reached(missing)
        return sum({1 << (thing >> 1) for thing in lacking if thing in self._literals})

    def _never_reached(self, missing: Sequence[int]) -> set[int]:
        """Return things, the goal among them, of which each lacks another: all its sources, or one if it needs all."""
        waiting = [self._goal]
        choices: list[int] = []
        known = {self._goal, self._never}
        while waiting or choices:
            thing = waiting.pop() if waiting else choices.pop()
            sources = [one for one in self._sources[thing] if missing[one] > 0]
            if self._needs_all[thing]:
                if not known.isdisjoint(sources):
                    continue
                if len(sources) > 1 and waiting:  # until all is known of which there is no choice
                    choices.append(thing)
                    continue
                # What comes about in most ways changes; what does not, as a stock, should matter little.
                sources = [max(sources, key=lambda one: len(self._sources[one]))]
            new = [one for one in sources if one not in known]
            known.update(new)
            waiting += new
        return known

    def _clause(self, literals: Sequence[int]) -> int:
        """The thing that follows of any of these literals."""
        if len(literals) == 1:
            return literals[0]
        key = tuple(literals)
        if key not in self._clauses:
            self._clauses[key] = self._new(dict.fromkeys(key), needs_all=False)
        return self._clauses[key]

    def _all_of(self, things: Iterable[int]) -> int:
        """The thing that follows of all these together."""
        return self._new(dict.fromkeys(things), needs_all=True)

    def _new(self, sources: Iterable[int], *, needs_all: bool) -> int:
        self._needs_all.append(needs_all)
        self._sources.append([])
        self._leads_to.append([])
        for source in sources:
            self._lead(source, len(self._sources) - 1)
        return len(self._sources) - 1

    def _lead(self, source: int, thing: int) -> None:
        self._sources[thing].append(source)
        self._leads_to[source].append(thing)
