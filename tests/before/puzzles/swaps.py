from beliefsearch import Problem


class SwapsProblem(Problem[tuple[int, ...], int]):
    """Sort seven numbers by swapping neighbours."""

    def initial_state(self):
        return (6, 5, 4, 3, 2, 1, 0)

    def actions(self, state):
        return range(6)

    def result(self, state, action):
        numbers = list(state)
        numbers[action : action + 2] = numbers[action + 1], numbers[action]
        return tuple(numbers)

    def is_goal(self, state):
        return list(state) == sorted(state)

    def heuristic(self, state):
        return max(abs(place - number) for place, number in enumerate(state))
