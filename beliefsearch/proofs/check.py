"""The checks of `verify` with the hints of `hints`: what only lists things is made into tables first.

What makes them need not be trusted; the checkers are in `verify`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..model.base import Cost
from ..model.belief import no_tick
from ..model.problem import BeliefProblem
from ..plans.plan_reader import PlanFile
from ..verify import file
from ..verify import proof as checker
from ..verify.verdict import FileVerdict, PolicyVerdict
from .hints import elaborator


def check_proof(
    problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None] = no_tick
) -> Cost:
    """The lower bound that `proof` establishes; it is infinite if there is no plan.

    Parameters
    ----------
    problem
        The problem, by its options.
    proof
        What stands in a certificate (see the reference), as read from JSON.
    tick
        Called now and then; may raise to stop.

    Raises
    ------
    InvalidProofError
        If it establishes nothing.
    ProblemError
        If the problem breaks its contract.

    Notes
    -----
    Linear in the transitions of the problem, or in the listed beliefs times the actions.

    Examples
    --------
    Whoever sees the two coins of the devil needs an action, unless all heads are up already:

    >>> from beliefsearch_problems.devil import DevilProblem
    >>> states = ["HH", "HT", "TH", "TT"]
    >>> check_proof(DevilProblem(n=2), {"kind": "distances", "states": states, "distances": [0, 1, 1, 1]})
    1
    >>> check_proof(DevilProblem(n=2), {"kind": "distances", "states": states, "distances": [0, 1, 1, 2]})
    Traceback (most recent call last):
    ...
    beliefsearch.errors.InvalidProofError: the belief {TT} has the bound 2, but action {0, 1} costs 1 and leads to ...
    """
    return checker.check_proof(problem, proof, tick, elaborator.proof_table)


def check_file(problem: Any, saved: PlanFile, tick: Callable[[], None] = no_tick) -> FileVerdict:
    """Check a plan file as `verify.file` does."""
    return file.check_file(problem, saved, lambda: elaborator, tick)


def check_policy_file(
    problem: Any, plan: Mapping[str, Any], claimed_value: object, tick: Callable[[], None] = no_tick
) -> PolicyVerdict:
    """Check a policy in a plan file as `verify.policy` does."""
    from ..verify import policy

    return policy.check_policy_file(problem, plan, claimed_value, elaborator, tick)
