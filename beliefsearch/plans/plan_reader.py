"""Reader of the plan files that `plan_writer.py` writes; it checks their form, not their claims."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import field, frozen

from ..errors import InvalidPlanError
from ..model.base import Cost, Number
from .encoding import PLAN_FILE_VERSION, Json, number_from_json
from .json_files import bytes_of, read_object

REGION = "winning-region"
"""The kind of a plan that is a winning region, with all safe actions of each belief."""
_NAMES: Mapping[type, str] = {type(None): "nothing", dict: "object"}


@frozen
class PlanFile:
    """The fields of a plan file that a checker needs, as `plan_document` writes them; None if a field is missing.

    All of them are claims. `status` is the verdict. The actions of the `plan` are JSON. The `proof` is one of the
    `lower_bound`, or of unsolvability. `value` is that of a stochastic problem, and `upper_bound` a bound on the value
    of every policy; `lower_bound` is then the value that the policy attains, and may be negative. `optimal` is whether
    no plan costs less, by the `objective` "worst", "expected" or `ALMOST_SURE`. Old files have no `data_files`.
    """

    problem: str
    parameters: Mapping[str, Any]
    blindfold: bool
    status: str
    plan: Collection[Json] | Mapping[str, Any] | None
    cost: Cost | None
    lower_bound: Cost | None
    proof: Mapping[str, Any] | None
    value: Json = None
    optimal: bool | None = None
    objective: str = "worst"
    data_files: Mapping[str, str] = {}  # an attrs field, and never changed
    belief: tuple[str, ...] | None = None
    upper_bound: Number | None = None
    fields: Mapping[str, Any] = field(factory=dict, eq=False, repr=False)  # all fields of the file

    @classmethod
    def from_path(cls, path: Path) -> PlanFile:
        """Read the file at a path; an `InvalidPlanError` names it."""
        try:
            return cls.of_fields(read_object(bytes_of(path)))
        except InvalidPlanError as error:
            raise InvalidPlanError(f"{str(path)!r} cannot be used: {error}") from error
        except (OSError, ValueError) as error:  # ValueError: the path is no valid file name
            raise InvalidPlanError(f"cannot read {str(path)!r}: {getattr(error, 'strerror', None) or error}") from error

    @classmethod
    def of_fields(cls, data: dict[str, Any]) -> PlanFile:
        """Check the form of the fields; raises `InvalidPlanError` if it is wrong or of another version."""
        if "version" not in data:
            raise InvalidPlanError("it is not a plan file: it has no field 'version'")
        version = data["version"]
        if version != PLAN_FILE_VERSION or isinstance(version, bool):
            raise InvalidPlanError(
                f"it is of version {version!r:.40}, but this program reads version {PLAN_FILE_VERSION}; "
                "write it anew with `beliefsearch run ... --output FILE`"
            )
        _refuse_tables(data)
        return cls(
            problem=_member(data, "problem", str),
            parameters=_member(data, "parameters", dict),
            blindfold=_member(data, "blindfold", bool, default=False),
            status=_member(data, "status", str, default="unknown" if data.get("plan") is None else "solved"),
            plan=_member(data, "plan", list, dict, type(None)),
            cost=_exact_cost(data) if "exact_cost" in data else _cost(data, "cost"),
            lower_bound=_number(data, "lower_bound") if "upper_bound" in data else _cost(data, "lower_bound"),
            proof=_member(data, "proof", dict, type(None)),
            value=data.get("value"),
            optimal=_member(data, "optimal", bool, type(None)),
            objective=_member(data, "objective", str, default="worst"),
            data_files=_hashes(data),
            belief=_belief(data),
            upper_bound=_number(data, "upper_bound"),
            fields=data,
        )


def read_plan_file(path: Path, *, proof_will_do: bool = False) -> PlanFile:
    """Read a plan file with a plan, or, with `proof_will_do`, a proof; raise `InvalidPlanError` if it has none."""
    file = PlanFile.from_path(path)
    if file.plan is None and not (proof_will_do and file.proof is not None):
        raise InvalidPlanError(
            f"{str(path)!r} holds no plan, only the verdict {file.status!r}; `prove` writes a certificate of it"
        )
    return file


_BOTH = "`beliefsearch verify CERTIFICATE --game GAME`"


def _refuse_tables(data: Mapping[str, Any]) -> None:
    """Refuse the files that `prove --format game` writes: they name no problem."""
    form = data.get("format")
    if form == "beliefsearch-certificate":
        raise InvalidPlanError(
            f"it is a certificate of tables, which is checked together with its listed game: {_BOTH}"
        )
    if form == "beliefsearch-game":
        raise InvalidPlanError(f"it is a listed game, about which a certificate of tables is checked: {_BOTH}")


def _hashes(data: dict[str, Any]) -> dict[str, str]:
    hashes: dict[str, str] = {}
    for name, value in _member(data, "data_files", dict, default={}).items():
        if not isinstance(value, str) or not re.fullmatch(r"[0-9a-f]{64}", value):
            raise InvalidPlanError(f"its field 'data_files' should give {name!r:.40} 64 hexadecimal digits")
        hashes[name] = value
    return hashes


def _cost(data: Mapping[str, Any], key: str) -> Cost | None:
    """A number that is not negative; None if the field is missing or null."""
    cost = _number(data, key)
    if cost is not None and cost < 0:
        raise InvalidPlanError(f"its field {key!r} is {cost}, which is negative")
    return cost


def _number(data: Mapping[str, Any], key: str) -> Number | None:
    """A number; None if the field is missing or null."""
    return None if data.get(key) is None else number_from_json(data[key], f"its field {key!r}")


def _belief(data: dict[str, Any]) -> tuple[str, ...] | None:
    states = _member(data, "belief", list, type(None))
    if states is None:
        return None
    if not states or not all(isinstance(state, str) for state in states):
        raise InvalidPlanError(f"its field 'belief' should be a list of texts of states, but is {states!r:.40}")
    return tuple(states)


def _exact_cost(data: Mapping[str, Any]) -> Cost:
    """An expected cost, which a file gives exactly and as a float."""
    exact, rounded = _cost(data, "exact_cost"), _cost(data, "cost")
    with suppress(OverflowError):
        if exact is not None and float(exact) == rounded:
            return exact
    raise InvalidPlanError("its fields 'cost' and 'exact_cost' say different things")


def _member(data: dict[str, Any], key: str, *types: type, default: object = None) -> Any:
    value = data.get(key, default)
    if not isinstance(value, types) or (key == "plan" and key not in data):
        names = dict.fromkeys(_NAMES.get(kind, kind.__name__) for kind in types)
        raise InvalidPlanError(f"its field {key!r} should be {' or '.join(names)}, but is {value!r:.40}")
    return value
