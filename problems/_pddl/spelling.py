"""Names of a task that mean something, and predicates with as many arguments everywhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from beliefsearch.errors import suggestion

from .._source import quoted
from .forms import Word
from .language import TRUE, Formula, Task, Variables, no_such


def check_names(task: Task, objects: Mapping[str, Sequence[str]]) -> None:
    """Refuse names that mean nothing; `objects` are those of each type."""
    names = _Names(task, objects)
    declared = {"object", *task.types, *(kind for above in task.types.values() for kind in above)}
    arguments = (kinds for variables in task.predicates.values() for _, kinds in variables)
    for kind in (kind for kinds in (*task.objects.values(), *arguments) for kind in kinds):
        names.check_declared(kind, "type", declared if task.types else ())
    for action in task.actions:
        bound = {str(name) for name, _ in action.parameters}
        names.check_types(action.parameters)
        for formula in (action.precondition, action.effect, action.observe or TRUE):
            names.check(formula, bound)
    for formula in (*task.init, task.goal):
        names.check(formula, set())


class _Names:
    def __init__(self, task: Task, objects: Mapping[str, Sequence[str]]) -> None:
        self._task, self._objects = task, objects
        self._told: set[str] = set()
        self._arity = {name: len(arguments) for name, arguments in task.predicates.items()}

    def check_declared(self, name: Word, kind: str, declared: Collection[str]) -> None:
        """Refuse a name that is not declared if one is that is written nearly so; else warn: published files lack some.

        Nothing is said where nothing is declared.
        """
        if name in declared or not declared or name in self._told:
            return
        if suggestion(name, declared):
            raise no_such(name, kind, declared)
        self._told.add(name)
        name.warn(f"there is no {kind} {quoted(name)} among :{kind}s; add it there")

    def check_types(self, variables: Variables) -> None:
        for _, kinds in variables:
            for kind in kinds:
                if kind not in self._objects:
                    raise no_such(kind, "type", self._objects)

    def check(self, formula: Formula, bound: set[str]) -> None:
        head, *rest = formula
        if head in ("forall", "exists"):
            self.check_types(rest[0])
            self.check(rest[1], bound | {str(name) for name, _ in rest[0]})
            return
        names = rest if head == "=" else rest[1:] if head == "atom" else ()
        if head == "increase":
            names = rest[1][1:] if isinstance(rest[1], tuple) else ()
        for name in names:
            if name.startswith("?") and name not in bound:
                raise no_such(name, "variable", bound)
            if not name.startswith("?") and name not in self._task.objects:
                variable = f"?{name}"
                raise no_such(name, "object", [variable] if variable in bound else self._task.objects)
        if head == "atom":
            self.check_declared(rest[0], "predicate", self._task.predicates)
            count = self._arity.setdefault(rest[0], len(names))
            if count != len(names):
                raise rest[0].error(f"{rest[0]!s} takes {count} argument{'s' * (count != 1)}, not {len(names)}")
            self._check_kinds(rest[0], names)
        for part in rest if not names and head not in ("=", "atom", "increase") else ():
            self.check(part, bound)

    def _check_kinds(self, predicate: Word, names: Iterable[Word]) -> None:
        """Warn, once for a predicate, of an object that is of none of the types that it is declared for."""
        for name, (_, kinds) in zip(names, self._task.predicates.get(predicate, ()), strict=False):
            known = [self._objects[kind] for kind in kinds if kind in self._objects]
            is_wrong = known and not name.startswith("?") and not any(name in objects for objects in known)
            if is_wrong and predicate not in self._told:
                self._told.add(predicate)
                name.warn(f"{name!s} is no {' or '.join(kinds)}, for which {predicate!s} is declared")
