"""Toy plug-ins for the tests: small puzzles as their authors would write them; larger ones are files in `plugins`."""

from __future__ import annotations

import re
from pathlib import Path

_PLUGINS = Path(__file__).parent / "plugins"


def toy(name: str) -> str:
    """The text of a toy plug-in, to be written wherever a test wants it, as it is or changed."""
    found = re.search(rf"^{name} (\w+\((\w+).*\):) (.*)\n((.+\n)+)", _SMALL, re.MULTILINE)
    if found is None:
        return path_of(name).read_text(encoding="utf-8")
    head, kind, told, methods, _ = found.groups()
    text = f'from beliefsearch import {kind}\n\n\nclass {head}\n    """{told}"""\n'
    text += "".join(method(name, f"return {value}") for name, value in re.findall(r"(.+?): (.+)\n", methods))
    return f"from fractions import Fraction\n{text}" if "Fraction(" in text else text


def path_of(name: str) -> Path:
    """The file of a larger one."""
    return _PLUGINS / f"{name}.py"


# By method of problems and hooks: its parameters, where they are not `self, state`.
_PARAMETERS = {
    name: parameters
    for parameters, names in {
        "self": "all_states construction count_starts goal_states has_unit_costs initial_state initial_states "
        "is_sensorless plot_labels possible_starts symmetries",
        "self, action": "all_percepts all_results describe_action format_action svg_action",
        "self, belief": "belief_class distinct_actions",
        "self, codes, action": "origins_of",
        "self, evidence": "check_construction",
        "self, percept": "format_percept",
        "self, state, action": "action_cost outcomes percept_distribution percepts result results reward",
        "self, text": "parse_action parse_state",
    }.items()
    for name in names.split()
}


