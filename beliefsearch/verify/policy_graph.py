"""The verdict on a file with a policy graph: what the policy attains, what no policy attains, and what is claimed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..plans.encoding import number_from_json
from ..plans.plan_reader import PlanFile
from ..plans.proof_words import proof_text
from ..plans.wording import bound_text, claim_text, error_text, float_text, plural, telling_of
from .answer import answer_lines, contradiction, precision_of, refuse_claims
from .pomdp_file import PomdpOfFile
from .verdict import FileVerdict

if TYPE_CHECKING:
    from .hints import Hints

DEFAULT_PRECISION = Fraction(1, 1000)
"""By which share of the larger the bounds may differ in a file that says solved, unless it gives its precision."""


def check_policy_graph_file(
    problem: Any, saved: PlanFile, lines: list[str], hints: Hints, tick: Callable[[], None]
) -> FileVerdict:
    """Check a policy graph, the proof of an upper bound if there is one, and that the file claims no more than that.

    Adds a line for each that holds. Raises `DoesNotHoldError` at the first that does not, and `InvalidPlanError` if the
    policy graph cannot be read.
    """
    plan: Any = saved.plan
    claimed, precision = _claims(saved, plan)
    game = PomdpOfFile(problem, plan, hints, tick)
    if saved.proof is not None and plan.get("nodes") == [] and saved.lower_bound is None and game.game.start:
        return _check_upper(problem, saved, game, lines)
    lower = game.lower()
    exact_lower, _ = _exact_bounds(saved)
    for name, claim in {"value": claimed, "lower_bound": saved.lower_bound, "exact_lower_bound": exact_lower}.items():
        if claim is not None and claim > lower:
            raise contradiction(
                f"its {name} is {claim_text(claim)}, but its policy is proved to attain {bound_text(lower, -1)} only"
            )
    nodes, horizon = plural(len(plan["nodes"]), "node"), plan.get("horizon")
    if horizon is not None and "question" in saved.fields:
        raise contradiction("its policy has a horizon, and what is asked is about the game without one")
    within = "" if horizon is None else f" in {plural(horizon, 'action')}"
    telling = telling_of(problem)
    sign, limit = (1, "at most") if telling.is_small else (-1, "at least")
    attains = f"the {telling.name} is" if telling.name else "it costs" if telling.costs else "it attains"
    attained = f"{attains} {limit} {bound_text(telling.value(lower), sign)}{'' if telling.name else ' on average'}"
    lines.append(f"the policy holds: with its {nodes} {attained}{within}")
    more = "less" if telling.is_small else "more"
    better = f"makes the {telling.name} {more}" if telling.name else f"{'costs' if telling.costs else 'attains'} {more}"
    if saved.proof is None:
        if saved.upper_bound is not None:
            _require_order(lower, saved.upper_bound)
            claim = claim_text(telling.value(saved.upper_bound))
            lines.append(f"that no policy {better} than {claim} is claimed, not proved")
        if saved.status == "solved":
            _require_near(Fraction(claimed or 0), saved.upper_bound, precision, "gives")
        lines += answer_lines(problem, saved, saved.lower_bound, saved.upper_bound, is_proved=False)
        return FileVerdict(True, "", lines=tuple(lines), value=claimed, attained=lower)
    upper = _proved_upper(saved, saved.proof, game)
    if saved.status == "solved":
        _require_near(Fraction(claimed or 0), upper, precision, "proves")
    gap = "that is what the policy attains" if upper == lower else f"the gap is {error_text(upper - lower)}"
    limit = bound_text(telling.value(upper), -sign)
    lines.append(f"the proof holds: no policy {better} than {limit}{within}; {gap}; it is {proof_text(saved.proof)}")
    lines += answer_lines(problem, saved, saved.lower_bound, saved.upper_bound)
    return FileVerdict(True, "", lines=tuple(lines), value=claimed, attained=lower, unattained=upper)


def _proved_upper(saved: PlanFile, proof: Mapping[str, Any], game: PomdpOfFile) -> Fraction:
    """Return what no policy exceeds, by the proof; the file must not claim less."""
    upper = game.upper(proof)
    for name, claim in {"upper_bound": saved.upper_bound, "exact_upper_bound": _exact_bounds(saved)[1]}.items():
        if claim is not None and claim < upper:
            raise contradiction(
                f"its {name} is {claim_text(claim)}, but it is proved only that no policy attains more than "
                f"{bound_text(upper, 1)}"
            )
    return upper


def _check_upper(problem: Any, saved: PlanFile, game: PomdpOfFile, lines: list[str]) -> FileVerdict:
    """Check a bound from above that stands alone, without a policy."""
    proof = saved.proof or {}
    if saved.status == "solved" or _exact_bounds(saved)[0] is not None:
        raise contradiction("it has no policy, but claims what one attains")
    upper = _proved_upper(saved, proof, game)
    limit = f"costs less than {bound_text(-upper, -1)}"
    limit = limit if problem.minimizes_cost() else f"attains more than {bound_text(upper, 1)}"
    lines.append(f"the proof holds: no policy {limit}; it is {proof_text(proof)}")
    lines += answer_lines(problem, saved, None, saved.upper_bound)
    return FileVerdict(True, "", lines=tuple(lines), unattained=upper)


def _claims(saved: PlanFile, plan: Mapping[str, Any]) -> tuple[Any, Fraction]:
    """The claimed value, if there is one, and the precision."""
    refuse_claims(saved, "policy graph", "cost optimal")
    if saved.status not in ("solved", "undecided"):
        raise contradiction(f"it has a policy, but says {saved.status!s:.40}")
    claimed = None if saved.value is None else number_from_json(saved.value, "its field 'value'")
    if (claimed is not None) != (saved.status == "solved"):
        raise contradiction(
            f"it says {saved.status}, {'but gives a value' if claimed is not None else 'without a value'}"
        )
    lower, upper = saved.lower_bound, saved.upper_bound
    if lower is not None and upper is not None:
        _require_order(Fraction(lower), upper)
    if claimed is not None and lower is not None and claimed != lower:
        raise contradiction(
            f"its value is {claim_text(claimed)}, but its lower_bound says {claim_text(lower)}, and both say what the "
            "policy is sure to attain"
        )
    precision = precision_of(plan)
    return claimed, DEFAULT_PRECISION if precision is None else precision


def _exact_bounds(saved: PlanFile) -> list[Any]:
    """The bounds that are given as fractions, too; None where one is not."""
    names = ("exact_lower_bound", "exact_upper_bound")
    written = [(name, saved.fields.get(name)) for name in names]
    return [None if bound is None else number_from_json(bound, f"its field {name!r}") for name, bound in written]


def _require_order(lower: Fraction, upper: Any) -> None:
    if upper < lower:
        raise contradiction(
            f"no policy is said to attain more than {claim_text(upper)}, but this one attains {bound_text(lower, -1)}"
        )


def _require_near(lower: Fraction, upper: Any, precision: Fraction, does: str) -> None:
    """Make sure that a file may say solved."""
    if upper is None:
        raise contradiction("it says solved, but has no upper bound")
    if Fraction(upper) - lower > precision * max(abs(lower), abs(Fraction(upper))):
        raise contradiction(
            f"it says solved within {float_text(precision)} of the value, but {does} only that this is between "
            f"{bound_text(lower, -1)} and {bound_text(Fraction(upper), 1)}"
        )
