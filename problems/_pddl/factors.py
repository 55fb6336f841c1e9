"""Factors of a ground task: sets of atoms that evolve by themselves, so that each is a small problem of its own.

An atom depends on the atoms in the conditions of effects that change it. It does not depend on preconditions: these
must be known to hold, so they hold in all states that are possible. A set of atoms closed under this evolves by itself:
what an action leads to, projected to the set, depends on the projected state alone. A clause of a precondition or of
the goal is known to hold if it holds in all states of any closed set that has its atoms. So without percepts one closed
set for each clause is all that is ever asked about; what is certain at all times is one more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, product

from beliefsearch.hooks import Factor, Facts

from .ground_problem import GroundProblem
from .grounding import Condition, GroundAction, GroundTask, Outcome
from .relevance import effects_of
from .starts import count_solutions, parts_of, solutions

MOST_LOCAL_STARTS = 200_000
"""A factor that has more starts is no help: its beliefs would be as slow as those of the task."""

MOST_SOLUTIONS = 500_000
"""So many ways to keep the constraints on one part of what is unknown are listed, for the factors that it touches."""

_MOST_REFUTED = 100


class LocalProblem(GroundProblem):
    """The problem of one factor, whose atoms have numbers of its own; nothing is perceived."""

    def __init__(self, task: GroundTask, starts: Sequence[int]) -> None:
        self._own, self._starts = task, starts

    @property
    def _task(self) -> GroundTask:
        return self._own

    def initial_states(self) -> Sequence[int]:
        return self._starts


def factors_of(task: GroundTask) -> list[Factor[str]] | None:
    """The factors of a task without percepts; None if there are none, or one has too many starts to be listed."""
    closure = _closures(task)
    uncertain = _uncertain(task, closure)
    clauses = dict.fromkeys([*task.goal, *(clause for action in task.actions for clause in action.clauses)])
    needed = {clause: frozenset().union(*(closure[literal >> 1] for literal in clause)) for clause in clauses}
    certain = frozenset().union(*(atoms for atoms in needed.values() if not atoms & uncertain))
    sets: list[frozenset[int]] = []
    for atoms in sorted(dict.fromkeys(needed.values()), key=len, reverse=True):
        if not atoms & uncertain:
            continue
        if not any(atoms <= other for other in sets):
            sets.append(atoms)
    if certain:
        sets.append(certain)
    if not sets:  # nothing is asked about but what can never hold
        return None
    unknown = parts_of(task)
    counts = [count_solutions(*part, MOST_SOLUTIONS) for part in unknown]
    if any(count is None or count > MOST_SOLUTIONS for count in counts):
        return None
    parts = [(atoms, [*solutions(atoms, about)]) for atoms, about in unknown]
    starts = []
    for atoms in sets:
        found = _local_starts(task, atoms, parts)
        if found is None:
            return None
        starts.append(found)
    homes: list[set[Condition]] = [set() for _ in sets]
    for clause in clauses:
        own = {literal >> 1 for literal in clause}
        homes[min((i for i, atoms in enumerate(sets) if own <= atoms), key=lambda i: len(starts[i]))].add(clause)
    return [_factor(task, *each) for each in zip(sets, homes, starts, strict=True)]


def _closures(task: GroundTask) -> list[frozenset[int]]:
    """By atom, those on which it depends, itself included."""
    direct: list[set[int]] = [{atom} for atom in range(len(task.atoms))]
    for action in task.actions:
        for condition, literal in effects_of(action.outcome):
            direct[literal >> 1].update(lit >> 1 for lit in condition)
    found = []
    for atom in range(len(task.atoms)):
        reached = {atom: None}
        for other in (frontier := [atom]):  # grows while it is walked
            new = [one for one in direct[other] if one not in reached]
            reached.update(dict.fromkeys(new))
            frontier += new
        found.append(frozenset(reached))
    return found


def _uncertain(task: GroundTask, closure: Sequence[frozenset[int]]) -> frozenset[int]:
    """The atoms that may be unknown at some time."""
    sources = {*task.unknown}
    for action in task.actions:
        for choice in action.outcome.choices:
            sources.update(literal >> 1 for one in choice for _, literal in effects_of(one))
    return frozenset(atom for atom, atoms in enumerate(closure) if not sources.isdisjoint(atoms))


def _local_starts(
    task: GroundTask, atoms: frozenset[int], parts: Iterable[tuple[Sequence[int], Sequence[int]]]
) -> list[int] | None:
    """The starts projected to these atoms; None if they are too many."""
    mask = sum(1 << atom for atom in atoms)
    found = [sum(1 << atom for atom in task.true & atoms)]
    for members, found_solutions in parts:
        if atoms.isdisjoint(members):
            continue
        local = dict.fromkeys(solution & mask for solution in found_solutions)
        if len(local) * len(found) > MOST_LOCAL_STARTS:
            return None
        found = [start | more for start in found for more in local]
    return found


def _factor(task: GroundTask, atoms: frozenset[int], clauses: set[Condition], starts: Sequence[int]) -> Factor[str]:
    order = sorted(atoms)
    number = {atom: place for place, atom in enumerate(order)}

    def anew(condition: Condition) -> Condition:
        return tuple(2 * number[literal >> 1] + (literal & 1) for literal in condition)

    def outcome_anew(outcome: Outcome) -> Outcome:
        effects = [(anew(condition), anew((lit,))[0]) for condition, lit in outcome.effects if lit >> 1 in number]
        choices = [[outcome_anew(one) for one in choice] for choice in outcome.choices]
        return Outcome(effects, [choice for choice in choices if any(one.effects or one.choices for one in choice)])

    actions = []
    for action in task.actions:
        mine = [anew(clause) for clause in dict.fromkeys(action.clauses) if clause in clauses]
        outcome = outcome_anew(action.outcome)
        if mine or outcome.effects or outcome.choices:
            actions.append(GroundAction(action.name, mine, outcome, None, action.cost))
    goal = [anew(clause) for clause in dict.fromkeys(task.goal) if clause in clauses]
    local = GroundTask([task.atoms[atom] for atom in order], actions, goal, set(), set(), [])

    def of(state: int) -> int:
        return sum((state >> atom & 1) << place for place, atom in enumerate(order))

    problem = LocalProblem(local, [*map(of, starts)])
    return Factor(problem, tuple(action.name for action in actions), of, facts_of(local))


def facts_of(task: GroundTask, *, hopeful: bool = False) -> Facts[str]:
    """The literals for which something waits, as facts; what only some choices bring about, if hoped for."""
    conditions = [*task.goal]
    effects = []
    for action in task.actions:
        conditions += action.clauses
        sure = [*action.outcome.effects]
        for choice in action.outcome.choices:
            if hopeful:
                sure += [effect for one in choice for effect in effects_of(one)]
            else:
                sure += [effect for effect in choice[0].effects if all(effect in one.effects for one in choice)]
        effects += [(action.name, condition, literal) for condition, literal in sure]
        conditions += [condition for condition, _ in sure]
    tells = [(action.name, *told) for action in task.actions for told in _told(action.observe)]
    conditions += [condition for _, condition, _ in tells]
    literals = dict.fromkeys(literal for condition in conditions for literal in condition)
    fact = {literal: number for number, literal in enumerate(literals)}

    def of(state: int) -> list[int]:
        return [number for literal, number in fact.items() if (state >> (literal >> 1) & 1) != literal & 1]

    return Facts(
        len(fact),
        of,
        [
            (name, [fact[one] for one in condition], fact[literal])
            for name, condition, literal in effects
            if literal in fact
        ],
        {
            action.name: [[fact[one] for one in clause] for clause in action.clauses]
            for action in task.actions
            if action.clauses
        },
        [[fact[one] for one in clause] for clause in task.goal],
        [(name, [fact[one] for one in condition], percept) for name, condition, percept in tells],
    )


def _told(observe: Sequence[Condition] | None) -> list[tuple[Condition, bool]]:
    """Conditions under which a formula holds, and some under which it does not."""
    if observe is None:
        return []
    refuted = islice(product(*observe), _MOST_REFUTED)
    return [(condition, True) for condition in observe] + [(tuple({lit ^ 1 for lit in one}), False) for one in refuted]
