"""The records of games: one game turn by turn, or the outcomes of many."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Generic

from attrs import field, frozen

from ..model.base import Action, Number, Percept, State
from ..model.belief import Belief
from ..model.canvas.html import box, line, picture, table
from ..model.distribution import Distribution
from ..model.values import stable_text
from ..plans.drawings.parts import draw_bars
from ..plans.wording import plural

_SPREAD = 1.959964  # 95 % of a normal distribution lie within so many standard errors


@frozen
class Turn(Generic[State, Action, Percept]):
    """A turn of a game: the action and its outcome.

    Attributes
    ----------
    action
        The action.
    state
        The state that followed.
    percept
        The percept; None if there was none, or if a sequence was played, which does not use percepts.
    belief
        The player's belief after the turn; None unless beliefs were asked for.
    likely
        The belief as a distribution, if a policy graph was played.
    """

    action: Action
    state: State
    percept: Percept | None = None
    belief: Belief[State] | None = None
    likely: Distribution[State] | None = None


@frozen
class Game(Generic[State, Action, Percept]):
    """One game: of a plan, which is won or lost, or of a policy, which has a utility.

    Attributes
    ----------
    start
        The first state.
    turns
        The turns; the whole plan is played.
    won_after
        The number of actions after which the game was won; None if it was not. A game of a sequence is won when the
        state becomes a goal and stays one. With `goal_sets`, and for a conditional plan, it is won at the end of the
        plan if the player knows that it is won.
    utility
        The sum of the rewards and of the utility of the terminal state, discounted if the problem discounts; None for
        problems that are not stochastic.
    """

    start: State
    turns: tuple[Turn[State, Action, Percept], ...]
    won_after: int | None = None
    utility: Number | None = None

    @property
    def lost(self) -> bool:
        """Whether a game of a plan was not won."""
        return self.won_after is None and self.utility is None

    def _repr_html_(self) -> str:
        """For notebooks: the game turn by turn."""
        end = "lost" if self.lost else f"won after {plural(self.won_after or 0, 'action')}"
        end = end if self.utility is None else f"worth {self.utility}"
        rows = [
            (
                number,
                *("" if value is None else stable_text(value) for value in (turn.action, turn.percept, turn.state)),
            )
            for number, turn in enumerate(self.turns, 1)
        ]
        start = line(f"from the start {stable_text(self.start)}")
        return box(f"Game, {end}", start, table(rows, ("turn", "action", "percept", "state that followed")))


@frozen
class Simulation(Generic[State]):
    """Many games of a plan.

    Attributes
    ----------
    won_after
        The number of games that were won after each number of actions, in ascending order (see `Game`).
    lost_from
        The starts of the games that were not won.
    stopped
        Why there are fewer games than were asked for; None if there are not.
    """

    won_after: Mapping[int, int]
    lost_from: tuple[State, ...]
    stopped: str | None = None

    @property
    def games(self) -> int:
        """Count the games."""
        return self.won + self.lost

    @property
    def won(self) -> int:
        """Count the games that were won."""
        return sum(self.won_after.values())

    @property
    def lost(self) -> int:
        """Count the games that were not won."""
        return len(self.lost_from)

    @property
    def mean(self) -> float:
        """The mean number of actions of the games that were won; NaN if none was."""
        if not self.won:
            return math.nan
        return sum(actions * count for actions, count in self.won_after.items()) / self.won

    def _repr_html_(self) -> str:
        """For notebooks: the number of games that were won, and a histogram of their lengths."""
        parts = [line(self.stopped)] if self.stopped else []
        if self.won:
            title = "games won after so many actions"
            parts += [line(f"won after {self.mean:.2f} actions on average"), _bars(self.won_after, title)]
        return box(f"{plural(self.games, 'game')}, {self.won:,} won", *parts)


@frozen
class PolicySimulation:
    """Many games of a policy.

    Attributes
    ----------
    utilities
        The number of games with each utility, in ascending order (see `Game`).
    steps
        The number of actions in all games together.
    stopped
        Why there are fewer games than were asked for; None if there are not.
    """

    utilities: Mapping[Number, int]
    steps: int
    stopped: str | None = None

    @property
    def games(self) -> int:
        """Count the games."""
        return sum(self.utilities.values())

    @property
    def mean(self) -> float:
        """The mean utility; NaN if no game was played."""
        if not self.games:
            return math.nan
        return sum(float(utility) * count for utility, count in self.utilities.items()) / self.games

    @property
    def standard_error(self) -> float:
        """The standard error of the mean utility."""
        mean, games = self.mean, self.games
        if not games:
            return math.nan
        squares = sum((float(utility) - mean) ** 2 * count for utility, count in self.utilities.items())
        return float((squares / games / games) ** 0.5)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval in which the mean utility lies with 95 % confidence.

        If every utility is 0 or 1, or 0 or -1, it is Wilson's score interval (1927), which also holds for few games.
        """
        mean, spread = self.mean, _SPREAD * self.standard_error
        signs = {-1 if utility < 0 else 1 for utility in self.utilities if utility}
        if not self.games or len(signs) > 1 or not {abs(utility) for utility in self.utilities} <= {0, 1}:
            return mean - spread, mean + spread
        square = _SPREAD**2 / self.games
        if not signs:  # all utilities are 0, and others might lie on either side
            return -square / (1 + square), square / (1 + square)
        share, half, (sign,) = abs(mean), (spread**2 + square**2 / 4) ** 0.5, signs
        ends = sorted(sign * (share + square / 2 + way * half) / (1 + square) for way in (-1, 1))
        return ends[0], ends[1]

    def _repr_html_(self) -> str:
        """For notebooks: the mean, and a histogram of utilities."""
        parts = [line(self.stopped)] if self.stopped else []
        if self.games:
            parts.append(line(f"mean utility {self.mean:.6g}, standard error {self.standard_error:.2g}"))
            parts.append(_bars(self.utilities, "games that ended with so much"))
        return box(plural(self.games, "game"), *parts)


def _bars(counts: Mapping[Number, int] | Mapping[int, int], across: str) -> str:
    return picture(draw_bars({float(number): count for number, count in counts.items()}, across), across)


@frozen
class ManyGames(Generic[State]):
    """Many games to be played, and the outcomes of those that are finished.

    There are `games` in all, from random starts, or with `every_start` that many from each. `starts` are by default all
    possible ones. Won games are counted by their number of actions; lost games by their starts. `tell` is called with
    the numbers of finished games and of actions so far. After an interruption the finished games are recorded.
    """

    games: int
    chance: Random
    every_start: bool
    starts: Sequence[State] | None
    tell: Callable[[int, int], None]
    won_after: Counter[int] = field(factory=Counter)
    lost_from: list[State] = field(factory=list)

    def begin(self, starts: Sequence[State]) -> Iterator[State]:
        """Yield the start of each game, one of `starts`."""
        if self.every_start:
            return (start for start in starts for _ in range(self.games))
        return (self.chance.choice(starts) for _ in range(self.games))
