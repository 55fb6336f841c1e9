"""`check_proof` for proofs of all kinds: those that only list things are made into tables first.

What makes them need not be trusted; the checker is `verify.proof`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.belief import no_tick
from ..model.problem import BeliefProblem
from ..verify import proof as checker
from ..verify.proof_capacity import check_capacity
from .hints.capacity_hints import capacity_proofs
from .hints.proof_tables import LISTED, table_of_proof


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
    return checker.check_proof(problem, proof, tick, elaborated)


def elaborated(
    problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None] = no_tick
) -> Mapping[str, Any]:
    """A proof that lists states or beliefs as a table; any other as it is.

    Raises `InvalidProofError` if it is malformed, or some step has no reason.
    """
    if proof.get("kind") == "exhaustion":
        from .hints.exhaustion_tables import listed_bounds  # with NumPy, and kernels

        try:
            return as_table(problem, listed_bounds(problem, proof, tick), tick)
        except InvalidProofError:
            if "rest" in proof:
                raise
            return proof  # what is wrong with it as it stands is more to the point
    if proof.get("kind") == "capacity" and "states" not in proof:
        return _best_capacity(problem, proof, tick)
    return as_table(problem, proof, tick)


def _best_capacity(problem: Any, proof: Mapping[str, Any], tick: Callable[[], None]) -> Mapping[str, Any]:
    return max(capacity_proofs(problem, proof, tick), key=lambda listed: check_capacity(problem, listed, tick))


def as_table(
    problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None] = no_tick
) -> Mapping[str, Any]:
    """As `elaborated`, but an exhaustion as it is, which may be too long for a table."""
    kind = proof.get("kind")
    return table_of_proof(problem, proof, tick) if isinstance(kind, str) and kind in LISTED else proof
