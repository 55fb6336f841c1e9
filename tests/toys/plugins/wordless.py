from attrs import field, frozen
from beliefsearch import Problem


@frozen
class Wordless(Problem[int, str]):
    steps: tuple[int, ...] = field(default=(2, 3), metadata={"parse": lambda text: tuple(map(int, text.split(",")))})

    def initial_state(self):
        return 0

    def actions(self, state):
        return ["go"]

    def result(self, state, action):
        if state == 50:
            raise RuntimeError("the search has begun")
        return state + 1

    def is_goal(self, state):
        return state == 3 and self.steps != (2, 3)
