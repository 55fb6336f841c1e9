#!/usr/bin/env python3
"""Check a certificate against a listed game, in whole numbers and fractions, with nothing but the standard library.

    python checker.py GAME.json CERTIFICATE.json

The game lists what every action does in every state. The certificate is a list of *tables*. A table has entries with
values, and for every step of its proof the number of the entry that justifies it. So nothing is searched for: every
check is one pass over its table. Whoever made the files need not be trusted; docs/certificate-format.md specifies both.

    lower    beliefs and what has to be paid from them at the least, in the worst case
    lost     beliefs from which nobody wins for certain, not even by keeping on trying
    flows    weights of states, of which no action moves more into won states than it costs
    mean     weighted beliefs and what all starts together have to pay
    plan     a plan and what it costs at the most; or that it wins with probability 1
    values   values of a game of chance whose state is seen: nobody attains more, and a policy attains no less
    graph    a policy of a partially observable game and what it attains
    planes   what no policy of a partially observable game exceeds

Exit status: 0 if all tables hold, 1 if one does not, 2 if a file cannot be read.
"""

from __future__ import annotations

import json
import math
import operator
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import compress, cycle, filterfalse, repeat, zip_longest
from typing import Any, NamedTuple, NoReturn, TypeAlias

Number: TypeAlias = "int | Fraction | float"  # an exact number, or infinity, the only float
Step: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]  # pairs of a percept and the results that may come with it
INFINITE = math.inf
MOST_WEIGHT = 1 << 50_000  # weights of probabilities are lower
OVER, BARRED = -1, -2  # in place of a percept and a result: the game is over then; the action does not apply
MOST_IMAGES = 1 << 23  # of symmetries, in memory
MOST_DIGITS = 20_000  # longer numbers are refused: to read one takes time that grows with the square of its length


class WrongError(Exception):
    """A table does not hold."""


class UnreadableError(Exception):
    """A file is none of this format."""


class Claim(NamedTuple):
    """The statement that a table proves."""

    kind: str
    about: str  # "worst", "mean" or "value"
    side: str  # a cost or a value is ">=", "<=" or "="
    value: Number | None  # without a number None
    text: str


def require(holds: object, *why: object) -> None:
    """Stop if something does not hold."""
    if not holds:
        raise WrongError(" ".join(map(shown, why))[:2000])


def shown(part: Any) -> str:
    """A number or anything else as text; of a number that is longer than Python writes, how long it is."""
    try:
        return str(part)
    except ValueError:
        return f"a number of {max(map(int.bit_length, Fraction(part).as_integer_ratio())):,} bits"


# Reading. Whatever is not as the format says is refused by its name.


def unreadable(*why: object) -> NoReturn:
    """Stop since a file is not as the format says."""
    raise UnreadableError(" ".join(map(shown, why)))


def fields(data: Any, name: str, needed: str, others: str = "") -> dict[str, Any]:
    """An object with all the fields that are needed, and no unknown ones."""
    if type(data) is not dict:
        unreadable(name, "is no object")
    for field in (field for field in needed.split() if field not in data):
        unreadable(name, "lacks the field", repr(field))
    for field in data.keys() - {*needed.split(), *others.split()}:
        unreadable(name, "has an unknown field", repr(field)[:40])
    return dict(data)


def items(data: Any, name: str, length: int | None = None) -> list[Any]:
    """A list, of this length if one is given."""
    if type(data) is not list:
        unreadable(name, "is no list")
    if length is not None and len(data) != length:
        unreadable(name, "has the length", len(data), "and not", length)
    return list(data)


def rows_of(data: Any, name: str, size: int) -> list[list[Any]]:
    """A list of lists of this length."""
    return [items(row, f"{name} {j}", size) for j, row in enumerate(items(data, name))]


def index(data: Any, below: int, name: str) -> int:
    """A whole number from 0, below a bound."""
    if type(data) is not int or not 0 <= data < below:
        limit = below if below < 1 << 40 else f"2^{below.bit_length() - 1}"  # all large limits are powers of 2
        unreadable(name, f"is {shown(data) if type(data) is int else repr(data):.40} and no number below {limit}")
    return data


def number(data: Any, name: str) -> Number:
    """A number: a whole one, or as text a fraction such as "3/4"; null is infinity."""
    if data is None:
        return INFINITE
    if type(data) is int:
        return data
    if type(data) is not str or len(data) > MOST_DIGITS or not re.fullmatch(r"-?[0-9]+/[1-9][0-9]*", data):
        unreadable(name, f"is {data!r:.40} and no whole number or fraction")
    found = Fraction(*map(int, data.split("/")))
    return found.numerator if found.denominator == 1 else found


def finite(data: Any, name: str, least: float = -INFINITE) -> int | Fraction:
    """A number that is not infinite, and not below a bound."""
    found = number(data, name)
    if isinstance(found, float) or found < least:
        unreadable(name, "is infinite" if found == INFINITE else f"is below {least}")
    return found


def ranked(after: Any, before: Any) -> bool:
    """Whether two ranks are whole numbers from 0 on, and the first is the lower one."""
    return type(after) is int and type(before) is int and 0 <= after < before


