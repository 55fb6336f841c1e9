"""Bugs of what every problem has: starts, actions, results, goals, costs, percepts and texts."""

from __future__ import annotations

from ...toys import method
from .squares import BELIEF, CHANGING, PLAIN, Bug

BUGS: list[Bug] = [
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
        "percepts that are not hashable",
        BELIEF + method("percepts(self, state, action)", "return [[state]]"),
        "percepts",
        ("'s0'",),
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
]
