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

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from ..errors import InvalidProofError
from ..plans.wording import float_text
from .integer_pomdp import ValueGame
from .value_bounds import BY_CORNERS, BY_PLANES, Point, WrittenBounds, read_bounds
from .value_sums import PointSums

Belief: TypeAlias = "Mapping[int, Fraction]"


def prove_upper(game: ValueGame, proof: Mapping[str, Any], tick: Callable[[], None]) -> Fraction:
    """Return the value that no policy exceeds; raises `InvalidProofError` if the proof fails or is unreadable."""
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
    """Return the most that an applicable action is worth at a point, by its witnesses; None if nothing can follow."""
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
                f"the plane of {game.action(action)} says {float_text(Fraction(plane, bounds.unit))} of the state "
                f"{game.state(state)}, but the action is only shown to be worth no more than {float_text(most)} there"
            )


def _check_point(game: ValueGame, bounds: WrittenBounds, action: int, number: int) -> None:
    """Condition 2 for a point and an action that applies there."""
    point = bounds.points[number]
    most = worth(game, bounds, point, action)
    if most is not None and most > Fraction(point.value, bounds.unit):
        raise InvalidProofError(
            f"point {number} is said to be worth no more than {float_text(Fraction(point.value, bounds.unit))}, but "
            f"{game.action(action)} is only shown to be worth no more than {float_text(most)} there"
        )
