"""The checker of proofs: every rule of every kind, on problems small enough to see that the answer is right."""

from __future__ import annotations

import ast
import json
import math
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from beliefsearch import BeliefProblem, solve
from beliefsearch.errors import InvalidPlanError, InvalidProofError
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.plans.proof_words import proof_text
from beliefsearch.proofs.check import check_file, check_proof
from beliefsearch.proofs.finder import find_proof
from beliefsearch.running.run import Run
from beliefsearch.verify import proof as verify_proof

from ..plan_texts import plan_of_text
from ..random_problems import TableBeliefProblem, TableProblem
from ..test_architecture import imported

# Three stairs: 2 -> 1 -> 0 by "down"; "stay" does nothing. Two actions, whichever the stair.
STAIRS = TableBeliefProblem(
    (0, 1, 2),
    ({"down": (0,), "stay": (0,)}, {"down": (0,), "stay": (1,)}, {"down": (1,), "stay": (2,)}),
    (frozenset({0}),),
)
# The same, but going down costs 3/2 and staying nothing.
TOLL = TableBeliefProblem(
    STAIRS.starts,
    STAIRS.table,
    STAIRS.goals,
    {(state, name): Fraction(3, 2) if name == "down" else 0 for state in range(3) for name in ("down", "stay")},
)
# Nobody gets out of 1 and 2.
PIT = TableBeliefProblem((0, 1), ({"a": (0,)}, {"a": (0, 2)}, {"a": (1, 0)}), (frozenset({0}),))

DISTANCES: dict[str, Any] = {"kind": "distances", "states": [0, 1, 2], "distances": [0, 1, 2]}
POTENTIAL: dict[str, Any] = {
    "kind": "potential",
    "states": [0, 1, 2],
    "weights": [0, 1, 1],
    "flows": [
        {"action": "down", "flow": [[1, 0, 1], [2, 1, 1]]},
        {"action": "stay", "flow": [[1, 1, 1], [2, 2, 1]]},
    ],
}
TRAP: dict[str, Any] = {"kind": "trap", "states": [1, 2]}
RAY: dict[str, Any] = {
    "kind": "ray",
    "states": [0, 1, 2],
    "weights": [0, 1, 1],
    "flows": [{"action": "a", "flow": [[1, 2, 1], [2, 1, 1]]}],
}
# One belief ahead at each cost, and one set behind.
LISTED: dict[str, Any] = {
    "kind": "exhaustion",
    "states": [0, 1, 2],
    "bound": 2,
    "reach": 1,
    "depth": 1,
    "ahead": [[[0, 1, 2], 0], [[0, 1], 1]],
    "behind": [[[0], 0], [[0, 1], 1]],
}
CLOSED: dict[str, Any] = {"kind": "exhaustion", "states": [0, 1, 2], "bound": None, "reach": None, "depth": 0}
CLOSED |= {"ahead": [[[0, 1], 0], [[0, 2], 1]], "behind": [[[0], 0]]}


def bound(problem: Any, proof: Mapping[str, Any], **changes: Any) -> Any:
    return check_proof(problem, json.loads(json.dumps({**proof, **changes})))


@pytest.mark.parametrize(
    ("problem", "proof", "proved"),
    [
        (STAIRS, DISTANCES, 2),
        (STAIRS, POTENTIAL, 2),
        (STAIRS, LISTED, 2),
        (PIT, TRAP, math.inf),
        (PIT, RAY, math.inf),
        (PIT, CLOSED, math.inf),
        (TOLL, {**DISTANCES, "distances": [0, "3/2", 3]}, 3),
        (evolve(PIT, costs={(s, "a"): 10**400 for s in range(3)}), TRAP, math.inf),  # no float is so large
    ],
)
def test_a_proof_holds(problem: Any, proof: dict[str, Any], proved: float) -> None:
    assert bound(problem, proof) == proved


@pytest.mark.parametrize(
    "junk", [{"table": 5}, {"table": None}, {"packed": 1}, {"table": {"packed": 1}}, {"beliefs": 7}]
)
def test_words_of_a_proof_that_has_more_fields(junk: dict[str, Any]) -> None:
    document: Any = plan_document(solve(PIT), PIT, name="it", parameters={})
    for proof in (TRAP, RAY, CLOSED):
        saved = plan_of_text(json.dumps({**document, "proof": {**proof, **junk}}))
        assert check_file(PIT, saved).holds


