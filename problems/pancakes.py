"""Pancakes: sort a stack by turning over its upper part, of pancakes that may be burnt on one side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, permutations, product
from typing import TYPE_CHECKING, TypeAlias

from attrs import field, frozen
from attrs.validators import min_len

from beliefsearch import Drawing, KnownAnswer
from beliefsearch.hooks import ReversibleCodeHook, ReversibleProblem

from ._typed import number_list, numbers_in

if TYPE_CHECKING:
    from ._stack_codes import Codes, PackedStacks, RankedStacks

Stack: TypeAlias = tuple[int, ...]
"""The sizes from the top down; a negative one lies with its burnt side up."""

_MOST_PANCAKES = 60
_MOST_NUMBERED = 9


def parse_stack(text: str) -> Stack:
    """Sizes from the top down: `3 1 2`, `-1 2 -3`."""
    expected = "the sizes from the top down, such as '3 1 2', with a minus if burnt side up"
    return numbers_in(text, expected, signed=True)


@frozen
class PancakesProblem(ReversibleProblem[Stack, int], ReversibleCodeHook[Stack, int]):
    """Sort a stack of pancakes by turning over some of them from the top.

    Story
    -----
    A cook makes pancakes of different sizes. The waiter sorts them on the way to the table: takes some from the top
    with a spatula, turns them over as a whole, and repeats this until the smallest is on top and the largest at the
    bottom. How many turns does it take? With `--burnt` each pancake has a burnt side, which must lie down in the end.

    Formal model
    ------------
    A state is the sizes 1 to n from the top down; burnt pancakes that lie burnt side up are negative. An action is
    how many pancakes are turned over: this reverses their order and, if they are burnt, their signs; it costs 1. It is
    its own inverse, so the graph can be walked backwards. The heuristic counts the gaps: neighbours, plate included,
    whose sizes do not follow each other. A turn mends at most one.

    Played with `--blindfold` every stack is a possible start, and one wins by passing the goal: a turn may sort one of
    the stacks that are still possible at most, so the plan is a way through all of them.

    Source
    ------
    J. E. Goodman as "Harry Dweighter", problem E2569 (American Mathematical Monthly 82, 1975); W. H. Gates and C. H.
    Papadimitriou, "Bounds for sorting by prefix reversal" (Discrete Mathematics 27, 1979): burnt ones, too. M. Helmert,
    "Landmark heuristics for the pancake problem" (Symposium on Combinatorial Search, 2010): gaps. S. Zaks, "A new
    algorithm for generation of permutations" (BIT 24, 1984): all stacks, each a turn from the one before.

    Known answers
    -------------
    The stacks of n = 1, 2, ... that take most turns take 0, 1, 3, 4, 5, 7, 8, 9, 10, 11 (OEIS A058986); burnt 1, 4, 6,
    8, 10, 12, 14, 15, 17, 18 (OEIS A078941), which is what it takes to turn a sorted stack that is all burnt side up.
    Blindfolded one less than there are stacks: 5 for three pancakes, 23 for four.
    """

    known_answers = (
        KnownAnswer({}, 5),
        KnownAnswer({"start": "3 1 2"}, 2),
        KnownAnswer({"start": "1 3 2"}, 3),
        KnownAnswer({"start": "4 6 2 5 1 3"}, 7),
        KnownAnswer({"start": "1 2 3"}, 5, blindfold=True),
        KnownAnswer({"burnt": True, "start": "1 2"}, 7, blindfold=True),
        KnownAnswer({"burnt": True, "start": "-1 -2 -3"}, 6),
        KnownAnswer({"burnt": True, "start": "-1 -2 -3 -4 -5"}, 10),
        KnownAnswer({"burnt": True, "start": "-1 -2 -3 -4 -5 -6"}, 12),
    )

    start: Stack = field(
        default=(3, 5, 1, 4, 2),
        validator=min_len(1),
        metadata={
            "help": "the sizes from the top down, such as '3 1 2', with a minus if burnt side up",
            "parse": parse_stack,
            "format": number_list,
        },
    )
    burnt: bool = field(default=False, metadata={"help": "pancakes have a burnt side, which must lie down in the end"})

    @start.validator
    def _check_start(self, attribute: object, value: Stack) -> None:
        if len(value) > _MOST_PANCAKES:
            raise ValueError(f"start: {len(value)} pancakes are too many; choose {_MOST_PANCAKES} or fewer")
        if sorted(map(abs, value)) != list(range(1, len(value) + 1)):
            raise ValueError(f"start: {number_list(value)!r} should have every size from 1 to {len(value)} once")

    def __attrs_post_init__(self) -> None:
        if not self.burnt and min(self.start) < 0:
            raise ValueError("start: only burnt pancakes have a minus; leave it out, or give --burnt")

    def initial_state(self) -> Stack:
        return self.start

    def possible_starts(self) -> Iterator[Stack]:
        signs = (1, -1) if self.burnt else (1,)
        sizes = range(1, len(self.start) + 1)
        return (
            tuple(size * sign for size, sign in zip(order, chosen, strict=True))
            for order in permutations(sizes)
            for chosen in product(signs, repeat=len(order))
        )

    def actions(self, state: Stack) -> range:
        # To turn over one pancake without a burnt side changes nothing.
        return range(1 if self.burnt else 2, len(state) + 1)

    def result(self, state: Stack, action: int) -> Stack:
        turned = state[action - 1 :: -1] if action < len(state) else state[::-1]
        if self.burnt:
            turned = tuple(-size for size in turned)
        return turned + state[action:]

    def is_goal(self, state: Stack) -> bool:
        return state == self._sorted

    @property
    def _sorted(self) -> Stack:
        return tuple(range(1, len(self.start) + 1))

    # How states and actions are written, read and drawn.

    def format_state(self, state: Stack) -> str:
        return number_list(state)

    def draw_state(self, state: Stack) -> str:
        """The stack from the side; pancakes that lie burnt side up are dark."""
        widest = 2 * len(state) - 1
        return "\n".join((("#" if size < 0 else "=") * (2 * abs(size) - 1)).center(widest) for size in state)

    def parse_state(self, text: str) -> Stack:
        try:
            stack = parse_stack(text)
        except ValueError as error:
            raise ValueError(f"{text!r} is no stack: {error}") from None
        if sorted(map(abs, stack)) != list(self._sorted) or (min(stack) < 0 and not self.burnt):
            raise ValueError(f"{text!r} should have every size from 1 to {len(self._sorted)} once")
        return stack

    def parse_action(self, text: str) -> int:
        """Read how many pancakes to turn over, counted from the top."""
        if text.strip().isdecimal() and int(text) in self.actions(self.start):
            return int(text)
        least = self.actions(self.start).start
        raise ValueError(f"{text!r} is not how many pancakes to turn over, from {least} to {len(self.start)}")

    def describe_action(self, action: int) -> str:
        if action == len(self.start):
            return "Turn over the whole stack"
        return "Turn over the top pancake" if action == 1 else f"Turn over the {action} upper pancakes"

    def svg_state(self, state: Stack) -> Drawing:
        """The stack from the side on its plate; the burnt sides are dark."""
        drawing = Drawing().rectangle(1, 1, 98, 98, r=10, fill="felt", stroke="line")
        count, height = len(state), self._height
        for place, size in enumerate(state):
            width = 22 + 58 * abs(size) / count
            x, y = 50 - width / 2, self._top + place * height
            drawing.rectangle(
                x, y + 0.06 * height, width, 0.88 * height, r=0.42 * height, fill="bright", stroke="bright-edge"
            )
            if self.burnt:
                burnt = y + (0.06 if size < 0 else 0.66) * height
                drawing.rectangle(x, burnt, width, 0.28 * height, r=0.14 * height, fill="dark")
            if count <= _MOST_NUMBERED:
                middle = y + (0.62 if size < 0 else 0.38 if self.burnt else 0.5) * height
                drawing.text(
                    50, middle, abs(size), size=0.55 * height if self.burnt else 0.7 * height, fill="on-bright"
                )
        return drawing.polyline([(4, 88), (12, 93), (88, 93), (96, 88)], stroke="soft", width=2.5, round=True)

    def svg_action(self, action: int) -> Drawing:
        y = self._top + action * self._height
        drawing = Drawing().line(8, y, 92, y, stroke="accent", width=2.5, round=True)
        return drawing.line(92, y, 99, y - 5, stroke="accent", width=2.5, round=True)

    @property
    def _height(self) -> float:
        """The thickness of a pancake."""
        return min(14, 82 / len(self.start))

    @property
    def _top(self) -> float:
        return 91.5 - len(self.start) * self._height

    # For speed: how many turns there must be at least, and the way back from the goal.

    def heuristic(self, state: Stack) -> int:
        """The number of gaps."""
        if self.burnt:
            gaps = sum(below - above != 1 for above, below in pairwise(state))
        else:
            gaps = sum(abs(below - above) != 1 for above, below in pairwise(state))
        return gaps + (state[-1] != len(state))

    def goal_states(self) -> list[Stack]:
        return [self._sorted]

    def predecessors(self, state: Stack) -> list[tuple[Stack, int]]:
        return [(self.result(state, count), count) for count in self.actions(state)]

    # For counting: many stacks at once, as numbers.

    def codes(self, states: Sequence[Stack]) -> Codes:
        return self._numbered.codes(states)

    def states_of(self, codes: Codes) -> list[Stack]:
        return self._numbered.stacks(codes)

    def code_bound(self) -> int | None:
        return self._numbered.bound

    def all_actions(self) -> range:
        return self.actions(self.start)

    def results_of(self, codes: Codes, action: int) -> tuple[Codes, None]:
        return self._numbered.turned(codes, action), None

    def goal_codes(self) -> Codes:
        return self.codes(self.goal_states())

    def origins_of(self, codes: Codes, action: int) -> Codes:
        return self._numbered.turned(codes, action)  # as it is its own inverse

    @cached_property
    def _numbered(self) -> RankedStacks | PackedStacks:
        from ._stack_codes import stack_codes  # which needs NumPy

        return stack_codes(len(self.start), self.burnt)
