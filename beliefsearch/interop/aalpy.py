"""Automata of AALpy as problems: which state one is in, or how likely an output can be made.

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
    """A problem about an automaton of AALpy, which is written as a file and read like any other.

    Parameters
    ----------
    automaton
        A `Dfa`, `MooreMachine`, `NDMooreMachine`, `MealyMachine`, `Onfsm`, `Mdp`, `StochasticMealyMachine` or
        `MarkovChain`.
    path
        A file, to be written, that is kept: plans that are saved are verified by it. By default it is not kept.
    options
        Of the reader of such files: `find`, `preset`, `states` and so on. If there are probabilities, without `find`
        those of models of PRISM: `property`, `goal_label`, `costs`.

    Raises
    ------
    ModuleNotFoundError
        Without the library.
    ProblemError
        If it is no finite automaton, has names that cannot be written, or refuses the options.
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
        if "/" in str(given):  # it would be taken for an output, if there are none
            raise ProblemError(f"the input {given!r:.60} has a slash, which parts inputs from outputs; rename it")
    text = save_automaton_to_file(automaton, file_type="string")
    reader = load_problem_class("prism" if kind in _BY_CHANCE and "find" not in options else "dot")
    with TemporaryDirectory(prefix="beliefsearch-") as folder:
        path = path or Path(folder) / f"{kind}.dot"
        path.write_text(text, encoding="utf-8")
        return make_problem(reader, {"file": str(path), **options})  # which reads the file at once
