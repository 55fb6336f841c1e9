"""The pocket cube: Rubik's cube of 2 x 2 x 2."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import in_

from beliefsearch import Drawing, KnownAnswer
from beliefsearch.hooks import ReversibleCodeHook, ReversibleProblem

from ._cube import FACES, SOLVED, pieces, turned
from ._pictures import nets
from ._pictures.parts import agreed

if TYPE_CHECKING:
    from ._cube import Codes, CubeCodes

Turn: TypeAlias = str
"""A face and how far it is turned: `R` clockwise by a quarter, `R'` back by a quarter, `R2` by half a turn."""

_TURNED_FACES = "URF"
_AMOUNTS = {"any": ("", "2", "'"), "quarter": ("", "'"), "half": ("2",)}
_QUARTERS: dict[str, nets.Quarters] = {"": 1, "2": 2, "'": 3}
_BACK = {"": "'", "2": "2", "'": ""}


def parse_turns(text: str) -> tuple[Turn, ...]:
    """Turns one after the other: `R U2 F'`."""
    turns = tuple(text.replace("\u2019", "'").split())
    for turn in turns:
        if turn[:1] not in [*_TURNED_FACES] or turn[1:] not in _QUARTERS:
            raise ValueError(f"{turn!r} is no turn; use U, R and F, alone or with 2 or ' behind, as in \"R U2 F'\"")
    return turns


def format_turns(turns: Sequence[Turn]) -> str:
    """The inverse of `parse_turns`."""
    return " ".join(turns)


@frozen
class PocketCubeProblem(ReversibleProblem[str, Turn], ReversibleCodeHook[str, Turn]):
    """Turn the faces of a cube of 2 x 2 x 2 until each has one colour.

    Story
    -----
    A cube is made of eight smaller ones. Each of its faces, four small ones together, can be turned; somebody has done
    so, and the colours are mixed. How many turns bring every face back to one colour?

    Formal model
    ------------
    To turn a face is to turn the opposite one and then the whole cube in one's hand. So one corner may stay where it
    is, between the faces down, left and back, and what can be turned are the faces U (up), R (right) and F (front). A
    state is the 24 stickers face by face, U, R, F, D, L, B, row by row, each named by the face where it belongs. An
    action is a turn: `R` by a quarter, clockwise as one looks at the face, `R'` back, `R2` by a half. It costs 1. With
    `--turns quarter` a half turn must be made of two, with `--turns half` there are no others. The seven other corners
    can be anywhere and in any order, 7!, and all but one twisted in any way, 3^6: 3,674,160 positions. Half turns alone
    lead to 24 of these, and no other can be solved by them.

    A turn can be taken back, so the graph can be walked backwards. Played with `--blindfold`, every position that can
    be solved is a possible start.

    Source
    ------
    L. D. Nichols, patent US 3655201 (1972). How many positions there are at each distance: D. R. Hofstadter,
    "Metamagical Themas" (1985), p. 359; OEIS A079761 and A079762, after M. Longridge and J. Scherphuis.

    Known answers
    -------------
    No position takes more than 11 turns, and 2,644 take as many; in quarter turns 14, which 276 take. With half turns
    alone 4, by brute force, and blindfolded 23, one less than there are positions: no two are solved by one turn.
    """

    known_answers = (
        KnownAnswer({}, 6),
        KnownAnswer({"scramble": "R U F"}, 3),
        KnownAnswer({"scramble": "R U2 R F2 R2 F U2 R U2 R2 F2"}, 11),
        KnownAnswer({"scramble": "F U2 F U2 F2 R2 F U2 F", "turns": "quarter"}, 14),
        KnownAnswer({"scramble": "F2 U2 R2 U2", "turns": "half"}, 4),
        KnownAnswer({"scramble": "R", "turns": "half"}, None),
        KnownAnswer({"scramble": "F2", "turns": "half"}, 23, blindfold=True),
    )

    scramble: tuple[Turn, ...] = field(
        default=("R", "U2", "F", "R2", "U", "F2"),
        metadata={
            "help": 'turns of the solved cube that lead to the start, such as "R U2 F\'"',
            "parse": parse_turns,
            "format": format_turns,
        },
    )
    turns: Literal["any", "quarter", "half"] = field(
        default="any",
        validator=in_(tuple(_AMOUNTS)),
        metadata={"help": "what one turn may be: a quarter or a half, only a quarter, or only a half"},
    )

    @scramble.validator
    def _check_scramble(self, attribute: object, value: tuple[Turn, ...]) -> None:
        try:
            parse_turns(format_turns(value))
        except ValueError as error:
            raise ValueError(f"scramble: {error}") from None

    def initial_state(self) -> str:
        state = SOLVED
        for turn in self.scramble:
            state = self.result(state, turn)
        return state

    def possible_starts(self) -> Iterator[str]:
        """Every position that can be solved, breadth-first from the solved one."""
        found = {SOLVED}
        waiting = deque(found)
        while waiting:
            state = waiting.popleft()
            yield state
            after = {self.result(state, turn): None for turn in self._turns}
            waiting += [other for other in after if other not in found]
            found.update(after)

    def actions(self, state: str) -> tuple[Turn, ...]:
        return self._turns

    def result(self, state: str, action: Turn) -> str:
        return "".join([state[place] for place in _SOURCES[action]])

    def is_goal(self, state: str) -> bool:
        return state == SOLVED

    @cached_property
    def _turns(self) -> tuple[Turn, ...]:
        return tuple(face + amount for face in _TURNED_FACES for amount in _AMOUNTS[self.turns])

    # How states and actions are written, read and drawn.

    def format_state(self, state: str) -> str:
        return " ".join(state[place : place + 4] for place in range(0, 24, 4))

    def draw_state(self, state: str) -> str:
        """The net: up, then left, front, right and back, then down."""
        upper, lower = (
            {face: state[4 * place + row : 4 * place + row + 2] for place, face in enumerate(FACES)} for row in (0, 2)
        )
        lines = [f"   {rows['U']}" for rows in (upper, lower)]
        lines += [" ".join(rows[face] for face in "LFRB") for rows in (upper, lower)]
        return "\n".join(lines + [f"   {rows['D']}" for rows in (upper, lower)])

    def parse_state(self, text: str) -> str:
        stickers = "".join(text.split()).upper()
        if len(stickers) != len(SOLVED):
            raise ValueError(f"{text!r} should be the 24 stickers of a cube, such as {self.format_state(SOLVED)!r}")
        try:
            places, twists = pieces(stickers)
        except ValueError as error:
            raise ValueError(f"{text!r} is no cube: {error}") from None
        if (places[-1], twists[-1]) != (7, 0):
            raise ValueError(f"{text!r} should have D, L and B where these faces meet; hold the cube so")
        if sum(twists) % 3:
            raise ValueError(f"{text!r} is a cube of which a corner was twisted, and no turns lead there")
        return stickers

    def parse_action(self, text: str) -> Turn:
        turn = text.strip().upper().replace("\u2019", "'")
        if turn not in self._turns:
            raise ValueError(f"{text!r} is none of the turns {format_turns(self._turns)}")
        return turn

    def describe_action(self, action: Turn) -> str:
        face = {"U": "upper", "R": "right", "F": "front"}[action[0]]
        how = {"": "clockwise", "'": "counterclockwise", "2": "by a half turn"}[action[1:]]
        return f"Turn the {face} face {how}"

    def svg_state(self, state: str) -> Drawing:
        """The cube unfolded."""
        return nets.net(state)

    def svg_belief(self, states: Collection[str]) -> Drawing:
        """The stickers that all possible cubes have in the same place."""
        return nets.net(agreed(states, "?"))

    def svg_action(self, action: Turn) -> Drawing:
        return nets.face_turned(action[0], _QUARTERS[action[1:]])

    # For speed: the way back from the goal.

    def goal_states(self) -> list[str]:
        return [SOLVED]

    def predecessors(self, state: str) -> list[tuple[str, Turn]]:
        return [(self.result(state, _back(turn)), turn) for turn in self._turns]

    # For counting: many positions at once, as numbers.

    def codes(self, states: Sequence[str]) -> Codes:
        return self._numbered.codes(states)

    def states_of(self, codes: Codes) -> list[str]:
        return self._numbered.states(codes)

    def code_bound(self) -> int:
        return self._numbered.bound

    def all_actions(self) -> tuple[Turn, ...]:
        return self._turns

    def results_of(self, codes: Codes, action: Turn) -> tuple[Codes, None]:
        return self._numbered.turned(codes, action), None

    def goal_codes(self) -> Codes:
        return self.codes(self.goal_states())

    def origins_of(self, codes: Codes, action: Turn) -> Codes:
        return self._numbered.turned(codes, _back(action))

    @cached_property
    def _numbered(self) -> CubeCodes:
        from ._cube import CubeCodes  # which needs NumPy

        return CubeCodes({turn: self.result(SOLVED, turn) for turn in _SOURCES})


def _back(turn: Turn) -> Turn:
    """The turn that takes it back."""
    return turn[0] + _BACK[turn[1:]]


def _sources() -> dict[Turn, tuple[int, ...]]:
    """The sticker that comes to each place, by turn."""
    found = {}
    for face in _TURNED_FACES:
        quarter = turned(face)
        places = tuple(range(len(quarter)))
        for amount in ("", "2", "'"):
            places = tuple(places[place] for place in quarter)
            found[face + amount] = places
    return found


_SOURCES = _sources()
