"""`beliefsearch check`: one bug planted for each rule, and the report that names state and action."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from beliefsearch.plugins.conformance.report import RULES

Run: TypeAlias = Callable[..., tuple[int, str, str]]

# Three squares in a row. Methods are appended to these classes; what is defined last counts.
PLAIN = '''
from beliefsearch import Problem


class Squares(Problem[object, object]):
    """Walk to the last square."""

    def initial_state(self):
        return "s0"

    def actions(self, state):
        return ["left", "right"]

    def result(self, state, action):
        here = int(state[1])
        return f"s{min(here + 1, 2) if action == 'right' else max(here - 1, 0)}"

    def is_goal(self, state):
        return state == "s2"
'''
REVERSIBLE = (
    PLAIN.replace("Problem", "ReversibleProblem")
    + """
    def goal_states(self):
        return ["s2"]

    def predecessors(self, state):
        return [
            (before, action)
            for before in ("s0", "s1", "s2")
            for action in self.actions(before)
            if self.result(before, action) == state
        ]
"""
)
BELIEF = '''
from beliefsearch import BeliefProblem


class Squares(BeliefProblem[object, object, object]):
    """Walk to the last square."""

    def initial_states(self):
        return ["s0", "s1", "s2"]

    def actions(self, state):
        return ["left", "right"]

    def results(self, state, action):
        here = int(state[1])
        return [f"s{min(here + 1, 2) if action == 'right' else max(here - 1, 0)}"]

    def is_goal(self, state):
        return state == "s2"
'''
STOCHASTIC = '''
from fractions import Fraction
from beliefsearch import StochasticProblem


class Squares(StochasticProblem[object, object]):
    """Walk to the last square."""

    def initial_state(self):
        return "s0"

    def actions(self, state):
        return ["left", "right"]

    def outcomes(self, state, action):
        return [(Fraction(1, 2), "s0"), (Fraction(1, 2), "s2" if action == "right" else "s1")]

    def is_terminal(self, state):
        return state == "s2"

    def utility(self, state):
        return 1
'''

# A state that knows nothing of equality, and is moved about.
CHANGING = '''
from beliefsearch import Problem


class Place:
    def __init__(self, number):
        self.number = number


class Squares(Problem[object, object]):
    """Walk to the last square."""

    def __init__(self):
        self.start = Place(0)

    def initial_state(self):
        return self.start

    def actions(self, state):
        return ["on"]

    def result(self, state, action):
        state.number += 1
        return state

    def is_goal(self, state):
        return state.number == 2
'''


def method(head: str, body: str) -> str:
    return f"\n    def {head}:\n        {body}\n"


def hooked(source: str, hook: str) -> str:
    """The class derived from a hook as well."""
    return source.replace("object]):", f"object], {hook}):").replace(
        "from beliefsearch import", f"from beliefsearch import {hook},"
    )


# What is wrong, by which rule, and what the complaint must name.
BUGS: list[tuple[str, str, str, tuple[str, ...]]] = [
    ("no start", BELIEF + method("initial_states(self)", "return []"), "start", ("initial_states",)),
    (
        "a start that is not hashable",
        BELIEF + method("initial_states(self)", "return [['s0']]"),
        "start",
        ("['s0']",),
    ),
    ("a start that raises", PLAIN + method("initial_state(self)", "return 1 / 0"), "start", ("ZeroDivisionError",)),
    (
        "an action listed twice",
        PLAIN + method("actions(self, state)", "return ['left', 'right'] + ['left'] * (state == 's1')"),
        "actions",
        ("'s1'", "'left'", "more than once"),
    ),
    (
        "actions that are not hashable",
        PLAIN + method("actions(self, state)", "return ['right', ['left']]"),
        "actions",
        ("'s0'", "['left']"),
    ),
    (
        "actions that change from call to call",
        PLAIN.replace("def initial_state", "calls = []\n\n    def initial_state")
        + method("actions(self, state)", "self.calls.append(state)\n        return ['right'] * (len(self.calls) % 2)"),
        "actions",
        ("'s0'",),
    ),
    ("actions that raise", PLAIN + method("actions(self, state)", "return {}[state]"), "actions", ("'s0'", "KeyError")),
    (
        "actions whose order differs from state to state",
        PLAIN + method("actions(self, state)", "return ['left', 'right'][:: -1 if state == 's1' else 1]"),
        "order",
        ("'left'", "'right'", "'s0'", "'s1'"),
    ),
    (
        "actions that read the same",
        PLAIN + method("format_action(self, action)", "return 'go'"),
        "text",
        ("'left'", "'right'", "'go'"),
    ),
    (
        "an action that is not read as it is written",
        PLAIN + method("parse_action(self, text)", "return 'left'"),
        "text",
        ("'right'",),
    ),
    (
        "a state that is not read as it is written",
        PLAIN + method("parse_state(self, text)", "return 's0'"),
        "text",
        ("'s1'",),
    ),
    (
        "no results",
        BELIEF + method("results(self, state, action)", "return [] if state == 's1' else ['s2']"),
        "results",
        ("'s1'", "'left'"),
    ),
    (
        "a result that is not hashable",
        PLAIN + method("result(self, state, action)", "return {'s2'} if action == 'right' else state"),
        "results",
        ("'s0'", "'right'"),
    ),
    (
        "a result that raises",
        PLAIN + method("result(self, state, action)", "return {'s0': 's1'}[state]"),
        "results",
        ("'s1'", "'left'", "KeyError"),
    ),
    (
        "results that change from call to call",
        PLAIN.replace("def initial_state", "calls = []\n\n    def initial_state")
        + method("result(self, state, action)", "self.calls.append(state)\n        return f's{len(self.calls) % 3}'"),
        "results",
        ("'s0'", "'left'"),
    ),
    (
        "a goal test that gives no truth value",
        PLAIN + method("is_goal(self, state)", "return None"),
        "goals",
        ("'s0'", "None"),
    ),
    (
        "a negative cost",
        PLAIN + method("action_cost(self, state, action)", "return -1 if state == 's1' else 1"),
        "costs",
        ("'s1'", "'left'", "-1"),
    ),
    (
        "a cost that is no number",
        BELIEF + method("action_cost(self, state, action)", "return float('nan') if action == 'right' else 1"),
        "costs",
        ("'right'", "nan"),
    ),
    (
        "a cost other than the unit that was promised",
        PLAIN
        + method("has_unit_costs(self)", "return True")
        + method("action_cost(self, state, action)", "return 2 if state == 's1' else 1"),
        "unit-costs",
        ("'s1'", "'left'", "2"),
    ),
    (
        "an estimate above the true cost",  # from s0 it is two steps to s2
        PLAIN + method("heuristic(self, state)", "return 3 if state == 's0' else 0"),
        "estimates",
        ("'s0'", "3", "2"),
    ),
    (
        "a negative estimate",
        PLAIN + method("heuristic(self, state)", "return -1"),
        "estimates",
        ("'s0'", "-1"),
    ),
    (
        "an estimate that is no number",
        PLAIN + method("heuristic(self, state)", "return float('nan')"),
        "estimates",
        ("'s0'", "nan"),
    ),
    (
        "potentials of which an action takes away too much",  # left takes s1 and s0 to s0
        hooked(BELIEF, "PotentialHook") + method("potential(self, state)", "return {'s0': 1, 's1': 5}.get(state, 0)"),
        "potential",
        ("'left'", "costs 1", "by 5"),
    ),
    (
        "a potential of a won state",
        hooked(BELIEF, "PotentialHook") + method("potential(self, state)", "return 1"),
        "potential",
        ("'s2'",),
    ),
    (
        "an array hook that lacks a state",
        hooked(BELIEF, "ArrayHook")
        + method("all_states(self)", "return ('s0', 's1')")
        + method("all_results(self, action)", "return [[0], [1]]"),
        "array-hook",
        ("'s2'",),
    ),
    (
        "an array hook that disagrees with the results",
        hooked(BELIEF, "ArrayHook")
        + method("all_states(self)", "return ('s0', 's1', 's2')")
        + method("all_results(self, action)", "return [[0], [1], [2]]"),
        "array-hook",
        ("'s1'", "'left'", "not among results()"),
    ),
    (
        "a canonical state that is no goal where the state is one",
        PLAIN + method("canonical(self, state)", "return 's1' if state == 's2' else state"),
        "symmetry",
        ("'s2'", "'s1'"),
    ),
    (
        "a canonical state that is not canonical itself",
        BELIEF + method("canonical(self, state)", "return {'s0': 's1', 's1': 's0'}.get(state, state)"),
        "symmetry",
        ("'s0'", "'s1'"),
    ),
    (
        "a canonical state that leads elsewhere",
        PLAIN + method("canonical(self, state)", "return 's0' if state == 's1' else state"),
        "symmetry",
        ("'s0'", "'s1'", "'right'"),
    ),
    (
        "a predecessor that is missing",
        REVERSIBLE + method("predecessors(self, state)", "return []"),
        "backwards",
        ("'s0'", "'left'"),
    ),
    (
        "a predecessor that leads elsewhere",
        REVERSIBLE.replace("if self.result(before, action) == state", "if True"),
        "backwards",
        ("'s0'",),
    ),
    (
        "a goal that is not among the goal states",
        REVERSIBLE + method("goal_states(self)", "return []"),
        "backwards",
        ("'s2'",),
    ),
    (
        "no percepts",
        BELIEF + method("percepts(self, state, action)", "return [] if state == 's1' else ['seen']"),
        "percepts",
        ("'s1'",),
    ),
    (
        "two percepts that read the same",
        BELIEF
        + method("percepts(self, state, action)", "return [state]")
        + method("format_percept(self, percept)", "return 'a square'"),
        "percepts",
        ("'s0'", "'s1'", "'a square'"),
    ),
    (
        "distinct actions without the one that wins",
        hooked(BELIEF, "DistinctActionsHook")
        + method("percepts(self, state, action)", "return [state]")
        + method("distinct_actions(self, belief)", "return ['left']"),
        "classes",
        ("s0", "3", "2"),
    ),
    (
        "a distinct action that does not apply",
        hooked(BELIEF, "DistinctActionsHook")
        + method("percepts(self, state, action)", "return [state]")
        + method("distinct_actions(self, belief)", "return ['right', 'jump']"),
        "classes",
        ("'jump'",),
    ),
    (
        "one class of beliefs that cost more and less to win",
        hooked(BELIEF, "BeliefClassHook")
        + method("percepts(self, state, action)", "return [state]")
        + method("belief_class(self, belief)", "return len(belief)"),
        "classes",
        ("s0", "s1", "1"),
    ),
    (
        "percepts that are not hashable",
        BELIEF + method("percepts(self, state, action)", "return [[state]]"),
        "percepts",
        ("'s0'",),
    ),
    (
        "probabilities that do not sum to one",
        STOCHASTIC + method("outcomes(self, state, action)", "return [(Fraction(1, 3), 's1'), (Fraction(1, 3), 's2')]"),
        "chance",
        ("'s0'", "'left'", "2/3"),
    ),
    (
        "probabilities that change from call to call",
        STOCHASTIC.replace("def initial_state", "calls = []\n\n    def initial_state")
        + method(
            "outcomes(self, state, action)",
            "self.calls.append(state)\n        return [(1 / len(self.calls), 's1'), (1 - 1 / len(self.calls), 's2')]",
        ),
        "chance",
        ("'s0'", "'left'", "second call"),
    ),
    (
        "a utility that is no number",
        STOCHASTIC + method("utility(self, state)", "return 'much'"),
        "utility",
        ("'s2'", "'much'"),
    ),
    (
        "a utility that changes from call to call",
        STOCHASTIC.replace("def initial_state", "calls = []\n\n    def initial_state")
        + method("utility(self, state)", "self.calls.append(state)\n        return len(self.calls)"),
        "utility",
        ("'s2'", "second call"),
    ),
    (
        "a game that never ends",
        STOCHASTIC + method("outcomes(self, state, action)", "return [(1, 's0' if action == 'left' else 's1')]"),
        "ending",
        ("'s0'",),
    ),
    (
        "a state without actions in which the game goes on",
        STOCHASTIC + method("actions(self, state)", "return ['left', 'right'] * (state == 's0')"),
        "ending",
        ("'s1'",),
    ),
    (
        "a canonical state with other chances",
        STOCHASTIC
        + method("canonical(self, state)", "return 's0' if state == 's1' else state")
        + method(
            "outcomes(self, state, action)",
            "return [(Fraction(1 + (state == 's1'), 4), 's1'), (Fraction(3 - (state == 's1'), 4), 's2')]",
        ),
        "symmetry",
        ("'s0'", "'s1'", "'left'"),
    ),
    (
        "labels of the wrong length",
        hooked(STOCHASTIC, "PlotHook")
        + method("plot_position(self, state)", "return None")
        + method("plot_labels(self)", "return ('across', 'up')"),
        "pictures",
        ("('across', 'up')", "three texts"),
    ),
    (
        "a place that is no place",
        hooked(STOCHASTIC, "PlotHook")
        + method("plot_position(self, state)", "return (0.5, 1)")
        + method("plot_labels(self)", "return ('across', 'up', 'value')"),
        "pictures",
        ("'s0'", "(0.5, 1)"),
    ),
    ("a state that changes", CHANGING, "identity", ("Place", "changes the state itself")),
    (
        "states that are others each time",
        CHANGING.replace("self.start = Place(0)", "pass").replace("return self.start", "return Place(0)"),
        "identity",
        ("Place", "another state when it is asked for again"),
    ),
    (
        "states that are others after each step",
        CHANGING.replace("state.number += 1", "return Place(state.number + 1)"),
        "identity",
        ("Place", "others when they are asked for again"),
    ),
    (
        "percepts of the action first, by name",
        BELIEF + method("percepts(self, action, state)", "return [str(action)]"),
        "percepts",
        ("percepts(action, state)", "the order is percepts(state, action)"),
    ),
    (
        "percepts of the action first, as they fail",
        BELIEF + method("percepts(self, x, y)", "return [{'left': 1, 'right': 2}[x]]"),
        "percepts",
        ("raises KeyError", "the order is percepts(state, action)"),
    ),
    (
        "percepts of the action first, by type",
        BELIEF.replace("def results(self, state, action)", "def results(self, state: 'Square', action: 'Move')")
        + method("percepts(self, x: 'Move', y: 'Square')", "return [str(x)]"),
        "percepts",
        ("percepts(x, y)", "the order is percepts(state, action)"),
    ),
    (
        "arrays that disagree with the outcomes",
        hooked(STOCHASTIC, "ChanceArrayHook")
        + """
    def outcomes(self, state, action):
        return [(1, "s2" if action == "right" else "s1")] if state == "s0" else [(1, "s2")]

    def arrays(self):
        import numpy as np
        from beliefsearch import ChanceArrays

        one = np.array([1])
        after = {"left": (np.array([[2], [2], [0]]), one), "right": (np.array([[2], [2], [0]]), one)}
        return ChanceArrays(("s0", "s1", "s2"), (0, 1, 2), np.array([False, False, True]), np.ones(3), after)
