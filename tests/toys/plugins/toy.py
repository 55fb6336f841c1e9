from pathlib import Path
from attrs import frozen
from beliefsearch import Problem


@frozen
class Toy(Problem[int, str]):
    """Reads its data file as it likes."""

    where: Path | None = None

    def initial_state(self):
        return 0

    def actions(self, state):
        return ["go"]

    def result(self, state, action):
        return 1

    def is_goal(self, state):
        return state == 1

    def __attrs_post_init__(self):
        if self.where is not None:
            self.where.read_bytes()
