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
    from .model.adapters import Blindfolded as Blindfolded
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

_HOME = {
    "ArrayHook": "model.hooks",
    "BeliefClassHook": "model.hooks",
    "BeliefProblem": "model.problem",
    "BeliefSearchError": "errors",
    "Blindfolded": "model.adapters",
    "ConditionalPlan": "plans.plan",
    "ChanceArrayHook": "model.hooks",
    "ChanceArrays": "model.hooks",
    "Construction": "model.hooks",
    "ConstructionHook": "model.hooks",
    "Count": "solving.describe",
    "FileVerdict": "verify.verdict",
    "Facts": "solving.describe",
    "DistinctActionsHook": "model.hooks",
    "IdentityWarning": "errors",
    "InvalidPlanError": "errors",
    "LimitError": "errors",
    "KnownAnswer": "model.problem",
    "Limits": "running.limits",
    "NoSolutionError": "errors",
    "ObservableProblem": "model.problem",
    "Observer": "running.observer",
    "PlanNode": "plans.plan",
    "PlotHook": "model.hooks",
    "PlanVerdict": "verify.verdict",
    "PluginError": "errors",
    "Policy": "plans.policy",
    "PolicyResult": "plans.policy",
    "PotentialHook": "model.hooks",
    "Problem": "model.problem",
    "ProblemError": "errors",
    "ReversibleProblem": "model.hooks",
    "SearchResult": "plans.result",
    "SearchStats": "plans.result",
    "Status": "plans.result",
    "StochasticProblem": "model.stochastic",
    "SweepRow": "solving.sweep",
    "UnknownProblemError": "errors",
    "Verdict": "verify.verdict",
    "check_plan": "verify.plan",
    "check_problem": "plugins.conformance.check",
    "check_proof": "verify.proof",
    "describe": "solving.describe",
    "distance_table": "solvers.path.distance_table",
    "load_problem_class": "plugins.loading",
    "read_data_file": "plugins.data_files",
    "search": "solving.functional",
    "solve": "solving.solve",
    "solve_stochastic": "solving.stochastic",
    "sweep": "solving.sweep",
    "verify_file": "plugins.verify_file",
}

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
