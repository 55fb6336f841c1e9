"""Files of answers of every kind: `save`, `load`, and reading a plan, whose entries are decoded by following it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from attrs import NOTHING

from ...errors import BeliefSearchError, InvalidPlanError, PluginError, ProblemError, about_file
from ...kinds import Kind, is_stochastic, kind_of, played_by
from ...model.adapters import Blindfolded, StartingFrom
from ...model.belief import initial_states, successors
from ...model.hooks import Construction
from ...model.reachability import walk
from ...plans.encoding import encode_action, encode_state, number_from_json, read_sequence
from ...plans.plan import Plan
from ...plans.plan_reader import REGION, PlanFile, file_bytes
from ...plans.plan_writer import Proof, plan_document
from ...plans.policy import Policy, PolicyGraph, PolicyResult
from ...plans.policy_files import policy_from_plan
from ...plans.proof_words import proof_text
from ...plans.result import SearchResult, SearchStats, Status
from ...plans.winning_region import WinningRegion
from ...plans.wording import any_digits
from ..conformance.check import mistakes_named
from ..data_files import path_to_record, sha256_of
from ..installed import GROUP, READERS, points_by_name
from ..options import build_problem, file_options, make_problem, options_of
from .plan_files import read_conditional_plan, read_policy_graph
from .trust import class_for_file, parameters_with_files

_Read: TypeAlias = "Plan[Any, Any] | Policy[Any, Any] | PolicyGraph[Any, Any, Any]"
_Reader: TypeAlias = Callable[[Any, Any], _Read]
_Answer: TypeAlias = "SearchResult[Any] | PolicyResult[Any, Any] | WinningRegion[Any, Any] | Proof[Any]"
_SEQUENCE: Mapping[str, _Reader] = {"sequence": lambda *read: Plan.of_sequence(read_sequence(*read))}
_PLANS: Mapping[str, _Reader] = {**_SEQUENCE, "conditional": read_conditional_plan}
# The reader of each kind of plan, for each kind of problem.
_READERS: Mapping[Kind, Mapping[str, _Reader]] = {
    Kind.PLAIN: _SEQUENCE,
    Kind.SENSORLESS: _PLANS,
    Kind.CONTINGENT: _PLANS,
    Kind.POMDP: {"policy-graph": read_policy_graph},
    Kind.STOCHASTIC: {"policy": lambda problem, plan: policy_from_plan(plan, problem)},
}


def read_plan(problem: Any, written: Any) -> _Read:
    """Read the plan or policy in the field `plan` of a plan file, without checking that it is correct.

    If it is no plan for this problem, an `InvalidPlanError` names the wrong entry.
    """
    kind = written.get("kind") if isinstance(written, Mapping) else "sequence"
    read = _READERS[kind_of(problem)].get(str(kind))
    if read is None:
        raise InvalidPlanError(f"it holds a {kind!s:.40}, which is no plan for {type(problem).__name__}")
    return read(problem, written)


def save(result: _Answer, path: str | PathLike[str], problem: Any = None) -> None:
    """Write an answer to a file that `load` reads, and `verify_file` checks.

    Parameters
    ----------
    result
        The result of `solve`, `prove` or `winning_region`. With a proof in it the file is a certificate.
    path
        The file; it is compressed if the name ends in `.gz`.
    problem
        The problem of the result, if the result does not have it.

    Raises
    ------
    BeliefSearchError
        If the problem of the result is unknown, or cannot be written.
    """
    proof = result.data if isinstance(result, Proof) else None
    answer: Any = result.answer if isinstance(result, Proof) else result
    about: Any = problem if problem is not None else getattr(result, "problem", None)
    if not isinstance(answer, (SearchResult, PolicyResult, WinningRegion, Construction)):
        raise BeliefSearchError(f"save() takes a result of solve(), a proof or a region, not {type(result).__name__}")
    if about is None:
        raise BeliefSearchError("the result does not say what problem it is about; give save() the problem, too")
    kind_of(about)
    played = played_by(getattr(answer, "objective", "worst"), about)
    belief = None
    if isinstance(about, StartingFrom):
        belief, about = [about.format_state(state) for state in about.belief], about.problem
    blindfold = isinstance(about, Blindfolded)
    about = about.problem if isinstance(about, Blindfolded) else about
    to = Path(path)
    parameters, hashes = _parameters(about, to.parent)
    with any_digits():
        document = plan_document(
            answer,
            played,
            name=_name_of(type(about)),
            parameters=parameters,
            blindfold=blindfold,
            data_files=hashes,
            belief=belief,
            proof=proof,
        )
        _write(to, document)


def _write(path: Path, document: Mapping[str, Any]) -> None:
    """Write a JSON object to a file, whole or not at all."""
    part = path.with_name(f".{path.name}.{os.urandom(8).hex()}.part")
    try:
        part.write_bytes(file_bytes(document, path))
        os.replace(part, path)
    except OSError as error:
        raise BeliefSearchError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # after success it has been renamed
            part.unlink()


def load(path: str | PathLike[str], problem: Any = None) -> _Answer:
    """Read an answer that `save`, or `beliefsearch run --output`, wrote; `verify_file` checks its claims.

    Opening a file runs no code but that of installed problems, by their exact names.

    Parameters
    ----------
    path
        The file.
    problem
        The problem, its class, or its name on the command line, if it is not installed.

    Returns
    -------
    SearchResult, PolicyResult, WinningRegion, Proof
        The answer; that of a certificate is in the proof. A closed form is read as a `SearchResult`.

    Raises
    ------
    InvalidPlanError
        If the file cannot be read, is no plan file, or is about another problem.
    PluginError
        If it names code that is not installed, and `problem` is None; or if the problem's own code fails.
    """
    with any_digits():
        file = PlanFile.from_path(Path(path))
        try:
            played, given = _problem_of(file, Path(path), problem)
            return _answer(file, played, given)
        except (InvalidPlanError, ProblemError, ValueError, TypeError, KeyError) as error:
            raise InvalidPlanError(about_file(path, error)) from error


def _name_of(cls: type) -> str:
    """Return the installed name of a problem class, or `module:ClassName`."""
    place = f"{cls.__module__}:{cls.__qualname__}"
    for name, points in (*points_by_name(GROUP).items(), *points_by_name(READERS).items()):
        if [point.value for point in points] == [place]:
            return name
    return place


def _parameters(problem: Any, folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the options of a problem as they are written in files, and the SHA-256 of its data files."""
    cls = type(problem)
    parameters: dict[str, Any] = {}
    for option in options_of(cls):
        written = option.written(getattr(problem, option.attribute))
        if written is NOTHING:
            raise PluginError(f"the value of {option.name} cannot be written to a file and read back as the same value")
        parameters[option.name] = written
    hashes = {}
    for name, most in file_options(cls).items():
        if isinstance(parameters.get(name), str) and Path(parameters[name]).exists():
            hashes[name] = sha256_of(Path(parameters[name]), most)
            parameters[name] = path_to_record(parameters[name], folder)
    return parameters, hashes


