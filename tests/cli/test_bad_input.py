"""Bad input: one line that names the culprit on standard error, exit code 2, and never a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Run: TypeAlias = Callable[..., tuple[int, str, str]]

# Methods are appended to these classes; what is defined last counts.
BELIEF = '''
from beliefsearch import BeliefProblem


class Puzzle(BeliefProblem[object, object, None]):
    """Go to the end."""

    def initial_states(self):
        return ["here", "there"]

    def actions(self, state):
        return ["stay", "go"]

    def results(self, state, action):
        return ["end" if action == "go" else state]

    def is_goal(self, state):
        return state == "end"
'''
PLAIN = '''
from beliefsearch import Problem


class Puzzle(Problem[object, object]):
    """Go to the end."""

    def initial_state(self):
        return "here"

    def actions(self, state):
        return ["stay", "go"]

    def result(self, state, action):
        return "end" if action == "go" else state

    def is_goal(self, state):
        return state == "end"
'''


def method(head: str, body: str) -> str:
    return f"\n    def {head}:\n        {body}\n"


# By name: the methods that break the contract, and what the message must mention.
BAD_BELIEF_METHODS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "results that are empty": (method("results(self, state, action)", "return []"), ("results", "stay", "no state")),
    "results that are None": (method("results(self, state, action)", "return None"), ("results", "stay", "None")),
    "results that are a lone string": (
        method("results(self, state, action)", "return 'end'"),
        ("results", "stay", "'end'"),
    ),
    "results that are not hashable": (
        method("results(self, state, action)", "return [['lost']]"),
        ("results", "stay", "['lost']", "hashable"),
    ),
    "results that raise": (
        method("results(self, state, action)", "return [1 / 0]"),
        ("results", "stay", "ZeroDivisionError"),
    ),
    "results that raise while they are listed": (
        method("results(self, state, action)", "yield 1 / 0"),
        ("results", "stay", "ZeroDivisionError"),
    ),
    "results that raise without a text": (
        method("results(self, state, action)", "raise RuntimeError"),
        ("results", "stay", "RuntimeError"),
    ),
    "results that raise a text of several lines": (
        method("results(self, state, action)", r"raise RuntimeError('first\nsecond')"),
        ("results", "first", "second"),
    ),
    "results that recur for ever": (
        method("results(self, state, action)", "return self.results(state, action)"),
        ("results", "stay", "RecursionError"),
    ),
    "a negative cost": (
        method("action_cost(self, state, action)", "return -1"),
        ("action_cost", "stay", "-1", "not negative"),
    ),
    "a cost that is no number": (
        method("action_cost(self, state, action)", "return float('nan')"),
        ("action_cost", "stay", "nan"),
    ),
    "a cost that is a text": (
        method("action_cost(self, state, action)", "return 'dear'"),
        ("action_cost", "stay", "dear"),
    ),
    "a cost that raises": (
        method("action_cost(self, state, action)", "return {}['cost']"),
        ("action_cost", "stay", "KeyError"),
    ),
    "actions that raise": (method("actions(self, state)", "return {}[state]"), ("actions", "KeyError")),
    "actions that are not hashable": (method("actions(self, state)", "return [['go']]"), ("hashable",)),
    "no start": (method("initial_states(self)", "return []"), ("initial_states", "no state")),
    "a start that is not hashable": (
        method("initial_states(self)", "return [['here']]"),
        ("initial_states", "['here']", "hashable"),
    ),
    "starts that raise": (method("initial_states(self)", "return open('/no/such/list')"), ("/no/such/list",)),
    "a goal test that raises": (method("is_goal(self, state)", "return state.won"), ("is_goal", "AttributeError")),
    "a symmetry that raises": (method("canonical(self, state)", "return state[9]"), ("canonical", "IndexError")),
    "a symmetry that is not hashable": (method("canonical(self, state)", "return [state]"), ("hashable",)),
    "a text of an action that raises": (
        method("format_action(self, action)", "return action.name"),
        ("format_action", "AttributeError"),
    ),
}
BAD_PLAIN_METHODS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "a result that is not hashable": (
        method("result(self, state, action)", "return ['lost']"),
        ("result", "here", "stay", "hashable"),
    ),
    "a result that raises": (
        method("result(self, state, action)", "return 1 / 0"),
        ("result", "here", "stay", "ZeroDivisionError"),
    ),
    "a negative cost": (
        method("action_cost(self, state, action)", "return -1"),
        ("action_cost", "here", "stay", "-1"),
    ),
    "a cost that is no number": (
        method("action_cost(self, state, action)", "return float('nan')"),
        ("action_cost", "here", "stay", "nan"),
    ),
    "a start that is not hashable": (method("initial_state(self)", "return ['here']"), ("hashable",)),
    "a start that raises": (method("initial_state(self)", "return 1 / 0"), ("initial_state", "ZeroDivisionError")),
    "actions that raise": (method("actions(self, state)", "return {}[state]"), ("actions", "KeyError", "here")),
    "a goal test that raises": (method("is_goal(self, state)", "return state.won"), ("is_goal", "AttributeError")),
    "an estimate that raises": (method("heuristic(self, state)", "return {}[state]"), ("heuristic", "KeyError")),
}
SOLVERS = ["breadth-first", "uniform-cost", "astar", "weighted-astar", "greedy-best-first", "ida-star"]

# By name of the file: its text, and what the message must mention.
BAD_FILES: Mapping[str, tuple[bytes, tuple[str, ...]]] = {
    "syntax.py": (b"x = 1\ndef broken(:\n", ("syntax.py", "line 2")),
    "indented.py": (b"def f():\nreturn 1\n", ("indented.py", "line 2")),
    "zero.py": (b"x = '\0'\n", ("zero.py",)),
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

GOOD_PLAN: Mapping[str, Any] = {
    "problem": "devil",
    "parameters": {"n": 2, "canonical": True, "table": "cyclic", "faces": 2, "goal": "all-heads"},
    "blindfold": False,
    "status": "solved",
    "cost": 3,
    "lower_bound": 3,
    "optimal": True,
    "plan": [[0, 1], [0], [0, 1]],
    "solver": "breadth-first",
    "heuristic": None,
    "reason": None,
    "stats": {},
    "version": 1,
}
NINE_TAILS = {"problem": "nine-tails", "cost": None, "parameters": {"start": "HHHTTTHHH"}}

# By name: the text of a plan file, and what the message must mention besides the file.
BAD_PLANS: Mapping[str, tuple[bytes, tuple[str, ...]]] = {
    "not JSON": (b"these are the moves: 0 1 2", ("JSON",)),
    "cut off": (json.dumps(dict(GOOD_PLAN)).encode()[:60], ("JSON",)),
    "empty": (b"", ("JSON",)),
    "not a text": (b"\xff\xfe\x00", ()),
    "nested too deeply": (b"[" * 100_000, ("JSON",)),
    "a list": (b"[1, 2]", ("plan file", "object")),
    "a number": (b"17", ("plan file", "object")),
    **{
        name: (json.dumps({**GOOD_PLAN, **changes}).encode(), culprits)
        for name, changes, culprits in (
            ("of a later version", {"version": 2}, ("version", "2")),
            ("of a version in words", {"version": "one"}, ("version", "one")),
            ("of no version", {"version": None}, ("version",)),
            ("of a version that is true", {"version": True}, ("version",)),
            ("of an unknown problem", {"problem": "devill"}, ("devill", "devil")),
            ("of a problem that is a number", {"problem": 4}, ("problem",)),
            ("of a file that is gone", {"problem": "./gone.py"}, ("gone.py",)),
            ("of an unknown option", {"parameters": {"coins": 2}}, ("coins",)),
            ("of an option that is refused", {"parameters": {"n": 0}}, ("n",)),
            ("of an option of another type", {"parameters": {"n": "two"}}, ("n", "two")),
            ("of an option that is not one of the choices", {"parameters": {"table": "square"}}, ("table", "square")),
            ("of an option that is a list", {"parameters": {"table": ["cyclic"]}}, ("table",)),
            ("of an option that is an object", {"parameters": {"n": {"coins": 2}}}, ("n", "coins")),
            ("of an option that is not set", {"parameters": {"n": None}}, ("n",)),
            ("of an option so large that it is no number", {"parameters": {"n": "9" * 5000}}, ("n",)),
            ("of parameters that are a list", {"parameters": [2]}, ("parameters",)),
            ("of a problem that cannot be blindfolded", {"blindfold": True}, ("blindfold",)),
            ("of a blindfold that is a number", {"blindfold": 1}, ("blindfold",)),
            ("without a plan", {"plan": None}, ("no plan",)),
            ("with a plan in words", {"plan": "flip all"}, ("plan",)),
            ("with a cost in words", {"cost": "three"}, ("cost", "three")),
            ("with a cost that is a list", {"cost": [3]}, ("cost",)),
            ("with an action that does not exist", {"plan": [[0, 1], [7], [0, 1]]}, ("step 2", "7")),
            ("with an action in words", {"plan": [[0, 1], [0], "all"]}, ("step 3", "all")),
            ("with an action that is an object", {"plan": [{"flip": 0}]}, ("step 1", "flip")),
            (
                "with an action that is not applicable there",  # the coin in the middle shows tails
                {**NINE_TAILS, "plan": [[1, 1], [0, 1]]},
                ("step 1", "1, 1"),
            ),
            (
                "with an action that is no longer applicable",  # the first move has turned that coin to tails
                {**NINE_TAILS, "plan": [[0, 0], [2, 1], [0, 0]]},
                ("step 3", "[0, 0]"),
            ),
        )
    },
}


def assert_one_line(found: tuple[int, str, str], *culprits: str) -> None:
    code, out, err = found
    assert "Traceback" not in out + err
    assert err.endswith("\n")
    assert err.count("\n") == 1, f"more than one line: {err}"
    assert code == 2
    assert out == ""
    assert "bug of beliefsearch" not in err
    for culprit in culprits:
        assert culprit in err, f"{culprit!r} is not mentioned: {err}"


@pytest.mark.parametrize(
    ("words", "culprits"),
    [
        ("run devil --n 0", ("n", "0")),
        ("run devil --n -3", ("n", "-3")),
        ("run devil --n four", ("--n", "four")),
        ("run devil --n 4.5", ("--n", "4.5")),
        ("run devil --n", ("--n",)),
        ("run devil --table square", ("--table", "square", "cyclic")),
        ("run devil --faces 1", ("faces", "1")),
        ("run devil --goal win", ("--goal", "win")),
        ("run devil --blindfold", ("blindfold",)),
        ("run vacuum --squares 0", ("squares", "0")),
        ("run lights-out --rows 0", ("rows", "0")),
        ("run nine-tails", ("--start",)),
        ("run nine-tails --start HHX", ("HHX", "X")),
        ("run nine-tails --start HHHHHHHHHX", ("HHHHHHHHHX", "X")),
        ("run nine-tails --start HHHHHHHH", ("HHHHHHHH", "8", "9")),
        ("run nine-tails --start HHHHHHHHHH", ("HHHHHHHHHH", "10", "9")),
        ("run nine-tails --start HHHHHHHHH --rows 2", ("HHHHHHHHH", "9", "6")),
        ("run lights-out --start 012", ("012", "2")),
        ("run lights-out --start 0101", ("0101", "4", "25")),
        ("run devli", ("devli", "did you mean 'devil'")),
        ("run ninetails", ("ninetails", "did you mean 'nine-tails'")),
        ("run xyzzy", ("xyzzy", "list")),
        ("describe devli", ("devli", "did you mean 'devil'")),
        ("run devil --solver breadthfirst", ("breadthfirst", "breadth-first")),
        ("run nine-tails --solver regression", ("regression", "sensorless", "NineTailsProblem")),
        ("run nine-tails --heuristic pairs", ("pairs", "sensorless", "NineTailsProblem")),
        ("run nine-tails --dominance", ("dominance", "sensorless", "NineTailsProblem")),
        ("run devil --solver bidirectional --heuristic pairs", ("bidirectional", "heuristic", "astar")),
        ("run devil --solver regression --dominance", ("regression", "dominance", "breadth-first")),
        ("run devil --heuristic manhattan", ("manhattan", "own")),
        ("run devil --solver bfs --heuristic own", ("heuristic", "breadth-first")),
        ("run devil --solver bfs --weight 2", ("weight", "breadth-first")),
        ("run devil --solver weighted-astar --weight 0.5", ("weight", "0.5")),
        ("run devil --solver weighted-astar --weight nan", ("weight", "nan")),
        ("run devil --engine diesel", ("diesel", "naive")),
        ("run devil --time-limit soon", ("--time-limit", "soon")),
        ("run devil --time-limit 0", ("--time-limit", "0")),
        ("run devil --time-limit -1", ("--time-limit", "-1")),
        ("run devil --time-limit nan", ("--time-limit", "nan")),
        ("run devil --memory-limit lots", ("--memory-limit", "lots")),
        ("run devil --memory-limit 0", ("--memory-limit", "0")),
        ("run devil --format xml", ("--format", "xml", "json")),
        ("run devil --colour", ("--colour",)),
        ("run devil vacuum", ("vacuum",)),
        ("run", ("PROBLEM",)),
        ("rum devil", ("rum", "run")),
        ("verify", ("FILE",)),
        ("run ./gone.py", ("gone.py",)),
        ("run ./gone.py:Puzzle", ("gone.py",)),
        ("run ./folder.py", ("folder.py",)),
        ("run no_such_module_anywhere:Puzzle", ("no_such_module_anywhere",)),
        ("run json:JSONDecoder", ("json", "JSONDecoder")),
        ("run beliefsearch_problems.devil:Devil", ("Devil", "DevilProblem")),
        ("run ./good.py:Other", ("good.py", "Other", "Puzzle")),
        ("run devil --output gone/plan.json", ("gone/plan.json",)),
        ("run devil --output folder.py", ("folder.py", "folder")),
        ("run devil --output good.py/plan.json", ("good.py/plan.json",)),
        ("run nine-tails --all --output gone/table.json", ("gone/table.json",)),
        ("export devil --output gone/graph.json", ("gone/graph.json",)),
        ("export devil --output graph.bmp", ("graph.bmp", "graphml")),
        ("export devil", ("--output",)),
        ("verify gone.json", ("gone.json",)),
        ("verify folder.py", ("folder.py",)),
        ("simulate devil --games 0", ("--games", "0")),
        ("show devil --width 3", ("--width", "3")),
    ],
)
def test_a_bad_word_on_the_command_line_is_named_in_one_line(
    cli: Run, folder: Path, words: str, culprits: tuple[str, ...]
) -> None:
    (folder / "good.py").write_text(BELIEF)
    (folder / "folder.py").mkdir()
    assert_one_line(cli(*words.split()), *culprits)


def test_a_device_that_is_full_is_named_in_one_line(cli: Run) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    assert_one_line(cli("run", "devil", "--output", "/dev/full"), "/dev/full")


def test_an_output_path_that_cannot_be_written_is_noticed_before_the_search(cli: Run, folder: Path) -> None:
    source = BELIEF + method("initial_states(self)", "raise SystemError('searched')")
    (folder / "searched.py").write_text(source)
    assert_one_line(cli("run", "./searched.py", "--output", "gone/plan.json"), "gone/plan.json")


@pytest.mark.parametrize("command", ["run", "describe", "check", "show"])
@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_no_plugin_is_named_in_one_line(cli: Run, folder: Path, command: str, name: str) -> None:
    source, culprits = BAD_FILES[name]
    (folder / name).write_bytes(source)
    if (name, command) == ("defaultless.py", "describe"):  # tells the story, and that an option is needed
        code, out, err = cli(command, f"./{name}")
        assert (code, err) == (0, "")
        assert "needs the option --size" in out
        return
    assert_one_line(cli(command, f"./{name}"), *culprits)


@pytest.mark.parametrize("engine", ["bits", "naive"])
@pytest.mark.parametrize("name", BAD_BELIEF_METHODS)
def test_a_sensorless_plugin_that_breaks_the_contract_is_named_with_state_and_action(
    cli: Run, folder: Path, name: str, engine: str
) -> None:
    methods, culprits = BAD_BELIEF_METHODS[name]
    (folder / "puzzle.py").write_text(BELIEF + methods)
    assert_one_line(cli("run", "./puzzle.py", "--engine", engine), *culprits)


@pytest.mark.parametrize(
    ("name", "solver"),
    [
        (name, solver)
        for name in BAD_PLAIN_METHODS
        for solver in SOLVERS
        if "estimate" not in name or solver not in ("breadth-first", "uniform-cost")  # which ask for none
    ],
)
def test_a_plain_plugin_that_breaks_the_contract_is_named_with_state_and_action(
    cli: Run, folder: Path, name: str, solver: str
) -> None:
    methods, culprits = BAD_PLAIN_METHODS[name]
    if "cost" in name and solver == "breadth-first":
        # It looks at the cost of its plan only, and the plan is "go".
        culprits = tuple(culprit for culprit in culprits if culprit != "stay")
    (folder / "puzzle.py").write_text(PLAIN + methods)
    assert_one_line(cli("run", "./puzzle.py", "--solver", solver), *culprits)


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
def test_other_commands_name_the_broken_rule_of_a_plugin_too(
    cli: Run, folder: Path, name: str, command: tuple[str, ...]
) -> None:
    methods, culprits = BAD_BELIEF_METHODS[name]
    (folder / "puzzle.py").write_text(BELIEF + methods)
    assert_one_line(cli(command[0], "./puzzle.py", *command[1:]), *culprits)
    assert not (folder / "graph.json").exists()


def test_a_blindfolded_plugin_that_breaks_the_contract_is_named(cli: Run, folder: Path) -> None:
    methods = method("possible_starts(self)", "return ['here']") + method("result(self, state, action)", "return 1 / 0")
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


@pytest.mark.parametrize("name", BAD_PLANS)
def test_a_bad_plan_file_is_refused_by_verify_in_one_line(cli: Run, folder: Path, name: str) -> None:
    text, culprits = BAD_PLANS[name]
    (folder / "plan.json").write_bytes(text)
    assert_one_line(cli("verify", "plan.json"), *culprits)


@pytest.mark.parametrize("name", ["not JSON", "not a text", "a list", "of a later version", "without a plan"])
def test_an_unreadable_plan_file_is_named_by_verify(cli: Run, folder: Path, name: str) -> None:
    (folder / "plan.json").write_bytes(BAD_PLANS[name][0])
    assert_one_line(cli("verify", "plan.json"), "plan.json")


@pytest.mark.parametrize("command", [("show",), ("play", "--watch"), ("simulate",)], ids=lambda command: command[0])
@pytest.mark.parametrize(
    "name", ["not JSON", "of a later version", "without a plan", "with an action that does not exist"]
)
def test_a_bad_plan_file_is_refused_by_every_command_that_takes_one(
    cli: Run, folder: Path, name: str, command: tuple[str, ...]
) -> None:
    text, culprits = BAD_PLANS[name]
    (folder / "plan.json").write_bytes(text)
    assert_one_line(cli(command[0], "devil", "--n", 2, "--plan", "plan.json", *command[1:]), *culprits)


def test_an_action_that_only_some_possible_states_allow_is_named_with_step_and_state(cli: Run, folder: Path) -> None:
    methods = method("actions(self, state)", "return ['stay', 'go'] if state == 'here' else ['stay']")
    (folder / "puzzle.py").write_text(BELIEF + methods)
    plan = {**GOOD_PLAN, "problem": "./puzzle.py", "parameters": {}, "plan": ["stay", "go"]}
    (folder / "plan.json").write_text(json.dumps(plan))
    assert_one_line(cli("verify", "plan.json", "--problem", "./puzzle.py"), "step 2", "go", "there")


def test_verify_names_the_broken_rule_of_a_plugin(cli: Run, folder: Path) -> None:
    (folder / "puzzle.py").write_text(BELIEF + method("results(self, state, action)", "return []"))
    plan = {**GOOD_PLAN, "problem": "./puzzle.py", "parameters": {}, "plan": ["stay", "go"]}
    (folder / "plan.json").write_text(json.dumps(plan))
    assert_one_line(cli("verify", "plan.json", "--problem", "./puzzle.py"), "results", "stay", "no state")


def test_debug_shows_where_an_error_came_from(cli: Run) -> None:
    code, out, err = cli("run", "devli", "--debug")
    assert (code, out) == (2, "")  # as without it
    assert "Traceback" in err
    assert "loading.py" in err
    assert err.splitlines()[-1].startswith("beliefsearch: error: ")


def test_no_command_at_all_shows_what_there_is_and_is_an_error(cli: Run) -> None:
    code, out, err = cli()
    assert (code, out) == (2, "")
    assert "Usage" in err
    assert "simulate" in err
