"""Ten heads in the dark: divide coins that you cannot see into two heaps with equally many heads."""

from collections.abc import Collection
from functools import cached_property
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import BeliefProblem, Drawing, KnownAnswer

Heaps: TypeAlias = tuple[tuple[int, int], ...]
"""How many coins each heap has, and how many of them show heads; in the order of `_NAMES`."""

Move: TypeAlias = tuple[int, int]
"""From which heap a coin is taken, and on which it is put."""

# A heap is a side, and whether its coins have been turned over an odd number of times.
_NAMES = ("left", "left-turned", "right", "right-turned")
_ALIASES = dict(zip(("l", "lt", "r", "rt"), range(4), strict=True)) | {name: i for i, name in enumerate(_NAMES)}
_MOVES: tuple[Move, ...] = ((0, 2), (1, 3), (2, 0), (3, 1))
_TURNS: tuple[Move, ...] = ((0, 1), (1, 0), (2, 3), (3, 2))
_BOTH: tuple[Move, ...] = ((0, 3), (1, 2), (2, 1), (3, 0))
_MOST_COINS = 100


@frozen
class TenHeadsProblem(BeliefProblem[Heaps, Move, None]):
    """Divide coins into two groups with equally many heads, in the dark.

    Story
    -----
    Coins lie on the left of a table in a dark room. You know how many of them show heads, but not which. You
    may move coins to the right and turn them over, but you cannot see or feel which side is up. Make it so that
    equally many coins show heads on the left and on the right.

    Formal model
    ------------
    What you know of a coin is on which side it lies and whether you turned it. So there are four heaps, and coins of
    one heap are alike. A state says how many coins and how many heads each heap has. An action takes a coin off a heap
    and moves it to the other side or turns it over, that is, puts it on another heap; it costs 1. Its results are that
    the coin shows heads, or tails. There are no percepts. With `--at-once` one action may move a coin and turn it over.

    Source
    ------
    Folklore; it is often told of 100 coins, ten of which show heads.

    Known answers
    -------------
    With k heads among n coins, 0 < k < n: move any k coins and turn them over; or turn any k and move all the others.
    So 2k actions or n, whichever is less; nothing else works, since a head that is exchanged for a tail anywhere
    must change both sides alike. With `--at-once` k. If all coins show heads: half of n, rounded up.
    """

    known_answers = (
        KnownAnswer({"coins": 4, "heads": 1}, 2),
        KnownAnswer({"coins": 10, "heads": 3}, 6),
        KnownAnswer({"coins": 10, "heads": 7}, 10),
        KnownAnswer({"coins": 10, "heads": 7, "at-once": True}, 7),
        KnownAnswer({"coins": 7, "heads": 7}, 4),
        KnownAnswer({"coins": 4, "heads": 0}, 0),
    )

    coins: int = field(default=10, validator=ge(1), metadata={"help": "number of coins"})
    heads: int = field(default=3, validator=ge(0), metadata={"help": "how many of them show heads at the start"})
    at_once: bool = field(default=False, metadata={"help": "a coin may be moved and turned over by one action"})

    def __attrs_post_init__(self) -> None:
        if self.coins > _MOST_COINS:
            raise ValueError(f"coins: {self.coins:,} are too many; choose {_MOST_COINS:,} or fewer")
        if self.heads > self.coins:
            raise ValueError(f"heads: {self.heads} of {self.coins} coins cannot show heads; choose fewer")

    def initial_states(self) -> list[Heaps]:
        return [((self.coins, self.heads), (0, 0), (0, 0), (0, 0))]

    def actions(self, state: Heaps) -> list[Move]:
        return [move for move in self._moves if state[move[0]][0]]

    def results(self, state: Heaps, action: Move) -> list[Heaps]:
        """Each result as often as there are such coins, since in a game any coin is as likely as any other."""
        source, target = action
        coins, heads = state[source]
        turned = (source + target) % 2 == 1
        results = []
        for is_head, count in ((1, heads), (0, coins - heads)):
            if count:
                after = list(state)
                after[source] = (coins - 1, heads - is_head)
                after[target] = (state[target][0] + 1, state[target][1] + (is_head ^ turned))
                results += [tuple(after)] * count
        return results

    def is_goal(self, state: Heaps) -> bool:
        return state[0][1] + state[1][1] == state[2][1] + state[3][1]

    @property
    def _moves(self) -> tuple[Move, ...]:
        return _MOVES + _TURNS + (_BOTH if self.at_once else ())

    # How states and actions are written, read and drawn.

    def format_state(self, state: Heaps) -> str:
        """Heads of coins on each heap that has coins: `2/8 left, 1/2 right-turned`."""
        return ", ".join(f"{heads}/{coins} {name}" for (coins, heads), name in zip(state, _NAMES, strict=True) if coins)

    def parse_state(self, text: str) -> Heaps:
        heaps = [(0, 0)] * 4
        for part in text.split(","):
            share, _, name = part.strip().partition(" ")
            heads, slash, coins = share.partition("/")
            heap = _ALIASES.get(name.strip().lower())
            if heap is None or not slash or not heads.isdecimal() or not coins.isdecimal() or int(heads) > int(coins):
                raise ValueError(
                    f"{part.strip()!r} does not say how many of how many coins show heads, {self._example}"
                )
            heaps[heap] = (int(coins), int(heads))
        if sum(coins for coins, _ in heaps) != self.coins:
            raise ValueError(f"{text!r} does not have {self.coins} coins in all, {self._example}")
        return tuple(heaps)

    @property
    def _example(self) -> str:
        return f"such as '{self.format_state(self.initial_states()[0])}'; heaps are {', '.join(_NAMES)}"

    def format_action(self, action: Move) -> str:
        source, target = action
        words = ["move"] * (source // 2 != target // 2) + ["turn"] * ((source + target) % 2)
        return f"{' and '.join(words)} {_NAMES[source]}"

    def parse_action(self, text: str) -> Move:
        """Read what to do and from which heap: `move left`, `turn rt`."""
        *words, name = text.lower().replace(",", " ").split() or [""]
        heap = _ALIASES.get(name)
        for action in self._moves:
            if heap == action[0] and " ".join(words) == self.format_action(action).rpartition(" ")[0]:
                return action
        raise ValueError(
            f"{text!r} is not what to do with a coin of a heap, such as 'move left' or 'turn right-turned'"
        )

    def describe_action(self, action: Move) -> str:
        words = self.format_action(action).rpartition(" ")[0].replace("turn", "turn over").capitalize()
        source = action[0]
        return f"{words} a coin from the {'left' if source < 2 else 'right'}{' that was turned' if source % 2 else ''}"

    def describe_step(self, state: Heaps, action: Move, result: Heaps) -> str:
        showed = state[action[0]][1] - result[action[0]][1]
        return "it showed heads" if showed else "it showed tails"

    def svg_state(self, state: Heaps) -> Drawing:
        """The two sides of the table; coins that were turned lie below, and heads are bright."""
        drawing = self._table(self.is_goal(state))
        for heap, (coins, heads) in enumerate(state):
            for number, (x, y) in enumerate(self._places(heap, coins)):
                self._coin(drawing, x, y, "bright" if number < heads else "dark")
        for side in (0, 1):
            heads = state[2 * side][1] + state[2 * side + 1][1]
            drawing.text(37 + 66 * side, 90, heads, size=12, fill="bright-edge", bold=True)
        return drawing

    def svg_belief(self, states: Collection[Heaps]) -> Drawing:
        """The coins without their faces, and how many heads there may be on each side."""
        if len(states) == 1:
            return self.svg_state(next(iter(states)))
        some = min(states)  # they differ in their heads only, if it is a belief that comes up
        drawing = self._table(all(map(self.is_goal, states)))
        for heap, (coins, _) in enumerate(some):
            for x, y in self._places(heap, coins):
                self._coin(drawing, x, y, "line")
        for side in (0, 1):
            heads = sorted({state[2 * side][1] + state[2 * side + 1][1] for state in states})
            text = str(heads[0]) if len(heads) == 1 else f"{heads[0]} to {heads[-1]}"
            drawing.text(37 + 66 * side, 90, text, size=12, fill="bright-edge", bold=True)
        return drawing

    def svg_action(self, action: Move) -> Drawing:
        (x1, y1), (x2, y2) = (self._middle(heap) for heap in action)
        drawing = Drawing(140, 100).line(x1, y1, x2, y2, stroke="accent", width=3, round=True)
        return drawing.circle(x1, y1, 5, fill="accent").circle(x2, y2, 6, fill="card", stroke="accent", width=3)

    def _table(self, even: bool) -> Drawing:
        drawing = Drawing(140, 100).rectangle(1, 1, 138, 98, r=10, fill="felt", stroke="line")
        drawing.line(70, 8, 70, 92, stroke="accent" if even else "line", width=2)
        if even:
            drawing.circle(70, 90, 7, fill="felt").text(70, 90, "=", size=14, fill="accent", bold=True)
        return drawing.line(6, 56, 134, 56, stroke="line", dashed=True)

    def _middle(self, heap: int) -> tuple[float, float]:
        return 37 + 66 * (heap // 2), 31 if heap % 2 == 0 else 69

    def _places(self, heap: int, coins: int) -> list[tuple[float, float]]:
        """The places of the coins of a heap, in lines."""
        x, y = self._middle(heap)
        across, pitch = self._lattice
        full, rest = divmod(coins, across)
        lines = [across] * full + [rest] * (rest > 0)
        return [
            (x + (column - (length - 1) / 2) * pitch, y + (line - (len(lines) - 1) / 2) * pitch)
            for line, length in enumerate(lines)
            for column in range(length)
        ]

    @cached_property
    def _lattice(self) -> tuple[int, float]:
        """The number of coins in a line, and their distance, so that all of them fit on any heap."""
        lines = 2
        while lines * int(60 * lines / 24) < self.coins:
            lines += 1
        return int(60 * lines / 24), 24 / lines

    def _coin(self, drawing: Drawing, x: float, y: float, fill: str) -> None:
        edge = {"bright": "bright-edge", "dark": "dark-edge"}.get(fill, "soft")
        size = 0.46 * self._lattice[1]
        drawing.circle(x, y, size, fill=fill, stroke=edge, width=size / 6)
