"""`beliefsearch view`."""

from __future__ import annotations

from pathlib import Path

import click

from ...errors import BeliefSearchError
from .. import SOLVED
from ..options import FILE, Whole
from ..output import check_writable, message, write_file
from ..plan_source import plan_option
from ..problem_command import ProblemCommand
from ..renderers.exports import page_text
from ..search_options import search_options
from ..selected_problem import Asked


@click.command("view", cls=ProblemCommand)
@search_options
@plan_option
@click.option("--output", type=FILE, help="The file to write; by default one among the temporary files.")
@click.option("--no-browser", is_flag=True, help="Write the page and open no browser.")
@click.option("--no-plan", is_flag=True, help="Do not search for a plan.")
@click.option("--max-nodes", type=Whole(1), metavar="N", help="A graph of the page has at most N nodes.")
def command(asked: Asked, output: Path | None, no_browser: bool, no_plan: bool, max_nodes: int | None) -> int:
    """Look at PROBLEM in the browser: its graph, its plan step by step, and the game to play yourself.

    The page is one file, which works without a network: `export --format html` writes the same.

    Exit code 2: there is no browser; 3: a limit was reached before the page was made.
    """
    check_writable(output, asked.inputs())
    text = page_text(asked, no_plan=no_plan, max_nodes=max_nodes)
    path = (_temporary(asked.reference) if output is None else output).resolve()
    write_file(path, text)
    if no_browser:
        message(f"{path}: the page")
        return SOLVED
    import webbrowser

    if not webbrowser.open(path.as_uri()):
        raise BeliefSearchError(f"there is no browser to show the page; it is the file {str(path)!r}")
    message(f"{path}: the page, in the browser")
    return SOLVED


def _temporary(reference: str) -> Path:
    """Return a new temporary file, which stays: the browser reads it after we have ended."""
    import os
    import re
    import tempfile

    name = re.sub(r"\W+", "-", Path(reference).stem).strip("-")[:40]
    descriptor, path = tempfile.mkstemp(prefix=f"beliefsearch-{name}-", suffix=".html")
    os.close(descriptor)
    return Path(path)