class Game:
    """A game in which anything that is possible may happen.

    `start` are the states in which it may begin; a belief is won if it lies inside one of the `goals`. `steps` are, by
    action and state, None if the action does not apply, else pairs of a percept and the results that may come with it.
    `costs` are, by action, None if it costs 1, else its costs by state; a belief pays the largest of its states.
    """

    def __init__(self, data: Any) -> None:
        data = fields(data, "the game", "format version kind states percepts starts goals actions", "names title")
        self.states = n = index(data["states"], 1 << 40, "states")
        self.percepts = index(data["percepts"], 1 << 40, "percepts")
        starts = items(data["starts"], "starts") or unreadable("the game has no start")
        self.start = {index(s, n, "a start") for s in starts}
        goals = items(data["goals"], "goals")
        self.goals = [frozenset(index(s, n, "a goal") for s in items(goal, "a goal set")) for goal in goals]
        self._goals_at: dict[int, list[frozenset[int]]] = defaultdict(list)
        for around, s in ((goal, s) for goal in self.goals for s in goal):
            self._goals_at[s].append(around)
        self.steps: list[list[Step | None]] = []
        self.costs: list[list[Number | None] | None] = []
        shared: dict[tuple[int, ...], Step] = {}
        for a, action in enumerate(items(data["actions"], "actions")):
            action = fields(action, f"action {a}", "", "to see steps costs")
            if "to" in action:  # a result and a percept in every state: two lists
                columns = (items(action.get(name), name, n) for name in ("to", "see"))
                rows: list[Any] = [list(pair) for pair in zip(*columns, strict=True)]
            else:
                rows = items(action.get("steps"), f"the steps of action {a}", n)
            self.steps.append([None if row is None else self._step(row, a, shared) for row in rows])
            self.costs.append(None)
            if (costs := action.get("costs")) is not None:
                pairs = zip(items(costs, "costs", n), self.steps[a], strict=True)
                self.costs[a] = [None if s is None else finite(cost, f"a cost of action {a}", 0) for cost, s in pairs]

    def _step(self, row: Any, a: int, shared: dict[tuple[int, ...], Step]) -> Step:
        row = items(row, f"a step of action {a}")
        if not row or len(row) % 2 or not all(type(number) is int for number in row):
            unreadable("a step of action", a, "is no list of results and percepts")
        if (key := tuple(row)) not in shared:
            by_percept: dict[int, list[int]] = defaultdict(list)
            for result, percept in zip(row[::2], row[1::2], strict=True):
                by_percept[index(percept, self.percepts, "a percept")].append(index(result, self.states, "a result"))
            shared[key] = tuple((percept, tuple(results)) for percept, results in by_percept.items())
        return shared[key]

    def ways(self, state: int) -> tuple[list[int], list[int]]:
        """Percepts and results by action in a state where they are certain; BARRED where one does not apply."""
        rows = [rows[state] or ((BARRED, (BARRED,)),) for rows in self.steps]
        require(all(len(row) == len(row[0][1]) == 1 for row in rows), f"not only the start is uncertain: state {state}")
        return [row[0][0] for row in rows], [row[0][1][0] for row in rows]

    def goals_around(self, state: int) -> Iterable[Any]:
        """The goal sets in which a state is."""
        return self._goals_at.get(state, ())

    def is_won(self, members: Sequence[int]) -> bool:
        """Whether a belief, which is not empty, lies inside a goal set."""
        return any(goal.issuperset(members) for goal in self.goals_around(members[0]))

    def applicable(self, members: Sequence[int]) -> Iterator[int]:
        """The actions that apply in all states of a belief."""
        return (a for a, rows in enumerate(self.steps) if all(rows[s] is not None for s in members))

    def moving(self, members: Sequence[int], parts: Sequence[Sequence[int]]) -> Iterator[int]:
        """The actions that apply in a belief, but those that cost 1 in all of a part, and leave it as it is."""
        return (a for a in self.applicable(members) if not any(self._leaves(a, part) for part in parts))

    def _leaves(self, action: int, part: Sequence[int]) -> bool:
        (percept, _), *_ = self.steps[action][part[0]] or ()
        return all(self.steps[action][s] == ((percept, (s,)),) and self.cost(action, [s]) == 1 for s in part)

    def cost(self, action: int, members: Iterable[int]) -> Number:
        """The cost of an action in a belief in which it applies."""
        costs = self.costs[action]
        return 1 if costs is None else max(cost for s in members if (cost := costs[s]) is not None)

    def outcomes(self, action: int, members: Iterable[int]) -> dict[int, set[int]]:
        """Return, by percept, the states in which an action that applies may end."""
        found: dict[int, set[int]] = defaultdict(set)
        rows = self.steps[action]
        for s in members:
            for percept, results in rows[s] or ():
                found[percept].update(results)
        return found

    def outcome(self, action: int, members: Iterable[int], percept: int) -> set[int]:
        """One of the outcomes; empty if that percept cannot come."""
        rows = self.steps[action]
        return {t for s in members for seen, results in rows[s] or () if seen == percept for t in results}

    def beliefs(self, data: Any) -> list[list[int]]:
        """The beliefs of a table; none is empty."""
        found = []
        for j, written in enumerate(items(data, "beliefs")):
            members = items(written, f"entry {j}") or unreadable("entry", j, "has no states")
            found.append([index(s, self.states, f"a state of entry {j}") for s in members])
        return found


class ChanceGame:
    """A game of chance. An action earns its reward and leads on, with probabilities, or ends the game.

    `seen` is whether the player sees the state; a reward counts `discount` of itself an action later. `start` are pairs
    of a state and its probability, `start_value` is what those starts are worth in which the game is over, by their
    probability. `rows` are, by action and state, None if the action does not apply, else its reward, a total, and
    triples of a result, a percept and a weight. A weight is a probability times the total; the weights that are missing
    to the total end the game, and what is paid then is part of the reward. With `improper`, and without a discount,
    policies count under which the game never ends; `losses` is whether they do, and no reward is above 0.
    """

    def __init__(self, data: Any) -> None:
        needed = "format version kind states percepts seen discount start start_value actions"
        data = fields(data, "the game", needed, "improper names title")
        self.states = n = index(data["states"], 1 << 40, "states")
        self.percepts = index(data["percepts"], 1 << 40, "percepts")
        self.seen, self.improper = data["seen"], data.get("improper", False)
        if type(self.seen) is not bool or type(self.improper) is not bool:
            unreadable("'seen' or 'improper' is neither true nor false")
        self.discount = finite(data["discount"], "the discount")
        if not 0 < self.discount <= 1 or (self.improper and (self.seen or self.discount < 1)):
            unreadable("the discount is not above 0 and at most 1, or 'improper' does not go with it or with 'seen'")
        starts = rows_of(data["start"], "start", 2)
        self.start = [(index(s, n, "a start"), finite(p, "the probability of a start", 0)) for s, p in starts]
        if len({s for s, _ in self.start}) < len(starts) or sum(p for _, p in self.start) > 1:
            unreadable("a start is listed twice, or the probabilities of the starts are more than 1")
        self.start_value = finite(data["start_value"], "start_value")
        self.rows: list[Any] = []
        self.able: dict[int, list[int]] = defaultdict(list)  # by state the actions that apply
        for a, rows in enumerate(items(data["actions"], "actions")):
            self.rows.append(items(rows, "actions", n))
            for s, row in enumerate(rows):
                if row is not None:
                    self.rows[a][s] = self._row(row, f"action {a} in state {s}")
                    self.able[s].append(a)

    def _row(self, row: Any, name: str) -> tuple[int | Fraction, int, list[tuple[int, int, int]]]:
        reward, total, *flat = items(row, name) if type(row) is list and len(row) > 1 else unreadable(name, "is no row")
        if len(flat) % 3:
            unreadable(name, "has no triples")
        limits = cycle((self.states, self.percepts, MOST_WEIGHT))
        read = [index(written, below, name) for written, below in zip(flat, limits, strict=False)]
        whole, weights = index(total, MOST_WEIGHT, name), read[2::3]
        if not whole or not all(weights) or sum(weights) > whole:
            unreadable(name, "has weights that are no probabilities")
        return finite(reward, name), whole, list(zip(read[::3], read[1::3], weights, strict=True))

    def signs(self) -> tuple[bool, bool]:
        """Return whether no reward is below 0; and `losses`, none above 0 where policies may go on for ever."""
        rewards = [row[0] for rows in self.rows for row in rows if row is not None]
        return all(reward >= 0 for reward in rewards), self.improper and all(reward <= 0 for reward in rewards)

    def may_end(self, action: int, state: int) -> bool:
        """Whether the game may be over after this step."""
        _, total, triples = self.rows[action][state]
        return bool(sum(w for _, _, w in triples) < total)

    def can_end(self) -> bool:
        """Whether from every state actions that apply in all may end the game; drawn for ever, they do end it."""
        free = [a for a, rows in enumerate(self.rows) if None not in rows]
        left = {*range(self.states)}
        ways = [(s, self.may_end(a, s), {t for t, _, _ in self.rows[a][s][2]}) for a in free for s in left]
        while found := {s for s, ends, after in ways if s in left and (ends or not after <= left)}:
            left -= found
        return not left


