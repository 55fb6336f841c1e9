"""What the commands do with a stochastic problem; each sends it here."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from ...errors import BeliefSearchError, InvalidPlanError
from ...plans.wording import MOST_DIGITS, plural, value_text
from .. import HOLDS, SOLVED, UNDECIDED
from ..output import check_writable, emit, message, write_file
from ..problem_command import Chosen
from ..search_options import SearchOptions

if TYPE_CHECKING:
    from ...plans.policy import Policy, PolicyResult
    from .games import GamesWriter

__all__ = [
    "best_actions_lines",
    "policy_for",
    "run_chance",
    "simulate_chance",
    "solve_chance",
    "solving",
    "watch_chance",
]

_MOST_ROWS = 40
_MOST_SETS = 6
_MOST_NAMES = 4


def solve_chance(chosen: Chosen, search: SearchOptions) -> PolicyResult[Any, Any]:
    """Solve the chosen stochastic problem, showing progress on standard error."""
    with solving(chosen, search) as solve:
        return solve(chosen.problem)


@contextmanager
def solving(chosen: Chosen, search: SearchOptions) -> Iterator[Callable[[Any], PolicyResult[Any, Any]]]:
    """A function that solves problems of the chosen class, all within the limits of the command."""
    from ...solving.stochastic import solve_stochastic
    from ..progress import Progress

    for option, unused in {
        "--heuristic": search.heuristic == "auto",
        "--weight": search.weight is None,
        "--dominance": not search.dominance,
        "--engine": search.engine == "auto",
        "--objective": search.objective == "worst",
    }.items():
        if not unused:
            raise BeliefSearchError(f"{option} plays no part in a stochastic problem such as {chosen.reference}")
    if search.solver == "construct":
        raise BeliefSearchError(f"{chosen.reference} is a stochastic problem, and nobody knows a closed form of it")
    sys.set_int_max_str_digits(MOST_DIGITS)
    solver = "auto" if search.solver == "search" else search.solver
    with Progress(search.quiet) as progress:

        def solve(problem: Any) -> PolicyResult[Any, Any]:
            return solve_stochastic(problem, solver=solver, budget=chosen.budget, observer=progress)

        yield solve


def policy_for(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Policy[Any, Any] | None:
    """The policy to play: from a file, or the best one; None, with the verdict printed, if none was found."""
    if plan_file is None:
        result = solve_chance(chosen, search)
        if result.value is None:
            emit(_verdict(chosen, result))
            return None
        return result.policy
    from ...plans.file import read_plan_file
    from ...plans.policy_file import policy_from_plan
    from ..plans import demand_made_for

    sys.set_int_max_str_digits(MOST_DIGITS)
    file = read_plan_file(plan_file)
    demand_made_for(plan_file, file, chosen)
    try:
        problem: Any = chosen.problem
        return policy_from_plan(file.plan if isinstance(file.plan, dict) else {}, problem)
    except InvalidPlanError as error:
        raise InvalidPlanError(f"{str(plan_file)!r} cannot be used: {error}") from error


def run_chance(
    chosen: Chosen,
    search: SearchOptions,
    form: str,
    output: Path | None,
    certificate: Path | None,
    unused: dict[str, bool],
) -> int:
    """`run`: the value and the policy. A saved policy is its own certificate."""
    for option, is_given in unused.items():
        if is_given:
            raise BeliefSearchError(f"{option} plays no part in a stochastic problem such as {chosen.reference}")
    check_writable(output)
    check_writable(certificate)
    if form == "json" or output is not None or certificate is not None:
        chosen.check_can_be_saved()
    result = solve_chance(chosen, search)
    if output is not None or certificate is not None or form == "json":
        from ...plans.policy_file import policy_document

        problem: Any = chosen.problem
        document = policy_document(
            result, problem, name=chosen.reference, parameters=chosen.parameters, data_files=chosen.data_files
        )
        for path in (output, certificate):
            if path is not None:
                write_file(path, json.dumps(chosen.as_saved(document, path)) + "\n")
        if form == "json":
            emit(json.dumps(document))
    if form != "json":
        emit(_result_text(chosen, result))
    return UNDECIDED if result.value is None else SOLVED


def _verdict(chosen: Chosen, result: PolicyResult[Any, Any]) -> str:
    if result.value is None:
        known = 0 if result.policy is None else len(result.policy)
        return f"{chosen.title}: undecided, {result.reason}; the values of {known:,} states are known"
    return f"{chosen.title}: value {value_text(result.value)}"


def _result_text(chosen: Chosen, result: PolicyResult[Any, Any]) -> str:
    lines = [_verdict(chosen, result), ""]
    problem: Any = chosen.problem
    if result.value is not None and result.policy is not None:
        start = problem.initial_state()
        if problem.is_terminal(start):
            lines += [f"The game is over at the start, {problem.format_state(start)}.", ""]
        else:
            lines += [*_policy_lines(problem, result.policy, ends_anyway=result.solver == "backward-induction"), ""]
    stats = result.stats
    size = f"{plural(stats.reached, 'state')}, {plural(stats.generated, 'outcome')}"
    lines.append(f"{result.solver}: {size}, {stats.seconds:.2f} s")
    return "\n".join(lines)


def _policy_lines(problem: Any, policy: Policy[Any, Any], *, ends_anyway: bool) -> list[str]:
    """The first action, and how often which actions are best; `ends_anyway`: whatever is done, the game ends."""
    start = problem.initial_state()
    # Where the game may come back to a state, an action of the same value may be one that never ends it.
    best_here = policy.best_actions(problem, start) if ends_anyway else [policy.action(start)]
    name = " or ".join(map(problem.format_action, best_here))
    return [f"At the start, {problem.format_state(start)}: {name}", *best_actions_lines(problem, policy)]


def simulate_chance(
    chosen: Chosen, search: SearchOptions, plan_file: Path | None, games: int, seed: int | None, writer: GamesWriter
) -> int:
    """`simulate`: many games, their mean utility, and how many ended with which."""
    from ...games.policy import simulate_policy
    from .games import GamesProgress, GamesResult
    from .report import bars

    problem: Any = chosen.problem
    policy = policy_for(chosen, search, plan_file)
    if policy is None:
        return UNDECIDED
    with GamesProgress(search.quiet, games) as progress:
        told = simulate_policy(problem, policy, games=games, seed=seed, tell=progress.tell, budget=chosen.budget)
    start = problem.initial_state()
    value = problem.utility(start) if problem.is_terminal(start) else policy.value(start)
    lines = []
    if told.games:
        lines = [
            f"{chosen.title}: {plural(told.games, 'game')}, {told.steps / told.games:.2f} actions on average",
            f"mean utility {told.mean:.6g}, standard error {told.standard_error:.2g}; the value is {float(value):.6g}",
            "",
            *bars(_gathered(told.utilities), heads=("utility", "games")),
        ]
    document = {
        "problem": chosen.reference,
        "parameters": dict(chosen.parameters),
        "seed": seed,
        "games": told.games,
        "actions": told.steps,
        "mean": told.mean if told.games else None,
        "standard_error": told.standard_error if told.games else None,
        "value": float(value),
        "utilities": {str(utility): count for utility, count in told.utilities.items()},
        "version": 1,
    }
    if told.games:
        writer.write(GamesResult(chosen.title, lines, document, told.utilities, ("utility", "games")))
    if told.games < games:
        message(f"{told.stopped}: {games - told.games:,} games were not played")
        return UNDECIDED
    return HOLDS


def _gathered(utilities: Any) -> dict[str, int]:
    """The histogram; many different utilities in intervals of equal length."""
    if len(utilities) <= _MOST_ROWS:
        return {str(utility): count for utility, count in utilities.items()}
    low, high = float(min(utilities)), float(max(utilities))
    width = (high - low) / (_MOST_ROWS // 2)
    rows = [0] * (_MOST_ROWS // 2)
    for utility, count in utilities.items():
        rows[min(int((float(utility) - low) / width), len(rows) - 1)] += count
    return {f"from {low + place * width:.6g}": count for place, count in enumerate(rows)}


def watch_chance(chosen: Chosen, search: SearchOptions, plan_file: Path | None, chance: Random) -> int:
    """`play --watch`: one game of the policy, a line for each action."""
    from ...games.policy import play_policy

    problem: Any = chosen.problem
    policy = policy_for(chosen, search, plan_file)
    if policy is None:
        return UNDECIDED
    state, steps = problem.initial_state(), 0
    emit(f"{0:4}  {'':6}  {problem.format_state(state)}")
    for before, action, state in play_policy(problem, policy, chance):  # the last state is told
        steps += 1
        told = problem.describe_step(before, action, state)
        gap = f"{told:6}  " if told else ""
        emit(f"{steps:4}  {problem.format_action(action):6}  {gap}{problem.format_state(state)}")
    emit(f"over after {plural(steps, 'action')}: utility {problem.utility(state)}")
    return HOLDS


def best_actions_lines(problem: Any, policy: Policy[Any, Any]) -> list[str]:
    """In how many states which actions are best."""
    from ...plans.policy_table import best_actions_of
    from ...plans.wording import plural

    found = best_actions_of(problem, policy)
    within = f" (up to rounding, {found.rounding:g} of the value)" if found.rounding and found.several else ""
    one = plural(found.one, "state")
    lines = [f"One action is best in {one}, several are equally good in {found.several:,}{within}:"]
    width = max(len(f"{count:,}") for count in found.sets.values())
    for actions, count in islice(found.sets.items(), _MOST_SETS):
        name = f"{problem.format_action(actions[0])} only" if len(actions) == 1 else _one_of(problem, actions)
        lines.append(f"  {count:>{width},}  {name}")
    if len(found.sets) > _MOST_SETS:
        more = len(found.sets) - _MOST_SETS
        lines.append(f"  ... and {more:,} more sets of actions; `run --output FILE` writes the whole policy")
    return lines


def _one_of(problem: Any, actions: Sequence[Any]) -> str:
    """`A or B`; of many actions the first few."""
    names = [problem.format_action(action) for action in actions[:_MOST_NAMES]]
    more = len(actions) - _MOST_NAMES
    return " or ".join(names) if more <= 0 else f"{', '.join(names)} or {more:,} more"
