"""Policy graphs of plan files as tables of the checker, and what they and their bounds from above prove."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..errors import DoesNotHoldError, InvalidPlanError, InvalidProofError
from ..plans.policy_files import steps_left, values_by_state
from .chance_game import AskedChanceGame
from .checker import (
    ChanceGame,
    UnreadableError,
    WrongError,
    check_graph,
    check_planes,
    index,
    items,
    rows_of,
    unreadable,
)
from .horizon import LayeredGame, with_stops
from .plane_sums import bounds_by_sums

if TYPE_CHECKING:
    from .hints import Hints, Table


class PomdpOfFile:
    """A game and the policy graph of a plan file, whose tables the checker checks.

    Whoever makes a proof may give the `game`; else the problem is asked for it.
    """

    def __init__(
        self, problem: Any, plan: Mapping[str, Any], hints: Hints, tick: Callable[[], None], game: Any = None
    ) -> None:
        self.plan, self.hints, self.tick = plan, hints, tick
        self.game: AskedChanceGame = game or AskedChanceGame(problem, tick)

    def lower(self) -> Fraction:
        """Prove a number that the policy attains at least.

        Raises `InvalidPlanError` if the graph cannot be read, and `DoesNotHoldError` if its values do not hold.
        """
        try:
            game: ChanceGame = self.game
            table = self.graph()
            if "left" in table:
                game, table = with_stops(game, table, self.tick)
            return Fraction(check_graph(game, table).value or 0)
        except UnreadableError as error:
            raise InvalidPlanError(self.game.named(error)) from None
        except WrongError as error:
            raise DoesNotHoldError(f"the policy does not hold: {self.game.named(error)}") from None

    def graph(self) -> Table:
        """The table `graph` of the policy, with ranks where it needs them."""
        table = graph_of_file(self.game, self.plan, self.tick)
        if "left" in table or self.game.discount < 1:
            return table
        made = self.hints.graph_table(self.game, table, self.tick)
        nodes = rows_of(made.get("nodes"), "node", 3)
        # The values may be others, since they are checked; but it has to be the policy that the file has.
        if [node[:2] for node in nodes] != [node[:2] for node in table["nodes"]]:
            unreadable("the table is of another policy")
        return {**table, "nodes": nodes, "ranks": made.get("ranks")}

    def planes(self, proof: Mapping[str, Any]) -> tuple[Fraction, Table]:
        """Prove a number that no policy exceeds, and give its table.

        Raises `InvalidProofError` if the proof does not hold or cannot be read.
        """
        try:
            horizon = self.plan.get("horizon")
            game = self.game if horizon is None else LayeredGame(self.game, horizon)
            table = self.hints.planes_table(self.game, game, self.plan, proof, self.tick)
            return Fraction(check_planes(game, table, bounds_by_sums).value or 0), table
        except (UnreadableError, WrongError) as error:
            raise InvalidProofError(self.game.named(error)) from None

    def upper(self, proof: Mapping[str, Any]) -> Fraction:
        """Prove a number that no policy exceeds; raises `DoesNotHoldError` if the proof does not hold."""
        try:
            if proof.get("kind") != "value-bounds":
                raise InvalidProofError(f"its kind is {proof.get('kind')!r:.40}, not value-bounds")
            return self.planes(proof)[0]
        except InvalidProofError as error:
            raise DoesNotHoldError(f"the proof does not hold: {error}") from None


def graph_of_file(game: AskedChanceGame, plan: Mapping[str, Any], tick: Callable[[], None] = lambda: None) -> Table:
    """The table `graph` of a policy graph, without ranks; raises `UnreadableError` if it is none."""
    states, percepts = (numbers_of(plan, key, game) for key in ("states", "percepts"))
    unit, entries = plan.get("unit"), list_of(plan, "nodes", "its plan")
    if type(unit) is not int or unit < 1:
        unreadable(f"the field 'unit' of its plan should be a whole number above 0, but is {unit!r:.40}")
    nodes: list[Any] = []
    for j, entry in enumerate(entries):
        tick()
        action, after, values = items(entry, f"node {j} of its plan", 3)
        number = game.numbers["actions"].get(json.dumps(action))
        if number is None:
            unreadable(
                f"node {j} of its plan has an action written {json.dumps(action):.40}, which is none of the problem's"
            )
        row: list[int | None] = [None] * game.percepts
        for o, k in zip(
            percepts, items(after, f"in node {j} of its plan the list of nodes", len(percepts)), strict=True
        ):
            row[o] = None if k is None else index(k, len(entries), f"a next node of node {j}")
        of_state: list[int | None] = [None] * game.states
        given = values_by_state(values, len(states))
        given = items(given, f"in node {j} of its plan the list of values", len(states))
        for s, value in zip(states, given, strict=True):
            if value is not None and type(value) is not int:
                unreadable(f"in node {j} of its plan the value {value!r:.40} is no whole number")
            of_state[s] = value
        nodes.append([number, row, of_state])
    table: Table = {"kind": "graph", "unit": unit, "nodes": nodes}
    try:
        left = steps_left(plan, [[k for k in row if k is not None] for _, row, _ in nodes])
    except InvalidPlanError as error:
        unreadable(error)
    if left is not None:
        table["left"] = list(left)
    return table


def list_of(data: Mapping[str, Any], key: str, whose: str, length: int | None = None) -> list[Any]:
    """The list in a field."""
    return items(data.get(key), f"the field {key!r} of {whose}", length)


def numbers_of(data: Mapping[str, Any], key: str, game: AskedChanceGame, whose: str = "its plan") -> list[int]:
    """Numbers of the states, actions or percepts in a field, which must be all that can come up, each once."""
    known = game.numbers[key]
    texts = [json.dumps(entry) for entry in list_of(data, key, whose)]
    given: Collection[str] = set(texts)
    if len(given) < len(texts):
        unreadable(f"{whose} lists one of the {key} more than once")
    for text in texts:
        if text not in known:
            unreadable(f"{whose} lists among the {key} {text:.80}, which cannot come up")
    for text in known:
        if text not in given:
            unreadable(f"{whose} lacks among the {key} {text:.80}, which can come up")
    return [known[text] for text in texts]
