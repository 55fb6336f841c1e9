"""The first line of a docstring begins with a verb or a standard noun, and six files have the idea."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "beliefsearch"

REFUSED = {"What", "Who", "Whose", "Which", "Of", "How", "Whether", "By", "Where", "When", "From", "Why", "That"}


def first_words(path: Path) -> Iterator[tuple[str, str]]:
    """Yield where a docstring stands and its first word, those of predicates left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            continue
        text = ast.get_docstring(node) or ""
        gives = ast.unparse(node.returns) if isinstance(node, ast.FunctionDef) and node.returns is not None else ""
        is_predicate = text.startswith("Whether ") and gives.startswith(("bool", "TypeGuard"))
        if text and not is_predicate:
            yield f"{path.relative_to(PACKAGE)}:{getattr(node, 'name', '')}", text.split()[0]


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if path.parent.name != "templates"]
    found = [place for path in paths for place, word in first_words(path) if word in REFUSED]
    assert found == []


def test_the_idea_can_be_read_in_six_files() -> None:
    """README names them; whatever is there for speed or for going on with a search stands elsewhere."""
    readme = (PACKAGE.parent / "README.md").read_text(encoding="utf-8").partition("## The idea in six files")[2]
    files = re.findall(r"^\| `([\w/]+\.py)` \|", readme.partition("\n## ")[0], re.MULTILINE)
    assert len(files) == 6
    assert {name for name in files if len((PACKAGE / name).read_text(encoding="utf-8").splitlines()) > 170} == set()


def test_no_text_of_the_library_names_an_option_of_the_command_line() -> None:
    """Texts name arguments, see `errors.Worded`; a whole command may be quoted."""
    found = []
    for path in PACKAGE.rglob("*.py"):
        if "cli" in path.relative_to(PACKAGE).parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {
            ast.get_docstring(node, clean=False)
            for node in ast.walk(tree)
            if hasattr(node, "body") and isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        }
        found += [
            f"{path.relative_to(PACKAGE)}: {node.value}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value not in docstrings
            and re.search(r"(?<![\w-])--[a-z]", node.value)
            and "`beliefsearch " not in node.value
        ]
    assert found == []
