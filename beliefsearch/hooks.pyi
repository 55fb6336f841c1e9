"""Public names of `beliefsearch.hooks`, each with its home."""

from .model.base import StatesWith as StatesWith
from .model.diagrams import count_kept as count_kept
from .model.factor import Factor as Factor
from .model.factor import Facts as Facts
from .model.factor import FixedStates as FixedStates
from .model.hook_arrays import ChanceArrays as ChanceArrays
from .model.hook_arrays import ChanceRows as ChanceRows
from .model.hook_arrays import PerceptChanceArrays as PerceptChanceArrays
from .model.hooks import ArrayHook as ArrayHook
from .model.hooks import BeliefClassHook as BeliefClassHook
from .model.hooks import ChanceArrayHook as ChanceArrayHook
from .model.hooks import CodeHook as CodeHook
from .model.hooks import Construction as Construction
from .model.hooks import ConstructionHook as ConstructionHook
from .model.hooks import DistinctActionsHook as DistinctActionsHook
from .model.hooks import FactoredHook as FactoredHook
from .model.hooks import FutureHook as FutureHook
from .model.hooks import PerceptArrayHook as PerceptArrayHook
from .model.hooks import PlotHook as PlotHook
from .model.hooks import PotentialHook as PotentialHook
from .model.hooks import PresetHook as PresetHook
from .model.hooks import RestartHook as RestartHook
from .model.hooks import ReversibleCodeHook as ReversibleCodeHook
from .model.hooks import ReversibleProblem as ReversibleProblem
from .model.hooks import SymmetryHook as SymmetryHook
from .model.partial_states import StateRules as StateRules
from .model.stochastic import Question as Question

__all__: list[str]
