"""Bad plug-ins: one line that names the culprit on standard error, exit code 2, and never a traceback."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ..answers import assert_one_line, stdout_alone
from ..conftest import Run
from ..toys import method, toy

# Methods are appended to these classes; what is defined last counts.
BELIEF = toy("puzzle_sensorless")
PLAIN = toy("puzzle_plain")


def bad(name: str, body: str, *culprits: str) -> tuple[str, tuple[str, ...]]:
    """A method that breaks the contract, and what the message must mention."""
    return method(name, body), culprits


# By name: the methods that break the contract, and what the message must mention.
BAD_BELIEF_METHODS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "results that are empty": bad("results", "return []", "results", "stay", "no state"),
    "results that are None": bad("results", "return None", "results", "stay", "None"),
    "results that are a lone string": bad("results", "return 'end'", "results", "stay", "'end'"),
    "results that are not hashable": bad("results", "return [['lost']]", "results", "stay", "['lost']", "hashable"),
    "results that raise": bad("results", "return [1 / 0]", "results", "stay", "ZeroDivisionError"),
    "results that raise while they are listed": bad("results", "yield 1 / 0", "results", "stay", "ZeroDivisionError"),
    "results that raise without a text": bad("results", "raise RuntimeError", "results", "stay", "RuntimeError"),
    "results that raise a text of several lines": bad(
        "results", r"raise RuntimeError('first\nsecond')", "results", "first", "second"
    ),
    "results that recur for ever": bad(
        "results", "return self.results(state, action)", "results", "stay", "RecursionError"
    ),
    "a negative cost": bad("action_cost", "return -1", "action_cost", "stay", "-1", "not negative"),
    "a cost that is no number": bad("action_cost", "return float('nan')", "action_cost", "stay", "nan"),
    "a cost that is a text": bad("action_cost", "return 'dear'", "action_cost", "stay", "dear"),
    "a cost that raises": bad("action_cost", "return {}['cost']", "action_cost", "stay", "KeyError"),
    "actions that raise": bad("actions", "return {}[state]", "actions", "KeyError"),
    "actions that are not hashable": bad("actions", "return [['go']]", "hashable"),
    "no start": bad("initial_states", "return []", "initial_states", "no state"),
    "a start that is not hashable": bad(
        "initial_states", "return [['here']]", "initial_states", "['here']", "hashable"
    ),
    "starts that raise": bad("initial_states", "return open('/no/such/list')", "/no/such/list"),
    "a goal test that raises": bad("is_goal", "return state.won", "is_goal", "AttributeError"),
    "a symmetry that raises": bad("canonical", "return state[9]", "canonical", "IndexError"),
    "a symmetry that is not hashable": bad("canonical", "return [state]", "hashable"),
    "a text of an action that raises": bad("format_action", "return action.name", "format_action", "AttributeError"),
}
BAD_PLAIN_METHODS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "a result that is not hashable": bad("result", "return ['lost']", "result", "here", "stay", "hashable"),
    "a result that raises": bad("result", "return 1 / 0", "result", "here", "stay", "ZeroDivisionError"),
    "a negative cost": bad("action_cost", "return -1", "action_cost", "here", "stay", "-1"),
    "a cost that is no number": bad("action_cost", "return float('nan')", "action_cost", "here", "stay", "nan"),
    "a start that is not hashable": bad("initial_state", "return ['here']", "hashable"),
    "a start that raises": bad("initial_state", "return 1 / 0", "initial_state", "ZeroDivisionError"),
    "actions that raise": bad("actions", "return {}[state]", "actions", "KeyError", "here"),
    "a goal test that raises": bad("is_goal", "return state.won", "is_goal", "AttributeError"),
    "a goal test that raises what is no Exception": bad(
        "is_goal", "raise BaseException('all of it')", "is_goal", "BaseException", "all of it"
    ),
    "an estimate that raises": bad("heuristic", "return {}[state]", "heuristic", "KeyError"),
}
SOLVERS = ["breadth-first", "uniform-cost", "astar", "weighted-astar", "greedy-best-first", "ida-star"]


# By name of the file: its text, and what the message must mention.
BAD_FILES: Mapping[str, tuple[bytes, tuple[str, ...]]] = {
    "syntax.py": (b"x = 1\ndef broken(:\n", ("syntax.py", "line 2")),
    "indented.py": (b"def f():\nreturn 1\n", ("indented.py", "line 2")),
    "zero.py": (b"x = '\0'\n", ("zero.py", "null bytes", "UTF-8")),
    "latin.py": (b"x = '\xe9'\n", ("latin.py",)),
    "nothing.py": (b"", ("nothing.py", "no problem")),
    "imported.py": (b"from beliefsearch import BeliefProblem, Problem\n", ("imported.py", "no problem")),
    "several.py": (
        (BELIEF + PLAIN.replace("class Puzzle", "class Other")).encode(),
        ("several.py", "several", "Puzzle", "Other"),
    ),
    "raising.py": (b"raise OSError('the moon is down')\n", ("raising.py", "OSError", "the moon is down")),
    "importing.py": (b"import no_such_module_anywhere\n", ("importing.py", "no_such_module_anywhere")),
    "exiting.py": (b"import sys\nsys.exit(0)\n", ("exiting.py", "SystemExit")),
    "baring.py": (b"raise BaseException('all of it')\n", ("baring.py", "BaseException", "all of it")),
    "unfinished.py": (
        b"from beliefsearch import Problem\nclass Half(Problem):\n    def initial_state(self):\n        return 0\n",
        ("unfinished.py", "Half", "is_goal", "result"),
    ),
    "defaultless.py": (
        b"from attrs import field, frozen\n"
        + BELIEF.replace("class", "@frozen\nclass").encode()
        + b"\n    size: int\n",
        ("size",),
    ),
    "untyped.py": (
        b"from attrs import frozen\n" + BELIEF.replace("class", "@frozen\nclass").encode() + b"\n    size: list\n",
        ("size", "list"),
    ),
}


def test_an_output_path_that_cannot_be_written_is_noticed_before_the_search(cli: Run, folder: Path) -> None:
    source = BELIEF + method("initial_states", "raise SystemError('searched')")
    (folder / "searched.py").write_text(source)
    assert_one_line(cli("run", "./searched.py", "--output", "gone/plan.json"), "gone/plan.json")


@pytest.mark.parametrize("command", ["run", "describe", "check", "show"])
@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_no_plugin_is_named_in_one_line(cli: Run, folder: Path, command: str, name: str) -> None:
    source, culprits = BAD_FILES[name]
    (folder / name).write_bytes(source)
    if (name, command) == ("defaultless.py", "describe"):  # tells the story, and that an option is needed
        assert "needs the option --size" in stdout_alone(cli(command, f"./{name}"))
        return
    assert_one_line(cli(command, f"./{name}"), *culprits)


@pytest.mark.parametrize("engine", ["bits", "naive"])
@pytest.mark.parametrize("name", BAD_BELIEF_METHODS)
def test_a_sensorless_plugin_that_breaks_the_contract_is_told(cli: Run, folder: Path, name: str, engine: str) -> None:
    methods, culprits = BAD_BELIEF_METHODS[name]
    (folder / "puzzle.py").write_text(BELIEF + methods)
    assert_one_line(cli("run", "./puzzle.py", "--engine", engine), *culprits)


@pytest.mark.few(26)  # every method, and all solvers
@pytest.mark.parametrize(
    ("name", "solver"),
    [
        (name, solver)
        for name in BAD_PLAIN_METHODS
        for solver in SOLVERS
        if "estimate" not in name or solver not in ("breadth-first", "uniform-cost")  # which ask for none
    ],
)
def test_a_plain_plugin_that_breaks_the_contract_is_named(cli: Run, folder: Path, name: str, solver: str) -> None:
    methods, culprits = BAD_PLAIN_METHODS[name]
    if "cost" in name and solver == "breadth-first":
        # It looks at the cost of its plan only, and the plan is "go".
        culprits = tuple(culprit for culprit in culprits if culprit != "stay")
    (folder / "puzzle.py").write_text(PLAIN + methods)
    assert_one_line(cli("run", "./puzzle.py", "--solver", solver), *culprits)


@pytest.mark.few(32)  # every method, and all commands
@pytest.mark.parametrize(
    ("name", "command"),
    [
        (name, command)
        for name in BAD_BELIEF_METHODS
        for command in (("show",), ("play", "--watch"), ("simulate",), ("export", "--output", "graph.json"))
        if (name, command) != ("a text of an action that raises", ("simulate",))  # which names no action
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_other_commands_name_the_broken_rule_too(cli: Run, folder: Path, name: str, command: tuple[str, ...]) -> None:
    methods, culprits = BAD_BELIEF_METHODS[name]
    (folder / "puzzle.py").write_text(BELIEF + methods)
    assert_one_line(cli(command[0], "./puzzle.py", *command[1:]), *culprits)
    assert not (folder / "graph.json").exists()


def test_a_blindfolded_plugin_that_breaks_the_contract_is_named(cli: Run, folder: Path) -> None:
    methods = method("possible_starts", "return ['here']") + method("result", "return 1 / 0")
    (folder / "puzzle.py").write_text(PLAIN + methods)
    assert_one_line(cli("run", "./puzzle.py", "--blindfold"), "result", "here", "ZeroDivisionError")


def test_the_validator_of_an_option_is_quoted_in_one_line(cli: Run, folder: Path) -> None:
    source = (
        "from attrs import field, frozen\nfrom attrs.validators import in_\n"
        + BELIEF.replace("class", "@frozen\nclass")
        + "\n    size: int = field(default=1, validator=in_(range(5)))\n"
    )
    (folder / "puzzle.py").write_text(source)
    assert_one_line(cli("run", "./puzzle.py", "--size", "7"), "size", "7")
