"""Listed games: what every action does in every state, in numbers, for checkers that know nothing of the puzzle.

The format is specified in docs/certificate-format.md. The listing asks the problem's own methods by the definition in
`model.belief` and `model.checked`; `canonical` and the hooks have no say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from attrs import define

from ..kinds import is_stochastic
from .asked_game import MOST_STARTS, AskedGame
from .chance_game import Chances, asked_chance_game
from .numbered import MOST_ROWS, with_names


@define
class ListedGame:
    """A game in numbers, and whose numbers these are.

    `states`, `actions` and `percepts` have the number of each by its JSON text, as plan files have it.
    """

    listing: Any
    states: dict[str, int]
    actions: dict[str, int]
    percepts: dict[str, int]

    def game(self) -> Any:
        """The same as the checker has it, without a file between; raises `ProblemError` if its numbers are too long."""
        return asked_chance_game(self.listing) if isinstance(self.listing, Chances) else self.listing

    @property
    def exact(self) -> bool:
        """Whether no number in a game of chance is a float."""
        return bool(self.listing.exact)

    @property
    def largest_utility(self) -> Fraction:
        """The largest utility of states in which a game of chance is over, as an absolute value."""
        return Fraction(self.listing.largest_utility)

    def named(self, message: object) -> str:
        """A message of the checker, with states, actions and percepts by their names."""
        return with_names(message, self.listing.parts)


def listed_game(
    problem: Any,
    tick: Callable[[], None] = lambda: None,
    most: int = MOST_ROWS,
    names: Mapping[str, Any] | None = None,
) -> ListedGame:
    """List a problem: every state that can come up, and what every action does there.

    States, actions and percepts that `names` lists are numbered first; of problems without probabilities.

    Raises
    ------
    ProblemError
        If there are more than `most` results, or the problem breaks its contract.
    """
    listing: Any
    if is_stochastic(problem):
        listing = Chances(problem, tick, most)
    else:
        listing = AskedGame(problem, names, tick, most_starts=min(most, MOST_STARTS))
        listing.walk(most)
    return ListedGame(listing, *(part.texts() for part in listing.parts))
