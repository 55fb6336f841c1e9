from attrs import field, frozen

from beliefsearch import BeliefProblem

STEPS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}


@frozen
class Obstacle(BeliefProblem[object, str, object]):
    """Cross a slippery square from one of four places to the far corner, and bump into nothing.

    A step goes one or two cells, as far as the border. Only a crash and the corner are noticed.
    S. Junges, N. Jansen and S. Seshia, "Enforcing almost-sure reachability in POMDPs" (2021).
    """

    n: int = field(default=6, metadata={"help": "cells from side to side"})

    @property
    def last(self):
        return self.n - 1

    def obstacles(self):
        last = self.last
        return {(last - 1, last - 1), (last, 1), (1, 0), (last, last - 1), (last - 3, last - 1)}

    def initial_states(self):
        return ((self.last - 2, self.last - 1), (1, 1), (2, 1), (1, 3))

    def actions(self, state):
        return () if state in self.obstacles() else tuple(STEPS)

    def results(self, state, action):
        if self.is_goal(state):
            return [state]
        across, down = STEPS[action]
        cells = [(state[0] + far * across, state[1] + far * down) for far in (1, 2)]
        return list(dict.fromkeys(tuple(min(max(place, 0), self.last) for place in cell) for cell in cells))

    def percepts(self, state, action):
        return ["corner" if self.is_goal(state) else "crash" if state in self.obstacles() else "nothing"]

    def is_goal(self, state):
        return state == (self.last, self.last)
