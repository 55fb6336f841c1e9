"""The map of Romania: drive from city to city by the shortest way."""

from functools import cached_property

from attrs import field, frozen

from beliefsearch import Drawing, KnownAnswer, Problem

_ROADS = """
Oradea-Zerind 71, Oradea-Sibiu 151, Zerind-Arad 75, Arad-Sibiu 140, Arad-Timisoara 118, Timisoara-Lugoj 111,
Lugoj-Mehadia 70, Mehadia-Drobeta 75, Drobeta-Craiova 120, Craiova-Rimnicu 146, Craiova-Pitesti 138, Sibiu-Fagaras 99,
Sibiu-Rimnicu 80, Rimnicu-Pitesti 97, Fagaras-Bucharest 211, Pitesti-Bucharest 101, Bucharest-Giurgiu 90,
Bucharest-Urziceni 85, Urziceni-Hirsova 98, Hirsova-Eforie 86, Urziceni-Vaslui 142, Vaslui-Iasi 92, Iasi-Neamt 87
"""

_AS_THE_CROW_FLIES = """
Arad 366, Bucharest 0, Craiova 160, Drobeta 242, Eforie 161, Fagaras 176, Giurgiu 77, Hirsova 151, Iasi 226, Lugoj 244,
Mehadia 241, Neamt 234, Oradea 380, Pitesti 100, Rimnicu 193, Sibiu 253, Timisoara 329, Urziceni 80, Vaslui 199,
Zerind 374
"""

_ON_THE_MAP = """
Arad 91 492, Bucharest 400 327, Craiova 253 288, Drobeta 165 299, Eforie 562 293, Fagaras 305 449, Giurgiu 375 270,
Hirsova 534 350, Iasi 473 506, Lugoj 165 379, Mehadia 168 339, Neamt 406 537, Oradea 131 571, Pitesti 320 368,
Rimnicu 233 410, Sibiu 207 457, Timisoara 94 410, Urziceni 456 350, Vaslui 509 444, Zerind 108 531
"""


def _pairs(text: str) -> dict[str, int]:
    """Names with numbers."""
    entries = (entry.rsplit(maxsplit=1) for entry in text.split(","))
    return {name.strip(): int(number) for name, number in entries}


@frozen
class RomaniaProblem(Problem[str, str]):
    """Drive from a city in Romania to another by the shortest way.

    Story
    -----
    You are in Arad, with a flight from Bucharest tomorrow, a map of the roads, and a table of how far each city is from
    Bucharest as the crow flies. Which way is shortest?

    Formal model
    ------------
    A state is a city; an action drives to a neighbouring one and costs the length of the road in miles. To Bucharest
    the estimate is the distance as the crow flies; to other cities there is none.

    Source
    ------
    Russell and Norvig, 4th edition, figures 3.1 and 3.16.

    Known answers
    -------------
    Arad to Bucharest 418, by Sibiu, Rimnicu Vilcea and Pitesti; greedy search finds 450, by Fagaras. Lugoj to
    Bucharest 504, of which the lecture makes an exercise: the roads 70, 75, 120, 138 and 101.
    """

    known_answers = (
        KnownAnswer({}, 418),
        KnownAnswer({"start": "Lugoj"}, 504),
        KnownAnswer({"start": "Bucharest", "goal": "Arad"}, 418),
    )

    start: str = field(default="Arad", metadata={"help": "the city to begin in"})
    goal: str = field(default="Bucharest", metadata={"help": "the city to go to"})

    def __attrs_post_init__(self) -> None:
        for city in (self.start, self.goal):
            if city not in self._roads:
                raise ValueError(f"{city!r} is no city on the map; there are {', '.join(sorted(self._roads))}")

    @cached_property
    def _roads(self) -> dict[str, dict[str, int]]:
        """The neighbours of each city in alphabetical order, with the length of the road."""
        lengths: dict[str, dict[str, int]] = {}
        for road, length in _pairs(_ROADS).items():
            one, other = road.split("-")
            lengths.setdefault(one, {})[other] = length
            lengths.setdefault(other, {})[one] = length
        return {city: dict(sorted(roads.items())) for city, roads in lengths.items()}

    def initial_state(self) -> str:
        return self.start

    def actions(self, state: str) -> list[str]:
        return list(self._roads[state])

    def result(self, state: str, action: str) -> str:
        return action

    def is_goal(self, state: str) -> bool:
        return state == self.goal

    def action_cost(self, state: str, action: str) -> int:
        return self._roads[state][action]

    def heuristic(self, state: str) -> int:
        """The distance to Bucharest as the crow flies."""
        return _pairs(_AS_THE_CROW_FLIES)[state] if self.goal == "Bucharest" else 0

    def describe_action(self, action: str) -> str:
        return f"Drive to {action}"

    def svg_state(self, state: str) -> Drawing:
        drawing = Drawing(120, 80).rectangle(0.6, 0.6, 118.8, 78.8, r=5, fill="felt", stroke="line")
        for city, roads in self._roads.items():
            for other in roads:
                drawing.line(*self._places[city], *self._places[other], stroke="line", width=0.8)
        for city, (x, y) in self._places.items():
            drawing.circle(x, y, 2.6 if city == state else 1.3, fill="accent" if city in (state, self.goal) else "soft")
        return drawing.text(60, 75, state, size=6, fill="ink", bold=True)

    @cached_property
    def _places(self) -> dict[str, tuple[float, float]]:
        words = [entry.split() for entry in _ON_THE_MAP.split(",")]
        return {city: (8 + (int(x) - 91) * 0.22, 68 - (int(y) - 270) * 0.2) for city, x, y in words}
