"""beliefsearch: searching when you cannot see everything.

The public names, re-exported one by one and loaded when they are first used, so that
`import beliefsearch` costs next to nothing and a checker need not load a solver.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

# Not from `typing`: `python -m beliefsearch` runs this while the current folder still comes before the library.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from .errors import BeliefSearchError as BeliefSearchError
    from .errors import IdentityWarning as IdentityWarning
    from .errors import InvalidPlanError as InvalidPlanError
    from .errors import LimitError as LimitError
    from .errors import NoSolutionError as NoSolutionError
    from .errors import PluginError as PluginError
    from .errors import ProblemError as ProblemError
    from .errors import UnknownProblemError as UnknownProblemError
    from .games.game import Game as Game
    from .games.game import PolicySimulation as PolicySimulation
    from .games.game import Simulation as Simulation
    from .games.game import Turn as Turn
    from .games.play import play_game as play_game
    from .games.play import simulate as simulate
    from .graph.analysis import OptimalPlans as OptimalPlans
    from .graph.analysis import dominated_beliefs as dominated_beliefs
    from .graph.analysis import layers as layers
    from .graph.analysis import optimal_plans as optimal_plans
    from .graph.build import belief_graph as belief_graph
    from .graph.build import plan_graph as plan_graph
    from .graph.build import state_graph as state_graph
    from .graph.page.build import problem_page as problem_page
    from .model.adapters import Blindfolded as Blindfolded
    from .model.drawing import Drawing as Drawing
    from .model.hooks import ArrayHook as ArrayHook
    from .model.hooks import BeliefClassHook as BeliefClassHook
    from .model.hooks import ChanceArrayHook as ChanceArrayHook
    from .model.hooks import ChanceArrays as ChanceArrays
    from .model.hooks import Construction as Construction
    from .model.hooks import ConstructionHook as ConstructionHook
    from .model.hooks import DistinctActionsHook as DistinctActionsHook
    from .model.hooks import PlotHook as PlotHook
    from .model.hooks import PotentialHook as PotentialHook
    from .model.hooks import ReversibleProblem as ReversibleProblem
    from .model.problem import BeliefProblem as BeliefProblem
    from .model.problem import KnownAnswer as KnownAnswer
    from .model.problem import ObservableProblem as ObservableProblem
    from .model.problem import Problem as Problem
    from .model.stochastic import StochasticProblem as StochasticProblem
    from .plans.plan import ConditionalPlan as ConditionalPlan
    from .plans.plan import Plan as Plan
    from .plans.plan import PlanNode as PlanNode
    from .plans.policy import Policy as Policy
    from .plans.policy import PolicyResult as PolicyResult
    from .plans.result import SearchResult as SearchResult
    from .plans.result import SearchStats as SearchStats
    from .plans.result import Status as Status
    from .plugins.conformance.check import check_problem as check_problem
    from .plugins.data_files import read_data_file as read_data_file
    from .plugins.loading import load_problem_class as load_problem_class
    from .plugins.verify_file import verify_file as verify_file
    from .proofs.explain import Explanation as Explanation
    from .proofs.explain import explain as explain
    from .proofs.prove import Proof as Proof
    from .proofs.prove import prove as prove
    from .proofs.trace import Trace as Trace
    from .proofs.trace import TraceStep as TraceStep
    from .proofs.trace import trace as trace
    from .running.limits import Limits as Limits
    from .running.observer import Observer as Observer
    from .solvers.path.distance_table import distance_table as distance_table
    from .solving.describe import Count as Count
    from .solving.describe import Facts as Facts
    from .solving.describe import describe as describe
    from .solving.functional import search as search
    from .solving.solve import solve as solve
    from .solving.stochastic import solve_stochastic as solve_stochastic
    from .solving.sweep import SweepRow as SweepRow
    from .solving.sweep import sweep as sweep
    from .verify.plan import check_plan as check_plan
    from .verify.proof import check_proof as check_proof
    from .verify.verdict import FileVerdict as FileVerdict
    from .verify.verdict import PlanVerdict as PlanVerdict
    from .verify.verdict import Verdict as Verdict

_NAMES = {
    "errors": (
        "BeliefSearchError",
        "IdentityWarning",
        "InvalidPlanError",
        "LimitError",
        "NoSolutionError",
        "PluginError",
        "ProblemError",
        "UnknownProblemError",
    ),
    "games.game": ("Game", "PolicySimulation", "Simulation", "Turn"),
    "games.play": ("play_game", "simulate"),
    "graph.analysis": ("OptimalPlans", "dominated_beliefs", "layers", "optimal_plans"),
    "graph.build": ("belief_graph", "plan_graph", "state_graph"),
    "graph.page.build": ("problem_page",),
    "model.adapters": ("Blindfolded",),
    "model.drawing": ("Drawing",),
    "model.hooks": (
        "ArrayHook",
        "BeliefClassHook",
        "ChanceArrayHook",
        "ChanceArrays",
        "Construction",
        "ConstructionHook",
        "DistinctActionsHook",
        "PlotHook",
        "PotentialHook",
        "ReversibleProblem",
    ),
    "model.problem": ("BeliefProblem", "KnownAnswer", "ObservableProblem", "Problem"),
    "model.stochastic": ("StochasticProblem",),
    "plans.plan": ("ConditionalPlan", "Plan", "PlanNode"),
    "plans.policy": ("Policy", "PolicyResult"),
    "plans.result": ("SearchResult", "SearchStats", "Status"),
    "plugins.conformance.check": ("check_problem",),
    "plugins.data_files": ("read_data_file",),
    "plugins.loading": ("load_problem_class",),
    "plugins.verify_file": ("verify_file",),
    "proofs.explain": ("Explanation", "explain"),
    "proofs.prove": ("Proof", "prove"),
    "proofs.trace": ("Trace", "TraceStep", "trace"),
    "running.limits": ("Limits",),
    "running.observer": ("Observer",),
    "solvers.path.distance_table": ("distance_table",),
    "solving.describe": ("Count", "Facts", "describe"),
    "solving.functional": ("search",),
    "solving.solve": ("solve",),
    "solving.stochastic": ("solve_stochastic",),
    "solving.sweep": ("SweepRow", "sweep"),
    "verify.plan": ("check_plan",),
    "verify.proof": ("check_proof",),
    "verify.verdict": ("FileVerdict", "PlanVerdict", "Verdict"),
}
_HOME = {name: home for home, names in _NAMES.items() for name in names}

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> object:
    try:
        home = _HOME[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value  # so that this runs once a name
    return value


def __dir__() -> list[str]:
    return __all__
