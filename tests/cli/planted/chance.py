"""Bugs of stochastic problems: probabilities, utilities, and games that never end."""

from __future__ import annotations

from ...toys import hooked, method
from .squares import STOCHASTIC, Bug, bug

BUGS: list[Bug] = [
    bug(
        "probabilities that do not sum to one",
        STOCHASTIC + method("outcomes", "return [(Fraction(1, 3), 's1'), (Fraction(1, 3), 's2')]"),
        "chance: 's0' | 'left' | 2/3",
    ),
    bug(
        "probabilities that change from call to call",
        STOCHASTIC.replace("def initial_state", "calls = []\n\n    def initial_state")
        + method(
            "outcomes(self, state, action)",
            "self.calls.append(state)\n        return [(1 / len(self.calls), 's1'), (1 - 1 / len(self.calls), 's2')]",
        ),
        "chance: 's0' | 'left' | second call",
    ),
    bug("a utility that is no number", STOCHASTIC + method("utility", "return 'much'"), "utility: 's2' | 'much'"),
    bug(
        "a utility that changes from call to call",
        STOCHASTIC.replace("def initial_state", "calls = []\n\n    def initial_state")
        + method("utility", "self.calls.append(state)\n        return len(self.calls)"),
        "utility: 's2' | second call",
    ),
    bug("a reward that is no number", STOCHASTIC + method("reward", "return 'much'"), "rewards: 's0' | 'much'"),
    bug(
        "percepts whose probabilities do not sum to 1",
        STOCHASTIC + method("percept_distribution", "return [(0.5, 'dark')]"),
        "odds: 0.5, not 1",
    ),
    bug(
        "a game that never ends",
        STOCHASTIC + method("outcomes", "return [(1, 's0' if action == 'left' else 's1')]"),
        "ending: 's0'",
    ),
    bug(
        "a state without actions in which the game goes on",
        STOCHASTIC + method("actions", "return ['left', 'right'] * (state == 's0')"),
        "ending: 's1'",
    ),
    bug(
        "a canonical state with other chances",
        STOCHASTIC
        + method("canonical", "return 's0' if state == 's1' else state")
        + method(
            "outcomes(self, state, action)",
            "return [(Fraction(1 + (state == 's1'), 4), 's1'), (Fraction(3 - (state == 's1'), 4), 's2')]",
        ),
        "symmetry: 's0' | 's1' | 'left'",
    ),
    bug(
        "arrays that disagree with the outcomes",
        hooked(STOCHASTIC, "ChanceArrayHook")
        + """
    def outcomes(self, state, action):
        return [(1, "s2" if action == "right" else "s1")] if state == "s0" else [(1, "s2")]

    def arrays(self):
        import numpy as np
        from beliefsearch.hooks import ChanceArrays

        one = np.array([1])
        after = {"left": (np.array([[2], [2], [0]]), one), "right": (np.array([[2], [2], [0]]), one)}
        return ChanceArrays(("s0", "s1", "s2"), (0, 1, 2), np.array([False, False, True]), np.ones(3), after)
""",
        "arrays: 's0' | 'left'",
    ),
    bug(
        "a negative probability",
        STOCHASTIC + method("outcomes", "return [(Fraction(-1), 's1'), (Fraction(2), 's2')]"),
        "chance: 's0' | 'left'",
    ),
]
