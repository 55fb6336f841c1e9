from pathlib import Path
from beliefsearch import Problem


class Endless(Problem[int, int]):
    """Count for ever."""

    calls = 0

    def initial_state(self):
        return 0

    def actions(self, state):
        return (1, 2, 3)

    def result(self, state, action):
        Endless.calls += 1
        if Endless.calls == 20_000:
            Path("under way").touch()
        return 3 * state + action

    def is_goal(self, state):
        return False
