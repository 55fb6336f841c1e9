"""The style of the page's files: readable, and nothing in them that could load, run or insert what it should not."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from beliefsearch.graph.page import build

FOLDER = Path(build.__file__).parent
SCRIPTS = sorted((FOLDER / "scripts").glob("*.js"))
FILES = [*SCRIPTS, FOLDER / "page.css", FOLDER / "page.html"]
SVG_NAME = '"http://www.w3.org/2000/svg"'  # which is a name, and not fetched

_FORBIDDEN = {
    "text that becomes elements": r"innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write",
    "text that becomes code": r"\beval\b|new Function|setTimeout\(\s*[\"'`]|javascript:",
    "a style in an attribute, which the policy forbids": r"\sstyle=|[\"'`]style[\"'`]|cssText",
    "a handler in an attribute, which the policy forbids": r"<[^>]*\son[a-z]+=",
    "an address": r"https?:|//[a-z]+\.",
    "something that is loaded": r"\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|\bimport\b\s*[({\"']|@import|url\(",
    "something that is remembered": r"localStorage|sessionStorage|indexedDB|document\.cookie",
    "a list too long to be arguments": r"Math\.(max|min)\(\.\.\.(?!\[)",
    "a variable of an old kind": r"^\s*var\s|[^=!]==[^=]|!=[^=]",
    "a word for a debugger": r"\bdebugger\b|console\.",
}

# The rules of ESLint, by oxlint, for all scripts together: a file alone uses names of others.
LINTED = {
    "plugins": ["eslint"],
    "categories": {"correctness": "error", "suspicious": "error", "perf": "error"},
    "env": {"browser": True, "node": True, "es2024": True},
    "rules": {"no-undef": "error", "no-var": "error", "prefer-const": "error", "eqeqeq": "error"},
}


def test_lines_are_short_and_clean() -> None:
    for file in (*FILES, Path(__file__).parent / "functions.js"):
        text = file.read_text(encoding="utf-8")
        assert text.endswith("\n"), file.name
        assert not text.endswith("\n\n"), file.name
        for number, line in enumerate(text.splitlines(), 1):
            assert len(line) <= 120, f"{file.name}:{number} is too long"
            assert line == line.rstrip(), f"{file.name}:{number} ends in blanks"
            assert "\t" not in line, f"{file.name}:{number} has a tab"


def test_nothing_is_forbidden() -> None:
    texts = {file.name: file.read_text(encoding="utf-8").replace(SVG_NAME, "SVG_NAME") for file in FILES}
    found = [
        (name, what, match[0])
        for name, text in texts.items()
        for what, rule in _FORBIDDEN.items()
        if (match := re.search(rule, text, re.MULTILINE))
    ]
    assert not found


def test_scripts_are_small_and_say_what_they_are() -> None:
    for script in SCRIPTS:
        lines = script.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 300, script.name
        assert lines[0].startswith("// "), script.name


def test_functions_are_short() -> None:
    """A function at the top may hold others; of those inside none is longer than a screen."""
    for script in SCRIPTS:
        lines = script.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            begins = re.match(r"  function (\w+)", line)
            if begins:
                end = next(after for after in range(number, len(lines)) if lines[after] == "  }")
                assert end - number <= 45, f"{begins[1]} in {script.name} has {end - number} lines"


def test_all_scripts_are_put_together_once() -> None:
    assert sorted(build.SCRIPTS) == [script.name for script in SCRIPTS]


def test_every_element_that_is_asked_for_is_there() -> None:
    code = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
    page = (FOLDER / "page.html").read_text(encoding="utf-8")
    made = set(re.findall(r'\bid="([\w-]+)"', page)) | set(re.findall(r'\bid: "([\w-]+)"', code))
    asked = set(re.findall(r'byId\("([\w-]+)"\)', code))
    assert asked <= made
    assert len(asked) > 40


def test_colours_have_names() -> None:
    """Only the page's own few colours are written out; everything else is of the palette."""
    css = (FOLDER / "page.css").read_text(encoding="utf-8")
    rules = re.sub(r":root[^{]*\{[^}]*\}", "", css)
    assert not re.search(r"#[0-9a-f]{3,8}\b(?![^{]*\{)", rules)
    code = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
    assert not re.search(r"[\"'`]#[0-9a-f]{3,8}[\"'`]", code)


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All scripts in one file, as they stand in a page."""
    file = tmp_path_factory.mktemp("scripts") / "page.js"
    scripts = [(FOLDER / "scripts" / name).read_text(encoding="utf-8") for name in build.SCRIPTS]
    code = "\n".join([build.checker_script(), *scripts])
    file.write_text(f'"use strict";\n(() => {{\n{code}\n}})();\n', encoding="utf-8")
    return file


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node to read scripts")
def test_scripts_are_read_by_node(together: Path) -> None:
    done = subprocess.run(["node", "--check", together], capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_a_linter_finds_nothing(together: Path) -> None:
    program = Path(sys.executable).with_name("oxlint")
    if not program.exists():
        pytest.skip("oxlint is not installed; it is in the extra `test`")
    settings = together.with_name("oxlint.json")
    settings.write_text(json.dumps(LINTED), encoding="utf-8")
    done = subprocess.run(
        [program, "-c", settings, together], capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout
