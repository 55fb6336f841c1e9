"""Base of the renderers of answers; `registry.answer_class` has a class for each kind of problem."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import frozen

from ...plans.json_stream import json_pieces
from ...running.limits import Budget
from ...running.run import Run
from ..output import in_words, message, write_file
from ..progress import Progress
from ..search_options import SearchOptions, StoreOptions
from ..selected_problem import Chosen

if TYPE_CHECKING:
    from ...plans.plan_writer import Proof


@frozen
class Answer(ABC):
    """Answer to the selected problem, as commands print it."""

    chosen: Chosen
    value: Any  # the answer as the functions of `beliefsearch` give and take it: a result, or a closed form

    indent: ClassVar[int | None] = 1  # of the document in a file

    @property
    @abstractmethod
    def code(self) -> int:
        """The exit code."""

    @abstractmethod
    def heading(self) -> str:
        """The verdict that `explain` gives reasons for."""

    @abstractmethod
    def text(self) -> str:
        """The verdict, the plan and the statistics."""

    @staticmethod
    @abstractmethod
    def plan(chosen: Chosen, search: SearchOptions, plan_file: Path | None) -> Any:
        """The plan or the policy, from a file or a search; ends the command if there is none."""

    @staticmethod
    @abstractmethod
    def saved_heading(chosen: Chosen, plan: Any, plan_file: Path) -> str:
        """The first line of `explain` for a plan from a file."""

    @staticmethod
    @abstractmethod
    def table(chosen: Chosen, plan: Any, width: int, output: Path | None, *, everything: bool) -> Iterable[str]:
        """The lines of `show`; all of them are written to `output` too, if that is a file."""

    def document(self, proof: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The plan file; with a proof it is a certificate."""
        from ...plans.plan_writer import plan_document

        chosen = self.chosen
        return plan_document(
            self.value,
            chosen.problem,
            name=chosen.name,
            parameters=chosen.parameters,
            blindfold=chosen.blindfold,
            data_files=chosen.data_files,
            belief=chosen.belief,
            proof=proof,
        )

    def prove(self, search: SearchOptions, store: StoreOptions | None = None) -> Proof[Any]:
        """Find a proof of the answer, showing progress, or say why there is none. The limits start again.

        A list that outgrows memory goes on in the `store` of the search, if there is one.
        """
        from ...proofs.prove import prove_answer, unproved, was_interrupted

        if was_interrupted(self.value):
            return unproved(self.chosen.problem, self.value)
        kept = None if store is None else store.kept
        with Progress(search.quiet) as progress:
            run = Run(Budget(search.limits()), progress, kept)
            proof = prove_answer(self.chosen.problem, self.value, run, search.request())
        if kept is not None and proof.data is None and kept.holds:
            message(
                f"{str(kept.directory)!r} holds a part of the proof; the same command with --resume goes on from there"
            )
        return proof

    def proved(self, proof: Proof[Any]) -> str:
        """Return the output of `prove`."""
        return f"{self.heading()}\nproof: {in_words(proof.text)}"

    def why_none_is_cheaper(self, search: SearchOptions) -> str | None:
        """The proof that no plan costs less, in words; None if there is none or the answer shows it already."""
        return None

    def certify(self, path: Path, search: SearchOptions, store: StoreOptions | None = None) -> None:
        """Write the certificate of `run` if a proof is found; the answer is the same without it."""
        self.write_certificate(path, None)
        message(f"{path}: the policy and its values, which `verify` checks")

    def write_proved(self, path: Path, proof: Proof[Any]) -> None:
        """Write the certificate of `prove`."""
        self.write_certificate(path, proof.data)

    def write_certificate(self, path: Path, proof: Mapping[str, Any] | None) -> None:
        """Write the plan file with the proof in it; compressed if the name ends in `.gz`."""
        document = self.chosen.as_saved(self.document(proof), path)
        data = chain(json_pieces(document), [b"\n"])
        write_file(path, _compressed(data) if path.suffix == ".gz" else data)


def _compressed(data: Iterable[bytes]) -> Iterator[bytes]:
    """As gzip writes it without a date and a name, so that the same is always written for the same."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    for piece in data:
        yield compressor.compress(piece)
    yield compressor.flush()
