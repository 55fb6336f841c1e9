"""A problem that is asked for what is needed, and the same game as a list: what the checker sees is the same."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch.proofs.game_documents import game_document, listed_game
from beliefsearch.verify import asked_game
from beliefsearch.verify.asked_game import AskedGame
from beliefsearch.verify.checker import Game, WrongError
from beliefsearch.verify.unmoved import Unmoved
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.mastermind import MastermindProblem

from ..contingent_problems import SightedTable, is_won, outcomes, price, sighted_problems
from ..examples import examples
from ..random_problems import TableBeliefProblem, belief_problems, plain_problems
from ..table_mutants import certain_problems, written


@frozen
class Loose(SightedTable):
    """Answers that are lists where others are tuples, and the other way round."""

    def actions(self, state: int) -> Iterable[str]:
        return tuple(self.table[state])

    def results(self, state: int, action: str) -> Iterable[int]:
        return list(self.table[state][action])

    def percepts(self, state: int, action: str) -> Any:
        return list(self.sights[action, state])


def loose(table: SightedTable) -> Loose:
    return Loose(table.starts, table.table, table.goals, table.sights, table.costs)


WITHOUT_COSTS = st.sampled_from((DevilProblem(n=2), MastermindProblem(pegs=2, colours=2)))
PROBLEMS = st.one_of(belief_problems(), sighted_problems(), sighted_problems(deterministic=True), certain_problems())


Answers = tuple[Any, ...]


def answers(game: Game, members: list[int], parts: list[list[int]]) -> Answers:
    """All that the checker may ask about a belief."""
    by_action = {
        action: (game.cost(action, members), game.outcomes(action, members)) for action in game.applicable(members)
    }
    single = {
        action: [game.outcome(action, members, percept) for percept in sorted(outcomes)]
        for action, (_, outcomes) in by_action.items()
    }
    moving = list(game.moving(members, parts))
    around = [bool(game.goals_around(s)) for s in members]
    return game.is_won(members), around, by_action, single, moving, ways(game, members[0])


def ways(game: Game, state: int) -> Any:
    """Percepts and results where they are certain, else the complaint."""
    try:
        return game.ways(state)
    except WrongError as error:
        return str(error)


def some(random: Random, members: Iterable[int]) -> list[int]:
    """Some of them, at least one, in any order."""
    known = sorted(members)
    return random.sample(known, random.randint(1, len(known)))


@settings(max_examples=examples(100))
@given(
    st.one_of(PROBLEMS, plain_problems(), sighted_problems().map(loose), WITHOUT_COSTS),
    st.integers(0, 2**32),
    st.sampled_from((1, 2, 256)),
)
def test_the_same_is_answered_as_of_the_list(problem: Any, seed: int, many: int) -> None:
    """Along a way from the start, since a state has to come up before it is asked about."""
    random, document = Random(seed), written(game_document(listed_game(problem)))
    listed, asked = Game(document), AskedGame(problem, document["names"])
    assert listed.start == asked.start
    belief = listed.start
    with patch.object(asked_game, "MANY", many):
        for _ in range(8):
            members = some(random, belief)
            parts = [some(random, members) for _ in range(random.randrange(3))]
            assert answers(listed, members, parts) == answers(asked, members, parts), (members, parts)
            outcomes = [part for a in listed.applicable(members) for part in listed.outcomes(a, members).values()]
            belief = random.choice(outcomes or [listed.start])


@settings(max_examples=examples(60))
@given(PROBLEMS)
def test_the_list_is_what_the_problem_says(problem: Any) -> None:
    """By the definition in tests/contingent_problems.py, in the problem's own words."""
    document = game_document(listed_game(problem))
    game, names = Game(written(document)), document["names"]
    states, actions, percepts = (names[part] for part in ("states", "actions", "percepts"))
    assert {states[s] for s in game.start} == {*problem.starts}
    for s, state in enumerate(states):
        applicable = {actions[a] for a in game.applicable([s])}
        assert applicable == {*problem.table[state]}
        assert game.is_won([s]) == is_won(problem, frozenset([state]))
        for a in game.applicable([s]):
            assert game.cost(a, [s]) == price(problem, frozenset([state]), actions[a])
            found = {
                percepts[o] if percepts else None: {states[t] for t in after}
                for o, after in game.outcomes(a, [s]).items()
            }
            assert found == outcomes(problem, frozenset([state]), actions[a])


def test_a_percept_that_is_named_twice_is_one() -> None:
    sights: dict[tuple[str, int], tuple[str, ...]] = {("a", 0): ("x", "x"), ("a", 1): ("x",)}
    problem = SightedTable((0, 1), ({"a": (0,)}, {"a": (1,)}), (frozenset(),), sights)
    document = written(game_document(listed_game(problem)))
    with patch.object(asked_game, "MANY", 1):
        for game in (Game(document), AskedGame(problem, document["names"])):
            assert list(game.moving([0, 1], [[0, 1]])) == []


@pytest.mark.parametrize("many", [1, 256])
def test_what_is_perceived_in_two_ways_is_looked_at(many: int) -> None:
    """Of four actions that leave both states as they are one alone has the cost 1 and one percept in both."""
    sights: dict[tuple[str, int], tuple[str, ...]]
    table: tuple[dict[str, tuple[int, ...]], ...]
    sights = {(action, s): ("x",) for action in "abcde" for s in (0, 1)}
    sights.update({("b", 0): ("x", "y"), ("b", 1): ("x", "y"), ("c", 1): ("y",)})
    table = {**dict.fromkeys("abcd", (0,)), "e": (1,)}, dict.fromkeys("abcde", (1,))
    costs = {(s, action): 2 if action == "d" else 1 for s in (0, 1) for action in "abcde"}
    problem = SightedTable((0, 1), table, (frozenset(),), sights, costs)
    document = written(game_document(listed_game(problem)))
    actions = document["names"]["actions"]
    for game in (Game(document), AskedGame(problem, document["names"])):
        with patch.object(asked_game, "MANY", many):
            moving = [
                "".join(actions[a] for a in game.moving(sorted(game.start), [part]))
                for part in (sorted(game.start), [0], [1])
            ]
        assert list(map(sorted, moving)) == [list("bcde"), list("bde"), list("bd")]


class ManyPercepts(TableBeliefProblem):
    """Nothing ever moves, and each action tells every state by a percept of its own."""

    def actions(self, state: int) -> Any:
        return tuple(range(300))

    def results(self, state: int, action: Any) -> Any:
        return (state,)

    def percepts(self, state: int, action: Any) -> Any:
        return ((state, action),)


def test_more_percepts_than_two_bytes_have_are_told_apart() -> None:
    problem = ManyPercepts(tuple(range(300)), ({},) * 300, (frozenset({0}),))
    unmoved = Unmoved(problem, problem.actions(0))
    for state in range(300):
        assert not unmoved.move([(state, state)]).any()
    for pair in ((0, 1), (0, 299), (298, 299)):
        assert unmoved.move((state, state) for state in pair).all()
