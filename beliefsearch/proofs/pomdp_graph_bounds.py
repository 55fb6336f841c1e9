"""Proofs of the upper bound that a graph of beliefs shows, where no reward is negative: made exact belief by belief.

A belief of the search is taken for what truly follows the start by its actions and percepts, as long as its numbers are
not too long: so what closes a circle in the search closes it exactly, and no rounding leaks out of an end component.
Means of points of a grid are worked out anew in fractions. Then all numbers are raised as long as one is too low.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..plans.encoding import Json, encode_action, encode_percept, encode_state
from ..solvers.pomdp.pomdp_model import PomdpModel
from ..solvers.pomdp.trials import FoundBounds, ShownBelief
from ..verify.checker import parts_of
from ..verify.numbered import written
from ..verify.pomdp_file import PomdpOfFile

_BITS = 36
_UNIT = 1 << _BITS
# Beliefs whose weights are longer are rounded to so many bits, shares of points as well.
_LONGEST, _ROUNDED = 400, 80
# Denominators of grids, and of other simple shares, are no larger. A belief of longer weights than so many bits that is
# so near to one of simple shares is taken for the limit of those that come before it, which leads to itself exactly.
_FINEST = 1 << 17
_LIMIT_BITS, _NEAR_LIMIT = 40, 1e-9
_MOST_ROUNDS, _EXACT_ROUNDS = 300, 200
_ROUNDING = 1e-4
# So many points are followed to see how long that takes; of the time left this share may be used, as checking takes it,
# too.
_TRIED, _SHARE_FOR_FOLLOWING = 30, 0.4

_Weights = dict[int, int]
_Shares = list[tuple[int, Fraction]]


class GraphProof:
    """One proof in the making; states, actions and percepts have the numbers of the model."""

    def __init__(
        self,
        problem: Any,
        game: PomdpOfFile,
        model: PomdpModel[Any, Any, Any],
        found: FoundBounds,
        tick: Callable[[], None],
        seconds_left: Callable[[], float],
    ) -> None:
        self._seconds_left = seconds_left
        numbers = game.game.numbers
        self._tick = tick
        states = [numbers["states"][json.dumps(encode_state(problem, state))] for state in model.states]
        percepts = [numbers["percepts"][json.dumps(encode_percept(problem, percept))] for percept in model.percepts]
        self._encoded: list[Json] = [encode_action(problem, action) for action in model.actions]
        actions = [numbers["actions"][json.dumps(action)] for action in self._encoded]
        state_of, percept_of = ({number: place for place, number in enumerate(given)} for given in (states, percepts))
        self._state_places, self._percept_places = model.places()
        self._rows: list[list[Any]] = []
        for action in actions:
            rows = [game.game.rows[action][number] for number in states]
            self._rows.append(
                [row and (row[0], row[1], [(state_of[t], percept_of[o], w) for t, o, w in row[2]]) for row in rows]
            )
        self._costs = all(row is None or row[0] <= 0 for rows in game.game.rows for row in rows)
        self._shown: Sequence[ShownBelief] = found.shown or ()
        total = sum(Fraction(p) for _, p in game.game.start)
        self._start = whole_weights({state_of[s]: Fraction(p) / total for s, p in game.game.start if p})
        self._planes = self._exact_planes(found)

    def proof(self, *_: Any) -> dict[str, Json]:
        """The proof, in the numbers of the lists of a plan."""
        beliefs = self._exact_beliefs()
        numbers = [place for place, shown in enumerate(self._shown) if shown.children is not None]
        self._by_weights = {tuple(sorted(weights.items())): place for place, weights in enumerate(beliefs) if weights}
        numbers = self._affordable(numbers, beliefs)
        witnesses: list[list[Json]] = []
        forms: list[tuple[int, Fraction, _Shares]] = []
        for number, place in enumerate(numbers):
            self._tick()
            found, of_point = self._follow(place, beliefs)
            witnesses.append(found)
            forms.extend((number, *form) for form in of_point)
        values = self._raised([math.ceil(self._shown[place].value * _UNIT) for place in numbers], forms)
        points: list[Json] = []
        for place, value, found in zip(numbers, values, witnesses, strict=True):
            pairs: list[Json] = [[self._state_places[s], w] for s, w in beliefs[place].items()]
            points.append([pairs, value, list(found)])
        planes: list[Json] = []
        for plane in self._planes:
            row: list[Json] = [None] * len(plane)
            for state, number_or_none in enumerate(plane):
                row[self._state_places[state]] = number_or_none
            planes.append(row)
        return {
            "kind": "value-bounds",
            "unit": _UNIT,
            "actions": self._encoded,
            "planes": planes,
            "points": points,
        }

    def proved(self) -> None:
        """Exact arithmetic says what the proof proves."""

    def _affordable(self, numbers: list[int], beliefs: list[_Weights]) -> list[int]:
        """Number the points; the first of them alone, which show a bound as well, if there is no time for all."""
        self._number = {place: number for number, place in enumerate(numbers)}
        before = self._seconds_left()
        if before < math.inf:
            tried = numbers[:: 1 + len(numbers) // _TRIED]
            for place in tried:
                self._follow(place, beliefs)
            left = self._seconds_left()
            each = max(before - left, 1e-6) / max(1, len(tried))
            numbers = numbers[: max(0, int(_SHARE_FOR_FOLLOWING * left / each))]
            self._number = {place: number for number, place in enumerate(numbers)}
        return numbers

    def _exact_planes(self, found: FoundBounds) -> list[list[int | None]]:
        """The planes in whole numbers, raised until they are inductive."""
        planes: list[list[int | None]] = [
            [None if row is None else math.ceil(value * _UNIT) for row, value in zip(rows, plane, strict=True)]
            for rows, plane in zip(self._rows, found.planes.tolist(), strict=True)
        ]
        parts = {
            (a, s): [list(part.items()) for part in parts_of([(1, row[2])]).values()]
            for a, rows in enumerate(self._rows)
            for s, row in enumerate(rows)
            if row is not None
        }
        for _ in range(_MOST_ROUNDS):
            self._tick()
            raised = False
            for (a, s), following in parts.items():
                reward, total, _ = self._rows[a][s]
                after = sum(_greatest(planes, part) for part in following)
                least = math.ceil(reward * _UNIT + Fraction(after, total))
                known = planes[a][s]
                if known is not None and least > known:
                    planes[a][s], raised = least, True
            if not raised:
                break
        return planes

    def _exact_beliefs(self) -> list[_Weights]:
        """Whole weights of all beliefs: those that follow exact ones are exact, others as near as floats are."""
        beliefs: list[_Weights] = [{} for _ in self._shown]
        beliefs[:1] = [self._start][: len(beliefs)]
        for place, shown in enumerate(self._shown):  # a belief comes after one that it follows
            self._tick()
            shares = list(zip(shown.states.tolist(), shown.shares.tolist(), strict=True))
            if not beliefs[place]:
                beliefs[place] = whole_weights({state: _simple(share, 1e-15) for state, share in shares})
            elif max(beliefs[place].values()).bit_length() > _LIMIT_BITS:
                limit = {state: _simple(share, _NEAR_LIMIT) for state, share in shares}
                unit = math.lcm(*(share.denominator for share in limit.values()))
                if unit <= _FINEST and sum(limit.values()) == 1 and all(limit.values()):
                    beliefs[place] = whole_weights(limit)
            by_action: dict[int, dict[int, _Weights]] = {}
            for action, percept, child in shown.children or ():
                if not beliefs[child]:
                    if action not in by_action:
                        by_action[action] = parts_of(self._led_to(beliefs[place], action)[1])
                    part = by_action[action].get(percept, {})
                    if sorted(part) == sorted(self._shown[child].states.tolist()):
                        beliefs[child] = whole_weights({state: Fraction(weight) for state, weight in part.items()})
        return beliefs

    def _led_to(self, weights: _Weights, action: int) -> tuple[int, list[tuple[int, Any]]]:
        """Return the scale of the weights of what may follow, and that as `parts_of` takes it."""
        rows = self._rows[action]
        scale = math.lcm(*(rows[s][1] for s in weights))
        return scale, [(w * (scale // rows[s][1]), rows[s][2]) for s, w in weights.items()]

    def _follow(self, place: int, beliefs: list[_Weights]) -> tuple[list[Json], list[tuple[Fraction, _Shares]]]:
        """The witnesses of a point, and by action what it is worth: a number, and shares of the values of points."""
        weights = beliefs[place]
        mass = sum(weights.values())
        by_action: dict[int, dict[int, int]] = {}
        for action, percept, child in self._shown[place].children or ():
            by_action.setdefault(action, {})[percept] = child
        witnesses: list[Json] = []
        forms = []
        for action, rows in enumerate(self._rows):
            if any(rows[s] is None for s in weights):
                continue
            scale, shares = self._led_to(weights, action)
            fixed = Fraction(sum(w * rows[s][0] for s, w in weights.items())) * _UNIT
            terms: _Shares = []
            for percept, part in parts_of(shares).items():
                taken_for = by_action.get(action, {}).get(percept)
                named = [] if taken_for is None else self._cover(taken_for, part, beliefs)
                rest: dict[int, Any] = dict(part)
                for point, share in named:
                    for state, weight in beliefs[point].items():
                        rest[state] -= share * weight
                fixed += Fraction(_greatest(self._planes, list(rest.items()))) / scale
                terms += [(self._number[point], share * sum(beliefs[point].values()) / scale) for point, share in named]
                flat: list[Json] = []
                for point, share in named:
                    flat += [self._number[point], written(share / scale)]
                if flat:
                    witnesses.append([action, self._percept_places[percept], flat])
            forms.append((fixed / mass, [(number, share / mass) for number, share in terms]))
        return witnesses, forms

    def _cover(self, place: int, part: Mapping[int, Any], beliefs: list[_Weights]) -> _Shares:
        """Shares of points that are in a part, whose belief the search took for that at this place."""
        shown = self._shown[place]
        if shown.children is not None or shown.part >= 0:
            point = place if shown.children is not None else shown.part
            if point not in self._number:
                return []
            share = min(Fraction(part.get(s, 0)) / w for s, w in beliefs[point].items())
            return [(point, _rounded(share))] if share else []
        if not shown.fine:
            return []
        found: dict[int, Fraction] = {}
        left = {s: Fraction(w) for s, w in part.items()}
        for weight, corner in corners(part, shown.fine):
            known = self._by_weights.get(tuple(sorted(corner.items())))
            if known is None:
                continue
            mass = weight / sum(corner.values())
            for point, share in self._cover(known, {s: mass * w for s, w in corner.items()}, beliefs):
                most = min(left.get(s, Fraction(0)) / w for s, w in beliefs[point].items())
                share = min(share, _rounded(most))
                if share > 0:
                    found[point] = found.get(point, Fraction(0)) + share
                    for s, w in beliefs[point].items():
                        left[s] -= share * w
        return list(found.items())

    def _raised(self, values: list[int], forms: list[tuple[int, Fraction, _Shares]]) -> list[int]:
        """Values that are no less than what the points are worth: raised in floats first, and then exactly."""
        if not values:
            return values
        owners = np.array([owner for owner, _, _ in forms])
        fixed = np.array([float(number) for _, number, _ in forms])
        counts = np.array([len(terms) for _, _, terms in forms])
        places = np.array([number for _, _, terms in forms for number, _ in terms], np.int64)
        shares = np.array([float(share) for _, _, terms in forms for _, share in terms])
        of_form = np.repeat(np.arange(len(forms)), counts)
        floats = np.array(values, np.float64)
        most = 0.0 if self._costs else float(max(max(filter(None, plane)) for plane in self._planes))
        for turn in range(_MOST_ROUNDS):
            self._tick()
            step = 2.0 ** max(0, turn - _EXACT_ROUNDS)  # what creeps in an end component would creep for ever
            worth = fixed + np.bincount(of_form, shares * floats[places], len(forms))
            least = np.full(len(values), -np.inf)
            np.maximum.at(least, owners, worth)
            low = least > floats + _ROUNDING
            if not low.any():
                break
            floats[low] = np.minimum(np.ceil((least[low] - _ROUNDING) / step) * step, np.maximum(least[low], most))
        exact = [int(value) for value in floats.tolist()]
        for _ in range(_MOST_ROUNDS):
            self._tick()
            worth = fixed + np.bincount(of_form, shares * np.array(exact, np.float64)[places], len(forms))
            near = np.flatnonzero(worth > np.array(exact, np.float64)[owners] - 1)
            raised = False
            for number in near.tolist():
                owner, start, terms = forms[number]
                needed = math.ceil(start + sum(share * exact[place] for place, share in terms))
                if needed > exact[owner]:
                    exact[owner], raised = needed, True
            if not raised:
                break
        return exact


def _greatest(planes: Sequence[Sequence[int | None]], weights: Sequence[tuple[int, Any]]) -> Any:
    """The greatest mean of a plane that applies in all of these states."""
    best: Any = None
    for plane in planes:
        total: Any = 0
        for state, weight in weights:
            value = plane[state]
            if value is None:
                break
            total += weight * value
        else:
            best = total if best is None or total > best else best
    return best or 0


def whole_weights(shares: Mapping[int, Fraction]) -> _Weights:
    """Whole weights in the same proportion, without a common factor; rounded where they would be too long."""
    unit = math.lcm(*(share.denominator for share in shares.values()))
    weights = {state: int(share * unit) for state, share in shares.items()}
    common = math.gcd(*weights.values())
    weights = {state: weight // common for state, weight in weights.items()}
    if max(weights.values()).bit_length() <= _LONGEST:
        return weights
    shift = max(0, min(weights.values()).bit_length() - _ROUNDED)
    return {state: weight >> shift for state, weight in weights.items()}


def _simple(share: float, most: float) -> Fraction:
    """The share that a float stands for: a simple one, if it misses that by no more."""
    found = Fraction(share).limit_denominator(_FINEST)
    return found if abs(float(found) - share) <= most else Fraction(share)


def _rounded(share: Fraction) -> Fraction:
    """A share rounded down to a number that is not too long."""
    bits = max(share.numerator.bit_length(), share.denominator.bit_length())
    if not share or bits <= 2 * _LONGEST:
        return share
    shift = share.denominator.bit_length() - share.numerator.bit_length() + _ROUNDED
    return Fraction(math.floor(share * 2**shift), 2**shift) if shift > 0 else Fraction(math.floor(share))


def corners(part: Mapping[int, Any], fine: int) -> list[tuple[Fraction, _Weights]]:
    """The corners of the cell of a grid in which weights lie, without a common factor, and what each takes of them."""
    states = sorted(part)
    total = sum(Fraction(part[state]) for state in states)
    sums = [Fraction(0)]
    for state in reversed(states):
        sums.append(sums[-1] + Fraction(part[state]) / total)
    scaled = [fine * number for number in reversed(sums[1:])]
    base = [math.floor(number) for number in scaled] + [0]
    rest = [number - whole for number, whole in zip(scaled, base, strict=False)]
    found, last = [], Fraction(1)
    for i in [*sorted(range(len(states)), key=lambda i: -rest[i]), -1]:
        weight = last - (rest[i] if i >= 0 else 0)
        if weight:
            corner = {state: base[k] - base[k + 1] for k, state in enumerate(states) if base[k] > base[k + 1]}
            common = math.gcd(*corner.values())
            found.append((weight * total, {state: weight_of // common for state, weight_of in corner.items()}))
        if i >= 0:
            last = rest[i]
            base[i] += 1
    return found
