"""Imports between rooms: the order in docs/architecture.md, enforced over the syntax trees."""

from __future__ import annotations

import ast
import re
import runpy
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from beliefsearch.kinds import Kind
from beliefsearch.model.hooks import HOOKS
from beliefsearch.plugins.conformance.report import RULES

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "beliefsearch"

# The rooms, from what an author writes to what a person types: a file imports from its own room and those before it.
# A room within a room is a name of its own here; the folders at the top stand in the same order.
ROOMS = (
    "errors",
    "_doors",
    "model/canvas",
    "model",
    "kinds",
    "plans",
    "plans/drawings",
    "running",
    "verify",
    "belief_space",
    "simulation",
    "solvers",
    "engine",
    "heuristics",
    "plugins",
    "plugins/conformance",
    "planner",
    "proofs",
    "plugins/files",
    "interop",
    "proofs/explanations",
    "testing",
    "graph",
    "graph/plots",
    "graph/page",
    "cli",
)

# Some rooms that stand before a room are closed to it all the same: the checker trusts no one who searches, solvers
# know nothing of who carries them out, and what is found has no way back to who looked for it.
CLOSED = {
    "plans": {"kinds"},
    "verify": {"plans/drawings", "running"},  # what it stands on is said file by file, see below
    "simulation": {"verify", "belief_space"},
    "solvers": {"plans/drawings", "verify", "simulation"},
    "engine": {"plans/drawings", "simulation"},
    "heuristics": {"plans/drawings", "simulation"},
    "plugins": {"simulation"},
    "planner": {"simulation"},
    "proofs": {"simulation", "plugins"},
}

# The front doors: what the package is called by.
DOORS = ("__init__", "__main__", "hooks", "page", "plot", "results", "tools")


def statements(node: ast.AST, also_for_types: bool) -> Iterator[ast.AST]:
    """Yield all statements within one, wherever they stand; to look into expressions, too, takes a second."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, name, ()):
            is_for_types = isinstance(inner, ast.If) and getattr(inner.test, "id", "") == "TYPE_CHECKING"
            if also_for_types or not is_for_types:
                yield inner
                yield from statements(inner, also_for_types)


@cache
def imported(path: Path, package: tuple[str, ...], *, also_for_types: bool = True) -> tuple[str, ...]:
    """Return the absolute names of all modules that a file imports, wherever the import stands."""
    return tuple(_imported(path, package, also_for_types))


def _imported(path: Path, package: tuple[str, ...], also_for_types: bool) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    for node in statements(ast.parse(text), also_for_types):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *((node.module,) if node.module else ())))
            yield from (f"{module}.{alias.name}" for alias in node.names)
    for loaded_when_called in re.findall(r"""["'](\.[\w.]+:\w+)["']""", text):
        yield ".".join((*package, *re.findall(r"\w+", loaded_when_called)))


def room_of(path: Path) -> str:
    """Return the room of a file: the innermost folder, or file of the root, that `ROOMS` names."""
    return room_named(path.relative_to(PACKAGE).with_suffix("").parts)


def room_named(parts: tuple[str, ...]) -> str:
    inner = "/".join(parts[:2])
    return inner if inner in ROOMS else parts[0]


def package_of(path: Path, root: Path, name: str) -> tuple[str, ...]:
    return (name, *path.relative_to(root).parent.parts)


# What `new` writes is an author's, and no part of the framework.
FRAMEWORK_FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent.name != "templates")
PUZZLES = ROOT / "problems"
PUZZLE_FILES = sorted(PUZZLES.rglob("*.py"))


def forbidden_imports(path: Path) -> list[str]:
    """Return the imports of a file that are not open to its room."""
    room = room_of(path)
    names = list(imported(path, package_of(path, PACKAGE, "beliefsearch")))
    puzzles = [name for name in names if name.split(".")[0] in ("problems", "beliefsearch_problems")]
    if room in DOORS:
        return puzzles
    open_rooms = {*ROOMS[: ROOMS.index(room) + 1], "__version__"} - CLOSED.get(room, set())
    ours = [name for name in names if name.startswith("beliefsearch.")]
    return puzzles + [name for name in ours if room_named(tuple(name.split(".")[1:])) not in open_rooms]


def test_a_room_imports_only_the_rooms_below_it() -> None:
    found = {str(path.relative_to(PACKAGE)): forbidden_imports(path) for path in FRAMEWORK_FILES}
    assert {path: names for path, names in found.items() if names} == {}


