"""Automata of AALpy as problems: which state it is in, or how likely an output can be made.

    problem = from_aalpy(automaton, find="synchronizing")

An automaton is written as the file that its own `save` would write, and read like any other. AALpy itself is not
imported; `pip install 'beliefsearch[aalpy]'` brings it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import ProblemError
from ..plugins.loading import load_problem_class
from ..plugins.options import make_problem

_Outcomes = Callable[[Any, Any, Any], "list[tuple[Any, Any, Any]]"]
# By class: what may follow an input in a state, each a next state, an output or None, and a probability or None.
_OUTCOMES: dict[str, _Outcomes] = {
    "Dfa": lambda state, given, after: [(after, None, None)],
    "MooreMachine": lambda state, given, after: [(after, None, None)],
    "NDMooreMachine": lambda state, given, found: [(after, None, None) for after in found],
    "MealyMachine": lambda state, given, after: [(after, state.output_fun[given], None)],
    "Onfsm": lambda state, given, found: [(after, output, None) for output, after in found],
    "Mdp": lambda state, given, found: [(after, None, chance) for after, chance in found],
    "MarkovChain": lambda state, given, found: [(after, None, chance) for after, chance in found],
    "StochasticMealyMachine": lambda state, given, found: found,
}
_BY_CHANCE = ("Mdp", "MarkovChain", "StochasticMealyMachine")


def from_aalpy(automaton: Any, *, path: Path | None = None, **options: Any) -> Any:
    """A problem about an automaton of AALpy.

    Parameters
    ----------
    automaton
        A `Dfa`, `MooreMachine`, `NDMooreMachine`, `MealyMachine`, `Onfsm`, `Mdp`, `MarkovChain` or
        `StochasticMealyMachine`.
    path
        A file, to be written, that is kept: plans that are saved are verified by it. By default it is not kept.
    options
        Of the reader of such files: `find`, `preset`, `states` and so on. If there are probabilities, without `find`
        those of models of PRISM: `property`, `goal_label`, `costs`.

    Raises
    ------
    ProblemError
        If it is no finite automaton, has names that cannot be written, or refuses the options.

    Examples
    --------
    >>> from_aalpy("a word")
    Traceback (most recent call last):
    beliefsearch.errors.ProblemError: str is no finite automaton of AALpy; there are Dfa, MooreMachine, ...
    """
    classes = [cls.__name__ for cls in type(automaton).__mro__ if cls.__module__.partition(".")[0] == "aalpy"]
    kind = next((name for name in classes if name in _OUTCOMES), "")
    if not kind:
        known = ", ".join(_OUTCOMES)
        raise ProblemError(f"{type(automaton).__name__} is no finite automaton of AALpy; there are {known}")
    reader = load_problem_class("prism" if kind in _BY_CHANCE and "find" not in options else "dot")
    text = "\n".join(("digraph {", *_lines(automaton, kind), "}"))
    with TemporaryDirectory(prefix="beliefsearch-") as folder:
        path = path or Path(folder) / f"{kind}.dot"
        path.write_text(text, encoding="utf-8")
        return make_problem(reader, {"file": str(path), **options})  # which reads the file at once


def _lines(automaton: Any, kind: str) -> Iterator[str]:
    """The states with what they show, and the transitions."""
    called: dict[tuple[str, str], Any] = {}

    def name(thing: Any, what: str) -> str:
        text = " ".join(str(thing).split())
        if called.setdefault((what, text), thing) != thing:
            raise ProblemError(f"two {what}s are called {text!r:.60}; give them other names")
        return text

    yield f"__start0 -> {_quoted(name(automaton.initial_state.state_id, 'state'))};"
    for state in automaton.states:
        tail = _quoted(name(state.state_id, "state"))
        if kind == "Dfa":
            yield f"{tail} [shape={'doublecircle' if state.is_accepting else 'circle'}];"
        elif hasattr(state, "output"):
            bar = "|" if kind.endswith("MooreMachine") else ""
            yield f"{tail} [shape={'record' if bar else 'box'}, label={_quoted(bar + name(state.output, 'output'))}];"
        moves = {"step": state.transitions} if kind == "MarkovChain" else state.transitions
        for given, found in moves.items():
            put = name(given, "input")
            for after, output, chance in _OUTCOMES[kind](state, given, found):
                if "/" in put:
                    raise ProblemError(f"the input {put!r:.60} has a slash, which parts inputs from outputs; rename it")
                said = "" if output is None else f"/{name(output, 'output')}"
                weight = "" if chance is None else f":{float(chance)!r}"
                yield f"{tail} -> {_quoted(name(after.state_id, 'state'))} [label={_quoted(put + said + weight)}];"


def _quoted(text: str) -> str:
    """A text as a name or a label of a graph."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
