"""A problem that is asked for what is needed, and the same game as a list: what the checker sees is the same."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch.verify import asked_game
from beliefsearch.verify.asked_game import AskedGame
from beliefsearch.verify.checker import BARRED, Counting, Game, WrongError
from beliefsearch.verify.listed_game import listed_game
from beliefsearch.verify.mean_bits import BitCounting

from ..contingent_problems import SightedTable, is_won, outcomes, price, sighted_problems
from ..examples import examples
from ..random_problems import belief_problems, plain_problems
from ..table_mutants import certain_problems, written

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
@given(st.one_of(PROBLEMS, plain_problems()), st.integers(0, 2**32), st.sampled_from((1, 2, 256)))
def test_the_same_is_answered_as_of_the_list(problem: Any, seed: int, many: int) -> None:
    """Along a way from the start, since a state has to come up before it is asked about."""
    random, document = Random(seed), written(listed_game(problem).document)
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
    document = listed_game(problem).document
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


def by_counting(counting: Counting, action: int, belief: dict[int, int]) -> Any:
    """What the starts of a belief pay at the least by an action, by counting alone."""
    paid, parts = counting.after(action, belief)
    return paid + sum(counting.cheapest * counting.least[sum(part.values())] for part in parts.values())


def test_actions_are_left_out_only_if_they_cost_enough() -> None:
    left_out = 0

    @settings(max_examples=examples(100))
    @given(certain_problems(), st.integers(0, 2**32))
    def look(problem: SightedTable, seed: int) -> None:
        nonlocal left_out
        game, random = Game(written(listed_game(problem).document)), Random(seed)
        try:
            plain, quick = Counting(game), BitCounting(game)
        except WrongError:
            return
        for _ in range(8):
            belief = dict.fromkeys(some(random, range(len(plain.place)))[: len(game.start)], 1)
            if plain.merge and len(belief) < len(game.start):
                belief[next(iter(belief))] += random.randint(0, len(game.start) - len(belief))
            total = random.randint(0, 12)
            applicable, looked_at = list(plain.cheap(belief, total)), list(quick.cheap(belief, total))
            assert looked_at == [a for a in applicable if a in looked_at]
            assert quick.is_won(belief) == plain.is_won(belief)
            others = {*applicable} - {*looked_at}
            left_out += len(others)
            assert all(by_counting(plain, a, belief) >= total for a in others), (belief, total)
            for s in belief:
                assert quick.barred(s) == sum(1 << a for a, see in enumerate(plain.see) if see[s] == BARRED)

    look()
    assert left_out > 0
