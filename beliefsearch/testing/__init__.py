"""For the tests of one's own puzzles: checks in one line, and hypothesis strategies.

Each check raises an `AssertionError` that says what is wrong, so it needs no pytest. Only the strategies need
hypothesis, which is imported when the first of them is made.
"""

from .brute_force import brute_force_answer as brute_force_answer
from .checks import check_against_brute_force as check_against_brute_force
from .checks import check_drawings as check_drawings
from .checks import check_known_answers as check_known_answers
from .checks import check_rules as check_rules
from .strategies import Walk as Walk
from .strategies import actions as actions
from .strategies import beliefs as beliefs
from .strategies import states as states
from .strategies import walks as walks