def _problem_of(file: PlanFile, path: Path, problem: Any) -> tuple[Any, Any]:
    """Return the problem of a file, as it is played for the objective, and as it was given to `solve`."""
    given = None if problem is None or isinstance(problem, (str, type)) else problem
    allowed = problem if given is None else type(given)
    while isinstance(given, (Blindfolded, StartingFrom)):  # the file has blindfold and belief as fields
        given = given.problem
        allowed = type(given)
    if given is not None:
        kind_of(given)
    cls = class_for_file(file.problem, path.parent, allowed)
    made: Any = None
    with mistakes_named(cls, lambda: made):
        made = make_problem(cls, parameters_with_files(cls, file.parameters, file.data_files, path.parent, {}))
        if given is not None and _parameters(given, path.parent)[0] != _parameters(made, path.parent)[0]:
            raise InvalidPlanError("it is about other options than those of the problem")
        about = build_problem(made, file.blindfold, file.belief)
        return played_by(file.objective, about), about


def _answer(file: PlanFile, problem: Any, given: Any) -> _Answer:
    """Return the answer in a file, with the proof in it."""
    if isinstance(file.plan, Mapping) and file.plan.get("kind") == REGION:
        return _region(problem, file.plan, given)
    answer: Any = (_policy_result if is_stochastic(problem) else _search_result)(file, problem, given)
    if file.proof is None:
        return answer  # type: ignore[no-any-return]  # see above
    bound: Any = file.upper_bound if is_stochastic(problem) else file.lower_bound
    decided = is_stochastic(problem) or answer.status is Status.UNSOLVABLE or answer.optimal
    status = answer.status if decided else Status.UNDECIDED
    bound = inf if bound is None and answer.status is Status.UNSOLVABLE else bound
    return Proof(given, answer, file.proof, proof_text(file.proof), bound, status)


