"""Tables of the documentation that are made from the code while the site is built.

In `docs/architecture.md` they list the rooms with their files, imports, and missing capabilities; in `docs/hooks.md`
hooks and the rules of `check`. `site_parts.py` puts them where a comment names them. The order of the rooms is read
from `tests/test_architecture.py`, where it is enforced.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from inspect import getdoc, signature
from pathlib import Path
from typing import Any

from beliefsearch.errors import Worded
from beliefsearch.kinds import MISSING, Kind, Lacks
from beliefsearch.model.hooks import HOOKS, methods_of
from beliefsearch.plugins.conformance.report import REASONS, RULES

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "beliefsearch"
TEST = ROOT / "tests" / "test_architecture.py"


def _constant(name: str) -> Any:
    """Return the value of a name in the test, which is not imported: it needs no more than Python to be read."""
    for node in ast.parse(TEST.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
    raise LookupError(name)


def _summary(path: Path) -> str:
    """Return the first sentence of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split()).rstrip(".").replace("|", "\\|")


def _folders(room: str) -> Iterator[Path]:
    """Yield the folder of a room and those within it that are no rooms themselves."""
    others = {PACKAGE / other for other in _constant("ROOMS") if other.startswith(f"{room}/")}
    for init in sorted((PACKAGE / room).glob("**/__init__.py")):
        if not others & {init.parent, *init.parent.parents}:
            yield init.parent


def _rooms() -> Iterator[str]:
    doors = [name for name in _constant("DOORS") if not name.startswith("__")]
    for room in (*doors, *_constant("ROOMS")):
        if not (PACKAGE / room).is_dir():
            yield f"**`{room}.py`**: {_summary(PACKAGE / f'{room}.py')}"
            yield ""
            continue
        for folder in _folders(room):
            yield f"**`{folder.relative_to(PACKAGE)}/`**: {_summary(folder / '__init__.py')}"
            yield ""
            files = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
            if files:
                yield "| file | what is in it |"
                yield "|---|---|"
                yield from (f"| `{path.name}` | {_summary(path)} |" for path in files)
                yield ""


def _imports() -> Iterator[str]:
    rooms: tuple[str, ...] = _constant("ROOMS")
    closed: Mapping[str, set[str]] = _constant("CLOSED")
    yield "| room | may import | and not |"
    yield "|---|---|---|"
    for place, room in enumerate(rooms):
        shut = [other for other in rooms[:place] if other in closed.get(room, ())]
        may = [other for other in rooms[:place] if other not in shut]
        yield f"| `{room}` | {', '.join(may) or 'nothing'} | {', '.join(shut)} |"


def _kinds() -> Iterator[str]:
    yield f"| | {' | '.join(kind.value for kind in Kind)} |"
    yield f"|---|{'---|' * len(Kind)}"
    reasons: list[Lacks] = []
    for capability, missing in MISSING.items():
        cells = []
        for kind in Kind:
            reason = missing.get(kind)
            if reason is not None and reason not in reasons:
                reasons.append(reason)
            cells.append("yes" if reason is None else f"no ({reasons.index(reason) + 1})")
        yield f"| {capability} | {' | '.join(cells)} |"
    yield ""
    for number, reason in enumerate(reasons, 1):
        yield f"{number}. {Worded(reason.value, name='NAME', option='this')}"


def _hooks() -> Iterator[str]:
    yield "| hook | of | what it is for | methods |"
    yield "|---|---|---|---|"
    for hook, kind in HOOKS.items():
        methods = []
        for name in methods_of(hook):
            arguments = ", ".join(list(signature(vars(hook)[name]).parameters)[1:])
            methods.append(f"`{name}({arguments})`: {_said(vars(hook)[name])}")
        yield f"| `{hook.__name__}` | `{kind.__name__}` | {_said(hook, 1)} | {'; '.join(methods)} |"


def _rules() -> Iterator[str]:
    yield "| rule | what it says | why |"
    yield "|---|---|---|"
    yield from (f"| `{rule}` | {meaning} | {REASONS[rule]} |" for rule, meaning in RULES.items())


def _said(documented: object, paragraphs: int | None = None) -> str:
    """Return so many paragraphs of a docstring, by default all before its sections, as one line without a stop."""
    before_sections = re.split(r"\n\n\w+\n-+\n", getdoc(documented) or "")[0]
    text = " ".join(" ".join(before_sections.split("\n\n")[:paragraphs]).split())
    return (text[:1].lower() + text[1:]).rstrip(".").replace("|", "\\|")


TABLES: Mapping[str, Callable[[], Iterator[str]]] = {
    "rooms": _rooms,
    "imports": _imports,
    "kinds": _kinds,
    "hooks": _hooks,
    "rules": _rules,
}
"""By name in the comments of the pages: the function that yields the table's lines."""
