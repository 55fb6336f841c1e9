"""The command line: the only place that prints, prompts or exits. One command a file."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

__all__ = ["main", "program"]

# Exit codes, a contract.
SOLVED = HOLDS = 0
UNSOLVABLE = DOES_NOT_HOLD = 1
ERROR = 2
UNDECIDED = 3
INTERRUPTED = 130  # as a shell reports a program ended by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and exit; whatever goes wrong becomes one line on standard error."""
    sys.exit(_run_words(arguments))


def program() -> NoReturn:
    """`main` as a process of its own."""
    # A search makes millions of objects and hardly a cycle; to look for some takes seconds, all at once.
    gc.disable()
    # NumPy's linear algebra is not what we use of it; a thread for each core would reserve memory for nothing.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code = _run_words(None)
    with suppress(OSError, AttributeError):
        sys.stderr.flush()
    os._exit(code)  # at once: to free the tables of a large search, one object after the other, takes seconds


def _run_words(arguments: Sequence[str] | None) -> int:
    # No `list(...)` here: in this module that name becomes the command's module once it is imported.
    words = [*(sys.argv[1:] if arguments is None else arguments)]
    debug = "--debug" in words  # may stand anywhere
    try:
        return _run([word for word in words if word != "--debug"], debug)
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(words: list[str], debug: bool) -> int:
    import click

    from ..errors import BeliefSearchError, IdentityWarning
    from .app import app
    from .output import end_output, report_error, warnings_as_lines

    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # closed, or not the real one
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # TextIO lacks it

    code = ERROR
    if "_BELIEFSEARCH_COMPLETE" in os.environ:  # the shell asks for completions; click answers and exits
        app.main(words, prog_name="beliefsearch")
    try:
        # Not `app.main`, which has ideas of its own about closed pipes. Commands return their exit code.
        with warnings_as_lines(IdentityWarning), app.make_context("beliefsearch", words) as context:
            code = app.invoke(context) or SOLVED
    except click.exceptions.Exit as end:
        code = end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
    except click.ClickException as error:
        report_error(error.format_message(), error)
    except (KeyboardInterrupt, EOFError, click.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        code = SOLVED  # whoever read our output has had enough
    except (BeliefSearchError, OSError) as error:
        if debug:
            raise
        report_error(str(error), error)
    except Exception as error:
        if debug:
            raise
        report_error(f"this is a bug of beliefsearch: {type(error).__name__}: {error}; --debug shows where", error)
    return code if end_output() else ERROR
