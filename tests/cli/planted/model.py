"""Bugs of what every problem has: starts, actions, results, goals, costs, percepts and texts."""

from __future__ import annotations

from ...toys import method
from .squares import BELIEF, CHANGING, PLAIN, Bug, bug

BUGS: list[Bug] = [
    bug("no start", BELIEF + method("initial_states", "return []"), "start: initial_states"),
    bug("a start that is not hashable", BELIEF + method("initial_states", "return [['s0']]"), "start: ['s0']"),
    bug("a start that raises", PLAIN + method("initial_state", "return 1 / 0"), "start: ZeroDivisionError"),
    bug(
        "an action listed twice",
        PLAIN + method("actions", "return ['left', 'right'] + ['left'] * (state == 's1')"),
        "actions: 's1' | 'left' | more than once",
    ),
    bug(
        "actions that are not hashable",
        PLAIN + method("actions", "return ['right', ['left']]"),
        "actions: 's0' | ['left']",
    ),
    bug(
        "actions that change from call to call",
        PLAIN.replace("def initial_state", "calls = []\n\n    def initial_state")
        + method("actions", "self.calls.append(state)\n        return ['right'] * (len(self.calls) % 2)"),
        "actions: 's0'",
    ),
    bug("actions that raise", PLAIN + method("actions", "return {}[state]"), "actions: 's0' | KeyError"),
    bug(
        "actions whose order differs from state to state",
        PLAIN + method("actions", "return ['left', 'right'][:: -1 if state == 's1' else 1]"),
        "order: 'left' | 'right' | 's0' | 's1'",
    ),
    bug("actions that read the same", PLAIN + method("format_action", "return 'go'"), "text: 'left' | 'right' | 'go'"),
    bug(
        "an action that is not read as it is written",
        PLAIN + method("parse_action(self, text)", "return 'left'"),
        "text: 'right'",
    ),
    bug(
        "a state that is not read as it is written",
        PLAIN + method("parse_state(self, text)", "return 's0'"),
        "text: 's1'",
    ),
    bug("no results", BELIEF + method("results", "return [] if state == 's1' else ['s2']"), "results: 's1' | 'left'"),
    bug(
        "a result that is not hashable",
        PLAIN + method("result", "return {'s2'} if action == 'right' else state"),
        "results: 's0' | 'right'",
    ),
    bug(
        "a result that raises",
        PLAIN + method("result", "return {'s0': 's1'}[state]"),
        "results: 's1' | 'left' | KeyError",
    ),
    bug(
        "results that change from call to call",
        PLAIN.replace("def initial_state", "calls = []\n\n    def initial_state")
        + method("result", "self.calls.append(state)\n        return f's{len(self.calls) % 3}'"),
        "results: 's0' | 'left'",
    ),
    bug("a goal test that gives no truth value", PLAIN + method("is_goal", "return None"), "goals: 's0' | None"),
    bug(
        "a negative cost",
        PLAIN + method("action_cost", "return -1 if state == 's1' else 1"),
        "costs: 's1' | 'left' | -1",
    ),
    bug(
        "a cost that is no number",
        BELIEF + method("action_cost", "return float('nan') if action == 'right' else 1"),
        "costs: 'right' | nan",
    ),
    bug(
        "a cost other than the unit that was promised",
        PLAIN + method("has_unit_costs", "return True") + method("action_cost", "return 2 if state == 's1' else 1"),
        "unit-costs: 's1' | 'left' | 2",
    ),
    bug("no percepts", BELIEF + method("percepts", "return [] if state == 's1' else ['seen']"), "percepts: 's1'"),
    bug(
        "two percepts that read the same",
        BELIEF + method("percepts", "return [state]") + method("format_percept(self, percept)", "return 'a square'"),
        "percepts: 's0' | 's1' | 'a square'",
    ),
    bug("percepts that are not hashable", BELIEF + method("percepts", "return [[state]]"), "percepts: 's0'"),
    bug("a state that changes", CHANGING, "identity: Place | changes the state itself"),
    bug(
        "states that are others each time",
        CHANGING.replace("self.start = Place(0)", "pass").replace("return self.start", "return Place(0)"),
        "identity: Place | another state when it is asked for again",
    ),
    bug(
        "states that are others after each step",
        CHANGING.replace("state.number += 1", "return Place(state.number + 1)"),
        "identity: Place | others when they are asked for again",
    ),
    bug(
        "percepts of the action first, by name",
        BELIEF + method("percepts(self, action, state)", "return [str(action)]"),
        "percepts: percepts(action, state) | the order is percepts(state, action)",
    ),
    bug(
        "percepts of the action first, as they fail",
        BELIEF + method("percepts(self, x, y)", "return [{'left': 1, 'right': 2}[x]]"),
        "percepts: raises KeyError | the order is percepts(state, action)",
    ),
    bug(
        "percepts of the action first, by type",
        BELIEF.replace("def results(self, state, action)", "def results(self, state: 'Square', action: 'Move')")
        + method("percepts(self, x: 'Move', y: 'Square')", "return [str(x)]"),
        "percepts: percepts(x, y) | the order is percepts(state, action)",
    ),
]
