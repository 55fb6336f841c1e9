"""beliefsearch: searching when you cannot see everything.

The public names stand in `__init__.pyi`; others are in `beliefsearch.hooks`, `.graph`, `.plot`, `.page`, `.tools`,
`.results`, `.errors` and `.solvers`.
"""

from ._doors import MainDoor

__version__ = "0.1.0"

MainDoor.open(__name__)
