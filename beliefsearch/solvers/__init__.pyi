"""Public names of `beliefsearch.solvers`, each with its home."""

from ..planner.functional import alpha_beta as alpha_beta
from ..planner.functional import and_or as and_or
from ..planner.functional import and_or_graph as and_or_graph
from ..planner.functional import anytime_weighted_astar as anytime_weighted_astar
from ..planner.functional import astar as astar
from ..planner.functional import backward_induction as backward_induction
from ..planner.functional import belief_graph as belief_graph
from ..planner.functional import bidirectional as bidirectional
from ..planner.functional import breadth_first as breadth_first
from ..planner.functional import closed_loop_greedy as closed_loop_greedy
from ..planner.functional import depth_first as depth_first
from ..planner.functional import expected_and_or as expected_and_or
from ..planner.functional import finite_horizon as finite_horizon
from ..planner.functional import greedy_best_first as greedy_best_first
from ..planner.functional import hsvi as hsvi
from ..planner.functional import ida_star as ida_star
from ..planner.functional import iterative_deepening as iterative_deepening
from ..planner.functional import policy_iteration as policy_iteration
from ..planner.functional import regression as regression
from ..planner.functional import uniform_cost as uniform_cost
from ..planner.functional import value_iteration as value_iteration
from ..planner.functional import weighted_astar as weighted_astar
from .path.distance_table import distance_table as distance_table

__all__: list[str]
