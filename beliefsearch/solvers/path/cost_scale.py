"""The costs of one search as whole numbers: exact, and as quick to add as if the author had written them so."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import islice
from typing import Any

from ...model.base import Cost
from ...model.checked import checked_cost, exact_cost
from ...model.exact import EXACT_FLOATS, LOWERED, below, exact, is_from_float
from ...model.problem import Problem

# So many actions of the start are asked what they cost, to choose the unit.
_LOOKED_AT = 64
# Floats are multiples of a power of two: of this one, if they are not very small.
_OF_FLOATS = 2**64
# So fine is the unit where only estimates are floats.
_OF_ESTIMATES = 2**20
# Of larger denominators no unit is made.
_LARGEST = 2**512
# Floats whose numbers of units are remembered, at the most.
_REMEMBERED = 65_536


class CostScale:
    """Costs as numbers of units, of which `unit` make 1.

    The unit is chosen by what the start costs and promises. A cost that is no whole number of them, when it turns up,
    is a fraction of it: exact as well, only slower. With the unit 1 everything is what it is without a scale.
    """

    __slots__ = ("_known", "_lowered", "unit")

    def __init__(self, unit: int = 1) -> None:
        self.unit = unit
        self._known: dict[float, Cost] = {}
        self._lowered = unit * LOWERED  # as a float, for estimates

    @classmethod
    def of(cls, problem: Problem[Any, Any], start: Any, estimate: Cost) -> CostScale:
        """The scale for a search from `start`, which is estimated so."""
        unit = 1
        if not problem.has_unit_costs() and not problem.is_goal(start):
            for action in islice(problem.actions(start), _LOOKED_AT):
                given = problem.action_cost(start, action)
                if type(given) is not int:
                    cost: Any = exact_cost(problem, start, action, given)
                    of_float = is_from_float(cost) or (type(given) is float and not given.is_integer())
                    unit = math.lcm(unit, cost.denominator, _OF_FLOATS if of_float else 1)
        if type(estimate) is float and estimate < math.inf and not estimate.is_integer():
            unit = math.lcm(unit, _OF_ESTIMATES)
        return cls(unit if unit <= _LARGEST else 1)

    def price(self) -> Callable[[Problem[Any, Any], Any, Any], Cost]:
        """The function from a problem, a state and an action to the checked cost in units."""
        if self.unit == 1:
            return checked_cost
        from fractions import Fraction  # most problems have no use for it

        unit, known, units = self.unit, self._known, self.units

        def price(problem: Problem[Any, Any], state: Any, action: Any) -> Cost:
            given: Any = problem.action_cost(state, action)
            kind = type(given)
            if kind is int and given >= 0:
                product: Cost = given * unit
                return product
            if kind is float:
                found = known.get(given)
                if found is None:
                    found = units(exact_cost(problem, state, action, given))
                    if len(known) < _REMEMBERED:
                        known[given] = found
                return found
            if kind is Fraction and given.numerator >= 0:  # as views give what they have read exactly
                parts, rest = divmod(unit, given.denominator)
                if not rest:
                    product = given.numerator * parts
                    return product  # noqa: RET504  # of a known type
            units_of: Cost = units(exact_cost(problem, state, action, given))
            return units_of

        return price

    def units(self, number: Any) -> Any:
        """An exact number in units."""
        if type(number) is int:
            return number * self.unit
        parts, rest = divmod(self.unit, number.denominator)
        return number.numerator * parts if not rest else number * self.unit

    def estimate(self, number: Any) -> Any:
        """Return an estimate in units, rounded down."""
        if type(number) is int:
            return number * self.unit
        if self.unit == 1:
            return below(number)
        if type(number) is not float:
            return number.numerator * self.unit // number.denominator
        if number.is_integer() and number < EXACT_FLOATS:
            return int(number) * self.unit
        return number if number == math.inf else int(number * self._lowered)

    def number(self, units: Any) -> Any:
        """The number that so many units are."""
        if self.unit == 1 or units == math.inf:
            return units
        parts, rest = divmod(units, self.unit)
        if not rest:
            return parts
        from fractions import Fraction

        return exact(Fraction(units) / self.unit)
