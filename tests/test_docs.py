"""Executed documentation: every Python block, every console command and the output shown below it."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import click
import pytest

from beliefsearch import BeliefProblem, Problem, StochasticProblem
from beliefsearch.cli import main
from beliefsearch.cli.app import app
from beliefsearch.heuristics.registry import HEURISTICS
from beliefsearch.model.hooks import HOOKS
from beliefsearch.planner.options import ENGINES, OBJECTIVES
from beliefsearch.planner.solver_table import ALIASES, SOLVERS
from beliefsearch.plans.proof_words import ARGUMENTS

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
README = DOCUMENTS[0].read_text(encoding="utf-8")
ROOMS_OF_CODE = ("beliefsearch", "problems", "tests", "docs")
REFERENCE = "".join(
    (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8") for page in ("commands", "hooks", "files")
)

# Pages about a library that not everybody installs.
OF_LIBRARIES = {"howto-unified-planning": "unified_planning", "howto-gymnasium": "gymnasium"}

# `beliefsearch` and `python` in the documents are those that run this test.
SHELL = 'beliefsearch() { "$PYTHON" -m beliefsearch "$@"; }\npython() { "$PYTHON" "$@"; }\n'


def blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the fenced blocks of a document: number of the first line, language, content."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 2, match[1], match[2]


def run_python(content: str, names: dict[str, Any], folder: Path, place: str) -> None:
    """Run a block with prompts as a doctest; write any other to the file that its first line names."""
    if ">>>" in content:
        test = doctest.DocTestParser().get_doctest(content, names, place, place, 0)
        runner = doctest.DocTestRunner(verbose=False)
        assert test.examples
        complaints: list[str] = []
        assert runner.run(test, out=complaints.append, clear_globs=False).failed == 0, "".join(complaints)
        names.update(test.globs)  # a later block may use what this one defined
        return
    first = re.match(r"# (file|more of): (\w+\.py)\n", content)
    assert first is not None, f"{place}: a Python block has prompts, or begins with `# file: NAME.py`"
    with (folder / first[2]).open("w" if first[1] == "file" else "a", encoding="utf-8") as file:
        file.write(content)


def words_of(command: str) -> list[str]:
    """Return the words of a command that asks nothing of the shell; no words if it does."""
    lexer = shlex.shlex(command, posix=False, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words = list(lexer)
    special = re.compile(r"[$`*?\[~]|[();<>|&]+")
    asks = any(special.match(word) or "$" in word for word in words if not re.fullmatch(r"'[^']*'|\"[^$`\\]*\"", word))
    return [] if asks else shlex.split(command)


def run_tests(words: list[str]) -> int:
    """Return the exit code of `python -m pytest`, and forget the imports of the tests and their places."""
    known, path = set(sys.modules), sys.path.copy()
    sys.path.insert(0, "")
    try:
        return int(pytest.main(["--capture=no", f"--rootdir={Path.cwd()}", *words]))
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - known:
            if Path(getattr(sys.modules[name], "__file__", None) or "/").is_relative_to(Path.cwd()):
                del sys.modules[name]


def run_here(words: list[str], folder: Path, typed: str) -> tuple[int, str]:
    """Return exit code and output of `beliefsearch` or `python -m pytest` in this process."""
    output = StringIO()
    with redirect_stdout(output), redirect_stderr(output), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", StringIO(typed))
        patch.chdir(folder)
        if words[0] == "python":
            return run_tests(words[3:]), output.getvalue()
        with pytest.raises(SystemExit) as end:
            main(words[1:])
    assert isinstance(end.value.code, int)
    return end.value.code, output.getvalue()


def run_line(command: str, folder: Path) -> tuple[int, str]:
    """Return exit code and output of a line as a shell runs it; to go to a folder or to type needs no shell."""
    before = re.match(r"(?:cd (?P<to>[\w-]+) && )?(?:(?:printf '(?P<typed>[^'%]*)'|echo (?P<said>\w+)) \| )?", command)
    assert before is not None
    words = words_of(command[before.end() :])
    if words[:1] == ["beliefsearch"] or words[:3] == ["python", "-m", "pytest"]:
        typed = (before["typed"] or "").replace("\\n", "\n") or (f"{before['said']}\n" if before["said"] else "")
        return run_here(words, folder / (before["to"] or ""), typed)
    done = subprocess.run(
        ["sh", "-c", SHELL + command],
        cwd=folder,
        env={**os.environ, "PYTHON": sys.executable},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def run_console(content: str, folder: Path, place: str) -> None:
    """Run the lines that begin with `$ ` and compare the output below, where `...` is any lines, or any text in one."""
    assert content.startswith("$ "), f"{place}: a console block begins with a command"
    for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        command, _, code = line.partition("  # exit ")
        ended, printed = run_line(command, folder)
        assert ended == int(code or 0), f"{place}: {line}\n{printed}"
        expected = [
            r"(?:.*\n)*?" if row == "..." else re.escape(row.rstrip()).replace(r"\.\.\.", ".*") + r"\n"
            for row in shown.splitlines()
        ]
        # Where the machine is busy progress is told, too.
        rows = [row.rstrip() for row in printed.splitlines() if not re.match(r"\d+ s: ", row)]
        output = "".join(f"{row}\n" for row in rows)
        assert not expected or re.fullmatch("".join(expected), output), f"{place}: {line}\n{output}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if document.stem in OF_LIBRARIES:
        pytest.importorskip(OF_LIBRARIES[document.stem])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    names: dict[str, Any] = {}
    for line, language, content in blocks(document.read_text(encoding="utf-8")):
        place = f"{document.name}, line {line}"
        if language == "python":
            run_python(content, names, tmp_path, place)
        elif language == "console":
            run_console(content, tmp_path, place)


def write_blocks(document: Path, folder: Path) -> None:
    """Write the Python of a document without its prompts, but for the lines that raise an error on purpose."""
    lines: list[str] = []
    for line, language, content in blocks(document.read_text(encoding="utf-8")):
        if language == "python" and ">>>" in content:
            for example in doctest.DocTestParser().get_examples(content):
                lines += [f"# line {line + example.lineno}\n{example.source}"] * (example.exc_msg is None)
        elif language == "python":
            run_python(content, {}, folder, "")
    (folder / f"blocks_of_{document.stem.replace('-', '_')}.py").write_text("".join(lines), encoding="utf-8")


@pytest.mark.thorough
def test_blocks_are_typed(tmp_path: Path) -> None:
    """As strictly as the package; but authors need write no types, and an example knows that its answer is not None."""
    for document in DOCUMENTS:
        folder = tmp_path / document.relative_to(ROOT).with_suffix("").as_posix().replace("/", "_")
        folder.mkdir()
        write_blocks(document, folder)
    lenient = (
        "--allow-untyped-defs --allow-untyped-calls --check-untyped-defs --no-strict-optional --allow-redefinition"
    )
    others = "--allow-subclassing-any --disable-error-code=import-not-found"  # files beside it are not found
    files = ["--explicit-package-bases", "--namespace-packages", *map(str, sorted(tmp_path.glob("*/*.py")))]
    options = [*lenient.split(), *others.split(), "--follow-imports=silent", f"--cache-dir={tmp_path / 'cache'}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *options, *files],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def files_named(text: str) -> set[str]:
    """Return the Python files that a text names, as it names them; not `./turnstile.py`, which a reader writes."""
    return set(re.findall(r"(?<![\w./])(?:[\w-]+/)*[a-z]\w*\.py\b", text))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_are_named_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    made_by_readers = {match[1] for match in re.finditer(r"^# (?:file|more of): (\w+\.py)$", text, re.MULTILINE)}
    made_by_readers.update(*re.findall(r"^wrote (\w+\.py) and (\w+\.py);", text, re.MULTILINE))
    there = [f"/{path.relative_to(ROOT)}" for room in ROOMS_OF_CODE for path in (ROOT / room).rglob("*.py")]
    missing = {name for name in files_named(text) if not any(path.endswith(f"/{name}") for path in there)}
    assert missing - made_by_readers == set()


def test_files_that_docstrings_name_exist() -> None:
    """Check beside the file that names them, and at the path from the package."""
    package = ROOT / "beliefsearch"
    lost = []
    for path in sorted(package.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not files_named(source):  # to parse all takes seconds
            continue
        nodes = ast.walk(ast.parse(source))
        texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
        named = {name for text in texts if len(text.split()) > 1 for name in files_named(text)} - {"turnstile.py"}
        lost += [(path.name, name) for name in named if not any((at / name).exists() for at in (path.parent, package))]
    assert lost == []


def test_setup_commands() -> None:
    first, second = (content.strip() for _, language, content in blocks(README) if language == "sh")
    setup = "python3 -m venv .venv && .venv/bin/pip install -q"
    assert first == f"{setup} . && .venv/bin/beliefsearch run devil --n 4"
    assert second == f"{setup} -e '.[test]' && .venv/bin/python -m pytest"
    # What CI runs is this very line.
    assert second in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_readme_leads_to_every_notebook() -> None:
    names = [path.name for path in (ROOT / "docs" / "notebooks").glob("*.md")]
    assert {name for name in names if f"(docs/notebooks/{name})" not in README} == set()


def test_reference_names_everything() -> None:
    context = click.Context(app)
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        options = {word for param in command.params for word in param.opts if word.startswith("--")}
        assert {word for word in {f"beliefsearch {name}", *options} if word not in REFERENCE} == set()
    names = {*SOLVERS, *ALIASES, *HEURISTICS, *ENGINES, *OBJECTIVES, *ARGUMENTS}
    assert {word for word in names if f"`{word}`" not in REFERENCE} == set()


def test_reference_names_every_hook_and_method_of_authors() -> None:
    """Check hooks and methods only: `test_site.py` checks the public names, in the page made of their docstrings."""
    assert {hook.__name__ for hook in HOOKS if f"`{hook.__name__}`" not in REFERENCE} == set()
    hooks = {name for kind in (Problem, BeliefProblem) for name in dir(kind) if not name.startswith("_")}
    assert {name for name in hooks if not re.search(rf"`{name}[`(]", REFERENCE)} == set()
    chance = (ROOT / "docs" / "chance.md").read_text(encoding="utf-8")
    of_chance = {name for name in vars(StochasticProblem) if not name.startswith("_")}
    assert {name for name in of_chance if not re.search(rf"`{name}[`(]|def {name}\(", REFERENCE + chance)} == set()


@pytest.mark.parametrize(
    "module",
    [
        "planner.solve",
        "planner.functional",
        "planner.explore",
        "graph.build",
        "graph.analysis",
        "graph.page.build",
        "graph.plots.drawings",
        "graph.plots.plan_charts",
    ],
)
def test_examples_in_docstrings(module: str) -> None:
    found = doctest.testmod(import_module(f"beliefsearch.{module}"))
    assert found.attempted > 0
    assert found.failed == 0
