"""Public names of `beliefsearch.results`, each with its home."""

from .plans.plan import ConditionalPlan as ConditionalPlan
from .plans.plan import PlanNode as PlanNode
from .plans.plan_writer import Proof as Proof
from .plans.result import SearchStats as SearchStats
from .proofs.explanations.explanation import Explanation as Explanation
from .proofs.explanations.trace import Trace as Trace
from .proofs.explanations.trace import TraceStep as TraceStep
from .simulation.game import Game as Game
from .simulation.game import PolicySimulation as PolicySimulation
from .simulation.game import Simulation as Simulation
from .simulation.game import Turn as Turn
from .verify.verdict import FileVerdict as FileVerdict
from .verify.verdict import PlanVerdict as PlanVerdict
from .verify.verdict import Verdict as Verdict

__all__: list[str]
