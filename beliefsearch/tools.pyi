"""Public names of `beliefsearch.tools`, each with its home."""

from .interop.pomdp_arrays import PomdpTables as PomdpTables
from .interop.pomdp_arrays import read_pomdp as read_pomdp
from .model.adapters import starting_from as starting_from
from .model.belief import predict as predict
from .model.chance import Possible as Possible
from .model.chance import Uniform as Uniform
from .model.distribution import Distribution as Distribution
from .model.stochastic import Numbering as Numbering
from .planner.describe import Count as Count
from .planner.describe import Facts as Facts
from .planner.describe import describe as describe
from .planner.explore import explore as explore
from .planner.region import WinnableBeliefs as WinnableBeliefs
from .planner.region import winnable_beliefs as winnable_beliefs
from .planner.shortest_plans import ShortestPlans as ShortestPlans
from .planner.shortest_plans import shortest_plans as shortest_plans
from .planner.sweep import SweepRow as SweepRow
from .planner.sweep import sweep as sweep
from .plans.result import Exploration as Exploration
from .plans.xml_elements import XmlElement as XmlElement
from .plans.xml_elements import XmlError as XmlError
from .plans.xml_elements import read_xml as read_xml
from .plugins.data_files import read_data_file as read_data_file
from .plugins.loading import load_problem_class as load_problem_class
from .simulation.filtering import UNSAID as UNSAID
from .simulation.filtering import Filtered as Filtered
from .simulation.filtering import filtered as filtered
from .solvers.path.online import OnlineAgent as OnlineAgent

__all__: list[str]
