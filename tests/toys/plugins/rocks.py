from attrs import evolve, field, frozen

from beliefsearch import BeliefProblem

STEPS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}


@frozen
class Place:
    """Where the robot is, which rocks are good, which of them it has taken, and what its camera told last."""

    x: int
    y: int
    good: tuple[bool, bool]
    taken: tuple[bool, bool] = (False, False)
    told: tuple[bool, bool] = (False, False)
    done: bool = False


@frozen
class Rocks(BeliefProblem[Place, object, object]):
    """Take a good rock, if there is one, to the far side of a slippery square, and do not touch a bad one.

    A step goes one or two cells, as far as the border. A camera tells from the next cell whether a rock is good; from
    farther away it tells anything.
    S. Junges, N. Jansen and S. Seshia, "Enforcing almost-sure reachability in POMDPs" (2021).
    """

    n: int = field(default=4, metadata={"help": "cells from side to side"})

    def initial_states(self):
        return [Place(0, 0, (first, second)) for first in (True, False) for second in (True, False)]

    def distances(self, state):
        rocks = (1, self.n - 2), (1, (self.n - 1) // 2)
        return [abs(state.x - x) + abs(state.y - y) for x, y in rocks]

    def is_bad(self, state):
        return any(far == 0 and not good for far, good in zip(self.distances(state), state.good, strict=True))

    def is_across(self, state):
        return state.x == self.n - 1

    def actions(self, state):
        if self.is_bad(state):
            return ()
        here = []
        if self.is_across(state) or state.done:
            here.append("finish")
        if state.done:
            return tuple(here)
        if not self.is_across(state):
            far = self.distances(state)
            here += [("take", rock) for rock in (0, 1) if far[rock] == 0]
            here += [("look", rock) for rock in (0, 1) if not state.taken[rock]]
        return (*STEPS, *here)

    def results(self, state, action):
        if action == "finish":
            return [evolve(state, done=True)]
        if action in STEPS:
            across, down = STEPS[action]
            cells = [(state.x + far * across, state.y + far * down) for far in (1, 2)]
            places = dict.fromkeys(tuple(min(max(place, 0), self.n - 1) for place in cell) for cell in cells)
            return [evolve(state, x=x, y=y, told=(False, False)) for x, y in places]
        what, rock = action
        if what == "take":
            return [evolve(state, taken=changed(state.taken, rock, not state.taken[rock]))]
        told = [state.good[rock]] if self.distances(state)[rock] <= 1 else [True, False]
        return [evolve(state, told=changed(state.told, rock, answer)) for answer in told]

    def percepts(self, state, action):
        near = tuple(min(far, 2) for far in self.distances(state))
        seen = (state.taken, state.told, state.done, self.is_across(state), self.is_bad(state), self.is_goal(state))
        return [(*seen, near)]

    def is_goal(self, state):
        return self.is_across(state) and state.done and (not any(state.good) or any(state.taken))


def changed(pair, place, value):
    return (value, pair[1]) if place == 0 else (pair[0], value)
