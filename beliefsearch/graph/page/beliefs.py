"""Page data of plain, sensorless and contingent problems: the beliefs along the plan, and the graph of all beliefs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from math import inf
from typing import Any

from attrs import evolve

from ...engine.bits.bitset import bit_numbers
from ...engine.bits.contingent import BitsetContingentView
from ...kinds import Kind, is_plain, kind_of
from ...model.adapters import Blindfolded
from ...model.belief import initial_states
from ...plans.wording import plural
from ...running.limits import Budget, EffortExceeded
from ...solvers.path.distance_table import costs_to_go
from ..and_or_graph import places_along
from .answer import Told
from .columns import Layers, Looks, Moves, Odds, Step, graph_data, plan_data, walk
from .tables import ALIKE, MOST_MEMBERS, MOST_STATES, MOST_STEPS, Tables, json_number, most_members

# More starts than this are not even counted.
_MOST_STARTS = 4 * MOST_STATES

# The work of walking the graph: elementary steps of about a tenth of a microsecond, and results of the author's code.
_MOST_WORK = 30_000_000
_MOST_ASKED = 400_000

# The most states in all drawings of beliefs along a plan together.
_MOST_PICTURED = 1_000_000
# The most nodes of a graph whose beliefs are drawn.
_MOST_DRAWN_IN_GRAPH = 1_500
# The fewest nodes of an incomplete graph that is shown beside the plan.
_FEWEST = 500
# A larger policy graph is preceded by its first layers.
_MOST_TAKEN_IN = 40
_CUT = "Of the plan the first {} are shown."
_TITLES = {Kind.PLAIN: ("states", "All states"), Kind.SENSORLESS: ("beliefs", "All beliefs")}


def belief_page(problem: Any, told: Told, budget: Budget, most_nodes: int) -> dict[str, Any]:
    """The parts of page data that depend on the problem, for plain, sensorless and contingent problems."""
    if isinstance(problem, Blindfolded):
        problem = evolve(problem, tick=budget.tick)
    page = BeliefPage(problem, told, budget, most_nodes)
    return page.outline() if page.is_too_large() else page.data()


class BeliefPage:
    """A page in the making; `odds` has the probabilities of a stochastic problem."""

    def __init__(self, problem: Any, told: Told, budget: Budget, most_nodes: int, odds: Odds | None = None) -> None:
        self.problem, self.told, self.most_nodes, self.tick = problem, told, most_nodes, budget.tick
        self.odds = odds
        self.reward: Callable[[Any, Any, Any], float] | None = None
        self.asked = -inf  # counted only while the graph is walked
        self.view: BitsetContingentView[Any, Any] = BitsetContingentView(problem, self.tick_and_count)
        self.tables = Tables(problem, lambda state: self.view.is_goal(1 << self.view.model.number(state)), self.tick)
        self.notes: list[str] = []
        self.action_in: dict[int, Any] = {}  # by belief along the plan
        self.steps_in: set[tuple[int, Any, Any]] = set()

    def is_too_large(self) -> bool:
        """Whether there are more states than a page may have."""
        if self.told.states > MOST_STATES:
            return True
        starts = sum(1 for _ in islice(initial_states(self.problem, self.tick), _MOST_STARTS + 1))
        return starts > _MOST_STARTS or self.view.size(self.view.initial_node()) > MOST_STATES

    def outline(self) -> dict[str, Any]:
        """The page of a problem with too many states: the actions of its plan, without beliefs."""
        self.notes.append(
            f"There are more than {MOST_STATES:,} states, too many for a page: what is possible after each action is "
            "not shown, nor is there a graph."
        )
        plan = self.told.plan
        steps = () if plan is None else plan.nodes[:MOST_STEPS]
        if plan is not None and len(plan.nodes) > MOST_STEPS:
            self.notes.append(_CUT.format(plural(MOST_STEPS, "step")))
        branches = (
            (number, percept, child)
            for number, step in enumerate(steps)
            for percept, child in step.branches
            if child < len(steps)
        )
        shown = None if plan is None else plan_data(self.tables, [step.action for step in steps], branches)
        return self.tables.page_data(self.notes, plan=shown)

    def data(self) -> dict[str, Any]:
        """The whole page."""
        view, tables = self.view, self.tables
        root = view.initial_node()
        starts = view.members(root)
        most = MOST_MEMBERS["start"]
        if len(starts) > most:
            self.notes.append(f"Of {len(starts):,} possible starts {most:,} are listed.")
        start = tables.states(starts[:most])
        game = Moves(view, tables, self.tick, self.odds, self.reward)
        moves = game.everywhere()
        plan, along = self.plan()
        if moves is None and not is_plain(self.problem):
            moves = self.moves_along_plan(game)
        branches = kind_of(self.problem) is Kind.CONTINGENT
        everything = self.walk(root, or_nothing=branches and along is not None)
        if moves is None and is_plain(self.problem):
            moves = self.moves_in_graphs(game, everything, along)
        if moves is not None and None in moves["cost"]:
            moves = None
            self.notes.append(
                "Costs are too large for the page to reckon with: it shows the beliefs in its graphs only."
            )
        graphs = self.graphs(everything, along)
        goal_sets = game.goal_sets()
        if view.model.merges:
            self.notes.insert(0, ALIKE)
        return tables.page_data(self.notes, start=start, goal_sets=goal_sets, moves=moves, plan=plan, graphs=graphs)

    def moves_along_plan(self, game: Moves) -> dict[str, Any] | None:
        """The moves of the plan's actions; None if there is no plan, or too many of them."""
        steps = [(belief, action) for belief, action in self.action_in.items() if action is not None]
        moves = game.along(steps) if steps else None
        self.notes.append(
            "There are too many states and results for the page to work out what follows from any action: it "
            + ("shows the beliefs in its graphs only" if moves is None else "offers the actions of the plan")
            + ". `beliefsearch play` plays the game with all of them in a terminal."
        )
        return moves

    def moves_in_graphs(self, game: Moves, everything: Layers, along: Layers | None) -> dict[str, Any]:
        """The moves of a plain problem that are edges of the graphs."""
        walked: list[tuple[int, Any, Any]] = [
            (everything.nodes[number], step.action, step.target) for number, step, _ in everything.edges
        ]
        if along is not None:  # its nodes are places in the plan, each with a belief
            places: Any = along.nodes
            walked += [(places[tail][1], step.action, places[head][1]) for tail, step, head in along.edges]
        self.notes.append("There are too many states to play everywhere: the game goes as far as the graphs go.")
        return game.in_graph(walked)

    def graphs(self, everything: Layers, along: Layers | None) -> list[dict[str, Any]]:
        """The graphs of the plan and of all beliefs, as far as they are shown."""
        graphs: list[dict[str, Any]] = []
        branches = kind_of(self.problem) is Kind.CONTINGENT
        costs = self.costs_to_go(everything) if everything.complete else {}
        looks = Looks(
            size=self.view.size,
            members=self.members,
            is_goal=self.view.is_goal,
            on_plan=self.action_in.__contains__,
            action=self.action_in.get,
            on_step=lambda belief, step: (belief, step.action, step.percept) in self.steps_in,
            rest=costs.get if everything.complete else lambda belief: -1,
        )
        name, title = _TITLES.get(kind_of(self.problem), ("beliefs", "All beliefs"))
        if along is not None and (branches or not everything.complete):
            along_plan = self.looks_of_plan(looks)
            first = along if self.odds is None else _first_layers(along)
            if first is not along:
                some = f"The first {plural(first.layer[-1] + 1, 'layer')} of the plan"
                graphs.append(graph_data(self.tables, "plan", some, first, along_plan))
            graphs.append(graph_data(self.tables, "plan", "The plan", along, along_plan))
        # Beside a plan, a part of an AND-OR graph tells little, and so do a few nodes.
        if graphs and not everything.complete and (branches or len(everything.nodes) < _FEWEST):
            self.notes.append(f"The graph of all {name} is left out, because it is too large.")
            return graphs
        graphs.append(graph_data(self.tables, name, title, everything, looks))
        self.draw_beliefs(graphs[-1]["nodes"], everything)
        if not everything.complete:
            some = f"{plural(len(everything.nodes), 'node')} and {plural(len(everything.edges), 'edge')}"
            self.notes.append(f"The graph of all {name} is too large: the first {some} of it are shown.")
        return graphs

    def costs_to_go(self, everything: Layers) -> dict[int, Any]:
        """The least cost from each belief to the goal, if there is a way; -1 if it is too large for JavaScript."""
        nodes = everything.nodes
        goals = (number for number, node in enumerate(nodes) if self.view.is_goal(node))
        edges = (
            (number, target, step.action, self.view.action_cost(nodes[number], step.action))
            for number, step, target in everything.edges
        )
        numbers = {nodes[number]: json_number(cost) for number, cost in costs_to_go(goals, edges).items()}
        return {node: -1 if cost is None else cost for node, cost in numbers.items()}

    def walk(self, root: int, *, or_nothing: bool) -> Layers:
        """The graph of all beliefs, as far as that is not too much work."""
        self.view.set_allowance(_MOST_WORK)
        self.asked = 0
        found = walk(root, self.steps, self.most_nodes, self.tick, or_nothing=or_nothing)
        self.view.set_allowance(None)
        self.asked = -inf
        return found

    def tick_and_count(self) -> None:
        """Call `tick`, and count the results of the author's code."""
        self.asked += 1
        if self.asked > _MOST_ASKED:
            raise EffortExceeded
        self.tick()

    def plan(self) -> tuple[dict[str, Any] | None, Layers | None]:
        """The plan with the belief at each step, as page data, and as a graph of places: steps with their beliefs."""
        plan = self.told.plan
        if plan is None:
            return None, None
        view, tables = self.view, self.tables
        along = places_along(view, plan.as_conditional(), may_lose=self.odds is not None)
        found = list(islice(along, MOST_STEPS))
        cut = len(found) == MOST_STEPS and next(along, None) is not None
        if cut:
            self.notes.append(_CUT.format(plural(MOST_STEPS, "step")))
        layers = Layers([place for place, _, _ in found], [depth for _, depth, _ in found], complete=not cut)
        number_of = {place: number for number, place in enumerate(layers.nodes)}
        actions = [plan.nodes[step].action for (step, _), _, _ in found]
        beliefs = [belief for (_, belief), _, _ in found]
        for number, (_, _, follow) in enumerate(found):
            self.action_in.setdefault(beliefs[number], actions[number])
            for percept, after in follow:
                self.steps_in.add((beliefs[number], actions[number], percept))
                if after in number_of:
                    layers.edges.append((number, Step(actions[number], percept, after), number_of[after]))
        sizes = list(map(view.size, beliefs))
        most = most_members("step", sizes)
        branches = ((number, step.percept, target) for number, step, target in layers.edges)
        members = [tables.states(self.members(belief, most)) for belief in beliefs]
        return plan_data(tables, actions, branches, members, sizes, self.pictures(beliefs, sizes)), layers

    def draw_beliefs(self, nodes: dict[str, Any], found: Layers) -> None:
        """Draw the beliefs of a small graph, which a game may reach, as far as there is room beside the states."""
        if not found.complete or not self.problem.overrides("svg_belief"):
            return
        if len(found.nodes) > _MOST_DRAWN_IN_GRAPH or sum(nodes["size"]) > _MOST_PICTURED:
            return
        tables = self.tables
        tables.draw_first(tables.known_states)
        before = tables.left_out
        nodes["picture"] = [tables.picture(self.view.members(belief)) for belief in found.nodes]
        tables.left_out = before  # not counted: the page draws these itself, in a simpler way

    def pictures(self, beliefs: list[int], sizes: list[int]) -> list[int]:
        """The numbers of the drawings of beliefs; -1 after the first ones if they have too many states together."""
        room, pictures = _MOST_PICTURED, []
        for belief, size in zip(beliefs, sizes, strict=True):
            room -= size
            pictures.append(-1 if room < 0 else self.tables.picture(self.view.members(belief)))
        self.tables.left_out += pictures.count(-1) if room < 0 else 0
        return pictures

    def looks_of_plan(self, looks: Looks) -> Looks:
        """Return the looks of the plan's steps: those of the beliefs in which they are done."""
        plan: Any = self.told.plan
        return Looks(
            size=lambda place: looks.size(place[1]),
            members=lambda place, most: looks.members(place[1], most),
            is_goal=lambda place: looks.is_goal(place[1]),
            on_plan=lambda place: True,
            action=lambda place: plan.nodes[place[0]].action,
            on_step=lambda place, step: True,
            rest=lambda place: looks.rest(place[1]),
        )

    def steps(self, belief: int) -> Any:
        """The steps from a belief; none if the game is won there."""
        for action in () if self.view.is_goal(belief) else self.view.actions(belief):
            for percept, child in self.view.outcomes(belief, action):
                yield Step(action, percept, child)

    def members(self, belief: int, most: int) -> list[Any]:
        """The first states of a belief."""
        states = self.view.model.states
        return [states[number] for number in islice(bit_numbers(belief), most)]


def _first_layers(found: Layers) -> Layers:
    """The first layers of a graph, with few enough nodes to take in; the graph itself if it is small."""
    if len(found.nodes) <= _MOST_TAKEN_IN:
        return found
    layers = [*found.layer, -1]
    ends = [number for number in range(1, len(layers)) if layers[number] != layers[number - 1]]
    size = max(ends[min(1, len(ends) - 1)], *(end for end in ends if end <= _MOST_TAKEN_IN))
    edges = [edge for edge in found.edges if max(edge[0], edge[2]) < size]
    return Layers(found.nodes[:size], found.layer[:size], edges, complete=False)
