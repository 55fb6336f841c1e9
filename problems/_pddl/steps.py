"""Steps of ground actions between states, which are numbers whose bit n says whether atom n is true."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from beliefsearch import ProblemError

from .grounding import Condition, GroundAction, GroundTask, Outcome

MOST_RESULTS = 100_000
"""An action with more results is refused: each is a state that is listed."""

Test: TypeAlias = "tuple[int, int]"
"""Bits, and their values where a condition holds."""

_Change: TypeAlias = "tuple[int, int]"
"""Bits that are set, and bits that are deleted; what is both is set."""


def test_of(condition: Condition) -> Test:
    """A condition as bits."""
    bits = value = 0
    for literal in condition:
        bits |= 1 << (literal >> 1)
        value |= 0 if literal & 1 else 1 << (literal >> 1)
    return bits, value


def holds(test: Test, state: int) -> bool:
    """Whether a condition holds in a state."""
    return state & test[0] == test[1]


def true_atoms(state: int) -> Iterator[int]:
    """Yield the atoms that are true, in their order."""
    while state:
        bit = state & -state
        yield bit.bit_length() - 1
        state ^= bit


class Goal:
    """Clauses, of each of which one literal must hold."""

    def __init__(self, clauses: Iterable[Condition]) -> None:
        parts = [*clauses]
        single = {clause[0] for clause in parts if len(clause) == 1}
        self._contradictory = any(literal ^ 1 in single for literal in single)
        self._all = test_of(tuple(single))
        self._some = [[test_of((literal,)) for literal in clause] for clause in parts if len(clause) != 1]

    def holds(self, state: int) -> bool:
        """Whether all clauses hold in a state."""
        if self._contradictory or not holds(self._all, state):
            return False
        return all(any(holds(test, state) for test in clause) for clause in self._some)


class _Changes:
    """An outcome: by condition what is set and deleted, and choices."""

    def __init__(self, outcome: Outcome) -> None:
        merged: dict[Condition, tuple[int, int]] = {}
        for condition, literal in outcome.effects:
            add, delete = merged.get(condition, (0, 0))
            bit = 1 << (literal >> 1)
            merged[condition] = (add, delete | bit) if literal & 1 else (add | bit, delete)
        self.parts = [(*test_of(condition), *change) for condition, change in merged.items()]
        self.choices = [[_Changes(one) for one in choice] for choice in outcome.choices]

    def of(self, state: int) -> list[_Change]:
        """What may be set and deleted in a state."""
        add = delete = 0
        for bits, value, more, less in self.parts:
            if state & bits == value:
                add |= more
                delete |= less
        found = [(add, delete)]
        for choice in self.choices:
            mays = [change for one in choice for change in one.of(state)]
            found = [*dict.fromkeys((a | more, d | less) for a, d in found for more, less in mays)]
            if len(found) > MOST_RESULTS:
                raise ProblemError(f"an action has more than {MOST_RESULTS:,} results, by its `oneof`")
        return found


class Step:
    """A ground action as bits."""

    def __init__(self, action: GroundAction) -> None:
        self.action = action
        self._precondition = Goal(action.clauses)
        self._changes = _Changes(action.outcome)
        self._observe = None if action.observe is None else [test_of(condition) for condition in action.observe]

    @property
    def needed(self) -> list[int]:
        """The atoms that must be true for it to apply, as far as each is a clause alone."""
        return [clause[0] >> 1 for clause in self.action.clauses if len(clause) == 1 and not clause[0] & 1]

    def applies(self, state: int) -> bool:
        """Whether its precondition holds in a state."""
        return self._precondition.holds(state)

    def results(self, state: int) -> tuple[int, ...]:
        """The states that may follow."""
        return tuple(dict.fromkeys(state & ~delete | add for add, delete in self._changes.of(state)))

    def tells(self, state: int) -> bool | None:
        """Whether the formula that it observes holds; None if it observes nothing."""
        return None if self._observe is None else any(holds(test, state) for test in self._observe)


def steps_of(task: GroundTask) -> dict[str, Step]:
    """The steps of a task by the names of their actions."""
    return {action.name: Step(action) for action in task.actions}


class _Place:
    """A place in the tree of `Applicable`: what applies there but for other needs, and by atom what needs it too."""

    def __init__(self) -> None:
        self.steps: list[tuple[Step, list[int]]] = []
        self.atoms = 0
        self.after: dict[int, _Place] = {}


class Applicable:
    """Finds the steps that apply, by a tree of the atoms that must be true for them, the rarest first.

    So of all steps that need an atom none is asked where it is false. Steps with one precondition are asked as one.
    """

    def __init__(self, steps: Mapping[str, Step]) -> None:
        self._names = [*steps]
        alike: dict[tuple[Condition, ...], list[int]] = defaultdict(list)
        for number, step in enumerate(steps.values()):
            alike[tuple(step.action.clauses)].append(number)
        count = Counter(atom for step in steps.values() for atom in step.needed)
        self._root = _Place()
        self._shared: dict[tuple[str, ...], tuple[str, ...]] = {}
        for numbers in alike.values():
            step = steps[self._names[numbers[0]]]
            place = self._root
            for atom in sorted({*step.needed}, key=lambda atom: (count[atom], atom)):
                place.atoms |= 1 << atom
                place = place.after.setdefault(atom, _Place())
            place.steps.append((step, numbers))

    def names(self, state: int) -> tuple[str, ...]:
        """The names of the steps that apply, in their order; one tuple for all states in which the same do."""
        found: list[int] = []
        places = [self._root]
        for place in places:  # grows while it is walked
            for step, numbers in place.steps:
                if step.applies(state):
                    found += numbers
            places += map(place.after.__getitem__, true_atoms(state & place.atoms))
        found.sort()
        names = tuple(map(self._names.__getitem__, found))
        return self._shared.setdefault(names, names)
