"""Actions by their names, as a plan has them; and which part of a precondition or a goal a state lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import product

from beliefsearch.errors import meant

from .._source import quoted
from .forms import Word, word_at
from .grounding import objects_by_type
from .language import Action, Formula, Task, bound, text_of

Truth = Callable[[tuple[str, ...]], bool | None]
"""Whether an atom holds; None if that is not known."""


def named_action(task: Task, text: str) -> Action:
    """The action with its objects that a text names, such as `(MOVE A B)`, without parameters.

    Raises `ValueError` if there is none.
    """
    head, *names = re.sub(r"[(),]", " ", text.lower()).split() or [""]
    named = [action for action in task.actions if action.name == head]
    if not named:
        hint = meant(head, [action.name for action in task.actions])
        raise ValueError(f"the domain has no action {quoted(head)}{hint}")
    action = next((action for action in named if len(action.parameters) == len(names)), None)
    if action is None:
        takes = " or ".join(_takes(action) for action in named)
        raise ValueError(f"{head} takes {takes}, not {len(names)}")
    objects = {str(name): name for name in task.objects}
    of_type = objects_by_type(task)
    binding: dict[str, Word] = {}
    for name, (variable, kinds) in zip(names, action.parameters, strict=True):
        if name not in objects:
            raise ValueError(f"there is no object {quoted(name)}{meant(name, objects)}")
        if kinds and not any(name in of_type[kind] for kind in kinds):
            raise ValueError(f"{name} is no {' or '.join(kinds)}, which {head} wants for {variable}")
        binding[variable] = objects[name]
    return Action(
        word_at(" ".join((head, *names)), action.name.source, action.name.at),
        (),
        bound(action.precondition, binding),
        bound(action.effect, binding),
        None if action.observe is None else bound(action.observe, binding),
    )


def _takes(action: Action) -> str:
    """How many objects an action takes, and its form."""
    count, form = len(action.parameters), " ".join([action.name, *(name for name, _ in action.parameters)])
    return f"{count} object{'s' * (count != 1)}, ({form})"


def actions_named(task: Task, texts: Iterable[str]) -> dict[str, Action]:
    """The actions that texts name, by name; raises `ValueError` if one names none."""
    return {action.name: action for action in (named_action(task, text) for text in texts if text.strip())}


def lacking(task: Task, formula: Formula, holds: Truth) -> str | None:
    """The first part of a formula that does not hold, as text; None if none is known not to."""
    of_type, words = objects_by_type(task), {str(name): name for name in task.objects}

    def value(part: Formula) -> bool | None:
        head, *rest = part
        if head == "not":
            inner = value(rest[0])
            return None if inner is None else not inner
        if head == "=":
            return bool(rest[0] == rest[1])
        if head == "atom":
            return holds(tuple(map(str, rest)))
        decides = head in ("or", "exists")
        answer: bool | None = not decides
        for one in instances(part) if head in ("forall", "exists") else rest:
            inner = value(one)
            if inner is decides:
                return decides
            answer = None if inner is None else answer
        return answer

    def instances(part: Formula) -> Iterable[Formula]:
        _, variables, inside = part
        ranges = ([words[name] for kind in kinds or ("object",) for name in of_type[kind]] for _, kinds in variables)
        for chosen in product(*ranges):
            yield bound(inside, {str(name): one for (name, _), one in zip(variables, chosen, strict=True)})

    def first(part: Formula) -> Formula | None:
        if value(part) is not False:
            return None
        inner = part[1:] if part[0] == "and" else instances(part) if part[0] == "forall" else ()
        return next((found for one in inner if (found := first(one)) is not None), part)

    found = first(formula)
    return None if found is None else text_of(found)
