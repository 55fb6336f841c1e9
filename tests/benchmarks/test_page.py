"""Large graphs on a page: until it is ready, and while it is panned.

Run with `pytest -n 0 tests/benchmarks/test_page.py --benchmark-only -s`; it needs Chromium and Playwright.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest

from ..page.conftest import browser as browser
from ..page.made_pages import made_page

SIZES = (3_000, 20_000)
ROUNDS = 5
TARGET = {3_000: 150, 20_000: 600}  # milliseconds of script until a page is ready
SMOOTH = 50  # milliseconds of script for a frame while it is panned

# Drags the graph by mouse events, one in each frame, and gives the milliseconds of script that each took.
PAN = """async () => {
  const canvas = document.getElementById("canvas");
  canvas.setPointerCapture = () => undefined;
  const send = (type, x) => canvas.dispatchEvent(
    new PointerEvent(type, { pointerId: 1, clientX: 200 + x, clientY: 400, bubbles: true }));
  const times = [];
  const paint = window.requestAnimationFrame;
  window.requestAnimationFrame = (act) => paint((now) => {
    const began = performance.now();
    act(now);
    times.push(performance.now() - began);
  });
  send("pointerdown", 0);
  for (let x = 0; x < 60; x++) {
    send("pointermove", 4 * x);
    await new Promise(paint);
  }
  send("pointerup", 240);
  return times;
}"""


@pytest.mark.benchmark(group="page")
@pytest.mark.parametrize("nodes", SIZES)
def test_a_large_graph_is_soon_ready_and_pans_well(browser: Any, benchmark: Any, tmp_path: Path, nodes: int) -> None:
    file = tmp_path / "page.html"
    file.write_text(made_page(nodes=nodes, layers=40), encoding="utf-8", newline="\n")
    ready: list[float] = []
    frames: list[float] = []

    def shown() -> None:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(file.as_uri())
        page.wait_for_function("performance.getEntriesByName('ready').length === 1")
        ready.append(page.evaluate("performance.getEntriesByName('ready')[0].duration"))
        frames.extend(page.evaluate(PAN))
        page.close()

    benchmark.pedantic(shown, rounds=ROUNDS)
    benchmark.extra_info.update(ready_ms=round(min(ready)), frame_ms=round(median(frames), 1))
    print(
        f"\n{nodes:,} nodes: ready after {min(ready):.0f} ms of script, {median(frames):.1f} ms for a frame of panning"
    )
    assert min(ready) < TARGET[nodes]
    assert median(frames) < SMOOTH
