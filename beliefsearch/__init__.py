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
    from .chance.policy import Policy as Policy
    from .chance.policy import PolicyResult as PolicyResult
    from .chance.solving import solve_stochastic as solve_stochastic
    from .conditional_plan import ConditionalPlan as ConditionalPlan
    from .conditional_plan import PlanNode as PlanNode
    from .data_files import read_data_file as read_data_file
    from .errors import BeliefSearchError as BeliefSearchError
    from .errors import IdentityWarning as IdentityWarning
    from .errors import InvalidPlanError as InvalidPlanError
    from .errors import LimitError as LimitError
    from .errors import NoSolutionError as NoSolutionError
    from .errors import PluginError as PluginError
    from .errors import ProblemError as ProblemError
    from .errors import UnknownProblemError as UnknownProblemError
    from .facts import Count as Count
    from .facts import Facts as Facts
    from .facts import describe as describe
    from .functional import search as search
    from .observers import Observer as Observer
    from .plugins import load_problem_class as load_problem_class
    from .problem import BeliefProblem as BeliefProblem
    from .problem import ChanceArrays as ChanceArrays
    from .problem import Construction as Construction
    from .problem import KnownAnswer as KnownAnswer
    from .problem import ObservableProblem as ObservableProblem
    from .problem import Problem as Problem
    from .problem import ReversibleProblem as ReversibleProblem
    from .problem import StochasticProblem as StochasticProblem
    from .solution import Limits as Limits
    from .solution import SearchResult as SearchResult
    from .solution import SearchStats as SearchStats
    from .solution import Status as Status
    from .solvers.distance_table import distance_table as distance_table
    from .solving import solve as solve
    from .sweeping import SweepRow as SweepRow
    from .sweeping import sweep as sweep
    from .testing import check_problem as check_problem
    from .verify import check_plan as check_plan
    from .views import Blindfolded as Blindfolded

_HOME = {
    "BeliefProblem": "problem",
    "BeliefSearchError": "errors",
    "Blindfolded": "views",
    "ConditionalPlan": "conditional_plan",
    "ChanceArrays": "problem",
    "Construction": "problem",
    "Count": "facts",
    "Facts": "facts",
    "IdentityWarning": "errors",
    "InvalidPlanError": "errors",
    "LimitError": "errors",
    "KnownAnswer": "problem",
    "Limits": "solution",
    "NoSolutionError": "errors",
    "ObservableProblem": "problem",
    "Observer": "observers",
    "PlanNode": "conditional_plan",
    "PluginError": "errors",
    "Policy": "chance.policy",
    "PolicyResult": "chance.policy",
    "Problem": "problem",
    "ProblemError": "errors",
    "ReversibleProblem": "problem",
    "SearchResult": "solution",
    "SearchStats": "solution",
    "Status": "solution",
    "StochasticProblem": "problem",
    "SweepRow": "sweeping",
    "UnknownProblemError": "errors",
    "check_plan": "verify",
    "check_problem": "testing",
    "describe": "facts",
    "distance_table": "solvers.distance_table",
    "load_problem_class": "plugins",
    "read_data_file": "data_files",
    "search": "functional",
    "solve": "solving",
    "solve_stochastic": "chance.solving",
    "sweep": "sweeping",
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
