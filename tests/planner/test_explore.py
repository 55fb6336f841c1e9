"""`explore`: published counts, and on random problems of every kind a brute force without views or codes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from math import comb, inf
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given

from beliefsearch import BeliefSearchError, Blindfolded, Limits, Observer, Problem, ProblemError, StochasticProblem
from beliefsearch.hooks import ReversibleProblem
from beliefsearch.model.belief import applicable_actions, outcomes
from beliefsearch.plot import exploration_picture
from beliefsearch.running.limits import TooManyStates
from beliefsearch.tools import Exploration, Possible, explore
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.fox import FoxProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.nim import NimProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.river_crossing import RiverCrossingProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..contingent_problems import SightedTable, is_won, sighted_problems
from ..engine.counting.coded_table import CodedTable, coded_tables
from ..random_problems import TableBeliefProblem, TableProblem, belief_problems, least_costs, plain_problems
from ..toys.made import made

Node = TypeVar("Node", bound=Hashable)

# By node, and by action: what may follow.
Moves = Mapping[Node, list[set[Node]]]


def graph_from(starts: Iterable[Node], moves: Callable[[Node], list[set[Node]]]) -> tuple[dict[Node, int], Moves[Node]]:
    """All that can be reached, with its distance."""
    distance = dict.fromkeys(starts, 0)
    graph = {}
    waiting = list(distance)
    for node in waiting:
        graph[node] = moves(node)
        for child in set[Node]().union(*graph[node]) - distance.keys():
            distance[child] = distance[node] + 1
            waiting.append(child)
    return distance, graph


def to_goals(graph: Moves[Node], goals: set[Node]) -> dict[Node, float]:
    """How many moves the best plan takes at the most."""
    return least_costs(graph, lambda node: [(1, move) for move in graph[node]], goals.__contains__)


def layers(distances: Iterable[float]) -> tuple[int, ...]:
    """How many there are at each distance; those without one are left out."""
    known = [int(distance) for distance in distances if distance < inf]
    return tuple(known.count(distance) for distance in range(max(known, default=-1) + 1))


def assert_explored(found: Exploration, distances: Mapping[Node, float]) -> None:
    assert found.complete
    assert found.reason is None
    assert found.layers == layers(distances.values())
    assert found.cut_off == sum(distance == inf for distance in distances.values())
    farthest = {node for node, far in distances.items() if far == len(found.layers) - 1}
    assert len(found.last) == min(10, len(farthest))
    assert set(found.last) <= farthest


def assert_both_ways(problem: Any, starts: Iterable[Any], moves: Callable[[Any], list[set[Any]]], engine: str) -> None:
    distance, graph = graph_from(starts, moves)
    assert_explored(explore(problem, engine=engine), distance)
    goals = {node for node in graph if is_won(problem, node if isinstance(node, frozenset) else frozenset({node}))}
    if not isinstance(problem, ReversibleProblem) and engine != "compiled":
        assert_explored(explore(problem, backward=True, engine=engine), to_goals(graph, goals))


def first_belief(problem: Any) -> frozenset[Any]:
    return frozenset(map(problem.canonical, problem.initial_states()))


def belief_moves(problem: Any) -> Callable[[Any], list[set[Any]]]:
    def moves(belief: Any) -> list[set[Any]]:
        found = [outcomes(problem, belief, action) for action in applicable_actions(problem, belief)]
        return [{frozenset(map(problem.canonical, states)) for states in by_percept.values()} for by_percept in found]

    return moves


@given(problem=plain_problems())
def test_plain_problems_are_counted_by_state(problem: TableProblem) -> None:
    def moves(state: int) -> list[set[int]]:
        return [{result} for result in problem.table[state].values()]

    assert_both_ways(problem, [0], moves, "auto")
    _, whole = graph_from(range(len(problem.table)), moves)
    back = explore(problem, backward=True)
    distances = {state: far for state, far in to_goals(whole, set(problem.goals)).items() if far < inf}
    assert_explored(back, distances)


@given(problem=coded_tables().filter(lambda problem: len(problem.won) > 0))
def test_codes_give_the_same_as_states(problem: CodedTable) -> None:
    for backward in (False, True):
        naive, coded = (explore(problem, backward=backward, engine=engine) for engine in ("naive", "auto"))
        assert naive.layers == coded.layers
        assert (naive.nodes, naive.cut_off, len(naive.last)) == (coded.nodes, 0, len(coded.last))


@given(problem=belief_problems())
def test_sensorless_problems_are_counted_by_belief(problem: TableBeliefProblem) -> None:
    for engine in ("naive", "compiled"):
        assert_both_ways(problem, [first_belief(problem)], belief_moves(problem), engine)


@given(problem=sighted_problems())
def test_with_percepts_the_distance_to_the_goal_is_that_of_the_worst_case(problem: SightedTable) -> None:
    for engine in ("naive", "compiled"):
        assert_both_ways(problem, [first_belief(problem)], belief_moves(problem), engine)


@pytest.mark.parametrize("n", [4, 6])
def test_equivalent_states_count_once(n: int) -> None:
    def switched(lamps: str, place: int) -> str:
        return lamps[:place] + str(1 - int(lamps[place])) + lamps[place + 1 :]

    # Switch n lamps on; which of them are on makes no difference.
    switches: dict[str, Any] = {"initial_state": "0" * n, "actions": range(n), "result": switched}
    switches["is_goal"] = lambda lamps: "0" not in lamps
    alike = made(
        ReversibleProblem,
        **switches,
        canonical=lambda lamps: "".join(sorted(lamps)),
        goal_states=["1" * n],
        predecessors=lambda lamps: [(switched(lamps, place), place) for place in range(n)],
    )
    assert explore(made(Problem, **switches)).layers == tuple(comb(n, k) for k in range(n + 1))
    for backward in (False, True):
        found = explore(alike, backward=backward)
        assert found.layers == (1,) * (n + 1)
        assert found.last == (("1" if not backward else "0") * n,)


def test_a_game_that_shows_all_is_counted_by_state() -> None:
    found = explore(NimProblem())
    assert found.nodes == "states"
    assert not any(isinstance(state, frozenset) for state in found.last)
    back = explore(NimProblem(), backward=True)
    assert back.total + back.cut_off == found.total


# Three steps up a slope; however unlikely it is to slip, it is possible, and the end is the end.
SLIPPERY = made(
    StochasticProblem,
    initial_state=0,
    actions=["step"],
    outcomes=lambda state, _: [
        (1 - Fraction(1, 10**9), state + 1),
        (Fraction(1, 10**9), max(state - 5, -1)),
        (Fraction(0), 77),
    ],
    is_terminal=lambda state: state == 3,
    utility=1,
)


def test_what_is_possible_is_counted_however_unlikely() -> None:
    found = explore(SLIPPERY)
    assert (found.nodes, found.layers, found.last) == ("states", (1, 2, 1, 1), (3,))
    assert explore(GamblerProblem(goal=4, capital=2)).total == 5
    # Listening tells nothing for sure, and to open a door ends the game.
    tiger = explore(TigerProblem())
    assert tiger.nodes == "beliefs"
    problem = Possible(TigerProblem())
    distance, _ = graph_from([frozenset(problem.initial_states())], belief_moves(problem))
    assert_explored(tiger, distance)
    for problem_of_chance in (SLIPPERY, TigerProblem()):
        with pytest.raises(ProblemError, match="chance decides how far the goal is"):
            explore(problem_of_chance, backward=True)


def test_a_blindfolded_game_and_small_puzzles_agree_with_the_definition() -> None:
    for problem in (Blindfolded(NineTailsProblem(rows=2, cols=2)), DevilProblem(n=3), FoxProblem(holes=4)):
        assert_both_ways(problem, [first_belief(problem)], belief_moves(problem), "auto")
    vacuum = VacuumProblem(squares=2, sensing="local")
    assert_both_ways(vacuum, [first_belief(vacuum)], belief_moves(vacuum), "naive")


def test_goals_are_left_again() -> None:
    start = SlidingTilesProblem(rows=2, cols=3, start="1 2 3 4 5 0")
    assert start.is_goal(start.initial_state())
    assert explore(start).total == 360


# Every state has three that follow, and no two the same.
ENDLESS = made(
    Problem, initial_state=1, actions=lambda _: range(3), result=lambda state, action: 3 * state + action, is_goal=False
)


def test_what_is_stopped_keeps_the_layers_that_are_complete() -> None:
    found = explore(ENDLESS, limits=Limits(seconds=0.1))
    assert not found.complete
    assert found.eccentricity is None
    assert found.reason == "the time limit of 0.1 s was reached"
    assert found.layers == tuple(3**distance for distance in range(len(found.layers)))
    assert len(found.last) == min(10, found.layers[-1])
    back = explore(ENDLESS, limits=Limits(seconds=0.05), backward=True)
    assert (back.layers, back.complete, back.cut_off) == ((), False, 0)


def test_an_observer_hears_of_every_layer(tmp_path: Path) -> None:
    heard: list[tuple[Any, int, int]] = []

    class Listener(Observer):
        def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
            heard.append((bound, frontier, reached))

    layers = [(0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 2, 5), (4, 2, 7), (5, 1, 8), (6, 1, 9), (7, 1, 10)]
    for ways in ({"engine": "naive"}, {"engine": "compiled"}, {"store": tmp_path}, {"store": tmp_path, "resume": True}):
        heard.clear()
        explore(RiverCrossingProblem(), observer=Listener(), **ways)
        assert heard == layers


# As many layers as steps.
STAIRS = made(
    Problem,
    initial_state=0,
    actions=lambda state: ("up",) if state < 50_000 else (),
    result=lambda state, _: state + 1,
    is_goal=False,
)


def test_many_layers_take_time_in_proportion() -> None:
    found = explore(STAIRS, limits=Limits(seconds=10))  # 0.3 s; 15 s if each looked at all before it
    assert (found.complete, found.total, found.last) == (True, 50_001, (50_000,))


def test_what_no_array_holds_is_an_error_and_not_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_many(*_: object) -> None:
        raise TooManyStates

    monkeypatch.setattr("beliefsearch.planner.explore.layers_by_codes", too_many)
    vacuum = VacuumProblem(squares=2, sensing="local")
    with pytest.raises(ProblemError, match="more states and actions than arrays should hold"):
        explore(vacuum, engine="compiled")
    assert explore(vacuum).complete


def test_the_picture_has_a_bar_for_each_distance() -> None:
    found = explore(NineTailsProblem(), backward=True)
    (axes,) = exploration_picture(found, "Nine Tails").axes
    assert [round(bar.get_height()) for bar in axes.patches] == [*found.layers]  # type: ignore[attr-defined]
    assert (axes.get_yscale(), axes.get_title(), axes.get_xlabel()) == ("log", "Nine Tails", "actions to the goal")
    assert [text.get_text() for text in axes.texts] == [
        *map(str, found.layers),
        "512 states, the farthest 10 actions away",
    ]
    (axes,) = exploration_picture(explore(RiverCrossingProblem())).axes
    assert (axes.get_yscale(), [*axes.get_yticks()]) == ("linear", [0, 1, 2, 3])
    many = Exploration("states", tuple(range(1, 1001)), False, reason="it was interrupted")
    (axes,) = exploration_picture(many).axes
    assert axes.texts[0].get_text() == "500,500 states up to 999 away; there may be more"
    with pytest.raises(BeliefSearchError, match="nothing was counted"):
        exploration_picture(explore(DevilProblem(n=3), backward=True))
