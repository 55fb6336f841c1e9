"""Answers in closed form on the command line: plans that may be too long to list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from ...errors import BeliefSearchError
from ...plans.result import MOST_LISTED
from ...plans.verdict import construction_verdict
from ...plans.wording import length_text
from ...solving.closed_form import construction_proof
from .. import SOLVED, UNSOLVABLE
from ..search_options import SearchOptions
from ..store_options import StoreOptions
from .plan import PlanAnswer

if TYPE_CHECKING:
    from ...proofs.prove import Proof

_SHOWN = 20


@frozen
class ClosedFormAnswer(PlanAnswer):
    """A checked construction, with the places in the plan that `--moves` asked for."""

    places: tuple[int, int] | None = None

    def __attrs_post_init__(self) -> None:
        length = self.value.length
        if length is not None and self.places is not None and self.places[1] > length:
            asked = f"--moves asks for move {self.places[1]:,}"
            raise BeliefSearchError(f"{asked}, but the plan has {length_text(length)}")

    @property
    def code(self) -> int:
        return UNSOLVABLE if self.value.length is None else SOLVED

    def heading(self) -> str:
        """The verdict, followed by the author's argument, or by the first actions of a plan too long to count."""
        from ...proofs.explain import MOST_COUNTED

        length = self.value.length
        return self._verdict() if length is not None and 0 < length <= MOST_COUNTED else self.text()

    def _verdict(self) -> str:
        return f"{self.chosen.title}: {construction_verdict(self.value)}"

    def _lines(self) -> Iterator[str]:
        """The answer, and the actions at the places that were asked for."""
        found, length = self.value, self.value.length
        yield self._verdict()
        yield ""
        if length is None:
            yield from found.explanation.splitlines()
            return
        first, last = self.places or (1, min(_SHOWN, length))
        width = len(str(last))
        for place in range(first, last + 1):
            yield f"  {place:{width}}  {self.chosen.problem.format_action(found.action_at(place - 1))}"
        if last < length and self.places is None:
            yield f"  ... {length_text(length - last)} more; --moves A..B shows any of them ..."

    def text(self) -> str:
        return "\n".join(self._lines())

    def proved(self, proof: Proof[Any]) -> str:
        return self.text()

    def why_none_is_cheaper(self, search: SearchOptions) -> None:
        return None  # the argument says so

    def certify(self, path: Path, search: SearchOptions, store: StoreOptions | None = None) -> None:
        self.write_certificate(path, construction_proof(self.value))


def parse_places(text: str) -> tuple[int, int]:
    """The places `A..B`, or a single one, that `--moves` asks for."""
    match = re.fullmatch(r"(\d{1,4000})(?:\.\.(\d{1,4000}))?", text.strip())
    first = int(match[1]) if match else 0
    last = int(match[2] or match[1]) if match else 0
    if not 1 <= first <= last:
        raise click.BadParameter(
            f"{text!r} is not a place such as 7, or a range of places such as 1..20, counted from 1"
        )
    if last - first >= MOST_LISTED:
        raise click.BadParameter(f"{text!r} is more than {MOST_LISTED:,} moves at a time")
    return first, last
