"""Winning regions: the same by each engine and by brute force; what `verify` makes of them, right or wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings

from beliefsearch import BeliefSearchError, Limits, ProblemError, StochasticProblem
from beliefsearch.errors import DoesNotHoldError, InvalidPlanError, LimitError
from beliefsearch.graph import WinningRegion, region_graph, winning_region
from beliefsearch.kinds import possible_game
from beliefsearch.plans.winning_region import region_plan
from beliefsearch.verify.region import check_region
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..contingent_problems import SightedTable, sighted_problems, won_in_the_end
from ..examples import examples
from ..toys.made import made


def as_sets(region: WinningRegion[Any, Any]) -> dict[frozenset[Any], set[Any]]:
    return {region.members(number): set(region.safe_actions(region.members(number))) for number in range(len(region))}


def plan_of(region: WinningRegion[Any, Any], problem: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(region_plan(region, problem)))
    return found


@given(sighted_problems())
@settings(max_examples=examples(60))
def test_the_region_is_that_of_brute_force_whatever_the_engine(problem: SightedTable) -> None:
    problem = evolve(problem, adversary=False)
    expected = won_in_the_end(problem)
    for engine in ("bits", "compiled"):
        region = winning_region(problem, engine=engine)
        assert as_sets(region) == {belief: set(safe) for belief, safe in expected.items()}
        start = frozenset(problem.starts)
        assert (region.start is not None) == (start in expected)
        assert region.start is None or region.members(region.start) == start
        assert (start in region) == (start in expected)
    assert plan_of(region, problem) == plan_of(winning_region(problem), problem)
    assert check_region(problem, plan_of(region, problem)) == (len(expected), start in expected)


@given(sighted_problems())
@settings(max_examples=examples(60))
def test_no_wrong_region_is_accepted(problem: SightedTable) -> None:
    """Of each region many are made that say a little more; what is accepted lies inside the true one."""
    problem = evolve(problem, adversary=False)
    expected = won_in_the_end(problem)
    states = list(range(len(problem.table)))
    actions = sorted({action for row in problem.table for action in row})
    beliefs = {belief: sorted(safe) for belief, safe in expected.items()}
    wrong: list[dict[frozenset[int], list[str]]] = []
    for state in states:
        wrong += [{**beliefs, frozenset((state,)): [action]} for action in actions]
    for belief, safe in beliefs.items():
        wrong += [{**beliefs, belief: [*safe, action]} for action in actions if action not in safe]
        wrong += [{other: listed for other, listed in beliefs.items() if other != belief}]
        wrong += [{**beliefs, belief: safe[:place] + safe[place + 1 :]} for place in range(len(safe))]
    for region in wrong:
        written = {
            "states": states,
            "actions": actions,
            "beliefs": [sorted(belief) for belief in region],
            "safe": [list(map(actions.index, safe)) for safe in region.values()],
        }
        try:
            check_region(problem, written)
        except InvalidPlanError:
            continue
        whole = {**expected, **won_in_the_end(evolve(problem, starts=tuple(states)))}
        for belief, safe in region.items():
            if belief in expected:
                assert set(safe) <= set(expected[belief])
            else:
                assert belief in {**whole, **won_in_the_end(evolve(problem, starts=tuple(sorted(belief))))}


SLIPPERY = VacuumProblem(squares=3, sensing="local", variant="slippery")


def test_what_is_safe_is_told_belief_by_belief() -> None:
    region = winning_region(SLIPPERY)
    start = frozenset(SLIPPERY.initial_states())
    assert start in region
    assert region.safe_actions(start) == ("Left", "Right", "Suck")
    won = next(region.members(number) for number in range(len(region)) if not region.safe[number])
    assert region.safe_actions(won) == ()
    with pytest.raises(BeliefSearchError, match="nobody can win almost surely"):
        region.safe_actions(frozenset())


def test_the_graph_has_the_safe_actions() -> None:
    region = winning_region(SLIPPERY)
    graph = region_graph(SLIPPERY, region)
    assert graph.number_of_nodes() == len(region)
    assert graph.graph["start"] == region.start
    assert region.start is not None
    assert graph.nodes[region.start]["g"] == 0
    # In the order of the region, which no hash decides.
    texts = [[SLIPPERY.format_state(region.states[place]) for place in belief] for belief in region.beliefs]
    assert [graph.nodes[number]["members"] for number in graph] == texts
    for number in range(len(region)):
        actions = {data["action"] for _, _, data in graph.out_edges(number, data=True)}
        assert actions == {SLIPPERY.format_action(region.actions[action]) for action in region.safe[number]}
        assert graph.nodes[number]["goal"] == (not region.safe[number])
        assert graph.nodes[number]["size"] == len(region.beliefs[number])


def doors(*, hears: bool = True) -> Any:
    """A prize lies behind one of two doors, a pit behind the other; listening may tell which."""
    return made(
        StochasticProblem,
        initial_distribution=[(0.5, "prize left"), (0.5, "prize right")],
        actions=("listen", "left", "right"),
        outcomes=lambda state, action: [
            (1, state if action == "listen" else "won" if state.endswith(action) else "lost")
        ],
        percept_distribution=lambda state, _: [(0.9, "nothing"), (0.1, state if hears else "nothing")],
        is_terminal=lambda state: state in ("won", "lost"),
        utility=lambda state: int(state == "won"),
    )


def test_of_chance_only_what_is_possible_counts() -> None:
    region = winning_region(doors())
    start = frozenset(("prize left", "prize right"))
    assert as_sets(region) == {
        frozenset(("won",)): set(),
        frozenset(("prize left",)): {"listen", "left"},
        frozenset(("prize right",)): {"listen", "right"},
        start: {"listen"},
    }
    deaf = winning_region(doors(hears=False))
    assert deaf.start is None
    assert as_sets(deaf) == {frozenset(("won",)): set()}


def test_what_has_no_region_is_refused_in_one_line() -> None:
    with pytest.raises(ProblemError, match="sees every state of SlidingTilesProblem"):
        winning_region(SlidingTilesProblem())
    with pytest.raises(ProblemError, match="has an adversary"):
        winning_region(DevilProblem(n=2))
    with pytest.raises(BeliefSearchError, match="no engine 'quick'"):
        winning_region(SLIPPERY, engine="quick")
    with pytest.raises(LimitError, match="there is no winning region"):
        winning_region(VacuumProblem(squares=9, sensing="local", variant="slippery"), limits=Limits(seconds=0.05))


def changed(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(plan: dict[str, Any]) -> None:
        *before, last = path
        for key in before:
            plan = plan[key]
        plan[last] = to

    return change


# Beliefs are: the prize on the left, on the right, won; and one of the first two.
BEHIND = {"states": ["prize left", "prize right", "won"], "actions": ["left", "listen", "right"]}
RIGHT = {**BEHIND, "beliefs": [[0], [1], [2], [0, 1]], "safe": [[0, 1], [1, 2], [], [1]], "start": 3}
WRONG: dict[str, Callable[[dict[str, Any]], None]] = {
    "its list of beliefs is no list": changed("beliefs", to=None),
    "a number in entry 0 of its list of beliefs is 3 and no number below 3": changed("beliefs", 0, to=[3]),
    "has a number twice": changed("beliefs", 3, to=[0, 0]),
    "a belief has at least one state": changed("beliefs", 0, to=[]),
    "it lists a belief more than once": changed("beliefs", 0, to=[1]),
    "it lists a state more than once": changed("states", 0, to="won"),
    "but safe actions of 3": changed("safe", to=[[0], [2], []]),
    'a state is listed that cannot come up: "prize"': changed("states", 0, to="prize"),
    "prize left is not won, and no action is listed": changed("safe", 0, to=[]),
    "won is won, but it lists actions there": changed("safe", 2, to=[1]),
    "may lead to state lost, which is not listed": changed("safe", 3, to=[0, 1]),
    "no listed actions lead to a won belief if the game is in state prize left": changed("safe", 0, to=[1]),
    "its start is said to be belief 0, which it is not": changed("start", to=0),
    "its start is said to be belief 'x', which it is not": changed("start", to="x"),
}


@pytest.mark.parametrize("start", [-1, True, 3.0])
def test_a_start_that_is_no_number_of_a_belief_is_none(start: Any) -> None:
    """Above all not -1, where the belief of the start is missing: that is not the start of the region."""
    problem = possible_game(doors())
    plan = {**RIGHT, "beliefs": [[0], [1], [2]], "safe": [[0], [2], []], "start": start}
    with pytest.raises(DoesNotHoldError, match=f"its start is said to be belief {start}, which it is not"):
        check_region(problem, plan)
    assert check_region(problem, {**plan, "start": None}) == (3, False)
    if start != -1:
        beliefs, safe = [[0], [0, 1], [1], [2]], [[0], [1], [2], []]
        moved = {**RIGHT, **({"beliefs": beliefs, "safe": safe} if start is True else {}), "start": start}
        with pytest.raises(DoesNotHoldError, match="which it is not"):
            check_region(problem, moved)


@pytest.mark.parametrize("said", WRONG)
def test_what_is_wrong_with_a_region_is_said(said: str) -> None:
    problem = possible_game(doors())
    assert check_region(problem, RIGHT) == (4, True)
    plan = copy.deepcopy(RIGHT)
    WRONG[said](plan)
    with pytest.raises(InvalidPlanError) as caught:
        check_region(problem, plan)
    assert said in str(caught.value)
    if not isinstance(caught.value, DoesNotHoldError):
        assert any(word in said for word in ("list", "number", "belief", "but"))
