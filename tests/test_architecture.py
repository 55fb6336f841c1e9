"""Who may import whom: the layers of docs/architecture.md, kept honest over the syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "beliefsearch"

# Each room may import itself and the rooms listed; `__init__` and `__main__` are the front doors.
MAY_IMPORT = {
    "errors": set(),
    "values": set(),
    "problem": {"errors"},
    "checked": {"errors", "problem"},
    "conditional_plan": {"problem"},
    "solution": {"errors", "problem", "conditional_plan"},
    "observers": set(),
    "budget": {"problem", "solution"},
    "belief": {"errors", "problem"},
    "encoding": {"errors", "problem"},
    "json_stream": {"errors", "encoding"},
    "certificate": {"errors", "problem", "conditional_plan", "solution", "encoding", "json_stream"},
    "verify": {"errors", "problem", "conditional_plan", "belief", "encoding", "verify_replay", "verify_conditional"},
    "verify_conditional": {"errors", "problem", "conditional_plan", "belief", "encoding"},
    "verify_replay": {"problem", "verify"},
    "proof_reading": {"errors", "problem"},
    "verify_exhaustion": {"problem", "proof_reading", "verify_proof"},
    "verify_beliefs": {"problem", "belief", "proof_reading", "verify_proof"},
    "verify_capacity": {"problem", "belief", "proof_reading", "verify_proof"},
    "verify_proof": {
        "problem",
        "belief",
        "encoding",
        "proof_reading",
        "verify_exhaustion",
        "verify_beliefs",
        "verify_capacity",
    },
    "views": {"errors", "problem", "belief"},
    "and_or": {"problem"},
    "contingent_views": {"errors", "problem", "belief", "and_or"},
    "array_games": {"problem"},
    "games": {"errors", "alarm", "budget", "problem", "belief", "array_games"},
    "conditional_games": {"errors", "alarm", "budget", "problem", "conditional_plan", "belief", "games", "array_games"},
    "slips": {"errors", "problem"},
    "identity": {"errors", "problem", "belief"},
    "hook_rules": {"problem", "views"},
    "chance_rules": {"problem"},
    "components": set(),
    "bound_guess": {"components"},
    "verify_bounds": {"bound_guess"},
    "verify_policy": {"errors", "problem", "encoding", "verify_bounds", "bound_guess"},
    "wording": {"problem"},
    "verify_file": {
        "errors",
        "problem",
        "solution",
        "certificate",
        "wording",
        "verify",
        "verify_conditional",
        "verify_proof",
        "verify_policy",
    },
    "chance": {
        "errors",
        "problem",
        "solution",
        "observers",
        "budget",
        "alarm",
        "components",
        "encoding",
        "certificate",
        "verify_policy",
    },
    "class_rules": {"problem", "solution", "budget", "belief", "contingent_views", "solvers"},
    "conformance": {
        "alarm",
        "budget",
        "errors",
        "problem",
        "belief",
        "encoding",
        "views",
        "chance_rules",
        "hook_rules",
        "testing",
        "class_rules",
        "slips",
        "identity",
    },
    "testing": {"problem", "budget", "conformance"},
    "alarm": {"budget"},
    "jit": {"alarm"},
    "heuristics": {"problem", "jit"},
    "solvers": {
        "errors",
        "alarm",
        "problem",
        "conditional_plan",
        "solution",
        "observers",
        "budget",
        "and_or",
        "heuristics",
    },
    "engine": {
        "errors",
        "problem",
        "conditional_plan",
        "solution",
        "observers",
        "budget",
        "belief",
        "views",
        "and_or",
        "contingent_views",
        "jit",
        "heuristics",
        "solvers",
    },
    "proofs": {
        "problem",
        "budget",
        "belief",
        "encoding",
        "views",
        "contingent_views",
        "heuristics",
        "solvers",
        "engine",
        "contingent_solving",
    },
    "request": {"errors", "problem", "heuristics", "solvers"},
    "solving": {
        "errors",
        "problem",
        "solution",
        "observers",
        "alarm",
        "budget",
        "views",
        "heuristics",
        "solvers",
        "engine",
        "request",
        "closed_form",
        "chance",
        "contingent_solving",
        "slips",
        "identity",
    },
    "contingent_solving": {
        "errors",
        "problem",
        "conditional_plan",
        "solution",
        "observers",
        "budget",
        "contingent_views",
        "heuristics",
        "solvers",
        "engine",
        "request",
        "verify_conditional",
    },
    "closed_form": {"errors", "problem", "solution", "request", "wording"},
    "listed_plan": {"errors", "problem", "belief", "encoding"},
    "given_belief": {"errors", "problem", "belief", "views"},
    "functional": {"problem", "solution", "solving"},
    "graph": {
        "errors",
        "problem",
        "conditional_plan",
        "chance",
        "budget",
        "views",
        "contingent_views",
        "solvers",
        "sweeping",
    },
    "facts": {"errors", "problem", "budget", "belief", "views"},
    "sweeping": {
        "errors",
        "alarm",
        "closed_form",
        "request",
        "problem",
        "solution",
        "observers",
        "budget",
        "views",
        "solving",
        "options",
        "plugins",
        "facts",
    },
    "data_files": set(),
    "options": {"errors", "problem", "data_files", "slips"},
    "plugins": {"errors", "problem"},
    "trust": {"errors", "data_files", "options", "plugins"},
}

# Whoever knows problems may also use the checks of what their authors give, and the helpers for plain values.
for _rooms in MAY_IMPORT.values():
    _rooms |= {"values", "checked"} if "problem" in _rooms else set()
MAY_IMPORT["problem"] |= {"values"}


class WithoutTypes(ast.NodeTransformer):
    """Takes out what is imported for type checkers only."""

    def visit_If(self, node: ast.If) -> ast.AST | None:  # named by the library
        return None if ast.unparse(node.test) == "TYPE_CHECKING" else self.generic_visit(node)


def imported(path: Path, package: tuple[str, ...], *, also_for_types: bool = True) -> Iterator[str]:
    """The absolute names of all modules that a file imports, wherever the import stands."""
    tree: ast.AST = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree if also_for_types else WithoutTypes().visit(tree)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *((node.module,) if node.module else ())))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def package_of(path: Path, root: Path, name: str) -> tuple[str, ...]:
    return (name, *path.relative_to(root).parent.parts)


FRAMEWORK_FILES = sorted(PACKAGE.rglob("*.py"))
PUZZLE_FILES = sorted((ROOT / "problems").glob("*.py"))


@pytest.mark.parametrize("path", FRAMEWORK_FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_the_rooms_below_it(path: Path) -> None:
    room = room_of(path)
    names = list(imported(path, package_of(path, PACKAGE, "beliefsearch")))
    assert not [name for name in names if name.split(".")[0] in ("problems", "beliefsearch_problems")]
    if room in ("cli", "__init__", "__main__"):
        return
    rooms = {name.split(".")[1] for name in names if name.startswith("beliefsearch.")}
    assert rooms - {room} <= MAY_IMPORT[room]


def test_every_room_is_in_the_plan() -> None:
    assert {room_of(path) for path in FRAMEWORK_FILES} == {*MAY_IMPORT, "cli", "__init__", "__main__"}


@pytest.mark.parametrize("path", PUZZLE_FILES, ids=lambda path: path.name)
def test_a_puzzle_uses_public_names_and_no_other_puzzle(path: Path) -> None:
    import beliefsearch

    for name in imported(path, ("beliefsearch_problems",)):
        top, *rest = name.split(".")
        if top == "beliefsearch":
            assert rest[0] in beliefsearch.__all__
        if top == "beliefsearch_problems":
            assert rest[0].startswith("_")


@pytest.mark.parametrize("path", FRAMEWORK_FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_command_line_prints_prompts_or_exits(path: Path) -> None:
    if room_of(path) in ("cli", "__main__"):
        return
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    names = {call.id for call in calls if isinstance(call, ast.Name)}
    assert not names & {"print", "input", "exit", "quit"}


def test_the_heavy_libraries_are_imported_only_where_they_are_used() -> None:
    homes = {
        "networkx": {"graph"},
        "psutil": {"budget"},
        "rich": {"cli"},
        "click": {"cli"},
        "numpy": {"array_games", "chance", "engine", "graph", "heuristics", "proofs", "views", "verify_replay"},
        "numba": {"jit"},
        "scipy": {"chance", "heuristics"},
        "ijson": {"json_stream"},
        "matplotlib": {"graph"},
    }
    for path in FRAMEWORK_FILES:
        for name in imported(path, package_of(path, PACKAGE, "beliefsearch"), also_for_types=False):
            library = name.split(".")[0]
            assert room_of(path) in homes.get(library, {room_of(path)}), f"{path} imports {name}"
