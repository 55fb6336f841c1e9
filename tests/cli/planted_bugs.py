"""Plug-ins with one bug each: what `beliefsearch check` must find."""

from __future__ import annotations

from ..toys import hooked, method, toy

# Three squares in a row. Methods are appended to these classes; what is defined last counts.
PLAIN = toy("squares_plain")
REVERSIBLE = toy("squares_reversible")
CODES = toy("squares_codes")
BELIEF = toy("squares_sensorless")
STOCHASTIC = toy("squares_stochastic")

# A state that knows nothing of equality, and is moved about.
CHANGING = toy("squares_changing")


def closed_form(length: str, move: str, proved: str) -> str:
    """The class with a closed form: its length, its moves, and what its checker says."""
    source = hooked(BELIEF, "ConstructionHook").replace(
        "import ConstructionHook", "import Construction, ConstructionHook"
    )
    made = f"return Construction({length}, lambda place: {move!r}, {{}}, 3, 'it is so')"
    return (
        source + method("construction(self)", made) + method("check_construction(self, evidence)", f"return {proved}")
    )


def drawn(picture: str) -> str:
    """The class with a picture of each state."""
    source = BELIEF.replace("from beliefsearch import", "from beliefsearch import Drawing,")
    return source + method("svg_state(self, state)", f"return {picture}")


def percepts_listed(answer: str) -> str:
    """The class with a sensor, and arrays whose percepts are so."""
    return (
        hooked(BELIEF, "PerceptArrayHook")
        + method("percepts(self, state, action)", "return [state]")
        + method("all_states(self)", "return ('s0', 's1', 's2')")
        + method("all_results(self, action)", "return [[1], [2], [2]] if action == 'right' else [[0], [0], [1]]")
        + method("all_percepts(self, action)", answer)
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
        "a symmetry that maps a won state to another",
        hooked(BELIEF, "SymmetryHook")
        + method("symmetries(self)", "return [(lambda s: {'s0': 's2', 's2': 's0'}.get(s, s), str)]"),
        "symmetries",
        ("'s0'", "'s2'", "won"),
    ),
    (
        "a symmetry that leads elsewhere",  # left and right are not the same
        hooked(BELIEF, "SymmetryHook")
        + method("symmetries(self)", "return [(str, lambda a: 'right' if a == 'left' else 'left')]"),
        "symmetries",
        ("'left'", "'right'", "something else"),
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
        "an array hook that disagrees with the percepts",
        percepts_listed("return ['s0', 's1'], [[0], [1], [1]]"),
        "perceived",
        ("'s2'", "'right'", "not among percepts()"),
    ),
    (
        "an array hook that lacks a row of percepts",
        percepts_listed("return ['s0', 's1', 's2'], [[0], [1]]"),
        "perceived",
        ("2 rows for 3 states",),
    ),
    (
        "an array hook that lacks a percept",
        percepts_listed("return ['s0', 's1'], [[0], [1], [2]]"),
        "perceived",
        ("the number 2", "from 0 to 1"),
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
        "codes that lead elsewhere",
        CODES.replace("np.minimum(codes + np.uint64(1), np.uint64(2))", "codes + np.uint64(1)"),
        "codes",
        ("'right'", "'s2'"),
    ),
    (
        "no origins",
        CODES + method("origins_of(self, codes, action)", "return codes[:0]"),
        "origins",
        ("'s1'", "'left'"),
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
        "a reward that is no number",
        STOCHASTIC + method("reward(self, state, action)", "return 'much'"),
        "rewards",
        ("'s0'", "'much'"),
    ),
    (
        "percepts whose probabilities do not sum to 1",
        STOCHASTIC + method("percept_distribution(self, state, action)", "return [(0.5, 'dark')]"),
        "odds",
        ("0.5, not 1",),
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
    ("a closed form that does not win", closed_form("2", "left", "2"), "construct", ("2 actions", "does not win")),
    ("a closed form that is too long", closed_form("3", "right", "3"), "construct", ("3 actions", "2 actions wins")),
    (
        "a closed form without a plan",
        closed_form("None", "right", "None"),
        "construct",
        ("no plan", "2 actions wins"),
    ),
    ("a closed form that proves less", closed_form("2", "right", "1"), "construct", ("says 2", "proves 1")),
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
    (
        "a picture that is none",
        BELIEF + method("svg_state(self, state)", "return 'a square'"),
        "drawings",
        ("'s0'", "'a square'", "a Drawing"),
    ),
    (
        "a picture of another size",
        drawn("Drawing(10, 10 + 5 * (state == 's2')).text(5, 5, state)"),
        "drawings",
        ("'s2'", "10 x 15", "10 x 10"),
    ),
    ("an empty picture", drawn("Drawing(10, 10)"), "drawings", ("'s0'", "draws nothing")),
    ("pictures that are all alike", drawn("Drawing(10, 10).circle(5, 5, 4)"), "drawings", ("3 states alike",)),
    (
        "pictures that change from call to call",
        drawn("Drawing(10, 10).text(5, 5, next(self.numbers))").replace(
            "def initial_states", "numbers = iter(range(999))\n\n    def initial_states"
        ),
        "drawings",
        ("'s0'", "another picture at the second call"),
    ),
    (
        "marks of an action that do not lie over the state",
        drawn("Drawing(10, 10).text(5, 5, state)") + method("svg_action(self, action)", "return Drawing(20, 10)"),
        "drawings",
        ("'left'", "20 x 10", "10 x 10"),
    ),
    (
        "a sentence with a stop",
        BELIEF + method("describe_action(self, action)", "return f'Go {action}.'"),
        "drawings",
        ("'left'", "'Go left.'"),
    ),
    (
        "marks of an action that cannot be drawn",
        BELIEF + method("svg_action(self, action)", "return {}[action]"),
        "drawings",
        ("svg_action('left')", "KeyError"),
    ),
]
