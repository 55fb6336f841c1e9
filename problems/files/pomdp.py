"""Files in Cassandra's format: POMDPs and MDPs of the field, read exactly."""

from __future__ import annotations

from attrs import frozen

from .._pomdp.model import FileModel, read_model
from .._pomdp.problem import NumberedProblem


@frozen
class PomdpFileProblem(NumberedProblem):
    """A POMDP or an MDP, from a file in Cassandra's format.

    Story
    -----
    Most partially observable problems of the literature are exchanged as files of this format, each a small world: a
    tiger behind one of two doors, a robot that feels only walls, a machine that wears out unseen.

    Formal model
    ------------
    States, actions and percepts are the names in the file, or numbers as text where it only says how many there are.
    Probabilities, rewards and the discount are the exact decimals of the file; costs are negative rewards, and printed
    as costs. A reward that depends on the result or on what is perceived counts with its mean. Rows whose sum misses 1
    by at most 0.0001, by rounding, are divided by it, and a warning says which; with `strict` they are refused. Without
    `start:` every state is equally likely, without `discount:` there is none. A state that no action leaves, and in
    which nothing is paid, ends the game. Without a discount the game must end with certainty: an action applies where
    it may be done without losing that for ever, and everywhere otherwise. Without `observations:` the state is seen.

    Source
    ------
    A. R. Cassandra, "Tony's POMDP file format", pomdp.org; many of its files go with L. Kaelbling, M. Littman and
    A. Cassandra, "Planning and acting in partially observable stochastic domains" (1998).

    Known answers
    -------------
    Those of the files.
    """

    def _read(self) -> FileModel:
        return read_model(self._source, strict=self.strict)
