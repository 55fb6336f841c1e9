"""A real browser without a window, for the tests of the page; they are skipped where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Open: TypeAlias = Callable[..., Any]

_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _chromium() -> str | None:
    """The program, by the names it has on different systems."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((found for name in names if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests of a worker."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install playwright")
    program = _chromium()
    if program is None:
        pytest.skip("no Chromium: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=program, args=list(_ARGUMENTS))
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Open a page, given as text: a tab whose requests and complaints are checked at the end of the test.

    The one request is for the file itself, and nothing is written to the console.
    """
    contexts: list[Any] = []
    requests: list[str] = []
    complaints: list[str] = []
    files: list[str] = []

    def opened(text: str, *, width: int = 1280, height: int = 900, theme: str = "light", motion: str = "reduce") -> Any:
        file = tmp_path / f"page{len(files)}.html"
        file.write_text(text, encoding="utf-8", newline="\n")
        files.append(file.as_uri())
        size: Any = {"width": width, "height": height}
        context = browser.new_context(viewport=size, color_scheme=theme, reduced_motion=motion)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8_000)
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(files[-1])
        page.wait_for_function("performance.getEntriesByName('ready').length === 1")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints
    assert requests == files
