from beliefsearch import BeliefProblem

class Fork(BeliefProblem[int, str, None]):
    "From 0 the adversary chooses between 1 and the goal 2; so 0 may take two steps, and the estimate is right."
    def initial_states(self):
        return [0]
    def actions(self, state):
        return ["go"]
    def results(self, state, action):
        return {0: [1, 2], 1: [2], 2: [2]}[state]
    def is_goal(self, state):
        return state == 2
    def heuristic(self, state):
        return 2 - state
