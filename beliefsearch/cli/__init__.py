"""The command line: the only place that prints, prompts or exits. One command a file."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from types import FrameType
from typing import NoReturn

# Exit codes, a contract.
SOLVED = HOLDS = 0
UNSOLVABLE = DOES_NOT_HOLD = 1
ERROR = 2
UNDECIDED = 3
CODES = {"solved": SOLVED, "unsolvable": UNSOLVABLE, "undecided": UNDECIDED}
INTERRUPTED = 130  # as a shell reports a program ended by Ctrl-C

_HEARD = (signal.SIGINT, signal.SIGTERM)
"""Signals of which a command that hears them cleans up what was begun."""

# Seconds until Ctrl-C is tried again.
_MOMENT = 0.05
# Seconds after which a second one means that the first did not help; some programs pass on one as two.
_PATIENCE = 0.5

_interrupted = inf
"""When the command was interrupted, by the clock; infinite if it was not."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and exit; whatever goes wrong becomes one line on standard error."""
    before = [*sys.path]  # no `list(...)` here, see below
    handlers = {number: signal.getsignal(number) for number in _HEARD}
    _forget_current_folder()
    try:
        code = _run_words(arguments)
    finally:
        sys.path[:] = before
        for number, handler in handlers.items() if threading.current_thread() is threading.main_thread() else ():
            if signal.getsignal(number) is _interrupt:  # it would end the caller's process at the caller's next one
                signal.signal(number, handler)
    sys.exit(code)


def program() -> NoReturn:
    """`main` as a process of its own."""
    if callable(signal.getsignal(signal.SIGINT)):  # else whoever started us wants it ignored
        # While things are being imported an exception would be lost, or become another: Ctrl-C ends all at once.
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    _forget_current_folder()
    # A search makes millions of objects and hardly a cycle; to look for some takes seconds, all at once.
    gc.disable()
    # NumPy's linear algebra is not what we use of it; a thread for each core would reserve memory for nothing.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code = _run_words(None)
    with suppress(OSError, AttributeError):
        sys.stderr.flush()
    os._exit(code)  # at once: to free the tables of a large search, one object after the other, takes seconds


def hear_interrupts() -> None:
    """Let Ctrl-C raise KeyboardInterrupt from now on; the command then prints what it has found so far."""
    from ..running import alarm  # noqa: F401  # which the handler needs at once

    global _interrupted
    _interrupted = inf
    if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
        for number in _HEARD:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but only after an import in progress, whose library might swallow it.

    If it is swallowed all the same, by an author's `except:`, the next signal ends the process.
    """
    from ..running.alarm import is_importing

    global _interrupted
    if monotonic() > _interrupted + _PATIENCE:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    if not is_importing(frame):
        _interrupted = min(_interrupted, monotonic())
        raise KeyboardInterrupt
    again = threading.Timer(_MOMENT, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()


def _forget_current_folder() -> None:
    """Import nothing from the current folder, except what the user names.

    An interpreter has it as an empty entry. So has `PYTHONPATH`, often by mistake; Python makes its parts absolute,
    and they are recognised by the value of the variable.
    """
    sys.path[:] = [entry for entry in sys.path if os.path.isabs(entry)]
    if sys.flags.ignore_environment or "PYTHONPATH" not in os.environ:
        return
    for part in os.environ["PYTHONPATH"].split(os.pathsep):
        if not os.path.isabs(part) and os.path.abspath(part) in sys.path:
            sys.path.remove(os.path.abspath(part))


def _run_words(arguments: Sequence[str] | None) -> int:
    # No `list(...)` here: in this module that name becomes the command's module once it is imported.
    words = [*(sys.argv[1:] if arguments is None else arguments)]
    named = next((place for place, word in enumerate(words) if not word.startswith("-")), len(words))
    # `--debug` may stand anywhere; but behind `show` it is an option of that command, which looks at one state.
    of_show = named if words[named:][:1] == ["show"] else len(words)
    before = [word for word in words[:of_show] if word != "--debug"]
    try:
        return _run([*before, *words[of_show:]], "--debug" in words[:of_show])
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(words: list[str], debug: bool) -> int:
    import click

    from ..errors import BeliefSearchError, BeliefSearchWarning
    from ..running.alarm import Stopped
    from .app import app
    from .output import end_output, in_words, message, report_error, warnings_as_lines

    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # closed, or not the real one
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # TextIO lacks it

    code = ERROR
    if "_BELIEFSEARCH_COMPLETE" in os.environ:  # the shell asks for completions; click answers and exits
        app.main(words, prog_name="beliefsearch")
    try:
        # Not `app.main`, which has ideas of its own about closed pipes. Commands return their exit code.
        with warnings_as_lines(BeliefSearchWarning), app.make_context("beliefsearch", words) as context:
            code = app.invoke(context) or SOLVED
    except click.exceptions.Exit as end:
        code = end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
    except Stopped as stop:
        message(f"beliefsearch: undecided, {stop.reason}")
        code = UNDECIDED
    except click.ClickException as error:
        report_error(error.format_message(), error)
    except (KeyboardInterrupt, EOFError, click.Abort):
        code = INTERRUPTED
    except MemoryError:
        message("beliefsearch: undecided, memory ran out")
        code = UNDECIDED
    except BrokenPipeError:
        code = SOLVED  # whoever read our output has had enough
    except Exception as error:
        if debug:
            from traceback import print_exception

            print_exception(error)
        bug = f"this is a bug of beliefsearch: {type(error).__name__}: {error}; --debug shows where"
        report_error(in_words(error) if isinstance(error, (BeliefSearchError, OSError)) else bug, error)
        from ..errors import DoesNotHoldError

        code = DOES_NOT_HOLD if isinstance(error, DoesNotHoldError) else ERROR
    return code if end_output() else ERROR
