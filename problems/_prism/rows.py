"""The whole game that a question makes of a model, as rows of numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from beliefsearch.hooks import ChanceRows

from .array_survey import ArraySurvey
from .expressions import State
from .game import BEFORE, Game
from .tables import Table, spread

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
        _bounds([len(first)] * before, counts[states]),
        [*listing.names, *first],
        actions,
        _bounds([len(outcomes) for outcomes in first.values()], sizes[some]),
        np.concatenate([number_of[starts], number_of[listing.results[entries]]]),
        listing.numbers.values,
        np.concatenate([np.array([place(chance) for chance, _ in begun], np.int64), listing.chances[entries]]),
        rewards,
        np.concatenate([np.zeros(before, np.int64), np.where(endings[states] > 0, worths[1], worths[0])]),
    )


def _endings(game: Game, survey: ArraySurvey) -> NDArray[Any]:
    """By number of a state: as `Game.ended`, and -1 where the game goes on."""
    found = np.where(survey.hopeful, -1, 0)
    if game.meant.rewards is not None:
        found[:] = 0 if game.is_infinite else -1
    elif game.meant.hinders:
        found[survey.inevitable] = 1
        if game.sees:
            found[survey.avoidable] = 0
    return np.where(survey.listing.over, survey.goals, found)


def _bounds(first: list[int], counts: NDArray[Any]) -> NDArray[Any]:
    """Where stretches of so many begin, and where the last one ends."""
    return np.cumsum(np.concatenate([np.array([0, *first], np.int64), counts]))
