"""Public names of beliefsearch, each with its home; `_doors.py` reads them from here."""

from . import errors as errors
from . import graph as graph
from . import hooks as hooks
from . import page as page
from . import plot as plot
from . import results as results
from . import solvers as solvers
from . import tools as tools
from .errors import BeliefSearchError as BeliefSearchError
from .errors import ProblemError as ProblemError
from .model.adapters import Blindfolded as Blindfolded
from .model.base import KnownAnswer as KnownAnswer
from .model.canvas.drawing import Drawing as Drawing
from .model.problem import BeliefProblem as BeliefProblem
from .model.problem import ObservableProblem as ObservableProblem
from .model.problem import Problem as Problem
from .model.stochastic import StochasticProblem as StochasticProblem
from .planner.functional import search as search
from .planner.solve import solve as solve
from .plans.plan import Plan as Plan
from .plans.policy import Policy as Policy
from .plans.policy import PolicyGraph as PolicyGraph
from .plans.policy import PolicyResult as PolicyResult
from .plans.result import SearchResult as SearchResult
from .plans.result import Status as Status
from .plugins.conformance.check import check_problem as check_problem
from .plugins.files.saved import load as load
from .plugins.files.saved import save as save
from .plugins.files.verify_file import verify_file as verify_file
from .proofs.check import check_proof as check_proof
from .proofs.explanations.explain import explain as explain
from .proofs.explanations.trace import trace as trace
from .proofs.prove import prove as prove
from .running.limits import Limits as Limits
from .running.observer import Observer as Observer
from .simulation.play import play_game as play_game
from .simulation.play import simulate as simulate
from .verify.plan import check_plan as check_plan

__all__: list[str]
__version__: str
