"""`beliefsearch run`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Run: TypeAlias = Callable[..., tuple[int, str, str]]

# ../shared/oracles/known_answers.json, "devil": Norvig's notebook; None: cannot be won.
SHORTEST = {1: 1, 2: 3, 3: None, 4: 15, 5: None, 6: None, 7: None, 8: 255, 9: None, 10: None, 11: None, 12: None}
REACHABLE_BELIEFS = {3: 2, 5: 2, 6: 4, 7: 2, 9: 2, 10: 4, 11: 2, 12: 22}
_ALL, _CROSS, _PAIR = [0, 1, 2, 3], [0, 2], [0, 1]
_HALF = [_ALL, _CROSS, _ALL, _PAIR, _ALL, _CROSS, _ALL]
PUBLISHED = {
    ("2", "--canonical"): [[0, 1], [0], [0, 1]],
    ("2", "--no-canonical"): [[0, 1], [0], [0, 1]],
    ("4", "--canonical"): [*_HALF, [0, 1, 2], *_HALF],
    ("4", "--no-canonical"): [*_HALF, [0], *_HALF],
}
# Likewise: the variants of the game, by table, faces, goal and n.
VARIANTS = [
    ("dihedral", 2, "all-heads", 4, 15),
    ("symmetric", 2, "all-heads", 2, 3),
    ("symmetric", 2, "all-heads", 4, None),
    ("cyclic", 2, "all-same", 4, 7),
    ("cyclic", 3, "all-heads", 2, None),
    ("cyclic", 4, "all-heads", 2, 15),
]
# Likewise: how many of the 512 boards take 0, 1, ..., 9 moves when any coin may be taken.
ANY_COIN_HISTOGRAM = [1, 9, 36, 84, 126, 126, 84, 36, 9, 1]

ALIASES = [
    ("bfs", "breadth-first"),
    ("dijkstra", "uniform-cost"),
    ("ucs", "uniform-cost"),
    ("a*", "astar"),
    ("A*", "astar"),
    ("a-star", "astar"),
    ("weighted-a*", "weighted-astar"),
    ("greedy", "greedy-best-first"),
    ("ida*", "ida-star"),
    ("iterative-deepening-astar", "ida-star"),
    ("bidirectional-breadth-first", "bidirectional"),
]

COUNTER = '''
from beliefsearch import Problem


class Counter(Problem[int, str]):
    """Count to three thousand."""

    def initial_state(self):
        return 0

    def actions(self, state):
        return ["one more"]

    def result(self, state, action):
        return state + 1

    def is_goal(self, state):
        return state == 3000
'''

# Never won, and never at an end: a tree in which every node has three children. After a while it leaves a
# mark, so that others know when it is under way.
ENDLESS = '''
from pathlib import Path
from beliefsearch import Problem


class Endless(Problem[int, int]):
    """Count for ever."""

    calls = 0

    def initial_state(self):
        return 0

    def actions(self, state):
        return (1, 2, 3)

    def result(self, state, action):
        Endless.calls += 1
        if Endless.calls == 20_000:
            Path("under way").touch()
        return 3 * state + action

    def is_goal(self, state):
        return False
'''

# Its beliefs double at every step: soon a single one takes longer than any limit.
DOUBLING = '''
from beliefsearch import BeliefProblem


class Doubling(BeliefProblem[int, str, None]):
    """Know less and less."""

    def initial_states(self):
        return [1]

    def actions(self, state):
        return ["fork"]

    def results(self, state, action):
        return [2 * state, 2 * state + 1]

    def is_goal(self, state):
        return False
'''

ENDLESS_STARTS = '''
from itertools import count
from beliefsearch import BeliefProblem, Problem


class Sensorless(BeliefProblem[int, str, None]):
    """Know nothing at all."""

    def initial_states(self):
        return count()

    def actions(self, state):
        return ["wait"]

    def results(self, state, action):
        return [state]

    def is_goal(self, state):
        return False


class Plain(Problem[int, str]):
    """Start anywhere."""

    def initial_state(self):
        return 0

    def possible_starts(self):
        return count()

    def actions(self, state):
        return ["wait"]

    def result(self, state, action):
        return state

    def is_goal(self, state):
        return False


class EndlessResults(Sensorless):
    """Arrive anywhere."""

    def initial_states(self):
        return [0]

    def results(self, state, action):
        return count()
'''


@pytest.fixture
def plugins(folder: Path) -> None:
    for name, source in (
        ("counter", COUNTER),
        ("endless", ENDLESS),
        ("doubling", DOUBLING),
        ("starts", ENDLESS_STARTS),
    ):
        (folder / f"{name}.py").write_text(source)


@pytest.fixture
def run_json(cli: Run) -> Callable[..., tuple[int, Any]]:
    """Run with `--format json`: the exit code and the object."""

    def run(*words: object) -> tuple[int, Any]:
        code, out, _ = cli("run", *words, "--format", "json", "--quiet")
        return code, json.loads(out)

    return run


# The devil.


@pytest.mark.parametrize(("n", "length"), SHORTEST.items())
def test_devil_has_the_published_verdict_for_every_number_of_coins(
    run_json: Callable[..., tuple[int, Any]], n: int, length: int | None
) -> None:
    code, found = run_json("devil", "--n", n)
    if length is None:
        assert (code, found["status"], found["plan"], found["cost"], found["optimal"]) == (
            1,
            "unsolvable",
            None,
            None,
            False,
        )
        _, exhausted = run_json("devil", "--n", n, "--solver", "breadth-first", "--engine", "compiled")
        assert (exhausted["status"], exhausted["stats"]["reached"]) == ("unsolvable", REACHABLE_BELIEFS[n])
    else:
        assert (code, found["status"], found["cost"], found["lower_bound"], found["optimal"]) == (
            0,
            "solved",
            length,
            length,
            True,
        )
        assert len(found["plan"]) == length


@pytest.mark.parametrize(("options", "plan"), PUBLISHED.items())
def test_devil_finds_the_published_plan_move_for_move(
    run_json: Callable[..., tuple[int, Any]], options: tuple[str, str], plan: list[list[int]]
) -> None:
    n, canonical = options
    code, found = run_json("devil", "--n", n, canonical)
    assert code == 0
    assert found["plan"] == plan


def test_devil_is_canonical_with_four_coins_unless_told_otherwise(run_json: Callable[..., tuple[int, Any]]) -> None:
    _, found = run_json("devil")
    assert found["plan"] == PUBLISHED["4", "--canonical"]


def test_text_lists_the_fifteen_moves_in_order(cli: Run) -> None:
    code, out, err = cli("run", "devil", "--n", 4)
    assert (code, err) == (0, "")
    moves = [[int(place) for place in re.findall(r"\d", text)] for text in re.findall(r"\{(.*)\}", out)]
    assert moves == PUBLISHED["4", "--canonical"]


@pytest.mark.parametrize(("table", "faces", "goal", "n", "length"), VARIANTS)
def test_variants_of_the_devil_have_the_published_lengths(
    run_json: Callable[..., tuple[int, Any]], table: str, faces: int, goal: str, n: int, length: int | None
) -> None:
    code, found = run_json("devil", "--n", n, "--table", table, "--faces", faces, "--goal", goal)
    assert (code, found["status"]) == ((1, "unsolvable") if length is None else (0, "solved"))
    assert found["cost"] == length


# Nine Tails.

CROSSES = [[i for i in range(9) if abs(i // 3 - place // 3) + abs(i % 3 - place % 3) <= 1] for place in range(9)]


def flip_cross(board: str, place: int) -> str:
    return "".join(("H" if c == "T" else "T") if i in CROSSES[place] else c for i, c in enumerate(board))


def distances_to_all_tails(only_heads: bool, weighted: bool) -> dict[str, int]:
    """Dijkstra's algorithm, backwards from all tails, written out for nine coins."""
    distances: dict[str, int] = {}
    frontier = [(0, "T" * 9)]
    while frontier:
        distance, board = heappop(frontier)
        if board in distances:
            continue
        distances[board] = distance
        for place in range(9):
            before = flip_cross(board, place)
            if not only_heads or before[place] == "H":
                heappush(frontier, (distance + (len(CROSSES[place]) if weighted else 1), before))
    return distances


