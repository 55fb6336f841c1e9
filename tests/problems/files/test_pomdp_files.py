"""Files in Cassandra's format: what each form of a line means, and what is said of those that mean nothing."""

from __future__ import annotations

import json
import os
import re
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from beliefsearch import ProblemError, solve
from beliefsearch.errors import DataWarning
from beliefsearch_problems.files.pomdp import PomdpFileProblem

from ...answers import stdout
from ...conftest import Run

Read: TypeAlias = Callable[..., Any]

FIELD = Path(os.environ.get("BELIEFSEARCH_POMDP", "no files"))

TWO = """\
discount: 0.9
values: reward
states: sun rain  # the weather
actions: stay go
observations: wet dry
"""

ROWS = "T: * identity\nO: * uniform\n"


@pytest.fixture
def read(folder: Path) -> Iterator[Read]:
    """A problem from the text of its file; a warning is an error."""

    def make(text: str, **options: Any) -> Any:
        (folder / "two.pomdp").write_text(text)
        return PomdpFileProblem(file=Path("two.pomdp"), **options)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield make


def results(problem: Any, state: str, action: str) -> dict[str, Fraction]:
    return {result: chance for chance, result in problem.outcomes(state, action)}


def percepts(problem: Any, state: str, action: str) -> dict[str, Fraction]:
    return {percept: chance for chance, percept in problem.percept_distribution(state, action)}


def test_names_numbers_and_exact_decimals(read: Read) -> None:
    problem = read(
        TWO
        + """
T: stay
0.7 .3
1e-1 9.0E-1
T : go : sun : rain 1.0
T:go:rain +1. 0
O: stay : 0 : wet 0.123456789012345678901
O: stay : sun : dry 0.876543210987654321099
O: 0 : 1
  0.25   # half of a row

  0.75
O: go uniform
R: stay : sun : * : * -2.5
R: * : rain : sun : * 10
"""
    )
    assert problem.actions("sun") == ("stay", "go")
    assert results(problem, "sun", "stay") == {"sun": Fraction(7, 10), "rain": Fraction(3, 10)}
    assert results(problem, "rain", "stay") == {"sun": Fraction(1, 10), "rain": Fraction(9, 10)}
    assert results(problem, "sun", "go") == {"rain": 1}
    assert percepts(problem, "sun", "stay")["wet"] == Fraction("0.123456789012345678901")
    assert percepts(problem, "rain", "stay") == {"wet": Fraction(1, 4), "dry": Fraction(3, 4)}
    assert problem.reward("sun", "stay") == Fraction(-5, 2)
    assert problem.reward("rain", "stay") == 1, "10 with the probability of sun"
    assert problem.reward("sun", "go") == 0
    assert problem.discount() == Fraction(9, 10)
    assert not problem.sees_state()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", {"sun": Fraction(1, 2), "rain": Fraction(1, 2)}),
        ("start: uniform", {"sun": Fraction(1, 2), "rain": Fraction(1, 2)}),
        ("start: 0.125 0.875", {"sun": Fraction(1, 8), "rain": Fraction(7, 8)}),
        ("start: rain", {"rain": 1}),
        ("start: 1", {"rain": 1}),
        ("start include: rain", {"rain": 1}),
        ("start include : sun 1", {"sun": Fraction(1, 2), "rain": Fraction(1, 2)}),
        ("start exclude: rain", {"sun": 1}),
    ],
)
def test_forms_of_the_start(read: Read, line: str, expected: dict[str, Fraction]) -> None:
    problem = read(f"{TWO}{line}\n{ROWS}T: go : sun reset")
    assert {state: chance for chance, state in problem.initial_distribution()} == expected
    assert results(problem, "sun", "go") == expected, "reset is the start"


