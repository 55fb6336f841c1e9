"""Tables of policy graphs and of bounds from above: what files lack is looked up.

That is how many steps from the end the game is, and which share of a point lies in what follows. Whatever in a file is
not as it should be raises `UnreadableError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from ...model.reachability import steps_to
from ...verify.chance_game import AskedChanceGame
from ...verify.checker import ChanceGame, index, items, parts_of, rows_of, unreadable
from ...verify.numbered import written

if TYPE_CHECKING:
    from ...verify.hints import Table

_Pair: TypeAlias = tuple[int, int]

# Shares of points are rounded down to so many bits: shorter numbers prove nearly as much.
_BITS = 64


def graph_table(game: ChanceGame, table: Table, tick: Callable[[], None]) -> Table:
    """Add to a table how many steps from each node and state the end is; what cannot come up needs no value."""
    nodes = [[action, row, [*values]] for action, row, values in table["nodes"]]

    def after(pair: _Pair) -> Iterator[_Pair]:
        (action, row, values), s = nodes[pair[0]], pair[1]
        if values[s] is not None and game.rows[action][s] is not None:
            yield from ((row[o], t) for t, o, _ in game.rows[action][s][2] if row[o] is not None)

    met: dict[_Pair, None] = dict.fromkeys((0, s) for s, _ in game.start if nodes)
    waiting = list(met)
    steps: list[tuple[_Pair, _Pair]] = []
    for pair in waiting:  # grows while it is walked
        tick()
        for target in after(pair):
            steps.append((pair, target))
            if target not in met:
                met[target] = None
                waiting.append(target)
    gains, _ = game.signs()

    def is_end(node: int, s: int) -> bool:
        action, _, values = nodes[node]
        if game.rows[action][s] is None:
            return False
        return game.may_end(action, s) or (gains and values[s] is not None and values[s] <= 0)

    rank = steps_to([pair for pair in met if is_end(*pair)], steps)
    ranks: list[list[int | None]] = [[None] * game.states for _ in nodes]
    for j, (_, _, values) in enumerate(nodes):
        for s, value in enumerate(values):
            if value is not None and (j, s) not in met:
                values[s] = None
    for (j, s), steps_left_there in rank.items():
        ranks[j][s] = steps_left_there
    return {**table, "nodes": nodes, "ranks": ranks}


def planes_table(
    asked: AskedChanceGame,
    game: ChanceGame,
    plan: Mapping[str, Any],
    proof: Mapping[str, Any],
    tick: Callable[[], None],
) -> Table:
    """The table `planes` of a proof of the kind `value-bounds`, whose states and percepts `plan` lists."""
    from ...verify.pomdp_file import list_of, numbers_of  # which nothing else needs that checks policies

    states, percepts = (numbers_of(plan, key, asked) for key in ("states", "percepts"))
    actions = numbers_of(proof, "actions", asked, "the proof")
    planes: list[Any] = [None] * len(actions)
    named = zip(actions, list_of(proof, "planes", "the proof", len(actions)), strict=True)
    given = [items(plane, f"the plane of action {a}", game.states) for a, plane in named]
    # Of a game with a horizon the states are listed for each number of actions left.
    states = [layer + s for layer in range(0, game.states, max(1, len(states))) for s in states]
    for a, values in zip(actions, given, strict=True):
        planes[a] = [value for _, value in sorted(zip(states, values, strict=True), key=itemgetter(0))]
    entries = rows_of(list_of(proof, "points", "the proof"), "point", 3)
    points: list[Any] = []
    for j, (pairs, value, _) in enumerate(entries):
        weights = [items(pair, f"a weight of point {j}", 2) for pair in items(pairs, f"the weights of point {j}")]
        of_states = [(states[index(s, len(states), f"a state of point {j}")], w) for s, w in weights]
        points.append([[[s, index(w, 1 << 4096, f"a weight of point {j}")] for s, w in of_states], value, []])
        if not all(w for _, w in of_states) or not of_states or len(dict(of_states)) < len(of_states):
            unreadable(f"point {j} should give each of its states one weight above 0")
    for j, ((weights, _, witnesses), (_, _, named)) in enumerate(zip(points, entries, strict=True)):
        tick()
        shares = _Shares(game, dict(weights))
        met: set[_Pair] = set()
        for a, o, witness in (items(triple, f"a witness of point {j}", 3) for triple in items(named, f"point {j}")):
            action = actions[index(a, len(actions), f"an action of point {j}")]
            percept = percepts[index(o, len(percepts), f"a percept of point {j}")]
            if (action, percept) in met:
                unreadable(f"point {j} has two witnesses for the same action and percept")
            met.add((action, percept))
            if type(witness) is list or (type(witness) is int and witness == -2):
                witnesses.append([action, percept, witness])
            elif witness != -1 or type(witness) is not int:
                k = index(witness, len(points), f"a witness of point {j}")
                if share := shares.of(action, percept, points[k][0]):
                    witnesses.append([action, percept, [k, written(share)]])
    table: Table = {"kind": "planes", "unit": proof.get("unit"), "planes": planes, "points": points}
    if game.signs()[1]:
        table["ranks"] = [_plane_ranks(game, planes, tick), _point_ranks(game, points, tick)]
    return table


def _plane_ranks(game: ChanceGame, planes: Sequence[Sequence[Any]], tick: Callable[[], None]) -> list[list[int | None]]:
    """Ranks of numbers below 0, by action and state: how soon the game ends or they are left, whatever is done."""
    ranks: list[list[int | None]] = [[None] * game.states for _ in planes]
    choices: dict[tuple[int, ...], list[int]] = {}  # by the states of a part: the planes that apply
    waiting: dict[_Pair, list[tuple[int, ...]]] = {}
    for a, plane in enumerate(planes):
        tick()
        for s, value in enumerate(plane):
            if value is None or value >= 0:
                continue
            if game.may_end(a, s):
                ranks[a][s] = 0
                continue
            parts = [tuple(part) for part in parts_of([(1, game.rows[a][s][2])]).values()]
            waiting[a, s] = parts
            for part in parts:
                if part not in choices:
                    choices[part] = [b for b, other in enumerate(planes) if all(other[t] is not None for t in part)]

    def is_left(b: int, part: tuple[int, ...]) -> bool:
        return any(planes[b][t] >= 0 or ranks[b][t] is not None for t in part)

    rank, found = 0, [(0, 0)]
    while waiting and found:
        tick()
        rank += 1
        left = {part for part, applying in choices.items() if all(is_left(b, part) for b in applying)}
        found = [pair for pair, parts in waiting.items() if not left.isdisjoint(parts)]
        for a, s in found:
            ranks[a][s] = rank
            del waiting[a, s]
        choices = {part: applying for part, applying in choices.items() if part not in left}
    return ranks


def _point_ranks(game: ChanceGame, points: Sequence[Any], tick: Callable[[], None]) -> list[int | None]:
    """Ranks of points with a value below 0: how soon the game ends or they are left, whatever is done."""
    masses = [sum(w for _, w in weights) for weights, _, _ in points]
    ranks: list[int | None] = [None] * len(points)
    waiting: dict[int, list[set[int]]] = {}  # by point: for each action that may stay, points that may follow
    for j, (weights, value, named) in enumerate(points):
        tick()
        by_action: dict[int, list[tuple[int, Any]]] = {}
        for a, o, flat in named:
            by_action.setdefault(a, []).append((o, flat))
        waiting[j] = []
        for a, rows in enumerate(game.rows):
            able = value < 0 and all(rows[s] is not None for s, _ in weights)
            if not able or any(game.may_end(a, s) for s, _ in weights):
                continue
            scale = lcm(*(rows[s][1] for s, _ in weights))
            parts = parts_of((w * (scale // rows[s][1]), rows[s][2]) for s, w in weights)
            witnesses = {o: list(zip(flat[::2], flat[1::2], strict=True)) for o, flat in by_action.get(a, ())}
            named_mass = {o: scale * sum(Fraction(c) * masses[k] for k, c in witnesses.get(o, ())) for o in parts}
            if all(named_mass[o] == sum(part.values()) for o, part in parts.items()):
                waiting[j].append({k for o in parts for k, _ in witnesses[o]})
    left = {j for j, (_, value, _) in enumerate(points) if value >= 0}
    rank, found = 0, [0]
    while waiting and found:
        tick()
        found = [j for j, ways in waiting.items() if all(not left.isdisjoint(way) for way in ways)]
        for j in found:
            ranks[j] = rank
            del waiting[j]
        left.update(found)
        rank += 1
    return ranks


class _Shares:
    """Parts of what may follow a point, by action and percept."""

    def __init__(self, game: ChanceGame, weights: Mapping[int, int]) -> None:
        self.game, self.weights = game, weights
        self.known: dict[int, tuple[int, dict[int, dict[int, int]]]] = {}

    def of(self, action: int, percept: int, point: Sequence[Sequence[int]]) -> Fraction:
        """The largest share of a point in what follows, rounded down; 0 if the action does not apply."""
        if action not in self.known:
            rows = [(self.game.rows[action][s], w) for s, w in self.weights.items()]
            if any(row is None for row, _ in rows):
                return Fraction(0)
            scale = lcm(*(row[1] for row, _ in rows))
            self.known[action] = scale, parts_of((w * (scale // row[1]), row[2]) for row, w in rows)
        scale, parts = self.known[action]
        part = parts.get(percept, {})
        most, of = 1, 0
        for s, w in point:
            here = part.get(s, 0)
            if not of or here * of < most * w:
                most, of = here, w
        share = Fraction(most, of * scale)
        if not share:
            return share
        bits = max(0, share.denominator.bit_length() - share.numerator.bit_length() + _BITS)
        return Fraction((share.numerator << bits) // share.denominator, 1 << bits)
