"""Crossing a river: wolf, goat and cabbage; missionaries and cannibals; jealous husbands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from math import comb
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_, optional

from beliefsearch import Drawing, KnownAnswer, Problem
from beliefsearch.hooks import CodeHook

from ._pictures.banks import River
from ._pictures.parts import counted, listed

if TYPE_CHECKING:
    from ._bank_codes import BankCodes, Codes, Flags

Banks: TypeAlias = tuple[str, str, Literal["left", "right"]]
"""Who is on the left bank and on the right, as letters in a fixed order, and the bank where the boat is."""

_FARM = {"F": "farmer", "W": "wolf", "G": "goat", "C": "cabbage"}
_PAIRS = 3
_MOST_COUPLES = len(ascii_uppercase)
_MOST_PAIRS = 1000
_MOST_LOADS = 100_000
_BOAT_LEFT, _BOAT_RIGHT = "[boat]~~~", "~~~[boat]"
_SEEN = re.compile(r"([A-Za-z]*|-)(?:(\[boat\]~+)|~+\[boat\])([A-Za-z]*|-)")


@frozen
class RiverCrossingProblem(Problem[Banks, str], CodeHook[Banks, str]):
    """Take everybody across a river in a small boat, leaving nobody in bad company.

    Story
    -----
    All stand on the left bank with a boat for a few. It takes somebody to row it back. Nobody may come to harm, on a
    bank or in the boat:

    `wolf-goat-cabbage`: only the farmer rows. Without the farmer the wolf eats the goat, and the goat the cabbage.

    `missionaries`: as many missionaries as cannibals; all can row. Where there are missionaries, there are no
    more cannibals than missionaries.

    `jealous-husbands`: couples; all can row. No wife is where another man is, unless her husband is there as well.

    Formal model
    ------------
    A state says who is on which bank and where the boat is. Missionaries are all alike, and so are cannibals. An action
    is a load of the boat, such as `MC`, from the bank where it is to the other. Those who stay, those in the boat and
    those on the far bank after landing must be safe. A crossing costs 1. Letters: F, W, G, C for the farmer and
    what is the farmer's; M and C for missionaries and cannibals; A, B, ... for husbands and a, b, ... for wives.

    Source
    ------
    Alcuin of York, "Propositiones ad acuendos juvenes", around 800: the wolf, and three couples. S. Amarel,
    "On representations of problems of reasoning about actions", Machine Intelligence 3 (1968): missionaries.
    I. Pressman and D. Singmaster, "The jealous husbands" and "The missionaries and cannibals", Mathematical
    Gazette 73 (1989): larger parties.

    Known answers
    -------------
    Wolf, goat and cabbage: 7 crossings. Pairs of either kind: with a boat for 2, 2 pairs take 5 crossings, 3
    take 11, and 4 cannot cross. With a boat for 3, 4 pairs take 9 and 5 take 11, and 6 cannot cross. With a boat
    for 4 any number can.
    """

    known_answers = (
        KnownAnswer({}, 7),
        KnownAnswer({"story": "missionaries"}, 11),
        KnownAnswer({"story": "jealous-husbands"}, 11),
        KnownAnswer({"story": "jealous-husbands", "pairs": 4}, None),
        KnownAnswer({"story": "jealous-husbands", "pairs": 4, "boat": 3}, 9),
        KnownAnswer({"story": "jealous-husbands", "pairs": 5, "boat": 3}, 11),
    )

    story: Literal["wolf-goat-cabbage", "missionaries", "jealous-husbands"] = field(
        default="wolf-goat-cabbage",
        validator=in_(("wolf-goat-cabbage", "missionaries", "jealous-husbands")),
        metadata={"help": "who crosses, and who must not be left with whom"},
    )
    pairs: int | None = field(
        default=None,
        validator=optional(ge(1)),
        metadata={"help": f"missionaries and as many cannibals, or couples; default: {_PAIRS}"},
    )
    boat: int = field(default=2, validator=ge(1), metadata={"help": "how many the boat holds, rower included"})

    def __attrs_post_init__(self) -> None:
        if self.story == "wolf-goat-cabbage" and self.pairs is not None:
            raise ValueError("pairs: there are none in wolf-goat-cabbage; leave it out, or choose another story")
        if self.story == "jealous-husbands" and self._pairs > _MOST_COUPLES:
            raise ValueError(f"pairs: there are letters for {_MOST_COUPLES} couples, not for {self._pairs}")
        if self._pairs > _MOST_PAIRS:
            raise ValueError(f"pairs: {self._pairs} are too many; choose {_MOST_PAIRS} or fewer")
        if self.story == "jealous-husbands":
            ways = sum(comb(2 * self._pairs, size) for size in range(1, min(self.boat, 2 * self._pairs) + 1))
            if ways > _MOST_LOADS:
                raise ValueError(f"boat: there are {ways:,} ways to fill it; choose a smaller boat or fewer pairs")

    def initial_state(self) -> Banks:
        return self._party, "", "left"

    def actions(self, state: Banks) -> list[str]:
        here, there = (state[0], state[1]) if state[2] == "left" else (state[1], state[0])
        return [load for load in self._loads if self._may_cross(load, here, there)]

    def result(self, state: Banks, action: str) -> Banks:
        left, right, side = state
        if side == "left":
            return self._without(left, action), self._in_order(right + action), "right"
        return self._in_order(left + action), self._without(right, action), "left"

    def is_goal(self, state: Banks) -> bool:
        return not state[0]

    def _may_cross(self, load: str, here: str, there: str) -> bool:
        aboard, ashore = Counter(load), Counter(here)
        if not aboard <= ashore:
            return False
        return self._is_safe(self._without(here, load)) and self._is_safe(there + load)

    def _is_safe(self, group: str) -> bool:
        """Whether nobody is in danger in this group."""
        if self.story == "wolf-goat-cabbage":
            return "F" in group or "G" not in group or not ("W" in group or "C" in group)
        if self.story == "missionaries":
            missionaries = group.count("M")
            return missionaries == 0 or missionaries >= len(group) - missionaries
        men = [person for person in group if person.isupper()]
        return not men or all(person.isupper() or person.upper() in men for person in group)

    @property
    def _pairs(self) -> int:
        return _PAIRS if self.pairs is None else self.pairs

    @cached_property
    def _party(self) -> str:
        """All travellers, in the order of their letters."""
        if self.story == "wolf-goat-cabbage":
            return "".join(_FARM)
        if self.story == "missionaries":
            return "M" * self._pairs + "C" * self._pairs
        return "".join(map("".join, zip(ascii_uppercase[: self._pairs], ascii_lowercase, strict=False)))

    @cached_property
    def _loads(self) -> dict[str, None]:
        """All loads of the boat, the smallest first."""
        return dict.fromkeys(load for load in self._crews() if self._is_safe(load))

    def _crews(self) -> Iterator[str]:
        """All groups that fit in the boat and contain somebody who can row."""
        if self.story == "missionaries":
            for size in range(1, min(self.boat, len(self._party)) + 1):
                for cannibals in range(max(0, size - self._pairs), min(size, self._pairs) + 1):
                    yield "M" * (size - cannibals) + "C" * cannibals
            return
        for size in range(1, min(self.boat, len(self._party)) + 1):
            for load in combinations(self._party, size):
                if self.story == "jealous-husbands" or "F" in load:
                    yield "".join(load)

    def _in_order(self, group: str) -> str:
        return "".join(sorted(group, key=self._party.index))

    def _without(self, group: str, load: str) -> str:
        for person in load:
            group = group.replace(person, "", 1)
        return group

    # How states and actions are written and read.

    def format_state(self, state: Banks) -> str:
        """Left bank, river and right bank: `FWGC [boat]~~~ -`."""
        left, right, side = state
        return f"{left or '-'} {_BOAT_LEFT if side == 'left' else _BOAT_RIGHT} {right or '-'}"

    def draw_state(self, state: Banks) -> str:
        left, right, side = state
        river = "\\__/~~~~~~~~" if side == "left" else "~~~~~~~~\\__/"
        width = len(self._spell(self._party))
        return f"{self._spell(left):>{width}} |{river}| {self._spell(right)}".rstrip()

    def describe_step(self, state: Banks, action: str, result: Banks) -> str:
        return f"{self._spell(action)} to the {result[2]}"

    def parse_state(self, text: str) -> Banks:
        seen = _SEEN.fullmatch("".join(text.split()))
        example = self.format_state(self.initial_state())
        if seen is None:
            raise ValueError(f"{text!r} is not two banks with a river and a boat between, such as {example!r}")
        left, right = (self._read(bank.replace("-", "")) for bank in seen.group(1, 3))
        if self._in_order(left + right) != self._party:
            raise ValueError(f"{text!r} does not have everybody once, as {example!r} has")
        return left, right, "left" if seen[2] else "right"

    def parse_action(self, text: str) -> str:
        """A load of the boat from its letters, in any order."""
        load = self._read("".join(text.replace(",", " ").split()))
        if load not in self._loads:
            rowed = " with the farmer among them" if self.story == "wolf-goat-cabbage" else ""
            raise ValueError(f"{text!r} is no load of the boat: 1 to {self.boat} of {self._party}{rowed}")
        return load

    def describe_action(self, action: str) -> str:
        if self.story == "missionaries":
            kinds = ((action.count("M"), "missionary"), (action.count("C"), "cannibal"))
            crew = listed([counted(count, kind).replace("ys", "ies") for count, kind in kinds if count])
        else:
            crew = listed([_FARM[person] if self.story == "wolf-goat-cabbage" else person for person in action])
        return f"{crew[0].upper()}{crew[1:]} cross{'es' if len(action) == 1 else ''}"

    # How the river and a crossing are drawn.

    def svg_state(self, state: Banks) -> Drawing:
        return self._picture.drawn(state[:2], state[2])

    def svg_action(self, action: str) -> Drawing:
        return self._picture.loaded(action)

    @cached_property
    def _picture(self) -> River:
        if self.story == "jealous-husbands":  # a wife has the colour of her husband
            hues = ("blue", "bad", "green", "bright-edge", "brown", "dark")
            return River(self._party, {who: hues[ascii_lowercase.index(who.lower()) % 6] for who in self._party})
        farm = {"F": "blue", "W": "dark", "G": "bright-edge", "C": "green"}
        return River(self._party, farm if self.story == "wolf-goat-cabbage" else {"M": "blue", "C": "bad"})

    def _read(self, letters: str) -> str:
        """Read typed letters; lower case is accepted unless it stands for wives."""
        letters = letters if self.story == "jealous-husbands" else letters.upper()
        strangers = [letter for letter in letters if letter not in self._party]
        if strangers:
            raise ValueError(f"there is no {strangers[0]!r} among {self._party}")
        return self._in_order(letters)

    def _spell(self, group: str) -> str:
        if not group:
            return "nobody"
        return ", ".join(_FARM[person] for person in group) if self.story == "wolf-goat-cabbage" else group

    # For counting: many parties at once, as numbers.

    def codes(self, states: Sequence[Banks]) -> Codes:
        return self._numbered.codes(states)

    def states_of(self, codes: Codes) -> list[Banks]:
        return self._numbered.states(codes)

    def code_bound(self) -> None:
        """Most numbers are parties that are not safe."""

    def all_actions(self) -> list[str]:
        return list(self._loads)

    def results_of(self, codes: Codes, action: str) -> tuple[Codes, Flags]:
        return self._numbered.crossed(codes, action)

    @cached_property
    def _numbered(self) -> BankCodes:
        from ._bank_codes import BankCodes  # which needs NumPy

        return BankCodes(self._party, self.story)
