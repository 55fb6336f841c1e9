"""Compiling the kernels with Numba, cached on disk if possible."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from pickle import UnpicklingError
from shutil import rmtree
from tempfile import TemporaryFile
from types import FrameType
from typing import Any, TypeVar, cast

from ...running.alarm import alarm_put_off
from ...running.observer import preparing

_Function = TypeVar("_Function", bound=Callable[..., object])

_SETTINGS = Path(".numba_config.yaml")
# For products of matrices, which no kernel has: where the compiler finds it, it is loaded with what is known of arrays.
_ALGEBRA = "scipy.linalg"


@contextmanager
def _as_if_missing(*modules: str) -> Iterator[None]:
    """Make `import` fail for those of the modules that are not loaded already."""
    hidden = [module for module in modules if module not in sys.modules]
    for module in hidden:
        sys.modules[module] = None  # type: ignore[assignment]  # what Python itself takes for "not to be found"
    try:
        yield
    finally:
        for module in hidden:
            del sys.modules[module]


# Numba loads SciPy to look at its version, and a reader of YAML for settings that hardly any folder has. To load them
# takes longer than many a search.
with _as_if_missing("scipy", *(["yaml"] if not _SETTINGS.exists() else [])):
    from numba import config, njit
    from numba.core.caching import NullCache
    from numba.core.runtime.nrt import rtsys
    from numba.misc.appdirs import AppDirs


_SETTING: Any = config
_APP: Any = AppDirs("beliefsearch", False)  # type: ignore[no-untyped-call]


def _load_arrays() -> None:
    """Load what the compiler knows of arrays."""
    with _as_if_missing(_ALGEBRA):
        import numba.np.arraymath  # noqa: F401  # loaded here for what it does not load


def _without_interrupt(compiled: Any) -> Callable[[Any], Any]:
    """Return the method that compiles a kernel, safe from a damaged cache and from interrupts.

    Ctrl-C and alarms are put off until it is done. The compiler calls back into Python in places from which no
    exception can leave: it would be lost there, and with it the compiled code.
    """
    compile_for = compiled.compile

    def compile_anyway(signature: Any) -> Any:
        try:
            return compile_for(signature)
        except (AttributeError, EOFError, ImportError, OSError, UnpicklingError):  # what was kept on disk is damaged
            _load_arrays()
            compiled._cache = NullCache()
            return compile_for(signature)

    def compile_and_say(signature: Any) -> Any:
        with preparing("compiling, which is done once"):
            return compile_anyway(signature)

    def uninterrupted(signature: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            with alarm_put_off():
                return compile_and_say(signature)  # Python delivers signals to the main thread only
        put_off: list[tuple[int, FrameType | None]] = []
        handler = signal.signal(signal.SIGINT, lambda number, frame: put_off.append((number, frame)))
        try:
            with alarm_put_off():
                return compile_and_say(signature)
        finally:
            signal.signal(signal.SIGINT, handler)
            if put_off and callable(handler):
                handler(*put_off[0])

    return uninterrupted


def _without_compiler(cache: Any) -> Callable[[Any, Any], Any]:
    """Return the method that loads a compiled kernel from `cache`, and loads the compiler only if it is not there.

    Numba's own makes everything ready that compiling needs, which takes longer than to load a dozen kernels. It is all
    made ready again where a kernel is compiled. What was kept may name what the compiler knows of arrays, and so load
    it.
    """
    guarded, load = cache._guard_against_spurious_io_errors, cache._load_overload

    def load_overload(signature: Any, context: Any) -> Any:
        rtsys.initialize(context)  # whence kernels have the memory of new arrays
        with guarded(), _as_if_missing(_ALGEBRA):
            found = load(signature, context)
        if found is None:
            _load_arrays()
        return found

    return load_overload


@cache
def _cache_folder() -> str:
    """Return the folder of kernels compiled from these sources; raises RuntimeError, as Numba does, if there is none.

    Numba compiles a kernel anew when its own file has changed, but not when one has that it calls into; and what it
    kept may name classes that are no more. So other sources have another folder, and those of before are removed.
    """
    package = Path(__file__).parents[2]
    sources = [path for room in ("engine", "heuristics") for path in sorted((package / room).rglob("*.py"))]
    stamps = "".join(f"{path.name} {path.stat().st_mtime_ns} {path.stat().st_size}\n" for path in sources)
    here = Path(_SETTING.CACHE_DIR or _APP.user_cache_dir, f"kernels-{_digest(str(package))}")
    folder = here / _digest(stamps)
    try:
        if not folder.exists():
            rmtree(here, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError as error:
        raise RuntimeError(f"{str(folder)!r} cannot be written") from error
    return str(folder)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _kept(function: Callable[..., object], options: dict[str, Any]) -> Any:
    """Make a kernel that is kept in our folder; where the user's own functions are kept is none of our business."""
    given, _SETTING.CACHE_DIR = _SETTING.CACHE_DIR, _cache_folder()
    try:
        return njit(cache=True, **options)(function)
    finally:
        _SETTING.CACHE_DIR = given


def kernel(function: _Function) -> _Function:
    """`function`, compiled on its first call; later processes load it from the cache.

    It is kept in the user's cache folder, for each folder that the package is installed in: what lay beside the source
    would be left behind when the package is installed anew, and would be found instead of it. Where that cannot be
    written the code is compiled anew by every process. `NUMBA_CACHE_DIR` names another folder.
    """
    return cast("_Function", _kernel(function))


def inner_kernel(function: _Function) -> _Function:
    """As `kernel`, for what only kernels call: it is compiled in half the time, since Python cannot call it.

    What Python would need is to take its arguments apart, and many kernels have some hundred arrays in theirs.
    Raises `TypeError` if Python calls it all the same.
    """
    return _inner(function)


def lean_kernel(function: _Function) -> _Function:
    """As `inner_kernel`, for what makes no arrays, and whose sums may be added up in any order.

    Arrays are not counted there: to count those of many tables takes longer than many a kernel.
    """
    return _inner(function, _nrt=False, fastmath={"reassoc", "contract"})


def _inner(function: _Function, **options: Any) -> _Function:
    compiled = _kernel(function, no_cpython_wrapper=True, **options)

    def refuse(*arguments: object, **named: object) -> Any:
        raise TypeError(f"{function.__name__} is called by kernels only")

    compiled._compile_for_args = refuse
    compiled._insert = lambda *arguments, **named: None  # so none is found that could be called, and it is asked for
    return cast("_Function", compiled)


def _kernel(function: Callable[..., object], **options: Any) -> Any:
    """`function` as a kernel; the options are those of Numba."""
    options.update(nogil=True, no_cfunc_wrapper=True)  # nobody calls them from C
    try:
        compiled: Any = _kept(function, options)
    except RuntimeError:
        _load_arrays()
        compiled = njit(**options)(function)
    compiled.compile = _without_interrupt(compiled)  # on purpose
    # What follows looks into what is private in Numba; where that is otherwise, Numba's own ways remain.
    with suppress(AttributeError):
        kept: Any = compiled._cache
        kept.load_overload = _without_compiler(kept)
    return compiled
