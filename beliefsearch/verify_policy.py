"""The checker of saved policies: asks the problem itself, and trusts nothing that produced the file.

It stands on `problem.py` and `encoding.py` alone, uses no solver, no arrays of the author's and no symmetry
(`canonical`), and solves nothing: it only compares.

Why that suffices. Let v be the values in the file, with the utility for terminal states, and suppose that in
every state that can come up

1. no action is worth more than v(state), when what may follow it is worth v;
2. the action in the file is worth v(state);
3. along the actions in the file a terminal state can be reached.

By 3 the game ends with certainty under the policy: from every state it does so within n steps with at least
some probability, n being the number of states. By 2 the expected v never changes under the policy, and at
the end it is the expected utility; so v is what the policy attains. By 1 the expected v never rises under
any way of playing, so nobody whose game ends with certainty can expect more.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic

from attrs import frozen

from .checked import checked_outcomes, checked_utility
from .encoding import encode_action, encode_state
from .errors import InvalidPlanError
from .problem import Action, State, StochasticProblem
from .values import is_exact

if TYPE_CHECKING:
    from .problem import Number

__all__ = ["PolicyCheck", "check_policy_file", "number_from_json"]

# Floats may miss an equation by this share of the largest utility. A game of m steps on average then has a
# value that is right up to m times as much.
_TOLERANCE = 1e-9


@frozen
class PolicyCheck:
    """What checking a policy showed.

    Attributes
    ----------
    holds
        Whether the policy is the best one, and worth what it says.
    complaint
        If not: what is wrong, and in which state.
    states
        How many states with a choice can come up.
    value
        What the policy says the game is worth.
    exact
        Whether all numbers were compared exactly.
    """

    holds: bool
    complaint: str
    states: int
    value: Number
    exact: bool


def check_policy_file(
    problem: StochasticProblem[State, Action], plan: Mapping[str, Any], claimed_value: object
) -> PolicyCheck:
    """Check a policy as it stands in a plan file.

    Parameters
    ----------
    problem
        Whose policy it is.
    plan
        The field `plan`: its `states` are triples of a state, an action and a value.
    claimed_value
        The field `value`.

    Raises
    ------
    InvalidPlanError
        If the file cannot be read as a policy.
    ProblemError
        If the problem breaks its contract.

    Notes
    -----
    Every state that can come up by any action is visited once; time is linear in the number of outcomes.
    """
    return _Check(problem, plan).run(number_from_json(claimed_value, "value"))


def number_from_json(written: object, where: str) -> Number:
    """A number as it stands in a file: a fraction is text such as `-3/4`.

    Raises
    ------
    InvalidPlanError
        If it is no finite number; names `where`.
    """
    if type(written) is int or (type(written) is float and math.isfinite(written)):
        return written
    if isinstance(written, str) and re.fullmatch(r"-?\d+(/0*[1-9]\d*)?", written, re.ASCII):
        with suppress(ValueError):  # more digits than Python reads
            return Fraction(written)
    raise InvalidPlanError(f"{where} is {written!r:.40}, which is no number")


class _Check(Generic[State, Action]):
    """The entries of the file by state, and the walk through all states that can come up."""

    def __init__(self, problem: StochasticProblem[State, Action], plan: Mapping[str, Any]) -> None:
        self._problem = problem
        entries = plan.get("states")
        if not isinstance(entries, list):
            raise InvalidPlanError(f"the field 'states' of its plan should be a list, but is {entries!r:.40}")
        self._entries: dict[str, tuple[str, Number]] = {}
        for place, entry in enumerate(entries, 1):
            if not isinstance(entry, list) or len(entry) != 3:
                raise InvalidPlanError(f"entry {place} of its policy is {entry!r:.40}, not [state, action, value]")
            state, action, value = entry
            key = json.dumps(state)
            if key in self._entries:
                raise InvalidPlanError(f"its policy has two entries for the state {key:.80}")
            self._entries[key] = json.dumps(action), number_from_json(value, f"the value of the state {key:.80}")
        self._values: dict[State, Number] = {}
        self._complaint = ""

    def run(self, claimed: Number) -> PolicyCheck:
        problem = self._problem
        start = problem.initial_state()
        states: list[State] = []
        self._meet(start, states)
        chosen: dict[State, list[State]] = {}
        gaps: list[tuple[State, str, Number]] = []
        for state in states:  # grows while it is walked
            if not problem.is_terminal(state):
                chosen[state] = self._compare(state, states, gaps)
        exact = all(map(is_exact, self._values.values())) and all(is_exact(gap) for _, _, gap in gaps)
        if not self._complaint:
            self._complaint = (
                self._first_gap(gaps, exact)
                or self._endless(chosen)
                or self._left_over()
                or ("" if claimed == self._values[start] else self._wrong_claim(claimed, self._values[start]))
            )
        return PolicyCheck(not self._complaint, self._complaint, len(chosen), claimed, exact)

    def _name(self, state: State) -> str:
        return self._problem.format_state(state)

    def _complain(self, complaint: str) -> None:
        self._complaint = self._complaint or complaint

    def _meet(self, state: State, states: list[State]) -> None:
        """Note a state that can come up, and what the file says it is worth."""
        if state in self._values:
            return
        states.append(state)
        if self._problem.is_terminal(state):
            self._values[state] = checked_utility(self._problem, state)
            return
        entry = self._entries.get(self._key(state))
        if entry is None:
            self._complain(f"it says nothing about the state {self._name(state)}, which can come up")
        self._values[state] = 0 if entry is None else entry[1]

    def _key(self, state: State) -> str:
        return json.dumps(encode_state(self._problem, state))

    def _compare(self, state: State, states: list[State], gaps: list[tuple[State, str, Number]]) -> list[State]:
        """What the file says of a state, by 1 and 2 above; gives what may follow by its action."""
        problem = self._problem
        written = self._entries.get(self._key(state), ("", 0))[0]
        followers: list[list[State]] = []
        for action in problem.actions(state):
            outcomes = checked_outcomes(problem, state, action)
            worth: Any = 0
            for probability, result in outcomes:
                self._meet(result, states)
                worth += probability * self._values[result]
            name = problem.format_action(action)
            if json.dumps(encode_action(problem, action)) == written:
                followers.append([result for _, result in outcomes])
                gaps.append((state, f"{name} is worth {_text(worth)} there", abs(worth - self._values[state])))
            else:
                gaps.append((state, f"{name} is worth {_text(worth)} there", max(worth - self._values[state], 0)))
        if len(followers) != 1:
            some = "more than one action is" if followers else "no action that applies is"
            self._complain(f"in the state {self._name(state)} {some} written {written or 'so'}")
            return []
        return followers[0]

    def _first_gap(self, gaps: list[tuple[State, str, Number]], exact: bool) -> str:
        problem = self._problem
        worth: list[Any] = [abs(value) for state, value in self._values.items() if problem.is_terminal(state)]
        allowed: Any = 0 if exact else _TOLERANCE * max(worth, default=0)
        for state, told, gap in gaps:
            if not gap <= allowed:
                return f"it says that the state {self._name(state)} is worth {_text(self._values[state])}, but {told}"
        return ""

    def _endless(self, chosen: Mapping[State, list[State]]) -> str:
        """A state from which the policy never ends the game; nothing if there is none."""
        before: dict[State, list[State]] = {}
        for state, followers in chosen.items():
            for result in followers:
                before.setdefault(result, []).append(state)
        frontier = [state for state in self._values if state not in chosen]
        ends = set(frontier)
        for result in frontier:  # grows while it is walked: backwards from the terminal states
            for state in before.get(result, ()):
                if state not in ends:
                    ends.add(state)
                    frontier.append(state)
        stuck = next((state for state in chosen if state not in ends), None)
        return "" if stuck is None else f"from the state {self._name(stuck)} on, its actions never end the game"

    def _left_over(self) -> str:
        met = {self._key(state) for state in self._values if not self._problem.is_terminal(state)}
        extra = next((key for key in self._entries if key not in met), None)
        return (
            "" if extra is None else f"it has an entry for {extra:.80}, where nothing is chosen or which cannot come up"
        )

    def _wrong_claim(self, claimed: Number, value: Number) -> str:
        return f"it says that the game is worth {_text(claimed)}, but its policy begins with {_text(value)}"


def _text(number: Number) -> str:
    text = str(number)
    return text if len(text) <= 40 else f"{text[:37]}..."
