"""Sensorless problems with factors: the solver and its estimates on tuples of local beliefs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from ..engine.bits.sensorless import STEPS_OF_RESULT, Allowance
from ..engine.factored.view import FactoredView
from ..engine.views import view_of
from ..errors import ProblemError
from ..kinds import Kind
from ..model.base import Action
from ..model.belief import no_tick
from ..model.factor import Factor, FactorSum
from ..model.hooks import factors_of
from ..model.problem import BeliefProblem
from ..model.reachability import reachable_states
from ..plans.result import SearchResult
from ..running.limits import EffortExceeded
from ..running.run import Run
from ..solvers.path.anytime import Part
from ..solvers.path.dominance import ListedDominance
from ..solvers.path.heuristic import Heuristic, no_estimate
from ..solvers.path.lazy_best_first import lazy_best_first_search
from .options import PathOptions
from .solver_table import SOLVERS

if TYPE_CHECKING:
    from ..engine.factored.relaxed_plans import RelaxedPlans

ANYTIME = "anytime-weighted-astar"
# Elementary steps for the tables of lower bounds: some seconds' worth.
_EFFORT = 20_000_000
# With more results of actions, half a second's worth, a sum of factors is no help.
_MOST_OF_SUM = 400_000
# One factor alone is searched if it has no more pairs of a state and an action, and as far as so many comparisons of
# sets, a few seconds' worth.
_MOST_PAIRS, _MOST_COMPARED = 100_000, 100_000_000_000


def sum_of(
    factors: Sequence[Factor[Action]], tick: Callable[[], None] = no_tick
) -> BeliefProblem[Any, Action, Any] | None:
    """Return the sum of these factors, or the only one as it is; None if it is too large, or has several goal sets."""
    if len(factors) == 1:
        return factors[0].problem
    with suppress(ProblemError, EffortExceeded):
        found = FactorSum(factors)
        reachable_states(found, Allowance(tick, _MOST_OF_SUM * STEPS_OF_RESULT).spend_and_tick)
        return found
    return None


def bound_by_one_factor(problem: BeliefProblem[Any, Action, Any], run: Run) -> NoReturn:
    """Raise `EffortExceeded` with a lower bound: the fewest actions of the factor with the most starts, from both ends.

    Ignoring the other factors makes a problem easier. Searched alone, all states of one are listed.
    """
    from ..engine.compiled.bidirectional import array_bidirectional_search

    exceeded = EffortExceeded()
    alone = [factor.problem for factor in factors_of(problem) or ()]
    hardest = max(alone, key=lambda part: sum(1 for _ in part.initial_states()))
    with suppress(EffortExceeded):
        seen: Any = view_of(hardest, engine="compiled", budget=run.budget, most_pairs=_MOST_PAIRS)
        try:
            found: SearchResult[Any] = array_bidirectional_search(
                seen, most=_MOST_COMPARED, in_all=_MOST_COMPARED, run=run.without_saving()
            )
            exceeded.lower_bound = found.lower_bound
        except EffortExceeded as stopped:
            exceeded.lower_bound = 0 if stopped.stopped is None else stopped.stopped.lower_bound
    raise exceeded


def factored_solver(
    seen: FactoredView[Any],
    options: PathOptions,
    run: Run,
    guides: dict[FactoredView[Any], RelaxedPlans],
    known: Sequence[Any] | None,
    **rounds: Any,
) -> tuple[Callable[..., SearchResult[Any]], list[Any], dict[str, Any], str | None]:
    """Return the solver for a view, its estimate if it takes one, its keywords, and the name of the heuristic.

    Who names no solver gets plans soon, and then better ones. Greedy search goes by relaxed plans, unless a heuristic
    is named; the `guides` are kept for other searches. An anytime search begins with the plan that is `known`; `rounds`
    are its own keywords.
    """
    from ..engine.factored.relaxed_plans import RelaxedPlans
    from ..heuristics.factored import factored_bounds

    name = options.solver
    if name == "auto":
        name = ANYTIME if options.heuristic == "auto" and not options.dominance else "astar"
    entry = SOLVERS[name]
    keywords: dict[str, Any] = {"run": run.without_saving()}
    if name == "greedy-best-first" and options.heuristic == "auto":
        return lazy_best_first_search, [RelaxedPlans(seen).by_cost], keywords, "relaxed-plan"
    if options.weight is not None:
        keywords["weight"] = options.weight
    if options.dominance:
        keywords["dominance"] = ListedDominance(seen)
    if not entry.informed:
        return entry.functions[Kind.SENSORLESS], [], keywords, None
    called = "none" if options.heuristic == "none" else "best"

    def bounds(view: FactoredView[Any], effort: int) -> Heuristic[Any]:
        return no_estimate if called == "none" else factored_bounds(view, run.tick, effort)

    def part(view: FactoredView[Any]) -> Part[Any, Any]:
        own = None if known is None else [action for action in known if action in view.number_of]
        guide = guides[view] = guides.get(view) or RelaxedPlans(view)
        both = guide.by_cost, guide.by_goals
        return Part(view, view.allow, partial(bounds, view), both, guide.towards, view.applies, own)

    if entry.factored:
        parts = [part(view) for view in seen.components]
        return entry.functions[Kind.SENSORLESS], [parts], keywords | rounds, called
    return entry.functions[Kind.SENSORLESS], [bounds(seen, _EFFORT)], keywords, called
