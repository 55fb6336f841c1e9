"""Files in PomdpX, the XML format that SARSOP reads: factored POMDPs, MDPs and those of mixed observability."""

from __future__ import annotations

from attrs import frozen

from .._pomdp.problem import NumberedProblem
from .._pomdpx.model import FactoredModel, read_pomdpx


@frozen
class PomdpxFileProblem(NumberedProblem):
    """A factored POMDP, from a file in PomdpX.

    Story
    -----
    SARSOP and the solvers after it exchange larger problems in this format: a robot whose place is seen, in a world of
    which it knows little.

    Formal model
    ------------
    A state is a value of each state variable, written with commas between them, those that are fully observed first; a
    percept one of each observation variable, and behind these of each fully observed state variable. What follows a
    state is the product of the tables of the variables, made when it is asked for. Numbers are exact decimals; rows
    whose sum misses 1 by at most 0.0001 are divided by it, with `strict` refused. Rewards are summed, and count with
    their means. A state that no action leaves, and in which nothing is paid, ends the game.

    Source
    ------
    "PomdpX File Format (version 1.0)", bigbird.comp.nus.edu.sg, of the Approximate POMDP Planning Toolkit.

    Known answers
    -------------
    Those of the files.
    """

    def _read(self) -> FactoredModel:
        return read_pomdpx(self._source, strict=self.strict)
