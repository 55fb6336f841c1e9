"""Only what can come about and what matters is kept of a ground task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from attrs import evolve

from .grounding import Condition, GroundAction, GroundTask, Outcome


def only_possible(task: GroundTask) -> GroundTask:
    """Leave out actions and effects that can never come about, even if nothing was ever undone."""
    certain = set(range(len(task.atoms))) - task.unknown
    possible = {2 * atom for atom in task.true | task.unknown} | {2 * atom + 1 for atom in task.unknown}
    possible |= {2 * atom + 1 for atom in certain - task.true}
    alive: set[str] = set()
    frontier: list[int] = []
    actions_for: dict[int, list[GroundAction]] = defaultdict(list)  # by literal what waits for it
    effects_for: dict[int, list[tuple[Condition, int]]] = defaultdict(list)

    def look_at(action: GroundAction) -> None:
        missing = next((clause for clause in action.clauses if possible.isdisjoint(clause)), None)
        if missing is not None:
            for literal in missing:
                actions_for[literal].append(action)
        elif action.name not in alive:
            alive.add(action.name)
            for effect in effects_of(action.outcome):
                bring_about(effect)

    def bring_about(effect: tuple[Condition, int]) -> None:
        condition, literal = effect
        missing = next((lit for lit in condition if lit not in possible), None)
        if missing is not None:
            effects_for[missing].append(effect)
        elif literal not in possible:
            possible.add(literal)
            frontier.append(literal)

    for action in task.actions:
        look_at(action)
    for literal in frontier:  # grows while it is walked
        for effect in effects_for.pop(literal, ()):
            bring_about(effect)
        for action in actions_for.pop(literal, ()):
            look_at(action)

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

    actions = [
        evolve(
            action,
            clauses=cut_clauses(action.clauses),
            outcome=cut_outcome(action.outcome),
            observe=None if action.observe is None else [c for c in map(cut, action.observe) if c is not None],
        )
        for action in task.actions
        if action.name in alive
    ]
    return evolve(task, actions=actions, goal=cut_clauses(task.goal))


def only_relevant(task: GroundTask, *, keep_all: bool = False, keep_actions: bool = False) -> GroundTask:
    """Leave out atoms on which neither the goal nor a precondition nor a sensor depends; number the others anew.

    Actions that do nothing to these are left out, too, unless `keep_actions`.
    """
    wanted: set[int] = set()
    frontier: list[int] = []
    alive: set[str] = set()
    groups = [{lit >> 1 for member in members for lit in member} for _, members in task.constraints]
    groups_of: dict[int, list[int]] = defaultdict(list)
    for place, atoms in enumerate(groups):
        for atom in atoms:
            groups_of[atom].append(place)
    told: set[int] = set()
    changes: dict[int, list[tuple[GroundAction, Condition]]] = defaultdict(list)  # by atom under which condition

    def want(atoms: Iterable[int]) -> None:
        new = {*atoms} - wanted
        wanted.update(new)
        frontier.extend(new)

    def keep(action: GroundAction) -> None:
        if action.name not in alive:
            alive.add(action.name)
            want(lit >> 1 for part in (*action.clauses, *(action.observe or ())) for lit in part)

    want(range(len(task.atoms)) if keep_all else (lit >> 1 for clause in task.goal for lit in clause))
    for action in task.actions:
        for condition, lit in effects_of(action.outcome):
            changes[lit >> 1].append((action, condition))
        if keep_all or keep_actions or _tells(action):
            keep(action)
    for atom in frontier:  # grows while it is walked
        for action, condition in changes[atom]:
            keep(action)
            want(lit >> 1 for lit in condition)
        for place in groups_of[atom]:  # what is known of one atom tells of the others
            if place not in told:
                told.add(place)
                want(groups[place])
    constraints = [one for one, atoms in zip(task.constraints, groups, strict=True) if atoms <= wanted]
    actions = [action for action in task.actions if action.name in alive]
    return on_atoms(evolve(task, actions=actions, constraints=constraints), sorted(wanted))


def on_atoms(task: GroundTask, order: Sequence[int]) -> GroundTask:
    """The task on these atoms alone, numbered anew; only effects may be about others, and are left out then."""
    number = {atom: place for place, atom in enumerate(order)}

    anew = partial(renumbered, number=number)

    def outcome_anew(outcome: Outcome) -> Outcome:
        pairs = [(c, lit) for c, lit in outcome.effects if lit >> 1 in number]
        effects = dict.fromkeys((anew(condition), anew((lit,))[0]) for condition, lit in pairs)
        choices = [[outcome_anew(one) for one in choice] for choice in outcome.choices]
        return Outcome([*effects], [choice for choice in choices if any(one.effects or one.choices for one in choice)])

    actions = [
        evolve(
            action,
            clauses=[*map(anew, action.clauses)],
            outcome=outcome_anew(action.outcome),
            observe=None if action.observe is None else [*map(anew, action.observe)],
        )
        for action in task.actions
    ]
    constraints = [(kind, [*map(anew, members)]) for kind, members in task.constraints]
    true, unknown = ({number[atom] for atom in atoms.intersection(order)} for atoms in (task.true, task.unknown))
    return GroundTask(
        [task.atoms[atom] for atom in order], actions, [*map(anew, task.goal)], true, unknown, constraints
    )


def renumbered(literals: Condition, number: Mapping[int, int]) -> Condition:
    """Literals with other numbers of their atoms."""
    return tuple(2 * number[literal >> 1] + (literal & 1) for literal in literals)


def effects_of(outcome: Outcome) -> Iterator[tuple[Condition, int]]:
    """All effects of an outcome, whatever is chosen."""
    yield from outcome.effects
    for choice in outcome.choices:
        for one in choice:
            yield from effects_of(one)


def _tells(action: GroundAction) -> bool:
    """Whether an action tells anything: yes sometimes, and no sometimes."""
    return bool(action.observe) and () not in (action.observe or ())