@pytest.mark.parametrize("start", ["0", "1", "1.0", "uniform"])
def test_a_single_state_is_the_start_by_its_number_or_with_certainty(read: Read, start: str) -> None:
    text = "discount: 0.5\nstates: 1\nactions: x\nobservations: 1\nT: x identity\nO: x uniform\nR: x : 0 : 0 : 0 1\n"
    assert read(f"{text}start: {start}\n").initial_distribution() == ((1, "0"),)
    with pytest.raises(ProblemError, match="sum to 0, not to 1"):
        read(f"{text}start: 0.0\n")


def test_a_later_line_wins_entry_by_entry(read: Read) -> None:
    problem = read(
        TWO
        + "T: * uniform\nT: go : * : sun 1\nT: go : * : rain 0.0\nT: * : rain identity\nO: * : * : * 0.5\n"
        + "O: go : sun 0.2 0.8\nO: stay : * 1 0\nO: stay : sun : wet 0.75\nO: stay : sun : dry 0.25\n"
        + "R: * : * : * : * 1\nR: go : * : * : * 2\nR: go : sun : * : * 3\nR: * : rain : * : * 4\n"
        + "R: go : rain : rain : * 5"
    )
    assert results(problem, "sun", "stay") == {"sun": Fraction(1, 2), "rain": Fraction(1, 2)}
    assert results(problem, "sun", "go") == {"sun": 1}
    assert results(problem, "rain", "go") == {"rain": 1}
    assert percepts(problem, "rain", "go") == {"wet": Fraction(1, 2), "dry": Fraction(1, 2)}
    assert percepts(problem, "sun", "go") == {"wet": Fraction(1, 5), "dry": Fraction(4, 5)}
    assert percepts(problem, "sun", "stay") == {"wet": Fraction(3, 4), "dry": Fraction(1, 4)}
    assert percepts(problem, "rain", "stay") == {"wet": 1}
    rewards = [problem.reward(state, action) for state in ("sun", "rain") for action in ("stay", "go")]
    assert rewards == [1, 3, 4, 5]


def test_rewards_in_rows_and_matrices_count_with_their_mean(read: Read) -> None:
    rows = "T: * : * 0.5 0.5\nO: * : sun 0.25 0.75\nO: * : rain 1 0\n"
    problem = read(TWO + rows + "R: stay : sun\n8 4\n2 100\nR: go : rain : sun 4 8\nR: go : rain : rain : wet -6")
    assert problem.reward("sun", "stay") == (Fraction(8, 4) + Fraction(3 * 4, 4) + 2) / 2
    assert problem.reward("rain", "go") == (Fraction(4, 4) + Fraction(3 * 8, 4) - 6) / 2
    assert problem.reward("sun", "go") == 0


def test_costs_are_negative_rewards(read: Read) -> None:
    problem = read(TWO.replace("reward", "cost") + ROWS + "R: go : * : * : * 3\n")
    assert (problem.reward("sun", "go"), problem.reward("sun", "stay")) == (-3, 0)


def test_numbers_stand_for_names(read: Read) -> None:
    problem = read("discount: 1\nvalues: rewards\nstates: 3\nactions: 2\nobservations: 1\nstart: 2\nT: 0 identity\n"
                   "T: 1 : 0 : 2 1\nT: 1 : 1 uniform\nT: 1 : 2 0 1 0\nO: * uniform\nR: 0 : 1 : * : * 1")  # fmt: skip
    assert problem.actions("0") == ("0", "1")
    assert problem.initial_state() == "2"
    assert results(problem, "1", "1") == dict.fromkeys("012", Fraction(1, 3))
    assert percepts(problem, "0", "1") == {"0": 1}


def test_without_observations_the_state_is_seen(read: Read) -> None:
    text = "discount: 0.5\nstates: a b\nactions: x\nT: x\n0 1\n1 0\nR: x : a\n3 4\nR: x : b : a 5\n"
    problem = read(f"{text}start: a\n")
    assert problem.sees_state()
    assert percepts(problem, "b", "x") == {"b": 1}
    assert [problem.reward(state, "x") for state in "ab"] == [4, 5]
    # Without a start all are equally likely, and seen: here a pays 4, then 5, and so on; b the other way round.
    a, b = (4 + 0.5 * 5) / 0.75, (5 + 0.5 * 4) / 0.75
    assert solve(read(text)).value == pytest.approx((a + b) / 2)


