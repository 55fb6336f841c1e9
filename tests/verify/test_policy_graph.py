"""The checker of policy graphs and of both bounds says what holds, and names each kind of mistake."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from beliefsearch.errors import BeliefSearchError, InvalidPlanError
from beliefsearch.proofs.check import check_file
from beliefsearch.proofs.hints import elaborator
from beliefsearch.running.limits import LimitReached
from beliefsearch.verify.policy_graph import check_policy_graph_file
from beliefsearch.verify.verdict import FileVerdict

from ..pomdp_mutants import check
from ..random_pomdps import Pairs, TablePomdp

ONE, HALF, THIRD = Fraction(1), Fraction(1, 2), Fraction(1, 3)
# A coin lies heads or tails, 0 or 1; a look may show 0 or 1 and is right three times in four. Whoever says rightly how
# it lies gets 6, else nothing, and the game is over. Looking costs 1.
_LOOKS: dict[tuple[int, str], Pairs] = {
    (0, "look"): ((Fraction(3, 4), 0), (Fraction(1, 4), 1)),
    (1, "look"): ((Fraction(1, 4), 0), (Fraction(3, 4), 1)),
}


def coin(factor: Fraction = ONE) -> TablePomdp:
    table: Any = tuple(
        {
            "look": (-1, ((ONE, state),)),
            "heads": (0, ((ONE, 2 if state == 0 else 3),)),
            "tails": (0, ((ONE, 3 if state == 0 else 2),)),
        }
        for state in (0, 1)
    )
    return TablePomdp(((HALF, 0), (HALF, 1)), table, _LOOKS, (6, 0), factor)


def free_looks() -> TablePomdp:
    table: Any = tuple({**row, "look": (0, row["look"][1])} for row in coin().table)
    return TablePomdp(coin().start, table, _LOOKS, (6, 0), ONE)


def look_once() -> Any:
    """To look and say what was seen is worth 3.5; whoever sees the coin gets 5 even after a look."""
    return {
        "version": 1,
        "problem": "coin",
        "parameters": {},
        "status": "undecided",
        "value": None,
        "lower_bound": 3.5,
        "upper_bound": 5,
        "plan": {
            "kind": "policy-graph",
            "states": [0, 1],
            "percepts": [0, 1],
            "unit": 2,
            "nodes": [["look", [1, 2], [7, 7]], ["heads", [None, None], [12, 0]], ["tails", [None, None], [0, 12]]],
        },
        "proof": {
            "kind": "value-bounds",
            "actions": ["look", "heads", "tails"],
            "unit": 1,
            "planes": [[5, 5], [6, 0], [0, 6]],
            "points": [[[[0, 1], [1, 1]], 5, []]],
        },
    }


def verdict(problem: Any, document: Any) -> FileVerdict:
    found = check(problem, document)
    assert isinstance(found, FileVerdict), found
    return found


def test_what_is_proved_is_said_in_words() -> None:
    found = verdict(coin(), look_once())
    assert found.lines == (
        "the policy holds: with its 3 nodes it attains at least 3.5 on average",
        "the proof holds: no policy attains more than 5; the gap is 1.5; it is planes of 3 actions and 1 point",
    )
    assert found.holds
    assert (found.attained, found.unattained) == (Fraction(7, 2), Fraction(5))


def test_a_policy_without_a_proof_proves_the_lower_bound_only() -> None:
    document = look_once()
    del document["proof"]
    found = verdict(coin(), document)
    assert found.lines[1:] == ("that no policy attains more than 5 is claimed, not proved",)
    assert (found.attained, found.unattained) == (Fraction(7, 2), None)
    document["upper_bound"] = 3
    assert "3, but" in verdict(coin(), document).complaint
    document["upper_bound"] = None
    assert len(verdict(coin(), document).lines) == 1
    document |= {"status": "solved", "value": 3.5}
    assert "has no upper bound" in verdict(coin(), document).complaint


def changed(path: tuple[Any, ...], to: object) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = to

    return change


LOOK, HEADS = ("plan", "nodes", 0), ("plan", "nodes", 1)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (changed((*LOOK, 2, 0), 8), "node 0, state 0: the value is 4, and it is worth 7/2"),
        (changed((*LOOK, 1), [2, 1]), "node 0, state 0: the value is 7/2, and it is worth 1/2"),
        (changed((*LOOK, 1), [1, None]), "node 0, percept 1: it leads to no value for state 0"),
        (changed((*HEADS, 2, 1), None), "node 0, percept 0: it leads to no value for state 1"),
        (changed((*LOOK, 2, 1), None), "node 0 has no value for the start, state 1"),
        (changed(("plan", "nodes"), []), "there is no node"),
        (changed(("proof", "planes", 0, 0), 4), "the plane of action look in state 0: the value is too low"),
        (changed(("proof", "planes", 1, 0), None), "plane 1 is not of whole numbers where its action applies"),
        (changed(("proof", "points", 0, 1), 3), "point 0, action look: the value is too low"),
        (changed(("proof", "unit"), 2), "the plane of action heads in state 0: the value is too low"),
        (
            changed(("proof", "actions"), ["look", "heads"]),
            'the proof lacks among the actions "tails", which can come up',
        ),
        (
            changed(("proof", "actions"), ["look", "heads", "heads"]),
            "the proof lists one of the actions more than once",
        ),
        (changed(("proof", "actions"), ["look", "heads", "x"]), 'lists among the actions "x", which cannot come up'),
        (changed(("proof", "planes"), [[5, 5], [6, 0]]), "the field 'planes' of the proof has the length 2 and not 3"),
        (changed(("proof", "planes", 2), [0, 6, 0]), "the plane of action tails has the length 3 and not 2"),
        (changed(("proof", "unit"), 0), "unit is 0"),
        (changed(("proof", "unit"), 1.5), "unit is 1.5"),
        (changed(("proof", "points", 0, 0, 0), [0, 0]), "give each of its states one weight above 0"),
        (changed(("proof", "points", 0, 0, 1), [0, 1]), "give each of its states one weight above 0"),
        (changed(("proof", "points", 0, 0, 0), [2, 1]), "a state of point 0 is 2 and no number below 2"),
        (changed(("proof", "points", 0, 0), []), "point 0 should give each of its states one weight above 0"),
        (changed(("proof", "points", 0, 2), [[0, 0, 1]]), "a witness of point 0 is 1 and no number below 1"),
        (changed(("proof", "points", 0, 2), [[0, 2, 0]]), "a percept of point 0 is 2"),
        (changed(("proof", "points", 0, 2), [[3, 0, 0]]), "an action of point 0 is 3"),
        (changed(("proof", "points", 0, 2), [[0, 0, 0], [0, 0, -1]]), "two witnesses for the same action and percept"),
        (changed(("proof", "points"), {}), "the field 'points' of the proof is no list"),
        (changed(("proof", "kind"), "trap"), "its kind is 'trap', not value-bounds"),
        (changed(("lower_bound",), 3.6), "its lower_bound is 3.6, but its policy is proved to attain 3.5 only"),
        (changed(("upper_bound",), 4.9), "it is proved only that no policy attains more than 5"),
        (changed(("upper_bound",), 3), "no policy is said to attain more than 3"),
        (changed(("value",), 3.5), "it says undecided, but gives a value"),
        (changed(("status",), "solved"), "it says solved, without a value"),
        (changed(("status",), "unsolvable"), "it has a policy, but says unsolvable"),
        (changed(("optimal",), True), "for which its field 'optimal' means nothing"),
        (lambda d: d.update(status="solved", value=3.5), "it says solved within 0.001 of the value, but proves only"),
        (
            lambda d: d["plan"].update(precision=0.4) or d.update(status="solved", value=-9, lower_bound=None),
            "it says solved within 0.4 of the value, but proves only that this is between -9 and 5",
        ),
        (changed(("upper_bound",), -(10**400)), "no policy is said to attain more than about -1e+400"),
        (changed((*LOOK, 2, 0), 10**400), "and it is worth 7/2"),
        (
            lambda d: d.update(status="solved", value=3.4),
            "its value is 3.4, but its lower_bound says 3.5, and both say",
        ),
        (
            lambda d: d.update(status="solved", value=3.5, lower_bound=3.51),
            "its value is 3.5, but its lower_bound says 3.51, and both say",  # the forged number is only a claim
        ),
    ],
)
def test_what_does_not_hold_is_named(change: Callable[[Any], None], told: str) -> None:
    document = look_once()
    change(document)
    found = verdict(coin(), document)
    assert not found.holds
    assert told in found.complaint
    assert "\n" not in found.complaint


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (changed(("plan", "nodes"), {}), "'nodes' of its plan is no list"),
        (changed(("plan", "nodes", 0), ["look", [1, 2]]), "node 0 of its plan has the length 2 and not 3"),
        (changed((*LOOK, 0), "jump"), 'node 0 of its plan has an action written "jump"'),
        (changed((*LOOK, 1), [1]), "the list of nodes has the length 1 and not 2"),
        (changed((*LOOK, 1, 0), 3), "a next node of node 0 is 3 and no number below 3"),
        (changed((*LOOK, 1, 0), True), "a next node of node 0 is True and no number below 3"),
        (changed((*LOOK, 1, 0), -1), "a next node of node 0 is -1 and no number below 3"),
        (changed((*LOOK, 2), [1, 2, 3]), "the list of values has the length 3 and not 2"),
        (changed((*LOOK, 2, 0), 3.5), "the value 3.5 is no whole number"),
        (changed((*LOOK, 2, 0), float("nan")), "it is not JSON"),
        (changed(("plan", "unit"), 0), "'unit' of its plan should be a whole number above 0, but is 0"),
        (changed(("plan", "unit"), -2), "'unit' of its plan should be a whole number above 0"),
        (changed(("plan", "unit"), float("inf")), "it is not JSON"),
        (changed(("plan", "states"), [0]), "its plan lacks among the states 1, which can come up"),
        (changed(("plan", "states"), [0, 1, 2]), "its plan lists among the states 2, which cannot come up"),
        (changed(("plan", "states"), [0, 0]), "its plan lists one of the states more than once"),
        (changed(("plan", "states"), "01"), "'states' of its plan is no list"),
        (changed(("plan", "percepts"), [0, "1"]), 'lists among the percepts "1", which cannot come up'),
        (changed(("plan", "precision"), -1), "the precision of its policy is negative"),
        (changed(("value",), "much"), "its field 'value' is 'much', which is no number"),
        (changed(("upper_bound",), [5]), "its field 'upper_bound' is [5], which is no number"),
    ],
)
def test_what_cannot_be_read_is_named(change: Callable[[Any], None], told: str) -> None:
    document = look_once()
    change(document)
    found = check(coin(), document)
    assert isinstance(found, InvalidPlanError)
    assert told in str(found)


def test_without_a_discount_a_node_that_never_ends_is_worth_nothing() -> None:
    """To look for ever, if it costs nothing, satisfies all equations with any value."""
    free = free_looks()
    document = look_once()
    del document["proof"]
    document |= {"lower_bound": 100, "upper_bound": None}
    document["plan"]["nodes"] = [["look", [0, 0], [200, 200]]]
    assert "node 0, state 0: the policy may never end the game" in verdict(free, document).complaint
    # With a discount the same is refused since the equations do not hold.
    assert (
        "the value is 100, and it is worth 50"
        in verdict(TablePomdp(free.start, free.table, free.percepts, free.utilities, HALF), document).complaint
    )


def test_what_cannot_come_up_need_not_end() -> None:
    """A node that looks for ever, but that no other node leads to, is no matter."""
    document = look_once()
    del document["proof"]
    document["plan"]["nodes"].append(["look", [3, 3], [100, None]])
    assert verdict(free_looks(), document).holds
    document["plan"]["nodes"][0][1] = [3, 2]
    assert "leads to no value" in verdict(free_looks(), document).complaint
    document["plan"]["nodes"][3][2] = [100, 100]
    assert "may never end the game" in verdict(free_looks(), document).complaint


def test_witnesses_that_bear_each_other_out_prove_nothing() -> None:
    """The start as a witness of what follows a look, two thirds of which is in it, with a number that is too small."""
    document = look_once()
    document["proof"]["points"][0][1:] = [3, [[0, 0, 0], [0, 1, 0]]]
    document["upper_bound"] = 3.5
    # Of what follows, a half is the point and the rest a state for sure: 2 * (1/4 * 3 + 1/4 * 6) - 1.
    complaint = verdict(coin(), document).complaint
    assert "point 0, action look: the value is too low" in complaint
    document["proof"]["points"][0][1] = 4
    document["upper_bound"] = 4
    assert verdict(coin(), document).unattained == 4


def test_points_narrow_the_bound_where_their_witnesses_do() -> None:
    """After a look 3:1 one can say heads for 4.5 or look again; seeing the coin then would be worth 5 in all."""
    discounted = coin(HALF)
    document = look_once()
    document["plan"] |= {"unit": 4, "nodes": [["heads", [None, None], [12, 0]]]}
    # Utilities are discounted once: 3. A look is worth -1 + 3/2 at the most.
    document["proof"]["planes"] = [[1, 1], [3, 0], [0, 3]]
    document["proof"]["points"] = [[[[0, 1], [1, 1]], 2, []]]
    document |= {"lower_bound": 1.5, "upper_bound": 2}
    found = verdict(discounted, document)
    assert (found.attained, found.unattained) == (Fraction(3, 2), Fraction(3, 2))  # by the planes alone
    # With planes that know no better the point takes over, at which looking is worth -1 + 1/2 * 2.5.
    document["proof"]["planes"] = [[3, 3], [3, 3], [3, 3]]
    assert verdict(discounted, document).unattained == 2
    document["proof"]["points"][0][1] = 1
    complaint = verdict(discounted, document).complaint
    assert "point 0, action heads: the value is too low" in complaint


def test_a_game_that_is_over_at_the_start() -> None:
    problem = TablePomdp(((THIRD, 1), (2 * THIRD, 2)), ({"a": (0, ((ONE, 1),))},), {}, (3, 6), ONE)
    document = look_once()
    document |= {"status": "solved", "value": 5, "lower_bound": 5, "upper_bound": 5}
    document["plan"] |= {"states": [], "percepts": [], "nodes": []}
    document["proof"] |= {"actions": [], "planes": [], "points": []}
    found = verdict(problem, document)
    assert found.holds, found.complaint
    assert (found.attained, found.unattained) == (Fraction(5), Fraction(5))


def test_actions_that_do_not_apply_everywhere() -> None:
    """What applies in one of two possible states only cannot be done; and seems better than it is, for who sees it."""
    table: Any = (
        {"stay": (0, ((ONE, 2),)), "win": (9, ((ONE, 2),))},
        {"stay": (1, ((ONE, 2),))},
    )
    problem = TablePomdp(((HALF, 0), (HALF, 1)), table, {}, (0,), ONE)
    document = look_once()
    document |= {"lower_bound": 0.5, "upper_bound": 0.5}
    document["plan"] |= {"percepts": [], "unit": 1, "nodes": [["stay", [], [0, 1]]]}
    document["proof"] |= {"actions": ["stay", "win"], "planes": [[0, 1], [9, None]], "points": []}
    assert verdict(problem, document).unattained == HALF
    document["proof"]["planes"][1] = [9, 0]
    assert "plane 1 is not of whole numbers where its action applies" in verdict(problem, document).complaint
    document["plan"]["nodes"] = [["win", [], [9, 0]]]
    assert "action win does not apply in state 1, where it has a value" in verdict(problem, document).complaint


def test_a_limit_is_heard() -> None:
    def tick() -> None:
        raise LimitReached("the limit was reached")

    from beliefsearch.plans.plan_reader import PlanFile

    fields = look_once()
    saved = PlanFile(
        "coin", {}, False, "undecided", fields["plan"], None, None, fields["proof"], upper_bound=Fraction(5)
    )
    with pytest.raises(LimitReached):
        check_policy_graph_file(coin(), saved, [], elaborator, tick)
    with pytest.raises(LimitReached):
        check_file(coin(), saved, tick)


def test_a_policy_graph_is_for_problems_whose_states_are_not_seen() -> None:
    from ..random_games import TableGame

    found = check(TableGame(({"on": ((1, 1),)},), (1,)), look_once())
    assert isinstance(found, BeliefSearchError)
    assert "policy graph" in str(found)
