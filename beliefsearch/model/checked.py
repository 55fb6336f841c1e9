"""Checks of answers of authors' methods: states, percepts, costs, estimates, probabilities, rewards, pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..errors import ProblemError
from .base import Action, Cost, Number, Percept, State
from .canvas.drawing import Drawing
from .exact import exact
from .hooks import CodeHook, PlotHook, PotentialHook
from .problem import BeliefProblem
from .stochastic import StochasticProblem
from .values import as_number, in_stable_order, is_exact, is_hashable, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

PROBABILITIES_MISS = 1e-9
"""The most by which the sum of float probabilities may differ from 1."""
# The largest rounding error of a sum of float potentials.
_POTENTIALS_MISS = 1e-6


def refused(complaint: str, problem: object, method: str, *arguments: object) -> ProblemError:
    """Make the error about a wrong answer of `problem.method(*arguments)`; its message quotes the call."""
    return ProblemError(f"{type(problem).__name__}.{method}({', '.join(map(repr, arguments))}) {complaint}")


def checked_states(
    answer: Iterable[State], tick: Callable[[], None], problem: object, method: str, *arguments: object
) -> Iterator[State]:
    """Yield the states in the author's `answer` to a call of `method`; raises `ProblemError`, which quotes the call."""
    if type(answer) is not tuple and type(answer) is not list:  # nearly all answers are one or the other
        # A lone string is iterable, but it is nearly always a state whose brackets were forgotten.
        if isinstance(answer, str) or not isinstance(answer, Iterable):
            complaint = f"gave {answer!r}; it must give a collection of states, such as [state]"
            raise _refused_states(complaint, problem, method, *arguments)
        answer = in_stable_order(answer)
    empty = True
    for state in answer:
        empty = False
        tick()
        try:  # `is_hashable`, inlined in this hot loop
            hash(state)
        except TypeError:
            complaint = f"gave {state!r}, which is not hashable; use strings, tuples or frozensets"
            raise _refused_states(complaint, problem, method, *arguments) from None
        yield state
    if empty:
        raise _refused_states("gave no state; there must be at least one", problem, method, *arguments)


def _refused_states(complaint: str, problem: object, method: str, *arguments: object) -> ProblemError:
    one = method.removesuffix("s")  # the author of a `Problem` wrote `result` and `initial_state`
    return refused(complaint, problem, one if hasattr(problem, one) else method, *arguments)


def checked_percepts(answer: Any, problem: object, *arguments: object) -> tuple[Any, ...]:
    """Return the percepts in the author's `answer` to `percepts(*arguments)`.

    Raises `ProblemError` unless they are hashable and at least one: without a percept no state would be possible.
    """
    if type(answer) is tuple and answer and is_hashable(answer):  # then all its members are hashable
        return answer
    if isinstance(answer, str) or not isinstance(answer, Iterable):
        complaint = f"gave {answer!r}; it must give a collection of percepts, such as [percept]"
        raise refused(complaint, problem, "percepts", *arguments)
    percepts = tuple(in_stable_order(listed(answer)))
    if not percepts:
        complaint = "gave no percept, so no state would be possible; there must be at least one, such as None"
        raise refused(complaint, problem, "percepts", *arguments)
    if not all(map(is_hashable, percepts)):
        complaint = f"gave {percepts!r}, of which some are not hashable; use strings, tuples or frozensets"
        raise refused(complaint, problem, "percepts", *arguments)
    return percepts


def checked_cost(problem: BeliefProblem[State, Action, Any], state: State, action: Action) -> Cost:
    """Return `written_cost` without rounding: whole, or a fraction, also of a float (see `exact`)."""
    cost = problem.action_cost(state, action)
    if type(cost) is int and cost >= 0:  # the usual case, quickly
        return cost
    return exact_cost(problem, state, action, cost)


def exact_cost(problem: BeliefProblem[State, Action, Any], state: State, action: Action, given: Any) -> Cost:
    """Return the cost `given` by `action_cost`, checked and without rounding."""
    cost = _finite_cost(problem, state, action, given)
    try:
        found: Cost = exact(cost)
    except (TypeError, ValueError):
        complaint = f"gave {cost!r}; a cost must be a float, a whole number or a Fraction"
        raise refused(complaint, problem, "action_cost", state, action) from None
    return found


def written_cost(problem: BeliefProblem[State, Action, Any], state: State, action: Action) -> Cost:
    """Return `problem.action_cost(state, action)`; raises `ProblemError` unless it is finite and not negative."""
    return _finite_cost(problem, state, action, problem.action_cost(state, action))


