"""The graph of many states as arrays: what a `Survey` says about reaching a goal, and the game as rows of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from beliefsearch.hooks import ChanceRows

from .expressions import State
from .game import BEFORE, Game
from .listing import Listing
from .tables import Table, bounds, spread

if TYPE_CHECKING:
    from numpy.typing import NDArray


@frozen(eq=False)
class ArraySurvey:
    """The states of a listing, with all that a `Survey` has."""

    listing: Listing

    @property
    def goals(self) -> NDArray[Any]:
        """Marks of the states in which the goal is reached."""
        return self.listing.goals

    @property
    def moves(self) -> NDArray[Any]:
        return self.listing.moves

    def number(self, state: State) -> int | None:
        return self.listing.number(state)

    def states(self, numbers: Sequence[int]) -> list[State]:
        return self.listing.states(np.array(numbers, np.int64))

    @cached_property
    def hopeful(self) -> NDArray[Any]:
        return self.reaching(self.goals)

    @cached_property
    def avoidable(self) -> NDArray[Any]:
        lost, barred = self.goals.copy(), np.zeros(len(self._owners), bool)
        self._give_up(lost, barred, np.diff(self.moves), np.flatnonzero(lost))
        return ~lost

    @cached_property
    def inevitable(self) -> NDArray[Any]:
        return ~self.reaching(self.avoidable)

    @property
    def sure(self) -> NDArray[Any]:
        return self._sure[0]

    @property
    def sure_moves(self) -> NDArray[Any]:
        return self._sure[1]

    @cached_property
    def _sure(self) -> tuple[NDArray[Any], NDArray[Any]]:
        lost, barred, choices = np.zeros(len(self.goals), bool), np.zeros(len(self._owners), bool), np.diff(self.moves)
        while (more := ~self.reaching(self.goals, barred) & ~lost).any():
            lost |= more
            self._give_up(lost, barred, choices, np.flatnonzero(more))
        return ~lost, ~barred & ~lost[self._owners]

    def _give_up(self, lost: NDArray[Any], barred: NDArray[Any], choices: NDArray[Any], frontier: NDArray[Any]) -> None:
        while len(frontier):
            moves = np.unique(self._into(frontier))
            moves = moves[~barred[moves]]
            barred[moves] = True
            states, fewer = np.unique(self._owners[moves], return_counts=True)
            choices[states] -= fewer
            frontier = states[(choices[states] == 0) & ~lost[states]]
            lost[frontier] = True

    def reaching(self, marks: Sequence[bool] | NDArray[Any], barred: NDArray[Any] | None = None) -> NDArray[Any]:
        reached = np.array(marks, bool)
        frontier = np.flatnonzero(reached)
        while len(frontier):
            moves = self._into(frontier)
            states = self._owners[moves if barred is None else moves[~barred[moves]]]
            frontier = np.unique(states[~reached[states]])
            reached[frontier] = True
        return reached

    def _into(self, states: NDArray[Any]) -> NDArray[Any]:
        """The moves by which the game may come to some states."""
        moves, begins, counts = self._reverse
        into: NDArray[Any] = moves[spread(begins[states], counts[states])[1]]
        return into

    @cached_property
    def _reverse(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The moves of all outcomes in the order of their results; by state, its first one and how many it has."""
        results = self.listing.results
        counts = np.bincount(results, minlength=len(self.goals))
        movers = np.repeat(np.arange(len(self._owners)), np.diff(self.listing.outcomes))
        return movers[np.argsort(results, kind="stable")], np.cumsum(counts) - counts, counts

    @property
    def _owners(self) -> NDArray[Any]:
        return self.listing.owners


def rows_of(game: Game, survey: ArraySurvey, reward: Callable[[State, str], Any]) -> ChanceRows[State, str]:
    """Everything that can come up in a game, numbered breadth-first; `reward` is what an action pays in a state."""
    listing, endings = survey.listing, _endings(game, survey)
    goes_on = (endings < 0)[listing.owners]
    moves = np.flatnonzero(goes_on & survey.sure_moves if game.leaves_out else goes_on)
    counts = np.bincount(listing.owners[moves], minlength=len(endings))
    begins, sizes = np.cumsum(counts) - counts, np.diff(listing.outcomes)

    def following(states: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The moves of some states, and their outcomes."""
        some = moves[spread(begins[states], counts[states])[1]]
        return some, spread(listing.outcomes[some], sizes[some])[1]

    before = int(game.start == BEFORE)
    first = game.moves(BEFORE) if before else {}
    begun = [outcome for outcomes in first.values() for outcome in outcomes]
    starts = np.array([game.number(state) for _, state in begun], np.int64)
    frontier = starts if before else np.zeros(1, np.int64)
    met = [frontier]
    number_of = np.full(len(counts), -1)
    while len(frontier):
        number_of[frontier] = 0
        results = listing.results[following(frontier)[1]]
        results = results[number_of[results] < 0]
        frontier = results[np.sort(np.unique(results, return_index=True)[1])]
        met.append(frontier)
    states = np.concatenate(met)
    number_of[states] = np.arange(len(states)) + before
    some, entries = following(states)
    place = listing.numbers.place
    worths = {ended: place(game.worth(ended)) for ended in (0, 1)}
    actions = np.concatenate([np.arange(len(first)) + len(listing.names), listing.actions[some]])
    rewards = np.full(len(actions), place(0))

    def paid(action: str, state: State) -> int:
        return place(reward(state, action))

    if game.meant.rewards is not None:
        columns = listing.code.columns(listing.codes[listing.owners[some]])
        for action in np.unique(listing.actions[some]).tolist():
            name = listing.names[action]
            reads, of_action = game.read_by_rewards(name), np.flatnonzero(listing.actions[some] == action)
            table = Table(reads, listing.code.ranges, partial(paid, name))
            rewards[of_action + len(first)] = table.of(columns.among(of_action))
    return ChanceRows(
        [BEFORE] * before + listing.states(states),
        1,
        bounds([len(first)] * before, counts[states]),
        [*listing.names, *first],
        actions,
        bounds([len(outcomes) for outcomes in first.values()], sizes[some]),
        np.concatenate([number_of[starts], number_of[listing.results[entries]]]),
        listing.numbers.values,
        np.concatenate([np.array([place(chance) for chance, _ in begun], np.int64), listing.chances[entries]]),
        rewards,
        np.concatenate([np.zeros(before, np.int64), np.where(endings[states] > 0, worths[1], worths[0])]),
    )


def _endings(game: Game, survey: ArraySurvey) -> NDArray[Any]:
    """The end of the game in each state: as `Game.ended`, and -1 where the game goes on."""
    found = np.where(survey.hopeful, -1, 0)
    if game.meant.rewards is not None:
        found[:] = 0 if game.is_infinite else -1
    elif game.meant.hinders:
        found[survey.inevitable] = 1
        if game.sees:
            found[survey.avoidable] = 0
    return np.where(survey.listing.over, survey.goals, found)
