"""Listed games: what every action does in every state, in numbers, for checkers that know nothing of the puzzle.

The format is specified in docs/certificate-format.md. The listing asks the problem's own methods by the definition in
`model.belief` and `model.checked`; `canonical` and the hooks have no say.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from attrs import define

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
from ..model.exact import exact
from ..model.values import is_exact
from ..plans.encoding import encode_action, encode_percept, encode_state
from .checker import MOST_DIGITS, MOST_WEIGHT, ChanceGame

Item = TypeVar("Item", bound=Hashable)

MOST_ROWS = 10_000_000
"""A game with more results than this is not listed: its file would be larger than a gigabyte."""

UNLIMITED = 10**15
"""In memory a game is listed as far as that goes."""


MOST_STARTS = 1_000_000
"""A game that may begin in more states is not listed."""


# Of numbers that a file may have: a digit has some more than three bits.
_MOST_BITS = 3 * MOST_DIGITS


def too_large(why: str) -> ProblemError:
    """The error that a game is too large to be listed."""
    return ProblemError(f"the game has {why}, too many to be listed; `verify` checks a proof without a list")


def written(number: Any) -> int | str | None:
    """A number as these files have it: a whole number, a fraction as text, null for infinity."""
    if number == math.inf:
        return None
    found = exact(number)
    return found if type(found) is int else str(found)


@define
class ListedGame:
    """A game in numbers, and whose numbers these are.

    `states`, `actions` and `percepts` have the number of each by its JSON text, as plan files have it. `words` have the
    name of a number, by what it is the number of.
    """

    listing: Any
    states: dict[str, int]
    actions: dict[str, int]
    percepts: dict[str, int]
    words: Mapping[str, Callable[[int], str]]

    @cached_property
    def document(self) -> dict[str, Any]:
        """The game as it stands in a file."""
        texts = {"states": self.states, "actions": self.actions, "percepts": self.percepts}
        names = {name: list(map(json.loads, of_kind)) for name, of_kind in texts.items()}
        return {"format": "beliefsearch-game", "version": 1, **self.listing.document(), "names": names}

    @property
    def exact(self) -> bool:
        """Whether no number in a game of chance is a float."""
        return bool(self.listing.exact)

    @property
    def largest_utility(self) -> Fraction:
        """The largest utility of states in which a game of chance is over, as an absolute value."""
        return Fraction(self.listing.largest_utility)

    def named(self, message: object) -> str:
        """A message of the checker, with states, actions and percepts by their names."""
        return _NUMBERED.sub(
            lambda match: f"{match[1]} {self.words[match[1]](int(match[2]))}" if match[1] else match[0], str(message)
        )


_NUMBERED = re.compile(r"""\b(state|action|percept) (\d+)\b|(["'])(?:\\.|(?!\3).)*(?:\3|$)""")
"""A number with its kind; or text of a file, in quotes, perhaps cut short, in which such words mean nothing."""


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
    numbered = listing.states, listing.actions, listing.percepts
    shown = zip((problem.format_state, problem.format_action, problem.format_percept), numbered, strict=True)
    words = [lambda n, show=show, of=of: show(of.items[n]) for show, of in shown]
    named = dict(zip(("state", "action", "percept"), words, strict=True))
    states, actions, percepts = (numbers.texts() for numbers in numbered)
    return ListedGame(listing, states, actions, percepts, named)


def chance_game(listed: ListedGame) -> ChanceGame:
    """A listed game of chance for the checker; raises `ProblemError` if its numbers are longer than a file may have."""
    game = _AskedGame(listed.listing)
    long_discount = _is_long(game.discount)
    for a, rows in enumerate(listed.listing.rows):
        for s, (reward, total, _) in rows.items():
            if total >= MOST_WEIGHT or long_discount or _is_long(reward):
                where = listed.named(f"action {a} in state {s}")
                raise ProblemError(f"the numbers of the problem are too long to be checked: {where}")
    return game


class _AskedGame(ChanceGame):
    """A listed game of chance without a file between; of games whose state is seen, it has no more rows than are."""

    def __init__(self, listing: _Chances) -> None:
        self.states, self.percepts = len(listing.states.items), max(1, len(listing.percepts.items))
        self.seen, self.discount, self.start_value = listing.seen, listing.discount, listing.start_value
        self.start = listing.start
        self.rows, self.able = [], defaultdict(list)
        for a, of_action in enumerate(listing.rows):
            rows = _Rows(of_action)
            for s in rows:
                self.able[s].append(a)
            self.rows.append(rows if self.seen else [rows[s] for s in range(self.states)])


def _flat(reward: Any, total: int, triples: Iterable[tuple[int, int, int]]) -> list[Any]:
    return [written(reward), total, *chain.from_iterable(triples)]


class _Rows(dict[int, Any]):
    """Rows by state; None where an action does not apply."""

    def __missing__(self, state: int) -> None:
        return None


def _is_long(number: Any) -> bool:
    """Whether a whole number or a fraction is longer than a file may have."""
    return bool(max(number.numerator.bit_length(), number.denominator.bit_length()) > _MOST_BITS)


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
        for of_action in self.rows:
            rows = [None] * len(self.states.items)  # most actions may apply in few of very many states
            for s, row in of_action.items():
                rows[s] = row
            yield rows


class _Beliefs(_Listing):
    """A plain, sensorless or contingent problem."""

    def __init__(self, problem: Any, tick: Callable[[], None], most: int) -> None:
        super().__init__(problem, tick, most)
        blind = problem.is_sensorless()
        self.costs: dict[tuple[int, int], Any] = {}

        def row(state: Any, action: Any) -> list[int]:
            cost = written(checked_cost(problem, state, action))
            self.costs[self.actions.number(action), self.states.number(state)] = cost
            found = []
            for result in dict.fromkeys(successors(problem, state, action, self.tick)):
                for percept in (None,) if blind else dict.fromkeys(perceived(problem, result, action)):
                    found += [self.states.number(result), self.percepts.number(percept)]
            return found

        most_starts = min(most, MOST_STARTS)
        self.starts = tuple(dict.fromkeys(islice(initial_states(problem, tick), most_starts + 1)))
        if len(self.starts) > most_starts:
            raise too_large(f"more than {most_starts:,} starts")
        self.walk(self.starts, row)

    def document(self) -> dict[str, Any]:
        """The game as it stands in a file."""
        count = len(self.states.items)
        actions = []
        for a, steps in enumerate(self.by_state()):
            if all(step is not None and len(step) == 2 for step in steps):
                entry = {"to": [step[0] for step in steps], "see": [step[1] for step in steps]}
            else:
                entry = {"steps": steps}
            paid = [self.costs.get((a, s)) for s in range(count)]
            if any(cost not in (1, None) for cost in paid):
                entry["costs"] = paid
            actions.append(entry)
        goals = [[s for s, state in enumerate(self.states.items) if state in goal] for goal in self.problem.goal_sets()]
        return {
            "kind": "beliefs",
            "states": count,
            "percepts": max(1, len(self.percepts.items)),
            "starts": [self.states.number(state) for state in self.starts],
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

        self.seen = problem.sees_state()
        nothing_seen = 1, {self.percepts.number(None): 1} if self.seen else {}

        def row(state: Any, action: Any) -> tuple[Any, int, list[tuple[int, int, int]]]:
            total, going_on, utility = self._split(checked_outcomes(problem, state, action))
            seen = [nothing_seen if self.seen else self._seen(result, action) for result in going_on]
            unit = 1 if self.seen else math.lcm(1, *(of for of, _ in seen))
            triples = []
            for (result, weight), (of, weights) in zip(going_on.items(), seen, strict=True):
                number, share = self.states.number(result), weight * (unit // of)
                triples += [(number, percept, share * chance) for percept, chance in weights.items()]
            shared = math.gcd(total * unit, *(weight for _, _, weight in triples))
            if shared > 1:
                triples = [(number, percept, weight // shared) for number, percept, weight in triples]
            reward = checked_reward(problem, state, action)
            self.exact = self.exact and is_exact(reward)
            if utility:
                reward = Fraction(reward) + self.discount * utility
            self.size += 3 * len(triples)
            return exact(reward), total * unit // shared, triples

        of, going_on, self.start_value = self._split(checked_initial_distribution(problem))
        self.walk(going_on, row)
        self.start: list[tuple[int, int | Fraction]] = [
            (self.states.number(state), Fraction(weight, of)) for state, weight in going_on.items()
        ]
        able = set().union(*self.rows)
        for s, state in enumerate(self.states.items):
            if s not in able:
                raise ProblemError(f"{type(problem).__name__}.actions({state!r}) gave none, and it is not terminal")

    def document(self) -> dict[str, Any]:
        """The game as it stands in a file."""
        rows = ([row and _flat(*row) for row in of_action] for of_action in self.by_state())
        return {
            "kind": "chance",
            "states": len(self.states.items),
            "percepts": max(1, len(self.percepts.items)),
            "seen": self.seen,
            "discount": written(self.discount),
            "start": [[state, written(share)] for state, share in self.start],
            "start_value": written(self.start_value),
            "actions": list(rows),
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
