"""`beliefsearch mcp`."""

from __future__ import annotations

import gc
import os
import signal
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

import click

from ...errors import BeliefSearchError
from ..options import limit_options


@click.command("mcp")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The folder whose files calls may read and write  [default: the current one]",
)
@limit_options
def command(folder: Path, time_limit: float | None, memory_limit: int | None) -> None:
    """Serve agents by the Model Context Protocol, on standard input and output, until these are closed.

    The tools are list_problems, describe, run, verify, explain and export. Each call is a command in a process of its
    own, with limits: by default 60 seconds. Only installed problems and files in the folder are opened.
    """
    if find_spec("mcp") is None:
        raise BeliefSearchError("the protocol is not installed: pip install 'beliefsearch[mcp]'")
    from ..mcp_server import Workplace, server, stop

    workplace = Workplace(folder.resolve(), time_limit or 60.0, memory_limit)

    def end(number: int, frame: FrameType | None) -> None:
        stop()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    gc.enable()  # a server is no search: it may run for days
    server(workplace).run("stdio")
