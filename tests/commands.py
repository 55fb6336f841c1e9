"""The catalogue of what the commands can do, as text: `python -m tests.commands` writes `commands.txt` anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

import beliefsearch
from beliefsearch.cli.app import app
from beliefsearch.heuristics.registry import HEURISTICS
from beliefsearch.kinds import MISSING, Kind
from beliefsearch.model.hooks import HOOKS
from beliefsearch.planner.options import ENGINES, OBJECTIVES
from beliefsearch.planner.solver_table import ALIASES, SOLVERS
from beliefsearch.plans.proof_words import ARGUMENTS

FILE = Path(__file__).with_name("commands.txt")


def catalogue() -> str:
    """Return the catalogue, a line an option, a solver, a capability or a name."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    context = click.Context(app)
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        yield f"command {name}: {command.get_short_help_str(200)}"
        for parameter in command.params:
            yield f"  {' '.join(parameter.opts)}: {_about(parameter)}"
    yield ""
    for name, solver in SOLVERS.items():
        others = [alias for alias, of in ALIASES.items() if of == name]
        kinds = ", ".join(kind.value for kind in solver.functions)
        yield f"solver {name} ({kinds}), also {' and '.join(others) or 'nothing'}"
    yield from (f"heuristic {name}" for name in HEURISTICS)
    yield from (f"engine {name}" for name in ENGINES)
    yield from (f"objective {name}" for name in OBJECTIVES)
    yield from (f"claim {name}" for name in ARGUMENTS)
    yield from (f"hook {hook.__name__}" for hook in HOOKS)
    yield ""
    for capability, lacking in MISSING.items():
        there = ", ".join(kind.value for kind in Kind if kind not in lacking)
        yield f"can {capability}: {there or 'no kind'}"
    yield ""
    yield from (f"public {name}" for name in beliefsearch.__all__)


def _about(parameter: click.Parameter) -> str:
    choices = f" of {', '.join(map(str, parameter.type.choices))}" if isinstance(parameter.type, click.Choice) else ""
    help_text = getattr(parameter, "help", None) or ""
    is_flag = "flag" if getattr(parameter, "is_flag", False) else parameter.type.name
    return f"{is_flag}{choices}; {help_text}"


if __name__ == "__main__":
    FILE.write_text(catalogue(), encoding="utf-8")
