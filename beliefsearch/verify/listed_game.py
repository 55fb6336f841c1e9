"""Listed games: what every action does in every state, in numbers, for checkers that know nothing of the puzzle.

The format is specified in docs/certificate-format.md. The listing asks the problem's own methods by the definition in
`model.belief` and `model.checked`; `canonical` and the hooks have no say.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Generic, TypeVar

from attrs import define, field

from ..errors import ProblemError
from ..kinds import is_stochastic
from ..model.belief import initial_states, perceived, successors
from ..model.checked import (
    checked_cost,
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
)
from ..model.values import is_exact
from ..plans.encoding import encode_action, encode_percept, encode_state

Item = TypeVar("Item", bound=Hashable)

MOST_ROWS = 10_000_000
"""A game with more results than this is not listed: its file would be larger than a gigabyte."""

UNLIMITED = 10**15
"""In memory a game is listed as far as that goes."""


MOST_STARTS = 1_000_000
"""A game that may begin in more states is not listed."""


def too_large(why: str) -> ProblemError:
    """The error that a game is too large to be listed."""
    return ProblemError(f"the game has {why}, too many to be listed; `verify` checks a proof without a list")


def written(number: Any) -> int | str | None:
    """A number as these files have it: a whole number, a fraction as text, null for infinity."""
    if number == math.inf:
        return None
    if type(number) is int:
        return number
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else str(exact)


@define
class ListedGame:
    """A game in numbers, and whose numbers these are.

    `document` is what stands in the file; `states`, `actions` and `percepts` have the number of each by its JSON text,
    as plan files have it. `words` have the name of a number, by what it is the number of. Of a game of chance, `exact`
    is whether no number in it is a float, and `largest_utility` is of the states in which it is over.
    """

    document: dict[str, Any] = field(factory=dict)
    states: dict[str, int] = field(factory=dict)
    actions: dict[str, int] = field(factory=dict)
    percepts: dict[str, int] = field(factory=dict)
    words: Mapping[str, Callable[[int], str]] = field(factory=dict)
    exact: bool = True
    largest_utility: Fraction = Fraction(0)

    def named(self, message: object) -> str:
        """A message of the checker, with states, actions and percepts by their names."""
        return _NUMBERED.sub(lambda match: f"{match[1]} {self.words[match[1]](int(match[2]))}", str(message))


_NUMBERED = re.compile(r"\b(state|action|percept) (\d+)\b")


class Numbered(Generic[Item]):
    """Items, numbered in the order in which they are first asked for."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self.items: list[Item] = []
        self._numbers: dict[Item, int] = {}
        for item in items:
            self.number(item)

    def number(self, item: Item) -> int:
        """The number of an item."""
        found = self._numbers.setdefault(item, len(self.items))
        if found == len(self.items):
            self.items.append(item)
        return found


class _Named(Numbered[Any]):
    """Numbered states, actions or percepts, which have texts."""

    def __init__(self, name: str, text: Callable[[Any], Any]) -> None:
        super().__init__()
        self.name, self.text = name, text

    def texts(self) -> dict[str, int]:
        """Numbers by JSON text; two values that are written alike are an author's mistake."""
        found = {json.dumps(self.text(value)): number for number, value in enumerate(self.items)}
        if len(found) < len(self.items):
            raise ProblemError(f"two {self.name} of the problem are written alike, so no file can tell them apart")
        return found


def listed_game(problem: Any, tick: Callable[[], None] = lambda: None, most: int = MOST_ROWS) -> ListedGame:
    """List a problem: every state that can come up, and what every action does there.

    Raises
    ------
    ProblemError
        If there are more than `most` results, or the problem breaks its contract.
    """
    listing = (_Chances if is_stochastic(problem) else _Beliefs)(problem, tick, most)
    document = {"format": "beliefsearch-game", "version": 1, **listing.document()}
    numbered = listing.states, listing.actions, listing.percepts
    texts = [numbers.texts() for numbers in numbered]
    names = (list(map(json.loads, of_kind)) for of_kind in texts)
    document["names"] = dict(zip(("states", "actions", "percepts"), names, strict=True))
    shown = zip((problem.format_state, problem.format_action, problem.format_percept), numbered, strict=True)
    words = [lambda n, show=show, of=of: show(of.items[n]) for show, of in shown]
    named = dict(zip(("state", "action", "percept"), words, strict=True))
    states, actions, percepts = texts
    return ListedGame(document, states, actions, percepts, named, listing.exact, listing.largest_utility)