def check_lower(game: Game, table: Any) -> Claim:
    """(C, v): from any belief that includes C, no plan wins for less than v in the worst case.

    `reasons` of an entry with v above 0: for each action that applies in all of C, in their order, a percept and an
    entry (D, w), where D lies in the outcome of C by that percept, and cost + w is at least v; -1 for the entry if the
    cost is enough. C is not won. It may have `parts`, entries (D, w), where D lies in C, and 1 + w is at least v: then
    no reason is needed for an action that costs 1 in all of a D and leaves it as it is.

    *Proof*, by induction on the height of the plan. From a belief B that includes C a plan of height 0 wins only if B
    is won; then C is won as well, so v is at most 0. A higher plan begins with an action that applies in all of B, and
    so in all of C. An outcome in B includes that in C, and so D; what is left of the plan is lower and wins from there,
    so it costs at least w. And the action costs no less in B than in C, or a part. Infinite values are no exception.
    """
    table = fields(table, "the table", "kind root beliefs values reasons", "parts")
    count = len(lists := game.beliefs(table["beliefs"]))
    values = [number(v, f"the value of entry {j}") for j, v in enumerate(items(table["values"], "values", count))]
    reasons, parts = items(table["reasons"], "reasons", count), items(table.get("parts", [[]] * count), "parts", count)
    for j, (members, value, reason) in enumerate(zip(lists, values, reasons, strict=True)):
        if value <= 0:
            continue
        require(not game.is_won(members), f"entry {j}: it is won, and has the value", value)
        for k in items(parts[j], f"the parts of entry {j}"):
            proper = values[index(k, count, f"entry {j}: a part")] + 1 >= value and set(members).issuperset(lists[k])
            require(proper, f"entry {j}: entry {k} is no part of it, or has too low a value")
        hints = iter(items(reason, f"the reasons of entry {j}"))
        for action in game.moving(members, [lists[k] for k in parts[j]]):
            percept, k = index(next(hints, None), game.percepts, f"entry {j}: a percept"), next(hints, None)
            paid = game.cost(action, members)
            if k != -1:
                k = index(k, count, f"entry {j}, action {action}: the entry")
                holds = game.outcome(action, members, percept).issuperset(lists[k])
                require(holds, f"entry {j}, action {action}: entry {k} is not inside the outcome")
                paid = values[k] if values[k] == INFINITE else paid + values[k]
            require(paid >= value, f"entry {j}, action {action}: it comes to", paid, "which is less than", value)
        require(next(hints, hints) is hints, f"entry {j}: it has more reasons than actions")
    root = index(table["root"], count, "root")
    require(game.start.issuperset(lists[root]), "the root is not inside the start")
    return costs_claim("lower", values[root])


def costs_claim(kind: str, value: Number) -> Claim:
    """The claim that no plan costs less than a value."""
    endless = value == INFINITE and "no plan is sure to win within any number of actions"
    return Claim(kind, "worst", ">=", value, endless or f"no plan costs less than {shown(value)} in the worst case")


def check_lost(game: Game, table: Any) -> Claim:
    """Beliefs with ranks: nobody who has exactly this belief wins for certain, not even by keeping on trying.

    `reasons` of an entry: for each action that applies, in order, pairs of a percept and an entry that is the very
    outcome by it: one entry of a lower rank, or all outcomes, none of a higher rank. No entry is won.

    *Proof.* Suppose somebody wins for certain from an entry; take one of the lowest rank from which that is so. From
    entries of lower ranks it is not, so the player does no action with an outcome among them. Hence each action done
    has all its outcomes among the entries of this rank. The player stays among these, and none of them is won.
    """
    table = fields(table, "the table", "kind root beliefs ranks reasons")
    count = len(lists := game.beliefs(table["beliefs"]))
    ranks = [index(r, 1 << 49, "a rank") for r in items(table["ranks"], "ranks", count)]
    for j, (members, reason) in enumerate(zip(lists, items(table["reasons"], "reasons", count), strict=True)):
        require(not game.is_won(members), f"entry {j}: it is won")
        hints = iter(items(reason, f"the reasons of entry {j}"))
        for action in game.applicable(members):
            outcomes, name = game.outcomes(action, members), f"entry {j}, action {action}"
            pairs = rows_of(next(hints, None), f"{name}: the reason", 2)
            named = [(index(o, game.percepts, "a percept"), index(k, count, f"{name}: the entry")) for o, k in pairs]
            for percept, k in named:
                require(set(lists[k]) == outcomes.get(percept), f"{name}: entry {k} is not the outcome")
                require(ranks[k] <= ranks[j], f"{name}: entry {k} has a higher rank")
            lower, every = any(ranks[k] < ranks[j] for _, k in named), {o for o, _ in named} == outcomes.keys()
            require(lower or every, f"{name}: an outcome is not shown to be lost")
        require(next(hints, hints) is hints, f"entry {j}: it has more reasons than actions")
    require(set(lists[index(table["root"], count, "root")]) == game.start, "the root is not the start")
    return Claim("lost", "worst", ">=", INFINITE, "no plan wins for certain, not even one that keeps trying")


def check_flows(game: Game, table: Any) -> Claim:
    """Weights of states, and for each action flows [state, result, amount]; nothing is perceived.

    A won state, one in any goal set, weighs 0. By an action all of a weight flows out to results, no more than a weight
    flows in, and what flows into won states is at most the least cost of the action; with `ray`, nothing.

    *Proof.* By an action the weights of a belief B flow into its outcome: what does not flow into won states is at most
    the sum of weights there. So the sum over a belief falls by no more than the action costs. A won belief has the
    sum 0; so the sum over the start is paid at the least. Where costs are 1, it is rounded up. With `ray` the sum does
    not fall at all, and if it is above 0 at the start, no plan wins.
    """
    table = fields(table, "the table", "kind weights flows", "ray")
    weights = [finite(w, "a weight", 0) for w in items(table["weights"], "weights", game.states)]
    require(game.percepts == 1, "weights prove nothing where something is perceived")
    won = [bool(game.goals_around(s)) for s in range(game.states)]
    for s, w in enumerate(weights):
        require(not (w and won[s]), f"the won state {s} has a weight")
    if type(ray := table.get("ray", False)) is not bool:
        unreadable("'ray' is neither true nor false")
    flows = items(table["flows"], "flows", len(game.steps))
    for action, (rows, flow) in enumerate(zip(game.steps, flows, strict=True)):
        out, into = defaultdict[int, Any](int), defaultdict[int, Any](int)
        for source, target, written in rows_of(flow, f"the flow of action {action}:", 3):
            source, target = index(source, game.states, "a state"), index(target, game.states, "a state")
            amount, row = finite(written, "an amount", 0), rows[source]
            name = f"the flow of action {action} from {source} to {target}"
            require(row is not None and not won[source], name, "begins nowhere")
            require(any(target in results for _, results in row or ()), name, "leads to no result")
            out[source] += amount
            into[target] += amount
        able = [s for s in range(game.states) if rows[s] is not None]
        for s in able:
            require(won[s] or out[s] == weights[s], f"action {action}: not all of state {s} flows out")
        for t, inflow in into.items():
            require(won[t] or inflow <= weights[t], f"action {action}: too much flows into state {t}")
        ends = sum(inflow for t, inflow in into.items() if won[t])
        least = min((game.cost(action, [s]) for s in able), default=0)
        require(ends <= (0 if ray else least), f"action {action}: too much flows into won states")
    total: Any = sum(weights[s] for s in game.start)
    require(total > 0 or not ray, "no weight is at the start")
    least = math.ceil(total) if all(costs is None for costs in game.costs) else total
    return costs_claim("flows", INFINITE if ray else least)


