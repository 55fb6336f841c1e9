"""Listed games: what every action does in every state, in numbers, for checkers that know nothing of the puzzle.

The format is specified in docs/certificate-format.md. The listing asks the problem's own methods by the definition in
`model.belief` and `model.checked`; `canonical` and the hooks have no say.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Iterable, Iterator
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
from ..plans.encoding import encode_action, encode_percept, encode_state

Item = TypeVar("Item", bound=Hashable)

MOST_ROWS = 10_000_000
"""A game with more results than this is not listed: its file would be larger than a gigabyte."""


MOST_STARTS = 1_000_000
"""A game that may begin in more states is not listed."""


def too_large(why: str) -> ProblemError:
    """The error that a game is too large to be listed."""
    return ProblemError(f"the game has {why}, too many to be listed; `verify` checks a proof without a list")


def written(number: Any) -> int | str | None:
    """A number as these files have it: a whole number, a fraction as text, null for infinity."""
    if number == math.inf:
        return None
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else str(exact)


@define
class ListedGame:
    """A game in numbers, and whose numbers these are.

    `document` is what stands in the file; `states`, `actions` and `percepts` have the number of each by its JSON text,
    as plan files have it.
    """

    document: dict[str, Any] = field(factory=dict)
    states: dict[str, int] = field(factory=dict)
    actions: dict[str, int] = field(factory=dict)
    percepts: dict[str, int] = field(factory=dict)


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
    texts = [numbers.texts() for numbers in (listing.states, listing.actions, listing.percepts)]
    names = (list(map(json.loads, of_kind)) for of_kind in texts)
    document["names"] = dict(zip(("states", "actions", "percepts"), names, strict=True))
    return ListedGame(document, *texts)


class _Listing:
    """Numbers of states, actions and percepts, and rows by action and state, of either kind of game."""

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

    def document(self) -> dict[str, Any]:
        problem = self.problem
        observed = problem.overrides("percept_distribution")
        discount = Fraction(checked_discount(problem))

        def row(state: Any, action: Any) -> list[Any]:
            after, utility = self._split(checked_outcomes(problem, state, action))
            shares: dict[tuple[int, int], Fraction] = {}
            for share, result in after:
                seen = list(checked_percept_distribution(problem, result, action)) if observed else [(1, None)]
                total = sum(Fraction(chance) for chance, _ in seen)
                for chance, percept in seen:
                    key = self.states.number(result), self.percepts.number(percept)
                    shares[key] = shares.get(key, Fraction(0)) + share * Fraction(chance) / total
            unit = math.lcm(1, *(share.denominator for share in shares.values()))
            reward = Fraction(checked_reward(problem, state, action)) + discount * utility
            flat = [number for (t, o), share in shares.items() if share for number in (t, o, int(share * unit))]
            return [written(reward), unit, *flat]

        start, start_value = self._split(checked_initial_distribution(problem))
        self.walk((state for _, state in start), row)
        chances: dict[int, Fraction] = {}
        for share, state in start:
            chances[self.states.number(state)] = chances.get(self.states.number(state), Fraction(0)) + share
        return {
            "kind": "chance",
            "states": len(self.states.items),
            "percepts": max(1, len(self.percepts.items)),
            "seen": not observed,
            "discount": written(discount),
            "start": [[state, written(share)] for state, share in chances.items()],
            "start_value": written(start_value),
            "actions": list(self.by_state()),
        }

    def _split(self, pairs: Iterable[tuple[Any, Any]]) -> tuple[list[tuple[Fraction, Any]], Fraction]:
        """Return the states that go on with their shares, and the mean utility of the others."""
        known = [(Fraction(chance), state) for chance, state in pairs]
        total = sum((chance for chance, _ in known), Fraction(0))
        go_on, utility = [], Fraction(0)
        for chance, state in known:
            if self.problem.is_terminal(state):
                utility += chance / total * Fraction(checked_utility(self.problem, state))
            elif chance:
                go_on.append((chance / total, state))
        return go_on, utility
