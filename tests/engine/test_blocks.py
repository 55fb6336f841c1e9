"""Beliefs by blocks where something is perceived: random problems of small parts, against whole beliefs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, Status, check_plan, check_problem, load, save, solve, verify_file
from beliefsearch.cli.renderers import conditional_plan
from beliefsearch.cli.renderers.conditional_plan import plan_tree
from beliefsearch.errors import BeliefSearchError, InvalidPlanError, ProblemError
from beliefsearch.hooks import Factor, FactoredHook, FixedStates
from beliefsearch.model.diagrams import Costs, holds
from beliefsearch.model.fixed_beliefs import FixedBeliefs
from beliefsearch.plans.plan import ConditionalPlan, PlanNode
from beliefsearch.verify import conditional
from beliefsearch_problems._pddl import factors
from beliefsearch_problems.files.pddl import PddlFileProblem

from ..conftest import Run
from ..examples import examples

# By action, and by state in which it applies, where it leads.
Table = dict[str, dict[int, tuple[int, ...]]]
SIGHTS = ("dark", "light", "grey")


class Room(BeliefProblem[int, str, Any]):
    """A block by its table; it tells what is to be seen there after the actions in `sights`."""

    def __init__(
        self,
        starts: Sequence[int],
        table: Table,
        won: Sequence[int],
        sights: Mapping[str, Sequence[str]],
        fixed: FixedStates[str] | None = None,
    ) -> None:
        self.starts, self.table, self.won, self.sights, self.fixed = starts, table, won, sights, fixed

    def initial_states(self) -> Sequence[int]:
        return self.starts

    def actions(self, state: int) -> list[str]:
        return [action for action, rows in self.table.items() if state in rows]

    def results(self, state: int, action: str) -> tuple[int, ...]:
        return self.table[action][state]

    def percepts(self, state: int, action: str) -> tuple[Any]:
        return (self.sights[action][state] if action in self.sights else None,)

    def is_goal(self, state: int) -> bool:
        return state in self.won


class Rooms(BeliefProblem[tuple[int, ...], str, Any], FactoredHook[tuple[int, ...], str]):
    """Rooms that say nothing of each other."""

    def __init__(self, rooms: list[Room], names: Sequence[str]) -> None:
        self.rooms, self.names = rooms, names

    def initial_states(self) -> list[tuple[int, ...]]:
        return [*product(*(room.starts for room in self.rooms))]

    def actions(self, state: tuple[int, ...]) -> list[str]:
        def applies(action: str) -> bool:
            pairs = zip(self.rooms, state, strict=True)
            return all(own in room.table[action] for room, own in pairs if action in room.table)

        return [action for action in self.names if applies(action)]

    def results(self, state: tuple[int, ...], action: str) -> list[tuple[int, ...]]:
        pairs = zip(self.rooms, state, strict=True)
        return [*product(*(room.table[action][own] if action in room.table else (own,) for room, own in pairs))]

    def percepts(self, state: tuple[int, ...], action: str) -> tuple[Any]:
        told = [
            room.percepts(own, action) for room, own in zip(self.rooms, state, strict=True) if action in room.sights
        ]
        return told[0] if told else (None,)

    def is_goal(self, state: tuple[int, ...]) -> bool:
        return all(room.is_goal(own) for room, own in zip(self.rooms, state, strict=True))

    def has_unit_costs(self) -> bool:
        return True

    def factors(self) -> list[Factor[str]]:
        return [Factor(room, tuple(room.table), itemgetter(n), fixed=room.fixed) for n, room in enumerate(self.rooms)]

    def count_starts(self) -> int:
        return math.prod(len(room.starts) for room in self.rooms)


@st.composite
def boards(draw: Any, names: str) -> Room:
    """Draw a room that never changes, of three variables by rules, which also say what applies, is seen and is won."""
    members = st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=2).map(tuple), min_size=1, max_size=3)
    rules = st.tuples(st.sampled_from(("or", "oneof")), members)

    def kept_in(state: int, rule: tuple[str, Any]) -> bool:
        true = sum(all((state >> (literal >> 1) & 1) != literal & 1 for literal in member) for member in rule[1])
        return true == 1 if rule[0] == "oneof" else true > 0

    own = draw(st.lists(rules, max_size=2))
    starts = [state for state in range(8) if all(kept_in(state, rule) for rule in own)]
    if not starts:
        own, starts = [], [*range(8)]
    goal = draw(st.lists(rules, max_size=1))
    needs = draw(st.dictionaries(st.sampled_from(names), st.lists(rules, min_size=1, max_size=2), max_size=3))
    tells = draw(st.dictionaries(st.sampled_from(names), rules, min_size=1))
    table: Table = {
        action: {n: (n,) for n in range(8) if all(kept_in(n, rule) for rule in needs.get(action, ()))}
        for action in dict.fromkeys([*needs, *tells])
    }
    won = [state for state in range(8) if all(kept_in(state, rule) for rule in goal)]
    sights = {action: ["light" if kept_in(n, rule) else "dark" for n in range(8)] for action, rule in tells.items()}
    fixed = FixedStates(
        3,
        own,
        needs,
        goal,
        tells,
        lambda true: sum(1 << n for n in true),
        lambda state: frozenset(n for n in range(3) if state >> n & 1),
    )
    return Room(starts, table, won, sights, fixed)


@st.composite
def houses(draw: Any, *, certain: bool = True) -> Rooms:
    """Draw a problem of two or three rooms of up to three states; each action may be told of in one of them."""
    sizes = draw(st.lists(st.integers(2, 3), min_size=2, max_size=3))
    names = "abcde"[: draw(st.integers(2, 5))]
    tables: list[Table] = []
    for size in sizes:
        states = st.integers(0, size - 1)
        results = st.lists(states, min_size=1, max_size=1 if certain else 2, unique=True).map(tuple)
        # Most apply everywhere: else there is hardly ever a plan.
        everywhere = st.tuples(*[results] * size).map(lambda row: dict(enumerate(row)))
        rows = st.one_of(everywhere, everywhere, st.dictionaries(states, results, min_size=1))
        tables.append(draw(st.dictionaries(st.sampled_from(names), rows, min_size=1)))
    used = [name for name in names if any(name in table for table in tables)]
    sights: list[dict[str, list[str]]] = [{} for _ in sizes]
    for name in used:
        place = draw(st.sampled_from([place for place, table in enumerate(tables) if name in table]))
        if draw(st.integers(0, 3)) or name == used[0]:
            seen = st.lists(st.sampled_from(SIGHTS), min_size=sizes[place], max_size=sizes[place])
            sights[place][name] = draw(seen)
    rooms = []
    if draw(st.booleans()):  # one is given by rules
        rooms.append(draw(boards(names)))
        used = [*dict.fromkeys([*used, *rooms[0].table])]
        for seen_there in sights:
            for name in rooms[0].sights:
                seen_there.pop(name, None)
    for size, table, seen_there in zip(sizes, tables, sights, strict=True):
        states = st.integers(0, size - 1)
        starts = draw(st.lists(states, min_size=2, unique=True))
        won = draw(st.lists(states, min_size=1, max_size=size - 1, unique=True))
        rooms.append(Room(starts, table, won, seen_there))
    return Rooms(rooms, used)


@given(board=boards("abc"), data=st.data())
@settings(max_examples=examples(16))
def test_costs_of_a_plan_are_those_of_every_state(board: Room, data: Any) -> None:
    """A small tree is followed from each state, and its costs are made from its ends to its root."""
    sets = FixedBeliefs([Factor(board, tuple(board.table), int, fixed=board.fixed)])

    def draw(depth: int) -> Any:
        if not depth or not data.draw(st.integers(0, 4)):
            return None
        action = data.draw(st.sampled_from([*board.table]))
        told = SIGHTS[:2] if action in board.sights else (None,)
        missing = data.draw(st.integers(0, 5)) if len(told) > 1 else -1
        return action, {percept: draw(depth - 1) for n, percept in enumerate(told) if n != missing}

    def costs(tree: Any) -> Costs:
        if tree is None:
            return sets.costs_at_end
        return sets.costs_before(tree[0], 2, [(percept, costs(part)) for percept, part in tree[1].items()])

    def truth(state: int, tree: Any) -> float:
        if tree is None:
            return 0 if board.is_goal(state) else math.inf
        (percept,) = board.percepts(state, tree[0])
        if state not in board.table[tree[0]] or percept not in tree[1]:
            return math.inf
        return 2 + truth(state, tree[1][percept])

    tree = draw(3)
    found = costs(tree)
    for state in board.starts:
        here = holds(sets.diagrams, ("or", [[2 * n + (not state >> n & 1) for n in range(3)]]))
        assert sets.most(here, found) == truth(state, tree)


@given(problem=houses())
@settings(max_examples=examples(24))
def test_searches_by_blocks_find_what_frozensets_find(problem: Rooms) -> None:
    truth: Any = solve(problem, engine="naive", solver="and-or-graph")
    assert "factors" not in [violation.rule for violation in check_problem(problem).violations]
    for solver in ("and-or-graph", "and-or", "alpha-beta"):
        found = solve(problem, engine="factored", solver=solver)
        assert (found.status, found.cost) == (truth.status, truth.cost), solver
    greedy: Any = solve(problem, engine="factored")
    assert (greedy.solver, greedy.status) == ("closed-loop-greedy", truth.status)
    if greedy.plan is not None:
        verdict = check_plan(problem, greedy.plan)
        assert verdict.holds
        assert truth.cost <= verdict.cost <= greedy.cost


@given(problem=houses(certain=False))
@settings(max_examples=examples(16))
def test_what_chance_decides_is_never_called_unsolvable_if_trying_helps(problem: Rooms) -> None:
    truth: Any = solve(problem, engine="naive", solver="and-or-graph")
    found = solve(problem, engine="factored", solver="and-or-graph")
    if truth.status is Status.SOLVED and truth.cost < math.inf:
        assert (found.status, found.cost) == (truth.status, truth.cost)
    elif found.status is Status.UNSOLVABLE:
        assert truth.status is Status.UNSOLVABLE
    else:
        assert found.plan is None


@given(problem=houses(), data=st.data())
@settings(max_examples=examples(24))
def test_plans_are_checked_by_blocks_as_by_states(problem: Rooms, data: Any) -> None:
    found = solve(problem, engine="factored").plan
    nodes = [*(ConditionalPlan((PlanNode(None),)) if found is None else found.as_conditional()).nodes]
    for _ in range(data.draw(st.integers(0, 2))):  # some plans go wrong
        place = data.draw(st.integers(0, len(nodes) - 1))
        targets = st.integers(0, len(nodes) - 1)
        action = data.draw(st.sampled_from(problem.names))
        percepts = data.draw(st.lists(st.sampled_from((None, *SIGHTS)), min_size=1, unique=True))
        nodes[place] = PlanNode(action, tuple((percept, data.draw(targets)) for percept in percepts))
    plan: ConditionalPlan[str, Any] = ConditionalPlan(tuple(nodes))
    verdicts: list[Any] = []
    for few in (10**9, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(conditional, "_FEW_STARTS", few)
            try:
                verdict = check_plan(problem, plan)
                verdicts.append((verdict.holds, verdict.cost if verdict.holds else None))
            except InvalidPlanError:
                verdicts.append((False, None))
            except ProblemError:
                assert plan.is_cyclic, "of others all can be told"
                return
    if not verdicts[0][0] and verdicts[1][0]:
        pytest.fail("a plan that does not hold was accepted")
    assert verdicts[0] == verdicts[1]


def test_factors_that_tell_of_each_other_are_found_out() -> None:
    def room(sights: Mapping[str, Sequence[str]]) -> Room:
        return Room([0, 1], {"look": {0: (0,), 1: (1,)}}, [0, 1], sights)

    class Together(Rooms):
        def initial_states(self) -> list[tuple[int, ...]]:
            return [(0, 0), (1, 1)]

        def count_starts(self) -> int:
            return 2

    told = {"look": ("dark", "light")}
    assert [one.rule for one in check_problem(Together([room(told), room({})], ["look"])).violations] == ["factors"]
    assert [one.rule for one in check_problem(Rooms([room(told), room(told)], ["look"])).violations] == ["factors"]
    with pytest.raises(ProblemError, match="two factors say what is perceived"):
        solve(Rooms([room(told), Room([1], {"look": {1: (1,)}}, [0], told)], ["look"]), engine="factored")


def test_what_the_engine_cannot_do_is_said() -> None:
    problem = Rooms([Room([0, 1], {"look": {0: (0,), 1: (1,)}}, [0], {"look": SIGHTS})], ["look"])
    with pytest.raises(BeliefSearchError, match="engine factored has no solver for the expected cost"):
        solve(problem, engine="factored", objective="expected")
    with pytest.raises(BeliefSearchError, match="choose the heuristic best or none"):
        solve(problem, engine="factored", heuristic="own")


# Doors in a row, behind each of which lies a key for the next; nobody knows in which of its drawers.
DRAWERS = """
(define (domain drawers)
 (:predicates (at ?r) (next ?r ?s) (in ?r ?d) (drawer ?d) (free ?r))
 (:action peep :parameters (?r ?d) :precondition (and (at ?r) (drawer ?d)) :observe (in ?r ?d))
 (:action take :parameters (?r ?d) :precondition (and (at ?r) (drawer ?d) (in ?r ?d)) :effect (free ?r))
 (:action go :parameters (?r ?s) :precondition (and (at ?r) (next ?r ?s) (free ?r))
  :effect (and (at ?s) (not (at ?r)))))
