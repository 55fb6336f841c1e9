"""Bugs of hooks: estimates, symmetries, arrays, codes, the way back and closed forms."""

from __future__ import annotations

from ...toys import hooked, method
from .squares import BELIEF, CODES, PLAIN, REVERSIBLE, Bug, bug, closed_form, percepts_listed

BUGS: list[Bug] = [
    # from s0 it is two steps to s2
    bug(
        "an estimate above the true cost",
        PLAIN + method("heuristic", "return 3 if state == 's0' else 0"),
        "estimates: 's0' | 3 | 2",
    ),
    bug("a negative estimate", PLAIN + method("heuristic", "return -1"), "estimates: 's0' | -1"),
    bug("an estimate that is no number", PLAIN + method("heuristic", "return float('nan')"), "estimates: 's0' | nan"),
    # left takes s1 and s0 to s0
    bug(
        "potentials of which an action takes away too much",
        hooked(BELIEF, "PotentialHook") + method("potential", "return {'s0': 1, 's1': 5}.get(state, 0)"),
        "potential: 'left' | costs 1 | by 5",
    ),
    bug(
        "a potential of a won state",
        hooked(BELIEF, "PotentialHook") + method("potential", "return 1"),
        "potential: 's2'",
    ),
    bug(
        "a symmetry that maps a won state to another",
        hooked(BELIEF, "SymmetryHook")
        + method("symmetries", "return [(lambda s: {'s0': 's2', 's2': 's0'}.get(s, s), str)]"),
        "symmetries: 's0' | 's2' | won",
    ),
    # left and right are not the same
    bug(
        "a symmetry that leads elsewhere",
        hooked(BELIEF, "SymmetryHook")
        + method("symmetries", "return [(str, lambda a: 'right' if a == 'left' else 'left')]"),
        "symmetries: 'left' | 'right' | something else",
    ),
    bug(
        "an array hook that lacks a state",
        hooked(BELIEF, "ArrayHook")
        + method("all_states", "return ('s0', 's1')")
        + method("all_results", "return [[0], [1]]"),
        "array-hook: 's2'",
    ),
    bug(
        "an array hook that disagrees with the results",
        hooked(BELIEF, "ArrayHook")
        + method("all_states", "return ('s0', 's1', 's2')")
        + method("all_results", "return [[0], [1], [2]]"),
        "array-hook: 's1' | 'left' | not among results()",
    ),
    bug(
        "an array hook that disagrees with the percepts",
        percepts_listed("return ['s0', 's1'], [[0], [1], [1]]"),
        "perceived: 's2' | 'right' | not among percepts()",
    ),
    bug(
        "an array hook that lacks a row of percepts",
        percepts_listed("return ['s0', 's1', 's2'], [[0], [1]]"),
        "perceived: 2 rows for 3 states",
    ),
    bug(
        "an array hook that lacks a percept",
        percepts_listed("return ['s0', 's1'], [[0], [1], [2]]"),
        "perceived: the number 2 | from 0 to 1",
    ),
    bug(
        "a canonical state that is no goal where the state is one",
        PLAIN + method("canonical", "return 's1' if state == 's2' else state"),
        "symmetry: 's2' | 's1'",
    ),
    bug(
        "a canonical state that is not canonical itself",
        BELIEF + method("canonical", "return {'s0': 's1', 's1': 's0'}.get(state, state)"),
        "symmetry: 's0' | 's1'",
    ),
    bug(
        "a canonical state that leads elsewhere",
        PLAIN + method("canonical", "return 's0' if state == 's1' else state"),
        "symmetry: 's0' | 's1' | 'right'",
    ),
    bug(
        "codes that lead elsewhere",
        CODES.replace("np.minimum(codes + np.uint64(1), np.uint64(2))", "codes + np.uint64(1)"),
        "codes: 'right' | 's2'",
    ),
    bug("no origins", CODES + method("origins_of(self, codes, action)", "return codes[:0]"), "origins: 's1' | 'left'"),
    bug("a predecessor that is missing", REVERSIBLE + method("predecessors", "return []"), "backwards: 's0' | 'left'"),
    bug(
        "a predecessor that leads elsewhere",
        REVERSIBLE.replace("if self.result(before, action) == state", "if True"),
        "backwards: 's0'",
    ),
    bug("a goal that is not among the goal states", REVERSIBLE + method("goal_states", "return []"), "backwards: 's2'"),
    bug(
        "distinct actions without the one that wins",
        hooked(BELIEF, "DistinctActionsHook")
        + method("percepts", "return [state]")
        + method("distinct_actions", "return ['left']"),
        "classes: s0 | 3 | 2",
    ),
    bug(
        "a distinct action that does not apply",
        hooked(BELIEF, "DistinctActionsHook")
        + method("percepts", "return [state]")
        + method("distinct_actions", "return ['right', 'jump']"),
        "classes: 'jump'",
    ),
    bug(
        "one class of beliefs that cost more and less to win",
        hooked(BELIEF, "BeliefClassHook")
        + method("percepts", "return [state]")
        + method("belief_class", "return len(belief)"),
        "classes: s0 | s1 | 1",
    ),
    bug("a closed form that does not win", closed_form("2", "left", "2"), "construct: 2 actions | does not win"),
    bug("a closed form that is too long", closed_form("3", "right", "3"), "construct: 3 actions | 2 actions wins"),
    bug("a closed form without a plan", closed_form("None", "right", "None"), "construct: no plan | 2 actions wins"),
    bug("a closed form that proves less", closed_form("2", "right", "1"), "construct: says 2 | proves 1"),
]
