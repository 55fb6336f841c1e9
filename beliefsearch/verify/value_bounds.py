"""Reading a proof of an upper bound on the value of a POMDP: its planes, its points and their witnesses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from attrs import frozen

from ..errors import InvalidPlanError, InvalidProofError
from .integer_pomdp import ValueGame
from .proof_fields import list_of

BY_PLANES, BY_CORNERS = -1, -2
"""The witnesses that are no points."""

# A number with more bits is refused: nobody has use for it, and to reckon with thousands of them would take long.
_MOST_BITS = 1024


@frozen
class Point:
    """A belief as whole weights with their sum, its number over the unit, and witnesses by action and percept."""

    weights: Mapping[int, int]
    total: int
    value: int
    witnesses: Mapping[int, Mapping[int, int]]


@frozen(eq=False)
class WrittenBounds:
    """The planes by action, None where it does not apply, the points, and the corners by state, all over the unit."""

    planes: Sequence[Sequence[int | None]]
    points: Sequence[Point]
    corners: Sequence[int]
    unit: int


def read_bounds(game: ValueGame, proof: Mapping[str, Any], tick: Callable[[], None]) -> WrittenBounds:
    """The planes and points of a proof; raises `InvalidProofError` if they cannot be read."""
    unit = _whole(proof.get("unit"), "its field 'unit'")
    if unit < 1:
        raise InvalidProofError(f"its field 'unit' should be a whole number above 0, but is {unit!r:.40}")
    numbers = _action_numbers(game, list_of(proof, "actions"))
    by_number = dict(zip(numbers, list_of(proof, "planes"), strict=False))
    if len(by_number) < len(numbers) or len(list_of(proof, "planes")) != len(numbers):
        raise InvalidProofError(f"its field 'planes' should have a plane for each of its {len(numbers)} actions")
    planes = [_plane(game, action, by_number[action]) for action in range(len(numbers))]
    written = list_of(proof, "points")
    points = []
    for place, entry in enumerate(written):
        tick()
        points.append(_point(game, numbers, entry, place, len(written)))
    corners = [max(plane[state] for plane in planes if plane[state] is not None) for state in range(len(game.states))]  # type: ignore[type-var]
    for point in points:
        if len(point.weights) == 1:
            (state,) = point.weights
            corners[state] = min(corners[state] or 0, point.value)
    return WrittenBounds(planes, points, corners, unit)  # type: ignore[arg-type]


def _action_numbers(game: ValueGame, written: Collection[Any]) -> list[int]:
    """The actions that a proof lists, which must be all, by number."""
    try:
        numbers = [game.action_number(entry, "its field 'actions'") for entry in written]
    except InvalidPlanError as error:
        raise InvalidProofError(str(error)) from None
    if len(set(numbers)) < len(numbers):
        raise InvalidProofError("it lists an action more than once")
    missing = next((action for action in range(len(game.actions)) if action not in set(numbers)), None)
    if missing is not None:
        raise InvalidProofError(f"it lacks the action {game.action(missing)}")
    return numbers


def _plane(game: ValueGame, action: int, entry: Any) -> list[int | None]:
    name = f"the plane of {game.action(action)}"
    if not isinstance(entry, list) or len(entry) != len(game.states):
        raise InvalidProofError(f"{name} should be a list with an entry for each state")
    for state, value in enumerate(entry):
        if (value is None) != (game.outcomes[action][state] is None):
            does = "does" if value is None else "does not"
            what = "nothing" if value is None else "a number"
            raise InvalidProofError(f"{name} says {what} of {game.state(state)}, where the action {does} apply")
    return [None if value is None else _whole(value, f"an entry of {name}") for value in entry]


def _point(game: ValueGame, numbers: Sequence[int], entry: Any, place: int, count: int) -> Point:
    name = f"point {place}"
    if (
        not isinstance(entry, list)
        or len(entry) != 3
        or not isinstance(entry[0], list)
        or not isinstance(entry[2], list)
    ):
        raise InvalidProofError(f"{name} should be a list of weights, a number, and a list of witnesses")
    weights: dict[int, int] = {}
    for pair in entry[0]:
        if not isinstance(pair, list) or len(pair) != 2:
            raise InvalidProofError(f"a weight of {name} should be [state, weight], but is {pair!r:.40}")
        state = _index(pair[0], len(game.states), f"a state of {name}")
        weight = _whole(pair[1], f"a weight of {name}")
        if weight < 1 or state in weights:
            raise InvalidProofError(f"{name} should give each of its states one weight above 0")
        weights[state] = weight
    if not weights:
        raise InvalidProofError(f"{name} has no states")
    witnesses: dict[int, dict[int, int]] = {}
    for triple in entry[2]:
        if not isinstance(triple, list) or len(triple) != 3:
            raise InvalidProofError(f"a witness of {name} should be [action, percept, point], but is {triple!r:.40}")
        action = numbers[_index(triple[0], len(numbers), f"an action of {name}")]
        percept = _index(triple[1], len(game.percepts), f"a percept of {name}")
        of_action = witnesses.setdefault(action, {})
        if percept in of_action:
            raise InvalidProofError(f"{name} has two witnesses for the same action and percept")
        named = triple[2]
        is_other = isinstance(named, int) and not isinstance(named, bool) and named in (BY_PLANES, BY_CORNERS)
        of_action[percept] = named if is_other else _index(named, count, f"a witness of {name}")
    return Point(weights, sum(weights.values()), _whole(entry[1], f"the number of {name}"), witnesses)


def _index(value: Any, length: int, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < length:
        raise InvalidProofError(f"{what} is {value!r:.40}, which is no number below {length}")
    return value


def _whole(value: Any, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidProofError(f"{what} should be a whole number, but is {value!r:.40}")
    if value.bit_length() > _MOST_BITS:
        raise InvalidProofError(f"{what} has more than {_MOST_BITS} bits")
    return value