def test_a_weaker_claim_proves_less() -> None:
    assert bound(STAIRS, DISTANCES, distances=[0, 1, 1]) == 1
    assert bound(STAIRS, DISTANCES, states=[0, 1], distances=[0, 1]) == 1
    assert bound(STAIRS, DISTANCES, states=[0, 1, "2"]) == 1
    assert bound(PIT, TRAP, states=[2]) == bound(PIT, TRAP, states=[]) == 0
    assert bound(STAIRS, LISTED, bound=1) == 1
    assert bound(STAIRS, DISTANCES, distances=[0, "1/2", "3/2"]) in (2, Fraction(3, 2))
    half = [{**f, "flow": [[s, t, "1/2"] for s, t, _ in f["flow"]]} for f in POTENTIAL["flows"]]
    assert bound(STAIRS, POTENTIAL, weights=[0, "1/2", "1/2"], flows=half) == 1


def test_a_sum_of_weights_is_rounded_up_where_costs_are_one_and_only_there() -> None:
    down = {"action": "down", "flow": [[2, 1, "3/4"], [1, 0, "3/4"]]}
    stay = {"action": "stay", "flow": [[1, 1, "3/4"], [2, 2, "3/4"]]}
    proof = {**POTENTIAL, "weights": [0, "3/4", "3/4"], "flows": [down, stay]}
    assert bound(STAIRS, proof) == 2
    # Staying costs nothing, but lowers nothing either.
    assert bound(TOLL, proof) == Fraction(3, 2)


