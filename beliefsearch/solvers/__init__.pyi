"""Public names of `beliefsearch.solvers`, each with its home."""

from ..planner.algorithms import alpha_beta as alpha_beta
from ..planner.algorithms import and_or as and_or
from ..planner.algorithms import and_or_graph as and_or_graph
from ..planner.algorithms import astar as astar
from ..planner.algorithms import backward_induction as backward_induction
from ..planner.algorithms import bidirectional as bidirectional
from ..planner.algorithms import breadth_first as breadth_first
from ..planner.algorithms import depth_first as depth_first
from ..planner.algorithms import expected_and_or as expected_and_or
from ..planner.algorithms import finite_horizon as finite_horizon
from ..planner.algorithms import greedy_best_first as greedy_best_first
from ..planner.algorithms import hsvi as hsvi
from ..planner.algorithms import ida_star as ida_star
from ..planner.algorithms import iterative_deepening as iterative_deepening
from ..planner.algorithms import policy_iteration as policy_iteration
from ..planner.algorithms import regression as regression
from ..planner.algorithms import uniform_cost as uniform_cost
from ..planner.algorithms import value_iteration as value_iteration
from ..planner.algorithms import weighted_astar as weighted_astar
from .path.distance_table import distance_table as distance_table

__all__: list[str]
