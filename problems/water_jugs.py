"""Water jugs: measure an amount of water with jugs that have no marks."""

from collections.abc import Iterator
from functools import cached_property
from itertools import product
from math import prod
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import deep_iterable, ge, min_len, optional

from beliefsearch import Drawing, KnownAnswer, Problem, ProblemError

from ._typed import number_list, numbers_in

Amounts: TypeAlias = tuple[int, ...]
"""What is in each jug."""

Pour: TypeAlias = tuple[int, int]
"""From which jug into which, counted from 1; 0 is the tap, or the drain."""

_MOST_JUGS = 6
_MOST_STARTS = 1_000_000


def parse_amounts(text: str) -> Amounts:
    """Amounts from `8 5 3`."""
    return numbers_in(text, "whole numbers, such as '8 5 3'")


@frozen
class WaterJugsProblem(Problem[Amounts, Pour]):
    """Measure an amount of water by pouring from jug to jug.

    Story
    -----
    Of some jugs you know only how much each holds. The largest is full of wine, the others are empty. Pour from one
    into another, until the one is empty or the other full, and so divide the wine as you like. With `--tap` there is
    water instead: any jug can be filled or emptied as well, and all are empty at first.

    Formal model
    ------------
    A state is what is in each jug. An action pours from one jug into another as much as fits; with `--tap` also from
    the tap, or into the drain. It costs 1, even if nothing flows. The goal is what `--goal` says: an amount for every
    jug, or a single amount, which some jug must hold.

    Played with `--blindfold` nobody knows what is in the jugs at first: with `--tap` anything, otherwise as much as
    there was, in any jugs. To fill a jug or to empty it is then how to know.

    Source
    ------
    N. Tartaglia, "General trattato di numeri et misure" (1556); before him Albert of Stade, around 1240 (both after D.
    Singmaster, "Sources in Recreational Mathematics"). M. C. K. Tweedie, "A graphical method of solving Tartaglian
    measuring puzzles" (Mathematical Gazette 23, 1939).

    Known answers
    -------------
    8, 5, 3: to halve eight takes 7 pourings. 10, 7, 3 to halve ten: 9. 12, 8, 5 to halve twelve: 7. With a tap and jugs
    of 5 and 3: four takes 6 steps, and blindfolded 7, by brute force. Nothing can be measured but multiples of the
    greatest common divisor of the jugs.
    """

    known_answers = (
        KnownAnswer({}, 7),
        KnownAnswer({"jugs": "10 7 3", "goal": "5 5 0"}, 9),
        KnownAnswer({"jugs": "12 8 5", "goal": "6 6 0"}, 7),
        KnownAnswer({"jugs": "5 3", "tap": True, "goal": "4"}, 6),
        KnownAnswer({"jugs": "6 4", "tap": True, "goal": "3"}, None),
        KnownAnswer({"jugs": "5 3", "tap": True, "goal": "4"}, 7, blindfold=True),
    )

    jugs: Amounts = field(
        default=(8, 5, 3),
        validator=deep_iterable(ge(1), min_len(1)),
        metadata={
            "help": "how much each jug holds, such as '8 5 3'",
            "parse": parse_amounts,
            "format": number_list,
        },
    )
    goal: Amounts = field(
        default=(4, 4, 0),
        validator=min_len(1),
        metadata={
            "help": "what must be in the jugs at the end, such as '4 4 0'; or one amount, for any of them",
            "parse": parse_amounts,
            "format": number_list,
        },
    )
    tap: bool = field(default=False, metadata={"help": "jugs can be filled at a tap and emptied into a drain"})
    start: Amounts | None = field(
        default=None,
        validator=optional(min_len(1)),
        metadata={
            "help": "what is in the jugs at first; default: the largest is full, or with --tap none is",
            "parse": parse_amounts,
            "format": number_list,
        },
    )

    def __attrs_post_init__(self) -> None:
        if len(self.jugs) > _MOST_JUGS:
            raise ValueError(f"jugs: {len(self.jugs)} are too many; choose {_MOST_JUGS} or fewer")
        for name, amounts in (("goal", self.goal), ("start", self.start)):
            if amounts is None or (name == "goal" and len(amounts) == 1):
                continue
            if not self._fits(amounts):
                raise ValueError(f"{name}: {number_list(amounts)!r} is not in jugs of {number_list(self.jugs)}")

    def _fits(self, amounts: Amounts) -> bool:
        """Whether there is an amount for each jug, and none is too much."""
        return len(amounts) == len(self.jugs) and all(map(int.__le__, amounts, self.jugs)) and min(amounts) >= 0

    def initial_state(self) -> Amounts:
        if self.start is not None:
            return self.start
        if self.tap:
            return (0,) * len(self.jugs)
        largest = self.jugs.index(max(self.jugs))
        return tuple(size if jug == largest else 0 for jug, size in enumerate(self.jugs))

    def possible_starts(self) -> Iterator[Amounts]:
        if prod(size + 1 for size in self.jugs) > _MOST_STARTS:
            raise ProblemError(f"there are more than {_MOST_STARTS:,} ways to fill the jugs; choose smaller ones")
        total = sum(self.initial_state())
        ways = product(*(range(size + 1) for size in self.jugs))
        return (amounts for amounts in ways if self.tap or sum(amounts) == total)

    def actions(self, state: Amounts) -> list[Pour]:
        return self._pours

    def result(self, state: Amounts, action: Pour) -> Amounts:
        source, target = action
        after = list(state)
        # The tap has as much as one wants, and the drain takes all.
        most = after[source - 1] if source else self.jugs[target - 1]
        amount = min(most, self.jugs[target - 1] - after[target - 1]) if target else most
        if source:
            after[source - 1] -= amount
        if target:
            after[target - 1] += amount
        return tuple(after)

    def is_goal(self, state: Amounts) -> bool:
        return state == self.goal or (len(self.goal) == 1 and self.goal[0] in state)

    @cached_property
    def _pours(self) -> list[Pour]:
        ends = range(0 if self.tap else 1, len(self.jugs) + 1)
        return [(source, target) for source in ends for target in ends if source != target]

    # How states and actions are written, read and drawn.

    def format_state(self, state: Amounts) -> str:
        return number_list(state)

    def parse_state(self, text: str) -> Amounts:
        try:
            amounts = parse_amounts(text)
        except ValueError as error:
            raise ValueError(f"{text!r} says no amounts: {error}") from None
        if not self._fits(amounts):
            raise ValueError(f"{text!r} is not in jugs of {number_list(self.jugs)}")
        return amounts

    def format_action(self, action: Pour) -> str:
        """Jugs by their places from 1 on: `1 to 2`, `tap to 1`, `1 to drain`."""
        return f"{action[0] or 'tap'} to {action[1] or 'drain'}"

    def parse_action(self, text: str) -> Pour:
        """Read from which jug to which, with or without `to`; `fill 1` and `empty 1` are understood as well."""
        words = text.lower().replace("-", " ").replace(" to ", " ").split()
        if words[:1] in (["fill"], ["empty"]):
            words = ["tap", *words[1:]] if words[0] == "fill" else [*words[1:], "drain"]
        for pour in self._pours:
            if words == self.format_action(pour).split(" to "):
                return pour
        tap = ", 'tap to 1' or '1 to drain'" if self.tap else ""
        raise ValueError(
            f"{text!r} does not pour from one jug into another, from 1 to {len(self.jugs)}, as '1 to 2'{tap}"
        )

    def describe_action(self, action: Pour) -> str:
        source, target = action
        if not source:
            return f"Fill {self._name(target)}"
        if not target:
            return f"Empty {self._name(source)}"
        return f"Pour from {self._name(source)} into {self._name(target)}"

    def _name(self, jug: int) -> str:
        """A jug by its size, if it is the only one."""
        size = self.jugs[jug - 1]
        return f"jug {jug}" if self.jugs.count(size) > 1 else f"the jug of {size}"

    def svg_state(self, state: Amounts) -> Drawing:
        """The jugs side by side, as high as they are large, with what is in them."""
        drawing = Drawing(120, 100).rectangle(1, 1, 118, 98, r=10, fill="felt", stroke="line")
        for jug, amount in enumerate(state, 1):
            x, top, width = self._outline(jug)
            full = 84 - top
            drawing.rectangle(x, top, width, full, fill="card")
            if amount:
                level = full * amount / self.jugs[jug - 1]
                drawing.rectangle(x, 84 - level, width, level, fill="blue" if self.tap else "bad")
            drawing.polyline(
                [(x - 3, top - 3), (x, top), (x, 84), (x + width, 84), (x + width, top - 2)],
                stroke="ink",
                width=2,
                round=True,
            )
            # A white text on water would vanish at the brim, so amounts stand below.
            drawing.text(x + width / 2, 91, f"{amount}/{self.jugs[jug - 1]}", size=self._text_size, fill="ink")
        return drawing

    def svg_action(self, action: Pour) -> Drawing:
        drawing = Drawing(120, 100)
        (x1, y1), (x2, y2) = (self._mouth(jug, action) for jug in action)
        peak = min(y1, y2) - 14
        drawing.curve([(x1, y1), (x1, peak), (x2, peak), (x2, y2)], stroke="accent", width=3, round=True)
        return drawing.polygon([(x2 - 5, y2), (x2 + 5, y2), (x2, y2 + 8)], fill="accent")

    def _mouth(self, jug: int, action: Pour) -> tuple[float, float]:
        """The middle of the opening of a jug; the tap is above its jug, the drain beside it."""
        if jug:
            x, top, width = self._outline(jug)
            return x + width / 2, top + 2
        x, y = self._mouth(action[0] or action[1], action)
        return (x, 6) if not action[0] else (x + self._slot / 2, y + 8)

    def _outline(self, jug: int) -> tuple[float, float, float]:
        """Left edge, upper edge and width of a jug."""
        height = 62 * self.jugs[jug - 1] / max(self.jugs)
        width = 0.6 * self._slot
        return 8 + (jug - 0.5) * self._slot - width / 2, 84 - max(height, 6), width

    @property
    def _slot(self) -> float:
        return 104 / len(self.jugs)

    @property
    def _text_size(self) -> float:
        longest = max(len(f"{size}/{size}") for size in self.jugs)
        return min(11, 1.5 * self._slot / longest)
