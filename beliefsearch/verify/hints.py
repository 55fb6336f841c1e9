"""Hints: tables made of files that only list things. Whoever makes them need not be trusted, since they are checked.

Whoever asks for a check hands it over, so that nothing that looks for something is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from .checker import ChanceGame

if TYPE_CHECKING:
    from .chance_game import AskedChanceGame

Table: TypeAlias = dict[str, Any]
_Tick: TypeAlias = Callable[[], None]


class Hints(Protocol):
    """The tables that a check may ask for; each method may raise as a check does."""

    def proof_table(self, problem: Any, proof: Mapping[str, Any], tick: _Tick) -> Mapping[str, Any]:
        """Make a table of a proof that lists states or beliefs; any other is given back as it is."""

    def values_table(
        self, game: ChanceGame, policy: Sequence[int], values: Sequence[Fraction], precision: Fraction, tick: _Tick
    ) -> Table | None:
        """Make the table `values` of a policy, with numbers near these values; None if none are found."""

    def graph_table(self, game: ChanceGame, table: Table, tick: _Tick) -> Table:
        """Add ranks to a table `graph`; what cannot come up may lose its value."""

    def planes_table(
        self, asked: AskedChanceGame, game: ChanceGame, plan: Mapping[str, Any], proof: Mapping[str, Any], tick: _Tick
    ) -> Table:
        """Make the table `planes` of a proof, about states and percepts that a plan lists.

        The table is about `game`, which is `asked`, or that with a horizon.
        """
