"""What a proof looks like, as data: files in JSON that an independent checker can read.

The one kind there is so far is a *plan file*: what `run --output` writes and `verify` replays. It is the
object that `run --format json` prints. Actions are written as plain JSON where they are numbers,
strings, tuples or sets of such, and as their text otherwise, so that a file can be read without Python.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from attrs import asdict, field, frozen

from .errors import InvalidPlanError
from .problem import Action, BaseProblem, State
from .solution import SearchResult

if TYPE_CHECKING:
    from .problem import Cost

__all__ = ["PLAN_FILE_VERSION", "ActionReader", "PlanFile", "encode_action"]

PLAN_FILE_VERSION = 1

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def encode_action(problem: BaseProblem[Any, Action], action: Action) -> Json:
    """`action` as JSON: itself where JSON has such a value, a list for a tuple or a set, else its text."""
    try:
        return _plain(action)
    except TypeError:
        return problem.format_action(action)


def _plain(value: object) -> Json:
    """`value` as JSON; TypeError if JSON has nothing like it."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(map(_plain, value), key=_by_kind_and_value)
    raise TypeError(f"{value!r} is nothing that JSON can say")


def _by_kind_and_value(item: Json) -> tuple[str, float, str]:
    """A sorting key for JSON values of mixed kinds: numbers by value, all else by text."""
    if isinstance(item, (int, float)):
        return "", item, ""
    return type(item).__name__, 0, json.dumps(item)


class ActionReader(Generic[State, Action]):
    """Finds the action that an entry of a plan file stands for.

    Parameters
    ----------
    problem
        Whose actions they are.
    """

    def __init__(self, problem: BaseProblem[State, Action]) -> None:
        self._problem = problem
        self._known: dict[str, Action] = {}

    def read(self, entry: Json, states: Iterable[State]) -> Action:
        """The action written as `entry`, among those that apply to any of `states`.

        Raises
        ------
        InvalidPlanError
            If none of them is written so.
        """
        key = json.dumps(entry)
        if key not in self._known:
            for state in states:
                for action in self._problem.actions(state):
                    self._known[json.dumps(encode_action(self._problem, action))] = action
                if key in self._known:
                    break
        if key not in self._known:
            raise InvalidPlanError(f"there is no action {key}")
        return self._known[key]


@frozen
class PlanFile:
    """A search result with the name and the parameters of its problem: what a plan file holds.

    Attributes
    ----------
    problem
        As it was asked for: an installed name, a file or a module.
    parameters
        The problem's options, by name.
    blindfold
        Whether a plain problem is to be played blindfolded.
    plan
        The actions as JSON; None if the search found none.
    cost
        What the plan is said to cost.
    facts
        Everything else in the file: status, bounds, statistics.
    """

    problem: str
    parameters: Mapping[str, Json]
    blindfold: bool
    plan: Sequence[Json] | None
    cost: Cost | None
    facts: Mapping[str, Json] = field(factory=dict)

    @classmethod
    def of(
        cls,
        result: SearchResult[Action],
        problem: BaseProblem[Any, Action],
        *,
        name: str,
        parameters: Mapping[str, Json],
        blindfold: bool,
    ) -> PlanFile:
        """The plan file of a search result."""
        plan = None if result.plan is None else [encode_action(problem, action) for action in result.plan]
        facts: dict[str, Json] = {
            "status": result.status.value,
            "lower_bound": _number(result.lower_bound),
            "optimal": result.optimal,
            "solver": result.solver,
            "heuristic": result.heuristic,
            "reason": result.reason,
            "stats": asdict(result.stats),
        }
        return cls(name, parameters, blindfold, plan, result.cost, facts)

    def to_json(self) -> dict[str, Json]:
        """The object that the file holds."""
        facts = self.facts
        return {
            "problem": self.problem,
            "parameters": dict(self.parameters),
            "blindfold": self.blindfold,
            "status": facts["status"],
            "cost": _number(self.cost),
            "lower_bound": facts["lower_bound"],
            "optimal": facts["optimal"],
            "plan": None if self.plan is None else list(self.plan),
            "solver": facts["solver"],
            "heuristic": facts["heuristic"],
            "reason": facts["reason"],
            "stats": facts["stats"],
            "version": PLAN_FILE_VERSION,
        }

    @classmethod
    def from_text(cls, text: str) -> PlanFile:
        """Read what `to_json` wrote.

        Raises
        ------
        InvalidPlanError
            If it is not JSON, not a plan file, or of another version; says what is wrong.
        """
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidPlanError(f"it is not JSON: {error}") from None
        if not isinstance(data, dict) or "version" not in data:
            raise InvalidPlanError("it is not a plan file: it has no field 'version'")
        version = data["version"]
        if version != PLAN_FILE_VERSION or isinstance(version, bool):
            raise InvalidPlanError(
                f"it is of version {version!r}, but this program reads version {PLAN_FILE_VERSION}; "
                "write it anew with `beliefsearch run ... --output FILE`"
            )
        plan = _member(data, "plan", list, type(None))
        cost = data.get("cost")
        if isinstance(cost, str):
            match = re.fullmatch(r"(\d{1,1000})/(\d{1,1000})", cost)
            if match is None or not int(match[2]):
                raise InvalidPlanError(f"its field 'cost' is {cost!r:.40}, which is no number")
            from fractions import Fraction

            cost = Fraction(int(match[1]), int(match[2]))
        elif cost is not None and (isinstance(cost, bool) or not isinstance(cost, (int, float))):
            raise InvalidPlanError(f"its field 'cost' is {cost!r}, which is no number")
        return cls(
            problem=_member(data, "problem", str),
            parameters=_member(data, "parameters", dict),
            blindfold=_member(data, "blindfold", bool, default=False),
            plan=plan,
            cost=cost,
            facts=data,
        )


def _number(value: Cost | None) -> Json:
    """A cost as JSON: infinity, which JSON lacks, is null, and a fraction is text such as `3/4`."""
    if value is None or value == math.inf:
        return None
    return value if isinstance(value, (int, float)) else str(value)


def _member(data: dict[str, Any], key: str, *types: type, default: object = None) -> Any:
    value = data.get(key, default)
    if not isinstance(value, types) or (key == "plan" and key not in data):
        names = " or ".join("nothing" if kind is type(None) else kind.__name__ for kind in types)
        raise InvalidPlanError(f"its field {key!r} should be {names}, but is {value!r:.40}")
    return value