def _finite_cost(problem: BeliefProblem[State, Action, Any], state: State, action: Action, given: Any) -> Cost:
    cost: Cost = as_number(given)
    if not _is_at_least_0(cost) or cost == math.inf:
        complaint = f"gave {cost!r}; a cost must be a finite number that is not negative"
        raise refused(complaint, problem, "action_cost", state, action)
    return cost


def _is_at_least_0(value: Any) -> bool:
    """Whether a value is a number that is not negative, and not NaN."""
    try:
        return bool(value >= 0)
    except TypeError:
        return False


def checked_estimate(
    problem: BeliefProblem[State, Any, Any], state: State, heuristic: Callable[[State], Cost] | None = None
) -> Cost:
    """Return `heuristic(state)`, by default the problem's own; raises `ProblemError` if negative, NaN or no number."""
    value: Cost = (heuristic or problem.heuristic)(state)
    if (type(value) is int or type(value) is float) and value >= 0:  # the usual case, quickly
        return value
    if heuristic is None:
        return _not_negative(value, "an estimate", lambda: f"{type(problem).__name__}.heuristic({state!r})")
    return _not_negative(value, "an estimate", lambda: f"for state {problem.format_state(state)} the heuristic")


def checked_potential(problem: PotentialHook[State], state: State) -> Cost:
    """Return `problem.potential(state)`, checked to be a potential; raises as `checked_estimate` does."""
    value = problem.potential(state)
    return _not_negative(value, "a potential", lambda: f"{type(problem).__name__}.potential({state!r})")


def combined_estimate(largest: Cost, total: Cost, unit_costs: bool) -> Cost:
    """Return the larger of two estimates of a belief: the largest heuristic of its states, and their sum of potentials.

    With unit costs the sum is rounded up to a whole number, less the rounding error that floats may have.
    """
    if unit_costs and total < math.inf:
        total = math.ceil(total - _POTENTIALS_MISS)
    return max(largest, total)


def checked_outcomes(
    problem: StochasticProblem[State, Action, Any], state: State, action: Action
) -> tuple[tuple[Number, State], ...]:
    """Return `problem.outcomes(state, action)` without those of probability 0, checked to be outcomes.

    Raises `ProblemError` if a probability is negative or no number, if they do not sum to 1 (exactly, unless there is a
    float among them), or if a state is not hashable.
    """
    return _distribution(problem.outcomes(state, action), "state", problem, "outcomes", state, action)


def checked_initial_distribution(problem: StochasticProblem[State, Any, Any]) -> tuple[tuple[Number, State], ...]:
    """Return `problem.initial_distribution()`, checked as `checked_outcomes` does."""
    return _distribution(problem.initial_distribution(), "state", problem, "initial_distribution")


def checked_percept_distribution(
    problem: StochasticProblem[State, Action, Percept], state: State, action: Action
) -> tuple[tuple[Number, Percept], ...]:
    """Return `problem.percept_distribution(state, action)`, checked as `checked_outcomes` does."""
    answer = problem.percept_distribution(state, action)
    return _distribution(answer, "percept", problem, "percept_distribution", state, action)


def checked_percept_row(
    problem: StochasticProblem[State, Any, Percept], row: Iterable[tuple[Number, Percept]]
) -> tuple[tuple[Number, Percept], ...]:
    """Return a row of `problem.arrays()`, checked as `checked_outcomes` does."""
    return _distribution(row, "percept", problem, "arrays")


def _distribution(
    answer: Any, what: str, problem: object, method: str, *arguments: object
) -> tuple[tuple[Number, Any], ...]:
    """Return the pairs of positive probability in the `answer` to a call of `method`; a pair is (number, `what`).

    Raises `ProblemError`, which quotes the call.
    """

    def complain(complaint: str) -> ProblemError:
        return refused(f"gave {complaint}", problem, method, *arguments)

    if isinstance(answer, str) or not isinstance(answer, Iterable):
        raise complain(f"{answer!r}; it must give pairs (probability, {what})")
    if type(answer) is list and len(answer) == 1 and type(answer[0]) is tuple and len(answer[0]) == 2:
        written, value = answer[0]  # a certain outcome is the usual case, and quickly checked
        if type(written) in (int, Fraction) and written == 1 and is_hashable(value):
            return ((written, value),)
    total: Any = 0
    pairs = []
    for pair in in_stable_order(answer):
        try:
            written, value = pair
        except (TypeError, ValueError):
            raise complain(f"{pair!r}, which is no pair (probability, {what})") from None
        probability: Any = as_number(written)
        if not is_exact(probability) and type(probability) is not float:
            raise complain(f"the probability {written!r}; it must be a float, a whole number or a Fraction")
        if not probability >= 0:  # also catches NaN
            raise complain(f"the probability {probability}, which is not between 0 and 1")
        if not is_hashable(value):
            raise complain(f"{value!r}, which is not hashable; use strings, tuples or frozensets")
        total += probability
        if probability:
            pairs.append((probability, value))
    if not (total == 1 if is_exact(total) else abs(total - 1) <= PROBABILITIES_MISS):
        raise complain(f"probabilities that sum to {total}, not 1")
    return tuple(pairs)