def test_without_a_discount_there_is_none_and_sections_come_in_any_order(read: Read) -> None:
    problem = read(
        "observations: o\nactions: x y\nstates: s t\nO: * uniform\nT: * identity\nvalues: reward\nR: x : * : * : * 1"
    )
    assert problem.discount() == 1


def test_a_state_that_nothing_leaves_and_nothing_is_paid_in_ends_the_game(read: Read) -> None:
    text = TWO + "T: * : rain identity\nT: * : sun 0 1\nO: * uniform\nR: go : sun : * : * 1\n"
    assert [read(text).is_terminal(state) for state in ("sun", "rain")] == [False, True]
    assert not read(f"{text}R: stay : rain : * : * -1").is_terminal("rain")
    assert not read(f"{text}T: go : rain uniform").is_terminal("rain")


def test_words_of_the_format_may_be_names(read: Read) -> None:
    problem = read("discount: 0.5\nstates: T O\nactions: R start\nobservations: uniform\nT: R identity\n"
                   "T: start : T : O 1\nT: start : O reset\nO: * uniform\nR: R : T : O : uniform 1")  # fmt: skip
    assert results(problem, "T", "start") == {"O": 1}


def test_comments_may_be_of_any_encoding_and_lines_of_any_system(folder: Path) -> None:
    (folder / "two.pomdp").write_bytes(b"# caf\xe9\r\n" + (TWO + ROWS).replace("\n", "\r\n").encode())
    assert PomdpFileProblem(file=Path("two.pomdp")).actions("sun") == ("stay", "go")


# What is wrong is named, with line and column.