"""


def drawers(folder: Path, rooms: int, count: int) -> PddlFileProblem:
    """The task with so many rooms and drawers in each."""
    rs, ds = [f"r{r}" for r in range(rooms + 1)], [f"d{d}" for d in range(count)]
    known = "".join(f"(drawer {d})" for d in ds) + "".join(f"(next {r} {s})" for r, s in pairwise(rs))
    keys = "".join("(oneof " + "".join(f"(in {r} {d})" for d in ds) + ")" for r in rs[:-1])
    (folder / "drawers.pddl").write_text(
        DRAWERS + f"(define (problem p) (:domain drawers) (:objects {' '.join(rs + ds)}) "
        f"(:init (at r0) {known} {keys}) (:goal (at {rs[-1]})))"
    )
    return PddlFileProblem(folder / "drawers.pddl")


def test_starts_that_nobody_could_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms, count = 20, 6
    problem = drawers(tmp_path, rooms, count)
    result = solve(problem)
    assert (result.engine, result.solver) == ("factored", "closed-loop-greedy")
    # At most all drawers but one are looked into; what is left in the last is known.
    assert result.cost == rooms * (count + 1)
    plan = result.require_conditional_plan()
    assert plan.steps == rooms * (2 * count)
    tree = 0
    for _ in range(rooms):
        tree = count - 1 + count * (2 + tree)
    assert plan.tree_size == tree
    monkeypatch.setattr(conditional_plan, "_MOST_LINES", 10)
    assert f"all 240 steps, a tree of about 10^{len(str(tree)) - 1} actions" in [*plan_tree(problem, plan)][-1]
    verdict = check_plan(problem, plan)
    assert (verdict.holds, verdict.starts, verdict.cost) == (True, count**rooms, result.cost)
    save(result, tmp_path / "plan.json")
    assert verify_file(tmp_path / "plan.json", problem=PddlFileProblem).holds
    loaded: Any = load(tmp_path / "plan.json", problem=PddlFileProblem)
    assert loaded.plan.steps == plan.steps
    wrong = [*plan.nodes]
    place = next(n for n, node in enumerate(wrong) if len(node.branches) > 1)
    wrong[place] = evolve(
        wrong[place], branches=tuple((told, wrong[place].branches[0][1]) for told, _ in wrong[place].branches)
    )
    with pytest.raises(InvalidPlanError, match="does not apply"):
        check_plan(problem, ConditionalPlan(tuple(wrong)))


def test_what_never_changes_need_not_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factors, "MOST_SOLUTIONS", 1)  # so that all drawers together are one diagram
    rooms, count = 8, 4
    problem = drawers(tmp_path, rooms, count)
    fixed = [factor for factor in problem.factors() or () if factor.fixed]
    assert len(fixed) == 1
    result = solve(problem)
    assert (result.engine, result.cost) == ("factored", rooms * (count + 1))
    # A plan for a room serves every belief in which its key may be in these drawers, whatever was seen before.
    assert result.require_conditional_plan().steps == rooms * (2 * count)
    verdict = check_plan(problem, result.require_conditional_plan())
    assert (verdict.holds, verdict.starts, verdict.cost) == (True, count**rooms, result.cost)
    small = drawers(tmp_path, 2, 3)
    assert not check_problem(small).violations
    assert solve(small, engine="factored", solver="and-or-graph").cost == 8


def test_an_action_that_does_nothing_may_stand_in_a_plan(
    tmp_path: Path, cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        globals(), "DRAWERS", DRAWERS.replace("(:action go", "(:action wait :parameters (?r)) (:action go")
    )
    drawers(tmp_path, 8, 3)  # 6,561 starts
    file, plan = str(tmp_path / "drawers.pddl"), tmp_path / "plan.txt"
    text = cli("run", file, "--plan-format", "pddl")[1]
    for room, code in (("r3", 0), ("r99", 2)):
        plan.write_text(text.replace("0||0 ---", f"0||0 --- wait {room} --- SON: 0||9\n0||9 ---", 1))
        assert cli("verify", "--plan", str(plan), "--problem", file)[0] == code


@pytest.mark.parametrize(
    ("rules", "needs", "complaint"),
    [
        ([("and", [(0,)])], {}, "the kind of a rule is or, or oneof, and not 'and'"),
        ([("or", [(2,)])], {}, "a literal is from 0 to 1"),
        ([("or", [(0,)]), ("or", [(1,)])], {}, "no state keeps the rules"),
        ([], {"jump": [("or", [(0,)])]}, "has rules of 'jump', and not among its actions"),
    ],
)
def test_rules_that_say_nothing_sensible(rules: Any, needs: Any, complaint: str) -> None:
    def asked() -> Any:
        fixed = FixedStates(1, rules, needs, [], {"look": ("or", [(0,)])}, len, lambda state: frozenset(range(state)))
        room = Room([0, 1], {"look": {0: (0,), 1: (1,)}}, [0, 1], {"look": SIGHTS}, fixed)
        return solve(Rooms([room, Room([0], {}, [0], {})], ["look"]), engine="factored")

    with pytest.raises(ProblemError, match=complaint):
        asked()


def test_small_tasks_by_blocks_and_by_states(tmp_path: Path) -> None:
    problem = drawers(tmp_path, 2, 3)
    assert not check_problem(problem).violations
    assert solve(problem, engine="factored", solver="and-or-graph").cost == 8
    assert solve(problem, engine="bits", solver="and-or-graph").cost == 8


def test_what_is_asked_may_have_to_do_with_what_is_certain(tmp_path: Path) -> None:
    """The goal is about an atom that may be unknown and one that never is: its block has both."""
    (tmp_path / "domain.pddl").write_text(
        "(define (domain d) (:predicates (u) (c) (d)) (:action look :parameters () :observe (and (u) (d)))"
        " (:action set :parameters () :effect (c)) (:action on :parameters () :effect (d)))"
    )
    path = tmp_path / "p.pddl"
    path.write_text("(define (problem q) (:domain d) (:init (and (unknown (u)))) (:goal (or (u) (c))))")
    problem = PddlFileProblem(path)
    assert not check_problem(problem).violations
    for engine in ("factored", "bits"):
        assert solve(problem, engine=engine, solver="and-or-graph").cost == 1
