"""Plug-ins with one bug each, which `beliefsearch check` must find: three squares in a row, of each kind of problem."""

from __future__ import annotations

from typing import TypeAlias

from ..toys import hooked, method, toy

# The plug-in, by which rule its bug is found, and what the complaint must name.
Bug: TypeAlias = tuple[str, str, tuple[str, ...]]


def bug(source: str, *methods: str) -> Bug:
    """A plug-in with methods, each as `head -> what it returns`; at last the rule, and what the complaint must name."""
    *made, last = methods
    rule, _, culprits = last.partition(": ")
    for head, body in (text.split(" -> ", 1) for text in made):
        source += method(head, body if "\n" in body else f"return {body}")
    return source, rule, tuple(culprits.split(" | "))


# Methods are appended to these classes; what is defined last counts.
PLAIN = toy("squares_plain")
REVERSIBLE = toy("squares_reversible")
CODES = toy("squares_codes")
BELIEF = toy("squares_sensorless")
STOCHASTIC = toy("squares_stochastic")

# A state that knows nothing of equality, and is moved about.
CHANGING = toy("squares_changing")

# With hooks, and with a sensor.
POTENTIAL, SYMMETRIC, ARRAYS = (hooked(BELIEF, f"{name}Hook") for name in ("Potential", "Symmetry", "Array"))
SEEING = BELIEF + method("percepts", "return [state]")
DISTINCT, CLASSED = hooked(SEEING, "DistinctActionsHook"), hooked(SEEING, "BeliefClassHook")
PLOTTED = hooked(STOCHASTIC, "PlotHook")

# With a list in which a method may note its calls.
COUNTING, COUNTING_CHANCE = (
    source.replace("def initial_state", "calls = []\n\n    def initial_state") for source in (PLAIN, STOCHASTIC)
)


def factored(changed: str = "", actions: str = "('left', 'right')", of: str = "lambda state: state") -> str:
    """The class with itself, changed so, as its only factor."""
    source = hooked(BELIEF, "FactoredHook").replace("import FactoredHook", "import Factor, FactoredHook")
    part = f"type('Part', (type(self),), {{{changed}}})()"
    return source + method("factors(self)", f"return [Factor({part}, {actions}, {of})]")


def closed_form(length: str, move: str, proved: str) -> str:
    """The class with a closed form: its length, its moves, and what its checker says."""
    source = hooked(BELIEF, "ConstructionHook").replace(
        "import ConstructionHook", "import Construction, ConstructionHook"
    )
    made = f"return Construction({length}, lambda place: {move!r}, {{}}, 3, 'it is so')"
    return source + method("construction", made) + method("check_construction", f"return {proved}")


def drawn(picture: str) -> str:
    """The class with a picture of each state."""
    source = BELIEF.replace("from beliefsearch import", "from beliefsearch import Drawing,")
    return source + method("svg_state", f"return {picture}")


def percepts_listed(answer: str) -> str:
    """The class with a sensor, and arrays whose percepts are so."""
    return (
        hooked(BELIEF, "PerceptArrayHook")
        + method("percepts", "return [state]")
        + method("all_states", "return ('s0', 's1', 's2')")
        + method("all_results", "return [[1], [2], [2]] if action == 'right' else [[0], [0], [1]]")
        + method("all_percepts", answer)
    )


