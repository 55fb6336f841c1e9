"""The devil's game in closed form: against the theorem, brute force, the searches, and wrong evidence."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import pytest

from beliefsearch import Limits, Status, check_plan, solve
from beliefsearch.hooks import Construction
from beliefsearch_problems.devil import DevilProblem

from ..examples import thorough
from .test_devil import PLAN_2, PLAN_4_ALL_MOVES, PLAN_4_CANONICAL
from .test_devil_family import all_heads, equal, least_moves

GROUPS = ("turns", "reflections", "permutations")
GOALS = ("all-heads", "all-same")


def answer(devil: Any) -> Construction[Any]:
    """The constructed answer, whose evidence has been checked as it comes back from a file."""
    found: Construction[Any] = devil.construction()
    assert devil.check_construction(json.loads(json.dumps(found.evidence))) == found.length
    return found


def plan_of(found: Construction[Any]) -> list[Any]:
    assert found.length is not None
    return [found.action_at(place) for place in range(found.length)]


def theorem(n: int, faces: int, group: str, goal: str) -> int | None:
    """The published answer, from the order of the group as a number."""
    order = {"turns": n, "reflections": 2 * n if n > 2 else n, "permutations": math.factorial(n)}[group]
    divisors = [divisor for divisor in range(2, faces + 1) if faces % divisor == 0]
    primes = [divisor for divisor in divisors if math.gcd(divisor, math.factorial(divisor - 1)) == 1]
    power = len(primes) == 1 and primes[0] ** order.bit_length() % order == 0
    return faces ** (n - (goal == "all-same")) - 1 if n == 1 or power else None


@pytest.mark.few(40)
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(
    ("n", "faces"),
    [
        *((1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 9), (2, 2), (3, 2), (4, 2), (5, 2)),
        *((2, 3), (2, 4), (2, 5), (2, 7), (3, 3)),
    ],
)
def test_brute_force_agrees(n: int, faces: int, group: Any, goal: Any) -> None:
    devil = DevilProblem(n=n, faces=faces, group=group, goal=goal)
    length = answer(devil).length
    turns = [tuple((place + turn) % n for place in range(n)) for turn in range(n)]
    if group != "turns":
        turns = list(permutations(range(n))) if group == "permutations" else [*turns, *(turn[::-1] for turn in turns)]
    expected = least_moves(n, faces, turns, equal if goal == "all-same" else all_heads)
    assert expected == (math.inf if length is None else length)
    if (n, faces) != (2, 7):  # which takes a search long
        assert solve(devil).cost == expected


def small_variants(most: int = 256) -> Iterator[dict[str, Any]]:
    sizes = [(1, faces) for faces in (2, 3, 6, 9, 30, 36)] + [
        (n, faces) for faces in range(2, 17) for n in range(2, 9) if faces**n <= most
    ]
    for (n, faces), group, goal, reduced in product(sizes, GROUPS, GOALS, (True, False)):
        yield {"n": n, "faces": faces, "group": group, "goal": goal, "reduced": reduced}


@pytest.mark.parametrize("most", [81, thorough(256)])
def test_small_plans_win_and_the_states_are_counted(most: int) -> None:
    for options in small_variants(most):
        devil = DevilProblem(**options)
        found = answer(devil)
        assert found.length == theorem(*(options[name] for name in ("n", "faces", "group", "goal")))
        if options["n"] < 8 or options["group"] != "permutations":  # listing the 8! permutations would be slow
            assert found.states == len(devil.all_states()), options
        if found.length is not None:
            plan = plan_of(found)
            legal = set(devil.actions(devil.symbols[0]))
            assert legal.issuperset(plan)
            replayed = check_plan(devil, plan, claimed_cost=found.length)
            assert (replayed.holds, replayed.starts) == (True, options["faces"] ** options["n"]), options


@pytest.mark.parametrize(
    ("faces", "most"), [(3, 32), (4, 32), (5, 32), *(thorough(faces, 64) for faces in range(2, 17))]
)
def test_searches_find_the_same_and_with_a_prime_number_of_faces_the_very_plan(faces: int, most: int) -> None:
    prime = all(faces % divisor for divisor in range(2, faces))
    for options in small_variants():
        n, states = options["n"], faces ** options["n"]
        # Larger searches take seconds: without canonical states and moves, for no plan, or with all permutations.
        quick = states <= (64 if options["reduced"] else most) or (
            options["reduced"] and options["group"] == "turns" and theorem(n, faces, "turns", "")
        )
        if options["faces"] != faces or not quick:
            continue
        found, searched = answer(DevilProblem(**options)), solve(DevilProblem(**options), limits=Limits(seconds=20))
        assert searched.status is (Status.UNSOLVABLE if found.length is None else Status.SOLVED), options
        if found.length is not None:
            assert searched.cost == found.length
            if prime:
                assert list(searched.require_plan()) == plan_of(found), options


def test_the_published_plans_move_for_move() -> None:
    for options, plan in (
        ({"n": 4}, PLAN_4_CANONICAL),
        ({"n": 4, "reduced": False}, PLAN_4_ALL_MOVES),
        ({"n": 2}, PLAN_2),
    ):
        assert [sorted(move) for move in plan_of(answer(DevilProblem(**options)))] == plan


@pytest.mark.parametrize(
    ("options", "levels"),
    [
        ({"n": 8}, 8),
        ({"n": 16}, 16),
        ({"n": 16, "group": "reflections"}, 16),
        ({"n": 16, "goal": "all-same"}, 15),
        ({"n": 8, "faces": 4}, 16),
        ({"n": 8, "faces": 8, "group": "reflections"}, 24),
        ({"n": 9, "faces": 3}, 9),
        ({"n": 9, "faces": 27}, 27),
        ({"n": 5, "faces": 25}, 10),
        ({"n": 2, "faces": 16, "group": "permutations"}, 8),
        ({"n": 64}, 64),
    ],
)
def test_every_move_is_legal_and_comes_from_its_level(options: dict[str, Any], levels: int) -> None:
    """A sum of moves must stay within the levels used, and turning a move only add lower levels."""
    devil = DevilProblem(**options)
    found = answer(devil)
    prime = next(prime for prime in range(2, 37) if devil.faces % prime == 0)
    words = []
    for level in range(levels):
        move = found.action_at(prime**level - 1)
        assert devil.parse_action(devil.format_action(move)) == move, "it is the one of its class"
        words.append([int(place in move) for place in range(devil.n)] if isinstance(move, frozenset) else list(move))
    assert prime**levels - 1 == found.length
    with pytest.raises(IndexError):
        found.action_at(prime**levels - 1)
    with pytest.raises(IndexError):
        found.action_at(-1)
    if devil.faces != prime:
        return
    # Modulo a prime: Gaussian elimination, one level after the other.
    constants = [[1] * devil.n] if devil.goal == "all-same" else []
    basis: list[tuple[int, list[int]]] = []

    def remainder(word: list[int]) -> list[int]:
        for pivot, row in basis:
            word = [(side - word[pivot] * other) % prime for side, other in zip(word, row, strict=True)]
        return word

    for word in [*constants, *words]:
        turned = word[1:] + word[:1]
        assert not any(remainder([(a - b) % prime for a, b in zip(turned, word, strict=True)]))
        if devil.group != "turns":
            assert not any(remainder([(a - b) % prime for a, b in zip(word[::-1], word, strict=True)]))
        left = remainder(word)
        pivot = next(place for place, side in enumerate(left) if side)
        inverse = pow(left[pivot], -1, prime)
        basis.append((pivot, [side * inverse % prime for side in left]))
    assert len(basis) == devil.n


@pytest.mark.parametrize("n", [*range(1, 65), 96, 1000, 1023, 1024, *map(thorough, (2048, 4093, 4095, 4096))])
def test_every_number_of_coins_has_an_answer(n: int) -> None:
    for group, goal in product(GROUPS, GOALS):
        length = answer(DevilProblem(n=n, group=group, goal=goal)).length
        forced = n & (n - 1) == 0 if group != "permutations" else n <= 2
        assert length == (2 ** (n - (goal == "all-same")) - 1 if forced else None)


def test_a_thousand_coins() -> None:
    found = answer(DevilProblem(n=1024))
    assert found.length == 2**1024 - 1
    everything = frozenset(range(1024))
    evens = frozenset(range(0, 1024, 2))
    assert [found.action_at(place) for place in range(0, 20, 2)] == [everything] * 10
    assert [found.action_at(place) for place in (1, 5, 9, 13, 17)] == [evens] * 5
    for place in (10**300, 2**1023 - 1, 2**512 - 1):
        move = found.action_at(place)
        coins = "".join("H" if position in move else "T" for position in range(1024))
        assert coins == min(coins[turn:] + coins[:turn] for turn in range(1024))
    assert found.action_at(2**1023 - 1) == everything - {1023}
    assert "2^(1023 - v) times" in found.explanation


@pytest.mark.parametrize(
    "options", [{"n": 96}, {"n": 6, "faces": 6}, {"n": 2, "faces": 3}, {"n": 9, "group": "reflections"}]
)
def test_where_the_devil_wins_there_is_no_move_but_a_reason(options: dict[str, Any]) -> None:
    found = answer(DevilProblem(**options))
    assert found.length is None
    with pytest.raises(IndexError, match="no plan"):
        found.action_at(0)
    assert "The devil can move the coins at 0, " in found.explanation


def test_explanations_say_the_moves_and_how_often() -> None:
    text = answer(DevilProblem(n=4)).explanation
    assert "{0, 1, 2, 3}; {0, 2}; {0, 1}; {0, 1, 2}." in text
    assert "2^(3 - v) times" in text
    assert "The only move is (5), 5 times" in answer(DevilProblem(n=1, faces=6)).explanation
    assert answer(DevilProblem(n=1, goal="all-same")).explanation == "Every arrangement is won before the first move."
    assert "2 * 3^(8 - v) times" in answer(DevilProblem(n=9, faces=3)).explanation


DERIVATIVES = {"argument": "derivatives", "prime": 2, "word": "1000"}
TRAP = {"argument": "trap", "modulus": 2, "cycles": [[0, 2, 4], [1, 3, 5]]}


@pytest.mark.parametrize(
    ("options", "evidence", "complaint"),
    [
        ({}, {}, "None is no argument"),
        ({}, {"argument": "magic"}, "'magic' is no argument"),
        ({}, {"argument": ["trap"]}, "is no argument"),
        ({}, {"argument": "one coin"}, "there are 4 coins, not one"),
        ({"n": 1}, {"argument": "one coin", "word": "1"}, "'word' does not belong"),
        ({}, {"argument": "derivatives", "prime": 2}, "'word' is missing"),
        ({}, {**DERIVATIVES, "length": 15}, "'length' does not belong"),
        ({}, {**DERIVATIVES, "prime": True}, "a prime that divides 2, but is True"),
        ({}, {**DERIVATIVES, "prime": 2.0}, "a prime that divides 2, but is 2.0"),
        ({}, {**DERIVATIVES, "prime": 0}, "a prime that divides 2"),
        ({}, {**DERIVATIVES, "prime": 10**4000}, "a prime that divides 2"),
        ({"faces": 4}, {**DERIVATIVES, "prime": 4}, "a prime that divides 4, but is 4"),
        ({"faces": 6}, DERIVATIVES, "6 faces are not a power of 2"),
        ({"group": "permutations"}, DERIVATIVES, "derivatives are about turning"),
        ({"n": 3, "faces": 3, "group": "reflections"}, {"argument": "derivatives", "prime": 3, "word": "100"}, "sign"),
        ({}, {**DERIVATIVES, "word": "100"}, "4 digits below 2, but is '100'"),
        ({}, {**DERIVATIVES, "word": "1002"}, "4 digits below 2"),
        ({}, {**DERIVATIVES, "word": [1, 0, 0, 0]}, "4 digits below 2"),
        ({}, {**DERIVATIVES, "word": "1" * 10**6}, "4 digits below 2"),
        ({}, {**DERIVATIVES, "word": "0000"}, "derivative 0 of the word is 0"),
        ({}, {**DERIVATIVES, "word": "1100"}, "derivative 3 of the word is 0"),
        ({}, {**DERIVATIVES, "word": "1111"}, "derivative 1 of the word is 0"),
        ({"n": 6}, {**DERIVATIVES, "word": "100000"}, "derivative 6 of the word is not 0"),
        ({"n": 4, "faces": 3}, {**DERIVATIVES, "prime": 3}, "derivative 4 of the word is not 0"),
        ({"n": 6}, {"argument": "trap", "modulus": 2}, "'cycles' is missing"),
        ({"n": 6}, {**TRAP, "modulus": 1}, "a divisor of 2 above 1, but is 1"),
        ({"n": 6}, {**TRAP, "modulus": 3}, "a divisor of 2 above 1, but is 3"),
        ({"n": 6}, {**TRAP, "modulus": "2"}, "a divisor of 2 above 1, but is '2'"),
        ({"n": 6}, {**TRAP, "cycles": []}, "a list of cycles"),
        ({"n": 6}, {**TRAP, "cycles": {"0": 2}}, "a list of cycles"),
        ({"n": 6}, {**TRAP, "cycles": [[0, 2, 4], [1]]}, "a list of two places or more"),
        ({"n": 6}, {**TRAP, "cycles": [[0, 2, 4], 5]}, "a list of two places or more"),
        ({"n": 6}, {**TRAP, "cycles": [[0, 2, 4], [1, 3, 6]]}, "6 in a cycle is not one of 6 places"),
        ({"n": 6}, {**TRAP, "cycles": [[0, 2, 4], [1, 3, -1]]}, "-1 in a cycle is not one of 6 places"),
        ({"n": 6}, {**TRAP, "cycles": [[0, 2, 4], [1, 3, [5]]]}, "in a cycle is not one of 6 places"),
        ({"n": 6}, {**TRAP, "cycles": [[0, 2, 4], [1, 3, 4]]}, "or it comes twice"),
        ({"n": 6}, {**TRAP, "cycles": [[0, 2, 4]]}, "nothing that the group turns does"),
        ({"n": 6}, {**TRAP, "cycles": [[0, 2, 4], [1, 5, 3]]}, "nothing that the group turns does"),
        ({"n": 3, "faces": 3}, {"argument": "trap", "modulus": 3, "cycles": [[0, 2]]}, "that the group turns does"),
        ({"n": 6}, {**TRAP, "cycles": [[0, 3], [1, 4], [2, 5]]}, "no divisor of 2, the length of the first cycle"),
        ({"n": 4}, {**TRAP, "cycles": [[0, 1, 2, 3]]}, "no divisor of 4, the length of the first cycle"),
        ({"n": 4}, {**TRAP, "cycles": [[0, 1, 2]]}, "nothing that the group turns does"),
        ({"n": 4, "group": "reflections"}, {**TRAP, "cycles": [[0, 1, 2]]}, "that the group reflections does"),
    ],
)
def test_wrong_evidence_is_refused_and_told(options: dict[str, Any], evidence: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        DevilProblem(**options).check_construction(evidence)


def test_other_evidence_may_be_as_good() -> None:
    """What is not the constructed evidence is judged for itself."""
    assert DevilProblem().check_construction({**DERIVATIVES, "word": "1110"}) == 15
    assert DevilProblem(n=1, faces=4).check_construction({"argument": "derivatives", "prime": 2, "word": "1"}) == 3
    assert DevilProblem(n=6).check_construction({**TRAP, "cycles": [[3, 1, 5], [4, 2, 0]]}) is None
    reflected = {"argument": "trap", "modulus": 3, "cycles": [[1, 2]]}
    assert DevilProblem(n=3, faces=3, group="reflections").check_construction(reflected) is None
    assert DevilProblem(n=4, group="permutations").check_construction({**TRAP, "cycles": [[3, 0, 2]]}) is None


def mutated(value: Any, chance: random.Random) -> Any:
    """`value` with something in it changed, dropped, repeated, swapped, or of another type."""
    if isinstance(value, (dict, list)) and value and chance.random() < 0.8:
        place = chance.choice(sorted(value) if isinstance(value, dict) else range(len(value)))
        changed: Any = value.copy()
        kind = chance.randrange(4)
        if kind == 0:
            del changed[place]
        elif kind == 1 and isinstance(value, list):
            other = chance.randrange(len(value))
            changed[place], changed[other] = changed[other], changed[place]
        elif kind == 2 and isinstance(value, list):
            changed.insert(place, value[place])
        else:
            changed[place] = mutated(value[place], chance)
        return changed
    if isinstance(value, str) and value and chance.random() < 0.8:
        place = chance.randrange(len(value))
        letter = chance.choice("01234z٣")
        return chance.choice(
            [value[:place] + letter + value[place + 1 :], value[:place] + value[place + 1 :], value * 2]
        )
    if isinstance(value, int) and chance.random() < 0.8:
        return value + chance.choice([-2, -1, 1, 2, 10**30])
    return chance.choice([None, True, -1, 2.5, "", "1", "trap", "derivatives", "one coin", [], [[]], {}, [0, 1]])


@pytest.mark.parametrize(
    "options",
    [
        {"n": 1, "faces": 6},
        {"n": 4},
        {"n": 6},
        {"n": 8, "goal": "all-same"},
        {"n": 3, "faces": 9},
        {"n": 4, "faces": 6, "group": "reflections"},
        {"n": 5, "group": "reflections", "faces": 5},
        {"n": 7, "group": "permutations", "faces": 4},
    ],
)
def test_no_mutant_of_the_evidence_proves_anything_else(options: dict[str, Any]) -> None:
    devil = DevilProblem(**options)
    found, chance, refused = answer(devil), random.Random(7), 0
    for _ in range(400):
        mutant: Any = found.evidence
        for _ in range(chance.randint(1, 3)):
            mutant = mutated(mutant, chance)
        if not isinstance(mutant, dict):
            continue
        try:
            assert devil.check_construction(mutant) == found.length, mutant
        except ValueError:
            refused += 1
    assert refused > 150


def test_evidence_of_one_game_proves_nothing_wrong_about_another() -> None:
    games = [DevilProblem(**options) for options in small_variants() if options["reduced"]]
    pieces = [json.loads(text) for text in sorted({json.dumps(game.construction().evidence) for game in games})]
    for game, evidence in product(games, pieces):
        expected = theorem(game.n, game.faces, game.group, game.goal)
        try:
            assert game.check_construction(evidence) == expected
        except ValueError:
            continue