""",
        "arrays",
        ("'s0'", "'left'"),
    ),
    (
        "a negative probability",
        STOCHASTIC + method("outcomes(self, state, action)", "return [(Fraction(-1), 's1'), (Fraction(2), 's2')]"),
        "chance",
        ("'s0'", "'left'"),
    ),
]


def broken_rules(out: str) -> dict[str, str]:
    """The complaint about each rule that is broken."""
    return {rule: f"{meaning} {line}" for rule, meaning, line in re.findall(r"^BROKEN +(\S+) +(.*)\n(.*)$", out, re.M)}


def test_a_bug_is_planted_for_every_rule() -> None:
    assert {rule for _, _, rule, _ in BUGS} == set(RULES)


@pytest.mark.parametrize(("source", "rule", "culprits"), [bug[1:] for bug in BUGS], ids=[bug[0] for bug in BUGS])
def test_a_planted_bug_is_found_with_state_and_action(
    cli: Run, folder: Path, source: str, rule: str, culprits: tuple[str, ...]
) -> None:
    (folder / "squares.py").write_text(source)
    code, out, err = cli("check", "./squares.py")
    assert (code, err) == (1, "")
    broken = broken_rules(out)
    assert rule in broken, out
    _, _, complaint = broken[rule].partition(RULES[rule])
    for culprit in culprits:
        assert culprit in complaint, f"{culprit} is not named: {complaint}"


@pytest.mark.parametrize(
    "source", [PLAIN, REVERSIBLE, BELIEF, STOCHASTIC], ids=["plain", "reversible", "belief", "stochastic"]
)
def test_the_same_plugins_without_a_bug_pass(cli: Run, folder: Path, source: str) -> None:
    (folder / "squares.py").write_text(source)
    code, out, err = cli("check", "./squares.py")
    assert (code, err) == (0, "")
    assert broken_rules(out) == {}
    assert "3 states" in out


@pytest.mark.parametrize(
    "words",
    [
        "devil",
        "devil --n 1",
        "devil --n 4 --no-canonical",
        "devil --n 3 --table dihedral",
        "devil --n 3 --table symmetric",
        "devil --n 2 --faces 4",
        "devil --n 4 --goal all-same",
        "vacuum --squares 1",
        "vacuum --squares 3",
        "nine-tails --start HHHTTTHHH",
        "nine-tails --start HHHTTTHHH --legal any --weights flips",
        "riddler-flips --flips 5",
        "riddler-flips --flips 4 --exact --p-a 1/3 --value-a 4 --value-b 6 --state 1,-4",
        "gambler --goal 8 --capital 3",
        "nine-tails --start HHHH --rows 2 --cols 2",
        "lights-out --rows 2 --cols 3",
        "lights-out --rows 3 --cols 3 --start 010111010",
        "lights-out --rows 2 --cols 2 --blindfold",
    ],
)
def test_our_own_puzzles_keep_every_rule(cli: Run, words: str) -> None:
    code, out, err = cli("check", *words.split())
    assert (code, err) == (0, ""), out
    assert "all that can be reached" in out


def test_a_puzzle_that_is_too_large_is_looked_at_in_part_and_the_report_says_so(cli: Run) -> None:
    code, out, _ = cli("check", "devil", "--n", 7, "--states", 10)
    assert code == 0
    assert "10 states" in out
    assert "all that can be reached" not in out


ADVERSARY = """
from beliefsearch import BeliefProblem