ROWS: list[tuple[str, ...]] = [
    # What every problem has: starts, actions, results, goals, costs, percepts and texts.
    (BELIEF, "initial_states -> []", "start: initial_states"),
    (BELIEF, "initial_states -> [['s0']]", "start: ['s0']"),
    (PLAIN, "initial_state -> 1 / 0", "start: ZeroDivisionError"),
    (PLAIN, "actions -> ['left', 'right'] + ['left'] * (state == 's1')", "actions: 's1' | 'left' | more than once"),
    (PLAIN, "actions -> ['right', ['left']]", "actions: 's0' | ['left']"),
    (
        COUNTING,
        "actions -> self.calls.append(state)\n        return ['right'] * (len(self.calls) % 2)",
        "actions: 's0'",
    ),
    (PLAIN, "actions -> {}[state]", "actions: 's0' | KeyError"),
    (PLAIN, "actions -> ['left', 'right'][:: -1 if state == 's1' else 1]", "order: 'left' | 'right' | 's0' | 's1'"),
    (PLAIN, "format_action -> 'go'", "text: 'left' | 'right' | 'go'"),
    (PLAIN, "parse_action -> 'left'", "text: 'right'"),
    (PLAIN, "parse_state -> 's0'", "text: 's1'"),
    (BELIEF, "results -> [] if state == 's1' else ['s2']", "results: 's1' | 'left'"),
    (PLAIN, "result -> {'s2'} if action == 'right' else state", "results: 's0' | 'right'"),
    (PLAIN, "result -> {'s0': 's1'}[state]", "results: 's1' | 'left' | KeyError"),
    (
        COUNTING,
        "result -> self.calls.append(state)\n        return f's{len(self.calls) % 3}'",
        "results: 's0' | 'left'",
    ),
    (PLAIN, "is_goal -> None", "goals: 's0' | None"),
    (PLAIN, "action_cost -> -1 if state == 's1' else 1", "costs: 's1' | 'left' | -1"),
    (BELIEF, "action_cost -> float('nan') if action == 'right' else 1", "costs: 'right' | nan"),
    (PLAIN, "has_unit_costs -> True", "action_cost -> 2 if state == 's1' else 1", "unit-costs: 's1' | 'left' | 2"),
    (BELIEF, "percepts -> [] if state == 's1' else ['seen']", "percepts: 's1'"),
    (SEEING, "format_percept -> 'a square'", "percepts: 's0' | 's1' | 'a square'"),
    (BELIEF, "percepts -> [[state]]", "percepts: 's0'"),
    (CHANGING, "identity: Place | changes the state itself"),
    (
        CHANGING.replace("self.start = Place(0)", "pass").replace("return self.start", "return Place(0)"),
        "identity: Place | another state when it is asked for again",
    ),
    (
        CHANGING.replace("state.number += 1", "return Place(state.number + 1)"),
        "identity: Place | others when they are asked for again",
    ),
    (
        BELIEF,
        "percepts(self, action, state) -> [str(action)]",
        "percepts: percepts(action, state) | the order is percepts(state, action)",
    ),
    (
        BELIEF,
        "percepts(self, x, y) -> [{'left': 1, 'right': 2}[x]]",
        "percepts: raises KeyError | the order is percepts(state, action)",
    ),
    (
        BELIEF.replace("def results(self, state, action)", "def results(self, state: 'Square', action: 'Move')"),
        "percepts(self, x: 'Move', y: 'Square') -> [str(x)]",
        "percepts: percepts(x, y) | the order is percepts(state, action)",
    ),
    # Hooks: estimates, symmetries, arrays, codes, the way back and closed forms.
    # from s0 it is two steps to s2
    (PLAIN, "heuristic -> 3 if state == 's0' else 0", "estimates: 's0' | 3 | 2"),
    (PLAIN, "heuristic -> -1", "estimates: 's0' | -1"),
    (PLAIN, "heuristic -> float('nan')", "estimates: 's0' | nan"),
    # left takes s1 and s0 to s0
    (POTENTIAL, "potential -> {'s0': 1, 's1': 5}.get(state, 0)", "potential: 'left' | costs 1 | by 5"),
    (POTENTIAL, "potential -> 1", "potential: 's2'"),
    (SYMMETRIC, "symmetries -> [(lambda s: {'s0': 's2', 's2': 's0'}.get(s, s), str)]", "symmetries: 's0' | 's2' | won"),
    # left and right are not the same
    (
        SYMMETRIC,
        "symmetries -> [(str, lambda a: 'right' if a == 'left' else 'left')]",
        "symmetries: 'left' | 'right' | something else",
    ),
    (ARRAYS, "all_states -> ('s0', 's1')", "all_results -> [[0], [1]]", "array-hook: 's2'"),
    (
        ARRAYS,
        "all_states -> ('s0', 's1', 's2')",
        "all_results -> [[0], [1], [2]]",
        "array-hook: 's1' | 'left' | not among results()",
    ),
    (percepts_listed("return ['s0', 's1'], [[0], [1], [1]]"), "perceived: 's2' | 'right' | not among percepts()"),
    (percepts_listed("return ['s0', 's1', 's2'], [[0], [1]]"), "perceived: 2 rows for 3 states"),
    (percepts_listed("return ['s0', 's1'], [[0], [1], [2]]"), "perceived: the number 2 | from 0 to 1"),
    (PLAIN, "canonical -> 's1' if state == 's2' else state", "symmetry: 's2' | 's1'"),
    (BELIEF, "canonical -> {'s0': 's1', 's1': 's0'}.get(state, state)", "symmetry: 's0' | 's1'"),
    (PLAIN, "canonical -> 's0' if state == 's1' else state", "symmetry: 's0' | 's1' | 'right'"),
    (CODES.replace("np.minimum(codes + np.uint64(1), np.uint64(2))", "codes + np.uint64(1)"), "codes: 'right' | 's2'"),
    (CODES, "origins_of -> codes[:0]", "origins: 's1' | 'left'"),
    (REVERSIBLE, "predecessors -> []", "backwards: 's0' | 'left'"),
    (REVERSIBLE.replace("if self.result(before, action) == state", "if True"), "backwards: 's0'"),
    (REVERSIBLE, "goal_states -> []", "backwards: 's2'"),
    (DISTINCT, "distinct_actions -> ['left']", "classes: s0 | 3 | 2"),
    (DISTINCT, "distinct_actions -> ['right', 'jump']", "classes: 'jump'"),
    (CLASSED, "belief_class -> len(belief)", "classes: s0 | s1 | 1"),
    (closed_form("2", "left", "2"), "construct: 2 actions | does not win"),
    (closed_form("3", "right", "3"), "construct: 3 actions | 2 actions wins"),
    (closed_form("None", "right", "None"), "construct: no plan | 2 actions wins"),
    (closed_form("2", "right", "1"), "construct: says 2 | proves 1"),
    # Stochastic problems: probabilities, utilities, and games that never end.
    (STOCHASTIC, "outcomes -> [(Fraction(1, 3), 's1'), (Fraction(1, 3), 's2')]", "chance: 's0' | 'left' | 2/3"),
    (
        COUNTING_CHANCE,
        "outcomes -> self.calls.append(n := len(self.calls) + 1)\n        return [(1 / n, 's1'), (1 - 1 / n, 's2')]",
        "chance: 's0' | 'left' | second call",
    ),
    (STOCHASTIC, "utility -> 'much'", "utility: 's2' | 'much'"),
    (
        COUNTING_CHANCE,
        "utility -> self.calls.append(state)\n        return len(self.calls)",
        "utility: 's2' | second call",
    ),
    (STOCHASTIC, "reward -> 'much'", "rewards: 's0' | 'much'"),
    (STOCHASTIC, "percept_distribution -> [(0.5, 'dark')]", "odds: 0.5, not 1"),
    (STOCHASTIC, "outcomes -> [(1, 's0' if action == 'left' else 's1')]", "ending: 's0'"),
    (STOCHASTIC, "actions -> ['left', 'right'] * (state == 's0')", "ending: 's1'"),
    (
        STOCHASTIC,
        "canonical -> 's0' if state == 's1' else state",
        "outcomes -> n = 1 + (state == 's1')\n        return [(Fraction(n, 4), 's1'), (Fraction(4 - n, 4), 's2')]",
        "symmetry: 's0' | 's1' | 'left'",
    ),
    (
        hooked(STOCHASTIC, "ChanceArrayHook")
        + """
    def outcomes(self, state, action):
        return [(1, "s2" if action == "right" else "s1")] if state == "s0" else [(1, "s2")]

    def arrays(self, tick):
        import numpy as np
        from beliefsearch.hooks import ChanceRows

        some = np.zeros(4, int)
        moves, results = np.array([0, 2, 4, 4]), np.array([2, 2, 2, 2])
        states, actions, ends = ("s0", "s1", "s2"), ("left", "right"), np.arange(5)
        return ChanceRows(states, 1, moves, actions, ends[:4] % 2, ends, results, (1, 0), some, some + 1, some)
""",
        "arrays: 's0' | 'left'",
    ),
    (
        hooked(STOCHASTIC, "ChanceArrayHook")
        + """
    def outcomes(self, state, action):
        return [(1, "s2" if action == "right" else "s1")] if state == "s0" else [(1, "s2")]

    def arrays(self, tick):
        import numpy as np
        from beliefsearch.hooks import ChanceArrays

        one = np.array([1])
        after = {"left": (np.array([[2], [2], [0]]), one), "right": (np.array([[2], [2], [0]]), one)}
        return ChanceArrays(("s0", "s1", "s2"), (0, 1, 2), np.array([False, False, True]), np.ones(3), after)
""",
        "arrays: 's0' | 'left'",
    ),
    (
        hooked(STOCHASTIC, "ChanceArrayHook")
        + """
    def percept_distribution(self, state, action):
        return [(1, state == "s0")]

    def outcomes(self, state, action):
        return [(1, "s2" if action == "right" else "s1")] if state == "s0" else [(1, "s2")]

    def utility(self, state):
        return 0

    def arrays(self, tick):
        import numpy as np
        from beliefsearch.hooks import PerceptChanceArrays

        one, start = np.array([1]), (np.array([0]), np.array([1]))
        after = {"left": (np.array([1, -1]), one), "right": (np.array([-1, 0]), one)}
        return PerceptChanceArrays(("s0", "s1"), start, after, {}, {}, [[(1, False)]])
""",
        "arrays: 's1' | 'right'",
    ),
    (STOCHASTIC, "outcomes -> [(Fraction(-1), 's1'), (Fraction(2), 's2')]", "chance: 's0' | 'left'"),
    # The whole problem as its only factor, and what may be said wrongly of it.
    (factored(), "count_starts -> 7", "factors: count_starts() gave 7"),
    (factored(of="lambda state: 's0'"), "count_starts -> 3", "factors: factor 0 has other starts"),
    (factored(actions="('left',)"), "count_starts -> 3", "factors: 's0' | nothing to do with | 'right'"),
    (factored("'is_goal': lambda self, state: True"), "count_starts -> 3", "factors: 's0' | won in the whole"),
    (factored("'results': lambda self, state, action: [state]"), "count_starts -> 3", "factors: 's0' | other results"),
    (factored("'action_cost': lambda self, state, action: 2"), "count_starts -> 3", "factors: 's0' | another cost"),
    (
        factored() + method("count_starts(self)", "return 3"),
        "action_cost -> 1 if state == 's0' else 2",
        "factors: 's1' | and elsewhere 1",
    ),
    # Rules, as if the state were seen.
    (
        factored().replace("import Factor,", "import Factor, Facts, StateRules,")
        + method("facts(self)", "return Facts(0, id, [], {}, [], [], StateRules([], id, {}, [], {}, {}))"),
        "count_starts -> 3",
        "rules: the player does not see the state",
    ),
    # Searches on futures.
    (
        hooked(BELIEF, "FutureHook"),
        "future -> int(state == 's2')",
        "sought -> int(state == 's2')",
        "futures: 's0' | of which other things follow",
    ),
    (
        hooked(BELIEF, "PresetHook")
        + """
    def adaptively(self):
        return type("Other", (type(self),), {"actions": lambda self, state: ["left"]})()
""",
        "presets: 'right' | adaptively() has not",
    ),
    (
        hooked(SEEING, "RestartHook")
        + """
    def restart(self):
        return "away", self
""",
        "restarts: 'away' does not lead to one start",
    ),
    # Pictures and drawings.
    (PLOTTED, "plot_position -> None", "plot_labels -> ('across', 'up')", "pictures: ('across', 'up') | three texts"),
    (PLOTTED, "plot_position -> (0.5, 1)", "plot_labels -> ('across', 'up', 'value')", "pictures: 's0' | (0.5, 1)"),
    (BELIEF, "svg_state -> 'a square'", "drawings: 's0' | 'a square' | a Drawing"),
    (drawn("Drawing(10, 10 + 5 * (state == 's2')).text(5, 5, state)"), "drawings: 's2' | 10 x 15 | 10 x 10"),
    (drawn("Drawing(10, 10)"), "drawings: 's0' | draws nothing"),
    (drawn("Drawing(10, 10).circle(5, 5, 4)"), "drawings: 3 states alike"),
    (
        drawn("Drawing(10, 10).text(5, 5, next(self.numbers))").replace(
            "def initial_states", "numbers = iter(range(999))\n\n    def initial_states"
        ),
        "drawings: 's0' | another picture at the second call",
    ),
    (
        drawn("Drawing(10, 10).text(5, 5, state)"),
        "svg_action -> Drawing(20, 10)",
        "drawings: 'left' | 20 x 10 | 10 x 10",
    ),
    (BELIEF, "describe_action -> f'Go {action}.'", "drawings: 'left' | 'Go left.'"),
    (BELIEF, "svg_action -> {}[action]", "drawings: svg_action('left') | KeyError"),
]
BUGS: list[Bug] = [bug(*row) for row in ROWS]