def modules_by_name() -> dict[str, Path]:
    return {
        ".".join(package_of(path, PACKAGE, "beliefsearch") + (path.stem,) * (path.stem != "__init__")): path
        for path in FRAMEWORK_FILES
    }


def imports_of(module: str, modules: dict[str, Path]) -> set[str]:
    """Return the modules of the framework that one of them imports, other than the front door."""
    names = imported(modules[module], package_of(modules[module], PACKAGE, "beliefsearch"))
    found = {name if name in modules else name.rpartition(".")[0] for name in names}
    return (found & modules.keys()) - {"beliefsearch"}


def test_the_checker_stands_on_what_its_first_docstring_lists_and_on_nothing_else() -> None:
    modules = modules_by_name()
    own = {name for name in modules if name.startswith("beliefsearch.verify.")}
    frontier = sorted(own)
    for module in frontier:  # grows while it is walked
        frontier += sorted(imports_of(module, modules) - set(frontier))
    reached = {name.removeprefix("beliefsearch.") for name in {*frontier} - own}
    said = ast.get_docstring(ast.parse((PACKAGE / "verify" / "__init__.py").read_text(encoding="utf-8"))) or ""
    listed = set(re.findall(r"`([\w.]+)`", said))
    assert {name for name in listed if f"beliefsearch.verify.{name}" not in modules} == reached
    parts = {name.removeprefix("beliefsearch.verify.") for name in own}
    assert {name for name in parts - listed if not name.startswith("proof_")} == set()


def test_every_room_is_in_the_plan() -> None:
    assert {room_of(path) for path in FRAMEWORK_FILES} == {*ROOMS, *DOORS}


def test_the_root_of_the_package_is_short() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 10


@cache
def tables() -> dict[str, str]:
    """Return the tables that the site makes from the code."""
    made = runpy.run_path(str(ROOT / "docs" / "make_architecture.py"))["TABLES"]
    return {name: "\n".join(lines()) for name, lines in made.items()}


def test_the_tables_of_the_site_can_be_made_from_the_code() -> None:
    pages = "".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("architecture.md", "hooks.md"))
    assert tables().keys() == set(re.findall(r"^<!-- made: (\w+) -->$", pages, re.MULTILINE))
    rooms = tables()["rooms"]
    assert {room for room in ROOMS if f"**`{room}" not in rooms} == set()
    assert {path.name for path in FRAMEWORK_FILES if path.name[0] != "_" and f"`{path.name}`" not in rooms} == set()
    assert [line for line in tables()["imports"].splitlines() if line.startswith("| `verify` |")]
    assert {kind.value for kind in Kind if kind.value not in tables()["kinds"]} == set()
    hooks = tables()["hooks"]
    assert {
        name for hook in HOOKS for name in hook.__abstractmethods__ & vars(hook).keys() if f"`{name}(" not in hooks
    } == set()
    assert {rule for rule in RULES if f"| `{rule}` |" not in tables()["rules"]} == set()


def test_no_file_imports_itself_over_others() -> None:
    modules = modules_by_name()
    imports: nx.DiGraph[str] = nx.DiGraph(
        [(module, target) for module in modules for target in imports_of(module, modules)]
    )
    assert [sorted(circle) for circle in nx.strongly_connected_components(imports) if len(circle) > 1] == []


# What puzzles share is a file; some folders have files that any of them may use: the pictures, machines in files, which
# are read as they are and as models with probabilities, and what readers of POMDPs share.
PICTURES = "_pictures"
SHARED = (PICTURES, "_mealy", "_pomdp")


def is_open_to_a_puzzle(name: str, path: Path) -> bool:
    """Whether the file of a puzzle may import this."""
    import beliefsearch

    top, *rest = name.split(".")
    if top == "beliefsearch":
        return rest[0] in (*beliefsearch.__all__, "errors", "hooks", "tools", "results")
    if top != "beliefsearch_problems":
        return True
    own = (package_of(path, PUZZLES, top)[-1], f"_{path.stem}")
    is_shared = rest[0] in SHARED or not (PUZZLES / rest[0]).is_dir()  # else it is the helpers of one puzzle
    of_family = path.stem.endswith(rest[0])  # random_devil is one of the devil's games
    return rest[0].startswith("_") and (is_shared or of_family or rest[0] in own)