class Fork(BeliefProblem[int, str, None]):
    "From 0 the adversary chooses between 1 and the goal 2; so 0 may take two steps, and the estimate is right."
    def initial_states(self):
        return [0]
    def actions(self, state):
        return ["go"]
    def results(self, state, action):
        return {0: [1, 2], 1: [2], 2: [2]}[state]
    def is_goal(self, state):
        return state == 2
    def heuristic(self, state):
        return 2 - state
"""


def test_an_estimate_is_measured_against_an_adversary(cli: Run, folder: Path) -> None:
    (folder / "fork.py").write_text(ADVERSARY)
    code, out, _ = cli("check", "./fork.py")
    assert (code, "BROKEN" in out) == (0, False)
    (folder / "fork.py").write_text(ADVERSARY.replace("2 - state", "3 - state"))
    code, out, _ = cli("check", "./fork.py")
    assert code == 1
    assert "heuristic(0) is 3, above the true cost 2" in out


def test_a_plain_puzzle_without_parsers_may_be_checked_blindfolded(cli: Run, folder: Path) -> None:
    source = ADVERSARY.replace("BeliefProblem[int, str, None]", "Problem[int, str]").replace("BeliefProblem", "Problem")
    source = source.replace(
        "def initial_states(self):\n        return [0]", "def initial_state(self):\n        return 0"
    )
    source = source.replace("def results", "def result").replace("{0: [1, 2], 1: [2], 2: [2]}", "[1, 2, 2]")
    (folder / "fork.py").write_text(source + "    def possible_starts(self):\n        return range(3)\n")
    code, out, _ = cli("check", "./fork.py", "--blindfold")
    assert (code, "BROKEN" in out) == (0, False)
