"""Ground actions: those that objects make of the actions of a task, with numbered atoms.

A literal is the number 2 n if atom n is true, and 2 n + 1 if it is false. A *condition* is a tuple of literals that all
hold; formulas become lists of conditions of which one holds, or lists of *clauses*, of each of which one literal holds.
Atoms that no action changes and that are certain at the start are worked out here, and have no number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

from attrs import Factory, define

from .forms import Word
from .language import Action, Formula, Task, Variables, atoms_of, bound, text_of
from .spelling import check_names

Atom: TypeAlias = "tuple[str, ...]"
Condition: TypeAlias = "tuple[int, ...]"
Binding: TypeAlias = "Mapping[str, str]"

MOST_ACTIONS = 500_000
"""A task with more ground actions is refused, before memory is gone."""


@define
class Outcome:
    """What comes about: literals under conditions, and of each choice one outcome more."""

    effects: list[tuple[Condition, int]] = Factory(list)
    choices: list[list[Outcome]] = Factory(list)


@define
class GroundAction:
    """An action of certain objects; one of the conditions `observe` holds if it tells that `observed` does."""

    name: str
    clauses: list[Condition]
    outcome: Outcome
    observe: list[Condition] | None
    observed: str
    cost: Fraction


@define
class GroundTask:
    """Numbered atoms, what the actions do to them, what is known of the start, and the clauses of the goal."""

    atoms: list[Atom]
    actions: list[GroundAction]
    goal: list[Condition]
    true: set[int]
    unknown: set[int]
    constraints: list[tuple[str, list[Condition]]]
    """Of the start: of these conditions one holds (`oneof`), or at least one (`or`)."""


MOST_TRIED = 5_000_000
"""So many choices of objects, for the first parameters of actions and for more and more of them, are tried in all."""

MOST_SPREAD = 5_000_000
"""So many values of quantified variables are looked at in all, and effects kept."""

MOST_CONDITIONS = 100_000
"""Conditions that are combined, each with each, to more than this are refused."""


def ground(task: Task, *, keep_all: bool = False) -> GroundTask:
    """All ground actions whose certain conditions hold; raises `ProblemError` if there are too many.

    Those that neither do nor tell anything are left out, unless `keep_all`.
    """
    return _Grounder(task, keep_all).task()


class _Grounder:
    def __init__(self, task: Task, keep_all: bool) -> None:
        self.lifted, self.keep_all, self.tried, self.spread = task, keep_all, 0, 0
        self.about: Word | None = None  # the action, or the first predicate of the goal, that is being ground
        self.numbers: dict[Atom, int] = {}
        self.objects = objects_by_type(task)
        check_names(task, self.objects)
        changed = {atom[1] for action in task.actions for atom in atoms_of(action.effect)}
        true: set[Atom] = set()
        false: set[Atom] = set()
        self.unknown: set[Atom] = set()
        for fact in task.init:
            if fact[0] in ("oneof", "or", "unknown"):
                self.unknown |= {_plain(atom) for atom in atoms_of(fact)}
            else:
                (true if fact[0] == "atom" else false).add(_plain(next(atoms_of(fact))))
        self.unknown -= true | false
        self.true = true
        self.fluents = changed | {atom[0] for atom in self.unknown}
        # Atoms that never change, by predicate, and by an argument.
        self.static: dict[str, list[Atom]] = defaultdict(list)
        self.static_with: dict[tuple[str, int, str], list[Atom]] = defaultdict(list)
        for atom in sorted(true):
            if atom[0] not in self.fluents:
                self.static[atom[0]].append(atom)
                for place, name in enumerate(atom[1:]):
                    self.static_with[atom[0], place, name].append(atom)

    def task(self) -> GroundTask:
        """The task, with all that can be told apart."""
        lifted = self.lifted
        actions: list[GroundAction] = []
        for action in lifted.actions:
            self.about = action.name
            for binding in self._bindings(action):
                made = self._action(action, binding)
                if made is not None:
                    actions.append(made)
                if len(actions) > MOST_ACTIONS:
                    raise action.name.error(
                        f"more than {MOST_ACTIONS:,} ground actions, most of them of {action.name!s}; "
                        "fewer objects, or preconditions that never change, would leave fewer"
                    )
        self.about = next((atom[1] for atom in atoms_of(lifted.goal)), None)
        goal = self._clauses(lifted.goal, {})
        constraints = []
        for kind, *parts in (fact for fact in lifted.init if fact[0] in ("oneof", "or")):
            members = (self._of_start(part) for part in parts)
            constraints.append((str(kind), [member for member in members if member is not None]))
        unknown = {self._number(atom) for atom in sorted(self.unknown)}
        true = {self.numbers[atom] for atom in self.true if atom in self.numbers}
        return GroundTask([*self.numbers], actions, goal, true, unknown, constraints)

    # Formulas.

    def _number(self, atom: Atom) -> int:
        return self.numbers.setdefault(atom, len(self.numbers))

    def _conditions(self, formula: Formula, binding: Binding, holds: bool = True) -> list[Condition]:
        """Conditions of which one must hold, for the formula to hold or not; [()] is true, and [] is false."""
        head = formula[0]
        if head == "not":
            return self._conditions(formula[1], binding, not holds)
        if head == "=":
            left, right = (binding.get(name, name) for name in formula[1:])
            return [()] if (left == right) == holds else []
        if head == "atom":
            atom = _bound(formula, binding)
            if atom[0] in self.fluents:
                return [(2 * self._number(atom) + (not holds),)]
            return [()] if (atom in self.true) == holds else []
        parts: Iterable[tuple[Formula, Binding]] = ((part, binding) for part in formula[1:])
        if head in ("forall", "exists"):  # one at a time: they may be too many to be listed
            parts = ((formula[2], each) for each in self._spread(formula[1], binding))
        if (head in ("and", "forall")) == holds:
            return self._all_of(self._conditions(part, each, holds) for part, each in parts)
        found: dict[Condition, None] = {}
        for part, each in parts:
            found.update(dict.fromkeys(self._conditions(part, each, holds)))
            if () in found:
                return [()]
        return [*found]

    def _all_of(self, parts: Iterable[list[Condition]]) -> list[Condition]:
        found: list[Condition] = [()]
        for more in parts:
            found = [both for left in found for right in more if (both := _together(left, right)) is not None]
            if not found:
                break
            if len(found) > MOST_CONDITIONS:
                assert self.about is not None  # what has no atom takes no conditions
                raise self.about.error(
                    f"a formula here takes more than {MOST_CONDITIONS:,} conditions of which one must hold; parts that "
                    "are joined by and, or fewer objects, would take fewer"
                )
        return found

    def _clauses(self, formula: Formula, binding: Binding) -> list[Condition]:
        """Clauses that must all hold; the empty one cannot."""
        return [tuple(literal ^ 1 for literal in part) for part in self._conditions(formula, binding, False)]

    def _spread(self, variables: Variables, binding: Binding) -> Iterator[Binding]:
        """The binding with all values of these variables."""
        names = [str(name) for name, _ in variables]
        self._spend(variables[0][0] if variables else None, prod(len(self._values(kinds)) for _, kinds in variables))
        for values in product(*(self._values(kinds) for _, kinds in variables)):
            yield {**binding, **dict(zip(names, values, strict=True))}

    def _spend(self, place: Word | None, count: int) -> None:
        """Count work with quantified variables, and effects; refuse more than memory and patience suffice for."""
        self.spread += count
        if self.spread > MOST_SPREAD:
            place = place or self.about
            assert place is not None, "something is being ground"
            raise place.error(
                f"the task is too large: more than {MOST_SPREAD:,} values of quantified variables and effects, here "
                "and before; fewer objects, or variables of narrower types, would leave fewer"
            )

    def _values(self, kinds: Sequence[str]) -> list[str]:
        return [*dict.fromkeys(name for kind in kinds or ("object",) for name in self.objects[kind])]

    def _outcome(self, effect: Formula, binding: Binding, conditions: list[Condition], into: Outcome) -> None:
        """Add an effect that comes about under one of these conditions."""
        head = effect[0]
        if head == "and":
            for part in effect[1:]:
                self._outcome(part, binding, conditions, into)
        elif head == "when":
            both = self._all_of((conditions, self._conditions(effect[1], binding)))
            if both:
                self._outcome(effect[2], binding, both, into)
        elif head == "forall":
            for each in self._spread(effect[1], binding):
                self._outcome(effect[2], each, conditions, into)
        elif head == "oneof":
            choice = []
            for part in effect[1:]:
                choice.append(Outcome())
                self._outcome(part, binding, conditions, choice[-1])
            into.choices.append(choice)
        elif head in ("atom", "not"):
            atom = effect if head == "atom" else effect[1]
            literal = 2 * self._number(_bound(atom, binding)) + (head == "not")
            self._spend(atom[1], len(conditions))
            into.effects += [(condition, literal) for condition in conditions]

    # Actions.

    def _action(self, action: Action, binding: Binding) -> GroundAction | None:
        """The ground action; None if it never applies, or neither does nor tells anything."""
        clauses = self._clauses(action.precondition, binding)
        outcome = Outcome()
        self._outcome(action.effect, binding, [()], outcome)
        observe = None if action.observe is None else self._conditions(action.observe, binding)
        if () in clauses or not (self.keep_all or outcome.effects or outcome.choices or observe):
            return None
        name = " ".join([action.name, *(binding[str(variable)] for variable, _ in action.parameters)])
        cost = self._cost(action.effect, binding) if self.lifted.metric else Fraction(1)
        observed = ""
        if action.observe is not None:
            formula = bound(action.observe, binding)  # whatever becomes of it: percepts are to be the same in all tasks
            observed = name_of(_plain(formula)) if formula[0] == "atom" else text_of(formula)
        return GroundAction(name, clauses, outcome, observe, observed, cost)

    def _cost(self, effect: Formula, binding: Binding) -> Fraction:
        if effect[0] == "and":
            return sum((self._cost(part, binding) for part in effect[1:]), Fraction(0))
        if effect[0] == "forall":
            return sum((self._cost(effect[2], each) for each in self._spread(effect[1], binding)), Fraction(0))
        if effect[0] != "increase" or effect[1] != "total-cost":
            return Fraction(0)
        amount = effect[2]
        if not isinstance(amount, tuple):
            return Fraction(amount)
        key = tuple(binding.get(name, name) for name in amount)
        if key not in self.lifted.numbers:
            raise amount[0].error(f"the start gives no value of ({' '.join(key)})")
        return self.lifted.numbers[key]

    def _bindings(self, action: Action) -> Iterator[Binding]:
        """The parameters for which all preconditions hold that never change: joined one after the other."""
        first = action.precondition
        parts = first[1:] if first[0] == "and" else (first,)
        joined = [part for part in parts if part[0] == "atom" and part[1] not in self.fluents]
        tests = [part for part in parts if part[0] in ("=", "not", "or") and self._is_certain(part)]
        allowed = {str(name): dict.fromkeys(self._values(kinds)) for name, kinds in action.parameters}

        def extend(binding: dict[str, str], left: list[Formula]) -> Iterator[Binding]:
            self.tried += 1
            if self.tried > MOST_TRIED:
                raise action.name.error(
                    f"more than {MOST_TRIED:,} choices of objects for parameters were tried, of the "
                    f"{prod(map(len, allowed.values())):,} that {action.name!s} has; fewer objects, or preconditions "
                    "that never change, would leave fewer"
                )
            if not all(self._conditions(test, binding) for test in tests if _is_ground(test, binding)):
                return
            if left:
                best = min(left, key=lambda part: len(self._facts(part, binding)))
                rest = [part for part in left if part is not best]
                for fact in self._facts(best, binding):
                    more = _matched(best, fact, binding, allowed)
                    if more is not None:
                        yield from extend(more, rest)
                return
            free = next((name for name in allowed if name not in binding), None)
            if free is None:
                yield binding
                return
            for value in allowed[free]:
                yield from extend({**binding, free: value}, [])

        yield from extend({}, joined)

    def _is_certain(self, formula: Formula) -> bool:
        if formula[0] in ("=", "atom"):
            return formula[0] == "=" or formula[1] not in self.fluents
        return formula[0] in ("not", "or", "and") and all(map(self._is_certain, formula[1:]))

    def _facts(self, part: Formula, binding: Binding) -> list[Atom]:
        """The certain atoms that may match a precondition."""
        names = (binding.get(name, name) for name in part[2:])
        lists = [
            self.static_with.get((part[1], place, name), [])
            for place, name in enumerate(names)
            if not name.startswith("?")
        ]
        return min(lists, key=len) if lists else self.static.get(part[1], [])

    def _of_start(self, part: Formula) -> Condition | None:
        """A member of a `oneof` or an `or` of the start as a condition on unknown atoms; None if it is false."""
        found: list[int] = []
        for piece in part[1:] if part[0] == "and" else (part,):
            (formula,) = atoms_of(piece)
            atom, is_true = _plain(formula), piece[0] == "atom"
            if atom in self.unknown:
                found.append(2 * self._number(atom) + (not is_true))
            elif (atom in self.true) != is_true:
                return None
        return tuple(found)


def objects_by_type(task: Task) -> dict[str, list[str]]:
    """The objects by type."""
    found: dict[str, list[str]] = {"object": []}
    for name, above in task.types.items():
        found.setdefault(name, [])
        for kind in above:
            found.setdefault(kind, [])
    for name, kinds in task.objects.items():
        own: dict[str, None] = dict.fromkeys(map(str, kinds))  # which published files do not always declare
        frontier = [*own]
        for kind in frontier:  # grows while it is walked
            more = [above for above in task.types.get(kind, ()) if above not in own]
            own.update(dict.fromkeys(more))
            frontier += more
        for kind in {**own, "object": None}:
            found.setdefault(kind, []).append(str(name))
    return found


def name_of(atom: Iterable[str]) -> str:
    """An atom as texts of states list it."""
    name, *objects = atom
    return f"{name}({','.join(objects)})" if objects else name


def _bound(formula: Formula, binding: Binding) -> Atom:
    return (str(formula[1]), *(str(binding.get(name, name)) for name in formula[2:]))


def _plain(formula: Formula) -> Atom:
    return tuple(map(str, formula[1:]))


def _is_ground(formula: Formula, binding: Binding) -> bool:
    names = formula[1:] if formula[0] == "=" else [name for atom in atoms_of(formula) for name in atom[2:]]
    if formula[0] not in ("=", "atom"):
        return all(_is_ground(part, binding) for part in formula[1:])
    return all(not name.startswith("?") or name in binding for name in names)


def _matched(
    part: Formula, fact: Atom, binding: Mapping[str, str], allowed: Mapping[str, Mapping[str, None]]
) -> dict[str, str] | None:
    """The binding under which a precondition is this fact; None if there is none."""
    found = dict(binding)
    for name, value in zip(part[2:], fact[1:], strict=True):
        if not name.startswith("?"):
            if name != value:
                return None
        elif found.setdefault(str(name), value) != value or value not in allowed.get(name, (value,)):
            return None
    return found


def _together(left: Condition, right: Condition) -> Condition | None:
    """Both conditions; None if they contradict each other."""
    both = {*left, *right}
    return None if any(literal ^ 1 in both for literal in both) else tuple(sorted(both))