# Small ones: a name for the tests, the class, and what each of its methods returns.
_SMALL = """
corridor Corridor(Problem[int, str]): Walk to the end.
initial_state: 0
actions: ["right"] if state == 0 else ["left", "right"]
result: state + (1 if action == "right" else -1)
is_goal: state == 2
format_state: f"square {state}"

doubling Doubling(BeliefProblem[int, str, None]): Know less and less.
initial_states: [1]
actions: ["fork"]
results: [2 * state, 2 * state + 1]
is_goal: False

guess Guess(BeliefProblem[str, str, None]): Name the letter, and it is won; name another one, and it is lost.
initial_states: ["a", "b"]
actions: ["a", "b"]
results: ["won" if state in (action, "won") else "lost"]
is_goal: state == "won"

hall Hall(Problem[int, str]): There is no way.
initial_state: 0
actions: ["a", "b"] if state < 3 else []
result: min(3, state + (1 if action == "a" else 2))
is_goal: state == 7

narrow Narrow(BeliefProblem[int, str, None]): Only at 0 can one leap.
initial_states: [0, 1]
actions: ["stay", "leap", "go"] if state == 0 else ["stay", "go"]
results: [state] if action == "stay" else [2]
is_goal: state == 2

puzzle Puzzle(BeliefProblem[str, str, None]): Go to the end.
initial_states: ["here"]
actions: ["go"]
results: ["end"]
is_goal: state == "end"

puzzle_plain Puzzle(Problem[object, object]): Go to the end.
initial_state: "here"
actions: ["stay", "go"]
result: "end" if action == "go" else state
is_goal: state == "end"

puzzle_sensorless Puzzle(BeliefProblem[object, object, None]): Go to the end.
initial_states: ["here", "there"]
actions: ["stay", "go"]
results: ["end" if action == "go" else state]
is_goal: state == "end"

walk Walk(Problem[int, str]): Walk to the third milestone.
initial_state: 0
actions: ["walk on"]
result: state + 1
is_goal: state == 3

squares_plain Squares(Problem[object, object]): Walk to the last square.
initial_state: "s0"
actions: ["left", "right"]
result: f"s{min(int(state[1]) + 1, 2) if action == 'right' else max(int(state[1]) - 1, 0)}"
is_goal: state == "s2"

squares_sensorless Squares(BeliefProblem[object, object, object]): Walk to the last square.
initial_states: ["s0", "s1", "s2"]
actions: ["left", "right"]
results: [f"s{min(int(state[1]) + 1, 2) if action == 'right' else max(int(state[1]) - 1, 0)}"]
is_goal: state == "s2"

squares_stochastic Squares(StochasticProblem[object, object]): Walk to the last square.
initial_state: "s0"
actions: ["left", "right"]
outcomes: [(Fraction(1, 2), "s0"), (Fraction(1, 2), "s2" if action == "right" else "s1")]
is_terminal: state == "s2"
utility: 1

toll_problem TollProblem(Problem[int, str]): Pay a toll; then walk far, or take a taxi.
initial_state: -1
actions: ("pay",) if state < 0 else ("walk", "taxi") if state == 0 else ("walk",)
result: 1000 if action == "taxi" or state == 1000 else state + 1
is_goal: state == 1000
action_cost: {"pay": 1e16, "walk": 1.0, "taxi": 2.0}[action]

twins Twins(BeliefProblem[str, str, None]): Claims that two states are the same, of which one is won.
initial_states: ["lost", "won"]
actions: ["wait"]
results: [state]
is_goal: state == "won"
canonical: "won"

toll Toll(BeliefProblem[int, str, None]): Two tolls of 5/4, whichever the road.
initial_states: [1, 2]
actions: ["drive"]
results: [state - 1 if state else 0]
is_goal: state == 0
action_cost: Fraction(5, 4)

toll_verify Toll(BeliefProblem[int, str, None]): Pay the toll of the dearest road that may be yours.
initial_states: [1, 2, 3]
actions: ["drive"]
results: [0]
is_goal: state == 0
action_cost: Fraction(state, 2)

tolls Tolls(Problem[int, str]): Costs of every kind.
initial_state: 0
actions: ["whole", "float", "fraction", "nothing"]
result: state + 1
is_goal: state == 2
action_cost: {"whole": 2, "float": 0.1, "fraction": Fraction(1, 3), "nothing": 0}[action] if state else 1

try Try(StochasticProblem[str, str]): Try until it works.
initial_state: "s0"
actions: ["try", "leave"]
outcomes: [(Fraction(1, 3), "s0"), (Fraction(2, 3), "won")] if action == "try" else [(1, "left")]
is_terminal: state != "s0"
utility: {"won": 7, "left": 5}[state]

retry_problem RetryProblem(BeliefProblem[str, str, str]): Try again and again, or be sure at a price.
initial_states: ["here"]
actions: ("try", "sure")
results: ["here", "there"] if state == "here" and action == "try" else ["there"]
percepts: (state,)
is_goal: state == "there"
action_cost: 1 if action == "try" else 5

fork Fork(BeliefProblem[int, str, None]): From 0 somebody chooses between 1 and the goal 2.
initial_states: [0]
actions: ["go"]
results: {0: [1, 2], 1: [2], 2: [2]}[state]
is_goal: state == 2
heuristic: 2 - state

soon_won EndlessProblem(BeliefProblem[object, object, object]): One of its methods never returns.
initial_states: [0]
actions: ["go"]
results: [state + 1]
is_goal: state == 2
"""


def method(head: str, body: str) -> str:
    """One more method for the class that ends a plug-in; of two with one name the last counts."""
    if "(" not in head:
        head = f"{head}({_PARAMETERS.get(head, 'self, state')})"
    return f"\n    def {head}:\n        {body}\n"


def hooked(source: str, hook: str) -> str:
    """The class derived from a hook as well."""
    return source.replace("object]):", f"object], {hook}):").replace(
        "from beliefsearch import", f"from beliefsearch.hooks import {hook}\nfrom beliefsearch import", 1
    )
