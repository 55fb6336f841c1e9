"""Dead ends by delete relaxation: partial states from which the goal cannot be reached, whatever chance does.

Where facts never cease to hold, and every outcome comes about, what is reached only grows with what holds at first. So
what cannot come to the goal even then never does, nor does any state that lacks the same facts: those of which each
would have to come about by something that needs another of them. C. Muise, S. McIlraith and C. Beck, "Improved
non-deterministic planning by exploiting state relevance" (2012), drop facts one by one instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic

from ..model.base import Action
from ..model.partial_states import StateRules


class DeadEnds(Generic[Action]):
    """The rules of a problem without deletes: things that follow from any, or from all, of their sources.

    The first things are the literals; then come clauses, actions, effects and the goal.
    """

    def __init__(self, rules: StateRules[Action]) -> None:
        self._literals = range(2 * len(rules.names))
        self._needs_all = [False] * len(self._literals)
        self._sources: list[list[int]] = [[] for _ in self._literals]
        self._leads_to: list[list[int]] = [[] for _ in self._literals]
        self._clauses: dict[Sequence[int], int] = {}
        for action, outcomes in rules.outcomes.items():
            done = self._all_of(map(self._clause, rules.needs[action]))
            for condition, literal in dict.fromkeys((tuple(c), one) for effects in outcomes for c, one in effects):
                self._lead(self._all_of((done, *condition)) if condition else done, literal)
        self._goal = self._all_of(map(self._clause, rules.goal))
        pairs = zip(self._needs_all, self._sources, strict=True)
        self._missing = [len(sources) if needs_all else 1 for needs_all, sources in pairs]
        self._at_first = [thing for thing, missing in enumerate(self._missing) if not missing]

    def parts_lost(self, state: int) -> int | None:
        """Return the parts of a state, as bits, for which it is lost; None if it may not be."""
        missing = [*self._missing]  # by thing: sources without which it does not follow yet
        reached = [*self._at_first, *(lit for lit in self._literals if state >> (lit >> 1) & 1 != lit & 1)]
        for thing in reached:
            missing[thing] = 0
        for thing in reached:  # grows while it is walked
            for after in self._leads_to[thing]:
                missing[after] -= 1
                if not missing[after]:
                    reached.append(after)
        if missing[self._goal] <= 0:
            return None
        known = self._never_reached(missing)
        return sum({1 << (thing >> 1) for thing in known if thing in self._literals})

    def _never_reached(self, missing: Sequence[int]) -> set[int]:
        """Return things, the goal among them, of which each lacks another: all its sources, or one if it needs all."""
        waiting = [self._goal]
        choices: list[int] = []
        known = {self._goal}
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
