"""Automata of AALpy as problems: find the current state, or make an output as likely as possible.

    problem = from_aalpy(automaton, find="synchronizing")

`pip install 'beliefsearch[aalpy]'` brings the library, which is imported when it is needed.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import ProblemError
from ..plugins.loading import load_problem_class
from ..plugins.options import make_problem

_CERTAIN = ("Dfa", "MooreMachine", "NDMooreMachine", "MealyMachine", "Onfsm")
_BY_CHANCE = ("Mdp", "StochasticMealyMachine", "MarkovChain")


def from_aalpy(automaton: Any, *, path: Path | None = None, **options: Any) -> Any:
    """Return a problem about an automaton of AALpy, which is written to a file and read by the reader of such files.

    Parameters
    ----------
    automaton
        A `Dfa`, `MooreMachine`, `NDMooreMachine`, `MealyMachine`, `Onfsm`, `Mdp`, `StochasticMealyMachine` or
        `MarkovChain`.
    path
        The file to write, which a saved plan needs to be verified later. By default the file is temporary.
    options
        Options of the reader: `find`, `preset`, `states` and so on. An automaton with probabilities is read as a model
        of PRISM unless there is `find`; its options are `property`, `goal_label` and `costs`.

    Raises
    ------
    ModuleNotFoundError
        If AALpy is not installed.
    ProblemError
        If the object is no finite automaton, has names that cannot be written, or does not have the options.
    """
    try:
        from aalpy.utils import save_automaton_to_file
    except ModuleNotFoundError:
        raise ModuleNotFoundError("AALpy is not installed; pip install 'beliefsearch[aalpy]'") from None
    kind = type(automaton).__name__
    if kind not in (*_CERTAIN, *_BY_CHANCE):
        known = ", ".join((*_CERTAIN, *_BY_CHANCE))
        raise ProblemError(f"{kind} is no finite automaton of AALpy; there are {known}")
    inputs = {given for state in automaton.states for given in state.transitions} if kind != "MarkovChain" else ()
    for given in inputs:
        if "/" in str(given):  # the file separates inputs from outputs by a slash
            raise ProblemError(f"the input {given!r:.60} has a slash, which parts inputs from outputs; rename it")
    text = save_automaton_to_file(automaton, file_type="string")
    reader = load_problem_class("prism" if kind in _BY_CHANCE and "find" not in options else "dot")
    with TemporaryDirectory(prefix="beliefsearch-") as folder:
        path = path or Path(folder) / f"{kind}.dot"
        path.write_text(text, encoding="utf-8")
        return make_problem(reader, {"file": str(path), **options})  # reads the file before the folder is deleted
