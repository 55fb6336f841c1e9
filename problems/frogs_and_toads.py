"""Frogs and toads: let them change places on a row of stones."""

from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import Drawing, KnownAnswer, Problem

from ._pictures.coins import strip
from ._typed import FromTo

Move: TypeAlias = tuple[int, int]
"""From which stone to which."""


@frozen
class FrogsAndToadsProblem(FromTo, Problem[str, Move]):
    """Let frogs and toads change places on a row of stones with one free stone.

    Story
    -----
    Frogs sit on the left stones of a row and look to the right, toads on the right ones and look to the left; one stone
    between them is free. Each hops on to the next stone, or over one of the others, if the stone there is free; nobody
    goes back. How many hops until all have changed places?

    Formal model
    ------------
    A state is the row: `F`, `T`, and `.` for the free stone. A frog moves to the right and a toad to the left, by one
    place onto the free stone, or by two over an animal of the other kind. Every move costs 1. The goal is that all
    toads are left of the free stone, where the frogs were, and all frogs right of it.

    Source
    ------
    E. Lucas, "Récréations mathématiques" 2 (1883), "jeu des grenouilles"; W. W. Rouse Ball, "Mathematical Recreations
    and Essays" (1892).

    Known answers
    -------------
    F frogs and T toads take F T + F + T moves: each frog passes each toad by one jump of two places, and together they
    go (F + T) + 2 F T places. 3 and 3: 15; 4 and 4: 24; 2 and 3: 11.
    """

    known_answers = (
        KnownAnswer({}, 15),
        KnownAnswer({"frogs": 4, "toads": 4}, 24),
        KnownAnswer({"frogs": 2}, 11),
    )

    frogs: int = field(default=3, validator=ge(1), metadata={"help": "number of frogs, on the left"})
    toads: int = field(default=3, validator=ge(1), metadata={"help": "number of toads, on the right"})

    def initial_state(self) -> str:
        return "F" * self.frogs + "." + "T" * self.toads

    def actions(self, state: str) -> list[Move]:
        free = state.index(".")
        steps = ((free - 1, "F", ""), (free + 1, "T", ""), (free - 2, "F", "T"), (free + 2, "T", "F"))
        return [
            (place, free)
            for place, animal, over in steps
            if 0 <= place < len(state) and state[place] == animal and over in ("", state[(place + free) // 2])
        ]

    def result(self, state: str, action: Move) -> str:
        place, free = action
        row = list(state)
        row[place], row[free] = row[free], row[place]
        return "".join(row)

    def is_goal(self, state: str) -> bool:
        return state == "T" * self.toads + "." + "F" * self.frogs

    # How states and actions are written, read and drawn.

    def parse_state(self, text: str) -> str:
        if sorted(text) != sorted(self.initial_state()):
            raise ValueError(f"{text!r} is not a row such as {self.initial_state()!r}")
        return text

    def describe_action(self, action: Move) -> str:
        """Hops and jumps."""
        how = "Hop" if abs(action[0] - action[1]) == 1 else "Jump"
        return f"{how} from stone {action[0] + 1} to stone {action[1] + 1}"

    def svg_state(self, state: str) -> Drawing:
        return strip(state, bright="F")
