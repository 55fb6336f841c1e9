"""A server of the Model Context Protocol: agents list, describe, solve, check, explain and export problems.

Each call is a command in a process of its own, with limits on its time and memory, in one folder: it reads and writes
files there only, and runs no code that is not installed. `pip install 'beliefsearch[mcp]'` brings the protocol.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass  # its fields become the schema of a tool's answer
from importlib import import_module
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryFile
from typing import IO, Any

import anyio
import psutil
from attrs import define, field
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from .. import __version__
from ..errors import suggestion
from ..plugins.installed import READ, given_by, list_problems, list_readers
from .options import limits_of

Options = dict[str, bool | int | float | str | list[str]]
"""Options of a problem by name, as `describe` lists them: `{"n": 4}`."""

_MEANINGS = {
    0: "solved, or it holds",
    1: "proved unsolvable, or it does not hold",
    3: "undecided: a limit was reached",
}
_ERROR = 2
_LONGEST = 200_000  # letters of an answer
_GRACE = 10.0  # seconds that a command has to end by itself after its limit


@dataclass
class Answer:
    """Result of a command: its exit code and meaning, and its output, as a document where it has one."""

    exit_code: int
    meaning: str
    output: Any
    messages: str


@define
class Workplace:
    """The folder in which commands run, and the most that one may take; as many run at once as there are cores."""

    folder: Path
    seconds: float
    memory: int | None
    _places: anyio.Semaphore | None = field(init=False, default=None)

    async def call(self, command: str, words: Sequence[str], seconds: float | None = None) -> Answer:
        """Run a command; one that has limits hears them, and any is ended a little later.

        Raises `ToolError` with what it says if that is an error, as for arguments that no command is given.
        """
        seconds = self.seconds if seconds is None else seconds
        if not 0 < seconds <= self.seconds:
            raise ToolError(f"seconds are {seconds:g}; this server allows more than 0 and at most {self.seconds:g}")
        limits = list[str]()
        if "--time-limit" in _flags(command):
            limits = [f"--time-limit={seconds}", f"--memory-limit={limits_of(None, self.memory).memory or 10**15}"]
        with TemporaryFile() as output, TemporaryFile() as messages:
            whole = [sys.executable, "-P", "-m", "beliefsearch", command, *limits, *words]
            code = await self._ended(whole, seconds + _GRACE, output, messages)
            said = _text(messages)
            if code is None:
                return Answer(3, _MEANINGS[3], None, f"{said}it did not end within {seconds:g} s and was stopped")
            if code == _ERROR:
                told = " ".join((said.partition("error: ")[2] or said).split())
                raise ToolError(
                    re.sub("`[a-z]+` has --.*; --help lists all", "`describe` lists those of the problem", told)
                )
            return Answer(code, _MEANINGS.get(code, "it was interrupted"), _document(_text(output)), said)

    async def _ended(self, words: Sequence[str], seconds: float, output: IO[bytes], messages: IO[bytes]) -> int | None:
        """Return the exit code of a process; None if it was stopped, as it also is when the caller gives up."""
        self._places = self._places or anyio.Semaphore(os.cpu_count() or 1)
        async with self._places:
            try:
                process = await anyio.open_process(
                    words, stdin=DEVNULL, stdout=output, stderr=messages, cwd=self.folder, start_new_session=True
                )
            except (OSError, ValueError) as error:  # with a null byte, or too long
                raise ToolError(f"the arguments are none for a command: {error}") from None
            try:
                with anyio.move_on_after(seconds):
                    return await process.wait()
                return None
            finally:
                _kill(process.pid)
                with anyio.CancelScope(shield=True):
                    await process.wait()

    def problem(self, command: str, problem: str, options: Mapping[str, Any]) -> list[str]:
        """Return a problem and its options as words; raises `ToolError` if they are not for this place."""
        names = [listing.name for listing in (*list_problems(), *list_readers())]
        if problem not in names:
            given = given_by(problem)
            if not given:
                hint = suggestion(problem, names) or "`list_problems` names all"
                hint = "Python files are not run here" if problem.endswith(".py") else hint
                raise ToolError(f"{problem!r:.80} is neither installed nor a file that a reader reads; {hint}")
            problem = self.file(problem) if READ in given else problem
        words = [problem]
        for name, value in options.items():
            flag = f"--{name.replace('_', '-')}"
            if not re.fullmatch("--[a-z][a-z0-9-]*", flag) or flag in _flags(command):
                raise ToolError(f"{name!r:.80} is no option of a problem; `describe` lists them")
            if isinstance(value, bool):
                words.append(flag if value else f"--no-{flag[2:]}")
                continue
            words.extend(f"{flag}={text}" for text in map(str, value if isinstance(value, list) else [value]))
        for word in words[1:]:
            for part in word.split("=")[1:]:
                self.file(part)  # options may name files
        return words

    def file(self, name: str) -> str:
        """Return the path of a file in the folder; raises `ToolError` if it would lie elsewhere."""
        try:
            path = (self.folder / name).resolve()
        except (OSError, ValueError, RuntimeError):  # too long, or with a null byte; or links that go round
            raise ToolError(f"{name!r:.80} cannot be the name of a file") from None
        if not path.is_relative_to(self.folder.resolve()):
            raise ToolError(
                f"{name!r:.80} is outside of the folder of this server; name a file in it, by a relative path"
            )
        return f".{os.sep}{path.relative_to(self.folder.resolve())}"


class _Server(MCPServer[None]):
    """A server that drops no argument: without it another question would be answered."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        known = {tool.name: tool.input_schema["properties"] for tool in await self.list_tools()}.get(name, arguments)
        for argument in arguments.keys() - known:
            hint = suggestion(argument, known) or "options of a problem stand in `options`"
            raise ToolError(f"{name} has no argument {argument!r:.80}; {hint}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                wrong = error.__cause__.errors()[0]
                raise ToolError(f"{'.'.join(map(str, wrong['loc']))!r:.80}: {wrong['msg']}") from None
            raise


def server(workplace: Workplace) -> MCPServer[None]:
    """Return a server whose tools are commands."""
    made = _Server("beliefsearch", instructions=__doc__, version=__version__, log_level="WARNING")

    @made.tool()
    async def list_problems() -> Answer:
        """List the installed problems and the readers of files, a line each."""
        return await workplace.call("list", [])

    @made.tool()
    async def describe(problem: str, options: Options | None = None) -> Answer:
        """Tell the story of a problem, its formal model, known answers and options. A file is named by its path."""
        return await workplace.call("describe", workplace.problem("describe", problem, options or {}))

    @made.tool()
    async def run(
        problem: str,
        options: Options | None = None,
        objective: str | None = None,
        horizon: int | None = None,
        solver: str | None = None,
        certificate: str | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Solve a problem; `certificate` names a file for the plan with a proof, which `verify` checks."""
        words = workplace.problem("run", problem, options or {})
        words += _given(objective=objective, horizon=horizon, solver=solver)
        words += [] if certificate is None else [f"--certificate={workplace.file(certificate)}"]
        return await workplace.call("run", [*words, "--format=json", "--quiet"], seconds)

    @made.tool()
    async def verify(
        file: str, problem: str | None = None, options: Options | None = None, seconds: float | None = None
    ) -> Answer:
        """Check a saved plan or certificate; with `problem` also the plan of another planner, as text."""
        words = [workplace.file(file)]
        if problem is not None:
            words += ["--problem", *workplace.problem("verify", problem, options or {})]
        return await workplace.call("verify", words, seconds)

    @made.tool()
    async def explain(problem: str, options: Options | None = None, seconds: float | None = None) -> Answer:
        """Explain why the plan of a problem works, or how the adversary wins."""
        return await workplace.call(
            "explain", [*workplace.problem("explain", problem, options or {}), "--quiet"], seconds
        )

    @made.tool()
    async def export(problem: str, output: str, options: Options | None = None, seconds: float | None = None) -> Answer:
        """Write the graph of beliefs, a picture or a page to a file, in the format that its ending names."""
        words = [*workplace.problem("export", problem, options or {}), f"--output={workplace.file(output)}", "--quiet"]
        return await workplace.call("export", words, seconds)

    return made


def stop() -> None:
    """End all commands that run, with what they have started, and also one that is only just being started."""
    for process in psutil.Process().children():
        _kill(process.pid)


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            os.kill(process, signal.SIGTERM)
        else:
            os.killpg(process, signal.SIGKILL)  # with what it has started


def _given(**values: Any) -> Iterator[str]:
    return (f"--{name}={value}" for name, value in values.items() if value is not None)


def _flags(command: str) -> set[str]:
    """Return the options of a command that are not those of a problem."""
    found = import_module(f".commands.{command}", __package__).command
    return {flag for param in found.params for flag in (*param.opts, *param.secondary_opts)} | {"--help", "--debug"}


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    text = stream.read(4 * _LONGEST).decode(errors="replace")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}\n... and more: name a file for it\n"


def _document(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
