"""The parts of the page's script that need no document, tested by `functions.js` in Node or in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from beliefsearch.graph.page import build

SCRIPTS = Path(build.__file__).parent / "scripts"
TESTS = Path(__file__).parent / "functions.js"
NAMES = re.findall(r'^    "([^"]+)": \(\) =>', TESTS.read_text(encoding="utf-8"), re.MULTILINE)


def _scripts_without_a_document() -> str:
    """All scripts before the first that makes elements."""
    pure = build.SCRIPTS[: build.SCRIPTS.index("elements.js")]
    return "\n".join((SCRIPTS / name).read_text(encoding="utf-8") for name in pure)


@pytest.fixture(scope="module")
def results(request: pytest.FixtureRequest) -> dict[str, str]:
    """What went wrong in each test, by its name."""
    tests = TESTS.read_text(encoding="utf-8").rstrip().removesuffix(";")
    code = f'"use strict";\n{_scripts_without_a_document()}\nreturn JSON.stringify({tests[tests.index("(() =>") :]});'
    if (node := shutil.which("node")) is None:
        page = request.getfixturevalue("browser").new_page()
        written = page.evaluate(f"() => {{ {code} }}")
        page.close()
    else:
        run = f"console.log((() => {{ {code} }})())"
        done = subprocess.run([node, "-"], input=run, capture_output=True, encoding="utf-8", timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        written = done.stdout
    found: dict[str, str] = json.loads(written)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_function_of_the_script(name: str, results: dict[str, str]) -> None:
    assert results[name] == ""


def test_every_result_has_a_test(results: dict[str, str]) -> None:
    assert list(results) == NAMES
    assert len(NAMES) > 20
