from beliefsearch import Problem


class TollProblem(Problem[int, str]):
    """Pay a toll; then walk far, or take a taxi."""

    def initial_state(self):
        return -1

    def actions(self, place):
        return ("pay",) if place < 0 else ("walk", "taxi") if place == 0 else ("walk",)

    def result(self, place, action):
        return 1000 if action == "taxi" or place == 1000 else place + 1

    def is_goal(self, place):
        return place == 1000

    def action_cost(self, place, action):
        return {"pay": 1e16, "walk": 1.0, "taxi": 2.0}[action]
