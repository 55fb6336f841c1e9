"""Base of the renderers of answers; `plan_source.answer_class` returns the class for a kind of problem."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import frozen

from ...plans.json_stream import json_pieces
from ...running.run import Run
from ..output import in_words, message, write_file
from ..progress import Progress
from ..selected_problem import Asked

if TYPE_CHECKING:
    from ...plans.plan_writer import Proof


@frozen
class Answer(ABC):
    """Answer to the selected problem, as commands print it."""

    asked: Asked
    value: Any  # the answer as the functions of `beliefsearch` give and take it: a result, or a closed form

    indent: ClassVar[int | None] = 1  # of the document in a file

    @property
    @abstractmethod
    def code(self) -> int:
        """The exit code."""

    @property
    @abstractmethod
    def plan(self) -> Any:
        """The plan or the policy; None if there is none."""

    def listed(self) -> Answer:
        """Return the answer with its plan listed."""
        return self

    @abstractmethod
    def heading(self) -> str:
        """Return the verdict that `explain` gives reasons for."""

    @abstractmethod
    def text(self) -> str:
        """Return the verdict, the plan and the statistics."""

    @staticmethod
    @abstractmethod
    def saved_heading(asked: Asked, plan: Any) -> str:
        """Return the first line of `explain` for a plan from a file."""

    @staticmethod
    @abstractmethod
    def table(asked: Asked, plan: Any, width: int, output: Path | None, *, everything: bool) -> Iterable[str]:
        """Yield the lines of `show`; all of them are written to `output` too, if that is a file."""

    def document(self, proof: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the plan file; with a proof it is a certificate."""
        return self.asked.plan_document(self.value, proof)

    proves_what_there_is: ClassVar[bool] = False
    """Whether there is a proof to be made although Ctrl-C ended the search; another Ctrl-C ends that, too."""

    def prove(self) -> Proof[Any]:
        """Find a proof of the answer, showing progress, or say why there is none. The limits start again.

        A list that outgrows memory goes on in the store of the search, if there is one.
        """
        from ...proofs.prove import prove_answer, unproved, was_interrupted

        asked = self.asked
        if was_interrupted(self.value) and not self.proves_what_there_is:
            return unproved(asked.problem, self.value)
        kept = asked.store.kept
        with Progress(asked.search.quiet, doing="looking for a proof") as progress:
            run = Run(asked.anew().budget, progress, kept)
            proof = prove_answer(asked.problem, self.value, run, asked.search.request())
        if kept is not None and proof.data is None and kept.holds:
            message(
                f"{str(kept.directory)!r} holds a part of the proof; the same command with --resume goes on from there"
            )
        return proof

    def proved(self, proof: Proof[Any]) -> str:
        """Return the output of `prove`."""
        return f"{self.heading()}\nproof: {in_words(proof.text)}"

    def why_none_is_cheaper(self) -> str | None:
        """Return the proof that no plan costs less, in words; None if there is none or the answer shows it already."""
        return None

    def certify(self, path: Path) -> None:
        """Write the certificate of `run` if a proof is found; the answer is the same without it."""
        self.write_certificate(path, None)
        message(f"{path}: the policy and its values, which `verify` checks")

    def with_proof(self, proof: Proof[Any]) -> Answer:
        """Return the answer as the proof has it, whose bounds may be others."""
        return self

    def write_certificate(self, path: Path, proof: Mapping[str, Any] | None) -> None:
        """Write the plan file with the proof in it; compressed if the name ends in `.gz`."""
        document = self.asked.as_saved(self.document(proof), path)
        data = chain(json_pieces(document), [b"\n"])
        write_file(path, _compressed(data) if path.suffix == ".gz" else data)


def _compressed(data: Iterable[bytes]) -> Iterator[bytes]:
    """Yield data as gzip writes it without a date and a name, so that the same data give the same file."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    for piece in data:
        yield compressor.compress(piece)
    yield compressor.flush()