def test_nine_tails_prints_the_three_boards_of_the_published_path(cli: Run) -> None:
    code, out, _ = cli("run", "nine-tails", "--start", "HHHTTTHHH")
    assert code == 0
    _, _, body = out.partition("\n")
    assert re.findall(r"\b[HT]{9}\b", body) == ["HHHTTTHHH", "HHHTHTTTT", "TTTTTTTTT"]


def test_nine_tails_pictures_are_the_boards_row_by_row(cli: Run) -> None:
    _, out, _ = cli("run", "nine-tails", "--start", "HHHTTTHHH")
    rows = re.findall(r"^ *([HT] [HT] [HT])$", out, re.MULTILINE)
    assert "".join(rows).replace(" ", "") == "HHHTTTHHH" + "HHHTHTTTT" + "TTTTTTTTT"


@pytest.mark.parametrize("legal", ["heads", "any"])
@pytest.mark.parametrize("weights", ["none", "flips"])
def test_all_gives_the_histogram_that_brute_force_finds(
    run_json: Callable[..., tuple[int, Any]], legal: str, weights: str
) -> None:
    distances = distances_to_all_tails(legal == "heads", weights == "flips")
    code, found = run_json("nine-tails", "--all", "--legal", legal, "--weights", weights)
    assert code == 0
    assert {int(cost): count for cost, count in found["distances"].items()} == Counter(distances.values())
    assert found["unsolvable"] == 512 - len(distances)


