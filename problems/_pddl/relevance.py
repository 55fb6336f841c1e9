"""Only what can come about and what matters is kept of a ground task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from .grounding import Condition, GroundAction, GroundTask, Outcome

_Effects: TypeAlias = "list[tuple[Condition, int]]"


def only_possible(task: GroundTask) -> GroundTask:
    """Leave out actions and effects that can never come about, even if nothing was ever undone."""
    certain = set(range(len(task.atoms))) - task.unknown
    possible = {2 * atom for atom in task.true | task.unknown} | {2 * atom + 1 for atom in task.unknown}
    possible |= {2 * atom + 1 for atom in certain - task.true}
    alive: list[GroundAction] = []
    waiting = task.actions
    grown = True
    while grown:
        ready = [all(not possible.isdisjoint(clause) for clause in action.clauses) for action in waiting]
        alive += [action for action, is_ready in zip(waiting, ready, strict=True) if is_ready]
        waiting = [action for action, is_ready in zip(waiting, ready, strict=True) if not is_ready]
        before = len(possible)
        for action in alive:
            possible.update(lit for condition, lit in _effects(action.outcome) if possible.issuperset(condition))
        grown = len(possible) > before

    def cut(condition: Condition) -> Condition | None:
        """The condition without what always holds; None if it never does."""
        if not possible.issuperset(condition):
            return None
        return tuple(literal for literal in condition if literal ^ 1 in possible)

    def cut_outcome(outcome: Outcome) -> Outcome:
        pairs = [(cut(condition), lit) for condition, lit in outcome.effects if lit ^ 1 in possible]
        effects = [(condition, lit) for condition, lit in pairs if condition is not None]
        return Outcome(effects, [[cut_outcome(one) for one in choice] for choice in outcome.choices])

    def cut_clauses(clauses: list[Condition]) -> list[Condition]:
        left = [tuple(lit for lit in clause if lit in possible) for clause in clauses]
        return [clause for clause in left if all(lit ^ 1 in possible for lit in clause)]

    order = {action.name: number for number, action in enumerate(task.actions)}
    actions = [
        GroundAction(
            action.name,
            cut_clauses(action.clauses),
            cut_outcome(action.outcome),
            None if action.observe is None else [c for c in map(cut, action.observe) if c is not None],
            action.cost,
        )
        for action in sorted(alive, key=lambda action: order[action.name])
    ]
    return GroundTask(task.atoms, actions, cut_clauses(task.goal), task.true, task.unknown, task.constraints)


def only_relevant(task: GroundTask, *, keep_all: bool = False) -> GroundTask:
    """Leave out atoms on which neither the goal nor a precondition nor a sensor depends; number the others anew."""
    wanted = set(range(len(task.atoms))) if keep_all else {lit >> 1 for clause in task.goal for lit in clause}
    groups = [{lit >> 1 for member in members for lit in member} for _, members in task.constraints]
    before = -1
    alive: dict[str, None] = {}
    while before < len(wanted) + len(alive):
        before = len(wanted) + len(alive)
        for action in task.actions:
            hits = [(condition, lit) for condition, lit in _effects(action.outcome) if lit >> 1 in wanted]
            if hits or keep_all or _tells(action):
                alive[action.name] = None
                parts = [*action.clauses, *(condition for condition, _ in hits), *(action.observe or ())]
                wanted |= {lit >> 1 for part in parts for lit in part}
        for atoms in groups:  # what is known of one atom tells of the others
            if not wanted.isdisjoint(atoms):
                wanted |= atoms
    number = {atom: place for place, atom in enumerate(sorted(wanted))}

    def anew(condition: Condition) -> Condition:
        return tuple(2 * number[lit >> 1] + (lit & 1) for lit in condition)

    def outcome_anew(outcome: Outcome) -> Outcome:
        pairs = [(c, lit) for c, lit in outcome.effects if lit >> 1 in wanted]
        effects = dict.fromkeys((anew(condition), anew((lit,))[0]) for condition, lit in pairs)
        choices = [[outcome_anew(one) for one in choice] for choice in outcome.choices]
        return Outcome([*effects], [choice for choice in choices if any(one.effects or one.choices for one in choice)])

    actions = [
        GroundAction(
            action.name,
            [*map(anew, action.clauses)],
            outcome_anew(action.outcome),
            None if action.observe is None else [*map(anew, action.observe)],
            action.cost,
        )
        for action in task.actions
        if action.name in alive
    ]
    constraints = [
        (kind, [*map(anew, members)])
        for (kind, members), atoms in zip(task.constraints, groups, strict=True)
        if atoms <= wanted
    ]
    true, unknown = ({number[atom] for atom in atoms & wanted} for atoms in (task.true, task.unknown))
    return GroundTask(
        [task.atoms[atom] for atom in number], actions, [*map(anew, task.goal)], true, unknown, constraints
    )


def _effects(outcome: Outcome) -> Iterator[tuple[Condition, int]]:
    """All effects of an outcome, whatever is chosen."""
    yield from outcome.effects
    for choice in outcome.choices:
        for one in choice:
            yield from _effects(one)


def _tells(action: GroundAction) -> bool:
    """Whether an action tells anything: yes sometimes, and no sometimes."""
    return bool(action.observe) and () not in (action.observe or ())
