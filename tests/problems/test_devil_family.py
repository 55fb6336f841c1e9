"""The variants of the devil's game, and the game against chance: answers from elsewhere, and by brute force."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import combinations, permutations, product
from operator import or_
from random import Random
from typing import Any

import pytest

from beliefsearch import check_plan, solve
from beliefsearch_problems._devil import groups
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.random_devil import RandomDevilProblem

from ..examples import thorough
from ..random_problems import least_costs
from .layers import assert_solved

Word = tuple[int, ...]


def closed(made_by: list[Word], n: int) -> list[Word]:
    """All permutations that some make, by composing them until nothing is new."""
    found = {tuple(range(n))}
    while more := {tuple(p[place] for place in q) for p in found for q in made_by} - found:
        found |= more
    return sorted(found)


def text_of(made_by: list[Word]) -> str:
    """Permutations by their cycles."""
    texts = ("".join(f"({' '.join(map(str, cycle))})" for cycle in groups.cycles(p)) or "(0)" for p in made_by)
    return ", ".join(texts) or "none"


def random_groups(count: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, list[Word]]]:
    lot = Random(1)
    for _ in range(count):
        n = lot.choice(sizes)
        yield n, [tuple(lot.sample(range(n), n)) for _ in range(lot.randint(0, 3))]


def test_the_order_of_a_group_and_its_elements_of_prime_order() -> None:
    for n, made_by in random_groups(300, (1, 2, 3, 4, 5, 6, 7)):
        text, elements = text_of(made_by), closed(made_by, n)
        assert groups.order(text, n) == len(elements) == len(groups.elements(text, n))
        for prime in (2, 3, 5, 7):
            if len(elements) % prime == 0:
                generators = groups.generators(text, n)
                found = groups.product_of(generators, n, groups.of_prime_order(generators, n, prime))
                assert {len(cycle) for cycle in groups.cycles(found)} == {prime}
                assert found in elements
    assert groups.order("(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15), (0 1)", 16) == math.factorial(16)


def test_names_of_groups_are_permutations() -> None:
    for n in range(1, 7):
        every = closed([*groups.generators("permutations", n)], n)
        assert every == sorted(permutations(range(n)))
        assert len(closed([*groups.generators("turns", n)], n)) == n == groups.order("turns", n)
        assert len(closed([*groups.generators("reflections", n)], n)) == groups.order("reflections", n)
    assert closed([*groups.generators("half-turns", 6)], 6) == [(0, 1, 2, 3, 4, 5), (3, 4, 5, 0, 1, 2)]
    assert DevilProblem(n=4, group="dihedral") == DevilProblem(n=4, group="reflections"), "by its other word"


def least_moves(n: int, faces: int, elements: list[Word], won: Callable[[Word], bool], **rules: Any) -> float:
    """The least cost by a search over sets of arrangements that are not won: no symmetry, no code of the puzzle."""
    words = list(product(range(faces), repeat=n))
    bits = {word: 1 << place for place, word in enumerate(words)}
    unwon = sum(bits[word] for word in words if not won(word))
    meddling = [
        tuple(amounts[places.index(place)] if place in places else 0 for place in range(n))
        for places in combinations(range(n), rules.get("meddle", 0))
        for amounts in product(range(1, faces), repeat=len(places))
    ]
    moves = [move for move in words if n - move.count(0) <= rules.get("most", n)]

    def added(first: Word, second: Word) -> Word:
        return tuple((a + b) % faces for a, b in zip(first, second, strict=True))

    def images(move: Word) -> list[int]:
        """By arrangement: what may follow, as bits."""
        turned = ({tuple(word[place] for place in p) for p in elements} for word in words)
        return [
            reduce(or_, (bits[added(added(w, move), by)] for w in ways for by in meddling)) & unwon for ways in turned
        ]

    ways = [(n - move.count(0) if rules.get("flips") else 1, images(move)) for move in moves]
    costs = {unwon: 0}
    waiting = {0: [unwon]}
    while waiting:
        least = min(waiting)
        for belief in waiting.pop(least):
            if not belief:
                return least
            if costs[belief] < least:
                continue
            members = [place for place in range(len(words)) if belief >> place & 1]
            for price, image in ways:
                cost, following = least + price, reduce(or_, (image[place] for place in members))
                if cost < costs.get(following, math.inf):
                    costs[following] = cost
                    waiting.setdefault(cost, []).append(following)
    return math.inf


def equal(word: Word) -> bool:
    return len(set(word)) == 1


def all_heads(word: Word) -> bool:
    return not any(word)


def heads_of(word: Word) -> int:
    return word.count(0)


@pytest.mark.parametrize("goal", ["all-heads", "all-same"])
@pytest.mark.parametrize(("faces", "most"), [(2, 3), (3, 2), thorough(2, 4)])
def test_the_theorem_for_any_group_is_that_of_brute_force(goal: str, faces: int, most: int) -> None:
    done = set()
    for n, made_by in random_groups(40, tuple(range(1, most + 1))):
        elements = closed(made_by, n)
        devil = DevilProblem(n=n, group=text_of(made_by), faces=faces, goal=goal)
        found = devil.construction()
        assert found is not None
        assert devil.check_construction(json.loads(json.dumps(found.evidence))) == found.length
        if (key := (n, str(elements))) in done:
            continue
        done.add(key)
        expected = least_moves(n, faces, elements, equal if goal == "all-same" else all_heads)
        assert expected == (math.inf if found.length is None else found.length)
        if found.length is not None:
            plan = [found.action_at(place) for place in range(found.length)]
            assert set(plan) <= set(devil.actions(devil.symbols[0]))
            assert check_plan(devil, plan, claimed_cost=found.length).holds
            assert found.states == len(devil.all_states())


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ({}, 15),
        ({"group": "klein"}, 15),
        ({"group": "reflections"}, 15),
        ({"group": "permutations"}, math.inf),
        ({"goal": "all-same"}, 7),
        ({"n": 5, "turn_by": 1}, math.inf),
        thorough({"n": 6}, math.inf),
        thorough({"n": 6, "goal": "4-heads"}, 3),
        thorough({"n": 6, "goal": "5-heads"}, math.inf),
    ],
)
def test_the_questions_by_brute_force(options: dict[str, Any], answer: float) -> None:
    devil = DevilProblem(**options)
    turns = [tuple((place + turn) % devil.n for place in range(devil.n)) for turn in (-1, 0, 1)]
    elements = turns if "turn_by" in options else closed([*groups.generators(devil.group, devil.n)], devil.n)
    won = equal if devil.goal == "all-same" else lambda word: heads_of(word) >= devil.least_heads
    assert solve(devil).cost == answer == least_moves(devil.n, 2, elements, won)


@pytest.mark.parametrize(
    ("n", "faces", "group"),
    [
        (6, 2, "(0 1 2 3)(4 5)"),
        (8, 2, "(0 1)(2 3), (4 5 6 7)"),
        (6, 3, "(0 1 2), (3 4 5)"),
        (3, 4, "(0 1)"),
        (3, 6, "none"),
        (4, 4, "klein"),
        thorough(12, 2, "half-turns"),
    ],
)
def test_plans_for_groups_too_large_for_brute_force_win(n: int, faces: int, group: str) -> None:
    devil = DevilProblem(n=n, faces=faces, group=group)
    found = devil.construction()
    assert found is not None
    assert found.length == faces**n - 1
    assert check_plan(devil, [found.action_at(place) for place in range(found.length)]).holds


@pytest.mark.parametrize(
    ("group", "changes", "complaint"),
    [
        ("klein", {"base": 3}, "a prime that divides 2"),
        ("klein", {"words": 7}, "a list of 4 words"),
        ("klein", {"words": [[1, 1, 1, 1], [0, 0, 0, 0], [1, 0, 1, 0], [1, 0, 0, 0]]}, "word 1 is a sum"),
        ("klein", {"words": [[1, 0, 0, 0], [1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]]}, "changes word 0 by more"),
        ("klein", {"words": [[1, 1, 1, 1], [1, 1, 0], [1, 0, 1, 0], [1, 0, 0, 0]]}, "word 1 should be 4 numbers"),
        ("klein", {"words": [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 0]]}, "a list of 4 words"),
        ("none", {"base": 2, "words": [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}, "no other has it"),
        ("none", {"base": 4}, "should be 2, the number of faces"),
        ("(0 1 2)", {"argument": "levels", "base": 2, "words": [[1, 0, 0, 0]] * 4}, "changes word 0 by more"),
        ("(0 1 2)", {"products": [[0, 7]]}, "no product of two of 2 permutations"),
        ("(0 1 2)", {"products": [[1, 1]]}, "nothing that the group"),
        ("(0 1 2)", {"products": "both"}, "a list of pairs"),
        ("turns", {"argument": "levels", "base": 3, "words": []}, "a prime that divides 2"),
    ],
)
def test_wrong_evidence_about_a_group_is_refused(group: str, changes: dict[str, Any], complaint: str) -> None:
    devil = DevilProblem(n=4, group=group)
    found = devil.construction()
    assert found is not None
    given = changes if "argument" in changes else {**found.evidence, **changes}
    with pytest.raises(ValueError, match=complaint):
        devil.check_construction(json.loads(json.dumps(given)))


VARIANTS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    *(({"n": n, "turn_by": 1}, {"turns": (-1, 0, 1)}) for n in (2, 3, 4)),
    ({"n": 3, "turn_by": 0}, {"turns": (0,)}),
    *(({"n": n, "cost": "flips"}, {"flips": True}) for n in (2, 3, 4)),
    *(({"n": 4, "flip_at_most": most}, {"most": most}) for most in (2, 3)),
    ({"n": 2, "faces": 3, "flip_at_most": 1}, {"most": 1}),
    *(({"n": n, "goal": f"{k}-heads"}, {"heads": k}) for n, k in ((3, 1), (3, 2), (4, 3), (5, 4))),
    *(({"n": n, "meddle": k}, {"meddle": k}) for n, k in ((1, 1), (2, 1), (2, 2), (3, 1))),
    ({"n": 2, "faces": 3, "meddle": 1}, {"meddle": 1}),
    ({"n": 3, "goal": "2-heads", "meddle": 1}, {"heads": 2, "meddle": 1}),
    ({"n": 4, "group": "klein", "cost": "flips"}, {"group": [(1, 0, 3, 2), (2, 3, 0, 1)], "flips": True}),
]


@pytest.mark.parametrize("reduced", [True, False])
@pytest.mark.parametrize(("options", "rules"), VARIANTS)
def test_variants_cost_what_they_do_by_brute_force(options: Any, rules: Any, reduced: bool) -> None:
    devil = DevilProblem(**options, reduced=reduced)
    n = devil.n
    turns = rules.get("turns", range(n))
    elements = [tuple((place + turn) % n for place in range(n)) for turn in turns]
    elements = closed(rules["group"], n) if "group" in rules else elements
    expected = least_moves(n, devil.faces, elements, lambda word: heads_of(word) >= rules.get("heads", n), **rules)
    for engine in ("naive", "compiled"):
        assert_solved(devil, expected, engine=engine, solver="astar" if rules.get("flips") else "breadth-first")


@pytest.mark.parametrize("seed", range(40))
def test_variants_combine(seed: int) -> None:
    """Options by lot, all together: the cost is that of brute force with the potentials, and without them."""
    lot = Random(seed)
    faces = lot.choice([2, 2, 3])
    n = lot.randint(1, 3 if faces == 2 else 2)
    options: dict[str, Any] = {"n": n, "faces": faces, "reduced": lot.random() < 0.5}
    rules: dict[str, Any] = {}
    if lot.random() < 0.3:
        options["turn_by"] = most = lot.randint(0, 2)
        elements = [tuple((place + turn) % n for place in range(n)) for turn in range(-most, most + 1)]
    else:
        made_by = [tuple(lot.sample(range(n), n)) for _ in range(2)]
        options["group"], elements = text_of(made_by), closed(made_by, n)
    heads = lot.randint(0, n)
    options["goal"] = f"{heads}-heads" if heads else "all-same"
    if lot.random() < 0.4:
        options["meddle"] = rules["meddle"] = lot.randint(0, n)
    if lot.random() < 0.3:
        options["flip_at_most"] = rules["most"] = lot.randint(0, n)
    if lot.random() < 0.4:
        options["cost"], rules["flips"] = "flips", True
    won = (lambda word: heads_of(word) >= heads) if heads else equal
    expected = least_moves(n, faces, elements, won, **rules)
    searches: list[Any] = [{}, {"heuristic": "own"}, {"engine": "compiled"}, {"solver": "uniform-cost"}]
    for search in searches:
        assert solve(DevilProblem(**options), **search).cost == expected, (options, search)


def test_a_move_that_costs_nothing_may_win_if_the_devil_flips_coins_of_his_own() -> None:
    devil = DevilProblem(n=1, meddle=1, cost="flips")
    assert [solve(devil, solver=solver).cost for solver in ("auto", "astar", "uniform-cost")] == [0, 0, 0]


def told(n: int, tell: Callable[[Word], Any], won: Callable[[Word], bool], **rules: Any) -> float:
    """The least cost in the worst case, what `tell` says being told after each move."""
    faces, turns, most = rules.get("faces", 2), rules.get("turns", range(n)), rules.get("most", n)
    words = list(product(range(faces), repeat=n))
    meddling = [
        tuple(amounts[places.index(place)] if place in places else 0 for place in range(n))
        for places in combinations(range(n), rules.get("meddle", 0))
        for amounts in product(range(1, faces), repeat=len(places))
    ]

    def outcomes(belief: frozenset[Word], move: Word) -> list[frozenset[Word]]:
        after = {word for word in belief if won(word)}
        for word in belief - after:
            for turn, flips in product(turns, meddling):
                turned = (word[(place + turn) % n] for place in range(n))
                after.add(tuple((a + b + c) % faces for a, b, c in zip(turned, move, flips, strict=True)))
        return [frozenset(w for w in after if tell(w) == said) for said in {tell(w) for w in after}]

    def ways(belief: frozenset[Word]) -> list[tuple[int, list[frozenset[Word]]]]:
        moves = (move for move in words if n - move.count(0) <= most)
        return [(n - move.count(0) if rules.get("flips") else 1, outcomes(belief, move)) for move in moves]

    start = frozenset(words)
    least: float = least_costs([start], ways, lambda belief: all(map(won, belief)))[start]
    return least


def least_turn(word: Word) -> Word:
    return min(word[turn:] + word[:turn] for turn in range(len(word)))


TELLING: dict[str, Callable[[Word], Any]] = {
    "heads": heads_of,
    "parity": lambda word: heads_of(word) % 2,
    "pattern": least_turn,
    "equal": equal,
}


@pytest.mark.parametrize("said", TELLING)
@pytest.mark.parametrize(
    ("n", "goal"),
    [(2, "all-heads"), (3, "all-heads"), (4, "all-heads"), (3, "all-same"), (3, "2-heads"), (4, "3-heads")],
)
def test_who_is_told_something_needs_as_many_moves_as_by_brute_force(said: Any, n: int, goal: str) -> None:
    least = n if goal == "all-heads" else int(goal[0]) if goal[0].isdecimal() else 0
    won = equal if not least else (lambda word: heads_of(word) >= least)
    expected = told(n, TELLING[said], won)
    for reduced in (True, False):
        assert solve(DevilProblem(n=n, told=said, goal=goal, reduced=reduced)).cost == expected


@pytest.mark.parametrize("seed", range(30))
def test_being_told_combines_with_everything(seed: int) -> None:
    lot = Random(seed)
    faces = lot.choice([2, 2, 2, 3])
    n = lot.randint(1, 3 if faces == 2 else 2)
    said = lot.choice(list(TELLING))
    options: dict[str, Any] = {"n": n, "faces": faces, "told": said, "reduced": lot.random() < 0.5}
    rules: dict[str, Any] = {"faces": faces}
    if lot.random() < 0.5:
        options["turn_by"] = most = lot.randint(0, 2)
        rules["turns"] = {turn % n for turn in range(-most, most + 1)}
    heads = lot.randint(0, n)
    options["goal"] = f"{heads}-heads" if heads else "all-same"
    if lot.random() < 0.4:
        options["meddle"] = rules["meddle"] = lot.randint(0, n)
    if lot.random() < 0.4:
        options["flip_at_most"] = rules["most"] = lot.randint(0, n)
    if lot.random() < 0.4:
        options["cost"], rules["flips"] = "flips", True
    won = (lambda word: heads_of(word) >= heads) if heads else equal
    assert solve(DevilProblem(**options)).cost == told(n, TELLING[said], won, **rules), options


# By programs of others: least numbers of moves, and of flips.
@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ({"n": 8, "told": "heads"}, 13),
        ({"n": 8, "told": "pattern"}, 9),
        ({"n": 5, "turn_by": 1}, math.inf),
        ({"n": 6, "goal": "5-heads"}, math.inf),
    ],
)
def test_answers_of_others(options: dict[str, Any], answer: float) -> None:
    assert solve(DevilProblem(**options)).cost == answer


def test_a_devil_who_turns_the_table_less_is_as_strong() -> None:
    for n, faces, turn_by, length in (
        (8, 2, 1, 255),
        (16, 2, 3, 65_535),
        (9, 2, 3, None),
        (9, 2, 1, None),
        (6, 2, 1, None),
        (12, 2, 1, None),
        (2, 6, 1, None),
        (9, 3, 1, 3**9 - 1),
        (1000, 2, 1, None),
    ):
        devil = DevilProblem(n=n, faces=faces, turn_by=turn_by)
        found = devil.construction()
        assert found is not None
        assert found.length == length == devil.check_construction(json.loads(json.dumps(found.evidence)))
    plan = [DevilProblem(n=8, turn_by=1)._move_at(place) for place in range(255)]
    assert check_plan(DevilProblem(n=8, turn_by=1), plan).holds
    six = DevilProblem(n=6, turn_by=1)
    assert solve(six, solver="breadth-first").cost == math.inf
    with pytest.raises(ValueError, match="no turn by at most 1"):
        six.check_construction(DevilProblem(n=6).construction().evidence)
    with pytest.raises(ValueError, match="no divisor of 4"):
        DevilProblem(turn_by=1).check_construction({"argument": "trap", "modulus": 2, "cycles": [[0, 1, 2, 3]]})


@pytest.mark.parametrize(("n", "faces"), [(3, 2), (5, 2), (6, 2), (7, 2), (2, 3), (4, 3), (2, 6)])
def test_the_trap_of_one_turn_state_by_state(n: int, faces: int) -> None:
    """Where the sums are unequal some choice of the devil keeps them so, whatever the move, and nothing is won."""
    found = DevilProblem(n=n, faces=faces, turn_by=1).construction()
    assert found is not None
    modulus = found.evidence["modulus"]
    sums = next(m for m in range(n, 0, -1) if n % m == 0 and math.gcd(m, modulus) == 1)

    def is_trapped(word: Word) -> bool:
        return len({sum(word[place::sums]) % modulus for place in range(sums)}) > 1

    words = list(product(range(faces), repeat=n))
    assert not any(is_trapped(word) for word in words if equal(word))
    trap = [word for word in words if is_trapped(word)]
    lot = Random(n)
    for word in trap if len(trap) < 80 else lot.sample(trap, 80):
        for move in words if len(words) < 80 else lot.sample(words, 80):
            after = (
                tuple((a + b) % faces for a, b in zip(one, move, strict=True)) for one in (word, word[1:] + word[:1])
            )
            assert any(map(is_trapped, after))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"told": "head"}, "'told' must be one of heads, parity, pattern, equal, not 'head'; did you mean 'heads'?"),
        ({"cost": ["flips"]}, "'cost' must be one of moves, flips, not ['flips']; did you mean 'flips'?"),
        ({"n": "4"}, "'n' must be a whole number, not '4'"),
        ({"faces": 2.5}, "'faces' must be a whole number, not 2.5"),
        ({"meddle": "1"}, "'meddle' must be a whole number, not '1'"),
    ],
)
def test_a_wrong_value_from_python_is_told_in_a_line(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(says)}$"):
        DevilProblem(**options)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"group": "square"}, "'square' is none of turns"),
        ({"group": "(0 4)"}, "there is no place 4; the 4 coins lie at 0 to 3"),
        ({"group": "(0 1)(1 2)"}, "the place 1 comes twice"),
        ({"group": "(0 1"}, "no permutation by its cycles"),
        ({"group": "klein", "n": 5}, "exchanges four coins"),
        ({"group": "half-turns", "n": 5}, "must be even"),
        ({"goal": "5-heads"}, "1-heads to 4-heads"),
        ({"goal": "0-heads"}, "1-heads to 4-heads"),
        ({"goal": "tails"}, "none of all-heads"),
        ({"turn_by": 1, "group": "reflections"}, "turns only"),
        ({"meddle": 5}, "5 coins cannot be flipped"),
        ({"lamping": True, "meddle": 1}, "no other variant"),
        ({"lamping": True, "told": "heads"}, "no other variant"),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        DevilProblem(**options)


# The game against chance.


def chance_within(n: int, moves: int, slip: Fraction = Fraction(0)) -> Fraction:
    """The greatest probability to win within so many moves, over all sequences of moves, by distributions."""
    words = list(product((0, 1), repeat=n))

    def best(weights: dict[Word, Fraction], left: int) -> Fraction:
        if left == 0 or not weights:
            return Fraction(0)
        most = Fraction(0)
        for move in words:
            after: dict[Word, Fraction] = {}
            for word, weight in weights.items():
                for turn in range(n):
                    turned = word[turn:] + word[:turn]
                    for fails in product((0, 1), repeat=n):
                        if any(fail and not flip for fail, flip in zip(fails, move, strict=True)):
                            continue
                        share = weight / n
                        for fail, flip in zip(fails, move, strict=True):
                            share *= (slip if fail else 1 - slip) if flip else 1
                        moved = tuple(
                            face ^ (flip & (1 - fail)) for face, flip, fail in zip(turned, move, fails, strict=True)
                        )
                        after[moved] = after.get(moved, Fraction(0)) + share
            wins = after.pop((0,) * n, Fraction(0))
            most = max(most, wins + best({word: share for word, share in after.items() if share}, left - 1))
        return most

    start = {word: Fraction(1, 2**n) for word in words}
    return start.pop((0,) * n) + best(start, moves)


@pytest.mark.parametrize("reduced", [True, False])
@pytest.mark.parametrize(("n", "moves", "slip"), [(1, 2, "1/3"), (2, 2, "0"), (2, 2, "1/10"), (3, 2, "0")])
def test_the_chance_to_win_is_that_of_brute_force(n: int, moves: int, slip: str, reduced: bool) -> None:
    problem = RandomDevilProblem(n=n, within=moves, slip=Fraction(slip), reduced=reduced)
    found = solve(problem)
    assert found.lower_bound is not None
    assert float(found.lower_bound) == pytest.approx(float(chance_within(n, moves, Fraction(slip))), abs=1e-9)


@pytest.mark.parametrize(
    ("moves", "chance"),
    list(
        enumerate(
            [Fraction(1, 8), *(Fraction(x) for x in ("1/4", "3/8", "1/2", "7/12", "2/3", "13/18", "7/9", "22/27"))]
        )
    ),
)
def test_three_coins_within_some_moves(moves: int, chance: Fraction) -> None:
    found = solve(RandomDevilProblem(n=3, within=moves))
    assert found.lower_bound is not None
    assert found.upper_bound is not None
    assert float(found.lower_bound) == pytest.approx(float(chance), abs=1e-9)
    assert found.upper_bound >= chance - Fraction(1, 10**12)


def test_a_table_turned_by_chance_no_further_than_some_places() -> None:
    table = RandomDevilProblem(n=4, turn_by=1)
    assert table.equally_likely("HTHT") == ["THTH", "HTHT", "THTH"]
    shares = {state: share for share, state in table.outcomes("HTTT", frozenset())}
    assert shares == {"THTT": Fraction(1, 3), "HTTT": Fraction(1, 3), "TTTH": Fraction(1, 3)}


def test_how_the_table_and_the_moves_left_are_written() -> None:
    table = RandomDevilProblem(n=3, within=2)
    state = ("HHT", 2)
    assert table.format_state(state) == "HHT 2"
    assert table.parse_state("HHT 2") == state
    assert RandomDevilProblem(n=3).parse_state("HHT") == "HHT"
    with pytest.raises(ValueError, match="is not 3 letters"):
        table.parse_state("HHT")


def test_large_groups_are_decided_soon() -> None:
    wreath = f"({' '.join(map(str, range(64)))}), (0 32)"
    devil = DevilProblem(n=64, group=wreath)
    assert groups.order(wreath, 64) == 2**32 * 32
    found = devil.construction()
    assert found is not None
    assert found.length == 2**64 - 1 == devil.check_construction(found.evidence)
    assert len({found.action_at(2**level - 1) for level in range(64)}) == 64
    for n in (7, 300):
        lost = DevilProblem(n=n, group="permutations").construction()
        assert lost is not None
        assert (lost.length, lost.asked_for) == (None, True), "a search for a proof would list all arrangements"


def test_the_symmetric_group_of_ten_coins_by_two_generators() -> None:
    assert groups.order("(0 1 2 3 4 5 6 7 8 9), (0 1)", 10) == math.factorial(10)


def test_digits_of_other_scripts_are_no_numbers() -> None:
    with pytest.raises(ValueError, match="1-heads to 4-heads"):
        DevilProblem(goal="\uff13-heads")


def flipped(tails: int, flips: int, n: int, slip: Fraction) -> dict[int, Fraction]:
    """How many tails there are after flips of coins that lie anywhere: each may fail."""
    after: dict[int, Fraction] = {}
    for turned in combinations(range(n), flips):  # tails lie at the first places
        for fails in product((False, True), repeat=flips):
            share = Fraction(1, math.comb(n, flips))
            for fail in fails:
                share *= slip if fail else 1 - slip
            done = [place for place, fail in zip(turned, fails, strict=True) if not fail]
            now = tails + sum(1 if place >= tails else -1 for place in done)
            after[now] = after.get(now, Fraction(0)) + share
    return {now: share for now, share in after.items() if share}


def games(n: int, moves: int, slip: Fraction) -> Iterator[list[Fraction]]:
    """By sequence of moves, up to turns for no more than three coins: the chances not to have won after each."""
    step = {(k, f): flipped(k, f, n, slip) for k in range(n + 1) for f in range(n + 1)}
    start = {tails: Fraction(math.comb(n, tails), 2**n) for tails in range(1, n + 1)}

    def follow(weights: dict[int, Fraction], before: list[Fraction]) -> Iterator[list[Fraction]]:
        open_ = [*before, sum(weights.values(), Fraction(0))]
        if len(open_) > moves:
            yield open_
            return
        for flips in range(1, n + 1):
            after: dict[int, Fraction] = {}
            for tails, weight in weights.items():
                for now, share in step[tails, flips].items():
                    if now:
                        after[now] = after.get(now, Fraction(0)) + weight * share
            yield from follow(after, open_)

    return follow(start, [])


def test_three_coins_within_some_moves_by_all_sequences() -> None:
    best = [min(column) for column in zip(*games(3, 8, Fraction(0)), strict=True)]
    expected = ["1/8", "1/4", "3/8", "1/2", "7/12", "2/3", "13/18", "7/9", "22/27"]
    assert [str(1 - share) for share in best] == expected


def test_two_coins_whose_flips_may_fail_by_all_sequences() -> None:
    """The mean is the sum of the chances not to have won; what comes after ten moves is little."""
    least = min(sum(shares[:-1], Fraction(0)) + 2 * shares[-1] for shares in games(2, 10, Fraction(1, 10)))
    found = solve(RandomDevilProblem(n=2, slip=Fraction(1, 10)))
    assert found.lower_bound is not None
    assert float(least) == pytest.approx(float(-found.lower_bound), abs=2e-3) == pytest.approx(1.798, abs=2e-3)


def test_against_chance_a_move_wins_no_more_than_one_arrangement_holds() -> None:
    """So the mean is at least (2^N - 1) / 2, which a shortest plan against the devil attains."""
    for n in (1, 2, 4):
        found = solve(RandomDevilProblem(n=n))
        assert found.lower_bound is not None
        assert float(-found.lower_bound) == pytest.approx((2**n - 1) / 2, abs=1e-3)
