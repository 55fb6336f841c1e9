"""Picture in the README, `docs/pictures/devil.png`: the page of the devil's game in the middle of its plan.

`python docs/make_picture.py` writes it. It needs Playwright (`pip install playwright`), Pillow, which comes with
matplotlib, and a Chromium; so no test compares the picture with what would be written.
"""

from __future__ import annotations

import shutil
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from beliefsearch.page import problem_page
from beliefsearch_problems.devil import DevilProblem

PICTURE = Path(__file__).with_name("pictures") / "devil.png"

_SIZE = (1280, 900)
_STEPS = 9  # of the plan are done
_COLOURS = 128
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def screenshot(page_text: str) -> bytes:
    """Return the page in a browser without a window, some steps on, as PNG."""
    from playwright.sync_api import sync_playwright

    program = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "page.html"
        file.write_text(page_text, encoding="utf-8", newline="\n")
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": _SIZE[0], "height": _SIZE[1]}, reduced_motion="reduce")
        page.goto(file.as_uri())
        page.wait_for_function("performance.getEntriesByName('ready').length === 1")
        for _ in range(_STEPS):
            page.click("#on")
        page.mouse.move(1, 1)
        page.wait_for_timeout(500)
        taken = page.screenshot()
        browser.close()
    return taken


def smaller(png: bytes) -> bytes:
    """Return the same picture in few colours."""
    from PIL import Image

    out = BytesIO()
    colours = Image.open(BytesIO(png)).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    colours.save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_bytes(smaller(screenshot(problem_page(DevilProblem(n=4), title="devil --n 4"))))
    sys.stdout.write(f"{PICTURE}: {PICTURE.stat().st_size / 1000:.0f} kB\n")