class _Listing:
    """Numbers of states, actions and percepts, and rows by action and state, of either kind of game."""

    exact = True
    largest_utility = Fraction(0)

    def __init__(self, problem: Any, tick: Callable[[], None], most: int) -> None:
        self.problem, self.tick, self.most = problem, tick, most
        self.states = _Named("states", lambda state: encode_state(problem, state))
        self.actions = _Named("actions", lambda action: encode_action(problem, action))
        self.percepts = _Named("percepts", lambda percept: encode_percept(problem, percept))
        self.rows: list[dict[int, Any]] = []  # by action and state
        self.size = 0

    def walk(self, starts: Iterable[Any], row: Callable[[Any, Any], Any]) -> None:
        """Ask for the row of every action in every state that can come up."""
        for state in starts:
            self.states.number(state)
        for at, state in enumerate(self.states.items):  # grows while it is walked
            for action in dict.fromkeys(self.problem.actions(state)):
                self.tick()
                number = self.actions.number(action)
                if number == len(self.rows):
                    self.rows.append({})
                found = self.rows[number][at] = row(state, action)
                self.size += len(found)
                if self.size > 2 * self.most:
                    raise too_large(f"more than {self.most:,} results")

    def by_state(self) -> Iterator[list[Any]]:
        """Yield, for each action, the rows of all states."""
        return ([of_action.get(s) for s in range(len(self.states.items))] for of_action in self.rows)


class _Beliefs(_Listing):
    def document(self) -> dict[str, Any]:
        """The game of a plain, sensorless or contingent problem."""
        problem, blind = self.problem, self.problem.is_sensorless()
        costs: dict[tuple[int, int], Any] = {}

        def row(state: Any, action: Any) -> list[int]:
            costs[self.actions.number(action), self.states.number(state)] = written(
                checked_cost(problem, state, action)
            )
            found = []
            for result in dict.fromkeys(successors(problem, state, action, self.tick)):
                for percept in (None,) if blind else dict.fromkeys(perceived(problem, result, action)):
                    found += [self.states.number(result), self.percepts.number(percept)]
            return found

        most = min(self.most, MOST_STARTS)
        starts = tuple(dict.fromkeys(islice(initial_states(problem, self.tick), most + 1)))
        if len(starts) > most:
            raise too_large(f"more than {most:,} starts")
        self.walk(starts, row)
        count = len(self.states.items)
        actions = []
        for a, steps in enumerate(self.by_state()):
            if all(step is not None and len(step) == 2 for step in steps):
                entry = {"to": [step[0] for step in steps], "see": [step[1] for step in steps]}
            else:
                entry = {"steps": steps}
            paid = [costs.get((a, s)) for s in range(count)]
            if any(cost not in (1, None) for cost in paid):
                entry["costs"] = paid
            actions.append(entry)
        goals = [[s for s, state in enumerate(self.states.items) if state in goal] for goal in problem.goal_sets()]
        return {
            "kind": "beliefs",
            "states": count,
            "percepts": max(1, len(self.percepts.items)),
            "starts": [self.states.number(state) for state in starts],
            "goals": [goal for goal in goals if goal],
            "actions": actions,
        }


