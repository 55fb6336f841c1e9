"""Reader of the plan files that `plan_writer.py` writes: their form is checked, not their claims.

A plan file is one JSON object, compressed or not, and may be anybody's.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import field, frozen

from ..errors import InvalidPlanError
from ..model.base import Cost, Number
from .encoding import PLAN_FILE_VERSION, Json, number_from_json

_COMPRESSED = b"\x1f\x8b"
_PIECE = 1 << 24
_MOST_BYTES = 1 << 32  # a small file may say that it is any amount, and a device may never end
# The largest depth of lists and objects: more than actions and states need, and safe for Python's recursion.
_DEEPEST = 100


def bytes_of(path: Path) -> bytearray:
    """The bytes of a file, decompressed if it is compressed.

    Raises OSError if it cannot be read, and `InvalidPlanError` if its compressed data is damaged or it is endless.
    """
    found = bytearray()
    try:
        with path.open("rb") as file:
            stream = gzip.GzipFile(fileobj=file) if file.peek(2).startswith(_COMPRESSED) else file
            while piece := stream.read(_PIECE):  # limits and Ctrl-C are heard between pieces
                found += piece
                if len(found) > _MOST_BYTES:
                    raise InvalidPlanError("it is more than 4 GiB, decompressed; no plan or proof needs as much")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidPlanError(f"its compressed data is damaged: {error}") from error
    return found


def read_object(data: bytes | bytearray) -> dict[str, Any]:
    """The JSON object in a text.

    Raises `InvalidPlanError` if it is none, a name comes twice in an object, or lists are nested too deeply.
    """
    try:
        text = data.decode()
        found = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()  # raises if half a character is in it
    except ValueError as error:
        raise InvalidPlanError(f"it is not JSON: {_complaint(error)}") from None
    except RecursionError:
        raise _too_deep() from None
    if not isinstance(found, dict):
        raise InvalidPlanError("it is not a plan file: it is no JSON object")
    _refuse_deep(found)
    return found


def file_bytes(value: Any, path: Path) -> bytes:
    """A value as JSON for a file, compressed if its name ends in `.gz`; equal values give equal bytes."""
    data = f"{json.dumps(value)}\n".encode()
    return gzip.compress(data, mtime=0) if path.suffix == ".gz" else data


def _complaint(error: ValueError) -> str:
    """Describe the mistake in a JSON text, with the line and column if it is one of form."""
    if not isinstance(error, json.JSONDecodeError):
        return str(error).partition(";")[0]
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        missing = f"it ends in the middle, in line {error.lineno}: a part of it is missing"
        return missing if error.doc else "it is empty"
    return f"line {error.lineno}, column {error.colno}: {error.msg}"


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        name = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise InvalidPlanError(f"it is not JSON that says one thing: the name {name!r:.40} comes twice in an object")
    return found


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"the number {digits:.40} is too large")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_named_once, parse_float=_finite, parse_constant=_no_constant)


def _refuse_deep(value: Json) -> None:
    """Refuse lists and objects that are nested too deeply, going through them level by level."""
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        within = (holder.values() if isinstance(holder, dict) else holder for holder in level)
        level = [entry for entries in within for entry in entries if isinstance(entry, (list, dict))]
    if level:
        raise _too_deep()


def _too_deep() -> InvalidPlanError:
    return InvalidPlanError(f"it is not JSON of a plan file: lists lie in lists more than {_DEEPEST} deep")


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
