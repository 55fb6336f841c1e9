"""The invisible robber: how many actions by brute force, and cop numbers by theory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import pytest

from beliefsearch import solve
from beliefsearch.plugins.options import make_problem
from beliefsearch_problems.robber import RobberProblem

from .layers import assert_solved, fewest_steps

Edges = list[tuple[int, int]]


def fewest_actions(size: int, edges: Edges, cops: int) -> float:
    """Breadth first over the cops and the set of places where the robber may be; shares nothing with the puzzle."""
    near = {place: {place} | {b if a == place else a for a, b in edges if place in (a, b)} for place in range(size)}

    def after(posts: tuple[int, ...], robbers: frozenset[int]) -> tuple[tuple[int, ...], frozenset[int]]:
        free = robbers - set(posts)
        return posts, frozenset(to for place in free for to in near[place]) - set(posts)

    def following(known: tuple[tuple[int, ...], frozenset[int]]) -> Iterator[tuple[tuple[int, ...], frozenset[int]]]:
        posts, robbers = known
        return (after(tuple(sorted(way)), robbers) for way in product(*(near[post] for post in posts)))

    starts = [after(posts, frozenset(near)) for posts in combinations_with_replacement(range(size), cops)]
    return 1 + fewest_steps(starts, following, lambda known: not known[1])


def path(n: int) -> Edges:
    return [(place, place + 1) for place in range(n - 1)]


def cycle(n: int) -> Edges:
    return [*path(n), (n - 1, 0)] if n > 2 else path(n)


def grid(rows: int, n: int) -> Edges:
    across = [(row * n + a, row * n + b) for row in range(rows) for a, b in path(n)]
    return across + [(place, place + n) for place in range((rows - 1) * n)]


def spider(legs: int, n: int) -> Edges:
    return [(0 if place == 0 else leg * n + place, leg * n + place + 1) for leg in range(legs) for place in range(n)]


CASES: list[tuple[dict[str, Any], int, Edges]] = [
    *(({"graph": "path", "n": n}, n, path(n)) for n in (1, 2, 3, 6)),
    *(({"graph": "cycle", "n": n}, n, cycle(n)) for n in (1, 2, 3, 4, 5, 8)),
    *(({"graph": "complete", "n": n}, n, list(combinations(range(n), 2))) for n in (1, 2, 3, 4, 5)),
    *(({"graph": "grid", "n": n, "rows": rows}, n * rows, grid(rows, n)) for n, rows in ((1, 3), (3, 2), (3, 3))),
    *(({"graph": "spider", "n": n, "rows": legs}, n * legs + 1, spider(legs, n)) for n, legs in ((1, 3), (2, 3))),
]


@pytest.mark.few(20)
@pytest.mark.parametrize("cops", [1, 2])
@pytest.mark.parametrize(("options", "size", "edges"), CASES)
def test_small_graphs(options: dict[str, Any], size: int, edges: Edges, cops: int) -> None:
    expected = fewest_actions(size, edges, cops)
    by_shape = RobberProblem(**options, cops=cops)
    problems = [by_shape]
    if edges:
        problems.append(RobberProblem(edges=tuple((a + 1, b + 1) for a, b in edges), cops=cops))
    for problem in problems:
        assert_solved(problem, expected)


@pytest.mark.parametrize(
    ("graph", "n", "number"), [("path", 5, 1), ("cycle", 4, 2), ("cycle", 7, 2), ("complete", 4, 2), ("complete", 5, 3)]
)
def test_cop_numbers(graph: str, n: int, number: int) -> None:
    for cops in range(1, number + 1):
        assert (solve(RobberProblem(graph=graph, n=n, cops=cops)).plan is not None) == (cops == number)


def test_what_an_order_does() -> None:
    problem = RobberProblem(graph="path", n=4, cops=1)
    assert problem.actions(((), 2)) == [(1,), (2,), (3,), (4,)]
    assert problem.actions(((2,), 4)) == [(1,), (2,), (3,)]
    assert problem.results(((), 2), (2,)) == [((2,), 0)]
    assert problem.results(((2,), 4), (3,)) == [((3,), 4)]
    assert problem.results(((1,), 3), (1,)) == [((1,), 3), ((1,), 2), ((1,), 4)]
    assert RobberProblem(graph="path", n=3).actions(((1, 1), 3)) == [(1, 1), (1, 2), (2, 2)]


def test_edges_are_read() -> None:
    assert make_problem(RobberProblem, {"edges": "2-1, 2-3"}) == RobberProblem(edges=((1, 2), (2, 3)))