def test_all_prints_the_published_histogram(cli: Run) -> None:
    code, out, _ = cli("run", "nine-tails", "--all", "--legal", "any")
    assert code == 0
    rows = re.findall(r"^ *(\d+) +(\d+)\b", out, re.MULTILINE)
    assert [(int(cost), int(count)) for cost, count in rows] == list(enumerate(ANY_COIN_HISTOGRAM))


@pytest.mark.parametrize("legal", ["heads", "any"])
@pytest.mark.parametrize("start", ["HHHTTTHHH", "HHHHHHHHH", "THTHTHTHT", "HTTTTTTTT"])
def test_weights_make_a_move_cost_the_coins_it_flips(
    run_json: Callable[..., tuple[int, Any]], legal: str, start: str
) -> None:
    expected = distances_to_all_tails(legal == "heads", weighted=True).get(start)
    code, found = run_json("nine-tails", "--start", start, "--legal", legal, "--weights", "flips")
    assert (code, found["cost"]) == (1 if expected is None else 0, expected)
    if expected is not None:
        assert sum(len(CROSSES[3 * row + col]) for row, col in found["plan"]) == expected


def test_all_is_refused_for_a_problem_that_cannot_be_walked_backwards(cli: Run) -> None:
    code, out, err = cli("run", "devil", "--all")
    assert (code, out) == (2, "")
    assert "backwards" in err