def check_mean(game: Game, table: Any, count_in: Callable[[Game], Counting] | None = None) -> Claim:
    """Beliefs, as pairs [state, weight], with totals: so much do that many starts pay together at the least.

    Where an action applies it has one result and one percept. Entries are of states that may come up (see `Counting`),
    and not won if the total is above 0. For every action that applies, what is paid and the totals of what follows, by
    percept, are at least the total. What follows has the total of the entry that [action, percept, entry] names and
    that it is a multiple of, or one by counting, or 0 if it is won. `reasons` of an entry: numbers of symmetries that
    leave it as it is, and such triples. Of actions that these exchange one is looked at.

    *Proof*, by induction on the height of the plan. Each start follows a way of its own: a plan pays for a belief once
    for each start, and then for the parts, which lower plans win; what is not won of these is of states that may come
    up. A symmetry makes of a plan for a belief one for its image that costs as much and is no higher; so a plan that
    begins with an exchanged action is as good as one with the action that is looked at.
    """
    table = fields(table, "the table", "kind root beliefs totals reasons", "symmetries")
    counting = (count_in or Counting)(game)
    place, actions = counting.place, len(counting.see)
    symmetries = symmetries_of(counting, items(table.get("symmetries", []), "symmetries"))
    beliefs = []
    for j, written in enumerate(items(table["beliefs"], "beliefs")):
        pairs = rows_of(written, f"entry {j}, weight", 2)
        weights = {index(s, game.states, "a state"): index(w, 1 << 60, "a weight") for s, w in pairs}
        most = len(game.start) if counting.merge else min(len(weights), len(game.start))
        if not 0 < len(weights) == len(pairs) or not all(weights.values()) or sum(weights.values()) > most:
            unreadable("entry", j, "is no belief with weights")
        require(place.keys() >= weights.keys(), f"entry {j}: it cannot come up before the game is over")
        beliefs.append({place[s]: w for s, w in weights.items()})
    reasons = items(table["reasons"], "reasons", count := len(beliefs))
    totals = [finite(total, f"total {j}") for j, total in enumerate(items(table["totals"], "totals", count))]
    for j, (belief, total) in enumerate(zip(beliefs, totals, strict=True)):
        require(total <= 0 or not counting.is_won(belief), f"entry {j}: it is won")
        fixing, hints = items(reasons[j], f"the reasons of entry {j}", 2)
        fixing = [index(k, len(symmetries), f"entry {j}: a symmetry") for k in items(fixing, "symmetries")]
        for k, image in ((k, symmetries[k][0]) for k in fixing):
            require(all(belief.get(image[s]) == w for s, w in belief.items()), f"entry {j}: symmetry {k} changes it")
        triples = rows_of(hints, f"entry {j}, reason", 3)
        named = {(index(a, actions, "an action"), index(o, game.percepts, "a percept")): k for a, o, k in triples}
        exchanged: set[int] = set()
        for action in (a for a in counting.cheap(belief, total) if a not in exchanged):
            more = {action}
            while more:
                exchanged |= more
                more = {symmetries[k][1][a] for a in more for k in fixing} - exchanged
            found, parts = counting.after(action, belief)
            bounds = {o: counting.cheapest * counting.least[sum(part.values())] for o, part in parts.items()}
            for percept, part in parts.items() if found + sum(bounds.values()) < total else ():
                if (action, percept) in named:
                    k, times = index(named[action, percept], count, f"entry {j}: an entry"), math.gcd(*part.values())
                    same = {s: w // times for s, w in part.items()} == beliefs[k]
                    require(same, f"entry {j}, action {action}: entry {k} is not the outcome")
                    bounds[percept] = max(bounds[percept], times * totals[k])
            found += sum(bounds.values())
            require(found >= total, f"entry {j}, action {action}: it comes to", found, "which is less than", total)
    root = index(table["root"], count, "root")
    require(beliefs[root] == {place[s]: 1 for s in game.start}, "the root is not the start")
    value = Fraction(totals[root]) / len(game.start)
    return Claim("mean", "mean", ">=", value, f"no plan costs less than {shown(value)} on average")


class Counting:
    """States that may come up where only the start is uncertain, and bounds of beliefs by how many starts they have.

    The states that an action may lead to with a percept are a *part*: if it lies inside a goal set the game is over,
    else they may come up, and have a `place` each. By action and place there is what is seen, in `see`, and the place
    of the result, in `to`; or both are OVER, or BARRED where the action does not apply.

    Let no two states become one (`merge`) while the game goes on, let an action win for at most e states, and let it go
    on by at most q percepts. Then at most e starts of a belief that is not won are done after one action, e q more
    after two, e q^2 more after three; else every start needs one action at the least. So many actions are in `least`,
    by the number of starts, and each costs no less than the cheapest one.
    """

    def __init__(self, game: Game) -> None:
        around: dict[int, set[Any]] = {BARRED: {BARRED}}  # by state the goal sets
        rows: dict[int, tuple[list[int], list[int]]] = {}
        more, going = {*game.start}, set[tuple[int, int]]()  # by these actions and percepts the game goes on
        while more:
            for s in filterfalse(rows.__contains__, frontier := [*more]):  # grows while it is walked
                rows[s] = seen, after = game.ways(s)
                frontier += compress(after, map(going.__contains__, enumerate(seen)))
            columns = (zip_longest(*part, fillvalue=BARRED) for part in zip(*rows.values(), strict=True))
            self.see, self.to, self.merge, most_end, most_go_on = [], [], False, 1, 1
            for a, (see, to) in enumerate(zip(*columns, strict=True)):
                around.update((t, {*game.goals_around(t)}) for t in filterfalse(around.__contains__, to))
                on = {*compress(see, map(operator.not_, map(around.__getitem__, to)))}
                near = [(o, t) for o, t in zip(see, to, strict=True) if around[t]]
                goals: dict[int, set[Any]] = {}  # that all results by a percept have in common
                for o, t in near:
                    goals[o] = goals.get(o, around[t]) & around[t]
                on |= {o for o, common in goals.items() if not common}
                go_on = [*compress(to, map(on.__contains__, see))]
                more.update(go_on)
                going.update((a, o) for o in on)
                self.merge = self.merge or len({*go_on}) < len(go_on)
                counts = Counter((o, goal) for o, t in near if o in on for goal in around[t])
                most_won = {o: size for (o, _), size in sorted(counts.items(), key=operator.itemgetter(1))}
                most_end = max(most_end, len(see) - see.count(BARRED) - len(go_on) + sum(most_won.values()))
                most_go_on = max(most_go_on, len(on))
                self.see.append(tuple([o if o in on or o == BARRED else OVER for o in see]))
                self.to.append(to)
            more -= rows.keys()
        self.place = {s: number for number, s in enumerate(rows)}
        for a, (see, to) in enumerate(zip(self.see, self.to, strict=True)):
            self.to[a] = tuple([self.place[t] if o >= 0 else o for o, t in zip(see, to, strict=True)])
        self.around = [{*game.goals_around(s)} for s in rows]
        self.may_win = any(self.around)
        self.costs: list[Any] = [None] * len(self.see)
        for a, see in enumerate(() if all(costs is None for costs in game.costs) else self.see):
            self.costs[a] = [None if o == BARRED else game.cost(a, [s]) for s, o in zip(rows, see, strict=True)]
        self.cheapest: Any = min((c for costs in self.costs for c in costs or [1] if c is not None), default=0)
        self.least, count, depth, room = [0], len(game.start), 1, len(game.start) if self.merge else most_end
        while len(self.least) <= count:
            self.least += [self.least[-1] + k * depth for k in range(1, min(room, count + 1 - len(self.least)) + 1)]
            depth, room = depth + 1, room * most_go_on

    def is_won(self, belief: Iterable[int]) -> bool:
        """Whether these places lie inside a goal set."""
        return self.may_win and bool(set.intersection(*(self.around[s] for s in belief)))

    def after(self, action: int, belief: dict[int, int]) -> tuple[Any, dict[int, dict[int, int]]]:
        """The cost of an action that applies, over all starts, and by percept the parts that are not won then."""
        see, to, costs = self.see[action], self.to[action], self.costs[action]
        parts: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for s, w in belief.items():
            if see[s] != OVER:
                parts[see[s]][to[s]] += w
        paid = sum(w if costs is None else w * costs[s] for s, w in belief.items())
        return paid, {o: part for o, part in parts.items() if not self.is_won(part)}

    def cheap(self, belief: dict[int, int], total: Any) -> Iterable[int]:
        """The actions that apply; of those that cost at least `total` by counting some may be left out."""
        return (a for a, see in enumerate(self.see) if all(see[s] != BARRED for s in belief))


def symmetries_of(counting: Counting, written: list[Any]) -> list[tuple[list[int], list[int]]]:
    """Permutations of places and of actions that change nothing but names; or products of two listed before.

    A file has images of the first states, others are their own; percepts have images, as a permutation leads back.
    """
    found: list[tuple[list[int], list[int]]] = []
    place, actions = counting.place, len(counting.see)
    goals = [{i for i, around in enumerate(counting.around) if g in around} for g in set().union(*counting.around)]
    for k, entry in enumerate(written):
        require((k + 1) * (len(place) + actions) <= MOST_IMAGES, "the symmetries have too many images")
        if type(entry) is dict and "product" in entry:
            factors = items(fields(entry, f"symmetry {k}", "product")["product"], f"symmetry {k}", 2)
            (s1, a1), (s2, a2) = (found[index(factor, k, f"symmetry {k}")] for factor in factors)
            found.append(([s2[s] for s in s1], [a2[a] for a in a1]))
            continue
        entry = fields(entry, f"symmetry {k}", "states actions")
        states, of_actions = items(entry["states"], "states"), items(entry["actions"], "actions", actions)
        for images in (states, of_actions):
            if {index(i, len(images), f"symmetry {k}") for i in images} != set(range(len(images))):
                unreadable("symmetry", k, "is no permutation")
        image: list[Any] = [place.get(states[s] if s < len(states) else s) for s in place]
        require(None not in image, f"symmetry {k} is none: it leads to what cannot come up")
        moved = [*image, BARRED, OVER]  # as they are numbered from the end
        images_of = operator.itemgetter(0, *image)  # with the first, as of one place it would be no tuple
        for a, b in enumerate(of_actions):
            see, there, costs = counting.see[a], images_of(counting.see[b])[1:], counting.costs[a]
            same = images_of(counting.to[b])[1:] == tuple([moved[t] for t in counting.to[a]])
            same = same and (see == there or len({*zip(see, there, strict=True)}) == len({*see}))
            same = same and (costs is None or costs == [counting.costs[b][s] for s in image])
            require(same, f"symmetry {k} is none: action {a}")
        same = all(any({image[s] for s in goal} <= other for other in goals) for goal in goals)
        require(same, f"symmetry {k} is none: it moves a goal")
        found.append((image, of_actions))
    return found


def check_plan(game: Game, table: Any) -> Claim:
    """Nodes [members, options, value]; an option is [action, percept, node, percept, node, ...].

    Whoever comes to a node has a belief inside its members, and the start is inside those of the root. A node without
    options is an end: its members lie inside a goal set. Every option applies in all members and has a node for each
    percept that may come, whose members include that outcome.

    Without `ranks` a node has one option, to later nodes only, and its cost and the value of any of them are at most
    the value of the node. *Proof*: nodes are left for later ones, so the plan comes to an end; what is paid from a node
    on is at most its value, by induction from the last node.

    With `ranks`, a number for each node and member, some option may lead, from this member, to a member of lower rank.
    *Proof*: let the player do each option of a node with some probability. From wherever the game is, it may come to an
    end within as many actions as the largest rank; so with a probability that does not fall below some number; so with
    probability 1 it comes to an end, if chance decides what may come.

    With `means`, a number for each node and member, where results and percepts are certain: at least the cost and that
    of what follows, at least 0. So a start pays at most its number, and all starts pay their mean.
    """
    table = fields(table, "the table", "kind root nodes", "ranks means")
    count = len(nodes := rows_of(table["nodes"], "node", 3))
    lists = game.beliefs([members for members, _, _ in nodes])

    def by_member(name: str) -> list[dict[int, Any]]:
        rows = zip(lists, items(table[name], name, count), strict=True) if name in table else ()
        return [dict(zip(members, items(row, name, len(members)), strict=True)) for members, row in rows]

    places = by_member("ranks")
    means = [{s: finite(mean, "a mean", 0) for s, mean in row.items()} for row in by_member("means")]
    require(not places or not means, "a plan that keeps trying has no means")
    for j, (_, options, value) in enumerate(nodes):
        members, able = lists[j], set()
        if not items(options, f"the options of node {j}"):
            require(game.is_won(members), f"node {j}: it is an end, and not won")
            require(places or number(value, "a value") >= 0, f"node {j}: it has a value below 0")
            continue
        require(places or len(options) == 1, f"node {j}: it has several options")
        for option in options:
            name = f"an option of node {j}"
            action, *branches = items(option, name) or [None]
            pairs = list(zip_longest(branches[::2], branches[1::2]))
            after = {index(percept, game.percepts, name): index(k, count, name) for percept, k in pairs}
            if len(after) < len(pairs):
                unreadable(name, "has no node by percept")
            rows = game.steps[index(action, len(game.steps), name)]
            require(all(rows[s] is not None for s in members), f"node {j}: action {action} does not apply")
            for percept, results in game.outcomes(action, members).items():
                require(percept in after, f"node {j}: it has no branch for percept {percept}")
                k = after[percept]
                require(results.issubset(lists[k]), f"node {j}, percept {percept}: node {k} lacks what may come")
                if not places:
                    then = number(nodes[k][2], "a value")
                    paid = then if then == INFINITE else game.cost(action, members) + then
                    require(k > j, f"node {j}: node {k} does not come later")
                    require(paid <= number(value, "a value"), name, "costs", paid, "which is more than its value")
            for s in members if places else ():
                ends = ((after[percept], t) for percept, results in rows[s] or () for t in results)
                if s not in able and any(ranked(places[k][t], places[j][s]) for k, t in ends):
                    able.add(s)
            for s in members if means else ():
                ((percept, (t, *others)), *more) = rows[s] or ((0, (0,)),)
                require(not others and not more, f"node {j}: action {action} in state {s} is not certain")
                paid = game.cost(action, [s]) + means[after[percept]][t]
                require(means[j][s] >= paid, f"node {j}: the mean of state {s} is less than", paid)
        require(not places or len(able) == len(set(members)), f"node {j}: from some state no rank falls")
    root = index(table["root"], count, "root")
    require(game.start.issubset(lists[root]), "a start is not in the root")
    if places:
        return Claim("plan", "worst", "<=", None, "the plan wins with probability 1")
    value = number(nodes[root][2], "a value")
    require(value < INFINITE, "the plan has no finite cost")
    if means:
        mean = Fraction(sum(means[root][s] for s in game.start), len(game.start))
        text = f"the plan wins, at a cost of at most {shown(value)}, and {shown(mean)} in the mean"
        return Claim("plan", "mean", "<=", mean, text)
    return Claim("plan", "worst", "<=", value, f"the plan wins, at a cost of at most {shown(value)}")


def check_values(game: ChanceGame, table: Any) -> Claim:
    """Numbers by state: `high`, which no policy exceeds, and `low`, which `policy` attains. The state is seen.

    For every action high is at least the reward and the discounted mean of high; for that of the policy low is at most
    the reward and the discounted mean of low. Without a discount `ranks`: from every state the policy may end the game
    at once, or lead to a state of lower rank.

    *Proof.* Play n actions: by induction no policy earns more, on the mean, than high less the discounted mean of high
    where it is then. There are finitely many numbers, so that remainder tends to 0: by the discount, or since the game
    ends with probability 1, under the policies that are asked about. The same for low and the policy, which ends the
    game with probability 1: from anywhere it may do so within as many actions as the largest rank.
    """
    table = fields(table, "the table", "kind high low policy", "ranks")
    n = game.states
    bounds = [[Fraction(finite(v, name)) for v in items(table[name], name, n)] for name in ("high", "low")]
    common, discount = 1, Fraction(game.discount)
    for v in bounds[0] + bounds[1]:
        common = math.lcm(common, v.denominator) if common < MOST_WEIGHT else common
    unit = common if common < MOST_WEIGHT else 1  # whole numbers of 1/unit are quicker than fractions
    high, low = ([x.numerator if (x := v * unit).denominator == 1 else x for v in numbers] for numbers in bounds)
    policy = [index(a, len(game.rows), "an action of the policy") for a in items(table["policy"], "policy", n)]
    ranks = items(table["ranks"], "ranks", n) if "ranks" in table else None
    require(game.seen, "a policy by states needs a player who sees them")
    require(ranks is not None or game.discount < 1, "without a discount there have to be ranks")
    for s in range(n):
        require(game.rows[policy[s]][s] is not None, f"state {s}: the policy's action does not apply")
        for a in game.able[s]:
            reward, total, triples = game.rows[a][s]
            earned, times = reward * unit, total * discount.denominator
            after = discount.numerator * sum([w * high[t] for t, _, w in triples])
            if (high[s] - earned) * times < after:
                require(False, f"state {s}, action {a}: 'high' is too low")
            if policy[s] == a:
                after = discount.numerator * sum([w * low[t] for t, _, w in triples])
                require((low[s] - earned) * times <= after, f"state {s}, action {a}: 'low' is too high")
                ends = ranks is None or game.may_end(a, s) or any(ranked(ranks[t], ranks[s]) for t, _, _ in triples)
                require(ends, f"state {s}: the policy may never end the game")
    most, least = (game.start_value + sum(p * v[s] for s, p in game.start) / Fraction(unit) for v in (high, low))
    text = f"the policy attains at least {shown(least)}; no policy attains more than {shown(most)}"
    return Claim("values", "value", "=" if least == most else ">=", least, text)


def check_graph(game: ChanceGame, table: Any) -> Claim:
    """Nodes [action, next node by percept, value by state or null], values in whole numbers of 1/`unit`.

    Where a node has a value for a state its action applies, each percept that may come leads to a node that has a value
    for each state that may come with it, and the value is at most the reward and the discounted mean of those values.
    Without a discount `ranks`, by node and state, fall as in `values`, but need not from values of at most 0 where no
    reward is negative, and the game is `improper` or can end; and where there are `losses` no value is above 0, and
    none need fall. The policy begins in node 0. With `left`, the number of actions left by node, the game is over after
    them: nodes lead to those with one less, and with 1 nowhere.

    *Proof.* As for `values`: what the policy earns in n actions is, on the mean, at least the value less the discounted
    mean of values then, which tends to 0; with `left`, nothing is left of it. If no reward is negative stop at a value
    of at most 0, which no later gain is below, and go on by lot until the game ends, if it has to: it comes to either
    with probability 1. Of values never above 0 the mean is not either: what n actions earn is at least the value.
    """
    table = fields(table, "the table", "kind unit nodes", "ranks left")
    count = len(nodes := rows_of(table["nodes"], "node", 3))
    unit, discount, n = index(table["unit"], 1 << 4096, "unit"), Fraction(game.discount), game.states
    ranks = [items(row, "ranks", n) for row in items(table["ranks"], "ranks", count)] if "ranks" in table else None
    left = [index(k, 1 << 49, "actions left") for k in items(table["left"], "left", count)] if "left" in table else None
    require(unit and (ranks or left or game.discount < 1 or not count), "unit is 0, or ranks are missing")
    gains, losses = game.signs()
    gains = gains and (game.improper or not ranks or game.can_end())
    for j, (_, _, values) in enumerate(nodes):
        if not {type(value) for value in items(values, f"node {j}", n)} <= {int, type(None)}:
            unreadable("node", j, "has a value that is no whole number")
    for j, (action, after, values) in enumerate(nodes):
        rows = game.rows[index(action, len(game.rows), "an action")]
        named = [None if k is None else index(k, count, "a node") for k in items(after, f"node {j}", game.percepts)]
        follow = [[None] * n if k is None else nodes[k][2] for k in named]
        if left is not None:
            falls = left[j] > 0 and all(left[k] == left[j] - 1 for k in named if k is not None)
            require(falls, f"node {j}: the number of actions left does not fall by 1")
        for s, value in ((s, value) for s, value in enumerate(values) if value is not None):
            if rows[s] is None:
                require(False, f"node {j}: action {action} does not apply in state {s}, where it has a value")
            (reward, total, triples), following = rows[s], 0
            for t, o, w in triples if left is None or left[j] > 1 else ():
                if (then := follow[o][t]) is None:
                    require(False, f"node {j}, percept {o}: it leads to no value for state {t}")
                following += w * then
            if (value - reward * unit) * total * discount.denominator > discount.numerator * following:
                worth, claimed = Fraction(reward) + discount * Fraction(following, unit * total), Fraction(value, unit)
                require(False, f"node {j}, state {s}: the value is {shown(claimed):.40}, and it is worth", worth)
            require(not losses or value <= 0, f"node {j}, state {s}: it is above 0, and nothing can be won")
            if ranks is not None and (value > 0 or not (gains or losses)) and not game.may_end(action, s):
                ends = any(ranked(ranks[named[o]][t], ranks[j][s]) for t, o, _ in triples)
                require(ends, f"node {j}, state {s}: the policy may never end the game")
    require(count or not game.start or left is not None, "there is no node")
    begun = game.start if count else []
    for s, _ in begun:
        require(nodes[0][2][s] is not None, f"node 0 has no value for the start, state {s}")
    attained = game.start_value + sum(p * nodes[0][2][s] for s, p in begun) / Fraction(unit)
    within = "" if left is None else f" in {left[0] if left else 0} actions"
    return Claim("graph", f"value{within}", ">=", attained, f"the policy attains at least {shown(attained)}{within}")


def check_planes(game: ChanceGame, table: Any, bounds_by: Callable[..., Planes] | None = None) -> Claim:
    """A plane for each action, a number for each state in which it applies; and points [weights, value, witnesses].

    F(x), for weights x of states, is the greatest sum of weights times numbers over the planes that apply in all of
    them. A witness [action, percept, [point, share, ...]] bounds what follows by F of all but those shares of points,
    and the shares times their values; [action, percept, -2] by the mean over the states alone; without one it is F.
    Then a plane is at least the reward and the discounted F of what follows, in each state; and the value of a point is
    at least the reward and the discounted bounds of what follows, or without `losses` its plane, by each action.

    *Proof.* Break the game off after n actions and pay whoever is still playing so much that all bounds hold for n = 0.
    If they hold for n, they hold for n + 1: a policy for weights x is one for each part of x, so no policy attains more
    than the bounds of the parts together, and after the first action n are left. F of a sum is at most the sum of F, so
    a plane is a bound at all weights. That payment, discounted, tends to 0, by the discount or since only policies that
    end the game with probability 1 are asked about; and where no reward and no number is negative it is 0, and the
    bound one for policies that go on for ever, too (D. Park, 1969). With `losses` stop at a number of at least 0, which
    nothing exceeds. By `ranks`, a list by action and state and one by point, each number below 0 has, whatever is done
    and by whichever plane, a chance that the game ends, or comes to such a number, one of lower rank, or from points to
    planes: so it stops with probability 1.
    """
    table = fields(table, "the table", "kind unit planes points", "ranks")
    unit = index(table["unit"], 1 << 4096, "unit")
    require(unit and (game.rows or not game.states), "unit is 0, or there is no action")
    require(not game.seen, "whoever sees the state may attain more")
    gains, losses = game.signs()
    bounds = (bounds_by or Planes)(game, table, losses)
    numbers = [v for plane in bounds.planes for v in plane if v is not None] + [value for _, value, _ in bounds.points]
    lasts = losses or (gains and min(numbers, default=0) >= 0)
    require(lasts or not game.improper, "a number is below 0, and the game may never end")
    for a, plane in enumerate(bounds.planes):
        for s, value in ((s, value) for s, value in enumerate(plane) if value is not None):
            name = f"the plane of action {a} in state {s}"
            bounds.check_step(a, {s: 1}, value, {}, partial(bounds.falls, a, s), name)
    for j, (weights, value, named) in enumerate(bounds.points):
        worth = value * bounds.masses[j]
        for a in (a for a, of_plane in bounds.of_points[j].items() if losses or of_plane > worth):
            bounds.check_step(a, weights, worth, named.get(a, {}), partial(bounds.leaves, j), f"point {j}, action {a}")
    start: dict[int, Any] = {s: Fraction(p) for s, p in game.start if p}
    found = [bounds.upper(sums := bounds.by_plane(start), start, 1, []), bounds.upper(sums, start, 1, -2)]
    first = bounds.points[0][0] if bounds.points and start else {}
    if share := min((start.get(s, 0) / Fraction(w) for s, w in first.items()), default=Fraction(0)):
        found.append(bounds.upper(sums, start, 1, [(0, *Fraction(share).as_integer_ratio())]))
    known: list[Any] = [most / Fraction(part) for most, part in filter(None, found)]
    require(known or not start, "no action applies at the start")
    bound = game.start_value + min(known, default=0) / Fraction(unit)
    return Claim("planes", "value", "<=", bound, f"no policy attains more than {shown(bound)}")


def parts_of(shares: Iterable[tuple[Any, Any]]) -> dict[int, dict[int, Any]]:
    """Return, by percept, the weights of what follows, summed up over triples that count so often."""
    found: dict[int, dict[int, Any]] = defaultdict(lambda: defaultdict(int))
    for times, triples in shares:
        for t, o, w in triples:
            found[o][t] += times * w
    return found


class Planes:
    """The bounds of `check_planes` as functions of weights; the shares of witnesses are of weights times `scale`."""

    def __init__(self, game: ChanceGame, table: Any, losses: bool) -> None:
        self.game, self.unit, self.losses, self.discount = game, table["unit"], losses, Fraction(game.discount)
        self.planes = items(table["planes"], "planes", len(game.rows))  # None where the action does not apply
        for a, (plane, rows) in enumerate(zip(self.planes, game.rows, strict=True)):
            due = [type(None) if row is None else int for row in rows]
            if [type(v) for v in items(plane, f"plane {a}", game.states)] != due:
                unreadable("plane", a, "is not of whole numbers where its action applies")
        self.points: list[tuple[dict[int, int], int, dict[int, dict[int, Any]]]] = []
        count = len(written := rows_of(table["points"], "point", 3))
        for j, (pairs, value, named) in enumerate(written):
            pairs = rows_of(pairs, "weight", 2)
            weights = {index(s, game.states, "a state"): index(w, 1 << 4096, "a weight") for s, w in pairs}
            if type(value) is not int or not weights or not all(weights.values()) or len(weights) < len(pairs):
                unreadable("point", j, "is no point")
            witnesses: dict[int, dict[int, Any]] = defaultdict(dict)
            for a, o, witness in rows_of(named, "witness", 3):
                if witness != -2:
                    flat = items(witness, "a witness")
                    those = [items(flat[i : i + 2], "a share", 2) for i in range(0, len(flat), 2)]
                    witness = [(index(k, count, "a point"), *finite(c, "a share").as_integer_ratio()) for k, c in those]
                witnesses[index(a, len(game.rows), "an action")][index(o, game.percepts, "a percept")] = witness
            self.points.append((weights, value, witnesses))
        if losses:
            of_planes, of_points = items(table.get("ranks"), "ranks", 2)
            self.plane_ranks = [items(row, "ranks", game.states) for row in items(of_planes, "ranks", len(game.rows))]
            self.point_ranks = items(of_points, "ranks", count)
        self.by_state = [*zip(*self.planes, strict=True)]
        self.corners: list[Any] = [max((v for v in row if v is not None), default=None) for row in self.by_state]
        for s, value in ((s, value) for weights, value, _ in self.points if len(weights) == 1 for s in weights):
            self.corners[s] = value if self.corners[s] is None else min(self.corners[s], value)

        self.masses = [sum(weights.values()) for weights, _, _ in self.points]
        self.of_points = [self.by_plane(weights) for weights, _, _ in self.points]

    def by_plane(self, weights: dict[int, Any]) -> dict[int, Any]:
        """The sums of weights times numbers, by the planes that apply in all of these states."""
        rows = ((a, [plane[s] for s in weights]) for a, plane in enumerate(self.planes))
        return {a: sum(map(operator.mul, weights.values(), row)) for a, row in rows if None not in row}

    def steps(self, a: int, weights: dict[int, int]) -> tuple[Any, int, Iterable[tuple[int, Any]]]:
        """The reward of an action, a scale, and triples with how often they count in that scale."""
        rewards, totals, steps = zip(*(self.game.rows[a][s] for s in weights), strict=True)
        scale = math.lcm(*totals)
        shares = [(w * (scale // total), row) for w, total, row in zip(weights.values(), totals, steps, strict=True)]
        return sum(map(operator.mul, weights.values(), rewards)), scale, shares

    def after(self, shares: Iterable[tuple[int, Any]], mass: int, needed: Any) -> Iterable[tuple[int, Any, Any]]:
        """Percepts, the sums by plane of what follows, and its weights, if `needed` is None or has the percept."""
        return ((o, self.by_plane(part), part) for o, part in parts_of(shares).items())

    def check_step(self, a: int, weights: dict[int, int], worth: int, named: Any, falls: Any, name: str) -> None:
        """Check that weights are worth no more by an action; if it matters, some part of what follows has to fall."""
        earned, scale, shares = self.steps(a, weights)
        stops = not self.losses or worth >= 0 or any(self.game.may_end(a, s) for s in weights)
        parts = [*self.after(shares, sum(weights.values()) * scale, named if stops else None)]
        after = [self.upper(sums, part, scale, named.get(o, [])) for o, sums, part in parts]
        if None not in after:  # else no action applies to what follows, and this one leads nowhere
            require(stops or any(falls(w, scale, named.get(o, [])) for o, _, w in parts), f"{name}: no rank falls")
            shared = math.lcm(*(part for _, part in after))
            following = self.discount.numerator * sum(most * (shared // part) for most, part in after)
            least = (worth - earned * self.unit) * scale * shared * self.discount.denominator
            require(least >= following, f"{name}: the value is too low")

    def falls(self, a: int, s: int, states: dict[int, Any], *_: Any) -> bool:
        """Whether each plane for what follows has, in one of these states, no number below 0 or one of lower rank."""
        rank, choices = self.plane_ranks[a][s], [(self.planes[b], self.plane_ranks[b]) for b in self.by_plane(states)]
        return all(any(plane[t] >= 0 or ranked(ranks[t], rank) for t in states) for plane, ranks in choices)

    def leaves(self, j: int, weights: dict[int, Any], scale: int, witness: Any) -> bool:
        """Whether a part of what follows is bounded by planes, a number from 0 on, or a point of lower rank than j."""
        require(witness != -2, f"point {j}: a mean over states alone has no rank")
        named = scale * sum(Fraction(share, of) * self.masses[k] for k, share, of in witness)
        below = any(self.points[k][1] >= 0 or ranked(self.point_ranks[k], self.point_ranks[j]) for k, _, _ in witness)
        return below or bool(named < sum(weights.values()))

    def upper(self, sums: dict[int, Any], weights: dict[int, Any], scale: int, witness: Any) -> Any:
        """The bound by a witness, [] if there is none: so many parts, and how many are one; None as for F."""
        if not witness:
            return (max(sums.values()), 1) if sums else None
        if witness == -2:
            return (sum(w * self.corners[s] for s, w in weights.items()), 1) if sums else None
        part, known = math.lcm(*(of for _, _, of in witness)), 0
        require(part < 1 << 4096 and all(share > 0 for _, share, _ in witness), "a share is not above 0, or too long")
        rest, taken = {a: v * part for a, v in sums.items()}, dict[int, Any]()
        for k, share, of in witness:
            (point, value, _), times = self.points[k], scale * share * (part // of)
            taken |= {s: taken.get(s, 0) + times * w for s, w in point.items()}
            there = map(operator.mul, map(weights.get, taken, repeat(0)), repeat(part))
            require(all(map(operator.ge, there, taken.values())), f"there is less than that share of point {k}")
            known += times * self.masses[k] * value
            rest = {a: v - times * self.of_points[k][a] for a, v in rest.items()}
        return (max(rest.values()) + known, part) if rest else None


READERS: dict[str, Callable[[Any], Any]] = {"beliefs": Game, "chance": ChanceGame}
CHECKS: dict[str, dict[str, Callable[[Any, Any], Claim]]] = {
    "beliefs": {"lower": check_lower, "lost": check_lost, "flows": check_flows, "mean": check_mean, "plan": check_plan},
    "chance": {"values": check_values, "graph": check_graph, "planes": check_planes},
}
"""By kind of game: how it is read, and the checks of tables about it."""


def check(game: Any, certificate: Any) -> list[Claim]:
    """The claims that a certificate proves of a game; both as read from JSON.

    Raises `WrongError` if a table does not hold, and `UnreadableError` if one of the two is not as the format says.
    """
    for data, name in ((game, "game"), (certificate, "certificate")):
        version = data.get("version") if type(data) is dict else None
        if type(version) is not int or version != 1 or data.get("format") != f"beliefsearch-{name}":
            unreadable(f"the {name} is none of the format beliefsearch-{name}, version 1")
    kind = str(game.get("kind"))  # which may be anything, a list, say
    made, checks = (READERS.get(kind) or unreadable("the game is of no known kind"))(game), CHECKS[kind]
    certificate = fields(certificate, "the certificate", "format version tables", "title")
    claims = []
    for table in items(certificate["tables"], "tables") or unreadable("the certificate has no table"):
        of_kind = str(table.get("kind") if type(table) is dict else None)
        why = f"a table is of the kind {of_kind!r:.40}, and none such is about a game of {kind}"
        claims.append((checks.get(of_kind) or unreadable(why))(made, table))
    return claims


def conclusion(claims: Sequence[Claim]) -> str | None:
    """Say that the plan or the policy is optimal, if two claims about the same prove it, or one that is both."""
    both = {(claim.about, side, claim.value) for claim in claims for side in ("<=", ">=") if claim.side in (side, "=")}
    meet = any((about, ">=", value) in both for about, side, value in both if side == "<=" and value is not None)
    return "so that is optimal" if meet else None


def read_json(path: str) -> Any:
    """The contents of a file; no floats, no field twice, no endless numbers."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        return found if len(found) == len(pairs) else unreadable(path, "has a field twice")

    def whole(text: str) -> int:  # of 1.5 or NaN, too
        exact = len(text) <= MOST_DIGITS and re.fullmatch("-?[0-9]+", text)
        return int(text) if exact else unreadable(path, f"has {text:.40}, no exact number or one of too many digits")

    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file, object_pairs_hook=once, parse_int=whole, parse_float=whole, parse_constant=whole)
    except (OSError, ValueError, RecursionError) as error:
        unreadable(path, "cannot be read:", getattr(error, "strerror", None) or str(error)[:200] or "too deep")


def main(arguments: Sequence[str]) -> int:
    """Check the files that are named, and print the claims."""
    try:
        claims = check(*map(read_json, arguments))
    except WrongError as error:
        print(f"does not hold: {error}")
        return 1
    except (UnreadableError, MemoryError) as error:
        print(f"cannot be read: {error}")
        return 2
    print("\n".join(f"holds: {claim.kind}: {claim.text}" for claim in claims))
    print(conclusion(claims) or "not shown to be optimal")
    return 0


if __name__ == "__main__":
    sys.set_int_max_str_digits(0)  # `MOST_DIGITS` limits them
    sys.exit(main(sys.argv[1:]) if len(sys.argv) == 3 else "usage: python checker.py GAME.json CERTIFICATE.json")
