"""Searches that are kept in a store: what is kept there, and the answer, once there is one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from math import inf
from pathlib import Path
from types import NoneType
from typing import Any

from attrs import AttrsInstance, asdict, fields, has

from .. import __version__
from ..errors import InvalidPlanError, ProblemError
from ..heuristics.registry import HEURISTICS
from ..model.belief import initial_states, successors
from ..model.problem import Action, BaseProblem, BeliefProblem
from ..model.values import listed, stable_text
from ..plans.result import SearchResult, SearchStats, Status
from ..running.checkpoint import Checkpoints
from ..running.kept_numbers import number_of, text_of
from ..solvers.registry import SOLVERS
from ..verify.plan import check_plan
from .request import ENGINES

# A longer value is told from others by its digest.
_LONGEST = 200


def subject_of(cls: type, parameters: Mapping[str, Any], request: AttrsInstance, **more: Any) -> dict[str, Any]:
    """What a store is about: the class of a problem and its code, and how it is searched.

    `parameters` are the problem's, as JSON, and `more` is what else tells this search from others.
    """
    asked = asdict(request, filter=lambda attribute, _: attribute.name != "checkpoints")
    return {
        "problem": cls.__qualname__,
        "module": cls.__module__,
        "parameters": dict(parameters),
        "sha256 of the source": _digest_of_code(cls),
        "search": asked,
        "version": __version__,
        **more,
    }


def parameters_in(problem: object) -> dict[str, Any]:
    """What tells a problem from others of its class: its fields as text, and problems inside it in the same way.

    Of a data file it is what is in it, and not where it lies.
    """
    cls: Any = type(problem)
    if has(cls):
        values = {one.name: getattr(problem, one.name) for one in fields(cls) if one.eq}
    else:
        values = {name: value for name, value in getattr(problem, "__dict__", {}).items() if not name.startswith("_")}
    return {name: _parameter(value) for name, value in values.items() if not callable(value)}


def _parameter(value: object) -> Any:
    """A value as JSON that is the same in every process, short enough for a manifest."""
    if isinstance(value, BaseProblem):
        cls = type(value)
        return {"class": cls.__qualname__, "sha256 of the source": _digest_of_code(cls), **parameters_in(value)}
    if isinstance(value, Path) and (digest := _digest(value)) is not None:
        return {"sha256": digest}
    if type(value) in (bool, int, NoneType):
        return value
    text = _text_of(value)
    return text if len(text) <= _LONGEST else {"sha256": _sha256(text.encode())}


def _text_of(value: object) -> str:
    """`stable_text`, also of sets within dictionaries and lists."""
    if isinstance(value, dict):
        return str(sorted((stable_text(key), _text_of(other)) for key, other in value.items()))
    return str([*map(_text_of, value)]) if isinstance(value, list) else stable_text(value)


def _digest_of_code(cls: type) -> str | None:
    """The SHA-256 of a puzzle's source, since what was kept goes with no other; None if there is no file."""
    path = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return None if path is None else _digest(Path(path))


def _digest(path: Path) -> str | None:
    """The SHA-256 of a file; None if there is none."""
    return _sha256(path.read_bytes()) if path.is_file() else None


def _sha256(data: bytes) -> str:
    from hashlib import sha256  # most runs keep nothing

    return sha256(data).hexdigest()


def keep_result(problem: BeliefProblem[Any, Action, Any], result: SearchResult[Action], kept: Checkpoints) -> None:
    """Keep an answer; one that is undecided leaves the search as it was kept."""
    if result.status is Status.UNDECIDED:
        return
    plan = None if result.plan is None else _places(problem, tuple(result.plan.as_sequence()))
    kept.finish(
        {
            "status": result.status.value,
            "plan": plan,
            "cost": text_of(inf if result.cost is None else result.cost),
            "lower_bound": text_of(result.lower_bound),
            "solver": result.solver,
            "heuristic": result.heuristic,
            "engine": result.engine,
            "stats": asdict(result.stats),
        },
        tidy=True,
    )


def kept_result(problem: BeliefProblem[Any, Action, Any], kept: Checkpoints, objective: str) -> SearchResult[Action]:
    """The answer that was kept, its plan checked; raises `StoreError` if it is none of this problem.

    Only the plan is checked. That there is none, or none that costs less, is believed: a store is its owner's.
    """
    found = kept.answer or {}
    try:
        plan = None if found["plan"] is None else _plan(problem, found["plan"])
        stats = SearchStats(**{name: _measured(found["stats"][name], kind) for name, kind in _STATS.items()})
        result: SearchResult[Action] = SearchResult(
            Status(found["status"]),
            plan,
            number_of(found["cost"]),
            number_of(found["lower_bound"]),
            _one_of((*SOLVERS, "auto"), found["solver"]),
            heuristic=found["heuristic"] and _one_of(HEURISTICS, found["heuristic"]),
            engine=found["engine"] and _one_of(ENGINES, found["engine"]),
            stats=stats,
            objective=objective,
        )
    except (KeyError, TypeError, ValueError, IndexError):
        raise kept.damaged() from None
    if result.status is Status.UNDECIDED:
        raise kept.damaged()
    check_result(problem, result, kept)
    return result


def check_result(problem: BeliefProblem[Any, Action, Any], result: SearchResult[Action], kept: Checkpoints) -> None:
    """Make sure that the plan of a search that went on from what was kept wins; raises `StoreError` if it does not."""
    if result.plan is None:
        return
    try:
        verdict = check_plan(problem, result.plan.as_sequence(), claimed_cost=result.cost)
    except (InvalidPlanError, ProblemError):
        raise kept.damaged() from None
    if not verdict.holds:
        raise kept.damaged()


def _one_of(names: Iterable[str], value: object) -> str:
    """A name that we write ourselves: others may hold what a terminal obeys."""
    if not isinstance(value, str) or value not in names:
        raise ValueError("no such name")
    return value


def _measured(value: object, kind: type) -> Any:
    """A number of the statistics, if it is one of its kind."""
    if type(value) is not kind or not 0 <= value < inf:  # type: ignore[operator]  # both kinds are numbers
        raise ValueError("no such number")
    return value


_STATS: Mapping[str, type] = {
    "expanded": int,
    "generated": int,
    "reached": int,
    "max_frontier": int,
    "max_belief_size": int,
    "seconds": float,
}


def _places(problem: BeliefProblem[Any, Action, Any], plan: tuple[Action, ...]) -> list[int]:
    """A plan by the places of its actions among those of the states on one course of the game."""
    places = []
    state = next(initial_states(problem))
    for action in plan:
        places.append(listed(problem.actions(state)).index(action))
        state = next(successors(problem, state, action))
    return places


def _plan(problem: BeliefProblem[Any, Action, Any], places: list[int]) -> tuple[Action, ...]:
    plan = []
    state = next(initial_states(problem))
    for place in places:
        if type(place) is not int or place < 0:
            raise ValueError("no place")
        plan.append(listed(problem.actions(state))[place])
        state = next(successors(problem, state, plan[-1]))
    return tuple(plan)
