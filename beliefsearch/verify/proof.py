"""The checker of proofs: a bound, or that there is no plan, established anew from a certificate.

It stands on the definition alone: no `canonical`, no floats. A proof is data, and may be wrong in any way; each check
stops at the first thing that is wrong.

Most proofs are a table of `checker`, which says why a table of each kind proves what it claims; beside it stand the
states, actions and percepts that its numbers stand for. `AskedGame` asks the problem for the steps that an entry needs.
A proof that only lists states or beliefs with numbers is made into a table first, by whoever asks.

The kinds that are no tables, and why each proves what it claims:

`capacity`
    Nothing but the kind: each action has few percepts, so plans of few actions cannot tell all states apart
    that they must. Where the actions are too many to be listed, it says that those which the author calls distinct
    are to be taken for all, and so asks for more trust.
`construction`
    Whatever the puzzle's author has a checker for (`check_construction`), which is to be trusted as far as
    the puzzle itself: about the length of the shortest plan, or that there is none.
`factors`
    Proofs about the problems of single factors (see `proof_factors.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, TypeAlias

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.belief import no_tick
from ..model.hooks import has_closed_form
from ..model.problem import BeliefProblem
from ..model.reachability import is_certain
from ..model.values import whole
from .asked_game import AskedGame
from .checker import Claim, UnreadableError, WrongError, check_flows, check_lost, check_lower, check_mean
from .mean_bits import BitCounting
from .numbered import list_of

Elaborate: TypeAlias = (
    "Callable[[BeliefProblem[Any, Any, Any], Mapping[str, Any], Callable[[], None]], Mapping[str, Any]]"
)
"""Makes a table of a proof that only lists states or beliefs; it need not be trusted."""


def check_proof(
    problem: BeliefProblem[Any, Any, Any],
    proof: Mapping[str, Any],
    tick: Callable[[], None] = no_tick,
    elaborate: Elaborate | None = None,
) -> Cost:
    """The lower bound that `proof` establishes; it is infinite if there is no plan.

    A proof that establishes nothing as it stands is given to `elaborate`. Calls `tick` now and then. Raises
    `InvalidProofError` if it establishes nothing then, either.
    """
    try:
        return _checked(problem, proof, tick)
    except InvalidProofError:
        made = proof if elaborate is None else elaborate(problem, proof, tick)
        if made is proof:
            raise
    bound = _checked(problem, made, tick)
    kind, said = made["kind"], proof.get("kind")  # by which the verdict goes
    tries = said in _RULES_OUT_TRYING and kind not in _RULES_OUT_TRYING
    if tries or (said in _ABOUT_MEANS) != (kind in _ABOUT_MEANS):
        raise InvalidProofError(f"a table of the kind {kind!r} is none of a proof of the kind {said!r:.40}")
    return bound


def _checked(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None]) -> Cost:
    kind = proof.get("kind")
    match kind:
        case "capacity":
            from .proof_capacity import check_capacity

            return check_capacity(problem, proof, tick)
        case "construction":
            return _check_construction(problem, proof)
        case "factors":
            from .proof_factors import check_factors

            return check_factors(problem, proof, partial(_checked, tick=tick))
    if isinstance(kind, str) and kind in TABLES:
        return _check_table(problem, proof, tick)
    raise InvalidProofError(f"its kind is {kind!r:.40}, not one of {', '.join((*TABLES, *OF_THEIR_OWN))}")


def names_of(proof: Mapping[str, Any]) -> dict[str, Collection[Any]]:
    """The states, actions and percepts that the numbers of a table stand for, as far as they are listed."""
    return {name: list_of(proof, name) for name in ("states", "actions", "percepts") if name in proof}


def table_of(proof: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table of a proof, which has its kind."""
    kind, table = proof.get("kind"), proof.get("table")
    if not isinstance(table, Mapping) or table.get("kind") != kind:
        raise InvalidProofError(f"its field 'table' should be a table of the kind {kind!r:.40}")
    return table


def _check_table(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None]) -> Cost:
    """The bound that a table proves, by `checker`, about the problem as it is asked."""
    kind, names, table = proof["kind"], names_of(proof), table_of(proof)
    try:
        game = AskedGame(problem, names, tick)
    except (WrongError, UnreadableError) as error:
        raise InvalidProofError(str(error)) from None
    try:
        if kind == "flows" and isinstance(weights := table.get("weights"), list):  # about all states
            game.walk(most_states=len(weights))
        claim = _check_packed(game, table, names) if "packed" in table else TABLES[kind](game, table)
    except (WrongError, UnreadableError) as error:
        raise InvalidProofError(game.named(error)) from None
    bound = claim.value
    assert bound is not None, "tables of bounds have one"
    return bound if isinstance(bound, float) else whole(bound)


def _check_packed(game: AskedGame, table: Mapping[str, Any], names: Mapping[str, Collection[Any]]) -> Claim:
    from .lower_arrays import check_lower_arrays, unpacked  # with NumPy

    states, actions = (len(names.get(name, ())) for name in ("states", "actions"))
    arrays = unpacked(table, actions)
    if arrays.members.max(initial=0) < states:  # else it is refused at once
        game.walk(most_states=states)
    return check_lower_arrays(game, arrays, states, game.tick)


def _check_construction(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any]) -> Cost:
    evidence = proof.get("evidence")
    if not isinstance(evidence, dict):
        raise InvalidProofError(f"its field 'evidence' should be an object, but is {evidence!r:.40}")
    if not problem.has_unit_costs():
        raise InvalidProofError("constructions are for problems in which every action costs 1")
    if not has_closed_form(problem):
        raise InvalidProofError(f"{type(problem).__name__} brings no checker for constructions")
    try:
        length = problem.check_construction(evidence)
    except ValueError as error:
        raise InvalidProofError(str(error)) from None
    return math.inf if length is None else length


TABLES: Mapping[str, Callable[[Any, Any], Claim]] = {
    "lower": check_lower,
    "lost": check_lost,
    "flows": check_flows,
    "mean": partial(check_mean, count_in=BitCounting),
}
"""The tables that are proofs, by kind, and who checks them."""

OF_THEIR_OWN = ("capacity", "construction", "factors")
"""The kinds of proofs that are no tables."""

_ABOUT_MEANS = frozenset({"mean", "mean-bounds"})
_RULES_OUT_TRYING = frozenset({"lost", "lost-beliefs", "construction"})


def objective_of(proof: Mapping[str, Any]) -> str:
    """Return the objective that a proof is about."""
    return "expected" if proof["kind"] in _ABOUT_MEANS else "worst"


def rules_out_trying(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any]) -> bool:
    """Whether an infinite bound by a proof also rules out plans that keep trying.

    Most arguments prove only that no plan is sure to win within a certain number of actions. Against an adversary,
    without percepts, or where only the start is uncertain, to keep trying wins nothing anyway.
    """
    known = problem.is_sensorless() or problem.has_adversary() or proof["kind"] in _RULES_OUT_TRYING
    return known or is_certain(problem)
