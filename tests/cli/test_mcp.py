"""The server of the Model Context Protocol: its calls are commands, with limits, in one folder."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import psutil
import pytest

pytest.importorskip("mcp")

import anyio
from mcp.client.client import Client

from beliefsearch.cli.mcp_server import Workplace, server

from ..waiting import once_begun

_PLUGIN = "from pathlib import Path\nPath('ran').touch()\n"


def _called(folder: Path, *calls: tuple[str, Mapping[str, Any]], seconds: float = 60.0) -> list[Any]:
    """What calls say: the answer of each, or the text of the error."""

    async def talk() -> list[Any]:
        said = []
        async with Client(server(Workplace(folder, seconds, None))) as client:
            assert len((await client.list_tools()).tools) == 6
            for tool, arguments in calls:
                result = await client.call_tool(tool, dict(arguments))
                said.append(result.content[0].text if result.is_error else result.structured_content)  # type: ignore[union-attr]  # errors are texts
        return said

    with ThreadPoolExecutor(1) as other:  # a browser of other tests may have a loop in this thread
        return other.submit(anyio.run, talk).result()


def test_an_agent_solves_checks_and_looks(tmp_path: Path) -> None:
    coin = {"problem": "devil", "options": {"n": 2, "canonical": False}}
    listed, told, solved, checked, none, written = _called(
        tmp_path,
        ("list_problems", {}),
        ("describe", {"problem": "devil"}),
        ("run", {**coin, "certificate": "coin.json"}),
        ("verify", {"file": "coin.json"}),
        ("explain", {"problem": "devil", "options": {"n": 3}}),
        ("export", {**coin, "output": "coin.dot"}),
    )
    assert "devil" in listed["output"]
    assert "--n" in told["output"]
    assert (solved["exit_code"], solved["output"]["cost"], solved["output"]["parameters"]["canonical"]) == (0, 3, False)
    assert "the proof holds: no plan costs less than 3" in checked["output"]
    assert (none["exit_code"], none["meaning"]) == (1, "proved unsolvable, or it does not hold")
    assert written["exit_code"] == 0
    assert "digraph" in (tmp_path / "coin.dot").read_text()


def test_nothing_outside_of_the_folder_is_opened_and_no_code_that_is_not_installed_runs(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "plugin.py").write_text(_PLUGIN)
    (tmp_path / "plan.json").write_text("{}")
    (folder / "link.json").symlink_to(tmp_path / "plan.json")
    (tmp_path / "domain.pddl").write_text("(define (domain d) (:predicates (p)))")
    (folder / "domain.pddl").symlink_to(tmp_path / "domain.pddl")
    (folder / "linked.pddl").write_text("(define (problem q) (:domain d) (:init) (:goal (p)))")
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("run", {"problem": "plugin.py"}, "neither installed nor a file that a reader reads"),
        ("run", {"problem": "plugin:P"}, "neither installed nor a file that a reader reads"),
        ("run", {"problem": "devill"}, "did you mean 'devil'?"),
        ("run", {"problem": "../m.nm"}, "outside of the folder"),
        ("run", {"problem": "gym:os:path"}, "would import a module"),
        ("run", {"problem": "devil", "objective": "\0"}, "the arguments are none for a command"),
        ("run", {"problem": "devil", "options": {"help": True}}, "no option of a problem"),
        ("verify", {"file": "../plan.json"}, "outside of the folder"),
        ("verify", {"file": "link.json"}, "outside of the folder"),
        ("verify", {"file": "x\0"}, "cannot be the name of a file"),
        ("verify", {"file": "plan.json", "problem": "./plugin.py"}, "neither installed"),
        ("run", {"problem": "devil", "certificate": str(tmp_path / "c.json")}, "outside of the folder"),
        ("export", {"problem": "devil", "output": "../d.dot"}, "outside of the folder"),
        ("run", {"problem": "devil", "options": {"store": "x"}}, "no option of a problem"),
        ("run", {"problem": "devil", "options": {"n=3 --store": "x"}}, "no option of a problem"),
        ("run", {"problem": "reset-word", "options": {"automaton": "/etc/hostname"}}, "outside of the folder"),
        ("run", {"problem": "nm", "options": {"file": "m.nm", "const": "N=/etc/hostname"}}, "outside of the folder"),
        ("run", {"problem": "devil", "seconds": 61}, "at most 60"),
        ("run", {"problem": "devil", "options": {"canonicl": True}}, "tool run: No such option '--canonicl'"),
        ("run", {"problem": "devil", "options": {"m": 4}}, "'--m'. `describe` lists those of the problem"),
        ("run", {"problem": "devil", "n": 2}, "run has no argument 'n'; options of a problem stand in `options`"),
        ("run", {"problem": "devil", "second": 2}, "did you mean 'seconds'?"),
        ("run", {}, "'problem': Field required"),
        ("run", {"problem": "devil", "options": "n=2"}, "'options': Input should be a valid dictionary"),
        ("run", {"problem": "devil", "options": {"n": "x"}}, "'x' is not a valid integer"),
        ("run", {"problem": "linked.pddl"}, "no file beside it with its domain"),
    ]
    said = _called(folder, *((tool, arguments) for tool, arguments, _ in calls))
    for (_, _, expected), text in zip(calls, said, strict=True):
        assert isinstance(text, str)  # of the tool, and no answer
        assert expected in text
        assert "\n" not in text
    names = ["domain.pddl", "domain.pddl", "folder", "link.json", "linked.pddl", "plan.json", "plugin.py"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == names


def test_as_many_calls_run_at_once_as_there_are_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    workplace = Workplace(tmp_path, 60.0, None)
    running: set[int] = set()
    at_once: list[int] = []

    class Waiting:
        """In place of a process: it ends when all have had their turn."""

        def __init__(self, number: int) -> None:
            self.pid = number
            running.add(number)

        async def wait(self) -> int:
            at_once.append(len(running))
            await anyio.lowlevel.checkpoint()
            return 0

    async def opened(*_: Any, **__: Any) -> Waiting:
        return Waiting(next(numbers))

    async def talk() -> None:
        async with anyio.create_task_group() as calls:
            for _ in range(6):
                calls.start_soon(workplace.call, "list", [])

    numbers = count(10**9)
    monkeypatch.setattr(anyio, "open_process", opened)
    monkeypatch.setattr("beliefsearch.cli.mcp_server._kill", running.discard)
    with ThreadPoolExecutor(1) as other:
        other.submit(anyio.run, talk).result()
    assert max(at_once) == 2
    assert len(at_once) == 12  # each is waited for twice
    assert not running


def test_a_call_hears_its_limit_and_says_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.cli.mcp_server._GRACE", 60.0)

    def bounded(seconds: float) -> Any:
        question = {"problem": "reset-word", "options": {"random": 900}, "seconds": seconds}
        return _called(tmp_path, ("run", question))[0]

    answer = once_begun(lambda answer: answer["output"] and answer["output"]["lower_bound"] >= 1, bounded, 1.0)
    assert (answer["exit_code"], answer["output"]["status"]) == (3, "undecided")
    assert answer["output"]["lower_bound"] >= 1


def test_a_command_that_does_not_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.cli.mcp_server._GRACE", 0.0)
    (answer,) = _called(tmp_path, ("describe", {"problem": "devil"}), seconds=0.01)
    assert answer["exit_code"] == 3
    assert "was stopped" in answer["messages"]


# The signal comes as soon as the process of a command is there, before its number is known to anybody.
_ENDED = """
import os, signal, sys
from pathlib import Path
import anyio
from beliefsearch.cli import main

opened = anyio.open_process
async def open_process(*words, **options):
    process = await opened(*words, **options)
    Path("started").write_text(str(process.pid))
    signal.raise_signal(signal.SIGTERM)
    return process
anyio.open_process = open_process
main(["mcp"])
"""


def test_no_command_outlives_the_server(folder: Path) -> None:
    hello = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    call = {"name": "run", "arguments": {"problem": "reset-word", "options": {"random": 900}}}
    with subprocess.Popen(
        [sys.executable, "-c", _ENDED], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as started:
        assert started.stdin is not None
        for number, (method, what) in enumerate((("initialize", hello), ("tools/call", call))):
            line = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": what})
            print(line, file=started.stdin, flush=True)
        assert started.wait(120) == 128 + signal.SIGTERM
    with suppress(psutil.NoSuchProcess):
        command = psutil.Process(int((folder / "started").read_text()))
        command.wait(20)
