"""Public names of `beliefsearch.plot`, each with its home."""

from .graph.plots.drawings import draw_belief as draw_belief
from .graph.plots.drawings import draw_plan as draw_plan
from .graph.plots.plan_charts import beliefs_picture as beliefs_picture
from .graph.plots.plan_charts import exploration_picture as exploration_picture
from .graph.plots.plan_charts import games_picture as games_picture
from .graph.plots.plan_charts import profile_picture as profile_picture
from .graph.plots.policy_charts import sweep_table_picture as sweep_table_picture
from .running.observer import Profile as Profile

__all__: list[str]
