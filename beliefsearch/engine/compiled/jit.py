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
# Numba's array support loads this for matrix products if it is installed; no kernel has such a product.
_ALGEBRA = "scipy.linalg"


@contextmanager
def _as_if_missing(*modules: str) -> Iterator[None]:
    """Make `import` fail for those of the modules that are not loaded already."""
    hidden = [module for module in modules if module not in sys.modules]
    for module in hidden:
        sys.modules[module] = None  # type: ignore[assignment]  # `import` then raises ImportError
    try:
        yield
    finally:
        for module in hidden:
            del sys.modules[module]


# Numba loads SciPy only to check its version, and a YAML reader for a settings file that hardly any folder has. Loading
# them takes longer than a short search.
with _as_if_missing("scipy", *(["yaml"] if not _SETTINGS.exists() else [])):
    from numba import config, njit
    from numba.core.caching import NullCache
    from numba.core.runtime.nrt import rtsys
    from numba.misc.appdirs import AppDirs


_SETTING: Any = config
_APP: Any = AppDirs("beliefsearch", False)  # type: ignore[no-untyped-call]


def _load_arrays() -> None:
    """Load Numba's array support, which compiling needs, without SciPy."""
    with _as_if_missing(_ALGEBRA):
        import numba.np.arraymath  # noqa: F401


def _without_interrupt(compiled: Any) -> Callable[[Any], Any]:
    """Return the method that compiles a kernel, safe from a damaged cache and from interrupts.

    Ctrl-C and alarms are delayed until the kernel is compiled. The compiler calls Python in places that swallow every
    exception: the interrupt would be lost, and the compiled code with it.
    """
    compile_for = compiled.compile

    def compile_anyway(signature: Any) -> Any:
        try:
            return compile_for(signature)
        except (AttributeError, EOFError, ImportError, OSError, UnpicklingError):  # the cache on disk is damaged
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

    Numba's own method first sets up everything that compiling needs, which takes longer than loading a dozen kernels.
    The same is set up again when a kernel is compiled, so it can be left out here. A cached kernel may refer to Numba's
    array support and thereby load it; hence `_ALGEBRA` is hidden here, too.
    """
    guarded, load = cache._guard_against_spurious_io_errors, cache._load_overload

    def load_overload(signature: Any, context: Any) -> Any:
        rtsys.initialize(context)  # allocates the arrays that kernels make
        with guarded(), _as_if_missing(_ALGEBRA):
            found = load(signature, context)
        if found is None:
            _load_arrays()
        return found

    return load_overload


@cache
def _cache_folder() -> str:
    """Return the folder of the kernels compiled from these sources; raise `RuntimeError`, like Numba, if it fails.

    Numba recompiles a kernel if its own file has changed, but not if a file that it calls into has. A cached kernel may
    even refer to classes that no longer exist. So each version of the sources has its own folder; older ones are
    removed.
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
    """Make a kernel that is cached in our folder, and leave the setting for the user's own functions as it is."""
    given, _SETTING.CACHE_DIR = _SETTING.CACHE_DIR, _cache_folder()
    try:
        return njit(cache=True, **options)(function)
    finally:
        _SETTING.CACHE_DIR = given


def kernel(function: _Function) -> _Function:
    """Return a function that is compiled at its first call; later processes load it from the cache.

    The cache is in the user's cache folder, one for each folder that the package is installed in. (Files beside the
    source would survive a new installation and be loaded by mistake.) If that folder cannot be written, every process
    compiles the code. `NUMBA_CACHE_DIR` names another folder.
    """
    return cast("_Function", _kernel(function))


def inner_kernel(function: _Function) -> _Function:
    """Return a kernel that only kernels may call, which halves the time to compile it.

    A call from Python would need code that unpacks the arguments, and many kernels have about a hundred arrays in
    theirs. Raises `TypeError` if Python calls it all the same.

    Numba compiles it once more for each type of its numbers, of which a literal 0 is one: so callers write np.int64(0).
    """
    return _inner(function)


def lean_kernel(function: _Function) -> _Function:
    """Return an inner kernel that makes no arrays and may add up its sums in any order.

    It does no reference counting. For the many arrays of large tables that takes longer than a short kernel.
    """
    return _inner(function, _nrt=False, fastmath={"reassoc", "contract"})


def _inner(function: _Function, **options: Any) -> _Function:
    compiled = _kernel(function, no_cpython_wrapper=True, **options)

    def refuse(*arguments: object, **named: object) -> Any:
        raise TypeError(f"{function.__name__} is called by kernels only")

    compiled._compile_for_args = refuse
    compiled._insert = lambda *arguments, **named: None  # registers nothing, so that a call ends up in `refuse`
    return cast("_Function", compiled)


def _kernel(function: Callable[..., object], **options: Any) -> Any:
    """Return a function as a kernel, with further options of Numba."""
    options.update(nogil=True, no_cfunc_wrapper=True)  # kernels are never called from C
    try:
        compiled: Any = _kept(function, options)
    except RuntimeError:
        _load_arrays()
        compiled = njit(**options)(function)
    compiled.compile = _without_interrupt(compiled)
    # Private attributes of Numba: in a version without them the quicker loading is left out.
    with suppress(AttributeError):
        kept: Any = compiled._cache
        kept.load_overload = _without_compiler(kept)
    return compiled
