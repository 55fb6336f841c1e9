"""An event loop in a thread of its own, whose work is waited for with an ear for limits and Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from multiprocessing import resource_tracker
from typing import Any, TypeVar

Result = TypeVar("Result")

# Seconds between two looks at the limits while something is waited for.
_BEAT = 0.05
_CAN_MASK = hasattr(signal, "pthread_sigmask")
# Seconds that what was cancelled may take to clean up.
_CLEANING = 10.0
# It cleans up after processes that are killed, which is as it should be, and nothing to tell of.
_TRACKED = "ignore:resource_tracker:UserWarning"


def _start_tracker() -> None:
    """Start what looks after the semaphores of workers, if it does not run yet; it keeps quiet."""
    sys.warnoptions.append(_TRACKED)  # with these options it is started
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(_TRACKED)


class Loop:
    """Runs coroutines; only the thread that waits for them hears limits and Ctrl-C.

    Processes that are started in it, and what these start, hear no Ctrl-C either: a terminal sends it to all of them,
    and it is their parent that ends them. What goes wrong in the background is not told: whoever waits hears of it.
    """

    def __init__(self) -> None:
        if _CAN_MASK:
            _start_tracker()  # if it were started in our thread it would open that for Ctrl-C
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda loop, context: None)
        self._begun: set[asyncio.Task[Any]] = set()
        self._thread = threading.Thread(target=self._run, name="beliefsearch cluster", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        if _CAN_MASK:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def begin(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Start a coroutine; cancelling what is returned cancels it."""
        return asyncio.run_coroutine_threadsafe(self._noted(coroutine), self._loop)

    async def _noted(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        task = asyncio.current_task()
        assert task is not None
        self._begun.add(task)
        try:
            return await coroutine
        finally:
            self._begun.discard(task)

    def result(self, begun: Future[Result], tick: Callable[[], None]) -> Result:
        """Wait for a coroutine that was begun, and call `tick` now and then; what it raises cancels the coroutine."""
        try:
            while not wait([begun], _BEAT).done:
                tick()
        except BaseException:
            begun.cancel()
            raise
        return begun.result()

    def close(self) -> None:
        """End the thread; what was begun and then cancelled has a while for cleaning up."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        if self._begun:
            await asyncio.wait(self._begun, timeout=_CLEANING)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=1)
        self._loop.stop()