def _search_result(file: PlanFile, problem: Any, given: Any) -> SearchResult[Any]:
    status = Status(file.status)
    plan: Any = None if file.plan is None else read_plan(problem, file.plan)
    keeps_trying = plan is not None and plan.is_cyclic
    never = inf if status is Status.UNSOLVABLE or keeps_trying else None
    cost = file.cost if file.cost is not None else never
    bound: Any = file.lower_bound if file.lower_bound is not None else (never or 0)
    if cost is not None:  # expected costs are written as floats: rounding may put the bound above the cost
        bound = cost if file.optimal else min(bound, cost)
    fields = file.fields
    return SearchResult(
        status,
        plan,
        cost,
        bound,
        str(fields.get("solver")),
        heuristic=_text(fields, "heuristic"),
        engine=_text(fields, "engine"),
        reason=_text(fields, "reason"),
        stats=SearchStats(**fields.get("stats", {})),
        objective=file.objective,
        problem=given,
    )


def _policy_result(file: PlanFile, problem: Any, given: Any) -> PolicyResult[Any, Any]:
    fields = file.fields
    bounds = (file.lower_bound, file.upper_bound)
    return PolicyResult(
        Status(file.status),
        None if file.value is None else number_from_json(file.value, "its field 'value'"),
        None if file.plan is None else read_plan(problem, file.plan),
        str(fields.get("solver")),
        _text(fields, "reason"),
        SearchStats(**fields.get("stats", {})),
        *bounds,
        problem=given,
    )


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidPlanError(f"its field {name!r} should be text, but is {value!r:.40}")
    return value


def _region(problem: Any, written: Mapping[str, Any], given: Any) -> WinningRegion[Any, Any]:
    """Return the region in a file; its states and actions are found by exploring the problem."""
    states: dict[str, Any] = {}
    actions: dict[str, Any] = {}

    def results(state: Any) -> Iterator[Any]:
        for action in problem.actions(state):
            actions[json.dumps(encode_action(problem, action))] = action
            yield from successors(problem, state, action)

    for state in walk(initial_states(problem), results):
        states[json.dumps(encode_state(problem, state))] = state

    def numbered(name: str, most: int) -> tuple[tuple[int, ...], ...]:
        rows = tuple(tuple(row) for row in written[name])
        if not all(type(number) is int and 0 <= number < most for row in rows for number in row):
            raise InvalidPlanError(f"its field {name!r} has a number that stands for nothing")
        return rows

    try:
        named = [states[json.dumps(state)] for state in written["states"]]
        known = [actions[json.dumps(action)] for action in written["actions"]]
        beliefs, safe = numbered("beliefs", len(named)), numbered("safe", len(known))
    except KeyError as error:
        raise InvalidPlanError(f"it lacks, or has none of the problem's, {error}") from None
    start = written.get("start")
    if len(beliefs) != len(safe) or not (start is None or (type(start) is int and 0 <= start < len(beliefs))):
        raise InvalidPlanError("its region does not fit together")
    return WinningRegion(named, known, beliefs, safe, start, given)