@pytest.mark.parametrize(
    ("problem", "proof", "changes", "complaint"),
    [
        (STAIRS, DISTANCES, {"kind": "faith"}, "its kind is 'faith'"),
        (STAIRS, DISTANCES, {"kind": None}, "its kind is None"),
        (STAIRS, DISTANCES, {"kind": ["trap"]}, "its kind is"),
        (
            STAIRS,
            DISTANCES,
            {"distances": [0, 1, 3]},
            "the bound 3, but action down costs 1 and leads to bounds of at most 1",
        ),
        (STAIRS, DISTANCES, {"distances": [0, 1, None]}, "the bound inf, but action down"),
        (STAIRS, DISTANCES, {"distances": [1, 2, 3]}, "it is won, and has the value 1"),
        (STAIRS, DISTANCES, {"distances": [0, 1]}, "2 entries for 3 states"),
        (STAIRS, DISTANCES, {"distances": [0, 1, -2]}, "not negative"),
        (STAIRS, DISTANCES, {"distances": [0, 1, True]}, "not negative"),
        (STAIRS, DISTANCES, {"distances": [0, 1, 2.5]}, "not negative"),
        (STAIRS, DISTANCES, {"distances": "012"}, "should be a list"),
        (STAIRS, DISTANCES, {"states": [0, 1, 2, 2]}, "more than once"),
        (STAIRS, POTENTIAL, {"states": [0, 1]}, "lacks the state 2"),
        (
            STAIRS,
            POTENTIAL,
            {"states": [0, 1, 2, 3], "weights": [0, 1, 1, 0]},
            "a state is listed that cannot",
        ),
        (STAIRS, POTENTIAL, {"states": [0, 1, "2"]}, "lacks the state 2"),
        (STAIRS, POTENTIAL, {"states": [0, 1, 2.0]}, "lacks the state 2"),
        (STAIRS, POTENTIAL, {"weights": [1, 1, 1]}, "the won state 0 has a weight"),
        (STAIRS, POTENTIAL, {"weights": [0, 1, 2]}, "not all of state 2 flows out"),
        (STAIRS, POTENTIAL, {"flows": []}, "not all of state 1 flows out"),
        (STAIRS, POTENTIAL, {"flows": [[0, 0, 1]]}, "a flow is no object"),
        (STAIRS, POTENTIAL, {"flows": [{"action": "down", "flow": [[1, 0]]}]}, "flow 0 has the length 2"),
        (STAIRS, POTENTIAL, {"flows": [{"action": "down", "flow": [[1, 7, 1]]}]}, "is 7 and no number below 3"),
        (STAIRS, POTENTIAL, {"kind": "ray"}, "action down: too much flows into won states"),
        (PIT, RAY, {"weights": [0, 0, 0], "flows": []}, "no weight is at the start"),
        (
            PIT,
            TRAP,
            {"states": [1]},
            "the bound inf, but action a costs 1 and leads to bounds of at most 0",
        ),
        (PIT, TRAP, {"states": [0, 1, 2]}, "it is won, and has the value inf"),
        (STAIRS, TRAP, {}, "leads to bounds of at most 0"),
        (STAIRS, LISTED, {"bound": 3}, "do not make the bound 3"),
        (STAIRS, LISTED, {"bound": 3, "depth": 2}, "a plan may cost less than 3"),
        (STAIRS, LISTED, {"bound": 3, "reach": 2}, "a plan may cost less than 3"),
        (STAIRS, LISTED, {"bound": None}, "do not make the bound"),
        (STAIRS, LISTED, {"ahead": [[[], 0]]}, "should be a list of states and a cost"),
        (STAIRS, LISTED, {"behind": [[[0, 1, 2], 0]]}, "a plan may cost less than 2"),
        (STAIRS, LISTED, {"rest": 1, "bound": 4}, "do not make the bound"),
        (TOLL, LISTED, {}, "costs are 1"),
        (STAIRS, {"kind": "construction"}, {}, "'evidence'"),
        (STAIRS, {"kind": "construction", "evidence": {}}, {}, "brings no checker"),
    ],
)
def test_what_is_wrong_first_is_named(
    problem: Any, proof: dict[str, Any], changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(InvalidProofError, match=complaint):
        bound(problem, proof, **changes)


class _SeenDoors(TableBeliefProblem):
    """The state is perceived after every action; `wait` does nothing else."""

    def percepts(self, state: int, action: str) -> Any:
        return [state]


def test_a_proof_about_players_who_perceive_nothing_does_not_hold_where_they_do() -> None:
    # Behind which of two doors is the prize? Who waits, and sees, wins; who cannot see does not.
    row: dict[str, tuple[int, ...]] = {"wait": (0,), "left": (2,), "right": (3,)}
    other: dict[str, tuple[int, ...]] = {"wait": (1,), "left": (3,), "right": (2,)}
    won: dict[str, tuple[int, ...]] = {"wait": (2,), "left": (2,), "right": (2,)}
    lost: dict[str, tuple[int, ...]] = {"wait": (3,), "left": (3,), "right": (3,)}
    table: tuple[dict[str, tuple[int, ...]], ...] = (row, other, won, lost)
    proof = {**CLOSED, "states": [0, 1, 2, 3], "ahead": [[[0, 1], 0], [[2, 3], 1]], "behind": [[[2], 0]]}
    assert bound(TableBeliefProblem((0, 1), table, (frozenset({2}),)), proof) == math.inf
    seen = _SeenDoors((0, 1), table, (frozenset({2}),))
    with pytest.raises(InvalidProofError, match="perceive nothing"):
        bound(seen, proof)
    for kind in ("potential", "ray"):
        flows = [{"action": "wait", "flow": [[0, 0, 1], [1, 1, 1]]}]
        with pytest.raises(InvalidProofError, match="weights prove nothing where something is perceived"):
            bound(seen, proof, kind=kind, weights=[1, 1, 0, 0], flows=flows)
    assert find_proof(seen, math.inf, Run()) is None
    # What sight itself costs is still proved.
    distances = {"kind": "distances", "states": [0, 1, 2, 3], "distances": [1, 1, 0, None]}
    assert bound(seen, distances) == 1


def test_goal_sets_count_one_by_one_in_exhaustions() -> None:
    # To be in 0 or 1 and know in which: there is no plan, though both are won.
    either = TableBeliefProblem((0, 1), ({"a": (0,)}, {"a": (1,)}), (frozenset({0}), frozenset({1})))
    proof = {**CLOSED, "states": [0, 1], "ahead": [[[0, 1], 0]], "behind": [[[0], 0], [[1], 0]]}
    assert bound(either, proof) == math.inf
    together = TableBeliefProblem((0, 1), ({"a": (0,)}, {"a": (1,)}), (frozenset({0, 1}),))
    with pytest.raises(InvalidProofError):
        bound(together, proof)


def test_a_plain_problem_has_one_start_and_one_result() -> None:
    ring = TableProblem(0, ({"a": 1}, {"a": 0}, {"a": 2}), frozenset({2}))
    assert bound(ring, {"kind": "trap", "states": [0, 1]}) == math.inf
    assert bound(ring, {"kind": "distances", "states": [0, 1], "distances": [None, None]}) == math.inf
    with pytest.raises(InvalidProofError, match="leads to bounds of at most 0"):
        bound(ring, {"kind": "trap", "states": [0]})


def test_states_that_are_written_alike_are_not_mixed_up() -> None:
    # A tuple and a set are both lists in JSON; the one is won, the other leads nowhere.
    pair: Any = (0, 1)
    both: Any = frozenset({0, 1})

    class Alike(TableBeliefProblem):
        def initial_states(self) -> Any:
            return [pair]

        def actions(self, state: Any) -> Any:
            return ["a"]

        def results(self, state: Any, action: str) -> Any:
            return [both]

        def is_goal(self, state: Any) -> bool:
            return bool(state == both)

    problem = Alike((), (), (frozenset({both}),))
    for proof in (
        {"kind": "trap", "states": [[0, 1]]},
        {"kind": "distances", "states": [[0, 1]], "distances": [None]},
    ):
        with pytest.raises(InvalidProofError):
            bound(problem, proof)


# What is read may be wrong in any way.

NINES = int("9" * 4300)


@pytest.mark.parametrize(
    ("problem", "proof"),
    [
        (STAIRS, {**POTENTIAL, "weights": [0, 1, "1e5000"]}),
        (STAIRS, {**POTENTIAL, "weights": [0, 1, "1e-5000"]}),
        (STAIRS, {**POTENTIAL, "weights": [0, 1, NINES]}),
        (STAIRS, {**DISTANCES, "distances": [0, NINES, "1e5000"]}),
        (STAIRS, {**CLOSED, "reach": 10**400, "depth": None}),
        (STAIRS, {**CLOSED, "ahead": [[[0, 1, 2], 0], [[0, 1], 10**400]]}),
        (STAIRS, {**LISTED, "bound": "1e5000"}),
        (STAIRS, {**LISTED, "reach": "1e5000", "bound": None}),
        (STAIRS, {**LISTED, "rest": 10**400, "bound": 10**400}),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_numbers_of_any_size_are_refused_and_not_choked_on(problem: Any, proof: dict[str, Any]) -> None:
    with pytest.raises(InvalidPlanError):
        bound(problem, proof)


def test_a_short_text_that_stands_for_a_giant_number_does_not_keep_the_checker_busy() -> None:
    program = (
        "from beliefsearch.errors import InvalidPlanError\n"
        "from beliefsearch.proofs.check import check_proof\n"
        "from beliefsearch_problems.devil import DevilProblem\n"
        "for last in '1', '1e999999999':\n"
        "    proof = {'kind': 'distances', 'states': ['HH', 'HT', 'TH', 'TT'], 'distances': [0, 1, 1, last]}\n"
        "    try:\n        print(check_proof(DevilProblem(n=2, reduced=False), proof))\n"
        "    except InvalidPlanError:\n        print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "1\nrefused\n"


@pytest.mark.parametrize("field", ["states", "weights", "flows", "distances", "ahead", "behind", "evidence", "bound"])
@pytest.mark.parametrize(
    "value", [None, 0, -1, True, "x", [], {}, [[]], [None], [{}], {"flow": 1}, [[[0], 0]], [[["0"], 0]], 1.5]
)
def test_wrong_types_are_refused(field: str, value: Any) -> None:
    complaints: list[str] = []
    proofs: list[tuple[Any, dict[str, Any], float]] = [
        (STAIRS, DISTANCES, 2),
        (STAIRS, POTENTIAL, 2),
        (PIT, RAY, math.inf),
        (STAIRS, LISTED, 2),
        (PIT, TRAP, math.inf),
        (STAIRS, {"kind": "construction"}, 2),
    ]
    for problem, proof, cost in proofs:
        try:
            proved = bound(problem, {**proof, field: value})
        except InvalidProofError as refusal:
            proved = 0
            complaints.append(str(refusal))
        assert proved <= cost
    assert all(complaint and "\n" not in complaint for complaint in complaints)


# Independence.


DEFINITION = {
    "errors",
    "model.values",
    "model.exact",
    "model.checked",
    "model.belief",
    "model.hooks",
    "model.problem",
    "model.stochastic",
    # What every problem derives from: how it shows itself.
    "model.base",
    "model.canvas.drawing",
    "model.canvas.svg",
    "model.canvas.html",
    # From which states an end can be reached.
    "model.reachability",
    # Parts of a problem with very many starts or states, and those that never change.
    "model.factor",
    "model.partial_states",
    "model.diagrams",
    "plans.encoding",
    "plans.proof_words",
}
# The checker, which may be spread over several files.
PARTS = ("proof", "checker", "asked_game", "numbered", "mean_bits", "proof_capacity", "proof_factors")
# Those that reckon with arrays.
ARRAYS = ("unmoved", "lower_arrays")
CHECKER = {f"verify.{part}" for part in (*PARTS, *ARRAYS)}
PACKAGE = Path(verify_proof.__file__).parent.parent


def test_the_checker_imports_the_definition_and_the_standard_library() -> None:
    reached = {"verify.proof"}
    frontier = ["verify.proof"]
    for module in frontier:  # grows while it is walked
        path = (PACKAGE / module.replace(".", "/")).with_suffix(".py")
        names = set(imported(path, ("beliefsearch", *module.split(".")[:-1]), also_for_types=False))
        inside = [name.removeprefix("beliefsearch.") for name in names if name.split(".")[0] == "beliefsearch"]
        ours = {name if name == "errors" else name.rpartition(".")[0] for name in inside}
        others = {name.split(".")[0] for name in names} - {"beliefsearch"}
        if module in CHECKER:
            arrays = ["numpy"] * (module.removeprefix("verify.") in ARRAYS)
            assert others <= {*sys.stdlib_module_names, "attrs", *arrays}
            # Not even the standard library's ways to run what it reads.
            assert not others & {"pickle", "marshal", "importlib", "subprocess", "ctypes"}
        frontier += sorted(ours - reached)
        reached |= ours
    assert reached <= DEFINITION | CHECKER


@pytest.mark.parametrize("part", [*PARTS, *ARRAYS])
def test_the_checker_asks_nothing_that_it_should_not_trust(part: str) -> None:
    path = PACKAGE.joinpath("verify", *part.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not asked & {"heuristic", "potential", "canonical", "all_states", "all_results", "construction"}
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"float", "eval", "exec", "__import__"}


class Endless(BeliefProblem[int, str, None]):
    """Every number is followed by the next one."""

    def initial_states(self) -> tuple[int, ...]:
        return (0,)

    def actions(self, state: int) -> tuple[str, ...]:
        return ("on",)

    def results(self, state: int, action: str) -> tuple[int, ...]:
        return (state + 1,)

    def goal_sets(self) -> tuple[frozenset[int], ...]:
        return (frozenset({-1}),)


@pytest.mark.parametrize(
    "proof",
    [
        {"kind": "potential", "states": [0, 1], "weights": [1, 1], "flows": []},
        {"kind": "flows", "actions": ["on"], "table": {"kind": "flows", "weights": [1, 1], "flows": [[]]}},
        {**LISTED, "states": [0, 1]},
    ],
)
def test_a_list_of_too_few_states_of_a_game_without_end_is_refused(proof: Any) -> None:
    with pytest.raises(InvalidProofError, match="lacks the state 2, which can come up"):
        check_proof(Endless(), proof)


def test_fields_that_a_proof_has_no_use_for_or_leaves_out_do_not_choke_what_is_said_of_it() -> None:
    for weights in (5, None, True, "1"):
        proof = {**TRAP, "weights": weights}
        assert bound(PIT, proof) == math.inf
        assert "a trap of 2 states" in proof_text(proof)
    pit = TableBeliefProblem((0,), ({"a": (0,)},), (frozenset({7}),))  # nothing that comes up is won
    closed = {"kind": "exhaustion", "states": [0], "bound": None, "reach": None, "depth": 0, "ahead": [[[0], 0]]}
    assert bound(pit, closed) == math.inf
    assert proof_text(closed) == "a list of 1 belief ahead and 0 sets behind"
