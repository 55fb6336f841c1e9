"""Public names of `beliefsearch.graph`, each with its home."""

from ..planner.region import winning_region as winning_region
from ..plans.winning_region import WinningRegion as WinningRegion
from .analysis import GraphAnalysis as GraphAnalysis
from .analysis import OptimalPlans as OptimalPlans
from .analysis import analyse as analyse
from .analysis import dominated_beliefs as dominated_beliefs
from .analysis import layers as layers
from .analysis import optimal_plans as optimal_plans
from .and_or_graph import region_graph as region_graph
from .build import belief_graph as belief_graph
from .build import plan_graph as plan_graph
from .build import state_graph as state_graph
from .graph_reader import read_graph as read_graph

__all__: list[str]
