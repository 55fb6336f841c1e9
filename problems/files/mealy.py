"""Machines and automata in files of several formats: to know the state at the start or now, or to reset them unseen."""

from __future__ import annotations

import warnings
from pathlib import Path

from attrs import field, frozen

from beliefsearch.errors import DataWarning
from beliefsearch.tools import read_data_file

from .._mealy.machine import MachineProblem
from .._mealy.minimal import completed, merged
from .._mealy.reader import Machine, read_machine
from .._source import Source, quoted

# Some hundred thousand transitions are written in so much.
_MOST_BYTES = 64 * 2**20
_MOST_COMPARED = 20_000  # transitions, of states that are compared without being asked


@frozen
class MealyFileProblem(MachineProblem):
    """Find out in which state a machine is, or was at the start, or reset it, from a file.

    Story
    -----
    A server, a chip or a card answers every input with an output, and a model of it is known, perhaps learned by
    experiments. Nobody knows in which state it is. Which inputs tell, at the least?

    Formal model
    ------------
    A state is one of the machine, with its last output and, if that is what is to be found, with the state that it was
    in at the start. Without `--states` all states of the machine are possible at the start. An action is an input,
    which applies where the state has it, and costs 1. The percept is the output, and by that inputs may be chosen: an
    adaptive homing sequence, or with `--find start` an adaptive distinguishing sequence; with `--find separating` one
    more action brings the machine back to where it was at the start. With `--outputs unseen` nothing is perceived, and
    the answer is a synchronizing (reset) word. With `--preset` and with `--find uio` a state is what the outputs have
    told so far, as groups of states that may be the one now. Where an input has several outcomes any may come. Of a
    Moore machine or an automaton the percept is what the next state shows, or whether it is accepting.

    Source
    ------
    D. Lee, M. Yannakakis, "Principles and methods of testing finite state machines: a survey" (1996); E. R. Gansner,
    E. Koutsofios, S. North, the DOT language (graphviz.org), in which the Automata Wiki and learners write machines.

    Known answers
    -------------
    Those of the files.
    """

    complete: bool = field(
        default=False,
        kw_only=True,
        metadata={
            "help": "an input that a state lacks leaves it as it is and says nothing; else it does not apply there"
        },
    )
    merge: bool = field(
        default=False, kw_only=True, metadata={"help": "states that do the same, whatever the inputs, count as one"}
    )
    file: Path = field(converter=Path, metadata={"help": "the machine", "most_bytes": _MOST_BYTES})
    machine: Machine = field(init=False, repr=False, eq=False)

    # A file changes nothing in what is checked; without these it would be taken to.
    construction = MachineProblem.construction
    check_construction = MachineProblem.check_construction

    @machine.default
    def _machine_in_file(self) -> Machine:
        found = read_machine(Source(self.file, read_data_file(self.file, most_bytes=_MOST_BYTES)))
        if self.complete:
            found = completed(found)
        size = sum(map(len, found.values()))
        is_told_anyway = self._is_blind or self.question == "uio"
        if not self.merge and (is_told_anyway or size > _MOST_COMPARED):
            return found
        kept, same = merged(found)
        if same:
            state, others = next(iter(same)), f", and {len(same) - 1} more do like others" if len(same) > 1 else ""
            then = "nothing tells them apart, and --merge counts them as one"
            if self.merge:
                then = f"{len(kept)} of {len(found)} are left"
            does = f"{self.file.name}: state {quoted(state)} does what {quoted(same[state])} does{others}"
            warnings.warn(f"{does}; {then}", DataWarning, stacklevel=2)
        return kept if self.merge else found
