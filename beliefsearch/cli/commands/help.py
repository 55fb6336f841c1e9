"""`beliefsearch help`."""

from __future__ import annotations

import click

from ...errors import suggestion
from ...heuristics.registry import heuristics_of
from ...kinds import Kind
from ...planner.solver_table import solvers_of
from .. import SOLVED
from ..output import emit
from ..search_options import how_to_search

_KINDS = {
    "plain": "you see every state",
    "sensorless": "you perceive nothing",
    "contingent": "you perceive something",
    "stochastic": "results have probabilities",
    "partially observable": "and you do not see the state",
}


@click.command("help")
@click.argument("topic", required=False)
@click.pass_context
def command(ctx: click.Context, topic: str | None) -> int:
    """Explain a command, or, with the word `search`, the options of every command that searches."""
    program = ctx.find_root()
    group = program.command
    assert isinstance(group, click.Group)
    commands = group.list_commands(program)
    if topic is None:
        emit(group.get_help(program))
    elif topic == "search":
        emit(_on_searching(ctx))
    elif topic in commands:
        explained = group.get_command(program, topic)
        assert explained is not None
        emit(explained.get_help(click.Context(explained, parent=program, info_name=topic)))
    else:
        hint = suggestion(topic, [*commands, "search"]) or f"there are search, {', '.join(commands)}"
        raise click.UsageError(f"there is no help on {topic!r}; {hint}")
    return SOLVED


def _on_searching(ctx: click.Context) -> str:
    """The search options, and the solvers and heuristics for each kind of problem."""
    formatter = ctx.make_formatter()
    formatter.write("How to search: options of run, show, play, simulate, sweep, prove, explain and export.\n")
    with formatter.section("Options"):
        records = (option.get_help_record(ctx) for option in how_to_search())
        formatter.write_dl([record for record in records if record is not None])
    for thing, names_of in (("Solvers", solvers_of), ("Heuristics", heuristics_of)):
        with formatter.section(thing):
            named = ((kind, names_of(kind)) for kind in Kind)
            formatter.write_dl([(f"{kind.value} ({_KINDS[kind.value]})", ", ".join(n)) for kind, n in named if n])
    return formatter.getvalue().rstrip()
