"""A command line once it is read: the selected problem with all options; states, actions and percepts as typed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from ..errors import BeliefSearchError, InvalidPlanError, ProblemError, suggestion
from ..kinds import MISSING, Kind, kind_of, require
from ..planner.options import SearchRequest
from ..plans.encoding import is_alike
from ..plugins.data_files import path_to_record, sha256_of
from ..plugins.installed import reader_of
from ..plugins.options import file_options, options_of, parameters_of
from ..running.limits import Budget
from ..running.run import KeptIn
from .output import message
from .search_options import SearchOptions

if TYPE_CHECKING:
    from ..plans.encoding import Json
    from ..plans.plan import Plan

# What `shlex.split` does not take as it stands.
_READ = " \t\r\n'\"\\"


@frozen
class Asked:
    """Selected problem with its options, and the options that most commands share."""

    reference: str  # PROBLEM as it was typed
    problem: Any  # blindfolded, or with an initial belief, if the user wants that
    given: str  # the part of the command line that sets its options, to quote in output
    blindfold: bool  # whether a plain problem is played blindfolded
    budget: Budget  # the limits of the command, which run since it began
    cls: Any
    written: Mapping[str, object]  # the options that were given
    instance: Any  # what they make, not blindfolded; None if it was not made
    belief: tuple[str, ...] | None = None  # the states it begins with, as text, if the user gave some
    plan_file: Path | None = None  # that of --plan
    search: SearchOptions = field(factory=lambda: SearchOptions(SearchRequest()))
    store: KeptIn | None = None

    @property
    def name(self) -> str:
        """Return the name for files: the typed one, or that of the reader."""
        return reader_of(self.reference) or self.reference

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """The options of the problem with their values, as they are written in files."""
        return parameters_of(options_of(self.cls), self.written, self.instance)

    @cached_property
    def data_files(self) -> Mapping[str, str]:
        """Return, by option, the SHA-256 of its data file; a missing file that was never read is left out."""
        most = file_options(self.cls)
        written = {name: self.parameters.get(name) for name in most}
        paths = {name: Path(path) for name, path in written.items() if path}
        try:
            return {name: sha256_of(path, most[name]) for name, path in paths.items() if path.exists()}
        except ValueError as error:
            raise ProblemError(str(error)) from error

    def inputs(self) -> list[Path]:
        """Return the files that are read, as far as known: the puzzle's source, its data files, and the plan's."""
        data = [self.written.get(name) for name in file_options(self.cls)]
        return files_read(self.cls, [*data, self.plan_file])

    def require(self, capability: str) -> None:
        """Make sure that something can be done with this problem; see `kinds.require`."""
        require(capability, self.problem, self.reference)

    def refuse(self, what: str, options: Mapping[str, bool]) -> None:
        """Refuse options that do not apply to a problem of this kind, as `kinds.MISSING` says."""
        for option, given in options.items():
            if given:
                self.require(f"{what} {option}")

    def spare_store(self, *outputs: Path | None) -> None:
        """Check before long work that no result would be written over a file of the store, or be taken for one."""
        if self.store is None or not any(outputs):
            return
        from ..running.store.directory import is_part_of_store  # which loads NumPy

        for path in outputs:
            if path is not None and is_part_of_store(path, self.store.directory):
                raise BeliefSearchError(f"{str(path)!r} is a file of the store itself; choose another name")

    def check_can_be_saved(self) -> None:
        """Check before long work that a file can record which instance it is about."""
        self.parameters, self.data_files  # noqa: B018  # each raises if it cannot be recorded

    def anew(self) -> Asked:
        """Return the same with limits that count from now on."""
        return evolve(self, budget=Budget(self.search.limits()))

    def document(self, fields: Mapping[str, Json], *, data_files: bool = True) -> dict[str, Json]:
        """Return an object for a file, headed by the problem and its options."""
        from ..plans.plan_writer import about_document

        hashes = self.data_files if data_files else None
        return about_document(fields, name=self.name, parameters=self.parameters, data_files=hashes)

    def plan_document(self, result: Any, proof: Mapping[str, Any] | None = None) -> dict[str, Json]:
        """Return the plan file of a result; with a proof it is a certificate."""
        from ..plans.plan_writer import plan_document

        about: Any = {"name": self.name, "parameters": self.parameters, "data_files": self.data_files}
        how: Any = {"blindfold": self.blindfold, "belief": self.belief, "proof": proof}
        return plan_document(result, self.problem, **about, **how)

    def as_saved(self, document: Mapping[str, Any], path: Path) -> dict[str, Any]:
        """Return the document as it is written to this file; paths of data files are relative to its folder."""
        parameters = dict(document["parameters"])
        for name in file_options(self.cls):
            if isinstance(parameters.get(name), str):
                parameters[name] = path_to_record(parameters[name], path.parent)
        return {**document, "parameters": parameters}

    @cached_property
    def kind(self) -> Kind:
        """The kind of the problem, by which commands choose what to do."""
        return kind_of(self.problem)

    @property
    def title(self) -> str:
        """The problem as one would type it."""
        belief = "" if self.belief is None else belief_typed(self.belief)
        horizon = self.search.request.options.get("horizon")
        ends = "" if horizon is None else f"--horizon {horizon}"  # the game is another one then
        blind = "--blindfold" if self.blindfold else ""
        return " ".join(filter(None, (self.reference, self.given, blind, belief, ends)))


def belief_typed(states: Iterable[str]) -> str:
    """Return the option `--belief` as one would type it; only states that would be misread go in quotes."""
    words = (shlex.quote(state) if not state or not set(state).isdisjoint(_READ) else state for state in states)
    return f"--belief {shlex.quote(' '.join(words))}"


def files_read(cls: Any, others: Iterable[object]) -> list[Path]:
    """Return the source of a puzzle, and the other files that are named."""
    code = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return [Path(str(path)) for path in (code, *others) if path]


def true_start(asked: Asked, text: str) -> Any:
    """Return the start that `--start` names; raise `BeliefSearchError` if it is not possible at the start."""
    from ..kinds import possible_game
    from ..model.adapters import read_state
    from ..simulation.play import PLAYERS

    asked.require("begin with a true start")
    problem = asked.problem
    state = read_state(problem, text, possible_game(problem))
    if state not in PLAYERS[asked.kind].starts(problem):
        hint = "" if asked.kind in MISSING["begin with a belief"] else "; --belief gives other starts"
        raise BeliefSearchError(f"{text!r} is not possible at the start of {asked.title}{hint}")
    return state


def read_action(problem: Any, text: str, known: Mapping[str, Any], lister: str | None = None) -> Any:
    """Return the action that a text means, among those that are known by their texts.

    It may be written as the puzzle reads it, differ by case and spaces, or be the beginning of only one. `lister` is
    what lists the actions, for the error if it means none; by default that says some of them.
    """
    if text in known:
        return known[text]
    try:
        action = problem.parse_action(text)
    except ValueError as error:
        for is_meant in (is_alike, _begins):
            meant = [name for name in known if is_meant(text, name)]
            if len(meant) == 1:
                return known[meant[0]]
        if lister is None:
            raise _unknown(text, known, "action") from None
        said = f" ({error})" if problem.overrides("parse_action") else ""
        raise BeliefSearchError(f"{text!r} is no action here{said}; {lister} lists them") from None
    if action in known.values():
        return action
    if lister is None:
        raise _unknown(text, known, "action")
    raise BeliefSearchError(f"{problem.format_action(action)} does not apply here; {lister} lists what does")


def read_typed_plan(problem: Any, text: str, tick: Callable[[], None]) -> Plan[Any, Any]:
    """Return the plan whose actions a text gives one by one, parted by semicolons.

    Raises
    ------
    InvalidPlanError
        If one means no action; it says which. `DoesNotHoldError` if one does not apply where it stands: why, and from
        which start.
    """
    from ..errors import DoesNotHoldError
    from ..model.belief import initial_belief, predict
    from ..model.values import is_among
    from ..plans.plan import Plan
    from ..plugins.files.plan_files import why_inapplicable

    belief, actions = initial_belief(problem, tick), []
    met: dict[str, Any] = {}  # an action that applied before does not apply here; another name is a mistyped one
    for number, entry in enumerate(filter(None, (part.strip() for part in text.split(";"))), 1):
        every = dict.fromkeys([action for state in belief for action in problem.actions(state)])
        known = {problem.format_action(action): action for action in every}
        try:
            actions.append(read_action(problem, entry, known))
        except BeliefSearchError as error:
            try:
                actions.append(met[entry] if entry in met else problem.parse_action(entry))
            except ValueError:
                raise InvalidPlanError(f"step {number}: {error}") from None
        if not all(is_among(actions[-1], problem.actions(state)) for state in belief):
            raise DoesNotHoldError(why_inapplicable(problem, actions))
        say_how_read(problem, entry, actions[-1], f"step {number}: ")
        belief, met = predict(problem, belief, actions[-1], tick), met | known
    return Plan.of_sequence(actions)


def say_how_read(problem: Any, text: str, action: Any, where: str = "") -> None:
    """Say how an action is read that is called otherwise, as one that stands for others that are equivalent."""
    name = problem.format_action(action)
    if _letters(text) != _letters(name) and not _begins(text, name):
        message(f"{where}{text} is read as {name}")


def read_percept(text: str, known: Mapping[str, Any]) -> Any:
    """Return the percept with this text; an error says which there are."""
    if text not in known:
        raise _unknown(text, known, "percept")
    return known[text]


def _letters(text: str) -> list[str]:
    return sorted(filter(str.isalnum, text.lower()))


def _begins(text: str, known: str) -> bool:
    return known.lower().startswith(text.lower())


def _unknown(text: str, known: Mapping[str, Any], what: str) -> BeliefSearchError:
    names = list(known)
    there = f"there {'is' if len(names) == 1 else 'are'} {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"
    return BeliefSearchError(f"{text!r} is no {what} here; {suggestion(text, names) or there}")
