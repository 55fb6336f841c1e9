"""The program and its commands; a command's file is imported when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from .. import __version__
from ..errors import suggestion

# The summaries stand here so that --help need not import every command.
_COMMANDS = {
    "list": "The puzzles that are installed.",
    "describe": "A puzzle's story, model, source, known answers and options.",
    "run": "Solve a puzzle and print the plan.",
    "identify": "Which tests tell, one after the other, which hypothesis of a matrix holds.",
    "plans": "How many shortest plans there are; all of them, or some by lot.",
    "show": "The belief after every action of the plan, as a table.",
    "belief": "Which states are possible after given actions and percepts, and how likely.",
    "play": "Play a puzzle yourself, or watch the plan against chance.",
    "simulate": "Many games of the plan against chance, and how long they took.",
    "explore": "How many states or beliefs there are at each distance.",
    "analyse": "What there is in the graph of beliefs: layers, optimal plans, bottlenecks.",
    "sweep": "A table of many instances: the answer, the size and the time of each.",
    "prove": "Find a proof of the answer that can be checked without trusting the search.",
    "explain": "Why the plan works, or how the adversary wins.",
    "verify": "Check a saved plan or certificate, trusting nothing that produced it.",
    "view": "Look at a puzzle in the browser: its graph, its plan step by step; and play it.",
    "export": "Write the graph of beliefs to a file, or the page that `view` shows.",
    "check": "Does a puzzle keep the rules?",
    "mcp": "Serve agents by the Model Context Protocol.",
    "new": "Write a small working puzzle to start from.",
    "help": "Explain a command, or how to search: `help search`.",
}


class _Program(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS and ctx.resilient_parsing:
            return None  # a shell asks what might follow
        if cmd_name not in _COMMANDS:
            hint = suggestion(cmd_name, _COMMANDS) or f"there are {', '.join(_COMMANDS)}"
            raise click.UsageError(f"there is no command {cmd_name!r}; {hint}")
        command: click.Command = import_module(f".commands.{cmd_name}", __package__).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.command(
    cls=_Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="PROBLEM is an installed name, a file such as ./turnstile.py, or module:ClassName. "
    "Exit codes: 0 solved or answered, 1 proved unsolvable, or what `verify` or `check` looks at "
    "does not hold (of a property of a model that is an answer, and 0), 2 error, 3 undecided. "
    "--debug before the command shows the traceback of an error.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def app() -> None:
    """Search when you cannot see everything: solve puzzles, check the plans, look at the beliefs."""