def imported_by_puzzles(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    for path in paths:
        for name in imported(path, package_of(path, PUZZLES, "beliefsearch_problems")):
            yield name, path


def test_a_puzzle_uses_public_names_and_no_other_puzzle() -> None:
    names = list(imported_by_puzzles(PUZZLE_FILES))
    assert len(names) > len(PUZZLE_FILES)
    assert [(name, path.name) for name, path in names if not is_open_to_a_puzzle(name, path)] == []


# What pictures take of the framework.
DRAWN_WITH = {"beliefsearch.Drawing"}


def test_pictures_know_no_puzzle() -> None:
    names = list(imported_by_puzzles((PUZZLES / PICTURES).glob("*.py")))
    ours = {(name, path.name) for name, path in names if "belief" in name and name not in DRAWN_WITH}
    assert ours
    assert {name for name in ours if not name[0].startswith(f"beliefsearch_problems.{PICTURES}.")} == set()


# What says which problem it is, and what is there for speed or as a proof.
MODEL = {
    *("initial_state", "initial_states", "actions", "result", "results", "outcomes", "percepts"),
    *("is_goal", "goal_sets", "is_terminal", "utility"),
}
CLEVERNESS = {name for hook in HOOKS for name in hook.__abstractmethods__ & vars(hook).keys()} | {
    "canonical",
    "heuristic",
}


@pytest.mark.parametrize("path", sorted(PUZZLES.glob("[!_]*.py")), ids=lambda path: path.name)
def test_a_puzzle_shows_its_model_before_its_cleverness(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    methods = {cls.name: [node.name for node in cls.body if isinstance(node, ast.FunctionDef)] for cls in classes}
    (puzzle,) = (name for name, names in methods.items() if "actions" in names)
    kinds = ["model" if name in MODEL else "clever" for name in methods[puzzle] if name in MODEL | CLEVERNESS]
    assert kinds == sorted(kinds, reverse=True), f"{puzzle} shows its methods as {methods[puzzle]}"
    # Types of states may stand before it, but nothing that works anything out.
    before = [cls for cls in classes[: list(methods).index(puzzle)] if methods[cls.name]]
    assert not before, f"{before[0].name} stands before {puzzle}"


def names_called(path: Path) -> set[str]:
    """Return the functions that a file calls, if those that print, prompt or exit may be among them."""
    text = path.read_text(encoding="utf-8")
    if not re.search(r"\b(?:print|input|exit|quit)\(", text):  # to parse all takes seconds
        return set()
    calls = [node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return {call.id for call in calls if isinstance(call, ast.Name)}


def test_only_the_command_line_prints_prompts_or_exits() -> None:
    alone = PACKAGE / "verify" / "checker.py"  # a program of its own
    others = [path for path in FRAMEWORK_FILES if room_of(path) not in ("cli", "__main__") and path != alone]
    found = {str(path.relative_to(PACKAGE)): names_called(path) & {"print", "input", "exit", "quit"} for path in others}
    assert {path: names for path, names in found.items() if names} == {}


def test_the_heavy_libraries_are_imported_only_where_they_are_used() -> None:
    homes = {
        "networkx": {"graph"},
        "psutil": {"cli", "running"},
        "rich": {"cli"},
        "click": {"cli"},
        "numpy": {
            *("model", "running", "verify", "simulation", "solvers", "engine", "heuristics", "plugins/conformance"),
            *("interop", "planner", "proofs", "proofs/explanations", "graph", "graph/plots", "graph/page"),
        },
        "numba": {"engine"},
        "scipy": {"solvers", "heuristics"},
        "matplotlib": {"graph/plots"},
        "hypothesis": {"testing"},
        "resvg_py": {"plans/drawings"},
    }

    def strangers(path: Path, **options: bool) -> list[str]:
        names = imported(path, package_of(path, PACKAGE, "beliefsearch"), **options)
        return [name for name in names if room_of(path) not in homes.get(name.split(".")[0], {room_of(path)})]

    # Only these need a second look, without what is imported for types.
    seen = [path for path in FRAMEWORK_FILES if strangers(path)]
    found = {str(path.relative_to(PACKAGE)): strangers(path, also_for_types=False) for path in seen}
    assert {path: names for path, names in found.items() if names} == {}


def test_every_package_is_shipped() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    for folder, name in (("beliefsearch", "beliefsearch"), ("problems", "beliefsearch_problems")):
        parts = (path.parent.relative_to(ROOT / folder).parts for path in (ROOT / folder).rglob("__init__.py"))
        assert {".".join((name, *own)) for own in parts} <= listed
