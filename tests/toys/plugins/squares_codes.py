import numpy as np

from beliefsearch import Problem
from beliefsearch.hooks import ReversibleCodeHook


class Squares(Problem[object, object], ReversibleCodeHook[object, object]):
    """Walk to the last square; from the first there is no way to the left."""

    def initial_state(self):
        return "s0"

    def actions(self, state):
        return ["right"] if state == "s0" else ["left", "right"]

    def result(self, state, action):
        here = int(state[1])
        return f"s{min(here + 1, 2) if action == 'right' else here - 1}"

    def is_goal(self, state):
        return state == "s2"

    def codes(self, states):
        return np.array([[int(state[1])] for state in states], np.uint64)

    def states_of(self, codes):
        return [f"s{code}" for (code,) in codes.tolist()]

    def code_bound(self):
        return 3

    def all_actions(self):
        return ["left", "right"]

    def results_of(self, codes, action):
        if action == "right":
            return np.minimum(codes + np.uint64(1), np.uint64(2)), None
        return codes - np.uint64(1), codes[:, 0] > 0

    def goal_codes(self):
        return np.array([[2]], np.uint64)

    def origins_of(self, codes, action):
        every = np.arange(3, dtype=np.uint64)[:, None]
        results, applies = self.results_of(every, action)
        leads = np.isin(results[:, 0], codes[:, 0])
        return every[leads if applies is None else leads & applies]
