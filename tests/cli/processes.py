"""Commands in processes of their own, which find loaded what all of them need: no Python has to start for each."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

Result: TypeAlias = "subprocess.CompletedProcess[str]"

_SECONDS = 60

# It warms up with the commands that are its arguments; then for each line it reads it becomes two processes, of which
# one does what `python -m beliefsearch` does.
_STARTS_COMMANDS = """
import gc, json, os, resource, runpy, sys
from traceback import print_exc

sys.path.remove("")
from beliefsearch.cli import main

os.fsync = lambda fd: None  # no test of a command is about a power failure

answers, sys.stdout = sys.stdout, open(os.devnull, "w")
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit:
        pass
sys.stdout = answers
gc.freeze()  # what is loaded stays, and no command need look through it

for line in sys.stdin:
    folder, environment, out, err, words, limits, closed = json.loads(line)
    process = os.fork()
    if process == 0:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        for number, (name, mode) in enumerate([(os.devnull, os.O_RDONLY), (out, os.O_WRONLY), (err, os.O_WRONLY)]):
            os.dup2(os.open(name, mode), number)
        if closed:
            reader, writer = os.pipe()
            os.close(reader)
            os.dup2(writer, 1)
        for name, most in limits.items():
            resource.setrlimit(getattr(resource, name), (most, most))
        sys.path.insert(0, folder)
        sys.argv[1:] = words
        try:
            runpy.run_module("beliefsearch", run_name="__main__", alter_sys=True)
        except BaseException:
            print_exc()
        sys.stderr.flush()
        os._exit(99)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


class Starter:
    """Starts commands in the current folder, one after the other; what they print goes into files of `folder`."""

    def __init__(self, server: subprocess.Popen[str], folder: Path, limits: Mapping[str, int]) -> None:
        self._server = server
        self._limits = limits
        self._out, self._err = folder / "out", folder / "err"

    def __call__(self, *words: str, closed: bool = False) -> Result:
        """Run a command; where `closed`, nobody reads from the pipe that is its standard output."""
        for file in (self._out, self._err):
            file.write_bytes(b"")
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        request = [os.getcwd(), dict(os.environ), str(self._out), str(self._err), words, self._limits, closed]
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        if not select.select([self._server.stdout], [], [], _SECONDS)[0]:
            raise subprocess.TimeoutExpired(words, _SECONDS)
        code = int(self._server.stdout.readline())
        return subprocess.CompletedProcess(words, code, self._out.read_text(), self._err.read_text())


NO_FILE = ("verify", "a file that is not there")
"""Loads what all commands need, and no puzzle."""


@contextmanager
def starter(
    folder: Path, *, warm: Sequence[Sequence[str]] = (NO_FILE,), limits: Mapping[str, int] | None = None
) -> Iterator[Starter]:
    """A `Starter`, until the end of the block.

    What the commands of `warm` load, all find loaded. Each is held to the `limits`, such as `RLIMIT_CPU` in seconds.
    """
    with subprocess.Popen(
        [sys.executable, "-c", _STARTS_COMMANDS, json.dumps(warm)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as server:
        try:
            yield Starter(server, folder, limits or {})
        finally:
            os.killpg(server.pid, signal.SIGKILL)  # with a command that did not end


_INTERRUPTIBLE = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "


def interrupt(folder: Path, *words: str) -> tuple[int, str, str]:
    """Run a command, send it a Ctrl-C once it is under way, and give what it left."""
    code = _INTERRUPTIBLE + "from beliefsearch.cli import main; main(sys.argv[1:])"
    line = [sys.executable, "-c", code, *words]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            deadline = time.monotonic() + 20
            while not (folder / "under way").exists():
                assert time.monotonic() < deadline
                assert process.poll() is None, "it ended before it could be interrupted"
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=10)
        finally:
            process.kill()
    return process.returncode, out, err
