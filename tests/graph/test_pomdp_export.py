"""Problems written in Cassandra's format: what has been written and read again is the same problem."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from beliefsearch import ProblemError, StochasticProblem, __version__, solve
from beliefsearch.graph.graph_files import PROBLEM_FORMATS
from beliefsearch.graph.pomdp_file import pomdp_lines
from beliefsearch.model.belief import applicable_actions
from beliefsearch.model.chance import Uniform
from beliefsearch.model.distribution import begin, step
from beliefsearch.running.limits import Budget
from beliefsearch.tools import load_problem_class
from beliefsearch_problems.files.pomdp import PomdpFileProblem
from beliefsearch_problems.tiger import TigerProblem

from ..answers import assert_one_line, stdout
from ..conftest import Run
from ..contingent_problems import sighted_problems
from ..toys.made import made

Row = Mapping[str, Any]
Pair = tuple[str, str]


def table(
    start: Row,
    rows: Mapping[Pair, Row],
    seen: Mapping[Pair, Row],
    rewards: Mapping[Pair, Any],
    utilities: Mapping[str, Any] = MappingProxyType({}),
    factor: Any = 1,
    is_seen: bool = False,
) -> Any:
    """A problem as tables: rows of results by state and action, of percepts by state and action, and rewards."""

    def pairs(row: Row) -> list[tuple[Any, str]]:
        return [(chance, name) for name, chance in row.items()]

    return made(
        StochasticProblem,
        initial_distribution=lambda: pairs(start),
        actions=lambda state: [action for at, action in rows if at == state],
        outcomes=lambda *at: pairs(rows[at]),
        percept_distribution=lambda *at: ((1, at[0]),) if is_seen else pairs(seen[at]),
        sees_state=is_seen,
        is_terminal=lambda state: state in utilities,
        utility=lambda state: utilities[state],
        reward=lambda *at: rewards[at],
        discount=factor,
        seen=seen,
    )


def text_of(problem: Any) -> str:
    return "".join(f"{line}\n" for line in PROBLEM_FORMATS["pomdp"].lines(problem, "a problem", Budget()))


def read_again(problem: Any, folder: Path) -> Any:
    (folder / "written.pomdp").write_text(text_of(problem))
    return PomdpFileProblem(file=folder / "written.pomdp", strict=True)


STUCK = -(10**6)  # the value of a belief without actions


def best(problem: Any, moment: Any, actions_left: int) -> Any:
    """The greatest expected reward within so many actions, by the definition."""
    value = moment.utility
    for chance, belief in moment.percepts.values():
        follow = (
            [step(problem, belief, action) for action in applicable_actions(problem, belief)] if actions_left else []
        )
        values = [after.reward + problem.discount() * best(problem, after, actions_left - 1) for after in follow]
        value += chance * (max(values, default=STUCK) if actions_left else 0)
    return value


def states_of(problem: Any) -> list[Any]:
    """All states that can be reached."""
    met = [state for _, state in problem.initial_distribution()]
    for state in met:  # grows while it is walked
        for action in problem.actions(state):
            met += {result for _, result in problem.outcomes(state, action)}.difference(met)
    return met


STATES = ("a", "b", "c d", "c_d", "T")
ACTIONS = ("go", "stop!")
PERCEPTS = ("1", "2")


@st.composite
def rows(draw: st.DrawFn, names: tuple[str, ...], parts: int) -> Row:
    """A row of multiples of 1/`parts`."""
    cuts = sorted(draw(st.lists(st.integers(0, parts), min_size=len(names) - 1, max_size=len(names) - 1)))
    counts = [end - begin for begin, end in zip([0, *cuts], [*cuts, parts], strict=True)]
    return {name: Fraction(count, parts) for name, count in zip(names, counts, strict=True) if count}


@st.composite
def problems(draw: st.DrawFn, parts: st.SearchStrategy[int], *, is_seen: bool = False) -> Any:
    states = STATES[: draw(st.integers(2, len(STATES)))]
    ends = draw(st.sets(st.sampled_from(states[1:]))) if draw(st.booleans()) else set()
    going_on = tuple(state for state in states if state not in ends)
    pairs = [(state, action) for state in states for action in ACTIONS]
    amounts = st.integers(-300, 300).map(lambda number: Fraction(number, 8))
    start = {"a": 1} if is_seen else draw(rows(going_on, draw(parts)))
    return table(
        start,
        {pair: draw(rows(states, draw(parts))) for pair in pairs},
        {pair: draw(rows(PERCEPTS, draw(parts))) for pair in pairs},
        {pair: draw(amounts) for pair in pairs},
        {state: draw(amounts) for state in sorted(ends)},
        draw(st.sampled_from([Fraction(1), Fraction(19, 20), Fraction(1, 2)])),
        is_seen,
    )


@given(problems(st.sampled_from([1, 2, 4, 10, 1000])))
def test_what_is_written_and_read_again_is_the_same_problem(tmp_path_factory: Any, problem: Any) -> None:
    again = read_again(problem, tmp_path_factory.mktemp("written"))
    assert best(again, begin(again), 2) == best(problem, begin(problem), 2)


def test_names_that_the_format_takes_stay_and_others_are_explained(tmp_path: Path) -> None:
    identity = {(state, action): {state: 1} for state in STATES for action in ACTIONS}
    seen = {(state, action): {PERCEPTS[place % 2]: 1} for place, state in enumerate(STATES) for action in ACTIONS}
    start = dict(zip(STATES, [Fraction(1, 2), *[Fraction(1, 8)] * 4], strict=True))
    problem = table(start, identity, seen, dict.fromkeys(identity, 1), factor=Fraction(1, 2))
    text = text_of(problem)
    lines = text.splitlines()
    assert "states: a b c_d c_d-2 sT" in lines
    assert "actions: go stop" in lines
    assert "observations: o1 o2" in lines
    assert {"# c_d: 'c d'", "# c_d-2: 'c_d'", "# sT: 'T'", "# stop: 'stop!'", "# o1: '1'"} <= set(lines)
    assert "start: 0.5 0.125 0.125 0.125 0.125" in lines
    assert "R: * : * : * : * 1" in lines
    assert sum(line.startswith("O: ") for line in lines) == len(STATES), "percepts that no action changes stand once"
    again = read_again(problem, tmp_path)
    assert [*again.percept_distribution("c_d", "go")] == [(1, "o1")]


@given(problems(st.sampled_from([2, 10]), is_seen=True))
def test_where_the_state_is_seen_there_are_no_observations(tmp_path_factory: Any, problem: Any) -> None:
    assert "observations" not in text_of(problem)
    again = read_again(problem, tmp_path_factory.mktemp("written"))
    assert again.sees_state()
    assert best(again, begin(again), 2) == best(problem, begin(problem), 2)


@given(problems(st.sampled_from([3, 7, 30])))
def test_numbers_without_finite_decimals_are_rounded_and_rows_sum_to_1(tmp_path_factory: Any, problem: Any) -> None:
    again = read_again(problem, tmp_path_factory.mktemp("written"))  # strictly: nothing is repaired
    assert abs(best(again, begin(again), 2) - best(problem, begin(problem), 2)) < Fraction(1, 10**20)


def test_rounding_is_told(tmp_path: Path) -> None:
    third = {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    stays: dict[tuple[str, str], Row] = {("a", "go"): third, ("b", "go"): {"b": 1}}
    seen = {pair: {"1": 1} for pair in stays}
    problem = table({"a": 1}, stays, seen, dict.fromkeys(stays, 1), factor=Fraction(1, 2))
    lines = text_of(problem).splitlines()
    assert "# Numbers that have no finite decimals are rounded to 30 digits." in lines
    assert f"T: go : a : a 0.{'3' * 30}" in lines
    assert f"T: go : a : b 0.{'6' * 29}7" in lines


def test_floats_are_written_as_people_write_them(tmp_path: Path) -> None:
    pairs = {("a", "go"): {"a": 0.1, "b": 0.2, "over": 0.7}, ("b", "go"): {"a": 1e-7, "b": 1 - 1e-7}}
    seen = {pair: {"1": 1.0} for pair in pairs}
    rewards = {("a", "go"): 0.1, ("b", "go"): -2.5}
    problem = table({"a": 0.3, "b": 0.7}, pairs, seen, rewards, {"over": 4.0}, 0.95)
    lines = text_of(problem).splitlines()
    assert {"discount: 0.95", "T: go : a : a 0.1", "T: go : b : a 0.0000001", "T: go : a : over 0.7"} <= set(lines)
    again = read_again(problem, tmp_path)
    assert again.is_terminal("over")
    assert float(again.reward("a", "go")) == pytest.approx(0.1 + 0.95 * 0.7 * 4)


# Actions that do not apply everywhere.


@st.composite
def of_classes(draw: st.DrawFn) -> Any:
    """Problems in which percepts tell what applies, and more or less else."""
    actions = {"a": ("go", "stop!"), "b": ("stop!",), "c": ("go", "run"), "d": ("go", "stop!")}
    percepts = {"a": ("1", "2"), "b": ("3", "4"), "c": ("5", "6"), "d": ("1", "2")}
    pairs = [(state, action) for state, these in actions.items() for action in these]
    every = [(state, action) for state in actions for action in ("go", "stop!", "run")]
    seen = {state: draw(rows(percepts[state], 4)) for state in actions}
    differing = draw(st.booleans())  # whether percepts depend on the action, too
    return table(
        draw(rows(("a", "d"), 4)),
        {pair: draw(rows(("a", "b", "c", "d"), 4)) for pair in pairs},
        {pair: draw(rows(percepts[pair[0]], 4)) if differing else seen[pair[0]] for pair in every},
        {pair: draw(st.integers(-9, 9)) for pair in pairs},
        factor=Fraction(9, 10),
    )


@given(of_classes())
def test_an_action_that_does_not_apply_does_what_another_does(tmp_path_factory: Any, problem: Any) -> None:
    try:
        again = read_again(problem, tmp_path_factory.mktemp("written"))
    except ProblemError as error:
        assert len({*map(str, problem.seen().values())}) > 4, "percepts depend on the action"
        assert "what is perceived after it elsewhere" in str(error)  # noqa: PT017  # most are written
        return
    assert {"go", "stop"} <= {*again.actions("a")}
    assert best(again, begin(again), 3) == best(problem, begin(problem), 3)


def test_actions_that_apply_only_in_one_of_two_states_that_may_be_confused_are_an_error() -> None:
    pairs = {("a", "go"): {"a": 1}, ("b", "go"): {"b": 1}, ("b", "stop!"): {"b": 1}}
    seen = {(state, action): {"1": 1} for state in "ab" for action in ACTIONS}
    half = Fraction(1, 2)
    problem = table({"a": half, "b": half}, pairs, seen, dict.fromkeys(pairs, 1), factor=half)
    with pytest.raises(ProblemError, match=r"'stop!' applies in 'b' and not in 'a', and the player may not know"):
        text_of(problem)
    known = table({"a": 1}, {**pairs, ("a", "go"): {"b": 1}}, seen, dict.fromkeys(pairs, 1), factor=half)
    assert "T: stop : a : b 1" in text_of(known).splitlines()


@st.composite
def that_end(draw: st.DrawFn) -> Any:
    """Problems without a discount, in which some actions do not apply and nobody knows which."""
    pairs = [(state, action) for state in "abc" for action in ACTIONS if action == "go" or draw(st.booleans())]
    going_on = {pair: draw(rows(("a", "b", "c"), 3)) for pair in pairs}
    return table(
        draw(rows(("a", "b", "c"), 4)),
        {pair: {"end": Fraction(1, 4), **{s: p * 3 / 4 for s, p in row.items()}} for pair, row in going_on.items()},
        {(state, action): draw(rows(PERCEPTS, 4)) for state in "abc" for action in ACTIONS},
        {pair: draw(st.integers(-9, 9)) for pair in pairs},
        {"end": draw(st.integers(-9, 9))},
    )


@given(that_end())
def test_without_a_discount_what_does_not_apply_is_a_trap(tmp_path_factory: Any, problem: Any) -> None:
    again = read_again(problem, tmp_path_factory.mktemp("written"))
    assert best(again, begin(again), 3) == best(problem, begin(problem), 3)


def test_states_may_be_confused_after_a_step_from_a_single_one() -> None:
    half = Fraction(1, 2)
    pairs: dict[tuple[str, str], Row] = {
        ("a", "go"): {"b": half, "c": half},
        ("b", "go"): {"end": 1},
        ("c", "go"): {"c": 1},
        ("c", "stop!"): {"end": 1},
    }
    seen = {(state, action): {"1": 1} for state in "abc" for action in ACTIONS}
    written = text_of(table({"a": 1}, pairs, seen, dict.fromkeys(pairs, -1), {"end": 0}))
    assert "T: stop : b : trap 1" in written.splitlines(), "b may be c, where it applies"


def test_a_state_that_nothing_leaves_and_that_costs_nothing_is_no_end(tmp_path: Path) -> None:
    half = Fraction(1, 2)
    pairs: dict[tuple[str, str], Row] = {
        ("a", "go"): {"lost": half, "end": half},
        ("a", "stop!"): {"end": 1},
        ("lost", "go"): {"lost": 1},
    }
    seen = {(state, action): {state: 1} for state in ("a", "lost") for action in ACTIONS}
    rewards = {("a", "go"): -1, ("a", "stop!"): -5, ("lost", "go"): 0}
    problem = table({"a": 1}, pairs, seen, rewards, {"end": 0})
    again = read_again(problem, tmp_path)
    assert solve(again).value == -5, "whoever goes may never come to an end"
    once_more = read_again(table({"a": 1}, pairs, seen, rewards, {"end": 0}, half), tmp_path)
    assert "lost-2" not in states_of(once_more), "with a discount it is worth 0 as well"


def test_what_may_lead_to_where_nothing_ends_does_not_apply(tmp_path: Path) -> None:
    text = (
        "states: a b c d e\nactions: x y\nobservations: o\nstart: a\nO: * uniform\nR: * : c : * : * -1\n"
        "T: * : e : e 1\n"
        "T: x : a : b 0.5\nT: x : a : e 0.5\nT: y : a : e 0.5\nT: y : a : d 0.5\nT: * : b : c 1\nT: y : b 0 0 0 0 1\n"
        "T: * : c : c 1\nT: * : d : c 1\n"
    )
    (tmp_path / "trap.pomdp").write_text(text)
    problem = PomdpFileProblem(file=tmp_path / "trap.pomdp")
    assert [problem.actions(state) for state in "abe"] == [("x",), ("y",), ("x", "y")]
    (tmp_path / "trap.pomdp").write_text(f"discount: 0.5\n{text}")
    assert PomdpFileProblem(file=tmp_path / "trap.pomdp").actions("a") == ("x", "y")
    (tmp_path / "trap.pomdp").write_text(text.replace("start: a", "start: d"))
    assert PomdpFileProblem(file=tmp_path / "trap.pomdp").actions("a") == ("x", "y"), "no policy ends with certainty"


def test_what_begins_at_its_end_cannot_be_written() -> None:
    pairs = {("a", "go"): {"over": 1}}
    half = Fraction(1, 2)
    for start, utility, complaint in (
        ({"a": half, "over": half}, 6, "over at its start, with a mean value of 3"),
        ({"over": 1}, 0, "over at its start, so there is nothing"),
    ):
        with pytest.raises(ProblemError, match=complaint):
            text_of(table(start, pairs, {}, {("a", "go"): 1}, {"over": utility}))


# The command.


def test_the_command_writes_a_file_that_is_run(cli: Run, folder: Path) -> None:
    (folder / "two.pomdp").write_text(
        "discount: 0.95\nvalues: cost\nstates: l r\nactions: x y\nobservations: p q\nstart: 0.25 0.75\nT: x identity\n"
        "T: y uniform\nO: x\n0.85 0.15\n0.15 0.85\nO: y uniform\nR: y : l : * : * 100\nR: x : * : * : * 1\n"
    )
    assert cli("export", "two.pomdp", "--output", "again.pomdp") == (0, "", "again.pomdp: the problem, pomdp\n")
    old, new = (PomdpFileProblem(file=Path(name)) for name in ("two.pomdp", "again.pomdp"))
    for state in "lr":
        for action in "xy":
            assert old.outcomes(state, action) == new.outcomes(state, action)
            assert old.percept_distribution(state, action) == new.percept_distribution(state, action)
            assert old.reward(state, action) == new.reward(state, action)
    assert cli("export", "two.pomdp", "--output", "two.pomdp")[0] == 2
    for option in ("--no-plan", "--all", "--tree"):
        code, _, err = cli("export", "two.pomdp", option, "--format", "pomdp", "--output", "other")
        assert (code, f"{option} goes with graphs" in err) == (2, True)


@pytest.mark.parametrize(
    ("name", "options", "actions"),
    [
        ("monty-hall", {}, 2),
        ("monty-hall", {"doors": 4}, 2),
        ("gambler", {"goal": 8, "capital": 3}, 4),
        ("tiger", {}, 3),
    ],
)
def test_a_puzzle_of_chance_is_worth_its_file(name: str, options: dict[str, Any], actions: int, tmp_path: Path) -> None:
    problem: Any = load_problem_class(name)(**options)
    again = read_again(problem, tmp_path)
    assert best(again, begin(again), actions) == pytest.approx(best(problem, begin(problem), actions), rel=1e-12)


PUZZLES: list[tuple[str, dict[str, Any], int]] = [
    ("devil", {"n": 2}, 4),
    ("vacuum", {}, 3),
    ("vacuum", {"sensing": "local"}, 3),
    ("river-crossing", {}, 4),
    ("counterfeit-coin", {"coins": 3}, 3),
]


@pytest.mark.parametrize(("name", "options", "actions"), PUZZLES)
def test_a_puzzle_without_chance_costs_its_file(
    name: str, options: dict[str, Any], actions: int, tmp_path: Path
) -> None:
    problem: Any = load_problem_class(name)(**options)
    again = read_again(problem, tmp_path)
    likely = Uniform(problem)
    found, expected = (best(one, begin(one), actions) for one in (again, likely))
    assert found == pytest.approx(expected, rel=1e-12)
    assert expected < 0, "every action costs 1"


@given(sighted_problems())
def test_any_small_problem_without_chance_is_worth_as_much_as_its_file(tmp_path_factory: Any, problem: Any) -> None:
    likely = Uniform(problem)
    try:
        again = read_again(problem, tmp_path_factory.mktemp("written"))
    except ProblemError as error:
        assume("gave none" not in str(error))  # a game that stands still somewhere
        raise
    assume(again.is_terminal("over") and all(again.actions(state) for _, state in again.initial_distribution()))
    # Where nobody is sure to win the trap is as good as all else, and some actions tell nothing.
    assume("trap" not in states_of(again))
    found, expected = (best(one, begin(one), 2) for one in (again, likely))
    assert found == pytest.approx(expected, rel=1e-12)


def read_as_julia(lines: list[str], model: str) -> dict[str, Any]:
    """What `read_model` of the Julia file makes of these lines, by its own pattern."""

    def words(key: str) -> list[str]:
        assert f'words("{key}")' in model
        return next((line[len(key) :].split() for line in lines if line.startswith(key)), [])

    states, actions, percepts = words("states: "), words("actions: "), words("observations: ")
    tables: dict[str, dict[tuple[str, ...], float]] = {"T": {}, "O": {}, "R": {}}
    (pattern,) = re.findall(r'match\(r"(.*)", line\)', model)
    for line in lines:
        if (found := re.fullmatch(pattern, line)) is None:
            assert line[:2] not in ("T:", "O:", "R:")
            continue
        kind, action, state, column, number = found.groups()
        columns = ["*"] if kind == "R" else [column] if column is not None else states if kind == "T" else percepts
        value = 1 / len(columns) if number == "uniform" else float(number)
        for a in actions if action == "*" else [action]:
            tables[kind].update({(a, s, c): value for s in (states if state == "*" else [state]) for c in columns})
    start = [*words("start: "), *words("start include: ")]
    belief = dict.fromkeys(start, 1 / len(start)) if {*start} <= {*states} else dict(zip(states, start, strict=True))
    sign = -1 if words("values: ") == ["cost"] else 1
    rewards = {key[:2]: sign * value for key, value in tables["R"].items()}
    return {"start": belief, "T": tables["T"], "O": tables["O"], "R": rewards, "discount": words("discount: ")}


@given(st.one_of(problems(st.sampled_from([1, 3, 10])), problems(st.just(4), is_seen=True)), st.booleans())
def test_the_model_for_julia_reads_all_that_is_written(tmp_path_factory: Any, problem: Any, costs: bool) -> None:
    problem.minimizes_cost = lambda: costs
    again = read_again(problem, tmp_path_factory.mktemp("written"))
    lines = [*PROBLEM_FORMATS["julia"].lines(problem, "a problem\nof two lines", Budget())]
    assert lines[0] == f"# a problem of two lines, written by beliefsearch {__version__}"
    found = read_as_julia(text_of(problem).splitlines(), "\n".join(lines))
    numbering = again.numbering()
    close = partial(pytest.approx, abs=1e-12)
    assert {name: float(chance) for name, chance in found["start"].items() if float(chance)} == close(
        {name: float(chance) for chance, name in again.initial_distribution()}
    )
    assert [Fraction(word) for word in found["discount"]] == [again.discount()]
    for state, action in product(numbering.states, numbering.actions):
        rows = {"T": again.outcomes(state, action), "O": again.percept_distribution(state, action)}
        for kind in ("T",) if again.sees_state() else ("T", "O"):
            read = {key[2]: value for key, value in found[kind].items() if key[:2] == (action, state) and value}
            assert read == close({name: float(chance) for chance, name in rows[kind]})
        assert found["R"].get((action, state), 0) == close(float(again.reward(state, action)))


def test_a_model_for_julia_stands_beside_what_it_reads(cli: Run, folder: Path) -> None:
    told = stdout(cli("export", "tiger", "--output", "tiger.jl"))
    assert told == ""
    assert Path("tiger.pomdp").read_text() == "\n".join(pomdp_lines(TigerProblem(), "tiger", Budget())) + "\n"
    text = Path("tiger.jl").read_text()
    assert 'model = read_model(splitext(@__FILE__)[1] * ".pomdp")' in text
    opened = re.findall(r"^ *(?:function|if|for)\b", text, re.M)
    assert len(opened) == len(re.findall(r"^ *end$", text, re.M))
    before = Path("tiger.pomdp").read_text()
    assert_one_line(cli("export", "tiger", "--accuracy", "0.9", "--output", "tiger.jl"), "tiger.jl", "tiger.pomdp")
    assert stdout(cli("export", "tiger.pomdp", "--output", "tiger.jl")) == ""
    assert Path("tiger.pomdp").read_text() == before
    Path("own.pomdp").write_text(before.replace("discount: 0.95", "discount:  0.95"))
    assert_one_line(cli("export", "own.pomdp", "--output", "own.jl"), "own.pomdp", "choose another name")
    assert_one_line(cli("export", "tiger", "--format", "julia", "--output", "x.pomdp"), "x.pomdp", "the same file")
    assert_one_line(cli("export", "tiger", "--output", "x.jl", "--no-plan"), "--no-plan goes with graphs")
    assert not Path("x.jl").exists()