BAD = [
    ("discount: 1.5\n", 1, 11, "above 0 and at most 1"),
    ("discount: 0\n", 1, 11, "above 0 and at most 1"),
    ("discount: high\n", 1, 11, "the discount should stand here, not 'high'"),
    ("discount 0.5\n", 1, 1, "'discount' opens no section"),
    ("discount: 0.5\ndiscount: 0.5\n", 2, 1, "a second section `discount:`"),
    ("discount: 1e-999\n", 1, 11, "1e-999"),
    ("discount: 1e999999\n", 1, 11, "1e999999"),
    ("values: money\n", 1, 9, "`reward` or `cost`"),
    ("states: 0\n", 1, 9, "a number above 0"),
    ("states: 5000000\n", 1, 9, "too many"),
    ("states: a b a\n", 1, 13, "'a' is already one of the states"),
    ("states: a\x07b\n", 1, 9, "a name should stand here, not 'a\\x07b'"),
    ("states: 7 8\n", 1, 9, "a name should stand here"),
    ("states: a : b\n", 1, 11, "a name should stand here"),
    ("states: 1000000000\n", 1, 9, "1,000,000,000 states are too many; at most 1,000,000 can be read"),
    ("start: 0 1\n", 1, 1, "`states:` should stand before `start:`"),
    ("T: a identity\n", 1, 1, "`states:` should stand before `T:`"),
    ("states: a\n", 1, 10, "there is no section `actions:`"),
    ("", 1, 1, "there is no section `states:`"),
    (f"{TWO}start: 0.5\n", 6, 8, "'0.5' is not the name of a state; there are 2: sun, rain"),
    (f"{TWO}start: 0.5 0.5 0\n", 6, 16, "more than so many probabilities"),
    (f"{TWO}start: sun rain\n", 6, 8, "not 'sun'; several states stand behind `start include:`"),
    (f"{TWO}start: 0 rain\n", 6, 10, "not 'rain'; several states stand behind `start include:`"),
    (f"{TWO}start: 0.5 snow\n", 6, 12, "number 2 of 2, not 'snow'"),
    (f"{TWO}start: 0.5 0.4\n{ROWS}", 6, 8, "`start:` sum to 0.9"),
    (f"{TWO}start exclude: sun rain\n", 6, 16, "every state is excluded"),
    (f"{TWO}start include:\n{ROWS}", 7, 1, "nothing of the start"),
    (f"{TWO}T: jump identity\n", 6, 4, "'jump' is not the name of an action; there are 2: stay, go"),
    (f"{TWO}T: 2 identity\n", 6, 4, "'2' is not the name of an action"),
    (f"{TWO}T: go : 2 : 0 0.5\n", 6, 9, "'2' is not the name of a state"),
    (f"{TWO}T: go : sun : 0.5 0.5\n", 6, 15, "'0.5' is not the name of a state"),
    (f"{TWO}T: go : sun : rain 1.1\n", 6, 20, "from 0 to 1, and not '1.1'"),
    (f"{TWO}T: go : sun -0.1 1.1\n", 6, 13, "from 0 to 1, and not '-0.1'"),
    (f"{TWO}T: go : sun 0.5 many\n", 6, 17, "number 2 of 2, not 'many'"),
    (f"{TWO}T: go : sun 0.5 0.5 0.5\n", 6, 21, "one number too many"),
    (f"{TWO}T: go\n0.5 0.5\n0.5", 8, 4, "the file ends behind 1 of 2 numbers"),
    (f"{TWO}T: go : sun :", 6, 14, "the file ends where the name of a state should stand"),
    (f"{TWO}T: go : sun : rain", 6, 19, "the file ends where a probability should stand"),
    (f"{TWO}{ROWS}T go : sun identity\n", 8, 1, "'T' opens no section"),
    (f"{TWO}{ROWS}O: go : sun : snow 1\n", 8, 15, "'snow' is not the name of an observation; there are 2: wet, dry"),
    (f"{TWO}{ROWS}O: go : sun reset\n", 8, 13, "not 'reset'"),
    (f"{TWO}{ROWS}T: go : sun : rain 0.5\n", 8, 1, "`T: go : sun` sum to 1.5, not to 1"),
    (f"{TWO}{ROWS}O: go : sun 0.5 0.4998\n", 8, 1, "`O: go : sun` sum to 0.9998, not to 1"),
    (f"{TWO}T: stay identity\nO: * uniform\n", 4, 15, "what the probabilities of `T: go : sun` are"),
    (f"{TWO}T: * identity\nO: * : sun uniform\n", 4, 10, "what the probabilities of `O: stay : rain` are"),
    (f"{TWO}{ROWS}R: go : sun : rain : wet\n", 8, 25, "the file ends where a reward should stand"),
    (f"{TWO}{ROWS}R: go : sun : rain : wet much\n", 8, 26, "a reward should stand here, not 'much'"),
    (f"{TWO}{ROWS}R: go 1 2 3 4 5 6 7 8\n", 8, 7, "an action and a state"),
    (f"{TWO}{ROWS}R: go : * : * : * : * 1\n", 8, 19, "a reward should stand here, not ':'"),
    (f"{TWO}{ROWS}colour: red\n", 8, 1, "'colour' opens no section; a section such as"),
    (f"{TWO}{ROWS}strt: uniform\n", 8, 1, "'strt' opens no section; did you mean 'start:'"),
    ("discount: 1\nstates: a b\nacions: go\n", 3, 1, "'acions' opens no section; did you mean 'actions:'"),
    ("states: a\nactions: x\nR: x : a : a 1\nobservations: o\n", 4, 1, "`observations:` should stand before `R:`"),
    ("states: a b\nactions: x\nobservations: o\nO: x identity\n", 4, 6, "as many observations as states"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "complaint"), BAD, ids=[case[3] for case in BAD])
def test_mistakes_are_named_with_line_and_column(read: Read, text: str, line: int, column: int, complaint: str) -> None:
    with pytest.raises(ProblemError) as error:
        read(text)
    assert str(error.value).startswith(f"two.pomdp, line {line}, column {column}: ")
    assert complaint in str(error.value)


