"""The first line of a docstring begins with a verb or a standard noun."""

from __future__ import annotations

import ast
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