class _Chances(_Listing):
    """A stochastic problem: terminal states are left out, their utilities are in the rewards.

    Probabilities that are floats are the exact numbers that these stand for, divided by their sum.
    """

    def __init__(self, problem: Any, tick: Callable[[], None], most: int) -> None:
        super().__init__(problem, tick, most)
        self.discount = Fraction(checked_discount(problem))
        self.exact = is_exact(problem.discount())
        self.largest_utility = Fraction(0)
        self._utilities: dict[Any, Fraction | None] = {}
        self._known: dict[tuple[Any, ...], tuple[int, list[int]]] = {}  # most actions have the same few probabilities

    def document(self) -> dict[str, Any]:
        problem = self.problem
        observed = not problem.sees_state()
        nothing_seen = 1, {self.percepts.number(None): 1} if not observed else {}

        def row(state: Any, action: Any) -> list[Any]:
            total, going_on, utility = self._split(checked_outcomes(problem, state, action))
            seen = [self._seen(result, action) if observed else nothing_seen for result in going_on]
            unit = math.lcm(1, *(of for of, _ in seen)) if observed else 1
            flat: list[int] = []
            for (result, weight), (of, weights) in zip(going_on.items(), seen, strict=True):
                number, share = self.states.number(result), weight * (unit // of)
                for percept, chance in weights.items():
                    flat += (number, percept, share * chance)
            shared = math.gcd(total * unit, *flat[2::3])
            if shared > 1:
                flat[2::3] = [weight // shared for weight in flat[2::3]]
            reward = checked_reward(problem, state, action)
            self.exact = self.exact and is_exact(reward)
            if utility:
                reward = Fraction(reward) + self.discount * utility
            return [written(reward), total * unit // shared, *flat]

        of, going_on, start_value = self._split(checked_initial_distribution(problem))
        self.walk(going_on, row)
        for s, state in enumerate(self.states.items):
            if not any(s in rows for rows in self.rows):
                raise ProblemError(f"{type(problem).__name__}.actions({state!r}) gave none, and it is not terminal")
        return {
            "kind": "chance",
            "states": len(self.states.items),
            "percepts": max(1, len(self.percepts.items)),
            "seen": not observed,
            "discount": written(self.discount),
            "start": [[self.states.number(s), written(Fraction(weight, of))] for s, weight in going_on.items()],
            "start_value": written(start_value),
            "actions": list(self.by_state()),
        }

    def _split(self, pairs: Sequence[tuple[Any, Any]]) -> tuple[int, dict[Any, int], Fraction]:
        """The sum of whole weights, those of the states that go on, and the mean utility of the others."""
        total, weights = self._whole(pairs)
        going_on: dict[Any, int] = {}
        mean: Any = 0
        for weight, (_, state) in zip(weights, pairs, strict=True):
            if state not in self._utilities:
                self._utilities[state] = self._utility(state)
            utility = self._utilities[state]
            if utility is None:
                if weight:
                    going_on[state] = going_on.get(state, 0) + weight
            elif utility:
                mean += weight * utility
        return total, going_on, Fraction(mean, total)

    def _utility(self, state: Any) -> Fraction | None:
        """The utility of a state in which the game is over; None if it goes on."""
        if not self.problem.is_terminal(state):
            return None
        utility = checked_utility(self.problem, state)
        self.exact = self.exact and is_exact(utility)
        self.largest_utility = max(self.largest_utility, abs(Fraction(utility)))
        return Fraction(utility)

    def _seen(self, state: Any, action: Any) -> tuple[int, dict[int, int]]:
        """The sum of whole weights, and those of the percepts that may come on arriving in a state."""
        pairs = checked_percept_distribution(self.problem, state, action)
        total, weights = self._whole(pairs)
        found: dict[int, int] = {}
        for weight, (_, percept) in zip(weights, pairs, strict=True):
            if weight:
                number = self.percepts.number(percept)
                found[number] = found.get(number, 0) + weight
        return total, found

    def _whole(self, pairs: Sequence[tuple[Any, Any]]) -> tuple[int, list[int]]:
        """Whole numbers in the same proportion as probabilities, and their sum."""
        key = tuple(chance for chance, _ in pairs)
        self.exact = self.exact and all(map(is_exact, key))
        if key not in self._known:
            shares = list(map(Fraction, key))
            unit = math.lcm(*(share.denominator for share in shares))
            weights = [share.numerator * (unit // share.denominator) for share in shares]
            self._known[key] = sum(weights), weights
        return self._known[key]