def test_the_command_line_says_it_in_one_line(cli: Run, folder: Path) -> None:
    (folder / "two.pomdp").write_text(f"{TWO}T: go : sun : rain 1.1\n")
    code, out, err = cli("run", "two.pomdp")
    assert (code, out) == (2, "")
    assert err == (
        "beliefsearch: error: two.pomdp, line 6, column 20: a probability is a number from 0 to 1, and not '1.1'\n"
    )


def test_what_is_run_is_saved_with_its_file_and_verified(cli: Run, folder: Path) -> None:
    lines = "T: stay identity\nT: go uniform\nO: stay\n0.75 0.25\n0.25 0.75\nO: go uniform\nR: stay : sun : * : * 1\n"
    (folder / "two.pomdp").write_text(TWO + lines)
    document = json.loads(stdout(cli("run", "two.pomdp", "--output", "plan.json", "--format", "json")))
    assert (document["problem"], document["parameters"]) == (
        "pomdp",
        {"file": "two.pomdp", "strict": False, "discount": None},
    )
    out = stdout(cli("verify", "plan.json"))
    assert out.startswith("pomdp (file=two.pomdp strict=False): the policy holds")
    (folder / "two.pomdp").write_text(TWO + lines.replace("0.75", "0.85").replace("0.25", "0.15"))
    assert cli("verify", "plan.json")[0] == 2


ENDLESS = "discount: 1\nstates: a b\nactions: x y\nT: * uniform\n"
UNSEEN = "observations: o\nO: * uniform\n"


@pytest.mark.parametrize("rewards", ["R: y : * 1 1\n", UNSEEN + "R: y : * : * 1\n"])
def test_a_game_without_end_is_told_of_the_option_for_a_discount(cli: Run, folder: Path, rewards: str) -> None:
    (folder / "endless.pomdp").write_text(ENDLESS + rewards)
    code, out, err = cli("run", "endless.pomdp")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.endswith("; with --discount 0.95 rewards count less the later they come\n")
    out = stdout(cli("run", "endless.pomdp", "--discount", "0.75", "--output", "plan.json"))
    assert re.match(r"endless.pomdp --discount 0.75: value (at least )?4\b", out), "1 / (1 - 0.75)"
    assert " strict=False discount=0.75): the policy holds" in stdout(cli("verify", "plan.json"))


def test_a_discount_below_1_may_be_replaced(read: Read) -> None:
    text = TWO + ROWS + "R: go : * : * : * 1\n"
    assert solve(read(text, discounted=Fraction(1, 2))).value == pytest.approx(2, rel=1e-3)
    assert read(text, discounted=0.25).discount() == Fraction(1, 4)
    with pytest.raises(ValueError, match="a discount is above 0 and at most 1, not 2"):
        read(text, discounted=2)


# Rows that miss 1 by rounding.

THIRDS = "discount: 0.9\nstates: a b c\nactions: x\nobservations: o\nT: x : a 0.3333 0.3333 0.3333\nT: x : b uniform\nT: x : c 0.33333 0.33333 0.33335\nO: * uniform\n"  # noqa: E501  # fmt: skip


def test_a_row_that_misses_1_by_rounding_is_divided_and_reported(read: Read) -> None:
    with pytest.warns(DataWarning) as told:
        problem = read(THIRDS)
    assert results(problem, "a", "x") == dict.fromkeys("abc", Fraction(1, 3))
    assert sum(results(problem, "c", "x").values()) == 1
    assert [str(warning.message) for warning in told] == [
        "two.pomdp, line 5, column 1: the probabilities of `T: x : a` sum to 0.9999; divided by that",
        "two.pomdp, line 7, column 1: the probabilities of `T: x : c` sum to 1.00001; divided by that",
    ]
    with pytest.raises(ProblemError, match=r"line 5, column 1: .* sum to 0\.9999, and --strict wants 1 exactly"):
        read(THIRDS, strict=True)


