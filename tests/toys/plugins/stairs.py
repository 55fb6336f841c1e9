from attrs import frozen
from beliefsearch import BeliefProblem
from beliefsearch.hooks import Construction, ConstructionHook


@frozen
class Stairs(BeliefProblem[int, str, None], ConstructionHook[str]):
    """Come down a staircase in the dark."""

    stairs: int = 5
    broken: bool = False
    lie: int = 0
    fraud: bool = False

    def initial_states(self):
        return range(self.stairs)

    def actions(self, stair):
        return ("up", "down")

    def results(self, stair, action):
        if self.broken and stair == self.stairs - 1:
            return [stair]
        return [max(0, stair - 1) if action == "down" else min(self.stairs - 1, stair + 1)]

    def is_goal(self, stair):
        return stair == 0

    def construction(self):
        if self.broken:
            return Construction(None, self._no, {"stuck": self.stairs - 1}, self.stairs, "The top stair\nis broken.")
        length = self.stairs - 1 + self.lie
        evidence = {"top": self.stairs - 1 + self.fraud}
        return Construction(length, self._down, evidence, self.stairs, "Each step is one down.")

    def check_construction(self, evidence):
        if self.broken and evidence == {"stuck": self.stairs - 1}:
            return None
        if not self.broken and evidence == {"top": self.stairs - 1}:
            return self.stairs - 1
        raise ValueError(f"the top is not at {evidence.get('top')}")

    def _down(self, place):
        return "down"

    def _no(self, place):
        raise IndexError(place)
