"""Factors of a ground task: sets of atoms that evolve by themselves, so that each is a small problem of its own.

An atom depends on the atoms in the conditions of effects that change it. It does not depend on preconditions: these
must be known to hold, so they hold in all states that are possible. A set of atoms closed under this evolves by itself:
what an action leads to, projected to the set, depends on the projected state alone. A clause of a precondition or of
the goal is known to hold if it holds in all states of any closed set that has its atoms. So without percepts one closed
set for each clause is all that is ever asked about; of what is certain at all times those that change together are one.

With percepts, which tell of all that is tied to what is perceived, the closed sets are larger: atoms that may be
unknown are in one set if a constraint on the start, an effect, a choice, a sensor or a clause has to do with both.
Those with too many starts to be listed may be one factor that is given by its constraints, if nothing changes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice, product
from math import inf

from attrs import evolve

from beliefsearch.hooks import Factor, Facts, FixedStates, StateRules

from .ground_problem import GroundProblem
from .grounding import Condition, GroundTask, Outcome, name_of
from .relevance import effects_of, on_atoms
from .starts import count_solutions, groups_of, parts_of, solutions, starts_of, sweep, tied
from .steps import true_atoms

MOST_LOCAL_STARTS = 200_000
"""A factor that has more starts is no help: its beliefs would be as slow as those of the task."""

MOST_SOLUTIONS = 500_000
"""So many ways to keep the constraints on one part of what is unknown are listed, for the factors that it touches."""

_MOST_REFUTED = 100
# An action with more outcomes is not listed in full.
_MOST_OUTCOMES = 1_000


class LocalProblem(GroundProblem):
    """The problem of one factor, whose atoms have numbers of its own; its starts, if those of the task are not."""

    def __init__(self, task: GroundTask, starts: Sequence[int] | None = None) -> None:
        self._own, self._starts = task, starts

    @property
    def _task(self) -> GroundTask:
        return self._own

    def initial_states(self) -> Iterable[int]:
        return starts_of(self._own) if self._starts is None else self._starts


def factors_of(task: GroundTask) -> list[Factor[str]] | None:
    """The factors of a task; None if there are none, or one has too many starts to be listed."""
    clauses = dict.fromkeys([*task.goal, *(clause for action in task.actions for clause in action.clauses)])
    changed = [frozenset(literal >> 1 for _, literal in effects_of(action.outcome)) for action in task.actions]
    sets = _closed_sets(task, clauses, changed)
    if not sets:  # nothing is asked about but what can never hold
        return None
    unknown = parts_of(task)
    counts = [count_solutions(*part, MOST_SOLUTIONS) for part in unknown]
    few = [part for part, count in zip(unknown, counts, strict=True) if count is not None and count <= MOST_SOLUTIONS]
    many = task.unknown.difference(*(atoms for atoms, _ in few))
    parts = [(atoms, [*solutions(atoms, about)]) for atoms, about in few]
    starts = {atoms: None if atoms & many else _local_starts(task, atoms, parts) for atoms in sets}
    fixed = frozenset().union(*(atoms for atoms, found in starts.items() if found is None))
    if fixed:
        if any(fixed & atoms for atoms in changed) or all(action.observe is None for action in task.actions):
            return None
        sets = [*(atoms for atoms in sets if not atoms <= fixed), fixed]
        starts[fixed] = None
    sizes = [inf if starts[atoms] is None else len(starts[atoms] or ()) for atoms in sets]

    def home(literals: Iterable[int]) -> int:
        """The set with the fewest starts that has all these."""
        own = {literal >> 1 for literal in literals}
        return min((i for i, atoms in enumerate(sets) if own <= atoms), key=sizes.__getitem__)

    clauses_of: list[set[Condition]] = [set() for _ in sets]
    tells: list[set[str]] = [set() for _ in sets]
    for clause in clauses:
        clauses_of[home(clause)].add(clause)
    for action in task.actions:
        if action.observe is not None:
            tells[home(chain.from_iterable(action.observe))].add(action.name)
    return [_factor(task, changed, *each, starts[each[0]]) for each in zip(sets, clauses_of, tells, strict=True)]


def _closed_sets(
    task: GroundTask, clauses: Iterable[Condition], changed: Sequence[frozenset[int]]
) -> list[frozenset[int]]:
    """Closed sets of atoms such that all that is asked about is in one of them; `changed` has atoms for each action.

    What is certain at all times is in one set if an action changes both, or something is asked about both. It joins a
    set that may be uncertain if it changes with no other: the states of each alone may be far more.
    """
    closure = _closures(task)
    uncertain = _uncertain(task, closure)
    if any(action.observe is not None for action in task.actions):
        return _blocks(task, closure, uncertain)
    needed = dict.fromkeys(frozenset().union(*(closure[literal >> 1] for literal in clause)) for clause in clauses)
    sets: list[frozenset[int]] = []
    for atoms in sorted(needed, key=len, reverse=True):
        if atoms & uncertain and not any(atoms <= other for other in sets):
            sets.append(atoms)
    known = [atoms for atoms in needed if not atoms & uncertain]
    certain = frozenset().union(*known)
    for group in map(frozenset, groups_of(tied(certain, [*known, *map(certain.intersection, changed)]))):
        along = group.union(*(atoms for atoms in changed if not group.isdisjoint(atoms)))
        others = [place for place, atoms in enumerate(sets) if atoms & uncertain & along]
        if len(others) == 1:
            sets[others[0]] |= group
        else:
            sets.append(group)
    return sets


def _blocks(task: GroundTask, closure: Sequence[frozenset[int]], uncertain: frozenset[int]) -> list[frozenset[int]]:
    """Closed sets of which none says anything of what may be unknown in others.

    What is certain may be in several: in each of which something is asked that has to do with it.
    """
    asked: list[list[int]] = [[*clause] for clause in task.goal]
    ties: list[Iterable[int]] = [
        (literal for member in members for literal in member) for _, members in task.constraints
    ]
    for action in task.actions:
        ties += [(*condition, literal) for condition, literal in action.outcome.effects if literal >> 1 in uncertain]
        for choice in action.outcome.choices:
            effects = [effect for one in choice for effect in effects_of(one)]
            ties.append([*chain.from_iterable((*condition, literal) for condition, literal in effects)])
        asked += [*map(list, action.clauses), [*chain.from_iterable(action.observe or ())]]
    block_of = tied(uncertain, ({lit >> 1 for lit in literals} & uncertain for literals in chain(ties, asked)))
    blocks = {id(atoms): {*atoms} for atoms in groups_of(block_of)}
    for literals in asked:
        atoms = {literal >> 1 for literal in literals}
        for atom in atoms & uncertain:
            blocks[id(block_of[atom])] |= atoms
    sets = [frozenset().union(*(closure[atom] for atom in atoms)) for atoms in blocks.values()]
    certain = frozenset(range(len(task.atoms))) - uncertain
    return [*sets, certain] if certain else sets


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


def _factor(
    task: GroundTask,
    changed: Sequence[frozenset[int]],
    atoms: frozenset[int],
    clauses: set[Condition],
    tells: set[str],
    starts: Sequence[int] | None,
) -> Factor[str]:
    order = sorted(atoms)
    about, true, unknown = [], set[int](), set[int]()
    if starts is None:  # atoms of one constraint are to be near each other
        about = [one for one in task.constraints if not atoms.isdisjoint(lit >> 1 for lit in chain(*one[1]))]
        order = [*dict.fromkeys([*sweep(about), *order])]
        true, unknown = task.true, task.unknown
    mine = []
    for action, changes in zip(task.actions, changed, strict=True):
        own = [clause for clause in dict.fromkeys(action.clauses) if clause in clauses]
        observe = action.observe if action.name in tells else None
        if own or observe is not None or not atoms.isdisjoint(changes):
            mine.append(evolve(action, clauses=own, observe=observe))
    goal = [clause for clause in dict.fromkeys(task.goal) if clause in clauses]
    local = on_atoms(GroundTask(task.atoms, mine, goal, true, unknown, about), order)

    def of(state: int) -> int:
        return sum((state >> atom & 1) << place for place, atom in enumerate(order))

    problem = LocalProblem(local, None if starts is None else [*map(of, starts)])
    names = tuple(action.name for action in local.actions)
    facts = facts_of(local, hopeful=not problem.is_sensorless())
    return Factor(problem, names, of, facts, _fixed_states(local) if starts is None else None)


def _fixed_states(task: GroundTask) -> FixedStates[str]:
    """The states of a task in which nothing changes, by its constraints; variable n is atom n."""

    def rules(clauses: Iterable[Condition]) -> list[tuple[str, list[Condition]]]:
        return [("or", [(literal,) for literal in clause]) for clause in clauses]

    certain = [(2 * atom + (atom not in task.true),) for atom in range(len(task.atoms)) if atom not in task.unknown]
    return FixedStates(
        len(task.atoms),
        [*task.constraints, *rules(certain)],
        {action.name: rules(action.clauses) for action in task.actions if action.clauses},
        rules(task.goal),
        {action.name: ("or", action.observe) for action in task.actions if action.observe is not None},
        lambda true: sum(1 << atom for atom in true),
        lambda state: frozenset(atom for atom in range(len(task.atoms)) if state >> atom & 1),
    )


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
    about_true, about_false = (sum(1 << (one >> 1) for one in literals if one & 1 == side) for side in (0, 1))

    def of(state: int) -> list[int]:
        holding = [fact[2 * atom] for atom in true_atoms(state & about_true)]
        return holding + [fact[2 * atom + 1] for atom in true_atoms(~state & about_false)]

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


def rules_of(task: GroundTask) -> StateRules[str] | None:
    """All that the actions need and do, where the state is seen; None if one has too many outcomes to be listed."""
    outcomes = {action.name: _outcomes(action.outcome) for action in task.actions}
    listed = {name: found for name, found in outcomes.items() if found is not None}
    if len(listed) < len(outcomes):
        return None
    return StateRules(
        [*map(name_of, task.atoms)],
        int,
        {action.name: action.clauses for action in task.actions},
        task.goal,
        listed,
        {name: sum(1 << atom for atom in _left_open(found)) for name, found in listed.items()},
    )


def _outcomes(outcome: Outcome) -> list[list[tuple[Condition, int]]] | None:
    """The outcomes without choices of one with choices; None if they are too many."""
    found = [outcome.effects]
    for choice in outcome.choices:
        options = [_outcomes(one) for one in choice]
        more = [*chain.from_iterable(option or () for option in options)]
        if None in options or len(found) * len(more) > _MOST_OUTCOMES:
            return None
        found = [[*one, *other] for one in found for other in more]
    return found


def _left_open(outcomes: Sequence[Sequence[tuple[Condition, int]]]) -> set[int]:
    """The atoms on which outcomes have different effects."""
    effects = [frozenset(one) for one in outcomes]
    return {literal >> 1 for one in effects for _, literal in one - frozenset.intersection(*effects)}


def _told(observe: Sequence[Condition] | None) -> list[tuple[Condition, bool]]:
    """Conditions under which a formula holds, and some under which it does not."""
    if observe is None:
        return []
    refuted = islice(product(*observe), _MOST_REFUTED)
    return [(condition, True) for condition in observe] + [(tuple({lit ^ 1 for lit in one}), False) for one in refuted]