def test_many_repairs_are_one_line(cli: Run, folder: Path) -> None:
    rows = "".join(f"T: x : {state} 0.333 0.333 0.3339\n" for state in "abc").replace("0.333 ", "0.33300001 ", 1)
    (folder / "three.pomdp").write_text(f"{THIRDS}T: x : b 0.33333 0.33333 0.33333\n{rows}O: x : a 0.99999\nstart: a\n")
    code, _, err = cli("describe", "three.pomdp")
    assert code == 0
    assert err == (
        "beliefsearch: warning: three.pomdp: 4 rows do not sum to 1, and were divided by their sums; the first is "
        "`T: x : a` (line 10, column 1) with 0.99990001, the worst sums to 0.9999; --strict refuses them\n"
    )
    assert cli("describe", "three.pomdp", "--strict")[0] == 2


# Large files.


def test_what_is_given_for_all_states_at_once_costs_no_more_for_many(read: Read) -> None:
    problem = read("discount: 0.9\nstates: 5000\nactions: x y\nobservations: 300\nT: x identity\nT: y uniform\nO: * uniform\nO: x : 5 : * 0\nO: x : 5 : 7 1")  # noqa: E501  # fmt: skip
    assert results(problem, "4999", "x") == {"4999": 1}
    assert problem.outcomes("3", "y") is problem.outcomes("4", "y")
    assert percepts(problem, "5", "x") == {"7": 1}


def test_lines_that_say_the_same_of_many_states_are_kept_once(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of a thousand letters would fill the memory otherwise."""
    head = "discount: 0.5\nstates: 4000\nactions: 1\nobservations: 1\nstart: 0\nO: * uniform\nR: * : * : * : * 1\n"
    lines = "T: 0 : 0 uniform\nT: 0 : 1 : * 0.00025\n" * 200
    tracemalloc.start()
    try:
        problem = read(f"{head}T: 0 identity\n{lines}")
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()
    assert len(problem.outcomes("0", "0")) == len(problem.outcomes("1", "0")) == 4000
    assert problem.outcomes("2", "0") == ((1, "2"),)
    monkeypatch.setattr("beliefsearch_problems._pomdp.sections._MOST_EVEN", 12_000)
    read(f"{head}T: 0 identity\n{lines}T: 0 : 2 : * 0.0002\nT: 0 : 2 identity\n")
    different = "".join(f"T: 0 : 2 : * 0.000{digit}\n" for digit in range(2, 6))
    with pytest.raises(ProblemError, match=r"line 410, .*equal probabilities have too many entries"):
        read(f"{head}T: 0 identity\n{lines}{different}")


def test_what_would_not_fit_is_refused_in_words(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ProblemError, match="27,000,000 pairs of a state and an action are too many"):
        read("states: 9000\nactions: 3000\n")
    monkeypatch.setattr("beliefsearch_problems._pomdp.model._MOST_ENTRIES", 100_000)
    rows = "".join(f"T: x : {state} : 1 0.01\n" for state in range(100))
    few = "states: 100\nactions: x\nT: x uniform\nT: x : * : 0 0.01\n"
    assert results(read(few + rows), "3", "x") == dict.fromkeys(map(str, range(100)), Fraction(1, 100))
    many = few.replace("100", "2000").replace("0.01", "0.0005") + rows.replace("0.01", "0.0005")
    with pytest.raises(ProblemError, match="too many probabilities: more than 100,000"):
        read(many)


# Files of the field, where they are.


@pytest.mark.parametrize("path", sorted(FIELD.rglob("*.[pP][oO][mM][dD][pP]")), ids=lambda path: path.name)
def test_a_file_of_the_field_is_read(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        problem: Any = PomdpFileProblem(file=path)
    start = {state: chance for chance, state in problem.initial_distribution()}
    assert sum(start.values()) == 1
    for state in start:
        for action in problem.actions(state):
            assert sum(chance for chance, _ in problem.outcomes(state, action)) == 1
            assert isinstance(problem.reward(state, action), Fraction)
            for _, result in problem.outcomes(state, action):
                assert sum(chance for chance, _ in problem.percept_distribution(result, action)) == 1
