"""The rotating table: bring all glasses the same way up, feeling some of them at a time."""

import re
from collections.abc import Collection, Hashable, Iterator
from functools import cached_property
from itertools import combinations, product
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.hooks import BeliefClassHook

from ._pictures import coins as pictures
from ._pictures.coins import Coins, table
from ._pictures.parts import agreed, counted, listed

Places: TypeAlias = tuple[int, ...]

Table: TypeAlias = tuple[str, Places]
"""The glasses in order round the table, `U` up or `D` down, and the places being felt."""

Act: TypeAlias = tuple[Literal["feel", "turn"], Places]
"""An action: feel the glasses at these places, or turn over those at these."""

Touch: TypeAlias = str | None
"""The glasses felt, in order of their places; or `bell`; or nothing."""

_BELL = "bell"
_OTHER_WAY = str.maketrans("UD", "DU")


@frozen
class FourGlassesProblem(BeliefProblem[Table, Act, Touch], BeliefClassHook[Table]):
    """Bring all glasses on a rotating table the same way up, feeling only some of them at a time.

    Story
    -----
    N glasses stand evenly spaced round a table, some up and some down; you are blindfolded. Each turn you name
    K places. The table is turned as somebody likes; then you feel the glasses that are now at those places, and
    may turn over any of those. A bell rings, and the game stops, as soon as all glasses stand the same way.
    How many turns are enough for certain?

    Formal model
    ------------
    A turn is two actions. `feel` names the places and costs 1; the results are all turns of the table, and the
    percept are the glasses at those places, in order. `turn` turns over some of them and costs nothing. States
    are the glasses and the places felt; every arrangement is possible at the start, also a won one. The percept
    in won states is `bell`, otherwise after `turn` there is none. Arrangements that differ by a turn of the table
    are equivalent between turns, and of choices of places that do only the first one may be named.

    With `--look 0` nothing is felt and the bell is not heard before the end: one names the places of the glasses
    to turn over, the table is turned, they are turned over, and that costs 1.

    Source
    ------
    M. Gardner, "Mathematical Games" (Scientific American, February and March 1979); W. T. Laaser and L. Ramshaw,
    "Probing the rotating table" (1981), for other numbers of glasses.

    Known answers
    -------------
    4 glasses, 2 felt: 5 turns; 1 felt: nothing is certain to win; blind: 7 turns. For N glasses the player can
    win if and only if K is at least (1 - 1/p) N, where p is the largest prime factor of N. With `--goal all-up`
    he must feel all of them, or play the blind game: one that is down can be kept from him for ever.
    """

    known_answers = (
        KnownAnswer({}, 5),
        KnownAnswer({"look": 1}, None),
        KnownAnswer({"look": 0}, 7),
        KnownAnswer({"goal": "all-up"}, None),
    )

    n: int = field(default=4, validator=ge(1), metadata={"help": "number of glasses on the table"})
    look: int = field(
        default=2, validator=ge(0), metadata={"help": "how many glasses are felt in a turn, K; 0: the blind game"}
    )
    goal: Literal["all-same", "all-up"] = field(
        default="all-same",
        validator=in_(("all-same", "all-up")),
        metadata={"help": "how all glasses must stand: the same way, or up"},
    )

    def __attrs_post_init__(self) -> None:
        if self.look > self.n:
            raise ValueError(f"look: {self.look} glasses cannot be felt, there are only {self.n}")

    def has_adversary(self) -> bool:
        """Somebody turns the table who does not want you to win."""
        return True

    def initial_states(self) -> Iterator[Table]:
        return (("".join(glasses), ()) for glasses in product("UD", repeat=self.n))

    def actions(self, state: Table) -> tuple[Act, ...]:
        felt = state[1]
        if not felt:
            return self._first_acts
        return tuple(("turn", places) for size in range(len(felt) + 1) for places in combinations(felt, size))

    def results(self, state: Table, action: Act) -> list[Table]:
        if self.is_goal(state):
            return [state]  # the game has stopped
        glasses, felt = state
        kind, places = action
        if felt:
            return [(_turned_over(glasses, places), ())]
        turned = _rotations(glasses)
        if kind == "feel":
            return [(glasses, places) for glasses in turned]
        return [(_turned_over(glasses, places), ()) for glasses in turned]

    def percepts(self, state: Table, action: Act) -> tuple[Touch]:
        if self.is_sensorless():
            return (None,)
        if self.is_goal(state):
            return (_BELL,)
        glasses, felt = state
        return ("".join(glasses[place] for place in felt) or None,)

    def is_sensorless(self) -> bool:
        return self.look == 0

    def is_goal(self, state: Table) -> bool:
        glasses = state[0]
        return "D" not in glasses or (self.goal == "all-same" and "U" not in glasses)

    def action_cost(self, state: Table, action: Act) -> int:
        return 0 if state[1] else 1

    def has_unit_costs(self) -> bool:
        return self.look == 0

    @cached_property
    def _first_acts(self) -> tuple[Act, ...]:
        """The actions when no glass is felt: the first of each class of places that turn into each other."""
        sizes = [self.look] if self.look else range(1, self.n + 1)
        chosen = (places for size in sizes for places in combinations(range(self.n), size))
        kind: Literal["feel", "turn"] = "feel" if self.look else "turn"
        return tuple((kind, places) for places in dict.fromkeys(map(self._first_of_class, chosen)))

    def _first_of_class(self, places: Places) -> Places:
        """The first of the choices of places that turning the table makes of these."""
        return min(tuple(sorted((place + turn) % self.n for place in places)) for turn in range(self.n))

    # How states and actions are written and read.

    def format_percept(self, percept: Touch) -> str:
        return "nothing" if percept is None else percept

    def format_state(self, state: Table) -> str:
        """The glasses; those that are felt in brackets: `[U]D[U]D`."""
        glasses, felt = state
        return "".join(f"[{glass}]" if place in felt else glass for place, glass in enumerate(glasses))

    def parse_state(self, text: str) -> Table:
        glasses = text.replace("[", "").replace("]", "")
        if len(glasses) == self.n and set(glasses) <= {"U", "D"}:
            choices = [(), *(places for kind, places in self._first_acts if kind == "feel")]
            for state in ((glasses, felt) for felt in choices):
                if self.format_state(state) == text:
                    return state
        example = self.format_state(("U" * self.n, self._first_acts[0][1] if self.look else ()))
        raise ValueError(f"{text!r} is not {self.n} letters U and D, perhaps with {self.look} in brackets: {example}")

    def format_action(self, action: Act) -> str:
        kind, places = action
        return f"{kind} {' '.join(map(str, places)) or 'none'}"

    def parse_action(self, text: str) -> Act:
        """`feel` or `turn`, or its first letter, and the places: `feel 0 2`, `f02` for up to ten; `turn none`.

        Before glasses are felt the table may be turned anyway, so there any places are understood as those of
        their class that may be named.
        """
        read = re.fullmatch(r"\s*(f|t)(?:eel|urn)?(.*)", text.lower())
        if read is not None:
            words = read[2].replace("none", "").replace(",", " ").split()
            if len(words) == 1 and self.n <= 10:
                words = list(words[0])
            if all(word.isdecimal() and int(word) < self.n for word in words):
                places = tuple(sorted(set(map(int, words))))
                if self.look and read[1] == "t" and len(places) <= self.look:
                    return "turn", places
                kind: Literal["feel", "turn"] = "feel" if read[1] == "f" else "turn"
                if (kind, self._first_of_class(places)) in self._first_acts:
                    return kind, self._first_of_class(places)
        kinds = f"'feel' with {self.look} places or 'turn' with some of them" if self.look else "'turn' with places"
        raise ValueError(f"{text!r} is not {kinds} from 0 to {self.n - 1}, such as {self._example!r}")

    @property
    def _example(self) -> str:
        return self.format_action(self._first_acts[0])

    def describe_action(self, action: Act) -> str:
        kind, places = action
        what = counted(len(places), "glass").replace("glasss", "glasses")
        if not places:
            return "Turn no glass over"
        return f"Feel {what}: {listed(places)}" if kind == "feel" else f"Turn {what} over: {listed(places)}"

    # How states, beliefs and actions are drawn.

    def svg_state(self, state: Table) -> Drawing:
        return pictures.glasses(self._table, state[0], state[1])

    def svg_belief(self, states: Collection[Table]) -> Drawing:
        """The glasses as felt; once the table may have been turned, a glass is known only if all stand alike."""
        if len(states) == 1:
            return self.svg_state(*states)
        hands = {felt for _, felt in states}
        felt = min(hands) if len(hands) == 1 else ()
        known = agreed((glasses for glasses, _ in states), "?") if felt else ["?"] * self.n
        return pictures.glasses(self._table, known, felt, count=len(states))

    def svg_action(self, action: Act) -> Drawing:
        return pictures.touched(self._table, action[1], turned=action[0] == "turn")

    @cached_property
    def _table(self) -> Coins:
        return table(self.n)

    # For speed: the table may be turned anyway, and read the other way round.

    def canonical(self, state: Table) -> Table:
        glasses, felt = state
        return state if felt else (max(_rotations(glasses)), felt)

    def belief_class(self, belief: frozenset[Table]) -> Hashable:
        """The belief up to rotation and reflection and, if either way up wins, turning over all glasses."""
        flips = (False, True) if self.goal == "all-same" else (False,)
        if any(felt for _, felt in belief):
            return min(tuple(sorted(_mapped(belief, flip=flip))) for flip in flips)
        return min(
            tuple(sorted({self.canonical(table) for table in _mapped(belief, flip=flip, mirror=mirror)}))
            for flip in flips
            for mirror in (False, True)
        )


def _rotations(glasses: str) -> list[str]:
    return list(dict.fromkeys(glasses[turn:] + glasses[:turn] for turn in range(len(glasses))))


def _turned_over(glasses: str, places: Places) -> str:
    return "".join(glass.translate(_OTHER_WAY) if place in places else glass for place, glass in enumerate(glasses))


def _mapped(belief: frozenset[Table], *, flip: bool = False, mirror: bool = False) -> Iterator[Table]:
    """The tables with all glasses turned over, or in reverse order."""
    for glasses, felt in belief:
        read = glasses[::-1] if mirror else glasses
        yield read.translate(_OTHER_WAY) if flip else read, felt
