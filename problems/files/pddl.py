"""Planning files in PDDL: conformant, contingent and nondeterministic tasks of the planning competitions."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path

from attrs import evolve, field, frozen

from beliefsearch import ProblemError
from beliefsearch.errors import DataWarning
from beliefsearch.hooks import Factor, FactoredHook, Facts, StateRules
from beliefsearch.tools import read_data_file

from .._pddl.factors import factors_of, facts_of, rules_of
from .._pddl.forms import read_forms
from .._pddl.ground_problem import GroundProblem
from .._pddl.grounding import GroundTask, ground
from .._pddl.language import Action, Task, atoms_of, domain_of, head_of, read_task
from .._pddl.naming import actions_named, lacking, named_action
from .._pddl.relevance import effects_of, only_possible, only_relevant
from .._pddl.starts import complaint_about_start, count_starts, starts_of
from .._pddl.steps import true_atoms
from .._source import Source

_MOST_BYTES = 64 * 2**20
_MOST_TRIED = 50


@frozen
class PddlFileProblem(GroundProblem, FactoredHook[int, str]):
    """A planning task in PDDL, whose start may be uncertain, with sensing and nondeterministic actions.

    Story
    -----
    Planners of the competitions have exchanged their tasks in this language since 1998; files of the conformant and
    contingent tracks say what is unknown at the start, and which actions tell something.

    Formal model
    ------------
    A state says which ground atoms are true; those that never change, or on which nothing depends, are left out. An
    action is an action of the domain with its objects, and applies where its precondition holds. Effects under
    conditions, `oneof` in effects, `oneof`, `or` and `unknown` in `:init`, and `:observe` are read. Atoms that `:init`
    does not mention are false. The percept of a sensing action is the formula that it observes, or this with `not`;
    with `--seen` it is the state, after every action. The goal must hold when the plan ends: a state in which it holds
    is left again by what makes it false. Every action costs 1, unless the metric is the total cost.

    Source
    ------
    D. McDermott and others, "PDDL: the planning domain definition language" (1998); A. Albore, H. Palacios and
    H. Geffner, "A translation-based approach to contingent planning" (2009), for `oneof`, `or` and `:observe`.

    Known answers
    -------------
    Those of the files.
    """

    file: Path = field(
        converter=Path, metadata={"help": "the problem, whose name ends in .pddl", "most_bytes": _MOST_BYTES}
    )
    domain: Path = field(
        converter=Path, metadata={"help": "the domain; default: the file beside it", "most_bytes": _MOST_BYTES}
    )
    seen: bool = field(
        default=False, metadata={"help": "after every action the player sees the state; before the first he does not"}
    )
    only: str | None = field(default=None, metadata={"help": "the only actions there are, parted by semicolons"})

    @domain.default
    def _domain_beside(self) -> Path:
        forms = read_forms(self._source(self.file))
        if not forms:
            raise ProblemError(f"{self.file} holds no problem, only blanks and comments; give another file")
        kinds = [head_of(form)[0] for form in forms]
        if "domain" in kinds:
            if "problem" in kinds:
                return self.file
            raise ProblemError(f"{self.file} is a domain; give the problem, and with --domain the domain")
        wanted = domain_of(forms[0])
        folder = self.file.parent.resolve()
        paths = sorted(self.file.parent.glob("*.pddl"))  # links that lead elsewhere are not followed
        beside = (path for path in paths if path.is_file() and path.resolve().is_relative_to(folder))
        domains = {path: name for path in beside if (name := _domain_in(self._source(path).text))}
        found = [path for path, name in domains.items() if name == wanted] or [*domains]
        if len(found) == 1:
            return found[0]
        about = f" {str(wanted)!r}" if wanted else ""
        if wanted and found and wanted not in domains.values():
            there = f"are {len(found)} domains beside it, none of them{about}"
        else:
            there = f"{f'are {len(found)} files' if found else 'is no file'} beside it with its domain{about}"
        raise ProblemError(f"{self.file}: there {there}; say --domain FILE")

    def __attrs_post_init__(self) -> None:
        task = self._task  # a file that cannot be read is refused now
        is_conformant = not (self.seen or task.unknown or self._observed)
        if self.only is None and is_conformant and any(action.outcome.choices for action in task.actions):
            told = "nothing is perceived of nondeterministic effects; to plan by the states that are seen (FOND) say"
            warnings.warn_explicit(f"{self.file}: {told} --seen", DataWarning, str(self.file), 1)

    def initial_states(self) -> Iterable[int]:
        return starts_of(self._task)

    def percepts(self, state: int, action: str) -> Sequence[str | None]:
        if not self.seen:
            return super().percepts(state, action)
        if self._rules is None:
            return (super().format_state(state),)
        told = [
            f"{'' if state >> place & 1 else 'not '}{self._atoms[place]}"
            for place in true_atoms(self._rules.told[action])
        ]
        return (", ".join(told) or None,)

    def format_state(self, state: int) -> str:
        """Name the atoms that are true, but for those that always are."""
        return super().format_state(state & ~self._grounded[1])

    def parse_state(self, text: str) -> int:
        return super().parse_state(text) | self._grounded[1]

    def format_percept(self, percept: str | None) -> str:
        if not self.seen or self._rules is not None or percept is None:
            return super().format_percept(percept)
        return self.format_state(super().parse_state(percept))

    def is_sensorless(self) -> bool:
        """Whether no action tells anything."""
        return not self.seen and super().is_sensorless()

    def sees_state(self) -> bool:
        return self.seen and not self._task.unknown

    def factors(self) -> Sequence[Factor[str]] | None:
        """The closed sets of atoms; with `seen` there are none."""
        return self._factors

    def facts(self) -> Facts[str] | None:
        """The literals that matter, where something is observed, or the state is always seen."""
        tells = not self._task.unknown if self.seen else self._observed
        return self._literals if tells else None

    def count_starts(self) -> int:
        count = count_starts(self._task)
        if count is None:
            raise ProblemError(f"the possible starts of {self.file.name} are too many to be counted")
        return count

    def parse_action(self, text: str) -> str:
        return str(named_action(self._lifted, text).name)

    def missing(self, state: int, action: str | None = None) -> str:
        """Name the part of the goal or of the precondition that does not hold."""
        needed = self._lifted.goal if action is None else named_action(self._lifted, action).precondition
        part = lacking(self._lifted, needed, partial(self._holds, state))
        if part is None:
            return super().missing(state, action)
        return f"{'the goal' if action is None else 'precondition'} {part} does not hold"

    @classmethod
    def options_for_plan(cls, actions: Iterable[str]) -> Mapping[str, object]:
        return {"only": "; ".join(actions)}

    def _holds(self, state: int, atom: tuple[str, ...]) -> bool | None:
        """Whether an atom holds in a state; None if it may change and has been left out."""
        place = self._places.get(atom)
        if place is not None:
            return bool(state >> place & 1)
        return None if atom[0] in self._changed else self._facts.get(atom, False)

    @cached_property
    def _lifted(self) -> Task:
        return read_task(map(self._source, {path.resolve(): path for path in (self.domain, self.file)}.values()))

    @cached_property
    def _chosen(self) -> dict[str, Action] | None:
        """The actions that `only` names, by name."""
        try:
            return None if self.only is None else actions_named(self._lifted, self.only.split(";"))
        except ValueError as error:
            raise ProblemError(f"{self.file}: {error}") from None

    @property
    def _task(self) -> GroundTask:
        return self._grounded[0]

    @cached_property
    def _grounded(self) -> tuple[GroundTask, int]:
        """The task; and the atoms that are always true, whatever is done of all that there is to do, as bits.

        With `seen` the atoms are the same whatever actions are chosen.
        """
        lifted, chosen, constant = self._lifted, self._chosen, 0
        if chosen is not None:
            lifted = evolve(lifted, actions=[*(lifted.actions if self.seen else ()), *chosen.values()])
        # All that are chosen: also those that do nothing, or cannot come about, for whoever wants to know why.
        task = ground(lifted, keep_all=chosen is not None or self.seen)
        known = {action.name: action for action in task.actions}
        if self.seen or chosen is None:
            task = only_possible(task)
        self._check_start(task)
        if self.seen:  # else they are left out of the task
            changed = {literal >> 1 for action in task.actions for _, literal in effects_of(action.outcome)}
            constant = sum(1 << atom for atom in task.true - changed)
        if chosen is not None:
            known |= {action.name: action for action in task.actions}
            task = evolve(task, actions=[known[name] for name in chosen if name in known])
        return only_relevant(task, keep_all=self.seen, keep_actions=chosen is not None), constant

    def _check_start(self, task: GroundTask) -> None:
        """Refuse a start that is contradictory, and name a constraint without which it would not be."""
        complaint = complaint_about_start(task)
        if not complaint:
            return
        told = [fact for fact in self._lifted.init if fact[0] in ("oneof", "or")]
        for place, fact in enumerate(told[:_MOST_TRIED]):
            others = [one for number, one in enumerate(task.constraints) if number != place]
            atom = next(atoms_of(fact), None)
            if atom is not None and not complaint_about_start(evolve(task, constraints=others)):
                raise atom[1].error(f"{complaint}; without this {fact[0]} it would not be")
        raise ProblemError(f"{self.file}: {complaint}")

    def _source(self, path: Path) -> Source:
        return Source(path, read_data_file(path, most_bytes=_MOST_BYTES, strict=False))

    @cached_property
    def _factors(self) -> Sequence[Factor[str]] | None:
        return None if self.seen else factors_of(self._task)

    @cached_property
    def _literals(self) -> Facts[str]:
        return facts_of(self._task, hopeful=True) if self._rules is None else Facts(rules=self._rules)

    @cached_property
    def _rules(self) -> StateRules[str] | None:
        """All that actions need and do, if the player sees the state from the beginning on."""
        return rules_of(self._task) if self.sees_state() else None

    @cached_property
    def _places(self) -> dict[tuple[str, ...], int]:
        return {atom: place for place, atom in enumerate(self._task.atoms)}

    @cached_property
    def _changed(self) -> set[str]:
        """The predicates of which some atom may change."""
        actions = self._lifted.actions if self._chosen is None else self._chosen.values()
        return {atom[1] for action in actions for atom in atoms_of(action.effect)}

    @cached_property
    def _facts(self) -> dict[tuple[str, ...], bool | None]:
        """Whether the atoms are true that the start mentions; None for those that may not be known."""
        certain = {"atom": True, "not": False}
        facts = sorted(self._lifted.init, key=lambda fact: fact[0] in certain)
        return {tuple(map(str, atom[1:])): certain.get(fact[0]) for fact in facts for atom in atoms_of(fact)}


def _domain_in(text: str) -> str | None:
    """The name of the domain that a file defines; None if it defines none."""
    head = re.search(r"\(\s*define\s*\(\s*domain\s+([^\s()]+)\s*\)", re.sub(r";[^\n]*", "", text), re.IGNORECASE)
    return head[1].lower() if head else None