def test_nine_tails_asks_for_the_start_on_a_terminal_until_it_is_right(
    cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["HHX", "hhhttthhh"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda prompt: next(answers))
    code, out, err = cli("run", "nine-tails")
    assert code == 0
    assert "solved in 2 actions" in out
    assert "HHX" in err
    assert next(answers, "none left") == "none left"


# The other puzzles, and blindfolds.


@pytest.mark.parametrize("squares", [1, 2, 3, 4, 5])
def test_vacuum_takes_three_actions_a_square_less_two(run_json: Callable[..., tuple[int, Any]], squares: int) -> None:
    code, found = run_json("vacuum", "--squares", squares)
    assert (code, found["cost"]) == (0, 3 * squares - 2)


@pytest.mark.parametrize(("rows", "cols", "start"), [(2, 3, "100001"), (3, 3, "111111111"), (2, 3, "110000")])
def test_lights_out_takes_as_many_presses_as_the_smallest_set_of_buttons(
    run_json: Callable[..., tuple[int, Any]], rows: int, cols: int, start: str
) -> None:
    size = rows * cols
    crosses = [
        sum(1 << j for j in range(size) if abs(i // cols - j // cols) + abs(i % cols - j % cols) <= 1)
        for i in range(size)
    ]
    lit = sum(1 << i for i, lamp in enumerate(start) if lamp == "1")
    sizes = []
    for buttons in range(1 << size):
        left = lit
        for i in range(size):
            left ^= crosses[i] if buttons >> i & 1 else 0
        if left == 0:
            sizes.append(buttons.bit_count())
    code, found = run_json("lights-out", "--rows", rows, "--cols", cols, "--start", start)
    assert (code, found["cost"]) == ((0, min(sizes)) if sizes else (1, None))


def shortest_blindfolded(rows: int, cols: int) -> int | None:
    """Breadth-first search over sets of lit patterns that a bell does not yet tell apart from won ones."""
    size = rows * cols
    crosses = [
        sum(1 << j for j in range(size) if abs(i // cols - j // cols) + abs(i % cols - j % cols) <= 1)
        for i in range(size)
    ]
    start = frozenset(range(1, 1 << size))  # patterns that are won leave the game at once
    depths: dict[frozenset[int], int] = {start: 0}
    queue = deque([start])
    while queue:
        belief = queue.popleft()
        if not belief:
            return depths[belief]
        for made in crosses:
            child = frozenset(lit ^ made for lit in belief) - {0}
            if child not in depths:
                depths[child] = depths[belief] + 1
                queue.append(child)
    return None


@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (1, 3), (1, 4), (2, 2)])
def test_blindfold_finds_the_shortest_plan_that_wins_from_every_start(
    run_json: Callable[..., tuple[int, Any]], rows: int, cols: int
) -> None:
    expected = shortest_blindfolded(rows, cols)
    code, found = run_json("lights-out", "--rows", rows, "--cols", cols, "--blindfold")
    assert (code, found["cost"]) == (1 if expected is None else 0, expected)
    assert found["blindfold"] is True


def test_blindfold_is_refused_for_a_problem_that_lists_no_starts(cli: Run, plugins: None) -> None:
    code, out, err = cli("run", "./counter.py", "--blindfold")
    assert (code, out) == (2, "")
    assert "possible_starts" in err


# JSON and files.


def test_json_has_exactly_the_fields_of_the_design(run_json: Callable[..., tuple[int, Any]]) -> None:
    _, found = run_json("devil", "--n", 2)
    assert set(found) == {
        "problem",
        "parameters",
        "blindfold",
        "status",
        "cost",
        "lower_bound",
        "optimal",
        "plan",
        "solver",
        "heuristic",
        "engine",
        "reason",
        "stats",
        "version",
    }
    assert set(found["stats"]) == {
        "expanded",
        "generated",
        "reached",
        "max_frontier",
        "max_belief_size",
        "seconds",
    }
    assert found["problem"] == "devil"
    assert found["parameters"]["n"] == 2
    assert found["version"] == 1


def test_json_is_one_object_on_standard_output_and_nothing_else(cli: Run) -> None:
    code, out, err = cli("run", "devil", "--n", 2, "--format", "json")
    assert (code, err) == (0, "")
    assert out.count("\n") == 1
    assert isinstance(json.loads(out), dict)


def test_json_of_an_unsolvable_problem_is_json_without_infinities(cli: Run) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    _, out, _ = cli("run", "devil", "--n", 3, "--format", "json")
    found = json.loads(out, parse_constant=refuse)
    assert (found["cost"], found["lower_bound"], found["status"]) == (None, None, "unsolvable")


def test_counts_of_a_search_are_the_same_at_every_run(run_json: Callable[..., tuple[int, Any]]) -> None:
    runs = [run_json("devil", "--n", 4, "--no-canonical")[1] for _ in range(2)]
    for found in runs:
        del found["stats"]["seconds"]
    assert runs[0] == runs[1]


def test_output_writes_the_object_that_json_prints(run_json: Callable[..., tuple[int, Any]], folder: Path) -> None:
    code, printed = run_json("devil", "--n", 4, "--output", "plan.json")
    assert code == 0
    assert json.loads((folder / "plan.json").read_text()) == printed
    assert [path.name for path in folder.iterdir()] == ["plan.json"]


def test_output_replaces_an_older_file(run_json: Callable[..., tuple[int, Any]], folder: Path) -> None:
    (folder / "plan.json").write_text("old")
    run_json("devil", "--n", 2, "--output", "plan.json")
    assert json.loads((folder / "plan.json").read_text())["cost"] == 3


def test_output_keeps_the_verdict_of_an_unsolvable_problem(cli: Run, folder: Path) -> None:
    code, _, _ = cli("run", "devil", "--n", 3, "--output", "verdict.json")
    assert code == 1
    assert json.loads((folder / "verdict.json").read_text())["status"] == "unsolvable"


def test_a_long_plan_is_summarised_on_the_terminal_and_whole_in_the_file(cli: Run, folder: Path, plugins: None) -> None:
    code, out, _ = cli("run", "./counter.py", "--output", "long.json")
    assert code == 0
    assert len(out.splitlines()) < 60
    assert "3,000" in out
    assert json.loads((folder / "long.json").read_text())["plan"] == ["one more"] * 3000


# Solvers.


@pytest.mark.parametrize(("alias", "name"), ALIASES)
def test_an_alias_names_the_same_solver(run_json: Callable[..., tuple[int, Any]], alias: str, name: str) -> None:
    puzzle = ("lights-out", "--rows", 2, "--cols", 2)
    (code, by_alias), (_, by_name) = (run_json(*puzzle, "--solver", word) for word in (alias, name))
    assert code == 0
    assert by_alias["solver"] == name
    assert by_alias["plan"] == by_name["plan"]


@pytest.mark.parametrize("solver", sorted({name for _, name in ALIASES} - {"bidirectional", "greedy-best-first"}))
def test_every_optimal_solver_finds_fifteen_moves(run_json: Callable[..., tuple[int, Any]], solver: str) -> None:
    weight = ("--weight", 1) if solver == "weighted-astar" else ()
    code, found = run_json("devil", "--solver", solver, *weight)
    assert (code, found["solver"], found["cost"], found["optimal"]) == (0, solver, 15, True)


def test_engines_give_the_same_answer(run_json: Callable[..., tuple[int, Any]]) -> None:
    (_, naive), (_, bits) = (run_json("devil", "--engine", engine) for engine in ("naive", "bits"))
    assert naive["plan"] == bits["plan"]
    assert naive["stats"]["expanded"] == bits["stats"]["expanded"]


def test_a_heuristic_is_named_when_the_solver_takes_one(run_json: Callable[..., tuple[int, Any]]) -> None:
    _, informed = run_json("lights-out", "--rows", 2, "--cols", 2, "--heuristic", "own")
    _, blind = run_json("lights-out", "--rows", 2, "--cols", 2, "--solver", "bfs")
    assert (informed["solver"], informed["heuristic"], blind["heuristic"]) == ("astar", "own", None)


# Limits.

ENDLESS_SEARCHES = [
    ("./endless.py",),
    ("./endless.py", "--solver", "uniform-cost"),
    ("./endless.py", "--solver", "astar"),
    ("./endless.py", "--solver", "greedy"),
    ("./endless.py", "--solver", "ida-star"),
    ("./doubling.py",),
    ("./starts.py:Sensorless",),
    ("./starts.py:Plain", "--blindfold"),
    ("./starts.py:EndlessResults",),
]


@pytest.mark.parametrize("words", ENDLESS_SEARCHES, ids=" ".join)
def test_the_time_limit_stops_any_search_within_a_second(
    run_json: Callable[..., tuple[int, Any]], plugins: None, words: tuple[str, ...]
) -> None:
    started = time.monotonic()
    code, found = run_json(*words, "--time-limit", 0.2)
    assert 0.2 <= time.monotonic() - started < 5
    assert (code, found["status"], found["plan"], found["cost"]) == (3, "undecided", None, None)
    assert "time limit" in found["reason"]
    assert found["stats"]["seconds"] >= 0.2


@pytest.mark.parametrize(
    "words",
    [("doubling.py",), ("starts.py:Sensorless",), ("starts.py:EndlessResults",), ("starts.py:Plain", "--blindfold")],
    ids=" ".join,
)
def test_the_time_limit_stops_the_naive_engine_within_a_second(
    folder: Path, plugins: None, words: tuple[str, ...]
) -> None:
    # In a process of its own: where the limit is not kept, memory would run out with the whole test run.
    line = [sys.executable, "-m", "beliefsearch", "run", *words, "--engine", "naive", "--time-limit", "0.2"]
    started = time.monotonic()
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=3, check=False)
    except subprocess.TimeoutExpired:
        pytest.fail("the limit of 0.2 s had not stopped the search after 3 s")
    assert time.monotonic() - started < 10, "a machine may be busy, and the search would never end"
    assert done.returncode == 3
    assert "undecided" in done.stdout


def test_a_search_stopped_by_the_clock_tells_its_bound_and_statistics(cli: Run, plugins: None) -> None:
    code, out, _ = cli("run", "./endless.py", "--time-limit", 0.3, "--format", "json", "--output", "stopped.json")
    found = json.loads(out)
    assert code == 3
    # In a tree with three children a node, layer d is finished when 1 + 3 + ... + 3^d nodes are expanded,
    # and then no plan has fewer than d + 2 actions.
    layers = 0
    while sum(3**depth for depth in range(layers + 1)) <= found["stats"]["expanded"]:
        layers += 1
    assert found["lower_bound"] == layers + 1
    assert layers >= 5, "a third of a second should do for a few hundred nodes"
    assert found["stats"]["generated"] > found["stats"]["expanded"]
    assert json.loads(Path("stopped.json").read_text()) == found


def test_text_of_a_stopped_search_says_undecided_the_bound_and_the_counts(cli: Run, plugins: None) -> None:
    code, out, _ = cli("run", "./endless.py", "--time-limit", 0.2)
    assert code == 3
    assert re.search(r"undecided.*time limit.*no plan costs less than \d+", out)
    assert re.search(r"[\d,]+ expanded, [\d,]+ generated, [\d,]+ reached", out)
    assert "unsolvable" not in out


def test_a_problem_that_is_solved_in_time_is_not_troubled_by_the_limits(cli: Run) -> None:
    code, out, _ = cli("run", "devil", "--n", 4, "--time-limit", 60, "--memory-limit", "4GiB")
    assert code == 0
    assert "15" in out


MEASURE_PEAK = """
import re, sys
from pathlib import Path
from beliefsearch.cli import main
try:
    main(sys.argv[1:])
finally:
    peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]
    print(int(peak) * 1024, file=sys.stderr)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
@pytest.mark.parametrize(
    "words",
    [
        ("./endless.py",),
        ("./endless.py", "--solver", "astar"),
        ("./doubling.py",),
        ("./doubling.py", "--engine", "naive"),
        ("./starts.py:Sensorless",),
        ("./starts.py:Plain", "--blindfold"),
    ],
    ids=" ".join,
)
def test_the_memory_limit_is_never_exceeded_by_more_than_a_tenth(
    folder: Path, plugins: None, words: tuple[str, ...]
) -> None:
    line = [sys.executable, "-c", MEASURE_PEAK, "run", *words]
    limits = ("--memory-limit", "80MB", "--time-limit", "50", "--format", "json", "--quiet")
    done = subprocess.run([*line, *limits], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3, done.stderr
    found = json.loads(done.stdout)
    assert found["status"] == "undecided"
    assert "memory" in found["reason"]
    assert found["lower_bound"] >= 0
    assert found["stats"]["seconds"] > 0
    assert int(done.stderr) <= 88_000_000


# Interruptions.

INTERRUPTIBLE = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
SLOW_IMPORT = """
from pathlib import Path
from time import sleep
Path("under way").touch()
sleep(30)
"""


def interrupt(folder: Path, *words: str) -> tuple[int, str, str]:
    """Run a command, send it a Ctrl-C once it is under way, and give what it left."""
    code = INTERRUPTIBLE + "from beliefsearch.cli import main; main(sys.argv[1:])"
    line = [sys.executable, "-c", code, *words]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            deadline = time.monotonic() + 20
            while not (folder / "under way").exists():
                assert time.monotonic() < deadline
                assert process.poll() is None, "it ended before it could be interrupted"
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=10)
        finally:
            process.kill()
    return process.returncode, out, err


@pytest.mark.skipif(os.name == "nt", reason="a Ctrl-C of POSIX")
def test_ctrl_c_ends_a_search_quietly_with_the_bound_known_so_far(folder: Path, plugins: None) -> None:
    code, out, err = interrupt(folder, "run", "./endless.py", "--format", "json", "--quiet")
    assert (code, err) == (3, "")
    found = json.loads(out)
    assert found["status"] == "undecided"
    assert "interrupted" in found["reason"]
    assert found["lower_bound"] > 1
    assert found["stats"]["generated"] >= 19_000


@pytest.mark.skipif(os.name == "nt", reason="a Ctrl-C of POSIX")
def test_ctrl_c_outside_a_search_ends_quietly_too(folder: Path) -> None:
    (folder / "slow.py").write_text(SLOW_IMPORT)
    code, out, err = interrupt(folder, "run", "./slow.py")
    assert code not in (0, 1)
    assert out.strip() == ""
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 1


def written_to_a_closed_pipe(*words: str) -> Iterator[Any]:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        line = [sys.executable, "-m", "beliefsearch", *words]
        done = subprocess.run(
            line, stdout=writer, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, timeout=60, check=False
        )
    finally:
        os.close(writer)
    yield done.returncode
    yield done.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("run", "devil"), 0),
        (("run", "devil", "--format", "json"), 0),
        (("run", "devil", "--n", "3"), 1),
        (("show", "devil"), 0),
        (("simulate", "devil", "--games", "10"), 0),
        (("play", "devil", "--watch"), 0),
        (("list",), 0),
        (("describe", "devil"), 0),
        (("check", "devil", "--n", "2"), 0),
        (("--help",), 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_closed_pipe_ends_every_command_quietly_and_keeps_its_exit_code(
    folder: Path, words: tuple[str, ...], code: int
) -> None:
    assert list(written_to_a_closed_pipe(*words)) == [code, ""]


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_closed_pipe_does_not_keep_the_file_from_being_written(folder: Path) -> None:
    code, err = written_to_a_closed_pipe("run", "devil", "--output", "plan.json")
    assert (code, err) == (0, "")
    assert json.loads((folder / "plan.json").read_text())["cost"] == 15


@pytest.mark.skipif(os.name == "nt", reason="redirections of a POSIX shell")
@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_a_standard_output_that_takes_nothing_is_no_traceback_and_no_bug(folder: Path, redirection: str) -> None:
    if redirection == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m beliefsearch run devil --n 2 {redirection}', sys.executable],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "bug" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1


# Progress.


def test_progress_goes_to_standard_error_in_plain_lines_when_it_is_no_terminal(
    cli: Run, plugins: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("beliefsearch.cli.progress._PLAIN_INTERVAL", 0.5)
    _, out, err = cli("run", "./endless.py", "--time-limit", 1, "--format", "json")
    assert json.loads(out)["status"] == "undecided"
    assert "lower bound" in err
    assert "\x1b" not in out + err


def test_quiet_shows_no_progress(cli: Run, plugins: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.cli.progress._PLAIN_INTERVAL", 0.1)
    _, _, err = cli("run", "./endless.py", "--time-limit", 0.8, "--quiet")
    assert err == ""
