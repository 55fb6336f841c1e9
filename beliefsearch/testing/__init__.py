"""Tools for the tests of one's own problems: checks of one line each, and hypothesis strategies.

A check that fails raises an `AssertionError` with an explanation, so it needs no pytest. Only the strategies need
hypothesis, which is imported when the first strategy is made.
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