def checked_reward(problem: StochasticProblem[State, Action, Any], state: State, action: Action) -> Number:
    """Return `problem.reward(state, action)`; raises `ProblemError` unless it is a finite number."""
    return _finite(problem.reward(state, action), lambda: f"{type(problem).__name__}.reward({state!r}, {action!r})")


def checked_discount(problem: StochasticProblem[Any, Any, Any]) -> Number:
    """Return `problem.discount()`; raises `ProblemError` unless it is above 0 and at most 1, and goes with the rest."""
    value = _finite(problem.discount(), lambda: f"{type(problem).__name__}.discount()")
    if not 0 < value <= 1:
        raise refused(f"gave {value}; a discount is above 0 and at most 1", problem, "discount")
    if problem.allows_improper() and (value < 1 or problem.sees_state()):
        raise refused("is for problems whose state is not seen, and without a discount", problem, "allows_improper")
    return value


def checked_utility(problem: StochasticProblem[State, Any, Any], state: State) -> Number:
    """Return `problem.utility(state)`; raises `ProblemError` unless it is a finite number."""
    return _finite(problem.utility(state), lambda: f"{type(problem).__name__}.utility({state!r})")


def _finite(given: Any, call: Callable[[], str]) -> Number:
    value: Number = as_number(given)
    if not is_exact(value) and not (type(value) is float and math.isfinite(value)):
        raise ProblemError(f"{call()} gave {value!r}; it must be a finite number")
    return value


def checked_plot_labels(problem: StochasticProblem[Any, Any]) -> tuple[str, str, str]:
    """Return `problem.plot_labels()`, checked to be three texts; raises `ProblemError` if not.

    Without a `PlotHook` the axes have no labels.
    """
    if not isinstance(problem, PlotHook):
        return "", "", "expected utility"
    answer: Any = problem.plot_labels()
    if isinstance(answer, (tuple, list)) and len(answer) == 3 and all(isinstance(label, str) for label in answer):
        across, up, value = answer
        return across, up, value
    complaint = "it must give three texts: what pictures write across, up, and beside the value of a state"
    raise refused(f"gave {answer!r}; {complaint}", problem, "plot_labels")


def checked_drawing(problem: Any, method: str, value: Any, *, may_be_none: bool = False) -> Drawing | None:
    """Return the drawing `problem.method(value)`, where `method` is `svg_state`, `svg_action` or `svg_belief`.

    Raises `ProblemError`, which names the method, if the answer is no drawing, or a shape in it is refused.
    """
    try:
        answer: Any = getattr(problem, method)(value)
        if isinstance(answer, Drawing):
            return Drawing.plain(answer)
    except ValueError as error:
        raise ProblemError(f"{type(problem).__name__}.{method}({value!r:.200}): {error}") from error
    if answer is None and may_be_none:
        return None
    forgotten = " (was a return forgotten?)" if answer is None else ""
    raise ProblemError(
        f"{type(problem).__name__}.{method}({value!r:.200}) gave {answer!r:.80}; it must give a Drawing{forgotten}"
    )


def asked_of_codes(problem: CodeHook[Any, Any], method: str, codes: NDArray[Any], *more: Any) -> Any:
    """Return `problem.method(codes, *more)`; raises `ProblemError` if it would change the codes."""
    given = codes.view()
    given.flags.writeable = False
    try:
        return getattr(problem, method)(given, *more)
    except Exception as error:
        if "read-only" in str(error) or "readonly" in str(error):  # the words of NumPy and of Numba
            raise ProblemError(
                f"{type(problem).__name__}.{method}() changes the codes that it is given; it must work on a copy"
            ) from error
        raise


def checked_text(problem: Any, method: str, value: Any) -> str:
    """Return the text `problem.method(value)`; raises `ProblemError` if it is no text."""
    answer: Any = getattr(problem, method)(value)
    if isinstance(answer, str):
        return answer
    raise ProblemError(f"{type(problem).__name__}.{method}({value!r:.200}) gave {answer!r:.80}; it must give text")


def _not_negative(value: Cost, thing: str, call: Callable[[], str]) -> Cost:
    value = as_number(value)
    if not _is_at_least_0(value):
        raise ProblemError(f"{call()} gave {value!r}; {thing} must be a number that is not negative")
    return value
