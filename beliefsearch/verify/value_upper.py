"""The checker of upper bounds on the value of a POMDP: planes, points over them, and witnesses.

A belief x here is a vector of weights by state, which need not sum to 1; V(x), the most that any policy attains from x
on, grows with it in proportion. A policy for x + y is one for x and one for y, so V(x + y) <= V(x) + V(y). Each action
has a *plane*, a number for each state in which it applies; a *point* is a belief with a number. With these let

- F(x) be the greatest, over actions that apply in x, of plane * x;
- U(x) be F(x); or by a point b with the number v, as its witness says, c v + F(x - c b) for the greatest c at which no
  weight of x - c b is negative, and over the actions that apply in x; or the sum of weight times *corner*: that is
  the greatest number of a plane, or of a point at that state alone, if it is less.

Suppose that

1. for every action and state s in which it applies, its plane is at least the reward plus the discount times the sum of
   F over what may follow from s, by percept;
2. for every point, each action that applies there is worth no more than the point's number: the reward plus the
   discount times the sum of U over what may follow, by percept, each by its witness.

Then V(x) <= U(x), whatever witness is taken. For let V_n be the most that is attained in n actions if what is not over
by then is worth -M, with M so large that V_0 is at most F and at most any point's number (no value where no
action applies, for that is no game any more). If V_n <= F, and V_n is at most the number of each point, then so is V_n
<= U, as V_n(x) <= V_n(c b) + V_n(x - c b), and of x - c b too only policies count that begin with an action for x; and
by 1 and 2 the same holds for n + 1. A policy attains within n actions no more than V_n and M times the discounted
probability that the game is not over then. That tends to 0: by the discount; or if there is none, since only policies
count under which the game ends with certainty. (That is optional stopping: the expected U never rises along such a
game, and is bounded.)

All is decided in whole numbers and fractions. First each point is looked at with sums that are rounded upwards, many
points at once (`value_sums.py`); if that does not show it, by the definition above, which `worth` is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import frozen

from ..errors import InvalidPlanError, InvalidProofError
from .reading import list_of
from .value_game import ValueGame

Belief: TypeAlias = "Mapping[int, Fraction]"

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


def prove_upper(game: ValueGame, proof: Mapping[str, Any], tick: Callable[[], None]) -> Fraction:
    """What no policy attains more than; raises `InvalidProofError` if the proof does not hold, or cannot be read."""
    from .value_sums import PointSums  # with NumPy

    bounds = read_bounds(game, proof, tick)
    every_point = PointSums(game, bounds, tick)
    for action in range(len(game.actions)):
        sums = every_point.of_action(action)
        _check_plane(game, bounds, action, sums.after)
        for number in sums.unsure():
            tick()
            _check_point(game, bounds, action, number)
    return game.start_value + _at_start(game, bounds)


def _at_start(game: ValueGame, bounds: WrittenBounds) -> Fraction:
    """U of the start, by the planes, the corners or the first point."""
    if not game.start:
        return Fraction(0)
    witnesses = [BY_PLANES, BY_CORNERS, *range(min(1, len(bounds.points)))]
    found = [value for witness in witnesses if (value := upper(game, bounds, game.start, witness)) is not None]
    if not found:
        raise InvalidProofError("no action applies in all states in which the game may begin")
    return min(found)


def worth(game: ValueGame, bounds: WrittenBounds, point: Point, action: int) -> Fraction | None:
    """What an action that applies at a point is worth at the most, by its witnesses; None if nothing can follow."""
    reward = Fraction(0)
    following: dict[int, dict[int, Fraction]] = {}
    for state, weight in point.weights.items():
        row, paid = game.outcomes[action][state], game.rewards[action][state]
        assert row is not None
        assert paid is not None
        share = Fraction(weight, point.total)
        reward += share * paid
        for result, chance in row.pairs:
            perceived = game.perceived[action][result]
            assert perceived is not None
            here = share * Fraction(chance, row.total)
            for percept, likely in perceived.pairs:
                belief = following.setdefault(percept, {})
                belief[result] = belief.get(result, Fraction(0)) + here * Fraction(likely, perceived.total)
    after, witnesses = Fraction(0), point.witnesses.get(action, {})
    for percept, belief in following.items():
        value = upper(game, bounds, belief, witnesses.get(percept, BY_PLANES))
        if value is None:
            return None
        after += value
    return reward + game.discount * after


def upper(game: ValueGame, bounds: WrittenBounds, belief: Belief, witness: int) -> Fraction | None:
    """U of a belief by a witness; None if no action applies in it."""
    planes = [plane for plane in bounds.planes if all(plane[state] is not None for state in belief)]
    if not planes:
        return None
    if witness == BY_CORNERS:
        return sum((weight * bounds.corners[state] for state, weight in belief.items()), Fraction(0)) / bounds.unit
    rest, value = dict(belief), Fraction(0)
    if witness != BY_PLANES:
        point = bounds.points[witness]
        share = min(Fraction(belief.get(state, 0)) / weight for state, weight in point.weights.items())
        if share:
            for state, weight in point.weights.items():
                rest[state] -= share * weight
            value = share * point.total * point.value
    sums = (sum((rest[state] * (plane[state] or 0) for state in rest), Fraction(0)) for plane in planes)
    return (value + max(sums)) / bounds.unit


def _check_plane(game: ValueGame, bounds: WrittenBounds, action: int, after: Callable[[int], Fraction | None]) -> None:
    """Condition 1 for an action; `after` is the sum of F over what may follow in a state."""
    for state, plane in enumerate(bounds.planes[action]):
        reward, mean = game.rewards[action][state], None if plane is None else after(state)
        if plane is None or reward is None or mean is None:
            continue
        most = reward + game.discount * mean / bounds.unit
        if Fraction(plane, bounds.unit) < most:
            raise InvalidProofError(
                f"the plane of {game.action(action)} says {_text(Fraction(plane, bounds.unit))} of the state "
                f"{game.state(state)}, but the action is only shown to be worth no more than {_text(most)} there"
            )


def _check_point(game: ValueGame, bounds: WrittenBounds, action: int, number: int) -> None:
    """Condition 2 for a point and an action that applies there."""
    point = bounds.points[number]
    most = worth(game, bounds, point, action)
    if most is not None and most > Fraction(point.value, bounds.unit):
        raise InvalidProofError(
            f"point {number} is said to be worth no more than {_text(Fraction(point.value, bounds.unit))}, but "
            f"{game.action(action)} is only shown to be worth no more than {_text(most)} there"
        )


def _text(number: Fraction) -> str:
    try:
        return repr(float(number))
    except OverflowError:
        return "a number too large for a float"


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
